"""The checker names the kind of a mistake, and never the answer."""

import copy
import functools
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest

import bayesbook.study.exercises
from bayesbook.study.exercises import Exercise, check, diagnose, exercise
from bayesbook.study.exercises.checker import exercises_of

NAN = float("nan")


def ratio(numbers, divisor):
    """Divide the sum by the divisor; the exercise that is set here."""
    if divisor < 0:
        raise LookupError("negative")
    return F(sum(numbers), divisor)


def ratios(numbers, divisor):
    return {number: F(number, sum(numbers)) for number in numbers}


RATIO = Exercise(
    reference=ratio,
    cases=(([1, 2], 5), ([1, 3], 7), ([2, 4], 9), ([1], -1)),
    mistakes={
        "You forgot to divide.": lambda numbers, divisor: sum(numbers),
        "You took the first only.": lambda n, divisor: F(n[0], divisor),
    },
)
RATIOS = Exercise(reference=ratios, cases=(([1, 2], 5), ([1, 3], 7)))
EVEN = Exercise(reference=lambda n: n % 2 == 0, cases=((1,), (2,)))


def message(exercise, function, **named):
    report = diagnose(exercise, function, **named)
    assert report.status == "failed"
    assert not report.passed
    return report.message


def asks_for(value):
    """Return the exercise whose right answer is this value."""
    return Exercise(reference=lambda: value, cases=((),))


# --- Right answers --------------------------------------------------------


def test_a_right_function_passes():
    report = diagnose(RATIO, ratio)
    assert report.passed
    assert report.status == "passed"
    assert report.message == "✓ ratio: correct, all 4 cases agree."


def test_a_report_shows_itself_as_its_message():
    report = diagnose(RATIO, ratio)
    assert repr(report) == report.message


def test_rounding_is_forgiven():
    def rounded(numbers, divisor):
        return float(ratio(numbers, divisor)) * (1 + 1e-12)

    assert diagnose(RATIO, rounded).passed


def test_a_difference_in_the_eighth_digit_is_not_rounding():
    def wrong(numbers, divisor):
        return float(ratio(numbers, divisor)) * (1 + 1e-8)

    assert "4 cases" in message(RATIO, wrong)


def test_numbers_of_numpy_are_numbers():
    def with_numpy(numbers, divisor):
        return np.float64(ratio(numbers, divisor))

    assert diagnose(RATIO, with_numpy).passed
    assert diagnose(EVEN, lambda n: np.bool_(n % 2 == 0)).passed


def test_a_decimal_is_a_number():
    assert diagnose(asks_for(F(1, 2)), lambda: Decimal("0.5")).passed
    assert "negative" in message(asks_for(F(1, 2)), lambda: Decimal("-0.5"))


@pytest.mark.parametrize("right", [[1, 0.5], (1, 0.5)])
@pytest.mark.parametrize("got", [[1, F(1, 2)], (1.0, 0.5 + 1e-12)])
def test_a_sequence_is_compared_place_by_place(right, got):
    assert diagnose(asks_for(right), lambda: got).passed


@pytest.mark.parametrize("got", [[0.5, 1], [1], [1, 0.5, 0], [1, "0.5"]])
def test_a_sequence_that_differs(got):
    assert "right kind" in message(asks_for([1, 0.5]), lambda: got)


def test_a_dictionary_has_no_other_keys():
    more = message(asks_for({1: 0.5}), lambda: {1: 0.5, 2: 0.5})
    assert "The keys of the dictionary" in more


@pytest.mark.parametrize("right", [{1, 2}, "text"])
def test_other_values_are_right_if_they_are_equal(right):
    assert diagnose(asks_for(right), lambda: copy.copy(right)).passed
    assert "right kind" in message(asks_for(right), lambda: type(right)())


def test_the_order_of_a_dictionary_does_not_matter():
    def reverse(numbers, divisor):
        return dict(reversed(ratios(numbers, divisor).items()))

    assert diagnose(RATIOS, reverse).passed


def test_a_callable_object_is_a_function():
    class Ratio:
        def __call__(self, numbers, divisor):
            return ratio(numbers, divisor)

    assert diagnose(RATIO, Ratio()).message.startswith("✓ Ratio: correct")


def test_a_more_special_exception_is_right_too():
    def special(numbers, divisor):
        return {}["negative"] if divisor < 0 else ratio(numbers, divisor)

    assert diagnose(RATIO, special).passed


# --- Not attempted --------------------------------------------------------


def test_a_stub_is_not_attempted_yet():
    def stub(numbers, divisor):
        """Return the number that is to be computed."""
        ...

    report = diagnose(RATIO, stub)
    assert report.status == "not attempted"
    assert not report.passed
    assert report.message == (
        "○ stub: not attempted yet.\n"
        "  Replace the ... by your code and run the cell again. (If there is "
        "code\n  already: a function without `return` gives nothing back.)"
    )


def test_a_function_that_sometimes_returns_nothing_was_attempted():
    def sometimes(numbers, divisor):
        if divisor < 7:
            return ratio(numbers, divisor)

    assert "For some inputs it returns nothing" in message(RATIO, sometimes)


# --- Mistakes -------------------------------------------------------------


@pytest.mark.parametrize("hint", RATIO.mistakes)
def test_a_known_mistake_has_its_hint(hint):
    text = message(RATIO, RATIO.mistakes[hint])
    others = set(RATIO.mistakes) - {hint}
    assert hint in text
    assert not any(other in text for other in others)


def test_a_module_writes_reference_and_mistakes_one_below_the_other():
    @exercise((1,), (3,))
    def double(n):
        return 2 * n

    @double.mistake("You squared.", example=((3,), 9))
    def squared(n):
        return n * n

    @double.mistake("You doubled twice.", example=((3,), 12))
    def twice(n):
        return double(double(n))

    assert list(double.mistakes.values()) == [squared, twice]
    assert double.examples["You doubled twice."] == ((3,), 12)
    assert "\n  You squared.\n" in message(double, lambda n: n**2)
    assert "\n  You doubled twice.\n" in message(double, lambda n: 4 * n)


def test_of_two_mistakes_that_agree_the_first_is_named():
    same = Exercise(lambda n: n, ((1,), (2,)))
    same.mistake("First.", example=((1,), 0))(lambda n: 0)
    same.mistake("Second.", example=((1,), 0))(lambda n: n * 0)
    assert "\n  First.\n" in message(same, lambda n: 0)


def test_a_hint_belongs_to_one_mistake():
    double = Exercise(lambda n: 2 * n, ((1,),))
    double.mistake("You squared.", example=((3,), 9))(lambda n: n * n)
    with pytest.raises(ValueError, match="Two mistakes have the hint 'You sq"):
        double.mistake("You squared.", example=((3,), 9))(lambda n: n + n * n)


def test_a_known_mistake_is_known_without_the_exception():
    def forgot(numbers, divisor):
        return sum(numbers)

    text = message(RATIO, forgot)
    assert "4 of 4 cases differ.\n  You forgot to divide." in text
    # The exception is another matter: show a case that the hint is about.
    assert text.endswith("A call that differs: forgot([1, 2], 5)")


def test_a_function_that_agrees_with_a_mistake_only_sometimes():
    def mixed(numbers, divisor):
        return sum(numbers) if divisor == 5 else F(8, 10)

    assert not any(hint in message(RATIO, mixed) for hint in RATIO.mistakes)


def test_a_right_formula_without_the_exception_is_no_known_mistake():
    def careless(numbers, divisor):
        return F(sum(numbers), divisor)

    text = message(RATIO, careless)
    assert "1 of 4 cases differ" in text
    assert "It returned a value where LookupError is asked for." in text
    assert text.endswith("careless([1], -1)")


def test_another_exception_than_the_one_asked_for():
    def impatient(numbers, divisor):
        return F(sum(numbers), max(divisor, 0))

    text = message(RATIO, impatient)
    assert "raised ZeroDivisionError, where LookupError is asked for" in text


def test_an_exception_is_told_with_its_line():
    def broken(numbers, divisor):
        total = sum(numbers)
        return total / undefined  # noqa: F821

    text = message(RATIO, broken)
    assert "It raised NameError in line 3 of its source: name 'undef" in text


def test_the_line_is_that_of_the_learner_and_not_of_a_helper():
    def helper():
        raise RuntimeError("from the helper")

    def broken(numbers, divisor):
        return helper()

    text = message(RATIO, broken)
    assert "RuntimeError in line 2 of its source: from the helper" in text


def test_the_line_of_a_decorated_function_counts_the_decorator():
    def decorator(function):
        @functools.wraps(function)
        def wrapped(*arguments):
            return function(*arguments)

        return wrapped

    @decorator
    def broken(numbers, divisor):
        total = sum(numbers)
        return total / undefined  # noqa: F821

    assert "NameError in line 4 of its source" in message(RATIO, broken)


@pytest.mark.parametrize(
    "function",
    [lambda: 1, lambda numbers: 1, lambda numbers, divisor, extra: 1],
)
def test_a_wrong_signature(function):
    text = message(RATIO, function)
    assert "It raised TypeError" in text
    assert "positional argument" in text


@pytest.mark.parametrize(
    ("exercise", "value", "said"),
    [
        (RATIO, "3/5", "of type str, where a number is asked for"),
        (RATIO, {}, "of type dict, where a number is asked for"),
        (RATIO, True, "of type bool, where a number is asked for"),
        (RATIO, 1j, "of type complex, where a number is asked for"),
        (RATIO, np.ones(2), "of type ndarray, where a number is asked for"),
        (RATIOS, 0.5, "of type float, where a dictionary is asked for"),
        (RATIOS, [1, 2], "of type list, where a dictionary is asked for"),
        (EVEN, 1, "of type int, where True or False is asked for"),
        (EVEN, "True", "of type str, where True or False is asked for"),
    ],
)
def test_a_value_of_a_wrong_type(exercise, value, said):
    def wrong(*_arguments):
        return value

    assert said in message(exercise, wrong)


@pytest.mark.parametrize("value", [{1, 2}, [1, 2]])
def test_a_set_and_a_list_are_of_different_types(value):
    wanted = Exercise(reference=lambda: type(value)(), cases=((),))
    other = list if isinstance(value, set) else set
    assert f"of type {other.__name__}" in message(wanted, other)


@pytest.mark.parametrize(
    ("exercise", "value"),
    [
        (RATIO, NAN),
        (RATIO, np.float64(NAN)),
        (RATIOS, {1: NAN}),
        (RATIOS, {1: [0.5, NAN]}),
    ],
)
def test_not_a_number_is_told(exercise, value):
    assert "It returns NaN" in message(exercise, lambda *_: value)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"other": 1}, "The keys of the dictionary are not those asked for"),
        ({1: "a", 2: "b"}, "Some values of the dictionary are not numbers"),
        ({1: 0.25, 2: 0.25}, "sum to 0.5, not to 1"),
        ({1: F(1, 2), 2: F(3, 4)}, "sum to 5/4, not to 1"),
        ({1: -0.5, 2: 1.5}, "It returns a negative number"),
        ({1: 0.5, 2: 0.5}, "right kind, but another one is right"),
        ({1: 10**400, 2: 0.5}, "greater than 1"),
    ],
)
def test_what_is_wrong_with_a_dictionary(values, said):
    exercise = Exercise(reference=ratios, cases=(([1, 2], 5),))
    assert said in message(exercise, lambda *_: values)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (-0.5, "It returns a negative number"),
        (1.5, "It returns a probability greater than 1"),
        (1, "The value is of the right kind, but another one is right"),
        (0.5, "The value is of the right kind, but another one is right"),
    ],
)
def test_what_is_wrong_with_a_number(value, said):
    exercise = Exercise(reference=ratio, cases=(([1, 2], 5),))
    assert said in message(exercise, lambda *_: value)


@pytest.mark.parametrize("value", [-0.5, 1.5])
def test_a_number_may_have_any_size_if_the_answer_is_negative(value):
    exercise = Exercise(reference=lambda x: -2.0 * x, cases=((1,), (3,)))
    text = diagnose(exercise, lambda x: value).message
    assert "another one is right" in text


def test_a_number_may_be_greater_than_one_if_the_answer_is():
    exercise = Exercise(reference=ratio, cases=(([1, 2], 1),))
    assert "probability" not in message(exercise, lambda *_: 2)


def test_the_number_of_wrong_cases_is_told():
    def once(numbers, divisor):
        return F(9, 10) if divisor == 7 else ratio(numbers, divisor)

    text = message(RATIO, once)
    assert text.startswith("✗ once: not yet, 1 of 4 cases differ.\n")
    assert text.endswith("\n  A call that differs: once([1, 3], 7)")


def test_the_most_telling_case_is_shown():
    def mixed(numbers, divisor):
        if divisor == 9:
            return F(1, 0)
        return "text" if divisor == 7 else F(1, 2)

    def milder(numbers, divisor):
        return "text" if divisor == 7 else F(1, 2)

    # An exception, then a wrong kind of value, then a wrong value.
    assert "ZeroDivisionError" in message(RATIO, mixed)
    assert message(RATIO, milder).endswith("milder([1, 3], 7)")


def test_inputs_are_shown_the_same_on_every_run():
    """Sets of strings have another order in every process."""
    letters = set("qwertyuiop")
    exercise = Exercise(reference=lambda s, x: 1, cases=((letters, F(1, 3)),))
    shown = ", ".join(repr(letter) for letter in sorted(letters))
    text = message(exercise, lambda s, x: 0)
    assert text.endswith(f"<lambda>({{{shown}}}, 1/3)")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([F(1, 2), [0.1 + 0.2]], "[1/2, [0.3]]"),
        ([], "[]"),
        (set(), "set()"),
        ({"a": F(1, 2)}, "{'a': 1/2}"),
        ({F(1, 4): F(1, 2)}, "{1/4: 1/2}"),
    ],
)
def test_inputs_are_shown_as_they_are_written(value, shown):
    exercise = Exercise(reference=lambda x: 1, cases=((value,),))
    assert message(exercise, lambda x: 0).endswith(f"<lambda>({shown})")


# --- Functions that misbehave ---------------------------------------------


def test_recursion_without_an_end_is_told():
    def deeper(numbers, divisor):
        return deeper(numbers, divisor)

    assert "It raised RecursionError" in message(RATIO, deeper)


def test_changed_arguments_do_no_harm():
    """Every call has its own copy, and so has the reference."""
    before = copy.deepcopy(RATIO.cases)

    def greedy(numbers, divisor):
        answer = ratio(numbers, divisor)
        numbers.clear()
        return answer

    for _ in range(2):
        assert diagnose(RATIO, greedy).passed
    assert RATIO.cases == before


def test_a_mistake_that_changes_its_arguments_does_no_harm():
    def mistaken(numbers, divisor):
        return numbers.pop() * 10

    exercise = Exercise(ratio, RATIO.cases, {"You popped.": mistaken})
    for _ in range(2):
        assert "You popped." in message(exercise, mistaken)


def test_the_book_computes_each_answer_once():
    calls = []

    def noted(numbers, divisor):
        calls.append(divisor)
        return ratio(numbers, divisor)

    exercise = Exercise(noted, RATIO.cases, {"As it is.": noted})
    assert calls == []
    for wrong in (0.1, 0.2, 0.3):
        assert "right kind" in message(exercise, lambda *_, w=wrong: w)
    # The reference answers all cases; the mistake differs in the first.
    assert calls == [5, 7, 9, -1, 5]


def test_an_exercise_with_other_cases_has_other_answers():
    assert diagnose(RATIO, ratio).passed
    other = replace(RATIO, cases=(([5], 2),))
    assert diagnose(other, lambda numbers, divisor: 2.5).passed


def test_the_answer_is_not_in_the_report():
    exercise = Exercise(
        reference=lambda x: math.pi * x,
        cases=((1,), (2,)),
        mistakes={"You took 3.": lambda x: 3 * x},
    )
    for wrong in (3, 4, -1, 100, NAN, None, "3", {}):
        text = diagnose(exercise, lambda x, wrong=wrong: wrong).message
        assert "3.1" not in text
        assert "6.2" not in text


# --- Asking for an exercise by name ---------------------------------------


@pytest.mark.parametrize(
    ("given", "shown", "kind"),
    [
        (None, "None", "NoneType"),
        (F(1, 3), "1/3", "Fraction"),
        ({"ill": F(1, 12)}, "{'ill': 1/12}", "dict"),
        ("posterior", "'posterior'", "str"),
    ],
)
def test_a_result_instead_of_the_function(given, shown, kind):
    with pytest.raises(TypeError) as caught:
        check("events/posterior", given)
    text = str(caught.value)
    assert "without parentheses" in text
    assert "check('events/posterior', posterior)" in text
    assert f"it was given {shown}, which is not a function" in text
    assert f"of type {kind}." in text


NAMES = [
    "events/conditional",
    "events/posterior",
    "events/after_tests",
    "events/mutually_independent",
    "events/adjusted_rate",
]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("events/posteriors", "events/posterior"),
        ("events/independent", "events/mutually_independent"),
        ("events/Conditional", "events/conditional"),
        ("events/", "events/"),
        ("events", "events/"),
    ],
)
def test_an_unknown_exercise_is_named_with_the_nearest(name, near):
    with pytest.raises(ValueError, match="no exercise") as caught:
        check(name, ratio)
    text = str(caught.value)
    assert f"There is no exercise {name!r}; did you mean '{near}" in text
    assert all(known in text for known in NAMES)


@pytest.mark.parametrize("name", ["posterior", "evnts/posterior", "", "a/b/c"])
def test_an_unknown_chapter_is_named(name):
    chapter = name.split("/")[0]
    with pytest.raises(ValueError, match="look like 'events/") as caught:
        check(name, ratio)
    assert f"There is no chapter {chapter!r}" in str(caught.value)


def test_a_module_without_exercises_is_no_chapter():
    with pytest.raises(ValueError, match="no chapter 'checker'"):
        check("checker/posterior", ratio)


def test_the_exercises_of_a_chapter_come_in_their_order():
    names = [
        "ball_steps",
        "ancestors",
        "is_active",
        "moral_edges",
        "separated",
        "equivalent",
    ]
    assert list(exercises_of("d_separation")) == names


def test_a_module_that_a_chapter_lacks_is_named(tmp_path, monkeypatch):
    (tmp_path / "lacking.py").write_text("import no_such_module")
    monkeypatch.setattr(bayesbook.study.exercises, "__path__", [str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        check("lacking/posterior", ratio)


def test_a_name_is_looked_up_before_the_function():
    with pytest.raises(ValueError, match="no exercise 'events/x'"):
        check("events/x", None)


# --- Odd values -----------------------------------------------------------


class UnfriendlyError(Exception):
    def __str__(self):
        raise RuntimeError("no text")

    def __eq__(self, other):
        raise RuntimeError("no comparison")


def recursive():
    values = []
    values.append(values)
    return values


ODD = {
    "an array": lambda: np.array([1, 2]),
    "a series": lambda: pd.Series([1, 2]),
    "a frame": lambda: pd.DataFrame({"a": [1, 2]}),
    "a list of itself": recursive,
    "no comparison": UnfriendlyError,
    "a list of these": lambda: [UnfriendlyError(), recursive()],
    "a dictionary of arrays": lambda: {"a": np.array([1, 2])},
    "a signalling NaN": lambda: Decimal("sNaN"),
    "a huge number": lambda: 10**5000,
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize(
    "right",
    [F(1, 2), True, "text", {1}, [1], [1, 2], {"a": 0.5}, {"a": {1}}, None],
    ids=str,
)
def test_an_odd_value_is_diagnosed(right, odd):
    assert message(asks_for(right), odd).startswith("✗")


def test_a_value_that_cannot_be_compared_is_told():
    said = "a value of type list that cannot be compared with the right one"
    assert said in message(asks_for([1]), recursive)


def test_an_array_is_of_another_type_than_a_set_or_a_string():
    assert "a set is asked" in message(asks_for({1}), ODD["an array"])
    assert "a string is asked" in message(asks_for("a"), ODD["an array"])


def test_an_exception_without_a_text():
    def broken():
        raise UnfriendlyError

    text = message(asks_for(1), broken)
    assert "It raised UnfriendlyError in line 2 of its source: its own" in text


# --- What used to be told wrongly -----------------------------------------


def test_a_function_that_exits_has_raised():
    assert "It raised SystemExit" in message(RATIO, lambda *_: exit())


def test_an_integer_beyond_the_floats_is_only_wrong():
    assert "greater than 1" in message(RATIO, lambda *_: 10**400)


def test_name_and_function_the_wrong_way_round():
    with pytest.raises(TypeError, match="the name of the exercise first"):
        check(ratio, "events/posterior")


def test_a_wrong_formula_comes_before_a_missing_exception():
    def wrong(numbers, divisor):
        return -abs(F(sum(numbers), divisor))

    assert "negative number" in message(RATIO, wrong)


def test_a_wrong_formula_comes_before_another_exception():
    def wrong(numbers, divisor):
        return sum(numbers) / (divisor + 1)

    text = message(RATIO, lambda numbers, divisor: wrong(numbers, divisor))
    assert "raised ZeroDivisionError" not in text
    assert "another one is right" in text


@pytest.mark.parametrize("digits", [1, 2, 3, 6])
@pytest.mark.parametrize("exercise", [RATIO, RATIOS])
def test_a_rounded_answer_is_right_but_for_its_rounding(exercise, digits):
    def rounded(numbers, divisor):
        answer = exercise.reference(numbers, divisor)
        if isinstance(answer, dict):
            return {key: round(value, digits) for key, value in answer.items()}
        return round(answer, digits)

    assert "right but for its rounding" in message(exercise, rounded)


def test_one_answer_that_is_off_is_no_rounding():
    def sometimes(numbers, divisor):
        answer = round(ratio(numbers, divisor), 3)
        return answer + F(1, 100) if divisor == 7 else answer

    assert "rounding" not in message(RATIO, sometimes)


def test_an_exercise_has_cases():
    with pytest.raises(ValueError, match="without cases"):
        Exercise(reference=ratio, cases=())
