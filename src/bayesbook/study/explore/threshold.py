"""A threshold for a score: what it finds, what it costs, and which is best."""

from __future__ import annotations

from collections.abc import Hashable
from math import floor, inf, log
from typing import Any

import numpy as np
from scipy.special import ndtr
from scipy.stats import norm

from bayesbook.decision import GenerativeClassifier, LossMatrix
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    grip,
    part,
    people,
    point,
    signed,
    steps,
    style,
    tenth,
    tick,
)

# Of the pictures with a score to the right, in units of the picture.
_HEIGHT = 880
_MIDDLE = _HEIGHT / 2
# Of the density 1, and the width of the score 1.
_DENSITY = 1000
_SCORE = 100
# The costs that are drawn end at this multiple of what is paid without a
# score.
_TOP = 1.5
# What is drawn of a curve: a threshold in each tenth of the score.
_GRID = np.arange(0, 1001, 10)
# Of the groups of a thousand people how they look.
_GROUPS = {
    "hits": "1 positive",
    "misses": "1 negative",
    "alarms": "2 positive",
    "spared": "2 negative",
}


def threshold(
    score: float = 0.19,
    separation: float = 2.7,
    prevalence: int = 373,
    miss: int = 19,
    price: float = 0.3,
) -> Explorable:
    """Show what a threshold for a score does, for a reader to move.

    The score is Gaussian with standard deviation 1 in two classes of lumps,
    benign and malignant. The costs are excess costs: 1 for a biopsy of a
    benign lump, `miss` for waiting with a malignant one.

    Parameters
    ----------
    score : float
        The threshold at the start: hundredths from -5 to 5.
    separation : float
        Between the means of the classes: tenths from 0 to 4.
    prevalence : int
        How many of a thousand lumps are malignant: from 1 to 999.
    miss : int
        What it costs to miss a malignant lump: from 1 to 50.
    price : float
        What it costs to reject: hundredths from 0.01 to 1.

    Returns
    -------
    Explorable
        The distributions of the score, the ROC curve, the expected cost of
        every threshold, and a thousand people.

    Raises
    ------
    ValueError
        If a value is not such a number.

    Examples
    --------
    >>> threshold(score=0, separation=2, prevalence=100, miss=9)
    Where should the threshold be?
      threshold for the score: 0.00
      separation of the classes: 2.0
      prevalence, P[malignant]: 0.100
      cost of a miss: 9
      price of rejecting: 0.30
      Of a thousand lumps 100 are malignant. A biopsy above the threshold \
finds 84 of them and misses 16; 143 of the 900 benign ones have a biopsy for \
nothing.
      Recall 0.841, false-positive rate 0.159, precision 0.371; AUC 0.921.
      The expected cost is 0.286 a lump. It is least, 0.286, at the \
threshold 0.00, where P[malignant | x] = 0.100; at your threshold \
P[malignant | x] = 0.100.
    """
    given = {
        "score": (score, -5, 5, 100),
        "separation": (separation, 0, 4, 10),
        "prevalence": (prevalence, 1, 999, 1),
        "miss": (miss, 1, 50, 1),
        "price": (price, 0.01, 1, 100),
    }
    at = {name: steps(name, *asked) for name, asked in given.items()}
    return Explorable(
        "threshold",
        "Where should the threshold be?",
        (
            Control(
                "threshold",
                "threshold for the score",
                500 + at["score"],
                1000,
            ),
            Control(
                "separation", "separation of the classes", at["separation"], 40
            ),
            Control(
                "prevalence",
                "prevalence, P[malignant]",
                at["prevalence"],
                999,
                1,
            ),
            Control("miss", "cost of a miss", at["miss"], 50, 1),
            Control("price", "price of rejecting", at["price"], 100, 1),
            Control("reject", "", 0, 1),
        ),
        panels=(
            (_densities(), "Score in the two classes", _ABOUT_DENSITIES),
            (_roc(), "ROC curve", _ABOUT_ROC),
            (_costs(), "Expected cost of every threshold", _ABOUT_COSTS),
            (_people(), "A thousand people", _ABOUT_PEOPLE),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=_above(),
    )


_WORDS = """\
Of a thousand lumps {ill} are malignant. A biopsy above the threshold finds \
{hits} of them and misses {misses}; {alarms} of the {well} benign ones have a \
biopsy for nothing.
Recall {recall}, false-positive rate {fpr}, precision {precision}; AUC {auc}.
The expected cost is {cost} a lump. It is least, {least}, {advice}; at \
your threshold P[malignant | x] = {posterior}. {rejecting}"""
_ABOUT_DENSITIES = (
    "Malignant upwards, benign downwards, each with the area one; in strong "
    "colours what has a biopsy. {hatched}"
)
_ABOUT_ROC = (
    "The dot is your threshold, the ring the best one. All rules on the "
    "dashed line cost the same as yours; if yours is the best, this line only "
    "touches the curve. {widened}"
)
_ABOUT_COSTS = (
    "Upwards: the mean cost of a lump, in biopsies of benign lumps. The "
    "dashed line is {idle}, the least cost without a score, when all lumps "
    "have a biopsy or none has. {lowered}"
)
# What is said of the pictures where it is best to reject.
_REJECTED = {
    "hatched": "Where it is hatched, it is best to reject.",
    "widened": "The wide part is rejected.",
    "lowered": "The wide line is the least cost with the reject option.",
}
_ABOUT_PEOPLE = (
    "Squares are malignant, circles benign; large ones have a biopsy. Found "
    "{hits}, missed {misses}, false alarms {alarms}, rightly left {spared}."
)
_TASKS = {
    "middle": "A miss costs 19, and the separation is 2.7. For which "
    "prevalence is the best threshold exactly half-way between the classes, "
    "at 0? Put your threshold there as well.",
    "precision": "Leave the threshold at 0.19 and the separation at 2.7, so "
    "that the dot stays where it is on the ROC curve. How rare must malignant "
    "lumps be to bring the precision down to one half, within 0.005?",
    "price": "A miss costs 19. Tick the reject option. What is the lowest "
    "price at which it is never best to reject, whatever the score is?",
}
_CLIP = "explore-threshold_clip"
_FRAME = f'<path class="explore-frame" d="M0 0H1000V{_HEIGHT}H0Z"/>'
# The square of the ROC curve.
_LEFT = 60
_SQUARE = f'<path class="explore-frame" d="M{_LEFT} 0h880v880h-880Z"/>'


def _above():
    box = tick(
        "reject", 1, "reject option: a specialist decides, at the price"
    )
    return (
        style("threshold.css")
        + f'<div class="explore-live explore-option" hidden="hidden">{box}'
        "</div>"
    )


def _densities():
    def name(text, place):
        return f'<text class="explore-text {text}" {place}>{text}</text>'

    areas = "".join(
        part("path", f"{name}_{side}", class_=f"explore-area explore-{look}")
        for name, look in (("malignant", 1), ("benign", 2))
        for side, look in (
            ("left", f"{look} negative"),
            ("right", f"{look} positive"),
        )
    )
    return (
        '<pattern id="explore-threshold_hatch" width="40" height="40" '
        'patternUnits="userSpaceOnUse"><path class="explore-leader" '
        'd="M0 40L40 0"/></pattern>'
        + areas
        + part("path", "band", class_="explore-hatched")
        + f'<path class="explore-leader" d="M0 {_MIDDLE:g}H1000"/>{_FRAME}'
        + name("malignant", 'x="24" y="64"')
        + name("benign", f'x="976" y="{_HEIGHT - 28}"')
        + part("path", "line", class_="explore-line")
        + grip("grip", "threshold", "right", "translate(0 -62)")
        + _scores()
    )


def _roc():
    return (
        f'<clipPath id="{_CLIP}"><path d="M{_LEFT} 0h880v880h-880Z"/>'
        "</clipPath>"
        + part("path", "roc_band", class_="explore-stretch")
        + f'<path class="explore-leader" d="M{_LEFT} 880L{_LEFT + 880} 0"/>'
        + part("path", "roc", class_="explore-curve explore-ink")
        + f'<g clip-path="url(#{_CLIP})">'
        + part("path", "same_cost", class_="explore-line explore-dashed")
        + f"</g>{_SQUARE}"
        + part("circle", "roc_best", class_="explore-ring", r=30)
        + part("circle", "roc_spot", class_="explore-spot", r=22)
        + f'<text class="explore-text benign" x="{_LEFT + 880}" y="-24">'
        "upwards: true-positive rate</text>"
        + _axis({_LEFT: "0", _LEFT + 880: "1"}, "false-positive rate")
    )


def _costs():
    level = _HEIGHT * (1 - 1 / _TOP)
    return (
        '<clipPath id="explore-threshold_frame">'
        f'<path d="M0 0H1000V{_HEIGHT}H0Z"/></clipPath>'
        + part("path", "cost_band", class_="explore-hatched")
        + '<g clip-path="url(#explore-threshold_frame)">'
        + part("path", "costs", class_="explore-curve explore-ink")
        + f'</g><path class="explore-leader explore-dashed" '
        f'd="M0 {level:.1f}H1000"/>'
        + part("path", "with_reject", class_="explore-interval")
        + _FRAME
        + f'<text class="explore-text explore-end" x="-16" y="{_HEIGHT}">0'
        "</text>"
        + part("path", "cost_line", class_="explore-line")
        + part("circle", "cost_best", class_="explore-ring", r=30)
        + part("circle", "cost_spot", class_="explore-spot", r=22)
        + grip("cost_grip", "threshold", "right", "translate(0 -62)")
        + _scores()
    )


def _people():
    return "".join(
        part("path", f"people_{name}", class_=f"explore-people explore-{look}")
        for name, look in _GROUPS.items()
    )


def _scores():
    return _axis({100: "−4", 500: "0", 900: "4"}, "score")


def _axis(numbers, name):
    """Write numbers below the frame, and below them what they are."""
    places = [(x, _HEIGHT + 65, text) for x, text in numbers.items()]
    return "".join(
        f'<text class="explore-text" x="{x}" y="{y}">{text}</text>'
        for x, y, text in [*places, (500, _HEIGHT + 140, name)]
    )


def view(
    threshold: int,
    separation: int,
    prevalence: int,
    miss: int,
    price: int,
    reject: int,
) -> View:
    """Return what is written and drawn for a threshold.

    Parameters
    ----------
    threshold : int
        In hundredths of the score, from 500 below its middle.
    separation : int
        In tenths.
    prevalence : int
        In thousandths.
    miss : int
    price : int
        In hundredths.
    reject : int
        1 if it is allowed.

    Returns
    -------
    View

    Examples
    --------
    >>> view(500, 20, 100, 9, 30, 0).written["least"]
    '0.286'
    """
    score, half = (threshold - 500) / 100, separation / 20
    densities: dict[Hashable, Any] = {
        "benign": norm(-half, 1),
        "malignant": norm(half, 1),
    }
    model = GenerativeClassifier(
        {"benign": 1 - prevalence / 1000, "malignant": prevalence / 1000},
        densities,
    )
    loss = LossMatrix([[0, miss], [1, 0]], tuple(densities), ("no", "biopsy"))

    def cost(at):
        fpr, tpr = _rates(at, half)
        return (
            prevalence * miss * (1 - tpr) + (1000 - prevalence) * fpr
        ) / 1000

    fpr, tpr = _rates(score, half)
    best = _best(separation, prevalence, miss)
    least = cost(0 if best is None else best)
    band = _band(separation, prevalence, miss, price) if reject else None
    idle = min(prevalence * miss, 1000 - prevalence) / 1000
    well = 1000 - prevalence
    hits, alarms = _whole(prevalence * tpr), _whole(well * fpr)
    groups = (hits, prevalence - hits, alarms, well - alarms)
    with_reject, rejected = _rejecting(band, half, prevalence, miss, price)
    advice = _advice(best)
    if best is not None and abs(best) < inf:
        (wait_0, wait_1), (biopsy_0, biopsy_1) = loss.values
        excess = biopsy_0 - wait_0, wait_1 - biopsy_1
        cut = excess[0] / (excess[0] + excess[1])
        advice += f", where P[malignant | x] = {decimal(cut)}"
    return View(
        written={
            "threshold": signed(score, 2),
            "separation": decimal(separation / 10, 1),
            "prevalence": decimal(prevalence / 1000),
            "miss": str(miss),
            "price": decimal(price / 100, 2),
            "ill": str(prevalence),
            "well": str(well),
            **dict(zip(_GROUPS, map(str, groups), strict=True)),
            "recall": decimal(tpr),
            "fpr": decimal(fpr),
            "precision": decimal(
                prevalence * tpr / (prevalence * tpr + well * fpr)
            ),
            "auc": decimal(ndtr(separation / 10 / np.sqrt(2))),
            "cost": decimal(cost(score)),
            "least": decimal(least),
            "advice": advice,
            "posterior": decimal(model.posterior(score)[1]),
            "idle": decimal(idle),
            "rejecting": _said(band, with_reject, rejected) if reject else "",
            **{name: text if band else "" for name, text in _REJECTED.items()},
        },
        drawn={
            **_drawn_densities(threshold, densities),
            **_drawn_roc(score, half, best, prevalence * miss, well),
            **_drawn_costs(threshold, best, cost, _TOP * idle),
            **_drawn_band(band, half, with_reject, _TOP * idle),
            **people(groups, _GROUPS),
        },
        solves=tuple(
            _solved(threshold, separation, prevalence, miss, price, reject)
        ),
    )


def _rates(score, half):
    """Return the false- and the true-positive rate above a score."""
    return float(ndtr(-half - score)), float(ndtr(half - score))


def _best(separation, prevalence, miss):
    """Return the best threshold: at an end without one, None if all are."""
    odds = prevalence * miss / (1000 - prevalence)
    if separation:
        return -log(odds) / (separation / 10)
    return None if odds == 1 else -inf if odds > 1 else inf


def _advice(best):
    if best is None:
        return "with any threshold"
    if abs(best) == inf:
        return f"with a biopsy for {'all' if best < 0 else 'none'}"
    return f"at the threshold {signed(best, 2)}"


def _band(separation, prevalence, miss, price):
    """Return the scores between which it is best to reject, None if none."""
    if not separation:
        least = min(prevalence * miss, 1000 - prevalence)
        return (-inf, inf) if 10 * price < least else None
    if price * (miss + 1) >= 100 * miss:
        return None
    prior = log(prevalence / (1000 - prevalence))
    lowest = log(price / (100 * miss - price))
    highest = log((100 - price) / price)
    return tuple((q - prior) / (separation / 10) for q in (lowest, highest))


def _rejecting(band, half, prevalence, miss, price):
    """Return the least cost with the option, and how many are rejected."""
    if band is None:
        return 0, 0
    (fpr_low, tpr_low), (fpr, tpr) = (_rates(end, half) for end in band)
    well = 1000 - prevalence
    rejected = prevalence * (tpr_low - tpr) + well * (fpr_low - fpr)
    decided = prevalence * miss * (1 - tpr_low) + well * fpr
    return (decided + rejected * price / 100) / 1000, _whole(rejected)


def _said(band, with_reject, rejected):
    if band is None:
        return "At this price it is never best to reject."
    if band[1] == inf:
        return f"To reject all lumps costs {decimal(with_reject)}."
    low, high = (signed(end, 2) for end in band)
    return (
        f"If scores from {low} to {high} are rejected, {rejected} of the "
        f"thousand, the least cost is {decimal(with_reject)}."
    )


def _drawn_densities(threshold, densities):
    drawn = {"line": {"d": f"M{threshold} -62V{_HEIGHT}"}}
    sides = {
        "left": _GRID[threshold > _GRID],
        "right": _GRID[threshold < _GRID],
    }
    for name, up in (("malignant", 1), ("benign", -1)):
        for side, grid in sides.items():
            places = np.sort([*grid, threshold])
            density = densities[name].pdf((places - 500) / _SCORE)
            heights = _MIDDLE - up * _DENSITY * density
            line = "L".join(map(point, places, heights))
            ends = [f"{x} {_MIDDLE:g}" for x in places[[0, -1]]]
            drawn[f"{name}_{side}"] = {"d": f"M{ends[0]}L{line}L{ends[1]}Z"}
    drawn["grip"] = {"transform": f"translate({threshold} 0)"}
    return drawn


def _drawn_roc(score, half, best, ill, well):
    x, y = _in_square(score, half)
    # A line of the same cost rises by `well` where it runs by `ill`.
    far = 1500 / np.hypot(ill, well)
    ends = [
        f"{tenth(x + way * far * ill)} {tenth(y - way * far * well)}"
        for way in (-1, 1)
    ]
    drawn = {
        "roc": {"d": f"M{_LEFT} 880L{_along(5, -5, half)}L{_LEFT + 880} 0"},
        "same_cost": {"d": f"M{'L'.join(ends)}"},
        "roc_spot": {"cx": tenth(x), "cy": tenth(y)},
        "roc_best": {"cx": _LEFT, "cy": 880, "visibility": "hidden"},
    }
    if best is not None:
        cx, cy = map(tenth, _in_square(best, half))
        drawn["roc_best"] = {"cx": cx, "cy": cy, "visibility": "visible"}
    return drawn


def _drawn_costs(threshold, best, cost, top):
    def height(at):
        return _HEIGHT * (1 - min(cost(at) / top, 2))

    costs = [height((at - 500) / _SCORE) for at in _GRID]
    own = max(height((threshold - 500) / _SCORE), 0)
    is_seen = best is not None and abs(best) <= 5
    shown = best if is_seen else 0
    return {
        "costs": {"d": f"M{'L'.join(map(point, _GRID, costs))}"},
        "cost_line": {"d": f"M{threshold} -62V{_HEIGHT}"},
        "cost_spot": {"cx": threshold, "cy": tenth(own)},
        "cost_best": {
            "cx": tenth(500 + _SCORE * shown),
            "cy": tenth(max(height(shown), 0)),
            "visibility": "visible" if is_seen else "hidden",
        },
        "cost_grip": {"transform": f"translate({threshold} 0)"},
    }


def _drawn_band(band, half, with_reject, top):
    names = "band", "cost_band", "roc_band", "with_reject"
    if band is None:
        return {name: {"d": ""} for name in names}
    low, high = (min(max(end, -5), 5) for end in band)
    left, right = (tenth(500 + _SCORE * end) for end in (low, high))
    box = {"d": f"M{left} 0H{right}V{_HEIGHT}H{left}Z"}
    y = tenth(_HEIGHT * (1 - with_reject / top))
    return {
        "band": box,
        "cost_band": box,
        "roc_band": {"d": f"M{_along(high, low, half)}"},
        "with_reject": {"d": f"M0 {y}H1000"},
    }


def _along(high, low, half):
    """Return the points of the ROC curve from one threshold to another."""
    inside = [at for at in (_GRID[::-1] - 500) / _SCORE if low < at < high]
    points = (_in_square(at, half) for at in (high, *inside, low))
    return "L".join(point(*place) for place in points)


def _in_square(score, half):
    fpr, tpr = _rates(score, half)
    return _LEFT + 880 * fpr, 880 * (1 - tpr)


def _solved(threshold, separation, prevalence, miss, price, reject):
    is_example = separation == 27 and miss == 19
    if (
        is_example
        and threshold == 500
        and prevalence * miss == (1000 - prevalence)
    ):
        yield "middle"
    fpr, tpr = _rates((threshold - 500) / 100, separation / 20)
    found, alarms = prevalence * tpr, (1000 - prevalence) * fpr
    is_half = abs(found / (found + alarms) - 0.5) < 0.005
    if (threshold, separation) == (519, 27) and is_half:
        yield "precision"
    # It is best to reject for some score if the price is below this.
    limit = 100 * miss / (miss + 1)
    if reject and miss == 19 and price - 1 < limit <= price:
        yield "price"


def _whole(value):
    """Round to the nearest whole number, and a half upwards."""
    return floor(value + 0.5)
