"""Cards show what a link leads to, to the mouse, the keyboard and a finger."""

import json
import posixpath
import re
from types import SimpleNamespace

import pytest
from browsing import (
    WIDE,
    Tab,
    open_tab,
)
from cards import FOLDER, element, shown_blocks, with_cards, write_cards
from looking import (
    SHORT,
    hard_to_use,
    lost_names,
    problems_when_dark,
    problems_when_light,
    scrolls_sideways,
    stand_still,
    switch_theme,
)
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740}
# A page for the tests has one link of each kind, to blocks of real pages.
GLOSSARY = "appendix/glossary"
SOURCES = "appendix/bibliography"
CHAPTER = "conditioning/events"
ELSEWHERE = {
    "term": (GLOSSARY, "term-evidence", "证据"),
    "theorem": (CHAPTER, "thm-bayes", "Theorem 1.7"),
    "equation": (CHAPTER, "equation-eq-total", "(1.2)"),
    "figure": (CHAPTER, "fig-dice", "Figure 1."),
    "exercise": (CHAPTER, "exr-posterior", "Exercise 1.2"),
    "source": (SOURCES, "id2", "Hailfinder"),
}
HERE = {
    "definition here": (CHAPTER, "def-independent", "Definition 1.3"),
    "equation here": (CHAPTER, "equation-eq-bayes", "(1.3)"),
    "figure here": (CHAPTER, "fig-prevalence", "Figure 1."),
}
ALL = ELSEWHERE | HERE
# What the labels of the book begin with.
SHOWN = ("term", "thm", "lem", "prop", "cor", "def", "exm", "alg", "exr")
SHOWN += ("fig", "equation")
BOX = '<div class="proof theorem admonition" id="thm-a"><div>A.</div></div>'
FIGURE = '<figure class="align-default" id="fig-a"><img/></figure>'
DEFINED = '<dt id="term-b">b</dt><dt id="term-1" lang="zh">乙</dt><dd>B.</dd>'
TERMS = f"<dl>{DEFINED}<dt id='other'>c</dt><dd>C.</dd></dl>"


# --- Writing ----------------------------------------------------------------


def link(address, title=""):
    return f'<a class="reference internal" href="{address}"{title}>x</a>'


def marked(address, source):
    return link(address).replace(" href", f' data-card="{source}" href')


def test_an_element_ends_where_it_is_closed():
    html = "<p><div><div>x</div><br></div><div>y</div>"
    assert element(html, 3) == "<div><div>x</div><br></div>"
    with pytest.raises(ValueError, match="ends within"):
        element("<p><p>", 0)


def test_a_page_shows_its_blocks_and_its_terms():
    section = '<section id="sec-a"><p id="par">text</p></section>'
    entry = f'<dl class="glossary">{DEFINED}</dl>'
    assert shown_blocks(section + BOX + FIGURE + TERMS) == {
        "thm-a": BOX,
        "fig-a": FIGURE,
        "term-b": entry,
        "term-1": entry,
    }


def test_links_are_marked_and_others_left():
    blocks = {
        "part/page.html": {"thm-a": BOX, "term-b": "<dl>"},
        "other/page.html": {"fig-a": FIGURE},
    }
    source = "../cards/part/page.js"
    pairs = [
        (link("#thm-a"), marked("#thm-a", "")),
        (link("#term-b"), marked("#term-b", source)),
        (
            link("../other/page.html#fig-a", ' title="x"'),
            marked("../other/page.html#fig-a", source),
        ),
        (link("#sec-a"), link("#sec-a")),
        (link("page.html"), link("page.html")),
    ]
    before, after = map("".join, zip(*pairs, strict=True))
    html, brought = with_cards("part/page", before, blocks)
    assert html == after
    assert brought == {"#term-b": "<dl>", "../other/page.html#fig-a": FIGURE}


def site_of(root, pages):
    for name, html in pages.items():
        path = root / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, "utf-8")
    return SimpleNamespace(
        outdir=str(root),
        builder=SimpleNamespace(name="html"),
        env=SimpleNamespace(found_docs=set(pages)),
    )


def files(root):
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in root.rglob("*.*")
    }


def test_a_second_build_writes_the_same(tmp_path):
    pages = {"a": BOX + link("#thm-a"), "b/c": link("../a.html#thm-a")}
    app = site_of(tmp_path, pages)
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "gone.js").touch()
    write_cards(app, None)
    once = files(tmp_path)
    assert sorted(once) == ["a.html", "b/c.html", "cards/b/c.js"]
    assert once["cards/b/c.js"].startswith("window.bayesbookCards = {")
    write_cards(app, None)
    assert files(tmp_path) == once
    # One page is written anew, and leads elsewhere.
    (tmp_path / "b" / "c.html").write_text("")
    write_cards(app, None)
    assert sorted(files(tmp_path)) == ["a.html", "b/c.html"]


@pytest.mark.parametrize(
    ("exception", "builder"), [(ValueError(), "html"), (None, "latex")]
)
def test_nothing_is_written_without_pages(tmp_path, exception, builder):
    app = site_of(tmp_path, {"a": BOX + link("#thm-a")})
    app.builder.name = builder
    before = files(tmp_path)
    write_cards(app, exception)
    assert files(tmp_path) == before


# --- The built pages --------------------------------------------------------


def text_of(html):
    return html.partition("<article")[2].partition("</article>")[0]


def brought_to(site, name):
    script = site / FOLDER / name.replace(".html", ".js")
    said = script.read_text("utf-8").removeprefix("window.bayesbookCards = ")
    return json.loads(said.removesuffix(";\n"))


def test_every_link_of_these_kinds_has_its_card(site):
    """Which these are, is known here by the labels of what they lead to."""
    found = dict.fromkeys((*SHOWN, "source"), 0)
    links = re.compile(r'<a ([^>]*)href="([^"#]*)#([^"]+)"([^>]*)>')
    for path in sorted((site / "book").rglob("*.html")):
        name = path.relative_to(site).as_posix()
        for before, page, label, after in links.findall(
            text_of(path.read_text("utf-8"))
        ):
            kind = label.partition("-")[0]
            if re.fullmatch(r".*bibliography\.html", page):
                kind = "source"
            expected = kind in found and 'class="reference' in before
            card = re.search(r'data-card="(.*?)"', before)
            assert bool(card) == expected, (name, page, label)
            if not expected:
                continue
            found[kind] += 1
            assert "title=" not in after
            assert bool(card[1]) == bool(page or kind == "term")
            if card[1]:
                script = site / posixpath.dirname(name) / card[1]
                assert script.resolve() == (
                    site / FOLDER / name.replace(".html", ".js")
                )
                assert (
                    f'id="{label}"'
                    in brought_to(site, name)[f"{page}#{label}"]
                )
    del found["alg"]  # no chapter has one so far
    assert min(found.values()) > 0, found


def test_no_other_part_of_a_page_has_cards(site):
    for path in [*site.glob("*.html"), *(site / "book").rglob("*.html")]:
        html = path.read_text("utf-8")
        assert html.count("data-card") == text_of(html).count("data-card")
    assert "data-card" not in (site / "genindex.html").read_text("utf-8")


# --- A reader ---------------------------------------------------------------


def filled(site, text):
    """Return a page of the book with more text."""
    page = (site / SHORT).read_text("utf-8")
    return page.replace("</article>", f"<section>{text}</section></article>")


@pytest.fixture(scope="module")
def pages(site, tmp_path_factory):
    """Give a folder with two pages, one of which leads to the other."""
    root = tmp_path_factory.mktemp("cards")
    for name in ("_static", "_images"):
        (root / name).symlink_to(site / name)
    found = {
        page: shown_blocks((site / f"book/{page}.html").read_text("utf-8"))
        for page in (GLOSSARY, SOURCES, CHAPTER)
    }
    links = [
        link(f"b/other.html#{label}") for _, label, _ in ELSEWHERE.values()
    ]
    links += [link(f"#{label}") for _, label, _ in HERE.values()]
    links.append('<a href="b/other.html" id="no-card">another page</a>')
    room = '<p style="height: 60rem">x</p>'

    def blocks(those):
        return "".join(found[page][label] for page, label, _ in those.values())

    text = f"<p>A sentence with {' and with '.join(links)}, which ends.</p>"
    here = filled(site, room + text + room + blocks(HERE))
    app = site_of(
        root,
        {
            "book/page": here.replace("../../", "../"),
            "book/b/other": filled(site, blocks(ELSEWHERE)),
        },
    )
    write_cards(app, None)
    return root / "book"


@pytest.fixture(scope="module")
def reading(chromium, pages):
    with open_tab(chromium) as tab, tab.visit(pages / "page.html"):
        stand_still(tab.page)
        yield tab


@pytest.fixture
def page(reading):
    """Give the page with no card to a test, and see that it was no trouble."""
    page = reading.page
    page.mouse.move(0, 0)
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    yield page
    page.set_viewport_size(WIDE)
    page.emulate_media(media="screen")
    switch_theme(page, "light")
    assert reading.faults == []


def link_to(page, kind):
    _, label, _ = ALL[kind]
    return page.locator(f"a[data-card][href$='#{label}']")


def card_of(page):
    return page.locator(".book-card")


def scroll_to(at, block="center"):
    at.evaluate("(node, block) => node.scrollIntoView({block})", block)


def point(page, kind, block="center"):
    """Point at a link, and wait for its card."""
    at = link_to(page, kind)
    scroll_to(at, block)
    at.hover()
    expect(card_of(page)).to_contain_text(ALL[kind][2])
    return at


def tab_to(page, kind):
    """Let the keyboard come to a link."""
    at = link_to(page, kind)
    page.keyboard.press("Shift")
    at.focus()
    expect(card_of(page)).to_contain_text(ALL[kind][2])
    return at


def stays_so(page):
    """Wait for longer than anything that is on its way would take."""
    page.wait_for_timeout(800)


@pytest.mark.parametrize("kind", ALL)
def test_the_mouse_shows_a_card(page, kind):
    at = point(page, kind)
    card = card_of(page)
    way = card.locator(".book-card-way a")
    assert way.get_attribute("href") == at.evaluate("node => node.href")
    number = re.match(r"\w+ [\d.]+|\(.+", ALL[kind][2])
    place = {"term": "the glossary", "source": "the bibliography"}.get(kind)
    expect(way).to_contain_text(place or number[0])
    assert card.locator("button, .headerlink").count() == 0
    page.mouse.move(0, 0)
    expect(card).to_have_count(0)
    assert at.get_attribute("aria-details") is None


def test_a_chapter_shows_the_cards_of_its_links(tab, site):
    with tab.visit(site / "book/networks/inference.html") as page:
        for address in ("glossary.html#", "bibliography.html#", "html#thm-"):
            at = page.locator(f"a[data-card][href*='{address}']:visible").first
            at.hover()
            expect(
                card_of(page).locator(".book-card-way a")
            ).to_have_attribute("href", at.evaluate("node => node.href"))
            page.keyboard.press("Escape")
        assert tab.faults == []


def test_a_pointer_that_passes_shows_nothing(page):
    link_to(page, "term").evaluate(
        """node => {
            const tell = name =>
                node.dispatchEvent(new PointerEvent(name, {bubbles: true}));
            tell("pointerover");
            setTimeout(tell, 50, "pointerout");
        }"""
    )
    stays_so(page)
    assert card_of(page).count() == 0


def test_a_card_stays_while_the_pointer_is_in_it(page, pages):
    point(page, "term")
    card_of(page).hover()
    stays_so(page)
    inner = card_of(page).locator(".book-card-text a").first
    inner.hover()
    stays_so(page)
    expect(card_of(page)).to_contain_text(ALL["term"][2])
    # It leads from here to where it led from there.
    there = pages / "b/other.html"
    entry = there.read_text("utf-8").partition(f'id="{ALL["term"][1]}"')[2]
    [place] = re.search(r'internal" href="(#[^"]+)"', entry).groups()
    address = inner.evaluate("node => node.href")
    assert address == f"{there.as_uri()}{place}"


def test_a_card_stays_while_the_keyboard_is_on_its_link(page):
    tab_to(page, "term")
    card_of(page).hover()
    page.mouse.move(0, 0)
    stays_so(page)
    expect(card_of(page)).to_be_visible()


def test_escape_closes_a_card_under_the_pointer(page):
    point(page, "theorem")
    page.keyboard.press("Escape")
    expect(card_of(page)).to_have_count(0)
    stays_so(page)
    assert card_of(page).count() == 0


@pytest.mark.parametrize("kind", HERE)
def test_an_id_stands_in_the_page_once(page, kind):
    point(page, kind)
    doubled = page.evaluate(
        """() => [...document.querySelectorAll("[id]")].map(node => node.id)
            .filter((id, i, all) => all.indexOf(id) < i)"""
    )
    assert doubled == []


def test_the_keyboard_shows_a_card_and_enters_it(page):
    at, card = tab_to(page, "theorem"), card_of(page)
    expect(at).to_be_focused()
    # What describes it is named, and not read to the end at once.
    assert at.get_attribute("aria-details") == card.get_attribute("id")
    assert at.get_attribute("aria-describedby") is None
    page.keyboard.press("Tab")
    expect(card.locator(".book-card-way a")).to_be_focused()
    stays_so(page)
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(at).to_be_focused()
    stays_so(page)
    assert card.count() == 0


def test_a_card_goes_when_the_keyboard_goes_on(page):
    tab_to(page, "definition here")
    link_to(page, "term").focus()
    expect(card_of(page)).to_contain_text(ALL["term"][2])
    page.locator("#no-card").focus()
    expect(card_of(page)).to_have_count(0)


def test_enter_follows_a_link(page):
    tab_to(page, "definition here")
    page.keyboard.press("Enter")
    page.wait_for_url("**/page.html#def-independent")
    expect(card_of(page)).to_have_count(0)


@pytest.mark.parametrize("width", [700, 1280])
def test_a_card_stays_inside_the_screen_and_off_its_link(page, width):
    page.set_viewport_size({"width": width, "height": 700})
    for kind in ("term", "theorem", "figure here"):
        for block in ("start", "center", "end"):
            at = point(page, kind, block)
            card, link = card_of(page).bounding_box(), at.bounding_box()
            assert 0 <= card["x"] <= card["x"] + card["width"] <= width
            assert 0 <= card["y"] <= card["y"] + card["height"] <= 700
            below = card["y"] >= link["y"] + link["height"]
            assert below or card["y"] + card["height"] <= link["y"]
            page.keyboard.press("Escape")
            page.mouse.move(0, 0)


def test_what_is_long_is_cut_and_says_so(page):
    page.set_viewport_size({"width": 1280, "height": 300})
    point(page, "exercise")
    text = card_of(page).locator("[data-cut]")
    mask = text.evaluate("node => getComputedStyle(node).maskImage")
    assert mask.startswith("linear-gradient")
    way = card_of(page).locator(".book-card-way")
    expect(way).to_have_text("Read on in Exercise 1.2")
    page.keyboard.press("Escape")
    page.set_viewport_size(WIDE)
    point(page, "source")
    expect(way).to_have_text("Go to the bibliography")
    assert card_of(page).locator("[data-cut]").count() == 0


@pytest.mark.parametrize("kind", ["figure", "figure here"])
def test_a_figure_is_seen_whole(page, kind):
    point(page, kind)
    drawn = card_of(page).locator("figure").locator("img, svg")
    whole = """drawn => drawn.map(node => {
        const [own, text] = [node, node.closest(".book-card-text")].map(
            node => node.getBoundingClientRect());
        const least = node.closest(".book-legend") ? 10 : 50;
        return node.complete !== false && node.naturalWidth !== 0
            && own.height > least && own.top >= text.top
            && own.bottom <= text.bottom && own.right <= text.right;
    })"""
    seen = drawn.evaluate_all(whole)
    assert seen
    assert all(seen)


def test_paper_shows_no_card(page):
    point(page, "term")
    page.emulate_media(media="print")
    assert not card_of(page).is_visible()


@pytest.mark.parametrize("kind", ALL)
def test_an_open_card_is_accessible(page, kind):
    point(page, kind)
    assert problems_when_light(page) == []
    assert hard_to_use(page) == []
    assert lost_names(page) == []
    assert problems_when_dark(page) == []
    expect(card_of(page)).to_be_visible()


# --- A finger ---------------------------------------------------------------


@pytest.fixture(scope="module")
def touching(chromium):
    context = chromium.new_context(
        offline=True, has_touch=True, is_mobile=True, viewport=PHONE
    )
    yield Tab(context.new_page())
    context.close()


@pytest.fixture
def phone(touching, pages):
    with touching.visit(pages / "page.html", PHONE) as page:
        stand_still(page)
        yield page


def tap(page, kind):
    at = link_to(page, kind)
    scroll_to(at)
    at.tap()
    return at


def test_the_first_tap_shows_a_sheet(phone, touching):
    before = phone.url
    for kind in ALL:
        tap(phone, kind)
        card = card_of(phone)
        expect(card).to_contain_text(ALL[kind][2])
        assert phone.url == before
        box = card.bounding_box()
        assert box["x"] == 0
        assert box["width"] == PHONE["width"]
        assert box["y"] > PHONE["height"] / 3
        end = pytest.approx(PHONE["height"], abs=1)
        assert box["y"] + box["height"] == end
        assert not scrolls_sideways(phone)
    assert touching.faults == []


def test_the_second_tap_follows_the_link(phone):
    at = tap(phone, "term")
    expect(card_of(phone)).to_be_visible()
    stays_so(phone)
    at.tap()
    phone.wait_for_url("**/other.html#term-evidence")


def test_the_link_of_a_sheet_leads_on(phone):
    tap(phone, "definition here")
    card_of(phone).locator(".book-card-way a").tap()
    phone.wait_for_url("**/page.html#def-independent")
    expect(card_of(phone)).to_have_count(0)


def test_a_tap_elsewhere_closes_a_sheet_and_a_stroke_does_not(phone):
    tap(phone, "term")
    expect(card_of(phone)).to_be_visible()
    # A browser that scrolls takes the finger for itself.
    touch = phone.context.new_cdp_session(phone)
    for kind, points in (("Start", [{"x": 180, "y": 300}]), ("Cancel", [])):
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": f"touch{kind}", "touchPoints": points},
        )
    stays_so(phone)
    expect(card_of(phone)).to_be_visible()
    phone.touchscreen.tap(180, 300)
    expect(card_of(phone)).to_have_count(0)


def test_a_link_without_a_card_leads_on_at_once(phone):
    phone.locator("#no-card").tap()
    phone.wait_for_url("**/other.html")


def test_a_tap_leads_on_where_the_cards_are_missing(phone):
    at = link_to(phone, "term")
    at.evaluate("node => node.dataset.card = 'missing.js'")
    tap(phone, "term")
    phone.wait_for_url("**/other.html#term-evidence")
