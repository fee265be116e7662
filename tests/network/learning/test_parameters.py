"""Parameters by counting, against pandas and exact fractions."""

from fractions import Fraction
from itertools import product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.data import Cases
from bayesbook.network import (
    BayesianNetwork,
    count_network,
    fit_parameters,
    load_network,
)

STATES = {"a": ("x", "y"), "b": (0, 1, 2), "c": ("no", "yes")}
GRAPHS = ("a -> b, a -> c, b -> c", "b -> a, c", "c -> b, a -> b", "a, b, c")


def frames(least=1):
    columns = {name: st.sampled_from(own) for name, own in STATES.items()}
    rows = st.lists(
        st.fixed_dictionaries(columns), min_size=least, max_size=15
    )
    return rows.map(lambda rows: pd.DataFrame(rows, columns=list(STATES)))


def by_pandas(frame, network, extra):
    """P(node | parents) for all states, or None without any count."""
    for node in network.nodes:
        parents = network.parents(node)
        cells = Fraction(
            1, np.prod([len(STATES[p]) for p in parents], dtype=int)
        )
        for given_states in product(*(STATES[p] for p in parents)):
            here = frame
            for parent, state in zip(parents, given_states, strict=True):
                here = here[here[parent] == state]
            for state in STATES[node]:
                own = extra(cells, len(STATES[node]))
                above = (here[node] == state).sum().item() + own
                below = len(here) + own * len(STATES[node])
                yield (
                    network.tables[node],
                    dict(zip(parents, given_states, strict=True))
                    | {node: state},
                    above / below if below else None,
                )


def cell(table, states):
    place = tuple(
        table.states[name].index(states[name]) for name in table.variables
    )
    return table.values[place]


@given(frames(), st.sampled_from(GRAPHS), st.sampled_from([0, 1, "1/3"]))
def test_pseudo_counts(frame, graph, pseudo_count):
    options = {"pseudo_count": pseudo_count, "states": STATES}
    exact = fit_parameters(
        graph, frame, exact=True, unseen="uniform", **options
    )
    floats = fit_parameters(graph, frame, unseen="uniform", **options)
    extra = Fraction(pseudo_count)
    for table, states, distribution in by_pandas(
        frame, exact, lambda *_: extra
    ):
        if distribution is None:
            distribution = Fraction(1, table.shape[-1])
        assert cell(table, states) == distribution
        own = floats.tables[table.targets[0]]
        assert cell(own, states) == pytest.approx(
            float(distribution), rel=1e-14
        )


@given(frames(), st.sampled_from(GRAPHS), st.sampled_from([1, "5/2"]))
def test_equivalent_sample_size(frame, graph, size):
    learned = fit_parameters(
        graph, frame, equivalent_sample_size=size, states=STATES, exact=True
    )

    def extra(cells, n_states):
        return Fraction(size) * cells / n_states

    for table, states, distribution in by_pandas(frame, learned, extra):
        assert cell(table, states) == distribution


@given(frames(least=2), st.sampled_from(GRAPHS), st.integers(1, 14))
def test_counts_of_parts_add_up(frame, graph, cut):
    parts = (frame[:cut], frame[cut:])
    parts = [part for part in parts if len(part)]
    merged = sum(count_network(graph, p, states=STATES) for p in parts)
    whole = count_network(graph, frame, states=STATES)
    assert merged.total == whole.total == len(frame)
    for node, table in whole.tables.items():
        np.testing.assert_array_equal(merged.tables[node], table)
    options = {"pseudo_count": 1, "exact": True}
    assert merged.fit(**options) == whole.fit(**options)


@given(frames(), st.sampled_from(GRAPHS), st.randoms())
def test_weights_are_repeated_rows(frame, graph, random):
    weights = [random.randrange(4) for _ in range(len(frame) - 1)] + [1]
    repeated = frame.loc[np.repeat(frame.index, weights)]
    options = {"states": STATES, "pseudo_count": 1, "exact": True}
    assert fit_parameters(
        graph, frame, weights=weights, **options
    ) == fit_parameters(graph, repeated, **options)


@given(frames(), st.sampled_from(GRAPHS), st.randoms())
def test_the_order_of_rows_and_columns_plays_no_role(frame, graph, random):
    names = list(STATES)
    random.shuffle(names)
    shuffled = frame.sample(frac=1, random_state=random.randrange(99))[names]
    options = {"states": STATES, "unseen": "marginal"}
    assert fit_parameters(graph, frame, **options) == fit_parameters(
        graph, shuffled, **options
    )


def test_a_large_sample_gives_the_network_back():
    insurance = load_network("insurance")
    rows = insurance.sample(200_000, rng=1)
    counts = count_network(insurance, rows)
    learned = counts.fit(equivalent_sample_size=1)
    for node, table in insurance.tables.items():
        seen = counts.tables[node].sum(axis=-1)
        error = np.abs(
            learned.tables[node].values - table.values.astype(float)
        ).max(axis=-1)
        # Five standard deviations of a frequency, and of the pseudo-counts.
        assert (error <= (2.5 * np.sqrt(seen) + 1) / (seen + 1)).all()


UNSEEN = pd.DataFrame({"a": ["x", "x", "x"], "c": ["no", "yes", "yes"]})
OF_UNSEEN = {"a": STATES["a"], "c": STATES["c"]}


@pytest.mark.parametrize(
    ("unseen", "distribution"),
    [("uniform", ["1/2", "1/2"]), ("marginal", ["1/3", "2/3"])],
)
def test_parents_that_were_never_seen(unseen, distribution):
    learned = fit_parameters(
        "a -> c", UNSEEN, states=OF_UNSEEN, unseen=unseen, exact=True
    )
    assert [str(p) for p in learned.tables["c"].values[1]] == distribution
    floats = fit_parameters("a -> c", UNSEEN, states=OF_UNSEEN, unseen=unseen)
    np.testing.assert_allclose(
        floats.tables["c"].values[1],
        [float(Fraction(p)) for p in distribution],
    )


def test_parents_that_were_never_seen_are_an_error_unless_said_otherwise():
    message = r"No row has a=y, so the data say nothing about P\(c \| a=y\)"
    for exact in (False, True):
        with pytest.raises(ProbabilityError, match=message):
            fit_parameters("a -> c", UNSEEN, states=OF_UNSEEN, exact=exact)


def test_pseudo_counts_node_by_node():
    learned = fit_parameters(
        "a -> c",
        UNSEEN,
        states=OF_UNSEEN,
        pseudo_count={"c": [[0, 1], [2, 6]]},
        exact=True,
    )
    assert [list(map(str, row)) for row in learned.tables["c"].values] == [
        ["1/4", "3/4"],
        ["1/4", "3/4"],
    ]
    assert learned.tables["a"].values.tolist() == [1, 0]


def test_a_network_lends_its_graph_and_states():
    five = load_network("five")
    learned = fit_parameters(five, five.sample(500, rng=1), pseudo_count=1)
    assert learned.states == five.states
    assert nx.utils.graphs_equal(
        nx.DiGraph(learned.graph), nx.DiGraph(five.graph)
    )


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ("a -> b, b -> c, d", {}, "no column for the node 'd'.*fit_em"),
        ("a -> b", {}, r"have the column 'c', .* data\[list\(graph\)\]"),
        ("a", {}, "have the columns 'b', 'c', and the nodes .* are 'a':"),
        ("a -> b, c", {"pseudo_count": -1}, "pseudo-count"),
        ("a -> b, c", {"pseudo_count": float("nan")}, "pseudo-count"),
        ("a, b, c", {"pseudo_count": {"d": 1}}, "'d' is not a node"),
        ("a, b, c", {"pseudo_count": {"a": [1, 2, 3]}}, "shape"),
        (
            "a, b, c",
            {"pseudo_count": 1, "equivalent_sample_size": 1},
            "either pseudo_count or equivalent_sample_size",
        ),
        ("a, b, c", {"equivalent_sample_size": -1}, "equivalent sample size"),
        ("a, b, c", {"unseen": "unifrom"}, "Did you mean 'uniform'"),
    ],
)
def test_what_cannot_be_learned(graph, options, message):
    frame = pd.DataFrame({"a": ["x", "y"], "b": [0, 1], "c": ["no", "yes"]})
    with pytest.raises(ProbabilityError, match=message):
        fit_parameters(graph, frame, **options)


def test_columns_that_are_no_nodes_are_refused_before_they_are_read():
    rows = load_network("asia").sample(100, rng=1)
    graph = load_network("asia").graph
    more = rows.assign(id=[f"patient {i}" for i in range(100)], age=40.5)
    with pytest.raises(ProbabilityError, match="columns 'id', 'age', and"):
        fit_parameters(graph, more, pseudo_count=1)
    of_nodes = more[list(graph)]
    assert fit_parameters(graph, of_nodes, pseudo_count=1) == fit_parameters(
        graph, rows, pseudo_count=1
    )
    weighted = rows.assign(n=1.0)
    fit_parameters(graph, weighted, weights="n", pseudo_count=1)


def test_what_is_not_a_graph():
    frame = pd.DataFrame({"a": ["x", "y"]})
    with pytest.raises(TypeError, match="Give a directed graph"):
        fit_parameters(7, frame)


def test_states_that_only_the_data_or_only_the_network_have():
    coin = BayesianNetwork.from_cpts({"a": ("x", "y")}, {"a": [0.5, 0.5]})
    with pytest.raises(ProbabilityError, match="row 1 is 'z'"):
        fit_parameters(coin, pd.DataFrame({"a": ["x", "z"]}))
    learned = fit_parameters(coin, pd.DataFrame({"a": ["x", "x"]}))
    assert learned.tables["a"].values.tolist() == [1, 0]


def test_a_network_whose_node_has_no_column():
    asia = load_network("asia")
    rows = asia.sample(5, rng=1).drop(columns="tub")
    with pytest.raises(ProbabilityError, match="no column for the node 'tub'"):
        fit_parameters(asia, rows, pseudo_count=1)


def test_a_cycle():
    graph = nx.DiGraph([("a", "b"), ("b", "a")])
    with pytest.raises(GraphError, match="cycle"):
        fit_parameters(graph, UNSEEN)


def test_counts_that_do_not_belong_together():
    one = count_network("a -> c", UNSEEN, states=OF_UNSEEN)
    with pytest.raises(ProbabilityError, match="two different graphs"):
        one + count_network("c -> a", UNSEEN, states=OF_UNSEEN)
    with pytest.raises(ProbabilityError, match="'a' has the states"):
        one + count_network("a -> c", UNSEEN)
    with pytest.raises(TypeError):
        one + 1


def test_counts_for_the_same_graph_in_other_words():
    frame = pd.DataFrame(
        {"a": ["x", "y", "x"], "b": [0, 1, 2], "c": ["no", "no", "yes"]}
    )
    one = count_network("a -> c, b -> c", frame, states=STATES)
    other = count_network("b -> c, a -> c", frame, states=STATES)
    assert one.parents["c"] != other.parents["c"]
    np.testing.assert_array_equal(
        (one + other).tables["c"], 2 * one.tables["c"]
    )


def test_cases_may_be_read_before():
    cases = Cases(UNSEEN, states=OF_UNSEEN)
    assert fit_parameters("a -> c", cases, pseudo_count=1) == fit_parameters(
        "a -> c", UNSEEN, states=OF_UNSEEN, pseudo_count=1
    )
