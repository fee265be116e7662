"""From the words of a prompt to a prior and a likelihood, as a reader goes.

Nothing here adds a count to a parameter: a distribution is the product of a
prior density and of the probabilities of the data, on the points of a grid.
"""

import re
from dataclasses import dataclass
from fractions import Fraction as F
from functools import cache, cached_property

import numpy as np
import pytest
from scipy import stats


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
    """Return points of a simplex and their weights.

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


def variance(found):
    mean = found.mean(lambda x: x)
    return found.mean(lambda x: (x - mean) ** 2)
