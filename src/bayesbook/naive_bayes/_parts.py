"""Training on data larger than memory: in parts, whose counts are added up.

Each part is learned from by a model of its own, which knows only the classes
and the states that occur there; then two models are joined to the one that
has learned from the rows of both.
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
from bayesbook.base.names import quoted_list
from bayesbook.data.kinds import is_dask


def learn_part(model, classes, settings, part):
    """Learn from some rows only.

    Parameters
    ----------
    model : NaiveBayes
        Says how; it stays as it is.
    classes : array or None
        All that there are; or those that occur.
    settings : dict
        Attributes that the new model gets.
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
    """Return the model that has learned from the rows of all; they stay."""
    first, *others = models
    joined = copy(first)
    for other in others:
        joined._join(other)
    return joined


def union_of_classes(old, new):
    """Return the sorted classes that either has."""
    if len(old) == len(new) and np.array_equal(old, new):
        return old
    texts = [isinstance(plain(own[0]), str) for own in (old, new)]
    if texts[0] != texts[1]:
        raise ProbabilityError(
            f"The classes are {quoted_list(old.tolist())} in some of the "
            f"parts, and {quoted_list(new.tolist())} in others: give all one "
            f"type."
        )
    return np.union1d(old, new)


def spread(counts, places, n_classes):
    """Return new counts with a row for each of more classes, zero for others.

    Parameters
    ----------
    counts : array, its first axis the classes; or what has a `spread`
        Or a tuple of such things, and of others, which stay as they are.
    places : array
        Of the classes that are there, among all.
    n_classes : int
    """
    if isinstance(counts, tuple):
        return tuple(spread(own, places, n_classes) for own in counts)
    if isinstance(counts, np.ndarray):
        # Always a copy: what was learned from the parts stays as it is.
        rows = np.zeros((n_classes, *counts.shape[1:]), counts.dtype)
        rows[places] = counts
        return rows
    can = hasattr(counts, "spread")
    return counts.spread(places, n_classes) if can else counts


class Chunks:
    """Parts that come one after the other, as often as they are wanted.

    Parameters
    ----------
    chunks : iterable of (X, y) or (X, y, sample_weight), or function
    n_passes : int
        How often they are gone through. What an iterator gives, once only,
        is kept in a temporary file if that is more than once.
    """

    def __init__(self, chunks, n_passes):
        if not isinstance(chunks, Callable | Iterable):
            raise ProbabilityError(
                "Give chunks (X, y) of rows and their classes: a list, an "
                "iterator, or a function that returns one, not "
                f"{type(chunks).__name__}."
            )
        self.chunks = chunks
        self.file, self.is_kept = None, False
        if n_passes > 1 and isinstance(chunks, Iterator):
            # Without a name, so that it goes away whatever happens.
            self.file = tempfile.TemporaryFile()  # noqa: SIM115

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.file is not None:
            self.file.close()

    def reduce(self, look, join):
        """Look at each part, and join what is said of it; None if nothing."""
        result, names = None, None
        for number, chunk in enumerate(self._parts()):
            try:
                X, y, sample_weight = _read_chunk(chunk)
                names = names or _names(X)
                found = look((_in_order(X, names), y, sample_weight))
                if found is not None:
                    result = found if result is None else join([result, found])
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


def _read_chunk(chunk):
    is_pair = isinstance(chunk, tuple | list) and len(chunk) in (2, 3)
    if not is_pair:
        raise ProbabilityError(
            "It is not (X, y) or (X, y, sample_weight), rows, their classes, "
            f"and what each counts, but of the type {type(chunk).__name__}."
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
    """Make rows small: one small number for each text or whole number."""
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
    """Parts of dask arrays, data frames or series, looked at where they are.

    Parameters
    ----------
    X, y, sample_weight : collections of Dask
    """

    def __init__(self, X, y, sample_weight):
        from bayesbook.data.dask_parts import aligned

        given = [X, y, *([] if sample_weight is None else [sample_weight])]
        self.parts = aligned(given)

    def reduce(self, look, join):
        """Look at each part, and join what is said of it; None if nothing."""
        from bayesbook.data.dask_parts import reduce_parts

        def look_at(part):
            return look((*part, None)[:3])

        return reduce_parts(self.parts, look_at, join)


def by_parts(method):
    """Let a method answer for dask collections too, part by part, lazily."""

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
