"""Several probabilities: Dirichlet priors, and observed categories."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    WrongFamily,
    WrongPosterior,
    through,
)
from bayesbook.study.drills.conjugate.distributions import (
    Dirichlet,
    power,
    product,
    quotient,
    ratio,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import (
    Mistake,
    about,
    decimal,
    equals,
    table,
)


@dataclass(frozen=True)
class Story:
    """Things of several categories.

    Parameters
    ----------
    what : str
        One of them, at the beginning of a sentence.
    one, many : str
        Short names, singular and plural.
    categories : tuple of str
        Their names.

    Examples
    --------
    >>> STORIES[0].categories
    ('red', 'green', 'yellow')
    """

    what: str
    one: str
    many: str
    categories: tuple[str, ...]


STORIES = (
    Story("A sweet of a bag", "sweet", "sweets", ("red", "green", "yellow")),
    Story("A day in a valley", "day", "days", ("sunny", "cloudy", "wet")),
    Story(
        "A word of a rhyme", "word", "words", ("lamb", "snow", "rain", "big")
    ),
    Story(
        "A move of a player", "move", "moves", ("rock", "paper", "scissors")
    ),
    Story("An order in a café", "order", "orders", ("tea", "coffee", "juice")),
    Story("A blood group", "group", "groups", ("O", "A", "B", "AB")),
    Story("A bird at a feeder", "bird", "birds", ("tit", "finch", "robin")),
    Story("A spin of a wheel", "spin", "spins", ("gold", "silver", "blank")),
    Story("A letter of a code", "letter", "letters", ("a", "c", "g", "t")),
)


@dataclass(frozen=True)
class Case:
    r"""A Dirichlet prior and some observations.

    Parameters
    ----------
    story : Story
        What is observed.
    prior : Dirichlet
        Of the probabilities.
    counts : tuple of int
        How often each category was seen.
    at, other : int
        The categories that are asked for.
    text, setup : str
        Markdown, and Python.
    reading : str
        Markdown: how the parameters follow from the words of the prior.

    Examples
    --------
    >>> draw(np.random.default_rng(0)).posterior.tex
    '\\text{Dir}(3, 3, 1)'
    """

    story: Story
    prior: Dirichlet
    counts: tuple[int, ...]
    at: int
    other: int
    text: str
    setup: str
    reading: str

    unknown = r"\theta"
    points = (
        "(posterior.mean() + [np.zeros(len(alpha)), "
        "(np.arange(len(alpha)) == 0) * 1.0, "
        "(np.arange(len(alpha)) == 1) * 1.0]).T / [1, 2, 2]"
    )

    @property
    def posterior(self) -> Dirichlet:
        """The posterior."""
        return self._plus(self.counts)

    def _plus(self, added) -> Dirichlet:
        pairs = zip(self.prior.alpha, added, strict=True)
        return Dirichlet(tuple(Fraction(a + n) for a, n in pairs))

    @property
    def name(self) -> str:
        """The category that is asked for."""
        return self.story.categories[self.at]

    @property
    def right(self) -> str:
        """The reason for the right option, as Markdown."""
        sums = and_list(
            f"{decimal(a)} + {n}"
            for a, n in zip(self.prior.alpha, self.counts, strict=True)
        )
        return f"Each parameter grows by the count of its category: {sums}."

    @property
    def wrong_posteriors(self) -> list[WrongPosterior]:
        """Wrong posteriors."""
        counts, n = self.counts, sum(self.counts)
        alpha, after = self.prior.alpha, self.posterior.alpha
        found = [
            WrongPosterior(
                Dirichlet(tuple(map(Fraction, counts))),
                "DirichletCategorical(counts)",
                "the prior is forgotten, and only the data are counted",
            ),
            WrongPosterior(
                self._plus(counts[::-1]),
                "prior.update(counts=counts[::-1])",
                "the counts are added in the opposite order",
            ),
            WrongPosterior(
                Dirichlet(
                    tuple(
                        2 * a + k for a, k in zip(alpha, counts, strict=True)
                    )
                ),
                "DirichletCategorical(2 * alpha + counts)",
                "the prior is counted twice",
            ),
            WrongPosterior(
                self._plus([Fraction(count, n) for count in counts]),
                "DirichletCategorical(alpha + counts / counts.sum())",
                "counts are added, not relative frequencies; otherwise "
                f"{n} {self.story.many} would weigh as little as one",
            ),
            WrongPosterior(
                self._plus([n] * len(counts)),
                "DirichletCategorical(alpha + counts.sum())",
                f"each category gets its own count, not all {n} "
                f"{self.story.many}",
            ),
            WrongPosterior(
                Dirichlet(tuple(a - 1 for a in after)),
                "DirichletCategorical(posterior_alpha - 1)",
                "these are the exponents of the density, which are smaller "
                "than the parameters by one",
            ),
            WrongPosterior(
                Dirichlet(tuple(a / sum(after) for a in after)),
                "DirichletCategorical(posterior_alpha / "
                "posterior_alpha.sum())",
                "this divides by the sum, as for the mean; so small "
                "parameters stand for hardly any data",
            ),
            WrongPosterior(self.prior, "prior", "the data are left out"),
        ]
        if set(alpha) != {1}:
            found.append(
                WrongPosterior(
                    Dirichlet(tuple(Fraction(k + 1) for k in counts)),
                    "DirichletCategorical(counts + 1)",
                    "this adds one to each count, which is a flat prior and "
                    "not the given one",
                )
            )
        return found

    @property
    def wrong_families(self) -> list[WrongFamily]:
        """Wrong posteriors of other families."""
        after = self.posterior
        total = after.total
        means = and_list(
            f"{float(after.mean(at)):.2f}" for at in range(len(after.alpha))
        )
        pairs = [(decimal(a), decimal(total - a)) for a in after.alpha]
        betas = and_list(rf"$\text{{Beta}}({a}, {b})$" for a, b in pairs)
        densities = " * ".join(
            f"stats.beta({a}, {b}).pdf(x[{at}])"
            for at, (a, b) in enumerate(pairs)
        )
        return [
            WrongFamily(
                f"independent distributions {betas}",
                f"(lambda x: {densities})",
                "these are the marginal distributions; the probabilities add "
                "up to one, so they cannot be independent",
            ),
            WrongFamily(
                rf"$\text{{Multinomial}}$ of {sum(self.counts)} "
                f"{self.story.many} with {means}",
                f"(lambda x: stats.multinomial({sum(self.counts)}, "
                "posterior.mean()).pmf(x.T))",
                r"this is a distribution of counts; $\theta$ are "
                r"probabilities",
            ),
        ]

    @property
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""
        names, after = self.story.categories, self.posterior
        exponents = [a - 1 for a in self.prior.alpha]
        rows = [
            ["prior: pseudo-counts", *_with_sum(self.prior.alpha)],
            ["data: counts", *_with_sum(tuple(map(Fraction, self.counts)))],
            ["*posterior*", *_with_sum(after.alpha)],
        ]
        return [
            f"**The likelihood.** Every {self.story.one} contributes the "
            "probability of its category: together "
            f"${_kernel(names, self.counts)}$.",
            self.reading and f"**The prior.** {self.reading}",
            "**Prior times likelihood.** The exponents add up:",
            product(
                self.unknown,
                _kernel(names, exponents),
                _kernel(names, self.counts),
                _kernel(names, [a - 1 for a in after.alpha]),
            ),
            f"This is the density of ${after.tex}$, but for a constant. In "
            "short, counts are added to pseudo-counts:",
            table(["source", *names, "sum"], rows),
        ]

    @property
    def sense(self) -> str:
        """A check of plausibility, as Markdown."""
        share = Fraction(self.counts[self.at], sum(self.counts))
        before, now = self.prior.mean(self.at), self.posterior.mean(self.at)
        return (
            f"**Does it make sense?** The posterior mean of *{self.name}*, "
            f"{about(now)}, lies between the prior mean, {about(before)}, "
            f"and the relative frequency, {about(share)}."
        )


def _with_sum(numbers: tuple[Fraction, ...]) -> list[str]:
    return [*map(decimal, numbers), decimal(sum(numbers, Fraction()))]


def _theta(name: str) -> str:
    return rf"\theta_{{\text{{{name}}}}}"


def _kernel(names, exponents) -> str:
    pairs = zip(names, exponents, strict=True)
    factors = [power(_theta(name), Fraction(e)) for name, e in pairs]
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
    'A spin of a wheel'
    """
    story = pick(rng, STORIES)
    names = story.categories
    said, reading, prior = pick(rng, _PRIORS)(names, rng)
    seen, setup, counts = pick(rng, [_in_order, _counted, _counted])(
        story, rng
    )
    at, other = (int(place) for place in rng.permutation(len(names))[:2])
    if prior.mean(at) == Fraction(counts[at], sum(counts)):
        return None
    listed = and_list(f"*{name}*" for name in names).replace(" and ", " or ")
    return Case(
        story,
        prior,
        counts,
        at,
        other,
        text=(
            f"{story.what} is {listed}, with unknown probabilities "
            rf"$\theta$ in this order. {said} {seen}"
        ),
        setup=(
            "import numpy as np\n"
            "from bayesbook.conjugate import DirichletCategorical\n"
            f"alpha = np.array([{', '.join(map(decimal, prior.alpha))}])\n"
            f"counts = np.array({list(counts)})\n"
            "prior = DirichletCategorical(alpha)\n"
            f"posterior = {setup}\n"
            "posterior_alpha = np.array(posterior.alpha)\n"
        ),
        reading=reading,
    )


# Each returns the sentence about the prior, how to read it, and the prior.


def _named(names, rng):
    prior = Dirichlet(tuple(_small(rng) for _ in names))
    return rf"The prior is ${prior.tex}$.", "", prior


def _symmetric(names, rng):
    alpha = Fraction(pick(rng, ["1/2", "1", "2", "3", "5"]))
    prior = Dirichlet((alpha,) * len(names))
    return (
        "The prior is the symmetric Dirichlet distribution with the parameter "
        f"{decimal(alpha)} for each category.",
        f"Written out, it is ${prior.tex}$.",
        prior,
    )


def _flat(names, rng):
    prior = Dirichlet((Fraction(1),) * len(names))
    return (
        "Beforehand all vectors of probabilities are equally plausible.",
        f"A flat prior is ${prior.tex}$: all exponents are 0.",
        prior,
    )


def _by_kernel(names, rng):
    prior = Dirichlet(tuple(_small(rng) for _ in names))
    kernel = _kernel(names, [a - 1 for a in prior.alpha])
    if kernel == "1":
        return _flat(names, rng)
    return (
        f"The prior density is proportional to ${kernel}$.",
        "An exponent is smaller than its parameter by one, and one that is "
        f"not written is 0; so the prior is ${prior.tex}$.",
        prior,
    )


def _by_mean(names, rng):
    prior = Dirichlet(tuple(_small(rng) for _ in names))
    total = prior.total
    means = and_list(prior.mean(at) for at in range(len(names)))
    return (
        f"The prior is a Dirichlet distribution with the means {means}, whose "
        f"parameters add up to {total}.",
        f"Each parameter is its mean times {total}: ${prior.tex}$.",
        prior,
    )


def _small(rng) -> Fraction:
    return Fraction(pick(rng, [1, 1, 2, 2, 3, 4, 5, 6]))


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


def _parameter(case: Case) -> NumberQuestion:
    before, count = case.prior.alpha[case.at], case.counts[case.at]
    after = case.posterior.alpha[case.at]
    return NumberQuestion(
        "The posterior is a Dirichlet distribution. What is its parameter for "
        f"*{case.name}*?",
        after,
        f"posterior.alpha[{case.at}]",
        rf"$${decimal(before)} + {count} = {decimal(after)}$$",
        tuple(
            through(
                case,
                lambda post: post.alpha[case.at],
                f"{{}}.alpha[{case.at}]",
            )
        ),
        decimal,
    )


def _mean(case: Case) -> NumberQuestion:
    after, at = case.posterior, case.at
    code = f"{{}}.mean()[{at}]"
    return NumberQuestion(
        rf"What is the posterior mean of ${_theta(case.name)}$?",
        after.mean(at),
        code.format("posterior"),
        rf"$$\mathbb{{E}}[{_theta(case.name)} \mid \text{{data}}] = "
        rf"{ratio(after.alpha[at], after.total)}$$",
        (
            *_mode_for_mean(case),
            *through(case, lambda post: post.mean(at), code),
            *_frequency(case),
        ),
    )


def _mode_for_mean(case: Case) -> list[Mistake]:
    mode = case.posterior.mode(case.at)
    if mode is None or mode == case.posterior.mean(case.at):
        return []
    return [
        (
            mode,
            f"posterior.mode()[{case.at}]",
            "This is the value at the mode of the posterior.",
        )
    ]


def _frequency(case: Case) -> list[Mistake]:
    """Return the relative frequency if no wrong posterior has it as mean."""
    if all(case.counts):
        return []
    return [
        (
            Fraction(case.counts[case.at], sum(case.counts)),
            f"counts[{case.at}] / counts.sum()",
            "This is the relative frequency; the prior is forgotten.",
        )
    ]


def _mode(case: Case) -> NumberQuestion | None:
    after, at = case.posterior, case.at
    mode = after.mode(at)
    if mode is None or mode == after.mean(at):
        return None
    total, k = after.total, len(after.alpha)
    code = f"{{}}.mode()[{at}]"
    return NumberQuestion(
        f"What is the MAP estimate of ${_theta(case.name)}$, its value at "
        "the mode of the posterior?",
        mode,
        code.format("posterior"),
        rf"$$\frac{{\alpha_{{\text{{{case.name}}}}} - 1}}{{\alpha_0 - K}} = "
        rf"\frac{{{decimal(after.alpha[at])} - 1}}{{{decimal(total)} - {k}}} "
        rf"= {equals(mode)}$$",
        (
            (
                after.mean(at),
                f"posterior.mean()[{at}]",
                "This is the posterior mean. At the mode every parameter "
                "loses one.",
            ),
            (
                (after.alpha[at] - 1) / (total - 1),
                f"(posterior_alpha[{at}] - 1) / (posterior_alpha.sum() - 1)",
                f"All {k} parameters lose one, so the sum loses {k}.",
            ),
            (
                (after.alpha[at] - 1) / total,
                f"(posterior_alpha[{at}] - 1) / posterior_alpha.sum()",
                f"The sum has to lose one for each of the {k} categories.",
            ),
            *through(case, lambda post: post.mode(at), code),
        ),
    )


# --- what is observed next --------------------------------------------------


def _next(case: Case) -> NumberQuestion:
    asked = _mean(case)
    return NumberQuestion(
        f"What is the probability that the next {case.story.one} is "
        f"*{case.name}*?",
        asked.answer,
        asked.check,
        f"The probability is ${_theta(case.name)}$, averaged over the "
        f"posterior:\n\n{asked.step}",
        asked.mistakes,
    )


def _unseen(case: Case) -> NumberQuestion | None:
    return None if case.counts[case.at] else _next(case)


def _both(case: Case) -> NumberQuestion:
    after, at = case.posterior, case.at
    a, total = after.alpha[at], after.total
    twice = [2 if place == at else 0 for place in range(len(after.alpha))]
    code = f"{{}}.predictive(trials=2).pmf({twice})"
    answer = after.chance(at, at)
    return NumberQuestion(
        f"What is the probability that the next two {case.story.many} are "
        f"both *{case.name}*?",
        answer,
        code.format("posterior"),
        f"After a first *{case.name}* its parameter and the sum have grown "
        "by one:\n\n"
        rf"$${quotient(a, total)} \cdot {quotient(a + 1, total + 1)} = "
        f"{equals(answer)}$$",
        (
            (
                after.mean(at) ** 2,
                f"posterior.mean()[{at}] ** 2",
                "This squares the mean, as if the probability were known. "
                "Given the data the two are not independent.",
            ),
            (
                after.mean(at),
                f"posterior.mean()[{at}]",
                "This is the probability of one.",
            ),
            *through(case, lambda post: post.chance(at, at), code),
        ),
        remark=(
            "**Does it make sense?** With the probability fixed at its mean "
            f"it would be {about(after.mean(at) ** 2)}. Averaging gives "
            f"more, {about(answer)}: the first *{case.name}* makes a second "
            "more probable."
        ),
    )


def _one_of_each(case: Case) -> NumberQuestion:
    after, at, other = case.posterior, case.at, case.other
    (a, b), total = (after.alpha[at], after.alpha[other]), after.total
    once = [int(p in (at, other)) for p in range(len(after.alpha))]
    code = f"{{}}.predictive(trials=2).pmf({once})"
    one = after.chance(at, other)
    product = after.mean(at) * after.mean(other)
    return NumberQuestion(
        f"What is the probability that of the next two {case.story.many}, in "
        f"whichever order, one is *{case.name}* and one "
        f"*{case.story.categories[other]}*?",
        2 * one,
        code.format("posterior"),
        "Two orders, each with the same probability:\n\n"
        rf"$$2 \cdot {quotient(a, total)} \cdot {quotient(b, total + 1)} = "
        f"{equals(2 * one)}$$",
        (
            (
                2 * product,
                f"2 * posterior.mean()[{at}] * posterior.mean()[{other}]",
                "This multiplies the means, as if the probabilities were "
                f"known. After a *{case.name}* the sum of the parameters has "
                "grown by one.",
            ),
            (
                one,
                f"{code.format('posterior')} / 2",
                "This is the probability of one of the two orders.",
            ),
            *through(
                case,
                lambda post: 2 * post.chance(at, other),
                code,
            ),
        ),
        remark=(
            "**Does it make sense?** With probabilities fixed at their means "
            f"it would be {about(2 * product)}. Averaging gives less, "
            f"{about(2 * one)}: under the posterior, two of a kind are more "
            "probable."
        ),
    )


FAMILY = Family(
    draw,
    updates=(_parameter, _mean, _mean, _mode),
    predictions=(_next, _unseen, _both, _both, _one_of_each),
)
