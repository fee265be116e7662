"""What several folders of tests share: the built book."""

import gc
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
BUILT = ROOT / "_build" / "html"
# The command of `make book`. Unchanged pages are not built again.
BUILD = [
    str(Path(sys.executable).with_name("jupyter-book")),
    *("build", "-W", "-n", "--keep-going", "."),
]
# That of `make notebooks`.
BUILD_NOTEBOOKS = [
    *BUILD,
    *("--builder", "custom", "--custom-builder", "notebooks"),
]

# Python would look for garbage after every 700 new objects: half of the time
# that it takes to parse the pages of the book.
gc.set_threshold(200_000, 20, 100)

# The same examples on every run and every machine.
settings.register_profile(
    "book", derandomize=True, deadline=None, max_examples=60
)
settings.load_profile("book")


def pytest_itemcollected(item):
    """Mark a test of the pages; refuse one named after a set of strings.

    Each process shows such a set in an order of its own, and then the
    processes of one run do not agree on what the tests are.
    """
    if {"site", "chromium"} & set(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.site)
    given = item.callspec.params if hasattr(item, "callspec") else {}
    for value in given.values():
        if (
            isinstance(value, (set, frozenset))
            and any(isinstance(element, str) for element in value)
            and str(value) in item.name
        ):
            raise pytest.UsageError(
                f"{item.nodeid} is named after a set, whose order changes. "
                "Give it a name: pytest.param(..., id=...)."
            )


@contextmanager
def locked(path):
    """Hold a lock that no other process can hold at the same time."""
    import fcntl  # not on Windows, where tests of the library run all the same

    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build(command):
    """Build the book; return the status and what the command printed."""
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {"status": run.returncode, "printed": run.stdout + run.stderr}


def build_once(command, name):
    """Build the book once for all processes of one run of the tests."""
    run_id = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run_id is None:
        return build(command)
    record = ROOT / "_build" / f"tested-{name}.json"
    with locked(ROOT / "_build" / f"tested-{name}.lock"):
        if record.exists():
            last = json.loads(record.read_text())
            if last["run_id"] == run_id:
                return last
        result = {"run_id": run_id, **build(command)}
        record.write_text(json.dumps(result))
    return result


def built(command, folder):
    """Return the folder that a command builds from the tree as it is."""
    result = build_once(command, folder.name)
    if result["status"]:
        pytest.fail(
            f"`{' '.join(command[1:])}` failed:\n{result['printed']}",
            pytrace=False,
        )
    return folder


@pytest.fixture(scope="session")
def site():
    """Give the folder of the book's pages."""
    return built(BUILD, BUILT)


@pytest.fixture(scope="session")
def notebooks_to_run(site):
    """Give the folder of the runner's edition; the pages have read it."""
    return built(BUILD_NOTEBOOKS, BUILT.with_name("notebooks"))


@pytest.fixture(scope="module")
def chromium():
    """Give a browser for the tests of a file."""
    from browsing import browser  # which most tests do without

    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def tab(chromium):
    """Give a tab of the browser for the tests of a file."""
    from browsing import open_tab

    with open_tab(chromium) as opened:
        yield opened


@pytest.fixture
def own_style():
    """Give back matplotlib's settings after a test."""
    with mpl.rc_context():
        yield
