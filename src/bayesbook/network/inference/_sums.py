"""Sums of an array over some of its axes, as products of matrices."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np

# An axis with at most this many cells behind it is summed together with them,
# by a matrix with at most this many entries.
_NARROW, _FOLD = 8, 16_384


def marginal(table, axes, names):
    """Sum over all axes but some, and put these in order."""
    drop = tuple(i for i, node in enumerate(axes) if node not in names)
    left = [node for node in axes if node in names]
    return summed(table, drop).transpose([left.index(n) for n in names])


def summed(array, axes):
    """Sum over some axes."""
    return _sum_of(array.shape, axes)(array) if axes else array


class SumOverAxes:
    """The sum of an array over all axes but some.

    The longest run of axes is summed first. A product with ones takes a tenth
    of the time of numpy's own sum if few cells lie behind the axes; very few
    cells are summed by a 0/1 matrix.
    """

    def __init__(self, shape, drop):
        self.shape = tuple(
            size for axis, size in enumerate(shape) if axis not in drop
        )
        blocks = []
        for axis, size in enumerate(shape):
            kept = axis not in drop
            if blocks and blocks[-1][0] == kept:
                blocks[-1][1] *= size
            else:
                blocks.append([kept, size])
        self.steps = []
        while left := [i for i, (kept, _) in enumerate(blocks) if not kept]:
            i = max(left, key=lambda i: (blocks[i][1], i))
            sizes = [size for _, size in blocks]
            self.steps.append(
                self._step(prod(sizes[:i]), sizes[i], prod(sizes[i + 1 :]))
            )
            del blocks[i]
            if 0 < i < len(blocks):
                blocks[i - 1][1] *= blocks.pop(i)[1]

    @staticmethod
    def _step(before, size, behind):
        if behind == 1:
            return None, (before, size), np.ones(size)
        if before == 1:
            return np.ones(size), (size, behind), None
        if behind <= _NARROW and size * behind * behind <= _FOLD:
            fold = np.tile(np.eye(behind), (size, 1))
            return None, (before, size * behind), fold
        return np.ones((1, size)), (before, size, behind), None

    def __call__(self, array):
        for left, shape, right in self.steps:
            array = array.reshape(shape)
            array = array @ right if left is None else left @ array
        return array.reshape(self.shape)


_sum_of = lru_cache(4096)(SumOverAxes)
