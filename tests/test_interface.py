"""What the rooms show: documented, with an example, and typed."""

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from clean_wheel import STUDY, packages_of_study
from test_layers import FLOOR, LIBRARY

SECTIONS = {
    "study": (
        *("quiz", "drills", "exercises", "practice"),
        *("stepper", "stepper.replay"),
    )
}
PLACES = [
    f"{room}.{part}" if part else room
    for room in FLOOR
    for part in SECTIONS.get(room, [""])
]
PUBLIC = {
    f"bayesbook.{place}.{name}": getattr(module, name)
    for place in PLACES
    for module in [importlib.import_module(f"bayesbook.{place}")]
    for name in module.__all__
}
OBJECTS = {name: it for name, it in PUBLIC.items() if callable(it)}
# A docstring begins with what a function does, in one of these verbs. Another
# verb of the field may be entered; "Give", "Tell", "Take" or "Put" is none.
VERBS = """
    Accept Add Append Apply Ask Assign Average Break Bring Build Call Change
    Charge Check Choose Climb Code Colour Combine Compare Compute Confuse Count
    Cut Decide Decorate Describe Direct Distribute Divide Draw Drop Escape
    Estimate Evaluate Explain Extend Fill Find Fit Follow Forget Generate Group
    Import Join Jump Keep Lay Learn Leave List Load Make Measure Merge Minimise
    Move Multiply Name Note Order Pick Place Plan Plug Prepare Propagate Raise
    Read Recompute Refuse Remove Rename Repeat Replace Replay Return Reverse
    Round Run Scale Score Search Send Separate Set Show Shuffle Smooth Solve
    Sort Split Stack Step Store Suggest Sum Test Triangulate Turn Update Use
    Visit Walk Widen Write Yield
"""
PROPERTIES = {"property", "cached_property", "learned"}


def methods(cls):
    """Yield the methods that a class has from us for all to use, unwrapped."""
    for name, member in [
        item for owner in reversed(cls.__mro__) for item in vars(owner).items()
    ]:
        if name.startswith("_") and not name.endswith("__"):
            continue
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        if isinstance(member, property):
            member = member.fget
        if isinstance(member, functools.cached_property):
            member = member.func
        if inspect.isfunction(member) and member.__module__.startswith(
            "bayesbook"
        ):
            yield name, member


def functions(name):
    """Return the functions of a public object by their names."""
    it = OBJECTS[name]
    if not inspect.isclass(it):
        return {name: it}
    return {f"{name}.{method}": inner for method, inner in methods(it)}


@pytest.mark.parametrize("name", OBJECTS)
def test_there_is_an_example(name):
    text = OBJECTS[name].__doc__ or ""
    assert ">>> " in text, "give a runnable example"


def untyped(function):
    """Return the parameters without a type, and "return"."""
    code = inspect.unwrap(function)
    if "<string>" in code.__code__.co_filename:  # made by dataclass
        return []
    first, *rest = [*inspect.signature(code).parameters.values()] or [None]
    receiver = first is not None and first.name in ("self", "cls")
    named = rest if receiver else [p for p in (first, *rest) if p is not None]
    found = [p.name for p in named if p.annotation is p.empty]
    if code.__name__ != "__init__" and "return" not in code.__annotations__:
        found.append("return")
    return found


@pytest.mark.parametrize("name", OBJECTS)
def test_signatures_are_typed(name):
    found = {each: untyped(it) for each, it in functions(name).items()}
    assert not any(found.values()), found


class Careless:
    """No public thing, but something to try the test on."""

    __module__ = "bayesbook.planted"

    def __getitem__(self, key):
        return key

    def method(self, x) -> int:
        return x

    @property
    def prop(self):
        return 1

    @functools.cached_property
    def cached(self):
        return 1

    @classmethod
    def made(cls, x: int):
        return cls()


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("__getitem__", ["key", "return"]),
        ("method", ["x"]),
        ("prop", ["return"]),
        ("cached", ["return"]),
        ("made", ["return"]),
    ],
)
def test_a_planted_function_without_types_is_seen(name, missing, monkeypatch):
    for member in vars(Careless).values():
        for inner in ("fget", "func", "__func__"):
            member = getattr(member, inner, member)
        if inspect.isfunction(member):
            monkeypatch.setattr(member, "__module__", "bayesbook.planted")
    assert untyped(dict(methods(Careless))[name]) == missing


def test_random_numbers_come_by_keyword():
    by_position = [
        each
        for name in OBJECTS
        for each, function in functions(name).items()
        for rng in [inspect.signature(function).parameters.get("rng")]
        if rng is not None and rng.kind is not rng.KEYWORD_ONLY
    ]
    assert by_position == []


DEFAULT = re.compile(r"^ *(\w[\w, ]*) : .*, default (.+)$", re.M)


def other_defaults(function, text):
    """Yield the parameters whose docstring names another default."""
    for names, written in DEFAULT.findall(text or ""):
        given = inspect.signature(function).parameters
        for each in names.split(", "):
            if given[each].default != ast.literal_eval(written):
                yield each


@pytest.mark.parametrize("name", OBJECTS)
def test_a_docstring_names_the_default_of_the_signature(name):
    documented = {name: OBJECTS[name], **functions(name)}
    assert [
        f"{each}: {parameter}"
        for each, function in documented.items()
        for parameter in other_defaults(function, function.__doc__)
    ] == []


def test_another_default_is_seen():
    def planted(a: int = 2, b: str = "x", c: bool = True) -> None: ...

    text = "a, b : object, default 2\n    c : bool, default False"
    assert [*other_defaults(planted, text)] == ["b", "c"]


def wrong_beginnings(source):
    """Yield what begins otherwise than with a verb, or a property with one."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node)
        if not text:
            continue
        line = text.split("\n")[0]
        first, second, *_ = [*re.findall(r"[\w-]+", line), "", ""]
        is_verb = first in VERBS.split() and second != "of"
        made_by = {
            ast.unparse(each).split(".")[-1] for each in node.decorator_list
        }
        if is_verb == bool(made_by & PROPERTIES):
            yield f"{node.lineno}: {node.name}: {line}"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=str(path.relative_to(LIBRARY)))
        for path in sorted(LIBRARY.rglob("*.py"))
    ],
)
def test_docstrings_begin_with_a_verb_of_the_field(path):
    assert list(wrong_beginnings(path.read_text())) == []


@pytest.mark.parametrize(
    "line",
    [
        *("The entropy.", "Its entropy.", "A table.", "Whether it is a DAG."),
        *("Returns the entropy.", "Computing it.", "Counted cells.", "None."),
        *("Give the entropy.", "Tell it.", "Take a table.", "Put it there."),
        *("Name of a node.", "MLE and MAP.", "Theorem 15: a clique."),
    ],
)
@pytest.mark.parametrize("kind", ["def", "async def", "class A:\n  def"])
def test_a_planted_beginning_is_seen(line, kind):
    assert list(wrong_beginnings(f"{kind} f(): '{line}'"))


@pytest.mark.parametrize(
    "kind", ["property", "cached_property", "functools.cached_property"]
)
def test_a_property_names_what_it_is(kind):
    source = f"class A:\n  @{kind}\n  def f(self): "
    assert list(wrong_beginnings(f"{source}'Return the entropy.'"))
    assert list(wrong_beginnings(f"{source}'The entropy.'")) == []
    assert list(wrong_beginnings(f"{source}'Name of a node.'")) == []


def not_shown(place, page):
    """Return the public names of a place that its page does not show."""
    module = importlib.import_module(f"bayesbook.{place}")
    names = {name: getattr(module, name) for name in module.__all__}
    constants = {name for name, it in names.items() if not callable(it)}
    entries = set(re.findall(r"(?m)^\.\. py:data:: (\w+)$", page))
    for name, it in names.items():
        # A colour can be looked up.
        value = f".. py:data:: {name}\n   :value: {it!r}\n"
        if isinstance(it, str) and value.replace("\\", "\\\\") not in page:
            entries.discard(name)
    if re.search(rf"(?m)^\.\. automodule:: {module.__name__}\n   :mem", page):
        return sorted(constants - entries)
    entries |= set(
        re.findall(r"(?m)^\.\. auto(?:class|function):: (\w+)", page)
    )
    return sorted(names.keys() - entries)


def page_of(place):
    pages = Path(__file__).parents[1] / "book" / "appendix" / "library"
    return (pages / f"{place.split('.')[0]}.md").read_text()


@pytest.mark.parametrize("place", PLACES)
def test_every_public_object_is_in_the_reference(place):
    assert not_shown(place, page_of(place)) == []


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("graphs", ".. autofunction:: parse"),
        ("network", ".. autoclass:: BayesianNetwork"),
        ("drawing", ".. py:data:: BLUE"),
        ("drawing", "   :value: '#0072b2'"),
        ("probability", ".. py:data:: MAX_BYTES"),
        ("study.drills", ".. py:data:: KINDS"),
        ("study.quiz", ".. automodule:: bayesbook.study.quiz\n   :members:"),
        (
            "study.stepper.replay",
            ".. automodule:: bayesbook.study.stepper.replay\n   :members:",
        ),
    ],
)
def test_what_a_page_leaves_out_is_seen(place, line):
    page = page_of(place)
    assert page.count(f"{line}\n") == 1
    assert not_shown(place, page.replace(f"{line}\n", ""))


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
    code = (
        f"STUDY = {STUDY!r}"
        + """
import importlib.abc, sys

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in STUDY:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)

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
    )
    assert run_python(code) == "0.4887 ['no', 'yes']"


def test_the_packages_of_study_are_those_of_its_extra():
    jsons = {"jsonschema", "fastjsonschema"}
    assert jsons | {"markdown_it", "mdit_py_plugins", "yaml"} == STUDY
    planted = """
        [project.optional-dependencies]
        study = ["PyYAML>=6", "new-reader[fast]==1; python_version>'3.11'"]
    """
    assert packages_of_study(planted) == {"yaml", "new_reader"}


@pytest.mark.heavy
@pytest.mark.repository
def test_the_types_agree():
    """As `make types` says; here other tests need not wait for it."""
    run = subprocess.run(
        [sys.executable, "-m", "mypy"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.heavy
def test_mypy_looks_into_functions_without_types(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    rooms = ("base", "probability", "graphs", "estimation", "decision", "mcmc")
    parts = ("network/em", "network/learning", "study/quiz", "study/drills")
    wrong = []
    for room in (*rooms, "conjugate", *parts, "network/bif"):
        path = tmp_path / "bayesbook" / room / "planted.py"
        path.parent.mkdir(parents=True)
        for folder in [path.parent, *path.parent.parents]:
            if folder != tmp_path and tmp_path in folder.parents:
                (folder / "__init__.py").touch()
        path.write_text("def planted():\n    return '1' + 1\n")
        wrong.append(str(path))
    config = Path(__file__).parents[1] / "pyproject.toml"
    cache = f"--cache-dir={tmp_path / 'cache'}"
    said, _, _ = mypy.run([f"--config-file={config}", cache, *wrong])
    assert f"Found {len(wrong)} errors in {len(wrong)} files" in said
