"""Mark Chinese terms and titles as Chinese, for speech and for fonts."""

import re

from docutils import nodes

HAN = re.compile(r"[\u3400-\u9fff]")


def mark_chinese(app, doctree, docname):
    """Give terms and titles with a Han character the attribute `lang="zh"`.

    The terms are the glossary's, the titles the bibliography's, which are
    emphasised.  docutils writes the class `language-zh` as that attribute.
    """
    for kind in (nodes.term, nodes.emphasis):
        for node in doctree.findall(kind):
            if HAN.search(node.astext()):
                node["classes"].append("language-zh")


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-resolved", mark_chinese)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
