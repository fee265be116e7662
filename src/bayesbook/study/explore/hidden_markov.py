"""A hidden Markov model of six hours: messages, and the most probable path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bayesbook import sequences
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    listed,
    part,
    point,
    steps,
    style,
    tenth,
)

Array = NDArray[np.float64]

_STATES = ("fine", "worn")
_LIDS = ("good", "faulty", "untested")
HOURS = range(1, 7)
START = np.array([2 / 3, 1 / 3])
# Numbers that differ by less are equal.
_EQUAL = 1e-11
# Of the pictures: probability one and zero, and the rows of the two states.
_TOP, _FLOOR = 0, 700
_ROWS = {"worn": 150, "fine": 550}
_RADIUS = 58
_LID, _HOUR = 855, 1010


def hidden_markov(
    lids: Sequence[str] = (
        "good",
        "faulty",
        "faulty",
        "good",
        "good",
        "good",
    ),
    stickiness: float = 0.25,
    reliability: float = 0.75,
    until: int = 3,
) -> Explorable:
    """Show what lids say of a machine, hour by hour, for a reader to change.

    Parameters
    ----------
    lids : six of {'good', 'faulty', 'untested'}
    stickiness : float
        With this probability the state of the machine stays from one hour to
        the next; else it is drawn anew, fine with probability 2/3. In steps
        of 0.01.
    reliability : float
        The probability of a good lid from a fine machine, and of a faulty one
        from a worn machine: from 0.5 on, in steps of 0.01.
    until : int
        The last hour whose lid is known, from 1 to 6.

    Returns
    -------
    Explorable
        Filter, smoother and predictions of each hour, the most probable path
        in a trellis, and a table of the messages.

    Raises
    ------
    ValueError
        If a value is not one of these.

    Examples
    --------
    >>> hidden_markov(stickiness=0.85)
    Is the machine worn?
      stickiness of the state: 0.85
      reliability of a lid: 0.75
      lids known until hour: 3
      The lids known have probability 0.0857; the machine is worn in hour 3 \
with probability 0.643. The newest lid reverses the verdict on hour 2.
      The most probable path is worn, worn, worn, with posterior probability \
0.443. State by state, the most probable are fine, worn, worn: they differ in \
hour 1.
    """
    if len(lids) != len(HOURS) or not {*lids} <= {*_LIDS}:
        raise ValueError(
            f"lids={lids!r} are not six of {listed(map(repr, _LIDS))}."
        )
    start = {
        **{
            f"x{s}": _LIDS.index(lid)
            for s, lid in zip(HOURS, lids, strict=True)
        },
        "stickiness": steps("stickiness", stickiness, 0, 1, 100),
        "reliability": steps("reliability", reliability, 0.5, 1, 100),
        "until": steps("until", until, 1, len(HOURS), 1),
    }
    first = view(**start)
    if first.refused:
        raise ValueError(first.refused.removeprefix("Refused: "))
    return Explorable(
        "hidden-markov",
        "Is the machine worn?",
        (
            Control(
                "stickiness",
                "stickiness of the state",
                start["stickiness"],
                100,
            ),
            Control(
                "reliability",
                "reliability of a lid",
                start["reliability"],
                100,
                50,
            ),
            Control(
                "until", "lids known until hour", start["until"], len(HOURS), 1
            ),
            *(Control(f"x{s}", "", start[f"x{s}"], 2) for s in HOURS),
        ),
        panels=(
            (_beliefs(), "Probability of worn in each hour", _ABOUT_BELIEFS),
            (_trellis(first), "Paths through the states", _ABOUT_TRELLIS),
        ),
        words="{lids}\n{paths}",
        tasks=_TASKS,
        view=view,
        above=style("bars.css") + style("hidden_markov.css"),
        below=_messages(),
    )


_ABOUT_BELIEFS = (
    "Squares: the filter, from the lids until that hour. Discs: the smoother, "
    "from all lids known; open circles: predictions. Thin lines begin where "
    "these were without the newest lid. Click an hour to know the lids until "
    "it, and a lid to change it: open is good, a cross faulty, a dash "
    "untested."
)
_ABOUT_TRELLIS = (
    "The area of a disc is the probability of the state, given all lids "
    "known. Heavy: the most probable path; thin: the best way into each "
    "state; below, its δ. Rings: the most probable state of each hour; ≠ "
    "where the path has another. {chain}"
)
_TASKS = {
    "reverse": "Let a single lid, three or more hours later, turn the verdict "
    "on hour 1 from fine to worn.",
    "path": "Find lids for which the most probable path and the most probable "
    "states differ in three hours or more.",
    "half": "Let the filter say exactly one half in the last hour known, "
    "later than hour 1.",
}


def _across(hour: int) -> int:
    return 160 * hour - 60


def _columns():
    """Return what is clicked to choose the last hour that is known."""
    return "".join(
        f'<rect class="explore-column" data-sets="until {s}" '
        f'x="{_across(s) - 80}" y="{_TOP - 40}" width="160" '
        f'height="{_FLOOR + 80}"/>'
        for s in HOURS
    )


def _hours():
    numbers = "".join(
        f'<text class="explore-text" x="{_across(s)}" y="{_HOUR}">{s}</text>'
        for s in HOURS
    )
    return f"{numbers}{_left('hour', _HOUR)}"


def _left(text, y, x=-4, look=""):
    return (
        f'<text class="explore-text explore-end {look}" x="{x}" y="{y}">'
        f"{text}</text>"
    )


def _beliefs():
    looks = {
        "changes": "explore-changes",
        "predictions": "explore-curve explore-ink explore-predicted",
        "smoother": "explore-curve explore-2",
        "filter": "explore-curve explore-1 explore-dashed",
        "circles": "explore-circles",
        "discs": "explore-discs",
        "squares": "explore-squares",
    }
    lids = "".join(
        part(
            "g",
            f"lid_{s}",
            '<circle r="52"/><path d="M-24 -24L24 24M-24 24L24 -24"/>'
            '<path class="explore-none" d="M-26 0H26"/>',
            transform=f"translate({_across(s)} {_LID})",
            data_turns=f"x{s}",
        )
        for s in HOURS
    )
    middle = (_TOP + _FLOOR) // 2
    return (
        part("rect", "future", class_="explore-future", y=_TOP, height=_FLOOR)
        + f'<path class="explore-frame" d="M20 {_TOP}H980V{_FLOOR}H20Z"/>'
        f'<path class="explore-leader explore-dashed" d="M20 {middle}H980"/>'
        + "".join(
            part("path", name, class_=look) for name, look in looks.items()
        )
        + _columns()
        + lids
        + _hours()
        + f'<text class="explore-text" x="500" y="{_TOP - 40}">P(worn)</text>'
        + _left("1", _TOP + 18)
        + _left("½", middle + 18)
        + _left("0", _FLOOR + 18)
        + _left("lid", _LID + 18)
    )


def _trellis(first):
    paths = "".join(
        part("path", name, class_=f"explore-{name}")
        for name in ("ways", "best", "rings")
    )
    nodes = "".join(
        part("circle", f"{state}_{s}", cx=_across(s), cy=y)
        for s in HOURS
        for state, y in _ROWS.items()
    )
    marks = "".join(
        f'<text class="explore-text explore-strong" x="{_across(s)}" y="735" '
        f'data-written="mark_{s}">{first.written[f"mark_{s}"]}</text>'
        for s in HOURS
    )
    rows = {"worn": 835, "fine": 905}
    deltas = "".join(
        f'<text class="explore-text explore-small" x="{_across(s)}" y="{y}" '
        f'data-written="delta_{state}_{s}">'
        f"{first.written[f'delta_{state}_{s}']}</text>"
        for s in HOURS
        for state, y in rows.items()
    )
    names = "".join(_left(state, y + 18) for state, y in _ROWS.items())
    return (
        paths
        + nodes
        + names
        + marks
        + deltas
        + "".join(
            _left(f"δ {state}", y, 10, "explore-small")
            for state, y in rows.items()
        )
        + _hours()
    )


def _messages():
    rows = "\n".join(
        "<tr>"
        f'<th scope="row">{s} <span class="explore-plain">{{x{s}}}</span>'
        + part(
            "button",
            f"button_{s}",
            f"{{x{s}}}",
            type="button",
            class_="explore-live",
            hidden="hidden",
        )
        + "</th>"
        + "".join(
            f"<td>{{{name}_fine_{s}}}<br>{{{name}_worn_{s}}}</td>"
            for name in ("alpha", "beta")
        )
        + "".join(
            f"<td>{{{name}_{s}}}</td>" for name in ("filter", "before", "now")
        )
        + "</tr>"
        for s in HOURS
    )
    heads = "".join(
        f'<th scope="col">{head}</th>'
        for head in (
            "hour, lid",
            "α&nbsp;fine<br>α&nbsp;worn",
            "β&nbsp;fine<br>β&nbsp;worn",
            "filter",
            "without newest lid",
            "with it",
        )
    )
    return (
        '<table class="explore-bars explore-messages"><thead><tr>'
        f"{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>\n"
        '<p class="explore-legend">Messages of the lids known, and P(worn): '
        "by the filter in that hour, from the lids known without the newest, "
        "and from all of them.</p>\n"
    )


@dataclass(frozen=True)
class Answers:
    """What lids say: a row for each hour that is known.

    `now` and `before`, the probabilities of worn from all lids known and
    without the newest, have an entry for each of the six hours.
    """

    alpha: Array
    beta: Array
    delta: Array
    come_from: list[list[int]]
    path: list[int]
    n_best: int
    filtered: Array
    now: Array
    before: Array

    @property
    def p_lids(self) -> float:
        """The probability of the lids."""
        return float(self.alpha[-1].sum())

    @property
    def p_path(self) -> float:
        """The posterior probability of the path."""
        return float(self.delta[-1].max()) / self.p_lids

    def singly(self) -> list[int]:
        """Return the most probable state of each hour, -1 for a tie."""
        return [_verdict(p) for p in self.now[: len(self.path)]]

    def differ(self) -> list[int]:
        """Return the hours in which the path has a less probable state."""
        pairs = enumerate(zip(self.path, self.singly(), strict=True), 1)
        return [s for s, (one, other) in pairs if other not in (one, -1)]

    def reversed(self) -> list[int]:
        """Return the hours whose verdict the newest lid reverses."""
        return [
            s
            for s in range(1, len(self.path))
            if {_verdict(self.before[s - 1]), _verdict(self.now[s - 1])}
            == {0, 1}
        ]


def _verdict(p):
    """Return the more probable state, or -1 if both are as probable."""
    return -1 if abs(p - 0.5) < _EQUAL else int(p > 0.5)


def answer(lids: list[int], transition: Array, emission: Array) -> Answers:
    """Return what the known lids say.

    Parameters
    ----------
    lids : list of int
        Of each hour known: 0 good, 1 faulty, 2 untested.
    transition : array of shape (2, 2)
    emission : array of shape (2, 2)

    Returns
    -------
    Answers
    """
    # What was not observed is certain in each state.
    seen = np.column_stack([emission, [1, 1]])[:, lids].T
    alpha = sequences.forward(START, transition, seen)
    beta = sequences.backward(transition, seen)
    worn = (alpha * beta)[:, 1] / alpha[-1].sum()
    earlier = np.array([START[1]])
    if len(lids) > 1:
        behind = sequences.backward(transition, seen[:-1])
        earlier = (alpha[:-1] * behind)[:, 1] / alpha[-2].sum()
    delta, come_from, path, n_best = _best(seen, transition)
    return Answers(
        alpha,
        beta,
        delta,
        come_from,
        path,
        n_best,
        alpha[:, 1] / alpha.sum(axis=1),
        _predict(worn, transition),
        _predict(earlier, transition),
    )


def _predict(worn, transition):
    """Add the probabilities of worn in the hours to come."""
    worn = worn.tolist()
    while len(worn) < len(HOURS):
        worn.append(
            (1 - worn[-1]) * transition[0, 1] + worn[-1] * transition[1, 1]
        )
    return np.array(worn)


def _best(seen, transition):
    """Return delta, the best ways, a best path, and how many are as good.

    Of states that are as good the first is taken.
    """
    delta, counts = [START * seen[0]], [1, 1]
    come_from: list[list[int]] = []
    for now in seen[1:]:
        ways = delta[-1][:, None] * transition
        come_from.append([_first_best(way) for way in ways.T])
        counts = [_count(way, counts) for way in ways.T]
        delta.append(ways.max(axis=0) * now)
    path = [_first_best(delta[-1])]
    for best in come_from[::-1]:
        path.append(best[path[-1]])
    n_best = _count(delta[-1], counts)
    return np.array(delta), come_from, path[::-1], n_best


def _first_best(values):
    return int(values[1] > values[0] * (1 + _EQUAL))


def _count(values, counts):
    """Count the paths through the states with the larger value."""
    least = values.max() * (1 - _EQUAL)
    return sum(n for v, n in zip(values, counts, strict=True) if v >= least)


def view(stickiness: int, reliability: int, until: int, **lids: int) -> View:
    """Return what is written and drawn for lids and a model.

    Parameters
    ----------
    stickiness, reliability : int
        In hundredths.
    until : int
        The last hour whose lid is known.
    **lids : int
        `x1` to `x6`: 0 good, 1 faulty, 2 untested.

    Returns
    -------
    View

    Examples
    --------
    >>> lids = dict(x1=0, x2=1, x3=1, x4=0, x5=0, x6=0)
    >>> view(25, 75, 3, **lids).written["alpha_worn_2"]
    '0.1250'
    >>> view(100, 100, 2, **lids).refused[:30]
    'Refused: where the state never'
    """
    sticky, tells = stickiness / 100, reliability / 100
    transition = sticky * np.eye(2) + (1 - sticky) * START
    emission = np.array([[tells, 1 - tells], [1 - tells, tells]])
    all_lids = [lids[f"x{s}"] for s in HOURS]
    known = all_lids[:until]
    if stickiness == reliability == 100 and {0, 1} <= {*known}:
        why = (
            "Refused: where the state never changes and lids always tell it, "
            "good and faulty lids cannot both occur."
        )
        return View({}, {}, (), why)
    found = answer(known, transition, emission)
    written = {
        "stickiness": decimal(sticky, 2),
        "reliability": decimal(tells, 2),
        "until": str(until),
        "lids": _said_lids(found, until),
        "paths": _said_paths(found),
        "chain": _said_chain(transition, emission),
    }
    drawn: dict[str, dict[str, float | str]] = {
        "future": {"x": 160 * until + 20, "width": 960 - 160 * until},
        **_drawn_beliefs(found),
        **_drawn_paths(found),
    }
    for s in HOURS:
        written |= _written_hour(found, s, all_lids[s - 1])
        lid, name = all_lids[s - 1], _LIDS[all_lids[s - 1]]
        look = "" if s <= until else " later"
        drawn[f"lid_{s}"] = {"class": f"explore-lid {name}{look}"}
        drawn[f"button_{s}"] = {
            "data-sets": f"x{s} {(lid + 1) % 3}",
            "aria-label": f"Lid of hour {s}: {name}. Change it.",
        }
        look = "explore-node" if s <= until else "explore-node later"
        p = _tidy(found.now[s - 1])
        for state, share in (("fine", 1 - p), ("worn", p)):
            r = tenth(_RADIUS * sqrt(share))
            drawn[f"{state}_{s}"] = {"class": look, "r": r}
    return View(written, drawn, tuple(_solved(found, until)))


def _tidy(value):
    """Round off the last digits, which may differ in a script."""
    return round(float(value), 12)


def _number(value, digits=3):
    return decimal(_tidy(value), digits)


def _written_hour(found, s, lid):
    known = s <= len(found.path)
    written = {
        f"x{s}": _LIDS[lid],
        f"filter_{s}": _number(found.filtered[s - 1]) if known else "–",
        f"before_{s}": _number(found.before[s - 1]),
        f"now_{s}": _number(found.now[s - 1]),
        f"mark_{s}": "≠" if s in found.differ() else "",
    }
    values = {"alpha": found.alpha, "beta": found.beta, "delta": found.delta}
    for name, messages in values.items():
        for k, state in enumerate(_STATES):
            text = _number(messages[s - 1][k], 4) if known else "–"
            written[f"{name}_{state}_{s}"] = text
    return written


def _said_lids(found, until):
    said = (
        f"The lids known have probability {_number(found.p_lids, 4)}; the "
        f"machine is worn in hour {until} with probability "
        f"{_number(found.now[until - 1])}."
    )
    if until == 1:
        return said
    hours = found.reversed()
    which = f"the verdict on {_said_hours(hours)}" if hours else "no verdict"
    return f"{said} The newest lid reverses {which}."


def _said_hours(hours):
    plural = "s" if len(hours) > 1 else ""
    return f"hour{plural} {listed(map(str, hours))}"


def _said_paths(found):
    path = ", ".join(_STATES[k] for k in found.path)
    which = (
        f"One of {found.n_best} most probable paths"
        if found.n_best > 1
        else "The most probable path"
    )
    said = f"{which} is {path}, with posterior probability "
    said += f"{_number(found.p_path)}."
    differ = found.differ()
    if not differ:
        return f"{said} State by state, no other states are more probable."
    names = (*_STATES, "either")
    singly = ", ".join(names[k] for k in found.singly())
    return (
        f"{said} State by state, the most probable are {singly}: they differ "
        f"in {_said_hours(differ)}."
    )


def _said_chain(transition, emission):
    return (
        f"Fine stays fine with probability {_number(transition[0, 0])}, worn "
        f"stays worn with {_number(transition[1, 1])}. A fine machine makes a "
        f"faulty lid with probability {_number(emission[0, 1], 2)}, a worn "
        f"one with {_number(emission[1, 1], 2)}."
    )


def _place(s, p):
    return _across(s), _FLOOR - (_FLOOR - _TOP) * _tidy(p)


def _line(places):
    return "M" + "L".join(point(*place) for place in places)


def _circle(x, y, radius):
    """Draw a circle as a part of a path."""
    r, wide = tenth(radius), tenth(2 * radius)
    start, half = f"M{point(x - radius, y)}", f"a{r} {r} 0 1 1"
    return f"{start}{half} {wide} 0{half} -{wide} 0Z"


def _drawn_beliefs(found):
    known = len(found.path)
    now = [_place(s, p) for s, p in zip(HOURS, found.now, strict=True)]
    before = [_place(s, p) for s, p in zip(HOURS, found.before, strict=True)]
    squares = [_place(s, p) for s, p in enumerate(found.filtered, 1)]
    paths = {
        "filter": _line(squares),
        "smoother": _line(now[:known]),
        "predictions": _line(now[known - 1 :]),
        "squares": "".join(
            f"M{point(x - 20, y - 20)}h40v40h-40Z" for x, y in squares
        ),
        "discs": "".join(_circle(x, y, 22) for x, y in now[:known]),
        "circles": "".join(_circle(x, y, 22) for x, y in now[known:]),
        "changes": "".join(
            f"M{point(x - 30, y)}h60M{point(x, y)}V{tenth(to)}"
            for (x, y), (_, to) in zip(before, now, strict=True)
        ),
    }
    return {name: {"d": d} for name, d in paths.items()}


def _drawn_paths(found):
    rows = [_ROWS[state] for state in _STATES]
    ways = "".join(
        f"M{_across(s)} {rows[j]}L{_across(s + 1)} {rows[k]}"
        for s, best in enumerate(found.come_from, 1)
        for k, j in enumerate(best)
        if found.delta[s][k] > 0
    )
    path = [(_across(s), rows[k]) for s, k in enumerate(found.path, 1)]
    rings = "".join(
        _circle(
            _across(s),
            rows[k],
            _RADIUS * sqrt(_tidy(max(p, 1 - p))) + 14,
        )
        for s, (k, p) in enumerate(
            zip(found.singly(), found.now.tolist(), strict=False), 1
        )
        if k >= 0
    )
    return {
        "ways": {"d": ways},
        "best": {"d": _line(path)},
        "rings": {"d": rings},
    }


def _solved(found, until):
    if until > 3 and 1 in found.reversed() and found.now[0] > 0.5:
        yield "reverse"
    if len(found.differ()) >= 3:
        yield "path"
    if until > 1 and abs(found.filtered[-1] - 0.5) < _EQUAL:
        yield "half"
