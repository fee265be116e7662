"""Every question read again as a reader does, and answered by quadrature."""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction as F
from functools import cache, cached_property
from itertools import combinations

import numpy as np
import pytest
from scipy import optimize, stats
from study.drills.banks import bank

from bayesbook.study import quiz
from bayesbook.study.drills.writing import TOLERANCE

KINDS = ("update", "posterior", "predict")
NUMBERS = ("update", "predict")


# --- From the words of a prompt to a prior and a likelihood -----------------
#
# Nothing here adds a count to a parameter: a distribution is the product of a
# prior density and of the probabilities of the data, on the points of a grid.


@dataclass
class Read:
    """What a reader finds in a prompt, and what follows from it."""

    family: str
    prior: tuple  # parameters
    log_prior: object
    log_likelihood: object
    grid: np.ndarray
    widths: np.ndarray  # quadrature weights
    facts: dict

    def __post_init__(self):
        self.log_density = lambda x: self.log_prior(x) + self.log_likelihood(x)
        self.logs = self.log_density(self.grid)
        mass = np.exp(self.logs - self.logs.max()) * self.widths
        self.mass = mass / mass.sum()

    def mean(self, f):
        """Integrate a function of the parameter."""
        return float(f(self.grid) @ self.mass)

    def fitted(self):
        """Find the parameters of the posterior from its logarithms."""
        if self.family == "readings":
            return self.mean(lambda x: x), variance(self)
        near = self.logs > self.logs.max() - 12
        x, y = self.grid.T[near], self.logs[near]
        columns = [*FEATURES[self.family](x), np.ones(len(y))]
        found, *_ = np.linalg.lstsq(np.column_stack(columns), y, rcond=None)
        return PARAMETERS[self.family](*found[:-1])

    @cached_property
    def after(self):
        """Parameters of the posterior, all of which are simple numbers."""
        rounded = [F(value).limit_denominator(2000) for value in self.fitted()]
        assert [*map(float, rounded)] == pytest.approx(self.fitted(), rel=1e-6)
        return tuple(rounded)

    @cached_property
    def added(self):
        """What the data add to the parameters."""
        pairs = zip(self.after, self.prior, strict=True)
        return tuple(after - before for after, before in pairs)


FEATURES = {
    "trials": lambda x: [np.log(x), np.log1p(-x)],
    "counts": lambda x: [np.log(x), x],
    "waits": lambda x: [np.log(x), x],
    "categories": lambda x: list(np.log(x.T)),
}
PARAMETERS = {
    "trials": lambda a, b: (a + 1, b + 1),
    "counts": lambda s, r: (s + 1, -r),
    "waits": lambda s, r: (s + 1, -r),
    "categories": lambda *alpha: tuple(a + 1 for a in alpha),
}


def of_sticks(k, nodes):
    """Give points of a simplex and their weights.

    By breaking a stick of length one, each time at a point of the tanh-sinh
    rule, which copes with infinite densities at the ends.
    """
    t = np.linspace(-3, 3, nodes)
    turn = np.pi / 2 * np.sinh(t)
    step = np.cosh(t) / np.cosh(turn) ** 2
    rest, parts, width = 1.0, [], 1.0
    for at in np.meshgrid(*[range(nodes)] * (k - 1), indexing="ij"):
        parts.append(rest / (1 + np.exp(-2 * turn[at])))
        width = width * rest * step[at]
        rest = rest / (1 + np.exp(2 * turn[at]))
    parts.append(rest)
    return np.array([part.ravel() for part in parts]), width.ravel()


SIMPLEX = {k: of_sticks(k, nodes) for k, nodes in ((2, 200), (3, 60), (4, 36))}


def number(text):
    return F(0) if text == "none" else F(text)


def exponents(kernel, bases):
    """Read the exponents of a kernel; a base that is missing has 0."""
    found = dict.fromkeys(bases, F(0))
    for factor in kernel.split(r" \, "):
        base, _, power = factor.partition("^")
        found[base] = F(power.strip("{}") or 1)
    assert list(found) == bases
    return list(found.values())


def first(patterns, text):
    """Find the one pattern that is in a text."""
    [(found, read)] = [
        (match, read)
        for pattern, read in patterns
        if (match := re.search(pattern, text))
    ]
    return read(*found.groups())


# Words of success and failure, by the story.
OUTCOMES = {
    "thumbtack": ("up", "down"),
    "free throw": ("in", "miss"),
    "seed": ("sprout", "rot"),
    "fever": ("short", "long"),
    "lamp": ("faulty", "sound"),
    "bus": ("late", "on time"),
    "shop": ("purchase", "none"),
    "swan": ("black", "white"),
    "coin": ("heads", "tails"),
    "letter from": ("early", "late"),
}


def trials(facts):
    a, b = first(
        [
            (r"\\text{Beta}\(([\d.]+), ([\d.]+)\)", lambda a, b: (F(a), F(b))),
            ("equally plausible", lambda: (F(1), F(1))),
            (
                r"proportional to \$(.*?)\$",
                lambda kernel: tuple(
                    e + 1
                    for e in exponents(kernel, [r"\theta", r"(1 - \theta)"])
                ),
            ),
            (
                r"mean is (\S+) and whose parameters add up to (\d+)",
                lambda m, n: (F(m) * F(n), F(n) - F(m) * F(n)),
            ),
        ],
        facts,
    )
    [(up, down)] = [w for s, w in OUTCOMES.items() if s in facts.split(".")[0]]

    def in_order(data):
        data = data.split(", ")
        assert set(data) <= {up, down}
        return [(1, int(word == up)) for word in data]

    batches = first(
        [
            (r"in order: (.*)\.", in_order),
            (
                r"Of a first (\d+) \w+ (\d+|none) .*; of (\d+) later ones, "
                r"(\d+|none) ",
                lambda n, k, n2, k2: [
                    (int(n), number(k)),
                    (int(n2), number(k2)),
                ],
            ),
            (r"Of (\d+) \w+ (\d+|none) ", lambda n, k: [(int(n), number(k))]),
        ],
        facts,
    )
    if both := re.search(r"Of (\d+) .*, and (\d+|none) ", facts):
        assert batches[0][1] + number(both[2]) == int(both[1])
    (grid, _), widths = SIMPLEX[2]
    return Read(
        "trials",
        (a, b),
        lambda x: stats.beta.logpdf(x, float(a), float(b)),
        lambda x: sum(stats.binom.logpmf(int(k), n, x) for n, k in batches),
        grid,
        widths,
        {
            "n": sum(n for n, _ in batches),
            "k": int(sum(k for _, k in batches)),
            "last": batches[-1],
        },
    )


RATES = np.exp(np.linspace(-26, 9, 1000))


def gamma_prior(facts):
    return first(
        [
            (r"shape ([\d.]+) and rate ([\d.]+)\.", lambda s, r: (F(s), F(r))),
            (
                r"shape ([\d.]+) and scale ([\d.]+)\.",
                lambda s, c: (F(s), 1 / F(c)),
            ),
            (
                r"mean ([\d.]+) and rate ([\d.]+)\.",
                lambda m, r: (F(m) * F(r), F(r)),
            ),
            (
                r"proportional to \$(?:\\lambda(?:\^{(\d+)})? \\, )?"
                r"e\^{-([\d.]*)\\lambda}\$",
                lambda e, r: (F(e or 1) + 1, F(r or 1)),
            ),
        ],
        facts.replace(r"to $e", r"to $\lambda^{0} \, e"),
    )


def of_rate(family, facts, log_likelihood, known):
    shape, rate = gamma_prior(facts)
    return Read(
        family,
        (shape, rate),
        lambda x: stats.gamma.logpdf(x, float(shape), scale=1 / float(rate)),
        log_likelihood,
        RATES,
        RATES,
        known,
    )


def listed(text):
    return [F(part) for part in re.split(", | and ", text)]


def counts(facts):
    def each(n, words):
        found = listed(words)
        assert len(found) == int(n)
        return [(F(1), x) for x in found]

    data = first(
        [
            (
                r"In (\d+) \w+, one after the other, there are ([\d, and]+) ",
                each,
            ),
            (
                r"In ([\d.]+) \w+ there (?:is|are) (\d+) ",
                lambda t, n: [(F(t), F(n))],
            ),
        ],
        facts,
    )
    return of_rate(
        "counts",
        facts,
        lambda x: sum(
            stats.poisson.logpmf(int(n), float(t) * x) for t, n in data
        ),
        {"n": sum(n for _, n in data), "t": sum(t for t, _ in data)},
    )


def waits(facts):
    def each(n, words):
        found = listed(words)
        assert len(found) == int(n)
        return [(1, x) for x in found]

    data = first(
        [
            (r"Observed are (\d+) \w+ of ([\d., and]+) \w+\.", each),
            (
                r"Observed are (\d+) \w+, ([\d.]+) \w+ together",
                lambda n, t: [(int(n), F(t))],
            ),
        ],
        facts,
    )
    return of_rate(
        "waits",
        facts,
        lambda x: sum(
            stats.gamma.logpdf(float(t), n, scale=1 / x) for n, t in data
        ),
        {"n": sum(n for n, _ in data), "t": sum(t for _, t in data)},
    )


def readings(facts):
    m, v = first(
        [
            (
                r"mean (\d+) \S+ and standard deviation (\d+)",
                lambda m, s: (F(m), F(s) ** 2),
            ),
            (r"mean (\d+) and variance (\d+)", lambda m, v: (F(m), F(v))),
            (
                r"mean (\d+) \S+ and precision (\S+)\. A",
                lambda m, p: (F(m), 1 / F(p)),
            ),
        ],
        facts,
    )
    noise = first(
        [
            (r"error of standard deviation (\d+)", lambda s: F(s) ** 2),
            (r"error of variance (\d+)", F),
        ],
        facts,
    )
    data = first(
        [
            (r"One reading is (\S+) ", lambda x: [(1, F(x))]),
            (
                r"(?:Two|Three|Four|Five) readings are ([-\d., and]+) ",
                lambda words: [(1, x) for x in listed(words)],
            ),
            (
                r"The mean of (\d+) readings is (\S+) ",
                lambda n, x: [(int(n), F(x))],
            ),
        ],
        facts,
    )
    if words := re.search("(Two|Three|Four|Five) readings", facts):
        assert len(data) == 2 + ["Two", "Three", "Four", "Five"].index(
            words[1]
        )
    n = sum(times for times, _ in data)
    mean = sum(times * x for times, x in data) / n
    ends = sorted([float(m), float(mean)])
    spread = 12 * float(min(v, noise / n)) ** 0.5
    grid = np.linspace(ends[0] - spread, ends[1] + spread, 1001)
    return Read(
        "readings",
        (m, v),
        lambda x: stats.norm.logpdf(x, float(m), float(v) ** 0.5),
        lambda x: sum(
            stats.norm.logpdf(float(each), x, float(noise / times) ** 0.5)
            for times, each in data
        ),
        grid,
        np.ones(len(grid)),
        {"n": n, "mean": mean, "noise": noise},
    )


def categories(facts):
    names = re.findall(r"\*([^*]+)\*", facts.split(", with unknown")[0])
    k = len(names)
    thetas = [rf"\theta_{{\text{{{name}}}}}" for name in names]
    alpha = first(
        [
            (r"\\text{Dir}\((.*?)\)", lambda words: listed(words)),
            (r"parameter (\S+) for each", lambda a: [F(a)] * k),
            ("equally plausible", lambda: [F(1)] * k),
            (
                r"proportional to \$(.*?)\$",
                lambda kernel: [e + 1 for e in exponents(kernel, thetas)],
            ),
            (
                r"means (.*), whose parameters add up to (\d+)",
                lambda means, total: [F(total) * m for m in listed(means)],
            ),
        ],
        facts,
    )

    def counted(total, first_count, more):
        found = re.findall(r"(\d+) (?:is |are )?([\w]+)", first_count + more)
        assert [name for _, name in found] == names
        assert sum(int(count) for count, _ in found) == int(total)
        return [int(count) for count, _ in found]

    data = first(
        [
            (
                r"in order: (.*)\.",
                lambda words: [words.split(", ").count(n) for n in names],
            ),
            (r"Of (\d+) \w+ (\d+ (?:is|are) )(.*)\.", counted),
        ],
        facts,
    )
    grid, widths = SIMPLEX[k]
    return Read(
        "categories",
        tuple(alpha),
        lambda x: np.array([float(a) - 1 for a in alpha]) @ np.log(x),
        lambda x: np.array(data) @ np.log(x),
        grid,
        widths,
        {"names": names, "counts": data, "n": sum(data)},
    )


READERS = {
    r"\theta$; otherwise": trials,
    "as a Poisson process": counts,
    "are exponential": waits,
    "with a normal error": readings,
    "probabilities $\\theta$ in this order": categories,
}


@cache
def read(facts):
    [reader] = [r for words, r in READERS.items() if words in facts]
    return reader(facts)


def split(drill):
    facts, question = drill.prompt.split("\n\n")
    return read(facts), facts, question


# --- What is asked for ------------------------------------------------------


def variance(found):
    mean = found.mean(lambda x: x)
    return found.mean(lambda x: (x - mean) ** 2)


def mode(found):
    """Climb the density, in coordinates without borders."""
    if found.family == "trials":
        best = optimize.minimize_scalar(
            lambda x: -found.log_density(x),
            bounds=(0, 1),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return best.x
    at = found.grid[found.logs.argmax()]
    best = optimize.minimize_scalar(
        lambda x: -found.log_density(x),
        bounds=(at / 2, at * 2),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return best.x


def mode_on_simplex(found):
    def height(free):
        x = np.exp([*free, 0.0])
        return -found.log_density(x / x.sum())

    start = np.zeros(len(found.grid) - 1)
    best = optimize.minimize(height, start, method="BFGS", tol=1e-9).x
    x = np.exp([*best, 0.0])
    return x / x.sum()


def weight(found):
    """Solve prior mean * w + data mean * (1 - w) = posterior mean for w."""
    if found.family == "trials":
        before = float(found.prior[0] / sum(found.prior))
        seen = found.facts["k"] / found.facts["n"]
    else:
        before, seen = float(found.prior[0]), float(found.facts["mean"])
    return (found.mean(lambda x: x) - seen) / (before - seen)


def spread_of_next(found):
    """Mix Poisson distributions, and take the variance of the mixture."""
    n = np.arange(400)
    some = found.mass > 1e-13
    rates, mass = found.grid[some], found.mass[some]
    chances = mass @ stats.poisson.pmf(n, rates[:, None])
    return chances @ n**2 - (chances @ n) ** 2


def place(found, name):
    return found.facts["names"].index(name)


def in_words(count):
    return float(count or 1)


QUESTIONS = {
    "trials": [
        (r"What is \$a\$", lambda f: f.fitted()[0]),
        (r"What is \$b\$", lambda f: f.fitted()[1]),
        (r"posterior mean of", lambda f: f.mean(lambda x: x)),
        (r"MAP estimate", mode),
        (r"What is \$w\$", weight),
        (r"each of the next two", lambda f: f.mean(lambda x: x**2)),
        (r"exactly one", lambda f: f.mean(lambda x: 2 * x * (1 - x))),
        (r"none of the next three", lambda f: f.mean(lambda x: (1 - x) ** 3)),
    ],
    "counts": [
        (r"the shape", lambda f: f.fitted()[0]),
        (r"the rate of", lambda f: f.fitted()[1]),
        (r"posterior mean of", lambda f: f.mean(lambda x: x)),
        (r"MAP estimate", mode),
        (
            r"expected in the next (\d*)",
            lambda f, u: f.mean(lambda x: in_words(u) * x),
        ),
        (
            r"of no .* in the next (\d*)",
            lambda f, u: f.mean(lambda x: np.exp(-in_words(u) * x)),
        ),
        (r"variance of the number", spread_of_next),
    ],
    "waits": [
        (r"the shape", lambda f: f.fitted()[0]),
        (r"the rate of", lambda f: f.fitted()[1]),
        (r"posterior mean of", lambda f: f.mean(lambda x: x)),
        (r"MAP estimate", mode),
        (
            r"longer than (\d+)",
            lambda f, u: f.mean(lambda x: np.exp(-float(u) * x)),
        ),
        (r"in the mean", lambda f: f.mean(lambda x: 1 / x)),
    ],
    "readings": [
        (r"posterior mean of", lambda f: f.mean(lambda x: x)),
        (r"posterior variance of", variance),
        (r"posterior precision of", lambda f: 1 / variance(f)),
        (r"What is \$w\$", weight),
        (
            r"mean of the distribution of the next",
            lambda f: f.mean(lambda x: x),
        ),
        (
            r"variance of the next reading",
            lambda f: variance(f) + float(f.facts["noise"]),
        ),
        (
            r"variance of the mean of the next (\d)",
            lambda f, n: variance(f) + float(f.facts["noise"]) / int(n),
        ),
        (r"covariance of", variance),
    ],
    "categories": [
        (
            r"parameter for \*(.*)\*",
            lambda f, name: f.fitted()[place(f, name)],
        ),
        (
            r"(?:posterior mean of \$.theta_{.text{|next \w+ is \*)(\w+)",
            lambda f, name: f.mean(lambda x: x[place(f, name)]),
        ),
        (
            r"MAP estimate of \$.theta_{.text{(\w+)",
            lambda f, name: mode_on_simplex(f)[place(f, name)],
        ),
        (
            r"both \*(\w+)\*",
            lambda f, name: f.mean(lambda x: x[place(f, name)] ** 2),
        ),
        (
            r"one is \*(\w+)\* and one \*(\w+)\*",
            lambda f, one, two: f.mean(
                lambda x: 2 * x[place(f, one)] * x[place(f, two)]
            ),
        ),
    ],
}


def next_one(found, facts, question):
    """Read whether the next one is asked to succeed or to fail."""
    fails = facts.split("otherwise it ")[1].split(".")[0]
    failing = question.endswith(f" {fails}?")
    assert failing or facts.split(" with an unknown")[0].endswith(
        " ".join(question[:-1].split(" next ")[1].split(" ")[1:])
    )
    return found.mean(lambda x: 1 - x if failing else x)


def which(drill):
    """Return how a question is recognised, how answered, what it names."""
    found, facts, question = split(drill)
    if found.family == "trials" and "that the next" in question:
        return "next", lambda f: next_one(f, facts, question), ()
    [asked] = [
        (words, answer, match.groups())
        for words, answer in QUESTIONS[found.family]
        if (match := re.search(words, question))
    ]
    return asked


@pytest.mark.parametrize("kind", NUMBERS)
def test_answers_are_those_of_quadrature(kind):
    assert len(bank(kind)) == 200
    for drill in bank(kind):
        _, answer, groups = which(drill)
        value = answer(split(drill)[0], *groups)
        assert float(F(drill.answer)) == pytest.approx(value, rel=1e-4), drill


# --- Diagnoses --------------------------------------------------------------


def plus(*distributions):
    return tuple(map(sum, zip(*distributions, strict=True)))


def rough(f):
    """Take reciprocals of standard deviations for precisions."""
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
    """Read the parameters of a distribution, or None if the family is another."""
    found = re.fullmatch(SIGNS[family], tex)
    return found and tuple(F(value) for value in found.groups() if value)


def diagnosed(found, why):
    """Give the parameters of a wrong distribution from what is said of it."""
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
    def worth(self):
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
    (r"compares the prior with", lambda k: k.worth / k.facts["n"]),
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
    (r"weight beside one reading", lambda k: k.worth / (k.worth + 1)),
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


# --- Which distribution it is
# --------------------------------------------------------

# Names of other families, and why they cannot be.
STRANGERS = [
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
                    w for t, w in STRANGERS if re.search(t, option.text)
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
    slips, strangers, foreign = Counter(), Counter(), 0
    for drill in bank("posterior"):
        found, *_ = split(drill)
        others = 0
        for option in drill.question.options:
            if distribution(found.family, option.text.strip("$")) is None:
                others += 1
                strangers[
                    next(t for t, _ in STRANGERS if re.search(t, option.text))
                ] += 1
            elif not option.right:
                slips[
                    next(
                        words
                        for words, _ in DISTRIBUTIONS
                        if re.search(words, option.why, re.I)
                    )
                ] += 1
        foreign += others > 0
    assert set(slips) == {words for words, _ in DISTRIBUTIONS}
    assert set(strangers) == {words for words, _ in STRANGERS}
    assert min(strangers.values()) >= 3
    assert 70 <= foreign <= 130


def test_neither_the_longest_option_nor_a_place_gives_it_away():
    longest, places = 0, Counter()
    for drill in bank("posterior"):
        [right] = drill.answer
        longest += len(right) == max(map(len, drill.options))
        shown = quiz.render.places(drill.question)
        places[shown.index(drill.options.index(right))] += 1
    assert longest < 110
    assert all(places[place] >= 25 for place in range(4))


# --- All of them ------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_checks_of_the_questions_agree(kind):
    # Of every family as many; scipy takes long to set up a distribution.
    questions = tuple(drill.question for drill in bank(kind)[::4])
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", NUMBERS)
def test_no_typed_number_is_right_and_wrong(kind):
    for drill in bank(kind):
        values = [F(wrong.value) for wrong in drill.question.wrong]
        for one, two in combinations([F(drill.answer), *values], 2):
            assert abs(one - two) > 2 * TOLERANCE, drill


@pytest.mark.parametrize("kind", NUMBERS)
def test_three_decimals_are_enough(kind):
    for drill in bank(kind):
        answer = float(F(drill.answer))
        typed = float(f"{answer:.3f}")
        assert quiz.agrees(typed, answer, drill.question.tolerance)
        assert answer >= 0.01


def _some_value(found):
    """Put another number in the place of each category."""
    return f"({ord(found[1]) / 100})"


def evaluated(tex):
    """Compute a formula of numbers; None if it is of anything else."""
    tex = re.sub(r"\\(begin|end){aligned}|\\\\|&|\n", "", tex)
    tex = re.sub(r"\\theta_{\\text{(\w)\w*}}", _some_value, tex)
    tex = tex.replace(r"\theta", "(0.3)").replace(r"\,", "*")
    tex = re.sub(r"([\d.]+)\\lambda", r"\1*(0.7)", tex)
    tex = tex.replace(r"\lambda", "(0.7)").replace("e^", "2.718281828459045^")
    while r"\frac" in tex:
        shorter = re.sub(r"\\frac{([^{}]*)}{([^{}]*)}", r"((\1)/(\2))", tex)
        if shorter == tex:
            return None
        tex = shorter
    tex = (
        tex.replace(r"\cdot", "*").replace(r"\left", "").replace(r"\right", "")
    )
    tex = re.sub(r"\^{([^{}]*)}", r"**(\1)", tex).replace("^", "**")
    return eval(tex) if re.fullmatch(r"[\d.+\-*/() ]+", tex) else None


@pytest.mark.parametrize("kind", KINDS)
def test_every_equation_of_an_explanation_holds(kind):
    for drill in bank(kind):
        compared = 0
        for formula in re.findall(r"\$+([^$]*)\$+", drill.explanation):
            sides = re.split(r"(=|\\approx|\\propto)", formula)
            before = None
            for sign, side in zip(["", *sides[1::2]], sides[::2], strict=True):
                value = evaluated(side.strip())
                if before is not None and value is not None:
                    close = 6e-4 if sign == r"\approx" else 1e-9
                    assert value == pytest.approx(before, rel=close), formula
                    compared += 1
                before = value
        assert compared, drill


@pytest.mark.parametrize("kind", NUMBERS)
def test_the_last_equation_is_the_answer(kind):
    for drill in bank(kind):
        number = drill.explanation.split("**The number.**")[1]
        [formula] = re.findall(r"\$\$(.*?)\$\$", number)
        last = re.split(r"=|\\approx", formula)[-1]
        answer = float(F(drill.answer))
        assert evaluated(last.strip()) == pytest.approx(answer, rel=6e-4)
        assert drill.question.why in number.strip()


@pytest.mark.parametrize("kind", KINDS)
def test_tables_add_up(kind):
    for drill in bank(kind):
        rows = [
            [number(cell) for cell in re.findall(r"(?<=\| )[\d./]+", line)]
            for line in drill.explanation.splitlines()
            if line.startswith("| ") and "---" not in line
        ]
        _, before, data, after = rows
        if split(drill)[0].family == "readings":
            before, data = before[::2], data[::2]
        assert after == [a + b for a, b in zip(before, data, strict=True)]


@pytest.mark.parametrize("kind", KINDS)
def test_families_and_stories_take_turns(kind):
    families = Counter(split(drill)[0].family for drill in bank(kind))
    assert set(families) == set(QUESTIONS)
    assert min(families.values()) >= 38
    stories = Counter(
        re.split(r", | with | is | are |\. ", drill.prompt)[0]
        for drill in bank(kind)
    )
    assert len(stories) >= 36
    assert max(stories.values()) <= 16


@pytest.mark.parametrize("kind", NUMBERS)
def test_no_question_is_rare(kind):
    found = Counter(
        (split(drill)[0].family, which(drill)[0]) for drill in bank(kind)
    )
    assert len(found) >= 15
    assert min(found.values()) >= 2
