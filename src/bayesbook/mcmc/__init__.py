r"""Markov chains, Metropolis-Hastings, and diagnostics of simulated chains.

A Markov chain moves from state to state, and the distribution of the next
state depends on the present one only. Its matrix has a row for each state:

>>> weather = MarkovChain([["3/4", "1/4"], ["1/2", "1/2"]], ["sun", "rain"])
>>> weather.step("sun", 2)
P(state)
state=sun  state=rain
    11/16        5/16
>>> weather.stationary()
P(state)
state=sun  state=rain
      2/3         1/3

Markov chain Monte Carlo (MCMC) goes the other way: it makes a chain whose
stationary distribution is a given target. `metropolis_hastings` runs such a
chain on states of any kind; `metropolis_matrix` and `gibbs_matrices` return
its matrix if there are few states. `split_r_hat`, `effective_sample_size` and
`monte_carlo_error` judge draws of any origin.

Sources: Levin, Peres and Wilmer (2017), "Markov chains and mixing times";
Metropolis et al. (1953) and Hastings (1970) for the algorithm; Vehtari,
Gelman, Simpson, Carpenter and Bürkner (2021) for the diagnostics.
"""

from bayesbook.mcmc.chain_properties import (
    CommunicatingClass,
    DetailedBalance,
)
from bayesbook.mcmc.chains import MarkovChain
from bayesbook.mcmc.diagnostics import (
    autocorrelation,
    effective_sample_size,
    monte_carlo_error,
    split_r_hat,
)
from bayesbook.mcmc.distributions import total_variation
from bayesbook.mcmc.metropolis import (
    MetropolisRun,
    gibbs_matrices,
    metropolis_hastings,
    metropolis_matrix,
)

__all__ = [
    "CommunicatingClass",
    "DetailedBalance",
    "MarkovChain",
    "MetropolisRun",
    "autocorrelation",
    "effective_sample_size",
    "gibbs_matrices",
    "metropolis_hastings",
    "metropolis_matrix",
    "monte_carlo_error",
    "split_r_hat",
    "total_variation",
]
