"""Drills of concepts, answered again from their prompts by the library."""

import re
from collections import Counter
from fractions import Fraction as F
from math import log

import numpy as np
import pytest
from study.drills.banks import bank

from bayesbook.conjugate import ConceptSpace
from bayesbook.study import quiz

KINDS = ("concept-posterior", "concept-prediction")
FRACTION = r"\$\\frac\{(\d+)\}\{(\d+)\}\$"
SET = re.compile(r"\$\\\{([\d, ]+)\\\}\$ with (\d+/\d+)")


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", KINDS)
def test_models_take_turns(kind):
    counted = Counter(drill.question.check for drill in bank(kind))
    assert len(counted) == 4
    assert min(counted.values()) >= 40


def members(name, top):
    """List what obeys a rule, by other means than the drill."""
    whole = {*range(1, top + 1)}
    k = int(name.split()[-1]) if name[-1].isdigit() else 0
    if name.startswith("multiples"):
        return whole & {*range(k, top + 1, k)}
    if name.startswith("powers"):
        return whole & {k**e for e in range(1, 7)}
    found = {"all numbers": whole, "even": whole & {*range(2, top + 1, 2)}}
    return (found | {"squares": whole & {i * i for i in whole}})[name]


def space_of(names, weights, top):
    sets = {name: members(name, top) for name in names}
    prior = dict(zip(names, map(float, weights), strict=True))
    return ConceptSpace.from_sets(sets, prior, n=top)


def numbers_in(text):
    return [int(n) for n in re.findall(r"\d+", text)]


def by_strong_sampling(prompt):
    top = int(re.search(r"from 1 to (\d+)", prompt)[1])
    first, second = re.findall(r'"([^"]+)"', prompt)[:2]
    p = F(*map(int, re.search(FRACTION, prompt).groups()))
    drawn = re.search(r"Drawn from it are ([^a-z]+(?:and \d+)?)", prompt)[1]
    space = space_of([first, second], [p, 1 - p], top)
    return space.posterior(numbers_in(drawn))[0]


def by_weak_sampling(prompt):
    top = int(re.search(r"from 1 to (\d+)", prompt)[1])
    pairs = re.findall(r'"([^"]+)" \((\d+/\d+)\)', prompt)
    named = re.search(r"of your choice, (\d+) and (\d+),", prompt).groups()
    asked = re.search(r'probability of "([^"]+)"\?', prompt)[1]
    space = space_of([n for n, _ in pairs], [F(w) for _, w in pairs], top)
    left = space.prior * space.consistent([int(x) for x in named])
    return left[space.names.index(asked)] / left.sum()


def by_logarithms(prompt):
    small, odds, large = (
        int(re.search(pattern, prompt)[1])
        for pattern in (
            r"A rule has (\d+)",
            r"frac\{1\}\{(\d+)\}",
            r"has (\d+) members\. The",
        )
    )
    return int(log(odds) / log(large / small)) + 1


def by_families(prompt):
    w = F(*map(int, re.search(FRACTION, prompt).groups()))
    first, second = map(int, re.findall(r"\$(\d+) .cdot", prompt))
    log_odds = log(w / (1 - w)) + log(first) - log(second)
    return 1 / (1 + np.exp(-log_odds))


def test_posteriors_are_those_of_the_library():
    seen = Counter()
    routes = {
        "Drawn from it": by_strong_sampling,
        "of your choice": by_weak_sampling,
        "A rule has": by_logarithms,
        "The evidence": by_families,
    }
    for drill in bank("concept-posterior"):
        [words] = [words for words in routes if words in drill.prompt]
        found = routes[words](drill.prompt)
        assert float(F(drill.answer)) == pytest.approx(found, abs=1e-4)
        seen[words] += 1
    assert min(seen.values()) >= 40
    assert len(seen) == 4


def test_predictions_are_those_of_the_library():
    seen = Counter()
    for drill in bank("concept-prediction"):
        found = SET.findall(drill.prompt)
        sets = {str(i): numbers_in(h) for i, (h, _) in enumerate(found)}
        prior = {str(i): float(F(w)) for i, (_, w) in enumerate(found)}
        assert len(sets) == 3
        space = ConceptSpace.from_sets(sets, prior, n=12)
        *_, question = drill.prompt.split("probability. ")
        asked = numbers_in(question)
        if "belongs to the concept?" in question:
            answer = space.membership()[asked[0] - 1]
        elif "next example is" in question:
            answer = space.predictive()[asked[0] - 1]
        elif "first example is" in question:
            answer = space.predictive(asked[:1])[asked[1] - 1]
        else:
            answer = space.membership().sum()
        assert float(F(drill.answer)) == pytest.approx(answer, abs=1e-4)
        seen[len(asked), "next" in question] += 1
    assert min(seen.values()) >= 40
    assert len(seen) == 4
