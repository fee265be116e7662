"""A network whose chain mixes well, and runs without warnings."""

import importlib
import warnings

import numpy as np
from sampling_truth import exact_posteriors

from bayesbook.base import ReducibleChainWarning
from bayesbook.network import BayesianNetwork, gibbs

# The package has the function under the name of the module.
module = importlib.import_module("bayesbook.network.sampling.gibbs")


def rain():
    """Return a network without zeros, whose chain mixes well."""
    return BayesianNetwork.from_cpts(
        {"rain": ("no", "yes"), "street": ("dry", "wet"), "mood": (1, 2, 3)},
        {
            "rain": [0.8, 0.2],
            ("street", "rain"): [[0.9, 0.1], [0.3, 0.7]],
            ("mood", "rain", "street"): [
                [[0.2, 0.3, 0.5], [0.4, 0.3, 0.3]],
                [[0.6, 0.3, 0.1], [0.7, 0.2, 0.1]],
            ],
        },
    )


def exact_or_none(network, evidence):
    with np.errstate(invalid="ignore"):
        return exact_posteriors(network, evidence)


def run_quietly(network, evidence, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReducibleChainWarning)
        return gibbs(network, evidence, rng=0, **options)
