"""Exact inference for readers speaks in factors: no axes, no arrays."""

import ast
from pathlib import Path

import pytest

from bayesbook.network import inference

FOLDER = Path(inference.__file__).parent
READABLE = ("enumeration", "elimination", "message_passing", "most_probable")
# How arrays are brought together by hand.
BY_HAND = {
    "axis",
    "aligned",
    "broadcast_to",
    "dot",
    "einsum",
    "matmul",
    "moveaxis",
    "newaxis",
    "numpy",
    "reshape",
    "swapaxes",
    "tensordot",
    "transpose",
}


def by_hand(source):
    """Return the words of a module that handle axes."""
    words = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word):
                words.add(word)
            case ast.keyword(arg=str(word)):
                words.add(word)
            case ast.Import(names=names):
                words.update(alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                words.update([module, *(alias.name for alias in names)])
    return words & BY_HAND


@pytest.mark.parametrize("name", READABLE)
def test_no_module_handles_axes_by_itself(name):
    assert not by_hand((FOLDER / f"{name}.py").read_text())


@pytest.mark.parametrize(
    "line",
    [
        "import numpy as np",
        "from numpy import einsum",
        "x.values.transpose(1, 0)",
        "values.sum(axis=-1)",
        "np.einsum('ab,b->a', x, y)",
    ],
)
def test_what_handles_axes_is_found(line):
    assert by_hand(line)
