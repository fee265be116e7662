"""The coding exercises of the chapter *Semi-naive Bayes*."""

from fractions import Fraction as F
from itertools import combinations
from math import log, log2, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- conditional_bits(counts) ---------------------------------------------


def _bits(table):
    """Return the mutual information in one table of counts."""
    rows = sum(map(sum, table))
    columns = [sum(column) for column in zip(*table, strict=True)]
    return sum(
        n / rows * log2(n * rows / (sum(line) * own))
        for line in table
        for n, own in zip(line, columns, strict=True)
        if n
    )


def _rows(counts):
    return [sum(map(sum, table)) for table in counts]


def _conditional_bits(counts):
    rows = _rows(counts)
    return sum(
        n / sum(rows) * _bits(table)
        for n, table in zip(rows, counts, strict=True)
        if n
    )


def _without_class(counts):
    return _bits(
        [
            [sum(cells) for cells in zip(*lines, strict=True)]
            for lines in zip(*counts, strict=True)
        ]
    )


def _classes_alike(counts):
    present = [t for n, t in zip(_rows(counts), counts, strict=True) if n]
    return sum(map(_bits, present)) / len(present)


def _joint_in_the_logarithm(counts):
    """Use a ratio of probabilities that are not given the class."""
    rows = sum(_rows(counts))
    total = 0
    for table in counts:
        columns = [sum(column) for column in zip(*table, strict=True)]
        total += sum(
            n / rows * log2(n * rows / (sum(line) * own))
            for line in table
            for n, own in zip(line, columns, strict=True)
            if n
        )
    return total


conditional_bits = Exercise(
    reference=_conditional_bits,
    cases=(
        ([[[3, 1], [1, 3]], [[1, 3], [3, 1]]],),
        ([[[10, 2], [3, 5]], [[1, 4], [6, 2]]],),
        ([[[4, 0, 2], [1, 3, 5]], [[7, 1, 0], [2, 2, 20]]],),
        ([[[2, 4], [3, 6]], [[10, 0], [0, 10]], [[5, 5], [1, 9]]],),
        ([[[6, 2], [1, 7]]],),
        ([[[0, 0], [0, 0]], [[8, 1], [2, 3]], [[30, 4], [5, 6]]],),
    ),
    mistakes={
        "These are nats: bits need binary logarithms.": (
            lambda counts: _conditional_bits(counts) * log(2)
        ),
        "The classes have been thrown together: this is the information "
        "without the class.": _without_class,
        "Classes with more rows have to weigh more.": _classes_alike,
        "The information of the classes is a mean, weighted by their shares; "
        "this is a sum.": lambda counts: sum(
            _bits(t) for n, t in zip(_rows(counts), counts, strict=True) if n
        ),
        "The probabilities in the logarithm have to be those given the "
        "class.": _joint_in_the_logarithm,
        "The sign is reversed.": lambda counts: -_conditional_bits(counts),
    },
)

# -- free_parameters(K, states, parents) ----------------------------------


def _families(states, parents):
    """Yield the states of each column, and those of its parents."""
    for own, others in zip(states, parents, strict=True):
        yield own, [states[i] for i in others]


def _free_parameters(K, states, parents):
    return (K - 1) + sum(
        K * (own - 1) * prod(others)
        for own, others in _families(states, parents)
    )


free_parameters = Exercise(
    reference=_free_parameters,
    cases=(
        (2, [2, 2, 2], [[], [0], [0]]),
        (3, [2, 3, 4], [[], [0], [0, 1]]),
        (2, [3, 3, 3, 3], [[], [], [], []]),
        (4, [5, 2, 3], [[1], [2], []]),
        (2, [2, 4, 3, 5], [[], [0], [0, 1], [1, 2]]),
        (10, [3, 2, 2], [[2], [0, 2], []]),
    ),
    mistakes={
        "The probabilities of a distribution sum to one, so one of them is "
        "not free.": (
            lambda K, states, parents: (
                (K - 1)
                + sum(
                    K * own * prod(others)
                    for own, others in _families(states, parents)
                )
            )
        ),
        "The class has a distribution too.": lambda K, states, parents: (
            _free_parameters(K, states, parents) - (K - 1)
        ),
        "Of the class probabilities one is not free.": (
            lambda K, states, parents: _free_parameters(K, states, parents) + 1
        ),
        "Every class has distributions of "
        "its own.": lambda K, states, parents: (
            (K - 1)
            + sum(
                (own - 1) * prod(others)
                for own, others in _families(states, parents)
            )
        ),
        "Two parents are in a pair of states: their numbers of states are "
        "multiplied.": lambda K, states, parents: (
            (K - 1)
            + sum(
                K * (own - 1) * (sum(others) or 1)
                for own, others in _families(states, parents)
            )
        ),
        "A column with parents has a distribution for each of their states.": (
            lambda K, states, parents: (
                (K - 1) + sum(K * (own - 1) for own in states)
            )
        ),
        "Every state of the parents needs a distribution, the last one too: "
        "only the "
        "column's own states have one that is not free.": (
            lambda K, states, parents: (
                (K - 1)
                + sum(
                    K * (own - 1) * prod(s - 1 for s in others)
                    for own, others in _families(states, parents)
                )
            )
        ),
    },
)

# -- best_tree(weights) ---------------------------------------------------


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
            part = {c: new if p == old else p for c, p in part.items()}
    return sorted(found)


def _falling(weights):
    return sorted(weights, key=weights.get, reverse=True)


def _best_tree(weights):
    return _greedy(weights, _falling(weights))


def _edge(i, j):
    return (min(i, j), max(i, j))


def _star(weights):
    columns = _columns(weights)
    centre = max(
        columns,
        key=lambda i: sum(w for edge, w in weights.items() if i in edge),
    )
    return sorted(_edge(centre, j) for j in columns if j != centre)


def _to_the_nearest(weights):
    found = {
        max((edge for edge in weights if i in edge), key=weights.get)
        for i in _columns(weights)
    }
    return sorted(found)


def _path(weights):
    """Walk from the first column, always to the nearest that is left."""
    at, *left = _columns(weights)
    found = []
    while left:
        to = max(left, key=lambda j: weights[_edge(at, j)])
        found.append(_edge(at, to))
        left.remove(to)
        at = to
    return sorted(found)


def _weights(columns, values):
    return dict(zip(combinations(columns, 2), values, strict=True))


best_tree = Exercise(
    reference=_best_tree,
    cases=(
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
    ),
    mistakes={
        "These are the heaviest edges, but some of them close a cycle, and a "
        "column is left out.": lambda weights: sorted(
            _falling(weights)[: len(_columns(weights)) - 1]
        ),
        "This is the spanning tree with the smallest sum.": (
            lambda weights: _greedy(weights, _falling(weights)[::-1])
        ),
        "This is a star: the tree of a SPODE.": _star,
        "Each column has been joined to its nearest; these edges need not "
        "be a tree.": _to_the_nearest,
        "This is a path that goes from each column to the nearest one that "
        "is left; a tree may branch.": _path,
        "These are all edges.": sorted,
    },
)

# -- pair_distribution(counts, lam) ---------------------------------------


def _over(counts, lam, total):
    return [[F(n + lam) / total(line) for n in line] for line in counts]


def _size(counts):
    return sum(map(sum, counts))


def _pair_distribution(counts, lam):
    total = _size(counts) + lam * len(counts) * len(counts[0])
    return _over(counts, lam, lambda line: total)


pair_distribution = Exercise(
    reference=_pair_distribution,
    cases=(
        ([[4, 4], [4, 4]], 1),
        ([[3, 0, 5], [1, 7, 2]], 1),
        ([[2, 6], [1, 0], [9, 3]], 2),
        ([[5, 1, 0, 2], [0, 3, 3, 1]], F(1, 2)),
        ([[8, 2, 1]], 3),
    ),
    mistakes={
        "The imagined rows of one class only are in the denominator: add "
        "over all classes and states.": lambda counts, lam: _over(
            counts, lam, lambda line: _size(counts) + lam * len(line)
        ),
        "This is the distribution of the states given the class, not that of "
        "the "
        "pair.": lambda counts, lam: _over(
            counts, lam, lambda line: sum(line) + lam * len(line)
        ),
        "The denominator counts an imagined row for each class; every pair "
        "of a class and a state has one.": lambda counts, lam: _over(
            counts, lam, lambda line: _size(counts) + lam * len(counts)
        ),
        "The imagined rows are in the numerator only.": (
            lambda counts, lam: _over(counts, lam, lambda line: _size(counts))
        ),
        "This ignores the pseudo-count: they are relative frequencies.": (
            lambda counts, lam: _pair_distribution(counts, 0)
        ),
        "This adds one, whatever the pseudo-count is.": (
            lambda counts, lam: _pair_distribution(counts, 1)
        ),
    },
)

# -- kdb_parents(order, bits, k) ------------------------------------------


def _kdb_parents(order, bits, k):
    return {
        j: sorted(order[:place], key=lambda i: -bits[i][j])[:k]
        for place, j in enumerate(order)
    }


def _symmetric(columns, values):
    bits = {column: {} for column in columns}
    for (i, j), value in _weights(columns, values).items():
        bits[i][j] = bits[j][i] = value
    return bits


_TEN = [3, 8, 2, 6, 1, 9, 4, 7, 5, 10]

kdb_parents = Exercise(
    reference=_kdb_parents,
    cases=(
        (list("cabd"), _symmetric("abcd", [5, 9, 1, 4, 2, 7]), 2),
        (list("abcde"), _symmetric("abcde", _TEN), 2),
        (list("dbac"), _symmetric("abcd", [6, 2, 3, 5, 1, 4]), 1),
        (list("bac"), _symmetric("abc", [1, 2, 3]), 0),
        (list("ecadb"), _symmetric("abcde", _TEN), 3),
    ),
    mistakes={
        "Any column can be a parent here; only those earlier in the order may "
        "be, or there are cycles.": lambda order, bits, k: {
            j: sorted(set(order) - {j}, key=lambda i: -bits[i][j])[:k]
            for j in order
        },
        "These are the last columns before it in the order, not the ones "
        "that tell most about it.": lambda order, bits, k: {
            j: order[:place][::-1][:k] for place, j in enumerate(order)
        },
        "These are the first columns of the order, not the ones that tell "
        "most about it.": lambda order, bits, k: {
            j: order[:place][:k] for place, j in enumerate(order)
        },
        "These are the parents that tell least.": lambda order, bits, k: {
            j: sorted(order[:place], key=lambda i: bits[i][j])[:k]
            for place, j in enumerate(order)
        },
        "A column with fewer than k columns before it takes all of these.": (
            lambda order, bits, k: {
                j: found if len(found) == k else []
                for j, found in _kdb_parents(order, bits, k).items()
            }
        ),
        "All earlier columns are parents here, however small k is.": (
            lambda order, bits, k: _kdb_parents(order, bits, len(order))
        ),
        "The columns have been taken in the order of their names, not in "
        "that of `order`.": lambda order, bits, k: _kdb_parents(
            sorted(order), bits, k
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "conditional_bits": conditional_bits,
    "free_parameters": free_parameters,
    "best_tree": best_tree,
    "pair_distribution": pair_distribution,
    "kdb_parents": kdb_parents,
}
