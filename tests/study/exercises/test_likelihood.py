"""The exercises of the chapter can be solved, and in another way."""

import statistics
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats
from study.exercises.solving import solved_by

from bayesbook.estimation import maximise
from bayesbook.probability import kl_divergence
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions through scipy, the library, the standard library -----------


def newton_rate(counts, start, steps):
    """Add up scores and curvatures of the single counts."""
    place = float(start)
    for _ in range(steps):
        score = sum(x / place - 1 for x in counts)
        curvature = sum(x / place**2 for x in counts)
        halved = (place + 0.5**k * score / curvature for k in range(60))
        place = next(rate for rate in halved if rate > 0)
    return place


def log_likelihood(theta, tosses):
    shown = np.array([toss == "u" for toss in tosses], dtype=int)
    return float(stats.bernoulli(float(theta)).logpmf(shown).sum())


def gaussian_mle(values):
    values = list(map(F, values))
    return statistics.fmean(values), statistics.pvariance(values)


def censored_rate(failed, burning):
    """Search for the largest density times survival, and polish by hand."""

    def log_density(log_rate):
        life = stats.expon(scale=np.exp(-log_rate))
        return life.logpdf(hours).sum() + life.logsf(still).sum()

    hours, still = (np.array(t, dtype=float) for t in (failed, burning))
    rate = float(np.exp(maximise(log_density, start=-3.0).at))
    # A Newton step on the score takes the last digits.
    total = hours.sum() + still.sum()
    return float(rate + (len(hours) / rate - total) * rate**2 / len(hours))


def fisher_information(probability, slope):
    """Minus the second derivative, on the straight line p + t slope."""
    p = np.array([float(probability[x]) for x in probability])
    d = np.array([float(slope[x]) for x in probability])
    scores = d / p
    return float(np.cov(scores, aweights=p, ddof=0))


def divergence(p, q):
    return kl_divergence([float(p[x]) for x in p], [float(q[x]) for x in p])


EXERCISES = exercises_of("likelihood")
every_exercise = pytest.mark.parametrize("name", EXERCISES)
test_another_solution_passes = solved_by("likelihood", globals())


@every_exercise
def test_slopes_and_probabilities_are_those_of_a_distribution(name):
    """Every distribution in a case sums to one, and its slopes to zero."""
    for case in EXERCISES[name].cases:
        for part in case:
            if isinstance(part, dict):
                assert min(abs(sum(part.values()) - n) for n in (0, 1)) < 1e-9
