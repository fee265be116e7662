"""How two SVG figures differ: element by element, numbers with a tolerance."""

import re
from itertools import zip_longest
from operator import itemgetter
from xml.etree import ElementTree as ET

# In points; figures have two decimals. What another processor adds in another
# order can round to the next hundredth, and is then 0.01 off.
TOLERANCE = 0.02
# Attributes with places and sizes. All others are compared as they are:
# colours, widths of lines, letters and their weight, which ids are meant.
MEASURED = {
    *("d", "x", "y", "cx", "cy", "r", "dy", "width", "height", "transform"),
    *("viewBox", "data-box", "data-alone", "font-size"),
}
NUMBER = re.compile(r"-?\d*\.?\d+")
# How many differences a message lists.
LISTED = 6


def elements(root, where="figure", depth=0):
    """Yield each element with its depth and the panel that it is in."""
    yield root, depth, where
    count = 0
    for child in root:
        inside = where
        if depth == 0 and child.get("data-box"):
            count += 1
            inside = f"{child.get('class')} {count}"
        yield from elements(child, inside, depth + 1)


def skeleton(element, depth, where):
    """Return all of an element but its measures, in one line.

    Examples
    --------
    >>> line = ET.fromstring('<path d="M1 2L3 4 5 6Z" stroke="#0072b2"/>')
    >>> skeleton(line, 1, "panel 1")
    'panel 1:   path d=M2 L4 Z0 stroke=#0072b2'
    """
    shown = [element.tag.rpartition("}")[2]]
    for name, value in element.attrib.items():
        if name == "d":
            value = " ".join(
                f"{letter}{len(NUMBER.findall(numbers))}"
                for letter, numbers in re.findall(
                    "([A-Za-z])([^A-Za-z]*)", value
                )
            )
        elif name in MEASURED:
            value = NUMBER.sub("*", value)
        elif name == "href":
            value, _, _ = value.partition(",")
        shown.append(f"{name}={value}")
    text = (element.text or "").strip("\n")
    if text:
        shown.append(repr(text))
    return f"{where}: {'  ' * depth}{' '.join(shown)}"


def places(data):
    """Return the coordinates that a path leads through, from its steps.

    Small differences of many steps would add up unseen.

    Examples
    --------
    >>> places("M10 20h5v-.5l1 1c1 0 2 0 2 2ZM1 1h1")
    [10.0, 20.0, 15.0, 19.5, 16.0, 20.5, 17.0, 20.5, 18.0, 20.5, 18.0, 22.5, \
1.0, 1.0, 2.0]
    """
    found, here = [], [0.0, 0.0]
    for letter, numbers in re.findall("([A-Za-z])([^A-Za-z]*)", data):
        steps = [float(step) for step in NUMBER.findall(numbers)]
        axes = {"h": [0], "v": [1]}.get(letter, [0, 1])
        # Control points count from where the curve begins.
        points = {"q": 2, "c": 3}.get(letter, 1) * len(axes)
        for first in range(0, len(steps), points):
            own = steps[first : first + points]
            moved = [
                here[axes[i % len(axes)]] + step if letter != "M" else step
                for i, step in enumerate(own)
            ]
            for axis, value in zip(axes, moved[-len(axes) :], strict=True):
                here[axis] = value
            found += moved
    return [round(value, 2) for value in found]


def measures(element):
    """Yield each number of an element's places and sizes, and its name."""
    for name in filter(MEASURED.__contains__, element.attrib):
        value = element.get(name)
        numbers = places(value) if name == "d" else NUMBER.findall(value)
        for place, number in enumerate(numbers, start=1):
            yield f"{name}, number {place} of {len(numbers)}", float(number)


def svg_difference(expected, actual, image_difference):
    """Return how two SVGs differ, a line each; empty if they do not.

    Parameters
    ----------
    expected, actual : str
    image_difference : callable
        Says how two pictures within differ, of two texts in base 64.
    """
    if expected == actual:
        return []
    try:
        old = list(elements(ET.fromstring(expected)))
    except ET.ParseError as error:
        return [f"the file holds no readable SVG: {error}"]
    new = list(elements(ET.fromstring(actual)))
    lines = []
    for was, now in zip_longest(old, new):
        before, after = (one and skeleton(*one) for one in (was, now))
        if before != after:
            # What follows may only have moved.
            lines += [f"-{before}"] if before else []
            lines += [f"+{after}"] if after else []
            if len(old) != len(new):
                lines.append(f"    {len(old)} elements became {len(new)}")
                break
            continue
        pairs = zip(measures(was[0]), measures(now[0]), strict=True)
        off = [
            # In hundredths, whatever floats make of them.
            (round(abs(new_value - value), 6), name, value, new_value)
            for (name, value), (_, new_value) in pairs
        ]
        by, name, value, new_value = max(
            off, key=itemgetter(0), default=(0, "", 0, 0)
        )
        if by > TOLERANCE:
            lines.append(
                f" {before}\n    {name}: {value:g} became {new_value:g} "
                f"(at most {TOLERANCE} pt off)"
            )
        if "href" in was[0].attrib:
            images = (one[0].get("href").split(",")[1] for one in (was, now))
            if found := image_difference(*images):
                lines.append(f" {before}\n    {found}")
    if len(lines) > LISTED:
        lines[LISTED:] = [f"... and {len(lines) - LISTED} more"]
    return lines
