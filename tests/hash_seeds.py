"""Programs that must print the same whatever the hash seed of Python is."""

import atexit
import json
import os
import subprocess
import sys
from functools import cache

# Runs one program after the other, so that imports are not repeated.
RUNNER = """
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    printed, error = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(printed):
            exec(json.loads(line), {"__name__": "__main__"})
    except BaseException:
        error = traceback.format_exc()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


def printed_by(program, seeds=("0", "1")):
    """Run a program with each seed, and give the set of what it printed."""
    runners = [runner(seed) for seed in seeds]
    for process in runners:
        print(json.dumps(program), file=process.stdin, flush=True)
    results = [json.loads(process.stdout.readline()) for process in runners]
    for _, error in results:
        assert error is None, error
    return {printed for printed, _ in results}


@cache
def runner(seed):
    """Start a Python with a hash seed, which ends when this one ends."""
    path = os.pathsep.join(map(str, filter(None, sys.path)))
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER],
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    # Leaving the context closes the pipes, and waits.
    atexit.register(process.__exit__, None, None, None)
    return process
