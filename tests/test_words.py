"""One word for one thing: the library uses the words of the field.

Looked at are the names of files, identifiers, split at capitals, digits and
underscores, and texts: docstrings, comments, messages, what is drawn and what
is asked. The glossary keeps the older words of some terms as "also called".
"""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest
from test_layers import FLOOR

LIBRARY = Path(__file__).parents[1] / "src" / "bayesbook"
MISSING = {"base", "data", "network", "naive_bayes"}
GRAPHS = {"graphs", "network", "naive_bayes", "drawing", "study"}
MODELS = set(FLOOR) - {"study"}
# The word, what to say instead, and the rooms in which it means that.
IN_NAMES = {
    r"laws?": ("distribution", None),
    r"arcs?": ("edge", None),
    r"links?": ("edge", GRAPHS),
    r"gaps?|holes?": ("missing value", MISSING),
    r"rounds?": ("iteration", None),
    r"lots?": ("random", None),
    r"worth": ("equivalent sample size, strength", None),
}
THE_LAWS = r"(?!\s+of\s+(?:total|large|iterated)\b)"
IN_TEXTS = {
    rf"laws?\b{THE_LAWS}": ("distribution", None),
    r"arcs?\b": ("edge", None),
    r"links?\b": ("edge", GRAPHS),
    r"(?:gaps?|holes?)\b": ("missing value", MISSING),
    r"(?:gaps?|holes?)\s+in\b|with\s+(?:a\s+)?(?:gaps?|holes?)\b": (
        "missing value",
        {"study"},
    ),
    r"(?:a|each|every|one|per|the)\s+round\b(?!\s+number)": (
        "iteration",
        None,
    ),
    r"rounds\b(?!\s+(?:down|up|to)\b)": ("iteration", None),
    r"by lot\b|the lot\b": ("at random, random draw", None),
    r"asks\b": ("depends on, has as parent", None),
    r"asked\b(?!\s+(?:for\b|:))": ("depends on, has as parent", MODELS),
    r"worth\b": ("equivalent sample size, strength", None),
}
# These are names of other people's things.
ALLOWED = {
    "link",  # a network of the repository
}
# Here the word means something else.
ELSEWHERE = {
    # The rounds in which a tree of tasks is worked off.
    "study/exercises/large_data.py": r"(?:a |the )?rounds?",
}
# Parameters and methods of the public have one name everywhere.
PARAMETERS = {
    "n_samples": ("size", None),
    "lengths": ("size, trials", None),
    "base": ("unit", MODELS - {"drawing"}),  # there the foot of an arrow
}
METHODS = {
    "prob": "P, log_prob",
    "joint_log_proba": "predict_joint_log_proba",
}
OF_NODES = {"random_dag", "connected_graph"}  # they have `n` nodes
# A class has the words of scikit-learn or ours, not both.
TWINS = {
    "alpha": "pseudo_count",
    "sample_weight": "weights",
    "tol": "tolerance",
    "max_iter": "max_iterations",
    "random_state": "rng",
}


def parts(identifier):
    """Split an identifier: `lawOf_x2` is law, of, x."""
    spaced = re.sub(
        r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\d+", "_", identifier
    )
    return [part.lower() for part in spaced.split("_") if part]


def identifiers(nodes):
    """Yield every name: all strings of a tree but the constants."""
    for node in nodes:
        if isinstance(node, ast.Constant):
            continue
        for _, value in ast.iter_fields(node):
            for name in value if isinstance(value, list) else [value]:
                if isinstance(name, str):
                    for step in name.split("."):
                        yield node.lineno, step


def texts(source, nodes):
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def parameters(function):
    given = function.args
    return {
        p.arg for p in (*given.posonlyargs, *given.args, *given.kwonlyargs)
    }


def public_functions(nodes):
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            node.name == "__init__" or not node.name.startswith("_")
        ):
            yield node


def signatures(nodes, room):
    """Yield what a signature calls otherwise than its neighbours do."""
    for cls in nodes:
        if isinstance(cls, ast.ClassDef):
            methods = public_functions(cls.body)
            names = {name for each in methods for name in parameters(each)}
            for theirs, ours in TWINS.items():
                if {theirs, ours} <= names:
                    yield f"{cls.lineno}: `{theirs}` and `{ours}` in a class"
    for function in public_functions(nodes):
        where, names = function.lineno, parameters(function)
        if function.name in METHODS:
            yield f"{where}: `{function.name}`; say {METHODS[function.name]}"
        for name, (better, rooms) in PARAMETERS.items():
            if name in names and (rooms is None or room in rooms):
                yield f"{where}: `{name}`; say {better}"
        if {"n", "rng"} <= names and function.name not in OF_NODES:
            yield f"{where}: `n` of a sampler; say size"


@cache
def better_words(name, room):
    """Return what to say instead of the forbidden words of a name."""
    if name == "round":  # the function
        return []
    return [
        better
        for part in parts(name)
        for pattern, (better, rooms) in IN_NAMES.items()
        if (rooms is None or room in rooms) and re.fullmatch(pattern, part)
    ]


def matching(room, text):
    for pattern, (better, rooms) in IN_TEXTS.items():
        if rooms is None or room in rooms:
            for match in re.finditer(rf"\b(?:{pattern})", text, re.IGNORECASE):
                yield match[0], better


def forbidden(source, place):
    """Yield the forbidden words of a file, with the better ones.

    The place is the file's path in the library; its first part is the room.
    """
    room, nodes = Path(place).parts[0], list(ast.walk(ast.parse(source)))
    elsewhere = ELSEWHERE.get(Path(place).as_posix(), "")
    files = [(0, part) for part in Path(place).with_suffix("").parts]
    for line, name in sorted({*files, *identifiers(nodes)}):
        for better in better_words(name, room):
            yield f"{line}: `{name}`; say {better}"
    for line, text in texts(source, nodes):
        if text in ALLOWED:
            continue
        for word, better in matching(room, text):
            if not re.fullmatch(elsewhere, word):
                yield f"{line}: {word!r} in {text[:40]!r}; say {better}"
    yield from signatures(nodes, room)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=str(path.relative_to(LIBRARY)))
        for path in sorted(LIBRARY.rglob("*.py"))
    ],
)
def test_words_of_the_library(path):
    place = path.relative_to(LIBRARY)
    assert list(forbidden(path.read_text(), place)) == []


@pytest.mark.parametrize(
    "source",
    [
        "def law_of(x): pass",
        "async def law(): pass",
        "conditionalLaw = 1",
        "law1 = 1",
        "def f(*, arcs): pass",
        "f(arcs=1)",
        "from a import LAWS",
        "from a import arcs as b",
        "from laws import b",
        "import a.laws as b",
        "import a as law",
        "class Link: pass",
        "class Law2: pass",
        "class HTTPLink: pass",
        "x.gaps",
        "def hard_round(): pass",
        "def f():\n    global law",
        "match x:\n    case law: pass",
        "match x:\n    case [*laws]: pass",
        "match x:\n    case {**laws}: pass",
        "match x:\n    case C(law=1): pass",
        "try: pass\nexcept E as law: pass",
        "x = 1  # the law of X",
        "'''The law of X given Y.'''",
        "raise ValueError(f'The law of {x} has {n} entries')",
        "'A row with gaps'",
        "'a ball is drawn by lot'",
        "'the E step of a round'",
        "'ten rounds'",
        "'X asks Y'",
        "'he asked'",
        "def sample(n_samples): pass",
        "def sample(lengths, *, rng): pass",
        "def sample(n, *, rng): pass",
        "def entropy(p, base=2): pass",
        "def prob(x): pass",
        "class NB:\n    def joint_log_proba(self, X): pass",
        "class A:\n    def __init__(self, tol): pass\n"
        "    def fit(self, X, max_iter, *, max_iterations): pass",
    ],
)
def test_a_forbidden_word_is_seen(source):
    assert list(forbidden(source, "network/model.py"))


@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("data/law.py", ""),
        ("network/laws/model.py", ""),
        ("network/em/hard_round.py", ""),
        ("drawing/graphs.py", "'links of the graph'"),
        ("study/quiz/graphs.py", "'links of the graph'"),
        ("drawing/graphs.py", "link = 1"),
        ("study/drills/graphs.py", "link = 1"),
        ("study/exercises/features.py", "'gaps in rows'"),
        ("study/exercises/features.py", "'rows with gaps'"),
        ("study/exercises/em.py", "'Count the rounds.'"),
        ("probability/information.py", "def entropy(p, base): pass"),
    ],
)
def test_a_forbidden_word_is_seen_in_its_rooms(place, source):
    assert list(forbidden(source, place))


@pytest.mark.parametrize(
    "source",
    [
        "'the law of total probability'",
        "'''The laws of\n    large numbers.'''",
        "lawn = round(1.5)",
        "x.round(3)",
        "'It rounds down, to a round number.'",
        "'link'",
        "arccos = 1",
        "'what was asked for'",
        "def random_dag(n, *, rng): pass",
        "def _counting(lengths): pass",
    ],
)
def test_other_words_are_not(source):
    assert list(forbidden(source, "network/model.py")) == []


def test_a_word_may_mean_something_else():
    source = "'the gap between two customers', 'the foot of an arrow'"
    assert list(forbidden(source, "study/drills/conjugate/waits.py")) == []
    assert list(forbidden("def head(base): pass", "drawing/parts.py")) == []
