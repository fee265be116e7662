"""The coding exercises of the chapter *Bayesian networks*.

A graph is a dictionary that gives the tuple of parents of each node. All
variables are 0 or 1, and ``p_one[node][states]`` is the probability of 1 if
the parents have these states, a tuple in their order.

This is one file because the exercises of a chapter are found in the module of
its name.
"""

from fractions import Fraction as F
from functools import cache
from itertools import product
from math import prod

import networkx as nx

from bayesbook import graphs
from bayesbook.study.exercises.checker import exercise

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


def _graph(parents):
    """Return the graph in which edges come from these parents."""
    return nx.DiGraph(parents).reverse()


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

# -- numbers_to_give ------------------------------------------------------

_TWOS = dict.fromkeys(_CLINIC, 2)


@exercise(
    (_CHAIN, {"A": 2, "B": 3, "C": 4}, set()),
    (_COLLIDER, {"X": 2, "Y": 3, "Z": 4, "W": 2}, set()),
    (_COLLIDER, {"X": 2, "Y": 3, "Z": 4, "W": 2}, {"Y"}),
    (_DIAMOND, {"A": 3, "B": 2, "C": 4, "D": 3}, {"B", "D"}),
    (_MELON, {"x1": 2, "x2": 3, "x3": 2, "x4": 4, "x5": 3}, set()),
    (_CLINIC, _TWOS, {"either"}),
    (_CHAIN, {"A": 3, "B": 3, "C": 3}, {"A", "B", "C"}),
)
def numbers_to_give(parents, sizes, functions):
    """Return how many free numbers the tables have, without functions."""
    return sum(
        (sizes[node] - 1) * prod(sizes[parent] for parent in above)
        for node, above in parents.items()
        if node not in functions
    )


# P has two states, Q three, and their child R four; R has the child S.
_TO_GIVE = (
    {"S": ("R",), "R": ("P", "Q"), "P": (), "Q": ()},
    {"P": 2, "Q": 3, "R": 4, "S": 2},
    {"R"},
)


@numbers_to_give.mistake(
    "The rows of a deterministic node are not to be given.",
    example=(_TO_GIVE, 1 + 2 + 18 + 4),
)
def _functions_too(parents, sizes, functions):
    return numbers_to_give(parents, sizes, set())


@numbers_to_give.mistake(
    "A deterministic node still counts as a parent: the table of its child "
    "has a row for each of its states.",
    example=(_TO_GIVE, 1 + 2 + 1),
)
def _functions_no_parents(parents, sizes, functions):
    kept = {
        node: tuple(parent for parent in above if parent not in functions)
        for node, above in parents.items()
    }
    return numbers_to_give(kept, sizes, functions)


@numbers_to_give.mistake(
    "The numbers of states of several parents are multiplied, not added: a "
    "row belongs to a combination of their states.",
    example=((*_TO_GIVE[:2], set()), 1 + 2 + 15 + 4),
)
def _added(parents, sizes, functions):
    return sum(
        (sizes[node] - 1) * (sum(sizes[p] for p in above) if above else 1)
        for node, above in parents.items()
        if node not in functions
    )


@numbers_to_give.mistake(
    "In each row one number follows from the others, because the row sums to "
    "one.",
    example=(_TO_GIVE, 2 + 3 + 8),
)
def _all_entries(parents, sizes, functions):
    return sum(
        sizes[node] * prod(sizes[parent] for parent in above)
        for node, above in parents.items()
        if node not in functions
    )


@numbers_to_give.mistake(
    "This counts rows. A row has as many free numbers as the node has states, "
    "less one.",
    example=(_TO_GIVE, 1 + 1 + 4),
)
def _rows_only(parents, sizes, functions):
    return sum(
        prod(sizes[parent] for parent in above)
        for node, above in parents.items()
        if node not in functions
    )


# -- local_statements -----------------------------------------------------


@exercise(
    (_CHAIN,),
    (_FORK,),
    (_COLLIDER,),
    (_DIAMOND,),
    (_MELON,),
    (_CLINIC,),
)
def local_statements(parents):
    """Return for each node its non-descendants, without its parents."""
    graph = _graph(parents)
    return {
        node: set(graph) - {node} - nx.descendants(graph, node) - {*above}
        for node, above in parents.items()
    }


_FAMILY = {"E": ("D",), "D": ("A", "B"), "A": (), "C": ("A",), "B": ()}


@local_statements.mistake(
    "Descendants are not screened off by the parents: they stay out of the "
    "statement.",
    example=(
        (_FAMILY,),
        {
            "E": {"A", "B", "C"},
            "D": {"C", "E"},
            "A": {"B", "C", "D", "E"},
            "C": {"B", "D", "E"},
            "B": {"A", "C", "D", "E"},
        },
    ),
)
def _all_others(parents):
    return {
        node: set(parents) - {node, *above} for node, above in parents.items()
    }


@local_statements.mistake(
    "Children are out, and so are the children of children.",
    example=(
        (_FAMILY,),
        {
            "E": {"A", "B", "C"},
            "D": {"C"},
            "A": {"B", "E"},
            "C": {"B", "D", "E"},
            "B": {"A", "C", "E"},
        },
    ),
)
def _children_only(parents):
    graph = _graph(parents)
    return {
        node: set(graph) - {node, *above, *graph.succ[node]}
        for node, above in parents.items()
    }


@local_statements.mistake(
    "The parents stand behind the bar, so they are left out in front of it.",
    example=(
        (_FAMILY,),
        {
            "E": {"A", "B", "C", "D"},
            "D": {"A", "B", "C"},
            "A": {"B"},
            "C": {"A", "B", "D", "E"},
            "B": {"A", "C"},
        },
    ),
)
def _parents_kept(parents):
    graph = _graph(parents)
    return {
        node: set(graph) - {node} - nx.descendants(graph, node)
        for node in parents
    }


@local_statements.mistake(
    "A node is not independent of itself.",
    example=(
        (_FAMILY,),
        {
            "E": {"A", "B", "C", "E"},
            "D": {"C", "D"},
            "A": {"A", "B"},
            "C": {"B", "C", "D", "E"},
            "B": {"A", "B", "C"},
        },
    ),
)
def _itself(parents):
    return {
        node: others | {node}
        for node, others in local_statements(parents).items()
    }


@local_statements.mistake(
    "Only ancestors are kept here. Brothers and sisters and strangers are "
    "non-descendants as well.",
    example=(
        (_FAMILY,),
        {"E": {"A", "B"}, "D": set(), "A": set(), "C": set(), "B": set()},
    ),
)
def _ancestors_only(parents):
    graph = _graph(parents)
    return {
        node: nx.ancestors(graph, node) - {*above}
        for node, above in parents.items()
    }


@local_statements.mistake(
    "The dictionary is in no particular order: what comes earlier in it says "
    "nothing.",
    example=(
        (_FAMILY,),
        {
            "E": set(),
            "D": {"E"},
            "A": {"D", "E"},
            "C": {"D", "E"},
            "B": {"A", "C", "D", "E"},
        },
    ),
)
def _earlier_only(parents):
    found, earlier = {}, set()
    for node, above in parents.items():
        found[node] = earlier - {*above}
        earlier = earlier | {node}
    return found


# -- given_all_others -----------------------------------------------------


def _entry(parents, p_one, node, row):
    p = p_one[node][tuple(row[parent] for parent in parents[node])]
    return p if row[node] == 1 else 1 - p


def _children(parents, node):
    return [child for child, above in parents.items() if node in above]


def _product(parents, p_one, nodes, row):
    return prod(_entry(parents, p_one, node, row) for node in nodes)


def _posterior_of_one(parents, p_one, node, row, factors):
    """Return P[node = 1 | row] from the entries of some nodes alone."""
    one, zero = (
        _product(parents, p_one, factors, {**row, node: state})
        for state in (1, 0)
    )
    return one / (one + zero)


@exercise(
    (_CHAIN, _CHAIN_P, "B", {"A": 1, "B": 0, "C": 1}),
    (_CHAIN, _CHAIN_P, "A", {"A": 0, "B": 0, "C": 1}),
    (_CHAIN, _CHAIN_P, "C", {"A": 1, "B": 1, "C": 0}),
    (_FORK, _FORK_P, "H", {"X": 1, "H": 0, "Z": 0}),
    (_COLLIDER, _COLLIDER_P, "X", {"X": 0, "Y": 1, "Z": 1, "W": 0}),
    (_COLLIDER, _COLLIDER_P, "Y", {"X": 0, "Y": 1, "Z": 1, "W": 0}),
    (_DIAMOND, _DIAMOND_P, "A", {"A": 1, "B": 0, "C": 1, "D": 1}),
    (_DIAMOND, _DIAMOND_P, "B", {"A": 1, "B": 0, "C": 1, "D": 0}),
    (_DIAMOND, _SURE_P, "B", {"A": 1, "B": 1, "C": 0, "D": 1}),
)
def given_all_others(parents, p_one, node, row):
    """Return P[node = 1 | the states of all other nodes in the row]."""
    family = [node, *_children(parents, node)]
    return _posterior_of_one(parents, p_one, node, row, family)


_TRIANGLE = {"A": (), "B": ("A",), "C": ("A", "B")}
_TRIANGLE_P = {
    "A": {(): F(2, 5)},
    "B": {(0,): F(2, 3), (1,): F(1, 4)},
    "C": {
        (0, 0): F(3, 5),
        (0, 1): F(1, 5),
        (1, 0): F(3, 4),
        (1, 1): F(2, 5),
    },
}
_ABOUT_B = (_TRIANGLE, _TRIANGLE_P, "B", {"A": 1, "B": 0, "C": 0})


@given_all_others.mistake(
    "This is the node's own table. Its children are evidence about it, too.",
    example=(_ABOUT_B, F(1, 4)),
)
def _own_table(parents, p_one, node, row):
    return _entry(parents, p_one, node, {**row, node: 1})


@given_all_others.mistake(
    "The weights of the two states have to be divided by their sum.",
    example=(_ABOUT_B, F(3, 20)),
)
def _not_normalised(parents, p_one, node, row):
    family = [node, *_children(parents, node)]
    return _product(parents, p_one, family, {**row, node: 1})


@given_all_others.mistake(
    "The node's own table is missing among the factors.",
    example=(_ABOUT_B, F(12, 17)),
)
def _children_alone(parents, p_one, node, row):
    children = _children(parents, node)
    return _posterior_of_one(parents, p_one, node, row, children)


@given_all_others.mistake(
    "A child that is 0 contributes the probability of 0.",
    example=(_ABOUT_B, F(8, 53)),
)
def _children_as_ones(parents, p_one, node, row):
    ones = dict.fromkeys(_children(parents, node), 1)
    return given_all_others(parents, p_one, node, {**row, **ones})


@given_all_others.mistake(
    "In the tables of the children, too, the node has the state that is being "
    "weighed, not the one in the case; then divide by the sum of both "
    "weights.",
    example=(_ABOUT_B, F(1, 16)),
)
def _children_as_in_the_row(parents, p_one, node, row):
    children = _product(parents, p_one, _children(parents, node), row)
    return _own_table(parents, p_one, node, row) * children


@given_all_others.mistake(
    "This is the probability of 0.", example=(_ABOUT_B, F(5, 9))
)
def _for_zero(parents, p_one, node, row):
    return 1 - given_all_others(parents, p_one, node, row)


# -- noisy_or -------------------------------------------------------------


_THREE = {"flu": F(3, 5), "cold": F(1, 2), "dust": F(1, 5)}


@exercise(
    (_THREE, F(1, 10), {"flu", "cold"}),
    (_THREE, F(1, 10), set()),
    (_THREE, F(0), {"dust"}),
    (_THREE, F(1, 4), {"flu", "cold", "dust"}),
    ({"A": F(1), "B": F(1, 3)}, F(1, 10), {"A", "B"}),
    ({"A": F(2, 9)}, F(1, 3), {"A"}),
)
def noisy_or(strengths, leak, present):
    """Return P[effect | the causes that are present]."""
    return 1 - (1 - leak) * prod(1 - strengths[cause] for cause in present)


_TWO_OF_THREE = (
    {"A": F(1, 3), "B": F(1, 4), "C": F(2, 5)},
    F(1, 10),
    {"A", "B"},
)


@noisy_or.mistake(
    "The leak is missing: the unknown has to fail as well, or the effect "
    "occurs.",
    example=(_TWO_OF_THREE, F(1, 2)),
)
def _no_leak(strengths, leak, present):
    return noisy_or(strengths, 0, present)


@noisy_or.mistake(
    "Probabilities of success cannot be added; two causes may both succeed.",
    example=(_TWO_OF_THREE, F(41, 60)),
)
def _sum(strengths, leak, present):
    return leak + sum(strengths[cause] for cause in present)


@noisy_or.mistake(
    "This is the probability that the effect does not occur.",
    example=(_TWO_OF_THREE, F(9, 20)),
)
def _silence(strengths, leak, present):
    return 1 - noisy_or(strengths, leak, present)


@noisy_or.mistake(
    "One success is enough. It is the failures that have to come together.",
    example=(_TWO_OF_THREE, F(1, 120)),
)
def _all_succeed(strengths, leak, present):
    return leak * prod(strengths[cause] for cause in present)


@noisy_or.mistake(
    "Only causes that are present can succeed.",
    example=(_TWO_OF_THREE, F(73, 100)),
)
def _absent_too(strengths, leak, present):
    return noisy_or(strengths, leak, strengths)


@noisy_or.mistake(
    "This is the strongest cause alone. The others may succeed where it "
    "fails.",
    example=(_TWO_OF_THREE, F(1, 3)),
)
def _strongest(strengths, leak, present):
    return max([leak, *(strengths[cause] for cause in present)])


@noisy_or.mistake(
    "The leak acts also if causes are present.",
    example=(_TWO_OF_THREE, F(1, 2)),
)
def _leak_alone(strengths, leak, present):
    """Use the leak only if no cause is present."""
    return noisy_or(strengths, 0 if present else leak, present)


# -- network_in_order -----------------------------------------------------


@cache
def _separated(edges, nodes, x, y, given):
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graphs.d_separated(graph, x, y, given)


def _separation_in(parents):
    graph = _graph(parents)
    edges, nodes = frozenset(graph.edges), frozenset(graph)
    return lambda x, y, given: _separated(edges, nodes, x, y, frozenset(given))


@exercise(
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
)
def network_in_order(parents, order):
    """Return for each node its smallest parent set among earlier ones."""
    separated, found = _separation_in(parents), {}
    for i, node in enumerate(order):
        earlier = set(order[:i])
        found[node] = {
            other
            for other in earlier
            if not separated(node, other, earlier - {other})
        }
    return found


_SIDE_CAUSE = {"A": (), "B": ("A",), "C": ("B", "D"), "D": ()}


@network_in_order.mistake(
    "A variable that is dependent on an earlier one may be independent of it "
    "given the others that are also earlier: condition on these.",
    example=(
        (_SIDE_CAUSE, ("C", "B", "D", "A")),
        {"C": set(), "B": {"C"}, "D": {"C"}, "A": {"B", "C"}},
    ),
)
def _without_condition(parents, order):
    separated = _separation_in(parents)
    return {
        node: {other for other in order[:i] if not separated(node, other, ())}
        for i, node in enumerate(order)
    }


@network_in_order.mistake(
    "Later variables are not known yet: only the other earlier ones stand "
    "behind the bar.",
    example=(
        (_SIDE_CAUSE, ("B", "D", "C", "A")),
        {"B": set(), "D": {"B"}, "C": {"B", "D"}, "A": {"B"}},
    ),
)
def _given_everything(parents, order):
    separated, found = _separation_in(parents), {}
    for i, node in enumerate(order):
        found[node] = {
            other
            for other in order[:i]
            if not separated(node, other, set(order) - {node, other})
        }
    return found


@network_in_order.mistake(
    "With all earlier ones as parents nothing false is claimed, but a smaller "
    "set may be enough.",
    example=(
        (_SIDE_CAUSE, ("C", "B", "D", "A")),
        {"C": set(), "B": {"C"}, "D": {"B", "C"}, "A": {"B", "C", "D"}},
    ),
)
def _all_earlier(parents, order):
    return {node: set(order[:i]) for i, node in enumerate(order)}


@network_in_order.mistake(
    "Reversing edges is not enough: explaining away makes new ones necessary.",
    example=(
        (_SIDE_CAUSE, ("C", "B", "D", "A")),
        {"C": set(), "B": {"C"}, "D": {"C"}, "A": {"B"}},
    ),
)
def _edges_reversed(parents, order):
    """Reverse the edges of the graph to fit the order, and add none."""
    joined = _graph(parents).to_undirected()
    return {
        node: set(order[:i]) & set(joined[node])
        for i, node in enumerate(order)
    }


@network_in_order.mistake(
    "The order is read from its end: parents are to come earlier.",
    example=(
        (_SIDE_CAUSE, ("C", "B", "D", "A")),
        {"A": set(), "D": set(), "B": {"A"}, "C": {"B", "D"}},
    ),
)
def _later_ones(parents, order):
    return network_in_order(parents, order[::-1])


# -- draw -----------------------------------------------------------------


def _ones(row):
    return {node for node, state in row.items() if state}


def _uniforms(parents, *numbers):
    return {
        node: F(number, 20)
        for node, number in zip(parents, numbers, strict=True)
    }


@exercise(
    (_CHAIN, _CHAIN_P, _uniforms(_CHAIN, 5, 3, 11)),
    (_CHAIN, _CHAIN_P, _uniforms(_CHAIN, 5, 9, 3)),
    (_FORK, _FORK_P, _uniforms(_FORK, 11, 1, 9)),
    (_COLLIDER, _COLLIDER_P, _uniforms(_COLLIDER, 3, 13, 15, 9)),
    (_COLLIDER, _COLLIDER_P, _uniforms(_COLLIDER, 9, 13, 5, 9)),
    (_DIAMOND, _DIAMOND_P, _uniforms(_DIAMOND, 11, 13, 17, 3)),
    (_DIAMOND, _SURE_P, _uniforms(_DIAMOND, 19, 3, 17, 15)),
)
def draw(parents, p_one, uniforms):
    """Return the nodes that come out as 1 in ancestral sampling."""
    row = {}
    for node in graphs.topological_order(_graph(parents)):
        states = tuple(row[parent] for parent in parents[node])
        row[node] = int(uniforms[node] < p_one[node][states])
    return _ones(row)


_A_AND_C = (
    _TRIANGLE,
    _TRIANGLE_P,
    {"A": F(1, 5), "B": F(1, 4), "C": F(3, 5)},
)


@draw.mistake(
    "A node is 1 if its random number lies below the probability of 1; here "
    "it is the other way round.",
    example=(_A_AND_C, {"C"}),
)
def _turned(parents, p_one, uniforms):
    row = {}
    for node in graphs.topological_order(_graph(parents)):
        states = tuple(row[parent] for parent in parents[node])
        row[node] = int(uniforms[node] >= p_one[node][states])
    return _ones(row)


@draw.mistake(
    "This takes the likelier state each time; the random numbers are not "
    "used.",
    example=(_A_AND_C, {"B"}),
)
def _likeliest(parents, p_one, uniforms):
    return draw(parents, p_one, dict.fromkeys(uniforms, F(1, 2)))


@draw.mistake(
    "This takes the row in which all parents are 0. The states that have been "
    "drawn for the parents decide which row it is.",
    example=(_A_AND_C, {"A", "B"}),
)
def _parents_zero(parents, p_one, uniforms):
    """Use 0 for every parent, as if none had been drawn yet."""
    return {
        node
        for node, above in parents.items()
        if uniforms[node] < p_one[node][(0,) * len(above)]
    }


@draw.mistake(
    "The states of the parents are looked up in the wrong order.",
    example=(_A_AND_C, {"A"}),
)
def _parents_backwards(parents, p_one, uniforms):
    row = {}
    for node in graphs.topological_order(_graph(parents)):
        states = tuple(row[parent] for parent in parents[node][::-1])
        row[node] = int(uniforms[node] < p_one[node][states])
    return _ones(row)
