r"""Bayesian networks: a graph, and a table of each node given its parents.

.. math:: P(x_1, \dots, x_n)
    = \prod_{i=1}^n P\bigl(x_i \mid x_{\mathrm{pa}(i)}\bigr)

>>> sprinkler = BayesianNetwork.from_cpts(
...     {"rain": ("no", "yes"), "sprinkler": ("off", "on"),
...      "grass": ("dry", "wet")},
...     {"rain": ["4/5", "1/5"],
...      ("sprinkler", "rain"): [["3/5", "2/5"], ["9/10", "1/10"]],
...      ("grass", "rain", "sprinkler"): [[[1, 0], ["1/10", "9/10"]],
...                                       [["1/5", "4/5"], [0, 1]]]},
...     name="lawn",
... )
>>> sprinkler
BayesianNetwork 'lawn': 3 nodes, 3 edges, 7 free parameters
P(rain)
P(sprinkler | rain)
P(grass | rain, sprinkler)
>>> print(sprinkler.P({"rain": "no", "sprinkler": "on", "grass": "wet"}))
36/125

The definitions are those of Pearl (1988), section 3.3, and of Koller and
Friedman (2009), chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from math import prod
from typing import Self

import numpy as np
import pandas as pd

from bayesbook.base import GraphError, ProbabilityError, TableTooLargeError
from bayesbook.base.labels import read_states, require_size
from bayesbook.base.names import and_list, did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import SMALLEST, as_int, logs_of
from bayesbook.base.randomness import as_rng
from bayesbook.graphs import chain_rule
from bayesbook.graphs.factorisation import draw_codes
from bayesbook.network._model_tables import read_tables
from bayesbook.network.ancestral import frame_of, require_draws
from bayesbook.network.evidence import (
    EvidenceLike,
    read_assignment,
    read_columns,
    require_node,
)
from bayesbook.network.inference.junction_tree import JunctionTree
from bayesbook.network.inference.most_probable import (
    MostProbable,
    most_probable_of,
)
from bayesbook.network.posteriors import Posteriors
from bayesbook.network.tabular import TabularNetwork
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State

__all__ = ["BayesianNetwork"]

# How many factors are shown of a large network.
_SHOWN = 12


class BayesianNetwork(TabularNetwork):
    """A directed acyclic graph with a conditional table for each node.

    Parameters
    ----------
    tables : iterable of Table
        One for each node, in any order: P(node), or P(node | parents). The
        graph is read off them.
    name : str
        A label for readers.

    Raises
    ------
    TypeError
        If something else than tables is given.
    ProbabilityError
        If there is no table, a table has several variables in front of its
        bar or is a distribution given evidence, a node has two tables or none,
        or the states of a parent are not those that its own table has.
    GraphError
        If the tables are conditioned on each other in a circle.

    See Also
    --------
    BayesianNetwork.from_cpts : from states and nested lists.
    bayesbook.network.load_network : networks that come with the library.

    Notes
    -----
    A network cannot be changed. Two networks are equal if they have the same
    nodes and equal tables, whatever their names and orders are.

    Examples
    --------
    >>> rain = Table(["4/5", "1/5"], {"rain": ("no", "yes")})
    >>> street = Table(
    ...     [["9/10", "1/10"], [0, 1]],
    ...     {"rain": ("no", "yes"), "street": ("dry", "wet")},
    ...     given=["rain"],
    ... )
    >>> network = BayesianNetwork([rain, street], name="street")
    >>> network
    BayesianNetwork 'street': 2 nodes, 1 edge, 3 free parameters
    P(rain)
    P(street | rain)
    >>> print(network.P({"rain": "no", "street": "wet"}))
    2/25
    >>> network.query("rain", given={"street": "wet"})
    P(rain | street=wet)
    rain=no  rain=yes
     0.2857    0.7143
    """

    __slots__ = ()

    @classmethod
    def from_cpts(
        cls,
        states: Mapping[str, Sequence[State]],
        cpts: Mapping[str | tuple[str, ...], Sequence | np.ndarray],
        *,
        name: str = "",
    ) -> Self:
        """Build a network from states and nested lists of numbers.

        Parameters
        ----------
        states : mapping of node to sequence of states
            A text such as "HT" stands for its letters, unless it is a word.
        cpts : mapping
            The key of a node without parents is its name, that of another
            the tuple of the node and its parents. The axes of the numbers
            are the parents in this order, and then the node, so that each
            innermost list sums to one.
        name : str

        Returns
        -------
        BayesianNetwork
            Its nodes are in the order of `states`.

        Raises
        ------
        TypeError
            If `cpts` is not a mapping.
        ProbabilityError, GraphError
            As for the tables and the network; and if a node of `states` has
            no numbers, or numbers are about a node without states.

        Examples
        --------
        >>> copy = BayesianNetwork.from_cpts(
        ...     {"X": (0, 1), "Y": (0, 1)},
        ...     {"X": [0.5, 0.5], ("Y", "X"): [[1, 0], [0, 1]]},
        ... )
        >>> copy.parents("Y")
        ('X',)
        """
        states = read_states(states)
        if not isinstance(cpts, Mapping):
            raise TypeError(
                "Give the numbers as a dictionary from a node, or the tuple "
                f"of a node and its parents, to nested lists, not {cpts!r}."
            )
        tables = {}
        for key, values in cpts.items():
            if not isinstance(key, str | tuple) or not key:
                raise ProbabilityError(
                    f"The key {key!r} names no node; write 'X', or "
                    "('X', 'parent', ...)."
                )
            node, *parents = (key,) if isinstance(key, str) else key
            for one in (node, *parents):
                if one not in states:
                    raise ProbabilityError(
                        f"The table of {key!r} needs the states of {one!r}; "
                        f"there are states for {quoted_list(states)}."
                        f"{did_you_mean(one, states)}"
                    )
            if node in tables:
                raise ProbabilityError(f"There are two tables for {node!r}.")
            if node in parents:
                raise GraphError(f"{node!r} is a parent of itself.")
            axes = {one: states[one] for one in (*parents, node)}
            if len(axes) <= len(parents):
                raise ProbabilityError(
                    f"The table of {key!r} names a parent twice."
                )
            try:
                tables[node] = Table(values, axes, given=parents)
            except TableTooLargeError:
                raise
            except ProbabilityError as error:
                raise ProbabilityError(
                    f"The table of {node!r}: {error}"
                ) from None
        for node in states:
            if node not in tables:
                raise ProbabilityError(
                    f"There is no table for {node!r}; give cpts[{node!r}], "
                    f"or cpts[({node!r}, ...)] with its parents."
                )
        return cls((tables[node] for node in states), name=name)

    def replace(self, *tables: Table, name: str | None = None) -> Self:
        """Return a network in which some nodes have another table.

        Parameters
        ----------
        *tables : Table
            The new P(node | parents); the parents may be others.
        name : str, optional

        Returns
        -------
        BayesianNetwork

        Raises
        ------
        TypeError, ProbabilityError, GraphError
            As for the network; and if the target of a table is not one of its
            nodes.

        Examples
        --------
        >>> coin = BayesianNetwork([Table([0.5, 0.5], {"coin": "HT"})])
        >>> bent = coin.replace(Table([0.9, 0.1], {"coin": "HT"}))
        >>> print(bent.P({"coin": "H"}))
        0.9
        """
        new = {}
        for table in read_tables(tables) if tables else ():
            node = table.targets[0]
            require_node(self, node)
            if node in new:
                raise ProbabilityError(f"There are two tables for {node!r}.")
            new[node] = table
        name = self._name if name is None else name
        return type(self)({**self._tables, **new}.values(), name=name)

    # -- probabilities ----------------------------------------------------

    def P(  # noqa: N802 (the name that the field gives it)
        self, assignment: Mapping[str, State]
    ) -> Fraction | float:
        """Return the joint probability of a state for every node.

        Parameters
        ----------
        assignment : mapping of node to state
            Complete.

        Returns
        -------
        Fraction or float
            The product of one number of each table; exact if the tables are.
            A float is zero only if the row is impossible.

        Raises
        ------
        TypeError
            If the assignment is not a mapping.
        ProbabilityError
            If a node or a state is unknown, or a node has no state.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = load_network("asia")
        >>> print(asia.P(dict.fromkeys(asia.nodes, "no")))
        1161447903/4000000000
        """
        codes = read_assignment(self, assignment)
        numbers = [
            table.values[tuple(codes[name] for name in table.variables)]
            for table in self._tables.values()
        ]
        p = prod(numbers, start=Fraction(1))
        # What is possible does not become zero; `log_prob` has its digits.
        return p if p or not all(numbers) else SMALLEST

    def log_prob(self, rows: pd.DataFrame | Mapping) -> np.ndarray | float:
        """Return the logarithm of the joint probability of complete rows.

        Parameters
        ----------
        rows : DataFrame, or mapping of node to state
            A column of states for each node; one row if it is a mapping, or
            a row of a frame.

        Returns
        -------
        array of shape (n_rows,), or float
            Minus infinity where the probability is zero.

        Raises
        ------
        TypeError
            If `rows` is neither a data frame nor a mapping.
        ProbabilityError
            If a column is missing or is not a node, or a value is missing or
            is not a state of it. For rows with missing values there is
            :meth:`bayesbook.network.JunctionTree.batch`.

        Examples
        --------
        >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
        >>> coin.log_prob(pd.DataFrame({"coin": ["H", "T"]})).round(4)
        array([-1.3863, -0.2877])
        """
        if not isinstance(rows, pd.DataFrame | pd.Series | Mapping):
            raise TypeError(
                "Give a data frame, or a dictionary of one state for each "
                f"node, not {type(rows).__name__}."
            )
        if not isinstance(rows, pd.DataFrame):
            row = read_assignment(self, rows)
            codes = {name: np.array([code]) for name, code in row.items()}
            return float(self._log_prob(codes, 1)[0])
        codes = read_columns(self, rows, complete=True)
        return self._log_prob(codes, len(rows))

    def _log_prob(self, codes, n_rows):
        total = np.zeros(n_rows)
        for table in self._tables.values():
            cell = np.zeros(n_rows, dtype=np.intp)
            for name, size in zip(table.variables, table.shape, strict=True):
                cell *= size
                cell += codes[name]
            total += logs_of(table.values).ravel()[cell]
        return total

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> pd.DataFrame:
        """Draw rows, each node after its parents: ancestral sampling.

        Parameters
        ----------
        size : int
            How many rows.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        DataFrame, `size` rows
            A categorical column for each node, with all its states.

        Raises
        ------
        ProbabilityError
            If `size` is not a whole number, at least 0.
        TableTooLargeError
            If the draws would need more than `MAX_BYTES`.

        Examples
        --------
        >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
        >>> print(coin.sample(10_000, rng=1)["coin"].value_counts()["T"])
        7509
        """
        size = as_int(size, "The number of rows", 0)
        rng = as_rng(rng)
        # Of the type that pandas stores, so that it need not copy.
        dtype = np.min_scalar_type(-max(map(len, self._states.values())))
        # The codes; and the floats and integers that drawing a node needs.
        row = len(self) * dtype.itemsize + 5 * 8
        require_draws(size, len(self), size * row, "Draw fewer rows.")
        codes: dict[str, np.ndarray] = {}
        for node in self._order:
            drawn = draw_codes(self._tables[node], codes, size, rng)
            codes[node] = drawn[node].astype(dtype)
        in_order = {node: codes[node] for node in self._nodes}
        return frame_of(self._states, in_order)

    def to_table(self, *, max_bytes: int = MAX_BYTES) -> Table:
        """Return the joint distribution of a small network as one table.

        Parameters
        ----------
        max_bytes : int
            A larger table is refused.

        Returns
        -------
        Table
            With the nodes as axes, in their order.

        Raises
        ------
        TableTooLargeError
            If the table would need more than `max_bytes`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> load_network("five").to_table().shape
        (2, 2, 2, 2, 2)
        """
        shape = [len(states) for states in self._states.values()]
        require_size(
            shape,
            "fraction" if self.is_exact else "float",
            "The joint table",
            max_bytes,
            "Compute what you need with a JunctionTree.",
        )
        tables = (self._tables[node] for node in self._order)
        joint = chain_rule(tables, max_bytes=max_bytes)
        return joint.transpose(*self._nodes)

    # -- queries ----------------------------------------------------------

    def __getitem__(self, node: str) -> Table:
        """Return the table of a node: ``network["lung"]``."""
        require_node(self, node)
        return self._tables[node]

    def query(
        self,
        nodes: str | Iterable[str],
        given: EvidenceLike | None = None,
    ) -> Table:
        """Return the distribution of one or several nodes given evidence.

        Parameters
        ----------
        nodes : str or iterable of str
            None of them observed.
        given : mapping, optional
            From a node to its state, or to a likelihood for each of its
            states (soft evidence).

        Returns
        -------
        Table
            The joint distribution of the nodes, with floats. Fractions are
            computed by :func:`~bayesbook.network.eliminate`.

        Raises
        ------
        TypeError
            If the evidence is not a mapping.
        ProbabilityError
            If a node or a state is unknown, no node is named, or one of the
            nodes is observed.
        ZeroProbabilityError
            If the evidence is impossible.
        TableTooLargeError
            If the tables would need more than `MAX_BYTES`;
            :class:`~bayesbook.network.JunctionTree` has another limit.

        Notes
        -----
        The first query with evidence on a set of nodes compiles a junction
        tree for it; the network keeps the tree, so that later ones are fast.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = load_network("asia")
        >>> asia.query("lung", given={"xray": "yes"})
        P(lung | xray=yes)
        lung=yes  lung=no
          0.4887   0.5113
        >>> asia.query(["lung", "bronc"], given={"dysp": "yes"})
        P(lung, bronc | dysp=yes)
        lung  bronc=yes  bronc=no
        yes      0.0650    0.0377
        no       0.7689    0.1283
        """
        return self._junction_tree().joint(nodes, given)

    def posteriors(self, given: EvidenceLike | None = None) -> Posteriors:
        """Return the distribution of every node given evidence.

        Parameters
        ----------
        given : mapping, optional
            As in :meth:`query`.

        Returns
        -------
        Posteriors
            A mapping of node to Table. An observed node has its state with
            probability one.

        Raises
        ------
        TypeError, ProbabilityError, ZeroProbabilityError, TableTooLargeError
            As in :meth:`query`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> found = load_network("asia").posteriors({"xray": "yes"})
        >>> found["tub"]
        P(tub | xray=yes)
        tub=yes  tub=no
         0.0924  0.9076
        >>> print(f"{found.evidence_probability:.4f}")
        0.1103
        """
        return self._junction_tree().posteriors(given)

    def most_probable(
        self,
        nodes: str | Iterable[str] | None = None,
        given: EvidenceLike | None = None,
    ) -> MostProbable:
        """Return the most probable states of some nodes, or of all, together.

        Of all nodes they are the most probable explanation (MPE), of some the
        maximum a posteriori (MAP) assignment: the other nodes are summed out
        first. In general they are not the most probable state of each node
        alone.

        Parameters
        ----------
        nodes : str or iterable of str, optional
            By default all nodes.
        given : mapping, optional
            As in :meth:`query`.

        Returns
        -------
        MostProbable
            Of several with the same probability, one of them.

        Raises
        ------
        TypeError, ProbabilityError, ZeroProbabilityError
            As in :meth:`query`; but nodes may be observed.
        TableTooLargeError
            If the tables would need more than `MAX_BYTES`. To maximise over
            some nodes after summing out the others can need far larger ones
            than :meth:`query`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = load_network("asia")
        >>> best = asia.most_probable(["lung", "bronc"], given={"dysp": "yes"})
        >>> best.states, round(best.probability, 4)
        ({'lung': 'no', 'bronc': 'yes'}, 0.7689)
        >>> asia.most_probable(given={"dysp": "yes"}).states["smoke"]
        'yes'
        """
        if nodes is None:
            return self._junction_tree().most_probable(given)
        return most_probable_of(self, nodes, given)

    def _junction_tree(self):
        if not self._compiled:
            self._compiled.append(JunctionTree(self))
        return self._compiled[0]

    # -- as text ----------------------------------------------------------

    def _summary(self):
        named = f" {self._name!r}" if self._name else ""
        counts = (
            pluralise(len(self), "node"),
            pluralise(self._graph.number_of_edges(), "edge"),
            pluralise(self.n_parameters, "free parameter"),
        )
        return f"BayesianNetwork{named}: {', '.join(counts)}"

    def __repr__(self) -> str:
        lines = [table.title for table in self._tables.values()]
        if len(lines) > _SHOWN:
            lines[_SHOWN:] = [f"... and {len(lines) - _SHOWN} more"]
        return "\n".join([self._summary(), *lines])

    def _repr_html_(self) -> str:
        rows = [
            f'<tr><th scope="row">{escape(node)}</th>'
            f"<td>{escape(_first_names(self._parents[node]))}</td>"
            f"<td>{escape(_first_names(self._states[node]))}</td>"
            f"<td>{table.values.size}</td></tr>"
            for node, table in list(self._tables.items())[:_SHOWN]
        ]
        cut = len(self) - len(rows)
        titles = ("Node", "Parents", "States", "Probabilities")
        return "\n".join(
            [
                '<table class="dataframe bayesian-network">',
                f"<caption>{escape(self._summary())}</caption>",
                "<thead><tr>",
                *(f'<th scope="col">{title}</th>' for title in titles),
                "</tr></thead>",
                "<tbody>",
                *rows,
                "</tbody></table>",
                *(
                    [f"<p>... and {pluralise(cut, 'more node')}</p>"]
                    if cut
                    else []
                ),
            ]
        )


def _first_names(words, most=6):
    """List names without quotes, the first of them if there are many."""
    words = [str(word) for word in words]
    if len(words) <= most:
        return and_list(words) if words else "none"
    return f"{', '.join(words[:most])}, … ({len(words)})"
