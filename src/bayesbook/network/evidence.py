"""Reading evidence: states of nodes, likelihoods, rows of data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import codes_of, plain, read_names, unknown
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import (
    as_floats,
    exact_weight,
    log_of,
    logs_of,
    show,
)
from bayesbook.probability.table import State

#: A node to its state, or to a likelihood for each of its states.
EvidenceLike = Mapping[str, State | Mapping[State, float]]

#: A smaller fraction may lose digits as a float.
SAFE_FLOAT = 1e-290
# In columns with at most as many texts a dictionary is quicker than pandas.
_FEW = 1000


class Evidence(NamedTuple):
    """Evidence, as codes of states and as weights of states."""

    #: The code of the state of each node that is observed.
    hard: Mapping[str, int]
    #: A weight for each state of the nodes with soft evidence.
    soft: Mapping[str, tuple[Fraction | float, ...]]
    #: The same by name, as a copy of what was given.
    given: Mapping = MappingProxyType({})

    def weights(self):
        """Return the soft evidence as arrays, the largest weight 1."""
        return {n: as_floats(ratios) for n, ratios in self._ratios().items()}

    def log_weights(self):
        """Return the logarithms of these weights, which may be very small."""
        return {n: logs_of(ratios) for n, ratios in self._ratios().items()}

    @property
    def log_factor(self):
        """The logarithm of :attr:`factor`."""
        return sum(log_of(max(numbers)) for numbers in self.soft.values())

    @property
    def is_exact(self):
        """Whether no weight is a float."""
        return not any(
            isinstance(weight, float)
            for numbers in self.soft.values()
            for weight in numbers
        )

    def factors(self):
        """Return the weights as an array of fractions, or of floats.

        The largest is 1: with larger ones a product might seem to be zero
        beside others and yet count in the end. Where a float would lose
        digits the fractions stay.
        """
        factors = {}
        for node, ratios in self._ratios().items():
            is_small = any(0 < ratio < SAFE_FLOAT for ratio in ratios)
            if is_small or not any(
                isinstance(weight, float) for weight in self.soft[node]
            ):
                factors[node] = ratios
            else:
                factors[node] = ratios.astype(float)
        return factors

    @property
    def factor(self):
        """The product of the numbers by which the weights were divided."""
        return prod(Fraction(max(numbers)) for numbers in self.soft.values())

    def _ratios(self):
        """Return the weights as fractions of the largest."""
        ratios = {}
        for node, numbers in self.soft.items():
            most = Fraction(max(numbers))
            ratios[node] = np.array([Fraction(n) / most for n in numbers])
        return ratios


def read_evidence(network, evidence, what="The evidence") -> Evidence:
    """Read a mapping of node to state, or to the weights of its states."""
    if evidence is None:
        return Evidence({}, {}, {})
    if not isinstance(evidence, Mapping | pd.Series):
        raise TypeError(
            f"{what} is {evidence!r}; give a dictionary of node to "
            f"state, such as {{{network.nodes[0]!r}: "
            f"{network.states[network.nodes[0]][0]!r}}}."
        )
    hard, soft, given = {}, {}, {}
    # Not through a dictionary: a series may name a node twice.
    for node, known in evidence.items():
        require_node(network, node)
        if node in given:
            raise ProbabilityError(f"{what} names {node!r} twice.")
        if isinstance(known, Mapping):
            soft[node] = _read_weights(network, node, known)
            states = network.states[node]
            given[node] = {
                states[code_of(network, node, state)]: weight
                for state, weight in known.items()
            }
        else:
            hard[node] = code_of(network, node, known)
            given[node] = network.states[node][hard[node]]
    return Evidence(hard, soft, given)


def read_assignment(network, assignment) -> Mapping[str, int]:
    """Read a state for every node."""
    hard, soft, _ = read_evidence(network, assignment, "The assignment")
    for node in soft:
        raise ProbabilityError(f"{node!r} needs one state, not weights.")
    missing = [node for node in network.nodes if node not in hard]
    if missing:
        raise ProbabilityError(
            f"There is no state for {quoted_list(missing)}; the joint "
            "probability needs one for every node."
        )
    return hard


def read_columns(network, rows, *, complete=False) -> dict[str, np.ndarray]:
    """Read the columns of a data frame as numbers of states.

    A missing value is -1, or an error if the rows have to be complete.
    """
    if not isinstance(rows, pd.DataFrame):
        raise TypeError(
            f"Give the rows as a data frame, not as {type(rows).__name__}."
        )
    names = list(rows.columns)
    doubled = {*rows.columns[rows.columns.duplicated()]}
    for name in names:
        require_node(network, name, "Column ")
        if name in doubled:
            raise ProbabilityError(
                f"The data frame has several columns {name!r}; rename or "
                "drop the others."
            )
    if complete:
        missing = [node for node in network.nodes if node not in names]
        if missing:
            raise ProbabilityError(
                f"The data frame lacks the {columns_list(missing)}; the "
                "probability of rows with missing values is given by "
                "JunctionTree(network).batch(rows).log_evidence."
            )
    columns = {}
    for name in names:
        codes = _column(network, name, rows[name])
        if complete and (codes < 0).any():
            raise ProbabilityError(
                f"Row {int(np.argmax(codes < 0))} of column {name!r} has no "
                "value; the probability of rows with missing values is given "
                "by JunctionTree(network).batch(rows).log_evidence."
            )
        columns[name] = codes
    return columns


def columns_list(names):
    """Return names after the noun: column 'A', columns 'A', 'B'."""
    return f"column{'s' if len(names) > 1 else ''} {quoted_list(names)}"


def _column(network, name, column):
    try:
        return _codes(network, name, column)
    except TypeError as error:
        raise ProbabilityError(
            f"The values of column {name!r} cannot be states ({error})."
        ) from None


def _codes(network, name, column):
    states = network.states[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        categories = tuple(map(plain, column.cat.categories))
        if categories == states:
            return codes
        known = network._code(name)
        # A category that no row has may be unknown.
        places = np.array(
            [*(known.get(state, -2) for state in categories), -1]
        )
        codes = places[codes]
        if (codes == -2).any():
            row = int(np.argmax(codes == -2))
            raise unknown(
                plain(column.iloc[row]),
                states,
                f"Column {name!r} in row {row}",
            )
        return codes
    if len(column) <= _FEW and all(isinstance(s, str) for s in states):
        with suppress(TypeError):
            known = network._code(name)
            codes = [known.get(label, -1) for label in column.tolist()]
            if -1 not in codes:
                return np.array(codes, dtype=np.intp)
    seen = column.notna().to_numpy()
    if seen.all():
        return codes_of(column, states, f"Column {name!r}")
    codes = np.full(len(column), -1)
    try:
        codes[seen] = codes_of(column[seen], states, f"Column {name!r}")
    except ProbabilityError:
        wrong = next(
            row
            for row, state in enumerate(column)
            if seen[row] and plain(state) not in network._code(name)
        )
        raise unknown(
            plain(column.iloc[wrong]),
            states,
            f"Column {name!r} in row {wrong}",
        ) from None
    return codes


def weights_of(codes, n_states):
    """Return a column for each code: 1 for its state, or all 1 if negative."""
    weights = (np.arange(n_states)[:, None] == codes).astype(float)
    weights[:, codes < 0] = 1.0
    return weights


def code_of(network, node, state):
    """Return the code of a state, its place among the states of the node."""
    state = plain(state)
    try:
        return network._code(node)[state]
    except (KeyError, TypeError):
        states = network.states[node]
        # No state is missing, so this says that nothing is known.
        if pd.api.types.is_scalar(state) and pd.isna(state):
            raise ProbabilityError(
                f"{state!r} is not a state of {node!r}: leave a node out if "
                "its state is not known."
            ) from None
        hint = did_you_mean(state, states)
        if not hint and isinstance(state, list | tuple | np.ndarray):
            hint = (
                " For soft evidence give a dictionary of state to likelihood."
            )
        raise ProbabilityError(
            f"{state!r} is not a state of {node!r}; its states are "
            f"{quoted_list(states)}.{hint}"
        ) from None


def require_node(network, node, what=""):
    """Raise an error unless this is a node of the network."""
    if node not in network:
        raise ProbabilityError(
            f"{what}{node!r} is not a node of the network; its nodes are "
            f"{quoted_list(network.nodes)}.{did_you_mean(node, network.nodes)}"
        )


def read_query(network, query, hard):
    """Read the nodes of a query: at least one, and none observed."""
    names = read_names(query)
    if not names:
        raise ProbabilityError(
            "The query is empty: name at least one node; "
            "JunctionTree(network).evidence_probability(evidence) is the "
            "probability of the evidence alone."
        )
    for name in names:
        require_node(network, name)
        if name in hard:
            state = network.states[name][hard[name]]
            raise ProbabilityError(
                f"{name!r} is in the query, but observed: {name}={state}. "
                "Leave it out of the query or of the evidence."
            )
    return names


def impossible(network, evidence) -> ZeroProbabilityError:
    """Return the error for evidence of probability zero."""
    return ZeroProbabilityError(
        f"The evidence {as_text(network, evidence)} has probability zero, so "
        "nothing can be said given it."
    )


def as_text(network, evidence: Evidence) -> str:
    """Return the evidence in words, for messages."""
    words = [
        f"{n}={network.states[n][code]}" for n, code in evidence.hard.items()
    ]
    for node, numbers in evidence.soft.items():
        pairs = zip(network.states[node], numbers, strict=True)
        weights = ", ".join(f"{state}: {show(w)}" for state, w in pairs)
        words.append(f"{node} ~ ({weights})")
    return ", ".join(words)


def _read_weights(network, node, known):
    states = network.states[node]
    weights = {}
    for state, weight in known.items():
        place = code_of(network, node, state)
        number = exact_weight(weight, f"The likelihood of {node}={state}")
        # A float stays a float, so that exact networks know that it is not
        # exact.
        is_float = isinstance(weight, float | np.floating)
        weights[place] = float(weight) if is_float else number
    missing = [s for i, s in enumerate(states) if i not in weights]
    if missing:
        raise ProbabilityError(
            f"The soft evidence on {node!r} says nothing of "
            f"{quoted_list(missing)}; give a likelihood, if only 0, for each "
            "of its states."
        )
    numbers = tuple(weights[i] for i in range(len(states)))
    if not any(numbers):
        raise ZeroProbabilityError(
            f"All likelihoods of the soft evidence on {node!r} are zero, so "
            "it is impossible."
        )
    return numbers
