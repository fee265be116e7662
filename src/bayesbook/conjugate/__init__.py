"""Conjugate families: priors that data turn into posteriors by addition.

A member of a family is an immutable distribution of a parameter, prior or
posterior. `update` returns the next one, and `predictive` the distribution of
future observations, as a frozen distribution of `scipy.stats`:

>>> prior = BetaBernoulli(2, 2)
>>> posterior = prior.update([0, 1, 0, 0, 1, 0, 0, 0])
>>> posterior
BetaBernoulli(a=4, b=8)
>>> round(posterior.mean(), 4), [round(x, 4) for x in posterior.interval(0.9)]
(0.3333, [0.1351, 0.5644])
>>> posterior.predictive(trials=2).pmf([0, 1, 2]).round(4).tolist()
[0.4615, 0.4103, 0.1282]

The sums behind a posterior are kept exactly, so that updating at once, in
batches or one by one gives the same to the last bit.

=====================================  ========================================
:class:`BetaBernoulli`                 the probability of a success
:class:`DirichletCategorical`          the probabilities of categories
:class:`GammaPoisson` and others       rates: of counts, of waiting times
:class:`GaussianMean`                  a mean, the variance known
:class:`NormalInverseGamma`            mean and variance; Student t predictions
:class:`Elicited`                      a prior from a mean and an interval
:class:`ConceptSpace`                  concepts: which of them data support
:func:`interval_concepts` and others   the concepts of the number game
:class:`DirichletMultinomial`          counts, the probabilities unknown
:func:`polya_urn` and others           words in bursts: the DCM and its urn
=====================================  ========================================
"""

from bayesbook.conjugate.beta import BetaBernoulli
from bayesbook.conjugate.concept_space import ConceptSpace
from bayesbook.conjugate.dcm_counts import DCMCounts
from bayesbook.conjugate.dcm_fit import DCMFit, fit_dcm
from bayesbook.conjugate.dirichlet import DirichletCategorical
from bayesbook.conjugate.dirichlet_multinomial import (
    dcm_gradient,
    dcm_log_prob,
)
from bayesbook.conjugate.elicitation import Elicited
from bayesbook.conjugate.family import ConjugateFamily
from bayesbook.conjugate.gamma import (
    GammaExponential,
    GammaFamily,
    GammaPoisson,
)
from bayesbook.conjugate.gaussian import (
    GaussianMean,
    MeanAndVariance,
    NormalInverseGamma,
)
from bayesbook.conjugate.number_game import (
    interval_concepts,
    mixed_concepts,
    rule_concepts,
)
from bayesbook.conjugate.polya_urn import polya_urn, sample_dcm
from bayesbook.conjugate.predictives import DirichletMultinomial
from bayesbook.conjugate.rising_powers import log_rising

__all__ = [
    "BetaBernoulli",
    "ConceptSpace",
    "ConjugateFamily",
    "DCMCounts",
    "DCMFit",
    "DirichletCategorical",
    "DirichletMultinomial",
    "Elicited",
    "GammaExponential",
    "GammaFamily",
    "GammaPoisson",
    "GaussianMean",
    "MeanAndVariance",
    "NormalInverseGamma",
    "dcm_gradient",
    "dcm_log_prob",
    "fit_dcm",
    "interval_concepts",
    "log_rising",
    "mixed_concepts",
    "polya_urn",
    "rule_concepts",
    "sample_dcm",
]
