"""What a positive result means, for every disease and every test."""

from __future__ import annotations

from fractions import Fraction as F

from bayesbook.base import ZeroProbabilityError
from bayesbook.probability import bayes_rule as posterior_of
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    grip,
    part,
    people,
)

# The square and the people fall into these four groups.
_GROUPS = ("hits", "misses", "false_alarms", "rejections")
_LOOKS = dict(
    zip(
        _GROUPS,
        ("1 positive", "1 negative", "2 positive", "2 negative"),
        strict=True,
    )
)


def bayes_rule(
    prevalence: int = 10, sensitivity: int = 900, specificity: int = 900
) -> Explorable:
    """Show what a positive result means, for a reader to move.

    Parameters
    ----------
    prevalence, sensitivity, specificity : int
        At the start, in thousandths: the share of the ill among all, of
        positive results among the ill, and of negative ones among the well.

    Returns
    -------
    Explorable
        A unit square, a thousand people, and the posterior against the
        prevalence.

    Raises
    ------
    ValueError
        If a value is not a whole number from 0 to 1000.

    Examples
    --------
    >>> bayes_rule()
    What does a positive result mean?
      prevalence, P[ill]: 0.010
      sensitivity, P[+ | ill]: 0.900
      specificity, P[− | well]: 0.900
      Of a thousand people 10 are ill. About 108 of the thousand have a \
positive result, and about 9 of these are ill.
      P[ill | +] = 0.083, P[ill | −] = 0.001.
    """
    given = (
        ("prevalence", "prevalence, P[ill]", prevalence),
        ("sensitivity", "sensitivity, P[+ | ill]", sensitivity),
        ("specificity", "specificity, P[− | well]", specificity),
    )
    for name, _, value in given:
        if type(value) is not int or not 0 <= value <= 1000:
            raise ValueError(
                f"{name}={value!r} is not a whole number of thousandths: "
                "give one from 0 to 1000."
            )
    return Explorable(
        "bayes-rule",
        "What does a positive result mean?",
        tuple(Control(name, text, value, 1000) for name, text, value in given),
        panels=(
            (_square(), "Unit square", _SQUARE),
            (_people(), "A thousand people", _PEOPLE),
            (_curve(), "Posterior against prevalence", _CURVE),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
    )


_WORDS = """\
Of a thousand people {ill} are ill. About {called} of the thousand have a \
positive result, and about {hits} of these are ill.
P[ill | +] = {posterior}, P[ill | −] = {negative}."""
_SQUARE = (
    "The ill on the left, the well on the right; a positive result in strong "
    "colours. Areas are joint probabilities."
)
_PEOPLE = (
    "Squares are ill, circles well; those with a positive result are large."
)
_CURVE = (
    "Upwards: the posterior after a positive result. To the right: the "
    "prevalence. On the dashed line the two are equal."
)
_TASKS = {
    "half": "Leave the test as it is, right for nine in ten of the ill and of "
    "the well. For which prevalence is the posterior after a positive result "
    "exactly one half?",
    "rare": "One person in a hundred is ill. Which of the two numbers of the "
    "test do you have to raise to make the posterior after a positive result "
    "larger than one half?",
    "nothing": "Find a test that is sometimes positive, and whose positive "
    "result says nothing: the posterior is equal to the prevalence.",
}


def _square():
    boxes = "".join(
        part("rect", name, class_=f"explore-area explore-{look}")
        for name, look in _LOOKS.items()
    )
    handles = (
        grip("grip_prevalence", "prevalence", "right", "translate(0 -70)")
        + grip("grip_sensitivity", "sensitivity", "up", "translate(-70 0)")
        + grip("grip_specificity", "specificity", "down", "translate(70 0)")
    )
    return f"{boxes}{_FRAME}{handles}"


def _people():
    return "".join(
        part("path", f"people_{name}", class_=f"explore-people explore-{look}")
        for name, look in _LOOKS.items()
    )


def _curve():
    dot = '<circle class="explore-reach" r="120"/><circle r="32"/>'
    return (
        f"{_FRAME}"
        '<path class="explore-frame explore-dashed" d="M0 1000L1000 0"/>'
        + part("path", "curve", class_="explore-curve")
        + part(
            "g",
            "point",
            dot,
            class_="explore-grip",
            data_moves="prevalence right",
        )
    )


_FRAME = '<path class="explore-frame" d="M0 0H1000V1000H0Z"/>'


def view(prevalence: int, sensitivity: int, specificity: int) -> View:
    """Return what is written and drawn for a disease and a test.

    Parameters
    ----------
    prevalence, sensitivity, specificity : int
        In thousandths.

    Returns
    -------
    View

    Examples
    --------
    >>> view(100, 900, 900).written["posterior"]
    '0.500'
    """
    prior = {"ill": F(prevalence, 1000), "well": F(1000 - prevalence, 1000)}
    positive = {
        "ill": F(sensitivity, 1000),
        "well": F(1000 - specificity, 1000),
    }
    negative = {state: 1 - p for state, p in positive.items()}
    after = _posterior(prior, positive)
    joint = {state: prior[state] * positive[state] for state in prior}
    hits, alarms = (_whole(1000 * p) for p in joint.values())
    well = 1000 - prevalence
    groups = (hits, prevalence - hits, alarms, well - alarms)
    up = 1000 - sensitivity
    return View(
        written={
            "prevalence": _decimal(prior["ill"]),
            "sensitivity": _decimal(positive["ill"]),
            "specificity": _decimal(negative["well"]),
            "ill": str(prevalence),
            "called": str(hits + alarms),
            "hits": str(hits),
            "posterior": _decimal(after),
            "negative": _decimal(_posterior(prior, negative)),
        },
        drawn={
            "hits": _box(0, up, prevalence, sensitivity),
            "misses": _box(0, 0, prevalence, up),
            "false_alarms": _box(
                prevalence, specificity, well, 1000 - specificity
            ),
            "rejections": _box(prevalence, 0, well, specificity),
            "grip_prevalence": {"transform": f"translate({prevalence} 0)"},
            "grip_sensitivity": {"transform": f"translate(0 {up})"},
            "grip_specificity": {
                "transform": f"translate(1000 {specificity})"
            },
            **people(groups, _GROUPS),
            "curve": {"d": _curve_of(positive)},
            "point": {
                "transform": f"translate({prevalence} {_height(after):.10g})",
                "visibility": "hidden" if after is None else "visible",
            },
        },
        solves=tuple(_solved(prior["ill"], positive, after)),
    )


def _posterior(prior, likelihood):
    """Return the posterior of the ill, None where it is not defined."""
    try:
        return posterior_of(prior, likelihood)["ill"]
    except ZeroProbabilityError:
        return None


def _solved(prior, positive, after):
    if after == F(1, 2) and positive == {"ill": F(9, 10), "well": F(1, 10)}:
        yield "half"
    if after is not None and after > F(1, 2) and prior == F(1, 100):
        yield "rare"
    if after == prior and 0 < prior < 1:
        yield "nothing"


def _decimal(value):
    """Write a probability with three decimals."""
    return "not defined" if value is None else decimal(value)


def _whole(value):
    """Round to the nearest whole number, and a half upwards."""
    return int(value + F(1, 2))


def _box(x, y, width, height):
    return {"x": x, "y": y, "width": width, "height": height}


def _height(posterior):
    return 500 if posterior is None else round(1000 * float(1 - posterior), 1)


def _curve_of(positive):
    """Draw the posterior for every prevalence for which it is defined."""
    points = []
    for percent in range(101):
        hits = percent * positive["ill"]
        called = hits + (100 - percent) * positive["well"]
        if called:
            points.append(f"{10 * percent} {_height(hits / called):.10g}")
    return f"M{'L'.join(points)}" if points else ""
