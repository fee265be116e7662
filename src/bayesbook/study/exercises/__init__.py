"""Coding exercises that say what kind of mistake they see.

A chapter shows a stub; the learner fills it in and runs :func:`check`. The
exercises of a chapter are in the module of its name, for instance
:mod:`bayesbook.study.exercises.events`. :func:`passes` takes what was passed
to the page "My progress".
"""

from bayesbook.study.exercises.checker import (
    Exercise,
    Report,
    check,
    diagnose,
    exercise,
)
from bayesbook.study.exercises.passing import Passes, passes

__all__ = [
    "Exercise",
    "Passes",
    "Report",
    "check",
    "diagnose",
    "exercise",
    "passes",
]
