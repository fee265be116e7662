"""Which trails are open, for every graph of six nodes."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from math import atan2, degrees, hypot

import networkx as nx

from bayesbook import graphs
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    listed,
    part,
)
from bayesbook.study.quiz.pages import asset

# A hexagon without dents: no line between two nodes passes a third one.
_PLACES = {
    "A": (0, 500),
    "B": (260, 60),
    "C": (740, 60),
    "D": (260, 940),
    "E": (740, 940),
    "F": (1000, 500),
}
_NODES = tuple(_PLACES)
_PAIRS = {a + b: (a, b) for a, b in combinations(_NODES, 2)}
# In both directions, as the ball may roll.
_WAYS_OF_BALL = [a + b for a, b in permutations(_NODES, 2)]
# A node is entered from a child and from a parent, and then left once more.
_MOST_STEPS = 2 * len(_NODES)
# As many trails as an explanation lists.
_ROWS = range(1, 21)
_RADIUS = 75


def d_separation(
    arrows: str = "A <- B -> C -> F, A -> D -> E <- F", given: str = ""
) -> Explorable:
    """Show which trails are open in a graph, for a reader to draw.

    Parameters
    ----------
    arrows : str
        The graph at the start, as :func:`bayesbook.graphs.parse` reads it,
        with nodes from A to F. The trails between A and F are shown.
    given : str
        The nodes that are observed at the start, such as ``"BE"``.

    Returns
    -------
    Explorable
        The graph, the moral graph of the ancestors, and the trails.

    Raises
    ------
    ValueError
        If there is another node, or A or F is observed.
    GraphError
        If the arrows cannot be read, or have a cycle.

    Examples
    --------
    >>> d_separation("A -> B -> F", given="B")
    Which trails are open?
      first end: A
      second end: F
      A and F are d-separated given B: the only trail, A → B → F, is \
blocked at B, a chain node that is observed. In the moral graph of the \
ancestors, no path that avoids the observed nodes joins them.
    """
    graph = graphs.parse(arrows)
    strangers = (set(graph) - {*_NODES}) | (set(given) - {*_NODES[1:-1]})
    if strangers:
        raise ValueError(
            f"{min(strangers)!r} is not expected: arrows join nodes from A "
            "to F, and those from B to E are observed."
        )
    ways = ("none", "{} to {}", "{1} to {0}")
    return Explorable(
        "d-separation",
        "Which trails are open?",
        (
            Control("x", "first end", 0, 5, options=_NODES),
            Control("y", "second end", 5, 5, options=_NODES),
            *(
                Control(
                    pair,
                    f"arrow between {a} and {b}",
                    graph.has_edge(a, b) + 2 * graph.has_edge(b, a),
                    2,
                    options=tuple(way.format(a, b) for way in ways),
                    group=_LISTS,
                )
                for pair, (a, b) in _PAIRS.items()
            ),
            *(
                Control(
                    node,
                    f"node {node}",
                    int(node in given),
                    1,
                    options=("not observed", "observed"),
                    group=_LISTS,
                )
                for node in _NODES
            ),
            Control("trail", "", 0, len(_ROWS)),
            Control("ball", "", 0, _MOST_STEPS),
        ),
        panels=(
            (_graph(), "The graph", _GRAPH),
            (_moral(), "Moral graph of the ancestors", _MORAL),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=_BALL,
        below=_trails(),
    )


_LISTS = "Arrows and observations as lists"
_WORDS = "{sentence} In the moral graph of the ancestors, {moral}."
_GRAPH = (
    "Click the line between two nodes for an arrow, again to turn it, and "
    "again to remove it; click a node to observe it. Squares are the ends, "
    "and observed nodes are shaded. A band is an open trail, a dotted band a "
    "blocked one; crosses are where trails are blocked. "
    "Balls lie where the Bayes ball has come to a node, full ones after the "
    "last step. Arrows: {arrows}."
)
_MORAL = (
    "The ends, the observed nodes and their ancestors; dashed edges join "
    "parents of a common child. Edges at observed nodes are thin, because "
    "these nodes are removed; nodes that {x} still reaches have a heavy rim."
)
_BALL = """\
<div class="explore-live explore-ball" hidden="hidden">
<button type="button" data-drawn="roll">Roll the Bayes ball</button>
<button type="button" data-drawn="roll_back">One step back</button>
<p class="explore-told">{ball}</p>
</div>"""
_TASKS = {
    "narrow": "Draw at least three trails between the ends, all of them open, "
    "and then block them all by observing a single node.",
    "descendant": "Find a graph in which no trail between the ends is open "
    "until you observe a single node, through which none of the trails leads.",
    "both": "Find a graph and two nodes such that the ends are d-connected "
    "when both are observed, and d-separated when only one is, or neither.",
}


def _graph():
    bands = "".join(
        part("path", f"{pair}_band", transform=_along(pair), d=_line(pair))
        for pair in _PAIRS
    )
    pairs = "".join(
        part(
            "g",
            pair,
            f'<path class="explore-faint" d="{_line(pair)}"/>'
            f'<path class="explore-arrow" d="{_arrow(pair)}"/>'
            f'<path class="explore-reach" d="{_line(pair)}"/>',
            transform=_along(pair),
            data_turns=pair,
        )
        for pair in _PAIRS
    )
    return bands + pairs + _circles("", turns=True) + _balls()


def _balls():
    """Draw a ball on the rim of each node, towards each other node."""
    found = ""
    for way in _WAYS_OF_BALL:
        (a, b), (c, d) = (_PLACES[node] for node in way)
        share = _RADIUS / hypot(c - a, d - b)
        found += part(
            "circle",
            f"ball_{way}",
            cx=round(c - share * (c - a)),
            cy=round(d - share * (d - b)),
            r=26,
        )
    return found


def _moral():
    lines = "".join(
        part("path", f"{pair}_moral", transform=_along(pair), d=_line(pair))
        for pair in _PAIRS
    )
    return lines + _circles("_moral", turns=False)


def _circles(suffix, turns):
    return "".join(
        part(
            "g",
            f"{node}{suffix}",
            f'<path class="explore-square" d="{_SQUARE}"/>'
            f'<circle class="explore-round" r="{_RADIUS}"/>'
            f'<circle class="explore-inner" r="{_RADIUS - 16}"/>'
            f'<text y="27">{node}</text>'
            f'<path class="explore-cross" d="{_CROSS}"/>',
            transform=f"translate({x} {y})",
            **({"data_turns": node} if turns else {}),
        )
        for node, (x, y) in _PLACES.items()
    )


_SQUARE = f"M-{_RADIUS}-{_RADIUS}H{_RADIUS}V{_RADIUS}H-{_RADIUS}Z"
# It leaves the letter of the node free.
_CROSS = "M-100-100L-45-45M45 45L100 100M100-100L45-45M-45 45L-100 100"


def _along(pair):
    """Turn a picture around the origin into one on the way from a to b."""
    (a, b), (c, d) = (_PLACES[node] for node in pair)
    return (
        f"translate({(a + c) / 2:g} {(b + d) / 2:g}) "
        f"rotate({degrees(atan2(d - b, c - a)):.5g})"
    )


def _half(pair):
    """Return half of the distance of two nodes."""
    (a, b), (c, d) = (_PLACES[node] for node in pair)
    return round(hypot(c - a, d - b) / 2)


def _line(pair):
    return f"M-{_half(pair)} 0H{_half(pair)}"


def _arrow(pair):
    tip = _half(pair) - _RADIUS - 12
    return f"M-{tip} 0H{tip - 50}V-28L{tip} 0L{tip - 50} 28V0"


def _trails():
    rows = "\n".join(
        f'<li data-drawn="row_{row}">{{trail_{row}}} '
        f"{_show(row, f'Show trail {row}', 'Show')}</li>"
        for row in _ROWS
    )
    style = asset("d_separation.css", __package__)
    # The text is a template: braces of the style are doubled.
    style = style.replace("{", "{{").replace("}", "}}")
    return (
        f"<style>\n{style}</style>\n"
        f"{_show(0, 'Show all open trails', 'Show all open trails')}"
        f'<div class="explore-trails">\n<ol>\n{rows}\n</ol>\n'
        "<p>{more}</p>\n</div>"
    )


def _show(row, name, text):
    return (
        f'<button type="button" class="explore-live" hidden="hidden" '
        f'data-drawn="show_{row}" data-sets="trail {row}" '
        f'aria-label="{name}">{text}</button>'
    )


def view(x: int, y: int, trail: int, ball: int, **placed: int) -> View:
    """Return what is written and drawn for a graph and a question.

    Parameters
    ----------
    x, y : int
        The ends: 0 for A, up to 5 for F.
    trail : int
        Which of the listed trails is shown; 0 for all that are open.
    ball : int
        How many steps the Bayes ball has rolled from the first end.
    **placed : int
        For each pair of nodes such as ``AB`` 1 if an arrow leads from A to B,
        2 if one leads from B to A, and 0 if there is none; and for each node
        whether it is observed.

    Returns
    -------
    View

    Examples
    --------
    >>> nothing = dict.fromkeys((*_PAIRS, *_NODES), 0)
    >>> view(0, 5, 0, 0, **nothing | {"AF": 1}).written["sentence"]
    'A and F are not d-separated: the edge A → F is open, because nothing \
blocks an edge.'
    >>> view(0, 0, 0, 0, **nothing).refused
    'Refused: the ends must be two different nodes.'
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(_NODES)
    for pair, (a, b) in _PAIRS.items():
        if placed[pair]:
            graph.add_edge(*((a, b) if placed[pair] == 1 else (b, a)))
    ends = _NODES[x], _NODES[y]
    observed = [node for node in _NODES if placed[node]]
    refused = _refusal(graph, ends, observed)
    if refused:
        return View({}, {}, (), refused)
    reason = graphs.explain(graph, *ends, observed)
    rows = dict(zip(_ROWS, reason.trails, strict=False))
    rest = "all of them blocked" if reason else "not listed"
    said, lines = _moralised(graph, ends, observed)
    edges = sorted(f"{a} → {b}" for a, b in graph.edges)
    rolled, balls = _roll(graph, ends[0], observed, ball)
    return View(
        written={
            "x": ends[0],
            "arrows": ", ".join(edges) or "none",
            "sentence": reason.sentence,
            "moral": said,
            "ball": rolled,
            "more": f"… and more trails, {rest}" if reason.more else "",
            **{f"trail_{row}": str(rows.get(row, "")) for row in _ROWS},
        },
        drawn={
            **{
                pair: _look("explore-pair", *_WAYS[placed[pair]])
                for pair in _PAIRS
            },
            **_lit(reason, rows.get(trail), ends, observed),
            **lines,
            **balls,
            **{
                f"show_{row}": {"aria-pressed": str(row == shown).lower()}
                for shown in [trail if trail in rows else 0]
                for row in (0, *_ROWS)
            },
            **{f"row_{row}": {"class": _row(rows.get(row))} for row in _ROWS},
        },
        solves=tuple(_solved(graph, ends, observed)),
    )


_WAYS = ((), ("arrow",), ("arrow", "back"))


def _refusal(graph, ends, observed):
    """Return why there is no such graph or question, or nothing."""
    cycles = [
        [*cycle[at:], *cycle[: at + 1]]
        for cycle in nx.simple_cycles(graph)
        for at in range(len(cycle))
    ]
    if cycles:
        first = min(cycles, key=lambda cycle: (len(cycle), cycle))
        return f"Refused: {' → '.join(first)} would be a cycle."
    if ends[0] == ends[1]:
        return "Refused: the ends must be two different nodes."
    for node in observed:
        if node in ends:
            return f"Refused: {node} is an end, so it cannot be observed."
    return ""


def _row(trail):
    if trail is None:
        return "unused"
    return "open" if trail.active else ""


def _look(*classes):
    return {"class": " ".join(filter(None, classes))}


def _lit(reason, chosen, ends, observed):
    """Draw bands along trails, and crosses at nodes that block."""
    active = [trail for trail in reason.trails if trail.active]
    shown = [chosen] if chosen else active or reason.trails
    band = "open" if shown and shown[0].active else "shut"
    lit = {
        "".join(sorted(step))
        for trail in shown
        for step in pairwise(trail.nodes)
        if chosen or trail.active
    }
    blocks = {node for trail in shown for node in trail.blocked_at}
    return {
        **{
            f"{pair}_band": _look("explore-band", band if pair in lit else "")
            for pair in _PAIRS
        },
        **{
            node: _look(
                "explore-node",
                "observed" if node in observed else "",
                "end" if node in ends else "",
                "blocks" if node in blocks else "",
            )
            for node in _NODES
        },
    }


def _roll(graph, start, observed, asked):
    """Return what the Bayes ball has reached, and draw its way."""
    steps = _steps_of_ball(graph, start, observed)
    last = max(steps.values(), default=0)
    now = min(asked, last)
    at_end, at_start = str(now == last).lower(), str(now == 0).lower()
    balls = {
        "roll": {
            "data-sets": f"ball {min(now + 1, last)}",
            "aria-disabled": at_end,
        },
        "roll_back": {
            "data-sets": f"ball {max(now - 1, 0)}",
            "aria-disabled": at_start,
        },
    }
    for way in _WAYS_OF_BALL:
        step = steps.get(way, last + 1)
        kind = "new" if step == now else "old" if step < now else ""
        balls[f"ball_{way}"] = _look("explore-rolled", kind)
    there = {way[1] for way, step in steps.items() if step <= now}
    reached = sorted(there - {start, *observed})
    return _said_of_ball(start, reached, observed, now, last), balls


def _said_of_ball(start, reached, given, now, last):
    if not last:
        return f"The ball lies at {start}, and no edge leads away."
    if not now:
        return f"The ball lies at {start}."
    whom = listed(reached) if reached else "no other unobserved node"
    steps = f"{now} step{'s' if now > 1 else ''}"
    said = f"After {steps} the ball has reached {whom}"
    if now < last:
        return f"{said}."
    given = f" given {listed(given)}" if given else ""
    if not reached:
        return (
            f"{said}, and rolls no further: {start} is d-separated from them "
            f"all{given}."
        )
    these = "these nodes, and no others, are"
    if len(reached) == 1:
        these = "this node, and no other, is"
    return (
        f"{said}, and rolls no further: {these} d-connected with "
        f"{start}{given}."
    )


def _steps_of_ball(graph, start, observed):
    """Return after how many steps the ball rolls from a node to another.

    The first to roll are those from the start, to all nodes beside it. A ball
    that has come to a node goes on along each edge with which the edge that
    it came along makes a junction that is open; it may go back, too.
    """
    opened = graphs.ancestral_set(graph, observed)

    def is_open(before, node, after):
        comes, goes = graph.has_edge(before, node), graph.has_edge(node, after)
        is_collider = comes and not goes
        return node in opened if is_collider else node not in observed

    beside = {node: sorted(nx.all_neighbors(graph, node)) for node in graph}
    rolling = [start + node for node in beside[start]]
    found = dict.fromkeys(rolling, 1)
    for way in rolling:
        before, node = way
        for after in beside[node]:
            if node + after not in found and is_open(before, node, after):
                found[node + after] = found[way] + 1
                rolling.append(node + after)
    return found


def _moralised(graph, ends, observed):
    """Return what the moral graph of the ancestors says, and draw it."""
    moral = graphs.ancestral_moral_graph(graph, {*ends, *observed})
    cut = moral.copy()
    cut.remove_nodes_from(observed)
    reached = nx.node_connected_component(cut, ends[0])
    free = " that avoids the observed nodes" if observed else ""
    some = "a path" if ends[1] in reached else "no path"
    lines = {}
    for pair, (a, b) in _PAIRS.items():
        kind = ""
        if moral.has_edge(a, b):
            joined = graph.has_edge(a, b) or graph.has_edge(b, a)
            kind = "line" if joined else "line married"
            kind += "" if cut.has_edge(a, b) else " cut"
        lines[f"{pair}_moral"] = _look("explore-moral", kind)
    for node in _NODES:
        lines[f"{node}_moral"] = _look(
            "explore-node",
            "observed" if node in observed else "",
            "end" if node in ends else "",
            "reached" if node in reached else "",
            "" if node in moral else "absent",
        )
    return f"{some}{free} joins them", lines


def _solved(graph, ends, observed):
    before = graphs.explain(graph, *ends)
    connects = not graphs.d_separated(graph, *ends, observed)
    connected = not before.separated
    if len(observed) == 1:
        all_open = all(t.active for t in before.trails) and not before.more
        if len(before.trails) > 2 and all_open and not connects:
            yield "narrow"
        aside = all(
            observed[0] not in nodes for nodes in graphs.trails(graph, *ends)
        )
        if not connected and connects and aside:
            yield "descendant"
    if len(observed) == 2:
        alone = any(
            not graphs.d_separated(graph, *ends, node) for node in observed
        )
        if connects and not connected and not alone:
            yield "both"
