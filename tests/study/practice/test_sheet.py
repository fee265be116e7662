"""A worksheet: its questions, its answers, and how it is shown."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from bayesbook.study import practice, quiz, worksheet
from bayesbook.study.practice import bank
from bayesbook.study.practice.selection import Picked
from bayesbook.study.practice.sheet import answer_item, sheet_item
from bayesbook.study.quiz.markdown import inline
from bayesbook.study.quiz.questions import Choice, Numeric, Order

CHAPTERS = ["events", "risk"]


@pytest.fixture(scope="module")
def sheet():
    return worksheet(CHAPTERS, size=18, seed=3)


@pytest.fixture(scope="module")
def page(sheet):
    shown = sheet._repr_mimebundle_(include=None, exclude=None)["text/html"]
    return BeautifulSoup(shown, "html.parser")


def kinds(sheet):
    return {type(each.question) for each in sheet.questions}


def test_the_same_seed_makes_the_same_sheet(sheet):
    assert kinds(sheet) == {Choice, Numeric, Order}
    assert eval(sheet.call, {"study": practice}) == sheet
    again = worksheet(CHAPTERS, size=18, seed=4)
    assert again.questions != sheet.questions


def test_the_call_names_only_some_levels(sheet):
    assert sheet.call == (
        'study.worksheet(["events", "risk"], size=18, seed=3)'
    )
    some = worksheet("em", levels=["apply", "recall"], size=1, seed=0)
    assert some.call == (
        'study.worksheet(["em"], levels=["recall", "apply"], size=1, seed=0)'
    )


def test_the_plain_text_has_the_questions_and_no_answers(sheet):
    text = repr(sheet)
    assert str(sheet) == text == sheet._repr_mimebundle_()["text/plain"]
    assert text.startswith(f"Worksheet\n=========\n{sheet.call}\n\n1. ")
    numbers = re.findall(r"(?m)^(\d+)\. ", text)
    assert numbers == [str(at) for at in range(1, 19)]
    for line in text.splitlines():
        assert line == line.rstrip()
    for each in sheet.questions:
        first = each.question.prompt.split("\n")[0]
        assert first in text
        for why in (o.why for o in getattr(each.question, "options", ())):
            assert why.strip().split("\n")[0] not in text


def given_on_paper(question, key):
    """Return which parts of a question an answer on paper names."""
    letters = key.split(", ")
    item = BeautifulSoup(sheet_item(Picked("c", "t", question)), "html.parser")
    shown = item.select(".sheet-options li")
    named = [li.select_one(".quiz-letter").get_text() for li in shown]
    assert named == [chr(65 + at) for at in range(len(shown))]
    texts = [li.select_one(".quiz-text").decode_contents() for li in shown]
    return [texts[named.index(letter)] for letter in letters]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_letters_of_an_answer_are_those_of_the_question(chapter):
    for question in quiz.load(chapter).questions:
        item = BeautifulSoup(answer_item(question), "html.parser")
        key = item.select_one(".sheet-key")
        if isinstance(question, Numeric):
            assert key is None
            first = item.select_one(".quiz-entry").get_text()
            assert first.startswith(question.answer)
            continue
        given = given_on_paper(question, key.get_text())
        if isinstance(question, Choice):
            right = {inline(o.text) for o in question.options if o.right}
            assert set(given) == right
            assert len(given) == len(right)
        else:
            assert given == [inline(step.text) for step in question.steps]


def test_the_plain_answers_are_those_of_the_page(sheet, page):
    items = page.select(".sheet-answers > li")
    blocks = re.split(r"(?m)^\d+\. ", sheet.answers)[1:]
    assert len(items) == len(blocks) == 18
    for each, item, block in zip(sheet.questions, items, blocks, strict=True):
        key, *reasons = block.split("\n")
        assert reasons
        if isinstance(each.question, Numeric):
            assert key.startswith(each.question.answer)
        else:
            assert item.select_one(".sheet-key").get_text() == key


def test_the_page_has_room_for_each_answer(sheet, page):
    items = page.select(".sheet-questions > li")
    assert len(items) == 18
    for each, item in zip(sheet.questions, items, strict=True):
        assert item["data-kind"] == each.question.kind
        assert item.select_one(".sheet-room")
        ticks = len(item.select(".sheet-tick"))
        if isinstance(each.question, Choice):
            assert ticks == len(each.question.options)
        else:
            assert not ticks
            assert item.select_one(".sheet-line")
        topic = item.select_one(".sheet-topic").get_text()
        assert topic == f"{each.topic} · {each.question.level}"


def test_the_head_says_the_choice_and_the_seed(sheet, page):
    heads = [p.get_text() for p in page.select(".sheet-selection")]
    assert heads == 2 * [
        "Chapters: events, risk. Levels: recall, understand, apply, analyse, "
        "transfer. 18 questions, seed 3."
    ]
    assert page.select_one(".sheet-call").get_text() == sheet.call


def test_the_answers_come_after_all_questions(page):
    first, second = page.select(".sheet-part")
    assert not first.select(".quiz-reasons, .sheet-answers")
    assert not second.select(".sheet-questions")
    assert "sheet-solutions" in second["class"]
    assert not page.select("script, input, button")


def test_a_bank_holds_what_the_library_writes():
    risk = quiz.load("risk")
    script = bank.bank_script(risk)
    start = '(window.bayesbookPractice ??= {})["risk"] = '
    content = json.loads(script.removeprefix(start).removesuffix(";\n"))

    def joined(question, what):
        at = content["questions"][question.id][what]
        return "".join(content["parts"][part] for part in at)

    for question in risk.questions:
        assert joined(question, "answer") == answer_item(question)
        assert joined(question, "sheet") == sheet_item(
            Picked("risk", "risk", question)
        )
        assert f'data-version="{question.version}"' in joined(question, "form")
