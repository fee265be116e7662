"""Drills of Markov chains: steps of Metropolis, and dependent draws."""

from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from bayesbook.study.drills.asking import Asked, asked_drill
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.limits import quotient
from bayesbook.study.drills.writing import assigned, decimal, equals, fraction


def _setup(asked: Asked) -> str:
    """Write the Python with which the quiz recomputes the key."""
    return (
        "from fractions import Fraction\n"
        "import numpy as np\n"
        "from bayesbook.mcmc import MarkovChain, metropolis_matrix\n"
        + assigned(asked.names)
        + "# A chain of two states, with the probabilities to leave them.\n"
        "def two_states(leaves, returns):\n"
        "    rows = [[1 - leaves, leaves], [returns, 1 - returns]]\n"
        "    return MarkovChain(rows)\n"
        "# The sum of the autocorrelations on both sides, from powers.\n"
        "def both_sides(leaves, returns):\n"
        "    chain = two_states(leaves, returns)\n"
        "    p = float(chain.stationary().values[0])\n"
        "    step, power, total = chain.matrix.astype(float), np.eye(2), 1.0\n"
        "    for _ in range(2000):\n"
        "        power = power @ step\n"
        "        total += 2 * (power[0, 0] - p) / (1 - p)\n"
        "    return total\n" + asked.helpers
    )


_drill = partial(
    asked_drill, setup=_setup, known={"Fraction": Fraction}, largest=400
)


# --- a step of Metropolis-Hastings ------------------------------------------


def metropolis_step(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a probability of the chain of Metropolis and Hastings."""
    model = (_accepted, _entry, _stays)[seed % 3]
    return _drill("metropolis-step", seed, lambda: model(rng))


_SHARES = tuple(
    Fraction(a, b) for b in (2, 3, 4, 5, 6) for a in range(1, b) if a < 5
)


def _pair(rng: np.random.Generator) -> dict[str, Any] | None:
    """Draw two weights and two proposals, so that some are rejected."""
    w_i, w_j = (int(n) for n in rng.integers(1, 13, size=2))
    there, back = pick(rng, _SHARES), pick(rng, _SHARES)
    if there == back or w_i == w_j or w_j * back >= w_i * there:
        return None
    return {"w_i": w_i, "w_j": w_j, "there": there, "back": back}


def _told(names: dict[str, Any]) -> str:
    return (
        f"The weights of two states are $w(i) = {names['w_i']}$ and "
        f"$w(j) = {names['w_j']}$. From $i$ the state $j$ is proposed with "
        f"probability ${fraction(names['there'])}$, and from $j$ the state "
        f"$i$ with probability ${fraction(names['back'])}$."
    )


def _ratio(names: dict[str, Any]) -> str:
    return (
        rf"\frac{{{names['w_j']} \cdot {fraction(names['back'])}}}"
        rf"{{{names['w_i']} \cdot {fraction(names['there'])}}}"
    )


_RULE = (
    "**The rule.** The proposal $j$ from $i$ is accepted with probability "
    r"$\min\left(1, \frac{w(j) \, q(j, i)}{w(i) \, q(i, j)}\right)$."
)
_WEIGHTS_ONLY = """
            Fraction(w_j, w_i) | if w_j < w_i
                | This is the ratio of the weights. The proposals are not
                symmetric, and their ratio counts too."""
_UPSIDE_DOWN = """
            min(Fraction(1), w_j * there / (w_i * back)) | The ratio of the
                proposals is upside down: the way back belongs above."""


def _accepted(rng: np.random.Generator) -> Asked | None:
    names = _pair(rng)
    if not names:
        return None
    value = names["w_j"] * names["back"] / (names["w_i"] * names["there"])
    return Asked(
        prompt=(
            f"{_told(names)} With what probability does Metropolis-Hastings "
            "accept the proposal $j$ from $i$?"
        ),
        names=names,
        formula="w_j * back / (w_i * there)",
        check=(
            "metropolis_matrix([w_i, w_j], two_states(there, back))"
            ".matrix[0, 1] / there"
        ),
        mistakes=f"""{_WEIGHTS_ONLY}{_UPSIDE_DOWN}
            w_j * back / w_i | This is the probability that $j$ is proposed
                and accepted.
            w_j * back / (w_i * there + w_j * back) | This is the rule of
                Barker, which rejects more than is needed.
            back / there | if back < there
                | This is the ratio of the proposals. The weights count too.
        """,
        rule=_RULE,
        reason=f"{_ratio(names)} = {equals(value)}",
        look="What flows back from $j$ to $i$, and what would flow from $i$ "
        "to $j$ if every proposal were accepted?",
        step=(
            "The way back has the weight "
            rf"${names['w_j']} \cdot {fraction(names['back'])} = "
            f"{equals(names['w_j'] * names['back'])}$."
        ),
        told=("w_j * back",),
        sense="More would flow from $i$ to $j$ than back, so a part of the "
        "proposals has to be rejected.",
    )


def _entry(rng: np.random.Generator) -> Asked | None:
    names = _pair(rng)
    if not names:
        return None
    value = names["w_j"] * names["back"] / names["w_i"]
    there = fraction(names["there"])
    return Asked(
        prompt=(
            f"{_told(names)} What is the entry $P(i, j)$ of the matrix of "
            "Metropolis-Hastings?"
        ),
        names=names,
        formula="w_j * back / w_i",
        check="metropolis_matrix([w_i, w_j], two_states(there, back))"
        ".matrix[0, 1]",
        mistakes="""
            w_j * back / (w_i * there) | This is the probability to accept.
                The state has to be proposed first.
            there | This is the probability that $j$ is proposed. Not all
                of these proposals are accepted.
            w_j * there / w_i | if w_j < w_i
                | The proposals are not symmetric. Their ratio belongs to the
                acceptance probability.
            back | This is the proposal of the way back.
            min(there, w_j * there * there / (w_i * back)) | The ratio of the
                proposals is upside down: the way back belongs above.
        """,
        rule=f"{_RULE} The entry is $q(i, j)$ times this.",
        reason=rf"{there} \cdot {_ratio(names)} = {equals(value)}",
        look="With what probability is $j$ proposed, and with what "
        "probability is it then accepted?",
        step=f"It is proposed with probability ${there}$.",
        sense="In balance, $w(i) \\, P(i, j)$ equals $w(j) \\, P(j, i)$, and "
        "from $j$ every proposal of $i$ is accepted.",
    )


def _stays(rng: np.random.Generator) -> Asked | None:
    left, middle, right = (int(n) for n in rng.integers(1, 13, size=3))
    if min(left, right) >= middle or len({left, middle, right}) < 3:
        return None
    up = [min(Fraction(1), Fraction(w, middle)) for w in (left, right)]
    value = 1 - (up[0] + up[1]) / 2
    written = " - ".join(
        rf"\frac12 \cdot {fraction(each)}" if each < 1 else r"\frac12"
        for each in up
    )
    return Asked(
        prompt=(
            f"Three states in a line have the weights {left}, {middle} and "
            f"{right}. From the middle state, each of its two neighbours is "
            "proposed with probability $\\frac12$; from a neighbour, the "
            "middle state is proposed with probability $\\frac12$, too. With "
            "what probability does the Metropolis algorithm stay in the "
            "middle state?"
        ),
        names={
            "left": left,
            "middle": middle,
            "right": right,
            "half": Fraction(1, 2),
            "total": left + middle + right,
            "zero": 0,
        },
        formula=(
            "1 - half * min(1, Fraction(left, middle))"
            " - half * min(1, Fraction(right, middle))"
        ),
        check=(
            "metropolis_matrix([left, middle, right], MarkovChain([[half, "
            "half, 0], [half, 0, half], [0, half, half]])).matrix[1, 1]"
        ),
        mistakes="""
            half * min(1, Fraction(left, middle)) + half * min(1,
                Fraction(right, middle)) | This is the probability to move.
                The chain stays if the proposal is rejected.
            Fraction(middle, total) | This is the stationary probability of
                the middle state.
            zero | Some proposals are rejected, and
                then the chain stays.
            1 - half * min(1, Fraction(left, middle)) | if left < middle
                | The right neighbour can be reached as well.
            1 - half * min(1, Fraction(right, middle)) | if right < middle
                | The left neighbour can be reached as well.
            half * min(1, Fraction(middle, left)) + half * min(1,
                Fraction(middle, right)) | The ratios are upside down: the
                weight of the proposed state belongs above.
        """,
        rule=(
            "**The rule.** The proposals are symmetric, so a neighbour with "
            "the weight $w$ is accepted with probability "
            rf"$\min\left(1, \frac{{w}}{{{middle}}}\right)$. The rest of the "
            "row is the probability to stay."
        ),
        reason=f"1 - {written} = {equals(value)}",
        told=(
            "half",
            "min(1, Fraction(left, middle))",
            "min(1, Fraction(right, middle))",
        ),
        look="With what probability does the chain move to the left, and "
        "with what probability to the right?",
        step=(
            "The left neighbour is accepted with probability "
            f"${fraction(up[0])}$."
        ),
        sense="Only proposals of a smaller weight are rejected.",
    )


# --- dependent and weighted draws -------------------------------------------


def dependent_draws(seed: int, rng: np.random.Generator) -> Drill:
    """Ask how precise an average of dependent or weighted draws is."""
    models = (_stationary, _time, _geometric, _error, _weighted)
    return _drill("dependent-draws", seed, lambda: models[seed % 5](rng))


_STORIES = (
    ("A machine", "works", "is broken"),
    ("The weather", "is dry", "is wet"),
    ("A bus", "is on time", "is late"),
    ("A server", "is idle", "is busy"),
    ("A market", "rises", "falls"),
)


def _two(rng: np.random.Generator) -> tuple[str, str, dict[str, Any]]:
    """Draw a story, its first state, and how the chain leaves the two."""
    what, first, second = pick(rng, _STORIES)
    a = Fraction(int(rng.integers(1, 10)), 10)
    b = Fraction(int(rng.integers(1, 10)), 10)
    told = (
        f"{what} {first} or {second}, as a Markov chain: if it {first}, it "
        f"{second} in the next step with probability {decimal(a)}, and if it "
        f"{second}, it {first} in the next step with probability "
        f"{decimal(b)}."
    )
    return told, first, {"a": a, "b": b}


def _stationary(rng: np.random.Generator) -> Asked | None:
    told, first, names = _two(rng)
    a, b = names["a"], names["b"]
    if a == b:
        return None
    return Asked(
        prompt=f"{told} What is the stationary probability that it {first}?",
        names=names,
        formula="b / (a + b)",
        check="two_states(a, b).stationary().values[0]",
        mistakes="""
            a / (a + b) | This is the share of the other state.
            1 - a | This is the probability to stay in this state for one
                more step.
            b | This holds for the step after the other state only.
            (1 - a + b) / 2 | This is the mean of the two rows, as if both
                states were equally frequent.
            a * b | This is the probability of a change and of a change back.
        """,
        rule=(
            "**The rule.** As much probability flows from one state to the "
            rf"other as back: $\pi_1 \cdot {decimal(a)} = \pi_2 \cdot "
            f"{decimal(b)}$."
        ),
        reason=quotient(
            decimal(b), f"{decimal(a)} + {decimal(b)}", b / (a + b)
        ),
        look="Which two flows have to be equal in the long run?",
        step=f"The shares are in the ratio {decimal(b)} to {decimal(a)}.",
        sense="The state that is left more seldom has the larger share.",
    )


def _time(rng: np.random.Generator) -> Asked | None:
    told, first, names = _two(rng)
    a, b = names["a"], names["b"]
    if a + b == 1:
        return None
    value = (2 - a - b) / (a + b)
    lam = 1 - a - b
    return Asked(
        prompt=(
            f"{told} What is the autocorrelation time $\\tau$, by which the "
            f"variance of the share of steps in which it {first} is "
            "multiplied, in comparison with independent draws?"
        ),
        names={**names, "lam": lam, "zero": 0},
        formula="(2 - a - b) / (a + b)",
        check="both_sides(a, b)",
        mistakes="""
            1 / (a + b) | Every lag counts twice, for both sides.
            (a + b) / (2 - a - b) | This is turned round: it is by what the
                effective sample size is multiplied.
            abs(1 - a - b) | This is the size of the second eigenvalue, the
                correlation of neighbours.
            2 / (a + b) | The sum of the powers begins at lag 1 and is doubled;
                lag 0 counts once.
            1 + 2 * (1 - a - b) | if 2 * (a + b) < 3
                | Only the first lag is taken here.
        """,
        rule=(
            "**The rule.** The autocorrelation at lag 1 is the second "
            f"eigenvalue $1 - {decimal(a)} - {decimal(b)} = "
            f"{'-' * (lam < 0)}{decimal(abs(lam))}$, and that at lag $t$ is "
            "its power $t$. The autocorrelation time is one plus twice the "
            "sum of these powers."
        ),
        reason=quotient(
            f"2 - {decimal(a)} - {decimal(b)}",
            f"{decimal(a)} + {decimal(b)}",
            value,
        ),
        told=("abs(lam)", "zero"),
        look="How do the autocorrelations of a chain of two states depend on "
        "the lag?",
        step=rf"The second eigenvalue is $1 - {decimal(a)} - {decimal(b)}$.",
        sense=(
            "The chain tends to stay, so neighbours are similar, and the "
            "average is less precise."
            if lam > 0
            else "The chain changes sides often, so deviations partly cancel, "
            "and the average is more precise."
        ),
    )


def _geometric(rng: np.random.Generator) -> Asked | None:
    r = pick(rng, [Fraction(n, 10) for n in (2, 5, 6, 8, 9)])
    n = 100 * int(rng.integers(1, 100))
    value = n * (1 - r) / (1 + r)
    if value.denominator > 1:
        return None
    tau = (1 + r) / (1 - r)
    return Asked(
        prompt=(
            f"The draws of a chain have the autocorrelations $\\rho_t = "
            f"{decimal(r)}^t$. What is the effective sample size of {n} draws?"
        ),
        names={"n": n, "r": r},
        formula="n * (1 - r) / (1 + r)",
        check="n / (1 + 2 * sum(float(r) ** t for t in range(1, 4000)))",
        mistakes="""
            n * (1 - r) | Every lag counts twice, for both sides.
            n * (1 - r) / 2 | Lag 0 counts once.
            n / (1 + 2 * r) | Only the first lag is taken here.
            n * (1 + r) / (1 - r) | Positive correlation makes the effective
                size smaller.
            n * (1 - r) / r / 2 | The 1 for lag 0 is missing.
        """,
        rule=(
            r"**The rule.** The effective sample size is $\frac{n}{\tau}$ "
            rf"with $\tau = 1 + 2 \sum_{{t \ge 1}} {decimal(r)}^t = "
            f"{equals(tau)}$."
        ),
        reason=rf"\frac{{{n}}}{{{fraction(tau)}}} = {value}"
        if tau.denominator == 1
        else rf"{n} \cdot {fraction(1 / tau)} = {value}",
        told=("(1 + r) / (1 - r)", "(1 - r) / (1 + r)"),
        look="What is the sum of all autocorrelations from lag 1 on?",
        step=rf"$\sum_{{t \ge 1}} {decimal(r)}^t = "
        rf"\frac{{{decimal(r)}}}{{1 - {decimal(r)}}}$.",
        sense="It is smaller than the number of draws, because neighbours "
        "are similar.",
    )


def _error(rng: np.random.Generator) -> Asked | None:
    root = int(rng.integers(3, 31))
    tau, s = int(rng.integers(2, 30)), int(rng.integers(1, 40))
    if isqrt(tau) ** 2 == tau:
        return None
    n = tau * root**2
    return Asked(
        prompt=(
            f"{n} draws of a chain have the standard deviation {s}, and their "
            f"autocorrelation time is estimated as $\\tau = {tau}$. What is "
            "the standard error of their mean?"
        ),
        names={"n": n, "tau": tau, "s": s, "root": root, "ess": root**2},
        formula="Fraction(s, root)",
        check="s / np.sqrt(n / tau)",
        mistakes="""
            Fraction(s, ess) | Divide by the root of the effective size.
            s | This is the standard deviation of one draw.
            Fraction(s * tau, root) | The effective size contains the
                autocorrelation time already.
            Fraction(s, root * tau) | The number of draws is divided by the
                autocorrelation time, once and before the root is taken.
            Fraction(s * root, n) | The root stands in the denominator.
        """,
        rule=(
            "**The rule.** The standard error is the standard deviation, "
            r"divided by $\sqrt{\text{ESS}}$, and the effective size is "
            rf"$\frac{{{n}}}{{{tau}}} = {root**2}$."
        ),
        reason=(
            rf"\frac{{{s}}}{{\sqrt{{{root**2}}}}} = "
            f"{quotient(str(s), str(root), Fraction(s, root))}"
        ),
        told=("root", "ess"),
        look="To how many independent draws do these amount?",
        step=rf"The effective sample size is $\frac{{{n}}}{{{tau}}}$.",
        sense="It is larger than for as many independent draws.",
    )


def _weighted(rng: np.random.Generator) -> Asked | None:
    weights = sorted(int(w) for w in rng.integers(1, 10, size=4))
    total, squares = sum(weights), sum(w * w for w in weights)
    value = Fraction(total**2, squares)
    if len(set(weights)) < 2 or value.denominator > 100:
        return None
    listed = ", ".join(map(str, weights[:-1]))
    return Asked(
        prompt=(
            "In importance sampling, four draws have the weights "
            f"{listed} and {weights[-1]}. What is their effective sample size?"
        ),
        names={
            "weights": tuple(weights),
            "total": total,
            "squares": squares,
            "largest": weights[-1],
            "n": len(weights),
        },
        formula="Fraction(total ** 2, squares)",
        check="1 / np.sum((np.array(weights) / np.sum(weights)) ** 2)",
        mistakes="""
            n | This would be right if all weights were equal.
            Fraction(total, largest) | The weights are squared and added, not
                only the largest is used.
            Fraction(squares, total) | This is turned round, and the sum has
                to be squared.
            Fraction(total, n) | This is the mean weight.
            Fraction(total ** 2, n * squares) | This is the share of the
                draws that is effective.
        """,
        rule=(
            "**The rule.** The effective sample size is the square of the sum "
            "of the weights, divided by the sum of their squares."
        ),
        reason=quotient(f"{total}^2", str(squares), value),
        told=("total", "squares"),
        look="Which two sums of the weights are needed?",
        step=f"The sum of the weights is {total}.",
        sense="It lies between 1 and the number of draws, and it is 4 only "
        "if all weights are equal.",
    )
