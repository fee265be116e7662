"""The explorable of d-separation in a real browser: its graph and its ball."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.test_d_separation import NODES, PAIRS
from study.explore.test_page import see, states
from study.quiz.test_page import tab_to

HEADS = """
pairs => Object.fromEntries(pairs.map(pair => {
  const arrow = document.querySelector(
    `[data-drawn=${pair}] .explore-arrow:not([hidden])`);
  if (!arrow.checkVisibility()) return [pair, null];
  // The tip of the head, and where the line begins.
  const picture = arrow.ownerSVGElement.getScreenCTM().inverse()
    .multiply(arrow.getScreenCTM());
  const box = arrow.getBBox();
  const points = [box.x + box.width, box.x].map(
    x => new DOMPoint(x, 0).matrixTransform(picture));
  return [pair, points.map(({x, y}) => [x, y])];
}))
"""


def test_arrows_lead_from_node_to_node(visit):
    page = visit("d-separation")
    middles = page.evaluate(
        """nodes => Object.fromEntries(nodes.map(node => {
          const circle = document.querySelector(`[data-drawn=${node}] text`);
          const picture = circle.ownerSVGElement.getScreenCTM().inverse()
            .multiply(circle.getScreenCTM());
          return [node, [picture.e, picture.f]];
        }))""",
        [*NODES],
    )
    for state in states("d-separation", 40):
        see(page, [state])
        for pair, found in page.evaluate(HEADS, PAIRS).items():
            assert (found is None) == (state[pair] == 0)
            if found is not None:
                tail, head = pair if state[pair] == 1 else pair[::-1]
                tip, end = map(np.array, found)
                # Both lie on the line between the nodes, outside of them.
                for point, node in ((tip, head), (end, tail)):
                    away = np.hypot(*(point - middles[node]))
                    assert 75 < away < 100, (state, pair)


BALLS = """
() => Object.fromEntries(
  [...document.querySelectorAll("[data-drawn^=ball_]")]
    .filter(ball => ball.checkVisibility())
    .map(ball => {
      const box = ball.getBoundingClientRect();
      const picture = ball.ownerSVGElement.getScreenCTM().inverse();
      const {x, y} = new DOMPoint(
        box.left + box.width / 2, box.top + box.height / 2,
      ).matrixTransform(picture);
      return [ball.dataset.drawn.slice(-2), [x, y]];
    }))
"""


def test_a_ball_rolls_along_all_open_ways_at_once(visit):
    page = visit("d-separation")
    told = page.locator(".explore-told")
    said = page.locator("[aria-live=polite]")
    on, back = (
        page.get_by_role("button", name=name)
        for name in ("Roll the Bayes ball", "One step back")
    )
    expect(told).to_have_text("The ball lies at A.")
    assert page.evaluate(BALLS) == {}
    tab_to(page, on)
    page.keyboard.press("Enter")
    expect(told).to_have_text("After 1 step the ball has reached B and D.")
    expect(said).to_contain_text("After 1 step the ball has reached B and D.")
    assert page.evaluate(BALLS).keys() == {"AB", "AD"}
    on.click()
    # Each lies on the rim of its node, towards the node from which it comes.
    places = {"A": (0, 500), "B": (260, 60), "C": (740, 60), "D": (260, 940)}
    for (a, b), found in page.evaluate(BALLS).items():
        if {a, b} <= {*places}:
            way = np.subtract(places[b], places[a])
            on_rim = places[b] - 75 * way / np.hypot(*way)
            assert found == pytest.approx(on_rim, abs=1.5)
    for _ in range(2):
        on.click()
    expect(told).to_contain_text("rolls no further")
    expect(on).to_have_attribute("aria-disabled", "true")
    expect(page).to_have_url(re.compile("ball=4$"))
    back.click()
    expect(told).to_have_text(
        "After 3 steps the ball has reached B, C, D, E and F."
    )
    page.mouse.click(*middle(page, "B"))
    expect(told).to_have_text(
        "After 2 steps the ball has reached D and E, and rolls no further: "
        "these nodes, and no others, are d-connected with A given B."
    )


def middle(page, part, which=0):
    """Return the middle of a part of a picture on the screen."""
    box = page.locator(f"[data-turns={part}]").nth(which).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_clicks_draw_turn_and_remove_arrows_and_observe_nodes(visit):
    page = visit("d-separation")
    arrow = page.get_by_label("arrow between A and D")
    said = page.locator("[aria-live=polite]")
    refused = page.locator(".explore-refused")
    for value in "2012":
        page.mouse.click(*middle(page, "AD"))
        expect(arrow).to_have_value(value)
        expect(refused).to_have_text("")
    page.mouse.click(*middle(page, "B"))
    expect(page.get_by_label("node B")).to_have_value("1")
    expect(said).to_contain_text("given B")
    page.mouse.click(*middle(page, "A"))
    expect(refused).to_contain_text("A is an end")
    expect(said).to_contain_text("A is an end")
    page.get_by_role("button", name="Back to the start").click()
    expect(refused).to_have_text("")
    page.get_by_label("second end").select_option("D")
    expect(said).to_contain_text("A and D are not d-separated")


def test_what_would_be_a_cycle_is_passed_over_and_said(visit):
    page = visit("d-separation")
    page.get_by_text("as lists").click()
    chosen = page.get_by_label("arrow between A and E")
    refused = page.locator(".explore-refused")
    # A → D → E is there, so that E → A would close a cycle.
    chosen.select_option("E to A")
    expect(chosen).to_have_value("0")
    reason = "A → D → E → A would be a cycle"
    expect(refused).to_contain_text(reason)
    expect(page.locator("[aria-live=polite]")).to_contain_text(reason)
    chosen.select_option("A to E")
    expect(refused).to_have_text("")
    # Turned by a click it would be the same, so the click removes it.
    page.locator("[data-turns=AE] .explore-reach").dispatch_event("click")
    expect(chosen).to_have_value("0")
    expect(refused).to_contain_text(reason)
