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

For homework that counts, :func:`drill_sheet` makes one of drills, whose
answers stand on no page.
"""

import bayesbook.study.quiz._packages  # noqa: F401 (before what needs them)
from bayesbook.study.practice.homework import DrillSheet, drill_sheet
from bayesbook.study.practice.selection import LEVELS, Picked
from bayesbook.study.practice.sheet import Worksheet, worksheet

__all__ = [
    "LEVELS",
    "DrillSheet",
    "Picked",
    "Worksheet",
    "drill_sheet",
    "worksheet",
]
