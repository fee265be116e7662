"""The built pages in a real browser, from the disk, without a network."""

import json
from contextlib import closing, suppress
from pathlib import Path

import pytest
from browsing import PATIENCE, WIDE, open_tab, reload
from formulas import typeset
from looking import (
    CHAPTER,
    NARROW,
    SHORT,
    focus_problems,
    never_idle,
    pasted,
    resize,
    shown_theme,
    stand_still,
    style,
    tab_stops,
)
from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def chapter_tab(chromium, site):
    """Open a chapter once, as its formulas take seconds."""
    with open_tab(chromium) as tab, tab.visit(site / CHAPTER):
        yield tab


@pytest.fixture
def chapter(chapter_tab):
    """Give the open chapter to a test that leaves its text as it was."""
    page = chapter_tab.page
    before = text_and_memory(page)
    yield page
    page.set_viewport_size(WIDE)
    page.emulate_media(media="screen", color_scheme="light")
    page.evaluate(
        """() => {
            location.hash = "";
            getSelection().removeAllRanges();
            document.activeElement.blur();
        }"""
    )
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert text_and_memory(page) == before
    assert chapter_tab.faults == []


def text_and_memory(page):
    """Return what a test could leave to the next: all but its buttons' words.

    A button says for a while that it has copied, and what a click would do.
    """
    return page.evaluate(
        """() => {
            const text = document.querySelector("article").cloneNode(true);
            text.querySelectorAll("button").forEach(node => node.remove());
            return [
                text.textContent,
                text.querySelectorAll("*").length,
                {...localStorage},
                {...sessionStorage},
            ];
        }"""
    )


@pytest.fixture(scope="module")
def phone(chromium, site):
    with (
        open_tab(chromium) as tab,
        tab.visit(site / CHAPTER, NARROW[0]) as page,
    ):
        stand_still(page)
        yield page


# --- What a reader does -----------------------------------------------------


def test_the_dark_mode_stays(tab, site):
    with tab.visit(site / SHORT) as page:
        assert shown_theme(page) == "light"
        switch = page.locator("button.theme-switch-button:visible").first
        for _ in range(3):  # automatic, light, dark: in a circle
            if shown_theme(page) == "dark":
                break
            switch.click()
        assert shown_theme(page) == "dark"
        reload(page)
        assert shown_theme(page) == "dark"
        assert tab.faults == []


def test_the_keyboard_reaches_everything(tab, site):
    with tab.visit(site / SHORT) as page:
        stops = tab_stops(page)
    assert stops[0] == "skip"
    assert {"search", "chapters", "text"} <= set(stops)


def test_the_skip_link_goes_to_the_text(tab, site):
    with tab.visit(site / SHORT) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        stops = tab_stops(page)
    assert "chapters" not in stops
    assert stops[-1] == "text"


def test_the_keyboard_opens_the_menu_on_a_phone(tab, site):
    with tab.visit(site / SHORT, NARROW[0]) as page:
        chapters = page.locator("nav.bd-links:visible")
        assert chapters.count() == 0
        page.locator("button.primary-toggle:visible").focus()
        page.keyboard.press("Enter")
        chapters.first.wait_for()
        assert tab.faults == []


def test_every_stop_of_the_keyboard_is_marked(tab, site):
    with tab.visit(site / SHORT) as page:
        assert focus_problems(page) == []


def test_a_link_marks_where_it_leads(chapter):
    for name in ("fig-dice", "equation-eq-total", "thm-bayes"):
        chapter.evaluate("name => location.hash = name", name)
        assert style(chapter, f"#{name}", "outlineStyle") == ["solid"]


def test_a_chapter_has_maths_and_code_that_can_be_copied(chapter):
    notebook = json.loads((ROOT / CHAPTER).with_suffix(".ipynb").read_text())
    sources = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert chapter.locator(".katex").count() > 0
    cells = chapter.locator(".cell_input div.highlight")
    buttons = cells.locator("button.copybtn")
    assert cells.count() == buttons.count() > 0
    # The first one has the imports, and is folded like others.
    seen = cells.evaluate_all(
        "cells => cells.findIndex(cell => cell.checkVisibility())"
    )
    assert seen > 0
    cells.nth(seen).hover()
    buttons.nth(seen).click()
    assert pasted(chapter) in sources
    assert chapter.locator(".cell_output button.copybtn").count() == 0


def test_a_copied_sentence_has_its_formulas(chapter):
    chapter.evaluate(
        """getSelection().setBaseAndExtent(
            document.querySelector("#def-space"), 0,
            document.querySelector("#prop-rules"), 1)"""
    )
    chapter.keyboard.press("Control+c")
    text = pasted(chapter)
    assert r"with a number $p(\omega) \ge 0$ for every outcome" in text
    assert r"\mathbb{P}[A] = \sum_{\omega \in A} p(\omega)" in text
    expect(chapter.locator(".katex[style*=none]")).to_have_count(0)


def test_formulas_need_no_script(chromium, site):
    with closing(chromium.new_page(java_script_enabled=False)) as page:
        page.goto((site / CHAPTER).as_uri())
        shown = page.locator("#def-space .math:has(annotation:text('sum'))")
        expect(shown.first.locator(".katex-html .mop").first).to_be_visible()
        assert "mathbb" not in page.locator("article").inner_text()
        # What is too wide for a phone can be moved, or goes on below.
        page.set_viewport_size(NARROW[0])
        [reach] = style(page, "p:has(> .book-joined)", "overflowX")
        [display] = style(page, ".katex-display wbr", "display")
        assert (reach, display) == ("auto", "inline")


def test_the_keyboard_unfolds_every_solution(chapter):
    solutions = chapter.locator("div.solution.dropdown")
    assert solutions.count() > 0
    for solution in solutions.all():
        text = solution.locator("section").first
        button = solution.locator("button.toggle-button")
        assert not text.is_visible()
        button.focus()
        chapter.keyboard.press("Shift+Tab")
        expect(button).not_to_be_focused()
        chapter.keyboard.press("Tab")
        expect(button).to_be_focused()
        chapter.keyboard.press("Enter")
        assert text.is_visible()
        chapter.keyboard.press("Enter")
        assert not text.is_visible()


# --- How it looks -----------------------------------------------------------


def test_what_folds_looks_alike(chapter):
    selectors = (
        "details.sd-dropdown > summary",
        "details.hide > summary",
        "div.solution > p.admonition-title",
    )
    names = ("height", "fontSize", "fontWeight", "display", "paddingLeft")
    looks = [style(chapter, selector, *names) for selector in selectors]
    button = chapter.locator("button.toggle-button").first.bounding_box()
    assert looks[0] == looks[1] == looks[2]
    assert min(button["width"], button["height"]) >= 24


def test_links_have_one_colour(chapter):
    [in_text] = style(chapter, "article > section p a", "color")
    [in_table] = style(chapter, "article .table a", "color")
    assert in_table == in_text


def test_no_sign_is_of_a_font_that_the_book_does_not_have(chapter):
    """The icons of the theme are: those that are shown are masks."""
    found = chapter.evaluate(
        r"""() => [...document.querySelectorAll("body *")].flatMap(node =>
            ["::before", "::after"].filter(part =>
                /[\ue000-\uf8ff]/.test(getComputedStyle(node, part).content)
                && getComputedStyle(node).maskImage == "none"
            ).map(part => node.outerHTML.slice(0, 100) + part))"""
    )
    assert found == []


def test_theorems_cast_no_shadow(chapter):
    assert style(chapter, "div.theorem", "boxShadow") == ["none"]


@pytest.mark.parametrize("width", [1280, 375])
def test_punctuation_stays_with_its_formula(chapter, width):
    chapter.set_viewport_size({"width": width, "height": 800})
    joined, parted = chapter.evaluate(
        """() => {
            const left = node => {
                const range = document.createRange();
                range.setStart(node, 0);
                range.setEnd(node, 1);
                return range.getBoundingClientRect().left;
            };
            const formulas = [...document.querySelectorAll("span.math")]
                .filter(formula => formula.checkVisibility())
                .filter(({nextSibling: next}) =>
                    next instanceof Text && /^[.,;:!?)”]/.test(next.data));
            const end = formula =>
                [...formula.querySelectorAll(".katex-base")].at(-1);
            const parted = formulas.filter(formula =>
                left(formula.nextSibling) <
                end(formula).getBoundingClientRect().left);
            return [formulas.length, parted.length];
        }"""
    )
    assert joined > 0
    assert parted == 0


def test_a_phone_shows_figures_whole(phone):
    boxes = phone.locator("article figure").evaluate_all(
        """figures => figures.flatMap(figure =>
            [...figure.querySelectorAll(":is(.book-picture, img, svg)")].map(
                picture => {
                    const {left, right} = picture.getBoundingClientRect();
                    return [left, right];
                }))"""
    )
    assert boxes
    for left, right in boxes:
        assert 0 <= left < right <= phone.viewport_size["width"]


def test_a_phone_shows_where_formulas_begin(phone):
    starts = phone.locator("div.math").evaluate_all(
        """boxes => boxes.filter(box => box.checkVisibility()).map(box =>
            box.querySelector(".katex-base").getBoundingClientRect().left -
            box.getBoundingClientRect().left)"""
    )
    assert min(starts) >= 0


@pytest.mark.parametrize(
    "selector",
    [
        ".pst-scrollable-table-container",
        ".katex-display",
        "div.cell_input pre",
    ],
)
def test_what_goes_on_beyond_the_edge_fades_there(phone, selector):
    regions = phone.locator(f"{selector}[data-more]:visible")
    region = regions.first.element_handle()
    mask = "node => getComputedStyle(node).maskImage"
    assert region.evaluate(mask) != "none"
    region.evaluate("node => node.scrollLeft = node.scrollWidth")
    phone.wait_for_function("node => !node.matches('[data-more]')", arg=region)
    assert region.evaluate(mask) == "none"
    region.evaluate("node => node.scrollLeft = 0")  # as others find it


def test_a_phone_lays_out_what_is_near(tab, site):
    near = "node => node.checkVisibility({contentVisibilityAuto: true})"
    with never_idle(tab.page), tab.visit(site / CHAPTER, NARROW[1]) as page:
        last = page.locator("article section:has(> h2)").last
        code = page.evaluate_handle(
            """[...document.querySelectorAll("div.cell_input pre")].findLast(
                pre => pre.scrollWidth > pre.clientWidth + 1)"""
        ).as_element()
        assert not last.locator("p *").first.evaluate(near)
        assert not code.evaluate(near)
        assert code.evaluate("pre => pre.tabIndex") == -1
        # A link leads there all the same, and what is near is complete.
        name = last.get_attribute("id")
        page.evaluate("name => location.hash = name", name)
        expect(last.locator("h2")).to_be_in_viewport()
        assert last.locator("p *").first.evaluate(near)
        code.scroll_into_view_if_needed()
        page.wait_for_function("pre => pre.tabIndex == 0", arg=code)
        # On paper is all of it.
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function(f"pre => !({near})(pre)", arg=code)
        page.emulate_media(media="print")
        page.wait_for_function(near, arg=code)
        page.emulate_media(media="screen")


def test_a_table_far_below_stays_reachable(tab, site):
    """Though it has lost its layout, in which it scrolls."""
    path = site / "book/appendix/library/guide_ask.html"
    with tab.visit(path, NARROW[0]) as page:
        table = page.locator("section > .pst-scrollable-table-container").last
        box = table.element_handle()
        page.wait_for_function(
            """box => box.tabIndex == 0 && !box.firstElementChild
                .checkVisibility({contentVisibilityAuto: true})""",
            arg=box,
            polling=500,
            timeout=PATIENCE,
        )
        page.evaluate(  # so that all regions are measured again
            """() => document.querySelector("article")
                .append(document.createElement("hr"))"""
        )
        page.wait_for_timeout(500)
        assert box.evaluate("box => box.tabIndex") == 0


def test_nothing_jumps_for_who_scrolls_up_on_a_phone(tab, site):
    """Though the sections above get their heights only then."""
    step, steps = 260, 30
    with never_idle(tab.page), tab.visit(site / CHAPTER, NARROW[1]) as page:
        page.evaluate("location.hash = 'thm-bayes'")
        jumps = page.evaluate(
            """async ([step, steps]) => {
                const frame = () => new Promise(requestAnimationFrame);
                const jumps = [];
                for (let i = 0; i < steps; i++) {
                    // Between two parts it is their section that is there.
                    let y = 300;
                    const at = () => document.elementFromPoint(180, y);
                    while (at().matches("section, article")) y += 10;
                    const text = at();
                    const top = text.getBoundingClientRect().top;
                    scrollBy({top: -step, behavior: "instant"});
                    await frame();
                    await frame();
                    await new Promise(end => setTimeout(end, 30));
                    jumps.push(text.getBoundingClientRect().top - top - step);
                }
                return jumps;
            }""",
            [step, steps],
        )
        assert page.evaluate("scrollY") > 0
    assert max(map(abs, jumps)) < 2


# How far below the place that a link leads to a target is seen.
OFF_TARGET = """name => new Promise(requestAnimationFrame)
    .then(() => new Promise(requestAnimationFrame))
    .then(() => new Promise(end => setTimeout(end, 100)))
    .then(() => document.getElementById(name).getBoundingClientRect().top
        - parseFloat(getComputedStyle(document.documentElement)
            .scrollPaddingTop))"""


@pytest.mark.parametrize("name", ["quiz", "sources-and-further-reading"])
def test_a_link_ends_at_its_target_on_a_phone(tab, site, name):
    """Though what lies just above it gets its height only then."""
    with never_idle(tab.page), tab.visit(site / CHAPTER, NARROW[1]) as page:
        page.evaluate("name => location.hash = name", name)
        assert abs(page.evaluate(OFF_TARGET, name)) < 2
        page.goto("about:blank")
        page.goto(f"{(site / CHAPTER).as_uri()}#{name}")
        assert abs(page.evaluate(OFF_TARGET, name)) < 2


# The height of each part of a chapter.
HEIGHTS = """() =>
    [...document.querySelectorAll("article > section section > :not(section)")]
        .map(part => part.getBoundingClientRect().height)"""


def test_a_phone_soon_knows_all_heights(tab, site):
    """So that scripts, the search in a page and a reload find any place."""
    place = """() => document.querySelector("#summary")
        .getBoundingClientRect().top"""
    with tab.visit(site / CHAPTER, NARROW[1]) as page:
        # After a reload all is laid out at once, with its letters and its wide
        # formulas a moment later.
        page.reload()
        page.evaluate(HEIGHTS)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(1000)
        whole = page.evaluate(HEIGHTS)
        page.goto("about:blank")
        page.goto((site / CHAPTER).as_uri())
        with suppress(NotInTime):
            # Seldom, as a page that is asked at each frame is never idle.
            page.wait_for_function(
                f"""whole => ({HEIGHTS})().every(
                    (height, i) => Math.abs(height - whole[i]) < 1)""",
                arg=whole,
                polling=1000,
                timeout=PATIENCE,
            )
        assert page.evaluate(HEIGHTS) == pytest.approx(whole, abs=1)
        # And yet most of it has no layout any more.
        far = page.locator("#quiz fieldset").last
        page.wait_for_function(
            "node => !node.checkVisibility({contentVisibilityAuto: true})",
            arg=far.element_handle(),
        )
        page.evaluate("document.querySelector('#summary').scrollIntoView()")
        page.evaluate("scrollBy(0, -1000)")
        page.wait_for_timeout(500)  # a wide formula gets a line of its own
        seen = page.evaluate(place)
        page.reload()
        page.wait_for_function(
            f"seen => Math.abs(({place})() - seen) < 2",
            arg=seen,
            timeout=PATIENCE,
        )


@pytest.mark.parametrize("width", [NARROW[0]["width"], 700, 1280])
def test_the_index_keeps_to_its_column(tab, site, width):
    with tab.visit(site / "genindex.html", WIDE | {"width": width}) as page:
        beyond = page.locator(".book-index li").evaluate_all(
            """lines => lines.map(line =>
                line.getBoundingClientRect().right -
                line.closest("article").getBoundingClientRect().right)"""
        )
    assert len(beyond) > 400
    assert max(beyond) <= 0


# What WCAG 2.2, 1.4.12 lets a reader ask for.
TEXT_SPACING = """
    * {
        letter-spacing: 0.12em !important;
        line-height: 1.5 !important;
        word-spacing: 0.16em !important;
    }
    p { margin-bottom: 2em !important; }
"""


@pytest.mark.parametrize("path", [CHAPTER, "book/appendix/practice.html"])
def test_wider_letters_do_not_make_a_phone_scroll_sideways(tab, site, path):
    """The icon at the end of a page, the lists to choose from, figures."""
    with tab.visit(site / path, {"width": 360, "height": 740}) as page:
        page.add_style_tag(
            content=TEXT_SPACING
            + "article section > * { content-visibility: visible !important }"
        )
        # A wide formula gets its own line a moment later.
        page.wait_for_function(
            "document.documentElement.scrollWidth <= innerWidth"
        )


def test_a_phone_shows_the_neighbours_names(tab, site):
    page_of_library = site / "book/appendix/library/data.html"
    with tab.visit(page_of_library, NARROW[0]) as page:
        cut = page.locator(".prev-next-area a").evaluate_all(
            "links => links.filter(a => a.scrollWidth > a.clientWidth).length"
        )
    assert cut == 0


def test_what_is_problems_on_a_phone_can_be_scrolled_on_a_screen_that_turns(
    tab, site
):
    """Formulas among others: their page is laid out after it has turned."""
    page_of_library = site / "book/appendix/library/network.html"
    with tab.visit(page_of_library, NARROW[1]) as page:
        resize(page, WIDE)
        formulas = page.locator(".katex-display[tabindex='0']")
        expect(formulas).not_to_have_count(0)


def test_paper_is_white_and_unfolded(chapter):
    chapter.emulate_media(color_scheme="dark")
    expect(chapter.locator("html")).to_have_attribute("data-theme", "dark")
    chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
    chapter.emulate_media(media="print")
    assert shown_theme(chapter) == "light"
    assert chapter.locator(".sd-summary-content:visible").count() > 0
    reasons = chapter.locator(".bayesbook-check .quiz-reasons")
    assert all(each.is_visible() for each in reasons.all())
    assert reasons.count() > 0
    assert chapter.locator("details.hide:visible").count() == 0
    assert chapter.locator("summary svg:visible").count() == 0
    # The title of a quiz or a drill does not end a sheet.
    head = style(chapter, ".bayesbook-drill .quiz-head", "breakAfter")
    assert head == ["avoid"]
    chapter.emulate_media(media="screen")
    chapter.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown_theme(chapter) == "dark"
    assert chapter.locator(".sd-summary-content:visible").count() == 0
    assert not any(each.is_visible() for each in reasons.all())
    assert chapter.evaluate("localStorage.getItem('theme')") == "light"


# As wide as A4 between its margins.
PAPER = {"width": 680, "height": 960}
CUT = "node => node.scrollWidth > node.clientWidth + 1"


def test_paper_breaks_a_long_formula_where_it_may(tab, broken):
    sums = " + ".join([r"\log \det(\Sigma - x)"] * 4)
    formula = typeset(rf"\ell = {sums} = \Bigl( {sums} \Bigr)", display=True)
    sheet = '<link rel="stylesheet" href="_static/katex/katex-swap.min.css">'
    with tab.visit(
        broken(f'{sheet}<div class="math">{formula}</div>')
    ) as page:
        page.set_viewport_size(PAPER)
        display = page.locator(".katex-display")
        assert display.evaluate(CUT)
        page.emulate_media(media="print")
        assert not display.evaluate(CUT)
        # What is in brackets stays on one line.
        opening, closing = (
            display.locator(f".{name} > *").bounding_box()["y"]
            for name in ("mopen", "mclose")
        )
        assert opening == closing > display.bounding_box()["y"] + 20
        assert tab.faults == []


def test_paper_shows_a_wide_table_whole(tab, broken):
    row = "".join(f"<th>column {n}, megabytes</th>" for n in range(6))
    table = f'<table class="dataframe"><tr>{row}</tr></table>'
    output = f'<div class="output text_html">{table}</div>'
    with tab.visit(broken(f'<div class="cell_output">{output}</div>')) as page:
        page.set_viewport_size(PAPER)
        output = page.locator(".output.text_html")
        assert output.evaluate(CUT)
        page.emulate_media(media="print")
        assert not output.evaluate(CUT)
