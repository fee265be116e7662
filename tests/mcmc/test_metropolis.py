"""Metropolis-Hastings, against definition, exact chains and quadrature."""

import itertools
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.mcmc import (
    MarkovChain,
    gibbs_matrices,
    metropolis_hastings,
    metropolis_matrix,
    monte_carlo_error,
)
from bayesbook.probability import Table


@st.composite
def rows(draw, k):
    row = st.lists(st.integers(0, 4), min_size=k, max_size=k).filter(any)
    found = draw(st.lists(row, min_size=k, max_size=k))
    return [[F(n, sum(row)) for n in row] for row in found]


weights = st.lists(st.integers(1, 9), min_size=4, max_size=4)


@given(weights, rows(4))
def test_the_matrix_is_the_definition(target, q):
    chain = metropolis_matrix(target, MarkovChain(q))
    for i, j in itertools.permutations(range(4), 2):
        accepted = 0
        if q[i][j]:
            accepted = min(F(1), target[j] * q[j][i] / (target[i] * q[i][j]))
        assert chain.matrix[i, j] == q[i][j] * accepted
    assert chain.is_exact


@given(weights, rows(4))
def test_the_target_is_in_detailed_balance_and_stationary(target, q):
    chain = metropolis_matrix(target, MarkovChain(q))
    distribution = [F(weight, sum(target)) for weight in target]
    assert chain.detailed_balance(distribution)
    assert chain.step(distribution).values.tolist() == distribution


@given(weights, rows(4))
def test_floats_give_the_same_matrix(target, q):
    exact = metropolis_matrix(target, MarkovChain(q)).matrix.astype(float)
    proposal = MarkovChain(np.array(q, dtype=float))
    found = metropolis_matrix(np.array(target, dtype=float), proposal)
    np.testing.assert_allclose(found.matrix, exact, atol=1e-12)


def test_the_target_may_be_a_table_or_a_dictionary():
    proposal = MarkovChain([["1/2", "1/2"], ["1/2", "1/2"]], "ab")
    expected = metropolis_matrix([1, 3], proposal)
    table = Table(["1/4", "3/4"], {"X": "ab"})
    assert metropolis_matrix(table, proposal) == expected
    assert metropolis_matrix({"b": "3/4", "a": "1/4"}, proposal) == expected
    assert expected.stationary() == table.rename({"X": "state"})


def test_states_of_weight_zero_are_left_and_never_entered():
    proposal = MarkovChain([["1/3"] * 3] * 3)
    chain = metropolis_matrix([0, 1, 1], proposal)
    assert chain.matrix[1:, 0].tolist() == [0, 0]
    assert chain.matrix[0].tolist() == [F(1, 3)] * 3
    assert chain.stationary().values.tolist() == [0, F(1, 2), F(1, 2)]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ([1, 2, 3], "3 weights for 2 states"),
        ([1, -1], "weight of 'b' is -1: negative"),
        ([1, "x"], "not a number"),
        ({"a": 1}, "no weight for 'b'"),
        ({"a": 1, "b": 1, "c": 1}, "'c', which is none of"),
        (
            Table([[1]], {"X": "a", "Y": "b"}),
            "not the distribution of one variable",
        ),
    ],
)
def test_what_is_no_target_is_refused(target, message):
    proposal = MarkovChain([["1/2", "1/2"], ["1/2", "1/2"]], "ab")
    with pytest.raises(ProbabilityError, match=message):
        metropolis_matrix(target, proposal)
    with pytest.raises(ZeroProbabilityError, match="All weights"):
        metropolis_matrix([0, 0], proposal)


@given(st.lists(st.integers(0, 3), min_size=12, max_size=12).filter(any))
def test_gibbs_is_metropolis_without_refusals(counts):
    counts = np.array(counts).reshape(3, 2, 2)
    names = {"X": (0, 1, 2), "Y": "ab", "Z": "cd"}
    joint = Table([[[F(int(n), int(counts.sum())) for n in r] for r in s]
                   for s in counts], names)  # fmt: skip
    for name, chain in gibbs_matrices(joint).items():
        distribution = [
            joint.P(dict(zip(names, s, strict=True))) for s in chain.states
        ]
        assert chain.step(distribution).values.tolist() == distribution
        assert metropolis_matrix(distribution, chain) == chain
        axis = [*names].index(name)
        for (i, x), (j, y) in itertools.product(
            enumerate(chain.states), repeat=2
        ):
            others = {n: s for n, s in zip(names, x, strict=True) if n != name}
            same = np.delete(x, axis).tolist() == np.delete(y, axis).tolist()
            expected = joint.P({name: y[axis]}, given=others) if same else 0
            assert chain.matrix[i, j] == expected


def test_a_conditional_table_has_no_configurations():
    table = Table([[1, 0]], {"X": "a", "Y": "ab"}, given="X")
    with pytest.raises(
        ProbabilityError, match="multiply it by the distribution of"
    ):
        gibbs_matrices(table)


def uniform_step(width):
    return lambda x, rng: x + rng.uniform(-width, width, size=np.shape(x))


def test_a_chain_on_labels_has_its_matrix():
    # Its steps from each state against the row of the exact matrix.
    target = {"a": 1, "b": 2, "c": 6}
    q = {"a": (0.2, 0.5, 0.3), "b": (0.6, 0, 0.4), "c": (0.5, 0.4, 0.1)}
    proposal = MarkovChain(list(q.values()), "abc")
    matrix = metropolis_matrix(target, proposal).matrix

    def log_ratio(x, y):
        to, back = q[x]["abc".index(y)], q[y]["abc".index(x)]
        return np.log(back) - np.log(to)

    run = metropolis_hastings(
        lambda x: np.log(target[x]),
        lambda x, rng: str(rng.choice([*"abc"], p=q[x])),
        "a", 30_000, rng=5, log_ratio=log_ratio,
    )  # fmt: skip
    path = np.concatenate([["a"], run.draws])
    for state, row in zip("abc", matrix, strict=True):
        after = path[1:][path[:-1] == state]
        counts = np.array([(after == other).sum() for other in "abc"])
        positive = row > 0
        assert counts[~positive].sum() == 0
        expected = row[positive] * len(after)
        assert stats.chisquare(counts[positive], expected).pvalue > 0.001


def test_the_wrong_ratio_gives_the_wrong_distribution():
    def run(log_ratio):
        # x is multiplied by a factor, so that y from x is likelier than back.
        return metropolis_hastings(
            stats.expon.logpdf,
            lambda x, rng: x * np.exp(rng.normal(size=x.shape)),
            np.ones(200), 500, rng=1, log_ratio=log_ratio, burn_in=50,
            vectorised=True,
        )  # fmt: skip

    right = run(lambda x, y: np.log(y) - np.log(x)).draws
    wrong = run(None).draws
    assert right.mean() == pytest.approx(1, abs=5 * monte_carlo_error(right))
    assert abs(wrong.mean() - 1) > 10 * monte_carlo_error(right)


def test_many_chains_at_once_draw_from_the_target():
    run = metropolis_hastings(
        stats.gamma(3).logpdf, uniform_step(4), np.full(400, 3.0), 300, rng=2,
        burn_in=100, vectorised=True,
    )  # fmt: skip
    assert run.draws.shape == run.log_target.shape == (400, 300)
    assert run.accepted.shape == (400, 400)
    assert run.acceptance_rate.shape == (400,)
    assert (run.draws > 0).all()
    last = run.draws[:, -1]
    assert stats.kstest(last, stats.gamma(3).cdf).pvalue > 0.001
    assert run.r_hat < 1.05
    assert repr(run).startswith("MetropolisRun(400 chains of 300 draws, ")


def test_a_chain_of_vectors_has_the_right_covariance():
    target = stats.multivariate_normal([1, -1], [[1, 0.6], [0.6, 1]])
    run = metropolis_hastings(
        target.logpdf,
        lambda x, rng: x + rng.normal(size=x.shape),
        np.zeros((100, 2)), 500, rng=3, burn_in=50, vectorised=True,
    )  # fmt: skip
    assert run.draws.shape == (100, 500, 2)
    assert run.r_hat.shape == run.effective_sample_size.shape == (2,)
    flat = run.draws.reshape(-1, 2)
    assert flat.mean(axis=0) == pytest.approx([1, -1], abs=0.05)
    assert np.cov(flat.T) == pytest.approx(target.cov, abs=0.08)
    np.testing.assert_allclose(
        run.log_target[7, 8], target.logpdf(run.draws[7, 8])
    )


def test_one_chain_and_many_are_the_same_algorithm():
    def step(x, rng):
        return x + rng.normal(size=np.shape(x))

    one = metropolis_hastings(lambda x: -abs(x), step, 0.5, 200, rng=9)
    many = metropolis_hastings(
        lambda x: -abs(x), step, np.array([0.5]), 200, rng=9, vectorised=True
    )
    np.testing.assert_allclose(one.draws, many.draws[0])
    assert one.acceptance_rate == many.acceptance_rate[0]
    assert isinstance(one.acceptance_rate, float)


def test_burn_in_and_thinning_leave_draws_out():
    def run(n, **options):
        return metropolis_hastings(
            lambda x: -x * x, uniform_step(1), 0.0, n, rng=4, **options
        )

    whole = run(110)
    part = run(20, burn_in=10, thin=5)
    assert part.draws.tolist() == whole.draws[14::5].tolist()
    assert part.log_target.tolist() == whole.log_target[14::5].tolist()
    assert part.accepted.tolist() == whole.accepted.tolist()


@pytest.mark.parametrize(
    ("start", "kind", "shape"),
    [
        (0.5, "f", (5,)),
        (0, "f", (5,)),
        ([0.5, 1.0], "f", (5, 2)),
        (np.zeros((2, 3)), "f", (5, 2, 3)),
    ],
)
def test_states_of_numbers_are_collected_in_an_array(start, kind, shape):
    run = metropolis_hastings(
        lambda x: -np.sum(np.square(x)), uniform_step(1.0), start, 5, rng=1
    )
    assert run.draws.dtype.kind == kind
    assert run.draws.shape == shape


def test_any_object_is_a_state():
    def swap(x, rng):
        i, j = rng.choice(len(x), size=2, replace=False)
        x = list(x)
        x[i], x[j] = x[j], x[i]
        return tuple(x)

    # Orders of three, likelier the longer they rise.
    def log_target(x):
        return sum(a < b for a, b in itertools.pairwise(x)) * np.log(2)

    run = metropolis_hastings(log_target, swap, (0, 1, 2), 20_000, rng=1)
    assert run.draws.shape == (20_000,)
    orders = list(itertools.permutations(range(3)))
    distribution = np.exp([log_target(order) for order in orders])
    for order, p in zip(
        orders, distribution / distribution.sum(), strict=True
    ):
        share = np.mean([x == order for x in run.draws])
        assert share == pytest.approx(p, abs=0.02)
    with pytest.raises(ProbabilityError, match="give an indicator"):
        _ = run.r_hat


def test_a_proposal_cannot_change_the_present_state():
    def careless(x, rng):
        x += 1
        return x

    with pytest.raises(ValueError, match="read-only"):
        metropolis_hastings(lambda x: 0, careless, np.zeros(2), 5, rng=1)

    def reused(x, rng, room=np.zeros(2)):  # noqa: B008
        room[:] = x + rng.normal(size=2)
        return room

    run = metropolis_hastings(
        lambda x: -np.sum(x**2), reused, [0, 0], 50, rng=1
    )
    assert len(np.unique(run.draws[:, 0])) == run.accepted.sum() + (
        not run.accepted[0]
    )


def test_forbidden_proposals_are_refused_before_their_ratio_is_asked():
    def log_target(x):
        return np.where(x > 0, -x, -np.inf)

    def log_ratio(x, y):
        return np.where(y > 0, 0.0, np.nan)

    many = metropolis_hastings(
        log_target, uniform_step(2), np.ones(3), 100, rng=1,
        log_ratio=log_ratio,
        vectorised=True,
    )  # fmt: skip
    assert (many.draws > 0).all()


def draw(**options):
    functions = {"log_target": lambda x: -x * x, "propose": uniform_step(1)}
    usual = functions | {"start": 0.0, "size": 10, "rng": 0}
    return metropolis_hastings(**(usual | options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "number of draws is 0; it must be at least 1"),
        ({"burn_in": -1}, "burn-in is -1"),
        ({"thin": 0}, "thin is 0"),
        ({"log_target": lambda x: -np.inf}, r"start 0.0 has probability 0"),
        ({"log_target": lambda x: np.nan}, "log_target at 0.0 is nan"),
        (
            {"log_target": lambda x: np.inf},
            "0.0 is inf: it must be finite or −inf",
        ),
        ({"log_target": lambda x: "low"}, "is 'low'; it must be one number"),
        ({"log_target": lambda x: None}, "is None; it must be one number"),
        ({"start": [1.0, 2.0]}, "set vectorised=True"),
        (
            {"log_ratio": lambda x, y: np.nan},
            r"log_ratio from 0.0 to \S+ is nan",
        ),
        (
            {
                "start": [0.0],
                "log_target": lambda x: -(x[0] ** 2),
                "propose": lambda x, rng: [1, 2],
            },
            r"shape \(2,\) was proposed",
        ),
    ],
)
def test_functions_that_are_none_are_refused(options, message):
    with pytest.raises(ProbabilityError, match=message):
        draw(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 0.0}, "holds a state for each chain"),
        ({"start": []}, "holds a state for each chain"),
        ({"log_target": lambda x: 0.0}, r"shape \(\) for 3 chains"),
        (
            {"log_target": lambda x: np.where(x < 2, 0, -np.inf)},
            r"start .*2.0.* of chain 2 has probability 0",
        ),
        (
            {"log_target": lambda x: np.where(x < 1, 0, np.nan)},
            r"log_target at .*1.0.* is nan",
        ),
        (
            {"log_target": lambda x: np.where(x < 1, 0, np.inf)},
            r"1.0.* is inf",
        ),
        ({"log_ratio": lambda x, y: 0.0}, "log_ratio returned numbers of the"),
        ({"propose": lambda x, rng: x[:2]}, r"shape \(2,\) were proposed"),
    ],
)
def test_functions_of_many_chains_are_checked(options, message):
    options = {"start": [0.0, 1.0, 2.0], "vectorised": True} | options
    with pytest.raises(ProbabilityError, match=message):
        draw(**options)
