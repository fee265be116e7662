"""The simulation of another processor does what it says, without a word."""

import os
import subprocess
import sys

import other_cpu

PROBE = """
from numpy._core import _multiarray_umath as umath
from scipy import linalg
from threadpoolctl import threadpool_info

print(*(name for name, on in umath.__cpu_features__.items() if on))
for pool in threadpool_info():
    if pool["internal_api"] == "openblas":
        print(pool["architecture"], pool["num_threads"])
"""


def test_numpy_and_openblas_take_the_older_processor_without_warning():
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROBE],
        env=other_cpu.other_cpu(dict(os.environ)),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    features, *pools = run.stdout.splitlines()
    assert not set(features.split()) & set(other_cpu.dispatched_features())
    assert pools, "NumPy and SciPy bring OpenBLAS"
    # OpenBLAS has one core for Katmai and Prescott, and names it by the first.
    assert set(pools) <= {"Katmai 1", "Prescott 1", "armv8 1"}
