"""The numbers and formulas of the glossary and of the notation are computed.

As in the errata, words are free and digits are bound: of an entry the numbers
that it tells are computed, in their order, and its formulas with letters are
evaluated, and compared with the same quantity by another route.
"""

import math
import re
from itertools import chain

import networkx as nx
import numpy as np
import pytest
from book_texts import pages, prose
from mutants import NUMBER
from scipy import optimize, special, stats
from tex_values import equations, value

from bayesbook.conjugate import rule_concepts
from bayesbook.study.quiz.numerals import numbers_told, without_labels

TEXTS = {
    page: pages()[page].read_text("utf-8") for page in ("glossary", "notation")
}
# Of an entry of the glossary the name, and what it says of it.
GLOSSARY = dict(
    re.findall(
        r"^(?![:\s])([^\n]+)\n[^\n]+ : 中文\n((?:  [^\n]*\n)+)",
        TEXTS["glossary"],
        re.MULTILINE,
    )
)
# Of a row of the notation the symbol, and its cells.
NOTATION = {
    symbol: row
    for row in re.split(r"\n(?=\* - )", TEXTS["notation"])
    for symbol in re.findall(r"^\* - (.*)$", row.partition("\n:::")[0], re.M)
}
BITS = (0, 1)


def zero_one(guess, truth):
    return int(guess != truth)


def ends(law):
    return [float(end) for end in law.support()]


def first(law, how_many=1):
    """Return the first values of a distribution on whole numbers."""
    start = int(law.support()[0])
    assert law.pmf(start - 1) == 0 < law.pmf(start)
    return range(start, start + how_many)


def add_one():
    """Return the pseudo-count with which smoothing adds one."""
    return [a for a in (0.5, 1, 2) if (3 + a) / (10 + 2 * a) == 4 / 12]


def flat():
    """Return the argument with which a symmetric Beta density is flat."""
    densities = {a: stats.beta(a, a).pdf(SPREAD) for a in (0.5, 1, 2)}
    return [a for a, each in densities.items() if np.ptp(each) < 1e-9]


def jeffreys():
    """Return the a and b of the Beta density that is the root of I."""
    kinds = {
        (a, b): stats.beta(a, b).pdf(SPREAD) * (SPREAD * (1 - SPREAD)) ** 0.5
        for a in (0.5, 1, 2)
        for b in (0.5, 1, 2)
    }
    [found] = [ab for ab, ratio in kinds.items() if np.ptp(ratio) < 1e-9]
    return [*found]


SPREAD = np.array([0.1, 0.3, 0.6])
TOLD = {
    "0-1 loss": [zero_one(0, 1), zero_one(1, 1)],
    "additive smoothing": add_one(),
    "Bayes risk": [zero_one(1, 1), zero_one(0, 1)],
    "Bernoulli distribution": ends(stats.bernoulli(0.3))[::-1],
    "Beta distribution": [*ends(stats.beta(2, 3)), *flat()],
    "beta-binomial distribution": first(stats.betabinom(4, 2, 3)),
    "BIC": [stats.chi2(1).mean() / 2],
    "binomial distribution": first(stats.binom(4, 0.3)),
    "concept": [
        min(
            x
            for name in rule_concepts().names
            for x in rule_concepts().extension(name)
        )
    ],
    "correlation": [np.corrcoef(SPREAD, s * SPREAD)[0, 1] for s in (-1, 1)],
    "density": [stats.beta(2, 3).cdf(1)],
    "deterministic node": BITS,
    "error bar": ends(stats.beta(2, 3)),
    "geometric distribution": first(stats.geom(0.3), 2),
    "indicator": [int(x in {1, 3}) for x in (1, 2)],
    "Jeffreys prior": jeffreys(),
    "k-dependence Bayesian classifier": [len([])],
    "K2": add_one(),
    "period": [math.gcd(2, 3)],
    "probability": [sum(stats.binom(4, 0.3).pmf(range(5)))],
    "probability simplex": [len(np.eye(3))],
    "quantile": [stats.gamma(2).cdf(stats.gamma(2).median())],
    "R-hat": [np.sqrt(SPREAD.var() / SPREAD.var())] * 2,
    "ridge regression": [stats.norm(scale=3).mean()],
    "zero-count problem": [0 / 7],
    r"$\mathbf{1}_A$": [int(x in {1, 3}) for x in (1, 2)],
    "$s_{XY}$": [1, 1, 0],
    r"$\pi_0, \pi_1$": BITS,
    "$t$": [BITS[1]],
    r"$[x \in h]$": [int(x in {1, 3}) for x in (1, 2)],
    "$b_m$": BITS[::-1],
    "$q(x)$": [BITS[1]],
    "$r(x)$": [BITS[1]],
    "$f$": [stats.chi2(2).mean() / 2],
    "$Z_n$": [stats.norm().mean(), stats.norm().var()],
}


@pytest.mark.parametrize("entries", [GLOSSARY, NOTATION], ids=TEXTS)
def test_an_entry_tells_what_is_computed(entries):
    wrong = []
    for name, text in entries.items():
        told, values = numbers_told(text), TOLD.get(name, [])
        right = len(told) == len(values) and all(
            number.tells([each])
            for number, each in zip(told, values, strict=True)
        )
        if not right:
            written = [number.written for number in told]
            wrong.append(f"{name}: {written}, but computed is {[*values]}")
    assert wrong == []


def test_every_number_that_is_computed_has_its_entry():
    assert {*TOLD} <= {*GLOSSARY, *NOTATION}


# --- Formulas with letters --------------------------------------------------


def mode(law, low, high):
    return optimize.minimize_scalar(
        lambda t: -law.pdf(t), bounds=(low, high), method="bounded"
    ).x


def shares(*weights):
    """Return the means of the posterior of shares under a flat prior."""
    return stats.dirichlet([weight + 1 for weight in weights]).mean()


P = {"p": 0.3}
THETA = {r"\theta": 0.3, "a": 3, "b": 5}
SIX = [0.25, 0.5, 0.25]
HALVING = [{"t": lag} for lag in range(1, 60)]
CHANCES = {r"\mathbb{E}[X^2]": 10.0, r"\mathbb{E}[X]": 3.0}
# An outcome at k standard deviations, on either side, as far as it may be.
FAR = stats.rv_discrete(values=([-3, 0, 3], [1 / 18, 8 / 9, 1 / 18]))
# Page, formula, how often it stands there, the values of its letters, and its
# own value by another route.
FORMULAS = [
    ("glossary", "1 - R^*", 1, {"R^*": 0.3}, 0.7),
    ("glossary", "$p(1 - p)$", 1, P, stats.bernoulli(0.3).var()),
    (
        "glossary",
        r"\theta^{a-1} (1-\theta)^{b-1}",
        1,
        THETA,
        stats.beta(3, 5).pdf(0.3) * special.beta(3, 5),
    ),
    (
        "glossary",
        r"\frac{a-1}{a+b-2}",
        1,
        THETA,
        mode(stats.beta(3, 5), 0, 1),
    ),
    (
        "glossary",
        r"\frac{a + b + M}{a + b + 1}",
        1,
        {"a": 2, "b": 3, "M": 6},
        stats.betabinom(6, 2, 3).var() / stats.binom(6, 0.4).var(),
    ),
    (
        "glossary",
        "(N-1)/N",
        1,
        {"N": 2},
        # Of two bits; the squared deviations are 0, 1/4, 1/4 and 0.
        (0 + 1 / 4 + 1 / 4 + 0) / 4 / stats.bernoulli(0.5).var(),
    ),
    (
        "glossary",
        "p^k (1 - p)^{n-k}",
        1,
        {**P, "k": 2, "n": 5},
        stats.binom(5, 0.3).pmf(2) / math.comb(5, 2),
    ),
    (
        "glossary",
        "M^{M-2}",
        1,
        {"M": 5},
        nx.number_of_spanning_trees(nx.complete_graph(5)),
    ),
    (
        "glossary",
        "1/k^2",
        1,
        {"k": 3},
        FAR.pmf(-3) + FAR.pmf(3),
    ),
    (
        "glossary",
        r"1 - \mathbb{P}[A]",
        1,
        {r"\mathbb{P}[A]": 0.3},
        stats.bernoulli(0.3).pmf(0),
    ),
    (
        "glossary",
        r"\prod_k \theta_k^{\alpha_k - 1}",
        1,
        {
            r"\prod_k": [{"k": k} for k in range(3)],
            r"\theta_k": lambda k: SIX[k],
            r"\alpha_k": lambda k: [2, 3, 4][k],
        },
        stats.dirichlet([2, 3, 4]).pdf(SIX)
        / math.gamma(9)
        * math.prod(map(math.gamma, [2, 3, 4])),
    ),
    (
        "glossary",
        r"n / (1 + 2 \sum_t \rho_t)",
        1,
        {"n": 90, r"\sum_t": HALVING, r"\rho_t": lambda t: 0.5**t},
        90 * (1 - 0.5) / (1 + 0.5),
    ),
    (
        "glossary",
        r"\frac1N \sum_n L(y_n, h(x_n))",
        1,
        {
            "N": 3,
            r"\sum_n": [{"n": n} for n in range(3)],
            "L(y_n, h(x_n))": lambda n: [1, 4, 2][n],
        },
        np.mean([1, 4, 2]),
    ),
    (
        "glossary",
        r"\sqrt{\hat\theta (1 - \hat\theta)/N}",
        1,
        {r"\hat\theta": 0.3, "N": 25},
        stats.binom(25, 0.3).std() / 25,
    ),
    (
        "glossary",
        r"1/\sqrt{N I(\theta)}",
        1,
        {"N": 25, r"I(\theta)": 1 / 9},
        stats.norm(scale=3).std() / 5,
    ),
    ("glossary", "s - 1", 1, {"s": 6}, len([*range(6)][:-1])),
    (
        "glossary",
        r"\lambda^{\alpha - 1} e^{-\beta\lambda}",
        1,
        {r"\lambda": 0.9, r"\alpha": 3, r"\beta": 2, "e": math.e},
        stats.gamma(3, scale=1 / 2).pdf(0.9) * math.gamma(3) / 2**3,
    ),
    (
        "glossary",
        "(1 - p)^{k-1} p",
        1,
        {**P, "k": 4},
        stats.geom(0.3).pmf(4),
    ),
    ("glossary", r"\frac1p", 1, P, stats.geom(0.3).mean()),
    (
        "glossary",
        r"\frac{N_k + 1}{N + K}",
        1,
        {"N_k": 5, "N": 9, "K": 3},
        shares(5, 3, 1)[0],
    ),
    (
        "glossary",
        r"\frac{N_{kjs} + 1}{N_k + S_j}",
        1,
        {"N_{kjs}": 3, "N_k": 5, "S_j": 4},
        shares(3, 2, 0, 0)[0],
    ),
    ("glossary", r"\log \frac{p}{1-p}", 1, P, special.logit(0.3)),
    (
        "glossary",
        r"\mathbb{E}[X^2] - \mathbb{E}[X]^2",
        1,
        CHANCES,
        # Of 2 and 4, which are equally probable.
        stats.rv_discrete(values=([2, 4], [0.5, 0.5])).var(),
    ),
    (
        "glossary",
        r"\mathbb{E}[N^2]/\mathbb{E}[N]",
        1,
        {r"\mathbb{E}[N^2]": 10, r"\mathbb{E}[N]": 3},
        # Groups of 2 and of 4: of six members four say 4.
        np.mean([2, 2, 4, 4, 4, 4]),
    ),
    (
        "glossary",
        r"(y - \hat y)^2",
        1,
        {"y": 3, r"\hat y": 5},
        (-2) * (-2),
    ),
    (
        "glossary",
        r"1/\sqrt{J}",
        1,
        {"J": 1 / 9},
        stats.norm(scale=3).std(),
    ),
    (
        "glossary",
        r"\lambda \sum_j w_j^2",
        1,
        {
            r"\lambda": 2,
            r"\sum_j": [{"j": j} for j in range(2)],
            "w_j": lambda j: [3, -1][j],
        },
        2 * np.dot([3, -1], [3, -1]),
    ),
    (
        "glossary",
        r"\frac{N_1 + 1}{N + 2}",
        1,
        {"N_1": 5, "N": 8},
        shares(5, 3)[0],
    ),
    (
        "glossary",
        r"\sqrt{p(1-p)/n}",
        1,
        {**P, "n": 25},
        stats.binom(25, 0.3).std() / 25,
    ),
    (
        "glossary",
        r"p(x \mid \mathcal{M}_1) / p(x \mid \mathcal{M}_0)",
        1,
        {
            r"p(x \mid \mathcal{M}_1)": stats.binom(4, 0.5).pmf(4),
            r"p(x \mid \mathcal{M}_0)": stats.binom(4, 0.25).pmf(4),
        },
        2**4,
    ),
    ("glossary", "1/N", 1, {"N": 8}, np.mean([1] + [0] * 7)),
    (
        "notation",
        r"\sqrt{p(1-p)/n}",
        1,
        {**P, "n": 25},
        stats.binom(25, 0.3).std() / 25,
    ),
    (
        "notation",
        r"1/\sqrt{N I(\hat{\theta})}",
        1,
        {"N": 25, r"I(\hat{\theta})": 1 / 9},
        stats.norm(scale=3).std() / 5,
    ),
    (
        "notation",
        r"\theta^{\alpha-1} (1-\theta)^{\beta-1}",
        1,
        {r"\theta": 0.3, r"\alpha": 3, r"\beta": 5},
        stats.beta(3, 5).pdf(0.3) * special.beta(3, 5),
    ),
    (
        "notation",
        r"\sigma^2 / \tau^2",
        1,
        {r"\sigma": 3, r"\tau": 2},
        stats.norm(scale=3).var() / stats.norm(scale=2).var(),
    ),
    (
        "notation",
        r"\sigma^2 / (N b)",
        1,
        {r"\sigma": 3, "N": 10, "b": 0.5},
        stats.norm(scale=3).var() / 10 / 0.5,
    ),
    (
        "notation",
        r"N_k + \alpha_k - 1",
        1,
        {"N_k": 4, r"\alpha_k": 3},
        math.log(4 ** (4 + 2), 4),
    ),
    (
        "notation",
        r"\frac{\alpha_0 + M}{\alpha_0 + 1}",
        1,
        {r"\alpha_0": 5, "M": 6},
        stats.betabinom(6, 2, 3).var() / stats.binom(6, 0.4).var(),
    ),
    ("notation", "1/v", 1, {"v": 4}, 0.25),
    (
        "notation",
        r"1/\sigma^2",
        1,
        {r"\sigma": 3},
        1 / stats.norm(scale=3).var(),
    ),
    (
        "notation",
        "t^{a-1} e^{-t}",
        1,
        {"t": 2, "a": 3, "e": math.e},
        stats.gamma(3).pdf(2) * math.gamma(3),
    ),
    (
        "notation",
        r"\mathbb{P}[Y = 1 \mid X = 1] - \mathbb{P}[Y = 1 \mid X = 0]",
        1,
        {
            r"\mathbb{P}[Y = 1 \mid X = 1]": 0.75,
            r"\mathbb{P}[Y = 1 \mid X = 0]": 0.25,
        },
        # Of four rows each, with three ones and with one.
        np.polyfit([0] * 4 + [1] * 4, [0, 0, 0, 1, 1, 1, 1, 0], 1)[0],
    ),
]


@pytest.mark.parametrize("page", TEXTS)
def test_a_formula_has_its_value(page):
    wrong = []
    for of, formula, times, names, expected in FORMULAS:
        if of != page:
            continue
        if TEXTS[page].count(formula) != times:
            wrong.append(
                f"{formula} stands {TEXTS[page].count(formula)} times"
            )
        worth = float(value(formula.strip("$"), names))
        if worth != pytest.approx(float(expected), rel=1e-5):
            wrong.append(f"{formula} is {worth}, not {expected}")
    assert wrong == []


# --- What is bound ----------------------------------------------------------

INDEX = re.compile(r"_(?:\d|\{[^}]*\})|\\mathbf\{1\}")


def free(text, page):
    """Yield the numbers of a text that are no index, and not bound.

    They are bounds of conditions, or stand beside dots.
    """
    covered = {
        place
        for of, formula, *_ in FORMULAS
        if of == page
        for found in re.finditer(re.escape(formula), text)
        for place in range(*found.span())
    }
    covered |= {
        place
        for found in INDEX.finditer(text)
        for place in range(*found.span())
    }
    told = [number.value for number in numbers_told(text)]
    for number in NUMBER.finditer(without_labels(text)):
        if number.start() in covered:
            continue
        other = str((int(number[0][-1]) + 1) % 10)
        changed = text[: number.end() - 1] + other + text[number.end() :]
        if told == [each.value for each in numbers_told(changed)] and all(
            it.holds for it in equations(prose(changed), rounded=True)
        ):
            yield number[0]


@pytest.mark.parametrize("page", TEXTS)
def test_most_digits_are_bound(page):
    entries = {"glossary": GLOSSARY, "notation": NOTATION}[page]
    left = {
        name: found
        for name, text in entries.items()
        if (found := [*free(text, page)])
    }
    numbers = NUMBER.findall(INDEX.sub("", "".join(entries.values())))
    assert len([*chain(*left.values())]) < len(numbers) / 3, left
