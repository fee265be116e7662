"""The checks of the pages in a browser turn red where a page is at fault."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import AXE, accessibility_problems, wait_until_reachable
from formulas import typeset
from looking import (
    COLOURS,
    NARROW,
    OFTEN,
    SHORT,
    focus_problems,
    leave_out_known,
    lost_names,
    maths_problems,
    problems_on_a_phone,
    problems_when_dark,
    problems_when_light,
)


def test_an_unbroken_page_is_fine(tab, broken):
    with tab.visit(broken("")) as page:
        assert maths_problems(page) == []
        assert accessibility_problems(page) == []
        assert tab.faults == []


@pytest.mark.parametrize(
    "added",
    [
        r"<p>\(x\)</p>",
        r"<p>$$x$$</p>",
        r"<p>\mathbb{P}</p>",
        '<span class="math">x</span>',
        '<span class="katex-error" title="ParseError">x</span>',
    ],
)
def test_maths_that_is_not_typeset_is_seen(tab, broken, added):
    with tab.visit(broken(added)) as page:
        [problem] = maths_problems(page)
    assert problem.startswith("maths: ")


def test_code_and_formulas_may_have_tex(tab, broken):
    added = rf"<p><code>\(x\)</code> {typeset('x^2')}</p>"
    with tab.visit(broken(added)) as page:
        assert maths_problems(page) == []


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


def test_what_was_still_loading_when_a_reader_left_is_not_missing(tab, site):
    gone = []
    tab.page.on("requestfailed", lambda request: gone.append(request.url))
    never = re.compile("never.png")
    tab.page.route(never, lambda route: None)
    with tab.visit(site / "index.html") as page:
        page.evaluate("new Image().src = 'never.png'")
        page.goto((site / SHORT).as_uri())
        assert [name for name in gone if never.search(name)]
        assert tab.faults == []
    tab.page.unroute(never)


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
            "<span class='katex'><math><mi>x</mi><mi role='no'>y</mi></math>"
            "</span>",
            "aria-roles",
        ),
    ],
)
def test_an_inaccessible_element_is_seen(tab, broken, added, rule):
    with tab.visit(broken(added)) as page:
        leave_out_known(page, {})
        [problem] = problems_when_light(page)
    assert problem.startswith(rule)


WIDE_CODE = (
    "<div class='highlight'><pre>x = 1  # " + "wide " * 99 + "</pre></div>"
)


def test_axe_waits_for_a_script_that_is_late(tab, broken):
    """A region that scrolls is made reachable a moment after a page came."""
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Page.enable")
    session.send(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": "const soon = setTimeout; window.setTimeout = "
            "(act, wait, ...rest) => soon(act, (wait ?? 0) + 2000, ...rest);"
        },
    )
    try:
        with tab.visit(broken(WIDE_CODE)) as page:
            pre = page.locator("article pre").last
            assert pre.evaluate("pre => pre.tabIndex") == -1
            assert accessibility_problems(page) == []
            assert pre.evaluate("pre => pre.tabIndex") == 0
    finally:
        session.detach()


def test_a_region_that_stays_out_of_reach_is_seen(tab, broken, monkeypatch):
    """Axe says so after the wait, which is shorter here."""
    with tab.visit(broken(WIDE_CODE)) as page:
        wait_until_reachable(page)
        page.locator("article pre").last.evaluate(
            "pre => pre.removeAttribute('tabindex')"
        )
        monkeypatch.setattr("browsing.PATIENCE", 2000)
        [problem] = accessibility_problems(page)
    assert problem.startswith("scrollable-region-focusable")


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
        leave_out_known(page, {})
        assert problems_when_light(page) == []
        [problem, *_] = problems_when_dark(page)
    assert problem.startswith(rule)


def test_blocks_stay_until_all_their_parts_are_known(tab, broken):
    """Other words are nothing new; another class, state or colour is."""
    known = "<section id='planted'><p>text <a href='#'>of a link</a></p>"
    new = (
        "<p>text <a href='#'></a></p>",
        "<p>text <a href='#' class='x'>of a link</a></p>",
        "<p>text <a href='#' role='button'>of a link</a></p>",
        "<p>text <a href='#' style='color: red'>of a link</a></p>",
        "<p>text <em><a href='#'>of a link</a></em></p>",
        "<p class='y'>text <a href='#'>of a link</a></p>",
        "<div class='x'><p>text <a href='#'>of a link</a></p></div>",
        "<ul><li>text</li></ul>",
        "<ul><li>text</li><a href='#'>of a link</a></ul>",
    )
    seen, left = {}, []
    for number in range(OFTEN + 1):
        more = known.replace("text", f"another text {number}")
        with tab.visit(broken(more + "</section>")) as page:
            leave_out_known(page, seen)
            left.append(page.locator("#planted > p").count())
    assert left == [*[1] * OFTEN, 0]
    with tab.visit(broken(known + "".join(new) + "</section>")) as page:
        leave_out_known(page, seen)
        blocks = page.locator("#planted > *")
        stayed = blocks.evaluate_all(
            """nodes => nodes.map(node =>
                node.outerHTML.replaceAll(' data-stays=""', ""))"""
        )
    assert stayed == [html.replace("'", '"') for html in new]


def test_questions_stay_by_what_they_are_and_not_by_their_names(tab, broken):
    """A quiz that has a new question keeps this one, and no other."""
    question = (
        "<form class='quiz-question' data-id='coins'><label>text "
        "<input name='a' aria-label='m' placeholder='x'></label></form>"
    )
    new = [
        question.replace("data-id", "data-state='wrong' data-id"),
        question.replace("label>", "p>"),
        question.replace("'m'", "''"),
        question.replace("<label>", "<label class='x'>"),
        question.replace("<input", "<input role='button'"),
        question.replace("<input", "<input type='radio'"),
        question.replace("text", ""),
    ]
    others = [
        question.replace("'coins'", "'dice'"),
        question.replace("name='a'", "name='b'"),
        question.replace("'m'", "'n'"),
    ]
    seen, left = {}, []
    for text in [question] * (OFTEN + 1) + ["".join(others + new)]:
        quiz = f"<section class='bayesbook-quiz' id='planted'>{text}</section>"
        with tab.visit(broken(quiz)) as page:
            leave_out_known(page, seen)
            left.append(page.locator("#planted > form").count())
    assert left == [*[1] * OFTEN, 0, len(new)]


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


def test_a_page_that_is_problems_on_a_phone_is_seen(tab, broken):
    wide = '<div style="width: 2000px">wide</div>'
    with tab.visit(broken(wide)) as page:
        assert len(problems_on_a_phone(page)) == len(NARROW)


@pytest.mark.parametrize(("size", "seen"), [(8, True), (9, False)])
def test_letters_that_are_tiny_and_stay_so_are_seen(tab, broken, size, seen):
    drawing = (
        '<div class="book-picture" role="img" aria-label="x"><div>'
        f'<svg viewBox="0 0 200 20" style="width: 200px"><text font-size='
        f'"{size}" y="9">x</text></svg></div></div>'
    )
    with tab.visit(broken(drawing)) as page:
        found = problems_on_a_phone(page)
    assert found == ["tiny letters: x"] * seen * len(NARROW)


def test_what_a_whole_page_lacks_is_seen(tab, broken):
    """Of each kind one that is at fault, and one that is not."""
    added = (
        "<p id='x' aria-labelledby='lost'>text</p>"
        "<p aria-labelledby='x'>text</p>"
        "<button style='width: 20px; height: 30px; padding: 0'>x</button>"
        "<button style='width: 30px; height: 30px'>x</button>"
        "<div style='overflow: auto'><p style='width: 900px'>x</p></div>"
        "<div style='overflow: auto' tabindex='0'>"
        "<p style='width: 900px'>x</p></div>"
    )
    with tab.visit(broken(added)) as page:
        [lost] = lost_names(page)
        narrow = problems_on_a_phone(page)
    assert 'id="x"' in lost
    assert [problem.split()[0] for problem in narrow] == ["small:", "stuck:"]
