"""Drawings of chains: nothing is lost, and nothing lies on something else."""

import numpy as np
import pytest
from matplotlib.patches import Circle, PathPatch, Polygon
from matplotlib.text import Text

from bayesbook.base import GraphError
from bayesbook.drawing import describe, draw_chain, subplots
from bayesbook.mcmc import MarkovChain

CHAIN = MarkovChain(
    [
        ["1/2", "1/2", 0, 0],
        ["1/4", 0, "3/4", 0],
        [0, 0, "1/3", "2/3"],
        [1, 0, 0, 0],
    ],
    "ABCD",
)


def drawn(chain=CHAIN, **options):
    fig, ax = subplots(height=3)
    drawing = draw_chain(ax, chain, **options)
    parts = drawing.get_children()
    kinds = (Circle, PathPatch, Polygon, Text)
    fig.draw_without_rendering()
    return ax, [[p for p in parts if type(p) is kind] for kind in kinds]


def test_every_state_and_step_is_drawn():
    _, (circles, lines, heads, texts) = drawn()
    assert len(circles) == 4
    assert len(lines) == len(heads) == CHAIN.graph.number_of_edges() == 7
    words = sorted(text.get_text() for text in texts)
    assert words == sorted(
        [*"ABCD", "1/2", "1/2", "1/4", "3/4", "1/3", "2/3", "1"]
    )


def test_numbers_may_be_left_out_and_labels_changed():
    _, (*_, texts) = drawn(probabilities=False, labels={"A": "start"})
    assert [t.get_text() for t in texts] == ["start", "B", "C", "D"]


def test_floats_are_short():
    chain = MarkovChain([[1 / 3, 2 / 3], [0.5, 0.5]])
    _, (*_, texts) = drawn(chain)
    assert {"0.33", "0.67", "0.5"} <= {t.get_text() for t in texts}


def test_an_arrow_goes_from_rim_to_rim():
    _, (circles, lines, heads, _) = drawn()
    centres = np.array([circle.center for circle in circles])
    for line, head in zip(lines, heads, strict=True):
        for point in (line.get_path().vertices[0], head.get_xy()[0]):
            distance = np.hypot(*(centres - point).T).min()
            assert distance == pytest.approx(circles[0].radius, abs=0.01)


def test_numbers_stand_apart_and_not_on_lines():
    _, (circles, lines, _, texts) = drawn()
    at = np.array([t.get_position() for t in texts])
    gaps = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    assert gaps[np.triu_indices(len(at), 1)].min() > 0.3
    numbers = at[[t.get_text() not in "ABCD" for t in texts]]
    for line in lines:
        far = np.hypot(*(numbers[:, None] - line.get_path().vertices).T)
        assert far.min() > 0.12
    for circle in circles:
        assert np.hypot(*(numbers - circle.center).T).min() > circle.radius


def test_everything_is_inside_the_axes():
    ax, (circles, lines, _, texts) = drawn()
    points = [line.get_path().vertices for line in lines]
    points += [[t.get_position()] for t in texts]
    points += [[c.center - c.radius, c.center + c.radius] for c in circles]
    points = np.concatenate(points)
    for values, limits in zip(
        points.T, (ax.get_xlim(), ax.get_ylim()), strict=True
    ):
        assert limits[0] < values.min()
        assert values.max() < limits[1]


def test_places_may_be_given():
    places = {"A": (0, 0), "B": (2, 0), "C": (4, 0), "D": (2, 2)}
    _, (circles, *_) = drawn(positions=places, shaded="BC")
    assert [tuple(c.center) for c in circles] == list(places.values())
    colours = [c.get_facecolor()[0] for c in circles]
    assert colours[1] == colours[2] < colours[0] == colours[3]


def test_a_long_label_is_inside_its_state():
    _, (circles, *_) = drawn(labels={"B": "consonant"})
    assert 2 * circles[0].radius > 0.12 * len("consonant")
    assert len({c.radius for c in circles}) == 1


def test_a_chain_of_one_state_has_a_loop():
    _, (circles, lines, *_) = drawn(MarkovChain([[1]]))
    assert (len(circles), len(lines)) == (1, 1)


def test_the_drawing_says_what_it_shows():
    ax, _ = drawn(shaded="D")
    assert (
        "chain: A → A 1/2, A → B 1/2, B → A 1/4, B → C 3/4, C → C 1/3, "
        "C → D 2/3, D → A 1; shaded D" in describe(ax.figure)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shaded": ["a"]}, "'a' is not a state of the chain.*mean 'A'"),
        ({"labels": {"E": "e"}}, "'E' is not a state"),
        ({"positions": {"A": (0, 0)}}, "no place for 'B', 'C', 'D'"),
        ({"positions": {"Z": (0, 0)}}, "'Z' is not a state"),
    ],
)
def test_states_that_are_none_are_refused(options, message):
    with pytest.raises(GraphError, match=message):
        drawn(**options)
