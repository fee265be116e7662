"""Tests of independence beside scipy's tests of single tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.data import pairwise_information
from bayesbook.network import independence_test

STATISTICS = {"G": "log-likelihood", "chi-squared": "pearson"}
TABLES = arrays(np.int64, (2, 3, 4), elements=st.integers(0, 9)).filter(np.any)


def frame_of(counts):
    """Return rows with these counts of the columns z, x and y."""
    codes = np.repeat(np.argwhere(counts >= 0), counts.ravel(), axis=0)
    return pd.DataFrame(codes, columns=list("zxy")).astype(str)


def by_scipy(counts, name):
    """Add the tests of the tables of x and y, without empty lines."""
    value, freedom = 0.0, 0
    for table in counts:
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        if min(table.shape) > 1:
            found = stats.chi2_contingency(
                table, correction=False, lambda_=STATISTICS[name]
            )
            value, freedom = value + found.statistic, freedom + found.dof
    return value, freedom, stats.chi2.sf(value, freedom) if freedom else 1.0


@pytest.mark.parametrize("name", STATISTICS)
@given(TABLES)
def test_the_sum_of_the_tests_of_scipy(name, counts):
    rows = frame_of(counts)
    assert independence_test(
        rows, "x", "y", "z", statistic=name
    ) == pytest.approx(by_scipy(counts, name), abs=1e-9)
    together = counts.sum(axis=0, keepdims=True)
    assert independence_test(rows, "x", "y", statistic=name) == pytest.approx(
        by_scipy(together, name), abs=1e-9
    )


@given(TABLES)
def test_both_ways_and_by_weights_it_is_the_same(counts):
    rows = frame_of(counts)
    found = independence_test(rows, "x", "y", "z")
    assert independence_test(rows, "y", "x", ["z"]) == pytest.approx(found)
    weighted = rows.value_counts().rename("n").reset_index()
    assert independence_test(
        weighted, "x", "y", "z", weights="n"
    ) == pytest.approx(found)


@given(TABLES)
def test_g_is_the_information_of_the_counts(counts):
    rows = frame_of(counts)
    codes = rows[["x", "y"]].to_numpy(dtype=int)
    nats = pairwise_information(codes)[0, 1]
    found = independence_test(rows, "x", "y").statistic
    assert found == pytest.approx(2 * len(rows) * nats, abs=1e-9)


@pytest.mark.parametrize("name", STATISTICS)
def test_a_true_independence_is_refused_as_often_as_stated(name):
    rng = np.random.default_rng(5)
    p_values = []
    for _ in range(300):
        z = rng.integers(2, size=1000)
        x = rng.integers(2 + z)
        y = rng.integers(3 - z)
        rows = pd.DataFrame({"x": x, "y": y, "z": z})
        found = independence_test(rows, "x", "y", "z", statistic=name)
        assert found.degrees_of_freedom == 4
        p_values.append(found.p_value)
    # Standard error of the share: 0.013.
    assert 0.01 < np.mean(np.array(p_values) < 0.05) < 0.09
    assert stats.kstest(p_values, "uniform").pvalue > 0.01


def test_what_cannot_vary_is_independent():
    rows = pd.DataFrame({"x": ["a"] * 9, "y": list("uv") * 4 + ["u"]})
    assert independence_test(rows, "x", "y") == (0.0, 0, 1.0)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"x": "w"}, "'w' is not a variable"),
        ({"given": ["x"]}, "twice"),
        ({"y": "x"}, "twice"),
        ({"statistic": "g"}, "must be one of 'G', 'chi-squared', not 'g'"),
        ({"statistic": ["G"]}, "must be one of"),
    ],
)
def test_what_is_asked_wrongly(asked, message):
    rows = frame_of(np.ones((2, 2, 2), dtype=int))
    with pytest.raises(ProbabilityError, match=message):
        independence_test(rows, **{"x": "x", "y": "y", **asked})


def test_missing_values_are_refused():
    rows = pd.DataFrame({"x": ["a", None], "y": ["u", "v"]})
    with pytest.raises(ProbabilityError, match="missing"):
        independence_test(rows, "x", "y")
