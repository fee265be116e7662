"""Every equation of numbers in a drill holds, wherever it is written."""

import math
import re
from fractions import Fraction as F

import pytest
from scipy import stats
from study.drills.banks import bank
from tex_values import equations, value

from bayesbook.study import drills
from bayesbook.study.drills.conjugate.categories import STORIES

# How many each drill has at least, and all of a bank together.
LEAST = {
    "bayes": (4, 1000),
    "total-probability": (6, 1500),
    "separation": (0, 0),
    "equivalence": (0, 0),
    "update": (3, 1000),
    "posterior": (1, 340),
    "predict": (3, 1000),
    "parameters": (1, 200),
    "blanket": (0, 0),
    "query": (3, 900),
    "smoothing": (4, 900),
    "score-delta": (3, 700),
    "compelled": (0, 0),
    "chow-liu": (1, 200),
    "em-step": (1, 400),
    "map-em": (1, 200),
    "maximum-likelihood": (1, 400),
    "standard-error": (1, 400),
    "naive-bayes": (3, 900),
    "odds": (1, 400),
    "conditional-mean": (1, 400),
    "total-variance": (3, 900),
    "deviation-bound": (1, 400),
    "sampling-error": (2, 600),
    "threshold": (4, 800),
    "bayes-risk": (7, 1400),
    "least-risk": (1, 300),
    "squared-risk": (3, 900),
    "beta-estimate": (1, 400),
    "shrinkage": (1, 400),
    "concept-posterior": (1, 400),
    "concept-prediction": (1, 400),
    "super-parent": (2, 600),
    "tree-gain": (1, 200),
    "pooled-counts": (2, 400),
    "measured-odds": (1, 400),
    "document-odds": (1, 400),
    "fixed-point": (2, 500),
    "merged-moments": (1, 300),
    "reduction-tree": (1, 200),
    "chain-messages": (1, 200),
    "elimination-cost": (4, 800),
    "metropolis-step": (1, 200),
    "dependent-draws": (1, 200),
    "kalman-step": (1, 200),
    "baum-welch": (1, 200),
    "unknown-noise": (1, 500),
}
# Whatever a parameter is, both sides of an equation are the same. Categories
# differ in their first letters.
PARAMETERS = {r"\lambda": F(7, 10), r"\theta": F(3, 10)} | {
    rf"\theta_{{\text{{{name}}}}}": F(ord(name[0]), 100)
    for story in STORIES
    for name in story.categories
}
# Names in formulas that stand for others in the setup of a question.
OF_GAMMA = {
    r"\text{shape}": "posterior.shape",
    r"\text{rate}": "posterior.rate",
}
OF_MODELS = {
    "GammaPoisson": OF_GAMMA,
    "GammaExponential": OF_GAMMA,
    "GaussianMean": {r"\sigma": "sigma", "s": "s"},
}


def texts(drill):
    """Yield all that is read of a drill."""
    question = drill.question
    yield question.prompt
    yield drill.explanation
    yield from drill.hints
    if drill.options:
        for option in question.options:
            yield from (option.text, option.why)
    else:
        yield question.why
        yield from (wrong.why for wrong in question.wrong)


def information(law, score):
    """Return the Fisher information of a law: its mean squared score."""
    return law.expect(lambda x: score(x) ** 2)


def of_error(drill):
    """Return the values of the names in a drill about standard errors."""
    found = {}
    exec(drill.question.setup, found)
    n = found["n"]
    if "sigma" in found:
        sigma = found["sigma"]
        of_one = information(stats.norm(0, sigma), lambda x: x / sigma**2)
        return {"N": n, r"\sigma": sigma, r"I(\mu)": of_one}
    letter = r"\theta" if r"\theta" in drill.question.prompt else r"\lambda"
    names = {"N": n, rf"\hat{letter}": F(found["k"], n)}
    for name in (letter, rf"\hat{letter}"):
        at = float((PARAMETERS | names)[name])
        if letter == r"\lambda":
            law = stats.poisson(at)
            of_one = information(law, lambda x, at=at: x / at - 1)
        else:
            law = stats.bernoulli(at)
            of_one = information(
                law, lambda x, at=at: (x - at) / (at * (1 - at))
            )
        names[f"I({name})"] = of_one
    return names


def names_of(drill):
    """Return the values of the names in the formulas of a drill."""
    found = {}
    if "standard error of the maximum" in drill.question.prompt:
        return PARAMETERS | of_error(drill)
    for model, of_model in OF_MODELS.items():
        if f"import {model}\n" in drill.question.setup:
            exec(drill.question.setup, found)
            codes = of_model.items()
            return PARAMETERS | {n: eval(code, found) for n, code in codes}
    return PARAMETERS


@pytest.mark.parametrize("kind", drills.KINDS)
def test_every_equation_holds(kind):
    each, together = LEAST[kind]
    total = 0
    for drill in bank(kind):
        names = names_of(drill)
        found = [e for text in texts(drill) for e in equations(text, names)]
        for equation in found:
            assert equation.holds, (equation.written, drill)
        assert len(found) >= each, drill
        total += len(found)
    assert total >= together


# Formulas that are no equations, and the same in every drill of a kind: the
# values of their letters, and their own by another route.
FORMULAS = [
    ("update", r"$1 - \theta$", {r"\theta": 0.3}, stats.bernoulli(0.3).pmf(0)),
    (
        "posterior",
        r"$1 - \theta$",
        {r"\theta": 0.3},
        stats.binom(1, 0.3).pmf(0),
    ),
    ("predict", r"$1 - \theta$", {r"\theta": 0.3}, stats.binom(1, 0.3).pmf(0)),
    ("update", "$1 - w$", {"w": 0.2}, 0.8),
    # The exponents of densities at which their maxima are.
    ("update", "$a - 1$", {"a": 3}, math.log(0.5**2, 0.5)),
    ("update", "$b - 1$", {"b": 3}, math.log(0.5**2, 0.5)),
    (
        "predict",
        r"$\frac{1}{\lambda}$",
        {r"\lambda": 4},
        stats.expon(0, 1 / 4).mean(),
    ),
    (
        "maximum-likelihood",
        r"$1 / \lambda$",
        {r"\lambda": 4},
        stats.expon(0, 1 / 4).mean(),
    ),
    (
        "maximum-likelihood",
        r"$1 - \theta$",
        {r"\theta": 0.3},
        stats.binom(1, 0.3).pmf(0),
    ),
    ("maximum-likelihood", "$N - 1$", {"N": 9}, stats.chi2(8).mean()),
    ("score-delta", r"$\tfrac12 \log n$", {"n": 9}, math.log(3)),
    *(
        (
            "standard-error",
            rf"$1 / \sqrt{{N I({name})}}$",
            {"N": 25, f"I({name})": 1 / 9},
            stats.norm(0, 3).std() / 5,
        )
        for name in (r"\hat\theta", r"\hat\lambda", r"\mu")
    ),
]


@pytest.mark.parametrize("kind", sorted({kind for kind, *_ in FORMULAS}))
def test_a_formula_has_its_value(kind):
    together = "\n".join(text for drill in bank(kind) for text in texts(drill))
    for of, formula, names, expected in FORMULAS:
        if of == kind:
            assert value(formula.strip("$"), names) == pytest.approx(expected)
            # Nowhere is it the same with other digits.
            shape = re.sub(r"\d+", r"\\d+", re.escape(formula))
            assert {*re.findall(shape, together)} == {formula}
