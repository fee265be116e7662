"""A replay of a search in a real browser: colours, small screens, keys."""

from contextlib import ExitStack
from io import BytesIO

import networkx as nx
import numpy as np
import pytest
from browsing import WIDE, accessibility_problems
from PIL import Image
from playwright.sync_api import expect
from study.quiz.shown import write
from study.quiz.test_page import tab_to
from study.stepper.test_page import PHONE, contrast, luminance

from bayesbook.network import Move, SearchRun, Step
from bayesbook.study.stepper.replay import replay

NAMES = [f"VARIABLE{i}" for i in range(8)]
MOVES = [
    ("add", 0, 4),
    ("add", 1, 4),
    ("add", 2, 5),
    ("reverse", 0, 4),
    ("delete", 1, 4),
    ("add", 3, 6),
    ("add", 3, 7),
]


def shown():
    start = nx.DiGraph()
    start.add_nodes_from(NAMES)
    path = [
        Step.of(Move(kind, NAMES[tail], NAMES[head]), 1.5, -90.0 + at)
        for at, (kind, tail, head) in enumerate(MOVES)
    ]
    *_, last = SearchRun(start, 0, "BIC", tuple(path), start, 0).graphs()
    run = SearchRun(last, path[-1].score, "BIC", tuple(path), start, 60)
    # All in a row, wider than a telephone.
    places = {name: (2 * at, at % 3) for at, name in enumerate(NAMES)}
    return replay(run, positions=places)


SHOWN = shown()


@pytest.fixture
def visit(tab, tmp_path):
    with ExitStack() as visits:

        def visit(*, root="", body="", viewport=WIDE):
            path = tmp_path / "page.html"
            html = SHOWN._repr_mimebundle_()["text/html"]
            write(path, html, root, body)
            return visits.enter_context(tab.visit(path, viewport))

        yield visit
        assert tab.faults == []


def forward(page, times):
    for _ in range(times):
        page.get_by_role("button", name="Next").click()


def test_the_words_and_the_picture_go_together(visit):
    page = visit()
    for at, scene in enumerate(SHOWN.scenes):
        forward(page, min(at, 1))
        said = page.locator("[aria-live=polite]")
        expect(said).to_contain_text(scene.title)
        expect(said).to_contain_text(scene.text)
        expect(page.locator(".stepper-frame:visible")).to_have_count(1)
        picture = page.get_by_role("img")
        expect(picture).to_have_count(1)
    expect(picture).to_have_accessible_name(
        "Graph: VARIABLE4 → VARIABLE0, VARIABLE2 → VARIABLE5, "
        "VARIABLE3 → VARIABLE6, VARIABLE3 → VARIABLE7."
    )


def look(page, css):
    """Return how an element looks, and what it inherits."""
    return page.locator(f"[data-shown] {css}").evaluate(
        """node => {
          const css = getComputedStyle(node);
          return [css.color, css.strokeDasharray, css.strokeWidth];
        }"""
    )


@pytest.mark.parametrize(
    ("theme", "viewport"),
    [
        ({}, WIDE),
        ({}, PHONE),
        ({"root": "data-theme=dark"}, PHONE),
        ({"body": "data-jp-theme-light=false"}, WIDE),
    ],
    ids=["light", "light-phone", "dark-phone", "jupyterlab-dark"],
)
def test_accessible_in_every_theme_and_width(visit, theme, viewport):
    page = visit(viewport=viewport, **theme)
    ground = page.locator(".bayesbook-stepper").evaluate(
        "node => getComputedStyle(node).backgroundColor"
    )
    assert (luminance(ground) < 0.01) == bool(theme)
    looks = {}
    for steps, change in ((1, "added"), (3, "turned"), (1, "deleted")):
        forward(page, steps)
        looks[change] = look(page, f".replay-{change}")
        looks["plain"] = look(page, ".replay-graph")
    assert accessibility_problems(page) == []
    colours, dashes, _ = zip(*looks.values(), strict=True)
    assert len(set(colours)) == 4
    # An added edge is solid too, but thick.
    assert len(set(dashes)) == 3
    for colour, *_ in looks.values():
        assert contrast(ground, colour) >= 3
    widths = {change: float(each[2][:-2]) for change, each in looks.items()}
    for change in ("added", "turned", "deleted"):
        assert widths[change] > 2 * widths["plain"]
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= viewport["width"]


def test_a_wide_graph_is_scrolled_on_a_small_screen(visit):
    page = visit(viewport=PHONE)
    room = page.locator("[data-shown] .replay-room")
    measure = "node => [node.scrollLeft, node.scrollWidth - node.clientWidth]"
    at, most = room.evaluate(measure)
    assert at == 0
    assert most > 50
    tab_to(page, room)
    title = page.locator("[aria-live=polite] .stepper-title").inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "document.querySelector('[data-shown] .replay-room').scrollLeft > 0"
    )
    # The keys of the picture do not go to another frame.
    expect(page.locator("[aria-live=polite]")).to_contain_text(title)


def test_edges_are_seen(visit):
    """A changed edge has its colour on the screen, and others the text's."""
    page = visit()
    forward(page, 1)
    colour, *_ = look(page, ".replay-added")
    rgb = np.array(
        colour.removeprefix("rgb(").removesuffix(")").split(","), dtype=int
    )
    shot = page.get_by_role("img").screenshot()
    pixels = np.asarray(Image.open(BytesIO(shot)).convert("RGB"), dtype=int)
    near = (np.abs(pixels - rgb).sum(axis=-1) < 40).sum()
    assert near > 100
