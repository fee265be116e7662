"""What a page brings with it: one style sheet, a few icons, and no more."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browsing import WIDE
from bs4 import BeautifulSoup
from icons import LOOKS, icon_rules
from looking import CHAPTER, NARROW, SHORT, stand_still, switch_theme
from style_sheet import SHEET, THEME, moved, pruned, said_once

# Kilobytes, compressed, of a page and all that it asks for, by a reader who
# has nothing of it yet.
LIGHTEST = 200  # the start page
LIGHT = 700  # a chapter


# --- The style sheet --------------------------------------------------------

WORDS = {"a", "button", "card", "data-theme", "details", "p", "show", "top"}


@pytest.mark.parametrize(
    "selector",
    [
        "p",
        "*",
        ":root",
        "a.card > p::before",
        "#top",
        "a:hover, .gone",
        "button:focus-visible",
        ":is(.gone, .card)",
        "[data-theme=dark] .card",
        ".card:not(.gone)",
        "a:nth-child(2n + 1)",
        "details[open]",
    ],
)
def test_a_rule_that_can_match_stays(selector):
    words = WORDS | {"open"}
    assert pruned(f"{selector}{{color:red}}", words)


@pytest.mark.parametrize(
    "selector",
    [
        "table",
        ".gone",
        ".card .gone",
        ".card.gone",
        "#gone",
        "[data-gone]",
        ":is(.gone, #gone)",
        "a:hover > .gone",
        ".card:not(.show) .gone",
    ],
)
def test_a_rule_that_cannot_match_goes(selector):
    assert pruned(f"{selector}{{color:red}}", WORDS) == ""


def test_a_list_keeps_the_selectors_that_can_match():
    assert pruned("p, .gone, a{color:red}", WORDS) == "p,a{color:red}"


def test_conditions_stay_with_what_they_hold():
    css = "@media print{.gone{color:red}}@media (width<9px){p{color:red}}"
    assert pruned(css, WORDS) == "@media (width<9px){\np{color:red}\n}"


def test_notices_stay_and_comments_go():
    assert pruned("/*! Copyright */ /* why */ .gone{}", WORDS) == (
        "/*! Copyright */"
    )


def test_no_rule_asks_for_a_font_of_icons():
    css = (
        '@font-face{font-family:"Font Awesome 6 Free";src:url(fa.woff2)}'
        "@font-face{font-family:KaTeX_Main;src:url(katex.woff2)}"
        "p::before{font:var(--fa-font-solid)}"
        "p{color:red}"
    )
    assert pruned(css, WORDS) == (
        "@font-face{font-family:KaTeX_Main;src:url(katex.woff2)}\np{color:red}"
    )


@pytest.mark.parametrize(
    ("written", "from_above"),
    [
        ("url(fonts/a.woff2)", 'url("styles/fonts/a.woff2")'),
        ("url('../b.svg')", 'url("b.svg")'),
        ("url(data:image/png;base64,x)", "url(data:image/png;base64,x)"),
        ('url("data:image/svg+xml,\'")', 'url("data:image/svg+xml,\'")'),
        ("url(#clip)", "url(#clip)"),
    ],
)
def test_addresses_still_lead_to_their_files(written, from_above):
    assert moved(written, "styles") == from_above


def test_a_script_is_said_once_if_it_begins_all_of_its_kind():
    shared, own = "<script data-once=''>a()</script>", "<script>b()</script>"
    assert said_once(f"{shared}<p>{own}{shared}<p>{own}") == (
        f"{shared}<p>{own}<p>{own}"
    )


def test_a_style_is_said_once_on_a_page():
    one, other = "<style>p {}</style>", "<style scoped>b {}</style>"
    assert said_once(f"{one}<p>{one}{other}<p>{other}") == (
        f"{one}<p>{other}<p>"
    )


# --- Icons ------------------------------------------------------------------

SCRIPT = (
    'file:[384,512,[],"f15b","M1 1"],moon:[384,512,[127769],"f186","M2 2"]'
    'file:[384,512,[],"f15b","M3 3"],"up-down":[256,512,["lift"],"f338","M4"]'
)


def test_icons_are_drawn_by_any_of_their_names():
    rules = icon_rules({"fa-lift", "fa-file", "card", "fa-lg"}, SCRIPT)
    drawn = re.findall(r"\.(fa-[\w-]+) {\n  --icon:.*d='(.*)'/", rules)
    assert drawn == [("fa-file", "M3 3"), ("fa-lift", "M4")]
    assert "--icon-width: 0.5em" in rules


def test_an_icon_that_nobody_draws_stops_the_build():
    with pytest.raises(KeyError, match="fa-unicorn"):
        icon_rules({"fa-unicorn"}, SCRIPT)


def test_every_icon_of_the_pages_is_drawn(site):
    sheet = (site / SHEET).read_text()
    shown = {
        name
        for path in pages(site)
        for tag in re.findall(r'class="([^"]*\bfa-[^"]*)"', path.read_text())
        for name in tag.split()
        if name.startswith("fa-")
    }
    drawn = set(re.findall(r"\.(fa-[\w-]+) {\n  --icon:", sheet))
    assert {"fa-bars", "fa-github", "fa-moon"} <= shown - LOOKS <= drawn


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("colours", ["none", "active"])
def test_icons_have_a_shape_a_size_and_a_colour(
    chromium, site, scripts, colours
):
    context = chromium.new_context(
        java_script_enabled=scripts, forced_colors=colours
    )
    page = context.new_page()
    page.goto((site / SHORT).as_uri())
    looks = page.locator("i[class*='fa-'], span[class*='fa-']").evaluate_all(
        """icons => icons.filter(icon => icon.checkVisibility()).map(icon => {
            const {backgroundColor, maskImage} = getComputedStyle(icon);
            const {width, height} = icon.getBoundingClientRect();
            return [backgroundColor, maskImage, width, height];
        })"""
    )
    context.close()
    assert len(looks) >= 5
    for colour, shape, width, height in looks:
        assert colour not in {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}
        assert shape.startswith('url("data:image/svg+xml')
        assert min(width, height) >= 8


def test_logos_come_with_their_menu(tab, site):
    with tab.visit(site / CHAPTER) as page:
        menu = page.locator(".dropdown-launch-buttons")
        menu.locator("button").click()
        for name in ("binder", "colab"):
            logo = menu.locator(f"i.book-{name}")
            assert logo.bounding_box()["width"] > 8
            image = logo.evaluate("i => getComputedStyle(i).backgroundImage")
            [path] = re.findall(r"file://([^\"]*)", image)
            assert f"logo_{name}" in path
            assert Path(path).is_file()


# --- The pages --------------------------------------------------------------


def pages(site):
    return [p for p in site.rglob("*.html") if "_static" not in p.parts]


def test_every_page_links_one_sheet_for_all(site):
    for path in pages(site):
        html = path.read_text()
        links = re.findall(r'<link[^>]*href="([^"]+\.css)', html)
        assert [link for link in links if link.endswith(SHEET)], path
        assert not [link for link in links if link.endswith(THEME)], path


# One element of each kind, place and class.
LOOK = """
    properties => {
        const name = node => `${node.localName}.${node.getAttribute("class")}`;
        const looks = {};
        for (const node of document.querySelectorAll(
            "body :not([class*=fa-], .btn i, .tooltip-arrow, .math *, " +
            ".highlight span)"
        )) {
            const place = [node, node.parentElement,
                node.parentElement.parentElement].map(name).join(" < ");
            if (place in looks) continue;
            const look = getComputedStyle(node);
            looks[place] = properties.map(name => `${name}: ${look[name]}`);
        }
        return looks;
    }
"""
PROPERTIES = (
    *("backgroundColor", "borderTopWidth", "borderLeftColor", "boxShadow"),
    *("color", "cursor", "display", "flexGrow", "float", "fontFamily"),
    *("fontSize", "fontStyle", "fontWeight", "lineHeight", "listStyleType"),
    *("marginBottom", "marginTop", "maxWidth", "opacity", "outlineStyle"),
    *("overflowX", "paddingLeft", "paddingTop", "position", "textAlign"),
    *("textDecorationLine", "transform", "verticalAlign", "visibility"),
    *("whiteSpace", "zIndex"),
)
# The sheets as they were brought, in the place of what was made of them.
WHOLE_SHEETS = """
    async ([names, icons]) => {
        const style = document.createElement("style");
        style.textContent = icons;
        const book = document.querySelector("link[href*='book.css']");
        const base = book.href.replace(/book\\.css.*/, "");
        const links = names.map(name => {
            const link = document.createElement("link");
            link.rel = "stylesheet";
            link.href = base + name;
            return link;
        });
        await Promise.all(links.map(link => new Promise(resolve => {
            link.onload = resolve;
            book.before(link);
        })));
        book.replaceWith(style);
    }
"""


def looks(page):
    """Return how a page looks, in every state that it has rules for."""
    states = {}

    def note(state):
        states[state] = page.evaluate(LOOK, PROPERTIES)

    toggle = page.locator("button.primary-toggle:visible")
    note("as it opens")
    page.locator(".dropdown-toggle:visible").first.click()
    note("a menu open")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    note("the search open")
    page.keyboard.press("Escape")
    switch_theme(page, "dark")
    note("dark")
    switch_theme(page, "light")
    page.emulate_media(forced_colors="active")
    note("forced colours")
    page.emulate_media(forced_colors="none", media="print")
    note("on paper")
    page.emulate_media(media="screen")
    toggle.click()
    note("chapters away")
    toggle.click()
    page.set_viewport_size(NARROW[0])
    note("on a phone")
    toggle.click()
    note("chapters on a phone")
    page.keyboard.press("Escape")
    page.set_viewport_size(WIDE)
    return states


def differences(one, other):
    """List the properties that differ, by state and place.

    A place has the names of classes, which the theme's scripts change late.
    """
    return [
        (state, place, had, has)
        for state, places in one.items()
        for place in places.keys() & other[state].keys()
        for had, has in zip(places[place], other[state][place], strict=True)
        if had != has
    ]


def test_no_rule_is_missed(tab, site):
    icons, *parts = (site / SHEET).read_text().split("\n/* _static/")
    names = [part.split(" */")[0] for part in parts]
    assert names[1] == "styles/pydata-sphinx-theme.css"
    with tab.visit(site / CHAPTER) as page:
        stand_still(page)
        with_one = looks(page)
        page.evaluate(WHOLE_SHEETS, [names, icons])
        with_all = looks(page)
    assert len(with_one["as it opens"]) > 300
    assert differences(with_one, with_all) == []


def asked_for(tab, path):
    """Return the files that a page asks for, pictures further down too."""
    asked = []

    def note(request):
        asked.append(Path(unquote(urlsplit(request.url).path)))

    tab.page.on("request", note)
    with tab.visit(path) as page:
        page.evaluate("[...document.images].forEach(x => x.loading = 'eager')")
        page.wait_for_function(
            "[...document.images].every(image => image.complete)"
        )
    tab.page.remove_listener("request", note)
    return set(filter(Path.is_file, asked))


@cache
def compressed(path):
    """Return the bytes of a file, which many pages share, as it is sent."""
    return len(gzip.compress(path.read_bytes()))


def kilobytes(paths):
    """Return the size of files as a server sends them, each compressed."""
    return sum(map(compressed, paths)) / 1000


@pytest.mark.parametrize(
    ("path", "most"), [("index.html", LIGHTEST), (CHAPTER, LIGHT)]
)
def test_pages_are_light(tab, site, path, most):
    assert kilobytes(asked_for(tab, site / path)) < most


def most_brought(page):
    """Return the files that a page needs, and all fonts of formulas."""
    # To parse all the rest would take a hundred times as long.
    starts = re.findall(r"<(?:link|img|script)\b[^>]*>", page.read_text())
    html = BeautifulSoup("</script>".join([*starts, ""]), "html.parser")
    tags = html.select("link[rel=stylesheet], img, script[src]")
    addresses = [tag.get("src") or tag["href"] for tag in tags]
    files = {
        Path(page.parent, unquote(urlsplit(address).path)).resolve()
        for address in addresses
    }
    return {page, *files, *page.parents[2].glob("_static/katex/fonts/*")}


def test_no_chapter_is_heavy(site):
    chapters = sorted(site.glob("book/*/*.html"))
    heavy = {
        page.name: size
        for page in chapters
        if (size := kilobytes(most_brought(page))) >= LIGHT
    }
    assert len(chapters) > 24
    assert heavy == {}


@pytest.mark.parametrize("path", ["index.html", SHORT, CHAPTER])
def test_no_page_asks_for_what_it_does_not_use(tab, site, path):
    names = {path.name for path in asked_for(tab, site / path)}
    assert {"book.css", "bootstrap.js"} <= names
    assert not names & {
        "fontawesome.js",
        "design-tabs.js",
        "language_data.js",
        "searchindex.js",
        "searchtools.js",
    }
    assert not [x for x in names if x.startswith("fa-")]
    # Formulas have a style sheet of their own.
    has_formulas = 'class="katex' in (site / path).read_text()
    formulas = {"katex-swap.min.css"} if has_formulas else set()
    assert {x for x in names if x.endswith(".css")} == {"book.css"} | formulas
