"""The explorable of ridge and lasso in a browser: places and what is said."""

from itertools import product
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_page import see, states
from study.explore.test_ridge_and_lasso import EXTREME, of_scikit_learn
from study.quiz.test_page import tab_to

NAMES = [each.name for each in ALL["ridge-and-lasso"].controls]
# Which of some curves do not run through points in units of their picture; the
# gaps of a dashed one belong to it.
MISSED = """
points => points.filter(([name, x, y]) => {
  const curve = document.querySelector(`[data-drawn=${name}]`);
  curve.style.strokeDasharray = "none";
  const shape = curve.transform.baseVal.consolidate()?.matrix;
  const point = new DOMPoint(x, y);
  return !curve.isPointInStroke(
    shape ? point.matrixTransform(shape.inverse()) : point);
})
"""


def named(values):
    return dict(zip(NAMES, values, strict=True))


def near(*places):
    """Return what is equal to places within a unit of the picture."""
    return pytest.approx([float(each) for each in places], abs=1)


def middle(box):
    """Return the middle of a box."""
    left, top, right, bottom = box
    return [(left + right) / 2, (top + bottom) / 2]


def place(w):
    """Return where two coefficients lie in the picture."""
    return 500 + 400 * w[0], 440 - 400 * w[1]


def test_what_is_drawn_lies_where_it_should(visit):
    asked = [*states("ridge-and-lasso", 150), *map(named, EXTREME)]
    page = visit("ridge-and-lasso")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        penalty, first, second, _ = state.values()
        boxes = seen["boxes"]
        squares = np.array([first, second]) / 100
        exact = of_scikit_learn(tuple(state.values()))
        for name, w in exact.items():
            assert middle(boxes[f"{name}_spot"]) == near(*place(w))
            assert middle(boxes[f"{name}_squares"]) == near(*place(squares))
            size = np.hypot(*w) if name == "ridge" else np.abs(w).sum()
            if size > 0.01:
                reach = 400 * size
                assert boxes[f"{name}_shape"] == near(
                    500 - reach, 440 - reach, 500 + reach, 440 + reach
                )
            for j, which in enumerate("12"):
                spot = middle(boxes[f"{name}_at_{which}"])
                assert spot == near(penalty, 440 - 400 * w[j])
                mark = seen["drawn"][f"{name}_zero_{which}"]
                is_marked = mark["visibility"] == "visible"
                assert is_marked == (abs(w[j]) < 1e-9)
            left, _, right, _ = boxes[f"{name}_line"]
            assert [left, right] == near(penalty, penalty)


def contour(state, w):
    """Return points whose squared error is that of some coefficients."""
    squares, rho = np.array(state[1:3]) / 100, state[3] / 100
    gram = np.array([[1, rho], [rho, 1]])
    error = (w - squares) @ gram @ (w - squares)
    for angle in np.arange(0, 2 * pi, 0.6):
        way = np.array([cos(angle), sin(angle)])
        yield place(squares + way * sqrt(error / (way @ gram @ way)))


def test_contours_and_paths_run_through_their_points(visit):
    page = visit("ridge-and-lasso")
    for state in (
        (150, 90, 40, 50),
        (350, 90, -20, 50),
        (100, -50, 70, -60),
        (200, 80, 60, 0),
        (30, 40, -45, 95),
    ):
        see(page, [named(state)])
        points = []
        for name, w in of_scikit_learn(state).items():
            curve = f"{name}_touching"
            points += [(curve, *at) for at in (place(w), *contour(state, w))]
            points.append((f"{name}_shape", *place(w)))
        for name, at in product(("ridge", "lasso"), (15, 140, 333, 618, 985)):
            w = of_scikit_learn((at, *state[1:]))[name]
            points += [
                (f"{name}_path_{j + 1}", at, 440 - 400 * w[j]) for j in (0, 1)
            ]
        assert page.evaluate(MISSED, points) == [], state
        moved = [(name, x + 25, y + 25) for name, x, y in points]
        assert len(page.evaluate(MISSED, moved)) > len(points) / 2


@pytest.mark.parametrize(
    ("solution", "others"),
    [
        ((200, 90, 40, 0), [(199, 90, 40, 0), (201, 90, 40, 0)]),
        ((300, 90, 40, 51), [(300, 90, 40, 50), (300, 90, 40, 52)]),
        ((350, 90, -20, 50), [(500, 90, -20, 50), (150, 90, -20, 50)]),
    ],
)
def test_the_page_knows_when_tasks_are_solved(visit, solution, others):
    asked = [named(state) for state in (solution, *others)]
    seen = see(visit("ridge-and-lasso"), asked)
    assert [len(each["solves"]) for each in seen] == [1, 0, 0]


def test_keys_move_the_penalty_until_a_coefficient_vanishes(visit):
    page = visit(
        "ridge-and-lasso",
        address="explore-ridge-and-lasso?"
        "penalty=299&first=90&second=40&correlation=50",
    )
    said = page.locator("[aria-live=polite]")
    slider = page.get_by_role("slider", name="penalty")
    tab_to(page, slider)
    ring = page.locator("[data-drawn=lasso_zero_2]")
    expect(ring).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("w₂ = 0.000: w₂ is exactly zero")
    expect(slider).to_have_attribute("aria-valuetext", "0.600")
    expect(ring).to_be_visible()
    page.keyboard.press("Home")
    expect(said).to_contain_text("w₁ = 0.900 and w₂ = 0.400")
    page.get_by_role("button", name="Back to the start").click()
    expect(said).to_contain_text("λ = 0.300")
