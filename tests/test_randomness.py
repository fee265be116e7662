"""What draws at random: how many draws, and from which source."""

import inspect
from functools import partial

import numpy as np
import pytest
from scipy.stats import norm
from test_interface import OBJECTS, functions

from bayesbook import conjugate, decision, estimation, graphs, mcmc, network
from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import BernoulliNB, MultinomialNB
from bayesbook.sequences import HiddenMarkov, KalmanFilter, Mixture

CANCER = network.load_network("cancer")
ROWS = CANCER.sample(2000, rng=0)
NORMALS = decision.GenerativeClassifier(
    {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)}
)
CHAIN = mcmc.MarkovChain([[0.9, 0.1], [0.4, 0.6]], ["well", "ill"])
FEW = [[1, 0], [0, 1]], ["full", "empty"]
LINE = graphs.parse("X -> Y")
TOSSES = Mixture.from_parameters([0.5, 0.5], probabilities=[[0.9], [0.5]])
COINS = [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]]

# Each public function that draws, ready to be called but for `rng`.
DRAW = [
    partial(graphs.random_dag, 3, 0.5),
    partial(graphs.random_tables, LINE),
    partial(graphs.ancestral_sample, CANCER.tables.values(), 2),
    partial(estimation.Bernoulli(0.5).sample, 2),
    partial(estimation.Categorical([0.5, 0.5]).sample, 2),
    partial(NORMALS.sample, 2),
    partial(NORMALS.bayes_risk_monte_carlo, None, 2),
    partial(NORMALS.risk, lambda x: np.where(x < 1, "a", "b"), None, 2),
    partial(CHAIN.simulate, "well", 2),
    partial(mcmc.metropolis_hastings, lambda x: 0, lambda x, _: x, 0, 2),
    partial(conjugate.BetaBernoulli(1, 1).sample, 2),
    partial(conjugate.DirichletCategorical([1, 1]).sample, 2),
    partial(conjugate.NormalInverseGamma(0, 1, 1, 1).sample, 2),
    partial(conjugate.rule_concepts().sample, "powers of 9", 2),
    partial(conjugate.polya_urn, [1, 1], 2),
    partial(conjugate.sample_dcm, [1, 1], 2, trials=3),
    partial(CANCER.sample, 2),
    partial(network.gibbs, CANCER, {}, 2),
    partial(network.likelihood_weighting, CANCER, {}, 2),
    partial(network.rejection_sampling, CANCER, {}, 2),
    partial(BernoulliNB().fit(*FEW).sample, 2),
    partial(MultinomialNB().fit(*FEW).sample, 2, trials=3),
    partial(HiddenMarkov.from_parameters(*COINS).sample, 2),
    partial(KalmanFilter(1, 1, 1, 1, mean=0, cov=1).sample, 2),
    partial(TOSSES.sample, 2),
]
# These draw only if they are asked to, and so do without a source.
MAY_DRAW = [
    partial(network.hill_climb, ROWS),
    partial(network.fit_em, CANCER, ROWS),
    partial(network.gradient_ascent, CANCER, ROWS),
]


def name_of(function):
    return f"{function.__module__}.{function.__qualname__}"


def parameters(function):
    return inspect.signature(function).parameters


def name_of_call(call):
    return call.func.__qualname__


PUBLIC = {
    name_of(function): function
    for name in OBJECTS
    for function in functions(name).values()
}


def test_no_function_is_left_out():
    with_source = {
        name for name, it in PUBLIC.items() if "rng" in parameters(it)
    }
    assert {name_of(it.func) for it in DRAW + MAY_DRAW} == with_source


@pytest.mark.parametrize("draw", DRAW + MAY_DRAW, ids=name_of_call)
@pytest.mark.parametrize(
    ("rng", "error"),
    [
        (-1, ProbabilityError),
        (np.int64(-1), ProbabilityError),
        (True, TypeError),
        (3.0, TypeError),
        ("a", TypeError),
        ({"seed": 1}, TypeError),
        (np.random.RandomState(0), TypeError),
    ],
)
def test_what_is_no_source_is_refused_by_name(draw, rng, error):
    with pytest.raises(error, match=r"^rng is .*; give a seed.* as in rng=0"):
        draw(rng=rng)


@pytest.mark.parametrize("draw", DRAW, ids=name_of_call)
def test_there_is_no_source_by_default(draw):
    assert parameters(draw.func)["rng"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match=r"^rng is None; give a seed"):
        draw(rng=None)


@pytest.mark.parametrize("call", MAY_DRAW, ids=name_of_call)
def test_what_draws_nothing_needs_no_source(call):
    assert repr(call(rng=None)) == repr(call(rng=0))


@pytest.mark.parametrize("draw", DRAW, ids=name_of_call)
def test_the_last_argument_by_position_is_how_many(draw):
    if draw.func in (graphs.random_dag, graphs.random_tables):
        return  # they draw one graph, or a table for each node
    by_position = [
        name
        for name, it in parameters(draw.func).items()
        if it.kind is it.POSITIONAL_OR_KEYWORD
    ]
    assert by_position[-1] == "size"
    if by_position[0] == "network":
        assert by_position == ["network", "evidence", "size"]


@pytest.mark.parametrize("draw", DRAW, ids=name_of_call)
def test_a_seed_is_as_good_as_its_generator(draw):
    drawn = [
        draw(rng=rng) for rng in (3, np.uint8(3), np.random.default_rng(3))
    ]
    # A graph shows only its type.
    assert len({repr(getattr(it, "edges", it)) for it in drawn}) == 1
