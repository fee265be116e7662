"""A probability: beta priors, and trials that succeed or fail."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from bayesbook.study.drills.conjugate import cases
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
    lines_of,
    table,
)

__all__ = ["draw"]


@dataclass(frozen=True)
class Story:
    """Trials, and the words for their outcomes."""

    what: str  # one of them, at the beginning of a sentence
    one: str
    many: str
    # What one does, what several do, and a word for it.
    success: tuple[str, ...]
    failure: tuple[str, ...]


def _stories(block: str) -> list[Story]:
    rows = [line.split(" | ") for line in lines_of(block)]
    return [
        Story(what, one, many, tuple(yes.split(", ")), tuple(no.split(", ")))
        for what, one, many, yes, no in rows
    ]


STORIES = _stories("""
    A toss of a thumbtack | toss | tosses
        | lands point up, land point up, up
        | lands point down, land point down, down
    A free throw of a player | throw | throws
        | goes in, go in, in | misses, miss, miss
    A seed of a new sort | seed | seeds
        | sprouts, sprout, sprout | rots, rot, rot
    A case of a rare fever | case | cases
        | heals within a week, heal within a week, short
        | takes longer, take longer, long
    A lamp from a new machine | lamp | lamps
        | is faulty, are faulty, faulty | is sound, are sound, sound
    A bus of a new line | bus | buses
        | comes late, come late, late
        | comes on time, come on time, on time
    A visit to a shop | visit | visits
        | ends with a purchase, end with a purchase, purchase
        | ends without one, end without one, none
    A swan of a far country | swan | swans
        | is black, are black, black | is white, are white, white
    A toss of a bent coin | toss | tosses
        | shows heads, show heads, heads | shows tails, show tails, tails
    A letter from abroad | letter | letters
        | arrives within a week, arrive within a week, early
        | arrives later, arrive later, late
""")


@dataclass(frozen=True, eq=False, kw_only=True)
class Case(cases.Case[Beta]):
    """A beta prior and some trials."""

    story: Story
    successes: int
    failures: int
    reading: str  # how the parameters follow from the words of the prior
    last: tuple[int, int] | None  # the second batch, where there are two

    unknown = r"\theta"
    told = (
        "(prior.mean(), a + b, k + m)",
        "(posterior.a, posterior.a + posterior.b, posterior.mean())",
    )

    @property
    def trials(self):
        """The number of trials."""
        return self.successes + self.failures

    @cached_property
    def posterior(self):
        a, b = self.prior
        return Beta(a + self.successes, b + self.failures)

    @property
    def data(self):
        k, m = Fraction(self.successes), Fraction(self.failures)
        return {"a": self.prior.a, "b": self.prior.b, "k": k, "m": m}

    @property
    def slips(self):
        k, m, n = self.successes, self.failures, self.trials
        (_, succeed, _), (_, fail, _) = self.story.success, self.story.failure
        more, less = self.last or (0, 0)
        return rf"""
            k, m | the prior is forgotten, and only the data are counted
            b + m, a + k | the two parameters have changed places; in
                $\text{{Beta}}(a, b)$ it is $a$ that counts those that
                {succeed}
            a + m, b + k | the counts have changed places; the {k} that
                {succeed} belong to the first parameter, the {m} that {fail}
                to the second
            a + k, b + k + m | all {n} are added to the second parameter,
                which counts only the {m} that {fail}
            2 * a + k, 2 * b + m | the prior is counted twice
            a + k - 1, b + m - 1 | these are the exponents of the density;
                those of $\text{{Beta}}(a, b)$ are $a - 1$ and $b - 1$
            a, b | the data are left out
            k + 1, m + 1 | if prior != (1, 1) | this takes a flat prior in
                place of the given one
            a + {more}, b + {less} | if {self.last} | the first batch is
                forgotten; its posterior is the prior of the second
        """

    @staticmethod
    def model(parameters):
        return f"BetaBernoulli({parameters})"

    @property
    def right(self):
        a, b = map(decimal, self.prior)
        return (
            f"Counts are added to pseudo-counts: {a} + {self.successes} that "
            f"{self.story.success[1]}, and {b} + {self.failures} that "
            f"{self.story.failure[1]}."
        )

    @property
    def others(self):
        a, b = map(decimal, self.posterior)
        share = about(self.posterior.mean())
        variance = f"{float(self.posterior.var()):.2g}"
        return rf"""
            $\text{{Gamma}}(\text{{shape }} {a}, \text{{rate }} {b})$
                | stats.gamma({a}, scale=1 / {b}).pdf
                | a gamma distribution lets $\theta$ exceed 1, and a
                probability cannot
            $\text{{Binomial}}({self.trials}, {share})$
                | stats.binom({self.trials}, {share}).pmf
                | this is a distribution of the number of successes; $\theta$
                is not a count
            $\mathcal{{N}}(\text{{mean }} {share},
                \text{{variance }} {variance})$
                | stats.norm({share}, {variance} ** 0.5).pdf
                | a normal distribution with these moments comes near, but it
                gives probability to values below 0 and above 1
        """

    @property
    def look(self):
        succeed = self.story.success[self.successes != 1]
        return (
            f"The prior is ${self.prior.tex}$, and {self.successes} of "
            f"{self.trials} {self.story.many} {succeed}. First find the "
            "posterior."
        )

    @property
    def steps(self):
        a, b = self.prior
        k, m = self.successes, self.failures
        story, after = self.story, self.posterior
        rows = [
            ["prior: pseudo-counts", *map(decimal, (a, b, a + b))],
            ["data: counts", str(k), str(m), str(k + m)],
            ["*posterior*", *map(decimal, (*after, after.total))],
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
    def sense(self):
        share = Fraction(self.successes, self.trials)
        return (
            "**Does it make sense?** The posterior mean, "
            f"{about(self.posterior.mean())}, lies between the prior mean, "
            f"{about(self.prior.mean())}, and the relative frequency, "
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
    """Draw a case, unless prior mean and relative frequency are the same."""
    story = pick(rng, STORIES)
    said, reading, prior = pick(rng, _PRIORS)(rng)
    seen, setup, batches = pick(rng, _DATA)(story, rng)
    successes, failures = map(sum, zip(*batches, strict=True))
    if prior.mean() == Fraction(successes, successes + failures):
        return None
    a, b = map(decimal, prior)
    return Case(
        story=story,
        prior=prior,
        successes=successes,
        failures=failures,
        text=(
            f"{story.what} {story.success[0]} with an unknown probability "
            rf"$\theta$; otherwise it {story.failure[0]}. {said} {seen}"
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
    prior = _small(rng)
    return rf"The prior of $\theta$ is ${prior.tex}$.", "", prior


def _jeffreys(rng):
    return (
        r"The prior of $\theta$ is the Jeffreys prior, "
        r"$\text{Beta}(0.5, 0.5)$.",
        "",
        Beta(Fraction(1, 2), Fraction(1, 2)),
    )


def _flat(rng):
    return (
        r"Beforehand all values of $\theta$ between 0 and 1 are equally "
        "plausible.",
        r"A flat prior is $\text{Beta}(1, 1)$: both exponents are 0.",
        Beta(Fraction(1), Fraction(1)),
    )


def _by_kernel(rng):
    prior = _small(rng)
    if prior == (1, 1):
        return _flat(rng)
    kernel = _kernel(prior.a - 1, prior.b - 1)
    return (
        rf"The prior density of $\theta$ is proportional to ${kernel}$.",
        r"The exponents of $\text{Beta}(a, b)$ are $a - 1$ and $b - 1$; so "
        f"the prior is ${prior.tex}$.",
        prior,
    )


def _by_mean(rng):
    prior = _small(rng)
    mean, total = prior.mean(), prior.total
    return (
        r"The prior of $\theta$ is a beta distribution whose mean is "
        f"{mean} and whose parameters add up to {total}.",
        rf"From $\frac{{a}}{{a + b}} = {fraction(mean)}$ and "
        rf"$a + b = {total}$ follows ${prior.tex}$.",
        prior,
    )


def _small(rng) -> Beta:
    parameters = [1, 1, 2, 2, 3, 4, 5, 6, 8]
    return Beta(*(Fraction(pick(rng, parameters)) for _ in "ab"))


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


def _many(count: int, outcome: tuple[str, ...]) -> str:
    verb = outcome[0] if count < 2 else outcome[1]
    return f"{count or 'none'} {verb}"


_DATA = (_in_order, _counted, _of_total, _in_batches)
