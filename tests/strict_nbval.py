"""A pytest plugin that makes nbval strict: no cell escapes, no output does.

nbval runs a notebook in a fresh kernel and compares what its cells say with
what the file says they said.  On top of that, here

* pictures are compared, with a tolerance for what another processor does:
  drawings element by element (``svg_difference.py``), others by their pixels;
* every MIME type is compared, and the order and the kinds of the outputs;
* a cell cannot opt out by a tag or by a comment, nor by never having run;
* nothing is written to ``stderr``;
* a cell that is selected alone finds the cells before it executed;
* a failure says where, what, by how much, and what to do.

Text is compared exactly: outputs print as many digits as are meant.
"""

import base64
import difflib
import io
import json
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty

import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile
from notebooks import (
    ANSI_COLOUR,
    NotebookError,
    last_line,
    merged_streams,
    parse,
    refusals,
    with_unique_ids,
)
from PIL import Image
from svg_difference import svg_difference

# The same wheels under simulated differences of the processor moved 4 pixels
# of a figure by 13; a curve drawn elsewhere moves hundreds by more than 100.
CHANNEL_TOLERANCE = 24  # of 255
PIXEL_TOLERANCE = 64

# `make execute` uses another seed: what depends on the order of a set differs.
HASH_SEED = "2"

# Where the pictures of a failure go, from the root of the repository.
FAILED_FIGURES = Path("_build", "figures-failed")

# Options of nbval that would compare less than everything, and why not.
REFUSED_OPTIONS = {
    "nbval_lax": "it leaves outputs unchecked",
    "nbval_sanitize_with": "outputs are compared as they are",
    "sanitize_with": "outputs are compared as they are",
    "nbval_kernel_name": "notebooks run in the environment of the tests",
}


# Files whose tests take long. The first builds the site; those after it can
# go on beside it, and the last need it, and would wait.
LONG = (
    "tests/book/test_pages.py",
    "tests/book/test_net.py",
    ".ipynb",
    "tests/book/test_every_page.py",
    "tests/book/test_lab.py",
    "tests/book/test_edition.py",
    "tests/book/test_browser.py",
    "tests/book/test_cards.py",
    "tests/book/test_browser_quiz.py",
    "tests/book/test_browser_checks.py",
)

# Files that share what takes long to make, and so one worker: the banks of
# drills, which each process would generate for itself.
TOGETHER = "tests/study/drills/"


# --- Hooks ----------------------------------------------------------------


def pytest_configure(config):
    for option, reason in REFUSED_OPTIONS.items():
        if config.getoption(option, None):
            flag = option.replace("_", "-")
            raise pytest.UsageError(f"--{flag} is refused here: {reason}")
    # Not a kernel called `python3` that happens to be installed for the user.
    config.option.nbval_current_env = True


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Replace what nbval collects by its strict counterpart."""
    nodes = yield
    return [
        StrictNotebook.from_parent(parent, path=file_path)
        if isinstance(node, IPyNbFile)
        else node
        for node in nodes
    ]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Put first what takes long, so that no worker ends alone with it."""
    tests_in = Counter(item.path for item in items)
    items.sort(key=lambda item: (rank(item), -tests_in[item.path]))


def rank(item):
    """Say how early a test starts: 0 is the first, the last are quick."""
    file = item.path.as_posix()
    early = (place for place, end in enumerate(LONG) if file.endswith(end))
    return next(early, len(LONG))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Send each file to one worker, whatever ``--dist`` says.

    The cells of a notebook share a kernel, and other tests what is made once.
    """
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return shared(super()._split_scope(nodeid))

    config.option.loadscopereorder = False  # they are in order, see above
    return Scheduling(config, log)


def shared(file):
    """Return what one worker runs as a whole: a file, or several together."""
    # Its pages in a browser need few drills, and can go on beside.
    with_pages = file.endswith("/test_page.py")
    together = file.startswith(TOGETHER) and not with_pages
    return TOGETHER if together else file


# --- A notebook and its cells ---------------------------------------------


class StrictNotebook(IPyNbFile):
    """A notebook; nbval starts and stops its kernel, in its folder."""

    def collect(self):
        try:
            text = self.path.read_text(encoding="utf-8")
            self.nb = with_unique_ids(parse(text))
            self.nb.nbformat_minor = 5  # ids are there now
            nbformat.validate(self.nb)
        except (NotebookError, nbformat.ValidationError) as error:
            raise self.CollectError(f"{self.shown}: {error}") from error
        for key in self.nb.metadata:
            if "nbval" in key.lower():
                raise self.CollectError(
                    f"{self.shown}: the notebook's metadata `{key}` would "
                    "change how it is checked: remove it"
                )
        self.code_cells = []
        for cell in self.nb.cells:
            if cell.cell_type == "code":
                number = len(self.code_cells) + 1
                item = StrictCell.from_parent(
                    self,
                    name=f"Cell {number}",
                    cell_num=number,
                    cell=cell,
                    options={},
                )
                self.code_cells.append(item)
                yield item

    def setup(self):
        self.cells_run = 0
        self.broken = None  # why no further cell can run
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONHASHSEED", HASH_SEED)
            super().setup()

    def run_up_to(self, number):
        """Run the cells up to ``number`` that have not run yet."""
        for item in self.code_cells[self.cells_run : number]:
            self.cells_run += 1
            try:
                item.test_outputs = item.execute()
            except CellError as error:
                item.failure = error

    @property
    def shown(self):
        """The path as messages show it: from the root, where it can be."""
        root = self.config.rootpath
        path = self.path
        return path.relative_to(root) if path.is_relative_to(root) else path


class CellError(Exception):
    """What is wrong with a cell; the text is the body of the message."""


class OutputError(CellError):
    """The outputs of this run are not those in the file."""


class StrictCell(IPyNbCell):
    """A code cell; the test is that it says again what the file says."""

    failure = None  # why the cell did not run to its end

    def setup(self):
        pass  # nbval would expect failures after a time-out; here they fail

    def runtest(self):
        refused = refusals(self.cell)
        if self.cell.get("execution_count") is None:
            refused.append("the cell never ran: `make execute` runs it")
        if refused:
            raise CellError("\n".join(refused))
        self.parent.run_up_to(self.cell_num)
        if self.failure:
            raise self.failure
        complain_about_kinds(self.test_outputs)
        label = f"{self.parent.shown.with_suffix('')}-cell-{self.cell_num}"
        report = differences(
            merged_streams(self.cell.outputs),
            self.test_outputs,
            PictureFolder(self.config.rootpath, label.replace("/", "-")),
        )
        if report:
            raise OutputError("\n\n".join(report))

    def execute(self):
        """Run the cell in the notebook's kernel and return its outputs."""
        notebook = self.parent
        if notebook.broken:
            raise CellError(f"not run: {notebook.broken}")
        kernel = notebook.kernel
        limit = self.config.getoption("nbval_cell_timeout")
        deadline = time.monotonic() + limit
        outputs = []
        request = kernel.execute_cell_input(
            self.cell.source, allow_stdin=False
        )
        while True:
            if time.monotonic() > deadline:
                kernel.interrupt()
                notebook.broken = f"cell {self.cell_num} timed out"
                raise CellError(f"the cell ran for more than {limit:g} s")
            try:
                message = kernel.kc.get_iopub_msg(timeout=1)
            except Empty:
                if not kernel.is_alive():
                    notebook.broken = f"cell {self.cell_num} killed the kernel"
                    raise CellError("the kernel died") from None
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            if kind in ("clear_output", "update_display_data"):
                raise CellError(
                    "the cell rewrites what it showed, which a page cannot"
                )
            if kind in ("stream", "display_data", "execute_result", "error"):
                outputs.append(nbformat.v4.output_from_msg(message))
        kernel.await_reply(request, timeout=self.output_timeout)
        return merged_streams(outputs)

    def repr_failure(self, excinfo):
        error = excinfo.value
        if not isinstance(error, CellError):
            return pytest.Item.repr_failure(self, excinfo)
        number, path = self.cell_num, self.parent.shown
        first_line = self.cell.source.strip().split("\n")[0]
        lines = [
            f"{path}, cell {number} (In [{number}], id {self.cell.get('id')})",
            f"    {first_line}",
            "",
            str(error),
        ]
        if isinstance(error, OutputError):
            lines += ["", f"If the change is meant: make execute NB={path}"]
        return "\n".join(lines)

    def reportinfo(self):
        return self.path, 0, self.name


# --- Comparing outputs ----------------------------------------------------


def complain_about_kinds(outputs):
    """Raise if a run ended in an error or wrote to ``stderr``."""
    for output in outputs:
        if output.output_type == "error":
            traceback = ANSI_COLOUR.sub("", "\n".join(output.traceback))
            raise CellError(
                f"the cell raised {last_line(traceback)}\n{traceback}"
            )
        if output.output_type == "stream" and output.name == "stderr":
            raise CellError(
                "the cell wrote to stderr, which no reader should meet:\n"
                + output.text.rstrip()
            )


def kind(output: NotebookNode) -> str:
    """Return what an output is, without what it says.

    Examples
    --------
    >>> kind(nbformat.v4.new_output("stream", name="stdout", text="x"))
    'stream stdout'
    >>> data = {"text/plain": "x", "image/png": "y"}
    >>> kind(nbformat.v4.new_output("display_data", data=data))
    'display_data image/png text/plain'
    """
    if output.output_type == "stream":
        return f"stream {output.name}"
    return " ".join([output.output_type, *sorted(output.get("data", {}))])


def summary(output: NotebookNode) -> str:
    """Return one line on an output: its kind, and how its text begins."""
    data = output.get("data", {})
    text = output.get("text", data.get("text/plain", "")).strip()
    begin = text.split("\n")[0][:50]
    return f"{kind(output)}: {begin}" if begin else kind(output)


def differences(expected: list, actual: list, pictures) -> list[str]:
    """Return how the outputs of a run differ from those of the file.

    Parameters
    ----------
    expected, actual : list of NotebookNode
        Outputs of one cell, streams merged.
    pictures : PictureFolder
        Where to put pictures that differ.

    Returns
    -------
    list of str
        One entry for each difference; empty when there is none.
    """
    if [kind(output) for output in expected] != [kind(o) for o in actual]:
        listing = unified_diff(
            "\n".join(map(summary, expected)) or "(no output)",
            "\n".join(map(summary, actual)) or "(no output)",
        )
        return [f"the outputs differ in number, order or kind\n{listing}"]
    report = []
    pairs = zip(expected, actual, strict=True)
    for number, (old, new) in enumerate(pairs, start=1):
        where = f"output {number} of {len(expected)}"
        old_parts, new_parts = parts(old), parts(new)
        for name, old_part in old_parts.items():
            new_part = new_parts[name]
            if name == "image/png":
                found = png_difference(
                    old_part, new_part, pictures.numbered(number)
                )
            elif name == "image/svg+xml" and old_part != new_part:
                found = svg_report(
                    old_part, new_part, pictures.numbered(number)
                )
            elif old_part != new_part:
                found = f"the text changed\n{unified_diff(old_part, new_part)}"
            else:
                continue
            if found:
                report.append(f"{where}, {name}: {found}")
    return report


def parts(output: NotebookNode) -> dict[str, str]:
    """Return the texts that make up an output, by MIME type or stream name."""
    if output.output_type == "stream":
        return {output.name: output.text}
    texts = {
        mime: value if isinstance(value, str) else readable(value)
        for mime, value in sorted(output.data.items())
    }
    return texts | {"metadata": readable(output.get("metadata", {}))}


def readable(value) -> str:
    """Return JSON data as text, one item a line, keys in order."""
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)


def unified_diff(expected: str, actual: str) -> str:
    """Return a unified diff of two texts that differ.

    Examples
    --------
    >>> print(unified_diff("a", "b"))
    --- in the file
    +++ in this run
    @@ -1 +1 @@
    -a
    +b
    """
    if expected.endswith("\n") and actual.endswith("\n"):
        expected, actual = expected[:-1], actual[:-1]
    old, new = expected.split("\n"), actual.split("\n")
    diff = difflib.unified_diff(
        old, new, "in the file", "in this run", lineterm=""
    )
    return "\n".join(diff)


# --- Comparing pictures ---------------------------------------------------


@dataclass
class PictureFolder:
    """Where the pictures of a failing output are written, and named."""

    root: Path
    label: str

    def numbered(self, number):
        return PictureFolder(self.root, f"{self.label}-output-{number}")

    def save(self, **pictures):
        """Write each picture; return the lines of a message that name them."""
        folder = self.root / FAILED_FIGURES
        folder.mkdir(parents=True, exist_ok=True)
        lines = []
        for role, picture in pictures.items():
            kind = "svg" if isinstance(picture, str) else "png"
            name = f"{self.label}-{role}.{kind}"
            if kind == "svg":
                (folder / name).write_text(picture, encoding="utf-8")
            else:
                picture.save(folder / name)
            lines.append(f"    {role + ':':<12}{FAILED_FIGURES / name}")
        return lines


def decoded(text: str) -> Image.Image:
    """Return the picture that an ``image/png`` output holds."""
    raw = io.BytesIO(base64.b64decode(text))
    return Image.open(raw, formats=["PNG"]).convert("RGBA")


def changed_channels(expected: Image.Image, actual: Image.Image) -> np.ndarray:
    """Return by how much each channel of each pixel differs, 0 to 255."""
    old, new = np.asarray(expected, int), np.asarray(actual, int)
    return np.abs(old - new)


def difference_picture(expected: Image.Image, changes) -> Image.Image:
    """Return the expected picture faded, with every changed pixel red."""
    grey = np.asarray(expected.convert("L"), int)
    faded = np.repeat((255 - (255 - grey) // 4)[..., None], 3, axis=2)
    faded[changes.any(axis=2)] = (214, 39, 40)
    return Image.fromarray(faded.astype(np.uint8))


def svg_report(expected: str, actual: str, pictures) -> str:
    """Return how two SVGs differ beyond tolerance; empty if they do not.

    Parameters
    ----------
    expected, actual : str
    pictures : PictureFolder
        Where to put the two.
    """
    lines = svg_difference(
        expected, actual, partial(png_difference, pictures=pictures)
    )
    if not lines:
        return ""
    saved = pictures.save(expected=expected, actual=actual)
    return "\n".join(["the drawing changed", *lines, *saved])


def png_difference(expected: str, actual: str, pictures) -> str:
    """Return how two PNGs differ beyond tolerance; empty if they do not.

    Parameters
    ----------
    expected, actual : str
        The outputs, in base 64.
    pictures : PictureFolder
        Where to put the two pictures and their difference.
    """
    if expected.strip() == actual.strip():
        return ""
    try:
        old = decoded(expected)
    except (OSError, ValueError):
        return "the file holds no readable picture"
    new = decoded(actual)
    if old.size != new.size:
        sizes = ["{} x {}".format(*picture.size) for picture in (old, new)]
        lines = ["the picture changed its size"]
        lines += [f"    in the file: {sizes[0]}, in this run: {sizes[1]}"]
        return "\n".join(lines + pictures.save(expected=old, actual=new))
    changes = changed_channels(old, new)
    largest = changes.max()
    changed = changes.any(axis=2).sum()
    if largest <= CHANNEL_TOLERANCE and changed <= PIXEL_TOLERANCE:
        return ""
    lines = [
        "the picture changed",
        f"    largest change of a channel: {largest} of 255 "
        f"(at most {CHANNEL_TOLERANCE})",
        f"    pixels changed: {changed} of {old.width * old.height} "
        f"(at most {PIXEL_TOLERANCE})",
    ]
    difference = difference_picture(old, changes)
    lines += pictures.save(expected=old, actual=new, difference=difference)
    return "\n".join(lines)
