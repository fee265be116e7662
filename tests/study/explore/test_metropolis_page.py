"""The explorable of Metropolis in a browser: places, keys, handles."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_dirichlet_multinomial_page import INSIDE, middle_of
from study.explore.test_metropolis import (
    AXES,
    DENSITIES,
    MODES,
    STATES,
    draws_of,
    on_target,
    place,
    ran,
    seen_of,
    state_of,
)
from study.explore.test_page import see
from study.quiz.test_page import tab_to


def is_near(x, y):
    """Say whether a place is in the picture."""
    return -1 <= x <= 1001 and -1 <= y <= 1001


def test_points_lie_where_the_library_is(visit):
    page = visit("metropolis")
    asked = STATES[::4]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        target, boxes = state["target"], seen["boxes"]
        states, _, _ = ran(state, 0)
        for name, at in (("is", states[-1]), ("was", states[-2:][0])):
            expected = on_target(target, at)
            if is_near(*expected):
                found = middle_of(boxes[name])
                assert found == pytest.approx(expected, abs=1), (state, name)
        for name, left in (("a", -50), ("b", 1050)):
            x, y = middle_of(boxes[f"start_{name}"])
            assert (x, y) == pytest.approx((left, 1000 - state[name]), abs=1)


def test_traces_pass_through_the_draws(visit):
    page = visit("metropolis")
    for state in STATES[6::24]:
        [seen] = see(page, [state])
        last = int(seen["written"]["last"])
        drawn, missed = [], []
        for chain, name in enumerate("ab"):
            xs = [x for x, _ in ran(state, chain)[0]]
            for k in range(0, len(xs), max(len(xs) // 20, 1)):
                y = 1000 - place(state["target"], xs[k])
                if is_near(0, y):
                    drawn.append((f"trace_{name}", 1000 * k / last, y))
            # To the right of its end there is nothing.
            if len(xs) <= last:
                beyond = 1000 * len(xs) / last + 8
                missed.append((f"trace_{name}", beyond, y))
        _, found = page.evaluate(INSIDE, [state, [], drawn])
        assert found == [True] * len(drawn), state
        _, found = page.evaluate(INSIDE, [state, [], missed])
        assert not any(found), state


def test_bars_are_filled_as_far_as_the_shares(visit):
    page = visit("metropolis")
    for state in STATES[6::24]:
        target = state["target"]
        low, high = AXES[target]
        wide = (high - low) / 40
        top = DENSITIES[target](MODES[target])
        filled, expected = [], []
        for name, side, draws in zip(
            "ab", (-1, 1), draws_of(state), strict=True
        ):
            for bar in range(0, 40, 3):
                edges = low + bar * wide, low + (bar + 1) * wide
                on_edge = np.isclose(draws[:, None], edges, atol=1e-9).any()
                count = ((edges[0] <= draws) & (draws < edges[1])).sum()
                long = 240 * count / max(len(draws), 1) / wide / top
                if on_edge or long > 490:
                    continue
                y = 1000 - 25 * bar - 12
                for x in (long - 3, long + 3):
                    if x > 0:
                        filled.append((f"bars_{name}", 500 + side * x, y))
                        expected.append(bool(x < long))
        found, _ = page.evaluate(INSIDE, [state, filled, []])
        assert found == expected, state


def test_curves_pass_through_the_density(visit):
    page = visit("metropolis")
    for target in range(3):
        state = state_of(target)
        density, (low, high) = DENSITIES[target], AXES[target]
        top, drawn, missed = density(MODES[target]), [], []
        for x in np.linspace(low, high, 41)[1:-1]:
            right, share = place(target, x), density(x) / top
            drawn += [
                ("curve", right, 1000 - 900 * share),
                ("density", 500 - 240 * share, 1000 - right),
                ("density", 500 + 240 * share, 1000 - right),
            ]
            missed += [("curve", right, 1000 - 900 * (share + 0.3))]
        _, found = page.evaluate(INSIDE, [state, [], drawn])
        assert found == [True] * len(drawn)
        _, found = page.evaluate(INSIDE, [state, [], missed])
        assert sum(found) < len(missed) / 4  # where the curve is steep


def test_buttons_and_keys_move_it_and_what_follows_is_spoken(visit):
    page = visit("metropolis")
    said = page.locator("[aria-live=polite]")
    slider = page.get_by_role("slider", name="steps of each chain")
    tab_to(page, slider)
    page.keyboard.press("Home")
    expect(said).to_contain_text("Chain A starts at −5.00, chain B at 4.00.")
    expect(said).to_contain_text("Acceptance rate –, ESS –, split R-hat –.")
    step = page.get_by_role("button", name="One step more")
    tab_to(page, step)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Step 1: chain A proposes to go from −5.00")
    expect(said).to_contain_text("ESS and R-hat are computed after 20 steps.")
    every = page.get_by_role("button", name="All 1000 steps")
    every.click()
    expect(slider).to_have_value("1000")
    bar = page.locator(".explore-buttons p")
    expect(bar).to_have_text("Acceptance rate 0.577, ESS 2, R-hat 7.385")
    scale = page.get_by_role("slider", name="step size")
    page.get_by_role("button", name="Larger steps").click()
    expect(scale).to_have_attribute("aria-valuetext", "2.00")
    page.get_by_role("button", name="Smaller steps").click()
    page.get_by_role("button", name="Smaller steps").click()
    expect(scale).to_have_attribute("aria-valuetext", "1.20")
    expect(page).to_have_url(
        re.compile(r"#explore-metropolis\?target=2&scale=14&a=250&b=700")
    )
    page.reload()
    expect(scale).to_have_attribute("aria-valuetext", "1.20")
    page.get_by_role("button", name="Back to the start").click()
    expect(scale).to_have_attribute("aria-valuetext", "1.50")
    expect(page).to_have_url(re.compile("#explore-metropolis$"))


def test_the_list_chooses_the_target(visit):
    page = visit("metropolis")
    choice = page.get_by_label("target", exact=True)
    tab_to(page, choice)
    page.keyboard.press("End")
    start = page.get_by_role("slider", name="start of chain A")
    expect(start).to_have_attribute("aria-valuetext", "−2.00")
    words = page.locator(".explore-words")
    expect(words).to_contain_text("chain A proposes to go from (")
    rule = page.locator("[data-written=rule]")
    expect(rule).to_contain_text("contours of the target")
    expect(page.locator("[data-written=high]")).to_have_text(["4"] * 3)


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_pointer_drags_the_starts(visit, name):
    page = visit("metropolis")
    grip = page.locator(f"[data-drawn=start_{name}] circle").last
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    frame = page.locator(".explore-frame").nth(1).bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, frame["y"] + 0.3 * frame["height"], steps=4)
    page.mouse.up()
    moved = page.locator(f"[name={name}]")
    expect(page.locator("[aria-live=polite]")).not_to_be_empty()
    assert abs(int(moved.input_value()) - 700) <= 4


def test_the_page_knows_when_tasks_are_solved(visit):
    asked = [
        state_of(0, 2, 420, 333),
        state_of(0, 0.1, 510, 490),
        state_of(2, 1.5, 700, 850),
        state_of(0, 2, 420, 333, 999),
        state_of(0, 0.1, 511, 490),
        state_of(2, 1.5, 700, 150),
        state_of(2, 12, 700, 850),
    ]
    solved = [seen["solves"] for seen in see(visit("metropolis"), asked)]
    assert solved == [["best"], ["small"], ["blind"], *[[]] * 4]
    assert {*ALL["metropolis"].tasks} == {"best", "small", "blind"}


def test_the_page_and_the_library_draw_the_same_line(visit):
    """Around each limit of a task: the ESS, the rate, R-hat, the starts."""
    asked = [
        *(
            state_of(0, scale, a, 333)
            for scale in (2, 2.4, 3)
            for a in range(0, 1000, 50)
        ),
        *(state_of(0, scale, 510, 490) for scale in (0.08, 0.12, 0.15, 0.2)),
        *(state_of(0, 0.1, a, b) for a, b in ((510, 489), (511, 490))),
        *(
            state_of(2, scale, a, 850)
            for scale in (0.8, 1, 3)
            for a in range(600, 1000, 50)
        ),
    ]
    expected = [list(seen_of(state).solves) for state in asked]
    found = [seen["solves"] for seen in see(visit("metropolis"), asked)]
    assert found == expected
    for task in ("best", "small", "blind"):
        assert 1 < expected.count([task]) < len(asked) / 2
