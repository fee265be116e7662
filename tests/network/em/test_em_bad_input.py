"""What EM refuses, and how it says so."""

import re

import pandas as pd
import pytest
from em_truth import ASIA, with_missing

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.data import Cases
from bayesbook.network import (
    BayesianNetwork,
    expected_counts,
    fit_em,
)

ROWS = pd.DataFrame({"A": [0, 1, None, 1], "B": ["x", None, "y", "y"]})
COIN = BayesianNetwork.from_cpts(
    {"A": (0, 1), "B": ("x", "y")},
    {"A": [0.5, 0.5], ("B", "A"): [[0.5, 0.5], [0.0, 1.0]]},
)


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ("A -> B, H -> B", {}, r"no column for the node 'H'.*latent=\{'H'"),
        ("A -> B", {"latent": {"A": 2}}, r"'A' is latent, and has a column"),
        ("A -> B", {"latent": {"H": 2}}, r"latent 'H' is not a node"),
        ("A", {}, r"'B' is a column, but not a node"),
        ("A -> B, H -> B", {"latent": ["H"]}, r"states of the latent node"),
        ("A -> B, H -> B", {"latent": {"H": 2}}, r"rng=0"),
        ("A -> B, H -> B", {"latent": {"H": 0}}, r"states of 'H'"),
        ("A -> B", {"restarts": 2}, r"restarts tables are drawn.*rng=0"),
        ("A -> B", {"restarts": 0}, r"restarts is 0"),
        ("A -> B", {"max_iterations": 0}, r"max_iterations is 0"),
        ("A -> B", {"tolerance": 0}, r"tolerance is 0"),
        ("A -> B", {"unseen": "zero"}, r"unseen must be"),
        ("A -> B", {"pseudo_count": -1}, r"pseudo-count is -1"),
        ("A -> B", {"pseudo_count": {"Z": 1}}, r"pseudo-counts of 'Z'"),
        ("A -> B", {"states": {"A": (1, 2)}}, r"Column 'A' in row 0 is 0"),
        ("A -> B", {"start": ASIA}, r"start has another graph"),
        ("A, B", {"start": COIN}, r"differ in the edges 'A -> B'"),
        ("A -> B", {"weights": [1, 2]}, r"4 rows, but 2 weights"),
        ("A -> B", {"hard": "yes"}, r"hard"),
    ],
)
def test_bad_input_is_named(graph, options, message):
    with pytest.raises(ProbabilityError, match=message):
        fit_em(graph, ROWS, **options)


def test_a_start_that_is_not_a_network_is_refused():
    with pytest.raises(TypeError, match="BayesianNetwork"):
        fit_em("A -> B", ROWS, start="COIN")


def test_a_column_without_any_value_says_how_to_declare_it():
    rows = ROWS.assign(H=pd.Series([None] * 4, dtype=object))
    for options in ({}, {"states": {"H": (0, 1)}}):
        with pytest.raises(
            ProbabilityError, match=r"'H' has no value.*latent"
        ):
            fit_em("A -> B, H -> B", rows, **options)
    with pytest.raises(ProbabilityError, match=r"'H' has no value.*latent"):
        fit_em("A -> B, H -> B", [rows], states={"H": (0, 1)})
    with pytest.raises(ProbabilityError, match="no row"):
        fit_em("A -> B", ROWS[:0])


def test_an_impossible_row_is_named(monkeypatch):
    # So that chunks are no cases in memory.
    monkeypatch.setattr("bayesbook.data.chunks._IN_MEMORY", 0)
    rows = pd.DataFrame({"A": [0, None, 1], "B": ["x", "x", "x"]})
    with pytest.raises(ZeroProbabilityError, match=r"Row 2 .*A=1, B=x"):
        fit_em(COIN, rows, start=COIN)
    with pytest.raises(ZeroProbabilityError, match=r"A row .*A=1, B=x"):
        fit_em(COIN, [rows[:1], rows[1:]], start=COIN)
    with pytest.raises(
        ZeroProbabilityError,
        match=r"^Row 2 has probability zero under the network: A=1, B=x\.",
    ) as error:
        expected_counts(COIN, rows)
    assert not re.search(r"\bstart\b|\bstep\b", str(error.value))
    run = fit_em(COIN, rows, start=COIN, weights=[1, 1, 0])
    assert run.converged


def test_a_start_may_have_its_parents_in_another_order():
    rows = with_missing(ASIA, 100, 0.2)
    table = ASIA.tables["dysp"]
    other = ASIA.replace(
        table.transpose(*reversed(table.variables[:-1]), "dysp")
    )
    assert other.parents("dysp") != ASIA.parents("dysp")
    one = fit_em(ASIA, rows, start=ASIA, unseen="uniform")
    two = fit_em(ASIA, rows, start=other, unseen="uniform")
    assert one.network == two.network


def test_a_tree_that_is_too_large_is_refused():
    names = [f"X{i}" for i in range(24)]
    graph = ", ".join(
        f"{a} -> Z{a}{b}, {b} -> Z{a}{b}"
        for a in names
        for b in names
        if a < b
    )
    rows = pd.DataFrame(
        {f"Z{a}{b}": [0, 1] for a in names for b in names if a < b}
    )
    with pytest.raises(
        TableTooLargeError, match="junction tree of the hidden"
    ):
        fit_em(
            graph, rows, latent=dict.fromkeys(names, 2), rng=1, max_bytes=2**20
        )


def test_cases_are_read_as_they_are():
    rows = with_missing(ASIA, 50, 0.2)
    cases = Cases(rows, missing="keep", states=ASIA)
    one = fit_em(ASIA, cases, pseudo_count=1)
    assert one.network == fit_em(ASIA, rows, pseudo_count=1).network
