"""Write the ways through the book, from what its chapters need.

`{road}` names one chapter or several, and tells which lead there, what one has
to know of others, and how long they take to read. `{needs}` tells the same of
a part of the book. Both are written as Markdown, for Sphinx to link.
"""

from pathlib import PurePosixPath

import networkx as nx
from docutils import nodes
from docutils.statemachine import StringList
from prerequisites import (
    contents,
    mathematics,
    note_sources,
    notebook,
    prerequisites,
    road,
    titles,
    whole,
)
from reading import Length, duration, length
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective


def link(label):
    """Return a link to a section, or to a result with its title."""
    if label in titles():
        return f"{{prf:ref}}`{label}` ({titles()[label]})"
    return f"{{ref}}`{label}`"


def listed(words):
    """Return words as a list in a sentence."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def minutes(chapters, part="core"):
    """Return how long parts of some chapters take to read."""
    read = (length(notebook(page), part) for page in chapters)
    return sum(each.minutes for each in read if each != Length())


def in_hours(total):
    """Return a long time in whole hours, a short one in minutes.

    Examples
    --------
    >>> in_hours(625), in_hours(45)
    ('10 hours', '45 minutes')
    """
    return duration(60 * round(total / 60) if total >= 90 else total)


def way(goals, graph):
    """Write the way to some chapters as a sentence or two."""
    chapters, parts = road(goals, graph)
    steps = listed([f"{{doc}}`/{page}`" for page in chapters])
    told = f"About {in_hours(minutes(chapters))}: {steps}."
    if not parts:
        return told
    return f"{told}\nOf other chapters you need {listed([*map(link, parts)])}."


def before(chapters, graph):
    """Return which other chapters some need whole, and what of others.

    Not those that others of them need: the map shows them.
    """
    known = whole(graph)
    needed = {
        page
        for chapter in chapters
        for page in known.predecessors(chapter)
        if page not in chapters
    }
    implied = set().union(*(nx.ancestors(known, page) for page in needed))
    read = set(chapters).union(
        *(nx.ancestors(known, page) for page in chapters)
    )
    parts = {
        label: None
        for chapter in chapters
        for page in graph.predecessors(chapter)
        if page not in read
        for label in graph.edges[page, chapter]["parts"]
    }
    return [page for page in graph if page in needed - implied], [*parts]


def needs(chapters, graph):
    """Write what a part of the book needs, and how long it takes to read."""
    pages, parts = before(chapters, graph)
    links = [f"{{doc}}`/{page}`" for page in pages]
    learnt = {label: None for page in chapters for label in mathematics(page)}
    told = [f"You need {listed(links) if links else 'no other chapter'}"]
    if parts:
        told.append(f"; of others {listed([*map(link, parts)])}")
    told.append(f".\nMathematics: {listed([*map(link, learnt)])}.")
    told.append(f"\nThe cores take about {in_hours(minutes(chapters))}")
    deeper = minutes(chapters, "deeper")
    told.append(f", the sections with a star another {in_hours(deeper)}.")
    return "".join(told)


class Written(SphinxDirective):
    """What a directive writes as Markdown."""

    def run(self):
        """Return it as nodes."""
        note_sources(self.env)
        found = nodes.container(classes=[self.name])
        lines = StringList(self.markdown().split("\n"), source=self.name)
        self.state.nested_parse(lines, self.content_offset, found)
        return [found]


class Road(Written):
    """The way to the chapters that are named."""

    required_arguments = 1
    final_argument_whitespace = True

    def markdown(self):
        """Return the way; a chapter has the name of its notebook."""
        graph = prerequisites()
        known = {PurePosixPath(page).name: page for page in graph}
        names = self.arguments[0].split()
        for name in names:
            if name not in known:
                raise ExtensionError(
                    f"{{road}}: no chapter {name!r} says what it needs; "
                    f"there are {', '.join(known)}."
                )
        return way([known[name] for name in names], graph)


class Needs(Written):
    """What a part needs, which is named as in the contents."""

    required_arguments = 1
    final_argument_whitespace = True

    def markdown(self):
        """Return it in sentences."""
        parts = contents()
        if self.arguments[0] not in parts:
            raise ExtensionError(
                f"{{needs}}: no part is called {self.arguments[0]!r}; "
                f"there are {', '.join(parts)}."
            )
        return needs(parts[self.arguments[0]], prerequisites())


def setup(app):
    """Register with Sphinx."""
    app.add_directive("road", Road)
    app.add_directive("needs", Needs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
