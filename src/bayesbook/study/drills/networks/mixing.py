"""Drills of EM: one step of it, for two coins of which one was tossed."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from bayesbook.study.drills.drill import Drill, pick, until
from bayesbook.study.drills.writing import (
    TOLERANCE,
    Mistake,
    about,
    askable,
    merged,
    nearly,
    paragraphs,
    rounded,
    table,
)
from bayesbook.study.quiz import Numeric

# Nearer to 0 or 1 an answer could be guessed.
_LEAST = Fraction(1, 50)
# With a larger denominator a number is written as a rounded decimal.
_written = partial(rounded, longest=500)
_short = partial(about, digits=4)
_COINS = "AB"


def em_step(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a number of an E step or of an M step.

    Parameters
    ----------
    seed : int
        Number of the question; the two steps take turns.
    rng : numpy.random.Generator
        Draws coins and sessions.

    Returns
    -------
    Drill
        Of the E step a responsibility, of the M step the new probability of
        heads or the new share of a coin. Diagnosed are: shares of the coins
        left out, what is not normalised, sessions that are not weighted or
        weighted with all or nothing, a mean of ratios, the other coin.

    Examples
    --------
    >>> em_step(2, np.random.default_rng(0)).question.level
    'apply'
    """
    if seed % 2:
        return _e_step(seed, rng)
    return _m_step(seed, rng)


# --- the E step --------------------------------------------------------------


@dataclass(frozen=True)
class _Session:
    """Two coins, how often each is drawn, and tosses of one of them."""

    shares: tuple[Fraction, Fraction]
    biases: tuple[Fraction, Fraction]
    heads: int
    tosses: int
    coin: int

    def likelihood(self, coin: int) -> Fraction:
        """Return the probability of the tosses, in their order."""
        p = self.biases[coin]
        return p**self.heads * (1 - p) ** (self.tosses - self.heads)

    def weight(self, coin: int) -> Fraction:
        """Return the joint probability of coin and tosses."""
        return self.shares[coin] * self.likelihood(coin)

    def responsibility(self, coin: int) -> Fraction:
        """Return the probability of the coin, given the tosses."""
        return self.weight(coin) / (self.weight(0) + self.weight(1))


def _e_step(seed: int, rng: np.random.Generator) -> Drill:
    def draw() -> Drill | None:
        share = Fraction(pick(rng, [2, 3, 4, 6, 7, 8]), 10)
        biases = rng.choice(np.arange(1, 10), 2, replace=False).tolist()
        tosses = pick(rng, [2, 3, 3, 4])
        session = _Session(
            (share, 1 - share),
            (Fraction(biases[0], 10), Fraction(biases[1], 10)),
            int(rng.integers(tosses + 1)),
            tosses,
            pick(rng, [0, 1]),
        )
        answer = session.responsibility(session.coin)
        mistakes = list(_e_mistakes(session))
        if not askable(answer, mistakes, _LEAST):
            return None
        question = Numeric(
            id=f"em-step-{seed}",
            kind="number",
            level="apply",
            prompt=_e_prompt(session),
            setup=_e_setup(session),
            answer=_written(answer),
            tolerance=float(TOLERANCE),
            check="responsibility[coin]",
            why=_e_reason(session),
            wrong=merged(mistakes, _written),
        )
        return Drill("em-step", seed, question, _e_worked(session))

    return until(draw)


def _e_mistakes(session: _Session) -> Iterator[Mistake]:
    coin = session.coin
    own, other = _COINS[coin], _COINS[1 - coin]
    likelihoods = [session.likelihood(each) for each in (0, 1)]
    yield (
        likelihoods[coin] / sum(likelihoods, Fraction()),
        "likelihood[coin] / sum(likelihood)",
        "This would be right if both coins were drawn equally often. But the "
        f"share of ${own}$ is {_written(session.shares[coin])}.",
    )
    yield (
        session.weight(coin),
        "share[coin] * likelihood[coin]",
        f"This is the probability that ${own}$ is drawn *and* the tosses come "
        "out like this. Divide by the sum of that over both coins.",
    )
    yield (
        likelihoods[coin],
        "likelihood[coin]",
        f"This is the probability of the tosses if it was ${own}$. Asked is "
        f"that of ${own}$, given the tosses.",
    )
    yield (
        session.shares[coin],
        "share[coin]",
        f"This is the share of ${own}$, before the tosses were seen.",
    )
    yield (
        session.responsibility(1 - coin),
        "responsibility[1 - coin]",
        f"This is the responsibility of the other coin, ${other}$.",
    )
    yield (
        Fraction(session.responsibility(coin) > Fraction(1, 2)),
        "round(responsibility[coin])",
        "This decides for one coin, as hard EM does. Soft EM keeps the "
        "probability.",
    )


def _e_setup(session: _Session) -> str:
    shares = [str(share) for share in session.shares]
    biases = [str(bias) for bias in session.biases]
    return f"""\
from fractions import Fraction as F
from math import prod
share, bias = list(map(F, {shares!r})), list(map(F, {biases!r}))
tosses = [True] * {session.heads} + [False] * {session.tosses - session.heads}
coin = {session.coin}
likelihood = [prod(p if toss else 1 - p for toss in tosses) for p in bias]
joint = [s * l for s, l in zip(share, likelihood)]
responsibility = [j / sum(joint) for j in joint]
"""


def _e_prompt(session: _Session) -> str:
    coins = ", ".join(
        f"coin ${coin}$ is drawn with probability {_written(share)} and shows "
        f"heads with probability {_written(bias)}"
        for coin, share, bias in zip(
            _COINS, session.shares, session.biases, strict=True
        )
    )
    own = _COINS[session.coin]
    return paragraphs(
        "In each session one of two coins is drawn and tossed several times, "
        f"and nobody notes which. The current estimates of EM: {coins}.",
        f"One session had {session.tosses} tosses, {session.heads or 'none'} "
        f"of them heads. What is the responsibility of ${own}$ for it, the "
        "probability that it was this coin?",
    )


def _power(session: _Session, coin: int) -> str:
    """Write shares and biases as a product, in TeX."""
    p, tails = session.biases[coin], session.tosses - session.heads
    factors = [_written(session.shares[coin])]
    for base, exponent in ((p, session.heads), (1 - p, tails)):
        if exponent:
            power = f"^{exponent}" if exponent > 1 else ""
            factors.append(f"{_written(base)}{power}")
    return r" \cdot ".join(factors)


def _e_reason(session: _Session) -> str:
    own, other = session.coin, 1 - session.coin
    return (
        rf"$$\frac{{{_power(session, own)}}}{{{_power(session, own)} + "
        rf"{_power(session, other)}}} \approx "
        rf"{_short(session.responsibility(own))}$$"
    )


def _e_worked(session: _Session) -> str:
    rows = [
        [
            f"*{_COINS[coin]}*",
            _written(session.shares[coin]),
            f"${_power(session, coin)}$ = {_short(session.weight(coin))}",
            _short(session.responsibility(coin)),
        ]
        for coin in (0, 1)
    ]
    total = session.weight(0) + session.weight(1)
    own = session.coin
    up = session.responsibility(own) > session.shares[own]
    more = "more" if up else "less"
    prior = _written(session.shares[own])
    return paragraphs(
        "The E step is Bayes' rule: the share of a coin times the likelihood "
        "of the session, divided by the sum over the coins. In how many "
        "orders the tosses can come out does not matter; it would cancel.",
        table(
            ["coin", "share", "share × likelihood", "responsibility"],
            [*rows, ["*sum*", "1", _short(total), "1"]],
        ),
        f"**Does it make sense?** The tosses are {more} probable with "
        f"${_COINS[own]}$ than with ${_COINS[1 - own]}$, so its probability "
        f"{'rises' if up else 'falls'} from {prior} to "
        f"{_short(session.responsibility(own))}. The M step then counts "
        f"{_short(session.responsibility(own) * session.tosses)} of the "
        f"{session.tosses} tosses for ${_COINS[own]}$, and the others for "
        f"${_COINS[1 - own]}$.",
    )


# --- the M step --------------------------------------------------------------


@dataclass(frozen=True)
class _Sessions:
    """Heads and tosses of sessions, and the responsibilities of coin A."""

    heads: tuple[int, ...]
    tosses: tuple[int, ...]
    tenths: tuple[int, ...]
    coin: int
    asked: str  # "bias" or "share"

    def weights(self, coin: int) -> tuple[Fraction, ...]:
        """Return the responsibilities of a coin."""
        own = self.tenths if coin == 0 else [10 - t for t in self.tenths]
        return tuple(Fraction(t, 10) for t in own)

    def sessions_of(self, coin: int) -> Fraction:
        """Return the expected number of sessions with a coin."""
        return sum(self.weights(coin), Fraction())

    def sum_of(self, values: tuple[int, ...], coin: int) -> Fraction:
        """Return the weighted sum of values of the sessions."""
        weights = self.weights(coin)
        pairs = zip(weights, values, strict=True)
        return sum((w * v for w, v in pairs), Fraction())

    def bias(self, coin: int) -> Fraction:
        """Return the new probability of heads."""
        return self.sum_of(self.heads, coin) / self.sum_of(self.tosses, coin)

    def share(self, coin: int) -> Fraction:
        """Return the new share of a coin."""
        return self.sessions_of(coin) / len(self.heads)


def _m_step(seed: int, rng: np.random.Generator) -> Drill:
    asked = "share" if seed % 6 == 4 else "bias"

    def draw() -> Drill | None:
        n = pick(rng, [2, 3, 3])
        tosses = tuple(int(k) for k in rng.integers(4, 11, n))
        sessions = _Sessions(
            tuple(int(rng.integers(k + 1)) for k in tosses),
            tosses,
            tuple(int(t) for t in rng.integers(1, 10, n)),
            pick(rng, [0, 1]),
            asked,
        )
        # A half is no decision for hard EM.
        if len(set(tosses)) < n or 5 in sessions.tenths:
            return None
        if not any(sessions.heads):
            return None
        answer = getattr(sessions, asked)(sessions.coin)
        mistakes = list(_m_mistakes(sessions))
        if not askable(answer, mistakes, _LEAST):
            return None
        question = Numeric(
            id=f"em-step-{seed}",
            kind="number",
            level="apply",
            prompt=_m_prompt(sessions),
            setup=_m_setup(sessions),
            answer=_written(answer),
            tolerance=float(TOLERANCE),
            check={"bias": "bias(own)", "share": "own.mean()"}[asked],
            why=_m_reason(sessions),
            wrong=merged(mistakes, _written),
        )
        return Drill("em-step", seed, question, _m_worked(sessions))

    return until(draw)


def _m_mistakes(sessions: _Sessions) -> Iterator[Mistake]:
    coin, heads, tosses = sessions.coin, sessions.heads, sessions.tosses
    own, other = _COINS[coin], _COINS[1 - coin]
    weights = sessions.weights(coin)
    hard = [Fraction(weight > Fraction(1, 2)) for weight in weights]
    if sessions.asked == "share":
        yield (
            sum(hard, Fraction()) / len(hard),
            "(own > 0.5).mean()",
            "This gives each session to one coin, as hard EM does.",
        )
        yield (
            sessions.share(1 - coin),
            "(1 - own).mean()",
            f"This is the share of the other coin, ${other}$.",
        )
        yield (
            sessions.sum_of(tosses, coin) / sum(tosses),
            "own @ tosses / tosses.sum()",
            "This weights the sessions with their tosses. A coin is drawn "
            "once in a session, however often it is tossed.",
        )
        yield (
            sessions.bias(coin),
            "bias(own)",
            f"This is the new probability that ${own}$ shows heads.",
        )
        yield (
            sessions.sessions_of(coin),
            "own.sum()",
            f"This is the expected number of sessions with ${own}$. Divide it "
            "by the number of sessions.",
        )
        return
    yield (
        Fraction(sum(heads), sum(tosses)),
        "heads.sum() / tosses.sum()",
        "This is the share of heads in all tosses, as if all were of one "
        f"coin. Weight each session with the responsibility of ${own}$.",
    )
    if any(hard):
        hard_heads = (w * h for w, h in zip(hard, heads, strict=True))
        hard_tosses = (w * k for w, k in zip(hard, tosses, strict=True))
        yield (
            sum(hard_heads, Fraction()) / sum(hard_tosses, Fraction()),
            "bias(own > 0.5)",
            "This gives each session to one coin, as hard EM does. Soft EM "
            "gives each coin its part.",
        )
    ratios = (
        w * Fraction(h, k)
        for w, h, k in zip(weights, heads, tosses, strict=True)
    )
    yield (
        sum(ratios, Fraction()) / sessions.sessions_of(coin),
        "np.average(heads / tosses, weights=own)",
        "This is a mean of the sessions' shares of heads. Sessions with more "
        "tosses say more: add heads and tosses first.",
    )
    yield (
        sessions.sum_of(heads, coin) / sum(tosses),
        "own @ heads / tosses.sum()",
        f"The heads are those expected of ${own}$, but the tosses are all. "
        "Weight the tosses, too.",
    )
    yield (
        sessions.sum_of(heads, coin) / sum(heads),
        "own @ heads / heads.sum()",
        f"This is the part of all heads that ${own}$ gets. Divide by the "
        f"tosses expected of ${own}$.",
    )
    yield (
        sessions.bias(1 - coin),
        "bias(1 - own)",
        f"This is the new probability of the other coin, ${other}$.",
    )


def _m_setup(sessions: _Sessions) -> str:
    return f"""\
import numpy as np
heads = np.array({list(sessions.heads)!r})
tosses = np.array({list(sessions.tosses)!r})
own = np.array({[float(w) for w in sessions.weights(sessions.coin)]!r})
def bias(weights):
    return np.average(heads / tosses, weights=weights * tosses)
"""


def _m_prompt(sessions: _Sessions) -> str:
    own = _COINS[sessions.coin]
    rows = [
        [str(at), str(h), str(k - h), _written(w), _written(1 - w)]
        for at, (h, k, w) in enumerate(
            zip(
                sessions.heads,
                sessions.tosses,
                sessions.weights(0),
                strict=True,
            ),
            1,
        )
    ]
    asked = {
        "bias": f"is the new probability that coin ${own}$ shows heads",
        "share": f"is the new share of coin ${own}$, the probability with "
        "which it is drawn",
    }[sessions.asked]
    return paragraphs(
        "In each session one of two coins is drawn and tossed several times, "
        "and nobody notes which. An E step has given these responsibilities "
        "of the coins for the sessions:",
        table(["session", "heads", "tails", "*A*", "*B*"], rows),
        f"What {asked}, after the M step?",
    )


def _weighted(weights: tuple[Fraction, ...], values: tuple[int, ...]) -> str:
    return " + ".join(
        rf"{_written(w)} \cdot {v}"
        for w, v in zip(weights, values, strict=True)
    )


def _m_reason(sessions: _Sessions) -> str:
    weights = sessions.weights(sessions.coin)
    if sessions.asked == "share":
        top = " + ".join(map(_written, weights))
        bottom = str(len(weights))
    else:
        top = _weighted(weights, sessions.heads)
        bottom = _weighted(weights, sessions.tosses)
    answer = getattr(sessions, sessions.asked)(sessions.coin)
    return rf"$$\frac{{{top}}}{{{bottom}}} {nearly(answer)}$$"


def _m_worked(sessions: _Sessions) -> str:
    rows = []
    for coin in (0, 1):
        heads, tosses = (
            sessions.sum_of(values, coin)
            for values in (sessions.heads, sessions.tosses)
        )
        rows.append(
            [
                f"*{_COINS[coin]}*",
                _written(sessions.sessions_of(coin)),
                _written(heads),
                _written(tosses),
                f"${nearly(sessions.bias(coin)).removeprefix('= ')}$",
                f"${nearly(sessions.share(coin)).removeprefix('= ')}$",
            ]
        )
    totals = [len(sessions.heads), sum(sessions.heads), sum(sessions.tosses)]
    return paragraphs(
        "The M step counts as if the coins were known, but it divides each "
        "session between both coins. The expected numbers of sessions, heads "
        "and tosses are:",
        table(
            ["coin", "sessions", "heads", "tosses", "heads / tosses", "share"],
            [*rows, ["*sum*", *map(str, totals), "", "1"]],
        ),
        "The parts of the two coins add up to what was observed. With these "
        "new numbers the likelihood of the sessions is at least as large as "
        "before.",
    )
