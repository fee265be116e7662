"""The explorable of d-separation, held against graphs and the definition."""

from itertools import combinations, pairwise, permutations

import networkx as nx
import numpy as np
import pytest

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.study import explore
from bayesbook.study.explore.d_separation import view

NODES = "ABCDEF"
PAIRS = ["".join(pair) for pair in combinations(NODES, 2)]


def state_of(arrows, given=(), ends="AF", trail=0, ball=0):
    """Write a graph and a question as a state."""
    placed = dict.fromkeys((*PAIRS, *NODES), 0)
    for a, b in arrows:
        placed["".join(sorted(a + b))] = 1 if a < b else 2
    placed |= dict.fromkeys(given, 1)
    x, y = map(NODES.index, ends)
    return {"x": x, "y": y, **placed, "trail": trail, "ball": ball}


def random_states(how_many, seed=1):
    """Draw states that are not refused, from empty graphs to full ones."""
    rng = np.random.default_rng(seed)
    for at in range(how_many):
        # The first and the last are without arrows, and with all of them.
        graph = graphs.random_dag(6, at / (how_many - 1), rng=rng)
        names = dict(zip(graph, rng.permutation([*NODES]), strict=True))
        x, y, *others = map(str, rng.permutation([*NODES]))
        yield state_of(
            [(str(names[a]), str(names[b])) for a, b in graph.edges],
            others[: rng.integers(5)],
            x + y,
            int(rng.integers(21)) if at % 2 else 0,
            int(rng.integers(8)) if at % 3 else 0,
        )


def read(state):
    """Return the arrows, the ends and the observed nodes of a state."""
    arrows = [pair if state[pair] == 1 else pair[::-1] for pair in PAIRS]
    arrows = [arrow for arrow in arrows if state["".join(sorted(arrow))]]
    given = {node for node in NODES if state[node]}
    return arrows, NODES[state["x"]], NODES[state["y"]], given


def trails_by_definition(arrows, x, y, given):
    """Yield the trails and whether each is open, of all orders of nodes."""
    above = given.copy()
    for _ in NODES:
        above |= {tail for tail, head in arrows if head in above}
    others = sorted({*NODES} - {x, y})
    for length in range(5):
        for between in permutations(others, length):
            trail = x + "".join(between) + y
            steps = [a + b for a, b in pairwise(trail)]
            if all({step, step[::-1]} & {*arrows} for step in steps):
                threes = zip(trail, trail[1:], trail[2:], strict=False)
                yield (
                    trail,
                    all(
                        node in above
                        if a + node in arrows and b + node in arrows
                        else node not in given
                        for a, node, b in threes
                    ),
                )


STATES = list(random_states(300))


@pytest.mark.parametrize("part", range(3))
def test_what_is_seen_is_what_the_definition_says(part):
    for state in STATES[part::3]:
        arrows, x, y, given = read(state)
        found = dict(trails_by_definition(arrows, x, y, given))
        seen = view(**state)
        assert seen.refused == ""
        separated = not any(found.values())
        verdict = f"{x} and {y} are {'' if separated else 'not '}d-separated"
        assert seen.written["sentence"].startswith(verdict)
        assert seen.written["moral"].startswith(
            "no path" if separated else "a path"
        )
        rows = [seen.written[f"trail_{row}"] for row in range(1, 21)]
        rows = [row for row in rows if row]
        assert len(rows) == min(len(found), 20)
        assert bool(seen.written["more"]) == (len(found) > 20)
        for row in rows:
            drawn, verdict = row.split(": ")
            trail = drawn[::4]
            assert found[trail] == verdict.startswith("open, because")
            kind = {True: "open", False: ""}[found[trail]]
            number = rows.index(row) + 1
            assert seen.drawn[f"row_{number}"] == {"class": kind}


@pytest.mark.parametrize("part", range(3))
def test_the_pictures_show_the_chosen_trail_or_all_that_are_open(part):
    for state in STATES[part::3]:
        arrows, x, y, given = read(state)
        seen = view(**state)
        graph = nx.DiGraph([*arrows])
        graph.add_nodes_from(NODES)
        trails = graphs.explain(graph, x, y, given).trails
        chosen = trails[state["trail"] - 1 :][:1] if state["trail"] else ()
        active = [trail for trail in trails if trail.active]
        lit = {
            frozenset(step)
            for trail in chosen or active
            for step in pairwise(trail.nodes)
        }
        blocks = {
            node
            for trail in chosen or active or trails
            for node in trail.blocked_at
        }
        for pair in PAIRS:
            classes = seen.drawn[pair]["class"].split()
            assert ("arrow" in classes) == bool(state[pair])
            assert ("back" in classes) == (state[pair] == 2)
            band = seen.drawn[f"{pair}_band"]["class"].split()[1:]
            assert bool(band) == (frozenset(pair) in lit)
            if band:
                trail = (*chosen, *active)[0]
                assert band == ["open" if trail.active else "shut"]
        for node in NODES:
            classes = seen.drawn[node]["class"].split()
            assert ("observed" in classes) == (node in given)
            assert ("end" in classes) == (node in (x, y))
            assert ("blocks" in classes) == (node in blocks)


@pytest.mark.parametrize("part", range(3))
def test_the_moral_graph_is_that_of_the_ancestors(part):
    for state in STATES[part::3]:
        arrows, x, y, given = read(state)
        seen = view(**state)
        kept = {x, y, *given}
        for _ in NODES:
            kept |= {tail for tail, head in arrows if head in kept}
        heads = {node: {b for a, b in arrows if a == node} for node in NODES}
        for a, b in PAIRS:
            classes = {"explore-moral"}
            if {a, b} <= kept:
                if {a + b, b + a} & {*arrows}:
                    classes.add("line")
                elif heads[a] & heads[b] & kept:
                    classes |= {"line", "married"}
                if "line" in classes and {a, b} & given:
                    classes.add("cut")
            assert {*seen.drawn[f"{a}{b}_moral"]["class"].split()} == classes
        for node in NODES:
            classes = seen.drawn[f"{node}_moral"]["class"].split()
            assert ("absent" in classes) == (node not in kept)
            assert ("observed" in classes) == (node in given)


def walks(arrows, x, given):
    """Yield the last steps of the active walks of one step, two, and so on."""
    above = given.copy()
    for _ in NODES:
        above |= {tail for tail, head in arrows if head in above}
    steps = {*arrows, *(head + tail for tail, head in arrows)}
    last = {step for step in steps if step[0] == x}
    while True:
        yield last
        last = {
            node + after
            for before, node in last
            for after in NODES
            if node + after in steps
            and (
                node in above
                if {before + node, after + node} <= {*arrows}
                else node not in given
            )
        }


@pytest.mark.parametrize("part", range(3))
def test_the_ball_rolls_along_the_active_walks(part):
    for state in STATES[part::3]:
        arrows, x, _, given = read(state)
        graph = nx.DiGraph([*arrows])
        graph.add_nodes_from(NODES)
        end = graphs.d_connected_to(graph, x, given)
        rolled: list[set[str]] = [set()]
        # No walk of more steps is needed: a node is entered in two ways.
        for _, last in zip(range(12), walks(arrows, x, given), strict=False):
            rolled.append(rolled[-1] | last)
        depth = rolled.index(rolled[-1])
        for steps, before, now in zip(
            range(1, depth + 1), rolled, rolled[1:], strict=False
        ):
            seen = view(**state | {"ball": steps})
            kinds = {
                way: seen.drawn[f"ball_{way[0]}{way[1]}"]["class"].split()[1:]
                for way in permutations(NODES, 2)
            }
            assert {
                a + b for (a, b), kind in kinds.items() if kind == ["old"]
            } == before
            assert {
                a + b for (a, b), kind in kinds.items() if kind == ["new"]
            } == now - before
            said = seen.written["ball"]
            assert said.startswith(f"After {steps} step")
            told, _, what = said.partition(", and rolls no further: ")
            _, _, whom = told.partition(" has reached ")
            reached = {node for _, node in now} - {x, *given}
            assert {*whom} & {*NODES} == reached
            assert bool(what) == (steps == depth)
            if what:
                assert reached == end
                assert ("d-separated" in what) == (not end)
        later = view(**state | {"ball": depth + 1})
        assert later.drawn["roll"]["aria-disabled"] == "true"
        assert later == view(**state | {"ball": depth})


def test_a_ball_without_an_edge_stays_where_it_lies():
    for steps in (0, 1):
        seen = view(**state_of(["BC"], ball=steps))
        assert (
            seen.written["ball"]
            == "The ball lies at A, and no edge leads away."
        )
        assert seen.drawn["roll"] == {
            "data-sets": "ball 0",
            "aria-disabled": "true",
        }


def test_cycles_and_questions_about_known_ends_are_refused():
    def refused(arrows, given=(), ends="AF"):
        seen = view(**state_of(arrows, given, ends))
        assert (seen.written, seen.drawn, seen.solves) == ({}, {}, ())
        return seen.refused

    assert "B → C → D → B would be a cycle" in refused(["BC", "CD", "DB"])
    longer = ["AB", "BC", "CA", "BD", "DE", "EF", "FA"]
    assert "A → B → C → A would" in refused(longer)
    assert "two different nodes" in refused([], ends="BB")
    assert "B is an end" in refused(["AB"], "BC", "BF")


NARROW = ["AB", "BC", "BD", "BF", "CF", "DF"]
DESCENDANT = ["AD", "DE", "FE", "EC"]
BOTH = ["AB", "CB", "CD", "FD"]


@pytest.mark.parametrize(
    ("arrows", "given", "solves"),
    [
        (NARROW, "B", ("narrow",)),
        (NARROW, "C", ()),  # it blocks one of three
        (NARROW, "BC", ()),  # two
        (NARROW[:4], "B", ()),  # a single trail
        ([*NARROW, "AE", "FE"], "B", ()),  # one is blocked anyway
        (DESCENDANT, "C", ("descendant",)),
        (DESCENDANT, "E", ()),  # it is on the trail
        (DESCENDANT, "BC", ()),
        ([*DESCENDANT, "AF"], "C", ()),  # it is open anyway
        (BOTH, "BD", ("both",)),
        (BOTH, "B", ()),
        ([*BOTH, "DE"], "BE", ("both",)),
        (["AB", "FB", "BC"], "BC", ()),  # one of them is enough
    ],
)
def test_tasks_are_solved_by_their_solutions_only(arrows, given, solves):
    assert view(**state_of(arrows, given)).solves == solves


def test_nobody_solves_a_task_within_two_moves():
    start = explore.d_separation()
    values = {each.name: each.value for each in start.controls}
    moves = [
        {each.name: value}
        for each in start.controls
        for value in range(each.least, each.most + 1)
        if each.name not in ("trail", "ball")
    ]
    for one, other in combinations(moves, 2):
        assert view(**values | one | other).solves == (), (one, other)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"arrows": "A -> G"}, ValueError, "'G' is not expected"),
        ({"given": "BF"}, ValueError, "'F' is not expected"),
        ({"arrows": "A -> B -> A"}, GraphError, "cycle"),
    ],
)
def test_a_start_that_cannot_be_shown_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        explore.d_separation(**arguments)
