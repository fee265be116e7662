"""Runs: their paths replay the search, and they show themselves."""

import networkx as nx
import pandas as pd
import pytest
from search_truth import SCORES, SEARCHES, rows_of

from bayesbook import graphs
from bayesbook.network import (
    SearchRun,
    exact_search,
    hill_climb,
    load_network,
    tabu_search,
    tree_search,
)


@pytest.mark.parametrize(
    ("search", "options"),
    [
        (hill_climb, {}),
        (hill_climb, {"restarts": 3, "rng": 2}),
        (hill_climb, {"start": "E -> D -> C -> B -> A"}),
        (hill_climb, {"required": [("E", "A")], "forbidden": [("A", "B")]}),
        (tabu_search, {"patience": 15}),
        (tree_search, {"class_node": "C"}),
        (exact_search, {"score": "aic"}),
    ],
)
def test_the_path_replays_the_search(search, options):
    rows = rows_of(2, sizes=(2, 3, 2, 3, 2))
    run = search(rows, **options)
    assert isinstance(run, SearchRun)
    score = SCORES[options.get("score", "bic")](rows)
    assert run.criterion == score.name
    dags = list(run.graphs())
    assert len(dags) == len(run.path) + 1
    assert set(dags[0].edges) == set(run.start.edges)
    for graph in dags:
        graphs.check_dag(graph)
        assert list(graph) == list(rows)
    assert any(set(graph.edges) == set(run.graph.edges) for graph in dags)
    totals = [score.total(graph) for graph in dags]
    for before, step, after in zip(totals, run.path, totals[1:], strict=False):
        assert step.score == pytest.approx(after, abs=1e-9)
        assert step.delta == pytest.approx(after - before, abs=1e-9)
    assert run.score == score.total(run.graph)
    assert run.score == pytest.approx(max(totals), abs=1e-9)
    climbs = range(options.get("restarts", 0) + 1)
    assert {step.restart for step in run.path} == {*climbs}


def test_a_run_is_a_table():
    rows = rows_of(2, sizes=(2, 3, 2, 3, 2))
    run = hill_climb(rows, restarts=1, rng=2)
    table = run.to_frame()
    assert table.shape == (len(run.path), 7)
    edges = [graph.number_of_edges() for graph in run.graphs()]
    assert table["edges"].tolist() == edges[1:]
    assert "restart" in set(table["move"])
    assert table["restart"].max() == 1
    assert hill_climb(rows[["A"]]).to_frame().empty


def test_a_run_shows_itself():
    rows = pd.DataFrame({"<A>": [0, 1] * 9, "B": [0, 1] * 9})
    run = hill_climb(rows)
    assert repr(run) == (
        "SearchRun: 2 nodes, 1 edge, BIC -16.81, after 1 step (4 families "
        "counted)\nadd <A> → B: +11.03"
    )
    html = run._repr_html_()
    assert "add &lt;A&gt; → B" in html
    assert "<A>" not in html
    long = hill_climb(load_network("child").sample(300, rng=1))
    assert "more steps" in repr(long)
    assert "more steps" in long._repr_html_()


def test_a_run_gives_the_equivalence_class_and_cannot_be_changed():
    rows = rows_of(2)
    run = hill_climb(rows)
    assert set(run.cpdag.edges) == set(graphs.cpdag(run.graph).edges)
    with pytest.raises(nx.NetworkXError):
        run.graph.add_edge("A", "B")
    with pytest.raises(AttributeError):
        run.score = 0


def test_a_progress_bar_is_shown_on_demand(capsys):
    rows = rows_of()
    for search in SEARCHES:
        search(rows)
        assert capsys.readouterr().err == ""
        search(rows, progress=True)
        assert capsys.readouterr().err != ""
