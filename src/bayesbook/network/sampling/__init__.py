"""Approximate inference: posterior distributions estimated from draws.

Independent draws:

- :mod:`~bayesbook.network.sampling.rejection_sampling`: draw complete rows
  and keep those that agree with the evidence;
- :mod:`~bayesbook.network.sampling.likelihood_weighting`: draw what is not
  observed, and weight each row by the likelihood of the evidence.

A Markov chain:

- :mod:`~bayesbook.network.sampling.gibbs`: draw each node given all others,
  again and again;
- :mod:`~bayesbook.network.sampling.irreducibility`: whether that chain can
  reach everything that is possible.

What they estimate is in :mod:`~bayesbook.network.sampling.sampled_posteriors`;
``bayesbook.network.sampling.feasible_states`` finds the states that the
evidence rules out.
"""

from bayesbook.network.sampling.gibbs import GibbsRun, gibbs
from bayesbook.network.sampling.irreducibility import (
    BlockedGroup,
    Irreducibility,
    irreducible,
)
from bayesbook.network.sampling.likelihood_weighting import (
    WeightedSample,
    likelihood_weighting,
)
from bayesbook.network.sampling.rejection_sampling import (
    RejectionSample,
    rejection_sampling,
)
from bayesbook.network.sampling.sampled_posteriors import (
    IndependentSample,
    SampledPosteriors,
)

__all__ = [
    "BlockedGroup",
    "GibbsRun",
    "IndependentSample",
    "Irreducibility",
    "RejectionSample",
    "SampledPosteriors",
    "WeightedSample",
    "gibbs",
    "irreducible",
    "likelihood_weighting",
    "rejection_sampling",
]
