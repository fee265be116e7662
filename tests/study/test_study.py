"""The room itself: loaded part by part; a missing package is named."""

import subprocess
import sys

import pytest

from bayesbook import study

PACKAGES = {
    "fastjsonschema": "fastjsonschema",
    "jsonschema": "jsonschema",
    "markdown_it": "markdown-it-py",
    "mdit_py_plugins": "mdit-py-plugins",
    "yaml": "pyyaml",
}


def run(code, *blocked):
    """Run a program in which packages cannot be imported."""
    block = f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n"
    return subprocess.run(
        [sys.executable, "-c", block + code],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_bare_import_loads_no_part_and_no_package():
    code = f"""
import bayesbook.study
parts = [m for m in sys.modules if m.startswith("bayesbook.study.")]
print(parts, [name for name in {tuple(PACKAGES)!r} if name in sys.modules])
"""
    assert run(code).stdout.strip() == "[] []"


def test_the_parts_are_loaded_when_used():
    code = """
from bayesbook import study
print(study.quiz.show.__name__, study.drills.KINDS[0])
print(study.exercises.check.__name__, study.stepper.Frame.__name__)
"""
    assert run(code).stdout.split() == ["show", "bayes", "check", "Frame"]


def test_another_name_is_no_part():
    with pytest.raises(AttributeError, match=r"study.* no attribute 'quizz'"):
        study.quizz  # noqa: B018
    assert set(study.__all__) <= set(dir(study))


@pytest.mark.parametrize(("package", "called"), PACKAGES.items())
def test_a_missing_package_is_named_with_the_extra(package, called):
    code = """
import importlib
for part in ("quiz", "drills", "stepper"):
    try:
        importlib.import_module(f"bayesbook.study.{part}")
    except ImportError as error:
        print(type(error).__name__, error)
"""
    said = run(code, package).stdout.splitlines()
    assert len(said) == 3
    for line in said:
        assert line.startswith("ImportError ")
        assert called in line
        assert 'pip install "bayesbook[study]"' in line


def test_exercises_need_no_package_of_the_extra():
    done = run("import bayesbook.study.exercises.events", *PACKAGES)
    assert done.returncode == 0, done.stderr
