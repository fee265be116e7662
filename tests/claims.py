r"""The numbers of a text, and the hidden cell beside it that computes them.

    python tests/claims.py book/conditioning/events.ipynb

lists the numbers of each text of a notebook, as a check cell has to print
them.  Such a cell stands below the text, or below the code that follows it;
below the cell of a figure for its caption and its alternative text.  Its id
begins with ``check-``, it has the tag ``remove-cell``, and it prints the
numbers in the order of the text.  Words are free, digits are bound.

The digits of a formula with letters, its exponents for example, are bound by
a line with the formula, and perhaps values of its letters and its own value:
``print("$k^2$", f"k={k}", n_cells)``.
"""

import ast
import re
import sys
from dataclasses import replace
from fractions import Fraction
from math import isclose
from pathlib import Path

import nbformat
from tex_values import equations, value

from bayesbook.study.quiz.numerals import numbers_told, values_named

CHECK = "check-"
# The chapters whose every text with a number has a check cell.
PROVED = (
    "beta_binomial",
    "conditional_independence",
    "d_separation",
    "decisions",
    "dirichlet_multinomial",
    "em",
    "events",
    "features",
    "gaussian_gamma",
    "inference",
    "large_data",
    "learning",
    "limit_theorems",
    "map_and_bayes",
    "likelihood",
    "mcmc",
    "naive_bayes",
    "number_game",
    "random_variables",
    "refresher",
    "representation",
    "risk",
    "semi_naive",
    "sequences",
    "text",
    "three_variables",
)
# What a check cell says of a formula: values of its letters, with a tie for
# the space in a name, and its own; of an equation that of the last side.
SAID = re.compile(r"(\$.+\$)((?: \S+=\S+)*)(?: (\S+))?")
SIDES = re.compile(r"=|<|>|\\[lg]e ")


def is_check(cell):
    hidden = "remove-cell" in cell.metadata.get("tags", [])
    return hidden and cell.get("id", "").startswith(CHECK)


def text_of(cell):
    """Return what a reader reads of a cell: text, or caption and picture."""
    if cell.cell_type == "markdown":
        return cell.source
    shown = cell.metadata.get("mystnb", {})
    caption = shown.get("figure", {}).get("caption", "")
    return f"{caption}\n\n{shown.get('image', {}).get('alt', '')}"


def texts(notebook):
    """Yield each text of a notebook, and the check cell below it or None.

    Code may stand between the two, another text may not.
    """
    text = None
    for cell in notebook.cells:
        if is_check(cell) or text_of(cell).strip():
            if text is not None:
                yield text, cell if is_check(cell) else None
            text = None if is_check(cell) else cell
    if text is not None:
        yield text, None


def lines(check):
    """Return what a check cell has printed."""
    return "".join(out.get("text", "") for out in check.outputs).splitlines()


def printed(check):
    """Return the numbers that a check cell has printed, as fractions."""
    text = " ".join(line for line in lines(check) if line[:1] != "$")
    return [Fraction(number) for number in text.split()]


def untrue(text, check):
    """Say which formulas a text has not, and which have another value."""
    text, place = " ".join(text.split()), 0
    for line in lines(check):
        if line[:1] == "$":
            formula, given, worth = SAID.fullmatch(line).groups()
            place = text.find(formula, place) + 1
            if not place:
                yield f"{formula} is not there, or in another order"
            elif worth:
                names = dict(each.split("=") for each in given.split())
                names = {
                    name.replace("~", " "): Fraction(told)
                    for name, told in names.items()
                }
                *_, side = SIDES.split(formula.strip("$ ."))
                found = value(side, names)
                if not isclose(found, Fraction(worth)):
                    yield f"{formula} is {found}, but printed is {worth}"
                for it in equations(formula, names):
                    if not it.holds:
                        yield f"{it.written} does not hold"


def is_formula(node):
    return isinstance(node, ast.Constant) and str(node.value)[:1] == "$"


def underived(check):
    """Return what a check cell prints and has not computed.

    That has no name in it, or is the name of a constant which the cell uses
    for nothing else.
    """
    tree = ast.parse(check.source)
    nodes = list(ast.walk(tree))
    shown = [
        argument
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
        for argument in node.args
        if not (node.args[1:] and is_formula(argument))
    ]
    constants = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and not values_named(node.value)
        for target in values_named(ast.Tuple(node.targets))
    }
    used = {
        name.id
        for name in values_named(tree)
        if isinstance(name.ctx, ast.Load) and name not in shown
    }
    return [
        ast.unparse(each)
        for each in shown
        if not values_named(each) or ast.unparse(each) in constants - used
    ]


def problems(cell, check):
    """Say in what a text and the numbers of its check cell differ."""
    told = numbers_told(text_of(cell))
    if check is None:
        missing = f"{cell.id}: no cell computes {shown(told)}"
        return [missing] if told else []
    values = printed(check)
    found = [f"{check.id}: derive {each}" for each in underived(check)]
    found += [f"{check.id}: {each}" for each in untrue(text_of(cell), check)]
    if len(told) != len(values):
        listed = " ".join(map(str, values))
        return [*found, f"{check.id}: {shown(told)}, but printed is {listed}"]
    for number, result in zip(told, values, strict=True):
        if not number.tells([result]):
            what = f"but printed is {result}"
        elif is_between(number, result):
            what = f"print more digits of {float(result)}"
        else:
            continue
        found.append(f"{check.id}: {number.written}, {what}")
    return found


def is_between(number, result):
    """Return whether the next number, too, is a result when it is rounded."""
    next_ones = [
        replace(number, value=number.value + step)
        for step in (number.unit, -number.unit)
    ]
    return number.unit and any(each.tells([result]) for each in next_ones)


def shown(told):
    return " ".join(number.written for number in told)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        book = nbformat.reads(Path(name).read_text("utf-8"), as_version=4)
        for cell, check in texts(book):
            state = "" if check is None else f"  ({check.id})"
            if told := numbers_told(text_of(cell)):
                print(f"{cell.id}{state}: {shown(told)}")
