"""The explorable of hidden Markov models in a browser: places and clicks."""

import re

import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_hidden_markov import (
    AROUND,
    HOURS,
    SEEN,
    state_of,
    tasks_of,
    truth_of,
)
from study.explore.test_page import PHONE, see
from study.quiz.test_page import tab_to

FRAME = """
() => {
  const {x, y, width, height} =
    document.querySelector("path.explore-frame").getBBox();
  return [x, y, x + width, y + height];
}
"""
# What of a lid is seen: its cross, its dash; whether it is filled.
LOOKS = """
() => [...document.querySelectorAll(".explore-lid")].map(lid => {
  const [cross, dash] = [...lid.querySelectorAll("path")].map(
    path => getComputedStyle(path).visibility === "visible");
  const {fill, stroke} = getComputedStyle(lid.querySelector("circle"));
  return [cross, dash, fill === stroke];
})
"""


def test_what_is_drawn_lies_where_it_should(visit):
    page = visit("hidden-markov")
    assert page.evaluate(FRAME) == [20, 0, 980, 700]
    asked = SEEN[::2]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        truth, boxes = truth_of(state), seen["boxes"]
        until, now = state["until"], truth["now"]
        for name, values, half in (
            ("squares", truth["filter"], 20),
            ("discs", now[:until], 22),
        ):
            heights = [700 * (1 - float(p)) for p in values]
            ends = (
                100 - half,
                min(heights) - half,
                160 * until - 60 + half,
                max(heights) + half,
            )
            assert boxes[name] == pytest.approx(ends, abs=1.5), (state, name)
        if until < 6:
            left, top, right, bottom = boxes["future"]
            assert (left, right) == pytest.approx(
                (160 * until + 20, 980), abs=1
            )
            assert (top, bottom) == pytest.approx((0, 700), abs=1)
        for s, p in enumerate(now, 1):
            for name, share, y in (("fine", 1 - p, 550), ("worn", p, 150)):
                r = 58 * float(share) ** 0.5
                if r < 1:  # so small a disc may have no place on the screen
                    continue
                x = 160 * s - 60
                box = boxes[f"{name}_{s}"]
                assert box == pytest.approx(
                    (x - r, y - r, x + r, y + r), abs=1
                )


def test_lids_are_told_apart_without_colour(visit):
    page = visit("hidden-markov")
    see(page, [state_of("GFUGFU")])
    good, faulty, untested = page.evaluate(LOOKS)[:3]
    assert good == [False, False, False]
    assert faulty == [True, False, True]
    assert untested == [False, True, False]


def test_words_in_the_pictures_stay_apart_and_inside(visit):
    page = visit("hidden-markov")
    see(page, [state_of("GGFFFG", 70, 70), state_of("FFFFFF", 100, 100)])
    crowded = page.evaluate(
        """() => [...document.querySelectorAll("svg")].flatMap(svg => {
          const texts = [...svg.querySelectorAll("text")].filter(
            text => text.textContent);
          const boxes = texts.map(text => text.getBBox());
          const inside = ({x, y, width, height}) => x >= -130 && y >= -130
            && x + width <= 1130 && y + height <= 1130;
          const apart = (a, b) => a.x + a.width < b.x || b.x + b.width < a.x
            || a.y + a.height * 0.8 < b.y || b.y + b.height * 0.8 < a.y;
          return texts.filter((_, i) => !inside(boxes[i]) || boxes.some(
            (box, j) => j < i && !apart(box, boxes[i]))).map(
            text => text.textContent);
        })"""
    )
    assert crowded == []


def test_keys_change_a_lid_and_the_hour(visit):
    page = visit("hidden-markov")
    said = page.locator("[aria-live=polite]")
    slider = page.get_by_role("slider", name="lids known until hour")
    tab_to(page, slider)
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("worn in hour 4 with probability 0.190")
    expect(said).to_contain_text("The newest lid reverses no verdict.")
    button = page.get_by_role("button", name="Lid of hour 4: good.")
    tab_to(page, button)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("worn in hour 4 with probability 0.679")
    button = page.get_by_role("button", name="Lid of hour 4: faulty.")
    expect(button).to_be_focused()
    page.keyboard.press("Space")
    expect(said).to_contain_text("worn in hour 4 with probability 0.413")
    expect(page).to_have_url(
        re.compile("stickiness=25&reliability=75&until=4&x1=0&x2=1&.*&x4=2&")
    )
    page.reload()
    expect(page.locator("[data-written=x4]").last).to_have_text("untested")
    page.get_by_role("button", name="Back to the start").click()
    expect(page.locator("[data-written=x4]").last).to_have_text("good")
    expect(page).to_have_url(re.compile("#explore-hidden-markov$"))


def test_clicks_in_the_picture_choose_the_hour_and_change_lids(visit):
    page = visit("hidden-markov")
    now = page.locator("[data-written=now_6]")
    page.locator(".explore-column").nth(5).click()
    expect(page.locator("[data-written=until]")).to_have_text("6")
    expect(now).to_have_text(f"{float(truth_of(state_of())['now'][5]):.3f}")
    page.locator(".explore-column").nth(0).click()
    expect(page.locator("[data-written=until]")).to_have_text("1")
    expect(page.locator("[data-written=now_1]")).to_have_text("0.143")
    first = page.locator("[data-drawn=lid_1]")
    first.click()
    expect(page.locator("[data-written=now_1]")).to_have_text("0.600")
    first.click()
    expect(page.locator("[data-written=now_1]")).to_have_text("0.333")
    first.click()
    expect(page.locator("[data-written=now_1]")).to_have_text("0.143")


def test_a_finger_changes_lids(chromium, visit):
    address = visit("hidden-markov").url
    context = chromium.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address)
    page.locator("[data-drawn=lid_2]").tap()
    lid = page.locator("[data-written=x2]").last
    expect(lid).to_have_text("untested")
    page.locator(".explore-column").nth(4).tap()
    expect(page.locator("[data-written=until]")).to_have_text("5")
    small = page.locator(".explore-lid circle, .explore-column").evaluate_all(
        """nodes => nodes.map(node => node.getBoundingClientRect()).filter(
          ({width, height}) => Math.min(width, height) < 24).length"""
    )
    assert small == 0
    context.close()


@pytest.mark.parametrize("task", AROUND)
def test_the_page_knows_when_tasks_are_solved(visit, task):
    solving, others = AROUND[task]
    asked = [*solving, *others]
    found = [seen["solves"] for seen in see(visit("hidden-markov"), asked)]
    assert [task in some for some in found] == (
        [True] * len(solving) + [False] * len(others)
    )
    assert [tuple(some) for some in found] == [*map(tasks_of, asked)]
    assert {*ALL["hidden-markov"].tasks} == {*AROUND}


def test_a_solved_task_is_spoken(visit):
    page = visit("hidden-markov")
    for name, value in (
        ("stickiness of the state", 70),
        ("reliability of a lid", 60),
        ("lids known until hour", 2),
    ):
        page.get_by_role("slider", name=name).fill(str(value))
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("worn in hour 2 with probability")
    expect(page.locator(".explore-solved:visible")).to_have_count(0)
    page.get_by_role("button", name="Lid of hour 1: good.").click()
    expect(said).to_contain_text("worn in hour 2 with probability 0.500")
    expect(said).to_contain_text("Solved. Let the filter say exactly one half")
    expect(page.locator(".explore-solved:visible")).to_have_count(1)


def test_what_is_impossible_is_refused_and_passed_over(visit):
    page = visit(
        "hidden-markov",
        address="explore-hidden-markov?stickiness=100&until=6&x2=0&x3=0&x5=0",
    )
    slider = page.get_by_role("slider", name="reliability of a lid")
    slider.fill("100")
    expect(page.locator("[data-written=reliability]")).to_have_text("1.00")
    lid = page.locator("[data-written=x1]").last
    page.locator("[data-drawn=lid_1]").click()
    # Faulty is passed over: the other lids are good.
    expect(lid).to_have_text("untested")
    refused = page.locator(".explore-refused")
    expect(refused).to_contain_text("good and faulty lids cannot both occur")
    page.get_by_role("button", name="Lid of hour 2: good.").click()
    expect(refused).to_contain_text("good and faulty lids cannot both occur")
    expect(page.locator("[data-written=x2]").last).to_have_text("good")


def test_each_hour_has_what_is_before_and_after_the_newest_lid(visit):
    """What a screen reader reads, row by row."""
    page = visit("hidden-markov")
    see(page, [state_of("GFFFUU", 85, 75, 4)])
    rows = page.locator(".explore-messages tbody tr")
    assert rows.count() == len(HOURS)
    cells = rows.nth(0).locator("td").all_inner_texts()
    before, now = map(float, cells[-2:])
    assert before < 0.5 < now
    heads = page.locator(".explore-messages thead th").all_inner_texts()
    assert [head.split("\n")[0] for head in heads][-2:] == [
        "without newest lid",
        "with it",
    ]
