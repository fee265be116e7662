"""Remove ids that extensions repeat on one page.

sphinx-proof and sphinx-exercise give the body of every box the same id. Ids
must be unique in a page; nothing links to these, the boxes keep their labels.
"""

from docutils import nodes

REPEATED = {
    "exercise-content",
    "proof",
    "proof-content",
    "solution-content",
}


def drop_repeated_ids(app, doctree, docname):
    """Take the repeated ids off every element of a page."""
    for node in doctree.findall(nodes.Element):
        if ids := node.get("ids"):
            node["ids"] = [name for name in ids if name not in REPEATED]


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-resolved", drop_repeated_ids)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
