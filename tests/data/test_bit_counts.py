"""The bits must give the very counts of the joint codes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.data import Cases, count_families
from bayesbook.data.bit_counts import Bits


@st.composite
def columns_and_families(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_states = draw(st.lists(st.integers(1, 5), min_size=6, max_size=9))
    n_rows = draw(st.sampled_from([1, 7, 63, 64, 65, 200]))
    low = [draw(st.sampled_from([-1, 0])) for _ in n_states]
    columns = [
        rng.integers(lowest, own, n_rows).astype(np.int8)
        for lowest, own in zip(low, n_states, strict=True)
    ]
    places = range(len(n_states))
    base = draw(st.lists(st.sampled_from(places), max_size=3, unique=True))
    star = [(*base, m) for m in places if m not in base]
    star += [tuple(base[:i] + base[i + 1 :]) for i in range(len(base))]
    families = st.lists(st.sampled_from(places), max_size=4, unique=True)
    others = draw(st.lists(families.map(tuple), max_size=8))
    return columns, n_states, [*star, tuple(base), *others]


@given(columns_and_families())
def test_the_counts_are_those_of_joint_codes(problem):
    columns, n_states, families = problem
    incomplete = {m for m, column in enumerate(columns) if column.min() < 0}
    found = Bits(columns, n_states, incomplete).count(map(frozenset, families))
    for family, (order, table) in found.items():
        assert family == frozenset(order)
        (wanted,) = count_families(columns, n_states, [order])
        assert table.shape == wanted.shape
        np.testing.assert_array_equal(table, wanted)


@given(columns_and_families())
def test_cases_count_in_the_order_of_the_families(problem):
    columns, n_states, families = problem
    frame = pd.DataFrame(
        {
            f"x{m}": pd.Categorical.from_codes(column, range(own))
            for m, (column, own) in enumerate(
                zip(columns, n_states, strict=True)
            )
        }
    )
    named = [tuple(f"x{m}" for m in family) for family in families]
    found = Cases(frame, missing="keep").count(named)
    wanted = count_families(columns, n_states, families)
    for table, own in zip(found, wanted, strict=True):
        assert table.shape == own.shape
        np.testing.assert_array_equal(table, own)


def random_columns(n_states, n_rows=1000, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, own, n_rows) for own in n_states]


def stars_of(n_states, families, incomplete=()):
    columns = random_columns(n_states)
    found = Bits(columns, n_states, incomplete).count(map(frozenset, families))
    return set(found)


def test_what_a_search_asks_of_a_node_is_a_star():
    families = [(0, 1, m) for m in range(2, 8)] + [(0, 1), (0,), (1,)]
    assert stars_of([2] * 8, families) == set(map(frozenset, families))


def test_all_pairs_are_stars_but_for_the_last():
    pairs = {frozenset([i, j]) for i in range(8) for j in range(i)}
    found = stars_of([3] * 8, pairs)
    left = pairs - found
    assert {len(family) for family in found} == {1, 2}
    assert len(left) == 6  # the pairs of four columns


@pytest.mark.parametrize(
    ("n_states", "why"),
    [
        ([2, 20, 2, 2, 2, 2], "the base has a column with many states"),
        ([2, 2, 20, 20, 20, 20], "the others have many states"),
        ([9, 9, 2, 2, 2, 2], "the base has many cells"),
    ],
)
def test_where_bits_would_take_longer_there_are_none(n_states, why):
    families = [(0, 1, m) for m in range(2, 6)]
    assert not stars_of(n_states, families), why


def test_few_families_are_no_star():
    assert not stars_of([2] * 6, [(0, 1, 2), (0, 1, 3), (0, 1, 4)])


def test_sums_over_a_column_with_missing_values_would_lack_rows():
    families = [(0, 1, m) for m in range(2, 6)]
    found = stars_of([2] * 6, families, incomplete={1})
    assert frozenset([1]) in found  # over 0, which has none
    assert frozenset([0]) not in found


def test_more_bits_than_a_count_of_sixteen_bits_can_hold():
    columns = [np.zeros(70_000, dtype=np.int8)] * 6
    families = [(0, m) for m in range(1, 6)]
    found = Bits(columns, [2] * 6, ()).count(map(frozenset, families))
    for family in map(frozenset, families):
        assert found[family][1][0, 0] == 70_000
