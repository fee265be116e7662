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
import os
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
            value = getattr(module, alias.name, None)
            if value is None:
                value = importlib.import_module(f"{node.module}.{alias.name}")
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


# These files test every chapter, or every kind of drill.
SHARED = (
    "tests/book/test_notebooks.py",
    "tests/book/test_prose.py",
    "tests/book/test_quizzes.py",
    "tests/study/drills/test_bank.py",
    "tests/study/exercises/test_every_chapter.py",
)


def proofs_of(chapter, notebook):
    """Return the files that prove a chapter, and the names of its tests.

    The names choose tests in the files that all chapters share.
    """
    code = code_of(notebook)
    files = [
        notebook,
        TESTS / "study" / "exercises" / f"test_{chapter}.py",
        TESTS / "book" / f"test_{chapter}_problems.py",
        *imported(code),
    ]
    place = notebook.relative_to(BOOK).with_suffix("").as_posix()
    drills = set(re.findall(r'drills\.show\(\s*"([\w-]+)"', code))
    return [path for path in files if path.exists()], {chapter, place, *drills}


# --- A plugin of pytest -----------------------------------------------------


def pytest_addoption(parser):
    parser.addoption("--only", default="", help="chapters and kinds of drills")


def pytest_collection_modifyitems(config, items):
    """Leave out tests of other chapters in shared files."""
    names = filter(None, config.getoption("--only").split(","))
    wanted = re.compile(rf"\[({'|'.join(map(re.escape, names))})(?=[]/-])")
    items[:] = [
        item
        for item in items
        if item.path.relative_to(ROOT).as_posix() not in SHARED
        or wanted.search(item.nodeid)
    ]


# --- What has changed -------------------------------------------------------


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
    """Return what proves a change of these files, as `proofs_of` does."""
    known = chapters()
    modules = {
        path
        for path in paths
        if LIBRARY in path.parents and path.suffix == ".py"
    }
    touched = {
        name
        for name, path in known.items()
        if path in paths or modules & set(imported(code_of(path)))
    } | {p.stem for p in paths if p.parent == BOOK / "quizzes"}
    files, names = proofs_of_all(sorted(touched))
    for module in sorted(modules):
        files += [module, tests_of(module)]
    files += [
        path
        for path in paths
        if path.suffix == ".py"
        and TESTS in path.parents
        and path.name.startswith("test_")
    ]
    if modules:
        rules = ("layers", "words", "interface")
        files += [TESTS / f"test_{rule}.py" for rule in rules]
    return files, names


def proofs_of_all(names):
    """Return what proves several chapters."""
    known, files, wanted = chapters(), [], set()
    for name in names:
        own, selected = proofs_of(name, known[name])
        files, wanted = [*files, *own], wanted | selected
    if names:
        files += [ROOT / file for file in SHARED]
    return files, wanted


def environment():
    """Return the variables with which pytest finds this file as a plugin."""
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    return os.environ | {"PYTHONPATH": path}


def main(arguments=None):
    """Run pytest on what was asked for; return its status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapter", nargs="*", help="as in book/quizzes")
    asked = parser.parse_args(arguments).chapter
    known = chapters()
    for name in set(asked) - set(known):
        close = difflib.get_close_matches(name, known, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        parser.error(
            f"There is no chapter {name!r}.{hint} There are: "
            f"{', '.join(known)}."
        )
    files, names = (
        proofs_of_all(asked) if asked else proofs_of_changes(changed())
    )
    if not files:
        print("Git calls nothing changed that a test could prove.")
        return 0
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "check",
        "-n",
        "auto",
        "-q",
    ]
    command += [
        f"--only={','.join(sorted(names))}",
        "-m",
        "not heavy and not site",
    ]
    command += ["--durations=5", *map(str, dict.fromkeys(files))]
    return subprocess.run(
        command, cwd=ROOT, env=environment(), check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
