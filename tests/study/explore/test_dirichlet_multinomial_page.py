"""The explorable of triangle and urn in a browser: places, keys, buttons."""

import re
from math import log

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_dirichlet_multinomial import (
    GRID,
    STATES,
    at,
    densities_of,
    draws_of,
    mode_of,
    path_of,
    shares_of,
    state_of,
    truth_of,
)
from study.explore.test_page import see
from study.quiz.test_page import tab_to

# Which of the given points lie in the given parts, or on their lines.
INSIDE = """
([state, filled, drawn]) => {
  const find = css => document.querySelector(`.bayesbook-explore ${css}`);
  for (const [name, value] of Object.entries(state)) {
    find(`[name=${name}]`).value = value;
    find(`[name=${name}]`).dispatchEvent(new Event("input"));
  }
  find("input[name]").dispatchEvent(new Event("change"));
  const parts = {};
  const part = name => parts[name] ??= find(`[data-drawn=${name}]`);
  const isFilled = ([name, x, y]) =>
    part(name).isPointInFill(new DOMPoint(x, y));
  const isDrawn = ([name, x, y]) =>
    part(name).isPointInStroke(new DOMPoint(x, y));
  for (const [name] of drawn) {
    Object.assign(part(name).style,
      {strokeDasharray: "none", strokeLinecap: "round"});
  }
  return [filled.map(isFilled), drawn.map(isDrawn)];
}
"""


def middle_of(box):
    """Return the middle of a box, in units of its picture."""
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def test_dots_end_where_the_density_says(visit):
    page = visit("dirichlet-multinomial")
    for state in STATES[::8]:
        prior, posterior, _ = truth_of(state)
        points, expected = [], []
        for name, alpha in (("prior", prior), ("posterior", posterior)):
            density = np.array(densities_of(alpha))
            radii = 30 * np.sqrt(density / density.max())
            for theta, radius in zip(GRID, radii, strict=True):
                x, y = at(theta)
                # To the right, and upwards to the left.
                for right, up in ((1, 0), (-0.5, 0.75**0.5)):
                    for r in (radius - 0.3, radius + 0.3):
                        place = x + r * right, y - r * up
                        points.append((f"{name}_dots", *place))
                        expected.append(bool(0 < r < radius))
                if radius < 0.3:  # too small to have an inside here
                    del points[-4:], expected[-4:]
        found, _ = page.evaluate(INSIDE, [state, points, []])
        assert found == expected, state


def test_marks_and_bars_lie_where_they_should(visit):
    page = visit("dirichlet-multinomial")
    asked = STATES[::2]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        prior, posterior, path = truth_of(state)
        boxes = seen["boxes"]
        for name, alpha in (("prior", prior), ("posterior", posterior)):
            found = middle_of(boxes[f"{name}_mean"])
            assert found == pytest.approx(at(shares_of(alpha)), abs=1)
            left, top, right, bottom = boxes[f"{name}_mode"]
            mode = mode_of(alpha)
            if mode is None:
                assert (left, top) == (right, bottom)
            else:
                found = middle_of((left, top, right, bottom))
                assert found == pytest.approx(at(mode), abs=1)
        last = shares_of(path[-1])
        assert middle_of(boxes["chosen"]) == pytest.approx(at(last), abs=1)
        along = 800 * log(len(path)) / log(201)
        means = shares_of(posterior)
        for i, share in enumerate(last):
            end = along, 880 * float(1 - share)
            assert middle_of(boxes[f"end_{i + 1}"]) == pytest.approx(
                end, abs=1
            )
            left, _, right, _ = boxes[f"bar_{i + 1}"]
            width = 1000 * float(means[i])
            if width > 1:  # an empty bar has no place on the screen
                assert right - left == pytest.approx(width, abs=4)


def test_curves_and_urns_lie_where_fractions_say(visit):
    page = visit("dirichlet-multinomial")
    for state in STATES[::10]:
        _, posterior, path = truth_of(state)
        filled, drawn = [], []
        for n in draws_of(path) if len(path) > 1 else []:
            shares = shares_of(path[n])
            drawn.append(("path", *at(shares)))
            for k, share in zip((1, 2, 3), shares, strict=True):
                x = 800 * log(1 + n) / log(201)
                drawn.append((f"curve_{k}", x, 880 * float(1 - share)))
        for urn in {*range(1, 9)} - {state["urn"]}:
            end = path_of(posterior, urn, state["draws"])[-1]
            filled.append(("others", *at(shares_of(end))))
        found = page.evaluate(INSIDE, [state, filled, drawn])
        assert found == [[True] * len(filled), [True] * len(drawn)], state


def test_names_stand_beside_each_other(visit):
    """In the order of the curves, so that no leader crosses another."""
    page = visit("dirichlet-multinomial")
    asked = STATES[::5]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        _, _, path = truth_of(state)
        last = shares_of(path[-1])
        tops = [seen["boxes"][f"name_{k}"][1] for k in (1, 2, 3)]
        for i in range(3):
            for j in range(3):
                if last[i] > last[j]:
                    assert tops[i] + 200 < tops[j]
            _, _, right, _ = seen["boxes"][f"name_{i + 1}"]
            assert right < 1120


def test_keys_move_a_count_and_draw_balls_and_what_follows_is_spoken(visit):
    page = visit("dirichlet-multinomial")
    slider = page.get_by_role("slider", name="scissors seen")
    tab_to(page, slider)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "2")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("The posterior is Dir(11, 8, 6)")
    expect(said).to_contain_text("The next throw is rock with probability 0.4")
    page.keyboard.press("ArrowLeft")
    draw = page.get_by_role("button", name="Draw a ball")
    tab_to(page, draw)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("After 21 draws from urn 1 (rock")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # ten more
    expect(said).to_contain_text("After 31 draws from urn 1 (rock")
    another = page.get_by_role("button", name="Another urn")
    tab_to(page, another)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("After 31 draws from urn 2 (rock")
    expect(page).to_have_url(re.compile(r"n3=1&urn=2&draws=31$"))
    page.reload()
    drawn = page.locator("[data-written=drawn]")
    expect(drawn).to_contain_text("After 31 draws from urn 2 (rock")
    page.get_by_role("button", name="Undo a draw").click()
    expect(drawn).to_contain_text("After 30 draws from urn 2 (rock")
    page.get_by_role("button", name="Undo all draws").click()
    expect(drawn).to_contain_text("none has been drawn")
    page.get_by_role("button", name="Undo a draw").click()
    expect(drawn).to_contain_text("none has been drawn")
    page.get_by_role("button", name="Back to the start").click()
    expect(drawn).to_contain_text("After 20 draws from urn 1 (rock")
    expect(page).to_have_url(re.compile("#explore-dirichlet-multinomial$"))


def test_after_the_last_urn_comes_the_first(visit):
    page = visit("dirichlet-multinomial")
    urn = page.locator("p [data-written=urn]").first
    for expected in (2, 3, 4, 5, 6, 7, 8, 1):
        page.get_by_role("button", name="Another urn").click()
        expect(urn).to_have_text(str(expected))


def test_a_prior_below_one_has_no_mode_and_says_why(visit):
    page = visit("dirichlet-multinomial")
    for name in ("rock", "paper"):
        page.get_by_role("slider", name=f"α of {name}").fill("2")
        page.get_by_role("slider", name=f"{name} seen").fill("0")
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("it has no mode")
    expect(said).to_contain_text("the probability of rock or paper is 0")
    diamond = page.locator("[data-drawn=posterior_mode]")
    expect(diamond).to_have_attribute("d", "")
    for k in (1, 2, 3):
        mode = page.locator(f"[data-written=mode_{k}]")
        expect(mode).to_have_text("none")


def test_the_page_knows_when_tasks_are_solved(visit):
    asked = [
        state_of((4, 16, 28)),
        state_of((1, 1, 1), (1, 1, 1)),
        state_of((1, 1, 1), (0, 0, 0), urn=3, draws=10),
        state_of((1, 1, 1), (0, 0, 0), urn=6, draws=200),
        state_of((4, 16, 27)),
        state_of((1, 1, 1), (1, 1, 0)),
        state_of((1, 1, 1), (0, 0, 0), urn=3, draws=9),
        state_of((2, 2, 2), (0, 0, 0), urn=3, draws=10),
    ]
    page = visit("dirichlet-multinomial")
    solved = [seen["solves"] for seen in see(page, asked)]
    assert solved == [["third"], ["mode"], ["same"], ["same"], *[[]] * 4]
    assert {*ALL["dirichlet-multinomial"].tasks} == {"third", "mode", "same"}
