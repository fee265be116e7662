"""A rate that is learned from trials, from a prior to the next ten."""

from __future__ import annotations

from math import floor

import numpy as np
from scipy import stats

from bayesbook.conjugate import BetaBernoulli
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    part,
    tenth,
)

# Of the curves and bars, in units of the picture.
_HEIGHT = 880
# Of each curve how it looks; the dashed ones are drawn upon the solid one.
_CURVES = {
    "posterior": "explore-2",
    "prior": "explore-1 explore-dashed",
    "likelihood": "explore-ink explore-dash-dotted",
}
_NEXT = np.arange(11)
# A circle from its point on the left, as two half turns of a path.
_DOT = "a15 15 0 1 0 30 0a15 15 0 1 0 -30 0"


def beta_binomial(
    a: float = 2, b: float = 2, successes: int = 3, failures: int = 17
) -> Explorable:
    """Show how a beta prior learns from trials, for a reader to move.

    Parameters
    ----------
    a, b : float
        Of the prior at the start: quarters from 0.25 to 30.
    successes, failures : int
        The trials at the start: from 0 to 50 of each.

    Returns
    -------
    Explorable
        Prior, likelihood and posterior, and the successes among the next ten
        trials.

    Raises
    ------
    ValueError
        If a value is not such a number.

    Examples
    --------
    >>> beta_binomial(successes=4, failures=2)
    What have the trials taught?
      a, imagined successes: 2
      b, imagined failures: 2
      successes: 4
      failures: 2
      The prior is Beta(2, 2): mean 0.500, as strong as 4 imagined trials.
      The posterior is Beta(6, 4): mean 0.600, 95 % interval 0.299 to 0.863; \
the next is a success with probability 0.600.
      At least five of the next ten succeed with probability 0.758; with the \
mean plugged in it would be 0.834.
    """
    for name, value in (("a", a), ("b", b)):
        if not _is_quarters(value):
            raise ValueError(
                f"{name}={value!r} is not a number of the prior: "
                "give quarters from 0.25 to 30."
            )
    for name, value in (("successes", successes), ("failures", failures)):
        if type(value) is not int or not 0 <= value <= 50:
            raise ValueError(
                f"{name}={value!r} is not a number of trials: "
                "give a whole one from 0 to 50."
            )
    return Explorable(
        "beta-binomial",
        "What have the trials taught?",
        (
            Control("a", "a, imagined successes", int(4 * a), 120, 1),
            Control("b", "b, imagined failures", int(4 * b), 120, 1),
            Control("successes", "successes", successes, 50),
            Control("failures", "failures", failures, 50),
        ),
        panels=(
            (_curves(), "Prior, likelihood and posterior", _ABOUT_CURVES),
            (_bars(), "Successes among the next ten", _ABOUT_BARS),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
    )


_WORDS = """\
The prior is Beta({a}, {b}): mean {prior_mean}, as strong as {strength}.
The posterior is Beta({after_a}, {after_b}): mean {mean}, 95 % interval {low} \
to {high}; the next is a success with probability {mean}.
At least five of the next ten succeed with probability {many}; with the mean \
plugged in it would be {plugged}."""
_ABOUT_CURVES = (
    "Upwards: the density; the likelihood is scaled to the area one. Names "
    "point to the means of prior and posterior, and to the share of successes "
    "on the likelihood. The bar below is the 95 % interval, with the "
    "posterior mean as a dot and the prior mean as a ring."
)
_ABOUT_BARS = (
    "Upwards: the probability; in a strong colour from five successes on. The "
    "dots are the binomial distribution with the posterior mean plugged in."
)
_TASKS = {
    "half": "Three of four trials are successes. Find a prior with which the "
    "posterior mean is exactly one half.",
    "stubborn": "Twenty of twenty trials are successes. Find a prior that "
    "keeps the posterior mean from exceeding 0.9.",
    "narrow": "The prior is flat, and there are as many successes as "
    "failures. What is the smallest number of trials after which the 95 % "
    "interval is narrower than 0.2?",
}
_FRAME = f'<path class="explore-frame" d="M0 0H1000V{_HEIGHT}H0Z"/>'


def _curves():
    # What is infinite leaves the frame, and is cut off there.
    names = "".join(
        part("path", f"leader_{name}", class_="explore-leader")
        + part("circle", f"spot_{name}", class_="explore-spot", r=13)
        + part("text", f"name_{name}", name, class_="explore-text", y=-45)
        for name in _CURVES
    )
    lines = "".join(
        part("path", f"curve_{name}", class_=f"explore-curve {look}")
        for name, look in _CURVES.items()
    )
    return (
        '<clipPath id="explore-beta-binomial_clip">'
        f'<path d="M-6 -6H1006V{_HEIGHT + 6}H-6Z"/></clipPath>{_FRAME}'
        + _level("one", "1")
        + f'<g clip-path="url(#explore-beta-binomial_clip)">{lines}</g>{names}'
        + part("path", "interval", class_="explore-interval")
        + part("circle", "prior_mean", class_="explore-ring", cy=930, r=24)
        + part("circle", "mean", class_="explore-spot", cy=930, r=15)
        + _axis(1020, {0: "0", 500: "0.5", 1000: "1"}, "rate θ")
    )


def _bars():
    bars = "".join(
        part(
            "rect",
            f"bar_{k}",
            class_=f"explore-bar explore-2{' positive' if k >= 5 else ''}",
            x=_place(k) - 35,
            width=70,
        )
        for k in _NEXT
    )
    return (
        bars
        + _FRAME
        + _level("tenth", "0.1")
        + part("path", "plug_in", class_="explore-spot")
        + _axis(945, {_place(k): f"{k}" for k in (0, 5, 10)}, "successes")
    )


def _level(name, text):
    """Draw a line at a height that the state moves, with its value."""
    inside = (
        '<path class="explore-leader" d="M0 0H1000"/>'
        f'<text class="explore-text explore-end" x="-16" y="16">{text}</text>'
    )
    return part("g", name, inside)


def _axis(y, numbers, name):
    """Write numbers below the frame, and below them what they are."""
    numbers = [(x, y, text) for x, text in numbers.items()]
    return "".join(
        f'<text class="explore-text" x="{x}" y="{y}">{text}</text>'
        for x, y, text in [*numbers, (500, y + 75, name)]
    )


def _place(k):
    """Return where the bar of k successes has its middle."""
    return 50 + 90 * int(k)


def view(a: int, b: int, successes: int, failures: int) -> View:
    """Return what is written and drawn for a prior and trials.

    Parameters
    ----------
    a, b : int
        Of the prior, in quarters.
    successes, failures : int

    Returns
    -------
    View

    Examples
    --------
    >>> view(8, 8, successes=4, failures=2).written["low"]
    '0.299'
    """
    prior = BetaBernoulli(a / 4, b / 4)
    posterior = prior.update(successes=successes, failures=failures)
    flat = BetaBernoulli(1, 1)
    betas = {
        "prior": prior,
        "posterior": posterior,
        "likelihood": flat.update(successes=successes, failures=failures),
    }
    mean = posterior.mean()
    trials = successes + failures
    marked = {
        "prior": prior.mean(),
        "posterior": mean,
        "likelihood": successes / trials if trials else 0.5,
    }
    low, high = posterior.interval(0.95)
    predicted = posterior.predictive(10).pmf(_NEXT)
    plug_in = stats.binom(10, mean).pmf(_NEXT)
    strength = (a + b) / 4
    plural = "s" if strength != 1 else ""
    return View(
        written={
            "a": f"{a / 4:g}",
            "b": f"{b / 4:g}",
            "successes": str(successes),
            "failures": str(failures),
            "prior_mean": decimal(prior.mean()),
            "strength": f"{strength:g} imagined trial{plural}",
            "after_a": f"{posterior.a:g}",
            "after_b": f"{posterior.b:g}",
            "mean": decimal(mean),
            "low": decimal(low),
            "high": decimal(high),
            "many": decimal(predicted[5:].sum()),
            "plugged": decimal(plug_in[5:].sum()),
        },
        drawn={
            **_drawn_curves(betas, marked),
            "interval": {
                "d": f"M{tenth(1000 * low)} 930H{tenth(1000 * high)}"
            },
            "mean": {"cx": tenth(1000 * mean)},
            "prior_mean": {"cx": tenth(1000 * prior.mean())},
            **_drawn_bars(predicted, plug_in),
        },
        solves=tuple(_solved(a, b, successes, failures)),
    )


def _drawn_curves(betas, marked):
    rates = np.linspace(0, 1, 201)
    densities = {
        name: beta.distribution.pdf(rates) for name, beta in betas.items()
    }
    # Nearer to an end than a hundredth, a density may be infinite.
    top = 1.05 * max(density[2:-2].max() for density in densities.values())

    def height(density):
        return _HEIGHT * (1 - min(density / top, 2))

    found = {"one": {"transform": f"translate(0 {tenth(height(1))})"}}
    for name, density in densities.items():
        points = zip(5 * np.arange(201), map(height, density), strict=True)
        line = "L".join(f"{x} {floor(y + 0.5)}" for x, y in points)
        found[f"curve_{name}"] = {"d": f"M{line}"}
    # The posterior is marked between the other two, or the three together.
    order = sorted(betas, key=marked.get)
    for at, name in zip((150, 500, 850), order, strict=True):
        rate = marked[name]
        x = tenth(1000 * rate)
        y = tenth(max(height(betas[name].distribution.pdf(rate)), 0))
        found[f"name_{name}"] = {"x": at}
        found[f"leader_{name}"] = {"d": f"M{at} -30L{x} {y}"}
        found[f"spot_{name}"] = {"cx": x, "cy": y}
    return found


def _drawn_bars(predicted, plug_in):
    unit = _HEIGHT / (1.05 * max(*predicted, *plug_in, 0.1))
    dots = "".join(
        f"M{_place(k) - 15} {tenth(_HEIGHT - unit * p)}{_DOT}"
        for k, p in enumerate(plug_in)
    )
    bars = {
        f"bar_{k}": {
            "y": tenth(_HEIGHT - unit * p),
            "height": tenth(unit * p),
        }
        for k, p in enumerate(predicted)
    }
    line = f"translate(0 {tenth(_HEIGHT - unit / 10)})"
    return {**bars, "plug_in": {"d": dots}, "tenth": {"transform": line}}


def _solved(a, b, successes, failures):
    trials = successes, failures
    if trials == (3, 1) and a + 4 * 3 == b + 4 * 1:
        yield "half"
    if trials == (20, 0) and 10 * (a + 80) <= 9 * (a + b + 80):
        yield "stubborn"
    if a == b == 4 and successes == failures > 0:
        before, now = (_width(n) for n in (successes - 1, successes))
        if now < 0.2 <= before:
            yield "narrow"


def _width(n):
    """Return the width of the interval after n successes and n failures."""
    low, high = BetaBernoulli(1 + n, 1 + n).interval(0.95)
    return high - low


def _is_quarters(value):
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0.25 <= value <= 30 and (4 * value) % 1 == 0
