"""Frames of every kind of column, cut into parts, and what cases must be."""

from itertools import pairwise

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from hypothesis import strategies as st

# Columns of every kind that states can be of.
KINDS = {
    "text": (st.sampled_from(["c", "a", "b"]), None),
    "number": (st.integers(0, 3), None),
    "float": (st.sampled_from([0.0, 2.0, 1.0]), None),
    "truth": (st.booleans(), None),
    "mixed": (st.sampled_from([3, "x", 1, None]), object),
    "category": (
        st.sampled_from(["low", "high"]),
        pd.CategoricalDtype(["none", "low", "high"], ordered=True),
    ),
    "missing": (st.sampled_from(["a", "b", None]), None),
}


WEIGHTS = st.integers(0, 3)


@st.composite
def frames(draw, kinds=tuple(KINDS), weights=WEIGHTS):
    """Draw a frame with a column `weight`."""
    n = draw(st.integers(1, 30))

    def column(values, dtype=None):
        rows = draw(st.lists(values, min_size=n, max_size=n))
        return pd.Series(rows, dtype=dtype)

    frame = pd.DataFrame({name: column(*KINDS[name]) for name in kinds})
    # A column without any value is an error, which is tested elsewhere.
    frame = frame.loc[:, frame.notna().any()]
    return frame.assign(weight=column(weights))


@st.composite
def cut(draw, frame):
    """Cut a frame into chunks, with columns in any order."""
    places = draw(st.lists(st.integers(0, len(frame)), max_size=8))
    bounds = [0, *sorted(places), len(frame)]
    chunks = []
    for start, stop in pairwise(bounds):
        order = draw(st.permutations(list(frame)))
        chunks.append(frame.iloc[start:stop][list(order)])
    return chunks


def in_order_of_the_first(chunks):
    """Return all rows, with the columns in the order of the first chunk."""
    return pd.concat([own for own in chunks if len(own)])[list(chunks[0])]


def assert_same_cases(cases, wanted, *, exact=True):
    """Compare names, states, codes and all counts."""
    assert cases.names == wanted.names
    assert list(map(repr, cases.states.items())) == list(
        map(repr, wanted.states.items())
    )
    assert cases.n_rows == len(cases) == wanted.n_rows
    assert cases.has_missing == wanted.has_missing
    for own, other in zip(cases.columns, wanted.columns, strict=True):
        np.testing.assert_array_equal(own, other, strict=True)
    weights = cases.weights  # each time, a file or partitions may be read
    assert (weights is None) == (wanted.weights is None)
    if wanted.weights is not None:
        np.testing.assert_array_equal(weights, wanted.weights)
    first, last = wanted.names[0], wanted.names[-1]
    families = {(), (first,), (last, first), wanted.names[::-1][:3]}
    families = [own for own in families if len(set(own)) == len(own)]
    tables = zip(cases.count(families), wanted.count(families), strict=True)
    distinct, all_distinct = cases.distinct(), wanted.distinct()
    for own, other in zip(distinct.columns, all_distinct.columns, strict=True):
        np.testing.assert_array_equal(own, other)
    numbers = [
        *tables,
        (cases.count_pairs(), wanted.count_pairs()),
        (distinct.weights, all_distinct.weights),
        (cases.total, wanted.total),
    ]
    for own, other in numbers:
        if exact:
            np.testing.assert_array_equal(own, other)
        else:
            np.testing.assert_allclose(own, other, rtol=1e-13)


def chunk(*rows, name="a"):
    """Return a frame of one column."""
    return pd.DataFrame({name: rows})


MEASURED = np.linspace(0, 1, 7)


def partitions(*chunks):
    """Return a frame of Dask whose partitions are these frames."""
    return dd.from_delayed([dask.delayed(own) for own in chunks])
