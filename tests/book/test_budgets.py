"""What the pages cost a phone stays within a budget.

No clock decides here: a busy machine would answer otherwise.
`benchmarks/pages.py` takes the time, too.
"""

import pytest
from formulas import FONTS
from looking import never_idle
from phone import phone, served, visit

START = "index.html"
CHAPTERS = [
    "book/conditioning/events.html",
    "book/networks/inference.html",
    "book/networks/learning.html",
]
# Seconds that the first picture may wait for the network: of the four until
# formulas can be read one is left for a slow processor.
LONGEST_WAIT = 3
MOST_SHIFT = 0.05
# Elements that get a style while a page loads; a chapter has some 25,000.
FINISHED = "Document::FinishedParsing"
MOST_STYLED = 6000
MOST_STYLED_AT_THE_END = 600


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module", params=[START, *CHAPTERS])
def visited(chromium, address, request):
    """Open a page as a phone would with our processor."""
    fonts = len(FONTS) if request.param in CHAPTERS else 0
    return visit(
        chromium, f"{address}/{request.param}", slowdown=1, fonts_first=fonts
    )


def test_nothing_jumps(visited):
    assert visited.shift < MOST_SHIFT


def test_formulas_are_whole_when_they_are_first_seen(visited):
    """With the fonts alone that a page announces, before it has its style."""
    assert len(visited.sizes) <= 1
    assert visited.wait < LONGEST_WAIT


def styled(page, address):
    """Open a page; return how many elements it has styled, each time again.

    The second number says how many of them were styled in the task in which
    the browser came to the end of the page.
    """
    tools = page.context.new_cdp_session(page)
    events, ended = [], []
    tools.on(
        "Tracing.dataCollected", lambda some: events.extend(some["value"])
    )
    tools.on("Tracing.tracingComplete", lambda end: ended.append(end))
    categories = ["blink", "devtools.timeline"]
    tools.send(
        "Tracing.start", {"traceConfig": {"includedCategories": categories}}
    )
    page.goto(address)
    page.wait_for_load_state("networkidle")
    tools.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    stylings = [
        event for event in events if event["name"] == "UpdateLayoutTree"
    ]
    # The tools' own frames and empty documents end, too, but much sooner.
    end = max(
        (
            event
            for event in events
            if event["name"] == FINISHED and "dur" in event
        ),
        key=lambda event: event["dur"],
    )
    last = [
        event
        for event in stylings
        if 0 <= event["ts"] - end["ts"] <= end["dur"]
    ]
    return [
        sum(event["args"].get("elementCount", 0) for event in some)
        for some in (stylings, last)
    ]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_phone_prepares_only_what_is_near(chromium, address, chapter):
    """Though the browser looks for fields to fill in on the whole page."""
    with phone(chromium) as page, never_idle(page):
        total, at_the_end = styled(page, f"{address}/{chapter}")
    assert 0 < total < MOST_STYLED
    assert 0 < at_the_end < MOST_STYLED_AT_THE_END
