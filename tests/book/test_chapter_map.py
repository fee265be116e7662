"""The map of the chapters: whole, readable on a phone, and easily followed."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import chapter_map
import networkx as nx
import pytest
from chapter_map import PLACES, drawing, layout, lines, spoken
from playwright.sync_api import expect
from prerequisites import prerequisites, shown, title, whole

from bayesbook.drawing.parts import check_apart, count_hidden

GRAPH = prerequisites()
PHONE = 360 - 2 * 4  # pixels: the map takes of the margins all but four
SMALLEST_LETTERS = 9
SMALLEST_TARGET = 24
FRONT = "index.html"


def name(page):
    return page.rpartition("/")[2]


CHAPTERS = {
    page: {
        "number": f"{number}.",
        "name": title(page),
        "address": f"{page}.html",
        "spoken": spoken(f"{number}.", title(page), []),
    }
    for number, page in enumerate(GRAPH, 1)
}
TEXTS = {p: lines(c["number"], c["name"]) for p, c in CHAPTERS.items()}
SHAPES, CURVES = layout(shown(GRAPH), TEXTS)


@pytest.fixture(scope="module")
def svg():
    html = drawing(GRAPH, CHAPTERS)
    return ET.fromstring(html[html.index("<svg") :])


def scale_on_a_phone(svg):
    return PHONE / float(svg.get("viewBox").split()[2])


# --- Its parts --------------------------------------------------------------


def test_every_chapter_has_a_place():
    assert {*PLACES} == {name(page) for page in GRAPH}


def test_no_box_covers_another_or_an_arrow():
    check_apart(SHAPES)
    assert count_hidden(CURVES, SHAPES) == 0


def test_every_arrow_leads_down():
    for before, after in GRAPH.edges:
        assert PLACES[name(before)][1] < PLACES[name(after)][1]


@pytest.mark.parametrize(
    ("number", "title", "written"),
    [
        ("10.", "The number game", ["10. Number", "game"]),
        ("12.", "The beta-binomial model", ["12. Beta-", "binomial"]),
        (
            "",
            "Gaussian and gamma families",
            ["Gaussian &", "gamma", "families"],
        ),
        ("5.", "d-separation", ["5.", "d-separation"]),
    ],
)
def test_a_title_is_written_in_short_lines(number, title, written):
    assert lines(number, title) == written


def test_a_chapter_is_a_link_that_says_what_it_needs(svg):
    links = svg.findall("a")
    assert [link.get("href") for link in links] == [
        f"{page}.html" for page in GRAPH
    ]
    assert [link.get("aria-label") for link in links] == [
        about["spoken"] for about in CHAPTERS.values()
    ]
    assert spoken("2.", "B", ["A", "C"]) == "2. B. You need: A, C."
    assert spoken("", "A", []) == "A."


def test_dashed_arrows_stand_for_parts(svg):
    parts = [e for e in shown(GRAPH).edges if GRAPH.edges[e]["parts"]]
    groups = [g.get("class").split()[1] for g in svg.findall("g")]
    assert groups.count("map-part") == len(parts) > 0
    assert groups.count("map-whole") == len(shown(GRAPH).edges) - len(parts)


def test_what_a_chapter_needs_is_marked_with_it(svg):
    html = drawing(GRAPH, CHAPTERS)
    page = "book/networks/learning"
    pointed = "#map-learning:is(:hover,:focus-visible)"
    assert f'.book-map:has({pointed}) [data-for~="learning"]' in html
    marked = {
        link.get("id").removeprefix("map-")
        for link in svg.findall("a")
        if "learning" in link.get("data-for").split()
    }
    needed = nx.ancestors(whole(GRAPH), page)
    assert marked == {name(each) for each in needed | {page}}


# --- On a phone -------------------------------------------------------------


def test_letters_can_be_read_and_boxes_be_hit_on_a_phone(svg):
    scale = scale_on_a_phone(svg)
    style = chapter_map.LOOK.read_text("utf-8")
    letters = float(re.search(r"font-size: ([\d.]+)px", style)[1])
    assert letters * scale >= SMALLEST_LETTERS
    boxes = svg.findall("a/rect")
    assert min(float(b.get("height")) for b in boxes) * scale >= (
        SMALLEST_TARGET
    )


# --- In the page ------------------------------------------------------------


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_words_lie_in_their_boxes(tab, site, width, colours):
    with tab.visit(site / FRONT, {"width": width, "height": 800}) as page:
        page.emulate_media(color_scheme=colours)
        beyond = page.locator(".book-map a").evaluate_all(
            """links => links.filter(link => {
                const box = link.querySelector("rect").getBoundingClientRect();
                const text = link.querySelector("text")
                    .getBoundingClientRect();
                return text.left < box.left || text.right > box.right
                    || text.top < box.top || text.bottom > box.bottom;
            }).map(link => link.id)"""
        )
        assert beyond == []
        assert page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth"
        )


def test_pointing_or_the_keyboard_marks_what_is_needed(tab, site):
    with tab.visit(site / FRONT) as page:
        edge = page.locator("#map-events rect")
        plain = edge.evaluate("node => getComputedStyle(node).stroke")
        page.locator("#map-learning").hover()
        expect(edge).not_to_have_css("stroke", plain)
        aside = page.locator("#map-mcmc rect")
        expect(aside).to_have_css("stroke", plain)
        page.mouse.move(0, 0)
        expect(edge).to_have_css("stroke", plain)
        page.locator("#map-random_variables").focus()
        page.keyboard.press("Tab")
        expect(page.locator("#map-conditional_independence")).to_be_focused()
        expect(edge).not_to_have_css("stroke", plain)
        page.keyboard.press("Enter")
        page.wait_for_url("**/conditional_independence.html")
        assert tab.faults == []


def test_the_chapters_of_the_map_have_their_numbers(tab, site):
    with tab.visit(site / FRONT) as page:
        first = page.locator("#map-events")
        expect(first).to_have_attribute("aria-label", "1. Events.")
        numbers = [
            int(found[1])
            for label in page.locator(".book-map a").evaluate_all(
                "links => links.map(link => link.ariaLabel)"
            )
            if (found := re.match(r"(\d+)\. ", label))
        ]
        assert all(b == a + 1 for a, b in pairwise(numbers))
