"""Several probabilities: Dirichlet priors, and observed categories."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate import cases
from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    number,
)
from bayesbook.study.drills.conjugate.distributions import (
    Dirichlet,
    parts,
    power,
    product,
    quotient,
    ratio,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import (
    about,
    decimal,
    equals,
    lines_of,
    table,
)

__all__ = ["FAMILY"]


@dataclass(frozen=True)
class Story:
    """Things of several categories."""

    what: str  # one of them, at the beginning of a sentence
    one: str
    many: str
    categories: tuple[str, ...]


def _stories(block: str) -> list[Story]:
    rows = [line.split(" | ") for line in lines_of(block)]
    return [
        Story(what, one, many, tuple(categories.split(", ")))
        for what, one, many, categories in rows
    ]


STORIES = _stories("""
    A sweet of a bag | sweet | sweets | red, green, yellow
    A day in a valley | day | days | sunny, cloudy, wet
    A word of a rhyme | word | words | lamb, snow, rain, big
    A move of a player | move | moves | rock, paper, scissors
    An order in a café | order | orders | tea, coffee, juice
    A blood group | group | groups | O, A, B, AB
    A bird at a feeder | bird | birds | tit, finch, robin
    A spin of a wheel | spin | spins | gold, silver, blank
    A letter of a code | letter | letters | a, c, g, t
""")


@dataclass(frozen=True, eq=False, kw_only=True)
class Case(cases.Case[Dirichlet]):
    """A Dirichlet prior and some observations."""

    story: Story
    counts: tuple[int, ...]
    at: int  # the category that is asked for
    other: int  # and another one
    reading: str  # how the parameters follow from the words of the prior

    unknown = r"\theta"
    told = (
        "prior.mean()",
        "(alpha.sum(), counts.sum(), posterior_alpha.sum())",
    )
    points = (
        "(posterior.mean() + [np.zeros(len(alpha)), "
        "(np.arange(len(alpha)) == 0) * 1.0, "
        "(np.arange(len(alpha)) == 1) * 1.0]).T / [1, 2, 2]"
    )

    @cached_property
    def posterior(self):
        pairs = zip(self.prior, self.counts, strict=True)
        return Dirichlet(*(a + n for a, n in pairs))

    @property
    def data(self):
        arrays = {
            "alpha": self.prior,
            "counts": map(Fraction, self.counts),
            "posterior_alpha": self.posterior,
        }
        return {name: np.array([*own]) for name, own in arrays.items()}

    @property
    def name(self):
        """The category that is asked for."""
        return self.story.categories[self.at]

    @property
    def slips(self):
        n, many = sum(self.counts), self.story.many
        return f"""
            counts | the prior is forgotten, and only the data are counted
            alpha + counts[::-1] | the counts are added in the opposite order
            2 * alpha + counts | the prior is counted twice
            alpha + counts / counts.sum() | counts are added, not relative
                frequencies; otherwise {n} {many} would weigh as little as one
            alpha + counts.sum() | each category gets its own count, not all
                {n} {many}
            posterior_alpha - 1 | these are the exponents of the density,
                which are smaller than the parameters by one
            posterior_alpha / posterior_alpha.sum() | this divides by the sum,
                as for the mean; so small parameters stand for hardly any data
            alpha | the data are left out
            counts + 1 | if set(alpha) != {{1}} | this adds one to each count,
                which is a flat prior and not the given one
        """

    @staticmethod
    def model(parameters):
        return f"DirichletCategorical({parameters})"

    @property
    def right(self):
        sums = and_list(
            f"{decimal(a)} + {n}"
            for a, n in zip(self.prior, self.counts, strict=True)
        )
        return f"Each parameter grows by the count of its category: {sums}."

    @property
    def others(self):
        after, total = self.posterior, self.posterior.total
        means = and_list(f"{float(mean):.2f}" for mean in after.mean())
        pairs = [(decimal(a), decimal(total - a)) for a in after]
        betas = and_list(rf"$\text{{Beta}}({a}, {b})$" for a, b in pairs)
        densities = " * ".join(
            f"stats.beta({a}, {b}).pdf(x[{at}])"
            for at, (a, b) in enumerate(pairs)
        )
        n, many = sum(self.counts), self.story.many
        return rf"""
            independent distributions {betas}
                | (lambda x: {densities})
                | these are the marginal distributions; the probabilities add
                up to one, so they cannot be independent
            $\text{{Multinomial}}$ of {n} {many} with {means}
                | (lambda x: stats.multinomial({n}, posterior.mean()).pmf(x.T))
                | this is a distribution of counts; $\theta$ are probabilities
        """

    @property
    def look(self):
        counts = and_list(
            f"{n} of *{name}*"
            for name, n in zip(self.story.categories, self.counts, strict=True)
        )
        return (
            f"The prior is ${self.prior.tex}$, and the counts are {counts}. "
            "First find the posterior."
        )

    @property
    def steps(self):
        names, after = self.story.categories, self.posterior
        rows = [
            ["prior: pseudo-counts", *_with_sum(self.prior)],
            ["data: counts", *_with_sum(map(Fraction, self.counts))],
            ["*posterior*", *_with_sum(after)],
        ]
        return [
            f"**The likelihood.** Every {self.story.one} contributes the "
            "probability of its category: together "
            f"${_kernel(names, self.counts)}$.",
            self.reading and f"**The prior.** {self.reading}",
            "**Prior times likelihood.** The exponents add up:",
            product(
                self.unknown,
                _kernel(names, [a - 1 for a in self.prior]),
                _kernel(names, self.counts),
                _kernel(names, [a - 1 for a in after]),
            ),
            f"This is the density of ${after.tex}$, but for a constant. In "
            "short, counts are added to pseudo-counts:",
            table(["source", *names, "sum"], rows),
        ]

    @property
    def sense(self):
        share = Fraction(self.counts[self.at], sum(self.counts))
        before, now = (d.mean()[self.at] for d in (self.prior, self.posterior))
        return (
            f"**Does it make sense?** The posterior mean of *{self.name}*, "
            f"{about(now)}, lies between the prior mean, {about(before)}, "
            f"and the relative frequency, {about(share)}."
        )


def _with_sum(numbers) -> list[str]:
    row = list(numbers)
    return list(map(decimal, [*row, sum(row)]))


def _theta(name: str) -> str:
    return rf"\theta_{{\text{{{name}}}}}"


def _kernel(names, exponents) -> str:
    pairs = zip(names, exponents, strict=True)
    factors = [power(_theta(name), Fraction(e)) for name, e in pairs]
    return r" \, ".join(filter(None, factors)) or "1"


# --- drawing ----------------------------------------------------------------


def draw(rng: np.random.Generator) -> Case | None:
    """Draw a case, unless prior mean and relative frequency are the same."""
    story = pick(rng, STORIES)
    names = story.categories
    said, reading, prior = pick(rng, _PRIORS)(names, rng)
    seen, setup, counts = pick(rng, [_in_order, _counted, _counted])(
        story, rng
    )
    at, other = (int(place) for place in rng.permutation(len(names))[:2])
    if prior.mean()[at] == Fraction(counts[at], sum(counts)):
        return None
    listed = and_list(f"*{name}*" for name in names).replace(" and ", " or ")
    return Case(
        story=story,
        prior=prior,
        counts=counts,
        at=at,
        other=other,
        text=(
            f"{story.what} is {listed}, with unknown probabilities "
            rf"$\theta$ in this order. {said} {seen}"
        ),
        setup=(
            "import numpy as np\n"
            "from bayesbook.conjugate import DirichletCategorical\n"
            f"alpha = np.array([{', '.join(map(decimal, prior))}])\n"
            f"counts = np.array({list(counts)})\n"
            "prior = DirichletCategorical(alpha)\n"
            f"posterior = {setup}\n"
            "posterior_alpha = np.array(posterior.alpha)\n"
        ),
        reading=reading,
    )


# Each returns the sentence about the prior, how to read it, and the prior.


def _named(names, rng):
    prior = _small(names, rng)
    return rf"The prior is ${prior.tex}$.", "", prior


def _symmetric(names, rng):
    alpha = Fraction(pick(rng, ["1/2", "1", "2", "3", "5"]))
    prior = Dirichlet(*[alpha] * len(names))
    return (
        "The prior is the symmetric Dirichlet distribution with the parameter "
        f"{decimal(alpha)} for each category.",
        f"Written out, it is ${prior.tex}$.",
        prior,
    )


def _flat(names, rng):
    prior = Dirichlet(*[Fraction(1)] * len(names))
    return (
        "Beforehand all vectors of probabilities are equally plausible.",
        f"A flat prior is ${prior.tex}$: all exponents are 0.",
        prior,
    )


def _by_kernel(names, rng):
    prior = _small(names, rng)
    kernel = _kernel(names, [a - 1 for a in prior])
    if kernel == "1":
        return _flat(names, rng)
    return (
        f"The prior density is proportional to ${kernel}$.",
        "An exponent is smaller than its parameter by one, and one that is "
        f"not written is 0; so the prior is ${prior.tex}$.",
        prior,
    )


def _by_mean(names, rng):
    prior = _small(names, rng)
    return (
        "The prior is a Dirichlet distribution with the means "
        f"{and_list(prior.mean())}, whose parameters add up to {prior.total}.",
        f"Each parameter is its mean times {prior.total}: ${prior.tex}$.",
        prior,
    )


def _small(names, rng) -> Dirichlet:
    parameters = [1, 1, 2, 2, 3, 4, 5, 6]
    return Dirichlet(*(Fraction(pick(rng, parameters)) for _ in names))


_PRIORS = (_named, _named, _symmetric, _flat, _by_kernel, _by_mean)

# Each returns the sentence about the data, the update in Python, and the
# counts.


def _in_order(story, rng):
    n = pick(rng, range(4, 10))
    places = range(len(story.categories))
    data = [pick(rng, places) for _ in range(n)]
    said = ", ".join(story.categories[at] for at in data)
    return (
        f"The first {n} {story.many}, in order: {said}.",
        f"prior.update({data})",
        tuple(data.count(at) for at in places),
    )


def _counted(story, rng):
    counts = tuple(
        pick(rng, [0, 1, 2, 3, 4, 5, 6, 7, 9]) for _ in story.categories
    )
    if not any(counts):
        return _in_order(story, rng)
    first, *rest = [
        f"{count} {'is' if count == 1 else 'are'} {name}"
        if not at
        else f"{count} {name}"
        for at, (count, name) in enumerate(
            zip(counts, story.categories, strict=True)
        )
    ]
    return (
        f"Of {sum(counts)} {story.many} {and_list([first, *rest])}.",
        "prior.update(counts=counts)",
        counts,
    )


# --- numbers of the posterior -----------------------------------------------


def _parameter(case: Case) -> NumberQuestion | None:
    at = case.at
    before, after = decimal(case.prior[at]), decimal(case.posterior[at])
    return number(
        case,
        "The posterior is a Dirichlet distribution. What is its parameter for "
        f"*{case.name}*?",
        f"posterior.alpha[{at}]",
        f"$${before} + {case.counts[at]} = {after}$$",
        "...",
        write=decimal,
    )


def _ratio(case: Case) -> str:
    """Write how the posterior mean is computed."""
    after = case.posterior
    return (
        rf"$$\mathbb{{E}}[{_theta(case.name)} \mid \text{{data}}] = "
        f"{ratio(after[case.at], after.total)}$$"
    )


def _mean(case: Case) -> NumberQuestion | None:
    at = case.at
    return number(
        case,
        rf"What is the posterior mean of ${_theta(case.name)}$?",
        f"posterior.mean()[{at}]",
        _ratio(case),
        _not_the_mean(at),
    )


def _not_the_mean(at: int) -> str:
    return f"""
        posterior.mode()[{at}]
            | if posterior.mode()[{at}] != posterior.mean()[{at}]
            | This is the value at the mode of the posterior.
        ...
        counts[{at}] / counts.sum() | if not counts.all() | This is the
            relative frequency; the prior is forgotten.
        """


def _mode(case: Case) -> NumberQuestion | None:
    after, at, k = case.posterior, case.at, len(case.posterior)
    mode = after.mode()[at]
    if mode is None or mode == after.mean()[at]:
        return None
    return number(
        case,
        f"What is the MAP estimate of ${_theta(case.name)}$, its value at "
        "the mode of the posterior?",
        f"posterior.mode()[{at}]",
        rf"$$\frac{{\alpha_{{\text{{{case.name}}}}} - 1}}{{\alpha_0 - K}} = "
        rf"\frac{{{decimal(after[at])} - 1}}{{{decimal(after.total)} - {k}}} "
        rf"= {equals(mode)}$$",
        f"""
        posterior.mean()[{at}] | This is the posterior mean. At the mode every
            parameter loses one.
        (posterior_alpha[{at}] - 1) / (posterior_alpha.sum() - 1) | All {k}
            parameters lose one, so the sum loses {k}.
        (posterior_alpha[{at}] - 1) / posterior_alpha.sum() | The sum has to
            lose one for each of the {k} categories.
        ...
        """,
    )


# --- what is observed next --------------------------------------------------


def _next(case: Case) -> NumberQuestion | None:
    return number(
        case,
        f"What is the probability that the next {case.story.one} is "
        f"*{case.name}*?",
        f"posterior.mean()[{case.at}]",
        f"The probability is ${_theta(case.name)}$, averaged over the "
        f"posterior:\n\n{_ratio(case)}",
        _not_the_mean(case.at),
    )


def _unseen(case: Case) -> NumberQuestion | None:
    return None if case.counts[case.at] else _next(case)


def _both(case: Case) -> NumberQuestion | None:
    after, at, name = case.posterior, case.at, case.name
    a, total = after[at], after.total
    twice = [2 * (place == at) for place in range(len(after))]
    answer, plug_in = after.predictive(2).pmf(twice), after.mean()[at] ** 2
    return number(
        case,
        f"What is the probability that the next two {case.story.many} are "
        f"both *{name}*?",
        f"posterior.predictive(trials=2).pmf({twice})",
        f"After a first *{name}* its parameter and the sum have grown "
        "by one:\n\n"
        rf"$${quotient(a, total)} \cdot {quotient(a + 1, total + 1)} = "
        f"{equals(answer)}$$",
        f"""
        posterior.mean()[{at}] ** 2 | This squares the mean, as if the
            probability were known. Given the data the two are not
            independent.
        posterior.mean()[{at}] | This is the probability of one.
        ...
        """,
        told=(
            parts(f"posterior_alpha[{at}] + 1", "posterior_alpha.sum() + 1"),
        ),
        remark=(
            "**Does it make sense?** With the probability fixed at its mean "
            f"it would be {about(plug_in)}. Averaging gives more, "
            f"{about(answer)}: the first *{name}* makes a second more "
            "probable."
        ),
    )


def _one_of_each(case: Case) -> NumberQuestion | None:
    after, at, other = case.posterior, case.at, case.other
    a, b, total = after[at], after[other], after.total
    once = [int(place in (at, other)) for place in range(len(after))]
    check = f"posterior.predictive(trials=2).pmf({once})"
    answer = after.predictive(2).pmf(once)
    plug_in = 2 * after.mean()[at] * after.mean()[other]
    return number(
        case,
        f"What is the probability that of the next two {case.story.many}, in "
        f"whichever order, one is *{case.name}* and one "
        f"*{case.story.categories[other]}*?",
        check,
        "Two orders, each with the same probability:\n\n"
        rf"$$2 \cdot {quotient(a, total)} \cdot {quotient(b, total + 1)} = "
        f"{equals(answer)}$$",
        f"""
        2 * posterior.mean()[{at}] * posterior.mean()[{other}] | This
            multiplies the means, as if the probabilities were known. After a
            *{case.name}* the sum of the parameters has grown by one.
        {check} / 2 | This is the probability of one of the two orders.
        ...
        """,
        told=(
            parts(f"posterior_alpha[{at}]", "posterior_alpha.sum()"),
            parts(f"posterior_alpha[{other}]", "posterior_alpha.sum() + 1"),
        ),
        remark=(
            "**Does it make sense?** With probabilities fixed at their means "
            f"it would be {about(plug_in)}. Averaging gives less, "
            f"{about(answer)}: under the posterior, two of a kind are more "
            "probable."
        ),
    )


FAMILY = Family(
    draw,
    updates=(_parameter, _mean, _mean, _mode),
    predictions=(_next, _unseen, _both, _both, _one_of_each),
)
