"""The base class of all naive Bayes classifiers: priors and posteriors."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.classes import (
    codes_among,
    log_class_prior,
    one_label_each,
    read_own_classes,
    require_labels,
    require_some_weight,
)
from bayesbook.base.labels import plain
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import as_int
from bayesbook.base.posteriors import Posteriors
from bayesbook.base.randomness import as_rng
from bayesbook.data import count_classes
from bayesbook.data.kinds import is_dask
from bayesbook.naive_bayes._parameters import read_parameters
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes.out_of_core import (
    by_parts,
    join_models,
    learn_part,
    parts_of_chunks,
    spread,
    union_of_classes,
)

# Attributes of the models of parts that the model of all rows does not need.
_OF_PARTS = "_is_part", "_counts_pairs", "_structure"


def learned(method):
    """Return a property that is computed when it is first read.

    Training only counts. Whatever follows from the counts is computed when
    it is needed, and again after more rows have been counted.
    """

    @functools.wraps(method)
    def get(self):
        check_is_fitted(self)
        if method.__name__ not in self._known:
            self._known[method.__name__] = method(self)
        return self._known[method.__name__]

    return property(get)


def class_log_proportions(class_count, settings):
    """Return estimates of the logarithms of the class probabilities."""
    return log_proportions(
        class_count,
        class_count.sum(),
        len(class_count),
        settings["class_alpha"],
        settings["estimate"],
    )


class NaiveBayes(Posteriors, ClassifierMixin, BaseEstimator):
    r"""The base class of the naive Bayes classifiers.

    .. math:: \mathbb{P}[C = c \mid x] \propto
        \mathbb{P}[C = c] \prod_m \mathbb{P}[X_m = x_m \mid C = c]

    A subclass defines how rows are read (`_read`), what is counted
    (`_count`), how new counts are added to the old ones (`_merge`), and the
    likelihood of rows (`_class_log_likelihood`). This class does the rest,
    also for the semi-naive Bayes classifiers, in which a feature may depend
    on others.

    Attributes
    ----------
    classes_ : array of shape (K,)
        The classes, sorted.
    class_count_ : array of shape (K,)
        The (weighted) number of rows of each class.
    class_log_prior_ : array of shape (K,)
        The logarithms of the probabilities of the classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of shape (M,)
        The names of the columns, if they are texts.

    Examples
    --------
    >>> from bayesbook.naive_bayes import BernoulliNB
    >>> model = BernoulliNB(class_prior="uniform")
    >>> isinstance(model, NaiveBayes)
    True
    >>> model = model.fit([[1, 1], [1, 0], [0, 0]], ["a", "a", "b"])
    >>> model.class_count_, np.exp(model.class_log_prior_).round(2)
    (array([2., 1.]), array([0.5, 0.5]))
    >>> model.predict_proba([[1, 1]]).round(4)
    array([[0.7714, 0.2286]])
    """

    class_count_: np.ndarray
    n_features_in_: int

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows and their classes; forget what was learned before.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
            A row for each observation. Arrays and data frames of Dask are
            counted where they are, part by part (then y and the weights are
            Dask's too, with the same partitions); use `fit_chunks` for other
            data larger than memory.
        y : array_like of shape (n,)
            The class of each row.
        sample_weight : array_like of shape (n,), optional
            The weight of each row; 1 by default.

        Returns
        -------
        NaiveBayes
            The same object.

        Raises
        ------
        ValueError
            If the rows or the classes cannot be read; the message names the
            row and the column.

        Warns
        -----
        UserWarning
            If what was learned is probably not what was meant, such as codes
            of categories from a column of measurements; the message says how
            to say what is meant.
        """
        self._train(X, y, None, sample_weight, anew=True)
        self._warn_of_doubts()
        return self

    def partial_fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from more rows.

        Counts add up: the rows, in any order and in any batches, give exactly
        what `fit` gives for all of them at once.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
        y : array_like of shape (n,)
        classes : array_like of shape (K,), optional
            All classes that will ever occur; needed in the first call.
        sample_weight : array_like of shape (n,), optional

        Returns
        -------
        NaiveBayes
            The same object.

        Raises
        ------
        ValueError
            As in `fit`; and if the classes are missing in the first call,
            differ in a later one, or a row has another class. Then nothing
            has been learned from these rows.

        Examples
        --------
        >>> from bayesbook.naive_bayes import BernoulliNB
        >>> model = BernoulliNB()
        >>> model = model.partial_fit([[1], [0]], [1, 1], classes=[0, 1])
        >>> model.partial_fit([[0]], [0]).class_count_
        array([1., 2.])
        """
        anew = not hasattr(self, "class_count_")
        if anew and classes is None:
            raise ValueError(
                "classes must be passed on the first call to partial_fit: a "
                "list of all classes that will ever occur."
            )
        if classes is not None:
            classes = read_own_classes(classes)
            if not anew and not np.array_equal(classes, self.classes_):
                raise ValueError(
                    f"`classes={quoted_list(classes.tolist())}` is not the "
                    "same as on last call to partial_fit, was: "
                    f"{quoted_list(self.classes_.tolist())}."
                )
        return self._train(X, y, classes, sample_weight, anew=anew)

    def fit_chunks(
        self,
        chunks: Iterable[tuple] | Callable[[], Iterable[tuple]],
        classes: ArrayLike | None = None,
    ) -> Self:
        r"""Learn from data larger than memory, which come in chunks.

        The model is the one that `fit` learns from all rows at once: counts
        of chunks add up, to the last bit if the weights are whole numbers.
        (Sums of measurements are rounded: see
        :class:`~bayesbook.naive_bayes.GaussianNB`.) Classes and states need
        not be known in advance; they are those of all chunks.

        Parameters
        ----------
        chunks : iterable of (X, y) or (X, y, sample_weight)
            Or a function without parameters that returns one. Each chunk is
            as in `fit`; some may have no row. Columns with names may be in
            any order: that of the first chunk is used.
        classes : array_like of shape (K,), optional
            All classes that can occur; by default those of the chunks.

        Returns
        -------
        NaiveBayes
            The same object.

        Raises
        ------
        ValueError
            As in `fit`; and if a row has another class than `classes`. The
            message names the chunk, numbered from 0. Then nothing has been
            learned.
        TypeError
            If `chunks` is neither an iterable nor a function, or a chunk
            neither a tuple nor a list.

        Warns
        -----
        UserWarning
            As in `fit`.

        Examples
        --------
        >>> import io
        >>> from bayesbook.naive_bayes import CategoricalNB
        >>> file = io.StringIO("sky,wind,rain\ngrey,west,yes\n"
        ...                    "blue,east,no\ngrey,east,no\n")
        >>> model = CategoricalNB().fit_chunks(
        ...     (chunk[["sky", "wind"]], chunk["rain"])
        ...     for chunk in pd.read_csv(file, chunksize=2)
        ... )
        >>> model.class_count_
        array([2., 1.])
        """
        if classes is not None:
            classes = read_own_classes(classes)
        parts = parts_of_chunks(chunks, self._n_passes)
        self._train_in_parts(parts, classes, anew=True)
        self._warn_of_doubts()
        return self

    def _warn_of_doubts(self):
        for message in self._doubts():
            warnings.warn(message, stacklevel=3)

    def _doubts(self):
        """Yield what is probably not meant, in words, after training."""
        return ()

    def _train(self, X, y, classes, sample_weight, *, anew):
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the "
                "target y is None."
            )
        if is_dask(X):
            from bayesbook.data.dask_parts import Partitions

            weights = () if sample_weight is None else (sample_weight,)
            parts = Partitions.of(X, y, *weights)
            return self._train_in_parts(parts, classes, anew=anew)
        settings = self._read_settings()
        X = self._read(X, anew=anew)
        y = one_label_each(y, X)
        if classes is None and not anew:
            classes = self.classes_
        if classes is None:
            require_labels(y)
            classes, codes = np.unique(y, return_inverse=True)
        else:
            codes = codes_among(y, classes)
        if sample_weight is not None:
            sample_weight = self._read_weights(sample_weight, y)
        class_count = count_classes(codes, len(classes), sample_weight)
        # A part may contain only some of the classes.
        settings["log_prior"] = (
            None
            if self._is_part
            else log_class_prior(settings["class_prior"], classes)
        )
        counts = self._count(X, codes, len(classes), sample_weight)
        # Nothing below can fail; if this fails, it changes nothing. So the
        # model learns from all rows, or from none.
        self._merge(counts, anew=anew)
        if not anew:
            class_count = self.class_count_ + class_count
        self.classes_, self.class_count_ = classes, class_count
        self._settings = settings
        self._known = {}
        return self

    def _read_weights(self, sample_weight, y):
        # All weights of one part may be 0, if those of others are not.
        all_zero = self._is_part and not np.any(sample_weight)
        weights = _check_sample_weight(
            np.ones(np.shape(sample_weight)) if all_zero else sample_weight,
            y,
            dtype=float,
            ensure_non_negative=True,
        )
        if all_zero:
            return np.zeros_like(weights)
        require_some_weight(weights)
        return weights

    # Whether it learns from a part of the rows, for another model.
    _is_part = False
    # How often it must go through the rows.
    _n_passes = 1

    def _train_in_parts(self, parts, classes, *, anew):
        """Learn from all parts, or from none."""
        settings = self._read_settings()
        if classes is None and not anew:
            classes = self.classes_
        joined = self._learn_parts(parts, classes)
        if joined is None:
            raise ValueError(
                "Found array with 0 sample(s) in all parts while a minimum "
                f"of 1 is required by {type(self).__name__}. An iterator can "
                "be used only once."
            )
        require_some_weight(joined.class_count_)
        settings["log_prior"] = log_class_prior(
            settings["class_prior"], joined.classes_
        )
        if not anew:
            joined = join_models([self, joined])
        for name in ("feature_names_in_", "scores_"):
            vars(self).pop(name, None)
        others = {*self.get_params(deep=False), *_OF_PARTS}
        for name, value in vars(joined).items():
            if name not in others:
                setattr(self, name, value)
        self._settings = settings
        self._known = {}
        return self

    def _learn_parts(self, parts, classes):
        """Return a model of all parts, or None if there is no row."""
        return parts.reduce(
            partial(learn_part, self, classes, {}), join_models
        )

    def _join(self, other):
        """Add what another model has learned from other rows."""
        self._require_same_columns(other)
        classes = union_of_classes(self.classes_, other.classes_)
        K, class_count = len(classes), 0
        for number, model in enumerate((self, other)):
            places = np.searchsorted(classes, model.classes_)
            class_count = class_count + spread(model.class_count_, places, K)
            is_same = model is self and len(places) == K
            if not is_same:
                counts = self._spread(model._statistics(), places, K)
                self._merge(counts, anew=not number)
        self.classes_, self.class_count_ = classes, class_count
        self._known = {}

    def _require_same_columns(self, other):
        n, n_new = self.n_features_in_, other.n_features_in_
        names, new = (
            list(getattr(model, "feature_names_in_", ()))
            for model in (self, other)
        )
        if n != n_new:
            raise ProbabilityError(
                f"X has {n_new} columns here, and {n} in the parts before."
            )
        if names != new:
            raise ProbabilityError(
                f"X has the columns {quoted_list(new) or 'without names'} "
                f"here, and {quoted_list(names) or 'others without names'} in "
                "the parts before."
            )

    def _spread(self, counts, places, n_classes):
        """Return new statistics for more classes: see `spread`."""
        return spread(counts, places, n_classes)

    def _read_settings(self):
        """Return the checked parameters: they hold until the next training."""
        # What some do not let choose.
        return {"class_prior": None, "estimate": "bayes"} | read_parameters(
            self
        )

    @learned
    def class_log_prior_(self) -> np.ndarray:
        if self._settings["log_prior"] is not None:
            return self._settings["log_prior"]
        return class_log_proportions(self.class_count_, self._settings)

    @by_parts
    def class_log_likelihood(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return log p(x | c) of each row and class; may be a density.

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
        return self._class_log_likelihood(self._read(X, anew=False))

    @by_parts
    def predict_joint_log_proba(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray:
        """Return log p(x, c) = log p(c) + log p(x | c).

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
        joint = self.class_log_likelihood(X)
        joint += self.class_log_prior_
        return joint

    predict_log_proba = by_parts(Posteriors.predict_log_proba)
    predict_proba = by_parts(Posteriors.predict_proba)
    predict = by_parts(Posteriors.predict)

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> tuple[np.ndarray | pd.DataFrame, np.ndarray]:
        """Draw rows and their classes from the model.

        Parameters
        ----------
        size : int
            How many rows.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        X : array of shape (size, M) or DataFrame
            A data frame if the columns of training had names.
        y : array of shape (size,)
            The classes.

        Raises
        ------
        ProbabilityError
            If size is not a positive whole number, or a class has no
            distribution.

        Examples
        --------
        >>> from bayesbook.naive_bayes import BernoulliNB
        >>> model = BernoulliNB().fit([[1, 1], [0, 0]], ["full", "empty"])
        >>> X, y = model.sample(3, rng=0)
        >>> X.shape, y.tolist()
        ((3, 2), ['full', 'empty', 'empty'])
        """
        rng = as_rng(rng)
        codes = self._sample_classes(size, rng)
        X = self._sample_rows(codes, rng)
        if hasattr(self, "feature_names_in_"):
            X = pd.DataFrame(X, columns=self.feature_names_in_)
        elif isinstance(X, pd.DataFrame):
            X = X.to_numpy()
        return X, self.classes_[codes]

    def _sample_classes(self, size, rng):
        """Draw the codes of classes."""
        check_is_fitted(self)
        size = as_int(size, "The number of rows", 1)
        p = np.exp(self.class_log_prior_)
        if not p.any():
            raise ProbabilityError(
                "No class has an estimate of its probability: every "
                "distribution of the classes is as good a mode as any other. "
                "Take estimate='bayes', or another class_alpha."
            )
        without = (p > 0) & self._lack_distribution()
        if without.any():
            label = plain(self.classes_[np.argmax(without)])
            raise ProbabilityError(
                f"Nothing is known of class {label!r}, and nothing can be "
                "drawn from it: give it rows, the prior probability 0, or "
                "pseudo-counts (alpha > 0)."
            )
        return rng.choice(len(p), size, p=p / p.sum())

    def _read(self, X, *, anew):
        """Return checked rows, in the form that `_count` needs."""

    def _count(self, X, codes, n_classes, weights):
        """Return the sufficient statistics of some rows."""

    def _merge(self, counts, *, anew):
        """Store statistics in place of the old ones, or add them."""

    def _statistics(self):
        """Return the statistics, in the form of `_merge`."""

    def _class_log_likelihood(self, X):
        """Return log p(x | c) as an array of shape (n, K)."""

    def _lack_distribution(self):
        """Return which classes have no distribution, as nothing is known."""

    def _sample_rows(self, codes, rng):
        """Draw a row of each of these classes."""
        raise ProbabilityError(
            f"{type(self).__name__} draws documents of given lengths: call "
            "its own `sample(size, trials=..., rng=...)`."
        )
