"""Prove one chapter, or what has changed, without building the site.

    python tests/check.py CHAPTER ...     everything that proves these chapters
    python tests/check.py                 what git calls changed

A chapter is proved by its notebook, the numbers of its prose, its quiz,
exercises, drills and problems, and the examples of what it imports. A change
is proved by the tests of the changed modules, and by the chapters that import
them directly. Heavy tests are left to ``make test``.
"""

import argparse
import ast
import difflib
import importlib
import re
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
BOOK, TESTS = ROOT / "book", ROOT / "tests"
LIBRARY = ROOT / "src" / "bayesbook"


def chapters(book=BOOK):
    """Return the notebooks of the book by the names of their chapters."""
    found = sorted(book.glob("*/*.ipynb"))
    return {p.stem: p for p in found if not p.parent.name.startswith("_")}


def code_of(notebook):
    """Return the Python of a notebook, without lines of the shell."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = "\n".join(c.source for c in cells if c.cell_type == "code")
    return re.sub(r"(?m)^(\s*)[!%].*$", r"\1pass", code)


def imported(code):
    """Return the files of the library in which imported names are defined.

    Examples
    --------
    >>> [path.stem for path in imported("from bayesbook.data import Cases")]
    ['cases']
    """
    files = set()
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.ImportFrom):
            continue
        if (node.module or "").split(".")[0] != "bayesbook":
            continue
        module = importlib.import_module(node.module)
        for alias in node.names:
            value = getattr(module, alias.name)
            defined = getattr(value, "__module__", None)
            if hasattr(value, "__path__"):  # the names of a room, one by one
                files |= {
                    defining(getattr(value, name))
                    for name in re.findall(
                        rf"\b{alias.asname or alias.name}\.(\w+)", code
                    )
                    if hasattr(value, name)
                }
            elif defined or hasattr(value, "__file__"):
                files.add(defining(value))
    return sorted(file for file in files if file)


def defining(value):
    """Return the file of the library that defines a value, or None."""
    name = getattr(value, "__module__", None) or getattr(
        value, "__name__", None
    )
    module = sys.modules.get(name) if isinstance(name, str) else None
    file = getattr(module, "__file__", None)
    if file and LIBRARY in Path(file).resolve().parents:
        return Path(file).resolve()
    return None


def proofs_of(chapter, notebook):
    """Return what pytest has to run for a chapter: files and single tests."""
    code = code_of(notebook)
    place = notebook.relative_to(BOOK).with_suffix("").as_posix()
    tests = [
        str(notebook),
        f"tests/book/test_prose.py::test_every_number_is_shown_near_it[{chapter}]",
        *(
            f"tests/book/test_quizzes.py::{test}[{chapter}]"
            for test in (
                "test_every_key_is_recomputed",
                "test_a_chapter_finds_its_bank_by_name",
            )
        ),
        *node_ids("tests/book/test_notebooks.py", place),
        *node_ids("tests/study/exercises/test_every_chapter.py", chapter),
    ]
    tests += [
        str(path)
        for path in (
            TESTS / "study" / "exercises" / f"test_{chapter}.py",
            TESTS / "book" / f"test_{chapter}_problems.py",
        )
        if path.exists()
    ]
    kinds = sorted(set(re.findall(r'drills\.show\(\s*"([\w-]+)"', code)))
    for kind in kinds:
        tests += node_ids("tests/study/drills/test_bank.py", kind)
    return [*tests, *map(str, imported(code))]


_COLLECTED = {}


def node_ids(file, parameter):
    """Return the tests of a file that are for one chapter, or one drill."""
    if file not in _COLLECTED:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "--collect-only", "-q", file],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        _COLLECTED[file] = [
            line for line in run.stdout.splitlines() if "::" in line
        ]
    wanted = re.compile(rf"\[{re.escape(parameter)}(?:[\]/-])")
    return [test for test in _COLLECTED[file] if wanted.search(test)]


def tests_of(module):
    """Return the tests of a module: the file of its name, or its folder."""
    place = module.relative_to(LIBRARY)
    folder = TESTS / place.parent
    named = folder / f"test_{module.stem.lstrip('_')}.py"
    if named.exists():
        return named
    while not folder.is_dir():
        folder = folder.parent
    return folder


def changed():
    """Return the files that git calls new or changed."""
    run = subprocess.run(
        ["git", "status", "--porcelain", "-z", "--no-renames", "-uall"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    entries = filter(None, run.stdout.split("\0"))
    paths = (ROOT / entry[3:] for entry in entries)
    return [path for path in paths if path.exists()]


def proofs_of_changes(paths):
    """Return what pytest has to run after a change of these files."""
    known = chapters()
    modules = {
        path
        for path in paths
        if LIBRARY in path.parents and path.suffix == ".py"
    }
    names = {
        *(name for name, path in known.items() if path in paths),
        *(p.stem for p in paths if p.parent == BOOK / "quizzes"),
    }
    names |= {
        name
        for name, path in known.items()
        if modules & set(imported(code_of(path)))
    }
    found = [
        proof
        for name in sorted(names)
        for proof in proofs_of(name, known[name])
    ]
    for module in sorted(modules):
        found += [str(module), str(tests_of(module))]
    found += [
        str(path)
        for path in paths
        if path.suffix == ".py"
        and TESTS in path.parents
        and path.name.startswith("test_")
    ]
    if modules:
        found += [
            f"tests/test_{rule}.py"
            for rule in ("layers", "words", "interface")
        ]
    return list(dict.fromkeys(found))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapter", nargs="*", help="as in book/quizzes")
    names = parser.parse_args(arguments).chapter
    known = chapters()
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            parser.error(
                f"There is no chapter {name!r}.{hint} There are: "
                f"{', '.join(known)}."
            )
    if names:
        found = [
            proof for name in names for proof in proofs_of(name, known[name])
        ]
    else:
        found = proofs_of_changes(changed())
        if not found:
            print("Git calls nothing changed that a test could prove.")
            return 0
    command = [sys.executable, "-m", "pytest", "-n", "auto", "-q"]
    command += ["-m", "not heavy", "--durations=5", *dict.fromkeys(found)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
