r"""Tests of whether two columns are independent given others.

For each configuration z of the columns Z there is a table of counts, with
:math:`O_{zab}` rows of the states a and b. If the two columns are independent
given Z, the expected numbers are :math:`E_{zab} = N_{za} N_{zb} / N_z`, and
for many rows each of the statistics

.. math::

    G = 2 \sum_{z, a, b} O_{zab} \log \frac{O_{zab}}{E_{zab}}, \qquad
    X^2 = \sum_{z, a, b} \frac{(O_{zab} - E_{zab})^2}{E_{zab}}

has nearly a chi-squared distribution, with
:math:`\sum_z (r_z - 1) (s_z - 1)` degrees of freedom, where :math:`r_z` and
:math:`s_z` count the states that occur with z. Dependence makes them larger.
G is the likelihood-ratio statistic, and 2N times the conditional mutual
information of the counts in nats.

References
----------
Wilks (1938), The large-sample distribution of the likelihood ratio for
testing composite hypotheses. Spirtes, Glymour and Scheines (2000),
*Causation, Prediction, and Search*, section 5.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, xlogy

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import read_names, require_size
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.data import Cases
from bayesbook.network.learning.parameters import (
    Data,
    States,
    Weights,
    read_rows,
)

__all__ = ["IndependenceTest", "independence_test"]

Statistic = Callable[[np.ndarray, np.ndarray], float]

_FEW = "Condition on fewer columns, max_given=2, say."


class IndependenceTest(NamedTuple):
    """The result of a test of independence.

    Examples
    --------
    >>> print(IndependenceTest(5.2, 1, 0.0226))
    5.2 with 1 degree of freedom: p = 0.0226
    """

    #: G, or Pearson's statistic: 0 if the counts are those of independence.
    statistic: float
    #: Degrees of freedom; 0 if no table of counts has two rows and columns.
    degrees_of_freedom: int
    #: The probability of a statistic at least as large under independence.
    p_value: float

    def __str__(self) -> str:
        one = self.degrees_of_freedom == 1
        return (
            f"{self.statistic:.4g} with {self.degrees_of_freedom} "
            f"degree{'' if one else 's'} of freedom: p = {self.p_value:.4g}"
        )


def independence_test(
    data: Data,
    x: str,
    y: str,
    given: str | Sequence[str] = (),
    *,
    statistic: str = "G",
    states: States | None = None,
    weights: Weights | None = None,
) -> IndependenceTest:
    r"""Test whether two columns are independent given others.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, or iterable of DataFrames
        Discrete columns without missing values; see
        :class:`bayesbook.data.Cases`.
    x, y : str
        Two columns.
    given : str or sequence of str
        Other columns, or none.
    statistic : {"G", "chi-squared"}
        The likelihood-ratio statistic, or Pearson's.
    states, weights
        As for the cases. A weight of 3 counts as three rows.

    Returns
    -------
    IndependenceTest
        With no degree of freedom the p-value is 1: the counts can say nothing
        against independence.

    Raises
    ------
    ProbabilityError
        As for the cases; if a name is not a column, or stands twice among x,
        y and `given`; or if there is no such statistic.
    TableTooLargeError
        If the table of counts would not fit.

    See Also
    --------
    pc : learns a graph from such tests.
    bayesbook.data.mutual_information : the size of the dependence.
    scipy.stats.chi2_contingency : of one table.

    Examples
    --------
    Two effects of a common cause:

    >>> import pandas as pd
    >>> rows = [(0, 0, 0)] * 8 + [(0, 0, 1), (0, 1, 0)] * 2
    >>> rows += [(1, 1, 1)] * 8 + [(1, 1, 0), (1, 0, 1)] * 2
    >>> data = pd.DataFrame(rows, columns=["cause", "one", "other"])
    >>> print(independence_test(data, "one", "other"))
    2.718 with 1 degree of freedom: p = 0.0992
    >>> print(independence_test(data, "one", "other", given="cause"))
    1.611 with 2 degrees of freedom: p = 0.4469
    """
    names = read_names(given)
    cases = read_rows(data, states, weights)
    compare = read_statistic(statistic)
    return compare_counts(count_slices(cases, x, y, names), compare)


def count_slices(
    cases: Cases, x: str, y: str, given: Sequence[str]
) -> np.ndarray:
    """Count rows: a table of x and y for each configuration of the others."""
    n_states = dict(zip(cases.names, cases.n_states, strict=True))
    shape = [n_states.get(name, 1) for name in (*given, x, y)]
    require_size(shape, "float", f"The table of {x!r} and {y!r}", remedy=_FEW)
    (counts,) = cases.count([(*given, x, y)])
    return counts.reshape(-1, *counts.shape[-2:])


def compare_counts(
    counts: np.ndarray, deviation: Statistic
) -> IndependenceTest:
    """Test counts, of shape (configurations, states of x, states of y)."""
    rows, columns = counts.sum(axis=2), counts.sum(axis=1)
    sizes = rows.sum(axis=1)
    seen = sizes > 0
    counts, rows, columns = counts[seen], rows[seen], columns[seen]
    expected = rows[:, :, None] * columns[:, None, :]
    expected /= sizes[seen][:, None, None]
    freedom = ((rows > 0).sum(axis=1) - 1) @ ((columns > 0).sum(axis=1) - 1)
    # Equal counts may differ from the expected ones by a rounding error.
    value = max(float(deviation(counts, expected)), 0.0)
    p_value = chdtrc(freedom, value) if freedom else 1.0
    return IndependenceTest(value, int(freedom), float(p_value))


def _log_ratio(counts: np.ndarray, expected: np.ndarray) -> float:
    ratio = np.divide(
        counts, expected, out=np.ones_like(expected), where=counts > 0
    )
    return 2 * xlogy(counts, ratio).sum()


def _pearson(counts: np.ndarray, expected: np.ndarray) -> float:
    possible = expected > 0
    deviations = counts[possible] - expected[possible]
    return np.sum(deviations**2 / expected[possible])


_STATISTICS: dict[str, Statistic] = {
    "G": _log_ratio,
    "chi-squared": _pearson,
}


def read_statistic(name: str) -> Statistic:
    """Return the function of a statistic, of counts and expected counts."""
    try:
        return _STATISTICS[name]
    except (KeyError, TypeError):
        raise ProbabilityError(
            f"The statistic must be one of {quoted_list(_STATISTICS)}, not "
            f"{name!r}.{did_you_mean(name, _STATISTICS)}"
        ) from None
