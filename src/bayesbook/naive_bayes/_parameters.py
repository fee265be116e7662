"""Parameters of estimators: declared once, read when training begins.

A name means the same in every estimator of this room, and `READERS` has a
reader for each: a function of the value and the name, which returns the value
as it is used, or raises an error that says the name, the value and its domain.

>>> at_least(0)(-1, "alpha")
Traceback (most recent call last):
    ...
bayesbook.base.errors.ProbabilityError: alpha is -1; it must be at least 0.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from functools import cache
from typing import Any, cast

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import read_distribution
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import as_float, as_int, finite

Reader = Callable[[Any, str], Any]


def read_parameters(estimator: object, **readers: Reader) -> dict[str, Any]:
    """Return all parameters of an estimator; `readers` precede `READERS`."""
    readers = READERS | readers
    kind = cast(Hashable, type(estimator))
    return {
        name: readers[name](getattr(estimator, name), name)
        for name in _parameter_names(kind)
    }


@cache
def _parameter_names(kind: type) -> tuple[str, ...]:
    return tuple(inspect.signature(kind).parameters)


def at_least(least: float) -> Reader:
    """Return a reader of finite numbers."""
    return lambda value, name: as_float(value, name, least)


def whole(least: int, most: float = np.inf) -> Reader:
    """Return a reader of whole numbers."""

    def read(value, name):
        as_float(value, name, least, most)
        return as_int(value, name, least)

    return read


def whole_by_column(least: int) -> Reader:
    """Return a reader of one whole number, or of one for each column."""

    def read(value, name):
        # Each number is read once: there may be one for each column.
        for number in set(np.ravel(value).tolist()):
            as_int(number, name, least)
        return value

    return read


def one_of(*words: str) -> Reader:
    """Return a reader of one of some words."""

    def read(value, name):
        if not (isinstance(value, str) and value in words):
            raise ProbabilityError(
                f"{name}={value!r} is none of {quoted_list(words)}."
                f"{did_you_mean(value, words)}"
            )
        return value

    return read


def either(word: str | None, read: Reader) -> Reader:
    """Return a reader of one word, or None, or of what is read otherwise."""

    def read_either(value, name):
        is_word = value is word or (isinstance(value, str) and value == word)
        return value if is_word else read(value, name)

    return read_either


def _positive(value, name):
    return as_float(value, name, 0, open_=True)


def _class_probabilities(value, name):
    if isinstance(value, str):
        raise ProbabilityError(
            f"{name}={value!r}: give 'uniform', a probability for each class, "
            f"or None to learn them.{did_you_mean(value, ['uniform'])}"
        )
    if isinstance(value, Mapping | Set):
        raise TypeError(
            f"{name} is a {type(value).__name__}: give a list of "
            "probabilities in the order of classes_, which are sorted."
        )
    return read_distribution(value, "The class priors")


def _folds(value, name):
    is_splitter = hasattr(value, "split") or isinstance(value, Iterable)
    if is_splitter and not isinstance(value, str):
        return value
    return as_int(value, name, 2)


def _lists_of_parents(value, name):
    if not isinstance(value, Mapping):
        raise TypeError(
            f"{name}={value!r}: give a dictionary from columns to lists of "
            "their parents, such as {'child': ['parent']}."
        )
    return value


def _later(value, name):
    """Return a value that is read together with others, or with the data."""
    return value


_MARGINALISE = one_of("error", "marginalise")
READERS: dict[str, Reader] = {
    "alpha": at_least(0),
    "binarize": either(None, finite),
    "class_alpha": at_least(0),
    "class_prior": either(None, either("uniform", _class_probabilities)),
    "cv": either(None, _folds),
    "ddof": whole(0, 1),
    "estimate": one_of("bayes", "map", "mle"),
    "k": whole(0),
    "m": at_least(0),
    "max_iter": whole(1),
    "min_categories": either(None, whole_by_column(1)),
    "missing": _MARGINALISE,
    "n_components": whole(1),
    "n_init": whole(1),
    "parent": _later,
    "parents": either(None, _lists_of_parents),
    "parts": _later,
    "prior": _later,
    "random_state": _later,
    "root": _later,
    "selection": one_of("conditional-likelihood", "cross-validation"),
    "tol": _positive,
    "unit": one_of("nats", "bits"),
    "unseen": _MARGINALISE,
    "var_smoothing": at_least(0),
}
