"""Many rows of evidence at once, against one row after the other."""

import tracemalloc

import network_truth as truth
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junction_tree_checks import (
    ASIA,
    check_batch,
    evidence_of,
    made,
    random_net,
    random_rows,
    tree_of,
)
from numpy.testing import assert_allclose, assert_array_equal

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.network import BayesianNetwork, JunctionTree


def indicator(net, node, state):
    return [float(s == state) for s in net.states[node]]


@pytest.mark.parametrize("seed", range(10))
def test_a_batch_agrees_with_the_definition(seed):
    rng = np.random.default_rng([3, seed])
    for part in range(12):
        pick = truth.from_rng(rng)
        net = truth.random_net(pick, n_nodes=7, zeros=part % 4)
        rows = random_rows(rng, net, 6, share=part / 12)
        check_batch(tree_of(net), net, rows)
        # Some of the columns, in another order.
        some = truth.shuffled(pick, net.nodes)[: pick(0, len(net.nodes))]
        check_batch(tree_of(net), net, rows[some])


@given(truth.nets(n_nodes=5), st.data())
@settings(max_examples=40)
def test_a_batch_by_hypothesis(net, data):
    possible = [row for row, p in net.joint.items() if p]
    rows = data.draw(st.lists(st.sampled_from(possible), max_size=4))
    table = pd.DataFrame(rows, columns=net.nodes, dtype=object)
    gaps = data.draw(
        st.lists(
            st.booleans(),
            min_size=table.size,
            max_size=table.size,
        )
    )
    table = table.mask(np.array(gaps, dtype=bool).reshape(table.shape))
    check_batch(tree_of(net), net, table)


def test_a_batch_is_a_loop_over_rows():
    rng = np.random.default_rng(1)
    rows = made(truth.ASIA).sample(3000, rng=rng).astype(object)
    rows = rows.mask(rng.random(rows.shape) < 0.4)
    found = ASIA.batch(rows)
    for i in (0, 1, 17, 2999, *rng.integers(3000, size=40)):
        evidence = evidence_of(rows.iloc[i].to_dict())
        one = ASIA.posteriors(evidence)
        assert found.log_evidence[i] == pytest.approx(one.log_evidence)
        for node in one:
            assert_allclose(found[node][i], one.array(node), atol=1e-12)
        for node, state in evidence.items():
            point = indicator(truth.ASIA, node, state)
            assert_allclose(found[node][i], point, atol=1e-15)


def test_a_batch_reads_columns_of_any_type():
    rows = pd.DataFrame(
        {"xray": ["yes", None, "no"], "smoke": [None, "no", "yes"]}
    )
    wanted = ASIA.batch(rows)
    others = [
        rows.astype("category"),
        rows.astype("string"),
        rows[["smoke", "xray"]],
        rows.set_index(pd.Index(["x", "x", "y"])),
        rows.fillna(np.nan),
        rows.astype(object).where(rows.notna(), pd.NA),
        rows.assign(xray=pd.Categorical(rows["xray"], ["never", "yes", "no"])),
        rows.assign(lung=None),
        rows.assign(lung=np.nan),
    ]
    for other in others:
        found = ASIA.batch(other)
        assert_allclose(found.log_evidence, wanted.log_evidence)
        for node in wanted:
            assert_allclose(found[node], wanted[node])


def test_a_batch_of_numbers_with_missing_values():
    """A column of whole numbers with a missing value is one of floats."""
    network = BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": (0, 1)},
        {"X": [0.25, 0.75], ("Y", "X"): [[0.5, 0.5], [0.0, 1.0]]},
    )
    tree = JunctionTree(network)
    rows = pd.DataFrame({"Y": [0, 1, None]})
    assert rows["Y"].dtype == float
    found = tree.batch(rows)["X"]
    assert_allclose(found, [[1, 0], [1 / 7, 6 / 7], [0.25, 0.75]])
    rows["Y"] = rows["Y"].astype("Int64")
    assert_allclose(tree.batch(rows)["X"], found)


def test_a_batch_without_rows_or_without_columns():
    empty = ASIA.batch(pd.DataFrame({"xray": pd.Series([], dtype=object)}))
    assert empty.log_evidence.shape == (0,)
    assert empty["lung"].shape == (0, 2)
    nothing = ASIA.batch(pd.DataFrame(index=range(3)))
    assert_allclose(nothing.log_evidence, 0, atol=1e-12)
    assert_allclose(nothing["lung"], [[0.055, 0.945]] * 3)


def test_a_batch_names_the_impossible_row():
    rows = pd.DataFrame(
        {
            "either": ["yes", None, "yes", "no", "no"],
            "lung": ["yes", "yes", None, "yes", "yes"],
            "dysp": ["yes", "yes", "no", "no", "no"],
        }
    )
    with pytest.raises(ZeroProbabilityError) as raised:
        ASIA.batch(rows)
    message = str(raised.value)
    assert "ow 3" in message
    assert "either=no" in message
    assert "lung=yes" in message
    assert_allclose(ASIA.batch(rows.iloc[:3])["lung"][:2], [[1, 0]] * 2)


def test_the_answers_of_a_batch():
    rows = pd.DataFrame({"xray": ["yes", None]})
    found = ASIA.batch(rows)
    assert "lung" in found
    assert "lnug" not in found
    assert len(found) == 8
    assert_array_equal(found.get("lung"), found["lung"])
    assert ["lung"] not in found
    assert found.get("lnug", 5) == found.get(["lung"], 5) == 5
    for ask in (found.__getitem__, found.to_frame):
        with pytest.raises(ProbabilityError, match=r"'lnug'.*'lung'\?"):
            ask("lnug")
        with pytest.raises(ProbabilityError, match=r"posterior of \['lung'\]"):
            ask(["lung"])
    frame = found.to_frame("lung")
    assert list(frame.columns) == ["yes", "no"]
    assert frame.columns.name == "lung"
    assert_array_equal(frame.to_numpy(), found["lung"])
    # Nobody can change what the next one reads.
    try:
        found["lung"][:] = 7
        found.log_evidence[:] = 7
    except ValueError as error:
        assert "read-only" in str(error)  # noqa: PT017
    assert_allclose(found["lung"].sum(axis=1), 1)
    assert (found.log_evidence <= 1e-12).all()


def test_rows_that_cannot_be_read():
    rows = pd.DataFrame({"xray": ["yes", "yess"], "lung": ["no", None]})
    with pytest.raises(
        ProbabilityError, match=r"(?s)xray.*'yess'.*'yes'\?"
    ) as raised:
        ASIA.batch(rows)
    assert "ow 1" in str(raised.value)
    with pytest.raises(ProbabilityError, match=r"'xrai'.*'xray'\?"):
        ASIA.batch(rows.rename(columns={"xray": "xrai"}))
    with pytest.raises(ProbabilityError, match="'lung'"):
        ASIA.batch(pd.DataFrame([["no", "no"]], columns=["lung", "lung"]))
    with pytest.raises(ProbabilityError, match="xray"):
        ASIA.batch(pd.DataFrame({"xray": [True]}))
    with pytest.raises(ProbabilityError, match="xray"):
        ASIA.batch(pd.DataFrame({"xray": [["yes"]]}))
    for wrong in (None, 3, "xray", [["yes"]], rows["lung"], {"xray": "yes"}):
        with pytest.raises(TypeError, match="as a data frame"):
            ASIA.batch(wrong)


def test_a_large_batch_is_bounded_in_memory():
    """The rows are not all multiplied at the same time."""
    rng = np.random.default_rng(0)
    net = random_net(8, n_nodes=7)
    tree = tree_of(net)
    tree.batch(random_rows(rng, net, 10))
    rows = random_rows(rng, net, 2000)
    rows = pd.concat([rows] * 50, ignore_index=True)
    for column in rows:
        rows[column] = rows[column].astype("category")
    tracemalloc.start()
    try:
        found = tree.batch(rows)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.log_evidence.shape == (100_000,)
    answers = 8 * len(rows) * sum(map(len, net.states.values()))
    assert peak < 8 * answers + 300e6


def test_a_batch_keeps_the_marginals_only():
    """For each row the distributions of nodes, not those of separators."""
    net = truth.grid(9)
    tree = tree_of(net)
    rng = np.random.default_rng(0)
    rows = made(net).sample(1500, rng=rng)[
        ["G0.0", "G4.4", *(f"G8.{j}" for j in range(9))]
    ]
    rows = rows.astype(object)
    rows = rows.mask(rng.random(rows.shape) < 0.3)
    tree.batch(rows.iloc[:3])
    tracemalloc.start()
    try:
        found = tree.batch(rows)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    answers = 8 * 2 * 81 * len(rows)
    assert len(found) == 81
    # The arrays of a run are kept for the next one.
    assert kept < 3 * answers + 40e6
    assert peak < 6 * answers + 80e6
