"""Tables as plain dictionaries from states to fractions."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from bayesbook.probability import Table


def cells(table):
    """Return a table as a dictionary from tuples of states to numbers."""
    places = itertools.product(*map(range, table.shape))
    keys = itertools.product(*table.states.values())
    return {
        key: table.values[place]
        for key, place in zip(keys, places, strict=True)
    }


def total(distribution, names, **wanted):
    """Add up the cells that have the wanted states."""
    at = {name: i for i, name in enumerate(names)}
    return sum(
        p
        for key, p in distribution.items()
        if all(key[at[name]] == state for name, state in wanted.items())
    )


@st.composite
def joints(draw, least=1, most=4, positive=False):
    """Draw exact joint tables with variables A, B, ... of 1 to 3 states."""
    n = draw(st.integers(least, most))
    names = "ABCD"[:n]
    shape = [draw(st.integers(1, 3)) for _ in names]
    size = math.prod(shape)
    weights = draw(
        st.lists(st.integers(int(positive), 9), min_size=size, max_size=size)
    )
    assume(sum(weights))
    values = np.array([F(w, sum(weights)) for w in weights], dtype=object)
    states = {name: range(k) for name, k in zip(names, shape, strict=True)}
    return Table(values.reshape(shape), states)


def subsets(table):
    names = table.variables
    return st.sets(st.sampled_from(names)).map(
        lambda chosen: [name for name in names if name in chosen]
    )


FACES = range(1, 7)
DICE = Table.from_counts(
    {(i, j): 1 for i in FACES for j in FACES}, ["X", "Y"], exact=True
)
