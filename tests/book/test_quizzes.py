"""Every bank of the book is sound, and every key in it is recomputed."""

from functools import cache
from pathlib import Path

import pytest

from bayesbook.study import quiz

FOLDER = Path(__file__).parents[2] / "book" / "quizzes"
BANKS = sorted(FOLDER.glob("*.yml"))

load = cache(quiz.load)


def test_the_book_has_a_quiz():
    assert BANKS, f"There is no bank in {FOLDER}."


def test_no_bank_hides_behind_another_ending():
    others = [p.name for p in FOLDER.iterdir() if p.suffix != ".yml"]
    assert others == [], f"Name banks <chapter>.yml: {others}."


@pytest.mark.parametrize("path", BANKS, ids=lambda path: path.stem)
def test_every_key_is_recomputed(path):
    quiz.verify(load(path), all_told=True)


@pytest.mark.parametrize("path", BANKS, ids=lambda path: path.stem)
def test_a_chapter_finds_its_bank_by_name(path):
    shown = quiz.show(path.stem)
    assert shown.quiz == load(path)
    assert set(shown._repr_mimebundle_()) == {"text/html", "text/plain"}


@pytest.mark.parametrize("path", BANKS, ids=lambda path: path.stem)
def test_every_wrong_option_was_defended(path):
    options = [
        (question.id, option)
        for question in load(path).questions
        for option in getattr(question, "options", ())
    ]
    undefended = [
        f"{name}: {option.text}"
        for name, option in options
        if bool(option.defence) is option.right
    ]
    assert undefended == []
