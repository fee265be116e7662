"""Drills: endless fresh questions, each with a worked explanation.

A question is generated from a kind and a seed; the same two give the same
question, on every machine.

>>> from bayesbook.study import drills
>>> drills.KINDS
('bayes', 'total-probability', 'separation', 'equivalence', 'update', \
'posterior', 'predict', 'parameters', 'blanket', 'query', 'smoothing', \
'score-delta', 'compelled', 'chow-liu', 'em-step', 'map-em', \
'maximum-likelihood', 'standard-error', 'naive-bayes', 'odds', \
'conditional-mean', \
'total-variance', 'deviation-bound', 'sampling-error', 'threshold', \
'bayes-risk', 'least-risk', 'squared-risk', 'beta-estimate', 'shrinkage', \
'concept-posterior', 'concept-prediction', 'super-parent', 'tree-gain', \
'pooled-counts', 'measured-odds', 'document-odds', 'fixed-point', \
'merged-moments', 'reduction-tree', 'chain-messages', \
'elimination-cost', 'metropolis-step', 'dependent-draws', 'kalman-step', \
'baum-welch', 'unknown-noise')
>>> drill = drills.question("bayes", seed=19)
>>> print(drill.prompt)
An urn holds 15 green and 5 yellow balls. Two are drawn at random, one \
after the other, and the first is not put back.
<BLANKLINE>
The second ball is green. What is the probability that the first ball was \
yellow?
>>> drill.answer
'5/19'

In a chapter, one line shows a question; with another seed, it is another::

    drills.show("bayes", seed=19)

Some kinds mix several models, their families; a chapter shows its own only::

    drills.show("update", seed=5, family="beta-binomial")
"""

from bayesbook.study.drills.bank import FAMILIES, KINDS, bank, question
from bayesbook.study.drills.drill import Drill
from bayesbook.study.drills.render import (
    Shown,
    bank_names,
    bank_scripts,
    section_labels,
    show,
)

__all__ = [
    "FAMILIES",
    "KINDS",
    "Drill",
    "Shown",
    "bank",
    "bank_names",
    "bank_scripts",
    "question",
    "section_labels",
    "show",
]
