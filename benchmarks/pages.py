"""Opens pages of the built book on a slow phone, and says what they cost.

    make book chromium
    .venv/bin/python benchmarks/pages.py [--rounds 3] [PAGES]

Prints a table in Markdown.
"""

import argparse
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browsing import browser  # noqa: E402
from phone import DOWN, LATENCY, SCREEN, SLOWDOWN, served, visit  # noqa: E402

BUILT = ROOT / "_build" / "html"
PAGES = [
    "index.html",
    "book/conditioning/events.html",
    "book/networks/inference.html",
    "book/networks/learning.html",
]
COLUMNS = {
    "requests": "{:.0f}",
    "size": "{:,.0f}",
    "painted": "{:.1f}",
    "readable": "{:.1f}",
    "loaded": "{:.1f}",
    "longest_task": "{:.2f}",
    "shift": "{:.3f}",
}


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=PAGES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--built", type=Path, default=BUILT)
    options = parser.parse_args()
    print(
        f"{DOWN / 1e6:.1f} Mbit/s down, {1000 * LATENCY:.0f} ms before an "
        f"answer, processor slowed {SLOWDOWN} times, {SCREEN['width']} px, "
        f"nothing cached; medians of {options.rounds} visits.\n"
    )
    print(
        "| Page | Requests | Bytes | First paint, s | Formulas, s | Loaded, s "
        "| Longest task, s | Layout shift |\n"
        "| --- | --: | --: | --: | --: | --: | --: | --: |"
    )
    with browser() as chromium, served(options.built) as address:
        for page in options.pages:
            visits = [
                visit(chromium, f"{address}/{page}")
                for _ in range(options.rounds)
            ]
            cells = [
                median(form, [getattr(seen, name) for seen in visits])
                for name, form in COLUMNS.items()
            ]
            print(f"| {Path(page).stem} | {' | '.join(cells)} |", flush=True)


def median(form, values):
    """Write a median, or nothing where there is no value."""
    return "" if None in values else form.format(statistics.median(values))


if __name__ == "__main__":
    main()
