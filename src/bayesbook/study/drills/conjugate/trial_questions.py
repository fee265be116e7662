"""Questions after trials: numbers of the posterior, and of what comes next."""

from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    number,
)
from bayesbook.study.drills.conjugate.distributions import (
    parts,
    quotient,
    ratio,
)
from bayesbook.study.drills.conjugate.trials import Case, draw
from bayesbook.study.drills.writing import about, decimal, equals

_Asked = NumberQuestion | None
_TOTAL = "posterior.a + posterior.b"

# --- numbers of the posterior -----------------------------------------------


def _first(case: Case) -> _Asked:
    n, k = case.trials, case.successes
    many, succeed = case.story.many, case.story.success[1]
    return number(
        case,
        r"The posterior is $\text{Beta}(a, b)$. What is $a$?",
        "posterior.a",
        f"$$a = {decimal(case.prior.a)} + {k} = {decimal(case.posterior.a)}$$",
        f"""
        ...
        a + k + m | if m | This adds all {n} {many}; only those that {succeed}
            belong here: {k}.
        """,
        write=decimal,
    )


def _second(case: Case) -> _Asked:
    m, after = case.failures, case.posterior
    return number(
        case,
        r"The posterior is $\text{Beta}(a, b)$. What is $b$?",
        "posterior.b",
        f"$$b = {decimal(case.prior.b)} + {m} = {decimal(after.b)}$$",
        "...",
        write=decimal,
    )


_MODE_FOR_MEAN = (
    "posterior.mode() | This is the mode of the posterior, the MAP estimate."
)
# Otherwise it is the mean of a wrong posterior.
_FREQUENCY = (
    "{} / (k + m) | if not k * m | This is the relative frequency; the prior "
    "is forgotten."
)


def _mean(case: Case) -> _Asked:
    after = case.posterior
    return number(
        case,
        r"What is the posterior mean of $\theta$?",
        "posterior.mean()",
        rf"$$\mathbb{{E}}[\theta \mid \text{{data}}] = \frac{{a}}{{a + b}} = "
        rf"{ratio(after.a, after.total)}$$",
        f"""
        {_MODE_FOR_MEAN}
        ...
        {_FREQUENCY.format("k")}
        k / (a + b + k + m) | The numerator lacks the pseudo-count of the
            prior.
        """,
    )


def _mode(case: Case) -> _Asked:
    a, total = case.posterior.a, case.posterior.total
    if case.posterior.mode() is None:
        return None
    return number(
        case,
        r"What is the MAP estimate of $\theta$, the mode of the posterior?",
        "posterior.mode()",
        r"$$\hat\theta_{\text{MAP}} = \frac{a - 1}{a + b - 2} = "
        f"{ratio(a - 1, total - 2)}$$",
        """
        posterior.mean() | This is the mean of the posterior. The mode has
            $a - 1$ above and $a + b - 2$ below.
        (posterior.a - 1) / (posterior.a + posterior.b) | The denominator
            lacks its minus two.
        posterior.a / (posterior.a + posterior.b - 2) | The numerator lacks
            its minus one.
        ...
        """,
        told=(parts("posterior.a - 1", f"{_TOTAL} - 2"),),
    )


def _weight(case: Case) -> _Asked:
    pseudo, many = case.prior.total, case.story.many
    return number(
        case,
        "The posterior mean is $w$ times the prior mean plus $1 - w$ times "
        "the relative frequency. What is $w$?",
        "(a + b) / (posterior.a + posterior.b)",
        rf"$$w = \frac{{a + b}}{{a + b + N}} = "
        rf"{ratio(pseudo, case.posterior.total)}$$",
        f"""
        (k + m) / (posterior.a + posterior.b) | This is the weight of the
            data, $1 - w$.
        (a + b) / (k + m) | This compares the prior with the data. A weight is
            a share of both together.
        1 / (k + m + 1) | The prior counts as $a + b = {decimal(pseudo)}$
            {many}, not as one.
        (k + m) / (k + m + k + m) | Prior and data do not weigh the same: the
            prior counts as $a + b = {decimal(pseudo)}$ {many}.
        """,
    )


# --- what is observed next --------------------------------------------------


def _next(case: Case) -> _Asked:
    after, story = case.posterior, case.story
    return number(
        case,
        f"What is the probability that the next {story.one} "
        f"{story.success[0]}?",
        "posterior.predictive(trials=1).pmf(1)",
        "The probability is $\\theta$, averaged over the posterior:\n\n"
        rf"$$\mathbb{{E}}[\theta \mid \text{{data}}] = "
        rf"{ratio(after.a, after.total)}$$",
        f"""
        {_MODE_FOR_MEAN}
        ...
        {_FREQUENCY.format("k")}
        posterior.predictive(trials=1).pmf(0) | This is the probability that
            the next one {story.failure[0]}.
        """,
    )


def _next_fails(case: Case) -> _Asked:
    after, story = case.posterior, case.story
    return number(
        case,
        f"What is the probability that the next {story.one} "
        f"{story.failure[0]}?",
        "posterior.predictive(trials=1).pmf(0)",
        "The probability is $1 - \\theta$, averaged over the posterior:\n\n"
        rf"$$1 - \mathbb{{E}}[\theta \mid \text{{data}}] = "
        rf"{ratio(after.b, after.total)}$$",
        f"""
        ...
        {_FREQUENCY.format("m")}
        posterior.predictive(trials=1).pmf(1) | This is the probability that
            the next one {story.success[0]}.
        """,
    )


def _both(case: Case) -> _Asked:
    after, story = case.posterior, case.story
    a, total = after.a, after.total
    answer, plug_in = after.predictive(2).pmf(2), after.mean() ** 2
    return number(
        case,
        f"What is the probability that each of the next two {story.many} "
        f"{story.success[0]}?",
        "posterior.predictive(trials=2).pmf(2)",
        r"The first has the probability $\frac{a}{a + b}$. If it "
        f"{story.success[0]}, $a$ grows by one before the second:\n\n"
        rf"$${quotient(a, total)} \cdot {quotient(a + 1, total + 1)} = "
        f"{equals(answer)}$$",
        r"""
        posterior.mean() ** 2 | This squares the mean, as if $\theta$ were
            known to be the mean. Given the data the two are not independent:
            the first success makes a second more probable.
        posterior.mean() | This is the probability of one.
        (k / (k + m)) ** 2 | if m | This squares the relative frequency: it
            forgets the prior, and takes $\theta$ for known.
        ...
        """,
        told=(parts("posterior.a + 1", f"{_TOTAL} + 1"),),
        remark=(
            r"**Does it make sense?** With $\theta$ fixed at its mean it "
            f"would be {about(plug_in)}. Averaging gives more, "
            rf"{about(answer)}: $\mathbb{{E}}[\theta^2]$ exceeds "
            r"$\mathbb{E}[\theta]^2$ by the variance of $\theta$."
        ),
    )


def _one_of_two(case: Case) -> _Asked:
    after, story = case.posterior, case.story
    a, b, total = after.a, after.b, after.total
    answer = after.predictive(2).pmf(1)
    plug_in = 2 * after.mean() * (1 - after.mean())
    return number(
        case,
        f"What is the probability that exactly one of the next two "
        f"{story.many} {story.success[0]}?",
        "posterior.predictive(trials=2).pmf(1)",
        "Either the first or the second, each with the same probability:\n\n"
        rf"$$2 \cdot {quotient(a, total)} \cdot {quotient(b, total + 1)} = "
        f"{equals(answer)}$$",
        r"""
        2 * posterior.mean() * (1 - posterior.mean()) | This is right if
            $\theta$ is known to be the mean. It is not: the first outcome
            still tells about the second.
        posterior.predictive(trials=2).pmf(1) / 2 | This is the probability of
            one of the two orders.
        ...
        """,
        told=(parts("posterior.b", f"{_TOTAL} + 1"),),
        remark=(
            "**Does it make sense?** With $\\theta$ fixed at its mean it "
            f"would be {about(plug_in)}. Under the posterior two outcomes are "
            f"rather alike, so this is less: {about(answer)}."
        ),
    )


def _none_of_three(case: Case) -> _Asked:
    after, story = case.posterior, case.story
    answer, plug_in = after.predictive(3).pmf(0), (1 - after.mean()) ** 3
    factors = r" \cdot ".join(
        quotient(after.b + i, after.total + i) for i in range(3)
    )
    return number(
        case,
        f"What is the probability that none of the next three {story.many} "
        f"{story.success[0]}?",
        "posterior.predictive(trials=3).pmf(0)",
        "One after the other; each failure adds one to $b$:\n\n"
        rf"$${factors} = {equals(answer)}$$",
        r"""
        (1 - posterior.mean()) ** 3 | This takes $\theta$ for known to be the
            mean. Each failure makes the next one more probable.
        1 - posterior.predictive(trials=3).pmf(0) | This is the probability of
            at least one.
        1 - posterior.mean() | This is the probability for one.
        ...
        """,
        told=tuple(
            parts(f"posterior.b + {i}", f"{_TOTAL} + {i}") for i in range(3)
        ),
        remark=(
            "**Does it make sense?** With $\\theta$ fixed at its mean it "
            f"would be {about(plug_in)}. Averaging gives more, "
            f"{about(answer)}, because $(1 - \\theta)^3$ is convex (Jensen's "
            "inequality)."
        ),
    )


FAMILY = Family(
    draw,
    updates=(_first, _second, _mean, _mean, _mode, _mode, _weight),
    predictions=(
        _next,
        _next_fails,
        _both,
        _both,
        _one_of_two,
        _none_of_three,
    ),
)
