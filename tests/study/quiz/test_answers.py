"""What a reader types is read the same in Python and in the page."""

from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bayesbook.study.quiz import agrees, read_number


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("0.25", 0.25),
        (".25", 0.25),
        ("0,25", 0.25),
        (",25", 0.25),
        ("1/4", 0.25),
        (" 1 / 4 ", 0.25),
        ("25%", 0.25),
        ("25 %", 0.25),
        ("25\u202f%", 0.25),
        ("2.5e-1", 0.25),
        ("2,5E-1", 0.25),
        ("1.", 1.0),
        ("+3", 3.0),
        ("-0.5", -0.5),
        ("\u22120.5", -0.5),
        ("0,125", 0.125),
        ("1.250", 1.25),
        ("12345", 12345.0),
    ],
)
def test_forms_that_people_type(typed, value):
    assert read_number(typed) == value


@pytest.mark.parametrize(
    "typed",
    [
        *("", " ", "a quarter", "1/0", "0/0", "1/2/3", "1/4%", "5%%"),
        *("1..2", "1,250", "1,250,000", "1_000", "0x10", "٣", "--1"),
        *("1e", "1e999", "nan", "inf"),
    ],
)
def test_what_is_no_number_is_not_guessed(typed):
    assert read_number(typed) is None


def test_the_unit_may_be_typed_too():
    assert read_number("9.81 %", unit="%") == 9.81
    assert read_number("9.81", unit="%") == 9.81
    assert read_number("12 days", unit="days") == 12
    assert read_number("12 days") is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read(value):
    assert read_number(repr(value)) == value


@given(st.integers(-999, 999), st.integers(1, 999))
def test_every_fraction_is_read(top, bottom):
    assert read_number(f"{top}/{bottom}") == top / bottom


def test_tolerance_is_absolute_and_forgives_rounding():
    assert agrees(0.0921, 0.0917, 0.0005)
    assert not agrees(0.0923, 0.0917, 0.0005)
    assert agrees(0.1 + 0.2, 0.3, 0)
    assert not agrees(0.3 + 1e-9, 0.3, 0)


@pytest.fixture(scope="module")
def in_page(chromium):
    """Call a function of answers.js in a browser."""
    source = (
        files("bayesbook.study.quiz").joinpath("answers.js").read_text("utf-8")
    )
    page = chromium.new_page()

    def call(name, rows):
        return page.evaluate(
            f"(rows) => {{ {source}; "
            f"return rows.map((row) => {name}(...row)); }}",
            rows,
        )

    return call


typed_texts = st.lists(
    st.tuples(
        st.one_of(
            st.text("0123456789.,/%eE+- \u2212\u00a0", max_size=9),
            st.from_regex(r"-?[0-9]{0,4}[.,/]?[0-9]{0,4} ?%?", fullmatch=True),
            st.text(max_size=5),
        ),
        st.sampled_from(["", "%", "days"]),
    ),
    min_size=1,
    max_size=200,
)


@example([("1e308", ""), ("\u22121/3", ""), ("1,250", ""), ("5 days", "days")])
@given(rows=typed_texts)
def test_page_and_python_read_the_same(in_page, rows):
    expected = [read_number(text, unit) for text, unit in rows]
    assert in_page("readNumber", [list(row) for row in rows]) == expected


numbers = st.floats(-1e6, 1e6)
# Off the edge of the tolerance by so much of the key.
EDGES = [-1e-3, -1e-9, -2e-12, 0, 5e-13, 2e-12, 1e-9, 1e-3]


@given(
    rows=st.lists(
        st.tuples(numbers, numbers, st.floats(0, 1)), min_size=1, max_size=99
    )
)
def test_page_and_python_compare_the_same(in_page, rows):
    rows = rows + [
        (key + way * (gap + off * abs(key)), key, gap)
        for _, key, gap in rows
        for off in EDGES
        for way in (-1, 1)
    ]
    expected = [agrees(*row) for row in rows]
    assert in_page("agrees", rows) == expected
