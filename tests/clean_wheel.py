"""Build the wheel, install it into an empty environment, and use it.

    python tests/clean_wheel.py [--keep FOLDER]

First as `pip install bayesbook` gives it: the models run, and what only the
chapters need is neither there nor asked for. Then with the extra `study`.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What packages are called in Python, if it is not their own name.
CALLED = {"markdown-it-py": "markdown_it", "pyyaml": "yaml"}


def packages_of_study(pyproject):
    """Return what the extra `study` brings, as Python imports it."""
    extras = tomllib.loads(pyproject)["project"]["optional-dependencies"]
    names = [re.match(r"[\w-]+", line)[0].lower() for line in extras["study"]]
    return {CALLED.get(name, name).replace("-", "_") for name in names}


STUDY = packages_of_study((ROOT / "pyproject.toml").read_text())
PLAIN = f"""
import importlib.util
import bayesbook as bb

for package in {sorted(STUDY)!r}:
    assert importlib.util.find_spec(package) is None, package
for name in dir(bb):
    if name != "study":
        getattr(bb, name)
asia = bb.load_network("asia")
post = bb.JunctionTree(asia).posteriors({{"xray": "yes"}})
assert round(float(post["lung"].P(lung="yes")), 4) == 0.4887
melons = bb.load_watermelon()
X, y = melons.drop(columns="good"), melons["good"]
assert bb.MixedNB().fit(X, y).score(X, y) > 0.8
"""
STUDIED = f"""
import importlib
from bayesbook.probability import bayes_rule
from bayesbook.study import drills, quiz
from bayesbook.study.exercises import check

for package in {sorted(STUDY)!r}:
    importlib.import_module(package)
assert len(quiz.names()) > 20
print(quiz.show(quiz.names()[0]))
print(drills.show("bayes", seed=19))

assert check("events/posterior", bayes_rule).passed
assert not check("events/posterior", lambda prior, likelihood: prior).passed
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", help="a folder for the wheel")
    keep = parser.parse_args(arguments).keep
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            folder,
            str(ROOT),
        )
        (wheel,) = place.glob("*.whl")
        venv.create(place / "env", with_pip=True)
        (python,) = [
            path
            for path in (
                place / "env" / "bin" / "python",
                place / "env" / "Scripts" / "python.exe",
            )
            if path.exists()
        ]
        run(python, "-m", "pip", "install", "--quiet", str(wheel))
        run(python, "-I", "-c", PLAIN, cwd=folder)
        run(python, "-m", "pip", "install", "--quiet", f"{wheel}[study]")
        run(python, "-I", "-c", STUDIED, cwd=folder, stdout=subprocess.DEVNULL)
        if keep:
            Path(keep).mkdir(exist_ok=True)
            shutil.copy(wheel, keep)
        print(f"{wheel.name}: the models alone, and with the extra study")


def run(*command, **options):
    subprocess.run([*map(str, command)], check=True, **options)


if __name__ == "__main__":
    main()
