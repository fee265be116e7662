"""Exact distributions and slips: against the models, which are of scipy."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook import conjugate
from bayesbook.study.drills.conjugate import FAMILIES
from bayesbook.study.drills.conjugate.distributions import (
    Beta,
    Dirichlet,
    GammaOfCounts,
    GammaOfWaits,
    Normal,
    is_short,
    power,
    product,
    quotient,
    ratio,
)

parameter = st.fractions("1/2", 9, max_denominator=4)
MODELS = {
    Beta: conjugate.BetaBernoulli,
    GammaOfCounts: conjugate.GammaPoisson,
    GammaOfWaits: conjugate.GammaExponential,
}
SHOWN = {
    Beta: [f"predictive(trials=3).pmf({k})" for k in range(4)],
    GammaOfCounts: [
        "predictive(exposure=3).mean()",
        "predictive(exposure=3).var()",
        "predictive(exposure=3).pmf(0)",
    ],
    GammaOfWaits: ["predictive().sf(3)", "predictive().mean()"],
}


@given(parameter, parameter)
@pytest.mark.parametrize("distribution", MODELS)
def test_moments_and_predictions_are_those_of_the_models(distribution, a, b):
    ours, model = distribution(a, b), MODELS[distribution](float(a), float(b))
    for formula in ("mean()", "var()", "mode()", *SHOWN[distribution]):
        exact = eval(f"d.{formula}", {"d": ours})
        if exact is not None:
            checked = eval(f"d.{formula}", {"d": model})
            assert float(exact) == pytest.approx(checked, rel=1e-6), formula


@given(st.lists(parameter, min_size=3, max_size=4))
def test_a_dirichlet_distribution_is_that_of_the_model(alpha):
    ours = Dirichlet(*alpha)
    model = conjugate.DirichletCategorical([float(a) for a in alpha])
    assert [*map(float, ours.mean())] == pytest.approx(list(model.mean()))
    if min(alpha) > 1:
        assert [*map(float, ours.mode())] == pytest.approx(list(model.mode()))
    for counts in ([2, 0, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]):
        seen = counts[: len(alpha)]
        assert float(ours.predictive(2).pmf(seen)) == pytest.approx(
            float(model.predictive(trials=2).pmf(seen))
        )


@given(parameter, parameter, parameter)
def test_a_normal_distribution_is_that_of_the_model(mean, s, sigma):
    ours = Normal(mean, s**2, sigma**2)
    model = conjugate.GaussianMean(float(mean), float(s), float(sigma))
    for formula in ("mean()", "var()", "predictive().var()"):
        exact, checked = (
            eval(f"d.{formula}", {"d": each}) for each in (ours, model)
        )
        assert float(exact) == pytest.approx(checked)


def test_what_does_not_exist_is_none():
    assert Beta(F(1), F(2)).mode() is None
    assert Dirichlet(F(1), F(2), F(3)).mode() == [None] * 3
    assert GammaOfCounts(F(1), F(2)).mode() is None
    assert GammaOfCounts(F(3, 2), F(2)).predictive().pmf(0) is None
    assert GammaOfWaits(F(1), F(2)).predictive().mean() is None


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_code_of_a_slip_makes_its_distribution(family):
    rng = np.random.default_rng(5)
    cases = [case for _ in range(40) if (case := family.draw(rng))]
    compared = 0
    for case in cases:
        names = {}
        exec(case.setup, names)
        for wrong in case.wrong_posteriors:
            if min(wrong.distribution) > 0:
                made = eval(wrong.code, dict(names))
                mean = np.array(wrong.distribution.mean(), dtype=float)
                assert np.allclose(made.mean(), mean), wrong
                spread = getattr(wrong.distribution, "var", None)
                if spread:
                    assert made.var() == pytest.approx(float(spread()))
                compared += 1
    assert compared > 100


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (Beta(F(5), F(19)).tex, r"\text{Beta}(5, 19)"),
        (Dirichlet(F(3), F(1, 2)).tex, r"\text{Dir}(3, 0.5)"),
        (
            GammaOfWaits(F(6), F(4)).tex,
            r"\text{Gamma}(\text{shape } 6, \text{rate } 4)",
        ),
        (
            Normal(F(201, 2), F(4), F(1)).tex,
            r"\mathcal{N}(\text{mean } 100.5, \text{variance } 4)",
        ),
        (quotient(F(10), F(24)), r"\frac{10}{24}"),
        (
            ratio(F(10), F(24)),
            r"\frac{10}{24} = \frac{5}{12} \approx 0.4167",
        ),
        (ratio(F(5), F(24)), r"\frac{5}{24} \approx 0.2083"),
        ([power("p", F(n)) for n in range(3)], ["", "p", "p^{2}"]),
        (
            product("p", "p", "p^2", "p^3"),
            "$$\\begin{aligned}\n"
            r"p(p \mid \text{data}) &\propto p \cdot p^2 \\"
            "\n&= p^3\n\\end{aligned}$$",
        ),
        ([is_short(F(1, n)) for n in (8, 3)], [True, False]),
    ],
)
def test_formulas(written, said):
    assert written == said
