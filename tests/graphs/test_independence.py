"""Independences against those that networkx finds."""

from graph_truth import (
    all_dags,
    descendants,
    separated_by_definition,
    separations,
)

from bayesbook import graphs


def test_local_markov_is_true_and_leaves_nothing_out():
    for graph in all_dags("ABCD"):
        said = {
            statement.x[0]: statement
            for statement in graphs.local_markov(graph)
        }
        for node in graph:
            later = descendants(set(graph.edges), node)
            parents = {a for a, b in graph.edges if b == node}
            others = set(graph) - later - parents
            if others:
                assert set(said[node].y) == others
                assert set(said[node].given) == parents
                assert separated_by_definition(graph, node, others, parents)
            else:
                assert node not in said


def test_all_independences_of_all_graphs_of_four_nodes():
    for graph in all_dags("ABCD"):
        listed = list(graphs.independences(graph))
        truth = {((x,), (y,), known) for x, y, known in separations(graph)}
        assert set(listed) == truth
        assert len(listed) == len(truth)
        assert listed == sorted(
            listed, key=lambda s: (s.x, s.y, len(s.given), s.given)
        )
        assert all(
            graphs.d_separated(graph, *statement) for statement in listed
        )


def test_an_independence_in_symbols():
    assert str(graphs.Independence(("X",), ("Y", "Z"))) == "X ⊥ Y, Z"
    assert (
        str(graphs.Independence(("X",), ("Y",), ("A", "B"))) == "X ⊥ Y | A, B"
    )
