"""A worksheet of drills: questions that no page has, and their answers."""

import re

import pytest

from bayesbook import study
from bayesbook.study import drills
from bayesbook.study.drills.render import (
    bank_names,
    bank_scripts,
    published,
)
from bayesbook.study.practice import homework
from bayesbook.study.practice.homework import drill_sheet

KINDS = ["bayes", "separation", "odds"]


def test_a_sheet_has_its_kinds_in_turn():
    sheet = study.drill_sheet(KINDS, size=5, seed=123456789)
    assert [d.kind for d in sheet.drills] == [*KINDS, "bayes", "separation"]


def test_the_same_seed_gives_the_same_sheet_and_another_another():
    one, same, other = (
        drill_sheet("bayes", size=4, seed=seed) for seed in (5, 5, 6)
    )
    assert repr(one) == repr(same)
    prompts = [{d.prompt for d in sheet.drills} for sheet in (one, other)]
    assert not prompts[0] & prompts[1]
    assert len(prompts[0]) == 4


def test_a_question_of_a_page_is_passed_over(monkeypatch):
    first, second, _ = drill_sheet("bayes", size=3, seed=77).drills
    monkeypatch.setattr(
        homework, "published", lambda kind: frozenset({second.prompt})
    )
    found = drill_sheet("bayes", size=3, seed=77).drills
    assert found[0] == first
    assert second.prompt not in {drill.prompt for drill in found}
    assert len({drill.prompt for drill in found}) == 3


@pytest.mark.parametrize("kind", ["odds", "update"])
def test_what_is_published_is_as_much_as_the_pages_fetch(kind):
    questions = [
        script.count("-title") for script in bank_scripts(kind).values()
    ]
    assert len(questions) == len(bank_names(kind))
    assert len(published(kind)) == 20 * len(questions)


def test_a_sheet_ends_where_a_kind_has_no_more(monkeypatch):
    monkeypatch.setattr(homework, "_MOST_DRAWS", 3)
    one = drills.question("bayes", seed=10**8)
    monkeypatch.setattr(homework, "question", lambda kind, seed: one)
    with pytest.raises(ValueError, match="not so many different drills"):
        drill_sheet("bayes", size=2, seed=1)


def test_questions_and_answers_are_apart():
    sheet = drill_sheet(KINDS, size=3, seed=77)
    shown = sheet._repr_mimebundle_()["text/html"].split("</style>")[1]
    questions, answers = shown.split("sheet-solutions")
    for drill in sheet.drills:
        words = drill.explanation.split(".")[0][:20]
        assert words not in questions
        assert words not in repr(sheet)
    # Who has the seed has the answers.
    assert "seed" not in questions + repr(sheet)
    assert "study.drill_sheet([&quot;bayes&quot;" in answers
    assert shown.count('class="sheet-item"') == 2 * len(KINDS)


def test_the_answers_are_those_of_the_drills():
    sheet = drill_sheet("bayes", size=3, seed=77)
    for number, drill in enumerate(sheet.drills, 1):
        again = drills.question("bayes", seed=drill.seed)
        assert re.search(
            rf"^{number}\. {again.answer}( ≈ [\d.]+)?$", sheet.answers, re.M
        )


@pytest.mark.parametrize(
    ("kinds", "options", "error", "message"),
    [
        ([], {"seed": 1}, ValueError, "No kind of drill"),
        ("bays", {"seed": 1}, ValueError, "bays"),
        ("bayes", {"seed": -1}, ValueError, "seed=-1"),
        ("bayes", {"seed": 10**9}, ValueError, "seed=1000000000"),
        ("bayes", {"seed": 1.5}, TypeError, "seed=1.5"),
        ("bayes", {"seed": 1, "size": 0}, ValueError, "size=0"),
    ],
)
def test_what_makes_no_sheet_is_refused(kinds, options, error, message):
    with pytest.raises(error, match=message):
        drill_sheet(kinds, **options)
