"""Counts of what happens in a chain of states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class ChainCounts(NamedTuple):
    """How often each thing is expected to have happened in some sequences.

    Examples
    --------
    >>> from bayesbook.sequences import HiddenMarkov
    >>> model = HiddenMarkov.from_parameters(
    ...     [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]])
    >>> counts = model.expected_counts([0, 1, 1])
    >>> counts.transition.round(3)
    array([[0.688, 0.38 ],
           [0.058, 0.874]])
    """

    #: Sequences that begin in each state, of shape (K,).
    start: np.ndarray
    #: Steps from each state to each, of shape (K, K).
    transition: np.ndarray
    #: Symbols seen in each state, of shape (K, S).
    emission: np.ndarray
