"""The exercises of the chapter can be solved, and in another way."""

from collections import Counter
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: imagined rows, scipy, lists of data -------


def fit_attribute(values, labels, states, lam):
    """Add the imagined rows to the table, and return shares."""
    table = pd.crosstab(pd.Series(labels), pd.Series(values))
    table = table.reindex(columns=states, fill_value=0).astype(object) + lam
    return {
        label: {state: F(n) / sum(row) for state, n in row.items()}
        for label, row in table.iterrows()
    }


def gaussian_log_likelihood(x, mean, variance):
    """Use scipy."""
    return float(stats.norm(mean, np.sqrt(variance)).logpdf(x).sum())


def add_rows(counts, rows, labels):
    """Write the old rows out, and count all of them anew."""
    cells = [key for key, n in counts.items() for _ in range(n)]
    frame = pd.DataFrame(rows, index=labels)
    for column, values in frame.items():
        known = values.dropna()
        labelled = zip(known.index, known, strict=True)
        cells += [(label, column, state) for label, state in labelled]
    return dict(Counter(cells))


def merge_moments(first, second):
    """Merge the sums and the sums of squares."""
    n = first[0] + second[0]
    total = sum(m * mean for m, mean, _ in (first, second))
    squares = sum(m * (s + mean**2) for m, mean, s in (first, second))
    return n, F(total) / n, F(squares) / n - (F(total) / n) ** 2


def binary_information(pi, p):
    """Compare the joint distribution with the product of its margins."""
    present = np.multiply(pi, p)
    joint = np.array([present, pi - present])
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return float(stats.entropy(joint.ravel(), apart.ravel(), base=2))


EXERCISES = exercises_of("features")
test_another_solution_passes = solved_by("features", globals())


def test_merged_moments_are_those_of_the_list():
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=7), rng.normal(3, 2, size=4)
    merged = EXERCISES["merge_moments"].reference(
        *((len(x), F(x.mean()), F(x.var())) for x in (first, second))
    )
    both = np.concatenate([first, second])
    expected = len(both), both.mean(), both.var()
    assert [float(part) for part in merged] == pytest.approx(expected)
