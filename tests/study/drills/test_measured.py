"""Two lists and measured features, found again by the library and by scipy."""

import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from study.drills.banks import bank

from bayesbook.naive_bayes import CategoricalNB
from bayesbook.study import quiz

KINDS = ("pooled-counts", "measured-odds")


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def lines_of(prompt):
    """Return the rows of the table in a prompt, as lists of integers."""
    found = re.findall(r"^\| [\w ]+ \| ([\d |]+) \|$", prompt, re.M)
    rows = [[int(n) for n in line.split(" | ")] for line in found]
    assert len(rows) == 2
    return rows


def rows_of(counts, states):
    """Return a column of states and the classes of rows with such counts."""
    total, size, hits, *missing = counts
    gone = sum(missing)
    column = ["s"] * hits + [None] * gone
    column += ["other 0"] * (size - hits - gone)
    labels = ["in"] * size + ["out 0"] * (total - size)
    return [*column, *["other 0"] * (total - size)], labels


def test_the_library_learns_the_same_from_two_lists():
    kinds = Counter()
    for drill in bank("pooled-counts"):
        [classes] = map(int, re.findall(r"(\d) classes", drill.prompt))
        [states] = map(int, re.findall(r"(\d) states", drill.prompt))
        names = ["in", *(f"out {i}" for i in range(classes - 1))]
        model = CategoricalNB(
            missing="marginalise", alpha=1, min_categories=states
        )
        codes = {"s": 0.0, "other 0": 1.0, None: np.nan}
        lists = lines_of(drill.prompt)
        for counts in lists:  # as they arrive
            column, labels = rows_of(counts, states)
            X = np.array([[codes[value]] for value in column])
            model.partial_fit(X, labels, classes=names)
        at = list(model.classes_).index("in")
        prior = "prior probability" in drill.prompt
        found = (
            model.class_log_prior_[at]
            if prior
            else model.feature_log_prob_[0][at, 0]
        )
        answer = float(Fraction(drill.answer))
        assert answer == pytest.approx(np.exp(found), abs=6e-6)
        kinds[prior, len(lists[0]) == 4] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50


def log_odds(lines, x):
    """Return the difference of two Gaussian log-densities."""
    (one, other), x = np.array(lines, float), np.array(x, float)
    logs = [
        stats.norm.logpdf(x, of[0::2], of[1::2]).sum() for of in (one, other)
    ]
    return logs[0] - logs[1]


def test_scipy_finds_the_same_log_odds():
    kinds = Counter()
    for drill in bank("measured-odds"):
        lines = lines_of(drill.prompt)
        question = drill.prompt.split("\n\n")[-1]
        numbers = [int(n) for n in re.findall(r"\d+", question)]
        changes = "By how much" in question
        if changes:
            later, earlier = numbers
            found = log_odds(lines, [later]) - log_odds(lines, [earlier])
        else:
            found = log_odds(lines, numbers)
        answer = float(Fraction(drill.answer))
        assert answer == pytest.approx(found, abs=6e-6)
        equal = [line[1::2] for line in lines]
        assert (equal[0] == equal[1]) != changes
        kinds[changes, len(lines[0])] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50
