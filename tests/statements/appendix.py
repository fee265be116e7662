"""Numbers for the statements of the appendices."""

import math
from itertools import pairwise, product

import numpy as np
from scipy import stats

from bayesbook.mcmc import MarkovChain, metropolis_matrix
from statements import evaluated, over, weights


def variable(rng, size=5):
    """Return values and probabilities of a random variable."""
    return rng.normal(size=size), weights(rng, size)


@evaluated("thm-limit-markov", links=2)
def _(rng):
    x, p = variable(rng)
    x, a = abs(x), rng.uniform(0.1, 1)
    return {
        r"\mathbb{P}[X \ge a]": p[x >= a].sum(),
        "a": a,
        r"\mathbb{E}[X]": p @ x,
    }


@evaluated("thm-limit-chebyshev", links=2, without=r"With \$d.*")
def _(rng):
    x, p = variable(rng)
    mean, d = p @ x, rng.uniform(0.3, 1)
    return {
        r"\mathbb{P}\bigl[|X - \mu| \ge d\bigr]": p[abs(x - mean) >= d].sum(),
        r"\sigma^2": p @ (x - mean) ** 2,
        "d": d,
    }


def sums(rng, n):
    """Return a variable, and the mean of n draws with its probabilities."""
    x, p = variable(rng, 3)
    draws = [*product(range(3), repeat=n)]
    return (
        x,
        p,
        np.array([x[[*at]].mean() for at in draws]),
        np.array([p[[*at]].prod() for at in draws]),
    )


@evaluated("thm-limit-weak", links=1)
def _(rng):
    x, p, means, chances = sums(rng, 4)
    mean, far = p @ x, rng.uniform(0.2, 1)
    return {
        r"\mathbb{P}\bigl[|\bar X_n - \mu| \ge \varepsilon\bigr]": chances[
            abs(means - mean) >= far
        ].sum(),
        r"\sigma^2": p @ (x - mean) ** 2,
        "n": 4,
        r"\varepsilon": far,
    }


@evaluated("thm-limit-common-bound", links=1)
def _(rng):
    """Three independent variables, each with its own distribution."""
    each = [variable(rng, 3) for _ in range(3)]
    means = np.array([np.mean(row) for row in product(*(x for x, _ in each))])
    chances = np.array([math.prod(r) for r in product(*(p for _, p in each))])
    middle = np.mean([p @ x for x, p in each])
    far = rng.uniform(0.2, 1)
    off = r"|\bar X_n - \bar\mu_n| \ge \varepsilon"
    return {
        rf"\mathbb{{P}}\bigl[{off}\bigr]": chances[
            abs(means - middle) >= far
        ].sum(),
        "C": max(p @ (x - p @ x) ** 2 for x, p in each),
        "n": 3,
        r"\varepsilon": far,
    }


@evaluated("thm-limit-bernoulli", links=2)
def _(rng):
    n, p, far = 6, rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.6)
    k = np.arange(n + 1)
    off = stats.binom.pmf(k, n, p)[abs(k / n - p) >= far].sum()
    event = r"\left|\frac{K_n}{n} - p\right| \ge \varepsilon"
    return {
        rf"\mathbb{{P}}\left[{event}\right]": off,
        "p": p,
        "n": n,
        r"\varepsilon": far,
    }


@evaluated("thm-limit-hoeffding", links=3)
def _(rng):
    x, p, means, chances = sums(rng, 4)
    mean, far = p @ x, rng.uniform(0.5, 1) * np.ptp(x)
    return {
        r"\mathbb{P}\bigl[|\bar X_n - \mu| \ge \varepsilon\bigr]": chances[
            abs(means - mean) >= far
        ].sum(),
        "a": x.min(),
        "b": x.max(),
        "n": 4,
        r"\varepsilon": far,
    }


@evaluated("thm-limit-clt", links=3)
def _(rng):
    x, p, _, _ = sums(rng, 4)
    mean = p @ x
    sd = math.sqrt(p @ (x - mean) ** 2)
    draws = x[rng.choice(3, 4, p=p)]
    z = sum((draws - mean) / sd) / 2  # each standardised
    return {
        "Z_n": z,
        "S_n": draws.sum(),
        r"\bar X_n": draws.mean(),
        "n": 4,
        r"\mu": mean,
        r"\sigma": sd,
    }


@evaluated("thm-limit-berry", links=2)
def _(rng):
    x, p, means, chances = sums(rng, 4)
    mean = p @ x
    sd = math.sqrt(p @ (x - mean) ** 2)
    z = (means - mean) / sd * 2
    order = z.argsort()
    below = np.r_[0, chances[order].cumsum()]
    normal = stats.norm.cdf(z[order])
    apart = max(abs(below[1:] - normal).max(), abs(below[:-1] - normal).max())
    return {
        r"\sup_z \bigl|\mathbb{P}[Z_n \le z] - \Phi(z)\bigr|": apart,
        r"\rho": p @ abs(x - mean) ** 3,
        r"\mathbb{E}[|X_1 - \mu|^3]": p @ abs(x - mean) ** 3,
        "C": 0.4748,
        r"\sigma": sd,
        "n": 4,
    }


# --- Markov chains ----------------------------------------------------------


@evaluated("prop-mcmc-monte-carlo", links=1)
def _(rng):
    f, p, means, chances = sums(rng, 3)
    variance = p @ (f - p @ f) ** 2
    mean = chances @ means
    return {
        r"\sigma": math.sqrt(variance),
        "n": 3,
    }, {"the standard deviation": math.sqrt(chances @ (means - mean) ** 2)}


def chain(rng, states=3):
    return np.array([weights(rng, states) for _ in range(states)])


def distance(p, q):
    return abs(p - q).sum(-1) / 2


@evaluated("lem-mcmc-contraction", links=2)
def _(rng):
    matrix, mu, nu = chain(rng), weights(rng, 3), weights(rng, 3)
    largest = max(distance(a, b) for a in matrix for b in matrix)
    return {
        r"\delta(P)": largest,
        r"\|\mu P - \nu P\|": distance(mu @ matrix, nu @ matrix),
        r"\|\mu - \nu\|": distance(mu, nu),
        r"\min_i P(i, j)": lambda j: matrix[:, j].min(),
        r"\sum_j": over(j=range(3)),
    }


def reversible(rng):
    """Return a chain of Metropolis' kind and its stationary distribution."""
    target, proposal = weights(rng, 3), chain(rng)
    ratio = (target * proposal.T) / (target[:, None] * proposal)
    accepted = np.minimum(1, ratio)
    matrix = proposal * accepted
    np.fill_diagonal(matrix, 0)
    np.fill_diagonal(matrix, 1 - matrix.sum(1))
    return target, proposal, accepted, matrix


@evaluated("thm-mcmc-metropolis", links=1)
def _(rng):
    target, proposal = weights(rng, 3), chain(rng)
    matrix = metropolis_matrix(target, MarkovChain(proposal)).matrix
    ratio = target[2] * proposal[2, 0] / (target[0] * proposal[0, 2])
    return {
        "i": 0,
        "j": 2,
        "P(": lambda i, j: matrix[i, j],
        "q(": lambda i, j: proposal[i, j],
        r"\alpha(i, j)": min(1, ratio),
    }


@evaluated("def-mcmc-balance", links=1)
def _(rng):
    target, _, _, matrix = reversible(rng)
    return {
        "i": 0,
        "j": 2,
        r"\pi(": lambda i: target[i],
        "P(": lambda i, j: matrix[i, j],
    }


@evaluated("thm-mcmc-variance", links=2)
def _(rng):
    target, _, _, matrix = reversible(rng)
    f, n = rng.normal(size=3), 4
    mean = target @ f
    paths = [*product(range(3), repeat=n)]
    chances = np.array(
        [
            target[path[0]]
            * math.prod(matrix[a, b] for a, b in pairwise(path))
            for path in paths
        ]
    )
    means = np.array([f[[*path]].mean() for path in paths])
    variance = target @ (f - mean) ** 2
    return {
        r"\operatorname{Var}(\bar f_n)": chances @ (means - mean) ** 2,
        r"\sigma^2": variance,
        "n": n,
        r"\rho_t": lambda t: (
            (target * (f - mean))
            @ np.linalg.matrix_power(matrix, t)
            @ (f - mean)
            / variance
        ),
    }


@evaluated("thm-mcmc-convergence", links=1)
def _(rng):
    matrix, mu = chain(rng), weights(rng, 3)
    values, vectors = np.linalg.eig(matrix.T)
    target = np.real(vectors[:, np.argmax(np.real(values))])
    target = target / target.sum()
    power = np.linalg.matrix_power(matrix, 2)
    worst = max(distance(a, b) for a in power for b in power)
    at = mu @ np.linalg.matrix_power(matrix, 5)
    return {
        r"\|\mu P^t - \pi\|": distance(at, target),
        r"\delta(P^m)": worst,
        r"\lfloor t/m \rfloor": 2,
    }


@evaluated("def-mcmc-rhat", links=1)
def _(rng):
    halves = rng.normal(size=(4, 6)) + rng.normal(size=(4, 1))
    n = 6
    within = halves.var(1, ddof=1).mean()
    between = halves.mean(1).var(ddof=1)
    return {
        "n": n,
        "W": within,
        "B": n * between,
        r"\hat R": math.sqrt((n - 1) / n + between / within),
    }


# --- Large data -------------------------------------------------------------


@evaluated("def-large-monoid", links=3, without=r"A statistic.*")
def _(rng):
    a, b, c = (int(n) for n in rng.integers(1, 9, 3))
    return {"a": a, "b": b, "c": c}


@evaluated("prop-large-moments", links=3)
def _(rng):
    one, two = rng.normal(size=4), rng.normal(2, 3, size=6)
    whole = np.r_[one, two]
    return {
        "n": 10,
        "n_1": 4,
        "n_2": 6,
        "m": whole.mean(),
        "m_1": one.mean(),
        "m_2": two.mean(),
        "q": 10 * whole.var(),
        "q_1": 4 * one.var(),
        "q_2": 6 * two.var(),
    }
