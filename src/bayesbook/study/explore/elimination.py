"""Variable elimination: the reader chooses which node is eliminated next."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from math import hypot, log

import networkx as nx

from bayesbook.study.explore.elimination_orders import (
    PUZZLES,
    Cost,
    Puzzle,
    Step,
)
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    listed,
    part,
    style,
    tenth,
)

_PUZZLES = {each.key: each for each in PUZZLES}
# The digits of an order number the nodes from 1.
_PLACES = range(1, 10)
_MOST = 987_654_321
_HIGH, _WIDER = 84, 106  # half of a node, and of one with more to read
# How far lines bend that would pass a third node, and how near they may come.
_BENDS = [
    sign * bend for bend in (0, 40, 70, 110, 160, 230) for sign in (1, -1)
]
_CLEAR = 96
_EDGE = 100  # outside of the unit square of a picture
# Of the bars: their rows, and the ends of the longest one.
_ROW, _TOP, _LEFT, _WIDE = 110, 10, 300, 540
_HEURISTICS = {"fill": "min-fill", "weight": "min-weight"}
_ORDERS = {
    "own": "yours so far",
    "reach": "yours, with the best finish",
    "best": "a best order",
    "fill": "min-fill",
    "weight": "min-weight",
}
_SUMS = ("fills", "width", "largest", "total")


def elimination(
    graph: str = "clinic", order: Iterable[str] = ()
) -> Explorable:
    """Show what an order of elimination costs, for a reader to find.

    Parameters
    ----------
    graph : {'clinic', 'chain', 'star', 'grid', 'ring'}
        The graph at the start.
    order : iterable of str
        The nodes of it that are eliminated at the start.

    Returns
    -------
    Explorable
        The graph that is left, with its fill-in edges, the products of the
        order, and what the best order and two greedy ones cost.

    Raises
    ------
    ValueError
        If there is no such graph or node, or a node is there twice.

    Examples
    --------
    >>> elimination(order=["xray", "either"])
    In which order do you eliminate the nodes?
      graph: chest clinic, asia
      Step 2 eliminates either: the product with either, tub, lung, bronc \
and dysp has 32 cells, and 4 fill-in edges are added. With this step the \
least that the whole order can cost rises from 46 to 78 cells. So far: 36 \
cells.
    """
    if graph not in _PUZZLES:
        raise ValueError(
            f"There is no graph {graph!r}; there are {listed(_PUZZLES)}."
        )
    puzzle, order = _PUZZLES[graph], [*order]
    for node in order:
        if node not in puzzle.nodes or order.count(node) > 1:
            raise ValueError(
                f"{node!r} cannot be eliminated: give each node at most once, "
                f"of {listed(puzzle.nodes)}."
            )
    start = {each.key: 0 for each in PUZZLES}
    start[graph] = _number(puzzle, order)
    chosen = [*_PUZZLES].index(graph)
    seen = view(chosen, **start)
    return Explorable(
        "elimination",
        "In which order do you eliminate the nodes?",
        (
            Control(
                "graph",
                "graph",
                chosen,
                len(PUZZLES) - 1,
                options=tuple(each.title for each in PUZZLES),
            ),
            *(
                Control(each.key, "", start[each.key], _MOST)
                for each in PUZZLES
            ),
        ),
        panels=(
            (_graph(seen), "The moral graph that is left", _ABOUT_GRAPH),
            (_bars(seen), "Cells of each product", _ABOUT_BARS),
        ),
        words="{sentence}",
        tasks=_TASKS,
        view=view,
        above=style("bars.css") + style("elimination.css") + _buttons(),
        below=_nodes() + _orders(),
        data=[_data(each) for each in PUZZLES],
    )


_ABOUT_GRAPH = (
    "{about} Click a node to eliminate it; its neighbours, with a heavy rim, "
    "are joined. Fill-in edges are dashed. Click an eliminated node to go "
    "back to the step before it."
)
_ABOUT_BARS = (
    "Cells of each product in your order, on a logarithmic scale. Outlines "
    "are the products of a best order; the line on the right is the joint "
    "distribution."
)
_TASKS = {
    "chord": "Chest clinic: eliminate all nodes with one fill-in edge in all, "
    "but another one than min-fill adds.",
    "worst": "Chain: find an order whose products have as many cells in all "
    "as possible.",
    "ring": "Ring: find an order that is as cheap as a best one.",
}


def _data(puzzle: Puzzle) -> dict[str, object]:
    numbers = {node: i for i, node in enumerate(puzzle.nodes)}
    return {
        "key": puzzle.key,
        "about": puzzle.about,
        "nodes": puzzle.nodes,
        "sizes": [*map(puzzle.states, puzzle.nodes)],
        "places": [*puzzle.places.values()],
        "near": [
            sum(1 << numbers[other] for other in puzzle.moral[node])
            for node in puzzle.nodes
        ],
        "lines": [
            _line(puzzle, *pair) for pair in combinations(puzzle.nodes, 2)
        ],
    }


def _number(puzzle: Puzzle, order: Iterable[str]) -> int:
    """Write an order as a number, with a digit for each node."""
    digits = (str(puzzle.nodes.index(node) + 1) for node in order)
    return int("".join(("0", *digits)))


def _order(puzzle: Puzzle, number: int) -> list[str] | None:
    """Read an order, or return None if it is none of this graph."""
    digits = [int(digit) for digit in str(number or "")]
    valid = all(1 <= digit <= len(puzzle.nodes) for digit in digits)
    if not valid or len({*digits}) < len(digits):
        return None
    return [puzzle.nodes[digit - 1] for digit in digits]


@cache
def _line(puzzle: Puzzle, one: str, other: str) -> str:
    """Draw a line between two nodes, bent if a third one were on it."""
    (a, b), (c, d) = puzzle.places[one], puzzle.places[other]
    length = hypot(c - a, d - b)
    # To the right of the line, turned outwards.
    right, down = (b - d) / length, (c - a) / length
    if right * (a + c - 1000) + down * (b + d - 1000) < 0:
        right, down = -right, -down
    others = [
        place
        for node, place in puzzle.places.items()
        if node not in (one, other)
    ]

    def bent(bend):
        x, y = (a + c) / 2 + 2 * bend * right, (b + d) / 2 + 2 * bend * down
        return round(x), round(y)

    def is_clear(bend):
        points = [
            [
                (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t * t * end
                for start, middle, end in zip(
                    (a, b), bent(bend), (c, d), strict=True
                )
            ]
            for t in (step / 50 for step in range(51))
        ]
        return all(
            min(point) >= -_EDGE
            and max(point) <= 1000 + _EDGE
            and all(
                hypot(point[0] - x, point[1] - y) > _CLEAR for x, y in others
            )
            for point in points
        )

    bend = next(filter(is_clear, _BENDS))
    if not bend:
        return f"M{a} {b}L{c} {d}"
    x, y = bent(bend)
    return f"M{a} {b}Q{x} {y} {c} {d}"


def _text(name: str, seen: View, **fixed: str | float) -> str:
    """Write a text of a picture that is written anew."""
    return part(
        "text", f"at_{name}", seen.written[name], data_written=name, **fixed
    )


def _graph(seen):
    lines = "".join(
        part("path", name, class_=f"explore-edges {look}")
        for name, look in (
            ("lost", "thin"),
            ("lost_fills", "thin dashed"),
            ("edges", ""),
            ("fills", "dashed"),
            ("added", "dashed added"),
        )
    )
    nodes = "".join(
        part(
            "g",
            f"node_{k}",
            part("ellipse", f"rim_{k}", ry=_HIGH)
            + _text(f"name_{k}", seen)
            + f'<text class="note" y="46" data-written="note_{k}">'
            f"{seen.written[f'note_{k}']}</text>",
        )
        for k in _PLACES
    )
    return lines + nodes


def _bars(seen):
    end = _LEFT + _WIDE
    frame = f"M{_LEFT} 0V1000M{end} 0V1000"
    joint = (
        f'<text class="explore-text" x="{end}" y="-30">joint '
        f'<tspan data-written="joint">{seen.written["joint"]}</tspan></text>'
    )
    rows = "".join(
        f'<text class="explore-text explore-end" x="{_LEFT - 24}" '
        f'y="{_TOP + _ROW * (k - 1) + 66}" data-written="row_{k}">'
        f"{seen.written[f'row_{k}']}</text>"
        + _text(
            f"amount_{k}",
            seen,
            class_="explore-text explore-beginning",
            y=_TOP + _ROW * (k - 1) + 66,
        )
        for k in _PLACES
    )
    return (
        f'<path class="explore-frame" d="{frame}"/>'
        + part("path", "own_bars", class_="explore-products")
        + part("path", "best_bars", class_="explore-outlines")
        + joint
        + rows
    )


def _buttons():
    texts = {
        "undo": "Undo",
        "undo_all": "Undo all",
        "next_fill": "Min-fill step",
        "next_weight": "Min-weight step",
    }
    found = "\n".join(
        part("button", name, text, type="button")
        for name, text in texts.items()
    )
    return (
        '<div class="explore-live explore-buttons" hidden="hidden">\n'
        f"{found}\n</div>\n"
    )


def _nodes():
    rows = "\n".join(
        part(
            "tr",
            f"line_{k}",
            f'<th scope="row"><span class="explore-plain">{{name_{k}}}</span>'
            + part(
                "button",
                f"button_{k}",
                f"{{name_{k}}}",
                type="button",
                class_="explore-live",
                hidden="hidden",
            )
            + f"</th><td>{{states_{k}}}</td><td>{{fills_{k}}}</td>"
            f"<td>{{cells_{k}}}</td><td>{{step_{k}}}</td>",
        )
        for k in _PLACES
    )
    heads = ("states", "fill-in edges", "cells of product", "step")
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        '<table class="explore-bars explore-costs"><thead><tr>'
        f'<th scope="col">node</th>{cells}</tr></thead><tbody>\n'
        f"{rows}\n</tbody></table>\n"
        '<p class="explore-legend">What it would cost to eliminate each node '
        "next, or what it did cost.</p>\n"
    )


def _orders():
    rows = "\n".join(
        f'<tr><th scope="row">{title}</th>'
        + "".join(f"<td>{{{name}_{one}}}</td>" for one in _SUMS)
        + "</tr>"
        for name, title in _ORDERS.items()
    )
    heads = ("fill-in edges", "width", "largest product", "cells in all")
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        '<table class="explore-bars explore-costs"><thead><tr>'
        f'<th scope="col">order</th>{cells}</tr></thead><tbody>\n'
        f"{rows}\n</tbody></table>\n"
    )


def view(graph: int, **orders: int) -> View:
    """Return what is written and drawn for a graph and an order.

    Parameters
    ----------
    graph : int
        Which of the graphs is shown.
    **orders : int
        For each graph the nodes that are eliminated, as digits from 1 on.

    Returns
    -------
    View

    Examples
    --------
    >>> none = dict.fromkeys(_PUZZLES, 0)
    >>> view(0, **none | {"clinic": 6}).written["own_largest"]
    '64'
    >>> view(0, **none | {"clinic": 66}).refused
    'Refused: an order has each node of its graph at most once.'
    """
    puzzle = PUZZLES[graph]
    order = _order(puzzle, orders[puzzle.key])
    if order is None:
        why = "Refused: an order has each node of its graph at most once."
        return View({}, {}, (), why)
    steps, left = puzzle.steps(order)
    greedy = {name: puzzle.greedy(way) for name, way in _HEURISTICS.items()}
    best = puzzle.finish()
    outlines, _ = puzzle.steps(best)
    costs = {
        "own": puzzle.cost(order),
        "reach": puzzle.cost([*order, *puzzle.finish(order)]),
        "best": puzzle.cost(best),
        **{name: puzzle.cost(way) for name, way in greedy.items()},
    }
    written = {
        "sentence": _sentence(puzzle, order, steps, costs),
        "about": puzzle.about,
        "joint": str(puzzle.cells(puzzle.nodes)),
        **_sums(costs, bool(order)),
    }
    drawn: dict[str, dict[str, float | str]] = {
        **_moves(puzzle, order),
        **_edges(puzzle, steps, left),
        "own_bars": {"d": _bar_path(puzzle, steps, 20, 70)},
        "best_bars": {"d": _bar_path(puzzle, outlines, 8, 94)},
    }
    for k in _PLACES:
        words, shapes = _of_node(puzzle, order, steps, left, k)
        written |= words
        drawn |= shapes
        row, amount, x = "", "", float(_LEFT)
        if k <= len(steps):
            step = steps[k - 1]
            row, amount = f"{k} {step.node}", str(step.cells)
            x += max(_length(puzzle, each) for each in (step, outlines[k - 1]))
            x += 24
        written |= {f"row_{k}": row, f"amount_{k}": amount}
        drawn[f"at_amount_{k}"] = {"x": tenth(x)}
    solves = _solved(puzzle, steps, left, costs, greedy["fill"])
    return View(written, drawn, tuple(solves))


def _sentence(
    puzzle: Puzzle,
    order: list[str],
    steps: list[Step],
    costs: dict[str, Cost],
) -> str:
    best, reach = costs["best"].total, costs["reach"].total
    if not steps:
        return (
            f"Nothing is eliminated yet. A best order needs {best} cells in "
            f"all, min-fill {costs['fill'].total} and min-weight "
            f"{costs['weight'].total}."
        )
    step, total = steps[-1], costs["own"].total
    said = (
        f"Step {len(steps)} eliminates {step.node}: the product with "
        f"{listed((step.node, *step.near))} has {step.cells} cells, and "
        f"{_said_fills(step.fills)} added."
    )
    *before, _ = order
    could = puzzle.cost([*before, *puzzle.finish(before)]).total
    if could < reach:
        said += (
            " With this step the least that the whole order can cost rises "
            f"from {could} to {reach} cells."
        )
    if len(steps) < len(puzzle.nodes):
        return f"{said} So far: {total} cells."
    end = (
        "no order needs fewer"
        if total == best
        else f"a best order needs {best}"
    )
    return (
        f"{said} All nodes are eliminated, with {total} cells in all; {end}."
    )


def _said_fills(fills):
    if not fills:
        return "no fill-in edge is"
    if len(fills) == 1:
        return f"the fill-in edge {'–'.join(fills[0])} is"
    if len(fills) <= 3:
        return f"the fill-in edges {listed(map('–'.join, fills))} are"
    return f"{len(fills)} fill-in edges are"


def _sums(costs, has_begun):
    written = {
        f"{name}_{one}": str(getattr(cost, one))
        for name, cost in costs.items()
        for one in _SUMS
    }
    if not has_begun:
        written |= {f"own_{one}": "–" for one in _SUMS}
    return written


def _moves(puzzle, order):
    """Return what the buttons above the pictures do."""
    ways = {"undo": order[:-1], "undo_all": []}
    for name, heuristic in _HEURISTICS.items():
        ways[f"next_{name}"] = [*order, *puzzle.greedy(heuristic, order)[:1]]
    return {
        name: {
            "data-sets": f"{puzzle.key} {_number(puzzle, way)}",
            "aria-disabled": str(way == order).lower(),
        }
        for name, way in ways.items()
    }


def _edges(puzzle: Puzzle, steps: list[Step], left: nx.Graph):
    """Draw the edges that are left, and those that are gone."""
    added = {*steps[-1].fills} if steps else set()
    fills = {pair for step in steps for pair in step.fills}
    paths = dict.fromkeys(
        ("lost", "lost_fills", "edges", "fills", "added"), ""
    )
    for pair in combinations(puzzle.nodes, 2):
        if puzzle.moral.has_edge(*pair):
            kind = "edges" if left.has_edge(*pair) else "lost"
        elif pair in added:
            kind = "added"
        elif pair in fills:
            kind = "fills" if left.has_edge(*pair) else "lost_fills"
        else:
            continue
        paths[kind] += _line(puzzle, *pair)
    return {name: {"d": d} for name, d in paths.items()}


def _length(puzzle: Puzzle, step: Step) -> float:
    joint = puzzle.cells(puzzle.nodes)
    return _WIDE * log(step.cells) / log(joint)


def _bar_path(puzzle, steps, down, high):
    return "".join(
        f"M{_LEFT} {_TOP + _ROW * i + down}h{tenth(_length(puzzle, step))}"
        f"v{high}H{_LEFT}Z"
        for i, step in enumerate(steps)
    )


def _of_node(puzzle, order, steps, left, k):
    """Return what is written and drawn of the k-th node."""
    if k > len(puzzle.nodes):
        names = ("name", "note", "states", "fills", "cells", "step")
        return dict.fromkeys((f"{name}_{k}" for name in names), ""), {
            f"node_{k}": {"class": "unused", "transform": "", "data-sets": ""},
            f"button_{k}": {"data-sets": "", "aria-label": ""},
            f"line_{k}": {"class": "unused"},
            f"at_name_{k}": {"y": 18},
            f"rim_{k}": {"rx": _HIGH},
        }
    node = puzzle.nodes[k - 1]
    is_gone = node in order
    at = order.index(node) if is_gone else len(order)
    step = steps[at] if is_gone else puzzle.next(left, node)
    is_near = bool(steps) and node in steps[-1].near
    to = order[:at] if is_gone else [*order, node]
    sets = f"{puzzle.key} {_number(puzzle, to)}"
    states = puzzle.states(node)
    note = f"{states} states" if puzzle.sizes else ""
    if is_gone:
        note = f"step {at + 1}"
    x, y = puzzle.places[node]
    written = {
        f"name_{k}": node,
        f"note_{k}": note,
        f"states_{k}": str(states),
        f"fills_{k}": str(len(step.fills)),
        f"cells_{k}": str(step.cells),
        f"step_{k}": str(at + 1) if is_gone else "",
    }
    looks = ("explore-node", "gone" * is_gone, "near" * is_near)
    back = f"Go back to before {node} was eliminated"
    return written, {
        f"node_{k}": {
            "class": " ".join(filter(None, looks)),
            "transform": f"translate({x} {y})",
            "data-sets": sets,
        },
        f"button_{k}": {
            "data-sets": sets,
            "aria-label": back if is_gone else f"Eliminate {node}",
        },
        f"line_{k}": {"class": "gone" if is_gone else ""},
        f"at_name_{k}": {"y": 0 if note else 18},
        f"rim_{k}": {"rx": _WIDER if puzzle.is_wide else _HIGH},
    }


def _solved(puzzle, steps, left, costs, min_fill):
    """Yield the tasks that an order solves."""
    if left:
        return
    fills = [{*step.fills} for step in steps]
    if puzzle.key == "clinic" and costs["own"].fills == 1:
        others = puzzle.steps(min_fill)[0]
        if fills and set().union(*fills) != {
            pair for step in others for pair in step.fills
        }:
            yield "chord"
    if puzzle.key == "chain" and all(len(s.near) == 2 for s in steps[:-2]):
        yield "worst"
    if puzzle.key == "ring" and costs["own"].total == costs["best"].total:
        yield "ring"
