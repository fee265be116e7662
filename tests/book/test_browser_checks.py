"""The checks of the pages in a browser turn red where a page is at fault."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import AXE, accessibility_problems
from looking import (
    COLOURS,
    NARROW,
    OF_A_LOOK,
    SCROLLING_ONLY,
    focus_problems,
    maths_problems,
    problems_of_colour,
    problems_when_narrow,
    problems_when_wide,
    thin_out,
)


def test_an_unbroken_page_is_fine(tab, broken):
    with tab.visit(broken("")) as page:
        assert maths_problems(page) == []
        assert accessibility_problems(page) == []
        assert tab.faults == []


def test_an_undefined_macro_is_seen(tab, broken):
    added = r'<span class="math">\(\undefinedmacro\)</span>'
    with tab.visit(broken(added)) as page:
        problems = maths_problems(page)
    assert any("undefinedmacro" in problem for problem in problems)


def test_maths_that_is_not_typeset_is_seen(tab, broken):
    added = '<span class="math">\\(x</span>'
    with tab.visit(broken(added)) as page:
        [problem] = maths_problems(page)
    assert "formulas typeset" in problem


@pytest.mark.parametrize(
    ("added", "fault"),
    [
        ('<img src="https://example.org/x.png" alt="x">', "request: https:"),
        ('<img src="missing.png" alt="x">', "missing: file:"),
        ("<script>undefinedFunction()</script>", "script: "),
        ("<script>console.error('x')</script>", "console: x"),
    ],
)
def test_a_fault_is_seen(tab, broken, added, fault):
    with tab.visit(broken(added)):
        assert any(found.startswith(fault) for found in tab.faults)


@pytest.mark.parametrize(
    ("added", "rule"),
    [
        ("<p><button></button></p>", "button-name"),
        (
            '<div class="highlight"><pre><span class="k">def</span>'
            '<span class="n" style="color: #ddd">name</span></pre></div>',
            "color-contrast",
        ),
        (
            "<style>.other .n { color: #ddd !important }</style>"
            '<div class="highlight"><pre><span class="n">name</span></pre>'
            '</div><div class="other highlight"><pre><span class="n">name'
            "</span></pre></div>",
            "color-contrast",
        ),
        (
            '<div class="highlight"><pre><span class="n">name</span> '
            '<span class="n" style="color: #ddd">name</span></pre></div>',
            "color-contrast",
        ),
        (
            "<mjx-assistive-mml><math><mi>x</mi><mi role='no'>y</mi></math>"
            "</mjx-assistive-mml>",
            "aria-roles",
        ),
    ],
)
def test_an_inaccessible_element_is_seen(tab, broken, added, rule):
    with tab.visit(broken(added)) as page:
        thin_out(page)
        [problem] = problems_when_wide(page) + problems_of_colour(page)
    assert problem.removeprefix("light: ").startswith(rule)


@pytest.mark.parametrize(
    ("added", "rule"),
    [
        (
            "<style>[data-theme=dark] kbd { color: #444 !important; "
            "background: #222 !important }</style><p><kbd>x</kbd></p>",
            "color-contrast",
        ),
        (
            "<style>[data-theme=dark] .x { color: #bbb; "
            "text-decoration: none }</style>"
            "<p>text of <a class='x' href='#'>a link</a> and more text</p>",
            "link-in-text-block",
        ),
    ],
)
def test_a_colour_that_is_wrong_in_the_dark_is_seen(tab, broken, added, rule):
    with tab.visit(broken(added)) as page:
        [problem, *_] = problems_of_colour(page)
    assert problem.startswith(f"dark: {rule}")


def test_a_look_is_judged_on_a_few_pages_and_a_new_one_on_the_next(
    tab, broken
):
    seen, found = {}, []
    for size in (*[16] * (OF_A_LOOK + 1), 17):
        style = f"color: #777; background: #666; font-size: {size}px"
        with tab.visit(broken(f"<p style='{style}'>text")) as page:
            found.append(len(problems_of_colour(page, seen)))
    assert found == [*[2] * OF_A_LOOK, 0, 2]  # in two themes


def test_the_quick_axe_finds_what_axe_finds(tab, broken):
    colours = ("#777", "navy", "rgb(200 90 0 / 60%)", "oklch(70% 0.1 200)")
    added = "".join(
        f'<p style="background: {back}; color: {front}">text of '
        '<a href="#" style="color: #666; text-decoration: none">a link</a> '
        '<em style="opacity: 0.7">and</em> more text</p>'
        for back in colours
        for front in colours
    )
    with tab.visit(broken(added)) as page:
        plain, quick = (axe.run(page).response for axe in (Axe(), AXE))
    for kind in ("passes", "violations", "incomplete"):
        assert quick[kind] == plain[kind]
    failed = {violation["id"] for violation in plain["violations"]}
    assert failed == set(COLOURS)


def test_a_stop_without_a_mark_is_seen(tab, broken):
    with tab.visit(broken("<button id='x' style='outline: 0'>x")) as page:
        [problem] = focus_problems(page)
    assert 'id="x"' in problem


def test_a_page_that_is_too_wide_is_seen(tab, broken):
    wide = '<div style="width: 2000px">wide</div>'
    with tab.visit(broken(wide)) as page:
        found = problems_when_narrow(page)
    assert sum("sideways" in problem for problem in found) == len(NARROW)


def test_a_target_that_is_too_small_on_a_phone_is_seen(tab, broken):
    small = "width: 20px; height: 30px; padding: 0"
    added = (
        f"<button style='{small}'>x</button>"
        f"<label style='{small}; display: block'><input type='radio'></label>"
        "<label style='display: block; height: 30px'>"
        "<input type='radio'>x</label>"
        "<button style='width: 30px; height: 30px'>x</button>"
    )
    with tab.visit(broken(added)) as page:
        found = problems_when_narrow(page, SCROLLING_ONLY)
    assert [problem.split()[2] for problem in found] == ["<button", "<label"]


def test_text_that_only_a_phone_shows_is_seen(tab, broken):
    style = "@media (min-width: 900px) { .x { display: none } }"
    added = f"<style>{style}</style><p class='x'>text"
    with tab.visit(broken(added)) as page:
        [problem] = problems_when_narrow(page, SCROLLING_ONLY)
    assert "when it is wide" in problem
