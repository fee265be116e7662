"""Programs that must print the same whatever the hash seed of Python is."""

import os
import subprocess
import sys


def printed_by(program, seeds=("0", "1")):
    """Run a program with each seed, and give the set of what it printed."""
    path = os.pathsep.join(map(str, filter(None, sys.path)))
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in seeds
    }
