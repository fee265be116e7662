"""Mark the glossary's Chinese terms as Chinese, for speech and for fonts."""

import re

from docutils import nodes

HAN = re.compile(r"[\u3400-\u9fff]")


def mark_chinese_terms(app, doctree):
    """Give each term with a Han character the attribute `lang="zh"`.

    docutils writes the class `language-zh` as that attribute.
    """
    for term in doctree.findall(nodes.term):
        if HAN.search(term.astext()):
            term["classes"].append("language-zh")


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", mark_chinese_terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
