"""Numbers for the statements of Part III: estimation."""

import math
from itertools import product

import numpy as np
from scipy import integrate, optimize, stats

from statements import evaluated, over, weights

# --- Likelihood -------------------------------------------------------------


def smooth_root(score, low, high):
    """Return where a score equation holds."""
    return optimize.brentq(score, low, high, xtol=1e-15, rtol=1e-14)


@evaluated("thm-mle-bernoulli", links=2)
def _(rng):
    n = int(rng.integers(5, 30))
    k = int(rng.integers(1, n))
    found = smooth_root(lambda t: k / t - (n - k) / (1 - t), 1e-9, 1 - 1e-9)
    return {"k": k, "N": n, r"\hat{\theta}": found}


@evaluated("thm-mle-categorical", links=2)
def _(rng):
    counts = rng.integers(1, 20, size=4)
    # With a multiplier for the sum, every score is N_j / theta_j = lambda.
    scale = smooth_root(lambda m: (counts / m).sum() - 1, 1e-3, 1e3)
    return {
        "j": 2,
        "N": counts.sum(),
        "N_j": lambda j: counts[j],
        r"\hat{\theta}_j": counts[2] / scale,
    }


@evaluated("lem-log-tangent", links=2, without=r", with equality.*")
def _(rng):
    return {"t": rng.exponential()}


@evaluated("thm-mle-gaussian", links=3)
def _(rng):
    x = rng.normal(size=7)
    mean = smooth_root(lambda m: (x - m).sum(), -9, 9)
    squares = ((x - mean) ** 2).sum()
    variance = smooth_root(lambda v: -len(x) / v + squares / v**2, 1e-3, 50)
    return {
        r"\hat{\mu}": mean,
        r"\bar{x}": np.mean(x),
        r"\hat{\sigma}^2": variance,
        "s^2": np.var(x),
        "N": len(x),
        "x_i": lambda i: x[i - 1],
    }


@evaluated("thm-mle-covariance", links=1)
def _(rng):
    # One number of the matrix, in the second row and the first column.
    below, right = rng.normal(size=(2, 7))
    return {
        "S": np.cov(below, right, bias=True)[0, 1],
        "N": 7,
        r"\sum_i": over(i=range(7)),
        r"(x_i - \bar{x})": lambda i: below[i] - below.mean(),
        r"(x_i - \bar{x})^{\mathsf{T}}": lambda i: right[i] - right.mean(),
    }


@evaluated("thm-mle-laplace", links=1)
def _(rng):
    x = rng.normal(size=7)
    size = np.abs(x - np.median(x))
    scale = smooth_root(lambda b: -len(x) / b + size.sum() / b**2, 1e-3, 50)
    return {
        r"\hat{b}": scale,
        "N": len(x),
        r"\sum_i": over(i=range(7)),
        r"|x_i - \hat{m}|": lambda i: size[i],
    }


@evaluated("thm-fisher", links=3)
def _(rng):
    # A binomial distribution: score and curvature are known by hand.
    n, t = int(rng.integers(2, 9)), rng.uniform(0.2, 0.8)
    x = np.arange(n + 1)
    p = stats.binom.pmf(x, n, t)
    score = x / t - (n - x) / (1 - t)
    curvature = -x / t**2 - (n - x) / (1 - t) ** 2
    return {
        r"\mathbb{E}[u(X)]": p @ score,
        r"I(\theta)": n / (t * (1 - t)),
        r"\operatorname{Var}[u(X)]": p @ score**2 - (p @ score) ** 2,
        r"\mathbb{E}[-\frac{d^2}{d\theta^2} \log p(X \mid \theta)]": (
            -p @ curvature
        ),
    }


@evaluated("thm-cramer-rao", links=3)
def _(rng):
    # Any weighted mean of tosses is unbiased.
    n, t = 4, rng.uniform(0.2, 0.8)
    w = weights(rng, n)
    samples = [*product((0, 1), repeat=n)]
    p = np.array([np.prod([t if x else 1 - t for x in s]) for s in samples])
    estimates = np.array(samples) @ w
    return {
        "N": n,
        r"\mathbb{E}[T]": p @ estimates,
        r"\theta": t,
        r"\operatorname{Var}[T]": p @ (estimates - t) ** 2,
        r"I(\theta)": 1 / t + 1 / (1 - t),
    }


@evaluated("thm-bias-variance", links=2)
def _(rng):
    values, p = rng.normal(size=3), weights(rng, 3)
    n, mean = 3, values @ p
    samples = [*product(range(3), repeat=n)]
    expected = sum(
        np.prod(p[list(at)]) * values[list(at)].var() for at in samples
    )
    told = {"has the expectation": expected}
    x = values[list(samples[5])]
    return {
        "N": n,
        r"\sigma^2": p @ (values - mean) ** 2,
        r"\hat{\sigma}^2": x.var(),
        r"\bar{X}": x.mean(),
        "X_i": lambda i: x[i],
        r"\sum_i": over(i=range(n)),
    }, told


def two_distributions(rng):
    p, q = weights(rng, 4), weights(rng, 4)
    return (
        p,
        q,
        {
            "H(p, q)": stats.entropy(p) + stats.entropy(p, q),
            "H(p)": stats.entropy(p),
            "H(p, p)": stats.entropy(p),
            r"D(p \,\|\, q)": stats.entropy(p, q),
            "p(": lambda x: p[x],
            "q(": lambda x: q[x],
            r"\sum_x": over(x=range(4)),
        },
    )


@evaluated("def-entropy", links=4, without=r"Terms with.*")
def _(rng):
    return two_distributions(rng)[2]


@evaluated("thm-gibbs", links=2)
def _(rng):
    return two_distributions(rng)[2]


@evaluated("thm-mle-kl", links=2)
def _(rng):
    counts, q = rng.integers(1, 9, size=4), weights(rng, 4)
    p = counts / counts.sum()
    return {
        r"\ell(\theta)": counts @ np.log(q),
        "N": counts.sum(),
        r"H(\hat{p}, p_\theta)": stats.entropy(p) + stats.entropy(p, q),
        r"H(\hat{p})": stats.entropy(p),
        r"D(\hat{p} \,\|\, p_\theta)": stats.entropy(p, q),
    }


# --- MAP and Bayes ----------------------------------------------------------


@evaluated("def-map-posterior", links=2)
def _(rng):
    x, t = rng.normal(size=4), rng.normal()

    def likelihood(t):
        return stats.norm.pdf(x, t).prod()

    evidence = integrate.quad(
        lambda t: likelihood(t) * stats.norm.pdf(t, 1, 2),
        -12,
        12,
        epsrel=1e-12,
    )[0]
    # The posterior by the rule of precisions.
    precision = 4 + 1 / 4
    posterior = stats.norm.pdf(
        t, (x.sum() + 1 / 4) / precision, precision**-0.5
    )
    return {
        r"p(\theta \mid x)": posterior,
        r"\mathcal{L}(\theta)": likelihood(t),
        r"p(x \mid \theta)": likelihood(t),
        r"p(\theta)": stats.norm.pdf(t, 1, 2),
        "p(x)": evidence,
    }


class Tosses:
    """A beta prior, and k of N tosses that point up; truth by quadrature."""

    def __init__(self, rng):
        self.a, self.b = rng.uniform(1.5, 5, 2)
        self.n = int(rng.integers(4, 12))
        self.k = int(rng.integers(1, self.n))
        self.names = {
            "a": self.a,
            "b": self.b,
            "N": self.n,
            "k": self.k,
            "s": self.a + self.b,
            "m": self.expected(lambda t: t, 0, 0),
            r"\bar\theta": self.expected(lambda t: t, self.k, self.n),
            r"\hat\theta_{\text{MAP}}": self.mode(),
        }

    def expected(self, function, k, n):
        """Return an expectation after k of n."""

        def density(t):
            up, down = self.a + k - 1, self.b + n - k - 1
            return t**up * (1 - t) ** down

        above, below = (
            integrate.quad(f, 0, 1, epsabs=0, epsrel=1e-12)[0]
            for f in (lambda t: function(t) * density(t), density)
        )
        return above / below

    def variance(self, k, n):
        mean = self.expected(lambda t: t, k, n)
        return self.expected(lambda t: (t - mean) ** 2, k, n)

    def mode(self):
        def slope(t):
            up, down = self.a + self.k - 1, self.b + self.n - self.k - 1
            return up / t - down / (1 - t)

        return smooth_root(slope, 1e-9, 1 - 1e-9)

    def probability(self, k):
        """Return the probability of k successes before any is seen."""
        return stats.betabinom.pmf(k, self.n, self.a, self.b)


@evaluated("thm-map-beta", links=6)
def _(rng):
    tosses = Tosses(rng)
    k, n = tosses.k, tosses.n
    mle = smooth_root(lambda t: k / t - (n - k) / (1 - t), 1e-9, 1 - 1e-9)
    return tosses.names | {r"\hat\theta_{\text{MLE}}": mle}


@evaluated("prop-map-next", links=1)
def _(rng):
    prior, t = weights(rng, 3), rng.uniform(0.1, 0.9, 3)
    likelihood = t**2 * (1 - t)
    evidence = prior @ likelihood
    return {
        r"\mathbb{P}[x_{N+1} = 1 \mid x_1, \dots, x_N]": prior
        @ (likelihood * t)
        / evidence,
        r"\bar\theta": (prior * likelihood / evidence) @ t,
    }


@evaluated("thm-map-reparam", links=1)
def _(rng):
    tosses = Tosses(rng)
    up, down = tosses.k + tosses.a, tosses.n - tosses.k + tosses.b
    # The density of eta is proportional to theta^up (1 - theta)^down.
    eta = smooth_root(lambda e: up - (up + down) / (1 + math.exp(-e)), -9, 9)
    return tosses.names, {r"the MAP of \$\\eta\$ is": eta}


@evaluated("prop-map-convex", links=4)
def _(rng):
    return Tosses(rng).names


@evaluated("thm-map-jeffreys", links=2)
def _(rng):
    t = rng.uniform(0.1, 0.9)
    # Mean squares of the score of a toss, on theta and on the log-odds.
    on_theta = t * (1 / t) ** 2 + (1 - t) * (1 / (1 - t)) ** 2
    on_log_odds = t * (1 - t) ** 2 + (1 - t) * t**2
    return {
        r"I_\eta(\eta)": on_log_odds,
        r"I(\theta)": on_theta,
        r"g'(\theta)": 1 / t + 1 / (1 - t),
        r"\theta": t,
    }


@evaluated("thm-map-variance", links=4)
def _(rng):
    tosses = Tosses(rng)
    n = tosses.n
    before = tosses.variance(0, 0)
    expected = sum(
        tosses.probability(k) * tosses.variance(k, n) for k in range(n + 1)
    )
    return tosses.names | {"v_0": before}, {
        "posterior variance is": tosses.variance(tosses.k, n),
        "variance to be expected is": expected,
    }


def regression(rng):
    """Return inputs, outputs, and the standard deviation of the noise."""
    X = rng.normal(size=(20, 2))
    return X, X @ [2.0, -1.5] + 0.3 * rng.normal(size=20), rng.uniform(0.5, 1)


@evaluated("thm-map-ridge", links=1)
def _(rng):
    X, y, sigma = regression(rng)
    tau = rng.uniform(0.5, 2)
    # Where the posterior is largest, its gradient is zero.
    design = np.c_[np.ones(20), X]
    prior = np.diag([0, 1, 1]) / tau**2
    w = np.linalg.solve(
        design.T @ design / sigma**2 + prior, design.T @ y / sigma**2
    )
    slope = -2 * design.T @ (y - design @ w)  # of the sum of squares
    return {r"\lambda": -slope[1] / (2 * w[1]), r"\sigma": sigma, r"\tau": tau}


@evaluated("thm-map-lasso", links=1)
def _(rng):
    X, y, sigma = regression(rng)
    b = rng.uniform(0.5, 2)
    design, signs = np.c_[np.ones(20), X], np.array([0, 1, -1])
    # No coefficient is zero, so the posterior has a gradient, which is zero.
    w = np.linalg.solve(
        design.T @ design / sigma**2, design.T @ y / sigma**2 - signs / b
    )
    assert (np.sign(w[1:]) == signs[1:]).all()
    slope = -design.T @ (y - design @ w) / 20  # of half the mean square
    return {r"\alpha": -slope[1], r"\sigma": sigma, "N": 20, "b": b}


@evaluated("prop-map-threshold", links=2)
def _(rng):
    v, tau, b, z = (*rng.uniform(0.5, 2, 3), rng.choice([-4, -0.2, 0.2, 4]))
    ridge = smooth_root(lambda w: (w - z) / v + w / tau**2, -9, 9)
    grid = [0.0, z - v / b, z + v / b]  # where a slope is zero, or jumps
    lasso = min(grid, key=lambda w: (w - z) ** 2 / (2 * v) + abs(w) / b)
    names = {
        "v": v,
        r"\tau": tau,
        "z": z,
        r"\operatorname{sign}(": np.sign,
        r"\max\left( |z| - \frac vb,\, 0 \right)": max(abs(z) - v / b, 0),
    }
    return names, {
        r"\\tau\^2\}\$ is smallest at": ridge,
        r"\{b\}\$ is smallest at": lasso,
    }


# --- Risk -------------------------------------------------------------------


@evaluated("def-risk-expected", links=2)
def _(rng):
    p, losses, rule = weights(rng, 3, 2), rng.uniform(size=(2, 2)), [0, 1, 1]
    risk = sum(p[x, y] * losses[y, rule[x]] for x, y in np.ndindex(3, 2))
    return {
        "R(h)": risk,
        r"\mathbb{E}\bigl[L(Y, h(X))\bigr]": risk,
        r"\sum_{x, y}": over(x=range(3), y=range(2)),
        "p(x, y)": lambda x, y: p[x, y],
        "L(": lambda y, guess: losses[y, guess],
        "h(": lambda x: rule[x],
    }


@evaluated("thm-risk-proper", links=1)
def _(rng):
    p, q = weights(rng, 4), weights(rng, 4)
    return {
        r"\mathbb{E}_p[-\log q(Y)]": -p @ np.log(q),
        r"\mathbb{E}_p[-\log p(Y)]": -p @ np.log(p),
    }


@evaluated("def-risk-empirical", links=1)
def _(rng):
    losses = rng.uniform(size=6)
    return {
        r"\hat R(h)": losses.mean(),
        "N": 6,
        "L(y_n, h(x_n))": lambda n: losses[n - 1],
    }


def samples(rng, n=3):
    """Return losses of four pairs by rule, and all samples of n pairs."""
    p, losses = weights(rng, 4), rng.uniform(size=(4, 2))
    drawn = [*product(range(4), repeat=n)]
    chances = np.array([p[list(at)].prod() for at in drawn])
    means = np.array([losses[list(at)].mean(0) for at in drawn])
    return p, losses, chances, means


@evaluated("prop-risk-fixed", links=2)
def _(rng):
    p, losses, chances, means = samples(rng)
    mean, risk = chances @ means[:, 0], p @ losses[:, 0]
    sd = (chances @ (means[:, 0] - mean) ** 2) ** 0.5
    return {
        r"\mathbb{E}[\hat R(h)]": mean,
        "R(h)": risk,
        "N": 3,
        r"\sigma_L": (p @ (losses[:, 0] - risk) ** 2) ** 0.5,
    }, {r"standard deviation of \$\\hat R\(h\)\$ is": sd}


@evaluated("thm-risk-optimism", links=2)
def _(rng):
    p, losses, chances, means = samples(rng)
    risks, best = p @ losses, means.argmin(1)
    return {
        r"\mathbb{E}[\hat R(\hat h)]": chances @ means.min(1),
        r"\min_{h \in \mathcal{H}} R(h)": risks.min(),
        r"\mathbb{E}[R(\hat h)]": chances @ risks[best],
    }


@evaluated("thm-risk-finite", links=3)
def _(rng):
    rules, n = int(rng.integers(2, 30)), int(rng.integers(100, 900))
    delta = rng.uniform(0.01, 0.3)

    def too_probable(at):  # by Hoeffding's inequality and the union bound
        return rules * 2 * math.exp(-2 * n * at**2) - delta

    return {
        r"\varepsilon": smooth_root(too_probable, 0, 1),
        r"|\mathcal{H}|": rules,
        r"\delta": delta,
        "N": n,
    }


@evaluated("thm-risk-bias-variance", links=1)
def _(rng):
    # The prediction is a random variable with five values, beside Y's four.
    y, p = rng.normal(size=4), weights(rng, 4)
    guess, q = rng.normal(size=5), weights(rng, 5)
    f, centre = p @ y, q @ guess
    squares = (y[:, None] - guess) ** 2
    return {
        r"\mathbb{E}\bigl[(Y - \hat h(x))^2\bigr]": p @ squares @ q,
        r"\sigma": (p @ (y - f) ** 2) ** 0.5,
        r"\mathbb{E}[\hat h(x)]": centre,
        "f(x)": f,
        r"\operatorname{Var}[\hat h(x)]": q @ (guess - centre) ** 2,
    }


def row(loss):
    """Return words that introduce the formulas of the row of a table."""
    return rf"\| {loss}[^\n]*?\|"


@evaluated("thm-risk-mle", links=7)
def _(rng):
    sigma, s = rng.uniform(0.5, 2, 2)
    y, at = rng.normal(size=6), rng.normal(size=6)
    losses = (y - at) ** 2

    # The log density is a line in the loss: two points give it.
    def line(density, loss):
        one, two = -math.log(density(1.0)), -math.log(density(2.0))
        factor = (two - one) / (loss(2.0) - loss(1.0))
        return one - factor * loss(1.0), factor

    gauss = line(lambda x: stats.norm.pdf(x, 0, sigma), np.square)
    laplace = line(lambda x: stats.laplace.pdf(x, 0, s), abs)
    return {
        r"\sigma": sigma,
        "s": s,
        r"\pi": math.pi,
        "N": 6,
        "a": gauss[0],
        "b": gauss[1],
        r"\ell(\theta)": stats.norm.logpdf(y, at, sigma).sum(),
        r"\hat R(h_\theta)": losses.mean(),
        r"p_\theta(y \mid x)": stats.norm.pdf(y[0], at[0], sigma),
        r"L\bigl(y, h_\theta(x)\bigr)": losses[0],
    }, {
        r"sd \$\\sigma\$ \|": gauss[0],
        r"\\sqrt\{2\\pi\}\)\$ \|": gauss[1],
        r"scale \$s\$ \|": laplace[0],
        r"\\log \(2 s\)\$ \|": laplace[1],
    }


@evaluated("thm-risk-map", links=4)
def _(rng):
    n, tau, sigma, s = 20, *rng.uniform(0.5, 2, 3)
    # Penalties are minus log priors over N b, up to a constant.
    gauss = -(stats.norm.logpdf(1, 0, tau) - stats.norm.logpdf(0, 0, tau))
    laplace = -(stats.laplace.logpdf(1, 0, s) - stats.laplace.logpdf(0, 0, s))
    factor = stats.norm.logpdf(0, 0, sigma) - stats.norm.logpdf(1, 0, sigma)
    return {"N": n, r"\tau": tau, r"\sigma": sigma, "s": s}, {
        r"any \| \$-\\log p\(\\theta\)\$ \|": 1 / n,
        r"log loss \| Gaussian[^\n]*\\theta_j\^2\$ \|": gauss / n,
        r"squared[^\n]*\\theta_j\^2\$ \|": gauss / (n * factor),
        r"squared[^\n]*\\rvert\$ \|": laplace / (n * factor),
    }


# --- Decisions --------------------------------------------------------------


@evaluated("def-decisions-risk", links=1)
def _(rng):
    posterior, losses = weights(rng, 3), rng.uniform(size=(4, 3))
    return {
        r"R(i \mid x)": (losses @ posterior)[2],
        "i": 2,
        "K": 3,
        r"\lambda_{ij}": lambda i, j: losses[i, j - 1],
        r"\mathbb{P}[c_j \mid x]": lambda j: posterior[j - 1],
    }


@evaluated("thm-decisions-argmax", links=2, without=r"Taking the arg.*")
def _(rng):
    joint = weights(rng, 4, 3)
    inputs = joint.sum(1)
    posterior = joint / inputs[:, None]
    best = sum(inputs[x] * posterior[x].max() for x in range(4))
    losses = 1 - np.eye(3)
    return {
        r"R(c_i \mid x)": (losses @ posterior[1])[2],
        r"\mathbb{P}[c_i \mid x]": posterior[1][2],
        "R^*": (joint @ losses).min(1).sum(),
        r"\mathbb{E}\Bigl[\max_i \mathbb{P}[c_i \mid X]\Bigr]": best,
    }


def priors_and_losses(prior, losses):
    return {
        r"\pi_0": prior[0],
        r"\pi_1": prior[1],
        r"\lambda_{00}": losses[0, 0],
        r"\lambda_{01}": losses[0, 1],
        r"\lambda_{10}": losses[1, 0],
        r"\lambda_{11}": losses[1, 1],
    }


@evaluated("thm-decisions-threshold", links=5, without=r"\(Where.*")
def _(rng):
    losses = np.array([[0.3, 5], [2, 0.5]]) + rng.uniform(0, 0.1, (2, 2))
    prior, densities = weights(rng, 2), rng.uniform(0.1, 1, 2)

    def difference(p):  # of the conditional risks at the posterior p of 1
        return np.subtract(*(losses @ [1 - p, p]))

    t = smooth_root(difference, 0, 1)
    posterior = prior * densities / (prior @ densities)
    if difference(posterior[1]) < 0:  # make it speak for decision 1
        densities = densities * [1, 1000]
        posterior = prior * densities / (prior @ densities)
    return {
        "t": t,
        r"\mathbb{P}[1 \mid x]": posterior[1],
        r"p(x \mid 1)": densities[1],
        r"p(x \mid 0)": densities[0],
        **priors_and_losses(prior, losses),
    }


@evaluated("prop-decisions-gaussians", links=2)
def _(rng):
    means, sigma = rng.normal(size=2), rng.uniform(0.5, 2)

    def smaller(x):
        return stats.norm.pdf(x, means, sigma).min() / 2

    risk = integrate.quad(
        smaller, -30, 30, points=[means.mean()], epsabs=1e-13, limit=500
    )[0]
    return {
        "R^*": risk,
        "d": abs(means[1] - means[0]) / sigma,
        r"|\mu_1 - \mu_0|": abs(means[1] - means[0]),
        r"\sigma": sigma,
    }


@evaluated("thm-decisions-chow", links=2, without=r"to take the .*")
def _(rng):
    posterior = weights(rng, 3)
    wrong = [1 - p for p in posterior]  # the risk of each class
    c = rng.uniform(0.2, 0.9) * min(wrong)  # rejecting is best
    return {
        r"\max_i \mathbb{P}[c_i \mid x]": posterior.max(),
        "c": c,
    }


@evaluated("thm-decisions-auc", links=1)
def _(rng):
    scores = [weights(rng, 4), weights(rng, 4)]  # of class 0 and of class 1
    pairs = np.outer(*scores)
    fall, rise = (np.append(0, np.cumsum(p[::-1])) for p in scores)
    return {
        r"\mathrm{AUC}": integrate.trapezoid(rise, fall),
        r"\mathbb{P}[S_1 > S_0]": np.triu(pairs, 1).sum(),
        r"\mathbb{P}[S_1 = S_0]": np.trace(pairs),
    }


@evaluated("thm-decisions-slope", links=1, without=r"Under the assumptions.*")
def _(rng):
    losses = rng.uniform(0, 5, (2, 2))
    prior, given = weights(rng, 2), [weights(rng, 4) for _ in range(2)]
    rule = np.array([0, 1, 1, 0])
    return {
        r"R(\delta)": sum(
            prior[j] * given[j][x] * losses[rule[x], j]
            for x in range(4)
            for j in range(2)
        ),
        r"\mathrm{FPR}": given[0] @ rule,
        r"\mathrm{TPR}": given[1] @ rule,
        **priors_and_losses(prior, losses),
    }


@evaluated("thm-decisions-information", links=1, without=r"It is never.*")
def _(rng):
    joint, losses = weights(rng, 3, 2), rng.uniform(0, 5, (3, 2))
    seen = joint.sum(1)
    after = [min(losses @ (row / row.sum())) for row in joint]
    without = min(losses @ joint.sum(0))
    # Every rule for the three results, priced by the joint pmf.
    rules = product(range(3), repeat=3)
    best = min((joint * losses[list(rule)]).sum() for rule in rules)
    return {
        "V": without - best,
        r"\min_i R(i \mid x)": without,
        r"\mathbb{E}\Bigl[\min_i R(i \mid x, Z) \mid x\Bigr]": seen @ after,
    }
