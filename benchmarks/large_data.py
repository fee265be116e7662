"""Learning from files larger than memory: prints a table in Markdown.

The tables of the network alarm are learned from rows in Parquet files, texts
as people store them: all read into memory, file by file as chunks, and by
two workers of a Dask cluster on the same machine. Each run is a process of its
own, whose greatest resident set is measured; all must find the same counts.
`--cost FILE` instead writes how seconds and memory grow with the rows, which
takes ten minutes or more, and a quarter of a gigabyte of disk. Linux only,
because of the memory.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from _side_by_side import describe_machine

from bayesbook.network import count_network, load_network

STATUS = Path("/proc/self/status")
METHODS = "memory", "chunks", "Dask"
# In one file, and so in a chunk and in a partition.
ROWS = 100_000
SIZES = 100_000, 1_000_000
LARGE_SIZES = (
    *(100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
    30_000_000,
)
# So many rows, as texts, are not brought into memory: they might not fit.
MOST_IN_MEMORY = 10_000_000
# More rows are measured once, fewer three times.
MOST_OFTEN = 3_000_000


def write(folder, first, last):
    """Write the rows from `first` to before `last`, some in each file."""
    net = load_network("alarm")
    for number in range(first // ROWS, last // ROWS):
        rows = net.sample(ROWS, rng=number).astype(str)
        rows.to_parquet(folder / f"{number:05}.parquet", index=False)


def files(folder, n_rows):
    """Give the files of the first rows."""
    return sorted(folder.glob("*.parquet"))[: n_rows // ROWS]


def from_memory(net, paths):
    """Count all rows at once."""
    return count_network(net, pd.read_parquet(paths)), 0


def from_chunks(net, paths):
    """Count them file by file."""
    return count_network(net, map(pd.read_parquet, paths)), 0


def from_dask(net, paths):
    """Count them at the workers of a cluster, which is there already."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            # Each of two workers keeps its codes: half of the rows.
            memory_limit="4GiB",
        ) as cluster,
        Client(cluster) as client,
    ):
        client.run(count_network, net, net.sample(10, rng=1))
        start = time.perf_counter()
        counts = count_network(net, dd.read_parquet(list(map(str, paths))))
        seconds = time.perf_counter() - start
        workers = sum(client.run(peak).values())
    return counts, workers, seconds


def peak():
    """Give the greatest resident set of this process, in bytes."""
    line = next(
        line for line in STATUS.read_text().splitlines() if "VmHWM" in line
    )
    return int(line.split()[1]) * 1024


def run_here(method, folder, n_rows):
    """Learn in this process, which does nothing else; print what it took."""
    net = load_network("alarm")
    count_network(net, net.sample(10, rng=1))
    learn = {
        "memory": from_memory, "chunks": from_chunks, "Dask": from_dask
    }[method]  # fmt: skip
    start = time.perf_counter()
    counts, others, *seconds = learn(net, files(Path(folder), n_rows))
    seconds = seconds or [time.perf_counter() - start]
    tables = b"".join(table.tobytes() for table in counts.tables.values())
    assert counts.total == n_rows
    print(
        json.dumps(
            {
                "seconds": seconds[0],
                "bytes": peak() + others,
                "counts": hashlib.sha256(tables).hexdigest(),
            }
        )
    )


def run(method, folder, n_rows):
    """Learn in a new process; nothing that this one did is measured."""
    command = [sys.executable, __file__, "--here", method, folder, str(n_rows)]
    print(*command[2:], file=sys.stderr)
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(out.stdout.splitlines()[-1])


def measure(folder, sizes):
    """Give what each method took for each number of rows."""
    written = 0
    for n_rows in sizes:
        write(folder, written, n_rows)
        written = n_rows
        size = sum(path.stat().st_size for path in files(folder, n_rows))
        counts = set()
        for method in METHODS:
            if method == "memory" and n_rows > MOST_IN_MEMORY:
                continue
            rounds = 3 if n_rows <= MOST_OFTEN else 1
            runs = [run(method, str(folder), n_rows) for _ in range(rounds)]
            counts |= {own["counts"] for own in runs}
            seconds = np.median([own["seconds"] for own in runs])
            memory = np.median([own["bytes"] for own in runs])
            yield n_rows, method, seconds, memory / 1e6, size / 1e6
        assert len(counts) == 1, "not the same counts"


if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cost", metavar="FILE")
    parser.add_argument("--folder", help="for the data; the disk has room")
    parser.add_argument("--here", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        method, data, n_rows = arguments.here
        run_here(method, data, int(n_rows))
        sys.exit()
    columns = ["rows", "method", "seconds", "megabytes", "on_disk"]
    folder = Path(tempfile.mkdtemp(dir=arguments.folder))
    try:
        if arguments.cost:
            with Path(arguments.cost).open("w", buffering=1) as file:
                print(*columns, sep=",", file=file)
                for n_rows, method, seconds, *rest in measure(
                    folder, LARGE_SIZES
                ):
                    sizes = ",".join(f"{own:.0f}" for own in rest)
                    print(
                        f"{n_rows},{method},{seconds:.3g},{sizes}", file=file
                    )
        else:
            describe_machine(
                "Data larger than memory",
                {"dask": version("dask"), "pyarrow": version("pyarrow")},
            )
            print("|", " | ".join(columns), "|")
            print("|", " | ".join("---" for _ in columns), "|")
            for n_rows, method, seconds, *rest in measure(folder, SIZES):
                sizes = " | ".join(f"{own:,.0f}" for own in rest)
                print(f"| {n_rows:,} | {method} | {seconds:.2f} | {sizes} |")
    finally:
        shutil.rmtree(folder)
