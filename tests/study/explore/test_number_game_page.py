"""The explorable of the number game in a browser: places, keys, clicks."""

import re

import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_number_game import (
    NUMBERS,
    STATES,
    plugged,
    predictions,
    state_of,
    truth_of,
)
from study.explore.test_page import see
from study.quiz.test_page import tab_to

# Which of the given points lie in the filled squares, and on the bars.
INSIDE = """
([state, squares, bars]) => {
  const find = css => document.querySelector(`.bayesbook-explore ${css}`);
  for (const [name, value] of Object.entries(state)) {
    find(`[name=${name}]`).value = value;
    find(`[name=${name}]`).dispatchEvent(new Event("input"));
  }
  find("input[name]").dispatchEvent(new Event("change"));
  const belongs = find("[data-drawn=belongs]");
  const isFilled = ([x, y]) => belongs.isPointInFill(new DOMPoint(x, y));
  const isBar = ([name, x, y]) =>
    find(`[data-drawn=${name}]`).isPointInStroke(new DOMPoint(x, y));
  return [squares.map(isFilled), bars.map(isBar)];
}
"""


def test_squares_and_bars_end_where_they_should(visit):
    page = visit("number-game")
    for state in STATES[::6]:
        _, posterior = truth_of(state)
        belongs, after = predictions(posterior)
        squares, bars, expected = [], [], ([], [])
        for x, p in zip(NUMBERS, belongs, strict=True):
            left = 120 * ((x - 1) % 10) - 100
            end = 120 * ((x - 1) // 10) + 20 - 120 * float(p)
            squares += [(left + 60, end + 1), (left + 60, end - 1)]
            # What is nearly empty or full ends at a neighbour.
            expected[0].extend([120 * p > 1, False])
            if not 2 < 120 * p < 118:
                del squares[-2:], expected[0][-2:]
        for name, chances, down in (
            ("average", after, -1),
            ("plug_in", plugged(posterior), 1),
        ):
            for x, p in zip(NUMBERS, chances, strict=True):
                end = 440 + down * 800 * float(p)
                bars.append((name, 10 * x - 5, end + down))
                expected[1].append(False)
                if 800 * p > 1:
                    bars.append((name, 10 * x - 5, end - down))
                    expected[1].append(True)
        found = page.evaluate(INSIDE, [state, squares, bars])
        assert found == [*expected], state


def test_rows_are_as_long_as_the_posterior(visit):
    asked = STATES[::3]
    page = visit("number-game")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        _, posterior = truth_of(state)
        for row, p in zip(range(1, 12), posterior.values(), strict=False):
            left, _, right, _ = seen["boxes"][f"bar_{row}"]
            assert right - left == pytest.approx(1000 * float(p), abs=4)
            assert seen["drawn"][f"row_{row}"]["class"] == ""
        for row in range(len(posterior) + 1, 12):
            assert seen["drawn"][f"row_{row}"]["class"] == "unused"


def test_numbers_are_typed_and_what_follows_is_spoken(visit):
    page = visit("number-game")
    first, second = (
        page.get_by_label(f"{rank} number") for rank in ("1st", "2nd")
    )
    expect(first).to_have_value("16")
    tab_to(page, first)
    page.keyboard.type("8")
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(second).to_have_value("2")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("After 8, 2, 5 of the 32 concepts are")
    expect(said).to_contain_text("Solved.")
    expect(page).to_have_url(re.compile(r"\?x1=8&x2=2&x3=0&.*&weak=0$"))
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    expect(said).to_contain_text("After 8, 9 of the 32 concepts are")
    expect(second).to_have_value("")
    page.get_by_label("3rd number").fill("101")
    expect(page.get_by_label("3rd number")).to_have_value("100")
    page.get_by_role("button", name="Back to the start").click()
    expect(first).to_have_value("16")
    expect(page.get_by_label("3rd number")).to_have_value("")
    expect(page).to_have_url(re.compile("#explore-number-game$"))


def test_numbers_are_clicked_and_taken_back(visit):
    page = visit("number-game")
    second = page.get_by_label("2nd number")
    square = page.locator("[data-drawn=n23]")
    square.click()
    expect(second).to_have_value("23")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("only one of the 32 concepts is consistent")
    square.click()
    expect(second).to_have_value("")
    expect(said).to_contain_text("After 16, 10 of the 32 concepts are")
    for x in (2, 4, 8, 32, 64):
        page.locator(f"[data-drawn=n{x}]").click()
    expect(page.get_by_label("6th number")).to_have_value("64")
    expect(page.locator("[data-written=full]")).to_contain_text("All six")
    page.locator("[data-drawn=n99]").click()
    expect(page.get_by_label("6th number")).to_have_value("99")


def test_the_address_shows_numbers_and_sampling(visit):
    page = visit(
        "number-game", address="explore-number-game?x1=2&x3=32&x6=64&weak=1"
    )
    expect(page.get_by_label("1st number")).to_have_value("2")
    expect(page.get_by_label("2nd number")).to_have_value("")
    expect(page.get_by_label("sampling")).to_have_value("1")
    expect(page.locator(".explore-solved:visible")).to_have_count(1)
    page.get_by_label("sampling").select_option("0")
    expect(page.locator("[data-written=name_1]")).to_have_text("powers of 2")


def test_the_page_knows_when_tasks_are_solved(visit):
    asked = [
        state_of([64, 2]),
        state_of([1]),
        state_of([32, 4, 2], 1),
        state_of([32, 2]),
        state_of([1], 1),
        state_of([4, 8, 2], 1),
    ]
    solved = [seen["solves"] for seen in see(visit("number-game"), asked)]
    assert solved == [["powers"], ["tied"], ["weak"], [], [], []]
    assert {*ALL["number-game"].tasks} == {"powers", "tied", "weak"}
