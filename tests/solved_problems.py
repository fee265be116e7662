"""Reads the problems of a chapter, and writes numbers as they stand there."""

import json
import re
from fractions import Fraction
from functools import partial
from pathlib import Path

BOOK = Path(__file__).parents[1] / "book"


def problems_of(chapter):
    """Give two functions: the text of an exercise, and of its solution.

    Both take the label of the exercise.
    """
    notebook = json.loads((BOOK / f"{chapter}.ipynb").read_text("utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    return partial(_block, text, "exercise"), partial(_block, text, "solution")


def _block(text, kind, label):
    mark = f":label: {label}\n" if kind == "exercise" else f" {label}\n"
    blocks = re.findall(rf"^::::{{{kind}}}(.*?)^::::$", text, re.M | re.S)
    (found,) = [block for block in blocks if mark in block]
    return found


def tex(number):
    r"""Write a number as most chapters do: 1, \frac12, \frac{13}{27}."""
    n, d = Fraction(number).as_integer_ratio()
    if d == 1:
        return str(n)
    if max(n, d) < 10:
        return rf"\frac{n}{d}"
    return rf"\frac{{{n}}}{{{d}}}"


def listed(numbers):
    """Write numbers in a row."""
    return ", ".join(map(tex, numbers))


def fractions(text):
    """Read what stands in TeX as fractions, in their order."""
    pairs = re.findall(r"\\frac(?:{(\d+)}|(\d))(?:{(\d+)}|(\d))", text)
    return [Fraction(int(a or b), int(c or d)) for a, b, c, d in pairs]
