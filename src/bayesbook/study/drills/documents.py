"""Drills of models of text: odds of documents, a step that fits the urn.

Urns hold whole numbers of balls, so each answer is an exact fraction.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    equals,
    fraction,
    hints,
    mistakes_to_tell,
    names_of,
    paragraphs,
    rounded,
    table,
)

_LONGEST = 300  # denominators of answers
_SMALLEST, _LARGEST = Fraction(1, 25), 12
_written = partial(rounded, longest=500)
_IMPORTS = "from fractions import Fraction as F\nfrom math import log, prod\n"


# --- the odds of a document -------------------------------------------------

# Two classes of pages, and the words of their small vocabularies.
_STORIES = (
    (("graphs", "arrays"), ("node", "shape", "error")),
    (("sport", "weather"), ("goal", "rain", "today")),
    (("music", "cooking"), ("song", "salt", "minute")),
    (("travel", "justice"), ("train", "court", "city")),
)

_ODDS_SETUP = """
urns = [first, second]
def rising(a, k):
    return prod((F(a) + i for i in range(k)), start=F(1))
def dcm(balls, counts):
    each = [rising(a, k) for a, k in zip(balls, counts)]
    return prod(each) / rising(sum(balls), sum(counts))
def multinomial(balls, counts):
    return prod(F(a, sum(balls)) ** k for a, k in zip(balls, counts))
def drawn(balls, sequence):
    balls, probability = list(balls), F(1)
    for m in sequence:
        probability *= F(balls[m], sum(balls))
        balls[m] += 1
    return probability
sequence = [m for m, k in enumerate(x) for _ in range(k)]
there = [min(k, 1) for k in x]
def odds(model, counts=x):
    return model(first, counts) / model(second, counts)
def share(odds):
    return odds / (1 + odds)
def bernoulli(balls, counts):
    shares = [F(a, sum(balls)) for a in balls]
    return prod(p if k else 1 - p for p, k in zip(shares, counts))
"""

_DCM_MISTAKES = """
    odds(multinomial) | This is the multinomial model: the drawn balls are
        put back alone. In the urn another ball of the same colour joins
        each.
    odds(dcm, there) | This counts every word once. A second occurrence has
        a factor, too, with one ball more.
    1 / odds(dcm) | These are the odds of the other class.
    odds(dcm) * rising(sum(first), sum(x)) / rising(sum(second), sum(x))
        | if sum(first) != sum(second) | This leaves out the denominators.
        They cancel only if both urns begin with the same number of balls.
    share(odds(dcm)) | This is the posterior probability; the odds are asked
        for.
"""
_MULTINOMIAL_MISTAKES = """
    share(odds(dcm)) | Here balls have joined the drawn ones, as in a DCM. In
        the multinomial model the urn stays as it is.
    share(odds(multinomial, there)) | This counts every word once. In the
        multinomial model each occurrence has a factor.
    1 - share(odds(multinomial)) | This is the probability of the other class.
    odds(multinomial) | if odds(multinomial) < 1 | These are the odds.
        Divide them by 1 plus the odds.
    share(odds(bernoulli)) | The multinomial model has no factor for words
        that do not occur, but one for each repetition.
"""
_NEXT_MISTAKES = """
    F(first[0], sum(first)) / F(second[0], sum(second)) | This is the factor
        of the first token of a document. The balls that have joined are
        missing.
    F(first[0] + x[0], second[0] + x[0]) | if sum(first) != sum(second) | The
        totals are missing: they are different in the two urns.
    (F(second[0] + x[0], sum(second) + sum(x)) / F(first[0] + x[0],
        sum(first) + sum(x))) | This is turned upside down: it multiplies the
        odds of the other class.
    F(first[0] + x[0], sum(first) + sum(x)) | This is the probability in the
        first class. Divide it by the one in the other class.
    F(first[0], sum(first) + sum(x)) / F(second[0], sum(second) + sum(x))
        | if x[0] | The occurrences of this very word before are missing from
        the numerators.
    odds(dcm) | These are the odds after the words so far, without the next
        one.
"""


def document_odds(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for odds, a posterior, or a factor of the odds of a document."""
    variant = seed % 3
    classes, words = _STORIES[seed // 3 % len(_STORIES)]

    def draw() -> Drill | None:
        urns = [tuple(pick(rng, range(1, 7)) for _ in words) for _ in classes]
        x = (pick(rng, [1, 2, 3]), pick(rng, [1, 2, 3]), 0)
        if urns[0] == urns[1] or sum(x) > 4 or max(x) == 1:
            return None
        setup = (
            f"{_IMPORTS}first, second = {urns[0]}, {urns[1]}\nx = {x}"
            f"{_ODDS_SETUP}"
        )
        ask = (_dcm_odds, _multinomial_posterior, _next_factor)[variant]
        return ask(seed, classes, words, names_of(setup), setup)

    return until(draw)


def _urns_told(
    classes: tuple[str, str], words: tuple[str, ...], names: Mapping[str, Any]
) -> str:
    rows = [
        [name, *map(str, balls)]
        for name, balls in zip(classes, names["urns"], strict=True)
    ]
    return table(["class", *words], rows)


def _document(words: tuple[str, ...], x: tuple[int, ...]) -> str:
    """Write the words of a document in order."""
    spelled = [
        word for word, k in zip(words, x, strict=True) for _ in range(k)
    ]
    return f"“{' '.join(spelled)}”"


def _suits(answer: Fraction) -> bool:
    small = answer.denominator <= _LONGEST and answer.numerator <= _LONGEST
    return small and _SMALLEST <= answer <= _LARGEST and answer != 1


def _factors(balls: tuple[int, ...], x: tuple[int, ...], added: int) -> str:
    """Write the probability of a document as a fraction of products."""
    above = [
        a + added * i for a, k in zip(balls, x, strict=True) for i in range(k)
    ]
    below = [sum(balls) + added * j for j in range(sum(x))]
    up, down = (r" \cdot ".join(map(str, part)) for part in (above, below))
    return rf"\frac{{{up}}}{{{down}}}"


def _dcm_odds(
    seed: int,
    classes: tuple[str, str],
    words: tuple[str, ...],
    names: Mapping[str, Any],
    setup: str,
) -> Drill | None:
    x, urns, dcm = names["x"], names["urns"], names["dcm"]
    answer = dcm(urns[0], x) / dcm(urns[1], x)
    if not _suits(answer):
        return None
    mistakes = mistakes_to_tell(_DCM_MISTAKES, names, answer)
    if mistakes is None:
        return None
    lines = [
        f"$p(w \\mid \\text{{{name}}}) = {_factors(balls, x, 1)} = "
        f"{fraction(dcm(balls, x))}$"
        for name, balls in zip(classes, urns, strict=True)
    ]
    reason = (
        rf"\frac{{{fraction(dcm(urns[0], x))}}}"
        rf"{{{fraction(dcm(urns[1], x))}}} = {equals(answer)}"
    )
    plain = names["odds"](names["multinomial"])
    return number_drill(
        "document-odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**Draw the tokens one by one.** Each numerator is the number of "
            "balls of this word, each denominator the number of all balls, "
            "and after each draw there is one ball more:",
            "\n".join(f"- {line}" for line in lines),
            f"**The odds.** The classes are equally frequent:\n\n$${reason}$$",
            "**Does it make sense?** In the multinomial model, where "
            f"repetitions count fully, the odds would be ${equals(plain)}$.",
        ),
        prompt=paragraphs(
            "Two classes of pages are equally frequent. The pages of each are "
            "drawn by a DCM, from Pólya urns that begin with these balls:",
            _urns_told(classes, words, names),
            f"A page consists of the words {_document(words, x)}. What are "
            f"the odds of “{classes[0]}” to “{classes[1]}”?",
        ),
        setup=setup,
        check="drawn(first, sequence) / drawn(second, sequence)",
        why=f"$${reason}$$",
        why_check=(
            "dcm(first, x), dcm(second, x), odds(dcm)",
            "odds(multinomial), sum(first), sum(second), "
            "[sum(b) + j for b in urns for j in range(sum(x))]",
        ),
        hints=hints(
            "How many balls of its word does the second occurrence of a word "
            "find in the urn, and how many balls in all?",
            f"For “{classes[0]}” it is {lines[0]}. Do the same for "
            f"“{classes[1]}”.",
        ),
    )


def _multinomial_posterior(
    seed: int,
    classes: tuple[str, str],
    words: tuple[str, ...],
    names: Mapping[str, Any],
    setup: str,
) -> Drill | None:
    x, urns, model = names["x"], names["urns"], names["multinomial"]
    each = [model(balls, x) for balls in urns]
    answer = each[0] / sum(each)
    if not _suits(answer) or answer > 1 - _SMALLEST:
        return None
    mistakes = mistakes_to_tell(_MULTINOMIAL_MISTAKES, names, answer)
    if mistakes is None:
        return None
    lines = [
        f"$p(w \\mid \\text{{{name}}}) = {_factors(balls, x, 0)} = "
        f"{fraction(p)}$"
        for name, balls, p in zip(classes, urns, each, strict=True)
    ]
    reason = (
        rf"\frac{{{fraction(each[0])}}}"
        rf"{{{fraction(each[0])} + {fraction(each[1])}}} = {equals(answer)}"
    )
    urn = names["share"](names["odds"](names["dcm"]))
    return number_drill(
        "document-odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**The probabilities of the words in their order.** The shares "
            "stay the same from token to token:",
            "\n".join(f"- {line}" for line in lines),
            f"**Bayes' rule.** The classes are equally frequent:\n\n"
            f"$${reason}$$",
            "**Does it make sense?** Were these Pólya urns, so that each "
            "repetition says less, the probability would be "
            f"${equals(urn)}$.",
        ),
        prompt=paragraphs(
            "Two classes of pages are equally frequent. In the multinomial "
            "model, a token of a class is a word with a probability that is "
            "proportional to these numbers:",
            _urns_told(classes, words, names),
            f"A page consists of the words {_document(words, x)}. What is "
            f"the probability that it belongs to “{classes[0]}”?",
        ),
        setup=setup,
        check="share(odds(multinomial))",
        why=f"$${reason}$$",
        why_check=(
            "multinomial(first, x), multinomial(second, x)",
            "share(odds(dcm)), sum(first), sum(second)",
        ),
        hints=hints(
            "Each occurrence of a word has a factor, the share of the word "
            "in the row of the class.",
            f"For “{classes[0]}” it is {lines[0]}. Do the same for "
            f"“{classes[1]}”.",
        ),
    )


def _next_factor(
    seed: int,
    classes: tuple[str, str],
    words: tuple[str, ...],
    names: Mapping[str, Any],
    setup: str,
) -> Drill | None:
    x, urns = names["x"], names["urns"]
    each = [Fraction(b[0] + x[0], sum(b) + sum(x)) for b in urns]
    answer = each[0] / each[1]
    if not _suits(answer):
        return None
    mistakes = mistakes_to_tell(_NEXT_MISTAKES, names, answer)
    if mistakes is None:
        return None
    parts = [rf"\frac{{{b[0]} + {x[0]}}}{{{sum(b)} + {sum(x)}}}" for b in urns]
    reason = rf"{parts[0]} \Big/ {parts[1]} = {equals(answer)}"
    alone = Fraction(urns[0][0], sum(urns[0])) / Fraction(
        urns[1][0], sum(urns[1])
    )
    return number_drill(
        "document-odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            f"**The urns now.** {sum(x)} balls have joined, {x[0]} of them "
            f"for “{words[0]}”.",
            f"**The factor.**\n\n$${reason}$$",
            "**Does it make sense?** As the first word of a page, "
            f"“{words[0]}” multiplies the odds by ${equals(alone)}$.",
        ),
        prompt=paragraphs(
            "The pages of two classes are drawn by a DCM, from Pólya urns "
            "that begin with these balls:",
            _urns_told(classes, words, names),
            f"So far a page has the words {_document(words, x)}. The next "
            f"word is “{words[0]}” again. By which factor does this word "
            f"multiply the odds of “{classes[0]}” to “{classes[1]}”?",
        ),
        setup=setup,
        check=(
            "(drawn(first, [*sequence, 0]) / drawn(first, sequence)) / "
            "(drawn(second, [*sequence, 0]) / drawn(second, sequence))"
        ),
        why=f"$${reason}$$",
        why_check=(
            "[F(b[0] + x[0], sum(b) + sum(x)) for b in urns]",
            "F(first[0], sum(first)) / F(second[0], sum(second)), "
            "[sum(b) for b in urns], [b[0] + x[0] for b in urns]",
        ),
        hints=hints(
            "How many balls has each urn now, and how many of them are for "
            "the next word?",
            f"In the urn of “{classes[0]}” the probability of the next word "
            f"is ${parts[0]}$. What is it in the other urn?",
        ),
    )


# --- a step of the fixed-point iteration ------------------------------------

_STEP_SETUP = """
def terms(a, k):
    return [1 / (F(a) + i) for i in range(k)]
def total(values):
    return sum(values, start=F(0))
def numerator(m, documents=documents):
    return total(t for x in documents for t in terms(alpha[m], x[m]))
def denominator(a, documents=documents):
    return total(t for x in documents for t in terms(a, sum(x)))
A = [numerator(m) for m in range(2)]
D = denominator(sum(alpha))
once = [tuple(min(k, 1) for k in x) for x in documents]
joined = [tuple(sum(x[m] for x in documents) for m in range(2))]
def step(A, D, m=m):
    return alpha[m] * A / D
def log_likelihood(alpha):
    words = sum(log(alpha[m] + i) for x in documents for m in range(2)
                for i in range(x[m]))
    return words - sum(log(sum(alpha) + i) for x in documents
                       for i in range(sum(x)))
def slope(m, h=1e-5):
    up, down = ([*alpha] for _ in range(2))
    up[m] += h
    down[m] -= h
    return (log_likelihood(up) - log_likelihood(down)) / (2 * h)
"""
_STEP_MISTAKES = """
    A[m] - D | This is the slope of the log-likelihood. The step multiplies
        the parameter by a quotient.
    A[m] / D | if alpha[m] != 1 | This is the factor; it multiplies the old
        parameter.
    step(numerator(m, once), D) | A word that comes several times in a
        document has several terms: with a, with a + 1, and so on.
    step(numerator(m, joined), denominator(sum(alpha), joined)) | This takes
        all documents for one long one. Each document has an urn of its own.
    step(A[m], denominator(alpha[m])) | The denominator has the sum of all
        parameters, not the parameter of the word.
    step(D, A[m]) | The quotient is turned upside down.
    step(A[1 - m], D) | This is the numerator of the other word.
"""
_SLOPE_MISTAKES = """
    D - A[m] | The sign is wrong: the terms of the word raise the
        log-likelihood, those of the lengths lower it.
    A[m] / D | This is the quotient by which the fixed point multiplies.
    A[m] | The terms of the lengths of the documents are missing.
    numerator(m, once) - D | A word that comes several times in a document
        has several terms: with a, with a + 1, and so on.
    numerator(m, joined) - denominator(sum(alpha), joined) | This takes all
        documents for one long one. Each document has an urn of its own.
    A[m] - denominator(alpha[m]) | The terms of the lengths have the sum of
        all parameters, not the parameter of the word.
    A[1 - m] - D | This is the slope for the other word.
"""


def fixed_point(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a parameter after one step, or for the slope before it."""
    variant = seed % 3

    def draw() -> Drill | None:
        alpha = (pick(rng, [1, 2, 3]), pick(rng, [1, 2, 3]))
        drawn = rng.integers(0, 3, size=(pick(rng, [2, 3]), 2)).tolist()
        documents = [(k, j) for k, j in drawn]
        m = variant % 2
        lengths = [sum(x) for x in documents]
        twice = max(x[m] for x in documents) == 2
        unused = not all(map(any, zip(*documents, strict=True)))
        if min(lengths) == 0 or max(lengths) > 3 or unused or not twice:
            return None
        setup = (
            f"{_IMPORTS}alpha, documents = {alpha}, {documents}\nm = {m}"
            f"{_STEP_SETUP}"
        )
        return _step(seed, variant == 2, names_of(setup), setup)

    return until(draw)


def _sum_of(values: list[Fraction]) -> str:
    return " + ".join(map(fraction, values))


def _step(
    seed: int, slope: bool, names: Mapping[str, Any], setup: str
) -> Drill | None:
    alpha, documents, m = names["alpha"], names["documents"], names["m"]
    A, D = names["A"][m], names["D"]
    answer = A - D if slope else alpha[m] * A / D
    if answer.denominator > _LONGEST or not answer:
        return None
    block = _SLOPE_MISTAKES if slope else _STEP_MISTAKES
    mistakes = mistakes_to_tell(block, names, answer)
    if mistakes is None:
        return None
    terms = names["terms"]
    above = [t for x in documents for t in terms(alpha[m], x[m])]
    below = [t for x in documents for t in terms(sum(alpha), sum(x))]
    number = m + 1
    line_a = f"$A_{number} = {_sum_of(above)} = {fraction(A)}$"
    line_d = f"$D = {_sum_of(below)} = {fraction(D)}$"
    if slope:
        reason = (
            rf"A_{number} - D = {fraction(A)} - {fraction(D)} = "
            f"{equals(answer)}"
        )
        asked = (
            "What is the slope of the log-likelihood in "
            rf"$\alpha_{number}$, $\partial \ell / \partial \alpha_{number}$?"
        )
        sense = (
            "It is positive, so a larger parameter would be more likely."
            if answer > 0
            else "It is negative, so a smaller parameter would be more likely."
        )
    else:
        reason = (
            rf"\alpha_{number} \frac{{A_{number}}}{{D}} = {alpha[m]} \cdot "
            rf"\frac{{{fraction(A)}}}{{{fraction(D)}}} = {equals(answer)}"
        )
        asked = (
            rf"What is $\alpha_{number}$ after one step of the fixed-point "
            "iteration?"
        )
        sense = (
            rf"$A_{number}$ is larger than $D$, so the parameter rises."
            if A > D
            else rf"$A_{number}$ is smaller than $D$, so the parameter falls."
            if A < D
            else rf"$A_{number}$ and $D$ are equal, so it stays the same."
        )
    counts = ", ".join(f"$({k}, {j})$" for k, j in documents)
    return number_drill(
        "fixed-point",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            f"**The word.** Of each document that has word {number} there "
            "are as many terms as it has occurrences: " + line_a + ".",
            f"**The lengths.** Of each document there are as many terms as "
            f"it has words: {line_d}.",
            f"**The result.**\n\n$${reason}$$",
            f"**Does it make sense?** {sense}",
        ),
        prompt=paragraphs(
            "A DCM with two words is fitted to documents with the counts "
            f"{counts}. It begins with $\\alpha_1 = {alpha[0]}$ and "
            f"$\\alpha_2 = {alpha[1]}$.",
            asked,
        ),
        setup=setup,
        check="slope(m)" if slope else "step(A[m], D)",
        why=f"$${reason}$$",
        why_check=(
            "A[m], D, len(documents)",
            "[terms(alpha[m], x[m]) for x in documents]",
            "[terms(sum(alpha), sum(x)) for x in documents]",
        ),
        hints=hints(
            "Each occurrence of the word has a term, with one ball more than "
            "the occurrence before it in the same document.",
            f"{line_a}. Find $D$ in the same way from the lengths.",
        ),
    )
