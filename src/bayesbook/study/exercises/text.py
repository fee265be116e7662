"""The coding exercises of the chapter *Text*."""

import re
from fractions import Fraction as F
from itertools import accumulate, combinations, pairwise
from math import lgamma, log, log2, prod

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import log_or_minus_inf, words_of

# -- pairs_to_csr ---------------------------------------------------------

_GRAPH = [("edge", "graph"), ("edge", "path"), ("node", "edge")]
_SEA = [("sea", "shells"), ("the", "sea"), ("the", "shore")]


def _pairs_of(text):
    found = words_of(text)
    return [*pairwise(found)]


def _rows(documents, vocabulary, split=_pairs_of):
    """Return for each document the non-zero counts by column."""
    column = {tuple(pair): m for m, pair in enumerate(vocabulary)}
    rows = []
    for text in documents:
        row = {}
        for pair in split(text):
            if pair in column:
                row[column[pair]] = row.get(column[pair], 0) + 1
        rows.append(dict(sorted(row.items())))
    return rows


def _packed(rows):
    data = [count for row in rows for count in row.values()]
    indices = [column for row in rows for column in row]
    return data, indices, [0, *accumulate(map(len, rows))]


@exercise(
    (
        [
            "Node, edge; graph: node edge!",
            "edge path edge",
            "",
            "Edge Path node-edge path edge path",
        ],
        _GRAPH,
    ),
    (["The sea! The Sea? THE SEA.", "she sells sea shells"], _SEA),
    (["the sea-shore, the shore", "nothing here", "sea shells"], _SEA),
    ([""], _GRAPH),
    (["node", "edge", "node edge"], _GRAPH),
    (["edge node graph edge node edge"], _GRAPH),
)
def pairs_to_csr(documents, vocabulary):
    """Return the counts of pairs of words: (data, indices, indptr)."""
    return _packed(_rows(documents, vocabulary))


_WEATHER = (
    ["Sun, rain; sun rain sun", "", "rain wind"],
    [("rain", "sun"), ("rain", "wind"), ("sun", "rain")],
)


@pairs_to_csr.mistake(
    "CSR keeps the counts that are not zero, and no others.",
    example=(
        _WEATHER,
        ([2, 0, 2, 0, 0, 0, 0, 1, 0], [0, 1, 2] * 3, [0, 3, 6, 9]),
    ),
)
def _with_zeros(documents, vocabulary):
    rows = _rows(documents, vocabulary)
    columns = range(len(vocabulary))
    return _packed([{m: row.get(m, 0) for m in columns} for row in rows])


@pairs_to_csr.mistake(
    "The row pointers begin with 0: there is one more of them than there are "
    "documents.",
    example=(_WEATHER, ([2, 2, 1], [0, 2, 1], [2, 2, 3])),
)
def _without_the_start(documents, vocabulary):
    data, indices, indptr = pairs_to_csr(documents, vocabulary)
    return data, indices, indptr[1:]


@pairs_to_csr.mistake(
    "A document without any pair of the vocabulary is a row too: its two "
    "pointers are equal.",
    example=(_WEATHER, ([2, 2, 1], [0, 2, 1], [0, 2, 3])),
)
def _without_empty_rows(documents, vocabulary):
    return _packed([row for row in _rows(documents, vocabulary) if row])


@pairs_to_csr.mistake(
    "This stores whether a pair occurs, not how often.",
    example=(_WEATHER, ([1, 1, 1], [0, 2, 1], [0, 2, 2, 3])),
)
def _presence(documents, vocabulary):
    data, indices, indptr = pairs_to_csr(documents, vocabulary)
    return [1] * len(data), indices, indptr


@pairs_to_csr.mistake(
    "The third list says where the rows begin and end, not how long they are.",
    example=(_WEATHER, ([2, 2, 1], [0, 2, 1], [2, 0, 1])),
)
def _row_lengths(documents, vocabulary):
    rows = _rows(documents, vocabulary)
    return *_packed(rows)[:2], [len(row) for row in rows]


@pairs_to_csr.mistake(
    "Pairs overlap: the second word of a pair is also the first word of the "
    "next.",
    example=(_WEATHER, ([2, 1], [2, 1], [0, 1, 1, 2])),
)
def _without_overlap(documents, vocabulary):
    return _packed(
        _rows(documents, vocabulary, lambda text: _pairs_of(text)[::2])
    )


@pairs_to_csr.mistake(
    "The order in a pair matters.",
    example=(_WEATHER, ([4, 4, 1], [0, 2, 1], [0, 2, 2, 3])),
)
def _either_order(documents, vocabulary):
    def split(text):
        pairs = _pairs_of(text)
        return pairs + [(w, u) for u, w in pairs if u != w]

    return _packed(_rows(documents, vocabulary, split))


@pairs_to_csr.mistake(
    "The words of a pair stand next to each other; here others may stand "
    "between them.",
    example=(_WEATHER, ([3, 3, 1], [0, 2, 1], [0, 2, 2, 3])),
)
def _any_distance(documents, vocabulary):
    def split(text):
        return [*combinations(words_of(text), 2)]

    return _packed(_rows(documents, vocabulary, split))


@pairs_to_csr.mistake(
    "A pair is counted in each document by itself, and does not reach from "
    "the end of one document to the beginning of the next.",
    example=(_WEATHER, ([2, 2, 1, 1], [0, 2, 1, 2], [0, 2, 2, 4])),
)
def _across_documents(documents, vocabulary):
    texts, last = [], ""
    for text in documents:
        texts.append(f"{last} {text}")
        last = [last, *words_of(text)][-1]
    # The pair counts for the document in which it ends.
    return _packed(_rows(texts, vocabulary))


@pairs_to_csr.mistake(
    "Capitals should make no difference.",
    example=(_WEATHER, ([2, 1, 1], [0, 2, 1], [0, 2, 2, 3])),
)
def _capitals_kept(documents, vocabulary):
    def split(text):
        found = re.findall("[A-Za-z]+", text)
        return [*pairwise(found)]

    return _packed(_rows(documents, vocabulary, split))


@pairs_to_csr.mistake(
    "Split at everything that is not a letter, not only at spaces.",
    example=(_WEATHER, ([1, 1, 1], [0, 2, 1], [0, 2, 2, 3])),
)
def _split_at_spaces(documents, vocabulary):
    def split(text):
        found = text.lower().split()
        return [*pairwise(found)]

    return _packed(_rows(documents, vocabulary, split))


# -- multinomial_log_likelihood -------------------------------------------

_THETA = {"node": 0.5, "edge": 0.3, "path": 0.2}
_EIGHTHS = {"a": 0.125, "b": 0.125, "c": 0.25, "d": 0.5, "e": 0.0}


def _log_orders(counts):
    """Return the logarithm of the number of orders of the words."""
    total = lgamma(sum(counts.values()) + 1)
    return total - sum(lgamma(n + 1) for n in counts.values())


@exercise(
    ({"node": 2, "path": 1}, _THETA),
    ({"edge": 4}, _THETA),
    ({"node": 1, "edge": 1, "path": 3}, _THETA),
    ({"a": 400, "c": 300, "d": 2}, _EIGHTHS),
    ({"a": 1, "b": 2, "e": 0}, _EIGHTHS),
    ({"a": 3, "d": 3, "e": 1}, _EIGHTHS),
    ({}, _THETA),
)
def multinomial_log_likelihood(counts, theta):
    """Return log P[words in their order], drawn independently."""
    return sum(
        n * log_or_minus_inf(theta[word]) for word, n in counts.items() if n
    )


_FIVE_WORDS = ({"a": 3, "b": 2}, {"a": 0.4, "b": 0.2, "c": 0.3, "d": 0.1})


@multinomial_log_likelihood.mistake(
    "This counts every word once, however often it occurs.",
    example=(_FIVE_WORDS, log(0.4) + log(0.2)),
)
def _once_each(counts, theta):
    return sum(
        log_or_minus_inf(theta[word]) for word, n in counts.items() if n
    )


@multinomial_log_likelihood.mistake(
    "This is the probability of the counts in any order; asked for is that of "
    "the words in their order.",
    example=(_FIVE_WORDS, log(10) + 3 * log(0.4) + 2 * log(0.2)),
)
def _any_order(counts, theta):
    return multinomial_log_likelihood(counts, theta) + _log_orders(counts)


@multinomial_log_likelihood.mistake(
    "The multinomial has no factor for words that do not occur; this is the "
    "Bernoulli model with counts.",
    example=(_FIVE_WORDS, 3 * log(0.4) + 2 * log(0.2) + log(0.7) + log(0.9)),
)
def _bernoulli(counts, theta):
    absent = [p for word, p in theta.items() if not counts.get(word)]
    return multinomial_log_likelihood(counts, theta) + sum(
        log_or_minus_inf(1 - p) for p in absent
    )


@multinomial_log_likelihood.mistake(
    "This is the logarithm to base 2; the chapter uses the natural one.",
    example=(_FIVE_WORDS, 3 * log2(0.4) + 2 * log2(0.2)),
)
def _binary(counts, theta):
    return multinomial_log_likelihood(counts, theta) / log(2)


@multinomial_log_likelihood.mistake(
    "This is the likelihood itself, without a logarithm; it underflows for "
    "long texts.",
    example=(_FIVE_WORDS, 0.4**3 * 0.2**2),
)
def _likelihood(counts, theta):
    return prod(theta[word] ** n for word, n in counts.items())


@multinomial_log_likelihood.mistake(
    "A word of probability zero that does occur makes the document "
    "impossible: the answer is minus infinity.",
    example=(
        ({"a": 3, "b": 2, "d": 1}, {"a": 0.5, "b": 0.2, "c": 0.3, "d": 0.0}),
        3 * log(0.5) + 2 * log(0.2),
    ),
)
def _passed_over(counts, theta):
    possible = {word: n for word, n in counts.items() if theta[word] > 0}
    return sum(n * log(theta[word]) for word, n in possible.items())


# -- dcm_log_probability --------------------------------------------------

_THIRDS = {"node": 0.5, "edge": 0.25, "path": 0.25}
_MANY = {"a": 0.1, "b": 2.0, "c": 30.0, "d": 0.004, "e": 1.0}


def _log_rising(a, n):
    return lgamma(a + n) - lgamma(a)


def _words_above(counts, alpha):
    return sum(_log_rising(alpha[word], n) for word, n in counts.items())


@exercise(
    ({"node": 1, "path": 3}, _THIRDS),
    ({"edge": 2}, _THIRDS),
    ({"a": 5, "c": 4}, _MANY),
    ({"d": 1, "e": 7, "b": 2}, _MANY),
    ({"c": 900, "d": 40}, _MANY),
    ({}, _MANY),
)
def dcm_log_probability(counts, alpha):
    """Return log P[words in their order] in the DCM."""
    total, length = sum(alpha.values()), sum(counts.values())
    return _words_above(counts, alpha) - _log_rising(total, length)


# The rising powers: 1.875 for "a", 1.5 for "b", 840 for the sum of all.
_FOUR_WORDS = ({"a": 3, "b": 1}, {"a": 0.5, "b": 1.5, "c": 2.0})


@dcm_log_probability.mistake(
    "The sum of the parameters runs over all words of the vocabulary, not "
    "only over those that occur.",
    example=(_FOUR_WORDS, log(1.875 * 1.5 / 120)),
)
def _occurring_only(counts, alpha):
    total, length = sum(alpha[word] for word in counts), sum(counts.values())
    return _words_above(counts, alpha) - _log_rising(total, length)


@dcm_log_probability.mistake(
    "The rising power below has the sum of all parameters for its base, not "
    "the number of words of the vocabulary.",
    example=(_FOUR_WORDS, log(1.875 * 1.5 / 360)),
)
def _vocabulary_size(counts, alpha):
    total, length = len(alpha), sum(counts.values())
    return _words_above(counts, alpha) - _log_rising(total, length)


@dcm_log_probability.mistake(
    "This is the probability of the counts in any order; asked for is that of "
    "the words in their order.",
    example=(_FOUR_WORDS, log(4 * 1.875 * 1.5 / 840)),
)
def _orders_too(counts, alpha):
    return dcm_log_probability(counts, alpha) + _log_orders(counts)


@dcm_log_probability.mistake(
    "This is the multinomial with the mean of the Dirichlet distribution: the "
    "balls that are put back are missing.",
    example=(_FOUR_WORDS, 3 * log(0.125) + log(0.375)),
)
def _plug_in(counts, alpha):
    total = sum(alpha.values())
    return sum(n * log(alpha[word] / total) for word, n in counts.items())


@dcm_log_probability.mistake(
    "The denominator, the rising power of the sum, is missing.",
    example=(_FOUR_WORDS, log(1.875 * 1.5)),
)
def _without_denominator(counts, alpha):
    return _words_above(counts, alpha)


@dcm_log_probability.mistake(
    "lgamma(a + n) has to be compared with lgamma(a).",
    example=(_FOUR_WORDS, lgamma(3.5) + lgamma(2.5) - lgamma(8)),
)
def _without_gammas_below(counts, alpha):
    total, length = sum(alpha.values()), sum(counts.values())
    words = sum(lgamma(alpha[word] + n) for word, n in counts.items())
    return words - lgamma(total + length)


# -- urn_after ------------------------------------------------------------

_COLOURS = {"red": 3, "green": 2, "blue": 1}
_LIGHT = {word: F(1, 10) for word in ("node", "edge", "path", "tree")}


def _urn_after(balls, uniforms, added):
    balls = dict(balls)
    for u in uniforms:
        total = sum(balls.values())
        ends = zip(balls, accumulate(balls.values()), strict=True)
        drawn = next(colour for colour, end in ends if u * total < end)
        balls[drawn] += added
    return balls


@exercise(
    (_COLOURS, [F(9, 10), F(9, 11), F(1, 3), F(2, 3), F(4, 5), F(2, 5)]),
    (
        {"heads": F(3, 2), "tails": F(1, 2)},
        [F(3, 4), F(2, 3), F(1, 5), F(5, 9), F(9, 10)],
    ),
    (_LIGHT, [F(3, 5), F(2, 5), F(1, 50), F(1, 2), F(49, 50)]),
    ({"a": F(7, 3), "b": 1}, [F(7, 10), F(1, 2), F(3, 5), F(17, 20)]),
    (_COLOURS, [F(2, 5), F(1, 2), F(5, 8), F(3, 5), F(1, 2), F(1, 2)]),
    (_COLOURS, []),
)
def urn_after(balls, uniforms):
    """Return the urn after one draw for each of the uniform numbers."""
    return _urn_after(balls, uniforms, added=1)


_THREE_DRAWS = ({"red": 3, "blue": 2}, [F(1, 2), F(13, 20), F(9, 10)])


@urn_after.mistake(
    "Nothing has joined the drawn balls here. Another one of the drawn colour "
    "belongs to each.",
    example=(_THREE_DRAWS, {"red": 3, "blue": 2}),
)
def _unchanged(balls, uniforms):
    return dict(balls)


@urn_after.mistake(
    "Two more balls join each drawn one here; one is asked for.",
    example=(_THREE_DRAWS, {"red": 7, "blue": 4}),
)
def _two_added(balls, uniforms):
    return _urn_after(balls, uniforms, added=2)


@urn_after.mistake(
    "The balls that are put back change the probabilities of the next draw.",
    example=(_THREE_DRAWS, {"red": 4, "blue": 4}),
)
def _always_the_first_urn(balls, uniforms):
    after = dict(balls)
    for u in uniforms:
        for colour, n in urn_after(balls, [u]).items():
            after[colour] += n - balls[colour]
    return after


@urn_after.mistake(
    "The first colour has the interval that begins at 0.",
    example=(_THREE_DRAWS, {"red": 6, "blue": 2}),
)
def _from_the_last(balls, uniforms):
    """Lay the colours out from the last to the first."""
    after = urn_after(dict(reversed(balls.items())), uniforms)
    return dict(reversed(after.items()))


@urn_after.mistake(
    "These are shares; the numbers of balls are asked for.",
    example=(_THREE_DRAWS, {"red": F(5, 8), "blue": F(3, 8)}),
)
def _shares(balls, uniforms):
    right = urn_after(balls, uniforms)
    return {colour: n / F(sum(right.values())) for colour, n in right.items()}


@urn_after.mistake(
    "These are the draws alone; the balls of the beginning are still in the "
    "urn.",
    example=(_THREE_DRAWS, {"red": 2, "blue": 1}),
)
def _draws_alone(balls, uniforms):
    right = urn_after(balls, uniforms)
    return {colour: n - balls[colour] for colour, n in right.items()}


# -- fixed_point_step -----------------------------------------------------

_PAIRS = [{"a": 2}, {"b": 2}, {"a": 1, "b": 1}]
_FOUR = [
    {"a": 3, "c": 1},
    {"b": 4},
    {"a": 1, "b": 1, "c": 1},
    {"c": 6},
]


def _reciprocals(a, n):
    """Return 1/a + 1/(a + 1) + ... with n terms."""
    return sum((1 / (F(a) + i) for i in range(n)), start=F(0))


def _numerators(documents, alpha):
    return {
        word: sum(_reciprocals(a, counts.get(word, 0)) for counts in documents)
        for word, a in alpha.items()
    }


def _denominator(documents, total):
    return sum(
        _reciprocals(total, sum(counts.values())) for counts in documents
    )


@exercise(
    (_PAIRS, {"a": F(2), "b": F(2)}),
    (_PAIRS, {"a": F(1), "b": F(3)}),
    (_FOUR, {"a": F(1), "b": F(1), "c": F(1)}),
    (_FOUR, {"a": F(1, 2), "b": F(1, 5), "c": F(3)}),
    ([{"a": 5}, {"c": 5}], {"a": F(1), "b": F(2), "c": F(3)}),
    ([{"a": 1, "b": 2}, {}, {"a": 3}], {"a": F(1, 2), "b": F(1, 2)}),
)
def fixed_point_step(documents, alpha):
    """Return the parameters after one step of the fixed-point iteration."""
    below = _denominator(documents, sum(alpha.values()))
    above = _numerators(documents, alpha)
    return {word: a * above[word] / below for word, a in alpha.items()}


_TWO_TEXTS = ([{"a": 2, "b": 1}, {"b": 2}], {"a": F(3), "b": F(2)})


@fixed_point_step.mistake(
    "The quotient is a factor: it multiplies the old parameter.",
    example=(_TWO_TEXTS, {"a": F(245, 368), "b": F(35, 23)}),
)
def _without_the_factor(documents, alpha):
    new = fixed_point_step(documents, alpha)
    return {word: new[word] / alpha[word] for word in alpha}


@fixed_point_step.mistake(
    "The denominator has the sum of all parameters, not the parameter of the "
    "word.",
    example=(_TWO_TEXTS, {"a": F(105, 82), "b": F(32, 23)}),
)
def _own_denominators(documents, alpha):
    above = _numerators(documents, alpha)
    return {
        word: a * above[word] / _denominator(documents, a)
        for word, a in alpha.items()
    }


@fixed_point_step.mistake(
    "This takes all documents for one long one. Each document has an urn of "
    "its own.",
    example=(_TWO_TEXTS, {"a": F(4410, 1879), "b": F(5460, 1879)}),
)
def _one_long_document(documents, alpha):
    together = {
        word: sum(counts.get(word, 0) for counts in documents)
        for word in alpha
    }
    return fixed_point_step([together], alpha)


@fixed_point_step.mistake(
    "A word that comes n times in a document has n terms in the sum, and adds "
    "n to the length; here it counts once.",
    example=(_TWO_TEXTS, {"a": F(30, 17), "b": F(60, 17)}),
)
def _one_term(documents, alpha):
    present = [dict.fromkeys(counts, 1) for counts in documents]
    return fixed_point_step(present, alpha)


@fixed_point_step.mistake(
    "These parameters have the same sum as the old ones; the sum is fitted "
    "too.",
    example=(_TWO_TEXTS, {"a": F(105, 53), "b": F(160, 53)}),
)
def _sum_kept(documents, alpha):
    new = fixed_point_step(documents, alpha)
    scale = sum(alpha.values()) / sum(new.values())
    return {word: a * scale for word, a in new.items()}


@fixed_point_step.mistake(
    "This is the gradient. The fixed point divides instead of subtracting.",
    example=(_TWO_TEXTS, {"a": F(-41, 140), "b": F(16, 35)}),
)
def _gradient(documents, alpha):
    below = _denominator(documents, sum(alpha.values()))
    above = _numerators(documents, alpha)
    return {word: above[word] - below for word in alpha}
