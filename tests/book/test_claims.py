"""A check cell prints the numbers of the text above it."""

import symtable
from copy import deepcopy

import nbformat
import notebooks
import pytest
import yaml
from claims import PROVED, is_check, problems, texts, untrue

from bayesbook.study.quiz.numerals import numbers_told

ROOT = notebooks.ROOT
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
ALL = notebooks.toc_notebooks(TOC)

# These cells run pip, which is not Python, and have no names of chapters.
INSTALL = {"colab-setup", "dask-setup"}


def read(path):
    return notebooks.parse(path.read_text("utf-8"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_text_tells_what_its_check_cell_prints(path):
    found = [
        problem
        for cell, check in texts(read(path))
        if check is not None or path.stem in PROVED
        for problem in problems(cell, check)
    ]
    assert found == []


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_check_cell_is_below_a_text(path):
    notebook = read(path)
    checks = [cell.id for cell in notebook.cells if is_check(cell)]
    assert checks == [check.id for _, check in texts(notebook) if check]


def names(code):
    """Return the names that a cell binds, and those that it only reads."""
    cell = symtable.symtable(code, "cell", "exec")
    scopes = [cell]
    for scope in scopes:
        scopes += scope.get_children()
    bound = {
        name.get_name()
        for name in cell.get_symbols()
        if name.is_assigned() or name.is_imported()
    }
    read = {
        name.get_name()
        for scope in scopes
        for name in scope.get_symbols()
        if name.is_referenced() and (scope is cell or name.is_global())
    }
    return bound, read - bound


def lent(notebook):
    """Return what cells of the page read that a check cell has bound."""
    found, theirs = set(), set()
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.id not in INSTALL:
            bound, read = names(cell.source)
            if is_check(cell):
                theirs |= bound
            else:
                found |= read & theirs
                theirs -= bound
    return found


def test_on_binder_no_chapter_has_check_cells(tmp_path):
    for path in ALL:
        copied = tmp_path / path.name
        copied.write_text(path.read_text("utf-8"), "utf-8")
        assert notebooks.main(["--strip", str(copied)]) == 0
        before, after = read(path).cells, read(copied).cells
        before = [cell for cell in before if not is_check(cell)]
        for cell in [*before, *after]:
            cell.execution_count = None
            for output in cell.get("outputs", []):
                output.pop("execution_count", None)
        assert after == before
    assert "notebooks.py --strip --all\n" in (ROOT / "postBuild").read_text()


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_chapter_runs_without_its_check_cells(path):
    assert lent(read(path)) == set()


# --- A planted difference is seen -------------------------------------------

TEXT = r"Of 36 pairs 5 have the sum 8: $\frac{5}{36} \approx 14\,\%$."
SOURCE = """
pairs = list(product(range(1, 7), repeat=2))
total = 8
found = [pair for pair in pairs if sum(pair) == total]
p = F(len(found), len(pairs))
print(len(pairs), len(found), total, p, p)
"""
PRINTED = "36 5 8 5/36 5/36\n"


def cells(text=TEXT, source=SOURCE, output=PRINTED):
    stream = nbformat.v4.new_output("stream", text=output)
    check = nbformat.v4.new_code_cell(
        source,
        id="check-sum",
        metadata={"tags": ["remove-cell"]},
        outputs=[stream],
    )
    return nbformat.v4.new_markdown_cell(text, id="sum"), check


def test_a_text_that_tells_its_numbers_passes():
    assert problems(*cells()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [("36 ", "63 "), ("5 have", "6 have"), ("8:", "9:"), ("14", "15")],
)
def test_another_digit_is_seen(old, new):
    [problem] = problems(*cells(text=TEXT.replace(old, new, 1)))
    assert "check-sum" in problem


def test_a_value_between_two_numbers_is_seen():
    halfway = PRINTED.replace("5/36\n", "0.145\n")
    for told in ("14", "15"):
        [problem] = problems(*cells(TEXT.replace("14", told), output=halfway))
        assert (
            problem == f"check-sum: {told}\\,\\%, print more digits of 0.145"
        )


def test_numbers_in_another_order_are_seen():
    text = TEXT.replace("36 pairs 5", "5 pairs 36")
    assert len(problems(*cells(text=text))) == 2


@pytest.mark.parametrize("output", ["", "36 5 8 5/36\n", f"{PRINTED}1\n"])
def test_a_number_too_few_or_too_many_is_seen(output):
    [problem] = problems(*cells(output=output))
    assert "but printed is" in problem


@pytest.mark.parametrize("written", ["36", "F(36)", "12 * 3", "many"])
def test_a_number_that_is_only_written_down_is_seen(written):
    source = SOURCE.replace("print(len(pairs),", f"print({written},")
    [problem] = problems(*cells(source=f"few, many = 6, 36\n{source}"))
    assert problem == f"check-sum: derive {written}"


def test_a_text_without_a_check_cell_is_seen():
    [problem] = problems(cells()[0], None)
    assert problem == "sum: no cell computes 36 5 8 5/36 14\\,\\%"


FORMULAS = "From $X_1$ and $X_2$ to $X_4$: $$ (n - 2) k^2 . $$ So $k^2$."
SAID = "$X_2$\n$X_4$\n$$ (n - 2) k^2 . $$ n=5 k=3 27\n$k^2$ k=3 9\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [("X_2", "X_3"), ("X_4", "X_3"), ("2) k", "3) k"), ("$k^2", "$k^3")],
)
def test_a_digit_of_a_formula_is_bound(old, new):
    source = "print(a, b, c, d)"
    assert problems(*cells(FORMULAS, source, SAID)) == []
    changed = FORMULAS.replace(old, new)
    assert len(problems(*cells(changed, source, SAID))) == 1


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (r"$k - 1 \le n$ k=3 n=2 2", []),
        (r"$k - 0 \le n$ k=3 n=2 2", ["k - 0 \\le n does not hold"]),
        (r"$\sum w = \sum w^2 + 1$ \sum~w=4 \sum~w^2=3 4", []),
    ],
)
def test_every_side_of_a_formula_is_evaluated(said, problem):
    text, check = cells(said[: said.rindex("$") + 1], output=said)
    assert [*untrue(text.source, check)] == problem


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('print("$k^2$", f"k={k}", n)', []),
        ('print(f"$X_{n}$")', []),
        ('print("$X_3$")', ["check-sum: derive '$X_3$'"]),
    ],
)
def test_a_formula_alone_is_not_derived(source, found):
    assert problems(*cells("None", source, "")) == found


def test_code_but_no_text_may_stand_between_a_text_and_its_check_cell():
    text, check = cells()
    code = nbformat.v4.new_code_cell("1", id="code")
    other = nbformat.v4.new_markdown_cell("## No number", id="other")
    notebook = nbformat.v4.new_notebook(cells=[text, code, check])
    assert [*texts(notebook)] == [(text, check)]
    notebook.cells.insert(2, other)
    assert [*texts(notebook)] == [(text, None), (other, check)]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("total + 1", {"total"}),
        ("def f(x):\n    return total * x", {"total"}),
        ("total = 3\ntotal + 1", set()),
        ("def f(total):\n    return total", set()),
    ],
)
def test_a_cell_that_needs_a_check_cell_is_seen(code, found):
    after = nbformat.v4.new_code_cell(code, id="after")
    assert lent(nbformat.v4.new_notebook(cells=[*cells(), after])) == found


def test_a_caption_and_an_alternative_text_are_texts():
    notebook = nbformat.v4.new_notebook(cells=[*deepcopy(cells())])
    notebook.cells[0] = nbformat.v4.new_code_cell(
        "fig",
        metadata={
            "mystnb": {
                "figure": {"caption": "Of 36 pairs 5 have the sum 8."},
                "image": {"alt": "5/36 or 0.14 of them."},
            }
        },
    )
    [(cell, check)] = texts(notebook)
    assert problems(cell, check) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1. first\n2. second: 3", ["3"]),
        (":::{figure} 5.png\n:width: 80\n:::\n(sec-2)=\n7", ["7"]),
        (r"Section 4.7 of it; $3 \\[-0.6em] = 3$", ["3", "3"]),
        ("{numref}`fig-3`, `x = 4`, [five](6.html) and 7", ["7"]),
        ("$x_1 + 2x^3 = 4$ and $2 + 2 = 4$", ["4", "2", "2", "4"]),
        (r"$k = 1, 2$, $P(y = 0)$, $\sum_{i=1}^n i$", ["1", "2", "0"]),
        (r"$\mathbb{P}[A] = \frac{1}{6}$, $n = 13$", ["1/6", "13"]),
        (r"$$\begin{aligned}3 &= 4 - 1\end{aligned}$$", ["3", "4", "1"]),
        (r"$\tfrac16 + \tfrac1{36}$, \$5", ["1/6", "1/36", "5"]),
    ],
)
def test_what_counts_as_a_number_of_a_text(text, numbers):
    assert [number.written for number in numbers_told(text)] == numbers
