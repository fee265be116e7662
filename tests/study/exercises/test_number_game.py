"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from math import ceil, floor, log

import pytest
from scipy.special import expit, logit
from study.exercises.solving import solved_by

from bayesbook.conjugate import ConceptSpace
from bayesbook.probability import bayes_rule, two_stage
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: trees, the library, logarithms ------------


def concept_posterior(concepts, prior, data):
    """Update with one example after the other."""
    for x in data:
        chance = {name: F(x in h, len(h)) for name, h in concepts.items()}
        prior = bayes_rule(prior, chance)
    return dict(prior)


def posterior_with_misprints(concepts, prior, data, error, n):
    """Follow the tree: the concept, a misprint or not, and the number."""
    draws = {
        name: {
            x: (1 - error) * F(x in h, len(h)) + error * F(1, n)
            for x in range(1, n + 1)
        }
        for name, h in concepts.items()
    }
    for x in data:
        tree = two_stage(prior, draws)
        seen = tree.P(lambda path, x=x: path[1] == x)
        prior = {
            name: tree.P(lambda path, name=name, x=x: path == (name, x)) / seen
            for name in prior
        }
    return dict(prior)


def next_example(concepts, posterior, x):
    """Follow the tree: first the concept, then one of its members."""
    draws = {
        name: dict.fromkeys(h, F(1, len(h))) for name, h in concepts.items()
    }
    tree = two_stage(posterior, draws)
    return tree.P(lambda path: path[1] == x)


def examples_until_lead(small, large, odds):
    """Solve the inequality by logarithms, and settle ties exactly."""
    bound = log(1 / odds) / log(large / small)
    near = range(max(0, floor(bound) - 1), max(0, ceil(bound)) + 2)
    return next(N for N in near if odds * F(large, small) ** N > 1)


def posterior_weight(weight, log_first, log_second):
    return float(expit(logit(weight) + log_first - log_second))


EXERCISES = exercises_of("number_game")
test_another_solution_passes = solved_by("number_game", globals())

# What a learner takes a concept for, by its name.
RULES = {
    "any": lambda x: True,
    "low": lambda x: True,
    "odd": lambda x: x % 2 == 1,
    "even": lambda x: x % 2 == 0,
    "two": lambda x: x == 2,
    "prime": lambda x: x in (2, 3, 5, 7),
    "twos": lambda x: x in (2, 4, 8, 16),
    "fours": lambda x: x in (4, 16),
}


def test_concepts_are_what_their_names_say():
    seen = set()
    for exercise in EXERCISES.values():
        examples = [arguments for arguments, _ in exercise.examples.values()]
        for concepts, *_ in [*exercise.cases, *examples]:
            named = concepts if isinstance(concepts, dict) else {}
            for name in named.keys() & RULES.keys():
                numbers = range(1, max(concepts[name]) + 1)
                assert concepts[name] == {*filter(RULES[name], numbers)}
                seen.add(name)
    assert seen == RULES.keys()


@pytest.mark.parametrize(
    ("concepts", "prior", "data"), EXERCISES["concept_posterior"].cases[:-1]
)
def test_the_references_agree_with_the_library(concepts, prior, data):
    floats = {name: float(p) for name, p in prior.items()}
    space = ConceptSpace.from_sets(concepts, floats, n=20)
    posterior = EXERCISES["concept_posterior"].reference(concepts, prior, data)
    assert space.posterior(data) == pytest.approx(
        [float(p) for p in posterior.values()]
    )
    distribution = [
        float(EXERCISES["next_example"].reference(concepts, posterior, x))
        for x in range(1, 21)
    ]
    assert space.predictive(data) == pytest.approx(distribution)
