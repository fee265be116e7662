"""Tables of log-probabilities, and what they give for rows of numbers."""

import numpy as np
import pandas as pd


def log_product(X, logs):
    """Give X @ logs.T for X >= 0, where 0 times -inf is 0.

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
        return X @ logs.T
    result = X @ np.where(never, 0, logs).T
    result[X @ never.T.astype(float) > 0] = -np.inf
    return result


def as_frame(model, table):
    """Name the features and the classes of a table of shape (K, M)."""
    names = getattr(model, "feature_names_in_", range(table.shape[1]))
    return pd.DataFrame(
        table.T,
        index=pd.Index(names, name="feature"),
        columns=pd.Index(model.classes_, name="class"),
    )
