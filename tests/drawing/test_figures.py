"""Figures in the house style: pictures, legends, colours, drawings."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from drawing.pictures import described, picture
from IPython.core.formatters import DisplayFormatter
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, Rectangle

from bayesbook import drawing
from bayesbook.drawing import describe, legend_below, subplots

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=2)[1]


# --- The picture -----------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height", "pixels"),
    [(7, 3.5, (1008, 504)), (5, 2, (720, 288))],
)
def test_a_picture_has_144_pixels_an_inch(width, height, pixels):
    fig, _ax = subplots(width=width, height=height)
    assert picture(fig).size == pixels


def test_a_picture_is_opaque_on_white(ax):
    ax.plot([1, 2])
    # A dark theme of the notebook must not shine through.
    later = {"savefig.transparent": True, "savefig.dpi": 10}
    with mpl.rc_context(later | {"savefig.bbox": "tight"}):
        image = picture(ax.figure).convert("RGBA")
    assert image.getchannel("A").getextrema() == (255, 255)
    right, bottom = image.width - 1, image.height - 1
    corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)]
    assert {image.getpixel(xy) for xy in corners} == {(255, 255, 255, 255)}
    # Beside the line, within the axes.
    inside = image.getpixel((image.width // 2, image.height // 4))
    assert inside == (255, 255, 255, 255)
    assert image.size == (1008, 288)


def test_a_picture_does_not_name_the_software_that_drew_it(ax):
    image = picture(ax.figure)
    image.load()
    assert "Software" not in image.info
    assert "matplotlib" not in str(image.info).lower()


def test_a_picture_is_the_same_twice(ax):
    ax.plot([1, 2])
    first, _size = ax.figure._repr_mimebundle_()
    second, _size = ax.figure._repr_mimebundle_()
    assert first == second


def test_jupyter_gets_a_picture_and_a_text(ax):
    ax.set_title("Both")
    # The formatter asks for a bundle only of what defines one.
    data, size = DisplayFormatter().format(ax.figure)
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == describe(ax.figure)
    assert size == {"image/png": {"width": 700, "height": 200}}


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


@pytest.mark.parametrize("name", PALETTE)
def test_every_colour_is_strong_enough_on_white(name):
    """Contrast 3:1, as WCAG asks of graphics."""
    rgb = np.array(to_rgb(PALETTE[name]))
    linear = np.where(
        rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4
    )
    assert 1.05 / (XYZ[1] @ linear + 0.05) >= 3


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
