"""Every equation of numbers in a drill holds, wherever it is written."""

from fractions import Fraction as F

import pytest
from study.drills.banks import bank
from tex_values import equations

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
    "maximum-likelihood": (1, 400),
    "standard-error": (1, 400),
    "naive-bayes": (3, 900),
    "odds": (1, 400),
    "conditional-mean": (1, 400),
    "total-variance": (3, 900),
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


def names_of(drill):
    """Return the values of the names in the formulas of a drill."""
    found = {}
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
