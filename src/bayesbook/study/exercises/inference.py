"""The coding exercises of the chapter *Inference*.

A factor is a dictionary from tuples of states to numbers, with a tuple of
names beside it, its scope. A graph is a set of edges, each a frozenset of
two nodes. A network is two dictionaries: `parents[x]` is a tuple of names,
and `cpt[x][u]` the conditional distribution of x, a dictionary, given the
states u of its parents. A chain has lists: `prior`, `step[i][j]`, the
probability of state j after i, and `seen[t][i]`, that of what is observed at
time t in state i.

This is one file because the exercises of a chapter are found in the module of
its name.
"""

from fractions import Fraction as F
from itertools import combinations, pairwise
from math import log, prod

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import normalised, undirected

# -- pair_posteriors ------------------------------------------------------


def _alpha(prior, step, seen):
    """Return P(x_t, observations up to t) for each t."""
    found = [[p * w for p, w in zip(prior, seen[0], strict=True)]]
    for weights in seen[1:]:
        sums = [
            sum(a * row[j] for a, row in zip(found[-1], step, strict=True))
            for j in range(len(weights))
        ]
        found.append([a * w for a, w in zip(sums, weights, strict=True)])
    return found


def _beta(step, seen):
    """Return P(later observations | x_t) for each t."""
    found = [[1] * len(step)]
    for weights in seen[:0:-1]:
        later = [b * w for b, w in zip(found[-1], weights, strict=True)]
        found.append(
            [
                sum(p * b for p, b in zip(row, later, strict=True))
                for row in step
            ]
        )
    return found[::-1]


def _scaled(pair):
    total = sum(map(sum, pair))
    return [[p / total for p in row] for row in pair]


def _pairs(prior, step, seen, right):
    """Return the pairs, each cell with a factor right(t, j)."""
    alpha = _alpha(prior, step, seen)
    return [
        [
            [a * p * right(t, j) for j, p in enumerate(row)]
            for a, row in zip(alpha[t], step, strict=True)
        ]
        for t in range(len(seen) - 1)
    ]


def _unscaled(prior, step, seen):
    beta = _beta(step, seen)
    return _pairs(
        prior, step, seen, lambda t, j: seen[t + 1][j] * beta[t + 1][j]
    )


_WEATHER = (
    [F(3, 4), F(1, 4)],
    [[F(4, 5), F(1, 5)], [F(2, 5), F(3, 5)]],
)
_DRY, _WET = [F(4, 5), F(1, 5)], [F(1, 5), F(4, 5)]
_OF_THREE = (
    [F(1, 2), F(1, 3), F(1, 6)],
    [
        [F(1, 2), F(1, 4), F(1, 4)],
        [F(1, 3), F(1, 3), F(1, 3)],
        [F(0), F(1, 5), F(4, 5)],
    ],
)


@exercise(
    (*_WEATHER, [_WET, _WET]),
    (*_WEATHER, [_WET, _WET, _DRY, _WET]),
    (*_WEATHER, [_DRY, [F(1), F(1)], _WET]),
    (*_OF_THREE, [[F(1, 2), F(1, 3), F(1, 4)], [F(1), F(1, 2), F(1, 3)]]),
    (
        *_OF_THREE,
        [
            [F(1, 2), F(1, 3), F(1, 4)],
            [F(1, 5), F(1), F(1, 3)],
            [F(2, 3), F(1, 4), F(1)],
        ],
    ),
)
def pair_posteriors(prior, step, seen):
    """Return P(x_t, x_t+1 | all observations) for each t but the last."""
    return [_scaled(pair) for pair in _unscaled(prior, step, seen)]


_TWO_DAYS = (*_WEATHER, [_WET, _WET])
_THREE_DAYS = (*_WEATHER, [_WET, _WET, _WET])


@pair_posteriors.mistake(
    "This uses only what was observed up to day t. What is observed on day "
    "t + 1 and later also counts.",
    example=(
        _TWO_DAYS,
        [[[F(12, 35), F(3, 35)], [F(8, 35), F(12, 35)]]],
    ),
)
def _left_only(prior, step, seen):
    pairs = _pairs(prior, step, seen, lambda t, j: 1)
    return [_scaled(pair) for pair in pairs]


@pair_posteriors.mistake(
    "What is observed on day t + 1 is missing: beta of that day has only "
    "what is observed later.",
    example=(
        _THREE_DAYS,
        [
            [[F(48, 185), F(21, 185)], [F(32, 185), F(84, 185)]],
            [[F(1, 5), F(1, 20)], [F(3, 10), F(9, 20)]],
        ],
    ),
)
def _without_its_observation(prior, step, seen):
    beta = _beta(step, seen)
    pairs = _pairs(prior, step, seen, lambda t, j: beta[t + 1][j])
    return [_scaled(pair) for pair in pairs]


@pair_posteriors.mistake(
    "The message from the right is missing: what is observed after day t + 1.",
    example=(
        _THREE_DAYS,
        [
            [[F(3, 20), F(3, 20)], [F(1, 10), F(3, 5)]],
            [[F(2, 25), F(2, 25)], [F(3, 25), F(18, 25)]],
        ],
    ),
)
def _without_beta(prior, step, seen):
    pairs = _pairs(prior, step, seen, lambda t, j: seen[t + 1][j])
    return [_scaled(pair) for pair in pairs]


@pair_posteriors.mistake(
    "This multiplies the posteriors of the two days, as if they were "
    "independent given the observations.",
    example=(
        _TWO_DAYS,
        [[[F(3, 40), F(9, 40)], [F(7, 40), F(21, 40)]]],
    ),
)
def _independent(prior, step, seen):
    found = []
    for pair in pair_posteriors(prior, step, seen):
        today = [sum(row) for row in pair]
        tomorrow = [sum(column) for column in zip(*pair, strict=True)]
        found.append([[p * q for q in tomorrow] for p in today])
    return found


@pair_posteriors.mistake(
    "These are the joint probabilities with the evidence: divide each table "
    "by its sum.",
    example=(
        _TWO_DAYS,
        [[[F(3, 125), F(3, 125)], [F(2, 125), F(12, 125)]]],
    ),
)
def _not_scaled(prior, step, seen):
    return _unscaled(prior, step, seen)


@pair_posteriors.mistake(
    "Rows and columns are exchanged: a row is a state of day t, a column one "
    "of day t + 1.",
    example=(
        _TWO_DAYS,
        [[[F(3, 20), F(1, 10)], [F(3, 20), F(3, 5)]]],
    ),
)
def _transposed(prior, step, seen):
    return [
        [list(column) for column in zip(*pair, strict=True)]
        for pair in pair_posteriors(prior, step, seen)
    ]


@pair_posteriors.mistake(
    "Each row has been made to sum to one. That is the distribution of day "
    "t + 1 given day t; asked for is that of both.",
    example=(
        _TWO_DAYS,
        [[[F(1, 2), F(1, 2)], [F(1, 7), F(6, 7)]]],
    ),
)
def _rows_scaled(prior, step, seen):
    return [
        [[p / sum(row) for p in row] for row in pair]
        for pair in pair_posteriors(prior, step, seen)
    ]


# -- sum_out --------------------------------------------------------------


def _collect(scope, factor, name, combine):
    """Combine the numbers that agree on all variables but one."""
    axis = scope.index(name)
    found = {}
    for states, number in factor.items():
        found.setdefault(states[:axis] + states[axis + 1 :], []).append(number)
    return {states: combine(numbers) for states, numbers in found.items()}


_TWO = {(0, 0): F(1, 2), (0, 1): F(1, 4), (1, 0): F(1, 5), (1, 1): F(3, 5)}
_THREE = {
    (a, b, c): F(1 + a + 2 * b + 3 * a * c + b * c, 7)
    for a in (0, 1)
    for b in (0, 1, 2)
    for c in (0, 1)
}


@exercise(
    (("A", "B"), _TWO, "A"),
    (("A", "B"), _TWO, "B"),
    (("A", "B", "C"), _THREE, "A"),
    (("A", "B", "C"), _THREE, "B"),
    (("A", "B", "C"), _THREE, "C"),
    (("X",), {("no",): F(2, 3), ("yes",): F(1, 6)}, "X"),
)
def sum_out(scope, factor, name):
    """Return the factor without one variable of its scope."""
    return _collect(scope, factor, name, sum)


@sum_out.mistake(
    "This takes the largest number, which is what the most probable "
    "explanation needs. Here the numbers are added.",
    example=(
        (("A", "B"), {(0, 0): 2, (0, 1): 3, (1, 0): 5, (1, 1): 7}, "A"),
        {(0,): 5, (1,): 7},
    ),
)
def _largest(scope, factor, name):
    return _collect(scope, factor, name, max)


@sum_out.mistake(
    "This is the mean over the states of the variable, not the sum.",
    example=(
        (("A", "B"), {(0, 0): 2, (0, 1): 3, (1, 0): 5, (1, 1): 7}, "A"),
        {(0,): F(7, 2), (1,): 5},
    ),
)
def _mean(scope, factor, name):
    return _collect(
        scope, factor, name, lambda numbers: sum(numbers) / len(numbers)
    )


@sum_out.mistake(
    "This keeps the numbers of one state of the variable: that is what "
    "evidence does.",
    example=(
        (("A", "B"), {(0, 0): 2, (0, 1): 3, (1, 0): 5, (1, 1): 7}, "A"),
        {(0,): 2, (1,): 3},
    ),
)
def _one_state(scope, factor, name):
    return _collect(scope, factor, name, lambda numbers: numbers[0])


@sum_out.mistake(
    "The numbers are multiplied instead of added.",
    example=(
        (("A", "B"), {(0, 0): 2, (0, 1): 3, (1, 0): 5, (1, 1): 7}, "A"),
        {(0,): 10, (1,): 21},
    ),
)
def _product(scope, factor, name):
    return _collect(scope, factor, name, prod)


_PRIMES = (
    ("A", "B", "C"),
    {
        (0, 0, 0): 1,
        (0, 0, 1): 2,
        (0, 1, 0): 3,
        (0, 1, 1): 5,
        (1, 0, 0): 7,
        (1, 0, 1): 11,
        (1, 1, 0): 13,
        (1, 1, 1): 17,
    },
    "C",
)


@sum_out.mistake(
    "The variable itself is kept, and the others are gone.",
    example=(_PRIMES, {(0,): 24, (1,): 35}),
)
def _keep_only(scope, factor, name):
    axis = scope.index(name)
    found = {}
    for states, number in factor.items():
        key = (states[axis],)
        found[key] = found.get(key, 0) + number
    return found


@sum_out.mistake(
    "The result has been made to sum to one. A factor need not: dividing here "
    "would change what comes out at the end.",
    example=(
        (("A", "B"), {(0, 0): 2, (0, 1): 3, (1, 0): 5, (1, 1): 7}, "A"),
        {(0,): F(7, 17), (1,): F(10, 17)},
    ),
)
def _sums_to_one(scope, factor, name):
    return normalised(sum_out(scope, factor, name))


@sum_out.mistake(
    "This counts the places of the scope from the wrong end.",
    example=(_PRIMES, {(0, 0): 8, (0, 1): 13, (1, 0): 16, (1, 1): 22}),
)
def _other_end(scope, factor, name):
    axis = scope.index(name)
    return sum_out(scope, factor, scope[len(scope) - 1 - axis])


# -- without_node ---------------------------------------------------------


def _neighbours(edges, node):
    return sorted({other for edge in edges if node in edge for other in edge})


def _rest(edges, node):
    return {edge for edge in edges if node not in edge}


def _near(edges, node):
    return [other for other in _neighbours(edges, node) if other != node]


_STAR = undirected("ab ac ad ae")
_CYCLE = undirected("ab bc cd de ea")
_HOUSE = undirected("ab bc cd da ac de ce")
_LADDER = undirected("ab cd ef ac ce bd df")


@exercise(
    (_STAR, "a"),
    (_STAR, "b"),
    (_CYCLE, "c"),
    (_HOUSE, "d"),
    (_HOUSE, "e"),
    (_LADDER, "c"),
)
def without_node(edges, node):
    """Return the edges after the elimination of a node."""
    new = set(map(frozenset, combinations(_near(edges, node), 2)))
    return _rest(edges, node) | new


@without_node.mistake(
    "The neighbours are not joined: the factor that is left behind depends on "
    "all of them.",
    example=((undirected("ab ac ad bc de"), "a"), undirected("bc de")),
)
def _not_joined(edges, node):
    return _rest(edges, node)


@without_node.mistake(
    "These are the fill-in edges alone. The other edges are still there.",
    example=((undirected("ab ac ad bc de"), "a"), undirected("bd cd")),
)
def _new_edges_only(edges, node):
    return without_node(edges, node) - edges


@without_node.mistake(
    "The node has been summed out, and its edges go with it.",
    example=(
        (undirected("ab ac ad bc de"), "a"),
        undirected("ab ac ad bc bd cd de"),
    ),
)
def _still_there(edges, node):
    return without_node(edges, node) | edges


@without_node.mistake(
    "This joins the neighbours in a row. All pairs of them are to be joined.",
    example=((undirected("ab ac ad bc de"), "a"), undirected("bc cd de")),
)
def _in_a_row(edges, node):
    pairs = pairwise(_near(edges, node))
    return _rest(edges, node) | set(map(frozenset, pairs))


@without_node.mistake(
    "This joins all nodes, also those that were not neighbours.",
    example=(
        (undirected("ab ac ad bc de"), "a"),
        undirected("bc bd be cd ce de"),
    ),
)
def _everybody(edges, node):
    rest = {other for edge in edges for other in edge} - {node}
    return set(map(frozenset, combinations(sorted(rest), 2)))


# -- largest_table --------------------------------------------------------


def _tables(edges, order, step=without_node):
    """Yield the node and its neighbours at each step."""
    for node in order:
        yield node, _near(edges, node)
        edges = step(edges, node)


def _cells(nodes, states):
    return prod(states[node] for node in nodes)


@exercise(
    (_STAR, dict.fromkeys("abcde", 2), "bcdea"),
    (_STAR, {"a": 2, "b": 3, "c": 2, "d": 4, "e": 5}, "abcde"),
    (_CYCLE, {"a": 3, "b": 2, "c": 5, "d": 2, "e": 3}, "acebd"),
    (_HOUSE, {"a": 2, "b": 3, "c": 4, "d": 5, "e": 2}, "ebadc"),
    (_LADDER, dict.fromkeys("abcdef", 2), "cdabef"),
    (_LADDER, dict.fromkeys("abcdef", 3), "abcdef"),
)
def largest_table(edges, states, order):
    """Return the cells of the largest product of an elimination."""
    return max(
        _cells([node, *near], states) for node, near in _tables(edges, order)
    )


_RING = (
    undirected("ab bc cd de ea"),
    {"a": 3, "b": 2, "c": 5, "d": 3, "e": 4},
    "bcdea",
)


@largest_table.mistake(
    "This is the largest factor that is left behind. Before the sum is taken, "
    "the node itself has an axis as well.",
    example=(_RING, 15),
)
def _left_behind(edges, states, order):
    return max(_cells(near, states) for _, near in _tables(edges, order))


@largest_table.mistake(
    "The graph does not change here. Eliminating a node joins its neighbours, "
    "and the next tables have more variables.",
    example=(_RING, 60),
)
def _same_graph(edges, states, order):
    return max(
        _cells([node, *near], states)
        for node, near in _tables(edges, order, lambda same, _: same)
    )


@largest_table.mistake(
    "Nodes disappear, but their neighbours are not joined.",
    example=(_RING, 30),
)
def _never_joined(edges, states, order):
    return max(
        _cells([node, *near], states)
        for node, near in _tables(edges, order, _rest)
    )


@largest_table.mistake(
    "These are the cells of all tables together.",
    example=(_RING, 126),
)
def _all_tables(edges, states, order):
    return sum(
        _cells([node, *near], states) for node, near in _tables(edges, order)
    )


@largest_table.mistake(
    "This is the number of variables in the largest table.",
    example=(_RING, 3),
)
def _variables(edges, states, order):
    return max(1 + len(near) for _, near in _tables(edges, order))


@largest_table.mistake(
    "Variables may have other numbers of states than two.",
    example=(_RING, 8),
)
def _two_states_each(edges, states, order):
    return max(2 ** (1 + len(near)) for _, near in _tables(edges, order))


@largest_table.mistake(
    "This is the table of the whole joint distribution.",
    example=(_RING, 360),
)
def _whole_joint(edges, states, order):
    return _cells(states, states)


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
    return cpt[node][tuple(states[parent] for parent in parents[node])][
        states[node]
    ]


# -- likelihood_weight ----------------------------------------------------


def _weight(row, nodes, parents, cpt):
    return prod(_factor(node, row, parents, cpt) for node in nodes)


def _unobserved(row, evidence):
    return [node for node in row if node not in evidence]


_LEAF = {"A": 0, "B": 1, "C": 0, "D": 1, "E": 1}
_OTHER_ROW = {"A": 1, "B": 0, "C": 1, "D": 0, "E": 1}


@exercise(
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
)
def likelihood_weight(row, evidence, parents, cpt):
    """Return the weight of a row in likelihood weighting."""
    return _weight(row, evidence, parents, cpt)


_MIDDLE = {"A": 1, "B": 0, "C": 1, "D": 1, "E": 0}


@likelihood_weight.mistake(
    "This is the probability of the whole row. What was drawn is in the row "
    "with its own probability already.",
    example=((_MIDDLE, {"D": 1, "E": 0}, _PARENTS, _CPT), F(1, 60)),
)
def _whole_row(row, evidence, parents, cpt):
    return _weight(row, row, parents, cpt)


@likelihood_weight.mistake(
    "These are the nodes that were drawn. The weight is about those that were "
    "not.",
    example=((_MIDDLE, {"D": 1, "E": 0}, _PARENTS, _CPT), F(1, 12)),
)
def _drawn_nodes(row, evidence, parents, cpt):
    return _weight(row, _unobserved(row, evidence), parents, cpt)


@likelihood_weight.mistake(
    "The factors of the observed nodes are multiplied, not added.",
    example=((_MIDDLE, {"D": 1, "E": 0}, _PARENTS, _CPT), F(14, 15)),
)
def _sum_of_factors(row, evidence, parents, cpt):
    return sum(_factor(node, row, parents, cpt) for node in evidence)


@likelihood_weight.mistake(
    "Each observed node has the probability given the states that its parents "
    "have in this row; this is a mean over all of them.",
    example=((_MIDDLE, {"D": 1, "E": 0}, _PARENTS, _CPT), F(91, 320)),
)
def _average_over_parents(row, evidence, parents, cpt):
    found = 1
    for node in evidence:
        table = cpt[node].values()
        found *= sum(given[row[node]] for given in table) / len(table)
    return found


@likelihood_weight.mistake(
    "This is the logarithm of the weight.",
    example=((_MIDDLE, {"D": 1, "E": 0}, _PARENTS, _CPT), -log(5)),
)
def _logarithm(row, evidence, parents, cpt):
    return log(_weight(row, evidence, parents, cpt))


@likelihood_weight.mistake(
    "The weight is upside down: rows that make the evidence improbable count "
    "less.",
    example=((_MIDDLE, {"D": 1, "E": 0}, _PARENTS, _CPT), 5),
)
def _reciprocal(row, evidence, parents, cpt):
    return 1 / _weight(row, evidence, parents, cpt)


# -- gibbs_distribution ---------------------------------------------------


def _children(node, parents):
    return [child for child in parents if node in parents[child]]


def _products(node, now, parents, cpt, about):
    """Multiply some factors for each state of the node."""
    states = next(iter(cpt[node].values()))
    return {
        state: _weight({**now, node: state}, about, parents, cpt)
        for state in states
    }


def _blanket(node, now, parents, cpt):
    about = [node, *_children(node, parents)]
    return _products(node, now, parents, cpt, about)


@exercise(
    ("A", _LEAF, _PARENTS, _CPT),
    ("B", _LEAF, _PARENTS, _CPT),
    ("D", _OTHER_ROW, _PARENTS, _CPT),
    ("E", _OTHER_ROW, _PARENTS, _CPT),
    ("X", {"X": 0, "Z": 1, "Y": 1, "W": 0}, _OTHER_PARENTS, _OTHER),
    ("Z", {"X": 2, "Z": 1, "Y": 0, "W": 0}, _OTHER_PARENTS, _OTHER),
)
def gibbs_distribution(node, now, parents, cpt):
    """Return P(node | all the others), from its Markov blanket."""
    return normalised(_blanket(node, now, parents, cpt))


@gibbs_distribution.mistake(
    "The distribution of the node given its parents is not enough: its "
    "children have states, too, and are evidence about it.",
    example=(("B", _MIDDLE, _PARENTS, _CPT), {0: F(1, 4), 1: F(3, 4)}),
)
def _own_distribution(node, now, parents, cpt):
    return cpt[node][tuple(now[parent] for parent in parents[node])]


@gibbs_distribution.mistake(
    "The node's own table is missing.",
    example=(("A", _MIDDLE, _PARENTS, _CPT), {0: F(16, 41), 1: F(25, 41)}),
)
def _children_only(node, now, parents, cpt):
    about = _children(node, parents)
    return normalised(_products(node, now, parents, cpt, about))


@gibbs_distribution.mistake(
    "These are products of the right factors, but a distribution has to sum "
    "to one.",
    example=(("A", _MIDDLE, _PARENTS, _CPT), {0: F(2, 25), 1: F(1, 12)}),
)
def _not_normalised(node, now, parents, cpt):
    return _blanket(node, now, parents, cpt)


@gibbs_distribution.mistake(
    "The factors are multiplied, not added.",
    example=(("A", _MIDDLE, _PARENTS, _CPT), {0: F(88, 177), 1: F(89, 177)}),
)
def _added(node, now, parents, cpt):
    about = [node, *_children(node, parents)]
    tables = [_products(node, now, parents, cpt, [each]) for each in about]
    return normalised(
        {state: sum(table[state] for table in tables) for state in tables[0]}
    )


@gibbs_distribution.mistake(
    "The probabilities belong to other states.",
    example=(
        ("X", {"X": 1, "Z": 0, "Y": 0, "W": 1}, _OTHER_PARENTS, _OTHER),
        {0: F(3, 26), 1: F(8, 26), 2: F(15, 26)},
    ),
)
def _swapped(node, now, parents, cpt):
    """Reverse the distribution of the states."""
    right = gibbs_distribution(node, now, parents, cpt)
    return dict(zip(right, reversed(right.values()), strict=True))
