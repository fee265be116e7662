"""The explorable of votes in a browser: places, keys, what is said."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_naive_bayes import (
    FEE,
    NAMES,
    ONCE,
    STATES,
    state_of,
    truth_of,
)
from study.explore.test_page import see
from study.quiz.test_page import tab_to

FEES = f"v{FEE + 1}"


def test_bars_end_where_they_should(visit):
    asked = STATES[::2]
    page = visit("naive-bayes")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        adds, z, posterior = truth_of(state)
        values = dict(zip(NAMES, adds, strict=True)) | {"sum": z}
        for name, value in values.items():
            # An empty bar has no place on the screen.
            if np.isnan(value) or abs(value) < 0.1:
                continue
            left, _, right, _ = seen["boxes"][f"bar_{name}"]
            end = 500 + 50 * np.clip(value, -10, 10)
            assert (left, right) == pytest.approx(sorted((500, end)), abs=4)
        if posterior is not None and posterior > 0.01:
            left, _, right, _ = seen["boxes"]["posterior"]
            found = left, right
            assert found == pytest.approx((0, 1000 * float(posterior)), abs=4)


def test_a_vote_is_counted_by_keys_and_what_follows_is_spoken(visit):
    page = visit("naive-bayes")
    more = page.get_by_role(
        "button", name="physician fee freeze: count it once more"
    )
    times = page.locator(f"[data-written=times_{FEES}]")
    said = page.locator("[aria-live=polite]")
    tab_to(page, more)
    page.keyboard.press("Enter")
    expect(times).to_have_text("×2")
    expect(said).to_contain_text("16 are counted, 17 times in all")
    expect(said).to_contain_text("names the wrong party")
    page.keyboard.press("Space")
    expect(times).to_have_text("×3")
    expect(said).to_contain_text("names the right party")
    expect(said).to_contain_text("Solved.")
    expect(page).to_have_url(re.compile(rf"member=0&few=0&.*&{FEES}=3&"))
    page.reload()
    expect(times).to_have_text("×3")
    for _ in range(4):
        more.click()
    expect(times).to_have_text("×5")
    page.get_by_role("button", name="Back to the start").click()
    expect(times).to_have_text("×1")
    expect(page).to_have_url(re.compile("#explore-naive-bayes$"))


def test_a_vote_that_is_left_out_adds_nothing(visit):
    page = visit("naive-bayes")
    less = page.get_by_role("button", name="crime: count it once less")
    less.click()
    less.click()
    place = NAMES[13]
    expect(page.locator(f"[data-written=times_{place}]")).to_have_text("×0")
    expect(page.locator(f"[data-written=adds_{place}]")).to_have_text("0.00")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("15 are counted, 15 times in all")


def test_without_smoothing_there_may_be_no_posterior(visit):
    page = visit("naive-bayes", address="explore-naive-bayes?few=1&beta=0")
    for member in range(4):
        page.get_by_label("member who is judged").select_option(str(member))
        _, _, posterior = truth_of(state_of(member, 1, 0))
        text = "undefined" if posterior is None else f"{float(posterior):.4f}"
        expect(page.locator("[data-written=p]")).to_have_text(text)


def test_the_page_knows_when_tasks_are_solved(visit):
    thrice = [3 if i == FEE else 1 for i in range(16)]
    adds, *_ = truth_of(state_of())
    against = sorted(range(16), key=adds.__getitem__)[:7]
    without = [int(i not in against) for i in range(16)]
    once_more = [int(i not in against[:6]) for i in range(16)]
    asked = [
        state_of(counts=thrice),
        state_of(counts=without),
        state_of(1, 1, 63),
        state_of(few=1, counts=thrice),
        state_of(counts=once_more),
        state_of(1, 1, 64, ONCE),
    ]
    solved = [seen["solves"] for seen in see(visit("naive-bayes"), asked)]
    assert solved == [["copy"], ["leave"], ["smooth"], [], [], []]
    assert {*ALL["naive-bayes"].tasks} == {"copy", "leave", "smooth"}
