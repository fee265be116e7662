"""Posterior distributions for many rows of evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.probability.table import State

__all__ = ["BatchPosteriors"]


class BatchPosteriors(Mapping):
    """The distributions of each node for many rows of evidence.

    A mapping of node to array of shape (n_rows, n_states), the states in the
    order of ``network.states``. Made by :meth:`JunctionTree.batch`.

    Examples
    --------
    >>> from bayesbook.network import JunctionTree, load_network
    >>> asia = JunctionTree(load_network("asia"))
    >>> found = asia.batch(pd.DataFrame({"xray": ["yes", "no", None]}))
    >>> found
    BatchPosteriors: 3 rows, 8 nodes
    >>> found["lung"].round(4)
    array([[0.4887, 0.5113],
           [0.0012, 0.9988],
           [0.055 , 0.945 ]])
    """

    def __init__(
        self,
        states: Mapping[str, tuple[State, ...]],
        arrays: Mapping[str, np.ndarray],
        log_evidence: np.ndarray,
        place: np.ndarray,
    ):
        self._states = states
        self._arrays = arrays
        self._place = place
        self._log_evidence = log_evidence
        for array in (*arrays.values(), log_evidence):
            array.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_states": dict(self._states)}

    @property
    def log_evidence(self) -> np.ndarray:
        """The logarithm of the probability of each row of evidence."""
        return self._log_evidence[self._place]

    def __getitem__(self, node: str) -> np.ndarray:
        if node not in self:
            raise ProbabilityError(
                f"There is no posterior of {node!r}; there are those of "
                f"{quoted_list(self._arrays)}."
                f"{did_you_mean(node, self._arrays)}"
            )
        found = self._arrays[node][self._place]
        found.setflags(write=False)
        return found

    def get(self, node: str, default: object = None) -> np.ndarray | object:
        """Return the array of a node, or something else if there is none."""
        return self[node] if node in self else default  # noqa: SIM401

    def __contains__(self, node: object) -> bool:
        return isinstance(node, str) and node in self._arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def to_frame(self, node: str) -> pd.DataFrame:
        """Return the distributions of a node, a column for each of its states.

        Examples
        --------
        >>> from bayesbook.network import JunctionTree, load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> found = asia.batch(pd.DataFrame({"xray": ["yes", "no"]}))
        >>> found.to_frame("lung").round(4)
        lung     yes      no
        0     0.4887  0.5113
        1     0.0012  0.9988
        """
        values = self[node]
        columns = pd.Index(self._states[node], name=node, tupleize_cols=False)
        return pd.DataFrame(values, columns=columns)

    def __repr__(self) -> str:
        return (
            f"BatchPosteriors: {pluralise(len(self._place), 'row')}, "
            f"{pluralise(len(self), 'node')}"
        )
