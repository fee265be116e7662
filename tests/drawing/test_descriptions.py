"""Descriptions of figures see every change of what is shown."""

import math

import numpy as np
import pytest
from drawing.pictures import described
from matplotlib.artist import Artist
from matplotlib.patches import Circle, Rectangle

from bayesbook.drawing import describe, legend_below, subplots

pytestmark = pytest.mark.usefixtures("own_style")
NAN, INF = float("nan"), float("inf")


@pytest.fixture
def ax():
    return subplots(height=2)[1]


# --- A description sees a change -------------------------------------------


def bars(ax, heights=(1, 2), **look):
    ax.bar(["a", "b"], heights, **look)


def rectangle(ax, width=1, **look):
    ax.add_patch(Rectangle((0, 0), width, 1, **look))


def labelled(ax, label="old"):
    ax.plot([1, 2], [1, 2], label=label)
    ax.legend()


# What is drawn, how it is drawn otherwise, and what is then said.
CHANGES = {
    "title": (
        lambda ax: ax.set_title("old"),
        lambda ax: ax.set_title("new"),
        'Axes "new"',
    ),
    "centred title": (
        lambda ax: ax.set_title("old", loc="center"),
        lambda ax: ax.set_title("new", loc="center"),
        'Axes "new"',
    ),
    "x label": (
        lambda ax: ax.set_xlabel("old"),
        lambda ax: ax.set_xlabel("new"),
        '  x "new": 0 to 1',
    ),
    "y label": (
        lambda ax: ax.set_ylabel("old"),
        lambda ax: ax.set_ylabel("new"),
        '  y "new": 0 to 1',
    ),
    "x limits": (
        lambda ax: ax.set_xlim(0, 2),
        lambda ax: ax.set_xlim(-1, 2),
        "  x: -1 to 2",
    ),
    "y limits": (
        lambda ax: ax.set_ylim(0, 2),
        lambda ax: ax.set_ylim(0, 2.5),
        "  y: 0 to 2.5",
    ),
    "direction": (
        lambda ax: ax.set_ylim(0, 2),
        lambda ax: ax.set_ylim(2, 0),
        "  y: 2 to 0",
    ),
    "x scale": (
        lambda ax: ax.set(xlim=(1, 10)),
        lambda ax: ax.set(xlim=(1, 10), xscale="log"),
        "  x: 1 to 10, log",
    ),
    "y scale": (
        lambda ax: ax.set(ylim=(1, 10), yscale="log"),
        lambda ax: ax.set(ylim=(1, 10), yscale="symlog"),
        "  y: 1 to 10, symlog",
    ),
    "colour of a line": (
        lambda ax: ax.plot([1, 2], color="#112233"),
        lambda ax: ax.plot([1, 2], color="#445566"),
        "line, #445566",
    ),
    "style of a line": (
        lambda ax: ax.plot([1, 2], linestyle="-"),
        lambda ax: ax.plot([1, 2], linestyle=":"),
        "#0072b2 : 2:",
    ),
    "marker": (
        lambda ax: ax.plot([1, 2], "o"),
        lambda ax: ax.plot([1, 2], "^"),
        "#0072b2 marker ^ 7:",
    ),
    "markers added to a line": (
        lambda ax: ax.plot([1, 2], "-"),
        lambda ax: ax.plot([1, 2], "-s"),
        "#0072b2 - 2 marker s 7:",
    ),
    "name of a line": (
        lambda ax: ax.plot([1, 2], label="old"),
        lambda ax: ax.plot([1, 2], label="new"),
        'line "new"',
    ),
    "x of a line": (
        lambda ax: ax.plot([1, 2], [5, 5]),
        lambda ax: ax.plot([1, 4], [5, 5]),
        "x 1 4; y 5 5",
    ),
    "y of a line": (
        lambda ax: ax.plot([1, 2], [5, 5]),
        lambda ax: ax.plot([1, 2], [5, 7]),
        "x 1 2; y 5 7",
    ),
    "one inner value": (
        lambda ax: ax.plot([0, 1, 2, 3], [0, 1, 1, 4]),
        lambda ax: ax.plot([0, 1, 2, 3], [0, 1, 3, 4]),
        "y 0 1 3 4",
    ),
    "a missing value": (
        lambda ax: ax.plot([1, 2, 3], [1, 2, 3]),
        lambda ax: ax.plot([1, 2, 3], [1, NAN, 3]),
        "y 1 nan 3",
    ),
    "another line": (
        lambda ax: ax.plot([1, 2]),
        lambda ax: ax.plot([1, 2]) + ax.plot([3, 3]),
        "line, #d55e00 -- 2:",
    ),
    "height of a bar": (
        bars,
        lambda ax: bars(ax, (1, 4)),
        "y 0 1 0 4",
    ),
    "number of bars": (
        lambda ax: ax.bar([1, 2], 1),
        lambda ax: ax.bar([1, 1.5, 2], 1),
        "3 rectangle",
    ),
    "colour of bars": (
        lambda ax: bars(ax, color="#112233"),
        lambda ax: bars(ax, color="#445566"),
        "2 rectangle, #445566:",
    ),
    "hatch of bars": (
        lambda ax: bars(ax, hatch="//"),
        lambda ax: bars(ax, hatch="xx"),
        "2 rectangle, #0072b2 xx:",
    ),
    "edge of bars": (
        lambda ax: bars(ax, edgecolor="#112233"),
        lambda ax: bars(ax, edgecolor="#445566"),
        "edge #445566 1:",
    ),
    "edge width of bars": (
        lambda ax: bars(ax, edgecolor="k", linewidth=1),
        lambda ax: bars(ax, edgecolor="k", linewidth=2.5),
        "edge #000000 2.5:",
    ),
    "width of a patch": (
        rectangle,
        lambda ax: rectangle(ax, 0.5),
        "x 0 0.5;",
    ),
    "kind of a patch": (
        rectangle,
        lambda ax: ax.add_patch(Circle((0.5, 0.5), 0.5)),
        "1 circle",
    ),
    "points of a scatter": (
        lambda ax: ax.scatter([1, 2], [1, 2]),
        lambda ax: ax.scatter([1, 2], [1, 6]),
        "size 49: x 1 2; y 1 6",
    ),
    "colour of a scatter": (
        lambda ax: ax.scatter([1, 2], [1, 2], color="#112233"),
        lambda ax: ax.scatter([1, 2], [1, 2], color="#445566"),
        "pathcollection, fill #445566 edge #445566",
    ),
    "name of a scatter": (
        lambda ax: ax.scatter([1], [1], label="old"),
        lambda ax: ax.scatter([1], [1], label="new"),
        'pathcollection "new"',
    ),
    "an area": (
        lambda ax: ax.fill_between([0, 1], [1, 1]),
        lambda ax: ax.fill_between([0, 1], [1, 3]),
        "y 0 1 3 0",
    ),
    "colour of an area": (
        lambda ax: ax.fill_between([0, 1], 1, color="#112233"),
        lambda ax: ax.fill_between([0, 1], 1, color="#445566"),
        "#445566:",
    ),
    "ends of vertical lines": (
        lambda ax: ax.vlines([1, 2], 0, 1),
        lambda ax: ax.vlines([1, 2], 0, 5),
        "y 0 5 0 5",
    ),
    "values of an image": (
        lambda ax: ax.imshow([[0, 1], [2, 3]]),
        lambda ax: ax.imshow([[0, 1], [2, 5]]),
        "image: values 0 1 2 5",
    ),
    "text": (
        lambda ax: ax.text(0, 0, "old"),
        lambda ax: ax.text(0, 0, "new\nlines"),
        "  text: new lines",
    ),
    "annotation": (
        lambda ax: ax.annotate("old", (0, 0)),
        lambda ax: ax.annotate("new", (0, 0)),
        "  text: new",
    ),
    "second text": (
        lambda ax: ax.text(0, 0, "one"),
        lambda ax: [ax.text(0, i, text) for i, text in enumerate("ab")],
        "  text: a | b",
    ),
    "legend": (labelled, lambda ax: labelled(ax, "new"), "  legend: new"),
    "order of values": (
        lambda ax: ax.plot([1, 2, 4]),
        lambda ax: ax.plot([4, 2, 1]),
        "y 4 2 1",
    ),
    "order of many values": (
        lambda ax: ax.plot(range(20)),
        lambda ax: ax.plot(range(19, -1, -1)),
        "min=0 max=19 first=19 last=0",
    ),
    "category": (
        lambda ax: ax.plot(["a", "b"], [1, 2]),
        lambda ax: ax.plot(["a", "c"], [1, 2]),
        "ticks a | c",
    ),
    "words at ticks": (
        lambda ax: ax.set_xticks([0, 1], ["no", "yes"]),
        lambda ax: ax.set_xticks([0, 1], ["yes", "no"]),
        "ticks yes | no",
    ),
    "name of bars": (
        lambda ax: bars(ax, label="old"),
        lambda ax: bars(ax, label="new"),
        '2 rectangle "new"',
    ),
    "filling of a patch": (
        lambda ax: rectangle(ax, facecolor="black", edgecolor="black"),
        lambda ax: rectangle(ax, facecolor="none", edgecolor="black"),
        "rectangle, none edge #000000 1:",
    ),
    "transparency": (
        lambda ax: rectangle(ax, facecolor="black", alpha=1),
        lambda ax: rectangle(ax, facecolor="black", alpha=0.5),
        "rectangle, #00000080",
    ),
    "dashes of an edge": (
        lambda ax: rectangle(ax, edgecolor="black"),
        lambda ax: rectangle(ax, edgecolor="black", linestyle="dashed"),
        "edge #000000 1 dashed",
    ),
    "width of a line": (
        lambda ax: ax.plot([1, 2]),
        lambda ax: ax.plot([1, 2], linewidth=5),
        "#0072b2 - 5:",
    ),
    "filling of markers": (
        lambda ax: ax.plot([1, 2], "o"),
        lambda ax: ax.plot([1, 2], "o", fillstyle="none"),
        "marker o 7 none:",
    ),
    "colour of vertical lines": (
        lambda ax: ax.vlines([1, 2], 0, 1, color="#112233"),
        lambda ax: ax.vlines([1, 2], 0, 1, color="#445566"),
        "edge #445566",
    ),
    "dashes of vertical lines": (
        lambda ax: ax.vlines([1, 2], 0, 1),
        lambda ax: ax.vlines([1, 2], 0, 1, linestyle="--"),
        "dashed",
    ),
    "hatch of an area": (
        lambda ax: ax.fill_between([0, 1], 1, hatch="//"),
        lambda ax: ax.fill_between([0, 1], 1, hatch="xx"),
        " xx:",
    ),
    "size of a scatter": (
        lambda ax: ax.scatter([1], [1], s=9),
        lambda ax: ax.scatter([1], [1], s=25),
        "size 25:",
    ),
    "colour values of a scatter": (
        lambda ax: ax.scatter([1, 2], [1, 2], c=[0, 1]),
        lambda ax: ax.scatter([1, 2], [1, 2], c=[1, 0]),
        "values 1 0",
    ),
    "title of a legend": (
        lambda ax: (ax.plot([1], label="a"), ax.legend(title="old")),
        lambda ax: (ax.plot([1], label="a"), ax.legend(title="new")),
        'legend "new": a',
    ),
    "title on the right": (
        lambda ax: ax.set_title("old", loc="right"),
        lambda ax: ax.set_title("new", loc="right"),
        'Axes "new"',
    ),
    "text beside the axes": (
        lambda ax: ax.figure.text(0, 0, "old"),
        lambda ax: ax.figure.text(0, 0, "new"),
        "text: new",
    ),
    "label of all axes": (
        lambda ax: ax.figure.supxlabel("old"),
        lambda ax: ax.figure.supxlabel("new"),
        'x of all "new"',
    ),
    "marker of a scatter": (
        lambda ax: ax.scatter([1], [1], marker="o"),
        lambda ax: ax.scatter([1], [1], marker="^"),
        "marker ^ size 49:",
    ),
    "marker of a scatter without a name": (
        lambda ax: ax.scatter([1], [1], marker="o"),
        lambda ax: ax.scatter([1], [1], marker=[(0, 0), (1, 1), (1, 0)]),
        "marker of another shape size 49:",
    ),
    "step of a histogram": (
        lambda ax: ax.hist([1, 2, 3, 3], bins=3, histtype="step"),
        lambda ax: ax.hist([1, 2, 2, 3], bins=3, histtype="step"),
        "1 polygon, none edge #0072b2 1: x",
    ),
    "arrows": (
        lambda ax: ax.quiver([1], [2], [3], [4]),
        lambda ax: ax.quiver([1], [2], [4], [3]),
        "x 1; y 2; u 4; v 3",
    ),
    "transparency of a line": (
        lambda ax: ax.plot([1, 2], color="black"),
        lambda ax: ax.plot([1, 2], color="black", alpha=0.5),
        "line, #00000080",
    ),
    "axes within": (
        lambda ax: ax.inset_axes([0, 0, 1, 1]).set_title("old"),
        lambda ax: ax.inset_axes([0, 0, 1, 1]).set_title("new"),
        '  Axes "new"\n    x: 0 to 1\n    y: 0 to 1',
    ),
    "second legend": (
        labelled,
        lambda ax: (
            ax.add_artist(ax.legend(ax.plot([1, 2]), ["new"])),
            labelled(ax),
        ),
        "  legend: new\n  legend: old",
    ),
    "narrow limits": (
        lambda ax: ax.set_xlim(1e6, 1e6 + 1),
        lambda ax: ax.set_xlim(1e6, 1e6 + 2),
        "x: 1000000 to 1000002",
    ),
    "tiny limits": (
        lambda ax: ax.set_ylim(0, 1e-10),
        lambda ax: ax.set_ylim(0, 2e-10),
        "  y: 0 to 2e-10",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), CHANGES.values(), ids=CHANGES)
def test_a_description_sees_a_changed(old, new, said):
    before, after = described(old), described(new)
    assert before != after
    assert said in after


FIGURES = {
    "width": (
        lambda: subplots(width=7)[0],
        lambda: subplots(width=6)[0],
        "Figure, 6 × 3.6 in",
    ),
    "height": (
        lambda: subplots(height=2)[0],
        lambda: subplots(height=2.5)[0],
        "Figure, 4.75 × 2.5 in",
    ),
    "number of axes": (
        lambda: subplots(1, 1)[0],
        lambda: subplots(1, 2)[0],
        "Axes\n  x: 0 to 1\n  y: 0 to 1\nAxes",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), FIGURES.values(), ids=FIGURES)
def test_a_description_sees_a_changed_figure(old, new, said):
    assert describe(old()) != describe(new())
    assert said in describe(new())


class Many(Artist):
    """An artist that says itself what it shows."""

    def describe(self):
        return "many: one\nand two"


def test_an_artist_of_many_parts_describes_itself(ax):
    without = describe(ax.figure)
    silent = ax.add_artist(Artist())
    assert describe(ax.figure) == without
    many = ax.add_artist(Many())
    assert describe(ax.figure) == f"{without}\n  many: one\n  and two"
    many.set_visible(False)
    assert describe(ax.figure) == without
    assert silent.get_visible()


def test_a_description_has_the_title_of_the_figure(ax):
    ax.figure.suptitle("Above\nall")
    assert 'Title "Above all"' in describe(ax.figure)
    assert describe(ax.figure).count("Above") == 1


# Draws something, and gives what can be made invisible.
SEEN = {
    "axes": lambda ax: ax,
    "scale": lambda ax: ax.xaxis,
    "line": lambda ax: ax.plot([1, 2])[0],
    "patch": lambda ax: ax.add_patch(Rectangle((0, 0), 1, 1)),
    "scatter": lambda ax: ax.scatter([1], [1]),
    "image": lambda ax: ax.imshow([[1]]),
    "text": lambda ax: ax.text(0, 0, "seen"),
    "inset": lambda ax: ax.inset_axes([0, 0, 1, 1]),
    "legend": lambda ax: ax.legend(ax.plot([1, 2]), ["seen"]),
    "legend of all": lambda ax: ax.figure.legend(ax.plot([1, 2]), ["seen"]),
    "text beside": lambda ax: ax.figure.text(0, 0, "seen"),
}


@pytest.mark.parametrize("draw", SEEN.values(), ids=SEEN)
def test_what_is_invisible_is_not_described(ax, draw):
    artist = draw(ax)
    seen = describe(ax.figure).splitlines()
    artist.set_visible(False)
    left = describe(ax.figure).splitlines()
    assert len(left) < len(seen)
    assert set(left) < set(seen)


def test_a_description_has_the_legend_of_the_figure(ax):
    ax.plot([1, 2], label="one")
    ax.plot([1, 2], label="two")
    assert "legend" not in describe(ax.figure)
    legend_below(ax.figure)
    assert describe(ax.figure).endswith("\nlegend: one | two")
    ax.figure.legend(ax.lines[:1], ["three"])
    assert describe(ax.figure).endswith("\nlegend: one | two\nlegend: three")


def test_axes_that_are_off_have_no_scales(ax):
    ax.set(xlabel="unseen", title="seen")
    ax.set_axis_off()
    assert describe(ax.figure) == 'Figure, 4.75 × 2 in\nAxes "seen"'


def test_axes_are_described_in_their_order():
    fig, (left, right) = subplots(1, 2)
    left.set_title("left")
    right.set_title("right")
    text = describe(fig)
    assert text.index('Axes "left"') < text.index('Axes "right"')


# --- The numbers of a description ------------------------------------------


def test_a_dozen_values_are_listed(ax):
    ax.plot([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])
    assert "y 3 1 4 1 5 9 2 6 5 3 5 8" in describe(ax.figure)


def test_the_statistics_are_those_of_all_values(ax):
    """The sum of squares around the mean 4 is 4 (9 + 4 + 0 + 25) = 152."""
    ax.plot([1, 2, 4, 9] * 4)
    said = "y n=16 mean=4 sd=3.082 min=1 max=9 first=1 last=9"
    assert said in describe(ax.figure)
    assert math.sqrt(152 / 16) == pytest.approx(3.082, abs=5e-4)


def test_bars_are_described_by_their_corners(ax):
    ax.bar([1, 3], [2, 6], width=1)
    # Lower left and upper right.
    assert "x 0.5 1.5 2.5 3.5; y 0 2 0 6" in describe(ax.figure)


def test_bars_that_look_the_same_are_described_together(ax):
    ax.bar([0, 1], [1, 1], color=["#112233", "#445566"])
    ax.bar([2], [1], color="#112233")
    text = describe(ax.figure)
    assert "2 rectangle, #112233" in text
    assert "1 rectangle, #445566" in text


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1, NAN, 3], "y 1 nan 3"),
        ([1, INF, 3], "y 1 inf 3"),
        (np.ma.masked_greater([1, 9, 3], 5), "y 1 nan 3"),
        ([1, 3, NAN, INF] * 5, "y n=10 mean=2 sd=1 min=1 max=3"),
        ([NAN] * 13, "y n=0"),
    ],
)
def test_missing_values_are_no_numbers(ax, values, said):
    ax.plot(range(len(values)), values)
    assert said in describe(ax.figure)


def test_missing_points_and_pixels_are_no_numbers(ax):
    ax.scatter([1, 2, 3], [1, NAN, 3])
    ax.scatter([1, 2, 3], np.ma.masked_greater([1.0, 9.0, 3.0], 5))
    ax.imshow([[1, NAN], [3, NAN]])
    text = describe(ax.figure)
    assert text.count("y 1 nan 3") == 2
    assert "values 1 nan 3 nan" in text


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: ax.plot([], []),
        lambda ax: ax.scatter([], []),
        lambda ax: ax.vlines([], 0, 1),
        lambda ax: ax.fill_between([], 0, 1),
    ],
)
def test_what_is_empty_is_described(ax, draw):
    draw(ax)
    assert "x none; y none" in describe(ax.figure)


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        ("plot", "x 0 1 2; y"),
        ("scatter", "x 0 1 2; y"),
        # A bar has two corners, at equal distances from its category.
        ("bar", "x -0.4 0.4 0.6 1.4 1.6 2.4; y"),
    ],
)
def test_categories_stand_at_the_whole_numbers(ax, draw, said):
    getattr(ax, draw)(["low", "middle", "high"], [1, 5, 9])
    assert said in describe(ax.figure)


def test_dates_are_described(ax):
    days = np.array(["2024-02-28", "2024-03-01"], dtype="datetime64[D]")
    ax.plot(days, [1, 2])
    ax.set_xticks(days)
    assert "x 1.978e+04 1.978e+04; y 1 2" in describe(ax.figure)
    assert "ticks 2024-02-28 | 2024-03-01" in describe(ax.figure)


angles = np.linspace(0, 2 * np.pi, 25)
NOISY = {
    "line": lambda ax, wobble: ax.plot(angles, wobble(np.sin(angles))),
    "mean of zero": lambda ax, wobble: ax.plot(wobble(angles - np.pi)),
    # With limits: matplotlib would zoom into the noise, which is a change.
    "constant": lambda ax, wobble: [
        ax.plot(wobble(np.full(9, 0.1))),
        ax.set_ylim(0, 1),
    ],
    "bar": lambda ax, wobble: ax.bar(range(25), wobble(np.cos(angles))),
    "scatter": lambda ax, wobble: ax.scatter(
        wobble(np.cos(angles)), wobble(np.sin(angles))
    ),
    "area": lambda ax, wobble: ax.fill_between(angles, wobble(np.sin(angles))),
    "image": lambda ax, wobble: ax.imshow(
        wobble(np.sin(angles)).reshape(5, 5)
    ),
    "limits": lambda ax, wobble: ax.set_xlim(*wobble(np.array([0, 3]))),
}


@pytest.mark.parametrize("draw", NOISY.values(), ids=NOISY)
def test_rounding_noise_changes_no_description(draw):
    still = described(draw, lambda values: values)
    for seed in range(3):
        noise = np.random.default_rng(seed)

        def wobble(values, noise=noise):
            return values + noise.uniform(-1e-12, 1e-12, values.shape)

        assert described(draw, wobble) == still
