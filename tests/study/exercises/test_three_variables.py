"""The exercises of the chapter can be solved, and in another way."""

import networkx as nx
from study.exercises.solving import solved_by

from bayesbook import graphs
from bayesbook.graphs import chain_rule
from bayesbook.probability import Table

# --- Solutions through tables and graphs of the library -------------------


def table(name, parents, p_one):
    """Make P(name | parents) of binary variables from the column of ones."""
    shares = {
        (*above, state) if parents else state: p if state else 1 - p
        for above, p in p_one.items()
        for state in (1, 0)
    }
    return Table.from_counts(
        shares, [*parents, name], given=parents, exact=True
    )


def joint(parents, p_one, row):
    tables = [table(node, parents[node], p_one[node]) for node in parents]
    return chain_rule(tables).P(row)


def topological_orders(parents):
    graph = nx.DiGraph()
    graph.add_nodes_from(parents)
    graph.add_edges_from((a, b) for b, above in parents.items() for a in above)
    if not nx.is_directed_acyclic_graph(graph):
        return set()
    return set(map(tuple, nx.all_topological_sorts(graph)))


def reverse(p_x, p_y_given_x):
    distribution = Table.from_counts(
        {
            (x, y): p_x[x] * p
            for x, row in p_y_given_x.items()
            for y, p in row.items()
        },
        ["X", "Y"],
        exact=True,
    )
    p_y = {y: distribution.P(Y=y) for y in distribution.states["Y"]}
    return p_y, {
        y: {x: distribution.P({"X": x}, given={"Y": y}) for x in p_x}
        for y in p_y
    }


def explained_away(p_x, p_y, p_z):
    distribution = chain_rule(
        [
            table("X", (), {(): p_x}),
            table("Y", (), {(): p_y}),
            table("Z", ("X", "Y"), p_z),
        ]
    )
    effect, both = {"Z": 1}, {"Z": 1, "Y": 1}
    return distribution.P({"X": 1}, given=effect) - distribution.P(
        {"X": 1}, given=both
    )


def is_open(arrows, triple, observed):
    graph = nx.DiGraph(sorted(arrows))
    explanation = graphs.explain(graph, triple[0], triple[2], observed)
    (verdict,) = [
        trail.active
        for trail in explanation.trails
        if trail.nodes in (triple, triple[::-1])
    ]
    return verdict


test_another_solution_passes = solved_by("three_variables", globals())
