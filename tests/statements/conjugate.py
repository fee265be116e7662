"""Numbers for the statements of Part IV: conjugate models."""

import math

import numpy as np
from scipy import integrate, optimize, special, stats

from statements import evaluated, over, weights


def integral(function, low=0, high=1):
    return integrate.quad(
        function, low, high, epsabs=0, epsrel=1e-12, limit=500
    )[0]


# --- The number game --------------------------------------------------------

CONCEPTS = [{2, 4, 6}, {1, 2, 3, 4, 5, 6}, {2, 4}, {3, 4, 5}]
DATA = (2, 4, 4)


def likelihood(concept, data=DATA):
    return math.prod((x in concept) / len(concept) for x in data)


@evaluated("thm-concepts-size", links=2)
def _(rng):
    h, g = CONCEPTS[0], CONCEPTS[1]
    return {
        r"\dfrac{p(D \mid h)}{p(D \mid g)}": likelihood(h) / likelihood(g),
        "|g|": len(g),
        "|h|": len(h),
        "N": len(DATA),
    }


@evaluated("def-concepts-predictive", links=2, without=r"This is.*")
def _(rng):
    prior = weights(rng, 4)
    posterior = prior * [likelihood(h) for h in CONCEPTS]
    posterior /= posterior.sum()
    more = [likelihood(h, (*DATA, 6)) for h in CONCEPTS]
    evidence = prior @ [likelihood(h) for h in CONCEPTS]
    return {
        "x": 6,
        r"\mathbb{P}[x \in h \mid D]": posterior[[0, 1]].sum(),
        r"p(x \mid D)": prior @ more / evidence,
        r"p(h \mid D)": lambda h: posterior[h],
        r"[x \in h]": lambda h, x: int(x in CONCEPTS[h]),
        "|h|": lambda h: len(CONCEPTS[h]),
        r"\sum_h": over(h=range(4)),
    }


@evaluated("thm-concepts-weight", links=6)
def _(rng):
    priors, share = [weights(rng, 4), weights(rng, 4)], rng.uniform(0.2, 0.8)
    mixture = share * priors[0] + (1 - share) * priors[1]

    def evidence(prior, data=DATA):
        return prior @ [likelihood(h, data) for h in CONCEPTS]

    def predicted(prior):
        return evidence(prior, (*DATA, 6)) / evidence(prior)

    first = share * priors[0] * [likelihood(h) for h in CONCEPTS]
    return {
        "h": 1,
        "k": 1,
        r"\pi_0": share,
        r"\pi_N": first.sum() / evidence(mixture),
        "p(h)": mixture[1],
        "p_1(h)": lambda h: priors[0][h],
        "p_2(h)": lambda h: priors[1][h],
        "p_k(h)": lambda h, k: priors[k - 1][h],
        r"p(D \mid h)": lambda h: likelihood(CONCEPTS[h]),
        "p_1(D)": evidence(priors[0]),
        "p_2(D)": evidence(priors[1]),
        "p_k(D)": evidence(priors[0]),
        r"p(x \mid D)": predicted(mixture),
        r"p_1(x \mid D)": predicted(priors[0]),
        r"p_2(x \mid D)": predicted(priors[1]),
        r"\sum_h": over(h=range(4)),
    }


@evaluated("thm-concepts-limit", links=2)
def _(rng):
    prior = weights(rng, 4)
    posterior = prior * [likelihood(h) for h in CONCEPTS]
    posterior /= posterior.sum()
    return {
        r"p(h^* \mid D)": posterior[2],
        "p(h^*)": prior[2],
        "m": 2,
        "m'": 3,
        "N": len(DATA),
    }


# --- Beta and binomial ------------------------------------------------------


def trials(rng):
    """Return a prior and counts, with their names."""
    a, b = rng.uniform(0.6, 4, 2)
    ones, zeros = (int(n) for n in rng.integers(1, 8, 2))
    return {"a": a, "b": b, "N_1": ones, "N_0": zeros, "N": ones + zeros}


def density(names, t):
    """Return the product of prior and likelihood, up to the prior's B."""
    up, down = names["a"] + names["N_1"], names["b"] + names["N_0"]
    return t ** (up - 1) * (1 - t) ** (down - 1)


@evaluated("thm-bb-posterior", links=3)
def _(rng):
    names, t = trials(rng), rng.uniform(0.2, 0.8)
    above = integral(lambda t: density(names, t))
    below = integral(lambda t: density(names | {"N_1": 0, "N_0": 0}, t))
    return names | {
        r"\theta": t,
        r"p(\theta \mid x)": density(names, t) / above,
        "p(x)": above / below,
        "B(": special.beta,
        r"\text{Beta}(": stats.beta.pdf,
    }


@evaluated("eq-bb-summary", links=3)
def _(rng):
    names = trials(rng) | {"a": rng.uniform(1, 4), "b": rng.uniform(1, 4)}
    whole = integral(lambda t: density(names, t))

    def moment(k):
        return integral(lambda t: t**k * density(names, t)) / whole

    def slope(t):
        up, down = names["a"] + names["N_1"], names["b"] + names["N_0"]
        return (up - 1) / t - (down - 1) / (1 - t)

    highest = optimize.brentq(slope, 1e-9, 1 - 1e-9, xtol=1e-14)
    assert density(names, highest) > density(names, highest + 1e-3)
    assert density(names, highest) > density(names, highest - 1e-3)
    return names | {
        "s": names["a"] + names["b"],
        r"\hat\theta_{\text{MAP}}": highest,
        r"\bar\theta": moment(1),
        r"\operatorname{Var}[\theta \mid x]": moment(2) - moment(1) ** 2,
    }


@evaluated("eq-bb-shrinkage", links=1)
def _(rng):
    names = trials(rng)
    s = names["a"] + names["b"]
    mean = integral(lambda t: t * density(names, t)) / integral(
        lambda t: density(names, t)
    )
    return {
        "s": s,
        "N": names["N"],
        "m": names["a"] / s,
        r"\hat\theta": names["N_1"] / names["N"],
        r"\bar\theta": mean,
    }


@evaluated("eq-bb-moments", links=3)
def _(rng):
    a, b = rng.uniform(0.6, 4, 2)
    return {
        "a": a,
        "b": b,
        "s": a + b,
        "m": stats.beta.mean(a, b),
        r"\text{sd}": stats.beta.std(a, b),
    }


@evaluated("prop-bb-evidence", links=0, without=r"and for the beta.*")
def _(rng):
    a, b = rng.uniform(0.6, 4, 2)
    data = rng.integers(0, 2, 6)

    def log_evidence(n):
        ones = data[:n].sum()
        return special.betaln(a + ones, b + n - ones) - special.betaln(a, b)

    return {
        "N": 6,
        r"\log p(x_1, \dots, x_N)": log_evidence(6),
        r"\log p(x_n \mid x_1, \dots, x_{n-1})": lambda n: (
            log_evidence(n) - log_evidence(n - 1)
        ),
    }


@evaluated("prop-bb-larger", links=1)
def _(rng):
    first, second = (stats.beta(*rng.uniform(0.8, 6, 2)) for _ in range(2))
    # By the other order of integration: over the second rate.
    larger = integral(lambda t: second.pdf(t) * first.sf(t))
    return {
        r"\mathbb{P}[\theta_1 > \theta_2 \mid x]": larger,
        r"\int_0^1 p_1(t) \, F_2(t) \, dt": integral(
            lambda t: first.pdf(t) * second.cdf(t)
        ),
    }


@evaluated("cor-bb-succession", links=1)
def _(rng):
    names = trials(rng) | {"a": 1, "b": 1}
    mean = integral(lambda t: t * density(names, t)) / integral(
        lambda t: density(names, t)
    )
    return {
        "N": names["N"],
        "N_1": names["N_1"],
        r"\mathbb{P}[x_{N+1} = 1 \mid x]": mean,
    }


@evaluated("thm-bb-predictive", links=5)
def _(rng):
    a, b = rng.uniform(1, 5, 2)
    count, k = 6, 2

    def probability(s):
        return math.comb(count, s) * integral(
            lambda t: t**s * (1 - t) ** (count - s) * stats.beta.pdf(t, a, b)
        )

    p = np.array([probability(s) for s in range(count + 1)])
    s = np.arange(count + 1)
    return {
        r"\alpha": a,
        r"\beta": b,
        r"\sigma": a + b,
        r"\bar\theta": integral(lambda t: t * stats.beta.pdf(t, a, b)),
        "M": count,
        "k": k,
        r"\mathbb{P}[S = k \mid x]": p[k],
        r"\mathbb{E}[S \mid x]": p @ s,
        r"\operatorname{Var}[S \mid x]": p @ s**2 - (p @ s) ** 2,
        "B(": special.beta,
    }


# --- Dirichlet and multinomial ----------------------------------------------


class Urn:
    """A Dirichlet prior for three categories, by its moments."""

    def __init__(self, rng):
        self.alpha = rng.uniform(1.2, 4, 3)
        self.names = {
            "K": 3,
            r"\alpha_0": self.alpha.sum(),
            r"\alpha_k": lambda k: self.alpha[k - 1],
            r"\alpha_j": lambda j: self.alpha[j - 1],
            r"\sum_k": over(k=range(1, 4)),
            r"\prod_k": over(k=range(1, 4)),
        }

    def moment(self, powers):
        """Return an expectation by drawing one ball after the other."""
        found, balls = 1.0, self.alpha.copy()
        for k, power in enumerate(powers):
            for _ in range(power):
                found *= balls[k] / balls.sum()
                balls[k] += 1
        return found


@evaluated("def-dirichlet", links=4)
def _(rng):
    urn, t = Urn(rng), weights(rng, 3)
    pdf = stats.dirichlet.pdf(t, urn.alpha)
    return urn.names | {
        r"\theta_k": lambda k: t[k - 1],
        r"p(\theta)": pdf,
        r"B(\alpha)": np.prod(t ** (urn.alpha - 1)) / pdf,
    }


@evaluated("cor-dirichlet-moments", links=4)
def _(rng):
    urn = Urn(rng)
    mean = stats.dirichlet.mean(urn.alpha)
    covariance = stats.dirichlet.cov(urn.alpha)
    return urn.names | {
        "j": 1,
        "k": 3,
        "m_j": urn.moment([1, 0, 0]),
        "m_k": urn.moment([0, 0, 1]),
        r"\mathbb{E}[\theta_k]": mean[2],
        r"\operatorname{Var}[\theta_k]": covariance[2, 2],
        r"\operatorname{Cov}[\theta_j, \theta_k]": covariance[0, 2],
    }


def counted(rng):
    urn, counts = Urn(rng), rng.integers(1, 6, 3)
    return (
        urn,
        counts,
        urn.names
        | {
            "N": counts.sum(),
            "N_k": lambda k: counts[k - 1],
            "N_j": lambda j: counts[j - 1],
        },
    )


@evaluated("thm-dirichlet-map", links=7, without=r"2\. If all.*")
def _(rng):
    urn, counts, names = counted(rng)
    c = counts + urn.alpha - 1
    # Every score is c_k / theta_k = a multiplier, for the sum of theta.
    scale = optimize.brentq(lambda m: (c / m).sum() - 1, 1e-3, 1e3, xtol=1e-14)
    return names | {
        "k": 2,
        "c_k": lambda k: c[k - 1],
        "C": c.sum(),
        r"\hat\theta_k": c[1] / scale,
    }


@evaluated("thm-dirichlet-predictive", links=3)
def _(rng):
    urn, counts, names = counted(rng)
    evidence = urn.moment(counts)
    more = urn.moment(counts + np.array([0, 1, 0]))
    return names | {
        "j": 2,
        "a^{(0)}": 1,
        r"\mathbb{P}[x_{N+1} = j \mid x_1, \dots, x_N]": more / evidence,
        r"p(x_1, \dots, x_N)": evidence,
        r"B(\alpha_1 + N_1, \dots, \alpha_K + N_K)": math.exp(
            special.gammaln(urn.alpha + counts).sum()
            - special.gammaln((urn.alpha + counts).sum())
        ),
        r"B(\alpha)": math.exp(
            special.gammaln(urn.alpha).sum() - special.gammaln(urn.alpha.sum())
        ),
    }


@evaluated("thm-dirichlet-multinomial", links=5)
def _(rng):
    urn, total = Urn(rng), 4
    rows = np.array(
        [
            (i, j, total - i - j)
            for i in range(total + 1)
            for j in range(total + 1 - i)
        ]
    )
    p = np.array(
        [
            math.factorial(total)
            / math.prod(map(math.factorial, y))
            * urn.moment(y)
            for y in rows.tolist()
        ]
    )
    mean = p @ rows
    covariance = (rows - mean).T @ np.diag(p) @ (rows - mean)
    m = urn.alpha / urn.alpha.sum()
    multinomial = total * (np.diag(m) - np.outer(m, m))
    y = rows[7]
    return urn.names | {
        "M": total,
        "j": 1,
        "k": 3,
        "y_k": lambda k: y[k - 1],
        r"\mathbb{P}[y]": p[7],
        "m_j": m[0],
        "m_k": m[2],
        "r": covariance[0, 0] / multinomial[0, 0],
        r"\mathbb{E}[y_k]": mean[2],
        r"\operatorname{Var}[y_k]": covariance[2, 2],
        r"\operatorname{Cov}[y_j, y_k]": covariance[0, 2],
    }


# --- Gaussian and gamma -----------------------------------------------------


@evaluated("def-gg-family", links=2)
def _(rng):
    # The Gaussian laws, with T(x) = (x, x^2).
    m, sd, x = rng.normal(), rng.uniform(0.5, 2), rng.normal()
    eta = m / sd**2, -1 / (2 * sd**2)
    h = 1 / math.sqrt(2 * math.pi)
    return {
        r"p(x \mid \eta)": stats.norm.pdf(x, m, sd),
        "h(x)": h,
        "h": h,
        r"\eta \cdot T(x)": eta[0] * x + eta[1] * x**2,
        r"A(\eta)": m**2 / (2 * sd**2) + math.log(sd),
    }


@evaluated("thm-gg-mean", links=7)
def _(rng):
    m, v, variance = rng.normal(), *rng.uniform(0.5, 2, 2)
    x = rng.normal(size=4)

    def prior(mu):
        return stats.norm.pdf(mu, m, v**0.5)

    def density(x, mu):
        return stats.norm.pdf(x, mu, variance**0.5)

    def posterior(mu):
        """Return it, up to a factor."""
        return prior(mu) * math.prod(density(each, mu) for each in x)

    # The log density is a parabola: three points give its parameters.
    at = np.array([-1.0, 0.0, 1.0])
    bend, slope, _ = np.polyfit(at, np.log([*map(posterior, at)]), 2)
    total = integral(posterior, -9, 9)
    return {
        "m": m,
        "v_0": v,
        r"\sigma^2": variance,
        "N": 4,
        r"\bar x": x.mean(),
        "v_N": -1 / (2 * bend),
        "m_N": -slope / (2 * bend),
        # A law is compared by its density at one place.
        r"\mathcal{N}(": lambda mean, v: stats.norm.pdf(
            0.3, mean, math.sqrt(v)
        ),
    }, {
        r"posterior of \$\\mu\$ is": posterior(0.3) / total,
        r"x_N\$, the distribution": integral(
            lambda mu: posterior(mu) * density(0.3, mu), -9, 9
        )
        / total,
        "data, it has the distribution": integral(
            lambda mu: prior(mu) * density(0.3, mu), -9, 9
        ),
    }


@evaluated("def-gg-nig", links=1)
def _(rng):
    a, b, s = rng.uniform(0.5, 3, 3)
    return {
        "a": a,
        "b": b,
        r"\sigma^2": s,
        r"p(\sigma^2)": stats.invgamma.pdf(s, a, scale=b),
    }


@evaluated("thm-gg-nig", links=5)
def _(rng):
    m, (kappa, a, b) = rng.normal(), rng.uniform(0.5, 3, 3)
    x = rng.normal(size=5)

    def log(mu, v):
        """Return the log of prior and likelihood."""
        return (
            stats.invgamma.logpdf(v, a, scale=b)
            + stats.norm.logpdf(mu, m, (v / kappa) ** 0.5)
            + stats.norm.logpdf(x, mu, v**0.5).sum()
        )

    # A parabola in mu; then linear in log v and 1 / v.
    bend, slope, _ = np.polyfit(
        [-1, 0, 1], [log(mu, 1) for mu in (-1, 0, 1)], 2
    )
    mean, v = -slope / (2 * bend), np.array([0.5, 1, 2])
    design = np.c_[np.ones(3), -np.log(v), -1 / v]
    _, power, scale = np.linalg.solve(design, [log(mean, at) for at in v])
    return {
        "m": m,
        r"\kappa": kappa,
        "a": a,
        "b": b,
        "N": 5,
        r"\bar x": x.mean(),
        "s^2": x.var(),
        "x_i": lambda i: x[i],
        r"\sum_i": over(i=range(5)),
        r"\kappa_N": -2 * bend,
        "m_N": mean,
        "a_N": power - 3 / 2,
        "b_N": scale,
    }


@evaluated("def-gg-gamma", links=7)
def _(rng):
    alpha, beta, t = rng.uniform(1.2, 4, 3)
    law = stats.gamma(alpha, scale=1 / beta)
    mode = optimize.brentq(lambda x: (alpha - 1) / x - beta, 1e-9, 99)
    return {
        r"\alpha": alpha,
        r"\beta": beta,
        r"\lambda": t,
        r"p(\lambda)": law.pdf(t),
    }, {
        "Its mean is": law.mean(),
        "its variance": law.var(),
        "its mode is": mode,
    }


def gamma_parameters(log_density):
    """Return shape and rate of a gamma law: a log is linear in them."""
    at = np.array([0.5, 1.0, 2.0])
    design = np.c_[np.ones(3), np.log(at), -at]
    _, power, rate = np.linalg.solve(design, [*map(log_density, at)])
    return power + 1, rate


@evaluated("thm-gg-poisson", links=5)
def _(rng):
    alpha, beta, t = rng.uniform(1, 4, 3)
    law = stats.gamma(alpha, scale=1 / beta)
    k = 3
    y, exposures = rng.integers(0, 9, 4), rng.uniform(1, 3, 4)
    shape, rate = gamma_parameters(
        lambda at: (
            law.logpdf(at) + stats.poisson.logpmf(y, at * exposures).sum()
        )
    )
    mixed = integral(
        lambda rate: law.pdf(rate) * stats.poisson.pmf(k, rate * t), 0, np.inf
    )
    return {
        r"\alpha": alpha,
        r"\beta": beta,
        "t": t,
        "k": k,
        r"\mathbb{P}[Y = k]": mixed,
        "y_i": lambda i: y[i],
        "t_i": lambda i: exposures[i],
        r"\sum_i": over(i=range(4)),
    }, {
        "is the gamma distribution with": shape,
        r"y_i\$ and": rate,
        "with mean": law.mean() * t,
        "and variance": law.mean() * t + law.var() * t**2,
    }


@evaluated("thm-gg-exponential", links=4)
def _(rng):
    alpha, beta, x = rng.uniform(1, 4, 3)
    law = stats.gamma(alpha, scale=1 / beta)
    times = rng.exponential(size=4)
    shape, rate = gamma_parameters(
        lambda at: (
            law.logpdf(at) + stats.expon.logpdf(times, scale=1 / at).sum()
        )
    )
    survival = integral(
        lambda rate: law.pdf(rate) * math.exp(-rate * x), 0, np.inf
    )
    return {
        r"\alpha": alpha,
        r"\beta": beta,
        "x": x,
        r"\mathbb{P}[X > x]": survival,
        "N": 4,
        "x_i": lambda i: times[i],
        r"\sum_i": over(i=range(4)),
    }, {"is the gamma distribution with": shape, r"N\$ and": rate}


@evaluated("thm-gg-mixture", links=2)
def _(rng):
    prior, evidence = weights(rng, 3), rng.uniform(0.1, 1, 3)
    joint = prior * evidence
    return {
        "j": 1,
        "w_j'": (joint / joint.sum())[1],
        "w_j": lambda j: prior[j],
        "w_i": lambda i: prior[i],
        "p_j(x)": lambda j: evidence[j],
        "p_i(x)": lambda i: evidence[i],
        r"\sum_i": over(i=range(3)),
    }


@evaluated("thm-gg-moments", links=3)
def _(rng):
    # The gamma distributions with rate 1: T(x) = log x, A = log Gamma.
    eta, x = rng.uniform(1, 4), rng.uniform(0.5, 3, 3)
    at = np.linspace(-60, 5, 20_001)  # log x

    def mean(eta, function):
        """Return an expectation of a function of log x."""
        weight = np.exp(eta * at - np.exp(at))
        return weight @ function(at) / weight.sum()

    # The derivative of the log-likelihood vanishes.
    fitted = optimize.brentq(
        lambda eta: np.log(x).sum() - 3 * special.digamma(eta), 0.01, 20
    )
    expected = mean(eta, lambda t: t)
    return {
        r"A'(\eta)": special.digamma(eta),
        r"A''(\eta)": special.polygamma(1, eta),
        r"\mathbb{E}[T(x) \mid \eta]": expected,
        r"\operatorname{Var}[T(x) \mid \eta]": mean(
            eta, lambda t: (t - expected) ** 2
        ),
        r"\mathbb{E}[T(x) \mid \hat\eta]": mean(fitted, lambda t: t),
        "N": 3,
        "T(x_i)": lambda i: math.log(x[i - 1]),
    }


@evaluated("thm-gg-pattern", links=5)
def _(rng):
    # Poisson counts, eta the log of the rate: T(x) = x, A(eta) = e^eta.
    tau, nu = rng.uniform(0.5, 3, 2)
    x, new = rng.integers(0, 5, 3), 2

    def normaliser(tau, nu):
        return integral(
            lambda rate: rate ** (tau - 1) * math.exp(-nu * rate), 0, np.inf
        )

    def evidence(data):
        """Return the probability of counts under a gamma prior."""
        prior = stats.gamma(tau, scale=1 / nu)
        return integral(
            lambda rate: (
                prior.pdf(rate) * stats.poisson.pmf(data, rate).prod()
            ),
            0,
            np.inf,
        )

    return {
        r"\tau": tau,
        r"\nu": nu,
        r"\tau_n": tau + x[:2].sum(),
        r"\nu_n": nu + 2,
        r"\tau_N": tau + x.sum(),
        r"\nu_N": nu + 3,
        "n": 2,
        "N": 3,
        "Z(": normaliser,
        "T(x_i)": lambda i: x[i - 1],
        "T(x)": new,
        "h(x)": 1 / math.factorial(new),
        "h(x_i)": lambda i: 1 / math.factorial(x[i - 1]),
    }, {
        "The evidence is": evidence(x),
        "next observation is": evidence([*x, new]) / evidence(x),
    }
