r"""Scores: how good a graph is for some data.

.. math:: s(G) = \sum_{i=1}^n s\bigl(x_i, \mathrm{pa}(i)\bigr)

Every score here is *decomposable*: a sum with one term for each node, which
depends on the node, on its parents and on nothing else of the graph. That
makes searching possible: a change of one edge changes one term, or two if the
edge is reversed; and a term that was computed once can be remembered.

>>> import pandas as pd
>>> from bayesbook.network import Move
>>> rows = pd.DataFrame({"rain": ["no", "no", "no", "yes", "yes", "no"] * 9,
...                      "grass": ["dry", "dry", "dry", "wet", "wet", "wet"]
...                      * 9})
>>> score = BIC(rows)
>>> print(f"{score.total('rain, grass'):.2f}")
-75.79
>>> print(f"{score.total('rain -> grass'):.2f}")
-60.60
>>> print(f"{score.delta('rain, grass', Move('add', 'rain', 'grass')):.2f}")
15.19

**The larger, the better.** All scores are in nats, and are to be maximised.
Some sources minimise instead. Zhou (2016), section 7.5.2, writes

.. math:: s(B \mid D) = f(\theta)\,|B| - \mathrm{LL}(B \mid D),

where LL is the log-likelihood of the data with the best parameters, \|B\| the
number of free parameters, and :math:`f(\theta)` how many nats describe one of
them: 1 for AIC, :math:`\frac12 \log m` with m rows for BIC, which is then also
called MDL, and 0 for the log-likelihood alone. Ours are the negatives of
these,

.. math:: -s(B \mid D) = \mathrm{LL}(B \mid D) - f(\theta)\,|B|.

Others take twice this, or minus twice this, as Akaike (1974) and R do: then
the numbers differ, but the best graph is the same.

With the counts :math:`N_{ijk}` of the rows in which node i is in its state k
and its parents are in their configuration j, and
:math:`N_{ij} = \sum_k N_{ijk}`,

.. math::

    \mathrm{LL}(B \mid D)
        = \sum_i \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}},
    \qquad |B| = \sum_i q_i (r_i - 1),

where node i has :math:`r_i` states and its parents have :math:`q_i`
configurations, whether seen or not.

References
----------
Akaike (1974), A new look at the statistical model identification. Schwarz
(1978), Estimating the dimension of a model. Rissanen (1978), Modeling by
shortest data description. Cooper and Herskovits (1992), A Bayesian method for
the induction of probabilistic networks from data. Heckerman, Geiger and
Chickering (1995), Learning Bayesian networks: the combination of knowledge
and statistical data. Zhou (2016), *Machine Learning* (in Chinese), section
7.5.2. Koller and Friedman (2009), *Probabilistic Graphical Models*, section
18.3.
"""

from __future__ import annotations

from math import log
from typing import cast

import numpy as np
from scipy.special import gammaln

from bayesbook.base import ProbabilityError
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import as_float
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.parameters import Data, States, Weights

__all__ = ["AIC", "BIC", "K2", "BDeu", "LogLikelihood"]


class LogLikelihood(Score):
    r"""The log-likelihood with the best parameters, without a penalty.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}}

    It is minus m times the empirical entropy of the node given its parents.
    A further parent never lowers it, so that no graph is better than a
    complete one: it overfits, and a search that maximises it adds edges until
    the tables fill the memory; with more than a few columns set
    `max_parents`. In the sources it is minus the score with f = 0.

    Parameters and attributes are those of :class:`Score`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
    >>> score = LogLikelihood(rows)
    >>> score.total("A -> B") > score.total("A, B")
    True
    """

    name = "log-likelihood"


class AIC(Score):
    r"""Akaike's information criterion: a nat for each free parameter.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}} - q_i (r_i - 1)

    In the sources it is minus the score with f = 1; Akaike (1974) and R have
    minus twice ours.

    Parameters and attributes are those of :class:`Score`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
    >>> AIC(rows).penalty("B", "A")
    2.0
    """

    name = "AIC"
    price = 1.0


class BIC(Score):
    r"""The Bayesian information criterion, which is minus the MDL.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \sum_k N_{ijk} \log \frac{N_{ijk}}{N_{ij}}
        - \frac{\log m}{2} q_i (r_i - 1)

    In the sources it is minus the score with f = ½ log m, where m is how many
    rows there are, or the sum of their weights. For large m it is the
    logarithm of the probability of the data given the graph, up to terms that
    do not grow with m (Schwarz 1978); and it is minus the length, in nats, of
    a description of the parameters and then of the data (Rissanen 1978).

    Parameters and attributes are those of :class:`Score`.

    Raises
    ------
    ProbabilityError
        As for :class:`Score`; and if the weights sum to less than 1, so that
        the price of a parameter would be negative.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
    >>> print(f"{BIC(rows).penalty('B', 'A'):.4f}")  # 2 × ½ log 4
    1.3863
    """

    name = "BIC"

    def __init__(
        self,
        data: Data,
        *,
        states: States | None = None,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(data, states=states, weights=weights)
        if self.cases.total < 1:
            raise ProbabilityError(
                f"The weights sum to {self.cases.total:g}: less than one row, "
                "so that the price ½ log m of a parameter would be negative. "
                "Give weights that sum to how many rows they stand for."
            )
        self.price = log(self.cases.total) / 2


class BDeu(Score):
    r"""The log-probability of the data given the graph, with even priors.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \Bigl[
        \log \frac{\Gamma(\alpha_{ij})}{\Gamma(\alpha_{ij} + N_{ij})}
        + \sum_k \log \frac{\Gamma(\alpha_{ijk} + N_{ijk})}
                           {\Gamma(\alpha_{ijk})} \Bigr],
        \qquad \alpha_{ijk} = \frac{\alpha}{q_i r_i},
        \quad \alpha_{ij} = \frac{\alpha}{q_i}

    The name stands for Bayesian, with Dirichlet priors, likelihood
    equivalent, uniform (Buntine 1991; Heckerman, Geiger and Chickering
    1995). All parameters are integrated out, so that there is no penalty to
    choose; but the equivalent sample size :math:`\alpha` is chosen, and the
    number of edges grows with it. It is to be maximised as it stands.

    Parameters
    ----------
    data, states, weights
        See :class:`Score`.
    equivalent_sample_size : float
        Positive: the strength of the prior, as a number of rows.

    Attributes
    ----------
    equivalent_sample_size : float
    cases, names, price, n_counted, rounding, is_score_equivalent
        See :class:`Score`.

    Examples
    --------
    With one equivalent row, half of it on each side of a coin, the first toss
    is heads with probability ½, and the second like the first with ¾.

    >>> import pandas as pd
    >>> tosses = pd.DataFrame({"coin": ["heads", "heads"]})
    >>> score = BDeu(tosses, 1, states={"coin": ("heads", "tails")})
    >>> print(f"{np.exp(score.local('coin')):.4f}")
    0.3750
    """

    name = "BDeu"
    price = None

    def __init__(
        self,
        data: Data,
        equivalent_sample_size: float = 1.0,
        *,
        states: States | None = None,
        weights: Weights | None = None,
    ) -> None:
        self.equivalent_sample_size = as_float(
            equivalent_sample_size, "The equivalent sample size", 0, open_=True
        )
        super().__init__(data, states=states, weights=weights)

    def _score_rows(self, counts, n_rows):
        per_row = self.equivalent_sample_size / n_rows
        return _log_evidence(counts, per_row / counts.shape[1], per_row)


class K2(Score):
    r"""The log-probability of the data given the graph, with uniform priors.

    .. math:: s(x_i, \mathrm{pa}(i))
        = \sum_j \Bigl[ \log \frac{(r_i - 1)!}{(N_{ij} + r_i - 1)!}
        + \sum_k \log N_{ijk}! \Bigr]

    Every distribution of the node given its parents is as probable as any
    other: :math:`\alpha_{ijk} = 1` (Cooper and Herskovits 1992). More parents
    mean more pseudo-counts in all, so that Markov equivalent graphs can differ
    in their scores. It is to be maximised as it stands.

    Parameters and attributes are those of :class:`Score`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 0, 1], "B": [0, 1, 2, 2]})
    >>> score = K2(rows)
    >>> print(f"{score.total('A -> B'):.3f} {score.total('A <- B'):.3f}")
    -8.189 -8.371
    """

    name = "K2"
    price = None
    is_score_equivalent = False

    def _score_rows(self, counts, n_rows):
        per_cell = np.ones(len(counts))
        return _log_evidence(counts, per_cell, per_cell * counts.shape[1])


#: The scores that have a name.
SCORES: dict[str, type[Score]] = {
    "log-likelihood": LogLikelihood,
    "aic": AIC,
    "bic": BIC,
    "mdl": BIC,
    "bdeu": BDeu,
    "k2": K2,
}


def read_score(
    data: Data | None, score: str | Score, weights: Weights | None = None
) -> Score:
    """Return the score that a search is to maximise.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, iterable of DataFrames, or None
        The data to score; None if `score` has data already.
    score : str or Score
        "log-likelihood", "aic", "bic", "mdl" (which is "bic"), "bdeu" with
        the equivalent sample size 1, "k2"; or a score that was made of these
        data, whose counts are then used again.
    weights : str, or sequence of numbers, optional
        What each row counts; a score that was made before has its own.

    Returns
    -------
    Score

    Raises
    ------
    TypeError
        If the score is neither a name nor a score.
    ProbabilityError
        If there is no such score, it was made of other data, or has weights
        already.
    """
    if isinstance(score, Score):
        if not any(data is same for same in (None, score.data, score.cases)):
            raise ProbabilityError(
                f"The score was made of other data: {score!r}. Give the same "
                "object twice, or None as the data."
            )
        if weights is not None:
            raise ProbabilityError(
                f"The score has been made already: {score!r}. Give it the "
                "weights, as in BIC(data, weights=...)."
            )
        return score
    if not isinstance(score, str) or score.casefold() not in SCORES:
        error = ProbabilityError if isinstance(score, str) else TypeError
        raise error(
            f"There is no score {score!r}; there are {quoted_list(SCORES)}, "
            "and objects such as BDeu(data, equivalent_sample_size=10)."
            f"{did_you_mean(score, SCORES)}"
        )
    return SCORES[score.casefold()](cast(Data, data), weights=weights)


def _log_evidence(counts, per_cell, per_row):
    """Return the log-probability of each row with Dirichlet priors.

    The ratio of gammas is 1 where nothing was counted, which is most of a
    large table.
    """
    result = np.zeros(len(counts))
    n = counts.sum(axis=1)
    rows = np.flatnonzero(n)
    counts, n = counts[rows], n[rows]
    cells, alpha = per_cell[rows, None], per_row[rows]
    ratios = gammaln(cells + counts) - gammaln(cells)
    result[rows] = ratios.sum(axis=1) + gammaln(alpha) - gammaln(alpha + n)
    return result
