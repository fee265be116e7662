"""Chains against eigenvectors, networkx, matrix powers and brute force."""

import itertools
import operator
import pickle
from fractions import Fraction as F
from math import gcd

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from bayesbook.base import ProbabilityError
from bayesbook.mcmc import MarkovChain, total_variation
from bayesbook.probability import Table

WEATHER = MarkovChain([["3/4", "1/4"], ["1/2", "1/2"]], ["sun", "rain"])
# From 0 it is absorbed in 1 or in the circle of 2 and 3.
REDUCIBLE = MarkovChain(
    [[0, "1/2", "1/2", 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], "abcd"
)


@st.composite
def matrices(draw, most=5, exact=True):
    """Draw rows of whole numbers, many of them 0, over their sums."""
    k = draw(st.integers(1, most))
    row = st.lists(st.sampled_from([0, 0, 1, 2, 5]), min_size=k, max_size=k)
    rows = draw(st.lists(row.filter(any), min_size=k, max_size=k))
    rows = [[F(n, sum(row)) for n in row] for row in rows]
    return rows if exact else np.array(rows, dtype=float)


def reachable(matrix):
    """Tell by brute force what can be reached, in no step or more."""
    reach = (np.array(matrix, dtype=float) > 0) | np.eye(
        len(matrix), dtype=bool
    )
    for _ in matrix:
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return reach


@given(matrices())
def test_classes_are_what_can_be_reached_both_ways(matrix):
    chain = MarkovChain(matrix)
    reach = reachable(matrix)
    both = reach & reach.T
    expected = {tuple(np.flatnonzero(row).tolist()) for row in both}
    assert {own.states for own in chain.classes} == expected
    for own in chain.classes:
        closed = set(np.flatnonzero(reach[own.states[0]])) == set(own.states)
        assert own.is_closed == closed
    assert chain.is_irreducible == bool(reach.all())


@given(matrices())
def test_the_period_divides_the_times_of_all_returns(matrix):
    step = np.array(matrix, dtype=float) > 0
    k = len(matrix)
    for own in MarkovChain(matrix).classes:
        i, times, power = own.states[0], [], np.eye(k, dtype=bool)
        for t in range(1, 3 * k**2):
            power = (power.astype(int) @ step.astype(int)) > 0
            if power[i, i]:
                times.append(t)
        assert own.period == gcd(*times)


@given(matrices())
def test_the_stationary_distribution_is_exact(matrix):
    chain = MarkovChain(matrix)
    closed = [own for own in chain.classes if own.is_closed]
    if len(closed) > 1:
        with pytest.raises(ProbabilityError, match="several stationary"):
            chain.stationary()
        return
    distribution = chain.stationary()
    assert distribution.is_exact
    assert chain.step(distribution) == distribution
    for state in chain.states:
        assert (distribution.P(state=state) > 0) == (state in closed[0].states)


@given(matrices(exact=False))
def test_the_stationary_distribution_of_floats_is_an_eigenvector(matrix):
    chain = MarkovChain(matrix)
    if sum(own.is_closed for own in chain.classes) > 1:
        return
    values, vectors = np.linalg.eig(matrix.T)
    vector = vectors[:, np.argmin(abs(values - 1))].real
    found = chain.stationary().values
    np.testing.assert_allclose(found, vector / vector.sum(), atol=1e-9)


def test_the_smallest_probabilities_are_accurate():
    # A birth-and-death chain: the distribution is a product of ratios.
    k, up, down = 60, F(1, 1000), F(1, 2)
    matrix = np.zeros((k, k), dtype=object)
    for i in range(k):
        matrix[i, min(i + 1, k - 1)] += up
        matrix[i, max(i - 1, 0)] += down
        matrix[i, i] += 1 - up - down
    found = MarkovChain(matrix.astype(float)).stationary().values
    expected = np.array([(up / down) ** i for i in range(k)])
    expected = (expected / expected.sum()).astype(float)
    assert expected[-1] < 1e-150
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    "ratios",
    [
        [F(10)] * 399,
        [F(1, 10)] * 399,
        [F(1, 10)] * 450 + [F(10)] * 300,
        [F(1, 10)] * 400 + [F(10)] * 500,
        [F(10)] * 450 + [F(1, 10)] * 600,
    ],
    ids=["up", "down", "valley", "deep valley", "hill"],
)
@pytest.mark.parametrize("seed", [None, 0])
def test_the_distribution_spans_more_than_the_range_of_floats(ratios, seed):
    """In a birth-and-death chain pi(i + 1) = ratio(i) pi(i)."""
    k = len(ratios) + 1
    matrix = np.zeros((k, k))
    for i, ratio in enumerate(ratios):
        matrix[i, i + 1] = ratio / (1 + ratio) / 2
        matrix[i + 1, i] = 1 / (1 + ratio) / 2
    np.fill_diagonal(matrix, 1 - matrix.sum(axis=1))
    expected = list(itertools.accumulate(ratios, operator.mul, initial=F(1)))
    total = sum(expected)
    expected = np.array([float(weight / total) for weight in expected])
    if seed is not None:
        order = np.random.default_rng(seed).permutation(k)
        matrix, expected = matrix[np.ix_(order, order)], expected[order]
    found = MarkovChain(matrix).stationary().values
    normal = expected >= np.finfo(float).tiny
    np.testing.assert_allclose(found[normal], expected[normal], rtol=1e-10)
    np.testing.assert_allclose(found[~normal], expected[~normal], atol=1e-307)


def test_a_large_chain_is_solved():
    matrix = np.random.default_rng(1).dirichlet(np.ones(400), size=400)
    chain = MarkovChain(matrix)
    distribution = chain.stationary()
    assert total_variation(chain.step(distribution), distribution) < 1e-13


@given(matrices(), st.integers(0, 12))
def test_steps_are_powers_of_the_matrix(matrix, n):
    chain = MarkovChain(matrix)
    power = np.linalg.matrix_power(chain.matrix, n)
    for i, state in enumerate(chain.states):
        distribution = chain.step(state, n)
        assert distribution.is_exact
        assert distribution.values.tolist() == power[i].tolist()
    assert chain.power(n).matrix.tolist() == power.tolist()


def test_a_distribution_may_be_given_in_many_ways():
    expected = Table(["9/16", "7/16"], {"state": ("sun", "rain")})
    distribution = {"sun": "1/4", "rain": "3/4"}
    assert WEATHER.step(distribution) == expected
    assert WEATHER.step(["1/4", "3/4"]) == expected
    assert WEATHER.step((F(1, 4), F(3, 4))) == expected
    table = Table(["3/4", "1/4"], {"sky": ("rain", "sun")})
    assert WEATHER.step(table) == expected
    assert WEATHER.step({"rain": 1}) == WEATHER.step("rain")
    assert WEATHER.step(np.array([0.25, 0.75])).allclose(expected)


def test_tuples_are_states_and_not_distributions():
    chain = MarkovChain([[0, 1], [1, 0]], [(0, 1), (1, 0)])
    assert chain.step((0, 1)).P(state=(1, 0)) == 1
    path = chain.simulate((0, 1), 3, rng=0)
    assert path.tolist() == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert chain.simulate([(0, 1), (1, 0)], 1, rng=0, n_chains=2).shape == (
        2,
        2,
    )


def test_a_table_is_a_matrix():
    table = Table(
        [["1/2", "3/4"], ["1/2", "1/4"]],
        {"tomorrow": ("rain", "sun"), "today": ("rain", "sun")},
        given="today",
    )
    chain = MarkovChain(table)
    assert chain == MarkovChain([["1/2", "1/2"], ["3/4", "1/4"]], chain.states)
    shuffled = Table(
        [["1/4", "3/4"], ["1/2", "1/2"]],
        {"today": ("sun", "rain"), "tomorrow": ("sun", "rain")},
        given="today",
    )
    assert MarkovChain(shuffled).step("sun").P(state="rain") == F(3, 4)


@given(matrices(most=4))
def test_detailed_balance_is_kolmogorovs_criterion_of_cycles(matrix):
    chain = MarkovChain(matrix)
    if not chain.is_irreducible:
        return
    expected = all(
        np.prod([matrix[i][j] for i, j in itertools.pairwise([*way, way[0]])])
        == np.prod(
            [matrix[j][i] for i, j in itertools.pairwise([*way, way[0]])]
        )
        for size in range(2, len(matrix) + 1)
        for way in itertools.permutations(range(len(matrix)), size)
    )
    check = chain.detailed_balance()
    assert bool(check) == expected
    assert (check.there == check.back) == expected


def test_a_distribution_out_of_balance_is_shown():
    assert WEATHER.detailed_balance()
    assert str(WEATHER.detailed_balance()).startswith("Between any two")
    check = WEATHER.detailed_balance(["1/2", "1/2"])
    assert not check
    assert str(check) == "The flow from rain to sun is 1/4, and back 1/8."
    distribution = {"sun": 0.5, "rain": 0.5}
    assert "is 0.25, and back 0.125" in str(
        WEATHER.detailed_balance(distribution)
    )


@given(matrices(exact=False))
def test_distances_never_rise_and_obey_the_contraction(matrix):
    chain = MarkovChain(matrix)
    if sum(own.is_closed for own in chain.classes) > 1:
        return
    found = chain.distances(12)
    assert (np.diff(found) < 1e-12).all()
    distribution = chain.stationary()
    for t in (0, 1, 5):
        worst = max(
            total_variation(chain.step(state, t), distribution)
            for state in chain.states
        )
        assert found[t] == pytest.approx(worst, abs=1e-12)
    assert (found <= chain.contraction ** np.arange(13) + 1e-12).all()


@given(matrices())
def test_the_contraction_is_exact_and_bounded_by_common_columns(matrix):
    chain = MarkovChain(matrix)
    rows = np.array(matrix)
    assert chain.contraction == max(
        total_variation(p, q) for p in rows for q in rows
    )
    assert chain.contraction <= 1 - rows.min(axis=0).sum()


@given(matrices(exact=False), st.sampled_from([0.5, 0.25, 0.01]))
def test_the_mixing_time_is_the_first_time_of_being_close(matrix, epsilon):
    chain = MarkovChain(matrix)
    closed = [own for own in chain.classes if own.is_closed]
    if len(closed) > 1 or closed[0].period > 1:
        with pytest.raises(ProbabilityError, match=r"several|periodic"):
            chain.mixing_time(epsilon)
        return
    t = chain.mixing_time(epsilon)
    found = chain.distances(t)
    assert found[t] <= epsilon + 1e-8
    assert (found[:t] > epsilon - 1e-8).all()


def test_a_slow_chain_has_a_long_mixing_time():
    slow = MarkovChain([[1 - 1e-7, 1e-7], [1e-7, 1 - 1e-7]])
    # d(t) = (1 − 2e-7)^t / 2
    expected = np.log(0.5) / np.log1p(-2e-7)
    assert slow.mixing_time() == pytest.approx(expected, abs=2)
    assert slow.second_eigenvalue == pytest.approx(1 - 2e-7)


def test_the_second_eigenvalue_of_two_states_is_known():
    assert WEATHER.second_eigenvalue == pytest.approx(1 / 4)
    assert MarkovChain([[1]]).second_eigenvalue == 0
    assert MarkovChain([[0, 1], [1, 0]]).second_eigenvalue == pytest.approx(1)


def test_paths_follow_the_matrix():
    path = WEATHER.simulate("sun", 40_000, rng=3)
    assert path[0] == "sun"
    assert len(path) == 40_001
    after = path[1:][path[:-1] == "rain"]
    assert (
        chisquare([(after == "sun").sum(), (after == "rain").sum()]).pvalue
        > 0.01
    )
    assert (path == "sun").mean() == pytest.approx(2 / 3, abs=0.01)


def test_many_paths_have_the_distribution_of_the_step():
    paths = REDUCIBLE.simulate("a", 5, rng=1, n_chains=4000)
    assert paths.shape == (4000, 6)
    assert (paths[:, 0] == "a").all()
    distribution = REDUCIBLE.step("a", 5)
    for state in "abcd":
        share = (paths[:, -1] == state).mean()
        assert share == pytest.approx(
            float(distribution.P(state=state)), abs=0.03
        )


def test_paths_start_where_they_are_told():
    assert WEATHER.simulate(["rain"], 0, rng=0).tolist() == ["rain"]
    both = WEATHER.simulate(["rain", "sun"], 0, rng=0, n_chains=2)
    assert both.tolist() == [["rain"], ["sun"]]
    distribution = {"rain": 0.9, "sun": 0.1}
    drawn = WEATHER.simulate(distribution, 0, rng=0, n_chains=10_000)
    assert (drawn == "rain").mean() == pytest.approx(0.9, abs=0.01)


def test_a_seed_gives_the_same_path_again():
    first = WEATHER.simulate("sun", 50, rng=4).tolist()
    assert WEATHER.simulate("sun", 50, rng=4).tolist() == first
    generator = np.random.default_rng(4)
    assert WEATHER.simulate("sun", 50, rng=generator).tolist() == first


def test_impossible_steps_are_never_drawn():
    third = MarkovChain([[0, 0.1, 0.2, 0.7, 0], *[[0, 1, 0, 0, 0]] * 4])
    path = third.simulate(0, 5000, rng=0)
    assert set(path[2:].tolist()) == {1}
    paths = third.simulate(0, 1, rng=0, n_chains=20_000)
    assert set(paths[:, 1].tolist()) == {1, 2, 3}


@given(matrices(exact=False), matrices(exact=False))
def test_total_variation_is_the_largest_difference_of_an_event(p, q):
    p, q = p[0], q[0]
    size = max(len(p), len(q))
    p, q = (
        np.pad(distribution, (0, size - len(distribution)))
        for distribution in (p, q)
    )
    events = itertools.product([False, True], repeat=size)
    best = max(abs(p[list(e)].sum() - q[list(e)].sum()) for e in events)
    assert total_variation(p, q) == pytest.approx(best)


def test_total_variation_takes_distributions_of_any_form():
    table = Table(["1/2", "1/2"], {"sky": ("sun", "rain")})
    assert total_variation(table, {"rain": 1}) == F(1, 2)
    assert total_variation({"sun": 1}, {"snow": 1}) == 1
    assert isinstance(total_variation([0.5, 0.5], [1, 0]), float)


def test_the_graph_has_the_possible_steps():
    assert nx.is_frozen(WEATHER.graph)
    assert set(REDUCIBLE.graph.edges) == {
        ("a", "b"), ("a", "c"), ("b", "b"), ("c", "d"), ("d", "c"),
    }  # fmt: skip
    assert WEATHER.graph["sun"]["rain"]["probability"] == F(1, 4)


def test_chains_are_values():
    again = MarkovChain(WEATHER.table)
    assert again == WEATHER
    assert hash(again) == hash(WEATHER)
    assert WEATHER != REDUCIBLE
    assert WEATHER != "a chain"
    assert pickle.loads(pickle.dumps(WEATHER)) == WEATHER
    with pytest.raises(AttributeError, match="cannot be changed"):
        WEATHER.states = ()
    with pytest.raises(ValueError, match="read-only"):
        WEATHER.matrix[0, 0] = 1
    assert "<caption>P(next | now)</caption>" in WEATHER._repr_html_()


def test_one_chain_after_another():
    lazy = MarkovChain([["1/2", "1/2"], [0, 1]], WEATHER.states)
    both = WEATHER.then(lazy)
    assert both.step("sun") == lazy.step(WEATHER.step("sun"))
    with pytest.raises(ProbabilityError, match="must be the same"):
        WEATHER.then(REDUCIBLE)


@pytest.mark.parametrize(
    ("matrix", "states", "message"),
    [
        ([[1, 0], ["1/2", "1/3"]], "ab", r"now=b sum to 5/6, not to 1"),
        ([[1, 0], [-1, 2]], None, "now=1, next=0 is -1: negative"),
        ([[1, 0], [np.nan, 1]], None, "now=1, next=0 is nan"),
        ([[1, 0]], None, r"shape \(1, 2\)"),
        ([[1, 0], [1]], None, "different lengths"),
        ([[1, 0], [0, 1]], "a", "need the shape"),
        ([[1, 0], [0, 1]], "aa", "'a' of 'now' appears twice"),
        ([[1, 0], [0, "x"]], None, "not a number"),
        ([], None, "no states"),
        (np.ones((2, 2)), None, "sum to 2.0, not to 1"),
        (Table([1], {"X": "a"}), None, "one variable given one other"),
        (
            Table([[1, 0]], {"X": "a", "Y": "ab"}, given="X"),
            None,
            "the same states before and after",
        ),
        (
            Table([[1]], {"X": "a", "Y": "a"}, given="X"),
            "a",
            "leave `states` out",
        ),
    ],
)
def test_what_is_no_matrix_is_refused(matrix, states, message):
    with pytest.raises(ProbabilityError, match=message):
        MarkovChain(matrix, states)


def test_a_matrix_of_a_wrong_type():
    with pytest.raises(TypeError, match="give a list of rows"):
        MarkovChain(5)


def test_a_distribution_of_a_wrong_type():
    with pytest.raises(TypeError, match="p is 'sun'; give a table"):
        total_variation("sun", [1])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: WEATHER.step("sum"), "'sum'.*Did you mean 'sun'"),
        (lambda: WEATHER.step({"snow": 1}), "'snow', which is none of"),
        (lambda: WEATHER.step({"sun": "1/2"}), "sum to 1/2, not to 1"),
        (lambda: WEATHER.step([1, 0, 0]), "3 probabilities for 2 states"),
        (lambda: WEATHER.step(7), "7, which is none of"),
        (lambda: WEATHER.step("sun", -1), "at least 0"),
        (lambda: WEATHER.step("sun", 1.5), "not a whole number"),
        (
            lambda: WEATHER.step(WEATHER.table),
            "not the distribution of one variable",
        ),
        (lambda: REDUCIBLE.period, r"\{'a'\} or \{'b'\} or \{'c', 'd'\}"),
        (REDUCIBLE.stationary, r"never leaves \{'b'\} or \{'c', 'd'\}"),
        (lambda: WEATHER.simulate("snow", 3, rng=0), "start is 'snow'"),
        (
            lambda: WEATHER.simulate(["sun"], 3, rng=0, n_chains=2),
            "1 starts for 2 chains",
        ),
        (lambda: WEATHER.simulate("sun", -3, rng=0), "at least 0"),
        (
            lambda: WEATHER.simulate("sun", 3, rng=0, n_chains=0),
            "n_chains is 0",
        ),
        (lambda: WEATHER.mixing_time(0), "must be between"),
        (
            lambda: MarkovChain([[0, 1], [1, 0]]).mixing_time(),
            "period 2: its distribution does not converge",
        ),
        (lambda: total_variation([1], ["1/2", "1/2"]), "has 1 probabilities"),
        (lambda: total_variation([0.5], [1]), "sum to 0.5, not to 1"),
    ],
)
def test_senseless_questions_are_refused(ask, message):
    with pytest.raises(ProbabilityError, match=message):
        ask()
