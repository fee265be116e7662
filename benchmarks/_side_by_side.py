"""Times callables in turns, so that all see the same state of the machine."""

import statistics
import time


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
