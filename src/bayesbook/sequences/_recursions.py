r"""The recursions of hidden Markov models, for sequences of any length.

Forwards, each message is divided by its sum :math:`c_t = P(x_t \mid x_1 \dots
x_{t - 1})`, so that it is the filtered distribution :math:`\alpha_t`, and the
logarithms of the sums add up to that of :math:`P(x)`. Backwards, the posterior
distribution goes along the reversed chain,

.. math:: \gamma_t(i) = \sum_j P(z_t = i \mid z_{t + 1} = j, x_1 \dots x_t) \,
    \gamma_{t + 1}(j), \qquad
    P(z_t = i \mid z_{t + 1} = j, x_1 \dots x_t) =
    \frac{\alpha_t(i) \, a_{ij}}{\sum_k \alpha_t(k) \, a_{kj}} ,

whose matrices have columns that sum to one: nothing grows or shrinks.

A filtered distribution may lose a state whose probability is below the
smallest float, though what comes later makes it the only possible one. Where
that could happen, the same recursion is made with logarithms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bayesbook.base import ZeroProbabilityError
from bayesbook.sequences._lanes import Lanes, length_of_pieces

# Smaller filtered probabilities may be lost in the next steps.
_TINY = 1e-200
# From transitions that are at least as probable every state recovers.
_MIXING = 1e-50
# So probable, eight steps of a product lose nothing.
_FREQUENT = 1e-6


class Chain(NamedTuple):
    """Sequences, one after another, and the model that they are read with."""

    #: P(first state), of shape (K,).
    start: np.ndarray
    #: P(next state | state), of shape (K, K).
    transition: np.ndarray
    #: log P(observation | state), of shape (N, K), for all sequences.
    logs: np.ndarray
    #: The lengths of the sequences, which sum to N.
    sizes: np.ndarray

    def firsts(self) -> np.ndarray:
        """Return the row of the first step of each sequence."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    def lanes(self) -> Lanes:
        """Return pieces of the sequences."""
        K = len(self.start)
        return Lanes(self.sizes, length_of_pieces(self.sizes, K))


class Filtered(NamedTuple):
    """What the forward recursion gives."""

    #: P(state | observations until now), of shape (N, K).
    alpha: np.ndarray
    #: P(state | observations before), of shape (N, K).
    predicted: np.ndarray
    #: log P(observation | observations before), of shape (N,).
    log_scale: np.ndarray
    #: The logarithms of `alpha` and `predicted`, where floats are too short.
    log_alpha: np.ndarray | None
    log_predicted: np.ndarray | None


def log_of(values):
    """Return logarithms, with -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def filter_states(chain: Chain) -> Filtered:
    """Return the filtered distributions of all steps.

    Raises
    ------
    ZeroProbabilityError
        If a sequence is impossible; the message names the position.
    """
    top = chain.logs.max(axis=1)
    offset = np.where(np.isfinite(top), top, 0.0)
    b = np.exp(chain.logs - offset[:, None])
    found = _filter_scaled(chain, b)
    if found is None:
        return _filter_logs(chain)
    alpha, scale = found
    if not scale.all():
        # Impossible, or too improbable for a float.
        return _filter_logs(chain)
    predicted = np.empty_like(alpha)
    np.matmul(alpha[:-1], chain.transition, out=predicted[1:])
    predicted[chain.firsts()] = chain.start
    if _is_lost(chain, alpha, predicted):
        return _filter_logs(chain)
    return Filtered(alpha, predicted, np.log(scale) + offset, None, None)


def impossible(chain: Chain, row: int) -> ZeroProbabilityError:
    """Return the error for a step that cannot follow those before it."""
    sequence = int(np.searchsorted(np.cumsum(chain.sizes), row, "right"))
    position = row - int(chain.firsts()[sequence])
    which = f" of sequence {sequence}" if len(chain.sizes) > 1 else ""
    why = (
        "no state can show this observation"
        if np.isneginf(chain.logs[row]).all()
        else "no state that can show this observation can be reached"
    )
    return ZeroProbabilityError(
        f"The observations up to position {position}{which} (counted from 0) "
        f"have probability zero: {why}. Pseudo-counts, alpha > 0, keep "
        "probabilities from becoming zero."
    )


def _is_lost(chain, alpha, predicted):
    """Return whether a state that is possible has become too improbable."""
    A, start = chain.transition, chain.start
    if A.min() < _MIXING:
        rows = slice(None)
    elif start.min() < _MIXING:
        rows = chain.firsts()
    else:
        return False
    lost = (alpha[rows] < _TINY) & (predicted[rows] > 0)
    return bool((lost & np.isfinite(chain.logs[rows])).any())


def _filter_scaled(chain, b):
    """Return filtered distributions and their scales; None if they are lost.

    A scale is 0 from the first impossible step of a sequence on.
    """
    start, A = chain.start, chain.transition
    if ((A > 0) & (A < _TINY**0.5)).any():
        return None
    lanes, ones = chain.lanes(), np.ones(len(start))
    rows, bounds = lanes.forwards()
    b, finite = b[rows], np.isfinite(chain.logs)[rows]
    predicted = np.tile(start, (len(lanes.first), 1))
    if lanes.has_products():
        products = _products(A, b, finite, bounds)
        if products is None:
            return None
        _begin_lanes(predicted, lanes, *products, A)
    alpha, scale = np.empty_like(b), np.empty(len(b))
    for begin, end in bounds:
        state = predicted[: end - begin] * b[begin:end]
        total = state @ ones
        if not total.all():
            state /= np.where(total > 0, total, 1.0)[:, None]
        else:
            state /= total[:, None]
        alpha[begin:end], scale[begin:end] = state, total
        predicted = state @ A
    return put_back(alpha, rows), put_back(scale, rows)


def put_back(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return values in the order of the rows."""
    result = np.empty_like(values)
    result[rows] = values
    return result


def _products(A, b, finite, bounds):
    """Return the products of the matrices of all lanes, row by row.

    Each row of a product is divided by its sum, whose logarithm is the second
    result; None if a number has become too small.
    """
    K, m = len(A), bounds[0][1]
    mixes = A.min() >= _MIXING
    # Where transitions are not rare, eight steps are made between divisions.
    every = 8 if A.min() >= _FREQUENT else 1
    product = np.eye(K)[None] * b[:m, None, :]
    logs, done = np.zeros((m, K)), np.empty((m, K, K))
    for step, (begin, end) in enumerate(bounds):
        if step:
            # The lanes that have ended keep their product.
            n = end - begin
            done[n : len(product)] = product[n:]
            product = product[:n]
            moved = (product.reshape(-1, K) @ A).reshape(n, K, K)
            product = moved * b[begin:end, None, :]
            if not mixes:
                lost = (product < _TINY) & (moved > 0)
                if (lost & finite[begin:end, None, :]).any():
                    return None
        if step % every == 0:
            _divide_rows(product, logs)
    done[: len(product)] = product
    _divide_rows(done, logs)
    return done, logs


def _divide_rows(product, logs):
    """Divide each row by its sum, and add the logarithm of the sum."""
    K = product.shape[1]
    total = (product.reshape(-1, K) @ np.ones(K)).reshape(-1, K)
    product /= np.where(total > 0, total, 1.0)[:, :, None]
    logs[: len(total)] += log_of(total)


def _begin_lanes(predicted, lanes, products, logs, A):
    """Write into `predicted` where each lane begins, one after another."""
    ahead = products @ A
    if A.min() >= _FREQUENT:
        # No row is so much smaller that it could matter and be lost.
        top = logs.max(axis=1, keepdims=True)
        weights = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
        ahead *= weights[:, :, None]
    for lane, before in zip(
        lanes.order.tolist(), lanes.follows[lanes.order].tolist(), strict=True
    ):
        if before < 0:
            continue
        state = predicted[before]
        if A.min() < _FREQUENT:
            weight = log_of(state) + logs[before]
            top = weight.max()
            state = np.exp(weight - (0.0 if np.isneginf(top) else top))
        state = state @ ahead[before]
        total = state.sum()
        predicted[lane] = state / total if total > 0 else 0.0


def _filter_logs(chain):
    """Return the same as `filter_states`, from sums of logarithms."""
    log_A = log_of(chain.transition)
    log_alpha = np.empty_like(chain.logs)
    log_predicted = np.empty_like(chain.logs)
    log_scale = np.empty(len(chain.logs))
    lanes = Lanes(chain.sizes, int(chain.sizes.max()))
    predicted = np.tile(log_of(chain.start), (len(lanes.first), 1))
    order, bounds = lanes.forwards()
    for begin, end in bounds:
        rows = order[begin:end]
        predicted = predicted[: len(rows)]
        log_predicted[rows] = predicted
        state = predicted + chain.logs[rows]
        total = _log_sum(state, 1)
        state = state - np.where(np.isfinite(total), total, 0.0)[:, None]
        log_alpha[rows], log_scale[rows] = state, total
        predicted = _log_sum(state[:, :, None] + log_A, 1)
    if np.isneginf(log_scale).any():
        raise impossible(chain, int(np.argmax(np.isneginf(log_scale))))
    return Filtered(
        np.exp(log_alpha),
        np.exp(log_predicted),
        log_scale,
        log_alpha,
        log_predicted,
    )


def _log_sum(logs, axis):
    """Return the logarithm of a sum, in a third of the time of scipy's."""
    top = logs.max(axis=axis, keepdims=True)
    top[np.isneginf(top)] = 0.0
    return log_of(np.exp(logs - top).sum(axis=axis)) + top.squeeze(axis)


def smooth_states(chain: Chain, filtered: Filtered) -> np.ndarray:
    """Return P(state | all observations of its sequence), shape (N, K)."""
    if filtered.log_alpha is not None:
        return _smooth_logs(chain, filtered)
    lanes, back = chain.lanes(), chain.transition.T
    rows, bounds = lanes.backwards()
    alpha = filtered.alpha[rows]
    # What multiplies the posterior of the next step.
    after = np.minimum(rows + 1, len(rows) - 1)
    inverse = _inverse(filtered.predicted)[after]
    gamma = np.empty_like(alpha)
    state = alpha[: len(lanes.first)].copy()
    if lanes.has_products():
        _end_lanes(state, lanes, alpha, inverse, bounds, back)
    for step, (begin, end) in enumerate(bounds):
        if step:
            state = state[: end - begin] * inverse[begin:end]
            state = (state @ back) * alpha[begin:end]
        gamma[begin:end] = state
    # Rounding adds up to a few last digits.
    gamma /= (gamma @ np.ones(len(back)))[:, None]
    return put_back(gamma, rows)


def _inverse(values):
    """Return one over positive numbers, and 1 for 0."""
    return 1 / np.where(values > 0, values, 1.0)


def _end_lanes(state, lanes, alpha, inverse, bounds, back):
    """Write into `state` the posterior at the end of each lane.

    The product of the reversed chain leads from the end of a lane to the end
    of the lane before it.
    """
    K, m = alpha.shape[1], bounds[0][1]
    product = np.tile(np.eye(K), (m, 1, 1))
    done = np.empty_like(product)
    for step, (begin, end) in enumerate(bounds):
        if step:
            n = end - begin
            done[n : len(product)] = product[n:]
            product = product[:n] * inverse[begin:end, None, :]
            product = (product.reshape(-1, K) @ back).reshape(n, K, K)
            product *= alpha[begin:end, None, :]
    done[: len(product)] = product
    # One step more, into the lane before.
    has_before = np.flatnonzero(lanes.follows >= 0)
    before = lanes.follows[has_before]
    # The ends of the lanes are the first rows; all but the last are followed.
    joint = inverse[before][:, None, :] * done[has_before]
    done[has_before] = (joint @ back) * alpha[before][:, None, :]
    for lane in lanes.order[::-1].tolist():
        to = lanes.follows[lane]
        if to >= 0:
            now = state[lane] @ done[lane]
            state[to] = now / now.sum()


def _smooth_logs(chain, filtered):
    gamma = np.empty_like(filtered.alpha)
    lanes = Lanes(chain.sizes, int(chain.sizes.max()))
    state = filtered.alpha[lanes.first + lanes.length - 1]
    order, bounds = lanes.backwards()
    for step, (begin, end) in enumerate(bounds):
        rows = order[begin:end]
        if step:
            reverse = _reverse_logs(chain, filtered, rows)
            state = (reverse * state[: len(rows), None, :]).sum(axis=2)
        gamma[rows] = state
    return gamma / gamma.sum(axis=1, keepdims=True)


def _reverse_logs(chain, filtered, rows):
    """Return P(state | next state, observations until now) of some rows."""
    after = filtered.log_predicted[rows + 1]
    after = np.where(np.isfinite(after), after, 0.0)
    logs = filtered.log_alpha[rows][:, :, None] + log_of(chain.transition)
    return np.exp(logs - after[:, None, :])


def inner_rows(sizes: np.ndarray) -> np.ndarray:
    """Return the rows that are followed by another of their sequence."""
    is_last = np.zeros(int(sizes.sum()), dtype=bool)
    is_last[np.cumsum(sizes) - 1] = True
    return np.flatnonzero(~is_last)


def pair_states(
    chain: Chain, filtered: Filtered, gamma: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Return P(state, next state | all observations) of some rows."""
    if filtered.log_alpha is not None:
        reverse = _reverse_logs(chain, filtered, rows)
        return reverse * gamma[rows + 1][:, None, :]
    after = filtered.predicted[rows + 1]
    then = gamma[rows + 1] / np.where(after > 0, after, 1.0)
    pairs = filtered.alpha[rows][:, :, None] * then[:, None, :]
    return pairs * chain.transition


def count_pairs(
    chain: Chain, filtered: Filtered, gamma: np.ndarray
) -> np.ndarray:
    """Return the expected number of transitions, of shape (K, K)."""
    rows = inner_rows(chain.sizes)
    if filtered.log_alpha is not None:
        counts = np.zeros_like(chain.transition)
        for some in np.array_split(rows, len(rows) // 10_000 + 1):
            counts += pair_states(chain, filtered, gamma, some).sum(axis=0)
        return counts
    after = filtered.predicted[rows + 1]
    then = gamma[rows + 1] / np.where(after > 0, after, 1.0)
    return (filtered.alpha[rows].T @ then) * chain.transition


def log_likelihoods(chain: Chain, filtered: Filtered) -> np.ndarray:
    """Return log P(x) of each sequence."""
    return np.add.reduceat(filtered.log_scale, chain.firsts())


__all__ = [
    "Chain",
    "Filtered",
    "count_pairs",
    "filter_states",
    "log_likelihoods",
    "pair_states",
    "smooth_states",
]
