"""`make check` finds what proves a chapter, or a change."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import check
import notebooks
import pytest
import yaml
from check import BOOK, LIBRARY, ROOT, TESTS

pytestmark = pytest.mark.repository


def stems(paths):
    return {path.stem for path in paths}


def proofs_of_change(path):
    files, names, _ = check.proofs_of_changes([path])
    return stems(files), names


# --- Chapters ---------------------------------------------------------------


def test_every_chapter_and_page_of_the_guide_is_known():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    known = sorted(check.pages().values())
    assert known == sorted(notebooks.toc_notebooks(toc))


def test_a_chapter_is_all_its_files():
    """Other tests go through the files that are there, and miss none."""
    chapters = set(check.chapters())
    tests = TESTS / "study" / "exercises"
    assert chapters == stems((BOOK / "quizzes").glob("*.yml"))
    assert chapters > check.QUIZ_ONLY
    for chapter in chapters:
        has_exercises = chapter not in check.QUIZ_ONLY
        for file in (
            LIBRARY / "study" / "exercises" / f"{chapter}.py",
            tests / f"test_{chapter}.py",
            TESTS / "book" / f"test_{chapter}_problems.py",
        ):
            assert file.exists() is has_exercises


@pytest.mark.parametrize("chapter", ["events", "em"])
def test_a_chapter_is_proved_by_its_files(chapter):
    files, names = check.proofs_of(chapter)
    assert check.chapters()[chapter] in files
    assert LIBRARY / "study" / "exercises" / f"{chapter}.py" in files
    assert {f"test_{chapter}", f"test_{chapter}_problems"} <= stems(files)
    assert chapter in names


def test_a_chapter_is_proved_by_the_examples_of_what_it_imports():
    files, names = check.proofs_of("events")
    assert {"events", "hypotheses", "datasets", "figures"} <= stems(files)
    assert names >= {"events", "bayes"}


def test_a_page_of_the_guide_is_proved_without_quiz_and_exercises():
    files, names = check.proofs_of("guide_keep")
    assert files[0] == check.pages()["guide_keep"]
    assert {"writing", "datasets", "test_prose"} <= stems(files)
    assert names == {"guide_keep"}
    assert proofs_of_change(files[0]) == (stems(files), names)


def test_the_refresher_is_proved_with_its_quiz_and_without_exercises():
    files, names = check.proofs_of("refresher")
    assert files[0] == check.pages()["refresher"]
    assert {"figures", "test_prose", "test_quizzes"} <= stems(files)
    assert names == {"refresher"}
    quiz = BOOK / "quizzes" / "refresher.yml"
    assert proofs_of_change(quiz) == (stems(files), names)


def test_a_chapter_that_lacks_a_file_is_refused(monkeypatch):
    events = check.chapters()["events"]
    monkeypatch.setitem(check.chapters(), "new", events)
    with pytest.raises(SystemExit, match="new lacks book/quizzes/new"):
        check.proofs_of("new")


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("from bayesbook.probability import bayes_rule", {"hypotheses"}),
        ("from bayesbook import graphs\ngraphs.parse('A')", {"parsing"}),
        ("from bayesbook import network as bn\nbn.gibbs", {"gibbs"}),
        ("from numpy import array\nimport bayesbook", set()),
    ],
)
def test_imports_lead_to_modules(code, modules):
    assert stems(check.imported(code)) == modules


def test_a_chapter_that_imports_what_is_not_there_is_named(monkeypatch):
    code = "from bayesbook.network import no_such_name"
    monkeypatch.setattr(check, "code_of", lambda _: code)
    with pytest.raises(SystemExit, match=r"em\.ipynb: .* 'bayesbook\.network"):
        check.imports_of.__wrapped__(check.chapters()["em"])


def test_an_unknown_chapter_is_refused_by_name():
    run = subprocess.run(
        [sys.executable, check.__file__, "evnts"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "no chapter 'evnts'. Did you mean events?" in run.stderr


# --- Changes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("graphs/parsing.py", "graphs/test_parsing.py"),
        ("data/kinds.py", "data"),
        ("data/networks/catalogue.csv", "data"),
        ("study/quiz/quiz.schema.json", "study/quiz"),
        ("study/drills/networks/query.py", "study/drills"),
        ("base/numbers.py", "base/test_numbers.py"),
        ("__init__.py", "test_interface.py"),
    ],
)
def test_a_file_of_the_library_has_its_tests_or_its_folders(file, tests):
    assert check.by_place(LIBRARY / file)[0] == TESTS / tests


def test_a_change_of_a_module_is_proved_where_it_is_imported():
    files, names = proofs_of_change(LIBRARY / "probability" / "hypotheses.py")
    assert files >= {"hypotheses", "test_hypotheses", "events"}
    assert files >= {"test_layers", "test_words", "test_interface"}
    assert "events" in names
    assert "em" not in names


def test_a_deleted_module_is_proved_by_its_room():
    files, _ = proofs_of_change(LIBRARY / "graphs" / "deleted.py")
    assert files == {"graphs", "test_layers", "test_words", "test_interface"}


def test_git_names_what_is_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "ROOT", tmp_path)
    (tmp_path / "deleted.py").write_text("")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "deleted.py"], cwd=tmp_path, check=True)
    (tmp_path / "deleted.py").unlink()
    assert check.changed() == [tmp_path / "deleted.py"]


@pytest.mark.parametrize(
    "source",
    ["book/quizzes/risk.yml", "src/bayesbook/study/exercises/risk.py"],
)
def test_a_part_of_a_chapter_is_proved_by_the_chapter(source):
    files, names = proofs_of_change(ROOT / source)
    assert files >= {"risk", "test_risk", "test_every_chapter"}
    assert "risk" in names


def test_a_quiz_without_a_chapter_is_seen():
    files, names = proofs_of_change(BOOK / "quizzes" / "no_chapter.yml")
    assert files == {"test_quizzes", "test_check"}
    assert names == {"test_quizzes"}


# Not in quotes, so that these tests are not what names them.
NAMED = """
README.md                            test_house
Makefile                             test_house
.github/workflows/book.yml           test_house
_toc.yml                             test_notebooks
runtime.txt                          test_binder
book/_ext/chinese.py                 test_extensions
book/_ext/notebooks.py               test_canonical
book/appendix/library/network.md     test_interface
tests/check.py                       test_check
tests/graph_truth.py                 test_separation
tests/drawing/pictures.py            test_layout
tests/book/test_browser.py           test_browser
"""
UNNAMED = (ROOT / "unnamed").with_suffix(".svg")


@pytest.mark.parametrize("line", NAMED.strip().splitlines())
def test_another_file_is_proved_by_the_tests_that_name_it(line):
    file, test = line.split()
    assert test in proofs_of_change(ROOT / file)[0]


def test_a_file_that_no_test_names_is_without_proof():
    assert check.proofs_of_changes([UNNAMED]) == ([], set(), [UNNAMED])
    assert check.proofs_of_changes([]) == ([], set(), [])


def test_every_file_that_is_known_by_name_is_there():
    readers = [test for tests in check.READERS.values() for test in tests]
    known = [*check.RULES, *check.SHARED, *check.READERS, *readers]
    assert [path for path in known if not path.exists()] == []


# --- What shared files run --------------------------------------------------


@pytest.mark.parametrize(
    "file",
    [
        "tests/book/test_prose.py",
        "src/bayesbook/study/drills/render.py",
        "tests/study/drills/banks.py",
    ],
)
def test_a_shared_file_that_is_chosen_itself_is_run_whole(file):
    _, names = proofs_of_change(ROOT / file)
    assert names & {"test_prose", "test_bank"}


def run_pytest(*arguments):
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "tests.check"),
            *("-q", "-p", "no:cacheprovider", *map(str, arguments)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    return run.stdout.splitlines()


@pytest.fixture(scope="module")
def collected():
    """Give the tests of shared files for a chapter; one file is whole."""
    only = "--only=risk,bayes,test_prose"
    lines = run_pytest("--collect-only", only, *check.SHARED)
    return [line for line in lines if "::" in line]


@pytest.mark.parametrize(
    "wanted",
    [
        "test_the_notebook_is_in_canonical_form[estimation/risk]",
        "test_the_table_of_contents_lists_every_notebook_and_no_other",
        "test_every_key_is_recomputed[risk]",
        "test_the_same_seed_gives_the_same_question[bayes]",
        "test_every_number_is_shown_near_it[events]",
        "test_no_constant_passes[risk/",
        "test_a_seed_is_a_whole_number[1.0-TypeError]",
    ],
)
def test_shared_files_run_for_the_chapter(collected, wanted):
    assert any(f"::{wanted}" in line for line in collected)


def test_shared_files_run_for_no_other_chapter(collected):
    others = "|".join(set(check.chapters()) - {"risk"})
    other = re.compile(rf"[\[/-](?:{others})[]/]")
    found = [line for line in collected if other.search(line)]
    assert found
    assert all("test_prose.py" in line for line in found)


def test_the_examples_of_a_file_alone_are_about_the_one_library():
    """An error that is caught is the error that the library raises."""
    run_pytest("--only=", LIBRARY / "base" / "errors.py")


# --- The command ------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "pytest_says", "status", "said"),
    [
        ([], 1, 0, "Git calls nothing changed."),
        ([check.__file__], 0, 0, ""),
        ([check.__file__], 1, 1, ""),
        ([check.__file__], 5, 0, "left to `make test`"),
        ([UNNAMED], 0, 1, "No quick test is about unnamed.svg: run `make"),
        ([check.__file__, UNNAMED], 0, 0, "No quick test is about unnamed"),
    ],
)
def test_the_command_says_what_it_has_proved(
    monkeypatch, capsys, changed, pytest_says, status, said
):
    run = SimpleNamespace(returncode=pytest_says)
    monkeypatch.setattr(check, "changed", lambda: [*map(Path, changed)])
    monkeypatch.setattr(check.subprocess, "run", lambda *_, **__: run)
    assert check.main([]) == status
    assert said in capsys.readouterr().out


def test_some_tests_are_heavy():
    """They are left out, which a misspelt mark would not do."""
    texts = [
        path.read_text("utf-8")
        for path in TESTS.rglob("test_*.py")
        if path.name != "test_check.py"
    ]
    assert any("pytest.mark.heavy" in text for text in texts)
