"""One explorable: what can be moved, and what is written and drawn for it.

A *view* is computed twice: here, with the library, for the page as it is
printed and read without a script; and by the script of the explorable, which
has a function of the same name. The tests hold the two together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import groupby
from math import floor

from bayesbook.study.quiz.markdown import inline
from bayesbook.study.quiz.pages import asset

# With a value, because JupyterLab removes the bare attribute from outputs that
# it does not trust yet.
_HIDDEN = 'hidden="hidden"'
_IDLE = "To move it, run this cell or, on a page, allow JavaScript."


@dataclass(frozen=True)
class Control:
    """A whole number that the reader moves.

    Parameters
    ----------
    name : str
        In the state, in the address of the page, and of what is written of it.
    label : str
        What it is, in a few words of Markdown; if empty, nothing is seen of
        it, and other parts of the page move it.
    value : int
        At the start.
    least, most : int
        Its ends.
    options : tuple of str
        The values from 0 on, in words: then it is a list to choose from, and
        not a slider, and nothing is written of it.
    group : str
        The heading under which it is folded away, with its neighbours.
    typed : bool
        Whether it is a box to type the number in, empty while it is 0; then
        nothing is written of it.

    Examples
    --------
    >>> Control("heads", "heads seen", value=3, most=20).least
    0
    """

    name: str
    label: str
    value: int
    most: int
    least: int = 0
    options: tuple[str, ...] = ()
    group: str = ""
    typed: bool = False


@dataclass(frozen=True)
class View:
    """What is written and drawn for a state.

    Parameters
    ----------
    written : mapping of str to str
        The text in each place that has a name, and of each control.
    drawn : mapping of str to mapping
        The attributes of each part of the pictures that has a name.
    solves : tuple of str
        The names of the tasks that this state solves.
    refused : str
        Why there is no such state; nothing else is then read.

    Examples
    --------
    >>> View({"half": "0.500"}, {"bar": {"width": 500}}, ()).written["half"]
    '0.500'
    """

    written: Mapping[str, str]
    drawn: Mapping[str, Mapping[str, float | str]]
    solves: tuple[str, ...]
    refused: str = ""


@dataclass(frozen=True, repr=False)
class Explorable:
    """A picture that a reader moves, as a notebook displays it.

    Parameters
    ----------
    name : str
        Kebab-case; the script and the part of the page are named after it.
    title : str
        Markdown.
    controls : tuple of Control
        At least one.
    panels : tuple of (str, str, str)
        Of each panel its SVG, 1000 units wide and high, what it is called,
        and a caption in Markdown, with names in braces as in `words`. A part
        of the view is an element that :func:`part` writes.
    words : str
        Markdown that says what is seen, with the name of what is written in
        braces.
    tasks : mapping of str to str
        What to try, in Markdown.
    view : callable
        Of the values of the controls, by name, to a View.
    below : str
        HTML after the panels, with names in braces as in `words`.
    above : str
        The same, before the words.
    data : object
        What the script finds as ``DATA``: all that JSON can hold.
    key : str
        Kebab-case; sets it apart from others of its name on a page.

    Examples
    --------
    >>> tossed = Explorable(
    ...     "toss", "A toss", (Control("heads", "heads", 500, 1000),),
    ...     panels=(), words="Heads: {heads}.", tasks={},
    ...     view=lambda heads: View({"heads": f"{heads / 1000}"}, {}, ()),
    ... )
    >>> tossed
    A toss
      heads: 0.5
      Heads: 0.5.
    """

    name: str
    title: str
    controls: tuple[Control, ...]
    panels: tuple[tuple[str, str, str], ...]
    words: str
    tasks: Mapping[str, str]
    view: Callable[..., View]
    below: str = ""
    above: str = ""
    data: object = None
    key: str = ""

    @property
    def id(self) -> str:
        """The id of its part of the page."""
        return id_of(self.name, self.key)

    def start(self) -> View:
        """Return what is seen at the start."""
        return self.view(**{each.name: each.value for each in self.controls})

    def __repr__(self) -> str:
        written = self.start().written
        lines = [
            self.title,
            *(
                f"{each.label}: {_value(each, written)}"
                for each in self.controls
                if each.label and not each.group
            ),
            *self.words.format_map(written).strip().splitlines(),
        ]
        return "\n  ".join(lines)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": html(self), "text/plain": repr(self)}


def id_of(name: str, key: str) -> str:
    """Return the id of an explorable in a page.

    Parameters
    ----------
    name : str
    key : str
        Empty, if it is the only one of its name.

    Returns
    -------
    str

    Examples
    --------
    >>> id_of("network", "alarm")
    'explore-network-alarm'
    """
    return "-".join(filter(None, ("explore", name, key)))


def decimal(value: float | Fraction, digits: int = 3) -> str:
    """Write a number of a view, as the script of the page does.

    Parameters
    ----------
    value : float or Fraction
        At least 0.
    digits : int
        After the point. What lies half way between two decimals goes to the
        larger one, as by ``toFixed`` of JavaScript; a format string of Python
        would take the even one.

    Returns
    -------
    str

    Examples
    --------
    >>> decimal(0.0625), f"{0.0625:.3f}"
    ('0.063', '0.062')
    """
    scale = 10**digits
    nearest = floor(Fraction(float(value)) * scale + Fraction(1, 2))
    return f"{nearest / scale:.{digits}f}"


def signed(value: float, digits: int = 3) -> str:
    """Write a number of a view that may be negative, as the script does.

    Parameters
    ----------
    value : float
    digits : int
        After the point.

    Returns
    -------
    str
        What is rounded to zero has no sign.

    Examples
    --------
    >>> signed(-0.25, 1), signed(-0.01, 1)
    ('−0.3', '0.0')
    """
    text = decimal(abs(value), digits)
    return f"−{text}" if value < 0 and float(text) else text


def whole(length: float) -> int:
    """Return a length of a picture as a whole number, a half upwards."""
    return floor(length + 0.5)


def tenth(length: float) -> str:
    """Write a length rounded to tenths of a unit, a half upwards."""
    return f"{floor(10 * length + 0.5) / 10:.10g}"


def point(x: float, y: float) -> str:
    """Write a point of a path, in tenths of a unit."""
    return f"{tenth(x)} {tenth(y)}"


def people(
    groups: Iterable[int], names: Iterable[str]
) -> dict[str, dict[str, str]]:
    """Place a thousand people in columns of 25, one group after the other.

    Parameters
    ----------
    groups : iterable of int
        How many people each has.
    names : iterable of str

    Returns
    -------
    dict
        The paths of the parts ``people_`` and a name: dots in a picture of
        1000 units.
    """
    first = 0
    found = {}
    for name, count in zip(names, groups, strict=True):
        places = [divmod(at, 25) for at in range(first, first + count)]
        d = "".join(f"M{25 * x + 12.5} {40 * y + 20}h0" for x, y in places)
        found[f"people_{name}"] = {"d": d}
        first += count
    return found


def listed(words: Iterable[str]) -> str:
    """Write words as a list: "A, B and C"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def steps(name: str, value: float, least: float, most: float, per: int) -> int:
    """Return the value of a slider as a number of steps, `per` to the unit.

    Raises
    ------
    ValueError
        If the slider has no such value.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and least <= value <= most:
        found = round(value * per)
        if abs(found - value * per) < 1e-9:
            return found
    raise ValueError(
        f"{name}={value!r} is not on its slider: give a number from {least} "
        f"to {most} in steps of {1 / per:g}."
    )


def style(name: str) -> str:
    """Return a style sheet as HTML for `above` or `below`.

    Parameters
    ----------
    name : str
        Of the file, beside the modules.

    Returns
    -------
    str
        An element, whose braces are no names of what is written.

    Examples
    --------
    >>> style("threshold.css").startswith("<style>")
    True
    """
    text = asset(name, __package__).replace("{", "{{").replace("}", "}}")
    return f"<style>\n{text}</style>\n"


def part(tag: str, name: str, content: str = "", **fixed: str | float) -> str:
    """Write an element of a picture that the state moves.

    Parameters
    ----------
    tag : str
        Such as ``rect``.
    name : str
        Of the part of the view that has its attributes.
    content : str
        SVG inside of it.
    **fixed : str or float
        Attributes that no state changes; with ``class_`` for ``class``, and
        an underscore for each hyphen.

    Returns
    -------
    str
        SVG.

    Examples
    --------
    >>> part("rect", "bar", class_="explore-1", height=20)
    '<rect data-drawn="bar" class="explore-1" height="20"></rect>'
    """
    fixed = {"data-drawn": name, **fixed}
    return f"<{tag} {_attributes(fixed)}>{content}</{tag}>"


def grip(name: str, control: str, along: str, place: str) -> str:
    """Write a handle that a pointer moves.

    Parameters
    ----------
    name : str
        Of the part of the view that places it.
    control : str
        The control that it moves.
    along : {'right', 'up', 'down'}
        The direction in which its value grows, by one a unit.
    place : str
        Its attribute ``transform`` within the part.

    Returns
    -------
    str
        SVG. Who uses no pointer has the slider.

    Examples
    --------
    >>> 'data-moves="heads right"' in grip("g", "heads", "right", "")
    True
    """
    handle = (
        f'<g transform="{place}"><circle class="explore-reach" r="120"/>'
        '<circle r="32"/></g>'
    )
    return part(
        "g",
        name,
        handle,
        class_="explore-grip explore-handle",
        data_moves=f"{control} {along}",
    )


def tick(control: str, value: int, content: str) -> str:
    """Write a box to tick, which gives a control a value or takes it back.

    Parameters
    ----------
    control : str
    value : int
        While the control is 0, or has another value, the box is empty.
    content : str
        HTML, which is what the box is called.

    Returns
    -------
    str
        HTML; without a script, and on paper, the content only.

    Examples
    --------
    >>> 'data-ticks="coin 2"' in tick("coin", 2, "heads")
    True
    """
    return (
        '<label class="explore-tick"><input type="checkbox" '
        f'class="explore-live" {_HIDDEN} autocomplete="off" '
        f'data-ticks="{control} {value}">{content}</label>'
    )


def html(shown: Explorable) -> str:
    """Write an explorable as one self-contained piece of HTML.

    Parameters
    ----------
    shown : Explorable

    Returns
    -------
    str
        A ``section`` with its style and its script; as it stands, and as it
        is printed, it shows the state at the start.
    """
    start = shown.start()
    own = shown.id
    controls = "\n".join(
        _folded(group, [_control(each, own, start.written) for each in some])
        for group, some in groupby(shown.controls, key=lambda c: c.group)
    )
    panels = "\n".join(
        f'<div class="explore-panel">{_drawn(picture, name, start)}'
        f"<p>{_said(caption, start.written)}</p></div>"
        for picture, name, caption in shown.panels
    )
    tasks = "".join(
        f'<li data-task="{name}">{inline(text)} '
        f'<span class="explore-solved" {_HIDDEN}>Solved.</span></li>'
        for name, text in shown.tasks.items()
    )
    sources = "\n".join(
        asset(name, __package__)
        for name in (f"{shown.name.replace('-', '_')}.js", "explore.js")
    )
    return f"""\
<section class="bayesbook-explore mathjax_process" id="{own}" \
data-name="{shown.name}" aria-labelledby="{own}_title">
<style>
{asset("explore.css", __package__)}</style>
<p class="explore-title" id="{own}_title">{inline(shown.title)}</p>
<p class="explore-idle">{_IDLE}</p>
<div class="explore-controls explore-live" {_HIDDEN}>
{controls}
</div>
<p class="explore-refused explore-live" {_HIDDEN}></p>
{_placed(_moved(shown.above, start), start.written)}
<p class="explore-words">{_said(shown.words, start.written)}</p>
<div class="explore-panels">
{panels}
</div>
{_placed(_moved(shown.below, start), start.written)}
<div class="explore-live" {_HIDDEN}>
<p>Try it:</p>
<ul class="explore-tasks">{tasks}</ul>
<button type="button" class="explore-reset">Back to the start</button>
</div>
<div class="explore-said" aria-live="polite" aria-atomic="true"></div>
<script>
(() => {{
"use strict";
const ID = "{own}";
{_data(shown.data)}{sources}}})();
</script>
</section>"""


def _data(data: object) -> str:
    if data is None:
        return ""
    # A name with "</script>" in it must not end the script.
    text = json.dumps(data, separators=(",", ":")).replace("<", r"\u003c")
    return f"const DATA = {text};\n"


def _control(control: Control, own: str, written: Mapping[str, str]) -> str:
    name = control.name
    if not control.label:
        return (
            f'<input type="hidden" name="{name}" min="{control.least}" '
            f'max="{control.most}" value="{control.value}">'
        )
    label = f'<label for="{own}_{name}">{inline(control.label)}</label>'
    if control.options:
        chosen = ' selected="selected"'
        options = "".join(
            f'<option value="{value}"{chosen * (value == control.value)}>'
            f"{escape(text)}</option>"
            for value, text in enumerate(control.options)
        )
        return (
            f'<div class="explore-choice">{label}<select id="{own}_{name}" '
            f'name="{name}" autocomplete="off">{options}</select></div>'
        )
    if control.typed:
        return (
            f'<div class="explore-typed">{label}<input type="number" '
            f'id="{own}_{name}" name="{name}" min="{control.least}" '
            f'max="{control.most}" value="{control.value or ""}" '
            f'autocomplete="off"></div>'
        )

    def step(sign: str, by: int, word: str) -> str:
        return (
            f'<button type="button" data-steps="{name} {by}" '
            f'aria-label="{escape(control.label)}: one step {word}">'
            f"{sign}</button>"
        )

    return (
        f'<div class="explore-control">{label}'
        f"{step('−', -1, 'down')}"
        f'<input type="range" id="{own}_{name}" name="{name}" '
        f'min="{control.least}" max="{control.most}" value="{control.value}" '
        f'autocomplete="off" aria-valuetext="{escape(written[name])}">'
        f"{step('+', 1, 'up')}{_place(name, written)}</div>"
    )


def _folded(group: str, controls: Iterable[str]) -> str:
    """Return controls, folded away if their group has a name."""
    lines = "\n".join(controls)
    if not group:
        return lines
    return (
        f'<details class="explore-group"><summary>{inline(group)}</summary>\n'
        f"<div>\n{lines}\n</div></details>"
    )


def _value(control: Control, written: Mapping[str, str]) -> str:
    if control.options:
        return control.options[control.value]
    if control.typed:
        return str(control.value or "none")
    return written[control.name]


def _said(words: str, written: Mapping[str, str]) -> str:
    # Braces of the text are names of places, which its Markdown leaves alone.
    return _placed(inline(words), written)


def _placed(text: str, written: Mapping[str, str]) -> str:
    return text.format_map({name: _place(name, written) for name in written})


def _place(name: str, written: Mapping[str, str]) -> str:
    return f'<span data-written="{name}">{escape(written[name])}</span>'


def _drawn(picture: str, name: str, view: View) -> str:
    return (
        f'<svg viewBox="-120 -120 1240 1240" role="img" '
        f'aria-label="{escape(name)}">{_moved(picture, view)}</svg>'
    )


def _moved(content: str, view: View) -> str:
    """Return HTML or SVG with the attributes of its parts in a view."""
    return re.sub(
        r'data-drawn="(\w+)"',
        lambda found: f"{found[0]} {_attributes(view.drawn[found[1]])}",
        content,
    )


def _attributes(values: Mapping[str, float | str]) -> str:
    return " ".join(
        f'{name.removesuffix("_").replace("_", "-")}="{value:.10g}"'
        if isinstance(value, int | float)
        else f'{name.removesuffix("_").replace("_", "-")}="{escape(value)}"'
        for name, value in values.items()
    )
