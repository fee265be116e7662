r"""Exact inference: enumeration, variable elimination, the junction tree.

All three compute the same sum over the nodes :math:`h` that are neither asked
for nor observed,

.. math:: P(q \mid e) \propto \sum_h \prod_i P(x_i \mid x_{\mathrm{pa}(i)}),

term by term; with the sums pushed into the product; and for all queries at
once.

>>> from bayesbook.network import load_network
>>> asia = load_network("asia")
>>> enumerate_posterior(asia, "lung", {"xray": "yes"})
P(lung | xray=yes)
     lung=yes        lung=no
192500/393893  201393/393893
>>> JunctionTree(asia).posteriors({"xray": "yes"})["lung"]
P(lung | xray=yes)
lung=yes  lung=no
  0.4887   0.5113
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import exp, inf, prod
from threading import RLock
from typing import NamedTuple

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.base.labels import about, read_limit, read_names, require_size
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import logs_of
from bayesbook.graphs import ancestral_moral_graph
from bayesbook.network.evidence import (
    Evidence,
    impossible,
    read_columns,
    read_evidence,
    read_query,
    require_node,
    said,
    weights_of,
)
from bayesbook.network.inference._barren_split import (
    Part,
    PlanOfParts,
    parts_of,
)
from bayesbook.network.inference.message_passing import LogPlan, Plan
from bayesbook.network.inference.triangulation import (
    HEURISTICS,
    bits,
    eliminate_nodes,
    merge_small,
    moralise,
    triangulate,
)
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.network.posteriors import (
    Posteriors,
    exponential,
    shown_evidence,
)
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State

__all__ = [
    "BatchPosteriors",
    "Elimination",
    "EliminationStep",
    "JunctionTree",
    "MostProbable",
    "eliminate",
    "elimination_order",
    "enumerate_posterior",
]

#: A node to its state, or to a likelihood for each of its states.
EvidenceLike = Mapping[str, State | Mapping[State, float]]

# Enumeration takes some microseconds for each combination of states.
_MOST_COMBINATIONS = 2_000_000
_REMEDY = (
    "Estimate instead, with likelihood_weighting or gibbs; or observe more "
    "nodes, merge states, or set max_bytes."
)
_REMEDY_FOR_FRACTIONS = (
    "Ask a JunctionTree, which computes with floats; or set max_bytes."
)
# Plans for so many sets of observed nodes are remembered by a tree.
_MOST_PLANS = 16
# A plan takes no more than so many times the bytes of the tables of its tree,
# for each row that it has been run with.
_MOST_BYTES = 100
# Cliques that together have no more cells are computed as one.
_TINY = 256
# A smaller sum of floats may have lost digits.
_SMALL = 1e-250
# So many numbers are worked on at a time when there are many rows.
_BATCH_CELLS = 500_000


# -- the definition -------------------------------------------------------


def enumerate_posterior(
    network: BayesianNetwork,
    query: str | Iterable[str],
    evidence: EvidenceLike | None = None,
) -> Table:
    """Add up the joint probabilities of all combinations of states.

    This is the definition of a posterior; the number of terms doubles with
    each further binary node.

    Parameters
    ----------
    network : BayesianNetwork
    query : str or iterable of str
        The nodes that are asked for.
    evidence : mapping, optional
        From a node to its state, or to a likelihood for each of its states.

    Returns
    -------
    Table
        P(query | evidence); exact if the network and the likelihoods are.

    Raises
    ------
    ProbabilityError
        If a node or a state is unknown, the query is empty, or one of its
        nodes is observed.
    ZeroProbabilityError
        If the evidence has probability zero.
    TableTooLargeError
        If there are more than two million combinations.

    Examples
    --------
    >>> coins = BayesianNetwork.from_cpts(
    ...     {"coin": ("fair", "bent"), "toss": "HT"},
    ...     {"coin": ["1/2", "1/2"],
    ...      ("toss", "coin"): [["1/2", "1/2"], ["9/10", "1/10"]]},
    ... )
    >>> enumerate_posterior(coins, "coin", {"toss": "H"})
    P(coin | toss=H)
    coin=fair  coin=bent
         5/14       9/14
    """
    require_network(network)
    known = read_evidence(network, evidence)
    names = read_query(network, query, known.hard)
    choices = [
        [known.hard[node]] if node in known.hard else range(len(states))
        for node, states in network.states.items()
    ]
    n_combinations = prod(map(len, choices))
    if n_combinations > _MOST_COMBINATIONS:
        raise TableTooLargeError(
            f"There are {about(n_combinations)} combinations of states, and "
            "enumeration stops at two million: use eliminate, or a "
            "JunctionTree."
        )
    factors = [
        (table.values, [network.nodes.index(name) for name in table.variables])
        for table in network.tables.values()
    ]
    for name, weights in known.factors().items():
        factors.append((weights, [network.nodes.index(name)]))
    places = [network.nodes.index(name) for name in names]
    shape = [len(network.states[name]) for name in names]
    with np.errstate(over="ignore", invalid="ignore"):
        distribution = _sum_of_all(factors, choices, places, shape)
    if not _is_safe(distribution.sum()):
        # Digits may be lost, or all of them: fractions lose none.
        factors = [(_fractions(values), axes) for values, axes in factors]
        distribution = _sum_of_all(factors, choices, places, shape)
    return _normalised(network, distribution, names, known)


def _sum_of_all(factors, choices, places, shape):
    """Add the products of all combinations where their states belong."""
    distribution = np.full(shape, Fraction(0), dtype=object)
    codes = [own[0] for own in choices]
    free = [axis for axis, own in enumerate(choices) if len(own) > 1]
    # The factors that are known as soon as the first so many of these are.
    known = [[] for _ in range(len(free) + 1)]
    depths = {axis: depth for depth, axis in enumerate(free, start=1)}
    for values, axes in factors:
        depth = max(depths.get(axis, 0) for axis in axes)
        known[depth].append((values, axes))

    def add_up(depth, p):
        """Add all terms that begin with this product of factors."""
        for values, axes in known[depth]:
            p = p * values[tuple([codes[axis] for axis in axes])]
        if depth == len(free):
            distribution[tuple([codes[place] for place in places])] += p
            return
        for code in choices[free[depth]]:
            codes[free[depth]] = code
            add_up(depth + 1, p)

    add_up(0, Fraction(1))
    return distribution


def _normalised(network, distribution, names, known):
    """Return the table of non-negative numbers."""
    total = distribution.sum()
    if not total > 0:
        raise impossible(network, known)
    values = distribution / total
    exact = network.is_exact and known.is_exact and values.dtype == object
    if not exact or not all(isinstance(v, Fraction) for v in values.flat):
        values = values.astype(float)
    states = {name: network.states[name] for name in names}
    return Table._of(values, states, (), shown_evidence(known.given))


# -- variable elimination -------------------------------------------------


class EliminationStep(NamedTuple):
    """One variable that was summed out."""

    #: The node.
    variable: str
    #: The factors that were multiplied, in the field's notation.
    multiplied: tuple[str, ...]
    #: The nodes of their product, before the sum.
    scope: tuple[str, ...]
    #: How many cells the product has.
    n_cells: int


class Elimination(NamedTuple):
    """The result of :func:`eliminate`, and the way to it."""

    #: P(query | evidence).
    posterior: Table
    #: The probability of the evidence.
    evidence_probability: Fraction | float
    #: A step for each node summed out, in order; without those that cannot
    #: matter for the query.
    steps: tuple[EliminationStep, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The nodes in the order in which they were summed out."""
        return tuple(step.variable for step in self.steps)

    @property
    def largest(self) -> int:
        """The number of cells of the largest product."""
        return max(
            (step.n_cells for step in self.steps),
            default=self.posterior.values.size,
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each step."""
        return pd.DataFrame(
            [
                (step.variable, " × ".join(step.multiplied), step.n_cells)
                for step in self.steps
            ],
            columns=["summed out", "of the product", "cells"],
        )

    def __repr__(self) -> str:
        lines = [
            f"sum out {step.variable}: {step.n_cells} cells of "
            f"{' × '.join(step.multiplied)}"
            for step in self.steps
        ]
        return "\n".join([*lines, str(self.posterior)])

    def _repr_html_(self) -> str:
        steps = self.to_frame().to_html(index=False) if self.steps else ""
        return steps + self.posterior._repr_html_()


class _Factor(NamedTuple):
    """Non-negative numbers with an axis for each of some nodes."""

    title: str
    names: tuple
    values: np.ndarray

    def spread(self, names):
        """Return the numbers with an axis for each name, of length 1 if new."""
        own = [name for name in names if name in self.names]
        axes = [self.names.index(name) for name in own]
        new = tuple(
            slice(None) if name in self.names else None for name in names
        )
        return self.values.transpose(axes)[new]


def eliminate(
    network: BayesianNetwork,
    query: str | Iterable[str],
    evidence: EvidenceLike | None = None,
    *,
    order: Sequence[str] | None = None,
    heuristic: str = "min-fill",
    max_bytes: int = MAX_BYTES,
) -> Elimination:
    r"""Sum one node after the other out of the product of the tables.

    To sum out a node only the factors with this node are multiplied:

    .. math:: \sum_x f(a) \, g(a, x) \, h(b, x)
        = f(a) \sum_x g(a, x) \, h(b, x) .

    Nodes that are neither ancestors of the query nor of the evidence sum to
    one and are left out; so are nodes that the evidence separates from the
    query, but for the probability of the evidence.

    Parameters
    ----------
    network : BayesianNetwork
    query : str or iterable of str
        The nodes that are asked for.
    evidence : mapping, optional
        From a node to its state, or to a likelihood for each of its states.
    order : sequence of str, optional
        The nodes to sum out, in this order: at least all that matter.
    heuristic : str
        Otherwise how an order is chosen; see :func:`elimination_order`.
    max_bytes : int
        A larger product is refused.

    Returns
    -------
    Elimination
        Exact if the network and the likelihoods are.

    Raises
    ------
    ProbabilityError
        If a node or a state is unknown, the query is empty, one of its nodes
        is observed, or the order lacks a node, or names one twice or one
        that cannot be summed out.
    ZeroProbabilityError
        If the evidence has probability zero.
    TableTooLargeError
        If a product would need more than `max_bytes`. Fractions need more
        than floats, and are also tried where floats are too small.

    References
    ----------
    Zhang and Poole (1996); Koller and Friedman (2009), section 9.3.

    Examples
    --------
    >>> chain = BayesianNetwork.from_cpts(
    ...     {"A": (0, 1), "B": (0, 1), "C": (0, 1)},
    ...     {"A": ["1/2", "1/2"],
    ...      ("B", "A"): [["3/4", "1/4"], ["1/4", "3/4"]],
    ...      ("C", "B"): [["3/4", "1/4"], ["1/4", "3/4"]]},
    ... )
    >>> print(eliminate(chain, "A", {"C": 1}))
    sum out B: 4 cells of P(B | A) × P(C=1 | B)
    P(A | C=1)
    A=0  A=1
    3/8  5/8
    """
    require_network(network)
    known = read_evidence(network, evidence)
    names = read_query(network, query, known.hard)
    _read_heuristic(heuristic)
    connected = ancestral_moral_graph(
        network.graph, {*names, *known.hard, *known.soft}
    )
    connected.remove_nodes_from(known.hard)
    parts = [
        [node for node in network.nodes if node in part]
        for part in nx.connected_components(connected)
    ]
    parts = sorted(parts, key=lambda part: network.nodes.index(part[0]))
    factors = _sliced(network, known, {*connected, *known.hard})
    asked = {node for part in parts if {*names} & {*part} for node in part}
    hidden = [
        node for node in network.nodes if node in asked and node not in names
    ]
    if order is not None:
        order = _read_order(network, order, hidden, names, known)
    else:
        order = elimination_order(
            network, hidden, heuristic=heuristic, observed=tuple(known.hard)
        )
    mine = [f for f in factors if not f.names or asked & {*f.names}]
    others = [f for f in factors if f.names and not asked & {*f.names}]
    _require_small(network, mine, order, names, max_bytes)
    steps, distribution = _sum_out(network, mine, order, names)
    if not _is_safe(distribution.sum()):
        mine = _exactly(network, mine, order, names, max_bytes)
        steps, distribution = _sum_out(network, mine, order, names)
    total = distribution.sum()
    if others:
        rest = [node for node in connected if node not in asked]
        rest = elimination_order(network, rest, observed=tuple(known.hard))
        _require_small(network, others, rest, (), max_bytes)
        p = _sum_out(network, others, rest, ())[1].item()
        if not _is_safe(p):
            others = _exactly(network, others, rest, (), max_bytes)
            p = _sum_out(network, others, rest, ())[1].item()
        if not p > 0:
            raise impossible(network, known)
        # As fractions, because each may be near the end of the floats.
        total = Fraction(total) * Fraction(p)
    posterior = _normalised(network, distribution, names, known)
    if known.soft:
        total = Fraction(total) * known.factor
    if not (network.is_exact and known.is_exact):
        total = _as_float(total)
    return Elimination(posterior, total, tuple(steps))


def _is_safe(total):
    """Return whether a sum is exact, or neither too small nor too large."""
    return isinstance(total, Fraction) or _SMALL <= total < inf


def _as_float(number):
    try:
        return float(number)
    except OverflowError:
        return inf


def _exactly(network, factors, order, names, max_bytes):
    """Return the fractions that floats are, if their products are small.

    Floats may have lost digits, or all of them: fractions lose none.
    """
    _require_small(network, factors, order, names, max_bytes, exactly=True)
    return [
        factor._replace(values=_fractions(factor.values)) for factor in factors
    ]


def _fractions(values):
    exact = np.empty(values.shape, dtype=object)
    exact.flat = [Fraction(value) for value in values.ravel().tolist()]
    return exact


def _require_small(
    network, factors, order, names, max_bytes, *, exactly=False
):
    """Refuse products that are too large before the first is made."""
    what = "The product"
    if exactly:
        what = (
            "The sum of floats is too small or too large to be trusted, and "
            "the product of fractions"
        )
    left = [({*f.names}, exactly or f.values.dtype == object) for f in factors]
    for node in order:
        mine = [own for own in left if node in own[0]]
        left = [own for own in left if node not in own[0]]
        scope, exact = _together(mine)
        _require_size(network, {node, *scope}, exact, max_bytes, what)
        left.append((scope - {node}, exact))
    _require_size(network, names, _together(left)[1], max_bytes, what)


def _together(factors):
    """Return the scope of a product, and whether it is of fractions only."""
    scope = set().union(*(scope for scope, _ in factors))
    return scope, all(exact for _, exact in factors)


def _require_size(network, names, exact, max_bytes, what):
    shape = [len(network.states[name]) for name in names]
    names = [node for node in network.nodes if node in names]
    require_size(
        shape,
        "fraction" if exact else "float",
        f"{what} over {quoted_list(names)}",
        max_bytes,
        _REMEDY_FOR_FRACTIONS if exact else _REMEDY,
    )


def _sliced(network, known, nodes):
    """Return the tables of some nodes as factors, the evidence put in."""
    factors = []
    for node in network.nodes:
        if node not in nodes:
            continue
        table = network.tables[node]
        place = tuple(known.hard.get(n, slice(None)) for n in table.variables)
        left = tuple(n for n in table.variables if n not in known.hard)
        title = _with_states(network, table, known.hard)
        values = np.asarray(table.values[place])
        factors.append(_Factor(title, left, values))
    for node, weights in known.factors().items():
        factors.append(_Factor(f"likelihood({node})", (node,), weights))
    return factors


def _with_states(network, table, hard):
    def shown(name):
        if name not in hard:
            return name
        return f"{name}={network.states[name][hard[name]]}"

    behind = ", ".join(map(shown, table.conditions))
    return f"P({shown(table.targets[0])}{' | ' if behind else ''}{behind})"


def _sum_out(network, factors, order, names):
    """Sum nodes out; give the steps, and what is left as one array."""
    steps = []
    for number, node in enumerate(order, start=1):
        mine = [factor for factor in factors if node in factor.names]
        factors = [factor for factor in factors if node not in factor.names]
        found = dict.fromkeys(n for factor in mine for n in factor.names)
        left = tuple(name for name in found if name != node)
        values = _product(network, mine, (*left, node))
        titles = tuple(factor.title for factor in mine)
        steps.append(EliminationStep(node, titles, (*left, node), values.size))
        title = f"f{number}({', '.join(left)})"
        summed = np.asarray(values.sum(axis=-1), dtype=values.dtype)
        factors.append(_Factor(title, left, summed))
    return steps, _product(network, factors, names)


def _product(network, factors, names):
    shape = tuple(len(network.states[name]) for name in names)
    exact = all(factor.values.dtype == object for factor in factors)
    values = np.full(shape, Fraction(1) if exact else 1.0)
    for factor in factors:
        own = factor.values if exact else factor.values.astype(float)
        own = _Factor("", factor.names, own).spread(names)
        # What is too large for a float is done again with fractions.
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.asarray(values * own, dtype=values.dtype)
    return values


def _read_heuristic(heuristic):
    if not isinstance(heuristic, str) or heuristic not in HEURISTICS:
        raise ProbabilityError(
            f"There is no heuristic {heuristic!r}; there are "
            f"{quoted_list(HEURISTICS)}.{did_you_mean(heuristic, HEURISTICS)}"
        )


def _read_order(network, order, hidden, names, known):
    order = read_names(order)
    for node in order:
        require_node(network, node)
        if node in names or node in known.hard:
            why = "asked for" if node in names else "observed"
            raise ProbabilityError(
                f"{node!r} is {why}, so it cannot be summed out."
            )
    missing = [node for node in hidden if node not in order]
    if missing:
        raise ProbabilityError(
            f"The order lacks {quoted_list(missing)}, which matters for the "
            f"query."
        )
    return [node for node in order if node in hidden]


def elimination_order(
    network: BayesianNetwork,
    nodes: Iterable[str] | None = None,
    *,
    heuristic: str = "min-fill",
    observed: Iterable[str] = (),
) -> tuple[str, ...]:
    """Choose an order of elimination step by step, by a greedy heuristic.

    To find the best order is NP-hard (Arnborg, Corneil and Proskurowski
    1987).

    Parameters
    ----------
    network : BayesianNetwork
    nodes : iterable of str, optional
        What to eliminate; by default all nodes that are not observed.
    heuristic : str
        What the next node has least of: ``"min-fill"``, pairs of neighbours
        that are not joined yet; ``"min-weight"``, cells of the product;
        ``"min-degree"``, neighbours.
    observed : iterable of str
        Nodes that are not in any factor, because their state is known.

    Returns
    -------
    tuple of str

    Raises
    ------
    ProbabilityError
        If a node or the heuristic is unknown.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> elimination_order(load_network("asia"))[:3]
    ('asia', 'xray', 'tub')
    """
    require_network(network)
    _read_heuristic(heuristic)
    numbers = {node: i for i, node in enumerate(network.nodes)}
    hard = _as_bits(network, observed, numbers)
    free = _as_bits(network, network.nodes, numbers) & ~hard
    wanted = free if nodes is None else _as_bits(network, nodes, numbers)
    families = [
        sum(1 << numbers[name] for name in table.variables) & ~hard
        for node, table in network.tables.items()
    ]
    sizes = [len(states) for states in network.states.values()]
    neighbours = moralise(families, len(network))
    order, _ = eliminate_nodes(neighbours, sizes, wanted & free, heuristic)
    return tuple(network.nodes[i] for i in order)


def _as_bits(network, nodes, numbers):
    nodes = read_names(nodes)
    for node in nodes:
        require_node(network, node)
    return sum(1 << numbers[node] for node in {*nodes})


# -- the junction tree ----------------------------------------------------


class MostProbable(NamedTuple):
    """The most probable states of all nodes given the evidence."""

    #: A state for each node, the observed ones included.
    states: dict
    #: The logarithm of their joint probability.
    log_prob: float
    #: Their probability given the evidence.
    probability: float


class JunctionTree:
    """All posteriors of a network at once, again and again.

    The cliques of a triangulated graph form a tree, in which messages are
    sent towards a root and back; then each clique holds the joint distribution
    of its nodes given the evidence (Lauritzen and Spiegelhalter 1988).

    A tree is made anew for each *set* of observed nodes, because their states
    need no place in it, and remembered; new states of the same nodes cost
    only the messages.

    Parameters
    ----------
    network : BayesianNetwork
    max_bytes : int
        A tree whose tables would need more is refused before they are made;
        what is remembered of earlier queries is forgotten when it needs more.

    Raises
    ------
    ProbabilityError
        If `network` is none, or `max_bytes` is not a number.
    TableTooLargeError
        By each method that needs tables, if they would need more than
        `max_bytes`.

    Notes
    -----
    One tree may be used by several threads.

    What is told of the tree, such as `n_cells`, is for no evidence. With
    evidence a query may cost less: observed nodes are in no clique, and a
    barren node (one without observed descendants) that alone makes the tree
    large gets a tree of its own (Shachter 1986).

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> tree = JunctionTree(load_network("asia"))
    >>> tree.largest_clique
    ('lung', 'bronc', 'either')
    >>> tree.posteriors({"dysp": "yes", "asia": "yes"})["tub"]
    P(tub | dysp=yes, asia=yes)
    tub=yes  tub=no
     0.0878  0.9122
    """

    __slots__ = (
        "__weakref__",
        "_axes",
        "_families",
        "_lock",
        "_max_bytes",
        "_network",
        "_numbers",
        "_plans",
        "_sizes",
        "_trees",
    )

    def __init__(
        self, network: BayesianNetwork, *, max_bytes: int = MAX_BYTES
    ):
        require_network(network)
        self._network = network
        self._max_bytes = read_limit(max_bytes)
        self._numbers = {node: i for i, node in enumerate(network.nodes)}
        self._sizes = [len(states) for states in network.states.values()]
        self._axes = [
            tuple(self._numbers[name] for name in table.variables)
            for table in network.tables.values()
        ]
        self._families = [sum(1 << i for i in axes) for axes in self._axes]
        self._lock = RLock()
        self._trees = {}
        self._plans = {}

    def __reduce__(self):
        return partial(JunctionTree, max_bytes=self._max_bytes), (
            self._network,
        )

    # -- what it is and what it costs -------------------------------------

    @property
    def network(self) -> BayesianNetwork:
        """The network that is asked."""
        return self._network

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of each clique, when nothing is observed."""
        return tuple(self._named(clique) for clique in self._tree().members)

    @property
    def tree(self) -> nx.Graph:
        """The tree: numbers of `cliques`, joined by edges with separators.

        A node has the attribute ``clique``, an edge ``separator``, the nodes
        that both its ends have. Parts of the network that are not connected
        are trees of their own.
        """
        found = self._tree()
        tree = nx.Graph()
        for i, members in enumerate(found.members):
            tree.add_node(i, clique=self._named(members))
        for i, parent in enumerate(found.parents):
            if parent >= 0:
                shared = found.members[i] & found.members[parent]
                tree.add_edge(parent, i, separator=self._named(shared))
        return nx.freeze(tree)

    @property
    def n_cells(self) -> int:
        """How many numbers the tables of all cliques hold."""
        return self._tree().n_cells

    @property
    def n_bytes(self) -> int:
        """How many bytes the tables of all cliques need."""
        return 8 * self.n_cells

    @property
    def largest_clique(self) -> tuple[str, ...]:
        """The clique with the largest table."""
        return max(
            self.cliques,
            key=lambda c: prod(len(self._network.states[n]) for n in c),
        )

    @property
    def width(self) -> int:
        """The number of nodes of the widest clique, less one.

        At least the treewidth of the moral graph.
        """
        return max(map(len, self.cliques)) - 1

    def __repr__(self) -> str:
        return (
            f"JunctionTree of {self._network.name or 'a network'}: "
            f"{pluralise(len(self._tree().members), 'clique')}, width "
            f"{self.width}, {pluralise(self.n_cells, 'cell')}"
        )

    # -- queries ----------------------------------------------------------

    def posteriors(self, evidence: EvidenceLike | None = None) -> Posteriors:
        """Return the distribution of every node given the evidence.

        Parameters
        ----------
        evidence : mapping, optional
            From a node to its state, or to a likelihood for each of its
            states (soft evidence).

        Returns
        -------
        Posteriors
            A mapping of node to Table, without nodes whose state is known.

        Raises
        ------
        ProbabilityError
            If a node or a state is unknown, or a likelihood is no number.
        ZeroProbabilityError
            If the evidence has probability zero.
        TableTooLargeError
            If the tables would need more than `max_bytes`.
        """
        known, codes, weights = self._read(evidence)
        plan = self._plan(known)
        total, outputs = plan.run(codes, weights)
        if np.isnan(total):
            plan = self._plan(known, LogPlan)
            total, outputs = plan.run(codes, self._log_weights(known))
        if total == -inf:
            raise impossible(self._network, known)
        outputs.setflags(write=False)
        nodes = self._network.nodes
        arrays = {
            nodes[i]: outputs[plan.slices[i]] for i in sorted(plan.slices)
        }
        return Posteriors(
            self._network.states, arrays, known.given, total + known.log_factor
        )

    def joint(
        self, names: str | Iterable[str], evidence: EvidenceLike | None = None
    ) -> Table:
        """Return the joint distribution of several nodes given the evidence.

        Parameters
        ----------
        names : str or iterable of str
            Nodes without a known state. If they are in no common clique, a
            tree is made in which they are.
        evidence : mapping, optional

        Returns
        -------
        Table
            With the axes in the order of `names`.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError, TableTooLargeError
            As for :meth:`posteriors`; and if there is no name, or a node is
            observed.
        """
        known, codes, weights = self._read(evidence)
        names = read_query(self._network, names, known.hard)
        numbers = [self._numbers[name] for name in names]
        together = sum(1 << i for i in numbers)
        plan = self._plan(known, together=together)
        total, values = plan.joint(numbers, codes, weights)
        if np.isnan(total):
            plan = self._plan(known, LogPlan, together)
            logs = self._log_weights(known)
            total, values = plan.joint(numbers, codes, logs)
        if total == -inf:
            raise impossible(self._network, known)
        states = {name: self._network.states[name] for name in names}
        return Table._of(values, states, (), shown_evidence(known.given))

    def log_evidence(self, evidence: EvidenceLike) -> float:
        """Return the logarithm of the probability of the evidence.

        Minus infinity if it is impossible. Parameters and other errors are
        those of :meth:`posteriors`.
        """
        known, codes, weights = self._read(evidence)
        total = self._log_evidence(known, codes, weights)
        return float(total + known.log_factor)

    def _log_evidence(self, known, codes, weights):
        total, _ = self._plan(known).run(codes, weights, distribute=False)
        if np.isnan(total):
            logs = self._log_weights(known)
            total, _ = self._plan(known, LogPlan).run(codes, logs)
        return total

    def evidence_probability(self, evidence: EvidenceLike) -> float:
        """Return the probability of the evidence; 0 if it is impossible."""
        return exponential(self.log_evidence(evidence))

    def most_probable(
        self, evidence: EvidenceLike | None = None
    ) -> MostProbable:
        """Return the most probable states of all nodes together.

        Known as most probable explanation, MPE. In general they are not the
        most probable state of each node. With soft evidence they maximise the
        joint probability times the likelihoods.

        Returns
        -------
        MostProbable
            Of several with the same probability, one of them.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError, TableTooLargeError
            As for :meth:`posteriors`.
        """
        known, codes, weights = self._read(evidence)
        logs = self._log_weights(known)
        best, found = self._plan(known, LogPlan).maximise(codes, logs)
        if best == -inf:
            raise impossible(self._network, known)
        total = self._log_evidence(known, codes, weights)
        found = {**codes, **found}
        states = {
            node: self._network.states[node][found[i]]
            for node, i in self._numbers.items()
        }
        soft = sum(array[found[i]] for i, array in logs.items())
        return MostProbable(
            states, float(best - soft), exp(min(best - total, 0.0))
        )

    def batch(self, rows: pd.DataFrame) -> BatchPosteriors:
        """Return the distributions of every node for many rows of evidence at once.

        Parameters
        ----------
        rows : DataFrame
            A column for each node that is observed in some row; a missing
            value says that it is not observed in this one.

        Returns
        -------
        BatchPosteriors
            A mapping of every node to an array of shape (n_rows, n_states).
            Where a node is observed, its state has probability one.

        Raises
        ------
        ProbabilityError
            If a column is no node, or a value no state of it.
        ZeroProbabilityError
            If a row is impossible; the message says which.
        TableTooLargeError
            If the tables of one row would need more than `max_bytes`.
        """
        columns = read_columns(self._network, rows)
        columns = {n: c for n, c in columns.items() if (c >= 0).any()}
        n_rows = len(rows)
        names = list(columns)
        codes = np.column_stack(
            [np.zeros(n_rows, dtype=np.intp), *columns.values()]
        )[:, 1:]
        # Rows that say the same are computed once.
        codes, place = _unique_rows(codes)
        partial = [(codes[:, j] < 0).any() for j in range(len(names))]
        hard = {
            n: 0 for n, part in zip(names, partial, strict=True) if not part
        }
        soft = {n: () for n, part in zip(names, partial, strict=True) if part}
        plan = self._plan(Evidence(hard, soft))
        # Without what the tables hold beside the distributions of single
        # nodes.
        places = {i: plan.slices[i] for i in sorted(plan.slices)}
        kept = np.r_[tuple(places.values())] if places else np.arange(0)
        found = [
            self._chunk(plan, names, partial, codes[start:stop], kept)
            for start, stop in self._chunks(plan, len(codes))
        ]
        totals = np.concatenate([total for total, _ in found] or [[]])
        if len(totals) and totals.min() == -inf:
            worst = int(np.argmin(totals))
            row = int(np.argmax(place == worst))
            known = {
                name: int(code)
                for name, code in zip(names, codes[worst], strict=True)
                if code >= 0
            }
            raise ZeroProbabilityError(
                f"Row {row} has probability zero: "
                f"{said(self._network, Evidence(known, {}))}."
            )
        outputs = np.concatenate(
            [out for _, out in found] or [np.empty((0, len(kept)))]
        )
        ends = np.cumsum([self._sizes[i] for i in places]).tolist()
        ends = dict(zip(places, ends, strict=True))
        arrays = {}
        for node, i in self._numbers.items():
            if i in places:
                own = slice(ends[i] - self._sizes[i], ends[i])
                arrays[node] = outputs[:, own]
            else:
                own = codes[:, names.index(node)]
                arrays[node] = weights_of(own, self._sizes[i]).T
        return BatchPosteriors(self._network.states, arrays, totals, place)

    # -- helpers ----------------------------------------------------------

    def _chunks(self, plan, n_rows):
        size = max(1, min(4096, _BATCH_CELLS // max(plan.n_cells, 1)))
        return [(i, min(i + size, n_rows)) for i in range(0, n_rows, size)]

    def _chunk(self, plan, names, partial, codes, kept):
        """Propagate some rows; a row of outputs, those to keep, for each."""
        numbers = [self._numbers[name] for name in names]
        n_rows = len(codes)
        weights = {
            i: weights_of(codes[:, j], self._sizes[i])
            for j, i in enumerate(numbers)
            if partial[j]
        }
        states = {
            i: codes[:, j] for j, i in enumerate(numbers) if not partial[j]
        }
        if n_rows == 1 or not (states or weights):
            states = {i: int(column[0]) for i, column in states.items()}
            weights = {i: array[:, 0] for i, array in weights.items()}
            total, outputs = self._one_row(plan, states, weights)
            return (
                np.full(n_rows, total),
                np.broadcast_to(outputs[kept], (n_rows, len(kept))),
            )
        total, outputs = plan.run(states, weights, n_rows)
        total = np.array(np.broadcast_to(total, (n_rows,)))
        if outputs is None:
            outputs = np.zeros((plan.n_outputs, n_rows))
        for row in np.flatnonzero(np.isnan(total)):
            total[row], outputs[:, row] = self._one_row(
                plan,
                {i: int(column[row]) for i, column in states.items()},
                {i: array[:, row] for i, array in weights.items()},
            )
        return total, outputs[kept].T

    def _one_row(self, plan, states, weights):
        """Propagate evidence whose numbers may be very small."""
        total, outputs = plan.run(states, weights)
        if not np.isnan(total):
            return total, outputs
        nodes = self._network.nodes
        known = Evidence(
            {nodes[i]: code for i, code in states.items()},
            dict.fromkeys((nodes[i] for i in weights), ()),
        )
        careful = self._plan(known, LogPlan)
        logs = {i: logs_of(array) for i, array in weights.items()}
        total, found = careful.run(states, logs)
        outputs = np.zeros(plan.n_outputs)
        for i, place in plan.slices.items():
            outputs[place] = found[careful.slices[i]]
        return total, outputs

    def _read(self, evidence):
        known = read_evidence(self._network, evidence)
        codes = {self._numbers[node]: i for node, i in known.hard.items()}
        weights = known.weights().items()
        return known, codes, {self._numbers[n]: a for n, a in weights}

    def _log_weights(self, known):
        logs = known.log_weights().items()
        return {self._numbers[node]: array for node, array in logs}

    def _tree(self, hard=0, together=0):
        """Triangulate, but remember."""
        with self._lock:
            return self._found_tree(hard, together)

    def _found_tree(self, hard, together):
        key = hard, together
        if key not in self._trees:
            families = [family & ~hard for family in self._families]
            if together:
                families.append(together)
            free = (1 << len(self._sizes)) - 1 & ~hard
            _remember(
                self._trees, key, triangulate(families, self._sizes, free)
            )
        return self._trees[key]

    def _plan(self, known, kind=Plan, together=0):
        """Make a plan for a set of observed nodes, but remember."""
        with self._lock:
            return self._found_plan(known, kind, together)

    def _found_plan(self, known, kind, together):
        hard = sum(1 << self._numbers[node] for node in known.hard)
        soft = sum(1 << self._numbers[node] for node in known.soft)
        key = hard, soft, together, kind
        plan = self._plans.get(key)
        if plan is None:
            tree = self._tree(hard, together)
            self._require_room(tree)
            self._make_room(8 * tree.n_cells)
            plan = self._new_plan(tree, hard, soft, kind, together)
            _remember(self._plans, key, plan)
        return plan

    def _require_room(self, tree):
        if 8 * tree.n_cells > self._max_bytes:
            largest = max(tree.members, key=self._cells)
            require_size(
                (tree.n_cells,),
                "float",
                f"The junction tree, whose largest clique has "
                f"{largest.bit_count()} nodes and "
                f"{about(self._cells(largest))} cells,",
                self._max_bytes,
                _REMEDY,
            )

    def _make_room(self, n_bytes):
        """Forget the oldest plans if together they are too large."""
        plans = self._plans.values()
        n_cells = sum(plan.n_cells * plan.n_rows for plan in plans)
        if 8 * _MOST_BYTES * n_cells + n_bytes <= self._max_bytes:
            return  # as nearly always, and measuring takes time
        held = [plan.n_bytes for plan in plans]
        while held and sum(held) + n_bytes > self._max_bytes:
            held.pop(0)
            self._plans.pop(next(iter(self._plans)))

    def _new_plan(self, tree, hard, soft, kind, together):
        axes = self._axes
        if kind is LogPlan:
            logs = self._network._log_arrays()
            return LogPlan(axes, logs, self._sizes, tree, hard, soft)
        arrays = self._network._arrays()
        plans = [
            Plan(
                [axes[i] for i in bits(part.nodes)],
                [arrays[i] for i in bits(part.nodes)],
                self._sizes,
                merge_small(part.tree, self._sizes, _TINY),
                hard,
                soft & part.nodes,
                asked=part.asked,
                delicate=self._network._is_beyond_floats,
            )
            for part in self._parts(tree, hard, soft, together)
        ]
        return plans[0] if len(plans) == 1 else PlanOfParts(plans)

    def _parts(self, tree, hard, soft, together):
        if not together:
            order = [self._numbers[node] for node in self._network.order]
            parts = parts_of(
                self._families, order, self._sizes, hard, soft, tree
            )
            n_cells = sum(part.tree.n_cells for part in parts)
            if parts and 8 * n_cells <= self._max_bytes:
                return parts
        return [Part(tree, (1 << len(self._sizes)) - 1, together or -1)]

    def _cells(self, clique):
        return prod(self._sizes[i] for i in bits(clique))

    def _named(self, members):
        return tuple(self._network.nodes[i] for i in bits(members))


def _remember(known, key, value):
    if len(known) >= _MOST_PLANS:
        known.pop(next(iter(known)))
    known[key] = value


def _unique_rows(codes):
    """Return the different rows, and for each row which one it is."""
    if codes.shape[1] == 0:
        return codes[:1], np.zeros(len(codes), dtype=np.intp)
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    return rows, place.reshape(-1)


class BatchPosteriors(Mapping):
    """The distributions of each node for many rows of evidence.

    A mapping of node to array of shape (n_rows, n_states), the states in the
    order of ``network.states``.
    """

    def __init__(self, states, arrays, log_evidence, place):
        self._states = states
        self._arrays = arrays
        self._place = place
        self._log_evidence = log_evidence
        for array in (*arrays.values(), log_evidence):
            array.setflags(write=False)

    def __getstate__(self):
        return {**self.__dict__, "_states": dict(self._states)}

    @property
    def log_evidence(self) -> np.ndarray:
        """The logarithm of the probability of each row of evidence."""
        return self._log_evidence[self._place]

    def __getitem__(self, node: str) -> np.ndarray:
        if node not in self:
            raise ProbabilityError(
                f"There is no posterior of {node!r}; there are those of "
                f"{quoted_list(self._arrays)}.{did_you_mean(node, self._arrays)}"
            )
        found = self._arrays[node][self._place]
        found.setflags(write=False)
        return found

    def get(self, node: str, default=None):
        """Return the array of a node, or something else if there is none."""
        return self[node] if node in self else default  # noqa: SIM401

    def __contains__(self, node: object) -> bool:
        return isinstance(node, str) and node in self._arrays

    def __iter__(self):
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def to_frame(self, node: str) -> pd.DataFrame:
        """Return the distribution of a node with a column for each of its states."""
        distribution = self[node]
        columns = pd.Index(self._states[node], name=node, tupleize_cols=False)
        return pd.DataFrame(distribution, columns=columns)

    def __repr__(self) -> str:
        return (
            f"BatchPosteriors: {pluralise(len(self._place), 'row')}, "
            f"{pluralise(len(self), 'node')}"
        )
