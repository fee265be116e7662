"""What surrounds the text: heads, links to places, neighbours, imports."""

import re

import pytest
from docutils import nodes
from folded_imports import is_import_cell, only_imports
from looking import CHAPTER, NARROW, SHORT
from page_heads import description, with_one_viewport
from permalinks import with_permalinks
from playwright.sync_api import expect

# Characters of a full line of text: fewer make it restless, with more the eye
# does not find the next.
LINE = (65, 80)


# --- Heads ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("About ", ", and more.", "In words."),
        ("One thing. About ", ", and more.", "One thing."),
    ],
)
def test_a_description_has_no_formula(before, after, said):
    tex = nodes.math("", r"\pi")
    formula = nodes.paragraph("", "", nodes.Text(before), tex)
    formula += nodes.Text(after)
    words = nodes.paragraph("", "In words.")
    assert description(nodes.section("", formula, words)) == said


def test_a_second_viewport_goes():
    metatags = '<meta name="viewport" content="width=1"><meta name="a">'
    assert with_one_viewport(metatags) == '<meta name="a">'


def heads(site):
    for path in site.rglob("*.html"):
        if "_static" not in path.parts:
            yield path.name, path.read_text().split("</head>")[0]


def test_a_page_has_one_viewport(site):
    found = {head.count('name="viewport"') for _, head in heads(site)}
    assert found == {1}


def test_no_head_has_tex(site):
    text = r'<title>([^<]*)|name="description" content="([^"]*)"'
    for name, head in heads(site):
        said = re.findall(text, head)
        assert said, name
        assert not re.search(r"\\|\$", "".join(map("".join, said))), name


# --- Permalinks -------------------------------------------------------------

BOX = (
    '<div class="proof theorem admonition" id="thm-bayes">\n'
    '<p class="admonition-title"><span class="caption-number">Theorem 1.5 '
    "</span> (Bayes)</p>\n<section><p>Text.</p>"
)
QUESTION = (
    '<form class="quiz-question" id="quiz-events-ace" data-id="ace">\n'
    '<fieldset aria-labelledby="x"><legend id="x"><span>Question 2 of 13'
    "</span> Recall</legend>\n<div>"
)


@pytest.mark.parametrize(
    ("body", "before", "address", "name"),
    [
        (BOX, " (Bayes)", "#thm-bayes", "Theorem 1.5"),
        (QUESTION, "</legend>", "#quiz-events-ace", "Question 2"),
    ],
)
def test_a_box_links_to_itself(body, before, address, name):
    assert (
        f'{before}<a class="headerlink" href="{address}" '
        f'aria-label="Link to {name}" title="Link to {name}">#</a>'
    ) in with_permalinks(body)


@pytest.mark.parametrize(
    "body",
    [
        BOX.replace(' id="thm-bayes"', ""),
        BOX.replace("proof theorem", "solution dropdown"),
        QUESTION.replace("quiz-events-ace", "drill-bayes-20"),
    ],
)
def test_what_has_no_place_has_no_link(body):
    assert with_permalinks(body) == body


def test_every_place_has_a_link_with_its_name(tab, site):
    # A proof has no number, and no id but that of its button.
    places = "div.proof[id]:not(.dropdown), div.exercise[id]"
    places += ", [data-chapter] .quiz-question"
    with tab.visit(site / CHAPTER) as page:
        missing = page.locator(places).evaluate_all(
            """places => places.filter(place =>
                !place.querySelector(`a.headerlink[href="#${place.id}"]`)
            ).map(place => place.id)"""
        )
        link = page.get_by_role("link", name="Link to Theorem 1.7", exact=True)
        expect(link).to_have_css("opacity", "0")
        page.locator("#thm-bayes .admonition-title").hover()
        expect(link).to_have_css("opacity", "1")
        page.mouse.move(0, 0)
        expect(link).to_have_css("opacity", "0")
        page.locator("#thm-bayes").evaluate("box => box.tabIndex = -1")
        page.locator("#thm-bayes").focus()
        page.keyboard.press("Tab")
        expect(link).to_be_focused()
        expect(link).to_have_css("opacity", "1")
        page.keyboard.press("Enter")
        assert page.url.endswith("#thm-bayes")
        page.get_by_role("link", name="Link to Question 2").click()
        expect(page.locator(".quiz-question:target")).to_be_in_viewport()
    assert missing == []


def test_links_to_places_are_seen_on_touch(chromium, site):
    context = chromium.new_context(has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto((site / CHAPTER).as_uri())
    link = page.get_by_role("link", name="Link to Theorem 1.5")
    expect(link).to_have_css("opacity", "1")
    context.close()


# --- Neighbours -------------------------------------------------------------


def test_a_page_leads_to_its_neighbours_at_both_ends(tab, site):
    with tab.visit(site / "book/conditioning/random_variables.html") as page:
        above = page.get_by_role("navigation", name="Previous and next page")
        below = page.locator(".prev-next-area")
        for place in (above, below):
            links = place.get_by_role("link")
            assert links.count() == 2
            expect(links.first).to_contain_text("1. Events")
            expect(links.last).to_contain_text("3. Conditional independence")
        assert above.bounding_box()["height"] < 48
        assert (
            above.bounding_box()["y"]
            < page.locator("h1:visible").bounding_box()["y"]
        )
        above.get_by_role("link", name="Next: 3. Conditional").click()
        assert page.url.endswith("conditional_independence.html")


# --- Imports ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "folded"),
    [
        ("import numpy as np\nfrom math import (\n    pi,\n)", True),
        ("# why\nimport numpy as np", True),
        ("import numpy as np\nx = 1", False),
        ("%pip install x", False),
        ("# nothing", False),
    ],
)
def test_imports_alone_are_folded(code, folded):
    assert only_imports(code) == folded


def cell(*elements):
    children = [
        nodes.container("", nodes.literal_block("", code), nb_element=element)
        for element, code in elements
    ]
    return nodes.container("", *children, nb_element="cell_code")


SOURCE = ("cell_code_source", "import numpy")


@pytest.mark.parametrize(
    ("node", "folded"),
    [
        (cell(SOURCE), True),
        (cell(SOURCE, ("cell_code_output", "a warning")), False),
        (cell(("cell_code_source", "print(1)")), False),
        (nodes.container("", nodes.paragraph("", "import numpy")), False),
    ],
)
def test_a_cell_that_shows_something_is_not_folded(node, folded):
    assert is_import_cell(node) == folded


def test_folded_imports_open_and_can_be_copied(tab, site):
    with tab.visit(site / CHAPTER) as page:
        imports = page.locator("details.hide", has_text="import numpy").first
        title = imports.locator("summary p:visible")
        expect(title).to_have_text("Imports")
        code = imports.locator("pre")
        assert not code.is_visible()
        imports.locator("summary").focus()
        page.keyboard.press("Enter")
        assert code.is_visible()
        assert imports.locator("button.copybtn").count() == 1
        assert tab.faults == []


def test_without_scripts_imports_open(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / CHAPTER).as_uri())
    imports = page.locator("details.hide", has_text="import numpy").first
    imports.locator("summary").click()
    expect(imports.locator("pre")).to_be_visible()
    context.close()


# --- Width ------------------------------------------------------------------


def characters_in_a_line(page):
    """Return how many characters a full line of a long paragraph has."""
    return page.evaluate(
        """() => {
            const counts = [];
            for (const p of document.querySelectorAll("article section > p")) {
                const walker = document.createTreeWalker(p, 4);
                const lines = new Map();
                while (walker.nextNode()) {
                    const {data} = walker.currentNode;
                    for (let at = 0; at < data.length; at++) {
                        const range = document.createRange();
                        range.setStart(walker.currentNode, at);
                        range.setEnd(walker.currentNode, at + 1);
                        const {bottom} = range.getBoundingClientRect();
                        const line = Math.round(bottom / 8);
                        lines.set(line, (lines.get(line) ?? 0) + 1);
                    }
                }
                counts.push(...[...lines.values()].slice(0, -1));
            }
            counts.sort((a, b) => a - b);
            return counts[Math.floor(counts.length / 2)];
        }"""
    )


@pytest.mark.parametrize("width", [1440, 1280, 1024, 820])
def test_lines_can_be_read(tab, site, width):
    with tab.visit(site / SHORT, {"width": width, "height": 900}) as page:
        low, high = LINE
        assert low <= characters_in_a_line(page) <= high
        size = page.locator("article p").first.evaluate(
            "node => parseFloat(getComputedStyle(node).fontSize)"
        )
        assert 16 <= size <= 18


# --- Pictures and shifts ----------------------------------------------------


def test_pictures_have_a_size(site):
    for path in site.rglob("*.html"):
        if "_static" not in path.parts:
            for tag in re.findall(r"<img[^>]*>", path.read_text()):
                if not re.search('_images/|class="toggler"', tag):
                    assert 'width="' in tag, f"{path.name}: {tag}"
                    assert 'height="' in tag, f"{path.name}: {tag}"


@pytest.mark.parametrize("path", ["index.html", CHAPTER])
@pytest.mark.parametrize(
    "viewport", [NARROW[1], {"width": 1280, "height": 900}]
)
def test_nothing_moves_while_a_page_loads(tab, site, path, viewport):
    with tab.visit(site / path, viewport) as page:
        shift = page.evaluate(
            """() => new Promise(resolve => {
                new PerformanceObserver(list => resolve(list.getEntries()
                    .reduce((sum, entry) => sum + entry.value, 0))
                ).observe({type: "layout-shift", buffered: true});
                setTimeout(() => resolve(0), 500);
            })"""
        )
    assert shift < 0.05
