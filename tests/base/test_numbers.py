"""Numbers are read exactly, or refused with their name and value."""

from decimal import Decimal
from fractions import Fraction as F
from math import inf, log, nan

import numpy as np
import pytest

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import (
    LARGEST,
    SMALLEST,
    as_bool,
    as_float,
    as_floats,
    as_int,
    exact_probability,
    exact_weight,
    finite,
    log_of,
    logs_of,
    show,
)


def refused(message):
    return pytest.raises(ProbabilityError, match=f"^{message}$")


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("1/3", F(1, 3)),
        (Decimal("0.1"), F(1, 10)),
        (np.int64(2**62), F(2**62)),
        (np.array(F(1, 2)), F(1, 2)),
        (0.1, 0.1),
        (np.float32(0.5), 0.5),
    ],
)
def test_exact_numbers_stay_exact(given, read):
    number = finite(given, "p")
    assert number == read
    assert type(number) is type(read)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (True, "p is True: not a number."),
        (None, "p is None: not a number."),
        ("a third", "p is 'a third': not a number."),
        ("1/0", "p is '1/0': not a number."),
        (1j, "p is 1j: not a number."),
        (nan, "p is nan: not a finite number."),
        (-inf, "p is -inf: not a finite number."),
        ("1e9999999", "p is '1e9999999': too many digits."),
    ],
)
def test_what_is_no_finite_number_is_refused(given, why):
    with pytest.raises(ProbabilityError) as caught:
        finite(given, "p")
    assert str(caught.value) == why


def test_a_very_long_number_is_cut_in_the_message():
    with pytest.raises(ProbabilityError) as caught:
        finite("9" * 5000, "p")
    assert len(str(caught.value)) < 80


@pytest.mark.parametrize(
    ("given", "bounds", "why"),
    [
        (-1, {"least": 0}, "a is -1; it must be at least 0."),
        (F(3, 2), {"least": 0, "most": 1}, "a is 3/2; it must be between 0"),
        (0.0, {"least": 0, "open_": True}, "a is 0; it must be greater than"),
        (2 * LARGEST, {}, "a is 2e.152, and no float can hold its square"),
        ("1e400", {}, r"a is 1\.0*e.400, and no float can hold its square"),
        (1e-200, {"least": 0, "open_": True}, "a is 1e-200, and no float"),
    ],
)
def test_a_float_is_within_its_bounds(given, bounds, why):
    with pytest.raises(ProbabilityError, match=f"^{why}"):
        as_float(given, "a", **bounds)


def test_bounds_belong_to_their_domain():
    assert as_float(0, "a", 0, 1) == 0.0
    assert as_float("1/4", "a", 0, 1, open_=True) == 0.25


def test_a_whole_number_keeps_all_its_digits():
    assert as_int(10**20 + 1, "n", 0) == 10**20 + 1
    assert as_int(3.0, "n", 0) == 3
    with refused(r"n is 2\.5: not a whole number\."):
        as_int(2.5, "n", 0)
    with refused("n is 0; it must be at least 1."):
        as_int(0, "n", 1)


def test_a_float_stands_for_the_decimal_that_it_prints_as():
    assert exact_weight(0.1, "w") == F(1, 10)
    assert exact_probability(1, "of A") == 1
    with refused(r"w is -0\.5: negative\."):
        exact_weight(-0.5, "w")
    with refused(r"The probability of A is 4/3: greater than 1\."):
        exact_probability("4/3", "of A")


def test_a_verdict_is_true_or_false():
    assert as_bool(np.True_, "The event") is True
    for wrong in (None, 1, "True"):
        with pytest.raises(ProbabilityError, match="neither True nor False"):
            as_bool(wrong, "The event")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (F(1, 3), "1/3"),
        (0.25, "0.25"),
        (F(1, 3 * 10**6), "3.333333333E-7"),
        (1 + F(1, 10**12), "1 + 1e-12"),
        (1 - F(1, 10**12), "1 - 1e-12"),
    ],
)
def test_a_long_number_is_shown_as_a_decimal(number, shown):
    assert show(number).casefold() == shown.casefold()


def test_logarithms_of_numbers_beyond_floats():
    assert log_of(0) == -inf
    assert log_of(F(1, 10**400)) == pytest.approx(-400 * log(10))
    numbers = np.array([[F(0), F(10) ** 400], [F(1), F(1, 2)]], dtype=object)
    wanted = [[-inf, 400 * log(10)], [0, -log(2)]]
    np.testing.assert_allclose(logs_of(numbers), wanted)
    assert logs_of(np.array([0.0, 1.0])).tolist() == [-inf, 0.0]


def test_a_positive_number_is_never_the_float_zero():
    numbers = np.array([F(0), F(1, 10**400), F(1, 2)], dtype=object)
    assert as_floats(numbers).tolist() == [0.0, SMALLEST, 0.5]
