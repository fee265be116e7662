"""Build the wheel, install it into an empty environment, and use it.

    python tests/clean_wheel.py [--keep FOLDER]

First as `pip install bayesbook` gives it: the models run, and what only the
chapters need is neither there nor asked for. Then with the extra `study`.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STUDY = ("markdown_it", "mdit_py_plugins", "yaml", "jsonschema")
PLAIN = f"""
import importlib.util
import bayesbook as bb

for package in {STUDY!r}:
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
STUDIED = """
from bayesbook.study import quiz
from bayesbook.study.exercises import check

assert len(quiz.names()) > 20
print(quiz.show(quiz.names()[0]))
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
