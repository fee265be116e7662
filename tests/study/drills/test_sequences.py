"""Drills of sequences, found again from the text of their questions."""

import re
from collections import Counter
from fractions import Fraction as F

import pytest
from study.drills.banks import bank

from bayesbook.sequences import KalmanFilter
from bayesbook.study import quiz

NONE = float("nan")


@pytest.mark.parametrize("kind", ["kalman-step", "baum-welch"])
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def test_the_filter_gives_the_same_answers():
    kinds = Counter()
    for drill in bank("kalman-step"):
        numbers = [float(n) for n in re.findall(r"\d+", drill.prompt)]
        (V, S, m, v), rest = numbers[:4], numbers[4:]
        level = KalmanFilter(1, V, 1, S, mean=m, cov=v + V)
        if "gain" in drill.prompt:
            kind = "gain"
            later = level.filter([NONE, 0.0])
            found = later.cov[1, 0, 0] / S
        else:
            later = level.filter(rest)
            kind = "mean" if "new mean" in drill.prompt else "variance"
            found = (later.mean[0, 0], later.cov[0, 0, 0])[kind != "mean"]
        kinds[kind] += 1
        assert float(F(drill.answer)) == pytest.approx(found, abs=1e-5)
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50


def test_counting_paths_gives_the_same_answers():
    kinds = Counter()
    for drill in bank("baum-welch"):
        rows = re.findall(
            r"^\| \w+ to \w+ \|" + r" (\d\.\d) \|" * 4, drill.prompt, re.M
        )
        first, second = ([F(n) for n in row] for row in rows)
        [signs] = re.findall(r"The steps are ([a-z, ]+)\.", drill.prompt)
        signs = signs.split(", ")
        counted, base = F(0), F(0)
        # Whole paths: the third state given the second, as in the table.
        for path in range(8):
            i, j, k = path >> 2 & 1, path >> 1 & 1, path & 1
            into = first[j] + first[2 + j]
            if not into:
                continue
            p = first[2 * i + j] * second[2 * j + k] / into
            if "transition" in drill.prompt:
                base += p * ((i == 0) + (j == 0))
                counted += p * ((i == j == 0) + (j == k == 0))
            else:
                calm = [state == 0 for state in (i, j, k)]
                base += p * sum(calm)
                heard = zip(calm, signs, strict=True)
                counted += p * sum(c for c, sign in heard if sign == "loud")
        kinds["transition" in drill.prompt] += 1
        assert float(F(drill.answer)) == pytest.approx(
            float(counted / base), abs=1e-5
        )
    assert min(kinds.values()) >= 50
