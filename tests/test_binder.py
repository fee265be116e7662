"""Binder would install this book: the right Python, our exact versions."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.repository

ROOT = Path(__file__).parents[1]
FILES = ("requirements.txt", "runtime.txt", "pyproject.toml", "postBuild")
# Where Binder would look for its files; with one of these it would not look
# at the root's requirements.
SHADOWING = ("binder", ".binder", "environment.yml", "Dockerfile", "Pipfile")


def dockerfile(folder):
    """Return what repo2docker would hand to docker for a repository."""
    program = Path(sys.executable).with_name("jupyter-repo2docker")
    run = subprocess.run(
        [str(program), "--no-build", "--debug", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return run.stdout + run.stderr


def unpinned(requirements):
    """List the lines that leave the version open."""
    lines = [line.split("#")[0].strip() for line in requirements.splitlines()]
    pin = re.compile(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==[\w.!+]+(\s*;.*)?")
    return [
        line
        for line in lines
        if line and line != "-e ." and not pin.fullmatch(line)
    ]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    """Give the Dockerfile for the files that tell repo2docker what to do."""
    folder = tmp_path_factory.mktemp("repository")
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    return dockerfile(folder)


def test_binder_uses_python_3_11(recipe):
    assert "python=3.11" in recipe


def test_binder_trusts_the_notebooks(recipe):
    """Else JupyterLab would show no drawing before it is run."""
    assert "RUN ./postBuild" in recipe
    assert os.access(ROOT / "postBuild", os.X_OK)
    (pattern,) = re.findall(
        "jupyter trust (.*)", (ROOT / "postBuild").read_text()
    )
    trusted = {path for glob in pattern.split() for path in ROOT.glob(glob)}
    assert trusted == set((ROOT / "book").rglob("*.ipynb"))
    assert f"jupyter trust {pattern}" in (ROOT / "Makefile").read_text()


def test_binder_installs_our_requirements(recipe):
    installs = re.findall(r"pip install .*-r \"?requirements\.txt", recipe)
    assert len(installs) == 1


def test_nothing_shadows_the_requirements():
    assert [name for name in SHADOWING if (ROOT / name).exists()] == []


def test_requirements_are_exact_and_end_with_the_book():
    requirements = (ROOT / "requirements.txt").read_text()
    assert unpinned(requirements) == []
    assert requirements.splitlines()[-1] == "-e ."


@pytest.mark.parametrize(
    "line", ["numpy", "numpy>=2", "numpy==2.*", "-e ../x"]
)
def test_an_open_version_is_seen(line):
    assert unpinned(f"scipy==1.17.1\n{line}\n-e .") == [line]


def test_another_runtime_is_seen(tmp_path):
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    (tmp_path / "runtime.txt").write_text("python-3.12\n")
    assert "python=3.11" not in dockerfile(tmp_path)
