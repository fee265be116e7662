"""Two chains by the rule of Metropolis: their step size, starts and draws."""

from __future__ import annotations

from math import cos, floor, isfinite, isnan, nan, pi, sin, sqrt
from typing import Any

import numpy as np

from bayesbook import mcmc
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    grip,
    part,
    signed,
    style,
    whole,
)
from bayesbook.study.explore.explorable import steps as steps_of
from bayesbook.study.explore.metropolis_chains import (
    CORRELATION,
    LONGEST,
    SCALES,
    TARGETS,
    random_numbers,
    run,
)

# From so many steps on, ESS and R-hat are written.
_ENOUGH = 20
# The proposals that are shown, the lags, and the bars of a histogram.
_RECENT, _LAGS, _BARS = 30, 40, 40
# The ends of the trace.
_ENDS = (50, 100, 200, 500, LONGEST)
# Of the pictures, in their units: the highest density and the widest, the
# autocorrelations 0 and 1, and what is out of sight.
_TALL, _WIDE = 900, 240
_ZERO, _ONE = 750, 50
_OUTSIDE = 300
_PIECES = 100
_CLIP = "explore-metropolis_clip"


def metropolis(
    target: int = 3,
    scale: float = 1.5,
    a: float = -5.0,
    b: float = 4.0,
    steps: int = LONGEST,
) -> Explorable:
    """Show two chains by the rule of Metropolis, for a reader to move.

    Parameters
    ----------
    target : {1, 2, 3, 4}
        A normal distribution; a skewed one; one with two peaks far apart; x
        and y with correlation 0.95.
    scale : float
        The standard deviation of a step: 1, 1.2, 1.5, 2, 2.4, 3, 4, 5, 6 or
        8 and such numbers with a smaller power of ten, from 0.05 to 20.
    a, b : float
        The starts of the chains, on the axis of the target: thousandths of
        it.
    steps : int
        How many steps each chain has made: at most 1000.

    Returns
    -------
    Explorable
        The last proposals on the target, the trace, the histograms beside
        the target, and the autocorrelation, with the acceptance rate, the
        effective sample size and split R-hat.

    Raises
    ------
    ValueError
        If a value is not such a number.

    Examples
    --------
    >>> metropolis(target=1, scale=2.4, a=-1, b=1)
    Can these draws be trusted?
      target: one peak, normal
      step size: 2.40
      start of chain A: −1.00
      start of chain B: 1.00
      steps of each chain: 1000
      Step 1000: chain A proposes to go from 1.14 to 2.19. The probability \
to accept this is 0.173, and the uniform number is 0.943: rejected.
      Acceptance rate 0.433, ESS 446, split R-hat 1.000. The 2000 draws of x \
have the mean −0.024 ± 0.046; the true mean is 0.000.
    """
    which = steps_of("target", target, 1, len(TARGETS), 1) - 1
    if scale not in SCALES:
        raise ValueError(
            f"scale={scale!r} is not on its slider: give one of "
            f"{', '.join(f'{each:g}' for each in SCALES)}."
        )
    own = TARGETS[which]
    per = 1000 // (own.high - own.low)
    start_a, start_b = (
        steps_of(name, value, own.low, own.high, per) - own.low * per
        for name, value in (("a", a), ("b", b))
    )
    made = steps_of("steps", steps, 0, LONGEST, 1)
    at = SCALES.index(scale)
    first = view(which, at, start_a, start_b, made).written
    return Explorable(
        "metropolis",
        "Can these draws be trusted?",
        (
            Control(
                "target",
                "target",
                which,
                len(TARGETS) - 1,
                options=tuple(each.name for each in TARGETS),
            ),
            Control("scale", "step size", at, len(SCALES) - 1),
            Control("a", "start of chain A", start_a, 1000),
            Control("b", "start of chain B", start_b, 1000),
            Control("steps", "steps of each chain", made, LONGEST),
        ),
        panels=(
            (_trace(first), "Trace", _ABOUT_TRACE),
            (_histograms(first), "Draws beside the target", _ABOUT_DRAWS),
            (_proposals(first), "Proposals of chain A", "{rule}"),
            (_correlations(), "Autocorrelation", _ABOUT_LAGS),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=style("metropolis.css"),
        below=_buttons(),
        data={
            "scales": SCALES,
            "correlation": CORRELATION,
            "targets": [
                {
                    "low": each.low,
                    "high": each.high,
                    "mean": each.mean,
                    "top": each.top,
                }
                for each in TARGETS
            ],
            "numbers": random_numbers(),
        },
    )


_WORDS = """\
{step}
Acceptance rate {rate}, ESS {ess}, split R-hat {r_hat}. {draws}"""
_ABOUT_TRACE = (
    "To the right the steps, upwards x; no draw is discarded. Orange, broad: "
    "chain A; blue, narrow: chain B."
)
_ABOUT_DRAWS = (
    "Upwards x again: the draws of A to the left, those of B to the right; "
    "the line is the density of x. Drag the handles to move the starts."
)
_ABOUT_LAGS = (
    "To the right the lag, upwards the autocorrelation of the draws of both "
    "chains, each about its own mean."
)
_RULE = (
    "The density, and the last 30 proposals of chain A. Each is at a random "
    "height below the density of where A was: under the curve it is accepted, "
    "a dot; above it, rejected, a cross. In the last step A was at the ring, "
    "and is at the disc now; the dashed line leads to the proposal."
)
_RULE_OF_TWO = (
    "To the right x, upwards y, with contours of the target. Of the last 30 "
    "proposals of chain A, dots are accepted and crosses rejected. In the "
    "last step A was at the ring, and is at the disc now; the dashed line "
    "leads to the proposal."
)
_TASKS = {
    "best": "Normal target: find a step size and starts with which the ESS "
    "of the 2000 draws is at least 430. What is the acceptance rate?",
    "small": "Normal target: start both chains within 0.1 of its mean, so "
    "that there is nothing to discard, and find a step size with an "
    "acceptance rate above 0.95 and an ESS below 10.",
    "blind": "Two peaks: make R-hat fall below 1.01 while the mean of the "
    "2000 draws is wrong by more than 5. Then move one start so that R-hat "
    "shows it.",
}


# --- The parts of the pictures -----------------------------------------------


def _label(x, y, text, look=""):
    return f'<text class="explore-text {look}" x="{x}" y="{y}">{text}</text>'


def _number(name, first, x, y, look=""):
    return (
        f'<text class="explore-text {look}" data-written="{name}" '
        f'x="{x}" y="{y}">{first[name]}</text>'
    )


def _clipped(key, content):
    return (
        f'<clipPath id="{_CLIP}_{key}"><path d="M0 0H1000V1000H0Z"/>'
        f'</clipPath><g clip-path="url(#{_CLIP}_{key})">{content}</g>'
        '<path class="explore-frame" d="M0 0H1000V1000H0Z"/>'
    )


def _trace(first):
    return (
        _clipped(
            "trace",
            part("path", "trace_a", class_="explore-trace explore-1 broad")
            + part("path", "trace_b", class_="explore-trace explore-2"),
        )
        + _number("high", first, -24, 35, "explore-end")
        + _number("low", first, -24, 1000, "explore-end")
        + _label(-24, 517, "x", "explore-end")
        + _label(0, 1065, "0")
        + _label(500, 1065, "step")
        + _number("last", first, 960, 1065)
    )


def _histograms(first):
    return (
        _clipped(
            "draws",
            part("path", "bars_a", class_="explore-area explore-1 positive")
            + part("path", "bars_b", class_="explore-area explore-2 positive")
            + part("path", "density", class_="explore-curve explore-ink")
            + '<path class="explore-leader" d="M500 0V1000"/>',
        )
        + _label(60, 80, "A")
        + _label(940, 80, "B")
        + _number("high", first, 500, -28)
        + _number("low", first, 500, 1065)
        + grip("start_a", "a", "up", "translate(-50)")
        + grip("start_b", "b", "up", "translate(1050)")
    )


def _proposals(first):
    return (
        _clipped(
            "target",
            part("path", "curve", class_="explore-curve explore-ink")
            + part("path", "contours", class_="explore-contours")
            + part("path", "leader", class_="explore-way explore-dashed")
            + part("path", "accepted", class_="explore-accepted")
            + part("path", "rejected", class_="explore-rejected")
            + part("circle", "was", class_="explore-ring", r=30)
            + part("circle", "is", class_="explore-spot", r=22),
        )
        + _number("low", first, 20, 1065)
        + _label(500, 1065, "x")
        + _number("high", first, 980, 1065)
    )


def _correlations():
    return (
        _clipped(
            "lags",
            f'<path class="explore-leader" d="M0 {_ZERO}H1000"/>'
            + part("path", "lags", class_="explore-lags"),
        )
        + _label(-24, _ONE + 17, "1", "explore-end")
        + _label(-24, _ZERO + 17, "0", "explore-end")
        + _label(_lag(0), 1065, "0")
        + _label(_lag(20), 1065, "lag 20")
        + _label(_lag(40), 1065, "40")
    )


def _buttons():
    buttons = "".join(
        f'<button type="button" data-steps="{moved}">{text}</button>'
        for moved, text in (
            ("scale -1", "Smaller steps"),
            ("scale 1", "Larger steps"),
            ("steps 1", "One step more"),
            (f"steps {LONGEST}", f"All {LONGEST} steps"),
        )
    )
    return (
        '<div class="explore-live explore-buttons" hidden="hidden">'
        '<p aria-hidden="true">Acceptance rate {rate}, ESS {ess}, R-hat '
        f"{{r_hat}}</p>{buttons}</div>\n"
    )


# --- The view ----------------------------------------------------------------


def view(target: int, scale: int, a: int, b: int, steps: int) -> View:
    """Return what is written and drawn for two chains.

    Parameters
    ----------
    target : int
        From 0 on.
    scale : int
        The number of the step size, from 0 on.
    a, b : int
        The starts, in thousandths of the axis.
    steps : int
        How many steps each chain has made.

    Returns
    -------
    View

    Examples
    --------
    >>> view(0, 17, 400, 600, steps=0).written["step"]
    'Chain A starts at −1.00, chain B at 1.00.'
    """
    own = TARGETS[target]
    starts = own.at(a), own.at(b)
    runs = [
        run(own, SCALES[scale], start, chain, steps)
        for chain, start in enumerate(starts)
    ]
    draws = np.array([[step.after[0] for step in made] for made in runs])
    accepted = sum(step.is_accepted for made in runs for step in made)
    found = _judged(draws) if steps >= _ENOUGH else {}
    end = next(each for each in _ENDS if each >= steps)
    written = {
        "scale": decimal(SCALES[scale], 2),
        "a": signed(starts[0], 2),
        "b": signed(starts[1], 2),
        "steps": str(steps),
        "low": signed(own.low, 0),
        "high": signed(own.high, 0),
        "last": str(end),
        "step": _said_step(own, runs[0], starts),
        "draws": _said_draws(own, steps, found),
        **_numbers(accepted, steps, found),
        "rule": _RULE_OF_TWO if own.has_y else _RULE,
    }
    drawn: dict[str, Any] = {
        "start_a": {"transform": f"translate(0 {1000 - a})"},
        "start_b": {"transform": f"translate(0 {1000 - b})"},
        "trace_a": _drawn_trace(own, starts[0], draws[0], end),
        "trace_b": _drawn_trace(own, starts[1], draws[1], end),
        "bars_a": _drawn_bars(own, draws[0], -1),
        "bars_b": _drawn_bars(own, draws[1], 1),
        "density": _drawn_density(own),
        "curve": {"d": "" if own.has_y else _curve(own)},
        "contours": {"d": _contours(own) if own.has_y else ""},
        **_drawn_proposals(own, runs[0], starts[0]),
        "lags": _drawn_lags(draws),
    }
    solves = _solved(target, starts, steps, accepted, found)
    return View(written, drawn, tuple(solves))


def _judged(draws):
    """Return what the draws of both chains say about themselves."""
    return {
        # Draws are short decimals, so their mean may lie half way between two;
        # the order of summing must not decide which one is written.
        "mean": round(float(draws.mean()), 9),
        "error": float(mcmc.monte_carlo_error(draws)),
        "ess": float(mcmc.effective_sample_size(draws)),
        "r_hat": float(mcmc.split_r_hat(draws, method="split")),
    }


def _said_step(own, made, starts):
    if not made:
        a, b = (signed(start, 2) for start in starts)
        return f"Chain A starts at {a}, chain B at {b}."
    last = made[-1]
    before, to = (
        f"({signed(x, 2)}, {signed(y, 2)})" if own.has_y else signed(x, 2)
        for x, y in (last.before, last.proposed)
    )
    return (
        f"Step {len(made)}: chain A proposes to go from {before} to {to}. The "
        f"probability to accept this is {decimal(last.probability)}, and the "
        f"uniform number is {decimal(last.uniform)}: "
        f"{'accepted' if last.is_accepted else 'rejected'}."
    )


def _numbers(accepted, steps, found):
    """Write what draws are judged by; a dash for what they have not."""
    none = "–"
    ess, r_hat = (found.get(name, nan) for name in ("ess", "r_hat"))
    return {
        "rate": decimal(accepted / (2 * steps)) if steps else none,
        "ess": none if isnan(ess) else decimal(ess, 0),
        "r_hat": none
        if isnan(r_hat)
        else decimal(r_hat)
        if isfinite(r_hat)
        else "infinite",
    }


def _said_draws(own, steps, found):
    if not steps:
        return "Move the steps, or press a button below the pictures."
    if not found:
        return f"ESS and R-hat are computed after {_ENOUGH} steps."
    if isnan(found["ess"]):
        return "All draws are equal: they have no ESS and no R-hat."
    return (
        f"The {2 * steps} draws of x have the mean {signed(found['mean'])} ± "
        f"{decimal(found['error'])}; the true mean is {signed(own.mean)}."
    )


def _inside(length):
    """Return a length in whole units, and not far out of sight."""
    return min(max(whole(length), -_OUTSIDE), 1000 + _OUTSIDE)


def _line(points):
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _drawn_trace(own, start, draws, end):
    points = [
        (whole(1000 * k / end), _inside(1000 - own.right(x)))
        for k, x in enumerate([start, *draws.tolist()])
    ]
    return {"d": _line(points)}


def _drawn_bars(own, draws, side):
    """Draw a histogram to one side of the middle."""
    counts = [0] * _BARS
    for x in draws.tolist():
        bar = floor(_BARS * own.right(x) / 1000)
        if 0 <= bar < _BARS:
            counts[bar] += 1
    unit = _WIDE * _BARS / (own.top * (own.high - own.low))
    bar = 1000 // _BARS
    d = ""
    for k, count in enumerate(counts):
        if count:
            wide = side * min(whole(unit * count / len(draws)), 500)
            d += f"M500 {1000 - bar * k}h{wide}v-{bar}H500Z"
    return {"d": d}


def _along(own):
    """Return values of x from one end of the axis to the other."""
    long = own.high - own.low
    return [own.low + long * k / _PIECES for k in range(_PIECES + 1)]


def _drawn_density(own):
    """Draw the density upwards, to both sides of the middle."""
    places = [
        (1000 - 10 * k, whole(_WIDE * own.density(x) / own.top))
        for k, x in enumerate(_along(own))
    ]
    return {
        "d": "".join(
            _line((500 + side * wide, y) for y, wide in places)
            for side in (-1, 1)
        )
    }


def _height(own, density):
    """Return where a density is in the picture of the target."""
    return 1000 - _TALL * density / own.top


def _curve(own):
    return _line(
        (10 * k, whole(_height(own, own.density(x))))
        for k, x in enumerate(_along(own))
    )


def _contours(own):
    """Draw the ellipses one and two standard deviations from the middle."""
    # They are circles of the two independent variables x + y and x - y.
    unit = 1000 / (own.high - own.low)
    long, short = (
        unit * sqrt((1 + sign * CORRELATION) / 2) for sign in (1, -1)
    )
    d = ""
    for radius in (1, 2):
        turns = [2 * pi * k / 60 for k in range(61)]
        d += _line(
            (
                whole(500 + radius * (long * cos(t) + short * sin(t))),
                whole(500 - radius * (long * cos(t) - short * sin(t))),
            )
            for t in turns
        )
    return d


def _drawn_proposals(own, made, start):
    """Draw the last proposals of a chain, and its last step."""

    def on_target(x, y):
        """Return where a state is: in the plane, or on the curve."""
        up = 1000 - own.right(y) if own.has_y else _height(own, own.density(x))
        return _inside(own.right(x)), _inside(up)

    def marked(step):
        x, y = step.proposed
        if own.has_y:
            return on_target(x, y)
        below = step.uniform * own.density(step.before[0])
        return _inside(own.right(x)), _inside(_height(own, below))

    dots, crosses = "", ""
    for step in made[-_RECENT:]:
        x, y = marked(step)
        if step.is_accepted:
            dots += f"M{x} {y}h0"
        else:
            crosses += f"M{x - 14} {y - 14}l28 28m0 -28l-28 28"
    after = made[-1].after if made else (start, 0.0)
    before = made[-1].before if made else after
    is_x, is_y = on_target(*after)
    was_x, was_y = on_target(*before)
    way = ""
    if made:
        x, y = marked(made[-1])
        way = f"M{was_x} {was_y}" + (f"L{x} {y}" if own.has_y else f"V{y}H{x}")
    return {
        "accepted": {"d": dots},
        "rejected": {"d": crosses},
        "leader": {"d": way},
        "was": {"cx": was_x, "cy": was_y},
        "is": {"cx": is_x, "cy": is_y},
    }


def _lag(lag):
    """Return how far to the right a lag is."""
    return 20 + 24 * lag


def _drawn_lags(draws):
    n = draws.shape[1]
    if n < _ENOUGH:
        return {"d": ""}
    found = mcmc.autocorrelation(draws, min(_LAGS, n - 1))
    d = "".join(
        f"M{_lag(lag)} {_ZERO}V{_inside(_ZERO - (_ZERO - _ONE) * rho)}"
        for lag, rho in enumerate(found.tolist())
        if isfinite(rho)
    )
    return {"d": d}


def _solved(target, starts, steps, accepted, found):
    """Yield the tasks that a state solves."""
    if steps < LONGEST or isnan(found["ess"]):
        return
    own = TARGETS[target]
    if target == 0 and found["ess"] >= 430:
        yield "best"
    is_near = max(abs(start - own.mean) for start in starts) <= 0.1
    is_often = accepted > 0.95 * 2 * steps
    if target == 0 and is_near and is_often and found["ess"] < 10:
        yield "small"
    off = abs(found["mean"] - own.mean)
    if target == 2 and found["r_hat"] < 1.01 and off > 5:
        yield "blind"
