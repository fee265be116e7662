"""Concepts about numbers, while a reader shows one number after the other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bayesbook.conjugate import rule_concepts
from bayesbook.probability import entropy
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    listed,
    part,
    style,
    tenth,
)

_SPACE = rule_concepts()
# In whole units, so that concepts are tied in the script as they are here.
_WEIGHTS = np.rint(_SPACE.prior / _SPACE.prior.min()).astype(int)
_NUMBERS = range(1, _SPACE.n + 1)
_PLACES = ("x1", "x2", "x3", "x4", "x5", "x6")
# No number belongs to more concepts.
_ROWS = range(1, _SPACE.members.sum(axis=0).max() + 1)
# Sums in another order differ by less.
_EQUAL = 1e-9
# Of the square of a number.
_SIDE = 120
# Of the picture of predictions: the height of zero, and of the probability 1.
_MIDDLE = 440
_ONE = 800
_TARGET = _SPACE.names.index("powers of 2")


def number_game(
    shown: Iterable[int] = (16,), weak: bool = False
) -> Explorable:
    """Show what numbers tell about concepts, for a reader to choose them.

    The concepts and their prior are :func:`bayesbook.conjugate.rule_concepts`.

    Parameters
    ----------
    shown : iterable of int
        The numbers at the start: at most six, from 1 to 100.
    weak : bool
        Whether sampling is weak at the start, and not strong.

    Returns
    -------
    Explorable
        The posterior of the concepts, and for each number the probabilities
        that it belongs to the concept and that it is drawn next.

    Raises
    ------
    ValueError
        If there are more numbers, or others.

    Examples
    --------
    >>> number_game([16, 8, 2, 64])
    Which concept do the numbers come from?
      1st number: 16
      2nd number: 8
      3rd number: 2
      4th number: 64
      5th number: none
      6th number: none
      sampling: strong: drawn from the concept
      After 16, 8, 2, 64, 5 of the 32 concepts are consistent. The most \
probable one is “powers of 2”, with posterior 0.974.
      If the next number is drawn from the concept at random, the averaged \
prediction has perplexity 6.1, and the plug-in prediction by “powers of 2” \
alone has perplexity 6.
    """
    numbers = [*shown]
    for x in numbers:
        if isinstance(x, bool) or x not in _NUMBERS:
            raise ValueError(
                f"{x!r} cannot be shown: give whole numbers from 1 to "
                f"{_SPACE.n}."
            )
    if len(numbers) > len(_PLACES):
        raise ValueError(
            f"{len(numbers)} numbers are too many: show at most "
            f"{len(_PLACES)}."
        )
    numbers += [0] * (len(_PLACES) - len(numbers))
    ranks = ("1st", "2nd", "3rd", "4th", "5th", "6th")
    return Explorable(
        "number-game",
        "Which concept do the numbers come from?",
        (
            *(
                Control(name, f"{rank} number", int(x), _SPACE.n, typed=True)
                for name, rank, x in zip(_PLACES, ranks, numbers, strict=True)
            ),
            Control("weak", "sampling", int(weak), 1, options=_SAMPLING),
        ),
        panels=(
            (_grid(), "The numbers from 1 to 100", _ABOUT_GRID),
            (_predictions(), "The next number", _ABOUT_PREDICTIONS),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=style("bars.css") + style("number_game.css"),
        below=_table(),
        data=[
            {
                "name": name,
                "weight": int(weight),
                "members": list(_SPACE.extension(name)),
            }
            for name, weight in zip(_SPACE.names, _WEIGHTS, strict=True)
        ],
    )


_SAMPLING = ("strong: drawn from the concept", "weak: chosen regardless of it")
_WORDS = """\
{evidence} {best}
If the next number is drawn from the concept at random, the averaged \
prediction has perplexity {average}, and the plug-in prediction by \
“{plugged}” alone has perplexity {size}."""
_ABOUT_GRID = (
    "Click a number to show it, and again to take it back; frames mark the "
    "numbers that are shown. A square is filled as high as its number "
    "probably belongs to the concept: the full square is probability 1. "
    "{full}"
)
_ABOUT_PREDICTIONS = (
    "The probability of each number to be drawn next: upwards averaged over "
    "all concepts, downwards by “{plugged}” alone. Dots mark the numbers "
    "that are shown."
)
_TASKS = {
    "powers": "Under strong sampling, give “powers of 2” a posterior of more "
    "than 0.9 with as few numbers as possible.",
    "tied": "Under strong sampling, find a single number after which three "
    "concepts share the largest posterior.",
    "weak": "Under weak sampling, make the posterior of “powers of 2” as "
    "large as any numbers can make it. Three suffice.",
}


def _corner(number):
    """Return the left upper corner of the square of a number."""
    row, column = divmod(number - 1, 10)
    # The squares fill the picture to its edges.
    return _SIDE * column - 100, _SIDE * row - 100


def _grid():
    lines = "".join(
        f"M{at} -100V1100M-100 {at}H1100" for at in range(-100, 1101, _SIDE)
    )
    squares = ""
    for number in _NUMBERS:
        x, y = _corner(number)
        content = (
            f'<path class="explore-reach" d="M0 0h{_SIDE}v{_SIDE}h-{_SIDE}Z"/>'
            f'<text class="explore-text" x="60" y="77">{number}</text>'
        )
        squares += part(
            "g",
            f"n{number}",
            content,
            class_="explore-number",
            transform=f"translate({x} {y})",
        )
    return (
        part("path", "belongs", class_="explore-belongs")
        + f'<path class="explore-leader" d="{lines}"/>'
        + squares
        + part("path", "shown", class_="explore-shown")
    )


def _predictions():
    numbers = "".join(
        f'<text class="explore-text" x="{10 * n - 5}" y="975">{n}</text>'
        for n in (1, 20, 40, 60, 80, 100)
    )
    ends = "".join(
        f'<text class="explore-text explore-end" x="-16" y="{y}">{text}</text>'
        for y, text in ((60, "0.5"), (_MIDDLE + 17, "0"), (855, "0.5"))
    )
    level = _ONE // 2
    return (
        part("path", "average", class_="explore-chances explore-2")
        + part("path", "plug_in", class_="explore-chances explore-1")
        + f'<path class="explore-leader" d="M0 {_MIDDLE}H1000'
        f'M-12 {_MIDDLE - level}H0M-12 {_MIDDLE + level}H0"/>'
        '<path class="explore-frame" d="M0 0H1000V880H0Z"/>'
        '<text class="explore-text explore-end" x="976" y="64">averaged</text>'
        '<text class="explore-text explore-end" x="976" y="852">plug-in</text>'
        + part("path", "marks", class_="explore-marks")
        + numbers
        + ends
        + '<text class="explore-text" x="500" y="1050">number</text>'
    )


def _table():
    rows = "\n".join(
        f'<tr data-drawn="row_{row}"><th scope="row">{{name_{row}}}</th>'
        f"<td>{{size_{row}}}</td><td>{{prior_{row}}}</td>"
        f"<td>{{posterior_{row}}}</td><td>{_bar(row)}</td></tr>"
        for row in _ROWS
    )
    heads = ("concept", "size", "prior", "posterior")
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<table class="explore-bars explore-concepts"><thead><tr>{cells}'
        f"<td></td></tr></thead><tbody>\n{rows}\n</tbody></table>\n<p>{{more}}</p>\n"
        '<p class="explore-legend">Bars are posteriors, and thin lines across '
        "them the priors.</p>"
    )


def _bar(row):
    return (
        '<svg viewBox="0 0 1000 10" preserveAspectRatio="none" '
        'aria-hidden="true"><rect class="explore-track" y="2" width="1000" '
        'height="6"/>'
        + part("rect", f"bar_{row}", class_="explore-filled", y=2, height=6)
        + part("path", f"before_{row}")
        + "</svg>"
    )


def view(weak: int, **places: int) -> View:
    """Return what is written and drawn for the numbers that are shown.

    Parameters
    ----------
    weak : int
        1 if sampling is weak, 0 if it is strong.
    **places : int
        The numbers from x1 to x6; 0 where there is none.

    Returns
    -------
    View

    Examples
    --------
    >>> shown = dict.fromkeys(_PLACES, 0) | {"x1": 60}
    >>> view(0, **shown).written["best"]
    'The most probable ones are “even” and “multiples of 10”, each with \
posterior 0.255.'
    """
    shown = [x for x in places.values() if x]
    consistent = _SPACE.consistent(shown)
    if weak:
        posterior = consistent * _SPACE.prior
        posterior /= posterior.sum()
    else:
        posterior = _SPACE.posterior(shown)
    belongs = posterior @ _SPACE.members
    average = posterior @ (_SPACE.members / _SPACE.sizes[:, None])
    # The first of tied concepts stays the first.
    with np.errstate(divide="ignore"):
        order = np.argsort(-np.log(posterior).round(9), kind="stable")
    first = order[0]
    plug_in = _SPACE.members[first] / _SPACE.sizes[first]
    left = int(consistent.sum())
    top = posterior[first]
    best = [_SPACE.names[i] for i in order if posterior[i] > top - _EQUAL]
    rows = dict(zip(_ROWS, order[:left], strict=False))
    written = {
        "evidence": _said_evidence(shown, left),
        "best": _said_best(best, top),
        "average": decimal(np.exp(entropy(average)) + _EQUAL, 1),
        "plugged": _SPACE.names[first],
        "size": str(_SPACE.sizes[first]),
        "full": _FULL if all(places.values()) else "",
        "more": f"… and {left - len(_ROWS)} more" if left > len(_ROWS) else "",
    }
    drawn: dict[str, dict[str, float | str]] = {
        "belongs": {"d": "".join(map(_filled, _NUMBERS, belongs))},
        "shown": {"d": "".join(_framed(x) for x in sorted({*shown}))},
        "average": {"d": _bars(average, -1)},
        "plug_in": {"d": _bars(plug_in, 1)},
        "marks": {"d": "".join(f"M{10 * x - 5} 908h0" for x in shown)},
        **{f"n{x}": {"data-sets": _click(x, places)} for x in _NUMBERS},
    }
    for row in _ROWS:
        name, size, prior, p = "", "", 0.0, 0.0
        if row in rows:
            i = rows[row]
            name, size = _SPACE.names[i], str(_SPACE.sizes[i])
            prior, p = _SPACE.prior[i], posterior[i]
        written |= {
            f"name_{row}": name,
            f"size_{row}": size,
            f"prior_{row}": decimal(prior + _EQUAL, 4),
            f"posterior_{row}": decimal(p + _EQUAL),
        }
        drawn |= {
            f"row_{row}": {"class": "" if name else "unused"},
            f"bar_{row}": {"width": tenth(1000 * p)},
            f"before_{row}": {"d": f"M{tenth(1000 * prior)} 0v10"},
        }
    return View(written, drawn, tuple(_solved(shown, weak, posterior, best)))


_FULL = "All six places are taken, so another number replaces the last one."


def _said_evidence(shown, left):
    if not shown:
        return "No number is shown yet, so the posterior is the prior."
    after = f"After {', '.join(map(str, shown))}"
    if left == 1:
        return (
            f"{after}, only one of the {len(_SPACE)} concepts is consistent."
        )
    return f"{after}, {left} of the {len(_SPACE)} concepts are consistent."


def _said_best(best, top):
    named = listed(f"“{name}”" for name in best)
    if len(best) == 1:
        return (
            f"The most probable one is {named}, with posterior "
            f"{decimal(top + _EQUAL)}."
        )
    return (
        f"The most probable ones are {named}, each with posterior "
        f"{decimal(top + _EQUAL)}."
    )


def _filled(number, p):
    """Draw the part of a square that is filled, from below."""
    x, y = _corner(number)
    return f"M{x} {y + _SIDE}h{_SIDE}v-{tenth(_SIDE * p)}h-{_SIDE}Z"


def _framed(number):
    x, y = _corner(number)
    inner = _SIDE - 16
    return f"M{x + 8} {y + 8}h{inner}v{inner}h-{inner}Z"


def _bars(chances, down):
    return "".join(
        f"M{10 * x - 5} {_MIDDLE}V{tenth(_MIDDLE + down * _ONE * p)}"
        for x, p in zip(_NUMBERS, chances, strict=True)
        if p
    )


def _click(number, places):
    """Return what a click on a number sets: it shows it or takes it back."""
    taken = [name for name, x in places.items() if x == number]
    if taken:
        return f"{taken[-1]} 0"
    free = [name for name, x in places.items() if not x]
    return f"{free[0] if free else _PLACES[-1]} {number}"


def _solved(shown, weak, posterior, best):
    """Yield the tasks that the numbers solve."""
    p = posterior[_TARGET]
    if not weak and len(shown) == 2 and p > 0.9:
        yield "powers"
    if not weak and len(shown) == 1 and len(best) == 3:
        yield "tied"
    # Whatever contains all powers of 2 is consistent with any of them.
    members = _SPACE.members[:, _SPACE.members[_TARGET]]
    most = _WEIGHTS[_TARGET] / _WEIGHTS[members.all(axis=1)].sum()
    if weak and len(shown) == 3 and p > most - _EQUAL:
        yield "weak"
