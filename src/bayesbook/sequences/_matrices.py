"""Matrices of linear Gaussian models."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesbook.base import ProbabilityError


def read_matrix(value: Any, name: str) -> np.ndarray:
    """Return a matrix, or the vector `mean`; a number is one of one entry."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise ProbabilityError(f"{name} is not of numbers: {error}.") from None
    if not np.isfinite(array).all():
        raise ProbabilityError(f"{name} has a number that is not finite.")
    ndim = 1 if name == "mean" else 2
    if array.ndim == 0:
        return array.reshape((1,) * ndim)
    if name == "observation" and array.ndim == 1:
        return array[None]
    if array.ndim != ndim:
        raise ProbabilityError(
            f"{name} has the shape {array.shape}; "
            f"{'a vector' if ndim == 1 else 'a matrix'} is needed."
        )
    return array


def require_covariance(array: np.ndarray, name: str) -> None:
    """Refuse what is not symmetric, or has a negative eigenvalue."""
    scale = np.abs(array).max()
    if not np.allclose(array, array.T, rtol=1e-9, atol=1e-12 * scale):
        raise ProbabilityError(f"{name} is not symmetric.")
    least = np.linalg.eigvalsh(array)[0]
    if least < -1e-12 * scale:
        raise ProbabilityError(
            f"{name} has the negative eigenvalue {least:.4g}: no covariance "
            "has one."
        )


def symmetric(array: np.ndarray) -> np.ndarray:
    """Return a matrix without what rounding made unsymmetric."""
    return (array + array.T) / 2


def root_of(cov: np.ndarray) -> np.ndarray:
    """Return a square root of a covariance, which may be singular."""
    values, vectors = np.linalg.eigh(cov)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def right_divide(left: np.ndarray, cov: np.ndarray) -> np.ndarray:
    """Return left @ inverse(cov); of a singular one the pseudo-inverse."""
    try:
        return np.linalg.solve(cov, left.T).T
    except np.linalg.LinAlgError:
        return left @ np.linalg.pinv(cov, hermitian=True)
