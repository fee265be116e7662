"""A bank that is not sound is refused, with words that help its author."""

import copy
import subprocess
import sys

import fastjsonschema
import jsonschema
import pytest
import yaml
from quiz.sample import TEXT

from bayesbook import quiz
from bayesbook.quiz import Choice, Numeric, Order, QuizError
from bayesbook.quiz.bank import _conforms, schema


def sample():
    return yaml.safe_load(TEXT)


def question(data, name):
    return next(q for q in data["questions"] if q["id"] == name)


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
    for name in ("events", "counting"):
        text = TEXT.replace("chapter: sample", f"chapter: {name}")
        (tmp_path / f"{name}.yml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("bayesbook.quiz.bank._folder", lambda: tmp_path)
    assert quiz.names() == ["counting", "events"]
    assert quiz.load("events").chapter == "events"
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
    from bayesbook.quiz import bank

    module = tmp_path / "src" / "bayesbook" / "quiz" / "bank.py"
    monkeypatch.setattr(bank, "__file__", str(module))
    assert bank._folder() == tmp_path / "book" / "quizzes"
    installed = tmp_path / "src" / "bayesbook" / "quizzes"
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


def test_two_diagnoses_of_one_value():
    data = sample()
    question(data, "posterior")["wrong"][1]["value"] = 0.9001
    assert "0.9 and 0.9001 are within the tolerance" in refusal(data)


@pytest.mark.parametrize("field", ["answer", "tolerance"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite(field, value):
    data = sample()
    question(data, "posterior")[field] = value
    assert "is not finite" in refusal(data)


def test_a_negative_tolerance():
    data = sample()
    question(data, "posterior")["tolerance"] = -0.1
    assert "`tolerance` is -0.1, less than 0." in refusal(data)


@pytest.mark.parametrize("answer", ["a half", "1/0", True, None, "0.5"])
def test_an_answer_that_is_no_number(answer):
    data = sample()
    question(data, "posterior")["answer"] = answer
    message = refusal(data)
    assert f"`answer` cannot be {answer!r}." in message
    assert "a fraction" in message


def test_a_number_needs_a_wrong_value():
    data = sample()
    question(data, "posterior")["wrong"] = []
    assert "`wrong` is empty. At least one is needed." in refusal(data)


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


def test_an_id_that_is_not_kebab_case():
    data = sample()
    question(data, "posterior")["id"] = "My Question"
    assert "`id` cannot be 'My Question'." in refusal(data)


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
    assert 'Put quotes around it: "0.5".' in refusal(data)


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


# --- versions --------------------------------------------------------------


def version(data, name):
    bank = quiz.parse(yaml.safe_dump(data), "sample.yml")
    return next(q.version for q in bank.questions if q.id == name)


@pytest.mark.parametrize(
    "change",
    [
        lambda q: q.update(prompt="Another?"),
        lambda q: q.update(answer=0.1),
        lambda q: q.update(tolerance=0.0001),
        lambda q: q["wrong"][0].update(value=0.8),
    ],
)
def test_the_version_changes_with_what_is_asked(change):
    data = sample()
    before = version(data, "posterior")
    change(question(data, "posterior"))
    assert version(data, "posterior") != before


def test_the_version_does_not_change_with_a_rationale():
    data = sample()
    before = version(data, "posterior")
    question(data, "posterior")["why"] = "In better words."
    assert version(data, "posterior") == before


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


# --- the quick look ---------------------------------------------------------


def nodes(data):
    """Yield all nodes below some data, each as its parent and its key."""
    for key in data if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from nodes(data[key])


def spoilt():
    """Yield the sample with each node in turn left out, or put wrong."""
    whole = sample()
    for place in range(len([*nodes(whole)])):
        for junk in (..., None, True, -1, "", [], {}, {"x": 1}):
            data = copy.deepcopy(whole)
            parent, key = [*nodes(data)][place]
            parent[key] = junk
            if junk is ...:
                del parent[key]
            yield data


def test_the_quick_look_sees_what_the_schema_forbids():
    """Two libraries read the one schema, and must not disagree."""
    full = jsonschema.Draft202012Validator(schema())
    verdicts = []
    for data in spoilt():
        before = copy.deepcopy(data)
        try:
            _conforms()(data)
        except fastjsonschema.JsonSchemaValueException:
            verdicts.append(False)
        else:
            verdicts.append(True)
        assert verdicts[-1] == full.is_valid(data), data
        assert data == before
    assert set(verdicts) == {True, False}


def test_a_sound_bank_does_not_wait_for_the_slow_library():
    code = (
        "import sys; from bayesbook import quiz; "
        "quiz.show('events')._repr_mimebundle_(); "
        "assert 'jsonschema' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
