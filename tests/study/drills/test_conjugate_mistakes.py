"""Every diagnosis read again, and the mistake that it names made by hand."""

import re
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from study.drills.banks import bank
from study.drills.conjugate_answers import (
    in_words,
    mode,
    mode_on_simplex,
    place,
    which,
)
from study.drills.conjugate_prompts import split, variance

from bayesbook.study.quiz.shuffling import places

NUMBERS = ("update", "predict")


def plus(*distributions):
    return tuple(map(sum, zip(*distributions, strict=True)))


def rough(f):
    """Use reciprocals of standard deviations as precisions."""
    (m, v), noise = f.prior, f.facts["noise"]
    weights = 1 / float(v) ** 0.5, f.facts["n"] / float(noise) ** 0.5
    total = sum(weights)
    mean = (
        weights[0] * float(m) + weights[1] * float(f.facts["mean"])
    ) / total
    return mean, 1 / total, weights[0] / total


def single(f):
    (m, v), noise = f.prior, f.facts["noise"]
    variance = 1 / (1 / v + 1 / noise)
    return variance * (m / v + f.facts["mean"] / noise), variance


def error(f):
    """Variance of the mean of the readings."""
    return f.facts["noise"] / f.facts["n"]


# What is said of a wrong distribution, and its parameters.
DISTRIBUTIONS = [
    ("prior is forgotten, and only the data", lambda f: f.added),
    ("two parameters have changed places", lambda f: f.after[::-1]),
    (
        "(?<!parameters) have changed places|this is the rule for counts|"
        "opposite order",
        lambda f: plus(f.prior, f.added[::-1]),
    ),
    (
        "added to the second parameter",
        lambda f: (f.after[0], f.prior[1] + f.facts["n"]),
    ),
    ("prior is counted twice", lambda f: plus(f.prior, f.after)),
    (
        "these are the exponents of the density",
        lambda f: tuple(value - 1 for value in f.after),
    ),
    ("(?:data|readings) are left out", lambda f: f.prior),
    (
        "takes a flat prior|adds one to each",
        lambda f: tuple(value + 1 for value in f.added),
    ),
    (
        "first batch is forgotten",
        lambda f: plus(
            f.prior,
            (f.facts["last"][1], f.facts["last"][0] - f.facts["last"][1]),
        ),
    ),
    ("rate has to grow too", lambda f: (f.after[0], f.prior[1])),
    (
        "the shape grows by the number of .*, not by their mean",
        lambda f: (f.prior[0] + f.facts["n"] / f.facts["t"], f.after[1]),
    ),
    (
        "the rate grows by the sum",
        lambda f: (f.after[0], f.prior[1] + f.facts["t"] / f.facts["n"]),
    ),
    ("not by one", lambda f: (f.after[0], f.prior[1] + 1)),
    ("grows by one for each", lambda f: (f.prior[0] + 1, f.after[1])),
    (
        "rate and scale are confused",
        lambda f: (f.after[0], 1 / f.prior[1] + f.facts["t"]),
    ),
    ("takes the exponent of", lambda f: (f.after[0] - 1, f.after[1])),
    (
        "prior is forgotten, and only the readings",
        lambda f: (f.facts["mean"], error(f)),
    ),
    (
        "plain average will not do",
        lambda f: ((f.prior[0] + f.facts["mean"]) / 2, f.after[1]),
    ),
    (
        "weights with variances",
        lambda f: (f.prior[0] + f.facts["mean"] - f.after[0], f.after[1]),
    ),
    ("not of a standard deviation", lambda f: rough(f)[:2]),
    (
        "precisions add up, not variances",
        lambda f: (f.after[0], f.prior[1] + error(f)),
    ),
    (
        "this is the variance of the next reading",
        lambda f: (f.after[0], f.after[1] + f.facts["noise"]),
    ),
    ("still that of the prior", lambda f: (f.after[0], f.prior[1])),
    ("lacks what the prior knows", lambda f: (f.after[0], error(f))),
    ("counts as one reading", single),
    (
        "relative frequencies; otherwise",
        lambda f: tuple(
            p + c / f.facts["n"] for p, c in zip(f.prior, f.added, strict=True)
        ),
    ),
    (
        "gets its own count, not all",
        lambda f: tuple(p + f.facts["n"] for p in f.prior),
    ),
    (
        "divides by the sum",
        lambda f: tuple(value / sum(f.after) for value in f.after),
    ),
]
NUMBER = r"(-?[\d./]+)"
SIGNS = {
    "trials": rf"\\text{{Beta}}\({NUMBER}, {NUMBER}\)",
    "counts": (
        rf"\\text{{Gamma}}\(\\text{{shape }} {NUMBER}, "
        rf"\\text{{rate }} {NUMBER}\)"
    ),
    "readings": (
        rf"\\mathcal{{N}}\(\\text{{mean }} {NUMBER}, "
        rf"\\text{{variance }} {NUMBER}\)"
    ),
    "categories": rf"\\text{{Dir}}\({NUMBER}, {NUMBER}, {NUMBER}"
    rf"(?:, {NUMBER})?\)",
}
SIGNS["waits"] = SIGNS["counts"]


def distribution(family, tex):
    """Read the parameters of a distribution; None if of another family."""
    found = re.fullmatch(SIGNS[family], tex)
    return found and tuple(F(value) for value in found.groups() if value)


def diagnosed(found, why):
    """Return the parameters of a wrong distribution from its diagnosis."""
    [parameters] = [
        of for words, of in DISTRIBUTIONS if re.search(words, why, re.I)
    ]
    return tuple(map(float, parameters(found)))


class Known:
    """What a mistake can start from."""

    def __init__(self, drill):
        self.found, facts, self.question = split(drill)
        self.groups = which(drill)[2]
        self.answer = float(F(drill.answer))
        self.facts = self.found.facts
        failure = facts.split("otherwise it ")[-1].split(".")[0]
        self.fails = self.question.endswith(f" {failure}?")

    def at(self, values, group=0):
        """Choose what belongs to the category that the question names."""
        if self.found.family == "categories":
            return values[place(self.found, self.groups[group])]
        return values[0]

    @property
    def mean(self):
        return self.of_mean(0)

    def of_mean(self, group):
        if self.found.family != "categories":
            return self.found.mean(lambda x: x)
        at = place(self.found, self.groups[group])
        return self.found.mean(lambda x: x[at])

    @property
    def mode(self):
        if self.found.family == "categories":
            return self.at(mode_on_simplex(self.found))
        return mode(self.found)

    @property
    def units(self):
        return in_words(self.groups[0]) if self.groups else 1.0

    @property
    def share(self):
        if self.found.family == "categories":
            return self.at(self.facts["counts"]) / self.facts["n"]
        k, n = self.facts["k"], self.facts["n"]
        return (n - k if self.fails else k) / n

    @property
    def noise(self):
        return float(self.facts["noise"])

    @property
    def variance(self):
        return variance(self.found)

    @property
    def strength(self):
        if self.found.family == "trials":
            return float(sum(self.found.prior))
        return self.noise / float(self.found.prior[1])


# What else is said of a wrong number, and what it is then.
VALUES = [
    (r"is the mode of the posterior|value at the mode", lambda k: k.mode),
    (r"mode of the posterior for \$.lambda", lambda k: k.mode * k.units),
    (
        r"mean of the posterior\. The|the posterior mean\. At|"
        r"probability (?:of|for) one\.$|also the variance of a Poisson|"
        r"how many there are per",
        lambda k: 1 - k.mean if "none" in k.question else k.mean,
    ),
    (
        r"lacks its minus two|has to lose one for each",
        lambda k: (k.at(k.found.after) - 1) / sum(k.found.after),
    ),
    (
        r"parameters lose one, so",
        lambda k: (k.at(k.found.after) - 1) / (sum(k.found.after) - 1),
    ),
    (
        r"numerator lacks its minus one",
        lambda k: k.found.after[0] / (sum(k.found.after) - 2),
    ),
    (r"This is the relative frequency", lambda k: k.share),
    (
        r"lacks the pseudo-count",
        lambda k: F(k.facts["k"]) / sum(k.found.after),
    ),
    (r"This adds all", lambda k: k.found.prior[0] + k.facts["n"]),
    (r"weight of the (?:data|readings)", lambda k: 1 - k.answer),
    (r"compares the prior with", lambda k: k.strength / k.facts["n"]),
    (r"not as one\.", lambda k: 1 / (k.facts["n"] + 1)),
    (r"do not weigh the same", lambda k: 0.5),
    (
        r"probability that the next one|of the opposite|of at least one",
        lambda k: 1 - k.answer,
    ),
    (r"squares the mean", lambda k: k.mean**2),
    (r"squares the relative", lambda k: k.share**2),
    (r"right if \$.theta\$ is known", lambda k: 2 * k.mean * (1 - k.mean)),
    (r"one of the two orders", lambda k: k.answer / 2),
    (r"known to be the mean\. Each failure", lambda k: (1 - k.mean) ** 3),
    (
        r"multiplies the means",
        lambda k: 2 * k.of_mean(0) * k.of_mean(1),
    ),
    (r"rate divided by|reciprocal of the mean of", lambda k: 1 / k.mean),
    (r"known to be its mean\. Small", lambda k: np.exp(-k.units * k.mean)),
    (
        r"power is missing",
        lambda k: (
            float(k.found.after[1]) / (float(k.found.after[1]) + k.units)
        ),
    ),
    (r"mean of the observed", lambda k: k.facts["t"] / k.facts["n"]),
    (r"the (?:precision|variance), the recip", lambda k: 1 / k.answer),
    (r"not of standard deviations", lambda k: rough(k.found)[2]),
    (r"weight beside one reading", lambda k: k.strength / (k.strength + 1)),
    (
        r"variance of the error alone|variance of an error\.",
        lambda k: k.noise,
    ),
    (r"variance of \$.(?:mu|lambda)\$ alone", lambda k: k.variance),
    (
        r"variance of a reading before",
        lambda k: k.noise + float(k.found.prior[1]),
    ),
    (r"covariance before the data", lambda k: k.found.prior[1]),
    (
        r"forgets the prior: only the readings",
        lambda k: k.noise + float(error(k.found)),
    ),
    (
        r"divides the variance of one",
        lambda k: (k.variance + k.noise) / k.units,
    ),
    (r"takes \$.mu\$ for known; its", lambda k: k.noise / k.units),
    (
        r"variance of a single reading|variance of each of them",
        lambda k: k.variance + k.noise,
    ),
    (
        r"This is the correlation",
        lambda k: k.variance / (k.variance + k.noise),
    ),
    (r"independent given \$.mu\$, but", lambda k: 0),
]


@pytest.mark.parametrize("kind", NUMBERS)
def test_every_diagnosis_is_true(kind):
    for drill in bank(kind):
        known = Known(drill)
        assert len(drill.question.wrong) >= 3
        for wrong in drill.question.wrong:
            for part in wrong.why.split(" Or: "):
                of_distribution = re.fullmatch(
                    r"This belongs to \$(.*?)\$: (.*)", part
                )
                if of_distribution:
                    family = known.found.family
                    parameters = [
                        *map(float, distribution(family, of_distribution[1]))
                    ]
                    for why in of_distribution[2].split(", or: "):
                        right = diagnosed(known.found, why)
                        assert parameters == pytest.approx(right, 1e-6), part
                    continue
                [value] = [
                    of for words, of in VALUES if re.search(words, part)
                ]
                assert float(F(wrong.value)) == pytest.approx(
                    float(value(known)), rel=1e-5, abs=6e-5
                ), part


# --- Which distribution it is -----------------------------------------------

# Names of other families, and why they cannot be.
OTHER_FAMILIES = [
    (r"\\text{Gamma}.*\\text{scale }", "the scale is its reciprocal"),
    (r"\\text{Gamma}", "a probability cannot|quadratic"),
    (r"^\$\\text{Beta}", "may exceed 1"),
    (r"independent distributions", "cannot be independent"),
    (r"\\mathcal{N}", "below 0|negative rates"),
    (r"\\text{(?:Bi|Multi)nomial}", "distribution of (?:counts|the number)"),
    (r"\\text{Poisson}", "distribution of a number"),
    (r"\\text{Exponential}", "distribution of the next"),
    (r"Student's", "unknown variance"),
]


def test_students_distribution_has_degrees_of_freedom():
    """One reading leaves none, and then there is no such distribution."""
    degrees = [
        int(found[1])
        for drill in bank("posterior")
        for option in drill.question.options
        if (found := re.search(r"(-?\d+) degrees of freedom", option.text))
    ]
    assert min(degrees) == 1


def test_the_right_distribution_is_the_only_one_that_fits():
    assert len(bank("posterior")) == 200
    for drill in bank("posterior"):
        found, _, question = split(drill)
        assert question.startswith("Which distribution is the posterior of $")
        assert 4 <= len(drill.options) <= 5
        seen = set()
        for option in drill.question.options:
            parameters = distribution(found.family, option.text.strip("$"))
            if parameters is None:
                assert not option.right
                [why, *_] = [
                    w for t, w in OTHER_FAMILIES if re.search(t, option.text)
                ]
                assert re.search(why, option.why), option
                continue
            assert (parameters == found.after) == option.right, drill
            assert parameters not in seen
            seen.add(parameters)
            if not option.right:
                right = diagnosed(found, option.why)
                assert [*map(float, parameters)] == pytest.approx(right, 1e-6)


def test_wrong_distributions_come_of_every_mistake_and_of_other_families():
    mistakes, families, foreign = Counter(), Counter(), 0
    for drill in bank("posterior"):
        found, *_ = split(drill)
        others = 0
        for option in drill.question.options:
            if distribution(found.family, option.text.strip("$")) is None:
                others += 1
                families[
                    next(
                        t
                        for t, _ in OTHER_FAMILIES
                        if re.search(t, option.text)
                    )
                ] += 1
            elif not option.right:
                mistakes[
                    next(
                        words
                        for words, _ in DISTRIBUTIONS
                        if re.search(words, option.why, re.I)
                    )
                ] += 1
        foreign += others > 0
    assert set(mistakes) == {words for words, _ in DISTRIBUTIONS}
    assert set(families) == {words for words, _ in OTHER_FAMILIES}
    assert min(families.values()) >= 3
    assert 70 <= foreign <= 130


def test_neither_the_longest_option_nor_a_place_gives_it_away():
    longest, positions = 0, Counter()
    for drill in bank("posterior"):
        [right] = drill.answer
        longest += len(right) == max(map(len, drill.options))
        shown = places(drill.question)
        positions[shown.index(drill.options.index(right))] += 1
    assert longest < 110
    assert all(positions[place] >= 25 for place in range(4))
