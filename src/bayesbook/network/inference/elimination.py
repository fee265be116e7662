r"""Variable elimination: sums are pushed into the product of the tables.

>>> from bayesbook.network import load_network
>>> run = eliminate(load_network("asia"), "either", {"xray": "yes"})
>>> run.order
('asia', 'tub', 'smoke', 'lung')
>>> run.posterior
P(either | xray=yes)
   either=yes      either=no
226898/393893  166995/393893

In which order nodes go decides what it costs: :func:`elimination_order` finds
one, by fill-ins (min-fill) or another heuristic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

import networkx as nx
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import read_names, require_size
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import SMALLEST
from bayesbook.graphs import ancestral_moral_graph
from bayesbook.network.evidence import (
    EvidenceLike,
    impossible,
    read_evidence,
    read_query,
    require_node,
)
from bayesbook.network.factor import factors_given, product
from bayesbook.network.inference._exactness import is_safe, posterior_table
from bayesbook.network.inference.triangulation import (
    HEURISTICS,
    REMEDY,
    eliminate_nodes,
    moralise,
)
from bayesbook.network.tabular import TabularNetwork, require_network
from bayesbook.probability import MAX_BYTES, Table

__all__ = [
    "Elimination",
    "EliminationStep",
    "eliminate",
    "elimination_order",
]

_REMEDY_FOR_FRACTIONS = (
    "Use a JunctionTree, which computes with floats; or set max_bytes."
)


class EliminationStep(NamedTuple):
    """One variable that was summed out.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> run = eliminate(load_network("asia"), "either", {"smoke": "yes"})
    >>> step = run.steps[0]
    >>> step.variable, step.multiplied, step.n_cells
    ('asia', ('P(asia)', 'P(tub | asia)'), 4)
    """

    #: The node.
    variable: str
    #: The factors that were multiplied, in the field's notation.
    multiplied: tuple[str, ...]
    #: The nodes of their product, before the sum.
    scope: tuple[str, ...]
    #: How many cells the product has.
    n_cells: int


class Elimination(NamedTuple):
    """The result of :func:`eliminate`, and the steps that led to it.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> run = eliminate(load_network("asia"), "lung", {"xray": "yes"})
    >>> run.order
    ('asia', 'tub', 'smoke', 'either')
    >>> run.largest
    8
    >>> print(f"{float(run.evidence_probability):.4f}")
    0.1103
    """

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
        """Return a data frame with a row for each step.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> found = eliminate(load_network("asia"), "smoke", {"either": "no"})
        >>> found.to_frame()[["summed out", "cells"]]
          summed out  cells
        0       asia      4
        1        tub      4
        2       lung      4
        """
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


def eliminate(
    network: TabularNetwork,
    query: str | Iterable[str],
    evidence: EvidenceLike | None = None,
    *,
    order: Sequence[str] | None = None,
    heuristic: str = "min-fill",
    max_bytes: int = MAX_BYTES,
) -> Elimination:
    r"""Compute a posterior by summing out one node after the other.

    To sum out a node only the factors with this node are multiplied:

    .. math:: \sum_x f(a) \, g(a, x) \, h(b, x)
        = f(a) \sum_x g(a, x) \, h(b, x) .

    Nodes that are neither ancestors of the query nor of the evidence sum to
    one and are left out; so are nodes that the evidence separates from the
    query, except in the probability of the evidence.

    Parameters
    ----------
    network : BayesianNetwork
    query : str or iterable of str
        The nodes whose joint posterior distribution is wanted.
    evidence : mapping, optional
        From a node to its state, or to a likelihood for each of its states.
    order : sequence of str, optional
        The nodes to sum out, in this order: at least all that matter.
    heuristic : str
        Otherwise how an order is chosen; see :func:`elimination_order`.
    max_bytes : int
        The limit of the size of a product.

    Returns
    -------
    Elimination
        Exact if the network and the likelihoods are.

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node, a state or the heuristic is unknown, the query is empty,
        one of its nodes is observed, or the order lacks a node, names one
        twice, or names one that cannot be summed out.
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
    >>> from bayesbook.network import BayesianNetwork
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
    moral = ancestral_moral_graph(
        network.graph, {*names, *known.hard, *known.soft}
    )
    moral.remove_nodes_from(known.hard)
    # Nodes that the evidence separates from the query count only in P(e).
    relevant = set().union(
        *(
            part
            for part in nx.connected_components(moral)
            if not part.isdisjoint(names)
        )
    )
    hidden = [
        node
        for node in network.nodes
        if node in relevant and node not in names
    ]
    if order is not None:
        order = _read_order(network, order, hidden, names, known)
    else:
        order = elimination_order(
            network, hidden, heuristic=heuristic, observed=tuple(known.hard)
        )
    ancestors = {*moral, *known.hard}
    every = factors_given(
        network, known, [node for node in network.nodes if node in ancestors]
    )
    factors = [f for f in every if not f.scope or relevant & {*f.scope}]
    separated = [f for f in every if f.scope and not relevant & {*f.scope}]
    steps, distribution = _run(factors, order, names, max_bytes)
    total = distribution.total
    if separated:
        rest = elimination_order(
            network,
            [node for node in moral if node not in relevant],
            observed=tuple(known.hard),
        )
        p = _run(separated, rest, (), max_bytes)[1].total
        if not p > 0:
            raise impossible(network, known)
        # As fractions, because each may be near the end of the floats.
        total = Fraction(total) * Fraction(p)
    posterior = posterior_table(network, distribution, known)
    if known.soft:
        total = Fraction(total) * known.factor
    if not (network.is_exact and known.is_exact):
        total = _as_float(total)
    return Elimination(posterior, total, tuple(steps))


def elimination_order(
    network: TabularNetwork,
    nodes: Iterable[str] | None = None,
    *,
    heuristic: str = "min-fill",
    observed: Iterable[str] = (),
    last: Iterable[str] = (),
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
    last : iterable of str
        Nodes that are eliminated after all others, whatever it costs.

    Returns
    -------
    tuple of str

    Raises
    ------
    TypeError
        If `network` is not a network.
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
    order, _ = eliminate_nodes(
        neighbours,
        sizes,
        wanted & free,
        heuristic,
        last=_as_bits(network, last, numbers),
    )
    return tuple(network.nodes[i] for i in order)


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
            why = "in the query" if node in names else "observed"
            raise ProbabilityError(
                f"{node!r} is {why}, so it cannot be summed out."
            )
    missing = [node for node in hidden if node not in order]
    if missing:
        raise ProbabilityError(
            f"The order lacks {quoted_list(missing)}, without which the query "
            "cannot be answered."
        )
    return [node for node in order if node in hidden]


def _as_bits(network, nodes, numbers):
    nodes = read_names(nodes)
    for node in nodes:
        require_node(network, node)
    return sum(1 << numbers[node] for node in {*nodes})


def _run(factors, order, names, max_bytes):
    """Sum nodes out, with fractions if floats lose digits."""
    require_small(factors, order, names, max_bytes)
    steps, distribution = _sum_out(factors, order, names)
    if is_safe(distribution.total):
        return steps, distribution
    factors = [factor.as_fractions() for factor in factors]
    require_small(factors, order, names, max_bytes, exactly=True)
    return _sum_out(factors, order, names)


def _sum_out(factors, order, names):
    """Sum nodes out: return the steps, and the product of what is left."""
    steps = []
    for number, node in enumerate(order, start=1):
        mine = [factor for factor in factors if node in factor.scope]
        factors = [factor for factor in factors if node not in factor.scope]
        multiplied = product(mine)
        message = multiplied.sum_out(node)
        scope = (*message.scope, node)
        titles = tuple(factor.title for factor in mine)
        steps.append(
            EliminationStep(node, titles, scope, multiplied.values.size)
        )
        title = f"f{number}({', '.join(message.scope)})"
        factors.append(message.renamed(title))
    return steps, product(factors).marginal(*names)


def _as_float(number):
    """Round a fraction; what is positive does not become zero."""
    try:
        return float(number) or (SMALLEST if number > 0 else 0.0)
    except OverflowError:
        return inf


def require_small(factors, order, names, max_bytes, *, exactly=False):
    """Raise an error before the first product if one is too large.

    The nodes of `order` are eliminated one after the other; `names` are those
    of the last product.
    """
    what = "The product"
    if exactly:
        what = (
            "The sum of floats is too small or too large to be trusted, and "
            "the product of fractions"
        )
    states = {n: s for factor in factors for n, s in factor.states.items()}
    left = [({*factor.scope}, factor.is_exact) for factor in factors]
    for node in (*order, None):
        multiplied = [
            (scope, exact)
            for scope, exact in left
            if node in scope or node is None
        ]
        left = [factor for factor in left if factor not in multiplied]
        scope = set(names if node is None else (node,))
        scope = scope.union(*(scope for scope, _ in multiplied))
        exact = all(exact for _, exact in multiplied)
        named = [name for name in states if name in scope]
        require_size(
            [len(states[name]) for name in named],
            "fraction" if exact else "float",
            f"{what} over {quoted_list(named)}",
            max_bytes,
            _REMEDY_FOR_FRACTIONS if exact else REMEDY,
        )
        left.append((scope - {node}, exact))
