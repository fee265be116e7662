"""Probabilistic models, from conditional probability to Bayesian networks.

The library of *Bayesbook*, an executable textbook. It has a room for each
part of the book, and each room uses only those above it:

base          errors: what went wrong, with which value, and what to do
probability   spaces and tables of probabilities, entropy and divergence
graphs        directed acyclic graphs, d-separation, factorisation
data          data sets, cases, counting, mutual information from data
estimation    models, maximum likelihood, priors on coefficients
decision      losses, risks, best decisions, cost-sensitive classifiers
mcmc          Markov chains, Metropolis-Hastings, diagnostics
conjugate     conjugate families, the number game, Pólya's urn
network       Bayesian networks: inference, sampling, learning, EM, BIF
naive_bayes   naive and semi-naive Bayes classifiers, discretisation
drawing       figures, and drawings of graphs, networks and chains
study         quizzes, drills, exercises and steppers of the chapters

What people start with is here, too, and is loaded when it is first used:

>>> import bayesbook as bb
>>> asia = bb.load_network("asia")
>>> posteriors = bb.JunctionTree(asia).posteriors({"xray": "yes"})
>>> round(posteriors["lung"].P(lung="yes"), 4)
0.4887

Everything else is imported from its room, as in
``from bayesbook.graphs import moral_graph``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from bayesbook.base import ProbabilityError, ZeroProbabilityError
    from bayesbook.conjugate import (
        BetaBernoulli,
        DirichletCategorical,
        GammaPoisson,
        GaussianMean,
        NormalInverseGamma,
    )
    from bayesbook.data import load_watermelon, mutual_information, read_cases
    from bayesbook.decision import (
        CostSensitiveClassifier,
        LossMatrix,
        bayes_decision_rule,
    )
    from bayesbook.drawing import draw_graph, draw_network, subplots
    from bayesbook.estimation import Gaussian, LinearGaussian, maximise
    from bayesbook.graphs import (
        chain_rule,
        d_separated,
        factorise,
        markov_blanket,
    )
    from bayesbook.mcmc import MarkovChain, metropolis_hastings
    from bayesbook.naive_bayes import (
        AODE,
        TAN,
        BernoulliNB,
        CategoricalNB,
        GaussianNB,
        MixedNB,
        MultinomialNB,
    )
    from bayesbook.network import (
        BayesianNetwork,
        JunctionTree,
        fit_em,
        fit_parameters,
        gibbs,
        hill_climb,
        likelihood_weighting,
        load_network,
        read_bif,
        write_bif,
    )
    from bayesbook.probability import (
        ProbabilitySpace,
        Table,
        bayes_rule,
        entropy,
        kl_divergence,
    )

# The names above by their rooms; a test compares the two lists.
_ROOMS = {
    "base": "ProbabilityError ZeroProbabilityError",
    "probability": "ProbabilitySpace Table bayes_rule entropy kl_divergence",
    "graphs": "chain_rule d_separated factorise markov_blanket",
    "data": "load_watermelon mutual_information read_cases",
    "estimation": "Gaussian LinearGaussian maximise",
    "decision": "CostSensitiveClassifier LossMatrix bayes_decision_rule",
    "mcmc": "MarkovChain metropolis_hastings",
    "conjugate": """BetaBernoulli DirichletCategorical GammaPoisson
        GaussianMean NormalInverseGamma""",
    "network": """BayesianNetwork JunctionTree fit_em fit_parameters gibbs
        hill_climb likelihood_weighting load_network read_bif write_bif""",
    "naive_bayes": """AODE TAN BernoulliNB CategoricalNB GaussianNB MixedNB
        MultinomialNB""",
    "drawing": "draw_graph draw_network subplots",
    "study": "",
}
_ROOM_OF = {name: room for room in _ROOMS for name in _ROOMS[room].split()}


def __getattr__(name: str) -> object:
    """Load a room, or what people start with, on its first use (PEP 562)."""
    if name in _ROOMS:
        return import_module(f"bayesbook.{name}")
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'bayesbook' has no attribute {name!r}")
    value = getattr(import_module(f"bayesbook.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the rooms and what is loaded from them."""
    return sorted({*globals(), *_ROOMS, *_ROOM_OF})
