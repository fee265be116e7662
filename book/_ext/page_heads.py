"""Say in the head of a page what the page is about, and nothing twice."""

import re
from html import escape

from docutils import nodes

LONGEST = 160  # characters; search engines cut what is longer
# No page has tabs; sphinx-design brings their script all the same.
UNUSED = "_static/design-tabs.js"
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


def complete_head(app, pagename, templatename, context, doctree):
    """Describe a page that has text; give the front page the book's title."""
    if doctree is not None and any(doctree.findall(nodes.paragraph)):
        content = escape(description(doctree))
        described = f'<meta name="description" content="{content}">'
        metatags = with_one_viewport(context["metatags"])
        context["metatags"] = metatags + described
    # In its place: others still add theirs to this list.
    scripts = context["script_files"]
    scripts[:] = [script for script in scripts if script.filename != UNUSED]
    if pagename == app.config.root_doc:
        context["title"], context["docstitle"] = context["docstitle"], ""


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", complete_head)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
