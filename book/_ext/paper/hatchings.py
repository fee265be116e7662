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


def bounds(shapes):
    """Return the smallest box around some paths."""
    pen = ControlBoundsPen(None)
    for shape in shapes:
        parse_path(shape["d"], pen)
    return pen.bounds


def steps(low, high, side):
    """List multiples of the side of a tile, to both sides of an interval."""
    return range(int(low // side) - 1, int(high // side) + 2)


def lines(data, side, box):
    """Return the path of a pattern that is repeated all over a box.

    Patterns are upside down, which makes no difference to their dots, and
    tiles begin at the origin. Of a diagonal through several tiles one long
    line is drawn.
    """
    left, top, right, bottom = box
    drawn = set()
    for x, y, rest in PART.findall(data):
        x, y = float(x), float(y)
        diagonal = DIAGONAL.match(rest)
        if diagonal:
            slope = 1 if diagonal[1] else -1
            start = (-y - slope * x) % side
            ends = [
                b - slope * a for a in (left, right) for b in (top, bottom)
            ]
            for step in steps(min(ends), max(ends), side):
                at = round(start + step * side, 2)
                drawn.add(
                    f"M{left:g} {slope * left + at:g}"
                    f"L{right:g} {slope * right + at:g}"
                )
            continue
        for i in steps(left, right, side):
            for j in steps(top, bottom, side):
                drawn.add(
                    f"M{round(x + i * side, 2):g} "
                    f"{round(y + j * side, 2):g}{rest.strip()}"
                )
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
    drawn["d"] = lines(pattern.path["d"], side, box)
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
