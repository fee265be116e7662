"""The page Practice of the built book, and the scripts it draws from."""

import json
import re

import pytest
from browsing import WIDE
from playwright.sync_api import expect

from bayesbook.study import quiz, worksheet

PAGE = "book/appendix/practice.html"
LARGEST = 150_000  # bytes of what one chapter brings


@pytest.fixture(scope="module")
def chapters(site):
    """Return the addresses of the chapters that can be chosen."""
    html = (site / PAGE).read_text("utf-8")
    found = re.findall(r'name="chapter" value="(\w+)" data-page="(.*?)"', html)
    return {name: (site / PAGE).parent / page for name, page in found}


def test_every_quiz_can_be_chosen(chapters):
    assert sorted(chapters) == quiz.names()


def test_the_scripts_are_there_and_small(site, chapters):
    scripts = site / "practice"
    names = {"index", *chapters}
    assert {path.stem for path in scripts.glob("*.js")} >= names
    for name in names:
        assert (scripts / f"{name}.js").stat().st_size < LARGEST


def test_what_was_wrong_leads_to_the_question_in_its_chapter(site, chapters):
    written = (site / "practice" / "index.js").read_text("utf-8")
    index = json.loads(written.partition(" = ")[2].removesuffix(";\n"))
    for name, page in chapters.items():
        html = page.read_text("utf-8")
        for question, (_, version, _) in index[name]["questions"].items():
            place = f'id="quiz-{name.replace("_", "-")}-{question}"'
            [form] = re.findall(f"<form [^>]*{place}[^>]*>", html)
            assert f'data-version="{version}"' in form


def test_the_book_draws_what_python_draws_from_all_chapters(tab, site):
    with tab.visit(site / PAGE, WIDE) as page:
        page.goto("about:blank")
        page.goto((site / PAGE).as_uri() + "#practice?size=24&seed=7")
        page.get_by_role("button", name="Practise", exact=True).click()
        forms = page.locator(".practice-stage form")
        expect(forms).to_have_count(24)
        sheet = worksheet(quiz.names(), size=24, seed=7)
        assert forms.evaluate_all("forms => forms.map(form => form.id)") == [
            f"practice-{each.chapter.replace('_', '-')}-{each.question.id}"
            for each in sheet.questions
        ]
        expect(page.locator(".katex-error")).to_have_count(0)
        assert tab.faults == []
