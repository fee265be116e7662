"""Drills of sequences: a step of the Kalman filter, an M step of Baum-Welch.

All numbers are whole numbers or tenths, so each answer is an exact fraction.
"""

from fractions import Fraction
from functools import partial

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    by_hand,
    equals,
    hints,
    mistakes_to_tell,
    names_of,
    paragraphs,
    rounded,
    table,
)

_LEAST, _LONGEST = Fraction(1, 50), 1000
_written = partial(rounded, longest=500)

_KALMAN = """
from fractions import Fraction as F
ahead = v + V
gain = F(ahead, ahead + S)
late = F(ahead + V, ahead + V + S)
mean = m + gain * (x - m)
spread = (1 - gain) * ahead
precision = F(1, ahead) + F(1, S)
"""
_MEAN = """
    m + F(v, v + S) * (x - m) | The prediction is missing: before the
        measurement the variance has grown.
    m + (1 - gain) * (x - m) | The weights are exchanged: the gain belongs to
        the measurement.
    F(m + x, 2) | Prediction and measurement have the same weight only if
        their variances are equal.
    F(m * ahead + x * S, ahead + S) | Weight each with its precision, not with
        its variance.
"""
_SPREAD = """
    F(v * S, v + S) | The prediction is missing: the variance grows before the
        measurement.
    ahead | This is the variance before the measurement.
    ahead + S | This is the variance of the measurement given those before it.
    gain | This is the gain, the weight of the measurement.
    precision | This is the precision; the variance is its inverse.
    gain * ahead | The measurement removes this part of the variance, and the
        rest is left.
"""
_LATE = """
    gain | A step without a measurement is a prediction, too: the variance
        grows once more.
    F(v, v + S) | The level has changed since the last measurement, in each
        of two steps.
    1 - late | This is the weight of the prediction.
    F(v + V + S, v + V + S + S) | The noise of a measurement that was not made
        does not count.
"""

_SUM = "the predicted variance, divided by its sum with that of the noise"
_UPDATES = (
    f"The mean moves towards the measurement, by the gain: {_SUM}.",
    "The predicted variance is multiplied by one minus the gain, the share "
    "that the noise has in the sum of both variances.",
    f"The gain is {_SUM}.",
)


def kalman_step(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for mean, variance or gain of a step of the Kalman filter."""
    variant = seed % 3

    def draw() -> Drill | None:
        m, v = int(rng.integers(0, 12)), int(rng.integers(1, 9))
        V, S = int(rng.integers(1, 6)), int(rng.integers(1, 12))
        x = m + pick(rng, (-6, -4, -3, -2, 2, 3, 4, 6))
        if x < 1 or v == V:
            return None
        setup = f"m, v, x, V, S = {m}, {v}, {x}, {V}, {S}{_KALMAN}"
        names = names_of(setup)
        late = names["late"]
        model = (
            "A level changes from step to step by a Gaussian amount of mean "
            f"zero and variance {V}. It is measured with Gaussian noise of "
            f"mean zero and variance {S}. After the last measurement it has "
            f"the mean {m} and the variance {v}."
        )
        grown = f"**Prediction.** The variance grows to ${v} + {V} = {v + V}$."
        if variant == 2:
            asked = (
                "In the next step nothing is measured, and in the step after "
                "it there is a measurement. What is the gain of this "
                "measurement?"
            )
            answer, check, mistakes = late, "late", _LATE
            reason = rf"$$\frac{{{v + 2 * V}}}{{{v + 2 * V} + {S}}} = "
            reason += f"{equals(late, 3)}$$"
            grown = (
                "**Prediction.** The variance grows twice, to "
                f"${v} + 2 \\cdot {V} = {v + 2 * V}$."
            )
            step = f"Before the measurement the variance is {v + 2 * V}."
        else:
            asked = f"The next measurement is {x}. What is the new "
            asked += ("mean?", "variance?")[variant]
            check = ("mean", "1 / precision")[variant]
            mistakes = (_MEAN, _SPREAD)[variant]
            answer = (names["mean"], names["spread"])[variant]
            parts = (
                rf"{m} + \frac{{{v + V}}}{{{v + V + S}}} \cdot ({x} - {m})",
                rf"\frac{{{S}}}{{{v + V + S}}} \cdot {v + V}",
            )
            reason = f"$${parts[variant]} = {equals(answer, 3)}$$"
            step = f"Before the measurement the variance is {v + V}."
        if not by_hand(answer, _LEAST, _LONGEST):
            return None
        found = mistakes_to_tell(mistakes, names, answer)
        if found is None:
            return None
        return number_drill(
            "kalman-step",
            seed,
            answer,
            found,
            _written,
            paragraphs(
                grown,
                f"**Update.** {_UPDATES[variant]}\n\n{reason}",
            ),
            prompt=f"{model} {asked}",
            setup=setup,
            check=check,
            why=reason,
            why_check=(
                "ahead, gain, late, mean, spread, F(S, ahead + S)",
                "ahead + V",
                "m, v, x, V, S",
            ),
            hints=hints(
                "Predict first: what is the variance of the level just "
                "before it is measured?",
                f"{step} Together with the variance {S} of the noise this "
                "gives the gain.",
            ),
        )

    return until(draw)


_STATES = ("calm", "busy")
_SIGNS = ("silent", "loud")
_BAUM_WELCH = """
from fractions import Fraction as F
pairs = [[F(n, 10) for n in row] for row in tenths]
q = [pairs[0][0] + pairs[0][1], pairs[0][0] + pairs[0][2],
     pairs[1][0] + pairs[1][2]]
stay = pairs[0][0] + pairs[1][0]
left = q[0] + q[1]
loud = sum(p for p, sign in zip(q, signs) if sign)
other = sum(1 - p for p, sign in zip(q, signs) if sign)
"""
_STAY = """
    stay / sum(q) | The last step has no transition: divide by the expected
        number of transitions that start in this state.
    stay / 2 | This divides by the number of all transitions.
    stay | This is the expected number of transitions. Divide it by that of
        all transitions from this state.
    (pairs[0][0] / q[0] + pairs[1][0] / q[1]) / 2 | Add the counts of both
        steps first, and divide once.
    stay / (q[1] + q[2]) | Count the steps in which the transitions start, not
        those in which they end.
"""
_SHOW = """
    loud / 3 | Divide by the expected number of steps in this state, not by
        the number of all steps.
    F(sum(signs), 3) | This is the share of all steps, whatever their state.
    loud | This is the expected number. Divide it by the expected number of
        steps in this state.
    loud / (loud + other) | This is the share of the loud steps that belong to
        the state. Asked is the share of the state's steps that are loud.
    other / (3 - sum(q)) | This is the other state.
"""


def baum_welch(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a probability that an M step of Baum-Welch gives."""
    variant = seed % 2

    def draw() -> Drill | None:
        first = rng.multinomial(10, [0.25] * 4)
        stay, leave = first[0] + first[2], first[1] + first[3]
        if first.min() < 1:
            return None
        e, g = rng.integers(1, stay + 1), rng.integers(0, leave + 1)
        second = [int(n) for n in (e, stay - e, g, leave - g)]
        tenths = [[int(n) for n in first], second]
        signs = [pick(rng, (0, 1)) for _ in range(3)]
        if sum(signs) not in (1, 2):
            return None
        setup = f"tenths, signs = {tenths}, {signs}{_BAUM_WELCH}"
        names = names_of(setup)
        q = names["q"]
        if variant == 0:
            above, below, check = names["stay"], names["left"], "stay / left"
            asked = "Which probability of a transition from calm to calm"
            mistakes, look = _STAY, "How many transitions start in calm?"
        else:
            above, below, check = names["loud"], sum(q), "loud / sum(q)"
            asked = "Which probability of a loud step in the state calm"
            mistakes, look = _SHOW, "How many steps are expected in calm?"
        if not below:
            return None
        answer = above / below
        if not by_hand(answer, _LEAST, _LONGEST):
            return None
        found = mistakes_to_tell(mistakes, names, answer)
        if found is None:
            return None
        columns = [f"{j} → {k}" for j in _STATES for k in _STATES]
        rows = [
            [name, *(f"{n / 10:.1f}" for n in row)]
            for name, row in zip(
                ("first to second", "second to third"), tenths, strict=True
            )
        ]
        said = ", ".join(_SIGNS[sign] for sign in signs)
        quotient = rf"\frac{{{float(above):.1f}}}{{{float(below):.1f}}}"
        reason = f"$${quotient} = {equals(answer, 3)}$$"
        calm = ", ".join(f"{float(p):.1f}" for p in q)
        what = ("transitions from calm", "steps in calm")[variant]
        counted = f"The expected number of {what} is {float(below):.1f}."
        return number_drill(
            "baum-welch",
            seed,
            answer,
            found,
            _written,
            paragraphs(
                "**The steps.** By the rows and columns of the table the "
                f"state is calm with the probabilities {calm}.",
                f"**The counts.** {counted} Of these, {float(above):.1f} are "
                f"what is asked for:\n\n{reason}",
            ),
            prompt=paragraphs(
                "A sequence of three steps has hidden states, calm or busy. "
                f"The steps are {said}. For the present parameters the "
                "posterior probabilities of the pairs of states are:",
                table(["steps", *columns], rows),
                f"{asked} does an iteration of Baum-Welch give?",
            ),
            setup=setup,
            check=check,
            why=reason,
            why_check=("q, stay, left, loud, other, sum(q)", "pairs, signs"),
            hints=hints(
                f"Expected counts first, one quotient after it. {look}",
                f"{counted} (The state is calm with the probabilities "
                f"{calm}.) Which part of it is asked for?",
            ),
        )

    return until(draw)
