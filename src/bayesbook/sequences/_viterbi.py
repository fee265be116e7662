"""The most probable paths of hidden Markov models (Viterbi 1967).

Sums of logarithms, with maxima in place of sums, so that nothing is too small.
"""

from __future__ import annotations

import numpy as np

from bayesbook.sequences._lanes import Lanes
from bayesbook.sequences._recursions import Chain, impossible, log_of

# So many scores of one step are compared at once, rather than state by state.
_FEW = 256


def best_paths(chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """Return the most probable paths, and log P(path, x) of each sequence.

    Raises
    ------
    ZeroProbabilityError
        If a sequence is impossible; the message names the position.
    """
    log_A, K = log_of(chain.transition), len(chain.start)
    lanes = chain.lanes() if K <= 8 else _whole(chain)
    begin = np.tile(log_of(chain.start), (len(lanes.first), 1))
    if lanes.has_products():
        _begin_best(begin, lanes, _best_products(chain, lanes, log_A), log_A)
    pointer = np.zeros(chain.logs.shape, dtype=np.intp)
    best = np.empty_like(chain.logs)
    state = begin
    for step, rows in enumerate(lanes.forwards()):
        if step:
            state, pointer[rows] = _best_step(state[: len(rows)], log_A)
        state = state + chain.logs[rows]
        best[rows] = state
    top = best.max(axis=1)
    if np.isneginf(top).any():
        raise impossible(chain, int(np.argmax(np.isneginf(top))))
    # Between the lanes.
    joints = lanes.first[lanes.follows >= 0]
    if len(joints):
        _, pointer[joints] = _best_step(best[joints - 1], log_A)
    ends = np.cumsum(chain.sizes)
    return _trace(best, pointer, chain.firsts(), ends), top[ends - 1]


def _whole(chain):
    return Lanes(chain.sizes, int(chain.sizes.max()))


def _best_step(state, log_A):
    """Return the best scores after a step, and from where they come."""
    if state.size * len(log_A) ** 2 < _FEW * len(log_A) or len(log_A) > 8:
        scores = state[:, None, :] + log_A.T
        pointer = scores.argmax(axis=2)
        best = np.take_along_axis(scores, pointer[:, :, None], axis=2)
        return best[:, :, 0], pointer
    best = state[:, :1] + log_A[0]
    pointer = np.zeros(best.shape, dtype=np.intp)
    for i in range(1, len(log_A)):
        scores = state[:, i : i + 1] + log_A[i]
        better = scores > best
        np.copyto(best, scores, where=better)
        pointer[better] = i
    return best, pointer


def _best_products(chain, lanes, log_A):
    """Return the best scores from each state to each through all lanes."""
    K = len(log_A)
    with np.errstate(divide="ignore"):
        product = np.log(np.eye(K)) + chain.logs[lanes.first][:, None, :]
    done = np.empty((len(lanes.first), K, K))
    for step, rows in enumerate(lanes.forwards()):
        m = len(rows)
        if step:
            done[m : len(product)] = product[m:]
            moved = product[:m, :, :1] + log_A[0]
            for i in range(1, K):
                np.maximum(
                    moved, product[:m, :, i : i + 1] + log_A[i], out=moved
                )
            product = moved + chain.logs[rows][:, None, :]
    done[: len(product)] = product
    return done


def _begin_best(begin, lanes, products, log_A):
    for lane in lanes.order:
        before = lanes.follows[lane]
        if before >= 0:
            state = (begin[before][:, None] + products[before]).max(axis=0)
            begin[lane] = (state[:, None] + log_A).max(axis=0)


def _trace(best, pointer, firsts, ends):
    """Follow the pointers from the best ends."""
    K = best.shape[1]
    path, come_from = [0] * len(best), _quick_to_read(pointer)
    last_states = best[ends - 1].argmax(axis=1).tolist()
    for first, end, state in zip(
        firsts.tolist(), ends.tolist(), last_states, strict=True
    ):
        for row in range(end - 1, first - 1, -1):
            path[row] = state
            state = come_from[row * K + state]
    return np.array(path)


def _quick_to_read(numbers):
    """Return small numbers in a form that Python reads one by one."""
    if numbers.max() < 256:
        return numbers.astype(np.uint8).tobytes()
    return numbers.ravel().tolist()
