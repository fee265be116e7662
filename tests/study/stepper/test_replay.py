"""Replays of searches: what is drawn, and what is said."""

import re

import networkx as nx
import numpy as np
import pytest
from bs4 import BeautifulSoup
from hash_seeds import printed_by
from hypothesis import given, settings
from hypothesis import strategies as st
from search_runs import asia_run, class_run, empty, random_run, run_of

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.network import (
    Move,
    Step,
    equivalence_search,
    exact_search,
    hill_climb,
    load_network,
    tabu_search,
)
from bayesbook.study.stepper.replay import replay

pytestmark = pytest.mark.usefixtures("own_style")


# --- Reading a replay as a browser does ------------------------------------


def parsed(shown):
    html = shown._repr_mimebundle_()["text/html"]
    return BeautifulSoup(html, "html.parser")


def numbers(text):
    return np.array(re.findall(r"-?\d+", text), dtype=float)


class Pictures:
    """The graphs of a replay's frames, found by where their lines end."""

    def __init__(self, shown):
        self.page = parsed(shown)
        self.boxes = {}
        nodes = self.page.select_one(f"#stepper-{shown.name}_nodes")
        for box, label in zip(
            nodes.select("rect"), nodes.select("text"), strict=True
        ):
            x, y, width, height = (
                float(box[key]) for key in ("x", "y", "width", "height")
            )
            self.boxes[label.get_text()] = (x, y, x + width, y + height)
            # The label stands in the middle of its box.
            assert float(label["x"]) == pytest.approx(x + width / 2, abs=1)
            assert y < float(label["y"]) < y + height

    def node_at(self, point):
        def away(box):
            low, high = np.reshape(box, (2, 2))
            return np.hypot(
                *np.maximum(0, np.maximum(low - point, point - high))
            )

        found = min(self.boxes, key=lambda node: away(self.boxes[node]))
        assert away(self.boxes[found]) < 3
        return found

    def edges_of(self, use):
        """Read a line as a set of edges: both, if it has no head."""
        drawn = self.page.select_one(use["href"])
        line, *heads = drawn.select("path")
        points = numbers(line["d"]).reshape(-1, 2)
        tips = [numbers(head["d"])[:2] for head in heads]
        ends = [points[0], points[-1]]
        for tip in tips:
            # A line ends where its head begins.
            near = [np.hypot(*(tip - end)) for end in ends]
            ends[int(np.argmin(near))] = tip
            assert min(near) < 25
        one, other = map(self.node_at, ends)
        if not tips:
            return {(one, other), (other, one)}
        [tip] = tips
        head = self.node_at(tip)
        return {(other if head == one else one, head)}

    def frames(self):
        """Yield for each frame the sets of edges by how they look."""
        for frame in self.page.select(".stepper-frame"):
            looks = {}
            for use in frame.select("svg g use")[:-1]:
                look = use.get("class", ["plain"])[0].removeprefix("replay-")
                looks.setdefault(look, set())
                looks[look] |= self.edges_of(use)
            yield looks


def edges_of(pairs, graph):
    return {(u, v) for u, v in graph.edges if frozenset((u, v)) in pairs}


def check(run):
    *frames, last = Pictures(replay(run)).frames()
    graphs = list(run.graphs())
    assert len(frames) == len(graphs) == len(run.path) + 1
    before = graphs[0]
    for at, (looks, graph) in enumerate(zip(frames, graphs, strict=True)):
        step = run.path[at - 1] if at else None
        gone = looks.pop("deleted", set())
        assert set().union(*looks.values()) == set(graph.edges)
        pairs = {frozenset(edge) for edge in graph.edges}
        former = {frozenset(edge) for edge in before.edges}
        same = {
            pair
            for pair in pairs & former
            if edges_of({pair}, graph) == edges_of({pair}, before)
        }
        if step is None or step.move is None:
            assert looks.keys() <= {"plain"}
            assert gone == set()
        else:
            assert gone == edges_of(former - pairs, before)
            assert looks.get("plain", set()) == edges_of(same, graph)
            assert looks.get("added", set()) == edges_of(pairs - former, graph)
            turned = pairs & former - same
            assert looks.get("turned", set()) == edges_of(turned, graph)
        before = graph
    assert last.keys() <= {"plain"}
    assert last.get("plain", set()) == set(run.graph.edges)


def test_every_frame_shows_the_graph_and_what_has_changed():
    rng = np.random.default_rng(0)
    for _ in range(12):
        check(random_run(rng))


def test_classes_have_lines_without_heads():
    rng = np.random.default_rng(1)
    for _ in range(12):
        check(class_run(rng))


ROWS = load_network("asia").sample(1500, rng=5)


@pytest.mark.parametrize("name", ["climb", "tabu", "exact"])
def test_searches_are_replayed(name):
    run = {
        "climb": lambda: hill_climb(ROWS, restarts=1, rng=2),
        "tabu": lambda: tabu_search(ROWS, patience=6),
        "exact": lambda: exact_search(ROWS),
    }[name]()
    check(run)
    lines = repr(replay(run)).splitlines()
    assert len(lines) == 1 + 2 * (len(run.path) + 2)
    assert lines[-2] == f"{len(run.path) + 2}. Found: {len(run.edges)} edges"


def test_of_a_search_among_classes_these_are_shown():
    run = equivalence_search(ROWS)
    frames = list(Pictures(replay(run)).frames())
    for looks, graph in zip(frames, run.cpdags(), strict=False):
        looks.pop("deleted", None)
        assert set().union(*looks.values()) == set(graph.edges)
    assert frames[-1].get("plain", set()) == set(run.cpdag.edges)


def test_it_is_told_why_a_step_was_made():
    """As hill climbing does it, on its way out of a local optimum."""
    start = nx.DiGraph([("A", "B"), ("C", "B")])
    path = [
        Step.of(Move("delete", "A", "B"), -3.0, -13.0, why="take out B"),
        Step.of(Move("reverse", "C", "B"), 0.0, -13.0, why="plateau"),
        Step.of(Move("add", "B", "A"), 5.0, -8.0),
    ]
    shown = replay(run_of(path, start), labels={"B": "$b$"})
    assert repr(shown).splitlines()[3:7] == [
        "2. Step 1 of 3: delete A → b (take out b)",
        "  Gain −3: BIC −13.0 with 1 edge; the best so far was −10.0, at the "
        "start.",
        "3. Step 2 of 3: reverse C → b (plateau)",
        "  Gain 0.0: BIC −13.0 with 1 edge; the best so far was −10.0, at the "
        "start.",
    ]
    check(run_of(path, start))


def test_nodes_stay_where_they_are():
    run = random_run(np.random.default_rng(2))
    shown = replay(run)
    page = parsed(shown)
    sizes = {svg["viewbox"] for svg in page.select(".stepper-picture")}
    assert len(sizes) == 1
    again = replay(run, positions=shown.positions)
    assert parsed(again) == page
    places = {node: (2 * i, i % 2) for i, node in enumerate(sorted(run.start))}
    assert replay(run, positions=places).positions == places


def test_arrows_of_what_was_found_point_where_they_are_asked_to():
    run = random_run(np.random.default_rng(3), n=8, steps=14)
    for direction, axis, sign in (("down", 1, -1), ("right", 0, 1)):
        places = replay(run, direction=direction).positions
        for u, v in run.graph.edges:
            assert sign * (places[v][axis] - places[u][axis]) > 0.3


# --- What is said ----------------------------------------------------------


def test_moves_gains_and_scores_are_said():
    assert repr(replay(asia_run())).splitlines() == [
        'Replay "search": 7 frames',
        "1. Start: no edges",
        "  BIC −200.0.",
        "2. Step 1 of 5: add smoke → lung",
        "  Gain 12.3: BIC −187.7 with 1 edge.",
        "3. Step 2 of 5: add bronc → lung",
        "  Gain 4.5: BIC −183.2 with 2 edges.",
        "4. Step 3 of 5: reverse bronc → lung",
        "  Gain 0.0126: BIC −183.1 with 2 edges.",
        "5. Step 4 of 5: restart 1",
        "  From another graph: BIC −186.1 with 2 edges; the best so far was "
        "−183.1, after step 3.",
        "6. Step 5 of 5: delete smoke → lung",
        "  Gain −1: BIC −187.1 with 1 edge; the best so far was −183.1, after "
        "step 3.",
        "7. Found: 2 edges",
        "  BIC −183.1. To get there, 40 families were counted.",
    ]


def test_of_many_steps_several_are_one_frame():
    lines = repr(replay(asia_run(), most=2)).splitlines()
    assert lines[3:7] == [
        "2. Steps 1 to 3 of 5: 3 moves",
        "  Add smoke → lung (gain 12.3), add bronc → lung (gain 4.5), reverse "
        "bronc → lung (gain 0.0126): BIC −183.1 with 2 edges.",
        "3. Steps 4 to 5 of 5: 2 moves",
        "  Restart 1, delete smoke → lung (gain −1): BIC −187.1 with 1 edge; "
        "the best so far was −183.1, after step 3.",
    ]


@given(st.integers(1, 40), st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_frames_are_few_and_end_at_the_same_graphs(steps, most):
    run = random_run(np.random.default_rng(steps), 4, steps)
    pictures = Pictures(replay(run, most=most))
    found = [
        set().union(*(v for k, v in looks.items() if k != "deleted"))
        for looks in pictures.frames()
    ]
    assert len(found) <= most + 2
    graphs = [set(graph.edges) for graph in run.graphs()]
    length = -(-steps // most)
    places = [*range(0, steps, length), steps]
    assert found[:-1] == [graphs[at] for at in places]


def test_a_search_that_finds_nothing_better_has_two_frames():
    start = nx.DiGraph([("A", "B")])
    lines = repr(replay(run_of([], start))).splitlines()
    assert lines == [
        'Replay "search": 2 frames',
        "1. Start: 1 edge",
        "  BIC −7.5.",
        "2. Found: 1 edge",
        "  BIC −7.5. To get there, 40 families were counted.",
    ]
    page = parsed(replay(run_of([], start)))
    assert page.select(".stepper-legend") == []


def test_a_search_that_was_cut_short_says_so():
    run = run_of([], empty("AB"), converged=False, n_counted=1)
    assert repr(replay(run)).endswith(
        "1 family was counted. The search was cut short."
    )


def test_pictures_are_told_to_those_who_do_not_see_them():
    pictures = parsed(replay(asia_run())).select(".stepper-picture")
    assert [picture["aria-label"] for picture in pictures[:4]] == [
        "Graph: no edges.",
        "Graph: smoke → lung; added: smoke → lung.",
        "Graph: bronc → lung, smoke → lung; added: bronc → lung.",
        "Graph: lung → bronc, smoke → lung; turned: lung → bronc.",
    ]
    assert pictures[5]["aria-label"] == (
        "Graph: smoke → bronc; deleted: smoke → lung."
    )
    assert all(picture["role"] == "img" for picture in pictures)


def test_labels_are_said_and_drawn_instead_of_names():
    shown = replay(asia_run(), labels={"smoke": "$S$", "lung": "Lung\ncancer"})
    assert "add S → Lung cancer" in repr(shown)
    texts = [t.get_text() for t in parsed(shown).select("svg text")]
    assert texts == ["bronc", "Lung", "cancer", "S"]


# --- The page --------------------------------------------------------------


def test_what_a_notebook_gets():
    shown = replay(asia_run(), "asia")
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == repr(shown)
    page = parsed(shown)
    assert page.section["aria-label"] == "Step-through: asia"
    frames = page.select("ol > .stepper-frame")
    for scene, frame in zip(shown.scenes, frames, strict=True):
        assert frame["data-title"] == scene.title
        title, text = frame.select(".stepper-words p")
        assert title.get_text() == scene.title
        assert text.get_text() == scene.text
    legend = [
        li.get_text(strip=True) for li in page.select(".stepper-legend li")
    ]
    assert legend == ["added", "deleted", "turned"]
    slider = page.select_one("input[type=range]")
    assert slider["max"] == str(len(frames))
    assert not re.findall(r"https?:|src=|url\(|@import", bundle["text/html"])


def test_changes_differ_by_dashes_and_by_colour():
    style = parsed(replay(asia_run())).style.get_text()
    rules = dict(
        re.findall(r"\.replay-(added|deleted|turned) \{([^}]*)\}", style)
    )
    assert len(rules) == 3
    for what in ("color", "stroke-dasharray"):
        found = [
            tuple(re.findall(rf"\b{what}: (.*);", rule))
            for rule in rules.values()
        ]
        assert len(set(found)) == 3


def test_ids_are_the_replays_own_and_lead_somewhere():
    every = []
    for name in ("one", "one-2"):
        page = parsed(replay(asia_run(), name))
        ids = [part["id"] for part in page.select("[id]")]
        assert {use["href"] for use in page.select("use")} == {
            f"#{own}" for own in ids
        }
        every += ids
    assert len(set(every)) == len(every)


def test_names_are_no_html():
    evil = "</script><b>&amp;'\""
    run = run_of([Step.of(Move("add", evil, "B"), 1, -1)], empty([evil, "B"]))
    page = parsed(replay(run))
    assert page.find("b") is None
    assert len(page.find_all("script")) == 1
    assert page.select(".stepper-frame")[1]["data-title"] == (
        f"Step 1 of 1: add {evil} → B"
    )


def test_alarm_is_legible_and_not_too_large():
    """Fifty steps: letters of 8 pixels at least, and of no more than 14."""
    graph = load_network("alarm").graph
    path, score = [], -100.0
    for edge in nx.lexicographical_topological_sort(nx.line_graph(graph)):
        score += 1
        path.append(Step.of(Move("add", *edge), 1, score))
    shown = replay(run_of(path, empty(graph)))
    html = shown._repr_mimebundle_()["text/html"]
    assert len(html.encode()) < 150_000
    picture = parsed(shown).select_one(".stepper-picture")
    width = numbers(picture["viewbox"])[2]
    widest, least = numbers(picture["style"])
    letters = 18.75
    assert letters * least / width > 7.6
    assert letters * widest / width == pytest.approx(14, abs=0.1)
    # On a page's 690 pixels nothing has to be scrolled.
    assert least < 690


PROGRAM = """
import networkx as nx
from bayesbook.network import Move, SearchRun, Step
from bayesbook.study.stepper.replay import replay
names = [f"node {i}" for i in range(6)]
start = nx.DiGraph(); start.add_nodes_from(names)
path, score = [], -10
for i in range(1, 6):
    for k in (i - 1, i // 2):
        if not any((names[k], names[i]) in s.added for s in path):
            score += 1
            path.append(Step.of(Move("add", names[k], names[i]), 1, score))
*_, last = SearchRun(start, 0, "BIC", tuple(path), start, 0).graphs()
run = SearchRun(last, score, "BIC", tuple(path), start, 9)
print(replay(run)._repr_mimebundle_())
"""


@pytest.mark.heavy
def test_a_replay_does_not_depend_on_the_order_of_sets():
    printed = printed_by(PROGRAM)
    assert len(printed) == 1
    assert "add node 4 → node 5" in printed.pop()


# --- What is refused -------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"name": "My search"}, ValueError, "name='My search' cannot name"),
        ({"name": 3}, TypeError, "name=3 is not a str"),
        ({"most": 0}, ProbabilityError, "most"),
        ({"most": 1.5}, ProbabilityError, "most"),
        ({"direction": "up"}, ValueError, "'up' is not known"),
        ({"labels": {"smok": "S"}}, GraphError, "`labels` names 'smok'"),
        ({"positions": {"smoke": (0, 0)}}, GraphError, "no place for 'bronc'"),
        (
            {"positions": dict.fromkeys(["smoke", "lung", "bronc"], (0, 0))},
            GraphError,
            "would cover each other",
        ),
    ],
)
def test_what_cannot_be_replayed_is_named(given, error, said):
    with pytest.raises(error, match=said):
        replay(asia_run(), **given)


@pytest.mark.parametrize("run", [None, nx.DiGraph([("A", "B")]), "run"])
def test_only_a_run_is_replayed(run):
    with pytest.raises(TypeError, match="is not a SearchRun"):
        replay(run)
