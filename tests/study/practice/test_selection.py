"""What is drawn: evenly, of the levels asked for, and nothing silently."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.study import practice, quiz, worksheet
from bayesbook.study.practice.selection import pick, topic_of
from bayesbook.study.quiz.shuffling import draw_evenly

NAMES = {"a": "uvwxyz", "b": "uv", "c": "uvwx"}


def test_the_levels_are_those_of_the_banks():
    levels = {
        question.level
        for name in ("events", "risk")
        for question in quiz.load(name).questions
    }
    assert levels == set(practice.LEVELS)


@given(size=st.integers(0, 14), seed=st.integers(0, 999))
def test_groups_are_drawn_from_evenly(size, seed):
    drawn = draw_evenly(NAMES, size, seed)
    assert len(set(drawn)) == len(drawn) == min(size, 12)
    counts = Counter(group for group, _ in drawn)
    for group, names in NAMES.items():
        # A group has as many as any other, if it has that many.
        most = max(counts.values(), default=0)
        assert counts[group] >= min(len(names), most - 1)
    assert set(drawn) <= set(draw_evenly(NAMES, size + 1, seed))


def test_the_order_of_names_and_groups_does_not_matter():
    turned = {group: NAMES[group][::-1] for group in reversed(NAMES)}
    for seed in range(20):
        assert draw_evenly(turned, 7, seed) == draw_evenly(NAMES, 7, seed)


def test_every_name_comes_at_every_place():
    firsts = {draw_evenly(NAMES, 3, seed)[0] for seed in range(300)}
    assert len(firsts) == 12


def test_questions_are_of_the_chapters_and_levels():
    picked = pick(["risk", "events"], ["apply", "analyse"], 9, seed=5)
    assert {each.chapter for each in picked} == {"risk", "events"}
    assert {each.question.level for each in picked} <= {"apply", "analyse"}
    for each in picked:
        bank = quiz.load(each.chapter)
        assert each.question in bank.questions
        assert each.topic == topic_of(bank)


def test_all_questions_can_be_drawn():
    every = sorted(q.id for q in quiz.load("em").questions)
    picked = pick("em", None, len(every), seed=0)
    assert sorted(each.question.id for each in picked) == every
    with pytest.raises(ValueError, match=f"Write size={len(every)}, or add"):
        pick("em", None, len(every) + 1, seed=0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"chapters": "evnts"}, ValueError, "'evnts'. Did you mean 'events'?"),
        ({"chapters": ["risk", "x"]}, ValueError, "The chapters are 'beta_b"),
        ({"chapters": []}, ValueError, r"chapters=\[\] has no chapter: write"),
        ({"chapters": 11}, TypeError, "chapters=11 is not a list of names"),
        ({"chapters": ["risk", 8]}, TypeError, "has 8, which is no name"),
        ({"chapters": ["em", "em"]}, ValueError, "'em' twice: write it once"),
        ({"levels": "aply"}, ValueError, "level 'aply'. Did you mean 'apply'"),
        ({"levels": []}, ValueError, r"levels=\[\] has no level: write names"),
        ({"levels": 3}, TypeError, "levels=3 is not a list of names"),
        ({"size": 0}, ValueError, "size=0 is not from 1 to"),
        ({"size": 2.0}, TypeError, r"size=2.0 is not a whole number: write"),
        ({"size": True}, TypeError, "size=True is not a whole number"),
        ({"size": 999}, ValueError, "size=999 is too large: these chapters"),
        ({"seed": -1}, ValueError, "seed=-1 is not from 0 to 999,999,999"),
        ({"seed": 10**9}, ValueError, "seed=1000000000 is not from 0"),
        ({"seed": "7"}, TypeError, "seed='7' is not a whole number"),
        (
            {"chapters": "text", "levels": "recall", "size": 1},
            ValueError,
            "have no questions. Add chapters or levels",
        ),
    ],
)
def test_what_is_wrong_is_said_and_what_to_do(arguments, error, message):
    good = {"chapters": ["events", "risk"], "size": 3, "seed": 7}
    with pytest.raises(error, match=message):
        worksheet(**{**good, **arguments})
