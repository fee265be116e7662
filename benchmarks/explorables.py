"""Drags the sliders of explorables on a slow phone, and notes long tasks.

    make book chromium
    .venv/bin/python benchmarks/explorables.py [--built FOLDER]

Prints a table in Markdown. A browser names tasks of more than 50 ms, and what
is shorter nobody feels.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browsing import browser  # noqa: E402
from phone import SCREEN, SLOWDOWN, phone  # noqa: E402

BUILT = ROOT / "_build" / "html"
MOVES = 40
# Only what comes from now on counts, not what loading the page took.
WATCH = """
() => {
  window.tasks = [];
  new PerformanceObserver(list => window.tasks.push(
    ...list.getEntries().map(task => task.duration)
  )).observe({type: "longtask"});
}
"""


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--built", type=Path, default=BUILT)
    built = parser.parse_args().built
    pages = [
        path
        for path in sorted(built.glob("**/*.html"))
        if 'class="bayesbook-explore' in path.read_text("utf-8")
    ]
    print(
        f"Processor slowed {SLOWDOWN} times, {SCREEN['width']} px; each "
        f"slider is dragged from end to end in {MOVES} moves.\n\n"
        "| Page | Slider | Tasks over 50 ms | Longest, ms |\n"
        "| --- | --- | --: | --: |"
    )
    with browser() as chromium:
        for path in pages:
            for name, tasks in dragged(chromium, path):
                longest = f"{max(tasks):.0f}" if tasks else ""
                print(f"| {path.stem} | {name} | {len(tasks)} | {longest} |")


def dragged(chromium, path):
    """Yield the name of each slider of a page, and the long tasks."""
    with phone(chromium) as page:
        page.goto(path.as_uri())
        page.wait_for_load_state("networkidle")
        sliders = page.locator(".bayesbook-explore input[type=range]").all()
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        for slider in sliders:
            slider.scroll_into_view_if_needed()
            page.wait_for_timeout(500)
            page.evaluate(WATCH)
            box = slider.bounding_box()
            height = box["y"] + box["height"] / 2
            page.mouse.move(box["x"] + 5, height)
            page.mouse.down()
            page.mouse.move(box["x"] + box["width"] - 5, height, steps=MOVES)
            page.mouse.up()
            page.wait_for_timeout(500)
            yield slider.get_attribute("name"), page.evaluate("tasks")


if __name__ == "__main__":
    main()
