"""A quiz in a real browser: by mouse, by keyboard, and without a script."""

import re

import pytest
import yaml
from browsing import (
    accessibility_problems,
    reload,
    with_formulas_of_the_book,
)
from looking import COLOURS_ONLY, NO_COLOURS
from playwright.sync_api import expect
from study.quiz.sample import TEXT
from study.quiz.shown import (
    HEALTHY,
    LIKELY,
    RAISES,
    Asked,
    answer_some,
    score,
    write,
)

from bayesbook.study import quiz
from bayesbook.study.quiz.pages import html


def test_before_anything_is_answered(show):
    page = show()
    expect(score(page)).to_have_text("0 of 5 answered correctly")
    expect(page.locator("details:visible")).to_have_count(0)
    expect(page.locator(".quiz-reason:visible")).to_have_count(0)
    expect(page.get_by_role("button", name="Check")).to_have_count(5)
    expect(page.get_by_role("button", name="Start over")).to_be_hidden()


def test_a_wrong_choice_says_why_it_is_wrong_and_no_more(show):
    asked = Asked(show(), "bayes-rule").choose(r"\(P(B \mid A)\)").check()
    expect(asked.verdict).to_have_text("✗ Not this one.")
    expect(asked.reasons).to_have_count(1)
    expect(asked.reasons).to_contain_text("transposes")
    expect(asked.details).to_be_visible()
    expect(asked.details).not_to_have_attribute("open", "")


def test_a_right_choice_says_why_it_is_right(show):
    page = show()
    asked = Asked(page, "bayes-rule").choose(r"\,P(A)").check()
    expect(asked.verdict).to_have_text("✓ Right.")
    expect(asked.reasons).to_contain_text("Both sides times")
    expect(score(page)).to_have_text(
        "1 of 5 answered correctly, 1 at the first try"
    )


def test_a_second_try_counts_but_not_as_the_first(show):
    page = show()
    asked = Asked(page, "bayes-rule").choose(r"\(P(B \mid A)\)").check()
    # The same answer once more is no second try.
    asked.form.locator("input:checked").press("Enter")
    asked.again()
    expect(asked.form.locator(":checked")).to_have_count(0)
    expect(asked.form.locator("input").first).to_be_focused()
    asked.choose(r"\,P(A)").check()
    expect(score(page)).to_have_text("1 of 5 answered correctly")


def test_what_was_solved_stays_solved(show):
    page = show()
    asked = Asked(page, "posterior").type("0.092").again().type("0.9")
    expect(asked.verdict).to_have_text("✗ Not this value.")
    expect(score(page)).to_have_text(
        "1 of 5 answered correctly, 1 at the first try"
    )


def test_a_new_choice_silences_the_old_verdict(show):
    asked = Asked(show(), "bayes-rule").choose(r"\(P(B \mid A)\)").check()
    expect(asked.checks).to_be_hidden()
    asked.choose(r"\,P(A)")
    expect(asked.verdict).to_be_empty()
    expect(asked.reasons).to_have_count(0)
    expect(asked.checks).to_be_visible()


def test_a_verdict_on_an_option_can_be_heard(show):
    page = show()
    Asked(page, "what-holds").choose(HEALTHY, LIKELY).check()
    for text, mark in ((HEALTHY, "right"), (LIKELY, "wrong")):
        name = re.compile(rf"{text}.*, {mark}$")
        expect(page.get_by_role("checkbox", name=name)).to_have_count(1)
    Asked(page, "what-holds").again()
    marked = page.get_by_role("checkbox", name=re.compile("(right|wrong)$"))
    expect(marked).to_have_count(0)


def test_check_goes_when_it_has_been_used(show):
    asked = Asked(show(), "bayes-rule").choose(r"\,P(A)")
    expect(asked.form.get_by_role("button")).to_have_count(1)
    asked.checks.dblclick()  # by a habit that some people have
    expect(asked.verdict).to_have_text("✓ Right.")
    expect(asked.checks).to_be_hidden()
    asked.again()
    expect(asked.checks).to_be_visible()
    expect(asked.form.get_by_role("button")).to_have_count(1)


def test_check_keeps_the_focus_of_the_keyboard(show):
    page = show()
    asked = Asked(page, "bayes-rule")
    tab_to(page, asked.form.locator("input").first)
    page.keyboard.press("Space")
    tab_to(page, asked.checks)
    page.keyboard.press("Enter")
    expect(asked.checks).to_be_focused()
    expect(asked.checks).to_be_disabled()
    page.keyboard.press("Tab")
    expect(asked.checks).to_be_hidden()
    expect(page.locator(":focus")).to_contain_text("Try again")


def test_no_choice_is_no_try(show):
    page = show()
    for name in ("bayes-rule", "what-holds", "posterior"):
        asked = Asked(page, name).check()
        expect(asked.verdict).to_contain_text("first.")
        expect(asked.details).to_be_hidden()
    expect(page.get_by_role("button", name="Start over")).to_be_hidden()


def test_several_choices(show):
    asked = Asked(show(), "what-holds").choose(HEALTHY, LIKELY).check()
    expect(asked.verdict).to_have_text(
        "✗ Not yet. 1 of the 2 you chose is right. At least one more is right."
    )
    expect(asked.reasons).to_have_count(1)
    expect(asked.reasons).to_contain_text("base rate")
    asked.choose(LIKELY).check()
    expect(asked.verdict).to_have_text(
        "✗ Not yet. The one you chose is right. At least one more is right."
    )
    expect(asked.reasons).to_have_count(0)
    asked.choose(RAISES).check()
    expect(asked.verdict).to_have_text("✓ Right: these, and no others.")
    expect(asked.reasons).to_have_count(2)
    asked.choose(LIKELY).check()
    expect(asked.verdict).to_have_text(
        "✗ Not yet. 2 of the 3 you chose are right."
    )


def test_a_right_number_in_many_forms(show):
    asked = Asked(show(), "posterior")
    for typed in (".092", "0,0917", "9.17%", "9.17 %", "9.2e-2", "10/109"):
        asked.type(typed)
        expect(asked.verdict).to_have_text("✓ Right.")
        expect(asked.reasons).to_contain_text("0.0917")
        asked.again()


@pytest.mark.parametrize(
    ("typed", "why"), [("90%", "other way"), ("9/1000", "divide it")]
)
def test_a_common_wrong_number_is_diagnosed(show, typed, why):
    asked = Asked(show(), "posterior").type(typed)
    expect(asked.verdict).to_have_text("✗ Not this value.")
    expect(asked.reasons).to_have_count(1)
    expect(asked.reasons).to_contain_text(why)


def test_another_wrong_number_gets_a_hint(show):
    asked = Asked(show(), "posterior").type("0.5")
    expect(asked.verdict).to_contain_text("Not this value. Write down")
    expect(asked.reasons).to_have_count(0)


def test_what_is_no_number_is_no_try(show):
    page = show()
    asked = Asked(page, "posterior").type("one in eleven")
    expect(asked.verdict).to_contain_text("cannot be read as one number")
    expect(asked.details).to_be_hidden()
    expect(asked.box).to_have_attribute("aria-invalid", "true")
    asked.type("0.092")
    expect(asked.box).to_have_attribute("aria-invalid", "false")
    expect(score(page)).to_have_text(
        "1 of 5 answered correctly, 1 at the first try"
    )


@pytest.mark.parametrize("typed", ["9.17", "9,2", "90"])
def test_a_sign_that_was_forgotten_is_asked_for(show, typed):
    asked = Asked(show(), "posterior").type(typed)
    expect(asked.verdict).to_have_text(
        f"✗ Not this value. If you mean per cent, type the sign: {typed}%."
    )
    expect(asked.reasons).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "typed"),
    [("posterior", "917/100"), ("posterior", "5"), ("share", "981")],
)
def test_a_sign_that_does_not_help_is_not_asked_for(show, name, typed):
    asked = Asked(show(TEXT.replace("value: 0.009", "value: 0")), name)
    asked.type(typed)
    expect(asked.verdict).to_contain_text("Not this value. Write down")


def test_a_number_in_per_cent(show):
    asked = Asked(show(), "share")
    for typed in ("9.81", "9.81 %", "9.81%"):
        asked.type(typed)
        expect(asked.verdict).to_have_text("✓ Right.")
        asked.again()


def put_in_order(asked, press):
    """Sort the steps with the buttons, as one does by hand."""
    wanted = ["Write", "Multiply", "Sum", "Divide"]
    for place, word in enumerate(wanted):
        at = next(
            i for i, text in enumerate(asked.steps()) if text.startswith(word)
        )
        step = asked.form.locator(".quiz-step", has_text=word)
        for _ in range(at - place):
            press(step.get_by_role("button", name="Move up"))


def test_steps_by_mouse(show):
    page = show()
    asked = Asked(page, "by-hand").check()
    expect(asked.verdict).to_have_text("✗ Not yet. Another one comes first.")
    expect(asked.reasons).to_have_count(0)
    put_in_order(asked, lambda button: button.click())
    expect(asked.verdict).to_be_empty()
    asked.check()
    expect(asked.verdict).to_have_text("✓ Right, in this order.")
    expect(asked.reasons).to_contain_text("one before")


def test_steps_that_stand_right_are_counted(show):
    asked = Asked(show(), "by-hand")
    put_in_order(asked, lambda button: button.click())
    last = asked.form.locator(".quiz-step").last
    last.get_by_role("button", name="Move up").click()
    asked.check()
    expect(asked.verdict).to_contain_text("The first 2 stand right")


def test_a_moved_step_keeps_the_focus(show):
    page = show()
    asked = Asked(page, "by-hand")
    down = asked.form.locator(".quiz-step").nth(1).locator("button").last
    name = down.get_attribute("id")
    down.focus()
    page.keyboard.press("Enter")
    focused = page.locator(":focus")
    moved = asked.form.locator(".quiz-moved")
    assert focused.get_attribute("id") == name
    expect(moved).to_have_text("Now in place 3 of 4.")
    page.keyboard.press("Space")
    # At the end, "down" has no further use: "up" takes over.
    expect(moved).to_have_text("Now in place 4 of 4.")
    assert focused.get_attribute("id") == name.replace("down", "up")


def tab_to(page, target):
    """Press Tab until the target has the focus, as a reader would."""
    for _ in range(60):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not reach it.")


def test_everything_by_keyboard_alone(show):
    page = show()
    keyboard = page.keyboard
    single = Asked(page, "bayes-rule")
    tab_to(page, single.form.locator("input").first)
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    keyboard.press("Enter")
    expect(single.verdict).to_have_text("✓ Right.")

    several = Asked(page, "what-holds")
    for text in (HEALTHY, RAISES):
        tab_to(page, several.form.get_by_label(text))
        keyboard.press("Space")
    tab_to(page, several.form.locator(".quiz-check"))
    keyboard.press("Enter")
    expect(several.verdict).to_contain_text("✓ Right")
    tab_to(page, several.form.locator("summary"))
    keyboard.press("Enter")
    expect(several.details).to_have_attribute("open", "")

    number = Asked(page, "posterior")
    tab_to(page, number.box)
    keyboard.type("10/109")
    keyboard.press("Enter")
    expect(number.verdict).to_have_text("✓ Right.")

    ordering = Asked(page, "by-hand")

    def press(button):
        button.focus()
        keyboard.press("Space")

    put_in_order(ordering, press)
    tab_to(page, ordering.form.locator(".quiz-check"))
    keyboard.press("Space")
    expect(ordering.verdict).to_contain_text("✓ Right")
    expect(score(page)).to_have_text(
        "4 of 5 answered correctly, 4 at the first try"
    )


def test_plain_keys_stay_in_the_quiz(show):
    """A notebook has commands on keys that are needed here."""
    page = show()
    page.evaluate(
        "heard = []; document.addEventListener("
        "'keydown', event => heard.push(event.key))"
    )
    page.locator("input[type=radio]").first.focus()
    for key in ("ArrowDown", "x", "Enter", "Control+k"):
        page.keyboard.press(key)
    assert page.evaluate("heard") == ["Control", "k"]


def test_a_script_that_runs_twice_changes_nothing(show):
    page = show()
    asked = Asked(page, "posterior").type("0.9")
    names = page.evaluate("Object.keys(window).length")
    page.evaluate(
        """() => {
          const old = document.querySelector(".bayesbook-quiz script");
          const copy = document.createElement("script");
          copy.textContent = old.textContent;
          old.replaceWith(copy);
        }"""
    )
    expect(asked.verdict).to_have_text("✗ Not this value.")
    asked.type("0.092")
    expect(score(page)).to_have_text("1 of 5 answered correctly")
    assert page.evaluate("Object.keys(window).length") == names


def test_one_quiz_shown_twice_is_two(show):
    bank = quiz.parse(TEXT, "sample.yml")
    page = show(more=html(bank))
    first, second = (page.locator(".bayesbook-quiz").nth(n) for n in (0, 1))
    first.locator("input[type=radio]").first.check()
    second.locator("input[type=radio]").last.check()
    expect(first.locator("input[type=radio]").first).to_be_checked()


def test_one_quiz_shown_twice_has_one_memory(show):
    page = show(more=html(quiz.parse(TEXT, "sample.yml")))
    boxes = page.locator(".quiz-number input")
    for at, text in ((0, "0.092"), (3, "9.81")):  # two in each copy
        boxes.nth(at).fill(text)
        boxes.nth(at).press("Enter")
    reload(page)
    said = "2 of 5 answered correctly, 2 at the first try"
    expect(score(page)).to_have_text([said, said])


def test_without_a_script_all_can_be_read(chromium, tmp_path):
    page = chromium.new_page(java_script_enabled=False)
    write(tmp_path / "page.html", html(quiz.parse(TEXT, "sample.yml")))
    page.goto((tmp_path / "page.html").as_uri())
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator(".quiz-option:visible")).to_have_count(7)
    expect(page.locator("details:visible")).to_have_count(5)
    # A reader opens them; here, the contents are in the document.
    answer = page.locator("#quiz-sample-posterior details")
    answer.locator("summary").click()
    expect(answer).to_contain_text("10/109 ≈ 0.09174 ✓ Right")
    expect(answer).to_contain_text("0.009 ✗ Wrong")
    box = page.get_by_label("Your answer").first
    box.fill("0.5")
    box.press("Enter")  # must not send the page away
    expect(answer).to_have_attribute("open", "")


def test_groups_and_controls_have_names(show):
    page = show()
    group = page.get_by_role("group", name="Question 3 of 5 Apply")
    expect(group).to_have_count(1)
    expect(group).to_have_accessible_name(re.compile("One person in a hund"))
    expect(group.get_by_role("textbox")).to_have_accessible_name("Your answer")
    expect(
        page.get_by_role("button", name="Move up Divide each product")
    ).to_have_count(1)
    expect(
        page.get_by_role("button", name="Check question 3", exact=True)
    ).to_have_count(1)


@pytest.mark.parametrize(
    ("theme", "width", "rules"),
    [
        ({}, 320, NO_COLOURS),
        ({}, 1200, None),
        ({"root": "data-theme=dark"}, 1200, COLOURS_ONLY),
        ({"body": "data-jp-theme-light=false"}, 320, COLOURS_ONLY),
    ],
    ids=["light-320", "light-1200", "dark-1200", "jupyterlab-dark-320"],
)
def test_accessible_in_every_theme_and_width(show, theme, width, rules):
    page = show(viewport={"width": width, "height": 900}, **theme)
    for state in ("fresh", "answered"):
        if state == "answered":
            answer_some(page)
            for summary in page.locator("summary:visible").all():
                summary.click()
        assert accessibility_problems(page, rules) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width


def test_maths_is_typeset_and_prose_is_not(tab, tmp_path):
    path = tmp_path / "page.html"
    shown = html(quiz.parse(TEXT, "sample.yml"))
    write(path, with_formulas_of_the_book(shown))
    with tab.visit(path) as page:
        prompt = page.locator("#quiz-sample-what-holds_prompt")
        expect(prompt.locator(".katex")).to_have_count(0)
        expect(prompt).to_contain_text("A test costs $5. It finds 90%")
        expect(prompt).to_contain_text("# $not maths$")
        assert page.locator(".quiz-option .katex").count() == 3
        asked = Asked(page, "posterior").type("10/109")
        expect(asked.reasons.locator(".katex-html")).to_be_visible()


def names(page, role):
    """Return the names of elements as Chromium tells them to a reader."""
    tools = page.context.new_cdp_session(page)
    tree = tools.send("Accessibility.getFullAXTree")
    return [
        node["name"]["value"]
        for node in tree["nodes"]
        if node.get("role", {}).get("value") == role
    ]


@pytest.mark.parametrize(
    ("tex", "spoken"),
    [
        (r"\beta = \frac{1}{52}", "β = 1 over 52"),
        (r"\dfrac{a + b}{c}", "(a + b) over c"),
        (r"\sqrt{n - 1}", "root of (n − 1)"),
        ("x^{10}", "x superscript 10"),
        ("x_i^2", "x i superscript 2"),
        (r"p(x) > 0.3", "p ( x ) > 0.3"),
    ],
)
def test_a_formula_that_names_a_control_is_spoken(tab, tmp_path, tex, spoken):
    data = yaml.safe_load(TEXT)
    for question in data["questions"]:
        question["prompt"] = f"Is ${tex}$ it?"
    choice, *_, order = data["questions"]
    choice["options"][0]["text"] = f"It is ${tex}$"
    order["steps"][0]["text"] = f"With ${tex}$"
    path = tmp_path / "page.html"
    shown = html(quiz.parse(yaml.safe_dump(data), "sample.yml"))
    write(path, with_formulas_of_the_book(shown))
    with tab.visit(path) as page:
        for role, name in (
            ("radio", f"It is {spoken}"),
            ("button", f"Move up With {spoken}"),
            ("group", f"Is {spoken} it?"),
        ):
            assert any(found.endswith(name) for found in names(page, role))
        assert accessibility_problems(page) == []


def test_a_formula_that_comes_later_is_spoken_too(show):
    """As in JupyterLab, which typesets an output when it is shown."""
    page = show()
    text = page.locator("#quiz-sample-bayes-rule .quiz-text").first
    text.evaluate(
        "node => node.innerHTML = '<math><msqrt><mn>2</mn></msqrt></math>'"
    )
    expect(text.locator("math")).to_have_attribute("aria-label", "root of 2")
    assert any(name.endswith("root of 2") for name in names(page, "radio"))
