"""The coding exercises of the chapter *Learning a network*.

Rows of data are dictionaries from variables to states. The counts of a family
are a list with an inner list for each configuration of the parents, which has
a count for each state of the node. A graph is a dictionary that gives the
tuple of parents of each node.

This is one file because the exercises of a chapter are found in the module of
its name.
"""

from fractions import Fraction as F
from itertools import permutations, product
from math import log, prod

import networkx as nx

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import undirected

# -- estimate -------------------------------------------------------------


def _counts(rows, node, parents, states):
    """Count the states of a node for each configuration of its parents."""
    table = {
        above: dict.fromkeys(states[node], 0)
        for above in product(*(states[parent] for parent in parents))
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
    return {
        above: _shares([*row.values()], pseudo) for above, row in table.items()
    }


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


@exercise(
    (_EIGHT, "A", (), _BITS, 0),
    (_EIGHT, "C", ("A", "B"), _BITS, 0),
    (_EIGHT, "C", ("B", "A"), _BITS, 1),
    (_SIX_DAYS, "rain", ("sky",), _SKY, 0),
    (_SIX_DAYS, "rain", ("sky",), _SKY, 1),
    (_SIX_DAYS, "sky", ("rain",), _SKY, F(1, 2)),
    (_EIGHT[:2], "C", ("A", "B"), _BITS, 0),
)
def estimate(rows, node, parents, states, pseudo):
    """Return P(node | parents) for each configuration of the parents."""
    found = _distributions(rows, node, parents, states, pseudo)
    return {
        above: distribution
        for above, distribution in found.items()
        if distribution is not None
    }


_FIVE_DAYS = _rows(
    ("sky", "rain"),
    ("clear", "no"),
    ("clear", "yes"),
    ("clear", "no"),
    ("dark", "yes"),
    ("clear", "no"),
)


@estimate.mistake(
    "With a pseudo-count every configuration of the parents has a "
    "distribution, also one that no row of the data shows: go through the "
    "product of their states.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 2),
        {("clear",): (F(5, 8), F(3, 8)), ("dark",): (F(2, 5), F(3, 5))},
    ),
)
def _seen_only(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    seen = {tuple(row[parent] for parent in parents) for row in rows}
    return {
        above: distribution
        for above, distribution in found.items()
        if above in seen
    }


@estimate.mistake(
    "Where the data say nothing and there is no pseudo-count, leave the "
    "configuration out; a uniform distribution would be a choice that nobody "
    "made.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 0),
        {
            ("clear",): (F(3, 4), F(1, 4)),
            ("cloudy",): (F(1, 2), F(1, 2)),
            ("dark",): (0, 1),
        },
    ),
)
def _uniform_rows(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    even = (F(1, len(states[node])),) * len(states[node])
    return {
        above: even if distribution is None else distribution
        for above, distribution in found.items()
    }


@estimate.mistake(
    "Where the data say nothing and there is no pseudo-count, leave the "
    "configuration out; zeros are no probabilities.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 0),
        {
            ("clear",): (F(3, 4), F(1, 4)),
            ("cloudy",): (0, 0),
            ("dark",): (0, 1),
        },
    ),
)
def _zero_rows(rows, node, parents, states, pseudo):
    found = _distributions(rows, node, parents, states, pseudo)
    none = (F(0),) * len(states[node])
    return {
        above: none if distribution is None else distribution
        for above, distribution in found.items()
    }


@estimate.mistake(
    "Divide by the rows with this configuration of the parents, not by all "
    "rows.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 2),
        {
            ("clear",): (F(5, 17), F(3, 17)),
            ("cloudy",): (F(2, 17), F(2, 17)),
            ("dark",): (F(2, 17), F(3, 17)),
        },
    ),
)
def _joint(rows, node, parents, states, pseudo):
    table = _counts(rows, node, parents, states)
    total = len(rows) + pseudo * len(table) * len(states[node])
    return {
        above: tuple(F(count + pseudo) / total for count in row.values())
        for above, row in table.items()
        if sum(row.values()) or pseudo
    }


@estimate.mistake(
    "Each state gets the pseudo-count, so the denominator grows by as many of "
    "them as there are states.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 2),
        {
            ("clear",): (F(5, 6), F(3, 6)),
            ("cloudy",): (F(2, 2), F(2, 2)),
            ("dark",): (F(2, 3), F(3, 3)),
        },
    ),
)
def _once_below(rows, node, parents, states, pseudo):
    """Add the pseudo-count to the denominator only once."""
    table = _counts(rows, node, parents, states)
    found = {}
    for above, row in table.items():
        total = sum(row.values()) + pseudo
        if total:
            found[above] = tuple(F(n + pseudo) / total for n in row.values())
    return found


@estimate.mistake(
    "The pseudo-count is not used.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 2),
        {("clear",): (F(3, 4), F(1, 4)), ("dark",): (0, 1)},
    ),
)
def _no_pseudo(rows, node, parents, states, pseudo):
    return estimate(rows, node, parents, states, 0)


@estimate.mistake(
    "These are probabilities of the parents given the node. Each row of the "
    "table, not each column, sums to one.",
    example=(
        (_FIVE_DAYS, "rain", ("sky",), _SKY, 2),
        {
            ("clear",): (F(5, 9), F(3, 8)),
            ("cloudy",): (F(2, 9), F(2, 8)),
            ("dark",): (F(2, 9), F(3, 8)),
        },
    ),
)
def _parents_given_node(rows, node, parents, states, pseudo):
    """Divide by the count of the node's state."""
    table = _counts(rows, node, parents, states)
    found = {}
    for above, row in table.items():
        distribution = []
        for state, count in row.items():
            total = sum(other[state] for other in table.values())
            total += pseudo * len(table)
            distribution.append(F(count + pseudo) / total if total else F(0))
        if sum(row.values()) or pseudo:
            found[above] = tuple(distribution)
    return found


# -- bic ------------------------------------------------------------------


def _log_likelihood(counts):
    return sum(
        count * log(count / sum(row))
        for row in counts
        for count in row
        if count
    )


def _free(counts):
    return len(counts) * (len(counts[0]) - 1)


_FAMILIES = (
    [[50, 50]],
    [[30, 20], [20, 30]],
    [[8, 0], [1, 7]],
    [[5, 3, 2], [0, 0, 0], [4, 4, 2]],
    [[0, 10], [10, 0]],
    [[3, 1], [0, 0], [2, 2], [0, 4]],
)


@exercise(*((counts, sum(map(sum, counts))) for counts in _FAMILIES))
def bic(counts, n):
    """Return the BIC of a family, the larger the better."""
    return _log_likelihood(counts) - log(n) / 2 * _free(counts)


@bic.mistake(
    "In each row of the table one number follows from the others: only the "
    "free ones are paid for.",
    example=(
        ([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6),
        -8 * log(2) - 9 / 2 * log(6),
    ),
)
def _every_entry(counts, n):
    entries = len(counts) * len(counts[0])
    return _log_likelihood(counts) - log(n) / 2 * entries


@bic.mistake(
    "A configuration of the parents that has not been seen has parameters, "
    "too.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -8 * log(2) - 2 * log(6)),
)
def _seen_rows(counts, n):
    return bic([row for row in counts if sum(row)], n)


@bic.mistake(
    "A row of the table has as many free numbers as the node has states, less "
    "one.",
    example=(
        ([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6),
        -8 * log(2) - 3 / 2 * log(6),
    ),
)
def _one_each(counts, n):
    return _log_likelihood(counts) - log(n) / 2 * len(counts)


@bic.mistake(
    "Every parameter costs half the logarithm of n, the number of all rows of "
    "data.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -11 * log(2)),
)
def _own_rows(counts, n):
    """Charge each row of the table for its own rows of data only."""
    price = sum(
        log(sum(row)) / 2 * (len(row) - 1) for row in counts if sum(row)
    )
    return _log_likelihood(counts) - price


@bic.mistake(
    "Parameters cost: the price is subtracted.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -8 * log(2) + 3 * log(6)),
)
def _plus(counts, n):
    return _log_likelihood(counts) + log(n) / 2 * _free(counts)


@bic.mistake(
    "Here a larger score is better: this one has the opposite sign.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), 8 * log(2) + 3 * log(6)),
)
def _source(counts, n):
    return -bic(counts, n)


@bic.mistake(
    "This is -2 times the score, as statistics programs print it.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), 16 * log(2) + 6 * log(6)),
)
def _minus_two(counts, n):
    return -2 * bic(counts, n)


@bic.mistake(
    "A parameter costs half the logarithm.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -8 * log(2) - 6 * log(6)),
)
def _whole_log(counts, n):
    return _log_likelihood(counts) - log(n) * _free(counts)


@bic.mistake(
    "The price of BIC grows with the number of rows; this is AIC.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -8 * log(2) - 6),
)
def _aic(counts, n):
    return _log_likelihood(counts) - _free(counts)


@bic.mistake(
    "These are bits. Take natural logarithms.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -8 - 3 * log(6) / log(2)),
)
def _bits(counts, n):
    return bic(counts, n) / log(2)


@bic.mistake(
    "The likelihood of a node is that given its parents: divide by the sum of "
    "the row.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -2 * log(3) - 7 * log(6)),
)
def _joint_likelihood(counts, n):
    total = sum(
        count * log(count / n) for row in counts for count in row if count
    )
    return total - log(n) / 2 * _free(counts)


@bic.mistake(
    "Nothing has been paid for the parameters.",
    example=(([[2, 1, 1], [0, 0, 0], [1, 1, 0]], 6), -8 * log(2)),
)
def _bare(counts, n):
    return _log_likelihood(counts)


# -- evidence -------------------------------------------------------------


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


@exercise(
    ([[2, 2]], 1),
    ([[2, 0], [0, 2]], 1),
    ([[2, 0], [0, 2]], 4),
    ([[1, 2, 0], [3, 0, 1]], 6),
    ([[3, 1], [0, 0], [1, 1]], F(3, 2)),
    ([[0, 0], [4, 1]], 2),
)
def evidence(counts, s):
    """Return the probability of a column, given those of its parents."""
    return _one_after_another(counts, F(s) / (len(counts) * len(counts[0])))


@evidence.mistake(
    "These are pseudo-counts of 1, so this is K2.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(1, 1800)),
)
def _k2(counts, s):
    return _one_after_another(counts, F(1))


@evidence.mistake(
    "The imagined rows are shared among the configurations of the parents, "
    "too.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(10, 19683)),
)
def _per_row(counts, s):
    return _one_after_another(counts, F(s) / len(counts[0]))


@evidence.mistake(
    "All cells of the table together get the imagined rows.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(1, 1764)),
)
def _per_cell(counts, s):
    return _one_after_another(counts, F(s))


@evidence.mistake(
    "This is the likelihood of the best parameters; nothing has been "
    "averaged.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(1, 64)),
)
def _likelihood(counts, s):
    return prod(
        F(count, sum(row)) ** count for row in counts for count in row if count
    )


@evidence.mistake(
    "The posterior mean is known only after the data. Each row is to be "
    "predicted from those before it.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(98, 10935)),
)
def _means(counts, s):
    """Plug the posterior means into the likelihood."""
    alpha = F(s) / (len(counts) * len(counts[0]))
    return prod(
        ((count + alpha) / (sum(row) + alpha * len(row))) ** count
        for row in counts
        for count in row
    )


@evidence.mistake(
    "Each configuration of the parents predicts for itself.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(20, 137781)),
)
def _no_parents(counts, s):
    """Merge all rows of the table."""
    return evidence([[sum(column) for column in zip(*counts, strict=True)]], s)


@evidence.mistake(
    "Each prediction is a fraction: divide by all that has been seen before "
    "it, imagined rows included.",
    example=(([[2, 1, 0], [1, 0, 3]], 2), F(112, 2187)),
)
def _numerators(counts, s):
    alpha = F(s) / (len(counts) * len(counts[0]))
    return prod(
        alpha + k for row in counts for count in row for k in range(count)
    )


# -- legal_moves ----------------------------------------------------------


def _graph(parents):
    """Return the graph in which arrows come from these parents."""
    return nx.DiGraph(parents).reverse()


def _not_adjacent(graph):
    return [
        (a, b)
        for a, b in permutations(graph, 2)
        if not (graph.has_edge(a, b) or graph.has_edge(b, a))
    ]


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


@exercise(
    ({"A": (), "B": ()},),
    ({"A": (), "B": ("A",)},),
    ({"C": ("B",), "B": ("A",), "A": ()},),
    ({"A": (), "B": ("A",), "C": ("A", "B")},),
    ({"D": ("B", "C"), "B": ("A",), "C": ("A",), "A": ()},),
    ({"A": (), "B": ("A",), "C": ("B",), "D": ("C",), "E": ("A",)},),
)
def legal_moves(parents):
    """Return all changes of one arrow that leave the graph acyclic."""
    graph = _graph(parents)
    return _deletions(graph) | _additions(graph) | _reversals(graph)


def _moves(**arrows):
    """Return moves by their names, with the two ends of each arrow."""
    return {
        (move, *ends) for move, text in arrows.items() for ends in text.split()
    }


@legal_moves.mistake(
    "A reversal can close a cycle, if another path leads from the tail to the "
    "head.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(delete="AB BC AC CD", add="AD BD", reverse="AB BC AC CD"),
    ),
)
def _any_reversal(parents):
    graph = _graph(parents)
    turned = {("reverse", a, b) for a, b in graph.edges}
    return _deletions(graph) | _additions(graph) | turned


@legal_moves.mistake(
    "A new arrow can close a cycle through several others.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(delete="AB BC AC CD", add="AD BD DA DB", reverse="AB BC CD"),
    ),
)
def _any_addition(parents):
    graph = _graph(parents)
    added = {("add", a, b) for a, b in _not_adjacent(graph)}
    return _deletions(graph) | added | _reversals(graph)


@legal_moves.mistake(
    "Neither new arrows nor reversed ones may close a cycle, however long.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(delete="AB BC AC CD", add="AD BD DA DB", reverse="AB BC AC CD"),
    ),
)
def _short_cycles_only(parents):
    """Add every arrow whose ends are not adjacent, cycle or not."""
    graph = _graph(parents)
    added = {("add", a, b) for a, b in _not_adjacent(graph)}
    turned = {("reverse", a, b) for a, b in graph.edges}
    return _deletions(graph) | added | turned


@legal_moves.mistake(
    "Two adjacent nodes cannot get a second arrow: to turn the one they have "
    "is a move of its own.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(
            delete="AB BC AC CD", add="AD BD BA CB CA DC", reverse="AB BC CD"
        ),
    ),
)
def _both_ways(parents):
    graph = _graph(parents)
    back = {("add", b, a) for a, b in graph.edges}
    return legal_moves(parents) | back


@legal_moves.mistake(
    "Arrows can be turned round, too.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(delete="AB BC AC CD", add="AD BD"),
    ),
)
def _no_reversals(parents):
    graph = _graph(parents)
    return _deletions(graph) | _additions(graph)


@legal_moves.mistake(
    "Every arrow can be deleted.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(add="AD BD", reverse="AB BC CD"),
    ),
)
def _no_deletions(parents):
    graph = _graph(parents)
    return _additions(graph) | _reversals(graph)


@legal_moves.mistake(
    "A reversal is named by the arrow as it is before.",
    example=(
        ({"A": (), "B": ("A",), "C": ("A", "B"), "D": ("C",)},),
        _moves(delete="AB BC AC CD", add="AD BD", reverse="BA CB DC"),
    ),
)
def _named_by_result(parents):
    """Name a reversal by the new arrow."""
    graph = _graph(parents)
    turned = {("reverse", b, a) for _, a, b in _reversals(graph)}
    return _deletions(graph) | _additions(graph) | turned


# -- v_structures ---------------------------------------------------------


def _near(text):
    """Return the neighbours of each node, from edges such as AB BC."""
    near = {node: set() for node in sorted({*text} - {" "})}
    for a, b in (edge for edge in text.split() if len(edge) > 1):
        near[a].add(b)
        near[b].add(a)
    return near


def _colliders(near, apart, holds=lambda c, given: c not in given):
    """Return both arrows of each a → c ← b of which something holds."""
    return {
        (tail, c)
        for (a, b), given in apart.items()
        for c in near[a] & near[b]
        if holds(c, given)
        for tail in (a, b)
    }


def _uncontradicted(arrows):
    return {
        (tail, head) for tail, head in arrows if (head, tail) not in arrows
    }


_CLASH = (
    _near("AB BC CD BE"),
    {
        ("A", "C"): (),
        ("A", "D"): (),
        ("A", "E"): ("B",),
        ("B", "D"): (),
        ("C", "E"): ("B",),
        ("D", "E"): (),
    },
)


@exercise(
    (_near("AC BC"), {("A", "B"): ()}),
    (_near("AC BC"), {("A", "B"): ("C",)}),
    (_near("AB BC CD"), {("A", "C"): (), ("A", "D"): (), ("B", "D"): ()}),
    _CLASH,
    (_near("AB A B"), {}),
    (
        _near("AC BC CD AE BE"),
        {
            ("A", "B"): ("E",),
            ("A", "D"): ("C",),
            ("B", "D"): ("C",),
            ("C", "E"): ("A", "B"),
            ("D", "E"): ("C",),
        },
    ),
)
def v_structures(near, apart):
    """Return the arrows of all v-structures that no other contradicts."""
    return _uncontradicted(_colliders(near, apart))


_EXAMPLE = (
    _near("AB BC CD DE"),
    {
        ("A", "C"): (),
        ("A", "D"): ("B",),
        ("A", "E"): (),
        ("B", "D"): (),
        ("B", "E"): (),
        ("C", "E"): ("D",),
    },
)


@v_structures.mistake(
    "An edge that two v-structures direct in opposite ways has no direction: "
    "leave out both of its arrows.",
    example=(
        _EXAMPLE,
        {("A", "B"), ("C", "B"), ("B", "C"), ("D", "C")},
    ),
)
def _with_contradictions(near, apart):
    return _colliders(near, apart)


@v_structures.mistake(
    "A node that was needed to make the two independent is no collider: its "
    "arrows do not meet there.",
    example=(_EXAMPLE, {("C", "D"), ("E", "D")}),
)
def _in_the_set(near, apart):
    found = _colliders(near, apart, holds=lambda c, given: c in given)
    return _uncontradicted(found)


@v_structures.mistake(
    "Not every common neighbour is a collider: look whether it is in the set "
    "that makes the two independent.",
    example=(_EXAMPLE, {("A", "B"), ("E", "D")}),
)
def _every_middle(near, apart):
    found = _colliders(near, apart, holds=lambda c, given: True)
    return _uncontradicted(found)


@v_structures.mistake(
    "The node in the middle is the head of both arrows.",
    example=(_EXAMPLE, {("B", "A"), ("C", "D")}),
)
def _turned(near, apart):
    return {(head, tail) for tail, head in v_structures(near, apart)}


@v_structures.mistake(
    "Only the edge that is contradicted loses its direction, not the whole "
    "v-structure: its other arrow stays.",
    example=(_EXAMPLE, set()),
)
def _whole_structures(near, apart):
    """Drop each v-structure that has a contradicted arrow."""
    arrows = _colliders(near, apart)
    return {
        (tail, c)
        for (a, b), given in apart.items()
        for c in near[a] & near[b]
        if c not in given and not {(c, a), (c, b)} & arrows
        for tail in (a, b)
    }


# -- best_forest ----------------------------------------------------------


def _kruskal(
    weights, keep=lambda weight: weight > 0, joins=None, heaviest_first=True
):
    """Join pairs in the order of their weights, if `joins` accepts them."""
    graph = nx.Graph()
    graph.add_nodes_from(node for pair in weights for node in pair)
    for pair in sorted(weights, key=weights.get, reverse=heaviest_first):
        a, b = pair
        apart = not nx.has_path(graph, a, b)
        if keep(weights[pair]) and (joins(graph, a, b) if joins else apart):
            graph.add_edge(a, b)
    return {frozenset(edge) for edge in graph.edges}


def _weights(names, *numbers):
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return dict(zip(pairs, numbers, strict=True))


@exercise(
    (_weights("AB", 3),),
    (_weights("AB", -2),),
    (_weights("ABC", 19.3, 2, 8.2),),
    (_weights("ABC", 17.0, -0.3, 5.9),),
    (_weights("ABCD", 9, 1, 2, 3, 4, 8),),
    (_weights("ABCD", 5, 6, -1, 7, -2, -3),),
    (_weights("ABCDE", 10, 2, 3, 1, 9, 4, 2.5, 5, 0.5, 8),),
)
def best_forest(weights):
    """Return the edges of the forest with the largest total weight."""
    return _kruskal(weights)


@best_forest.mistake(
    "An edge of negative weight costs more than it brings; leave it out, even "
    "if the forest then has several parts.",
    example=(
        (_weights("ABCD", 4, 7, -3, 0.5, -1, -2),),
        undirected("AB AC BD"),
    ),
)
def _spanning_tree(weights):
    return _kruskal(weights, keep=lambda weight: True)


@best_forest.mistake(
    "Pairs that would close a cycle have to be left out: some node would get "
    "two parents.",
    example=(
        (_weights("ABCD", 4, 7, -3, 0.5, -1, -2),),
        undirected("AB AC BC"),
    ),
)
def _with_cycles(weights):
    return _kruskal(weights, joins=lambda *_: True)


@best_forest.mistake(
    "The heaviest edges are wanted, not the lightest.",
    example=((_weights("ABCD", 4, 7, -3, 0.5, -1, -2),), undirected("AB BC")),
)
def _minimum(weights):
    return _kruskal(weights, heaviest_first=False)


@best_forest.mistake(
    "Two parts that both have edges may still be joined with each other: "
    "check whether a path leads from one end to the other.",
    example=((_weights("ABCD", 9, 2, 1, 5, 3, 8),), undirected("AB CD")),
)
def _new_nodes(weights):
    """Refuse an edge whose ends both have edges already."""
    return _kruskal(
        weights,
        joins=lambda graph, a, b: not (graph.degree[a] and graph.degree[b]),
    )


@best_forest.mistake(
    "No node has to be the centre of all.",
    example=((_weights("ABCD", 9, 1, -2, 0.5, -1, 4),), undirected("AB BC")),
)
def _star(weights):
    """Join all with the node that has the largest sum."""
    nodes = sorted({node for pair in weights for node in pair})
    own = {n: [pair for pair in weights if n in pair] for n in nodes}
    centre = max(nodes, key=lambda n: sum(weights[pair] for pair in own[n]))
    return {frozenset(pair) for pair in own[centre] if weights[pair] > 0}
