"""Run the book's notebooks and write them in canonical form.

    python book/_ext/notebooks.py [--all] [--check | --strip] [NOTEBOOK ...]

A notebook is committed executed, and in one canonical form, so that a
difference in version control is always a difference in content.  Nobody edits
an output by hand: this command makes them, and ``pytest`` proves them.

Without names it takes the notebooks that differ from the last commit, with
``--all`` those of ``_toc.yml``.  ``--check`` runs nothing and changes nothing;
it names the notebooks that are not in canonical form.  ``--strip`` runs
nothing either, and takes the check cells out, which compare the numbers of the
text with the code: who opens a chapter on Binder need not meet them.

The canonical form:

* execution counts 1..n, because every code cell ran once, from top to bottom;
* a cell keeps its id; a missing or repeated id is made from the content;
* no metadata but those that the book needs; cells folded as on the page;
* neighbouring pieces of one stream are one output; nothing on ``stderr``;
* a PNG without its text chunks, which name the program that wrote it;
* the cell ``colab-setup`` as generated from ``_config.yml``;
* JSON with sorted keys, indented by one space, in UTF-8, with a final newline.

One file because running, writing and comparing share the one canonical form.
"""

import argparse
import base64
import copy
import difflib
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode
from nbformat.v4.rwbase import rejoin_lines

ROOT = Path(__file__).resolve().parents[2]

KERNELSPEC = {
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
    "name": "python3",
}
CELL_TIMEOUT = 120  # seconds; the tests allow a cell as much

# The tests run with another seed: an output that depends on the order of a
# set, which Python randomises, turns red, at the latest when the set is large.
HASH_SEED = "1"

# The metadata of a cell that the book needs. Editors and runners leave others:
# times, names of people, what was folded last.
KEPT = {"tags", "mystnb"}
# What a page folds or leaves out, JupyterLab folds too.
FOLDED = {
    "hide-input": {"source_hidden"},
    "remove-input": {"source_hidden"},
    "hide-output": {"outputs_hidden"},
    "remove-output": {"outputs_hidden"},
    "hide-cell": {"source_hidden", "outputs_hidden"},
    "remove-cell": {"source_hidden", "outputs_hidden"},
}

# Chunks of a PNG that hold words or times, not pixels.
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_TEXT_CHUNKS = {b"tEXt", b"zTXt", b"iTXt", b"tIME"}

ANSI_COLOUR = re.compile(r"\x1b\[[\d;]*m")

# Marks with which nbval, nbclient and others leave a cell unrun or unchecked.
OPT_OUT_TAG = re.compile(
    r"nbval|pytest[-_]validate|raises-exception|skip-execution", re.IGNORECASE
)
OPT_OUT_COMMENT = re.compile(
    r"^\s*#.*\b(?:nbval[-_]\w+|pytest[-_]validate[-_]\w+)",
    re.IGNORECASE | re.MULTILINE,
)


class NotebookError(Exception):
    """A notebook that cannot be read, run or accepted, and why."""


# --- The book's list of chapters ------------------------------------------


def toc_files(toc: dict) -> Iterator[str]:
    """Yield the pages of a parsed ``_toc.yml``, in reading order.

    Examples
    --------
    >>> chapters = [{"file": "a", "sections": [{"file": "b"}]}, {"file": "c"}]
    >>> list(toc_files({"root": "index", "parts": [{"chapters": chapters}]}))
    ['index', 'a', 'b', 'c']
    """
    for key in ("root", "file"):
        if key in toc:
            yield toc[key]
    for key in ("parts", "chapters", "sections"):
        for entry in toc.get(key, []):
            yield from toc_files(entry)


def toc_notebooks(toc: dict, root: Path = ROOT) -> list[Path]:
    """Return the notebooks of a parsed ``_toc.yml``, in reading order."""
    pages = (root / f"{page}.ipynb" for page in toc_files(toc))
    return [path for path in pages if path.exists()]


def changed_notebooks(root: Path = ROOT) -> list[Path]:
    """Return the notebooks under ``book/`` that git calls new or changed."""
    command = "git status --porcelain -z --no-renames -uall -- book"
    try:
        status = subprocess.run(
            command.split(),
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotebookError(
            "git does not say what has changed here: name the notebooks "
            '(`make execute NB="..."`), or run all (`make execute ALL=1`)'
        ) from error
    # An entry is two letters of state, a space, and a path from the top.
    names = (entry[3:] for entry in status.split("\0"))
    paths = (root / name for name in names if name.endswith(".ipynb"))
    return sorted(path for path in paths if path.exists())


# --- Generated cells ------------------------------------------------------


def colab_cell(config: dict) -> NotebookNode | None:
    """Return the cell that installs the package on Colab, and only there.

    Examples
    --------
    >>> print(colab_cell({"repository": {"url": "https://x.org/y"}}).source)
    import sys
    <BLANKLINE>
    if "google.colab" in sys.modules:
        %pip install --quiet "bayesbook[study] @ git+https://x.org/y"
    """
    url = config.get("repository", {}).get("url")
    if not url:
        return None
    source = (
        "import sys\n"
        "\n"
        'if "google.colab" in sys.modules:\n'
        f'    %pip install --quiet "bayesbook[study] @ git+{url}"'
    )
    cell = nbformat.v4.new_code_cell(source, id="colab-setup")
    cell.metadata["tags"] = ["remove-cell"]
    return cell


def with_colab_cell(notebook: NotebookNode, config: dict) -> NotebookNode:
    """Return the notebook with a fresh ``colab-setup`` cell.

    It stands right before the first other code cell; a notebook without code
    needs none.
    """
    notebook = copy.deepcopy(notebook)
    old = [cell for cell in notebook.cells if cell.get("id") == "colab-setup"]
    notebook.cells = [cell for cell in notebook.cells if cell not in old]
    kinds = [cell.cell_type for cell in notebook.cells]
    setup = colab_cell(config)
    if setup is not None and "code" in kinds:
        if old:
            # Whether it ran, and what it said, is not ours to make up.
            setup.execution_count = old[0].get("execution_count")
            setup.outputs = old[0].get("outputs", [])
        notebook.cells.insert(kinds.index("code"), setup)
    return notebook


def without_checks(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook without its check cells.

    Examples
    --------
    >>> ids = "check-sum", "check", "check-not-hidden"
    >>> cells = [nbformat.v4.new_code_cell("1", id=name) for name in ids]
    >>> cells[0].metadata["tags"] = ["remove-cell"]
    >>> notebook = nbformat.v4.new_notebook(cells=cells)
    >>> [cell.id for cell in without_checks(notebook).cells]
    ['check', 'check-not-hidden']
    """
    notebook = copy.deepcopy(notebook)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not cell.id.startswith("check-")
        or "remove-cell" not in cell.metadata.get("tags", [])
    ]
    return notebook


# --- Outputs --------------------------------------------------------------


def merged_streams(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return outputs with neighbouring pieces of one stream joined.

    How a stream is cut into pieces is a matter of timing; where it stands
    between the other outputs is not.

    Examples
    --------
    >>> pieces = ["stdout", "stdout", "stderr", "stdout"]
    >>> outputs = [
    ...     nbformat.v4.new_output("stream", name=name, text="x")
    ...     for name in pieces
    ... ]
    >>> [(o.name, o.text) for o in merged_streams(outputs)]
    [('stdout', 'xx'), ('stderr', 'x'), ('stdout', 'x')]
    """
    merged = []
    for output in map(copy.deepcopy, outputs):
        before = merged[-1] if merged else None
        if (
            before is not None
            and before.output_type == output.output_type == "stream"
            and before.name == output.name
        ):
            before.text += output.text
        else:
            merged.append(output)
    return merged


def without_text_chunks(png: bytes) -> bytes:
    """Return the PNG without the chunks that hold words or times.

    Matplotlib signs its pictures with its version.  The pixels, the colours
    and the resolution stay as they are, byte for byte.
    """
    if not png.startswith(PNG_SIGNATURE):
        raise NotebookError("an image/png output is not a PNG")
    kept, position = [PNG_SIGNATURE], len(PNG_SIGNATURE)
    while position < len(png):
        if position + 12 > len(png):
            raise NotebookError("an image/png output is cut off")
        (length,) = struct.unpack_from(">I", png, position)
        end = position + 12 + length  # length, kind, data, check sum
        if png[position + 4 : position + 8] not in PNG_TEXT_CHUNKS:
            kept.append(png[position:end])
        position = end
    return b"".join(kept)


def canonical_output(output: NotebookNode, count: int | None) -> NotebookNode:
    """Return one output in canonical form, of a cell that ran as ``count``."""
    output = copy.deepcopy(output)
    output.pop("transient", None)
    if output.output_type == "execute_result":
        output.execution_count = count
    data = output.get("data", {})
    if "image/png" in data:
        png = without_text_chunks(base64.b64decode(data["image/png"]))
        data["image/png"] = base64.b64encode(png).decode("ascii")
    return output


# --- Cells ----------------------------------------------------------------


def canonical_metadata(cell: NotebookNode) -> dict:
    """Return the metadata that the book needs of a cell, and no others.

    What is folded in JupyterLab follows from the tags, and the code of a
    solution, a cell whose id begins with ``solution-``, is folded as well.

    Examples
    --------
    >>> unfolded = {"tags": [], "scrolled": True}
    >>> cell = nbformat.v4.new_code_cell(id="solution", metadata=unfolded)
    >>> canonical_metadata(cell)
    {}
    >>> cell.id = "solution-half"
    >>> canonical_metadata(cell)
    {'jupyter': {'source_hidden': True}}
    """
    metadata = {
        key: value
        for key, value in cell.get("metadata", {}).items()
        if key in KEPT and value
    }
    folded = set()
    for tag in metadata.get("tags", []):
        folded |= FOLDED.get(tag, set())
    if cell.get("id", "").startswith("solution-"):
        folded.add("source_hidden")
    if folded and cell.cell_type == "code":
        metadata["jupyter"] = dict.fromkeys(sorted(folded), True)
    return metadata


def with_unique_ids(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook with an id on each cell, no two the same.

    Existing ids stay, the first of two equal ones too; a new id is a hash of
    the cell's source, so that it is the same on the next run.
    """
    notebook = copy.deepcopy(notebook)
    taken = {cell.get("id") for cell in notebook.cells}
    seen = set()
    for cell in notebook.cells:
        if not cell.get("id") or cell.id in seen:
            digest = hashlib.sha256(cell.source.encode()).hexdigest()[:8]
            candidate, number = f"cell-{digest}", 1
            while candidate in taken:
                number += 1
                candidate = f"cell-{digest}-{number}"
            cell.id = candidate
            taken.add(candidate)
        seen.add(cell.id)
    return notebook


def refusals(cell: NotebookNode) -> list[str]:
    """Return why a cell cannot be part of a book whose outputs are proved.

    Examples
    --------
    >>> refusals(nbformat.v4.new_code_cell("# NBVAL_SKIP\\n1 / 0"))
    ['the comment `# NBVAL_SKIP` would keep the cell from being checked']
    """
    if cell.cell_type != "code":
        return []
    found = []
    if not cell.source.strip():
        found.append("the code cell is blank: remove it")
    marks = list(cell.metadata.get("tags", []))
    marks += [key for key in cell.metadata if key != "tags"]
    found += [
        f"the tag `{mark}` would keep the cell from being checked"
        for mark in marks
        if OPT_OUT_TAG.search(mark)
    ]
    found += [
        f"the comment `{mark.strip()}` would keep the cell from being checked"
        for mark in OPT_OUT_COMMENT.findall(cell.source)
    ]
    return found


def stderr_of(cell: NotebookNode) -> str:
    """Return what a cell wrote to ``stderr``, warnings mostly."""
    return "".join(
        output.text
        for output in cell.get("outputs", [])
        if output.output_type == "stream" and output.name == "stderr"
    )


def cell_name(notebook: NotebookNode, index: int) -> str:
    """Return how messages call the cell at ``index``: ``cell 3 (id prior)``.

    Code cells are counted as the page counts them: cell 3 is ``In [3]``.
    """
    cell = notebook.cells[index]
    name = f"(id {cell.get('id', 'missing')})"
    if cell.cell_type != "code":
        return f"{cell.cell_type} cell {name}"
    before = notebook.cells[: index + 1]
    number = sum(other.cell_type == "code" for other in before)
    return f"cell {number} {name}"


# --- The canonical form ---------------------------------------------------


def canonical(notebook: NotebookNode, config: dict) -> NotebookNode:
    """Return an executed notebook in canonical form.

    Parameters
    ----------
    notebook : NotebookNode
        Not changed.
    config : dict
        The parsed ``_config.yml``.

    Returns
    -------
    NotebookNode
        Canonical, so that ``canonical(canonical(x)) == canonical(x)``.  A
        code cell that never ran still says so.

    Raises
    ------
    NotebookError
        If an ``image/png`` output is not a PNG.
    """
    notebook = with_colab_cell(notebook, config)
    notebook = with_unique_ids(notebook)
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(canonical_metadata(cell))
        cell.source = cell.source.replace("\r\n", "\n").strip("\n")
        if cell.cell_type == "code":
            count += 1
            if cell.get("execution_count") is not None:
                cell.execution_count = count
            cell.outputs = [
                canonical_output(output, count)
                for output in merged_streams(cell.get("outputs", []))
            ]
    return notebook


def parse(text: str) -> NotebookNode:
    """Return the notebook that the text of a file holds, unchanged.

    ``nbformat.read`` would invent random ids where ids are missing.
    """
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise NotebookError(f"not a notebook: {error}") from error
    if not isinstance(raw, dict) or raw.get("nbformat") != 4:
        raise NotebookError(
            "not a notebook of format 4: open and save it once"
        )
    try:
        return rejoin_lines(nbformat.from_dict(raw))
    except (AttributeError, KeyError, TypeError) as error:
        raise NotebookError(f"not a notebook: no {error}") from error


def serialise(notebook: NotebookNode) -> str:
    """Return the text of a notebook file; an invalid notebook is an error."""
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        summary = str(error).strip().splitlines()[0]
        raise NotebookError(f"not a valid notebook: {summary}") from error
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"


def deviations(text: str, config: dict) -> list[str]:
    """Return how the text of a notebook file differs from canonical form.

    Empty when the file is canonical; otherwise each entry is one sentence.
    """
    try:
        notebook = parse(text)
        wanted = canonical(notebook, config)
        wanted_text = serialise(wanted)
    except NotebookError as error:
        return [str(error)]
    found = []
    for index, cell in enumerate(notebook.cells):
        name = cell_name(notebook, index)
        found += [f"{name}: {refusal}" for refusal in refusals(cell)]
        if cell.cell_type != "code":
            continue
        if cell.get("execution_count") is None and cell.source.strip():
            found.append(f"{name}: never ran")
        if warning := stderr_of(cell).strip():
            found.append(f"{name}: wrote to stderr: {warning.splitlines()[0]}")
    sources = {cell.get("id"): cell.source for cell in notebook.cells}
    for cell in wanted.cells:
        if cell.id == "colab-setup" and sources.get(cell.id) != cell.source:
            state = "out of date" if cell.id in sources else "missing"
            found.append(f"the generated cell `{cell.id}` is {state}")
    if text != wanted_text and not found:
        found.append(first_difference(text, wanted_text))
    return found


def first_difference(text: str, wanted: str) -> str:
    """Return a sentence on the first line in which two texts differ."""
    if text == wanted.rstrip("\n") or text.rstrip("\n") == wanted.rstrip("\n"):
        return "the file does not end in exactly one newline"
    is_line, should = text.splitlines(), wanted.splitlines()
    matcher = difflib.SequenceMatcher(None, is_line, should, autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind != "equal":
            old = " / ".join(line.strip() for line in is_line[i:i_end][:3])
            new = " / ".join(line.strip() for line in should[j:j_end][:3])
            return f"line {i + 1}: `{old[:80]}`, canonical is `{new[:80]}`"
    return "line ends are not those of Unix"


# --- Execution ------------------------------------------------------------


def execute(
    notebook: NotebookNode, folder: Path, on_cell=lambda: None
) -> NotebookNode:
    """Return the notebook as a fresh kernel fills it, run in ``folder``.

    Parameters
    ----------
    notebook : NotebookNode
        Not changed.
    folder : Path
        The kernel's working directory.
    on_cell : callable
        Called after each code cell.

    Raises
    ------
    NotebookError
        If a cell raises, times out, writes to ``stderr``, kills the kernel,
        or asks not to be run; with the name of the cell.
    """
    # Imported here: reading and checking notebooks needs no kernel.
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import (
        CellExecutionError,
        CellTimeoutError,
        DeadKernelError,
    )

    notebook = with_unique_ids(notebook)
    for index, cell in enumerate(notebook.cells):
        if found := refusals(cell):
            raise NotebookError(f"{cell_name(notebook, index)}: {found[0]}")
    # Without folders to search, `python3` is the kernel of this environment
    # and not one that happens to be installed for the user.
    kernel = AsyncKernelManager(
        kernel_name="python3",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
    )
    client = NotebookClient(
        notebook,
        km=kernel,
        timeout=CELL_TIMEOUT,
        record_timing=False,
        force_raise_errors=True,
        # The kernel's remarks on its own transport are not the notebook's.
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    environment = os.environ | {"PYTHONHASHSEED": HASH_SEED}
    with client.setup_kernel(env=environment, cleanup_kc=True):
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type != "code":
                continue
            name = cell_name(notebook, index)
            try:
                client.execute_cell(cell, index)
            except CellExecutionError as error:
                raise NotebookError(
                    f"{name} raised {last_line(error.traceback)}\n"
                    + indented(cell.source)
                ) from error
            except CellTimeoutError as error:
                raise NotebookError(
                    f"{name} ran for more than {CELL_TIMEOUT} s"
                ) from error
            except DeadKernelError as error:
                raise NotebookError(f"{name}: the kernel died") from error
            if warning := stderr_of(cell):
                raise NotebookError(
                    f"{name} wrote to stderr, which no reader should meet:\n"
                    + indented(warning)
                )
            on_cell()
    return notebook


def last_line(traceback: str) -> str:
    """Return what was raised, from a traceback with or without colours.

    An error inside the display of a result has no name of its own in what
    the kernel says, only in its traceback.

    Examples
    --------
    >>> last_line("in f\\n\\x1b[31mValueError\\x1b[39m: no\\n")
    'ValueError: no'
    """
    plain = ANSI_COLOUR.sub("", traceback).rstrip()
    return plain.split("\n")[-1]


def indented(text: str) -> str:
    """Return the text with each line moved four columns to the right."""
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


def write_atomically(path: Path, text: str) -> None:
    """Replace the file at once: a reader sees the old text or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.chmod(path.stat().st_mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def run(path: Path, config: dict, on_cell=lambda: None) -> bool:
    """Execute a notebook file and write it back; tell whether it changed.

    The file is untouched unless every cell ran, and unless it still holds
    what was read: what an editor saved meanwhile is never overwritten.
    """
    before = path.read_text(encoding="utf-8")
    notebook = with_colab_cell(parse(before), config)
    executed = execute(notebook, path.parent, on_cell)
    after = serialise(canonical(executed, config))
    if path.read_text(encoding="utf-8") != before:
        raise NotebookError("saved by someone else while it ran: run it again")
    if after != before:
        write_atomically(path, after)
    return after != before


# --- The command ----------------------------------------------------------


def count_code_cells(path: Path, config: dict) -> int:
    """Return how many cells a run of the notebook will execute."""
    try:
        notebook = parse(path.read_text(encoding="utf-8"))
    except NotebookError:
        return 0  # reported when its turn comes
    cells = with_colab_cell(notebook, config).cells
    return sum(cell.cell_type == "code" for cell in cells)


def run_all(paths: list[Path], config: dict) -> list[str]:
    """Execute the notebooks behind a progress bar; return the failures."""
    from tqdm import tqdm

    failures, changed = [], []
    total = sum(count_code_cells(path, config) for path in paths)
    with tqdm(total=total, unit="cell") as bar:
        for number, path in enumerate(paths, start=1):
            bar.set_description(f"{path.stem} ({number} of {len(paths)})")
            try:
                if run(path, config, on_cell=bar.update):
                    changed.append(path)
            except NotebookError as error:
                failures.append(f"{shown(path)}: {error}")
    for path in changed:
        print(f"{shown(path)}: written")
    print(f"{len(paths)} run, {len(changed)} changed, {len(failures)} failed")
    return failures


def check_all(paths: list[Path], config: dict) -> list[str]:
    """Return how the notebook files differ from canonical form."""
    return [
        f"{shown(path)}: {deviation}"
        for path in paths
        for deviation in deviations(path.read_text(encoding="utf-8"), config)
    ]


def strip_all(paths: list[Path], config: dict) -> list[str]:
    """Write the notebook files without their check cells; nothing fails."""
    for path in paths:
        notebook = without_checks(parse(path.read_text(encoding="utf-8")))
        write_atomically(path, serialise(canonical(notebook, config)))
    return []


def shown(path: Path) -> Path:
    """Return the path as messages show it: from the root, where it can be."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return 0, or 1 if a notebook failed."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="Without names: what differs from the last commit.",
    )
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    parser.add_argument(
        "--all", action="store_true", help="take every notebook of _toc.yml"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="run nothing; name the notebooks that are not canonical",
    )
    parser.add_argument(
        "--strip",
        action="store_true",
        help="run nothing; take the check cells out",
    )
    options = parser.parse_args(arguments)
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    if options.all:
        toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
        paths = toc_notebooks(toc)
    elif options.notebooks:
        paths = [path.resolve() for path in options.notebooks]
    else:
        try:
            paths = changed_notebooks()
        except NotebookError as error:
            parser.error(str(error))
    if missing := [str(path) for path in paths if not path.is_file()]:
        parser.error(f"no such notebook: {', '.join(missing)}")
    if not paths:
        print(
            "No notebook has changed. After a change of the library, run "
            "them all: `make execute ALL=1`."
        )
        return 0
    quick = strip_all if options.strip else check_all
    do = quick if options.strip or options.check else run_all
    failures = do(paths, config)
    for failure in failures:
        print(failure, file=sys.stderr)
    if options.check and failures:
        print("`make execute` puts notebooks in order", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
