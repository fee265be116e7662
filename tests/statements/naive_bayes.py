"""Numbers for the statements of Part V: naive Bayes."""

import math

import numpy as np
from scipy import special, stats

import bayesbook as bb
from statements import evaluated, over, weights

CLASSES, FEATURES = 4, 3


def rows(rng, n=20):
    """Return random classes and features; every class has rows."""
    y = np.r_[0:CLASSES, rng.integers(0, CLASSES, n - CLASSES)]
    return y, rng.integers(0, 2, (n, FEATURES))


def bernoulli(rng):
    """Return parameters, and the names that they have."""
    pi, p = weights(rng, CLASSES), rng.uniform(0.1, 0.9, (CLASSES, FEATURES))
    x = rng.integers(0, 2, FEATURES)
    given = np.where(x, p, 1 - p)
    return (
        pi,
        p,
        x,
        {
            "k": 1,
            "l": 2,
            "m": 3,
            "K": CLASSES,
            "M": FEATURES,
            r"\pi_k": lambda k: pi[k - 1],
            r"\pi_l": lambda l: pi[l - 1],  # noqa: E741
            "p_{km}": lambda k, m: p[k - 1, m - 1],
            "p_{lm}": lambda l, m: p[l - 1, m - 1],  # noqa: E741
            "x_m": lambda m: x[m - 1],
            r"p(x_m \mid c_k)": lambda k, m: given[k - 1, m - 1],
        },
    )


@evaluated("def-nb-model", links=5)
def _(rng):
    pi, _, _, names = bernoulli(rng)
    given = [names[r"p(x_m \mid c_k)"](1, m) for m in (1, 2, 3)]
    return names | {
        "p(x, c_k)": pi[0] * np.prod(given),
        r"\mathbb{P}[c_k]": pi[0],
        r"\mathbb{P}[x_m = 1 \mid c_k]": names["p_{km}"](1, 3),
    }


def counts(rng):
    y, x = rows(rng)
    n_k = np.bincount(y, minlength=CLASSES)
    n_km = np.array([x[y == k].sum(0) for k in range(CLASSES)])
    return (
        y,
        x,
        {
            "N": len(y),
            "K": CLASSES,
            "M": FEATURES,
            "N_k": lambda k: n_k[k - 1],
            "N_{km}": lambda k, m: n_km[k - 1, m - 1],
        },
    )


@evaluated("thm-nb-split", links=3)
def _(rng):
    y, x, names = counts(rng)
    pi, p, _, parameters = bernoulli(rng)

    def log(k, m):
        of_class = x[y == k - 1, m - 1]
        return -stats.bernoulli.logpmf(of_class, p[k - 1, m - 1]).sum()

    joint = [
        math.log(pi[k]) + stats.bernoulli.logpmf(row, p[k]).sum()
        for k, row in zip(y, x, strict=True)
    ]
    return (
        parameters
        | names
        | {
            r"J_0(\pi)": -np.log(pi[y]).sum(),
            "J_0": -np.log(pi[y]).sum(),
            "J_{km}": log,
            "J_{km}(p_{km})": log,
            r"\log p(x_n, c_n)": lambda n: joint[n - 1],
        }
    )


@evaluated("cor-nb-mle", links=3, without=r"If a class.*")
def _(rng):
    y, x, names = counts(rng)
    # As the fit of the library does, without smoothing.
    model = bb.BernoulliNB(alpha=0, class_alpha=0).fit(x, y)
    return names | {
        "k": 1,
        "m": 2,
        r"\hat\pi_k": math.exp(model.class_log_prior_[0]),
        r"\hat p_{km}": math.exp(model.feature_log_prob_[0, 1]),
    }


@evaluated("thm-nb-linear", links=6)
def _(rng):
    pi, p, x, names = bernoulli(rng)
    pi, p = pi[:2], p[:2]  # of the classes k and l
    joint = pi * np.where(x, p, 1 - p).prod(1)
    log = [
        np.log(np.where(at, p, 1 - p)).sum(1) for at in ([0, 0, 0], [0, 0, 1])
    ]
    # A line: its offset at x = 0, its slope where one feature changes.
    offset = np.subtract(*(np.log(pi) + log[0]))
    slope = np.subtract(*(log[1] - log[0]))
    slopes = [
        np.subtract(*np.log(p[:, j] / (1 - p[:, j]))) for j in range(2)
    ] + [slope]
    ratio = r"\log \frac{\mathbb{P}[c_k \mid x]}{\mathbb{P}[c_l \mid x]}"
    return names | {
        ratio: np.subtract(*np.log(joint)),
        "b": offset,
        "w_m": lambda m: slopes[m - 1],
    }


@evaluated("prop-nb-lse", links=1)
def _(rng):
    s = rng.normal(scale=5, size=4)
    return {
        "K": 4,
        r"\log \sum_{k=1}^K e^{s_k}": special.logsumexp(s),
        "s_k": lambda k: s[k - 1],
        r"s_{\max}": s.max(),
    }


def log_evidence(y, x, alpha, beta):
    """Return the log probability of rows, averaged over the parameters."""
    n_k = np.bincount(y, minlength=CLASSES)
    total = special.gammaln(CLASSES * alpha) - CLASSES * special.gammaln(alpha)
    total += special.gammaln(alpha + n_k).sum()
    total -= special.gammaln(CLASSES * alpha + len(y))
    for k in range(CLASSES):
        hits = x[y == k].sum(0)
        total += special.betaln(beta + hits, beta + n_k[k] - hits).sum()
        total -= FEATURES * special.betaln(beta, beta)
    return total


@evaluated("thm-nb-smoothing", links=4)
def _(rng):
    y, x, names = counts(rng)
    alpha, beta = rng.uniform(0.5, 3, 2)
    of_class = np.r_[alpha + np.bincount(y)]
    new = rng.integers(0, 2, FEATURES)

    def of_feature(k, m):
        own = x[y == k - 1, m - 1]
        return stats.beta.mean(beta + own.sum(), beta + (1 - own).sum())

    before = log_evidence(y, x, alpha, beta)
    after = log_evidence(np.r_[y, 0], np.vstack([x, new]), alpha, beta)
    return names | {
        "k": 1,
        "m": 2,
        r"\alpha": alpha,
        r"\beta": beta,
        r"\bar\pi_k": stats.dirichlet.mean(of_class)[0],
        r"\bar p_{km}": of_feature,
        "x_m": lambda m: new[m - 1],
    }, {r"of class \$k\$, is": np.exp(after - before)}


# --- Features ---------------------------------------------------------------


@evaluated("def-features-categorical", links=3, without=r"\(if .*?\)")
def _(rng):
    n, pseudo = 15, rng.uniform(0.5, 2)
    y, x = np.r_[0, 1, rng.integers(0, 2, n - 2)], rng.integers(0, 3, n)
    model = bb.CategoricalNB(
        alpha=pseudo, class_alpha=pseudo, min_categories=3
    ).fit(x[:, None], y)
    return {
        "N": n,
        "K": 2,
        r"\lambda": pseudo,
        "N_k": (y == 1).sum(),
        "N_{kjs}": ((y == 1) & (x == 2)).sum(),
        "S_j": 3,
        r"\hat\pi_k": math.exp(model.class_log_prior_[1]),
        r"\hat\theta_{kjs}": math.exp(model.feature_log_prob_[0][1, 2]),
    }


@evaluated("def-features-gaussian", links=2)
def _(rng):
    x, mean, sd = rng.normal(), rng.normal(), rng.uniform(0.5, 2)
    return {
        "x": x,
        r"\pi": math.pi,
        r"\mu_{kj}": mean,
        r"\sigma_{kj}": sd,
        "p_{kj}(x)": stats.norm.pdf(x, mean, sd),
    }


@evaluated("prop-features-density", links=1)
def _(rng):
    pi, mean, x = weights(rng, 3), rng.normal(size=3), rng.normal()
    width = 1e-5
    inside = (
        pi
        * np.diff(
            stats.norm.cdf([x - width / 2, x + width / 2], mean[:, None]),
            axis=1,
        ).ravel()
    )
    names = {
        "k": 1,
        r"\pi_k": lambda k: pi[k],
        r"\pi_i": lambda i: pi[i],
        "p_k(x)": lambda k: stats.norm.pdf(x, mean[k]),
        "p_i(x)": lambda i: stats.norm.pdf(x, mean[i]),
        r"\sum_i": over(i=range(3)),
    }
    return names, {r"tends to": inside[1] / inside.sum()}


@evaluated("thm-features-quadratic", links=1, without=r"It is linear.*")
def _(rng):
    x, means, sds = rng.normal(), rng.normal(size=2), rng.uniform(0.5, 2, 2)
    log = stats.norm.logpdf(x, means, sds)
    return {
        "x": x,
        r"\mu_0": means[0],
        r"\mu_1": means[1],
        r"\sigma_0": sds[0],
        r"\sigma_1": sds[1],
        r"\log \frac{p_1(x)}{p_0(x)}": log[1] - log[0],
    }


@evaluated("cor-features-equal", links=2)
def _(rng):
    pi, sds = weights(rng, 2), rng.uniform(0.5, 2, 3)
    means = rng.normal(size=(2, 3))

    def log_odds(x):
        log = stats.norm.logpdf(x, means, sds).sum(axis=1) + np.log(pi)
        return log[1] - log[0]

    at_zero = log_odds(np.zeros(3))
    return {
        r"\mu_{1j}": lambda j: means[1, j],
        r"\mu_{0j}": lambda j: means[0, j],
        r"\sigma_j": lambda j: sds[j],
        "j": 1,
        r"\pi_1": pi[1],
        r"\pi_0": pi[0],
        "w_0": at_zero,
        "w_j": lambda j: log_odds(np.eye(3)[j]) - at_zero,
        r"\sum_j": over(j=range(3)),
    }


@evaluated("eq-features-merge", links=1)
def _(rng):
    first, second = rng.normal(size=6), rng.normal(2, 3, size=4)
    both = np.r_[first, second]
    return {
        "N": len(both),
        "N_1": len(first),
        "N_2": len(second),
        r"\bar x_1": first.mean(),
        r"\bar x_2": second.mean(),
        "s_1": first.std(),
        "s_2": second.std(),
        "s": both.std(),
    }


@evaluated("prop-features-missing", links=1)
def _(rng):
    pi, p = (
        weights(rng, 2),
        [[weights(rng, 3) for _ in range(3)] for _ in "ab"],
    )
    seen = {0: 2, 2: 1}  # the second one is missing
    total = sum(
        pi[1] * p[1][0][2] * p[1][1][missing] * p[1][2][1]
        for missing in range(3)
    )
    return {
        "p(y = k, x_O)": total,
        r"\pi_k": pi[1],
        "p_{kj}(x_j)": lambda j: p[1][j][seen[j]],
        r"\prod_{j \in O}": over(j=seen),
    }


@evaluated("thm-features-bayes", links=3)
def _(rng):
    pi, theta = rng.uniform(0.5, 3, 2), rng.uniform(0.5, 3, (2, 3))
    n = rng.integers(1, 5, (2, 3))  # of an attribute with three states
    of_class = stats.dirichlet.mean(pi + n.sum(1))
    of = [stats.dirichlet.mean(row) for row in theta + n]
    return {
        "N": n.sum(),
        "N_k": n[1].sum(),
        r"\alpha_k": pi[1],
        r"\alpha_0": pi.sum(),
        "N_{kjs}": n[1, 2],
        r"\beta_{kjs}": theta[1, 2],
        r"\beta_{kj0}": theta[1].sum(),
        r"p(y = k, x \mid D)": of_class[1] * of[1][0] * of[1][2],
        r"\mathbb{E}[\pi_k \mid D]": of_class[1],
        r"\mathbb{E}[\theta_{k j x_j} \mid D]": lambda j: of[1][(0, 2)[j]],
        r"\mathbb{E}[\theta_{kjs} \mid D]": of[1][2],
        r"\prod_j": over(j=range(2)),
    }


@evaluated("thm-features-everywhere", links=7, without="and for .*no mode;")
def _(rng):
    n, a, b = int(rng.integers(2, 9)), *rng.uniform(1.2, 3, 2)
    up, down = n + a - 1, b - 1  # all n documents have the word
    return {
        "N_k": n,
        "a": a,
        "b": b,
        r"\hat\theta_k": up / (up + down),
        r"\bar\theta_k": stats.beta.mean(n + a, b),
    }


def entropy(p):
    return stats.entropy(np.ravel(p))


@evaluated("def-features-information", links=2, without=r"where \$H.*")
def _(rng):
    p = weights(rng, 3, 2)
    x, y = p.sum(1), p.sum(0)
    return {
        "I(X; Y)": entropy(x) + entropy(y) - entropy(p),
        "H(X)": entropy(x),
        r"H(X \mid Y = y)": lambda y: entropy(p[:, y] / p[:, y].sum()),
        "p(x, y)": lambda x, y: p[x, y],
        "p(x)": lambda x: p[x].sum(),
        "p(y)": lambda y: p[:, y].sum(),
        r"\sum_{x, y}": over(x=range(3), y=range(2)),
        r"\sum_y": over(y=range(2)),
    }


@evaluated("thm-features-mi", links=4)
def _(rng):
    pi, p = weights(rng, 3), rng.uniform(0.1, 0.9, 3)
    joint = pi[:, None] * np.c_[p, 1 - p]
    x = joint.sum(0)
    information = entropy(pi) + entropy(x) - entropy(joint)
    return {
        "I_m": information,
        r"\pi_k": lambda k: pi[k],
        "p_{km}": lambda k: p[k],
        r"\bar p_m": x[0],
        "h(": lambda p: entropy([p, 1 - p]),
        "p": 0.3,
        r"\sum_k": over(k=range(3)),
    }, {"which is": information}


@evaluated("prop-features-correlated", links=7)
def _(rng):
    rho, delta, x = (
        rng.uniform(0.1, 0.9),
        rng.uniform(0.5, 2),
        rng.normal(size=2),
    )
    inverse = np.linalg.inv([[1, rho], [rho, 1]])
    alike = np.array([1, 1])
    sd = math.sqrt(delta**2 * inverse[0, 0])
    return {
        r"\varrho": rho,
        r"\delta": delta,
        r"d^{\mathsf T} x": alike @ x,
        "x_1": x[0],
        "x_2": x[1],
    }, {
        "the true ones are": alike @ inverse @ x,
        r"\\delta > 0\$, they are": np.array([delta, 0]) @ inverse @ x,
        r"errs with probability": stats.norm.cdf(-delta / 2),
        "the best rule with probability": stats.norm.cdf(-sd / 2),
    }


# --- Text -------------------------------------------------------------------


@evaluated("def-text-bag", links=1)
def _(rng):
    document = rng.integers(0, 4, size=7)  # seven of four words
    return {
        "n": len(document),
        "x_m": lambda m: (document == m).sum(),
        r"\sum_m": over(m=range(4)),
    }


@evaluated("thm-text-dcm", links=2)
def _(rng):
    alpha, x = rng.uniform(0.3, 3, 4), np.array([2, 0, 3, 1])
    found, balls = 1.0, alpha.copy()
    for m in np.repeat(np.arange(4), x):  # Polya's urn
        found *= balls[m] / balls.sum()
        balls[m] += 1
    return {
        r"p(w \mid \alpha)": found,
        "n": x.sum(),
        "x_m": lambda m: x[m],
        r"\alpha_m": lambda m: alpha[m],
        r"\alpha_0": alpha.sum(),
        r"\prod_{m : x_m > 0}": over(m=[0, 2, 3]),
    }


@evaluated("eq-text-models", links=3)
def _(rng):
    p, theta = rng.uniform(0.1, 0.9, 4), weights(rng, 4)
    b, words = [1, 0, 1, 1], [3, 1, 4, 1, 3]
    return {
        r"\mathbb{P}_{\text{Bernoulli}}[b \mid c]": np.exp(
            stats.bernoulli.logpmf(b, p).sum()
        ),
        r"\mathbb{P}_{\text{multinomial}}[w_1, \dots, w_n \mid c]": np.exp(
            stats.multinomial(5, theta).logpmf([2, 0, 2, 1])
        )
        / (math.factorial(5) / 4),
        "M": 4,
        "n": 5,
        "p_{cm}": lambda m: p[m - 1],
        "b_m": lambda m: b[m - 1],
        r"\theta_{c w_i}": lambda i: theta[words[i - 1] - 1],
        r"\theta_{cm}": lambda m: theta[m - 1],
        "x_m": lambda m: words.count(m),
    }


@evaluated("eq-text-empty", links=1)
def _(rng):
    p, b = rng.uniform(0.1, 0.9, 4), np.array([1, 0, 1, 1])
    return {
        r"\log \mathbb{P}[b \mid c]": stats.bernoulli.logpmf(b, p).sum(),
        "M": 4,
        "p_{cm}": lambda m: p[m - 1],
        r"\sum_{m : b_m = 1}": over(m=np.flatnonzero(b) + 1),
    }


@evaluated("eq-text-again", links=1)
def _(rng):
    alpha = rng.uniform(0.3, 3, 4)
    return {
        r"\alpha_m": alpha[1],
        r"\alpha_0": alpha.sum(),
        r"\mu_m": alpha[1] / alpha.sum(),
    }


@evaluated("eq-text-newton", links=1)
def _(rng):
    B, C, g = rng.uniform(1, 3, 3), 0.2, rng.normal(size=3)
    step = np.linalg.solve(C - np.diag(B), -g)
    return {
        "S": step.sum(),
        "C": C,
        r"\sum_m": over(m=range(3)),
        "g_m": lambda m: g[m],
        "B_m": lambda m: B[m],
    }


@evaluated("eq-text-bigram", links=1)
def _(rng):
    s, theta, after = 5, weights(rng, 3), np.array([4, 0, 2])
    model = bb.DirichletCategorical(s * theta).update(counts=after)
    return {
        r"\mathbb{P}[w \mid u]": model.mean()[0],
        "N_{uw}": after[0],
        "N_u": after.sum(),
        "s": s,
        r"\theta_w": theta[0],
    }


# --- Semi-naive Bayes -------------------------------------------------------


@evaluated("def-semi-naive-cmi", links=1)
def _(rng):
    p = weights(rng, 2, 3, 2)  # X, Y, C
    c = p.sum((0, 1))
    information = (
        entropy(p.sum(1)) + entropy(p.sum(0)) - entropy(p) - entropy(c)
    )
    return {
        r"I(X; Y \mid C)": information,
        "p(x, y, c)": lambda x, y, c: p[x, y, c],
        r"p(x, y \mid c)": lambda x, y, c: p[x, y, c] / p[:, :, c].sum(),
        r"p(x \mid c)": lambda x, c: p[x, :, c].sum() / p[:, :, c].sum(),
        r"p(y \mid c)": lambda y, c: p[:, y, c].sum() / p[:, :, c].sum(),
        r"\sum_{x, y, c}": over(x=range(2), y=range(3), c=range(2)),
    }


@evaluated("eq-semi-naive-entropies", links=1)
def _(rng):
    p = weights(rng, 2, 3, 2)  # X, Y, C
    given = p / p.sum((0, 1))
    independent = given.sum(1)[:, None] * given.sum(0)[None]
    return {
        r"I(X; Y \mid C)": (p * np.log(given / independent)).sum(),
        "H(X, C)": entropy(p.sum(1)),
        "H(Y, C)": entropy(p.sum(0)),
        "H(X, Y, C)": entropy(p),
        "H(C)": entropy(p.sum((0, 1))),
    }


@evaluated("eq-semi-naive-bias", links=1)
def _(rng):
    q, r = rng.uniform(size=7), 0.3
    return {
        r"\mathbb{E}\bigl[ (q - r)^2 \bigr]": ((q - r) ** 2).mean(),
        r"\mathbb{E}[q]": q.mean(),
        "r": r,
        r"\operatorname{Var}(q)": q.var(),
    }


@evaluated("def-semi-naive-aode", links=1)
def _(rng):
    joint = rng.uniform(0.1, 1, 3)  # p(c, x_i) for three columns
    given = rng.uniform(0.1, 1, (3, 3))  # p(x_j | c, x_i)
    used = [0, 2]
    spode = [
        joint[i] * math.prod(given[i, j] for j in range(3) if j != i)
        for i in used
    ]
    return {
        "p(c, x)": np.mean(spode),
        "|Q|": 2,
        r"\sum_{i \in Q}": over(i=used),
        "p(c, x_i)": lambda i: joint[i],
        r"\prod_{j \ne i} p(x_j \mid c, x_i)": lambda i: math.prod(
            given[i, j] for j in range(3) if j != i
        ),
    }


@evaluated("thm-semi-naive-tan", links=1)
def _(rng):
    rows = rng.integers(0, 2, (40, 4))  # three columns and the class
    parents = {0: [], 1: [0], 2: [0]}  # a tree with the root 0

    def joint(*columns):
        return entropy(
            np.unique(rows[:, columns], axis=0, return_counts=True)[1]
        )

    def conditional(j):
        return joint(j, 3) - joint(3)

    def information(i, j):
        return conditional(i) + conditional(j) - joint(i, j, 3) + joint(3)

    # The largest log-likelihood, of each row given what it depends on.
    largest = -len(rows) * joint(3) - len(rows) * sum(
        joint(j, *above, 3) - joint(*above, 3) for j, above in parents.items()
    )
    return {
        "N": len(rows),
        "M": 3,
        "H(C)": joint(3),
        r"H(X_j \mid C)": lambda j: conditional(j - 1),
        "I_{ij}": information,
        r"\sum_{ij \in T}": [{"i": 0, "j": 1}, {"i": 0, "j": 2}],
    }, {"likelihood is": largest}
