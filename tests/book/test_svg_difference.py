"""No changed figure passes, and none fails for what nobody can see."""

import re

import pytest
from svg_difference import LISTED, TOLERANCE, svg_difference

FIGURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 504 200">
<rect x="0" y="0" width="504" height="200" class="paper" fill="#ffffff"/>
<defs>
<clipPath id="fig-1"><rect x="20" y="10" width="200" height="150"/></clipPath>
</defs>
<g class="panel" data-box="0 0 250 200" data-row="0">
<path d="M20 150h200M20 150v-140" stroke="#6b6b6b" stroke-width="0.6"/>
<g fill="#222222" font-size="9.5" text-anchor="middle">
<text x="20" y="165">0.0</text>
<text x="220" y="165">1.0</text>
</g>
<path d="M20 140l50-20.5 50-30c1 0 2 0 2 2Z" stroke="#0072b2"/>
<circle cx="70" cy="119.5" r="3" fill="#d55e00" clip-path="url(#fig-1)"/>
<text x="20" y="8" fill="#222222" font-weight="bold">left</text>
</g>
<g class="panel" data-box="250 0 254 200" data-row="0">
<image x="260" y="10" width="9" height="9" href="data:image/png;base64,old"/>
<text x="260" y="8" fill="#222222">rate <tspan dy="2">1</tspan></text>
</g>
</svg>
"""


def images(old, new):
    return "" if old == new else "other pixels"


def difference(actual):
    return svg_difference(FIGURE, actual, images)


def changed(old, new):
    assert FIGURE.count(old) == 1, old
    return FIGURE.replace(old, new)


def swapped(one, other):
    """Return the figure with two of its lines in the other order."""
    assert FIGURE.count(one) == FIGURE.count(other) == 1
    lines = FIGURE.split("\n")
    i, j = (
        next(k for k, line in enumerate(lines) if part in line)
        for part in (one, other)
    )
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def without(part):
    lines = [line for line in FIGURE.split("\n") if part not in line]
    assert len(lines) == FIGURE.count("\n")
    return "\n".join(lines)


def test_a_figure_is_like_itself():
    assert difference(FIGURE) == []
    # Also when it has to be read.
    assert difference(FIGURE.replace("/>", " />")) == []


@pytest.mark.parametrize(
    ("actual", "says"),
    {
        "colour": (
            changed('stroke="#0072b2"', 'stroke="#0072b3"'),
            r"\+panel 1: +path d=M2 l4 c6 Z0 stroke=#0072b3",
        ),
        "moved point": (
            changed("l50-20.5", "l50-20"),
            r"d, number 4 of \d+: 119.5 became 120 \(at most 0.02 pt off\)",
        ),
        "moved circle": (changed('cx="70"', 'cx="70.5"'), "70 became 70.5"),
        "control point": (changed("c1 0", "c1 .5"), "89.5 became 90"),
        "missing label": (without(">1.0<"), r"17 elements became 16"),
        "missing tspan": (changed('<tspan dy="2">1</tspan>', "1"), "'rate 1'"),
        "swapped labels": (
            swapped(">0.0<", ">1.0<"),
            r"-panel 1: .*'0.0'\n\+panel 1: .*'1.0'",
        ),
        "swapped marks": (swapped("<circle", ">left<"), r"-panel 1: +circle"),
        "other words": (changed(">left<", ">lift<"), r"\+panel 1: .*'lift'"),
        "other letters": (changed("bold", "900"), "font-weight=900"),
        "other size": (changed('"9.5"', '"10"'), "9.5 became 10"),
        "thicker": (changed('width="0.6"', 'width="0.61"'), "width=0.61"),
        "not clipped": (changed(' clip-path="url(#fig-1)"', ""), "circle"),
        "other id": (FIGURE.replace("fig-1", "fig-2"), "id=fig-2"),
        "clipped otherwise": (
            changed('height="150"', 'height="149"'),
            "150 became 149",
        ),
        "closed no more": (changed("2Z", "2"), "path d=M2 l4 c6 stroke"),
        "more points": (changed("50-30", "50-30 1 1"), "path d=M2 l6 c6 Z0"),
        "other row": (changed("250 0 254", "251 0 253"), "250 became 251"),
        "other panel": (
            changed(
                'class="panel" data-box="250', 'class="whole" data-box="250'
            ),
            r"\+whole 2:",
        ),
        "other pixels": (changed(",old", ",new"), "image .*\n +other pixels"),
        "raised": (
            changed('dy="2"', 'dy="-2"'),
            "dy, number 1 of 1: 2 became",
        ),
        "cut": (changed('"0 0 504 200"', '"0 0 504 190"'), "200 became 190"),
    }.values(),
)
def test_no_change_passes_and_each_is_named(actual, says):
    lines = "\n".join(difference(actual))
    assert re.search(says, lines), lines


@pytest.mark.parametrize(
    ("by", "same"), [(0.01, True), (0.02, True), (0.03, False), (0.5, False)]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_tolerance_of_a_place(by, same, sign):
    assert TOLERANCE == 0.02
    moved = f"{119.5 + sign * by:.2f}"
    assert (difference(changed('"119.5"', f'"{moved}"')) == []) is same
    moved = f"l50{-20.5 + sign * by:.2f}"
    # The next point is where it was.
    back = f"50{-30 - sign * by:.2f}"
    actual = changed("l50-20.5 50-30", f"{moved} {back}")
    assert (difference(actual) == []) is same


def test_small_differences_do_not_add_up():
    """Each step is off by no more than is allowed, but they lead elsewhere."""
    steps = " ".join(["1 1"] * 10)
    drift = " ".join(["1 1.01"] * 10)
    old = changed("l50-20.5 50-30", f"l{steps}")
    assert svg_difference(old, old.replace(steps, drift), images)


def test_of_many_differences_the_first_are_listed():
    actual = FIGURE.replace("#222222", "#111111").replace("#6b6b6b", "#000000")
    lines = difference(actual)
    assert len(lines) == LISTED + 1
    assert lines[-1].startswith("... and ")


def test_what_is_no_drawing_is_told():
    (line,) = svg_difference("<svg>", FIGURE, images)
    assert line.startswith("the file holds no readable SVG: ")
