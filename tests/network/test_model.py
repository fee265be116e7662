"""BayesianNetwork against the definition, networkx and chance."""

import copy
import os
import pickle
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from html.parser import HTMLParser
from itertools import product
from math import inf, log, prod

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hash_seeds import printed_by
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare

from bayesbook.base import GraphError, ProbabilityError, TableTooLargeError
from bayesbook.graphs import Independence, local_markov
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table

COIN = {"coin": ("heads", "tails")}
LAWN_STATES = {
    "rain": ("no", "yes"),
    "sprinkler": ("off", "on"),
    "grass": ("dry", "damp", "wet"),
}
LAWN_CPTS = {
    "rain": ["4/5", "1/5"],
    ("sprinkler", "rain"): [["3/5", "2/5"], ["9/10", "1/10"]],
    ("grass", "rain", "sprinkler"): [
        [[1, 0, 0], ["1/10", "1/10", "8/10"]],
        [["1/5", 0, "4/5"], [0, 0, 1]],
    ],
}


def made(net, number=Fraction, **more):
    return BayesianNetwork.from_cpts(*net.as_given(number), **more)


def lawn(**changed):
    return BayesianNetwork.from_cpts(LAWN_STATES, LAWN_CPTS, **changed)


def frame(net):
    return pd.DataFrame(list(net.joint), columns=net.nodes)


def digraph(net):
    graph = nx.DiGraph()
    graph.add_nodes_from(net.nodes)
    graph.add_edges_from(net.edges())
    return graph


# -- the graph and the tables -------------------------------------------------


@given(truth.nets())
def test_has_the_graph_of_its_tables(net):
    network = made(net, name="by chance")
    graph = digraph(net)
    assert network.name == "by chance"
    assert network.nodes == tuple(network) == net.nodes
    assert len(network) == len(net.nodes)
    assert dict(network.states) == net.states
    assert nx.utils.graphs_equal(nx.DiGraph(network.graph), graph)
    assert list(network.graph) == list(net.nodes)
    for node in net.nodes:
        assert node in network
        assert network.parents(node) == net.parents[node]
        children = {b for a, b in net.edges() if a == node}
        assert network.children(node) == tuple(
            n for n in net.nodes if n in children
        )
        # By Pearl: the neighbours in the moral graph.
        blanket = nx.moral_graph(graph)[node]
        assert network.markov_blanket(node) == tuple(
            n for n in net.nodes if n in blanket
        )
        table = network.tables[node]
        assert table.variables == (*net.parents[node], node)
        assert set(table.conditions) == set(net.parents[node])
        assert table.targets == (node,)
    assert "nowhere" not in network
    place = {node: i for i, node in enumerate(network.order)}
    assert sorted(place) == sorted(net.nodes)
    assert all(place[a] < place[b] for a, b in net.edges())


@given(truth.nets())
def test_counts_its_free_parameters(net):
    free = sum(
        (len(net.states[node]) - 1)
        * prod(len(net.states[a]) for a in net.parents[node])
        for node in net.nodes
    )
    assert made(net).n_parameters == free


def test_published_numbers_of_parameters():
    """As the bnlearn repository states them for asia: 8, 8, 18."""
    asia = made(truth.ASIA)
    assert len(asia) == 8
    assert asia.graph.number_of_edges() == 8
    assert asia.n_parameters == 18


@given(truth.nets(n_nodes=4), st.randoms(use_true_random=False))
def test_reads_tables_in_any_order_and_with_any_axes(net, random):
    network = made(net)
    tables = [
        table.transpose(*random.sample(table.variables, len(table.variables)))
        for table in network.tables.values()
    ]
    random.shuffle(tables)
    again = BayesianNetwork(tables)
    assert again.nodes == tuple(table.targets[0] for table in tables)
    assert again == network
    for table in tables:
        (node,) = table.targets
        assert again.tables[node] == table
        assert again.tables[node].variables[-1] == node
        assert again.parents(node) == again.tables[node].variables[:-1]
        assert set(again.parents(node)) == set(net.parents[node])
    for row, p in net.joint.items():
        states = dict(zip(net.nodes, row, strict=True))
        assert again.P(states) == p


def test_reads_the_tables_of_another_network():
    network = lawn()
    assert BayesianNetwork(network.tables) == network
    assert BayesianNetwork(iter(network.tables.values())) == network
    coin = Table(["1/2", "1/2"], COIN)
    assert BayesianNetwork(coin) == BayesianNetwork([coin])


def test_aligns_the_states_of_a_parent():
    """One table may list the states of a parent in another order."""
    x = Table(["1/4", "3/4"], {"X": ("a", "b")})
    y = Table(
        [["1/2", "1/2"], ["1/3", "2/3"]],
        {"X": ("b", "a"), "Y": (0, 1)},
        given="X",
    )
    network = BayesianNetwork([y, x])
    assert network.P({"X": "a", "Y": 1}) == Fraction(1, 4) * Fraction(2, 3)
    assert network.P({"X": "b", "Y": 1}) == Fraction(3, 4) / 2
    assert network.states["X"] == ("a", "b")
    assert network.log_prob({"X": "a", "Y": 1}) == pytest.approx(log(1 / 6))
    drawn = network.sample(20_000, rng=3)
    share = (drawn[drawn["X"] == "a"]["Y"] == 1).mean()
    assert share == pytest.approx(2 / 3, abs=0.03)


@given(truth.nets(n_nodes=5))
def test_is_exact_exactly_if_all_tables_are(net):
    assert made(net).is_exact
    assert not made(net, float).is_exact
    network = made(net)
    node = net.nodes[0]
    table = network.tables[node]
    mixed = network.replace(
        Table(table.values.astype(float), table.states, net.parents[node])
    )
    assert not mixed.is_exact
    row = next(iter(net.joint))
    p = mixed.P(dict(zip(net.nodes, row, strict=True)))
    assert isinstance(p, float)


# -- probabilities ------------------------------------------------------------


@given(truth.nets())
def test_prob_is_the_product_of_the_definition(net):
    network = made(net)
    floating = made(net, float)
    for row, p in net.joint.items():
        states = dict(zip(net.nodes, row, strict=True))
        found = network.P(states)
        assert found == p
        assert isinstance(found, Fraction)
        found = floating.P(dict(reversed(states.items())))
        assert isinstance(found, float)
        assert found == pytest.approx(float(p), rel=1e-13)


@given(truth.nets(), st.randoms(use_true_random=False))
def test_log_prob_of_rows(net, random):
    rows = frame(net)
    wanted = np.array([truth.exact_log(p) for p in net.joint.values()])
    shuffled = rows[random.sample(net.nodes, len(net.nodes))]
    for network in (made(net), made(net, float)):
        found = network.log_prob(rows)
        assert isinstance(found, np.ndarray)
        assert found.shape == (len(rows),)
        assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
        # Whatever the order of the columns, and whatever their type.
        assert_allclose(network.log_prob(shuffled), found)
        assert_allclose(network.log_prob(rows.astype("category")), found)
        assert_allclose(network.log_prob(rows.astype("string")), found)
        one = network.log_prob(rows.iloc[-1].to_dict())
        assert isinstance(one, float)
        assert one == pytest.approx(wanted[-1])


def test_log_prob_ignores_the_index_and_the_order_of_categories():
    network = lawn()
    rows = pd.DataFrame(
        {"rain": ["yes", "no"], "sprinkler": "on", "grass": "wet"},
        index=[7, 7],
    )
    wanted = [log(1 / 5 * 1 / 10), log(4 / 5 * 2 / 5 * 8 / 10)]
    assert network.log_prob(rows) == pytest.approx(wanted)
    for column, states in LAWN_STATES.items():
        categories = ["never seen", *reversed(states)]
        rows[column] = pd.Categorical(rows[column], categories)
    assert network.log_prob(rows) == pytest.approx(wanted)


def test_log_prob_of_no_rows_is_empty():
    assert lawn().log_prob(
        frame(truth.ASIA)
        .iloc[:0]
        .rename(
            columns={"asia": "rain", "tub": "sprinkler", "smoke": "grass"}
        )[["rain", "sprinkler", "grass"]]
    ).shape == (0,)


def test_log_prob_of_impossible_rows_is_minus_infinity_without_a_warning():
    rows = pd.DataFrame(
        [("no", "off", "dry"), ("no", "off", "wet")],
        columns=["rain", "sprinkler", "grass"],
    )
    assert_array_equal(
        lawn().log_prob(rows), [pytest.approx(log(12 / 25)), -inf]
    )
    assert lawn().log_prob(rows.iloc[1].to_dict()) == -inf


@pytest.mark.parametrize("number", [float, Fraction])
def test_log_prob_where_the_product_underflows(number):
    tiny = Fraction(1, 10**200)
    net = truth.chain(
        2000, {("a",): (tiny, 1 - tiny), ("b",): (1 - tiny, tiny)}
    )
    network = made(net, number)
    row = dict.fromkeys(net.nodes, "a")
    assert network.log_prob(row) == pytest.approx(-2000 * 200 * log(10))
    if number is Fraction:
        assert network.P(row) == tiny**2000
    else:
        assert network.P(row) == 0.0
    both = pd.DataFrame([row, row])
    assert network.log_prob(both) == pytest.approx([-2000 * 200 * log(10)] * 2)


def test_log_prob_of_fractions_below_every_float():
    """10^-400 is no float, and its logarithm is."""
    tiny = Fraction(1, 10**400)
    network = BayesianNetwork([Table([tiny, 1 - tiny], {"X": (0, 1)})])
    assert network.P({"X": 0}) == tiny
    assert network.log_prob({"X": 0}) == pytest.approx(-400 * log(10))
    rows = pd.DataFrame({"X": [0, 1]})
    assert_allclose(network.log_prob(rows), [-400 * log(10), 0], atol=1e-12)


# -- sampling -----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_samples_follow_the_joint_distribution(seed):
    pick = truth.from_rng(np.random.default_rng(seed))
    net = truth.random_net(pick, n_nodes=5)
    while len(net.joint) < 10:
        net = truth.random_net(pick, n_nodes=5)
    size = 100_000
    rows = made(net, float if seed % 2 else Fraction).sample(size, rng=seed)
    assert tuple(rows.columns) == net.nodes
    assert len(rows) == size
    counts = rows.value_counts(sort=False)
    seen = {row: int(n) for row, n in counts.items() if n}
    possible = [row for row, p in net.joint.items() if p]
    # What has probability zero is never drawn.
    assert set(seen) <= set(possible)
    if len(possible) > 1:
        expected = [float(net.joint[row]) * size for row in possible]
        often = [row for row in possible if net.joint[row] * size >= 5]
        rest = size - sum(float(net.joint[row]) * size for row in often)
        found = [seen.get(row, 0) for row in often]
        wanted = [float(net.joint[row]) * size for row in often]
        if rest > 1e-6:
            found.append(size - sum(found))
            wanted.append(rest)
        assert len(found) > 1 or len(expected) == 1
        assert chisquare(found, wanted).pvalue > 1e-4


def test_samples_are_categories_with_all_states():
    network = lawn()
    for size in (0, 1, 1000):
        rows = network.sample(size, rng=0)
        assert rows.shape == (size, 3)
        assert list(rows.columns) == list(network.nodes)
        for node, states in LAWN_STATES.items():
            assert isinstance(rows[node].dtype, pd.CategoricalDtype)
            assert tuple(rows[node].cat.categories) == states
        assert rows.isna().sum().sum() == 0
        assert rows.index.equals(pd.RangeIndex(size))


def test_a_seed_says_what_is_drawn():
    network = lawn()
    one = network.sample(100, rng=4)
    assert one.equals(network.sample(100, rng=4))
    assert one.equals(network.sample(100, rng=np.random.default_rng(4)))
    assert not one.equals(network.sample(100, rng=5))
    rng = np.random.default_rng(4)
    assert not network.sample(100, rng=rng).equals(
        network.sample(100, rng=rng)
    )


def test_never_draws_what_has_probability_zero():
    """Sums of floats fall short of one; the last state is impossible."""
    thirds = [0.1] * 3 + [0.7] + [0.0]
    first = [0.0, 1 / 3, 1 / 3, 1 / 3, 0.0]
    network = BayesianNetwork.from_cpts(
        {"X": range(5), "Y": range(5)},
        {"X": first, ("Y", "X"): [thirds, first, thirds, first, [0.2] * 5]},
    )
    rows = network.sample(200_000, rng=1)
    assert set(rows["X"]) == {1, 2, 3}
    assert set(rows["Y"]) == {0, 1, 2, 3}
    assert_allclose(
        rows["X"].value_counts(sort=False, normalize=True),
        first,
        atol=0.01,
    )


@pytest.mark.parametrize("size", [-1, 2.5, "ten", None, True])
def test_a_size_that_is_none(size):
    with pytest.raises(ProbabilityError, match=str(size)):
        lawn().sample(size, rng=0)


def test_draws_that_do_not_fit_are_refused_at_once():
    with pytest.raises(TableTooLargeError, match=r"TiB.*Draw fewer rows"):
        lawn().sample(10**13, rng=0)


# -- the joint table ----------------------------------------------------------


@given(truth.nets())
def test_to_table_is_the_joint_distribution(net):
    table = made(net).to_table()
    assert table.variables == net.nodes
    assert table.is_exact
    assert not table.conditions
    wanted = np.array(list(net.joint.values()), dtype=object)
    assert_array_equal(table.values.ravel(), wanted)
    floating = made(net, float).to_table()
    assert_allclose(
        floating.values.astype(float).ravel(),
        wanted.astype(float),
        atol=1e-14,
    )


def test_to_table_of_a_large_network_is_refused_before_it_is_made():
    network = made(truth.chain(60, {("0",): (0.5, 0.5), ("1",): (0.5, 0.5)}))
    tracemalloc.start()
    try:
        with pytest.raises(TableTooLargeError, match="entries"):
            network.to_table()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1e6
    with pytest.raises(TableTooLargeError):
        lawn().to_table(max_bytes=100)
    assert lawn().to_table(max_bytes=12 * 120).shape == (2, 2, 3)


# -- replacing, comparing -----------------------------------------------------


def test_replace_gives_another_network():
    network = lawn(name="lawn")
    dry = Table(["9/10", "1/10"], {"rain": ("no", "yes")})
    changed = network.replace(dry)
    assert changed.tables["rain"] == dry
    assert changed.tables["grass"] == network.tables["grass"]
    assert changed.nodes == network.nodes
    assert changed.name == "lawn"
    assert network.replace(dry, name="desert").name == "desert"
    assert network.tables["rain"].P({"rain": "yes"}) == Fraction(1, 5)
    assert network.replace() == network
    # The parents may be others.
    free = Table(["1/2", "1/2"], {"sprinkler": ("off", "on")})
    both = network.replace(free, dry)
    assert both.parents("sprinkler") == ()
    assert both.nodes == network.nodes
    assert both.P(
        {"rain": "yes", "sprinkler": "on", "grass": "wet"}
    ) == Fraction(1, 20)


def test_replace_refuses_what_does_not_fit():
    network = lawn()
    with pytest.raises(ProbabilityError, match="'snow'"):
        network.replace(Table(["1/2", "1/2"], {"snow": ("no", "yes")}))
    with pytest.raises(GraphError, match="rain"):
        network.replace(
            Table(
                [["1/2", "1/2"]] * 3,
                {"grass": LAWN_STATES["grass"], "rain": ("no", "yes")},
                given="grass",
            )
        )
    with pytest.raises(ProbabilityError, match="rain"):
        network.replace(
            Table(["1/2", "1/4", "1/4"], {"rain": ("no", "yes", "hail")})
        )
    twice = Table(["1/2", "1/2"], {"rain": ("no", "yes")})
    with pytest.raises(ProbabilityError, match="rain"):
        network.replace(twice, twice)


@given(truth.nets(n_nodes=4), st.randoms(use_true_random=False))
def test_equal_if_nodes_and_tables_are(net, random):
    network = made(net)
    tables = list(network.tables.values())
    random.shuffle(tables)
    other = BayesianNetwork(tables, name="other")
    assert network == other
    assert hash(network) == hash(other)
    assert (network != other) is False
    assert network != "network"
    assert network != made(truth.ASIA)


def test_another_number_another_state_another_arrow_are_not_equal():
    network = lawn()
    dry = Table(["9/10", "1/10"], {"rain": ("no", "yes")})
    assert network != network.replace(dry)
    names = {**LAWN_STATES, "rain": ("no", "storm")}
    assert network != BayesianNetwork.from_cpts(names, LAWN_CPTS)
    cut = {**LAWN_CPTS, "sprinkler": ["3/5", "2/5"]}
    del cut["sprinkler", "rain"]
    assert network != BayesianNetwork.from_cpts(LAWN_STATES, cut)
    fewer = dict(list(LAWN_CPTS.items())[:2])
    states = {n: LAWN_STATES[n] for n in ("rain", "sprinkler")}
    part = BayesianNetwork.from_cpts(states, fewer)
    assert network != part
    assert part != network


def test_is_itself_true():
    """A network of one node is not empty."""
    assert made(truth.chain(1, {("a",): (1,)}))


# -- independences ------------------------------------------------------------


@given(truth.nets(n_nodes=5, n_states=2))
@settings(max_examples=30)
def test_independences_are_those_of_markov_and_hold(net):
    network = made(net)
    found = network.independences()
    assert found == local_markov(network.graph)
    for statement in found:
        assert isinstance(statement, Independence)
        x, y, z = statement
        assert nx.is_d_separator(digraph(net), set(x), set(y), set(z))
        # P(x, y, z) P(z) = P(x, z) P(y, z), everywhere.
        joint = net.distribution((*x, *y, *z), {}).astype(object)
        shape = [
            prod([len(net.states[n]) for n in part]) for part in (x, y, z)
        ]
        joint = joint.reshape(shape)
        p_z = joint.sum(axis=(0, 1))
        p_xz = joint.sum(axis=1)
        p_yz = joint.sum(axis=0)
        for i, j, k in np.ndindex(*shape):
            assert joint[i, j, k] * p_z[k] == p_xz[i, k] * p_yz[j, k]


# -- nothing changes ----------------------------------------------------------


def test_cannot_be_changed():
    network = lawn(name="lawn")
    for attribute in ("name", "nodes", "tables", "graph", "new"):
        with pytest.raises(AttributeError):
            setattr(network, attribute, "x")
    with pytest.raises(TypeError):
        network.states["rain"] = ("x", "y")
    with pytest.raises(TypeError):
        network.tables["rain"] = network.tables["grass"]
    with pytest.raises(nx.NetworkXError):
        network.graph.add_edge("grass", "rain")
    with pytest.raises(nx.NetworkXError):
        network.graph.remove_node("rain")
    for table in network.tables.values():
        with pytest.raises(ValueError, match="read-only"):
            table.values[...] = 0
    assert network == lawn()


def test_does_not_keep_what_the_caller_can_change():
    states = {"X": ["a", "b"], "Y": ["c", "d"]}
    rows = np.array([[0.5, 0.5], [0.1, 0.9]])
    above = np.array([0.25, 0.75])
    cpts = {"X": above, ("Y", "X"): rows}
    network = BayesianNetwork.from_cpts(states, cpts)
    before = pickle.loads(pickle.dumps(network))
    states["X"].append("e")
    rows[:] = 7
    above[:] = 0
    del cpts["X"]
    assert network == before
    assert network.P({"X": "b", "Y": "d"}) == 0.75 * 0.9


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        lambda network: pickle.loads(pickle.dumps(network)),
        lambda network: pickle.loads(pickle.dumps(network, protocol=2)),
    ],
)
@pytest.mark.parametrize("number", [float, Fraction])
def test_copies_are_equal(copied, number):
    network = made(truth.ASIA, number, name="asia")
    other = copied(network)
    assert other == network
    assert other.name == "asia"
    assert other.nodes == network.nodes
    assert dict(other.states) == dict(network.states)
    assert other.is_exact == network.is_exact
    assert other.order == network.order
    assert other.sample(50, rng=1).equals(network.sample(50, rng=1))
    with pytest.raises(ValueError, match="read-only"):
        other.tables["asia"].values[0] = 1
    with pytest.raises(nx.NetworkXError):
        other.graph.remove_node("asia")


# -- on the screen ------------------------------------------------------------


def test_repr_names_the_network_and_its_tables():
    shown = repr(lawn(name="lawn"))
    first, *others = shown.splitlines()
    assert "lawn" in first
    assert "3 nodes" in first
    assert "3 edges" in first
    # 1 + 2 + 4 * 2
    assert "11" in first
    assert others == [
        "P(rain)",
        "P(sprinkler | rain)",
        "P(grass | rain, sprinkler)",
    ]
    one = repr(BayesianNetwork([Table([0.5, 0.5], COIN)]))
    assert "'" not in one
    assert "1 node," in one
    assert "0 edges" in one


def test_repr_of_a_large_network_is_short():
    net = truth.chain(1500, {("0",): (1, 0), ("1",): (0, 1)})
    network = made(net)
    assert len(repr(network)) < 3000
    assert len(network._repr_html_()) < 20_000


def test_html_of_many_states_and_parents_lists_some():
    names = [f"P{i}" for i in range(9)]
    network = BayesianNetwork.from_cpts(
        dict.fromkeys(names, ("a", "b")) | {"X": tuple(map(str, range(50)))},
        {
            **{name: [0.5, 0.5] for name in names},
            ("X", *names): np.full((2,) * 9 + (50,), 1 / 50),
        },
    )
    shown = network._repr_html_()
    assert "P0, P1, P2" in shown
    assert "(9)" in shown
    assert "(50)" in shown
    assert "49" not in shown
    assert "<td>a and b</td>" in shown
    assert "<td>none</td>" in shown


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.attributes = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in ("br", "img", "hr", "path", "rect", "circle", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_well_formed():
    parsed = Tags(lawn(name="lawn")._repr_html_())
    assert parsed.open == []
    assert parsed.seen
    assert "lawn" in lawn(name="lawn")._repr_html_()


def test_html_escapes_malicious_names():
    bad = '<script>alert("x")</script>'
    worse = "\"'><img src=x onerror=alert(1)>"
    network = BayesianNetwork.from_cpts(
        {bad: (worse, "b"), worse: (bad, "a & b")},
        {bad: [0.5, 0.5], (worse, bad): [[1.0, 0.0], [0.5, 0.5]]},
        name=bad,
    )
    shown = network._repr_html_()
    parsed = Tags(shown)
    assert "script" not in parsed.seen
    assert "img" not in parsed.seen
    assert not any(name.startswith("on") for name, _ in parsed.attributes)
    assert parsed.open == []
    assert "<script" not in network.tables[bad]._repr_html_()
    assert repr(network)


# -- names, states, numbers that are unusual ----------------------------------


def test_names_with_spaces_and_unicode():
    states = {
        "Regen heute?": ("ja", "nein"),
        "天气 (tomorrow)": ("晴", "雨", "雪 ❄"),
        "a | b, c=d": ("=", "|"),
    }
    network = BayesianNetwork.from_cpts(
        states,
        {
            "Regen heute?": ["1/3", "2/3"],
            ("天气 (tomorrow)", "Regen heute?"): [
                ["1/2", "1/4", "1/4"],
                [0, 0, 1],
            ],
            ("a | b, c=d", "天气 (tomorrow)"): [[1, 0], [0, 1], [1, 0]],
        },
    )
    row = {
        "Regen heute?": "ja",
        "天气 (tomorrow)": "雨",
        "a | b, c=d": "|",
    }
    assert network.P(row) == Fraction(1, 12)
    assert network.log_prob(pd.DataFrame([row]))[0] == pytest.approx(-log(12))
    assert tuple(network.sample(10, rng=0).columns) == tuple(states)
    assert "天气 (tomorrow)" in repr(network)
    with pytest.raises(ProbabilityError, match="天气"):
        network.P({**row, "天气 (tomorrow)": "晴天"})


def test_states_that_look_like_numbers_are_not_numbers():
    """The text "1" is not the number 1, nor "1.0", nor "01"."""
    states = {"X": ("1", "1.0", "01", "nan", "None", "")}
    network = BayesianNetwork.from_cpts(
        states, {"X": ["1/2", "1/4", "1/8", "1/16", "1/32", "1/32"]}
    )
    assert network.P({"X": "01"}) == Fraction(1, 8)
    assert network.P({"X": "nan"}) == Fraction(1, 16)
    rows = pd.DataFrame({"X": list(states["X"])})
    assert_allclose(
        np.exp(network.log_prob(rows)), [2**-k for k in (1, 2, 3, 4, 5, 5)]
    )
    assert set(network.sample(2000, rng=0)["X"]) == set(states["X"])
    for wrong in (1, 1.0):
        with pytest.raises(ProbabilityError, match="X"):
            network.P({"X": wrong})
        with pytest.raises(ProbabilityError, match="X"):
            network.log_prob(pd.DataFrame({"X": [wrong]}))


def test_states_that_are_numbers():
    network = BayesianNetwork.from_cpts(
        {"X": (0, 1, 2.5), "Y": (True, False), "Z": ((0, 1), (1, 0))},
        {
            "X": ["1/2", "1/4", "1/4"],
            ("Y", "X"): [[1, 0], [0, 1], [1, 0]],
            "Z": [1, 0],
        },
    )
    row = {"X": 1, "Y": False, "Z": (0, 1)}
    assert network.P(row) == Fraction(1, 4)
    assert network.P({**row, "X": np.int64(1)}) == Fraction(1, 4)
    rows = network.sample(100, rng=0)
    assert np.isfinite(network.log_prob(rows)).all()
    wanted = [network.log_prob(row) for row in rows.to_dict("records")]
    assert_allclose(network.log_prob(rows), wanted)
    with pytest.raises(ProbabilityError, match="X"):
        network.P({**row, "X": "1"})


def test_a_network_of_one_node_and_of_one_state():
    network = BayesianNetwork([Table(["1/4", "3/4"], COIN)])
    assert network.P({"coin": "tails"}) == Fraction(3, 4)
    assert network.independences() == []
    assert network.markov_blanket("coin") == ()
    sure = BayesianNetwork([Table([1], {"sure": ("yes",)})])
    assert sure.n_parameters == 0
    assert sure.P({"sure": "yes"}) == 1
    assert list(sure.sample(3, rng=0)["sure"]) == ["yes"] * 3


# -- what is refused ----------------------------------------------------------


def refuse(states=LAWN_STATES, cpts=LAWN_CPTS, **changed):
    return BayesianNetwork.from_cpts({**states, **changed}, cpts)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        # columns that do not sum to one: the node and the configuration
        (
            {("sprinkler", "rain"): [["3/5", "2/5"], ["9/10", "2/10"]]},
            r"sprinkler.*rain=yes.*11/10",
        ),
        (
            {("sprinkler", "rain"): [[0.6, 0.4], [0.9, 0.05]]},
            r"sprinkler.*rain=yes.*0\.95",
        ),
        ({"rain": [0.8, 0.1]}, r"rain.*0\.9"),
        (
            {
                ("grass", "rain", "sprinkler"): [
                    [[1, 0, 0], ["1/10", "1/10", "8/10"]],
                    [["1/5", 0, "4/5"], [0, 0, 0]],
                ]
            },
            r"grass.*rain=yes, sprinkler=on.*sum to 0",
        ),
        # the wrong shape
        ({"rain": [1, 0, 0]}, r"rain"),
        ({"rain": [[1, 0]]}, r"rain"),
        ({("sprinkler", "rain"): [1, 0]}, r"rain \(2\), sprinkler \(2\)"),
        ({("sprinkler", "rain"): [[1, 0], [1]]}, r"sprinkler"),
        # no probabilities
        ({"rain": [float("nan"), 1]}, r"rain=no"),
        ({"rain": [-0.5, 1.5]}, r"rain=no.*-0\.5"),
        ({"rain": [float("inf"), 0]}, r"rain=no"),
        ({"rain": ["half", "half"]}, r"rain=no.*half"),
        ({"rain": [None, 1]}, r"rain=no"),
        ({"rain": [True, False]}, r"rain=no"),
    ],
)
def test_numbers_that_are_no_cpt(changed, message):
    with pytest.raises(ProbabilityError, match=message):
        refuse(cpts={**LAWN_CPTS, **changed})


def test_messages_about_numbers_name_the_node():
    """Also where the message is about one entry."""
    cpts = {**LAWN_CPTS, ("sprinkler", "rain"): [[1, 0], [-1, 2]]}
    with pytest.raises(ProbabilityError) as raised:
        refuse(cpts=cpts)
    assert "rain=yes" in str(raised.value)
    assert "sprinkler=off" in str(raised.value)


def test_a_missing_cpt():
    cpts = dict(LAWN_CPTS)
    del cpts["sprinkler", "rain"]
    with pytest.raises(ProbabilityError, match="'sprinkler'"):
        refuse(cpts=cpts)
    with pytest.raises(ProbabilityError, match="'wind'"):
        refuse(wind=("no", "yes"))
    x = Table([[1, 0], [0, 1]], {"A": (0, 1), "B": (0, 1)}, given="A")
    with pytest.raises(ProbabilityError, match="'A'"):
        BayesianNetwork([x])


def test_numbers_of_a_node_without_states():
    with pytest.raises(ProbabilityError, match="'snow'"):
        refuse(cpts={**LAWN_CPTS, "snow": [0.5, 0.5]})
    cpts = {**LAWN_CPTS, ("grass", "rian"): [[1, 0, 0], [0, 1, 0]]}
    del cpts["grass", "rain", "sprinkler"]
    with pytest.raises(ProbabilityError, match=r"'rian'.*'rain'"):
        refuse(cpts=cpts)


def test_two_cpts_of_one_node():
    with pytest.raises(ProbabilityError, match="'sprinkler'"):
        refuse(cpts={**LAWN_CPTS, "sprinkler": ["1/2", "1/2"]})
    coin = Table([0.5, 0.5], COIN)
    with pytest.raises(ProbabilityError, match="'coin'"):
        BayesianNetwork([coin, coin])


def test_a_cycle():
    with pytest.raises(GraphError, match=r"(?s)X.*Y|Y.*X"):
        BayesianNetwork.from_cpts(
            {"X": (0, 1), "Y": (0, 1)},
            {("X", "Y"): [[1, 0], [0, 1]], ("Y", "X"): [[1, 0], [0, 1]]},
        )
    with pytest.raises(GraphError, match="'X' is a parent of itself"):
        BayesianNetwork.from_cpts(
            {"X": (0, 1)}, {("X", "X"): [[1, 0], [0, 1]]}
        )
    with pytest.raises(ProbabilityError, match="parent twice"):
        BayesianNetwork.from_cpts(
            {"X": (0, 1), "Y": (0, 1)},
            {"X": [1, 0], ("Y", "X", "X"): [[[1, 0]] * 2] * 2},
        )
    n = 3000
    ring = [
        Table(
            [[1, 0], [0, 1]],
            {f"X{i}": (0, 1), f"X{(i + 1) % n}": (0, 1)},
            given=f"X{i}",
        )
        for i in range(n)
    ]
    with pytest.raises(GraphError, match="X") as raised:
        BayesianNetwork(ring)
    # Three thousand names help nobody.
    assert len(str(raised.value)) < 2000


def test_states_of_a_parent_that_do_not_agree():
    x = Table([0.5, 0.5], {"X": ("a", "b")})
    for states in (("a", "c"), ("a", "b", "c"), ("a",)):
        rows = [[1, 0]] * len(states)
        y = Table(rows, {"X": states, "Y": (0, 1)}, given="X")
        with pytest.raises(ProbabilityError, match=r"'?X'?.*"):
            BayesianNetwork([x, y])


def test_tables_that_are_no_cpts():
    joint = Table([[0.25] * 2] * 2, {"X": (0, 1), "Y": (0, 1)})
    with pytest.raises(ProbabilityError, match=r"P\(X, Y\) has several"):
        BayesianNetwork([joint])
    known = joint.given(X=1)
    with pytest.raises(ProbabilityError, match=r"X=1"):
        BayesianNetwork([known])
    with pytest.raises(ProbabilityError):
        BayesianNetwork([])
    with pytest.raises(ProbabilityError):
        BayesianNetwork.from_cpts({}, {})
    for wrong in ([[0.5, 0.5]], ["P(X)"], [None], "coin", 5, {"X": 1}):
        with pytest.raises(ProbabilityError):
            BayesianNetwork(wrong)


@pytest.mark.parametrize(
    ("states", "cpts", "message"),
    [
        ({"X": (0, 0)}, {"X": [0.5, 0.5]}, "0.*'X'.*twice"),
        ({"X": ()}, {"X": []}, "'X'"),
        ({"X": (0, None)}, {"X": [0.5, 0.5]}, "'X'.*missing"),
        ({"X": (0, float("nan"))}, {"X": [0.5, 0.5]}, "'X'.*missing"),
        ({"X": ([], 1)}, {"X": [0.5, 0.5]}, "'X'"),
        ({"X": 2}, {"X": [0.5, 0.5]}, "'X'"),
        ({"": (0, 1)}, {"": [0.5, 0.5]}, "name"),
        ({3: (0, 1)}, {3: [0.5, 0.5]}, "3"),
        ({"X": (0, 1)}, {(): [0.5, 0.5]}, r"\(\)|name"),
        ({"X": (0, 1)}, {("X", 3): [0.5, 0.5]}, "3"),
        ({"X": (0, 1)}, [[0.5, 0.5]], "dictionary|mapping"),
        ([("X", (0, 1))], {"X": [0.5, 0.5]}, "dictionary|mapping"),
        ({"X": (0, 1)}, {"X": None}, "X"),
        ({"X": (0, 1)}, {"X": "0.5"}, "X"),
        ({"X": (0, 1)}, {"X": 0.5}, "X"),
    ],
)
def test_states_and_keys_that_are_none(states, cpts, message):
    with pytest.raises(ProbabilityError, match=message):
        BayesianNetwork.from_cpts(states, cpts)


def test_a_cpt_of_too_many_parents_is_refused_at_once():
    """What 2^40 numbers would be needed for is not allocated."""
    names = [f"X{i}" for i in range(41)]
    cpts = {name: [0.5, 0.5] for name in names[:-1]}
    cpts[names[-1], *names[:-1]] = [0.5, 0.5]
    with pytest.raises(ProbabilityError, match="X40"):
        BayesianNetwork.from_cpts(dict.fromkeys(names, (0, 1)), cpts)


def test_unknown_nodes_and_states():
    network = lawn()
    row = {"rain": "no", "sprinkler": "on", "grass": "wet"}
    with pytest.raises(ProbabilityError, match=r"(?s)'gras'.*'grass'\?"):
        network.P({**row, "gras": "wet"})
    with pytest.raises(ProbabilityError, match=r"'damb'.*'grass'.*'damp'\?"):
        network.P({**row, "grass": "damb"})
    with pytest.raises(ProbabilityError, match="'grass'"):
        network.P({"rain": "no", "sprinkler": "on"})
    for unhashable in ([], {}, {"wet": 1}):
        with pytest.raises(ProbabilityError, match="grass"):
            network.P({**row, "grass": unhashable})
    for missing in (None, float("nan"), pd.NA):
        with pytest.raises(ProbabilityError, match="grass"):
            network.P({**row, "grass": missing})
    for wrong in (None, [("rain", "no")], 3, "rain"):
        with pytest.raises(ProbabilityError):
            network.P(wrong)
    for ask in (network.parents, network.children, network.markov_blanket):
        with pytest.raises(ProbabilityError, match=r"'gras'.*'grass'\?"):
            ask("gras")
        with pytest.raises(ProbabilityError):
            ask([])


def test_rows_that_are_none():
    network = lawn()
    rows = pd.DataFrame(
        [("no", "on", "wet"), ("yes", "off", "dry")],
        columns=["rain", "sprinkler", "grass"],
    )
    with pytest.raises(ProbabilityError, match="'grass'"):
        network.log_prob(rows.drop(columns="grass"))
    with pytest.raises(ProbabilityError, match=r"'gras'.*'grass'\?"):
        network.log_prob(rows.assign(gras="wet"))
    with pytest.raises(ProbabilityError, match="'grass'"):
        network.log_prob(pd.concat([rows, rows[["grass"]]], axis=1))
    bad = rows.copy()
    bad.loc[1, "sprinkler"] = "of"
    for column in (bad, bad.astype("category"), bad.astype("string")):
        with pytest.raises(
            ProbabilityError, match=r"(?s)sprinkler.*'of'.*'off'\?"
        ) as raised:
            network.log_prob(column)
        assert "ow 1" in str(raised.value)
    for missing in (None, float("nan"), pd.NA):
        bad = rows.astype(object)
        bad.loc[1, "sprinkler"] = missing
        for column in (bad, bad.astype("category")):
            with pytest.raises(
                ProbabilityError, match=r"(?s)ow 1.*sprinkler|sprinkler.*ow 1"
            ):
                network.log_prob(column)
    for wrong in (None, 3, "rain", [["no", "on", "wet"]], rows["rain"]):
        with pytest.raises(ProbabilityError):
            network.log_prob(wrong)
    bad = rows.astype(object)
    bad.at[0, "grass"] = ["wet"]
    with pytest.raises(ProbabilityError, match="grass"):
        network.log_prob(bad)


# -- the same everywhere ------------------------------------------------------

SCRIPT = """
import network_truth as truth, numpy as np
from bayesbook.network import BayesianNetwork
for seed in range(4):
    net = truth.random_net(truth.from_rng(np.random.default_rng(seed)))
    network = BayesianNetwork.from_cpts(*net.as_given(float))
    print(network.nodes, network.order, network.graph.edges)
    print([network.markov_blanket(node) for node in network])
    print([network.children(node) for node in network])
    print(network.independences(), repr(network), network._repr_html_())
    print(network.sample(20, seed).to_csv(), hash(network) == hash(network))
"""


def test_the_same_whatever_the_hash_seed():
    printed = printed_by(SCRIPT, seeds=("0", "1", "2"))
    assert len(printed) == 1


def test_the_importing_is_light():
    """The package does not drag scipy.stats, sklearn or matplotlib in."""
    code = (
        "import sys, bayesbook.network; print(*(m for m in "
        "('scipy.stats', 'sklearn', 'matplotlib', 'IPython') "
        "if m in sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == ""


def test_every_row_of_a_small_network_sums_to_one():
    rows = pd.DataFrame(
        list(product(*LAWN_STATES.values())), columns=list(LAWN_STATES)
    )
    assert np.exp(lawn().log_prob(rows)).sum() == pytest.approx(1)
