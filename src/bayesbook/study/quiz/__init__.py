"""Quizzes whose keys are computed, not asserted.

A bank, ``book/quizzes/<chapter>.yml``, holds the questions of one chapter; the
quick checks within its text are in another, ``book/quizzes/checks/``.
Every option, value and order in it carries a Python expression that
recomputes whether it is right, and a rationale that says why.

>>> from bayesbook.study import quiz
>>> bank = quiz.parse('''
... chapter: dice
... title: A die
... questions:
...   - id: even
...     kind: number
...     level: recall
...     prompt: What is the probability of an even number of pips?
...     answer: 1/2
...     tolerance: 0.001
...     check: sum(n % 2 == 0 for n in range(1, 7)) / 6
...     why: Three of the six faces are even.
...     wrong:
...       - value: 1/3
...         check: sum(n % 3 == 0 for n in range(1, 7)) / 6
...         why: Two of six is the share of the multiples of three.
... ''', "dice.yml")
>>> quiz.verify(bank)
>>> quiz.show(bank)
A die
=====
<BLANKLINE>
Question 1 of 1 · Recall · a number
What is the probability of an even number of pips?
  Your answer: ____

In a chapter, one line shows the bank of that chapter::

    quiz.show("events")

and another, within the text, one of its quick checks::

    quiz.quick_check("events", "seven-or-six")
"""

import bayesbook.study.quiz._packages  # noqa: F401 (before what needs them)
from bayesbook.study.quiz.answers import agrees, read_number
from bayesbook.study.quiz.bank import load, names, parse
from bayesbook.study.quiz.checks import ShownCheck, quick_check
from bayesbook.study.quiz.errors import Problem, QuizError
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Option,
    Order,
    Question,
    Quiz,
    Step,
    WrongValue,
)
from bayesbook.study.quiz.render import Shown, show
from bayesbook.study.quiz.verify import verify

__all__ = [
    "Choice",
    "Numeric",
    "Option",
    "Order",
    "Problem",
    "Question",
    "Quiz",
    "QuizError",
    "Shown",
    "ShownCheck",
    "Step",
    "WrongValue",
    "agrees",
    "load",
    "names",
    "parse",
    "quick_check",
    "read_number",
    "show",
    "verify",
]
