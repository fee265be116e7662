"""The exercises of the chapter: solvable, diagnosed, and not given away."""

import inspect
import re
from dataclasses import replace
from itertools import permutations, product

import pytest

from bayesbook.exercises import check, diagnose
from bayesbook.exercises.d_separation import EXERCISES

# --- Solutions straight from the definitions, without any library ---------


def below(arrows, node):
    """Give a node and its descendants."""
    children = [b for a, b in arrows if a == node]
    return {node}.union(*(below(arrows, child) for child in children))


def nodes_of(arrows):
    return sorted({node for arrow in arrows for node in arrow})


def ancestors(arrows, nodes):
    return {n for n in nodes_of(arrows) if below(arrows, n) & set(nodes)}


def is_active(arrows, trail, given):
    for i in range(1, len(trail) - 1):
        before, node, after = trail[i - 1 : i + 2]
        meets = (before, node) in arrows and (after, node) in arrows
        if meets and not below(arrows, node) & given:
            return False
        if not meets and node in given:
            return False
    return True


def moral_lines(arrows):
    joined = {frozenset(arrow) for arrow in arrows}
    for a, b, child in permutations(nodes_of(arrows), 3):
        if (a, child) in arrows and (b, child) in arrows:
            joined.add(frozenset({a, b}))
    return joined


def trails(arrows, path, end):
    """Yield all trails to `end` that begin with a path."""
    if path[-1] == end:
        yield path
        return
    for a, b in sorted({*arrows, *((b, a) for a, b in arrows)}):
        if a == path[-1] and b not in path:
            yield from trails(arrows, (*path, b), end)


def separated(arrows, x, y, given):
    return not any(
        is_active(arrows, trail, given) for trail in trails(arrows, (x,), y)
    )


def equivalent(arrows, others):
    """Compare all d-separations of two nodes."""
    nodes = nodes_of(arrows)
    assert nodes == nodes_of(others)
    for x, y in permutations(nodes, 2):
        rest = [node for node in nodes if node not in (x, y)]
        for switches in product([True, False], repeat=len(rest)):
            pairs = zip(rest, switches, strict=True)
            given = {node for node, on in pairs if on}
            if separated(arrows, x, y, given) != separated(
                others, x, y, given
            ):
                return False
    return True


SOLUTIONS = {
    "ancestors": ancestors,
    "is_active": is_active,
    "moral_lines": moral_lines,
    "separated": separated,
    "equivalent": equivalent,
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
def test_a_solution_from_the_definitions_passes(name):
    report = check(f"d_separation/{name}", SOLUTIONS[name])
    cases = len(EXERCISES[name].cases)
    assert report.message == f"✓ {name}: correct, all {cases} cases agree."


@every_exercise
def test_a_stub_is_not_attempted_yet(name):
    def stub(*_arguments): ...

    report = check(f"d_separation/{name}", stub)
    assert report.message.startswith("○ stub: not attempted yet.\n")


@every_exercise
def test_the_cases_have_the_arguments_of_the_solution(name):
    count = len(inspect.signature(SOLUTIONS[name]).parameters)
    assert {len(case) for case in EXERCISES[name].cases} == {count}


def test_the_trails_of_the_cases_are_trails_with_unobserved_ends():
    for arrows, trail, given in EXERCISES["is_active"].cases:
        assert trail in trails(arrows, trail[:1], trail[-1])
        assert not {trail[0], trail[-1]} & given


def test_verdicts_of_both_kinds_are_asked_for():
    for name in ("is_active", "separated", "equivalent"):
        answers = [SOLUTIONS[name](*case) for case in EXERCISES[name].cases]
        assert {True, False} == set(answers)


# --- Hints ----------------------------------------------------------------


@every_mistake
def test_a_mistake_is_diagnosed_by_its_own_hint(name, hint):
    exercise = EXERCISES[name]
    report = check(f"d_separation/{name}", exercise.mistakes[hint])
    assert report.status == "failed"
    assert f"\n  {hint}\n" in report.message
    others = set(exercise.mistakes) - {hint}
    assert not any(other in report.message for other in others)


def test_hints_are_distinct():
    hints = [hint for _, hint in MISTAKES]
    assert len({hint.casefold() for hint in hints}) == len(hints)


@every_exercise
@pytest.mark.parametrize("constant", [True, False, 0, 1, (), frozenset()])
def test_no_constant_passes(name, constant):
    assert not diagnose(EXERCISES[name], lambda *_: constant).passed


# --- The answer stays hidden ----------------------------------------------

WRONG = [0, 1, True, False, "", (), set(), {"A"}, {frozenset("AB")}]


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

    yield half_right


def shown(value):
    """Write a value as reports do, sets in order."""
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    return repr(value)


@pytest.mark.parametrize("name", ["ancestors", "moral_lines"])
def test_no_report_shows_an_answer(name):
    """Run every case on its own, so that it is the call that is shown."""
    for case in EXERCISES[name].cases:
        alone = replace(EXERCISES[name], cases=(case,))
        answer = shown(alone.reference(*case))
        for function in wrong_functions(alone):
            text = diagnose(alone, function).message
            assert answer in map(shown, case) or answer not in text, text


@pytest.mark.parametrize("name", ["is_active", "separated", "equivalent"])
def test_no_report_tells_a_verdict(name):
    """True and False are named together, as the two kinds of answer."""
    exercise = EXERCISES[name]
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        words = set(re.findall(r"\b(?:True|False)\b", text))
        assert words in (set(), {"True", "False"}), text
