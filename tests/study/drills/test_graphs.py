"""Every graph read again, and every claim about it tried by brute force."""

import re
from itertools import chain, combinations, pairwise
from urllib.parse import unquote

import networkx as nx
import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

# --- From the words of a question to graphs and claims ----------------------


def graph_of(picture):
    """Read a graph from a picture of the quiz's Markdown."""
    [source] = re.findall(r"\((?:graph|ring):([^ )]+)", picture)
    graph = nx.DiGraph()
    for part in unquote(source).split(","):
        graph.add_edges_from([part.split("->")])
    return graph


def asked(drill):
    """Return graph, nodes and what is observed: twice, and both agree."""
    picture, question = drill.prompt.split("\n\n")
    words = r"Are (\w) and (\w) d-separated(?: given ([^,?]+))?, and why\?"
    x, y, given = re.fullmatch(words, question).groups()
    given = set(re.findall(r"\b[T-Z]\b", given or ""))
    shaded = re.search(r'"given ([^"]*)"', picture)
    assert given == set(shaded[1].split(", ") if shaded else [])
    return graph_of(picture), x, y, given


def arrows(graph):
    return ", ".join(f"{a} → {b}" for a, b in sorted(graph.edges))


# --- d-separation as it is defined ------------------------------------------


def trails(graph, x, y):
    return [tuple(t) for t in nx.all_simple_paths(graph.to_undirected(), x, y)]


def kind_at(graph, trail, at):
    before, node, after = trail[at - 1 : at + 2]
    into = graph.has_edge(before, node) + graph.has_edge(after, node)
    return ["fork", "chain node", "collider"][into]


def is_blocked_at(graph, trail, at, given):
    node = trail[at]
    if kind_at(graph, trail, at) != "collider":
        return node in given
    return not given & {node, *nx.descendants(graph, node)}


def is_open(graph, trail, given):
    inner = range(1, len(trail) - 1)
    return not any(is_blocked_at(graph, trail, at, given) for at in inner)


def drawn(graph, trail):
    steps = [trail[0]]
    for a, b in pairwise(trail):
        steps += ["→" if graph.has_edge(a, b) else "←", b]
    return " ".join(steps)


TRAIL = r"\w(?: [→←] \w)+"


def nodes_of(text):
    return tuple(re.findall(r"\w", text))


def claims_hold(graph, x, y, given, option):
    """Try what an option claims; what it says of single nodes must be true."""
    if opened := re.fullmatch(
        rf"Not separated: ({TRAIL}) is open, because (.*)\.", option
    ):
        trail = nodes_of(opened[1])
        assert drawn(graph, trail) == opened[1]
        assert (trail[0], trail[-1]) == (x, y)
        facts = re.split(r" and the |, the ", opened[2])
        assert len(facts) == len(trail) - 2
        for at, fact in enumerate(facts, 1):
            kind, node, state = re.fullmatch(
                r"(?:the )?(chain node|fork|collider) (\w) (.*)", fact
            ).groups()
            assert (node, kind) == (trail[at], kind_at(graph, trail, at))
            assert_state(graph, node, state, given)
        return is_open(graph, trail, given)
    [blocks] = re.findall(r"Separated: (.*)\.", option)
    seen, holds = [], True
    for block in blocks.split("; "):
        text, node, kind, state = re.fullmatch(
            rf"({TRAIL}) is blocked at (\w), a ([a-z ]+) that (is.*)", block
        ).groups()
        trail = nodes_of(text)
        at = trail.index(node)
        assert kind == kind_at(graph, trail, at)
        assert_state(graph, node, state, given)
        seen.append(trail)
        holds = holds and is_blocked_at(graph, trail, at, given)
    assert sorted(seen) == sorted(trails(graph, x, y))
    return holds


def assert_state(graph, node, state, given):
    if state in ("is observed", "is not observed"):
        assert (node in given) == (state == "is observed")
    else:
        [descendant] = re.findall("has the observed descendant (.)", state)
        assert descendant in given & nx.descendants(graph, node)


# --- Separated or not, and why ----------------------------------------------


def test_the_reason_is_the_only_one_that_holds():
    assert len(bank("separation")) == 200
    for drill in bank("separation"):
        graph, x, y, given = asked(drill)
        assert nx.is_directed_acyclic_graph(graph)
        truth = nx.is_d_separator(graph, {x}, {y}, given)
        for option in drill.question.options:
            holds = claims_hold(graph, x, y, given, option.text)
            assert holds == option.right, drill
        [right] = drill.answer
        assert right.startswith("Separated" if truth else "Not separated")


def test_both_verdicts_can_be_chosen_and_are_right_half_the_time():
    verdicts = []
    for drill in bank("separation"):
        assert 3 <= len(drill.options) <= 4
        claimed = {option.split(":")[0] for option in drill.options}
        assert claimed == {"Separated", "Not separated"}
        verdicts.append(drill.answer[0].split(":")[0])
    assert 80 <= verdicts.count("Separated") <= 120


def test_the_longest_option_gives_nothing_away():
    longest = sum(
        max(drill.options, key=len) == drill.answer[0]
        for drill in bank("separation")
    )
    assert longest < 90


def test_the_questions_are_not_trivial_and_of_all_kinds():
    seen = dict.fromkeys(
        [
            "observed collider",
            "observed descendant",
            "closed collider",
            "observed fork",
            "observed chain node",
            "nothing observed",
        ],
        0,
    )
    for drill in bank("separation"):
        graph, x, y, given = asked(drill)
        assert 4 <= len(graph) <= 7
        assert nx.is_weakly_connected(graph)
        assert not graph.to_undirected().has_edge(x, y)
        found = set()
        for trail in trails(graph, x, y):
            for at in range(1, len(trail) - 1):
                node, kind = trail[at], kind_at(graph, trail, at)
                if node in given:
                    found.add(f"observed {kind}")
                elif is_blocked_at(graph, trail, at, given):
                    found.add("closed collider")
                elif kind == "collider":
                    found.add("observed descendant")
        if not given:
            found.add("nothing observed")
        for what in found:
            seen[what] += 1
    assert min(seen.values()) >= 15, seen


def test_the_explanation_counts_the_trails():
    seen = set()
    for drill in bank("separation"):
        graph, x, y, _ = asked(drill)
        n = len(trails(graph, x, y))
        said = "one trail connects" if n == 1 else f"{n} trails connect"
        assert f", {said} {x} and {y}:\n" in drill.explanation
        seen.add(n)
    assert seen >= {1, 2}


def test_the_explanation_lists_every_trail_with_what_blocks_it():
    for drill in bank("separation"):
        graph, x, y, given = asked(drill)
        lines = re.findall(rf"- ({TRAIL}): (.*)", drill.explanation)
        assert {nodes_of(text) for text, _ in lines} == set(
            trails(graph, x, y)
        )
        for text, verdict in lines:
            trail = nodes_of(text)
            assert text == drawn(graph, trail)
            inner = range(1, len(trail) - 1)
            blocking = {
                trail[at]
                for at in inner
                if is_blocked_at(graph, trail, at, given)
            }
            named = set(re.findall(r"at (\w), a", verdict))
            assert named == blocking
            assert verdict.startswith("blocked" if blocking else "open")


def test_the_explanation_cuts_the_moral_graph():
    for drill in bank("separation"):
        graph, x, y, given = asked(drill)
        kept = {x, y} | given
        kept |= {a for node in kept for a in nx.ancestors(graph, node)}
        moral = nx.moral_graph(graph.subgraph(kept))
        lines = ", ".join(
            f"{a} – {b}" for a, b in sorted(map(sorted, moral.edges))
        )
        assert f"That leaves {lines or 'no edge'}. " in drill.explanation
        cut = not nx.has_path(moral.subgraph(kept - given), x, y)
        verdict = "are not connected." if cut else "are connected."
        assert drill.explanation.endswith(f"{x} and {y} {verdict}")
        assert cut == nx.is_d_separator(graph, {x}, {y}, given)


def test_the_picture_says_what_it_shows():
    for drill in bank("separation"):
        graph, _, _, given = asked(drill)
        [title] = re.findall(r"!\[([^\]]*)\]", drill.prompt)
        assert f"Graph: {arrows(graph)}." in title
        for node in given:
            assert re.search(rf"Observed: .*\b{node}\b", title)
        assert ("Nothing observed." in title) == (not given)


# --- Which graphs are equivalent --------------------------------------------


def implied(graph):
    """List all d-separations of pairs of nodes, by networkx."""
    nodes = sorted(graph)
    return {
        (x, y, given)
        for x, y in combinations(nodes, 2)
        for given in subsets(set(nodes) - {x, y})
        if nx.is_d_separator(graph, {x}, {y}, set(given))
    }


def subsets(nodes):
    nodes = sorted(nodes)
    return chain.from_iterable(
        combinations(nodes, size) for size in range(len(nodes) + 1)
    )


def skeleton(graph):
    return {frozenset(edge) for edge in graph.edges}


def colliders(graph):
    return {
        (frozenset([a, b]), c)
        for c in graph
        for a, b in combinations(graph.predecessors(c), 2)
        if frozenset([a, b]) not in skeleton(graph)
    }


def options_of(drill):
    return [(graph_of(o.text), o) for o in drill.question.options]


@pytest.mark.parametrize("part", range(4))
def test_equivalent_graphs_imply_the_same_and_others_do_not(part):
    for drill in bank("equivalence")[part::4]:
        given = implied(graph_of(drill.prompt))
        for graph, option in options_of(drill):
            assert nx.is_directed_acyclic_graph(graph)
            assert (implied(graph) == given) == option.right, drill


def test_the_options_are_different_graphs_with_the_same_nodes():
    assert len(bank("equivalence")) == 200
    for drill in bank("equivalence"):
        given = graph_of(drill.prompt)
        graphs = [given, *(graph for graph, _ in options_of(drill))]
        assert len({frozenset(graph.edges) for graph in graphs}) == 5
        assert {frozenset(graph) for graph in graphs} == {frozenset(given)}


def test_one_to_three_are_right_and_no_number_of_them_is_rare():
    right = [len(drill.answer) for drill in bank("equivalence")]
    assert set(right) == {1, 2, 3}
    assert all(right.count(number) >= 30 for number in (1, 2, 3))


def test_most_graphs_have_v_structures_and_wrong_ones_differ_in_both_ways():
    with_colliders, moved, turned = 0, 0, 0
    for drill in bank("equivalence"):
        given = graph_of(drill.prompt)
        with_colliders += bool(colliders(given))
        for graph, option in options_of(drill):
            moved += not option.right and skeleton(graph) != skeleton(given)
            turned += not option.right and skeleton(graph) == skeleton(given)
    assert 100 <= with_colliders <= 160
    assert 40 <= moved < turned


def test_the_reasons_name_the_difference():
    witness = r"So (\w) and (\w) are d-separated(?: given (.*))? only (.*)\."
    for drill in bank("equivalence"):
        given = graph_of(drill.prompt)
        for graph, option in options_of(drill):
            if option.right:
                assert "The skeleton is the same" in option.why
                new = sorted(set(graph.edges) - set(given.edges))
                for a, b in new:
                    assert f"{a} → {b}" in option.why
                continue
            x, y, known, where = re.search(witness, option.why).groups()
            known = set(re.findall(r"\b[T-Z]\b", known or ""))
            here = nx.is_d_separator(graph, {x}, {y}, known)
            there = nx.is_d_separator(given, {x}, {y}, known)
            assert here != there
            assert where == ("here" if here else "in the given graph")
            first = option.why.split(" So ")[0]
            if skeleton(graph) != skeleton(given):
                pair = re.search(r"(\w) and (\w) are adjacent here", first)
                assert frozenset(pair.groups()) in (
                    skeleton(graph) - skeleton(given)
                )
                assert pair.groups() == (x, y)
            else:
                named = {
                    (frozenset([a, b]), c)
                    for a, c, b in re.findall(r"(\w) → (\w) ← (\w)", first)
                }
                new = colliders(graph) - colliders(given)
                lost = colliders(given) - colliders(graph)
                assert named == (new or lost)
                assert frozenset([x, y]) in {ends for ends, _ in named}


def test_the_explanation_gives_skeleton_and_v_structures():
    for drill in bank("equivalence"):
        given = graph_of(drill.prompt)
        lines = re.search(r"Skeleton of the graph: (.*)\.", drill.explanation)
        shown = {frozenset(edge.split(" – ")) for edge in lines[1].split(", ")}
        assert shown == skeleton(given)
        vees = re.search(r"Its v-structures: (.*)\.", drill.explanation)[1]
        found = re.findall(r"(\w) → (\w) ← (\w)", vees)
        assert {(frozenset([a, b]), c) for a, c, b in found} == colliders(
            given
        )
        assert (vees == "none") == (not found)


def test_the_size_of_the_class_is_counted():
    for drill in bank("equivalence"):
        given = graph_of(drill.prompt)
        edges = sorted(given.edges)
        size = 0
        for turned in subsets(range(len(edges))):
            graph = nx.DiGraph(
                edge[::-1] if at in turned else edge
                for at, edge in enumerate(edges)
            )
            size += colliders(graph) == colliders(
                given
            ) and nx.is_directed_acyclic_graph(graph)
        assert f"equivalence class has {size} graphs" in drill.explanation


@pytest.mark.parametrize("kind", ["separation", "equivalence"])
def test_the_checks_of_the_questions_agree(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))
