"""Sums of products against numpy.einsum."""

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.network.inference import _contraction, _sums
from bayesbook.network.inference._contraction import Contraction
from bayesbook.network.inference._sums import marginal, summed


def by_einsum(arrays, operands, keep, sizes):
    """Compute what a contraction should; ones for nodes of no array."""
    terms = [
        part for pair in zip(arrays, operands, strict=True) for part in pair
    ]
    for node in keep:
        terms += [np.ones(sizes[node]), (node,)]
    return np.einsum(*terms, tuple(keep))


def in_order(found, contraction, keep):
    """Put the axes of a result in the order that was asked for."""
    assert sorted(contraction.axes) == sorted(keep)
    return found.transpose([contraction.axes.index(node) for node in keep])


@st.composite
def products(draw, n_nodes=6):
    """Make arrays of some of the nodes, in any order of axes."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=n_nodes))
    nodes = st.lists(
        st.sampled_from(range(len(sizes))), unique=True, max_size=4
    ).map(tuple)
    operands = draw(st.lists(nodes, min_size=1, max_size=6))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    arrays = [rng.random([sizes[n] for n in axes]) for axes in operands]
    return sizes, operands, arrays, nodes


LIMITS = {
    "as they are": {},
    "no tiny products": {"_TINY_PRODUCT": 0},
    "tiny products only": {"_TINY_PRODUCT": 10**9},
    "two by two": {"_ORDERED": 1, "_MORE_ORDERED": 1},
    "all orders": {"_ORDERED": 6},
    "no copies": {"_LARGEST_COPY": 0},
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
@given(products(), st.data())
@settings(max_examples=60)
def test_is_a_sum_of_products(limits, product, data):
    sizes, operands, arrays, nodes = product
    keep = data.draw(nodes)
    as_made = data.draw(st.booleans())
    chosen = data.draw(st.sets(st.sampled_from(range(len(arrays)))))
    fixed = {i: arrays[i] for i in chosen}
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            patch.setattr(_contraction, name, limit)
        contraction = Contraction(
            operands, keep, sizes, fixed=fixed, as_made=as_made
        )
        found = contraction(arrays)
    assert as_made or contraction.axes == keep
    wanted = by_einsum(arrays, operands, keep, sizes)
    assert_allclose(in_order(found, contraction, keep), wanted, rtol=1e-12)


@given(products(), st.data())
@settings(max_examples=300)
def test_several_sums_share_their_products(product, data):
    """Each of them without one array or with all, in any order of axes."""
    sizes, operands, arrays, nodes = product
    known = {}
    for _ in range(4):
        out = data.draw(st.integers(-1, len(arrays) - 1))
        places = [i for i in range(len(arrays)) if i != out] or [0]
        own = [operands[i] for i in places]
        keep = data.draw(nodes)
        as_made = data.draw(st.booleans())
        contraction = Contraction(own, keep, sizes, places, as_made=as_made)
        found = contraction(arrays, known)
        wanted = by_einsum([arrays[i] for i in places], own, keep, sizes)
        assert_allclose(in_order(found, contraction, keep), wanted, rtol=1e-12)


@pytest.mark.parametrize("first", [False, True])
def test_a_shared_product_as_it_was_made(first):
    """One takes the product of A and B as it is made, (1, 0) for (0, 1)."""
    sizes = [2, 3, 4]
    rng = np.random.default_rng(0)
    operands = [(0,), (1, 0), (0, 1, 2)]
    arrays = [rng.random([sizes[n] for n in axes]) for axes in operands]
    made = Contraction(operands[:2], (0, 1), sizes, [0, 1], as_made=True)
    every = Contraction(operands, (2,), sizes)
    known = {}
    for contraction in (made, every) if first else (every, made):
        found = contraction(arrays, known)
        keep = (0, 1) if contraction is made else (2,)
        own = slice(2) if contraction is made else slice(3)
        wanted = by_einsum(arrays[own], operands[own], keep, sizes)
        assert_allclose(in_order(found, contraction, keep), wanted, rtol=1e-12)


@given(products(), st.data())
def test_marginals(product, data):
    _, operands, arrays, _ = product
    axes, array = operands[0], arrays[0]
    keep = data.draw(st.permutations(axes))
    keep = tuple(keep[: data.draw(st.integers(0, len(keep)))])
    wanted = np.einsum(array, axes, keep)
    assert_allclose(marginal(array, axes, keep), wanted, rtol=1e-12)


@pytest.mark.parametrize("limits", [(8, 16_384), (0, 0), (100, 10**6)])
@given(st.data())
def test_sums_over_axes(limits, data):
    shape = data.draw(st.lists(st.integers(1, 5), max_size=6))
    drop = tuple(i for i in range(len(shape)) if data.draw(st.booleans()))
    array = np.random.default_rng(0).random(shape)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sums, "_NARROW", limits[0])
        patch.setattr(_sums, "_FOLD", limits[1])
        if drop:
            found = _sums.SumOverAxes(tuple(shape), drop)(array)
            assert_allclose(found, array.sum(axis=drop), rtol=1e-12)
    found = summed(array, drop)
    assert found.size == prod(n for i, n in enumerate(shape) if i not in drop)
    assert_allclose(found, array.sum(axis=drop) if drop else array, rtol=1e-12)
