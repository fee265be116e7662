"""One state of a step-through: its title, its curves, and a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bayesbook.base.arrays import floats

# A curve of this many points has them four pixels apart on a page.
MOST_POINTS = 101

Points = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, repr=False)
class Frame:
    """One state of a step-through.

    Parameters
    ----------
    title : str
        What the frame shows, such as ``"Toss 3 of 20: heads"``. In Markdown;
        different in every frame of a step-through.
    curves : mapping of str to (x, y)
        Label and points of each curve, which are joined by straight lines: 2
        to 101 points, in any order of x, so that a curve can be a vertical
        line or a path. In all frames of a step-through the same label has
        the same colour and dashes.
    text : str
        What the reader should see in it, in Markdown.

    Raises
    ------
    TypeError
        If the title, the text or a label is not a str, or the curves are not
        a mapping.
    ValueError
        If the title or a label is empty, if there is no curve, or if the
        points of a curve are too few, too many, not finite numbers, or not a
        pair (x, y) of equally many values.

    Examples
    --------
    >>> frame = Frame("Start", {"prior": ([0, 0.5, 1], [2, 1, 0])})
    >>> frame
    Frame('Start', curves: 'prior')
    >>> frame.curves["prior"]
    ((0.0, 0.5, 1.0), (2.0, 1.0, 0.0))
    """

    title: str
    curves: Mapping[str, Points]
    text: str = ""

    def __post_init__(self) -> None:
        require_text(self.title, "The title of a frame")
        if not isinstance(self.text, str):
            raise TypeError(
                f"The text of frame {self.title!r} is {self.text!r}: give "
                "Markdown, as a str."
            )
        if not isinstance(self.curves, Mapping) or not self.curves:
            empty = isinstance(self.curves, Mapping)
            error = ValueError if empty else TypeError
            raise error(
                f"The curves of frame {self.title!r} are {self.curves!r}: "
                "give a mapping with at least one, {label: (x, y)}."
            )
        curves = {
            require_text(label, f"A label in frame {self.title!r}"): _curve(
                points, f"curve {label!r} in frame {self.title!r}"
            )
            for label, points in self.curves.items()
        }
        object.__setattr__(self, "curves", MappingProxyType(curves))

    def __repr__(self) -> str:
        labels = ", ".join(map(repr, self.curves))
        return f"Frame({self.title!r}, curves: {labels})"


def require_text(text: str, what: str) -> str:
    """Return a text, which must not be empty."""
    if not isinstance(text, str) or not text.strip():
        error = ValueError if isinstance(text, str) else TypeError
        raise error(f"{what} is {text!r}: give a text that is not empty.")
    return text


def _curve(points, whose: str) -> Points:
    if isinstance(points, Iterator):
        points = tuple(points)
    try:
        x, y = points
    except (TypeError, ValueError):
        raise ValueError(
            f"The {whose} is not a pair (x, y) of sequences."
        ) from None
    x = floats(x, f"The x values of {whose}")
    y = floats(y, f"The y values of {whose}")
    if len(x) != len(y):
        raise ValueError(
            f"The {whose} has {len(x)} values of x and {len(y)} of y: give "
            "as many of both."
        )
    if not 2 <= len(x) <= MOST_POINTS:
        raise ValueError(
            f"The {whose} has {len(x)} point{'s' * (len(x) > 1)}: give 2 to "
            f"{MOST_POINTS}."
        )
    return tuple(x.tolist()), tuple(y.tolist())
