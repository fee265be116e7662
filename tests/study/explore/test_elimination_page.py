"""The explorable of elimination in a browser: places, keys, clicks."""

import re
from math import log, prod

import numpy as np
import pytest
from playwright.sync_api import expect
from study.explore.conftest import ALL
from study.explore.test_elimination import (
    KEYS,
    PUZZLE,
    STATES,
    kinds_of,
    order_of,
    points_of,
    size,
    solutions,
    state_of,
    truth_of,
)
from study.explore.test_page import PHONE, see
from study.quiz.test_page import tab_to

from bayesbook.study.explore.elimination import _line

# Whether points lie on lines that are drawn, or in what is filled; the gaps of
# a dashed line belong to it.
INSIDE = """
([state, drawn, filled]) => {
  const find = css => document.querySelector(`.bayesbook-explore ${css}`);
  for (const [name, value] of Object.entries(state)) {
    find(`[name=${name}]`).value = value;
    find(`[name=${name}]`).dispatchEvent(new Event("input"));
  }
  find("input[name]").dispatchEvent(new Event("change"));
  const part = name => find(`[data-drawn=${name}]`);
  for (const [name] of drawn) part(name).style.strokeDasharray = "none";
  const found = [
    drawn.map(([name, x, y]) =>
      part(name).isPointInStroke(new DOMPoint(x, y))),
    filled.map(([name, x, y]) => part(name).isPointInFill(new DOMPoint(x, y))),
  ];
  for (const [name] of drawn) part(name).style.strokeDasharray = "";
  return found;
}
"""
DASHES = """
() => Object.fromEntries(
  [...document.querySelectorAll(".explore-edges")].map(path => [
    path.dataset.drawn, getComputedStyle(path).strokeDasharray !== "none"]))
"""


def test_lines_are_drawn_between_the_nodes(visit):
    page = visit("elimination")
    for state in STATES[::4]:
        puzzle, order = order_of(state)
        points = []
        for name, pairs in kinds_of(puzzle, order).items():
            for pair in pairs:
                a, b = sorted(pair, key=puzzle.nodes.index)
                way = points_of(_line(puzzle, a, b))
                points += [(name, *way[at].tolist()) for at in (1, 30, 50, 99)]
                # Their ends are the middles of nodes.
                ends = puzzle.places[a], puzzle.places[b]
                assert np.allclose(way[[0, -1]], ends)
        found, _ = page.evaluate(INSIDE, [state, points, []])
        assert all(found), state
    assert page.evaluate(DASHES) == {
        "lost": False,
        "lost_fills": True,
        "edges": False,
        "fills": True,
        "added": True,
    }


def test_nodes_lie_where_their_lines_end(visit):
    page = visit("elimination")
    asked = STATES[::4]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        puzzle, _ = order_of(state)
        wide = 84 if puzzle.key in ("chain", "grid") else 106
        for k, place in enumerate(puzzle.places.values(), 1):
            left, top, right, bottom = seen["boxes"][f"rim_{k}"]
            middle = (left + right) / 2, (top + bottom) / 2
            assert middle == pytest.approx(place, abs=1)
            assert (right - left) / 2 == pytest.approx(wide, abs=12)
            assert (bottom - top) / 2 == pytest.approx(84, abs=12)
        for k in range(len(puzzle.places) + 1, 10):
            assert not any(seen["boxes"][f"rim_{k}"][2:]) or (
                seen["drawn"][f"node_{k}"]["class"] == "unused"
            )


def test_words_fit_into_their_nodes(visit):
    page = visit("elimination")
    for key in KEYS:
        see(page, [state_of(key, PUZZLE[key].nodes[:3])])
        outside = page.evaluate(
            """() => [...document.querySelectorAll(".explore-node")].filter(
              node => {
                if (!node.checkVisibility()) return false;
                const rim = node.querySelector("ellipse").getBBox();
                return [...node.querySelectorAll("text")].some(text => {
                  const box = text.getBBox();
                  return box.width > rim.width - 10
                    || box.y < rim.y
                    || box.y + box.height > rim.y + rim.height;
                });
              }).map(node => node.textContent)"""
        )
        assert outside == []


def test_bars_end_where_logarithms_say(visit):
    page = visit("elimination")
    for state in STATES[::3]:
        puzzle, order = order_of(state)
        joint = prod(size(puzzle, node) for node in puzzle.nodes)
        points, expected = [], []
        for name, some in (("own", order), ("best", puzzle.finish())):
            for at, (*_, cells) in enumerate(truth_of(puzzle, some)):
                end = 300 + 540 * log(cells) / log(joint)
                middle = 10 + 110 * at + 55
                for x, inside in ((end - 1, True), (end + 1, False)):
                    points.append((f"{name}_bars", x, middle))
                    expected.append(inside)
        _, found = page.evaluate(INSIDE, [state, [], points])
        assert found == expected, state


def test_numbers_stand_behind_their_bars(visit):
    page = visit("elimination")
    asked = [state_of(key, PUZZLE[key].greedy("min-fill")) for key in KEYS]
    asked += [state_of("grid", "EABCDFGHI"), state_of("ring", "DEABCFGH")]
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        puzzle, order = order_of(state)
        joint = prod(size(puzzle, node) for node in puzzle.nodes)
        for k, (*_, cells) in enumerate(truth_of(puzzle, order), 1):
            left, top, right, bottom = seen["boxes"][f"at_amount_{k}"]
            assert left > 300 + 540 * log(cells) / log(joint)
            assert right < 1120
            row = 10 + 110 * (k - 1)
            assert row - 5 < top < bottom < row + 115


def test_keys_eliminate_undo_and_go_back(visit):
    page = visit("elimination")
    said = page.locator("[aria-live=polite]")
    sentence = page.locator("[data-written=sentence]")
    button = page.get_by_role("button", name="Eliminate xray")
    tab_to(page, button)
    page.keyboard.press("Enter")
    expect(said).to_contain_text(
        "Step 1 eliminates xray: the product with xray and either has 4 cells"
    )
    back = page.get_by_role("button", name="Go back to before xray was")
    expect(back).to_be_focused()
    button = page.get_by_role("button", name="Eliminate either")
    tab_to(page, button)
    page.keyboard.press("Space")
    expect(said).to_contain_text("4 fill-in edges are added. With this step")
    expect(said).to_contain_text("rises from 46 to 78 cells")
    expect(page).to_have_url(re.compile("graph=0&clinic=76&"))
    page.reload()
    expect(sentence).to_contain_text("Step 2 eliminates either")
    undo = page.get_by_role("button", name="Undo", exact=True)
    tab_to(page, undo)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Step 1 eliminates xray")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Nothing is eliminated yet.")
    expect(undo).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")  # nothing more
    expect(said).to_contain_text("Nothing is eliminated yet.")
    step = page.get_by_role("button", name="Min-fill step")
    tab_to(page, step)
    for k in range(1, 9):
        page.keyboard.press("Enter")
        expect(said).to_contain_text(f"Step {k} eliminates")
    expect(said).to_contain_text("with 46 cells in all; no order needs fewer.")
    expect(step).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Undo all").click()
    expect(said).to_contain_text("Nothing is eliminated yet.")


def test_clicks_in_the_picture_eliminate_and_go_back(visit):
    page = visit("elimination")
    sentence = page.locator("[data-written=sentence]")

    def click(name):
        page.locator(".explore-node", has_text=re.compile(f"^{name}")).click()

    page.get_by_label("graph", exact=True).select_option(
        "ring of unequal nodes"
    )
    for name in "HAB":
        click(name)
    expect(sentence).to_contain_text("Step 3 eliminates B")
    expect(page.locator("[data-written=note_1]")).to_have_text("step 2")
    click("A")  # and B, which came later, is back, too
    expect(sentence).to_contain_text("Step 1 eliminates H")
    expect(page.locator("[data-written=note_1]")).to_have_text("2 states")
    # Each graph keeps its order.
    page.get_by_label("graph", exact=True).select_option("chest clinic, asia")
    expect(sentence).to_contain_text("Nothing is eliminated yet.")
    click("tub")
    page.get_by_label("graph", exact=True).select_option(
        "ring of unequal nodes"
    )
    expect(sentence).to_contain_text("Step 1 eliminates H")
    expect(page).to_have_url(re.compile("graph=4&clinic=2&.*&ring=8$"))
    page.get_by_role("button", name="Back to the start").click()
    expect(sentence).to_contain_text("Nothing is eliminated yet.")
    expect(page).to_have_url(re.compile("#explore-elimination$"))


def test_a_finger_eliminates(chromium, visit):
    address = visit("elimination").url
    context = chromium.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address)
    page.locator(".explore-node", has_text="dysp").tap()
    sentence = page.locator("[data-written=sentence]")
    expect(sentence).to_contain_text("Step 1 eliminates dysp")
    context.close()


@pytest.mark.parametrize("task", ["chord", "worst", "ring"])
def test_the_page_knows_when_tasks_are_solved(visit, task):
    key, solving, others = solutions(task)
    rng = np.random.default_rng(8)
    asked = [
        state_of(key, some[at])
        for some in (solving, others)
        for at in rng.permutation(len(some))[:40]
    ]
    found = [seen["solves"] for seen in see(visit("elimination"), asked)]
    wanted = len(asked) - 40
    assert found == [[task]] * wanted + [[]] * 40
    assert {*ALL["elimination"].tasks} == {"chord", "worst", "ring"}


def test_a_solved_task_is_spoken(visit):
    page = visit("elimination")
    page.get_by_label("graph", exact=True).select_option(
        "ring of unequal nodes"
    )
    for name in "BCHDEFGA":
        # Exactly: bronc, drawn until the ring is, would pass for B.
        page.get_by_role(
            "button", name=f"Eliminate {name}", exact=True
        ).click()
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("with 236 cells in all; no order needs fewer")
    expect(said).to_contain_text("Solved. Ring: find an order")
    expect(page.locator(".explore-solved:visible")).to_have_count(1)


def test_an_order_that_is_none_is_refused(visit):
    page = visit("elimination", address="explore-elimination?clinic=1&ring=99")
    sentence = page.locator("[data-written=sentence]")
    expect(sentence).to_contain_text("Step 1 eliminates asia")
    page.get_by_label("graph", exact=True).select_option(
        "ring of unequal nodes"
    )
    refused = page.locator(".explore-refused")
    expect(refused).to_contain_text("each node of its graph at most once")
    expect(sentence).to_contain_text("Step 1 eliminates asia")
    expect(page.get_by_label("graph", exact=True)).to_have_value("0")


def test_what_is_eliminated_is_marked_without_colour(visit):
    page = visit("elimination")
    see(page, [state_of("clinic", ["xray", "either"])])
    rims = page.evaluate(
        """() => Object.fromEntries(
          [...document.querySelectorAll(".explore-node")].map(node => {
            const {strokeDasharray, strokeWidth} =
              getComputedStyle(node.querySelector("ellipse"));
            return [node.querySelector("text").textContent,
              [strokeDasharray !== "none", parseFloat(strokeWidth) > 15]];
          }))"""
    )
    assert rims["either"] == rims["xray"] == [True, False]
    near = ("tub", "lung", "bronc", "dysp")
    assert all(rims[node] == [False, True] for node in near)
    assert rims["asia"] == rims["smoke"] == [False, False]
