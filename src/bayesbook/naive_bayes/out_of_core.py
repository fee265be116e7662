"""Training on data larger than memory: in parts, whose counts are added up.

A model of its own learns from each part, and knows only the classes and the
states that occur there. Two models are then joined into one that has learned
from the rows of both.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from copy import copy
from functools import partial

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import plain
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.data.kinds import is_dask
from bayesbook.data.parts import Chunks


def learn_part(model, classes, settings, part):
    """Learn from some rows only.

    Parameters
    ----------
    model : NaiveBayes
        The pattern of the new model; it does not change.
    classes : array or None
        All classes; None for those that occur.
    settings : dict
        Attributes of the new model.
    part : tuple of X, y, and sample_weight or None or nothing

    Returns
    -------
    NaiveBayes, or None if there is no row
    """
    X, y, sample_weight = (*part, None)[:3]
    if not len(y):
        return None
    own = clone(model)
    vars(own).update(settings, _is_part=True)
    return own._train(X, y, classes, sample_weight, anew=True)


def join_models(models):
    """Return a new model that has learned from the rows of all."""
    first, *others = models
    joined = copy(first)
    for other in others:
        joined._join(other)
    return joined


def union_of_classes(old, new):
    """Return the sorted classes of both."""
    if len(old) == len(new) and np.array_equal(old, new):
        return old
    texts = [isinstance(plain(own[0]), str) for own in (old, new)]
    if texts[0] != texts[1]:
        raise ProbabilityError(
            f"The classes are {quoted_list(old.tolist())} in some of the "
            f"parts, and {quoted_list(new.tolist())} in others: give all one "
            "type."
        )
    return np.union1d(old, new)


def spread(counts, places, n_classes):
    """Return new counts for more classes, with zeros for the new ones.

    Parameters
    ----------
    counts : array whose first axis are the classes, or object with a `spread`
        Or a tuple of these and of other objects, which stay as they are.
    places : array
        The numbers of the old classes among all.
    n_classes : int
    """
    if isinstance(counts, tuple):
        return tuple(spread(own, places, n_classes) for own in counts)
    if isinstance(counts, np.ndarray):
        # Always a copy: the models of the parts do not change.
        rows = np.zeros((n_classes, *counts.shape[1:]), counts.dtype)
        rows[places] = counts
        return rows
    if hasattr(counts, "spread"):
        return counts.spread(places, n_classes)
    return counts


def parts_of_chunks(chunks, n_passes):
    """Return the parts of chunks (X, y) or (X, y, sample_weight).

    Columns are in the order of the first chunk, if all are there.
    """
    if not isinstance(chunks, Callable | Iterable):
        raise TypeError(
            "Give chunks (X, y) of rows and their classes: a list, an "
            "iterator, or a function that returns one, not "
            f"{type(chunks).__name__}."
        )
    names = []

    def read(what, chunk):
        X, *others = _read_chunk(what, chunk)
        if isinstance(X, pd.DataFrame):
            own = list(X.columns)
            if not names:
                names.extend(own)
            if own != names and set(own) == set(names):
                X = X[names]
        return X, *others

    return Chunks(chunks, read, n_passes)


def _read_chunk(what, chunk):
    """Return the rows of a chunk, their classes and weights."""
    wanted = (
        "it must be (X, y) or (X, y, sample_weight): rows, their classes and "
        "weights."
    )
    if not isinstance(chunk, tuple | list):
        raise TypeError(
            f"{what} is of the type {type(chunk).__name__}; {wanted}"
        )
    if len(chunk) not in (2, 3):
        raise ProbabilityError(
            f"{what} has {pluralise(len(chunk), 'part')}; {wanted}"
        )
    return (*chunk, None)[:3]


def by_parts(method):
    """Extend a method to collections of Dask: part by part, lazily."""

    @functools.wraps(method)
    def answer(self, X):
        if not is_dask(X):
            return method(self, X)
        from bayesbook.data.dask_parts import apply_to_rows

        check_is_fitted(self)
        one = method.__name__ == "predict"
        kind = self.classes_[:0] if one else np.zeros((0, len(self.classes_)))
        return apply_to_rows(partial(method, self), X, kind)

    return answer
