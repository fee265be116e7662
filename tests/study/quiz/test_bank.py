"""A bank that is not sound is refused, with words that help its author."""

import pickle
import sys
import traceback

import pytest
import yaml
from study.quiz.sample import TEXT, question, sample

from bayesbook.study import quiz
from bayesbook.study.quiz import Choice, Numeric, Order, Problem, QuizError


def refusal(data, source="sample.yml"):
    """Message with which a bank is refused."""
    text = data if isinstance(data, str) else yaml.safe_dump(data)
    with pytest.raises(QuizError) as caught:
        quiz.parse(text, source)
    return str(caught.value)


def test_a_sound_bank_is_read():
    bank = quiz.parse(TEXT, "book/quizzes/sample.yml")
    assert bank.chapter == "sample"
    assert [type(q) for q in bank.questions] == [
        Choice,
        Choice,
        Numeric,
        Numeric,
        Order,
    ]
    posterior = bank.questions[2]
    assert (posterior.answer, posterior.tolerance) == ("10/109", 0.0005)
    assert [wrong.value for wrong in posterior.wrong] == ["0.9", "0.009"]


def test_a_bank_cannot_be_changed():
    bank = quiz.parse(TEXT, "sample.yml")
    with pytest.raises(AttributeError):
        bank.questions[0].prompt = "?"


def test_load_reads_a_path(tmp_path):
    path = tmp_path / "sample.yml"
    path.write_text(TEXT, encoding="utf-8")
    assert quiz.load(path) == quiz.load(str(path))
    assert quiz.load(path) == quiz.parse(TEXT, "sample.yml")


def test_load_finds_a_bank_by_name(tmp_path, monkeypatch):
    package = tmp_path / "study"
    monkeypatch.setattr(
        "bayesbook.study.quiz.bank.__file__", str(package / "quiz" / "bank.py")
    )
    for name in ("quizzes/events", "quizzes/counting", "quizzes/checks/dice"):
        path = package / f"{name}.yml"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = TEXT.replace("chapter: sample", f"chapter: {path.stem}")
        path.write_text(text, encoding="utf-8")
    assert quiz.names() == ["counting", "events"]
    assert quiz.load("events").chapter == "events"
    assert quiz.names(checks=True) == ["dice"]
    assert quiz.load("dice", checks=True).chapter == "dice"
    with pytest.raises(QuizError, match="There are: dice"):
        quiz.load("events", checks=True)
    with pytest.raises(QuizError) as caught:
        quiz.load("event")
    assert "There is no bank of this name" in str(caught.value)
    assert "Did you mean `events`?" in str(caught.value)
    assert str(caught.value).endswith("There are: counting, events.")


def test_load_of_a_missing_file_names_it(tmp_path):
    with pytest.raises(QuizError, match=r"gone\.yml: The file cannot be read"):
        quiz.load(tmp_path / "gone.yml")


def test_load_refuses_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "latin.yml"
    path.write_bytes("title: Übung".encode("latin-1"))
    with pytest.raises(QuizError, match="UTF-8"):
        quiz.load(path)


def test_installed_banks_come_before_the_checkout(tmp_path, monkeypatch):
    from bayesbook.study.quiz import bank

    module = tmp_path / "src" / "bayesbook" / "study" / "quiz" / "bank.py"
    monkeypatch.setattr(bank, "__file__", str(module))
    assert bank._folder() == tmp_path / "book" / "quizzes"
    installed = tmp_path / "src" / "bayesbook" / "study" / "quizzes"
    installed.mkdir(parents=True)
    assert bank._folder() == installed


# --- choices ---------------------------------------------------------------


def test_no_right_answer():
    data = sample()
    del question(data, "bayes-rule")["options"][0]["right"]
    message = refusal(data)
    assert "question 'bayes-rule': No option is right." in message
    assert "Mark one with `right: true`." in message


def test_two_right_answers_in_a_single_choice():
    data = sample()
    question(data, "bayes-rule")["options"][1]["right"] = True
    message = refusal(data)
    assert "2 options are right, but `kind` is single." in message
    assert "`kind: multiple`" in message


def test_nothing_wrong_in_a_multiple_choice():
    data = sample()
    for option in question(data, "what-holds")["options"]:
        option["right"] = True
    assert "Every option is right" in refusal(data)


def test_an_option_without_a_rationale():
    data = sample()
    del question(data, "what-holds")["options"][1]["why"]
    message = refusal(data)
    assert "question 'what-holds', option 2: " in message
    assert "The field `why` is missing." in message


def test_a_blank_rationale():
    data = sample()
    question(data, "what-holds")["options"][1]["why"] = "  \n"
    assert "option 2: `why` is blank. Write something." in refusal(data)


def test_an_option_without_a_check():
    data = sample()
    del question(data, "what-holds")["options"][3]["check"]
    assert "recomputes the claim" in refusal(data)


def test_two_equal_options():
    data = sample()
    options = question(data, "what-holds")["options"]
    options[3]["text"] = options[2]["text"]
    assert "Two of the options read" in refusal(data)


def test_a_single_option_is_no_choice():
    data = sample()
    del question(data, "bayes-rule")["options"][1:]
    assert "`options` has 1 entries. At least 2 are needed." in refusal(data)


# --- numbers ---------------------------------------------------------------


def test_a_wrong_value_equal_to_the_answer():
    data = sample()
    question(data, "posterior")["wrong"][0]["value"] = "20/218"
    message = refusal(data)
    assert "The wrong value 20/218 is within the tolerances" in message
    assert "Lower `tolerance`" in message


def test_a_wrong_value_whose_box_overlaps_that_of_the_answer():
    data = sample()
    wrong = question(data, "posterior")["wrong"][1]
    wrong["value"] = 0.0925  # 0.00076 off, and the tolerance is 0.0005
    assert "The wrong value 0.0925 is within" in refusal(data)
    wrong["value"] = 0.0928
    assert quiz.parse(yaml.safe_dump(data), "sample.yml")


@pytest.mark.parametrize("between", [[], [0.3]])
def test_two_diagnoses_of_one_value(between):
    data = sample()
    first, last = question(data, "posterior")["wrong"]
    last["value"] = 0.9001
    others = [{**last, "value": value} for value in between]
    question(data, "posterior")["wrong"] = [first, *others, last]
    assert "0.9 and 0.9001 are within the tolerance" in refusal(data)


def rewritten(old, new):
    """Refusal of the sample with one text put for another."""
    assert TEXT.count(old) == 1
    return refusal(TEXT.replace(old, new))


@pytest.mark.parametrize("field", ["answer: 10/109", "tolerance: 0.0005"])
@pytest.mark.parametrize("digits", ["1e999", "1" + 400 * "0"])
def test_a_number_that_is_not_finite(field, digits):
    name = field.split()[0]
    assert "is not finite" in rewritten(field, f"{name} {digits}")


def test_a_fraction_that_is_not_finite():
    many = 400 * "0"
    message = rewritten("answer: 10/109", f"answer: 1{many}/3")
    assert "is not finite" in message


@pytest.mark.parametrize(
    "written",
    [*("010", "1:30", "0x10", "1_000", ".nan", ".inf", "2024-12-24", "1/0")],
)
def test_a_number_that_yaml_would_rewrite(written):
    message = rewritten("answer: 10/109", f"answer: {written}")
    assert f"`answer` cannot be {written!r}." in message
    message = rewritten("tolerance: 0.0005", f"tolerance: {written}")
    assert f"`tolerance` must be a number, but is {written!r}." in message


@pytest.mark.parametrize("written", ["0.00001", "1e-5", "0.50", ".5", "-3."])
def test_a_number_stays_as_the_author_wrote_it(written):
    text = TEXT.replace("tolerance: 0.0005", "tolerance: 0")
    text = text.replace("answer: 10/109", f"answer: {written}")
    text = text.replace("value: 0.009\n", f"value: {written}1\n")
    posterior = quiz.parse(text, "sample.yml").questions[2]
    assert posterior.answer == written
    assert posterior.wrong[1].value == f"{written}1"


# --- orders ----------------------------------------------------------------


def test_two_equal_steps():
    data = sample()
    steps = question(data, "by-hand")["steps"]
    steps[1]["text"] = steps[0]["text"]
    assert "Two of the steps read" in refusal(data)


@pytest.mark.parametrize("count", [2, 7])
def test_too_few_or_too_many_steps(count):
    data = sample()
    question(data, "by-hand")["steps"] = [
        {"text": f"step {n}", "value": n} for n in range(count)
    ]
    assert f"`steps` has {count} entries." in refusal(data)


# --- the file --------------------------------------------------------------


def test_a_duplicate_id():
    data = sample()
    question(data, "posterior")["id"] = "bayes-rule"
    message = refusal(data)
    assert "question 'bayes-rule': 2 questions have this id." in message


@pytest.mark.parametrize("name", ["My Question", "two--dice", "dice\n"])
def test_a_name_that_is_not_kebab_case(name):
    data = sample()
    question(data, "posterior")["id"] = data["chapter"] = name
    message = refusal(data)
    assert f"`id` cannot be {name!r}." in message
    assert f"`chapter` cannot be {name!r}." in message


def test_a_chapter_may_be_named_like_a_module_a_question_not():
    data = sample()
    data["chapter"] = "two_dice"
    text = yaml.safe_dump(data)
    assert quiz.parse(text, "two_dice.yml").chapter == "two_dice"
    question(data, "posterior")["id"] = "two_dice"
    message = refusal(data, "two_dice.yml")
    assert (
        "`id` cannot be 'two_dice'. Use small letters, digits and hyphens: "
        in message
    )


def test_an_unknown_field_gets_the_nearest_known_one():
    data = sample()
    question(data, "posterior")["tolerence"] = 0.1
    message = refusal(data)
    assert "question 'posterior': There is no field `tolerence`" in message
    assert "Did you mean `tolerance`?" in message


def test_an_unknown_kind_gets_the_nearest_known_one():
    data = sample()
    question(data, "posterior")["kind"] = "numeric"
    message = refusal(data)
    assert "`kind` cannot be 'numeric'." in message
    assert "single, multiple, number, order" in message


def test_a_text_that_yaml_reads_as_a_number():
    data = sample()
    question(data, "bayes-rule")["options"][1]["text"] = 0.5
    assert "is 0.5. Put quotes around it." in refusal(data)


def test_invalid_yaml_has_its_line():
    text = TEXT.replace("    level: recall", "    level: [recall", 1)
    line = text[: text.index("level: [recall")].count("\n")
    message = refusal(text)
    assert "This is not valid YAML" in message
    found = int(message.split("line ")[1].split(":")[0])
    assert line + 1 <= found <= line + 3


def test_yaml_with_a_control_character():
    assert "not valid YAML" in refusal("title: a\x07b")


def test_a_field_given_twice_has_its_line():
    text = TEXT.replace("    level: recall", "    level: recall\n" * 2, 1)
    message = refusal(text)
    assert "the field `level` is given twice" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{[a]: b}", "line 1: This is not valid YAML: the name of a field"),
        ("a: b\n{c: d}: e", "line 2: This is not valid YAML: the name of"),
        ("chapter: &a [*a]", "The bank contains itself"),
        (r'title: "\UFFFFFFFF"', "after a backslash does not exist"),
        ("--- a\n--- b", "line 2: This is not valid YAML"),
        ("just a text", "line 1: This must be a group of fields"),
    ],
)
def test_a_text_that_is_no_bank(text, said):
    assert said in refusal(text)


def test_a_text_nested_without_end_is_no_bank():
    """Let Python give up soon: reading takes the square of the depth."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(traceback.extract_stack()) + 300)
    try:
        message = refusal(1000 * "[")
    finally:
        sys.setrecursionlimit(limit)
    assert "nested without end" in message


def test_a_date_is_a_title():
    text = TEXT.replace(
        '"Check yourself: a test & what it says"', "2024-13-45"
    )
    assert quiz.parse(text, "sample.yml").title == "2024-13-45"


def test_a_question_that_is_no_mapping():
    message = refusal("chapter: x\ntitle: x\nquestions:\n  - why\n", "x.yml")
    assert "x.yml, line 4, question 'number 1'" in message
    assert "must be a group of fields" in message


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_file(text):
    assert "The bank is empty." in refusal(text)


def test_an_empty_bank():
    data = sample()
    data["questions"] = []
    assert "`questions` is empty. At least one is needed." in refusal(data)


def test_a_chapter_unlike_its_file():
    message = refusal(TEXT, "events.yml")
    assert "`chapter` is 'sample', but the file is named 'events'." in message


def test_all_problems_are_told_at_once():
    data = sample()
    del question(data, "posterior")["why"]
    del question(data, "by-hand")["check"]
    message = refusal(data)
    assert message.startswith("2 problems\n")
    assert "'posterior'" in message
    assert "'by-hand'" in message


def test_a_problem_has_the_line_of_what_is_wrong():
    text = TEXT.replace("tolerance: 0.0005", "tolerance: -1")
    line = text[: text.index("tolerance: -1")].count("\n") + 1
    assert f"sample.yml, line {line}, question 'posterior'" in refusal(text)


def test_a_refusal_can_be_copied():
    """As it is when it comes from another process."""
    error = QuizError([Problem("It is empty.", "Add one.", "dice.yml", 3)])
    again = pickle.loads(pickle.dumps(error))
    assert (again.problems, str(again)) == (error.problems, str(error))
