"""Moves explorables on a slow phone, and notes long tasks.

    make book chromium
    .venv/bin/python benchmarks/explorables.py [--built FOLDER] [PAGE ...]

Prints a table in Markdown. A browser calls tasks of more than 50 ms long, and
what is shorter nobody feels. A task's time is that of the processor in it, and
the phone's is four times that: to slow the processor down instead would count
what else a machine does. What the measuring asks of a page is left out.

Other programs take a processor's caches, and its speed, all the same. So each
page is opened several times, and of each part the visit counts in which its
longest task was the shortest: what the page itself costs, it costs each time.
"""

import argparse
import sys
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browsing import browser  # noqa: E402
from phone import SCREEN, SLOWDOWN, phone  # noqa: E402

BUILT = ROOT / "_build" / "html"
VISITS = 3
MOVES = 40
LONG = 50  # milliseconds
# The dearest state to start from, where it is not that of the page: a graph
# with an arrow between all nodes but the ends; no number that excludes a
# concept; flat densities, whose dots are all large, and urns with all draws;
# the grid after its middle, which joins all the neighbours of it; a long path
# through wines; lids that are all known; short steps, whose autocorrelations
# are added up to far lags.
PAIRS = [a + b for a, b in combinations("ABCDEF", 2) if a + b != "AF"]
FROM = {
    "d-separation": "&".join(f"{pair}=1" for pair in PAIRS),
    "dirichlet-multinomial": "a1=4&a2=4&a3=4&n1=0&n2=0&n3=0&draws=190",
    "elimination": "graph=3&grid=5",
    "em": "model=2&a=60&b=30&steps=180&basins=1",
    "hidden-markov": "stickiness=70&until=6",
    "metropolis": "target=1&scale=0&a=0&b=1000",
    "number-game": "x1=0",
}
GRIPS = "[data-moves]:visible, .explore-begin:visible"
# What is clicked, up to so many parts of a kind.
CLICKED = {
    "data-turns": "clicks in the picture",
    "data-sets": "clicks on buttons",
    "data-steps": "clicks on steps",
    "data-ticks": "ticks",
}
CLICKS = 12
TASK = "ThreadControllerImpl::RunTask"


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--built", type=Path, default=BUILT)
    parser.add_argument("pages", nargs="*", help="such as events; else all")
    asked = parser.parse_args()
    pages = [
        path
        for path in sorted(asked.built.glob("**/*.html"))
        if 'class="bayesbook-explore' in path.read_text("utf-8")
        and (not asked.pages or path.stem in asked.pages)
    ]
    print(
        f"Processor {SLOWDOWN} times as slow, {SCREEN['width']} px; what can "
        f"be dragged is dragged from end to end in {MOVES} moves, and what "
        f"can be clicked is clicked; the best of {VISITS} visits.\n\n"
        "| Page | Part | Tasks over 50 ms | Longest, ms |\n"
        "| --- | --- | --: | --: |"
    )
    with browser() as chromium:
        for path in pages:
            visits = [list(moved(chromium, path)) for _ in range(VISITS)]
            for parts in zip(*visits, strict=True):
                name, tasks = min(parts, key=lambda part: max(part[1]))
                count = sum(task > LONG for task in tasks)
                print(
                    f"| {path.stem} | {name} | {count} | {max(tasks):.0f} |",
                    flush=True,
                )


def moved(chromium, path):
    """Yield what is moved on a visit, and the times of the tasks."""
    with phone(chromium) as page:
        page.goto(path.resolve().as_uri())
        page.wait_for_load_state("networkidle")
        roots = page.locator(".bayesbook-explore").all()
        for root in roots:
            start = FROM.get(root.get_attribute("data-name"))
            if start:
                page.evaluate(
                    "hash => { location.hash = hash; }",
                    f"{root.get_attribute('id')}?{start}",
                )
            for slider in root.locator("input[type=range]:visible").all():
                way = from_end_to_end(slider)
                with traced(page) as tasks:
                    drag(page, way)
                yield f"slider {slider.get_attribute('name')}", tasks
            for grip in root.locator(GRIPS).all():
                way = through_the_picture(grip)
                with traced(page) as tasks:
                    drag(page, way)
                yield f"grip {grip.get_attribute('data-drawn')}", tasks
            for kind, word in CLICKED.items():
                found = []
                for part in root.locator(f"[{kind}]:visible").all()[:CLICKS]:
                    place = middle(box_of(part))
                    with traced(page) as tasks:
                        page.mouse.click(*place)
                    found += tasks
                if found:
                    yield word, found


def box_of(part):
    """Bring a part to the middle of the screen; return where it is."""
    part.evaluate("part => part.scrollIntoView({block: 'center'})")
    part.page.wait_for_timeout(500)
    return part.bounding_box()


def middle(box):
    """Return the middle of a box."""
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def from_end_to_end(slider):
    """Return the points between which a pointer drags a slider."""
    box = box_of(slider)
    _, y = middle(box)
    return [(box["x"] + 5, y), (box["x"] + box["width"] - 5, y)]


def through_the_picture(grip):
    """Return the points between which a pointer drags a grip."""
    x, y = middle(box_of(grip.locator("circle").last))
    svg = grip.locator("xpath=ancestor::*[name()='svg']").bounding_box()
    along = grip.get_attribute("data-moves")
    if along is None:  # in any direction
        ends = [
            (svg["x"] + share * svg["width"], svg["y"] + share * svg["height"])
            for share in (0.75, 0.25)
        ]
    elif along.endswith("right"):
        ends = [(svg["x"] + share * svg["width"], y) for share in (0.85, 0.15)]
    else:
        ends = [
            (x, svg["y"] + share * svg["height"]) for share in (0.85, 0.15)
        ]
    return [(x, y), *ends]


def drag(page, way):
    """Drag what is at the first of some points to the others."""
    start, *others = way
    page.mouse.move(*start)
    page.mouse.down()
    for place in others:
        page.mouse.move(*place, steps=MOVES // len(others))
    page.mouse.up()


@contextmanager
def traced(page):
    """Trace the tasks of a block; give a list that their times join."""
    session = page.context.new_cdp_session(page)
    events, ended, times = [], [], []
    session.on(
        "Tracing.dataCollected", lambda some: events.extend(some["value"])
    )
    session.on("Tracing.tracingComplete", lambda end: ended.append(end))
    session.send(
        "Tracing.start",
        {
            "transferMode": "ReportEvents",
            "traceConfig": {
                "includedCategories": ["toplevel", "devtools.timeline"]
            },
        },
    )
    yield times
    page.wait_for_timeout(500)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.detach()
    times += times_of(events)


def times_of(events):
    """Return the times of the tasks of pages, in milliseconds of a phone."""
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name"
        and event["args"]["name"] == "CrRendererMain"
    }
    ours = [
        event
        for event in events
        if event["ph"] == "X" and (event["pid"], event["tid"]) in threads
    ]
    asked = [
        event["ts"]
        for event in ours
        if "DevToolsSession" in str(event["args"])
    ]
    return [
        SLOWDOWN * event["tdur"] / 1000
        for event in ours
        if event["name"] == TASK
        and "tdur" in event
        and not any(
            event["ts"] <= ts <= event["ts"] + event["dur"] for ts in asked
        )
    ]


if __name__ == "__main__":
    main()
