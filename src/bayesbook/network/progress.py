"""A progress bar for long computations."""

from __future__ import annotations

from contextlib import contextmanager

from bayesbook.base.numbers import as_bool


@contextmanager
def progress_bar(total, shown, unit):
    """Yield a function to call with the amount of work just done."""
    if not as_bool(shown, "`progress`"):
        yield lambda _: None
        return
    from tqdm import tqdm  # takes time to import

    with tqdm(total=total, unit=f" {unit}") as bar:
        yield bar.update
