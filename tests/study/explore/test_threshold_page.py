"""The explorable of a threshold in a browser: places, keys, what is said."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.stats import norm
from study.explore.conftest import ALL
from study.explore.test_page import see, states
from study.explore.test_threshold import above, cost, number

NAMES = [each.name for each in ALL["threshold"].controls]


def near(*places):
    """Return what is equal to places within a unit of the picture."""
    return pytest.approx(places, abs=1)


def middle(box):
    """Return the middle of a box."""
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def test_what_is_drawn_lies_where_it_should(visit):
    asked = states("threshold")
    page = visit("threshold")
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        boxes, drawn = seen["boxes"], seen["drawn"]
        threshold, separation, prevalence, miss, price, reject = state.values()
        given = (threshold, separation, prevalence, miss, price)
        half, score = separation / 20, (threshold - 500) / 100
        tpr, fpr = above(score, half), above(score, -half)
        assert middle(boxes["roc_spot"]) == near(
            60 + 880 * fpr, 880 * (1 - tpr)
        )
        for name in ("line", "cost_line"):
            left, top, right, bottom = boxes[name]
            assert (left, right, top, bottom) == near(
                threshold, threshold, -62, 880
            )
        for name in ("grip", "cost_grip"):
            assert middle(boxes[name]) == near(threshold, -62)
        # The highest density on each side of the threshold.
        for name, mean, up in (
            ("malignant", half, 1),
            ("benign", -half, -1),
        ):
            for side, ends in (("left", (-5, score)), ("right", (score, 5))):
                top = norm(mean).pdf(np.clip(mean, *ends))
                left, high, right, low = boxes[f"{name}_{side}"]
                assert (left, right) == near(*(500 + 100 * e for e in ends))
                reached = 440 - up * 1000 * top
                assert (high, low) == near(*sorted((440, reached)))
        least = min(prevalence * miss, 1000 - prevalence) / 1000
        height = 880 * (1 - cost(score, given) / (1.5 * least))
        assert middle(boxes["cost_spot"]) == near(threshold, max(height, 0))
        best = re.findall(r"threshold (−?[\d.]+),", seen["written"]["advice"])
        is_inside = bool(best) and abs(number(best[0])) < 4.99
        shown = drawn["cost_best"]["visibility"] == "visible"
        if not best or abs(abs(number(best[0])) - 5) > 0.01:
            assert shown == is_inside
        if shown:
            at = number(best[0])
            height = 880 * (1 - cost(at, given) / (1.5 * least))
            x, y = middle(boxes["cost_best"])
            assert (x, y) == pytest.approx((500 + 100 * at, height), abs=2)
        for name in ("band", "cost_band"):
            said = seen["written"]["rejecting"]
            ends = [number(x) for x in re.findall(r"−?\d+\.\d+", said)[:2]]
            if "scores from" in said:
                left, _, right, _ = boxes[name]
                places = 500 + 100 * np.clip(ends, -5, 5)
                assert (left, right) == near(*places)
            elif "all" in said:
                assert (boxes[name][0], boxes[name][2]) == near(0, 1000)
            else:
                assert drawn[name]["d"] == ""
            assert not (said and not reject)


def test_people_are_counted_as_they_are_drawn(visit):
    asked = states("threshold", 60)
    for seen in see(visit("threshold"), asked):
        counts = {
            name: seen["drawn"][f"people_{name}"]["d"].count("M")
            for name in ("hits", "misses", "alarms", "spared")
        }
        for name, count in counts.items():
            assert seen["written"][name] == str(count)
        assert sum(counts.values()) == 1000


@pytest.mark.parametrize(
    ("solution", "others"),
    [
        (
            (500, 27, 50, 19, 30, 0),
            [(499, 27, 50, 19, 30, 0), (500, 28, 50, 19, 30, 0)],
        ),
        (
            (519, 27, 66, 7, 30, 1),
            [(519, 27, 64, 7, 30, 1), (518, 27, 66, 7, 30, 1)],
        ),
        (
            (700, 10, 400, 19, 95, 1),
            [(700, 10, 400, 19, 95, 0), (700, 10, 400, 19, 94, 1)],
        ),
    ],
)
def test_the_page_knows_when_tasks_are_solved(visit, solution, others):
    asked = [dict(zip(NAMES, x, strict=True)) for x in (solution, *others)]
    seen = see(visit("threshold"), asked)
    assert [len(each["solves"]) for each in seen] == [1, 0, 0]


def test_a_tick_allows_to_reject_and_is_spoken(visit):
    page = visit("threshold")
    box = page.get_by_role("checkbox", name="reject option")
    band = page.locator("[data-drawn=band]")
    expect(band).to_have_attribute("d", "")
    box.focus()
    page.keyboard.press("Space")
    expect(box).to_be_checked()
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("If scores from −1.34 to 0.51 are rejected")
    expect(band).not_to_have_attribute("d", "")
    expect(page).to_have_url(re.compile("threshold=519&.*reject=1$"))
    page.reload()
    expect(box).to_be_checked()
    box.uncheck()
    expect(said).not_to_contain_text("rejected")
    expect(page).to_have_url(re.compile("#explore-threshold$"))
