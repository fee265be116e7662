"""Prove chapters, or what has changed, without building the site.

    python tests/check.py CHAPTER ...     what proves these chapters
    python tests/check.py                 what proves what git calls changed

A chapter is proved by its notebook, the numbers of its prose, its quiz,
exercises, drills and problems, and the examples of what it imports; a page of
the user guide, which is named like a chapter, by those that it has. A changed
module is proved by its tests, and by the pages that import it directly;
any other file by the tests that name it. Tests that are heavy or look at the
pages are left to ``make test``.
"""

import argparse
import ast
import difflib
import importlib
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest

import bayesbook

ROOT = Path(__file__).resolve().parents[1]
BOOK, TESTS = ROOT / "book", ROOT / "tests"
GUIDE = BOOK / "appendix" / "library"
LIBRARY = ROOT / "src" / "bayesbook"
# Pages with a quiz, but without exercises and problems.
QUIZ_ONLY = {"refresher"}

# These test every module.
RULES = [
    TESTS / f"test_{rule}.py" for rule in ("layers", "words", "interface")
]
# These test every chapter, or every kind of drill.
SHARED = [
    TESTS / "book" / "test_claims.py",
    TESTS / "book" / "test_equations.py",
    TESTS / "book" / "test_notebooks.py",
    TESTS / "book" / "test_prose.py",
    TESTS / "book" / "test_quiz_formulas.py",
    TESTS / "book" / "test_quizzes.py",
    TESTS / "book" / "test_statements.py",
    TESTS / "study" / "drills" / "test_bank.py",
    TESTS / "study" / "exercises" / "test_every_chapter.py",
]
# These test whatever is in a folder, and do not name it.
READERS = {
    ROOT / ".github" / "workflows": [TESTS / "test_house.py"],
    GUIDE: [TESTS / "test_interface.py"],
    BOOK / "quizzes": [
        TESTS / "book" / "test_quizzes.py",
        TESTS / "test_check.py",
    ],
    BOOK / "quizzes" / "checks": [TESTS / "book" / "test_quizzes.py"],
}


def shown(path):
    """Return a path as messages show it: from the root."""
    return path.relative_to(ROOT).as_posix()


# --- What proves a chapter --------------------------------------------------


@cache
def chapters():
    """Return the notebooks of the book by the names of their chapters."""
    found = sorted(BOOK.glob("*/*.ipynb"))
    return {p.stem: p for p in found if not p.parent.name.startswith("_")}


def pages():
    """Return the chapters and the pages of the user guide, by their names."""
    return chapters() | {p.stem: p for p in GUIDE.glob("*.ipynb")}


def sources_of(page):
    """Return the notebook of a page; of a chapter, its banks and exercises.

    The pages of the user guide have neither, the refresher has a quiz.
    """
    if page not in chapters():
        return [pages()[page]]
    if page in QUIZ_ONLY:
        return [chapters()[page], BOOK / "quizzes" / f"{page}.yml"]
    checks = BOOK / "quizzes" / "checks" / f"{page}.yml"
    return [
        chapters()[page],
        BOOK / "quizzes" / f"{page}.yml",
        *([checks] if checks.exists() else []),
        LIBRARY / "study" / "exercises" / f"{page}.py",
    ]


def proofs_of(page):
    """Return the files that prove a page, and the names of its tests.

    The names choose tests in the files that all pages share.
    """
    sources = sources_of(page)
    files = [path for path in sources if path.suffix != ".yml"]
    if page in chapters().keys() - QUIZ_ONLY:
        files += [
            TESTS / "study" / "exercises" / f"test_{page}.py",
            TESTS / "book" / f"test_{page}_problems.py",
        ]
    for path in [*sources, *files]:
        if not path.exists():
            raise SystemExit(f"The chapter {page} lacks {shown(path)}.")
    notebook = pages()[page]
    drills = re.findall(r'drills\.show\(\s*"([\w-]+)"', code_of(notebook))
    return [*files, *imports_of(notebook), *SHARED], {page, *drills}


def code_of(notebook):
    """Return the Python of a notebook, without lines of the shell."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = "\n".join(c.source for c in cells if c.cell_type == "code")
    return re.sub(r"(?m)^(\s*)[!%].*$", r"\1pass", code)


@cache
def imports_of(notebook):
    """Return the files of the library that a notebook imports from."""
    try:
        return imported(code_of(notebook))
    except (ImportError, SyntaxError) as error:
        raise SystemExit(f"{shown(notebook)}: {error}") from None


def imported(code):
    """Return the files of the library in which imported names are defined.

    Examples
    --------
    >>> [path.stem for path in imported("from bayesbook.data import Cases")]
    ['cases']
    """
    values = []
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
            if not hasattr(value, "__path__"):
                values.append(value)
                continue
            own = alias.asname or alias.name  # a room: what is used of it
            used = re.findall(rf"\b{own}\.(\w+)", code)
            values += [getattr(value, name, None) for name in used]
    return sorted({file for file in map(defining, values) if file})


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


# --- What proves a change ---------------------------------------------------


def changed():
    """Return the files that git calls new, changed or deleted."""
    run = subprocess.run(
        ["git", "status", "--porcelain", "-z", "--no-renames", "-uall"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / entry[3:] for entry in run.stdout.split("\0") if entry]


def proofs_of_changes(paths):
    """Return files and names as `proofs_of` does, and paths without proof."""
    files, touched, unproved = [], set(), []
    for path in paths:
        holders = pages_with(path)
        is_own = holders and LIBRARY not in path.parents
        tests = [] if is_own else proofs_of_file(path)
        if not holders and not tests:
            unproved.append(path)
        touched |= holders
        files += tests
    # Shared files that are chosen themselves are run whole.
    names = {s.stem for s in SHARED if {s, *s.parents} & {*files}}
    for page in sorted(touched):
        own, selected = proofs_of(page)
        files, names = files + own, names | selected
    return files, names, unproved


def pages_with(path):
    """Return the pages that a file is a part of, or that import it."""
    is_module = LIBRARY in path.parents
    return {
        name
        for name, notebook in pages().items()
        if path in sources_of(name)
        or (is_module and path in imports_of(notebook))
    }


def proofs_of_file(path):
    """Return what tests a file: by its place, or by its name; its examples."""
    tests = by_place(path) if LIBRARY in path.parents else by_name(path)
    if path.suffix == ".py" and path.exists():
        tests += [path] if ">>> " in path.read_text("utf-8") else []
    return tests


def by_place(path):
    """Return the tests of a file of the library: its own, or its folder's."""
    folder = TESTS / path.parent.relative_to(LIBRARY)
    own = folder / f"test_{path.stem.lstrip('_')}.py"
    if folder == TESTS:  # a file of the house itself
        own = TESTS / "test_interface.py"
    while not folder.is_dir():
        folder = folder.parent
    rules = RULES if path.suffix == ".py" else []
    return [own if own.exists() else folder, *rules]


def by_name(path):
    """Return the tests that name or import a file, or what imports it."""
    tests = {p for p in all_tests() if p.name.startswith("test_")}
    found, new = {path, *READERS.get(path.parent, ())}, {path}
    while new:
        names = re.compile("|".join(map(naming, new)), re.MULTILINE)
        new = {p for p, text in all_tests().items() if names.search(text)}
        new -= found
        found |= new
        new -= tests
    return sorted(found & tests)


@cache
def all_tests():
    """Return the texts of all tests, and of what they share."""
    return {path: path.read_text("utf-8") for path in TESTS.rglob("*.py")}


def naming(path):
    """Return what a test looks like that names a file, or imports it."""
    named = rf'["/]{re.escape(path.name)}"'
    for root in (TESTS, BOOK / "_ext"):
        if root in path.parents and path.suffix == ".py":
            parts = path.relative_to(root).with_suffix("").parts
            named += rf"|^\s*(?:from|import) {re.escape('.'.join(parts))}\b"
    return named


# --- A plugin of pytest -----------------------------------------------------


def pytest_addoption(parser):
    parser.addoption("--only", help="chapters, kinds of drills, shared files")


def pytest_configure():
    """Import all rooms; pytest would give a file alone a second module."""
    list(pkgutil.walk_packages(bayesbook.__path__, "bayesbook."))


def pytest_collection_modifyitems(config, items):
    """Leave out what shared files test of other pages and drills."""
    from bayesbook.study import drills

    wanted = {*config.getoption("--only").split(",")}
    others = {*pages(), *drills.KINDS} - wanted
    items[:] = [
        item
        for item in items
        if item.path not in SHARED
        or item.path.stem in wanted
        or not others & subjects(item)
    ]


def subjects(item):
    """Return what a test is about: risk, for risk.yml and risk/two_losses."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return {
        value.stem if isinstance(value, Path) else str(value).split("/")[0]
        for value in given.values()
    }


# --- The command ------------------------------------------------------------


def main(arguments=None):
    """Run pytest on what was asked for; return its status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapter", nargs="*", help="as in book/quizzes")
    asked = parser.parse_args(arguments).chapter
    for name in set(asked) - set(pages()):
        close = difflib.get_close_matches(name, pages(), 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        parser.error(
            f"There is no chapter {name!r}.{hint} There are: "
            f"{', '.join(pages())}."
        )
    paths = [pages()[name] for name in asked] or changed()
    if not paths:
        print("Git calls nothing changed.")
        return 0
    files, names, unproved = proofs_of_changes(paths)
    status = run(files, names) if files else 1
    for path in unproved:
        print(f"No quick test is about {shown(path)}: run `make test`.")
    return status


def run(files, names):
    """Run the quick tests of these files; return the status."""
    status = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "tests.check"),
            *("-n", "auto", "-q", "--durations=5"),
            *("-m", "not heavy and not site"),
            *(f"--only={','.join(sorted(names))}", *dict.fromkeys(files)),
        ],
        cwd=ROOT,
        check=False,
    ).returncode
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        print("All tests of this are left to `make test`.")
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
