"""Stars against tables that are counted one by one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_truth import NAMES, SCORES

from bayesbook.data import Cases
from bayesbook.network.learning import _star_counts
from bayesbook.network.learning._star_counts import StarCounts

SIZES = dict(zip("ABCDE", (2, 3, 4, 2, 3), strict=True))


class Elsewhere(Cases):
    """Cases whose rows may not be in memory."""


def rows_of(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            name: pd.Categorical(rng.integers(size, size=n_rows), range(size))
            for name, size in SIZES.items()
        }
    )


@given(st.integers(0, 10**6), st.booleans(), st.integers(1, 4))
def test_a_star_has_the_tables_of_its_families(seed, is_weighted, n_base):
    rng = np.random.default_rng(seed)
    frame = rows_of(seed)
    weights = rng.integers(4, size=len(frame)) if is_weighted else None
    cases = Cases(frame, weights=weights)
    names = rng.permutation(list(SIZES)).tolist()
    base, others = names[:n_base], names[n_base:]
    counted = StarCounts(cases).count(base, others)
    tables = cases.count([[*base, other] for other in others])
    expected = [table.reshape(len(counted), -1) for table in tables]
    assert np.array_equal(counted, np.concatenate(expected, axis=1))


@pytest.mark.parametrize("name", NAMES)
def test_scores_of_a_star_are_those_of_its_families(name, monkeypatch):
    frame = rows_of(1)
    changes = [
        ("A", frozenset("BE"), ["D", "C"], ["B"]),
        ("C", frozenset(), ["A"], []),
    ]
    fast, slow = SCORES[name](frame), SCORES[name](frame)
    fast.prepare_changes(changes)
    assert fast.n_counted == 4
    monkeypatch.setattr(_star_counts, "_FEW_ROWS", 0)
    slow = SCORES[name](frame)
    slow.prepare_changes(changes)
    for node, parents, added, removed in changes:
        sets = [parents ^ {other} for other in added + removed]
        assert fast.locals(node, sets) == pytest.approx(
            slow.locals(node, sets), rel=1e-12
        )
    assert fast.n_counted == slow.n_counted == 4


def test_what_is_too_large_is_counted_otherwise(monkeypatch):
    frame = rows_of(2)
    assert StarCounts(Cases(frame)).can_count(["A", "B"])
    assert not StarCounts(Elsewhere(frame)).can_count(["A", "B"])
    # The family has 6 cells, and the columns have 14 states.
    for limit, is_possible in ((6 * 14, False), (40 * 5, True)):
        monkeypatch.setattr(_star_counts, "_MOST_CELLS", limit)
        own = StarCounts(Cases(frame))
        assert own.can_count(["A", "B"]) == is_possible
    assert not own.can_count(["A", "B", "C"])
    monkeypatch.setattr(_star_counts, "_FEW_ROWS", 39)
    assert not StarCounts(Cases(frame)).can_count(["A", "B"])
