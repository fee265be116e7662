"""Drills: endless fresh questions, each with a worked explanation.

A question is generated from a kind and a seed; the same two give the same
question, on every machine.

>>> from bayesbook import drills
>>> drills.KINDS
('bayes', 'total-probability', 'separation', 'equivalence')
>>> drill = drills.question("bayes", seed=2)
>>> print(drill.prompt)
Of the messages to an address 40% are spam. The word "offer" is in 60% of \
the spam, and in 4% of the other messages.
<BLANKLINE>
A message picked at random contains the word "offer". What is the \
probability that it is spam?
>>> drill.answer
'10/11'

In a chapter, one line shows a question; with another seed, it is another::

    drills.show("bayes", seed=2)
"""

from bayesbook.drills.bank import KINDS, bank, question
from bayesbook.drills.drill import Drill
from bayesbook.drills.render import Shown, bank_script, show

__all__ = [
    "KINDS",
    "Drill",
    "Shown",
    "bank",
    "bank_script",
    "question",
    "show",
]
