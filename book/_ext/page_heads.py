"""Say in the head of a page what the page is about, and nothing twice."""

import re
from html import escape, unescape

from docutils import nodes

LONGEST = 160  # characters; search engines cut what is longer
# No page has tabs; sphinx-design brings their script all the same.
UNUSED = "_static/design-tabs.js"
# What a shared link shows: written by `chapter_map.py`.
CARD = "_static/card.png"
CARD_ALT = "The title of the book, beside the map of its chapters."
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>')


def before_formulas(paragraph):
    """Return the sentences of a paragraph before its first formula."""
    text = " ".join(paragraph.astext().split())
    for formula in paragraph.findall(nodes.math):
        text = text.partition(" ".join(formula.astext().split()))[0]
        return text[: text.rfind(". ") + 1]
    return text


def description(doctree):
    """Return the first paragraph, cut between two words if it is long.

    Formulas are left out, with what follows them: search engines read no TeX.
    """
    paragraphs = [*doctree.findall(nodes.paragraph)]
    running = [p for p in paragraphs if isinstance(p.parent, nodes.section)]
    texts = map(before_formulas, running or paragraphs)
    text = next(filter(None, texts), "")
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0] + " …"


def with_one_viewport(metatags):
    """Return docutils' tags without a viewport: the template has one."""
    return VIEWPORT.sub("", metatags)


def site_address(repository):
    """Return where the pages of a repository are published.

    Examples
    --------
    >>> site_address("https://github.com/someone/something")
    'https://someone.github.io/something/'
    """
    user, name = repository.removesuffix("/").split("/")[-2:]
    return f"https://{user}.github.io/{name}/"


def shared(title, text, address, site):
    """Return what services show of a link to a page, and its one address."""
    said = {
        "og:type": "article",
        "og:site_name": "Bayesbook",
        "og:title": title,
        "og:description": text,
        "og:url": address,
        "og:image": f"{site}{CARD}",
        "og:image:alt": CARD_ALT,
    }
    tags = [
        f'<meta property="{name}" content="{escape(value)}">'
        for name, value in said.items()
    ]
    tags.append('<meta name="twitter:card" content="summary_large_image">')
    tags.append(f'<link rel="canonical" href="{escape(address)}">')
    return "".join(tags)


def complete_head(app, pagename, templatename, context, doctree):
    """Describe a page that has text; give the front page the book's title."""
    if doctree is not None and any(doctree.findall(nodes.paragraph)):
        text = description(doctree)
        described = f'<meta name="description" content="{escape(text)}">'
        metatags = with_one_viewport(context["metatags"])
        site = site_address(context["theme_repository_url"])
        title = unescape(re.sub(r"<[^>]*>", "", context["title"]))
        address = f"{site}{app.builder.get_target_uri(pagename)}"
        if pagename == app.config.root_doc:
            title, address = app.config.project, site
        cards = shared(title, text, address, site)
        context["metatags"] = metatags + described + cards
    # In its place: others still add theirs to this list.
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if script.filename != UNUSED]
    if pagename == app.config.root_doc:
        context["title"], context["docstitle"] = context["docstitle"], ""


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", complete_head)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
