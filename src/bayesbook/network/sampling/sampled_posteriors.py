"""Posterior distributions that were estimated from draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from bayesbook.network.model import BayesianNetwork
from bayesbook.network.posteriors import Posteriors

__all__ = ["IndependentSample", "SampledPosteriors"]


class SampledPosteriors(Posteriors):
    """Distributions estimated from draws, with their standard errors.

    A mapping of node to table like every :class:`Posteriors`. The base class
    of the results of all samplers.

    Examples
    --------
    >>> from bayesbook.network import likelihood_weighting, load_network
    >>> asia = load_network("asia")
    >>> sample = likelihood_weighting(asia, {"smoke": "yes"}, 10_000, rng=0)
    >>> isinstance(sample, SampledPosteriors)
    True
    >>> sample.standard_error("lung").round(3)
    array([0.003, 0.003])
    """

    def _standard_error(self, node: str) -> np.ndarray:
        raise NotImplementedError

    def standard_error(self, node: str) -> np.ndarray:
        """Return the standard error of the probability of each state."""
        if node not in self:
            raise self._unknown(node)
        return self._standard_error(node)

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each state of each node.

        Its columns are ``node``, ``state``, ``probability`` and
        ``standard_error``.
        """
        frame = super().to_frame()
        errors = [self.standard_error(node) for node in self]
        frame["standard_error"] = np.concatenate(errors) if errors else []
        return frame


class IndependentSample(SampledPosteriors):
    """Distributions estimated from rows that were drawn independently.

    Examples
    --------
    >>> from bayesbook.network import load_network, rejection_sampling
    >>> asia = load_network("asia")
    >>> sample = rejection_sampling(asia, {"smoke": "yes"}, 100, rng=0)
    >>> isinstance(sample, IndependentSample)
    True
    >>> sample.draws.shape
    (100, 7)
    """

    def __init__(
        self,
        network: BayesianNetwork,
        evidence: Mapping,
        arrays: Mapping[str, np.ndarray],
        log_evidence: float,
        codes: Mapping[str, np.ndarray],
    ):
        super().__init__(network.states, arrays, evidence, log_evidence)
        self._codes = codes

    def codes(self, node: str) -> np.ndarray:
        """Return the code of the state of a node in each row."""
        if node not in self:
            raise self._unknown(node)
        return self._codes[node]

    @cached_property
    def draws(self) -> pd.DataFrame:
        """The rows: a categorical column for each node not observed.

        Means of weighted draws need their weights.
        """
        return frame_of(self._states, self._codes)


def frame_of(states, codes, index=None):
    """Return codes of states as a data frame of categorical columns."""
    return pd.DataFrame(
        {
            node: pd.Categorical.from_codes(
                column, categories=pd.Index(states[node], tupleize_cols=False)
            )
            for node, column in codes.items()
        },
        index=index,
        copy=False,
    )
