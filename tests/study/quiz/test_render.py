"""What a bank looks like as HTML and as plain text."""

import re
from html.parser import HTMLParser

import pytest
import yaml
from study.quiz.sample import TEXT

from bayesbook.study import quiz
from bayesbook.study.quiz import Choice, Option, Quiz
from bayesbook.study.quiz.pages import html
from bayesbook.study.quiz.plain_text import plain

VOID = {"input", "br", "hr", "img"}


class Outline(HTMLParser):
    """Collects tags and ids, and insists that all is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def bank():
    return quiz.parse(TEXT, "sample.yml")


def test_the_plain_text_has_questions_and_no_answers(bank):
    text = plain(bank)
    assert text.startswith("Check yourself: a test & what it says\n====")
    assert "Question 3 of 5 · Apply · a number" in text
    assert "  Your answer: ____ %" in text
    for question in bank.questions:
        assert question.prompt.strip() in text
    assert "10/109" not in text
    assert "transposes" not in text
    assert "right" not in text.replace("The test is right in", "")


def test_showing_gives_html_and_plain_text(bank):
    shown = quiz.show(bank)
    bundle = shown._repr_mimebundle_(include=None, exclude=None)
    assert bundle == {"text/html": html(bank), "text/plain": plain(bank)}
    assert repr(shown) == plain(bank)


@pytest.mark.parametrize(
    "names",
    [
        ["bayes-rule", "what-holds", "posterior", "share", "by-hand"],
        # These could be the names of parts of the page.
        ["title", "share-box", "share", "by", "by-number"],
    ],
)
def test_the_html_is_well_formed_and_its_ids_are_unique(names):
    data = yaml.safe_load(TEXT)
    for question, name in zip(data["questions"], names, strict=True):
        question["id"] = name
    outline = Outline(html(quiz.parse(yaml.safe_dump(data), "sample.yml")))
    ids = [attrs["id"] for _, attrs in outline.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {f"quiz-sample-{name}" for name in names} <= set(ids)
    assert all(name.startswith("quiz-sample") for name in ids)
    for _, attrs in outline.tags:
        for pointer in ("aria-labelledby", "aria-describedby", "for"):
            assert set(attrs.get(pointer, "").split()) <= set(ids)


def test_the_html_is_semantic(bank):
    tags = Outline(html(bank)).tags
    names = [tag for tag, _ in tags]
    count = len(bank.questions)
    assert names[0] == "section"
    assert tags[0][1]["class"] == "bayesbook-quiz mathjax_process"
    for tag in ("fieldset", "legend", "details", "summary", "form"):
        assert names.count(tag) == count
    live = [attrs for _, attrs in tags if attrs.get("aria-live") == "polite"]
    assert len(live) == count
    assert not {"h1", "h2", "h3", "h4"} & set(names)


@pytest.mark.parametrize(
    "how",
    [
        "Choose one.",
        "Choose all that apply.",
        "Put these in order, the first on top.",
    ],
)
def test_it_is_said_how_to_answer(bank, how):
    assert html(bank).count(f'<p class="quiz-how">{how}</p>') == 1


def test_the_html_needs_no_network(bank):
    text = html(bank)
    assert not re.search(r"https?:|@import|url\(|src=|href=", text)


def test_nothing_in_a_bank_ends_the_script_or_becomes_a_tag():
    data = yaml.safe_load(TEXT)
    evil = "</script></style><b onclick='x'>&amp; `</script>` $a<b$ \"'"
    data["title"] = evil
    question = data["questions"][0]
    question["prompt"] = evil
    question["options"][0].update(text=evil, why=evil)
    data["questions"][3].update(unit=evil, why=evil)
    data["questions"][4]["steps"][0]["text"] = evil
    text = html(quiz.parse(yaml.safe_dump(data), "sample.yml"))
    tags = [tag for tag, _ in Outline(text).tags]
    assert (tags.count("script"), tags.count("style")) == (1, 1)
    assert "b" not in tags
    assert text.count("</script>") == 1


def choice(count, **fields):
    """Return a quiz that was not read from a file."""
    options = tuple(Option(f"option {n}", "", "") for n in range(count))
    fields = {"id": "x", "level": "recall", "prompt": "?", **fields}
    question = Choice(kind="multiple", options=options, **fields)
    return Quiz("sample", "Title", (question,))


def test_a_quiz_made_by_hand_is_escaped_too():
    evil = "\"><b id='x'>"
    tags = Outline(html(choice(2, id=evil, level=evil))).tags
    assert "b" not in [tag for tag, _ in tags]


@pytest.mark.parametrize("write", [html, plain])
def test_no_option_is_lost(write):
    assert all(f"option {n}" in write(choice(26)) for n in range(26))
    with pytest.raises(ValueError, match="longer"):
        write(choice(27))


@pytest.mark.parametrize(
    ("answer", "tolerance", "unit", "hint"),
    [
        (11, 0, "", "A whole number."),
        ("5/2", 0, "", "A decimal, "),
        (1, 0, "", "A decimal, "),
        (2, 0.1, "", "A decimal, "),
        (11, 0, "%", "In per cent, "),
        (11, 0, "days", "A number of days."),
    ],
)
def test_what_may_be_typed_is_said(answer, tolerance, unit, hint):
    data = yaml.safe_load(TEXT)
    question = next(q for q in data["questions"] if q["kind"] == "number")
    question |= {"answer": answer, "tolerance": tolerance}
    if unit:
        question["unit"] = unit
    question["wrong"] = [{"value": 99, "why": "no", "check": "99"}]
    data["questions"] = [question]
    shown = html(quiz.parse(yaml.safe_dump(data), "sample.yml"))
    assert f'_form">{hint}' in shown


def test_keep_order_keeps_the_order():
    data = yaml.safe_load(TEXT)
    question = data["questions"][1]
    texts = [option["text"] for option in question["options"]]

    def shown():
        text = plain(quiz.parse(yaml.safe_dump(data), "sample.yml"))
        return sorted(texts, key=text.index)

    assert shown() != texts
    question["keep_order"] = True
    assert shown() == texts


def test_the_answer_is_not_in_plain_sight(bank):
    """Until it is asked for: in the details, and encoded in the key."""
    text = html(bank)
    for part in ("<script>", "<style>", "<details"):
        text = re.sub(rf"{part}.*?</{part.strip('<>')}>", "", text, flags=re.S)
    assert "10/109" not in text
    assert "0.09174" not in text
    assert "right: true" not in text


def test_the_parts_of_a_chapter_with_an_underscore_keep_their_names():
    page = html(Quiz("two_dice", "Two dice", ()))
    assert 'data-chapter="two_dice"' in page
    assert 'id="quiz-two-dice_title"' in page
