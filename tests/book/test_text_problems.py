"""The solved problems of *Text*, recomputed.

By exact fractions, by urns drawn ball by ball, by scipy's laws, and by search.
That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from fractions import Fraction as F
from itertools import product
from math import e, log2, prod

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.metrics import mutual_info_score
from solved_problems import problems_of
from tex_values import value

exercise, solution = problems_of("naive_bayes/text")


def tells(text, names, formulas):
    """Assert that a text has formulas, in order, with these values."""
    text, place = " ".join(text.split()), 0
    for formula, worth in formulas:
        place = text.find(formula, place)
        assert place >= 0, formula
        place += len(formula)
        assert float(value(formula, names)) == pytest.approx(float(worth))


def urn(balls, sequence):
    """Draw a sequence of colours, one ball at a time."""
    balls, probability = [F(b) for b in balls], F(1)
    for colour in sequence:
        probability *= balls[colour] / sum(balls)
        balls[colour] += 1
    return probability


def posterior(odds):
    return odds / (1 + odds)


# --- Which model, which verdict? ------------------------------------------

YES, NO = 0, 1
THETA = {"A": [F(2, 3), F(1, 3)], "B": [F(1, 3), F(2, 3)]}
ALPHA = {"A": [2, 1], "B": [1, 2]}
PRESENT = {"A": [F(3, 4), F(1, 4)], "B": [F(1, 4), F(3, 4)]}


def verdict_odds(document):
    """Give the odds of A in the Bernoulli, multinomial and DCM model."""

    def bernoulli(p):
        return prod(q if w in document else 1 - q for w, q in enumerate(p))

    return (
        bernoulli(PRESENT["A"]) / bernoulli(PRESENT["B"]),
        prod(THETA["A"][w] / THETA["B"][w] for w in document),
        urn(ALPHA["A"], document) / urn(ALPHA["B"], document),
    )


def test_verdicts():
    odds = verdict_odds([YES] * 4)
    assert odds == (9, 16, 5)
    assert [*map(posterior, odds)] == [F(9, 10), F(16, 17), F(5, 6)]
    odds = verdict_odds([YES, YES, YES, NO])
    assert odds == (1, 4, 2)
    assert [*map(posterior, odds)] == [F(1, 2), F(4, 5), F(2, 3)]


@pytest.mark.parametrize("r", [1, 2, 7, 30])
def test_verdicts_after_many_repetitions(r):
    assert verdict_odds([YES] * r) == (9, 2**r, r + 1)
    # The first factors and the last, of which all but two cancel.
    odds = [F(2 + i, 1 + i) for i in range(r)]
    assert (odds[0], odds[-1], prod(odds)) == (2, F(r + 1, r), r + 1)


# --- Poisson and multinomial ----------------------------------------------


@pytest.mark.parametrize("counts", [(2, 0, 1), (1, 1, 1), (0, 0, 4)])
def test_poisson_given_the_sum_is_multinomial(counts):
    theta, rate, n = np.array([0.5, 0.3, 0.2]), 3.7, sum(counts)
    joint = stats.poisson(rate * theta).pmf(counts).prod()
    all_of_length_n = sum(
        stats.poisson(rate * theta).pmf(other).prod()
        for other in product(range(n + 1), repeat=3)
        if sum(other) == n
    )
    assert all_of_length_n == pytest.approx(stats.poisson(rate).pmf(n))
    multinomial = stats.multinomial(n, theta).pmf(counts)
    assert joint / all_of_length_n == pytest.approx(multinomial)


def test_poisson_lengths_tell():
    odds = stats.poisson(2).pmf(3) / stats.poisson(4).pmf(3)
    assert odds == pytest.approx(e**2 / 8)
    assert f"{odds:.3f}" == "0.924"
    assert f"{posterior(odds):.3f}" == "0.480"


# --- Coming again ---------------------------------------------------------


@pytest.mark.parametrize(("alpha", "others"), [(1, 2), (F(1, 2), 3), (4, 4)])
def test_again_is_the_same_correlation_for_every_word(alpha, others):
    total = alpha + others
    law = {s: urn([alpha, others], s) for s in product((0, 1), repeat=4)}
    mu = F(alpha) / total
    for i, j in [(0, 1), (0, 3), (2, 3)]:
        both = sum(p for s, p in law.items() if s[i] == s[j] == 0)
        assert both == mu * (total * mu + 1) / (total + 1)
        assert (both - mu**2) / (mu * (1 - mu)) == 1 / F(total + 1)
    names = {r"\mu": mu, r"\alpha_0": total}
    after_one = both / mu
    twice = r"\mu \frac{\alpha_0 \mu + 1}{\alpha_0 + 1}"
    tells(exercise("exr-text-again"), names, [(twice, both)])
    tells(
        solution("exr-text-again"),
        names,
        [
            (r"\frac{\alpha_0 \mu + 1}{\alpha_0 + 1}", after_one),
            (rf"{twice} - \mu^2", both - mu**2),
            (r"\frac{\mu (1 - \mu)}{\alpha_0 + 1}", both - mu**2),
            (r"\mu (1 - \mu)", mu * (1 - mu)),
            (r"\frac{1}{\alpha_0 + 1}", (both - mu**2) / (mu * (1 - mu))),
            (r"\frac{\alpha_0 \mu + 1}{\alpha_0 + 1}", after_one),
        ],
    )


def test_again():
    mu, pairs = F(1, 1000), F(1, 50_000)
    # Linear in a: mu (a mu + 1) = pairs (a + 1).
    a = (mu - pairs) / (pairs - mu**2)
    assert mu * (a * mu + 1) / (a + 1) == pairs
    assert a == F(980, 19)
    sequence = [0, 0] + [1] * 8
    balls = [a * mu, a * (1 - mu)]
    following = urn(balls, [*sequence, 0]) / urn(balls, sequence)
    assert following == F(1949, 58500)
    assert round(1 / following) == 30


# --- When the urn runs away -----------------------------------------------


def likelihood(a, k):
    same = 2 * urn([a, a], [0, 0]) * urn([a, a], [1, 1])
    return same * urn([a, a], [0, 1]) ** k


def test_the_urn_has_a_maximum_at_one():
    at = {F(n, 20): likelihood(F(n, 20), 1) for n in range(1, 100)}
    assert max(at, key=at.get) == 1


@pytest.mark.parametrize("k", [2, 3, 6])
def test_the_urn_runs_away(k):
    values = [likelihood(F(a), k) for a in (1, 2, 5, 20, 1000, 10**6)]
    assert values == sorted(set(values))


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("a", [0.3, 1.0, 4.0])
def test_the_derivative_of_the_urn(a, k):
    slope = optimize.approx_fprime(
        [a], lambda v: np.log(float(likelihood(F(float(v[0])), k))), 1e-7
    )[0]
    claimed = ((k - 2) * a + k) / (a * (a + 1) * (2 * a + 1))
    assert slope == pytest.approx(claimed, abs=1e-4)
    exact = F(str(a))
    tells(
        solution("exr-text-limit"),
        {"a": exact, "k": k},
        [
            (r"\frac{a (a+1)}{2a (2a+1)}", urn([exact] * 2, [0, 0])),
            (r"\frac{a + 1}{2 (2a + 1)}", urn([exact] * 2, [1, 1])),
            (r"\frac{a}{2 (2a + 1)}", urn([exact] * 2, [0, 1])),
            (
                r"\frac{2}{a+1} + \frac{k}{a} - \frac{2 (k + 2)}{2a + 1}",
                claimed,
            ),
            (r"a (a + 1) (2a + 1)", a * (a + 1) * (2 * a + 1)),
            (r"(k - 2) \, a + k", claimed * a * (a + 1) * (2 * a + 1)),
        ],
    )


# --- One word, one bit ----------------------------------------------------


def bits(first, second, n=100):
    """Count pages and let scikit-learn compute, in bits."""
    pages = [("a", i < first * n) for i in range(n)]
    pages += [("b", i < second * n) for i in range(n)]
    labels, present = zip(*pages, strict=True)
    return mutual_info_score(labels, present) / np.log(2)


def h(q):
    return -sum(p * log2(p) for p in (q, 1 - q) if p > 0)


@pytest.mark.parametrize("p", [F(1, 4), F(1, 2), F(9, 10), F(1)])
def test_the_bits_of_a_word_of_one_class(p):
    assert bits(p, 0) == pytest.approx(h(p / 2) - h(p) / 2)


def test_bits():
    assert bits(1, 0) == pytest.approx(1)
    assert f"{bits(F(1, 2), 0):.3f}" == "0.311"
    other = bits(F(9, 10), F(7, 10))
    assert f"{other:.3f}" == "0.047"
    assert other < bits(F(1, 2), 0) / 6
