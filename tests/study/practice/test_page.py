"""The page Practice in a real browser: chosen, answered, judged, printed."""

import json
from contextlib import ExitStack
from itertools import chain

import pytest
import quickjs
from browsing import WIDE, accessibility_problems, carried
from bs4 import BeautifulSoup
from formulas import KATEX
from looking import COLOURS_ONLY
from playwright.sync_api import expect
from study.quiz.test_page import tab_to, write

from bayesbook.study import quiz, worksheet
from bayesbook.study.practice import bank
from bayesbook.study.practice.page import Chapter, html
from bayesbook.study.quiz.pages import asset
from bayesbook.study.quiz.questions import Choice, Numeric
from bayesbook.study.quiz.shuffling import draw_evenly, random_key

PARTS = {
    "Part I": [("events", "Events"), ("d_separation", "d-separation")],
    "Part II": [("risk", "Risk")],
}
BANKS = {
    name: quiz.load(name)
    for chapters in PARTS.values()
    for name, _ in chapters
}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a page Practice of three chapters, with what lies beside it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "katex").symlink_to(KATEX)
    (folder / "banks").mkdir()
    for name, each in BANKS.items():
        (folder / "banks" / f"{name}.js").write_text(bank.bank_script(each))
    index = bank.index_script([*BANKS.values()])
    (folder / "banks" / "index.js").write_text(index)
    parts = [
        (title, [Chapter(n, t, "1.", f"{n}.html") for n, t in chapters])
        for title, chapters in PARTS.items()
    ]
    sections = {
        label: (f"{name}.html#{label}", f"About {label}")
        for name, each in BANKS.items()
        for label in sections_of(each)
    }
    content = html(parts, "banks", "katex", sections)
    write(folder / "page.html", f'<article class="bd-article"><div>{content}')
    return folder / "page.html"


def sections_of(quiz):
    return {q.section for q in quiz.questions if q.section}


@pytest.fixture
def show(tab, path):
    """Open the page with an address; no fault may come of it."""
    with ExitStack() as visits:

        def show(address="", viewport=WIDE, memory=None):
            page = visits.enter_context(tab.visit(path, viewport))
            stored = {
                name: json.dumps(records)
                for name, records in (memory or {}).items()
            }
            page.goto("about:blank")
            with carried(page, stored):
                page.goto(f"{path.as_uri()}#{address}")
            expect(page.locator(".practice-choice")).to_be_visible()
            return page

        yield show
        assert tab.faults == []


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def drawn(page):
    """Return the chapters and ids of a run's questions, in their order."""
    expect(page.locator(".practice-stage form").first).to_be_attached()
    names = page.locator(".practice-stage form").evaluate_all(
        "forms => forms.map(form => form.id)"
    )
    known = {
        f"practice-{name.replace('_', '-')}-{q.id}": (name, q.id)
        for name, each in BANKS.items()
        for q in each.questions
    }
    return [known[name] for name in names]


def of_python(*arguments, **named):
    sheet = worksheet(*arguments, **named)
    return [(each.chapter, each.question.id) for each in sheet.questions]


# --- The same in both -------------------------------------------------------


@pytest.fixture(scope="module")
def script():
    context = quickjs.Context()
    context.eval(asset("selection.js", "bayesbook.study.practice"))
    return context


@pytest.mark.parametrize("length", [0, 1, 47, 48, 49, 55, 56, 64, 119, 200])
def test_the_script_hashes_as_python_does(script, length):
    """At the lengths at which a text needs another block, too."""
    name = ("events/two-aces " * 13)[:length]
    hashed = script.eval(f"sha256({json.dumps(f'7:{name}')})")
    assert hashed == random_key(name, 7)


def test_page_and_python_draw_the_same_for_many_seeds(script):
    names = {
        name: [question.id for question in each.questions]
        for name, each in BANKS.items()
    }
    there_are = sum(map(len, names.values()))
    cases = [(seed * 7919, seed % (there_are + 2)) for seed in range(100)]
    found = script.eval(
        f"JSON.stringify({json.dumps(cases)}.map(([seed, size]) =>"
        f"drawEvenly({json.dumps(names)}, size, String(seed))))"
    )
    for (seed, size), pairs in zip(cases, json.loads(found), strict=True):
        assert [*map(tuple, pairs)] == draw_evenly(names, size, seed)


def test_the_page_shows_what_python_draws(show):
    address = "practice?chapters=risk.events&levels=apply.analyse&size=7&seed="
    page = show(f"{address}41")
    for seed in (41, 999_999_999, 0):
        page.locator("[name=seed]").fill(str(seed))
        press(page, "Practise")
        levels = ["apply", "analyse"]
        wanted = of_python(
            ["events", "risk"], levels=levels, size=7, seed=seed
        )
        assert drawn(page) == wanted
        press(page, "End here")
        press(page, "Back to the choice")
    # The order in the address is that of the book, and the seed a number.
    assert page.evaluate("location.hash") == (
        "#practice?chapters=events.risk&levels=apply.analyse&size=7&seed=0"
    )
    press(page, "Make a worksheet")
    call = page.locator(".sheet-call").inner_text()
    sheet = eval(call, {"study": type("", (), {"worksheet": worksheet})})
    assert call == sheet.call
    made = BeautifulSoup(sheet._repr_mimebundle_()["text/html"], "html.parser")
    for css in (".sheet-selection", ".sheet-topic", ".sheet-key"):
        shown = page.locator(css).evaluate_all(
            "nodes => nodes.map(node => node.textContent)"
        )
        assert shown == [node.get_text() for node in made.select(css)]


# --- A run ------------------------------------------------------------------


def answer(page, question, right=True):
    """Answer the question that is shown, by the keyboard."""
    form = page.locator(".practice-stage form:visible")
    keyboard = page.keyboard
    match question:
        case Numeric():
            tab_to(page, form.locator("input"))
            value = question.answer if right else question.wrong[0].value
            keyboard.type(value)
            keyboard.press("Enter")
        case Choice():
            key = json.loads(
                page.evaluate(
                    "key => atob(key)", form.get_attribute("data-key")
                )
            )["right"]
            for at, is_right in enumerate(key):
                if is_right == right:
                    form.locator(".quiz-option input").nth(at).check()
            form.locator(".quiz-check").click()
    state = "right" if right else "wrong"
    expect(form).to_have_attribute("data-state", state)


@pytest.fixture(scope="module")
def numbers():
    """Return an address that draws numbers and choices only, and these."""
    for seed in range(100):
        sheet = worksheet(
            ["events", "d_separation", "risk"], size=4, seed=seed
        )
        questions = [each.question for each in sheet.questions]
        if all(isinstance(q, Choice | Numeric) for q in questions):
            return f"practice?size=4&seed={seed}", sheet.questions
    raise AssertionError("Every seed draws an order.")


def test_a_run_by_keyboard_its_result_and_the_memory(show, numbers):
    address, picked = numbers
    first, second, third, fourth = picked
    # The first was wrong before, and has been due since; an answer to another
    # version of the second counts as none.
    old = {"tries": 2, "solved": False, "given": None, "box": 1, "due": 20000}
    memory = {
        f"bayesbook:quiz:{each.chapter}": {
            q.question.id: {"version": version, **old}
            for q, version in (
                (first, first.question.version),
                (second, "0" * 12),
            )
            if q.chapter == each.chapter
        }
        for each in (first, second)
    }
    page = show(address, memory=memory)
    tab_to(page, page.get_by_role("button", name="Practise"))
    page.keyboard.press("Enter")
    group = page.locator("fieldset:focus")
    expect(group).to_have_count(1)
    expect(page.locator(".practice-stage legend:visible")).to_contain_text(
        "Question 1 of 4"
    )
    # The reasons wait for an answer, also where an old one is known.
    expect(page.locator(".quiz-answer:visible")).to_have_count(0)
    go_on = page.locator(".practice-next")
    expect(go_on).to_have_text("Skip")
    expect(page.locator(".practice-clock")).to_be_empty()
    answer(page, first.question)
    expect(page.locator(".quiz-answer:visible")).to_have_count(1)
    expect(go_on).to_have_text("Next question")
    tab_to(page, go_on)
    page.keyboard.press("Enter")
    answer(page, second.question, right=False)
    page.locator("form:visible .quiz-again").click()
    answer(page, second.question)
    expect(page.locator(".quiz-score")).to_have_text("2 of 4 right")
    go_on.click()
    answer(page, third.question, right=False)
    press(page, "Previous")
    expect(page.locator("form:visible")).to_have_attribute(
        "data-state", "right"
    )
    go_on.click()
    go_on.click()
    expect(go_on).to_have_text("See the result")
    go_on.click()
    expect(page.locator(".practice-summary")).to_have_text(
        "1 of 4 right at once, 1 more later, 1 not answered."
    )
    expect(page.locator("[data-view=result] .quiz-title")).to_be_focused()
    table = page.locator(".practice-table tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"
    )
    titles = dict(chain.from_iterable(PARTS.values()))
    outcomes = [(first, 1), (second, 2), (third, 3), (fourth, 3)]
    assert table == [
        [
            title,
            *(
                str(
                    sum(
                        each.chapter == name and at == column
                        for each, at in outcomes
                    )
                )
                for column in (1, 2, 3)
            ),
        ]
        for name, title in titles.items()
        if any(each.chapter == name for each in picked)
    ]
    missed = page.locator(".practice-list a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    assert missed == [
        f"{each.chapter}.html#{place}"
        for each in (second, third, fourth)
        for place in (
            f"quiz-{each.chapter.replace('_', '-')}-{each.question.id}",
            each.question.section,
        )
        if place
    ]
    assert any(each.question.section for each in (second, third, fourth))
    stored = {
        each.question.id: page.evaluate(
            "name => JSON.parse(localStorage.getItem(name)) ?? {}",
            f"bayesbook:quiz:{each.chapter}",
        ).get(each.question.id)
        for each in picked
    }
    seen = {
        name: record and (record["tries"], record["solved"], record["box"])
        for name, record in stored.items()
    }
    assert seen == {
        first.question.id: (3, True, 2),
        second.question.id: (2, True, 1),
        third.question.id: (1, False, 1),
        fourth.question.id: None,
    }
    # What was not right at once, again, and then as the memory selects it.
    press(page, "These again")
    again = [(each.chapter, each.question.id) for each in picked[1:]]
    assert drawn(page) == again
    expect(page.locator("form:visible")).not_to_have_attribute(
        "data-state", "wrong"
    )
    press(page, "End here")
    press(page, "Back to the choice")
    chosen = page.locator("[name=which]")
    there_are = sum(len(each.questions) for each in BANKS.values())
    for which, words in {
        "wrong": "There are only 2 questions: all of them come.",
        "due": "Nothing of this choice is due today.",
        "new": f"Drawn from {there_are - 3} questions.",
    }.items():
        chosen.select_option(which)
        expect(page.locator(".practice-count")).to_have_text(words)
        isnt = page.get_by_role("button", name="Practise")
        assert isnt.is_disabled() == (which == "due")
    chosen.select_option("wrong")
    press(page, "Practise")
    assert set(drawn(page)) == set(again[:2])
    assert "which=wrong" in page.evaluate("location.hash")


def test_the_clock_is_chosen_and_never_stops_anybody(show):
    page = show("practice?size=2&seed=1")
    page.locator("[name=clock]").select_option("left")
    page.get_by_label("Minutes").fill("1")
    page.evaluate("performance.now = () => window.later ?? 0")
    press(page, "Practise")
    clock = page.locator(".practice-clock")
    expect(clock).to_have_text("1:00 left")
    page.evaluate("window.later = 95_000")
    expect(clock).to_have_text("0:35 over time")
    expect(page.locator(".practice-called")).to_have_text(
        "The time is up. Take the time that you need."
    )
    expect(page.locator("form:visible")).to_have_count(1)
    press(page, "End here")
    expect(page.locator(".practice-summary")).to_contain_text(
        "Time used: 1:35."
    )


def test_the_choice_follows_ticks_and_refuses_what_is_none(show):
    page = show()
    ticked = page.locator("[name=chapter]:checked")
    count = page.locator(".practice-count")
    expect(ticked).to_have_count(3)
    expect(count).to_contain_text("Drawn from")
    press(page, "None")
    expect(count).to_have_text("Choose a chapter.")
    whole = page.get_by_label("Part I", exact=True)
    whole.check()
    expect(ticked).to_have_count(2)
    page.get_by_label("1. Events").uncheck()
    assert whole.evaluate("box => box.indeterminate")
    for size in ("0", "", "2.5", "-3"):
        page.locator("[name=size]").fill(size)
        expect(count).to_contain_text("Write a whole number from 1 on.")
        expect(page.locator(".practice-make")).to_be_disabled()
    page.locator("[name=size]").fill("99")
    there_are = len(BANKS["d_separation"].questions)
    only = f"There are only {there_are} questions: all of them come."
    expect(count).to_have_text(only)
    for seed in ("", "-1", "1234567890"):
        page.locator("[name=seed]").fill(seed)
        expect(count).to_contain_text("The seed is a whole number")
    press(page, "Another")
    expect(count).to_have_text(only)
    press(page, "Practise")
    assert len(drawn(page)) == there_are
    # What is fetched is what is needed.
    assert page.evaluate("Object.keys(bayesbookPractice)") == ["d_separation"]
    # An address that makes no sense chooses what it can.
    page.goto(page.url.split("#")[0] + "#practice?chapters=x&size=no&which=x")
    expect(ticked).to_have_count(3)
    expect(page.locator("[name=size]")).to_have_value("99")


@pytest.mark.parametrize(
    ("theme", "viewport", "rules"),
    [("light", WIDE, None), ("dark", PHONE, COLOURS_ONLY)],
)
def test_every_view_is_accessible_and_fits(show, theme, viewport, rules):
    page = show("practice?size=4&seed=5", viewport)
    page.evaluate(
        "theme => document.documentElement.dataset.theme = theme", theme
    )
    for view, buttons in {
        "choice": [],
        "run": ["Practise"],
        "result": ["End here"],
        "sheet": ["Back to the choice", "Make a worksheet"],
    }.items():
        for button in buttons:
            press(page, button)
        expect(page.locator(f"[data-view={view}]")).to_be_visible()
        assert accessibility_problems(page, rules) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= viewport["width"]
        assert page.locator(".katex-error").count() == 0


def test_a_printed_worksheet_has_nothing_but_itself(show):
    page = show("practice?size=3&seed=2")
    page.evaluate(
        """() => {
          document.documentElement.dataset.theme = "dark";
          window.print = () => (window.printed = true);
          const intro = document.createElement("p");
          intro.className = "intro";
          document.querySelector(".bayesbook-practice").before(intro, "...");
        }"""
    )
    press(page, "Make a worksheet")
    expect(page.locator(".sheet-title").first).to_be_focused()
    press(page, "Print")
    assert page.evaluate("printed")
    page.emulate_media(media="print")
    expect(page.locator(".intro")).to_be_hidden()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator(".sheet-questions > li")).to_have_count(3)
    solutions = page.locator(".sheet-solutions")
    expect(solutions).to_have_css("break-before", "page")
    for css in (".sheet-prompt", ".sheet-key", ".quiz-right .quiz-entry"):
        expect(page.locator(css).first).to_have_css("color", "rgb(0, 0, 0)")


def test_banks_that_are_missing_are_said(tab, tmp_path):
    write(tmp_path / "page.html", html([], "banks", "katex"))
    with tab.visit(tmp_path / "page.html") as page:
        expect(page.locator(".practice-status")).to_have_text(
            "The questions cannot be loaded."
        )
        expect(page.locator(".practice-choice")).to_be_hidden()


def test_without_a_script_a_sentence_says_what_would_be_here(chromium, path):
    page = chromium.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    expect(page.locator(".quiz-idle")).to_be_visible()
    call = page.locator(".quiz-idle code").inner_text()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator("form")).to_be_hidden()
    page.close()
    sheet = eval(call, {"study": type("", (), {"worksheet": worksheet})})
    assert len(sheet.questions) == 10
