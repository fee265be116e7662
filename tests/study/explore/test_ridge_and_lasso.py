"""The explorable of ridge and lasso, held against scikit-learn, a search."""

import re
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.linear_model import Lasso, Ridge

from bayesbook.estimation import Gaussian, Laplace, LinearGaussian
from bayesbook.study import explore
from bayesbook.study.explore.ridge_and_lasso import view

STATES = st.tuples(
    st.integers(0, 1000),
    st.integers(-100, 100),
    st.integers(-100, 100),
    st.integers(-95, 95),
)
# No penalty and the largest one, inputs that nearly repeat each other, no
# effect, two equal ones, and penalties at which a coefficient just vanishes.
EXTREME = [
    (0, 90, -60, 95),
    (1000, 100, 100, 95),
    (1000, 100, -100, -95),
    (300, 0, 0, 50),
    (1, 100, -99, 95),
    (250, 50, 50, 0),
    (250, 50, -50, 30),
    (200, 90, 40, 0),
    (300, 90, 40, 50),
    (500, 0, 100, -95),
]
START = (150, 90, 40, 50)
ROWS = 50


def with_examples(test):
    """Try a test on all extreme states, and on others."""
    for state in (START, *EXTREME):
        test = example(state)(test)
    return given(STATES)(test)


def data(state):
    """Return fifty rows with the moments that a state wants."""
    _, first, second, correlation = state
    rho = correlation / 100
    raw = np.random.default_rng(0).normal(size=(ROWS, 2))
    raw -= raw.mean(axis=0)
    # Orthogonal columns whose squares have the mean 1.
    q, _ = np.linalg.qr(raw)
    one, other = sqrt(ROWS) * q.T
    X = np.column_stack([one, rho * one + sqrt(1 - rho**2) * other])
    return X, X @ [first / 100, second / 100]


def numbers(text):
    """Read numbers with the sign of a page."""
    found = re.findall(r"−?\d+(?:\.\d+)?", text)
    return [float(each.replace("−", "-")) for each in found]


def estimates(state):
    """Return what is written of ridge and of the lasso."""
    written = view(*state).written
    return {
        name: [numbers(written[f"{name}_{which}"])[0] for which in "12"]
        for name in ("ridge", "lasso")
    }


def of_scikit_learn(state):
    """Return both estimates, with the constants of the chapter."""
    X, y = data(state)
    size = state[0] / 500
    if not size:
        plain = [state[1] / 100, state[2] / 100]
        return {"ridge": plain, "lasso": plain}
    lasso = Lasso(alpha=size, tol=1e-14, max_iter=100_000)
    return {
        "ridge": Ridge(alpha=ROWS * size).fit(X, y).coef_,
        "lasso": lasso.fit(X, y).coef_,
    }


@with_examples
def test_the_estimates_are_those_of_scikit_learn(state):
    exact = of_scikit_learn(state)
    for name, found in estimates(state).items():
        assert found == pytest.approx(exact[name], abs=0.000501)


@pytest.mark.parametrize("state", [START, *EXTREME])
def test_the_estimates_are_modes_of_the_posterior(state):
    """The variances of the priors are those that the chapter derives."""
    size = state[0] / 500
    if not size:
        return
    X, y = data(state)
    noise = 0.7
    priors = {
        "ridge": Gaussian(0, noise / sqrt(ROWS * size)),
        "lasso": Laplace(0, noise**2 / (ROWS * size)),
    }
    for name, found in estimates(state).items():
        model = LinearGaussian.map(X, y, noise, priors[name])
        assert found == pytest.approx(model.coefficients, abs=0.000501)


@pytest.mark.parametrize("state", [START, *EXTREME])
def test_no_other_coefficients_have_a_smaller_sum(state):
    size = state[0] / 500
    X, y = data(state)
    penalties = {
        "ridge": lambda w: size / 2 * (w @ w),
        "lasso": lambda w: size * np.abs(w).sum(),
    }
    for name, found in estimates(state).items():

        def total(w, name=name):
            error = ((y - X @ w) ** 2).mean() / 2
            return error + penalties[name](np.asarray(w))

        own = total(np.array(found))
        best = minimize(total, found, method="Nelder-Mead").fun
        assert own <= best + 1e-6


@with_examples
def test_what_is_said_to_be_zero_is_zero(state):
    written = view(*state).written
    exact = of_scikit_learn(state)
    for name in ("ridge", "lasso"):
        w = np.abs(exact[name])
        text = written[f"{name}_zeros"]
        said = {
            "w₁ is exactly zero": [True, False],
            "w₂ is exactly zero": [False, True],
            "both are exactly zero": [True, True],
            "neither is exactly zero": [False, False],
        }[text]
        assert said == (w < 1e-9).tolist()


@with_examples
def test_the_lasso_has_as_many_zeros_as_its_conditions_say(state):
    """They are exact: the data are hundredths, the penalty is 2 thousandths.

    Zero is an estimate where no slope exceeds the penalty.
    """
    penalty, first, second, rho = state
    # In millionths.
    slopes = [100 * a + rho * b for a, b in ((first, second), (second, first))]
    size = 20 * penalty
    zeros = view(*state).written["lasso_zeros"]
    both = max(map(abs, slopes)) <= size
    assert (zeros == "both are exactly zero") == both


@with_examples
def test_contours_and_shapes_touch_at_the_estimates(state):
    drawn = view(*state).drawn
    _, first, second, correlation = state
    rho = correlation / 100
    squares = np.array([first, second]) / 100
    gram = np.array([[1, rho], [rho, 1]])
    exact = of_scikit_learn(state)
    for name, w in exact.items():
        error = (w - squares) @ gram @ (w - squares)
        ellipse = drawn[f"{name}_touching"]
        along, across = float(ellipse["rx"]), float(ellipse["ry"])
        assert along == pytest.approx(400 * sqrt(error / (1 + rho)), abs=0.1)
        assert across == pytest.approx(400 * sqrt(error / (1 - rho)), abs=0.1)
        middle = 500 + 400 * squares[0], 440 - 400 * squares[1]
        found = float(ellipse["cx"]), float(ellipse["cy"])
        assert found == pytest.approx(middle, abs=0.1)
        # Points of the ellipse have the error of the estimate.
        for angle in np.arange(0, 2 * pi, 0.5):
            a = along * cos(angle) / 400
            b = across * sin(angle) / 400
            step = np.array([a + b, a - b]) / sqrt(2)
            # Lengths are rounded to tenths of a unit.
            assert step @ gram @ step == pytest.approx(error, abs=2e-3)
        shape = drawn[f"{name}_shape"]
        if name == "ridge":
            reach = float(shape["r"]) / 400
            assert reach == pytest.approx(np.hypot(*w), abs=2e-4)
        else:
            right = numbers(shape["d"])[0]
            reach = (right - 500) / 400
            assert reach == pytest.approx(np.abs(w).sum(), abs=2e-4)


@with_examples
def test_no_point_of_a_shape_has_a_smaller_error(state):
    """So disc and diamond have the estimate as their best point."""
    squares = np.array(state[1:3]) / 100
    rho = state[3] / 100
    exact = of_scikit_learn(state)
    angles = np.linspace(0, 2 * pi, 721)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    edges = {
        "ridge": circle * np.hypot(*exact["ridge"]),
        "lasso": circle
        / np.abs(circle).sum(axis=1, keepdims=True)
        * np.abs(exact["lasso"]).sum(),
    }
    for name, points in edges.items():
        a, b = (points - squares).T
        errors = a**2 + 2 * rho * a * b + b**2
        a, b = exact[name] - squares
        assert errors.min() >= a**2 + 2 * rho * a * b + b**2 - 1e-9


@pytest.mark.parametrize("state", [START, *EXTREME])
def test_the_paths_are_the_estimates_for_every_penalty(state):
    drawn = view(*state).drawn
    for name in ("ridge", "lasso"):
        way = drawn[f"{name}_way"]["d"][1:].split("L")
        for which in (0, 1):
            line = drawn[f"{name}_path_{which + 1}"]["d"][1:].split("L")
            for at in range(0, 101, 5):
                x, y = map(float, line[at].split())
                assert x == 10 * at
                w = of_scikit_learn((10 * at, *state[1:]))[name]
                assert y == pytest.approx(440 - 400 * w[which], abs=0.06)
                place = tuple(map(float, way[at].split()))
                assert place == pytest.approx(
                    (500 + 400 * w[0], 440 - 400 * w[1]), abs=0.06
                )


@given(STATES)
def test_names_of_lines_do_not_overlap(state):
    drawn = view(*state).drawn
    for name in ("ridge", "lasso"):
        one, other = (
            float(drawn[f"{name}_name_{which}"]["y"]) for which in "12"
        )
        assert abs(one - other) >= 59.8
        if state[1] != state[2]:
            assert (one < other) == (state[1] > state[2])


@with_examples
def test_a_task_is_solved_by_its_solutions_only(state):
    exact = of_scikit_learn(state)
    start = state[1], state[2]
    turned = any(
        exact["ridge"][j] * start[j] < -1e-9
        and abs(exact["lasso"][j]) < 1e-9 < abs(exact["lasso"][1 - j])
        for j in (0, 1)
    )
    solved = {
        "drop": state == (200, 90, 40, 0),
        "keep": state == (300, 90, 40, 51),
        "sign": turned,
    }
    assert set(view(*state).solves) == {
        task for task, is_solved in solved.items() if is_solved
    }


def test_each_task_can_be_solved():
    def zeros(*state):
        return view(*state).written["lasso_zeros"]

    def kept(*state):
        return "w₂" not in zeros(*state) and "both" not in zeros(*state)

    smallest = next(n for n in range(1001) if not kept(n, 90, 40, 0))
    assert smallest == 200
    assert view(smallest, 90, 40, 0).solves == ("drop",)
    assert zeros(smallest, 90, 40, 0) == "w₂ is exactly zero"
    least = next(rho for rho in range(-95, 96) if kept(300, 90, 40, rho))
    assert least == 51
    assert view(300, 90, 40, least).solves == ("keep",)
    assert view(350, 90, -20, 50).solves == ("sign",)
    assert view(350, -20, 90, 50).solves == ("sign",)
    assert view(350, -90, -20, -50).solves == ("sign",)
    assert view(500, 90, -20, 50).solves == ()
    assert view(150, 90, -20, 50).solves == ()
    assert explore.ridge_and_lasso().start().solves == ()


def test_the_start_is_asked_for_in_units_of_the_sliders():
    shown = explore.ridge_and_lasso(0.002, -0.29, 0.57, -0.95)
    assert shown.start() == view(1, -29, 57, -95)
    assert "least squares, w₁: −0.29" in repr(shown)
    assert explore.ridge_and_lasso().start() == view(*START)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("penalty", -0.002),
        ("penalty", 2.002),
        ("penalty", 0.301),
        ("first", 1.01),
        ("first", True),
        ("second", "0.4"),
        ("second", np.nan),
        ("correlation", 0.96),
        ("correlation", None),
    ],
)
def test_a_start_that_is_on_no_slider_is_refused(name, wrong):
    with pytest.raises(ValueError, match=rf"{name}=.*not on its slider: give"):
        explore.ridge_and_lasso(**{name: wrong})
