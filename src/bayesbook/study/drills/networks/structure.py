"""Drills of the structure of networks: Markov blankets, free parameters."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from types import SimpleNamespace

import networkx as nx
import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.pictures import (
    arrows_of,
    connected_graph,
    picture_of,
    source_of,
)
from bayesbook.study.drills.writing import (
    Mistake,
    hints,
    mistakes_of,
    paragraphs,
    table,
    told_apart,
)
from bayesbook.study.quiz import Choice, Option


def blanket(seed: int, rng: np.random.Generator) -> Drill:
    """Ask which nodes are in the Markov blanket of a node."""
    with_spouse = pick(rng, [True, True, True, False])

    def draw() -> Drill | None:
        graph = connected_graph(pick(rng, [5, 6, 6, 7]), rng)
        if not graph:
            return None
        node = pick(rng, sorted(graph))
        roles = {other: _role(graph, node, other) for other in graph}
        del roles[node]
        spouses = {o for o, role in roles.items() if role == "spouse"}
        inside = {o for o, role in roles.items() if role in _INSIDE}
        if bool(spouses) != with_spouse or inside == set(roles):
            return None
        return _blanket_drill(seed, graph, node, roles)

    return until(draw)


_INSIDE = ("parent", "child", "spouse")


def _role(graph: nx.DiGraph, node: str, other: str) -> str:
    """Return the role of another node for a node, such as "parent"."""
    if graph.has_edge(other, node):
        return "parent"
    if graph.has_edge(node, other):
        return "child"
    if set(graph[node]) & set(graph[other]):
        return "spouse"
    if nx.has_path(graph, other, node):
        return "ancestor"
    if nx.has_path(graph, node, other):
        return "descendant"
    siblings = set(graph.pred[node]) & set(graph.pred[other])
    return "sibling" if siblings else "other"


def _blanket_drill(
    seed: int, graph: nx.DiGraph, node: str, roles: dict[str, str]
) -> Drill:
    title = f"Graph: {arrows_of(graph)}."
    question = Choice(
        id=f"blanket-{seed}",
        kind="multiple",
        level="understand",
        prompt=(
            f"{picture_of(graph, title)}\n\nWhich nodes belong to the Markov "
            f"blanket of ${node}$?"
        ),
        setup=(
            "from bayesbook.graphs import d_separated, parse\n"
            f"graph, node = parse({source_of(graph)!r}), {node!r}\n"
            "def needed(other):\n"
            "    rest = set(graph) - {node, other}\n"
            "    return not d_separated(graph, node, other, rest)\n"
        ),
        options=tuple(
            Option(
                f"${other}$",
                f"needed({other!r})",
                _why(graph, node, other, role),
                right=role in _INSIDE,
            )
            for other, role in sorted(roles.items())
        ),
    )
    children = [f"${other}$" for other in sorted(graph.succ[node])]
    parents = [f"${other}$" for other in sorted(graph.pred[node])]
    tips = hints(
        f"Look at three groups: the parents of ${node}$, its children, and "
        "the other parents of these children.",
        f"Parents: {and_list(parents or ['none'])}. Children: "
        f"{and_list(children or ['none'])}.",
    )
    worked = _blanket_worked(node, roles)
    return Drill("blanket", seed, question, worked, hints=tips)


def _why(graph: nx.DiGraph, node: str, other: str, role: str) -> str:
    def shared(neighbours):
        both = set(neighbours[node]) & set(neighbours[other])
        return and_list([f"${n}$" for n in sorted(both)] or ["none"])

    return {
        "parent": f"${other}$ is a parent of ${node}$.",
        "child": f"${other}$ is a child of ${node}$.",
        "spouse": (
            f"${other}$ is another parent of {shared(graph.succ)}: once the "
            "child is observed, the parents are dependent."
        ),
        "ancestor": (
            f"${other}$ is an ancestor of ${node}$, but no parent. Given the "
            "blanket it says nothing more."
        ),
        "descendant": (
            f"${other}$ is a descendant of ${node}$, but no child. Given the "
            "blanket it says nothing more."
        ),
        "sibling": (
            f"Both are children of {shared(graph.pred)}, but given that "
            f"${other}$ says nothing more about ${node}$."
        ),
        "other": (
            f"${other}$ is no parent and no child of ${node}$, and they have "
            "no child in common."
        ),
    }[role]


def _blanket_worked(node: str, roles: dict[str, str]) -> str:
    def those(role):
        found = [f"${n}$" for n, own in sorted(roles.items()) if own == role]
        return and_list(found) if found else "none"

    inside = [f"${n}$" for n, own in sorted(roles.items()) if own in _INSIDE]
    outside = [
        f"${n}$" for n, own in sorted(roles.items()) if own not in _INSIDE
    ]
    return (
        "The Markov blanket has the parents, the children, and the other "
        "parents of the children.\n\n"
        f"- Parents of ${node}$: {those('parent')}.\n"
        f"- Children: {those('child')}.\n"
        f"- Other parents of the children: {those('spouse')}.\n\n"
        f"Given {and_list(inside)}, every trail between ${node}$ and "
        f"{and_list(outside)} is blocked: at the parent where it begins with "
        "one, at the child where it leaves a child along an edge, and at the "
        "other parent where it leaves a child against one. With one node "
        "fewer, some trail would be open."
    )


# --- free parameters --------------------------------------------------------


def parameters(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the number of free parameters of a network."""

    def draw() -> Drill | None:
        graph = connected_graph(pick(rng, [4, 4, 5, 5, 6]), rng)
        if not graph or max(dict(graph.in_degree).values()) < 2:
            return None
        sizes = {node: pick(rng, [2, 2, 2, 3, 3, 4]) for node in graph}
        answer = _free(graph, sizes)
        mistakes = list(_mistakes(graph, sizes))
        if not told_apart(Fraction(answer), mistakes):
            return None
        return number_drill(
            "parameters",
            seed,
            Fraction(answer),
            mistakes,
            str,
            _worked(graph, sizes),
            tolerance=0,
            prompt=_prompt(graph, sizes),
            setup=_setup(graph, sizes),
            check="network.n_parameters",
            why=_reason(graph, sizes),
            hints=_hints(graph, sizes),
        )

    return until(draw)


def _distributions(graph: nx.DiGraph, sizes: dict[str, int], node: str) -> int:
    """Count the distributions of a node, one for each parent configuration."""
    return prod(sizes[parent] for parent in graph.pred[node])


def _free(graph: nx.DiGraph, sizes: dict[str, int]) -> int:
    return sum(_distributions(graph, sizes, n) * (sizes[n] - 1) for n in graph)


def _mistakes(graph: nx.DiGraph, sizes: dict[str, int]) -> Iterator[Mistake]:
    names = {
        "sizes": sizes,
        "prod": prod,
        "joint": prod(sizes.values()),
        "numbers": sum(
            _distributions(graph, sizes, n) * sizes[n] for n in graph
        ),
        "network": SimpleNamespace(parents=graph.predecessors),
        "turned": _free(graph.reverse(), sizes),
    }
    return mistakes_of(_MISTAKES, names)


_MISTAKES = """
    joint - 1 = network.to_table().values.size - 1
        | This is the number for a joint table without any independence.
    joint = network.to_table().values.size
        | This is the number of cells of the joint table.
    numbers = sum(table.values.size for table in network.tables.values())
        | These are all numbers in the tables. In every distribution the last
        one follows from the others, because they sum to one.
    sum(size - 1 for size in sizes.values())
        | This is the number without edges. A node has a conditional
        distribution for each configuration of its parents.
    sum(max(1, sum(sizes[p] for p in network.parents(n))) *
        (sizes[n] - 1) for n in sizes)
        | This adds the states of several parents. Their configurations are
        pairs, triples, ...: multiply.
    turned = sum(prod(sizes[c] for c in network.children(n)) *
        (sizes[n] - 1) for n in sizes)
        | This reads the edges the wrong way, as if a node depended on its
        children.
"""


def _setup(graph: nx.DiGraph, sizes: dict[str, int]) -> str:
    """Write the Python with which the quiz counts: it builds a network."""
    return f"""\
from math import prod
import numpy as np
from bayesbook.graphs import parse
from bayesbook.network import BayesianNetwork
graph, sizes = parse({source_of(graph)!r}), {sizes!r}
states = {{node: range(size) for node, size in sizes.items()}}
def level(node):
    parents = list(graph.pred[node])
    shape = [sizes[one] for one in (*parents, node)]
    return (node, *parents), np.full(shape, 1 / sizes[node])
network = BayesianNetwork.from_cpts(states, dict(map(level, graph)))
"""


def states_told(graph: nx.DiGraph, sizes: dict[str, int]) -> str:
    """Write a sentence that says how many states each node has."""
    groups = [
        f"{and_list(f'${n}$' for n in graph if sizes[n] == size)} "
        + ("have" if list(sizes.values()).count(size) > 1 else "has")
        + f" {size} states"
        for size in sorted(set(sizes.values()))
    ]
    return f"{', '.join(groups)}."


def _prompt(graph: nx.DiGraph, sizes: dict[str, int]) -> str:
    title = f"Graph: {arrows_of(graph)}."
    return paragraphs(
        picture_of(graph, title),
        f"{states_told(graph, sizes)} How many free parameters does a "
        "Bayesian network with this graph have?",
    )


def _terms(graph: nx.DiGraph, sizes: dict[str, int]) -> dict[str, str]:
    terms = {}
    for node in graph:
        parents = [str(sizes[p]) for p in graph.pred[node]]
        terms[node] = r" \cdot ".join([*parents, str(sizes[node] - 1)])
    return terms


def _reason(graph: nx.DiGraph, sizes: dict[str, int]) -> str:
    terms = _terms(graph, sizes)
    return rf"$${' + '.join(terms.values())} = {_free(graph, sizes)}$$"


def _hints(graph: nx.DiGraph, sizes: dict[str, int]) -> tuple[str, ...]:
    node = max(graph, key=lambda one: len(graph.pred[one]))
    parents = and_list(f"${parent}$" for parent in graph.pred[node])
    count = _distributions(graph, sizes, node)
    return hints(
        "A node has one distribution for each configuration of its parents. "
        f"How many configurations have {parents}, the parents of ${node}$?",
        f"They have {count}, and each distribution of ${node}$ has "
        f"{sizes[node]} − 1 free numbers: {count * (sizes[node] - 1)} for "
        f"${node}$ alone.",
    )


def _worked(graph: nx.DiGraph, sizes: dict[str, int]) -> str:
    rows = [
        [
            f"${node}$",
            ", ".join(f"${p}$" for p in graph.pred[node]) or "none",
            str(_distributions(graph, sizes, node)),
            str(sizes[node] - 1),
            str(_distributions(graph, sizes, node) * (sizes[node] - 1)),
        ]
        for node in graph
    ]
    head = [
        "node",
        "parents",
        "distributions",
        "free numbers in a distribution",
        "product",
    ]
    answer, joint = _free(graph, sizes), prod(sizes.values()) - 1
    last = ["*sum*", "", "", "", str(answer)]
    compared = (
        f"The joint table has {joint} free numbers, so the independences of "
        f"the graph save {joint - answer}."
    )
    return paragraphs(
        "A node has one conditional distribution for each configuration of "
        "its parents. In each distribution the last number follows from the "
        "others, because they sum to one.",
        table(head, [*rows, last]),
        compared,
    )
