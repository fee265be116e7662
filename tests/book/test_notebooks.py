"""Every notebook of the book keeps the rules that need no kernel to check."""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import inf

import nbformat
import notebooks
import pytest
import yaml
from claims import is_check
from nbformat import NotebookNode

ROOT = notebooks.ROOT
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
FILES = sorted(
    path
    for path in (ROOT / "book").rglob("*.ipynb")
    if not any(part.startswith((".", "_")) for part in path.parts)
)

MOST_LINES, MOST_COLUMNS = 16, 79
# What `_config.yml` makes; a repository's address has the length it has.
GENERATED = {"colab-setup"}

# A float printed in full: digits 15 to 17 depend on the processor.
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?:[eE][-+]?\d+)?")
MOST_DIGITS = 11

# What differs from machine to machine or from run to run.
VOLATILE = {
    "the address of an object": re.compile(r"\b0x[0-9a-fA-F]{6,}\b"),
    "an absolute path": re.compile(
        r"(?<![\w.:/])/(?:home|root|tmp|usr|opt|var|mnt|private|Users|content)/"
        r"|\b[A-Z]:\\\\?\w|file://"
    ),
    "a bare figure or artist": re.compile(
        r"<Figure|<matplotlib\.|\[<matplotlib|\bText\(0|<Axes"
    ),
}


def shown(path):
    return str(path.relative_to(ROOT / "book").with_suffix(""))


@pytest.fixture(params=FILES, ids=shown)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return notebooks.parse(path.read_text(encoding="utf-8"))


def code_cells(notebook) -> Iterator[tuple[str, NotebookNode]]:
    """Yield the name and the cell of all code that an author wrote."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and cell.get("id") not in GENERATED:
            yield notebooks.cell_name(notebook, index), cell


def outputs(notebook) -> Iterator[tuple[str, NotebookNode]]:
    for name, cell in code_cells(notebook):
        for output in cell.outputs:
            yield name, output


def texts(output) -> Iterator[str]:
    """Yield what an output says in words: its stream, or its text types."""
    yield output.get("text", "")
    for mime, value in output.get("data", {}).items():
        if mime.startswith("text/"):
            yield value


def significant_digits(number: str) -> int:
    """Return how many digits a number shows.

    Examples
    --------
    >>> significant_digits("0.0012500"), significant_digits("1.5e-10")
    (5, 2)
    """
    digits = re.sub(r"[eE].*", "", number).replace(".", "")
    return len(digits.lstrip("0"))


def numbers(text: str) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the decimals and the fractions of a text, each with the most
    that rounding to the digits shown can have changed it.

    Examples
    --------
    >>> [(float(x), float(e)) for x, e in numbers("0.84 of 3, or 1/2")]
    [(0.84, 0.005), (0.5, 0.0)]
    """
    for whole, digits in re.findall(r"(?<![\w.])(\d+)\.(\d+)", text):
        places = len(digits)
        yield Fraction(f"{whole}.{digits}"), Fraction(1, 2 * 10**places)
    for over, under in re.findall(r"(?<![\w./])(\d+)/([1-9]\d*)", text):
        yield Fraction(int(over), int(under)), Fraction(0)


def test_the_table_of_contents_lists_every_notebook_and_no_other():
    assert sorted(notebooks.toc_notebooks(TOC)) == FILES


def test_every_page_of_the_table_of_contents_is_there():
    missing = [
        page
        for page in notebooks.toc_files(TOC)
        if not any(
            (ROOT / f"{page}{suffix}").is_file()
            for suffix in (".md", ".ipynb")
        )
    ]
    assert missing == []


def test_the_notebook_is_in_canonical_form(path):
    text = path.read_text(encoding="utf-8")
    assert notebooks.deviations(text, CONFIG) == []


def test_a_cell_is_short_enough_to_be_read_at_once(notebook):
    for name, cell in code_cells(notebook):
        lines = cell.source.split("\n")
        most = inf if is_check(cell) else MOST_LINES  # which no page shows
        assert len(lines) <= most, f"{name} has {len(lines)} lines"
        longest = max(lines, key=len)
        assert len(longest) <= MOST_COLUMNS, f"{name}: {longest}"


def test_no_cell_hides_its_output_by_a_semicolon(notebook):
    for name, cell in code_cells(notebook):
        assert not cell.source.rstrip().endswith(";"), name


def test_no_output_is_an_error(notebook):
    for name, output in outputs(notebook):
        assert output.output_type != "error", name


def test_no_number_shows_more_digits_than_are_meant(notebook):
    for name, output in outputs(notebook):
        for text in texts(output):
            for number in NUMBER.findall(text):
                digits = significant_digits(number)
                assert digits <= MOST_DIGITS, f"{name} shows {number}"


@pytest.mark.parametrize("what", VOLATILE)
def test_no_output_depends_on_the_machine_or_the_run(what, notebook):
    for name, output in outputs(notebook):
        for text in texts(output):
            found = VOLATILE[what].search(text)
            assert not found, f"{name} shows {what}: {found[0]}"


def test_every_picture_has_a_description_beside_it(notebook):
    for name, output in outputs(notebook):
        data = output.get("data", {})
        if any(mime.startswith("image/") for mime in data):
            description = data.get("text/plain", "")
            assert len(description) > 40, f"{name} shows {description!r}"


def test_every_number_of_an_alternative_text_is_in_an_output(notebook):
    """What is heard is true: the alternative text of a figure is a source,
    which no run compares, so its numbers are looked up in what the runs say.
    """
    said = [
        value
        for _, output in outputs(notebook)
        for text in texts(output)
        for value, _ in numbers(text)
    ]
    for name, cell in code_cells(notebook):
        image = cell.metadata.get("mystnb", {}).get("image", {})
        for value, tolerance in numbers(image.get("alt", "")):
            close = any(abs(value - other) <= tolerance for other in said)
            assert close, f"{name}: no output says {float(value):g}"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<f at 0x7f3a2b1c4d50>", "the address of an object"),
        ("read /home/someone/data.csv", "an absolute path"),
        (r"C:\Users\someone", "an absolute path"),
        ("<Figure size 640x480 with 1 Axes>", "a bare figure or artist"),
        ("Text(0.5, 1.0, 'x')", "a bare figure or artist"),
    ],
)
def test_the_rules_see_what_they_are_about(text, what):
    assert VOLATILE[what].search(text)


@pytest.mark.parametrize(
    "text", ["1/2 and/or 3/4", "</div>", "https://x.org/home/y", "0xff"]
)
def test_the_rules_leave_other_text_alone(text):
    assert not any(pattern.search(text) for pattern in VOLATILE.values())


def test_digits_are_counted_from_the_first_that_is_not_zero():
    numbers = NUMBER.findall("0.30000000000000004 0.3333 12.5e-10 v1.2.3")
    assert [significant_digits(number) for number in numbers[:3]] == [17, 4, 3]


@pytest.mark.parametrize("alt", ["a half, 0.51", "1/3 of all", "up to 0.6"])
def test_a_changed_alternative_text_turns_red(alt):
    shows = nbformat.v4.new_output("stream", name="stdout", text="0.4983 1/4")
    cell = nbformat.v4.new_code_cell(outputs=[shows])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    cell.metadata["mystnb"] = {"image": {"alt": "about 0.50, in 2 of 8; 1/4"}}
    test_every_number_of_an_alternative_text_is_in_an_output(notebook)
    cell.metadata["mystnb"]["image"]["alt"] = alt
    with pytest.raises(AssertionError, match="no output says 0"):
        test_every_number_of_an_alternative_text_is_in_an_output(notebook)
