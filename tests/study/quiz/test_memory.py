"""The memory of a learner's answers: when to ask again, hostile storage."""

import pytest

from bayesbook.study.quiz.pages import asset

# A record, whether the answer is right, the day; then the box and when it is
# due.
SCHEDULES = {
    "new, right": [{}, True, 100, 2, 102],
    "new, wrong": [{}, False, 100, 1, 101],
    "box 1, right": [{"box": 1, "due": 100}, True, 100, 2, 102],
    "box 2, right": [{"box": 2, "due": 100}, True, 100, 3, 104],
    "box 3, right": [{"box": 3, "due": 100}, True, 100, 4, 108],
    "box 4, right": [{"box": 4, "due": 100}, True, 100, 5, 116],
    "box 5, right": [{"box": 5, "due": 100}, True, 100, 5, 116],
    "late, right": [{"box": 3, "due": 100}, True, 150, 4, 158],
    "box 5, wrong": [{"box": 5, "due": 100}, False, 100, 1, 101],
    "ahead of time, right": [{"box": 3, "due": 104}, True, 103, 3, 104],
    "ahead of time, wrong": [{"box": 3, "due": 108}, False, 103, 1, 104],
    "after its reasons": [{"box": 1, "due": 101}, True, 100, 1, 101],
    "a clock ahead": [{"box": 3, "due": 117}, True, 100, 4, 108],
    "junk": [{"box": "x", "due": "soon"}, True, 100, 2, 102],
    "junk, wrong": [{"box": 9, "due": None}, False, 100, 1, 101],
    "no such box": [{"box": 0, "due": 100}, True, 100, 2, 102],
}


@pytest.fixture
def call(tab, tmp_path):
    """Run JavaScript that sees the functions of memory.js."""
    path = tmp_path / "page.html"
    path.write_text('<!doctype html><meta charset="utf-8">')
    with tab.visit(path) as page:
        yield lambda body, given=None: page.evaluate(
            f"given => {{ {asset('memory.js')}\n{body} }}", given
        )


def test_who_is_right_is_asked_later_and_who_is_wrong_tomorrow(call):
    asked = [case[:3] for case in SCHEDULES.values()]
    found = call("return given.map(each => scheduled(...each));", asked)
    expected = {name: case[3:] for name, case in SCHEDULES.items()}
    by_name = {
        name: [record["box"], record["due"]]
        for name, record in zip(SCHEDULES, found, strict=True)
    }
    assert by_name == expected


def test_the_rule_keeps_the_rest_and_changes_nothing(call):
    before, after = call(
        """const record = Object.freeze({ tries: 3, version: "v", box: 2 });
        return [record, scheduled(record, true, 7)];"""
    )
    assert before == {"tries": 3, "version": "v", "box": 2}
    assert after == {"tries": 3, "version": "v", "box": 3, "due": 11}


def test_a_memory_adds_to_what_is_there_and_forgets_one_name(call):
    all_, other, gone = call(
        """remember("a", { x: { tries: 1 }, y: { tries: 2 } });
        remember("a", { y: { tries: 3 } });
        remember("b", { z: { tries: 4 } });
        const found = recall("a");
        forget("a");
        return [found, recall("b"), recall("a")];"""
    )
    moments = [record.pop("at") for record in (*all_.values(), other["z"])]
    assert all(moment > 1.7e12 for moment in moments)
    assert all_ == {"x": {"tries": 1}, "y": {"tries": 3}}
    assert (other, gone) == ({"z": {"tries": 4}}, {})


def test_a_hostile_storage_is_an_empty_one(call):
    junk = ["{", "null", "7", '"text"', "[1]", "true"]
    found = call(
        """const read = given.map(text => {
            localStorage.setItem("a", text);
            return recall("a");
        });
        localStorage.setItem("a", '{"__proto__": {"tries": 9}}');
        const kept = remember("a", { x: { tries: 1 } });
        const hostile = recall("a").x.tries, clean = {}.tries;
        const refuse = () => { throw new DOMException("", "SecurityError"); };
        const { getItem, setItem, removeItem } = Storage.prototype;
        Object.assign(Storage.prototype, { setItem: refuse });
        const full = remember("a", { x: { tries: 2 } });
        Object.assign(Storage.prototype,
                      { getItem: refuse, removeItem: refuse });
        const forbidden = recall("a");
        forget("a");
        Object.assign(Storage.prototype, { getItem, setItem, removeItem });
        return [read, kept, hostile, clean ?? null, full, forbidden];""",
        junk,
    )
    assert found == [[{}] * len(junk), True, 1, None, False, {}]
