"""Learning networks from incomplete data: EM.

- :func:`fit_em` (``em``): the tables of a graph from rows with missing values
  or latent nodes; :func:`expected_counts` is its E step.
- :func:`gradient_ascent` (``gradient``): the same maximum, along the gradient.

Each returns an :class:`EMRun` (``runs``): the network, the log-likelihood
after each step, and whether it converged.

Below these, the E step (``_e_step``) either enumerates completions
(``_e_step_enumeration``) or passes messages in a junction tree
(``_e_step_junction_tree``); ``_problem`` has the M step, the starts and the
reading of the data; ``convergence`` decides when to stop; ``squarem`` makes
steps longer.

>>> import pandas as pd
>>> rows = pd.DataFrame({"coin": ["heads", None, "tails", "heads"]})
>>> fit_em("coin", rows)
EM: log-likelihood -1.90954 after 8 steps, converged
"""

from bayesbook.network.em.em import expected_counts, fit_em
from bayesbook.network.em.gradient import gradient_ascent
from bayesbook.network.em.runs import EMRun

__all__ = [
    "EMRun",
    "expected_counts",
    "fit_em",
    "gradient_ascent",
]
