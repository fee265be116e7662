"""BayesianNetwork against the definition and networkx."""

import copy
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from itertools import product
from math import log, prod

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hash_seeds import printed_by
from hypothesis import given, settings
from hypothesis import strategies as st
from lawn_network import COIN, LAWN_CPTS, LAWN_STATES, lawn, made
from numpy.testing import assert_allclose

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.graphs import Independence, local_markov
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table


def digraph(net):
    graph = nx.DiGraph()
    graph.add_nodes_from(net.nodes)
    graph.add_edges_from(net.edges())
    return graph


# -- the graph and the tables ------------------------------------------


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


# -- replacing, comparing ----------------------------------------------


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


# -- independences -----------------------------------------------------


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


# -- nothing changes ---------------------------------------------------


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


# -- on the screen -----------------------------------------------------


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


# -- names, states, numbers that are unusual ---------------------------


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


# -- the same everywhere -----------------------------------------------

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
    print(network.sample(20, rng=seed).to_csv())
    print(hash(network) == hash(network))
"""


@pytest.mark.heavy
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
