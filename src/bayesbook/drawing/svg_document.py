"""The parts of a drawing, put in panels and written as SVG.

Marks come as an artist drew them, in layers. Here they find their panel, and
those of one look stand together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayesbook.drawing.completion import (
    Name,
    lacks_numbers,
    stands_in_a_row,
)

_FONTS = "DejaVu Sans, Verdana, sans-serif"
_MARGIN = 4.0  # above and below the drawing
_BACK = 50  # marks that are looked back to, for one of the same look

Box = np.ndarray  # two rows: the upper left corner, the lower right one


class Mark(NamedTuple):
    """An element without its look, the look, and the box that it fills.

    Some are seen only while their axes stand "together" with others, or
    "alone".
    """

    element: ET.Element
    look: dict[str, str]
    box: Box
    when: str = ""


class Layer(NamedTuple):
    """The marks of one artist of the figure, such as axes or a legend."""

    kind: str
    marks: list[Mark]


def number(value: float) -> str:
    """Write a number with at most two decimals.

    Examples
    --------
    >>> number(2 / 3), number(-0.001), number(12.0)
    ('0.67', '0', '12')
    """
    # Twice: noise of the last digits must not decide a tie.
    text = f"{round(float(value), 6):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element_of(tag: str, **numbers: float) -> ET.Element:
    """Make an element whose attributes are numbers."""
    values = {name: number(value) for name, value in numbers.items()}
    return ET.Element(tag, values)


class _Cell(NamedTuple):
    """Layers that a page must not cut apart, and their part of the drawing."""

    row: int
    box: Box
    layers: list[Layer]


def document(
    fig: Figure,
    size: tuple[float, float],
    layers: list[Layer],
    definitions: list[ET.Element],
) -> str:
    """Write the SVG of a figure.

    Parameters
    ----------
    fig : matplotlib.figure.Figure
    size : tuple of float
        Width and height in points.
    layers : list of Layer
        What its artists drew, in their order.
    definitions : list of xml.etree.ElementTree.Element
        What the marks refer to.
    """
    # The first is the figure's background.
    layers = layers[fig.patch.get_visible() :]
    width, height = size
    boxes = [_box_of(layer) for layer in layers if layer.marks]
    low = min((box[0, 1] for box in boxes), default=_MARGIN) - _MARGIN
    high = max((box[1, 1] for box in boxes), default=height) + _MARGIN
    top, bottom = np.round([max(low, 0), min(high, height)], 1)
    canvas = np.array([[0, top], [width, bottom]])
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "bayesbook-figure",
            "viewBox": _words(canvas),
            "width": f"{number(width)}pt",
            "height": f"{number(bottom - top)}pt",
            "font-family": _FONTS,
            "fill": "none",
            "stroke-linejoin": "round",
        },
    )
    paper = element_of("rect", x=0, y=top, width=width, height=bottom - top)
    paper.attrib.update({"class": "paper", "fill": "#ffffff"})
    root.append(paper)
    if definitions:
        ET.SubElement(root, "defs").extend(definitions)
    for cell in _cells(_items(fig, layers), canvas):
        axes = any(layer.kind == "axes" for layer in cell.layers)
        group = ET.SubElement(
            root,
            "g",
            {
                "class": "panel" if axes else "whole",
                "data-box": _words(cell.box),
                "data-row": str(cell.row),
            },
        )
        marks = [mark for layer in cell.layers for mark in layer.marks]
        group.extend(_elements(marks, ""))
        if together := _elements(marks, "together"):
            ET.SubElement(group, "g", {"class": "together"}).extend(together)
        if alone := _elements(marks, "alone"):
            hidden = {"class": "alone", "display": "none"}
            ET.SubElement(group, "g", hidden).extend(alone)
            boxes = [mark.box for mark in marks if mark.when == "alone"]
            group.set("data-alone", _words(_around([cell.box, *boxes])))
    return _written(root)


def _elements(marks: list[Mark], when: str) -> list[ET.Element]:
    same = [mark for mark in marks if mark.when == when]
    return list(_grouped(_merged(_gathered(same))))


def told_apart(layers: list[Layer], alone: list[Layer]) -> list[Layer]:
    """Join layers of a drawing whose axes stand together and alone."""

    def key(mark: Mark) -> tuple[bytes, tuple[tuple[str, str], ...]]:
        return ET.tostring(mark.element), tuple(sorted(mark.look.items()))

    joined = []
    for (kind, marks), (_, others) in zip(layers, alone, strict=True):
        before, after = (set(map(key, each)) for each in (marks, others))
        all_marks = [
            mark if key(mark) in after else mark._replace(when="together")
            for mark in marks
        ]
        all_marks += [
            mark._replace(when="alone")
            for mark in others
            if key(mark) not in before
        ]
        joined.append(Layer(kind, all_marks))
    return joined


def _words(box: Box) -> str:
    return " ".join(map(number, (*box[0], *(box[1] - box[0]))))


def _box_of(*layers: Layer) -> Box:
    """Return the box of what is seen while axes stand together."""
    return _around(
        mark.box
        for layer in layers
        for mark in layer.marks
        if mark.when != "alone"
    )


def _around(given: Iterable[Box]) -> Box:
    boxes = np.array(list(given))
    return np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])


def _items(fig: Figure, layers: list[Layer]) -> list[list[Layer]]:
    """Return the layers, in lists of those that belong together."""
    drawn = sorted(
        (ax for ax in fig.axes if ax.get_visible()), key=Axes.get_zorder
    )
    own = [layer for layer in layers if layer.kind == "axes"]
    layer_of = dict(zip(drawn, own, strict=True))
    lists = {id(layer): [layer] for layer in layers if layer.marks}
    for pair in _pairs(drawn):
        one, other = (lists.get(id(layer_of[ax])) for ax in pair)
        if one and other and one is not other:
            one += other
            for layer in other:
                lists[id(layer)] = one
    items = {id(item): item for item in lists.values()}.values()
    return [
        part
        for item in items
        for part in (_entries(*item) if item[0].kind == "legend" else [item])
    ]


def _entries(legend: Layer) -> Iterator[list[Layer]]:
    """Yield the entries of a legend, which a page may put below each other."""
    marks = []
    for mark in legend.marks:
        marks.append(mark)
        if mark.element.tag == "text":  # after the sign that it explains
            yield [Layer(legend.kind, marks)]
            marks = []
    if marks:  # a formula that is drawn as a path
        yield [Layer(legend.kind, marks)]


def _pairs(drawn: Iterable[Axes]) -> Iterator[tuple[Axes, Axes]]:
    """Yield axes that need each other: for a scale of colours, for labels."""
    for ax in drawn:
        for artist in ax.get_children():
            if bar := getattr(artist, "colorbar", None):
                yield ax, bar.ax
        x0, y0, *_ = ax.get_position().bounds
        # An axis without numbers is read by those below or beside it. Where
        # a page has to cut, each has numbers of its own.
        if not ax.axison or stands_in_a_row(ax):
            continue
        axes: tuple[tuple[Name, Any, float], ...] = (
            ("x", ax.get_shared_x_axes(), x0),
            ("y", ax.get_shared_y_axes(), y0),
        )
        for name, shared, place in axes:
            if lacks_numbers(ax, name):
                for other in shared.get_siblings(ax):
                    there = other.get_position().bounds[name == "y"]
                    if abs(there - place) < 0.01:
                        yield ax, other


def _cells(items: list[list[Layer]], canvas: Box) -> Iterator[_Cell]:
    """Cut the drawing into rows, and each row into cells.

    A label beside all rows does not hold them together, if it is not seen
    where they are cut. It stands in the first, and reaches beyond it.
    """
    labels = [item for item in items if _is_beside(item)]
    rows = [item for item in items if not _is_beside(item)]
    for row, (in_row, top, bottom) in enumerate(
        _bands(rows, 1, *canvas[:, 1])
    ):
        if any(layer.kind == "axes" for item in in_row for layer in item):
            in_row, labels = labels + in_row, []
        for in_cell, left, right in _bands(in_row, 0, *canvas[:, 0]):
            layers = [layer for item in in_cell for layer in item]
            if all(layer.kind != "axes" for layer in layers):
                left, right = _box_of(*layers)[:, 0]
            box = np.array([[left, top], [right, bottom]])
            yield _Cell(row, box, layers)


def _is_beside(item: list[Layer]) -> bool:
    marks = [mark for layer in item for mark in layer.marks]
    width, height = np.ptp(_around(mark.box for mark in marks), axis=0)
    return height > width and all(mark.when == "together" for mark in marks)


def _bands(items, axis: int, low: float, high: float):
    """Cut between items where nothing lies, in the middle of what is free."""
    if not items:
        return
    boxes = [_box_of(*item)[:, axis] for item in items]
    order = sorted(range(len(items)), key=lambda i: boxes[i][0])
    bands: list[list[int]] = []
    cuts, reach = [low], -np.inf
    for i in order:
        if boxes[i][0] >= reach:
            if bands:
                cuts.append(float(np.round((reach + boxes[i][0]) / 2, 1)))
            bands.append([])
        bands[-1].append(i)
        reach = max(reach, boxes[i][1])
    for band, (start, end) in zip(bands, pairwise([*cuts, high]), strict=True):
        yield [items[i] for i in sorted(band)], start, end


def _gathered(marks: Iterable[Mark]) -> list[Mark]:
    """Order marks by their look, as far as nothing between is touched.

    The ticks of an axis come by turns with their labels, which they do not
    touch: first all the ticks and then all the labels is the same drawing.
    """
    gathered: list[tuple[Mark, list[float]]] = []
    for mark in marks:
        left, top, right, bottom = edges = mark.box.ravel().tolist()
        place = len(gathered)
        for i in range(len(gathered) - 1, max(place - _BACK, 0) - 1, -1):
            other, (x0, y0, x1, y1) = gathered[i]
            if other.look == mark.look:
                place = i + 1
                break
            if left < x1 and x0 < right and top < y1 and y0 < bottom:
                break
        if place and _repeats(gathered[place - 1][0], mark):
            continue
        gathered.insert(place, (mark, edges))
    return [mark for mark, _ in gathered]


def _repeats(before: Mark, mark: Mark) -> bool:
    """Return whether a mark hides another that is the same."""
    return (
        before.look == mark.look
        and before.element.attrib == mark.element.attrib
        and not any("opacity" in name for name in mark.look)
        and mark.element.tag != "text"
    )


def _merged(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Join opaque lines of one look, such as the ticks of an axis."""
    for look, run in groupby(marks, key=lambda mark: mark.look):
        same = list(run)
        if (
            "fill" in look
            or "stroke-opacity" in look
            or any(mark.element.tag != "path" for mark in same)
        ):
            yield from same
            continue
        data = "".join(mark.element.get("d", "") for mark in same)
        yield Mark(ET.Element("path", d=data), look, same[0].box)


def _grouped(marks: Iterable[Mark]) -> Iterator[ET.Element]:
    """Group neighbours of one look, and let the group have it."""
    for look, same in groupby(marks, key=lambda mark: mark.look):
        elements = [mark.element for mark in same]
        if len(elements) == 1 or not look:
            for element in elements:
                element.attrib.update(look)
            yield from elements
        else:
            group = ET.Element("g", look)
            group.extend(elements)
            yield group


def _written(root: ET.Element) -> str:
    """Write an element a line, so that a difference shows the element."""
    for element in root.iter():
        if element.tag in ("svg", "defs", "g", "pattern", "clipPath"):
            element.text = "\n"
            for child in element:
                child.tail = "\n"
    text = ET.tostring(root, encoding="unicode")
    return text.replace(" />", "/>") + "\n"
