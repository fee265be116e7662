"""Front page, README, glossary and links say what is there."""

import re
import tomllib

import notebooks
import pytest
import yaml
from book_texts import pages, prose, texts
from statements import all_statements

from bayesbook.data import load_congressional_votes
from bayesbook.study.quiz.numerals import numerals

ROOT = notebooks.ROOT
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORDS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
]


def whole(page):
    return "\n\n".join(texts(page).values())


# --- Front page and README --------------------------------------------------

PARTS = {
    part["caption"]: [chapter["file"] for chapter in part["chapters"]]
    for part in TOC["parts"]
    if part["caption"].startswith("Part ")
}
CARD = re.compile(
    r":::\{grid-item-card\} (Part [IVX]+: [^\n]*)\n(.*?)\n:::", re.DOTALL
)
LISTED = re.compile(r"^- (Part [IVX]+), \*([^*]+)\*: (.*)[;.]$", re.MULTILINE)


def of_front_page(text):
    """Return the chapters of each part, as the cards of a text show them."""
    return {
        title: re.findall(r"^\{doc\}`(book/\w+/\w+)`: ", body, re.MULTILINE)
        for title, body in CARD.findall(text)
    }


def test_the_front_page_shows_the_parts_with_their_chapters():
    assert of_front_page(whole("index")) == PARTS


def test_a_chapter_that_the_front_page_forgets_is_seen():
    text = whole("index").replace("{doc}`book/networks/em`: ", "")
    assert of_front_page(text) != PARTS


def test_the_readme_lists_the_parts():
    listed = LISTED.findall(whole("README"))
    assert [f"{part}: {title}" for part, title, _ in listed] == [*PARTS]


def numbers():
    """Return what each number of the front page and the README counts."""
    project = PYPROJECT["project"]
    licences = re.findall(r"CC-BY(?:-SA)?-(\d\.\d)", project["license"])
    return {
        "Python": {project["requires-python"].removeprefix(">=")},
        "CC BY": {licences[0]},
        "Share Alike": {licences[1]},
        "the votes of": {str(len(load_congressional_votes()))},
    }


def unexplained(text):
    """Return the numbers of a text that count something else than they say.

    The links to licences have them too.
    """
    text = re.sub(r"\]\([^)]*\)", "] ", prose(text))
    found = []
    for numeral in numerals(text):
        before = text[: text.index(numeral.written)][-30:]
        told = [right for words, right in numbers().items() if words in before]
        if not any(numeral.written in right for right in told):
            found.append(numeral.written)
    for word in re.findall(r"(\w+) parts\b", text):
        if word in WORDS and word != WORDS[len(PARTS) - 2]:
            found.append(f"{word} parts")
    return found


@pytest.mark.parametrize("page", ["index", "README"])
def test_every_number_counts_what_it_says(page):
    assert unexplained(whole(page)) == []


@pytest.mark.parametrize(
    ("page", "right", "wrong"),
    [
        ("index", "435 members", "453 members"),
        ("index", "Python 3.11", "Python 3.12"),
        ("README", "six parts", "seven parts"),
        ("README", "CC BY 4.0", "CC BY 3.0"),
        ("README", "many files", "17 files"),
    ],
)
def test_a_wrong_number_is_seen(page, right, wrong):
    text = whole(page)
    changed = text.replace(right, wrong)
    if changed == text:
        changed = f"{text}\n\nThere are {wrong}."
    assert unexplained(changed) != []


# --- Glossary ---------------------------------------------------------------

ENTRY = re.compile(r"^(?![:\s])([^\n]+)\n[^\n]+ : 中文$", re.MULTILINE)
TERM = re.compile(r"\{term\}`([^`]+)`")


def entered(glossary):
    return {term.lower() for term in ENTRY.findall(glossary)}


def used():
    """Return the terms that some page refers to."""
    links = [link for page in pages() for link in TERM.findall(whole(page))]
    return {re.sub(r".*<(.*)>", r"\1", link).lower() for link in links}


def test_every_term_has_an_entry_and_a_use():
    """So that nobody removes the one and forgets the other."""
    assert entered(whole("glossary")) == used()


def test_a_removed_entry_is_missed():
    glossary = whole("glossary")
    without = re.sub(r"(?ms)^specificity\n.*?\n\n", "", glossary)
    assert entered(without) == used() - {"specificity"}


# --- Links with a title -----------------------------------------------------

LINK = re.compile(r"\{(?:prf:)?ref\}`([A-Z][^`<]+?) ?<([^>`]+)>`")
LABELLED = re.compile(
    r"^:{3,}\{(?:prf:)?[\w-]+\} ?([^\n]*)\n(?::[^\n]*\n)*?"
    r":(?:label|name): (\S+)"
    r"|^\(([\w-]+)\)=\n+#+ ([^\n]+)",
    re.MULTILINE,
)
# Links whose words are neither in the title nor in the label, checked by eye.
OTHERWISE = {
    ("Effective sample size", "thm-mcmc-variance"),
    ("Free parameters", "sec-ci-parameters"),
    ("Smoothing", "sec-dirichlet-one"),
    ("Widths", "thm-concepts-narrow"),
    ("Best forecast", "thm-risk-proper"),
    ("Its border", "prop-text-limit"),
    ("A problem", "exr-em-dropped"),
    ("BDeu", "thm-learning-evidence"),
    ("Mutual information", "thm-features-mi"),
}


def titles():
    """Return the title of what can be linked to, by label."""
    found = {}
    for page in pages():
        for title, label, section, heading in LABELLED.findall(whole(page)):
            found[label or section] = title or heading
    return found


def stems(words):
    """Return how the words begin: a plural or an ending does not matter."""
    return {
        word.lower()[:5] for word in re.findall(r"\d-\d|[^\W\d_]{2,}", words)
    }


def fits(words, label, title):
    about = (
        f"{title} {label.replace('-', ' ')} {all_statements().get(label, '')}"
    )
    return (words, label) in OTHERWISE or bool(stems(words) & stems(about))


def test_the_words_of_a_link_are_those_of_its_target():
    known = titles()
    links = [link for page in pages() for link in LINK.findall(whole(page))]
    assert len(links) > 150
    wrong = [
        (words, label)
        for words, label in links
        if not fits(words, label, known[label])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Gibbs", "thm-fisher"),
        ("Delta method", "thm-limit-poisson"),
        ("Best forecast", "thm-risk-constant"),
    ],
)
def test_a_link_to_another_target_is_seen(words, label):
    assert not fits(words, label, titles()[label])
