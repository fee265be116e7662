"""A step-through in a real browser: by mouse, by keyboard, on paper."""

from contextlib import ExitStack

import numpy as np
import pytest
from browsing import (
    WIDE,
    accessibility_problems,
    with_formulas_of_the_book,
)
from playwright.sync_api import expect
from study.quiz.shown import write
from study.quiz.test_page import tab_to

from bayesbook.study.stepper import Frame, show
from bayesbook.study.stepper.render import html

PHONE = {"width": 390, "height": 844}
SHOWN = show(
    "tosses",
    [
        Frame("Before", {"posterior": ([0, 1], [1, 1])}),
        Frame(
            "Toss 1 of 2: heads & more",
            {"posterior": ([0, 1], [0, 2]), "prior": ([0, 1], [1, 1])},
            text=r"The mean is $\frac{2}{3}$.",
        ),
        Frame(
            "Toss 2 of 2: tails",
            {
                "posterior": ([0, 0.5, 1], [0, 1.5, 0]),
                "prior": ([0, 1], [0, 2]),
                "likelihood": ([0, 1], [1, 0]),
                "truth": ([0.3, 0.3], [0, 2]),
            },
            text="The mean is *one half*.",
        ),
    ],
    x_label="probability of heads θ",
    y_label="density",
)
TITLES = [frame.title for frame in SHOWN.frames]


@pytest.fixture
def visit(tab, tmp_path):
    """Open a page with the step-through; no fault may come of it."""
    with ExitStack() as visits:

        def visit(*, root="", body="", viewport=WIDE):
            path = tmp_path / "page.html"
            write(path, with_formulas_of_the_book(html(SHOWN)), root, body)
            return visits.enter_context(tab.visit(path, viewport))

        yield visit
        assert tab.faults == []


def expect_frame(page, place):
    """Check all that says which frame is shown."""
    frames = page.locator(".stepper-frame")
    for at, frame in enumerate(frames.all()):
        expect(frame).to_be_visible(visible=at == place)
    slider = page.get_by_role("slider")
    expect(slider).to_have_value(str(place + 1))
    expect(slider).to_have_attribute("aria-valuetext", TITLES[place])
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text(TITLES[place])
    for name, end in (("Previous", 0), ("Next", len(TITLES) - 1)):
        button = page.get_by_role("button", name=name)
        expect(button).to_be_enabled(enabled=place != end)


def test_the_buttons_go_from_frame_to_frame_and_stop_at_the_ends(visit):
    page = visit()
    expect_frame(page, 0)
    for name, places in (("Next", (1, 2, 2)), ("Previous", (1, 0, 0))):
        for place in places:
            # A button without use keeps the focus, and does nothing.
            page.get_by_role("button", name=name).click(force=True)
            expect_frame(page, place)
            expect(page.get_by_role("button", name=name)).to_be_focused()


def test_the_keyboard_is_enough(visit):
    page = visit()
    tab_to(page, page.get_by_role("slider"))
    for key, place in (
        *(("ArrowRight", 1), ("End", 2), ("ArrowLeft", 1)),
        *(("Home", 0), ("ArrowUp", 1), ("ArrowDown", 0)),
    ):
        page.keyboard.press(key)
        expect_frame(page, place)
    tab_to(page, page.get_by_role("button", name="Next"))
    for key, place in (
        *(("Enter", 1), ("Space", 2), ("ArrowLeft", 1)),
        *(("ArrowRight", 2), ("Control+ArrowLeft", 2)),
    ):
        page.keyboard.press(key)
        expect_frame(page, place)


def test_the_slider_goes_anywhere(visit):
    page = visit()
    box = page.get_by_role("slider").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.click(box["x"] + box["width"] - 9, middle)
    expect_frame(page, 2)
    page.mouse.click(box["x"] + box["width"] / 2, middle)
    expect_frame(page, 1)


def test_keys_do_not_reach_the_notebook_around_it(visit):
    page = visit()
    page.evaluate(
        """() => {
          window.keys = [];
          addEventListener("keydown", event => window.keys.push(event.key));
        }"""
    )
    page.get_by_role("button", name="Next").focus()
    for key in ("ArrowRight", "j", "Control+ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("window.keys") == ["Control", "ArrowRight"]


def test_a_screen_reader_gets_title_text_and_picture(visit):
    page = visit()
    page.get_by_role("button", name="Next").click()
    said = page.locator("[aria-live=polite]")
    expect(said).to_have_attribute("aria-atomic", "true")
    expect(said.locator(".katex-html")).to_be_visible()
    expect(said.locator("mfrac")).to_have_count(1)  # what is read aloud
    expect(page.get_by_role("img")).to_have_accessible_name(
        "posterior: from 0 at 0 to 2 at 1. prior: 1 from 0 to 1."
    )
    expect(page.get_by_role("region")).to_have_accessible_name(
        "Step-through: tosses"
    )


def test_without_a_script_and_on_paper_all_can_be_read(chromium, visit):
    path = visit().url
    bare = chromium.new_page(java_script_enabled=False, viewport=PHONE)
    paper = chromium.new_page()
    for page in (bare, paper):
        page.goto(path)
    paper.get_by_role("button", name="Next").click()
    paper.emulate_media(media="print")
    for page in (bare, paper):
        expect(page.locator(".stepper-frame:visible")).to_have_count(3)
        expect(page.locator(".stepper-words:visible")).to_have_count(3)
        expect(page.get_by_role("img")).to_have_count(3)
        expect(page.locator("button:visible, input:visible")).to_have_count(0)
        expect(page.locator(".stepper-said:visible")).to_have_count(0)
    expect(paper.locator(".stepper-idle")).to_be_hidden()
    expect(bare.locator(".stepper-idle")).to_be_visible()
    paper.close()
    bare.close()


def test_a_script_that_runs_twice_changes_nothing(visit):
    page = visit()
    page.get_by_role("button", name="Next").click()
    page.evaluate(
        """() => {
          const old = document.querySelector(".bayesbook-stepper script");
          const copy = document.createElement("script");
          copy.textContent = old.textContent;
          old.replaceWith(copy);
        }"""
    )
    page.get_by_role("button", name="Next").click()
    expect_frame(page, 2)


def colours(page):
    """Return the colours of the ground, and of the lines that are shown."""
    return page.evaluate(
        """() => {
          const style = css =>
            [...document.querySelectorAll(css)].map(getComputedStyle);
          return [
            style(".bayesbook-stepper")[0].backgroundColor,
            ...style("[data-shown] .stepper-line").map(css => css.stroke),
          ];
        }"""
    )


def luminance(colour):
    """Measure how light a colour is, as the guidelines (WCAG 2) do."""
    values = colour.removeprefix("rgb(").removesuffix(")").split(",")
    rgb = np.array(values, dtype=float) / 255
    linear = np.where(
        rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92
    )
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("theme", "viewport"),
    [
        ({}, WIDE),
        ({}, PHONE),
        ({"root": "data-theme=dark"}, PHONE),
        ({"body": "data-jp-theme-light=false"}, WIDE),
    ],
    ids=["light", "light-phone", "dark-phone", "jupyterlab-dark"],
)
def test_accessible_in_every_theme_and_width(visit, theme, viewport):
    page = visit(viewport=viewport, **theme)
    for _ in TITLES[1:]:
        page.get_by_role("button", name="Next").click()
    expect_frame(page, 2)
    assert accessibility_problems(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= viewport["width"]
    ground, *lines = colours(page)
    assert (luminance(ground) < 0.01) == bool(theme)
    assert len(set(lines)) == 4
    assert min(contrast(ground, line) for line in lines) >= 3


def test_nothing_moves_by_itself(visit):
    page = visit()
    page.get_by_role("button", name="Next").click()
    assert page.evaluate("document.getAnimations().length") == 0
    moving = page.locator(".bayesbook-stepper *").evaluate_all(
        """nodes => nodes.map(getComputedStyle).filter(css =>
            css.transitionDuration !== "0s" || css.animationName !== "none"
        ).length"""
    )
    assert moving == 0
