"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by tables, matrices and entropies ---------------------------


def whole_distribution(weights, theta):
    """The distribution of the class and all columns, cell by cell."""
    values = np.empty((len(weights), *[2] * len(theta[0])), dtype=object)
    for k, *bits in product(*map(range, values.shape)):
        values[k, *bits] = weights[k]
        for bit, p in zip(bits, theta[k], strict=True):
            values[k, *bits] *= p if bit else 1 - p
    return values


def responsibilities(row, weights, theta):
    kept = [slice(None) if x is None else slice(x, x + 1) for x in row]
    distribution = whole_distribution(weights, theta)[:, *kept].reshape(
        len(weights), -1
    )
    return list(distribution.sum(axis=1) / distribution.sum())


def m_step(rows, q):
    x, q = np.array(rows, dtype=object), np.array(q, dtype=object)
    sizes = q.sum(axis=0)
    theta = (q.T @ x) / sizes[:, None]
    return list(sizes / len(rows)), theta.tolist()


def hard_iteration(rows, weights, theta):
    x, chosen = np.array(rows, dtype=object), []
    for row in rows:
        distribution = responsibilities(row, weights, theta)
        chosen.append(
            min(range(len(distribution)), key=lambda k: (-distribution[k], k))
        )
    members = [x[np.array(chosen) == k] for k in range(len(weights))]
    sizes = [F(len(part), len(rows)) for part in members]
    return sizes, [list(p.sum(axis=0) / F(len(p))) for p in members]


def lower_bound(joint, q):
    """The log-likelihood without the divergences from the posteriors."""
    total = 0.0
    for row, distribution in zip(np.array(joint), np.array(q), strict=True):
        posterior = row / row.sum()
        some = distribution > 0
        gap = (
            distribution[some] * np.log(distribution[some] / posterior[some])
        ).sum()
        total += np.log(row.sum()) - gap
    return total


def expected_counts(rows, distribution):
    xs, ys = (sorted({cell[axis] for cell in distribution}) for axis in (0, 1))
    table = np.array(
        [[distribution[x, y] for y in ys] for x in xs], dtype=object
    )
    found = np.full(table.shape, F(0), dtype=object)
    for x, y in rows:
        kept = np.outer(
            [x is None or x == state for state in xs],
            [y is None or y == state for state in ys],
        )
        part = table * kept
        found += part / part.sum()
    return {
        (x, y): found[i, j] for i, x in enumerate(xs) for j, y in enumerate(ys)
    }


EXERCISES = exercises_of("em")
test_another_solution_passes = solved_by("em", globals())


def test_no_case_is_certain_of_the_class():
    # It would not tell whether the other columns or the weights are used.
    exercise = EXERCISES["responsibilities"]
    for case in exercise.cases:
        assert all(0 < p < 1 for p in exercise.reference(*case))


def test_the_distributions_of_the_cases_sum_to_one():
    for name in ("responsibilities", "hard_iteration"):
        for _, weights, _ in EXERCISES[name].cases:
            assert sum(weights) == 1
    for _, q in EXERCISES["m_step"].cases:
        assert all(sum(distribution) == 1 for distribution in q)
    for _, q in EXERCISES["lower_bound"].cases:
        assert all(sum(distribution) == pytest.approx(1) for distribution in q)
    for _, distribution in EXERCISES["expected_counts"].cases:
        assert sum(distribution.values()) == 1
