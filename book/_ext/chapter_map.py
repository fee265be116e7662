"""Draw the map of the chapters: an arrow is "you need".

The directive `{chapter-map}` leaves a place, which is filled when all pages
are read: then the chapters have their numbers. The drawing is inline SVG with
a link for each chapter, and the library routes its arrows, as those of any
graph in the book. Where somebody points, or the keyboard is, the style sheet
marks what is needed: no script runs.
"""

import textwrap
from html import escape
from pathlib import Path, PurePosixPath

import networkx as nx
import numpy as np
from docutils import nodes
from prerequisites import note_sources, prerequisites, shown, title, whole
from sphinx.util.docutils import SphinxDirective

from bayesbook.drawing.parts import Shape, edge_parts, find_routes

PLACE = '<div class="book-map-place"></div>'
LOOK = Path(__file__).with_suffix(".css")
# Lengths are in pixels of a phone, on which the map is as wide as its screen.
MARGIN = 2.0
LONGEST = 13  # letters in a line
LINE = 13.0
PAD = 4.5  # above and below two lines: large enough for a finger
WIDTH = 86.0
ACROSS, DOWN = 91.0, 66.0
UNIT = 56.0  # of the library's drawings

# Column and row of each chapter, set by eye: what is needed stands higher.
PLACES = {
    "events": (1.4, 0),
    "random_variables": (1.4, 1),
    "limit_theorems": (0, 2),
    "conditional_independence": (0.97, 2),
    "likelihood": (1.95, 2),
    "mcmc": (-0.1, 3),
    "three_variables": (0.87, 3),
    "map_and_bayes": (2.4, 3),
    "d_separation": (0.77, 4),
    "risk": (2.05, 4),
    "number_game": (3.05, 4),
    "representation": (0.72, 5),
    "decisions": (2.05, 5),
    "beta_binomial": (3.05, 5),
    "inference": (-0.1, 6),
    "dirichlet_multinomial": (2.1, 6),
    "naive_bayes": (1.65, 7),
    "gaussian_gamma": (3.05, 7.2),
    "features": (1.65, 8),
    "text": (2.7, 9),
    "semi_naive": (1.65, 9),
    "learning": (0.65, 10),
    "em": (0.3, 11),
    "large_data": (1.7, 11),
    "sequences": (1, 12),
}


def lines(number, name):
    """Return the lines of a box, in which "The" and "model" say nothing."""
    if name.startswith("The "):
        name = name[4:].removesuffix(" model").capitalize()
    name = name.replace(" and ", " & ")
    return textwrap.wrap(f"{number} {name}".strip(), LONGEST)


def layout(graph, texts):
    """Return the boxes of the chapters, and the curves of the arrows."""
    shapes = {}
    for page in graph:
        column, row = PLACES[PurePosixPath(page).name]
        shapes[page] = Shape(
            column * ACROSS / UNIT,
            row * DOWN / UNIT,
            WIDTH / 2 / UNIT,
            (LINE * max(2, len(texts[page])) / 2 + PAD) / UNIT,
            radius=5 / UNIT,
        )
    return shapes, find_routes(list(graph.edges), shapes, wide=True)


# --- As HTML ----------------------------------------------------------------


def points(*places):
    """Write points of a path, in pixels."""
    return " ".join(f"{UNIT * x:.1f} {UNIT * y:.1f}" for x, y in places)


def arrow(edge, curve, graph):
    """Write an arrow; one that stands for a part of a chapter is dashed."""
    first, last, corners = edge_parts(curve, ["head"])
    start, control, end = curve.between(first, last)
    kind = "part" if graph.edges[edge]["parts"] else "whole"
    line = f"M{points(start)}Q{points(control, end)}"
    head = f"M{points(*corners['head'])}Z"
    return (
        f'<g class="map-arrow map-{kind}" data-for="{users(edge[1], graph)}">'
        f'<path d="{line}"/><path class="map-head" d="{head}"/></g>'
    )


def users(page, graph):
    """Return the names of a chapter and of all that need it, with spaces."""
    after = {page} | nx.descendants(whole(graph), page)
    return " ".join(sorted(PurePosixPath(user).name for user in after))


def box(page, shape, text, about, graph):
    """Write a chapter: a link around its box and its lines."""
    x, y = UNIT * shape.x, UNIT * shape.y
    width, height = 2 * UNIT * shape.width, 2 * UNIT * shape.height
    first = y - LINE * (len(text) - 1) / 2 + LINE / 3
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{first + LINE * i:.1f}">{escape(line)}</tspan>'
        for i, line in enumerate(text)
    )
    name, address = PurePosixPath(page).name, escape(about["address"])
    return (
        f'<a id="map-{name}" href="{address}" data-for="{users(page, graph)}" '
        f'aria-label="{escape(about["spoken"])}">'
        f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" rx="5"/>'
        f"<text>{spans}</text></a>"
    )


def style(graph):
    """Return rules that mark what the chapter needs to which one points."""
    rules = []
    for page in graph:
        name = PurePosixPath(page).name
        rules.append(
            f".book-map:has(#map-{name}:is(:hover,:focus-visible)) "
            f'[data-for~="{name}"]'
        )
    marked = "{--map-line:var(--map-marked);--map-width:2.2}"
    return f"{LOOK.read_text('utf-8')}{','.join(rules)}{marked}"


def drawing(graph, chapters):
    """Write the map.

    Parameters
    ----------
    graph : networkx.DiGraph
        Of the chapters, with all that they need.
    chapters : dict
        Of each chapter its `number`, `name`, `address`, and what is `spoken`.

    Returns
    -------
    str
        HTML.
    """
    texts = {
        page: lines(about["number"], about["name"])
        for page, about in chapters.items()
    }
    shapes, curves = layout(shown(graph), texts)
    corners = [
        (s.x + i * s.width, s.y + i * s.height)
        for s in shapes.values()
        for i in (-1, 1)
    ]
    ends = UNIT * np.concatenate(
        [corners, *(c.steps for c in curves.values())]
    )
    left, top = ends.min(axis=0) - MARGIN
    width, height = np.ptp(ends, axis=0) + 2 * MARGIN
    arrows = [arrow(edge, curve, graph) for edge, curve in curves.items()]
    boxes = [
        box(page, shapes[page], texts[page], chapters[page], graph)
        for page in chapters
    ]
    return (
        f"<style>{style(graph)}</style>\n"
        '<svg class="book-map" role="group" aria-label="Map of the chapters" '
        f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}">\n'
        + "\n".join([*arrows, *boxes])
        + "\n</svg>"
    )


def spoken(number, name, before):
    """Return what a chapter is called, and what it needs directly."""
    told = f"{number} {name}".strip()
    return f"{told}. You need: {', '.join(before)}." if before else f"{told}."


class ChapterMap(SphinxDirective):
    """The place of the map."""

    def run(self):
        """Leave it: the numbers are known when all pages are read."""
        note_sources(self.env)
        return [nodes.raw("", PLACE, format="html")]


def fill_place(app, pagename, templatename, context, doctree):
    """Draw the map into its place."""
    if PLACE not in context.get("body", ""):
        return
    graph = prerequisites()
    chapters = {}
    for page in graph:
        numbers = app.env.toc_secnumbers.get(page, {}).get("", ())
        number = "".join(f"{each}." for each in numbers)
        before = [title(each) for each in shown(graph).predecessors(page)]
        chapters[page] = {
            "number": number,
            "name": title(page),
            "address": context["pathto"](page),
            "spoken": spoken(number, title(page), before),
        }
    written = drawing(graph, chapters)
    context["body"] = context["body"].replace(PLACE, written)


def setup(app):
    """Register with Sphinx."""
    app.add_directive("chapter-map", ChapterMap)
    app.connect("html-page-context", fill_place)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
