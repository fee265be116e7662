"""Graphs in the questions of a quiz."""

import re
from math import dist

import networkx as nx
import numpy as np
import pytest
from bs4 import BeautifulSoup

from bayesbook.drawing import layered_layout
from bayesbook.graphs import random_dag
from bayesbook.study.quiz import Choice, Option
from bayesbook.study.quiz.graphs import ring, svg
from bayesbook.study.quiz.markdown import block, inline
from bayesbook.study.quiz.plain_text import plain_question

RADIUS = 16


def parsed(text):
    return BeautifulSoup(text, "html.parser")


def nodes_of(drawing):
    return {
        text.get_text(): (float(circle["cx"]), float(circle["cy"]))
        for circle, text in zip(
            [c for c in drawing.select("circle") if c["r"] == str(RADIUS)],
            drawing.select("text"),
            strict=True,
        )
    }


def edges_of(drawing):
    """Return start, control point and end of each line."""
    numbers = r"(-?\d+) (-?\d+)"
    lines = drawing.select("path")[0]["d"]
    return [
        [tuple(map(int, point)) for point in re.findall(numbers, line)]
        for line in lines.split("M")[1:]
    ]


def along(line, steps=50):
    """Yield points of a line from its start to its end."""
    (ax, ay), (bx, by), (cx, cy) = line
    for step in range(steps + 1):
        t = step / steps
        u = 1 - t
        yield (
            u * u * ax + 2 * u * t * bx + t * t * cx,
            u * u * ay + 2 * u * t * by + t * t * cy,
        )


@pytest.mark.parametrize("layout", [layered_layout, ring])
@pytest.mark.parametrize("seed", range(12))
def test_every_arrow_goes_from_node_to_node_and_past_the_others(layout, seed):
    graph = random_dag(4 + seed % 4, 0.4, rng=seed)
    drawing = parsed(svg(graph, layout(graph)))
    at = nodes_of(drawing)
    assert list(at) == list(graph)
    for (a, b), line in zip(graph.edges, edges_of(drawing), strict=True):
        assert dist(line[0], at[a]) == pytest.approx(RADIUS, abs=1.5)
        assert dist(line[-1], at[b]) == pytest.approx(RADIUS, abs=1.5)
        for other in set(graph) - {a, b}:
            near = min(dist(point, at[other]) for point in along(line))
            assert near > RADIUS + 4
    width, height = float(drawing.svg["width"]), float(drawing.svg["height"])
    for x, y in at.values():
        assert RADIUS < x < width - RADIUS
        assert RADIUS < y < height - RADIUS


def test_arrow_heads_are_at_the_ends():
    drawing = parsed(svg(nx.DiGraph([("A", "B")]), ring("AB")))
    [head] = drawing.select("path[fill]")
    tip = tuple(map(int, re.findall(r"\d+", head["d"])[:2]))
    assert dist(tip, nodes_of(drawing)["B"]) == pytest.approx(RADIUS, abs=1)


def test_what_is_observed_has_a_second_rim():
    graph = nx.DiGraph([("A", "B")])
    drawing = parsed(svg(graph, ring(graph), observed=["B"]))
    assert len(drawing.select("circle")) == 3
    [shaded] = drawing.select("circle[fill]")
    assert (float(shaded["cx"]), float(shaded["cy"])) == nodes_of(drawing)["B"]


def test_colours_are_those_of_the_text():
    graph = nx.DiGraph([("A", "B")])
    drawing = svg(graph, ring(graph), observed=["B"])
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', drawing))
    assert colours == {"none", "currentColor"}


def test_a_title_names_it_and_without_one_it_is_silent():
    graph = nx.DiGraph([("A", "B")])
    named = parsed(svg(graph, ring(graph), title="A <→> B")).svg
    assert named["role"] == "img"
    assert named.title.get_text() == "A <→> B"
    silent = parsed(svg(graph, ring(graph))).svg
    assert silent["aria-hidden"] == "true"
    assert silent.title is None


def test_a_ring_is_round():
    places = ring(["C", "A", "D", "B", "E"])
    assert list(places) == ["A", "B", "C", "D", "E"]
    assert {round(dist(p, (0, 0)), 2) for p in places.values()} == {0.94}
    steps = [dist(places[a], places[b]) for a, b in ("AB", "BC", "DE", "EA")]
    assert steps == pytest.approx([1.1] * 4, abs=0.01)
    assert ring(["A"]) == {"A": (0.0, 0.0)}


def test_a_question_says_how_nodes_are_placed():
    """Those of a chain stand below each other, or on a circle."""
    below = nodes_of(parsed(inline("![](graph:A->B->C->D)")))
    assert len({x for x, _ in below.values()}) == 1
    assert sorted(below, key=lambda node: below[node][1]) == list("ABCD")
    around = nodes_of(parsed(inline("![](ring:A->B->C->D)")))
    middle = np.mean([*around.values()], axis=0)
    radii = [dist(middle, place) for place in around.values()]
    assert radii == pytest.approx([radii[0]] * 4, abs=1)
    assert radii[0] > 2 * RADIUS


def test_a_question_shows_graphs():
    shown = parsed(block('![A graph](graph:A->B<-C,D "given B, D")'))
    assert shown.svg.title.get_text() == "A graph"
    assert [text.get_text() for text in shown.select("text")] == list("ABCD")
    assert len(shown.select("circle")) == 6
    assert "<svg" in inline("![](ring:A->B) $x$")
    assert "<svg" not in inline("![A photograph](photo.png)")
    assert 'src="photo.png"' in inline("![A photograph](photo.png)")


def test_plain_text_has_the_titles():
    options = (
        Option("![](ring:A->B) A → B", "", "", right=True),
        Option("neither", "", ""),
    )
    question = Choice(
        id="x",
        kind="single",
        level="recall",
        prompt='![Graph: A → B.](graph:A->B "given A")\n\nWhich?',
        options=options,
        keep_order=True,
    )
    assert plain_question(question, 1).splitlines() == [
        "Question 1 · Recall · choose one",
        "Graph: A → B.",
        "",
        "Which?",
        "  ( ) A. A → B",
        "  ( ) B. neither",
    ]
