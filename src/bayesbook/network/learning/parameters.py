r"""The parameters of a network by counting.

The likelihood of complete rows is a product over the families, and within a
family over the configurations of the parents. Each of these factors is that
of a die, whose most likely distribution is that of the frequencies:

.. math:: \hat\theta_{x \mid u} = \frac{N_{ux}}{N_u},
    \qquad
    \bar\theta_{x \mid u} = \frac{N_{ux} + a_{ux}}{N_u + \sum_x a_{ux}},

the first by maximum likelihood, the second as posterior mean under a
Dirichlet distribution with the pseudo-counts a for each configuration u of the
parents (Koller and Friedman 2009, sections 17.2 and 17.4; Heckerman, Geiger
and Chickering 1995).

>>> rows = pd.DataFrame({"rain": ["no", "no", "yes", "no"],
...                      "grass": ["dry", "wet", "wet", "dry"]})
>>> learned = fit_parameters("rain -> grass", rows, exact=True)
>>> print(learned.tables["grass"])
P(grass | rain)
rain  grass=dry  grass=wet
no          2/3        1/3
yes           0          1
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import require_name, say, states_at
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import as_bool, exact_weight
from bayesbook.data import Cases, read_cases
from bayesbook.data.columns import columns_of
from bayesbook.graphs import check_dag, parse
from bayesbook.network.model import BayesianNetwork
from bayesbook.probability import Table
from bayesbook.probability.table import State

__all__ = ["NetworkCounts", "count_network", "fit_parameters"]

#: Frames, cases, chunks, or a function that returns chunks; a dask DataFrame,
#: too, which has no type here.
Data: TypeAlias = pd.DataFrame | Cases | Iterable[pd.DataFrame] | Callable
#: A graph, the graph of a network, or a text for `bayesbook.graphs.parse`.
GraphLike: TypeAlias = nx.DiGraph | BayesianNetwork | str
#: The states of variables, or a network that has them.
States: TypeAlias = Mapping[str, Sequence[State]] | BayesianNetwork
#: The name of a column, or a weight for each row.
Weights: TypeAlias = str | Sequence[float] | np.ndarray | pd.Series
#: Pseudo-counts by node, or one number for all cells of a table by its shape.
Prior: TypeAlias = Mapping | Callable[[tuple[int, ...]], float | Fraction]

UNSEEN = ("error", "uniform", "marginal")


class NetworkCounts:
    """How often each node was in each state with each state of its parents.

    These are the sufficient statistics of the parameters of a graph, given
    complete data. The counts of parts of the data add up.

    Attributes
    ----------
    graph : nx.DiGraph
        Frozen.
    states : mapping of node to tuple of states
    parents : mapping of node to tuple of nodes
    tables : mapping of node to array
        With an axis for each parent, and the last for the node.
    total : float
        The number of rows, or the sum of their weights.

    Examples
    --------
    >>> counts = count_network("A", pd.DataFrame({"A": ["x", "y", "x"]}))
    >>> (counts + counts).tables["A"]
    array([4., 2.])
    """

    def __init__(
        self,
        graph: nx.DiGraph,
        states: Mapping[str, tuple[State, ...]],
        parents: Mapping[str, tuple[str, ...]],
        tables: Mapping[str, np.ndarray],
        total: float,
    ) -> None:
        self.graph = graph
        self.states = MappingProxyType(dict(states))
        self.parents = MappingProxyType(dict(parents))
        self.tables = MappingProxyType(dict(tables))
        self.total = total

    def __add__(self, other: NetworkCounts) -> NetworkCounts:
        """Return the counts of the rows of both."""
        if not isinstance(other, NetworkCounts):
            return NotImplemented
        if _sets(self.parents) != _sets(other.parents):
            raise ProbabilityError(
                "These are counts for two different graphs: only those for "
                "the same graph add up."
            )
        for node, states in self.states.items():
            if states != other.states[node]:
                raise ProbabilityError(
                    f"{node!r} has the states {quoted_list(states)} in some "
                    f"of the counts and {quoted_list(other.states[node])} in "
                    "others: declare the same ones for all with states={...}."
                )
        tables = {
            node: table + other._table_with(self.parents[node], node)
            for node, table in self.tables.items()
        }
        return NetworkCounts(
            self.graph,
            self.states,
            self.parents,
            tables,
            self.total + other.total,
        )

    def _table_with(self, parents, node):
        """Return the counts of a node with its parents in this order."""
        axes = [*map(self.parents[node].index, parents), len(parents)]
        return self.tables[node].transpose(axes)

    def __radd__(self, other: int) -> NetworkCounts:
        """Return the counts themselves for 0, with which `sum` begins."""
        return self if other == 0 else NotImplemented

    def fit(
        self,
        *,
        pseudo_count: float | Mapping = 0,
        equivalent_sample_size: float | None = None,
        unseen: str = "error",
        exact: bool = False,
        name: str = "",
    ) -> BayesianNetwork:
        """Divide the counts by their sums: return the network of these tables.

        Parameters and errors are those of :func:`fit_parameters`.

        Examples
        --------
        >>> rows = pd.DataFrame({"coin": ["heads", "heads", "tails"]})
        >>> counts = count_network("coin", rows)
        >>> print(counts.fit(pseudo_count=1, exact=True).tables["coin"])
        P(coin)
        coin=heads  coin=tails
               3/5         2/5
        """
        prior = read_prior(pseudo_count, equivalent_sample_size)
        require_unseen(unseen)
        exact = as_bool(exact, "exact")
        if isinstance(prior, Mapping):
            for node in prior:
                require_name(node, self.tables, "node", "the graph")
        tables = []
        for node, counts in self.tables.items():
            axes = {n: self.states[n] for n in (*self.parents[node], node)}
            if exact:
                counts = _fractions(counts)
            added = pseudo_counts(prior, node, counts.shape, exact)
            distributions = _divide(counts + added, axes, unseen)
            tables.append(Table(distributions, axes, given=self.parents[node]))
        return BayesianNetwork(tables, name=name)

    def __repr__(self) -> str:
        cells = sum(table.size for table in self.tables.values())
        return (
            f"NetworkCounts: {self.total:g} rows, "
            f"{pluralise(len(self.tables), 'node')}, "
            f"{pluralise(cells, 'count')}"
        )


def count_network(
    graph: GraphLike,
    data: Data,
    *,
    states: States | None = None,
    weights: Weights | None = None,
) -> NetworkCounts:
    """Count all families of a graph in one pass through the data.

    Parameters
    ----------
    graph : nx.DiGraph, BayesianNetwork, or text for `bayesbook.graphs.parse`
        Its nodes are the variables of the data. A network declares the
        states, too.
    data : DataFrame, Cases, iterable of DataFrames, or dask DataFrame
    states, weights
        See :class:`bayesbook.data.Cases`.

    Returns
    -------
    NetworkCounts

    Raises
    ------
    ProbabilityError
        If the data have a column that is not a node, or no column for a
        node; and as for `Cases`.
    TypeError
        If the graph is not a graph.
    GraphError
        If the graph has a cycle.
    TableTooLargeError
        If a node has too many parents.

    Examples
    --------
    >>> rows = pd.DataFrame({"A": [0, 0, 1], "B": [0, 1, 1]})
    >>> count_network("A -> B", rows).tables["B"]
    array([[1., 1.],
           [0., 1.]])
    """
    if states is None and isinstance(graph, BayesianNetwork):
        states = graph.states
    graph, parents = read_graph(graph)
    if isinstance(states, Mapping):
        _require_nodes(graph, states)
    # Before reading, since that would complain of states without a column.
    names = columns_of(data, weights)
    if names is not None:
        _require_columns(graph, names)
        _refuse_others(graph, names)
    cases = read_rows(data, states, weights)
    _require_columns(graph, cases.names)
    _refuse_others(graph, cases.names)
    families = [(*parents[node], node) for node in graph]
    tables = dict(zip(graph, cases.count(families), strict=True))
    node_states = {node: cases.states[node] for node in graph}
    return NetworkCounts(graph, node_states, parents, tables, cases.total)


def fit_parameters(
    graph: GraphLike,
    data: Data,
    *,
    pseudo_count: float | Mapping = 0,
    equivalent_sample_size: float | None = None,
    unseen: str = "error",
    states: States | None = None,
    weights: Weights | None = None,
    exact: bool = False,
    name: str = "",
) -> BayesianNetwork:
    """Learn the tables of a graph from complete rows.

    Parameters
    ----------
    graph : nx.DiGraph, BayesianNetwork, or text for `bayesbook.graphs.parse`
        A network declares the graph and the states; its numbers are not used.
        With a graph alone the states are those that occur in the data, or the
        categories of a column that is categorical.
    data : DataFrame, Cases, iterable of DataFrames, or dask DataFrame
        A column for each node, and no others: of more columns
        ``data[list(graph)]``.
    pseudo_count : number, or mapping of node to number or array
        Added to each count. 0, the default, is maximum likelihood; 1 is
        Laplace's rule and the prior of the score K2. An array has the shape
        of the node's table, (parents..., node).
    equivalent_sample_size : number, optional
        Instead of `pseudo_count`: the strength of the prior, as a number of
        rows, which are spread evenly over all cells of each table. The prior
        of the score BDeu.
    unseen : {"error", "uniform", "marginal"}
        What P(node | parents) is for states of the parents that no row has,
        if there is no pseudo-count either, where maximum likelihood does not
        determine it: an error; the uniform distribution; or the distribution
        of the node in all rows, whatever its parents.
    states : mapping of node to sequence of states, or a network, optional
        The states of some nodes or all, also of those that do not occur.
    weights : str, or sequence of numbers, optional
        See :class:`bayesbook.data.Cases`.
    exact : bool
        Whether the probabilities are fractions.
    name : str
        The name of the network.

    Returns
    -------
    BayesianNetwork
        Its nodes are in the order of the graph.

    Raises
    ------
    ProbabilityError, TypeError, GraphError, TableTooLargeError
        As for :func:`count_network`; if a pseudo-count is negative; and where
        maximum likelihood does not exist.

    Warns
    -----
    UserWarning
        If all rows have the same state of a node, and no states are declared.

    Examples
    --------
    >>> rows = pd.DataFrame({"rain": ["no", "no", "no"],
    ...                      "grass": ["dry", "wet", "dry"]})
    >>> states = {"rain": ("no", "yes")}
    >>> fit_parameters("rain -> grass", rows, states=states)
    Traceback (most recent call last):
    ...
    bayesbook.base.errors.ProbabilityError: No row has rain=yes, so the data \
say nothing about P(grass | rain=yes). Give pseudo-counts \
(equivalent_sample_size=1), or choose unseen="uniform" or unseen="marginal".
    >>> smooth = fit_parameters(
    ...     "rain -> grass", rows, states=states, pseudo_count=1, exact=True
    ... )
    >>> print(smooth.tables["grass"])
    P(grass | rain)
    rain  grass=dry  grass=wet
    no          3/5        2/5
    yes         1/2        1/2
    """
    counts = count_network(graph, data, states=states, weights=weights)
    if states is None and not isinstance(graph, BayesianNetwork):
        _warn_of_constants(counts.states)
    return counts.fit(
        pseudo_count=pseudo_count,
        equivalent_sample_size=equivalent_sample_size,
        unseen=unseen,
        exact=exact,
        name=name,
    )


def read_rows(
    data: Data,
    states: States | None,
    weights: Weights | None,
    missing: str = "error",
) -> Cases:
    """Read cases; the states may be those of a network."""
    return read_cases(
        data,
        states=cast(Any, states),
        weights=cast(Any, weights),
        missing=missing,
    )


def read_graph(
    graph: GraphLike,
) -> tuple[nx.DiGraph, dict[str, tuple[str, ...]]]:
    """Read a graph, and the parents of each node in a stable order."""
    if isinstance(graph, BayesianNetwork):
        return graph.graph, {node: graph.parents(node) for node in graph}
    if isinstance(graph, str):
        graph = parse(graph)
    if not isinstance(graph, nx.DiGraph):
        raise TypeError(
            "Give a directed graph, a network, or a text such as "
            f"'A -> B, B -> C', not {graph!r}."
        )
    check_dag(graph)
    graph = nx.freeze(graph.copy())
    # The order of the nodes, not that in which the edges were drawn.
    place = {node: i for i, node in enumerate(graph)}
    return graph, {
        node: tuple(sorted(graph.pred[node], key=place.__getitem__))
        for node in graph
    }


def require_unseen(unseen: str) -> None:
    """Check the choice for states of the parents that no row has."""
    if unseen not in UNSEEN:
        raise ProbabilityError(
            f"unseen must be one of {quoted_list(UNSEEN)}, not {unseen!r}."
            f"{did_you_mean(unseen, UNSEEN)}"
        )


def _sets(parents):
    return {node: set(own) for node, own in parents.items()}


def _require_nodes(graph, names):
    """Raise an error for states of what is not a node."""
    for name in names:
        if name not in graph:
            raise ProbabilityError(
                f"{name!r} is in the states, but is not a node of the graph, "
                f"whose nodes are {quoted_list(graph)}: leave it out, "
                f"or add it to the graph.{did_you_mean(name, graph)}"
            )


def _refuse_others(graph, names):
    """Raise an error for columns that are no nodes."""
    others = [name for name in names if name not in graph]
    if others:
        columns = "column" if len(others) == 1 else "columns"
        raise ProbabilityError(
            f"The data have the {columns} {quoted_list(others)}, and the "
            f"nodes of the graph are {quoted_list(graph)}: give the columns "
            "of the nodes only, data[list(graph)], or add nodes to the graph."
            f"{did_you_mean(others[0], graph)}"
        )


def _warn_of_constants(states):
    """Raise a warning if nodes may lack the states that do not occur."""
    constant = [name for name, own in states.items() if len(own) == 1]
    if constant:
        warnings.warn(
            f"All rows have the same state of {quoted_list(constant)}, which "
            "so has no other state. If there are others, declare them: give a "
            f"network instead of its graph, or states={{{constant[0]!r}: "
            "...}.",
            stacklevel=3,
        )


def _require_columns(graph, names):
    """Raise an error for a node without a column."""
    for node in graph:
        if node not in names:
            raise ProbabilityError(
                f"There is no column for the node {node!r} in the data; the "
                f"columns are {quoted_list(names)}. If it is never observed, "
                f"learn with fit_em(latent={{{node!r}: states}})."
                f"{did_you_mean(node, names)}"
            )


def read_prior(
    pseudo_count: float | Mapping, equivalent_sample_size: float | None
) -> Prior:
    """Return a number, a mapping, or a function of the shape of a table."""
    if equivalent_sample_size is not None:
        if not isinstance(pseudo_count, Mapping) and not pseudo_count:
            size = exact_weight(
                equivalent_sample_size, "The equivalent sample size"
            )
            return lambda shape: size / int(np.prod(shape))
        raise ProbabilityError(
            "Give either pseudo_count or equivalent_sample_size: both say how "
            "much is added to the counts."
        )
    if isinstance(pseudo_count, Mapping):
        return pseudo_count
    number = exact_weight(pseudo_count, "The pseudo-count")
    return lambda shape: number


def pseudo_counts(
    prior: Prior, node: str, shape: tuple[int, ...], exact: bool
) -> np.ndarray:
    """Return the numbers to add to the counts of a node."""
    if isinstance(prior, Mapping):
        added = np.asarray(prior.get(node, 0), dtype=object)
        if added.shape not in ((), shape):
            raise ProbabilityError(
                f"The pseudo-counts of {node!r} have the shape {added.shape}; "
                f"give one number, or an array of the shape {shape}: an axis "
                "for each parent, and the last for the node."
            )
        read = [
            exact_weight(number, f"A pseudo-count of {node!r}")
            for number in added.ravel()
        ]
        added = np.array([*read, None], dtype=object)[:-1].reshape(added.shape)
    else:
        added = np.array(prior(shape), dtype=object)
    return added if exact else added.astype(float)


def _divide(counts, axes, unseen):
    """Divide the counts by their sum, for each configuration of parents."""
    totals = counts.sum(axis=-1, keepdims=True)
    is_unseen = totals == 0
    if is_unseen.any():
        where = tuple(np.argwhere(is_unseen)[0][:-1].tolist())
        totals = np.where(is_unseen, 1, totals)
        counts = np.where(
            is_unseen,
            _unseen_distribution(counts, axes, where, unseen),
            counts,
        )
    return counts / totals


def _unseen_distribution(counts, axes, where, unseen):
    """Return the distribution given states of the parents without a row."""
    n_states = counts.shape[-1]
    one = Fraction(1) if counts.dtype == object else 1.0
    marginal = counts.reshape(-1, n_states).sum(axis=0)
    if unseen == "uniform" or (unseen == "marginal" and not marginal.sum()):
        return np.array([one / n_states] * n_states)
    if unseen == "marginal":
        return marginal / marginal.sum()
    *parents, node = axes
    given = say(states_at({name: axes[name] for name in parents}, where))
    raise ProbabilityError(
        f"No row has {given}, so the data say nothing about "
        f"P({node} | {given}). Give pseudo-counts (equivalent_sample_size=1), "
        'or choose unseen="uniform" or unseen="marginal".'
    )


def _fractions(counts):
    """Return counts, which floats represent exactly, as fractions."""
    exact = [Fraction(number) for number in counts.ravel().tolist()]
    return np.array([*exact, None], dtype=object)[:-1].reshape(counts.shape)
