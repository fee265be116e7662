"""Draw the picture that a link to the book brings along: title and map."""

import textwrap
from pathlib import Path

import numpy as np
from chapter_map import layout, lines
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from prerequisites import prerequisites, shown, title

from bayesbook.drawing.parts import edge_parts

CARD = "_static/card.png"
WIDTH, HEIGHT = 1200, 630  # pixels, as such services ask
PAPER, INK, LINE, MARK = "#1d3557", "#ffffff", "#9fb3cc", "#f4b740"


def draw(name, subtitle):
    """Return the picture."""
    figure = Figure((WIDTH / 100, HEIGHT / 100), facecolor=PAPER)
    words = {"color": INK, "va": "top", "fontfamily": "sans-serif"}
    figure.text(0.06, 0.72, name, fontsize=54, fontweight="bold", **words)
    wrapped = "\n".join(textwrap.wrap(subtitle, 24))
    figure.text(0.06, 0.52, wrapped, fontsize=27, **words)
    axes = figure.add_axes((0.6, 0.03, 0.38, 0.94), aspect="equal")
    axes.set_axis_off()
    graph = shown(prerequisites())
    shapes, curves = layout(graph, {p: lines("", title(p)) for p in graph})
    for curve in curves.values():
        first, last, corners = edge_parts(curve, ["head"])
        axes.plot(*curve(np.linspace(first, last, 41)).T, color=LINE, lw=1)
        axes.add_patch(Polygon(corners["head"], color=LINE))
    for s in shapes.values():
        corner = (s.x - s.width, s.y - s.height)
        round_box = f"round,pad=0,rounding_size={s.radius}"
        axes.add_patch(
            FancyBboxPatch(
                corner, 2 * s.width, 2 * s.height, round_box, fc=MARK, ec=PAPER
            )
        )
    axes.autoscale_view()
    axes.invert_yaxis()
    return figure


def write(app, exception):
    """Write it among the files of the pages."""
    if exception or app.builder.name != "html":
        return
    name, _, subtitle = app.config.html_title.partition(": ")
    draw(name, f"{subtitle}.").savefig(Path(app.outdir, CARD), dpi=100)


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
