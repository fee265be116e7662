"""The plans for teachers: they can be taught, and their links work."""

import re
from urllib.parse import parse_qsl, urlsplit

import networkx as nx
import plans
import pytest
from book_texts import ROOT
from bs4 import BeautifulSoup
from playwright.sync_api import expect
from prerequisites import prerequisites, whole

import bayesbook
from bayesbook.study import explore, quiz

PAGE = "book/appendix/teaching.html"
PLANS = plans.plans()
SESSIONS = [(name, at) for name in PLANS for at in range(len(PLANS[name]))]
WORDS = {"six": 6, "twelve": 12}


def test_a_plan_has_as_many_weeks_as_it_says():
    assert {name: len(plan) for name, plan in PLANS.items()} == WORDS


def untaught(plan):
    """Return what sessions need whole that no session has before them."""
    needs, taught, found = whole(prerequisites()), set(), set()
    for session in plan:
        for page in session["pages"]:
            found |= {*nx.ancestors(needs, page)} - taught
            taught.add(page)
    return found


@pytest.mark.parametrize("name", PLANS)
def test_what_a_session_needs_comes_before_it(name):
    assert untaught(PLANS[name]) == set()
    assert untaught(PLANS[name][1:]) != set()


@pytest.mark.parametrize(("name", "at"), SESSIONS)
def test_a_session_asks_what_its_chapters_have(name, at):
    session = PLANS[name][at]
    known = {
        question.id
        for chapter in session["chapters"]
        for question in quiz.load(chapter, checks=True).questions
    }
    assert len(session["ask"]) >= 2
    assert {*session["ask"]} <= known


@pytest.mark.parametrize(("name", "at"), SESSIONS)
def test_a_session_opens_an_explorable_in_a_state_that_it_has(name, at):
    session = PLANS[name][at]
    there = {n for page in session["pages"] for n in plans.explorables(page)}
    assert {*session.get("explore", {})} <= there
    for explorable, state in session.get("explore", {}).items():
        shown = getattr(explore, explorable)()
        ends = {c.name: (c.least, c.most) for c in shown.controls}
        start = {c.name: c.value for c in shown.controls}
        assert state.items() - start.items()  # not as it is anyway
        for control, value in state.items():
            least, most = ends[control]
            assert least <= value <= most
        assert not shown.view(**(start | state)).refused


def test_the_page_names_this_version():
    text = (ROOT / "book" / "appendix" / "teaching.md").read_text("utf-8")
    named = re.findall(r"(?:bayesbook-|`notebooks-v)(\d+\.\d+\.\d+)", text)
    assert {*named} == {bayesbook.__version__}
    assert len(named) == 2


# --- The page ---------------------------------------------------------------


def addresses(site, begins):
    """Return the links of the page to states of others."""
    soup = BeautifulSoup((site / PAGE).read_text("utf-8"), "html.parser")
    links = [urlsplit(link["href"]) for link in soup.select("article a")]
    return [link for link in links if link.fragment.startswith(begins)]


def test_a_link_opens_an_explorable_in_its_state(tab, site):
    link = addresses(site, "explore-bayes-rule?")[0]
    state = dict(parse_qsl(link.fragment.partition("?")[2]))
    with tab.visit(site / PAGE) as page:
        page.locator(f'a[href$="{link.fragment}"]').first.click()
        page.wait_for_url("**/events.html#explore-bayes-rule?*")
        box = page.locator("#explore-bayes-rule")
        expect(box).to_be_in_viewport()
        for name, value in state.items():
            slider = page.locator(f"#explore-bayes-rule_{name}")
            expect(slider).to_have_value(value)
        assert tab.faults == []


def test_a_link_opens_a_worksheet_of_its_chapters(tab, site):
    link = addresses(site, "practice?chapters=map_and_bayes.")[0]
    asked = dict(parse_qsl(link.fragment.partition("?")[2]))
    with tab.visit(site / PAGE) as page:
        page.locator(f'a[href$="{link.fragment}"]').first.click()
        page.wait_for_url("**/practice.html#practice?*")
        ticked = page.locator("[name=chapter]:checked")
        expect(ticked).to_have_count(2)
        chosen = ticked.evaluate_all("all => all.map(box => box.value)")
        assert chosen == asked["chapters"].split(".")
        expect(page.locator("[name=size]")).to_have_value(asked["size"])
        expect(page.locator("[name=seed]")).to_have_value(asked["seed"])
