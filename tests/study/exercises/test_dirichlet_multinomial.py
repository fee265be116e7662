"""The exercises of the chapter can be solved, and in another way."""

from collections import Counter
from fractions import Fraction as F
from itertools import product
from math import log

import pytest
from scipy.stats import gmean
from sklearn.feature_extraction.text import CountVectorizer
from study.exercises.solving import solved_by

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import DirichletCategorical
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: other libraries, enumeration, dynamics ----


def bag_of_words(text, vocabulary, stop_words):
    """With scikit-learn's own splitting and counting."""
    analyse = CountVectorizer(token_pattern="[a-z]+").build_analyzer()
    known = Counter(analyse(text))
    counts = {word: known[word] for word in vocabulary if word != "unk"}
    dropped = sum(known[word] for word in stop_words)
    unknown = known.total() - dropped - sum(counts.values())
    return counts | {"unk": unknown}


def next_probabilities(alpha, counts):
    """As a weighted mean of the prior mean and the relative frequencies."""
    strength, n = sum(alpha.values()), sum(counts.values())
    weight = n / (strength + n)
    return {
        key: (1 - weight) * a / strength + weight * counts.get(key, 0) / n
        for key, a in alpha.items()
    }


def has_one_map(alpha, counts):
    """Ask the library, which refuses to give a mode that does not exist."""
    try:
        DirichletCategorical(alpha).update(counts=counts).mode()
    except ProbabilityError:
        return False
    return True


def sequence_probability(balls, draws, added):
    """From the counts: quotients of powers that rise in steps."""
    top, bottom = F(1), F(1)
    for k, b in enumerate(balls):
        for i in range(draws.count(k)):
            top *= b + i * added
    for i in range(len(draws)):
        bottom *= sum(balls) + i * added
    return top / bottom


def different(K, alpha, N):
    """By the distribution of the number of different ones, draw after draw."""
    distribution = {0: F(1)}
    for n in range(N):
        following = Counter()
        for d, p in distribution.items():
            new = F(alpha) * (K - d) / (F(alpha) * K + n)
            following[d + 1] += p * new
            following[d] += p * (1 - new)
        distribution = following
    return sum(d * p for d, p in distribution.items())


def perplexity(alpha, counts, coming):
    """By the inverse of a geometric mean, word by word."""
    family = DirichletCategorical(alpha).update(counts=counts)
    p = dict(zip(family.categories, family.mean(), strict=True))
    one_by_one = [p[word] for word in Counter(coming).elements()]
    return 1 / gmean(one_by_one)


EXERCISES = exercises_of("dirichlet_multinomial")
test_another_solution_passes = solved_by("dirichlet_multinomial", globals())


def test_sequences_of_an_urn_have_probabilities_that_sum_to_one():
    reference = EXERCISES["sequence_probability"].reference
    for alpha in ([1, 1, 1], [F(1, 2), 3]):
        sequences = product(range(len(alpha)), repeat=4)
        assert sum(reference(alpha, list(s), 2) for s in sequences) == 1


def test_only_the_ratio_of_balls_and_added_ones_counts():
    reference = EXERCISES["sequence_probability"].reference
    draws = [0, 2, 0, 1, 0]
    by_urn = reference([4, 2, 6], draws, 2)
    assert by_urn == reference([2, 1, 3], draws, 1)
    log_p = DirichletCategorical([2, 1, 3]).log_evidence(draws)
    assert log_p == pytest.approx(log(by_urn))


def test_the_expected_number_of_categories_by_enumeration():
    alpha, K, N = F(1, 2), 3, 5
    urn = EXERCISES["sequence_probability"].reference
    expected = sum(
        urn([alpha] * K, list(draws), 1) * len(set(draws))
        for draws in product(range(K), repeat=N)
    )
    assert EXERCISES["different"].reference(K, alpha, N) == expected


def test_a_uniform_prediction_has_the_number_of_words_as_perplexity():
    reference = EXERCISES["perplexity"].reference
    alpha = dict.fromkeys("abcdefg", 3.0)
    assert reference(alpha, {}, {"a": 2, "f": 5}) == pytest.approx(7)
