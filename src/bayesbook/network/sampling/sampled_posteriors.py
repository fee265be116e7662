"""Posterior distributions that were estimated from draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.network.ancestral import frame_of
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
    >>> sample["lung"]
    P(lung | smoke=yes)
    lung=yes  lung=no
      0.1004   0.8996
    >>> sample.standard_error("lung").round(3)
    array([0.003, 0.003])
    """

    def _standard_error(self, node: str) -> np.ndarray:
        raise NotImplementedError

    def standard_error(self, node: str) -> np.ndarray:
        """Return the standard error of the probability of each state.

        Zero if the node is observed.

        Examples
        --------
        >>> from bayesbook.network import likelihood_weighting, load_network
        >>> asia = load_network("asia")
        >>> for size in (1000, 100_000):
        ...     sample = likelihood_weighting(asia, {}, size, rng=0)
        ...     print(sample.standard_error("smoke").round(4))
        [0.0158 0.0158]
        [0.0016 0.0016]
        """
        if node in self and node not in self._hidden:
            return np.zeros(len(self._states[node]))
        self._require_drawn(node)
        return self._standard_error(node)

    def _require_drawn(self, node):
        if node not in self:
            raise self._unknown(node)
        if node not in self._hidden:
            raise ProbabilityError(
                f"{node!r} is observed, {node}={self.evidence[node]}: it is "
                "not drawn."
            )

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
    >>> sample.draws[["bronc", "dysp", "xray"]].head(3)
      bronc dysp xray
    0   yes   no   no
    1    no   no   no
    2   yes  yes   no
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
        self._require_drawn(node)
        return self._codes[node]

    @cached_property
    def draws(self) -> pd.DataFrame:
        """The rows: a categorical column for each node not observed.

        Means of weighted draws need their weights.
        """
        return frame_of(self._states, self._codes)
