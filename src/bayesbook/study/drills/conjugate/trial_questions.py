"""Questions after trials: numbers of the posterior, and of what comes next."""

from fractions import Fraction

from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    through,
)
from bayesbook.study.drills.conjugate.distributions import quotient, ratio
from bayesbook.study.drills.conjugate.trials import Case, draw
from bayesbook.study.drills.writing import (
    Mistake,
    about,
    decimal,
    equals,
)

# --- numbers of the posterior -----------------------------------------------


def _first(case: Case) -> NumberQuestion:
    return NumberQuestion(
        r"The posterior is $\text{Beta}(a, b)$. What is $a$?",
        case.posterior.a,
        "posterior.a",
        rf"$$a = {decimal(case.prior.a)} + {case.successes} = "
        rf"{decimal(case.posterior.a)}$$",
        (
            *through(case, lambda post: post.a, "{}.a"),
            *_all_added(case),
        ),
        decimal,
    )


def _all_added(case: Case) -> list[Mistake]:
    if not case.failures:
        return []
    return [
        (
            case.prior.a + case.trials,
            "a + k + m",
            f"This adds all {case.trials} {case.story.many}; only those that "
            f"{case.story.success[1]} belong here: {case.successes}.",
        )
    ]


def _second(case: Case) -> NumberQuestion:
    return NumberQuestion(
        r"The posterior is $\text{Beta}(a, b)$. What is $b$?",
        case.posterior.b,
        "posterior.b",
        rf"$$b = {decimal(case.prior.b)} + {case.failures} = "
        rf"{decimal(case.posterior.b)}$$",
        tuple(through(case, lambda post: post.b, "{}.b")),
        decimal,
    )


def _mean(case: Case) -> NumberQuestion:
    after, k, n = case.posterior, case.successes, case.trials
    return NumberQuestion(
        r"What is the posterior mean of $\theta$?",
        after.mean,
        "posterior.mean()",
        rf"$$\mathbb{{E}}[\theta \mid \text{{data}}] = \frac{{a}}{{a + b}} = "
        rf"{ratio(after.a, after.total)}$$",
        (
            *_for_the_mean(case),
            *through(case, lambda post: post.mean, "{}.mean()"),
            *_frequency(case, case.successes, "k"),
            (
                k / (case.prior.total + n),
                "k / (a + b + k + m)",
                "The numerator lacks the pseudo-count of the prior.",
            ),
        ),
    )


def _for_the_mean(case: Case) -> list[Mistake]:
    if case.posterior.mode is None:
        return []
    return [
        (
            case.posterior.mode,
            "posterior.mode()",
            "This is the mode of the posterior, the MAP estimate.",
        )
    ]


def _frequency(case: Case, count: int, code: str) -> list[Mistake]:
    """Return the relative frequency if no wrong posterior has it as mean."""
    if case.successes * case.failures:
        return []
    return [
        (
            Fraction(count, case.trials),
            f"{code} / (k + m)",
            "This is the relative frequency; the prior is forgotten.",
        )
    ]


def _mode(case: Case) -> NumberQuestion | None:
    after = case.posterior
    if after.mode is None:
        return None
    total = after.total
    return NumberQuestion(
        r"What is the MAP estimate of $\theta$, the mode of the posterior?",
        after.mode,
        "posterior.mode()",
        rf"$$\hat\theta_{{\text{{MAP}}}} = \frac{{a - 1}}{{a + b - 2}} = "
        rf"{ratio(after.a - 1, total - 2)}$$",
        (
            (
                after.mean,
                "posterior.mean()",
                "This is the mean of the posterior. The mode has $a - 1$ "
                "above and $a + b - 2$ below.",
            ),
            (
                (after.a - 1) / total,
                "(posterior.a - 1) / (posterior.a + posterior.b)",
                "The denominator lacks its minus two.",
            ),
            (
                after.a / (total - 2),
                "posterior.a / (posterior.a + posterior.b - 2)",
                "The numerator lacks its minus one.",
            ),
            *through(case, lambda post: post.mode, "{}.mode()"),
        ),
    )


def _weight(case: Case) -> NumberQuestion:
    pseudo, n = case.prior.total, case.trials
    answer = pseudo / (pseudo + n)
    return NumberQuestion(
        "The posterior mean is $w$ times the prior mean plus $1 - w$ times "
        "the relative frequency. What is $w$?",
        answer,
        "(a + b) / (posterior.a + posterior.b)",
        rf"$$w = \frac{{a + b}}{{a + b + N}} = "
        rf"{ratio(pseudo, pseudo + n)}$$",
        (
            (
                1 - answer,
                "(k + m) / (posterior.a + posterior.b)",
                "This is the weight of the data, $1 - w$.",
            ),
            (
                pseudo / n,
                "(a + b) / (k + m)",
                "This compares the prior with the data. A weight is a share "
                "of both together.",
            ),
            (
                Fraction(1, n + 1),
                "1 / (k + m + 1)",
                f"The prior counts as $a + b = {decimal(pseudo)}$ "
                f"{case.story.many}, not as one.",
            ),
            (
                Fraction(1, 2),
                "(k + m) / (k + m + k + m)",
                "Prior and data do not weigh the same: the prior counts as "
                f"$a + b = {decimal(pseudo)}$ {case.story.many}.",
            ),
        ),
    )


# --- what is observed next --------------------------------------------------


def _next(case: Case) -> NumberQuestion:
    after = case.posterior
    return NumberQuestion(
        f"What is the probability that the next {case.story.one} "
        f"{case.story.success[0]}?",
        after.mean,
        "posterior.predictive(trials=1).pmf(1)",
        "The probability is $\\theta$, averaged over the posterior:\n\n"
        rf"$$\mathbb{{E}}[\theta \mid \text{{data}}] = "
        rf"{ratio(after.a, after.total)}$$",
        (
            *_for_the_mean(case),
            *through(
                case,
                lambda post: post.mean,
                "{}.predictive(trials=1).pmf(1)",
            ),
            *_frequency(case, case.successes, "k"),
            (
                1 - after.mean,
                "posterior.predictive(trials=1).pmf(0)",
                "This is the probability that the next one "
                f"{case.story.failure[0]}.",
            ),
        ),
    )


def _next_fails(case: Case) -> NumberQuestion:
    after = case.posterior
    code = "{}.predictive(trials=1).pmf(0)"
    return NumberQuestion(
        f"What is the probability that the next {case.story.one} "
        f"{case.story.failure[0]}?",
        1 - after.mean,
        code.format("posterior"),
        "The probability is $1 - \\theta$, averaged over the posterior:\n\n"
        rf"$$1 - \mathbb{{E}}[\theta \mid \text{{data}}] = "
        rf"{ratio(after.b, after.total)}$$",
        (
            *through(case, lambda post: 1 - post.mean, code),
            *_frequency(case, case.failures, "m"),
            (
                after.mean,
                "posterior.predictive(trials=1).pmf(1)",
                "This is the probability that the next one "
                f"{case.story.success[0]}.",
            ),
        ),
    )


def _both(case: Case) -> NumberQuestion:
    after = case.posterior
    a, total = after.a, after.total
    return NumberQuestion(
        f"What is the probability that each of the next two "
        f"{case.story.many} {case.story.success[0]}?",
        after.chance(2, 0),
        "posterior.predictive(trials=2).pmf(2)",
        r"The first has the probability $\frac{a}{a + b}$. If it "
        f"{case.story.success[0]}, $a$ grows by one before the second:\n\n"
        rf"$${quotient(a, total)} \cdot {quotient(a + 1, total + 1)} = "
        f"{equals(after.chance(2, 0))}$$",
        (
            (
                after.mean**2,
                "posterior.mean() ** 2",
                r"This squares the mean, as if $\theta$ were known to be the "
                "mean. Given the data the two are not independent: the first "
                "success makes a second more probable.",
            ),
            (
                after.mean,
                "posterior.mean()",
                "This is the probability of one.",
            ),
            *_squared_frequency(case),
            *through(
                case,
                lambda post: post.chance(2, 0),
                "{}.predictive(trials=2).pmf(2)",
            ),
        ),
        remark=_remark(after.chance(2, 0), after.mean**2),
    )


def _squared_frequency(case: Case) -> list[Mistake]:
    if not case.failures:
        return []
    return [
        (
            Fraction(case.successes, case.trials) ** 2,
            "(k / (k + m)) ** 2",
            "This squares the relative frequency: it forgets the prior, and "
            r"takes $\theta$ for known.",
        )
    ]


def _remark(answer: Fraction, plug_in: Fraction) -> str:
    return (
        f"**Does it make sense?** With $\\theta$ fixed at its mean it would "
        f"be {about(plug_in)}. Averaging gives more, {about(answer)}: "
        r"$\mathbb{E}[\theta^2]$ exceeds $\mathbb{E}[\theta]^2$ by the "
        r"variance of $\theta$."
    )


def _one_of_two(case: Case) -> NumberQuestion:
    after = case.posterior
    a, b, total = after.a, after.b, after.total
    one = after.chance(1, 1)
    return NumberQuestion(
        f"What is the probability that exactly one of the next two "
        f"{case.story.many} {case.story.success[0]}?",
        2 * one,
        "posterior.predictive(trials=2).pmf(1)",
        "Either the first or the second, each with the same probability:\n\n"
        rf"$$2 \cdot {quotient(a, total)} \cdot {quotient(b, total + 1)} = "
        f"{equals(2 * one)}$$",
        (
            (
                2 * after.mean * (1 - after.mean),
                "2 * posterior.mean() * (1 - posterior.mean())",
                r"This is right if $\theta$ is known to be the mean. It is "
                "not: the first outcome still tells about the second.",
            ),
            (
                one,
                "posterior.predictive(trials=2).pmf(1) / 2",
                "This is the probability of one of the two orders.",
            ),
            *through(
                case,
                lambda post: 2 * post.chance(1, 1),
                "{}.predictive(trials=2).pmf(1)",
            ),
        ),
        remark=(
            "**Does it make sense?** With $\\theta$ fixed at its mean it "
            f"would be {about(2 * after.mean * (1 - after.mean))}. Under "
            "the posterior two outcomes are rather alike, so this is less: "
            f"{about(2 * one)}."
        ),
    )


def _none_of_three(case: Case) -> NumberQuestion:
    after = case.posterior
    b, total = after.b, after.total
    none = after.chance(0, 3)
    factors = r" \cdot ".join(quotient(b + i, total + i) for i in range(3))
    return NumberQuestion(
        f"What is the probability that none of the next three "
        f"{case.story.many} {case.story.success[0]}?",
        none,
        "posterior.predictive(trials=3).pmf(0)",
        "One after the other; each failure adds one to $b$:\n\n"
        rf"$${factors} = {equals(none)}$$",
        (
            (
                (1 - after.mean) ** 3,
                "(1 - posterior.mean()) ** 3",
                r"This takes $\theta$ for known to be the mean. Each failure "
                "makes the next one more probable.",
            ),
            (
                1 - none,
                "1 - posterior.predictive(trials=3).pmf(0)",
                "This is the probability of at least one.",
            ),
            (
                1 - after.mean,
                "1 - posterior.mean()",
                "This is the probability for one.",
            ),
            *through(
                case,
                lambda post: post.chance(0, 3),
                "{}.predictive(trials=3).pmf(0)",
            ),
        ),
        remark=(
            "**Does it make sense?** With $\\theta$ fixed at its mean it "
            f"would be {about((1 - after.mean) ** 3)}. Averaging gives "
            f"more, {about(none)}, because $(1 - \\theta)^3$ is convex "
            "(Jensen's inequality)."
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
