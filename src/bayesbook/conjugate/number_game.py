r"""The number game: concepts as sets of numbers, and what examples teach.

Somebody thinks of a concept, such as "even" or "powers of 2", and shows a
few of the numbers 1, ..., n that belong to it. A concept is the set of its
numbers; a space of concepts is a matrix of True and False, with a row for
each of them. The examples are independent draws from the concept with equal
probabilities (*strong sampling*), so that N of them have the likelihood

.. math:: p(D \mid h) = |h|^{-N} \text{ if } D \subseteq h, \text{ else } 0,

which is larger for smaller concepts: the *size principle*.

>>> space = rule_concepts()
>>> space.map([16]), space.map([16, 8, 2, 64])
('powers of 4', 'powers of 2')

The game and the size principle are those of Tenenbaum (1999), *A Bayesian
Framework for Concept Learning*, and Tenenbaum and Griffiths (2001),
"Generalization, similarity, and Bayesian inference"; the list of rules is
modelled on Murphy (2012), section 3.2.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_float, as_int
from bayesbook.conjugate.concept_space import ConceptSpace, require_space_fits


def rule_concepts(n: int = 100) -> ConceptSpace:
    """Return 32 arithmetical concepts about the numbers 1, ..., n.

    They are: even, odd, squares; multiples of 3, ..., 10; numbers that end
    in 1, ..., 9 (those that end in 0 are the multiples of 10); powers of
    2, ..., 10; all numbers; and two strange ones, "powers of 2 plus 37" and
    "powers of 2 except 32". The powers of b are b, b², b³ and so on: the
    number 1 is not counted as a power.

    The prior probabilities are proportional to 5 for even and odd, to 1/100
    for the two strange ones, and to 1 for each of the others.

    Parameters
    ----------
    n : int
        The largest number, at least 37, so that all are different.

    Returns
    -------
    ConceptSpace

    Raises
    ------
    ProbabilityError
        If `n` is not a whole number, at least 37.
    TableTooLargeError
        If the members, as floats, would need more than a gigabyte.

    References
    ----------
    The list is modelled on Murphy (2012), section 3.2.

    Examples
    --------
    >>> space = rule_concepts()
    >>> len(space), space.extension("powers of 2")
    (32, (2, 4, 8, 16, 32, 64))
    """
    n = as_int(n, "n", 37)
    require_space_fits(32, n)
    x = np.arange(1, n + 1)
    powers = {b: np.isin(x, _powers(b, n)) for b in range(2, 11)}
    concepts = {"even": x % 2 == 0, "odd": x % 2 == 1}
    concepts["squares"] = np.isin(x, x**2)
    concepts |= {f"multiples of {k}": x % k == 0 for k in range(3, 11)}
    concepts |= {f"ends in {d}": x % 10 == d for d in range(1, 10)}
    concepts |= {f"powers of {b}": row for b, row in powers.items()}
    concepts["all"] = x > 0
    concepts["powers of 2 plus 37"] = powers[2] | (x == 37)
    concepts["powers of 2 except 32"] = powers[2] & (x != 32)
    weights = dict.fromkeys(concepts, 1.0)
    weights |= {"even": 5, "odd": 5}
    weights |= {"powers of 2 plus 37": 0.01, "powers of 2 except 32": 0.01}
    prior = np.array(list(weights.values())) / sum(weights.values())
    return ConceptSpace(tuple(concepts), list(concepts.values()), prior)


def interval_concepts(n: int = 100, scale: float = 10.0) -> ConceptSpace:
    r"""Return all n (n + 1) / 2 intervals a, a + 1, ..., b of 1, ..., n.

    The prior probability of an interval of m numbers is proportional to

    .. math:: m \, e^{-m / \text{scale}},

    so that among all intervals, those of about `scale` numbers are favoured
    over very short and very long ones.

    Parameters
    ----------
    n : int
        The largest number, at least 1.
    scale : float
        Positive: the size at which the formula is largest.

    Returns
    -------
    ConceptSpace
        The concepts are called "16 to 23", and sorted by their first number,
        then by their last.

    Raises
    ------
    ProbabilityError
        If `n` is not a whole number, at least 1, or `scale` not positive.
    TableTooLargeError
        If the members, as floats, would need more than a gigabyte.

    References
    ----------
    Tenenbaum (1999) gave sizes of intervals an Erlang prior of this form.

    Examples
    --------
    >>> space = interval_concepts()
    >>> len(space), space.map([16, 23, 19, 20])
    (5050, '16 to 23')
    """
    n = as_int(n, "n", 1)
    scale = as_float(scale, "The scale", 0, open_=True)
    require_space_fits(n * (n + 1) // 2, n)
    first, last = np.triu_indices(n)
    x = np.arange(n)
    members = (first[:, None] <= x) & (x <= last[:, None])
    sizes = last - first + 1
    names = [f"{a} to {b}" for a, b in zip(first + 1, last + 1, strict=True)]
    log_weights = np.log(sizes) - sizes / scale
    return ConceptSpace(
        names, members, np.exp(log_weights - logsumexp(log_weights))
    )


def mixed_concepts(
    first: ConceptSpace, second: ConceptSpace, weight: float
) -> ConceptSpace:
    r"""Return the union of two spaces, as a mixture of their priors.

    .. math:: p(h) = \pi_0 \, p_1(h) + (1 - \pi_0) \, p_2(h)

    Parameters
    ----------
    first, second : ConceptSpace
        About the same numbers, with different names. A set of numbers that
        is in both counts as two concepts.
    weight : float
        π₀, the prior probability of the first space, from 0 to 1.

    Returns
    -------
    ConceptSpace
        The concepts of the first, then those of the second.

    Raises
    ------
    ProbabilityError
        If the spaces are about different numbers, share a name, or `weight`
        is not a probability.

    Examples
    --------
    >>> both = mixed_concepts(rule_concepts(), interval_concepts(), 0.5)
    >>> len(both), both.map([16, 8, 2, 64]), both.map([16, 23, 19, 20])
    (5082, 'powers of 2', '16 to 23')
    """
    weight = as_float(weight, "The weight", 0, 1)
    if first.n != second.n:
        raise ProbabilityError(
            f"One space is about 1 to {first.n}, the other about 1 to "
            f"{second.n}: only spaces about the same numbers can be mixed."
        )
    return ConceptSpace(
        first.names + second.names,
        np.vstack([first.members, second.members]),
        np.append(weight * first.prior, (1 - weight) * second.prior),
    )


def _powers(base, n):
    """Return base, base², ... up to n."""
    return [base**k for k in range(1, n.bit_length()) if base**k <= n]
