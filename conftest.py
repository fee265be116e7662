"""Every run of pytest in this repository compares notebooks strictly."""

import ast
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

TESTS = Path(__file__).parent / "tests"
# What the library, and the tests of it, can go without: Dask and browsers.
OPTIONAL = ("axe_playwright_python", "dask", "playwright", "websocket")
MISSING = {name for name in OPTIONAL if find_spec(name) is None}

# Where several processes run at once (pytest -n), each would share every
# product of arrays among all cores, and wait for cores that others hold.
# Notebooks inherit this; numpy reads it when it is imported.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["strict_nbval"]


@cache
def imported(path):
    """Name what a file imports at its top, and what its helpers do."""
    names = set()
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    for helper in (TESTS / f"{name}.py" for name in tuple(names)):
        if helper.exists():
            names |= imported(helper)
    return names


def pytest_ignore_collect(collection_path):
    """Leave out a file that imports what is not installed."""
    if MISSING and collection_path.suffix == ".py":
        return bool(MISSING & imported(collection_path)) or None
    return None


def pytest_report_header():
    """Say what is left out."""
    if MISSING:
        return f"without {', '.join(sorted(MISSING))}, and what imports it"
    return None
