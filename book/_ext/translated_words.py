"""Where the words of a translation are: catalogues, and a table of words.

`locale/<language>/LC_MESSAGES/` has gettext catalogues: of the text of a page,
named like it, and of the questions of a chapter, `quizzes/<chapter>.po`.
`locale/<language>/words.yml` is the table of what the pages, figures and
widgets say besides: the words as they stand there, and their translation.
"""

import re
from functools import cache
from pathlib import Path

import yaml
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from docutils import nodes
from sphinx.util.nodes import extract_messages
from sphinx_exercise.nodes import (
    exercise_subtitle,
    exercise_title,
    solution_title,
)

from bayesbook.study import quiz
from bayesbook.study.quiz.markdown import block, inline

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "locale"


def languages(root=ROOT):
    """Return the languages into which something is translated."""
    return sorted(path.parent.name for path in root.glob("locale/*/words.yml"))


def catalogue_path(language, domain, root=ROOT):
    """Return where the catalogue of a page or of questions is."""
    return root / FOLDER / language / "LC_MESSAGES" / f"{domain}.po"


def words_path(language, root=ROOT):
    """Return where the table of words of a language is."""
    return root / FOLDER / language / "words.yml"


def questions_of(page):
    """Return the domain of the questions of a page."""
    return f"quizzes/{Path(page).name}"


def translated_pages(language, root=ROOT):
    """Return the pages that have a catalogue."""
    folder = root / FOLDER / language / "LC_MESSAGES"
    return sorted(
        path.relative_to(folder).with_suffix("").as_posix()
        for path in (folder / "book").rglob("*.po")
    )


def read_catalogue(path):
    """Return a catalogue as it is in a file."""
    with path.open("rb") as file:
        return read_po(file)


def translations(path):
    """Return what each message of a file is in the other language.

    What is marked fuzzy may be wrong, and is left out.
    """
    return {
        message.id: message.string
        for message in read_catalogue(path)
        if message.id and message.string and not message.fuzzy
    }


# --- Messages of today ------------------------------------------------------


def subtitles(doctree):
    """Return the titles of a page's exercises, without the word "Exercise"."""
    return list(doctree.findall(exercise_subtitle))


def page_messages(doctree):
    """Return the messages of a page, each once, in their order.

    Formulas on lines of their own are not translated; titles of exercises and
    solutions begin with a word that the pages add.
    """
    found = []
    for node, text in extract_messages(doctree):
        if isinstance(node, exercise_title):
            found += [part.astext() for part in subtitles(node)]
        elif not isinstance(node, (nodes.math_block, solution_title)):
            found.append(text)
    return list(dict.fromkeys(found))


def texts(bank):
    """Yield each text of a question that a reader sees, with its question."""
    for question in bank.questions:
        yield question.id, question.prompt
        for parts in ("options", "steps", "wrong"):
            for part in getattr(question, parts, ()):
                for name in ("text", "why"):
                    if said := getattr(part, name, ""):
                        yield question.id, said
        for name in ("why", "unit"):
            if said := getattr(question, name, ""):
                yield question.id, said


def has_words(text):
    """Tell whether something is left of a text without its formulas."""
    return re.search(r"[^\W\d_]{2}", re.sub(r"\$[^$]*\$", "", text))


def question_messages(chapter):
    """Return the texts of a chapter's questions, by the questions' ids."""
    found = {}
    for checks in (True, False):
        if chapter not in quiz.names(checks=checks):
            continue
        bank = quiz.load(chapter, checks=checks)
        for name, text in [("title", bank.title), *texts(bank)]:
            if has_words(text):
                found.setdefault(text.strip(), name)
    return found


def template(messages):
    """Return a catalogue of messages, with a comment on each, or None."""
    catalogue = Catalog(project="Bayesbook")
    for message, comment in messages.items():
        comments = [comment] if comment else []
        catalogue.add(message, auto_comments=comments)
    return catalogue


# --- Exchange ---------------------------------------------------------------


def exchanged(html, table):
    """Return HTML with every key of a table replaced by its value.

    In one pass, and the longest first: what has been replaced stays.
    """
    if not table:
        return html
    keys = sorted(table, key=len, reverse=True)
    found = re.compile("|".join(map(re.escape, keys)))
    return found.sub(lambda key: table[key[0]], html)


def question_table(path):
    """Return the HTML of each text of questions, and of its translation."""
    pairs = translations(path)
    return {
        written(text): written(pairs[text])
        for written in (block, inline)
        for text in pairs
    }


@cache
def words(language, root=ROOT):
    """Return the table of words of a language."""
    text = words_path(language, root).read_text("utf-8")
    return {
        word: said
        for part in yaml.safe_load(text).values()
        for word, said in part.items()
    }


# Code, what it prints, and drills stay English.
KEPT = (
    r"<pre\b.*?</pre>"
    r"|<table [^>]*\bdataframe\b.*?</table>"
    r"|<nav [^>]*\bbd-links\b.*?</nav>"
    r"|<section [^>]*\bbayesbook-drill\b.*?</section>"
)
# Words stand between two tags or in an attribute that is read out, sentences
# also between the quotes of a script, where a word may be a name.
BETWEEN = (
    r"""((?:>|\b(?:aria-label|aria-valuetext|title|placeholder|alt)=")\s*)"""
)
QUOTED = r"""(["'`])"""
END, QUOTE = r"""(?=\s*[<"])""", r"""(?=["'`])"""
NUMBER = r"\d+(?:\.\d+)*"


def pattern(word, number=NUMBER):
    """Return what finds a word: with any spaces, and a number for braces."""
    spaced = r"\s+".join(map(re.escape, re.split(r"\s+", word)))
    return spaced.replace(r"\{\}", number)


def said_for(word, table):
    """Return what a table has for a word, with the numbers of the word."""
    if word in table:
        return table[word]
    for key, said in table.items():
        at = re.fullmatch(pattern(key, f"({NUMBER})"), word)
        if at and "{}" in key:
            for number in at.groups():
                said = said.replace("{}", number, 1)
            return said
    raise KeyError(word)


def either(keys):
    """Return what finds one of some words, in a group: the longest first."""
    return f"({'|'.join(map(pattern, sorted(keys, key=len, reverse=True)))})"


def with_words(html, table):
    """Return a page with the words of a table exchanged.

    Examples
    --------
    >>> table = {"Check": "检查", "Figure {}": "图 {}", "Well done.": "很好。"}
    >>> with_words('<b title="Check">Figure 1.2</b> Check', table)
    '<b title="检查">图 1.2</b> Check'
    >>> with_words('say("Well done.", "Check")', table)
    'say("很好。", "Check")'
    """
    exact = {" ".join(word.split()): said for word, said in table.items()}
    sentences = [word for word in table if re.search(r"[ .,!]", word)]
    found = re.compile(
        f"{KEPT}|{BETWEEN}{either(table)}{END}"
        f"|{QUOTED}{either(sentences)}{QUOTE}",
        re.DOTALL,
    )

    def exchange(at):
        if not at.lastindex:  # this stays English
            return at[0]
        before, word = at[at.lastindex - 1], at[at.lastindex]
        return f"{before}{said_for(' '.join(word.split()), exact)}"

    return found.sub(exchange, html)
