"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import product
from math import comb, exp

import numpy as np
import pytest
from scipy import special, stats
from sklearn.feature_extraction.text import CountVectorizer
from study.exercises.solving import solved_by

from bayesbook.conjugate import DirichletCategorical
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: scikit-learn, scipy, prediction, tickets --


def pairs_to_csr(documents, vocabulary):
    vectorizer = CountVectorizer(
        vocabulary=[" ".join(pair) for pair in vocabulary],
        token_pattern="[a-z]+",
        ngram_range=(2, 2),
    )
    X = vectorizer.transform(documents)
    X.sort_indices()
    return X.data.tolist(), X.indices.tolist(), X.indptr.tolist()


def multinomial_log_likelihood(counts, theta):
    """Divide the probability of the counts by the number of their orders."""
    x = [counts.get(word, 0) for word in theta]
    log_orders = (
        special.gammaln(sum(x) + 1) - special.gammaln(np.add(x, 1)).sum()
    )
    return stats.multinomial(sum(x), [*theta.values()]).logpmf(x) - log_orders


def dcm_log_probability(counts, alpha):
    """Predict one word after the other, as chapter 12 does."""
    model = DirichletCategorical(alpha)
    words = [word for word, n in counts.items() for _ in range(n)]
    return model.log_evidence(words) if words else 0.0


def urn_after(balls, uniforms):
    """Draw an old ball or a repetition of an earlier draw."""
    drawn = []
    for u in uniforms:
        rest = u * (sum(balls.values()) + len(drawn))
        for colour, weight in balls.items():
            rest -= weight + drawn.count(colour)
            if rest < 0:
                drawn.append(colour)
                break
    return {k: weight + drawn.count(k) for k, weight in balls.items()}


def fixed_point_step(documents, alpha):
    """By digamma functions of arrays."""
    X = np.array([[x.get(word, 0) for word in alpha] for x in documents])
    a, n = np.array([*alpha.values()], float), X.sum(axis=1)
    above = (special.digamma(a + X) - special.digamma(a)).sum(axis=0)
    below = special.digamma(a.sum() + n) - special.digamma(a.sum())
    return dict(zip(alpha, a * above / below.sum(), strict=True))


EXERCISES = exercises_of("text")
test_another_solution_passes = solved_by("text", globals())


def test_the_urn_and_the_log_probability_are_of_one_model():
    """Two draws from red and two blue: of all 144 pairs of uniforms in the
    middles of twelfths, each result has the share that is its probability.
    """
    after = EXERCISES["urn_after"].reference
    log_probability = EXERCISES["dcm_log_probability"].reference
    urn = {"red": 1, "blue": 2}
    grid = [F(2 * i + 1, 24) for i in range(12)]
    reds = [after(urn, pair)["red"] - 1 for pair in product(grid, repeat=2)]
    for red in range(3):
        counts = {"red": red, "blue": 2 - red}
        probability = comb(2, red) * exp(log_probability(counts, urn))
        assert reds.count(red) == pytest.approx(144 * probability)
