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

ROOT = notebooks.ROOT
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
CHAPTERS = notebooks.toc_notebooks(TOC)
SMALL = 12
# What no cell can compute: the year of the admissions.
FACTS = {"1973"}

NUMBER = re.compile(r"(?<![\w./])\d+(?:\.\d+)?(?:/\d+)?(?![\w/]|\.\d)")
TEX_FRACTION = re.compile(
    r"\\[td]?frac(?:\{(\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))"
)
CODE_FRACTION = re.compile(r"F\((\d+), (\d+)\)")
# What groups digits: 25,550 in prose, 25{,}550 in TeX, 25_550 in code.
GROUPING = re.compile(r"(?<=\d)(?:,|\{,\}|_)(?=\d{3}(?!\d))")
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


def ungrouped(text):
    """Write large numbers without what groups their digits.

    Examples
    --------
    >>> ungrouped("25,550 of 600{,}600, or 25_550; but (1, 200) and 1,20")
    '25550 of 600600, or 25550; but (1, 200) and 1,20'
    """
    return GROUPING.sub("", text)


def prose(cells):
    """Yield what a reader reads: the text, captions, alternative texts."""
    for cell in cells:
        if cell.cell_type == "markdown":
            yield TEX_FRACTION.sub(
                lambda f: " {}/{} ".format(*filter(None, f.groups())),
                ungrouped(NO_PROSE.sub("", cell.source)),
            )
        mystnb = cell.metadata.get("mystnb", {})
        yield ungrouped(mystnb.get("figure", {}).get("caption", ""))
        yield ungrouped(mystnb.get("image", {}).get("alt", ""))


def evidence(cells):
    """Return the values of the numbers in code and outputs."""
    values = set()
    for cell in cells:
        texts = [cell.source] if cell.cell_type == "code" else []
        for output in cell.get("outputs", []):
            texts += [output.get("text", "")]
            texts += [output.get("data", {}).get("text/plain", "")]
        for text in map(ungrouped, texts):
            pairs = [f"{a}/{b}" for a, b in CODE_FRACTION.findall(text)]
            values |= {Fraction(n) for n in [*pairs, *NUMBER.findall(text)]}
    return values


def supported(number, values):
    """Tell whether a number is one of the values, perhaps rounded."""
    value = Fraction(number)
    digits = len(number.partition(".")[2])
    return value in values or (
        "/" not in number
        and any(
            round(scale * known, digits) == value
            for known in values
            for scale in (1, 100)
        )
    )


def unsupported(notebook):
    """Return the numbers of the prose that no cell near them shows."""
    found = []
    opening, *others = sections(notebook)
    known = [evidence(notebook.cells), *map(evidence, others)]
    for cells, values in zip([opening, *others], known, strict=True):
        for text in prose(cells):
            found += [
                number
                for number in NUMBER.findall(text)
                if not (number.isdigit() and int(number) <= SMALL)
                and number not in FACTS
                and not supported(number, values)
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
        ("holds for 28.", "holds for 82."),
        ("990 are well", "909 are well"),
        ("is 5/36", "is 5/63"),
        (r"\frac3{10} + \frac3{10}", r"\frac3{10} + \frac3{11}"),
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
