"""Estimation: parameters from data, and their standard errors.

A model is an immutable value whose fields are its parameters. With the
parameters fixed it gives probabilities of data; with the data fixed, the same
formula as a function of the parameters is the likelihood:

>>> tosses = [1, 1, 0, 1, 1, 0, 1, 1, 0, 1]
>>> round(Bernoulli(0.5).log_likelihood(tosses), 4)
-6.9315
>>> best = Bernoulli.mle(tosses)
>>> best, round(best.log_likelihood(tosses), 4)
(Bernoulli(p=0.7), -6.1086)
>>> {name: round(se, 4) for name, se in best.standard_errors(10).items()}
{'p': 0.1449}

===============================  ==============================================
:class:`Bernoulli` and others    discrete: also binomial, categorical, Poisson
:class:`Gaussian` and others     densities: also exponential, Laplace
:class:`LinearModel`             linear models of y given X; ridge and lasso
:class:`Model`                   what they share: likelihood, standard errors
:func:`maximise`                 the maximum of a likelihood of your own
:func:`maximise_posterior`       the maximum of a posterior of your own
===============================  ==============================================

`maximise` checks that its result is a maximum. All logarithms are natural.
"""

from bayesbook.estimation.continuous import (
    Exponential,
    Gaussian,
    Laplace,
    MultivariateGaussian,
)
from bayesbook.estimation.discrete import (
    Bernoulli,
    Binomial,
    Categorical,
    Poisson,
)
from bayesbook.estimation.linear import (
    LinearGaussian,
    LinearLaplace,
    LinearModel,
)
from bayesbook.estimation.maximum import Maximum, maximise, maximise_posterior
from bayesbook.estimation.model import Model

__all__ = [
    "Bernoulli",
    "Binomial",
    "Categorical",
    "Exponential",
    "Gaussian",
    "Laplace",
    "LinearGaussian",
    "LinearLaplace",
    "LinearModel",
    "Maximum",
    "Model",
    "MultivariateGaussian",
    "Poisson",
    "maximise",
    "maximise_posterior",
]
