"""From a kind and a seed to the same question, and to many different ones."""

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from study.drills.banks import bank

from bayesbook.study import drills, quiz
from bayesbook.study.drills.drill import pick, until
from bayesbook.study.quiz import pages

LARGEST = 1.2e6  # bytes of a bank that a page may fetch

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
def test_a_bank_as_a_script_gives_the_same_forms(kind):
    script = drills.bank_script(kind, size=3)
    head, _, content = script.partition(" = ")
    assert head == f'(window.bayesbookDrills ??= {{}})["{kind}"]'
    written = json.loads(content.removesuffix(";\n"))
    for position, (places, drill) in enumerate(
        zip(written["questions"], bank(kind)[:3], strict=True), 1
    ):
        form = "".join(written["parts"][place] for place in places)
        assert form == pages.form(
            drill.question,
            f"drill-{kind}-{drill.seed}",
            position,
            3,
            drill.explanation,
        )


@kinds
def test_a_bank_is_not_too_large(kind, site):
    assert 0 < (site / "drills" / f"{kind}.js").stat().st_size < LARGEST


@kinds
def test_nothing_leaves_the_page(kind):
    html = drills.show(kind, 1)._repr_mimebundle_()["text/html"]
    assert "http" not in html
    assert "localStorage" not in html


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
