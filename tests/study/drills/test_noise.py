"""Mean and variance by quadrature, from the words of the question alone."""

import re
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats
from study.drills.banks import bank

from bayesbook.study import quiz

PRIOR = re.compile(
    r"\$m = (\d+)\$, \$\\kappa = (\d+)\$, \$a = ([\d.]+)\$ and \$b = (\d+)\$"
)
KNOWN = re.compile(
    r"known value (\d+), .* with shape ([\d.]+) and scale (\d+)\."
)
READINGS = re.compile(r"(\w+) readings are ([\d, and]+)\.")


def test_every_key_is_recomputed():
    questions = tuple(drill.question for drill in bank("unknown-noise"))
    quiz.verify(quiz.Quiz("unknown-noise", "unknown-noise", questions))


def readings(prompt):
    word, listed = READINGS.search(prompt).groups()
    found = [int(x) for x in re.findall(r"\d+", listed)]
    assert ["Two", "Three", "Four"][len(found) - 2] == word
    return found


class Posterior:
    """A posterior on a grid, and the parameters that are read off it."""

    def __init__(self, prompt):
        if found := KNOWN.search(prompt):
            mu, a, b = map(float, found.groups())
            where = np.array([mu])
        else:
            m, kappa, a, b = map(float, PRIOR.search(prompt).groups())
            where = np.linspace(m - 120, m + 120, 4001)
        # Equal steps of the logarithm: a cell is as wide as the variance.
        v = np.exp(np.linspace(-1, 3.5, 60))[:, None]
        logs = stats.invgamma.logpdf(v, a, scale=b) + 0 * where
        if not found:
            logs += stats.norm.logpdf(where, m, np.sqrt(v / kappa))
        for x in readings(prompt):
            logs += stats.norm.logpdf(x, where, np.sqrt(v))
        mass = np.exp(logs - logs.max())
        self.v, self.of_v = v[:, 0], mass.sum(axis=1)
        # log p(v) = -(a + 1) log v - b / v, and a constant.
        columns = [-np.log(self.v), -1 / self.v, np.ones(len(self.v))]
        y = np.log(self.of_v)
        fit, *_ = np.linalg.lstsq(np.column_stack(columns), y, rcond=None)
        self.a, self.b = fit[0] - 1, fit[1]
        share = mass / self.of_v[:, None]
        self.m = share[-1] @ where
        of_mean = share[-1] @ (where - self.m) ** 2
        if not found:
            self.kappa = self.v[-1] / of_mean


def mean_of_variance(found):
    v = np.exp(np.linspace(-8, 25, 4001))
    weight = stats.invgamma(found.a, scale=found.b).pdf(v) * v
    return weight @ v / weight.sum()


def density_of_next(found, y):
    """Average a Gaussian density over the variance."""
    v = np.exp(np.linspace(-9, 20, 4001))
    weight = stats.invgamma(found.a, scale=found.b).pdf(v) * v
    sd = np.sqrt(v * (1 + 1 / found.kappa))
    return weight @ stats.norm(found.m, sd).pdf(y) / weight.sum()


def agrees(found, degrees, squared_scale):
    """Compare a Student t distribution with the averaged density."""
    student = stats.t(degrees, found.m, squared_scale**0.5)
    for away in (0, 2, 9):
        own = density_of_next(found, found.m + away)
        assert own == pytest.approx(student.pdf(found.m + away), rel=1e-3)


ASKED = {
    "parameter $b_N$": lambda f, _: f.b,
    r"posterior mean of $\sigma^2$": lambda f, _: mean_of_variance(f),
    "squared scale": lambda f, x: agrees(f, 2 * f.a, x) or x,
    "degrees of freedom": lambda f, x: (
        agrees(f, x, f.b / f.a * (1 + 1 / f.kappa)) or 2 * f.a
    ),
}


def test_answers_are_those_of_quadrature():
    asked = Counter()
    for drill in bank("unknown-noise"):
        question = drill.prompt.rpartition(". ")[2]
        [(words, answer)] = [
            each for each in ASKED.items() if each[0] in question
        ]
        right = float(F(drill.answer))
        found = answer(Posterior(drill.prompt), right)
        assert right == pytest.approx(found, rel=2e-3), drill
        asked[words, "known value" in drill.prompt] += 1
    assert len(asked) == 5
    assert min(asked.values()) == 40


def test_the_answer_lies_between_prior_and_data_where_it_is_said():
    said = re.compile(r"deviations is ([\d./]+), .* is ([\d./]+)\. The")
    for drill in bank("unknown-noise"):
        if "known value" in drill.prompt:
            ends = sorted(map(F, said.search(drill.explanation).groups()))
            assert ends[0] < F(drill.answer) < ends[1]


def test_other_numbers_are_those_that_are_named():
    """The known mode, and the estimate without a prior."""
    seen = Counter()
    for drill in bank("unknown-noise"):
        if r"mean of $\sigma^2$" not in drill.prompt:
            continue
        found = Posterior(drill.prompt)
        data = np.array(readings(drill.prompt))
        for wrong in drill.question.wrong:
            value = float(F(wrong.value))
            if "is the mode" in wrong.why:
                v = np.exp(np.linspace(-8, 12, 40_001))
                density = stats.invgamma(found.a, scale=found.b).pdf(v)
                assert value == pytest.approx(v[density.argmax()], rel=5e-3)
                seen["mode"] += 1
            if "maximum likelihood" in wrong.why:
                known = KNOWN.search(drill.prompt)
                centre = int(known[1]) if known else data.mean()
                of_data = ((data - centre) ** 2).mean()
                assert value == pytest.approx(of_data, rel=1e-4)
                seen["mle"] += 1
    assert min(seen["mode"], seen["mle"]) >= 60
