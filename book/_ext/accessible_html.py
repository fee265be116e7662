"""Correct what the writers of page bodies get wrong.

Each pair names the mark-up that a tool writes and what it should have written.
"""

REPAIRS = (
    # docutils: a role that ARIA 1.2 removed, inside a list of list items.
    ('role="doc-biblioentry"', 'role="listitem"'),
    # pandas: the empty corner of a table is not a header of anything.
    ("<th></th>", "<td></td>"),
    # sphinx-proof: the word that stands in for the title of a proof.
    (
        '<div class="proof admonition">\n<p>Proof. ',
        '<div class="proof admonition">\n<p><em>Proof.</em> ',
    ),
    # ... and which a folded proof needs: the button goes into its title.
    (
        '<div class="proof dropdown admonition">\n<p>Proof. ',
        '<div class="proof dropdown admonition">\n'
        '<p class="admonition-title">Proof</p>\n<p>',
    ),
    # myst-nb: a name that hides the words "Show the code".
    ('<summary aria-label="Toggle hidden content">', "<summary>"),
    # A search would mark its words in the style of a quiz, and break it.
    ("<style>", '<style class="nohighlight">'),
)


def repair(html):
    """Return the body of a page with every repair."""
    for wrong, right in REPAIRS:
        html = html.replace(wrong, right)
    return html


def repair_body(app, pagename, templatename, context, doctree):
    """Repair a page between writing its body and filling its template."""
    if "body" in context:
        context["body"] = repair(context["body"])


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", repair_body)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
