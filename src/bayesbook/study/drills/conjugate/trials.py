"""A probability: beta priors, and trials that succeed or fail."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bayesbook.study.drills.conjugate.cases import (
    WrongFamily,
    WrongPosterior,
)
from bayesbook.study.drills.conjugate.distributions import (
    Beta,
    power,
    product,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import (
    about,
    decimal,
    fraction,
    table,
)


@dataclass(frozen=True)
class Story:
    """Trials, and the words for their outcomes.

    Parameters
    ----------
    what : str
        One of them, at the beginning of a sentence.
    one, many : str
        Short names, singular and plural.
    success, failure : tuple of three str
        What one does, what several do, and a word for it.

    Examples
    --------
    >>> STORIES[0].what
    'A toss of a thumbtack'
    """

    what: str
    one: str
    many: str
    success: tuple[str, str, str]
    failure: tuple[str, str, str]


STORIES = (
    Story(
        "A toss of a thumbtack",
        "toss",
        "tosses",
        ("lands point up", "land point up", "up"),
        ("lands point down", "land point down", "down"),
    ),
    Story(
        "A free throw of a player",
        "throw",
        "throws",
        ("goes in", "go in", "in"),
        ("misses", "miss", "miss"),
    ),
    Story(
        "A seed of a new sort",
        "seed",
        "seeds",
        ("sprouts", "sprout", "sprout"),
        ("rots", "rot", "rot"),
    ),
    Story(
        "A case of a rare fever",
        "case",
        "cases",
        ("heals within a week", "heal within a week", "short"),
        ("takes longer", "take longer", "long"),
    ),
    Story(
        "A lamp from a new machine",
        "lamp",
        "lamps",
        ("is faulty", "are faulty", "faulty"),
        ("is sound", "are sound", "sound"),
    ),
    Story(
        "A bus of a new line",
        "bus",
        "buses",
        ("comes late", "come late", "late"),
        ("comes on time", "come on time", "on time"),
    ),
    Story(
        "A visit to a shop",
        "visit",
        "visits",
        ("ends with a purchase", "end with a purchase", "purchase"),
        ("ends without one", "end without one", "none"),
    ),
    Story(
        "A swan of a far country",
        "swan",
        "swans",
        ("is black", "are black", "black"),
        ("is white", "are white", "white"),
    ),
    Story(
        "A toss of a bent coin",
        "toss",
        "tosses",
        ("shows heads", "show heads", "heads"),
        ("shows tails", "show tails", "tails"),
    ),
    Story(
        "A letter from abroad",
        "letter",
        "letters",
        ("arrives within a week", "arrive within a week", "early"),
        ("arrives later", "arrive later", "late"),
    ),
)


@dataclass(frozen=True)
class Case:
    r"""A beta prior and some trials.

    Parameters
    ----------
    story : Story
        What is tried.
    prior : Beta
        Of the probability of a success.
    successes, failures : int
        How many there were.
    text, setup : str
        Markdown, and Python.
    reading : str
        Markdown: how the parameters follow from the words of the prior.
    last : tuple of two int, or None
        Successes and failures of the second batch, where there are two.

    Examples
    --------
    >>> draw(np.random.default_rng(0)).posterior.tex
    '\\text{Beta}(3, 5)'
    """

    story: Story
    prior: Beta
    successes: int
    failures: int
    text: str
    setup: str
    reading: str
    last: tuple[int, int] | None

    unknown = r"\theta"
    points = "posterior.distribution.ppf([0.1, 0.5, 0.9])"

    @property
    def trials(self) -> int:
        """The number of trials."""
        return self.successes + self.failures

    @property
    def posterior(self) -> Beta:
        """The posterior."""
        return Beta(
            self.prior.a + self.successes, self.prior.b + self.failures
        )

    @property
    def right(self) -> str:
        """The reason for the right option, as Markdown."""
        a, b = map(decimal, self.prior.numbers)
        return (
            f"Counts are added to pseudo-counts: {a} + {self.successes} that "
            f"{self.story.success[1]}, and {b} + {self.failures} that "
            f"{self.story.failure[1]}."
        )

    @property
    def wrong_posteriors(self) -> list[WrongPosterior]:
        """Wrong posteriors."""
        a, b, k, m = *self.prior.numbers, self.successes, self.failures
        (_, succeed, _), (_, fail, _) = self.story.success, self.story.failure
        found = [
            WrongPosterior(
                Beta(Fraction(k), Fraction(m)),
                "BetaBernoulli(k, m)",
                "the prior is forgotten, and only the data are counted",
            ),
            WrongPosterior(
                Beta(b + m, a + k),
                "BetaBernoulli(b + m, a + k)",
                "the two parameters have changed places; in "
                rf"$\text{{Beta}}(a, b)$ it is $a$ that counts those that "
                f"{succeed}",
            ),
            WrongPosterior(
                Beta(a + m, b + k),
                "prior.update(successes=m, failures=k)",
                f"the counts have changed places; the {k} that {succeed} "
                f"belong to the first parameter, the {m} that {fail} to the "
                "second",
            ),
            WrongPosterior(
                Beta(a + k, b + k + m),
                "prior.update(successes=k, failures=k + m)",
                f"all {k + m} are added to the second parameter, which "
                f"counts only the {m} that {fail}",
            ),
            WrongPosterior(
                Beta(2 * a + k, 2 * b + m),
                "BetaBernoulli(2 * a + k, 2 * b + m)",
                "the prior is counted twice",
            ),
            WrongPosterior(
                Beta(a + k - 1, b + m - 1),
                "BetaBernoulli(a + k - 1, b + m - 1)",
                r"these are the exponents of the density; those of "
                r"$\text{Beta}(a, b)$ are $a - 1$ and $b - 1$",
            ),
            WrongPosterior(self.prior, "prior", "the data are left out"),
        ]
        if self.prior.numbers != (1, 1):
            found.append(
                WrongPosterior(
                    Beta(Fraction(k + 1), Fraction(m + 1)),
                    "BetaBernoulli(k + 1, m + 1)",
                    "this takes a flat prior in place of the given one",
                )
            )
        if self.last:
            found.append(
                WrongPosterior(
                    Beta(a + self.last[0], b + self.last[1]),
                    "prior.update(successes={}, failures={})".format(
                        *self.last
                    ),
                    "the first batch is forgotten; its posterior is the "
                    "prior of the second",
                )
            )
        return found

    @property
    def wrong_families(self) -> list[WrongFamily]:
        """Wrong posteriors of other families."""
        a, b = map(decimal, self.posterior.numbers)
        share = about(self.posterior.mean)
        variance = f"{float(self.posterior.variance):.2g}"
        return [
            WrongFamily(
                rf"$\text{{Gamma}}(\text{{shape }} {a}, \text{{rate }} {b})$",
                f"stats.gamma({a}, scale=1 / {b}).pdf",
                r"a gamma distribution lets $\theta$ exceed 1, and a "
                "probability cannot",
            ),
            WrongFamily(
                rf"$\text{{Binomial}}({self.trials}, {share})$",
                f"stats.binom({self.trials}, {share}).pmf",
                r"this is a distribution of the number of successes; $\theta$ "
                "is not a count",
            ),
            WrongFamily(
                rf"$\mathcal{{N}}(\text{{mean }} {share}, \text{{variance }} "
                rf"{variance})$",
                f"stats.norm({share}, {variance} ** 0.5).pdf",
                "a normal distribution with these moments comes near, but it "
                "gives probability to values below 0 and above 1",
            ),
        ]

    @property
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""
        a, b = self.prior.numbers
        k, m = self.successes, self.failures
        story, after = self.story, self.posterior
        rows = [
            ["prior: pseudo-counts", *map(decimal, (a, b, a + b))],
            ["data: counts", str(k), str(m), str(k + m)],
            [
                "*posterior*",
                *map(decimal, (*after.numbers, after.total)),
            ],
        ]
        head = ["source", story.success[2], story.failure[2], "sum"]
        return [
            rf"**The likelihood.** Every {story.one} that {story.success[0]} "
            rf"contributes a factor $\theta$, every one that "
            rf"{story.failure[0]} a factor $1 - \theta$. There are {k} and "
            f"{m} of them: ${_kernel(k, m)}$.",
            self.reading and f"**The prior.** {self.reading}",
            "**Prior times likelihood.** The exponents add up:",
            product(
                self.unknown,
                _kernel(a - 1, b - 1),
                _kernel(k, m),
                _kernel(after.a - 1, after.b - 1),
            ),
            f"This is the density of ${after.tex}$, but for a constant. In "
            "short, counts are added to pseudo-counts:",
            table(head, rows),
        ]

    @property
    def sense(self) -> str:
        """A check of plausibility, as Markdown."""
        share = Fraction(self.successes, self.trials)
        return (
            "**Does it make sense?** The posterior mean, "
            f"{about(self.posterior.mean)}, lies between the prior mean, "
            f"{about(self.prior.mean)}, and the relative frequency, "
            f"{about(share)}. The prior weighs as much as "
            f"{decimal(self.prior.total)} {self.story.many}, the data "
            f"are {self.trials}."
        )


def _kernel(first: Fraction | int, second: Fraction | int) -> str:
    factors = [
        power(r"\theta", Fraction(first)),
        power(r"(1 - \theta)", Fraction(second)),
    ]
    return r" \, ".join(filter(None, factors)) or "1"


# --- drawing ----------------------------------------------------------------


def draw(rng: np.random.Generator) -> Case | None:
    """Draw a case.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws story, prior and data.

    Returns
    -------
    Case or None
        None if prior mean and relative frequency are the same.

    Examples
    --------
    >>> draw(np.random.default_rng(0)).story.what
    'A toss of a bent coin'
    """
    story = pick(rng, STORIES)
    said, reading, prior = pick(rng, _PRIORS)(rng)
    data, setup, batches = pick(rng, _DATA)(story, rng)
    successes, failures = map(sum, zip(*batches, strict=True))
    if prior.mean == Fraction(successes, successes + failures):
        return None
    a, b = map(decimal, prior.numbers)
    return Case(
        story,
        prior,
        successes,
        failures,
        text=(
            f"{story.what} {story.success[0]} with an unknown probability "
            rf"$\theta$; otherwise it {story.failure[0]}. {said} {data}"
        ),
        setup=(
            "from bayesbook.conjugate import BetaBernoulli\n"
            f"a, b, k, m = {a}, {b}, {successes}, {failures}\n"
            "prior = BetaBernoulli(a, b)\n"
            f"posterior = {setup}\n"
        ),
        reading=reading,
        last=batches[1] if len(batches) > 1 else None,
    )


# Each returns the sentence about the prior, how to read it, and the prior.


def _named(rng):
    prior = Beta(*_two(rng))
    return rf"The prior of $\theta$ is ${prior.tex}$.", "", prior


def _jeffreys(rng):
    half = Fraction(1, 2)
    return (
        r"The prior of $\theta$ is the Jeffreys prior, "
        r"$\text{Beta}(0.5, 0.5)$.",
        "",
        Beta(half, half),
    )


def _flat(rng):
    one = Fraction(1)
    return (
        r"Beforehand all values of $\theta$ between 0 and 1 are equally "
        "plausible.",
        r"A flat prior is $\text{Beta}(1, 1)$: both exponents are 0.",
        Beta(one, one),
    )


def _by_kernel(rng):
    prior = Beta(*_two(rng))
    if prior.numbers == (1, 1):
        return _flat(rng)
    kernel = _kernel(prior.a - 1, prior.b - 1)
    return (
        rf"The prior density of $\theta$ is proportional to ${kernel}$.",
        r"The exponents of $\text{Beta}(a, b)$ are $a - 1$ and $b - 1$; so "
        f"the prior is ${prior.tex}$.",
        prior,
    )


def _by_mean(rng):
    prior = Beta(*_two(rng))
    total = prior.total
    return (
        r"The prior of $\theta$ is a beta distribution whose mean is "
        f"{prior.mean} and whose parameters add up to {total}.",
        rf"From $\frac{{a}}{{a + b}} = {fraction(prior.mean)}$ and "
        rf"$a + b = {total}$ follows ${prior.tex}$.",
        prior,
    )


def _two(rng) -> tuple[Fraction, Fraction]:
    small = [1, 1, 2, 2, 3, 4, 5, 6, 8]
    return Fraction(pick(rng, small)), Fraction(pick(rng, small))


_PRIORS = (_named, _named, _jeffreys, _flat, _by_kernel, _by_kernel, _by_mean)

# Each returns the sentence about the data, the update in Python, and the
# successes and failures of each batch.


def _in_order(story, rng):
    n = pick(rng, range(4, 10))
    data = [pick(rng, [0, 1]) for _ in range(n)]
    words = story.failure[2], story.success[2]
    said = ", ".join(words[x] for x in data)
    return (
        f"The first {n} {story.many}, in order: {said}.",
        f"prior.update({data})",
        [(sum(data), n - sum(data))],
    )


def _counted(story, rng):
    k, m = _counts(rng)
    return (
        f"Of {k + m} {story.many} {_many(k, story.success)}, and "
        f"{_many(m, story.failure)}.",
        "prior.update(successes=k, failures=m)",
        [(k, m)],
    )


def _of_total(story, rng):
    k, m = _counts(rng)
    return (
        f"Of {k + m} {story.many} {_many(k, story.success)}.",
        "prior.update(successes=k, failures=m)",
        [(k, m)],
    )


def _in_batches(story, rng):
    (k, m), (more, less) = _counts(rng, 9), _counts(rng, 9)
    return (
        f"Of a first {k + m} {story.many} {_many(k, story.success)}; of "
        f"{more + less} later ones, {_many(more, story.success)}.",
        f"prior.update(successes={k}, failures={m})"
        f".update(successes={more}, failures={less})",
        [(k, m), (more, less)],
    )


def _counts(rng, most: int = 20) -> tuple[int, int]:
    n = pick(rng, range(3, most + 1))
    successes = pick(rng, range(n + 1))
    return successes, n - successes


def _many(count: int, outcome: tuple[str, str, str]) -> str:
    verb = outcome[0] if count < 2 else outcome[1]
    return f"{count or 'none'} {verb}"


_DATA = (_in_order, _counted, _of_total, _in_batches)
