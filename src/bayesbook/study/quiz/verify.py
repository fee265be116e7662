"""Recomputing every key of a bank.

The checks of a bank are Python that its author wrote, and are run as they
are: verify only banks that you would import.
"""

import ast
import builtins
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, permutations
from numbers import Real
from typing import Any

import numpy as np

from bayesbook.study.quiz.answers import agrees
from bayesbook.study.quiz.errors import Problem, QuizError
from bayesbook.study.quiz.numerals import (
    SMALL,
    Numeral,
    constants,
    numbers_told,
    numerals,
    operands,
    values_named,
    values_of,
)
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Option,
    Order,
    Question,
    Quiz,
    number,
    unknown_kind,
)

Namespace = dict[str, object]


class _Fault(Exception):  # noqa: N818  (an outcome to collect, not a crash)
    """What a single check found wrong, and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy = what, remedy


def verify(quiz: Quiz, *, all_told: bool = False) -> None:
    """Recompute every key and number of a bank; show each distractor wrong.

    Parameters
    ----------
    quiz : Quiz
        From :func:`bayesbook.study.quiz.load`.
    all_told : bool
        Hold questions without ``told`` to it, too: their texts may then have
        no numbers but those of an option whose own check has them.

    Raises
    ------
    QuizError
        If a check contradicts the key, raises an error, or only asserts a
        value; if its value is neither true nor false, or not a finite number;
        if a text has a number that is not what the question's ``told`` says of
        it or, without ``told``, none of the question's own values (see
        ``quiz/numerals.py``). The message lists all.

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
        for part, fault in _faults(quiz, question, all_told)
    ]
    if problems:
        raise QuizError(problems)


def _faults(
    quiz: Quiz, question: Question, all_told: bool
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
    sound = True
    for part, check, *key in _checks(question):
        try:
            check(names, *key)
        except _Fault as fault:
            yield part, fault
            sound = False
    if sound:  # else the values that its numbers should tell are in doubt
        is_told = all_told or question.told
        numbers = _mistold_numbers if is_told else _unknown_numbers
        yield from numbers(names, question)


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


# --- The numbers of the texts ---------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A part of a question: its texts, and the Python that is about it."""

    name: str
    texts: list[str]
    code: list[str]
    written: list[str] = field(default_factory=list)
    is_right: bool = True


def _parts(question: Question) -> list[_Part]:
    match question:
        case Choice(options=options):
            return [
                _Part(
                    f"option {position} ({_short(option.text)})",
                    [option.text, option.why],
                    [option.check],
                    is_right=option.right,
                )
                for position, option in enumerate(options, 1)
            ]
        case Numeric(check=check, answer=answer, why=why):
            wrong = [
                _Part(
                    f"wrong value {each.value}",
                    [each.why],
                    [each.check],
                    [each.value],
                    is_right=False,
                )
                for each in question.wrong
            ]
            return [_Part("why", [why], [check], [answer]), *wrong]
        case Order(steps=steps, why=why):
            named = [
                _Part(f"step {position}", [step.text], [step.value])
                for position, step in enumerate(steps, 1)
            ]
            return [*named, _Part("why", [why], [])]
    raise unknown_kind(question)


def _mistold_numbers(
    names: Namespace, question: Question
) -> Iterator[tuple[str, _Fault]]:
    """Yield where a number of a question is not the value that it tells.

    An option that has the numbers of its own check tells nothing else.
    """
    written = [
        (part.name, numbers)
        for part in [_Part("prompt", [question.prompt], []), *_parts(question)]
        for text in part.texts
        if (numbers := numbers_told(text)) and not _are_checked(numbers, part)
    ]
    if len(written) != len(question.told):
        told = "; ".join(f"{part}: {_listed(each)}" for part, each in written)
        yield (
            "told",
            _Fault(
                f"It has {len(question.told)} entries for {len(written)} "
                f"texts with numbers ({told}).",
                "Write one for each, in their order.",
            ),
        )
        return
    for (part, numbers), code in zip(written, question.told, strict=True):
        try:
            _compare(numbers, code, names)
        except _Fault as fault:
            yield part, fault


def _compare(numbers: list[Numeral], code: str, names: Namespace) -> None:
    """Refuse numbers that are not those of the expressions in `told`."""
    listed = f"[{code.strip()}\n]"
    values: Any = _evaluate(listed, names)
    told: Any = ast.parse(listed, mode="eval").body
    correct = "Correct the text, or what `told` says of it."
    if len(values) != len(numbers):
        raise _Fault(
            f"It tells {_listed(numbers)}, but `told` has {len(values)} "
            "values.",
            correct,
        )
    for numeral, value in zip(numbers, values, strict=True):
        if not isinstance(value, Real) or not numeral.tells([float(value)]):
            raise _Fault(
                f"It tells {numeral.written} where `told` gives {value}.",
                correct,
            )
    for each in told.elts:
        code = ast.unparse(each)
        small = range(SMALL + 1)
        if not values_named(each) and _evaluate(code, names) not in small:
            raise _Fault(
                f"Of {code} it is only said again what it is.",
                "Derive it from a name; small whole numbers need none.",
            )


def _are_checked(numbers: list[Numeral], part: _Part) -> bool:
    """Return whether numbers are the constants of a part's check."""
    checked = [each for code in part.code for each in constants(code)]
    return len(numbers) == len(checked) and all(
        number.tells([value])
        for number, value in zip(numbers, checked, strict=True)
    )


def _listed(numbers: list[Numeral]) -> str:
    return " ".join(number.written for number in numbers)


def _unknown_numbers(
    names: Namespace, question: Question
) -> Iterator[tuple[str, _Fault]]:
    """Yield the numbers of a question that are none of its values.

    What makes one wrong option wrong tells nothing of the others.
    """
    parts = _parts(question)
    try:
        known = _numbers_in(question.setup, names)
        for check in question.why_check:
            _computed(check, names)
            known += _numbers_of(check, names)
        own = {part.name: _numbers_about(part, names) for part in parts}
    except _Fault as fault:
        yield "why_check", fault
        return
    for part in parts:
        known += own[part.name] if part.is_right else []
    everything = [*known, *chain.from_iterable(own.values())]
    yield from _untold("prompt", question.prompt, everything)
    for part in parts:
        for text in part.texts:
            yield from _untold(part.name, text, known + own[part.name])


def _untold(
    part: str, text: str, known: list[float]
) -> Iterator[tuple[str, _Fault]]:
    for numeral in numerals(text):
        if not numeral.tells(known):
            what = f"No value of its `setup` or checks is {numeral.written}."
            remedy = "Correct the number, or compute it in `why_check`."
            yield part, _Fault(what, remedy)


def _numbers_about(part: _Part, names: Namespace) -> list[float]:
    """Return the numbers of the Python that is about a part."""
    of_code = [_numbers_of(check, names) for check in part.code]
    return [*map(number, part.written), *chain.from_iterable(of_code)]


def _numbers_of(check: str, names: Namespace) -> list[float]:
    """Return the numbers that an expression has, compares or gives."""
    compared = [_evaluate(each, names) for each in operands(check)]
    return [
        *_numbers_in(f"({check.strip()}\n)", names),
        *chain.from_iterable(map(values_of, compared)),
    ]


def _numbers_in(code: str, names: Namespace) -> list[float]:
    """Return the constants of Python code, and the values of its names."""
    used = [names[name] for name in sorted(_names(code)) if name in names]
    return [*constants(code), *chain.from_iterable(map(values_of, used))]


def _names(code: str) -> set[str]:
    nodes = ast.walk(ast.parse(code))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


# --- Running an author's Python --------------------------------------------


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
    if _names(f"({check.strip()}\n)") <= vars(builtins).keys():
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
