"""Naive Bayes classifiers for features of every kind.

Given the class, the features are independent: so says the model, and so its
parameters are counts, feature by feature. What kind of distribution each
feature has is what the classifiers differ in:

===========================  ============================================
:class:`BernoulliNB`         features that are 0 or 1
:class:`CategoricalNB`       features with a few states, also texts
:class:`MultinomialNB`       counts of words
:class:`DCMNB`               counts of words that occur in bursts
:class:`GaussianNB`          measurements
:class:`MixedNB`             columns of several kinds
:class:`LazyNB`              categories; counts only when it is asked
===========================  ============================================

They are estimators as scikit-learn has them. The smoothing of each is the
parameter of a prior; `estimate` says whether the mean of the posterior, its
mode, or the maximum of the likelihood is predicted with.

>>> from bayesbook.data import load_watermelon
>>> melons = load_watermelon()
>>> X, y = melons.drop(columns="good"), melons["good"]
>>> model = MixedNB().fit(X, y)
>>> model.predict(X.head(3)).tolist()
['yes', 'yes', 'yes']

:func:`nb_fit_table` and :func:`nb_predict` do the same for binary features
that are given as a table of counts.
"""

from bayesbook.naive_bayes._base import NaiveBayes
from bayesbook.naive_bayes._categories import CategoricalClassifier
from bayesbook.naive_bayes._documents import DocumentNB
from bayesbook.naive_bayes.bernoulli import BernoulliNB
from bayesbook.naive_bayes.categorical import CategoricalNB
from bayesbook.naive_bayes.dcm import DCMNB
from bayesbook.naive_bayes.discretisation import EntropyDiscretizer
from bayesbook.naive_bayes.feature_selection import MutualInformationSelector
from bayesbook.naive_bayes.gaussian import GaussianNB
from bayesbook.naive_bayes.lazy import LazyNB
from bayesbook.naive_bayes.mixed import MixedNB
from bayesbook.naive_bayes.multinomial import MultinomialNB
from bayesbook.naive_bayes.semi_naive._base import (
    AugmentedNaiveBayes,
    SemiNaiveBayes,
)
from bayesbook.naive_bayes.semi_naive.aode import AODE
from bayesbook.naive_bayes.semi_naive.kdb import KDB
from bayesbook.naive_bayes.semi_naive.spode import SPODE
from bayesbook.naive_bayes.semi_naive.tan import TAN, chow_liu
from bayesbook.naive_bayes.tables import (
    nb_fit_table,
    nb_nll,
    nb_posterior,
    nb_predict,
)

__all__ = [
    "AODE",
    "DCMNB",
    "KDB",
    "SPODE",
    "TAN",
    "AugmentedNaiveBayes",
    "BernoulliNB",
    "CategoricalClassifier",
    "CategoricalNB",
    "DocumentNB",
    "EntropyDiscretizer",
    "GaussianNB",
    "LazyNB",
    "MixedNB",
    "MultinomialNB",
    "MutualInformationSelector",
    "NaiveBayes",
    "SemiNaiveBayes",
    "chow_liu",
    "nb_fit_table",
    "nb_nll",
    "nb_posterior",
    "nb_predict",
]
