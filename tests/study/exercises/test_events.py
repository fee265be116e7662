"""The exercises of the chapter can be solved, and in another way."""

import math
from fractions import Fraction as F
from itertools import product

from study.exercises.solving import solved_by

from bayesbook.base import ZeroProbabilityError

# --- Solutions by counting, which share nothing with the library ----------


def conditional(probability, event, given):
    whole = [p for outcome, p in probability.items() if outcome in given]
    part = [p for w, p in probability.items() if w in given and w in event]
    if sum(whole) == 0:
        raise ZeroProbabilityError("nothing is left")
    return sum(part) / sum(whole)


def posterior(prior, likelihood):
    """Count the members of a population as large as its people are many."""
    numbers = [*prior.values(), *likelihood.values()]
    if any(isinstance(number, float) for number in numbers):
        prior = {h: F(repr(p)) for h, p in prior.items()}
        likelihood = {h: F(repr(p)) for h, p in likelihood.items()}
    people = math.lcm(*(p.denominator for p in prior.values()))
    people *= math.lcm(*(p.denominator for p in likelihood.values()))
    found = {h: int(people * prior[h] * likelihood[h]) for h in prior}
    if not any(found.values()):
        raise ZeroProbabilityError("nobody is left")
    return {h: F(n, sum(found.values())) for h, n in found.items()}


def after_tests(prevalence, sensitivity, specificity, results):
    """Add up all sequences of results, and keep those that were seen."""
    weight = {True: 0, False: 0}
    for ill, *seen in product((True, False), *["+-"] * len(results)):
        path = prevalence if ill else 1 - prevalence
        for result in seen:
            right = sensitivity if ill else specificity
            path *= right if ill == (result == "+") else 1 - right
        if "".join(seen) == results:
            weight[ill] += path
    return weight[True] / (weight[True] + weight[False])


def mutually_independent(probability, events):
    """Flip a switch for every event: 2**n families, all must multiply."""
    for switches in product((True, False), repeat=len(events)):
        family = [e for e, on in zip(events, switches, strict=True) if on]
        together = 0
        for outcome, p in probability.items():
            together += p if all(outcome in event for event in family) else 0
        apart = [sum(probability[w] for w in event) for event in family]
        if together != math.prod(apart):
            return False
    return True


def adjusted_rate(rate, applicants):
    """Ask every applicant for the rate of their department."""
    rates = [rate[name] for name, n in applicants.items() for _ in range(n)]
    return sum(rates) / len(rates)


test_another_solution_passes = solved_by("events", globals())
