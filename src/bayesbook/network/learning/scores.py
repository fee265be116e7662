r"""Scores: how good a graph is for some data.

.. math:: s(G) = \sum_{i=1}^n s\bigl(x_i, \mathrm{pa}(i)\bigr)

Every score here is *decomposable*: a sum with one term for each node, which
depends on the node, on its parents and on nothing else of the graph. That is
what makes searching possible. A change of one edge changes one term, or two if
the edge is reversed; and a term that was computed once can be remembered.

>>> import pandas as pd
>>> rows = pd.DataFrame({"rain": ["no", "no", "no", "yes", "yes", "no"] * 9,
...                      "grass": ["dry", "dry", "dry", "wet", "wet", "wet"]
...                      * 9})
>>> score = BIC(rows)
>>> print(f"{score.total('rain, grass'):.2f}")
-75.79
>>> print(f"{score.total('rain -> grass'):.2f}")
-60.60
>>> print(f"{score.delta('rain, grass', Move('add', 'rain', 'grass')):.2f}")
15.19

**The larger, the better.** All scores are in nats, and are to be maximised.
Some sources minimise instead. Zhou (2016), section 7.5.2, writes

.. math:: s(B \mid D) = f(\theta)\,|B| - \mathrm{LL}(B \mid D),

where LL is the log-likelihood of the data with the best parameters, \|B\| the
number of free parameters, and :math:`f(\theta)` how many nats describe one of
them: 1 for AIC, :math:`\frac12 \log m` with m rows for BIC, which is then also
called MDL, and 0 for the log-likelihood alone. Ours are the negatives of
these,

.. math:: -s(B \mid D) = \mathrm{LL}(B \mid D) - f(\theta)\,|B|.

Where others speak of twice this, or of minus twice this, as Akaike (1974) and
R do, only numbers change and not which graph is the best.

With the counts :math:`N_{ijk}` of the rows in which node i is in its state k
and its parents are in their configuration j, and
:math:`N_{ij} = \sum_k N_{ijk}`,

.. math::

    \mathrm{LL}(B \mid D)
        = \sum_i \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}},
    \qquad |B| = \sum_i q_i (r_i - 1),

where node i has :math:`r_i` states and its parents have :math:`q_i`
configurations, whether seen or not.

References
----------
Akaike (1974), A new look at the statistical model identification. Schwarz
(1978), Estimating the dimension of a model. Rissanen (1978), Modeling by
shortest data description. Cooper and Herskovits (1992), A Bayesian method for
the induction of probabilistic networks from data. Heckerman, Geiger and
Chickering (1995), Learning Bayesian networks: the combination of knowledge
and statistical data. Zhou (2016), *Machine Learning* (in Chinese), section
7.5.2. Koller and Friedman (2009), *Probabilistic Graphical Models*, section
18.3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log, prod

import networkx as nx
import numpy as np
from scipy.special import gammaln, xlogy

from bayesbook import graphs
from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.labels import require_size
from bayesbook.base.names import (
    alphabetical,
    did_you_mean,
    pluralise,
    quoted_list,
)
from bayesbook.base.numbers import as_float
from bayesbook.data import read_cases
from bayesbook.network.learning.parameters import read_graph
from bayesbook.network.learning.search_path import Move

__all__ = [
    "AIC",
    "BIC",
    "K2",
    "BDeu",
    "LogLikelihood",
    "Move",
    "Score",
    "read_score",
]

_FEW = "Limit how many parents a node may have, max_parents=3, say."
# So many cells of tables are held at a time.
_CELLS = 2**22
# Sums of so many nats are off by less than this part of them.
_ROUNDING = 1e-12


class Score:
    """A decomposable score of graphs for some data; see its subclasses.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, or iterable of DataFrames
        Discrete columns without gaps; see :class:`bayesbook.data.Cases`.
    **reading
        `states` and `weights`, as there.

    Attributes
    ----------
    cases : Cases
        The rows, read.
    names : tuple of str
        The columns: the nodes of the graphs.
    price : float or None
        What a free parameter costs, in nats: the f of the sources; None for
        BDeu and K2.
    n_counted : int
        How many families, nodes with sets of parents, have been counted so
        far. A family that was is remembered.
    rounding : float
        Two scores that differ by less are equal but for roundings.
    is_score_equivalent : bool
        Whether Markov equivalent graphs have equal scores.

    Raises
    ------
    ProbabilityError
        As for the cases; and if a value is missing.

    Notes
    -----
    A subclass has a price, or says in ``_score_rows`` what each configuration
    of the parents adds.
    """

    # What results call it.
    name = "score"
    # In nats, what a free parameter costs: the f of the sources. None if the
    # score is no likelihood minus a price.
    price: float | None = 0.0
    is_score_equivalent = True

    def __init__(self, data, **reading):
        self.data = data
        self.cases = read_cases(data, **reading)
        if self.cases.has_missing:
            raise ProbabilityError(
                "Values are missing, and a score needs complete rows: leave "
                "incomplete rows out, or fill the gaps; with a known graph "
                "fit_em learns from what is there."
            )
        self.names = self.cases.names
        self.n_counted = 0
        size = max(self.cases.total, 2.0)
        self.rounding = _ROUNDING * size * log(size)
        states = zip(self.names, self.cases.n_states, strict=True)
        self._n_states = dict(states)
        ranks = sorted(self.names, key=alphabetical)
        self._rank = {name: rank for rank, name in enumerate(ranks)}
        self._known = {}

    # -- what searches ask for --------------------------------------------

    def local(self, node: str, parents: Collection[str] = ()) -> float:
        """Return the term of one node.

        Parameters
        ----------
        node : str
        parents : collection of str
            In any order.

        Returns
        -------
        float

        Raises
        ------
        ProbabilityError
            If there is no such column, or a node is its own parent.
        TableTooLargeError
            If the table of the node and its parents would be too large.
        """
        return float(self.locals(node, [parents])[0])

    def locals(
        self, node: str, parent_sets: Iterable[Collection[str]]
    ) -> np.ndarray:
        """Return the terms of one node with several sets of parents.

        All that are not known yet are counted in one pass over the rows.

        Parameters
        ----------
        node : str
        parent_sets : iterable of collections of str

        Returns
        -------
        array of floats, one for each set of parents

        Raises
        ------
        ProbabilityError, TableTooLargeError
            As for :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 0, 1, 1]})
        >>> LogLikelihood(rows).locals("B", [(), ("A",)]).round(4) + 0.0
        array([-2.7726,  0.    ])
        """
        families = [(node, self._set(own)) for own in parent_sets]
        self.prepare(families)
        return np.array([self._known[family] for family in families])

    def prepare(self, families: Iterable[tuple[str, Collection[str]]]) -> None:
        """Count many families in one pass over the rows, and remember them.

        :meth:`local` and :meth:`locals` answer at once afterwards. It pays
        where a pass is dear: with rows on a disk, or on other machines.

        Parameters
        ----------
        families : iterable of (node, collection of parents)

        Raises
        ------
        ProbabilityError, TableTooLargeError
            As for :meth:`local`.
        """
        families = ((node, self._set(parents)) for node, parents in families)
        new = dict.fromkeys(
            family for family in families if family not in self._known
        )
        for node, parents in new:
            self._require(node, parents)
            shape = [self._n_states[name] for name in (node, *parents)]
            require_size(shape, "float", f"The table of {node!r}", remedy=_FEW)
        for part in self._affordable(new):
            self._count(part)

    def penalty(self, node: str, parents: Collection[str] = ()) -> float:
        """Say what the score takes off the log-likelihood of one node.

        The price of its parameters; of a probability of the data, which has
        no price for parameters, how far it is below the likelihood.

        Parameters and errors are those of :meth:`local`.
        """
        if self.price is not None:
            return self.price * self.n_parameters(node, parents)
        family = (node, self._set(parents))
        score = self.local(*family)
        (table,) = self._tables([family])
        likelihoods = _log_likelihoods(table, table.sum(axis=1))
        return float(likelihoods.sum()) - score

    def n_parameters(self, node: str, parents: Collection[str] = ()) -> int:
        """Count the free parameters of P(node | parents), q (r - 1).

        Parameters and errors are those of :meth:`local`.
        """
        parents = self._set(parents)
        self._require(node, parents)
        return self._n_configurations(parents) * (self._n_states[node] - 1)

    def total(self, graph) -> float:
        """Return the score of a graph.

        Parameters
        ----------
        graph : networkx.DiGraph, BayesianNetwork or str
            All columns are its nodes. A text is read by
            :func:`bayesbook.graphs.parse`.

        Returns
        -------
        float

        Raises
        ------
        GraphError
            If it has a cycle, or its nodes are not the columns.
        ProbabilityError
            If it is no graph.
        TableTooLargeError
            As for :meth:`local`.
        """
        graph = read_nodes(graph, self.names)
        families = [(node, frozenset(graph.pred[node])) for node in graph]
        self.prepare(families)
        # The order of the sum is that of the names, whatever the graph's.
        families.sort(key=lambda family: self._rank[family[0]])
        return sum(self._known[family] for family in families)

    def delta(self, graph, move: Move | tuple[str, str, str]) -> float:
        """Say by how much a change of one edge betters a graph.

        Parameters
        ----------
        graph : networkx.DiGraph, BayesianNetwork or str
            As for :meth:`total`.
        move : Move, or a tuple of its kind, tail and head

        Returns
        -------
        float
            The difference of one term, or of two if the edge is reversed.

        Raises
        ------
        GraphError
            As for :meth:`total`; and if the move is not possible, or makes a
            cycle.
        """
        graph = read_nodes(graph, self.names)
        move = Move(*move)
        for node in (move.tail, move.head):
            require_node(node, self.names)
        changed = nx.DiGraph(graph)
        move.apply(changed)
        graphs.check_dag(changed)
        heads = move[1:] if move.kind == "reverse" else move[2:]
        return sum(
            self.local(node, changed.pred[node])
            - self.local(node, graph.pred[node])
            for node in heads
        )

    def __repr__(self) -> str:
        rows = pluralise(self.cases.n_rows, "row")
        columns = pluralise(len(self.names), "column")
        return f"{type(self).__name__} of {rows} and {columns}"

    # -- how families are counted -----------------------------------------

    def _set(self, parents):
        if isinstance(parents, frozenset):
            return parents
        # One name is meant as that name, not as its letters.
        return frozenset([parents] if isinstance(parents, str) else parents)

    def _require(self, node, parents):
        for name in (node, *parents):
            if name not in self._n_states:
                raise ProbabilityError(
                    f"{name!r} is not a column of the data; the columns are "
                    f"{quoted_list(self.names)}.{did_you_mean(name, self.names)}"
                )
        if node in parents:
            raise ProbabilityError(f"{node!r} is a parent of itself.")

    def _n_configurations(self, parents):
        return prod(self._n_states[name] for name in parents)

    def _affordable(self, families) -> Iterator[list]:
        """Part families so that their tables fit into memory together."""
        part, cells = [], 0
        for node, parents in families:
            own = self._n_configurations(parents) * self._n_states[node]
            if part and cells + own > _CELLS:
                yield part
                part, cells = [], 0
            part.append((node, parents))
            cells += own
        if part:
            yield part

    def _tables(self, families):
        """Count; a row for each configuration, a column for each state."""
        # The parents come in the order of their names, so that sums are
        # rounded alike whatever the order of the columns.
        ordered = [
            (*sorted(parents, key=self._rank.get), node)
            for node, parents in families
        ]
        return [
            table.reshape(-1, table.shape[-1])
            for table in self.cases.count(ordered)
        ]

    def _count(self, families):
        """Score families; those with as many states are done together."""
        tables = self._tables(families)
        self.n_counted += len(families)
        price = self.price or 0.0
        by_states = {}
        for family, table in zip(families, tables, strict=True):
            by_states.setdefault(table.shape[1], []).append((family, table))
        for n_states, group in by_states.items():
            n_free = n_states - 1
            own = [family for family, _ in group]
            scores = self._score_all([table for _, table in group])
            for (node, parents), score in zip(own, scores, strict=True):
                size = self._n_configurations(parents) * n_free
                self._known[node, parents] = float(score) - price * size

    def _score_all(self, tables: Sequence[np.ndarray]) -> np.ndarray:
        """Put tables under each other, score the rows, and add them up."""
        lengths = [len(table) for table in tables]
        starts = np.concatenate([[0], np.cumsum(lengths[:-1], dtype=int)])
        counts = np.concatenate(tables)
        n_rows = np.repeat(lengths, lengths)
        return np.add.reduceat(self._score_rows(counts, n_rows), starts)

    def _score_rows(self, counts, n_rows) -> np.ndarray:
        """Score each row of tables: a configuration of the parents.

        Parameters
        ----------
        counts : array of shape (R, r)
            The rows of several tables under each other.
        n_rows : int array of shape (R,)
            How many rows the table has that a row is of.

        Returns
        -------
        array of shape (R,)
        """
        return _log_likelihoods(counts, counts.sum(axis=1))


class LogLikelihood(Score):
    r"""The log-likelihood with the best parameters, without a penalty.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}}

    It is minus m times the empirical entropy of the node given its parents.
    A further parent never lowers it, so that no graph is better than a
    complete one: alone, it overfits, and a search that maximises it adds
    edges until the tables fill the memory; with more than a few columns give
    it `max_parents`. In the sources it is minus the score with f = 0.

    Parameters and attributes are those of :class:`Score`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
    >>> score = LogLikelihood(rows)
    >>> score.total("A -> B") > score.total("A, B")
    True
    """

    name = "log-likelihood"


class AIC(Score):
    r"""Akaike's information criterion: a nat for each free parameter.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}} - q_i (r_i - 1)

    In the sources it is minus the score with f = 1; Akaike (1974) and R have
    minus twice ours.

    Parameters and attributes are those of :class:`Score`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
    >>> AIC(rows).penalty("B", "A")
    2.0
    """

    name = "AIC"
    price = 1.0


class BIC(Score):
    r"""The Bayesian information criterion, which is minus the MDL.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}}
        - \frac{\log m}{2} q_i (r_i - 1)

    In the sources it is minus the score with f = ½ log m, where m is how many
    rows there are, or the sum of their weights. For large m it is the
    logarithm of the probability of the data given the graph, but for what
    does not grow with m (Schwarz 1978); and it is minus the length, in nats,
    of a description of the parameters and then of the data (Rissanen 1978).

    Parameters and attributes are those of :class:`Score`.

    Raises
    ------
    ProbabilityError
        As for :class:`Score`; and if the weights sum to less than 1, so that
        a parameter would cost less than nothing.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
    >>> print(f"{BIC(rows).penalty('B', 'A'):.4f}")  # 2 × ½ log 4
    1.3863
    """

    name = "BIC"

    def __init__(self, data, **reading):
        super().__init__(data, **reading)
        if self.cases.total < 1:
            raise ProbabilityError(
                f"The weights sum to {self.cases.total:g}: less than one row, "
                "so that the price ½ log m of a parameter would be negative. "
                "Give weights that sum to how many rows they stand for."
            )
        self.price = log(self.cases.total) / 2


class BDeu(Score):
    r"""The probability of the data given the graph, with even priors.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \Bigl[
        \log \frac{\Gamma(\alpha_{ij})}{\Gamma(\alpha_{ij} + N_{ij})}
        + \sum_k \log \frac{\Gamma(\alpha_{ijk} + N_{ijk})}
                           {\Gamma(\alpha_{ijk})} \Bigr],
        \qquad \alpha_{ijk} = \frac{\alpha}{q_i r_i},
        \quad \alpha_{ij} = \frac{\alpha}{q_i}

    Its name says all of it: Bayesian, with Dirichlet priors, likelihood
    equivalent, uniform (Buntine 1991; Heckerman, Geiger and Chickering
    1995). All parameters are integrated out, so that there is no penalty to
    choose; but the equivalent sample size :math:`\alpha` is chosen, and the
    number of edges grows with it. It is to be maximised as it stands.

    Parameters
    ----------
    data, **reading
        See :class:`Score`.
    equivalent_sample_size : float
        Positive: how many rows the prior is worth.

    Attributes
    ----------
    equivalent_sample_size : float
    cases, names, price, n_counted, rounding, is_score_equivalent
        See :class:`Score`.

    Examples
    --------
    With one equivalent row, half of it on each side of a coin, the first toss
    is heads with probability ½, and the second like the first with ¾.

    >>> import pandas as pd
    >>> tosses = pd.DataFrame({"coin": ["heads", "heads"]})
    >>> score = BDeu(tosses, 1, states={"coin": ("heads", "tails")})
    >>> print(f"{np.exp(score.local('coin')):.4f}")
    0.3750
    """

    name = "BDeu"
    price = None

    def __init__(self, data, equivalent_sample_size: float = 1.0, **reading):
        self.equivalent_sample_size = as_float(
            equivalent_sample_size, "The equivalent sample size", 0, open_=True
        )
        super().__init__(data, **reading)

    def _score_rows(self, counts, n_rows):
        per_row = self.equivalent_sample_size / n_rows
        return _log_evidence(counts, per_row / counts.shape[1], per_row)


class K2(Score):
    r"""The probability of the data given the graph, with uniform distributions.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \Bigl[ \log \frac{(r_i - 1)!}{(N_{ij} + r_i - 1)!}
        + \sum_k \log N_{ijk}! \Bigr]

    Every distribution of the node given its parents is as probable as any
    other: :math:`\alpha_{ijk} = 1` (Cooper and Herskovits 1992). More parents
    mean more pseudo-counts in all, so that Markov equivalent graphs can differ
    in their scores. It is to be maximised as it stands.

    Parameters and attributes are those of :class:`Score`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 0, 1], "B": [0, 1, 2, 2]})
    >>> score = K2(rows)
    >>> print(f"{score.total('A -> B'):.3f} {score.total('A <- B'):.3f}")
    -8.189 -8.371
    """

    name = "K2"
    price = None
    is_score_equivalent = False

    def _score_rows(self, counts, n_rows):
        per_cell = np.ones(len(counts))
        return _log_evidence(counts, per_cell, per_cell * counts.shape[1])


#: The scores that have a name.
SCORES = {
    "log-likelihood": LogLikelihood,
    "aic": AIC,
    "bic": BIC,
    "mdl": BIC,
    "bdeu": BDeu,
    "k2": K2,
}


def read_score(data, score: str | Score) -> Score:
    """Return the score that a search is to maximise.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, iterable of DataFrames, or None
        What is scored; None if `score` has data already.
    score : str or Score
        "log-likelihood", "aic", "bic", "mdl" (which is "bic"), "bdeu" with
        one equivalent row, "k2"; or a score that was made of these data,
        whose counts are then used again.

    Returns
    -------
    Score

    Raises
    ------
    ProbabilityError
        If there is no such score, or it was made of other data.
    """
    if isinstance(score, Score):
        if not any(data is own for own in (None, score.data, score.cases)):
            raise ProbabilityError(
                f"The score was made of other data: {score!r}. Give the same "
                "object twice, or None as the data."
            )
        return score
    if not isinstance(score, str) or score.casefold() not in SCORES:
        raise ProbabilityError(
            f"There is no score {score!r}; there are {quoted_list(SCORES)}, "
            "and objects such as BDeu(data, equivalent_sample_size=10)."
            f"{did_you_mean(score, SCORES)}"
        )
    return SCORES[score.casefold()](data)


def read_nodes(graph, names: Collection[str]) -> nx.DiGraph:
    """Read a DAG whose nodes are the columns."""
    graph, _ = read_graph(graph)
    for node in graph:
        require_node(node, names)
    missing = sorted(set(names) - set(graph), key=alphabetical)
    if missing:
        raise GraphError(
            f"The graph lacks the columns {quoted_list(missing)}: add them as "
            "nodes, if need be without edges, or leave them out of the data."
        )
    return graph


def require_node(node, names, what=""):
    if node not in names:
        raise GraphError(
            f"{what}{node!r} is not a column of the data; the columns are "
            f"{quoted_list(names)}.{did_you_mean(node, names)}"
        )


def _log_likelihoods(counts, n):
    """Return sum_k N_jk log(N_jk / N_j) of each row."""
    return xlogy(counts, counts).sum(axis=1) - xlogy(n, n)


def _log_evidence(counts, per_cell, per_row):
    """Return the log-probability of each row with Dirichlet priors.

    The ratio of gammas is 1 where nothing was counted, which is most of a
    large table.
    """
    result = np.zeros(len(counts))
    n = counts.sum(axis=1)
    rows = np.flatnonzero(n)
    counts, n = counts[rows], n[rows]
    cells, alpha = per_cell[rows, None], per_row[rows]
    ratios = gammaln(cells + counts) - gammaln(cells)
    result[rows] = ratios.sum(axis=1) + gammaln(alpha) - gammaln(alpha + n)
    return result
