"""The branch that Binder and Colab open: its environment, its start page."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import launch_branch
import nbformat
import pytest
import yaml
from book_texts import pages
from edition import published
from jsonschema import Draft7Validator
from launch_buttons import on_branch
from markdown_it import MarkdownIt
from nbformat.sign import NotebookNotary
from notebooks import ROOT, parse, toc_notebooks
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from test_binder import dockerfile, unpinned

pytestmark = pytest.mark.repository

CONFIG, TOC = launch_branch.read_book()
# These build and test the pages; who runs a chapter needs none of them.
LEFT_OUT = {"dask", "playwright", "pyarrow", "pytest", "ruff", "sphinx"}
HEAVIEST = 600e6  # bytes
SCHEMAS = Path(sys.prefix, "share", "jupyter", "lab", "schemas")
START = "prior = {"
CHANGE = {"F(1, 100)": "F(10, 100)", "F(99, 100)": "F(90, 100)"}


def with_title(path):
    """Return a notebook that only has the title of another."""
    title = launch_branch.title_of(parse(path.read_text("utf-8")))
    cells = [
        nbformat.v4.new_markdown_cell(f"# {title}", id="title"),
        nbformat.v4.new_code_cell("1 + 1", id="sum"),
    ]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture(scope="module")
def branch(tmp_path_factory):
    """Give the branch, with notebooks that only have titles."""
    folder = tmp_path_factory.mktemp("branch")
    for path in toc_notebooks(TOC):
        nbformat.write(with_title(path), folder / path.name)
    launch_branch.write_branch(folder, CONFIG, TOC)
    return folder


@pytest.fixture(scope="module")
def installed(branch):
    """Give the packages of the branch that this machine has, by name."""
    lines = (branch / "requirements.txt").read_text().splitlines()
    found = {}
    for line in lines[1:-1]:
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate():
            found[canonicalize_name(pin.name)] = distribution(pin.name)
    return found


# --- The environment --------------------------------------------------------


def test_the_pins_are_those_of_the_repository(branch):
    ours = (ROOT / "requirements.txt").read_text().splitlines()
    first, *lines, last = (branch / "requirements.txt").read_text().split("\n")
    assert first.startswith("#")
    assert last == ""
    assert unpinned("\n".join(lines[:-1])) == []
    assert set(lines[:-1]) < set(ours)
    all_pins = (branch / "constraints.txt").read_text().splitlines()[1:]
    assert all_pins == [line for line in ours if line[0] not in "#-"]


def needed_here(distribution):
    """Name what a package requires on this machine, without extras."""
    for text in distribution.requires or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or marker.evaluate({"extra": ""}):
            yield canonicalize_name(requirement.name)


def test_nothing_is_missing_and_nothing_superfluous(installed):
    """Seen from the packages, whose extras none of the book's needs uses."""
    project = launch_branch.read_project()
    roots = {
        canonicalize_name(it.name)
        for it in launch_branch.requirements_to_run(project)
    }
    needs = {name: {*needed_here(it)} for name, it in installed.items()}
    known = {*needs}
    assert roots <= known
    assert set().union(*needs.values()) <= known
    reached, new = set(), roots
    while new:
        reached |= new
        new = set().union(*(needs[name] for name in new)) - reached
    of_extras = known - reached
    # `jsonschema[format-nongpl]`, of jupyter-events, has these.
    assert of_extras <= FORMATS
    assert not LEFT_OUT & known


FORMATS = {
    *(
        "arrow",
        "fqdn",
        "isoduration",
        "lark",
        "jsonpointer",
        "python-dateutil",
    ),
    *("rfc3339-validator", "rfc3986-validator", "rfc3987-syntax", "six"),
    *("tzdata", "uri-template", "webcolors"),
    *("tinycss2", "webencodings"),  # of `bleach[css]`, of nbconvert
}


def imports_of(notebook):
    """Return the packages that the code of a notebook imports."""
    code = "\n".join(
        cell.source for cell in notebook.cells if cell.cell_type == "code"
    )
    found = re.findall(r"^ *(?:from|import) ([a-z]\w*)", code, re.MULTILINE)
    return set(found) - sys.stdlib_module_names - {"bayesbook"}


def test_what_notebooks_import_is_there_or_installed_by_them(installed):
    owners = packages_distributions()
    for path in toc_notebooks(TOC):
        name, notebook = path.stem, parse(path.read_text("utf-8"))
        missing = {
            package
            for package in imports_of(notebook)
            if not {canonicalize_name(it) for it in owners[package]}
            & installed.keys()
        }
        ids = [cell.id for cell in notebook.cells]
        installs = "dask-setup" in ids
        assert missing <= {"dask", "distributed"}, name
        assert bool(missing) == installs, name
        # pandas looks for what Dask brings only when it is imported.
        assert not installs or ids.index("dask-setup") < ids.index("imports")


def test_it_takes_little_room(installed):
    """Measured is what the packages bring, without Python's bytecode."""
    weights = {
        name: sum(file.size or 0 for file in it.files if file.suffix != ".pyc")
        for name, it in installed.items()
    }
    assert weights["scipy"] > 50e6
    assert sum(weights.values()) < HEAVIEST


def test_the_wheel_is_the_library_with_its_quizzes(branch):
    [wheel] = branch.glob("*.whl")
    last = (branch / "requirements.txt").read_text().splitlines()[-1]
    assert last == f"./{wheel.name}[study]"
    inside = set(zipfile.ZipFile(wheel).namelist())
    library = ROOT / "src"
    files = {
        path.relative_to(library).as_posix()
        for path in library.rglob("*.*")
        if path.suffix in (".py", ".js", ".css", ".csv", ".gz", ".json")
    }
    assert files <= inside
    quizzes = {path.name for path in (ROOT / "book/quizzes").glob("*.yml")}
    assert {f"bayesbook/study/quizzes/{name}" for name in quizzes} <= inside


def test_written_again_it_is_the_same_without_an_older_wheel(branch, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(branch, again)
    (again / "bayesbook-0.0.1-py3-none-any.whl").touch()
    (again / "settings" / "old.json").touch()
    launch_branch.write_branch(again, CONFIG, TOC)
    for folder, other in ((branch, again), (again, branch)):
        for path in folder.rglob("*.*"):
            twin = other / path.relative_to(folder)
            assert path.is_dir() or path.read_bytes() == twin.read_bytes()


def test_binder_accepts_the_branch(branch):
    """Its recipe, without docker: Python, the whole folder, then pip."""
    recipe = dockerfile(branch)
    assert "python=3.11" in recipe
    copied = re.search(r"COPY --chown=\S+ src/ \$\{REPO_DIR\}/?\s", recipe)
    (installs,) = re.finditer(r"pip install .*-r \"?requirements\.txt", recipe)
    run = re.search(r"RUN \./postBuild", recipe)
    assert copied.start() < installs.start() < run.start()
    assert os.access(branch / "postBuild", os.X_OK)


# --- What JupyterLab finds --------------------------------------------------


def test_jupyterlab_knows_the_settings(branch):
    file = "settings/labconfig/default_setting_overrides.json"
    settings = json.loads((branch / file).read_text())
    assert settings
    for plugin, values in settings.items():
        package, name = plugin.split(":")
        schema = json.loads((SCHEMAS / package / f"{name}.json").read_text())
        assert values.keys() <= schema["properties"].keys()
        Draft7Validator(schema).validate(values)


def test_the_first_chapter_opens(branch):
    file = branch / "settings" / "jupyter_server_config.json"
    config = json.loads(file.read_text())
    assert config == {"LabApp": {"default_url": "/lab/tree/events.ipynb"}}


@pytest.mark.heavy
def test_binder_is_set_up_by_post_build(branch, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    programs = Path(sys.executable).parent
    own = {"HOME": str(home), "PATH": f"{programs}{os.pathsep}/usr/bin:/bin"}
    subprocess.run(["./postBuild"], cwd=branch, env=own, check=True)
    notary = NotebookNotary(data_dir=str(home / ".local/share/jupyter"))
    for path in branch.glob("*.ipynb"):
        assert notary.check_signature(nbformat.read(path, 4)), path.name
    for file in ("jupyter_server_config.json", "labconfig"):
        assert (home / ".jupyter" / file).exists()
    [workspace] = (home / ".jupyter/lab/workspaces").iterdir()
    assert "README.md" in workspace.read_text()
    pip = (home / ".config/pip/pip.conf").read_text()
    assert f"constraint = {branch / 'constraints.txt'}" in pip


# --- The start page ---------------------------------------------------------


def links(markdown):
    """Return the addresses of the links of a page."""
    return [
        child.attrs["href"]
        for token in MarkdownIt().parse(markdown)
        for child in token.children or ()
        if child.type == "link_open"
    ]


def test_the_start_page_leads_everywhere(branch):
    text = (branch / "README.md").read_text("utf-8")
    assert not re.findall(r"\{[a-z]+\}", text), "nothing is left to fill in"
    home = published(CONFIG["repository"]["url"])
    notebooks, sites = set(), set()
    for address in links(text):
        if address.endswith(".ipynb"):
            notebooks.add(address)
        else:
            assert address.startswith(home)
            sites.add(address.removeprefix(home).removesuffix(".html"))
    assert notebooks == {path.name for path in toc_notebooks(TOC)}
    of_toc = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in toc_notebooks(TOC)
    }
    assert sites == {*of_toc, "", "book/appendix/progress"}


def test_a_chapter_has_the_title_of_its_notebook(branch):
    text = (branch / "README.md").read_text("utf-8")
    titles = dict(re.findall(r"^- \[(.*)\]\((\w+)\.ipynb\)", text, re.M))
    assert titles["Events"] == "events"
    assert titles["Data larger than memory"] == "large_data"


def test_what_the_start_page_lets_one_try(capsys):
    """With its change the probability is what it says."""
    notebook = parse(pages()["events"].read_text("utf-8"))
    sources = [cell.source for cell in notebook.cells]
    page = (launch_branch.SOURCES / "README.md").read_text("utf-8")
    [first_line] = re.findall(rf"`({re.escape(START)}.*)`", page)
    [cell] = [it for it in sources if it.startswith(first_line)]
    imports = "from bayesbook.probability import bayes_rule\n"
    imports += "from fractions import Fraction as F\n"
    exec(imports + cell, {})
    assert "P[ill | +] = 1/12\n" in capsys.readouterr().out
    for old, new in CHANGE.items():
        assert f"`{new}`" in page
        cell = cell.replace(old, new)
    exec(imports + cell, {})
    assert "P[ill | +] = 1/2\n" in capsys.readouterr().out
    assert "is 1/2 instead of 1/12" in page


def test_without_notebooks_there_is_no_branch(tmp_path, capsys):
    with pytest.raises(SystemExit):
        launch_branch.main([str(tmp_path)])
    assert "`make notebooks` writes them" in capsys.readouterr().err


@pytest.mark.heavy
def test_a_chapter_runs_in_the_environment_of_the_branch(
    branch, notebooks_to_run, tmp_path
):
    """All of them do every night, in one that pip makes from nothing."""
    python = tmp_path / "bin" / "python"
    # As make installs: what is in its cache does not come again.
    uv = Path(sys.executable).with_name("uv")
    chapter = notebooks_to_run / "events.ipynb"
    commands = [
        [uv, "venv", "--quiet", "--python", sys.executable, tmp_path],
        [
            *(uv, "pip", "install", "--quiet", "--system-certs"),
            *("--python", python, "-r", "requirements.txt"),
            *("-c", "constraints.txt", "pytest", "nbval"),
        ],
        [
            *(python, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-c", ROOT / "pyproject.toml", chapter),
        ],
    ]
    for command in commands:
        run = subprocess.run(
            command, cwd=branch, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"\d{2,} passed", run.stdout)


# --- The pages, and the hosted branch ---------------------------------------


def test_a_download_button_brings_the_notebook_of_the_edition(
    branch, tmp_path
):
    source = tmp_path / "_sources" / "book" / "estimation" / "risk.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text("MyST")
    launch_branch.offer_downloads(branch, tmp_path, TOC)
    assert source.read_text() == (branch / "risk.ipynb").read_text()
    assert [*source.parent.parent.rglob("*.ipynb")] == [source]


@pytest.mark.parametrize(
    ("address", "opened"),
    [
        (
            "https://x.org/v2/gh/main/main/main?urlpath=lab/tree/main/c.ipynb",
            "https://x.org/v2/gh/main/main/runs?urlpath=lab/tree/c.ipynb",
        ),
        (
            "https://x.org/github/main/main/blob/main/main/c.ipynb",
            "https://x.org/github/main/main/blob/runs/c.ipynb",
        ),
    ],
)
def test_a_launch_button_opens_the_branch(address, opened):
    assert on_branch(address, "main", "main/c", "runs") == opened


@pytest.fixture
def publish(tmp_path):
    """Give a function that publishes as the hosted job does, and a log."""
    workflow = yaml.safe_load(
        (ROOT / ".github" / "workflows" / "book.yml").read_text()
    )
    step = workflow["jobs"]["publish-notebooks"]["steps"][-1]
    assert step["env"]["BRANCH"] == CONFIG["sphinx"]["config"]["launch_branch"]
    git = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    place, origin = tmp_path / "place", tmp_path / "origin"

    def run(*command, folder=place):
        return subprocess.run(
            command,
            cwd=folder,
            env=git | step["env"] | {"GITHUB_SHA": "0123"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    def publish(text):
        notebooks = place / "notebooks"
        notebooks.mkdir(exist_ok=True)
        (notebooks / "a.ipynb").write_text(text)
        (notebooks / "postBuild").write_text("#!/bin/sh\n")
        run("bash", "-e", "-c", step["run"])
        show = ["git", "rev-list", "--objects", step["env"]["BRANCH"]]
        return run(*show, folder=origin).splitlines()

    run("git", "init", "--bare", origin, folder=tmp_path)
    run("git", "init", place, folder=tmp_path)
    run("git", "remote", "add", "origin", str(origin))
    (place / "source.md").write_text("")
    run("git", "add", "source.md")
    run("git", "commit", "-m", "source")
    publish.run, publish.origin = run, origin
    return publish


def test_the_branch_is_one_commit_which_stays_while_nothing_changes(publish):
    first = publish("1")
    show = ["git", "ls-tree", "-r", "notebooks"]
    modes = publish.run(*show, folder=publish.origin).splitlines()
    assert [(it[:6], it.split("\t")[1]) for it in modes] == [
        ("100644", "a.ipynb"),
        ("100755", "postBuild"),
    ]
    assert publish("1") == first
    second = publish("2")
    assert second[0] != first[0]
    count = ["git", "rev-list", "--count", "notebooks"]
    assert publish.run(*count, folder=publish.origin) == "1"
