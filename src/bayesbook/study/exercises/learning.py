"""The coding exercises of the chapter *Learning a network*.

Rows of data are dictionaries from variables to states. The counts of a family
are a list with an inner list for each configuration of the parents, which has
a count for each state of the node. A graph is a dictionary that gives the
tuple of parents of each node.
"""

from fractions import Fraction as F
from itertools import permutations, product
from math import log, prod

import networkx as nx

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- estimate(rows, node, parents, states, pseudo) ------------------------


def _counts(rows, node, parents, states):
    """Count the states of a node for each configuration of its parents."""
    table = {
        u: dict.fromkeys(states[node], 0)
        for u in product(*(states[parent] for parent in parents))
    }
    for row in rows:
        table[tuple(row[parent] for parent in parents)][row[node]] += 1
    return table


def _shares(counts, pseudo):
    """Return the probabilities of one row of a table, or None."""
    total = sum(counts) + pseudo * len(counts)
    if total == 0:
        return None
    return tuple(F(count + pseudo) / total for count in counts)


def _distributions(rows, node, parents, states, pseudo):
    table = _counts(rows, node, parents, states)
    return {u: _shares([*row.values()], pseudo) for u, row in table.items()}


def _estimate(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    return {
        u: distribution
        for u, distribution in found.items()
        if distribution is not None
    }


def _seen_only(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    seen = {tuple(row[parent] for parent in parents) for row in rows}
    return {u: distribution for u, distribution in found.items() if u in seen}


def _uniform_rows(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    even = (F(1, len(states[node])),) * len(states[node])
    return {
        u: even if distribution is None else distribution
        for u, distribution in found.items()
    }


def _zero_rows(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    none = (F(0),) * len(states[node])
    return {
        u: none if distribution is None else distribution
        for u, distribution in found.items()
    }


def _joint(rows, node, parents, states, pseudo):
    """Divide by the number of all rows."""
    table = _counts(rows, node, parents, states)
    total = len(rows) + pseudo * len(table) * len(states[node])
    return {
        u: tuple(F(count + pseudo) / total for count in row.values())
        for u, row in table.items()
        if sum(row.values()) or pseudo
    }


def _once_below(rows, node, parents, states, pseudo):
    """Add the pseudo-count to the denominator only once."""
    table = _counts(rows, node, parents, states)
    found = {}
    for u, row in table.items():
        total = sum(row.values()) + pseudo
        if total:
            found[u] = tuple(F(n + pseudo) / total for n in row.values())
    return found


def _no_pseudo(rows, node, parents, states, pseudo):
    return _estimate(rows, node, parents, states, 0)


def _parents_given_node(rows, node, parents, states, pseudo):
    """Divide by the count of the node's state."""
    table = _counts(rows, node, parents, states)
    found = {}
    for u, row in table.items():
        distribution = []
        for state, count in row.items():
            total = sum(other[state] for other in table.values())
            total += pseudo * len(table)
            distribution.append(F(count + pseudo) / total if total else F(0))
        if sum(row.values()) or pseudo:
            found[u] = tuple(distribution)
    return found


def _rows(names, *states):
    return [dict(zip(names, row, strict=True)) for row in states]


_BITS = {"A": (0, 1), "B": (0, 1), "C": (0, 1)}
_SKY = {"sky": ("clear", "cloudy", "dark"), "rain": ("no", "yes")}
_SIX_DAYS = _rows(
    ("sky", "rain"),
    ("clear", "no"),
    ("clear", "no"),
    ("clear", "yes"),
    ("dark", "yes"),
    ("dark", "yes"),
    ("clear", "no"),
)
_EIGHT = _rows(
    "ABC",
    (0, 0, 0),
    (0, 0, 1),
    (0, 1, 1),
    (1, 0, 1),
    (1, 1, 1),
    (1, 1, 0),
    (0, 0, 0),
    (1, 1, 1),
)

estimate = Exercise(
    reference=_estimate,
    cases=(
        (_EIGHT, "A", (), _BITS, 0),
        (_EIGHT, "C", ("A", "B"), _BITS, 0),
        (_EIGHT, "C", ("B", "A"), _BITS, 1),
        (_SIX_DAYS, "rain", ("sky",), _SKY, 0),
        (_SIX_DAYS, "rain", ("sky",), _SKY, 1),
        (_SIX_DAYS, "sky", ("rain",), _SKY, F(1, 2)),
        (_EIGHT[:2], "C", ("A", "B"), _BITS, 0),
    ),
    mistakes={
        "With a pseudo-count every configuration of the parents has a "
        "distribution, also one that no row of the data shows: go through the "
        "product of "
        "their states.": _seen_only,
        "Where the data say nothing and there is no pseudo-count, leave the "
        "configuration out; a uniform distribution would be a choice that "
        "nobody "
        "made.": _uniform_rows,
        "Where the data say nothing and there is no pseudo-count, leave the "
        "configuration out; zeros are no probabilities.": _zero_rows,
        "Divide by the rows with this configuration of the parents, not by "
        "all rows.": _joint,
        "Each state gets the pseudo-count, so the denominator grows by as "
        "many of them as there are states.": _once_below,
        "The pseudo-count is not used.": _no_pseudo,
        "These are probabilities of the parents given the node. Each row of "
        "the table, not each column, sums to one.": _parents_given_node,
    },
)

# -- bic(counts, n) -------------------------------------------------------


def _log_likelihood(counts):
    return sum(
        count * log(count / sum(row))
        for row in counts
        for count in row
        if count
    )


def _free(counts):
    return len(counts) * (len(counts[0]) - 1)


def _bic(counts, n):
    return _log_likelihood(counts) - log(n) / 2 * _free(counts)


def _every_entry(counts, n):
    entries = len(counts) * len(counts[0])
    return _log_likelihood(counts) - log(n) / 2 * entries


def _seen_rows(counts, n):
    return _bic([row for row in counts if sum(row)], n)


def _one_each(counts, n):
    return _log_likelihood(counts) - log(n) / 2 * len(counts)


def _own_rows(counts, n):
    """Charge each row of the table for its own rows of data only."""
    price = sum(
        log(sum(row)) / 2 * (len(row) - 1) for row in counts if sum(row)
    )
    return _log_likelihood(counts) - price


def _plus(counts, n):
    return _log_likelihood(counts) + log(n) / 2 * _free(counts)


def _source(counts, n):
    return -_bic(counts, n)


def _minus_two(counts, n):
    return -2 * _bic(counts, n)


def _whole_log(counts, n):
    return _log_likelihood(counts) - log(n) * _free(counts)


def _aic(counts, n):
    return _log_likelihood(counts) - _free(counts)


def _bits(counts, n):
    return _bic(counts, n) / log(2)


def _joint_likelihood(counts, n):
    total = sum(
        count * log(count / n) for row in counts for count in row if count
    )
    return total - log(n) / 2 * _free(counts)


def _bare(counts, n):
    return _log_likelihood(counts)


_FAMILIES = (
    [[50, 50]],
    [[30, 20], [20, 30]],
    [[8, 0], [1, 7]],
    [[5, 3, 2], [0, 0, 0], [4, 4, 2]],
    [[0, 10], [10, 0]],
    [[3, 1], [0, 0], [2, 2], [0, 4]],
)

bic = Exercise(
    reference=_bic,
    cases=tuple((counts, sum(map(sum, counts))) for counts in _FAMILIES),
    mistakes={
        "In each row of the table one number follows from the others: only "
        "the free ones are paid for.": _every_entry,
        "A configuration of the parents that has not been seen has "
        "parameters, too.": _seen_rows,
        "A row of the table has as many free numbers as the node has states, "
        "less one.": _one_each,
        "Every parameter costs half the logarithm of n, the number of all "
        "rows of data.": _own_rows,
        "Parameters cost: the price is subtracted.": _plus,
        "Here a larger score is better: this one has the opposite sign.": (
            _source
        ),
        "This is -2 times the score, as statistics programs print it.": (
            _minus_two
        ),
        "A parameter costs half the logarithm.": _whole_log,
        "The price of BIC grows with the number of rows; this is AIC.": _aic,
        "These are bits. Take natural logarithms.": _bits,
        "The likelihood of a node is that given its parents: divide by the "
        "sum of the row.": _joint_likelihood,
        "Nothing has been paid for the parameters.": _bare,
    },
)

# -- evidence(counts, s) --------------------------------------------------


def _one_after_another(counts, alpha):
    """Return the probability of all rows, each predicted from the former."""
    p = F(1)
    for row in counts:
        before = F(0)
        for count in row:
            for k in range(count):
                p *= (alpha + k) / (alpha * len(row) + before)
                before += 1
    return p


def _evidence(counts, s):
    return _one_after_another(counts, F(s) / (len(counts) * len(counts[0])))


def _k2(counts, s):
    return _one_after_another(counts, F(1))


def _per_row(counts, s):
    return _one_after_another(counts, F(s) / len(counts[0]))


def _per_cell(counts, s):
    return _one_after_another(counts, F(s))


def _likelihood(counts, s):
    return prod(
        F(count, sum(row)) ** count for row in counts for count in row if count
    )


def _means(counts, s):
    """Plug the posterior means into the likelihood."""
    alpha = F(s) / (len(counts) * len(counts[0]))
    return prod(
        ((count + alpha) / (sum(row) + alpha * len(row))) ** count
        for row in counts
        for count in row
    )


def _no_parents(counts, s):
    """Merge all rows of the table."""
    return _evidence(
        [[sum(column) for column in zip(*counts, strict=True)]], s
    )


def _numerators(counts, s):
    alpha = F(s) / (len(counts) * len(counts[0]))
    return prod(
        alpha + k for row in counts for count in row for k in range(count)
    )


evidence = Exercise(
    reference=_evidence,
    cases=(
        ([[2, 2]], 1),
        ([[2, 0], [0, 2]], 1),
        ([[2, 0], [0, 2]], 4),
        ([[1, 2, 0], [3, 0, 1]], 6),
        ([[3, 1], [0, 0], [1, 1]], F(3, 2)),
        ([[0, 0], [4, 1]], 2),
    ),
    mistakes={
        "These are pseudo-counts of 1, so this is K2.": _k2,
        "The imagined rows are shared among the configurations of the "
        "parents, too.": _per_row,
        "All cells of the table together get the imagined rows.": _per_cell,
        "This is the likelihood of the best parameters; nothing has been "
        "averaged.": _likelihood,
        "The posterior mean is known only after the data. Each row is to be "
        "predicted from those before it.": _means,
        "Each configuration of the parents predicts for itself.": _no_parents,
        "Each prediction is a fraction: divide by all that has been seen "
        "before it, imagined rows included.": _numerators,
    },
)

# -- legal_moves(parents) -------------------------------------------------


def _graph(parents):
    graph = nx.DiGraph()
    graph.add_nodes_from(parents)
    graph.add_edges_from((p, node) for node in parents for p in parents[node])
    return graph


def _acyclic(graph, remove=(), add=()):
    graph = graph.copy()
    graph.remove_edges_from(remove)
    graph.add_edges_from(add)
    return nx.is_directed_acyclic_graph(graph)


def _deletions(graph):
    return {("delete", a, b) for a, b in graph.edges}


def _additions(graph):
    return {
        ("add", a, b)
        for a, b in permutations(graph, 2)
        if not graph.has_edge(a, b) and _acyclic(graph, add=[(a, b)])
    }


def _reversals(graph):
    return {
        ("reverse", a, b)
        for a, b in graph.edges
        if _acyclic(graph, remove=[(a, b)], add=[(b, a)])
    }


def _legal_moves(parents):
    graph = _graph(parents)
    return _deletions(graph) | _additions(graph) | _reversals(graph)


def _any_reversal(parents):
    graph = _graph(parents)
    turned = {("reverse", a, b) for a, b in graph.edges}
    return _deletions(graph) | _additions(graph) | turned


def _any_addition(parents):
    graph = _graph(parents)
    added = {
        ("add", a, b)
        for a, b in permutations(graph, 2)
        if not (graph.has_edge(a, b) or graph.has_edge(b, a))
    }
    return _deletions(graph) | added | _reversals(graph)


def _short_cycles_only(parents):
    """Add every arrow whose ends are not adjacent, cycle or not."""
    graph = _graph(parents)
    added = {
        ("add", a, b)
        for a, b in permutations(graph, 2)
        if not (graph.has_edge(a, b) or graph.has_edge(b, a))
    }
    turned = {("reverse", a, b) for a, b in graph.edges}
    return _deletions(graph) | added | turned


def _both_ways(parents):
    graph = _graph(parents)
    back = {("add", b, a) for a, b in graph.edges}
    return _legal_moves(parents) | back


def _no_reversals(parents):
    graph = _graph(parents)
    return _deletions(graph) | _additions(graph)


def _no_deletions(parents):
    graph = _graph(parents)
    return _additions(graph) | _reversals(graph)


def _named_by_result(parents):
    """Name a reversal by the new arrow."""
    graph = _graph(parents)
    turned = {("reverse", b, a) for _, a, b in _reversals(graph)}
    return _deletions(graph) | _additions(graph) | turned


legal_moves = Exercise(
    reference=_legal_moves,
    cases=(
        ({"A": (), "B": ()},),
        ({"A": (), "B": ("A",)},),
        ({"C": ("B",), "B": ("A",), "A": ()},),
        ({"A": (), "B": ("A",), "C": ("A", "B")},),
        ({"D": ("B", "C"), "B": ("A",), "C": ("A",), "A": ()},),
        ({"A": (), "B": ("A",), "C": ("B",), "D": ("C",), "E": ("A",)},),
    ),
    mistakes={
        "A reversal can close a cycle, if another path leads from the tail to "
        "the head.": _any_reversal,
        "A new arrow can close a cycle through several others.": _any_addition,
        "Neither new arrows nor reversed ones may close a cycle, however "
        "long.": _short_cycles_only,
        "Two adjacent nodes cannot get a second arrow: to turn the one they "
        "have is a move of its own.": _both_ways,
        "Arrows can be turned round, too.": _no_reversals,
        "Every arrow can be deleted.": _no_deletions,
        "A reversal is named by the arrow as it is before.": _named_by_result,
    },
)

# -- best_forest(weights) -------------------------------------------------


def _kruskal(weights, keep=lambda weight: weight > 0, joins=None):
    """Join pairs, the heaviest first, if `joins` accepts them."""
    graph = nx.Graph()
    graph.add_nodes_from(node for pair in weights for node in pair)
    for pair in sorted(weights, key=weights.get, reverse=True):
        a, b = pair
        apart = not nx.has_path(graph, a, b)
        if keep(weights[pair]) and (joins(graph, a, b) if joins else apart):
            graph.add_edge(a, b)
    return {frozenset(edge) for edge in graph.edges}


def _best_forest(weights):
    return _kruskal(weights)


def _spanning_tree(weights):
    return _kruskal(weights, keep=lambda weight: True)


def _with_cycles(weights):
    return _kruskal(weights, joins=lambda *_: True)


def _minimum(weights):
    turned = {pair: -weight for pair, weight in weights.items()}
    chosen = _kruskal(turned, keep=lambda weight: True)
    return {pair for pair in chosen if weights[tuple(sorted(pair))] > 0}


def _new_nodes(weights):
    """Refuse an edge whose ends both have edges already."""
    return _kruskal(
        weights,
        joins=lambda graph, a, b: not (graph.degree[a] and graph.degree[b]),
    )


def _star(weights):
    """Join all with the node that has the largest sum."""
    nodes = sorted({node for pair in weights for node in pair})
    own = {n: [pair for pair in weights if n in pair] for n in nodes}
    centre = max(nodes, key=lambda n: sum(weights[pair] for pair in own[n]))
    return {frozenset(pair) for pair in own[centre] if weights[pair] > 0}


def _weights(names, *numbers):
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return dict(zip(pairs, numbers, strict=True))


best_forest = Exercise(
    reference=_best_forest,
    cases=(
        (_weights("AB", 3),),
        (_weights("AB", -2),),
        (_weights("ABC", 19.3, 2, 8.2),),
        (_weights("ABC", 17.0, -0.3, 5.9),),
        (_weights("ABCD", 9, 1, 2, 3, 4, 8),),
        (_weights("ABCD", 5, 6, -1, 7, -2, -3),),
        (_weights("ABCDE", 10, 2, 3, 1, 9, 4, 2.5, 5, 0.5, 8),),
    ),
    mistakes={
        "An edge of negative weight costs more than it brings; leave it out, "
        "even if the forest then has several parts.": _spanning_tree,
        "Pairs that would close a cycle have to be left out: some node would "
        "get two parents.": _with_cycles,
        "The heaviest edges are wanted, not the lightest.": _minimum,
        "Two parts that both have edges may still be joined with each other: "
        "check whether a path leads from one end to the other.": _new_nodes,
        "No node has to be the centre of all.": _star,
    },
)

EXERCISES = {
    "estimate": estimate,
    "bic": bic,
    "evidence": evidence,
    "legal_moves": legal_moves,
    "best_forest": best_forest,
}
