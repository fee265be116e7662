"""The built pages in a real browser, from the disk, without a network."""

import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import browser

CHAPTER = "book/conditioning/events.html"
WIDE = {"width": 1280, "height": 900}
NARROW = ({"width": 320, "height": 640}, {"width": 375, "height": 812})
# Dark differs from light in its colours alone, and narrow from wide in
# everything but its colours, which take axe longest.
COLOURS_ONLY = {"runOnly": ["color-contrast"]}
NO_COLOURS = {"rules": {"color-contrast": {"enabled": False}}}
# Rules of axe that a page may break, with the reason: faults of the theme
# that the book cannot mend. There is none.
ACCEPTED_VIOLATIONS: dict[str, str] = {}
LOCAL = re.compile(r"(file|data|blob|about):")


@dataclass
class Visit:
    """A page that is open, and what went wrong on it so far."""

    page: object
    faults: list[str] = field(default_factory=list)


# --- Opening pages ----------------------------------------------------------


@pytest.fixture(scope="module")
def chromium():
    with browser() as running:
        yield running


def watch(page, faults):
    """Note errors of scripts and every request that leaves the disk."""

    def console(message):
        if message.type == "error":
            faults.append(f"console: {message.text}")

    def refuse(route):
        faults.append(f"request: {route.request.url}")
        route.abort()

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on(
        "requestfailed",
        lambda request: faults.append(f"missing: {request.url}"),
    )
    page.route(re.compile(rf"^(?!{LOCAL.pattern})"), refuse)


def settle(page):
    """Wait until MathJax has typeset the page, where there is MathJax."""
    page.evaluate("() => window.MathJax?.startup?.promise?.then(() => true)")


@contextmanager
def visit(chromium, path, viewport=WIDE):
    """Open a page from the disk in a fresh profile without a network."""
    context = chromium.new_context(
        offline=True, viewport=viewport, color_scheme="light"
    )
    try:
        opened = Visit(context.new_page())
        watch(opened.page, opened.faults)
        opened.page.goto(path.as_uri())
        settle(opened.page)
        yield opened
    finally:
        context.close()


def every_page(site):
    return sorted(
        path for path in site.rglob("*.html") if "_static" not in path.parts
    )


def name(site, path):
    return path.relative_to(site).as_posix()


# --- Looking at a page ------------------------------------------------------


def maths_problems(page):
    """Say what MathJax has not understood, and what it has not seen."""
    errors = page.locator("[data-mjx-error]").evaluate_all(
        "nodes => nodes.map(n => n.getAttribute('data-mjx-error'))"
    )
    problems = [f"maths: {error}" for error in errors]
    written = page.locator(".math").count()
    typeset = page.locator(".math mjx-container").count()
    if typeset < written:
        problems.append(f"maths: {typeset} of {written} formulas typeset")
    return problems


def accessibility_problems(page, rules=None):
    """Run axe, all its rules or some; leave out what is accepted above.

    Its preloading of style sheets is for other origins, and a page on the
    disk may not read any.
    """
    options = {"preload": False, **(rules or {})}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']}: {node['html']}"
        for violation in found
        if violation["id"] not in ACCEPTED_VIOLATIONS
        for node in violation["nodes"]
    ]


def scrolls_sideways(page):
    return page.evaluate(
        "document.documentElement.scrollWidth > window.innerWidth"
    )


def problems_when_light(page):
    return accessibility_problems(page)


def problems_when_dark(page):
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    # The theme fades some colours; what counts is what they end at.
    page.evaluate(
        "Promise.allSettled(document.getAnimations().map(a => a.finished))"
        ".then(() => true)"
    )
    return accessibility_problems(page, COLOURS_ONLY)


def problems_when_narrow(page):
    found = []
    for viewport in NARROW:
        page.set_viewport_size(viewport)
        if scrolls_sideways(page):
            found.append(f"scrolls sideways at {viewport['width']} px")
    return found + accessibility_problems(page, NO_COLOURS)


def shown_theme(page):
    return page.evaluate("document.documentElement.dataset.theme")


def focused(page):
    """Describe the element that the keyboard is on."""
    return page.evaluate(
        """() => {
            const at = document.activeElement;
            if (at.matches("#pst-skip-link, #pst-skip-link *")) return "skip";
            if (at.matches("label, button.primary-toggle")) return "menu";
            if (at.matches(".search-button-field, .search-button"))
                return "search";
            if (at.matches("nav.bd-links a")) return "chapters";
            if (at.matches("article *")) return "text";
            return at.tagName;
        }"""
    )


def tab_stops(page, most=120):
    """Press Tab until the text is reached; return the stops on the way."""
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stops.append(focused(page))
        if stops[-1] == "text":
            break
    return stops


# --- Every page -------------------------------------------------------------


def test_pages_work_offline_for_everyone(chromium, site):
    problems = {}
    for path in every_page(site):
        with visit(chromium, path) as opened:
            found = maths_problems(opened.page)
            for view in (
                problems_when_light,
                problems_when_dark,
                problems_when_narrow,
            ):
                found += [f"{view.__name__}: {x}" for x in view(opened.page)]
            found += opened.faults
        if found:
            problems[name(site, path)] = found
    assert problems == {}


def test_a_chapter_has_maths(chromium, site):
    with visit(chromium, site / CHAPTER) as opened:
        assert opened.page.locator("mjx-container").count() > 0


# --- What a reader does -----------------------------------------------------


def test_the_dark_mode_stays(chromium, site):
    with visit(chromium, site / CHAPTER) as opened:
        page = opened.page
        assert shown_theme(page) == "light"
        switch = page.locator("button.theme-switch-button:visible").first
        for _ in range(3):  # automatic, light, dark: in a circle
            if shown_theme(page) == "dark":
                break
            switch.click()
        assert shown_theme(page) == "dark"
        page.reload()
        assert shown_theme(page) == "dark"
        assert opened.faults == []


def test_the_keyboard_reaches_everything(chromium, site):
    with visit(chromium, site / CHAPTER) as opened:
        stops = tab_stops(opened.page)
    assert stops[0] == "skip"
    assert {"search", "chapters", "text"} <= set(stops)


def test_the_skip_link_goes_to_the_text(chromium, site):
    with visit(chromium, site / CHAPTER) as opened:
        opened.page.keyboard.press("Tab")
        opened.page.keyboard.press("Enter")
        stops = tab_stops(opened.page)
    assert "chapters" not in stops
    assert stops[-1] == "text"


def test_the_keyboard_opens_the_menu_on_a_phone(chromium, site):
    with visit(chromium, site / CHAPTER, NARROW[0]) as opened:
        page = opened.page
        chapters = page.locator("nav.bd-links:visible")
        assert chapters.count() == 0
        page.locator("button.primary-toggle:visible").focus()
        page.keyboard.press("Enter")
        chapters.first.wait_for()
        assert opened.faults == []


def test_the_search_finds_bayes(chromium, site):
    with visit(chromium, site / "index.html") as opened:
        page = opened.page
        page.keyboard.press("Control+k")
        page.keyboard.type("Bayes")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=Bayes*")
        results = page.locator("#search-results li a")
        results.first.wait_for()
        targets = results.evaluate_all("links => links.map(a => a.href)")
        assert any(CHAPTER in target for target in targets)
        assert opened.faults == []


def test_code_can_be_copied(chromium, site):
    with visit(chromium, site / CHAPTER) as opened:
        cells = opened.page.locator(".cell_input div.highlight").count()
        buttons = opened.page.locator(".cell_input button.copybtn").count()
    assert cells > 0
    assert buttons == cells


def test_the_keyboard_unfolds_a_solution(chromium, site):
    with visit(chromium, site / CHAPTER) as opened:
        page = opened.page
        solution = page.locator("div.solution.dropdown").first
        text = solution.locator("section").first
        assert not text.is_visible()
        solution.locator("button.toggle-button").focus()
        page.keyboard.press("Enter")
        assert text.is_visible()
        page.keyboard.press("Enter")
        assert not text.is_visible()
        assert opened.faults == []


# --- The checks turn red ----------------------------------------------------


@pytest.fixture
def broken(site, tmp_path):
    """Give a function that writes a page with something added to its text."""
    (tmp_path / "_static").symlink_to(site / "_static")
    shutil.copy(site / "searchindex.js", tmp_path)
    page = (site / "book/appendix/notation.html").read_text()
    page = page.replace("../../", "")

    def write(addition):
        path = tmp_path / "broken.html"
        path.write_text(page.replace("</article>", addition + "</article>"))
        return path

    return write


def test_an_unbroken_page_is_fine(chromium, broken):
    with visit(chromium, broken("")) as opened:
        assert maths_problems(opened.page) == []
        assert accessibility_problems(opened.page) == []
        assert opened.faults == []


def test_an_undefined_macro_is_seen(chromium, broken):
    added = r'<span class="math">\(\undefinedmacro\)</span>'
    with visit(chromium, broken(added)) as opened:
        problems = maths_problems(opened.page)
    assert any("undefinedmacro" in problem for problem in problems)


def test_maths_that_is_not_typeset_is_seen(chromium, broken):
    added = '<span class="math">\\(x</span>'
    with visit(chromium, broken(added)) as opened:
        [problem] = maths_problems(opened.page)
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
def test_a_fault_is_seen(chromium, broken, added, fault):
    with visit(chromium, broken(added)) as opened:
        opened.page.wait_for_timeout(100)
        assert any(found.startswith(fault) for found in opened.faults)


def test_an_inaccessible_element_is_seen(chromium, broken):
    with visit(chromium, broken("<p><button></button></p>")) as opened:
        [problem] = accessibility_problems(opened.page)
    assert problem.startswith("button-name")


def test_a_page_that_is_too_wide_is_seen(chromium, broken):
    wide = '<div style="width: 2000px">wide</div>'
    with visit(chromium, broken(wide)) as opened:
        found = problems_when_narrow(opened.page)
    assert sum("sideways" in problem for problem in found) == len(NARROW)
