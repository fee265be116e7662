"""Mixtures, and sequences whose states are hidden.

======================================  ======================================
:class:`HiddenMarkov`                   a chain of states, seen through symbols
                                        or measurements
:func:`forward`, :func:`backward`,      its messages, in ten lines each
:func:`viterbi`
======================================  ======================================

>>> model = HiddenMarkov.from_parameters(
...     [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]],
...     states=["sun", "rain"], symbols=["walk", "shop"])
>>> model.most_probable_path(["walk", "walk", "shop", "shop", "shop"]).tolist()
['sun', 'sun', 'rain', 'rain', 'rain']
"""

from bayesbook.sequences._inference import ChainCounts
from bayesbook.sequences.hidden_markov import HiddenMarkov
from bayesbook.sequences.messages import backward, forward, viterbi

__all__ = [
    "ChainCounts",
    "HiddenMarkov",
    "backward",
    "forward",
    "viterbi",
]
