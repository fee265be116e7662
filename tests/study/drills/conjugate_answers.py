"""What is asked of a conjugate model, and its answer by quadrature."""

import re

import numpy as np
from scipy import optimize, stats
from study.drills.conjugate_prompts import split, variance


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
            r"predictive mean of the next",
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
