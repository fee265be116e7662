"""The exercises of the chapter: solvable, diagnosed, and not given away."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from numbers import Real

import networkx as nx
import pytest

from bayesbook import dag
from bayesbook.exercises import check, diagnose
from bayesbook.exercises.three_variables import EXERCISES
from bayesbook.factorisation import chain_rule
from bayesbook.table import Table

# --- Solutions through tables and graphs of the library -------------------


def table(name, parents, p_one):
    """Make P(name | parents) of binary variables from the column of ones."""
    shares = {
        (*above, state) if parents else state: p if state else 1 - p
        for above, p in p_one.items()
        for state in (1, 0)
    }
    return Table.from_counts(
        shares, [*parents, name], given=parents, exact=True
    )


def joint(parents, p_one, row):
    tables = [table(node, parents[node], p_one[node]) for node in parents]
    return chain_rule(tables).P(row)


def topological_orders(parents):
    graph = nx.DiGraph()
    graph.add_nodes_from(parents)
    graph.add_edges_from((a, b) for b, above in parents.items() for a in above)
    if not nx.is_directed_acyclic_graph(graph):
        return set()
    return set(map(tuple, nx.all_topological_sorts(graph)))


def reverse(p_x, p_y_given_x):
    law = Table.from_counts(
        {
            (x, y): p_x[x] * p
            for x, row in p_y_given_x.items()
            for y, p in row.items()
        },
        ["X", "Y"],
        exact=True,
    )
    p_y = {y: law.P(Y=y) for y in law.states["Y"]}
    return p_y, {
        y: {x: law.P({"X": x}, given={"Y": y}) for x in p_x} for y in p_y
    }


def explained_away(p_x, p_z, p_y):
    law = chain_rule(
        [
            table("X", (), {(): p_x}),
            table("Z", (), {(): p_z}),
            table("Y", ("X", "Z"), p_y),
        ]
    )
    effect, both = {"Y": 1}, {"Y": 1, "Z": 1}
    return law.P({"X": 1}, given=effect) - law.P({"X": 1}, given=both)


def is_open(arrows, triple, observed):
    graph = nx.DiGraph(sorted(arrows))
    explanation = dag.explain(graph, triple[0], triple[2], observed)
    (verdict,) = [
        trail.active
        for trail in explanation.trails
        if trail.nodes in (triple, triple[::-1])
    ]
    return verdict


SOLUTIONS = {
    "joint": joint,
    "topological_orders": topological_orders,
    "reverse": reverse,
    "explained_away": explained_away,
    "is_open": is_open,
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
def test_a_solution_through_the_library_passes(name):
    report = check(f"three_variables/{name}", SOLUTIONS[name])
    cases = len(EXERCISES[name].cases)
    assert report.message == f"✓ {name}: correct, all {cases} cases agree."


@every_exercise
def test_a_stub_is_not_attempted_yet(name):
    def stub(*_arguments): ...

    report = check(f"three_variables/{name}", stub)
    assert report.message.startswith("○ stub: not attempted yet.\n")


@every_exercise
def test_the_cases_have_the_arguments_of_the_solution(name):
    count = len(inspect.signature(SOLUTIONS[name]).parameters)
    assert {len(case) for case in EXERCISES[name].cases} == {count}


# --- Hints ----------------------------------------------------------------


@every_mistake
def test_a_mistake_is_diagnosed_by_its_own_hint(name, hint):
    exercise = EXERCISES[name]
    report = check(f"three_variables/{name}", exercise.mistakes[hint])
    assert report.status == "failed"
    assert f"\n  {hint}\n" in report.message
    others = set(exercise.mistakes) - {hint}
    assert not any(other in report.message for other in others)


def test_hints_are_distinct():
    hints = [hint for _, hint in MISTAKES]
    assert len({hint.casefold() for hint in hints}) == len(hints)


def as_floats(answer):
    """Give every number of an answer as a float."""
    if isinstance(answer, Mapping):
        return {key: as_floats(value) for key, value in answer.items()}
    if isinstance(answer, tuple):
        return tuple(map(as_floats, answer))
    return float(answer)


@pytest.mark.parametrize("name", ["joint", "reverse", "explained_away"])
def test_a_mistake_is_known_even_if_it_comes_as_floats(name):
    exercise = EXERCISES[name]
    for hint, mistaken in exercise.mistakes.items():

        def rounded(*arguments, mistaken=mistaken):
            return as_floats(mistaken(*arguments))

        assert hint in diagnose(exercise, rounded).message


@every_exercise
@pytest.mark.parametrize(
    "constant", [True, False, 0, 1, F(1, 2), set(), ({}, {})], ids=str
)
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

    yield half_right


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


# Prose may say 0 and 1 ("1 of 8 cases"), which tells nothing.
PROSE = numbers_in([0, 1])


@pytest.mark.parametrize("name", ["joint", "reverse", "explained_away"])
def test_no_report_contains_an_answer(name):
    """Run every case on its own, so that it is the call that is shown."""
    secrets = 0
    for case in EXERCISES[name].cases:
        alone = replace(EXERCISES[name], cases=(case,))
        answer = numbers_in(alone.reference(*case))
        secret = answer - numbers_in(case) - PROSE
        secrets += bool(secret)
        for function in wrong_functions(alone):
            text = diagnose(alone, function).message
            assert not secret & set(NUMBER.findall(text)), text
    assert secrets > 2


def test_no_report_tells_a_verdict():
    """True and False are named together, as the two kinds of answer."""
    exercise = EXERCISES["is_open"]
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        assert ("True" in text) == ("False" in text), text


def test_no_report_tells_an_order():
    exercise = EXERCISES["topological_orders"]
    for function in wrong_functions(exercise):
        text = diagnose(exercise, function).message
        hint, _, _ = text.partition("A call that differs: ")
        for case in exercise.cases:
            for order in exercise.reference(*case):
                assert str(order) not in hint
