r"""Latent classes: naive Bayes with a class that is never observed.

Given the class the columns are independent, and so the distribution of a row
is a mixture of products,

.. math:: P(x) = \sum_k \pi_k \prod_m p_{k m x_m} .

EM finds its parameters. The E step is the prediction of naive Bayes, the
posterior probabilities :math:`R` of the classes of all rows. The M step is its
training, with each row counted in all classes, with these weights. With the
rows as a matrix :math:`X` of 0 and 1, a column for each state, both are
products of matrices: the logarithms of the products above are
:math:`X \log p^\top`, and the expected counts are :math:`R^\top X` (Lazarsfeld
and Henry 1968; Bishop 2006, section 9.3.3).

>>> X = pd.DataFrame({"A": list("yyyynn"), "B": list("yyyynn"),
...                   "C": list("yynynn")})
>>> model = LatentClass(2, alpha=0.1, random_state=0).fit(X)
>>> model.predict(X).tolist()
[0, 0, 0, 0, 1, 1]
"""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from bayesbook.base import ConvergenceWarning, ProbabilityError
from bayesbook.base.classes import require_some_weight
from bayesbook.base.names import pluralise
from bayesbook.base.posteriors import HiddenClasses
from bayesbook.data import offsets, sum_entries
from bayesbook.naive_bayes._categories import CategoryReader
from bayesbook.naive_bayes._log_tables import (
    as_network,
    as_table,
    class_variable,
    log_product,
    variables,
)
from bayesbook.naive_bayes._parameters import read_parameters
from bayesbook.naive_bayes._reading import column_name
from bayesbook.naive_bayes._state_counts import States
from bayesbook.network import BayesianNetwork
from bayesbook.network.em.convergence import StepResult, run_until_converged
from bayesbook.network.em.squarem import Squarem
from bayesbook.probability import Table


class LatentClass(HiddenClasses, DensityMixin, CategoryReader):
    r"""Find classes of rows, within which the columns are independent.

    Columns are read as by :class:`CategoricalNB`: numbers are codes 0, 1, 2,
    ..., anything else has its own values as states.

    Training maximises :math:`\log P(X) + \alpha \sum \log p`, where the sum
    goes over all probabilities of the model: no step of EM lowers it. Every
    second step is extrapolated, unless that lowers it (Varadhan and Roland
    2008). What is found may be a local maximum; so begin several times.

    Parameters
    ----------
    n_components : int, default 2
        The number of classes.
    alpha : float, default 1
        The pseudo-count of each state in each class, and of each class; 0 is
        the maximum of the likelihood, under which new rows may be impossible.
    min_categories : int or sequence of M ints, optional
        The least number of states of a column of codes.
    missing, unseen : {"error", "marginalise"}, default "error"
        What to do about missing values, and about states that did not occur
        in training: see :class:`CategoricalNB`.
    tol : float, default 1e-3
        Training ends when, by an estimate from the sizes of its steps, less
        than this is left to be gained of the objective, in nats; and when a
        small random change of the parameters does not lead to more.
    max_iter : int, default 1000
        The most steps.
    n_init : int, default 1
        From how many starts; the best result is kept. A start takes equally
        probable classes, each half way between the frequencies of all rows
        and one row. These rows are drawn at random, all different if there
        are enough.
    random_state : int, RandomState or None
        The source of randomness, or a seed for it.

    Attributes
    ----------
    classes_ : array of shape (K,)
        0, 1, ..., K - 1, in the order of their probabilities, the most
        probable one first.
    class_log_prior_ : array of shape (K,)
        log P(class k)
    feature_log_prob_ : list of M arrays of shape (K, S_m)
        log P(x_m = s | class k)
    categories_ : list of M arrays
        The states of each column.
    n_categories_ : array of shape (M,)
        Their number.
    objective_history_ : array
        The objective at the best start, and after each step.
    n_iter_ : int
        The number of its steps.
    converged_ : bool
        Whether, as far as can be estimated, they have led to a maximum.
    n_features_in_, feature_names_in_
        See :class:`NaiveBayes`.

    See Also
    --------
    CategoricalNB : the same model with observed classes.
    bayesbook.network.fit_em : any network with hidden variables.

    References
    ----------
    Lazarsfeld and Henry (1968), *Latent Structure Analysis*. Goodman (1974),
    Biometrika 61, 215-231.

    Examples
    --------
    >>> from bayesbook.data import load_congressional_votes
    >>> votes = load_congressional_votes()
    >>> X, party = votes.drop(columns="party"), votes["party"]
    >>> model = LatentClass(2, missing="marginalise", random_state=0).fit(X)
    >>> pd.crosstab(party, model.predict(X), colnames=["class"])
    class         0    1
    party
    democrat    218   49
    republican    8  160
    >>> round(model.score(X), 4)
    -7.1395
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        alpha: float = 1.0,
        min_categories: int | ArrayLike | None = None,
        missing: str = "error",
        unseen: str = "error",
        tol: float = 1e-3,
        max_iter: int = 1000,
        n_init: int = 1,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Find the classes of rows.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
            A row for each observation.
        y : object
            Ignored: the classes are not known.
        sample_weight : array_like of shape (n,), optional
            The weight of each row; 1 by default.

        Returns
        -------
        LatentClass
            The same object.

        Warns
        -----
        ConvergenceWarning
            If the best run has not converged within `max_iter` steps.
        UserWarning
            If a column of whole numbers is probably none of codes.

        Raises
        ------
        ValueError
            If a parameter or the rows cannot be read, or a column has no
            value in any row; the message names the row and the column.
        """
        settings = read_parameters(self)
        mixture, labels = self._read_mixture(X, sample_weight, settings)
        runs = self._run(mixture, settings)
        best = max(runs, key=lambda run: run.history[-1])
        self.counts_ = States(mixture.n_states, labels)
        self.classes_ = np.arange(mixture.n_classes)
        self.class_log_prior_, self._table = mixture.sorted_logs(best.theta)
        self.objective_history_ = np.array(best.history)
        self.n_iter_ = len(best.history) - 1
        self.converged_ = best.converged
        for message in self._doubtful_codes(
            mixture.weights.sum(), mixture.has_zero()
        ):
            warnings.warn(message, stacklevel=2)
        if not best.converged:
            advice = (
                "at a saddle point: take n_init > 1, or another random_state"
                if best.status == "saddle"
                else "before it has converged: raise max_iter, or tol"
            )
            warnings.warn(
                f"LatentClass ends after {pluralise(self.n_iter_, 'step')} "
                f"{advice}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _read_mixture(self, X, sample_weight, settings):
        """Read rows; return them with the columns' labels."""
        n_classes = settings["n_components"]
        codes, n_states, labels = self._read_states(self._read(X, anew=True))
        weights = _check_sample_weight(
            sample_weight, codes, dtype=float, ensure_non_negative=True
        )
        require_some_weight(weights)
        never = (codes[weights > 0] < 0).all(axis=0)
        if never.any():
            raise ProbabilityError(
                f"Column {column_name(self, int(np.argmax(never)))!r} has no "
                "value in any row: leave it out."
            )
        shape = (n_classes, sum(n_states))
        self._require_size(shape, n_states, "The table of probabilities")
        alpha = settings["alpha"]
        return Mixture(codes, weights, n_states, n_classes, alpha), labels

    def _run(self, mixture, settings):
        """Return the iterations from each start."""
        starts = check_random_state(self.random_state)
        return [
            run_until_converged(
                Squarem(mixture.step, mixture.totals).step,
                mixture.draw_start(starts),
                max_iterations=settings["max_iter"],
                tolerance=settings["tol"],
                distribution_totals=mixture.totals,
                n_rows=mixture.weights.sum(),
            )
            for _ in range(settings["n_init"])
        ]

    # -- what follows from the model -----------------------------------------

    @property
    def feature_log_prob_(self) -> list[np.ndarray]:  # noqa: D102 - see the class
        check_is_fitted(self)
        return np.split(
            self._table, offsets(self.counts_.n_states)[1:-1], axis=1
        )

    def predict_joint_log_proba(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray:
        """Return log P(class, row).

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            Columns in the order of `classes_`; -inf where a row is impossible
            in a class.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        check_is_fitted(self)
        codes = self._known_codes(self._read(X, anew=False))
        joint = sum_entries(codes, self._table, self.counts_.n_states)
        return joint + self.class_log_prior_

    def to_tables(self) -> list[Table]:
        """Return the tables whose product is the joint distribution.

        Returns
        -------
        list of Table
            P(class), then P(column | class) for each column.

        Examples
        --------
        >>> X = pd.DataFrame({"A": list("yyyynn"), "B": list("yyyynn")})
        >>> LatentClass(2, random_state=0).fit(X).to_tables()[1]
        P(A | class)
        class     A=n     A=y
        0      0.2260  0.7740
        1      0.6427  0.3573
        """
        check_is_fitted(self)
        root = class_variable(self)
        columns = zip(variables(self), self.feature_log_prob_, strict=True)
        return [
            as_table(self, self.class_log_prior_, [], root),
            *(as_table(self, logs, [root], name) for name, logs in columns),
        ]

    def to_network(self) -> BayesianNetwork:
        """Return the model as a Bayesian network: a star around the class.

        Returns
        -------
        BayesianNetwork
            Its ``sample`` draws rows with their classes.

        Examples
        --------
        >>> X = pd.DataFrame({"A": list("yyyynn"), "B": list("yyyynn")})
        >>> LatentClass(2, random_state=0).fit(X).to_network()
        BayesianNetwork 'LatentClass': 3 nodes, 2 edges, 5 free parameters
        P(class)
        P(A | class)
        P(B | class)
        """
        return as_network(self)


class Mixture:
    """Weighted rows of columns that are independent within classes.

    The parameters are probabilities in one array: first those of the classes,
    then, class by class, those of the states of all columns side by side.

    Parameters
    ----------
    codes : int array of shape (n, M)
        The number of the state; -1 where a value is missing.
    weights : array of shape (n,)
    n_states : sequence of M ints
    n_classes : int
    alpha : float
        Added to each expected count.
    """

    def __init__(self, codes, weights, n_states, n_classes, alpha):
        self.n_states, self.n_classes = n_states, n_classes
        self._alpha = alpha
        # Equal rows count together, in whatever order they come.
        codes, row = np.unique(codes, axis=0, return_inverse=True)
        weights = np.bincount(row.ravel(), weights)
        self.weights = weights[weights > 0]
        self._X = _indicators(codes[weights > 0], n_states)
        self._sizes = np.array([n_classes, *(n_states * n_classes)])
        self._starts = offsets(self._sizes)[:-1]

    def has_zero(self):
        """Return whether any row has the code 0, for each column."""
        return self._X[:, offsets(self.n_states)[:-1]].sum(axis=0) > 0

    def step(self, theta):
        """Make the E step and the M step; return a `StepResult`."""
        value, counts = self._expect(theta)
        if self._alpha:
            value += self._alpha * np.log(theta).sum()
        counts += self._alpha
        totals = self.totals(counts)
        # A class without any row stays as it is.
        after = np.divide(counts, totals, out=theta.copy(), where=totals > 0)
        return StepResult(value, after, after, totals)

    def _expect(self, theta):
        """Return the log-likelihood, and the expected counts."""
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        K = self.n_classes
        joint = log_product(self._X, logs[K:].reshape(K, -1)) + logs[:K]
        rows = logsumexp(joint, axis=1, keepdims=True)
        shares = np.exp(joint - rows) * self.weights[:, None]
        counts = (self._X.T @ shares).T
        value = float(self.weights @ rows[:, 0])
        return value, np.concatenate([shares.sum(axis=0), counts.ravel()])

    def totals(self, theta):
        """Return, for each number, the sum of its distribution."""
        return np.repeat(np.add.reduceat(theta, self._starts), self._sizes)

    def draw_start(self, rng):
        """Draw a row for each class; begin between it and all rows."""
        n_rows, K = len(self.weights), self.n_classes
        rows = rng.choice(
            n_rows,
            K,
            replace=n_rows < K,
            p=self.weights / self.weights.sum(),
        )
        counts = self._X.T @ self.weights + self._alpha
        overall = np.concatenate([np.ones(K), np.tile(counts, K)])
        drawn = np.concatenate([np.ones(K), self._X[rows].toarray().ravel()])
        theta = overall / self.totals(overall) + drawn
        return theta / self.totals(theta)

    def sorted_logs(self, theta):
        """Return the logarithms of P(class) and of the columns' tables.

        The most probable class is the first.
        """
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        prior, table = logs[: self.n_classes], logs[self.n_classes :]
        # Rounded: no difference of a last digit decides.
        order = np.argsort(-np.exp(prior).round(9), kind="stable")
        return prior[order], table.reshape(self.n_classes, -1)[order]


def _indicators(codes, n_states):
    """Return rows as 0 and 1, with a column for each state of each column."""
    seen = codes >= 0
    ends = np.concatenate([[0], seen.sum(axis=1).cumsum()])
    cells = (codes + offsets(n_states)[:-1])[seen]
    shape = (len(codes), sum(n_states))
    return sparse.csr_array((np.ones(len(cells)), cells, ends), shape)
