"""Reading the source of randomness."""

from __future__ import annotations

import reprlib
from numbers import Integral

import numpy as np

from bayesbook.base.errors import ProbabilityError


def as_rng(rng: np.random.Generator | int) -> np.random.Generator:
    """Return a generator as it is, and make one of a seed.

    Python's True is a number, and numpy takes None for a seed that nobody
    knows: here both are mistakes.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    wrong = (
        f"rng is {reprlib.repr(rng)}; give a seed, a whole number of at least "
        "0, as in rng=0, or a generator, rng=numpy.random.default_rng(0)."
    )
    if isinstance(rng, bool) or not isinstance(rng, Integral):
        raise TypeError(wrong)
    if rng < 0:
        raise ProbabilityError(wrong)
    return np.random.default_rng(int(rng))
