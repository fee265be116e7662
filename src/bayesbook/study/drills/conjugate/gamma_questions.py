"""Numbers of a gamma posterior, for counts and for waiting times."""

from fractions import Fraction
from math import exp

from bayesbook.study.drills.conjugate.cases import (
    LARGEST_DENOMINATOR,
    Case,
    NumberQuestion,
    through,
)
from bayesbook.study.drills.conjugate.distributions import Gamma, ratio
from bayesbook.study.drills.writing import Mistake, decimal, fraction


def shape(case: Case[Gamma]) -> NumberQuestion:
    """Ask for the shape of the posterior."""
    added = decimal(case.posterior.shape - case.prior.shape)
    return NumberQuestion(
        "What is the shape of the posterior?",
        case.posterior.shape,
        "posterior.shape",
        rf"$$\text{{shape}} = {decimal(case.prior.shape)} + {added} = "
        rf"{decimal(case.posterior.shape)}$$",
        tuple(through(case, lambda post: post.shape, "{}.shape")),
        decimal,
    )


def rate(case: Case[Gamma]) -> NumberQuestion:
    """Ask for the rate of the posterior."""
    added = decimal(case.posterior.rate - case.prior.rate)
    return NumberQuestion(
        "What is the rate of the posterior, the reciprocal of its scale?",
        case.posterior.rate,
        "posterior.rate",
        rf"$$\text{{rate}} = {decimal(case.prior.rate)} + {added} = "
        rf"{decimal(case.posterior.rate)}$$",
        tuple(through(case, lambda post: post.rate, "{}.rate")),
        decimal,
    )


def mean(case: Case[Gamma]) -> NumberQuestion:
    """Ask for the posterior mean of the rate."""
    after = case.posterior
    return NumberQuestion(
        r"What is the posterior mean of $\lambda$?",
        after.mean,
        "posterior.mean()",
        r"$$\mathbb{E}[\lambda \mid \text{data}] = "
        r"\frac{\text{shape}}{\text{rate}} = "
        rf"{ratio(after.shape, after.rate)}$$",
        (
            *mode_for_mean(after),
            (
                1 / after.mean,
                "posterior.rate / posterior.shape",
                "This is the rate divided by the shape; the mean is the "
                "shape divided by the rate.",
            ),
            *through(case, lambda post: post.mean, "{}.mean()"),
        ),
        decimal,
    )


def mode_for_mean(after: Gamma) -> list[Mistake]:
    """Return the mistake that takes the mode for the mean, if there is one."""
    if after.mode is None:
        return []
    return [
        (
            after.mode,
            "posterior.mode()",
            "This is the mode of the posterior, the MAP estimate.",
        )
    ]


def mode(case: Case[Gamma]) -> NumberQuestion | None:
    """Ask for the MAP estimate of the rate."""
    after = case.posterior
    if after.mode is None:
        return None
    return NumberQuestion(
        r"What is the MAP estimate of $\lambda$, the mode of the posterior?",
        after.mode,
        "posterior.mode()",
        r"$$\hat\lambda_{\text{MAP}} = "
        r"\frac{\text{shape} - 1}{\text{rate}} = "
        rf"{ratio(after.shape - 1, after.rate)}$$",
        (
            (
                after.mean,
                "posterior.mean()",
                "This is the mean of the posterior. The mode has the shape "
                "minus one above.",
            ),
            *through(case, lambda post: post.mode, "{}.mode()"),
        ),
        decimal,
    )


def nothing_happens(
    case: Case[Gamma], time: Fraction, code: str, question: str
) -> NumberQuestion | None:
    """Ask for the probability that nothing happens for some time."""
    after, u = case.posterior, decimal(time)
    answer = after.survival(time)
    base = after.rate / (after.rate + time)
    too_large = base.denominator**after.shape > LARGEST_DENOMINATOR
    if answer is None or too_large:
        return None
    plug_in = _rounded(exp(-float(after.mean * time)))
    lambdas = r"\lambda" if time == 1 else rf"{u}\lambda"
    return NumberQuestion(
        question,
        answer,
        code.format("posterior"),
        rf"Given $\lambda$ it is $e^{{-{lambdas}}}$. Averaged over the "
        "posterior:\n\n"
        rf"$$\mathbb{{E}}[e^{{-{lambdas}}} \mid \text{{data}}] = "
        rf"\left(\frac{{{decimal(after.rate)}}}{{{decimal(after.rate)} + {u}}}"
        rf"\right)^{{{decimal(after.shape)}}} = "
        rf"\left({fraction(base)}\right)^{{{decimal(after.shape)}}} "
        rf"\approx {float(answer):.4g}$$",
        (
            (
                plug_in,
                f"exp(-{u} * posterior.mean())",
                r"This takes $\lambda$ for known to be its mean. Small rates "
                "make this event much more probable than large ones make it "
                "improbable.",
            ),
            (
                1 - answer,
                f"1 - {code.format('posterior')}",
                "This is the probability of the opposite.",
            ),
            (
                base,
                f"posterior.rate / (posterior.rate + {u})",
                f"The power is missing: the shape, {decimal(after.shape)}.",
            ),
            *through(case, lambda post: post.survival(time), code),
        ),
        _probability,
        remark=(
            r"**Does it make sense?** With $\lambda$ fixed at its mean it "
            f"would be {float(plug_in):.3g}. Averaging gives more, "
            f"{float(answer):.3g}, because $e^{{-{lambdas}}}$ is convex "
            "(Jensen's inequality)."
        ),
    )


def _rounded(value: float) -> Fraction:
    """Round a float to a fraction of four decimals."""
    return Fraction(f"{value:.4f}")


def _probability(value: Fraction) -> str:
    """Write large powers as rounded decimals."""
    if value.denominator <= LARGEST_DENOMINATOR:
        return str(value)
    return f"{float(value):.4f}"
