"""Parameters of drawn rows against counting by hand."""

import learning_truth as truth
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from learning_cases import few, frames_and_graphs
from numpy.testing import assert_allclose

from bayesbook.base import ProbabilityError
from bayesbook.network import (
    count_network,
    fit_parameters,
)


def expect_distribution(network, node, given, distribution):
    table = network.tables[node]
    world = dict(zip(truth.tables_of(network)[node][0], given, strict=True))
    at = tuple(
        table.states[v].index(world[v]) for v in table.variables if v != node
    )
    assert table.variables[-1] == node
    assert_allclose(
        table.values[at].astype(float),
        [distribution[state] for state in table.states[node]],
        atol=1e-12,
    )


@given(case=frames_and_graphs(), added=st.sampled_from([0, 0.5, 1, 3]))
@few
def test_parameters_are_those_of_the_counts(case, added):
    rows, graph = case
    states = truth.states_of(rows)
    network = fit_parameters(
        graph, rows, pseudo_count=added, unseen="uniform", states=states
    )
    for node, (parents, numbers) in truth.tables_of(network).items():
        for known in {key[:-1] for key in numbers}:
            distribution = truth.estimate(
                rows, node, parents, known, states, added
            )
            level = dict.fromkeys(states[node], 1 / len(states[node]))
            expect_distribution(network, node, known, distribution or level)


@given(case=frames_and_graphs(), size=st.sampled_from([1, 2.5, 10]))
@few
def test_bdeu_spreads_its_rows_over_each_table(case, size):
    rows, graph = case
    states = truth.states_of(rows)
    network = fit_parameters(
        graph, rows, equivalent_sample_size=size, states=states
    )
    for node, (parents, numbers) in truth.tables_of(network).items():
        for known in {key[:-1] for key in numbers}:
            distribution = truth.estimate(
                rows, node, parents, known, states, size / len(numbers)
            )
            expect_distribution(network, node, known, distribution)


@given(case=frames_and_graphs(rows=(4, 30)))
@few
def test_counts_of_parts_add_up(case):
    rows, graph = case
    states = truth.states_of(rows)
    whole = count_network(graph, rows, states=states)
    middle = len(rows) // 2
    parts = [rows[:middle], rows[middle:]]
    total = sum(count_network(graph, part, states=states) for part in parts)
    for node, table in whole.tables.items():
        assert (table == total.tables[node]).all()
    assert whole.total == total.total == len(rows)


def test_what_no_row_says_is_a_choice_with_a_name():
    """Others give the uniform distribution or NaN without a word."""
    rows = pd.DataFrame({"A": ["s", "s", "s"], "B": ["x", "y", "x"]})
    states = {"A": ["s", "t"]}
    with pytest.raises(ProbabilityError, match=r"A=t.*P\(B \| A=t\)"):
        fit_parameters("A -> B", rows, states=states)
    for unseen, distribution in (("uniform", [1, 1]), ("marginal", [2, 1])):
        network = fit_parameters("A -> B", rows, states=states, unseen=unseen)
        found = network.tables["B"].values[1]
        assert_allclose(
            found.astype(float), np.array(distribution) / sum(distribution)
        )
    smooth = fit_parameters("A -> B", rows, states=states, pseudo_count=1)
    assert smooth.tables["B"].values[1].tolist() == [0.5, 0.5]
    with pytest.raises(ProbabilityError, match="unseen"):
        fit_parameters("A -> B", rows, states=states, unseen="ignore")
