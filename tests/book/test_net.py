"""The net holds: whatever changes, the comparison of notebooks turns red.

Each case copies a notebook into a folder of its own, changes one thing, and is
run by the real command with the repository's own configuration.  All cases
share one run, and each reads its own part of the report.  The notebook finds
its library in its folder, so that a case can change the library too.

One notebook is small and made here, with a drawing that costs no plotting
library; the other is the book's first chapter.
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
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import notebooks
import pytest
import yaml
from PIL import Image

ROOT = notebooks.ROOT
CHAPTER = ROOT / "book" / "conditioning" / "events.ipynb"
MACHINERY = ("conftest.py", "pyproject.toml", "tests/strict_nbval.py")

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

IMPORTS, HALF, DRAWING, ORDER = CELLS = [
    "from IPython.display import display\nfrom library import Drawing, half",
    'print(f"half of 3 is {half(3):.4f}")',
    'Drawing("share", colour="navy")',
    'print("before the table")\ndisplay({"heads": 1})',
]


# --- Changes to a notebook ------------------------------------------------


def cell_with(notebook, source):
    (cell,) = [cell for cell in notebook.cells if cell.source == source]
    return cell


def cells_with(notebook, kind):
    """Return the cells whose first output is of the MIME type or stream."""
    return [
        cell
        for cell in notebook.cells
        for output in cell.get("outputs", [])[:1]
        if kind == output.get("name") or kind in output.get("data", {})
    ]


def edit(source, old, new):
    """Return a change of the code of one cell."""

    def change(notebook):
        cell = cell_with(notebook, source)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return change


def wrong_number(notebook):
    stream = cell_with(notebook, HALF).outputs[0]
    assert "1.5000" in stream.text
    stream.text = stream.text.replace("1.5000", "1.5001")


def ignored_wrong_number(notebook):
    wrong_number(notebook)
    cell_with(notebook, HALF).metadata["tags"] = ["nbval-ignore-output"]


def each_way_out(notebook):
    """Hide a wrong number in each of the ways that tools offer."""
    wrong_number(notebook)
    cell = cell_with(notebook, HALF)
    for tag in ("nbval-skip", "raises-exception", "skip-execution"):
        copied = appended_copy(notebook, cell)
        copied.metadata["tags"] = [tag]
    for comment in ("#NBVAL_SKIP", "# NBVAL_IGNORE_OUTPUT"):
        copied = appended_copy(notebook, cell)
        copied.source = f"{comment}\n{HALF}"


def appended_copy(notebook, cell):
    copied = copy.deepcopy(cell)
    copied.id = f"{cell.id}-{len(notebook.cells)}"
    notebook.cells.append(copied)
    return copied


def unwelcome_outputs(notebook):
    """Let cells raise, warn, and show what Python puts in a random order."""
    for source in (
        "half(0) / 0",
        "import warnings; warnings.warn('it is old')",
        "print(*{*'abcdefgh'})",
    ):
        cell = nbformat.v4.new_code_cell(source, execution_count=9)
        notebook.cells.append(cell)


def exempt_notebook(notebook):
    wrong_number(notebook)
    notebook.metadata["nbval"] = {"skip": True}


def never_run(notebook):
    cell = cell_with(notebook, HALF)
    cell.execution_count, cell.outputs = None, []


def blank_cell(notebook):
    blank = nbformat.v4.new_code_cell("\n", execution_count=9)
    notebook.cells.append(blank)


def cleared(notebook):
    cell_with(notebook, HALF).outputs = []


def swapped(notebook):
    cell_with(notebook, ORDER).outputs.reverse()


def deleted_image(notebook):
    del cell_with(notebook, DRAWING).outputs[0].data["image/png"]


def png(picture, **options) -> str:
    file = io.BytesIO()
    picture.save(file, "PNG", **options)
    return base64.b64encode(file.getvalue()).decode()


def picture_of(cell):
    raw = base64.b64decode(cell.outputs[0].data["image/png"])
    return Image.open(io.BytesIO(raw))


def replaced_image(notebook):
    cell = cell_with(notebook, DRAWING)
    white = Image.new("RGB", picture_of(cell).size, "white")
    cell.outputs[0].data["image/png"] = png(white)


def odd_images(notebook):
    """Store a larger picture, no picture, and a picture shown smaller."""
    cell = cell_with(notebook, DRAWING)
    large = picture_of(cell).resize((400, 240))
    no_picture = base64.b64encode(b"no PNG").decode()
    for data in (png(large), no_picture):
        copied = appended_copy(notebook, cell)
        copied.outputs[0].data["image/png"] = data
    copied = appended_copy(notebook, cell)
    copied.outputs[0].metadata["image/png"] = {"width": 20}


def recompressed_image(notebook):
    cell = cell_with(notebook, DRAWING)
    data = cell.outputs[0].data
    before = data["image/png"]
    data["image/png"] = png(picture_of(cell), compress_level=0)
    assert data["image/png"] != before


def cut_stream(notebook):
    cell = cell_with(notebook, HALF)
    (stream,) = cell.outputs
    cell.outputs = [
        nbformat.v4.new_output("stream", name="stdout", text=text)
        for text in (stream.text[:4], stream.text[4:])
    ]


def unchanged(notebook):
    pass


# --- Changes to the first chapter -----------------------------------------


def chapter_outputs(notebook):
    """Change what the chapter's file says, and how its figures are drawn.

    A chapter takes seconds to run, so one copy has four changes, each in a
    cell of its own: a printed number, the label of one figure, the colour of
    another, and the picture of a third.
    """
    another_digit(cells_with(notebook, "stdout")[0].outputs[0])
    figures = cells_with(notebook, "image/png")
    label = next(cell for cell in figures if has_x_label(cell))
    colour, picture = [cell for cell in figures if cell is not label][:2]
    draw_otherwise(label, "axes[0].set_xlabel('another label')")
    draw_otherwise(colour, "set_facecolor('#ddeeff')")
    del picture.outputs[0].data["image/png"]


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
class Case:
    """A changed notebook, and what the report must say about it."""

    change: Callable = unchanged
    says: list = field(default_factory=list)
    library: tuple = ()  # (old, new) in the library's source
    chapter: bool = False

    def prepare(self, folder, notebook):
        """Write the changed notebook, and the library that it imports."""
        self.change(notebook)
        text = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
        (folder / "chapter.ipynb").write_text(text, encoding="utf-8")
        source = folder / "library.py"
        if self.chapter:
            package = folder / "bayesbook"
            shutil.copytree(ROOT / "src" / "bayesbook", package)
            # As the wheel lays it out: the question banks in the package.
            shutil.copytree(ROOT / "book" / "quizzes", package / "quizzes")
            source = package / "events.py"
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
PICTURE = [
    r"output 1 of 1, image/png: the picture changed",
    r"largest change of a channel: \d+ of 255 \(at most 24\)",
    r"pixels changed: \d+ of \d+ \(at most 64\)",
    r"difference: +_build/figures-failed/\S+-difference\.png",
    DIFFERS,
]
HIDDEN = "would keep the cell from being checked"

BROKEN = {
    "changed-number": Case(
        wrong_number,
        [
            r"chapter\.ipynb, cell 3 \(In \[3\], id half\)\n    print\(f",
            r"output 1 of 1, stdout: the text changed",
            r"--- in the file\n\+\+\+ in this run",
            r"-half of 3 is 1\.5001\n\+half of 3 is 1\.5000\n",
            DIFFERS,
        ],
    ),
    "changed-colour": Case(edit(DRAWING, "navy", "crimson"), PICTURE),
    "changed-label": Case(
        edit(DRAWING, "share", "odds"),
        [r"text/plain: the text changed\n", r"\n\+.* x 'odds'\n", *PICTURE],
    ),
    "deleted-image": Case(
        deleted_image,
        [
            r"the outputs differ in number, order or kind",
            r"-execute_result text/plain: Figure",
            r"\+execute_result image/png text/plain: Figure",
        ],
    ),
    "replaced-image": Case(replaced_image, PICTURE),
    "odd-images": Case(
        odd_images,
        [
            r"changed its size\n.*file: 400 x 240, in this run: 200 x 120",
            "the file holds no readable picture",
            r'output 1 of 1, metadata: the text changed[^"]*"image/png"',
        ],
    ),
    "ignore-tag": Case(
        ignored_wrong_number, [rf"the tag `nbval-ignore-output` {HIDDEN}"]
    ),
    "each-way-out": Case(
        each_way_out,
        [
            rf"cell 6 .*\n.*\n\nthe tag `nbval-skip` {HIDDEN}",
            rf"cell 7 .*\n.*\n\nthe tag `raises-exception` {HIDDEN}",
            rf"cell 8 .*\n.*\n\nthe tag `skip-execution` {HIDDEN}",
            rf"cell 9 .*\n.*\n\nthe comment `#NBVAL_SKIP` {HIDDEN}",
            rf"cell 10 .*\n.*\n\nthe comment `# NBVAL_IGNORE.*` {HIDDEN}",
        ],
    ),
    "exempt-notebook": Case(
        exempt_notebook, ["the notebook's metadata `nbval` would change"]
    ),
    "never-run": Case(never_run, ["the cell never ran: `make execute` runs"]),
    "blank-cell": Case(blank_cell, ["the code cell is blank: remove it"]),
    "cleared-output": Case(
        cleared,
        [r"-\(no output\)\n\+stream stdout: half of 3 is 1\.5000"],
    ),
    "swapped-outputs": Case(
        swapped,
        [
            r"the outputs differ in number, order or kind",
            r"\+stream stdout: before.*\n display_data.*\n-stream stdout: bef",
        ],
    ),
    "changed-function": Case(
        library=("x / 2", "x / 3"),
        says=[r"-half of 3 is 1\.5000\n\+half of 3 is 1\.0000\n", DIFFERS],
    ),
    "unwelcome-outputs": Case(
        unwelcome_outputs,
        [
            "cell 6 .*\n.*\n\nthe cell raised ZeroDivisionError: ",
            r"cell 7 .*\n.*\n\nthe cell wrote to stderr.*:\n.*: it is old",
            r"cell 8 .*\n.*\n\n.*order or kind\n[^w]*\(no output\)\n\+stream",
        ],
    ),
    "dead-kernel": Case(
        edit(HALF, "print", "import os; os._exit(1); print"),
        ["the kernel died", "not run: cell 3 killed the kernel"],
    ),
    "chapter-outputs": Case(
        chapter_outputs,
        [
            r"stdout: the text changed\n",
            *PICTURE,
            r"text/plain: the text changed\n[^$]*\n\+.*another label",
            r"the outputs differ in number, order or kind\n"
            r"[^$]*\n\+execute_result image/png text/plain",
        ],
        chapter=True,
    ),
    # P(A | B) for P(B | A): the fallacy that the chapter warns of.
    "chapter-function": Case(
        library=("/ self._positive(given)", "/ self._positive(event)"),
        says=["the text changed|the cell raised"],
        chapter=True,
    ),
}

HARMLESS = {
    "as-it-is": Case(),
    "recompressed-image": Case(recompressed_image),
    "noise": Case(library=("x / 2", "x / 2 + 1e-12")),
    "cut-stream": Case(cut_stream),
    "chapter-as-it-is": Case(chapter=True),
}


# --- One run for all ------------------------------------------------------


def small_notebook():
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_code_cell(source, id=name)
        for name, source in zip(
            ("imports", "half", "drawing", "order"), CELLS, strict=True
        )
    ]
    return notebook


def run_pytest(folder, *arguments):
    """Run the command that a reader would type, outside of this run."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTEST_")
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=folder,
        env=inherited,
        capture_output=True,
        text=True,
    )


def failures_by_case(report: Path) -> dict[str, str]:
    """Return what a JUnit report says about each case: empty if it passed."""
    messages = dict.fromkeys(BROKEN | HARMLESS)
    for test in ElementTree.parse(report).iter("testcase"):
        address = f"{test.get('classname')}.{test.get('name')}"
        case = re.search(r"book\.([a-z-]+)\.chapter", address)[1]
        texts = [found.text for found in test if found.text]
        messages[case] = "\n".join([messages[case] or "", *texts]).strip()
    return messages


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
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    made = small_copy / "book" / "chapter.ipynb"
    (made.parent / "library.py").write_text(LIBRARY)
    made.write_text(notebooks.serialise(small_notebook()))
    notebooks.run(made, config)
    executed = {
        chapter: path.read_text(encoding="utf-8")
        for chapter, path in ((False, made), (True, CHAPTER))
    }
    made.unlink()
    for name, case in (BROKEN | HARMLESS).items():
        folder = made.parent / name
        folder.mkdir()
        case.prepare(folder, notebooks.parse(executed[case.chapter]))
    run = run_pytest(
        small_copy,
        "--continue-on-collection-errors",
        "--junitxml=report.xml",
        "--numprocesses=2",
        *(f"book/{name}/chapter.ipynb" for name in BROKEN | HARMLESS),
    )
    assert run.returncode == 1, run.stdout + run.stderr
    return failures_by_case(small_copy / "report.xml")


@pytest.mark.parametrize("name", BROKEN)
def test_a_change_turns_red_and_says_why(name, messages):
    assert messages[name], f"{name} passed, or was not collected"
    for pattern in BROKEN[name].says:
        assert re.search(pattern, messages[name]), messages[name]


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_change_stays_green(name, messages):
    assert messages[name] is not None, f"{name} was not collected"
    assert messages[name] == ""


def test_only_the_changed_cell_is_named(messages):
    named = re.findall(r"ipynb, cell (\d+) \(In", messages["changed-number"])
    assert named == ["3"]


def test_the_pictures_are_there_to_be_looked_at(messages, small_copy):
    names = re.findall(r"_build/\S+\.png", messages["changed-colour"])
    roles = [name.rsplit("-", 1)[1] for name in names]
    assert roles == ["expected.png", "actual.png", "difference.png"]
    for name in names:
        with Image.open(small_copy / name) as picture:
            assert picture.size == (200, 120)


def test_comparing_less_is_refused(small_copy):
    run = run_pytest(small_copy, "--nbval-lax", "book/noise/chapter.ipynb")
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--nbval-lax is refused here: it leaves outputs" in run.stderr
