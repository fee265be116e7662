"""Say in the head of a page what the page is about."""

from html import escape

from docutils import nodes

LONGEST = 160  # characters; search engines cut what is longer


def description(doctree):
    """Return the first paragraph, cut between two words if it is long."""
    words = next(doctree.findall(nodes.paragraph)).astext().split()
    text = " ".join(words)
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0] + " …"


def complete_head(app, pagename, templatename, context, doctree):
    """Describe a page that has text; give the front page the book's title."""
    if doctree is not None and any(doctree.findall(nodes.paragraph)):
        content = escape(description(doctree))
        context["metatags"] += f'<meta name="description" content="{content}">'
    if pagename == app.config.root_doc:
        context["title"], context["docstitle"] = context["docstitle"], ""


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", complete_head)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
