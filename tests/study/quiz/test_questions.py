"""Questions: their versions change with what a reader sees, and the key."""

import pytest
import yaml
from study.quiz.sample import question, sample

from bayesbook.study import quiz


def versions(data):
    bank = quiz.parse(yaml.safe_dump(data), "sample.yml")
    return [question.version for question in bank.questions]


def changed(name, change):
    """Whether a change of a question changes its version."""
    data = sample()
    before = versions(data)
    change(question(data, name))
    return versions(data) != before


def swap(parts):
    parts[0], parts[1] = parts[1], parts[0]


def put_right(options, right):
    for at, option in enumerate(options):
        option["right"] = at in right


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("posterior", lambda q: q.update(id="another")),
        ("posterior", lambda q: q.update(prompt="Another?")),
        ("posterior", lambda q: q.update(answer=0.1)),
        ("posterior", lambda q: q.update(tolerance=0.0001)),
        ("posterior", lambda q: q.update(unit="days")),
        ("posterior", lambda q: q["wrong"][0].update(value=0.8)),
        ("bayes-rule", lambda q: q.update(kind="multiple")),
        ("bayes-rule", lambda q: q.update(keep_order=True)),
        ("bayes-rule", lambda q: q["options"][2].update(text="2")),
        ("bayes-rule", lambda q: put_right(q["options"], [1])),
        ("what-holds", lambda q: put_right(q["options"], [0, 1, 2])),
        ("by-hand", lambda q: q["steps"][3].update(text="Divide.")),
        ("by-hand", lambda q: swap(q["steps"])),
    ],
)
def test_the_version_changes_with_what_is_asked(name, change):
    assert changed(name, change)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("posterior", lambda q: q.update(why="In better words.")),
        ("posterior", lambda q: q.update(level="recall", setup="x = 1")),
        ("posterior", lambda q: q.update(section="sec-bayes")),
        (
            "posterior",
            lambda q: q["wrong"][0].update(why="?", check="hit + 0"),
        ),
        ("bayes-rule", lambda q: q["options"][0].update(why="Obvious.")),
        ("by-hand", lambda q: q.update(check="sorted(order) == order")),
    ],
)
def test_the_version_does_not_change_with_a_rationale(name, change):
    assert not changed(name, change)
