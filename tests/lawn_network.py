"""A network of rain, sprinkler and grass, and others made of `Net`."""

from fractions import Fraction

import pandas as pd

from bayesbook.network import BayesianNetwork

COIN = {"coin": ("heads", "tails")}
LAWN_STATES = {
    "rain": ("no", "yes"),
    "sprinkler": ("off", "on"),
    "grass": ("dry", "damp", "wet"),
}
LAWN_CPTS = {
    "rain": ["4/5", "1/5"],
    ("sprinkler", "rain"): [["3/5", "2/5"], ["9/10", "1/10"]],
    ("grass", "rain", "sprinkler"): [
        [[1, 0, 0], ["1/10", "1/10", "8/10"]],
        [["1/5", 0, "4/5"], [0, 0, 1]],
    ],
}


def made(net, number=Fraction, **more):
    return BayesianNetwork.from_cpts(*net.as_given(number), **more)


def lawn(**changed):
    return BayesianNetwork.from_cpts(LAWN_STATES, LAWN_CPTS, **changed)


def frame(net):
    return pd.DataFrame(list(net.joint), columns=net.nodes)
