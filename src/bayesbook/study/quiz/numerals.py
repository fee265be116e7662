r"""The numbers in the texts of a question, and the values that they tell.

Checks recompute the key of a question; a number in the prompt or in a
rationale could still be another one. So a question says in ``told`` what each
of its numbers is, in their order. Of a question without it, as a drill makes
them, each number is looked for among the values that the question's own Python
has: a constant there, the value of a name that it uses, what a check compares,
or what an expression of ``why_check`` gives; whole numbers up to twelve are
then words, and not looked for.

>>> [numeral.written for numeral in numerals(r"$\frac{2}{3}$ of 10 000, 7")]
['2/3', '10000']
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

import numpy as np

__all__: list[str] = []  # nothing here is public

SMALL = 12
# A container with more numbers than that would have one like any other.
MANY = 60

_NO_NUMBER = re.compile(
    r"\]\([^)]*\)"  # the address of a page or picture
    r"|\\(?:hspace|color)\{[^}]*\}"
    r"|(?i:chapter|section|figure|part|exercise|table)s? [\d.]*\d"
)
_GROUPING = re.compile(r"(?<=\d)(?:,|\{,\}|_|\\,| | | )(?=\d{3}(?!\d))")
_TEX_FRACTION = re.compile(
    r"\\[dtc]?frac\s*(?:\{(-?\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))"
)
_POWER_OF_TEN = re.compile(
    r"(?:\\cdot|\\times|·|×)\s*10\^(?:\{(-?\d+)\}|(\d))"
)
# What has digits and tells no number: options and labels of directives,
# references, code, addresses, the numbers of a list, space between lines.
_NO_TEXT = re.compile(
    r"^:{3,}[^\n]*$|^:[\w-]+:[^\n]*$|^\([\w-]+\)=$|^\s*\d+\. "
    r"|\{[\w:-]+\}`[^`]*`|`[^`]*`|\]\([^)]*\)|\(eq-[\w-]+\)|\b[Rr]ule \d\b"
    r"|\b[Ss]ection [\d.]*\d|\\\[[-\d.]+em\]",
    re.MULTILINE,
)
FORMULA = re.compile(r"(\$\$.+?\$\$|\$.+?\$)", re.DOTALL)
# Of these a formula of numbers alone consists, besides digits and signs.
_NUMERIC = re.compile(
    r"\\(?:[dtc]?frac|cdot|times|approx|left|right|quad|le|ge|ldots|dots|begin"
    r"|end|sqrt|pm|text\{[^}]*\}|[^a-zA-Z])|\{aligned\}"
)
# Where a part of a formula ends, which has letters or has none.
_BETWEEN = re.compile(r"=|(?<!\\),|\\(?:mid|sim)(?![a-zA-Z])")
_NUMERAL = re.compile(
    r"(?<![\w.^])(\d+(?:\.\d+)?(?:e-?\d+)?)(?:/(\d+)(?!\^))?(?![\w/]|\.\d)"
    r"(\s*(?:\\,)?\s*(?:\\?%|per cent|percent))?"
)


@dataclass(frozen=True)
class Numeral:
    """A number in a text, without its sign.

    Parameters
    ----------
    written : str
        Its digits.
    value : Fraction
        Its value; of a percentage the number before the sign.
    unit : Fraction
        One in its last place; 0 for a fraction.
    percent : bool
        Whether it is followed by a sign of per cent.

    Examples
    --------
    >>> [half] = numerals("50 %")
    >>> half.tells([0.4995]), half.tells([0.51]), half.tells([50])
    (True, False, True)
    """

    written: str
    value: Fraction
    unit: Fraction
    percent: bool = False

    @property
    def is_word(self) -> bool:
        """Whether it is a small whole number."""
        return self.unit == 1 and self.value <= SMALL and not self.percent

    def tells(self, values: Iterable[float]) -> bool:
        """Return whether one of the values is this number, when rounded.

        Parameters
        ----------
        values : iterable of number
            Their signs do not matter.

        Returns
        -------
        bool
            True if one of them is equal to it to the last place written.
        """
        scales = (1, 100) if self.percent else (1,)
        # A hair more than half: 0.125 may be written 0.13 and 0.12.
        room = float(self.unit) / 2 + 1e-10 * float(self.unit + self.value)
        return any(
            abs(abs(float(value)) * scale - float(self.value)) <= room
            for value in values
            for scale in scales
        )


def numerals(text: str, words: bool = False) -> Iterator[Numeral]:
    r"""Yield the numbers in a text of Markdown and TeX.

    Parameters
    ----------
    text : str
        A prompt, an option or a rationale.
    words : bool
        Whether small whole numbers count, too.

    Yields
    ------
    Numeral
        Decimals, fractions, percentages, and whole numbers above twelve.

    Examples
    --------
    >>> found = numerals(r"$x_1 = 0.25$, $1.5 \cdot 10^{-3}$, 35/54 and 12")
    >>> [str(numeral.value) for numeral in found]
    ['1/4', '3/2000', '35/54']
    """
    text = _GROUPING.sub("", _NO_NUMBER.sub(" ", text))
    text = _TEX_FRACTION.sub(
        lambda f: " {}/{} ".format(*filter(None, f.groups())), text
    )
    text = re.sub(
        rf"\s*{_POWER_OF_TEN.pattern}",
        lambda f: f"e{f[1] or f[2]}",
        text,
    )
    for found in _NUMERAL.finditer(text):
        top, bottom, percent = found.groups()
        if bottom and int(bottom):
            value, unit = Fraction(top) / int(bottom), Fraction(0)
        else:
            value, unit = Fraction(top), _last_place(top)
        written = found[0].strip()
        numeral = Numeral(written, value, unit, percent is not None)
        if words or not numeral.is_word:
            yield numeral


def numbers_told(text: str) -> list[Numeral]:
    r"""Return all numbers that a text tells, small ones too, in their order.

    Where a formula has letters, between two signs of equality, commas or bars
    of a condition, only those of its numbers count that no exponent, index or
    coefficient is: decimals, fractions, and whole numbers above twelve.

    Parameters
    ----------
    text : str
        Markdown, with its directives and references.

    Returns
    -------
    list of Numeral
        Without what is no number of the text: labels, code, addresses.

    Examples
    --------
    >>> text = r"Of 5 dice $2 x_1^2$ is $\frac16 = 0.17$; see {ref}`fig-1`."
    >>> [number.written for number in numbers_told(text)]
    ['5', '1/6', '0.17']
    >>> [number.written for number in numbers_told(r"$P(x = 1 \mid y_3 = 0)$")]
    ['1', '0']
    """
    found: list[Numeral] = []
    for part in FORMULA.split(_GROUPING.sub("", without_labels(text))):
        is_formula = part.startswith("$")
        for piece in _BETWEEN.split(part) if is_formula else [part]:
            symbols = is_formula and re.search(
                r"[A-Za-z\\]", _NUMERIC.sub("", piece)
            )
            found += numerals(piece, words=not symbols)
    return found


def without_labels(text: str) -> str:
    """Return a text with blanks where its digits are those of labels or code.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    str
        As long as the text.

    Examples
    --------
    >>> without_labels("Of 5, see `x[3]`.")
    'Of 5, see       .'
    """
    return _NO_TEXT.sub(lambda found: " " * len(found[0]), text)


def _last_place(digits: str) -> Fraction:
    """Return one in the last place of a decimal."""
    mantissa, _, exponent = digits.partition("e")
    _, _, decimals = mantissa.partition(".")
    return Fraction(10) ** (int(exponent or 0) - len(decimals))


# --- The values that there are ---------------------------------------------


def values_of(found: object) -> Iterator[float]:
    """Yield the numbers that an object is or holds, if they are few.

    Parameters
    ----------
    found : object
        A number, or a container, also of containers; others hold none.

    Yields
    ------
    float
        Finite numbers; nothing of a container with more than sixty.

    Examples
    --------
    >>> [*values_of({"heads": (1, 0.5), "tails": "no number"})]
    [1.0, 0.5]
    >>> [*values_of(range(1000))]
    []
    """
    inside = list(_inside(found, MANY + 1))
    if len(inside) <= MANY:
        yield from inside


def _inside(found: object, most: int) -> list[float]:
    if isinstance(found, bool | np.bool_ | str | bytes):
        return []
    if isinstance(found, Real):
        value = float(found)
        return [value] if np.isfinite(value) else []
    if isinstance(found, np.ndarray):
        return _inside(found.ravel()[:most].tolist(), most)
    if isinstance(found, Mapping):
        found = [*found.keys(), *found.values()]
    if not isinstance(found, list | tuple | set | frozenset | range):
        return []
    inside: list[float] = []
    for element in found:
        if len(inside) < most:
            inside += _inside(element, most - len(inside))
    return inside


def constants(code: str) -> Iterator[float]:
    """Yield the numbers that stand in Python code.

    Parameters
    ----------
    code : str
        Statements, or an expression.

    Yields
    ------
    float
        In their order.

    Examples
    --------
    >>> [*constants("coin = F(1, 3)")]
    [1.0, 3.0]
    """
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant):
            yield from values_of(node.value)


def values_named(tree: ast.AST) -> list[ast.Name]:
    """Return the names in Python that are not those of functions called.

    Parameters
    ----------
    tree : ast.AST
        Python, parsed.

    Returns
    -------
    list of ast.Name
        Empty if nothing is derived from another value.

    Examples
    --------
    >>> [len(values_named(ast.parse(code))) for code in ("F(36)", "len(x)")]
    [0, 1]
    """
    nodes = list(ast.walk(tree))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return [
        node
        for node in nodes
        if isinstance(node, ast.Name) and id(node) not in called
    ]


def operands(check: str) -> Iterator[str]:
    """Yield the expressions that a check compares.

    Parameters
    ----------
    check : str
        A Python expression.

    Yields
    ------
    str
        The two sides of each comparison, and the check itself.

    Examples
    --------
    >>> [*operands("p == 1 / 2 and not q > r")]
    ['p == 1 / 2 and not q > r', 'p', '1 / 2', 'q', 'r']
    """
    yield check
    waiting = [ast.parse(f"({check.strip()}\n)", mode="eval").body]
    while waiting:
        match waiting.pop(0):
            case ast.BoolOp(values=parts):
                waiting = [*parts, *waiting]
            case ast.UnaryOp(op=ast.Not(), operand=part):
                waiting.insert(0, part)
            case ast.Compare(left=left, comparators=others):
                yield from map(ast.unparse, (left, *others))
