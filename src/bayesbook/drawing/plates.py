"""Plates: frames around nodes that are repeated, with a text in a corner."""

from __future__ import annotations

import numpy as np

from bayesbook.base import GraphError
from bayesbook.drawing.figures import INK
from bayesbook.drawing.parts import (
    Shape,
    box_around,
    box_of,
    draw_outline,
    extent,
    text_at,
)

_PAD = 0.16  # from a rim to its plate, in units of the drawing
_LETTERS = 9.5  # in points at full size


def draw_plates(plates, shapes):
    """Draw a frame around the nodes of each plate, with its text."""
    frames, texts, parts = {}, {}, []
    # Small ones first, so that others can go around them.
    for i in sorted(range(len(plates)), key=lambda i: len(plates[i][0])):
        own, text = plates[i]
        touched = [k for k in frames if set(plates[k][0]) & set(own)]
        inner = [k for k in touched if set(plates[k][0]) <= set(own)]
        pad = _PAD * (1 + len(touched) / 2)
        low, high = box_around(
            [box_of(shapes[node], pad) for node in own]
            + [frames[k] + [[-_PAD / 2], [_PAD / 2]] for k in inner]
        )
        width, height = extent(text, _LETTERS)
        wider = max(0, width + _PAD - (high - low)[0]) / 2
        low = low - np.array([wider, height])
        high = high + np.array([wider, 0])
        # A text on the line of another one goes below it.
        for left, right, bottom in (texts[k] for k in touched):
            meets = left < high[0] and high[0] - width - _PAD < right
            if meets and abs(bottom - low[1]) < height:
                low[1] = bottom - height
        frames[i] = np.array([low, high])
        texts[i] = (high[0] - width - _PAD, high[0], low[1])
        for node, shape in shapes.items():
            inside = (box_of(shape)[0] < high) & (box_of(shape)[1] > low)
            if node not in own and inside.all():
                raise GraphError(
                    f"Plate {text!r} cannot be drawn without {node!r}, which "
                    "stands among its nodes or too near: give `positions`."
                )
        frame = Shape(*(low + high) / 2, *(high - low) / 2, _PAD / 2)
        look = {"fc": "none", "ec": INK, "lw": 1, "zorder": 0}
        parts.append(draw_outline(frame, f"plate {text}", **look))
        parts.append(
            text_at(
                (high[0] - _PAD / 2, low[1] + _PAD / 3),
                text,
                f"text {text}",
                size=_LETTERS,
                ha="right",
                va="baseline",
                bbox={"boxstyle": "square,pad=0", "fc": "white", "ec": "none"},
            )
        )
    return parts
