"""The calls in notation.md fit the signatures of the library.

Of each call in the column of code the function is looked up, in the rooms
that the table names, and the arguments are bound to its signature.
"""

import ast
import builtins
import importlib
import inspect
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.special
import scipy.stats
from sklearn.linear_model import Lasso, Ridge

import bayesbook as bb
from bayesbook.conjugate import ConceptSpace, ConjugateFamily
from bayesbook.decision import GenerativeClassifier, LossMatrix
from bayesbook.estimation import Model
from bayesbook.naive_bayes import AODE
from bayesbook.network import BayesianNetwork, GibbsRun, JunctionTree, Score

PAGE = Path(__file__).parents[2] / "book" / "appendix" / "notation.md"
# What a name before a dot is, in one table or wherever else it is used.
RECEIVERS = {
    ("concepts", "space"): ConceptSpace,
    ("concepts", "first"): ConceptSpace,
    ("beta-binomial", "prior"): bb.BetaBernoulli,
    ("beta-binomial", "posterior"): bb.BetaBernoulli,
    ("decisions", "model"): GenerativeClassifier,
    "A": set,
    "X": np.ndarray,
    "alpha": np.ndarray,
    "chain": bb.MarkovChain,
    "data": pd.DataFrame,
    "draws": np.ndarray,
    "family": bb.DirichletCategorical,
    "joint": bb.Table,
    "loss": LossMatrix,
    "losses": np.ndarray,
    "model": Model,
    "network": BayesianNetwork,
    "posterior": ConjugateFamily,
    "prior": ConjugateFamily,
    "score": Score,
    "space": bb.ProbabilitySpace,
    "table": bb.Table,
    "x": np.ndarray,
}
# Whose method it is where the cell shows only the method.
METHODS = {
    "evidence_probability": JunctionTree,
    "joint": JunctionTree,
    "predict_joint_log_proba": bb.CategoricalNB,
    "predict_proba": bb.CategoricalNB,
    "running": GibbsRun,
    "statistics": ConjugateFamily,
    "super_parents": AODE,
    "to_frame": bb.CategoricalNB,
    "update": bb.GammaPoisson,
}
OTHERS = {
    **vars(builtins),
    **vars(math),
    "Counter": Counter,
    "Lasso": Lasso,
    "Ridge": Ridge,
    "gammaln": scipy.special.gammaln,
    "logit": scipy.special.logit,
    "math": math,
    "np": np,
    "scipy": scipy,
}
# The reader's own functions, and the heading of a table.
OWN = {"P", "f", "log_target", "propose"}


@dataclass
class Of:
    """An object of a class."""

    cls: type


def cells():
    """Yield the name of each table, its caption, and each cell of code."""
    for block in re.findall(
        r":::\{list-table\}(.*?)\n:::", PAGE.read_text("utf-8"), re.DOTALL
    ):
        head, *rows = re.split(r"(?m)^\* - ", block)
        [name] = re.findall(":name: tab-notation-(.*)", head)
        for row in rows:
            _, _, code = re.split(r"(?m)^  - ", row)
            yield name, head.split("\n")[0], code


def calls():
    """Yield the calls, each with its table and the rooms that this names."""
    for table, caption, cell in cells():
        rooms = re.findall(r"`bayesbook\.(\w+)`", caption)
        for span in re.findall("`([^`]+)`", cell):
            text = f"it{span}" if span[0] == "." else span
            try:
                tree = ast.parse(text)
            except SyntaxError:
                assert re.fullmatch(r"\w+=", text), text  # an argument
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    label = f"{table}: {ast.unparse(node)}"
                    yield pytest.param(table, rooms, node, id=label)


def named(name, table, rooms):
    """Return what a name stands for; of an object only its class is known."""
    for room in rooms:
        module = importlib.import_module(f"bayesbook.{room}")
        if name in module.__all__:
            return getattr(module, name)
    for key in ((table, name), name):
        if key in RECEIVERS:
            return Of(RECEIVERS[key])
    if name in METHODS:
        return member(Of(METHODS[name]), name)
    if name in rooms:
        return importlib.import_module(f"bayesbook.{name}")
    return None if name in OWN else OTHERS[name]


def member(owner, name):
    """Return a function of a module, a class or an object, or None."""
    if not isinstance(owner, Of):
        return None if owner is None else getattr(owner, name)
    found = getattr(owner.cls, name)
    if not inspect.isroutine(found):  # a property
        return None
    return found if inspect.ismethod(found) else partial(found, None)


def meaning(node, table, rooms):
    """Return what is called; None if that has no signature to look at."""
    match node:
        case ast.Name(id=name):
            return named(name, table, rooms)
        case ast.Attribute(value=ast.Name(id="it"), attr=name):
            return member(Of(METHODS[name]), name)
        case ast.Attribute(value=value, attr=name):
            return member(meaning(value, table, rooms), name)
        case ast.Call(func=function):
            made = meaning(function, table, rooms)
            return Of(made) if inspect.isclass(made) else None
    raise AssertionError(ast.dump(node))


def bind(table, rooms, node):
    """Bind the arguments; return whether there was a signature."""
    try:
        signature = inspect.signature(meaning(node.func, table, rooms))
    except (TypeError, ValueError):  # it has none
        return False
    positions = [it for it in node.args if not is_ellipsis(it)]
    names = dict.fromkeys(keyword.arg for keyword in node.keywords)
    if len(positions) < len(node.args):  # "..." stands for others
        signature.bind_partial(*positions, **names)
    else:
        signature.bind(*positions, **names)
    return True


def is_ellipsis(node):
    return isinstance(node, ast.Constant) and node.value is ...


@pytest.mark.parametrize(("table", "rooms", "node"), list(calls()))
def test_a_call_fits_its_signature(table, rooms, node):
    bind(table, rooms, node)


def test_most_calls_have_a_signature():
    assert sum(bind(*call.values) for call in calls()) > 150


@pytest.mark.parametrize(
    ("table", "room", "text"),
    [
        ("graphs", "graphs", "ancestral_sample(tables, n, rng)"),
        ("dirichlet", "conjugate", "family.sample(size, rng)"),
        ("graphs", "graphs", "graphs.parse()"),
        ("text", "conjugate", "mutual_information(X, y)"),
        ("mcmc", "mcmc", "chain.stepp(distribution, t)"),
    ],
)
def test_a_wrong_call_is_seen(table, room, text):
    node = ast.parse(text, mode="eval").body
    with pytest.raises((TypeError, KeyError, AttributeError)):
        bind(table, [room], node)
