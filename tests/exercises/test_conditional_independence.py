"""The exercises of the chapter: solvable, diagnosed, and not given away."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from numbers import Real

import numpy as np
import pytest

from bayesbook.errors import ZeroProbabilityError
from bayesbook.exercises import check, diagnose
from bayesbook.exercises.conditional_independence import EXERCISES
from bayesbook.table import Table

CHAPTER = "conditional_independence"

# --- Solutions that go another way than the exercises ---------------------


def independent_given(probability, a, b, given):
    """Keep the outcomes that are left, and compare the four cells."""
    left = {w: p for w, p in probability.items() if w in given}
    if not sum(left.values()):
        raise ZeroProbabilityError("nothing is left")
    cells = {}
    for outcome, p in left.items():
        key = outcome in a, outcome in b
        cells[key] = cells.get(key, 0) + p
    yes, no = (True, False)
    # A table of two by two has rank one where its determinant vanishes.
    return cells.get((yes, yes), 0) * cells.get((no, no), 0) == (
        cells.get((yes, no), 0) * cells.get((no, yes), 0)
    )


def largest_gap(joint):
    """Ask the library, which is told of every combination."""
    states = {
        name: sorted({key[i] for key in joint}) for i, name in enumerate("XYW")
    }
    values = [
        [
            [joint.get((x, y, w), F(0)) for w in states["W"]]
            for y in states["Y"]
        ]
        for x in states["X"]
    ]
    return Table(values, states).independent("X", "Y", given="W").gap


def mixture(weight, first, second):
    """Add up outer products."""
    w0 = next(iter(weight))
    xs, ys = list(first[w0]), list(second[w0])
    total = sum(
        p
        * np.outer(
            [first[w][x] for x in xs],
            [second[w][y] for y in ys],
        )
        for w, p in weight.items()
    )
    return {
        (x, y): total[i, j]
        for (i, x), (j, y) in product(enumerate(xs), enumerate(ys))
    }


def next_heads(prior, heads, seen):
    """Divide the probabilities of two sequences, one longer by a head."""

    def probability(tosses):
        total = 0
        for coin, p in prior.items():
            for toss in tosses:
                p *= heads[coin] if toss == "H" else 1 - heads[coin]
            total += p
        return total

    if not probability(seen):
        raise ZeroProbabilityError("impossible")
    return probability(seen + "H") / probability(seen)


def free_parameters(k, sizes):
    """Name every number that may be chosen, and count the names."""
    free = [("w", w) for w in range(k - 1)]
    free += [
        (w, i, state)
        for w in range(k)
        for i, size in enumerate(sizes)
        for state in range(size - 1)
    ]
    return len(set(free))


SOLUTIONS = {
    "independent_given": independent_given,
    "largest_gap": largest_gap,
    "mixture": mixture,
    "next_heads": next_heads,
    "free_parameters": free_parameters,
}
MISTAKES = [
    (name, hint)
    for name, exercise in EXERCISES.items()
    for hint in exercise.mistakes
]
every_exercise = pytest.mark.parametrize("name", EXERCISES)
every_mistake = pytest.mark.parametrize(
    ("name", "hint"),
    MISTAKES,
    ids=[f"{name}: {hint[:30]}" for name, hint in MISTAKES],
)


def test_every_exercise_is_solved_here():
    assert SOLUTIONS.keys() == EXERCISES.keys()


@every_exercise
def test_a_solution_that_goes_another_way_passes(name):
    report = check(f"{CHAPTER}/{name}", SOLUTIONS[name])
    cases = len(EXERCISES[name].cases)
    assert report.message == f"✓ {name}: correct, all {cases} cases agree."


@every_exercise
def test_a_stub_is_not_attempted_yet(name):
    def stub(*_arguments): ...

    report = check(f"{CHAPTER}/{name}", stub)
    assert report.message.startswith("○ stub: not attempted yet.\n")


@every_exercise
def test_the_cases_have_the_arguments_of_the_solution(name):
    count = len(inspect.signature(SOLUTIONS[name]).parameters)
    assert {len(case) for case in EXERCISES[name].cases} == {count}


def test_the_spaces_and_laws_of_the_cases_are_such():
    for probability, *_ in EXERCISES["independent_given"].cases:
        assert sum(probability.values()) == 1
    for (joint,) in EXERCISES["largest_gap"].cases:
        assert sum(joint.values()) == 1
    for weight, first, second in EXERCISES["mixture"].cases:
        for law in [weight, *first.values(), *second.values()]:
            assert sum(law.values()) == 1
    for prior, heads, _ in EXERCISES["next_heads"].cases:
        assert sum(prior.values()) == 1
        assert all(0 <= p <= 1 for p in heads.values())


def test_a_gap_where_the_dictionary_has_nothing_is_among_the_cases():
    """The largest gap, and at no triple that is mentioned."""

    def mentioned(joint):
        law = Table.from_counts(joint, ["X", "Y", "W"], exact=True)
        alone = law.conditional("X", given="W") * law.conditional(
            "Y", given="W"
        )
        return max(
            abs(
                law.P(X=x, Y=y, given={"W": w})
                - alone.P(X=x, Y=y, given={"W": w})
            )
            for x, y, w in joint
        )

    (hole,) = EXERCISES["largest_gap"].cases[3]
    assert mentioned(hole) < largest_gap(hole)


# --- Hints ----------------------------------------------------------------


@every_mistake
def test_a_mistake_is_diagnosed_by_its_own_hint(name, hint):
    exercise = EXERCISES[name]
    report = check(f"{CHAPTER}/{name}", exercise.mistakes[hint])
    assert report.status == "failed"
    assert f"\n  {hint}\n" in report.message
    others = set(exercise.mistakes) - {hint}
    assert not any(other in report.message for other in others)


def test_hints_are_distinct():
    hints = [hint for _, hint in MISTAKES]
    assert len({hint.casefold() for hint in hints}) == len(hints)


@every_exercise
@pytest.mark.parametrize("constant", [True, False, 0, 1, F(1, 2), 0.5, 21])
def test_no_constant_passes(name, constant):
    assert not diagnose(EXERCISES[name], lambda *_: constant).passed


# --- The answer stays hidden ----------------------------------------------

NUMBER = re.compile(r"\d+/\d+|\d*\.?\d+(?:e[+-]?\d+)?")
WRONG = [0, 1, -1, 2, 0.5, F(1, 2), True, None, "", float("nan"), {}, []]


def failing(*_arguments):
    raise ValueError("no idea")


def wrong_functions(exercise):
    """Give functions that differ, known mistakes and others."""
    yield from exercise.mistakes.values()
    yield failing
    for value in WRONG:
        yield lambda *_arguments, value=value: value

    def half_right(*arguments):
        # The first case is not given: the answer of the others is right.
        if arguments == exercise.cases[0]:
            return None
        return exercise.reference(*arguments)

    def shifted(*arguments):
        answer = exercise.reference(*arguments)
        if isinstance(answer, Mapping):
            return {key: 2 * p for key, p in answer.items()}
        return answer + 2

    yield half_right
    yield shifted


def numbers_in(value):
    """Give all numbers in a nested value, in every way of writing them."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set):
        return set().union(*map(numbers_in, value))
    if not isinstance(value, Real) or isinstance(value, bool):
        return set()
    shown = {str(value), str(float(value)), str(F(value))}
    return shown | {f"{float(value):.{n}g}" for n in range(2, 17)}


def answer(exercise, case):
    try:
        return exercise.reference(*case)
    except ZeroProbabilityError:
        return None


# Prose may say 0 and 1 ("1 of 8 cases", "not to 1"), which tells nothing.
PROSE = numbers_in([0, 1])
with_numbers = pytest.mark.parametrize(
    "name", [name for name in EXERCISES if name != "independent_given"]
)


@with_numbers
def test_no_report_contains_an_answer(name):
    """Run every case on its own, so that it is the call that is shown."""
    secrets = 0
    for case in EXERCISES[name].cases:
        alone = replace(EXERCISES[name], cases=(case,))
        secret = numbers_in(answer(alone, case)) - numbers_in(case) - PROSE
        secrets += bool(secret)
        for function in wrong_functions(alone):
            text = diagnose(alone, function).message
            assert not secret & set(NUMBER.findall(text)), text
    assert secrets > 2


@with_numbers
def test_no_hint_contains_the_answer_of_any_case(name):
    exercise = EXERCISES[name]
    answers = [answer(exercise, case) for case in exercise.cases]
    # Of a dictionary the probabilities; its keys stand in the question.
    values = [a.values() if isinstance(a, Mapping) else [a] for a in answers]
    secret = numbers_in([v for vs in values for v in vs]) - PROSE
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        hint = text.partition("A call that differs: ")[0]
        # How many cases differ, and what the learner's own answers sum to.
        hint = re.sub(r"\d+ of \d+ cases|it returns sum to \S+", "", hint)
        assert not secret & set(NUMBER.findall(hint)), text


def test_no_report_tells_a_verdict():
    """True and False are named together, as the two kinds of answer."""
    exercise = EXERCISES["independent_given"]
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        assert ("True" in text) == ("False" in text), text
