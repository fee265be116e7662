"""Ridge and lasso with two inputs: a penalty, contours and paths."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from bayesbook.estimation import Gaussian, Laplace, LinearGaussian
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    grip,
    part,
    point,
    signed,
    steps,
    style,
    tenth,
)

# Of the pictures, in their units; that of the coefficients is a square.
_HEIGHT = 880
_LEFT = 60
# Where both coefficients are 0, and the width of the coefficient 1.
_MIDDLE = (500, 440)
_UNIT = 400
# The penalty is in steps of this, and drawn is every tenth.
_STEP = 1 / 500
_PENALTIES = np.arange(0, 1001, 10)
# Roots of the squared errors whose contours are drawn.
_LEVELS = (0.2, 0.4, 0.6, 0.8)
# More than enough for the largest correlation: each sweep multiplies what is
# missing by at most its square.
_SWEEPS = 400
_NAMES = {"1": "w₁", "2": "w₂"}
_LOOKS = {"1": "explore-1", "2": "explore-2 explore-dashed"}


def ridge_and_lasso(
    penalty: float = 0.3,
    first: float = 0.9,
    second: float = 0.4,
    correlation: float = 0.5,
) -> Explorable:
    """Show how ridge and lasso shrink two coefficients, for a reader to move.

    The inputs are standardised, and the output has the mean 0; ridge adds λ/2
    times the sum of squares to half the mean squared error, the lasso λ times
    the sum of absolute values.

    Parameters
    ----------
    penalty : float
        The λ at the start, from 0 to 2 in steps of 0.002.
    first, second : float
        The estimates of least squares: hundredths from -1 to 1.
    correlation : float
        Of the two inputs: hundredths from -0.95 to 0.95.

    Returns
    -------
    Explorable
        The contours of the squared error with the disc of ridge and the
        diamond of the lasso, and the estimates for every penalty.

    Raises
    ------
    ValueError
        If a value is not such a number.

    Examples
    --------
    >>> ridge_and_lasso(penalty=0.5, correlation=0)
    Which coefficients become exactly zero?
      penalty λ: 0.500
      least squares, w₁: 0.90
      least squares, w₂: 0.40
      correlation of the inputs: 0.00
      With the penalty λ = 0.500, ridge gives w₁ = 0.600 and w₂ = 0.267: \
neither is exactly zero.
      The lasso gives w₁ = 0.400 and w₂ = 0.000: w₂ is exactly zero.
    """
    given = {
        "penalty": (penalty, 0, 2, 500),
        "first": (first, -1, 1, 100),
        "second": (second, -1, 1, 100),
        "correlation": (correlation, -0.95, 0.95, 100),
    }
    at = {name: steps(name, *values) for name, values in given.items()}
    return Explorable(
        "ridge-and-lasso",
        "Which coefficients become exactly zero?",
        (
            Control("penalty", "penalty λ", at["penalty"], 1000),
            Control("first", "least squares, w₁", at["first"], 100, -100),
            Control("second", "least squares, w₂", at["second"], 100, -100),
            Control(
                "correlation",
                "correlation of the inputs",
                at["correlation"],
                95,
                -95,
            ),
        ),
        panels=(
            (_plane("ridge"), "Ridge: contours and disc", _ABOUT_DISC),
            (_paths("ridge"), "Ridge for every penalty", _ABOUT_RIDGE),
            (_plane("lasso"), "Lasso: contours and diamond", _ABOUT_DIAMOND),
            (_paths("lasso"), "Lasso for every penalty", _ABOUT_LASSO),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=style("ridge_and_lasso.css"),
    )


_WORDS = """\
With the penalty λ = {penalty}, ridge gives w₁ = {ridge_1} and w₂ = \
{ridge_2}: {ridge_zeros}.
The lasso gives w₁ = {lasso_1} and w₂ = {lasso_2}: {lasso_zeros}."""
_ABOUT_DISC = (
    "**Ridge.** All points of an ellipse have the same squared error; at the "
    "ring, least squares, it is smallest. The estimate, the dot, has the "
    "smallest error of all points of the disc."
)
_ABOUT_RIDGE = (
    "Minimised is half the mean squared error plus λ/2 times w₁² + w₂². The "
    "line of w₂ is dashed."
)
_ABOUT_DIAMOND = (
    "**Lasso.** Its estimate has the smallest error of all points of the "
    "diamond: often a corner, where a coefficient is zero."
)
_ABOUT_LASSO = (
    "Minimised is half the mean squared error plus λ times |w₁| + |w₂|. A "
    "ring marks what is exactly zero."
)
_TASKS = {
    "drop": "Least squares gives w₁ = 0.90 and w₂ = 0.40, and the inputs are "
    "not correlated. What is the smallest penalty with which the lasso makes "
    "w₂ exactly zero?",
    "keep": "With the same estimates of least squares let the penalty be "
    "0.600. What is the smallest correlation with which the lasso keeps w₂?",
    "sign": "Find a state in which ridge gives a coefficient another sign "
    "than least squares does, and the lasso makes this coefficient exactly "
    "zero, but not the other.",
}


def _plane(name):
    x, y = _MIDDLE
    clip = f"explore-ridge-and-lasso_{name}"
    square = f"M{_LEFT} 0h880v880h-880Z"
    shape = "circle" if name == "ridge" else "path"
    centre = {"cx": x, "cy": y} if name == "ridge" else {}
    return (
        f'<clipPath id="{clip}"><path d="{square}"/></clipPath>'
        f'<g clip-path="url(#{clip})">'
        + part(shape, f"{name}_shape", class_="explore-ball", **centre)
        + f'<path class="explore-leader" d="M{_LEFT} {y}h880M{x} 0v880"/>'
        + "".join(
            part("ellipse", f"{name}_level_{k}", class_="explore-leader")
            for k in range(len(_LEVELS))
        )
        + part("ellipse", f"{name}_touching", class_="explore-touching")
        + f'</g><path class="explore-frame" d="{square}"/>'
        + part("path", f"{name}_way", class_="explore-way")
        + part("circle", f"{name}_squares", class_="explore-ring", r=24)
        + part("circle", f"{name}_spot", class_="explore-spot", r=22)
        + _text(_LEFT + 924, y + 16, _NAMES["1"])
        + _text(x, -20, _NAMES["2"])
        + _text(_LEFT, _HEIGHT + 65, "−1.1")
        + _text(x, _HEIGHT + 65, "0")
        + _text(_LEFT + 880, _HEIGHT + 65, "1.1")
    )


def _paths(name):
    _, y = _MIDDLE
    curves = "".join(
        part("path", f"{name}_path_{which}", class_=f"explore-curve {look}")
        for which, look in _LOOKS.items()
    )
    marks = "".join(
        part("circle", f"{name}_zero_{which}", class_="explore-ring", r=36)
        + part("circle", f"{name}_at_{which}", class_="explore-spot", r=20)
        + part(
            "text",
            f"{name}_name_{which}",
            text,
            class_="explore-text explore-end",
            x=-16,
        )
        for which, text in _NAMES.items()
    )
    return (
        f'<path class="explore-leader" d="M0 {y}H1000"/>'
        f'{curves}<path class="explore-frame" d="M0 0H1000V{_HEIGHT}H0Z"/>'
        + part("path", f"{name}_line", class_="explore-line")
        + marks
        + grip(f"{name}_grip", "penalty", "right", "translate(0 -62)")
        + "".join(
            _text(x, _HEIGHT + 65, text)
            for x, text in ((0, "0"), (500, "1"), (1000, "2"))
        )
        + _text(500, _HEIGHT + 140, "penalty λ")
    )


def _text(x, y, text, look=""):
    return (
        f'<text class="{f"explore-text {look}".strip()}" x="{x}" y="{y}">'
        f"{text}</text>"
    )


def view(penalty: int, first: int, second: int, correlation: int) -> View:
    """Return what is written and drawn for a penalty.

    Parameters
    ----------
    penalty : int
        In steps of 0.002.
    first, second : int
        The estimates of least squares, in hundredths.
    correlation : int
        Of the inputs, in hundredths.

    Returns
    -------
    View

    Examples
    --------
    >>> view(250, 90, 40, 0).written["lasso_zeros"]
    'w₂ is exactly zero'
    """
    size = penalty * _STEP
    squares = np.array([first, second]) / 100
    rho = correlation / 100
    ridge, lasso = _estimates(size, squares, rho)
    paths = {
        "ridge": _ridge_path(squares, rho),
        "lasso": _lasso_path(squares, rho),
    }
    drawn: dict[str, dict[str, float | str]] = {}
    for name, estimate in (("ridge", ridge), ("lasso", lasso)):
        drawn |= _drawn_plane(name, estimate, squares, rho, paths[name])
        drawn |= _drawn_paths(name, penalty, estimate, squares, paths[name])
    return View(
        written={
            "penalty": decimal(size),
            "first": signed(first / 100, 2),
            "second": signed(second / 100, 2),
            "correlation": signed(rho, 2),
            **_written("ridge", ridge),
            **_written("lasso", lasso),
        },
        drawn=drawn,
        solves=tuple(
            _solved(penalty, first, second, correlation, ridge, lasso)
        ),
    )


def _estimates(size, squares, rho):
    """Return the estimates of ridge and of the lasso.

    Two observations have the moments that are wanted: the mean of the squares
    of each input is 1, and that of their product the correlation.
    """
    if not size:
        return _clean(squares), _clean(squares)
    X = sqrt(2) * np.array([[1, rho], [0, sqrt(1 - rho**2)]])
    y = X @ squares
    priors = Gaussian(0, 1 / sqrt(2 * size)), Laplace(0, 1 / (2 * size))
    return tuple(
        _clean(
            LinearGaussian.map(X, y, 1, prior, intercept=False).coefficients
        )
        for prior in priors
    )


def _ridge_path(squares, rho):
    """Return the estimates of ridge for all penalties that are drawn."""
    gram = np.array([[1, rho], [rho, 1]])
    stacked = gram + np.multiply.outer(_PENALTIES * _STEP, np.eye(2))
    return np.linalg.solve(stacked, (gram @ squares)[:, np.newaxis])[..., 0]


def _lasso_path(squares, rho):
    """Return those of the lasso, by coordinate descent for all at once."""
    slope = squares + rho * squares[::-1]
    w = np.zeros((len(_PENALTIES), 2))
    for _ in range(_SWEEPS):
        for j in (0, 1):
            alone = slope[j] - rho * w[:, 1 - j]
            size = np.maximum(np.abs(alone) - _PENALTIES * _STEP, 0)
            w[:, j] = np.sign(alone) * size
    return w


def _clean(estimate):
    """Round to what is certain, so that both computations write alike."""
    return [round(float(value), 9) + 0.0 for value in estimate]


def _written(name, estimate):
    values = dict(zip(_NAMES, estimate, strict=True))
    zeros = [text for which, text in _NAMES.items() if values[which] == 0]
    said = {
        0: "neither is exactly zero",
        1: f"{''.join(zeros)} is exactly zero",
        2: "both are exactly zero",
    }
    return {
        **{f"{name}_{which}": signed(w) for which, w in values.items()},
        f"{name}_zeros": said[len(zeros)],
    }


def _drawn_plane(name, estimate, squares, rho, path):
    x, y = _place(squares)
    error = _error(estimate, squares, rho)
    cx, cy = _place(estimate)
    levels = {
        f"{name}_level_{k}": _ellipse(squares, rho, level)
        for k, level in enumerate(_LEVELS)
    }
    way = "L".join(point(*_place(w)) for w in path)
    return {
        **levels,
        f"{name}_touching": _ellipse(squares, rho, sqrt(error)),
        f"{name}_way": {"d": f"M{way}"},
        f"{name}_squares": {"cx": tenth(x), "cy": tenth(y)},
        f"{name}_spot": {"cx": tenth(cx), "cy": tenth(cy)},
        f"{name}_shape": _shape(name, estimate),
    }


def _error(w, squares, rho):
    """Return the mean squared error above that of least squares."""
    a, b = (w[j] - squares[j] for j in (0, 1))
    return max(a * a + 2 * rho * a * b + b * b, 0)


def _ellipse(squares, rho, level):
    """Draw where the mean squared error is the square of a level larger."""
    x, y = map(tenth, _place(squares))
    along, across = (_UNIT * level / sqrt(1 + sign * rho) for sign in (1, -1))
    return {
        "cx": x,
        "cy": y,
        "rx": tenth(along),
        "ry": tenth(across),
        "transform": f"rotate(-45 {x} {y})",
    }


def _shape(name, estimate):
    if name == "ridge":
        return {"r": tenth(_UNIT * hypot(*estimate))}
    (x, y), size = _MIDDLE, _UNIT * sum(map(abs, estimate))
    corners = (x + size, y), (x, y - size), (x - size, y), (x, y + size)
    return {"d": f"M{'L'.join(point(*corner) for corner in corners)}Z"}


def _drawn_paths(name, penalty, estimate, squares, path):
    drawn = {
        f"{name}_line": {"d": f"M{penalty} -62V{_HEIGHT}"},
        f"{name}_grip": {"transform": f"translate({penalty} 0)"},
    }
    starts = _apart(*(_height(w) for w in squares))
    for j, which in enumerate(_NAMES):
        curve = map(point, _PENALTIES, _height(path[:, j]))
        cy = tenth(_height(estimate[j]))
        drawn[f"{name}_path_{which}"] = {"d": f"M{'L'.join(curve)}"}
        drawn[f"{name}_at_{which}"] = {"cx": penalty, "cy": cy}
        drawn[f"{name}_zero_{which}"] = {
            "cx": penalty,
            "cy": cy,
            "visibility": "hidden" if estimate[j] else "visible",
        }
        drawn[f"{name}_name_{which}"] = {"y": tenth(starts[j] + 16)}
    return drawn


def _apart(one, other):
    """Move two heights so far apart that names do not overlap."""
    missing = 60 - abs(one - other)
    if missing <= 0:
        return one, other
    way = missing / 2 if one > other else -missing / 2
    return one + way, other - way


def _solved(penalty, first, second, correlation, ridge, lasso):
    is_example = (first, second) == (90, 40)
    if is_example and (penalty, correlation) == (200, 0):
        yield "drop"
    if is_example and (penalty, correlation) == (300, 51):
        yield "keep"
    for j, start in enumerate((first, second)):
        if ridge[j] * start < 0 and lasso[j] == 0 != lasso[1 - j]:
            yield "sign"


def _place(w):
    """Return where two coefficients lie in the plane."""
    return _MIDDLE[0] + _UNIT * w[0], _height(w[1])


def _height(w):
    return _MIDDLE[1] - _UNIT * w
