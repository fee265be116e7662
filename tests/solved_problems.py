"""Reads the problems of a chapter."""

import json
import re
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
