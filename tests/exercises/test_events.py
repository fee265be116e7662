"""The exercises of the chapter: solvable, diagnosed, and not given away."""

import inspect
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from numbers import Real

import pytest

from bayesbook.errors import ZeroProbabilityError
from bayesbook.exercises import check, diagnose
from bayesbook.exercises.events import EXERCISES

# --- Solutions by counting, which share nothing with the library ----------


def conditional(probability, event, given):
    whole = [p for outcome, p in probability.items() if outcome in given]
    part = [p for w, p in probability.items() if w in given and w in event]
    if sum(whole) == 0:
        raise ZeroProbabilityError("nothing is left")
    return sum(part) / sum(whole)


def posterior(prior, likelihood):
    """Count the members of a population as large as its people are many."""
    numbers = [*prior.values(), *likelihood.values()]
    if any(isinstance(number, float) for number in numbers):
        prior = {h: F(repr(p)) for h, p in prior.items()}
        likelihood = {h: F(repr(p)) for h, p in likelihood.items()}
    people = math.lcm(*(p.denominator for p in prior.values()))
    people *= math.lcm(*(p.denominator for p in likelihood.values()))
    found = {h: int(people * prior[h] * likelihood[h]) for h in prior}
    if not any(found.values()):
        raise ZeroProbabilityError("nobody is left")
    return {h: F(n, sum(found.values())) for h, n in found.items()}


def after_tests(prevalence, sensitivity, specificity, results):
    """Add up all sequences of results, and keep those that were seen."""
    weight = {True: 0, False: 0}
    for ill, *seen in product((True, False), *["+-"] * len(results)):
        path = prevalence if ill else 1 - prevalence
        for result in seen:
            right = sensitivity if ill else specificity
            path *= right if ill == (result == "+") else 1 - right
        if "".join(seen) == results:
            weight[ill] += path
    return weight[True] / (weight[True] + weight[False])


def mutually_independent(probability, events):
    """Flip a switch for every event: 2**n families, all must multiply."""
    for switches in product((True, False), repeat=len(events)):
        family = [e for e, on in zip(events, switches, strict=True) if on]
        together = 0
        for outcome, p in probability.items():
            together += p if all(outcome in event for event in family) else 0
        apart = [sum(probability[w] for w in event) for event in family]
        if together != math.prod(apart):
            return False
    return True


def adjusted_rate(rate, applicants):
    """Ask every applicant for the rate of their department."""
    rates = [rate[name] for name, n in applicants.items() for _ in range(n)]
    return sum(rates) / len(rates)


SOLUTIONS = {
    "conditional": conditional,
    "posterior": posterior,
    "after_tests": after_tests,
    "mutually_independent": mutually_independent,
    "adjusted_rate": adjusted_rate,
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
    report = check(f"events/{name}", SOLUTIONS[name])
    cases = len(EXERCISES[name].cases)
    assert report.message == (f"✓ {name}: correct, all {cases} cases agree.")


@every_exercise
def test_a_stub_is_not_attempted_yet(name):
    def stub(*_arguments): ...

    report = check(f"events/{name}", stub)
    assert report.message.startswith("○ stub: not attempted yet.\n")


@every_exercise
def test_the_cases_have_the_arguments_of_the_solution(name):
    count = len(inspect.signature(SOLUTIONS[name]).parameters)
    assert {len(case) for case in EXERCISES[name].cases} == {count}


# --- Hints ----------------------------------------------------------------


@every_mistake
def test_a_mistake_is_diagnosed_by_its_own_hint(name, hint):
    exercise = EXERCISES[name]
    report = check(f"events/{name}", exercise.mistakes[hint])
    assert report.status == "failed"
    assert f"\n  {hint}\n" in report.message
    others = set(exercise.mistakes) - {hint}
    assert not any(other in report.message for other in others)


def test_hints_are_distinct():
    hints = [hint for _, hint in MISTAKES]
    assert len({hint.casefold() for hint in hints}) == len(hints)


@every_exercise
def test_a_mistake_is_known_even_if_it_comes_as_floats(name):
    exercise = EXERCISES[name]
    for hint, mistaken in exercise.mistakes.items():

        def rounded(*arguments, mistaken=mistaken):
            answer = mistaken(*arguments)
            if isinstance(answer, Mapping):
                return {key: float(p) for key, p in answer.items()}
            return answer if isinstance(answer, bool) else float(answer)

        assert hint in diagnose(exercise, rounded).message


@every_exercise
@pytest.mark.parametrize("constant", [True, False, 0, 1, F(1, 2), 0.5])
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

    def scaled(*arguments):
        answer = exercise.reference(*arguments)
        if isinstance(answer, Mapping):
            return {key: 2 * p for key, p in answer.items()}
        return answer + 2

    yield half_right
    yield scaled


def numbers_in(value):
    """Give all numbers in a nested value, in every way of writing them."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set):
        return set().union(*map(numbers_in, value))
    if not isinstance(value, Real) or isinstance(value, bool):
        return set()
    shown = {str(value), str(float(value)), str(F(value))}
    shown |= {f"{float(value):.{digits}g}" for digits in range(2, 17)}
    return shown | {text.removeprefix("-") for text in shown}


def answer(exercise, case):
    try:
        return exercise.reference(*case)
    except ZeroProbabilityError:
        return None


# Prose may say 0 and 1 ("1 of 8 cases", "not to 1"), which tells nothing.
PROSE = numbers_in([0, 1])


# The answers of the other exercise are True and False.
with_numbers = pytest.mark.parametrize(
    "name", [name for name in EXERCISES if name != "mutually_independent"]
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
    secret = numbers_in(answers) - PROSE
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        hint, _, call = text.partition("A call that differs: ")
        # What the learner's own answers sum to is theirs.
        hint = re.sub(r"it returns sum to \S+", "", hint)
        assert not secret & set(NUMBER.findall(hint)), text
        # The call that is shown has the inputs of one case, nothing else.
        shown = set(NUMBER.findall(call)) - PROSE
        assert any(shown <= numbers_in(case) for case in exercise.cases), text


def test_no_report_tells_a_verdict():
    """True and False are named together, as the two kinds of answer."""
    exercise = EXERCISES["mutually_independent"]
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        assert ("True" in text) == ("False" in text), text
