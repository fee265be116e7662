"""Figures in the house style: pictures, legends, colours, drawings."""

import io
from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pytest
from drawing.pictures import described, drawn, picture, svg
from IPython.core.formatters import DisplayFormatter
from matplotlib.colors import rgb_to_hsv, to_rgb
from matplotlib.patches import Circle, Rectangle
from PIL import Image

from bayesbook import drawing
from bayesbook.drawing import describe, label_lines, legend_below, subplots

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=2)[1]


# --- The picture -----------------------------------------------------------


@pytest.fixture
def crowded():
    """A figure of so many points that it is shown by its pixels."""
    fig, ax = subplots(width=7, height=2)
    ax.set(xticks=[], yticks=[])
    x, y = np.random.default_rng(1).random((2, 2000))
    ax.scatter(x, y)
    return fig


def shown(fig):
    (data, _size) = fig._repr_mimebundle_()
    return Image.open(io.BytesIO(data["image/png"]))


def test_a_drawing_of_thousands_of_points_is_a_palette_picture(crowded):
    data, size = crowded._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert size == {"image/png": {"width": 700, "height": 200}}
    image = shown(crowded)
    # Twice as many pixels as before, for screens that have them.
    assert image.size == (2 * 1008, 2 * 288)
    assert image.mode == "P"
    exact = io.BytesIO()
    crowded.savefig(exact, format="png", dpi=288)
    assert len(data["image/png"]) < len(exact.getvalue()) / 2
    # No colour is far from what it was.
    old = np.asarray(Image.open(exact).convert("RGB"), int)
    new = np.asarray(image.convert("RGB"), int)
    assert np.abs(old - new).mean() < 1
    assert tuple(new[0, 0]) == (255, 255, 255)


def test_a_picture_does_not_obey_later_settings(crowded):
    before = shown(crowded).convert("RGBA")
    later = {"savefig.transparent": True, "savefig.dpi": 10}
    with mpl.rc_context(later | {"savefig.bbox": "tight"}):
        image = shown(crowded).convert("RGBA")
    # A dark theme of the notebook must not shine through.
    assert image.getchannel("A").getextrema() == (255, 255)
    assert image.tobytes() == before.tobytes()


def test_a_drawing_does_not_obey_later_settings(ax):
    ax.plot([1, 2])
    before = svg(ax.figure)
    with mpl.rc_context({"savefig.dpi": 10, "savefig.bbox": "tight"}):
        assert svg(ax.figure) == before


def test_a_picture_does_not_name_the_software_that_drew_it(crowded):
    image = shown(crowded)
    image.load()
    assert "Software" not in image.info
    assert "matplotlib" not in str(image.info).lower()


def test_a_picture_is_the_same_twice(crowded):
    first, _size = crowded._repr_mimebundle_()
    second, _size = crowded._repr_mimebundle_()
    assert first == second


def test_jupyter_gets_a_drawing_and_a_text(ax):
    ax.set_title("Both")
    # The formatter asks for a bundle only of what defines one.
    data, size = DisplayFormatter().format(ax.figure)
    assert set(data) == {"image/svg+xml", "text/plain"}
    assert data["text/plain"] == describe(ax.figure)
    assert size == {}


def test_the_text_says_what_was_drawn(ax):
    """Colours of values are known only when they are drawn."""
    ax.pcolormesh([[1, 2], [3, 4]])
    data, _size = ax.figure._repr_mimebundle_()
    assert "quadmesh, fill #31688e #35b779 #440154:" in data["text/plain"]


def test_the_figure_is_as_before_when_it_was_shown(ax):
    ax.plot([1, 2])
    before = ax.figure.dpi, ax.figure.canvas, describe(ax.figure)
    svg(ax.figure)
    assert (ax.figure.dpi, ax.figure.canvas, describe(ax.figure)) == before


@pytest.mark.parametrize(
    ("shape", "width"), [((1, 1), 4.75), ((2, 1), 4.75), ((1, 2), 7)]
)
def test_a_figure_of_one_column_is_narrow(shape, width):
    assert subplots(*shape)[0].get_figwidth() == width
    assert subplots(*shape, width=6)[0].get_figwidth() == 6


@pytest.mark.parametrize(("rows", "times"), [(1, 3), (2, 2)])
def test_axes_in_a_row_have_numbers_each(rows, times):
    fig, axes = subplots(rows, 3, sharey=True)
    for ax in np.ravel(axes):
        ax.set_yticks([5.5])
    root = drawn(fig)
    for panel in root:
        for alone in panel.findall("g[@class='alone']"):
            panel.remove(alone)  # not shown while axes stand in a grid
    numbers = ["".join(text.itertext()) for text in root.iter("text")]
    assert numbers.count("5.5") == times, "in a grid those at its left"


def test_the_house_style_does_not_wait_for_a_figure():
    mpl.rcdefaults()
    drawing.use_house_style()
    assert not mpl.rcParams["axes.spines.top"]
    assert mpl.rcParams["figure.facecolor"] == "white"


# --- Legends ---------------------------------------------------------------


def test_a_legend_below_names_equal_labels_once():
    fig, (left, right) = subplots(1, 2)
    for axes, names in [(left, "ab"), (right, "bca")]:
        for name in names:
            axes.plot([1, 2], label=name)
    right.plot([1, 2])
    legend_below(fig)
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == list("abc")
    assert not left.get_legend()


def test_a_legend_below_leaves_the_axes_free():
    fig, ax = subplots()
    ax.plot([1, 2], label="one")
    legend_below(fig)
    fig.draw_without_rendering()
    (legend,) = fig.legends
    below = legend.get_window_extent()
    assert not below.overlaps(ax.get_tightbbox())
    assert 0 <= below.y0 < below.y1 <= ax.get_tightbbox().y0


def test_a_legend_below_is_no_wider_than_its_figure():
    fig, ax = subplots()
    for number in range(4):
        ax.plot([0, 1], [0, number], label=f"a line with the number {number}")
    legend_below(fig)
    fig.draw_without_rendering()
    (legend,) = fig.legends
    box = legend.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= fig.bbox.width
    assert len(legend.get_texts()) == 4


# --- Labels of lines ---------------------------------------------------------


def places(ax):
    """Return the boxes of the labels, after the figure was laid out."""
    ax.figure.draw_without_rendering()
    return {text.get_text(): text.get_window_extent() for text in ax.texts}


def labelled(ax, ends, **options):
    for name, end in ends.items():
        ax.plot([0, 1, 2], [0, 5, end], label=name)
    label_lines(ax, **options)
    return places(ax)


def test_a_label_stands_at_the_end_of_its_line(ax):
    found = labelled(ax, {"low": 1, "high": 9})
    for name, end in {"low": 1, "high": 9}.items():
        x, y = ax.transData.transform((2, end))
        box = found[name]
        assert 0 < box.x0 - x < 10 * ax.figure.dpi / 72
        assert (box.y0 + box.y1) / 2 == pytest.approx(y, abs=1)


def test_there_is_room_for_labels_within_the_figure(ax):
    found = labelled(ax, {"a label of many words": 1, "b": 2})
    paper = ax.figure.bbox
    assert all(paper.x0 <= b.x0 < b.x1 <= paper.x1 for b in found.values())


def test_labels_that_would_touch_are_moved_apart_and_keep_their_order(ax):
    ends = {"d": 5.1, "b": 0.2, "a": 0.1, "c": 5, "two\nlines": 5.2}
    found = labelled(ax, ends)
    boxes = [found[name] for name in ("a", "b", "c", "d", "two\nlines")]
    gaps = [above.y0 - below.y1 for below, above in pairwise(boxes)]
    # None is moved farther than its neighbours need, but for whole pixels.
    assert np.delete(gaps, 1) == pytest.approx(0, abs=1)
    assert gaps[1] > 10
    assert ax.bbox.y0 - 1 <= boxes[0].y0


def test_labels_have_the_same_places_twice():
    def figure():
        fig, ax = subplots(height=2)
        labelled(ax, {"one": 1, "two": 1.1, "three": 1.2})
        return fig

    assert svg(figure()) == svg(figure())


def test_the_end_of_a_line_is_where_it_is_seen_last(ax):
    ax.plot([3, 1, 2], [3, 1, 2], label="in no order")
    ax.plot([1, 2, np.nan], [2, 2.5, 1], label="broken off")
    ax.axhline(1.5, label="across")
    ax.set(xlim=(3.2, 1.4))
    label_lines(ax)
    ends = {text.get_text(): text.xy for text in ax.texts}
    assert ends["in no order"] == pytest.approx((2, 2))
    assert ends["broken off"] == pytest.approx((2, 2.5))
    assert ends["across"] == pytest.approx((1.4, 1.5))


@pytest.mark.parametrize(
    ("x", "side"), [(0.5, "right"), (1, "center"), (1.5, "left")]
)
def test_a_label_may_stand_above_a_line(ax, x, side):
    found = labelled(ax, {"hill": 0, "other": 1}, at={"hill": x})
    (hill, other) = ax.texts
    y = np.interp(x, [0, 1, 2], [0, 5, 0])
    assert hill.xy == pytest.approx((x, y))
    assert (hill.get_ha(), other.get_ha()) == (side, "left")
    assert found["hill"].y0 > ax.transData.transform((x, y))[1]


def test_a_label_between_the_points_of_a_logarithmic_axis_is_on_the_line(ax):
    ax.loglog([1, 100], [1, 100], label="straight")
    label_lines(ax, at={"straight": 10})
    assert ax.texts[0].xy == pytest.approx((10, 10))


def hue(colour):
    return rgb_to_hsv(to_rgb(colour))[0]


def test_letters_have_the_colour_of_their_line_and_are_strong(ax):
    colours = [*drawing.figures.LETTERS, drawing.INK, "#ffff00"]
    for i, colour in enumerate(colours):
        ax.plot([0, 1], [0, i], color=colour, label=str(i))
    label_lines(ax)
    for line, text in zip(colours, ax.texts, strict=True):
        letters = text.get_color()
        assert contrast_on_white(letters) >= 4.5
        assert letters == drawing.INK or hue(letters) == pytest.approx(
            hue(line), abs=0.02
        )


def test_bars_of_errors_belong_to_a_line_and_areas_to_a_legend(ax):
    ax.errorbar([1, 2], [1, 2], [0.1, 0.2], label="measured")
    ax.fill_between([1, 2], [1, 2], label="area")
    label_lines(ax)
    assert [text.get_text() for text in ax.texts] == ["measured"]
    assert 'line "measured"' not in describe(ax.figure)
    assert "text: measured" in describe(ax.figure)


def test_a_place_for_no_line_is_an_error(ax):
    ax.plot([1, 2], label="one")
    with pytest.raises(ValueError, match="no line is labelled 'two'"):
        label_lines(ax, at={"two": 1})


# --- Colours ---------------------------------------------------------------


PALETTE = {
    name: getattr(drawing, name)
    for name in ("BLUE", "ORANGE", "GREEN", "PURPLE", "INK", "GREY")
}


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


# From linear sRGB to XYZ (IEC 61966-2-1).
XYZ = np.array(
    [
        [0.4124, 0.3576, 0.1805],
        [0.2126, 0.7152, 0.0722],
        [0.0193, 0.1192, 0.9505],
    ]
)


def lab(colour, sight):
    """Return the CIE L*a*b* coordinates of a colour as it is seen."""
    s = np.array(to_rgb(colour))
    rgb = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    seen = XYZ @ np.clip(sight @ rgb, 0, 1) / XYZ.sum(axis=1)
    low = seen <= (6 / 29) ** 3
    x, y, z = np.where(low, seen * 841 / 108 + 4 / 29, np.cbrt(seen))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHTS.values(), ids=SIGHTS)
def test_every_two_colours_are_told_apart(sight):
    """A difference of 2.3 is just noticeable; 10 is seen at a glance."""
    seen = {name: lab(c, np.array(sight)) for name, c in PALETTE.items()}
    for one, other in combinations(PALETTE, 2):
        distance = np.linalg.norm(seen[one] - seen[other])
        assert distance > 10, f"{one} and {other}: {distance:.1f}"


def contrast_on_white(colour):
    rgb = np.array(to_rgb(colour))
    linear = np.where(
        rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4
    )
    return 1.05 / (XYZ[1] @ linear + 0.05)


@pytest.mark.parametrize("name", PALETTE)
def test_every_colour_is_strong_enough_on_white(name):
    """Contrast 3:1, as WCAG asks of graphics."""
    assert contrast_on_white(PALETTE[name]) >= 3


def test_the_simulation_confuses_red_and_green():
    """The measure itself would see colours that are hard to tell apart."""
    red, green = "#a05000", "#6e6400"
    sight = np.array(SIGHTS["deuteranopia"])
    normal = np.linalg.norm(lab(red, np.eye(3)) - lab(green, np.eye(3)))
    assert normal > 25
    assert np.linalg.norm(lab(red, sight) - lab(green, sight)) < 10


def test_lines_are_told_apart_without_colour():
    drawing.use_house_style()
    cycle = mpl.rcParams["axes.prop_cycle"].by_key()
    assert len(set(cycle["color"])) == 4
    assert len(set(cycle["linestyle"])) == 4


# --- Drawings of many parts ------------------------------------------------


def test_a_drawing_is_described_by_its_words_and_not_by_its_parts():
    def draw(ax):
        drawing.Drawing(ax, [Circle((0, 0), 1), Circle((1, 0), 1)], "a\n  b")

    assert described(draw).endswith("\n  a\n    b")


def test_parts_of_a_drawing_are_drawn_in_their_order(ax):
    above = Rectangle((0, 0), 1, 1, color="#ff0000", zorder=2)
    below = Rectangle((0, 0), 1, 1, color="#0000ff", zorder=1)
    drawn = drawing.Drawing(ax, [above, below], "red above blue")
    assert drawn.get_children() == [below, above]
    shown = picture(ax.figure).convert("RGB")
    middle = (shown.width // 2, shown.height // 2)
    assert shown.getpixel(middle) == (255, 0, 0)


def test_an_invisible_drawing_is_neither_drawn_nor_described(ax):
    before = describe(ax.figure), picture(ax.figure).tobytes()
    patch = Rectangle((0, 0), 1, 1, color="#ff0000")
    drawing.Drawing(ax, [patch], "red").set_visible(False)
    assert (describe(ax.figure), picture(ax.figure).tobytes()) == before
