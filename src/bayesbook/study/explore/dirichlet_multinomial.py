"""Three probabilities that are learned from counts, and Pólya's urn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log, sqrt

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import DirichletCategorical
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    part,
    point,
    steps,
    style,
    tenth,
)

_THROWS = ("rock", "paper", "scissors")
_PLACES = (1, 2, 3)
_MOST_SEEN = 50
# Of each urn the random numbers of its draws: whole ones below _LEVELS.
_LEVELS = 10_000
_URNS, _DRAWS = 8, 200
_DRAWN = 20  # at the start
_UNIFORMS = (
    np.random.default_rng(12).integers(_LEVELS, size=(_URNS, _DRAWS)).tolist()
)
# Sums in another order differ by less.
_EQUAL = 1e-9

# Of a triangle with the side 1000, in units of its picture.
_BASE, _HIGH = 946, 866
# Dots along its side; the largest ones nearly touch.
_SIDE = 16
_LARGEST = 30
# The middles of equal small triangles, so that no dot lies on a side.
_GRID = [
    (
        (i + 1 / 3) / _SIDE,
        (j + 1 / 3) / _SIDE,
        (_SIDE - 1 - i - j + 1 / 3) / _SIDE,
    )
    for i in range(_SIDE)
    for j in range(_SIDE - i)
]
# Of the picture of the shares, and where the names of its curves stand.
_WIDE, _TALL = 800, 880
_SLOTS = (150, 440, 730)
_LOOKS = (
    "explore-1 explore-dashed",
    "explore-2",
    "explore-ink explore-dash-dotted",
)


def dirichlet_multinomial(
    alpha: Iterable[float] = (4, 4, 4), counts: Iterable[int] = (7, 4, 1)
) -> Explorable:
    """Show what counts of three throws tell, for a reader to move.

    Parameters
    ----------
    alpha : iterable of three float
        Of the prior at the start: quarters from 0.25 to 20.
    counts : iterable of three int
        How often rock, paper and scissors were seen at the start: from 0 to
        50.

    Returns
    -------
    Explorable
        Prior and posterior on the triangle, the probabilities of the next
        throw, and Pólya's urns that begin with the posterior.

    Raises
    ------
    ValueError
        If there are not three of each, or a value is not such a number.

    Examples
    --------
    >>> dirichlet_multinomial(counts=(2, 1, 0))
    What will the opponent show next?
      α of rock: 4
      α of paper: 4
      α of scissors: 4
      rock seen: 2
      paper seen: 1
      scissors seen: 0
      The prior is Dir(4, 4, 4), as strong as 12 imagined throws. The \
posterior is Dir(6, 5, 4), and its mode is (0.417, 0.333, 0.250).
      The next throw is rock with probability 0.400, paper with 0.333 and \
scissors with 0.267.
      After 20 draws from urn 1 (rock 10, paper 5, scissors 5) the shares \
are (0.457, 0.286, 0.257).
    """
    alpha, counts = [*alpha], [*counts]
    for name, values in (("alpha", alpha), ("counts", counts)):
        if len(values) != len(_THROWS):
            raise ValueError(
                f"{name} has {len(values)} numbers: give one each for "
                "rock, paper and scissors."
            )
    quarters = [steps("alpha", value, 0.25, 20, 4) for value in alpha]
    seen = [steps("count", value, 0, _MOST_SEEN, 1) for value in counts]
    return Explorable(
        "dirichlet-multinomial",
        "What will the opponent show next?",
        (
            *(
                Control(f"a{k}", f"α of {throw}", quarters[k - 1], 80, 1)
                for k, throw in zip(_PLACES, _THROWS, strict=True)
            ),
            *(
                Control(f"n{k}", f"{throw} seen", seen[k - 1], _MOST_SEEN)
                for k, throw in zip(_PLACES, _THROWS, strict=True)
            ),
            Control("urn", "", 1, _URNS, 1),
            Control("draws", "", _DRAWN, _DRAWS),
        ),
        panels=(
            (_density("prior", 1), "Prior", _ABOUT_PRIOR),
            (_density("posterior", 2), "Posterior", _ABOUT_POSTERIOR),
            (_shares(), "Shares of the balls in one urn", _ABOUT_SHARES),
            (_urns(), "Shares of the balls in eight urns", _ABOUT_URNS),
        ),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=style("bars.css") + style("dirichlet_multinomial.css"),
        below=_buttons() + _table(),
        data=_UNIFORMS,
    )


_WORDS = """\
The prior is Dir({alpha}), as strong as {strength}. The posterior is \
Dir({after}), and {mode}.
The next throw is rock with probability {mean_1}, paper with {mean_2} and \
scissors with {mean_3}.
{drawn}"""
_ABOUT_PRIOR = (
    "Prior. The area of a dot is proportional to the density; at the largest "
    "dot it is {prior_top} times that of the flat prior. The disc is the "
    "mean, the diamond the mode. {prior_note}"
)
_ABOUT_POSTERIOR = (
    "Posterior, with a scale of its own: at the largest dot the density is "
    "{posterior_top} times that of the flat prior. {posterior_note}"
)
_ABOUT_SHARES = (
    "Urn {urn}; balls drawn: {draws}. Upwards: the share of each throw among "
    "the balls in the urn. Each ball that is drawn returns with another of "
    "its kind."
)
_ABOUT_URNS = (
    "Eight urns that begin like the posterior. The line is the path of urn "
    "{urn}, and the disc is its end; the circles are the ends of the other "
    "urns. After many draws they are nearly random draws from the "
    "posterior."
)
_TASKS = {
    "third": "Rock was seen 7 times, paper 4 times and scissors once. Find a "
    "prior with which all three throws are equally probable next.",
    "mode": "Each α is 0.25. After how few throws can the posterior have a "
    "mode?",
    "same": "No throw was seen. Find a prior with three equal α, and an urn "
    "from which the first ten draws are all the same.",
}


def _place(theta: Sequence[float]) -> tuple[float, float]:
    """Return where a point of the triangle lies in its picture."""
    _, paper, scissors = theta
    return 1000 * (paper + scissors / 2), _BASE - _HIGH * scissors


def _triangle():
    names = "".join(
        f'<text class="explore-text" x="{x}" y="{y}">{name}</text>'
        for name, x, y in zip(
            _THROWS, (0, 1000, 500), (1020, 1020, 46), strict=True
        )
    )
    return (
        f'<path class="explore-frame" d="M0 {_BASE}H1000L500 '
        f'{_BASE - _HIGH}Z"/>{names}'
    )


def _density(name, look):
    return (
        _triangle()
        + part("path", f"{name}_dots", class_=f"explore-dots explore-{look}")
        + part("path", f"{name}_mode", class_="explore-mode")
        + part("circle", f"{name}_mean", class_="explore-spot", r=20)
    )


def _shares():
    curves = "".join(
        part("path", f"curve_{k}", class_=f"explore-curve {look}")
        for k, look in zip(_PLACES, _LOOKS, strict=True)
    )
    ends = "".join(
        part("path", f"leader_{k}", class_="explore-leader")
        + part("circle", f"end_{k}", class_="explore-spot", r=13)
        + part(
            "text",
            f"name_{k}",
            throw,
            class_="explore-text explore-beginning",
            x=_WIDE + 45,
        )
        for k, throw in zip(_PLACES, _THROWS, strict=True)
    )
    levels = "".join(
        f'<text class="explore-text explore-end" x="-16" '
        f'y="{_tall(share) + 17:g}">{share:g}</text>'
        for share in (0, 0.5, 1)
    )
    numbers = "".join(
        f'<text class="explore-text" x="{tenth(_along(n))}" y="945">{n}</text>'
        for n in (0, 1, 10, 100)
    )
    return (
        f'<path class="explore-leader" d="M0 {_tall(0.5):g}H{_WIDE}"/>'
        f'<path class="explore-frame" d="M0 0H{_WIDE}V{_TALL}H0Z"/>'
        f"{curves}{ends}{levels}{numbers}"
        f'<text class="explore-text" x="{_WIDE // 2}" y="1020">balls drawn'
        "</text>"
    )


def _urns():
    return (
        _triangle()
        + part("path", "path", class_="explore-way")
        + part("path", "others", class_="explore-ring")
        + part("circle", "chosen", class_="explore-spot", r=20)
    )


def _table():
    rows = "\n".join(
        f'<tr><th scope="row">{throw}</th><td>{{prior_mean_{k}}}</td>'
        f"<td>{{mean_{k}}}</td><td>{{mode_{k}}}</td><td>{{share_{k}}}</td>"
        f"<td>{_bar(k)}</td></tr>"
        for k, throw in zip(_PLACES, _THROWS, strict=True)
    )
    heads = ("throw", "prior mean", "next throw", "posterior mode")
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<table class="explore-bars explore-throws"><thead><tr>{cells}'
        '<th scope="col">in urn {urn}</th><td></td></tr></thead><tbody>\n'
        f"{rows}\n</tbody></table>\n"
        '<p class="explore-legend">Bars are the probabilities of the next '
        "throw, which are the posterior means; thin lines across them are "
        "the prior means.</p>"
    )


def _bar(k):
    return (
        '<svg viewBox="0 0 1000 10" preserveAspectRatio="none" '
        'aria-hidden="true"><rect class="explore-track" y="2" width="1000" '
        'height="6"/>'
        + part("rect", f"bar_{k}", class_="explore-filled", y=2, height=6)
        + part("path", f"before_{k}")
        + "</svg>"
    )


def _buttons():
    draws = "".join(
        f'<button type="button" data-steps="draws {by}">{text}</button>\n'
        for by, text in (
            (1, "Draw a ball"),
            (10, "Draw ten"),
            (-1, "Undo a draw"),
            (-_DRAWS, "Undo all draws"),
        )
    )
    another = part("button", "another", "Another urn", type="button")
    return (
        '<div class="explore-live explore-buttons" hidden="hidden">\n'
        f"{draws}{another}</div>\n"
    )


def view(
    a1: int,
    a2: int,
    a3: int,
    n1: int,
    n2: int,
    n3: int,
    urn: int,
    draws: int,
) -> View:
    """Return what is written and drawn for a prior, counts and draws.

    Parameters
    ----------
    a1, a2, a3 : int
        Of the prior, in quarters.
    n1, n2, n3 : int
        How often each throw was seen.
    urn : int
        Which of the urns, from 1 on.
    draws : int
        How many balls were drawn from each.

    Returns
    -------
    View

    Examples
    --------
    >>> view(16, 16, 16, 7, 4, 1, urn=1, draws=0).written["mean_1"]
    '0.458'
    """
    quarters, counts = (a1, a2, a3), (n1, n2, n3)
    prior = DirichletCategorical([a / 4 for a in quarters])
    posterior = prior.update(counts=counts)
    balls = [a + 4 * n for a, n in zip(quarters, counts, strict=True)]
    ways = [_urn(balls, uniforms[:draws]) for uniforms in _UNIFORMS]
    way = ways[urn - 1]
    taken = [
        (now - first) // 4 for now, first in zip(way[-1], balls, strict=True)
    ]
    share = posterior.update(counts=taken).mean()
    prior_mean, mean = prior.mean(), posterior.mean()
    mode = _mode(posterior)
    written = {
        "alpha": _listed(prior),
        "after": _listed(posterior),
        "strength": _said_strength(sum(quarters) / 4),
        "mode": _said_mode(posterior, mode),
        "drawn": _said_draws(urn, taken, share, sum(balls) / 4),
        "urn": str(urn),
        "draws": str(draws),
    }
    drawn: dict[str, dict[str, float | str]] = {
        "another": {"data-sets": f"urn {urn % _URNS + 1}"},
    }
    for name, family in (("prior", prior), ("posterior", posterior)):
        dots, top = _dots(family)
        at, best = family.mean(), _mode(family)
        written[f"{name}_top"] = decimal(top, 1)
        written[f"{name}_note"] = _noted(family, best)
        drawn[f"{name}_dots"] = {"d": dots}
        drawn[f"{name}_mean"] = _middle(at)
        drawn[f"{name}_mode"] = {"d": "" if best is None else _diamond(best)}
    for k, i in zip(_PLACES, range(3), strict=True):
        written |= {
            f"a{k}": f"{quarters[i] / 4:g}",
            f"n{k}": str(counts[i]),
            f"prior_mean_{k}": decimal(prior_mean[i]),
            f"mean_{k}": decimal(mean[i]),
            f"mode_{k}": "none" if mode is None else decimal(mode[i]),
            f"share_{k}": decimal(share[i]),
        }
        drawn |= {
            f"bar_{k}": {"width": tenth(1000 * mean[i])},
            f"before_{k}": {"d": f"M{tenth(1000 * prior_mean[i])} 0v10"},
        }
    drawn |= _drawn_shares(way) | _drawn_urns(ways, urn)
    solves = _solved(quarters, counts, way)
    return View(written, drawn, tuple(solves))


def _urn(balls: Sequence[int], uniforms: Iterable[int]) -> list[list[int]]:
    """Return the quarters of balls at the start and after each draw.

    The first colour is drawn if a random number is below its share, the
    second if it is below the share of both, and so on.
    """
    way = [[*balls]]
    for uniform in uniforms:
        now = way[-1].copy()
        place = uniform * sum(now)
        colour, bound = 0, _LEVELS * now[0]
        while place >= bound:
            colour += 1
            bound += _LEVELS * now[colour]
        now[colour] += 4
        way.append(now)
    return way


def _listed(family):
    return ", ".join(f"{a:g}" for a in family.alpha)


def _said_strength(total):
    return f"{total:g} imagined throw{'s' if total != 1 else ''}"


def _mode(family):
    """Return the mode, or None if there is none or more than one."""
    try:
        return family.mode()
    except ProbabilityError:
        return None


def _said_mode(family, mode):
    if mode is not None:
        return f"its mode is ({', '.join(map(decimal, mode))})"
    if min(family.alpha) >= 1:
        return "its density is the same everywhere, so every point is a mode"
    *others, last = (
        throw for throw, a in zip(_THROWS, family.alpha, strict=True) if a < 1
    )
    names = f"{', '.join(others)} or {last}" if others else last
    return (
        "it has no mode: its density is unbounded near the points where the "
        f"probability of {names} is 0"
    )


def _noted(family, mode):
    if mode is not None:
        return ""
    return "Every point is a mode." if min(family.alpha) >= 1 else "No mode."


def _said_draws(urn, taken, share, total):
    n = sum(taken)
    if not n:
        balls = f"{total:g} ball{'s' if total != 1 else ''}"
        return (
            f"Each urn holds {balls} in these proportions; none has been "
            "drawn."
        )
    kinds = ", ".join(
        f"{throw} {count}" for throw, count in zip(_THROWS, taken, strict=True)
    )
    shares = ", ".join(map(decimal, share))
    return (
        f"After {n} draw{'s' if n > 1 else ''} from urn {urn} ({kinds}) the "
        f"shares are ({shares})."
    )


def _dots(family):
    """Draw dots as large as the density; give the largest one, too.

    It is a multiple of the flat density, which is 2 everywhere.
    """
    density = family.distribution.pdf(np.array(_GRID).T)
    top = density.max()
    dots = "".join(
        _dot(_place(theta), float(tenth(_LARGEST * sqrt(value / top))))
        for theta, value in zip(_GRID, density, strict=True)
    )
    return dots, top / 2 * (1 + _EQUAL)


def _dot(middle, radius):
    """Draw a circle from its point on the left, as two half turns."""
    x, y = middle
    if not radius:
        return ""
    r, wide = f"{radius:g}", tenth(2 * radius)
    return (
        f"M{point(x - radius, y)}a{r} {r} 0 1 0 {wide} 0"
        f"a{r} {r} 0 1 0 -{wide} 0"
    )


def _middle(theta):
    x, y = _place(theta)
    return {"cx": tenth(x), "cy": tenth(y)}


def _diamond(theta):
    x, y = _place(theta)
    return f"M{point(x, y - 40)}l40 40l-40 40l-40 -40Z"


def _along(n):
    """Return how far to the right a number of draws lies."""
    return _WIDE * log(1 + n) / log(1 + _DRAWS)


def _tall(share):
    return _TALL * (1 - share)


def _share(now):
    total = sum(now)
    return [quarters / total for quarters in now]


def _steps(way):
    """Return numbers of draws, with the shares after them.

    Of many draws it is each fourth, as they lie close to each other.
    """
    last = len(way) - 1
    return [
        (n, _share(now))
        for n, now in enumerate(way)
        if n < 40 or n % 4 == 0 or n == last
    ]


def _drawn_shares(way):
    steps = _steps(way)
    n, end = steps[-1]
    last = _along(n)
    found: dict[str, dict[str, float | str]] = {}
    # Names stand in the order of the curves where they end.
    order = sorted(range(3), key=lambda i: -end[i])
    for i, slot in zip(order, _SLOTS, strict=True):
        k = _PLACES[i]
        line = "L".join(
            point(_along(n), _tall(share[i])) for n, share in steps
        )
        y = tenth(_tall(end[i]))
        found |= {
            f"curve_{k}": {"d": f"M{line}"},
            f"leader_{k}": {"d": f"M{tenth(last)} {y}L{_WIDE + 30} {slot}"},
            f"end_{k}": {"cx": tenth(last), "cy": y},
            f"name_{k}": {"y": slot + 17},
        }
    return found


def _drawn_urns(ways, urn):
    ends = [_share(way[-1]) for way in ways]
    others = "".join(
        _dot(_place(end), 16)
        for which, end in enumerate(ends, 1)
        if which != urn
    )
    line = "L".join(
        point(*_place(share)) for _, share in _steps(ways[urn - 1])
    )
    return {
        "path": {"d": f"M{line}"},
        "others": {"d": others},
        "chosen": _middle(ends[urn - 1]),
    }


def _solved(quarters, counts, way):
    """Yield the tasks that a state solves."""
    if counts == (7, 4, 1) and len({*way[0]}) == 1:
        yield "third"
    if quarters == (1, 1, 1) and counts == (1, 1, 1):
        yield "mode"
    if not any(counts) and len({*quarters}) == 1 and len(way) > 10:
        first_ten = [b - a for a, b in zip(way[0], way[10], strict=True)]
        if max(first_ten) == 40:
            yield "same"
