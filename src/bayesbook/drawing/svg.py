"""Figures as SVG: plain, complete by themselves, the same on every machine.

matplotlib's own SVG is one flat drawing, in styles, with an id on everything.
A page needs less and more: colours that a style sheet can change, letters in
its own font, and panels that it can put one below the other. What is written
here is

* one ``<svg>`` in points, on a white ``<rect class="paper">``;
* in it ``<g class="panel">`` for axes with all that belongs to them, and
  ``<g class="whole">`` for what belongs to several: a title, each entry of a
  legend. Their boxes, ``data-box="x y width height"``, fill rows from the top,
  ``data-row``, those of panels in their whole width. Nothing lies in two
  boxes, so a page can cut the drawing along them;
* in a panel of a grid ``<g class="alone">``, which is not shown: titles,
  labels and numbers that others say for it, for when it stands alone. With
  them it needs the box ``data-alone``. What it does not need then, because of
  them, is in ``<g class="together">``;
* colours and lines as attributes, text as ``<text>``, aligned so that it
  stays in its place in another font;
* numbers with two decimals, which is finer than any screen, and coarse
  enough to hide in which order a processor adds;
* ids only for what is clipped or hatched, made from what the figure shows.

Above and below the drawing nothing is left empty.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from math import gcd
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase, RendererBase
from matplotlib.colors import to_hex, to_rgba
from matplotlib.font_manager import weight_dict
from matplotlib.mathtext import MathTextParser
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D
from PIL import Image

from bayesbook.drawing.completion import completed
from bayesbook.drawing.descriptions import describe
from bayesbook.drawing.svg_document import (
    Box,
    Layer,
    Mark,
    document,
    element_of,
    number,
    told_apart,
)

__all__ = ["FigureCanvas"]

# What sticks out of its axes by no more is not clipped: half a thick line.
_OUT = 0.5
_IMAGE_SCALE = 4  # pixels of an image to a point
_LETTERS = {1: "M", 2: "l", 3: "q", 4: "c", 79: "Z"}
_CURVES = {Path.CURVE3, Path.CURVE4}
_CLOSE = Path.CLOSEPOLY
# How far from a line the points may be that are left out of it.
_UNSEEN = 0.05
_CAPS = {"projecting": "square"}
# Spaces that XML would drop, and a label may keep its distance by.
_SPACES = re.compile("^ +| +$|  +")
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_ANCHOR_OF = {
    "left": "start",
    "center": "middle",
    "right": "end",
    "bottom": "start",
    "baseline": "start",
    "center_baseline": "middle",
    "top": "end",
}


class FigureCanvas(FigureCanvasBase):
    """Where a figure is drawn: what a backend of matplotlib has to have.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> text = io.StringIO()
    >>> fig.savefig(text, format="svg", backend=f"module://{__name__}")
    >>> text.getvalue()[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """

    fixed_dpi = 72

    def print_svg(self, file: io.TextIOBase, **_: Any) -> None:
        """Write the figure into a file."""
        fig = self.figure
        fig.dpi = self.fixed_dpi
        digest = hashlib.sha256(describe(fig).encode()).hexdigest()
        renderer = Renderer(*fig.bbox.size, f"fig-{digest[:8]}")
        fig.draw(renderer)
        layers, renderer.layers = renderer.layers, []
        with completed(fig) as lacking:
            if lacking:
                fig.draw(renderer)
                layers = told_apart(layers, renderer.layers)
        definitions = list(renderer.definitions.values())
        file.write(document(fig, renderer.size, layers, definitions))


# --- Drawing --------------------------------------------------------------


class Renderer(RendererBase):
    """Collects what a figure draws, as marks in layers."""

    def __init__(self, width: float, height: float, name: str):
        super().__init__()
        self.size = width, height
        self.layers: list[Layer] = []
        self.definitions: dict[Any, ET.Element] = {}
        self._name = name
        self._flip = Affine2D().scale(1, -1).translate(0, height)
        self._depth = 0
        self._lines: list[tuple[Mark, np.ndarray, float, np.ndarray]] = []

    def get_canvas_width_height(self):
        return self.size

    def get_image_magnification(self):
        return _IMAGE_SCALE

    def get_text_width_height_descent(self, s, prop, ismath):
        return text_to_path.get_text_width_height_descent(s, prop, ismath)

    def open_group(self, s, gid=None):
        # The figure is the outermost group; those within it are the layers.
        if self._depth == 1:
            self.layers.append(Layer(s, []))
        self._depth += 1
        self._lines = []

    def close_group(self, s):
        self._depth -= 1
        if s == "text":
            _align(self._lines)

    def draw_path(self, gc, path, transform, rgbFace=None):
        hatch = gc.get_hatch()
        look = _look(gc, rgbFace)
        if not look and not hatch:
            return
        path = _rounded(path, transform + self._flip)
        if len(path) < 3:
            look = {k: v for k, v in look.items() if not k.startswith("fill")}
        circle = _as_circle(path)
        if circle is not None:
            (x, y), radius = circle
            element = element_of("circle", cx=x, cy=y, r=radius)
        else:
            element = ET.Element("path")
        half = gc.get_linewidth() / 2 if "stroke" in look else 0
        low, high = _extent(path)
        box = np.array([low - half, high + half])
        inside, clip = self._clip(gc, box, half)
        if clip is not None and (inside[0] >= inside[1]).any():
            return
        line = "fill" not in look and not hatch and path.codes is None
        edges = None
        if isinstance(clip, np.ndarray) and line:
            # Not at the edge itself, where many lines lie: matplotlib leaves
            # one point more than it is told.
            edges = *(clip[0] + 1 - _OUT), *(clip[1] - 1 + _OUT)
        elif clip is not None:
            look["clip-path"] = self._reference("clipPath", clip)
        if element.tag == "path":
            data = _path_data(path, edges)
            if not data:
                return
            element.set("d", data)
        if look:
            self._add(element, look, inside)
        if hatch:
            pattern = self._reference("pattern", gc)
            again = ET.Element(element.tag, element.attrib)
            kept = {k: v for k, v in look.items() if k == "clip-path"}
            self._add(again, {"fill": pattern} | kept, inside)

    def draw_image(self, gc, x, y, im, transform=None):
        height, width = np.array(im.shape[:2]) / _IMAGE_SCALE
        if not width or not height:
            return
        file = io.BytesIO()
        Image.fromarray(im[::-1]).save(file, format="PNG")
        data = base64.b64encode(file.getvalue()).decode("ascii")
        top = self.size[1] - y - height
        element = element_of("image", x=x, y=top, width=width, height=height)
        element.set("href", f"data:image/png;base64,{data}")
        box = np.array([[x, top], [x + width, top + height]])
        inside, clip = self._clip(gc, box, 0)
        look = {}
        if clip is not None:
            look["clip-path"] = self._reference("clipPath", clip)
        self._add(element, look, inside)

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        if not s.strip():
            return
        width, height, descent = self.get_text_width_height_descent(
            s, prop, ismath
        )
        along = np.array(
            [np.cos(np.radians(angle)), -np.sin(np.radians(angle))]
        )
        up = np.array([along[1], -along[0]])
        start = np.array([x, y])
        corners = [
            start + i * width * along + j * up
            for i in (0, 1)
            for j in (-descent, height - descent)
        ]
        box = np.array([np.min(corners, axis=0), np.max(corners, axis=0)])
        look = _paint("fill", gc, gc.get_rgb())
        element = ET.Element("text")
        if ismath and not _typeset(element, s, prop):
            verts, codes = text_to_path.get_text_path(prop, s, ismath=True)
            scale = prop.get_size_in_points() / text_to_path.FONT_SCALE
            place = Affine2D().scale(scale, -scale).rotate_deg(-angle)
            path = _rounded(Path(verts, codes), place.translate(x, y))
            element = ET.Element("path", d=_path_data(path))
            self._add(element, look, box)
            return
        if not ismath:
            element.text = _SPACES.sub(lambda m: "\u00a0" * len(m[0]), s)
        look["font-size"] = number(prop.get_size_in_points())
        weight = weight_dict.get(prop.get_weight(), prop.get_weight())
        if weight != 400:
            look["font-weight"] = "bold" if weight == 700 else str(weight)
        if prop.get_style() != "normal":
            look["font-style"] = prop.get_style()
        if prop.get_family() != ["DejaVu Sans"]:
            look["font-family"] = ", ".join(prop.get_family())
        mark = Mark(element, look, box)
        anchor = "start"
        if mtext is not None:
            upright = angle % 180 and not (angle - 90) % 180
            by_box = mtext.get_rotation_mode() != "anchor"
            side = mtext.get_va() if upright and by_box else mtext.get_ha()
            anchor = _ANCHOR_OF[side]
        _place(mark, anchor, start, width, along)
        self._lines.append((mark, start, width, along))
        self.layers[-1].marks.append(mark)

    def _add(self, element: ET.Element, look: dict[str, str], box: Box):
        self.layers[-1].marks.append(Mark(element, look, box))

    def _clip(self, gc, box: Box, half: float):
        """Return what is left of a box, and what clips it, if any."""
        path, transform = gc.get_clip_path()
        if path is not None:
            path = _rounded(path, transform + self._flip)
            return _common(box, _extent(path)), path
        if gc.get_clip_rectangle() is None:
            return box, None
        corners = self._flip.transform(gc.get_clip_rectangle().get_points())
        edges = np.array([corners.min(axis=0), corners.max(axis=0)])
        spare = _OUT + half
        if (box[0] >= edges[0] - spare).all() and (
            box[1] <= edges[1] + spare
        ).all():
            return box, None
        return _common(box, edges), edges

    def _reference(self, kind: str, given: Any) -> str:
        """Return a reference to a definition, made when it is needed first."""
        if kind == "pattern":
            content = _pattern(given)
            key = ET.tostring(content)
        elif isinstance(given, Path):
            content = ET.Element(kind)
            ET.SubElement(content, "path", d=_path_data(given))
            key = ET.tostring(content)
        else:
            low, size = given[0], given[1] - given[0]
            content = ET.Element(kind)
            content.append(
                element_of(
                    "rect", x=low[0], y=low[1], width=size[0], height=size[1]
                )
            )
            key = ET.tostring(content)
        content = self.definitions.setdefault(key, content)
        if "id" not in content.attrib:
            content.set("id", f"{self._name}-{len(self.definitions)}")
        return f"url(#{content.get('id')})"


# --- Paths ----------------------------------------------------------------


def _rounded(path: Any, transform: Any) -> Any:
    # What is left out of a path must not depend on the last digits.
    path = transform.transform_path(path)
    return Path(np.round(path.vertices, 6), path.codes)


def _extent(path: Any) -> Box:
    vertices = path.vertices
    if path.codes is not None:
        vertices = vertices[path.codes != Path.CLOSEPOLY]
    vertices = vertices[np.isfinite(vertices).all(axis=1)]
    if not len(vertices):
        return np.zeros((2, 2))
    return np.array([vertices.min(axis=0), vertices.max(axis=0)])


def _common(one: Box, other: Box) -> Box:
    return np.array(
        [np.maximum(one[0], other[0]), np.minimum(one[1], other[1])]
    )


def _as_circle(path: Any) -> tuple[np.ndarray, float] | None:
    """Return centre and radius, if a path is matplotlib's circle."""
    unit: Any = Path.unit_circle()
    if path.codes is None or not np.array_equal(path.codes, unit.codes):
        return None
    low, high = _extent(path)
    radius = (high - low) / 2
    if radius[0] <= 0 or abs(radius[0] - radius[1]) > 1e-3:
        return None
    centre = (low + high) / 2
    flipped = unit.vertices * [1, -1] * radius + centre
    if np.abs(flipped - path.vertices)[:-1].max() > 1e-3:
        return None
    return centre, float(radius[0])


def _path_data(path: Any, clip=None) -> str:
    """Write a path: where it begins, and from there step by step.

    Of a line of many points those are left out that nobody would miss.
    """
    codes = [] if path.codes is None else path.codes.tolist()
    polygon = codes[-1:] == [_CLOSE] and codes.count(_CLOSE) == 1
    if polygon and not _CURVES & set(codes):
        # matplotlib would leave it open.
        return _path_data(Path(path.vertices[:-1]), clip) + "Z"
    path.simplify_threshold = _UNSEEN
    path = path.cleaned(
        remove_nans=True,
        clip=clip,
        simplify=not {_CLOSE, *_CURVES} & set(codes),
        curves=True,
    )
    # In hundredths, so that steps add up to where they lead.
    points = np.round(100 * np.round(path.vertices, 6)).astype(int).tolist()
    codes = path.codes.tolist()
    parts: list[str] = []
    (x, y), letter, i = (0, 0), "", 0
    while codes[i] != Path.STOP:
        before, letter = letter, _LETTERS[codes[i]]
        count = Path.NUM_VERTICES_FOR_CODE[codes[i]]
        places, i = points[i : i + count], i + count
        if letter == "Z":
            parts.append("Z")
            continue
        numbers = [c for u, v in places for c in (u - x, v - y)]
        if letter == "M":
            numbers = places[0]
        x, y = places[-1]
        if letter == "l":
            if numbers == [0, 0]:
                letter = before
                continue
            if 0 in numbers:
                letter = "hv"[numbers.index(0) == 0]
                numbers.remove(0)
        for value in numbers:
            text = number(value / 100).replace("0.", ".", abs(value) < 100)
            if letter != before:
                text, before = letter + text, letter
            elif value >= 0:
                text = " " + text
            parts.append(text)
    return "".join(parts)


def _pattern(gc: Any) -> ET.Element:
    """Return a tile of a hatching: what repeats of matplotlib's pattern."""
    hatch, colour = gc.get_hatch(), gc.get_hatch_color()
    # That has, in an inch, six rows of shapes for each sign; after two rows
    # all repeat.
    side = 24 / gcd(*Counter(hatch).values())
    whole: Any = Path.hatch(hatch, 6.0)
    starts = np.flatnonzero(whole.codes == Path.MOVETO)[1:]
    paths = [
        Path(72 * vertices, codes)
        for vertices, codes in zip(
            np.split(whole.vertices, starts),
            np.split(whole.codes, starts),
            strict=True,
        )
    ]
    paths = [
        path
        for path in paths
        if (_extent(path)[0] <= side + 1).all()
        and (_extent(path)[1] >= -1).all()
    ]
    content = element_of("pattern", width=side, height=side)
    content.set("patternUnits", "userSpaceOnUse")
    # Upside down, as everything is.
    content.set("patternTransform", "scale(1 -1)")
    data = "".join(map(_path_data, paths))
    look = _paint("fill", gc, colour) | _paint("stroke", gc, colour)
    look["stroke-width"] = number(gc.get_hatch_linewidth())
    ET.SubElement(content, "path", {"d": data} | look)
    return content


def _paint(what: str, gc: Any, colour: Any) -> dict[str, str]:
    """Return the attributes of a colour; none if nobody would see it."""
    forced = gc.get_forced_alpha()
    opacity = gc.get_alpha() if forced else to_rgba(colour)[3]
    if opacity == 0:
        return {}
    paint = {what: to_hex(colour[:3])}
    if opacity < 1:
        paint[f"{what}-opacity"] = number(opacity)
    return paint


def _look(gc: Any, face: Any) -> dict[str, str]:
    """Return how a path is filled and drawn, without what is usual."""
    look = {} if face is None else _paint("fill", gc, face)
    edge = _paint("stroke", gc, gc.get_rgb()) if gc.get_linewidth() else {}
    if edge:
        look |= edge
        look["stroke-width"] = number(gc.get_linewidth())
        offset, dashes = gc.get_dashes()
        if dashes is not None:
            look["stroke-dasharray"] = " ".join(map(number, dashes))
            if offset:
                look["stroke-dashoffset"] = number(offset)
        cap = _CAPS.get(gc.get_capstyle(), gc.get_capstyle())
        if cap != "butt":
            look["stroke-linecap"] = cap
        if gc.get_joinstyle() != "round":
            look["stroke-linejoin"] = gc.get_joinstyle()
    return look


# --- Texts ----------------------------------------------------------------


def _place(mark: Mark, anchor: str, start, width: float, along) -> None:
    """Set the place of a text: of its start, its middle or its end."""
    x, y = map(number, start + _ANCHORS[anchor] * width * along)
    mark.element.attrib.update(x=x, y=y)
    mark.look.pop("text-anchor", None)
    if anchor != "start":
        mark.look["text-anchor"] = anchor
    angle = number(np.degrees(np.arctan2(along[1], along[0])))
    if angle != "0":
        mark.element.set("transform", f"rotate({angle} {x} {y})")


def _align(lines: Sequence[tuple]) -> None:
    """Set the places of lines of one text where they are above each other.

    matplotlib does not say how lines are aligned, only where they begin.
    """
    if len(lines) < 2:
        return
    for anchor in ("middle", "end", "start"):
        part = _ANCHORS[anchor]
        fixed = [
            float((start + part * width * along) @ along)
            for _, start, width, along in lines
        ]
        if max(fixed) - min(fixed) < 0.1:
            for mark, start, width, along in lines:
                _place(mark, anchor, start, width, along)
            return


def _typeset(element: ET.Element, text: str, prop: Any) -> bool:
    """Write a formula as text, if it runs in one line, and say whether.

    Letters follow each other, so that it looks well in every font. Subscripts
    and superscripts are small and lowered or raised; a fraction, a root or an
    accent cannot be written so.
    """
    parsed = MathTextParser("path").parse(text, 72, prop)
    runs: list[tuple[tuple, str]] = []
    end = None
    size = prop.get_size_in_points()
    for font, own, code, *_, x, y in sorted(
        parsed.glyphs, key=lambda g: g[-2]
    ):
        if not font.family_name.startswith("DejaVu Sans"):
            return False
        gap = 0.0 if end is None else (x - end) / size
        if gap < -0.12 or unicodedata.combining(chr(code)):
            return False
        space = "\u00a0" if gap > 0.22 else "\u2009" if gap > 0.08 else ""
        font.set_size(own, 72)
        end = x + font.load_char(code).linearHoriAdvance / 65536
        look = (number(own), "Oblique" in font.style_name, number(-y))
        if runs and runs[-1][0] == look:
            runs[-1] = look, runs[-1][1] + space + chr(code)
        else:
            runs.append((look, space + chr(code)))
    if parsed.rects or not runs:
        return False
    heights = [float(y) for (own, _, y), _ in runs if own == number(size)]
    base = heights[0] if heights else 0.0
    for (own, slanted, y), letters in runs:
        span = ET.SubElement(element, "tspan")
        span.text = letters
        if own != number(size):
            span.set("font-size", own)
        if slanted:
            span.set("font-style", "italic")
        if number(float(y) - base) != "0":
            span.set("dy", number(float(y) - base))
        base = float(y)
    return True
