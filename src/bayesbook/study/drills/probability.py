"""Drills of Bayes' rule and of the law of total probability."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import lcm
from typing import cast

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.probability import bayes_rule, total_probability
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.stories import STORIES, Rates, Situation
from bayesbook.study.drills.writing import (
    Mistake,
    by_hand,
    equals,
    hints,
    mistakes_of,
    paragraphs,
    sentence,
    table,
    told_apart,
)

# Nearer to 0 or 1 an answer could be guessed.
_LEAST = Fraction(1, 50)
# What can still be done by hand: the denominator of an answer, and the
# imagined crowd in which every group is a whole number.
_LARGEST_DENOMINATOR = 200
_LARGEST_CROWD = 20_000


def bayes(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a posterior probability."""
    story = STORIES[seed % len(STORIES)]

    def draw() -> Drill | None:
        situation = story(rng)
        asked = pick(rng, list(situation.prior))
        posterior = _posterior(situation.prior, situation.likelihood)
        if not _suits(situation, posterior[asked]):
            return None
        mistakes = list(_bayes_mistakes(situation, asked))
        if not told_apart(posterior[asked], mistakes):
            return None
        return number_drill(
            "bayes",
            seed,
            posterior[asked],
            mistakes,
            partial(_written, situation=situation),
            _bayes_worked(situation, asked, posterior),
            prompt=(
                f"{situation.text}\n\n{sentence(situation.claim)} What is "
                f"the probability that {situation.asked[asked]}?"
            ),
            setup=_setup(situation, asked),
            check="space.P(hypothesis, given=evidence)",
            why_check=("space.P(hypothesis & evidence), space.P(evidence)",),
            why=_bayes_reason(situation, asked, posterior[asked]),
            hints=_bayes_hints(situation, asked),
        )

    return until(draw)


def total(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the probability of an event that has several causes."""
    story = STORIES[seed % len(STORIES)]

    def draw() -> Drill | None:
        situation = story(rng)
        answer = _evidence(situation)
        if not _suits(situation, answer):
            return None
        mistakes = list(_total_mistakes(situation))
        if not told_apart(answer, mistakes):
            return None
        return number_drill(
            "total-probability",
            seed,
            answer,
            mistakes,
            partial(_written, situation=situation),
            _total_worked(situation, answer),
            prompt=(
                f"{situation.text}\n\nWhat is the probability that "
                f"{situation.claim}?"
            ),
            setup=_setup(situation, next(iter(situation.prior))),
            check="space.P(evidence)",
            why=_total_reason(situation, answer),
            hints=_total_hints(situation),
        )

    return until(draw)


def _suits(situation: Situation, answer: Fraction) -> bool:
    """Return whether it can be done by hand, and the evidence tells."""
    return (
        by_hand(answer, _LEAST, _LARGEST_DENOMINATOR)
        and _crowd(situation) <= _LARGEST_CROWD
        and len(set(situation.likelihood.values())) > 1
    )


def _crowd(situation: Situation) -> int:
    """Return the least number of cases that makes each group whole."""
    shares = [*situation.prior.values(), *_joint(situation).values()]
    return lcm(*(share.denominator for share in shares))


def _joint(situation: Situation) -> Rates:
    likelihood = situation.likelihood
    return {h: p * likelihood[h] for h, p in situation.prior.items()}


def _evidence(situation: Situation) -> Fraction:
    """Return the probability of the evidence, exact as prior and rates are."""
    prior, likelihood = situation.prior, situation.likelihood
    return cast(
        Fraction,
        total_probability(dict(prior.items()), dict(likelihood.items())),
    )


def _posterior(prior: Rates, likelihood: Rates) -> Rates:
    """Return the posterior, exact as prior and likelihood are."""
    return cast(
        Rates, bayes_rule(dict(prior.items()), dict(likelihood.items()))
    )


# --- common mistakes --------------------------------------------------------


def _bayes_mistakes(situation: Situation, asked: str) -> Iterator[Mistake]:
    evidence, name = _name(situation.evidence), _name(asked)
    names = {
        "prior": situation.prior[asked],
        "likelihood": situation.likelihood[asked],
        "joint": _joint(situation)[asked],
        "total": _evidence(situation),
        "opposite": _posterior(situation.prior, situation.stated)[asked],
        "rate": situation.likelihood,
        "asked": asked,
    }
    block = f"""
        likelihood = space.P(evidence, given=hypothesis)
            | This is the likelihood {_p(situation.evidence, asked)}: a share
            of the cases with {name}. Asked is a share of the cases with
            {evidence}, {_p(asked, situation.evidence)}.
        joint = space.P(hypothesis & evidence)
            | This is the joint probability of {name} *and* {evidence}. It is
            still a share of all cases: divide it by the probability of
            {evidence}.
        rate[asked] / sum(rate.values())
            | This would be right if all hypotheses were equally probable
            beforehand. But the prior of {name} is
            {_written(situation.prior[asked], situation)}.
        prior = space.P(hypothesis)
            | This is the prior of {name}, before anything was seen. It has to
            be weighed with the likelihoods.
        total = space.P(evidence)
            | This is the probability of {evidence}, the denominator of Bayes'
            rule.
        1 - joint / total = 1 - space.P(hypothesis, given=evidence)
            | This is the probability of everything but {name}, given
            {evidence}.
        opposite = space.P(hypothesis, given=space.complement(evidence))
            | if {situation.opposite}
            | This is the answer for {_name(situation.outcomes[0])}, whose
            rates the text states. Seen is {evidence}: take each rate from 1
            first.
    """
    return mistakes_of(block, names)


def _total_mistakes(situation: Situation) -> Iterator[Mistake]:
    prior, evidence = situation.prior, _name(situation.evidence)
    commonest = max(prior, key=lambda hypothesis: prior[hypothesis])
    names = {
        "joint": _joint(situation),
        "total": _evidence(situation),
        "rate": situation.likelihood,
    }
    others = "case" if len(prior) == 2 else "cases"
    branches = "".join(
        f"""
        joint[{h!r}] = space.P({{({h!r}, True)}})
            | if joint[{h!r}]
            | This is only the branch of {_name(h)}. The event also occurs in
            the other {others}: add the branches."""
        for h in prior
    )
    block = f"""
        sum(rate.values()) / len(rate)
            | This is the plain mean of the rates. Each must be weighted with
            how often its case occurs.
        sum(rate.values())
            | This is the sum of the rates. They are shares of different
            wholes, so their sum means nothing; it can even exceed 1.
        {branches}
        rate[{commonest!r}]
            | This is the rate for {_name(commonest)} alone. The whole is a
            weighted mean of all rates.
        1 - total = 1 - space.P(evidence)
            | This is the probability of {_name(_other(situation))}, the
            opposite of {evidence}.
    """
    return mistakes_of(block, names)


def _other(situation: Situation) -> str:
    return situation.outcomes[not situation.opposite]


# --- checks -----------------------------------------------------------------


def _setup(situation: Situation, asked: str) -> str:
    """Write the Python with which the quiz recomputes the key: enumeration."""
    facts = situation.facts or (
        f"prior = {situation.prior!r}\nstated = {situation.stated!r}\n"
    )
    rate = "{h: 1 - p for h, p in stated.items()}"
    return f"""\
from fractions import Fraction
from bayesbook.probability import two_stage
asked = {asked!r}
{facts}rate = {rate if situation.opposite else "stated"}
space = two_stage(prior, {{h: {{True: r, False: 1 - r}} for h, r in \
rate.items()}})
hypothesis = space.event(lambda path: path[0] == asked)
evidence = space.event(lambda path: path[1])
"""


# --- words ------------------------------------------------------------------


def _tex(name: str) -> str:
    return rf"\text{{{name}}}"


def _p(event: str, given: str) -> str:
    return rf"$\mathbb{{P}}[{_tex(event)} \mid {_tex(given)}]$"


def _name(name: str) -> str:
    return f"*{name}*"


def _written(value: Fraction, situation: Situation) -> str:
    """Write a number as its story does, as a decimal or as a fraction."""
    given = [*situation.prior.values(), *situation.stated.values()]
    in_percent = all(100 % share.denominator == 0 for share in given)
    if in_percent and 10**6 % value.denominator == 0:
        decimal = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{decimal:f}"
    return str(value)


def _quotient(top: int, bottom: int) -> str:
    """Write a quotient of counts, and the fraction that it reduces to."""
    value = Fraction(top, bottom)
    counts = (
        ""
        if value.denominator == bottom
        else rf"\frac{{{top}}}{{{bottom}}} = "
    )
    return f"${counts}{equals(value, 3)}$"


def _rates(situation: Situation) -> str:
    """Write how the rates follow from the text, if it does not state them."""
    parts = [situation.derivation] if situation.derivation else []
    if situation.opposite:
        stated, asked = map(_name, situation.outcomes)
        shown = ", ".join(
            f"1 − {_written(rate, situation)} = "
            f"{_written(1 - rate, situation)} for {_name(h)}"
            for h, rate in situation.stated.items()
        )
        parts.append(
            f"The rates of {asked} are what those of {stated} leave: {shown}."
        )
    return " ".join(parts)


def _counts(situation: Situation) -> tuple[int, str, dict[str, int]]:
    """Return a crowd, its groups in words, and their cases with evidence."""
    crowd = _crowd(situation)
    counts = {h: int(share * crowd) for h, share in _joint(situation).items()}
    groups = "; ".join(
        f"{int(p * crowd)} {_name(h)}, of these {counts[h]} "
        f"{_name(situation.evidence)}"
        for h, p in situation.prior.items()
    )
    return crowd, f"Imagine {crowd} {situation.crowd}: {groups}.", counts


def _sum(counts: dict[str, int]) -> str:
    return f"{' + '.join(map(str, counts.values()))} = {sum(counts.values())}"


def _bayes_reason(situation: Situation, asked: str, answer: Fraction) -> str:
    joint = _joint(situation)
    evidence = _tex(situation.evidence)
    top = _written(joint[asked], situation)
    bottom = _written(_evidence(situation), situation)
    return (
        rf"$$\mathbb{{P}}[{_tex(asked)} \mid {evidence}] = \frac{{"
        rf"\mathbb{{P}}[{_tex(asked)}] \, \mathbb{{P}}[{evidence} \mid "
        rf"{_tex(asked)}]}}{{\mathbb{{P}}[{evidence}]}}$$"
        "\n\n"
        rf"$$= \frac{{{top}}}{{{bottom}}} = {equals(answer, 3)}$$"
    )


def _product(situation: Situation, hypothesis: str) -> str:
    """Write the joint probability of a hypothesis and the evidence."""
    prior = situation.prior[hypothesis]
    factors = prior, situation.likelihood[hypothesis]
    shown = " × ".join(_written(value, situation) for value in factors)
    return f"{shown} = {_written(prior * factors[1], situation)}"


def _bayes_hints(situation: Situation, asked: str) -> tuple[str, ...]:
    seen, names = (
        _name(situation.evidence),
        and_list(map(_name, situation.prior)),
    )
    look = (
        f"The evidence is {seen}, and the hypothesis is {_name(asked)}. Write "
        f"down, for each of {names}, how probable it is beforehand and how "
        f"probable it makes {seen}."
    )
    step = (
        f"{_rates(situation)} The joint probability of {_name(asked)} and "
        f"{seen} is {_product(situation, asked)}."
    )
    return hints(look, step.strip())


def _total_hints(situation: Situation) -> tuple[str, ...]:
    seen, (first, *_) = _name(situation.evidence), situation.prior
    look = (
        f"Exactly one of {and_list(map(_name, situation.prior))} holds. How "
        f"probable is each, and how probable is {seen} in each?"
    )
    step = (
        f"{_rates(situation)} The branch of {_name(first)} contributes "
        f"{_product(situation, first)}."
    )
    return hints(look, step.strip())


def _bayes_worked(situation: Situation, asked: str, posterior: Rates) -> str:
    def show(value):
        return _written(value, situation)

    prior, likelihood = situation.prior, situation.likelihood
    joint = _joint(situation)
    evidence = _evidence(situation)
    columns = (prior, likelihood, joint, posterior)
    rows = [[h, *(show(column[h]) for column in columns)] for h in prior]
    head = ["hypothesis", "prior", "likelihood", "joint", "posterior"]
    last = ["*sum*", "1", "", show(evidence), "1"]
    _, imagined, counts = _counts(situation)
    seen, name = _name(situation.evidence), _name(asked)
    share = _quotient(counts[asked], sum(counts.values()))
    return paragraphs(
        f"The evidence is {seen}; asked is the posterior of {name}.",
        _rates(situation),
        "One row for each hypothesis; joint = prior × likelihood, and "
        "posterior = joint / sum of the joints:",
        table(head, [*rows, last]),
        f"**By counting.** {imagined} So there are {_sum(counts)} cases with "
        f"{seen}, and {counts[asked]} of them are {name}: {share}.",
        f"**Does it make sense?** The likelihood of {name}, "
        f"{show(likelihood[asked])}, is "
        + _compared(likelihood[asked], evidence, show)
        + f"from {show(prior[asked])} to {show(posterior[asked])}.",
    )


def _compared(likelihood, evidence, show) -> str:
    above = likelihood > evidence
    return (
        f"{'above' if above else 'below'} the probability of the evidence, "
        f"{show(evidence)}; so the probability "
        f"{'rises' if above else 'falls'} "
    )


def _total_reason(situation: Situation, answer: Fraction) -> str:
    def show(value):
        top, _, bottom = _written(value, situation).partition("/")
        return rf"\tfrac{{{top}}}{{{bottom}}}" if bottom else top

    terms = " + ".join(
        rf"{show(p)} \cdot {show(situation.likelihood[h])}"
        for h, p in situation.prior.items()
    )
    evidence = _tex(situation.evidence)
    return rf"$$\mathbb{{P}}[{evidence}] = {terms} = {equals(answer, 3)}$$"


def _total_worked(situation: Situation, answer: Fraction) -> str:
    def show(value):
        return _written(value, situation)

    prior, likelihood = situation.prior, situation.likelihood
    columns = (prior, likelihood, _joint(situation))
    rows = [[h, *(show(column[h]) for column in columns)] for h in prior]
    asked = _name(situation.evidence)
    head = ["case", "weight", f"rate of {asked}", "weight × rate"]
    last = ["*sum*", "1", "", show(answer)]
    crowd, imagined, counts = _counts(situation)
    share = _quotient(sum(counts.values()), crowd)
    low, high = min(likelihood.values()), max(likelihood.values())
    return paragraphs(
        f"Exactly one of the cases {and_list(map(_name, prior))} holds, so "
        f"the probability of {asked} is the weighted mean of its rates.",
        _rates(situation),
        table(head, [*rows, last]),
        f"**By counting.** {imagined} Together {_sum(counts)} of {crowd}: "
        f"{share}.",
        "**Does it make sense?** A weighted mean lies between the smallest "
        f"rate, {show(low)}, and the largest, {show(high)}: "
        rf"${float(low):.3g} < {float(answer):.3g} < {float(high):.3g}$.",
    )
