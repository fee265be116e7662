"""Every number in a chapter's prose is printed or asserted near it.

Numbers in the text, in captions and in alternative texts have to occur in the
code or in an output of the same section: as they are, as a fraction of the
same value, rounded, or as a percentage. Those of the opening may come from
the whole chapter. Small whole numbers are words, and not checked; problems
with their solutions are recomputed by tests of their own.
"""

import re
from fractions import Fraction

import notebooks
import pytest
import yaml
from claims import text_of

from bayesbook.study.quiz.numerals import numerals

ROOT = notebooks.ROOT
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
CHAPTERS = notebooks.toc_notebooks(TOC)
# What no cell can compute: the year of the admissions.
FACTS = {"1973"}

# Of code and outputs, where F(1, 3) is a fraction and 25_550 a number.
NUMBER = re.compile(
    r"(?<![\w./])\d+(?:\.\d+)?(?:e[-+]?\d+|/\d+)?(?![\w/]|\.\d)"
)
CODE_FRACTION = re.compile(r"F\((\d+), (\d+)\)")
GROUPING = re.compile(r"(?<=\d)[,_](?=\d{3}(?!\d))")
NO_PROSE = re.compile(
    r"^::::\{(?:exercise|solution)\}.*?^::::$"
    r"|^:\w+:[^\n]*$|^\([^\n]*\)=$"
    r"|\{[\w:-]+\}`[^`]*`"
    r"|(?:section|chapter) [\d.]*\d",
    re.MULTILINE | re.DOTALL,
)


def sections(notebook):
    """Split the cells at the headings of the second level."""
    found = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.search(
            r"^## ", cell.source, re.MULTILINE
        ):
            found.append([])
        found[-1].append(cell)
    return found


def prose(cells):
    """Yield what a reader reads: the text, captions, alternative texts."""
    for cell in cells:
        yield NO_PROSE.sub("", text_of(cell))


def evidence(cells):
    """Return the values of the numbers in code and outputs."""
    values = set()
    for cell in cells:
        texts = [cell.source] if cell.cell_type == "code" else []
        for output in cell.get("outputs", []):
            texts += [output.get("text", "")]
            texts += [output.get("data", {}).get("text/plain", "")]
        for text in texts:
            text = GROUPING.sub("", text)
            pairs = [f"{a}/{b}" for a, b in CODE_FRACTION.findall(text)]
            exponents = re.findall(r"\de-(\d+)", text)
            told = [*pairs, *NUMBER.findall(text), *exponents]
            values |= {Fraction(number) for number in told}
    # A share may be told as a percentage, or "in a hundred".
    return values | {100 * value for value in values}


def unsupported(notebook):
    """Return the numbers of the prose that no cell near them shows."""
    found = []
    opening, *others = sections(notebook)
    known = [evidence(notebook.cells), *map(evidence, others)]
    for cells, values in zip([opening, *others], known, strict=True):
        for text in prose(cells):
            found += [
                number.written
                for number in numerals(text)
                if number.written not in FACTS
                and number.value not in values
                and not number.tells(values)
            ]
    return found


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def notebook(request):
    return notebooks.parse(request.param.read_text("utf-8"))


def test_every_number_is_shown_near_it(notebook):
    assert unsupported(notebook) == []


@pytest.mark.parametrize(
    ("right", "false"),
    [
        ("45 in a hundred", "47 in a hundred"),
        ("same 4526 people", "same 4256 people"),
        ("five of 36 equally", "five of 63 equally"),
        ("990 are well", "909 are well"),
        ("is 5/36", "is 5/63"),
        ("In 569 such", "In 596 such"),
        ("column is 0.37 wide", "column is 0.73 wide"),
    ],
)
def test_a_false_number_is_seen(right, false):
    path = ROOT / "book" / "conditioning" / "events.ipynb"
    text = path.read_text("utf-8")
    changed = text.replace(*(repr(t)[1:-1] for t in (right, false)))
    if changed == text:
        pytest.fail(f"The chapter does not say {right!r}.")
    assert unsupported(notebooks.parse(changed))
