"""A quick check: one question of the quiz's kind, within a text."""

import re

import pytest
from browsing import (
    WIDE,
    accessibility_problems,
    reload,
    with_formulas_of_the_book,
)
from looking import COLOURS_ONLY, NARROW, NO_COLOURS, stand_still
from permalinks import with_permalinks
from playwright.sync_api import expect
from study.quiz.sample import TEXT
from style_sheet import said_once

from bayesbook.study import quiz
from bayesbook.study.quiz import QuizError
from bayesbook.study.quiz.checks import anchor

BANK = quiz.parse(TEXT, "sample.yml")
NAMES = [question.id for question in BANK.questions]
STORE = "bayesbook:check:sample"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Chapter</title>
<meta name="viewport" content="width=device-width">
<style>html[data-theme=dark] {{ background: #14181e; color: #ced6dd }}
body {{ font-family: sans-serif; margin: 16px }}</style></head>
<body><main><h1>Chapter</h1>{checks}<h2>Quiz</h2>{quiz}</main></body></html>"""


def html(name):
    return quiz.quick_check(BANK, name)._repr_mimebundle_()["text/html"]


def test_as_plain_text_it_has_no_answer():
    shown = repr(quiz.quick_check(BANK, "posterior"))
    head, *_, box = shown.splitlines()
    assert head == "Quick check · Apply · a number"
    assert box == "  Your answer: ____"
    assert "10/109" not in shown


def test_it_has_no_title_of_a_bank_and_no_score():
    shown = html("posterior")
    assert BANK.title.split(":")[0] not in shown
    assert "quiz-progress" not in shown.split("</style>")[-1]
    assert re.search(r"<legend[^>]*><span>Quick check<", shown)
    assert 'id="check-sample-posterior"' in shown
    assert 'data-chapter="sample"' in shown


def test_its_anchor_has_hyphens_only():
    assert anchor("number_game", "size") == "check-number-game-size"


@pytest.mark.parametrize("name", NAMES)
def test_its_version_is_that_of_its_question(name):
    """The banks say which answers are outdated."""
    question = next(q for q in BANK.questions if q.id == name)
    assert f'data-version="{question.version}"' in html(name)


def test_one_that_is_not_there_is_named():
    with pytest.raises(QuizError, match="Did you mean `posterior`") as caught:
        quiz.quick_check(BANK, "posterio")
    assert "There are: bayes-rule, what-holds" in str(caught.value)
    with pytest.raises(QuizError, match="There is no bank of this name"):
        quiz.quick_check("no-such-chapter", "posterior")


def test_it_has_a_link_to_itself():
    linked = with_permalinks(html("posterior"))
    assert linked.count('href="#check-sample-posterior"') == 1
    assert 'aria-label="Link to Quick check 3"' in linked


# --- In a browser -----------------------------------------------------------


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a page with all questions as checks, and the quiz with them."""
    checks = "\n".join(f"<p>Text.</p>{html(name)}" for name in NAMES)
    shown = quiz.show(BANK)._repr_mimebundle_()["text/html"]
    page = tmp_path_factory.mktemp("checks") / "page.html"
    text = PAGE.format(checks=checks, quiz=shown)
    text = said_once(with_permalinks(text))  # as in the book
    assert text.count("function beginCheck(") == 1
    page.write_text(with_formulas_of_the_book(text), "utf-8")
    return page


def check(page, name):
    return page.locator(f"#check-sample-{name}")


def memory(page, name=STORE):
    return page.evaluate(
        "name => JSON.parse(localStorage.getItem(name))", name
    )


def test_a_reader_answers_before_the_reason_and_is_remembered(tab, path):
    with tab.visit(path) as page:
        single, number = check(page, "bayes-rule"), check(page, "posterior")
        expect(single.locator("details")).to_be_hidden()
        expect(single.locator(".quiz-reason:visible")).to_have_count(0)
        expect(single).to_contain_text("Quick check")
        # By keyboard alone: no choice, a wrong one, and the right one.
        keyboard = page.keyboard
        single.locator("input").first.focus()
        keyboard.press("Enter")
        expect(single.locator(".quiz-verdict")).to_contain_text("first.")
        expect(single.locator("details")).to_be_hidden()
        keyboard.press("ArrowDown")
        keyboard.press("Enter")
        verdict = single.locator(".quiz-verdict")
        expect(verdict).to_have_text(re.compile("Not this one|Right"))
        expect(single.locator(".quiz-reason:visible")).to_have_count(1)
        expect(single.locator("details")).to_be_visible()
        number.locator("input").fill("0.9")
        number.locator("input").press("Enter")
        expect(number).to_contain_text("the conditional the other way")
        record = memory(page)["posterior"]
        version = BANK.questions[NAMES.index("posterior")].version
        assert (record["version"], record["box"]) == (version, 1)
        assert (record["tries"], record["solved"]) == (1, False)
        # The quiz, whose questions are the same here, knows nothing of it.
        assert memory(page, "bayesbook:quiz:sample") is None
        expect(page.locator(".quiz-score")).to_contain_text("0 of 5")
        reload(page)
        expect(number.locator("input")).to_have_value("0.9")
        expect(number).to_contain_text("the conditional the other way")
        number.get_by_role("button", name="Try again").click()
        number.locator("input").fill("10/109")
        number.locator("input").press("Enter")
        expect(number.locator(".quiz-verdict")).to_have_text("✓ Right.")
        record = memory(page)["posterior"]
        assert (record["tries"], record["solved"]) == (2, True)
        assert set(memory(page)) == {"bayes-rule", "posterior"}
        # What is stored may be of another wording, or no record at all.
        page.evaluate(
            """name => localStorage.setItem(name, JSON.stringify(
                {posterior: {version: "old", tries: 1, given: "0.9"},
                 "bayes-rule": 7}))""",
            STORE,
        )
        reload(page)
        expect(number.locator("input")).to_have_value("")
        expect(single.locator(":checked")).to_have_count(0)
        assert tab.faults == []


def test_everybody_can_use_it(tab, path):
    """Names, light, dark and narrow, paper, and its address."""
    with tab.visit(path, NARROW[0]) as page:
        group = page.get_by_role("group", name=re.compile("Quick check 3"))
        expect(group).to_have_count(1)
        button = group.get_by_role("button", name="Check quick check 3")
        expect(button).to_have_count(1)
        button.click()
        assert accessibility_problems(page, NO_COLOURS) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= NARROW[0]["width"]
        page.set_viewport_size(WIDE)
        page.evaluate(
            """() => {
                const all = (css, act) =>
                    document.querySelectorAll(css).forEach(act);
                all(".bayesbook-check [type=text]", box => box.value = "1");
                all(".bayesbook-check li:first-child input",
                    input => input.click());
                all(".bayesbook-check .quiz-check", button => button.click());
            }"""
        )
        expect(page.locator(".bayesbook-check [data-state]")).to_have_count(5)
        stand_still(page)
        for theme in ("light", "dark"):
            page.evaluate(
                "theme => document.documentElement.dataset.theme = theme",
                theme,
            )
            assert accessibility_problems(page, COLOURS_ONLY) == []
        page.emulate_media(media="print")
        form = check(page, "posterior")
        expect(form.locator(".quiz-prompt")).to_be_visible()
        expect(form.locator(".quiz-check")).to_be_hidden()
        page.emulate_media(media="screen")
        form.locator(".headerlink").click()
        assert page.url.endswith("#check-sample-posterior")
        expect(page.locator(":target")).to_contain_text("One person in a")
        assert tab.faults == []


def test_without_a_script_question_and_answer_can_be_read(chromium, path):
    page = chromium.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    form = check(page, "posterior")
    expect(form.locator(".quiz-prompt")).to_be_visible()
    expect(form.get_by_role("button")).to_have_count(0)
    details = form.locator("details")
    expect(details).not_to_have_attribute("open", "")
    details.locator("summary").click()
    expect(details).to_contain_text("10/109 ≈ 0.09174 ✓ Right")
    expect(page.locator(".bayesbook-check .quiz-idle").first).to_be_visible()
    page.close()
