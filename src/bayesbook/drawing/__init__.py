"""Figures in the style of the book, and drawings of what it is about.

===============================  ==============================================
:func:`subplots`                 a figure in the style of the book
:func:`describe`                 a figure in words, for whoever cannot see it
:func:`unit_square` and others   events: squares, trees, people, heat maps
:func:`draw_graph`               directed graphs, and plates of repeated nodes
:func:`draw_network`             a Bayesian network with its distributions
:func:`draw_junction_tree`       cliques and separators
:func:`draw_comparison`          a learned graph beside the true one
:func:`draw_simplex`             distributions of three categories
:func:`draw_chain`               the states and steps of a Markov chain
===============================  ==============================================
"""

from bayesbook.drawing.chains import draw_chain
from bayesbook.drawing.comparisons import draw_comparison
from bayesbook.drawing.descriptions import describe
from bayesbook.drawing.events import (
    event_grid,
    heat_map,
    people,
    tree,
    unit_square,
)
from bayesbook.drawing.figures import (
    BLUE,
    FILLS,
    GREEN,
    GREY,
    HATCHES,
    INK,
    ORANGE,
    PALE,
    PURPLE,
    BookFigure,
    Drawing,
    label_lines,
    legend_below,
    subplots,
    use_house_style,
)
from bayesbook.drawing.graphs import GraphDrawing, draw_graph, layered_layout
from bayesbook.drawing.junction_trees import draw_junction_tree
from bayesbook.drawing.network import NetworkDrawing, draw_network
from bayesbook.drawing.simplexes import draw_simplex

__all__ = [
    "BLUE",
    "FILLS",
    "GREEN",
    "GREY",
    "HATCHES",
    "INK",
    "ORANGE",
    "PALE",
    "PURPLE",
    "BookFigure",
    "Drawing",
    "GraphDrawing",
    "NetworkDrawing",
    "describe",
    "draw_chain",
    "draw_comparison",
    "draw_graph",
    "draw_junction_tree",
    "draw_network",
    "draw_simplex",
    "event_grid",
    "heat_map",
    "label_lines",
    "layered_layout",
    "legend_below",
    "people",
    "subplots",
    "tree",
    "unit_square",
    "use_house_style",
]
