"""Run a learner's function on hidden cases and name its mistake.

A reference function computes the answer, which is never shown. A *mistake* is
a wrong function together with a hint: if the learner's function agrees with
it on every case, the learner reads the hint.

A chapter's module writes them one below the other: the cases and the
reference, then each hint and its wrong function, which may call the exercise
for the right answer::

    @exercise(
        ({"sun": 3, "rain": 1}, "rain"),
        ({"sun": 2, "rain": 5}, "sun"),
    )
    def share(counts, name):
        return counts[name] / sum(counts.values())


    @share.mistake(
        "This is the share of all the others.",
        example=(({"sun": 3, "rain": 1}, "sun"), 1 / 4),
    )
    def _of_others(counts, name):
        return 1 - share(counts, name)

The example says what somebody answers who makes this mistake. It is worked by
hand from the hint, not by the function, which is tested against it. The hints
are tried in the order in which they stand there.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import math
import numbers
import reprlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from bayesbook.study.exercises.passing import note_pass
from bayesbook.study.exercises.running import (
    Endless,
    Function,
    Raised,
    call_on_copies,
    run,
)

__all__ = [
    "Exercise",
    "Report",
    "check",
    "diagnose",
    "exercise",
    "exercises_of",
]

_SECONDS = 2.0


@dataclass(frozen=True)
class Exercise:
    """A coding exercise: its reference, its cases, and common mistakes.

    Called, it answers as its reference does. Chapters make theirs with
    :func:`exercise` and :meth:`mistake`.

    Parameters
    ----------
    reference : callable
        Computes the right answer, or raises the right exception.
    cases : tuple of tuples
        The positional arguments of each call.
    mistakes : dict of str to callable
        For each hint, the wrong function to which it belongs.
    examples : dict of str to tuple
        For each hint, the arguments of one call and the wrong answer to it.

    Raises
    ------
    ValueError
        If there is no case.

    Examples
    --------
    >>> double = Exercise(reference=lambda x: 2 * x, cases=((1,), (3,)))
    >>> double(5)
    10
    >>> diagnose(double, lambda number: 2 * number).passed
    True
    """

    reference: Function
    cases: tuple[tuple, ...]
    mistakes: dict[str, Function] = field(default_factory=dict)
    examples: dict[str, tuple[tuple, Any]] = field(default_factory=dict)
    _answers: dict = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if not self.cases:
            raise ValueError("An exercise without cases checks nothing.")

    def __call__(self, *arguments: Any) -> Any:
        """Return what the reference returns."""
        return self.reference(*arguments)

    def mistake(
        self, hint: str, *, example: tuple[tuple, Any]
    ) -> Callable[[Function], Function]:
        """Return the decorator that adds a wrong function and its hint.

        Parameters
        ----------
        hint : str
            What somebody reads whose function agrees with the wrong one.
        example : tuple
            The arguments of one call, and the answer to it of somebody who
            makes this mistake, or the exception that it raises, worked
            without the function.

        Returns
        -------
        callable
            Adds the function to the mistakes, and returns it unchanged.

        Raises
        ------
        ValueError
            If another mistake has this hint.

        Examples
        --------
        >>> double = Exercise(reference=lambda x: 2 * x, cases=((1,), (3,)))
        >>> @double.mistake(
        ...     "You squared instead of doubling.", example=((3,), 9)
        ... )
        ... def _squared(x):
        ...     return x * x
        >>> diagnose(double, lambda x: x**2)
        ✗ <lambda>: not yet, 2 of 2 cases differ.
          You squared instead of doubling.
          A call that differs: <lambda>(1)
        """

        def add(function: Function) -> Function:
            if hint in self.mistakes:
                raise ValueError(f"Two mistakes have the hint {hint!r}.")
            self.mistakes[hint] = function
            self.examples[hint] = example
            return function

        return add

    def _answer(self, i: int, hint: str | None = None) -> Any:
        """Return what the reference, or a mistake, answers to a case.

        Each answer is computed once, when it is first asked for.
        """
        if (i, hint) not in self._answers:
            function = self.reference if hint is None else self.mistakes[hint]
            self._answers[i, hint] = call_on_copies(function, self.cases[i])
        return self._answers[i, hint]


@dataclass(frozen=True)
class Report:
    """The outcome of a check: shown as its message.

    Parameters
    ----------
    status : {"passed", "failed", "not attempted"}
        Whether all cases agree.
    message : str
        The text that the learner reads.

    Examples
    --------
    >>> report = diagnose(Exercise(abs, ((-1,), (2,))), lambda x: max(x, -x))
    >>> report.passed
    True
    """

    status: str
    message: str

    @property
    def passed(self) -> bool:
        """Whether all cases agree."""
        return self.status == "passed"

    def __repr__(self) -> str:
        return self.message


def exercise(*cases: tuple) -> Callable[[Function], Exercise]:
    """Return the decorator that makes an exercise of a reference function.

    Parameters
    ----------
    *cases : tuple
        The positional arguments of each call.

    Returns
    -------
    callable
        Puts an :class:`Exercise` with these cases in place of the function.

    Raises
    ------
    ValueError
        If there is no case.

    Examples
    --------
    >>> @exercise((1,), (3,))
    ... def double(x):
    ...     return 2 * x
    >>> double.cases
    ((1,), (3,))
    """
    return lambda reference: Exercise(reference, cases)


def check(name: str, function: Callable[..., Any]) -> Report:
    """Check a learner's function against the exercise of that name.

    Parameters
    ----------
    name : str
        Chapter and exercise, such as ``"events/posterior"``.
    function : callable
        The learner's function itself, not its result.

    Returns
    -------
    Report
        Whether all hidden cases agree and, if not, which kind of mistake
        explains it. A stub that returns nothing is "not attempted yet".

    Raises
    ------
    TypeError
        If `function` is not callable, or `name` is not a string.
    ValueError
        If there is no exercise of that name.

    Examples
    --------
    >>> def posterior(prior, likelihood):
    ...     ...
    >>> check("events/posterior", posterior)
    ○ posterior: not attempted yet.
      Replace the ... by your code and run the cell again. (If there is code
      already: a function without `return` gives nothing back.)
    """
    if not isinstance(name, str):
        raise TypeError(
            "check needs the name of the exercise first and then the "
            f"function; its first argument is of type {type(name).__name__}."
        )
    exercise = _find(name)
    if not callable(function):
        raise TypeError(
            f"check needs the function itself, without parentheses, as in "
            f"check({name!r}, {name.rpartition('/')[2]}); it was given "
            f"{_shown(function)}, which is not a function "
            f"but of type {type(function).__name__}."
        )
    report = diagnose(exercise, function)
    if report.passed:
        note_pass(name)
    return report


def diagnose(
    exercise: Exercise,
    function: Callable[..., Any],
    *,
    seconds: float = _SECONDS,
) -> Report:
    """Run the cases of an exercise and name the kind of mistake.

    Parameters
    ----------
    exercise : Exercise
        With its reference, cases and known mistakes.
    function : callable
        The learner's function.
    seconds : float
        The longest time that one call may take.

    Returns
    -------
    Report
        As that of :func:`check`.

    Examples
    --------
    >>> half = Exercise(reference=lambda x: x / 2, cases=((1,), (4,)))
    >>> diagnose(half, lambda number: number / 2)
    ✓ <lambda>: correct, all 2 cases agree.
    """
    name = getattr(function, "__name__", type(function).__name__)
    results = []
    for case in exercise.cases:
        results.append(run(function, case, seconds))
        # One endless loop is enough to wait for.
        if isinstance(results[-1], Endless):
            break
    if all(result is None for result in results):
        return Report(
            "not attempted",
            f"○ {name}: not attempted yet.\n"
            "  Replace the ... by your code and run the cell again. (If there "
            "is code\n  already: a function without `return` gives nothing "
            "back.)",
        )
    keys = [exercise._answer(i) for i in range(len(exercise.cases))]
    differing = [
        i for i, result in enumerate(results) if not _agree(keys[i], result)
    ]
    if not differing:
        return Report(
            "passed", f"✓ {name}: correct, all {len(keys)} cases agree."
        )
    # Show the most telling case: an exception or a wrong kind of value first.
    problems = {i: _problem(keys[i], results[i], seconds) for i in differing}
    i = min(differing, key=lambda i: problems[i][0])
    if hint := _known_mistake(exercise, keys, results):
        i = next(i for i in differing if not isinstance(keys[i], Raised))
    elif all(_rounded(keys[j], results[j]) for j in differing):
        hint = "This is right but for its rounding: return the exact value."
    else:
        _, hint = problems[i]
    arguments = ", ".join(_shown(a) for a in exercise.cases[i])
    untried = len(keys) - len(results)
    more = f" ({untried} not tried)" if untried else ""
    return Report(
        "failed",
        f"✗ {name}: not yet, {len(differing)} of {len(results)} cases differ"
        f"{more}.\n"
        f"  {hint}\n"
        f"  A call that differs: {name}({arguments})",
    )


# -- finding exercises ----------------------------------------------------


def exercises_of(chapter: str) -> dict[str, Exercise]:
    """Return the exercises of a chapter by name, in their order.

    Parameters
    ----------
    chapter : str
        The name of its module, such as ``"events"``.

    Returns
    -------
    dict of str to Exercise
        All exercises that the module defines.

    Raises
    ------
    ValueError
        If there is no such chapter.

    Examples
    --------
    >>> list(exercises_of("number_game"))[:2]
    ['concept_posterior', 'posterior_with_misprints']
    """
    path = f"bayesbook.study.exercises.{chapter}"
    found = {}
    try:
        found = vars(importlib.import_module(path))
    except ModuleNotFoundError as error:
        # The module may be there, and one that it imports missing.
        if not path.startswith(error.name or ""):
            raise
    exercises = {
        name: value
        for name, value in found.items()
        if isinstance(value, Exercise)
    }
    if not exercises:
        raise ValueError(
            f"There is no chapter {chapter!r} with exercises; names look like "
            "'events/posterior'."
        )
    return exercises


def _find(name: str) -> Exercise:
    chapter, _, short = name.partition("/")
    exercises = exercises_of(chapter)
    if short not in exercises:
        known = [f"{chapter}/{each}" for each in exercises]
        nearest = difflib.get_close_matches(name, known, n=1, cutoff=0)
        raise ValueError(
            f"There is no exercise {name!r}; did you mean {nearest[0]!r}? "
            f"The exercises are {', '.join(known)}."
        )
    return exercises[short]


# -- comparing ------------------------------------------------------------


def _false_if_incomparable(
    judge: Callable[[Any, Any], bool],
) -> Callable[[Any, Any], bool]:
    """Return False if values cannot be compared, as an array with a set."""

    @functools.wraps(judge)
    def careful(expected: Any, got: Any) -> bool:
        try:
            return bool(judge(expected, got))
        except Exception:
            return False

    return careful


@_false_if_incomparable
def _agree(expected: Any, got: Any) -> bool:
    """Return whether an answer is right; rounding of floats is forgiven."""
    if isinstance(expected, Raised):
        return isinstance(got, Raised) and isinstance(
            got.error, type(expected.error)
        )
    if isinstance(expected, bool):
        return _is_bool(got) and bool(got) == expected
    if isinstance(expected, numbers.Real):
        return _is_number(got) and _close(expected, got)
    if isinstance(expected, Mapping):
        return (
            isinstance(got, Mapping)
            and expected.keys() == got.keys()
            and all(_agree(expected[key], got[key]) for key in expected)
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(expected) == len(got)
            and all(map(_agree, expected, got))
        )
    return expected == got


def _close(expected: Any, got: Any) -> bool:
    try:
        return math.isclose(expected, got, rel_tol=1e-9, abs_tol=1e-12)
    except OverflowError:  # an integer beyond the floats
        return expected == got


@_false_if_incomparable
def _rounded(expected: Any, got: Any) -> bool:
    """Return whether an answer is the right one with fewer digits."""
    if isinstance(expected, Mapping):
        return (
            isinstance(got, Mapping)
            and expected.keys() == got.keys()
            and all(_rounded(expected[key], got[key]) for key in expected)
        )
    return (
        _is_number(expected)
        and _is_number(got)
        and any(_close(round(expected, n), got) for n in range(1, 9))
    )


def _is_bool(value: Any) -> bool:
    # numpy's bool is not a bool, and means the same.
    return isinstance(value, bool | np.bool_)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real | Decimal) and not _is_bool(value)


# The order in which problems are shown: the smallest first.
_STOPPED, _WRONG_KIND, _WRONG_VALUE, _WRONG_ERROR = range(4)


def _problem(expected: Any, got: Any, seconds: float) -> tuple[int, str]:
    """Name the kind of problem of a single answer, never the answer."""
    if isinstance(got, Endless):
        return _STOPPED, (
            f"It did not finish within {seconds:g} seconds: a loop that "
            "never ends?"
        )
    if isinstance(expected, Raised):
        kind = type(expected.error).__name__
        if isinstance(got, Raised):
            return _WRONG_ERROR, (
                f"It raised {type(got.error).__name__}, where {kind} is asked "
                "for."
            )
        return _WRONG_ERROR, f"It returned a value where {kind} is asked for."
    if isinstance(got, Raised):
        where = f" in line {got.line} of its source" if got.line else ""
        return _STOPPED, (
            f"It raised {type(got.error).__name__}{where}: "
            f"{_message_of(got.error)}"
        )
    if got is None:
        return _WRONG_KIND, (
            "For some inputs it returns nothing: is there a `return` on every "
            "path?"
        )
    if wanted := _wrong_kind(expected, got):
        return _WRONG_KIND, (
            f"It returns a value of type {type(got).__name__}, where "
            f"{wanted} is asked for."
        )
    try:
        if _has_nan(got):
            return _WRONG_KIND, (
                "It returns NaN (not a number): 0/0 or infinity minus "
                "infinity somewhere on the way."
            )
        return _WRONG_VALUE, _strange_value(expected, got)
    except Exception:
        return _WRONG_KIND, (
            f"It returns a value of type {type(got).__name__} that cannot be "
            "compared with the right one."
        )


def _message_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "its own text cannot be shown."


def _wrong_kind(expected: Any, got: Any) -> str | None:
    """Return the required kind, if the answer is of another."""
    kinds = (
        (bool, _is_bool, "True or False"),
        (numbers.Real, _is_number, "a number"),
        (Mapping, lambda v: isinstance(v, Mapping), "a dictionary"),
        (Set, lambda v: isinstance(v, Set), "a set"),
        (list | tuple, lambda v: isinstance(v, list | tuple), "a list"),
        (str, lambda v: isinstance(v, str), "a string"),
    )
    for kind, is_of_kind, name in kinds:
        if isinstance(expected, kind):
            return None if is_of_kind(got) else name
    return None


def _strange_value(expected: Any, got: Any) -> str:
    """Explain what is impossible about a value, if anything is."""
    vague = "The value is of the right kind, but another one is right."
    several = isinstance(expected, Mapping)
    if several:
        if expected.keys() != got.keys():
            return "The keys of the dictionary are not those asked for."
        expected, got = list(expected.values()), list(got.values())
        if not all(map(_is_number, got)):
            return "Some values of the dictionary are not numbers."
    else:
        expected, got = [expected], [got]
    if not all(map(_is_number, expected)):
        return vague
    if any(value < 0 for value in got) and min(expected) >= 0:
        return "It returns a negative number."
    like_probabilities = min(expected) >= 0 and max(expected) <= 1
    if any(value > 1 for value in got) and like_probabilities:
        return "It returns a probability greater than 1."
    if several and _close(sum(expected), 1) and not _close(sum(got), 1):
        return (
            f"The probabilities that it returns sum to {_shown(sum(got))}, "
            "not to 1."
        )
    return vague


def _has_nan(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_nan, value.values()))
    if isinstance(value, list | tuple | Set):
        return any(map(_has_nan, value))
    # NaN alone differs from itself; isnan() cannot read large integers.
    return _is_number(value) and value != value


def _known_mistake(
    exercise: Exercise, keys: list, results: list
) -> str | None:
    """Return the hint of the mistake that explains every result.

    Cases in which the right function raises say nothing about the formula.
    """
    if len(results) < len(keys):
        return None
    regular = [i for i, key in enumerate(keys) if not isinstance(key, Raised)]
    if all(_agree(keys[i], results[i]) for i in regular):
        return None
    for hint in exercise.mistakes:
        if all(_agree(exercise._answer(i, hint), results[i]) for i in regular):
            return hint
    return None


def _shown(value: Any) -> str:
    """Show a value briefly, and the same on every run."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        items = (f"{_shown(k)}: {_shown(v)}" for k, v in value.items())
        return "{" + ", ".join(items) + "}"
    if isinstance(value, Set):
        # The order of a set of strings changes from run to run.
        members = ", ".join(sorted(map(_shown, value)))
        return f"{{{members}}}" if members else "set()"
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return reprlib.repr(value)
