"""Drills in a real browser: from the disk, by keyboard, without a script."""

import re
from contextlib import ExitStack
from itertools import pairwise

import pytest
from browsing import (
    PATIENCE,
    WIDE,
    accessibility_problems,
    reload,
)
from drill_banks import with_banks, with_sections
from formulas import KATEX
from looking import COLOURS_ONLY, NO_COLOURS, unfold
from playwright.sync_api import expect
from study.drills.banks import bank
from study.quiz.test_page import tab_to, write

from bayesbook.study import drills
from bayesbook.study.drills.render import html

SIZE = 10  # questions of a kind on these pages: one in each of its files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with small banks, and KaTeX."""
    made = tmp_path_factory.mktemp("site")
    (made / "_static").mkdir()
    (made / "_static" / KATEX.name).symlink_to(KATEX)
    (made / "drills").mkdir()
    for kind in drills.KINDS:
        for name, script in drills.bank_scripts(kind, 1).items():
            (made / "drills" / f"{name}.js").write_text(script)
    return made


def body_of(*asked, banks=True):
    drawn = [drills.show(*each) for each in asked]
    shown = "".join(html(each.drill, each.families) for each in drawn)
    return with_banks(shown, "") if banks else shown


@pytest.fixture
def show(tab, folder):
    """Open a page that shows drills; no console error may come of it."""
    with ExitStack() as visits:

        def show(*asked, banks=True, root="", body="", viewport=WIDE):
            path = folder / "page.html"
            write(path, body_of(*asked, banks=banks), root, body)
            return visits.enter_context(tab.visit(path, viewport))

        yield show
        assert tab.faults == []


def another(page, at=0):
    """Ask for another question, and wait until it is there."""
    before = page.locator("form").nth(at).get_attribute("id")
    page.get_by_role("button", name="Another question").nth(at).click()
    expect(page.locator(f"#{before}")).to_have_count(0)
    return shown(page, at)


# Clicks in one go, as Playwright looks anew for the button of each click.
CLICK_ON = """
async ([places, patience]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const shown = [];
  for (const at of places) {
    const drill = document.querySelectorAll(".bayesbook-drill")[at];
    const before = drill.querySelector("form").id;
    const end = performance.now() + patience;
    drill.querySelector(".drill-next").click();
    while (document.getElementById(before)) {
      if (performance.now() > end) throw Error(`${before} stays.`);
      await frame();
    }
    shown.push(drill.querySelector("form").id);
  }
  return shown;
}
"""


def others(page, places):
    """Ask for others in the drills at some places, one after the other."""
    return page.evaluate(CLICK_ON, [[*places], PATIENCE])


def shown(page, at=0):
    return page.locator("form").nth(at).get_attribute("id")


def answer_of(form):
    """Find the drill that a form shows."""
    name, seed = re.fullmatch(r"drill-(.*)-(\d+)", form).groups()
    kind = max(filter(name.startswith, drills.KINDS), key=len)
    family = name.removeprefix(kind).removeprefix("-") or None
    return drills.question(kind, int(seed), family)


def test_a_number_by_keyboard_wrong_then_right(show):
    page = show(("bayes", 1))
    drill, keyboard = drills.question("bayes", 1), page.keyboard
    form = page.locator("form")
    box = form.get_by_label("Your answer")
    tab_to(page, box)
    keyboard.type(drill.question.wrong[0].value)
    keyboard.press("Enter")
    expect(form.locator(".quiz-verdict")).to_have_text("✗ Not this value.")
    reason = form.locator(".quiz-reason:visible")
    expect(reason).to_contain_text("This is the likelihood")
    keyboard.press("Control+a")
    keyboard.type(drill.answer)
    keyboard.press("Enter")
    expect(form.locator(".quiz-verdict")).to_have_text("✓ Right.")


def test_options_by_keyboard(show):
    page = show(("equivalence", 1))
    drill, keyboard = drills.question("equivalence", 1), page.keyboard
    form = page.locator("form")
    texts = [text.split(") ")[1] for text in drill.answer]
    for text in texts:
        tab_to(page, form.get_by_label(text, exact=False).first)
        keyboard.press("Space")
    tab_to(page, form.locator(".quiz-check"))
    keyboard.press("Enter")
    expect(form.locator(".quiz-verdict")).to_contain_text("✓ Right")


def test_the_explanation_opens_before_any_answer(show):
    page = show(("bayes", 1))
    summary = page.locator("summary")
    expect(summary).to_be_visible()
    tab_to(page, summary)
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-explanation")).to_be_visible()
    expect(page.locator(".quiz-explanation")).to_contain_text("By counting.")


def test_another_question_by_keyboard(show):
    page = show(("bayes", 1))
    tab_to(page, page.locator(".drill-next"))
    page.keyboard.press("Enter")
    group = page.locator("fieldset:focus")
    expect(group).to_have_count(1)
    # Whoever listens hears the number, and the question.
    expect(group).to_have_accessible_name(
        re.compile(r"^Question \d+ Apply .*What is the probability")
    )
    drill = answer_of(shown(page))
    tab_to(page, page.get_by_label("Your answer"))
    page.keyboard.type(drill.answer)
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-verdict")).to_have_text("✓ Right.")


def test_no_question_comes_twice_before_all_have_come(show):
    page = show(("bayes", 1))
    first = [shown(page), *others(page, [0] * (SIZE - 1))]
    wanted = {f"drill-bayes-{drill.seed}" for drill in bank("bayes")[:SIZE]}
    assert set(first) == wanted
    # Then it begins anew, but never with the one that is shown.
    seen = [shown(page), *others(page, [0] * 2 * SIZE)]
    assert len(seen) == 1 + 2 * SIZE
    assert all(before != after for before, after in pairwise(seen))


def test_the_order_is_another_for_another_reader(show):
    page = show(("total-probability", 99))
    orders = set()
    for _ in range(4):
        reload(page)
        orders.add(tuple(others(page, [0] * SIZE)))
    assert len(orders) > 1


def test_two_drills_of_a_kind_share_the_bank(show):
    page = show(("bayes", 98), ("bayes", 99))
    seen = others(page, [0, 1] * (SIZE // 2))
    assert len(set(seen)) == SIZE


def test_a_drill_of_a_family_stays_with_it(show):
    page = show(("update", 1, "gaussian"), ("predict", 2, "gamma-poisson"))
    families = [answer_of(form).family for form in others(page, [0, 1] * 6)]
    assert families == ["gaussian", "gamma-poisson"] * 6
    assert {
        name.rpartition("-")[0]
        for name in page.evaluate("Object.keys(bayesbookDrills)")
    } == {"update-gaussian", "predict-gamma-poisson"}


@pytest.mark.parametrize("kind", drills.KINDS)
def test_every_kind_has_others(show, kind):
    page = show((kind, 1))
    drill = answer_of(another(page))
    assert drill.kind == kind
    expect(page.locator("form legend")).to_contain_text(
        f"Question {drill.seed}"
    )


def test_nothing_is_fetched_before_it_is_asked_for(show):
    page = show(("bayes", 1), ("equivalence", 1))
    assert page.evaluate("window.bayesbookDrills") is None
    another(page)
    # A second one, if the first has only the question that is there already.
    banks = page.evaluate("Object.keys(bayesbookDrills)")
    assert banks
    assert all(bank.startswith("bayes-") for bank in banks)


def test_a_bank_is_used_up_before_another_is_fetched(tab, tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / KATEX.name).symlink_to(KATEX)
    (tmp_path / "drills").mkdir()
    for name, script in drills.bank_scripts("bayes", 2).items():
        (tmp_path / "drills" / f"{name}.js").write_text(script)
    write(tmp_path / "page.html", body_of(("bayes", 99)))
    with tab.visit(tmp_path / "page.html") as page:
        for fetched in (1, 1, 2, 2, 3):
            another(page)
            assert (
                page.evaluate("Object.keys(bayesbookDrills).length") == fetched
            )


RECORD = "JSON.parse(localStorage.getItem('bayesbook:drill:bayes')).all"


def test_wrong_answers_get_hints_and_the_first_one_is_remembered(tab, folder):
    """First what to look at, then the first step, then the solution."""
    find = {"sec-bayes": ("events.html#sec-bayes", "Bayes’ rule")}.get
    body = with_sections(body_of(("bayes", 1)), find)
    write(folder / "hints.html", body)
    drill = drills.question("bayes", 1)
    look, step = (hint.split(" ")[-1].strip("*.") for hint in drill.hints)
    with tab.visit(folder / "hints.html") as page:
        box, shown = page.get_by_label("Your answer"), ".quiz-hint:visible"

        def answer(typed):
            box.fill(typed)
            box.press("Enter")
            return page.locator(shown).all_inner_texts()

        assert page.locator(shown).count() == 0
        first, read = answer("0.123")
        assert "What to look at" in first
        assert look in first
        assert read == "Read again: Bayes’ rule."
        link = page.get_by_role("link", name="Bayes’ rule")
        assert link.get_attribute("href") == "events.html#sec-bayes"
        record = page.evaluate(RECORD)
        day = page.evaluate("Math.floor(Date.now() / 864e5)")
        assert record["box"] == 1
        assert record["due"] == day + 1
        assert (record["tries"], record["solved"]) == (1, 0)
        # What cannot be read is not a try; hints stay.
        assert len(answer("a half")) == 2
        second = answer("0.124")
        assert "The first step" in second[1]
        assert step in second[1]
        assert "worked explanation" in answer("0.125")[2]
        assert accessibility_problems(page) == []
        assert answer(drill.answer) == []
        # A later answer to the same question is no news.
        assert page.evaluate(RECORD) == record
        # As if a day had passed: what is not due moves to no other box.
        page.evaluate(
            "([all, due]) => localStorage.setItem('bayesbook:drill:bayes', "
            "JSON.stringify({all: {...all, due}}))",
            [record, day],
        )
        form = another(page)
        assert answer(answer_of(form).answer) == []
        record = page.evaluate(RECORD)
        assert record["box"] == 2
        assert record["due"] == day + 2
        assert (record["tries"], record["solved"]) == (2, 1)
        assert "given" in record
        assert "version" in record


def test_without_a_bank_the_way_to_others_is_the_seed(show):
    page = show(("separation", 4), banks=False)
    expect(page.get_by_role("button", name="Another")).to_have_count(0)
    expect(page.locator(".drill-hint")).to_contain_text(
        'drills.show("separation", seed=5)'
    )
    expect(page.get_by_role("button", name="Check")).to_be_visible()


def test_a_missing_bank_is_said(tab, tmp_path):
    path = tmp_path / "page.html"
    write(path, body_of(("bayes", 1)))
    with tab.visit(path) as page:
        page.get_by_role("button", name="Another question").click()
        expect(page.get_by_role("status")).to_have_text(
            "The other questions cannot be loaded."
        )
        assert shown(page) == "drill-bayes-1"
        [fault] = {fault.split(":")[0] for fault in tab.faults} - {"console"}
        assert fault == "missing"


def test_a_script_that_runs_twice_changes_nothing(show):
    page = show(("bayes", 1))
    page.evaluate(
        """() => {
          const old = document.querySelector(".bayesbook-drill script");
          const copy = document.createElement("script");
          copy.textContent = old.textContent;
          old.replaceWith(copy);
        }"""
    )
    assert len({shown(page), another(page), another(page)}) == 3


@pytest.fixture(scope="module")
def scriptless(chromium):
    """Return a page without scripts, as to open one takes longest."""
    page = chromium.new_page(java_script_enabled=False)
    yield page
    page.close()


@pytest.mark.parametrize("kind", drills.KINDS)
def test_without_a_script_all_can_be_read(scriptless, folder, kind):
    page = scriptless
    write(folder / "page.html", body_of((kind, 1)))
    page.goto((folder / "page.html").as_uri())
    name = drills.question(kind, 1).question.id
    expect(page.locator("form")).to_have_id(f"drill-{name}")
    expect(page.get_by_role("button")).to_have_count(0)
    page.locator("summary").click()
    expect(page.locator(".quiz-explanation")).to_be_visible()
    expect(page.locator(".quiz-reasons")).to_be_visible()


def test_graphs_are_named(show):
    page = show(("separation", 1), ("equivalence", 1))
    for kind in ("separation", "equivalence"):
        picture = page.locator(f"#drill-{kind}-1_prompt").get_by_role("img")
        expect(picture).to_have_accessible_name(re.compile(r"Graph: \w → \w"))
    # What the text of an option says is not said twice.
    options = page.locator("#drill-equivalence-1 .quiz-option")
    expect(options.get_by_role("img")).to_have_count(0)
    expect(options.locator("svg")).to_have_count(4)


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
    asked = [(kind, 99) for kind in drills.KINDS]
    page = show(*asked, viewport={"width": width, "height": 900}, **theme)
    for state in ("fresh", "answered", "another"):
        if state == "answered":
            unfold(page)
            verdicts = page.locator(".quiz-verdict:not(:empty)")
            expect(verdicts).to_have_count(len(asked))
        if state == "another":
            page.locator(".drill-next").evaluate_all(
                "buttons => buttons.forEach(button => button.click())"
            )
            expect(page.locator("form[id$='-99']")).to_have_count(0)
        assert accessibility_problems(page, rules) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width


def test_the_maths_of_another_question_is_typeset(show):
    page = show(("total-probability", 1))
    another(page)
    expect(page.locator("fieldset:focus")).to_have_count(1)
    page.locator("summary").click()
    formula = page.locator(".quiz-explanation .katex-html").first
    expect(formula).to_be_visible()
    expect(page.locator(".katex-error")).to_have_count(0)
    assert r"\mathbb" not in page.locator("form").inner_text()


def test_no_line_begins_with_what_belongs_to_a_formula(show):
    """As in the text of the pages: a comma stays with its formula."""
    page = show(*[("total-probability", seed) for seed in range(1, 9)])
    others(page, range(8))
    page.evaluate(
        """() => document.querySelectorAll("details")
            .forEach(details => details.open = true)"""
    )
    apart = page.evaluate(
        r"""() => [...document.querySelectorAll(".katex")].filter(
            formula => !formula.closest(".katex-display")
        ).map(formula => {
            const joined = formula.closest(".book-joined");
            return [joined?.previousSibling?.data ?? "",
                joined ? joined.textContent.at(-1) : "alone",
                joined?.nextSibling?.data ?? ""];
        })"""
    )
    assert len(apart) > 10
    ends = {end for _before, end, _after in apart}
    assert "alone" not in ends
    assert {".", ","} & ends
    for before, _end, after in apart:
        assert not before.endswith(("(", "[", "“"))
        assert not after.startswith((",", ".", ":", ";", ")", "?", "-"))
