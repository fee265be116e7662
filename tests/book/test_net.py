"""The net holds: whatever changes, the comparison of notebooks turns red.

Each case changes one thing in a notebook, which is then run by the real
command with the repository's own configuration; each reads its own part of
the one report.  A change of a cell is made in a copy of that cell, and all
these copies are one notebook: what does not start a kernel of its own costs
little.  Changes of the notebook, or of the library that it imports, have
folders of their own, with the library in it.

The notebook is small and made here, with a drawing that costs no plotting
library; a few changes are made to the book's first chapter as well.
"""

import base64
import copy
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import notebooks
import pytest
import yaml
from PIL import Image

pytestmark = pytest.mark.heavy

ROOT = notebooks.ROOT
CHAPTER = ROOT / "book" / "conditioning" / "events.ipynb"
MACHINERY = (
    "conftest.py",
    "pyproject.toml",
    "tests/quick_start.py",
    "tests/strict_nbval.py",
    "tests/svg_difference.py",
)

LIBRARY = """
import io

from PIL import Image, ImageDraw


def half(x):
    return x / 2


class Drawing:
    def __init__(self, label, colour):
        self.label, self.colour = label, colour

    def _repr_mimebundle_(self, include=None, exclude=None):
        picture = Image.new("RGB", (200, 120), "white")
        pen = ImageDraw.Draw(picture)
        pen.line([(20, 90), (100, 40), (180, 30)], self.colour, width=2)
        pen.text((20, 100), self.label, "black")
        file = io.BytesIO()
        picture.save(file, "PNG")
        text = f"Figure: a line that rises through 3 points, x {self.label!r}"
        return {"image/png": file.getvalue(), "text/plain": text}
"""

IMPORTS = (
    "from IPython.display import display\nfrom library import Drawing, half"
)
CELLS = {
    "half": 'print(f"half of 3 is {half(3):.4f}")',
    "drawing": 'Drawing("share", colour="navy")',
    "order": 'print("before the table")\ndisplay({"heads": 1})',
    # The tests run with another seed than `make execute`.
    "random": "print(*{*'abcdefgh'})",
}


# --- Changes to a cell ------------------------------------------------------


def unchanged(cell):
    pass


def edited(old, new):
    """Return a change of the code of a cell."""

    def change(cell):
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return change


def with_code(source):
    def change(cell):
        cell.source, cell.outputs = source, []

    return change


def wrong_number(cell):
    (stream,) = cell.outputs
    assert "1.5000" in stream.text
    stream.text = stream.text.replace("1.5000", "1.5001")


def tagged(tag):
    """Return a change that hides a wrong number by a tag."""

    def change(cell):
        wrong_number(cell)
        cell.metadata["tags"] = [tag]

    return change


def commented(comment):
    """Return a change that hides a wrong number by a comment."""

    def change(cell):
        wrong_number(cell)
        cell.source = f"{comment}\n{cell.source}"

    return change


def never_run(cell):
    cell.execution_count, cell.outputs = None, []


def cleared(cell):
    cell.outputs = []


def swapped(cell):
    cell.outputs.reverse()


def cut_stream(cell):
    (stream,) = cell.outputs
    cell.outputs = [
        nbformat.v4.new_output("stream", name="stdout", text=text)
        for text in (stream.text[:4], stream.text[4:])
    ]


def png(picture, **options) -> str:
    file = io.BytesIO()
    picture.save(file, "PNG", **options)
    return base64.b64encode(file.getvalue()).decode()


def picture_of(cell):
    raw = base64.b64decode(cell.outputs[0].data["image/png"])
    return Image.open(io.BytesIO(raw))


def deleted_image(cell):
    data = cell.outputs[0].data
    del data[next(name for name in data if name.startswith("image/"))]


def replaced_image(cell):
    white = Image.new("RGB", picture_of(cell).size, "white")
    cell.outputs[0].data["image/png"] = png(white)


def larger_image(cell):
    cell.outputs[0].data["image/png"] = png(
        picture_of(cell).resize((400, 240))
    )


def no_image(cell):
    no_picture = base64.b64encode(b"no PNG").decode()
    cell.outputs[0].data["image/png"] = no_picture


def shrunk_image(cell):
    cell.outputs[0].metadata["image/png"] = {"width": 20}


def recompressed_image(cell):
    data = cell.outputs[0].data
    before = data["image/png"]
    data["image/png"] = png(picture_of(cell), compress_level=0)
    assert data["image/png"] != before


# --- Changes to a notebook --------------------------------------------------


def as_it_is(notebook):
    pass


def exempt(notebook):
    notebook.metadata["nbval"] = {"skip": True}


def deadly(notebook):
    cell = next(cell for cell in notebook.cells if cell.id == "half")
    cell.source = "import os; os._exit(1)"


def changed_chapter(notebook):
    """Change what the chapter's file says, and how its figures are drawn.

    A chapter takes seconds to run, so one copy has four changes, each in a
    cell of its own: a printed number, the label of one figure, the colour of
    another, and the picture of a third.
    """
    another_digit(cells_with(notebook, "stdout")[0].outputs[0])
    figures = cells_with(notebook, "image/svg+xml")
    label, colour = [cell for cell in figures if has_x_label(cell)][:2]
    picture = next(cell for cell in figures if not has_x_label(cell))
    draw_otherwise(label, "axes[0].set_xlabel('another label')")
    draw_otherwise(colour, "axes[0].tick_params(colors='red')")
    deleted_image(picture)


def cells_with(notebook, kind):
    """Return the cells whose first output is of the MIME type or stream."""
    return [
        cell
        for cell in notebook.cells
        for output in cell.get("outputs", [])[:1]
        if kind == output.get("name") or kind in output.get("data", {})
    ]


def has_x_label(cell):
    return '\n  x "' in cell.outputs[0].data["text/plain"]


def another_digit(stream):
    changed = re.sub(
        r"\d",
        lambda digit: str((int(digit[0]) + 1) % 10),
        stream.text,
        count=1,
    )
    assert changed != stream.text, "the output has no number"
    stream.text = changed


def draw_otherwise(cell, statement):
    """Let a cell whose last line is a figure change the figure before."""
    *before, figure = cell.source.rstrip().split("\n")
    assert figure.isidentifier(), "the figure is the cell's last line"
    cell.source = "\n".join([*before, f"{figure}.{statement}", figure])


# --- The cases ------------------------------------------------------------


@dataclass
class Change:
    """A changed copy of a cell, and what the report must say about it."""

    cell: str
    change: Callable = unchanged
    says: tuple = ()  # nothing: the change is harmless

    def made_in(self, notebook, name):
        """Return the changed copy, with this name."""
        cell = next(cell for cell in notebook.cells if cell.id == self.cell)
        copied = copy.deepcopy(cell)
        copied.id = name
        self.change(copied)
        return copied


@dataclass
class Case:
    """A changed notebook, and what the report must say about it."""

    change: Callable = as_it_is
    says: tuple = ()
    library: tuple = ()  # (old, new) in the library's source
    chapter: bool = False

    def prepare(self, folder, notebook):
        """Write the changed notebook, and the library that it imports."""
        self.change(notebook)
        write(folder, notebook)
        source = folder / "library.py"
        if self.chapter:
            package = folder / "bayesbook"
            shutil.copytree(ROOT / "src" / "bayesbook", package)
            # As the wheel lays it out: the question banks in the package.
            quizzes = package / "study" / "quizzes"
            shutil.copytree(ROOT / "book" / "quizzes", quizzes)
            source = package / "probability" / "events.py"
        else:
            source.write_text(LIBRARY)
        if self.library:
            old, new = self.library
            code = source.read_text(encoding="utf-8")
            assert code.count(old) == 1, (
                f"{old!r} is not in {source.name} once"
            )
            source.write_text(code.replace(old, new), encoding="utf-8")


DIFFERS = "If the change is meant: make execute NB=book/"
PICTURE = (
    r"output 1 of 1, image/png: the picture changed",
    r"largest change of a channel: \d+ of 255 \(at most 24\)",
    r"pixels changed: \d+ of \d+ \(at most 64\)",
    r"difference: +_build/figures-failed/\S+-difference\.png",
    DIFFERS,
)
DRAWING = (
    r"output 1 of 1, image/svg\+xml: the drawing changed",
    r"\n\+panel 1: .* fill=#ff0000",
    r"\n\+panel 1: .*'another label'",
    r"actual: +_build/figures-failed/\S+-actual\.svg",
    DIFFERS,
)
HIDDEN = "would keep the cell from being checked"
KINDS = r"the outputs differ in number, order or kind"

CHANGES = {
    "changed-number": Change(
        "half",
        wrong_number,
        (
            r"cell 3 \(In \[3\], id changed-number\)\n    print\(f",
            r"output 1 of 1, stdout: the text changed",
            r"--- in the file\n\+\+\+ in this run",
            r"-half of 3 is 1\.5001\n\+half of 3 is 1\.5000\n",
            DIFFERS,
        ),
    ),
    "unchanged": Change("half"),
    "changed-colour": Change("drawing", edited("navy", "crimson"), PICTURE),
    "changed-label": Change(
        "drawing",
        edited("share", "odds"),
        (r"text/plain: the text changed\n", r"\n\+.* x 'odds'\n", *PICTURE),
    ),
    "deleted-image": Change(
        "drawing",
        deleted_image,
        (
            KINDS,
            r"-execute_result text/plain: Figure",
            r"\+execute_result image/png text/plain: Figure",
        ),
    ),
    "replaced-image": Change("drawing", replaced_image, PICTURE),
    "larger-image": Change(
        "drawing",
        larger_image,
        (r"changed its size\n.*file: 400 x 240, in this run: 200 x 120",),
    ),
    "no-image": Change(
        "drawing", no_image, ("the file holds no readable picture",)
    ),
    "shrunk-image": Change(
        "drawing",
        shrunk_image,
        (r'output 1 of 1, metadata: the text changed[^"]*"image/png"',),
    ),
    "recompressed-image": Change("drawing", recompressed_image),
    **{
        tag: Change("half", tagged(tag), (f"the tag `{tag}` {HIDDEN}",))
        for tag in (
            *("nbval-ignore-output", "nbval-skip"),
            *("raises-exception", "skip-execution"),
        )
    },
    **{
        f"comment-{number}": Change(
            "half", commented(comment), (f"the comment `{comment}` {HIDDEN}",)
        )
        for number, comment in enumerate(
            ("#NBVAL_SKIP", "# NBVAL_IGNORE_OUTPUT")
        )
    },
    "never-run": Change(
        "half", never_run, ("the cell never ran: `make execute` runs",)
    ),
    "blank": Change(
        "half", with_code("\n"), ("the code cell is blank: remove it",)
    ),
    "cleared-output": Change(
        "half",
        cleared,
        (r"-\(no output\)\n\+stream stdout: half of 3 is 1\.5000",),
    ),
    "swapped-outputs": Change(
        "order",
        swapped,
        (
            KINDS,
            r"\+stream stdout: before.*\n display_data.*\n-stream stdout: bef",
        ),
    ),
    "cut-stream": Change("half", cut_stream),
    "error": Change(
        "half",
        with_code("half(0) / 0"),
        ("the cell raised ZeroDivisionError: ",),
    ),
    "warning": Change(
        "half",
        with_code("import warnings; warnings.warn('it is old')"),
        (r"the cell wrote to stderr.*:\n.*: it is old",),
    ),
    "random-order": Change(
        "random",
        says=(r"stdout: the text changed\n[^@]*@@ .*\n-[a-h ]{15}\n\+",),
    ),
    "unchanged-after-all": Change("drawing"),
}

CASES = {
    "exempt-notebook": Case(
        exempt, ("the notebook's metadata `nbval` would change",)
    ),
    "dead-kernel": Case(
        deadly, ("the kernel died", "not run: cell 3 killed the kernel")
    ),
    "changed-function": Case(
        library=("x / 2", "x / 3"),
        says=(r"-half of 3 is 1\.5000\n\+half of 3 is 1\.0000\n", DIFFERS),
    ),
    "noise": Case(library=("x / 2", "x / 2 + 1e-12")),
    "chapter-outputs": Case(
        changed_chapter,
        (
            r"stdout: the text changed\n",
            *DRAWING,
            r"text/plain: the text changed\n[^$]*\n\+.*another label",
            KINDS + r"\n[^$]*\n\+execute_result image/svg\+xml text/plain",
        ),
        chapter=True,
    ),
    # P(A | B) for P(B | A): the fallacy that the chapter warns of.
    "chapter-function": Case(
        library=("/ self._positive(known)", "/ self._positive(members)"),
        says=("the text changed|the cell raised",),
        chapter=True,
    ),
}
EVERY = CHANGES | CASES
FIRST = 3  # number of the first changed cell, after set-up and imports


# --- One run for all ------------------------------------------------------


def write(folder, notebook):
    text = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
    (folder / "chapter.ipynb").write_text(text, encoding="utf-8")


def small_notebook(folder):
    """Make a notebook in a folder, with its library, and run it."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_code_cell(source, id=name)
        for name, source in {"imports": IMPORTS, **CELLS}.items()
    ]
    (folder / "library.py").write_text(LIBRARY)
    path = folder / "chapter.ipynb"
    path.write_text(notebooks.serialise(notebook))
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    notebooks.run(path, config)
    return notebooks.parse(path.read_text("utf-8"))


def run_pytest(folder, *arguments):
    """Run the command that a reader would type, outside of this run."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "PYTHONPATH"))
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=folder,
        env=inherited,
        capture_output=True,
        text=True,
    )


def messages_by_cell(report: Path) -> dict[tuple[str, str], str]:
    """Return what a JUnit report says of each cell: empty if it passed.

    The keys are the name of the folder and the name of the test.
    """
    found = {}
    for test in ElementTree.parse(report).iter("testcase"):
        address = f"{test.get('classname')}.{test.get('name')}"
        folder = re.search(r"book\.([a-z-]+)\.chapter", address)[1]
        texts = [part.text for part in test if part.text]
        found[folder, test.get("name")] = "\n".join(texts)
    return found


@pytest.fixture(scope="module")
def small_copy(tmp_path_factory):
    """A copy of the repository's configuration, with room for notebooks."""
    root = tmp_path_factory.mktemp("repository")
    for name in MACHINERY:
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "src").mkdir()
    shutil.copytree(ROOT / "book" / "_ext", root / "book" / "_ext")
    return root


@pytest.fixture(scope="module")
def messages(small_copy):
    """What the one run of all cases reports, by case."""
    book = small_copy / "book"
    for name in ("cells", *CASES):
        (book / name).mkdir()
    small = small_notebook(book / "cells")
    changed = copy.deepcopy(small)
    changed.cells[-len(CELLS) :] = [
        change.made_in(small, name) for name, change in CHANGES.items()
    ]
    write(book / "cells", changed)
    small.cells = [cell for cell in small.cells if cell.id != "random"]
    chapter = CHAPTER.read_text(encoding="utf-8")
    for name, case in CASES.items():
        notebook = notebooks.parse(chapter) if case.chapter else small
        case.prepare(book / name, copy.deepcopy(notebook))
    run = run_pytest(
        small_copy,
        "--continue-on-collection-errors",
        "--junitxml=report.xml",
        *(f"book/{name}/chapter.ipynb" for name in ("cells", *CASES)),
    )
    assert run.returncode == 1, run.stdout + run.stderr
    by_cell = messages_by_cell(small_copy / "report.xml")
    found = {
        name: by_cell.get(("cells", f"Cell {number}"))
        for number, name in enumerate(CHANGES, start=FIRST)
    }
    for name in CASES:
        texts = [text for (case, _), text in by_cell.items() if case == name]
        found[name] = "\n".join(texts).strip() if texts else None
    return found


@pytest.mark.parametrize("name", [n for n, case in EVERY.items() if case.says])
def test_a_change_turns_red_and_says_why(name, messages):
    assert messages[name], f"{name} passed, or was not collected"
    for pattern in EVERY[name].says:
        assert re.search(pattern, messages[name]), messages[name]


@pytest.mark.parametrize(
    "name", [n for n, case in EVERY.items() if not case.says]
)
def test_a_harmless_change_stays_green(name, messages):
    assert messages[name] is not None, f"{name} was not collected"
    assert messages[name] == ""


def test_only_the_changed_cells_of_a_chapter_are_named(messages):
    before = notebooks.parse(CHAPTER.read_text(encoding="utf-8"))
    after = copy.deepcopy(before)
    changed_chapter(after)
    changed = [
        cell.id
        for cell, other in zip(after.cells, before.cells, strict=True)
        if cell != other
    ]
    named = re.findall(
        r"ipynb, cell \d+ \(In \[\d+\], id (.*)\)",
        messages["chapter-outputs"],
    )
    assert len(changed) == 4
    assert named == changed


def test_the_pictures_are_there_to_be_looked_at(messages, small_copy):
    names = re.findall(r"_build/\S+\.png", messages["changed-colour"])
    roles = [name.rsplit("-", 1)[1] for name in names]
    assert roles == ["expected.png", "actual.png", "difference.png"]
    for name in names:
        with Image.open(small_copy / name) as picture:
            assert picture.size == (200, 120)


def test_cells_in_another_order_say_the_same(messages, small_copy):
    notebook = "book/dead-kernel/chapter.ipynb"
    run = run_pytest(
        small_copy, f"{notebook}::Cell 4", f"{notebook}::Cell 3", "-n0"
    )
    assert "not run: cell 3 killed the kernel" in run.stdout
    assert "the kernel died" in run.stdout
    assert "2 failed" in run.stdout


def test_comparing_less_is_refused(small_copy):
    run = run_pytest(small_copy, "--nbval-lax", "book/noise/chapter.ipynb")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--nbval-lax is refused here: it leaves outputs" in run.stderr
