r"""What formulas are worth, in TeX and in plain text.

>>> [found] = equations(r"It costs $\tfrac12 \log 9 \approx 1.10$.")
>>> found.written, found.holds
('\\frac { 1 } { 2 } \\log 9 \\approx 1.10', True)

A side of an equation is closed if it consists of numbers, and of names whose
values are given; others are open, and nothing is said about them. What is
neither known here nor a name is an error, so that no equation is skipped only
because it is written in a new way.

A name is whatever TeX is given a value, ``\mathbb{P}[A \mid B]`` for example.
The value is a number, or a function of the names that its parameters have,
such as the indices of sums. A name that ends with an opening bracket is a
function of the values behind it. What a sum runs over is written below it,
``i = 1``, or is given like a name, as a list of the values of the indices.

>>> names = {r"w_k": lambda k: 2 * k, r"\sum_k": [{"k": 1}, {"k": 2}]}
>>> value(r"\sum_k w_k \, g(k, 1)", names | {"g(": max})
10
>>> value(r"\prod_{i=2}^4 i")
24
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from inspect import signature

import scipy.special

Value = Fraction | float
Indices = Sequence[Mapping[str, Value]]
Names = Mapping[str, Value | Callable[..., Value] | Indices]

# What ends an equation: a word, a comma, the end of a sentence.
BREAK = "BREAK"
RELATIONS = ("=", "<", ">", r"\le", r"\ge", r"\approx", r"\propto")
FUNCTIONS: dict[str, Callable[[Value], Value]] = {
    r"\log": math.log,
    r"\ln": math.log,
    r"\exp": math.exp,
    r"\sqrt": math.sqrt,
    r"\arcsin": math.asin,
    r"\arctan": math.atan,
    r"\Gamma": lambda number: scipy.special.gamma(float(number)),
    r"\Phi": lambda number: scipy.special.ndtr(float(number)),
}
OF_TWO: dict[str, Callable[[Value, Value], Value]] = {
    r"\frac": lambda top, bottom: top / bottom,
    r"\binom": lambda n, k: Fraction(math.comb(int(n), int(k))),
}
OVER = {r"\sum": sum, r"\prod": math.prod, r"\max": max, r"\min": min}
SIGNS = {*RELATIONS, *FUNCTIONS, *OF_TWO, *"+-/:^!(){}[]%", r"\cdot", r"\,"}
# Other ways of writing them.
SAME = {
    "−": "-",
    "·": r"\cdot",
    "×": r"\cdot",
    r"\times": r"\cdot",
    r"\tfrac": r"\frac",
    r"\dfrac": r"\frac",
    "≈": r"\approx",
    "≤": r"\le",
    "≥": r"\ge",
    r"\%": "%",
}
ENDS = {
    *",.;",
    *re.findall(r"\S+", r"\mid \to \quad \qquad \sim \in \notin \mapsto"),
}
# What has no value here: a side with one of them is open.
OPEN = {
    *"|'*_#",
    *re.findall(
        r"\S+",
        r"""
        \| \{ \} \lvert \rvert \lVert \rVert \Vert \langle \rangle \bigm
        \lfloor \rfloor \lceil \rceil \ne \neg \pm \perp \lor \land \cap \cup
        \uplus \setminus \subseteq \subset \supseteq \partial \int \sum \prod
        \max \min \sup \arg \det \cos \dots \cdots \ldots \infty \gets
        \leftarrow \longrightarrow \Longleftrightarrow \Leftrightarrow
        \varnothing \emptyset \blacksquare \begin \end
        """,
    ),
}

_PICTURE = re.compile(r"!?\[[^\]]*\]\([^)]*\)")
_LAYOUT = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|underbrace)"
    r"(?![A-Za-z])|\\(?:begin|end)\{aligned\}|\\\\(?:\[\w+\])?|&|\\[!;: ]"
    r"|(?<!\\)\{\}|(?<=\})_\{\\text\{[^{}]*\}\}"
    # Room before a sign with which a line begins.
    r"|(?:\\q?quad\s*)+(?=(?:\{\})?\s*(?:[-+=<>]|\\(?:cdot|le|ge)(?![a-z])))"
)
# What an index runs over is no equation: m = 0, \dots, M.
_RANGE = re.compile(r"=(?=[^=,]*, *\\dots)")
_SHORT_FRACTION = re.compile(r"\\([dt]?frac|binom)\s*(\d)(?:\s*(\d))?")
# Without braces TeX raises only the first one of several digits.
_SHORT_ARGUMENT = re.compile(r"(\^|\\sqrt)\s*(\d)")
_NUMBER = re.compile(
    r"\d+(?:(?:,|\{,\}|\\,|[\u00a0\u2009\u202f])\d{3}(?!\d))*(?:\.\d+)?"
)
_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_LETTER = (
    rf"\\(?:text|mathbb|mathcal|mathrm|mathsf|mathbf|mathit|operatorname\*?)"
    rf"\s*(?:{_BRACES}|[A-Z])|[A-Za-z]|\\(?:alpha|beta|gamma|delta|varepsilon|eta|theta"
    r"|kappa|lambda|mu|nu|pi|rho|varrho|sigma|tau|phi|varphi|chi|psi|omega|ell"
    r"|Delta|Theta|Sigma|Psi|Omega)(?![A-Za-z])"
)
_NAME = re.compile(
    rf"(?:\\(?:hat|widehat|bar|tilde)\s*(?:{_BRACES}|{_LETTER})|{_LETTER})'*"
    rf"(?:_(?:\w|\\[A-Za-z]+(?:{_BRACES})?|{_BRACES}))?(?:\^\*|\^\{{\*\}})?"
)
_OVER = re.compile(
    rf"(\\(?:sum|prod|max|min)) ?_ ?(\w|{_BRACES})(?: ?\^ ?(\w|{_BRACES}))?"
)
_IN_FORMULA = re.compile(
    rf"{_NUMBER.pattern}|{_OVER.pattern}|{_NAME.pattern}"
    r"|\\(?:[A-Za-z]+|.)|\S"
)
_IN_TEXT = re.compile(rf"{_NUMBER.pattern}(?!\w)|\w+|\n|\S")


@dataclass(frozen=True)
class Equation:
    """Two neighbouring closed sides, and whether their relation holds."""

    written: str
    holds: bool


def equations(
    text: str, names: Names | None = None, *, rounded: bool = False
) -> Iterator[Equation]:
    r"""Yield the closed equations, approximations and inequalities of a text.

    If it is ``rounded``, an equals sign stands before rounded decimals, too.

    Examples
    --------
    >>> text = r"1 − 1/6 = 5/6, $\theta^2 = 0.25$, $a = \frac{3}{4} = 0.7$"
    >>> [found.holds for found in equations(text)]
    [True, False]
    >>> [found.holds for found in equations(text, {r"\theta": 0.5})]
    [True, True, False]
    >>> [found.holds for found in equations("2/3 = 0.67 = 0.6", rounded=True)]
    [True, False]
    """
    known = _Known.of(names)
    for left, sign, right in _comparisons(text, known):
        one, other = (_value(side, known) for side in (left, right))
        # What is proportional may differ by a constant.
        if one is None or other is None or sign == r"\propto":
            continue
        written = " ".join([*left, sign, *right])
        if sign == "=" and rounded and any("." in it for it in right):
            sign = r"\approx"
        room = _last_place(right) / 2
        yield Equation(written, _holds(one, sign, other, room))


def comparisons(text: str) -> Iterator[tuple[list[str], str, list[str]]]:
    r"""Yield neighbouring sides, open or not, and the relation between them.

    Examples
    --------
    >>> [*comparisons(r"Let $0 < \mathbb{P}[A]$.")]
    [(['0'], '<', ['\\mathbb{P}[A]'])]
    """
    return _comparisons(text, _Known.of(None))


def _comparisons(
    text: str, known: "_Known"
) -> Iterator[tuple[list[str], str, list[str]]]:
    for chain in _chains(_tokens(text, known)):
        for at in range(1, len(chain), 2):
            left, [sign], right = chain[at - 1 : at + 2]
            yield left, sign, right


def value(formula: str, names: Names | None = None) -> Value:
    r"""Return the value of a closed formula.

    Examples
    --------
    >>> value(r"\left(\frac{1}{4} + 50\%\right)^{-1}")
    Fraction(4, 3)
    """
    known = _Known.of(names)
    tokens = [*_formula_tokens(_plain(formula), known)]
    if tokens[-1:] == [BREAK]:  # the end of the sentence
        tokens.pop()
    found = _value(tokens, known)
    if found is None:
        raise ValueError(f"Something in {formula} has no value.")
    return found


def _holds(one: Value, sign: str, other: Value, room: Fraction) -> bool:
    # A hair more than half: 0.125 may be written 0.13 and 0.12.
    if sign == r"\approx" and abs(one - other) <= room * (1 + 1e-9):
        return True
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        same = one == other
    else:
        same = math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return {
        "<": one < other and not same,
        ">": one > other and not same,
        r"\le": one < other or same,
        r"\ge": one > other or same,
    }.get(sign, same)


def _last_place(side: list[str]) -> Fraction:
    """Return one in the last place of the roughest decimal of a side."""
    decimals = [token.partition(".")[2] for token in side]
    place = Fraction(1, 10 ** min(map(len, filter(None, decimals)), default=0))
    written = "".join(side)
    if power := re.search(r"\\cdot10\^\{(-?\d+)\}$", written):
        place *= Fraction(10) ** int(power[1])
    return place / 100 if written.endswith("%") else place


# --- What is known ----------------------------------------------------------


@dataclass(frozen=True)
class _Known:
    """The names that have a value."""

    values: Mapping[str, Value | Callable[..., Value] | Indices]

    @classmethod
    def of(cls, names: Names | None) -> "_Known":
        given = {_key(name): found for name, found in (names or {}).items()}
        return cls(given)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Of a known name, in a plain formula."""
        names = {name for name in self.values if not _OVER.fullmatch(name)}
        for name in self.values.keys() - names:
            names |= {_key(index) for index in self.values[name][0]}
        longest_first = sorted(names, key=len, reverse=True)
        return re.compile("|".join(map(_pattern, longest_first)) or "(?!)")

    def at(self, indices: Mapping[str, Value]) -> "_Known":
        """Return what is known where indices have values."""
        more = {_key(name): found for name, found in indices.items()}
        return replace(self, values={**self.values, **more})


@cache  # the names are few, and the texts are many
def _key(name: str) -> str:
    """Return the tokens of a name, which may be written with more room."""
    tokens = re.findall(r"\\[A-Za-z]+|\\.|\S", _plain(name))
    return " ".join(token for token in tokens if token != r"\,")


@cache
def _pattern(key: str) -> str:
    pattern = r"(?:\s|\\,)*".join(map(re.escape, key.split()))
    if key[-1] in "([":
        return pattern
    # A longer name, or one with an index, is another one.
    return pattern + (
        r"(?!\s*_|')" if key[-2:-1] in ("", " ") else r"(?![A-Za-z]|\s*_|')"
    )


# --- From texts to tokens ---------------------------------------------------


def _chains(tokens: Iterator[str]) -> Iterator[list[list[str]]]:
    """Yield sides and the relations between them, in turns."""
    chain: list[list[str]] = [[]]
    for token in tokens:
        if token == BREAK:
            yield chain
            chain = [[]]
        elif token in RELATIONS:
            chain += [[token], []]
        else:
            chain[-1].append(token)
    yield chain


def _tokens(text: str, known: _Known) -> Iterator[str]:
    # An equation may begin in a formula and end in the text behind it.
    parts = re.split(r"\$\$?", _PICTURE.sub(",", text))
    for at, part in enumerate(parts):
        if at % 2:
            yield from _formula_tokens(_plain(part), known)
        else:
            yield from _text_tokens(part)


def _text_tokens(text: str) -> Iterator[str]:
    for token in _IN_TEXT.findall(text):
        if token[0].isdigit():
            yield _number(token)
        else:
            token = SAME.get(token, token)
            yield token if token in SIGNS - {":"} else BREAK


def _plain(formula: str) -> str:
    """Return a formula without layout, and with braces around its digits."""
    formula = _RANGE.sub(r"\\in ", _LAYOUT.sub(" ", formula))
    formula = _SHORT_FRACTION.sub(
        lambda it: rf"\{it[1]}{{{it[2]}}}" + (f"{{{it[3]}}}" if it[3] else ""),
        formula,
    )
    formula = _SHORT_ARGUMENT.sub(r"\1{\2}", formula)
    return re.sub(r"_\{ *(\w) *\}", r"_\1", " ".join(formula.split()))


def _formula_tokens(formula: str, known: _Known) -> Iterator[str]:
    """Yield the tokens of a plain formula."""
    at = depth = 0
    while at < len(formula):
        if formula[at] == " ":
            at += 1
            continue
        found = known.pattern.match(formula, at)
        is_known = found is not None
        found = found or _IN_FORMULA.match(formula, at)
        token, at = SAME.get(found[0], found[0]), found.end()
        depth += (token in "([{") - (token in ")]}")
        if is_known or _NAME.fullmatch(token):
            # Arguments belong to their name: P[A = yes] is no equation.
            if token[-1] in "([":
                end = _end_of_arguments(formula, at - 1)
            else:
                end = at if is_known else _end_of_arguments(formula, at)
            yield token + formula[at:end]
            at = end
        elif token[0].isdigit():
            yield _number(token)
        elif depth > 0 and token in {*RELATIONS, *ENDS}:
            yield "|"  # a set, a tuple, an interval
        elif token in SIGNS or token in OPEN or _OVER.fullmatch(token):
            yield token
        elif token in ENDS:
            yield BREAK
        else:
            raise ValueError(f"What is {token!r} in {formula!r}?")


def _number(token: str) -> str:
    """Return a number without separators of thousands."""
    if not _NUMBER.fullmatch(token):
        raise ValueError(f"What is {token!r}?")
    return re.sub(r"[^\d.]", "", token)


def _end_of_arguments(formula: str, start: int) -> int:
    """Return where the brackets end that open behind a name, if they do."""
    if formula[start : start + 1] not in ("(", "["):
        return start
    depth = 0
    for at in range(start, len(formula)):
        depth += (formula[at] in "([") - (formula[at] in ")]")
        if depth == 0:
            return at + 1
    raise ValueError(f"A bracket in {formula!r} is not closed.")


# --- From tokens to values --------------------------------------------------


class _OpenError(Exception):
    """A side has something without a value."""


def _value(side: list[str], known: _Known) -> Value | None:
    """Return the value of a side; None if it is open, or signs only."""
    if SIGNS.issuperset(side):
        return None
    reader = _Reader(side, known)
    try:
        found = reader.ratio()
    except _OpenError:
        return None
    if reader.rest:
        if set(reader.rest) & OPEN:
            return None
        raise reader.error()
    return found


class _Reader:
    """Computes a side while it is read from left to right."""

    def __init__(self, side: list[str], known: _Known) -> None:
        self.side, self.known = side, known
        self.rest = side[::-1]

    @property
    def next(self) -> str:
        return self.rest[-1] if self.rest else ""

    def error(self) -> ValueError:
        side = " ".join(self.side)
        return ValueError(f"What is {self.next or 'the end'!r} in {side!r}?")

    def took(self, token: str) -> bool:
        """Take a token if it is the next one."""
        if self.next != token:
            return False
        self.rest.pop()
        return True

    def within(self, opening: str, closing: str) -> Value:
        if not self.took(opening):
            raise self.error()
        found = self.sum()
        if not self.took(closing):
            if self.next in OPEN:
                raise _OpenError
            raise self.error()
        return found

    def ratio(self) -> Value:
        total = self.sum()
        if self.took(":"):
            total /= self.sum()
            if self.next == ":":  # ratios of several numbers
                raise _OpenError
        return total

    def sum(self) -> Value:
        self.took(r"\,")
        total = -self.product() if self.took("-") else self.plus()
        while self.next in ("+", "-"):
            sign = 1 if self.rest.pop() == "+" else -1
            total += sign * self.product()
        return total

    def plus(self) -> Value:
        self.took("+")
        return self.product()

    def product(self) -> Value:
        total = self.power()
        while self.next not in ("", "+", "-", ":", ")", "}", "]"):
            if self.took("/"):
                total /= self.power()
            elif (
                self.took(r"\cdot")
                or self.took(r"\,")
                or not self.next[0].isdigit()
            ):
                if self.next in ("", "+", "-", ":", ")", "}", "]"):
                    break  # only room before them
                total *= self.power()
            else:  # two numbers side by side
                raise self.error()
        return total

    def power(self) -> Value:
        base = self.atom()
        while self.took("!"):
            base = Fraction(math.factorial(int(base)))
        if self.took("^"):
            base = self.raised(base)
        return base / 100 if self.took("%") else base

    def raised(self, base: Value) -> Value:
        if self.next != "{":
            return base ** self.atom()
        if self.rest[-2:] != ["(", "{"]:
            return base ** self.within("{", "}")
        # With the exponent in brackets it is a rising power.
        steps = int(self.within("{", "}"))
        return math.prod(base + step for step in range(steps))

    def argument(self) -> Value:
        if re.match(r"\d.", self.next):  # TeX takes its first digit only
            raise self.error()
        return self.atom()

    def atom(self) -> Value:
        self.took(r"\,")
        for opening, closing in ("()", "[]", "{}"):
            if self.next == opening:
                return self.within(opening, closing)
        if self.next in OF_TWO:
            function = OF_TWO[self.rest.pop()]
            return function(self.argument(), self.argument())
        if self.next in FUNCTIONS:
            function = FUNCTIONS[self.rest.pop()]
            if self.next in ("", ")", "}"):  # the function itself
                raise _OpenError
            braced = self.next in ("{", "(")
            argument = self.atom() if braced else self.power()
            if argument == 0 and function is math.log:
                raise _OpenError
            return function(argument)
        if self.next[:1].isdigit():
            return Fraction(self.rest.pop())
        if found := _OVER.fullmatch(self.next):
            return self.over(*found.groups())
        known = _key(self.next) in self.known.values
        if self.next in OPEN and not known:
            raise _OpenError
        if self.next and self.next not in SIGNS:
            return self.named(self.rest.pop())
        raise self.error()

    def over(self, sign: str, below: str, above: str | None) -> Value:
        """Compute a sum, or what else goes through indices."""
        known, rest = self.known, self.rest[:-1]
        terms = []
        for indices in self.indices(sign, below, above):
            self.known, self.rest = known.at(indices), rest[:]
            terms.append(self.product())
        if not terms:  # the term has not been read, so nothing ends it
            raise ValueError(f"{sign} from {below} to {above} is empty.")
        self.known = known
        return OVER[sign](terms)

    def indices(self, sign: str, below: str, above: str | None) -> Indices:
        if (
            given := self.known.values.get(_key(f"{sign}_{below}"))
        ) is not None:
            return given
        name, _, start = below.strip("{}").partition("=")
        if not start or above is None:
            raise _OpenError
        first, last = (self.of_text(text) for text in (start, above))
        return [{name: index} for index in range(int(first), int(last) + 1)]

    def named(self, token: str) -> Value:
        values = self.known.values
        if (found := values.get(_key(token))) is not None:
            if not callable(found):
                return found
            indices = signature(found).parameters
            if not indices.keys() <= values.keys():
                raise _OpenError
            return found(*(values[name] for name in indices))
        if token == "e" and self.next == "^":
            return math.e
        head, bracket, rest = re.match(
            r"([^(\[]*)([(\[]?)(.*)", token
        ).groups()
        function = values.get(_key(head + bracket))
        if function is None:
            raise _OpenError
        return function(*map(self.of_text, _arguments(rest[:-1])))

    def of_text(self, text: str) -> Value:
        text = re.sub(r"^\{(.*)\}$", r"\1", text.strip())
        found = _value([*_formula_tokens(text, self.known)], self.known)
        if found is None:
            raise _OpenError
        return found


def _arguments(text: str) -> Iterator[str]:
    """Split what is in the brackets of a function."""
    depth, begin = 0, 0
    for found in re.finditer(r"(?<!\\)[()\[\]{},;]|\\mid", text):
        depth += (found[0] in "([{") - (found[0] in ")]}")
        if depth == 0 and found[0] in {",", ";", r"\mid"}:
            yield text[begin : found.start()]
            begin = found.end()
    yield text[begin:]
