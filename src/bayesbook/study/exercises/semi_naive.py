"""The coding exercises of the chapter *Semi-naive Bayes*.

It is one file because a chapter's exercises are one module, and each of
their many hints has its example beside it.
"""

from fractions import Fraction as F
from itertools import combinations
from math import log, log2, prod

from bayesbook.study.exercises.checker import exercise

# -- joint_with_own_parents -----------------------------------------------


def _joint(rows, labels, parents, states, row, *, of_class, factor):
    """Multiply the class and a factor for each column, for each class."""
    found = []
    for c, own in enumerate(parents):
        total = of_class(labels.count(c), len(labels), len(parents))
        for j, others in enumerate(own):
            same = [
                r
                for r, label in zip(rows, labels, strict=True)
                if label == c and all(r[i] == row[i] for i in others)
            ]
            both = sum(r[j] == row[j] for r in same)
            total *= factor(both, len(same), states[j])
        found.append(total)
    return found


def _smoothed_class(n, total, K):
    return F(n + 1, total + K)


def _smoothed_factor(both, same, S):
    return F(both + 1, same + S)


_PAIRS = [[1, 1]] * 3 + [[0, 0]] * 3 + [[1, 0], [0, 1]]
_MIXED = [[0, 2, 1], [1, 0, 1], [1, 1, 0], [0, 2, 0], [1, 2, 1], [0, 0, 0]]
_NINE = [[1, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 0]]
_NINE += [[1, 1, 1], [0, 1, 0], [0, 0, 1], [1, 0, 0]]


@exercise(
    (_PAIRS, [0] * 4 + [1] * 4, [[[], [0]], [[1], []]], [2, 2], [1, 1]),
    (
        _MIXED,
        [0, 1, 0, 1, 1, 0],
        [[[], [0], [0]], [[], [0], [1]]],
        [2, 3, 2],
        [1, 2, 1],
    ),
    (
        _NINE,
        [0, 0, 1, 1, 0, 1, 0, 1, 0],
        [[[], [0], [1]], [[2], [2], []]],
        [2, 2, 2],
        [1, 1, 0],
    ),
    (
        _NINE,
        [2, 0, 1, 2, 0, 1, 0, 1, 2],
        [[[], [], []], [[], [0], [0, 1]], [[1], [], [1]]],
        [2, 2, 2],
        [0, 1, 1],
    ),
)
def joint_with_own_parents(rows, labels, parents, states, row):
    """Return p(c, row) for all classes, each with parents of its own."""
    return _joint(
        rows,
        labels,
        parents,
        states,
        row,
        of_class=_smoothed_class,
        factor=_smoothed_factor,
    )


_SEVEN = (
    [[1, 1], [1, 0], [1, 1], [0, 0], [0, 1], [1, 1], [0, 0]],
    [0, 0, 0, 0, 1, 1, 1],
    [[[], [0]], [[1], []]],
    [2, 2],
    [1, 1],
)


@joint_with_own_parents.mistake(
    "All classes have the parents of the first one here; each has its own.",
    example=(_SEVEN, [F(2, 9), F(4, 9) * F(2, 5) * F(2, 3)]),
)
def _parents_of_the_first(rows, labels, parents, states, row):
    first = [parents[0]] * len(parents)
    return joint_with_own_parents(rows, labels, first, states, row)


@joint_with_own_parents.mistake(
    "This is naive Bayes: the rows have to agree in the parents, too.",
    example=(_SEVEN, [F(5, 9) * F(2, 3) * F(1, 2), F(4, 9) * F(6, 25)]),
)
def _without_own_parents(rows, labels, parents, states, row):
    none = [[[] for _ in own] for own in parents]
    return joint_with_own_parents(rows, labels, none, states, row)


@joint_with_own_parents.mistake(
    "These are relative frequencies where they have counts: each state gets "
    "one row more, and so does each class.",
    example=(_SEVEN, [F(4, 7) * F(3, 4) * F(2, 3), F(3, 7) * F(1, 3)]),
)
def _frequencies(rows, labels, parents, states, row):
    return _joint(
        rows,
        labels,
        parents,
        states,
        row,
        of_class=lambda n, total, K: F(n, total),
        factor=lambda both, same, S: F(both, same) if same else F(1, S),
    )


@joint_with_own_parents.mistake(
    "The class is missing: this is the probability of the row given the "
    "class.",
    example=(_SEVEN, [F(2, 5), F(3, 10)]),
)
def _given_the_class(rows, labels, parents, states, row):
    return _joint(
        rows,
        labels,
        parents,
        states,
        row,
        of_class=lambda n, total, K: 1,
        factor=_smoothed_factor,
    )


@joint_with_own_parents.mistake(
    "A row more for each state of the column belongs in the denominator, not "
    "a single one.",
    example=(
        _SEVEN,
        [F(5, 9) * F(4, 5) * F(3, 4), F(4, 9) * F(2, 3) * F(3, 4)],
    ),
)
def _one_below(rows, labels, parents, states, row):
    return _joint(
        rows,
        labels,
        parents,
        states,
        row,
        of_class=_smoothed_class,
        factor=lambda both, same, S: F(both + 1, same + 1),
    )


# -- conditional_bits -----------------------------------------------------


def _cells(table):
    """Yield the counts that are not 0, with the sums of row and column."""
    columns = [sum(column) for column in zip(*table, strict=True)]
    for row in table:
        for n, column in zip(row, columns, strict=True):
            if n:
                yield n, sum(row), column


def _bits(table):
    """Return the mutual information in one table of counts."""
    rows = sum(map(sum, table))
    return sum(
        n / rows * log2(n * rows / (row * column))
        for n, row, column in _cells(table)
    )


def _rows(counts):
    return [sum(map(sum, table)) for table in counts]


@exercise(
    ([[[3, 1], [1, 3]], [[1, 3], [3, 1]]],),
    ([[[10, 2], [3, 5]], [[1, 4], [6, 2]]],),
    ([[[4, 0, 2], [1, 3, 5]], [[7, 1, 0], [2, 2, 20]]],),
    ([[[2, 4], [3, 6]], [[10, 0], [0, 10]], [[5, 5], [1, 9]]],),
    ([[[6, 2], [1, 7]]],),
    ([[[0, 0], [0, 0]], [[8, 1], [2, 3]], [[30, 4], [5, 6]]],),
)
def conditional_bits(counts):
    """Return I(X; Y | C) in bits, from a table of counts for each class."""
    rows = _rows(counts)
    return sum(
        n / sum(rows) * _bits(table)
        for n, table in zip(rows, counts, strict=True)
        if n
    )


_SIX_AND_TWELVE = ([[[3, 1], [1, 1]], [[2, 4], [1, 5]]],)


@conditional_bits.mistake(
    "These are nats: bits need binary logarithms.",
    example=(_SIX_AND_TWELVE, 0.0227233079240),
)
def _nats(counts):
    return conditional_bits(counts) * log(2)


@conditional_bits.mistake(
    "The classes have been thrown together: this is the information without "
    "the class.",
    example=(_SIX_AND_TWELVE, 0.0479551539375),
)
def _without_class(counts):
    together = [
        [sum(cells) for cells in zip(*rows, strict=True)]
        for rows in zip(*counts, strict=True)
    ]
    return _bits(together)


@conditional_bits.mistake(
    "Classes with more rows have to weigh more.",
    example=(_SIX_AND_TWELVE, 0.0356147071781),
)
def _classes_alike(counts):
    present = [table for table in counts if sum(map(sum, table))]
    return sum(map(_bits, present)) / len(present)


@conditional_bits.mistake(
    "The information of the classes is a mean, weighted by their shares; this "
    "is a sum.",
    example=(_SIX_AND_TWELVE, 0.0712294143561),
)
def _sum_of_classes(counts):
    return sum(_bits(table) for table in counts if sum(map(sum, table)))


@conditional_bits.mistake(
    "The probabilities in the logarithm have to be those given the class.",
    example=(_SIX_AND_TWELVE, 0.951078637709),
)
def _joint_in_the_logarithm(counts):
    rows = sum(_rows(counts))
    return sum(
        sum(
            n / rows * log2(n * rows / (row * column))
            for n, row, column in _cells(table)
        )
        for table in counts
    )


@conditional_bits.mistake(
    "The sign is reversed.", example=(_SIX_AND_TWELVE, -0.0327828036546)
)
def _reversed(counts):
    return -conditional_bits(counts)


# -- free_parameters ------------------------------------------------------


def _families(states, parents):
    """Yield the states of each column, and those of its parents."""
    for own, others in zip(states, parents, strict=True):
        yield own, [states[i] for i in others]


@exercise(
    (2, [2, 2, 2], [[], [0], [0]]),
    (3, [2, 3, 4], [[], [0], [0, 1]]),
    (2, [3, 3, 3, 3], [[], [], [], []]),
    (4, [5, 2, 3], [[1], [2], []]),
    (2, [2, 4, 3, 5], [[], [0], [0, 1], [1, 2]]),
    (10, [3, 2, 2], [[2], [0, 2], []]),
)
def free_parameters(K, states, parents):
    """Return the free parameters of p(c) and of all p(x_j | c, parents)."""
    return (K - 1) + sum(
        K * (own - 1) * prod(others)
        for own, others in _families(states, parents)
    )


_FOUR_CLASSES = (4, [3, 2, 5], [[], [0], [0, 1]])


@free_parameters.mistake(
    "The probabilities of a distribution sum to one, so one of them is not "
    "free.",
    example=(_FOUR_CLASSES, 159),
)
def _every_state(K, states, parents):
    return (K - 1) + sum(
        K * own * prod(others) for own, others in _families(states, parents)
    )


@free_parameters.mistake(
    "The class has a distribution too.", example=(_FOUR_CLASSES, 116)
)
def _without_the_class(K, states, parents):
    return free_parameters(K, states, parents) - (K - 1)


@free_parameters.mistake(
    "Of the class probabilities one is not free.", example=(_FOUR_CLASSES, 120)
)
def _class_not_free(K, states, parents):
    return free_parameters(K, states, parents) + 1


@free_parameters.mistake(
    "Every class has distributions of its own.", example=(_FOUR_CLASSES, 32)
)
def _one_class(K, states, parents):
    return (K - 1) + sum(
        (own - 1) * prod(others) for own, others in _families(states, parents)
    )


@free_parameters.mistake(
    "Two parents are in a pair of states: their numbers of states are "
    "multiplied.",
    example=(_FOUR_CLASSES, 103),
)
def _states_added(K, states, parents):
    return (K - 1) + sum(
        K * (own - 1) * (sum(others) or 1)
        for own, others in _families(states, parents)
    )


@free_parameters.mistake(
    "A column with parents has a distribution for each of their states.",
    example=(_FOUR_CLASSES, 31),
)
def _without_parents(K, states, parents):
    return (K - 1) + sum(K * (own - 1) for own in states)


@free_parameters.mistake(
    "Every state of the parents needs a distribution, the last one too: only "
    "the column's own states have one that is not free.",
    example=(_FOUR_CLASSES, 51),
)
def _parents_minus_one(K, states, parents):
    return (K - 1) + sum(
        K * (own - 1) * prod(other - 1 for other in others)
        for own, others in _families(states, parents)
    )


# -- best_tree ------------------------------------------------------------


def _columns(weights):
    return sorted({column for edge in weights for column in edge})


def _greedy(weights, edges):
    """Choose the edges in their order, unless they close a cycle."""
    part = {column: column for column in _columns(weights)}
    found = []
    for i, j in edges:
        if part[i] != part[j]:
            found.append((i, j))
            old, new = part[j], part[i]
            for column in part:
                part[column] = new if part[column] == old else part[column]
    return sorted(found)


def _falling(weights):
    return sorted(weights, key=weights.get, reverse=True)


def _edge(i, j):
    return min(i, j), max(i, j)


def _weights(columns, values):
    return dict(zip(combinations(columns, 2), values, strict=True))


@exercise(
    (_weights("abc", [30, 20, 25]),),
    (_weights("abcd", [9, 8, 2, 7, 1, 3]),),
    (_weights("abcde", [20, 5, 12, 3, 18, 15, 6, 9, 14, 8]),),
    (_weights("pqrs", [10, 1, 2, 3, 4, 9]),),
    (
        _weights(
            "abcdef",
            [9, 8, 1, 2, 3, 7, 4, 5, 6, 10, 11, 12, 15, 14, 13],
        ),
    ),
    (_weights("xy", [5]),),
)
def best_tree(weights):
    """Return the sorted edges of the maximum spanning tree."""
    return _greedy(weights, _falling(weights))


_TRIANGLE_AND_TAIL = (_weights("abcd", [9, 8, 1, 7, 3, 5]),)


@best_tree.mistake(
    "These are the heaviest edges, but some of them close a cycle, and a "
    "column is left out.",
    example=(_TRIANGLE_AND_TAIL, [("a", "b"), ("a", "c"), ("b", "c")]),
)
def _heaviest(weights):
    return sorted(_falling(weights)[: len(_columns(weights)) - 1])


@best_tree.mistake(
    "This is the spanning tree with the smallest sum.",
    example=(_TRIANGLE_AND_TAIL, [("a", "d"), ("b", "d"), ("c", "d")]),
)
def _smallest(weights):
    return _greedy(weights, _falling(weights)[::-1])


@best_tree.mistake(
    "This is the heaviest star: the tree of a SPODE.",
    example=(_TRIANGLE_AND_TAIL, [("a", "c"), ("b", "c"), ("c", "d")]),
)
def _star(weights):
    columns = _columns(weights)
    totals = {
        i: sum(weight for edge, weight in weights.items() if i in edge)
        for i in columns
    }
    centre = max(columns, key=totals.get)
    return sorted(_edge(centre, j) for j in columns if j != centre)


@best_tree.mistake(
    "Each column has been joined to its nearest; these edges need not be a "
    "tree.",
    example=(
        (_weights("abcde", [10, 1, 3, 2, 6, 5, 4, 9, 7, 8]),),
        [("a", "b"), ("c", "d"), ("d", "e")],
    ),
)
def _to_the_nearest(weights):
    found = set()
    for i in _columns(weights):
        own = [edge for edge in weights if i in edge]
        found.add(max(own, key=weights.get))
    return sorted(found)


@best_tree.mistake(
    "This is a path that goes from the first column on, always to the nearest "
    "one that is left; a tree may branch.",
    example=(_TRIANGLE_AND_TAIL, [("a", "b"), ("b", "c"), ("c", "d")]),
)
def _path(weights):
    at, *left = _columns(weights)
    found = []
    while left:
        to = max(left, key=lambda j: weights[_edge(at, j)])
        found.append(_edge(at, to))
        left.remove(to)
        at = to
    return sorted(found)


@best_tree.mistake(
    "These are all edges.",
    example=(
        _TRIANGLE_AND_TAIL,
        [
            ("a", "b"),
            ("a", "c"),
            ("a", "d"),
            ("b", "c"),
            ("b", "d"),
            ("c", "d"),
        ],
    ),
)
def _all_edges(weights):
    return sorted(weights)


# -- pair_distribution ----------------------------------------------------


def _smoothed(counts, lam, total):
    return [[F(n + lam) / total(row) for n in row] for row in counts]


def _size(counts):
    return sum(map(sum, counts))


@exercise(
    ([[4, 4], [4, 4]], 1),
    ([[3, 0, 5], [1, 7, 2]], 1),
    ([[2, 6], [1, 0], [9, 3]], 2),
    ([[5, 1, 0, 2], [0, 3, 3, 1]], F(1, 2)),
    ([[8, 2, 1]], 3),
)
def pair_distribution(counts, lam):
    """Return smoothed P(c, x_i), which sums to one over all pairs."""
    total = _size(counts) + lam * len(counts) * len(counts[0])
    return _smoothed(counts, lam, lambda row: total)


_TWELVE_ROWS = ([[3, 1, 0], [2, 5, 1]], 3)


@pair_distribution.mistake(
    "The imagined rows of one class only are in the denominator: add over all "
    "classes and states.",
    example=(
        _TWELVE_ROWS,
        [[F(2, 7), F(4, 21), F(1, 7)], [F(5, 21), F(8, 21), F(4, 21)]],
    ),
)
def _one_class_below(counts, lam):
    return _smoothed(counts, lam, lambda row: _size(counts) + lam * len(row))


@pair_distribution.mistake(
    "This is the distribution of the states given the class, not that of the "
    "pair.",
    example=(
        _TWELVE_ROWS,
        [[F(6, 13), F(4, 13), F(3, 13)], [F(5, 17), F(8, 17), F(4, 17)]],
    ),
)
def _given_class(counts, lam):
    return _smoothed(counts, lam, lambda row: sum(row) + lam * len(row))


@pair_distribution.mistake(
    "The denominator counts an imagined row for each class; every pair of a "
    "class and a state has one.",
    example=(
        _TWELVE_ROWS,
        [[F(1, 3), F(2, 9), F(1, 6)], [F(5, 18), F(4, 9), F(2, 9)]],
    ),
)
def _one_row_each_class(counts, lam):
    return _smoothed(
        counts, lam, lambda row: _size(counts) + lam * len(counts)
    )


@pair_distribution.mistake(
    "The imagined rows are in the numerator only.",
    example=(
        _TWELVE_ROWS,
        [[F(1, 2), F(1, 3), F(1, 4)], [F(5, 12), F(2, 3), F(1, 3)]],
    ),
)
def _numerator_only(counts, lam):
    return _smoothed(counts, lam, lambda row: _size(counts))


@pair_distribution.mistake(
    "This ignores the pseudo-count: they are relative frequencies.",
    example=(
        _TWELVE_ROWS,
        [[F(1, 4), F(1, 12), 0], [F(1, 6), F(5, 12), F(1, 12)]],
    ),
)
def _no_smoothing(counts, lam):
    return pair_distribution(counts, 0)


@pair_distribution.mistake(
    "This adds one, whatever the pseudo-count is.",
    example=(
        _TWELVE_ROWS,
        [[F(2, 9), F(1, 9), F(1, 18)], [F(1, 6), F(1, 3), F(1, 9)]],
    ),
)
def _add_one(counts, lam):
    return pair_distribution(counts, 1)


# -- kdb_parents ----------------------------------------------------------


def _symmetric(columns, values):
    bits = {column: {} for column in columns}
    for (i, j), value in _weights(columns, values).items():
        bits[i][j] = bits[j][i] = value
    return bits


_TEN = [3, 8, 2, 6, 1, 9, 4, 7, 5, 10]


@exercise(
    (list("cabd"), _symmetric("abcd", [5, 9, 1, 4, 2, 7]), 2, 3),
    (list("abcde"), _symmetric("abcde", _TEN), 2, 5),
    (list("dbac"), _symmetric("abcd", [6, 2, 3, 5, 1, 4]), 1, 0),
    (list("bac"), _symmetric("abc", [1, 2, 3]), 0, 1),
    (list("ecadb"), _symmetric("abcde", _TEN), 3, 4),
    (list("ecadb"), _symmetric("abcde", _TEN), 2, 20),
)
def kdb_parents(order, bits, k, least):
    """Return at most k parents of each column, with `least` bits or more."""
    return {
        j: [
            i
            for i in sorted(order[:place], key=lambda i: -bits[i][j])
            if bits[i][j] >= least
        ][:k]
        for place, j in enumerate(order)
    }


_FOUR_COLUMNS = (list("cadb"), _symmetric("abcd", [4, 1, 3, 2, 5, 6]), 2, 2)


@kdb_parents.mistake(
    "Any column can be a parent here; only those earlier in the order may be, "
    "or there are cycles.",
    example=(
        _FOUR_COLUMNS,
        {"c": ["d", "b"], "a": ["b", "d"], "d": ["c", "b"], "b": ["d", "a"]},
    ),
)
def _any_column(order, bits, k, least):
    return {
        j: [
            i
            for i in sorted(set(order) - {j}, key=lambda i: -bits[i][j])
            if bits[i][j] >= least
        ][:k]
        for j in order
    }


@kdb_parents.mistake(
    "Columns that tell less than `least` are parents here.",
    example=(
        _FOUR_COLUMNS,
        {"c": [], "a": ["c"], "d": ["c", "a"], "b": ["d", "a"]},
    ),
)
def _no_threshold(order, bits, k, least):
    return kdb_parents(order, bits, k, float("-inf"))


@kdb_parents.mistake(
    "A column that tells exactly `least` may be a parent.",
    example=(
        (list("cadb"), _symmetric("abcd", [4, 1, 3, 2, 5, 6]), 2, 3),
        {"c": [], "a": [], "d": ["c"], "b": ["d", "a"]},
    ),
)
def _more_than_least(order, bits, k, least):
    return {
        j: [i for i in found if bits[i][j] > least]
        for j, found in kdb_parents(order, bits, k, least).items()
    }


@kdb_parents.mistake(
    "These are the last columns before it, backwards from it, not the ones "
    "that tell most about it.",
    example=(
        _FOUR_COLUMNS,
        {"c": [], "a": [], "d": ["a", "c"], "b": ["d", "a"]},
    ),
)
def _last_columns(order, bits, k, least):
    return {
        j: [i for i in order[:place][::-1] if bits[i][j] >= least][:k]
        for place, j in enumerate(order)
    }


@kdb_parents.mistake(
    "These are the first columns of the order, not the ones that tell most "
    "about it.",
    example=(
        _FOUR_COLUMNS,
        {"c": [], "a": [], "d": ["c", "a"], "b": ["c", "a"]},
    ),
)
def _first_columns(order, bits, k, least):
    return {
        j: [i for i in order[:place] if bits[i][j] >= least][:k]
        for place, j in enumerate(order)
    }


@kdb_parents.mistake(
    "These are the parents that tell least of those that tell enough.",
    example=(
        _FOUR_COLUMNS,
        {"c": [], "a": [], "d": ["a", "c"], "b": ["c", "a"]},
    ),
)
def _least_first(order, bits, k, least):
    everyone = kdb_parents(order, bits, len(order), least)
    return {j: found[::-1][:k] for j, found in everyone.items()}


@kdb_parents.mistake(
    "A column with fewer than k candidates takes all of these.",
    example=(
        (list("cadb"), _symmetric("abcd", [4, 1, 3, 2, 5, 6]), 2, 4),
        {"c": [], "a": [], "d": [], "b": ["d", "a"]},
    ),
)
def _not_fewer(order, bits, k, least):
    right = kdb_parents(order, bits, k, least)
    return {j: found if len(found) == k else [] for j, found in right.items()}


@kdb_parents.mistake(
    "All earlier columns that tell enough are parents here, however small k "
    "is.",
    example=(
        _FOUR_COLUMNS,
        {"c": [], "a": [], "d": ["c", "a"], "b": ["d", "a", "c"]},
    ),
)
def _all_earlier(order, bits, k, least):
    return kdb_parents(order, bits, len(order), least)


@kdb_parents.mistake(
    "The columns have been taken in the order of their names, not in that of "
    "`order`.",
    example=(
        _FOUR_COLUMNS,
        {"a": [], "b": ["a"], "c": ["b"], "d": ["c", "b"]},
    ),
)
def _by_name(order, bits, k, least):
    return kdb_parents(sorted(order), bits, k, least)
