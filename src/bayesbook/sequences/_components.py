r"""The distributions of observations in each of K components or states.

Mixtures and hidden Markov models share them: the E step needs
:math:`\log p(x \mid k)` of each row, and the M step the estimates from rows
that are counted in all components, with weights that sum to one. So each kind
of distribution says its `log_prob`, and how it is `estimated`.

With pseudo-counts, and with a part of the columns' variances, the estimates
maximise a posterior: `log_prior` is the logarithm of the prior, up to a
constant, so that no step lowers the sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular

from bayesbook.base import ProbabilityError
from bayesbook.data import offsets

_LOG_2_PI = np.log(2 * np.pi)
# A correlation matrix with a smaller eigenvalue is singular up to rounding.
_SINGULAR = 1e-12


class Prior(NamedTuple):
    """What is added to expected counts, and to sums of squares."""

    alpha: float
    #: Of shape (M,), for the diagonal of each component.
    squares: np.ndarray


def frozen(array: Any) -> np.ndarray:
    """Return a read-only array of floats."""
    array = np.array(array, dtype=float)
    array.flags.writeable = False
    return array


def log_of(values: np.ndarray) -> np.ndarray:
    """Return logarithms, with -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def shares(counts: np.ndarray, alpha: float, old: np.ndarray) -> np.ndarray:
    """Return counts as distributions along the last axis.

    Where nothing was counted, the old distribution stays as it is.
    """
    counts = counts + alpha
    total = counts.sum(axis=-1, keepdims=True)
    # Far below what any sum of floats can see.
    counts = np.where(counts < 1e-60 * total, 0.0, counts)
    return np.divide(counts, total, out=old.copy(), where=total > 0)


def draw_numbers(p: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a number from each row of probabilities."""
    ends = np.cumsum(p, axis=1)
    u = rng.random((len(p), 1)) * ends[:, -1:]
    return np.minimum((u >= ends).sum(axis=1), p.shape[1] - 1)


@dataclass(frozen=True, eq=False)
class Bernoullis:
    """Columns of 0 and 1, independent within each component."""

    #: P(column m is 1 | k), of shape (K, M).
    p: np.ndarray

    def __len__(self) -> int:
        return len(self.p)

    def log_prob(self, X: np.ndarray) -> np.ndarray:
        """Return log P(row | k), of shape (n, K)."""
        ones, zeros = log_of(self.p), log_of(1 - self.p)
        finite_ones = np.where(np.isfinite(ones), ones, 0.0)
        finite_zeros = np.where(np.isfinite(zeros), zeros, 0.0)
        logs = X @ (finite_ones - finite_zeros).T + finite_zeros.sum(axis=1)
        never, always = self.p == 0, self.p == 1
        if never.any() or always.any():
            wrong = X @ never.T + (1 - X) @ always.T
            logs[wrong > 0] = -np.inf
        return logs

    def estimated(self, X: np.ndarray, R: np.ndarray, prior: Prior):
        """Return the estimates from rows with the weights R, (n, K)."""
        ones = R.T @ X
        counts = np.stack([R.sum(axis=0)[:, None] - ones, ones], axis=2)
        counts = np.maximum(counts, 0.0)
        old = np.stack([1 - self.p, self.p], axis=2)
        return Bernoullis(frozen(shares(counts, prior.alpha, old)[:, :, 1]))

    def log_prior(self, prior: Prior) -> float:
        """Return the logarithm of the prior, up to a constant."""
        if not prior.alpha:
            return 0.0
        return prior.alpha * float(np.log(self.p * (1 - self.p)).sum())

    def sample(self, k: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a row from each of these components."""
        return (rng.random((len(k), self.p.shape[1])) < self.p[k]).astype(int)

    def reordered(self, order: np.ndarray):
        """Return the components in another order."""
        return Bernoullis(frozen(self.p[order]))


@dataclass(frozen=True, eq=False)
class Categories:
    """Columns with a few states, independent within each component.

    Rows are sparse matrices of 0 and 1, with a column for each state.
    """

    #: P(state | k), of shape (K, S), the states of all columns side by side.
    table: np.ndarray
    #: How many states each column has.
    n_states: tuple[int, ...]

    @classmethod
    def of(cls, tables: list[np.ndarray]) -> Categories:
        """Return the categories of a table (K, S_m) for each column."""
        sizes = tuple(table.shape[1] for table in tables)
        return cls(frozen(np.concatenate(tables, axis=1)), sizes)

    @property
    def tables(self) -> list[np.ndarray]:
        """The table of each column, of shape (K, S_m)."""
        ends = offsets(self.n_states)[1:-1]
        return np.split(self.table, ends, axis=1)

    def __len__(self) -> int:
        return len(self.table)

    def log_prob(self, X: Any) -> np.ndarray:
        """Return log P(row | k), of shape (n, K)."""
        if len(self.n_states) == 1:
            return log_of(self.table.T)[X.indices]
        return X @ log_of(self.table).T

    def estimated(self, X: Any, R: np.ndarray, prior: Prior):
        """Return the estimates from rows with the weights R, (n, K)."""
        counts = np.ascontiguousarray((X.T @ R).T)
        ends = offsets(self.n_states)[1:-1]
        both = zip(np.split(counts, ends, axis=1), self.tables, strict=True)
        return Categories.of([shares(c, prior.alpha, t) for c, t in both])

    def log_prior(self, prior: Prior) -> float:
        """Return the logarithm of the prior, up to a constant."""
        if not prior.alpha:
            return 0.0
        return prior.alpha * float(np.log(self.table).sum())

    def sample(self, k: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a row of codes from each of these components."""
        draws = [draw_numbers(table[k], rng) for table in self.tables]
        return np.stack(draws, axis=1)

    def reordered(self, order: np.ndarray):
        """Return the components in another order."""
        return Categories(frozen(self.table[order]), self.n_states)


def indicators(codes: np.ndarray, n_states: tuple[int, ...]) -> Any:
    """Return rows of codes as 0 and 1, with a column for each state."""
    n, M = codes.shape
    cells = (codes + offsets(n_states)[:-1]).ravel()
    ends = np.arange(0, n * M + 1, M)
    shape = (n, int(sum(n_states)))
    return sparse.csr_array((np.ones(n * M), cells, ends), shape)


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Measurements that are normal within each component."""

    #: Of shape (K, M).
    means: np.ndarray
    #: Of shape (K, M, M), or (K, M) for columns that are independent.
    covariances: np.ndarray

    @property
    def is_full(self) -> bool:
        """Whether columns may depend on each other within a component."""
        return self.covariances.ndim == 3

    def __len__(self) -> int:
        return len(self.means)

    def log_prob(self, X: np.ndarray) -> np.ndarray:
        """Return log p(row | k), of shape (n, K)."""
        logs = np.empty((len(X), len(self.means)))
        for k, (mean, cov) in enumerate(
            zip(self.means, self.covariances, strict=True)
        ):
            difference = X - mean
            if self.is_full:
                root = np.linalg.cholesky(cov)
                scaled = solve_triangular(
                    root, difference.T, lower=True, check_finite=False
                )
                logs[:, k] = np.einsum("mn,mn->n", scaled, scaled)
                logs[:, k] += 2 * np.log(np.diag(root)).sum()
            else:
                difference *= difference
                logs[:, k] = difference @ (1 / cov) + np.log(cov).sum()
        return -0.5 * (logs + X.shape[1] * _LOG_2_PI)

    def estimated(self, X: np.ndarray, R: np.ndarray, prior: Prior):
        """Return the estimates from rows with the weights R, (n, K)."""
        total = R.sum(axis=0)
        means, covariances = self.means.copy(), self.covariances.copy()
        for k in np.flatnonzero(total > 1e-200):
            weights = R[:, k] / total[k]
            means[k] = weights @ X
            difference = X - means[k]
            extra = prior.squares / total[k]
            if self.is_full:
                product = (difference * weights[:, None]).T @ difference
                covariances[k] = (product + product.T) / 2 + np.diag(extra)
            else:
                difference *= difference
                covariances[k] = weights @ difference + extra
        return Gaussians(frozen(means), frozen(covariances))

    def require_definite(self, where: str = "component") -> None:
        """Refuse covariances that are singular up to rounding."""
        for k, cov in enumerate(self.covariances):
            full = cov if self.is_full else np.diag(cov)
            scale = np.sqrt(np.diag(full))
            if not (scale > 0).all():
                column = int(np.argmin(scale > 0))
                why = f"column {column} does not vary in it"
            elif np.linalg.eigvalsh(full / np.outer(scale, scale))[
                0
            ] < _SINGULAR * len(scale):
                why = "its columns are linear functions of each other"
            else:
                continue
            raise ProbabilityError(
                f"The covariance of {where} {k} is singular: {why}. Take "
                f"var_smoothing > 0, fewer {where}s, covariance='diagonal', "
                "another start (random_state), or leave out constant columns."
            )

    def log_prior(self, prior: Prior) -> float:
        """Return the logarithm of the prior, up to a constant."""
        if not prior.squares.any():
            return 0.0
        if self.is_full:
            precisions = np.array(
                [np.diag(np.linalg.inv(cov)) for cov in self.covariances]
            )
        else:
            precisions = 1 / self.covariances
        return -0.5 * float((precisions @ prior.squares).sum())

    def sample(self, k: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a row from each of these components."""
        draws = rng.standard_normal((len(k), self.means.shape[1]))
        if self.is_full:
            roots = np.linalg.cholesky(self.covariances)
            return self.means[k] + np.einsum("nij,nj->ni", roots[k], draws)
        return self.means[k] + np.sqrt(self.covariances[k]) * draws

    def reordered(self, order: np.ndarray):
        """Return the components in another order."""
        return Gaussians(
            frozen(self.means[order]), frozen(self.covariances[order])
        )


Components = Bernoullis | Categories | Gaussians
