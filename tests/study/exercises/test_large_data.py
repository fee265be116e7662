"""The exercises of the chapter can be solved, and in another way."""

from collections import Counter
from fractions import Fraction as F
from functools import reduce

import numpy as np
from study.exercises.solving import solved_by

# --- Solutions by power sums, numpy and recursion ---------------------------


def merge(a, b):
    """By way of the sums of x and of x²."""
    n = a[0] + b[0]
    total = sum(part[0] * part[1] for part in (a, b))
    squares = sum(part[2] + part[0] * part[1] ** 2 for part in (a, b))
    mean = F(total, n) if n else F(0)
    return n, mean, squares - n * mean**2


def count_chunks(chunks):
    whole = reduce(Counter.__add__, map(Counter, chunks))
    states, counts = zip(*sorted(whole.items()), strict=True)
    return list(states), list(counts)


def recode(codes, found, known):
    places = np.searchsorted(known, found)
    return np.append(places, -1)[codes].tolist()


def reduce_in_tree(parts, together):
    if len(parts) == 1:
        return parts[0], 0
    places = np.arange(len(parts)) // together
    joined = [
        "".join(np.array(parts, dtype=object)[places == place])
        for place in range(places[-1] + 1)
    ]
    whole, rounds = reduce_in_tree(joined, together)
    return whole, rounds + 1


test_another_solution_passes = solved_by("large_data", globals())
