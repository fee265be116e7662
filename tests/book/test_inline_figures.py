"""Figures in the pages: colours of the page, panels, what enlarges them."""

import base64
import io
import json
import re
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from browsing import accessibility_problems
from bs4 import BeautifulSoup
from docutils import nodes
from figures import HOUSE, InlineFigures, darkened, drawn, inline, themed
from looking import faint_letters, style, switch_theme
from matplotlib.colors import to_hex, to_rgb
from PIL import Image
from playwright.sync_api import expect

from bayesbook import drawing

ROOT = Path(__file__).parents[2]
SHEET = (ROOT / "book" / "_static" / "figures.css").read_text()
SCRIPT = ROOT / "book" / "_static" / "figures.js"
NOTEBOOKS = sorted((ROOT / "book").rglob("*.ipynb"))
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
# Of WCAG 2.2: letters (1.4.3), and lines and areas (1.4.11).
LETTERS, LINES = 4.5, 3.0

# Two panels beside each other above a legend, whose entries are apart; the
# second is shaded, in a colour that is none of the book's.
TWO_PANELS = """\
<svg xmlns="http://www.w3.org/2000/svg" class="bayesbook-figure" \
viewBox="0 0 504 240" width="504pt" height="240pt" \
font-family="DejaVu Sans, Verdana, sans-serif">\
<rect class="paper" width="504" height="240" fill="#ffffff"/>\
<defs><pattern id="abc" width="6" height="6" patternUnits="userSpaceOnUse">\
<path d="M0 6L6 0" stroke="#222222"/></pattern></defs>\
<g class="panel" data-box="6 6 240 190" data-row="0">\
<path d="M30 176H246" fill="none" stroke="#6b6b6b"/>\
<rect x="60" y="60" width="60" height="116" fill="#0072b2"/>\
<text x="6" y="18" font-size="11.5" fill="#222222">Left</text></g>\
<g class="panel" data-box="258 6 240 190" data-row="0">\
<rect x="300" y="60" width="60" height="116" fill="#dbeaf4"/>\
<rect x="300" y="60" width="60" height="116" fill="url(#abc)"/>\
<text x="258" y="18" font-size="11.5" fill="#222222">Right</text></g>\
<g class="whole" data-box="12 212 240 20">\
<text x="12" y="226" font-size="10.5" fill="#222222">on the left</text></g>\
<g class="whole" data-box="272 212 220 20">\
<text x="272" y="226" font-size="10.5" fill="#222222">right</text></g>\
</svg>
"""
ALT = "Two bar charts side by side; <both> bars are equally high."


def grid():
    """Return a drawing whose panels share titles, labels and numbers."""
    fig, axes = drawing.subplots(2, 3, height=3.6, sharex=True, sharey=True)
    for ax, name in zip(axes[0], "abc", strict=True):
        ax.set_title(name)
    for ax in axes.ravel():
        ax.bar([1, 2, 3], [1, 2, 3], hatch="//")
    fig.supylabel("share")
    return fig._svg()


def page_of(svg, alt=ALT, name="fig-two"):
    return BeautifulSoup(inline(svg, alt, name), "html.parser")


# --- Colours ----------------------------------------------------------------


def luminance(colour):
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(colour)
    )
    return sum(
        part * weight
        for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True)
    )


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def sheet_colours():
    """Return the colours of the style sheet, light and dark, by variable."""
    found = re.findall(
        r"--fig-([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", SHEET
    )
    return {name: (light, dark) for name, light, dark in found}


def drawings():
    """Return every drawing of the book, with the chapter that has it."""
    return [
        (path.stem, "".join(output["data"]["image/svg+xml"]))
        for path in NOTEBOOKS
        for cell in json.loads(path.read_text())["cells"]
        for output in cell.get("outputs", ())
        if "image/svg+xml" in output.get("data", {})
    ]


def test_the_style_sheet_has_the_colours_of_the_library():
    assert {name: colours[0] for name, colours in sheet_colours().items()} == {
        name: colour for colour, name in HOUSE.items()
    }


def test_house_colours_are_variables_and_others_get_a_dark_one():
    assert themed(drawing.BLUE) == "var(--fig-blue)"
    assert themed("#dbeaf4") == f"light-dark(#dbeaf4,{darkened('#dbeaf4')})"
    assert themed("none") == "none"
    assert themed("url(#abc)") == "url(#abc)"


def test_a_dark_colour_stands_out_as_its_light_one():
    greys = [
        f"#{level:02x}{level:02x}{level:02x}" for level in range(0x22, 256)
    ]
    turned = [luminance(darkened(grey)) for grey in greys]
    assert turned == sorted(turned, reverse=True)
    assert contrast(darkened(drawing.INK), darkened("#ffffff")) > 10


@pytest.mark.parametrize("colour", ["#dbeaf4", "#2171b5", "#fdd0a2"])
def test_a_dark_colour_keeps_its_hue(colour):
    light, dark = to_rgb(colour), to_rgb(darkened(colour))
    assert light.index(max(light)) == dark.index(max(dark))
    assert light.index(min(light)) == dark.index(min(dark))


def in_the_dark(colour):
    if colour in HOUSE:
        return sheet_colours()[HOUSE[colour]][1]
    return darkened(colour)


def test_no_colour_of_the_book_is_lost_in_the_dark():
    """What stands out from the paper when light does when dark."""
    paper = in_the_dark("#ffffff")
    lost = set()
    for chapter, svg in drawings():
        for node in ET.fromstring(svg).iter():
            needed = LETTERS if node.get("font-size") else LINES
            for paint in ("fill", "stroke"):
                colour = node.get(paint, "none")
                if not colour.startswith("#"):
                    continue
                asked = min(needed, contrast(colour, "#ffffff"))
                asked = asked if asked >= LINES else 1
                if contrast(in_the_dark(colour), paper) < asked:
                    lost.add((chapter, colour, in_the_dark(colour)))
    assert lost == set()


def test_an_image_in_a_drawing_gets_a_dark_one():
    file = io.BytesIO()
    Image.fromarray(
        np.array([[[255, 255, 255], [8, 48, 107]]], np.uint8)
    ).save(file, format="PNG")
    data = (
        f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    )
    image = f'<g><image href="{data}" width="9" height="9"/></g>'
    page = page_of(TWO_PANELS.replace("<g class", f"{image}<g class", 1))
    light, dark = page.find_all("image")
    assert light["href"] == data
    content = base64.b64decode(dark["href"].partition(",")[2])
    paper, ink = np.array(Image.open(io.BytesIO(content)).convert("RGB"))[0]
    assert to_hex(paper / 255) == darkened("#ffffff")
    assert to_hex(ink / 255) == darkened("#08306b")


# --- Panels -----------------------------------------------------------------


def views(page):
    """Return the boxes of the panels, row by row."""
    return [
        [
            [float(part) for part in svg["viewbox"].split()]
            for svg in row.find_all("svg")
        ]
        for row in page.div.find_all("div", recursive=False)
    ]


def test_a_drawing_is_cut_into_its_panels():
    page = page_of(TWO_PANELS)
    assert views(page) == [
        [[6, 0, 240, 196], [258, 0, 240, 196]],
        [[12, 196, 240, 36], [272, 196, 220, 36]],
    ]
    assert [svg.get_text() for svg in page.find_all("svg")] == [
        "Left",
        "Right",
        "on the left",
        "right",
    ]


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        # A part of the legend on the right of both panels.
        ("272 212 220 20", "498 6 6 100", [3, 1]),
        # Arrows from panel to panel.
        ("272 212 220 20", "200 50 100 20", [1, 1]),
        # Panels below each other.
        ('data-box="258 6 240 190"', 'data-box="6 196 240 10"', [1, 1, 2]),
        # Something that lies in no panel.
        (' data-box="272 212 220 20"', "", [1]),
    ],
)
def test_only_what_lies_apart_is_cut(before, after, rows):
    assert before in TWO_PANELS
    found = views(page_of(TWO_PANELS.replace(before, after)))
    assert [len(row) for row in found] == rows


def test_a_panel_of_a_grid_has_room_for_what_it_says_alone():
    page = page_of(grid())
    label, *panels = page.find_all("svg")
    assert label["class"] == ["together"]
    assert not label.find("pattern"), "it lends nothing while it is not seen"
    assert panels[0].find("pattern")
    # Numbers on the left, and below the upper row; titles above the lower one.
    rooms = [set(re.findall(r"--(\w+):", svg["style"])) for svg in panels]
    sides = [room & {"left", "right", "above", "below"} for room in rooms]
    assert sides[1:3] == [{"left", "below"}] * 2
    assert all("above" in room for room in sides[3:])
    widths = [
        sum(
            float(value)
            for value in re.findall(
                r"--(?:w|left|right):([\d.]+)", svg["style"]
            )
        )
        for svg in panels
    ]
    widest = float(re.search(r"--widest:([\d.]+)", str(page))[1])
    assert widest == pytest.approx(max(widths), abs=0.1)


def test_a_drawing_has_one_name():
    page = page_of(TWO_PANELS)
    assert page.div["role"] == "img"
    assert page.div["aria-label"] == ALT
    assert {svg["aria-hidden"] for svg in page.find_all("svg")} == {"true"}


def test_a_drawing_takes_what_the_page_gives():
    html = inline(TWO_PANELS, ALT, "fig-two")
    assert "paper" not in html
    assert "DejaVu" not in html
    assert not re.search(r'(fill|stroke)="#', html)


def test_ids_are_those_of_the_figure():
    html = inline(TWO_PANELS, ALT, "fig-two")
    assert 'id="fig-two-abc"' in html
    assert 'fill="url(#fig-two-abc)"' in html


def transformed(tmp_path, svg):
    """Return what becomes of the image of a figure in a page."""
    (tmp_path / "hash.svg").write_text(svg)
    image = nodes.image(uri="hash.svg", alt=ALT)
    figure = nodes.figure("", image, ids=["fig-two"])
    document = nodes.container("", figure)
    document.settings = SimpleNamespace(
        env=SimpleNamespace(app=SimpleNamespace(srcdir=tmp_path)),
        language_code="en",
    )
    document.reporter = None
    InlineFigures(document).run()
    return figure[0]


def test_the_drawing_of_a_cell_takes_the_place_of_its_image(tmp_path):
    node = transformed(tmp_path, TWO_PANELS)
    assert isinstance(node, drawn)
    assert node["html"] == inline(TWO_PANELS, ALT, "fig-two")
    assert node.astext() == ""  # nothing for the index of the search


def test_other_images_stay(tmp_path):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    assert isinstance(transformed(tmp_path, svg), nodes.image)


# --- In a browser -----------------------------------------------------------

# Too wide for a phone, and in one piece.
ONE_PANEL = TWO_PANELS.replace(' data-box="272 212 220 20"', "")


@pytest.fixture
def page_with(broken):
    """Give a function that writes a page of the book with one figure more."""

    def write(svg):
        return broken(
            f'<div class="cell_output"><figure id="fig-two">'
            f"{inline(svg, ALT, 'fig-two')}<figcaption><p>"
            '<span class="caption-number">Figure 9.9 </span>'
            '<span class="caption-text">Two bars.</span></p></figcaption>'
            "</figure></div>"
        )

    return write


def boxes(page, selector=".book-picture svg"):
    return [panel.bounding_box() for panel in page.locator(selector).all()]


def smallest_letters(page, within=""):
    """Return how large the smallest letters of a drawing are shown."""
    return page.locator(f"{within} .book-picture text").evaluate_all(
        """texts => Math.min(...texts
            .filter(text => text.getClientRects().length)
            .map(text => {
                const {a, b} = text.getScreenCTM();
                return Math.hypot(a, b)
                    * parseFloat(getComputedStyle(text).fontSize);
            }))"""
    )


def test_on_a_wide_screen_a_figure_is_as_it_was_drawn(tab, page_with):
    with tab.visit(page_with(TWO_PANELS), DESK) as page:
        [whole] = boxes(page, ".book-picture")
        scale = whole["width"] / 504
        for box, panel in zip(
            boxes(page), chain(*views(page_of(TWO_PANELS))), strict=True
        ):
            x, y, width, height = panel
            assert box["x"] - whole["x"] == pytest.approx(x * scale, abs=1)
            assert box["y"] - whole["y"] == pytest.approx(y * scale, abs=1)
            assert box["width"] == pytest.approx(width * scale, abs=1)
            assert box["height"] == pytest.approx(height * scale, abs=1)
        [caption] = boxes(page, "figure figcaption")
        assert caption["width"] == pytest.approx(whole["width"], abs=1)
        expect(page.locator(".book-enlarge:visible")).to_have_count(0)
        assert tab.faults == []


def test_on_a_phone_panels_stand_below_each_other(tab, page_with):
    with tab.visit(page_with(TWO_PANELS), PHONE) as page:
        left, right, first, second = boxes(page)
        assert left["y"] + left["height"] <= right["y"]
        assert right["y"] + right["height"] <= first["y"]
        # There is no room for the entries of the legend beside each other.
        assert first["y"] + first["height"] <= second["y"]
        assert left["width"] > 240
        assert smallest_letters(page) >= 9
        expect(page.locator(".book-enlarge:visible")).to_have_count(0)


def test_a_grid_says_all_in_each_of_its_panels_on_a_phone(tab, page_with):
    words = """node => [...node.querySelectorAll("text")]
        .filter(text => text.getClientRects().length)
        .map(text => text.textContent)"""
    covered = """(pictures) => {
        const boxes = pictures.map(picture =>
            [...picture.querySelectorAll("text")]
                .filter(text => text.getClientRects().length)
                .map(text => text.getBoundingClientRect()));
        const meet = (a, b) => a.left < b.right && b.left < a.right
            && a.top < b.bottom && b.top < a.bottom;
        return boxes.flatMap((own, i) => boxes.slice(i + 1).flatMap(others =>
            own.filter(a => others.some(b => meet(a, b))))).length;
    }"""
    with tab.visit(page_with(grid()), DESK) as page:
        panels = page.locator(".book-picture svg")
        shown = [panel.evaluate(words) for panel in panels.all()]
        assert sum(texts.count("share") for texts in shown) == 1
        page.set_viewport_size(PHONE)
        label, *shown = [panel.evaluate(words) for panel in panels.all()]
        assert label == []
        for name, texts in zip("abcabc", shown, strict=True):
            assert {name, "share", "1", "3"} <= set(texts)
        assert panels.evaluate_all(covered) == 0
        assert smallest_letters(page) >= 9
        for box in boxes(page)[1:]:
            assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
        expect(page.locator(".book-enlarge:visible")).to_have_count(0)


def fills(page):
    return page.locator(".book-picture :is(rect, text)").evaluate_all(
        "nodes => nodes.map(node => getComputedStyle(node).fill)"
    )


def as_computed(colour):
    red, green, blue = (round(255 * part) for part in to_rgb(colour))
    return f"rgb({red}, {green}, {blue})"


def test_a_figure_has_the_colours_of_its_page(tab, page_with):
    light = ["#0072b2", "#222222", "#dbeaf4"]
    dark = [in_the_dark(colour) for colour in light]
    with tab.visit(page_with(TWO_PANELS), DESK) as page:
        assert set(map(as_computed, light)) <= set(fills(page))
        switch_theme(page, "dark")
        assert set(map(as_computed, dark)) <= set(fills(page))
        page.emulate_media(media="print")
        assert set(map(as_computed, light)) <= set(fills(page))
        assert style(page, "article figure", "breakInside") == ["avoid"]
        page.emulate_media(media="screen")


def test_a_stepper_has_the_colours_of_the_figures(tab, site):
    green = sheet_colours()["green"]
    with tab.visit(site / "book/conjugate/beta_binomial.html") as page:
        for theme, colour in zip(("light", "dark"), green, strict=True):
            switch_theme(page, theme)
            [line] = style(page, ".stepper-line-3", "stroke")
            assert line == as_computed(colour)


def test_a_figure_has_the_colours_of_its_reader(tab, page_with):
    with tab.visit(page_with(TWO_PANELS), DESK) as page:
        page.emulate_media(forced_colors="active")
        [text, canvas] = page.evaluate(
            """["CanvasText", "Canvas"].map(name => {
                const node = document.body.appendChild(
                    document.createElement("p"));
                node.style.color = name;
                return getComputedStyle(node).color;
            })"""
        )
        blue, left, pale, hatching, right, *legend = fills(page)
        assert {blue, left, right, *legend} == {text}
        assert pale == canvas
        assert "fig-two-abc" in hatching
        page.emulate_media(forced_colors="none")


@pytest.mark.parametrize("colour", [drawing.PALE, drawing.FILLS[0]])
def test_an_area_has_an_edge_in_the_colours_of_its_reader(
    tab, page_with, colour
):
    area = f'<rect class="area" width="9" height="9" fill="{colour}"/>'
    svg = TWO_PANELS.replace("<text", f"{area}<text", 1)
    with tab.visit(page_with(svg), DESK) as page:
        assert style(page, ".area", "stroke") == ["none"]
        page.emulate_media(forced_colors="active", color_scheme="dark")
        [edge, ground] = style(page, ".area", "stroke", "fill")
        [letters] = style(page, ".book-picture text", "fill")
        [canvas] = style(page, "body", "backgroundColor")
        assert (edge, ground) == (letters, canvas)
        page.emulate_media(forced_colors="none", color_scheme="light")


def test_letters_can_be_read_in_the_light_and_in_the_dark(tab, broken):
    names = [f"{chapter}-{i}" for i, (chapter, _) in enumerate(drawings())]
    figures = "".join(
        f'<figure id="{name}">{inline(svg, ALT, name)}</figure>'
        for name, (_, svg) in zip(names, drawings(), strict=True)
    )
    with tab.visit(broken(figures), DESK) as page:
        expect(page.locator(".book-picture")).to_have_count(len(names))
        assert faint_letters(page) == []
        switch_theme(page, "dark")
        assert faint_letters(page) == []


@pytest.mark.parametrize("letters", ["#6b6b6b", "#0072b2"])
def test_faint_letters_are_seen(tab, page_with, letters):
    label = f'<text x="80" y="100" font-size="9" fill="{letters}">9</text>'
    faint = TWO_PANELS.replace("<text", f"{label}<text", 1)
    with tab.visit(page_with(faint), DESK) as page:
        [found] = faint_letters(page)
        assert found.startswith("fig-two: 9: ")
        switch_theme(page, "dark")
        assert len(faint_letters(page)) == 1


@pytest.mark.parametrize("opening", ["click", "Enter"])
@pytest.mark.parametrize("closing", ["Escape", "outside", "button"])
def test_small_letters_can_be_enlarged(tab, page_with, opening, closing):
    with tab.visit(page_with(ONE_PANEL), PHONE) as page:
        assert smallest_letters(page) < 9
        button = page.get_by_role("button", name="Enlarge Figure 9.9")
        if opening == "click":
            page.locator(".book-picture").click()
        else:
            button.press("Enter")
        dialog = page.get_by_role("dialog", name="Figure 9.9")
        expect(dialog).to_be_visible()
        assert smallest_letters(page, "dialog") >= 12
        ids = page.locator("[id^='fig-two']").evaluate_all(
            "nodes => nodes.map(node => node.id)"
        )
        assert len(ids) == len(set(ids))
        if closing == "Escape":
            page.keyboard.press("Escape")
        elif closing == "outside":
            page.mouse.click(2, 2)
        else:
            dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_be_hidden()
        expect(button).to_be_focused()
        assert tab.faults == []


def test_a_tap_enlarges(chromium, page_with):
    context = chromium.new_context(has_touch=True, viewport=PHONE)
    try:
        page = context.new_page()
        page.goto(page_with(ONE_PANEL).as_uri())
        page.locator(".book-picture").tap()
        dialog = page.get_by_role("dialog")
        reach = dialog.evaluate("node => node.scrollWidth - node.clientWidth")
        assert reach > 0  # what is beyond the edge can be moved to
    finally:
        context.close()


def test_what_enlarges_is_accessible(tab, page_with):
    with tab.visit(page_with(ONE_PANEL), PHONE) as page:
        assert accessibility_problems(page) == []
        page.locator(".book-picture").click()
        assert accessibility_problems(page) == []


def test_without_scripts_a_figure_is_the_same(chromium, page_with):
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    try:
        page = context.new_page()
        page.goto(page_with(TWO_PANELS).as_uri())
        left, right, *legend = boxes(page)
        assert left["y"] + left["height"] <= right["y"]
        assert right["y"] + right["height"] <= legend[0]["y"]
    finally:
        context.close()


def test_no_figure_is_wider_than_it_says():
    """Legends, titles and labels end within it, but for half a letter."""
    wide = set()
    for chapter, svg in drawings():
        root = ET.fromstring(svg)
        left, _, width, _ = map(float, root.get("viewBox").split())
        for part in root:
            if "data-box" in part.attrib:
                x, _, across, _ = map(float, part.get("data-box").split())
                if x < left - 1 or x + across > left + width + 1:
                    wide.add((chapter, part.get("data-box")))
    assert wide == set()


# A phone puts panels below each other: a caption counts them, or names titles.
SIDE = re.compile(
    r"(?:^|[.;:] |\(|[Oo]n the |[Aa]t the )(left|right)\b[,:) ]"
    r"|(?:^|[.;:] |\()(top|bottom|rows)\b|\bmiddle panel",
    re.I,
)
# It stays whole on a phone, its panels where they were drawn.
WHOLE = {"fig-concepts-narrow"}
# What is dark on a light page is light on a dark one.
SHADE = re.compile(
    r"\b(dark|light|pale|black|white)(er)? (line|region|area|band|dot)"
    r"|\b(is|are) (dark|light|pale)(er)?\b",
    re.I,
)


def captions():
    """Return the captions of all figures of the book, by their names."""
    found = {
        figure["name"]: figure["caption"]
        for path in NOTEBOOKS
        for cell in json.loads(path.read_text())["cells"]
        if (figure := cell["metadata"].get("mystnb", {}).get("figure"))
    }
    assert len(found) > 100
    return found


def test_no_caption_says_on_which_side_a_panel_is():
    said = {name for name, text in captions().items() if SIDE.search(text)}
    assert said <= WHOLE


def test_no_caption_says_what_is_dark_or_light():
    assert not [text for text in captions().values() if SHADE.search(text)]
