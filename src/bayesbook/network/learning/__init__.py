r"""Learning networks from complete data: parameters, scores, searches.

Given the graph, the tables are counts that are divided by their sums:
:func:`count_network` and :func:`fit_parameters`, in the module ``parameters``.
A score says how good a graph is for some data: :class:`BIC`, :class:`AIC`,
:class:`LogLikelihood`, :class:`BDeu` and :class:`K2`, in the module
``scores``. Each is a :class:`Score` (``decomposable``), and all are to be
maximised.

There are more DAGs than anybody can score: 543 of 4 nodes, and about
:math:`4.2 \times 10^{18}` of 10. To find the best one is NP-hard (Chickering
1996), even if no node has more than two parents. What can be done:

- :func:`hill_climb` (``hill_climbing``): change one edge at a time, always
  the one that raises the score most;
- :func:`tabu_search` (``tabu``): then go on where no change raises it, and do
  not undo what was done lately (Glover 1989);
- :func:`equivalence_search` (``greedy_equivalence``): go from one class of
  Markov equivalent graphs to the next, as GES does (Chickering 2002);
- :func:`tree_search` (``chow_liu``): if each node has at most one parent, the
  best graph is found at once, as a spanning tree (Chow and Liu 1968);
- :func:`exact_search` (``exact``): for some 15 nodes the best graph can be
  found, by dynamic programming over sets of nodes (Silander and Myllymäki
  2006).

Each returns a :class:`SearchRun` (``search_path``): the graph, its score, and
the path of :class:`Step`, each of which has a :class:`Move` of an edge.

Without a score, :func:`pc` (``constraint_based``) tests which pairs are
independent given others, by :func:`independence_test`
(``independence_tests``), and builds a graph with these independences
(Spirtes, Glymour and Scheines 2000).

>>> from bayesbook.network import load_network
>>> asia = load_network("asia")
>>> rows = asia.sample(10_000, rng=1)
>>> for search in (hill_climb, tabu_search, tree_search, exact_search):
...     print(f"{search.__name__:12} {search(rows, 'bic').score:.1f}")
hill_climb   -22411.6
tabu_search  -22411.6
tree_search  -22913.7
exact_search -22411.6
>>> print(f"{'true graph':12} {BIC(rows).total(asia):.1f}")
true graph   -22411.6

**Ties.** Two moves are equal if their gains differ by no more than the
roundings of the computer. Of equal moves the first is made: additions come
before deletions, and these before reversals; then the alphabetical order of
the tails decides, X2 before X10, and then that of the heads. The order of
the columns and that of the rows therefore play no role; the names do. For
scores that are equal for equivalent graphs ties are common: of the two
directions of the first edge neither is better.

References
----------
Chickering (1996), Learning Bayesian networks is NP-complete. Chickering
(2002), Optimal structure identification with greedy search. Chow and Liu
(1968), Approximating discrete probability distributions with dependence trees.
De Campos and Ji (2011), Efficient structure learning of Bayesian networks
using constraints. Glover (1989), Tabu search. Silander and Myllymäki (2006), A
simple approach for finding the globally optimal Bayesian network structure.
Spirtes, Glymour and Scheines (2000), *Causation, Prediction, and Search*.
"""

from bayesbook.network.learning.chow_liu import tree_search
from bayesbook.network.learning.constraint_based import ConstraintRun, pc
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.exact import exact_search
from bayesbook.network.learning.greedy_equivalence import (
    EquivalenceRun,
    equivalence_search,
)
from bayesbook.network.learning.hill_climbing import hill_climb
from bayesbook.network.learning.independence_tests import (
    IndependenceTest,
    independence_test,
)
from bayesbook.network.learning.parameters import (
    NetworkCounts,
    count_network,
    fit_parameters,
)
from bayesbook.network.learning.scores import (
    AIC,
    BIC,
    K2,
    BDeu,
    LogLikelihood,
)
from bayesbook.network.learning.search_path import (
    ClassMove,
    Move,
    SearchRun,
    Step,
)
from bayesbook.network.learning.tabu import tabu_search

__all__ = [
    "AIC",
    "BIC",
    "K2",
    "BDeu",
    "ClassMove",
    "ConstraintRun",
    "EquivalenceRun",
    "IndependenceTest",
    "LogLikelihood",
    "Move",
    "NetworkCounts",
    "Score",
    "SearchRun",
    "Step",
    "count_network",
    "equivalence_search",
    "exact_search",
    "fit_parameters",
    "hill_climb",
    "independence_test",
    "pc",
    "tabu_search",
    "tree_search",
]
