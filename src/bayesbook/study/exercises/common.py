"""What the exercises of several chapters compute with."""

import re
from fractions import Fraction as F
from math import inf, log


def total(probability, event):
    """Return the probability of a set of outcomes, exactly."""
    return sum((probability[outcome] for outcome in event), F(0))


def normalised(weights):
    """Return weights by name, divided by their sum."""
    whole = sum(weights.values())
    return {name: weight / whole for name, weight in weights.items()}


def log_or_minus_inf(number):
    """Return the logarithm, of zero too."""
    return log(number) if number > 0 else -inf


def undirected(edges):
    """Return a set of edges, written as "ab bc" by their ends."""
    return set(map(frozenset, edges.split()))


def words_of(text):
    """Return the words of a text, in small letters."""
    return re.findall("[a-z]+", text.lower())
