"""Run the notebooks as an older processor would run them.

    python tests/other_cpu.py [ARGUMENTS OF PYTEST]

Wheels choose their machine code when they run: NumPy by what the processor
can do, OpenBLAS by its model.  This turns the choices of both back, and then
compares every notebook.  What changes in the last digits shows here first.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

from numpy._core import _multiarray_umath as umath

ROOT = Path(__file__).resolve().parents[1]


def dispatched_features():
    """Return the features that NumPy uses on this processor and can leave.

    Those that it was compiled to need cannot be turned off, and asking to
    turn off what the processor lacks would be answered by a warning.
    """
    present = umath.__cpu_features__
    return [name for name in umath.__cpu_dispatch__ if present.get(name)]


def other_cpu(environment):
    """Return the environment variables of a run on a lesser processor.

    Examples
    --------
    >>> other_cpu({"HOME": "/"})["OPENBLAS_NUM_THREADS"]
    '1'
    """
    intel = platform.machine().lower() in ("x86_64", "amd64")
    return environment | {
        "NPY_DISABLE_CPU_FEATURES": " ".join(dispatched_features()),
        "OPENBLAS_CORETYPE": "Prescott" if intel else "ARMV8",
        "OPENBLAS_NUM_THREADS": "1",
    }


def main():
    changed = other_cpu({})
    print(*(f"{name}={value}" for name, value in changed.items()), sep="\n")
    pytest = [sys.executable, "-m", "pytest", *(sys.argv[1:] or ["book"])]
    sys.stdout.flush()
    return subprocess.run(
        pytest, cwd=ROOT, env=os.environ | changed
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
