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

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from scipy.special import logsumexp

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.arrays import floats, floats_or_none, one_column, refuse
from bayesbook.base.labels import read_labels, require_name, require_size
from bayesbook.base.names import alphabetical, quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, as_float, as_int

__all__ = [
    "ConceptSpace",
    "interval_concepts",
    "mixed_concepts",
    "rule_concepts",
]

DATA = "The examples"


@dataclass(frozen=True, eq=False, repr=False)
class ConceptSpace:
    r"""Concepts about the numbers 1, ..., n, and their prior probabilities.

    The space is immutable. Every method that takes `data` takes one number
    or any collection of them, in any order, repeated or not; without data
    the posterior is the prior. A calculation is one operation on the whole
    matrix; a million examples have to be read, and then cost no more than
    their distinct numbers.

    Parameters
    ----------
    names : sequence of str
        Names of the H concepts, all different.
    members : array of bool, shape (H, n)
        Whether the number ``column + 1`` belongs to the concept of the row.
    prior : sequence of float, length H
        Non-negative, and sums to one.

    Attributes
    ----------
    names : tuple of str
    members : array of bool, shape (H, n)
    prior : array of float, shape (H,)

    Raises
    ------
    ProbabilityError
        If a name stands twice, the shapes do not fit, a concept is empty, or
        the prior is no distribution: a negative number, or a sum that misses
        one by more than one part in a thousand million.

    See Also
    --------
    ConceptSpace.from_sets : the same from sets of numbers.
    rule_concepts, interval_concepts, mixed_concepts : spaces to play in.

    References
    ----------
    Tenenbaum and Griffiths (2001), "Generalization, similarity, and Bayesian
    inference", *Behavioral and Brain Sciences* 24.

    Examples
    --------
    >>> space = ConceptSpace(
    ...     ["low", "high", "any"],
    ...     [[True, True, False, False],
    ...      [False, False, True, True],
    ...      [True, True, True, True]],
    ...     [0.25, 0.25, 0.5],
    ... )
    >>> space.posterior([1, 2]).round(4).tolist()
    [0.6667, 0.0, 0.3333]
    """

    names: tuple[str, ...]
    members: np.ndarray
    prior: np.ndarray

    def __post_init__(self):
        names = read_labels(self.names, "concept")
        try:
            members = np.array(self.members)
        except ValueError as error:
            raise ProbabilityError(
                f"The members are no matrix: {error}"
            ) from None
        if members.dtype != bool or members.ndim != 2 or not members.size:
            raise ProbabilityError(
                "The members are a matrix of True and False with a row for "
                f"each concept, not {members.dtype} of the shape "
                f"{members.shape}."
            )
        prior = floats(self.prior, "The prior probabilities")
        for what, found in ("rows of members", members), ("priors", prior):
            if len(found) != len(names):
                raise ProbabilityError(
                    f"There are {len(names)} concepts, but {len(found)} "
                    f"{what}."
                )
        empty = ~members.any(axis=1)
        if empty.any():
            raise ProbabilityError(
                f"The concept {names[np.argmax(empty)]!r} has no members from "
                f"1 to {members.shape[1]}: no example could be drawn."
            )
        _require_distribution(prior, names)
        for array in (members, prior):
            array.flags.writeable = False
        for field, value in zip(
            ("names", "members", "prior"), (names, members, prior), strict=True
        ):
            object.__setattr__(self, field, value)

    @classmethod
    def from_sets(
        cls,
        concepts: Mapping[str, Iterable[int]],
        prior: Mapping[str, float],
        n: int = 100,
    ) -> Self:
        """Make a space from sets of numbers.

        Parameters
        ----------
        concepts : mapping of name to numbers
            The whole numbers from 1 to n that belong to the concept.
        prior : mapping of name to float
            The prior probability of each of the concepts.
        n : int
            The largest number that is spoken of, at least 1.

        Returns
        -------
        ConceptSpace
            With the concepts in the order of `concepts`.

        Raises
        ------
        ProbabilityError
            If a number is not one of 1, ..., n, a concept is empty or has no
            prior, or the prior is no distribution of the concepts.
        TableTooLargeError
            If the members, as floats, would need more than a gigabyte.

        Examples
        --------
        >>> space = ConceptSpace.from_sets(
        ...     {"even": {2, 4, 6}, "six": {6}}, {"even": 0.9, "six": 0.1},
        ...     n=6,
        ... )
        >>> space.posterior([6, 6]).round(4).tolist()
        [0.5, 0.5]
        """
        n = as_int(n, "n", 1)
        for name in prior:
            require_name(name, concepts, "concept", "the sets")
        for name in concepts:
            require_name(name, prior, "concept", "the prior")
        _require_size(len(concepts), n)
        members = np.zeros((len(concepts), n), dtype=bool)
        for row, (name, numbers) in enumerate(concepts.items()):
            numbers = _numbers(numbers, n, f"The numbers of {name!r}")
            members[row, numbers - 1] = True
        return cls(tuple(concepts), members, [prior[h] for h in concepts])

    # -- the space --------------------------------------------------------

    @property
    def n(self) -> int:
        """The largest number that is spoken of."""
        return self.members.shape[1]

    @property
    def sizes(self) -> np.ndarray:
        """How many numbers belong to each concept, shape (H,)."""
        return self.members.sum(axis=1)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"ConceptSpace of {len(self)} concepts about 1 to {self.n}"

    def __reduce__(self):
        # Arrays that cannot be written stay so in copies.
        return type(self), (self.names, self.members, self.prior)

    def extension(self, concept: str) -> tuple[int, ...]:
        """Return the numbers that belong to a concept.

        Parameters
        ----------
        concept : str
            Its name.

        Returns
        -------
        tuple of int
            In ascending order.

        Raises
        ------
        ProbabilityError
            If there is no concept of this name.

        Examples
        --------
        >>> rule_concepts().extension("powers of 4")
        (4, 16, 64)
        """
        require_name(concept, self.names, "concept", "the space")
        row = self.members[self.names.index(concept)]
        return tuple((np.flatnonzero(row) + 1).tolist())

    def sample(
        self, concept: str, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw examples of a concept, with replacement.

        Parameters
        ----------
        concept : str
            The name of the concept, all of whose numbers are equally likely.
        size : int
            How many, at least 0.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one.

        Returns
        -------
        array of int, shape (size,)

        Raises
        ------
        ProbabilityError
            If there is no concept of this name, or `size` is not a whole
            number, at least 0.

        Examples
        --------
        >>> draws = rule_concepts().sample("powers of 9", 1000, rng=0)
        >>> np.unique(draws).tolist()
        [9, 81]
        """
        numbers = self.extension(concept)
        size = as_int(size, "The size of the sample", 0)
        return np.random.default_rng(rng).choice(numbers, size)

    # -- what the data say ------------------------------------------------

    def consistent(self, data: Iterable[int] = ()) -> np.ndarray:
        """Return which concepts contain all the examples: the version space.

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of bool, shape (H,)

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.

        Examples
        --------
        >>> space = rule_concepts()
        >>> [h for h, ok in zip(space.names, space.consistent([16, 23])) if ok]
        ['all']
        """
        return self._contain(_numbers(data, self.n))

    def concept_log_likelihood(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the log-probability of the examples under every concept.

        .. math:: \log p(D \mid h) = -N \log |h|, \quad D \subseteq h

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of float, shape (H,)
            Natural logarithms; −inf where an example is not in the concept.

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.

        Examples
        --------
        >>> space = rule_concepts()
        >>> like = np.exp(space.concept_log_likelihood([16, 8, 2, 64]))
        >>> print(f"{like[space.names.index('powers of 2')]:.3g}")
        0.000772
        """
        numbers = _numbers(data, self.n)
        # Not -N log |h|, which is -0.0 without data.
        logs = 0.0 - len(numbers) * np.log(self.sizes)
        return np.where(self._contain(numbers), logs, -np.inf)

    def log_evidence(self, data: Iterable[int] = ()) -> float:
        r"""Return the log-probability of the examples, averaged over concepts.

        .. math:: \log p(D) = \log \sum_h p(h) \, p(D \mid h)

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n, as a sequence.

        Returns
        -------
        float
            A natural logarithm; −inf if no concept of positive prior
            contains all the examples.

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.

        Examples
        --------
        >>> space = ConceptSpace.from_sets(
        ...     {"even": {2, 4}, "all": {1, 2, 3, 4}},
        ...     {"even": 0.5, "all": 0.5}, n=4,
        ... )
        >>> print(f"{np.exp(space.log_evidence([2, 2])):.5f}")
        0.15625
        """
        log_joint, constant = self._log_joint(_numbers(data, self.n))
        return float(logsumexp(log_joint) + constant)

    def posterior(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the posterior probability of every concept.

        .. math:: p(h \mid D) = \frac{p(h) \, p(D \mid h)}{p(D)}

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of float, shape (H,)
            Sums to one; the prior if there are no data.

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.
        ZeroProbabilityError
            If no concept of positive prior contains all the examples.

        Examples
        --------
        >>> space = rule_concepts()
        >>> posterior = space.posterior([16, 8, 2, 64])
        >>> print(f"{posterior[space.names.index('powers of 2')]:.3f}")
        0.974
        """
        log_joint = self._possible(data)
        return np.exp(log_joint - logsumexp(log_joint))

    def map(self, data: Iterable[int] = ()) -> str:
        """Name a concept of largest posterior probability.

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        str
            Of concepts whose posterior probabilities are within one part in
            a thousand million of the largest, the first one of the space.

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.
        ZeroProbabilityError
            If no concept of positive prior contains all the examples.

        Examples
        --------
        >>> rule_concepts().map([16, 8, 2, 64])
        'powers of 2'

        A tie, since even has five times the prior and five times the size
        of the multiples of 10:

        >>> rule_concepts().map([60])
        'even'
        """
        return self.names[self._map(data)]

    def mle(self, data: Iterable[int] = ()) -> str:
        """Name a concept of largest likelihood: a smallest consistent one.

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        str
            Of several smallest concepts the first one of the space; without
            data the likelihood is flat, and it is the first of all.

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.
        ZeroProbabilityError
            If no concept contains all the examples. The prior plays no part.

        Examples
        --------
        >>> rule_concepts().mle([16, 8, 2, 64])
        'powers of 2 except 32'
        """
        numbers = _numbers(data, self.n)
        log_likelihood = self.concept_log_likelihood(numbers)
        best = int(np.argmax(log_likelihood))
        if np.isneginf(log_likelihood[best]):
            raise _impossible(numbers, "no concept contains")
        return self.names[best]

    # -- predictions ------------------------------------------------------

    def predictive(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the distribution of the next example: Bayesian model averaging.

        .. math:: p(x \mid D) = \sum_h p(h \mid D) \, \frac{[x \in h]}{|h|}

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of float, shape (n,)
            Probabilities of 1, ..., n, which sum to one.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError
            As for :meth:`posterior`.

        See Also
        --------
        ConceptSpace.plug_in : the same under the MAP concept alone.
        ConceptSpace.membership : not drawn next, but belonging to it.

        Examples
        --------
        >>> distribution = rule_concepts().predictive([16, 8, 2, 64])
        >>> print(f"32: {distribution[31]:.3f}, in all {distribution.sum():.3f}")
        32: 0.163, in all 1.000
        """
        return (self.posterior(data) / self.sizes) @ self.members

    def plug_in(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the distribution of the next example as if the MAP were the truth.

        .. math:: p(x \mid \hat h) = \frac{[x \in \hat h]}{|\hat h|}

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of float, shape (n,)
            Equal on the members of :meth:`map`, and zero elsewhere.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError
            As for :meth:`posterior`.

        Examples
        --------
        >>> distribution = rule_concepts().plug_in([16])
        >>> [int(x) + 1 for x in np.flatnonzero(distribution)]
        [4, 16, 64]
        """
        best = self.members[self._map(data)]
        return best / best.sum()

    def membership(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the probability of each number to belong to the concept.

        .. math:: \mathbb{P}[x \in h \mid D] = \sum_{h \ni x} p(h \mid D)

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of float, shape (n,)
            Probabilities of n different events, which do not sum to one: an
            example that was seen has the probability one.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError
            As for :meth:`posterior`.

        Examples
        --------
        >>> belongs = rule_concepts().membership([16, 8, 2, 64])
        >>> print(f"32: {belongs[31]:.2f}, 10: {belongs[9]:.4f}")
        32: 0.98, 10: 0.0010
        """
        return self.posterior(data) @ self.members

    def to_frame(self, data: Iterable[int] = ()) -> pd.DataFrame:
        """Lay prior, likelihood and posterior side by side.

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        DataFrame
            A row for each concept, in the order of the space, with the
            columns size, prior, log_likelihood and posterior.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError
            As for :meth:`posterior`.

        Examples
        --------
        >>> frame = rule_concepts().to_frame([16])
        >>> print(frame.loc[["even", "powers of 4"]].round(3).to_string())
                     size  prior  log_likelihood  posterior
        concept
        even           50  0.132          -3.912      0.107
        powers of 4     3  0.026          -1.099      0.356
        """
        # Read once: a generator would be empty the second time.
        numbers = _numbers(data, self.n)
        return pd.DataFrame(
            {
                "size": self.sizes,
                "prior": self.prior,
                "log_likelihood": self.concept_log_likelihood(numbers),
                "posterior": self.posterior(numbers),
            },
            index=pd.Index(self.names, name="concept"),
        )

    # -- inside -----------------------------------------------------------

    def _contain(self, numbers):
        return self.members[:, np.unique(numbers) - 1].all(axis=1)

    def _log_joint(self, numbers):
        """Return log p(h) p(D | h), less a constant, and the constant.

        It is the largest log-likelihood of a possible concept. Left in, it
        would be so large for millions of examples that the prior is lost in
        rounding.
        """
        possible = self._contain(numbers) & (self.prior > 0)
        smallest = self.sizes[possible].min(initial=self.n)
        excess = np.log(self.sizes[possible] / smallest)
        log_joint = np.full(len(self), -np.inf)
        log_joint[possible] = (
            np.log(self.prior[possible]) - len(numbers) * excess
        )
        return log_joint, -len(numbers) * np.log(smallest)

    def _possible(self, data):
        numbers = _numbers(data, self.n)
        log_joint, _ = self._log_joint(numbers)
        if np.isneginf(log_joint).all():
            raise _impossible(numbers, "no concept of positive prior contains")
        return log_joint

    def _map(self, data):
        log_joint = self._possible(data)
        return int(np.argmax(log_joint >= log_joint.max() - FLOAT_TOLERANCE))


def rule_concepts(n: int = 100) -> ConceptSpace:
    """Return 32 arithmetical concepts about the numbers 1, ..., n.

    They are: even, odd, squares; multiples of 3, ..., 10; numbers that end
    in 1, ..., 9 (those that end in 0 are the multiples of 10); powers of
    2, ..., 10; all numbers; and two odd ones, "powers of 2 plus 37" and
    "powers of 2 except 32". The powers of b are b, b², b³ and so on: the
    number 1 is not counted as a power.

    Before they are made to sum to one, the prior probabilities are 5 for
    even and odd, 1/100 for the two odd ones, and 1 for each of the others.

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
    _require_size(32, n)
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
    _require_size(n * (n + 1) // 2, n)
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
    r"""Unite two spaces: a coin decides from which the concept comes.

    .. math:: p(h) = \pi_0 \, p_1(h) + (1 - \pi_0) \, p_2(h)

    Parameters
    ----------
    first, second : ConceptSpace
        About the same numbers, with different names. The same set of
        numbers may be in both, and counts as two concepts.
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
    """List base, base², ... up to n."""
    return [base**k for k in range(1, n.bit_length()) if base**k <= n]


def _numbers(data, n, what=DATA):
    """Read whole numbers from 1 to n; none at all are welcome."""
    one_column(data, what)
    if isinstance(data, Set):
        # The order of a set, by which an error would count, is no order.
        data = sorted(data, key=alphabetical)
    values = floats_or_none(data, what)
    refuse(values != np.floor(values), values, what, "not a whole number")
    refuse(
        (values < 1) | (values > n), values, what, f"not one of 1, ..., {n}"
    )
    return values.astype(int)


def _require_distribution(prior, names):
    negative = prior < 0
    if negative.any():
        row = int(np.argmax(negative))
        raise ProbabilityError(
            f"The prior probability of {names[row]!r} is {prior[row]:g}: "
            "negative."
        )
    if abs(prior.sum() - 1) > FLOAT_TOLERANCE:
        raise ProbabilityError(
            f"The prior probabilities sum to {prior.sum():.10g}, not to 1."
        )


def _require_size(concepts, n):
    # Predictions multiply the members with floats, and so make floats of them.
    require_size(
        (concepts, n), "float", "The space", remedy="Take a smaller n."
    )


def _impossible(numbers, who):
    seen = np.unique(numbers).tolist()
    return ZeroProbabilityError(
        f"The examples {quoted_list(seen)} are impossible: {who} all of them. "
        "Leave out the wrong ones, or give the space a concept for them."
    )
