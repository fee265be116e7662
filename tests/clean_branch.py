"""Install what the branch of the notebooks requires, weigh it, and run in it.

    python tests/clean_branch.py [NOTEBOOK ...]

What `make notebooks` has written is copied to an empty place. There an
environment is made from nothing and set up as Binder does it. In it notebooks
run, and what they say is compared with what they said, as strictly as in the
environment of the tests: those named, or the first chapter and one that has
installed Dask by itself before.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BRANCH = ROOT / "_build" / "notebooks"
INSTALLS = "guide_large.ipynb"
NOTEBOOKS = ["events.ipynb", INSTALLS]
# Megabytes of what is installed. The bytecode that Python makes of it, while
# pip installs it or when it is first imported, comes to another third.
HEAVIEST = 600
# What compares; it comes when the environment has been weighed.
COMPARE = ["pytest", "nbval"]


def megabytes(folder):
    """Return what the files of a folder hold, without bytecode."""
    files = [path for path in folder.rglob("*") if path.suffix != ".pyc"]
    return sum(path.lstat().st_size for path in files if path.is_file()) / 1e6


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", default=NOTEBOOKS)
    notebooks = parser.parse_args(arguments).notebooks
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        branch, programs = place / "branch", place / "env" / "bin"
        shutil.copytree(BRANCH, branch)
        run(sys.executable, "-m", "venv", place / "env")
        install = [programs / "python", "-m", "pip", "install", "--quiet"]
        run(*install, "-r", "requirements.txt", cwd=branch)
        weight = megabytes(place / "env")
        print(f"{weight:.0f} MB are installed")
        if weight > HEAVIEST:
            raise SystemExit(f"That is more than {HEAVIEST} MB.")
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        own = os.environ | {"HOME": folder, "PATH": path}
        run("./postBuild", cwd=branch, env=own, stdout=subprocess.DEVNULL)
        # It says that it installs, and nothing when it runs again.
        execute = ["nbconvert", "--to", "notebook", "--execute", "--inplace"]
        run("jupyter", *execute, INSTALLS, cwd=branch, env=own)
        run(*install, "-c", "constraints.txt", *COMPARE, cwd=branch)
        compare = [programs / "python", "-m", "pytest", "-q"]
        files = [BRANCH / Path(notebook).name for notebook in notebooks]
        run(*compare, "-p", "no:cacheprovider", *files, cwd=ROOT, env=own)


def run(*command, **options):
    subprocess.run([*map(str, command)], check=True, **options)


if __name__ == "__main__":
    main()
