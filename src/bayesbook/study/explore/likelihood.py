"""The likelihood of four observations, with its maximum and its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isclose, isfinite, log, sqrt

import numpy as np
from scipy import special, stats

from bayesbook.estimation import Exponential, Gaussian
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    grip,
    part,
    signed,
    tenth,
)

_MODELS = ("Gaussian", "exponential")
_ROWS = range(1, 5)
# A likelihood interval is where the log-likelihood falls by at most 1.96² / 2
# from its maximum: in a Gaussian model that is the Wald interval.
_Z = 1.96
# In units of the picture: the density stands on a floor, the observations in
# rows below it. One unit of log-likelihood is a hundred of the picture.
_FLOOR, _PEAK, _ROW = 540, 500, 100
_TOP, _DEEPEST, _FRAME_HEIGHT = 80, 12, 880
_GRID = np.arange(201)


def likelihood(
    sample: Sequence[float] = (3.2, 4.1, 5.6, 7.9),
    theta: float = 4,
    sd: float = 2,
    model: str = "Gaussian",
) -> Explorable:
    """Show the likelihood of a sample, for a reader to move.

    Parameters
    ----------
    sample : sequence of float
        Four observations at the start, from 0.1 to 10, in hundredths.
    theta : float
        The mean of the model at the start, a number like an observation.
    sd : float
        The known standard deviation of the Gaussian model, in tenths from 0.5
        to 4.
    model : {'Gaussian', 'exponential'}

    Returns
    -------
    Explorable
        The model with the observations, and the log-likelihood of its mean
        with the maximum, the parabola and two intervals.

    Raises
    ------
    ValueError
        If a value is not such a number, or there is no such model.

    Examples
    --------
    >>> likelihood(sample=(1, 2, 3, 6), model="exponential")
    How likely is each mean?
      model: exponential
      θ, mean of the model: 4.00
      σ of the Gaussian model: 2.0
      The observations 1.00, 2.00, 3.00 and 6.00 have the mean 3.00, which \
is the maximum likelihood estimate.
      At θ = 4.00 the log-likelihood is −8.55, lower by 0.15 than the maximum \
−8.39.
      The standard error 1/√J is 1.50; the 95 % likelihood interval goes from \
1.29 to 9.66, the Wald interval from 0.06 to 5.94.
    """
    observed = tuple(sample)
    if len(observed) != len(_ROWS):
        raise ValueError(
            f"sample={sample!r} has {len(observed)} observations: give four."
        )
    for name, value in (
        *((f"sample[{i}]", x) for i, x in enumerate(observed)),
        ("theta", theta),
    ):
        if not _is_number(value, 100) or not 0.1 <= value <= 10:
            raise ValueError(
                f"{name}={value!r} is no place in the picture: "
                "give hundredths from 0.1 to 10."
            )
    if not _is_number(sd, 10) or not 0.5 <= sd <= 4:
        raise ValueError(
            f"sd={sd!r} is no standard deviation here: "
            "give tenths from 0.5 to 4."
        )
    if model not in _MODELS:
        raise ValueError(
            f"model={model!r} is no model here: give one of "
            f"{', '.join(map(repr, _MODELS))}."
        )
    ordinals = ("first", "second", "third", "fourth")
    return Explorable(
        "likelihood",
        "How likely is each mean?",
        (
            Control(
                "model",
                "model",
                _MODELS.index(model),
                len(_MODELS) - 1,
                options=_MODELS,
            ),
            Control(
                "theta", "θ, mean of the model", round(100 * theta), 1000, 10
            ),
            Control("sd", "σ of the Gaussian model", round(10 * sd), 40, 5),
            *(
                Control(
                    f"x{i}",
                    f"{ordinal} observation",
                    round(100 * x),
                    1000,
                    10,
                    group="The observations, one by one",
                )
                for i, ordinal, x in zip(
                    _ROWS, ordinals, observed, strict=True
                )
            ),
        ),
        panels=(
            (_model(), "The model and the observations", _ABOUT_MODEL),
            (_curves(), "Log-likelihood of the mean", _ABOUT_CURVES),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
    )


_WORDS = """\
The observations {x1}, {x2}, {x3} and {x4} have the mean {mean}, which is the \
maximum likelihood estimate.
At θ = {theta} the log-likelihood is {ell}, lower by {fall} than the maximum \
{top}.
The standard error 1/√J is {error}; the 95 % likelihood interval goes from \
{low} to {high}, the Wald interval from {wald_low} to {wald_high}."""
_ABOUT_MODEL = (
    "The density of the model, scaled to the same height; the stems show the "
    "density at each observation. Drag the observations below it, and θ above."
)
_ABOUT_CURVES = (
    "Upwards: the log-likelihood below its maximum; dashed the parabola with "
    "the same curvature. What is above the thin line, 1.92 below the "
    "maximum, is the likelihood interval: the upper bar. The lower bar is the "
    "Wald interval."
)
_TASKS = {
    "same": "Keep the Gaussian model with σ = 2. Change all four observations "
    "so that the log-likelihood, measured from its maximum, stays the same.",
    "error": "Choose the exponential model, and find a sample for which the "
    "standard error is exactly 1.",
    "outside": "In the exponential model, find a θ that is in the Wald "
    "interval and not in the likelihood interval.",
}
# The sample at which the first task begins.
_START = (320, 410, 560, 790)


def _model():
    stems = "".join(
        part("path", f"leader_{i}", class_="explore-leader")
        + part("path", f"stem_{i}", class_="explore-curve explore-ink")
        for i in _ROWS
    )
    points = "".join(
        part(
            "g",
            f"point_{i}",
            '<circle class="explore-reach" r="52"/><circle r="30"/>',
            class_="explore-grip",
            data_moves=f"x{i} right",
        )
        for i in _ROWS
    )
    return (
        f'<path class="explore-frame" d="M0 0V{_FLOOR}H1000V0"/>'
        + part("path", "mean_line", class_="explore-frame explore-dashed")
        + stems
        + part("path", "density", class_="explore-curve")
        + points
        + grip("grip_theta", "theta", "right", "translate(0 -60)")
        + _axis("observations, and θ")
    )


def _curves():
    # What is too low to be seen leaves the frame, and is cut off there.
    lines = part("path", "curve", class_="explore-curve") + part(
        "path", "parabola", class_="explore-curve explore-1 explore-dashed"
    )
    level = _TOP + 100 * _Z**2 / 2
    intervals = part("path", "interval", class_="explore-interval") + part(
        "path", "wald", class_="explore-curve explore-1"
    )
    clip = "explore-likelihood_clip"
    return (
        f'<clipPath id="{clip}"><path d="M-6 -6H1006V{_FRAME_HEIGHT + 6}H-6Z'
        f'"/></clipPath><clipPath id="{clip}_bars"><path d="M0 {_FRAME_HEIGHT}'
        'H1000V1000H0Z"/></clipPath>'
        f'<path class="explore-frame" d="M0 0H1000V{_FRAME_HEIGHT}H0Z"/>'
        f'<path class="explore-leader" d="M0 {level:.1f}H1000"/>'
        f'<g clip-path="url(#{clip})">{lines}</g>'
        f'<g clip-path="url(#{clip}_bars)">{intervals}</g>'
        + part("circle", "best", class_="explore-spot", cy=_TOP, r=20)
        + part(
            "g",
            "point",
            '<circle class="explore-reach" r="120"/><circle r="32"/>',
            class_="explore-grip",
            data_moves="theta right",
        )
        + _axis("θ")
    )


def _axis(name):
    """Write the numbers of an axis below a picture, and its name."""
    numbers = [(100 * x, 1035, f"{x}") for x in (0, 5, 10)]
    return "".join(
        f'<text class="explore-text" x="{x}" y="{y}">{text}</text>'
        for x, y, text in [*numbers, (500, 1105, name)]
    )


def view(
    model: int, theta: int, sd: int, x1: int, x2: int, x3: int, x4: int
) -> View:
    """Return what is written and drawn for a sample and a parameter.

    Parameters
    ----------
    model : int
        0 for the Gaussian, 1 for the exponential model.
    theta : int
        The mean of the model, in hundredths.
    sd : int
        Of the Gaussian model, in tenths.
    x1, x2, x3, x4 : int
        The observations, in hundredths.

    Returns
    -------
    View

    Examples
    --------
    >>> view(0, 400, 20, 100, 200, 300, 600).written["error"]
    '1.00'
    """
    cells = x1, x2, x3, x4
    sample = np.array(cells) / 100
    at, mean = theta / 100, sum(cells) / (100 * len(cells))
    if model:
        error = mean / sqrt(len(cells))
        low, high = _exponential_interval(mean, len(cells))
    else:
        error = sd / 10 / sqrt(len(cells))
        low, high = mean - _Z * error, mean + _Z * error
    top = _distribution(model, mean, sd).log_likelihood(sample)
    fall = _fall(model, at, mean, error, len(cells))
    wald = mean - _Z * error, mean + _Z * error
    numbers = {
        **{f"x{i}": x for i, x in zip(_ROWS, sample.tolist(), strict=True)},
        "theta": at,
        "mean": mean,
        "ell": top - fall,
        "fall": fall,
        "top": top,
        "error": error,
        "low": low,
        "high": high,
        "wald_low": wald[0],
        "wald_high": wald[1],
    }
    return View(
        written={
            **{name: signed(value, 2) for name, value in numbers.items()},
            "sd": decimal(sd / 10, 1),
        },
        drawn={
            **_drawn_model(model, theta, sd, cells),
            **_drawn_curves(model, mean, error, len(cells)),
            "interval": _bar(low, high, 925),
            "wald": _bar(*wald, 965),
            "best": {"cx": tenth(100 * mean)},
            "point": {"transform": f"translate({theta} {_height(fall, 8.2)})"},
        },
        solves=tuple(_solved(model, theta, sd, cells, fall)),
    )


def _distribution(model, mean, sd):
    return Exponential(1 / mean) if model else Gaussian(mean, sd / 10)


def _fall(model, theta, mean, error, n):
    """Return how far the log-likelihood of a mean is below its maximum."""
    if model:
        return max(n * (mean / theta - 1 - log(mean / theta)), 0.0)
    away = (theta - mean) / error
    return away * away / 2


def _exponential_interval(mean, n):
    """Return the ends of the interval: u − log u = 1 + z²/(2n), u = mean/θ."""
    where = -np.exp(-1 - _Z**2 / (2 * n))
    return tuple(
        float(-mean / special.lambertw(where, branch).real)
        for branch in (-1, 0)
    )


def _drawn_model(model, theta, sd, cells):
    at = theta / 100
    distribution = stats.expon(scale=at) if model else stats.norm(at, sd / 10)
    peak = distribution.pdf(0 if model else at)

    def height(x):
        return tenth(_FLOOR - _PEAK * distribution.pdf(x) / peak)

    points = "L".join(f"{5 * k} {height(k / 20)}" for k in _GRID.tolist())
    found = {
        "density": {"d": f"M{points}"},
        "mean_line": {"d": f"M{theta} -60V{_FLOOR}"},
        "grip_theta": {"transform": f"translate({theta} 0)"},
    }
    for i, x in zip(_ROWS, cells, strict=True):
        row = _FLOOR + _ROW * i
        found[f"leader_{i}"] = {"d": f"M{x} {row}V{_FLOOR}"}
        found[f"stem_{i}"] = {"d": f"M{x} {_FLOOR}V{height(x / 100)}"}
        found[f"point_{i}"] = {"transform": f"translate({x} {row})"}
    return found


def _drawn_curves(model, mean, error, n):
    means = (_GRID / 20).tolist()
    lines = {"parabola": [_fall(0, mu, mean, error, n) for mu in means]}
    # No distribution has the mean 0.
    lines["curve"] = [
        _fall(model, mu, mean, error, n) if mu or not model else inf
        for mu in means
    ]
    points = {
        name: "L".join(f"{5 * k} {_height(y)}" for k, y in enumerate(falls))
        for name, falls in lines.items()
    }
    return {name: {"d": f"M{line}"} for name, line in points.items()}


def _height(fall, deepest=_DEEPEST):
    """Return where a log-likelihood is that far below its maximum."""
    return tenth(_TOP + 100 * min(fall, deepest))


def _bar(low, high, y):
    return {"d": f"M{tenth(100 * low)} {y}H{tenth(100 * high)}"}


def _solved(model, theta, sd, cells, fall):
    if not model:
        kept = sd == 20 and sum(cells) == sum(_START)
        if kept and all(a != b for a, b in zip(cells, _START, strict=True)):
            yield "same"
        return
    n = len(cells)
    # The standard error is the mean over the root of n.
    if sum(cells) == 100 * n * round(sqrt(n)):
        yield "error"
    away = abs(theta * n - sum(cells)) / sum(cells)
    if away * sqrt(n) <= _Z and 2 * fall > _Z**2:
        yield "outside"


def _is_number(value, parts):
    """Return whether it is a number of hundredths, or of other parts."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isfinite(value) and isclose(parts * value, round(parts * value))
