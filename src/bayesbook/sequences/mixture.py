r"""Mixtures: every row comes from one of K components, nobody knows which.

.. math:: p(x) = \sum_k \pi_k \, p(x \mid k)

One pattern serves Bernoullis, categories and Gaussians. The E step is Bayes'
rule, the posterior :math:`r_{nk} = P(k \mid x_n)` of the component of each
row; the M step estimates each component from all rows, row n with the weight
:math:`r_{nk}` (Dempster, Laird and Rubin 1977; Bishop 2006, chapter 9).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import read_probabilities
from bayesbook.base.numbers import as_int
from bayesbook.network.progress import progress_bar
from bayesbook.sequences._baum_welch import (
    add_squares,
    draw_means,
    gaussians_of_all,
)
from bayesbook.sequences._components import (
    Bernoullis,
    Categories,
    Components,
    Gaussians,
    Prior,
    frozen,
)
from bayesbook.sequences._em import run_em, warn_if_unfinished
from bayesbook.sequences._mixture_inference import (
    MixtureInference,
    MixtureProblem,
    Parts,
)
from bayesbook.sequences._reading import (
    distributions,
    one_of,
    read_gaussians,
    read_settings,
)
from bayesbook.sequences._rows import (
    FAMILIES,
    distinct_rows,
    prior_squares,
    read_rows,
    read_weights,
)

__all__ = ["Mixture"]


class Mixture(MixtureInference, DensityMixin, BaseEstimator):
    r"""A mixture of Bernoullis, of categories, or of Gaussians.

    Training is EM: no step lowers the objective. What is found may be a local
    maximum; so begin several times, with `n_init`.

    Parameters
    ----------
    n_components : int, default 2
        K, the number of components.
    family : {"gaussian", "bernoulli", "categorical"}
        What the columns hold: measurements; 0 and 1; or categories, any
        values, which are sorted. Columns of 0 and 1, and of categories, are
        independent within a component.
    covariance : {"full", "diagonal"}
        Whether measurements may depend on each other within a component.
    alpha : float, default 0
        The pseudo-count of each probability: of a component, and of a state
        of a column in a component.
    var_smoothing : float, default 1e-3
        This part of the variance of each column is added to the sums of
        squares of each component, so that no covariance becomes singular;
        with 0 and ``alpha=0`` training maximises the likelihood.
    tol : float, default 1e-3
        Training ends when, by estimate, less than this is left to be gained
        of the objective, in nats.
    max_iter : int, default 1000
        The most steps.
    n_init : int, default 1
        From how many starts; the best result is kept.
    random_state : int, RandomState or None
        The source of randomness for the starts, or a seed for it.
    progress : bool, default False
        Whether to show how many steps training has made.

    Attributes
    ----------
    weights_ : array of shape (K,)
        P(component). The most probable component is the first, unless
        training begins from a given mixture.
    means_ : array of shape (K, M)
    covariances_ : array of shape (K, M, M), or (K, M) if diagonal
    probabilities_ : array of shape (K, M), or list of M arrays (K, S_m)
        Of Bernoullis P(column is 1 | k), of categories P(state | k).
    categories_ : list of M arrays
        The states of each column of categories.
    objective_history_ : array
        The log-likelihood plus the logarithm of the prior, up to a constant,
        at the best start and after each step. It never decreases.
    n_iter_ : int
        The number of steps.
    converged_ : bool
    n_features_in_ : int
    feature_names_in_ : array of shape (M,)
        The names of the columns, if they are texts.

    Notes
    -----
    With ``family="categorical"`` this is the model of
    :class:`bayesbook.naive_bayes.LatentClass`, which also reads missing
    values, extrapolates its steps and becomes a network; steps from one start
    usually lead to the same maximum. With ``alpha=0``, ``var_smoothing=0`` and
    the same start the steps are those of scikit-learn's ``GaussianMixture``
    with ``reg_covar=0``.

    The prior of covariances is :math:`-\frac12 \sum_k \operatorname{tr}(S
    \Sigma_k^{-1})`, where S is the diagonal matrix of `var_smoothing` times
    the variances of the columns.

    References
    ----------
    Dempster, Laird and Rubin (1977), Journal of the Royal Statistical Society
    B 39, 1-38. Fraley and Raftery (2007), Journal of Classification 24,
    155-181.

    Examples
    --------
    >>> X = [[1.0], [1.2], [0.9], [1.1], [5.0], [5.3]]
    >>> model = Mixture(2, random_state=0).fit(X)
    >>> model.weights_.round(3), model.means_.round(2).ravel()
    (array([0.667, 0.333]), array([1.05, 5.15]))
    >>> model.predict([[1.3], [4.0]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        n_components: int = 2,
        family: str = "gaussian",
        *,
        covariance: str = "full",
        alpha: float = 0.0,
        var_smoothing: float = 1e-3,
        tol: float = 1e-3,
        max_iter: int = 1000,
        n_init: int = 1,
        random_state: int | np.random.RandomState | None = None,
        progress: bool = False,
    ):
        self.n_components = n_components
        self.family = family
        self.covariance = covariance
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state
        self.progress = progress

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = self.family != "gaussian"
        return tags

    @classmethod
    def from_parameters(
        cls,
        proportions: ArrayLike,
        *,
        means: ArrayLike | None = None,
        covariances: ArrayLike | None = None,
        probabilities: Any = None,
    ) -> Self:
        """Return the mixture with given parameters.

        Parameters
        ----------
        proportions : array_like of shape (K,)
            P(component), which become `weights_`.
        means, covariances : array_like, optional
            Of Gaussians: (K, M) and (K, M, M), or (K, M) for columns that are
            independent within a component. For one column, (K,) and (K,).
        probabilities : array_like or list, optional
            Of Bernoullis, of shape (K, M); of categories, a list with an
            array (K, S_m) for each column, whose states are 0, 1, 2, ...

        Returns
        -------
        Mixture

        Examples
        --------
        >>> coins = Mixture.from_parameters(
        ...     [0.5, 0.5], probabilities=[[0.9, 0.9], [0.5, 0.5]])
        >>> coins.predict_proba([[1, 1], [0, 1]]).round(4)
        array([[0.7642, 0.2358],
               [0.2647, 0.7353]])
        """
        weights = distributions(proportions, "The proportions", 1)
        K = len(weights)
        if (probabilities is None) == (means is None) or (means is None) != (
            covariances is None
        ):
            raise ProbabilityError(
                "Give either probabilities, or means and covariances."
            )
        components: Components
        if probabilities is None:
            means, covariances = read_gaussians(
                means, covariances, K, "component"
            )
            components = Gaussians(frozen(means), frozen(covariances))
            components.require_definite()
            kind = "full" if components.is_full else "diagonal"
            model, M = cls(K, covariance=kind), components.means.shape[1]
        elif np.ndim(probabilities[0]) == 2:
            tables = [
                distributions(table, f"The table of column {m}")
                for m, table in enumerate(probabilities)
            ]
            components = Categories.of(tables)
            model, M = cls(K, "categorical"), len(tables)
            model.categories_ = [np.arange(len(t[0])) for t in tables]
        else:
            p = read_probabilities(probabilities, "The probabilities", 2)
            components = Bernoullis(frozen(p))
            model, M = cls(K, "bernoulli"), p.shape[1]
        if len(components) != K:
            raise ProbabilityError(
                f"There are parameters of {len(components)} components for "
                f"{K} proportions."
            )
        model.n_features_in_ = M
        return model._set(Parts(frozen(weights), components))

    def _set(self, parts):
        """Keep parameters as what was learned."""
        self._parts = parts
        self.weights_, components = parts
        for name in ("means_", "covariances_", "probabilities_"):
            vars(self).pop(name, None)
        if isinstance(components, Gaussians):
            self.means_ = components.means
            self.covariances_ = components.covariances
        elif isinstance(components, Bernoullis):
            self.probabilities_ = components.p
        else:
            self.probabilities_ = components.tables
        return self

    # -- training -----------------------------------------------------------

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: object = None,
        sample_weight: ArrayLike | None = None,
        start: Mixture | None = None,
    ) -> Self:
        """Find the components of rows.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
        y : object
            Ignored: the components are not known.
        sample_weight : array_like of shape (n,), optional
            The weight of each row; 1 by default.
        start : Mixture, optional
            A mixture to begin from; its components keep their order.

        Returns
        -------
        Mixture
            The same object.

        Warns
        -----
        ConvergenceWarning
            If the best run has not converged within `max_iter` steps.

        Raises
        ------
        ValueError
            If a parameter or the rows cannot be read, if there are fewer rows
            than components, or if a covariance becomes singular.
        """
        read_settings(self)
        one_of(self.family, "family", FAMILIES)
        known = None if start is None else self._categories_of(start)
        rows = read_rows(self, X, anew=True, known=known)
        weights = read_weights(sample_weight, rows)
        squares = prior_squares(self, rows, weights)
        return self._learn(rows, weights, squares, start)

    def _learn(self, rows, weights, squares, start=None):
        """Find the components of rows that have been read."""
        K = as_int(self.n_components, "n_components", 1)
        n_rows = int((weights > 0).sum())
        # Weights may be repetitions.
        if max(n_rows, weights.sum()) < K:
            raise ProbabilityError(
                f"n_components={K}, but n_samples={n_rows}: take fewer "
                "components, or more rows."
            )
        if self.family != "gaussian":
            # Equal rows count together, in whatever order they come.
            rows, weights = distinct_rows(rows, weights)
        prior = Prior(float(self.alpha), squares)
        problem = MixtureProblem(rows, weights, prior)
        best = self._best_run(problem, start)
        parts = best.parameters
        if start is None:
            # Rounded: no difference of a last digit decides.
            order = np.argsort(-parts.weights.round(9), kind="stable")
            parts = Parts(
                frozen(parts.weights[order]), parts.components.reordered(order)
            )
        self._set(parts)
        self.objective_history_ = frozen(best.history)
        self.n_iter_ = len(best.history) - 1
        self.converged_ = best.converged
        warn_if_unfinished(self, best)
        return self

    def _best_run(self, problem, start):
        random = check_random_state(self.random_state)
        with progress_bar(None, self.progress, "steps") as on_step:
            runs = [
                run_em(
                    problem.step,
                    self._start(problem, random, start),
                    tol=self.tol,
                    max_iter=self.max_iter,
                    on_step=on_step,
                )
                for _ in range(1 if start is not None else self.n_init)
            ]
        return max(runs, key=lambda run: run.history[-1])

    def _categories_of(self, start):
        """Return the categories of a mixture to begin from."""
        check_is_fitted(start, "weights_")
        if (start.family, len(start.weights_)) != (
            self.family,
            self.n_components,
        ):
            raise ProbabilityError(
                f"`start` has {len(start.weights_)} components and the family "
                f"{start.family!r}; this mixture has {self.n_components} and "
                f"{self.family!r}."
            )
        return getattr(start, "categories_", None)

    def _start(self, problem, random, start):
        """Return parameters to begin from.

        Components are equally probable. Each is half way between all rows and
        one row; Gaussians have a row as mean, and the covariance of all rows.
        """
        if start is not None:
            if start.n_features_in_ != self.n_features_in_:
                raise ProbabilityError(
                    f"`start` has {start.n_features_in_} columns, and the "
                    f"rows have {self.n_features_in_}."
                )
            return start._parts
        X, w, prior = problem
        K, is_full = int(self.n_components), self.covariance == "full"
        weights = frozen(np.full(K, 1 / K))
        if self.family == "gaussian":
            means = draw_means(*distinct_rows(X, w), K, random)
            around = gaussians_of_all(X, means, w, is_full=is_full)
            around = add_squares(around, prior, w.sum())
            around.require_definite()
            return Parts(weights, around)
        drawn = random.choice(len(w), K, replace=len(w) < K, p=w / w.sum())
        if self.family == "bernoulli":
            overall = (w @ X + 1) / (w.sum() + 2)
            return Parts(weights, Bernoullis(frozen((X[drawn] + overall) / 2)))
        sizes = tuple(map(len, self.categories_))
        ends = np.cumsum(sizes)[:-1]
        overall = np.split(X.T @ w + 1, ends)
        own = np.split(X[drawn].toarray(), ends, axis=1)
        tables = [
            (one + every / every.sum()) / 2
            for one, every in zip(own, overall, strict=True)
        ]
        return Parts(weights, Categories.of(tables))
