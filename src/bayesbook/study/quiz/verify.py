"""Recomputing every key of a bank.

The checks of a bank are Python that its author wrote, and are run as they
are: verify only banks that you would import.
"""

import ast
import builtins
import math
from collections.abc import Iterator
from itertools import permutations
from numbers import Real

import numpy as np

from bayesbook.study.quiz.answers import agrees
from bayesbook.study.quiz.errors import Problem, QuizError
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Option,
    Order,
    Question,
    Quiz,
    number,
)

Namespace = dict[str, object]


class _Fault(Exception):  # noqa: N818  (an outcome to collect, not a crash)
    """What a single check found wrong, and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy = what, remedy


def verify(quiz: Quiz) -> None:
    """Recompute every key of a bank, and show that each distractor is wrong.

    Parameters
    ----------
    quiz : Quiz
        From :func:`bayesbook.study.quiz.load`.

    Raises
    ------
    QuizError
        If a check contradicts the key, raises an error, or only asserts a
        value; if its value is neither true nor false, or not a finite number.
        The message lists all.

    Examples
    --------
    >>> from bayesbook.study.quiz import parse
    >>> bank = parse('''
    ... chapter: coin
    ... title: A coin
    ... setup: heads = 1 / 2
    ... questions:
    ...   - id: fair
    ...     kind: single
    ...     level: recall
    ...     prompt: A fair coin shows heads with probability
    ...     options:
    ...       - {text: a half, right: true, check: heads == 0.4, why: Yes.}
    ...       - {text: a third, check: heads == 1 / 3, why: Too little.}
    ... ''', "coin.yml")
    >>> verify(bank)
    Traceback (most recent call last):
        ...
    bayesbook.study.quiz.errors.QuizError: coin.yml, line 6, question 'fair', \
option 1 ('a half'): It is marked right, but its check `heads == 0.4` is \
False. Correct the check, or drop `right: true`.
    """
    try:
        _run(quiz.setup, {})
    except _Fault as fault:
        problem = Problem(fault.what, fault.remedy, quiz.file, part="setup")
        raise QuizError([problem]) from fault
    problems = [
        Problem(
            fault.what,
            fault.remedy,
            quiz.file,
            question.line,
            question.id,
            part,
        )
        for question in quiz.questions
        for part, fault in _faults(quiz, question)
    ]
    if problems:
        raise QuizError(problems)


def _faults(
    quiz: Quiz, question: Question
) -> Iterator[tuple[str | None, _Fault]]:
    """Run all checks of a question; yield the part and the fault."""
    names: Namespace = {}
    try:
        # Afresh, so that no question finds what another has changed.
        _run(quiz.setup, names)
        _run(question.setup, names)
    except _Fault as fault:
        yield "setup", fault
        return
    for part, check, *key in _checks(question):
        try:
            check(names, *key)
        except _Fault as fault:
            yield part, fault


def _checks(question: Question) -> Iterator[tuple]:
    """Yield the part that is checked, the function that does it, its key."""
    match question:
        case Choice():
            for position, option in enumerate(question.options, 1):
                part = f"option {position} ({_short(option.text)})"
                yield part, _option, option
        case Numeric(answer=answer, check=check, tolerance=tolerance):
            yield "answer", _value, answer, check, tolerance
            for wrong in question.wrong:
                part = f"wrong value {wrong.value}"
                yield part, _value, wrong.value, wrong.check, tolerance
        case Order():
            yield None, _order, question


def _short(text: str, width: int = 40) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= width else line[: width - 1] + "…")


def _option(names: Namespace, option: Option) -> None:
    claim = _truth(option.check, names)
    if option.right and not claim:
        raise _Fault(
            f"It is marked right, but its check `{option.check.strip()}` is "
            "False.",
            "Correct the check, or drop `right: true`.",
        )
    if claim and not option.right:
        raise _Fault(
            "It is not marked right, but its check "
            f"`{option.check.strip()}` is True.",
            "Correct the check or the option, or mark it `right: true`.",
        )


def _value(
    names: Namespace, written: str, check: str, tolerance: float
) -> None:
    computed = _number(check, names)
    if not agrees(computed, number(written), tolerance):
        raise _Fault(
            f"The bank says {written}, but the check `{check.strip()}` "
            f"computes {computed:.8g}, farther off than the tolerance "
            f"{tolerance:g}.",
            "Correct the one that is wrong.",
        )


def _order(names: Namespace, question: Order) -> None:
    values = [_evaluate(step.value, names) for step in question.steps]
    written = tuple(range(len(values)))
    # The written order comes first: the first fault is the one to mend.
    for places in permutations(written):
        order = [values[place] for place in places]
        truth = _truth(question.check, {**names, "order": order})
        shown = ", ".join(str(place + 1) for place in places)
        if places == written and not truth:
            raise _Fault(
                f"The check `{question.check.strip()}` is False for the "
                "order in which the steps are written.",
                "Write the steps in the right order, or correct the check.",
            )
        if truth and places != written:
            raise _Fault(
                f"The order is not unique: the check is also True for the "
                f"steps in the order {shown}.",
                "Sharpen the check, or merge the steps that may be swapped.",
            )


# --- running an author's Python --------------------------------------------


def _run(setup: str, names: Namespace) -> None:
    try:
        exec(compile(setup, "<setup>", "exec"), names)
    except (Exception, SystemExit) as error:
        line = _line_of(error)
        raise _Fault(
            f"`setup` raises {_named(error)}{line}.",
            "Correct that line.",
        ) from error


def _line_of(error: BaseException) -> str:
    """Return the line of the setup in which an error arose, in words."""
    if isinstance(error, SyntaxError):
        return f" in its line {error.lineno}"
    trace = error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == "<setup>":
            return f" in its line {trace.tb_lineno}"
        trace = trace.tb_next
    return ""


def _named(error: BaseException) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {message}"


def _evaluate(expression: str, names: Namespace) -> object:
    # In brackets, an expression may run over several lines.
    code = f"({expression.strip()}\n)"
    try:
        # A copy, so that no check can name anything for the next.
        return eval(compile(code, "<check>", "eval"), dict(names))
    except (Exception, SystemExit) as error:
        raise _Fault(
            f"`{expression.strip()}` raises {_named(error)}.",
            "Write one Python expression over the names of `setup`.",
        ) from error


def _computed(check: str, names: Namespace) -> object:
    """Evaluate a check, which must compute and not merely assert."""
    value = _evaluate(check, names)
    tree = ast.parse(f"({check.strip()}\n)", mode="eval")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if used <= vars(builtins).keys():
        raise _Fault(
            f"The check `{check.strip()}` derives nothing.",
            "Write an expression over names of `setup`.",
        )
    return value


def _truth(check: str, names: Namespace) -> bool:
    value = _computed(check, names)
    if not isinstance(value, bool | np.bool_):
        raise _Fault(
            f"The check `{check.strip()}` is {value!r}, which is neither "
            "True nor False.",
            "Write a comparison.",
        )
    return bool(value)


def _number(check: str, names: Namespace) -> float:
    value = _computed(check, names)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise _Fault(
            f"The check `{check.strip()}` is {value!r}, which is not a "
            "number.",
            "Write an expression whose value is one real number.",
        )
    try:
        value = float(value)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise _Fault(
            f"The check `{check.strip()}` is {value}, which is not finite.",
            "Correct the check.",
        )
    return value
