"""Naive Bayes for measurements."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats
from sklearn.utils import Tags

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import NormalInverseGamma
from bayesbook.data import count_classes, sum_by_class
from bayesbook.naive_bayes._base import NaiveBayes, learned
from bayesbook.naive_bayes._log_tables import feature_names
from bayesbook.naive_bayes._reading import column_name, read_numbers

# Numbers that are processed together.
_CHUNK = 2**20
# Up to here the error of an expanded square stays below 1e-10; with larger
# terms the differences are squared one by one.
_LARGEST_TERM = 1e5


class GaussianNB(NaiveBayes):
    r"""Naive Bayes for measurements with a normal distribution in every class.

    .. math:: \log p(x \mid c) = -\frac12 \sum_m \left(
        \log 2 \pi \sigma_{cm}^2
        + \frac{(x_m - \mu_{cm})^2}{\sigma_{cm}^2} \right)

    Parameters
    ----------
    var_smoothing : float, default 1e-9
        This part of the largest variance of a column is added to every
        variance, so that none is zero. As in scikit-learn, except that
        weights count as repetitions in that variance too.
    ddof : {0, 1}, default 0
        Variances are sums of squares divided by N - ddof: by N, which
        maximises the likelihood, or by N - 1, which has no bias.
    class_alpha : float, default 1
        The pseudo-count of each class, where `estimate` is not "mle".
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    estimate : {"mle", "map", "bayes"}, default "mle"
        What is predicted with. "mle": the maximum of the likelihood, without
        smoothing: means and variances of the data, and the shares of the
        classes; "map": the modes of the posteriors, of mean and variance, and
        of the class probabilities; "bayes": the predictive distribution, a
        Student t, and the means of the class probabilities. The last two need
        a `prior`, and do not use `var_smoothing` and `ddof`.
    prior : NormalInverseGamma, optional
        The prior of mean and variance, the same for every column and class:
        bring the columns to one scale before.
    missing : {"error", "marginalise"}, default "error"
        What to do about NaN: refuse it, or leave the feature out of the
        sums of its row and out of the product for its row.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_
        See :class:`NaiveBayes`.
    feature_names_in_
        See :class:`NaiveBayes`.
    count_ : array of shape (K, 1) or (K, M)
        The rows of each class in which the feature is known.
    theta_ : array of shape (K, M)
        The mean of each feature in each class: that of the data, whatever the
        estimate is. `to_frame` has the estimates.
    var_ : array of shape (K, M)
        The variance of each feature in each class, likewise.
    squares_ : array of shape (K, M)
        The sums of the squares of the differences from the means.
    epsilon_ : float
        What was added to every variance.

    Notes
    -----
    A class without rows, or without any value in a column, has no mean there,
    and is never predicted (unless there is a prior). Sums of measurements,
    unlike counts, are rounded: `partial_fit`, `fit_chunks` and data of Dask
    give the same as `fit` up to the last digits.

    The mean of each column is subtracted, and the squares are expanded, so
    that all classes are one matrix product. They are not expanded where that
    would lose digits: for classes that are far apart, or rows far away.

    References
    ----------
    Chan, Golub and LeVeque (1983), Algorithms for computing the sample
    variance, The American Statistician 37, 242-247.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [7.0], [9.0]]
    >>> model = GaussianNB().fit(X, ["low", "low", "low", "high", "high"])
    >>> model.to_frame()
    class              high       low
    feature number
    0       mean        8.0  2.000000
            variance    1.0  0.666667
    >>> model.predict([[4.0], [6.0]]).tolist()
    ['low', 'high']
    """

    def __init__(
        self,
        *,
        var_smoothing: float = 1e-9,
        ddof: int = 0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "mle",
        prior: NormalInverseGamma | None = None,
        missing: str = "error",
    ):
        self.var_smoothing = var_smoothing
        self.ddof = ddof
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.prior = prior
        self.missing = missing

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "marginalise"
        return tags

    def _read_settings(self):
        settings = super()._read_settings()
        if self.estimate == "mle":
            if self.prior is not None:
                raise ProbabilityError(
                    "With estimate='mle' the prior is not used: leave it out, "
                    "or choose estimate='map' or 'bayes'."
                )
        elif not isinstance(self.prior, NormalInverseGamma):
            error = ProbabilityError if self.prior is None else TypeError
            raise error(
                f"estimate={self.estimate!r} needs a prior, a "
                "NormalInverseGamma of bayesbook.conjugate, not "
                f"{self.prior!r}."
            )
        return settings

    def _read(self, X, *, anew):
        marginalise = self.missing == "marginalise"
        return read_numbers(self, X, anew=anew, allow_nan=marginalise)

    @np.errstate(over="ignore", invalid="ignore")
    def _count(self, X, codes, n_classes, weights):
        """Return numbers, means and sums of squares about them, by class."""
        is_known = None
        if X.dtype.kind == "f" and np.isnan(X).any():
            is_known = ~np.isnan(X)
            count = sum_by_class(is_known, codes, n_classes, weights)
            X = np.where(is_known, X, 0.0)
        elif len(X) == 1:
            return _count_one(X, codes, n_classes, weights)
        else:
            count = count_classes(codes, n_classes, weights)[:, None]
        divisor = np.where(count > 0, count, 1)
        mean = sum_by_class(X, codes, n_classes, weights) / divisor
        first = np.zeros_like(mean)
        square = np.zeros_like(mean)
        step = max(1, _CHUNK // max(X.shape[1], 1))
        for start in range(0, len(X), step):
            rows = slice(start, start + step)
            part = None if weights is None else weights[rows]
            difference = X[rows] - mean[codes[rows]]
            if is_known is not None:
                difference[~is_known[rows]] = 0
            first += sum_by_class(difference, codes[rows], n_classes, part)
            difference *= difference
            square += sum_by_class(difference, codes[rows], n_classes, part)
        # Corrects the rounding error of the mean, and its effect.
        mean += first / divisor
        square = np.maximum(square - first**2 / divisor, 0)
        self._require_squares(square)
        return count, mean, square

    def _require_squares(self, squares):
        if not np.isfinite(squares).all():
            m = int(np.argwhere(~np.isfinite(squares))[0, 1])
            raise ProbabilityError(
                f"Column {column_name(self, m)!r} holds numbers that are too "
                "large to be squared: choose another unit."
            )

    def _merge(self, counts, *, anew):
        if not anew:
            with np.errstate(over="ignore", invalid="ignore"):
                counts = _combined(
                    (self.count_, self.theta_, self.squares_), counts
                )
            self._require_squares(counts[2])
        self.count_, self.theta_, self.squares_ = counts

    def _statistics(self):
        return self.count_, self.theta_, self.squares_

    @learned
    def epsilon_(self) -> float:  # noqa: D102 - documented with the class
        count = np.broadcast_to(self.count_, self.theta_.shape)
        total = count.sum(axis=0)
        divisor = np.where(total > 0, total, 1)
        mean = (count * self.theta_).sum(axis=0) / divisor
        between = count * (self.theta_ - mean) ** 2
        variance = (self.squares_ + between).sum(axis=0) / divisor
        return float(self._settings["var_smoothing"] * variance.max())

    @learned
    def var_(self) -> np.ndarray:  # noqa: D102 - documented with the class
        freedom = self.count_ - self._settings["ddof"]
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.where(freedom > 0, self.squares_ / freedom, np.nan)
        return variance + self.epsilon_

    @learned
    def _posterior(self):
        """The parameters m, kappa, a, b of every class and column."""
        prior = self._settings["prior"]
        n = self.count_
        kappa = prior.kappa + n
        m = (prior.kappa * prior.m + n * self.theta_) / kappa
        shift = prior.kappa * n / kappa * (self.theta_ - prior.m) ** 2
        b = prior.b + (self.squares_ + shift) / 2
        return m, kappa, prior.a + n / 2, b

    @learned
    def _location_and_variance(self):
        if self._settings["estimate"] == "mle":
            self._require_variances()
            return self.theta_, self.var_
        m, _, a, b = self._posterior
        return m, b / (a + 1.5)

    def _require_variances(self):
        is_empty = ~np.broadcast_to(self.count_ > 0, self.theta_.shape).any(0)
        if is_empty.any():
            name = column_name(self, int(np.argmax(is_empty)))
            raise ProbabilityError(
                f"Column {name!r} had no value in any row of the training: "
                "leave it out."
            )
        wrong = (self.count_ > 0) & ~(self.var_ > 0)
        if not wrong.any():
            return
        k, m = np.argwhere(wrong)[0].tolist()
        if self._settings["var_smoothing"] and not self.epsilon_:
            raise ProbabilityError(
                "Every column is constant, so that there is no variance of "
                "which var_smoothing could add a part: leave such columns "
                "out, or train on more rows."
            )
        raise ProbabilityError(
            f"Column {column_name(self, m)!r} has no positive variance in "
            f"class {self.classes_.tolist()[k]!r}: it is constant there, or "
            "there are too few rows. Take var_smoothing > 0, ddof=0, or a "
            "prior."
        )

    def _class_log_likelihood(self, X):
        result = np.empty((len(X), len(self.classes_)))
        is_bayes = self._settings["estimate"] == "bayes"
        log_density = self._log_student if is_bayes else self._log_normal
        step = max(1, _CHUNK // max(X.shape[1], 1))
        for start in range(0, len(X), step):
            result[start : start + step] = log_density(X[start : start + step])
        return result

    @learned
    def _expanded(self):
        """The terms of the expanded squares of all classes.

        They are the centre, the precisions, the shifted locations, the
        logarithms of the variances, and whether a column of a class has no
        distribution: then its precision is 0.
        """
        location, variance = self._location_and_variance
        has_distribution = np.isfinite(variance)
        count = np.broadcast_to(self.count_, location.shape)
        centre = (count * location).sum(axis=0)
        centre /= np.maximum(count.sum(axis=0), 1e-300)
        precision = np.where(has_distribution, 1 / variance, 0)
        shifted = np.where(has_distribution, location - centre, 0)
        logs = np.where(has_distribution, np.log(2 * np.pi * variance), 0)
        return centre, precision, shifted, logs, ~has_distribution

    def _log_normal(self, X):
        centre, precision, shifted, logs, lacks_distribution = self._expanded
        Z = X - centre
        is_known = ~np.isnan(Z)
        has_missing = not is_known.all()
        if has_missing:
            Z[~is_known] = 0
        with np.errstate(over="ignore"):
            terms = (Z * Z).max(axis=0) + shifted**2
        self._require_squares(terms)
        if (terms * precision).sum(axis=1).max() < _LARGEST_TERM:
            constant = shifted**2 * precision + logs
            result = Z @ (shifted * precision).T
            Z *= Z
            result -= (Z @ precision.T) / 2
            if has_missing:
                result -= (is_known @ constant.T) / 2
            else:
                result -= constant.sum(axis=1) / 2
        else:
            result = np.empty((len(X), len(precision)))
            for k, location in enumerate(self._location_and_variance[0]):
                terms = (X - location) ** 2 * precision[k] + logs[k]
                result[:, k] = -np.nansum(terms, axis=1) / 2
        if lacks_distribution.any():
            # But the factor of a missing value is 1 in any case.
            result[is_known @ lacks_distribution.T] = -np.inf
        return result

    @learned
    def _student(self):
        """Locations, scales and degrees of freedom of the Student t."""
        m, kappa, a, b = self._posterior
        scale = np.sqrt(b * (kappa + 1) / (a * kappa))
        return m, scale, np.broadcast_to(2 * a, m.shape)

    def _log_student(self, X):
        result = np.empty((len(X), len(self.classes_)))
        for k, (location, scale, freedom) in enumerate(
            zip(*self._student, strict=True)
        ):
            terms = stats.t.logpdf(X, freedom, location, scale)
            result[:, k] = np.where(np.isnan(X), 0, terms).sum(axis=1)
        return result

    def _lack_distribution(self):
        if self._settings["estimate"] == "bayes":
            return np.zeros(len(self.classes_), dtype=bool)
        return ~np.isfinite(self._location_and_variance[1]).all(axis=1)

    def _sample_rows(self, codes, rng):
        if self._settings["estimate"] == "bayes":
            location, scale, freedom = self._student
            draws = rng.standard_t(freedom[codes])
            return location[codes] + scale[codes] * draws
        location, variance = self._location_and_variance
        draws = rng.standard_normal((len(codes), location.shape[1]))
        return location[codes] + np.sqrt(variance[codes]) * draws

    def to_frame(self) -> pd.DataFrame:
        """Return the distributions of the features in the classes.

        Returns
        -------
        DataFrame, a column for each class
            Two rows for each feature: its mean and its variance. With
            estimate="bayes" three: the location, the scale and the degrees
            of freedom of its Student t distribution.
        """
        features = feature_names(self)
        if self._settings["estimate"] == "bayes":
            location, scale, freedom = self._student
            parts = {
                "location": location,
                "scale": scale,
                "degrees of freedom": freedom,
            }
        else:
            mean, variance = self._location_and_variance
            parts = {"mean": mean, "variance": variance}
        rows = np.stack(list(parts.values()), axis=2)
        return pd.DataFrame(
            rows.reshape(len(self.classes_), -1).T,
            index=pd.MultiIndex.from_product(
                [features, parts], names=["feature", "number"]
            ),
            columns=pd.Index(self.classes_, name="class"),
        )


def _count_one(X, codes, n_classes, weights):
    """Return what `_count` does for a single row, in a fifth of the time."""
    count = np.zeros((n_classes, 1))
    mean = np.zeros((n_classes, X.shape[1]))
    count[codes] = 1 if weights is None else weights
    mean[codes] = X
    return count, mean, np.zeros_like(mean)


def _combined(old, new):
    """Return numbers, means and sums of squares of two parts of the data.

    Chan, Golub and LeVeque (1983).
    """
    n, mean, square = old
    n_new, mean_new, square_new = new
    total = n + n_new
    share = n_new / np.where(total > 0, total, 1)
    difference = mean_new - mean
    return (
        total,
        mean + share * difference,
        square + square_new + n * share * difference**2,
    )
