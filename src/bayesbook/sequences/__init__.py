"""Mixtures, and sequences whose states are hidden.

======================================  ======================================
:class:`Mixture`                        rows that come from hidden components:
                                        Gaussians, Bernoullis, categories
:class:`HiddenMarkov`                   a chain of states, seen through symbols
                                        or measurements
:func:`forward`, :func:`backward`,      its messages, in ten lines each
:func:`viterbi`
:class:`KalmanFilter`                   a state that moves linearly, with
                                        Gaussian noise
:class:`MixtureClassifier`              naive Bayes with several components in
                                        each class
======================================  ======================================

>>> model = HiddenMarkov.from_parameters(
...     [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]],
...     states=["sun", "rain"], symbols=["walk", "shop"])
>>> model.most_probable_path(["walk", "walk", "shop", "shop", "shop"]).tolist()
['sun', 'sun', 'rain', 'rain', 'rain']
"""

from bayesbook.sequences._chain_counts import ChainCounts
from bayesbook.sequences.hidden_markov import HiddenMarkov
from bayesbook.sequences.kalman import (
    KalmanFilter,
    StateEstimates,
    kalman_step,
)
from bayesbook.sequences.messages import backward, forward, viterbi
from bayesbook.sequences.mixture import Mixture
from bayesbook.sequences.mixture_classifier import MixtureClassifier

__all__ = [
    "ChainCounts",
    "HiddenMarkov",
    "KalmanFilter",
    "Mixture",
    "MixtureClassifier",
    "StateEstimates",
    "backward",
    "forward",
    "kalman_step",
    "viterbi",
]
