"""Drills of EM: a step of it, for two coins of which one was tossed.

The M step is also asked for with a prior.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    Mistake,
    about,
    by_hand,
    hints,
    mistakes_of,
    nearly,
    paragraphs,
    rounded,
    table,
    told_apart,
)

# Nearer to 0 or 1 an answer could be guessed.
_LEAST = Fraction(1, 50)
# With a larger denominator a number is written as a rounded decimal.
_written = partial(rounded, longest=500)
_short = partial(about, digits=4)
_COINS = "AB"


def em_step(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a number of an E step or of an M step."""
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
        if not by_hand(answer, _LEAST):
            return None
        mistakes = list(_e_mistakes(session))
        if not told_apart(answer, mistakes):
            return None
        return number_drill(
            "em-step",
            seed,
            answer,
            mistakes,
            _written,
            _e_worked(session),
            prompt=_e_prompt(session),
            setup=_e_setup(session),
            check="responsibility[coin]",
            why_check=("[1 - p for p in bias]",),  # of tails
            why=_e_reason(session),
            hints=_e_hints(session),
        )

    return until(draw)


def _e_mistakes(session: _Session) -> Iterator[Mistake]:
    coin = session.coin
    own, other = _COINS[coin], _COINS[1 - coin]
    names = {
        "coin": coin,
        "share": session.shares,
        "likelihood": [session.likelihood(each) for each in (0, 1)],
        "responsibility": [session.responsibility(each) for each in (0, 1)],
    }
    block = f"""
        likelihood[coin] / sum(likelihood) | This would be right if both coins
            were drawn equally often. But the share of ${own}$ is
            {_written(session.shares[coin])}.
        share[coin] * likelihood[coin] | This is the probability that ${own}$
            is drawn *and* the tosses come out like this. Divide by the sum of
            that over both coins.
        likelihood[coin] | This is the probability of the tosses if it was
            ${own}$. Asked is that of ${own}$, given the tosses.
        share[coin] | This is the share of ${own}$, before the tosses were
            seen.
        responsibility[1 - coin] | This is the responsibility of the other
            coin, ${other}$.
        round(responsibility[coin]) | This decides for one coin, as hard EM
            does. Soft EM keeps the probability.
    """
    return mistakes_of(block, names)


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


def _e_hints(session: _Session) -> tuple[str, ...]:
    own, tails = session.coin, session.tosses - session.heads
    return hints(
        "It is Bayes' rule: the shares are the prior, and each coin has its "
        f"own probability of {session.heads} heads and {tails} tails in this "
        "order.",
        f"For ${_COINS[own]}$, share times likelihood is "
        f"${_power(session, own)} {nearly(session.weight(own))}$.",
    )


def _e_worked(session: _Session) -> str:
    rows = [
        [
            f"*{_COINS[coin]}*",
            _written(session.shares[coin]),
            f"${_power(session, coin)} {nearly(session.weight(coin))}$",
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
        if not by_hand(answer, _LEAST):
            return None
        mistakes = list(_m_mistakes(sessions))
        if not told_apart(answer, mistakes):
            return None
        return number_drill(
            "em-step",
            seed,
            answer,
            mistakes,
            _written,
            _m_worked(sessions),
            prompt=_m_prompt(sessions),
            setup=_m_setup(sessions),
            check={"bias": "bias(own)", "share": "own.mean()"}[asked],
            why_check=("1 - own",),  # those of the other coin
            why=_m_reason(sessions),
            hints=_m_hints(sessions),
        )

    return until(draw)


def _m_mistakes(sessions: _Sessions) -> Iterator[Mistake]:
    coin = sessions.coin
    heads, tosses, weights = (
        np.array([*map(Fraction, values)])
        for values in (sessions.heads, sessions.tosses, sessions.weights(coin))
    )
    names = {
        "np": np,
        "heads": heads,
        "tosses": tosses,
        "own": weights,
        "hard": np.array([Fraction(round(weight)) for weight in weights]),
        "bias": lambda weights: weights @ heads / (weights @ tosses),
    }
    block = _OF_SHARE if sessions.asked == "share" else _OF_BIAS
    coins = {"own": _COINS[coin], "other": _COINS[1 - coin]}
    return mistakes_of(block.format(**coins), names)


_OF_SHARE = """
    hard.mean() | This gives each session to one coin, as hard EM does.
    (1 - own).mean() | This is the share of the other coin, ${other}$.
    own @ tosses / tosses.sum() | This weights the sessions with their tosses.
        A coin is drawn once in a session, however often it is tossed.
    bias(own) | This is the new probability that ${own}$ shows heads.
    own.sum() | This is the expected number of sessions with ${own}$. Divide
        it by the number of sessions.
"""
_OF_BIAS = """
    heads.sum() / tosses.sum() | This is the share of heads in all tosses, as
        if all were of one coin. Weight each session with the responsibility
        of ${own}$.
    bias(hard) | if hard.any() | This gives each session to one coin, as hard
        EM does. Soft EM gives each coin its part.
    np.average(heads / tosses, weights=own) | This is a mean of the sessions'
        shares of heads. Sessions with more tosses say more: add heads and
        tosses first.
    own @ heads / tosses.sum() | The heads are those expected of ${own}$, but
        the tosses are all. Weight the tosses, too.
    own @ heads / heads.sum() | This is the part of all heads that ${own}$
        gets. Divide by the tosses expected of ${own}$.
    bias(1 - own) | This is the new probability of the other coin, ${other}$.
"""


def _m_setup(sessions: _Sessions) -> str:
    return f"""\
import numpy as np
heads = np.array({list(sessions.heads)!r})
tosses = np.array({list(sessions.tosses)!r})
own = np.array({[float(w) for w in sessions.weights(sessions.coin)]!r})
hard = own > 0.5
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


def _m_hints(sessions: _Sessions) -> tuple[str, ...]:
    coin = sessions.coin
    own = f"${_COINS[coin]}$"
    number = _written(sessions.sessions_of(coin))
    if sessions.asked == "share":
        return hints(
            f"Only the responsibilities of {own} matter, each session once, "
            "however many tosses it has.",
            f"The responsibilities of {own} add up to {number}.",
        )
    heads = _written(sessions.sum_of(sessions.heads, coin))
    return hints(
        f"Each session counts for {own} with its responsibility: its heads "
        "and its tosses.",
        f"The heads expected of {own} are "
        f"${_weighted(sessions.weights(coin), sessions.heads)} = {heads}$.",
    )


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


# --- the M step with a prior -------------------------------------------------


def map_em(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a probability of heads after an M step with a Beta prior."""

    def draw() -> Drill | None:
        n = pick(rng, [2, 3])
        tosses = tuple(int(k) for k in rng.integers(3, 9, n))
        sessions = _Sessions(
            tuple(int(rng.integers(k + 1)) for k in tosses),
            tosses,
            tuple(int(t) for t in rng.integers(1, 10, n)),
            pick(rng, [0, 1]),
            "bias",
        )
        prior = (pick(rng, [2, 3, 4, 5]), pick(rng, [2, 3, 4, 5]))
        if len(set(tosses)) < n or 5 in sessions.tenths:
            return None
        answer = _mode(sessions, prior)
        if not by_hand(answer, _LEAST):
            return None
        mistakes = list(_map_mistakes(sessions, prior))
        if not told_apart(answer, mistakes):
            return None
        return number_drill(
            "map-em",
            seed,
            answer,
            mistakes,
            _written,
            _map_worked(sessions, prior),
            prompt=_map_prompt(sessions, prior),
            setup=_m_setup(sessions) + _map_setup(prior),
            check="mode(own, alpha - 1, beta - 1)",
            why_check=("1 - own", "own @ heads", "own @ tosses"),
            why=_map_reason(sessions, prior),
            hints=_map_hints(sessions, prior),
        )

    return until(draw)


def _mode(sessions: _Sessions, prior: tuple[int, int]) -> Fraction:
    """Return the new probability of heads, with pseudo-counts."""
    heads, tosses = (
        sessions.sum_of(values, sessions.coin)
        for values in (sessions.heads, sessions.tosses)
    )
    return (heads + prior[0] - 1) / (tosses + sum(prior) - 2)


def _map_mistakes(
    sessions: _Sessions, prior: tuple[int, int]
) -> Iterator[Mistake]:
    coin = sessions.coin
    heads, tosses, weights = (
        np.array([*map(Fraction, values)])
        for values in (sessions.heads, sessions.tosses, sessions.weights(coin))
    )

    def mode(own: np.ndarray, up: int, down: int) -> Fraction:
        return (own @ heads + up) / (own @ tosses + up + down)

    names = {
        "heads": heads,
        "tosses": tosses,
        "own": weights,
        "every": weights**0,
        "alpha": prior[0],
        "beta": prior[1],
        "mode": mode,
        "bias": lambda own: own @ heads / (own @ tosses),
    }
    block = f"""
        bias(own) | This leaves the prior out.
        mode(own, alpha, beta) | This adds {prior[0]} and {prior[1]}: it is
            the mean of a Beta posterior with these counts. The largest value
            of its density is at one less of each.
        mode(every, alpha - 1, beta - 1) | This counts all tosses, as if all
            were of one coin. Weight each session with the responsibility of
            ${_COINS[coin]}$.
        mode(1 - own, alpha - 1, beta - 1) | This is the new probability of
            the other coin, ${_COINS[1 - coin]}$.
        (own @ heads + alpha - 1) / (own @ tosses) | The prior adds to the
            tosses, too, not only to the heads.
        (alpha - 1) / (F(alpha) + beta - 2) | This is the mode of the prior,
            before any tosses.
    """
    return mistakes_of(block, names | {"F": Fraction})


def _map_setup(prior: tuple[int, int]) -> str:
    return f"""\
from fractions import Fraction as F
alpha, beta = {prior[0]}, {prior[1]}
every = np.ones(len(own))
def mode(weights, up, down):
    shares = [bias(weights), up / (up + down)]
    return np.average(shares, weights=[weights @ tosses, up + down])
"""


def _map_prompt(sessions: _Sessions, prior: tuple[int, int]) -> str:
    own = _COINS[sessions.coin]
    start, _, _ = _m_prompt(sessions).rpartition("\n\n")
    return paragraphs(
        start,
        rf"Each coin's probability of heads has the prior $\text{{Beta}}"
        rf"({prior[0]}, {prior[1]})$. What is the new probability that coin "
        f"${own}$ shows heads, after the M step of MAP-EM?",
    )


def _map_reason(sessions: _Sessions, prior: tuple[int, int]) -> str:
    coin = sessions.coin
    heads = _written(sessions.sum_of(sessions.heads, coin))
    tosses = _written(sessions.sum_of(sessions.tosses, coin))
    up, both = prior[0] - 1, sum(prior) - 2
    value = nearly(_mode(sessions, prior))
    return rf"$$\frac{{{heads} + {up}}}{{{tosses} + {both}}} {value}$$"


def _map_hints(sessions: _Sessions, prior: tuple[int, int]) -> tuple[str, ...]:
    coin = sessions.coin
    heads = _written(sessions.sum_of(sessions.heads, coin))
    return hints(
        f"The prior adds {prior[0] - 1} to the expected heads and "
        f"{prior[1] - 1} to the expected tails.",
        f"The heads expected of ${_COINS[coin]}$ are "
        f"${_weighted(sessions.weights(coin), sessions.heads)} = {heads}$.",
    )


def _map_worked(sessions: _Sessions, prior: tuple[int, int]) -> str:
    up, down = prior[0] - 1, prior[1] - 1
    coin = sessions.coin
    heads, tosses = (
        sessions.sum_of(values, coin)
        for values in (sessions.heads, sessions.tosses)
    )
    rows = [
        [f"expected of *{_COINS[coin]}*", _written(heads), _written(tosses)],
        ["from the prior", str(up), str(up + down)],
        ["*sum*", _written(heads + up), _written(tosses + up + down)],
    ]
    value = _short(_mode(sessions, prior))
    return paragraphs(
        "The E step is that of EM. The M step counts the expected heads and "
        "tosses, and adds those of the prior: one less than each of its "
        "parameters.",
        table(["counts", "heads", "tosses"], rows),
        f"**Does it make sense?** Without the prior the estimate would be "
        f"{_short(sessions.bias(coin))}; the prior alone has its largest "
        f"density at {_short(Fraction(up, up + down))}. The answer {value} is "
        "not outside these two.",
    )
