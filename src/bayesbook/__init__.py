"""Probabilistic models, from conditional probability to Bayesian networks.

The library of *Bayesbook*, an executable textbook. It has thirteen rooms, from
the ground up; each uses only those listed before it:

base          errors: what went wrong, with which value, and what to do
probability   spaces and tables of probabilities, entropy and divergence
graphs        directed acyclic graphs, d-separation, factorisation
data          data sets, cases, counting, mutual information from data
estimation    models, maximum likelihood, priors on coefficients
decision      losses, risks, best decisions, cost-sensitive classifiers
mcmc          Markov chains, Metropolis-Hastings, diagnostics
conjugate     conjugate families, the number game, Pólya's urn
network       Bayesian networks: inference, sampling, learning, EM, BIF
naive_bayes   naive and semi-naive Bayes, latent classes, discretisation
sequences     mixtures, hidden Markov models, the Kalman filter
drawing       figures, and drawings of graphs, networks and chains
study         quizzes, drills, exercises and steppers of the chapters

What people start with is here, too, and is loaded when it is first used:

>>> import bayesbook as bb
>>> asia = bb.load_network("asia")
>>> posteriors = bb.JunctionTree(asia).posteriors({"xray": "yes"})
>>> round(posteriors["lung"]["yes"], 4)
0.4887

Everything else is imported from its room, as in
``from bayesbook.graphs import moral_graph``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.3.0"

if TYPE_CHECKING:
    from bayesbook.base import (
        ProbabilityError as ProbabilityError,
    )
    from bayesbook.base import (
        ZeroProbabilityError as ZeroProbabilityError,
    )
    from bayesbook.conjugate import (
        BetaBernoulli as BetaBernoulli,
    )
    from bayesbook.conjugate import (
        DirichletCategorical as DirichletCategorical,
    )
    from bayesbook.conjugate import (
        GammaPoisson as GammaPoisson,
    )
    from bayesbook.conjugate import (
        GaussianMean as GaussianMean,
    )
    from bayesbook.conjugate import (
        NormalInverseGamma as NormalInverseGamma,
    )
    from bayesbook.data import (
        load_watermelon as load_watermelon,
    )
    from bayesbook.data import (
        mutual_information as mutual_information,
    )
    from bayesbook.data import (
        read_cases as read_cases,
    )
    from bayesbook.decision import (
        CostSensitiveClassifier as CostSensitiveClassifier,
    )
    from bayesbook.decision import (
        LossMatrix as LossMatrix,
    )
    from bayesbook.decision import (
        bayes_decision_rule as bayes_decision_rule,
    )
    from bayesbook.drawing import (
        draw_graph as draw_graph,
    )
    from bayesbook.drawing import (
        draw_network as draw_network,
    )
    from bayesbook.drawing import (
        subplots as subplots,
    )
    from bayesbook.estimation import (
        Gaussian as Gaussian,
    )
    from bayesbook.estimation import (
        LinearGaussian as LinearGaussian,
    )
    from bayesbook.estimation import (
        maximise as maximise,
    )
    from bayesbook.graphs import (
        chain_rule as chain_rule,
    )
    from bayesbook.graphs import (
        d_separated as d_separated,
    )
    from bayesbook.graphs import (
        factorise as factorise,
    )
    from bayesbook.graphs import (
        markov_blanket as markov_blanket,
    )
    from bayesbook.mcmc import (
        MarkovChain as MarkovChain,
    )
    from bayesbook.mcmc import (
        metropolis_hastings as metropolis_hastings,
    )
    from bayesbook.naive_bayes import (
        AODE as AODE,
    )
    from bayesbook.naive_bayes import (
        TAN as TAN,
    )
    from bayesbook.naive_bayes import (
        BernoulliNB as BernoulliNB,
    )
    from bayesbook.naive_bayes import (
        CategoricalNB as CategoricalNB,
    )
    from bayesbook.naive_bayes import (
        GaussianNB as GaussianNB,
    )
    from bayesbook.naive_bayes import (
        MixedNB as MixedNB,
    )
    from bayesbook.naive_bayes import (
        MultinomialNB as MultinomialNB,
    )
    from bayesbook.network import (
        BayesianNetwork as BayesianNetwork,
    )
    from bayesbook.network import (
        JunctionTree as JunctionTree,
    )
    from bayesbook.network import (
        fit_em as fit_em,
    )
    from bayesbook.network import (
        fit_parameters as fit_parameters,
    )
    from bayesbook.network import (
        gibbs as gibbs,
    )
    from bayesbook.network import (
        hill_climb as hill_climb,
    )
    from bayesbook.network import (
        likelihood_weighting as likelihood_weighting,
    )
    from bayesbook.network import (
        load_network as load_network,
    )
    from bayesbook.network import (
        read_bif as read_bif,
    )
    from bayesbook.network import (
        write_bif as write_bif,
    )
    from bayesbook.probability import (
        ProbabilitySpace as ProbabilitySpace,
    )
    from bayesbook.probability import (
        Table as Table,
    )
    from bayesbook.probability import (
        bayes_rule as bayes_rule,
    )
    from bayesbook.probability import (
        entropy as entropy,
    )
    from bayesbook.probability import (
        kl_divergence as kl_divergence,
    )
    from bayesbook.sequences import (
        HiddenMarkov as HiddenMarkov,
    )
    from bayesbook.sequences import (
        KalmanFilter as KalmanFilter,
    )
    from bayesbook.sequences import (
        Mixture as Mixture,
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
    "sequences": "HiddenMarkov KalmanFilter Mixture",
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
    return sorted({*_ROOMS, *_ROOM_OF, "__version__"})
