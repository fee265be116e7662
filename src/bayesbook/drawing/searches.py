"""Searches for a structure as a figure: the score against the steps."""

from __future__ import annotations

from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from bayesbook.drawing.figures import BLUE, GREY, INK, ORANGE, PURPLE
from bayesbook.network import SearchRun

__all__ = ["draw_search"]

# Kinds of moves in a figure: marker, filling, colour.
_MARKERS = {
    "add": ("^", "full", BLUE),
    "insert": ("^", "full", BLUE),
    "delete": ("v", "none", ORANGE),
    "reverse": ("D", "full", PURPLE),
    "turn": ("D", "full", PURPLE),
}


def draw_search(ax: Axes, run: SearchRun) -> None:
    """Draw the score against the steps of a search, with the kind of each.

    Additions, deletions and reversals of edges have markers of three shapes
    and colours; where the search restarts, the line is broken. The names of
    the markers are labels for a legend.

    Parameters
    ----------
    ax : Axes
    run : SearchRun
        The result of a search, such as :func:`bayesbook.network.hill_climb`.

    Raises
    ------
    TypeError
        If it is not a SearchRun.

    Examples
    --------
    >>> import networkx as nx
    >>> from bayesbook.drawing import describe, subplots
    >>> from bayesbook.network import Move, Step
    >>> path = [Step.of(Move("add", "A", "B"), 3.5, -10.5)]
    >>> empty = nx.empty_graph("AB", create_using=nx.DiGraph)
    >>> graph = nx.DiGraph(["AB"])
    >>> fig, ax = subplots(height=2)
    >>> draw_search(
    ...     ax, SearchRun(graph, -10.5, "BIC", tuple(path), empty, 3)
    ... )
    >>> print(describe(fig))
    Figure, 7 × 2 in
    Axes
      x "step": -0.05 to 1.05
      y "BIC (nats)": -14.18 to -10.32
      line, #6b6b6b - 1.2: x 0 1; y -14 -10.5
      line "start", #222222 marker o 7: x 0; y -14
      line "add", #0072b2 marker ^ 7: x 1; y -10.5
      line "best: -10.5", #222222 : 1.2: x 0 1; y -10.5 -10.5
    """
    require_run(run)
    scores = [first_score(run), *(step.score for step in run.path)]
    restarts = [at for at, step in enumerate(run.path, 1) if step.move is None]
    for start, end in pairwise([0, *restarts, len(scores)]):
        ax.plot(range(start, end), scores[start:end], "-", color=GREY, lw=1.2)
    starts = [0, *restarts]
    ax.plot(
        starts,
        [scores[at] for at in starts],
        ls="none",
        marker="o",
        color=INK,
        label="start",
    )
    for kind, (marker, filling, colour) in _MARKERS.items():
        places = [
            at
            for at, step in enumerate(run.path, 1)
            if step.move is not None and step.move.kind == kind
        ]
        if places:
            ax.plot(
                places,
                [scores[at] for at in places],
                ls="none",
                marker=marker,
                color=colour,
                fillstyle=filling,
                label=kind,
            )
    ax.plot(
        [0, len(run.path)],
        [run.score, run.score],
        ":",
        color=INK,
        lw=1.2,
        zorder=1,
        label=f"best: {run.score:,.1f}",
    )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="step", ylabel=f"{run.criterion} (nats)")


def require_run(run: SearchRun) -> None:
    """Raise a TypeError unless it is a SearchRun."""
    if not isinstance(run, SearchRun):
        raise TypeError(
            f"{type(run).__name__} is not a SearchRun, which searches such "
            "as bayesbook.network.hill_climb return."
        )


def first_score(run: SearchRun) -> float:
    """Return the score of the graph that a search starts from."""
    if not run.path:
        return run.score
    return run.path[0].score - run.path[0].delta
