r"""Approximate inference with independent draws from a network.

Rejection sampling draws complete rows and keeps those that agree with the
evidence. Likelihood weighting draws only what is not observed, and weights
each row by the probability of the evidence given what was drawn:

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

Rejection sampling is Henrion's (1988) logic sampling; likelihood weighting
was found by Fung and Chang (1990) and by Shachter and Peot (1990). See Koller
and Friedman (2009), sections 12.1 and 12.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from functools import cached_property
from math import log, sqrt

import numpy as np
import pandas as pd

from bayesbook.base import ConvergenceError
from bayesbook.base.numbers import as_bool, as_int
from bayesbook.network.ancestral import CHUNK, ForwardSampler, require_draws
from bayesbook.network.evidence import impossible, read_evidence, said
from bayesbook.network.model import require_network
from bayesbook.network.posteriors import Posteriors, exponential
from bayesbook.network.sampling.feasible_states import (
    factors_given,
    possible_states,
)

__all__ = [
    "IndependentSample",
    "RejectionSample",
    "SampledPosteriors",
    "WeightedSample",
    "likelihood_weighting",
    "rejection_sampling",
]


class SampledPosteriors(Posteriors):
    """Distributions that were estimated from draws, with their standard errors.

    A mapping of node to table like every :class:`Posteriors`.
    """

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
    """Distributions that were estimated from rows drawn independently."""

    def __init__(self, network, evidence, arrays, log_evidence, codes):
        super().__init__(network.states, arrays, evidence, log_evidence)
        self._codes = codes

    def codes(self, node: str) -> np.ndarray:
        """Return the number of the state of a node in each row."""
        if node not in self:
            raise self._unknown(node)
        return self._codes[node]

    @cached_property
    def draws(self) -> pd.DataFrame:
        """The rows: a categorical column for each node not observed.

        Weighted draws need their weights in every mean.
        """
        return frame_of(self._states, self._codes)


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
        How many rows were drawn.
    log_weights : array of shape (size,)
        The logarithm of the weight of each row, minus infinity if it does
        not agree with the evidence.
    weights : array of shape (size,)
        Divided by their sum.
    log_evidence : float
        The logarithm of the mean of the weights, which itself is
        ``evidence_probability``.
    """

    def __init__(self, network, evidence, codes, log_weights):
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
        r"""How many draws from the posterior would be about as good.

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
            f"{super()._title()}, from {self.size:,} weighted draws worth "
            f"{self.effective_sample_size:,.1f}"
        )


class RejectionSample(IndependentSample):
    r"""Draws that agree with the evidence: :func:`rejection_sampling`.

    A mapping of node to table. The standard error of a probability is
    :math:`\sqrt{\hat p (1 - \hat p) / n}`.

    Attributes
    ----------
    size : int
        How many rows there are; all of them agree with the evidence.
    n_draws : int
        How many were drawn, up to and with the last one that agreed.
    """

    def __init__(self, network, evidence, codes, size, n_draws, log_factor):
        self.size, self.n_draws = size, n_draws
        arrays = {
            node: np.bincount(column, minlength=len(network.states[node]))
            / size
            for node, column in codes.items()
        }
        log_evidence = log(size / n_draws) + log_factor
        super().__init__(network, evidence, arrays, log_evidence, codes)

    @property
    def acceptance_rate(self) -> float:
        """The share of the draws that agreed with the evidence.

        It estimates the probability of the evidence; with soft evidence, after
        each likelihood was divided by the largest.
        """
        return self.size / self.n_draws

    def _standard_error(self, node):
        p = self._arrays[node]
        return np.sqrt(p * (1 - p) / self.size)

    def _title(self):
        return (
            f"{super()._title()}, from {self.size:,} of {self.n_draws:,} draws"
        )


def likelihood_weighting(
    network,
    evidence: Mapping | None,
    size: int,
    *,
    rng: np.random.Generator | int,
    progress: bool = False,
) -> WeightedSample:
    """Estimate all posterior distributions with weighted draws.

    Each node is drawn given its parents, except that observed nodes stay as
    they are. A row counts with the probability that the observed nodes have
    given their parents in that row. With soft evidence a node is drawn from
    P(x | parents) times its likelihood, over the sum of that product, and the
    sum is the weight.

    Parameters
    ----------
    network : BayesianNetwork
    evidence : mapping of node to state, or to the likelihoods of its states
    size : int
        How many rows to draw, at least 1.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one.
    progress : bool
        Show a progress bar.

    Returns
    -------
    WeightedSample

    Raises
    ------
    ProbabilityError
        If a node, a state or `size` cannot be what it is given as.
    ZeroProbabilityError
        If all weights are zero and the evidence is seen to be impossible.
    ConvergenceError
        If all weights are zero, and that may be bad luck.
    TableTooLargeError
        If the draws would need more than `MAX_BYTES`.

    Notes
    -----
    Evidence at the roots costs nothing; where it is at the leaves and
    unlikely, a few rows have almost all the weight: look at
    ``effective_sample_size``. A small one may still be too large, since the
    rows that would have the most weight may not have been drawn at all.

    Fractions are rounded to floats, which tell no two probabilities below
    1e-308 apart: where these matter, ask a JunctionTree.

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
    >>> print(f"worth {sample.effective_sample_size:.0f} draws")
    worth 1506 draws
    """
    require_network(network)
    known = read_evidence(network, evidence)
    size = as_int(size, "The number of rows", 1)
    rng = np.random.default_rng(rng)
    sampler = ForwardSampler(network, likelihoods(network, known))
    free = [node for node in network.nodes if node not in known.hard]
    # The codes; and floats: the logarithms of the weights and a copy, the
    # weights, and what is counted of them at a time.
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
        raise _none_agree(network, known, size)
    return WeightedSample(
        network, known.given, codes, log_weights + known.log_factor
    )


def rejection_sampling(
    network,
    evidence: Mapping | None,
    size: int,
    *,
    rng: np.random.Generator | int,
    max_draws: int = 10_000_000,
    progress: bool = False,
) -> RejectionSample:
    """Draw rows until enough of them agree with the evidence.

    With soft evidence a row is kept with a probability proportional to its
    likelihood.

    Parameters
    ----------
    network : BayesianNetwork
    evidence : mapping of node to state, or to the likelihoods of its states
    size : int
        How many rows are wanted, at least 1.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one.
    max_draws : int
        Give up after so many draws.
    progress : bool
        Show a progress bar.

    Returns
    -------
    RejectionSample

    Raises
    ------
    ProbabilityError
        If a node, a state or a number cannot be what it is given as.
    ZeroProbabilityError
        If no row agrees and the evidence is seen to be impossible.
    ConvergenceError
        If fewer rows agree than are wanted.
    TableTooLargeError
        If the rows would need more than `MAX_BYTES`.

    Examples
    --------
    >>> from bayesbook.network import BayesianNetwork
    >>> network = BayesianNetwork.from_cpts(
    ...     {"rain": ("no", "yes"), "street": ("dry", "wet")},
    ...     {"rain": [0.8, 0.2], ("street", "rain"): [[0.9, 0.1], [0, 1]]},
    ... )
    >>> sample = rejection_sampling(network, {"street": "wet"}, 2000, rng=0)
    >>> print(f"{sample.size:,} of {sample.n_draws:,} draws")
    2,000 of 7,083 draws
    >>> print(f"{sample['rain'].P(rain='yes'):.2f}")
    0.71
    """
    require_network(network)
    known = read_evidence(network, evidence)
    size = as_int(size, "The number of rows", 1)
    max_draws = as_int(max_draws, "The largest number of draws", 1)
    rng = np.random.default_rng(rng)
    sampler = ForwardSampler(network, {})
    free = [node for node in network.nodes if node not in known.hard]
    # The codes; and those of a node as wider integers, to be counted.
    row = len(free) * sampler.dtype.itemsize + 8
    require_draws(size, len(free), size * row, "Ask for fewer rows.")
    codes = {node: np.empty(size, sampler.dtype) for node in free}
    n_kept = n_draws = 0
    agrees = _agreement(known)
    with progress_bar(size, progress, "accepted rows") as done:
        while n_kept < size and n_draws < max_draws:
            # As many as are probably needed, if that is not too many.
            needed = 1.1 * (size - n_kept) * (n_draws + 1) / (n_kept + 1)
            n = min(CHUNK, 256 + int(needed), max_draws - n_draws)
            place, drawn = sampler.draw_agreeing(n, rng, agrees)
            place = place[: size - n_kept]
            part = slice(n_kept, n_kept + len(place))
            for node in free:
                codes[node][part] = drawn[node][: len(place)]
            n_kept = part.stop
            # No draw after the last row that is wanted counts.
            n_draws += int(place[-1]) + 1 if n_kept == size else n
            done(len(place))
    if n_kept < size:
        raise _too_few(network, known, n_kept, size, n_draws)
    return RejectionSample(
        network, known.given, codes, size, n_draws, known.log_factor
    )


# -- what the samplers share ----------------------------------------------


def likelihoods(network, known):
    """Return a factor for each state of every node about which one knows."""
    factors = known.weights()
    for node, code in known.hard.items():
        factors[node] = np.zeros(len(network.states[node]))
        factors[node][code] = 1
    return factors


def frame_of(states, codes, index=None):
    """Return numbers of states as a data frame of categorical columns."""
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


@contextmanager
def progress_bar(total, shown, unit):
    """Return a function that is told how much more is done."""
    if not as_bool(shown, "`progress`"):
        yield lambda _: None
        return
    from tqdm import tqdm  # only where somebody looks at it

    with tqdm(total=total, unit=f" {unit}") as bar:
        yield bar.update


def _agreement(known):
    """Give, for each node known about, the test that its draws must pass."""

    def is_state(code):
        return lambda codes, _: codes == code

    def is_kept(weights):
        return lambda codes, rng: rng.random(len(codes)) < weights[codes]

    tests = {node: is_state(code) for node, code in known.hard.items()}
    soft = known.weights().items()
    return tests | {node: is_kept(weights) for node, weights in soft}


def _none_agree(network, known, size):
    try:
        possible_states(network, known, factors_given(network, known))
    except ValueError:
        return impossible(network, known)
    return ConvergenceError(
        f"None of {size:,} draws agrees with the evidence "
        f"{said(network, known)}: it is very unlikely, or impossible. Draw "
        "more rows, or ask JunctionTree(network).posteriors(evidence)."
    )


def _too_few(network, known, n_kept, size, n_draws):
    if not n_kept:
        error = _none_agree(network, known, n_draws)
        if not isinstance(error, ConvergenceError):
            return error
    return ConvergenceError(
        f"Of {n_draws:,} draws {n_kept:,} agree with the evidence "
        f"{said(network, known)}, and {size:,} are wanted. Ask for fewer, "
        "allow more with max_draws, or use likelihood_weighting(...) or "
        "JunctionTree(network).posteriors(evidence)."
    )
