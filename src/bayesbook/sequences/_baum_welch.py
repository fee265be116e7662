r"""Training of hidden Markov models: counts, expected or observed.

The M step divides counts, as if the states had been seen; the E step expects
them (Baum, Petrie, Soules and Weiss 1970):

.. math:: \hat{a}_{ij} \propto \sum_t P(z_t = i, z_{t + 1} = j \mid x) .
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import kmeans_plusplus

from bayesbook.base import ProbabilityError
from bayesbook.base.names import quoted_list
from bayesbook.sequences._components import (
    Categories,
    Components,
    Gaussians,
    Prior,
    frozen,
    shares,
)
from bayesbook.sequences._recursions import (
    Chain,
    count_pairs,
    filter_states,
    inner_rows,
    smooth_states,
)
from bayesbook.sequences._rows import distinct_rows


class Parameters(NamedTuple):
    """The parameters of a hidden Markov model."""

    #: P(first state), of shape (K,).
    start: np.ndarray
    #: P(next state | state), of shape (K, K).
    transition: np.ndarray
    #: The distributions of the observations.
    components: Components

    def chain(self, X: Any, sizes: np.ndarray) -> Chain:
        """Return what the recursions need of some sequences."""
        logs = self.components.log_prob(X)
        return Chain(self.start, self.transition, logs, sizes)

    def reordered(self, order: np.ndarray) -> Parameters:
        """Return the same model with its states in another order."""
        return Parameters(
            frozen(self.start[order]),
            frozen(self.transition[np.ix_(order, order)]),
            self.components.reordered(order),
        )


class Problem(NamedTuple):
    """Sequences, and what is added to their counts."""

    #: All observations, one after another.
    X: Any
    sizes: np.ndarray
    prior: Prior

    def step(self, now: Parameters) -> tuple[float, Parameters]:
        """Return the objective, and the parameters after an E and M step."""
        chain = now.chain(self.X, self.sizes)
        filtered = filter_states(chain)
        gamma = smooth_states(chain, filtered)
        value = float(filtered.log_scale.sum()) + self.log_prior(now)
        after = self.estimated(
            now,
            gamma[chain.firsts()].sum(axis=0),
            count_pairs(chain, filtered, gamma),
            gamma,
        )
        return value, after

    def log_prior(self, now: Parameters) -> float:
        """Return the logarithm of the prior, up to a constant."""
        value = now.components.log_prior(self.prior)
        if self.prior.alpha:
            with np.errstate(divide="ignore"):
                logs = np.log(now.start).sum() + np.log(now.transition).sum()
            value += self.prior.alpha * float(logs)
        return value

    def estimated(
        self,
        now: Parameters,
        starts: np.ndarray,
        pairs: np.ndarray,
        gamma: np.ndarray,
    ) -> Parameters:
        """Return the estimates from counts, and weights of observations."""
        alpha = self.prior.alpha
        components = now.components.estimated(self.X, gamma, self.prior)
        if isinstance(components, Gaussians):
            components.require_definite("state")
        return Parameters(
            frozen(shares(starts, alpha, now.start)),
            frozen(shares(pairs, alpha, now.transition)),
            components,
        )

    def occupancy(self, now: Parameters) -> np.ndarray:
        """Return how many steps are expected in each state."""
        chain = now.chain(self.X, self.sizes)
        return smooth_states(chain, filter_states(chain)).sum(axis=0)

    def counted(
        self, codes: np.ndarray, names: tuple, blank: Parameters
    ) -> Parameters:
        """Return the estimates from states that were seen."""
        K, rows = len(names), inner_rows(self.sizes)
        firsts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        pairs = np.zeros((K, K))
        np.add.at(pairs, (codes[rows], codes[rows + 1]), 1.0)
        never = (pairs.sum(axis=1) == 0) & (self.prior.alpha == 0)
        if never.any():
            raise ProbabilityError(
                f"State {names[int(np.argmax(never))]!r} is never followed by "
                "another, so that nothing is known of its transitions: take "
                "alpha > 0."
            )
        starts = np.bincount(codes[firsts], minlength=K).astype(float)
        return self.estimated(blank, starts, pairs, np.eye(K)[codes])


def require_enough(n: int, n_states: int) -> None:
    """Refuse more states than observations."""
    if n_states > n:
        raise ProbabilityError(
            f"n_states={n_states}, but there are only {n} observations: take "
            "fewer states, or longer sequences."
        )


def require_number(names: tuple, n_states: int) -> None:
    """Refuse another number of observed states than `n_states`."""
    if len(names) != n_states:
        raise ProbabilityError(
            f"n_states={n_states}, but `states` has {len(names)} different "
            f"ones: {quoted_list(names)}."
        )


def blank_components(
    X: Any, n_states: int, n_symbols: int, *, is_full: bool
) -> Components:
    """Return components that are all alike: those of all observations."""
    if n_symbols:
        table = np.full((n_states, n_symbols), 1 / n_symbols)
        return Categories.of([table])
    return gaussians_of_all(X, X[[0] * n_states], is_full=is_full)


def gaussians_of_all(
    X: np.ndarray,
    means: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    is_full: bool,
) -> Gaussians:
    """Return components with given means, and the covariance of all rows."""
    if is_full:
        spread = np.atleast_2d(np.cov(X.T, bias=True, aweights=weights))
    else:
        mean = np.average(X, axis=0, weights=weights)
        spread = np.average((X - mean) ** 2, axis=0, weights=weights)
    covariances = np.broadcast_to(spread, (len(means), *spread.shape))
    return Gaussians(frozen(means), frozen(covariances))


def draw_means(
    X: np.ndarray,
    weights: np.ndarray,
    number: int,
    random: np.random.RandomState,
) -> np.ndarray:
    """Draw rows that are far from each other (k-means++)."""
    if len(X) < number:
        return X[np.resize(np.arange(len(X)), number)]
    mean = np.average(X, axis=0, weights=weights)
    spread = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    scaled = (X - mean) / np.where(spread > 0, spread, 1.0)
    _, rows = kmeans_plusplus(
        scaled, number, sample_weight=weights, random_state=random
    )
    return X[rows]


def draw_start(
    problem: Problem,
    n_states: int,
    n_symbols: int,
    random: np.random.RandomState,
    *,
    is_full: bool,
) -> Parameters:
    """Draw parameters to begin from."""
    K = n_states
    if n_symbols:
        overall = np.asarray(problem.X.sum(axis=0)).ravel() + 1.0
        drawn = random.dirichlet(np.ones(n_symbols), K)
        table = (overall / overall.sum() + drawn) / 2
        components: Components = Categories.of([table])
    else:
        ones = np.ones(len(problem.X))
        means = draw_means(*distinct_rows(problem.X, ones), K, random)
        components = gaussians_of_all(problem.X, means, is_full=is_full)
        components = add_squares(components, problem.prior, len(problem.X))
        components.require_definite("state")
    transition = (1 / K + random.dirichlet(np.ones(K), K)) / 2
    return Parameters(
        frozen(np.full(K, 1 / K)), frozen(transition), components
    )


def add_squares(components: Gaussians, prior: Prior, n: float) -> Gaussians:
    """Return components with the prior's squares in their covariances."""
    extra = prior.squares / n
    more = np.diag(extra) if components.is_full else extra
    return Gaussians(components.means, frozen(components.covariances + more))
