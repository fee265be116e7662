"""Every question read again as a reader does, and answered by quadrature."""

import re
from collections import Counter
from fractions import Fraction as F
from itertools import combinations
from types import SimpleNamespace

import pytest
from study.drills.banks import bank
from study.drills.conjugate_answers import QUESTIONS, which
from study.drills.conjugate_prompts import number, split
from tex_values import value

from bayesbook.study import quiz
from bayesbook.study.drills.writing import TOLERANCE

KINDS = ("update", "posterior", "predict")
NUMBERS = ("update", "predict")


@pytest.mark.parametrize("kind", NUMBERS)
def test_answers_are_those_of_quadrature(kind):
    assert len(bank(kind)) == 200
    for drill in bank(kind):
        _, answer, groups = which(drill)
        other = answer(split(drill)[0], *groups)
        assert float(F(drill.answer)) == pytest.approx(other, rel=1e-4), drill


@pytest.mark.parametrize("kind", KINDS)
def test_the_checks_of_the_questions_agree(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", NUMBERS)
def test_no_typed_number_is_right_and_wrong(kind):
    for drill in bank(kind):
        values = [F(wrong.value) for wrong in drill.question.wrong]
        for one, two in combinations([F(drill.answer), *values], 2):
            assert abs(one - two) > 2 * TOLERANCE, drill


@pytest.mark.parametrize("kind", NUMBERS)
def test_three_decimals_are_enough(kind):
    for drill in bank(kind):
        answer = float(F(drill.answer))
        typed = float(f"{answer:.3f}")
        assert quiz.agrees(typed, answer, drill.question.tolerance)
        assert answer >= 0.01


@pytest.mark.parametrize("kind", NUMBERS)
def test_the_last_equation_is_the_answer(kind):
    for drill in bank(kind):
        number = drill.explanation.split("**The number.**")[1]
        [formula] = re.findall(r"\$\$(.*?)\$\$", number)
        last = re.split(r"=|\\approx", formula)[-1]
        answer = float(F(drill.answer))
        assert float(value(last)) == pytest.approx(answer, rel=6e-4)
        assert drill.question.why in number.strip()


AT_THE_MEAN = re.compile(
    r"fixed at (?:its mean|their means) it would be (\S+)\. "
    r"Averaging gives (more|less), ([\d.]+\d)[:,]"
)


def test_predictions_from_the_mean_alone_are_compared_with_the_answer():
    families = Counter()
    for drill in bank("predict"):
        said = AT_THE_MEAN.search(" ".join(drill.explanation.split()))
        if not said:
            continue
        found = split(drill)[0]
        _, answer, groups = which(drill)
        # All mass at the mean of the parameters.
        mean = (found.grid * found.mass).sum(axis=-1)
        alone = SimpleNamespace(
            facts=found.facts, mean=lambda f, mean=mean: f(mean)
        )
        plain, averaged = answer(alone, *groups), float(F(drill.answer))
        assert float(said[1]) == pytest.approx(plain, rel=6e-3)
        assert float(said[3]) == pytest.approx(averaged, rel=6e-3)
        assert said[2] == ("more" if averaged > plain else "less")
        families[found.family, said[2]] += 1
    assert families.keys() >= {("categories", "more"), ("categories", "less")}
    assert families.keys() >= {("trials", "more"), ("counts", "more")}


@pytest.mark.parametrize("kind", KINDS)
def test_tables_add_up(kind):
    for drill in bank(kind):
        rows = [
            [number(cell) for cell in re.findall(r"(?<=\| )[\d./]+", line)]
            for line in drill.explanation.splitlines()
            if line.startswith("| ") and "---" not in line
        ]
        _, before, data, after = rows
        if split(drill)[0].family == "readings":
            before, data = before[::2], data[::2]
        assert after == [a + b for a, b in zip(before, data, strict=True)]


PRECISION = re.compile(
    r"that of (?:the reading (?P<alone>[\d./]+)"
    r"|a reading (?P<each>[\d./]+), and there are (?P<n>\d+))\. "
)


def test_the_precisions_of_several_readings_are_added():
    together = Counter()
    for drill in bank("update"):
        if split(drill)[0].family != "readings":
            continue
        text = " ".join(drill.explanation.split())
        said = PRECISION.search(text)
        of_all = number(re.search(r"\| data \| ([\d./]+)", text)[1])
        if said["n"]:
            assert of_all == int(said["n"]) * number(said["each"])
            assert int(said["n"]) > 1
        else:
            assert of_all == number(said["alone"])
        together[bool(said["n"])] += 1
    assert min(together[True], together[False]) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_families_and_stories_take_turns(kind):
    families = Counter(split(drill)[0].family for drill in bank(kind))
    assert set(families) == set(QUESTIONS)
    assert min(families.values()) >= 38
    stories = Counter(
        re.split(r", | with | is | are |\. ", drill.prompt)[0]
        for drill in bank(kind)
    )
    assert len(stories) >= 36
    assert max(stories.values()) <= 16


@pytest.mark.parametrize("kind", NUMBERS)
def test_no_question_is_rare(kind):
    found = Counter(
        (split(drill)[0].family, which(drill)[0]) for drill in bank(kind)
    )
    assert len(found) >= 15
    assert min(found.values()) >= 2
