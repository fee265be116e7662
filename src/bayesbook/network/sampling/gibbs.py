r"""Gibbs sampling: draw each node given all others, again and again.

A node depends on the others only through its Markov blanket,

.. math::

    P(x_i \mid x_{-i}, e) \propto P(x_i \mid x_{\mathrm{pa}(i)})
        \prod_{j \in \mathrm{ch}(i)} P(x_j \mid x_{\mathrm{pa}(j)}),

so that no other node is needed. The distribution P(x | e) is stationary under
such a step, hence under a sweep through all nodes; and if the chain is
irreducible, the shares of the states converge to their probabilities.

>>> from bayesbook.network import BayesianNetwork
>>> lawn = BayesianNetwork.from_cpts(
...     {"rain": ("no", "yes"), "sprinkler": ("off", "on"),
...      "grass": ("dry", "wet")},
...     {"rain": [0.8, 0.2],
...      ("sprinkler", "rain"): [[0.6, 0.4], [0.99, 0.01]],
...      ("grass", "rain", "sprinkler"): [[[0.7, 0.3], [0.1, 0.9]],
...                                       [[0.2, 0.8], [0.1, 0.9]]]},
... )
>>> run = gibbs(lawn, {"grass": "wet"}, 1000, rng=1)
>>> p, error = run.array("rain"), run.standard_error("rain")
>>> print(f"P(rain=yes | grass=wet) = {p[1]:.2f} +- {error[1]:.2f}")
P(rain=yes | grass=wet) = 0.28 +- 0.01

Gibbs sampling was proposed by Geman and Geman (1984), and for Bayesian
networks, with Markov blankets, by Pearl (1987); see Pearl (1988), section
4.4.3, and Koller and Friedman (2009), section 12.3. Many chains are compared
as Gelman and Rubin (1992) do, and draws counted after Vehtari, Gelman,
Simpson, Carpenter and Bürkner (2021).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from bayesbook.base import (
    ConvergenceError,
    ProbabilityError,
    ReducibleChainWarning,
    ZeroProbabilityError,
)
from bayesbook.base.labels import say
from bayesbook.base.names import pluralise
from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng
from bayesbook.network.ancestral import (
    CHUNK,
    ForwardSampler,
    frame_of,
    likelihoods,
    require_draws,
)
from bayesbook.network.evidence import (
    Evidence,
    EvidenceLike,
    as_text,
    code_of,
    columns_list,
    read_columns,
    read_evidence,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.progress import progress_bar
from bayesbook.network.sampling._gibbs_kernel import CHAINS, Sweep
from bayesbook.network.sampling.feasible_states import (
    float_factors,
    possible_states,
)
from bayesbook.network.sampling.irreducibility import (
    Irreducibility,
    irreducible,
)
from bayesbook.network.sampling.sampled_posteriors import SampledPosteriors
from bayesbook.network.tabular import require_network
from bayesbook.probability.table import State

__all__ = ["GibbsRun", "gibbs"]

# The largest number of rows that are drawn to find starts.
_MAX_TRIES = 2**18


class _NotKnownError(ProbabilityError, AttributeError):
    """Nothing was estimated under this name."""


class GibbsRun(SampledPosteriors):
    r"""The draws of several Gibbs chains, made by :func:`gibbs`.

    A mapping of node to table, the shares of the states among all draws. For
    each state the draws are a 0/1 sequence in each chain, its indicator, of
    which the diagnostics are taken. The standard error of a probability is
    :math:`\sqrt{\hat p (1 - \hat p) / \mathrm{ESS}}`.

    Attributes
    ----------
    order : tuple of str
        The nodes in the order of a sweep. Those with one possible state are
        not among them.
    n_chains, size, burn_in, thin : int
        `size` draws of each chain are kept: after `burn_in` sweeps that are
        left out, the last of every `thin` sweeps.
    irreducibility : Irreducibility
        Whether the chain can reach every possible configuration.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> run = gibbs(load_network("five"), {"x3": "high"}, 500, rng=0)
    >>> run.n_chains, run.size, run.order
    (4, 500, ('x2', 'x1', 'x5', 'x4'))
    >>> run.codes("x1").shape
    (4, 500)
    >>> run.array("x1").round(2)
    array([0.28, 0.72])
    """

    def __init__(
        self,
        network: BayesianNetwork,
        evidence: Mapping,
        draws: Mapping[str, np.ndarray],
        order: tuple[str, ...],
        connected: Irreducibility,
        plan: tuple[int, int, int, int],
    ):
        """Store the draws of each node, arrays of codes (size, n_chains)."""
        self._network, self._draws = network, draws
        self.order, self.irreducibility = order, connected
        self.n_chains, self.size, self.burn_in, self.thin = plan
        total = self.n_chains * self.size
        arrays = {}
        for node, codes in draws.items():
            n_states = len(network.states[node])
            counts = [np.count_nonzero(codes == k) for k in range(n_states)]
            arrays[node] = np.array(counts) / total
        self._hold(network.states, arrays, evidence)

    @property
    def log_evidence(self) -> float:  # type: ignore[override]  # none is set
        """Not estimated: asking for it is always an error."""
        raise _NotKnownError(
            "Gibbs sampling draws given the evidence and does not estimate "
            "its probability: use likelihood_weighting or "
            "JunctionTree(network)."
        )

    def codes(self, node: str) -> np.ndarray:
        """Return the code of the state of a node in each draw.

        Returns
        -------
        array of shape (n_chains, size)

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> run = gibbs(load_network("five"), {}, 4, n_chains=2, rng=0)
        >>> run.codes("x1")
        array([[0, 0, 0, 0],
               [1, 1, 1, 0]], dtype=uint8)
        """
        self._require_drawn(node)
        return self._draws[node].T

    def running(self, node: str, state: State) -> np.ndarray:
        """Return the estimates of a probability after each draw.

        Parameters
        ----------
        node : str
        state
            One of its states.

        Returns
        -------
        array of shape (n_chains, size)
            For each chain, the share of the state among its draws so far.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> run = gibbs(load_network("asia"), {"either": "yes"}, 1000, rng=0)
        >>> run.running("lung", "yes")[:, [9, 99, 999]].round(2)
        array([[0.7 , 0.2 , 0.88],
               [1.  , 0.58, 0.8 ],
               [0.7 , 0.71, 0.8 ],
               [1.  , 0.99, 0.95]])
        """
        is_state = self.codes(node) == code_of(self._network, node, state)
        seen = np.arange(1, self.size + 1)
        return is_state.cumsum(axis=1) / seen

    @cached_property
    def draws(self) -> pd.DataFrame:
        """All draws, a categorical column for each node not observed.

        The index has the levels ``chain`` and ``draw``.
        """
        index = pd.MultiIndex.from_product(
            [range(self.n_chains), range(self.size)],
            names=["chain", "draw"],
        )
        codes = {node: self.codes(node).ravel() for node in self._hidden}
        return frame_of(self._states, codes, index)

    @cached_property
    def r_hat(self) -> pd.Series:
        """By node, the largest split R-hat among its states.

        Near 1 if the chains agree; inf if each chain stays at one state, and
        not all at the same; nan if the node had one state in all draws, or
        there are fewer than four draws of a chain.
        """
        return self._by_node(self._r_hats, np.fmax)

    @cached_property
    def effective_sample_size(self) -> pd.Series:
        """By node, the smallest effective sample size among its states.

        nan where :attr:`r_hat` is.
        """
        return self._by_node(self._sizes, np.fmin)

    # The diagnostics need parts of scipy that take time to import.

    @cached_property
    def _r_hats(self):
        from bayesbook.mcmc import split_r_hat

        return self._diagnosed(
            lambda draws: split_r_hat(draws, method="split")
        )

    @cached_property
    def _sizes(self):
        from bayesbook.mcmc import effective_sample_size

        return self._diagnosed(effective_sample_size)

    def _diagnosed(self, measure):
        """Measure the indicator of each state of each node."""
        found = {}
        for node, p in self._arrays.items():
            found[node] = np.full(len(p), np.nan)
            varying = np.flatnonzero((p > 0) & (p < 1))
            if self.size < 4 or not len(varying):
                continue
            codes = self.codes(node)
            # For two states the diagnostics are the same.
            for k in varying[:1] if len(varying) == 2 else varying:
                found[node][k] = measure(codes == k)
            if len(varying) == 2:
                found[node][varying[1]] = found[node][varying[0]]
        return found

    def _by_node(self, values, worst):
        return pd.Series(
            {
                node: worst.reduce(of_states)
                for node, of_states in values.items()
            },
            dtype=float,
        )

    def _standard_error(self, node):
        p = self._arrays[node]
        return np.sqrt(p * (1 - p) / self._sizes[node])

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each state of each node.

        Its columns are ``node``, ``state``, ``probability``,
        ``standard_error``, ``r_hat`` and ``effective_sample_size``.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> run = gibbs(load_network("asia"), {"either": "yes"}, 1000, rng=0)
        >>> frame = run.to_frame().set_index(["node", "state"])
        >>> frame.loc["smoke"].round(3).T
        state                      yes       no
        probability              0.850    0.150
        standard_error           0.014    0.014
        r_hat                    1.008    1.008
        effective_sample_size  614.511  614.511
        """
        frame = super().to_frame()
        for name, values in (
            ("r_hat", self._r_hats),
            ("effective_sample_size", self._sizes),
        ):
            frame[name] = np.concatenate([*values.values(), []])
        return frame

    def _title(self):
        worst = self.r_hat.max()
        seen = "" if np.isnan(worst) else f", largest R-hat {worst:.3f}"
        chains = pluralise(self.n_chains, "chain")
        draws = pluralise(self.size, "draw")
        return f"{super()._title()}, from {chains} of {draws}{seen}"


def gibbs(
    network: BayesianNetwork,
    evidence: EvidenceLike | None,
    size: int,
    *,
    rng: np.random.Generator | int,
    n_chains: int = 4,
    burn_in: int = 500,
    thin: int = 1,
    start: Mapping[str, State] | pd.DataFrame | None = None,
    progress: bool = False,
) -> GibbsRun:
    """Estimate all posterior distributions with Gibbs sampling.

    Parameters
    ----------
    network : BayesianNetwork
    evidence : mapping of node to state, or to the likelihoods of its states
    size : int
        How many draws of each chain to keep, at least 1.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.
    n_chains : int
        At least 1. Many chains take little more time than one: they are drawn
        at once.
    burn_in : int
        How many sweeps to leave out at the beginning, at least 0.
    thin : int
        Keep the last of every `thin` sweeps. This saves memory; it does not
        make estimates better.
    start : mapping of node to state, or DataFrame, optional
        Where the chains begin: a mapping for all of them, which may leave
        nodes out, or a complete row for each chain. By default they begin at
        draws of likelihood weighting, chosen with probabilities proportional
        to their weights.
    progress : bool
        Show a progress bar.

    Returns
    -------
    GibbsRun

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node or a state is unknown, a number is too small or not whole, or
        a start has probability zero.
    ZeroProbabilityError
        If the evidence is found to be impossible.
    ConvergenceError
        If no start of positive probability is found.
    TableTooLargeError
        If the draws would need more than `MAX_BYTES`.

    Warns
    -----
    ReducibleChainWarning
        If the chain cannot reach every possible configuration, or it could not
        be decided whether it can; with the reason. To see what such a chain
        does, switch the warning off with
        ``warnings.simplefilter("ignore", ReducibleChainWarning)``.

    Notes
    -----
    If the chain is reducible, each chain stays in the part where it began,
    and the estimate is a mixture of the distributions of these parts with the
    shares of the *starts*, however long the chains are. Default starts are
    nearly draws from the posterior, so with many chains these shares, and the
    estimates, may look right; but this comes from the starts, and more sweeps
    do not improve it. Chains in different parts disagree, which `r_hat` shows.

    Fractions are rounded to floats, which cannot distinguish probabilities
    below 1e-308: where these matter, use a JunctionTree.

    Examples
    --------
    >>> from bayesbook.network import BayesianNetwork
    >>> network = BayesianNetwork.from_cpts(
    ...     {"rain": ("no", "yes"), "street": ("dry", "wet")},
    ...     {"rain": [0.8, 0.2], ("street", "rain"): [[0.9, 0.1], [0.3, 0.7]]},
    ... )
    >>> run = gibbs(network, {"street": "wet"}, 5000, rng=0)
    >>> print(f"{run['rain'].P(rain='yes'):.3f}")
    0.644
    >>> print(f"+- {run.standard_error('rain')[1]:.4f}")
    +- 0.0034
    """
    require_network(network)
    known = read_evidence(network, evidence)
    size = as_int(size, "The number of draws of a chain", 1)
    n_chains = as_int(n_chains, "The number of chains", 1)
    burn_in = as_int(burn_in, "The number of sweeps to leave out", 0)
    thin = as_int(thin, "The number of sweeps for each draw", 1)
    rng = as_rng(rng)
    factors = float_factors(network, known)
    left = possible_states(network, known, factors)
    connected = irreducible(network, known.given)
    if not connected:
        warnings.warn(str(connected), ReducibleChainWarning, stacklevel=2)
    # A node with one possible state need not be drawn.
    only = {
        node: int(mask.argmax())
        for node, mask in left.items()
        if mask.sum() == 1
    }
    dtype = np.min_scalar_type(max(map(len, network.states.values())) - 1)
    # The draws; and the starts, which are chosen with floats and integers.
    n_codes = n_chains * (size * len(left) + len(network))
    require_draws(
        size * n_chains,
        len(left),
        n_codes * dtype.itemsize + n_chains * 2 * 8,
        "Keep fewer draws: with `thin` they can come from as many sweeps.",
    )
    starts = _starts(network, known, left, start, n_chains, rng)
    sweep = _sweep_of(network, known, only)
    plan = n_chains, size, burn_in, thin
    drawn = _run(sweep, starts, plan, dtype, rng, progress)
    draws = {
        node: np.broadcast_to(dtype.type(only[node]), (size, n_chains))
        if node in only
        else drawn[:, sweep.nodes.index(node)]
        for node in left
    }
    return GibbsRun(network, known.given, draws, sweep.nodes, connected, plan)


def _run(sweep, starts, plan, dtype, rng, progress):
    """Run all chains; return the draws, of shape (size, n_nodes, n_chains)."""
    n_chains, size, burn_in, thin = plan
    n_nodes, n_sweeps = len(sweep.nodes), burn_in + size * thin
    drawn = np.empty((size, n_nodes, n_chains), dtype)
    with progress_bar(n_sweeps * n_chains, progress, "sweeps") as done:
        for first in range(0, n_chains, CHAINS):
            part = drawn[:, :, first : first + CHAINS]
            begin = np.empty(part.shape[1:], dtype)
            for row, node in enumerate(sweep.nodes):
                begin[row] = starts[node][first : first + CHAINS]
            for number, state in sweep.run(begin, n_sweeps, rng):
                draw, rest = divmod(number - burn_in, thin)
                if number > burn_in and rest == 0:
                    part[draw - 1] = state
                done(part.shape[2])
    return drawn


def _sweep_of(network, known, only):
    """Prepare the sweeps over the nodes that have several possible states."""
    hard = known.hard | only
    soft = {n: w for n, w in known.soft.items() if n not in only}
    factors = float_factors(network, Evidence(hard, soft))
    sizes = {
        node: len(states)
        for node, states in network.states.items()
        if node not in hard
    }
    return Sweep(sizes, [factor for factor in factors if factor.scope])


# -- where the chains begin -----------------------------------------------


def _starts(network, known, left, start, n_chains, rng):
    """Return codes of positive probability for every node and chain."""
    if isinstance(start, pd.DataFrame):
        return _given_starts(network, known, start, n_chains)
    if start is not None:
        known, left = _with_start(network, known, start)
    factors = {node: mask.astype(float) for node, mask in left.items()}
    for node, weights in likelihoods(network, known).items():
        factors[node] = weights * factors.get(node, 1.0)
    sampler = ForwardSampler(network, factors)
    n_tried, n_rows = 0, max(256, min(4 * n_chains, CHUNK))
    while n_tried < _MAX_TRIES:
        codes, log_weights = sampler.draw(n_rows, rng)
        largest = log_weights.max()
        if largest > -np.inf:
            weights = np.exp(log_weights - largest)
            chosen = rng.choice(n_rows, n_chains, p=weights / weights.sum())
            return {node: column[chosen] for node, column in codes.items()}
        n_tried, n_rows = n_tried + n_rows, CHUNK
    raise ConvergenceError(
        f"None of {n_tried:,} draws agrees with the evidence "
        f"{as_text(network, known)}, so that no chain can begin. Give a "
        "configuration that is possible as `start`, or use "
        "JunctionTree(network).posteriors(evidence)."
    )


def _with_start(network, known, start):
    """Add the states of a start to what is known."""
    begin, soft, given = read_evidence(network, start, "The start")
    for node in soft:
        raise ProbabilityError(
            f"The start of {node!r} is {given[node]!r}: give one state."
        )
    for node, number in begin.items():
        if known.hard.get(node, number) != number:
            state = network.states[node][known.hard[node]]
            raise ProbabilityError(
                f"The start has {node}={given[node]}, but {node}={state} is "
                "observed."
            )
    both = Evidence(known.hard | begin, known.soft)
    try:
        factors = float_factors(network, both)
        return both, possible_states(network, both, factors)
    except ZeroProbabilityError:
        raise ProbabilityError(
            f"The start {say(given)} has probability zero"
            f"{_given(network, known)}: no chain can be there."
        ) from None


def _given_starts(network, known, rows, n_chains):
    """Read a complete configuration of positive probability for each chain."""
    if len(rows) != n_chains:
        raise ProbabilityError(
            f"The start has {pluralise(len(rows), 'row')} for "
            f"{pluralise(n_chains, 'chain')}: give one row for each, or a "
            "mapping for all."
        )
    codes = read_columns(network, rows)
    for node, number in known.hard.items():
        codes.setdefault(node, np.full(n_chains, number))
    missing = [node for node in network.nodes if node not in codes]
    if missing:
        raise ProbabilityError(
            f"The start lacks the {columns_list(missing)}; rows must be "
            "complete, except for observed nodes."
        )
    logs = np.zeros(n_chains)
    for node, column in codes.items():
        if (column < 0).any():
            raise ProbabilityError(
                f"Row {int(np.argmax(column < 0))} of the start has no value "
                f"in column {node!r}."
            )
        weights = likelihoods(network, known).get(node)
        if weights is not None:
            with np.errstate(divide="ignore"):
                logs += np.log(weights)[column]
    logs += network._log_prob(codes, n_chains)
    if np.isneginf(logs).any():
        raise ProbabilityError(
            f"Row {int(np.argmin(logs))} of the start has probability zero"
            f"{_given(network, known)}: no chain can be there."
        )
    return codes


def _given(network, known):
    words = as_text(network, known)
    return f" given {words}" if words else ""
