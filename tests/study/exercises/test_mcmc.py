"""The exercises of the chapter can be solved, and in another way."""

import networkx as nx
import numpy as np
from study.exercises.solving import solved_by

from bayesbook.mcmc import MarkovChain, metropolis_matrix, split_r_hat

# --- Solutions by other routes: paths, flows, the library -----------------


def tempered(weights, first, moves, uniforms, temperature):
    """Compare logarithms, with a weight of zero outside the list."""
    level = {i: np.log(w) / temperature for i, w in enumerate(weights)}
    draws = [first]
    for move, u in zip(moves, uniforms, strict=True):
        i = draws[-1]
        gain = level.get(i + move, -np.inf) - level[i]
        draws.append(i + move * bool(np.log(u) < gain))
    return draws[1:]


def after(distribution, matrix, n):
    """Raise the matrix to a power."""
    power = np.linalg.matrix_power(np.array(matrix, dtype=object), n)
    return (np.array(distribution, dtype=object) @ power).tolist()


def balanced(distribution, matrix):
    """Require no net flow along any edge of the complete graph."""
    return not any(
        distribution[i] * matrix[i][j] - distribution[j] * matrix[j][i]
        for i, j in nx.complete_graph(len(distribution)).edges
    )


def metropolis(weights, q):
    return metropolis_matrix(weights, MarkovChain(q)).matrix.tolist()


def effective_size(rho, n):
    """Add up the correlations of one draw with all the others."""
    both_sides = [*rho[:0:-1], *rho]
    return n / sum(both_sides)


def r_hat(chains):
    return split_r_hat(np.array(chains), method="split")


test_another_solution_passes = solved_by("mcmc", globals())
