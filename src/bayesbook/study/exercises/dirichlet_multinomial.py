"""The coding exercises of the chapter *The Dirichlet-multinomial model*."""

import re
from fractions import Fraction as F
from math import exp, factorial, log, prod, sqrt

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import normalised, words_of

# -- bag_of_words ---------------------------------------------------------

_SHEEP = ["sheep", "wool", "black", "unk"]
_SEA = ["sea", "shells", "shore", "unk"]
_LITTLE = {"the", "by", "a"}
_BAA = "Baa, baa, black sheep, have you any wool? Yes sir, yes sir!"
_CAT = "The cat sat on the mat. The Cat!"
_SELLS = "She sells sea shells by the sea shore; the shells she sells..."


def _counted(words, vocabulary):
    counts = dict.fromkeys(vocabulary, 0)
    for word in words:
        counts[word if word in counts else "unk"] += 1
    return counts


@exercise(
    (_BAA, _SHEEP, {"have", "you", "any"}),
    (_SELLS, _SEA, _LITTLE),
    ("The sea! The Sea? THE SEA.", _SEA, _LITTLE),
    ("sheep sheep sheep a wool a black a sheep", _SHEEP, _LITTLE),
    ("red black-red red", _SHEEP, set()),
    ("", _SHEEP, _LITTLE),
    ("the shells by the shore by the sea", _SEA, _LITTLE),
)
def bag_of_words(text, vocabulary, stop_words):
    """Return how often each word of the vocabulary occurs."""
    kept = [word for word in words_of(text) if word not in stop_words]
    return _counted(kept, vocabulary)


@bag_of_words.mistake(
    "Stop words should be dropped; here they are counted as unknown.",
    example=(
        (_CAT, ["cat", "mat", "unk"], {"the", "on"}),
        {"cat": 2, "mat": 1, "unk": 5},
    ),
)
def _stop_words_counted(text, vocabulary, stop_words):
    return _counted(words_of(text), vocabulary)


@bag_of_words.mistake(
    "Every occurrence of a stop word should be dropped, not only the first "
    "one.",
    example=(
        (_CAT, ["cat", "mat", "unk"], {"the", "on"}),
        {"cat": 2, "mat": 1, "unk": 3},
    ),
)
def _once_each(text, vocabulary, stop_words):
    kept = words_of(text)
    for word in stop_words & set(kept):
        kept.remove(word)
    return _counted(kept, vocabulary)


@bag_of_words.mistake(
    "Words outside the vocabulary should be counted as unk, not forgotten.",
    example=(
        (_CAT, ["cat", "mat", "unk"], {"the", "on"}),
        {"cat": 2, "mat": 1, "unk": 0},
    ),
)
def _unknown_forgotten(text, vocabulary, stop_words):
    return bag_of_words(text, vocabulary, stop_words) | {"unk": 0}


@bag_of_words.mistake(
    "This counts each word at most once, however often it occurs.",
    example=(
        (_CAT, ["cat", "mat", "unk"], {"the", "on"}),
        {"cat": 1, "mat": 1, "unk": 1},
    ),
)
def _each_once(text, vocabulary, stop_words):
    once = " ".join(dict.fromkeys(words_of(text)))
    return bag_of_words(once, vocabulary, stop_words)


@bag_of_words.mistake(
    "Capitals should make no difference.",
    example=(
        (_CAT, ["cat", "mat", "unk"], {"the", "on"}),
        {"cat": 1, "mat": 1, "unk": 4},
    ),
)
def _capitals_kept(text, vocabulary, stop_words):
    words = re.findall("[A-Za-z]+", text)
    kept = [word for word in words if word not in stop_words]
    return _counted(kept, vocabulary)


@bag_of_words.mistake(
    "Split at everything that is not a letter, not only at spaces.",
    example=(
        (_CAT, ["cat", "mat", "unk"], {"the", "on"}),
        {"cat": 1, "mat": 0, "unk": 3},
    ),
)
def _split_at_spaces(text, vocabulary, stop_words):
    words = text.lower().split()
    kept = [word for word in words if word not in stop_words]
    return _counted(kept, vocabulary)


# -- next_probabilities ---------------------------------------------------

_THROWS = {"rock": F(4), "paper": F(4), "scissors": F(4)}
_HALVES = {"rock": F(1, 2), "paper": F(1, 2), "scissors": F(1, 2)}
_UNEVEN = {"red": F(6), "green": F(3), "blue": F(1)}
_WEATHER = {"sun": F(5), "rain": F(3), "snow": F(2)}
_WORDS = {"a": 0.2, "b": 0.7, "c": 0.4, "d": 0.1}


def _added(alpha, counts):
    return {key: a + counts.get(key, 0) for key, a in alpha.items()}


def _divided_by(denominator, alpha, counts):
    return {
        key: weight / denominator
        for key, weight in _added(alpha, counts).items()
    }


@exercise(
    (_THROWS, {"rock": 7, "paper": 4, "scissors": 1}),
    (_HALVES, {"rock": 7, "paper": 4}),
    (_UNEVEN, {"green": 5}),
    (_UNEVEN, {"blue": 2, "red": 11}),
    (_WORDS, {"d": 3, "b": 1}),
    ({"heads": F(7, 2), "tails": F(3, 2)}, {"tails": 9}),
)
def next_probabilities(alpha, counts):
    """Return P[next is k | counts] for every category k of alpha."""
    return normalised(_added(alpha, counts))


@next_probabilities.mistake(
    "This is the relative frequency; the pseudo-counts are missing.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(1, 5), "rain": F(4, 5), "snow": 0},
    ),
)
def _without_prior(alpha, counts):
    return normalised({key: F(counts.get(key, 0)) for key in alpha})


@next_probabilities.mistake(
    "This is the prior mean; the counts are missing.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(1, 2), "rain": F(3, 10), "snow": F(1, 5)},
    ),
)
def _without_counts(alpha, counts):
    return normalised(alpha)


@next_probabilities.mistake(
    "The denominator has the sum of the pseudo-counts, not the number of "
    "categories.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(3, 4), "rain": F(7, 8), "snow": F(1, 4)},
    ),
)
def _number_of_categories(alpha, counts):
    return _divided_by(len(alpha) + F(sum(counts.values())), alpha, counts)


@next_probabilities.mistake(
    "The pseudo-counts belong in the denominator too.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(6, 5), "rain": F(7, 5), "snow": F(2, 5)},
    ),
)
def _without_sum(alpha, counts):
    return _divided_by(F(sum(counts.values())), alpha, counts)


@next_probabilities.mistake(
    "This is the formula of the mode. The next observation is predicted by "
    "the mean.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(5, 12), "rain": F(1, 2), "snow": F(1, 12)},
    ),
)
def _mode(alpha, counts):
    added = _added(alpha, counts)
    return normalised({key: weight - 1 for key, weight in added.items()})


@next_probabilities.mistake(
    "This adds one to every count, whatever alpha is.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(1, 4), "rain": F(5, 8), "snow": F(1, 8)},
    ),
)
def _one_added(alpha, counts):
    return normalised({key: F(1 + counts.get(key, 0)) for key in alpha})


@next_probabilities.mistake(
    "Categories that were not seen are missing: they have a probability too.",
    example=(
        (_WEATHER, {"rain": 4, "sun": 1}),
        {"sun": F(2, 5), "rain": F(7, 15)},
    ),
)
def _unseen_missing(alpha, counts):
    right = next_probabilities(alpha, counts)
    return {key: p for key, p in right.items() if key in counts}


# -- has_one_map ----------------------------------------------------------


def _exponents(alpha, counts):
    return [a + n - 1 for a, n in zip(alpha, counts, strict=True)]


@exercise(
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
)
def has_one_map(alpha, counts):
    """Return whether the posterior has exactly one mode."""
    exponents = _exponents(alpha, counts)
    return min(exponents) >= 0 and max(exponents) > 0


@has_one_map.mistake(
    "This looks at the prior alone; add the counts first.",
    example=(([F(1, 2), F(2)], [3, 1]), False),
)
def _prior_alone(alpha, counts):
    return has_one_map(alpha, [0] * len(counts))


@has_one_map.mistake(
    "A flat density has infinitely many highest points, not one.",
    example=(([F(1), F(1)], [0, 0]), True),
)
def _flat_too(alpha, counts):
    return min(_exponents(alpha, counts)) >= 0


@has_one_map.mistake(
    "A highest point on a side is one too: a pseudo-count plus count of "
    "exactly 1 is enough.",
    example=(([F(1), F(2)], [0, 3]), False),
)
def _inside_only(alpha, counts):
    return min(_exponents(alpha, counts)) > 0


@has_one_map.mistake(
    "One category with a negative exponent is enough to make the density "
    "infinite, even if the sum of the exponents is positive.",
    example=(([F(1, 2), F(1)], [0, 1]), True),
)
def _sum_positive(alpha, counts):
    return sum(_exponents(alpha, counts)) > 0


@has_one_map.mistake(
    "The formula gives numbers always, but they are not always a MAP.",
    example=(([F(1, 2), F(1, 3)], [1, 0]), True),
)
def _always(alpha, counts):
    return True


@has_one_map.mistake(
    "A count of zero is no obstacle if its pseudo-count is 1 or more.",
    example=(([F(2), F(3)], [0, 4]), False),
)
def _no_zero_counts(alpha, counts):
    return min(counts) > 0


# -- sequence_probability -------------------------------------------------


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


def _another_total(growth, balls, draws, added):
    """Return the answer if all balls grow by something else than `added`."""
    probability = sequence_probability(balls, draws, added)
    for n in range(len(draws)):
        probability *= F(sum(balls) + n * added)
        probability /= sum(balls) + n * growth
    return probability


@exercise(
    ([1, 1, 1], [0, 0, 1], 1),
    ([1, 1, 1], [1, 0, 0], 2),
    ([3, 2, 1], [0, 1, 2, 0, 0], 3),
    ([F(1, 2), F(3, 2)], [0, 1, 1, 0], F(1, 2)),
    ([4, 4, 4], [0, 0, 0, 1, 1, 2], 4),
    ([2, 5], [1], 2),
    ([3, 1, 2], [2, 2, 1], 0),
)
def sequence_probability(balls, draws, added):
    """Return P[draws] in this order, if `added` balls join each drawn one."""
    balls, probability = [F(b) for b in balls], F(1)
    for k in draws:
        probability *= balls[k] / sum(balls)
        balls[k] += added
    return probability


@sequence_probability.mistake(
    "This is the probability of the counts, in any order. Only one order is "
    "asked for.",
    example=(([1, 2], [0, 0, 1], 4), F(10, 77)),
)
def _any_order(balls, draws, added):
    return sequence_probability(balls, draws, added) * _orders(balls, draws)


@sequence_probability.mistake(
    "The balls that are put back change the probabilities of the next draw.",
    example=(([1, 2], [0, 0, 1], 4), F(2, 27)),
)
def _never_changed(balls, draws, added):
    return sequence_probability(balls, draws, 0)


@sequence_probability.mistake(
    "One more ball is put back here, whatever `added` is.",
    example=(([1, 2], [0, 0, 1], 4), F(1, 15)),
)
def _one_put_back(balls, draws, added):
    return sequence_probability(balls, draws, 1)


@sequence_probability.mistake(
    "The drawn ball is put back too: `added` are there in addition.",
    example=(([1, 2], [0, 0, 1], 4), F(4, 81)),
)
def _drawn_ball_not_put_back(balls, draws, added):
    return sequence_probability(balls, draws, added - 1)


@sequence_probability.mistake(
    "This takes the relative frequencies of these very draws for the "
    "probabilities.",
    example=(([1, 2], [0, 0, 1], 4), F(4, 27)),
)
def _own_frequencies(balls, draws, added):
    return _plugged_in(_counts(balls, draws), draws)


@sequence_probability.mistake(
    "This takes the shares of the balls after all draws, for which the draws "
    "are used twice.",
    example=(([1, 2], [0, 0, 1], 4), F(18, 125)),
)
def _shares_in_the_end(balls, draws, added):
    return _plugged_in(_in_the_end(balls, draws, added), draws)


@sequence_probability.mistake(
    "The number of all balls grows with every draw as well.",
    example=(([1, 2], [0, 0, 1], 4), F(10, 27)),
)
def _total_stays(balls, draws, added):
    return _another_total(0, balls, draws, added)


@sequence_probability.mistake(
    "The number of all balls grows by `added` with every draw, not by one.",
    example=(([1, 2], [0, 0, 1], 4), F(1, 6)),
)
def _total_plus_one(balls, draws, added):
    return _another_total(1, balls, draws, added)


# -- different ------------------------------------------------------------


@exercise(
    (10, 1, 16),
    (10, F(1, 10), 16),
    (3, F(1, 2), 5),
    (50, 2, 4),
    (2, 3, 7),
    (7, F(2, 7), 9),
)
def different(K, alpha, N):
    """Return the expected number of different categories in N draws."""
    whole = F(alpha) * K
    never = prod(
        ((whole - alpha + n) / (whole + n) for n in range(N)), start=F(1)
    )
    return K * (1 - never)


@different.mistake(
    "This is right for probabilities that are known to be equal; theta is not "
    "known here.",
    example=((3, 2, 3), F(19, 9)),
)
def _equal_probabilities(K, alpha, N):
    return K * (1 - F(K - 1, K) ** N)


@different.mistake(
    "This ignores alpha: it is right for a pseudo-count of one.",
    example=((3, 2, 3), F(9, 5)),
)
def _pseudo_count_of_one(K, alpha, N):
    return different(K, 1, N)


@different.mistake(
    "This is the probability that one category occurs. There are K of them.",
    example=((3, 2, 3), F(9, 14)),
)
def _one_category(K, alpha, N):
    return different(K, alpha, N) / K


@different.mistake(
    "This is the expected number of categories that do *not* occur.",
    example=((3, 2, 3), F(15, 14)),
)
def _absent(K, alpha, N):
    return K - different(K, alpha, N)


@different.mistake(
    "This is the limit for many categories with the same sum of "
    "pseudo-counts.",
    example=((3, 2, 3), F(73, 28)),
)
def _limit(K, alpha, N):
    whole = F(alpha) * K
    return sum((whole / (whole + n) for n in range(N)), start=F(0))


@different.mistake(
    "The product has one factor for each of the N draws; here one is missing.",
    example=((3, 2, 3), F(11, 7)),
)
def _one_draw_less(K, alpha, N):
    return different(K, alpha, N - 1)


# -- perplexity -----------------------------------------------------------

_RHYME = {"mary": 1.0, "lamb": 1.0, "snow": 1.0, "unk": 1.0}
_WEAK = {"mary": 0.1, "lamb": 0.2, "snow": 0.3, "unk": 0.4}


def _loss(p, coming):
    total = sum(n * log(p[word]) for word, n in coming.items())
    return -total / sum(coming.values())


@exercise(
    (_RHYME, {"mary": 2, "lamb": 4, "unk": 3}, {"lamb": 2, "snow": 1}),
    (_RHYME, {}, {"lamb": 5}),
    (_WEAK, {"lamb": 6, "unk": 1}, {"mary": 1, "lamb": 3, "snow": 2}),
    (_WEAK, {"snow": 40}, {"snow": 7, "unk": 1}),
    ({"a": 2.0, "b": 5.0}, {"a": 9}, {"b": 4, "a": 1}),
)
def perplexity(alpha, counts, coming):
    """Return the perplexity of the words to come, predicted by counts."""
    return exp(_loss(normalised(_added(alpha, counts)), coming))


@perplexity.mistake(
    "This is the mean log loss. The perplexity is its exponential.",
    example=(({"a": 1.0, "b": 1.0}, {"a": 2}, {"b": 3}), log(4)),
)
def _log_loss_itself(alpha, counts, coming):
    return log(perplexity(alpha, counts, coming))


@perplexity.mistake(
    "The losses have to be averaged, not only added up.",
    example=(({"a": 1.0, "b": 1.0}, {"a": 2}, {"b": 3}), 64),
)
def _of_the_sum(alpha, counts, coming):
    return perplexity(alpha, counts, coming) ** sum(coming.values())


@perplexity.mistake(
    "The logarithm is natural here, so its inverse is exp, not a power of 2.",
    example=(({"a": 1.0, "b": 1.0}, {"a": 2}, {"b": 3}), 2 ** log(4)),
)
def _power_of_two(alpha, counts, coming):
    return 2 ** log(perplexity(alpha, counts, coming))


@perplexity.mistake(
    "A word that comes three times has to count three times in the mean.",
    example=(
        ({"a": 1.0, "b": 1.0}, {"a": 2}, {"a": 3, "b": 1}),
        sqrt(16 / 3),
    ),
)
def _each_word_once(alpha, counts, coming):
    return perplexity(alpha, counts, dict.fromkeys(coming, 1))


@perplexity.mistake(
    "Here the words to come are also learned from, before they are predicted.",
    example=(({"a": 1.0, "b": 1.0}, {"a": 2}, {"b": 4}), 8 / 5),
)
def _learned_from(alpha, counts, coming):
    return perplexity(_added(alpha, coming), counts, coming)


@perplexity.mistake(
    "This predicts by the prior mean; the counts are missing.",
    example=(({"a": 1.0, "b": 1.0}, {"a": 2}, {"b": 3}), 2),
)
def _prior_only(alpha, counts, coming):
    return perplexity(alpha, {}, coming)


@perplexity.mistake(
    "Perplexity is the inverse of the geometric mean of the probabilities; "
    "here it is their arithmetic mean that is inverted.",
    example=(
        ({"a": 1.0, "b": 1.0}, {"a": 2}, {"a": 1, "b": 1}),
        2,
    ),
)
def _arithmetic_mean(alpha, counts, coming):
    p = normalised(_added(alpha, counts))
    total = sum(n * p[word] for word, n in coming.items())
    return sum(coming.values()) / total
