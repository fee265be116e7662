"""Drills of concepts: a posterior over sets of numbers, and predictions.

Concepts are sets of the numbers from 1 to some n, all answers are fractions.
"""

from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.asking import Asked
from bayesbook.study.drills.drill import Drill, pick, some
from bayesbook.study.drills.estimation import likelihood_drill
from bayesbook.study.drills.writing import equals, fraction

_LONGEST = 400  # the largest denominator of an answer


def _is_power(x: int, base: int) -> bool:
    while x % base == 0:
        x //= base
    return x == 1


def _members(name: str, n: int) -> list[int]:
    """List the numbers from 1 to n that obey a rule, by its name."""
    kind, _, k = name.rpartition(" of ")
    rules = {
        "all numbers": lambda x: True,
        "even": lambda x: x % 2 == 0,
        "squares": lambda x: round(x**0.5) ** 2 == x,
        "multiples": lambda x: x % int(k) == 0,
        "powers": lambda x: x > 1 and _is_power(x, int(k)),
    }
    return [x for x in range(1, n + 1) if rules[kind or name](x)]


_RULES = (
    "all numbers",
    "even",
    "squares",
    *(f"multiples of {k}" for k in (3, 4, 5, 6, 8, 10)),
    "powers of 2",
    "powers of 3",
)
_TOPS = (20, 30, 40, 50, 60)


def _two_rules(
    rng: np.random.Generator, n: int
) -> tuple[list[str], list[list[int]], list[int]]:
    """Draw a smaller and a larger rule, and what belongs to both."""
    names = some(_RULES, 2, rng)
    names.sort(key=lambda name: len(_members(name, n)))
    sets = [_members(name, n) for name in names]
    return names, sets, [x for x in sets[0] if x in sets[1]]


def _said(numbers: list[int]) -> str:
    return and_list([str(x) for x in numbers])


def _convention(names: list[str]) -> str:
    """Return what is said of the number 1, where a rule depends on it."""
    named = any(name.startswith("powers") for name in names)
    return "The number 1 is not counted as a power. " if named else ""


def _braces(numbers: list[int]) -> str:
    return rf"$\{{{', '.join(map(str, numbers))}\}}$"


# --- a posterior over concepts ----------------------------------------------

_UPDATED = """
def updated(p, sets, data):
    for x in data:
        p = [q * F(x in h, len(h)) for q, h in zip(p, sets)]
        p = [q / sum(p) for q in p]
    return p
"""


def concept_posterior(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a posterior over concepts, or when a concept leads."""
    model = (_drawn, _labelled, _lead, _family)[seed % 4]
    return likelihood_drill("concept-posterior", seed, lambda: model(rng))


def _drawn(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, _TOPS)
    (first, second), (small, large), shared = _two_rules(rng, n)
    size = pick(rng, [2, 2, 3])
    if not shared or len(small) == len(large) or len(small) < 2:
        return None
    data = [pick(rng, shared) for _ in range(size)]
    p = Fraction(1, pick(rng, [2, 3, 4, 5, 6, 10]))
    a, b = Fraction(len(small)), Fraction(len(large))
    odds = p / (1 - p) * (b / a) ** size
    if (odds / (1 + odds)).denominator > _LONGEST:
        return None
    return Asked(
        prompt=(
            f"A concept about the numbers from 1 to {n} is "
            f'"{first}" with prior probability ${fraction(p)}$, and otherwise '
            f'"{second}". Drawn from it are {_said(data)}, independently, '
            "each time with the same probability of every member. "
            f"{_convention([first, second])}What is "
            f'the posterior probability of "{first}"?'
        ),
        names={
            "top": n,
            "small": small,
            "large": large,
            "data": data,
            "p": p,
            "a": a,
            "b": b,
            "N": size,
        },
        formula="p * b**N / (p * b**N + (1 - p) * a**N)",
        check="updated([p, 1 - p], [small, large], data)[0]",
        helpers=_UPDATED,
        mistakes="""
            p | This is the prior. It would be the posterior if you had chosen
                the numbers yourself: weak sampling.
            p * b / (p * b + (1 - p) * a) | This uses one example; each one
                multiplies the odds.
            b**N / (b**N + a**N) | if 2 * p != 1 | This leaves out the
                prior.
            (1 - p) * a**N / (p * b**N + (1 - p) * a**N) | This is the
                posterior of the other rule.
            p * a**N / (p * a**N + (1 - p) * b**N) | Here the larger concept
                gains. The likelihood of a concept is one over its size, for
                each example.
            p * b**N / ((1 - p) * a**N) | These are the odds; divide by one
                plus the odds.
        """,
        rule=(
            f'Both rules contain all examples. "{first}" has {a} members and '
            f'"{second}" has {b}, so each example multiplies the odds of the '
            rf"smaller one by $\frac{{{b}}}{{{a}}}$, whether it has been seen "
            "before or not."
        ),
        reason=(
            rf"\frac{{{b}^{size} \cdot {fraction(p)}}}"
            rf"{{{a}^{size} \cdot {fraction(1 - p)}}} = {equals(odds)}, "
            rf"\qquad \frac{{{fraction(odds)}}}{{1 + {fraction(odds)}}} "
            f"= {equals(odds / (1 + odds))}"
        ),
        told=("(p * b**N / ((1 - p) * a**N), 1 - p, a, b)",),
        look=(
            f'How many members have "{first}" and "{second}" up to {n}, and '
            "do they contain all examples?"
        ),
        step=(
            f'"{first}" has {a} members and "{second}" has {b}. Multiply the '
            "prior odds once for each example."
        ),
        sense="The smaller of two concepts that fit has gained.",
    )


def _labelled(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, _TOPS)
    names = some(_RULES, 3, rng)
    names.sort(key=lambda name: len(_members(name, n)))
    sets = [_members(name, n) for name in names]
    where = pick(rng, [0, 1, 2])
    kept = [i for i in range(3) if i != where]
    data = [
        x for x in sets[kept[0]] if x in sets[kept[1]] and x not in sets[where]
    ]
    weights = [Fraction(int(k), 10) for k in rng.integers(1, 8, 3)]
    if sum(weights) != 1 or len(data) < 2:
        return None
    data = some(data, 2, rng)
    one, two = kept
    p, q, r = weights[one], weights[two], weights[where]
    a, b = (Fraction(len(sets[i])) for i in kept)
    if p == q or a == b:
        return None
    listed = and_list(
        [f'"{h}" ({w})' for h, w in zip(names, weights, strict=True)]
    )
    return Asked(
        prompt=(
            f"The rules about the numbers from 1 to {n} that may be meant, "
            f"with their prior probabilities, are {listed}. You name two "
            f"numbers of your choice, {_said(data)}, and are told that both "
            f"obey the rule. {_convention(names)}"
            "What is the posterior probability of "
            f'"{names[one]}"?'
        ),
        names={
            "top": n,
            "sets": [sets[one], sets[two], sets[where]],
            "data": data,
            "p": p,
            "q": q,
            "r": r,
            "a": a,
            "b": b,
        },
        formula="p / (p + q)",
        check="told_yes([p, q, r], sets, data)",
        helpers=(
            "def told_yes(weights, sets, data):\n"
            "    left = [w * all(x in h for x in data)"
            " for w, h in zip(weights, sets)]\n"
            "    return left[0] / sum(left)\n"
        ),
        mistakes="""
            p | This is the prior. One of the rules is excluded, and its
                probability goes to the others.
            q / (p + q) | This is the posterior of the other rule that is
                left.
            p / (p + p) | Two rules are left, but their prior probabilities
                differ.
            p / a**2 / (p / a**2 + q / b**2) | This is for examples that were
                drawn from the concept. Here you have chosen the numbers.
            p / (p + q + r / 2) | A rule that lacks one of the numbers is
                impossible, not only less probable.
        """,
        rule=(
            f'"{names[where]}" does not contain both numbers and is '
            "excluded. The two rules that are left had to give the same "
            "answers, so the sizes do not matter: this is weak sampling, and "
            "the ratio of the probabilities stays that of the prior."
        ),
        reason=(
            rf"\frac{{{fraction(p)}}}{{{fraction(p)} + {fraction(q)}}} = "
            f"{equals(p / (p + q))}"
        ),
        told=("(p, q, r, p + q)",),
        look=(
            "Which rules contain both numbers? And does the choice of the "
            "numbers depend on the rule?"
        ),
        step=(
            f'"{names[where]}" is excluded. The other two have the prior '
            f"probabilities ${fraction(p)}$ and ${fraction(q)}$."
        ),
        sense="No rule that is left has become less probable.",
    )


def _lead(rng: np.random.Generator) -> Asked | None:
    a = pick(rng, range(3, 16))
    b = a + pick(rng, range(1, 8))
    rarity = pick(rng, range(5, 201, 5))
    factor, odds = Fraction(b, a), Fraction(1, rarity)
    k = next(m for m in count() if odds * factor**m > 1)
    if k < 2 or odds * factor ** (k - 1) == 1:
        return None
    return Asked(
        prompt=(
            f"A rule has {a} members, and the prior odds of it are "
            rf"$\frac{{1}}{{{rarity}}}$ against a rule that contains it and "
            f"has {b} members. The examples are drawn from one of the two "
            "rules, with replacement, and all lie in both. After how many "
            "examples is the smaller rule the more probable one for the "
            "first time?"
        ),
        names={
            "a": Fraction(a),
            "b": Fraction(b),
            "odds": odds,
            "k": Fraction(k),
        },
        formula="k",
        check="next(m for m in range(2000) if odds * F(b, a)**m > 1)",
        mistakes="""
            k - 1 | With one example less the odds are still below 1.
            k / k | One example would do for equal prior probabilities.
            a / (b * odds) // 1 + 1 | Here each example adds the ratio of the
                sizes. It multiplies the odds.
            k + 1 | The smaller rule leads already after one example fewer.
        """,
        rule=(
            "Each example multiplies the odds of the smaller rule by "
            rf"$\frac{{{b}}}{{{a}}}$. They exceed 1 when this factor, "
            f"multiplied once for each example, exceeds {rarity}."
        ),
        reason=(
            rf"\frac{{\log {rarity}}}{{\log {b} - \log {a}}} \approx "
            f"{np.log(rarity) / np.log(b / a):.2f}, "
            rf"\qquad N = {k}"
        ),
        told=("(1 / odds, np.log(float(1 / odds)) / np.log(float(F(b, a))))",),
        look=(
            "By which factor does an example that lies in both rules change "
            "their odds?"
        ),
        step=(
            rf"The factor is $\frac{{{b}}}{{{a}}}$. How often has it to be "
            f"multiplied to exceed {rarity}?"
        ),
        sense=(
            "The smaller the difference of the sizes, the more examples it "
            "takes."
        ),
    )


def _family(rng: np.random.Generator) -> Asked | None:
    w = Fraction(pick(rng, range(1, 10)), 10)
    rule, interval = (
        Fraction(pick(rng, range(1, 10)), 10**6) for _ in range(2)
    )
    odds = w * rule / ((1 - w) * interval)
    share = odds / (1 + odds)
    if rule == interval or share.denominator > _LONGEST:
        return None
    tops = [int(e * 10**6) for e in (rule, interval)]
    return Asked(
        prompt=(
            "A concept is a rule with prior probability "
            f"${fraction(w)}$, and otherwise an interval. The evidence of "
            rf"some examples is ${tops[0]} \cdot 10^{{-6}}$ under the rules "
            rf"and ${tops[1]} \cdot 10^{{-6}}$ under the intervals. What is "
            "the posterior probability that the concept is a rule?"
        ),
        names={"w": w, "first": rule, "second": interval},
        formula="w * first / (w * first + (1 - w) * second)",
        check="weighted([w, 1 - w], [first, second])",
        helpers=(
            "def weighted(prior, evidence):\n"
            "    joint = [q * e for q, e in zip(prior, evidence)]\n"
            "    return joint[0] / sum(joint)\n"
        ),
        mistakes="""
            w | This is the prior probability.
            first / (first + second) | if 2 * w != 1 | This leaves out the
                prior probabilities of the families.
            (1 - w) * second / (w * first + (1 - w) * second) | This is the
                posterior probability of an interval.
            w * first / ((1 - w) * second) | These are the odds; divide by
                one plus the odds.
            (1 - w) * first / ((1 - w) * first + w * second)
                | if 2 * w != 1 | The prior probabilities have changed
                places.
        """,
        rule=(
            "The evidence of a family is its likelihood. It multiplies the "
            f"prior odds by the Bayes factor, ${fraction(rule / interval)}$."
        ),
        reason=(
            rf"\frac{{{fraction(w)} \cdot {tops[0]}}}"
            rf"{{{fraction(w)} \cdot {tops[0]} + {fraction(1 - w)} \cdot "
            f"{tops[1]}}} = {equals(share)}"
        ),
        told=("(first / second, 1 - w, first * 10**6, second * 10**6)",),
        look=(
            "Bayes' rule has two hypotheses here. What are their prior "
            "probabilities and their likelihoods?"
        ),
        step=(
            f"The prior odds are ${fraction(w / (1 - w))}$, and the Bayes "
            f"factor is ${fraction(rule / interval)}$."
        ),
        sense=(
            "The family under which the examples are more probable has gained."
        ),
    )


# --- predictions ------------------------------------------------------------


def concept_prediction(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for an averaged prediction, from a posterior over concepts."""
    model = (_belongs, _next, _size, _second)[seed % 4]
    return likelihood_drill("concept-prediction", seed, lambda: model(rng))


def _three_sets(rng: np.random.Generator) -> tuple[list[list[int]], list[int]]:
    """Draw three sets of different sizes, and their weights in tenths."""
    sizes = some(range(2, 9), 3, rng)
    sets = [
        sorted(int(x) for x in rng.choice(np.arange(1, 13), size, False))
        for size in sizes
    ]
    tenths = [int(k) for k in rng.multinomial(10, [1 / 3] * 3)]
    return sets, tenths


def _given(sets: list[list[int]], tenths: list[int], when: str) -> str:
    listed = and_list(
        [
            f"{_braces(h)} with {Fraction(k, 10)}"
            for h, k in zip(sets, tenths, strict=True)
        ]
    )
    return (
        f"The {when} probabilities of three concepts are: {listed}. "
        "Examples are drawn from the concept, independently, each member "
        "with the same probability. "
    )


def _suits(sets: list[list[int]], tenths: list[int], x: int) -> bool:
    """Return whether some concepts contain x and some do not."""
    holding = [x in h for h in sets]
    apart = max(tenths) > sorted(tenths)[1]
    return min(tenths) > 0 and apart and 0 < sum(holding) < 3


def _names(sets: list[list[int]], tenths: list[int], x: int) -> dict[str, Any]:
    """Name the weights, sizes and indicators of x, and those of the MAP."""
    p = [Fraction(k, 10) for k in tenths]
    names: dict[str, Any] = {"sets": sets, "p": p, "x": Fraction(x)}
    best = tenths.index(max(tenths))
    for end, at in zip("123m", (0, 1, 2, best), strict=True):
        names[f"p{end}"] = p[at]
        names[f"s{end}"] = Fraction(len(sets[at]))
        names[f"i{end}"] = Fraction(x in sets[at])
    return names


def _terms(values: list[str]) -> str:
    return " + ".join(values)


def _holding(sets: list[list[int]], tenths: list[int], x: int) -> list[int]:
    """List the places of the concepts that contain x."""
    return [i for i, h in enumerate(sets) if x in h and tenths[i]]


def _belongs(rng: np.random.Generator) -> Asked | None:
    sets, tenths = _three_sets(rng)
    x = int(rng.integers(1, 13))
    if not _suits(sets, tenths, x):
        return None
    names = _names(sets, tenths, x)
    holding = _holding(sets, tenths, x)
    answer = sum((names["p"][i] for i in holding), Fraction(0))
    return Asked(
        prompt=(
            _given(sets, tenths, "posterior")
            + f"What is the probability that {x} belongs to the concept?"
        ),
        names=names,
        formula="p1 * i1 + p2 * i2 + p3 * i3",
        check="sum(q for q, h in zip(p, sets) if x in h)",
        mistakes="""
            p1 * i1 / s1 + p2 * i2 / s2 + p3 * i3 / s3 | This is the
                probability that it is the *next* example.
            im | This is the plug-in prediction by the most probable concept.
                Average over all three.
            (i1 + i2 + i3) / 3 | This counts concepts. They are not equally
                probable.
            p1 * (1 - i1) + p2 * (1 - i2) + p3 * (1 - i3) | This is the
                probability that it does not belong.
        """,
        rule=(
            f"By the law of total probability, add the posterior "
            f"probabilities of the concepts that contain {x}."
        ),
        reason=(
            f"{_terms([fraction(names['p'][i]) for i in holding])} = "
            f"{equals(answer)}"
            if len(holding) > 1
            else rf"\mathbb{{P}} = {equals(answer)}"
        ),
        told=("(p, x)",),
        look=f"Which of the three concepts contain {x}?",
        step=(
            f"{and_list([_braces(sets[i]) for i in holding])} "
            f"{'contain' if len(holding) > 1 else 'contains'} {x}."
        ),
        sense=(
            "It is 0 or 1 only if all concepts of positive probability agree."
        ),
    )


def _next(rng: np.random.Generator) -> Asked | None:
    sets, tenths = _three_sets(rng)
    x = int(rng.integers(1, 13))
    if not _suits(sets, tenths, x):
        return None
    names = _names(sets, tenths, x)
    holding = _holding(sets, tenths, x)
    answer = sum((names["p"][i] / len(sets[i]) for i in holding), Fraction(0))
    summands = [
        rf"{fraction(names['p'][i])} \cdot \frac{{1}}{{{len(sets[i])}}}"
        for i in holding
    ]
    return Asked(
        prompt=(
            _given(sets, tenths, "posterior")
            + f"What is the probability that the next example is {x}?"
        ),
        names=names,
        formula="p1 * i1 / s1 + p2 * i2 / s2 + p3 * i3 / s3",
        check="sum(q * F(h.count(x), len(h)) for q, h in zip(p, sets))",
        mistakes="""
            p1 * i1 + p2 * i2 + p3 * i3 | This is the probability that it
                belongs. It also has to be drawn.
            im / sm | This is the plug-in prediction by the most probable
                concept. Average over all three.
            (i1 / s1 + i2 / s2 + i3 / s3) / 3 | The three concepts are not
                equally probable.
            (p1 * i1 / s1 + p2 * i2 / s2 + p3 * i3 / s3)
                / (p1 * i1 + p2 * i2 + p3 * i3) | This is for an example of
                which you know that it belongs. The concepts that lack it
                count too.
        """,
        rule=(
            f"A concept that contains {x} draws it with probability one over "
            "its size, and the others do not draw it at all. Weigh these "
            "probabilities by the posterior."
        ),
        reason=f"{_terms(summands)} = {equals(answer)}",
        told=("(p, x, [F(1, s) for s in (s1, s2, s3)])",),
        look=(
            f"Which concepts contain {x}, and with what probability does each "
            "of them draw it?"
        ),
        step=(
            f"{_braces(sets[holding[0]])} contains {x}, and draws it with "
            rf"probability $\frac{{1}}{{{len(sets[holding[0]])}}}$."
        ),
        sense="It is smaller than the probability that the number belongs.",
    )


def _size(rng: np.random.Generator) -> Asked | None:
    sets, tenths = _three_sets(rng)
    if not _suits(sets, tenths, sets[0][0]):
        return None
    names = _names(sets, tenths, sets[0][0])
    sizes = [len(h) for h in sets]
    answer = sum(
        (q * k for q, k in zip(names["p"], sizes, strict=True)), Fraction(0)
    )
    summands = [
        rf"{fraction(q)} \cdot {k}"
        for q, k in zip(names["p"], sizes, strict=True)
    ]
    return Asked(
        prompt=(
            _given(sets, tenths, "posterior")
            + "Somebody adds the probabilities that a number belongs to the "
            "concept, for all numbers. What is the sum?"
        ),
        names={**names, "whole": sorted(set().union(*sets))},
        formula="p1 * s1 + p2 * s2 + p3 * s3",
        check="sum(q * (y in h) for y in whole for q, h in zip(p, sets))",
        mistakes="""
            p1 + p2 + p3 | The distribution of the *next* example sums to 1.
                Several numbers belong at the same time.
            sm | This is the size of the most probable concept.
            (s1 + s2 + s3) / 3 | The three concepts are not equally probable.
            len(whole) | A number that only some of the concepts contain
                counts by its probability.
        """,
        rule=(
            "The sum of the probabilities of events is the expected number "
            "of those that occur: here the expected size of the concept."
        ),
        reason=f"{_terms(summands)} = {equals(answer)}",
        told=("(p, s1, s2, s3)",),
        look=(
            "A number of members is expected. How many has each concept, and "
            "how probable is it?"
        ),
        step=(
            f"The sizes are {_said(sizes)}. Weigh them by the posterior "
            "probabilities."
        ),
        sense=(
            f"It lies between the smallest size, {min(sizes)}, and the "
            f"largest, {max(sizes)}."
        ),
    )


def _second(rng: np.random.Generator) -> Asked | None:
    sets, tenths = _three_sets(rng)
    x, y = some(range(1, 13), 2, rng)
    names = _names(sets, tenths, x)
    inside = [Fraction(y in h) for h in sets]
    both = [i for i, h in enumerate(sets) if x in h and y in h]
    if not _suits(sets, tenths, x) or not both:
        return None
    after = zip(names["p"], sets, strict=True)
    seen = sum((q * Fraction(x in h, len(h)) for q, h in after), Fraction(0))
    twice = sum(
        (names["p"][i] * Fraction(1, len(sets[i]) ** 2) for i in both),
        Fraction(0),
    )
    if (twice / seen).denominator > _LONGEST:
        return None
    of_both = [
        rf"{fraction(names['p'][i])} \cdot \frac{{1}}{{{len(sets[i])}^2}}"
        for i in both
    ]
    of_first = [
        rf"{fraction(names['p'][i])} \cdot \frac{{1}}{{{len(sets[i])}}}"
        for i in _holding(sets, tenths, x)
    ]
    ends = {f"j{k}": j for k, j in zip("123", inside, strict=True)}
    return Asked(
        prompt=(
            _given(sets, tenths, "prior")
            + f"The first example is {x}. What is the probability that the "
            f"second one is {y}?"
        ),
        names={**names, **ends, "y": Fraction(y)},
        formula=(
            "(p1 * i1 * j1 / s1**2 + p2 * i2 * j2 / s2**2"
            " + p3 * i3 * j3 / s3**2)"
            " / (p1 * i1 / s1 + p2 * i2 / s2 + p3 * i3 / s3)"
        ),
        check="draw(updated(p, x), y)",
        helpers=(
            "def draw(weights, x):\n"
            "    return sum(w * F(h.count(x), len(h))"
            " for w, h in zip(weights, sets))\n"
            "def updated(weights, x):\n"
            "    return [w * F(h.count(x), len(h)) / draw(weights, x)"
            " for w, h in zip(weights, sets)]\n"
        ),
        mistakes="""
            p1 * j1 / s1 + p2 * j2 / s2 + p3 * j3 / s3 | This is the
                probability of the second number before the first was seen.
                Compute the posterior first.
            p1 * i1 * j1 / s1**2 + p2 * i2 * j2 / s2**2 + p3 * i3 * j3 / s3**2
                | This is the probability of both examples. Divide it by that
                of the first.
            (p1 * i1 * j1 / s1 + p2 * i2 * j2 / s2 + p3 * i3 * j3 / s3)
                / (p1 * i1 + p2 * i2 + p3 * i3) | This only removes concepts.
                A small concept gains by the first example.
            (p1 * i1 * j1 / s1 + p2 * i2 * j2 / s2 + p3 * i3 * j3 / s3)
                / (p1 * i1 / s1 + p2 * i2 / s2 + p3 * i3 / s3) | This is the
                probability that the second number belongs. It also has to be
                drawn.
        """,
        rule=(
            "The probability of both examples, divided by that of the first: "
            "a concept that contains both draws them with probability one "
            "over the square of its size."
        ),
        reason=(
            rf"\frac{{{_terms(of_both)}}}{{{_terms(of_first)}}} = "
            f"{equals(twice / seen)}"
        ),
        told=("(p, x, y, [F(1, s) for s in (s1, s2, s3)])",),
        look=(
            f"How probable is each concept after {x}? It is prior times "
            "likelihood, divided by the sum."
        ),
        step=(
            f"The first example, {x}, has the probability ${fraction(seen)}$."
        ),
        sense=(
            "The first example has made those concepts more probable that "
            "gave it a large probability."
        ),
    )
