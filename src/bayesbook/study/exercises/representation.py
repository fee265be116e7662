"""The coding exercises of the chapter *Bayesian networks*.

A graph is a dictionary that gives the tuple of parents of each node. All
variables are 0 or 1, and ``p_one[node][states]`` is the probability of 1 if
the parents have these states, a tuple in their order.
"""

from fractions import Fraction as F
from functools import cache
from itertools import product
from math import prod

import networkx as nx

from bayesbook import graphs
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]


def _graph(parents):
    graph = nx.DiGraph()
    graph.add_nodes_from(parents)
    graph.add_edges_from((p, node) for node in parents for p in parents[node])
    return graph


_CHAIN = {"C": ("B",), "A": (), "B": ("A",)}
_FORK = {"X": ("H",), "H": (), "Z": ("H",)}
_COLLIDER = {"X": (), "Y": ("X", "Z"), "Z": (), "W": ("Y",)}
_DIAMOND = {"D": ("B", "C"), "B": ("A",), "C": ("A",), "A": ()}
_MELON = {
    "x1": (),
    "x2": (),
    "x3": ("x1",),
    "x4": ("x1", "x2"),
    "x5": ("x2",),
}
_CLINIC = {
    "xray": ("either",),
    "dysp": ("bronc", "either"),
    "either": ("lung", "tub"),
    "tub": ("asia",),
    "lung": ("smoke",),
    "bronc": ("smoke",),
    "asia": (),
    "smoke": (),
}


def _tables(parents, *numbers):
    """Fill the tables of a graph with tenths, node after node."""
    numbers = iter(numbers)
    return {
        node: {
            states: F(next(numbers), 10)
            for states in product((0, 1), repeat=len(above))
        }
        for node, above in parents.items()
    }


_CHAIN_P = _tables(_CHAIN, 1, 7, 3, 2, 9)
_FORK_P = _tables(_FORK, 2, 9, 4, 3, 8)
_COLLIDER_P = _tables(_COLLIDER, 3, 1, 7, 6, 9, 4, 2, 8)
_DIAMOND_P = _tables(_DIAMOND, 1, 6, 4, 9, 2, 7, 3, 8, 4)
_SURE_P = _tables(_DIAMOND, 0, 10, 10, 10, 2, 7, 3, 8, 4)

# -- local_statements(parents) --------------------------------------------


def _local_statements(parents):
    graph = _graph(parents)
    return {
        node: set(graph) - {node} - nx.descendants(graph, node) - {*above}
        for node, above in parents.items()
    }


def _all_others(parents):
    return {
        node: set(parents) - {node, *above} for node, above in parents.items()
    }


def _children_only(parents):
    graph = _graph(parents)
    return {
        node: set(graph) - {node, *above, *graph.succ[node]}
        for node, above in parents.items()
    }


def _parents_kept(parents):
    graph = _graph(parents)
    return {
        node: set(graph) - {node} - nx.descendants(graph, node)
        for node in parents
    }


def _itself(parents):
    return {
        node: others | {node}
        for node, others in _local_statements(parents).items()
    }


def _ancestors_only(parents):
    graph = _graph(parents)
    return {
        node: nx.ancestors(graph, node) - {*above}
        for node, above in parents.items()
    }


def _earlier_only(parents):
    found, earlier = {}, set()
    for node, above in parents.items():
        found[node] = earlier - {*above}
        earlier = earlier | {node}
    return found


local_statements = Exercise(
    reference=_local_statements,
    cases=(
        (_CHAIN,),
        (_FORK,),
        (_COLLIDER,),
        (_DIAMOND,),
        (_MELON,),
        (_CLINIC,),
    ),
    mistakes={
        "Descendants are not screened off by the parents: they stay out of "
        "the statement.": _all_others,
        "Children are out, and so are the children of children.": (
            _children_only
        ),
        "The parents stand behind the bar, so they are left out in front of "
        "it.": _parents_kept,
        "A node is not independent of itself.": _itself,
        "These are ancestors. Brothers and sisters and strangers are "
        "non-descendants as well.": _ancestors_only,
        "The dictionary is in no particular order: what comes earlier in it "
        "says nothing.": _earlier_only,
    },
)

# -- given_all_others(parents, p_one, node, row) --------------------------


def _entry(parents, p_one, node, row):
    p = p_one[node][tuple(row[parent] for parent in parents[node])]
    return p if row[node] == 1 else 1 - p


def _children(parents, node):
    return [child for child, above in parents.items() if node in above]


def _normalised(weight):
    """Return P(1) from the weights of the states."""
    one, zero = weight(1), weight(0)
    return one / (one + zero)


def _given_all_others(parents, p_one, node, row):
    family = [node, *_children(parents, node)]
    return _normalised(
        lambda state: prod(
            _entry(parents, p_one, other, {**row, node: state})
            for other in family
        )
    )


def _own_table(parents, p_one, node, row):
    return _entry(parents, p_one, node, {**row, node: 1})


def _not_normalised(parents, p_one, node, row):
    family = [node, *_children(parents, node)]
    return prod(
        _entry(parents, p_one, other, {**row, node: 1}) for other in family
    )


def _children_alone(parents, p_one, node, row):
    return _normalised(
        lambda state: prod(
            _entry(parents, p_one, other, {**row, node: state})
            for other in _children(parents, node)
        )
    )


def _children_as_ones(parents, p_one, node, row):
    ones = dict.fromkeys(_children(parents, node), 1)
    return _given_all_others(parents, p_one, node, {**row, **ones})


def _children_not_asked_again(parents, p_one, node, row):
    """Keep the factors of the children for the state in the row."""
    children = prod(
        _entry(parents, p_one, child, row)
        for child in _children(parents, node)
    )
    own = _own_table(parents, p_one, node, row)
    return own * children


def _for_zero(parents, p_one, node, row):
    return 1 - _given_all_others(parents, p_one, node, row)


given_all_others = Exercise(
    reference=_given_all_others,
    cases=(
        (_CHAIN, _CHAIN_P, "B", {"A": 1, "B": 0, "C": 1}),
        (_CHAIN, _CHAIN_P, "A", {"A": 0, "B": 0, "C": 1}),
        (_CHAIN, _CHAIN_P, "C", {"A": 1, "B": 1, "C": 0}),
        (_FORK, _FORK_P, "H", {"X": 1, "H": 0, "Z": 0}),
        (_COLLIDER, _COLLIDER_P, "X", {"X": 0, "Y": 1, "Z": 1, "W": 0}),
        (_COLLIDER, _COLLIDER_P, "Y", {"X": 0, "Y": 1, "Z": 1, "W": 0}),
        (_DIAMOND, _DIAMOND_P, "A", {"A": 1, "B": 0, "C": 1, "D": 1}),
        (_DIAMOND, _DIAMOND_P, "B", {"A": 1, "B": 0, "C": 1, "D": 0}),
        (_DIAMOND, _SURE_P, "B", {"A": 1, "B": 1, "C": 0, "D": 1}),
    ),
    mistakes={
        "This is the node's own table. Its children are evidence about it, "
        "too.": _own_table,
        "The weights of the two states have to be divided by their sum.": (
            _not_normalised
        ),
        "The node's own table is missing among the factors.": _children_alone,
        "A child that is 0 contributes the probability of 0.": (
            _children_as_ones
        ),
        "In the tables of the children, too, the node has the state that is "
        "being weighed, not the one in the row.": _children_not_asked_again,
        "This is the probability of 0.": _for_zero,
    },
)

# -- noisy_or(strengths, leak, present) -----------------------------------


def _noisy_or(strengths, leak, present):
    return 1 - (1 - leak) * prod(1 - strengths[cause] for cause in present)


def _no_leak(strengths, leak, present):
    return _noisy_or(strengths, 0, present)


def _sum(strengths, leak, present):
    return leak + sum(strengths[cause] for cause in present)


def _silence(strengths, leak, present):
    return 1 - _noisy_or(strengths, leak, present)


def _all_succeed(strengths, leak, present):
    return leak * prod(strengths[cause] for cause in present)


def _absent_too(strengths, leak, present):
    return _noisy_or(strengths, leak, strengths)


def _strongest(strengths, leak, present):
    return max([leak, *(strengths[cause] for cause in present)])


def _leak_alone(strengths, leak, present):
    """Use the leak only if no cause is present."""
    return _noisy_or(strengths, 0 if present else leak, present)


_THREE = {"flu": F(3, 5), "cold": F(1, 2), "dust": F(1, 5)}

noisy_or = Exercise(
    reference=_noisy_or,
    cases=(
        (_THREE, F(1, 10), {"flu", "cold"}),
        (_THREE, F(1, 10), set()),
        (_THREE, F(0), {"dust"}),
        (_THREE, F(1, 4), {"flu", "cold", "dust"}),
        ({"A": F(1), "B": F(1, 3)}, F(1, 10), {"A", "B"}),
        ({"A": F(2, 9)}, F(1, 3), {"A"}),
    ),
    mistakes={
        "The leak is missing: the unknown has to fail as well, or the effect "
        "occurs.": _no_leak,
        "Probabilities of success cannot be added; two causes may both "
        "succeed.": _sum,
        "This is the probability that the effect does not occur.": _silence,
        "One success is enough. It is the failures that have to come "
        "together.": _all_succeed,
        "Only causes that are present can succeed.": _absent_too,
        "This is the strongest cause alone. The others may succeed where it "
        "fails.": _strongest,
        "The leak acts also if causes are present.": _leak_alone,
    },
)

# -- network_in_order(parents, order) -------------------------------------


@cache
def _separated(edges, nodes, x, y, given):
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graphs.d_separated(graph, x, y, given)


def _asker(parents):
    graph = _graph(parents)
    edges, nodes = frozenset(graph.edges), frozenset(graph)
    return lambda x, y, given: _separated(edges, nodes, x, y, frozenset(given))


def _network_in_order(parents, order):
    separated = _asker(parents)
    return {
        node: {
            other
            for other in order[:i]
            if not separated(node, other, set(order[:i]) - {other})
        }
        for i, node in enumerate(order)
    }


def _without_condition(parents, order):
    separated = _asker(parents)
    return {
        node: {other for other in order[:i] if not separated(node, other, ())}
        for i, node in enumerate(order)
    }


def _given_everything(parents, order):
    separated = _asker(parents)
    return {
        node: {
            other
            for other in order[:i]
            if not separated(node, other, set(order) - {node, other})
        }
        for i, node in enumerate(order)
    }


def _all_earlier(parents, order):
    return {node: set(order[:i]) for i, node in enumerate(order)}


def _arrows_turned(parents, order):
    """Turn the arrows of the graph to fit the order, and add none."""
    joined = _graph(parents).to_undirected()
    return {
        node: set(order[:i]) & set(joined[node])
        for i, node in enumerate(order)
    }


def _later_ones(parents, order):
    return _network_in_order(parents, order[::-1])


network_in_order = Exercise(
    reference=_network_in_order,
    cases=(
        (_CHAIN, ("C", "B", "A")),
        (_CHAIN, ("C", "A", "B")),
        (_FORK, ("X", "Z", "H")),
        (_COLLIDER, ("Y", "X", "Z", "W")),
        (_COLLIDER, ("W", "X", "Z", "Y")),
        (_COLLIDER, ("X", "Z", "Y", "W")),
        (_MELON, ("x4", "x3", "x5", "x1", "x2")),
        (_DIAMOND, ("D", "A", "B", "C")),
        (
            _CLINIC,
            (
                "xray",
                "dysp",
                "tub",
                "lung",
                "asia",
                "smoke",
                "bronc",
                "either",
            ),
        ),
    ),
    mistakes={
        "A variable that is dependent on an earlier one may be shielded from "
        "it by others that are also earlier: condition on these.": (
            _without_condition
        ),
        "Later variables are not known yet: only the other earlier ones "
        "stand behind the bar.": _given_everything,
        "All earlier ones shield, but smaller sets may do, too.": _all_earlier,
        "Turning arrows is not enough: explaining away makes new ones "
        "necessary.": _arrows_turned,
        "The order is read from its end: parents are to come earlier.": (
            _later_ones
        ),
    },
)

# -- draw(parents, p_one, uniforms) ---------------------------------------


def _ones(row):
    return {node for node, state in row.items() if state}


def _draw(parents, p_one, uniforms):
    row = {}
    for node in graphs.topological_order(_graph(parents)):
        states = tuple(row[parent] for parent in parents[node])
        row[node] = int(uniforms[node] < p_one[node][states])
    return _ones(row)


def _turned(parents, p_one, uniforms):
    row = {}
    for node in graphs.topological_order(_graph(parents)):
        states = tuple(row[parent] for parent in parents[node])
        row[node] = int(uniforms[node] >= p_one[node][states])
    return _ones(row)


def _likeliest(parents, p_one, uniforms):
    return _draw(parents, p_one, dict.fromkeys(uniforms, F(1, 2)))


def _parents_zero(parents, p_one, uniforms):
    """Use 0 for every parent, as if none had been drawn yet."""
    return {
        node
        for node, above in parents.items()
        if uniforms[node] < p_one[node][(0,) * len(above)]
    }


def _parents_backwards(parents, p_one, uniforms):
    row = {}
    for node in graphs.topological_order(_graph(parents)):
        states = tuple(row[parent] for parent in parents[node][::-1])
        row[node] = int(uniforms[node] < p_one[node][states])
    return _ones(row)


def _uniforms(parents, *numbers):
    return {
        node: F(number, 20)
        for node, number in zip(parents, numbers, strict=True)
    }


draw = Exercise(
    reference=_draw,
    cases=(
        (_CHAIN, _CHAIN_P, _uniforms(_CHAIN, 5, 3, 11)),
        (_CHAIN, _CHAIN_P, _uniforms(_CHAIN, 5, 9, 3)),
        (_FORK, _FORK_P, _uniforms(_FORK, 11, 1, 9)),
        (_COLLIDER, _COLLIDER_P, _uniforms(_COLLIDER, 3, 13, 15, 9)),
        (_COLLIDER, _COLLIDER_P, _uniforms(_COLLIDER, 9, 13, 5, 9)),
        (_DIAMOND, _DIAMOND_P, _uniforms(_DIAMOND, 11, 13, 17, 3)),
        (_DIAMOND, _SURE_P, _uniforms(_DIAMOND, 19, 3, 17, 15)),
    ),
    mistakes={
        "A node is 1 if its random number lies below the probability of 1; "
        "here it is the other way round.": _turned,
        "This takes the likelier state each time; the random numbers are not "
        "used.": _likeliest,
        "This takes the row in which all parents are 0. The states that have "
        "been drawn for the parents decide which row it is.": _parents_zero,
        "The states of the parents are looked up in the wrong order.": (
            _parents_backwards
        ),
    },
)

EXERCISES = {
    "local_statements": local_statements,
    "given_all_others": given_all_others,
    "noisy_or": noisy_or,
    "network_in_order": network_in_order,
    "draw": draw,
}
