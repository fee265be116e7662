"""Figures as SVG: complete by themselves, in panels, the same everywhere."""

import base64
import io
import re
from contextlib import nullcontext
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from drawing.pictures import drawn, svg
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import ConnectionPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D
from PIL import Image, ImageDraw

from bayesbook.drawing import (
    HATCHES,
    describe,
    draw_graph,
    legend_below,
    subplots,
)

pytestmark = pytest.mark.usefixtures("own_style")


def box(element, name="data-box"):
    """Return the left, upper, right and lower edge."""
    x, y, width, height = map(float, element.get(name).split())
    return np.array([x, y, x + width, y + height])


def groups(root):
    return [child for child in root if child.get("data-box")]


def elements(root, tag):
    return [one for one in root.iter() if one.tag == tag]


def texts(root):
    return {"".join(text.itertext()): text for text in elements(root, "text")}


def looks(root):
    """Yield each element with the attributes that it has and inherits."""

    def walk(element, inherited):
        own = inherited | element.attrib
        yield element, own
        for child in element:
            yield from walk(child, own)

    yield from walk(root, {})


def look_of(root, wanted):
    return next(look for one, look in looks(root) if one is wanted)


@pytest.fixture
def ax():
    return subplots(height=2)[1]


# --- The document ----------------------------------------------------------


def test_a_figure_is_complete_by_itself(ax):
    ax.plot([1, 2, 3], [2, 1, 3], "o-", label="a line")
    ax.legend()
    text = svg(ax.figure)
    root = drawn(ax.figure)
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="')
    assert root.get("class") == "bayesbook-figure"
    assert root.get("font-family").startswith("DejaVu Sans, ")
    paper = root[0]
    assert (paper.tag, paper.get("class")) == ("rect", "paper")
    assert paper.get("fill") == "#ffffff"
    left, top, right, bottom = box(root, "viewBox")
    assert (left, right) == (0, 342)
    assert root.get("width") == "342pt"
    assert root.get("height") == f"{bottom - top:g}pt"
    size = [float(paper.get(name)) for name in ("x", "y", "width", "height")]
    assert size == [left, top, right - left, bottom - top]
    for absent in ("style", "id=", "metadata", "matplotlib", "<a ", "<!--"):
        assert absent not in text


def test_a_figure_is_the_same_twice_and_without_the_last_digits():
    def figure(noise):
        fig, (left, right) = subplots(1, 2, height=2)
        x = np.linspace(0, 3, 300)
        left.plot(x, np.sin(x) * (1 + noise), label="wave")
        right.bar([1, 2], [1 / 3 + noise, 0.5], hatch="//", ec="black")
        right.set_xlim(1.2, 3)
        legend_below(fig)
        return fig

    same = figure(0)
    assert svg(same) == svg(same) == svg(figure(0)) == svg(figure(1e-13))
    assert svg(same) != svg(figure(1e-2))


def test_numbers_have_two_decimals_at_most(ax):
    ax.plot(np.linspace(0, 1, 50), np.linspace(0, 1, 50) ** np.pi)
    ax.scatter([0.123456], [0.654321], s=12.3456)
    ax.text(0.3, 0.7, "$x_1$", rotation=12.3456)
    text = svg(ax.figure)
    assert "." in text
    assert not re.findall(r"\d*\.\d{3,}", text)


def test_colours_are_attributes_of_six_digits(ax):
    ax.plot([0, 1], [0, 1], color="C0")
    ax.fill_between([0, 1], [0, 1], color="#D55E00", alpha=0.25)
    ax.axhline(0.5, color=(0, 0, 0, 0.5))
    root = drawn(ax.figure)
    colours = {
        value
        for one in root.iter()
        for name, value in one.attrib.items()
        if name in ("fill", "stroke") and value != "none"
    }
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    (area,) = (one for one in root.iter() if one.get("fill") == "#d55e00")
    assert area.get("fill-opacity") == "0.25"
    (line,) = (one for one in root.iter() if one.get("stroke") == "#000000")
    assert line.get("stroke-opacity") == "0.5"


# --- Panels ----------------------------------------------------------------


def pair(**options):
    fig, axes = subplots(1, 2, height=2, **options)
    for ax, name in zip(axes, "ab", strict=True):
        ax.plot([0, 1], [0, 1])
        ax.set(title=name, xlabel="x", ylabel="y")
    return fig, axes


def apart(root):
    """Say whether no two boxes overlap."""
    return all(
        (np.minimum(a[2:], b[2:]) <= np.maximum(a[:2], b[:2])).any()
        for a, b in combinations(map(box, groups(root)), 2)
    )


def tiled(root):
    """Say whether the boxes fill the drawing, and do not overlap."""
    boxes = [box(group) for group in groups(root)]
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in boxes]
    whole = box(root, "viewBox")
    low, high = np.min(boxes, axis=0)[:2], np.max(boxes, axis=0)[2:]
    size = (whole[2] - whole[0]) * (whole[3] - whole[1])
    return (
        apart(root)
        and np.isclose(sum(areas), size)
        and np.allclose([*low, *high], whole)
    )


def test_each_axes_is_a_panel_and_a_legend_of_all_is_none():
    fig, axes = pair()
    axes[0].lines[0].set_label("line")
    legend_below(fig)
    fig.suptitle("Both")
    root = drawn(fig)
    kinds = [(g.get("class"), g.get("data-row")) for g in groups(root)]
    assert kinds == [
        ("whole", "0"),
        ("panel", "1"),
        ("panel", "1"),
        ("whole", "2"),
    ]
    assert apart(root)
    words = ("Both", "a", "b", "line")
    for group, word in zip(groups(root), words, strict=True):
        assert word in texts(group)
        left, top, right, bottom = box(group)
        for text in elements(group, "text"):
            assert left <= float(text.get("x")) <= right
            assert top <= float(text.get("y")) <= bottom


def test_the_entries_of_a_legend_are_apart():
    fig, axes = pair()
    for ax, label in zip(axes, ("one", "two\nlines"), strict=True):
        ax.lines[0].set_label(label)
    legend_below(fig)
    root = drawn(fig)
    entries = [g for g in groups(root) if g.get("class") == "whole"]
    assert [set(texts(entry)) for entry in entries] == [
        {"one"},
        {"two", "lines"},
    ]
    assert [len(elements(entry, "path")) for entry in entries] == [1, 1]
    assert {entry.get("data-row") for entry in entries} == {"1"}
    assert apart(root)
    for entry in entries:
        left, _, right, _ = box(entry)
        assert right - left < 80  # no more than its line and its words


def test_an_entry_whose_label_is_no_line_of_letters_is_kept():
    fig, axes = pair()
    for ax, label in zip(axes, ("one", r"$\frac{1}{2}$"), strict=True):
        ax.lines[0].set_label(label)
    legend_below(fig)
    entries = [g for g in groups(drawn(fig)) if g.get("class") == "whole"]
    assert [len(elements(entry, "path")) for entry in entries] == [1, 2]


def test_rows_of_panels_are_counted():
    fig, axes = subplots(2, 2)
    for ax in axes.ravel():
        ax.plot([0, 1])
    root = drawn(fig)
    assert [g.get("data-row") for g in groups(root)] == list("0011")
    assert tiled(root)


def colour_bar(fig, axes):
    mesh = axes[0].pcolormesh([[1, 2], [3, 4]])
    fig.colorbar(mesh, ax=axes[0])


def twin(fig, axes):
    axes[0].twinx().set_ylabel("other")


def inset(fig, axes):
    axes[0].inset_axes([0.5, 0.5, 0.4, 0.4]).plot([0, 1])


@pytest.mark.parametrize("add", [colour_bar, twin, inset])
def test_axes_that_belong_together_share_a_panel(add):
    fig, axes = pair()
    add(fig, axes)
    root = drawn(fig)
    assert [group.get("class") for group in groups(root)] == ["panel"] * 2
    assert tiled(root)


def test_an_arrow_between_axes_holds_them_together():
    fig, (left, right) = pair()
    places = {"xyA": (0.5, 0.5), "xyB": (0.5, 0.5)}
    data = {"coordsA": left.transData, "coordsB": right.transData}
    fig.add_artist(ConnectionPatch(**places, **data))
    assert len(groups(drawn(fig))) == 1


def test_axes_above_each_other_that_share_numbers_are_one_panel():
    fig, axes = subplots(2, 1, sharex=True)
    for ax in axes:
        ax.plot([0, 1])
    assert len(groups(drawn(fig))) == 1
    for ax in axes:
        ax.tick_params(labelbottom=True)
    assert len(groups(drawn(fig))) == 2, "both have numbers"
    apart, (above, _) = subplots(2, 1)
    above.tick_params(labelbottom=False)
    assert len(groups(drawn(apart))) == 2, "they share nothing"


# --- Panels that stand alone -----------------------------------------------


def grid():
    """Return a grid whose outer axes speak for the inner ones."""
    fig, axes = subplots(2, 2, height=3, sharex=True, sharey=True)
    for ax in axes.ravel():
        ax.plot([0, 1], [0, 1])
        ax.set(xticks=[0.25], yticks=[0.75])
    for ax, name in zip(axes[0], ("before", "after"), strict=True):
        ax.set_title(name)
    for ax, name in zip(axes[:, 0], ("rain", "sun"), strict=True):
        ax.set_ylabel(name)
    fig.supxlabel("hours")
    return fig


def parts(group, when):
    """Return the words of a panel that are seen together or alone."""
    found = [each for each in group.iter("g") if each.get("class") == when]
    assert len(found) <= 1
    return [word for each in found for word in texts(each)]


def test_a_panel_of_a_grid_has_what_others_say_for_it():
    root = drawn(grid())
    *panels, label = groups(root)
    assert apart(root)
    assert [sorted(parts(panel, "alone")) for panel in panels] == [
        ["0.25", "hours"],
        ["0.25", "0.75", "hours", "rain"],
        ["before", "hours"],
        ["0.75", "after", "hours", "sun"],
    ]
    assert parts(label, "together") == ["hours"]
    assert not label.get("data-alone")
    for panel in panels:
        [alone] = (g for g in panel.iter("g") if g.get("class") == "alone")
        assert alone.get("display") == "none"
        low, high = np.split(box(panel, "data-alone"), 2)
        for text in elements(panel, "text"):
            place = [float(text.get(name)) for name in "xy"]
            assert (low <= place).all()
            assert (place <= high).all()
        assert (low <= box(panel)[:2]).all()
        assert (box(panel)[2:] <= high).all()


def test_a_label_beside_all_rows_does_not_hold_them_together():
    fig = grid()
    for ax in fig.axes:
        ax.set_ylabel("")
    fig.supylabel("share")
    rows = {}
    for group in groups(drawn(fig)):
        rows.setdefault(group.get("data-row"), []).append(group)
    [label, *above], below, [_] = rows.values()
    assert parts(label, "together") == ["share"]
    for panel in above + below:
        assert "share" in parts(panel, "alone")
    assert apart(above + below)


def test_what_stands_alone_moves_nothing_else(monkeypatch):
    fig = grid()
    before = describe(fig)
    whole = drawn(fig)
    assert describe(fig) == before
    assert type(fig.get_layout_engine()) is ConstrainedLayoutEngine
    for group in groups(whole):
        for alone in group.findall("g[@class='alone']"):
            group.remove(alone)
    monkeypatch.setattr(
        "bayesbook.drawing.svg.completed", lambda fig: nullcontext(False)
    )
    plain = drawn(fig)
    assert box(whole, "viewBox").tolist() == box(plain, "viewBox").tolist()
    for tag in ("path", "text"):
        shown = [one.attrib for one in elements(whole, tag)]
        assert shown == [one.attrib for one in elements(plain, tag)]


def test_axes_that_lack_nothing_have_nothing_for_themselves():
    fig, axes = pair()
    assert 'class="alone"' not in svg(fig)
    axes[1].set_ylabel("")
    assert 'class="alone"' not in svg(fig), "its label is not known"
    fig, axes = pair(sharey=True)
    axes[1].set_ylabel("")
    assert parts(groups(drawn(fig))[1], "alone") == ["y"]


def test_no_band_is_empty_above_or_below():
    fig, ax = subplots(height=6)
    draw_graph(ax, nx.DiGraph([("X", "Y")]))
    root = drawn(fig)
    top, bottom = box(root, "viewBox")[[1, 3]]
    assert bottom - top < 2 * 72
    places = [float(text.get("y")) for text in elements(root, "text")]
    assert top < min(places) < max(places) < bottom


# --- Texts -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("align", "anchor"),
    [("left", None), ("center", "middle"), ("right", "end")],
)
def test_texts_are_held_where_they_are_aligned(ax, align, anchor):
    """A letter of another width then moves no other part of the figure."""
    ax.set_axis_off()
    ax.text(0.5, 0.2, "one line", ha=align)
    ax.text(0.5, 0.8, "two lines,\none long", ha=align)
    root = drawn(ax.figure)
    assert set(texts(root)) == {"one line", "two lines,", "one long"}
    places = {text.get("x") for text in elements(root, "text")}
    assert len(places) == 1
    for text in elements(root, "text"):
        assert look_of(root, text).get("text-anchor") == anchor


def test_a_label_that_stands_upright_is_held_in_its_middle(ax):
    ax.set_ylabel("upright")
    root = drawn(ax.figure)
    label = texts(root)["upright"]
    assert look_of(root, label)["text-anchor"] == "middle"
    x, y = label.get("x"), label.get("y")
    assert label.get("transform") == f"rotate(-90 {x} {y})"
    place = ax.get_position()
    middle = 2 * 72 * (1 - (place.y0 + place.y1) / 2)
    assert float(y) == pytest.approx(middle, abs=0.1)


def test_spaces_keep_a_label_at_its_distance(ax):
    ax.text(0.5, 0.5, "near  by  ", ha="right")
    assert "near\u00a0\u00a0by\u00a0\u00a0" in texts(drawn(ax.figure))


def test_a_formula_is_text_with_small_letters(ax):
    ax.text(0.5, 0.5, "rate $x_{nm}$")
    text = texts(drawn(ax.figure))["rate xnm"]
    runs = [(span.text, span.get("font-style")) for span in text]
    assert runs == [("rate ", None), ("x", "italic"), ("nm", "italic")]
    assert float(text[2].get("font-size")) < 10.5
    assert float(text[2].get("dy")) > 0


@pytest.mark.parametrize(
    "formula", [r"\frac{a}{b}", r"\sqrt{2}", r"\hat{x}", "x_1^2"]
)
def test_a_formula_that_is_no_line_of_letters_is_drawn(ax, formula):
    ax.set(xticks=[], yticks=[])
    ax.text(0.5, 0.5, f"${formula}$")
    root = drawn(ax.figure)
    assert not elements(root, "text")
    shapes = [one for one, look in looks(root) if look["fill"] == "#222222"]
    assert [one.tag for one in shapes] == ["path"]


# --- Lines and marks -------------------------------------------------------


def lines(root, colour="#0072b2"):
    return [
        one
        for one, look in looks(root)
        if one.tag == "path" and look.get("stroke") == colour
    ]


def test_points_that_nobody_would_miss_are_left_out(ax):
    ax.plot(np.linspace(0, 1, 400), np.linspace(0, 1, 400))
    (line,) = lines(drawn(ax.figure))
    assert re.fullmatch(r"M[\d.]+ [\d.]+l[\d.]+-[\d.]+", line.get("d"))


def test_a_curve_keeps_its_shape():
    fig, ax = subplots(height=7)
    ax.set_axis_off()
    angles = np.linspace(0, 2 * np.pi, 500)
    ax.plot(np.cos(angles), np.sin(angles))
    (line,) = lines(drawn(fig))
    numbers = re.findall(r"-?\d*\.?\d+", line.get("d"))
    assert re.sub(r"[-\d. ]", "", line.get("d")) == "Ml"
    points = np.cumsum(np.reshape(numbers, (-1, 2)).astype(float), axis=0)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    half = np.ptp(points, axis=0) / 2
    between = (points[:-1] + points[1:]) / 2
    for places in (points, between):
        distance = np.hypot(*((places - middle) / half).T)
        assert abs(distance - 1).max() * half.max() < 0.15


def test_ticks_of_an_axis_are_one_element_and_repeated_marks_another(ax):
    ax.set_yticks([])
    ax.plot([1, 1, 1, 2], [1, 1, 1, 2], "s", color="#0072b2")
    root = drawn(ax.figure)
    ticks = lines(root, "#6b6b6b")
    assert sorted(one.get("d").count("M") for one in ticks)[-1] > 4
    assert len(lines(root)) == 2


def test_circles_are_circles(ax):
    ax.scatter([1, 2], [1, 2], s=64)
    circles = elements(drawn(ax.figure), "circle")
    assert [circle.get("r") for circle in circles] == ["4", "4"]
    ax.clear()
    ax.plot([1], [1], "o", ms=5)
    (circle,) = elements(drawn(ax.figure), "circle")
    assert circle.get("r") == "2.5"


def test_a_thick_line_has_room():
    heights = {}
    for width in (4, 12):
        fig, ax = subplots(height=2)
        ax.set_axis_off()
        ax.plot([0, 1], [0, 1], lw=4)
        ax.axhline(1.5, lw=width, clip_on=False)
        _, top, _, bottom = box(drawn(fig), "viewBox")
        heights[width] = bottom - top
    assert heights[12] - heights[4] == pytest.approx(4, abs=0.1)


def test_what_lies_outside_is_left_out_or_cut(ax):
    ax.plot([-1, 2], [0.5, 0.5])
    ax.scatter([0.5, 1, 3], [0.5, 0.5, 0.5])
    ax.set(xlim=(0, 1), ylim=(0, 1))
    root = drawn(ax.figure)
    (clip,) = elements(root, "clipPath")
    (rect,) = clip
    low = float(rect.get("x"))
    high = low + float(rect.get("width"))
    (line,) = lines(root)
    start, step = re.fullmatch(
        r"M([\d.]+) [\d.]+h(.+)", line.get("d")
    ).groups()
    assert low - 0.6 <= float(start) <= low
    assert high <= float(start) + float(step) <= high + 0.6
    inside, half = elements(root, "circle")
    assert "clip-path" not in look_of(root, inside)
    assert look_of(root, half)["clip-path"] == f"url(#{clip.get('id')})"


def test_ids_are_of_the_figure():
    def clipped(label):
        fig, ax = subplots(height=2)
        ax.scatter([0, 1], [0, 1], label=label)
        ax.set_xlim(0, 1)
        return {one.get("id") for one in elements(drawn(fig), "clipPath")}

    assert clipped("a") == clipped("a")
    assert not clipped("a") & clipped("b")


def walked(data):
    """Return the points that a path of straight lines leads through."""
    here, points = np.zeros(2), []
    for letter, numbers in re.findall("([A-Za-z])([^A-Za-z]*)", data):
        steps = [float(n) for n in re.findall(r"-?\d*\.?\d+", numbers)]
        if letter in "hv":
            steps = [[s, 0] if letter == "h" else [0, s] for s in steps]
        for step in np.reshape(steps, (-1, 2)):
            here = np.array(step) if letter == "M" else here + step
            points.append(here)
    return np.array(points)


def inked(polylines, start, side):
    """Return which pixels of a square lines cover, eight pixels to a point."""
    picture = Image.new("1", (int(8 * side),) * 2)
    pen = ImageDraw.Draw(picture)
    for points in polylines:
        pen.line([tuple(p) for p in 8 * (points - start)], fill=1, width=9)
    return np.array(picture)


@pytest.mark.parametrize("hatch", [*HATCHES, "-", "|||", "++", "/|"])
def test_the_tile_of_a_hatching_repeats_what_matplotlib_draws(ax, hatch):
    ax.set_axis_off()
    ax.bar([1], [1], hatch=hatch, fc="white", ec="black")
    (pattern,) = elements(drawn(ax.figure), "pattern")
    side = float(pattern.get("width"))
    assert pattern.get("height") == pattern.get("width")
    parts = re.findall("M[^M]*", pattern[0].get("d"))
    dots = "c" in pattern[0].get("d")
    whole = Path.hatch(hatch, 6).transformed(Affine2D().scale(72))
    if dots:
        ours = np.array([walked(part[: part.index("c")])[0] for part in parts])
        theirs = np.array([p.mean(axis=0) for p in whole.to_polygons()])
        for start in (0, side, 2 * side):
            near = theirs - start
            near = near[(abs(near - side / 2) < side / 2 - 0.5).all(axis=1)]
            assert len(near)
            for dot in near:
                assert np.hypot(*(ours - dot).T).min() < 0.5
        return
    tile = inked(map(walked, parts), 0, side)
    assert tile.any()
    theirs = whole.to_polygons(closed_only=False)
    for start in (0, side, 2 * side):
        assert (inked(theirs, start, side) == tile).mean() > 0.95


def test_an_image_stands_upright(ax):
    ax.set_axis_off()
    ax.imshow([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [0, 0, 0]]])
    (image,) = elements(drawn(ax.figure), "image")
    data = base64.b64decode(image.get("href").partition(",")[2])
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    right, bottom = picture.width - 1, picture.height - 1
    assert picture.getpixel((1, 1)) == (255, 0, 0)
    assert picture.getpixel((right - 1, 1)) == (0, 255, 0)
    assert picture.getpixel((1, bottom - 1)) == (0, 0, 255)
    width, height = (float(image.get(n)) for n in ("width", "height"))
    assert width == pytest.approx(height, abs=0.5)
    assert picture.width == pytest.approx(4 * width, abs=1)
