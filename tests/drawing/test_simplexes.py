"""Triangles show where a density is: against draws and exact formulas."""

import re
import warnings

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import DirichletCategorical
from bayesbook.drawing import describe, draw_simplex, legend_below, subplots

pytestmark = pytest.mark.usefixtures("own_style")

HEIGHT = 3**0.5 / 2
DISTRIBUTIONS = {
    "at the sides": (0.5, 0.5, 0.5),
    "at one side": (2, 0.6, 3),
    "in the middle": (4, 4, 4),
    "narrow": (90, 60, 50),
    "askew": (6, 3, 1),
    "in stripes": (1, 1, 3),
}
every_distribution = pytest.mark.parametrize(
    "alpha", DISTRIBUTIONS.values(), ids=DISTRIBUTIONS
)


@pytest.fixture
def ax():
    return subplots(height=3)[1]


def place(vectors):
    """Return the points that stand for probability vectors, by hand."""
    _, right, top = np.transpose(vectors)
    return np.column_stack([right + top / 2, HEIGHT * top])


def parts(drawing, kind):
    return [part for part in drawing.get_children() if isinstance(part, kind)]


def regions(drawing):
    return {part.get_label(): part for part in parts(drawing, PathPatch)}


def inside(region, vectors):
    """Return which points are in a region: in an outline, but in no hole."""
    outlines = region.get_path().to_polygons()
    within = [Path(o).contains_points(place(vectors)) for o in outlines]
    return np.sum(within, axis=0) % 2 == 1


# --- Regions --------------------------------------------------------------


@every_distribution
def test_regions_hold_what_they_say(ax, alpha):
    drawing = draw_simplex(ax, "abc", stats.dirichlet(alpha))
    draws = stats.dirichlet(alpha).rvs(40_000, random_state=1)
    shares = {
        name: inside(region, draws).mean()
        for name, region in regions(drawing).items()
    }
    assert shares["holds half of it"] == pytest.approx(0.5, abs=0.02)
    assert shares["holds 95 %"] == pytest.approx(0.95, abs=0.012)


@every_distribution
def test_no_point_outside_a_region_has_a_larger_density(ax, alpha):
    distribution = stats.dirichlet(alpha)
    drawing = draw_simplex(ax, "abc", distribution)
    points = stats.dirichlet([1, 1, 1]).rvs(20_000, random_state=2)
    density = distribution.pdf(points.T)
    for region in regions(drawing).values():
        within = inside(region, points)
        threshold = np.quantile(density, 1 - within.mean())
        # All but the few that the straight lines of an outline cut off.
        assert np.mean(within == (density > threshold)) > 0.98


@every_distribution
def test_areas_are_told(ax, alpha):
    drawing = draw_simplex(ax, "abc", stats.dirichlet(alpha))
    points = stats.dirichlet([1, 1, 1]).rvs(100_000, random_state=3)
    half, most = re.search(
        "half of it on (.*) of the area, 95 % on (.*)", drawing.describe()
    ).groups()
    found = regions(drawing)
    for said, name in [(half, "holds half of it"), (most, "holds 95 %")]:
        area = inside(found[name], points).mean()
        assert float(said) == pytest.approx(area, abs=0.012)


def test_a_region_ends_where_the_distribution_of_a_component_says(ax):
    drawing = draw_simplex(ax, "abc", stats.dirichlet([1, 1, 3]))
    for name, tail in [("holds half of it", 0.5), ("holds 95 %", 0.05)]:
        # The density depends on the third component only, a Beta(3, 2).
        lowest = regions(drawing)[name].get_path().vertices[:, 1].min()
        exact = HEIGHT * stats.beta(3, 2).ppf(tail)
        assert lowest == pytest.approx(exact, abs=0.003)


def test_regions_are_told_apart_without_colour(ax):
    drawing = draw_simplex(ax, "abc", stats.dirichlet([2, 3, 4]))
    lines = {part.get_linestyle() for part in parts(drawing, PathPatch)}
    assert lines == {"-", "--"}


def test_only_the_shape_of_a_density_counts(ax):
    distribution = stats.dirichlet([3, 2, 4])
    first = draw_simplex(ax, "abc", distribution)
    second = draw_simplex(ax, "abc", lambda p: 1e-9 * distribution.pdf(p))
    assert second.describe() == first.describe()
    for name, region in regions(first).items():
        other = regions(second)[name].get_path().vertices
        assert np.allclose(region.get_path().vertices, other)


def test_a_flat_density_has_no_regions(ax):
    drawing = draw_simplex(ax, "abc", stats.dirichlet([1, 1, 1]))
    assert regions(drawing) == {}
    assert drawing.describe().endswith(
        "density with the mean 0.33 0.33 0.33\n  the same everywhere"
    )
    assert ax.get_legend_handles_labels()[1] == []


def test_a_density_may_be_zero_somewhere(ax):
    drawing = draw_simplex(ax, "abc", lambda p: (p[0] > 0.5).astype(float))
    assert "density with the mean 0.67 0.17 0.17" in drawing.describe()


def test_nothing_warns_and_nothing_else_is_left_in_the_axes(ax):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw_simplex(ax, "abc", stats.dirichlet([0.5, 0.5, 2]))
        ax.figure._png()
    assert list(ax.collections) == []


# --- Points and corners ---------------------------------------------------

VECTORS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0, 0.5], [0.2, 0.3, 0.5]]


def test_a_point_stands_where_its_distances_say(ax):
    drawing = draw_simplex(ax, "abc", points={"p": VECTORS})
    (line,) = parts(drawing, Line2D)
    for (x, y), p in zip(line.get_xydata(), VECTORS, strict=True):
        assert y / HEIGHT == pytest.approx(p[2])
        # From the right side and from the left one.
        from_right = (3**0.5 * (1 - x) - y) / 2
        from_left = (3**0.5 * x - y) / 2
        assert from_right / HEIGHT == pytest.approx(p[0])
        assert from_left / HEIGHT == pytest.approx(p[1])


def test_corners_are_named_outside_the_triangle(ax):
    drawing = draw_simplex(ax, ("left", "right", "top"))
    places = {t.get_text(): t.get_position() for t in parts(drawing, Text)}
    assert places["left"][0] == 0
    assert places["right"][0] == 1
    assert places["top"][0] == 0.5
    assert places["left"][1] == places["right"][1] < 0
    assert places["top"][1] > HEIGHT


def test_names_of_corners_are_in_the_axes_and_apart():
    fig, axes = subplots(1, 3, height=2.6)
    drawings = [draw_simplex(ax, ("scissors", "paper", "rock")) for ax in axes]
    fig.draw_without_rendering()
    for ax, drawing in zip(axes, drawings, strict=True):
        boxes = [t.get_window_extent() for t in parts(drawing, Text)]
        frame = ax.get_window_extent().padded(1)
        assert all(
            frame.contains(*corner) for b in boxes for corner in b.get_points()
        )
        assert not boxes[0].overlaps(boxes[1])


def test_groups_of_points_are_told_apart_without_colour(ax):
    names = dict.fromkeys("abcd", VECTORS[4])
    drawing = draw_simplex(ax, "xyz", points=names)
    marks = [line.get_marker() for line in parts(drawing, Line2D)]
    assert len(set(marks)) == 4


def test_many_points_have_smaller_marks(ax):
    drawing = draw_simplex(
        ax, "xyz", points={"one": VECTORS[4], "all": VECTORS}
    )
    one, all_ = parts(drawing, Line2D)
    assert one.get_markersize() > all_.get_markersize()


def test_a_legend_names_regions_and_points_as_they_look(ax):
    drawing = draw_simplex(
        ax, "abc", stats.dirichlet([2, 3, 4]), {"mean": [2 / 9, 3 / 9, 4 / 9]}
    )
    handles, names = ax.get_legend_handles_labels()
    assert sorted(names) == ["holds 95 %", "holds half of it", "mean"]
    look = dict(zip(names, handles, strict=True))
    for name, region in regions(drawing).items():
        assert look[name].get_facecolor() == region.get_facecolor()
        assert look[name].get_linestyle() == region.get_linestyle()
    (mark,) = parts(drawing, Line2D)
    assert look["mean"].get_marker() == mark.get_marker()
    legend_below(ax.figure)


def test_a_description_says_what_is_drawn():
    fig, ax = subplots(height=2)
    draw_simplex(
        ax,
        ("red", "green", "blue"),
        stats.dirichlet([6, 3, 1]),
        {"mean": [0.6, 0.3, 0.1], "corners": np.eye(3)},
    )
    said = describe(fig)
    assert "triangle with the corners red, green, blue" in said
    assert "density with the mean 0.60 0.30 0.10" in said
    assert 'point "mean", marker o: 0.60 0.30 0.10' in said
    assert (
        '3 points "corners", marker ^: mean 0.33 0.33 0.33, sd 0.47 0.47 0.47'
    ) in said


def test_another_density_is_described_otherwise(ax):
    words = {
        draw_simplex(ax, "abc", stats.dirichlet(alpha)).describe()
        for alpha in [*DISTRIBUTIONS.values(), (1, 1, 1), (4, 4, 4.3)]
    }
    assert len(words) == len(DISTRIBUTIONS) + 2


# --- What cannot be drawn -------------------------------------------------

MIDDLE = [1 / 3, 1 / 3, 1 / 3]


@pytest.mark.parametrize(
    ("corners", "distribution", "points", "said"),
    [
        ("ab", None, {}, "The corners are 'a', 'b': a triangle needs three"),
        ("aba", None, {}, "'a', 'b', 'a': a triangle needs three different"),
        ("abcd", None, {}, "'d': a triangle needs three"),
        ("abc", None, dict.fromkeys("vwxyz", MIDDLE), "5 groups of points"),
        ("abc", None, {"p": [0.5, 0.5]}, "'p' have 2 probabilities each"),
        ("abc", None, {"p": [0.5, 0.7, -0.2]}, "'p': -0.2 at row 0, .* negat"),
        ("abc", None, {"p": [MIDDLE, [0, 0, 2]]}, "row 1 sums to 2, not to"),
        ("abc", None, {"p": [[MIDDLE]]}, r"'p' have the shape \(1, 1, 3\)"),
        ("abc", None, {"p": "one"}, "'p' are not numbers"),
        ("abc", None, {"p": []}, "'p' are empty"),
        (
            "abc",
            stats.dirichlet([1, 2, 3, 4]),
            {},
            "The density of three probabilities cannot be computed:",
        ),
        ("abc", lambda p: -p[0], {}, "The density at .* is -.* not negative"),
        ("abc", lambda p: p[0] / 0.0, {}, "is inf: it must be finite"),
        ("abc", lambda p: 0 * p[0], {}, "The density is zero everywhere"),
        ("abc", lambda p: p, {}, r"has the shape \(3, 40000\): one number"),
        ("abc", stats.dirichlet([2e4] * 3), {}, "too narrow .* Draw points"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_what_cannot_be_drawn_is_named(
    ax, corners, distribution, points, said
):
    with pytest.raises(ProbabilityError, match=said):
        draw_simplex(ax, corners, distribution, points)
    assert not ax.get_legend_handles_labels()[1]


@pytest.mark.parametrize(
    ("distribution", "points", "said"),
    [
        (None, MIDDLE, "have the type list: give a mapping"),
        (None, np.eye(3), "have the type ndarray: give a map"),
        (DirichletCategorical([1, 2, 3]), {}, "type DirichletCategorical:"),
        (5, {}, "The distribution has the type int: give something with"),
    ],
)
def test_wrong_types_are_named(ax, distribution, points, said):
    with pytest.raises(TypeError, match=said):
        draw_simplex(ax, "abc", distribution, points)
