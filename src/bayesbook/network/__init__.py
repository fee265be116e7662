"""Bayesian networks: representation, inference, sampling, learning.

A network is a directed acyclic graph and a table of each node given its
parents. Evidence is a dictionary from a node to its state, or to the
likelihoods of its states; posterior distributions are tables.

- :mod:`~bayesbook.network.model`: the network itself;
  :mod:`~bayesbook.network.examples` loads published ones, and
  :mod:`~bayesbook.network.bif` reads and writes files;
- :mod:`~bayesbook.network.inference`: exact posteriors;
- :mod:`~bayesbook.network.sampling`: posteriors estimated from draws;
- :mod:`~bayesbook.network.learning`: parameters and graphs from complete data;
- :mod:`~bayesbook.network.em`: parameters from data with missing values.
"""

from bayesbook.network.bif import (
    format_bif,
    parse_bif,
    read_bif,
    write_bif,
)
from bayesbook.network.em import (
    EMRun,
    expected_counts,
    fit_em,
    gradient_ascent,
)
from bayesbook.network.examples import load_network, network_catalogue
from bayesbook.network.factor import Factor, product
from bayesbook.network.inference import (
    BatchPosteriors,
    CalibratedTree,
    Elimination,
    EliminationStep,
    JunctionTree,
    MostProbable,
    eliminate,
    elimination_order,
    enumerate_posterior,
    pass_messages,
)
from bayesbook.network.learning import (
    AIC,
    BIC,
    K2,
    BDeu,
    ClassMove,
    ConstraintRun,
    EquivalenceRun,
    IndependenceTest,
    LogLikelihood,
    Move,
    NetworkCounts,
    Score,
    SearchRun,
    Step,
    count_network,
    equivalence_search,
    exact_search,
    fit_parameters,
    hill_climb,
    independence_test,
    pc,
    tabu_search,
    tree_search,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.posteriors import Posteriors
from bayesbook.network.sampling import (
    BlockedGroup,
    GibbsRun,
    IndependentSample,
    Irreducibility,
    RejectionSample,
    SampledPosteriors,
    WeightedSample,
    gibbs,
    irreducible,
    likelihood_weighting,
    rejection_sampling,
)

__all__ = [
    "AIC",
    "BIC",
    "K2",
    "BDeu",
    "BatchPosteriors",
    "BayesianNetwork",
    "BlockedGroup",
    "CalibratedTree",
    "ClassMove",
    "ConstraintRun",
    "EMRun",
    "Elimination",
    "EliminationStep",
    "EquivalenceRun",
    "Factor",
    "GibbsRun",
    "IndependenceTest",
    "IndependentSample",
    "Irreducibility",
    "JunctionTree",
    "LogLikelihood",
    "MostProbable",
    "Move",
    "NetworkCounts",
    "Posteriors",
    "RejectionSample",
    "SampledPosteriors",
    "Score",
    "SearchRun",
    "Step",
    "WeightedSample",
    "count_network",
    "eliminate",
    "elimination_order",
    "enumerate_posterior",
    "equivalence_search",
    "exact_search",
    "expected_counts",
    "fit_em",
    "fit_parameters",
    "format_bif",
    "gibbs",
    "gradient_ascent",
    "hill_climb",
    "independence_test",
    "irreducible",
    "likelihood_weighting",
    "load_network",
    "network_catalogue",
    "parse_bif",
    "pass_messages",
    "pc",
    "product",
    "read_bif",
    "rejection_sampling",
    "tabu_search",
    "tree_search",
    "write_bif",
]
