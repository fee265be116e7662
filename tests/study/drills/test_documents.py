"""Odds of documents and steps of a fit, found again by the library."""

import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import special
from study.drills.banks import bank

from bayesbook.conjugate import DirichletCategorical, dcm_log_prob
from bayesbook.study import quiz

KINDS = ("document-odds", "fixed-point")


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def told(prompt):
    """Return the words, the balls of both classes, and the counts."""
    [head] = re.findall(r"^\| class \| (.*) \|$", prompt, re.M)
    words = head.split(" | ")
    rows = re.findall(r"^\| [a-z]+ \| ([\d| ]+) \|$", prompt, re.M)
    balls = [[int(k) for k in row.split(" | ")] for row in rows]
    assert len(balls) == 2
    [page] = re.findall(r"words “([a-z ]+)”", prompt)
    return words, balls, page.split()


def test_the_library_finds_the_same_odds():
    kinds = Counter()
    for drill in bank("document-odds"):
        words, balls, page = told(drill.prompt)
        counts = [[page.count(word) for word in words]]
        logs = [dcm_log_prob(counts, own)[0] for own in balls]
        if "By which factor" in drill.prompt:
            kind, number = "factor", page.index(page[0])
            after = [
                DirichletCategorical(own).update(counts=counts[0]).mean()
                for own in balls
            ]
            found = after[0][number] / after[1][number]
        elif "DCM" in drill.prompt:
            kind, found = "odds", np.exp(logs[0] - logs[1])
        else:
            kind = "posterior"
            shares = [np.array(own) / sum(own) for own in balls]
            logs = [np.dot(counts[0], np.log(own)) for own in shares]
            found = 1 / (1 + np.exp(logs[1] - logs[0]))
        assert float(Fraction(drill.answer)) == pytest.approx(found, abs=6e-6)
        kinds[kind] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50


def test_digamma_finds_the_same_step_and_slope():
    kinds = Counter()
    for drill in bank("fixed-point"):
        documents = re.findall(r"\((\d), (\d)\)", drill.prompt)
        X = np.array(documents, dtype=int)
        alpha = np.array(
            [
                int(re.search(rf"alpha_{k} = (\d)", drill.prompt)[1])
                for k in (1, 2)
            ]
        )
        A = (special.digamma(alpha + X) - special.digamma(alpha)).sum(axis=0)
        lengths = X.sum(axis=1)
        D = special.digamma(alpha.sum() + lengths).sum()
        D -= len(X) * special.digamma(alpha.sum())
        [asked] = re.findall(
            r"alpha_(\d)\$", drill.prompt.split("What is")[1]
        )[:1]
        m = int(asked) - 1
        slope = "slope" in drill.prompt
        found = A[m] - D if slope else alpha[m] * A[m] / D
        assert float(Fraction(drill.answer)) == pytest.approx(found, abs=6e-6)
        kinds[slope, m] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50
