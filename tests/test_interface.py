"""What the rooms show: documented, with an example, and typed."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_layers import FLOOR, LIBRARY

SECTIONS = {"study": ("quiz", "drills", "exercises", "stepper")}
PUBLIC = {
    f"bayesbook.{place}.{name}": getattr(
        importlib.import_module(f"bayesbook.{place}"), name
    )
    for room in FLOOR
    for place in [f"{room}.{part}" for part in SECTIONS.get(room, ())]
    or [room]
    for name in importlib.import_module(f"bayesbook.{place}").__all__
}
OBJECTS = {name: it for name, it in PUBLIC.items() if callable(it)}
# A docstring begins with what the function does, in a verb of the field.
VAGUE = re.compile(
    r"(?:Gives?|Tells?|Says?|Told|Part|Let|Makes? it|Take|Put)\b"
)


def methods(cls):
    """Yield the public methods that a class defines, unwrapped."""
    for name, member in vars(cls).items():
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        if isinstance(member, property):
            member = member.fget
        if inspect.isfunction(member) and member.__module__.startswith(
            "bayesbook"
        ):
            yield name, member


def functions():
    for name, it in OBJECTS.items():
        if inspect.isclass(it):
            for method, function in methods(it):
                yield pytest.param(function, id=f"{name}.{method}")
        else:
            yield pytest.param(it, id=name)


@pytest.mark.parametrize("name", OBJECTS)
def test_there_is_an_example(name):
    text = OBJECTS[name].__doc__ or ""
    assert ">>> " in text, "give a runnable example"


@pytest.mark.parametrize("function", list(functions()))
def test_signatures_are_typed(function):
    code = inspect.unwrap(function)
    if "<string>" in code.__code__.co_filename:  # made by dataclass
        return
    first, *rest = [*inspect.signature(code).parameters.values()] or [None]
    receiver = first is not None and first.name in ("self", "cls")
    named = rest if receiver else [p for p in (first, *rest) if p is not None]
    untyped = [p.name for p in named if p.annotation is p.empty]
    assert untyped == []
    if code.__name__ != "__init__":
        assert "return" in code.__annotations__


def first_words(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield f"{node.lineno}: {node.name}", text.split("\n")[0]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=str(path.relative_to(LIBRARY)))
        for path in sorted(LIBRARY.rglob("*.py"))
    ],
)
def test_docstrings_begin_with_a_verb_of_the_field(path):
    vague = [
        (where, line) for where, line in first_words(path) if VAGUE.match(line)
    ]
    assert vague == []


def test_every_public_object_is_in_the_reference():
    pages = Path(__file__).parents[1] / "book" / "appendix" / "library"
    for room in FLOOR:
        page = (pages / f"{room}.md").read_text()
        for place in SECTIONS.get(room, ()):
            assert (
                f"automodule:: bayesbook.{room}.{place}\n   :members:" in page
            )
        if room in SECTIONS:
            continue
        shown = re.findall(
            r"auto(?:class|function):: (\w+)|py:data:: (\w+)", page
        )
        shown = {a or b for a, b in shown}
        wanted = set(importlib.import_module(f"bayesbook.{room}").__all__)
        constants = {n for n in wanted if n.isupper() and room == "drawing"}
        assert shown >= wanted - constants, room


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_a_bare_import_loads_no_room():
    loaded = run_python(
        "import sys; before = set(sys.modules); import bayesbook;"
        "print(*sorted(m for m in set(sys.modules) - before"
        " if m.split('.')[0] in ('numpy', 'bayesbook', 'pandas')))"
    )
    assert loaded == "bayesbook"


def test_the_face_shows_what_the_rooms_hold():
    import bayesbook as bb

    face = (LIBRARY / "__init__.py").read_text()
    (block,) = [
        node
        for node in ast.parse(face).body
        if isinstance(node, ast.If) and node.test.id == "TYPE_CHECKING"
    ]
    for_checkers = {
        alias.name: line.module for line in block.body for alias in line.names
    }
    assert for_checkers == {
        name: f"bayesbook.{room}" for name, room in bb._ROOM_OF.items()
    }
    assert 35 <= len(for_checkers) <= 55
    assert set(for_checkers) | set(FLOOR) <= set(dir(bb))
    for name, room in for_checkers.items():
        assert getattr(bb, name) is getattr(
            importlib.import_module(room), name
        )
    with pytest.raises(AttributeError, match="no attribute 'Tabel'"):
        bb.Tabel  # noqa: B018


def test_help_is_a_table_of_contents():
    said = run_python("import bayesbook; help(bayesbook)")
    rooms = [
        line.split()[0]
        for line in said.splitlines()
        if line[:4] == " " * 4 and line.split() and line.split()[0] in FLOOR
    ]
    assert set(rooms) == set(FLOOR)
    assert len(said.splitlines()) < 90


def test_the_models_do_without_what_only_the_chapters_need():
    """Import and use the models with the packages of `study` blocked."""
    code = """
import importlib.abc, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in STUDY:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)

STUDY = {"markdown_it", "mdit_py_plugins", "yaml", "jsonschema",
         "fastjsonschema"}
sys.meta_path.insert(0, Blocker())
import bayesbook as bb

for name in dir(bb):
    if name != "study":
        getattr(bb, name)
net = bb.load_network("asia")
post = bb.JunctionTree(net).posteriors({"xray": "yes"})
melons = bb.load_watermelon()
nb = bb.MixedNB().fit(melons.drop(columns="good"), melons["good"])
print(round(float(post["lung"].P(lung="yes")), 4), nb.classes_.tolist())
assert not STUDY & {name.split(".")[0] for name in sys.modules}
"""
    assert run_python(code) == "0.4887 ['no', 'yes']"
