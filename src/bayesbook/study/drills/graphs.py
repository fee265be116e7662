"""Drills of d-separation and of Markov equivalence, on fresh graphs."""

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations, product

import networkx as nx
import numpy as np

from bayesbook.base.names import and_list
from bayesbook.graphs import (
    Explanation,
    Junction,
    Trail,
    ancestral_moral_graph,
    d_separated,
    equivalence_class,
    explain,
    skeleton,
)
from bayesbook.study.drills.drill import Drill, pick, some, until
from bayesbook.study.drills.pictures import (
    Collider,
    arrows_of,
    connected_graph,
    each_arrow,
    picture_of,
    rebuilt,
    source_of,
    v_structures,
)
from bayesbook.study.drills.writing import hints
from bayesbook.study.quiz import Choice, Option

_MOST_TRAILS = 3
_OPTIONS = 4


def separation(seed: int, rng: np.random.Generator) -> Drill:
    """Ask whether two nodes of a graph are d-separated, and why."""
    separated = pick(rng, [True, False])
    feature = pick(rng, list(_FEATURES))

    def draw() -> Drill | None:
        graph = connected_graph(pick(rng, [4, 5, 5, 6, 6, 7]), rng)
        for query in _queries(graph, rng) if graph else ():
            found = explain(graph, *query)
            if (
                found.separated == separated
                and 1 <= len(found.trails) <= _MOST_TRAILS
                and _has(found, feature)
                and (options := _separation_options(found, rng))
            ):
                return _separation_drill(seed, graph, found, options)
        return None

    return until(draw)


def equivalence(seed: int, rng: np.random.Generator) -> Drill:
    """Ask which graphs are Markov equivalent to a given one."""
    right = pick(rng, [1, 2, 2, 3])
    with_colliders = pick(rng, [True, True, False])

    def draw() -> Drill | None:
        graph = connected_graph(pick(rng, [4, 5, 5, 5]), rng)
        if not graph or bool(v_structures(graph)) != with_colliders:
            return None
        graph = _on_ring(graph, rng)
        _, *same = equivalence_class(graph)
        vees, wrong = v_structures(graph), _OPTIONS - right
        turned = [g for g in _orientations(graph) if v_structures(g) != vees]
        if len(same) < right or len(turned) < wrong:
            return None
        others = some(turned, wrong, rng)
        if wrong > 1 and pick(rng, [True, False]):
            others[:1] = some(_rewired(graph), 1, rng) or others[:1]
        chosen = some(same, right, rng)
        return _equivalence_drill(seed, graph, chosen, others, len(same) + 1)

    return until(draw)


# --- drawing graphs and queries ---------------------------------------------


def _on_ring(graph: nx.DiGraph, rng: np.random.Generator) -> nx.DiGraph:
    """Rename the nodes so that few edges cross when they are on a ring."""
    nodes = sorted(graph)
    # Edges that share a node do not cross.
    pairs = [
        (*one, *other)
        for one, other in combinations(graph.edges, 2)
        if not {*one} & {*other}
    ]
    orders = {
        order: _crossings(pairs, dict(zip(nodes, order, strict=True)))
        for order in permutations(range(len(nodes)))
    }
    fewest = min(orders.values())
    best = [order for order in orders if orders[order] == fewest]
    name = {nodes[i]: nodes[at] for i, at in enumerate(pick(rng, best))}
    return rebuilt(nodes, ((name[a], name[b]) for a, b in graph.edges))


def _crossings(pairs: list[tuple[str, ...]], at: dict[str, int]) -> int:
    """Count the pairs of which one end, c or d, is between a and b."""

    def between(a: str, b: str, node: str) -> bool:
        return (at[a] < at[node]) != (at[b] < at[node])

    return sum(between(a, b, c) != between(a, b, d) for a, b, c, d in pairs)


def _queries(
    graph: nx.DiGraph, rng: np.random.Generator
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield pairs that are not adjacent, each with up to two observations."""
    nodes = sorted(graph)
    pairs = sorted(map(sorted, nx.complement(graph.to_undirected()).edges))
    for x, y in some(pairs, len(pairs), rng):
        others = [node for node in nodes if node not in (x, y)]
        size = pick(rng, [0, 1, 1, 1, 2, 2])
        yield x, y, tuple(sorted(some(others, size, rng)))


# Each question shows one of these at least, so that none becomes rare.
_FEATURES = {
    "collider that blocks": lambda j: j.kind == "collider" and not j.open,
    "collider that is observed": lambda j: j.kind == "collider" and j.observed,
    "collider with an observed descendant": lambda j: bool(
        j.observed_descendant
    ),
    "fork that is observed": lambda j: j.kind == "fork" and j.observed,
    "chain node that is observed": lambda j: (
        j.kind == "chain node" and j.observed
    ),
    "fork that is open": lambda j: j.kind == "fork" and j.open,
    "chain node that is open": lambda j: j.kind == "chain node" and j.open,
}


def _has(found: Explanation, feature: str) -> bool:
    test = _FEATURES[feature]
    return any(test(j) for trail in found.trails for j in trail.junctions)


# --- separated or not, and why ----------------------------------------------

# One junction of each trail that is claimed to block it.
Blocks = tuple[tuple[Trail, Junction], ...]


def _separation_options(
    found: Explanation, rng: np.random.Generator
) -> list[Option] | None:
    """Make the right option, one of the same verdict, two of the other."""
    claims = [
        tuple(zip(found.trails, junctions, strict=True))
        for junctions in product(*(trail.junctions for trail in found.trails))
    ]
    true = [claim for claim in claims if not _flaws(claim)]
    # One mistake at a time: for a blocked trail the claim is right.
    few = max(1, sum(trail.active for trail in found.trails))
    false = [claim for claim in claims if len(_flaws(claim)) == few]
    open_trails = [trail for trail in found.trails if trail.active]
    closed = [trail for trail in found.trails if not trail.active]
    if found.separated:
        right = [_blocked(found, pick(rng, true))]
        wrong = [
            *(_blocked(found, claim) for claim in some(false, 1, rng)),
            *(_opened(found, trail) for trail in some(closed, 2, rng)),
        ]
    else:
        right = [_opened(found, pick(rng, open_trails))]
        wrong = [
            *(_opened(found, trail) for trail in some(closed, 1, rng)),
            *(_blocked(found, claim) for claim in some(false, 2, rng)),
        ]
    options = [*right, *wrong]
    verdicts = {option.text.split(":")[0] for option in options}
    return options if len(options) > 2 and len(verdicts) == 2 else None


def _flaws(claim: Blocks) -> list[Junction]:
    return [junction for _, junction in claim if junction.open]


def _fact(junction: Junction) -> str:
    observed = "observed" if junction.observed else "not observed"
    return f"{junction.node}, a {junction.kind} that is {observed}"


def _blocked(found: Explanation, claim: Blocks) -> Option:
    """Make the option that claims a block on every trail."""
    flaws = _flaws(claim)
    claimed = {trail.drawn: junction.node for trail, junction in claim}
    trails = "; ".join(
        f"{trail.drawn} is blocked at {_fact(junction)}"
        for trail, junction in claim
    )
    if flaws:
        why = f"{_why_open(flaws[0])} {_verdict_aside(found, says=True)}"
    else:
        why = f"{_rule(claim[0][1])} {found.sentence}"
    return Option(
        f"Separated: {trails}.",
        f"all(node in trails[t].blocked_at for t, node in {claimed}.items())",
        why.strip(),
        right=not flaws,
    )


def _opened(found: Explanation, trail: Trail) -> Option:
    """Make the option that claims that a trail is open."""
    facts = and_list([_reason(junction) for junction in trail.junctions])
    if trail.active:
        why = f"One open trail is enough. {found.sentence}"
    else:
        stop = next(j for j in trail.junctions if not j.open)
        why = f"{_rule(stop)} {_verdict_aside(found, says=False)}"
    return Option(
        f"Not separated: {trail.drawn} is open, because {facts}.",
        f"trails[{trail.drawn!r}].active",
        why.strip(),
        right=trail.active,
    )


def _reason(junction: Junction) -> str:
    """Write what is observed at a junction, whether that opens it or not."""
    if junction.open:
        return str(junction)
    observed = "is observed" if junction.observed else "is not observed"
    return f"the {junction.kind} {junction.node} {observed}"


def _rule(junction: Junction) -> str:
    """Explain why a junction blocks its trail."""
    if junction.kind == "collider":
        return (
            f"The collider {junction.node} blocks its trail: neither it nor "
            "a descendant of it is observed."
        )
    return (
        f"The {junction.kind} {junction.node} blocks its trail, because it "
        "is observed."
    )


def _why_open(junction: Junction) -> str:
    """Explain why a junction does not block its trail."""
    if junction.kind != "collider":
        return (
            f"A {junction.kind} blocks only if it is observed, and "
            f"{junction.node} is not."
        )
    if junction.observed:
        return (
            f"{junction.node} is a collider: observing it opens the trail "
            "there."
        )
    return (
        f"{junction.node} is a collider, and its descendant "
        f"{junction.observed_descendant} is observed: that opens the trail "
        "there."
    )


def _verdict_aside(found: Explanation, says: bool) -> str:
    """Note that the verdict is right, if only its reason is wrong."""
    if found.separated != says:
        return ""
    asked = f"{found.x[0]} and {found.y[0]}"
    verdict = "are indeed" if says else "are indeed not"
    return f"{asked} {verdict} d-separated, but for another reason."


def _separation_drill(
    seed: int, graph: nx.DiGraph, found: Explanation, options: list[Option]
) -> Drill:
    (x,), (y,), given = found.x, found.y, found.given
    asked = f"Are {x} and {y} d-separated"
    if given:
        asked += f" given {and_list(given)}"
    observed = f"Observed: {and_list(given)}" if given else "Nothing observed"
    picture = picture_of(
        graph,
        f"Graph: {arrows_of(graph)}. {observed}.",
        given=list(map(str, given)),
    )
    question = Choice(
        id=f"separation-{seed}",
        kind="single",
        level="analyse",
        prompt=f"{picture}\n\n{asked}, and why?",
        setup=(
            "from bayesbook.graphs import explain, parse\n"
            f"graph = parse({source_of(graph)!r})\n"
            f"found = explain(graph, {x!r}, {y!r}, {given!r})\n"
            "trails = {trail.drawn: trail for trail in found.trails}\n"
        ),
        options=tuple(options),
    )
    trails = and_list([trail.drawn for trail in found.trails])
    are = "The trail is" if len(found.trails) == 1 else "The trails are"
    first = found.trails[0]
    kinds = and_list(
        [
            f"{junction.node} is a {junction.kind}"
            for junction in first.junctions
        ]
    )
    return Drill(
        "separation",
        seed,
        question,
        _separation_worked(graph, found),
        hints=hints(
            f"Between {x} and {y} look at every trail, and on it at every "
            f"node in between. {are} {trails}.",
            f"On {first.drawn}, {kinds or 'there is no node in between'}.",
        ),
    )


def _separation_worked(graph: nx.DiGraph, found: Explanation) -> str:
    (x,), (y,), given = found.x, found.y, found.given
    n = len(found.trails)
    trails = "\n".join(f"- {trail}" for trail in found.trails)
    number = "one trail connects" if n == 1 else f"{n} trails connect"
    moral = ancestral_moral_graph(graph, {x, y, *given})
    edges = _edges(moral)
    rest = moral.subgraph(set(moral) - set(given))
    cut = "are" if nx.has_path(rest, x, y) else "are not"
    taken = f"Without {and_list(given)}, " if given else "There "
    return (
        f"Along or against the arrows, {number} {x} and {y}:\n\n{trails}\n\n"
        f"So {found.sentence}\n\n"
        "**By the moral graph.** Keep "
        f"{and_list(sorted(map(str, {x, y, *given})))} and their ancestors, "
        "join "
        "parents that have a child in common, and drop the directions. That "
        f"leaves {edges or 'no edge'}. "
        f"{taken}{x} and {y} {cut} connected."
    )


# --- which graphs are equivalent ---------------------------------------------


def _orientations(graph: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Yield every DAG with the same skeleton, but for the graph itself."""
    edges = sorted(graph.edges)
    for turns in product([False, True], repeat=len(edges)):
        turned = rebuilt(
            graph,
            (
                (b, a) if t else (a, b)
                for (a, b), t in zip(edges, turns, strict=True)
            ),
        )
        if any(turns) and nx.is_directed_acyclic_graph(turned):
            yield turned


def _rewired(graph: nx.DiGraph) -> list[nx.DiGraph]:
    """List the DAGs that arise from moving the head of one arrow."""
    edges = set(graph.edges)
    adjacent = skeleton(graph)
    moved = [
        rebuilt(graph, edges - {(a, b)} | {(a, c)})
        for a, b in sorted(edges)
        for c in sorted(set(graph) - {a, *adjacent[a]})
    ]
    return [
        other
        for other in moved
        if nx.is_directed_acyclic_graph(other)
        and nx.is_weakly_connected(other)
    ]


def _equivalence_drill(
    seed: int,
    graph: nx.DiGraph,
    same: list[nx.DiGraph],
    others: list[nx.DiGraph],
    size: int,
) -> Drill:
    options = [
        *(_equivalent(graph, other) for other in same),
        *(_not_equivalent(graph, other) for other in others),
    ]
    title = f"Graph: {arrows_of(graph)}."
    question = Choice(
        id=f"equivalence-{seed}",
        kind="multiple",
        level="analyse",
        prompt=(
            f"{picture_of(graph, title, ring=True)}\n\n"
            "Which of the graphs below are Markov equivalent to this one?"
        ),
        setup=(
            "from bayesbook.graphs import markov_equivalent, parse\n"
            f"graph = parse({source_of(graph)!r})\n"
        ),
        options=tuple(options),
    )
    worked = (
        "Two graphs are Markov equivalent if and only if they have the same "
        "skeleton and the same v-structures.\n\n"
        f"- Skeleton of the graph: {_edges(graph)}.\n"
        f"- Its v-structures: {_vees(v_structures(graph)) or 'none'}.\n\n"
        "Compare each of the others with it: first the edges without their "
        "directions, then every → · ← whose ends are not adjacent. What this "
        f"finds is said below. Its equivalence class has {size} graphs in "
        "all."
    )
    vees = _vees(v_structures(graph)) or "none"
    tips = hints(
        "Compare skeletons first, the edges without their directions, and "
        f"then the v-structures. The skeleton is {_edges(graph)}.",
        f"The v-structures of the graph: {vees}. Which options have the same "
        "skeleton, these v-structures, and no others?",
    )
    return Drill("equivalence", seed, question, worked, hints=tips)


def _equivalence_option(other: nx.DiGraph, why: str, right: bool) -> Option:
    # No line breaks before or after the head of an arrow.
    arrows = arrows_of(other).replace(" → ", "\u00a0→\u00a0")
    return Option(
        f"{picture_of(other, '', ring=True)} {arrows}",
        f"markov_equivalent(graph, parse({source_of(other)!r}))",
        why,
        right,
    )


def _equivalent(graph: nx.DiGraph, other: nx.DiGraph) -> Option:
    vees = _vees(v_structures(graph))
    shared = f"the same v-structures, {vees}" if vees else "no v-structures"
    turned = set(other.edges) - set(graph.edges)
    are = "is" if len(turned) == 1 else "are"
    why = (
        f"{and_list(each_arrow(turned))} {are} turned round. The skeleton is "
        f"the same, and both graphs have {shared}."
    )
    return _equivalence_option(other, why, right=True)


def _not_equivalent(graph: nx.DiGraph, other: nx.DiGraph) -> Option:
    have, has = v_structures(graph), v_structures(other)
    if moved := nx.difference(skeleton(other), skeleton(graph)).edges:
        [(x, y)] = map(sorted, moved)
        why = (
            f"Another skeleton: {and_list([x, y])} are adjacent here, in the "
            "given graph they are not."
        )
    elif new := has - have:
        x, _, y = min(new)
        why = f"{_are_vees(new)} of this graph, and not of the given one."
    else:
        x, _, y = min(have - has)
        why = (
            f"{_are_vees(have - has)} of the given graph, and not of this one."
        )
    return _equivalence_option(
        other, f"{why} {_witness(graph, other, x, y)}", right=False
    )


def _witness(graph: nx.DiGraph, other: nx.DiGraph, x: str, y: str) -> str:
    """Name an independence of two nodes that only one graph implies."""
    rest = sorted(set(graph) - {x, y})
    for size in range(len(rest) + 1):
        for given in combinations(rest, size):
            here = d_separated(other, x, y, given)
            there = d_separated(graph, x, y, given)
            if here != there:
                which = "here" if here else "in the given graph"
                known = f" given {and_list(given)}" if given else ""
                return f"So {x} and {y} are d-separated{known} only {which}."
    raise AssertionError(f"{x} and {y} do not tell the graphs apart.")


# --- words ------------------------------------------------------------------


def _edges(graph: nx.Graph) -> str:
    """Write the edges of a graph without their directions."""
    edges = sorted(sorted(edge) for edge in graph.edges)
    return ", ".join(f"{a} – {b}" for a, b in edges)


def _vees(structures: Iterable[Collider]) -> str:
    shown = [f"{a} → {c} ← {b}" for a, c, b in sorted(structures)]
    return and_list(shown or [""])


def _are_vees(structures: Iterable[Collider]) -> str:
    one = len(set(structures)) == 1
    word = "is a v-structure" if one else "are v-structures"
    return f"{_vees(structures)} {word}"
