"""Votes of one member of Congress, counted never, once or several times."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import expit, logit

from bayesbook.data import datasets
from bayesbook.study.explore.explorable import (
    Control,
    Explorable,
    View,
    decimal,
    part,
    signed,
    steps,
    style,
    tenth,
)

_TABLE = datasets.load_congressional_votes()
_PARTY = _TABLE.pop("party").to_numpy()
_X = (_TABLE == "yes").astype(float).where(_TABLE.notna())
# The first class of the model, and so the one with the log-odds.
_PARTIES = ("democrat", "republican")
# Members who voted on everything: three that a fit to all others judges
# wrongly, and one that it judges rightly.
_MEMBERS = (173, 162, 71, 19)
_FEW = 12
_NAMES = tuple(f"v{i}" for i in range(1, _X.shape[1] + 1))
_MOST = 5  # times that a vote is counted
# Of a bar that shows log-odds, in a picture 1000 units wide.
_ZERO = 500
_UNIT = 50
# Sums in another order differ by less.
_EQUAL = 1e-9


def naive_bayes(smoothing: float = 1.0, few: bool = False) -> Explorable:
    """Show what each vote adds to the log-odds of a party.

    Naive Bayes is fitted to other members of the House of Representatives of
    1984, and judges one whose party it names wrongly at the start.

    Parameters
    ----------
    smoothing : float
        The pseudo-count at the start: tenths from 0 to 20.
    few : bool
        Whether the model is fitted to 12 members only at the start.

    Returns
    -------
    Explorable
        For each vote how often it is counted and what it adds, and the
        posterior of the party.

    Raises
    ------
    ValueError
        If `smoothing` is not such a number.

    Examples
    --------
    >>> naive_bayes()
    Which votes decide?
      member who is judged: row 173, a Democrat
      fitted to: all 434 other members
      smoothing β: 1.0
      Of the 16 votes 16 are counted, 16 times in all. The log-odds of \
Democrat are −7.90, and P[Democrat | votes] = 0.0004. The model names the \
wrong party.
    """
    at = steps("smoothing", smoothing, 0, 20, 10)
    return Explorable(
        "naive-bayes",
        "Which votes decide?",
        (
            Control(
                "member",
                "member who is judged",
                0,
                len(_MEMBERS) - 1,
                options=tuple(map(_said_member, _MEMBERS)),
            ),
            Control("few", "fitted to", int(few), 1, options=_FITTED),
            Control("beta", "smoothing β", at, 200),
            *(Control(name, "", 1, _MOST) for name in _NAMES),
        ),
        panels=(),
        words=_WORDS,
        tasks=_TASKS,
        view=view,
        above=style("bars.css") + style("naive_bayes.css"),
        below=_votes(),
        data=_counts(),
    )


def _said_member(row):
    return f"row {row}, a {_PARTY[row].capitalize()}"


_FITTED = (
    f"all {len(_PARTY) - 1} other members",
    f"the first {_FEW} other members",
)
_WORDS = """\
Of the 16 votes {used} are counted, {counted} times in all. The log-odds of \
Democrat are {z}, and P[Democrat | votes] = {p}. {verdict}"""
_TASKS = {
    "copy": "Row 173, all other members: count every vote at least once, and "
    "a single one of them so often that the model names the right party.",
    "leave": "Row 173, all other members, β = 1, no vote counted twice: leave "
    "out votes until P[Democrat | votes] is above 0.9, but as few of them as "
    "possible.",
    "smooth": "Row 162, the first 12 other members, every vote once: what is "
    "the least β at which the model names the wrong party?",
}


@cache
def _others(row, few):
    """Return the rows of the members to which the model is fitted."""
    others = np.delete(np.arange(len(_PARTY)), row)
    return others[:_FEW] if few else others


@cache
def _fitted(row, few, beta):
    """Return what the prior and each vote of a member add to the log-odds."""
    # It brings scikit-learn, which most pages need not wait for.
    from bayesbook.naive_bayes import BernoulliNB

    others = _others(row, few)
    model = BernoulliNB(alpha=beta / 10, missing="marginalise")
    model.fit(_X.iloc[others], _PARTY[others])
    yes = model.feature_log_prob_
    with np.errstate(divide="ignore", invalid="ignore"):
        no = np.log1p(-np.exp(yes))
        added = np.where(_X.loc[row] == 1, yes[0] - yes[1], no[0] - no[1])
    prior = model.class_log_prior_
    return float(prior[0] - prior[1]), added


def _counts():
    """Return what the script needs of the table."""
    members = []
    for row in _MEMBERS:
        fits = []
        for few in (0, 1):
            others = _others(row, few)
            sides = [_X.iloc[others[_PARTY[others] == p]] for p in _PARTIES]
            fits.append(
                {
                    "members": [len(side) for side in sides],
                    # Who voted like the member, and who voted.
                    "like": [(s == _X.loc[row]).sum().tolist() for s in sides],
                    "voted": [side.notna().sum().tolist() for side in sides],
                }
            )
        answers = ["yes" if x else "no" for x in _X.loc[row]]
        is_democrat = bool(_PARTY[row] == _PARTIES[0])
        members.append(
            {"isDemocrat": is_democrat, "answers": answers, "fits": fits}
        )
    return members


def _votes():
    rows = _row("prior", "prior", "", "{adds_prior}")
    for name, bill in zip(_NAMES, _X.columns, strict=True):
        text = bill.replace("_", " ")
        buttons = [
            f'<button type="button" class="explore-live" hidden="hidden" '
            f'data-steps="{name} {by}" aria-label="{text}: count it once '
            f'{word}">{sign}</button>'
            for by, word, sign in ((-1, "less", "−"), (1, "more", "+"))
        ]
        times = f"{buttons[0]}<span>{{times_{name}}}</span>{buttons[1]}"
        voted = f"{text}: {{answer_{name}}}"
        rows += _row(name, voted, times, f"{{adds_{name}}}")
    rows += _row("sum", "sum", "", "{adds_sum}")
    heads = ("bill: vote", "counted", "adds")
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<table class="explore-bars explore-votes"><thead><tr>{cells}'
        f"</tr></thead><tbody>\n{rows}</tbody></table>\n"
        '<div class="explore-posterior"><span>P[Democrat | votes]</span>'
        '<svg viewBox="0 0 1000 10" preserveAspectRatio="none" '
        'aria-hidden="true"><rect class="explore-track" width="1000" '
        'height="10"/>'
        + part("rect", "posterior", class_="explore-filled", height=10)
        + '<path d="M500 -4V14"/></svg></div>\n'
        '<p class="explore-legend">Bars to the right speak for a Democrat, '
        f"bars to the left for a Republican; they end at {_ZERO // _UNIT}. "
        "A vote that is not counted is treated as missing. The line across "
        "the last bar is one half.</p>"
    )


def _row(name, text, times, adds):
    bar = (
        '<svg viewBox="0 0 1000 10" preserveAspectRatio="none" '
        'aria-hidden="true">'
        + part("rect", f"bar_{name}", y=2, height=6)
        + f'<path d="M{_ZERO} 0v10"/></svg>'
    )
    return (
        f'<tr><th scope="row">{text}{bar}</th>'
        f"<td><div>{times}</div></td><td>{adds}</td></tr>\n"
    )


def view(member: int, few: int, beta: int, **times: int) -> View:
    """Return what is written and drawn for votes that are counted.

    Parameters
    ----------
    member : int
        Which of the members is judged.
    few : int
        1 if the model is fitted to a few of the others only.
    beta : int
        The smoothing, in tenths.
    **times : int
        How often each vote is counted, from v1 to v16.

    Returns
    -------
    View

    Examples
    --------
    >>> view(0, 0, 10, **dict.fromkeys(_NAMES, 1) | {"v4": 3}).written["p"]
    '0.5049'
    """
    row = _MEMBERS[member]
    prior, added = _fitted(row, few, beta)
    counts = np.array([times[name] for name in _NAMES])
    with np.errstate(invalid="ignore"):
        adds = np.where(counts, counts * added, 0.0)
        # Not a number if both joint probabilities are 0.
        z = prior + float(adds.sum())
    is_democrat = _PARTY[row] == _PARTIES[0]
    is_right = z > _EQUAL if is_democrat else z < -_EQUAL
    written = {
        "beta": decimal(beta / 10, 1),
        "used": str(np.count_nonzero(counts)),
        "counted": str(counts.sum()),
        "z": _number(z),
        "p": "undefined" if np.isnan(z) else decimal(expit(z) + _EQUAL, 4),
        "verdict": _said_verdict(z, is_right),
        "adds_prior": _number(prior),
        "adds_sum": _number(z),
    }
    width = 0 if np.isnan(z) else tenth(1000 * expit(z))
    drawn: dict[str, dict[str, float | str]] = {
        "posterior": {"width": width},
        "bar_prior": _bar(prior),
        "bar_sum": _bar(z),
    }
    for i, name in enumerate(_NAMES):
        written |= {
            f"answer_{name}": "yes" if _X.loc[row].iloc[i] else "no",
            f"times_{name}": f"×{counts[i]}",
            f"adds_{name}": _number(adds[i]),
        }
        drawn[f"bar_{name}"] = _bar(adds[i])
    solves = _solved(row, few, beta, counts, prior, added, is_right)
    return View(written, drawn, tuple(solves))


def _said_verdict(z, is_right):
    if np.isnan(z):
        return (
            "Both parties have the joint probability 0, so there is no "
            "posterior."
        )
    if abs(z) <= _EQUAL:
        return "Both parties are equally probable."
    return f"The model names the {'right' if is_right else 'wrong'} party."


def _number(value):
    if np.isnan(value):
        return "undefined"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return signed(value, 2)


def _bar(value):
    """Draw log-odds from the middle, as far as the picture goes."""
    if np.isnan(value):
        return {"x": _ZERO, "width": 0, "class": ""}
    length = min(abs(value) * _UNIT, _ZERO)
    is_left = value < -_EQUAL
    side = "explore-against" if is_left else "explore-for"
    left = _ZERO - length if is_left else _ZERO
    return {"x": tenth(left), "width": tenth(length), "class": side}


def _solved(row, few, beta, counts, prior, added, is_right):
    """Yield the tasks that a state solves."""
    is_once = (counts == 1).all()
    is_copied = counts.min() == 1 and np.count_nonzero(counts > 1) == 1
    if row == 173 and not few and is_copied and is_right:
        yield "copy"
    if row == 173 and not few and beta == 10 and counts.max() == 1:
        # The fewest are those that speak most against the party.
        left_out = np.count_nonzero(counts == 0)
        fewest = np.sort(added)[left_out - 1 :] if left_out else added
        above = logit(0.9)
        is_enough = prior + added[counts == 1].sum() > above
        is_fewest = prior + fewest.sum() <= above
        if is_enough and is_fewest:
            yield "leave"
    if row == 162 and few and is_once and not is_right and beta:
        before, less = _fitted(row, few, beta - 1)
        if before + less.sum() > _EQUAL:
            yield "smooth"
