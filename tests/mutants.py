"""Change the library and the pages at random: does a test turn red?

    python tests/mutants.py              150 changes of each, by fixed seeds
    python tests/mutants.py --pages 20   20 changes of pages only

A mutant is one change that a hurried author could make: another operator, a
statement left out, another digit. It is made in a copy of the last commit, and
the tests that prove the changed file are run there, the nearest first. What
stays green is listed; `mutants.yml` has the reasons why some may.
"""

import argparse
import ast
import copy
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

import check
import yaml
from check import BOOK, LIBRARY, ROOT, TESTS
from claims import PROVED
from tqdm import tqdm

from bayesbook.study.quiz.numerals import without_labels

REASONS = TESTS / "mutants.yml"
SEED, EACH = 1, 150
# A mutant may make a loop endless. These are seconds of the processor, which
# no other program takes away; whoever only waits gets ten times as many.
SECONDS = 300


@cache
def text_of(path):
    """Return a file as it is in this folder, where nothing is changed."""
    return path.read_text("utf-8")


@dataclass(frozen=True)
class Mutant:
    """One change of one file: a piece of its text, and what replaces it."""

    path: Path
    start: int
    end: int
    new: str

    def text(self):
        """Return the file as it is changed."""
        old = text_of(self.path)
        return old[: self.start] + self.new + old[self.end :]

    def __str__(self):
        """Name the file and the changed lines, before and after."""
        old = text_of(self.path)
        first = old.rfind("\n", 0, self.start) + 1
        last = (old + "\n").index("\n", self.end)
        changed = old[first : self.start] + self.new + old[self.end : last]
        place = self.path.relative_to(ROOT).as_posix()
        was, now = (
            " ".join(lines.split()) for lines in (old[first:last], changed)
        )
        return f"{place}: {was}  =>  {now}"


# --- Changes of Python ------------------------------------------------------

OTHER = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot},
    **{ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div},
    **{ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
    **{ast.And: ast.Or, ast.Or: ast.And},
}


def changed(node):
    """Return the expression or statement that takes the place of another.

    Examples
    --------
    >>> ast.unparse(changed(ast.parse("a < b").body[0].value))
    'a <= b'
    """
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]) if type(operator) in OTHER:
            new.ops = [OTHER[type(operator)]()]
        case ast.BinOp(op=operator) if type(operator) in OTHER:
            new.op = OTHER[type(operator)]()
        case ast.BoolOp(op=operator):
            new.op = OTHER[type(operator)]()
        case ast.AugAssign(op=operator) if type(operator) in OTHER:
            new.op = OTHER[type(operator)]()
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            new = operand
        case ast.Constant(value=bool(value)):
            new.value = not value
        case ast.Constant(value=int(value) | float(value)):
            new.value = value + 1
        case ast.IfExp(test=test):
            new.test = ast.UnaryOp(ast.Not(), test)
        case ast.Expr(value=ast.Call()) | ast.Raise():
            new = ast.Pass()
        case _:
            return None
    return new


def code_mutants(path) -> Iterator[Mutant]:
    """Yield the changes of a module: not of types, docstrings or messages."""
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    # Columns of the syntax tree count bytes.
    coded = text.encode()

    def place(line, column):
        return len(coded[: starts[line - 1] + column].decode())

    for node in reachable(ast.parse(text)):
        if new := changed(node):
            written = ast.unparse(new)
            yield Mutant(
                path,
                place(node.lineno, node.col_offset),
                place(node.end_lineno, node.end_col_offset),
                f"({written})" if isinstance(node, ast.expr) else written,
            )


def reachable(node):
    """Yield the nodes below one that compute something.

    Types do not, nor messages; decorators hold the cases of exercises, which
    are as good with another number.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(
                child, ast.JoinedStr
            ):
                continue
            yield child
            yield from reachable(child)


# --- Changes of pages -------------------------------------------------------

NUMBER = re.compile(r"\d+(?:\.\d+)?")
READ = {"title", "prompt", "text", "why", "hint", "diagnosis", "items"}


def page_mutants(path) -> Iterator[Mutant]:
    """Yield the changes of the numbers that a reader meets in a file."""
    text = path.read_text("utf-8")
    for start, end in read(path, text):
        piece = without_labels(text[start:end])
        for found in NUMBER.finditer(piece):
            digits = [i for i, sign in enumerate(found[0]) if sign != "."]
            for step in (1, -1):
                new = list(found[0])
                new[digits[-1]] = str((int(new[digits[-1]]) + step) % 10)
                yield Mutant(
                    path,
                    start + found.start(),
                    start + found.end(),
                    "".join(new),
                )


def read(path, text):
    """Return where in a file the texts are that a reader meets."""
    if path.suffix == ".ipynb":
        return list(read_in_notebook(text))
    return list(read_in_bank(yaml.compose(text)))


def read_in_bank(node, key=None):
    """Yield the places of the texts of a quiz."""
    match node:
        case yaml.MappingNode(value=pairs):
            for name, value in pairs:
                yield from read_in_bank(value, name.value)
        case yaml.SequenceNode(value=values):
            for value in values:
                yield from read_in_bank(value, key)
        case yaml.ScalarNode() if key in READ:
            yield node.start_mark.index, node.end_mark.index


# In canonical form the lines of a cell are lines of the file.
MARKDOWN = re.compile(
    r'"cell_type": "markdown",.*?"source": \[\n(.*?)\n {2,3}\]', re.DOTALL
)
LINE = re.compile(r'^ *"(.*)",?$', re.MULTILINE)
DESCRIPTION = re.compile(r'^ *"(?:alt|caption)": "(.*)",?$', re.MULTILINE)


def read_in_notebook(text):
    """Yield the places of Markdown, captions and alternative texts."""
    for cell in MARKDOWN.finditer(text):
        for line in LINE.finditer(text, *cell.span(1)):
            yield line.span(1)
    for description in DESCRIPTION.finditer(text):
        yield description.span(1)


# --- Which mutants, and whether a test sees them ----------------------------


def drawn(paths, mutants, how_many, seed):
    """Draw mutants of files: each place is as likely as any other.

    What is drawn stays so when other lines change: a reason stays of use.
    """

    def lot(mutant):
        return sha256(f"{seed} {mutant}".encode()).digest()

    found = [mutant for path in paths for mutant in mutants(path)]
    return sorted(found, key=lot)[:how_many]


def library_files():
    """Return the modules whose changes are tried."""
    return [path for path in LIBRARY.rglob("*.py") if path.stem != "__init__"]


def page_files():
    """Return the quizzes, and the chapters whose numbers are all computed."""
    proved = [check.chapters()[name] for name in PROVED]
    return [*(BOOK / "quizzes").rglob("*.yml"), *proved]


def proofs(path):
    """Return calls of pytest, as arguments, that test a file: nearest first.

    Those of a page have its name in brackets, and run no cell: a number of a
    text is computed in the outputs that the book already has.
    """
    if path.suffix != ".py":
        near = "quizzes" if path.suffix == ".yml" else "claims"
        # The plugin that runs cells takes as long to import as the rest.
        chosen = ["-pno:nbval", "-pquick_start"]
        chosen += ["-oaddopts=--import-mode=importlib"]
        chosen += ["-k", f"[{path.stem}"]  # and its quick checks
        first, *others = (
            TESTS / "book" / f"test_{name}.py"
            for name in (
                *(near, "quiz_formulas", "equations", "statements", "prose"),
            )
        )
        return [[first, *chosen], [*others, *chosen]]
    nearest = [check.proofs_of_file(path)]
    folder = TESTS / path.parent.relative_to(LIBRARY)
    if folder.is_dir() and folder not in nearest[0]:
        nearest.append([folder])
    files, names, _ = check.proofs_of_changes([path])
    only = ["-p", "tests.check", f"--only={','.join(sorted(names))}"]
    return [*nearest, [*only, *dict.fromkeys(files)]]


def is_seen(mutant, tree):
    """Return whether a test turns red in a tree with this mutant."""
    place = tree / mutant.path.relative_to(ROOT)
    before = place.read_text("utf-8")
    place.write_text(mutant.text(), "utf-8")
    try:
        return any(
            is_red(arguments, tree) for arguments in proofs(mutant.path)
        )
    finally:
        place.write_text(before, "utf-8")


def are_red_already(mutants, tree):
    """Return whether the tests of mutants fail in a tree without them.

    Then they would take any mutant for a seen one. What they print is shown.
    """
    calls = chain.from_iterable(proofs(mutant.path) for mutant in mutants)
    files = {each for each in chain(*calls) if isinstance(each, Path)}
    # As in a whole run, the library's examples come last: pytest would import
    # a module alone, and anew, that no test has imported with its room.
    files = sorted(files, key=lambda path: (LIBRARY in path.parents, path))
    return is_red(files, tree, limited=False)


def is_red(arguments, tree, limited=True):
    """Return whether pytest fails in a tree, or does not come to an end."""
    # Python's own copy of a module is chosen by size and second.
    environment = os.environ | {
        "PYTHONPATH": str(tree / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x"]
    command += ["-m", "not heavy and not site"]
    if limited:
        limit = f'ulimit -t {SECONDS}; exec "$@"'
        command = ["sh", "-c", limit, "sh", *command]
    for each in arguments:
        inside = isinstance(each, Path) and each.is_relative_to(ROOT)
        command.append(str(tree / each.relative_to(ROOT) if inside else each))
    try:
        run = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            capture_output=limited,
            timeout=10 * SECONDS if limited else None,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    # No test at all is no red one.
    return run.returncode not in (0, 5)


def survivors(mutants, tree):
    """Yield the mutants that no test sees."""
    with tqdm(mutants, unit="mutant") as bar:
        for mutant in bar:
            if not is_seen(mutant, tree):
                tqdm.write(f"green: {mutant}")
                yield mutant


def main(arguments=None):
    """Try mutants; return 1 if one stays green without a reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for kind in ("library", "pages"):
        parser.add_argument(f"--{kind}", type=int, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    both = asked.library is None and asked.pages is None
    mutants = drawn(
        library_files(),
        code_mutants,
        EACH if both else asked.library or 0,
        asked.seed,
    ) + drawn(
        page_files(),
        page_mutants,
        EACH if both else asked.pages or 0,
        asked.seed,
    )
    reasons = yaml.safe_load(REASONS.read_text("utf-8")) or {}
    with copy_of_the_last_commit() as tree:
        if are_red_already(mutants, tree):
            print("Tests are red without any change: mend them first.")
            return 1
        green = list(survivors(mutants, tree))
    unexplained = [each for each in map(str, green) if each not in reasons]
    print(f"{len(mutants)} mutants, {len(green)} green.")
    for each in green:
        print(f"{each}\n    {reasons.get(str(each), 'no reason is known')}")
    return 1 if unexplained else 0


@contextmanager
def copy_of_the_last_commit():
    """Give a folder with what was committed last, and take it away again."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        add = ["add", "--quiet", "--detach", str(tree)]
        subprocess.run([*git, *add], check=True)
        try:
            yield tree
        finally:
            remove = ["remove", "--force", str(tree)]
            subprocess.run([*git, *remove], check=True)


if __name__ == "__main__":
    sys.exit(main())
