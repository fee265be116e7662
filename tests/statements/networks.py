"""Numbers for the statements of Parts II and VI: graphs and networks."""

import math
from itertools import combinations, permutations, product

import numpy as np
from scipy import optimize, special, stats

from statements import evaluated, over, weights

# X -> Z <- Y, and Z -> W: the parents of each node.
PARENTS = {1: (), 2: (), 3: (1, 2), 4: (3,)}


class Network:
    """A network of four binary nodes, and what it says of all rows."""

    def __init__(self, rng):
        self.tables = {
            (node, above): weights(rng, 2)
            for node, parents in PARENTS.items()
            for above in product((0, 1), repeat=len(parents))
        }
        self.rows = [*product((0, 1), repeat=4)]
        self.p = {row: self.probability(row) for row in self.rows}

    def factor(self, node, row):
        above = tuple(row[parent - 1] for parent in PARENTS[node])
        return self.tables[node, above][row[node - 1]]

    def probability(self, row):
        return math.prod(self.factor(node, row) for node in PARENTS)


def drawn(rng, n=30):
    return [tuple(row) for row in rng.integers(0, 2, (n, 4)).tolist()]


def counted(rows, weights_of=None):
    """Return N_i(u, s), counted row by row."""
    found = {}
    for row, weight in zip(rows, weights_of or [1] * len(rows), strict=True):
        for node, parents in PARENTS.items():
            above = tuple(row[parent - 1] for parent in parents)
            key = node, above, row[node - 1]
            found[key] = found.get(key, 0) + weight
    return found


FAMILIES = [
    {"i": node, "u": above}
    for node, parents in PARENTS.items()
    for above in product((0, 1), repeat=len(parents))
]


def family_names(found, prior=None):
    """Return names of counts, of node i with its parents in u in state s."""
    prior = prior or {}

    def count(i, u, s):
        return found.get((i, u, s), 0)

    def strength(i, u, s):
        return prior.get((i, u, s), 0)

    return {
        "n": 4,
        "N_i(u, s)": count,
        "N_i(u)": lambda i, u: count(i, u, 0) + count(i, u, 1),
        r"\alpha_i(u, s)": strength,
        r"\alpha_i(u)": lambda i, u: strength(i, u, 0) + strength(i, u, 1),
        r"\sum_s": over(s=(0, 1)),
        r"\prod_s": over(s=(0, 1)),
    }


@evaluated("def-three-factorises", links=1)
def _(rng):
    network, row = Network(rng), (0, 1, 1, 0)
    return {
        r"p(x_1, \dots, x_n)": network.p[row],
        "n": 4,
        r"q_i\bigl(x_i \mid x_{\mathrm{pa}(i)}\bigr)": lambda i: (
            network.factor(i, row)
        ),
    }


@evaluated("def-representation-network", links=1)
def _(rng):
    network, row = Network(rng), (1, 1, 0, 0)
    return {
        r"p(x_1, \dots, x_n)": network.p[row],
        "n": 4,
        r"\theta_i\bigl(x_i \mid x_{\mathrm{pa}(i)}\bigr)": (
            lambda i: network.factor(i, row)
        ),
    }


@evaluated("def-representation-noisy-or", links=1)
def _(rng):
    leak, strengths, present = (
        rng.uniform(size=()),
        rng.uniform(size=3),
        [0, 2],
    )
    # Nobody succeeds: of all cases of who succeeds, the one without.
    chances = [leak, *strengths[present]]
    none = sum(
        math.prod(
            c if hit else 1 - c for c, hit in zip(chances, hits, strict=True)
        )
        for hits in product((0, 1), repeat=3)
        if not any(hits)
    )
    return {
        r"\theta(Y = \text{no} \mid x)": none,
        r"\lambda_0": leak,
        r"\lambda_i": lambda i: strengths[i],
        r"\prod_{i \,:\, x_i = \text{yes}}": over(i=present),
    }


@evaluated("thm-learning-mle", links=1)
def _(rng):
    rows = drawn(rng)
    found = counted(rows)
    # The largest log-likelihood, from the rows one by one.
    largest = sum(
        math.log(
            found[i, u := tuple(row[j - 1] for j in PARENTS[i]), row[i - 1]]
            / (found.get((i, u, 0), 0) + found.get((i, u, 1), 0))
        )
        for row in rows
        for i in PARENTS
    )

    def entropy(i):
        """Of a node given its parents, by the entropies of both together."""
        both, above = {}, {}
        for row in rows:
            u = tuple(row[j - 1] for j in PARENTS[i])
            both[u, row[i - 1]] = both.get((u, row[i - 1]), 0) + 1
            above[u] = above.get(u, 0) + 1
        return stats.entropy([*both.values()]) - stats.entropy(
            [*above.values()]
        )

    return {
        r"\mathrm{LL}(G)": largest,
        "N": len(rows),
        "n": 4,
        r"\hat H(X_i \mid X_{\mathrm{pa}(i)})": entropy,
    }


@evaluated("thm-learning-dirichlet", links=2)
def _(rng):
    found = counted(drawn(rng))
    prior = {
        (f["i"], f["u"], s): rng.uniform(0.5, 3)
        for f in FAMILIES
        for s in (0, 1)
    }
    i, u, s = 3, (0, 1), 1
    above = [prior[i, u, t] + found.get((i, u, t), 0) for t in (0, 1)]
    return family_names(found, prior) | {
        "i": i,
        "u": u,
        "s": s,
        r"\tilde\theta_i(s \mid u)": stats.dirichlet.mean(above)[s],
    }


@evaluated("thm-learning-evidence", links=1)
def _(rng):
    rows = drawn(rng, 6)
    prior = {
        (f["i"], f["u"], s): rng.uniform(0.5, 3)
        for f in FAMILIES
        for s in (0, 1)
    }
    evidence, seen = 1.0, dict(prior)
    for row in rows:  # one prediction after the other
        for i in PARENTS:
            u = tuple(row[j - 1] for j in PARENTS[i])
            evidence *= seen[i, u, row[i - 1]] / (
                seen[i, u, 0] + seen[i, u, 1]
            )
            seen[i, u, row[i - 1]] += 1
    # The sum over u depends on i: rows of other nodes count as one.
    names = family_names(counted(rows), prior)
    return names | {
        r"p(D \mid G)": evidence,
        r"\prod_u": over(u=[*product((0, 1), repeat=2), (0,), (1,), ()]),
        r"\alpha_i(u)": lambda i, u: names[r"\alpha_i(u)"](i, u) or 1,
        r"\alpha_i(u, s)": lambda i, u, s: (
            names[r"\alpha_i(u, s)"](i, u, s) or 1
        ),
    }


def number_of_dags(n):
    """Count acyclic graphs by trying all."""
    pairs = [*permutations(range(n), 2)]
    return sum(
        is_acyclic(
            n,
            [pair for pair, there in zip(pairs, chosen, strict=True) if there],
        )
        for chosen in product((0, 1), repeat=len(pairs))
    )


def is_acyclic(n, arrows):
    matrix = np.zeros((n, n), int)
    matrix[tuple(np.transpose(arrows).astype(int))] = 1 if arrows else 0
    return not any(
        np.trace(np.linalg.matrix_power(matrix, k)) for k in range(1, n + 1)
    )


NUMBERS = {0: 1, 1: 1, 2: 3, 3: 25, 4: 543}  # OEIS A003024


@evaluated("thm-learning-robinson", links=2)
def _(rng):
    n = int(rng.integers(2, 5))
    return {
        "n": n,
        "a_n": number_of_dags(n) if n < 4 else NUMBERS[4],
        "a_0": 1,
        "a_{n-k}": lambda n, k: NUMBERS[n - k],
    }


# --- Hidden variables -------------------------------------------------------


class Mixture:
    """Two hidden classes, three binary columns, and some rows."""

    def __init__(self, rng):
        self.pi = weights(rng, 2)
        self.theta = np.array(
            [[weights(rng, 2) for _ in range(3)] for _ in "ab"]
        )
        self.rows = rng.integers(0, 2, (8, 3))

    def joint(self, pi, theta):
        """Return P(x_n, z) for each row and class."""
        return np.array(
            [
                [
                    pi[z]
                    * math.prod(theta[z, j, x] for j, x in enumerate(row))
                    for z in (0, 1)
                ]
                for row in self.rows
            ]
        )


@evaluated("def-em-gaussian", links=1)
def _(rng):
    pi, x, means = weights(rng, 3), rng.normal(size=2), rng.normal(size=(3, 2))
    roots = rng.normal(size=(3, 2, 2))
    covs = [root @ root.T + np.eye(2) for root in roots]
    parts = [
        stats.multivariate_normal(mean, cov).pdf(x)
        for mean, cov in zip(means, covs, strict=True)
    ]
    return {
        "K": 3,
        r"p(x \mid \theta)": pi @ parts,
        r"\pi_k": lambda k: pi[k - 1],
        r"\varphi(x; \mu_k, \Sigma_k)": lambda k: parts[k - 1],
    }


@evaluated("def-em-likelihood", links=1)
def _(rng):
    model = Mixture(rng)
    joint = model.joint(model.pi, model.theta)
    return {
        r"\ell(\theta)": np.log(joint.sum(1)).sum(),
        "N": 8,
        r"P(x_n, z \mid \theta)": lambda n, z: joint[n - 1, z],
        r"\sum_z": over(z=(0, 1)),
    }


@evaluated("thm-em-ignorable", links=1)
def _(rng):
    law, other = weights(rng, 2, 2), weights(rng, 2, 2)
    # The first of two values decides how often the second is seen.
    chance = rng.uniform(0.1, 0.9, 2)
    rows = rng.integers(0, 2, (9, 3))  # both values, and the mask

    def of_seen(law):
        return [law[a, b] if mask else law[a].sum() for a, b, mask in rows]

    def with_masks(law):
        seen = law * chance[:, None]  # P(x, second is seen)
        hidden = (law - seen).sum(1)
        return math.prod(
            seen[a, b] if mask else hidden[a] for a, b, mask in rows
        )

    # The factor is the same for all laws; so it is found with another one.
    factor = with_masks(other) / math.prod(of_seen(other))
    return {
        r"P(x_{n, \mathrm{obs}} \mid \theta)": lambda n: of_seen(law)[n],
        r"\prod_n": over(n=range(9)),
    }, {"masks included, is": with_masks(law) / factor}


@evaluated("def-em-algorithm", links=2)
def _(rng):
    model = Mixture(rng)
    before = model.joint(model.pi, model.theta)
    other = Mixture(rng)
    log = np.log(model.joint(other.pi, other.theta))
    # The expectation of a row's logarithm, from the odds of its two classes.
    odds = before[:, 1] / before[:, 0]
    found = ((log[:, 0] + odds * log[:, 1]) / (1 + odds)).sum()
    posterior = [1 / (1 + odds), odds / (1 + odds)]
    return {
        "n": 0,
        "z": 1,
        "q_n(z)": lambda n, z: posterior[z][n],
        r"P(z \mid x_n, \theta^t)": lambda z, n: (
            before[n, z] / before[n].sum()
        ),
        r"Q(\theta \mid \theta^t)": found,
        r"\log P(x_n, z \mid \theta)": lambda n, z: log[n, z],
        r"\sum_n": over(n=range(8)),
        r"\sum_z": over(z=(0, 1)),
    }


@evaluated("prop-em-map", links=2)
def _(rng):
    counts, alpha = rng.uniform(0, 5, 3), rng.uniform(1, 3, 3)

    def slopes(odds):
        """Of the expected log-likelihood and the log-density together."""
        p = special.softmax([0, *odds])
        score = np.eye(3) - p  # of log p(s) in the odds, for each s
        return ((counts + alpha - 1) @ score)[1:]

    best = special.softmax([0, *optimize.root(slopes, [0, 0], tol=1e-14).x])
    total = sum(counts) + sum(alpha) - 3
    return {
        r"\alpha_{ius}": alpha[1],
        r"\bar N_{ius}": counts[1],
        r"\sum_{s'} (\bar N_{ius'} + \alpha_{ius'} - 1)": total,
        r"\theta_i^{t+1}(s \mid u)": best[1],
    }


@evaluated("def-em-classes", links=1)
def _(rng):
    model = Mixture(rng)
    joint = model.joint(model.pi, model.theta)
    row = model.rows[0]
    return {
        r"P(x \mid \theta)": joint[0].sum(),
        "K": 2,
        "M": 3,
        r"\pi_k": lambda k: model.pi[k - 1],
        r"\theta_{kj}(x_j)": lambda k, j: model.theta[
            k - 1, j - 1, row[j - 1]
        ],
    }


@evaluated("prop-em-m-step", links=3, without=r"Then \$Q.*?largest for")
def _(rng):
    model = Mixture(rng)
    joint = model.joint(model.pi, model.theta)
    z, j = 1, 2  # u is the class, s the state of the last column
    q = (joint / joint.sum(1, keepdims=True))[:, z]

    def expected(s):
        return sum(
            share
            for share, row in zip(q, model.rows, strict=True)
            if row[j] == s
        )

    return {
        "s": 0,
        r"\bar N_{ius}": expected,
        r"\bar N_{iu}": q.sum(),
        r"P(s, u \mid x_n, \theta^t)": lambda n, s: (
            q[n] * (model.rows[n, j] == s)
        ),
        r"\sum_n": over(n=range(8)),
        r"\sum_s": over(s=(0, 1)),
        r"\theta_i^{t+1}(s \mid u)": expected(0) / (expected(0) + expected(1)),
    }


@evaluated("thm-em-monotone", links=4)
def _(rng):
    model = Mixture(rng)
    joint = model.joint(model.pi, model.theta)
    q = np.array([weights(rng, 2) for _ in range(8)])
    posterior = joint / joint.sum(1, keepdims=True)
    divergence = [
        stats.entropy(*pair) for pair in zip(q, posterior, strict=True)
    ]
    log_likelihood = np.log(joint.sum(1)).sum()
    pi = posterior.mean(0)  # an iteration of EM
    theta = np.empty((2, 3, 2))
    for z, j, s in np.ndindex(2, 3, 2):
        theta[z, j, s] = posterior[model.rows[:, j] == s, z].sum()
    theta /= theta.sum(2, keepdims=True)
    return {
        r"\mathcal{F}(q, \theta)": log_likelihood - sum(divergence),
        r"P(x_n, z \mid \theta)": lambda n, z: joint[n, z],
        "q_n(z)": lambda n, z: q[n, z],
        r"\ell(\theta)": log_likelihood,
        r"D\bigl(q_n \,\|\, P(z \mid x_n, \theta)\bigr)": lambda n: divergence[
            n
        ],
        r"\ell(\theta^{t+1})": np.log(model.joint(pi, theta).sum(1)).sum(),
        r"\ell(\theta^t)": log_likelihood,
        r"\sum_n": over(n=range(8)),
        r"\sum_z": over(z=(0, 1)),
    }


@evaluated("prop-em-saddle", links=3, without=r"\(a\) From .*?stays there.")
def _(rng):
    m, heads = 5, rng.integers(0, 6, 12)
    c = heads.mean() / m

    def multiplied(gamma, delta):
        """Return by what one iteration multiplies a small difference."""
        a, b = c + gamma + delta, c + gamma - delta
        first = a**heads * (1 - a) ** (m - heads)
        second = b**heads * (1 - b) ** (m - heads)
        q = first / (first + second)
        up = q @ heads / (m * q.sum()) - (1 - q) @ heads / (m * (1 - q).sum())
        return up / (2 * delta)

    def of_both(step):
        """Return its mean over both signs of the common part."""
        return (multiplied(step / 2, step) + multiplied(-step / 2, step)) / 2

    gamma, delta = 5e-4, 1e-3
    return {
        "m": m,
        "c": c,
        r"\gamma": gamma,
        r"\delta": delta,
        "a": c + gamma + delta,
        "b": c + gamma - delta,
        "V": heads.var(),
        r"\rho": (4 * of_both(5e-4) - of_both(1e-3)) / 3,
    }


@evaluated("prop-em-gradient", links=2)
def _(rng):
    model = Mixture(rng)
    eta = np.log(model.theta)
    z, j, s = 1, 2, 0

    def log_likelihood(change):
        moved = eta.copy()
        moved[z, j, s] += change
        theta = np.exp(moved) / np.exp(moved).sum(2, keepdims=True)
        return np.log(model.joint(model.pi, theta).sum(1)).sum()

    def slope(step):
        return (log_likelihood(step) - log_likelihood(-step)) / (2 * step)

    joint = model.joint(model.pi, model.theta)
    q = (joint / joint.sum(1, keepdims=True))[:, z]
    gradient = (4 * slope(5e-4) - slope(1e-3)) / 3
    expected, total = q[model.rows[:, j] == s].sum(), q.sum()
    return {
        r"\frac{\partial \ell}{\partial \eta_{ius}}": gradient,
        r"\bar N_{ius}": expected,
        r"\bar N_{iu}": total,
        r"\theta_i^t(s \mid u)": model.theta[z, j, s],
        r"\theta_i^{t+1}(s \mid u)": expected / total,
    }


# --- Inference --------------------------------------------------------------


@evaluated("def-inference-query", links=4)
def _(rng):
    network = Network(rng)
    of_rows = network.p

    # Q is node 1, E is node 4, in state 1; the others are summed out.
    def joint(q):
        return sum(
            p for row, p in of_rows.items() if (row[0], row[3]) == (q, 1)
        )

    evidence = sum(p for row, p in of_rows.items() if row[3] == 1)
    sampled = [p for row, p in of_rows.items() if row[3] == 1 and row[0] == 1]
    return {
        "n": 4,
        r"P(q \mid e)": sum(sampled) / evidence,
        "P(q, e)": lambda q: joint(q),
        "q": 1,
        "P(e)": evidence,
        r"\sum_q": over(q=(0, 1)),
        r"\sum_h": [{"h": h} for h in product((0, 1), repeat=2)],
        r"P(x_i \mid x_{\mathrm{pa}(i)})": lambda i, h, q: network.factor(
            i, (q, *h, 1)
        ),
    }


@evaluated("thm-inference-passes", links=4)
def _(rng):
    # X -> Y -> Z with the cliques D = XY and C = YZ; X is observed.
    of_x, seen, y = weights(rng, 2), 1, 0
    of_y, of_z = (np.array([weights(rng, 2) for _ in "ab"]) for _ in "yz")
    joint = of_x[:, None, None] * of_y[:, :, None] * of_z
    return {
        "z": 1,
        r"\psi_C": lambda z: of_z[y, z],
        r"m_{B \to C}": of_x[seen] * of_y[seen, y],
        r"\prod_B": [{"B": 0}],  # it has one neighbour
        r"\beta_C": lambda z: joint[seen, y, z],
        "P(C, e)": lambda z: joint[seen, y, z],
        r"\beta_D": of_x[seen] * of_y[seen, y] * of_z[y].sum(),
        "P(S, e)": joint[seen, y].sum(),
        r"\sum_{C \setminus S}": over(z=(0, 1)),
        r"\sum_{D \setminus S}": [{"X": seen}],
    }


@evaluated("thm-inference-weight", links=2)
def _(rng):
    w = rng.uniform(size=7)
    return {
        "T": 7,
        "w_t": lambda t: w[t],
        r"\sum_t": over(t=range(7)),
        "P(e)": w.mean(),
    }, {r"\ba,": w.mean()}


@evaluated("eq-inference-ess", links=1)
def _(rng):
    w = rng.uniform(size=7)
    # How much more the mean varies than with equal weights.
    share = w / w.sum()
    return {
        r"T_{\text{eff}}": 1 / (share @ share),
        "w_t": lambda t: w[t],
        r"\sum_t": over(t=range(7)),
    }


@evaluated("thm-learning-exact", links=2)
def _(rng):
    nodes = ("a", "b", "c")
    local = {
        (v, frozenset(parents)): rng.normal()
        for v in nodes
        for size in range(3)
        for parents in combinations([w for w in nodes if w != v], size)
    }

    def best(chosen):
        """Return the largest score by trying all orders and parents."""
        return max(
            sum(
                max(
                    score
                    for (node, above), score in local.items()
                    if node == v and above <= {*order[:at]}
                )
                for at, v in enumerate(order)
            )
            for order in permutations(chosen)
        )

    def alone(v):
        return max(score for (node, _), score in local.items() if node == v)

    return {
        "b(W)": best(nodes),
        r"b(\varnothing)": best(()),
        r"b(W \setminus \{v\})": lambda v: best([w for w in nodes if w != v]),
        r"\max_{P \subseteq W \setminus \{v\}} \text{local}(v, P)": alone,
        r"\max_{v \in W}": over(v=nodes),
    }
