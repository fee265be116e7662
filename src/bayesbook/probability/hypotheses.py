"""Hypotheses and evidence: two stages, total probability, Bayes' rule.

Probabilities are exact fractions as in :mod:`bayesbook.probability.events`,
unless floats are given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.numbers import (
    FLOAT_TOLERANCE,
    Number,
    exact_probability,
    is_exact,
    show,
)
from bayesbook.probability.events import (
    Outcome,
    ProbabilitySpace,
    read_mapping,
)


def two_stage(
    first: Mapping[Outcome, Number],
    second: Mapping[Outcome, Mapping[Outcome, Number]],
) -> ProbabilitySpace:
    """Return the space of a two-stage experiment: the multiplication rule.

    P[(a, b)] = P[a] P[b | a]: the probability of a path through the tree is
    the product along its branches.

    Parameters
    ----------
    first : mapping of outcome to probability
        The first stage.
    second : mapping of first outcome to mapping of outcome to probability
        For each outcome of the first stage, the second stage that follows.

    Returns
    -------
    ProbabilitySpace
        Over the pairs ``(first outcome, second outcome)``.

    Raises
    ------
    TypeError
        If a stage is not a mapping.
    ProbabilityError
        If a stage is not a probability space, or if the second stage is
        missing for an outcome of the first, or given for an unknown one.

    Examples
    --------
    >>> test = two_stage(
    ...     {"ill": "1/100", "well": "99/100"},
    ...     {"ill": {"+": "9/10", "-": "1/10"},
    ...      "well": {"+": "1/10", "-": "9/10"}},
    ... )
    >>> print(test[("ill", "+")])
    9/1000
    >>> print(test.P({("ill", "+")}, given=lambda path: path[1] == "+"))
    1/12
    """
    start = ProbabilitySpace(first)
    stages = read_mapping(second, "first outcomes to second stages")
    _require_same_keys(start, stages, "first stage", "second stage")
    paths: dict[Outcome, Fraction] = {}
    for a, p in start.items():
        try:
            branches = ProbabilitySpace(stages[a])
        except (ProbabilityError, TypeError) as error:
            raise type(error)(
                f"In the second stage after {a!r}: {error}"
            ) from None
        paths |= {(a, b): p * q for b, q in branches.items()}
    return ProbabilitySpace(paths)


def total_probability(
    prior: Mapping[Outcome, Number], likelihood: Mapping[Outcome, Number]
) -> Fraction | float:
    r"""Return the probability of the evidence by the law of total probability.

    .. math:: P[E] = \sum_h P[h] \, P[E \mid h]

    The hypotheses are events that partition the sample space.

    Parameters
    ----------
    prior : mapping of hypothesis to probability
        P[h], for hypotheses of which exactly one is true; sums to one. With
        a float among them the sum may differ from one by 1e-9, the rounding
        of decimals, and the prior is divided by it.
    likelihood : mapping of hypothesis to probability
        P[E | h], for the same hypotheses; each in [0, 1]. The likelihoods
        need not sum to one: they are probabilities of one event under
        different hypotheses.

    Returns
    -------
    Fraction or float
        In [0, 1]. Exact if every number is exact (Fraction, int, Decimal,
        str); a float if one of them is a float.

    Raises
    ------
    TypeError
        If `prior` or `likelihood` is not a mapping.
    ProbabilityError
        If the prior does not sum to one, a number is not in [0, 1] or not a
        number, or the hypotheses of the two mappings differ.

    Examples
    --------
    >>> prior = {"ill": "1/100", "well": "99/100"}
    >>> print(total_probability(prior, {"ill": "9/10", "well": "1/10"}))
    27/250
    """
    p, q, number = read_evidence(prior, likelihood)
    return number(sum((p[h] * q[h] for h in p), Fraction(0)))


def bayes_rule(
    prior: Mapping[Outcome, Number], likelihood: Mapping[Outcome, Number]
) -> dict[Outcome, Fraction | float]:
    r"""Return the posterior probability of every hypothesis by Bayes' rule.

    .. math:: P[h \mid E] = \frac{P[h] \, P[E \mid h]}
                                 {\sum_{h'} P[h'] \, P[E \mid h']}

    Parameters
    ----------
    prior, likelihood
        As in :func:`total_probability`.

    Returns
    -------
    dict of hypothesis to Fraction or float
        P[h | E], in the order of the prior; sums to one.

    Raises
    ------
    TypeError, ProbabilityError
        As :func:`total_probability`.
    ZeroProbabilityError
        If the evidence has probability zero under every hypothesis that the
        prior allows.

    Examples
    --------
    >>> prior = {"ill": "1/100", "well": "99/100"}
    >>> posterior = bayes_rule(prior, {"ill": "9/10", "well": "1/10"})
    >>> print(posterior["ill"])
    1/12
    """
    p, q, number = read_evidence(prior, likelihood)
    joint = {h: p[h] * q[h] for h in p}
    evidence = sum(joint.values(), Fraction(0))
    if evidence == 0:
        possible = [h for h in p if p[h] > 0]
        raise ZeroProbabilityError(
            "The evidence has probability zero: its likelihood is 0 under "
            "every hypothesis of positive prior probability "
            f"({', '.join(map(repr, possible))})."
        )
    return {h: number(both / evidence) for h, both in joint.items()}


def read_evidence(
    prior: Mapping[Outcome, Number], likelihood: Mapping[Outcome, Number]
) -> tuple[
    dict[Outcome, Fraction],
    dict[Outcome, Fraction],
    Callable[[Fraction], Fraction | float],
]:
    """Read prior and likelihood as fractions; return the result's type, too.

    The fractions keep small products from vanishing on the way. Parameters
    and errors are those of :func:`total_probability`.
    """
    prior = read_mapping(prior, "hypotheses to prior probabilities")
    likelihood = read_mapping(likelihood, "hypotheses to likelihoods")
    if not prior:
        raise ProbabilityError("There is no hypothesis: the prior is empty.")
    _require_same_keys(prior, likelihood, "prior", "likelihood")
    p = {
        h: exact_probability(v, f"of {h!r} a priori") for h, v in prior.items()
    }
    q = {
        h: exact_probability(v, f"of the evidence given {h!r}")
        for h, v in likelihood.items()
    }
    exact_prior = all(map(is_exact, prior.values()))
    total = sum(p.values(), Fraction(0))
    tolerance = 0.0 if exact_prior else FLOAT_TOLERANCE
    if abs(total - 1) > tolerance:
        raise ProbabilityError(
            f"The prior probabilities sum to {show(total)}, not to 1. The "
            "hypotheses must exclude each other and leave nothing out."
        )
    # As in Python, one float in a sum makes the whole sum a float.
    exact = exact_prior and all(map(is_exact, likelihood.values()))
    p = {h: share / total for h, share in p.items()}
    return p, q, Fraction if exact else float


def _require_same_keys(left: Mapping, right: Mapping, *names: str) -> None:
    """Refuse two mappings whose keys differ."""
    for key in [*left, *right]:
        if key not in left or key not in right:
            present, absent = names if key in left else reversed(names)
            raise ProbabilityError(
                f"{key!r} is in the {present} but not in the {absent}."
            )
