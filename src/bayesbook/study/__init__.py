"""What chapters need beside the models: questions, and searches step by step.

A map of the room:

``quiz``
    The questions of a chapter, whose keys are recomputed.
    ``quiz.show("events")`` shows them; ``quiz.quick_check(...)`` shows one
    that stands within the text.
``drills``
    Fresh questions without end, each with a worked explanation:
    ``drills.show("bayes", seed=19)``.
``exercises``
    Coding exercises: ``exercises.check`` runs a learner's function, and names
    the mistake that it sees. A module for each chapter.
``stepper``
    Curves, and searches for a structure, that change step by step in the page:
    ``stepper.show(...)``, and ``stepper.replay.replay(run)``.
``explore``
    Pictures whose numbers a reader moves: ``explore.bayes_rule()``.
``practice``
    Questions of several quizzes, mixed by a seed; :func:`worksheet` makes a
    worksheet of them: ``study.worksheet(["events", "risk"], seed=4)``, and
    :func:`drill_sheet` one of drills whose answers stand on no page.

All but the exercises need the packages of the extra ``study``: Markdown, YAML
and JSON Schema, installed by ``pip install "bayesbook[study]"``. Importing
this room loads none of its parts.

>>> from bayesbook import study
>>> study.__all__
['drill_sheet', 'drills', 'exercises', 'explore', 'practice', 'quiz', \
'stepper', 'worksheet']
"""

from importlib import import_module
from typing import Any

__all__ = [
    "drill_sheet",
    "drills",
    "exercises",
    "explore",
    "practice",
    "quiz",
    "stepper",
    "worksheet",
]


def __getattr__(name: str) -> Any:
    """Load a part of the room when it is first used."""
    if name in ("drill_sheet", "worksheet"):
        return getattr(import_module(f"{__name__}.practice"), name)
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
