"""Numbers below all floats: posteriors, batches and maxima."""

from fractions import Fraction
from math import log

import network_truth as truth
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junction_tree_checks import ASIA, check_small, made, star, tree_of, turn
from numpy.testing import assert_allclose

from bayesbook.network import eliminate

TINY = Fraction(1, 10**200)


@pytest.mark.heavy
@pytest.mark.parametrize("length", [10, 2000])
def test_a_chain_all_of_whose_nodes_are_observed(length):
    """The product is 10^-400000; its logarithm is a number like another."""
    net = truth.chain(
        length, {("a",): (TINY, 1 - TINY), ("b",): (1 - TINY, TINY)}
    )
    tree = tree_of(net)
    row = dict.fromkeys(net.nodes, "a")
    wanted = -200 * length * log(10)
    assert tree.log_evidence(row) == pytest.approx(wanted)
    assert tree.evidence_probability(row) == pytest.approx(0, abs=1e-300)
    best = tree.most_probable(row)
    assert dict(best.states) == row
    assert best.probability == pytest.approx(1)
    middle = net.nodes[length // 2]
    del row[middle]
    # a, ?, a: of one step from a to a and two between the states.
    found = tree.posteriors(row)
    p = TINY**2 / (TINY**2 + (1 - TINY) ** 2)
    assert found.array(middle) == pytest.approx([float(p), 1], abs=1e-15)
    assert found.log_evidence == pytest.approx(-200 * (length - 2) * log(10))
    assert found.evidence_probability == pytest.approx(0, abs=1e-300)
    batch = tree.batch(pd.DataFrame([row, row | {middle: "a"}]))
    assert_allclose(
        batch.log_evidence, [-200 * (length - 2) * log(10), wanted]
    )
    assert_allclose(batch[middle][0], [float(p), 1], atol=1e-15)
    run = eliminate(made(net), middle, row)
    assert_allclose(run.posterior.values, [float(p), 1], atol=1e-15)


@pytest.mark.parametrize("tiny", [Fraction(1, 1000), TINY])
def test_a_class_with_a_thousand_observed_effects(tiny):
    """Each message is a number of its own; their product is below floats."""
    net = star(
        1000, lambda i: turn(tiny, 3 * tiny) if i % 2 else turn(3 * tiny, tiny)
    )
    tree = tree_of(net)
    row = dict.fromkeys(net.nodes[1:], 0)
    found = tree.posteriors(row)
    assert_allclose(found.array("class"), [0.25, 0.75], rtol=1e-9)
    wanted = 1000 * log(tiny) + 500 * log(3)
    assert found.log_evidence == pytest.approx(wanted)
    best = tree.most_probable(row)
    assert best.states["class"] == "b"
    assert best.probability == pytest.approx(0.75)
    batch = tree.batch(pd.DataFrame([row, {**row, "L1": 1}]))
    assert_allclose(batch["class"][0], [0.25, 0.75], rtol=1e-9)
    assert batch.log_evidence[0] == pytest.approx(wanted)
    other = float((3 - 3 * tiny) * 1 / ((1 - 3 * tiny) * 3))
    odds = batch["class"][1, 0] / batch["class"][1, 1]
    # L1 = 1 instead of 0: (1 - tiny) / (1 - 3 tiny) instead of 1 / 3.
    assert odds == pytest.approx(other)
    run = eliminate(made(net), "class", row)
    assert_allclose(run.posterior.values, [0.25, 0.75], rtol=1e-9)


def test_effects_that_first_favour_one_class_and_then_the_other():
    """The partial products leave the range of floats, and come back."""
    p, q = Fraction(1, 10), Fraction(9, 10)
    net = star(2000, lambda i: turn(p, q) if i < 1000 else turn(q, p))
    row = dict.fromkeys(net.nodes[1:], 0)
    tree = tree_of(net)
    found = tree.posteriors(row)
    assert_allclose(found.array("class"), [0.25, 0.75], rtol=1e-9)
    wanted = 1000 * log(p * q)
    assert found.log_evidence == pytest.approx(wanted)
    batch = tree.batch(pd.DataFrame([row]))
    assert_allclose(batch["class"][0], [0.25, 0.75], rtol=1e-9)


@pytest.mark.parametrize(
    ("k", "exponent"), [(3, 150), (20, 60), (20, 15), (200, 5), (600, 1)]
)
def test_effects_along_a_chain_that_turn(k, exponent):
    """No message is small, but a state is lost that comes back in the end."""
    high, low = Fraction(1, 2), Fraction(1, 10**exponent)
    hidden = [f"C{i}" for i in range(2 * k)]
    shown = [f"E{i}" for i in range(2 * k)]
    copied = {("a",): (1, 0), ("b",): (0, 1)}
    net = truth.Net(
        dict.fromkeys(hidden, ("a", "b")) | dict.fromkeys(shown, (0, 1)),
        {
            **{
                n: tuple(hidden[max(i - 1, 0) : i])
                for i, n in enumerate(hidden)
            },
            **{n: (above,) for n, above in zip(shown, hidden, strict=True)},
        },
        {
            **dict.fromkeys(hidden, copied),
            "C0": {(): (Fraction(1, 4), Fraction(3, 4))},
            **{
                n: turn(high, low) if i < k else turn(low, high)
                for i, n in enumerate(shown)
            },
        },
    )
    tree = tree_of(net)
    row = dict.fromkeys(shown, 0)
    found = tree.posteriors(row)
    batch = tree.batch(pd.DataFrame([row, row | {"E0": None}, row]))
    wanted = k * log(high * low)
    assert found.log_evidence == pytest.approx(wanted)
    assert batch.log_evidence[2] == pytest.approx(wanted)
    for node in ("C0", hidden[k], hidden[-1]):
        assert_allclose(found.array(node), [0.25, 0.75], rtol=1e-9)
        assert_allclose(batch[node][0], [0.25, 0.75], rtol=1e-9)
    # Without the first effect b is more probable by what it says for a.
    odds = batch["C0"][1, 1] / batch["C0"][1, 0]
    assert batch["C0"][1].sum() == pytest.approx(1)
    assert odds == pytest.approx(3 * float(high / low), rel=1e-6)
    assert tree.most_probable(row).states["C0"] == "b"
    assert tree.joint(["C0", hidden[-1]], row).values[1, 1] == pytest.approx(
        0.75
    )


@pytest.mark.parametrize("exponent", [100, 200, 299, 301, 305, 307])
def test_what_was_next_to_impossible_is_certain_now(exponent):
    """The way back divides by a message that is nearly zero."""
    tiny = Fraction(1, 10**exponent)
    rare = {(s,): (1 - tiny, tiny) for s in ("a", "b")}
    copied = {("a",): (Fraction(1), Fraction(0)), ("b",): (0, 1)}
    slow = {
        ("a",): (Fraction("0.9"), Fraction("0.1")),
        ("b",): (Fraction("0.2"), Fraction("0.8")),
    }
    names = [f"C{i}" for i in range(8)]
    first = (Fraction(1, 4), Fraction(3, 4))
    for k in range(2, 7):
        # Slow until C(k); C(k) is b with next to no probability; then slow
        # or copied to the end, which is observed.
        for rest in (copied, slow):
            distributions = {
                name: rare if i == k else slow if i < k else rest
                for i, name in enumerate(names)
            }
            distributions["C0"] = {(): first}
            net = truth.Net(
                dict.fromkeys(names, ("a", "b")),
                {
                    n: tuple(names[max(i - 1, 0) : i])
                    for i, n in enumerate(names)
                },
                distributions,
            )
            tree = tree_of(net)
            for evidence in (
                {"C7": "b"},
                {"C6": "b", "C7": {"a": Fraction(0), "b": Fraction(1)}},
                {names[k]: "b"},
                {names[k]: {"a": Fraction(0), "b": Fraction(1)}},
            ):
                check_small(tree, net, evidence)


def test_rows_that_differ_by_less_than_rounding():
    nearly, rest = 1 - Fraction(1, 10**18), Fraction(1, 10**18)
    half, sure = Fraction(1, 2), Fraction(1)
    rows = (nearly, rest), (sure, Fraction(0))
    for first, second in (rows, rows[::-1]):
        net = truth.Net(
            {"A": ("a", "b"), "B": ("a", "b")},
            {"A": (), "B": ("A",)},
            {
                "A": {(): (half, half)},
                "B": {("a",): first, ("b",): second},
            },
        )
        check_small(tree_of(net), net, {})


@given(st.data())
@settings(max_examples=150)
def test_probabilities_of_every_size(data):
    """Random networks whose numbers are from 1 down to 1e-300."""
    pick = truth.from_hypothesis(data.draw)
    net = truth.random_net(pick, n_nodes=6)
    net = truth.with_uneven_distributions(pick, net)
    row = data.draw(st.sampled_from([r for r, p in net.joint.items() if p]))
    evidence = {
        node: state
        for node, state in zip(net.nodes, row, strict=True)
        if pick(0, 1)
    }
    tree = tree_of(net)
    check_small(tree, net, evidence)
    batch = tree.batch(
        pd.DataFrame([evidence, {}], columns=list(evidence), dtype=object)
    )
    assert batch.log_evidence[0] == pytest.approx(
        truth.exact_log(net.total(evidence)), abs=1e-9
    )
    for node, distribution in net.distributions_of_all(evidence).items():
        assert_allclose(
            batch[node][0], truth.floats(distribution), atol=1e-12, rtol=0
        )


def test_soft_evidence_of_any_size():
    for scale in (1e-300, 1e-150, 1e150, 1e300):
        soft = {
            node: {"yes": 2 * scale, "no": scale} for node in truth.ASIA.nodes
        }
        found = ASIA.posteriors(soft)
        unit = {node: {"yes": 2, "no": 1} for node in truth.ASIA.nodes}
        wanted = truth.ASIA.distributions_of_all(unit)
        for node, distribution in wanted.items():
            assert_allclose(
                found.array(node), truth.floats(distribution), rtol=1e-9
            )
        assert found.log_evidence == pytest.approx(
            truth.exact_log(truth.ASIA.total(unit)) + 8 * log(scale)
        )
        best = ASIA.most_probable(soft)
        assert tuple(best.states.values()) in truth.ASIA.best(unit)[1]


def test_posteriors_of_a_long_chain_without_evidence():
    stay = Fraction("0.999")
    net = truth.chain(
        2000,
        {("a",): (stay, 1 - stay), ("b",): (1 - stay, stay)},
        first=(Fraction(1), Fraction(0)),
    )
    tree = tree_of(net)
    found = tree.posteriors()
    for k in (0, 1, 500, 1999):
        p = (1 + float(2 * stay - 1) ** k) / 2
        assert found.array(f"C{k}") == pytest.approx([p, 1 - p])
    best = tree.most_probable()
    assert set(best.states.values()) == {"a"}
    assert best.log_prob == pytest.approx(1999 * log(stay))
    ends = tree.joint(["C0", "C1999"], {"C1000": "b"}).values
    p = (1 + float(2 * stay - 1) ** 999) / 2
    assert_allclose(ends, [[1 - p, p], [0, 0]], rtol=1e-9)
