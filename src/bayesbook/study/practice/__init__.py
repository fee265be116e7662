"""Questions of several quizzes, mixed: to be practised, or on a worksheet.

A seed decides which questions are drawn, and in which order; the page Practice
of the book draws the same. :func:`worksheet`, also ``study.worksheet``, makes
a worksheet of them:

>>> from bayesbook import study
>>> study.worksheet(["events", "risk"], levels="recall", size=2, seed=18)
... # doctest: +ELLIPSIS
Worksheet
=========
study.worksheet(["events", "risk"], levels=["recall"], size=2, seed=18)
<BLANKLINE>
1. ...
"""

import bayesbook.study.quiz._packages  # noqa: F401 (before what needs them)
from bayesbook.study.practice.selection import LEVELS, Picked
from bayesbook.study.practice.sheet import Worksheet, worksheet

__all__ = ["LEVELS", "Picked", "Worksheet", "worksheet"]
