"""Tables of log-probabilities: products with rows, draws, and their names."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bayesbook.base.labels import plain
from bayesbook.naive_bayes._reading import column_names
from bayesbook.probability import Table

# Entries of a sparse matrix that one thread multiplies at a time.
_PIECE = 2**18


def log_product(X, logs):
    """Return X @ logs.T for X >= 0, where 0 times -inf is 0.

    Parameters
    ----------
    X : array of shape (n, M) or sparse matrix
    logs : array of shape (K, M)

    Returns
    -------
    array of shape (n, K)
    """
    never = np.isneginf(logs)
    if not never.any():
        return product(X, logs.T)
    result = product(X, np.where(never, 0, logs).T)
    result[product(X, never.T.astype(float)) > 0] = -np.inf
    return result


def product(X, table):
    """Return X @ table, with several threads for a large sparse X.

    BLAS multiplies arrays so; scipy multiplies sparse matrices in one thread,
    but lets others work meanwhile.

    Parameters
    ----------
    X : array of shape (n, M) or CSR matrix
    table : array of shape (M, K)

    Returns
    -------
    array of shape (n, K)
    """
    if not sparse.issparse(X) or X.nnz <= _PIECE:
        return X @ table
    table = np.ascontiguousarray(table)
    result = np.empty((X.shape[0], table.shape[1]))
    # Whole rows, and about as many entries in each piece.
    starts = np.searchsorted(X.indptr, np.arange(0, X.nnz, _PIECE))
    bounds = np.unique([*starts, X.shape[0]])

    def multiply(start, stop):
        result[start:stop] = X[start:stop] @ table

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # The list waits for all results, and raises every error.
        list(pool.map(multiply, bounds[:-1], bounds[1:]))
    return result


def draw_states(logs, rng):
    """Draw a state for each row.

    Parameters
    ----------
    logs : array of shape (n, S)
        The logarithms of the probabilities of the states, for each row.
    rng : Generator

    Returns
    -------
    array of shape (n,)
    """
    cumulative = np.exp(logs).cumsum(axis=1)
    # The last sum may differ from one by a rounding.
    draws = rng.random(len(logs)) * cumulative[:, -1]
    return (draws[:, None] >= cumulative).sum(axis=1)


def feature_names(model):
    """Return the names of the columns, or their numbers."""
    check_is_fitted(model)
    return list(column_names(model))


def variables(model):
    """Return the names of variables: x0, x1, ... for columns without names."""
    return [
        str(name) if isinstance(name, str) else f"x{name}"
        for name in column_names(model)
    ]


def class_variable(model):
    """Return a name for the class that no column has."""
    name = "class"
    while name in variables(model):
        name += "_"
    return name


def as_table(model, logs, conditions, name):
    """Return the table P(name | conditions) of its logarithms."""
    columns = zip(variables(model), model.categories_, strict=True)
    states = dict(columns) | {class_variable(model): model.classes_}
    axes = {own: list(map(plain, states[own])) for own in (*conditions, name)}
    return Table(np.exp(logs), axes, conditions)


def as_network(model):
    """Return the Bayesian network of a model's tables."""
    # Only here: a classifier alone does not need networks.
    from bayesbook.network import BayesianNetwork

    return BayesianNetwork(model.to_tables(), name=type(model).__name__)


def as_frame(model, table):
    """Return a table of shape (K, M) as a frame with features and classes."""
    return pd.DataFrame(
        table.T,
        index=pd.Index(feature_names(model), name="feature"),
        columns=pd.Index(model.classes_, name="class"),
    )
