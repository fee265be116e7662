"""Every bank of the book is sound, and every key in it is recomputed."""

import re
from functools import cache
from pathlib import Path

import notebooks
import pytest

from bayesbook.study import quiz

BOOK = Path(__file__).parents[2] / "book"
FOLDER = BOOK / "quizzes"
CHECKS = FOLDER / "checks"
BANKS = sorted(FOLDER.rglob("*.yml"))
# In these chapters the quick checks are answered; in the others, unfolded.
ANSWERED = [
    "beta_binomial",
    "conditional_independence",
    "d_separation",
    "decisions",
    "dirichlet_multinomial",
    "em",
    "events",
    "features",
    "gaussian_gamma",
    "inference",
    "large_data",
    "learning",
    "likelihood",
    "limit_theorems",
    "map_and_bayes",
    "mcmc",
    "naive_bayes",
    "number_game",
    "random_variables",
    "representation",
    "risk",
    "semi_naive",
    "sequences",
    "text",
    "three_variables",
]
CALL = re.compile(r'quiz\.quick_check\("(\w+)", "([\w-]+)"\)')
UNFOLDED = re.compile(
    r"^:{3,}\{(?:admonition|dropdown)\}[^\n]*quick check",
    re.IGNORECASE | re.MULTILINE,
)

load = cache(quiz.load)


def name(path):
    """Return what a test of a bank is called."""
    return f"{path.stem}/checks" if path.parent == CHECKS else path.stem


def test_the_book_has_a_quiz():
    assert BANKS, f"There is no bank in {FOLDER}."


def test_no_bank_hides_behind_another_ending():
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    others = [path.name for path in files if path.suffix != ".yml"]
    assert others == [], f"Name banks <chapter>.yml: {others}."
    assert {path.parent for path in files} == {FOLDER, CHECKS}


@pytest.mark.parametrize("path", BANKS, ids=name)
def test_every_key_is_recomputed(path):
    quiz.verify(load(path), all_told=True)


@pytest.mark.parametrize("path", BANKS, ids=name)
def test_a_chapter_finds_its_bank_by_name(path):
    is_check = path.parent == CHECKS
    assert quiz.load(path.stem, checks=is_check) == load(path)
    shown = quiz.show(load(path))
    assert set(shown._repr_mimebundle_()) == {"text/html", "text/plain"}


@pytest.mark.parametrize("path", BANKS, ids=name)
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


@pytest.mark.parametrize("chapter", quiz.names())
def test_questions_name_the_section_that_teaches_them(chapter):
    [path] = BOOK.glob(f"*/{chapter}.ipynb")
    labels = set(re.findall(r'"\((sec-[\w-]+)\)=\\n"', path.read_text()))
    no_lessons = "exercises|problems|drills|quiz|summary|sources|elsewhere"
    lessons = {
        label for label in labels if not re.search(f"-({no_lessons})$", label)
    }
    named = {
        q.id: q.section for q in load(FOLDER / f"{chapter}.yml").questions
    }
    assert {
        name: section
        for name, section in named.items()
        if section not in lessons
    } == {}


# --- Quick checks within the chapters ---------------------------------------


def test_the_answered_quick_checks_are_those_of_the_banks():
    assert quiz.names(checks=True) == ANSWERED


@pytest.mark.parametrize("chapter", ANSWERED)
def test_a_chapter_asks_all_its_quick_checks_in_their_order(chapter):
    [path] = BOOK.glob(f"*/{chapter}.ipynb")
    cells = notebooks.parse(path.read_text("utf-8")).cells
    asked = [found for cell in cells for found in CALL.findall(cell.source)]
    questions = load(CHECKS / f"{chapter}.yml").questions
    assert asked == [(chapter, question.id) for question in questions]


@pytest.mark.parametrize("chapter", ANSWERED)
def test_no_quick_check_of_a_chapter_is_unfolded(chapter):
    [path] = BOOK.glob(f"*/{chapter}.ipynb")
    cells = notebooks.parse(path.read_text("utf-8")).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    assert [text for text in texts if UNFOLDED.search(text)] == []


@pytest.mark.parametrize(
    "box",
    [
        ":::{admonition} Quick check\n:class: tip\n\nWhy?\n:::",
        "Text.\n\n::::{dropdown} Answer to the quick check\nSo.\n::::",
    ],
)
def test_a_quick_check_that_is_unfolded_is_seen(box):
    assert UNFOLDED.search(box)
