"""From a kind and a seed to the same question, and to many different ones."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from study.drills.banks import bank

from bayesbook.study import drills, quiz
from bayesbook.study.drills.drill import pick, until
from bayesbook.study.drills.writing import TOLERANCE
from bayesbook.study.quiz import pages

LARGEST = 150_000  # bytes that a page may fetch for a click

kinds = pytest.mark.parametrize("kind", drills.KINDS)


@kinds
def test_the_same_seed_gives_the_same_question(kind):
    assert drills.question(kind, 7) == drills.question(kind, 7)
    assert drills.question(kind, np.int64(7)) == drills.question(kind, 7)
    assert drills.question(kind, 0) != drills.question(kind, 7)


def test_another_process_gives_the_same_questions():
    """With another order of sets, which Python draws for each process."""
    code = (
        "from bayesbook.study import drills\n"
        "for kind in drills.KINDS:\n"
        "    for seed in range(5): print(drills.question(kind, seed))\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] != ""


@kinds
def test_a_bank_has_two_hundred_different_questions(kind):
    assert len(bank(kind)) == 200
    for distinct in (
        {drill.prompt for drill in bank(kind)},
        {drill.seed for drill in bank(kind)},
        {drill.question.id for drill in bank(kind)},
    ):
        assert len(distinct) == 200
    assert all(
        drills.question(kind, drill.seed) == drill for drill in bank(kind)[:9]
    )


@kinds
def test_a_question_has_prompt_options_answer_and_explanation(kind):
    drill = drills.question(kind, 1)
    assert drill.prompt == drill.question.prompt
    if isinstance(drill.question, quiz.Numeric):
        assert drill.options == ()
        assert Fraction(drill.answer) > 0
    else:
        assert set(drill.answer) < set(drill.options)
    assert len(drill.explanation) > 200
    assert str(drill).startswith("Question 1 · ")
    assert "](" not in str(drill)


@kinds
def test_banks_as_scripts_give_the_same_forms(kind):
    scripts = drills.bank_scripts(kind, size=1)
    assert [*scripts] == drills.bank_names(kind)
    families = drills.FAMILIES.get(kind, [None])
    wanted = [
        drill
        for family in families
        for drill in drills.bank(kind, len(scripts) // len(families), family)
    ]
    for (name, script), drill in zip(scripts.items(), wanted, strict=True):
        head, _, content = script.partition(" = ")
        assert head == f'(window.bayesbookDrills ??= {{}})["{name}"]'
        assert drill.family in name
        written = json.loads(content.removesuffix(";\n"))
        [places] = written["questions"]
        form = "".join(written["parts"][place] for place in places)
        assert form == pages.form(
            drill.question,
            f"drill-{drill.question.id}",
            drill.seed,
            worked=drill.explanation,
            hints=drill.hints,
            read=drill.section,
        )


@kinds
def test_a_click_fetches_little_of_many_questions(kind, site):
    files = [
        site / "drills" / f"{name}.js" for name in drills.bank_names(kind)
    ]
    assert max(file.stat().st_size for file in files) <= LARGEST
    contents = [file.read_text().partition(" = ")[2] for file in files]
    names = [json.loads(each.rstrip(";\n"))["names"] for each in contents]
    assert len({name for own in names for name in own}) >= 200


@kinds
def test_hints_are_of_the_very_case(kind):
    """What to look at may be said of many cases, the first step of few."""
    steps = set()
    for drill in bank(kind)[:60]:
        look, step = drill.hints
        assert re.match(r"\*\*What to look at\.\*\* .*[.?]$", look), drill
        assert re.match(r"\*\*The first step\.\*\* .*[.?]$", step), drill
        assert "None" not in look + step
        steps.add(step)
    assert len(steps) >= 25


def test_the_sections_that_explain_drills_exist():
    labels = {
        label for kind in drills.KINDS for label in drills.section_labels(kind)
    }
    chapters = Path(__file__).parents[3].glob("book/*/*.ipynb")
    text = "".join(chapter.read_text() for chapter in chapters)
    assert len(labels) >= 15
    assert [each for each in labels if f'"({each})=\\n"' not in text] == []
    for kind in drills.KINDS:
        own = {drill.section for drill in bank(kind)}
        assert own == set(drills.section_labels(kind))


mixed = pytest.mark.parametrize("kind", drills.FAMILIES)


@mixed
def test_a_family_is_asked_for_alone_or_with_others(kind):
    families = drills.FAMILIES[kind]
    for seed, family in enumerate(families):
        alone = drills.question(kind, seed, family)
        assert alone.family == family
        assert alone == drills.question(kind, seed)
        assert alone.question.id == f"{kind}-{family}-{seed}"
        other = drills.question(kind, seed, families[seed - 1])
        assert other.family == families[seed - 1]
    two = families[1:3]
    assert [drills.question(kind, n, two).family for n in (2, 3)] == [*two]


@mixed
def test_a_drill_of_a_family_has_the_banks_of_that_family_only(kind):
    for family in drills.FAMILIES[kind]:
        names = drills.bank_names(kind, [family])
        assert {name.rpartition("-")[0] for name in names} == {
            f"{kind}-{family}"
        }
        html = drills.show(kind, 1, family)._repr_mimebundle_()["text/html"]
        assert f'data-families="{family}"' in html
        assert f"seed=2, family=&quot;{family}&quot;)</code>" in html
    html = drills.show(kind, 1)._repr_mimebundle_()["text/html"]
    assert f'data-families="{" ".join(drills.FAMILIES[kind])}"' in html
    assert "family=" not in html


def test_an_unknown_family_is_named_with_the_nearest():
    with pytest.raises(ValueError, match="Did you mean `beta-binomial`"):
        drills.show("update", 1, "beta-binomail")
    with pytest.raises(ValueError, match=r"no family 3\. There are: beta-bin"):
        drills.question("predict", 1, ["gaussian", 3])
    with pytest.raises(ValueError, match="'bayes' has no families: leave"):
        drills.bank("bayes", 1, "gaussian")


@kinds
def test_nothing_leaves_the_page(kind):
    html = drills.show(kind, 1)._repr_mimebundle_()["text/html"]
    assert "http" not in html


def test_an_unknown_kind_is_named_with_the_nearest():
    for ask in (drills.question, drills.show, drills.bank):
        with pytest.raises(ValueError, match="Did you mean `equivalence`"):
            ask("equivalense", 1)
    with pytest.raises(ValueError, match=r"no drill 3\. There are: bayes, "):
        drills.question(3, 1)


@pytest.mark.parametrize(
    ("seed", "error"),
    [
        (-1, ValueError),
        (1.0, TypeError),
        ("1", TypeError),
        (True, TypeError),
        (None, TypeError),
    ],
)
def test_a_seed_is_a_whole_number(seed, error):
    with pytest.raises(error, match=f"seed={seed!r} is not a whole"):
        drills.question("bayes", seed)


@pytest.mark.parametrize(
    ("size", "error"), [(0, ValueError), (2.5, TypeError), (True, TypeError)]
)
def test_a_size_is_a_number_of_questions(size, error):
    with pytest.raises(error, match=f"size={size!r} is not a number of"):
        drills.bank("bayes", size)


def test_draws_that_never_suit_are_an_error():
    with pytest.raises(RuntimeError, match="None of 20000 draws suits"):
        until(lambda: None)


def test_each_is_picked_as_often():
    rng = np.random.default_rng(0)
    picked = [pick(rng, "abc") for _ in range(3000)]
    assert all(900 < picked.count(letter) < 1100 for letter in "abc")


EXACT = ("maximum-likelihood", "standard-error", "naive-bayes", "odds")
EXACT += ("conditional-mean", "total-variance", "threshold", "bayes-risk")
EXACT += ("deviation-bound", "sampling-error")
EXACT += ("beta-estimate", "shrinkage")
EXACT += ("concept-posterior", "concept-prediction")
EXACT += ("merged-moments", "reduction-tree", "unknown-noise")


@pytest.mark.parametrize("kind", EXACT)
def test_no_typed_number_is_right_and_wrong(kind):
    for drill in bank(kind):
        values = [Fraction(wrong.value) for wrong in drill.question.wrong]
        assert len(values) >= 3
        for one, two in combinations([Fraction(drill.answer), *values], 2):
            assert abs(one - two) > 2 * TOLERANCE, drill
