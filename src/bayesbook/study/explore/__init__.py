"""Explorables: pictures whose numbers a reader moves.

Each shows one idea in several pictures that move together. Without a script,
on paper and in plain text it stands still, at its start.

>>> from bayesbook.study import explore
>>> explore.bayes_rule(prevalence=100)
What does a positive result mean?
  prevalence, P[ill]: 0.100
  sensitivity, P[+ | ill]: 0.900
  specificity, P[− | well]: 0.900
  Of a thousand people 100 are ill. About 180 of the thousand have a \
positive result, and about 90 of these are ill.
  P[ill | +] = 0.500, P[ill | −] = 0.012.
"""

from bayesbook.study.explore.bayes_rule import bayes_rule
from bayesbook.study.explore.beta_binomial import beta_binomial
from bayesbook.study.explore.d_separation import d_separation
from bayesbook.study.explore.dirichlet_multinomial import (
    dirichlet_multinomial,
)
from bayesbook.study.explore.elimination import elimination
from bayesbook.study.explore.em import em
from bayesbook.study.explore.explorable import Control, Explorable, View
from bayesbook.study.explore.hidden_markov import hidden_markov
from bayesbook.study.explore.likelihood import likelihood
from bayesbook.study.explore.metropolis import metropolis
from bayesbook.study.explore.naive_bayes import naive_bayes
from bayesbook.study.explore.network import network
from bayesbook.study.explore.number_game import number_game
from bayesbook.study.explore.ridge_and_lasso import ridge_and_lasso
from bayesbook.study.explore.simpson import simpson
from bayesbook.study.explore.threshold import threshold

__all__ = [
    "Control",
    "Explorable",
    "View",
    "bayes_rule",
    "beta_binomial",
    "d_separation",
    "dirichlet_multinomial",
    "elimination",
    "em",
    "hidden_markov",
    "likelihood",
    "metropolis",
    "naive_bayes",
    "network",
    "number_game",
    "ridge_and_lasso",
    "simpson",
    "threshold",
]
