"""Fold the cells that only import something."""

import ast

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

SUMMARY = "Imports"


def only_imports(code):
    """Return whether code consists of imports, and of nothing else."""
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # a command of the notebook, `%pip`
        return False
    kinds = ast.Import | ast.ImportFrom
    return bool(statements) and all(isinstance(s, kinds) for s in statements)


def is_import_cell(node):
    """Return whether a node is a cell of imports that shows nothing."""
    return (
        isinstance(node, nodes.container)
        and node.get("nb_element") == "cell_code"
        and [child.get("nb_element") for child in node.children]
        == ["cell_code_source"]
        and only_imports(node.astext())
    )


class FoldImports(SphinxPostTransform):
    """Ask for what the tag `hide-input` asks for, with words of its own."""

    default_priority = 198  # myst-nb folds cells at 199
    formats = ("html",)

    def run(self):
        """Mark the cells of a page."""
        for cell in self.document.findall(is_import_cell):
            cell["hide_mode"] = "input"
            cell["prompt_show"] = cell["prompt_hide"] = SUMMARY


def setup(app):
    """Register with Sphinx."""
    app.add_post_transform(FoldImports)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
