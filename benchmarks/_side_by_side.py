"""Times callables in turns, so that all see the same state of the machine."""

import argparse
import ctypes
import gc
import importlib
import os
import platform
import statistics
import sys
import time
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

OURS = "bayesbook"
STATUS = Path("/proc/self/status")
# How often each engine runs; once is enough to see that a script works.
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
# An engine that has taken so many seconds for a task is not run again.
BUDGET = 40


def optional(name):
    """Import a peer, or return None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def options(description, sections):
    """Return the options of a script that prints a table."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--only",
        default="",
        choices=["", *(section.__name__ for section in sections)],
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    return parser


def describe_machine(title, peers):
    """Print what the figures depend on.

    Parameters
    ----------
    title : str
    peers : dict
        From the name of each optional peer to what `optional` gave, or to a
        version, or to None.
    """
    cpu = next(
        line.split(":")[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = dict.fromkeys(["numpy", "scipy", "scikit-learn"], True) | peers
    absent = [name for name, part in peers.items() if not part]
    versions = [
        f"{name} {part if isinstance(part, str) else version(name)}"
        for name, part in parts.items()
        if part
    ]
    print(f"# {title}\n")
    print(f"{os.cpu_count()} cores of {cpu}, {memory:.0f} GiB of memory;")
    print(f"Python {platform.python_version()}, {', '.join(versions)}.")
    print(f"Peers that were absent: {', '.join(absent) or 'none'}.\n")


class Report:
    """Runs tasks, and prints a row for each engine.

    Parameters
    ----------
    rounds : int
        How often each engine runs, if it does not use up the budget.
    peer : str, optional
        The engine whose memory ours is held against, where a task names no
        other.
    elsewhere : collection of str
        Engines in processes of their own, whose memory is not seen.
    """

    def __init__(self, rounds, peer=None, elsewhere=()):
        self.rounds = rounds
        self.peer = peer
        self.elsewhere = elsewhere
        self.missed = []
        self.notes = []

    def run(self, sections, only=""):
        """Print the table, then notes, then what was missed."""
        row(
            "Task",
            "Engine",
            "Median, ms",
            "Ratio",
            "Target",
            "Extra memory, MB",
            "Runs",
        )
        row("---", "---", "--:", "--:", "---", "--:", "--:")
        for section in sections:
            if only in ("", section.__name__):
                section(self)
        for note in self.notes:
            print(f"\n{note}")
        if self.missed:
            print("\nMissed:\n")
        for missed in self.missed:
            print(f"- {missed}")

    def task(
        self,
        title,
        engines,
        *,
        targets=None,
        limit=None,
        tolerance=1e-9,
        peer=None,
        calls=None,
    ):
        """Compare answers, then time all engines in turns.

        Parameters
        ----------
        title : str
        engines : dict
            From the name of an engine to the callable that is timed, and the
            function that makes an array of its result. Ours is first.
        targets : dict, optional
            From the name of an engine to how many times as fast ours should
            be.
        limit : float, optional
            How many seconds ours should take at most.
        tolerance : float
            How far answers may be apart.
        peer : str, optional
            The engine whose memory ours is held against.
        calls : dict, optional
            From the name of an engine to how often a run of it does the
            work, if not once; the figures are for doing it once.

        Returns
        -------
        dict
            From the name of an engine to its cost.
        """
        print(title, file=sys.stderr)
        expected = None
        for run, read in engines.values():
            answer = read(run())
            expected = answer if expected is None else expected
            np.testing.assert_allclose(
                answer, expected, rtol=tolerance, atol=tolerance
            )
        costs = measure(
            {name: run for name, (run, _) in engines.items()},
            self.rounds,
            BUDGET,
        )
        for name, times_done in (calls or {}).items():
            seconds = costs[name].seconds / times_done
            costs[name] = replace(costs[name], seconds=seconds)
        first, peer = next(iter(engines)), peer or self.peer
        ours = costs[first]
        for name, cost in costs.items():
            ratio = cost.seconds / ours.seconds
            wanted, is_missed = "", False
            if least := (targets or {}).get(name):
                wanted, is_missed = f"at least {least:g}", ratio < least
                reached = f"{ratio:.2f} times as fast as {name}"
            if limit and name == first:
                wanted = f"below {limit:g} s"
                is_missed = cost.seconds >= limit
                reached = f"{cost.seconds:.3g} s"
            if is_missed:
                self.missed.append(f"{title}: {reached}, not {wanted}")
                wanted += ", **missed**"
            if name == peer and cost.megabytes < ours.megabytes - 1:
                self.missed.append(
                    f"{title}: {ours.megabytes:.0f} MB, {name} "
                    f"{cost.megabytes:.0f} MB"
                )
            unseen = name in self.elsewhere
            row(
                title if name == first else "",
                name,
                milliseconds(cost.seconds),
                times(ratio),
                wanted,
                "" if unseen else f"{max(cost.megabytes, 0):.0f}",
                cost.runs,
            )
        return costs


def milliseconds(seconds):
    """Show a time."""
    return f"{seconds * 1e3:,.{1 if seconds > 1e-3 else 3}f}"


def times(ratio):
    """Show a ratio."""
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def row(*cells):
    """Print a row of the table."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def compare(title, candidates, rounds=2 * ROUNDS + 1):
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


def measure(candidates, rounds, budget, clock=time.perf_counter):
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
            start = clock()
            run()
            times[name].append(clock() - start)
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
