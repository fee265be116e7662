"""The coding exercises of the chapter *Inference*.

A factor is a dictionary from tuples of states to numbers, with a tuple of
names beside it, its scope. A graph is a set of edges, each a frozenset of
two nodes. A network is two dictionaries: `parents[x]` is a tuple of names,
and `cpt[x][u]` the conditional distribution of x, a dictionary, given the
states u of its parents.
"""

from fractions import Fraction as F
from itertools import combinations, pairwise
from math import log, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- sum_out(scope, factor, name) -----------------------------------------


def _collect(scope, factor, name, combine):
    """Combine the numbers that agree on all variables but one."""
    axis = scope.index(name)
    found = {}
    for states, number in factor.items():
        found.setdefault(states[:axis] + states[axis + 1 :], []).append(number)
    return {states: combine(numbers) for states, numbers in found.items()}


def _sum_out(scope, factor, name):
    return _collect(scope, factor, name, sum)


def _keep_only(scope, factor, name):
    """Sum out all the others."""
    axis = scope.index(name)
    found = {}
    for states, number in factor.items():
        key = (states[axis],)
        found[key] = found.get(key, 0) + number
    return found


def _normalised(scope, factor, name):
    found = _sum_out(scope, factor, name)
    total = sum(found.values())
    return {states: number / total for states, number in found.items()}


def _other_end(scope, factor, name):
    axis = scope.index(name)
    return _sum_out(scope, factor, scope[len(scope) - 1 - axis])


_TWO = {(0, 0): F(1, 2), (0, 1): F(1, 4), (1, 0): F(1, 5), (1, 1): F(3, 5)}
_THREE = {
    (a, b, c): F(1 + a + 2 * b + 3 * a * c + b * c, 7)
    for a in (0, 1)
    for b in (0, 1, 2)
    for c in (0, 1)
}

sum_out = Exercise(
    reference=_sum_out,
    cases=(
        (("A", "B"), _TWO, "A"),
        (("A", "B"), _TWO, "B"),
        (("A", "B", "C"), _THREE, "A"),
        (("A", "B", "C"), _THREE, "B"),
        (("A", "B", "C"), _THREE, "C"),
        (("X",), {("no",): F(2, 3), ("yes",): F(1, 6)}, "X"),
    ),
    mistakes={
        "This takes the largest number, which is what the most probable "
        "explanation needs. Here the numbers are added.": (
            lambda s, f, n: _collect(s, f, n, max)
        ),
        "This is the mean over the states of the variable, not the sum.": (
            lambda s, f, n: _collect(s, f, n, lambda v: sum(v) / len(v))
        ),
        "This keeps the numbers of one state of the variable: that is what "
        "evidence does.": lambda s, f, n: _collect(s, f, n, lambda v: v[0]),
        "The numbers are multiplied instead of added.": (
            lambda s, f, n: _collect(s, f, n, prod)
        ),
        "The variable itself is kept, and the others are gone.": _keep_only,
        "The result has been made to sum to one. A factor need not: dividing "
        "here would change what comes out at the end.": _normalised,
        "This counts the places of the scope from the wrong end.": _other_end,
    },
)

# -- without_node(edges, node) --------------------------------------------


def _neighbours(edges, node):
    return sorted({other for edge in edges if node in edge for other in edge})


def _rest(edges, node):
    return {edge for edge in edges if node not in edge}


def _near(edges, node):
    return [other for other in _neighbours(edges, node) if other != node]


def _without_node(edges, node):
    new = set(map(frozenset, combinations(_near(edges, node), 2)))
    return _rest(edges, node) | new


def _new_edges_only(edges, node):
    return _without_node(edges, node) - edges


def _still_there(edges, node):
    return _without_node(edges, node) | edges


def _in_a_row(edges, node):
    near = _near(edges, node)
    pairs = pairwise(near)
    return _rest(edges, node) | set(map(frozenset, pairs))


def _everybody(edges, node):
    rest = {other for edge in edges for other in edge} - {node}
    return set(map(frozenset, combinations(sorted(rest), 2)))


def _edges(text):
    return set(map(frozenset, text.split()))


_STAR = _edges("ab ac ad ae")
_CYCLE = _edges("ab bc cd de ea")
_HOUSE = _edges("ab bc cd da ac de ce")
_LADDER = _edges("ab cd ef ac ce bd df")

without_node = Exercise(
    reference=_without_node,
    cases=(
        (_STAR, "a"),
        (_STAR, "b"),
        (_CYCLE, "c"),
        (_HOUSE, "d"),
        (_HOUSE, "e"),
        (_LADDER, "c"),
    ),
    mistakes={
        "The neighbours are not joined: the factor that is left behind "
        "depends on all of them.": _rest,
        "These are the fill-in edges alone. The other edges are "
        "still there.": _new_edges_only,
        "The node has been summed out, and its edges go with it.": (
            _still_there
        ),
        "This joins the neighbours in a row. All pairs of them are to be "
        "joined.": _in_a_row,
        "This joins all nodes, also those that were not neighbours.": (
            _everybody
        ),
    },
)

# -- largest_table(edges, states, order) ----------------------------------


def _tables(edges, order, step=_without_node):
    """Yield the node and its neighbours at each step."""
    for node in order:
        yield node, _near(edges, node)
        edges = step(edges, node)


def _cells(nodes, states):
    return prod(states[node] for node in nodes)


def _largest_table(edges, states, order):
    return max(
        _cells([node, *near], states) for node, near in _tables(edges, order)
    )


largest_table = Exercise(
    reference=_largest_table,
    cases=(
        (_STAR, dict.fromkeys("abcde", 2), "bcdea"),
        (_STAR, {"a": 2, "b": 3, "c": 2, "d": 4, "e": 5}, "abcde"),
        (_CYCLE, {"a": 3, "b": 2, "c": 5, "d": 2, "e": 3}, "acebd"),
        (_HOUSE, {"a": 2, "b": 3, "c": 4, "d": 5, "e": 2}, "ebadc"),
        (_LADDER, dict.fromkeys("abcdef", 2), "cdabef"),
        (_LADDER, dict.fromkeys("abcdef", 3), "abcdef"),
    ),
    mistakes={
        "This is the largest factor that is left behind. Before the sum is "
        "taken, the node itself has an axis as well.": (
            lambda edges, states, order: max(
                _cells(near, states) for _, near in _tables(edges, order)
            )
        ),
        "The graph does not change here. Eliminating a node joins its "
        "neighbours, and the next tables have more variables.": (
            lambda edges, states, order: max(
                _cells([node, *near], states)
                for node, near in _tables(edges, order, lambda g, _: g)
            )
        ),
        "Nodes disappear, but their neighbours are not joined.": (
            lambda edges, states, order: max(
                _cells([node, *near], states)
                for node, near in _tables(edges, order, _rest)
            )
        ),
        "These are the cells of all tables together.": (
            lambda edges, states, order: sum(
                _cells([node, *near], states)
                for node, near in _tables(edges, order)
            )
        ),
        "This is the number of variables in the largest table.": (
            lambda edges, states, order: max(
                1 + len(near) for _, near in _tables(edges, order)
            )
        ),
        "Variables may have other numbers of states than two.": (
            lambda edges, states, order: max(
                2 ** (1 + len(near)) for _, near in _tables(edges, order)
            )
        ),
        "This is the table of the whole joint distribution.": (
            lambda edges, states, order: _cells(states, states)
        ),
    },
)

# -- networks -------------------------------------------------------------


def _coin(p):
    return {0: 1 - F(p), 1: F(p)}


_PARENTS = {"A": (), "B": ("A",), "C": ("A",), "D": ("B", "C"), "E": ("D",)}
_CPT = {
    "A": {(): _coin("2/5")},
    "B": {(0,): _coin("1/3"), (1,): _coin("3/4")},
    "C": {(0,): _coin("1/5"), (1,): _coin("5/6")},
    "D": {
        (0, 0): _coin("1/10"),
        (0, 1): _coin("3/5"),
        (1, 0): _coin("1/2"),
        (1, 1): _coin("9/10"),
    },
    "E": {(0,): _coin("1/4"), (1,): _coin("2/3")},
}
# A chain with three states, and a node with two parents of one generation.
_OTHER_PARENTS = {"X": (), "Z": (), "Y": ("X", "Z"), "W": ("Y",)}
_OTHER = {
    "X": {(): {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)}},
    "Z": {(): _coin("1/7")},
    "Y": {
        (x, z): _coin(F(1 + x + 2 * z, 6)) for x in (0, 1, 2) for z in (0, 1)
    },
    "W": {(0,): _coin("1/9"), (1,): _coin("4/5")},
}


def _factor(node, states, parents, cpt):
    return cpt[node][tuple(states[u] for u in parents[node])][states[node]]


# -- likelihood_weight(row, evidence, parents, cpt) -----------------------


def _weight(row, nodes, parents, cpt):
    return prod(_factor(node, row, parents, cpt) for node in nodes)


def _likelihood_weight(row, evidence, parents, cpt):
    return _weight(row, evidence, parents, cpt)


def _unobserved(row, evidence):
    return [node for node in row if node not in evidence]


def _average_over_parents(row, evidence, parents, cpt):
    found = 1
    for node in evidence:
        distributions = cpt[node].values()
        found *= sum(
            distribution[row[node]] for distribution in distributions
        ) / len(distributions)
    return found


_LEAF = {"A": 0, "B": 1, "C": 0, "D": 1, "E": 1}
_OTHER_ROW = {"A": 1, "B": 0, "C": 1, "D": 0, "E": 1}

likelihood_weight = Exercise(
    reference=_likelihood_weight,
    cases=(
        (_LEAF, {"E": 1}, _PARENTS, _CPT),
        (_LEAF, {"D": 1, "E": 1}, _PARENTS, _CPT),
        (_OTHER_ROW, {"A": 1, "D": 0}, _PARENTS, _CPT),
        (_OTHER_ROW, {"B": 0, "C": 1, "E": 1}, _PARENTS, _CPT),
        ({"X": 2, "Z": 0, "Y": 1, "W": 0}, {"Y": 1}, _OTHER_PARENTS, _OTHER),
        (
            {"X": 0, "Z": 1, "Y": 0, "W": 1},
            {"W": 1, "X": 0},
            _OTHER_PARENTS,
            _OTHER,
        ),
    ),
    mistakes={
        "This is the probability of the whole row. What was drawn is in the "
        "row with its own probability already.": (
            lambda row, evidence, parents, cpt: _weight(row, row, parents, cpt)
        ),
        "These are the nodes that were drawn. The weight is about those that "
        "were not.": lambda row, evidence, parents, cpt: _weight(
            row, _unobserved(row, evidence), parents, cpt
        ),
        "The factors of the observed nodes are multiplied, not added.": (
            lambda row, evidence, parents, cpt: sum(
                _factor(node, row, parents, cpt) for node in evidence
            )
        ),
        "Each observed node has the probability given the states that its "
        "parents have in this row; this is a mean over all of them.": (
            _average_over_parents
        ),
        "This is the logarithm of the weight.": (
            lambda row, evidence, parents, cpt: log(
                _weight(row, evidence, parents, cpt)
            )
        ),
        "The weight is upside down: rows that make the evidence improbable "
        "count less.": lambda row, evidence, parents, cpt: (
            1 / _weight(row, evidence, parents, cpt)
        ),
    },
)

# -- gibbs_distribution(node, now, parents, cpt) --------------------------


def _children(node, parents):
    return [child for child in parents if node in parents[child]]


def _scaled(weights):
    total = sum(weights.values())
    return {state: weight / total for state, weight in weights.items()}


def _products(node, now, parents, cpt, about):
    """Multiply some factors for each state of the node."""
    states = next(iter(cpt[node].values()))
    return {
        s: prod(_factor(x, {**now, node: s}, parents, cpt) for x in about)
        for s in states
    }


def _blanket(node, now, parents, cpt):
    about = [node, *_children(node, parents)]
    return _products(node, now, parents, cpt, about)


def _gibbs_distribution(node, now, parents, cpt):
    return _scaled(_blanket(node, now, parents, cpt))


def _own_distribution(node, now, parents, cpt):
    return cpt[node][tuple(now[u] for u in parents[node])]


def _children_only(node, now, parents, cpt):
    about = _children(node, parents)
    return _scaled(_products(node, now, parents, cpt, about))


def _added(node, now, parents, cpt):
    about = [node, *_children(node, parents)]
    tables = [_products(node, now, parents, cpt, [x]) for x in about]
    return _scaled({s: sum(t[s] for t in tables) for s in tables[0]})


def _swapped(node, now, parents, cpt):
    """Reverse the distribution of the states."""
    distribution = _gibbs_distribution(node, now, parents, cpt)
    return dict(
        zip(distribution, reversed(distribution.values()), strict=True)
    )


gibbs_distribution = Exercise(
    reference=_gibbs_distribution,
    cases=(
        ("A", _LEAF, _PARENTS, _CPT),
        ("B", _LEAF, _PARENTS, _CPT),
        ("D", _OTHER_ROW, _PARENTS, _CPT),
        ("E", _OTHER_ROW, _PARENTS, _CPT),
        ("X", {"X": 0, "Z": 1, "Y": 1, "W": 0}, _OTHER_PARENTS, _OTHER),
        ("Z", {"X": 2, "Z": 1, "Y": 0, "W": 0}, _OTHER_PARENTS, _OTHER),
    ),
    mistakes={
        "The distribution of the node given its parents is not enough: its "
        "children have states, too, and are evidence "
        "about it.": _own_distribution,
        "The node's own table is missing.": _children_only,
        "These are products of the right factors, but a distribution has to "
        "sum to "
        "one.": _blanket,
        "The factors are multiplied, not added.": _added,
        "The probabilities belong to other states.": _swapped,
    },
)

EXERCISES = {
    "sum_out": sum_out,
    "without_node": without_node,
    "largest_table": largest_table,
    "likelihood_weight": likelihood_weight,
    "gibbs_distribution": gibbs_distribution,
}
