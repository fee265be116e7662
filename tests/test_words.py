"""One word for one thing: the library uses the words of the field.

Looked at are identifiers, split at capitals and underscores, and texts:
docstrings, messages, what is drawn and what is asked. The glossary has the
table; it keeps old words as "also called".
"""

import ast
import re
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[1] / "src" / "bayesbook"
MISSING = {"base", "data", "network", "naive_bayes"}
GRAPHS = {"graphs", "network", "naive_bayes"}
# The word, what to say instead, and the rooms in which it means that.
IN_NAMES = {
    r"laws?": ("distribution", None),
    r"arcs?": ("edge", None),
    r"links?": ("edge", GRAPHS),
    r"gaps?|holes?": ("missing value", MISSING),
    r"rounds": ("iterations", None),
    r"lots?": ("random", None),
    r"worth": ("equivalent sample size, strength", None),
}
THE_LAWS = r"(?!\s+of\s+(?:total|large|iterated)\b)"
IN_TEXTS = {
    rf"laws?\b{THE_LAWS}": ("distribution", None),
    r"arcs?\b": ("edge", None),
    r"links?\b": ("edge", GRAPHS),
    r"(?:gaps?|holes?)\b": ("missing value", MISSING),
    r"by lot\b|the lot\b": ("at random, random draw", None),
    r"asks\b": ("depends on, has as parent", None),
    r"worth\b": ("equivalent sample size, strength", None),
}
# These are names of other people's things.
ALLOWED = {
    "link",  # a network of the repository
    "LinkedList",
}


def parts(identifier):
    """Split an identifier: `lawOf_x` is law, of, x."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier)
    return [part.lower() for part in spaced.split("_") if part]


def identifiers(tree):
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg() | ast.keyword() if node.arg:
                yield node.lineno, node.arg
            case ast.Name():
                yield node.lineno, node.id
            case ast.Attribute():
                yield node.lineno, node.attr
            case ast.alias():
                yield node.lineno, (node.asname or node.name).split(".")[-1]


def texts(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def matching(table, room, text):
    for pattern, (better, rooms) in table.items():
        if rooms is None or room in rooms:
            for match in re.finditer(rf"\b(?:{pattern})", text, re.IGNORECASE):
                yield match[0], better


def forbidden(source, room):
    """Yield the forbidden words of a file, with the better ones."""
    tree = ast.parse(source)
    for line, name in identifiers(tree):
        for part in parts(name):
            for pattern, (better, rooms) in IN_NAMES.items():
                if (rooms is None or room in rooms) and re.fullmatch(
                    pattern, part
                ):
                    yield f"{line}: `{name}`; say {better}"
    for line, text in texts(tree):
        if text not in ALLOWED:
            for word, better in matching(IN_TEXTS, room, text):
                yield f"{line}: {word!r} in {text[:40]!r}; say {better}"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=str(path.relative_to(LIBRARY)))
        for path in sorted(LIBRARY.rglob("*.py"))
    ],
)
def test_words_of_the_library(path):
    room = path.relative_to(LIBRARY).parts[0]
    assert list(forbidden(path.read_text(), room)) == []


@pytest.mark.parametrize(
    "source",
    [
        "def law_of(x): pass",
        "conditionalLaw = 1",
        "def f(*, arcs): pass",
        "f(arcs=1)",
        "from a import LAWS",
        "class Link: pass",
        "x.gaps",
        "'''The law of X given Y.'''",
        "raise ValueError(f'The law of {x} has {n} entries')",
        "'A row with gaps'",
        "'a ball is drawn by lot'",
    ],
)
def test_a_forbidden_word_is_seen(source):
    assert list(forbidden(source, "network"))


@pytest.mark.parametrize(
    "source",
    [
        "'the law of total probability'",
        "'''The laws of\n    large numbers.'''",
        "lawn = round(1.5)",
        "'link'",
        "arccos = 1",
    ],
)
def test_other_words_are_not(source):
    assert list(forbidden(source, "network")) == []
