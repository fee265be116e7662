"""Install what the branch of the notebooks requires, weigh it, and run in it.

    python tests/clean_branch.py [NOTEBOOK ...]

What `make notebooks` has written is copied to an empty place. There an
environment is made from nothing and set up as Binder does it, and notebooks
run: those named, or the first chapter and one that installs Dask by itself.
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
NOTEBOOKS = ["events.ipynb", "guide_large.ipynb"]
# Megabytes of what is installed. The bytecode that Python makes of it, while
# pip installs it or when it is first imported, comes to another third.
HEAVIEST = 600


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
        install = ["-m", "pip", "install", "--quiet", "-r", "requirements.txt"]
        run(programs / "python", *install, cwd=branch)
        weight = megabytes(place / "env")
        print(f"{weight:.0f} MB are installed")
        if weight > HEAVIEST:
            raise SystemExit(f"That is more than {HEAVIEST} MB.")
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        own = os.environ | {"HOME": folder, "PATH": path}
        run("./postBuild", cwd=branch, env=own, stdout=subprocess.DEVNULL)
        execute = ["nbconvert", "--to", "notebook", "--execute", "--inplace"]
        for notebook in notebooks:
            run("jupyter", *execute, notebook, cwd=branch, env=own)


def run(*command, **options):
    subprocess.run([*map(str, command)], check=True, **options)


if __name__ == "__main__":
    main()
