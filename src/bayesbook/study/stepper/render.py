"""Showing a step-through: one self-contained piece of HTML, and a text.

The HTML needs no network and, to be read, no JavaScript. A curve that several
frames share is written once, and so are the axes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.study.quiz.markdown import block, inline
from bayesbook.study.quiz.pages import asset
from bayesbook.study.stepper.frame import Frame, Points, require_text
from bayesbook.study.stepper.picture import (
    Scale,
    axes,
    number,
    path,
    scales,
    svg,
)

# Colours with dashes that are easy to tell apart.
MOST_LABELS = 4
MOST_LETTERS = 40

# With a value, because JupyterLab removes the bare attribute from outputs that
# it does not trust yet; it also removes pictures, but not their words.
_HIDDEN = 'hidden="hidden"'
_IDLE = "To go step by step, run this cell or, on a page, allow JavaScript."


@dataclass(frozen=True, repr=False)
class Stepper:
    """A step-through as a notebook displays it.

    Made by :func:`show`.

    Parameters
    ----------
    name, frames, x_label, y_label
        As for :func:`show`.

    Examples
    --------
    >>> frame = Frame("Start", {"prior": ([0, 1], [2, 0])})
    >>> shown = show("start", [frame], x_label="θ", y_label="density")
    >>> shown.frames
    (Frame('Start', curves: 'prior'),)
    """

    name: str
    frames: tuple[Frame, ...]
    x_label: str
    y_label: str

    def __post_init__(self) -> None:
        check_name(self.name)
        object.__setattr__(self, "frames", _read_frames(self.frames))
        for what in ("x_label", "y_label"):
            _check_axis(getattr(self, what), what)
        _check_labels(self.labels, self.frames)
        _check_extent(self.frames)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all curves, in the order in which they come."""
        found = (label for frame in self.frames for label in frame.curves)
        return tuple(dict.fromkeys(found))

    def __repr__(self) -> str:
        return plain(self)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": html(self), "text/plain": plain(self)}


def show(
    name: str, frames: Iterable[Frame], *, x_label: str, y_label: str
) -> Stepper:
    """Show curves that change, one frame at a time.

    All frames have the same axes, which are wide enough for every curve.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and hyphens; a name of its own for each
        step-through of a page.
    frames : iterable of Frame
        At least one; with at most four labels together.
    x_label, y_label : str
        What the axes show, with the unit. Not typeset: write θ, not its TeX.

    Returns
    -------
    Stepper
        Put it on the last line of a cell to show it: with buttons and a
        slider where scripts run, and else all frames side by side.

    Raises
    ------
    TypeError
        If the name or a label is not a str, or `frames` not an iterable of
        Frame.
    ValueError
        If the name has other signs, if there is no frame, if two have the
        same title, if an axis has no label or more than 40 letters, if there
        are more than four labels of curves, or if all points have the same x.

    Examples
    --------
    >>> show(
    ...     "heads",
    ...     [
    ...         Frame("None", {"likelihood": ([0, 1], [1, 1])}),
    ...         Frame("One head", {"likelihood": ([0, 1], [0, 1])}),
    ...     ],
    ...     x_label="probability of heads θ",
    ...     y_label="likelihood",
    ... )
    Step-through "heads": 2 frames
      x "probability of heads θ": 0 to 1
      y "likelihood": 0 to 1
    1. None
      likelihood: 1 from 0 to 1
    2. One head
      likelihood: from 0 at 0 to 1 at 1
    """
    return Stepper(name, _read_frames(frames), x_label, y_label)


# --- Reading the arguments -------------------------------------------------


def check_name(name: str) -> None:
    """Raise an error unless a step-through can have this name."""
    if not isinstance(name, str):
        raise TypeError(f"name={name!r} is not a str, such as 'first-toss'.")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(
            f"name={name!r} cannot name a part of a page: use lower-case "
            "letters, digits and hyphens, as in 'first-toss'."
        )


def _read_frames(frames):
    if isinstance(frames, Frame) or not isinstance(frames, Iterable):
        raise TypeError(
            f"frames={frames!r} is not a sequence: give [Frame, …]."
        )
    frames = tuple(frames)
    if not frames:
        raise ValueError("There are no frames: there is nothing to show.")
    places = {}
    for place, frame in enumerate(frames, 1):
        if not isinstance(frame, Frame):
            raise TypeError(
                f"Frame {place} has the type {type(frame).__name__}: give a "
                "stepper.Frame."
            )
        first = places.setdefault(frame.title, place)
        if first != place:
            raise ValueError(
                f"Frames {first} and {place} have the same title "
                f"{frame.title!r}: give each a title of its own."
            )
    return frames


def _check_axis(label, what):
    require_text(label, what)
    if "$" in label:
        raise ValueError(
            f"{what}={label!r} is not typeset: write θ, not $\\theta$."
        )
    if len(label) > MOST_LETTERS:
        raise ValueError(
            f"{what}={label!r} has {len(label)} letters: there is room for "
            f"{MOST_LETTERS}."
        )


def _check_labels(labels, frames):
    if len(labels) > MOST_LABELS:
        known, surplus = labels[:MOST_LABELS], labels[MOST_LABELS]
        frame = next(f for f in frames if surplus in f.curves)
        raise ValueError(
            f"Curve {surplus!r} in frame {frame.title!r} has one label too "
            f"many: besides there are {quoted_list(known)}, and more than "
            f"{MOST_LABELS} cannot be told apart."
            + did_you_mean(surplus, known)
        )


def _check_extent(frames):
    places = {x for f in frames for xs, _ in f.curves.values() for x in xs}
    if len(places) == 1:
        frame, [x] = frames[0], places
        raise ValueError(
            f"Curve {next(iter(frame.curves))!r} in frame {frame.title!r}, "
            f"as every other, has only x={number(x)}: the axis has no length."
        )


# --- Plain text ------------------------------------------------------------


def plain(shown: Stepper) -> str:
    """Describe every frame in plain text.

    Parameters
    ----------
    shown : Stepper

    Returns
    -------
    str
        For each curve where it begins and ends, and its highest and lowest
        point, to four significant digits.

    Examples
    --------
    >>> line = Frame("A line", {"line": ([0, 1], [0, 1])}, text="Rising.")
    >>> print(plain(show("line", [line], x_label="x", y_label="y")))
    Step-through "line": 1 frame
      x "x": 0 to 1
      y "y": 0 to 1
    1. A line
      Rising.
      line: from 0 at 0 to 1 at 1
    """
    count = len(shown.frames)
    across, up = scales(shown.frames)
    lines = [
        f'Step-through "{shown.name}": {count} frame{"s" * (count > 1)}',
        f'  x "{shown.x_label}": {_ends(across)}',
        f'  y "{shown.y_label}": {_ends(up)}',
    ]
    for place, frame in enumerate(shown.frames, 1):
        text = [line for line in frame.text.splitlines() if line.strip()]
        lines.append(f"{place}. {frame.title}")
        lines += [f"  {line}" for line in [*text, *_described(frame)]]
    return "\n".join(lines)


def _ends(scale: Scale) -> str:
    return f"{scale.labels[0]} to {scale.labels[-1]}"


def _described(frame: Frame) -> list[str]:
    return [
        f"{label}: {describe(*curve)}" for label, curve in frame.curves.items()
    ]


def describe(x: Sequence[float], y: Sequence[float]) -> str:
    """Describe in words how a curve runs.

    Parameters
    ----------
    x, y : sequence of float
        Of its points.

    Returns
    -------
    str
        Its ends and, in between, its highest and lowest point; of equally
        high points the first.

    Examples
    --------
    >>> describe((0, 0.5, 1), (0, 1.5, 0))
    'from 0 at 0 up to 1.5 at 0.5 to 0 at 1'
    """
    # Rounding noise decides nothing.
    size = np.abs(y).max() or 1.0
    heights = np.round(np.asarray(y) / size, 9) * size
    if np.ptp(heights) == 0:
        return f"{number(heights[0])} from {number(x[0])} to {number(x[-1])}"
    high, low = int(heights.argmax()), int(heights.argmin())
    last = len(heights) - 1
    words = {high: "up to", low: "down to", 0: "from", last: "to"}
    return " ".join(
        f"{words[at]} {number(heights[at])} at {number(x[at])}"
        for at in sorted(words)
    )


# --- HTML ------------------------------------------------------------------


def html(shown: Stepper) -> str:
    """Write a step-through as one self-contained piece of HTML.

    Parameters
    ----------
    shown : Stepper

    Returns
    -------
    str
        A ``section`` with its style and its script; the same for the same
        frames.

    Examples
    --------
    >>> line = Frame("A line", {"line": ([0, 1], [0, 1])}, text="Rising.")
    >>> page = html(show("line", [line], x_label="x", y_label="y"))
    >>> page.startswith("<section"), page.endswith("</section>")
    (True, True)
    """
    across, up = scales(shown.frames)
    own = f"stepper-{shown.name}"
    paths: dict[str, int] = {}
    frames = "\n".join(
        _frame(frame, shown.labels, own, paths, across, up)
        for frame in shown.frames
    )
    curves = "".join(
        f'<path id="{own}_{at}" d="{data}"/>' for data, at in paths.items()
    )
    legend = "".join(
        f"<li>{_sample(place)} <span>{inline(label)}</span></li>"
        for place, label in enumerate(shown.labels)
    )
    return section(
        shown.name,
        f'<g id="{own}_axes">'
        f"{axes(across, up, shown.x_label, shown.y_label)}</g>{curves}",
        legend,
        frames,
        len(shown.frames),
    )


def section(
    name: str,
    shared: str,
    legend: str,
    frames: str,
    count: int,
    style: str = "",
) -> str:
    """Return a section of frames with their style and script.

    Parameters
    ----------
    name : str
        Of the step-through.
    shared : str
        SVG that is not shown itself but used by several frames.
    legend : str
        Items of a list.
    frames : str
        Items of another list, of the class ``stepper-frame``; each with a
        picture made by :func:`bayesbook.study.stepper.picture.svg`, and words.
    count : int
        How many frames there are.
    style : str
        More CSS.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> section("empty", "", "", "", 0)[:51]
    '<section class="bayesbook-stepper mathjax_process" '
    """
    return f"""\
<section class="bayesbook-stepper mathjax_process" \
aria-label="Step-through: {name.replace("-", " ")}">
<style>
{asset("stepper.css", __package__)}{style}</style>
<div {_HIDDEN}><svg>{shared}</svg></div>
{_listed(legend)}\
<p class="stepper-idle">{_IDLE}</p>
<ol class="stepper-frames" role="list">
{frames}
</ol>
<div class="stepper-controls" {_HIDDEN}>
<button type="button" class="stepper-previous">Previous</button>
<input type="range" min="1" max="{count}" value="1" \
autocomplete="off" aria-label="Step">
<button type="button" class="stepper-next">Next</button>
</div>
<div class="stepper-said" aria-live="polite" aria-atomic="true"></div>
<script>
(() => {{
"use strict";
{asset("stepper.js", __package__)}}})();
</script>
</section>"""


def _listed(legend):
    if not legend:
        return ""
    return f'<ul class="stepper-legend" role="list">{legend}</ul>\n'


def _frame(
    frame: Frame,
    labels: tuple[str, ...],
    own: str,
    paths: dict[str, int],
    across: Scale,
    up: Scale,
) -> str:
    def use(label: str, curve: Points) -> str:
        at = paths.setdefault(path(curve, across, up), len(paths))
        line = _line(labels.index(label))
        return f'<use class="{line}" href="#{own}_{at}"/>'

    lines = "".join(use(*each) for each in frame.curves.items())
    picture = svg(
        f'<use href="#{own}_axes"/>{lines}', ". ".join(_described(frame)) + "."
    )
    return f"""\
<li class="stepper-frame" data-title="{escape(frame.title)}">{picture}
<div class="stepper-words"><p class="stepper-title">{inline(frame.title)}</p>
{block(frame.text)}</div></li>"""


def _line(place: int) -> str:
    return f"stepper-line stepper-line-{place + 1}"


def _sample(place: int) -> str:
    """Draw a short piece of a line, for the legend."""
    return (
        '<svg viewBox="0 0 450 120" width="45" height="12" aria-hidden="true">'
        f'<path class="{_line(place)}" d="M0 60h450"/></svg>'
    )
