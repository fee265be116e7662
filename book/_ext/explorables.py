"""Place an explorable in a page that is no notebook, by `{explorable}`.

A chapter has it as the output of a cell; a page in Markdown has no cells, and
names one of those that need nothing said, such as `bayes_rule`.
"""

from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from bayesbook.study import explore
from bayesbook.study.explore.explorable import html


class ExplorableDirective(SphinxDirective):
    """Write an explorable at its start, with its style and its script."""

    required_arguments = 1

    def run(self):
        """Return its HTML; a page is read anew when the library changes."""
        name = self.arguments[0]
        found = (
            getattr(explore, name, None) if name in explore.__all__ else None
        )
        if not callable(found) or isinstance(found, type):
            raise ExtensionError(
                f"bayesbook.study.explore has no explorable {name!r}."
            )
        for path in Path(explore.__file__).parent.iterdir():
            self.env.note_dependency(str(path))
        return [nodes.raw("", html(found()), format="html")]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("explorable", ExplorableDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
