"""The explorable of EM in a browser: places, keys, clicks on the map."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_dirichlet_multinomial_page import INSIDE, middle_of
from study.explore.test_em import (
    STATES,
    TOPS,
    at,
    bound_of,
    data_of,
    place_of,
    state_of,
    step_of,
    truth_of,
    value_along,
)
from study.explore.test_page import see
from study.quiz.test_page import tab_to


def middle(page, part):
    """Return where the middle of a part is on the screen."""
    box = page.locator(f"[data-drawn={part}]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_points_lie_where_the_loops_say(visit):
    page = visit("em")
    asked = STATES[::2]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        model, steps, boxes = state["model"], state["steps"], seen["boxes"]
        old, new, path = step_of(state)
        on_map = {"point": path[-1], "start": path[0]}
        if steps:
            on_map["next"] = new
        for name, each in on_map.items():
            found = middle_of(boxes[name])
            assert found == pytest.approx(at(model, each), abs=1), state
        values = [truth_of(model, *each)[1] for each in path]
        scale = max(TOPS[model][0] - values[0], 1) / 800
        _, y = middle_of(boxes["reached"])
        expected = 60 + (TOPS[model][0] - values[-1]) / scale
        assert y == pytest.approx(expected, abs=1)
        is_moved = steps > 0 and steps % 2 == 0
        x, _ = middle_of(boxes["here"])
        expected = place_of(model, old, new, new if is_moved else old)
        assert x == pytest.approx(expected, abs=1)
        _, top, _, bottom = boxes["gap"]
        ends = sorted(middle_of(boxes[name])[1] for name in ("here", "top"))
        if is_moved and ends[1] - ends[0] > 1:
            assert (top, bottom) == pytest.approx(ends, abs=1)
        else:
            assert bottom - top < 1.5


def test_curves_of_the_section_pass_through_the_truth(visit):
    page = visit("em")
    for state in STATES[::6]:
        old, new, _ = step_of(state)
        model, shares = state["model"], truth_of(state["model"], *old)[0]
        [seen] = see(page, [state])
        low, top = (
            float(seen["written"][name].replace("−", "-"))
            for name in ("low", "top")
        )
        drawn, missed = [], []
        for name, own in (("curve", None), ("bound", shares)):
            if name == "bound" and not state["steps"]:
                continue
            value = value_along(model, old, new, own)
            found = [
                int(x)
                for x, _ in re.findall(
                    r"(-?\d+) (-?\d+)", seen["drawn"][name]["d"]
                )
            ]
            for x in found[3:-3:6]:
                y = 60 + 820 * (top - value(x)) / (top - low)
                if y < 880:
                    drawn.append((name, x, y))
                    missed += [(name, x, y - 60), (name, x, y + 60)]
        _, here = page.evaluate(INSIDE, [state, [], drawn])
        assert here == [True] * len(drawn), state
        # Curves that are not steep are nowhere else.
        if model < 2 and state["steps"] and len(drawn) > 8:
            _, off = page.evaluate(INSIDE, [state, [], missed])
            assert not all(off)


def test_bars_are_filled_up_to_the_shares(visit):
    page = visit("em")
    for state in STATES[::8]:
        old, _, _ = step_of(state)
        model = state["model"]
        data, shares = data_of(model), truth_of(model, *old)[0]
        unit, first, wide = (90, 60, 110) if model < 2 else (26, 21, 1000 / 24)
        filled, expected = [], []
        for k in range(9 if model < 2 else 21):
            inside = [
                p
                for x, p in zip(data, shares, strict=True)
                if (x if model < 2 else int(4 * x)) == k
            ]
            mine, size = unit * sum(inside), unit * len(inside)
            for y in (mine - 3, mine + 3, size - 3, size + 3):
                if y <= 0:
                    continue
                place = first + wide * k, 880 - y
                names = ("of_a", "of_b") if state["steps"] else ("unknown",)
                for name in names:
                    if name == "unknown":
                        is_filled = y < size
                    elif abs(y - mine) < 2 or abs(y - size) < 2:
                        continue
                    else:
                        is_filled = (
                            y < mine if name == "of_a" else mine < y < size
                        )
                    filled.append((name, *place))
                    expected.append(bool(is_filled))
        found, _ = page.evaluate(INSIDE, [state, filled, []])
        assert found == expected, state


def test_buttons_make_steps_and_what_follows_is_spoken(visit):
    page = visit("em")
    said = page.locator("[aria-live=polite]")
    now = page.locator("[data-written=now]")
    m_step = page.get_by_role("button", name="M step", exact=True)
    e_step = page.get_by_role("button", name="E step", exact=True)
    tab_to(page, m_step)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Iteration 1, M step")
    expect(said).to_contain_text("lower by 4.410")
    page.keyboard.press("Enter")  # a second one changes nothing
    expect(now).to_contain_text("Iteration 1, M step")
    expect(m_step).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(said).to_contain_text("Iteration 2, E step")
    expect(said).to_contain_text("The new bound touches")
    expect(e_step).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Ten iterations").click()
    expect(said).to_contain_text("Iteration 12, E step")
    page.get_by_role("button", name="Undo a step").click()
    expect(now).to_contain_text("Iteration 11, M step")
    expect(page).to_have_url(
        re.compile(r"#explore-em\?model=0&a=95&b=60&steps=22&basins=0$")
    )
    page.reload()
    expect(now).to_contain_text("Iteration 11, M step")
    box = page.get_by_role("checkbox", name="colour the starts by their end")
    box.check()
    expect(said).to_contain_text("2: a = 0.352, b = 0.764")
    page.get_by_role("button", name="Undo all steps").click()
    expect(now).to_contain_text("The start: a = 0.950")
    page.get_by_role("button", name="Back to the start").click()
    expect(now).to_contain_text("Iteration 1, E step")
    expect(box).not_to_be_checked()
    expect(page).to_have_url(re.compile("#explore-em$"))


def test_keys_choose_the_model_and_the_start(visit):
    page = visit("em")
    choice = page.get_by_label("model")
    tab_to(page, choice)
    page.keyboard.press("End")
    slider = page.get_by_role("slider", name="a at the start")
    expect(slider).to_have_attribute("aria-valuetext", "5.70")
    tab_to(page, slider)
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "5.64")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("E step: a = 5.640, b = 3.600 stay")
    high = page.locator("[data-written=high]")
    expect(high).to_have_text(["6", "6"])


def test_a_click_on_the_map_places_the_start(visit):
    page = visit("em")
    for down, a, b in ((0.25, 30, 75), (0.6, 80, 40)):
        ground = page.locator(".explore-ground")
        ground.scroll_into_view_if_needed()
        box = ground.bounding_box()
        page.mouse.click(
            box["x"] + a / 100 * box["width"], box["y"] + down * box["height"]
        )
        found = [
            int(page.locator(f"[name={name}]").input_value()) for name in "ab"
        ]
        assert found == pytest.approx([a, b], abs=1)
        spot = np.array(middle(page, "start"))
        assert spot == pytest.approx(
            [
                box["x"] + a / 100 * box["width"],
                box["y"] + down * box["height"],
            ],
            abs=4,
        )


def test_a_pointer_drags_the_start_in_any_direction(visit):
    page = visit("em")
    page.locator(".explore-ground").scroll_into_view_if_needed()
    x, y = middle(page, "start")
    wide = page.locator(".explore-ground").bounding_box()["width"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 0.4 * wide, y - 0.2 * wide, steps=5)
    page.mouse.up()
    found = [
        int(page.locator(f"[name={name}]").input_value()) for name in "ab"
    ]
    assert found == pytest.approx([55, 80], abs=1)
    # Over the edge it stays on the map.
    x, y = middle(page, "start")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 2 * wide, y + 0.1 * wide, steps=5)
    page.mouse.up()
    expect(page.locator("[name=a]")).to_have_value("1")


def test_at_the_saddle_the_bound_has_its_maximum_and_em_stays(visit):
    page = visit("em")
    state = state_of(0, 30, 30, 4)
    [seen] = see(page, [state])
    text = seen["written"]["bound"]
    assert text.endswith("Neither a nor b has moved by 0.0005.")
    old, new, _ = step_of(state)
    shares = truth_of(0, *old)[0]
    for away in (-0.05, 0.05):
        beside = new[0] + away, new[1] - away
        assert truth_of.__wrapped__(0, *beside)[1] > truth_of(0, *new)[1]
        assert bound_of(0, shares, *beside) < truth_of(0, *new)[1]


def test_the_page_knows_when_tasks_are_solved(visit):
    asked = [
        state_of(1, 5, 3, 100),
        state_of(0, 59, 58, 60),
        state_of(2, 28, 1, 200),
        state_of(1, 6, 3, 100),
        state_of(0, 60, 58, 60),
        state_of(2, 26, 1, 200),
        state_of(1, 5, 3, 4),
    ]
    solved = [seen["solves"] for seen in see(visit("em"), asked)]
    assert solved == [["names"], ["slow"], ["other"], *[[]] * 4]
    assert {*ALL["em"].tasks} == {"names", "slow", "other"}
