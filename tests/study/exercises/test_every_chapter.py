"""The exercises of all chapters: diagnosed, and not given away.

That each can be solved is tested chapter by chapter, in the files beside.
"""

import copy
import inspect
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from math import isinf
from numbers import Real

import pytest

import bayesbook.study.exercises
from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises import check, checker, diagnose, running
from bayesbook.study.exercises.checker import exercises_of

CHAPTERS = {
    module.name
    for module in pkgutil.iter_modules(bayesbook.study.exercises.__path__)
} - {"checker", "common", "passing", "running"}
EXERCISES = {
    f"{chapter}/{name}": exercise
    for chapter in sorted(CHAPTERS)
    for name, exercise in exercises_of(chapter).items()
}
MISTAKES = [
    (name, hint)
    for name, exercise in EXERCISES.items()
    for hint in exercise.mistakes
]


def answer(exercise, case):
    try:
        return exercise.reference(*case)
    except ZeroProbabilityError:
        return None


def parts(value):
    """Return all parts of a nested answer; its keys stand in the case."""
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple | set | frozenset):
        return [value]
    return [part for inner in value for part in parts(inner)]


def kind(exercise):
    """Return the kind of answer: a verdict, numbers, or names."""
    found = [
        part
        for case in exercise.cases
        for part in parts(answer(exercise, case))
        if part is not None
    ]
    if all(isinstance(part, bool) for part in found):
        return "verdict"
    return "numbers" if isinstance(found[0], Real) else "names"


def of_kind(*kinds):
    names = [name for name, e in EXERCISES.items() if kind(e) in kinds]
    return pytest.mark.parametrize("name", names)


every_exercise = pytest.mark.parametrize("name", EXERCISES)
every_mistake = pytest.mark.parametrize(
    ("name", "hint"),
    MISTAKES,
    ids=[f"{name}: {hint[:30]}" for name, hint in MISTAKES],
)


@pytest.fixture
def _no_threads(monkeypatch):
    """Call the functions in this thread: all of them end.

    A thread for each of fifty thousand calls takes longer than the calls.
    """

    def run(function, case, seconds):
        return running._outcome(function, copy.deepcopy(case))

    monkeypatch.setattr(checker, "run", run)


without_threads = pytest.mark.usefixtures("_no_threads")


def test_every_chapter_has_four_exercises_or_more():
    chapters = [name.partition("/")[0] for name in EXERCISES]
    assert len(set(chapters)) >= 5
    assert min(map(chapters.count, chapters)) >= 4


@every_exercise
def test_a_stub_is_not_attempted_yet(name):
    def stub(*_arguments): ...

    message = check(name, stub).message
    assert message.startswith("○ stub: not attempted yet.\n")


@every_exercise
def test_the_cases_have_the_arguments_of_the_reference(name):
    exercise = EXERCISES[name]
    parameters = inspect.signature(exercise.reference).parameters.values()
    needed = [p for p in parameters if p.default is p.empty]
    assert {len(case) for case in exercise.cases} == {len(needed)}


@every_exercise
def test_mistakes_have_the_parameters_of_the_reference(name):
    exercise = EXERCISES[name]
    parameters = inspect.signature(exercise.reference).parameters
    for mistaken in exercise.mistakes.values():
        assert inspect.signature(mistaken).parameters == parameters


@of_kind("verdict")
def test_verdicts_of_both_kinds_are_asked_for(name):
    exercise = EXERCISES[name]
    assert {answer(exercise, case) for case in exercise.cases} >= {True, False}


# --- Cases ----------------------------------------------------------------

# Parameters of references, whatever their chapter.
DISTRIBUTIONS = {"cpt", "distribution", "forecasts", "joint", "matrix"}
DISTRIBUTIONS |= {"number", "p_x", "p_y_given_x", "pi", "pi_k", "posterior"}
DISTRIBUTIONS |= {"prior", "probability", "q", "shares", "start", "value"}
PROBABILITIES = {"candidates", "heads", "leak", "level", "likelihood", "p"}
PROBABILITIES |= {"p_km", "p_one", "p_y", "p_z", "prevalence", "sensitivity"}
PROBABILITIES |= {"specificity", "strengths", "theta", "then", "uniforms"}
# Of a row of data, with each state of the cause: no distribution.
NOT_ALL = {"em/lower_bound"}


def given(names, leave_out=()):
    """Yield the arguments with these names, of all cases of all exercises."""
    for name, exercise in EXERCISES.items():
        parameters = inspect.signature(exercise.reference).parameters
        for case in exercise.cases:
            for parameter, value in zip(parameters, case, strict=False):
                if parameter in names and name not in leave_out:
                    yield f"{name}, {parameter}", value


def rows(value):
    """Yield the innermost collections of a nested argument."""
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        if all(isinstance(part, Real) for part in value):
            yield value
        else:
            yield from (row for part in value for row in rows(part))


def test_the_distributions_of_cases_sum_to_one():
    found = [
        (place, row)
        for place, value in given(DISTRIBUTIONS, NOT_ALL)
        for row in rows(value)
    ]
    assert {place.partition(", ")[2] for place, _ in found} == DISTRIBUTIONS
    for place, row in found:
        assert min(row) >= 0, place
        # Sums of fractions are exact.
        assert sum(row) == pytest.approx(1, abs=1e-15), place


def test_the_probabilities_of_cases_are_between_zero_and_one():
    found = [
        (place, part)
        for place, value in given(DISTRIBUTIONS | PROBABILITIES)
        for part in parts(value)
        if not isinstance(part, str)  # the kind of a prior
    ]
    assert {place.partition(", ")[2] for place, _ in found} >= PROBABILITIES
    for place, part in found:
        assert 0 <= part <= 1, place


# --- Hints ----------------------------------------------------------------


@every_mistake
def test_a_mistake_is_diagnosed_by_its_own_hint(name, hint):
    exercise = EXERCISES[name]
    report = check(name, exercise.mistakes[hint])
    assert report.status == "failed"
    assert f"\n  {hint}\n" in report.message
    others = set(exercise.mistakes) - {hint}
    assert not any(other in report.message for other in others)


@every_mistake
def test_a_mistake_answers_as_its_example_was_worked(name, hint):
    exercise = EXERCISES[name]
    arguments, wrong = exercise.examples[hint]

    def worked(*_arguments):
        if isinstance(wrong, Exception):
            raise wrong
        return wrong

    alone = replace(exercise, cases=(arguments,))
    assert not diagnose(alone, worked).passed
    mistaken = replace(alone, reference=exercise.mistakes[hint])
    assert diagnose(mistaken, worked).passed


RAISING = [
    (name, hint)
    for name, exercise in EXERCISES.items()
    for hint, (_, wrong) in exercise.examples.items()
    if isinstance(wrong, Exception)
]


@pytest.mark.parametrize(("name", "hint"), RAISING)
def test_a_mistake_that_raises_is_right_where_it_does_not(name, hint):
    exercise = EXERCISES[name]
    answered = 0
    for case in exercise.cases:
        try:
            found = exercise.mistakes[hint](*case)
        except Exception:
            continue
        alone = replace(exercise, cases=(case,))
        assert diagnose(alone, lambda *_, found=found: found).passed
        answered += 1
    assert answered


@every_exercise
def test_hints_are_distinct(name):
    hints = EXERCISES[name].mistakes
    assert len({hint.casefold() for hint in hints}) == len(hints)


def as_floats(value):
    if isinstance(value, Mapping):
        return {key: as_floats(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(as_floats, value))
    return float(value)


@without_threads
@of_kind("numbers")
def test_a_mistake_is_known_even_if_it_comes_as_floats(name):
    exercise = EXERCISES[name]
    for hint, mistaken in exercise.mistakes.items():

        def rounded(*arguments, mistaken=mistaken):
            return as_floats(mistaken(*arguments))

        assert hint in diagnose(exercise, rounded).message


CONSTANTS = [True, False, 0, 1, F(1, 2), 0.5, 21, (), (0, 0), {}, {1: 1}]
CONSTANTS += [set(), frozenset(), ({}, {}), [1, 0]]


@without_threads
@every_exercise
def test_no_constant_passes(name):
    for constant in CONSTANTS:
        report = diagnose(EXERCISES[name], lambda *_, it=constant: it)
        assert not report.passed, constant


# --- The answer stays hidden ----------------------------------------------

NUMBER = re.compile(r"\d+/\d+|\d*\.?\d+(?:e[+-]?\d+)?")
WRONG = [0, 1, -1, 2, 0.5, F(1, 2), True, False, None, "", float("nan")]
WRONG += [{}, [], (), set(), {"A"}, {frozenset("AB")}]
# What the learner's own answers sum to is theirs, and cases are counted.
NOT_GIVEN = re.compile(r"it returns sum to \S+|\d+ of \d+ cases")


def failing(*_arguments):
    raise ValueError("no idea")


def wrong_functions(exercise):
    """Yield functions that differ, known mistakes and others."""
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
        right = exercise.reference(*arguments)
        if isinstance(right, Mapping):
            return {key: [part] * 2 for key, part in right.items()}
        return (right,) * 2

    yield half_right
    yield doubled


def numbers_in(value):
    """Return all numbers in a nested value, in every way of writing them."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return set().union(*map(numbers_in, value))
    if not isinstance(value, Real) or isinstance(value, bool):
        return set()
    if isinf(value):  # told by a word, not by digits
        return set()
    shown = {str(value), str(float(value)), str(F(value))}
    shown |= {f"{float(value):.{digits}g}" for digits in range(2, 17)}
    return shown | {text.removeprefix("-") for text in shown}


# Prose may say 0 and 1 ("not to 1"), and that a² is a square.
PROSE = numbers_in([0, 1, 2])


@without_threads
@of_kind("numbers")
def test_no_report_contains_an_answer(name):
    """Run every case on its own, so that it is the call that is shown."""
    secrets = 0
    for case in EXERCISES[name].cases:
        alone = replace(EXERCISES[name], cases=(case,))
        secret = numbers_in(parts(answer(alone, case)))
        secret -= numbers_in(case) | PROSE
        secrets += bool(secret)
        for function in wrong_functions(alone):
            text = NOT_GIVEN.sub("", diagnose(alone, function).message)
            assert not secret & set(NUMBER.findall(text)), text
    assert secrets > 2


@without_threads
@of_kind("numbers")
def test_no_hint_contains_the_answer_of_any_case(name):
    exercise = EXERCISES[name]
    answers = [parts(answer(exercise, case)) for case in exercise.cases]
    secret = numbers_in(answers) - PROSE
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        hint, _, call = text.partition("A call that differs: ")
        hint = NOT_GIVEN.sub("", hint)
        assert not secret & set(NUMBER.findall(hint)), text
        # The call that is shown has the inputs of one case, nothing else.
        shown = set(NUMBER.findall(call)) - PROSE
        assert any(shown <= numbers_in(case) for case in exercise.cases), text


@without_threads
@of_kind("verdict")
def test_no_report_tells_a_verdict(name):
    """True and False are named together, as the two kinds of answer."""
    exercise = EXERCISES[name]
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        words = set(re.findall(r"\b(?:True|False)\b", text))
        assert words in (set(), {"True", "False"}), text


def shown(value):
    """Write a value as reports do, sets in order."""
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    return repr(value)


@without_threads
@of_kind("names")
def test_no_report_shows_an_answer(name):
    """Run every case on its own, so that it is the call that is shown."""
    for case in EXERCISES[name].cases:
        alone = replace(EXERCISES[name], cases=(case,))
        right = alone.reference(*case)
        whole = [right, *right] if name.endswith("_orders") else [right]
        # An argument, or a label among those given, is shown as such.
        given = {*map(shown, case), *map(shown, parts(case))}
        for secret in map(shown, whole):
            for function in wrong_functions(alone):
                text = diagnose(alone, function).message
                assert secret in given or secret not in text, text
