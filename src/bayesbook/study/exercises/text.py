"""The coding exercises of the chapter *Text*."""

import re
from fractions import Fraction as F
from itertools import accumulate
from math import inf, lgamma, log, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- to_csr(documents, vocabulary) ----------------------------------------

_GRAPH = ["edge", "graph", "node", "path"]
_SEA = ["sea", "shells", "shore"]


def _words(text):
    return re.findall("[a-z]+", text.lower())


def _rows(documents, vocabulary, words_of=_words):
    """Return for each document the non-zero counts by column."""
    column = {word: m for m, word in enumerate(vocabulary)}
    rows = []
    for text in documents:
        row = {}
        for word in words_of(text):
            if word in column:
                row[column[word]] = row.get(column[word], 0) + 1
        rows.append(dict(sorted(row.items())))
    return rows


def _packed(rows):
    data = [count for row in rows for count in row.values()]
    indices = [column for row in rows for column in row]
    return data, indices, [0, *accumulate(map(len, rows))]


def _to_csr(documents, vocabulary):
    return _packed(_rows(documents, vocabulary))


def _with_zeros(documents, vocabulary):
    rows = _rows(documents, vocabulary)
    columns = range(len(vocabulary))
    return _packed([{m: row.get(m, 0) for m in columns} for row in rows])


def _without_the_start(documents, vocabulary):
    data, indices, indptr = _to_csr(documents, vocabulary)
    return data, indices, indptr[1:]


def _without_empty_rows(documents, vocabulary):
    return _packed([row for row in _rows(documents, vocabulary) if row])


def _presence(documents, vocabulary):
    data, indices, indptr = _to_csr(documents, vocabulary)
    return [1] * len(data), indices, indptr


def _row_lengths(documents, vocabulary):
    rows = _rows(documents, vocabulary)
    return *_packed(rows)[:2], [len(row) for row in rows]


def _entry_for_each_token(documents, vocabulary):
    column = {word: m for m, word in enumerate(vocabulary)}
    rows = [
        [column[word] for word in _words(text) if word in column]
        for text in documents
    ]
    indices = [m for row in rows for m in row]
    return [1] * len(indices), indices, [0, *accumulate(map(len, rows))]


to_csr = Exercise(
    reference=_to_csr,
    cases=(
        (
            ["Graph: node, edge; node!", "path path", "", "edge Path edge"],
            _GRAPH,
        ),
        (["The sea! The Sea? THE SEA.", "she sells shells"], _SEA),
        (["shore-sea by the shore", "nothing here", "shells"], _SEA),
        ([""], _GRAPH),
        (["node path node graph edge node"], _GRAPH),
    ),
    mistakes={
        "CSR keeps the counts that are not zero, and no others.": _with_zeros,
        "The row pointers begin with 0: there is one more of them than there "
        "are documents.": _without_the_start,
        "A document without any word of the vocabulary is a row too: its two "
        "pointers are equal.": _without_empty_rows,
        "This stores whether a word occurs, not how often.": _presence,
        "The third list says where the rows begin and end, not how long they "
        "are.": _row_lengths,
        "A word that comes several times in a document has one entry, its "
        "count.": _entry_for_each_token,
        "Capitals should make no difference.": lambda documents, vocabulary: (
            _packed(
                _rows(
                    documents,
                    vocabulary,
                    lambda text: re.findall("[A-Za-z]+", text),
                )
            )
        ),
        "Split at everything that is not a letter, not only at spaces.": (
            lambda documents, vocabulary: _packed(
                _rows(documents, vocabulary, lambda text: text.lower().split())
            )
        ),
    },
)

# -- multinomial_log_likelihood(counts, theta) ----------------------------

_THETA = {"node": 0.5, "edge": 0.3, "path": 0.2}
_EIGHTHS = {"a": 0.125, "b": 0.125, "c": 0.25, "d": 0.5, "e": 0.0}


def _log(p):
    return log(p) if p > 0 else -inf


def _multinomial_log_likelihood(counts, theta):
    return sum(n * _log(theta[w]) for w, n in counts.items() if n)


def _log_orders(counts):
    """Return the logarithm of the number of orders of the words."""
    total = lgamma(sum(counts.values()) + 1)
    return total - sum(lgamma(n + 1) for n in counts.values())


multinomial_log_likelihood = Exercise(
    reference=_multinomial_log_likelihood,
    cases=(
        ({"node": 2, "path": 1}, _THETA),
        ({"edge": 4}, _THETA),
        ({"node": 1, "edge": 1, "path": 3}, _THETA),
        ({"a": 400, "c": 300, "d": 2}, _EIGHTHS),
        ({"a": 1, "b": 2, "e": 0}, _EIGHTHS),
        ({"a": 3, "d": 3, "e": 1}, _EIGHTHS),
        ({}, _THETA),
    ),
    mistakes={
        "This counts every word once, however often it occurs.": (
            lambda counts, theta: sum(
                _log(theta[w]) for w, n in counts.items() if n
            )
        ),
        "This is the probability of the counts in any order; asked for is "
        "that of the words in their order.": lambda counts, theta: (
            _multinomial_log_likelihood(counts, theta) + _log_orders(counts)
        ),
        "The multinomial has no factor for words that do not occur; this is "
        "the Bernoulli model with counts.": lambda counts, theta: (
            _multinomial_log_likelihood(counts, theta)
            + sum(_log(1 - p) for w, p in theta.items() if not counts.get(w))
        ),
        "This is the logarithm to base 2; the chapter uses the natural one.": (
            lambda counts, theta: (
                _multinomial_log_likelihood(counts, theta) / log(2)
            )
        ),
        "This is the likelihood itself, without a logarithm; it underflows "
        "for long texts.": lambda counts, theta: prod(
            theta[w] ** n for w, n in counts.items()
        ),
        "A word of probability zero that does occur makes the document "
        "impossible: the answer is minus infinity.": lambda counts, theta: sum(
            n * log(theta[w]) for w, n in counts.items() if theta[w] > 0
        ),
    },
)

# -- dcm_log_probability(counts, alpha) -----------------------------------

_THIRDS = {"node": 0.5, "edge": 0.25, "path": 0.25}
_MANY = {"a": 0.1, "b": 2.0, "c": 30.0, "d": 0.004, "e": 1.0}


def _log_rising(a, n):
    return lgamma(a + n) - lgamma(a)


def _dcm(counts, alpha):
    total, length = sum(alpha.values()), sum(counts.values())
    words = sum(_log_rising(alpha[w], n) for w, n in counts.items())
    return words - _log_rising(total, length)


def _with_total(total):
    """Return the mistake with another sum of the parameters."""

    def wrong(counts, alpha):
        words = sum(_log_rising(alpha[w], n) for w, n in counts.items())
        length = sum(counts.values())
        return words - _log_rising(total(counts, alpha), length)

    return wrong


def _plug_in(counts, alpha):
    total = sum(alpha.values())
    return sum(n * log(alpha[w] / total) for w, n in counts.items())


dcm_log_probability = Exercise(
    reference=_dcm,
    cases=(
        ({"node": 1, "path": 3}, _THIRDS),
        ({"edge": 2}, _THIRDS),
        ({"a": 5, "c": 4}, _MANY),
        ({"d": 1, "e": 7, "b": 2}, _MANY),
        ({"c": 900, "d": 40}, _MANY),
        ({}, _MANY),
    ),
    mistakes={
        "The sum of the parameters runs over all words of the vocabulary, "
        "not only over those that occur.": _with_total(
            lambda counts, alpha: sum(alpha[w] for w in counts)
        ),
        "The rising power below has the sum of all parameters for its base, "
        "not the number of words of the vocabulary.": _with_total(
            lambda counts, alpha: len(alpha)
        ),
        "This is the probability of the counts in any order; asked for is "
        "that of the words in their order.": lambda counts, alpha: (
            _dcm(counts, alpha) + _log_orders(counts)
        ),
        "This is the multinomial with the mean of the Dirichlet distribution: "
        "the "
        "balls that are put back are missing.": _plug_in,
        "The denominator, the rising power of the sum, is missing.": (
            lambda counts, alpha: sum(
                _log_rising(alpha[w], n) for w, n in counts.items()
            )
        ),
        "lgamma(a + n) has to be compared with lgamma(a).": (
            lambda counts, alpha: (
                sum(lgamma(alpha[w] + n) for w, n in counts.items())
                - lgamma(sum(alpha.values()) + sum(counts.values()))
            )
        ),
    },
)

# -- urn_after(balls, uniforms) -------------------------------------------

_COLOURS = {"red": 3, "green": 2, "blue": 1}
_LIGHT = {word: F(1, 10) for word in ("node", "edge", "path", "tree")}


def _urn_after(balls, uniforms, added=1):
    balls = dict(balls)
    for u in uniforms:
        total = sum(balls.values())
        below = accumulate(balls.values())
        colours = zip(balls, below, strict=True)
        drawn = next(k for k, b in colours if u * total < b)
        balls[drawn] += added
    return balls


def _from_the_last(balls, uniforms):
    """Lay the colours out from the last to the first."""
    after = _urn_after(dict(reversed(balls.items())), uniforms)
    return dict(reversed(after.items()))


def _always_the_first_urn(balls, uniforms):
    """Forget that the drawn balls change the next draw."""
    after = dict(balls)
    for u in uniforms:
        for colour, n in _urn_after(balls, [u]).items():
            after[colour] += n - balls[colour]
    return after


urn_after = Exercise(
    reference=_urn_after,
    cases=(
        (_COLOURS, [F(9, 10), F(9, 11), F(1, 3), F(2, 3), F(4, 5), F(2, 5)]),
        (
            {"heads": F(3, 2), "tails": F(1, 2)},
            [F(3, 4), F(2, 3), F(1, 5), F(5, 9), F(9, 10)],
        ),
        (_LIGHT, [F(3, 5), F(2, 5), F(1, 50), F(1, 2), F(49, 50)]),
        ({"a": F(7, 3), "b": 1}, [F(7, 10), F(1, 2), F(3, 5), F(17, 20)]),
        (_COLOURS, [F(2, 5), F(1, 2), F(5, 8), F(3, 5), F(1, 2), F(1, 2)]),
        (_COLOURS, []),
    ),
    mistakes={
        "Nothing has joined the drawn balls here. Another one of the drawn "
        "colour belongs to each.": lambda balls, uniforms: dict(balls),
        "Two more balls join each drawn one here; one is asked for.": (
            lambda balls, uniforms: _urn_after(balls, uniforms, added=2)
        ),
        "The balls that are put back change the probabilities of the next "
        "draw.": _always_the_first_urn,
        "The first colour has the interval that begins at 0.": _from_the_last,
        "These are shares; the numbers of balls are asked for.": (
            lambda balls, uniforms: {
                k: n / F(sum(_urn_after(balls, uniforms).values()))
                for k, n in _urn_after(balls, uniforms).items()
            }
        ),
        "These are the draws alone; the balls of the beginning are still in "
        "the urn.": lambda balls, uniforms: {
            k: n - balls[k] for k, n in _urn_after(balls, uniforms).items()
        },
    },
)

# -- fixed_point_step(documents, alpha) -----------------------------------

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
        word: sum(_reciprocals(a, x.get(word, 0)) for x in documents)
        for word, a in alpha.items()
    }


def _denominator(documents, total):
    return sum(_reciprocals(total, sum(x.values())) for x in documents)


def _fixed_point_step(documents, alpha):
    below = _denominator(documents, sum(alpha.values()))
    above = _numerators(documents, alpha)
    return {word: a * above[word] / below for word, a in alpha.items()}


def _without_the_factor(documents, alpha):
    new = _fixed_point_step(documents, alpha)
    return {word: new[word] / alpha[word] for word in alpha}


def _own_denominators(documents, alpha):
    above = _numerators(documents, alpha)
    return {
        word: a * above[word] / _denominator(documents, a)
        for word, a in alpha.items()
    }


def _one_long_document(documents, alpha):
    together = {word: sum(x.get(word, 0) for x in documents) for word in alpha}
    return _fixed_point_step([together], alpha)


def _sum_kept(documents, alpha):
    new = _fixed_point_step(documents, alpha)
    scale = sum(alpha.values()) / sum(new.values())
    return {word: a * scale for word, a in new.items()}


def _gradient(documents, alpha):
    below = _denominator(documents, sum(alpha.values()))
    above = _numerators(documents, alpha)
    return {word: above[word] - below for word in alpha}


fixed_point_step = Exercise(
    reference=_fixed_point_step,
    cases=(
        (_PAIRS, {"a": F(2), "b": F(2)}),
        (_PAIRS, {"a": F(1), "b": F(3)}),
        (_FOUR, {"a": F(1), "b": F(1), "c": F(1)}),
        (_FOUR, {"a": F(1, 2), "b": F(1, 5), "c": F(3)}),
        ([{"a": 5}, {"c": 5}], {"a": F(1), "b": F(2), "c": F(3)}),
        ([{"a": 1, "b": 2}, {}, {"a": 3}], {"a": F(1, 2), "b": F(1, 2)}),
    ),
    mistakes={
        "The quotient is a factor: it multiplies the old parameter.": (
            _without_the_factor
        ),
        "The denominator has the sum of all parameters, not the parameter of "
        "the word.": _own_denominators,
        "This takes all documents for one long one. Each document has an urn "
        "of its own.": _one_long_document,
        "A word that comes n times in a document has n terms in the sum; "
        "here it has one.": lambda documents, alpha: _fixed_point_step(
            [dict.fromkeys(x, 1) for x in documents], alpha
        ),
        "These parameters have the same sum as the old ones; the sum is "
        "fitted too.": _sum_kept,
        "This is the gradient. The fixed point divides instead of "
        "subtracting.": _gradient,
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "to_csr": to_csr,
    "multinomial_log_likelihood": multinomial_log_likelihood,
    "dcm_log_probability": dcm_log_probability,
    "urn_after": urn_after,
    "fixed_point_step": fixed_point_step,
}
