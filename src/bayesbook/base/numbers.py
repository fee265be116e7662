"""Reading numbers, exact ones as fractions, and showing them.

A probability may be exact: a fraction, an integer, a decimal or a text such
as ``"1/3"``.
"""

from __future__ import annotations

import numbers
import re
import reprlib
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, log

import numpy as np

from bayesbook.base.errors import ProbabilityError

#: What can stand for a probability: ``Fraction(1, 3)``, ``"1/3"``, 1, 0.25.
Number = float | Fraction | Decimal | str

# Decimals such as 0.1 + 0.2 miss their sum in the sixteenth digit.
FLOAT_TOLERANCE = 1e-9
# The squares of larger numbers, and of their reciprocals, are not floats.
LARGEST = 1e152
# The smallest positive float.
SMALLEST = float(np.nextafter(0.0, 1.0))


def is_exact(value: object) -> bool:
    """Return whether a number is exact: a fraction, a decimal, a text."""
    return isinstance(value, numbers.Rational | Decimal | str)


def read(value: Number) -> Fraction | float:
    """Read a number: exact ones as fractions, the others as floats."""
    if type(value) is float:
        return value
    # In Python True is a number; here it is a mistake.
    if isinstance(value, bool) or not isinstance(
        value, numbers.Real | Decimal | str
    ):
        raise TypeError
    if isinstance(value, numbers.Rational):
        # int() because numpy's integers would overflow in a fraction.
        return Fraction(int(value.numerator), int(value.denominator))
    text = str(value)
    if not is_exact(value):
        return float(text)
    # A fraction writes every digit out, which takes long for 1e9999999.
    if len(text) > 4000 or re.search(r"e[+-]?\d{5}", text, re.IGNORECASE):
        raise OverflowError
    return Fraction(text)


def finite(value: Number, what: str) -> Fraction | float:
    """Read a finite number: exact ones as fractions, the others as floats."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    try:
        number = read(value)
    except OverflowError:
        raise ProbabilityError(
            f"{what} is {reprlib.repr(value)}: too many digits."
        ) from None
    except (TypeError, ValueError, ZeroDivisionError):
        raise ProbabilityError(
            f"{what} is {reprlib.repr(value)}: not a number."
        ) from None
    if isinstance(number, float) and not isfinite(number):
        raise ProbabilityError(f"{what} is {number}: not a finite number.")
    return number


def as_float(
    value: Number,
    what: str,
    least: float = -inf,
    most: float = inf,
    *,
    open_: bool = False,
) -> float:
    """Read one finite float between two bounds."""
    number: Fraction | float
    if type(value) is int and abs(value) < 10**6:
        # As exact as the fraction, and compared in a tenth of the time.
        number = float(value)
    else:
        number = finite(value, what)
    if not least <= number <= most or (open_ and number == least):
        domain = (
            f"between {least:g} and {most:g}"
            if most < inf
            else f"{'greater than' if open_ else 'at least'} {least:g}"
        )
        raise ProbabilityError(
            f"{what} is {_shown(number)}; it must be {domain}."
        )
    if (
        number > LARGEST
        or number < -LARGEST
        or (open_ and number - least < 1 / LARGEST)
    ):
        raise ProbabilityError(
            f"{what} is {_shown(number)}, and no float can hold its square: "
            "choose another unit."
        )
    return float(number)


def _shown(number: Fraction | float) -> str:
    """Return a number for a message."""
    # Fractions may be larger than any float.
    return f"{number:g}" if isinstance(number, float) else show(number)


def as_int(value: Number, what: str, least: int) -> int:
    """Read one whole number that is not too small."""
    as_float(value, what, least)
    # A float would lose the last digits of a large one.
    number = finite(value, what)
    if number != int(number):
        raise ProbabilityError(
            f"{what} is {float(number):g}: not a whole number."
        )
    return int(number)


def exact_weight(value: Number, what: str) -> Fraction:
    """Read a non-negative number as the exact fraction that it stands for."""
    number = finite(value, what)
    if number < 0:
        raise ProbabilityError(f"{what} is {show(number)}: negative.")
    # A float is the decimal that it prints as: 0.1 is meant as 1/10.
    return Fraction(repr(number)) if isinstance(number, float) else number


def exact_probability(value: Number, whose: str) -> Fraction:
    """Read a probability as the exact fraction that it stands for."""
    number = exact_weight(value, f"The probability {whose}")
    if number > 1:
        raise ProbabilityError(
            f"The probability {whose} is {show(number)}: greater than 1."
        )
    return number


def as_bool(value: object, what: str) -> bool:
    """Read the result of a property: True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ProbabilityError(
            f"{what} is {value!r}, neither True nor False: is there a "
            "`return` with a comparison?"
        )
    return bool(value)


def show(number: Fraction | float) -> str:
    """Return a short number as it is, a long one as a decimal."""
    if isinstance(number, float):
        return str(number)
    # Not the length of str(): Python writes no more than 4300 digits.
    if max(abs(number.numerator), number.denominator) < 10**6:
        return str(number)
    if 0 < abs(number - 1) < FLOAT_TOLERANCE:
        sign = "+" if number > 1 else "-"
        return f"1 {sign} {decimal(abs(number - 1)):.1g}"
    return f"{decimal(number):.10g}"


def plain_number(value: Fraction | float) -> Fraction | float:
    """Return a fraction as it is, any other number as a float."""
    return value if isinstance(value, Fraction) else float(value)


def decimal(number: Fraction) -> Decimal:
    """Return a fraction with 28 digits; a float could underflow to zero."""
    return Decimal(number.numerator) / number.denominator


def log_of(number: Fraction | float) -> float:
    """Return the logarithm, also of numbers beyond the range of floats."""
    if not number:
        return -inf
    if LARGEST**-1 < number < LARGEST:
        return log(number)
    number = Fraction(number)
    return log(number.numerator) - log(number.denominator)


def logs_of(values: np.ndarray) -> np.ndarray:
    """Return the logarithms of non-negative numbers, fractions or floats."""
    if values.dtype != object:
        with np.errstate(divide="ignore"):
            return np.log(values)
    logs = [log_of(number) for number in values.flat]
    return np.array(logs).reshape(values.shape)


def as_floats(values: np.ndarray) -> np.ndarray:
    """Return numbers as floats; positive ones do not become zero."""
    floats = values.astype(float)
    if values.dtype == object:
        for place in np.flatnonzero(floats == 0):
            if values.flat[place]:
                floats.flat[place] = SMALLEST
    return floats
