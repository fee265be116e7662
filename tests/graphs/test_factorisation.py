"""Factorisations against products of cells, and samples against tables."""

import itertools
import math
from fractions import Fraction as F

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from bayesbook.base import (
    GraphError,
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.graphs import (
    ancestral_sample,
    chain_rule,
    factorise,
    graph_of,
    random_dag,
    random_tables,
)
from bayesbook.probability import Table

BITS = (0, 1)


@st.composite
def graphs(draw, most=5):
    """Draw an acyclic graph, its nodes added in any order."""
    n = draw(st.integers(1, most))
    order = draw(st.permutations("ABCDE"[:n]))
    pairs = list(itertools.combinations(order, 2))
    chosen = (
        draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    )
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(order))
    graph.add_edges_from(chosen)
    return graph


seeds = st.integers(0, 2**32 - 1)


@given(graphs(), seeds, st.data())
def test_the_joint_is_the_product_of_the_cells(graph, seed, data):
    tables = random_tables(graph, rng=seed)
    joint = chain_rule(data.draw(st.permutations(tables)))
    assert set(joint.variables) == set(graph)
    for bits in itertools.product(BITS, repeat=len(graph)):
        cell = dict(zip(graph, bits, strict=True))
        factors = [
            table.P(
                {name: cell[name] for name in table.targets},
                given={name: cell[name] for name in table.conditions},
            )
            for table in tables
        ]
        assert joint.P(cell) == pytest.approx(math.prod(factors))


@given(graphs(), seeds)
def test_the_tables_and_the_graph_can_be_read_off_their_product(graph, seed):
    tables = random_tables(graph, rng=seed)
    joint = chain_rule(tables)
    assert nx.utils.graphs_equal(graph_of(tables), graph_of(tables[::-1]))
    assert set(graph_of(tables).edges) == set(graph.edges)
    back = {table.targets: table for table in factorise(joint, graph)}
    for table in tables:
        assert back[table.targets].allclose(table)


@given(graphs(most=4), seeds)
def test_along_a_complete_graph_every_distribution_factorises(graph, seed):
    joint = chain_rule(random_tables(graph, rng=seed))
    for order in itertools.permutations(joint.variables):
        complete = nx.DiGraph()
        complete.add_nodes_from(order)
        complete.add_edges_from(itertools.combinations(order, 2))
        assert chain_rule(factorise(joint, complete)).allclose(joint)


def test_d_separation_is_independence_in_2000_random_distributions():
    rng = np.random.default_rng(0)
    gaps = {True: [], False: []}
    for _ in range(2000):
        n = int(rng.integers(4, 9))
        graph = random_dag(n, rng.uniform(0.1, 0.7), rng=rng)
        distribution = chain_rule(random_tables(graph, rng=rng))
        for _ in range(2):
            nodes = rng.permutation(sorted(graph)).tolist()
            # Two nodes, or two sets, and any of the others known.
            i, j = 1, 2
            if rng.random() < 0.5:
                i, j = sorted(rng.choice(range(1, n), 2, replace=False))
            k = rng.integers(j, n + 1)
            x, y, known = nodes[:i], nodes[i:j], nodes[j:k]
            separated = nx.is_d_separator(graph, {*x}, {*y}, {*known})
            gaps[separated].append(distribution.independent(x, y, known).gap)
    assert min(map(len, gaps.values())) > 1000
    assert max(gaps[True]) < 1e-12
    # The other direction is true of nearly all distributions.
    assert np.mean([gap > 1e-9 for gap in gaps[False]]) > 0.999


def test_a_chain_is_a_fork_to_the_last_fraction():
    p_x = Table(["1/3", "2/3"], {"X": BITS})
    p_y = Table([["1/2", "1/2"], ["1/5", "4/5"]], {"X": BITS, "Y": BITS}, "X")
    p_z = Table([["3/7", "4/7"], ["1/9", "8/9"]], {"Y": BITS, "Z": BITS}, "Y")
    chain = chain_rule([p_z, p_y, p_x])
    fork = factorise(chain, nx.DiGraph([("Y", "X"), ("Y", "Z")]))
    assert [table.title for table in fork] == ["P(Y)", "P(X | Y)", "P(Z | Y)"]
    assert chain_rule(fork) == chain
    assert chain.is_exact
    collider = factorise(chain, nx.DiGraph([("X", "Y"), ("Z", "Y")]))
    assert chain_rule(collider) != chain


def test_a_product_may_stay_conditional():
    half = [["1/2", "1/2"], ["1/4", "3/4"]]
    p_y = Table(half, {"X": BITS, "Y": BITS}, "X")
    p_z = Table(half, {"Y": BITS, "Z": BITS}, "Y")
    assert chain_rule([p_z, p_y]).title == "P(Y, Z | X)"
    assert chain_rule([p_z]) == p_z


# -- sampling ----------------------------------------------------------------


def test_frequencies_fit_the_table():
    graph = nx.DiGraph([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])
    tables = random_tables(graph, rng=3, states=("low", "mid", "high"))
    joint = chain_rule(tables)
    n = 40_000
    rows = ancestral_sample(tables[::-1], n, rng=4)
    assert rows.columns[0] == "A"
    observed = Table.from_frame(
        rows.astype({name: joint_dtype(joint, name) for name in rows})
    )
    expected = joint.transpose(*observed.variables).with_states(
        observed.states
    )
    assert (
        chisquare(
            observed.values.ravel() * n, expected.values.ravel() * n
        ).pvalue
        > 0.001
    )
    error = np.sqrt(expected.values * (1 - expected.values) / n)
    assert (np.abs(observed.values - expected.values) < 4.5 * error).all()


def joint_dtype(joint, name):
    import pandas as pd

    return pd.CategoricalDtype(joint.states[name])


def test_a_sample_is_decided_by_the_seed():
    tables = random_tables(nx.DiGraph([("X", "Y")]), rng=0)
    one = ancestral_sample(tables, 50, rng=1)
    assert one.equals(
        ancestral_sample(tables, 50, rng=np.random.default_rng(1))
    )
    assert not one.equals(ancestral_sample(tables, 50, rng=2))
    assert ancestral_sample(tables, 0, rng=1).shape == (0, 2)


class Ends(np.random.Generator):
    """A generator whose draws are the ends of [0, 1)."""

    def random(self, size):
        return np.array([0.0, 1 - 2**-53])


def test_what_has_probability_zero_is_never_drawn():
    distribution = [0.0, 0.1, 0.2, 0.7 - 4e-10, 0.0]
    p_x = Table(distribution, {"X": range(5)})
    copy = Table(np.eye(5), {"X": range(5), "Y": range(5)}, "X")
    rows = ancestral_sample([copy, p_x], 2, rng=Ends(np.random.PCG64()))
    assert rows["X"].tolist() == rows["Y"].tolist() == [1, 3]


def test_several_targets_are_drawn_together():
    both = Table([[0, "1/2"], ["1/2", 0]], {"X": BITS, "Y": ("a", "b")})
    rows = ancestral_sample([both], 1000, rng=0)
    assert set(zip(rows["X"], rows["Y"], strict=True)) == {(0, "b"), (1, "a")}


def test_the_target_may_be_the_first_axis():
    p_x = Table([0.0, 1.0, 0.0], {"X": range(3)})
    p_y = Table([[1, 0, 1], [0, 1, 0]], {"Y": BITS, "X": range(3)}, "X")
    assert ancestral_sample([p_x, p_y], 20, rng=0)["Y"].tolist() == [1] * 20


def test_the_order_of_states_may_differ_between_tables():
    p_x = Table([1.0, 0.0], {"X": ("a", "b")})
    p_y = Table([[0.0, 1.0], [1.0, 0.0]], {"X": ("b", "a"), "Y": BITS}, "X")
    assert (ancestral_sample([p_x, p_y], 20, rng=0)["Y"] == 0).all()


# -- bad input ---------------------------------------------------------------


def circle():
    half = [[0.5, 0.5], [0.2, 0.8]]
    return [
        Table(half, {"Y": BITS, "X": BITS}, "Y"),
        Table(half, {"X": BITS, "Y": BITS}, "X"),
    ]


@pytest.mark.parametrize(
    "use", [chain_rule, lambda t: ancestral_sample(t, 1, rng=0)]
)
def test_tables_in_a_circle(use):
    with pytest.raises(
        GraphError, match=r"P\(X \| Y\), P\(Y \| X\) .* circle"
    ):
        use(circle())


def test_a_graph_with_a_circle():
    with pytest.raises(GraphError, match=r"X → Y → X|Y → X → Y"):
        graph_of(circle())
    with pytest.raises(GraphError):
        random_tables(nx.DiGraph([("X", "Y"), ("Y", "X")]), rng=0)


def test_tables_that_are_no_factorisation():
    p_x, p_yx = Table([0.5, 0.5], {"X": BITS}), circle()[1]
    with pytest.raises(ProbabilityError, match="There is no table: give"):
        chain_rule([])
    for use in (chain_rule, lambda t: ancestral_sample(t, 1, rng=0)):
        with pytest.raises(
            ProbabilityError, match="'X' is in front of the bar"
        ):
            use([p_x, p_x])
    with pytest.raises(ProbabilityError, match="two tables for 'X'"):
        graph_of([p_x, p_x])
    with pytest.raises(ProbabilityError, match=r"several variables in front"):
        graph_of([p_x * p_yx])
    for use in (graph_of, lambda t: ancestral_sample(t, 1, rng=0)):
        with pytest.raises(
            ProbabilityError, match="There is no table for 'X'"
        ):
            use([p_yx])
    wide = [Table(np.full(1000, 1e-3), {name: range(1000)}) for name in "ABCD"]
    with pytest.raises(TableTooLargeError, match=r"1e\+09 entries"):
        chain_rule(wide)
    assert chain_rule(wide[:2], max_bytes=8_000_000).shape == (1000, 1000)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (circle()[1], r"^P\(Y \| X\) is one table; give a list of tables"),
        (3, "^3 is not a list; give a list"),
        ("P(X)", "^'P' is not a Table; give a list"),
        ([Table([0.5, 0.5], {"X": BITS}), 3], "^3 is not a Table"),
    ],
)
@pytest.mark.parametrize(
    "use", [chain_rule, graph_of, lambda t: ancestral_sample(t, 1, rng=0)]
)
def test_what_is_no_list_of_tables(use, tables, message):
    with pytest.raises(TypeError, match=message):
        use(tables)


def test_a_distribution_and_a_graph_that_do_not_fit():
    p_x, p_yx = Table([0.5, 0.5], {"X": BITS}), circle()[1]
    joint = p_x * p_yx
    with pytest.raises(GraphError, match="'Z' is not a variable of the table"):
        factorise(joint, nx.DiGraph([("X", "Y"), ("Y", "Z")]))
    with pytest.raises(GraphError, match="'Y' is not a node of the graph"):
        factorise(joint, nx.DiGraph([("X", "X1")]).subgraph(["X"]).copy())
    with pytest.raises(ProbabilityError, match=r"P\(Y \| X\) is conditional"):
        factorise(p_yx, nx.DiGraph([("X", "Y")]))
    sure = Table([[F(1), F(0)], [F(0), F(0)]], {"X": BITS, "Y": BITS})
    with pytest.raises(ZeroProbabilityError, match="X=1"):
        factorise(sure, nx.DiGraph([("X", "Y")]))


@pytest.mark.parametrize(
    ("size", "error", "message"),
    [
        (2.5, TypeError, "2.5 is not a number of rows"),
        (True, TypeError, "True is not"),
        (-1, ProbabilityError, "-1 rows cannot be drawn"),
    ],
)
def test_sizes_that_are_none(size, error, message):
    with pytest.raises(error, match=message):
        ancestral_sample([Table([0.5, 0.5], {"X": BITS})], size, rng=0)


def test_tables_that_are_not_drawn():
    family = nx.DiGraph([(f"X{i}", "Y") for i in range(30)])
    with pytest.raises(
        TableTooLargeError, match=r"The table of 'Y' would have 2\.15e\+09"
    ):
        random_tables(family, rng=0)
    with pytest.raises(ProbabilityError, match=r"'A' are \{.*\}; give them"):
        random_tables(nx.DiGraph([("A", "B")]), rng=0, states={"yes", "no"})
    with pytest.raises(ProbabilityError, match="1 is not the name of a vari"):
        random_tables(nx.DiGraph([(1, 2)]), rng=0)
    with pytest.raises(ProbabilityError, match=r"no states for 'B': give st"):
        random_tables(nx.DiGraph([("A", "B")]), {"A": BITS}, rng=0)
    with pytest.raises(ProbabilityError, match="'b' is not a node of the gr"):
        random_tables(nx.DiGraph([("A", "B")]), {"A": BITS, "b": BITS}, rng=0)


def test_the_states_of_each_node_are_its_own():
    graph = nx.DiGraph([("A", "C"), ("B", "C")])
    states = {"C": "xyz", "B": (0, 1), "A": ("low", "middle", "high", "top")}
    tables = random_tables(graph, states, rng=0)
    assert [table.states for table in tables] == [
        {"A": states["A"]},
        {"B": states["B"]},
        {name: tuple(states[name]) for name in "ABC"},
    ]
    same = random_tables(graph, dict.fromkeys("ABC", "xyz"), rng=0)
    assert same == random_tables(graph, "xyz", rng=0)


def test_the_order_of_edges_plays_no_role():
    thirds = {name: range(3) for name in "XYZ"}
    joint = Table(np.full((3, 3, 3), 1 / 27), thirds)
    for edges in ([("X", "Z"), ("Y", "Z")], [("Y", "Z"), ("X", "Z")]):
        last = factorise(joint, nx.DiGraph(edges))[-1]
        assert last.variables == ("X", "Y", "Z")
