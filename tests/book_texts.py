"""All texts of the book: what a reader reads, and where it stands."""

import re
from functools import cache

import notebooks
from claims import text_of

from bayesbook.study import quiz
from bayesbook.study.quiz.numerals import FORMULA

ROOT = notebooks.ROOT
CODE = re.compile(r"^ *(`{3,}).*?^ *\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
# The marks of lists, and what directives and links say to programs only.
MARKS = re.compile(
    r"^ *(?:[-*]|\d+\.) |^ *\* - |^:{3,}[^\n]*|^ *:[\w-]+:[^\n]*|^\(\S+\)=$"
    r"|\(eq-[\w-]+\)",
    re.MULTILINE,
)
# Brackets around numbers, which are kept; words that begin with a digit, other
# brackets, and hyphens.
NO_ARITHMETIC = re.compile(
    r"(\([-\d\s.+·×/−]*\))"
    r"|\d[\d.]*[A-Za-z][\w-]*|[(){}]|[-/](?!\s*[\d(]|\s*$)"
)


def pages():
    """Return the files of all pages by name, those of the reference last."""
    book = ROOT / "book"
    found = [*book.rglob("*.ipynb"), *book.glob("appendix/*.md")]
    found += [ROOT / f"{name}.md" for name in ("README", "index", "CHANGELOG")]
    reference = {
        f"reference {path.stem}": path
        for path in sorted(book.glob("appendix/library/*.md"))
    }
    return {path.stem: path for path in sorted(found)} | reference


@cache
def texts(page):
    """Return the texts of a page, by the names of its cells and questions."""
    path = pages()[page]
    if path.suffix == ".md":
        return {page: path.read_text("utf-8")}
    cells = notebooks.parse(path.read_text("utf-8")).cells
    found = {cell.id: text_of(cell) for cell in cells}
    for kind, checks in (("question", False), ("check", True)):
        if page in quiz.names(checks=checks):
            for question in quiz.load(page, checks=checks).questions:
                found[f"{kind} {question.id}"] = "\n\n".join(told(question))
    return found


def told(question):
    """Yield what a question says; a wrong option may say anything."""
    yield question.prompt
    for option in getattr(question, "options", ()):
        yield option.why
        if option.right:
            yield option.text
    yield getattr(question, "why", "")
    for wrong in getattr(question, "wrong", ()):
        yield wrong.why


def prose(text):
    r"""Return a text without code, marks of lists, and other such signs.

    Examples
    --------
    >>> prose("- See `x = 1` ($y$ is 1).\n(eq-sum)\n2. $(1 + 1) = 2$, the 3rd")
    'See   , $y$ is 1, .\n\n$(1 + 1) = 2$, the , '
    """
    parts = FORMULA.split(MARKS.sub("", CODE.sub(" ", text)))
    parts[::2] = [
        NO_ARITHMETIC.sub(lambda found: found[1] or ", ", part)
        for part in parts[::2]
    ]
    return "".join(parts)
