"""The explorable of Simpson's paradox, held against counts of people."""

from fractions import Fraction as F

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bayesbook.data import load_berkeley_admissions
from bayesbook.study import explore
from bayesbook.study.explore.simpson import view

THOUSANDTHS = st.integers(0, 1000)
ROWS = load_berkeley_admissions().to_dict("records")
# The shares of 1973, rounded up: people are rounded down to whole ones.
START = {"women": 73, "men": 515}


def people(departments, **wanted):
    """Count the people of 1973 in some departments."""
    return sum(
        row["applicants"]
        for row in ROWS
        if row["department"] in departments
        and all(row[key] == value for key, value in wanted.items())
    )


def rate(departments, gender):
    """Return the share of the applicants who were admitted."""
    admitted = people(departments, gender=gender, decision="admitted")
    return F(admitted, people(departments, gender=gender))


def counted(gender, thousandths):
    """Return shares and rates, if so many of a gender apply to A or B."""
    everybody = people("ABCDEF", gender=gender)
    to_high = everybody * thousandths // 1000
    high, low = rate("AB", gender), rate("CDEF", gender)
    admitted = to_high * high + (everybody - to_high) * low
    return {
        "everybody": everybody,
        "to_high": to_high,
        "share": F(to_high, everybody),
        "high": high,
        "low": low,
        "overall": admitted / everybody,
    }


def lead(women, men):
    """Return by how much the women's overall rate is higher."""
    overall = counted("women", women)["overall"]
    return overall - counted("men", men)["overall"]


def is_solved(women, men):
    """Return the tasks that are solved, by their words."""
    higher = lead(women, men)
    shares = [
        counted(gender, thousandths)["share"]
        for gender, thousandths in (("women", women), ("men", men))
    ]
    tasks = {
        "equal": men == START["men"] and abs(higher) < F(5, 10_000),
        "alike": abs(shares[0] - shares[1]) < F(1, 1000)
        and abs(higher - F(1, 10)) < F(5, 10_000),
        "reversed": -higher > F(1, 10)
        # The women's overall rate is least if none of them apply to A or B.
        and (men == 0 or -lead(0, men - 1) <= F(1, 10)),
    }
    return tuple(task for task, solved in tasks.items() if solved)


def around_solutions():
    """Return states in which tasks are solved, and their neighbours."""
    solutions = [(338, 515), (340, 515), (551, 551), (558, 558), (0, 298)]
    steps = [(0, 0), (1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)]
    return [
        {"women": max(women + x, 0), "men": men + y}
        for women, men in solutions
        for x, y in steps
    ]


def test_the_start_is_the_autumn_of_1973():
    for gender, thousandths in START.items():
        truth = counted(gender, thousandths)
        assert truth["to_high"] == people("AB", gender=gender)
        assert truth["overall"] == rate("ABCDEF", gender)
    assert explore.simpson().start() == view(**START)


def test_what_is_said_of_departments_is_true():
    ahead = {d for d in "ABCDEF" if rate(d, "men") > rate(d, "women")}
    assert ahead == {"C", "E"}
    for part in ("AB", "CDEF"):
        assert rate(part, "women") > rate(part, "men")
    most = {
        department
        for department in "ABCDEF"
        if 2 * people(department, decision="admitted") > people(department)
    }
    assert most == {"A", "B"}
    captions = [caption for _, _, caption in explore.simpson().panels]
    for gender, caption in zip(START, captions, strict=False):
        for part in ("AB", "CDEF"):
            assert f"rate {float(rate(part, gender)):.3f}" in caption
    men = counted("men", START["men"])
    said = explore.simpson().tasks["equal"]
    assert f"{men['to_high']} of {men['everybody']}" in said


@example(0, 0)
@example(0, 1000)
@example(1000, 0)
@example(1000, 1000)
@example(**START)
@given(THOUSANDTHS, THOUSANDTHS)
def test_all_numbers_are_those_of_counted_people(women, men):
    seen = view(women, men)
    for gender, thousandths in (("women", women), ("men", men)):
        truth = counted(gender, thousandths)
        applied = f"{truth['to_high']} of {truth['everybody']}"
        assert seen.written[gender] == applied
        for name, digits in (("share", 3), ("overall", 4)):
            found = seen.written[f"{gender}_{name}"]
            error = F(1, 2 * 10**digits) + F(1, 10**12)
            assert len(found.partition(".")[2]) == digits
            assert abs(F(found) - truth[name]) <= error
        # The strong area is the overall rate.
        areas = sum(
            F(seen.drawn[f"{gender}_{part}_admitted"]["width"]) * truth[part]
            for part in ("high", "low")
        )
        assert abs(areas / 1000 - truth["overall"]) <= F(1, 10_000)
    higher = lead(women, men)
    verdict = seen.written["verdict"]
    if abs(higher) < F(5, 10_000):
        assert verdict == "the two rates agree within 0.05 percentage points"
    else:
        assert verdict.startswith(
            "the women have" if higher > 0 else "the men have"
        )
        points = F(verdict.split()[-3])
        assert abs(points - 100 * abs(higher)) <= F(1, 20)


@given(THOUSANDTHS)
def test_who_apply_alike_are_compared_as_in_the_parts(share):
    """Common weights keep the overall lead between those of the parts."""
    leads = [
        rate(part, "women") - rate(part, "men") for part in ("AB", "CDEF")
    ]
    # Whole people of two numbers have the same share within one of each.
    error = F(1, people("ABCDEF", gender="women"))
    assert min(leads) - error < lead(share, share) < max(leads) + error
    assert "the women have" in view(share, share).written["verdict"]


def test_at_the_ends_the_whole_is_a_part():
    for thousandths, part, shown in ((0, "CDEF", "low"), (1000, "AB", "high")):
        seen = view(thousandths, thousandths)
        for gender in START:
            found = seen.written[f"{gender}_overall"]
            assert found == f"{float(rate(part, gender)):.4f}"
            other = "high" if shown == "low" else "low"
            assert seen.drawn[f"{gender}_{shown}"]["width"] == 1000
            assert seen.drawn[f"{gender}_{other}"]["width"] == 0


@given(THOUSANDTHS, THOUSANDTHS)
def test_a_task_is_solved_by_its_solutions_only(women, men):
    assert view(women, men).solves == is_solved(women, men)


def test_each_task_can_be_solved():
    found = {task: set() for task in explore.simpson().tasks}
    for state in around_solutions():
        solves = view(**state).solves
        assert solves == is_solved(**state)
        for task in solves:
            found[task].add((state["women"], state["men"]))
    assert found["equal"] == {(338, 515), (339, 515), (340, 515)}
    assert {(551, 551), (558, 558)} <= found["alike"]
    assert found["reversed"] == {(0, 298)}
    assert view(**START).solves == ()


@pytest.mark.parametrize("wrong", [-1, 1001, 0.07, True, "73", None])
def test_a_start_that_is_no_number_of_thousandths_is_refused(wrong):
    with pytest.raises(ValueError, match=r"women=.*from 0 to 1000"):
        explore.simpson(women=wrong)
