"""EM for two coins and for two Gaussians: its steps, its bound, its ends."""

from __future__ import annotations

from math import hypot, log, sqrt
from typing import Any

import numpy as np
from scipy.special import comb

from bayesbook.study.explore.em_models import (
    ITERATIONS,
    NAMES,
    NEAR,
    maps,
    models,
)
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    part,
    signed,
    style,
    tick,
    whole,
)
from bayesbook.study.explore.explorable import steps as steps_of

# The numbers below the data.
_TICKS = ("first", "middle", "last")
_CLIP = "explore-em_clip"
# A start is a whole number of hundredths of the axis.
_LEAST, _MOST = 1, 99
# Of the data and of the curves, in units of the picture.
_FLOOR = 880
_TOP, _DEPTH = 60, 800
_PIECES = 60
# Steps of parameters that are shorter have no direction, as shares of the
# axis; and the least half length of the line.
_SHORT, _HALF = 1e-4, 0.12


def em(
    model: int = 1, a: float = 0.95, b: float = 0.6, steps: int = 1
) -> Explorable:
    """Show EM step by step from any start, for a reader to move.

    Parameters
    ----------
    model : {1, 2, 3}
        Two coins that are drawn equally often; two coins of which A is drawn
        with probability 0.75; two Gaussians, A with standard deviation 0.25
        and B with 0.7, and equal weights.
    a, b : float
        The start, as shares of the axes: hundredths from 0.01 to 0.99.
    steps : int
        How many E and M steps have been made: at most 200.

    Returns
    -------
    Explorable
        The log-likelihood of both parameters with the path of EM, a section
        through it with the bound, the data with their responsibilities, and
        the log-likelihood after each iteration.

    Raises
    ------
    ValueError
        If a value is not such a number.

    Examples
    --------
    >>> em(a=0.6, b=0.1, steps=2)
    Where does EM end?
      model: coins, A drawn with 0.5
      a at the start: 0.60
      b at the start: 0.10
      Iteration 1, M step: the responsibilities stay; the parameters go to \
the maximum of the bound, a = 0.687, b = 0.201.
      There the log-likelihood is −157.853, and the bound −160.420: lower by \
2.567. The iteration has raised the log-likelihood by 7.921.
    """
    which = steps_of("model", model, 1, len(NAMES), 1) - 1
    start_a = steps_of("a", a, _LEAST / 100, _MOST / 100, 100)
    start_b = steps_of("b", b, _LEAST / 100, _MOST / 100, 100)
    made = steps_of("steps", steps, 0, 2 * ITERATIONS, 1)
    first = view(which, start_a, start_b, made, 0).written
    return Explorable(
        "em",
        "Where does EM end?",
        (
            Control("model", "model", which, len(NAMES) - 1, options=NAMES),
            Control("a", "a at the start", start_a, _MOST, _LEAST),
            Control("b", "b at the start", start_b, _MOST, _LEAST),
            Control("steps", "", made, 2 * ITERATIONS),
            Control("basins", "", 0, 1),
        ),
        panels=(
            (_plane(first), "Log-likelihood of a and b", _ABOUT_PLANE),
            (_section(), "Section along the line", _ABOUT_SECTION),
            (_data(first), "The data, shared by A and B", _ABOUT_DATA),
            (_climb(), "Log-likelihood after each iteration", _ABOUT_CLIMB),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=style("em.css"),
        below=_buttons(),
        data=[
            _for_script(*pair) for pair in zip(models(), maps(), strict=True)
        ],
    )


_WORDS = """\
{now}
{bound} {ends}"""
_ABOUT_PLANE = (
    "To the right a, upwards b. Drag the start, or click where it should be. "
    "The contours lie 1, 3, 6, 12, 25, 50, 100 and 200 below the highest "
    "maximum; the maxima are numbered."
)
_ABOUT_SECTION = (
    "Along the straight line in the map, from {low} to {top}: the "
    "log-likelihood, solid, and the bound, dashed. The disc is the current "
    "point, the ring the maximum of the bound."
)
_ABOUT_DATA = (
    "Orange, below: the share of A; blue, above: that of B. {expected} The "
    "lines are what the current parameters predict, solid for A, dashed for "
    "B."
)
_ABOUT_CLIMB = (
    "To the right the iterations; the dashed line is the highest maximum."
)
_TASKS = {
    "names": "Coin A is drawn with probability 0.75. Begin with an a of at "
    "most 0.05, and let EM end at the higher maximum, whose a is 0.713.",
    "slow": "Both coins are drawn equally often. Find a start from which the "
    "first iteration gains less than 0.1, and thirty iterations gain more "
    "than 8.",
    "other": "Two Gaussians: find a start with a below 2 from which EM does "
    "not end at the highest maximum.",
}


def _for_script(model, drawn):
    return {
        "values": model.values.tolist(),
        "counts": [int(count) for count in model.counts],
        "first": model.first,
        "high": model.high,
        "trials": model.trials,
        "spreads": model.spreads,
        "bars": model.bars,
        "bar": model.bar,
        "unit": model.unit,
        "axis": model.axis,
        **drawn,
    }


def _plane(first):
    basins = "".join(
        part("path", f"basin_{number}", class_=f"explore-basin-{number}")
        for number in (1, 2, 3)
    )
    peaks = "".join(
        part("text", f"peak_{number}", str(number), class_="explore-text")
        for number in (1, 2, 3)
    )
    start = part(
        "g",
        "start",
        '<circle class="explore-reach" r="110"/><circle r="30"/>',
        class_="explore-grip explore-begin",
    )
    return (
        f'{basins}<path class="explore-diagonal" d="M0 1000L1000 0"/>'
        + part("path", "contours", class_="explore-contours")
        + '<rect class="explore-frame explore-ground" width="1000" '
        'height="1000"/>'
        + part("path", "line", class_="explore-line explore-untouched")
        + f'<g class="explore-untouched">{peaks}'
        + part("path", "path", class_="explore-way")
        + part("path", "visited", class_="explore-visited")
        + part("circle", "next", class_="explore-ring", r=26)
        + part("circle", "point", class_="explore-spot", r=20)
        + f"</g>{start}"
        + "".join(
            f'<text class="explore-text {look}" x="{x}" y="{y}">{text}</text>'
            for x, y, look, text in (
                (0, 1065, "", "0"),
                (500, 1065, "", "a"),
                (-24, 1000, "explore-end", "0"),
                (-24, 517, "explore-end", "b"),
            )
        )
        + _text("high", first, 'x="1000" y="1065"')
        + _text("high", first, 'x="-24" y="35"', "explore-end")
    )


def _text(name, written, place, look=""):
    return (
        f'<text class="explore-text {look}" data-written="{name}" {place}>'
        f"{written[name]}</text>"
    )


def _section():
    return (
        f'<clipPath id="{_CLIP}"><path d="M0 0H1000V{_FLOOR}H0Z"/></clipPath>'
        f'<g clip-path="url(#{_CLIP})">'
        + part("path", "curve", class_="explore-curve explore-ink")
        + part(
            "path", "bound", class_="explore-curve explore-1 explore-dashed"
        )
        + "</g>"
        + f'<path class="explore-frame" d="M0 0H1000V{_FLOOR}H0Z"/>'
        + part("path", "gap", class_="explore-gap")
        + part("circle", "top", class_="explore-ring", r=26)
        + part("circle", "here", class_="explore-spot", r=20)
        + _below("along the line in the map")
    )


def _data(first):
    bars = "".join(
        part("path", name, class_=f"explore-area explore-{look}")
        for name, look in (
            ("of_a", "1 positive"),
            ("of_b", "2 positive"),
            ("unknown", "unknown"),
        )
    )
    return (
        f'<clipPath id="{_CLIP}_data"><path d="M0 0H1000V{_FLOOR}H0Z"/>'
        f"</clipPath>{bars}"
        f'<g clip-path="url(#{_CLIP}_data)">'
        + part("path", "curve_a", class_="explore-curve explore-edged")
        + part("path", "line_a", class_="explore-curve explore-1")
        + part("path", "curve_b", class_="explore-curve explore-edged")
        + part(
            "path", "line_b", class_="explore-curve explore-2 explore-dashed"
        )
        + f'</g><path class="explore-frame" d="M0 0H1000V{_FLOOR}H0Z"/>'
        + _text("axis", first, f'x="500" y="{_FLOOR + 140}"')
        + "".join(
            part(
                "text",
                f"at_{name}",
                first[name],
                class_="explore-text",
                y=_FLOOR + 65,
                data_written=name,
            )
            for name in _TICKS
        )
    )


def _climb():
    return (
        f'<path class="explore-leader explore-dashed" d="M0 {_TOP}H1000"/>'
        + part("path", "climb", class_="explore-curve explore-ink")
        + f'<path class="explore-frame" d="M0 0H1000V{_FLOOR}H0Z"/>'
        + part("circle", "reached", class_="explore-spot", r=20)
        + "".join(
            f'<text class="explore-text" x="{_along(t)}" y="{_FLOOR + 65}">'
            f"{t}</text>"
            for t in (0, 1, 10, 100)
        )
        + _below("iterations")
    )


def _below(text):
    return (
        f'<text class="explore-text" x="500" y="{_FLOOR + 140}">{text}</text>'
    )


def _buttons():
    steps = "".join(
        part("button", name, text, type="button")
        for name, text in (("e_step", "E step"), ("m_step", "M step"))
    )
    moves = "".join(
        f'<button type="button" data-steps="steps {by}">{text}</button>'
        for by, text in (
            (20, "Ten iterations"),
            (-1, "Undo a step"),
            (-2 * ITERATIONS, "Undo all steps"),
        )
    )
    box = tick("basins", 1, "colour the starts by their end")
    return (
        '<div class="explore-live explore-buttons" hidden="hidden">'
        f"{steps}{moves}</div>\n"
        f'<div class="explore-live" hidden="hidden">{box}</div>\n'
    )


def view(model: int, a: int, b: int, steps: int, basins: int) -> View:
    """Return what is written and drawn for a start and a number of steps.

    Parameters
    ----------
    model : int
        From 0 on.
    a, b : int
        The start, in hundredths of the axes.
    steps : int
        E and M steps, in turn.
    basins : int
        1 if starts have the colour of their end.

    Returns
    -------
    View

    Examples
    --------
    >>> view(0, 60, 10, steps=2, basins=0).written["low"]
    '−173.353'
    """
    own, drawn_map = models()[model], maps()[model]
    path = [(a * own.high / 100, b * own.high / 100)]
    for _ in range((steps + 1) // 2):
        path.append(own.after(*path[-1]))
    # Of the last E step; before it, of the one that will be made.
    after_m = steps > 0 and steps % 2 == 0
    if not steps:
        path.append(own.after(*path[-1]))
    old, new = path[-2:]
    q = own.e_step(*old)
    seen = path if after_m else path[:-1]
    values = [float(own.value(*at)) for at in seen]
    there, lower = float(own.value(*new)), float(own.bound(q, *new))
    stays = max(abs(p - r) for p, r in zip(old, new, strict=True)) < 0.0005
    section, low, top = _drawn_section(own, steps, q, old, new)
    scale = 1000 / own.high
    spot, ring = [
        {"cx": whole(scale * x), "cy": 1000 - whole(scale * y)}
        for x, y in (seen[-1], new)
    ]
    written = {
        "a": decimal(path[0][0], 2),
        "b": decimal(path[0][1], 2),
        "high": str(own.high),
        "axis": own.axis,
        "first": "0",
        "middle": "4" if own.trials else "3",
        "last": "8" if own.trials else "6",
        "now": _said_now(steps, seen[-1], values[-1]),
        "bound": _said_bound(steps, new, lower, there, values, stays),
        "ends": drawn_map["ends"] if basins else "",
        "expected": _said_expected(own, q if steps else None),
        "low": signed(low),
        "top": signed(top),
    }
    drawn: dict[str, Any] = {
        **section,
        **_drawn_data(own, q if steps else None, seen[-1]),
        **_drawn_climb(values, drawn_map["tops"][0]),
        "contours": {"d": drawn_map["contours"]},
        "point": spot,
        "next": {**ring, "visibility": "visible" if steps else "hidden"},
        "start": {"transform": f"translate({10 * a} {1000 - 10 * b})"},
        **_drawn_path([(scale * x, 1000 - scale * y) for x, y in seen]),
        "e_step": {
            "data-sets": f"steps {min(steps + (steps + 1) % 2, 199)}",
            "aria-disabled": "true" if steps % 2 else "false",
        },
        "m_step": {
            "data-sets": f"steps {steps + steps % 2}",
            "aria-disabled": "false" if steps % 2 else "true",
        },
    }
    for number in (1, 2, 3):
        region = drawn_map["basins"][number - 1]
        drawn[f"basin_{number}"] = {"d": region if basins else ""}
        drawn[f"peak_{number}"] = _drawn_peak(own, drawn_map["peaks"], number)
    solves = _solved(model, path[0], seen[-1], values, drawn_map)
    return View(written, drawn, tuple(solves))


def _said_now(steps, at, value):
    a, b = signed(at[0]), signed(at[1])
    if not steps:
        return f"The start: a = {a}, b = {b}, log-likelihood {signed(value)}."
    iteration = (steps + 1) // 2
    if steps % 2:
        return (
            f"Iteration {iteration}, E step: a = {a}, b = {b} stay, with the "
            f"log-likelihood {signed(value)}; the responsibilities are new."
        )
    return (
        f"Iteration {iteration}, M step: the responsibilities stay; the "
        f"parameters go to the maximum of the bound, a = {a}, b = {b}."
    )


def _said_bound(steps, new, lower, there, values, stays):
    if not steps:
        return "The E step will make a bound that touches it here."
    if steps % 2:
        return (
            "The new bound touches the log-likelihood here. Its maximum "
            f"{signed(lower)} is at a = {signed(new[0])}, "
            f"b = {signed(new[1])}."
        )
    return (
        f"There the log-likelihood is {signed(there)}, and the bound "
        f"{signed(lower)}: lower by {_gain(there - lower)}. The iteration "
        f"has raised the log-likelihood by {_gain(there - values[-2])}."
        + (" Neither a nor b has moved by 0.0005." if stays else "")
    )


def _gain(difference):
    """Write a difference that rounding may have made negative."""
    return decimal(max(difference, 0))


def _said_expected(model, q):
    if q is None:
        return "The E step will share the bars."
    shares = [model.counts * part for part in (q, 1 - q)]
    sizes = [share.sum() * (model.trials or 1) for share in shares]
    sums = [share @ model.values for share in shares]
    noun, unit = (
        ("heads", "tosses") if model.trials else ("flavanoids", "wines")
    )
    of_a, of_b = (
        f"{decimal(total, 2)} {noun} in {decimal(size, 2)} {unit}"
        for total, size in zip(sums, sizes, strict=True)
    )
    return f"Expected: A {of_a}, B {of_b}; the M step divides."


def _drawn_path(places):
    """Draw the path of EM, and a dot at each of its points."""
    points = [f"{whole(x)} {whole(y)}" for x, y in places]
    kept = [
        at
        for at, before in zip(points, ["", *points], strict=False)
        if at != before
    ]
    return {
        "path": {"d": f"M{'L'.join(kept)}"},
        "visited": {"d": "".join(f"M{at}h0" for at in kept)},
    }


def _drawn_peak(model, peaks, number):
    if number > len(peaks):
        return {"x": 0, "y": 0, "visibility": "hidden"}
    x, y = (1000 * each / model.high for each in peaks[number - 1])
    return {
        "x": whole(x) + 40,
        "y": 1000 - whole(y) - 24,
        "visibility": "visible",
    }


def _drawn_section(model, steps, q, old, new):
    """Draw the log-likelihood and the bound along a line of the map."""
    high = model.high
    start, end = ([each / high for each in at] for at in (old, new))
    long = hypot(end[0] - start[0], end[1] - start[1])
    if long < _SHORT:
        way, long = (sqrt(0.5), -sqrt(0.5)), 0.0
        end = start
    else:
        way = ((end[0] - start[0]) / long, (end[1] - start[1]) / long)
    half = max(1.2 * long, _HALF)
    middle = [(p + r) / 2 for p, r in zip(start, end, strict=True)]
    first, last = -half, half
    for at, by in zip(middle, way, strict=True):
        if by:
            ends = sorted(((0.005 - at) / by, (0.995 - at) / by))
            first, last = max(first, ends[0]), min(last, ends[1])
    along = [first + (last - first) * k / _PIECES for k in range(_PIECES + 1)]
    a, b = (
        high * np.array([[at + by * s] for s in along])
        for at, by in zip(middle, way, strict=True)
    )
    curve = model.value(a, b)
    here, there = float(model.value(*old)), float(model.value(*new))
    top = max(float(curve.max()), there)
    scale = max(1.7 * (top - here), 4) / _DEPTH

    def right(s):
        return whole(500 * (1 + s / half))

    def down(value):
        return whole(min(_TOP + (top - value) / scale, 3000))

    def line(values):
        points = zip(along, values.tolist(), strict=True)
        return "M" + "L".join(f"{right(s)} {down(v)}" for s, v in points)

    bound = model.bound(q, *new)
    after, before = right(long / 2), right(-long / 2)
    found: dict[str, Any] = {
        "curve": {"d": line(curve)},
        "bound": {"d": line(model.bound(q, a, b)) if steps else ""},
        "top": {
            "cx": after,
            "cy": down(bound),
            "visibility": "visible" if steps else "hidden",
        },
        "here": {"cx": before, "cy": down(here)},
        "gap": {"d": ""},
        "line": {"d": _between(a, b, 1000 / high)},
    }
    if steps and steps % 2 == 0:
        found["here"] = {"cx": after, "cy": down(there)}
        found["gap"] = {"d": f"M{after} {down(bound)}V{down(there)}"}
    return found, top - scale * (_FLOOR - _TOP), top


def _between(a, b, scale):
    """Draw the line of the map from its first to its last point."""
    ends = (
        f"{whole(scale * float(a[at, 0]))} "
        f"{1000 - whole(scale * float(b[at, 0]))}"
        for at in (0, -1)
    )
    return f"M{'L'.join(ends)}"


def _drawn_data(model, q, at):
    """Draw the bars, shared if there are responsibilities, and two curves."""
    sizes = np.bincount(model.bar, model.counts, len(model.bars))
    mine = np.bincount(
        model.bar, model.counts * (0 if q is None else q), len(model.bars)
    )
    paths = {"of_a": "", "of_b": "", "unknown": ""}
    for (left, width), size, own in zip(
        model.bars, sizes.tolist(), mine.tolist(), strict=True
    ):
        if not size:
            continue
        all_up, own_up = whole(model.unit * size), whole(model.unit * own)

        def box(low, high, left=left, width=width):
            return (
                f"M{left} {_FLOOR - low}v{low - high}h{width}V{_FLOOR - low}Z"
            )

        if q is None:
            paths["unknown"] += box(0, all_up)
        else:
            paths["of_a"] += box(0, own_up)
            paths["of_b"] += box(own_up, all_up)
    places, values = _grid(model)
    ticks = [places[0], places[len(places) // 2], places[-1]]
    found: dict[str, Any] = {name: {"d": d} for name, d in paths.items()}
    found |= {
        f"at_{name}": {"x": x} for name, x in zip(_TICKS, ticks, strict=True)
    }
    weights = (model.first, 1 - model.first)
    logs = model.logs(*at, values)
    ways = comb(model.trials, values) if model.trials else 0.25
    for name, weight, each in zip("ab", weights, logs, strict=True):
        predicted = model.counts.sum() * weight * ways * np.exp(each)
        line = "L".join(
            f"{x} {whole(max(_FLOOR - model.unit * y, -200))}"
            for x, y in zip(places, predicted.tolist(), strict=True)
        )
        found[f"line_{name}"] = found[f"curve_{name}"] = {"d": f"M{line}"}
    return found


def _grid(model):
    """Return where a curve has points in the picture, and their values."""
    if model.trials:
        return [left + width // 2 for left, width in model.bars], model.values
    values = model.high * np.arange(_PIECES + 1) / _PIECES
    places = [whole(1000 * k / _PIECES) for k in range(_PIECES + 1)]
    return places, values


def _drawn_climb(values, best):
    scale = max(best - values[0], 1) / _DEPTH
    points = [
        (_along(t), whole(_TOP + (best - value) / scale))
        for t, value in enumerate(values)
    ]
    x, y = points[-1]
    return {
        "climb": {"d": "M" + "L".join(f"{x} {y}" for x, y in points)},
        "reached": {"cx": x, "cy": y},
    }


def _along(t):
    """Return how far to the right an iteration is."""
    return whole(1000 * log(1 + t) / log(1 + ITERATIONS))


def _solved(model, start, at, values, drawn_map):
    """Yield the tasks that a state solves."""
    peaks, tops = drawn_map["peaks"], drawn_map["tops"]
    if model == 1 and start[0] <= 0.05 and tops[0] - values[-1] < NEAR:
        yield "names"
    if model == 0 and len(values) > 30:
        first, later = (value - values[0] for value in (values[1], values[30]))
        if first < 0.1 and later > 8:
            yield "slow"
    elsewhere = (hypot(at[0] - a, at[1] - b) for a, b in peaks[1:])
    if model == 2 and start[0] < 2 and min(elsewhere) < NEAR:
        yield "other"
