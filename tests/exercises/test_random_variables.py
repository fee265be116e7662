"""The exercises of the chapter: solvable, diagnosed, and not given away."""

import inspect
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from numbers import Real

import pytest

from bayesbook.errors import ZeroProbabilityError
from bayesbook.exercises import check, diagnose
from bayesbook.exercises.random_variables import EXERCISES

# --- Solutions by counting, which share nothing with the references -------


def tickets(law):
    """Write each value on as many tickets as its probability asks for."""
    exact = {
        value: F(repr(float(p))) if isinstance(p, float) else F(p)
        for value, p in law.items()
    }
    total = math.lcm(*(p.denominator for p in exact.values()))
    return [value for value, p in exact.items() for _ in range(int(p * total))]


def mean(values):
    return sum(map(F, values), F(0)) / len(values)


def conditional_law(joint, y):
    left = [x for x, seen in tickets(joint) if seen == y]
    if not left:
        raise ZeroProbabilityError("no ticket is left")
    listed = [x for x, seen in joint if seen == y]
    return {x: F(left.count(x), len(left)) for x in listed}


def regression(joint):
    drawn = tickets(joint)
    return {
        y: mean([x for x, seen in drawn if seen == y])
        for y in dict.fromkeys(y for _, y in drawn)
    }


def spread(values):
    """Half the mean squared difference of two draws, which is the variance."""
    return (
        mean([(a - b) ** 2 for a, b in product(map(F, values), repeat=2)]) / 2
    )


def variance_parts(joint):
    drawn = tickets(joint)
    slices = [[x for x, seen in drawn if seen == y] for _, y in drawn]
    # A slice stands there once for each of its tickets: that is its weight.
    within = mean([spread(part) for part in slices])
    return within, spread([mean(part) for part in slices])


def size_biased(law):
    members = [size for size in tickets(law) for _ in range(size)]
    if not members:
        raise ZeroProbabilityError("nobody to ask")
    return {n: F(k, len(members)) for n, k in Counter(members).items()}


def random_sum(number, value):
    """Find the law of the sum by adding one term after the other."""
    law, sums = Counter(), {F(0): F(1)}
    for n in range(max(number) + 1):
        for total, p in sums.items():
            law[total] += p * F(number.get(n, 0))
        longer = Counter()
        for (total, p), (x, q) in product(sums.items(), value.items()):
            longer[total + F(x)] += p * F(q)
        sums = longer
    centre = sum(s * p for s, p in law.items())
    return centre, sum(s * s * p for s, p in law.items()) - centre**2


SOLUTIONS = {
    "conditional_law": conditional_law,
    "regression": regression,
    "variance_parts": variance_parts,
    "size_biased": size_biased,
    "random_sum": random_sum,
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
def test_a_solution_by_counting_passes(name):
    report = check(f"random_variables/{name}", SOLUTIONS[name])
    cases = len(EXERCISES[name].cases)
    assert report.message == f"✓ {name}: correct, all {cases} cases agree."


@every_exercise
def test_a_stub_is_not_attempted_yet(name):
    def stub(*_arguments): ...

    report = check(f"random_variables/{name}", stub)
    assert report.message.startswith("○ stub: not attempted yet.\n")


@every_exercise
def test_the_cases_have_the_arguments_of_the_solution(name):
    count = len(inspect.signature(SOLUTIONS[name]).parameters)
    assert {len(case) for case in EXERCISES[name].cases} == {count}


def laws(name, case):
    """Give the laws among the arguments of a case."""
    return [argument for argument in case if isinstance(argument, Mapping)]


@every_exercise
def test_every_law_in_a_case_is_one(name):
    for case in EXERCISES[name].cases:
        assert laws(name, case)
        for law in laws(name, case):
            assert sum(law.values()) == pytest.approx(1, abs=1e-12)
            assert all(p >= 0 for p in law.values())


# --- Hints ----------------------------------------------------------------


@every_mistake
def test_a_mistake_is_diagnosed_by_its_own_hint(name, hint):
    exercise = EXERCISES[name]
    report = check(f"random_variables/{name}", exercise.mistakes[hint])
    assert report.status == "failed"
    assert f"\n  {hint}\n" in report.message
    others = set(exercise.mistakes) - {hint}
    assert not any(other in report.message for other in others)


def test_hints_are_distinct_within_an_exercise():
    for exercise in EXERCISES.values():
        hints = {hint.casefold() for hint in exercise.mistakes}
        assert len(hints) == len(exercise.mistakes)


def as_floats(value):
    if isinstance(value, Mapping):
        return {key: as_floats(p) for key, p in value.items()}
    if isinstance(value, tuple):
        return tuple(map(as_floats, value))
    return float(value)


@every_exercise
def test_a_mistake_is_known_even_if_it_comes_as_floats(name):
    exercise = EXERCISES[name]
    for hint, mistaken in exercise.mistakes.items():

        def rounded(*arguments, mistaken=mistaken):
            return as_floats(mistaken(*arguments))

        assert hint in diagnose(exercise, rounded).message


@every_exercise
@pytest.mark.parametrize("constant", [0, F(1, 2), (0, 0), {}, {1: 1}, [1, 0]])
def test_no_constant_passes(name, constant):
    assert not diagnose(EXERCISES[name], lambda *_: constant).passed


# --- The answer stays hidden ----------------------------------------------

NUMBER = re.compile(r"\d+/\d+|\d*\.?\d+(?:e[+-]?\d+)?")
WRONG = [0, 1, -1, 2, 0.5, F(1, 2), True, None, "", float("nan"), {}, [], ()]


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

    def doubled(*arguments):
        answer = exercise.reference(*arguments)
        if isinstance(answer, Mapping):
            return {key: 2 * p for key, p in answer.items()}
        return tuple(2 * part for part in answer)

    yield half_right
    yield doubled


def numbers_in(value):
    """Give all numbers in a nested value, in every way of writing them."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set):
        return set().union(*map(numbers_in, value))
    if not isinstance(value, Real) or isinstance(value, bool):
        return set()
    shown = {str(value), str(float(value)), str(F(value))}
    return shown | {f"{float(value):.{digits}g}" for digits in range(2, 17)}


def answer(exercise, case):
    try:
        return exercise.reference(*case)
    except ZeroProbabilityError:
        return None


# Prose may say 0 and 1 ("1 of 8 cases", "not to 1"), and a² is a square.
PROSE = numbers_in([0, 1, 2])


@every_exercise
def test_no_report_contains_an_answer(name):
    """Run every case on its own, so that it is the call that is shown."""
    secrets = 0
    for case in EXERCISES[name].cases:
        alone = replace(EXERCISES[name], cases=(case,))
        secret = numbers_in(answer(alone, case)) - numbers_in(case) - PROSE
        secrets += bool(secret)
        for function in wrong_functions(alone):
            text = diagnose(alone, function).message
            # What the learner's own answers sum to is theirs.
            text = re.sub(r"it returns sum to \S+", "", text)
            assert not secret & set(NUMBER.findall(text)), text
    assert secrets > 2


@every_exercise
def test_no_hint_contains_the_answer_of_any_case(name):
    exercise = EXERCISES[name]
    answers = [answer(exercise, case) for case in exercise.cases]
    secret = numbers_in(answers) - PROSE
    for hint in exercise.mistakes:
        assert not secret & set(NUMBER.findall(hint)), hint
