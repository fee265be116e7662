"""Tables of log-probabilities, and what they give for rows of numbers."""

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted


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


def feature_names(model):
    """Give the names of the columns, or their numbers."""
    check_is_fitted(model)
    names = getattr(model, "feature_names_in_", range(model.n_features_in_))
    return list(names)


def as_frame(model, table):
    """Name the features and the classes of a table of shape (K, M)."""
    return pd.DataFrame(
        table.T,
        index=pd.Index(feature_names(model), name="feature"),
        columns=pd.Index(model.classes_, name="class"),
    )
