"""Chains are in balance, and precision is that of all their draws."""

import re
from fractions import Fraction as F

import pytest
from study.drills.banks import bank
from tex_values import value

from bayesbook.study import quiz

STEPS = {  # where a prompt has its numbers, in this order
    "accept": r"= (\d+)\$ and .* (\d+)\$\. .*\$(\S+)\$, .*\$(\S+)\$\. With",
    "entry": r"= (\d+)\$ and .* (\d+)\$\. .*\$(\S+)\$, .*\$(\S+)\$\. What",
    "stay": r"weights (\d+), (\d+) and (\d+)\.",
}
DRAWS = {
    "share": r"bility ([\d.]+), .*bility ([\d.]+)\. What is the stationary",
    "time": r"bility ([\d.]+), .*bility ([\d.]+)\. What is the autocorr",
    "size": r"= ([\d.]+)\^t\$.* of (\d+) draws",
    "error": r"(\d+) draws .* deviation (\d+), .*= (\d+)\$",
    "weights": r"weights (\d), (\d), (\d) and (\d)\.",
}


def told(drill, models):
    """Return which model a prompt is of, and its numbers."""
    [(model, found)] = [
        (model, found)
        for model, pattern in models.items()
        if (found := re.search(pattern, drill.prompt))
    ]
    return model, [
        F(value(n, {})).limit_denominator(1000) if "\\" in n else F(n)
        for n in found.groups()
    ]


@pytest.mark.parametrize("kind", ["metropolis-step", "dependent-draws"])
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def test_a_step_of_metropolis_is_in_balance():
    seen = set()
    for drill in bank("metropolis-step"):
        model, numbers = told(drill, STEPS)
        seen.add(model)
        answer = F(drill.answer)
        if model == "stay":
            left, middle, right = numbers
            # The flows to both neighbours are as large as those back.
            flows = sum(min(w, middle) / 2 for w in (left, right))
            assert answer * middle == pytest.approx(
                float(middle - flows), abs=2e-3 * float(middle)
            )
        else:
            w_i, w_j, there, back = numbers
            entry = answer * there if model == "accept" else answer
            assert entry * w_i == pytest.approx(float(w_j * back), rel=2e-3)
            assert entry < there  # some are rejected
    assert seen == set(STEPS)


def test_precision_is_that_of_all_draws():
    seen = set()
    for drill in bank("dependent-draws"):
        model, numbers = told(drill, DRAWS)
        seen.add(model)
        answer = F(drill.answer)
        if model == "share":
            a, b = numbers
            assert answer * a == pytest.approx(float((1 - answer) * b), 2e-3)
        elif model == "time":
            a, b = numbers
            lags = sum(float(1 - a - b) ** t for t in range(1, 500))
            assert float(answer) == pytest.approx(1 + 2 * lags, rel=2e-3)
        elif model == "size":
            r, n = numbers
            lags = sum(float(r) ** t for t in range(1, 500))
            assert float(answer) == pytest.approx(float(n) / (1 + 2 * lags))
        elif model == "error":
            n, s, tau = numbers
            found = float(answer**2 * n)
            assert found == pytest.approx(float(s**2 * tau), rel=2e-3)
        else:
            shares = [w / sum(numbers) for w in numbers]
            found = float(1 / sum(share**2 for share in shares))
            assert float(answer) == pytest.approx(found, rel=2e-3)
    assert seen == set(DRAWS)
