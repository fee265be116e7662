"""The house stands on its floors: imports go down, and never in a circle.

The rooms and their floors are those of CONTRIBUTING. Every import counts, also
one that a function makes when it is called, and one of a module that a string
names; of another room nothing private is used, neither a module nor a name.
"""

import ast
import re
from pathlib import Path

import networkx as nx
import pytest

LIBRARY = Path(__file__).parents[1] / "src" / "bayesbook"
FLOORS = (
    {"base"},
    {"probability"},
    {"graphs", "data"},
    {"estimation", "decision", "mcmc"},
    {"conjugate", "network"},
    {"naive_bayes", "sequences"},
    {"drawing"},
    {"study"},
)
FLOOR = {
    room: floor for floor, rooms in enumerate(FLOORS) for room in sorted(rooms)
}
# A longer file says in its docstring why it is one.
MOST_LINES = 700


def modules(library=LIBRARY):
    """Return the files of a library by the names of their modules."""
    found = {}
    for path in sorted(library.rglob("*.py")):
        parts = path.relative_to(library.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = path
    return found


def room_of(module):
    return module.split(".")[1] if "." in module else ""


def imports(module, path, tree, known):
    """Yield pairs: a module of the library, and the name imported from it."""
    package = (
        module if path.name == "__init__.py" else module.rpartition(".")[0]
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                above = package.split(".")[: -node.level + 1 or None]
                source = ".".join([*above, *filter(None, [source])])
            if source.split(".")[0] != "bayesbook":
                continue
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                yield (inner, "") if inner in known else (source, alias.name)


def named(tree, known):
    """Yield modules that strings name, as `import_module` reads them.

    Of a string with a place to fill, f"bayesbook.{room}", it is what stands
    before. A name that begins with a dot is refused: it does not say where.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if re.fullmatch(
                r"bayesbook\.(?:\w+\.?)*", text
            ):
                target = text.rstrip(".")
                while target not in known:
                    target = target.rpartition(".")[0]
                yield target
            case ast.Call(args=[ast.Constant(value=str(text)), *_]) if (
                text.startswith(".")
                and ast.unparse(node.func).endswith("import_module")
            ):
                yield "bayesbook"


def private_uses(tree):
    """Yield the private attributes of what is imported from the library."""
    of = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    of[alias.asname] = alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                of[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            whole = ast.unparse(node)
            first, _, rest = whole.partition(".")
            whole = f"{of.get(first, first)}.{rest}"
            if whole.startswith("bayesbook."):
                yield whole


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


def faults(library=LIBRARY):
    """Return what an import does that it must not, as sentences."""
    known, graph, found = modules(library), nx.DiGraph(), []
    for module, path in known.items():
        room = room_of(module)
        if room and room not in FLOOR:
            found.append(f"{module} is in no room")
            continue
        tree = ast.parse(path.read_text())
        imported = list(imports(module, path, tree, known))
        graph.add_edges_from((module, target) for target, _ in imported)
        # Whoever uses a string imports when a function is called: no circle.
        by_string = [(target, "") for target in named(tree, known)]
        if not room:  # The face of the house shows all rooms.
            continue
        for target, name in [*imported, *by_string]:
            if room_of(target) == room:
                continue
            if not room_of(target):
                found.append(f"{module} imports the face of the house")
            elif FLOOR[room_of(target)] >= FLOOR[room]:
                found.append(f"{module} imports {target}, which is not below")
            if any(is_private(part) for part in [*target.split("."), name]):
                found.append(
                    f"{module} imports the private {target} {name}".rstrip()
                )
        for whole in private_uses(tree):
            if room_of(whole) != room:
                found.append(f"{module} uses the private {whole}")
    # A package is imported before its modules: that alone makes no circle.
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    for circle in nx.strongly_connected_components(graph):
        if len(circle) > 1:
            found.append(f"a circle of imports: {', '.join(sorted(circle))}")
    return found


def test_imports_go_down():
    assert faults() == []


@pytest.mark.parametrize(
    ("where", "line", "fault"),
    [
        (
            "graphs/paths.py",
            "from bayesbook.network import JunctionTree",
            "not below",
        ),
        (
            "graphs/paths.py",
            "from bayesbook.data import read_cases",
            "not below",
        ),
        ("graphs/paths.py", "import bayesbook.study.quiz", "not below"),
        (
            "mcmc/lazy.py",
            "def f():\n    from bayesbook import drawing",
            "not below",
        ),
        (
            "study/peek.py",
            "from bayesbook.network.em import _problem",
            "private",
        ),
        (
            "study/peek.py",
            "from bayesbook.network.em._problem import EMProblem",
            "private",
        ),
        (
            "study/peek.py",
            "from bayesbook.network.model import _helper",
            "imports the private bayesbook.network.model _helper",
        ),
        (
            "study/peek.py",
            "import bayesbook.network.model as m\nm._helper()",
            "uses the private bayesbook.network.model._helper",
        ),
        (
            "study/peek.py",
            "import bayesbook.network.em\nbayesbook.network.em._helper()",
            "uses the private",
        ),
        (
            "study/peek.py",
            "from bayesbook.network import Net\nNet()._tables\nNet._tables",
            "uses the private bayesbook.network.Net._tables",
        ),
        ("mcmc/relative.py", "from ..network import model", "not below"),
        (
            "graphs/paths.py",
            "import_module('bayesbook.network')",
            "not below",
        ),
        (
            "graphs/paths.py",
            "importlib.import_module(name='bayesbook.study.quiz')",
            "not below",
        ),
        (
            "graphs/__init__.py",
            "LAZY = {'model': 'bayesbook.network.model'}",
            "not below",
        ),
        (
            "study/peek.py",
            "import_module(f'bayesbook.network.em._problem.{name}')",
            "private",
        ),
        ("graphs/paths.py", "import_module(f'bayesbook.{room}')", "face"),
        ("graphs/paths.py", "import_module('..network', room)", "face"),
        ("graphs/self.py", "import bayesbook", "face"),
        ("cellar.py", "", "no room"),
        (
            "graphs/egg.py",
            "from bayesbook.graphs.hen import lay",
            "a circle of imports: bayesbook.graphs.egg, bayesbook.graphs.hen",
        ),
    ],
)
def test_a_planted_violation_is_seen(tmp_path, where, line, fault):
    library = tmp_path / "bayesbook"
    for module in (
        *("__init__", "graphs/__init__", "data/__init__", "mcmc/__init__"),
        *("network/__init__", "network/model", "network/em/__init__"),
        *("network/em/_problem", "drawing/__init__", "study/__init__"),
        "study/quiz",
    ):
        path = library / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (library / "graphs" / "hen.py").write_text(
        "from bayesbook.graphs.egg import hatch"
    )
    assert faults(library) == []
    (library / where).write_text(line)
    (found,) = faults(library)
    assert fault in found


def test_nothing_lies_flat():
    flat = {path.name for path in LIBRARY.iterdir() if path.is_file()}
    assert flat <= {"__init__.py", "py.typed"}
    rooms = {path.name for path in LIBRARY.iterdir() if path.is_dir()}
    assert rooms - {"__pycache__"} == set(FLOOR)


def test_the_tests_mirror_the_rooms():
    tests = Path(__file__).parent
    folders = {path.parent for path in tests.rglob("test_*.py")} - {tests}
    rooms = {path.relative_to(tests).parts[0] for path in folders}
    assert rooms - {"book"} == set(FLOOR)


@pytest.mark.parametrize("folder", ["src", "tests", "book/_ext", "benchmarks"])
def test_long_files_say_why(folder):
    root = Path(__file__).parents[1]
    unexplained = []
    for path in sorted((root / folder).rglob("*.py")):
        text = path.read_text()
        doc = ast.get_docstring(ast.parse(text)) or ""
        if text.count(
            "\n"
        ) > MOST_LINES and "one file because" not in " ".join(
            doc.lower().split()
        ):
            unexplained.append(
                f"{path.relative_to(root)}: {text.count(chr(10))}"
            )
    assert unexplained == []
