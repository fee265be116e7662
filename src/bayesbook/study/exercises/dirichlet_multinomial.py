"""The coding exercises of the chapter *The Dirichlet-multinomial model*."""

import re
from fractions import Fraction as F
from math import factorial, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- bag_of_words(text, vocabulary, stop_words) ---------------------------

_SHEEP = ["sheep", "wool", "black", "unk"]
_SEA = ["sea", "shells", "shore", "unk"]
_LITTLE = {"the", "by", "a"}
_BAA = "Baa, baa, black sheep, have you any wool? Yes sir, yes sir!"
_SELLS = "She sells sea shells by the sea shore; the shells she sells..."


def _words(text):
    return re.findall("[a-z]+", text.lower())


def _counted(words, vocabulary):
    counts = dict.fromkeys(vocabulary, 0)
    for word in words:
        counts[word if word in counts else "unk"] += 1
    return counts


def _bag_of_words(text, vocabulary, stop_words):
    kept = [word for word in _words(text) if word not in stop_words]
    return _counted(kept, vocabulary)


def _once_each(text, vocabulary, stop_words):
    """Drop only the first occurrence of every stop word."""
    kept = _words(text)
    for word in stop_words & set(kept):
        kept.remove(word)
    return _counted(kept, vocabulary)


bag_of_words = Exercise(
    reference=_bag_of_words,
    cases=(
        (_BAA, _SHEEP, {"have", "you", "any"}),
        (_SELLS, _SEA, _LITTLE),
        ("The sea! The Sea? THE SEA.", _SEA, _LITTLE),
        ("sheep sheep sheep a wool a black a sheep", _SHEEP, _LITTLE),
        ("red black-red red", _SHEEP, set()),
        ("", _SHEEP, _LITTLE),
        ("the shells by the shore by the sea", _SEA, _LITTLE),
    ),
    mistakes={
        "Stop words should be dropped; here they are counted as unknown.": (
            lambda text, vocabulary, stop_words: _counted(
                _words(text), vocabulary
            )
        ),
        "Every occurrence of a stop word should be dropped, not only the "
        "first one.": _once_each,
        "Words outside the vocabulary should be counted as unk, not "
        "forgotten.": lambda text, vocabulary, stop_words: (
            _bag_of_words(text, vocabulary, stop_words) | {"unk": 0}
        ),
        "This counts each word at most once, however often it occurs.": (
            lambda text, vocabulary, stop_words: _bag_of_words(
                " ".join(dict.fromkeys(_words(text))), vocabulary, stop_words
            )
        ),
        "Capitals should make no difference.": (
            lambda text, vocabulary, stop_words: _counted(
                [
                    word
                    for word in re.findall("[A-Za-z]+", text)
                    if word not in stop_words
                ],
                vocabulary,
            )
        ),
        "Split at everything that is not a letter, not only at spaces.": (
            lambda text, vocabulary, stop_words: _counted(
                [w for w in text.lower().split() if w not in stop_words],
                vocabulary,
            )
        ),
    },
)

# -- next_probabilities(alpha, counts) ------------------------------------

_THROWS = {"rock": F(4), "paper": F(4), "scissors": F(4)}
_HALVES = {"rock": F(1, 2), "paper": F(1, 2), "scissors": F(1, 2)}
_UNEVEN = {"red": F(6), "green": F(3), "blue": F(1)}
_WORDS = {"a": 0.2, "b": 0.7, "c": 0.4, "d": 0.1}


def _shares(weights):
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def _added(alpha, counts):
    return {key: a + counts.get(key, 0) for key, a in alpha.items()}


def _next_probabilities(alpha, counts):
    return _shares(_added(alpha, counts))


def _over(denominator):
    """Divide pseudo-counts plus counts by a given total."""
    return lambda alpha, counts: {
        key: weight / denominator(alpha, counts)
        for key, weight in _added(alpha, counts).items()
    }


next_probabilities = Exercise(
    reference=_next_probabilities,
    cases=(
        (_THROWS, {"rock": 7, "paper": 4, "scissors": 1}),
        (_HALVES, {"rock": 7, "paper": 4}),
        (_UNEVEN, {"green": 5}),
        (_UNEVEN, {"blue": 2, "red": 11}),
        (_WORDS, {"d": 3, "b": 1}),
        ({"heads": F(7, 2), "tails": F(3, 2)}, {"tails": 9}),
    ),
    mistakes={
        "This is the relative frequency; the pseudo-counts are missing.": (
            lambda alpha, counts: _shares(
                {key: F(counts.get(key, 0)) for key in alpha}
            )
        ),
        "This is the prior mean; the counts are missing.": (
            lambda alpha, counts: _shares(alpha)
        ),
        "The denominator has the sum of the pseudo-counts, not the number "
        "of categories.": _over(
            lambda alpha, counts: len(alpha) + F(sum(counts.values()))
        ),
        "The pseudo-counts belong in the denominator too.": _over(
            lambda alpha, counts: F(sum(counts.values()))
        ),
        "This is the formula of the mode. The next observation is predicted "
        "by the mean.": lambda alpha, counts: _shares(
            {key: w - 1 for key, w in _added(alpha, counts).items()}
        ),
        "This adds one to every count, whatever alpha is.": (
            lambda alpha, counts: _shares(
                {key: F(1 + counts.get(key, 0)) for key in alpha}
            )
        ),
        "Categories that were not seen are missing: they have a probability "
        "too.": lambda alpha, counts: {
            key: p
            for key, p in _next_probabilities(alpha, counts).items()
            if key in counts
        },
    },
)

# -- has_one_map(alpha, counts) -------------------------------------------


def _excess(alpha, counts):
    return [a + n - 1 for a, n in zip(alpha, counts, strict=True)]


def _has_one_map(alpha, counts):
    c = _excess(alpha, counts)
    return min(c) >= 0 and max(c) > 0


has_one_map = Exercise(
    reference=_has_one_map,
    cases=(
        ([F(4), F(4), F(4)], [7, 4, 1]),
        ([F(1, 2), F(1, 2), F(1, 2)], [7, 4, 0]),
        ([F(1, 2), F(1, 2), F(1, 2)], [7, 4, 1]),
        ([F(1), F(1), F(1)], [7, 4, 0]),
        ([F(1), F(1), F(1)], [0, 0, 0]),
        ([F(1), F(1), F(1)], [0, 0, 5]),
        ([F(3), F(2), F(1, 2)], [0, 0, 0]),
        ([F(3), F(2), F(1)], [0, 0, 0]),
        ([F(1, 10), F(5)], [1, 0]),
        ([F(1, 10), F(5)], [0, 9]),
        ([F(2), F(1, 2), F(1, 2)], [0, 0, 0]),
        ([F(1), F(1)], [0, 1]),
    ),
    mistakes={
        "This looks at the prior alone; add the counts first.": (
            lambda alpha, counts: _has_one_map(alpha, [0] * len(counts))
        ),
        "A flat density has infinitely many highest points, not one.": (
            lambda alpha, counts: min(_excess(alpha, counts)) >= 0
        ),
        "A highest point on a side is one too: a pseudo-count plus count of "
        "exactly 1 is enough.": lambda alpha, counts: (
            min(_excess(alpha, counts)) > 0
        ),
        "One category with a negative exponent is enough to make the density "
        "infinite, even if the sum of the exponents is positive.": (
            lambda alpha, counts: sum(_excess(alpha, counts)) > 0
        ),
        "The formula gives numbers always, but they are not always a MAP.": (
            lambda alpha, counts: True
        ),
        "A count of zero is no obstacle if its pseudo-count is 1 or more.": (
            lambda alpha, counts: min(counts) > 0
        ),
    },
)

# -- sequence_probability(balls, draws, added) ----------------------------


def _played(balls, draws, added):
    """Draw from the urn, and add balls of the drawn colour each time."""
    balls, probability = [F(b) for b in balls], F(1)
    for k in draws:
        probability *= balls[k] / sum(balls)
        balls[k] += added
    return probability


def _counts(balls, draws):
    return [draws.count(k) for k in range(len(balls))]


def _orders(balls, draws):
    each = prod(map(factorial, _counts(balls, draws)))
    return factorial(len(draws)) // each


def _plugged_in(shares, draws):
    return prod((F(shares[k]) / sum(shares) for k in draws), start=F(1))


def _in_the_end(balls, draws, added):
    counts = _counts(balls, draws)
    return [b + added * n for b, n in zip(balls, counts, strict=True)]


def _total_grows_by(one_draw, balls, draws, added):
    """Change how the number of all balls grows: not by `added`."""
    probability = _played(balls, draws, added)
    for n in range(len(draws)):
        probability *= F(sum(balls) + n * added)
        probability /= sum(balls) + n * one_draw
    return probability


sequence_probability = Exercise(
    reference=_played,
    cases=(
        ([1, 1, 1], [0, 0, 1], 1),
        ([1, 1, 1], [1, 0, 0], 2),
        ([3, 2, 1], [0, 1, 2, 0, 0], 3),
        ([F(1, 2), F(3, 2)], [0, 1, 1, 0], F(1, 2)),
        ([4, 4, 4], [0, 0, 0, 1, 1, 2], 4),
        ([2, 5], [1], 2),
        ([3, 1, 2], [2, 2, 1], 0),
    ),
    mistakes={
        "This is the probability of the counts, in any order. Only one order "
        "is asked for.": lambda balls, draws, added: (
            _played(balls, draws, added) * _orders(balls, draws)
        ),
        "The balls that are put back change the probabilities of the next "
        "draw.": lambda balls, draws, added: _played(balls, draws, 0),
        "One more ball is put back here, whatever `added` is.": (
            lambda balls, draws, added: _played(balls, draws, 1)
        ),
        "The drawn ball is put back too: `added` are there in addition.": (
            lambda balls, draws, added: _played(balls, draws, added - 1)
        ),
        "This takes the relative frequencies of these very draws for the "
        "probabilities.": lambda balls, draws, added: _plugged_in(
            _counts(balls, draws), draws
        ),
        "This takes the shares of the balls after all draws, for which the "
        "draws are used twice.": lambda balls, draws, added: _plugged_in(
            _in_the_end(balls, draws, added), draws
        ),
        "The number of all balls grows with every draw as well.": (
            lambda balls, draws, added: _total_grows_by(0, balls, draws, added)
        ),
        "The number of all balls grows by `added` with every draw, not by "
        "one.": lambda balls, draws, added: _total_grows_by(
            1, balls, draws, added
        ),
    },
)

# -- different(K, alpha, N) -----------------------------------------------


def _different(K, alpha, N):
    alpha = F(alpha)
    never = prod(
        ((alpha * (K - 1) + n) / (alpha * K + n) for n in range(N)), start=F(1)
    )
    return K * (1 - never)


different = Exercise(
    reference=_different,
    cases=(
        (10, 1, 16),
        (10, F(1, 10), 16),
        (3, F(1, 2), 5),
        (50, 2, 4),
        (2, 3, 7),
        (7, F(2, 7), 9),
    ),
    mistakes={
        "This is right for probabilities that are known to be equal; theta "
        "is not known here.": lambda K, alpha, N: K * (1 - F(K - 1, K) ** N),
        "This ignores alpha: it is right for a pseudo-count of one.": (
            lambda K, alpha, N: _different(K, 1, N)
        ),
        "This is the probability that one category occurs. There are K of "
        "them.": lambda K, alpha, N: _different(K, alpha, N) / K,
        "This is the expected number of categories that do *not* occur.": (
            lambda K, alpha, N: K - _different(K, alpha, N)
        ),
        "This is the limit for many categories with the same sum of "
        "pseudo-counts.": lambda K, alpha, N: sum(
            (F(alpha) * K / (F(alpha) * K + n) for n in range(N)), start=F(0)
        ),
        "The product has one factor for each of the N draws; here one is "
        "missing.": lambda K, alpha, N: _different(K, alpha, N - 1),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "bag_of_words": bag_of_words,
    "next_probabilities": next_probabilities,
    "has_one_map": has_one_map,
    "sequence_probability": sequence_probability,
    "different": different,
}
