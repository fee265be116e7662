"""Risks of the best decisions, with how accurate they are."""

from __future__ import annotations

from typing import Any, NamedTuple, Self


class RiskEstimate(NamedTuple):
    """A risk that was estimated from random draws.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from bayesbook.decision import GenerativeClassifier
    >>> model = GenerativeClassifier(
    ...     {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)})
    >>> risk = model.bayes_risk_monte_carlo(rng=0)
    >>> print(f"{risk.value:.4f}, give or take {risk.standard_error:.4f}")
    0.1583, give or take 0.0005
    """

    #: The mean of the conditional risks that were drawn.
    value: float
    #: Their standard deviation over the root of their number.
    standard_error: float

    def __repr__(self) -> str:
        return (
            f"RiskEstimate(value={self.value:.6g}, "
            f"standard_error={self.standard_error:.2g})"
        )


class QuadratureRisk(float):
    """A risk computed by integration: a number with a bound of its error.

    Attributes
    ----------
    error : float
        The estimated bound of the error.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from bayesbook.decision import GenerativeClassifier
    >>> model = GenerativeClassifier(
    ...     {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)})
    >>> risk = model.bayes_risk()
    >>> print(f"{risk:.6f}", risk.error < 1e-9)
    0.158655 True
    """

    error: float

    def __new__(cls, value: float, error: float) -> Self:  # noqa: D102
        risk = super().__new__(cls, value)
        risk.error = error
        return risk

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.error
