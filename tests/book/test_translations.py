"""A translation says all that the English page says, and nothing older."""

import pickle
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Comment

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from translated_words import (  # noqa: E402
    catalogue_path,
    has_words,
    languages,
    page_messages,
    question_messages,
    questions_of,
    read_catalogue,
    translated_pages,
    with_words,
    words,
)

TRANSLATED = [
    (language, page)
    for language in languages()
    for page in translated_pages(language)
]
CATALOGUES = [
    catalogue_path(language, domain)
    for language, page in TRANSLATED
    for domain in (page, questions_of(page))
]
HAN = re.compile(r"[\u3400-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2}")
FORMULA = re.compile(r"\$[^$]+\$")
ROLE = re.compile(r"(\{[\w:]+\})`(?:[^`<]*<([^`>]+)>|([^`]+))`")
CODE = re.compile(r"`[^`]+`")
NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")
TERM = re.compile(r"\{term\}`([^`<]+?)(?: <([^`>]+)>)?`")
# What a translated page leaves in Latin letters, and why.
LATIN_ALL_THE_SAME = (
    r"Bayesbook.*",  # the name of the book, and its edition
    r"CC BY 4\.0|MIT|Binder|Colab|\.ipynb|\.pdf",  # names
    r"mn|HH|TT|HT|TH",  # symbols
    r"free",  # the word that spam contains
)


def messages(path):
    """Return the messages of a catalogue without its head."""
    return [message for message in read_catalogue(path) if message.id]


def parts(text):
    """Return what has to be in a translation as it is: how often each."""
    formulas = FORMULA.findall(text)
    text = FORMULA.sub(" ", text)
    roles = [
        (name, target or whole) for name, target, whole in ROLE.findall(text)
    ]
    text = ROLE.sub(" ", text)
    code = CODE.findall(text)
    text = CODE.sub(" ", text)
    return Counter([*formulas, *roles, *code, *NUMERAL.findall(text)])


def glossary():
    """Return the Chinese word of each term of the glossary."""
    text = (ROOT / "book" / "appendix" / "glossary.md").read_text("utf-8")
    return dict(re.findall(r"^(\S.*)\n(\S.*) : 中文$", text, re.MULTILINE))


def translated(site, language, page):
    return BeautifulSoup(
        (site / language / f"{page}.html").read_text("utf-8"), "html.parser"
    )


def english(site, page):
    return BeautifulSoup(
        (site / f"{page}.html").read_text("utf-8"), "html.parser"
    )


# --- Catalogues -------------------------------------------------------------


def test_there_is_a_translation():
    assert ("zh_CN", "book/conditioning/events") in TRANSLATED


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_every_message_is_translated(path):
    wanting = [
        message.id
        for message in messages(path)
        if message.fuzzy
        or not message.string
        or (
            has_words(ROLE.sub("", message.id))
            and not HAN.search(message.string)
        )
    ]
    assert wanting == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_formulas_references_code_and_numerals_stay(path):
    changed = {
        message.id: (
            parts(message.id) - parts(message.string),
            parts(message.string) - parts(message.id),
        )
        for message in messages(path)
        if parts(message.id) != parts(message.string)
    }
    assert changed == {}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_terms_are_those_of_the_glossary(path):
    known = glossary()
    other = [
        (term, said)
        for message in messages(path)
        for said, term in TERM.findall(message.string)
        if said != known[term]
    ]
    assert other == []


def test_the_glossary_is_read():
    assert glossary()["Bayes' rule"] == "贝叶斯公式"


def test_a_lost_numeral_or_formula_is_seen():
    assert parts("36 of $A$") != parts("63 of $A$")
    assert parts("$A$ and $B$") != parts("$A$ 和 $A$")
    assert parts("{term}`event`") == parts("{term}`事件 <event>`")
    assert parts("{term}`event`") != parts("{term}`事件 <outcome>`")


@pytest.mark.parametrize(("language", "page"), TRANSLATED)
def test_questions_are_those_of_today(language, page):
    catalogue = messages(catalogue_path(language, questions_of(page)))
    today = question_messages(Path(page).name)
    assert {message.id for message in catalogue} == today.keys()


@pytest.mark.parametrize(("language", "page"), TRANSLATED)
def test_the_text_is_that_of_today(site, language, page):
    doctree = site.with_name(".doctrees") / f"{page}.doctree"
    today = page_messages(pickle.loads(doctree.read_bytes()))
    catalogue = messages(catalogue_path(language, page))
    assert {message.id for message in catalogue} == {*today}


# --- Pages ------------------------------------------------------------------


def own(soup):
    """Leave of a page what is not marked as English, nor code."""
    for tag in soup.select(
        '[lang="en"], style, script, annotation, code, kbd'
    ):
        tag.decompose()
    return soup


def read_out(soup):
    """Yield each text of a page, and each attribute that is read out."""
    for text in soup.find_all(string=True):
        if not isinstance(text, Comment) and text.parent.name != "[document]":
            yield " ".join(text.split())
    for name in ("aria-label", "placeholder", "alt"):
        for tag in soup.select(f"[{name}]"):
            yield tag[name]


def is_latin(text):
    return (
        LATIN.search(text)
        and not HAN.search(text)
        and not re.fullmatch("|".join(LATIN_ALL_THE_SAME), text)
    )


@pytest.mark.parametrize(("language", "page"), TRANSLATED)
def test_nothing_else_is_left_in_english(site, language, page):
    soup = own(translated(site, language, page))
    for citation in soup.select(".bibtex-citation, a[title^='']:has(em)"):
        citation.decompose()
    left = {text for text in read_out(soup) if is_latin(text)}
    assert left == set()


@pytest.mark.parametrize("language", languages())
def test_every_word_of_the_table_stands_somewhere(site, language):
    table = words(language)
    marked = {word: f"\0{at}\0" for at, word in enumerate(table)}
    found = "".join(
        with_words((site / f"{page}.html").read_text("utf-8"), marked)
        for page in translated_pages(language)
    )
    assert [word for word, mark in marked.items() if mark not in found] == []


@pytest.mark.parametrize(("language", "page"), TRANSLATED)
def test_numbers_outputs_and_addresses_stay(site, language, page):
    here, there = translated(site, language, page), english(site, page)

    def numbers(soup):
        texts = [
            tag.get_text()
            for tag in soup.select(
                "article .caption-number, article .section-number, .eqno"
            )
        ]
        return [NUMERAL.findall(text) for text in texts]

    def outputs(soup):
        return [tag.get_text() for tag in soup.select("pre, .dataframe")]

    def ids(soup):
        return [tag["id"] for tag in soup.select("article [id]")]

    def formulas(soup):
        return Counter(tag.get_text() for tag in soup.select("annotation"))

    def questions(soup):
        names = ("data-id", "data-key", "data-version")
        return [
            [form[name] for name in names]
            for form in soup.select("form.quiz-question")
        ]

    for seen in (numbers, outputs, ids, formulas, questions):
        assert seen(here) == seen(there), seen.__name__
        assert seen(here)


@pytest.mark.parametrize(("language", "page"), TRANSLATED)
def test_each_page_leads_to_the_other(site, language, page):
    tag = language.replace("_", "-")
    here, there = translated(site, language, page), english(site, page)
    assert (here.html["lang"], there.html["lang"]) == (tag, "en")
    files = {"en": site / f"{page}.html"}
    files[tag] = site / language / f"{page}.html"
    for soup, own_tag, other in [(here, tag, "en"), (there, "en", tag)]:
        (link,) = soup.select(".book-languages a")
        assert (link["hreflang"], link["lang"]) == (other, other)
        target = files[own_tag].parent / link["href"]
        assert target.resolve() == files[other].resolve()
        alternates = soup.select("link[rel=alternate][hreflang]")
        assert {each["hreflang"] for each in alternates} == {"en", tag}
        canonical = soup.select_one("link[rel=canonical]")["href"]
        own_address = next(
            each["href"] for each in alternates if each["hreflang"] == own_tag
        )
        assert canonical == own_address


def test_other_pages_offer_no_other_language(site):
    page = (site / "book/conditioning/random_variables.html").read_text()
    assert "book-languages" not in page


def test_a_question_answers_in_chinese(tab, site):
    path = site / "zh_CN/book/conditioning/events.html"
    with tab.visit(path, {"width": 360, "height": 740}) as page:
        page.evaluate(
            """() => {
                const form = document.getElementById(
                    "check-events-seven-or-six");
                form.querySelector("input").value = "11/36";
                form.requestSubmit();
            }"""
        )
        said = page.evaluate(
            """() => document.querySelector(
                "#check-events-seven-or-six .quiz-verdict").textContent"""
        )
        assert "正确" in said
        assert not tab.faults
