"""Statements whose formulas say little, tried on everything that is small."""

from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import prod

import networkx as nx
import notebooks
import pytest
from book_texts import pages
from graph_truth import all_dags, subsets

# --- The smallest separating set --------------------------------------------


def separates(graph, node, kept, others):
    rest = others - kept
    return not rest or nx.is_d_separator(graph, {node}, rest, kept)


def test_the_smallest_separating_set_has_all_that_no_other_node_separates():
    tried = set()
    for graph in [*all_dags("ABCD")][::3]:
        for node in graph:
            for others in map(set, subsets(set(graph) - {node})):
                separating = [
                    kept
                    for kept in map(set, subsets(others))
                    if separates(graph, node, kept, others)
                ]
                smallest = {
                    other
                    for other in others
                    if not separates(graph, node, others - {other}, others)
                }
                assert smallest in separating
                assert all(smallest <= kept for kept in separating)
                tried.add((len(others), len(smallest)))
    assert tried == {(n, k) for n in range(4) for k in range(n + 1)}


# --- Plates -----------------------------------------------------------------

# From eleven copies on, indices without a mark between them are ambiguous.
SIZES = {"i": 11, "j": 12}


@pytest.fixture(scope="module")
def unroll():
    """Return the function of the chapter."""
    [source] = (
        cell.source
        for cell in notebooks.parse(
            pages()["d_separation"].read_text("utf-8")
        ).cells
        if cell.cell_type == "code" and "def unroll(" in cell.source
    )
    names = {"nx": nx, "product": product}
    exec(source, names)
    return names["unroll"]


@pytest.mark.parametrize("above", ["", "i", "j", "ij"])
@pytest.mark.parametrize("below", ["", "i", "j", "ij"])
def test_a_plate_is_unrolled_by_its_definition(unroll, above, below):
    graph = nx.DiGraph([("A", "B")])
    unrolled = unroll(graph, {"A": above, "B": below}, SIZES)

    # One world for each value of all indices: in it the arrow is seen once.
    def copy(node, plates, world):
        return "_".join([node, *(str(world[plate]) for plate in plates)])

    ranges = [range(1, size + 1) for size in SIZES.values()]
    worlds = [dict(zip(SIZES, at, strict=True)) for at in product(*ranges)]
    assert set(unrolled.edges) == {
        (copy("A", above, world), copy("B", below, world)) for world in worlds
    }
    copies = [prod(SIZES[plate] for plate in each) for each in (above, below)]
    assert len(unrolled) == sum(copies)


# --- Gaps at random ---------------------------------------------------------

ROWS = [*product((0, 1), repeat=2)]
MASKS = [(True, True), (True, False), (False, True)]
LAWS = [
    dict(zip(ROWS, [F(1, 2), F(1, 4), F(1, 8), F(1, 8)], strict=True)),
    dict(zip(ROWS, [F(1, 10), F(2, 10), F(3, 10), F(4, 10)], strict=True)),
]


def at_random(mask, row, law):
    """One value decides whether the other is hidden, either way."""
    hides = {
        (True, False): F(1 + row[0], 5),
        (False, True): F(2 - row[1], 7),
    }
    return hides.get(mask, 1 - sum(hides.values()))


def not_at_random(mask, row, law):
    return at_random(mask, row[::-1], law)


def at_random_with_a_shared_parameter(mask, row, law):
    hides = {(True, False): law[1, 1], (False, True): F(0)}
    return hides.get(mask, 1 - sum(hides.values()))


def seen(row, mask):
    return [
        value if shown else None
        for value, shown in zip(row, mask, strict=True)
    ]


def factors(mechanism, law):
    """Return P(seen, mask) / P(seen), for each mask and what it shows."""
    found = []
    for row, mask in product(ROWS, MASKS):
        same = [each for each in ROWS if seen(each, mask) == seen(row, mask)]
        both = sum(law[x] * mechanism(mask, x, law) for x in same)
        found.append(both / sum(law[x] for x in same))
    return found


@pytest.mark.parametrize(
    ("mechanism", "may_be_ignored"),
    [
        (at_random, True),
        (not_at_random, False),
        (at_random_with_a_shared_parameter, False),
    ],
)
def test_when_the_reason_for_gaps_may_be_ignored(mechanism, may_be_ignored):
    for law, row in product(LAWS, ROWS):
        assert sum(mechanism(mask, row, law) for mask in MASKS) == 1
    one, other = (factors(mechanism, law) for law in LAWS)
    assert (one == other) == may_be_ignored


# --- What adds up -----------------------------------------------------------

MONOIDS = {
    "sums modulo 3": lambda a, b: (a + b) % 3,
    "the greatest": max,
}


def datasets(most):
    """Return all datasets of two kinds of rows, in order, empty one first."""
    sizes = range(most + 1)
    return [
        data
        for size in sizes
        for data in combinations_with_replacement("xy", size)
    ]


def total(values, plus):
    found = 0
    for each in values:
        found = plus(found, each)
    return found


@pytest.mark.parametrize("plus", MONOIDS.values(), ids=MONOIDS)
def test_what_adds_up_is_a_sum_over_the_rows(plus):
    small = datasets(2)
    pairs = [(a, b) for a, b in product(small, repeat=2) if len(a + b) <= 2]
    sums = []
    for values in product(range(3), repeat=len(small)):
        T = dict(zip(small, values, strict=True))
        adds_up = T[()] == 0 and all(
            T[tuple(sorted(a + b))] == plus(T[a], T[b]) for a, b in pairs
        )
        is_sum = any(
            all(T[data] == total(map(t.get, data), plus) for data in small)
            for t in ({"x": x, "y": y} for x, y in product(range(3), repeat=2))
        )
        assert adds_up == is_sum
        sums.append(is_sum)
    assert sums.count(True) == 3**2


@pytest.mark.parametrize("plus", MONOIDS.values(), ids=MONOIDS)
def test_parts_of_data_sum_to_the_whole(plus):
    rows = "xyyx"
    for x, y in product(range(3), repeat=2):
        t = {"x": x, "y": y}
        whole = total(map(t.get, rows), plus)
        # Each row goes to one of three parts, in every way.
        for parts in product(range(3), repeat=len(rows)):
            first, second, third = (
                total(
                    (t[r] for r, p in zip(rows, parts, strict=True) if p == k),
                    plus,
                )
                for k in range(3)
            )
            assert plus(plus(first, second), third) == whole
            assert plus(third, plus(first, second)) == whole
            assert plus(first, plus(third, second)) == whole
