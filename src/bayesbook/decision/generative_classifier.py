"""Classification when the distribution of the data is known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import logsumexp

from bayesbook.base import (
    ConvergenceError,
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.base.labels import codes_of, label_array, read_labels
from bayesbook.base.names import did_you_mean
from bayesbook.base.numbers import (
    FLOAT_TOLERANCE,
    Number,
    as_int,
    exact_probability,
    is_exact,
    show,
)
from bayesbook.base.randomness import as_rng
from bayesbook.decision.loss_matrix import TIE, LossMatrix, read_loss
from bayesbook.decision.risks import QuadratureRisk, RiskEstimate

# Quadrature begins at these quantiles of every class, and their mirrors, so
# that narrow classes are not missed. Beyond them hardly anything is left.
_LEVELS = np.append(10.0 ** np.arange(-14, 0, 2), [0.1, 0.25])
# The best decision is computed at these quantiles of every class.
_FINE = np.linspace(0, 0.5, 200)[1:]
# No sum has more terms than this.
_MOST_TERMS = 10**7


class GenerativeClassifier:
    r"""A classifier with known priors of the classes and densities in them.

    .. math:: P(k \mid x) = \frac{\pi_k \, p_k(x)}{\sum_l \pi_l \, p_l(x)}

    The model is generative, and immutable.

    Parameters
    ----------
    priors : mapping of class to probability
        They sum to one: exactly, or to 1e-9 if there is a float among them.
    densities : mapping of class to distribution
        The distribution of x in each class: a frozen distribution of
        scipy.stats, such as ``norm(0, 1)``, or a model whose property
        ``distribution`` is one, such as those of ``bayesbook.estimation``.
        Either all are densities, or all are distributions of discrete values;
        either of numbers, or of vectors of the same length.

    Attributes
    ----------
    classes : tuple
        In the order of the priors.
    priors : mapping of class to float
    densities : mapping of class to distribution

    Raises
    ------
    ProbabilityError
        If the priors are not a distribution, the classes of the two mappings
        differ, or the distributions are of different kinds.
    TypeError
        If priors or densities are not a mapping, or a density is not a
        distribution.

    References
    ----------
    Duda, Hart and Stork (2001), *Pattern Classification*, chapter 2.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> model = GenerativeClassifier(
    ...     {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)})
    >>> model.posterior([0.0, 1.0]).round(4).tolist()
    [[0.8808, 0.1192], [0.5, 0.5]]
    >>> print(f"{model.bayes_risk():.6f}")
    0.158655
    """

    __slots__ = ("_dimension", "_log_priors", "classes", "densities", "priors")
    _dimension: int
    _log_priors: np.ndarray
    classes: tuple[Hashable, ...]
    densities: Mapping[Hashable, Any]
    priors: Mapping[Hashable, float]

    def __init__(
        self,
        priors: Mapping[Hashable, Number],
        densities: Mapping[Hashable, Any],
    ):
        weights = _read_priors(priors)
        distributions = _read_densities(densities, weights)
        put = super().__setattr__
        put("classes", tuple(weights))
        put("priors", MappingProxyType(weights))
        put("densities", MappingProxyType(distributions))
        put("_dimension", _common_dimension(distributions))
        with np.errstate(divide="ignore"):
            put("_log_priors", np.log(list(weights.values())))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A model cannot be changed: make a new one.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.priors), dict(self.densities))

    def __repr__(self) -> str:
        priors = ", ".join(f"{k!r}: {p:.4g}" for k, p in self.priors.items())
        return f"GenerativeClassifier with priors {{{priors}}}"

    # -- the model --------------------------------------------------------

    def posterior(self, x: Sequence | np.ndarray | float) -> np.ndarray:
        r"""Return the probability of every class given x.

        Parameters
        ----------
        x : array of shape (n,), or (n, d) if the densities are of vectors
            It may be one number, or one vector.

        Returns
        -------
        array of shape (n, K), or (K,) for one x
            Rows sum to one; columns are in the order of `classes`. They are
            computed from logarithms, and accurate far out in the tails.

        Raises
        ------
        ProbabilityError
            If x has the wrong shape or is not finite, or a density is
            infinite there.
        ZeroProbabilityError
            If x has density zero in every class of positive prior.

        Examples
        --------
        >>> from scipy.stats import norm
        >>> model = GenerativeClassifier(
        ...     {"a": "1/4", "b": "3/4"}, {"a": norm(0, 1), "b": norm(0, 2)})
        >>> model.posterior(0.0).round(4).tolist()
        [0.4, 0.6]
        """
        rows = self._read(x)
        log_joint = self._log_joint(rows)
        log_density = logsumexp(log_joint, axis=1, keepdims=True)
        possible = np.isfinite(log_density[:, 0])
        if not possible.all():
            row = int(np.argmin(possible))
            what = f"x = {rows[row].tolist()}"
            if log_density[row, 0] > 0:
                raise ProbabilityError(
                    f"The density at {what} is infinite, so there is no "
                    "posterior."
                )
            raise ZeroProbabilityError(
                f"There is no posterior at {what}: its density is zero in "
                "every class of positive prior probability."
            )
        posterior = np.exp(log_joint - log_density)
        return posterior if len(np.shape(x)) == rows.ndim else posterior[0]

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw cases: the class from the priors, then x from its density.

        Parameters
        ----------
        size : int
            The number of cases, at least 0.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        x : array of shape (size,), or (size, d)
        y : array of shape (size,)
            The classes.

        Raises
        ------
        ProbabilityError
            If `size` is not a whole number, at least 0.

        Examples
        --------
        >>> from scipy.stats import norm
        >>> model = GenerativeClassifier(
        ...     {"a": 0.25, "b": 0.75}, {"a": norm(0, 1), "b": norm(2, 1)})
        >>> x, y = model.sample(10_000, rng=0)
        >>> print(f"{(y == 'b').mean():.2f} {x.mean():.1f}")
        0.75 1.5
        """
        size = as_int(size, "The size", 0)
        rng = as_rng(rng)
        priors = list(self.priors.values())
        codes = rng.choice(len(priors), size, p=priors)
        x = np.empty((size, self._dimension))
        for code, density in enumerate(self.densities.values()):
            chosen = codes == code
            drawn = density.rvs(size=chosen.sum(), random_state=rng)
            x[chosen] = np.reshape(drawn, (-1, self._dimension))
        if self._dimension == 1:
            x = x[:, 0]
        return x, label_array(self.classes)[codes]

    # -- risks ------------------------------------------------------------

    def bayes_risk(self, loss: LossMatrix | None = None) -> QuadratureRisk:
        r"""Return the risk of the best decisions, by integration.

        .. math:: R^* = \int \min_i \sum_j \lambda_{ij} \, \pi_j \, p_j(x)
            \, dx

        The integrand has a kink where the best decision changes. The real
        axis is cut there and at quantiles of the classes, and
        scipy.integrate.quad integrates between the cuts. The tails beyond the
        outermost quantiles, 1e-14 of every class, count as error. For
        discrete distributions of finite support the risk is a sum.

        Parameters
        ----------
        loss : LossMatrix, optional
            By default zero-one loss: the risk is the probability of a
            mistake. The columns and rows of a matrix without names are the
            classes, in their order.

        Returns
        -------
        QuadratureRisk
            A float with an attribute `error`, the sum of quad's estimates,
            at most about 1e-10 times the largest loss in absolute value.

        Raises
        ------
        ProbabilityError
            If x is a vector or discrete of infinite support, or a density
            is infinite (then use :meth:`bayes_risk_monte_carlo`); or if the
            states of the loss are not the classes.
        ConvergenceError
            If quad warns.

        Examples
        --------
        Deciding a in the class b is nine times as bad as the opposite:

        >>> from scipy.stats import norm
        >>> model = GenerativeClassifier(
        ...     {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)})
        >>> loss = LossMatrix([[0, 1], [9, 0]], states="ab")
        >>> print(f"{model.bayes_risk(loss):.6f}")
        0.350303
        """
        losses = self._losses(loss)
        if self._dimension > 1:
            raise ProbabilityError(
                f"x is a vector of {self._dimension} numbers; quadrature is "
                "for single numbers: use bayes_risk_monte_carlo."
            )
        if self._is_discrete:
            return self._summed_risk(losses)
        return self._integrated_risk(losses)

    def bayes_risk_monte_carlo(
        self,
        loss: LossMatrix | None = None,
        size: int = 100_000,
        *,
        rng: np.random.Generator | int,
    ) -> RiskEstimate:
        r"""Estimate the risk of the best decisions from random draws.

        .. math:: \hat R^* = \frac1n \sum_{t=1}^n
            \min_i \sum_j \lambda_{ij} \, P(j \mid x_t)

        The labels that are drawn with the x are not used. Given x the mean of
        their losses is the conditional risk, which is known: averaging it
        instead does not change the expectation and can only reduce the
        variance, since :math:`\operatorname{Var}[L]
        = \operatorname{Var}[E[L \mid X]] + E[\operatorname{Var}[L \mid X]]`
        (the theorem of Rao and Blackwell).

        Parameters
        ----------
        loss : LossMatrix, optional
            As for :meth:`bayes_risk`.
        size : int
            The number of x that are drawn, at least 2.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        RiskEstimate

        Raises
        ------
        ProbabilityError
            If the states of the loss are not the classes, or `size` is not
            a whole number, at least 2.

        Examples
        --------
        >>> from scipy.stats import norm
        >>> model = GenerativeClassifier(
        ...     {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)})
        >>> estimate = model.bayes_risk_monte_carlo(rng=0)
        >>> abs(estimate.value - 0.158655) < 3 * estimate.standard_error
        True
        """
        _, risks = self._drawn_risks(self._losses(loss), size, rng)
        return _estimate(risks.min(axis=1))

    def risk(
        self,
        classify: Callable[[np.ndarray], np.ndarray],
        loss: LossMatrix | None = None,
        size: int = 100_000,
        *,
        rng: np.random.Generator | int,
    ) -> RiskEstimate:
        r"""Estimate the expected loss of a classifier from random draws.

        As in :meth:`bayes_risk_monte_carlo`, the conditional risks of its
        decisions are averaged, and not the losses of drawn labels. With the
        same `size` and `rng` both methods draw the same x, so that no
        classifier is estimated to be better than the best decisions.

        Parameters
        ----------
        classify : function
            A function of an array of x, as :meth:`sample` returns them. It
            returns an array with a decision for each: ``lambda x:
            np.where(x < 1, "a", "b")``, or the `predict` of a classifier.
        loss, size, rng
            As for :meth:`bayes_risk_monte_carlo`.

        Returns
        -------
        RiskEstimate

        Raises
        ------
        ProbabilityError
            As there; and if the classifier does not return one decision for
            each x, or one that is not in the loss matrix.

        Examples
        --------
        >>> from scipy.stats import norm
        >>> model = GenerativeClassifier(
        ...     {"a": 0.5, "b": 0.5}, {"a": norm(0, 1), "b": norm(2, 1)})
        >>> def classify(x):
        ...     return np.where(x < 0, "a", "b")
        >>> estimate = model.risk(classify, rng=0)
        >>> truth = 0.5 * norm.sf(0) + 0.5 * norm.cdf(-2)
        >>> bool(abs(estimate.value - truth) < 3 * estimate.standard_error)
        True
        """
        loss = read_loss(loss, self.classes)
        x, risks = self._drawn_risks(self._losses(loss), size, rng)
        decisions = np.asarray(classify(x))
        if decisions.shape != (size,):
            raise ProbabilityError(
                "The classifier returned decisions of the shape "
                f"{decisions.shape} for {size} x; it must return one for "
                "each x of an array."
            )
        codes = codes_of(decisions, loss.decisions, "The decision")
        return _estimate(risks[np.arange(size), codes])

    # -- helpers ----------------------------------------------------------

    @property
    def _is_discrete(self):
        return hasattr(next(iter(self.densities.values())), "logpmf")

    def _losses(self, loss):
        return read_loss(loss, self.classes).values.astype(float)

    def _read(self, x):
        """Return x as an array with a row, or a number, for each case."""
        try:
            rows = np.asarray(x, dtype=float)
        except (TypeError, ValueError) as error:
            raise ProbabilityError(f"x is not a number: {error}.") from None
        axes = 1 if self._dimension == 1 else 2
        if rows.ndim == axes - 1:
            rows = rows[np.newaxis]
        shape = ("n",) if axes == 1 else ("n", self._dimension)
        if rows.ndim != axes or rows.shape[1:] != shape[1:]:
            raise ProbabilityError(
                f"x has the shape {np.shape(x)}; the densities need "
                f"({', '.join(map(str, shape))}{',' if axes == 1 else ''})."
            )
        wrong = ~np.isfinite(rows)
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            raise ProbabilityError(
                f"x is {rows[place]} in row {place[0]}: not a finite number."
            )
        return rows

    def _log_joint(self, rows):
        """Return log(prior times density), a column for each class."""
        name = "logpmf" if self._is_discrete else "logpdf"
        # The square of a large x may overflow: then the density is zero.
        with np.errstate(over="ignore"):
            columns = [
                np.reshape(getattr(density, name)(rows), len(rows))
                for density in self.densities.values()
            ]
        return np.stack(columns, axis=1) + self._log_priors

    def _drawn_risks(self, losses, size, rng):
        """Draw x, and return them with the conditional risks of decisions."""
        size = as_int(size, "The size", 2)
        x, _ = self.sample(size, rng=rng)
        return x, self.posterior(x) @ losses.T

    def _occurring(self):
        """Return the densities of the classes that occur."""
        return [
            density
            for density, prior in zip(
                self.densities.values(), self.priors.values(), strict=True
            )
            if prior > 0
        ]

    def _summed_risk(self, losses):
        """Return the risk of the best decisions, as a sum over the support."""
        supports = np.array([d.support() for d in self._occurring()])
        first, last = supports.min(), supports.max()
        if not last - first < _MOST_TERMS:
            raise ProbabilityError(
                f"The support, from {first:g} to {last:g}, is too large for a "
                "sum; use bayes_risk_monte_carlo."
            )
        joint = np.exp(self._log_joint(np.arange(first, last + 1)))
        if abs(joint.sum() - 1) > FLOAT_TOLERANCE:
            raise ProbabilityError(
                f"The whole numbers from {first:g} to {last:g} have the "
                f"probability {joint.sum():.6g}; x has other values, too. Use "
                "bayes_risk_monte_carlo."
            )
        rounding = np.finfo(float).eps * np.abs(losses).max()
        return QuadratureRisk((joint @ losses.T).min(axis=1).sum(), rounding)

    def _integrated_risk(self, losses):
        """Return the risk of the best decisions, as an integral."""
        largest = np.abs(losses).max()

        def least_risk(x):
            joint = np.exp(self._log_joint(np.array([x])))[0]
            if np.isinf(joint).any():
                raise ProbabilityError(
                    f"The density at x = {x:.6g} is infinite and cannot be "
                    "integrated; use bayes_risk_monte_carlo."
                )
            return (losses @ joint).min()

        cuts = self._cuts(losses)
        value, error = 0.0, 2 * _LEVELS[0] * largest
        for low, high in pairwise(cuts):
            part, part_error, _, *warning = quad(
                least_risk,
                low,
                high,
                epsabs=1e-12 * largest,
                epsrel=1e-10,
                limit=200,
                full_output=True,
            )
            if warning:
                raise ConvergenceError(
                    f"The risk between x = {low:.6g} and x = {high:.6g} could "
                    f"not be integrated ({' '.join(warning[0].split())}) Use "
                    "bayes_risk_monte_carlo."
                )
            value, error = value + part, error + part_error
        return QuadratureRisk(value, error)

    def _cuts(self, losses):
        """Return places between which the integrand is smooth."""
        cuts = [self._boundaries(losses)]
        for density in self._occurring():
            cuts += [
                density.ppf(_LEVELS),
                [density.median()],
                density.isf(_LEVELS),
            ]
        return np.unique(np.concatenate(cuts))

    def _boundaries(self, losses):
        """Return places where the best decision changes."""
        grid = np.unique(
            np.concatenate(
                [
                    place(levels)
                    for density in self._occurring()
                    for levels in (_LEVELS, _FINE)
                    for place in (density.ppf, density.isf)
                ]
            )
        )

        def risks(x):
            log_joint = self._log_joint(np.atleast_1d(x))
            top = log_joint.max(axis=1, keepdims=True)
            # Between the supports all densities, and all risks, are zero.
            top = np.where(np.isfinite(top), top, 0)
            return np.exp(log_joint - top) @ losses.T

        grid = grid[np.isfinite(self._log_joint(grid).max(axis=1))]
        risk = risks(grid)
        tie = TIE * np.abs(losses).max()
        best = (risk <= risk.min(axis=1, keepdims=True) + tie).argmax(axis=1)
        found = []
        for place in np.flatnonzero(best[:-1] != best[1:]):
            left, right = best[place], best[place + 1]

            def lead(x, left=left, right=right):
                both = risks(x)[0]
                return both[left] - both[right]

            ends = grid[place], grid[place + 1]
            # Rounding may change the signs where the decisions tie.
            if lead(ends[0]) <= 0 <= lead(ends[1]):
                found.append(brentq(lead, *ends))
        return found


def _estimate(risks):
    """Return the mean of some risks with its standard error."""
    return RiskEstimate(
        float(risks.mean()), float(risks.std(ddof=1) / sqrt(len(risks)))
    )


def _read_priors(priors: Any) -> dict[Hashable, float]:
    """Read a prior probability for each class."""
    if not isinstance(priors, Mapping):
        raise TypeError(
            "Give the priors as a dictionary from classes to probabilities, "
            f"not {priors!r}."
        )
    read_labels(priors, "class")
    read = {k: exact_probability(p, f"of {k!r}") for k, p in priors.items()}
    total: Any = sum(read.values())
    exact = all(map(is_exact, priors.values()))
    if abs(total - 1) > (0 if exact else FLOAT_TOLERANCE):
        raise ProbabilityError(
            f"The prior probabilities sum to {show(total)}, not to 1."
        )
    return {k: float(p) for k, p in read.items()}


def _read_densities(densities: Any, priors: Mapping) -> dict[Hashable, Any]:
    """Read a distribution for each class, in the order of the priors."""
    if not isinstance(densities, Mapping):
        raise TypeError(
            "Give the densities as a dictionary from classes to "
            f"distributions, not {densities!r}."
        )
    for k in densities:
        if k not in priors:
            raise ProbabilityError(
                f"There is a density of {k!r}, but no prior."
                f"{did_you_mean(k, priors)}"
            )
    for k in priors:
        if k not in densities:
            raise ProbabilityError(
                f"There is a prior of {k!r}, but no density."
                f"{did_you_mean(k, densities)}"
            )
    return {k: _distribution(densities[k], k) for k in priors}


def _distribution(density, name):
    """Return a distribution of scipy, or that of a model."""
    found = getattr(density, "distribution", density)
    generic = stats.rv_continuous | stats.rv_discrete
    if isinstance(found, generic) and found.numargs:
        raise ProbabilityError(
            f"The density of {name!r} is scipy's {found.name} without its "
            f"parameters ({found.shapes}); call it with them."
        )
    log = hasattr(found, "logpdf") or hasattr(found, "logpmf")
    if isinstance(found, type) or not (log and hasattr(found, "rvs")):
        raise TypeError(
            f"The density of {name!r} is {density!r}; give a distribution "
            "of scipy.stats with its parameters, such as norm(0, 1), or a "
            "model that has one."
        )
    return found


def _common_dimension(densities):
    """Return the number of numbers in x, the same in all classes."""
    first, *others = densities
    kinds = {name: _kind(densities[name], name) for name in densities}
    for name in others:
        if kinds[name] != kinds[first]:
            raise ProbabilityError(
                f"The class {first!r} has {_say(kinds[first])}, {name!r} has "
                f"{_say(kinds[name])}: all must be of the same kind."
            )
    return kinds[first][1]


def _kind(density, name):
    """Return whether a distribution is discrete, and the length of x."""
    discrete = hasattr(density, "logpmf")
    # A distribution of numbers with an array of parameters is several
    # distributions.
    fits = not hasattr(density, "ppf") or np.ndim(density.ppf(0.5)) == 0
    if fits:
        try:
            draws = np.asarray(density.rvs(size=3, random_state=0))
            log = density.logpmf(draws) if discrete else density.logpdf(draws)
            fits = np.shape(log) == (3,) and not np.isnan(log).any()
        except ValueError:
            # Parameters out of their range, or distributions of matrices or
            # of column vectors.
            fits = False
    if not fits:
        raise ProbabilityError(
            f"The density of {name!r} is not one distribution of a number, or "
            "of a row vector, with parameters in their range."
        )
    return discrete, draws.size // 3


def _say(kind):
    """Return the kind of a distribution as text."""
    discrete, size = kind
    what = "probabilities" if discrete else "a density"
    return f"{what} of {f'vectors of {size}' if size > 1 else 'numbers'}"
