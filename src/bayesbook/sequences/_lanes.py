"""Sequences cut into lanes, which are walked along side by side.

A loop of Python over 100,000 steps, each a product of tiny arrays, spends
nearly all of its time between the products. So long sequences are cut into
pieces of about the square root of their length, and one step is made in all
pieces at once. Where a piece has to begin is known before: the product of the
matrices of a piece leads from its beginning to its end, whatever the beginning
is, and these products are computed side by side as well.
"""

from __future__ import annotations

import numpy as np


class Lanes:
    """Pieces of sequences that stand one after another in one array.

    The longest comes first, so that those that are still going on are the
    first ones.

    Parameters
    ----------
    sizes : int array
        Of the sequences.
    longest : int
        No piece has more steps.

    Attributes
    ----------
    first : int array
        The row of the first step of each lane.
    length : int array
        How many steps it has.
    follows : int array
        The lane of the piece before it in its sequence; -1 if it is the first.
    order : int array
        The lanes in the order of their rows.
    """

    def __init__(self, sizes: np.ndarray, longest: int):
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        n_pieces = -(-sizes // longest)
        number = np.arange(n_pieces.sum())
        number -= np.repeat(np.cumsum(n_pieces) - n_pieces, n_pieces)
        first = np.repeat(starts, n_pieces) + number * longest
        ends = np.repeat(starts + sizes, n_pieces)
        length = np.minimum(longest, ends - first)
        by_length = np.argsort(-length, kind="stable")
        self.order = np.argsort(by_length)
        self.first, self.length = first[by_length], length[by_length]
        before = np.where(number > 0, np.roll(self.order, 1), -1)
        self.follows = before[by_length]
        self.starts = starts
        # How many lanes are still going on at each step.
        steps = np.arange(self.length[0])
        self.going = np.searchsorted(-self.length, -steps, side="left")

    @property
    def n_steps(self) -> int:
        """The number of steps of the longest lane."""
        return int(self.length[0])

    def has_products(self) -> bool:
        """Return whether a sequence has more than one piece."""
        return bool((self.follows >= 0).any())

    def forwards(self) -> tuple[np.ndarray, list[tuple[int, int]]]:
        """Return the rows step by step, and where each step begins and ends.

        With the rows in this order a step is a slice.
        """
        return self._by_step(self.first, 1)

    def backwards(self) -> tuple[np.ndarray, list[tuple[int, int]]]:
        """Return the same from the ends of the lanes."""
        return self._by_step(self.first + self.length - 1, -1)

    def _by_step(self, begin, direction):
        ends = np.cumsum(self.going)
        step = np.repeat(np.arange(len(ends)), self.going)
        lane = np.arange(ends[-1]) - np.repeat(ends - self.going, self.going)
        bounds = zip((ends - self.going).tolist(), ends.tolist(), strict=True)
        return begin[lane] + direction * step, list(bounds)


def length_of_pieces(sizes: np.ndarray, n_states: int) -> int:
    """Return how long pieces should be.

    A product of matrices costs `n_states` times as much as that of a vector.
    """
    longest = int(sizes.max())
    best = int(np.sqrt(sizes.sum())) + 1
    return best if longest > 8 * best and n_states <= 16 else longest
