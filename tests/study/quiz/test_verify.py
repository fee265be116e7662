"""A key that its check contradicts is found, and so is a check that fails."""

import itertools

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from study.quiz.sample import TEXT

from bayesbook.study import quiz
from bayesbook.study.quiz import QuizError
from bayesbook.study.quiz.shuffling import places


def faults(name, change):
    """Verify the sample bank with one question changed."""
    data = yaml.safe_load(TEXT)
    change(next(q for q in data["questions"] if q["id"] == name))
    bank = quiz.parse(yaml.safe_dump(data), "sample.yml")
    with pytest.raises(QuizError) as caught:
        quiz.verify(bank)
    assert len(caught.value.problems) == 1
    return str(caught.value)


def set_check(check, option=None):
    def change(question):
        part = question if option is None else question["options"][option]
        part["check"] = check

    return change


def test_a_sound_bank_passes():
    quiz.verify(quiz.parse(TEXT, "sample.yml"))


def test_a_right_option_whose_check_is_false():
    message = faults("bayes-rule", set_check("hit > 1", option=0))
    assert "question 'bayes-rule', option 1 (" in message
    assert "is marked right, but its check `hit > 1` is False" in message


def test_a_distractor_whose_check_is_true():
    message = faults("bayes-rule", set_check("hit < 1", option=1))
    assert "option 2 ('$P(B \\\\mid A)$')" in message
    assert "not marked right, but its check `hit < 1` is True" in message


def test_an_answer_that_its_check_contradicts():
    message = faults("posterior", set_check("prior * hit / 2"))
    assert "question 'posterior', answer: The bank says 10/109" in message
    assert "computes 0.0045" in message
    assert "tolerance 0.0005" in message


def test_a_key_is_as_exact_as_its_tolerance():
    off = set_check("prior * hit / evidence + F(75, 100_000)")
    assert "farther off than the tolerance 0.0005" in faults("posterior", off)


def test_a_wrong_value_that_its_check_contradicts():
    message = faults(
        "posterior", lambda q: q["wrong"][0].update(check="alarm")
    )
    assert "wrong value 0.9: The bank says 0.9" in message
    assert "computes 0.09" in message


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("1 / 0 == 1", "raises ZeroDivisionError: division by zero"),
        ("unknown > 1", "raises NameError: name 'unknown' is not defined"),
        ("hit >", "raises SyntaxError"),
        ("float(hit)", "is 0.9, which is neither True nor False"),
        ("hit and None", "is None, which is neither True nor False"),
        ("[hit]", "neither True nor False"),
        ("exit()", "raises SystemExit"),
        ("True", "derives nothing"),
        ("not False", "derives nothing"),
        ("1 == 1", "derives nothing"),
        ("bool(1)", "derives nothing"),
    ],
)
def test_a_check_of_an_option_that_is_no_check(check, said):
    assert said in faults("bayes-rule", set_check(check, option=0))


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("float('nan') + hit", "is nan, which is not finite"),
        ("float('inf') * hit", "is inf, which is not finite"),
        ("hit == 1", "is False, which is not a number"),
        ("[hit]", "which is not a number"),
        ("1 / 0", "raises ZeroDivisionError"),
        ("hit * 10**400", "is inf, which is not finite"),
        ("0.0917", "derives nothing"),
        ("10 / 109", "derives nothing"),
        ("-0.5", "derives nothing"),
        ("abs(10 / 109)", "derives nothing"),
    ],
)
def test_a_check_of_a_number_that_is_no_check(check, said):
    assert said in faults("posterior", set_check(check))


def test_numbers_of_numpy_are_numbers():
    data = yaml.safe_load(TEXT)
    data["setup"] += "\nimport numpy as np"
    question = data["questions"][2]
    question["check"] = "np.float64(prior * hit / evidence)"
    data["questions"][0]["options"][0]["check"] = "np.bool_(hit < 1)"
    quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_an_expression_may_run_over_lines():
    data = yaml.safe_load(TEXT)
    check = "prior * hit\n/ evidence  # the posterior\n"
    data["questions"][2]["check"] = check
    quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_an_order_that_is_not_unique():
    message = faults("by-hand", set_check("order[0] == 0"))
    assert "The order is not unique" in message
    assert "the steps in the order 1, 2, 4, 3" in message


def test_an_order_written_wrongly():
    message = faults("by-hand", set_check("order == sorted(order)[::-1]"))
    assert "False for the order in which the steps are written" in message


def test_steps_that_no_check_can_tell_apart():
    def change(question):
        question["steps"][1]["value"] = 0

    message = faults("by-hand", change)
    assert "The order is not unique" in message


def test_a_step_whose_value_raises():
    message = faults("by-hand", lambda q: q["steps"][0].update(value="nope"))
    assert "`nope` raises NameError" in message


def test_a_setup_of_a_question_that_raises():
    message = faults("posterior", lambda q: q.update(setup="x = 1\n1 / 0"))
    assert "question 'posterior', setup: " in message
    assert "ZeroDivisionError: division by zero in its line 2" in message


def test_a_setup_of_the_bank_that_raises():
    text = TEXT.replace("from fractions", "from fractures")
    with pytest.raises(QuizError, match=r"sample\.yml, setup: .*line 1"):
        quiz.verify(quiz.parse(text, "sample.yml"))
    text = TEXT.replace("  prior, hit", "  exit()\n  prior, hit", 1)
    with pytest.raises(QuizError, match="raises SystemExit: None in its line"):
        quiz.verify(quiz.parse(text, "sample.yml"))


def test_the_setup_of_a_question_is_its_own():
    data = yaml.safe_load(TEXT)
    data["questions"][2]["setup"] = "hit = F(9, 10)\nown = 1"
    data["questions"][4]["check"] = "own and order == sorted(order)"
    with pytest.raises(QuizError, match="'own' is not defined"):
        quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_no_question_finds_what_another_has_changed():
    data = yaml.safe_load(TEXT)
    data["setup"] += "seen = []\n"
    for question in (data["questions"][2], data["questions"][3]):
        question["check"] += " + len(seen)"
        question["wrong"][0]["check"] += " + 0 * bool(seen.append(1))"
    quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_no_check_names_anything_for_the_next():
    data = yaml.safe_load(TEXT)
    first, second = data["questions"][0]["options"][:2]
    first["check"] = "(mine := hit) == F(9, 10)"
    second["check"] = "mine > 1"
    with pytest.raises(QuizError, match="'mine' is not defined"):
        quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_all_contradictions_are_told_at_once():
    text = TEXT.replace("hit = F(1, 100), F(9, 10)", "hit = F(1, 100), F(1)")
    text = text.replace(
        "prior, hit, alarm = F(1, 100), F(9, 10)",
        "prior, hit, alarm = F(1, 50), F(8, 10)",
    )
    with pytest.raises(QuizError) as caught:
        quiz.verify(quiz.parse(text, "sample.yml"))
    assert len(caught.value.problems) > 3


@given(st.permutations(range(4)))
def test_exactly_the_written_order_passes(order):
    """Whatever the order of writing, its check holds for it alone."""
    data = yaml.safe_load(TEXT)
    question = data["questions"][4]
    question["steps"] = [question["steps"][place] for place in order]
    question["check"] = f"order == {list(order)}"
    bank = quiz.parse(yaml.safe_dump(data), "sample.yml")
    quiz.verify(bank)
    shown = places(bank.questions[4])
    assert sorted(shown) == [0, 1, 2, 3]
    assert sum(a > b for a, b in itertools.combinations(shown, 2)) >= 3


# --- The numbers of the texts ---------------------------------------------


def set_text(*keys_and_text):
    *keys, last, text = keys_and_text

    def change(question):
        for key in keys:
            question = question[key]
        question[last] = text

    return change


@pytest.mark.parametrize(
    ("name", "change", "part"),
    [
        ("what-holds", set_text("prompt", "It finds 80% of the ill."), ""),
        ("what-holds", set_text("options", 0, "text", "1.5 more"), "option 1"),
        ("what-holds", set_text("options", 0, "why", "98 times"), "option 1"),
        ("posterior", set_text("why", "Of 10 900 people."), "why"),
        ("posterior", set_text("wrong", 1, "why", "0.019"), "wrong value"),
        ("by-hand", set_text("steps", 2, "text", "Sum all 13."), "step 3"),
        ("by-hand", set_text("why", r"It is $\frac{1}{2}$."), "why"),
    ],
)
def test_a_number_that_is_no_value_of_its_question(name, change, part):
    message = faults(name, change)
    assert f"question '{name}'" in message
    assert part in message
    assert "No value of its `setup` or checks is" in message


@pytest.mark.parametrize("text", ["seven of 12", "90%", "0.09", "9/10", "0.1"])
def test_a_number_that_is_a_value_when_rounded(text):
    data = yaml.safe_load(TEXT)
    set_text("options", 1, "why", text)(data["questions"][0])
    quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_what_a_wrong_value_computes_tells_nothing_of_the_answer():
    message = faults("posterior", set_text("why", "First, 0.009."))
    assert "'posterior', why: No value" in message
    data = yaml.safe_load(TEXT)
    set_text("wrong", 1, "why", "This is 0.009.")(data["questions"][2])
    quiz.verify(quiz.parse(yaml.safe_dump(data), "sample.yml"))


def test_a_number_of_another_question_is_none_of_this_one():
    people = set_text("options", 1, "why", "Of 10 000 people.")
    assert "is 10000." in faults("bayes-rule", people)


def test_what_why_check_computes_must_be_derived():
    message = faults("posterior", set_text("why_check", ["1 - 0.01"]))
    assert "why_check: The check `1 - 0.01` derives nothing" in message
    message = faults("posterior", set_text("why_check", ["unknown"]))
    assert "'unknown' is not defined" in message


def test_a_false_key_is_told_before_the_numbers():
    def change(question):
        question["why"] = "0.123"
        question["check"] = "prior"

    assert "0.123" not in faults("posterior", change)


# --- What a question says of its numbers -------------------------------------

TOLD = ["people, people * prior * hit, people * (1 - prior) * alarm"]


def with_told(told, **texts):
    """Give the sample with the question `share` saying what it tells."""
    data = yaml.safe_load(TEXT)
    share = data["questions"][3]
    del share["why_check"]
    share |= {"told": told, **texts}
    return quiz.parse(yaml.safe_dump(data), "sample.yml")


def mistold(told, **texts):
    with pytest.raises(quiz.QuizError) as caught:
        quiz.verify(with_told(told, **texts))
    return str(caught.value)


def test_numbers_that_are_those_told():
    quiz.verify(with_told(TOLD))
    quiz.verify(
        with_told(
            [*TOLD, "prior"],
            wrong=[
                {
                    "value": 0.9,
                    "check": "100 * prior * hit",
                    "why": "Of one in 1/100.",
                }
            ],
        )
    )


@pytest.mark.parametrize(
    ("why", "message"),
    [
        ("Of 10 000 people 91 ill and 891 do.", "tells 91 where `told` gives"),
        ("Of 10 000 people 891 and 90 do.", "tells 891 where `told` gives 90"),
        (
            "Of 10 000 people 90 ill do.",
            "tells 10000 90, but `told` has 3 val",
        ),
    ],
)
def test_another_number_than_is_told(why, message):
    assert message in mistold(TOLD, why=why)


def test_a_small_number_is_told_too():
    prompt = "Of 2 people, how many per cent test positive?"
    message = mistold(TOLD, prompt=prompt)
    assert "told: It has 1 entries for 2 texts with numbers" in message
    assert "(prompt: 2; why: 10000 90 891)" in message
    message = mistold(["len('abc') + 0 * people", *TOLD], prompt=prompt)
    assert "prompt: It tells 2 where `told` gives 3" in message


def test_a_question_without_told_is_refused_where_all_must_tell():
    data = yaml.safe_load(TEXT)
    data["questions"] = data["questions"][1:2]
    bank = quiz.parse(yaml.safe_dump(data), "sample.yml")
    quiz.verify(bank)
    with pytest.raises(QuizError, match="told: It has 0 entries for 4 texts"):
        quiz.verify(bank, all_told=True)


@pytest.mark.parametrize("number", ["10_000", "F(10_000)", "10 ** 4"])
def test_what_is_told_is_derived(number):
    told = [TOLD[0].replace("people", number, 1)]
    assert "it is only said again" in mistold(told)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("peopel", "name 'peopel' is not defined"),
        ("people,, hit", "raises SyntaxError"),
        ("[people], hit, hit", "tells 10000 where `told` gives [10000]"),
        ("*[people, 90 * hit / hit, 891], hit", "has 4 values"),
    ],
)
def test_what_is_told_must_be_numbers(told, message):
    assert message in mistold([told])
