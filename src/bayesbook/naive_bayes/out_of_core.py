"""Training on data larger than memory: in parts, whose counts are added up.

A model of its own learns from each part, and knows only the classes and the
states that occur there. Two models are then joined into one that has learned
from the rows of both.
"""

from __future__ import annotations

import functools
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
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
    part : tuple of X, y, sample_weight

    Returns
    -------
    NaiveBayes, or None if there is no row
    """
    X, y, sample_weight = part
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


class Chunks:
    """Parts that come one after the other, once or several times.

    Parameters
    ----------
    chunks : iterable of (X, y) or (X, y, sample_weight), or function
    n_passes : int
        How often they are read. If more than once, the chunks of an iterator
        are kept in a temporary file.
    """

    def __init__(self, chunks, n_passes):
        if not isinstance(chunks, Callable | Iterable):
            raise TypeError(
                "Give chunks (X, y) of rows and their classes: a list, an "
                "iterator, or a function that returns one, not "
                f"{type(chunks).__name__}."
            )
        self.chunks = chunks
        self.file, self.is_kept = None, False
        if n_passes > 1 and isinstance(chunks, Iterator):
            # Without a name, so that it is deleted whatever happens.
            self.file = tempfile.TemporaryFile()  # noqa: SIM115

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.file is not None:
            self.file.close()

    def reduce(self, look, join):
        """Return `look` of all parts, joined; None if there are no rows."""
        result, names = None, None
        for number, chunk in enumerate(self._parts()):
            X, y, sample_weight = _read_chunk(chunk, number)
            try:
                names = names or _names(X)
                new = look((_in_order(X, names), y, sample_weight))
                if new is not None:
                    result = new if result is None else join([result, new])
            except ValueError as error:
                ours = isinstance(error, ProbabilityError)
                kind = type(error) if ours else ValueError
                raise kind(f"Chunk {number}: {error}") from None
        return result

    def _parts(self):
        if self.is_kept:
            return self._kept()
        chunks = self.chunks
        chunks = chunks() if isinstance(chunks, Callable) else chunks
        return chunks if self.file is None else self._keep(chunks)

    def _keep(self, chunks):
        for chunk in chunks:
            kept = tuple(map(_compact, chunk))
            pickle.dump(kept, self.file, pickle.HIGHEST_PROTOCOL)
            yield chunk
        self.is_kept = True

    def _kept(self):
        end = self.file.seek(0, 2)
        self.file.seek(0)
        while self.file.tell() < end:
            yield pickle.load(self.file)


def _read_chunk(chunk, number):
    """Return the rows of a chunk, their classes and weights."""
    wanted = (
        "it must be (X, y) or (X, y, sample_weight): rows, their classes and "
        "weights."
    )
    if not isinstance(chunk, tuple | list):
        raise TypeError(
            f"Chunk {number} is of the type {type(chunk).__name__}; {wanted}"
        )
    if len(chunk) not in (2, 3):
        raise ProbabilityError(
            f"Chunk {number} has {pluralise(len(chunk), 'part')}; {wanted}"
        )
    return (*chunk, None)[:3]


def _names(X):
    return list(X.columns) if isinstance(X, pd.DataFrame) else None


def _in_order(X, names):
    """Return the columns in the order of the first chunk, if all are there."""
    own = _names(X)
    if own and names and own != names and set(own) == set(names):
        return X[names]
    return X


def _compact(rows):
    """Return rows that need less memory: texts and integers as small codes."""
    if isinstance(rows, pd.DataFrame):
        return pd.DataFrame(
            {m: _compact(own) for m, (_, own) in enumerate(rows.items())}
        ).set_axis(rows.columns, axis=1)
    if isinstance(rows, pd.Series):
        if pd.api.types.is_integer_dtype(rows):
            return pd.to_numeric(rows, downcast="integer")
        is_number = pd.api.types.is_numeric_dtype(rows)
        return rows if is_number else rows.astype("category")
    if isinstance(rows, np.ndarray) and rows.dtype.kind == "i":
        least, most = rows.min(initial=0), rows.max(initial=0)
        kind = np.result_type(*map(np.min_scalar_type, (least, most, -1)))
        return rows.astype(kind)
    return rows


class Partitions:
    """Parts of Dask arrays, data frames or series, read where they are.

    Parameters
    ----------
    X, y, sample_weight : collections of Dask
    """

    def __init__(self, X, y, sample_weight):
        from bayesbook.data.dask_parts import aligned

        given = [X, y, *([] if sample_weight is None else [sample_weight])]
        self.parts = aligned(given)

    def reduce(self, look, join):
        """Return `look` of all parts, joined; None if there are no rows."""
        from bayesbook.data.dask_parts import reduce_parts

        def look_at(part):
            return look((*part, None)[:3])

        return reduce_parts(self.parts, look_at, join)


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
