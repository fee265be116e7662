"""What a quiz in a browser remembers, and what it forgets."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from browsing import reload
from looking import TODAY
from playwright.sync_api import expect
from study.quiz.sample import TEXT
from study.quiz.shown import (
    Asked,
    answer_some,
    score,
    write,
)

from bayesbook.study import quiz
from bayesbook.study.quiz.pages import html


def test_answers_and_score_outlive_a_reload(show):
    page = show()
    answer_some(page)
    asked = [Asked(page, q) for q in ("bayes-rule", "what-holds", "posterior")]
    said = "2 of 5 answered correctly, 1 at the first try"
    expect(score(page)).to_have_text(said)
    before = [a.form.locator(".quiz-feedback").inner_text() for a in asked]
    reload(page)
    expect(score(page)).to_have_text(said)
    after = [a.form.locator(".quiz-feedback").inner_text() for a in asked]
    assert after == before
    expect(asked[2].box).to_have_value("10/109")


def test_an_answer_taken_back_stays_so_after_a_reload(show):
    page = show()
    Asked(page, "posterior").type("0.9").again().type("0.092").again()
    Asked(page, "bayes-rule").choose(r"\,P(A)").check().again()
    Asked(page, "by-hand").check().again()
    reload(page)
    for name in ("posterior", "bayes-rule", "by-hand"):
        asked = Asked(page, name)
        expect(asked.verdict).to_be_empty()
        expect(asked.details).to_be_visible()
        expect(asked.checks).to_be_visible()
    expect(Asked(page, "posterior").box).to_have_value("")
    expect(page.locator(":checked")).to_have_count(0)
    expect(score(page)).to_have_text(
        "2 of 5 answered correctly, 1 at the first try"
    )


def test_start_over_forgets(show):
    page = show()
    order = Asked(page, "by-hand").steps()
    answer_some(page)
    Asked(page, "posterior").details.locator("summary").click()
    page.locator(".quiz-move:enabled").first.click()
    page.get_by_role("button", name="Start over").click()
    expect(page.locator("details[open]")).to_have_count(0)
    expect(Asked(page, "by-hand").form.locator(".quiz-moved")).to_be_empty()
    for _ in range(2):
        expect(score(page)).to_have_text("0 of 5 answered correctly")
        expect(page.locator(":checked")).to_have_count(0)
        expect(page.locator("details:visible")).to_have_count(0)
        expect(Asked(page, "posterior").box).to_have_value("")
        assert Asked(page, "by-hand").steps() == order
        reload(page)
    assert page.evaluate("localStorage.length") == 0


def test_a_changed_question_forgets_its_old_answer(show, tmp_path):
    page = show()
    answer_some(page)
    changed = TEXT.replace("One person in a hundred", "One man in a hundred")
    bank = quiz.parse(changed, "sample.yml")
    write(tmp_path / "page.html", html(bank))
    reload(page)
    expect(Asked(page, "posterior").box).to_have_value("")
    expect(Asked(page, "bayes-rule").verdict).to_have_text("✓ Right.")
    expect(score(page)).to_have_text(
        "1 of 5 answered correctly, 1 at the first try"
    )


def stored(page):
    """Return the records of the sample's answers."""
    return page.evaluate("JSON.parse(localStorage['bayesbook:quiz:sample'])")


def test_a_record_says_when_to_ask_again(show):
    page = show()
    today = page.evaluate(TODAY)
    asked = Asked(page, "posterior").type("0.9").again().type("0.092")
    asked.again().type("9").again()
    Asked(page, "bayes-rule").choose(r"\,P(A)").check()
    wrong, right = (stored(page)[q] for q in ("posterior", "bayes-rule"))
    assert (wrong["tries"], wrong["solved"], wrong["given"]) == (2, True, None)
    assert (wrong["box"], wrong["due"] - today) in [(1, 1), (1, 2)]
    assert (right["box"], right["due"] - today) in [(2, 2), (2, 3)]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_day_begins_at_midnight_where_the_learner_is(show, zone):
    """The dates of the two zones differ, and one of them from Greenwich's."""
    page = show()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTimezoneOverride", {"timezoneId": zone})
    days = [datetime.now(ZoneInfo(zone)).date()]
    Asked(page, "bayes-rule").choose(r"\,P(A)").check()
    days.append(datetime.now(ZoneInfo(zone)).date())
    session.detach()
    due = stored(page)["bayes-rule"]["due"]
    assert date(1970, 1, 1) + timedelta(due - 2) in days


def test_what_is_due_is_asked_anew(show):
    page = show()
    answer_some(page)
    page.evaluate(
        """today => {
          const name = "bayesbook:quiz:sample";
          const all = JSON.parse(localStorage[name]);
          all.posterior.due = all.posterior.box = 2;
          all["bayes-rule"].due = today + 1;
          localStorage[name] = JSON.stringify(all);
        }""",
        page.evaluate(TODAY),
    )
    reload(page)
    asked = Asked(page, "posterior")
    expect(asked.verdict).to_contain_text("Asked again")
    expect(asked.box).to_have_value("")
    expect(asked.checks).to_be_visible()
    expect(Asked(page, "bayes-rule").verdict).to_have_text("✓ Right.")
    said = "2 of 5 answered correctly, 1 at the first try"
    expect(score(page)).to_have_text(said)
    asked.type("0.092")
    assert stored(page)["posterior"]["box"] == 3
    reload(page)
    expect(asked.verdict).to_have_text("✓ Right.")


def test_a_record_from_before_the_boxes_goes_on(show):
    page = show()
    answer_some(page)
    page.evaluate(
        """() => {
          const name = "bayesbook:quiz:sample";
          const all = Object.entries(JSON.parse(localStorage[name]));
          const old = ([id, { version, tries, solved, given }]) =>
            [id, { version, tries, solved, given }];
          localStorage[name] = JSON.stringify(
            Object.fromEntries(all.map(old)));
        }"""
    )
    reload(page)
    said = "2 of 5 answered correctly, 1 at the first try"
    expect(score(page)).to_have_text(said)
    Asked(page, "posterior").again().type("0.092")
    assert stored(page)["posterior"]["box"] == 2
    assert "box" not in stored(page)["bayes-rule"]
    expect(score(page)).to_have_text(said)


def test_a_page_writes_its_new_answers_only(show):
    """Another page may have forgotten the others, or know better."""
    page = show()
    answer_some(page)
    page.evaluate("localStorage.clear()")
    Asked(page, "posterior").again()
    assert list(stored(page)) == ["posterior"]


@pytest.mark.parametrize("junk", ["{", "null", "[1]", '{"posterior": 7}'])
def test_junk_in_the_memory_does_no_harm(show, junk):
    page = show()
    page.evaluate(
        "junk => localStorage.setItem('bayesbook:quiz:sample', junk)", junk
    )
    reload(page)
    expect(score(page)).to_have_text("0 of 5 answered correctly")


def test_without_a_memory_the_quiz_still_works(show, tmp_path):
    page = show()
    forbid = (
        "<script>Storage.prototype.getItem = Storage.prototype.setItem = () =>"
        " { throw new DOMException('forbidden', 'SecurityError'); }</script>"
    )
    bank = quiz.parse(TEXT, "sample.yml")
    write(tmp_path / "page.html", forbid + html(bank))
    reload(page)
    expect(Asked(page, "posterior").type("0.092").verdict).to_have_text(
        "✓ Right."
    )
