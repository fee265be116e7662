"""Times callables in turns, so that all see the same state of the machine."""

import ctypes
import gc
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

STATUS = Path("/proc/self/status")


def compare(title, candidates, rounds=15):
    """Print the median time of each callable, and its ratio to the first."""
    times = {name: [] for name in candidates}
    for run in candidates.values():
        run()
    for _ in range(rounds):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(t) for name, t in times.items()}
    first = next(iter(medians.values()))
    print(title)
    for name, seconds in medians.items():
        print(f"  {name:<28} {seconds * 1e3:10.3f} ms  {seconds / first:6.2f}")


@dataclass(frozen=True)
class Cost:
    """What a callable took: median seconds, megabytes beyond the start."""

    seconds: float
    megabytes: float
    runs: int


def measure(candidates, rounds, budget):
    """Give the cost of each callable; Linux only.

    A callable is not run again when its runs have taken `budget` seconds.
    The memory is the greatest increase of the resident set in any run.
    """
    times = {name: [] for name in candidates}
    peaks = dict.fromkeys(candidates, 0.0)
    for _ in range(rounds):
        for name, run in candidates.items():
            if sum(times[name]) > budget:
                continue
            before = _start_watching()
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
            peaks[name] = max(peaks[name], _megabytes("VmHWM") - before)
    return {
        name: Cost(statistics.median(own), peaks[name], len(own))
        for name, own in times.items()
    }


def _start_watching():
    gc.collect()
    # Otherwise memory that one engine freed would hide what the next takes.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # resets VmHWM
    return _megabytes("VmRSS")


def _megabytes(key):
    for line in STATUS.read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) * 1024 / 1e6
    raise LookupError(key)
