"""Diagrams of events are to scale, and nothing is told by colour alone."""

from collections import Counter
from fractions import Fraction as F
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest

from bayesbook.base import ProbabilityError
from bayesbook.drawing import (
    event_grid,
    heat_map,
    people,
    subplots,
    tree,
    unit_square,
)
from bayesbook.probability import Table

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=3)[1]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def area(patch):
    return patch.get_width() * patch.get_height()


# --- The unit square ------------------------------------------------------

PRIOR = {"ill": F(1, 100), "well": F(99, 100)}
POSITIVE = {"ill": F(9, 10), "well": F(1, 10)}
# Prior, likelihood and, by hand, the joint probabilities.
SQUARES = {
    "a medical test": (PRIOR, POSITIVE, [F(9, 1000), F(99, 1000)]),
    "three hypotheses": (
        {"a": F(1, 2), "b": F(1, 3), "c": F(1, 6)},
        {"a": F(1, 5), "b": F(0), "c": F(1)},
        [F(1, 10), F(0), F(1, 6)],
    ),
    "words": (
        {"a": "1/2", "b": "1/2"},
        {"b": "1/3", "a": "3/4"},
        [F(3, 8), F(1, 6)],
    ),
    "floats": ({"a": 0.25, "b": 0.75}, {"a": 0.5, "b": 1.0}, [0.125, 0.75]),
}
square = pytest.mark.parametrize(
    ("prior", "likelihood", "joint"), SQUARES.values(), ids=SQUARES
)


def columns_and_fillings(ax):
    filled = [patch for patch in ax.patches if patch.get_hatch()]
    empty = [patch for patch in ax.patches if not patch.get_hatch()]
    return empty, filled


@square
def test_hatched_areas_are_joint_probabilities(ax, prior, likelihood, joint):
    unit_square(ax, prior, likelihood)
    _, filled = columns_and_fillings(ax)
    areas = [area(patch) for patch in filled]
    assert areas == pytest.approx([float(p) for p in joint])


@square
def test_columns_fill_a_square_of_area_one(ax, prior, likelihood, joint):
    unit_square(ax, prior, likelihood)
    columns, filled = columns_and_fillings(ax)
    widths = [float(F(p)) for p in prior.values()]
    assert [column.get_width() for column in columns] == widths
    assert {column.get_height() for column in columns} == {1}
    assert columns[0].get_x() == 0
    for left, right in pairwise(columns):
        edge = left.get_x() + left.get_width()
        assert right.get_x() == pytest.approx(edge)
    # Each filling stands at the foot of its own column.
    for column, filling in zip(columns, filled, strict=True):
        assert filling.get_xy() == column.get_xy()
        assert filling.get_width() == column.get_width()
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 1), (0, 1))
    assert sum(map(area, columns)) == pytest.approx(1)
    assert sum(map(area, filled)) == pytest.approx(float(sum(joint)))


def test_the_posterior_is_a_share_of_the_hatched_area(ax):
    unit_square(ax, PRIOR, POSITIVE)
    _, (ill, well) = columns_and_fillings(ax)
    share = area(ill) / (area(ill) + area(well))
    assert share == pytest.approx(1 / 12)


def test_likelihoods_are_found_by_name(ax):
    unit_square(ax, PRIOR, dict(reversed(POSITIVE.items())))
    _, (ill, _well) = columns_and_fillings(ax)
    assert ill.get_height() == 0.9


def test_hypotheses_are_named_above_their_columns(ax):
    unit_square(ax, {"a": F(1, 4), "b": F(3, 4)}, {"a": 1, "b": 1})
    places = {text.get_text(): text.get_position() for text in ax.texts}
    assert places["a"][0] == 0.125
    assert places["b"][0] == 0.625
    assert all(y > 1 for _, y in places.values())


def test_names_of_hypotheses_can_be_left_out(ax):
    unit_square(ax, PRIOR, POSITIVE, labels=False)
    assert texts(ax) == []


def test_the_axes_say_what_areas_are_made_of(ax):
    unit_square(ax, PRIOR, POSITIVE, evidence="P[+ | state]")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("prior", "P[+ | state]")


def test_columns_can_be_filled_alike(ax):
    fifth = dict.fromkeys("abcde", F(1, 5))
    unit_square(ax, fifth, fifth, look=1)
    unit_square(ax, PRIOR, POSITIVE)
    _, filled = columns_and_fillings(ax)
    looks = [(p.get_hatch(), p.get_facecolor()) for p in filled]
    assert set(looks[:5]) == {looks[6]} != {looks[5]}


def test_four_hypotheses_are_told_apart_without_colour(ax):
    quarter = dict.fromkeys("abcd", F(1, 4))
    unit_square(ax, quarter, quarter)
    _, filled = columns_and_fillings(ax)
    assert len({patch.get_hatch() for patch in filled}) == 4
    assert len({patch.get_facecolor() for patch in filled}) == 4


def test_five_hypotheses_are_not_told_apart(ax):
    fifth = dict.fromkeys("abcde", F(1, 5))
    with pytest.raises(ValueError, match="5 hypotheses are too many: at most"):
        unit_square(ax, fifth, fifth)
    assert not ax.patches


# --- The tree -------------------------------------------------------------

FIRST = {"red": F(3, 5), "blue": F(2, 5)}
SECOND = {
    "red": {"red": F(1, 2), "blue": F(1, 2)},
    "blue": {"red": F(3, 4), "blue": F(1, 4)},
}


def test_a_leaf_shows_the_product_along_its_path(ax):
    tree(ax, FIRST, SECOND)
    assert [text for text in texts(ax) if "=" in text] == [
        "3/5 × 1/2 = 3/10",
        "3/5 × 1/2 = 3/10",
        "2/5 × 3/4 = 3/10",
        "2/5 × 1/4 = 1/10",
    ]


def test_every_branch_shows_its_probability(ax):
    tree(ax, FIRST, SECOND)
    shown = Counter(text for text in texts(ax) if text.count("/") == 1)
    assert shown == {"3/5": 1, "2/5": 1, "1/2": 2, "3/4": 1, "1/4": 1}
    assert len(ax.lines) == 6


def test_a_probability_is_written_on_its_own_branch(ax):
    tree(ax, FIRST, SECOND)
    on_branch = [text for text in ax.texts if text.get_text().count("/") == 1]
    for line, text in zip(ax.lines, on_branch, strict=True):
        (x0, x1), (y0, y1) = line.get_data()
        x, y = text.get_position()
        assert y == pytest.approx(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
        assert x0 < x < x1


def test_every_node_is_named(ax):
    tree(ax, FIRST, SECOND)
    nodes = Counter(
        (text.get_text(), text.get_position()[0])
        for text in ax.texts
        if text.get_text() in FIRST
    )
    assert nodes == {
        ("red", 1): 1,
        ("blue", 1): 1,
        ("red", 2): 2,
        ("blue", 2): 2,
    }


def test_leaves_stand_below_each_other_beside_their_products(ax):
    tree(ax, FIRST, SECOND)
    leaves = [t for t in ax.texts if t.get_position()[0] == 2]
    products = [t for t in ax.texts if "=" in t.get_text()]
    heights = [leaf.get_position()[1] for leaf in leaves]
    assert heights == [0, -1, -2, -3]
    names = [leaf.get_text() for leaf in leaves]
    assert names == ["red", "blue", "red", "blue"]
    assert [t.get_position()[1] for t in products] == heights


def test_the_root_stands_in_the_middle(ax):
    tree(ax, FIRST, SECOND)
    roots = {
        line.get_data()[1][0] for line in ax.lines if not line.get_xdata()[0]
    }
    assert roots == {-1.5}


def test_the_axes_hold_the_whole_tree(ax):
    tree(ax, FIRST, SECOND, stages=("first", "second"))
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    places = [text.get_position() for text in ax.texts]
    places += [xy for line in ax.lines for xy in line.get_xydata()]
    assert all(left < x < right and bottom < y < top for x, y in places)
    # Products begin at their places: leave room for them on the right.
    assert right > 3


def test_a_stage_may_have_different_branches(ax):
    ends = {"a": {"x": F(1, 3), "y": F(2, 3)}, "b": {"z": F(1)}}
    tree(ax, {"a": F(1, 2), "b": F(1, 2)}, ends)
    assert [text for text in texts(ax) if "=" in text] == [
        "1/2 × 1/3 = 1/6",
        "1/2 × 2/3 = 1/3",
        "1/2 × 1 = 1/2",
    ]


def test_stages_have_headings(ax):
    tree(ax, FIRST, SECOND, stages=("first draw", "second draw"))
    assert texts(ax)[-2:] == ["first draw", "second draw"]


# --- People ---------------------------------------------------------------

GROUPS = {"ill, +": 9, "well, +": 99, "ill, -": 1, "well, -": 891}


def test_one_mark_for_each_person(ax):
    people(ax, GROUPS)
    marks = [len(line.get_xdata()) for line in ax.lines]
    assert marks == [9, 99, 1, 891]


def test_no_two_people_stand_in_the_same_place(ax):
    people(ax, GROUPS)
    places = {xy for line in ax.lines for xy in map(tuple, line.get_xydata())}
    assert places == {(x, -y) for x in range(50) for y in range(20)}


def test_people_stand_in_rows_from_the_top_left(ax):
    people(ax, {"a": 3, "b": 2}, columns=2)
    first, second = (line.get_xydata().tolist() for line in ax.lines)
    assert first == [[0, 0], [1, 0], [0, -1]]
    assert second == [[1, -1], [0, -2]]


def test_groups_of_people_are_named_with_their_counts(ax):
    people(ax, GROUPS)
    labels = ax.get_legend_handles_labels()[1]
    assert labels == ["9 ill, +", "99 well, +", "1 ill, -", "891 well, -"]


def test_groups_of_people_are_told_apart_without_colour(ax):
    people(ax, GROUPS)
    looks = {(line.get_marker(), line.get_fillstyle()) for line in ax.lines}
    assert len(looks) == 4


def test_nobody_in_a_group(ax):
    people(ax, {"ill": 0, "well": 3})
    none, some = ax.lines
    assert len(none.get_xdata()) == 0
    assert some.get_xydata().tolist() == [[0, 0], [1, 0], [2, 0]]


def test_five_groups_of_people_are_too_many(ax):
    with pytest.raises(ValueError, match="5 groups are too many: at most 4"):
        people(ax, dict.fromkeys("abcde", 1))
    assert not ax.lines


def test_people_stand_in_squares(ax):
    people(ax, GROUPS)
    assert ax.get_aspect() == 1


@pytest.mark.parametrize("count", [-3, 2.5, "many", True])
def test_people_are_whole(ax, count):
    with pytest.raises(ValueError, match=f"'ill' has {count!r} people"):
        people(ax, {"well": 3, "ill": count})
    assert not ax.lines


@pytest.mark.parametrize("columns", [0, -1, 2.5, True])
def test_a_row_holds_somebody(ax, columns):
    with pytest.raises(ValueError, match=f"A row of {columns} people"):
        people(ax, {"well": 3}, columns=columns)
    assert not ax.lines


# --- The grid -------------------------------------------------------------

EVENT = {("a", "x"), ("b", "y"), ("b", "z")}
GIVEN = {("b", "x"), ("b", "y"), ("b", "z")}


def grid(ax, given=GIVEN, **named):
    """Draw a grid of two rows and three columns, give its cells by name."""
    event_grid(ax, "ab", "xyz", ("A", EVENT), ("B", given), **named)
    cells = {}
    for patch in ax.patches:
        # The two patches of no size are there for a legend only.
        if patch.get_width():
            x, y = np.round(patch.get_center()).astype(int)
            cells["ab"[y], "xyz"[x]] = patch
    assert len(cells) == 6
    return cells


def test_the_cells_of_the_event_are_hatched(ax):
    cells = grid(ax)
    assert {c for c, patch in cells.items() if patch.get_hatch()} == EVENT


def test_the_cells_of_the_condition_are_framed(ax):
    cells = grid(ax)
    wide = max(patch.get_linewidth() for patch in cells.values())
    framed = {c for c, p in cells.items() if p.get_linewidth() == wide}
    assert framed == GIVEN


def test_what_has_not_occurred_is_emptied(ax):
    cells = grid(ax, conditioned=True, label=lambda row, column: row + column)
    hatched = {c for c, patch in cells.items() if patch.get_hatch()}
    assert hatched == EVENT & GIVEN
    assert sorted(texts(ax)) == ["bx", "by", "bz"]


def test_a_label_stands_in_its_cell(ax):
    cells = grid(ax, label=lambda row, column: row + column)
    places = {t.get_text(): t.get_position() for t in ax.texts}
    assert places == {
        row + column: pytest.approx(patch.get_center())
        for (row, column), patch in cells.items()
    }


def test_cells_are_squares(ax):
    grid(ax)
    assert ax.get_aspect() == 1


def test_cells_do_not_overlap(ax):
    cells = grid(ax)
    assert all(patch.get_width() < 1 for patch in cells.values())
    assert all(patch.get_height() < 1 for patch in cells.values())


def test_no_cell_covers_a_frame(ax):
    framed = {("a", "x"), ("b", "y")}
    cells = grid(ax, given=framed)
    order = [c for patch in ax.patches for c in cells if cells[c] is patch]
    assert set(order[-2:]) == framed


def test_rows_and_columns_are_named_at_their_cells(ax):
    grid(ax)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["x", "y", "z"]
    assert list(ax.get_yticks()) == [0, 1]
    assert list(ax.get_xticks()) == [0, 1, 2]


def test_the_legend_shows_a_hatching_and_a_frame(ax):
    cells = grid(ax)
    (event, condition), names = ax.get_legend_handles_labels()
    assert names == ["A", "B"]
    assert event.get_hatch() == cells["a", "x"].get_hatch()
    assert event.get_facecolor() == cells["a", "x"].get_facecolor()
    assert condition.get_linewidth() == cells["b", "x"].get_linewidth()
    assert condition.get_edgecolor() == cells["b", "x"].get_edgecolor()


@pytest.mark.parametrize("argument", ["event", "given"])
def test_an_outcome_outside_the_grid_is_named(ax, argument):
    sets = {"event": EVENT, "given": GIVEN}
    sets[argument] = {("a", "w")}
    named = {name: (name, outcomes) for name, outcomes in sets.items()}
    with pytest.raises(ProbabilityError, match=r"\('a', 'w'\)"):
        event_grid(ax, "ab", "xyz", **named)
    assert not ax.patches


# --- Numbers that are no probabilities ------------------------------------


@pytest.mark.parametrize(
    ("prior", "likelihood", "said"),
    [
        ({"h": 0.7, "g": 0.7}, {"h": 0.5, "g": 0.5}, "sum to 7/5"),
        ({"h": 1}, {"h": 1.5}, "3/2: greater than 1"),
        ({"h": 1}, {}, "'h' is in the prior but not"),
        ({"h": 1}, {"h": 1, "g": 1}, "'g' is in the likelihood but not"),
    ],
)
def test_a_square_needs_probabilities(ax, prior, likelihood, said):
    with pytest.raises(ProbabilityError, match=said):
        unit_square(ax, prior, likelihood)
    assert not ax.patches


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"a": {"x": "1/2"}}, "after 'a'.* sum to 1/2"),
        ({}, "'a' is in the first stage but not"),
        ({"a": {"x": 1}, "b": {"x": 1}}, "'b' is in the second stage but"),
    ],
)
def test_a_tree_needs_probabilities(ax, second, said):
    with pytest.raises(ProbabilityError, match=said):
        tree(ax, {"a": 1}, second)
    assert not ax.lines


def test_a_tree_reads_words_as_fractions(ax):
    tree(ax, {"a": "2/4", "b": 0.5}, {"a": {"x": 1}, "b": {"x": 1}})
    assert "1/2 × 1 = 1/2" in texts(ax)


# --- The heat map ---------------------------------------------------------

JOINT = Table(
    [["1/2", "1/8"], [0, "1/4"], ["1/8", 0]], {"Y": "abc", "X": (10, 20)}
)


def test_the_first_variable_runs_to_the_right_and_the_second_upwards(ax):
    heat_map(ax, JOINT)
    (image,) = ax.images
    shown = np.asarray(image.get_array())
    assert shown.tolist() == [[0.5, 0, 0.125], [0.125, 0.25, 0]]
    assert image.origin == "lower"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Y", "X")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a", "b", "c"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["10", "20"]


def test_a_label_stands_in_its_cell_if_the_cell_is_possible(ax):
    heat_map(ax, JOINT, label=lambda p: str(8 * p))
    where = {text.get_position(): text.get_text() for text in ax.texts}
    assert where == {(0, 0): "4", (0, 1): "1", (1, 1): "2", (2, 0): "1"}


def test_a_label_in_the_corner_stays_in_its_cell(ax):
    heat_map(ax, JOINT, label=lambda p: str(8 * p), corner=True)
    ax.figure.draw_without_rendering()
    for text in ax.texts:
        box = text.get_window_extent().transformed(ax.transData.inverted())
        i, j = round((box.x0 + box.x1) / 2), round((box.y0 + box.y1) / 2)
        assert text.get_text() == str(8 * JOINT.values[i, j])
        # In the upper left quarter, so that the centre is free.
        assert i - 0.5 < box.x0 < box.x1 < i
        assert j < box.y0 < box.y1 < j + 0.5


def test_every_label_contrasts_with_its_cell(ax):
    heat_map(ax, Table(np.arange(1, 37).reshape(6, 6) / 666, SIXES), label=str)
    (image,) = ax.images
    for text in ax.texts:
        i, j = text.get_position()
        cell = image.cmap(image.norm(image.get_array()[j, i]))
        dark, light = sorted(
            luminance(colour) for colour in (cell, text.get_color())
        )
        # The least that the Web Content Accessibility Guidelines allow.
        assert (light + 0.05) / (dark + 0.05) > 4.5, text.get_text()


SIXES = {"Y": range(6), "X": range(6)}


def luminance(colour):
    """Relative luminance, as the same guidelines define it."""
    channels = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(
        channels <= 0.04045,
        channels / 12.92,
        ((channels + 0.055) / 1.055) ** 2.4,
    )
    return linear @ [0.2126, 0.7152, 0.0722]


def test_a_conditional_table_can_be_drawn(ax):
    heat_map(ax, JOINT.conditional("X", given="Y"))
    shown = np.asarray(ax.images[0].get_array())
    assert shown.sum(axis=0).tolist() == [1, 1, 1]


@pytest.mark.parametrize("names", [["X"], ["X", "Y", "Z"]])
def test_a_heat_map_shows_two_variables(ax, names):
    size = 2 ** len(names)
    values = np.full((2,) * len(names), F(1, size), dtype=object)
    table = Table(values, dict.fromkeys(names, (0, 1)))
    with pytest.raises(ProbabilityError, match=f"has {len(names)} variables"):
        heat_map(ax, table)
