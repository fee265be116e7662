"""The files at the root say what is true, and their commands exist."""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import release
import yaml

import bayesbook

pytestmark = pytest.mark.repository

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"(?m)^([a-z-]+):", MAKEFILE))
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text())
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
JOBS = {
    f"{name}/{job}": content
    for name, workflow in WORKFLOWS.items()
    for job, content in workflow["jobs"].items()
}


def make(*arguments, **environment):
    return subprocess.run(
        ["make", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def python_of_version(version, folder):
    """Make a program that answers as a Python of that version would."""
    program = folder / "python"
    program.write_text(
        "#!/bin/sh\n"
        f'test "$1" = --version && echo "Python {version}" && exit\n'
        "exit 1\n"
    )
    program.chmod(0o755)
    return program


def test_an_old_python_is_refused_by_name_and_version(tmp_path):
    old = python_of_version("3.9.2", tmp_path)
    run = make("book", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}")
    assert run.returncode != 0
    assert "needs Python 3.11 or later" in run.stderr
    assert f"`{old}` is Python 3.9.2." in run.stderr
    assert not (tmp_path / "venv").exists()


def test_a_missing_python_is_refused_by_name(tmp_path):
    run = make(
        "book", f"PYTHON={tmp_path}/nothing", f"VENV={tmp_path / 'venv'}"
    )
    assert run.returncode != 0
    assert f"`{tmp_path}/nothing`" in run.stderr


def test_a_missing_chromium_is_asked_for(tmp_path):
    wrong = tmp_path / "chromium"
    # These tests run, so everything else is installed.
    run = make("chromium", "--old-file=.venv/ready", CHROMIUM=str(wrong))
    assert run.returncode != 0
    assert str(wrong) in run.stderr


def test_missing_browsers_are_asked_for():
    run = subprocess.run(
        [sys.executable, ROOT / "tests" / "driving.py"],
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode != 0
    assert "need firefox-esr or firefox" in run.stderr
    assert "apt-get install firefox-esr webkit2gtk-driver xvfb" in run.stderr


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "index.md"]
)
def test_the_commands_in_a_text_exist(name):
    text = (ROOT / name).read_text()
    commands = set(re.findall(r"(?m)(?:^|`)make ([a-z-]+)", text))
    assert commands
    assert commands <= TARGETS


def test_the_code_in_the_readme_gives_what_it_says():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_paths_in_the_readme_exist():
    readme = (ROOT / "README.md").read_text()
    table = [line for line in readme.splitlines() if line.startswith("| `")]
    paths = [
        path
        for line in table
        for path in re.findall("`([^`]+)`", line.split("|")[1])
    ]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_ci_runs_the_test_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text()
    assert script.splitlines()[-1] == "make test"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_workflows_pin_their_actions():
    uses = [
        step["uses"]
        for job in JOBS.values()
        for step in job["steps"]
        if "uses" in step
    ]
    assert uses
    unpinned = [
        use for use in uses if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", use)
    ]
    assert unpinned == []


def test_only_the_jobs_that_publish_may_write():
    for workflow in WORKFLOWS.values():
        assert workflow["permissions"] == {"contents": "read"}
    rights = {
        name: job["permissions"]
        for name, job in JOBS.items()
        if "permissions" in job
    }
    assert rights == {
        "book/publish": {"pages": "write", "id-token": "write"},
        "book/publish-notebooks": {"contents": "write"},
        "release/release": {"contents": "write"},
    }


def test_the_workflows_run_what_exists():
    """Every script and target that a job names is there."""
    commands = "\n".join(
        step["run"]
        for job in JOBS.values()
        for step in job["steps"]
        if "run" in step
    )
    scripts = set(re.findall(r"(?:tests|book)/[\w/]+\.(?:py|ipynb)", commands))
    assert scripts
    assert [path for path in scripts if not (ROOT / path).exists()] == []
    assert set(re.findall(r"(?m)^make ([a-z-]+)", commands)) <= TARGETS


def packages_beyond_the_job():
    """Name what the tests of the library have to go without, if need be."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {
        extra: {re.match(r"[\w-]+", requirement)[0] for requirement in needs}
        for extra, needs in project["optional-dependencies"].items()
    }
    beyond = extras["book"] | extras["test"] | extras["dask"]
    beyond -= extras["library-tests"]
    return {
        module
        for module, owners in packages_distributions().items()
        if beyond & {owner.lower().replace("_", "-") for owner in owners}
    }


WITHOUT = """
import sys
from importlib.machinery import PathFinder

import pytest

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, *where):
        if name.split(".")[0] in {missing!r}:
            return None
        return super().find_spec(name, *where)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
sys.exit(pytest.main({options!r}))
"""


@pytest.mark.heavy
def test_the_library_is_tested_without_what_its_job_lacks():
    """The job's command finds its tests where nothing else is installed."""
    (command,) = [
        step["run"]
        for step in JOBS["book/library"]["steps"]
        if "pytest" in step.get("run", "")
    ]
    python, *options, last = *shlex.split(command), "--collect-only"
    assert (python, options[:2]) == ("python", ["-m", "pytest"])
    missing = packages_beyond_the_job()
    assert {"axe_playwright_python", "dask", "playwright"} <= missing
    code = WITHOUT.format(missing=missing, options=[*options[2:], last, "-q"])
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:]
    assert "tests/graphs/test_parsing.py" in run.stdout
    assert "tests/study/quiz/test_answers.py" in run.stdout
    assert "test_page" not in run.stdout


@pytest.fixture
def released(tmp_path):
    """Copy what a release reads, with a date, to a root of its own."""
    version = bayesbook.__version__
    (tmp_path / "src" / "bayesbook").mkdir(parents=True)
    for name in ("src/bayesbook/__init__.py", "CITATION.cff", "CHANGELOG.md"):
        text = (ROOT / name).read_text("utf-8")
        assert version in text
        heading = rf"(?m)^## {re.escape(version)} \(.*\)$"
        text = re.sub(heading, f"## {version} (2026-01-31)", text)
        if name == "CITATION.cff":
            text = re.sub(r"(?m)^date-released: .*\n", "", text)
            text += "date-released: 2026-01-31\n"
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_the_release_says_one_version(released):
    assert release.notes(f"v{bayesbook.__version__}", released)
    with pytest.raises(release.ReleaseError, match="the tag says 9"):
        release.notes("v9.9.9", released)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("CITATION.cff", "CITATION.cff says"),
        ("CHANGELOG.md", "says nothing of"),
    ],
)
def test_a_release_that_does_not_agree_is_refused(released, file, message):
    version = bayesbook.__version__
    text = (released / file).read_text("utf-8")
    (released / file).write_text(text.replace(version, "7.7.7"), "utf-8")
    with pytest.raises(release.ReleaseError, match=message):
        release.notes(f"v{version}", released)


@pytest.mark.parametrize("day", ["date-released: 2026-02-01", ""])
def test_a_release_is_cited_with_its_day(released, day):
    path = released / "CITATION.cff"
    text = path.read_text("utf-8")
    path.write_text(text.replace("date-released: 2026-01-31", day), "utf-8")
    with pytest.raises(release.ReleaseError, match="date-released: 2026-01"):
        release.notes(f"v{bayesbook.__version__}", released)


@pytest.mark.parametrize(
    "heading", ["0.2.0", "0.2.0 (unreleased)", "0.2.0 (2026)"]
)
def test_a_release_without_a_date_is_refused(heading):
    with pytest.raises(release.ReleaseError, match=r"0\.2\.0 no date"):
        release.changes_of("0.2.0", f"## {heading}\n\nNew.\n")


@pytest.mark.parametrize("version", ["0.2", "0.2.0", "0.2.0-rc", ".2.0-rc1"])
def test_the_changes_of_another_version_are_not_taken(version):
    changelog = "## 0.2.0-rc1 (2026-01-31)\n\nNew.\n"
    assert release.changes_of("0.2.0-rc1", changelog)[1] == "New."
    with pytest.raises(release.ReleaseError, match="says nothing of"):
        release.changes_of(version, changelog)


def test_what_is_released_is_tested_before():
    (needed,) = [JOBS["release/release"]["needs"]]
    commands = [s.get("run") for s in JOBS[f"release/{needed}"]["steps"]]
    assert ".ci/run" in commands


def test_version_and_licences_agree_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    assert citation["version"] == bayesbook.__version__
    assert citation["title"] == config["title"]
    assert citation["authors"] == [{"name": config["author"]}]
    assert " AND ".join(citation["license"]) == "MIT AND CC-BY-4.0"
    # The real networks are not ours.
    assert project["license"] == "MIT AND CC-BY-4.0 AND CC-BY-SA-3.0"
