r"""Finite probability spaces, with exact fractions.

A sample space is a set of outcomes, an event is a subset of it, and a
probability is a number for every event. On a finite space all of that is
adding up, so the code below is the definitions:

>>> die = ProbabilitySpace.uniform(range(1, 7))
>>> even = die.event(lambda outcome: outcome % 2 == 0)
>>> print(die.P(even))
1/2
>>> print(die.P({6}, given=even))
1/3

Probabilities are :class:`fractions.Fraction`, so an equation that holds, holds
exactly. The definitions are those of Kolmogorov (1933) for finite spaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from fractions import Fraction
from itertools import combinations
from math import lcm
from types import MappingProxyType
from typing import Any, Self

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.numbers import (
    Number,
    as_bool,
    exact_probability,
    exact_weight,
    show,
)
from bayesbook.probability.independence import (
    mutually_independent,
    pairwise_independent,
)

Outcome = Hashable
Event = frozenset
#: What can stand for an event: its outcomes, or the property they share.
EventLike = Iterable[Outcome] | Callable[[Outcome], bool]

# More than 2**16 subsets are asked for by mistake.
_MAX_FOR_ALL_SUBSETS = 16
_MAX_FOR_ALL_PARTITIONS = 10


class ProbabilitySpace(Mapping):
    """A finite sample space with an exact probability for every outcome.

    The space is immutable. It is also a mapping from outcomes to their
    probabilities: ``space[outcome]``, ``len(space)``, ``for outcome in
    space``.

    Parameters
    ----------
    probabilities : mapping of outcome to number
        Non-negative numbers that sum to exactly one. Fractions, integers,
        decimals, strings such as ``"1/3"`` and floats; a float is read as
        the decimal that it prints as, so 0.1 means 1/10.

    Raises
    ------
    TypeError
        If `probabilities` is not a mapping.
    ProbabilityError
        If there is no outcome or one appears twice, if a probability is
        negative, not finite or not a number, or if the probabilities do not
        sum to one.

    See Also
    --------
    ProbabilitySpace.uniform : equally likely outcomes.
    ProbabilitySpace.from_counts : relative frequencies of real data.
    two_stage : an experiment whose second stage depends on the first.

    Examples
    --------
    >>> sky = ProbabilitySpace({"sun": "1/2", "rain": "1/3", "snow": "1/6"})
    >>> print(sky.P({"rain", "snow"}))
    1/2
    >>> print(sky.P({"snow"}, given={"rain", "snow"}))
    1/3
    """

    __slots__ = ("_probability",)
    _probability: Mapping[Outcome, Fraction]

    def __init__(self, probabilities: Mapping[Outcome, Number]):
        probabilities = read_mapping(
            probabilities, "outcomes to probabilities"
        )
        if not probabilities:
            raise ProbabilityError(
                "A probability space needs at least one outcome; "
                "there is none here."
            )
        exact = {
            outcome: exact_probability(value, f"of outcome {outcome!r}")
            for outcome, value in probabilities.items()
        }
        total = _exact_sum(exact.values())
        if total != 1:
            raise ProbabilityError(
                f"The probabilities of the {len(exact)} outcomes sum to "
                f"{show(total)}, not to 1. Write thirds and the like as "
                "fractions ('1/3'); use ProbabilitySpace.from_counts for "
                "weights or counts."
            )
        self._probability = MappingProxyType(exact)

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "_probability"):
            raise AttributeError(
                "A probability space cannot be changed: make a new one."
            )
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    @classmethod
    def uniform(cls, outcomes: Iterable[Outcome]) -> Self:
        """Return the space in which all `outcomes` are equally likely.

        Parameters
        ----------
        outcomes : iterable of hashable
            Each outcome once.

        Returns
        -------
        ProbabilitySpace

        Raises
        ------
        TypeError
            If `outcomes` is not iterable.
        ProbabilityError
            If there is no outcome, or if one appears twice or is not
            hashable.

        Examples
        --------
        >>> coin = ProbabilitySpace.uniform(["heads", "tails"])
        >>> print(coin["heads"])
        1/2
        """
        if not isinstance(outcomes, Iterable):
            raise TypeError(
                f"{outcomes!r} is not a collection of outcomes: give all of "
                "them, such as range(1, 7) or ['heads', 'tails']."
            )
        # A generator's own errors are not about hashing.
        outcomes = list(outcomes)
        try:
            counts = Counter(outcomes)
        except TypeError as error:
            raise _not_outcomes(error) from None
        for outcome, count in counts.items():
            if count > 1:
                raise ProbabilityError(
                    f"Outcome {outcome!r} appears twice in the list; count "
                    "repeats with ProbabilitySpace.from_counts instead."
                )
        return cls.from_counts(counts)

    @classmethod
    def from_counts(cls, counts: Mapping[Outcome, Number]) -> Self:
        """Return the space of relative frequencies: count over total.

        Parameters
        ----------
        counts : mapping of outcome to number
            Non-negative counts or weights; a :class:`collections.Counter`
            or a pandas series will do.

        Returns
        -------
        ProbabilitySpace

        Raises
        ------
        TypeError
            If `counts` is not a mapping.
        ProbabilityError
            If there is no outcome or one appears twice, if a count is
            negative, not finite or not a number, or if all counts are zero.

        Examples
        --------
        >>> urn = ProbabilitySpace.from_counts({"red": 3, "blue": 1})
        >>> print(urn["red"])
        3/4
        """
        exact = {
            outcome: exact_weight(count, f"The count of outcome {outcome!r}")
            for outcome, count in read_mapping(
                counts, "outcomes to counts"
            ).items()
        }
        total = sum(exact.values())
        if exact and total == 0:
            raise ProbabilityError(
                "All counts are zero, so relative frequencies do not exist."
            )
        return cls({outcome: n / total for outcome, n in exact.items()})

    # -- the mapping ------------------------------------------------------

    def __getitem__(self, outcome: Outcome) -> Fraction:
        try:
            return self._probability[outcome]
        except (KeyError, TypeError):
            raise KeyError(
                f"{outcome!r} is not an outcome of this space; "
                f"{self._some_outcomes()}"
            ) from None

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._probability)

    def __len__(self) -> int:
        return len(self._probability)

    def __hash__(self) -> int:
        return hash(frozenset(self._probability.items()))

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{outcome!r}: {p}"
            for outcome, p in list(self._probability.items())[:6]
        )
        more = f", … {len(self)} outcomes" if len(self) > 6 else ""
        return f"ProbabilitySpace({{{shown}{more}}})"

    # -- events -----------------------------------------------------------

    @property
    def outcomes(self) -> Event:
        """The sample space Ω: the event that contains every outcome."""
        return frozenset(self._probability)

    def event(self, event: EventLike) -> Event:
        """Return the event as a set of outcomes.

        Parameters
        ----------
        event : iterable of outcomes, or callable
            The outcomes themselves, or a property: a function that returns
            True for the outcomes in the event and False for the others.

        Returns
        -------
        frozenset
            Use the set operators on it: ``A & B`` for both, ``A | B`` for
            at least one, ``A - B`` for A without B.

        Raises
        ------
        TypeError
            If `event` is a bare outcome rather than a set of outcomes.
        ProbabilityError
            If an outcome is not in the space, or if the property is neither
            True nor False for some outcome.

        Examples
        --------
        >>> die = ProbabilitySpace.uniform(range(1, 7))
        >>> sorted(die.event(lambda outcome: outcome > 4))
        [5, 6]
        """
        if callable(event):
            return frozenset(
                outcome
                for outcome in self
                if as_bool(
                    event(outcome), f"The property of outcome {outcome!r}"
                )
            )
        if isinstance(event, str | bytes) or not isinstance(event, Iterable):
            raise TypeError(
                f"{event!r} is not an event. An event is a set of outcomes: "
                f"write {{{event!r}}} for the event of this one outcome."
            )
        listed = list(event)
        try:
            members = frozenset(listed)
        except TypeError as error:
            raise _not_outcomes(error) from None
        if members <= self._probability.keys():
            return members
        # The first, because the order of a set is not the same on every run.
        stranger = min(map(repr, members - self._probability.keys()))
        raise ProbabilityError(
            f"The event contains {stranger}, which is not an outcome of this "
            f"space; {self._some_outcomes()}"
        )

    def complement(self, event: EventLike) -> Event:
        """Return the outcomes that are not in `event`.

        Parameters
        ----------
        event : event
            As for :meth:`event`, with the same errors.

        Returns
        -------
        frozenset

        Examples
        --------
        >>> die = ProbabilitySpace.uniform(range(1, 7))
        >>> sorted(die.complement({1, 2, 3}))
        [4, 5, 6]
        """
        return self.outcomes - self.event(event)

    def events(self) -> Iterator[Event]:
        """Yield every event of the space: all subsets, smallest first.

        Returns
        -------
        iterator of frozenset

        Raises
        ------
        ProbabilityError
            If the space has more than 16 outcomes (65536 events).

        Examples
        --------
        >>> coin = ProbabilitySpace.uniform(["heads", "tails"])
        >>> [sorted(event) for event in coin.events()]
        [[], ['heads'], ['tails'], ['heads', 'tails']]
        """
        if len(self) > _MAX_FOR_ALL_SUBSETS:
            raise ProbabilityError(
                f"A space of {len(self)} outcomes has 2**{len(self)} events, "
                "too many to list; use a space of at most "
                f"{_MAX_FOR_ALL_SUBSETS} outcomes."
            )
        sizes = range(len(self) + 1)
        return (frozenset(c) for k in sizes for c in combinations(self, k))

    def partitions(self) -> Iterator[tuple[Event, ...]]:
        """Yield every partition of the sample space into non-empty events.

        The last outcomes are partitioned first; then the one before them
        becomes an event by itself, or joins one of theirs.

        Returns
        -------
        iterator of tuple of frozenset

        Raises
        ------
        ProbabilityError
            If the space has more than 10 outcomes (115975 partitions).

        Examples
        --------
        >>> die = ProbabilitySpace.uniform([1, 2, 3])
        >>> for parts in die.partitions():
        ...     print([sorted(part) for part in parts])
        [[1], [2], [3]]
        [[1, 2], [3]]
        [[2], [1, 3]]
        [[1], [2, 3]]
        [[1, 2, 3]]
        """
        if len(self) > _MAX_FOR_ALL_PARTITIONS:
            raise ProbabilityError(
                f"A space of {len(self)} outcomes has too many partitions to "
                f"list; use a space of at most {_MAX_FOR_ALL_PARTITIONS} "
                "outcomes."
            )
        return _partitions(tuple(self))

    # -- probability ------------------------------------------------------

    def P(  # noqa: N802 (the name that the field gives it)
        self, event: EventLike, given: EventLike | None = None
    ) -> Fraction:
        r"""Return the probability of an event, or its conditional probability.

        .. math::

            P[A] = \sum_{\omega \in A} P[\omega], \qquad
            P[A \mid B] = \frac{P[A \cap B]}{P[B]}.

        Parameters
        ----------
        event : event
            A set of outcomes or a property of outcomes.
        given : event, optional
            The event that is known to have occurred.

        Returns
        -------
        Fraction
            In [0, 1].

        Raises
        ------
        ProbabilityError
            If an outcome of an event is not in the space.
        ZeroProbabilityError
            If `given` has probability zero.

        Examples
        --------
        >>> die = ProbabilitySpace.uniform(range(1, 7))
        >>> print(die.P({2, 4, 6}))
        1/2
        >>> print(die.P({2, 4, 6}, given={4, 5, 6}))
        2/3
        """
        members = self.event(event)
        if given is None:
            return self._sum(members)
        known = self.event(given)
        return self._sum(members & known) / self._positive(known)

    def given(self, event: EventLike) -> Self:
        """Return the space conditioned on an event.

        The outcomes outside `event` are left out; the others keep their
        proportions and are rescaled to sum to one.

        Parameters
        ----------
        event : event
            A set of outcomes or a property of outcomes.

        Returns
        -------
        ProbabilitySpace
            With the outcomes of `event` only.

        Raises
        ------
        ProbabilityError
            If an outcome of the event is not in the space.
        ZeroProbabilityError
            If `event` has probability zero.

        Examples
        --------
        >>> die = ProbabilitySpace.uniform(range(1, 7))
        >>> die.given({4, 5, 6})
        ProbabilitySpace({4: 1/3, 5: 1/3, 6: 1/3})
        """
        members = self.event(event)
        scale = self._positive(members)
        return type(self)(
            {w: p / scale for w, p in self.items() if w in members}
        )

    def independent(
        self, *events: EventLike, given: EventLike | None = None
    ) -> bool:
        """Return whether the events are (mutually) independent.

        Events are mutually independent when for *every* subfamily of at
        least two of them the probability that all occur is the product of
        their probabilities.

        Parameters
        ----------
        *events : events
            Two to 16: more events have too many subfamilies to try.
        given : event, optional
            Test independence conditionally on this event.

        Raises
        ------
        ValueError
            If there are fewer than two events, or more than 16.
        ProbabilityError
            If an outcome of an event is not in the space.
        ZeroProbabilityError
            If `given` has probability zero.

        See Also
        --------
        pairwise_independent : the same for pairs only, which is weaker.

        Examples
        --------
        >>> die = ProbabilitySpace.uniform(range(1, 7))
        >>> die.independent({2, 4, 6}, {1, 2})
        True
        >>> die.independent({2, 4, 6}, {1, 2, 3})
        False
        """
        if len(events) > _MAX_FOR_ALL_SUBSETS:
            raise ValueError(
                f"{len(events)} events have 2**{len(events)} subfamilies, too "
                f"many to try; give at most {_MAX_FOR_ALL_SUBSETS} events."
            )
        space, members = self._reduced(events, given)
        return mutually_independent(space._sum, members)

    def pairwise_independent(
        self, *events: EventLike, given: EventLike | None = None
    ) -> bool:
        """Return whether every two of the events are independent.

        The parameters and errors are those of :meth:`independent`, but
        there may be any number of events.

        Examples
        --------
        Three events of two coins, independent in pairs only:

        >>> coins = ProbabilitySpace.uniform(["HH", "HT", "TH", "TT"])
        >>> first, second, same = {"HH", "HT"}, {"HH", "TH"}, {"HH", "TT"}
        >>> coins.pairwise_independent(first, second, same)
        True
        >>> coins.independent(first, second, same)
        False
        """
        space, members = self._reduced(events, given)
        return pairwise_independent(space._sum, members)

    # -- helpers ----------------------------------------------------------

    def _sum(self, event: Event) -> Fraction:
        return _exact_sum([self._probability[w] for w in event])

    def _positive(self, event: Event) -> Fraction:
        probability = self._sum(event)
        if probability == 0:
            raise ZeroProbabilityError(
                f"Cannot condition on {_show_event(event)}: "
                "its probability is zero."
            )
        return probability

    def _reduced(
        self, events: Sequence[EventLike], given: EventLike | None
    ) -> tuple[ProbabilitySpace, list[Event]]:
        """Return the conditioned space, and the events within it."""
        if len(events) < 2:
            raise ValueError(
                f"Independence needs at least two events, not {len(events)}."
            )
        space = self if given is None else self.given(given)
        return space, [self.event(event) & space.outcomes for event in events]

    def _some_outcomes(self) -> str:
        shown = ", ".join(repr(outcome) for outcome in list(self)[:6])
        return f"its outcomes are {shown}{', …' if len(self) > 6 else ''}."


def _partitions(outcomes: Sequence[Outcome]) -> Iterator[tuple[Event, ...]]:
    if not outcomes:
        yield ()
        return
    first, *others = outcomes
    for parts in _partitions(others):
        yield (frozenset([first]), *parts)
        for i, part in enumerate(parts):
            yield (*parts[:i], part | {first}, *parts[i + 1 :])


def _exact_sum(fractions: Collection[Fraction]) -> Fraction:
    """Add fractions as whole numbers over one denominator, which is faster."""
    common = lcm(*{fraction.denominator for fraction in fractions})
    return Fraction(
        sum(
            fraction.numerator * (common // fraction.denominator)
            for fraction in fractions
        ),
        common,
    )


def read_mapping(value: Any, what: str) -> dict[Outcome, Any]:
    """Read a mapping, or a pandas series, as a dictionary."""
    if not hasattr(value, "items"):
        raise TypeError(f"Give a dictionary from {what}, not {value!r}.")
    pairs = list(value.items())
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        (key, times), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ProbabilityError(
            f"{key!r} appears {times} times in a table from {what}; give it "
            "one row, for instance by adding its rows up first."
        )
    return mapping


def _not_outcomes(error: TypeError) -> ProbabilityError:
    """Return the error for outcomes that are not hashable."""
    return ProbabilityError(
        f"These cannot be outcomes ({error}): write an outcome that has parts "
        "as a tuple, not as a list."
    )


def _show_event(event: Event) -> str:
    """Return the first outcomes of an event in words."""
    if not event:
        return "the empty event"
    shown = ", ".join(sorted(map(repr, event))[:4])
    return f"the event {{{shown}{', …' if len(event) > 4 else ''}}}"
