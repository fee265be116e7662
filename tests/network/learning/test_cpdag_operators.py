"""Classes and operators against all graphs of four nodes, edge by edge."""

from collections import defaultdict
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.network.inference.triangulation import bits
from bayesbook.network.learning._cpdag_operators import (
    KINDS,
    EssentialGraph,
    Operator,
    affected_heads,
    apply_operator,
    changed_parents,
    consistent_extension,
    is_valid,
    parent_cliques,
    tails_at,
)

# -- truths: one member and one edge at a time ------------------------------


def graph_of(parents, undirected=()):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(parents)))
    for sets in (parents, undirected):
        for head, own in enumerate(sets):
            graph.add_edges_from((tail, head) for tail in bits(own))
    return graph


def parents_of(graph):
    return [sum(1 << a for a in graph.pred[node]) for node in sorted(graph)]


def is_acyclic(parents):
    return nx.is_directed_acyclic_graph(graph_of(parents))


def all_parents(n):
    pairs = list(combinations(range(n), 2))
    for choice in product((None, 1, -1), repeat=len(pairs)):
        parents = [0] * n
        for pair, way in zip(pairs, choice, strict=True):
            if way:
                tail, head = pair[::way]
                parents[head] |= 1 << tail
        if is_acyclic(parents):
            yield parents


def classes_of(n):
    """Group all DAGs by their skeletons and v-structures."""
    classes = defaultdict(list)
    for parents in all_parents(n):
        graph = graph_of(parents)
        skeleton = frozenset(map(frozenset, graph.edges))
        classes[skeleton, graphs.v_structures(graph)].append(parents)
    return list(classes.values())


@pytest.fixture(scope="module")
def classes():
    return classes_of(4)


def changed(parents, kind, tail, head):
    """Change one edge of a DAG; None if that is not possible."""
    there = parents[head] >> tail & 1
    back = parents[tail] >> head & 1
    if not {"insert": not there and not back, "delete": there, "turn": back}[
        kind
    ]:
        return None
    after = list(parents)
    after[head] ^= 1 << tail
    if kind == "turn":
        after[tail] ^= 1 << head
    return after if is_acyclic(after) else None


def neighbours(members, kind):
    """List the classes that one edge of one member is away from."""
    n = len(members[0])
    results = (
        changed(parents, kind, tail, head)
        for parents in members
        for tail, head in product(range(n), repeat=2)
        if tail != head
    )
    own = EssentialGraph.from_dag(members[0]).key()
    return {
        EssentialGraph.from_dag(after).key() for after in results if after
    } - {own}


def operators_at(graph, kind, head):
    return [
        Operator(kind, tail, head, given)
        for given in parent_cliques(graph, head)
        for tail in bits(tails_at(graph, kind, head, given))
    ]


def operators(graph, kind):
    for head in range(len(graph.parents)):
        for operator in operators_at(graph, kind, head):
            if is_valid(graph, operator):
                yield operator


def changed_families(graph, operator):
    """The families of the member after and before the operator."""
    changes = changed_parents(graph, operator)
    before = [(node, parents) for node, parents, _ in changes]
    after = [(node, parents ^ 1 << own) for node, parents, own in changes]
    return after, before


@st.composite
def dags(draw, most=9):
    n = draw(st.integers(2, most))
    density = draw(st.sampled_from([0.15, 0.3, 0.5, 0.8]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    order = rng.permutation(n)
    parents = [0] * n
    for i, j in combinations(range(n), 2):
        if rng.random() < density:
            parents[order[j]] |= 1 << int(order[i])
    return parents


# -- classes ---------------------------------------------------------------


def test_a_set_is_its_bits():
    assert list(bits(0)) == []
    assert list(bits(0b1010001)) == [0, 4, 6]
    assert list(bits(1 << 300)) == [300]


def test_an_essential_graph_is_the_union_of_the_members(classes):
    for members in classes:
        all_graphs = {
            EssentialGraph.from_dag(parents).key() for parents in members
        }
        assert len(all_graphs) == 1
        graph = EssentialGraph.from_dag(members[0])
        union = set().union(*(graph_of(parents).edges for parents in members))
        assert set(graph_of(graph.parents, graph.neighbours).edges) == union


@given(dags())
def test_an_essential_graph_is_the_cpdag(parents):
    graph = EssentialGraph.from_dag(parents)
    truth = graphs.cpdag(graph_of(parents))
    own = graph_of(graph.parents, graph.neighbours)
    assert set(own.edges) == set(truth.edges)
    for node in own:
        assert set(bits(graph.adjacent[node])) == set(own.pred[node]) | set(
            own.succ[node]
        )
        assert list(bits(graph.children[node])) == sorted(
            head for head in own.succ[node] if not own.has_edge(head, node)
        )


def test_a_cycle_has_no_class():
    with pytest.raises(GraphError, match="cycle"):
        EssentialGraph.from_dag([2, 4, 1])


@given(dags())
def test_the_member_of_a_class_is_that_of_the_module_dag(parents):
    graph = EssentialGraph.from_dag(parents)
    truth = graphs.consistent_extension(graphs.cpdag(graph_of(parents)))
    assert graph.member() == parents_of(truth)


def test_not_every_graph_has_a_member():
    # An undirected square, and an undirected edge to which two edges point.
    assert (
        consistent_extension([0] * 4, [0b1010, 0b0101, 0b1010, 0b0101]) is None
    )
    assert (
        consistent_extension([0, 0b0001, 0b1000, 0], [0, 0b100, 0b010, 0])
        is None
    )


@pytest.mark.parametrize("seed", range(6))
def test_members_with_edges_and_without_others(classes, seed):
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a, b in product(range(4), repeat=2) if a != b]
    for members in classes:
        graph = EssentialGraph.from_dag(members[0])
        chosen = rng.permutation(len(pairs))
        required = [pairs[i] for i in chosen[: seed % 3]]
        forbidden = [pairs[i] for i in chosen[seed % 3 : seed]]
        allowed = [
            parents
            for parents in members
            if all(parents[b] >> a & 1 for a, b in required)
            and not any(parents[b] >> a & 1 for a, b in forbidden)
        ]
        found = graph.member(required, forbidden)
        assert found in allowed if allowed else found is None


# -- operators -------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_operators_lead_to_all_classes_one_edge_away(classes, kind):
    n_operators = 0
    for members in classes:
        graph = EssentialGraph.from_dag(members[0])
        found = {
            apply_operator(graph, operator).key()
            for operator in operators(graph, kind)
        }
        assert found == neighbours(members, kind)
        n_operators += len(found)
    # Pairs of classes; each insertion can be deleted again.
    assert n_operators == {"insert": 756, "delete": 756, "turn": 360}[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_changes_the_families_that_it_names(classes, kind):
    for members in classes:
        graph = EssentialGraph.from_dag(members[0])
        for operator in operators(graph, kind):
            after, before = changed_families(graph, operator)
            edge = operator.tail, operator.head
            results = {
                EssentialGraph.from_dag(changed(parents, kind, *edge)).key()
                for parents in members
                if all(parents[node] == own for node, own in before)
                and changed(parents, kind, *edge)
                and all(
                    changed(parents, kind, *edge)[node] == own
                    for node, own in after
                )
            }
            assert results == {apply_operator(graph, operator).key()}


@given(dags(), st.sampled_from(KINDS), st.randoms(use_true_random=False))
def test_operators_of_larger_graphs_change_one_edge_of_a_member(
    parents, kind, luck
):
    graph = EssentialGraph.from_dag(parents)
    found = list(operators(graph, kind))
    assume(found)
    operator = luck.choice(found)
    after, before = changed_families(graph, operator)
    result = apply_operator(graph, operator)
    # The result is complete: it is the class of its own member.
    assert EssentialGraph.from_dag(result.member()).key() == result.key()
    # A member of the class with the families that the operator names ...
    own = EssentialGraph(graph.parents, graph.neighbours)
    present, absent = [], []
    for node, wanted in before:
        present += [(tail, node) for tail in bits(wanted)]
        absent += [
            (tail, node) for tail in bits(graph.adjacent[node] & ~wanted)
        ]
    member = own.member(present, absent)
    assert member is not None
    # ... becomes one of the result's, by a single edge.
    turned = changed(member, kind, operator.tail, operator.head)
    assert EssentialGraph.from_dag(turned).key() == result.key()
    assert all(turned[node] == wanted for node, wanted in after)


@given(dags(), st.sampled_from(KINDS))
def test_only_affected_heads_have_other_operators(parents, kind):
    graph = EssentialGraph.from_dag(parents)
    for operator in operators(graph, "insert"):
        other = apply_operator(graph, operator)
        affected = affected_heads(graph, other)
        for head in set(range(len(parents))) - set(bits(affected)):
            mine, its = (
                [
                    (candidate, changed_parents(g, candidate))
                    for candidate in operators_at(g, kind, head)
                ]
                for g in (graph, other)
            )
            assert mine == its


@given(dags(), st.sampled_from(KINDS))
def test_changed_parents_are_those_of_all_members_and_a_clique(parents, kind):
    graph = EssentialGraph.from_dag(parents)
    for operator in operators(graph, kind):
        for node, before, _ in changed_parents(graph, operator):
            cliques = parent_cliques(graph, node)
            assert before in {graph.parents[node] | own for own in cliques}


def complete(n_nodes):
    return EssentialGraph.from_dag([(1 << i) - 1 for i in range(n_nodes)])


def test_too_many_operators_are_refused():
    # All sets of the other nodes are cliques.
    assert len(set(parent_cliques(complete(17), 0))) == 2**16
    with pytest.raises(GraphError, match="more than 65,536 sets of parents"):
        list(parent_cliques(complete(18), 0))
