"""`make mutants` makes the changes that it says, and sees a red test."""

import ast
import subprocess
import sys

import mutants
import pytest
from check import LIBRARY, TESTS
from mutants import Mutant, changed, code_mutants, is_red, page_mutants

pytestmark = pytest.mark.repository


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a < b", "a <= b"),
        ("a == b", "a != b"),
        ("a not in b", "a in b"),
        ("a + b", "a - b"),
        ("a ** b", "a * b"),
        ("a and b", "a or b"),
        ("not a", "a"),
        ("-a", "a"),
        ("True", "False"),
        ("0.5", "1.5"),
        ("a if b else c", "a if not b else c"),
    ],
)
def test_an_expression_becomes_another(old, new):
    node = ast.parse(old, mode="eval").body
    assert ast.unparse(changed(node)) == new
    assert ast.unparse(node) == old


@pytest.mark.parametrize(
    ("old", "new"),
    [("a += 1", "a -= 1"), ("print(a)", "pass"), ("raise a", "pass")],
)
def test_a_statement_becomes_another(old, new):
    assert ast.unparse(changed(ast.parse(old).body[0])) == new


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Give a function that writes a file of a house of its own."""
    monkeypatch.setattr(mutants, "ROOT", tmp_path)

    def write(name, text):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


MODULE = '''"""Add 1."""
@cases((1, 2))
def f(x: tuple[1, 2]) -> 3:
    """Add 2."""
    größe = f"{x + 1}"
    return "ß", größe, x * 4
'''


def test_what_computes_is_changed_where_it_stands(written):
    path = written("module.py", MODULE)
    found = list(code_mutants(path))
    assert [mutant.text() for mutant in found] == [
        MODULE.replace("x * 4", "(x / 4)"),
        MODULE.replace("x * 4", "x * (5)"),
    ]
    assert str(found[0]) == (
        'module.py: return "ß", größe, x * 4  =>  return "ß", größe, (x / 4)'
    )


BANK = """\
setup: dice = 36
questions:
  - prompt: Of 36 pairs 5 have the sum 8, see `x[2]`.
    options: [{text: 0.19, check: 5 / 36, why: "$x_4$"}]
"""


def test_the_numbers_that_a_quiz_tells_are_changed(written):
    found = list(page_mutants(written("bank.yml", BANK)))
    words = [str(mutant).split("=>")[1] for mutant in found]
    assert len(words) == 2 * 5
    assert "Of 37 pairs 5" in words[0]
    assert "Of 35 pairs 5" in words[1]
    assert "text: 0.10" in words[6]
    assert "text: 0.18" in words[7]


NOTEBOOK = r"""{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "a",
   "metadata": {},
   "source": [
    "A \"die\" has 6 faces,\n",
    "and $\\frac12$ of them."
   ]
  },
  {
   "cell_type": "code",
   "metadata": {
    "mystnb": {
     "figure": {
      "caption": "Of 36 pairs."
     }
    }
   },
   "source": [
    "x = 7"
   ]
  }
 ]
}
"""


def test_the_numbers_that_a_chapter_tells_are_changed(written):
    found = list(page_mutants(written("chapter.ipynb", NOTEBOOK)))
    assert [m.new for m in found] == ["7", "5", "13", "11", "37", "35"]
    assert found[0].text() == NOTEBOOK.replace("6 faces", "7 faces")
    assert found[-1].text() == NOTEBOOK.replace("36 pairs", "35 pairs")


def test_a_draw_is_the_same_again():
    files = mutants.library_files()[:20]
    first = mutants.drawn(files, code_mutants, 5, seed=3)
    assert first == mutants.drawn(files[::-1], code_mutants, 5, seed=3)
    assert len(set(first)) == 5


def test_a_draw_stays_when_other_lines_change(written):
    def drawn(text):
        mutants.text_of.cache_clear()
        found = [written("bank.yml", text)]
        return [*map(str, mutants.drawn(found, page_mutants, 99, seed=1))]

    before, after = drawn(BANK), drawn(f"title: Of 4 dice\n{BANK}")
    assert len(after) == len(before) + 2
    assert [mutant for mutant in after if mutant in before] == before


# The plugin that runs notebooks would take longest to start.
SETTINGS = """\
[pytest]
addopts = -pno:nbval
markers =
    heavy
    site
"""


@pytest.mark.parametrize(("value", "red"), [(1, False), (2, True)])
def test_a_red_test_is_seen(written, tmp_path, value, red):
    path = written("test_one.py", "def test_one():\n    assert 1 == 1\n")
    written("pytest.ini", SETTINGS)
    text = path.read_text("utf-8")
    start = text.index("1 ==")
    path.write_text(Mutant(path, start, start + 1, str(value)).text(), "utf-8")
    assert is_red([path], tmp_path) is red


@pytest.mark.parametrize(
    ("page", "name"),
    [("risk.yml", "[risk]"), ("checks/events.yml", "[events/checks]")],
)
def test_a_changed_page_has_tests_near_and_far(page, name):
    page = mutants.BOOK / "quizzes" / page
    assert page in mutants.page_files()
    chosen = []
    for arguments in mutants.proofs(page):
        collect = [sys.executable, "-m", "pytest", "--collect-only", "-q"]
        run = subprocess.run(
            [*collect, *map(str, arguments)],
            cwd=mutants.ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout
        chosen.append(run.stdout)
    near, far = chosen
    assert name in near
    assert f"[{page.stem}]" in far


def test_a_test_that_is_red_already_is_seen(written, tmp_path, monkeypatch):
    path = written("test_one.py", "def test_one():\n    assert 1 == 1\n")
    written("pytest.ini", SETTINGS)
    monkeypatch.setattr(mutants, "proofs", lambda path: [[path, "-k", "one"]])
    mutant = Mutant(path, 0, 0, "")
    assert not mutants.are_red_already([mutant], tmp_path)
    path.write_text(path.read_text("utf-8").replace("1 ==", "2 =="), "utf-8")
    assert mutants.are_red_already([mutant], tmp_path)


def test_an_endless_loop_is_red(written, tmp_path, monkeypatch):
    path = written("test_one.py", "def test_one():\n    while True: pass\n")
    written("pytest.ini", SETTINGS)
    monkeypatch.setattr(mutants, "SECONDS", 2)
    assert is_red([path], tmp_path)


def test_the_tests_of_a_module_come_before_those_of_its_folder():
    path = LIBRARY / "study" / "quiz" / "schema.py"
    own, folder, pages = mutants.proofs(path)
    assert own[0] == TESTS / "study" / "quiz" / "test_schema.py"
    assert folder == [TESTS / "study" / "quiz"]
    assert pages[:2] == ["-p", "tests.check"]
    # Without tests of its own it has those of its folder.
    own, _ = mutants.proofs(LIBRARY / "study" / "drills" / "stories.py")
    assert own[0] == TESTS / "study" / "drills"


def test_a_copy_is_that_of_the_last_commit():
    with mutants.copy_of_the_last_commit() as tree:
        assert (tree / "tests" / "claims.py").exists()
    assert not tree.exists()
    trees = ["git", "-C", mutants.ROOT, "worktree", "list"]
    run = subprocess.run(trees, capture_output=True, text=True, check=True)
    assert str(tree) not in run.stdout
