"""Quizzes, drills and step-throughs of the pages, worked in a browser."""

import re
from dataclasses import dataclass

import pytest
from browsing import reload, with_formulas_of_the_book
from looking import (
    CHAPTER,
    NARROW,
    keep_only,
    maths_problems,
    problems_when_dark,
    problems_when_light,
    scrolls_sideways,
    style,
    switch_theme,
)
from playwright.sync_api import expect

from bayesbook.study import quiz, stepper

QUIZ = ".bayesbook-quiz[data-chapter]:not(.bayesbook-check)"


@dataclass
class Answer:
    """What is given to a question, and what the bank has to say on it."""

    state: str
    given: list[str]
    reasons: list[str]


def right_answer(question):
    match question:
        case quiz.Choice():
            options = [option for option in question.options if option.right]
            return Answer(
                "right",
                [option.text for option in options],
                [option.why for option in options],
            )
        case quiz.Numeric():
            return Answer("right", [question.answer], [question.why])
        case quiz.Order():
            steps = [step.text for step in question.steps]
            return Answer("right", steps, [question.why])


def wrong_answer(question):
    match question:
        case quiz.Choice():
            option = next(o for o in question.options if not o.right)
            return Answer("wrong", [option.text], [option.why])
        case quiz.Numeric():
            value = question.wrong[-1]
            return Answer("wrong", [value.value], [value.why])
        case quiz.Order():
            steps = [step.text for step in question.steps]
            return Answer("wrong", steps[::-1], [])


def bare(text):
    """Return a text without white space, quotes, signs of Markdown and TeX."""
    return re.sub(r"""[\s*`$\\"'“”‘’]""", "", text)


def said(places):
    """Return what elements say, formulas as they were written."""
    texts = places.evaluate_all(
        """nodes => {
            const text = node => node.className === "katex"
                ? node.querySelector("annotation").textContent
                : node.firstChild ? [...node.childNodes].map(text).join("")
                                  : node.textContent;
            return nodes.map(text);
        }"""
    )
    return [bare(text) for text in texts]


class Mouse:
    def __init__(self, page):
        self.page = page

    def press(self, button):
        button.click()

    def choose(self, option):
        option.click()

    def type(self, box, text):
        box.click()
        self.page.keyboard.type(text)


class Keyboard:
    def __init__(self, page):
        self.page = page
        page.locator(".quiz-title").focus()

    def reach(self, control):
        """Go on with Tab, and with an arrow from one radio to the next."""
        for _ in range(60):
            where = control.evaluate(
                """node => {
                    const at = document.activeElement;
                    if (at === node) return "there";
                    const radio = at.type === "radio" && at.name === node.name;
                    return radio ? "ArrowDown" : "Tab";
                }"""
            )
            if where == "there":
                return
            self.page.keyboard.press(where)
        pytest.fail(f"The keyboard does not reach {control}.")

    def press(self, button):
        self.reach(button)
        self.page.keyboard.press("Enter")

    def choose(self, option):
        self.reach(option.locator("input"))
        if not option.locator("input").is_checked():  # an arrow checks
            self.page.keyboard.press("Space")

    def type(self, box, text):
        self.reach(box)
        self.page.keyboard.type(text)


def give(hand, form, answer):
    """Answer a question; which control is meant, the bank's texts say."""
    given = [bare(text) for text in answer.given]
    match form.get_attribute("data-kind"):
        case "single" | "multiple":
            texts = said(form.locator(".quiz-option .quiz-text"))
            for text in given:
                option = form.locator(".quiz-option").nth(texts.index(text))
                hand.choose(option)
        case "number":
            hand.type(form.locator("input"), answer.given[0])
        case "order":
            for place, text in enumerate(given):
                texts = said(form.locator(".quiz-step > .quiz-text"))
                for at in range(texts.index(text), place, -1):
                    step = form.locator(".quiz-step").nth(at)
                    hand.press(step.locator("[data-move='-1']"))
    hand.press(form.locator(".quiz-check"))


def shown_answers(page):
    """Return the score, and of each question its state and its reasons."""
    return page.locator(".quiz-score").inner_text(), [
        (
            form.get_attribute("data-state"),
            sorted(said(form.locator(".quiz-reason:visible > div"))),
        )
        for form in page.locator(f"{QUIZ} .quiz-question").all()
    ]


@pytest.mark.parametrize(
    ("hand", "answers", "first"),
    [
        (Mouse, [wrong_answer, right_answer], ""),
        (Keyboard, [right_answer, wrong_answer], ", 4 at the first try"),
    ],
)
def test_the_quiz_answers_as_the_bank_says(tab, site, hand, answers, first):
    bank = quiz.load("events")
    of_each_kind = {question.kind: question for question in bank.questions}
    asked = sorted(of_each_kind.values(), key=bank.questions.index)
    assert len(asked) == 4
    with tab.visit(site / CHAPTER) as page:
        keep_only(page, QUIZ)
        hand = hand(page)
        for question in asked:
            form = page.locator(f"#quiz-events-{question.id}")
            for answer in [make(question) for make in answers]:
                if form.get_attribute("data-state"):
                    hand.press(form.locator(".quiz-again"))
                give(hand, form, answer)
                reasons = said(form.locator(".quiz-reason:visible > div"))
                assert form.get_attribute("data-state") == answer.state
                assert sorted(reasons) == sorted(map(bare, answer.reasons))
        before = shown_answers(page)
        total = len(bank.questions)
        assert before[0] == f"4 of {total} answered correctly{first}"
        reload(page)
        assert shown_answers(page) == before
        assert tab.faults == []


def test_a_drill_brings_another_question_from_its_bank(tab, site):
    with tab.visit(site / CHAPTER) as page:
        drill = page.locator(".bayesbook-drill").first
        button = drill.get_by_role("button", name="Another question")
        button.focus()
        page.keyboard.press("Enter")
        group = drill.locator("fieldset:focus")
        expect(group).to_contain_text(re.compile(r"Question \d+ · Apply"))
        drill.locator("summary").click()
        formula = drill.locator(".quiz-explanation .katex-html").first
        expect(formula).to_be_visible()
        assert maths_problems(page) == []
        assert tab.faults == []


def test_a_quiz_fits_a_phone(tab, broken):
    shown = broken(quiz.render.html(quiz.load("events")))
    with tab.visit(shown, NARROW[0]) as page:
        up, down = page.locator(".quiz-moves").first.locator("button").all()
        assert up.bounding_box()["y"] < down.bounding_box()["y"]
        assert not scrolls_sideways(page)


def test_code_in_a_quiz_has_the_colour_of_its_text(tab, broken):
    html = quiz.render.html(quiz.load("events"))
    shown = broken(html.replace("</header>", "<code>x</code></header>"))
    with tab.visit(shown) as page:
        [text] = style(page, ".quiz-head", "color")
        assert style(page, ".quiz-head code", "color") == [text]


def test_progress_does_not_need_the_colours_of_the_page(tab, broken):
    shown = broken(quiz.render.html(quiz.load("events")))
    with tab.visit(shown) as page:
        page.emulate_media(forced_colors="active")
        [line] = style(page, ".quiz-pips i", "borderTopStyle")
        page.emulate_media(forced_colors="none")
    assert line == "solid"


# --- A step-through ---------------------------------------------------------


def test_a_step_through_has_the_look_of_its_page(tab, broken):
    line = {"line": ([0, 1], [0, 1])}
    frames = [
        stepper.Frame(title, line, text=r"Of slope $\frac{2}{2}$.")
        for title in ("One", "Two")
    ]
    shown = stepper.show("lines", frames, x_label="x", y_label="y")
    html = with_formulas_of_the_book(shown._repr_mimebundle_()["text/html"])
    output = (
        '<div class="cell_output"><div class="output text_html">'
        f"{html}</div></div>"
    )
    with tab.visit(broken(output)) as page:
        root = page.locator(".bayesbook-stepper")
        root.get_by_role("button", name="Next").click()
        said = root.locator(".stepper-said")
        expect(said).to_contain_text("Two")
        expect(said.locator(".katex-html")).to_be_visible()
        switch_theme(page, "dark")
        grounds = {
            style(page, part, "backgroundColor")[0]
            for part in ("body", ".bayesbook-stepper")
        }
        assert len(grounds) == 1
        switch_theme(page, "light")
        assert problems_when_light(page) == []
        assert problems_when_dark(page) == []
        page.set_viewport_size(NARROW[0])
        assert not scrolls_sideways(page)
        assert tab.faults == []


def test_a_wrong_answer_names_the_section_to_read(tab, site):
    with tab.visit(site / "book/preparation/refresher.html") as page:
        form = page.locator("#quiz-refresher-slope")
        box = form.get_by_label("Your answer")
        hint = form.locator(".quiz-read")
        expect(hint).to_be_hidden()
        box.fill("3.25")  # which no reason is about
        box.press("Enter")
        expect(hint).to_have_text("Read again: Derivatives and integrals.")
        expect(hint).to_be_visible()
        hint.get_by_role("link").click()
        expect(page).to_have_url(re.compile("#sec-refresher-derivatives$"))
        form.get_by_role("button", name="Try again").click()
        box.fill("-2")
        box.press("Enter")
        expect(hint).to_be_hidden()
        assert tab.faults == []
