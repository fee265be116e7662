"""Drawings of networks: their geometry, marks without colour, words."""

from fractions import Fraction
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from drawing.pictures import (
    LAWN,
    YES_NO,
    box,
    lightness,
    outline,
    overlap,
    parts,
    random_network,
    width,
)
from hash_seeds import printed_by
from matplotlib.figure import Figure
from matplotlib.text import Text

from bayesbook.base import GraphError, ProbabilityError, ZeroProbabilityError
from bayesbook.drawing import describe, draw_network, subplots
from bayesbook.drawing.layout import Spacing, edges_of, nodes_of, place_boxes
from bayesbook.drawing.panels import fitting, shapes_of
from bayesbook.drawing.parts import count_hidden, find_routes
from bayesbook.network import BayesianNetwork, JunctionTree, eliminate
from bayesbook.probability import Table

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=4)[1]


def enumerated(network, node, known):
    """Compute the distribution of a node by summing the joint distribution."""
    total = dict.fromkeys(network.states[node], 0.0)
    nodes = network.nodes
    for states in product(*(network.states[n] for n in nodes)):
        world = dict(zip(nodes, states, strict=True))
        weight = float(network.P(world))
        for observed, state in known.items():
            if isinstance(state, dict):
                weight *= float(state[world[observed]])
            else:
                weight *= world[observed] == state
        total[world[node]] += weight
    return {s: p / sum(total.values()) for s, p in total.items()}


# --- Bars and numbers ------------------------------------------------------


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        {"grass": "wet"},
        {"grass": {"wet": 0.9, "dry": 0.2}},
        {"sprinkler": "off", "grass": {"wet": Fraction(1, 3), "dry": 1}},
    ],
    ids=str,
)
def test_bars_are_as_long_as_states_are_probable(ax, evidence):
    drawing = draw_network(ax, LAWN, evidence=evidence)
    bars, tracks = parts(drawing, "bar"), parts(drawing, "track")
    numbers = parts(drawing, "number")
    whole = {round(width(track), 9) for track in tracks.values()}
    assert len(whole) == 1
    for node in LAWN.nodes:
        for state, p in enumerated(LAWN, node, evidence).items():
            name = f"{node} {state}"
            assert (name in bars) == (p > 0)
            if p > 0:
                share = width(bars[name]) / width(tracks[name])
                assert share == pytest.approx(p)
                assert outline(bars[name]).min() == outline(tracks[name]).min()
            shown = f"{p:.0f}" if p in (0, 1) else f"{p:.3f}"
            assert numbers[name].get_text() == shown


def test_any_inference_can_be_drawn(ax):
    rows = LAWN.sample(500, rng=1)
    counted = {node: Table.from_frame(rows, node) for node in LAWN.nodes}
    numbers = parts(draw_network(ax, LAWN, counted), "number")
    share = (rows["rain"] == "yes").mean()
    assert numbers["rain yes"].get_text() == f"{share:.3f}"
    given = JunctionTree(LAWN).posteriors({"grass": "wet"})
    drawn = draw_network(ax, LAWN, given)
    assert drawn.describe() == (
        draw_network(ax, LAWN, evidence={"grass": "wet"}).describe()
    )


def test_what_is_not_given_has_its_name_only(ax):
    found = eliminate(LAWN, "rain", {"grass": "wet"}).posterior
    drawing = draw_network(
        ax, LAWN, {"rain": found}, evidence={"grass": "wet"}
    )
    assert parts(drawing, "bar").keys() == {
        "rain yes",
        "rain no",
        "grass wet",
    }
    assert parts(drawing, "label").keys() == set(LAWN.nodes)
    assert "sprinkler:" not in drawing.describe()


def test_only_what_is_certain_is_zero_or_one(ax):
    distribution = [1e-9, 0.0004999, 0.0005001, 1 - 0.001 - 1e-9]
    coin = BayesianNetwork([Table(distribution, {"coin": "abcd"})])
    numbers = parts(draw_network(ax, coin), "number")
    shown = [numbers[f"coin {state}"].get_text() for state in "abcd"]
    assert shown == ["<0.001", "<0.001", "0.001", "0.999"]
    sure = BayesianNetwork([Table([1e-9, 1 - 1e-9, 0], {"coin": "abc"})])
    numbers = parts(draw_network(ax, sure), "number")
    shown = [numbers[f"coin {state}"].get_text() for state in "abc"]
    assert shown == ["<0.001", ">0.999", "0"]


def test_a_sum_that_misses_one_by_a_rounding_is_one(ax):
    almost = Table([1 - 2**-53, 0], {"coin": "HT"})
    coin = BayesianNetwork([Table([0.5, 0.5], {"coin": "HT"})])
    numbers = parts(draw_network(ax, coin, {"coin": almost}), "number")
    assert numbers["coin H"].get_text() == "1"


def test_states_are_told_apart_whatever_their_order_in_a_table(ax):
    turned = Table([0.9, 0.1], {"rain": ("no", "yes")})
    numbers = parts(draw_network(ax, LAWN, {"rain": turned}), "number")
    assert numbers["rain yes"].get_text() == "0.100"
    assert numbers["rain no"].get_text() == "0.900"


def test_rows_are_in_the_order_of_the_states(ax):
    states = parts(draw_network(ax, LAWN), "state")
    heights = {name: text.get_position()[1] for name, text in states.items()}
    assert heights["grass wet"] > heights["grass dry"]
    assert heights["rain yes"] > heights["rain no"]


def test_former_probabilities_are_lines_across_the_bars(ax):
    tree = JunctionTree(LAWN)
    prior, first = tree.posteriors(), tree.posteriors({"sprinkler": "on"})
    both = {"sprinkler": "on", "grass": "wet"}
    for before, known in ((prior, {}), (first, {"sprinkler": "on"})):
        drawing = draw_network(ax, LAWN, evidence=both, before=before)
        marks, tracks = parts(drawing, "before"), parts(drawing, "track")
        assert marks.keys() == tracks.keys()
        for node in LAWN.nodes:
            for state, p in enumerated(LAWN, node, known).items():
                low, high = box(marks[f"{node} {state}"])
                start, end = box(tracks[f"{node} {state}"])
                assert low[0] == pytest.approx(high[0])
                place = (low[0] - start[0]) / (end[0] - start[0])
                assert place == pytest.approx(p)
                assert low[1] < start[1] < end[1] < high[1]


# --- Marks, told apart without colour --------------------------------------


def test_observed_nodes_are_shaded_with_a_thick_rim(ax):
    drawing = draw_network(ax, LAWN, evidence={"grass": "wet"})
    nodes = parts(drawing, "node")
    thick, thin = (nodes[n].get_linewidth() for n in ("grass", "rain"))
    assert thick > 2 * thin
    assert lightness(nodes["rain"].get_facecolor()[:3]) == pytest.approx(1)
    assert lightness(nodes["grass"].get_facecolor()[:3]) < 0.85


def test_soft_evidence_is_a_dashed_rim_and_shows_its_likelihoods(ax):
    drawing = draw_network(
        ax, LAWN, evidence={"grass": {"wet": 0.9, "dry": Fraction(1, 3)}}
    )
    nodes = parts(drawing, "node")
    assert nodes["rain"].get_linestyle() == "solid"
    assert nodes["grass"].get_linestyle() != "solid"
    widths = [nodes[n].get_linewidth() for n in ("grass", "rain")]
    assert widths[0] > 1.5 * widths[1]
    shown = parts(drawing, "likelihood")
    texts = {name: text.get_text() for name, text in shown.items()}
    assert texts == {"grass wet": "(0.9)", "grass dry": "(0.333)"}


def test_evidence_does_not_change_the_places(ax):
    places = [
        draw_network(ax, LAWN, evidence=known).positions
        for known in ({}, {"rain": "no"}, {"rain": "no", "grass": "wet"})
    ]
    assert places[0] == places[1] == places[2]


# --- Panels and arrows -----------------------------------------------------


def check_geometry(network, drawing):
    """Nothing covers anything, and arrows go from rim to rim."""
    nodes, edges = parts(drawing, "node"), parts(drawing, "edge")
    heads = parts(drawing, "head")
    assert nodes.keys() == set(network.nodes)
    names = {f"{u} {v}" for u, v in network.graph.edges}
    assert edges.keys() == heads.keys() == names
    for a, b in combinations(nodes.values(), 2):
        assert not overlap(box(a), box(b))
    for u, v in network.graph.edges:
        edge, head = edges[f"{u} {v}"], heads[f"{u} {v}"]
        assert near_rim(outline(edge)[0], box(nodes[u]))
        assert near_rim(outline(head)[0], box(nodes[v]))
        assert np.hypot(*(outline(head)[0] - outline(edge)[-1])) < 0.2
        for other in set(network.nodes) - {u, v}:
            low, high = box(nodes[other])
            inside = (outline(edge) > low) & (outline(edge) < high)
            assert not inside.all(axis=1).any(), (u, v, other)


def near_rim(point, bounds):
    low, high = bounds
    assert (point > low - 0.01).all()
    assert (point < high + 0.01).all()
    return min(*(point - low), *(high - point)) < 0.03


@pytest.mark.heavy
def test_panels_of_random_networks_are_apart_and_arrows_pass_none():
    rng = np.random.default_rng(0)
    for _ in range(40):
        network = random_network(rng)
        ax = Figure(figsize=(7, 8)).add_axes((0, 0, 1, 1))
        rows = network.sample(50, rng=rng)
        distributions = {
            node: Table.from_frame(rows, node) for node in network.nodes
        }
        drawing = draw_network(ax, network, distributions)
        check_geometry(network, drawing)
        low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
        for node in parts(drawing, "node").values():
            assert (box(node)[0] > low).all()
            assert (box(node)[1] < high).all()


@pytest.mark.parametrize("direction", ["down", "right"])
def test_arrows_point_where_they_are_asked_to(direction):
    rng = np.random.default_rng(1)
    for size in ((3, 9), (7, 7), (9, 3)):
        network = random_network(rng, 8)
        ax = Figure(figsize=size).add_axes((0, 0, 1, 1))
        drawing = draw_network(ax, network, {}, direction=direction)
        axis, sign = (1, -1) if direction == "down" else (0, 1)
        for u, v in network.graph.edges:
            step = np.subtract(drawing.positions[v], drawing.positions[u])
            assert step[axis] * sign > 0.3


@pytest.mark.parametrize("size", [(7, 6), (3.5, 3), (2, 2)])
def test_texts_stay_in_their_panels_and_columns_apart(size):
    rng = np.random.default_rng(2)
    for _ in range(4):
        network = random_network(rng, 6)
        fig, ax = subplots(width=size[0], height=size[1])
        drawing = draw_network(
            ax,
            network,
            evidence={"A": dict.fromkeys(network.states["A"], 0.25)},
        )
        fig.draw_without_rendering()
        shown = {
            kind: {
                name: part.get_window_extent()
                for name, part in parts(drawing, kind).items()
            }
            for kind in ("label", "state", "track", "number", "likelihood")
        }
        for name, node in parts(drawing, "node").items():
            rim = node.get_window_extent()
            for kind, texts in shown.items():
                for own, text in texts.items():
                    if own == name or own.startswith(f"{name} "):
                        assert rim.x0 < text.x0 < text.x1 < rim.x1, kind
                        assert rim.y0 < text.y0 < text.y1 < rim.y1, kind
        for name, track in shown["track"].items():
            assert shown["state"][name].x1 < track.x0 + 0.5
            assert track.x1 < shown["number"][name].x0
            if name in shown["likelihood"]:
                number = shown["number"][name]
                assert number.x1 < shown["likelihood"][name].x0


def test_letters_are_legible_at_full_size():
    fig, ax = subplots(height=5)
    drawing = draw_network(ax, random_network(np.random.default_rng(3), 7))
    fig.draw_without_rendering()
    fonts = {
        part.get_fontsize()
        for part in drawing.get_children()
        if isinstance(part, Text)
    }
    scale = min(fonts) / 9
    wide, high = drawing.size
    # As large as the axes permit, and never larger than said.
    extent = ax.get_window_extent()
    fits = min(extent.width / wide, extent.height / high) / fig.dpi
    assert scale == pytest.approx(min(1, fits), rel=0.01)
    assert max(fonts) == pytest.approx(scale * 10.5)


def test_axes_of_the_size_that_it_says_hold_it_at_full_size():
    network = random_network(np.random.default_rng(4), 9)
    first = draw_network(subplots(height=5)[1], network, direction="right")
    wide, high = first.size
    figure = Figure(figsize=(wide + 0.1, high + 0.1))
    figure.set_layout_engine("none")
    ax = figure.add_axes((0, 0, 1, 1))
    drawing = draw_network(ax, network, positions=first.positions)
    figure.draw_without_rendering()
    for text in parts(drawing, "number").values():
        assert text.get_fontsize() == pytest.approx(9)


def test_many_causes_are_not_all_abreast():
    """Twelve nodes in the width of a page, ten of them roots."""
    graph = nx.DiGraph((cause, "X") for cause in "ABCDEFGHIJ")
    graph.add_edge("X", "Y")
    network = BayesianNetwork(
        Table(
            np.full((2,) * (len(graph.pred[node]) + 1), 0.5),
            dict.fromkeys((*graph.pred[node], node), YES_NO),
            given=list(graph.pred[node]),
        )
        for node in graph
    )
    fig, ax = subplots(width=7, height=7)
    drawing = draw_network(ax, network)
    fig.draw_without_rendering()
    assert drawing.size[0] < 8.5
    sizes = [t.get_fontsize() for t in parts(drawing, "number").values()]
    assert min(sizes) > 7
    check_geometry(network, drawing)


def test_an_arrow_is_hidden_where_all_else_is_much_smaller():
    """Eight panels that are wide beside the axes."""
    graph = nx.DiGraph(["BC", "BG", "CF", "DE", "DF", "EF", "EG", "FG"])
    graph.add_nodes_from("AH")
    half = [(1.3, 0.9), (1.8, 0.9), (1.9, 0.7), (1.2, 0.2)]
    half += [(0.6, 0.6), (1.8, 0.5), (0.4, 0.4), (1.6, 0.3)]
    room = dict(zip("ABCDEFGH", half, strict=True))
    size = (3.2, 3.7)

    def hidden(places):
        shapes = shapes_of(places, room)
        curves = find_routes(
            edges_of(graph, nodes_of(graph)), shapes, wide=True
        )
        return count_hidden(curves, shapes)

    def scale(places):
        centres = np.array([places[node] for node in room])
        low = (centres - half).min(axis=0)
        return min(size / ((centres + half).max(axis=0) - low))

    taken = fitting(size, graph, room, "down")
    layouts = [
        place_boxes(graph, room, "down", Spacing(0, 0, 0.5), widest=widest)
        for widest in (None, 6, 5, 4, 3, 2, 1)
    ]
    assert hidden(taken) == 1
    clear = [places for places in layouts if not hidden(places)]
    assert clear
    assert max(map(scale, clear)) < 0.6 * scale(taken)
    assert scale(taken) == max(map(scale, layouts))


def test_given_places_are_kept(ax):
    places = {"rain": (0, 2), "sprinkler": (3, 1), "grass": (1, -1)}
    drawing = draw_network(ax, LAWN, positions=places)
    assert drawing.positions == places
    again = draw_network(ax, LAWN, positions=drawing.positions)
    for name, node in parts(again, "node").items():
        assert box(node).mean(axis=0) == pytest.approx(places[name])


# --- Names -----------------------------------------------------------------


def one_node(name, states=YES_NO):
    distribution = np.full(len(states), 1 / len(states))
    return BayesianNetwork([Table(distribution, {name: states})])


@pytest.mark.parametrize(
    "name",
    [
        "a_rather_long_name_of_a_variable",
        "tuberculosis or lung cancer, or both",
        "MeanAirTemperature-InDegreesCelsius",
    ],
)
def test_a_long_name_is_folded(ax, name):
    drawing = draw_network(ax, one_node(name))
    first, second = parts(drawing, "label")[name].get_text().split("\n")
    # Nothing is lost but a space.
    assert name.replace(" ", "") == (first + second).replace(" ", "")
    assert drawing.size[0] < 2.6
    assert name in drawing.describe()


def test_a_name_without_an_end_is_shortened(ax):
    name = "x" * 300
    drawing = draw_network(ax, one_node(name))
    shown = parts(drawing, "label")[name].get_text()
    assert "…" in shown
    assert drawing.size[0] < 2.6
    assert f"{name}: yes 0.500" in drawing.describe()


def test_long_states_lose_their_middle_and_stay_different(ax):
    states = (
        "more than one hundred thousand dollars a year",
        "more than one hundred thousand dollars a month",
    )
    drawing = draw_network(ax, one_node("income", states))
    shown = [text.get_text() for text in parts(drawing, "state").values()]
    assert len(set(shown)) == 2
    for text, state in zip(shown, states, strict=True):
        start, end = text.split("…")
        assert state.startswith(start)
        assert state.endswith(end)
        assert state in drawing.describe()


@pytest.mark.parametrize("state", ["$5 to $10", "$\\frac$", "a\nb", "50 %"])
def test_a_state_is_written_as_it_is(ax, state):
    drawing = draw_network(ax, one_node("price", (state, "more")))
    texts = {t.get_text() for t in parts(drawing, "state").values()}
    assert " ".join(state.split()) in texts
    ax.figure.draw_without_rendering()


def test_a_name_is_no_maths_and_a_label_may_be(ax):
    network = one_node("$x$")
    drawing = draw_network(ax, network)
    assert not parts(drawing, "label")["$x$"].get_parse_math()
    drawing = draw_network(ax, network, labels={"$x$": "$X_1$"})
    label = parts(drawing, "label")["$x$"]
    assert label.get_parse_math()
    assert label.get_text() == "$X_1$"
    assert drawing.describe().startswith("network: X_1\n  X_1: yes")


def test_of_many_states_the_least_probable_are_one_row(ax):
    distribution = np.array([1, 2, 30, 4, 5, 60, 7, 8, 9, 10, 11]) / 147
    states = [f"s{i}" for i in range(11)]
    die = BayesianNetwork([Table(distribution, {"die": states})])
    drawing = draw_network(ax, die)
    numbers = parts(drawing, "number")
    assert len(numbers) == 8
    kept = sorted(range(11), key=lambda i: -distribution[i])[:7]
    rest = 1 - distribution[kept].sum()
    assert numbers["die 4 others"].get_text() == f"{rest:.3f}"
    for i in kept:
        assert numbers[f"die s{i}"].get_text() == f"{distribution[i]:.3f}"
    # In their order, the others below them.
    heights = [text.get_position()[1] for text in numbers.values()]
    assert list(numbers) == [f"die s{i}" for i in sorted(kept)] + [
        "die 4 others"
    ]
    assert heights == sorted(heights, reverse=True)
    observed = draw_network(ax, die, evidence={"die": "s0"})
    assert parts(observed, "number")["die s0"].get_text() == "1"


# --- Words -----------------------------------------------------------------


def test_a_description_says_everything():
    fig, ax = subplots(height=3)
    draw_network(
        ax,
        LAWN,
        evidence={"grass": "wet", "rain": {"yes": 0.8, "no": 0.4}},
        before=JunctionTree(LAWN).posteriors(),
    )
    known = {"grass": "wet", "rain": {"yes": 0.8, "no": 0.4}}
    rain = enumerated(LAWN, "rain", known)
    sprinkler = enumerated(LAWN, "sprinkler", known)
    assert describe(fig).split("\n")[2:] == [
        "  network: rain → grass, rain → sprinkler, sprinkler → grass; "
        "observed grass=wet; soft evidence on rain",
        "    grass: wet 1 (before 0.452), dry 0 (before 0.548)",
        f"    rain: yes {rain['yes']:.3f} (likelihood 0.8) (before 0.200), "
        f"no {rain['no']:.3f} (likelihood 0.4) (before 0.800)",
        f"    sprinkler: on {sprinkler['on']:.3f} (before 0.340), "
        f"off {sprinkler['off']:.3f} (before 0.660)",
    ]
    assert enumerated(LAWN, "grass", {})["wet"] == pytest.approx(0.452)
    assert not ax.axison


PROGRAM = """
import networkx as nx
from bayesbook.drawing import describe, subplots
from bayesbook.network import BayesianNetwork, JunctionTree
from bayesbook.drawing import draw_comparison, draw_junction_tree, draw_network
names = [f"node {i}" for i in range(5)]
states = dict.fromkeys(names, ("yes", "no"))
level = lambda k: [level(k - 1)] * 2 if k else [0.5, 0.5]
cpts = {(n, *names[max(0, i - 2):i]): level(min(i, 2))
        for i, n in enumerate(names)}
network = BayesianNetwork.from_cpts(states, cpts)
fig, axes = subplots(1, 2)
tree = JunctionTree(network).tree
for node in tree:
    tree.nodes[node]["clique"] = set(tree.nodes[node]["clique"])
for drawing in (draw_network(axes[0], network),
                draw_junction_tree(axes[1], tree)):
    print(drawing.positions)
    for part in drawing.get_children():
        print(part.get_gid())
print(describe(fig))
fig, ax = subplots()
draw_comparison(ax, network.graph.reverse(), network)
print(describe(fig))
"""


@pytest.mark.heavy
def test_a_drawing_does_not_depend_on_the_order_of_sets():
    printed = printed_by(PROGRAM)
    assert len(printed) == 1
    assert "node 4: yes 0.500" in printed.pop()


# --- What cannot be drawn --------------------------------------------------


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"evidence": {"grss": "wet"}}, ProbabilityError, "mean 'grass'"),
        ({"evidence": {"grass": "wte"}}, ProbabilityError, "mean 'wet'"),
        ({"labels": {"grss": "G"}}, GraphError, "`labels` names 'grss'"),
        ({"positions": {"rain": (0, 0)}}, GraphError, "no place for 'grass'"),
        (
            {"positions": dict.fromkeys(LAWN.nodes, (0, 0))},
            GraphError,
            "would cover each other",
        ),
        ({"direction": "up"}, ValueError, "'up' is not known"),
        (
            {"evidence": {"rain": "no", "sprinkler": "off", "grass": "wet"}},
            ZeroProbabilityError,
            "rain=no, sprinkler=off, grass=wet",
        ),
        ({"posteriors": 3}, TypeError, "`posteriors` has the type int"),
        ({"before": [1]}, TypeError, "`before` has the type list"),
        (
            {"posteriors": {"rain": 0.5}},
            TypeError,
            "'rain' has the type float.*: give a Table",
        ),
        (
            {"posteriors": {"wind": Table([1.0], {"wind": "y"})}},
            ProbabilityError,
            "'wind' is not a node",
        ),
        (
            {"posteriors": {"rain": Table([0.5, 0.5], {"rain": "yn"})}},
            ProbabilityError,
            r"`posteriors` of 'rain' is P\(rain\) with the states 'y', 'n'",
        ),
        (
            {"posteriors": {"grass": LAWN.tables["grass"]}},
            ProbabilityError,
            "not a distribution of 'grass'",
        ),
    ],
)
def test_what_cannot_be_drawn_is_named(ax, given, error, said):
    with pytest.raises(error, match=said):
        draw_network(ax, LAWN, **given)


def test_posteriors_given_something_else_are_refused(ax):
    found = JunctionTree(LAWN).posteriors({"grass": "wet"})
    draw_network(ax, LAWN, found, evidence={"grass": "wet"})
    with pytest.raises(
        ProbabilityError, match=r"given .*wet.*, not given .*d"
    ):
        draw_network(ax, LAWN, found, evidence={"grass": "dry"})


def test_more_panels_than_can_be_read_are_refused(ax):
    coins = BayesianNetwork(
        Table([0.5, 0.5], {f"coin {i}": "HT"}) for i in range(31)
    )
    with pytest.raises(
        GraphError, match=r"distributions of 31 nodes .* names only"
    ):
        draw_network(ax, coins)
    assert len(parts(draw_network(ax, coins, {}), "label")) == 31


def test_a_graph_alone_is_refused(ax):
    with pytest.raises(TypeError, match=r"DiGraph .*draw_graph"):
        draw_network(ax, LAWN.graph)
