"""Let readers find: the search, the index of terms and that of names.

When the pages are written, what can be found is read from them, section by
section. The search is done by MiniSearch, in `book/minisearch`, on the page of
the reader; its scripts and what it searches are loaded when somebody searches,
as scripts, because a page on a disk may not read any other file. They lie
outside `_static`, because Jupyter Book links every script there into every
page.

Sphinx's own search finds whole pages, knows no synonyms and no wrong letter,
and finds d-separation in "standard" and TAN in "Stan".
"""

import json
import posixpath
import re
from collections import defaultdict
from html import escape
from pathlib import Path
from unicodedata import normalize

from sections import all_places
from terms import is_text, read_synonyms, read_terms, with_places

FOLDER = "search"
SCRIPTS = Path(__file__).with_name("finding")
MINISEARCH = Path(__file__).parents[1] / "minisearch"
SYNONYMS = "book/appendix/synonyms.yml"
TERMS = "genindex"
NAMES = "book/appendix/library/names"
# What Sphinx would load to mark the words of its own search.
MARKING = "_static/sphinx_highlight.js"
# Sections of these pages are found after those of the chapters.
PAGES = {
    "reference": re.compile(r"appendix/library/(?!guide_)"),
    "aside": re.compile(r"appendix/(?:errata|notation|glossary|practice)"),
}
SHORT = 120  # characters of a text that the search can show at once
LIBRARY = "bayesbook."
HAN = re.compile(r"[\u3400-\u9fff]")
INDEX = re.compile(r'(<div class="book-index">).*?</div>', re.S)


# --- What is searched -------------------------------------------------------


def shortened(text):
    """Return the beginning of a text, cut between two words."""
    if len(text) <= SHORT:
        return text
    return text[:SHORT].rsplit(" ", 1)[0] + " …"


def kind_of(place):
    """Return what a place is to the search."""
    if place.kind == "section":
        for kind, pages in PAGES.items():
            if pages.search(place.page):
                return kind
    return place.kind


def terms_of(places, terms):
    """Return which terms each place defines and which it uses.

    By address, the numbers of terms. The entry of the glossary defines, too.
    """
    defined, used = defaultdict(list), defaultdict(list)
    for number, term in enumerate(terms.values()):
        for place in {term.definer, term.entry} - {None}:
            defined[place.address].append(number)
    numbers = {key: number for number, key in enumerate(terms)}
    for place in filter(is_text, places):
        for key in dict.fromkeys(key for key, _ in place.terms):
            if numbers[key] not in defined[place.address]:
                used[place.address].append(numbers[key])
    return defined, used


def searched(places, terms):
    """Return what can be searched, and the texts that come later.

    Returns
    -------
    tuple of dict and dict
        The first has the pages, the names of the terms and, of each place, its
        page, id, kind, title, section, the terms that it defines and uses, and
        the beginning of its text. The second has the texts that are longer, by
        the number of their place.
    """
    defined, used = terms_of(places, terms)
    pages = [*dict.fromkeys(place.page for place in places)]
    number = {place.address: at for at, place in enumerate(places)}
    listed, texts = [], {}
    for at, place in enumerate(places):
        title, short = place.title, shortened(place.text)
        if place.kind == "term":
            title = ", ".join(place.names)
        if place.kind == "name":
            title = title.removeprefix(LIBRARY)
        elif short != place.text:
            texts[at] = place.text
        listed.append(
            [
                pages.index(place.page),
                place.anchor,
                kind_of(place),
                title,
                number[place.above[-1].address] if place.above else -1,
                defined[place.address],
                used[place.address],
                short,
            ]
        )
    names = [
        [*dict.fromkeys([*term.names, *term.also, *term.forms])]
        for term in terms.values()
    ]
    return {"pages": pages, "terms": names, "places": listed}, texts


# --- The index of terms, and that of names ----------------------------------


def link(place, text, folder=""):
    """Return a link to a place from a page in a folder."""
    address = posixpath.relpath(place.address, folder or ".")
    return f'<a href="{escape(address)}">{text}</a>'


def called(place):
    """Return how the index calls a place: a box by its number alone."""
    title = place.title.replace("★", "").strip()
    if place.kind != "section":
        title = title.partition(" (")[0]
    return escape(title)


def letter_of(name):
    """Return the letter under which a name is listed."""
    first = normalize("NFKD", name)[0].upper()
    return first if first.isalpha() else "0"


def by_letter(entries):
    """Write entries, pairs of a name and its line, letter by letter."""
    in_order = sorted(entries, key=lambda entry: sort_key(entry[0]))
    letters = {}
    for name, line in in_order:
        letters.setdefault(letter_of(name), []).append(f"<li>{line}</li>")
    links = " ".join(
        f'<a href="#letter-{letter}">{letter}</a>' for letter in letters
    )
    parts = [
        f'<h2 id="letter-{letter}">{letter}</h2>'
        f"<ul>\n{chr(10).join(lines)}\n</ul>"
        for letter, lines in letters.items()
    ]
    head = f'<p class="book-letters">{links}</p>'
    return "\n".join([head, *parts])


def sort_key(name):
    """Return what a name is sorted by: its letters, without accents."""
    plain = normalize("NFKD", name).casefold()
    return [sign for sign in plain if sign.isalnum()], name


def chinese(name):
    """Write a Chinese name, marked as such."""
    return f'<span lang="zh">{escape(name)}</span>'


def line_of(term):
    """Write of a term its names, what defines it, and what uses it."""
    english, *others = term.names
    line = [link(term.entry, f"<b>{escape(english)}</b>")]
    line += map(chinese, others)
    if term.definer:
        definition = f"<b>{called(term.definer)}</b>"
        line.append(f"– {link(term.definer, definition)}")
    text = " ".join(line)
    used = "; ".join(link(place, called(place)) for place in term.users)
    return f"{text}; {used}" if used else text


def term_index(terms):
    """Write the index of terms: by letter, and by their Chinese names.

    Other names refer to the term. The code GB 18030 has the Chinese signs
    that are used most in the order of their pronunciation.
    """
    listed = {term.name for term in terms.values()}
    entries = [(term.name, line_of(term)) for term in terms.values()]
    others = {
        (name, term.name): term
        for term in terms.values()
        for name in term.also
        if name not in listed and not HAN.search(name)
    }
    entries += [
        (name, f"{escape(name)}: see {link(term.entry, escape(own))}")
        for (name, own), term in others.items()
    ]
    pairs = sorted(
        ((name, term) for term in terms.values() for name in term.names[1:]),
        key=lambda pair: pair[0].encode("gb18030"),
    )
    lines = [
        f"<li>{link(term.definer or term.entry, chinese(name))} "
        f"{escape(term.name)}</li>"
        for name, term in pairs
    ]
    return (
        f"{by_letter(entries)}\n"
        f'<h2 id="letter-zh" lang="zh">中文</h2>\n<ul>{"".join(lines)}</ul>'
    )


def name_index(places):
    """Write the index of the names of the library, each with its owners."""
    owners = defaultdict(list)
    for place in places:
        if place.kind == "name":
            owner, _, name = place.title.removeprefix(LIBRARY).rpartition(".")
            owners[name].append((owner, place))
    folder = posixpath.dirname(NAMES)
    return by_letter(
        (
            name,
            f"<code>{escape(name)}</code> in "
            + ", ".join(
                link(place, f"<code>{escape(owner)}</code>", folder)
                for owner, place in sorted(found, key=lambda pair: pair[0])
            ),
        )
        for name, found in owners.items()
    )


# --- Writing ----------------------------------------------------------------


def script(name, value):
    """Write a value as a script that gives it a name."""
    said = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"window.{name} = {said};\n"


def search_script():
    """Write the script of the search: MiniSearch, and ours in one function."""
    minisearch = (MINISEARCH / "minisearch.js").read_text("utf-8")
    minisearch = re.sub(r"//# sourceMappingURL=.*", "", minisearch)
    ours = [
        SCRIPTS.joinpath(f"{part}.js").read_text("utf-8")
        for part in ("finder", "page")
    ]
    return f'{minisearch}(() => {{\n"use strict";\n{"".join(ours)}}})();\n'


def fill(path, content):
    """Write the index into the place that its page keeps for it."""
    html = path.read_text("utf-8")
    filled = INDEX.sub(lambda found: f"{found[1]}\n{content}\n</div>", html)
    if filled != html:
        path.write_text(filled, "utf-8")


def pages_in_order(env, page):
    """Yield a page and those below it, in the order of the contents."""
    yield page
    for below in env.toctree_includes.get(page, []):
        yield from pages_in_order(env, below)


def write_what_finds(app, exception):
    """Write the search and both indices, once the pages are written.

    Where no page had to be written, those of the last time are good.
    """
    written = hasattr(app.builder, "docwriter")
    if exception or app.builder.name != "html" or not written:
        return
    pages = [*pages_in_order(app.env, app.config.root_doc)]
    read = [page for page in pages if page not in (TERMS, NAMES)]
    places = all_places(app.outdir, read)
    synonyms = read_synonyms(Path(app.srcdir, SYNONYMS))
    terms = with_places(read_terms(places, synonyms), places)
    for page, content in (
        (TERMS, term_index(terms)),
        (NAMES, name_index(places)),
    ):
        if page in pages:
            fill(Path(app.outdir, f"{page}.html"), content)
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    short, texts = searched(places, terms)
    for name, content in {
        "search": search_script(),
        "marks": (SCRIPTS / "marks.js").read_text("utf-8"),
        "places": script("bayesbookPlaces", short),
        "texts": script("bayesbookTexts", texts),
    }.items():
        (folder / f"{name}.js").write_text(content, "utf-8")


def leave_out_sphinx(app):
    """Make no other search."""
    app.builder.search = False


def leave_out_marking(app, pagename, templatename, context, doctree):
    """Leave out the script that would mark what Sphinx's search finds."""
    # In its place: others still add theirs to this list.
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if script.filename != MARKING]


def setup(app):
    """Register with Sphinx."""
    app.connect("builder-inited", leave_out_sphinx)
    app.connect("html-page-context", leave_out_marking)
    # Before the cards and the style sheet, which are made from the pages, too.
    app.connect("build-finished", write_what_finds, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
