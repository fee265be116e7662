"""Tables as texts and as HTML."""

from fractions import Fraction as F
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from table_truth import cells

from bayesbook.base import (
    ProbabilityError,
)
from bayesbook.probability import Table


def test_a_table_is_drawn_with_a_row_for_each_condition():
    p = Table(
        [[[0.9, 0.1], [0.25, 0.75]], [[1, 0], [1 / 3, 2 / 3]]],
        {"A": ("no", "yes"), "B": (0, 1), "C": ("x", "y")},
        given=["A", "B"],
    )
    assert repr(p).splitlines() == [
        "P(C | A, B)",
        "A    B     C=x     C=y",
        "no   0  0.9000  0.1000",
        "no   1  0.2500  0.7500",
        "yes  0  1.0000  0.0000",
        "yes  1  0.3333  0.6667",
    ]
    html = p._repr_html_()
    assert "<caption>P(C | A, B)</caption>" in html


def numbers_of(html):
    """Return the numbers of an HTML table by the states that head them.

    Cells are put where a browser puts them, whatever they span.
    """
    table = ElementTree.fromstring(html)
    placed = {}
    for i, row in enumerate(table.iter("tr")):
        j = 0
        for cell in row:
            while (i, j) in placed:
                j += 1
            down, along = (int(cell.get(n, 1)) for n in ("rowspan", "colspan"))
            for place in product(range(i, i + down), range(j, j + along)):
                assert place not in placed
                placed[place] = cell
    found = {}
    for (i, j), cell in placed.items():
        if cell.tag == "td":
            beside = [k for k in range(j) if placed[i, k].tag == "th"]
            states = {placed[0, k].text: placed[i, k].text for k in beside}
            if len(table.find("thead")) == 2:
                states[placed[0, j].text] = placed[1, j].text
            found[tuple(states.items())] = cell.text
    return found


@pytest.mark.parametrize(
    "table",
    [
        Table([0.25, 0.75], {"X": (1, 0)}),
        Table(["1/3", "2/3"], {"<b>": ("<i>", "&")}),
        Table([["1/2", 0], ["1/3", "1/6"]], {"X": "ab", "Y": "cd"}),
        Table(
            [[["1/2", "1/2"], [0, 1], ["1/4", "3/4"]]] * 2,
            {"A": ("no", "yes"), "B": (2, 1, 0), "C": "yz"},
            given=["A", "B"],
        ),
        Table.from_counts(
            {(x, y): x * y + 1 for x in (1, 2) for y in range(12)},
            ["X", "Y"],
            exact=True,
        ),
        Table.from_counts({x: x for x in range(24)}, ["X"], exact=True),
    ],
    ids=lambda table: f"{table.title} {table.shape}",
)
def test_html_shows_each_number_at_its_states(table):
    expected = {
        tuple(zip(table.variables, map(str, key), strict=True)): str(p)
        for key, p in cells(table).items()
    }
    html = table._repr_html_()
    assert numbers_of(html) == expected
    assert html.count('scope="') == html.count("<th ")


def test_a_state_beside_rows_that_are_cut_ends_with_them():
    table = Table(
        np.full((3, 10, 2), 1 / 60), {"A": "abc", "B": range(10), "C": "yz"}
    )
    html, cut = table._repr_html_().split("<p>")
    assert cut == "… 30 rows</p>"
    found = numbers_of(html)
    assert len(found) == 24 * 2
    assert [*found][-1] == (("A", "c"), ("B", "3"), ("C", "z"))


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([0.5, 0.5], ["0.5", "0.5"]),
        ([0.1, 0.9], ["0.1", "0.9"]),
        ([0.25, 0.75], ["0.25", "0.75"]),
        ([1.0, 0.0], ["1", "0"]),
        ([0.1 + 0.2, 0.7], ["0.3", "0.7"]),
        ([1 / 3, 2 / 3], ["0.3333", "0.6667"]),
        ([0.99999, 0.00001], ["1.0000", "1e-05"]),
        ([0.999996, 0.000004], ["1.0000", "4e-06"]),
        ([0.00006, 0.99994], ["0.0001", "0.9999"]),
    ],
)
def test_decimals_are_aligned_and_no_more_than_needed(values, cells):
    p = Table(values, {"X": (0, 1)})
    assert repr(p).splitlines()[2].split() == cells


def test_fractions_without_end_are_shown_as_decimals():
    tiny = F(1, 10**5000)
    p = Table([[tiny, 0], [0, 1 - tiny]], {"X": (0, 1), "Y": (0, 1)})
    assert str(p).split("\n")[2].split() == ["0", "1e-5000", "0"]
    assert "<td>1e-5000</td>" in p._repr_html_()
    assert "= 1e-5000, but\n" in str(p.independent("X", "Y"))
    with pytest.raises(ProbabilityError, match=r"sum to 1 \+ 1e-5000, not"):
        Table([tiny, 1], {"X": (0, 1)})


def test_times_stay_times():
    days = np.array(["2026-01-01", "2026-01-02"], "datetime64[ns]")
    p = Table([0.5, 0.5], {"day": days})
    assert p.P(day=np.datetime64("2026-01-02")) == 0.5
    assert p.to_series().index.equals(pd.DatetimeIndex(days))


def test_what_is_too_long_is_cut_and_says_so():
    p = Table(np.full(30, 1 / 30), {"X": range(30)})
    lines = repr(p).splitlines()
    assert lines[1].split() == ["X", "P"]
    assert len(lines) == 2 + 24 + 1
    assert lines[-1] == "… 30 rows"
    assert "<p>… 30 rows</p>" in p._repr_html_()
