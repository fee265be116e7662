r"""Semi-naive Bayes classifiers: features that may depend on each other.

Naive Bayes has one assumption, that the features are independent given the
class. Semi-naive Bayes relaxes it a little: a feature may depend on a few
others, its parents,

.. math:: p(c, x) = p(c) \prod_j p(x_j \mid c, x_{\mathrm{pa}(j)}),

and training still only counts. The classifiers differ in the parents of the
features:

==============  ==========================================================
:class:`SPODE`  the same one for all, the super-parent
:class:`TAN`    one each, in the tree of greatest likelihood
:class:`KDB`    up to k each
:class:`AODE`   as SPODE, but an average over all super-parents
==============  ==========================================================

They are scikit-learn estimators, for columns with a few states. Measurements
must be put into bins first, for instance by
:class:`bayesbook.naive_bayes.EntropyDiscretizer`.

>>> from bayesbook.data import load_watermelon
>>> melons = load_watermelon("2.0")
>>> X, y = melons.drop(columns="good"), melons["good"]
>>> tan = TAN().fit(X, y)
>>> for parent, child in tan.structure_.edges:
...     if parent != "class":
...         print(parent, "->", child)
color -> texture
root -> knock
texture -> navel
texture -> touch
navel -> root

All but the average are Bayesian networks: ``tan.to_network()`` returns one,
which answers questions about any column, given any others. Without a class,
:func:`bayesbook.network.tree_search` learns the tree.
"""

from bayesbook.naive_bayes.semi_naive._base import (
    AugmentedNaiveBayes,
    SemiNaiveBayes,
)
from bayesbook.naive_bayes.semi_naive.aode import AODE
from bayesbook.naive_bayes.semi_naive.kdb import KDB
from bayesbook.naive_bayes.semi_naive.spode import SPODE
from bayesbook.naive_bayes.semi_naive.tan import TAN

__all__ = [
    "AODE",
    "KDB",
    "SPODE",
    "TAN",
    "AugmentedNaiveBayes",
    "SemiNaiveBayes",
]
