"""Learners and odd data: what they refuse, and what they accept."""

from fractions import Fraction

import learning_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from learning_cases import (
    ASIA,
    GREEDY,
    ROWS,
    SEARCHES,
    every_greedy,
    every_search,
)

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.network import (
    BIC,
    BDeu,
    equivalence_search,
    exact_search,
    expected_counts,
    fit_em,
    fit_parameters,
    hill_climb,
    tabu_search,
    tree_search,
)

LEARNERS = {
    "fit_parameters": lambda rows: fit_parameters(
        nx.create_empty_copy(ASIA.graph), rows
    ),
    "BIC": BIC,
    "BDeu": BDeu,
    "hill_climb": hill_climb,
    "tabu_search": tabu_search,
    "tree_search": tree_search,
    "exact_search": exact_search,
    "equivalence_search": equivalence_search,
}
every_learner = pytest.mark.parametrize("learner", LEARNERS)


def refused(learner, rows, said):
    with pytest.raises(ProbabilityError, match=said):
        LEARNERS[learner](rows)


@every_learner
@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT], ids=str)
def test_missing_values_are_named_by_row_and_column(learner, missing):
    rows = ROWS.astype(object)
    rows.loc[7, "asia"] = missing
    refused(learner, rows, "'asia' has no value in row 7")


@every_learner
def test_duplicated_columns_are_refused(learner):
    rows = ROWS.set_axis(["asia", *list(ROWS)[1:-1], "asia"], axis=1)
    refused(learner, rows, "Two columns are called 'asia'")


@every_learner
@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0, 1, 60) ** 2,
        np.arange(60),
        pd.date_range("2020-01-01", periods=60),
        [f"patient {i}" for i in range(60)],
    ],
    ids=["floats", "counts", "dates", "names"],
)
def test_continuous_columns_are_named_and_a_remedy_is(learner, values):
    rows = ROWS.assign(asia=values)
    refused(learner, rows, r"'asia' (holds measure|has 60 diff)")
    refused(learner, rows, r"EntropyDiscretizer.*KBinsDiscretizer.*pd\.cut")


@every_learner
def test_zero_rows_are_refused(learner):
    refused(learner, ROWS[:0], "no row")


@every_learner
@pytest.mark.parametrize("data", [None, ROWS.to_numpy(), {"A": [1, 2]}])
def test_only_frames_are_read(learner, data):
    own = {k: v for k, v in LEARNERS.items() if k != "fit_parameters"}
    if learner in own:
        with pytest.raises(TypeError, match="data frame"):
            own[learner](data)


def test_states_that_the_network_does_not_know_are_named():
    rows = ROWS.assign(asia=["no"] * 40 + ["perhaps"] * 20)
    for learn in (
        lambda: fit_parameters(ASIA, rows, pseudo_count=1),
        lambda: fit_em(ASIA, rows, pseudo_count=1),
        lambda: BIC(rows, states=ASIA),
        lambda: expected_counts(ASIA, rows),
    ):
        with pytest.raises(ProbabilityError, match=r"row 40.*'perhaps'"):
            learn()


def test_states_that_the_data_do_not_have_are_kept():
    rows = ROWS.assign(asia="no")
    network = fit_parameters(ASIA, rows, pseudo_count=1, exact=True)
    assert network.states == ASIA.states
    yes = network.states["asia"].index("yes")
    assert network.tables["asia"].values[yes] == Fraction(1, 62)
    # Without the network nobody knows of them.
    with pytest.warns(
        UserWarning, match=r"state of 'asia', .* states=\{'asia'"
    ):
        alone = fit_parameters("asia", rows[["asia"]])
    assert alone.states["asia"] == ("no",)
    declared = fit_parameters(
        "asia", rows[["asia"]], states={"asia": ("no", "yes")}
    )
    assert declared.states["asia"] == ("no", "yes")
    # A single state that is declared is meant.
    fit_parameters("asia", rows[["asia"]], states={"asia": ("no",)})


@pytest.mark.filterwarnings("ignore:All rows have the same state of 'asia'")
@every_learner
def test_constant_columns_are_learnt_and_get_no_edges(learner):
    rows = ROWS.assign(asia="no")
    found = LEARNERS[learner](rows)
    if learner in SEARCHES:
        assert found.graph.degree("asia") == 0
        assert np.isfinite(found.score)


@every_search
def test_one_row_and_one_column_are_enough(search):
    for rows in (ROWS[:1], ROWS[["asia"]]):
        run = SEARCHES[search](rows)
        assert run.edges == ()
        assert np.isfinite(run.score)


def test_more_states_than_rows_are_fine_if_they_are_declared():
    states = {"asia": [f"place {i}" for i in range(98)] + ["no", "yes"]}
    rows = ROWS[["asia", "tub"]]
    score = BIC(rows, states=states)
    slow = truth.Scored(
        rows, "bic", states | {"tub": sorted(rows["tub"].unique())}
    )
    graph = nx.DiGraph([("tub", "asia")])
    assert score.total(graph) == pytest.approx(slow.total(graph))
    network = fit_parameters(graph, rows, states=states, pseudo_count=1)
    assert len(network.states["asia"]) == 100


CYCLE = nx.DiGraph([("asia", "tub"), ("tub", "lung"), ("lung", "asia")])


CYCLE.add_nodes_from(ROWS)


START = nx.DiGraph([("asia", "tub")])


START.add_nodes_from(ROWS)


@every_greedy
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"start": CYCLE}, "cycle asia → tub → lung → asia"),
        (
            {"start": START, "forbidden": [("asia", "tub")]},
            "start graph has the edge asia → tub, which is forbidden",
        ),
        (
            {"start": START, "required": [("lung", "tub")]},
            "start graph lacks the edge lung → tub",
        ),
        ({"start": "asia -> tub"}, "lacks the columns 'bronc'"),
        (
            {
                "required": [("asia", "tub")],
                "forbidden": [("tub", "lung"), ("asia", "tub")],
            },
            "asia → tub is both required and forbidden",
        ),
        (
            {"required": [("asia", "tub"), ("tub", "asia")]},
            "cycle",
        ),
        (
            {
                "required": [("asia", "tub"), ("lung", "tub")],
                "max_parents": 1,
            },
            "'tub' 2 parents; max_parents is 1",
        ),
        ({"required": [("asia", "tubb")]}, "Did you mean 'tub'"),
        ({"forbidden": [("asia", "asia")]}, "from a node to itself"),
        ({"forbidden": ["asia -> tub"]}, "pairs"),
    ],
    ids=[
        "start with a cycle",
        "start with a forbidden edge",
        "start without a required edge",
        "start without a node",
        "contradictory lists",
        "required cycle",
        "too many required parents",
        "unknown node",
        "loop",
        "text",
    ],
)
def test_contradictions_are_refused(search, given, said):
    with pytest.raises(GraphError, match=said):
        GREEDY[search](ROWS, **given)
