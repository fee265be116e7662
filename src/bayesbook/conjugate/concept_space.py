"""Concepts as sets of numbers, and what examples teach about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.arrays import floats, floats_or_none, one_column, refuse
from bayesbook.base.labels import read_labels, require_name, require_size
from bayesbook.base.names import alphabetical, quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, as_int
from bayesbook.base.randomness import as_rng

DATA = "The examples"


@dataclass(frozen=True, eq=False, repr=False)
class ConceptSpace:
    r"""Concepts about the numbers 1, ..., n, and their prior probabilities.

    The space is immutable. `data` are everywhere one number or any collection
    of them, in any order and with repetitions; without data the posterior is
    the prior. A calculation is one operation on the whole matrix: once a
    million examples have been read, only their distinct numbers take time.

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
        If a name appears twice, the shapes do not fit, a concept is empty, or
        the prior is not a distribution: it has a negative number, or a sum
        that differs from one by more than 10⁻⁹.

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

    if TYPE_CHECKING:  # What is accepted; the fields are what is stored.

        def __init__(
            self, names: Iterable[str], members: ArrayLike, prior: ArrayLike
        ) -> None: ...

    def __post_init__(self) -> None:
        names = read_labels(self.names, "concept")
        try:
            members = np.array(self.members)
        except ValueError as error:
            raise ProbabilityError(
                f"The members are not a matrix: {error}"
            ) from None
        if members.dtype != bool or members.ndim != 2 or not members.size:
            raise ProbabilityError(
                "The members are a matrix of True and False with a row for "
                f"each concept, not {members.dtype} of the shape "
                f"{members.shape}."
            )
        prior = floats(self.prior, "The prior probabilities")
        for what, given in ("rows of members", members), ("priors", prior):
            if len(given) != len(names):
                raise ProbabilityError(
                    f"There are {len(names)} concepts, but {len(given)} "
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
        """Build a space from sets of numbers.

        Parameters
        ----------
        concepts : mapping of name to numbers
            The whole numbers from 1 to n that belong to the concept.
        prior : mapping of name to float
            The prior probability of each of the concepts.
        n : int
            The largest number of the space, at least 1.

        Returns
        -------
        ConceptSpace
            With the concepts in the order of `concepts`.

        Raises
        ------
        ProbabilityError
            If a number is not one of 1, ..., n, a concept is empty or has no
            prior, or the prior is not a distribution of the concepts.
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
        require_space_fits(len(concepts), n)
        members = np.zeros((len(concepts), n), dtype=bool)
        for row, (name, numbers) in enumerate(concepts.items()):
            extension = _numbers(numbers, n, f"The numbers of {name!r}")
            members[row, extension - 1] = True
        return cls(tuple(concepts), members, [prior[h] for h in concepts])

    # -- the space --------------------------------------------------------

    @property
    def n(self) -> int:
        """The largest number of the space."""
        return self.members.shape[1]

    @property
    def sizes(self) -> np.ndarray:
        """How many numbers belong to each concept, shape (H,)."""
        return self.members.sum(axis=1)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"ConceptSpace of {len(self)} concepts about 1 to {self.n}"

    def __reduce__(self) -> tuple[Any, ...]:
        # The arrays of copies are read-only, too.
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
        >>> from bayesbook.conjugate import rule_concepts
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
            The name of the concept: each of its numbers is equally likely.
        size : int
            How many, at least 0.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

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
        >>> from bayesbook.conjugate import rule_concepts
        >>> draws = rule_concepts().sample("powers of 9", 1000, rng=0)
        >>> np.unique(draws).tolist()
        [9, 81]
        """
        numbers = self.extension(concept)
        size = as_int(size, "The size of the sample", 0)
        return as_rng(rng).choice(numbers, size)

    # -- posteriors ------------------------------------------------------

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
        >>> from bayesbook.conjugate import rule_concepts
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
        >>> from bayesbook.conjugate import rule_concepts
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
        >>> from bayesbook.conjugate import rule_concepts
        >>> space = rule_concepts()
        >>> posterior = space.posterior([16, 8, 2, 64])
        >>> print(f"{posterior[space.names.index('powers of 2')]:.3f}")
        0.974
        """
        log_joint = self._possible(data)
        return np.exp(log_joint - logsumexp(log_joint))

    def map(self, data: Iterable[int] = ()) -> str:
        """Return the name of a concept of largest posterior probability.

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        str
            Of all concepts whose posterior probabilities differ from the
            largest by less than one part in 10⁹, the first one of the space.

        Raises
        ------
        ProbabilityError
            If an example is not a whole number from 1 to n.
        ZeroProbabilityError
            If no concept of positive prior contains all the examples.

        Examples
        --------
        >>> from bayesbook.conjugate import rule_concepts
        >>> rule_concepts().map([16, 8, 2, 64])
        'powers of 2'

        A tie, since even has five times the prior and five times the size
        of the multiples of 10:

        >>> rule_concepts().map([60])
        'even'
        """
        return self.names[self._map(data)]

    def mle(self, data: Iterable[int] = ()) -> str:
        """Return the name of a smallest concept that contains the examples.

        It has the largest likelihood.

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
            If no concept contains all the examples, whatever the prior is.

        Examples
        --------
        >>> from bayesbook.conjugate import rule_concepts
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
        r"""Return the distribution of the next example: Bayes model averaging.

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
        ConceptSpace.membership : the probability that a number belongs to
            the concept, not that it is the next example.

        Examples
        --------
        >>> from bayesbook.conjugate import rule_concepts
        >>> p = rule_concepts().predictive([16, 8, 2, 64])
        >>> print(f"32: {p[31]:.3f}, in all {p.sum():.3f}")
        32: 0.163, in all 1.000
        """
        return (self.posterior(data) / self.sizes) @ self.members

    def plug_in(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the distribution of the next example under the MAP concept.

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
        >>> from bayesbook.conjugate import rule_concepts
        >>> p = rule_concepts().plug_in([16])
        >>> [int(x) + 1 for x in np.flatnonzero(p)]
        [4, 16, 64]
        """
        best = self.members[self._map(data)]
        return best / best.sum()

    def membership(self, data: Iterable[int] = ()) -> np.ndarray:
        r"""Return the probability that each number belongs to the concept.

        .. math:: \mathbb{P}[x \in h \mid D] = \sum_{h \ni x} p(h \mid D)

        Parameters
        ----------
        data : int or iterable of int
            Examples, from 1 to n.

        Returns
        -------
        array of float, shape (n,)
            Probabilities of n different events, which do not sum to one:
            each of the examples has the probability one.

        Raises
        ------
        ProbabilityError, ZeroProbabilityError
            As for :meth:`posterior`.

        Examples
        --------
        >>> from bayesbook.conjugate import rule_concepts
        >>> belongs = rule_concepts().membership([16, 8, 2, 64])
        >>> print(f"32: {belongs[31]:.2f}, 10: {belongs[9]:.4f}")
        32: 0.98, 10: 0.0010
        """
        return self.posterior(data) @ self.members

    def to_frame(self, data: Iterable[int] = ()) -> pd.DataFrame:
        """Return prior, likelihood and posterior side by side.

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
        >>> from bayesbook.conjugate import rule_concepts
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
        """Return log p(h) p(D | h) minus a constant, and the constant.

        It is the largest log-likelihood of a possible concept. For millions
        of examples it is so large that the prior would be lost in rounding.
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


def _numbers(data, n, what=DATA):
    """Read whole numbers from 1 to n, or none at all."""
    one_column(data, what)
    if isinstance(data, Set):
        # An error names a position, but a set has no order.
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


def require_space_fits(concepts: int, n: int) -> None:
    """Raise an error if the members would be too large a table of floats."""
    # Predictions multiply the members with floats, and so make floats of them.
    require_size(
        (concepts, n), "float", "The space", remedy="Take a smaller n."
    )


def _impossible(numbers, who):
    """Return the error for examples that no concept contains."""
    seen = np.unique(numbers).tolist()
    return ZeroProbabilityError(
        f"The examples {quoted_list(seen)} are impossible: {who} all of them. "
        "Leave out the wrong ones, or give the space a concept for them."
    )
