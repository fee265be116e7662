"""Hatchings drawn as lines and dots.

Chromium prints the pattern of an SVG as a coarse picture of pixels.
"""

import re
from copy import copy

from bs4 import BeautifulSoup
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.svgLib.path import parse_path

# A part of a pattern's path: where it begins, and how it goes on.
PART = re.compile(r"M\s*(-?[\d.]+)[\s,]*(-?[\d.]+)([^M]*)")
DIAGONAL = re.compile(r"l\s*72[\s,]*(-?)72\s*$")


def read(data):
    """Read the path of a pattern: its parts, and how large its dots are.

    A part is a diagonal that begins in a point, and whether it then goes up,
    or a dot around a point. Diagonals have no radius.
    """
    parts, radius = [], 0
    for whole in PART.finditer(data):
        x, y, rest = float(whole[1]), float(whole[2]), whole[3]
        diagonal = DIAGONAL.match(rest)
        if diagonal:
            parts.append((x, y, bool(diagonal[1])))
            continue
        pen = ControlBoundsPen(None)
        parse_path(whole[0], pen)
        left, top, right, bottom = pen.bounds
        radius = (right - left) / 2
        parts.append(((left + right) / 2, (top + bottom) / 2, False))
    return parts, radius


def bounds(shapes):
    """Return the smallest box around some paths."""
    pen = ControlBoundsPen(None)
    for shape in shapes:
        parse_path(shape["d"], pen)
    return pen.bounds


def steps(low, high, side):
    """List multiples of the side of a tile, to both sides of an interval."""
    return range(int(low // side) - 1, int(high // side) + 2)


def lines(parts, side, box):
    """Return the path of diagonals all over a box.

    Patterns are upside down, and tiles begin at the origin. Of a diagonal
    through several tiles one long line is drawn.
    """
    left, top, right, bottom = box
    drawn = set()
    for x, y, upwards in parts:
        slope = 1 if upwards else -1
        start = (-y - slope * x) % side
        ends = [y - slope * x for x in (left, right) for y in (top, bottom)]
        for step in steps(min(ends), max(ends), side):
            at = round(start + step * side, 2)
            drawn.add(
                f"M{left:g} {slope * left + at:g}"
                f"L{right:g} {slope * right + at:g}"
            )
    return "".join(sorted(drawn))


def dots(parts, side, box):
    """Return the path of dots all over a box, each a line without length."""
    left, top, right, bottom = box
    drawn = {
        f"M{x % side + i * side:g} {-y % side + j * side:g}h0"
        for x, y, _ in parts
        for i in steps(left, right, side)
        for j in steps(top, bottom, side)
    }
    return "".join(sorted(drawn))


def element(markup):
    """Make an element of SVG."""
    return BeautifulSoup(markup, "html.parser").contents[0]


def hatch(area, pattern, name):
    """Draw the hatching of an area: a path, or a group of paths."""
    shapes = [area] if area.name == "path" else area.find_all("path")
    box = bounds(shapes)
    area["fill"] = "none"
    if box is None:
        return
    side = float(pattern["width"])
    clip = element(f'<clipPath id="{name}"></clipPath>')
    for shape in shapes:
        clip.append(element(f'<path d="{shape["d"]}"/>'))
    drawn = copy(pattern.path)
    parts, radius = read(pattern.path["d"])
    drawn["d"] = (dots if radius else lines)(parts, side, box)
    if radius:
        width = float(drawn["stroke-width"]) + 2 * radius
        drawn["stroke-width"] = f"{width:g}"
        drawn["stroke-linecap"] = "round"
    group = element(f'<g clip-path="url(#{name})"></g>')
    group.append(drawn)
    outer = area.get("clip-path")
    if outer:
        whole = element(f'<g clip-path="{outer}"></g>')
        whole.append(group)
        group = whole
    area.insert_after(clip, group)


def draw_hatchings(soup):
    """Draw the hatchings of all figures."""
    for pattern in soup.select("pattern[id]"):
        flipped = pattern.get("patterntransform") == "scale(1 -1)"
        areas = soup.select(f'[fill="url(#{pattern["id"]})"]')
        for number, area in enumerate(areas):
            if flipped and area.name in ("path", "g"):
                hatch(area, pattern, f"{pattern['id']}-{number}")
