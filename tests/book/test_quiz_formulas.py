r"""Formulas with letters in the questions of quizzes have the values they say.

`told` binds the numbers of a question, but not the digits of a formula with
letters, such as that of $1 - \theta$. Here such formulas are evaluated, and
compared with the same quantity by another route: of a distribution, by
enumeration, or as a derivative. One file because it is one table: formulas of
questions, and what they are worth.
"""

import math
import re
from functools import cache
from itertools import combinations

import pytest
import yaml
from book_texts import prose
from mutants import NUMBER, READ
from scipy import integrate, special, stats
from solved_problems import BOOK
from tex_values import equations, value

from bayesbook.study.quiz.numerals import SMALL, numbers_told, without_labels

# Quick checks by the name of their chapter, too.
BANKS = {
    f"{path.stem}/checks" if path.parent.name == "checks" else path.stem: path
    for path in sorted((BOOK / "quizzes").rglob("*.yml"))
}


def read(node, key=None):
    """Yield the texts of a question that a reader meets."""
    if isinstance(node, dict):
        for name, inside in node.items():
            yield from read(inside, name)
    elif isinstance(node, list):
        for inside in node:
            yield from read(inside, key)
    elif key in READ and isinstance(node, str):
        yield node


@cache
def questions(bank):
    """Return the texts of the questions of a bank, by their ids."""
    found = yaml.safe_load(BANKS[bank].read_text("utf-8"))["questions"]
    return {each["id"]: [*read(each)] for each in found}


def density(law, t, whole):
    """Return a density without the factor that makes it one."""
    return law.pdf(t) * whole


def slope(of, at, step=1e-6):
    return (of(at + step) - of(at - step)) / (2 * step)


def losses(p, q):
    """Return the mean of (y - q)^2 for a bit that is 1 with probability p."""
    return p * (1 - q) ** 2 + (1 - p) * q**2


def per_unit(prior):
    """Return the penalty of a parameter that is 1 under a prior."""
    return prior.logpdf(0) - prior.logpdf(1)


MEAN = {r"\theta": 0.3}
PSEUDO = {r"\beta_0": 2.5, r"\beta_1": 4}
SHARES = {r"\alpha_0": 5, r"\alpha_1": 2, "N": 10, "N_1": 3}
OF_FIVE = {"n": 5, r"\sigma": 6}
GROUPS = stats.betabinom(6, 2, 3)
ROWS_OF_CATEGORIES = stats.dirichlet_multinomial([2, 3], 6)
# Bank, question, formula, the values of its letters, and its own value by
# another route.
FORMULAS = [
    (
        "likelihood",
        "newton-too-far",
        r"\frac{2}{\lambda} - 1",
        {r"\lambda": 0.5},
        slope(lambda t: 2 * math.log(t) - t, 0.5),
    ),
    (
        "likelihood",
        "newton-too-far",
        r"-\frac{2}{\lambda^2}",
        {r"\lambda": 0.5},
        slope(lambda t: 2 / t - 1, 0.5),
    ),
    (
        "likelihood/checks",
        "step-from-one-half",
        r"\frac{7}{\theta} - \frac{3}{1 - \theta}",
        MEAN,
        slope(lambda t: stats.binom.logpmf(7, 10, t), 0.3),
    ),
    (
        "likelihood/checks",
        "step-from-one-half",
        r"-\frac{7}{\theta^2} - \frac{3}{(1 - \theta)^2}",
        MEAN,
        slope(lambda t: 7 / t - 3 / (1 - t), 0.3),
    ),
    ("likelihood/checks", "close-together", "a^2 - 1", {"a": 0.5}, -0.75),
    ("likelihood/checks", "close-together", r"\theta^2", MEAN, 0.09),
    (
        "beta_binomial",
        "many-more",
        r"\sqrt{\bar\theta (1 - \bar\theta)}",
        {r"\bar\theta": 0.2},
        stats.bernoulli(0.2).std(),
    ),
    (
        "beta_binomial",
        "sent-twice",
        r"1/\sqrt N",
        {"N": 16},
        stats.binom(16, 0.5).std() / 16 / stats.bernoulli(0.5).std(),
    ),
    (
        "beta_binomial",
        "spread",
        r"M \bar\theta (1 - \bar\theta) \frac{\sigma + M}{\sigma + 1}",
        {"M": 6, r"\bar\theta": 0.4, r"\sigma": 5},
        GROUPS.var(),
    ),
    (
        "beta_binomial",
        "spread",
        r"\sigma + 1",
        {r"\sigma": 5},
        # The factor by which the variance exceeds a binomial one is 11 / it.
        11 * stats.binom(6, 0.4).var() / GROUPS.var(),
    ),
    (
        "beta_binomial",
        "spread",
        r"M \theta (1 - \theta)",
        {"M": 6, **MEAN},
        stats.binom(6, 0.3).var(),
    ),
    (
        "beta_binomial",
        "whose-swans",
        r"\frac{1}{2N + 2}",
        {"N": 7},
        stats.beta(0.5, 7.5).mean(),
    ),
    (
        "beta_binomial",
        "whose-swans",
        r"\frac{1}{N + 2}",
        {"N": 7},
        stats.beta(1, 8).mean(),
    ),
    (
        "beta_binomial",
        "whose-swans",
        r"\frac{2}{N + 4}",
        {"N": 7},
        stats.beta(2, 9).mean(),
    ),
    (
        "beta_binomial",
        "larger-rate",
        "t^2",
        {"t": 0.3},
        stats.beta(2, 1).cdf(0.3),
    ),
    (
        "beta_binomial",
        "which-way-round",
        r"\theta^{a-1} (1 - \theta)^{b-1}",
        {"a": 3, "b": 5, **MEAN},
        density(stats.beta(3, 5), 0.3, special.beta(3, 5)),
    ),
    (
        "beta_binomial",
        "which-way-round",
        r"\frac{17 + \beta_0}{20 + \beta_0 + \beta_1}",
        PSEUDO,
        stats.beta(17 + 2.5, 3 + 4).mean(),
    ),
    (
        "beta_binomial",
        "which-way-round",
        r"\frac{3 + \beta_1}{20 + \beta_0 + \beta_1}",
        PSEUDO,
        stats.beta(3 + 4, 17 + 2.5).mean(),
    ),
    (
        "decisions",
        "always-reject",
        "1 - c",
        {"c": 0.2},
        # Where the risk of the best guess is the price.
        next(p / 100 for p in range(101) if 100 - p <= 20),
    ),
    (
        "decisions",
        "arg-of-what",
        r"1 - \mathbb{P}[c \mid x]",
        {r"\mathbb{P}[c \mid x]": 0.3},
        stats.bernoulli(0.3).pmf(0),
    ),
    ("decisions", "bayes-risk-of-a-table", "1 - R^*", {"R^*": 0.3}, 0.7),
    (
        "dirichlet_multinomial/checks",
        "more-than-half",
        "2 (1 - t)",
        {"t": 0.3},
        stats.beta(1, 2).pdf(0.3),
    ),
    (
        "dirichlet_multinomial/checks",
        "more-than-half",
        "$1 - t$",
        {"t": 0.3},
        stats.beta(1, 2).pdf(0.3) / 2,
    ),
    (
        "dirichlet_multinomial",
        "flat-component",
        "(1 - t)^4",
        {"t": 0.3},
        # The other four of five shares are then more than 0.7 in all.
        stats.beta(1, 4).sf(0.3),
    ),
    (
        "dirichlet_multinomial",
        "merging",
        r"\frac{\alpha_1 + N_1}{\alpha_0 + N}",
        SHARES,
        stats.beta(5, 10).mean(),
    ),
    (
        "dirichlet_multinomial",
        "merging",
        r"\alpha_0 + N - \alpha_1 - N_1",
        SHARES,
        5 * (1 / stats.beta(5, 10).mean() - 1),
    ),
    (
        "dirichlet_multinomial",
        "merging",
        r"N + \alpha_0 - K",
        {**SHARES, "K": 2},
        # The exponents of a density sum to it.
        (2 + 3 - 1) + (3 + 7 - 1),
    ),
    (
        "dirichlet_multinomial",
        "spread",
        r"\frac{\alpha_0 + M}{\alpha_0 + 1}",
        {r"\alpha_0": 5, "M": 6},
        ROWS_OF_CATEGORIES.var()[0] / stats.binom(6, 0.4).var(),
    ),
    (
        "dirichlet_multinomial",
        "spread",
        r"\alpha_0 + 1$",
        {r"\alpha_0": 5},
        11 * stats.binom(6, 0.4).var() / ROWS_OF_CATEGORIES.var()[0],
    ),
    (
        "dirichlet_multinomial",
        "where-a-map",
        r"N_k - \frac12",
        {"N_k": 3},
        (3 + 0.5) - 1,
    ),
    ("em", "hard-limit", "1 - a_0", {"a_0": 0.9}, 0.1),
    (
        "events",
        "committee",
        r"\binom{7}{3}",
        {},
        len([*combinations(range(7), 3)]),
    ),
    (
        "events",
        "committee",
        r"\binom{12}{3}",
        {},
        len([*combinations(range(12), 3)]),
    ),
    (
        "events",
        "same-bar",
        r"1 - \mathbb{P}[A \mid B]",
        {r"\mathbb{P}[A \mid B]": 0.3},
        stats.bernoulli(0.3).pmf(0),
    ),
    (
        "features",
        "touch-bits",
        r"h(\frac34) - \frac12 \cdot 0 - \frac12 \cdot 1",
        {"h(": lambda p: stats.bernoulli(float(p)).entropy() / math.log(2)},
        # The entropies of class and feature, less that of both together.
        stats.entropy([1 / 2, 1 / 2], base=2)
        + stats.entropy([3 / 4, 1 / 4], base=2)
        - stats.entropy([1 / 2, 1 / 4, 1 / 4], base=2),
    ),
    (
        "gaussian_gamma",
        "chain",
        r"\Gamma(3)/\Gamma(1)",
        {},
        integrate.quad(lambda t: t**2 * math.exp(-t), 0, math.inf)[0],
    ),
    (
        "gaussian_gamma",
        "lamps",
        r"\lambda^7 e^{-8 \lambda}",
        {r"\lambda": 0.9, "e": math.e},
        density(stats.gamma(8, scale=1 / 8), 0.9, math.factorial(7) / 8**8),
    ),
    ("gaussian_gamma", "no-event", r"\bigl( \frac34 \bigr)^2", {}, 0.5625),
    (
        "gaussian_gamma",
        "worth",
        r"6/\sqrt n",
        {"n": 9},
        stats.norm(scale=6).std() / 3,
    ),
    (
        "likelihood",
        "all-sides",
        r"8 \log(1 - \theta)",
        MEAN,
        stats.bernoulli(0.3).logpmf([0] * 8).sum(),
    ),
    (
        "likelihood",
        "bias-and-invariance",
        "(N-1)/N",
        {"N": 2},
        # Two bits: the squared deviations are 0, 1/4, 1/4 and 0.
        (0 + 1 / 4 + 1 / 4 + 0) / 4 / stats.bernoulli(0.5).var(),
    ),
    (
        "likelihood",
        "how-many-tosses",
        r"1/\sqrt{N I}",
        {"N": 16, "I": 4},
        stats.binom(16, 0.5).std() / 16,
    ),
    (
        "likelihood",
        "how-many-tosses",
        r"1/\sqrt{N}",
        {"N": 16},
        stats.binom(16, 0.5).std() / 16 / stats.bernoulli(0.5).std(),
    ),
    (
        "limit_theorems",
        "error-of-a-reciprocal",
        "-1/m^2",
        {"m": 3},
        slope(lambda m: 1 / m, 3),
    ),
    (
        "limit_theorems",
        "lost-letters",
        "e^{-2}",
        {"e": math.e},
        stats.poisson(2).pmf(0),
    ),
    (
        "limit_theorems",
        "spread-of-a-mean",
        r"n\sigma^2",
        OF_FIVE,
        5 * stats.norm(scale=6).var(),
    ),
    (
        "limit_theorems",
        "spread-of-a-mean",
        r"\sigma^2/n",
        OF_FIVE,
        stats.norm(scale=6).var() / 5,
    ),
    (
        "limit_theorems",
        "spread-of-a-mean",
        r"\sigma / \sqrt{n - 1}",
        OF_FIVE,
        # The mean of one draw less.
        math.sqrt(stats.norm(scale=6).var() / 4),
    ),
    (
        "limit_theorems",
        "steps-of-the-weak-law",
        r"n\sigma^2",
        OF_FIVE,
        5 * stats.norm(scale=6).var(),
    ),
    (
        "limit_theorems",
        "steps-of-the-weak-law",
        r"\sigma^2/n$",
        OF_FIVE,
        stats.norm(scale=6).var() / 5,
    ),
    (
        "limit_theorems",
        "steps-of-the-weak-law",
        r"\sigma^2/(n\varepsilon^2)",
        {**OF_FIVE, r"\varepsilon": 4},
        stats.norm(scale=6).var() / 5 / 4**2,
    ),
    (
        "limit_theorems",
        "steps-of-the-weak-law",
        r"\sigma^2/(\varepsilon^2 \cdot \text{level})",
        {r"\sigma": 6, r"\varepsilon": 4, r"\text{level}": 0.45},
        # With five draws the bound of the line before is this level.
        5,
    ),
    (
        "limit_theorems",
        "what-becomes-normal",
        r"2/\sqrt n",
        {"n": 9},
        stats.gamma(9).stats(moments="s"),
    ),
    (
        "map_and_bayes",
        "another-scale",
        r"\log \frac{\theta}{1 - \theta}",
        MEAN,
        special.logit(0.3),
    ),
    (
        "map_and_bayes",
        "never-seen",
        r"\theta (1 - \theta)",
        MEAN,
        slope(special.expit, special.logit(0.3)),
    ),
    (
        "map_and_bayes",
        "worth",
        r"\frac{m (1 - m)}{a + b + 1}",
        {"m": 0.4, "a": 2, "b": 3},
        stats.beta(2, 3).var(),
    ),
    (
        "map_and_bayes",
        "worth",
        "a + b + 1$",
        {"a": 2, "b": 3},
        0.4 * 0.6 / stats.beta(2, 3).var(),
    ),
    (
        "map_and_bayes",
        "lasso-alpha",
        r"\frac{\sigma^2}{N b}",
        {r"\sigma": 2, "N": 50, "b": 0.4},
        # Both terms of minus the log posterior, divided by N / sigma^2.
        per_unit(stats.laplace(scale=0.4)) * 2**2 / 50,
    ),
    (
        "mcmc",
        "worth-of-sluggish-draws",
        r"1 + 2 \sum_{t \ge 1} 0.9^t",
        {r"\sum_{t \ge 1}": [{"t": lag} for lag in range(1, 500)]},
        # The sum of a geometric series, in both directions.
        (1 + 0.9) / (1 - 0.9),
    ),
    (
        "naive_bayes",
        "lse",
        r"-300 + \log (1 + e^{-2})",
        {"e": math.e},
        special.logsumexp([-300, -302]),
    ),
    (
        "random_variables",
        "commute",
        r"\mathbb{E}[X]^2",
        {r"\mathbb{E}[X]": stats.binom(3, 0.3).mean()},
        stats.binom(3, 0.3).moment(2) - stats.binom(3, 0.3).var(),
    ),
    (
        "random_variables/checks",
        "same-distribution",
        "7 - Y",
        {"Y": 2},
        # The face below the one on top.
        [6, 5, 4, 3, 2, 1][2 - 1],
    ),
    (
        "representation",
        "rows-for-a-rare-event",
        r"\frac{1}{\sqrt{np}}",
        {"n": 400, "p": 1 / 100},
        stats.poisson(4).std() / stats.poisson(4).mean(),
    ),
    (
        "risk",
        "how-many-cases",
        "R(1 - R)",
        {"R": 0.3},
        stats.bernoulli(0.3).var(),
    ),
    (
        "risk",
        "mean-log-loss",
        r"\frac12 (\log 2 + \log 8)",
        {},
        -math.log(stats.gmean([1 / 2, 1 / 8])),
    ),
    (
        "risk",
        "mean-log-loss",
        r"\frac12 \log 16",
        {},
        -math.log(stats.gmean([1 / 2, 1 / 8])),
    ),
    (
        "risk",
        "proper",
        "p(1 - p) + (q - p)^2",
        {"p": 0.3, "q": 0.6},
        losses(0.3, 0.6),
    ),
    (
        "risk",
        "same-place",
        r"2\sigma^2/(Ns)",
        {r"\sigma": 3, "N": 10, "s": 0.5},
        # Both terms of minus the log posterior, times 2 sigma^2 / N.
        per_unit(stats.laplace(scale=0.5)) * 2 * 3**2 / 10,
    ),
    (
        "risk",
        "which-weight",
        r"\sigma^2/(N \tau^2)",
        {r"\sigma": 3, "N": 10, r"\tau": 2},
        per_unit(stats.norm(scale=2)) * 2 * 3**2 / 10,
    ),
    (
        "semi_naive",
        "bits-of-chance",
        r"\frac{K (S_i - 1)(S_j - 1)}{2 N \log 2}",
        {"K": 2, "S_i": 3, "S_j": 4, "N": 100},
        # By Wilks: half of a chi squared variable, in bits for each row.
        stats.chi2(2 * len([*combinations(range(4), 2)])).mean()
        / (2 * 100 * math.log(2)),
    ),
    (
        "semi_naive",
        "bits-of-chance",
        "(S_i - 1)(S_j - 1)$",
        {"S_i": 3, "S_j": 4},
        3 * 4 - 3 - 4 + 1,
    ),
    (
        "text/checks",
        "all-mixed",
        r"\frac{a}{2 (2a + 1)}",
        {"a": 3},
        # One of the two orders of a mixed pair.
        stats.betabinom(2, 3, 3).pmf(1) / 2,
    ),
    (
        "refresher",
        "sum-of-odd",
        r"\sum_{i=1}^{4} (2 i - 1)",
        {r"\sum_{i=1}^{4}": [{"i": i} for i in range(1, 5)]},
        # The first odd numbers sum to a square.
        4 * 4,
    ),
    (
        "refresher",
        "rules-of-logarithms",
        r"\log (a b^2)",
        {"a": 3, "b": 5},
        math.log(75),
    ),
    (
        "refresher",
        "rules-of-logarithms",
        r"\log a + 2 \log b",
        {"a": 3, "b": 5},
        math.log(75),
    ),
    (
        "refresher",
        "rules-of-logarithms",
        r"(\log a)^2",
        {"a": 3},
        # The integral of 2 log(t) / t from 1 on.
        integrate.quad(lambda t: 2 * math.log(t) / t, 1, 3)[0],
    ),
    (
        "refresher",
        "rules-of-logarithms",
        r"2 \log a",
        {"a": 3},
        math.log(3 * 3),
    ),
    (
        "refresher",
        "rules-of-logarithms",
        r"\log (a^2)",
        {"a": 3},
        math.log(3 * 3),
    ),
    (
        "refresher",
        "slope",
        r"2 \log \theta + 3 \log (1 - \theta)",
        MEAN,
        stats.bernoulli(0.3).logpmf([1, 1, 0, 0, 0]).sum(),
    ),
    (
        "refresher",
        "slope",
        r"\frac{2}{\theta} - \frac{3}{1 - \theta}",
        MEAN,
        slope(lambda t: stats.bernoulli(t).logpmf([1, 1, 0, 0, 0]).sum(), 0.3),
    ),
    (
        "refresher",
        "slope",
        r"\log (1 - \theta)",
        MEAN,
        stats.bernoulli(0.3).logpmf(0),
    ),
    (
        "refresher",
        "slope",
        r"-\frac{1}{1 - \theta}",
        MEAN,
        slope(lambda t: stats.bernoulli(t).logpmf(0), 0.3),
    ),
    (
        "refresher",
        "slope",
        r"2 \log \theta",
        MEAN,
        stats.bernoulli(0.3).logpmf([1, 1]).sum(),
    ),
    (
        "refresher",
        "area",
        "x^2 (1 - x)",
        {"x": 0.3},
        stats.bernoulli(0.3).pmf([1, 1, 0]).prod(),
    ),
    (
        "refresher",
        "area",
        "x^2 - x^3",
        {"x": 0.3},
        stats.bernoulli(0.3).pmf([1, 1, 0]).prod(),
    ),
    (
        "refresher",
        "area",
        "x^3",
        {"x": 0.3},
        stats.bernoulli(0.3).pmf([1, 1, 1]).prod(),
    ),
    (
        "three_variables",
        "how-many-rows",
        r"\sqrt{p(1-p)/n}",
        {"p": 0.3, "n": 25},
        stats.binom(25, 0.3).std() / 25,
    ),
]
# How often a formula stands in its question, if more than once.
TIMES = {
    ("beta_binomial", "spread", r"\sigma + 1"): 2,
    ("beta_binomial", "whose-swans", r"\frac{1}{N + 2}"): 2,
    ("likelihood/checks", "close-together", r"\theta^2"): 2,
    ("decisions", "always-reject", "1 - c"): 2,
    ("events", "same-bar", r"1 - \mathbb{P}[A \mid B]"): 2,
    ("random_variables", "commute", r"\mathbb{E}[X]^2"): 2,
    ("random_variables/checks", "same-distribution", "7 - Y"): 2,
    ("refresher", "slope", r"\log (1 - \theta)"): 2,
    ("refresher", "slope", r"2 \log \theta"): 2,
    # Once in the half of the logarithm.
    ("refresher", "rules-of-logarithms", r"2 \log a"): 2,
    ("refresher", "area", "x^2 (1 - x)"): 2,
    ("refresher", "area", "x^3"): 2,
}


@pytest.mark.parametrize("bank", sorted({bank for bank, *_ in FORMULAS}))
def test_a_formula_has_its_value(bank):
    wrong = []
    for of, question, formula, names, expected in FORMULAS:
        if of != bank:
            continue
        found = sum(text.count(formula) for text in questions(bank)[question])
        worth = float(value(formula.strip("$"), names))
        if found != TIMES.get((bank, question, formula), 1):
            wrong.append(f"{question}: {formula} stands {found} times")
        elif worth != pytest.approx(float(expected)):
            wrong.append(f"{question}: {formula} is {worth}, not {expected}")
    assert wrong == []


# --- What is bound ----------------------------------------------------------


def small_numbers(text):
    """Yield the small whole numbers of a text, and it with another instead."""
    for found in NUMBER.finditer(without_labels(text)):
        if found[0].isdigit() and int(found[0]) <= SMALL:
            other = str((int(found[0]) + 1) % SMALL)
            yield found, text[: found.start()] + other + text[found.end() :]


def is_seen(text, changed):
    """Return whether `told` or an equation says another thing then."""
    before, after = numbers_told(text), numbers_told(changed)
    return [one.value for one in before] != [one.value for one in after] or (
        any(not it.holds for it in equations(prose(changed), rounded=True))
    )


def is_evaluated(bank, question, text, place):
    """Return whether a place is in a formula of the list above."""
    return any(
        found.start() <= place < found.end()
        for of, which, formula, *_ in FORMULAS
        if (of, which) == (bank, question)
        for found in re.finditer(re.escape(formula), text)
    )


def test_nine_in_ten_of_the_small_numbers_are_bound():
    """All others are bound by `told`; what is left here are mostly names."""
    numbers, free = 0, []
    for bank in BANKS:
        for question, found in questions(bank).items():
            for text in found:
                for number, changed in small_numbers(text):
                    numbers += 1
                    if is_seen(text, changed):
                        continue
                    if not is_evaluated(bank, question, text, number.start()):
                        free.append(f"{bank} {question} {number[0]}: {text}")
    print(f"{len(free)} of {numbers} small numbers are free")
    assert numbers > 1500
    assert len(free) <= numbers / 10, "\n".join(free)
