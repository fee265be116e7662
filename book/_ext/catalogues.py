"""Bring the catalogues of translations up to date, after the pages are built.

    python book/_ext/catalogues.py

writes a template of each page and of each chapter's questions to
`_build/gettext`, as translators know them from Sphinx, and compares with it
what `locale` has. There a new message is without a translation; one that has
changed keeps the old translation, marked fuzzy; one that is gone is removed.
"""

import pickle

from babel.messages.pofile import write_po
from translated_words import (
    ROOT,
    catalogue_path,
    languages,
    page_messages,
    question_messages,
    questions_of,
    read_catalogue,
    template,
)

from bayesbook.study import quiz

DOCTREES = ROOT / "_build" / ".doctrees"
TEMPLATES = ROOT / "_build" / "gettext"


def page_template(page, doctrees=DOCTREES):
    """Return the template of a page that has been built."""
    doctree = pickle.loads((doctrees / f"{page}.doctree").read_bytes())
    return template(dict.fromkeys(page_messages(doctree)))


def templates(doctrees=DOCTREES):
    """Yield the templates of all pages and questions, with their names."""
    for path in sorted(doctrees.glob("book/**/*.doctree")):
        page = path.relative_to(doctrees).with_suffix("").as_posix()
        yield page, page_template(page, doctrees)
    for chapter in quiz.names():
        domain = questions_of(chapter)
        yield domain, template(question_messages(chapter))


def write(catalogue, path):
    """Write a catalogue, in lines that a difference shows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=78, ignore_obsolete=True)


def update():
    """Write the templates, and compare the catalogues with them."""
    for domain, fresh in templates():
        write(fresh, TEMPLATES / f"{domain}.pot")
        for language in languages():
            path = catalogue_path(language, domain)
            if path.exists():
                catalogue = read_catalogue(path)
                catalogue.update(fresh, update_creation_date=False)
                write(catalogue, path)


if __name__ == "__main__":
    update()
