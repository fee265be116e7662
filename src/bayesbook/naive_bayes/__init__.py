"""Naive Bayes classifiers for features of every kind.

The model assumes that the features are independent given the class. So its
parameters follow from counts, feature by feature. The classifiers differ in
the distributions of the features:

===================================  ======================================
:class:`BernoulliNB`                 features that are 0 or 1
:class:`CategoricalNB`               features with a few states, also texts
:class:`MultinomialNB`               counts of words
:class:`DCMNB`                       counts of words that occur in bursts
:class:`GaussianNB`                  measurements
:class:`MixedNB`                     columns of several kinds
:class:`LazyNB`                      categories, counted when it predicts
:class:`SPODE`, :class:`AODE`,       semi-naive: features that may depend
:class:`TAN`, :class:`KDB`           on each other
:class:`LatentClass`                 categories, but the class is not observed
:class:`EntropyDiscretizer`          measurements cut into bins
:class:`MutualInformationSelector`   the features that tell most
===================================  ======================================

They are scikit-learn estimators. Where there is an `alpha`, it is the
parameter of a prior; where there is an `estimate`, it chooses the mean of the
posterior ("bayes"), its mode ("map"), or the maximum of the likelihood
("mle") for predictions, in every classifier for all that it learns: with
"mle", neither features nor classes are smoothed, and `alpha` and
`class_alpha` have no effect.

The names are scikit-learn's, but not all defaults: `class_alpha` is 1, where
scikit-learn's classifiers take the shares of the classes. Here classes have a
prior as the states of features have one, and so the posterior means of all
are the predictive distribution of a row together with its class.
``class_alpha=0`` gives scikit-learn's numbers.
:class:`GaussianNB` has no prior unless one is given; its default is "mle",
with scikit-learn's numbers.

>>> from bayesbook.data import load_watermelon
>>> melons = load_watermelon()
>>> X, y = melons.drop(columns="good"), melons["good"]
>>> model = MixedNB().fit(X, y)
>>> model.predict(X.head(3)).tolist()
['yes', 'yes', 'yes']

:func:`nb_fit_table` and :func:`nb_predict` do the same for a table of counts
of binary features.
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
from bayesbook.naive_bayes.latent_class import LatentClass
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
from bayesbook.naive_bayes.semi_naive.tan import TAN
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
    "LatentClass",
    "LazyNB",
    "MixedNB",
    "MultinomialNB",
    "MutualInformationSelector",
    "NaiveBayes",
    "SemiNaiveBayes",
    "nb_fit_table",
    "nb_nll",
    "nb_posterior",
    "nb_predict",
]
