"""Laplace and Lidstone smoothing: proportions estimated from counts."""

from __future__ import annotations

import numpy as np

from bayesbook.base import ProbabilityError


def log_proportions(counts, totals, n_states, alpha, estimate):
    r"""Return the logarithms of proportions estimated from counts.

    With N_s of N observations in state s of S, and a Dirichlet distribution
    with parameter α for each state as the prior, the estimates are

    ========  ================================  ==========================
    "bayes"   (N_s + α) / (N + S α)             mean of the posterior
    "map"     (N_s + α - 1) / (N + S (α - 1))   mode of the posterior
    "mle"     N_s / N                           maximum of the likelihood
    ========  ================================  ==========================

    Without observations and pseudo-counts there is no estimate: then the
    logarithms are -inf, so that the class is never predicted.

    Parameters
    ----------
    counts : array
        N_s; any shape.
    totals : array
        N, of a shape that broadcasts with that of the counts.
    n_states : int or array
        S, likewise.
    alpha : float
        α
    estimate : {"bayes", "map", "mle"}

    Raises
    ------
    ProbabilityError
        If the posterior has no mode: one needs N_s + α >= 1 everywhere.
    """
    pseudo = {"bayes": alpha, "map": alpha - 1, "mle": 0.0}[estimate]
    numerators = counts + pseudo
    if (numerators < 0).any():
        raise ProbabilityError(
            f"With alpha={alpha:g} the posterior has no mode where "
            "the count is 0: take alpha >= 1, or estimate='bayes'."
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(numerators) - np.log(totals + n_states * pseudo)
    # 0 / 0: there is no estimate.
    logs[np.isnan(logs)] = -np.inf
    return logs
