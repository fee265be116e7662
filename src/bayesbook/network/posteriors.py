"""The result of every inference: a distribution for each node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from math import exp, inf
from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import SMALLEST
from bayesbook.probability import Table
from bayesbook.probability.table import State, unchecked_table

# How many nodes are shown of a large network.
_SHOWN = 24


def shown_evidence(evidence):
    """Return evidence as the title of a table shows it."""
    return {
        node: f"({', '.join(f'{s}: {weight}' for s, weight in state.items())})"
        if isinstance(state, Mapping)
        else state
        for node, state in evidence.items()
    }


def exponential(number: float) -> float:
    """Return the exponential; zero only of minus infinity.

    What is below every float becomes the smallest one, what is above every
    float infinity.
    """
    try:
        return exp(number) or (SMALLEST if number > -inf else 0.0)
    except OverflowError:
        return inf


def _point(states, state):
    """Return the distribution of a node whose state is known."""
    distribution = np.zeros(len(states))
    distribution[states.index(state)] = 1.0
    distribution.setflags(write=False)
    return distribution


class Posteriors(Mapping):
    """The distribution of each node given the evidence.

    A mapping of node to :class:`~bayesbook.probability.Table`. An observed
    node has its state with probability one.

    Attributes
    ----------
    evidence : dict
        For each node with evidence its state, or the likelihoods of its
        states.
    log_evidence : float
        The logarithm of the probability of the evidence; with soft evidence,
        of the expected product of its likelihoods.

    Examples
    --------
    >>> from bayesbook.network import JunctionTree, load_network
    >>> asia = JunctionTree(load_network("asia"))
    >>> found = asia.posteriors({"xray": "yes"})
    >>> found["lung"]
    P(lung | xray=yes)
    lung=yes  lung=no
      0.4887   0.5113
    >>> print(f"{found.evidence_probability:.4f}")
    0.1103
    """

    _states: Mapping[str, tuple[State, ...]]
    _arrays: Mapping[str, np.ndarray]
    evidence: Mapping[str, State | Mapping[State, float]]

    def __init__(
        self,
        states: Mapping[str, tuple[State, ...]],
        arrays: Mapping[str, np.ndarray],
        evidence: Mapping[str, State | Mapping[State, float]],
        log_evidence: float,
    ):
        self._hold(states, arrays, evidence)
        self.log_evidence = float(log_evidence)

    def _hold(self, states, arrays, evidence):
        """Keep the distributions; add those of the observed nodes."""
        self._states, self.evidence = states, evidence
        self._hidden = tuple(arrays)
        self._arrays = {
            node: arrays[node]
            if node in arrays
            else _point(own, evidence[node])
            for node, own in states.items()
        }

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_states": dict(self._states)}

    @property
    def evidence_probability(self) -> float:
        """The probability of the evidence.

        Zero only if it is impossible: what is below every float is given as
        the smallest one, and :attr:`log_evidence` says how small it is. With
        soft evidence it may be above one, and infinite.
        """
        return exponential(self.log_evidence)

    def array(self, node: str) -> np.ndarray:
        """Return the probabilities of the states of a node, without labels.

        Examples
        --------
        >>> from bayesbook.network import JunctionTree, load_network
        >>> found = JunctionTree(load_network("asia")).posteriors()
        >>> found.array("lung").round(4)
        array([0.055, 0.945])
        """
        if node not in self:
            raise self._unknown(node)
        return self._arrays[node]

    def __getitem__(self, node: str) -> Table:
        values = np.array(self.array(node))
        states = {node: self._states[node]}
        return unchecked_table(
            values, states, (), shown_evidence(self.evidence)
        )

    def get(self, node: str, default: object = None) -> Table | object:
        """Return the table of a node, or something else if there is none."""
        return self[node] if node in self else default  # noqa: SIM401

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __contains__(self, node: object) -> bool:
        return isinstance(node, str) and node in self._arrays

    def _unknown(self, node):
        return ProbabilityError(
            f"There is no posterior of {node!r}; there are those of "
            f"{quoted_list(self._arrays)}.{did_you_mean(node, self._arrays)}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each state of each node.

        Examples
        --------
        >>> from bayesbook.network import JunctionTree, load_network
        >>> found = JunctionTree(load_network("five")).posteriors()
        >>> found.to_frame().head(2)
          node state  probability
        0   x1   low          0.6
        1   x1  high          0.4
        """
        index = [(n, s) for n in self._arrays for s in self._states[n]]
        frame = pd.DataFrame(index, columns=["node", "state"])
        values = [self._arrays[node] for node in self._arrays]
        frame["probability"] = np.concatenate(values) if values else []
        return frame

    def _title(self):
        known = ", ".join(
            f"{n}={s}" for n, s in shown_evidence(self.evidence).items()
        )
        return f"Posteriors given {known}" if known else "Prior distributions"

    def _rows(self):
        for node, values in list(self._arrays.items())[:_SHOWN]:
            pairs = zip(self._states[node], values, strict=True)
            yield node, "  ".join(f"{s} {p:.4f}" for s, p in pairs)

    def _cut(self):
        cut = len(self) - _SHOWN
        return [f"... and {pluralise(cut, 'more node')}"] if cut > 0 else []

    def __repr__(self) -> str:
        rows = list(self._rows())
        width = max((len(node) for node, _ in rows), default=0)
        lines = [
            f"{node:<{width}}  {distribution}" for node, distribution in rows
        ]
        return "\n".join([self._title(), *lines, *self._cut()])

    def _repr_html_(self) -> str:
        rows = [
            f'<tr><th scope="row">{escape(node)}</th>'
            f"<td>{escape(distribution)}</td></tr>"
            for node, distribution in self._rows()
        ]
        return "\n".join(
            [
                '<table class="dataframe posteriors">',
                f"<caption>{escape(self._title())}</caption>",
                "<thead><tr>",
                '<th scope="col">Node</th>',
                '<th scope="col">Probabilities of its states</th>',
                "</tr></thead>",
                "<tbody>",
                *rows,
                "</tbody></table>",
                *(f"<p>{line}</p>" for line in self._cut()),
            ]
        )
