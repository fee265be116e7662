"""Contradictions in a bank that conforms to the schema."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from bayesbook.study.quiz.answers import agrees
from bayesbook.study.quiz.errors import Problem
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Order,
    Question,
    Quiz,
    number,
)


def unsound(quiz: Quiz, stem: str) -> Iterator[Problem]:
    """Yield every contradiction in a bank, before anything is computed."""
    if quiz.chapter != stem:
        yield Problem(
            f"`chapter` is {quiz.chapter!r}, but the file is named {stem!r}.",
            "Give both the same name.",
            quiz.file,
        )
    counts = Counter(question.id for question in quiz.questions)
    seen: set[str] = set()
    for question in quiz.questions:
        if question.id in seen:
            yield Problem(
                f"{counts[question.id]} questions have this id.",
                "Give each its own.",
                quiz.file,
                question.line,
                question.id,
            )
        seen.add(question.id)
        for what, remedy in _contradictions(question):
            yield Problem(what, remedy, quiz.file, question.line, question.id)


def _contradictions(question: Question) -> Iterator[tuple[str, str]]:
    """Yield the contradictions in one question."""
    match question:
        case Choice():
            yield from _choice_contradictions(question)
        case Numeric():
            yield from _numeric_contradictions(question)
        case Order():
            texts = [step.text.strip() for step in question.steps]
            yield from _repetitions("steps", texts)


def _choice_contradictions(question: Choice) -> Iterator[tuple[str, str]]:
    right = sum(option.right for option in question.options)
    if right == 0:
        yield "No option is right.", "Mark one with `right: true`."
    elif question.kind == "single" and right > 1:
        yield (
            f"{right} options are right, but `kind` is single.",
            "Leave one `right: true`, or write `kind: multiple`.",
        )
    elif right == len(question.options):
        yield (
            "Every option is right, which leaves nothing to tell apart.",
            "Add an option that is wrong, and say why it is.",
        )
    texts = [option.text.strip() for option in question.options]
    yield from _repetitions("options", texts)


def _repetitions(
    field: str, texts: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for text, times in Counter(texts).items():
        if times > 1:
            yield f"Two of the {field} read {text!r}.", "Make them differ."


def _numeric_contradictions(question: Numeric) -> Iterator[tuple[str, str]]:
    tolerance = question.tolerance
    written = [question.answer, *(wrong.value for wrong in question.wrong)]
    values = [number(text) for text in written]
    if not all(map(math.isfinite, [tolerance, *values])):
        yield (
            "A value or the tolerance is not finite.",
            "Write numbers such as 0.25.",
        )
        return
    answer, *wrongs = values
    for position, wrong in enumerate(wrongs, 1):
        # The boxes of both must not overlap, or one text would be both.
        if agrees(wrong, answer, 2 * tolerance):
            yield (
                f"The wrong value {written[position]} is within the "
                f"tolerances of the answer {question.answer}.",
                "Lower `tolerance`, or drop this wrong value.",
            )
        for earlier in range(1, position):
            if agrees(wrong, values[earlier], tolerance):
                yield (
                    f"The wrong values {written[earlier]} and "
                    f"{written[position]} are within the tolerance of each "
                    "other.",
                    "Keep one, and let it speak of both mistakes.",
                )
