"""`make check` finds what proves a chapter, or a change."""

import subprocess
import sys

import check
import pytest


def stems(paths):
    return {path.stem for path in paths}


def test_every_chapter_is_known():
    assert {"events", "em", "large_data"} <= set(check.chapters())
    assert len(check.chapters()) == 24


@pytest.mark.parametrize("chapter", ["events", "em"])
def test_a_chapter_is_proved_by_its_files(chapter):
    files, names = check.proofs_of(chapter, check.chapters()[chapter])
    assert files[0] == check.chapters()[chapter]
    assert {f"test_{chapter}", f"test_{chapter}_problems"} <= stems(files)
    assert chapter in names


def test_a_chapter_is_proved_by_the_examples_of_what_it_imports():
    files, names = check.proofs_of("events", check.chapters()["events"])
    assert {"events", "hypotheses", "datasets", "figures"} <= stems(files)
    assert {"conditioning/events", "bayes"} <= names


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


def test_a_module_is_proved_by_the_test_of_its_name_or_of_its_folder():
    library, tests = check.LIBRARY, check.TESTS
    named = check.tests_of(library / "graphs" / "parsing.py")
    assert named == tests / "graphs" / "test_parsing.py"
    assert check.tests_of(library / "data" / "kinds.py") == tests / "data"


def test_a_change_of_a_module_is_proved_where_it_is_imported():
    module = check.LIBRARY / "probability" / "hypotheses.py"
    files, names = check.proofs_of_changes([module])
    assert module in files
    assert check.chapters()["events"] in files
    assert "events" in names
    assert "em" not in names
    assert {"test_layers", "test_words", "test_interface"} <= stems(files)


def test_a_change_of_a_quiz_is_proved_by_its_chapter():
    quiz = check.BOOK / "quizzes" / "risk.yml"
    files, names = check.proofs_of_changes([quiz])
    assert check.chapters()["risk"] in files
    assert "risk" in names


def test_nothing_changed_is_nothing_to_prove():
    assert check.proofs_of_changes([]) == ([], set())


def test_an_unknown_chapter_is_refused_by_name():
    run = subprocess.run(
        [sys.executable, check.__file__, "evnts"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "no chapter 'evnts'. Did you mean events?" in run.stderr


def test_shared_files_run_only_for_the_chapter():
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "check", "--only=risk"),
            *("--collect-only", "-q", "-p", "no:cacheprovider"),
            "tests/book/test_quizzes.py",
        ],
        cwd=check.ROOT,
        env=check.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    listed = [line for line in run.stdout.splitlines() if "::" in line]
    assert listed
    assert all("[risk]" in line for line in listed)
