"""Chains with a given stationary distribution: Metropolis-Hastings, Gibbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import require_size, states_at
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import as_int, exact_weight, finite
from bayesbook.base.randomness import as_rng
from bayesbook.mcmc.chains import MarkovChain
from bayesbook.mcmc.diagnostics import effective_sample_size, split_r_hat
from bayesbook.mcmc.distributions import Distribution, State, by_state
from bayesbook.probability import Table


def metropolis_matrix(
    target: Distribution, proposal: MarkovChain
) -> MarkovChain:
    r"""Return the Metropolis-Hastings chain of a target and a proposal.

    .. math:: P(i, j) = q(i, j) \min\left(1,
        \frac{\pi(j) \, q(j, i)}{\pi(i) \, q(i, j)}\right), \quad i \ne j,

    and a proposal that is rejected leaves the state: P(i, i) is the rest of
    the row.

    Parameters
    ----------
    target : Table, mapping or sequence of numbers
        A weight for each state, proportional to the stationary distribution.
    proposal : MarkovChain
        The chain that proposes the next state.

    Returns
    -------
    MarkovChain
        Exact if target and proposal are. The target satisfies detailed
        balance, and is the only stationary distribution if the chain is
        irreducible.

    Raises
    ------
    ProbabilityError
        If a weight is negative or not a number, or states are missing.
    ZeroProbabilityError
        If all weights are zero.

    Notes
    -----
    In a state of weight zero the chain can start, and it never returns
    there; from such a state every proposal is accepted.

    Examples
    --------
    >>> walk = MarkovChain([["1/2", "1/2", 0], ["1/2", 0, "1/2"],
    ...                     [0, "1/2", "1/2"]])
    >>> chain = metropolis_matrix([1, 2, 3], walk)
    >>> chain
    MarkovChain P(next | now)
    now  next=0  next=1  next=2
    0       1/2     1/2       0
    1       1/4     1/4     1/2
    2         0     1/3     2/3
    >>> chain.stationary()
    P(state)
    state=0  state=1  state=2
        1/6      1/3      1/2
    """
    weights = _weights(target, proposal)
    q = proposal.matrix
    if weights.dtype != object or q.dtype != object:
        weights, q = weights.astype(float), q.astype(float)
    flow = weights[:, None] * q
    # Accept as much of the flow from i to j as makes the flow back equal.
    with np.errstate(divide="ignore", invalid="ignore"):
        accepted = np.where(
            flow > 0, np.minimum(flow, flow.T) / np.where(flow > 0, flow, 1), 1
        )
    matrix = q * accepted
    np.fill_diagonal(matrix, 0)
    np.fill_diagonal(matrix, 1 - matrix.sum(axis=1))
    if matrix.dtype != object:
        # Rounding may make the diagonal slightly negative.
        matrix = matrix.clip(0)
    return MarkovChain(matrix, proposal.states)


def gibbs_matrices(joint: Table) -> dict[str, MarkovChain]:
    r"""Return, for each variable, the chain that draws it given the others.

    .. math:: P_i(x, y) = P(y_i \mid x_{-i}) \text{ if } y_{-i} = x_{-i},
        \text{ and } 0 \text{ otherwise.}

    Parameters
    ----------
    joint : Table
        A joint distribution of some variables.

    Returns
    -------
    dict of name to MarkovChain
        Their states are the configurations of positive probability, tuples
        in the order of the table. A sweep is a step of each chain,
        ``chains["X"].then(chains["Y"])``.

    Raises
    ------
    ProbabilityError
        If the table is conditional.
    TableTooLargeError
        If the matrices would need more than `bayesbook.probability.MAX_BYTES`.

    Examples
    --------
    >>> joint = Table([["1/2", "1/4"], [0, "1/4"]], {"X": "ab", "Y": "cd"})
    >>> gibbs_matrices(joint)["X"]
    MarkovChain P(next | now)
    now         next=('a', 'c')  next=('a', 'd')  next=('b', 'd')
    ('a', 'c')                1                0                0
    ('a', 'd')                0              1/2              1/2
    ('b', 'd')                0              1/2              1/2
    """
    if joint.conditions:
        raise ProbabilityError(
            f"{joint.title} is a conditional table: multiply it by the "
            f"distribution of {quoted_list(joint.conditions)} first."
        )
    places = np.argwhere(joint.values > 0)
    kind = "fraction" if joint.is_exact else "float"
    require_size((len(places),) * 2, kind, "The matrix of the chain")
    weights = joint.values[tuple(places.T)]
    states = [
        tuple(states_at(joint.states, place).values()) for place in places
    ]
    chains = {}
    for axis, name in enumerate(joint.variables):
        others = np.delete(places, axis, axis=1)
        same = (others[:, None] == others[None]).all(axis=2)
        matrix = np.where(same, weights, 0 * weights[0])
        matrix = matrix / matrix.sum(axis=1, keepdims=True)
        chains[name] = MarkovChain(matrix, states)
    return chains


@dataclass(frozen=True, eq=False, repr=False)
class MetropolisRun:
    """The draws of Metropolis-Hastings, and which proposals were accepted.

    Attributes
    ----------
    draws : array, shape (n, ...) or (chains, n, ...)
        The states after each step that is kept, without the start. States
        that are not numbers are held as objects.
    log_target : array, shape (n,) or (chains, n)
        The logarithm of the target at each draw.
    accepted : array of bool, shape (steps,) or (chains, steps)
        For all steps, including those of the burn-in.

    Examples
    --------
    >>> run = metropolis_hastings(
    ...     lambda x: -abs(x), lambda x, rng: x + rng.choice([-1, 1]),
    ...     start=0, size=2000, rng=1, thin=5)
    >>> run.draws[:6].tolist()
    [-1, 0, -1, 0, 1, 0]
    >>> round(run.acceptance_rate, 2), round(run.r_hat, 2)
    (0.54, 1.0)
    """

    draws: np.ndarray
    log_target: np.ndarray
    accepted: np.ndarray

    @property
    def acceptance_rate(self) -> float | np.ndarray:
        """The share of accepted proposals, of each chain."""
        rate = self.accepted.mean(axis=-1)
        return float(rate) if rate.ndim == 0 else rate

    @property
    def r_hat(self) -> float | np.ndarray:
        """The R-hat of each number of the state: see `split_r_hat`."""
        return split_r_hat(self._by_chain)

    @property
    def effective_sample_size(self) -> float | np.ndarray:
        """The number of independent draws with an equally accurate mean."""
        return effective_sample_size(self._by_chain)

    @property
    def _by_chain(self):
        return self.draws if self.accepted.ndim == 2 else self.draws[None]

    def __repr__(self) -> str:
        n = self.log_target.shape[-1]
        m = len(self._by_chain)
        return (
            f"{type(self).__name__}({m} {'chains' if m > 1 else 'chain'} of "
            f"{n} draws, {self.accepted.mean():.1%} accepted)"
        )


def metropolis_hastings(
    log_target: Callable[[Any], float | np.ndarray],
    propose: Callable[[Any, np.random.Generator], Any],
    start: State | np.ndarray,
    size: int,
    *,
    rng: np.random.Generator | int,
    log_ratio: Callable[[Any, Any], float | np.ndarray] | None = None,
    burn_in: int = 0,
    thin: int = 1,
    vectorised: bool = False,
) -> MetropolisRun:
    r"""Draw from a distribution that is known up to a factor.

    From the state x, a state y is proposed, and accepted with probability

    .. math:: \min\left(1,
        \frac{\pi(y) \, q(x \mid y)}{\pi(x) \, q(y \mid x)}\right);

    otherwise the chain stays at x, which is then drawn again.

    Parameters
    ----------
    log_target : function of a state
        The function log π(x), up to a constant; −inf where π is 0.
    propose : function of a state and a generator
        Returns the proposed state y, and does not change x.
    start : state
        A state where π is positive. An array, a list or a number is a state
        of numbers; anything else is one object.
    size : int
        How many draws to keep, at least 1.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.
    log_ratio : function of two states x and y, optional
        log q(x | y) − log q(y | x) for a proposal y from x. It is 0 by
        default, which is right if y is proposed from x as often as x from y.
    burn_in : int
        How many steps to discard at the beginning.
    thin : int
        Keep one of this many steps.
    vectorised : bool
        Whether `start` holds a state for each of many chains, along its first
        axis, and the functions take and return those of all chains at once.

    Returns
    -------
    MetropolisRun

    Raises
    ------
    ProbabilityError
        If the start has probability 0, if a function does not return a
        number where it should, or returns NaN, or if a number of draws or
        steps is not whole.

    Examples
    --------
    A standard normal variable, with steps of a random length:

    >>> run = metropolis_hastings(
    ...     lambda x: -x * x / 2, lambda x, rng: x + rng.normal(scale=2.4),
    ...     start=0.0, size=5000, rng=1)
    >>> run
    MetropolisRun(1 chain of 5000 draws, 44.3% accepted)
    >>> print(f"{run.draws.mean():.2f} {run.draws.std():.2f}")
    0.00 0.96

    Words are states as well:

    >>> weight = {"a": 1, "b": 2, "c": 5}
    >>> run = metropolis_hastings(
    ...     lambda x: np.log(weight[x]), lambda x, rng: rng.choice([*"abc"]),
    ...     start="a", size=4000, rng=1)
    >>> print(f"{(run.draws == 'c').mean():.3f}")
    0.616
    """
    size = as_int(size, "The number of draws", 1)
    burn_in = as_int(burn_in, "The burn-in", 0)
    thin = as_int(thin, "thin", 1)
    rng = as_rng(rng)
    walk: _Walk
    if vectorised:
        walk = _ManyWalks(log_target, propose, log_ratio, rng)
    else:
        walk = _Walk(log_target, propose, log_ratio, rng)
    x, level = walk.begin(start)
    states, levels, moved = [], [], []
    for t in range(1, burn_in + size * thin + 1):
        x, level, accepted = walk.move(x, level)
        moved.append(accepted)
        if t > burn_in and (t - burn_in) % thin == 0:
            states.append(x)
            levels.append(level)
    return MetropolisRun(
        walk.collected(states),
        np.moveaxis(np.array(levels, dtype=float), 0, -1),
        np.moveaxis(np.array(moved, dtype=bool), 0, -1),
    )


class _Walk:
    """One chain, on states of any kind."""

    def __init__(self, log_target, propose, log_ratio, rng):
        self.log_target, self.propose = log_target, propose
        self.log_ratio, self.rng = log_ratio, rng

    def begin(self, start):
        """Return the start and its level, log π."""
        self.is_array = isinstance(start, np.ndarray | list)
        x = self.kept(start)
        level = self.level(x)
        if np.any(level == -np.inf):
            raise ProbabilityError(
                f"The start {_shown(x)} has probability 0 (log_target is "
                "−inf): start where the target is positive."
            )
        return x, level

    def kept(self, x):
        """Return a copy of the state that cannot be changed."""
        if self.is_array:
            x = np.array(x)
            x.setflags(write=False)
        return x

    def level(self, x):
        """Return log π at a state."""
        level = self.number(self.log_target(x), f"log_target at {_shown(x)}")
        if level == np.inf:
            raise ProbabilityError(
                f"log_target at {_shown(x)} is inf: it must be finite or −inf."
            )
        return level

    def number(self, value, what):
        """Read a number that a function has returned."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ProbabilityError(
                f"{what} is {_shown(value)}; it must be one number. For many "
                "chains at once set vectorised=True."
            ) from None
        if np.isnan(number):
            raise ProbabilityError(f"{what} is nan: not a number.")
        return number

    def move(self, x, level):
        """Make a step; return state, level, and whether it was accepted."""
        y = self.kept(self.propose(x, self.rng))
        if self.is_array and y.shape != x.shape:
            raise ProbabilityError(
                f"A state of the shape {y.shape} was proposed from one of "
                f"the shape {x.shape}."
            )
        new = self.level(y)
        gain = new - level
        if self.log_ratio is not None and new > -np.inf:
            what = f"log_ratio from {_shown(x)} to {_shown(y)}"
            gain += self.number(self.log_ratio(x, y), what)
        # −Exp(1) is the logarithm of a uniform number.
        if -self.rng.exponential() <= gain:
            return y, new, True
        return x, level, False

    def collected(self, states):
        """Return the draws as an array."""
        numeric = (int, float, np.number, np.bool_)
        if self.is_array or all(isinstance(x, numeric) for x in states):
            return np.array(states)
        drawn = np.empty(len(states), dtype=object)
        for i, x in enumerate(states):
            drawn[i] = x
        return drawn


class _ManyWalks(_Walk):
    """Many chains at once, with a row of an array for each state."""

    def begin(self, start):
        start = np.asarray(start)
        if start.ndim == 0 or not len(start):
            raise ProbabilityError(
                f"The start is {_shown(start)}; with vectorised=True it holds "
                "a state for each chain along its first axis."
            )
        self.n_chains = len(start)
        self.is_array = True
        x = self.kept(start)
        level = self.level(x)
        if (level == -np.inf).any():
            row = int(np.argmax(level == -np.inf))
            raise ProbabilityError(
                f"The start {_shown(x[row])} of chain {row} has probability 0 "
                "(log_target is −inf): start where the target is positive."
            )
        return x, level

    def level(self, x):
        level = self.numbers(self.log_target(x), x, "log_target")
        if (level == np.inf).any():
            row = int(np.argmax(level == np.inf))
            raise ProbabilityError(
                f"log_target at {_shown(x[row])} is inf: it must be finite "
                "or −inf."
            )
        return level

    def numbers(self, values, x, what):
        """Read the numbers that a function has returned, one a chain."""
        numbers = np.array(values, dtype=float)
        if numbers.shape != (self.n_chains,):
            raise ProbabilityError(
                f"{what} returned numbers of the shape {numbers.shape} for "
                f"{self.n_chains} chains; it must return one for each chain."
            )
        if np.isnan(numbers).any():
            row = int(np.argmax(np.isnan(numbers)))
            raise ProbabilityError(
                f"{what} at {_shown(x[row])} is nan: not a number."
            )
        return numbers

    def move(self, x, level):
        y = self.kept(self.propose(x, self.rng))
        if y.shape != x.shape:
            raise ProbabilityError(
                f"States of the shape {y.shape} were proposed from states of "
                f"the shape {x.shape}."
            )
        new = self.level(y)
        gain = new - level
        if self.log_ratio is not None:
            # Proposals of probability 0 need no ratio, and may have none.
            ratio = np.array(self.log_ratio(x, y), dtype=float)
            if ratio.shape == new.shape:
                ratio[new == -np.inf] = 0
            gain = gain + self.numbers(ratio, y, "log_ratio")
        accepted = -self.rng.exponential(size=self.n_chains) <= gain
        rows = accepted.reshape(-1, *[1] * (x.ndim - 1))
        return (
            np.where(rows, y, x),
            np.where(accepted, new, level),
            accepted,
        )

    def collected(self, states):
        return np.stack(states, axis=1)


def _weights(target, proposal):
    """Read a weight for each state of a chain."""
    if isinstance(target, Table | Mapping):
        named = by_state(target)
    else:
        numbers = list(by_state(target, "The target").values())
        if len(numbers) != len(proposal.states):
            raise ProbabilityError(
                f"The target has {len(numbers)} weights for "
                f"{len(proposal.states)} states."
            )
        named = dict(zip(proposal.states, numbers, strict=True))
    for state in named:
        proposal._place(state, "A state of the target")
    missing = [state for state in proposal.states if state not in named]
    if missing:
        raise ProbabilityError(
            f"The target has no weight for {quoted_list(missing)}; write a "
            "zero if it is zero."
        )
    weights = [
        exact_weight(named[state], f"The weight of {state!r}")
        for state in proposal.states
    ]
    if not any(weights):
        raise ZeroProbabilityError("All weights of the target are zero.")
    as_given = [finite(named[state], "A weight") for state in proposal.states]
    exact = all(isinstance(weight, Fraction) for weight in as_given)
    return np.array(weights, dtype=object if exact else float)


def _shown(value):
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
