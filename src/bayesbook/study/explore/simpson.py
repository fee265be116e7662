"""Simpson's paradox at Berkeley: the whole against its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction as F
from functools import cache
from math import floor

from bayesbook.data import load_berkeley_admissions
from bayesbook.probability import total_probability
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    grip,
    part,
)

# The departments in two parts: those that admitted most of their applicants,
# and the others.
_PARTS = {**dict.fromkeys("AB", "high"), **dict.fromkeys("CDEF", "low")}
_LOOKS = {"women": "explore-1", "men": "explore-2"}


def simpson(women: int = 73, men: int = 515) -> Explorable:
    """Show how shares of applications reverse a comparison of rates.

    Departments A and B are one part, C to F the other. The rates of admission
    in each part are those of Berkeley in the autumn of 1973, and so are the
    applications at the start; a reader moves the applications.

    Parameters
    ----------
    women, men : int
        At the start, in thousandths: the share of the women who apply to
        department A or B, and that of the men; rounded down to whole people.

    Returns
    -------
    Explorable
        Of each group a unit square, whose area is the overall rate, and the
        overall rates against the shares.

    Raises
    ------
    ValueError
        If a value is not a whole number from 0 to 1000.

    Examples
    --------
    >>> simpson()
    Simpson's paradox: whose overall rate is higher?
      women who apply to A or B: 133 of 1835
      men who apply to A or B: 1385 of 2691
      The share that applies to A or B is 0.072 of the women and 0.515 of \
the men.
      P[admitted | women] = 0.3035, P[admitted | men] = 0.4452.
      The women have the higher rate in A or B and in C to F; overall the \
men have the higher rate, by 14.2 percentage points.
    """
    for name, value in (("women", women), ("men", men)):
        if type(value) is not int or not 0 <= value <= 1000:
            raise ValueError(
                f"{name}={value!r} is not a whole number of thousandths: "
                "give one from 0 to 1000."
            )
    return Explorable(
        "simpson",
        "Simpson's paradox: whose overall rate is higher?",
        (
            Control("women", "women who apply to A or B", women, 1000),
            Control("men", "men who apply to A or B", men, 1000),
        ),
        panels=(
            (_square("women"), "Women", _about("women")),
            (_square("men"), "Men", _about("men")),
            (_lines(), "Overall rate against applications", _ABOUT_LINES),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        below=_BELOW,
        data={name: asdict(group) for name, group in _admissions().items()},
    )


_BELOW = """\
<p>In the squares a column is as wide as the share that applies there, and \
its strong colour is as high as the rate of admission. The strong area is the \
overall rate, which the dashed line marks. The third picture has the share \
that applies to A or B to the right and the overall rate upwards: each line \
leads from the rate in C to F to the rate in A or B. On its left edge the two \
overall rates stand beside each other.</p>
<p>Departments A and B, which admitted most of their applicants, are taken \
together, and so are C to F. The rates within A or B and within C to F stay \
as they were in 1973; only the applications move. (Of the single departments, \
C and E admitted a larger share of the men than of the women.)</p>"""
_WORDS = """\
The share that applies to A or B is {women_share} of the women and \
{men_share} of the men.
P[admitted | women] = {women_overall}, P[admitted | men] = {men_overall}.
The women have the higher rate in A or B and in C to F; overall {verdict}."""
_ABOUT_SQUARE = (
    "**{name}.** Left: A or B, rate {high}. Right: C to F, rate {low}."
)
_ABOUT_LINES = (
    "**Both.** Triangles and solid line: women. Circles and dashed line: men."
)
_TASKS = {
    "equal": "Leave the men's applications as they were, 1385 of 2691 to A or "
    "B. Which share of the women would have to apply there for the two "
    "overall rates to agree?",
    "alike": "Let the same share of the women and of the men apply to A or B. "
    "Which share makes the women's overall rate higher by ten percentage "
    "points?",
    "reversed": "Make the men's overall rate higher by more than ten "
    "percentage points, against both parts. What is the smallest share of the "
    "men who apply to A or B with which that is possible?",
}
_FRAME = '<path class="explore-frame" d="M0 0H1000V1000H0Z"/>'
# Small, as the two points may come near to each other.
_REACH = '<circle class="explore-reach" r="75"/>'
# What stands for a group, around the point (0, 0).
_MARKS = {
    "women": '<path class="explore-area positive explore-1" '
    'd="M-46 36H46L0 -50Z"/>',
    "men": '<circle class="explore-area positive explore-2" r="38"/>',
}


@dataclass(frozen=True)
class _Group:
    """The women or the men: applicants and admitted, by part."""

    applied: Mapping[str, int]
    admitted: Mapping[str, int]

    @property
    def people(self):
        """How many they are."""
        return sum(self.applied.values())

    @property
    def rates(self):
        """The rate of admission in each part."""
        return {
            name: F(self.admitted[name], applied)
            for name, applied in self.applied.items()
        }

    def shares(self, thousandths):
        """Return the share of each part, if so many apply to A or B."""
        # People are whole. Rounded down, the start is that of 1973 exactly.
        high = F(self.people * thousandths // 1000, self.people)
        return {"high": high, "low": 1 - high}

    def overall(self, thousandths):
        """Return the overall rate, if so many apply to A or B."""
        return total_probability(self.shares(thousandths), self.rates)


@cache
def _admissions():
    """Return the admissions of the women and of the men."""
    table = load_berkeley_admissions()
    table["part"] = table["department"].map(_PARTS)
    found = {}
    for name in _LOOKS:
        rows = table[table["gender"] == name]
        admitted = rows[rows["decision"] == "admitted"]
        found[name] = _Group(_by_part(rows), _by_part(admitted))
    return found


def _by_part(rows):
    return rows.groupby("part")["applicants"].sum().to_dict()


def _about(name):
    rates = _admissions()[name].rates
    return _ABOUT_SQUARE.format(
        name=name.capitalize(),
        **{which: decimal(rate) for which, rate in rates.items()},
    )


def _square(name):
    columns = ""
    for which, rate in _admissions()[name].rates.items():
        column, y = f"{name}_{which}", _height(rate)
        look = f"explore-area {_LOOKS[name]}"
        columns += part("rect", column, class_=look, height=1000)
        columns += part(
            "rect",
            f"{column}_admitted",
            class_=f"{look} positive",
            y=y,
            height=round(1000 - y, 1),
        )
    line = part(
        "path",
        f"{name}_level",
        class_="explore-curve explore-ink explore-dashed",
    )
    handle = grip(f"{name}_grip", name, "right", "translate(0 -70)")
    return f"{columns}{_FRAME}{line}{handle}"


def _lines():
    lines = points = ""
    for name, group in _admissions().items():
        dashed = " explore-dashed" if name == "men" else ""
        low, high = (_height(group.rates[key]) for key in ("low", "high"))
        lines += (
            f'<path class="explore-curve {_LOOKS[name]}{dashed}" '
            f'd="M0 {low:.10g}L1000 {high:.10g}"/>'
        )
        lines += part("path", f"{name}_leader", class_="explore-leader")
        points += part("g", f"{name}_mark", _MARKS[name])
        points += part(
            "g",
            f"{name}_point",
            _REACH + _MARKS[name],
            class_="explore-grip",
            data_moves=f"{name} right",
        )
    return f"{_FRAME}{lines}{points}"


def view(women: int, men: int) -> View:
    """Return what is written and drawn for the applications.

    Parameters
    ----------
    women, men : int
        The shares that apply to A or B, in thousandths.

    Returns
    -------
    View

    Examples
    --------
    >>> view(500, 500).written["verdict"]
    'the women have the higher rate, by 9.1 percentage points'
    """
    written: dict[str, str] = {}
    drawn: dict[str, Mapping[str, float | str]] = {}
    for name, asked in (("women", women), ("men", men)):
        group = _admissions()[name]
        share, overall = group.shares(asked)["high"], group.overall(asked)
        x, y = round(1000 * float(share), 1), _height(overall)
        high = {"x": 0, "width": x}
        low = {"x": x, "width": round(1000 - x, 1)}
        written |= {
            name: f"{share * group.people} of {group.people}",
            f"{name}_share": decimal(share),
            # As the difference is read, too, in tenths of a point.
            f"{name}_overall": decimal(overall, 4),
        }
        drawn |= {
            f"{name}_high": high,
            f"{name}_high_admitted": high,
            f"{name}_low": low,
            f"{name}_low_admitted": low,
            f"{name}_level": {"d": f"M0 {y:.10g}H1000"},
            f"{name}_grip": {"transform": f"translate({x:.10g} 0)"},
            f"{name}_leader": {"d": f"M-60 {y:.10g}H{x:.10g}"},
            f"{name}_mark": {"transform": f"translate(-60 {y:.10g})"},
            f"{name}_point": {"transform": f"translate({x:.10g} {y:.10g})"},
        }
    written["verdict"] = _verdict(_lead(women, men))
    return View(written, drawn, tuple(_solved(women, men)))


def _lead(women, men):
    """Return by how much the overall rate of the women is higher."""
    groups = _admissions()
    return groups["women"].overall(women) - groups["men"].overall(men)


def _verdict(lead):
    if abs(lead) < F(1, 2000):
        return "the two rates agree within 0.05 percentage points"
    ahead = "women" if lead > 0 else "men"
    points = floor(abs(1000 * lead) + F(1, 2)) / 10
    return (
        f"the {ahead} have the higher rate, by {points:.1f} percentage points"
    )


def _solved(women, men):
    groups = _admissions()
    lead, ten, small = _lead(women, men), F(1, 10), F(1, 2000)
    if men == 515 and abs(lead) < small:
        yield "equal"
    # Whole people of two numbers have the same share only nearly.
    share = groups["women"].shares(women)["high"]
    other = groups["men"].shares(men)["high"]
    if abs(share - other) < F(1, 1000) and abs(lead - ten) < small:
        yield "alike"
    # With fewer men in A or B it cannot be reached, even if no woman applies
    # there.
    if -lead > ten and men > 0 and -_lead(0, men - 1) <= ten:
        yield "reversed"


def _height(rate):
    """Return where a rate is in a picture, from its top."""
    return round(1000 * float(1 - rate), 1)
