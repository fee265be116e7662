"""Numbers for the statements of Part I: conditioning."""

from itertools import product

import numpy as np

from statements import evaluated, over, weights


class Space:
    """Outcomes 0 to 11 with random probabilities; events are sets of them."""

    def __init__(self, rng):
        self.p = weights(rng, 12)
        self.omega = set(range(12))

    def chance(self, event, given=None):
        given = self.omega if given is None else given
        return sum(self.p[w] for w in event & given) / sum(
            self.p[w] for w in given
        )

    def mean(self, values, given=None):
        given = self.omega if given is None else given
        return sum(self.chance({w}, given) * values[w] for w in given)

    def var(self, values, given=None):
        mean = self.mean(values, given)
        return self.mean([(x - mean) ** 2 for x in values], given)


A, B, C = {0, 1, 2, 3, 4, 5}, {1, 3, 4, 6, 7}, {0, 1, 3, 6, 8, 9}
PARTS = [{0, 1, 2, 6}, {3, 7, 8}, {4, 5, 9, 10, 11}]


def events(space):
    """Return probabilities of events with the names that they have in TeX."""
    whole = space.omega
    return {
        r"\mathbb{P}[A]": space.chance(A),
        r"\mathbb{P}[B]": space.chance(B),
        r"\mathbb{P}[\varnothing]": space.chance(set()),
        r"\mathbb{P}[\Omega]": space.chance(whole),
        r"\mathbb{P}[A \cup B]": space.chance(A | B),
        r"\mathbb{P}[A \cap B]": space.chance(A & B),
        r"\mathbb{P}[A^{\mathsf{c}}]": space.chance(whole - A),
        r"\mathbb{P}[A \mid B]": space.chance(A, B),
    }


@evaluated("def-space", links=3)
def _(rng):
    space = Space(rng)
    return events(space) | {
        r"\omega": 3,
        "p(": lambda outcome: space.p[outcome],
        r"\sum_{\omega \in \Omega}": [{r"\omega": w} for w in space.omega],
        r"\sum_{\omega \in A}": [{r"\omega": w} for w in A],
    }


@evaluated("prop-rules", links=6, without=r"4\. if.*")
def _(rng):
    return events(Space(rng))


@evaluated("cor-union-bound", links=1)
def _(rng):
    space = Space(rng)
    one, two, three = A, B, C
    return {
        r"\mathbb{P}[A_1 \cup \dots \cup A_n]": space.chance(
            one | two | three
        ),
        r"\mathbb{P}[A_1]": space.chance(one),
        r"\dots": space.chance(two),  # for n = 3 no term is left out
        r"\mathbb{P}[A_n]": space.chance(three),
    }


@evaluated("prop-counting", links=6)
def _(rng):
    n, k = 7, 3
    orders = [c for c in product(range(n), repeat=k) if len(set(c)) == k]
    return {
        "n": n,
        "k": k,
        r"\cdots": 1,  # for k = 3 no factor is left out
        r"\binom{n}{k}": len({frozenset(order) for order in orders}),
        r"\binom{n}{0}": 1,  # the empty set
    }, {"repetition, in": len(orders)}


@evaluated("def-conditional", links=2)
def _(rng):
    return events(Space(rng))


@evaluated("thm-conditional-space", links=3, without=r"p_B[^$]*= 0")
def _(rng):
    space, outcome = Space(rng), 3
    return events(space) | {
        r"p_B(\omega)": space.chance({outcome}, B),
        r"p(\omega)": space.p[outcome],
        r"\mathbb{P}[B \cap C]": space.chance(B & C),
    }


@evaluated("thm-multiplication", links=4)
def _(rng):
    space = Space(rng)
    one, two, three, four = (
        {w for w in range(12) if (w + k) % 5} for k in range(4)
    )
    return events(space) | {
        r"\mathbb{P}[A_1]": space.chance(one),
        r"\mathbb{P}[A_2 \mid A_1]": space.chance(two, one),
        r"\mathbb{P}[A_3 \mid A_1 \cap A_2]": space.chance(three, one & two),
        r"\cdots": 1,  # for n = 4 no factor is left out
        r"\mathbb{P}[A_n \mid A_1 \cap \dots \cap A_{n-1}]": space.chance(
            four, one & two & three
        ),
        r"\mathbb{P}[A_1 \cap \dots \cap A_{n-1}]": space.chance(
            one & two & three
        ),
        r"\mathbb{P}[A_1 \cap \dots \cap A_n]": space.chance(
            one & two & three & four
        ),
    }


@evaluated("thm-total", links=1)
def _(rng):
    space = Space(rng)
    return events(space) | {
        "n": 3,
        r"\mathbb{P}[B_i]": lambda i: space.chance(PARTS[i - 1]),
        r"\mathbb{P}[A \mid B_i]": lambda i: space.chance(A, PARTS[i - 1]),
    }


@evaluated("thm-bayes", links=2)
def _(rng):
    space = Space(rng)
    return {
        "n": 3,
        "i": 2,
        r"\mathbb{P}[H_i \mid E]": space.chance(PARTS[1], A),
        r"\mathbb{P}[H_i]": space.chance(PARTS[1]),
        r"\mathbb{P}[E \mid H_i]": space.chance(A, PARTS[1]),
        r"\mathbb{P}[H_j]": lambda j: space.chance(PARTS[j - 1]),
        r"\mathbb{P}[E \mid H_j]": lambda j: space.chance(A, PARTS[j - 1]),
    }


@evaluated("eq-odds", links=1)
def _(rng):
    space = Space(rng)
    no = space.omega - A
    return {
        r"\mathbb{P}[H]": space.chance(A),
        r"\mathbb{P}[H^{\mathsf{c}}]": space.chance(no),
        r"\mathbb{P}[H \mid E]": space.chance(A, B),
        r"\mathbb{P}[H^{\mathsf{c}} \mid E]": space.chance(no, B),
        r"\mathbb{P}[E \mid H]": space.chance(B, A),
        r"\mathbb{P}[E \mid H^{\mathsf{c}}]": space.chance(B, no),
    }


def independent(rng):
    """Return the probabilities of two independent events."""
    first, second = weights(rng, 2), weights(rng, 2)
    joint = np.outer(first, second)
    return {
        r"\mathbb{P}[A]": joint[0].sum(),
        r"\mathbb{P}[B]": joint[:, 0].sum(),
        r"\mathbb{P}[A \cap B]": joint[0, 0],
        r"\mathbb{P}[A \mid B]": joint[0, 0] / joint[:, 0].sum(),
    }


evaluated("def-independent", links=1)(independent)
evaluated("lem-independence", links=2)(independent)


# --- Random variables -------------------------------------------------------

VALUES = range(3)


def variables(rng):
    """Return a joint pmf of X and Y, and the names of what belongs to it."""
    p = weights(rng, 3, 3)
    x, y = p.sum(1), p.sum(0)
    return p, {
        "x": 1,
        "y": 2,
        "p_{X,Y}(": lambda i, j: p[i, j],
        r"\mathbb{P}[X = x, Y = y]": p[1, 2],
        r"\mathbb{P}[X = x \mid Y = y]": (p / y)[1, 2],
        "p_X(": lambda i: x[i],
        "p_Y(": lambda j: y[j],
        r"p_{X \mid Y}(": lambda i, j: p[i, j] / y[j],
        r"\sum_x": over(x=VALUES),
        r"\sum_y": over(y=VALUES),
        r"\sum_{x, y}": over(x=VALUES, y=VALUES),
        r"\mathbb{E}[X]": np.arange(3) @ x,
    }


@evaluated("def-joint", links=4)
def _(rng):
    return variables(rng)[1]


@evaluated("prop-joint", links=5)
def _(rng):
    return variables(rng)[1]


@evaluated("def-independent-variables", links=1)
def _(rng):
    x, y = weights(rng, 3), weights(rng, 3)
    joint = np.outer(x, y)
    return variables(rng)[1] | {
        "p_{X,Y}(": lambda i, j: joint[i, j],
        "p_X(": lambda i: joint[i].sum(),
        "p_Y(": lambda j: joint[:, j].sum(),
    }


@evaluated("def-expectation", links=1)
def _(rng):
    return variables(rng)[1]


@evaluated("thm-lotus", links=3)
def _(rng):
    p, names = variables(rng)
    one, two = rng.normal(size=3), rng.normal(size=(3, 3))
    outcomes = [{r"\omega": 3 * i + j} for i in VALUES for j in VALUES]
    return names | {
        r"\mathbb{E}[f(X)]": sum(
            p[i, j] * one[i] for i, j in np.ndindex(3, 3)
        ),
        r"\mathbb{E}[f(X, Y)]": (p * two).sum(),
        "f(": lambda *at: (one if len(at) == 1 else two)[at],
        "X(": lambda outcome: outcome // 3,
        "p(": lambda outcome: p.ravel()[outcome],
        r"\sum_{\omega \in \Omega}": outcomes,
    }


@evaluated("prop-expectation", links=4)
def _(rng):
    space = Space(rng)
    x, y = rng.normal(size=(2, 12))
    a, b = rng.normal(size=2)
    first = rng.normal(size=3)
    second = first.max() + rng.uniform(size=3)  # X <= Y, whatever happens
    p, q = weights(rng, 3), weights(rng, 3)
    return events(space) | {
        "a": a,
        "b": b,
        r"\mathbb{E}[aX + bY]": space.mean(a * x + b * y),
        r"a \, \mathbb{E}[X]": a * space.mean(x),
        r"b \, \mathbb{E}[Y]": b * space.mean(y),
        r"\mathbb{E}[\mathbf{1}_A]": space.mean([w in A for w in range(12)]),
        # The last rule is of independent variables.
        r"\mathbb{E}[XY]": np.outer(first, second).ravel()
        @ np.outer(p, q).ravel(),
        r"\mathbb{E}[X]": first @ p,
        r"\mathbb{E}[Y]": second @ q,
    }


@evaluated("def-quantile", links=4)
def _(rng):
    p, values = weights(rng, 5), np.arange(5)
    u = rng.uniform(0.1, 0.9)
    reached = np.cumsum(p) >= u
    return {
        "x": values[reached][0],
        "u": u,
        "F_X(": lambda x: p[: int(x) + 1].sum(),
        r"\mathbb{P}[X \le x]": p[values <= values[reached][0]].sum(),
    }


@evaluated("def-variance", links=3, without=r"\$X\$ and \$Y\$ are .*")
def _(rng):
    space = Space(rng)
    x, y = rng.normal(size=(2, 12))
    mean, other = space.mean(x), space.mean(y)
    covariance = space.mean(x * y) - mean * other
    return {
        r"\operatorname{Var}[X]": space.mean(x**2) - mean**2,
        r"\operatorname{Var}[Y]": space.mean(y**2) - other**2,
        r"\operatorname{Cov}[X, Y]": covariance,
        # Of weighted cases, by numpy.
        r"\rho[X, Y]": np.cov([x, y], aweights=space.p, ddof=0)[0, 1]
        / np.sqrt(np.prod([space.var(x), space.var(y)])),
        r"\mathbb{E}[(X - \mathbb{E}[X])^2]": space.mean((x - mean) ** 2),
        r"\mathbb{E}[(X - \mathbb{E}[X])(Y - \mathbb{E}[Y])]": space.mean(
            (x - mean) * (y - other)
        ),
    }


@evaluated("thm-best-constant", links=1, without=r"So \$c.*")
def _(rng):
    space = Space(rng)
    x, c = rng.normal(size=12), rng.normal()
    return {
        "c": c,
        r"\mathbb{E}[X]": space.mean(x),
        r"\operatorname{Var}[X]": space.var(x),
        r"\mathbb{E}[(X - c)^2]": space.mean((x - c) ** 2),
    }


@evaluated("thm-jensen", links=4)
def _(rng):
    space, power = Space(rng), rng.uniform(1.5, 4)
    x = rng.uniform(0, 2, size=12)
    return {
        "f(": lambda at: abs(at) ** power,
        "t": rng.uniform(),
        "v": x[0],
        "w": x[1],
        r"\mathbb{E}[X]": space.mean(x),
        r"\mathbb{E}[f(X)]": space.mean(x**power),
    }


@evaluated("thm-markov-chebyshev", links=4, without=r"If \$X \\ge 0\$ and")
def _(rng):
    # Nearly all of what is not 0 stands at a, or at the distance d.
    (q, r), (a, d) = rng.uniform(0.1, 0.5, 2), rng.uniform(1.5, 3, 2)
    return {
        "a": a,
        "d": d,
        r"\mathbb{P}[X \ge a]": q,
        r"\mathbb{E}[X]": a * q + 0.01 * (1 - q),
        r"\operatorname{Var}[X]": d**2 * r + 0.01**2 * (1 - r),
        r"\mathbb{P}[|X - \mathbb{E}[X]| \ge d]": r,
    }


@evaluated("eq-best-line", links=2)
def _(rng):
    space = Space(rng)
    x, y = rng.normal(size=(2, 12))
    # The line of weighted least squares, by numpy.
    slope, _ = np.polyfit(y, x, 1, w=np.sqrt(space.p))
    covariance = space.mean(x * y) - space.mean(x) * space.mean(y)
    return {
        "b": slope,
        r"\operatorname{Cov}[X, Y]": covariance,
        r"\operatorname{Var}[X]": space.var(x),
        r"\operatorname{Var}[Y]": space.var(y),
        r"\rho[X, Y]": covariance / np.sqrt(space.var(x) * space.var(y)),
    }


def conditional(rng):
    """Return a space, and the expectations of X given the values of Y."""
    space = Space(rng)
    x = rng.normal(size=12)
    means = [space.mean(x, part) for part in PARTS]
    regression = np.empty(12)
    for part, mean in zip(PARTS, means, strict=True):
        regression[list(part)] = mean
    return space, x, means, regression


@evaluated("def-conditional-expectation", links=3)
def _(rng):
    space, x, means, _ = conditional(rng)
    squares = [space.mean(x**2, part) for part in PARTS]
    return {
        "y": 1,
        "x": lambda w: x[w],
        r"\mathbb{E}[X \mid Y = y]": means[1],
        r"\mathbb{E}[f(X) \mid Y = y]": squares[1],
        "g(": lambda y: means[y],
        r"f(x)": lambda w: x[w] ** 2,
        r"p_{X \mid Y}(x \mid y)": lambda w: space.chance({w}, PARTS[1]),
        r"\sum_x": over(w=range(12)),
    }


@evaluated("prop-conditional-expectation", links=3)
def _(rng):
    space, x, means, _ = conditional(rng)
    z, (a, b), h = rng.normal(size=12), rng.normal(size=2), rng.normal(size=3)
    at = PARTS[2]  # what Y has told
    return {
        "a": a,
        "b": b,
        "h(Y)": h[2],
        r"\mathbb{E}[X \mid Y]": means[2],
        r"\mathbb{E}[Z \mid Y]": space.mean(z, at),
        r"\mathbb{E}[aX + bZ \mid Y]": space.mean(a * x + b * z, at),
        r"\mathbb{E}[h(Y) \, X \mid Y]": space.mean(h[2] * x, at),
        r"\mathbb{E}[h(Y) \mid Y]": space.mean(np.full(12, h[2]), at),
    }


@evaluated("thm-total-expectation", links=2)
def _(rng):
    space, x, means, regression = conditional(rng)
    return {
        r"\mathbb{E}[X]": space.mean(x),
        r"\mathbb{E}[\mathbb{E}[X \mid Y]]": space.mean(regression),
        r"\mathbb{E}[X \mid Y = y]": lambda y: means[y],
        "p_Y(": lambda y: space.chance(PARTS[y]),
        r"\sum_{y :\, p_Y(y) > 0}": over(y=range(3)),
    }


@evaluated("prop-size-bias", links=4)
def _(rng):
    sizes = rng.integers(1, 9, size=7)
    members = np.repeat(sizes, sizes)  # each says the size of its group
    n = sizes[0]
    return {
        "n": n,
        r"\mathbb{P}[N = n]": (sizes == n).mean(),
        r"\mathbb{P}[N^* = n]": (members == n).mean(),
        r"\mathbb{E}[N^*]": members.mean(),
        r"\mathbb{E}[N]": sizes.mean(),
        r"\mathbb{E}[N^2]": (sizes**2).mean(),
        r"\operatorname{Var}[N]": sizes.var(),
    }


@evaluated("def-conditional-variance", links=1)
def _(rng):
    space, x, means, _ = conditional(rng)
    square = space.mean((x - means[1]) ** 2, PARTS[1])
    return {
        r"\operatorname{Var}[X \mid Y = y]": space.mean(x**2, PARTS[1])
        - means[1] ** 2,
        r"\mathbb{E}[(X - \mathbb{E}[X \mid Y = y])^2 \bigm| Y = y]": square,
    }


@evaluated("thm-total-variance", links=1)
def _(rng):
    space, x, _, regression = conditional(rng)
    within = sum(space.chance(part) * space.var(x, part) for part in PARTS)
    return {
        r"\operatorname{Var}[X]": space.var(x),
        r"\mathbb{E}[\operatorname{Var}[X \mid Y]]": within,
        r"\operatorname{Var}[\mathbb{E}[X \mid Y]]": space.var(regression),
    }


@evaluated("eq-total-covariance", links=1)
def _(rng):
    space, x, _, regression = conditional(rng)
    v, other = rng.normal(size=12), np.empty(12)
    within = 0
    for part in PARTS:
        other[list(part)] = space.mean(v, part)
        apart = (x - regression) * (v - other)
        within += space.chance(part) * space.mean(apart, part)
    centred = (x - space.mean(x)) * (v - space.mean(v))
    between = (regression - space.mean(x)) * (other - space.mean(v))
    return {
        r"\operatorname{Cov}[X, V]": space.mean(centred),
        r"\mathbb{E}[\operatorname{Cov}[X, V \mid Y]]": within,
        r"\operatorname{Cov}[\mathbb{E}[X \mid Y], \mathbb{E}[V \mid Y]]": (
            space.mean(between)
        ),
    }


@evaluated("lem-orthogonal", links=1)
def _(rng):
    space, x, _, regression = conditional(rng)
    k = np.empty(12)
    for part in PARTS:
        k[list(part)] = rng.normal()
    error = space.mean((x - regression) * k)
    return {r"\mathbb{E}[(X - \mathbb{E}[X \mid Y]) \, k(Y)]": error}


@evaluated("thm-best-prediction", links=1)
def _(rng):
    space, x, _, regression = conditional(rng)
    h = np.empty(12)
    for part in PARTS:
        h[list(part)] = rng.normal()
    within = sum(space.chance(part) * space.var(x, part) for part in PARTS)
    return {
        r"\mathbb{E}[(X - h(Y))^2]": space.mean((x - h) ** 2),
        r"\mathbb{E}[\operatorname{Var}[X \mid Y]]": within,
        r"\mathbb{E}[(\mathbb{E}[X \mid Y] - h(Y))^2]": space.mean(
            (regression - h) ** 2
        ),
    }


# --- Conditional independence -----------------------------------------------


def given_parts(rng):
    """Return P[C_i], and P[A | C_i], P[B | C_i] of independent events."""
    return weights(rng, 3), *rng.uniform(0.1, 0.9, (2, 3))


@evaluated("def-ci-events", links=1)
def _(rng):
    _, (a, *_), (b, *_) = given_parts(rng)
    table = np.outer([a, 1 - a], [b, 1 - b])
    return {
        r"\mathbb{P}[A \cap B \mid C]": table[0, 0],
        r"\mathbb{P}[A \mid C]": table[0].sum(),
        r"\mathbb{P}[B \mid C]": table[:, 0].sum(),
    }


@evaluated("lem-ci-events", links=1)
def _(rng):
    _, (a, *_), (b, *_) = given_parts(rng)
    table = np.outer([a, 1 - a], [b, 1 - b])
    return {
        r"\mathbb{P}[A \mid B \cap C]": table[0, 0] / table[:, 0].sum(),
        r"\mathbb{P}[A \mid C]": table[0].sum(),
    }


@evaluated("thm-ci-prediction", links=1)
def _(rng):
    c, a, b = given_parts(rng)
    return {
        "n": 3,
        r"\mathbb{P}[B \mid A]": (c * a * b).sum() / (c * a).sum(),
        r"\mathbb{P}[C_i \mid A]": lambda i: (c * a / (c @ a))[i - 1],
        r"\mathbb{P}[B \mid C_i]": lambda i: b[i - 1],
    }


def given_third(rng):
    """Return a joint pmf of X, Y, Z in which the third makes independent."""
    z = weights(rng, 2)
    x, y = (np.array([weights(rng, 3) for _ in z]) for _ in range(2))
    p = np.einsum("z,zx,zy->xyz", z, x, y)
    return p, {"x": 2, "y": 0, "z": 1}


@evaluated("def-ci", links=1)
def _(rng):
    p, names = given_third(rng)
    given = p / p.sum((0, 1))
    return names | {
        r"p(x, y \mid z)": given[2, 0, 1],
        r"p(x \mid z)": given.sum(1)[2, 1],
        r"p(y \mid z)": given.sum(0)[0, 1],
    }


@evaluated("lem-role", links=1)
def _(rng):
    p, names = given_third(rng)
    return names | {
        r"\mathbb{P}[X = x \mid Y = y, Z = z]": (p / p.sum(0))[2, 0, 1],
        r"\mathbb{P}[X = x \mid Z = z]": (p.sum(1) / p.sum((0, 1)))[2, 1],
    }


@evaluated("thm-ci-forms", links=1)
def _(rng):
    p, names = given_third(rng)
    return names | {
        "p(x, y, z)": p[2, 0, 1],
        "p(z)": p.sum((0, 1))[1],
        "p(x, z)": p.sum(1)[2, 1],
        "p(y, z)": p.sum(0)[0, 1],
    }


@evaluated("thm-ci-split", links=1)
def _(rng):
    space = Space(rng)
    both = A & B
    return {
        r"\mathbb{P}[A \cap B]": space.chance(both),
        "a": space.chance(A),
        "b": space.chance(B),
        "c_i": lambda i: space.chance(PARTS[i]),
        "a_i": lambda i: space.chance(A, PARTS[i]),
        "b_i": lambda i: space.chance(B, PARTS[i]),
        r"\mathbb{P}[A \cap B \mid C_i]": lambda i: space.chance(
            both, PARTS[i]
        ),
        r"\sum_i": over(i=range(3)),
    }


@evaluated("eq-ci-two-parts", links=1)
def _(rng):
    c = weights(rng, 2)
    a, b = rng.uniform(0.1, 0.9, (2, 2))
    of_parts = {
        f"{name}_{i + 1}": numbers[i]
        for name, numbers in {"a": a, "b": b, "c": c}.items()
        for i in range(2)
    }
    return of_parts | {
        r"\mathbb{P}[A \cap B]": (c * a * b).sum(),
        "a": c @ a,
        "b": c @ b,
    }
