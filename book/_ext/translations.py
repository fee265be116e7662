"""Write the pages that are translated once more, in the other language.

A page with a catalogue, such as `locale/zh_CN/LC_MESSAGES/book/a/b.po`, is
read again when all pages are written, and Sphinx exchanges its messages. So it
becomes `zh_CN/book/a/b.html`, with the numbers, the outputs of cells and the
addresses within the page as they are in English; no cell is run, and a link to
what is not translated leads to the English page. `translated_words.py` has
what Sphinx does not exchange: questions, figures, widgets, and what is around.
"""

import pickle
import re
from contextlib import contextmanager
from pathlib import Path

from babel.messages.mofile import write_mo
from docutils import nodes
from page_heads import site_address
from sphinx.application import ENV_PICKLE_FILENAME
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.writers.html import HTMLWriter
from translated_words import (
    catalogue_path,
    exchanged,
    languages,
    question_table,
    questions_of,
    read_catalogue,
    subtitles,
    translated_pages,
    translations,
    with_words,
    words,
    words_path,
)

SOURCE = "en"
NAMES = {SOURCE: "English", "zh_CN": "简体中文"}
# What is English on a translated page, too: code and its outputs, drills, and
# the ways to other pages.
ENGLISH = re.compile(
    r"<(pre\b|(?:nav|p|section|table)\b(?=[^>]*"
    r'class="[^"]*\b(?:bd-links|book-neighbours|prev-next-title'
    r"|bayesbook-drill|dataframe)\b))"
)


def tag_of(language):
    """Return how a page names a language.

    Examples
    --------
    >>> tag_of("zh_CN")
    'zh-CN'
    """
    return language.replace("_", "-")


def address_of(page, language):
    """Return where a page is in a language, from the root of the site.

    Examples
    --------
    >>> address_of("book/a/b", "zh_CN"), address_of("book/a/b", "en")
    ('zh_CN/book/a/b.html', 'book/a/b.html')
    """
    return f"{'' if language == SOURCE else f'{language}/'}{page}.html"


# --- Reading ----------------------------------------------------------------


def translate_parts(app, doctree):
    """Exchange what Sphinx leaves: titles of exercises, and questions."""
    language, page = app.config.language, app.env.docname
    if language == SOURCE:
        return
    said = translations(catalogue_path(language, page))
    for subtitle in subtitles(doctree):
        title = said.get(subtitle.astext(), subtitle.astext())
        subtitle[:] = [nodes.Text(title)]
    questions = catalogue_path(language, questions_of(page))
    table = question_table(questions) if questions.exists() else {}
    for raw in doctree.findall(nodes.raw):
        raw[:] = [nodes.Text(exchanged(raw.astext(), table))]


def compile_catalogue(language, page, folder):
    """Write the catalogue of a page as gettext reads it."""
    path = folder / language / "LC_MESSAGES" / f"{page}.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, read_catalogue(catalogue_path(language, page)))


def read_again(builder, page):
    """Read a page as Sphinx does when it has changed; keep its numbers."""
    env = builder.env
    kept = env.toc_secnumbers[page], env.toc_fignumbers[page]
    contents, title = env.tocs[page], env.titles[page]
    builder.events.emit("env-purge-doc", env, page)
    env.clear_doc(page)
    builder.read_doc(page)
    env.toc_secnumbers[page], env.toc_fignumbers[page] = kept
    env.titles[page].attributes |= title.attributes
    headings = (
        toc.findall(nodes.reference) for toc in (contents, env.tocs[page])
    )
    for old, new in zip(*headings, strict=True):
        if "secnumber" in old:
            new["secnumber"] = old["secnumber"]


# --- Writing ----------------------------------------------------------------


class TranslatedPages(StandaloneHTMLBuilder):
    """Writes pages beside those of another builder, which is ready to.

    Parameters
    ----------
    builder : StandaloneHTMLBuilder
        Has written the English pages.
    env : BuildEnvironment
        Of these pages, to be changed by the translation.
    pages : collection of str
        Those that are translated.
    """

    def __init__(self, builder, env, language, pages):
        if not hasattr(builder, "docwriter"):  # no page had to be written
            builder.prepare_writing(set())
        self.__dict__ |= vars(builder)
        self.env, self.language, self.pages = env, language, frozenset(pages)
        self.doctreedir = builder.doctreedir / language
        self.docwriter = HTMLWriter(self)
        self.globalcontext = {
            **builder.globalcontext,
            "language": tag_of(language),
        }

    def get_target_uri(self, docname, typ=None):
        """Return where a page is, from the root of the site."""
        language = self.language if docname in self.pages else SOURCE
        return address_of(docname, language)

    def get_outfilename(self, pagename):
        """Return the file of a page."""
        return str(Path(self.outdir, self.get_target_uri(pagename)))

    def write_page(self, page):
        """Read and write a page, and exchange the words of what is around."""
        warnings = self.app._warncount
        read_again(self, page)
        doctree = self.env.get_and_resolve_doctree(page, self)
        self.write_doc_serialized(page, doctree)
        self.write_doc(page, doctree)
        path = Path(self.get_outfilename(page))
        html = with_words(path.read_text("utf-8"), words(self.language))
        path.write_text(ENGLISH.sub(r'<\1 lang="en"', html), "utf-8")
        if self.app._warncount > warnings:  # or it would not come again
            path.unlink()


@contextmanager
def replaced(thing, **attributes):
    """Give something other attributes for a while."""
    before = {name: getattr(thing, name) for name in attributes}
    vars(thing).update(attributes)
    try:
        yield
    finally:
        vars(thing).update(before)


def copied_environment(app):
    """Return what Sphinx knows of the pages, which may be changed."""
    pickled = Path(app.doctreedir, ENV_PICKLE_FILENAME).read_bytes()
    env = pickle.loads(pickled)
    env.setup(app)
    for name, domain in env.domains.items():
        # What extensions have told a domain when the build began.
        known = vars(app.env.domains[name])
        vars(domain).update(known | vars(domain))
    return env


def is_current(app, language, page):
    """Tell whether a translated page is newer than all that it is made of."""
    written = Path(app.outdir, address_of(page, language))
    sources = [
        Path(app.doctreedir, ENV_PICKLE_FILENAME),
        words_path(language),
        catalogue_path(language, page),
        catalogue_path(language, questions_of(page)),
    ]
    return written.exists() and all(
        path.stat().st_mtime <= written.stat().st_mtime
        for path in sources
        if path.exists()
    )


def write_translations(app, exception):
    """Write the translated pages, once the English ones are written."""
    if exception or app._warncount or app.builder.name != "html":
        return
    folder = Path(app.doctreedir).with_name("locale")
    for language in languages():
        pages = translated_pages(language)
        named = {
            Path(app.outdir, address_of(page, language)) for page in pages
        }
        for path in {*Path(app.outdir, language).rglob("*.html")} - named:
            path.unlink()
        old = [page for page in pages if not is_current(app, language, page)]
        if not old:
            continue
        env = copied_environment(app)
        builder = TranslatedPages(app.builder, env, language, pages)
        for page in old:
            compile_catalogue(language, page, folder)
        with (
            replaced(app, builder=builder, env=env),
            # What has read the English pages reads into their environment.
            replaced(app.registry, publishers={}),
            replaced(app.config, language=language, locale_dirs=[folder]),
        ):
            for page in old:
                builder.write_page(page)


# --- The switch of language -------------------------------------------------


def name_languages(app, pagename, templatename, context, doctree):
    """Tell the template, and search engines, in what languages a page is."""
    here = getattr(app.builder, "language", SOURCE)
    there = [
        language
        for language in languages()
        if pagename in translated_pages(language)
    ]
    if not there:
        return
    site = site_address(context["theme_repository_url"])
    for language in [SOURCE, *there]:
        context["metatags"] += (
            f'<link rel="alternate" hreflang="{tag_of(language)}" '
            f'href="{site}{address_of(pagename, language)}">'
        )
    context["other_languages"] = [
        {
            "tag": tag_of(language),
            "name": NAMES[language],
            "address": context["pathto"](
                address_of(pagename, language), resource=True
            ),
        }
        for language in [SOURCE, *there]
        if language != here
    ]


def setup(app):
    """Register with Sphinx.

    The pages are written after what is made from the English ones, and before
    the style sheet, which has what any page uses.
    """
    app.connect("doctree-read", translate_parts)
    app.connect("html-page-context", name_languages)
    app.connect("build-finished", write_translations, priority=850)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
