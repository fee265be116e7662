"""Rejection sampling: keep the draws that agree with the evidence.

>>> from bayesbook.network import load_network
>>> asia = load_network("asia")
>>> sample = rejection_sampling(asia, {"xray": "yes"}, 1000, rng=0)
>>> round(sample.acceptance_rate, 3)
0.117

The shares of the states among the rows that are kept estimate the posterior
distributions, and the share of the rows that are kept estimates the
probability of the evidence. This is Henrion's (1988) logic sampling; see
Koller and Friedman (2009), section 12.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np

from bayesbook.base import ConvergenceError
from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng
from bayesbook.network.ancestral import CHUNK, ForwardSampler, require_draws
from bayesbook.network.evidence import EvidenceLike, as_text, read_evidence
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.progress import progress_bar
from bayesbook.network.sampling.feasible_states import none_agrees
from bayesbook.network.sampling.sampled_posteriors import IndependentSample
from bayesbook.network.tabular import require_network

__all__ = ["RejectionSample", "rejection_sampling"]


def rejection_sampling(
    network: BayesianNetwork,
    evidence: EvidenceLike | None,
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
        How many rows to keep, at least 1.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.
    max_draws : int
        Give up after this many draws.
    progress : bool
        Show a progress bar.

    Returns
    -------
    RejectionSample

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node or a state is unknown, or a number is not a whole number, at
        least 1.
    ZeroProbabilityError
        If no row agrees because the evidence is impossible.
    ConvergenceError
        If fewer rows agree than `size`.
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
    rng = as_rng(rng)
    sampler = ForwardSampler(network, {})
    free = [node for node in network.nodes if node not in known.hard]
    # The codes; and those of one node as wider integers, to be counted.
    row = len(free) * sampler.dtype.itemsize + 8
    require_draws(size, len(free), size * row, "Ask for fewer rows.")
    codes = {node: np.empty(size, sampler.dtype) for node in free}
    n_kept = n_draws = 0
    agrees = _agreement(known)
    with progress_bar(size, progress, "accepted rows") as done:
        while n_kept < size and n_draws < max_draws:
            # As many as are probably needed, up to a chunk.
            needed = 1.1 * (size - n_kept) * (n_draws + 1) / (n_kept + 1)
            n = min(CHUNK, 256 + int(needed), max_draws - n_draws)
            place, drawn = sampler.draw_agreeing(n, rng, agrees)
            place = place[: size - n_kept]
            part = slice(n_kept, n_kept + len(place))
            for node in free:
                codes[node][part] = drawn[node][: len(place)]
            n_kept = part.stop
            # Draws after the last row that is kept do not count.
            n_draws += int(place[-1]) + 1 if n_kept == size else n
            done(len(place))
    if n_kept < size:
        raise _too_few(network, known, n_kept, size, n_draws)
    return RejectionSample(
        network, known.given, codes, size, n_draws, known.log_factor
    )


class RejectionSample(IndependentSample):
    r"""Draws that agree with the evidence: :func:`rejection_sampling`.

    A mapping of node to table. The standard error of a probability is
    :math:`\sqrt{\hat p (1 - \hat p) / n}`.

    Attributes
    ----------
    size : int
        The number of rows that were kept; all agree with the evidence.
    n_draws : int
        The number of draws, up to the last row that was kept.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> asia = load_network("asia")
    >>> sample = rejection_sampling(asia, {"smoke": "yes"}, 1000, rng=0)
    >>> sample.size, sample.n_draws
    (1000, 1911)
    >>> sample.array("lung").round(2)
    array([0.1, 0.9])
    """

    def __init__(
        self,
        network: BayesianNetwork,
        evidence: Mapping,
        codes: Mapping[str, np.ndarray],
        size: int,
        n_draws: int,
        log_factor: float,
    ):
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


def _agreement(known):
    """Return, for each node with evidence, the test of its draws."""

    def is_state(code):
        return lambda codes, _: codes == code

    def is_kept(weights):
        return lambda codes, rng: rng.random(len(codes)) < weights[codes]

    tests = {node: is_state(code) for node, code in known.hard.items()}
    soft = known.weights().items()
    return tests | {node: is_kept(weights) for node, weights in soft}


def _too_few(network, known, n_kept, size, n_draws):
    if not n_kept:
        error = none_agrees(network, known, n_draws)
        if not isinstance(error, ConvergenceError):
            return error
    return ConvergenceError(
        f"Of {n_draws:,} draws {n_kept:,} agree with the evidence "
        f"{as_text(network, known)}, and {size:,} are wanted. Ask for fewer, "
        "allow more with max_draws, or use likelihood_weighting(...) or "
        "JunctionTree(network).posteriors(evidence)."
    )
