"""Fold a proof of the class `dropdown` as the other dropdowns of the book.

Its words stay in the page: it opens without scripts, on paper, and where a
search or a link leads into it.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx_design.shared import create_component
from sphinx_proof.nodes import proof_node

FOLDED = "dropdown"
TITLE = "Proof"
BEGINNING = f"{TITLE}. "  # which sphinx-proof writes before the first word


def is_folded(node):
    """Return whether a node is a proof that asks to be folded."""
    return isinstance(node, proof_node) and FOLDED in node[0]["classes"]


def without_beginning(paragraph):
    """Take off the word that the title says already."""
    first = next(paragraph.findall(nodes.Text))
    rest = nodes.Text(first.removeprefix(BEGINNING))
    first.parent.replace(first, rest)


class FoldProofs(SphinxTransform):
    """Put each folded proof of a page into a dropdown."""

    default_priority = 400

    def apply(self):
        """Change one page."""
        for proof in list(self.document.findall(is_folded)):
            children = proof[0].children
            without_beginning(children[0])
            dropdown = create_component(
                FOLDED,
                children=[nodes.rubric("", TITLE), *children],
                opened=False,
                type=FOLDED,
                has_title=True,
                icon=None,
                chevron=None,
                container_classes=["sd-mb-3"],
                title_classes=[],
                body_classes=[],
            )
            proof.replace_self(dropdown)


def setup(app):
    """Register with Sphinx."""
    app.add_transform(FoldProofs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
