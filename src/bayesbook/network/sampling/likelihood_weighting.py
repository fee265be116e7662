r"""Likelihood weighting: draws weighted by the likelihood of the evidence.

Each node that is not observed is drawn given its parents, and the row is
weighted by the probability of the observed states given their parents:

.. math::

    w = \prod_{e \in E} P\bigl(x_e \mid x_{\mathrm{pa}(e)}\bigr), \qquad
    \hat P(x_i = k \mid e) = \frac{\sum_t w_t \, 1[x_{ti} = k]}{\sum_t w_t},
    \qquad \hat P(e) = \frac{1}{T} \sum_t w_t.

>>> from bayesbook.network import BayesianNetwork
>>> lawn = BayesianNetwork.from_cpts(
...     {"rain": ("no", "yes"), "sprinkler": ("off", "on"),
...      "grass": ("dry", "wet")},
...     {"rain": [0.8, 0.2],
...      ("sprinkler", "rain"): [[0.6, 0.4], [0.99, 0.01]],
...      ("grass", "rain", "sprinkler"): [[[1, 0], [0.1, 0.9]],
...                                       [[0.2, 0.8], [0.01, 0.99]]]},
... )
>>> sample = likelihood_weighting(lawn, {"grass": "wet"}, 100_000, rng=1)
>>> p, error = sample.array("rain"), sample.standard_error("rain")
>>> print(f"P(rain=yes | grass=wet) = {p[1]:.4f} +- {error[1]:.4f}")
P(rain=yes | grass=wet) = 0.3567 +- 0.0021

Likelihood weighting was found by Fung and Chang (1990) and by Shachter and
Peot (1990). See Koller and Friedman (2009), section 12.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt

import numpy as np

from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng
from bayesbook.network.ancestral import (
    CHUNK,
    ForwardSampler,
    likelihoods,
    require_draws,
)
from bayesbook.network.evidence import EvidenceLike, read_evidence
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.posteriors import exponential
from bayesbook.network.progress import progress_bar
from bayesbook.network.sampling.feasible_states import none_agrees
from bayesbook.network.sampling.sampled_posteriors import IndependentSample
from bayesbook.network.tabular import require_network

__all__ = ["WeightedSample", "likelihood_weighting"]


def likelihood_weighting(
    network: BayesianNetwork,
    evidence: EvidenceLike | None,
    size: int,
    *,
    rng: np.random.Generator | int,
    progress: bool = False,
) -> WeightedSample:
    """Estimate all posterior distributions with weighted draws.

    Each node is drawn given its parents, except that observed nodes keep their
    states. The weight of a row is the probability of the observed states given
    their parents in that row. A node with soft evidence is drawn from
    P(x | parents) times its likelihood, divided by the sum of this product,
    and the weight is multiplied by the sum.

    Parameters
    ----------
    network : BayesianNetwork
    evidence : mapping of node to state, or to the likelihoods of its states
    size : int
        How many rows to draw, at least 1.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.
    progress : bool
        Show a progress bar.

    Returns
    -------
    WeightedSample

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node or a state is unknown, or `size` is not a whole number, at
        least 1.
    ZeroProbabilityError
        If all weights are zero because the evidence is impossible.
    ConvergenceError
        If all weights are zero, and the evidence may be possible.
    TableTooLargeError
        If the draws would need more than `MAX_BYTES`.

    Notes
    -----
    Evidence at the roots does not change the weights. If the evidence is
    unlikely and at the leaves, a few rows have almost all the weight: look at
    ``effective_sample_size``. Even a small one may be too optimistic, since
    the rows with the largest weights may not have been drawn at all.

    Fractions are rounded to floats, which cannot distinguish probabilities
    below 1e-308: where these matter, use a JunctionTree.

    Examples
    --------
    >>> from bayesbook.network import BayesianNetwork
    >>> network = BayesianNetwork.from_cpts(
    ...     {"rain": ("no", "yes"), "street": ("dry", "wet")},
    ...     {"rain": [0.8, 0.2], ("street", "rain"): [[0.9, 0.1], [0, 1]]},
    ... )
    >>> sample = likelihood_weighting(network, {"street": "wet"}, 4000, rng=0)
    >>> print(f"{sample['rain'].P(rain='yes'):.2f}")
    0.71
    >>> print(f"effective sample size {sample.effective_sample_size:.0f}")
    effective sample size 1506
    """
    require_network(network)
    known = read_evidence(network, evidence)
    size = as_int(size, "The number of rows", 1)
    rng = as_rng(rng)
    sampler = ForwardSampler(network, likelihoods(network, known))
    free = [node for node in network.nodes if node not in known.hard]
    # The codes; and four floats: the logarithm of the weight and its copy, the
    # weight, and its square while it is counted.
    row = len(free) * sampler.dtype.itemsize + 4 * 8
    require_draws(size, len(free), size * row, "Draw fewer rows.")
    codes = {node: np.empty(size, sampler.dtype) for node in free}
    log_weights = np.empty(size)
    with progress_bar(size, progress, "rows") as done:
        for start in range(0, size, CHUNK):
            part = slice(start, min(start + CHUNK, size))
            drawn, log_weights[part] = sampler.draw(part.stop - start, rng)
            for node in free:
                codes[node][part] = drawn[node]
            done(part.stop - start)
    if np.isneginf(log_weights.max()):
        raise none_agrees(network, known, size)
    return WeightedSample(
        network, known.given, codes, log_weights + known.log_factor
    )


class WeightedSample(IndependentSample):
    r"""Weighted draws, made by :func:`likelihood_weighting`.

    A mapping of node to table. The standard error of a probability is that
    of a ratio of two means, to first order (the delta method):

    .. math:: \widehat{\mathrm{se}}(\hat p)^2
        = \sum_t \bar w_t^2 \, (1[x_t = k] - \hat p)^2,
        \qquad \bar w_t = w_t / \textstyle\sum_s w_s.

    Attributes
    ----------
    size : int
        The number of rows that were drawn.
    log_weights : array of shape (size,)
        The logarithm of the weight of each row, minus infinity if it does
        not agree with the evidence.
    weights : array of shape (size,)
        The weights, divided by their sum.
    log_evidence : float
        The logarithm of the mean of the weights, which itself is
        ``evidence_probability``.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> asia = load_network("asia")
    >>> sample = likelihood_weighting(asia, {"xray": "yes"}, 10_000, rng=0)
    >>> sample.array("lung").round(2)
    array([0.48, 0.52])
    >>> round(sample.effective_sample_size)
    1878
    """

    def __init__(
        self,
        network: BayesianNetwork,
        evidence: Mapping,
        codes: Mapping[str, np.ndarray],
        log_weights: np.ndarray,
    ):
        self.size, self.log_weights = len(log_weights), log_weights
        largest = log_weights.max()
        weights = log_weights - largest
        np.exp(weights, out=weights)
        total = weights.sum()
        weights /= total
        self.weights = weights
        arrays = {
            node: np.bincount(
                column, self.weights, minlength=len(network.states[node])
            )
            for node, column in codes.items()
        }
        arrays = {
            node: distribution / distribution.sum()
            for node, distribution in arrays.items()
        }
        self._square = float((self.weights**2).sum())
        # The variance of the weights over the square of their mean, over T.
        self._relative_variance = max(self._square - 1 / self.size, 0.0)
        log_evidence = float(largest) + log(total / self.size)
        super().__init__(network, evidence, arrays, log_evidence, codes)

    @property
    def effective_sample_size(self) -> float:
        r"""The number of draws from the posterior that are about as good.

        It is :math:`1 / \sum_t \bar w_t^2` (Kong, 1992), from 1 to `size`.
        """
        return 1 / self._square

    @property
    def evidence_standard_error(self) -> float:
        """The standard error of ``evidence_probability``."""
        return exponential(self.log_evidence) * sqrt(self._relative_variance)

    def _standard_error(self, node):
        p = self._arrays[node]
        squares = np.bincount(self._codes[node], self.weights**2, len(p))
        others = squares.sum() - squares
        return np.sqrt((1 - p) ** 2 * squares + p**2 * others)

    def _title(self):
        return (
            f"{super()._title()}, from {self.size:,} weighted draws, "
            f"effective sample size {self.effective_sample_size:,.1f}"
        )
