"""Print the lowest versions that `pyproject.toml` promises, as pins.

    python tests/lowest.py > lowest.txt
    pip install --constraint lowest.txt -e ".[study,dask,library-tests]"

With these the tests of the library run, so that a promise is not a guess.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def lowest(project):
    """Return the pins of the library and of its extras.

    Examples
    --------
    >>> lowest({"dependencies": ["numpy>=2.0"],
    ...         "optional-dependencies": {"study": ["pyyaml>=6"],
    ...                                   "dask": ["dask[array]>=2025.1"]}})
    ['numpy==2.0', 'pyyaml==6', 'dask==2025.1']
    """
    promised = [
        *project["dependencies"],
        *project["optional-dependencies"]["study"],
        *project["optional-dependencies"]["dask"],
    ]
    # A constraint must not name extras.
    return [re.sub(r"(\[.*\])?>=", "==", promise) for promise in promised]


if __name__ == "__main__":
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    print("\n".join(lowest(tomllib.loads(text)["project"])))
