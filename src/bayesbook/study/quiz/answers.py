"""Reading the number that a reader typed, and comparing it with the key.

``answers.js`` does the same in the page; a test gives the same texts to both
and compares.
"""

import math
import re

# Spaces that keyboards and word processors put between a number and its sign.
_SPACES = " \t\u00a0\u2009\u202f"
_SPACE = f"[{_SPACES}]*"
_DECIMAL = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
_ANSWER = re.compile(
    f"(?P<top>{_DECIMAL})"
    f"(?:{_SPACE}/{_SPACE}(?P<bottom>{_DECIMAL})|{_SPACE}(?P<percent>%))?"
)
# One comma and three digits may be a thousand or a thousandth: refused.
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}(?![0-9])")

# Room for the rounding of one division, and for nothing else.
_SLACK = 1e-12


def read_number(text: str, unit: str = "") -> float | None:
    """Read a number as people type it.

    Parameters
    ----------
    text : str
        Decimal (point or comma), fraction, percentage or scientific notation.
    unit : str
        The unit shown after the box; the reader may type it too. Where the
        unit is ``%``, the number is already one of per cent.

    Returns
    -------
    float or None
        None if the text is not one finite number, or could be either of two:
        for some readers 1,250 is above a thousand, for others one and a
        quarter.

    Examples
    --------
    >>> [read_number(t) for t in ("0.25", ".25", "1/4", "25 %", "0,25")]
    [0.25, 0.25, 0.25, 0.25, 0.25]
    >>> read_number("2.5e-1"), read_number("25%", unit="%")
    (0.25, 25.0)
    >>> read_number("a quarter"), read_number("1/0"), read_number("1,250")
    (None, None, None)
    """
    text = text.replace("\u2212", "-").strip(_SPACES + "\n")
    if unit and text.endswith(unit):
        text = text[: -len(unit)].rstrip(_SPACES + "\n")
    found = _ANSWER.fullmatch(text)
    if not found or _THOUSANDS.search(text):
        return None
    value = float(found["top"].replace(",", "."))
    if found["bottom"]:
        bottom = float(found["bottom"].replace(",", "."))
        value = value / bottom if bottom else math.nan
    elif found["percent"]:
        value = value / 100
    return value if math.isfinite(value) else None


def agrees(value: float, key: float, tolerance: float) -> bool:
    """Return whether a value equals the key within an absolute tolerance.

    Parameters
    ----------
    value, key : float
        The two numbers.
    tolerance : float
        Absolute, at least zero. A relative 1e-12 is allowed on top, so that
        a tolerance of zero forgives the rounding of a computer and no more.

    Returns
    -------
    bool
        Whether they agree.

    Examples
    --------
    >>> agrees(0.09, 1 / 11, tolerance=0.001)
    True
    >>> agrees(0.7 / 100, 0.007, tolerance=0), agrees(0.09, 0.1, tolerance=0)
    (True, False)
    """
    return abs(value - key) <= tolerance + _SLACK * abs(key)
