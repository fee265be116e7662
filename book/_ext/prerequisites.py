"""Read what each chapter needs, from the sentence in which it says so.

The opening of a chapter has a line that begins with **You need**. A chapter
that is linked there by `{doc}` is needed whole; of one whose section or result
is linked, by `{ref}` or `{prf:ref}`, that part is enough. The lines below it
name what only single steps or starred sections use.

    python book/_ext/prerequisites.py
"""

import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path, PurePosixPath

import networkx as nx
import yaml

ROOT = Path(__file__).resolve().parents[2]
SAID = "**You need** "
REFRESHER = "book/preparation/refresher"
PAGE = re.compile(r"\{doc\}`(?:[^`<]*<)?([\w./]+)>?`")
PLACE = re.compile(r"\{(?:prf:)?ref\}`(?:[^`<]*<)?([\w-]+)>?`")
TITLED = re.compile(
    r"^:{3,}\{prf:\w+\} ([^\n]+)\n:label: ([\w-]+)$", re.MULTILINE
)
LABEL = re.compile(r"^(?::label: ([\w-]+)|\(([\w-]+)\)=)$", re.MULTILINE)


@cache
def contents(root=ROOT):
    """Return the parts of the book: their titles, and their pages."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    return {
        part["caption"]: [entry["file"] for entry in part["chapters"]]
        for part in toc["parts"]
    }


@cache
def notebook(page, root=ROOT):
    """Return a notebook as plain data; other pages have no cells."""
    path = root / f"{page}.ipynb"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


@cache
def texts(page, root=ROOT):
    """Return the texts of a notebook."""
    found = notebook(page, root)
    return tuple(
        "".join(cell["source"])
        for cell in (found or {"cells": ()})["cells"]
        if cell["cell_type"] == "markdown"
    )


def pages(root=ROOT):
    """Return all pages of the contents, in their order."""
    return [page for part in contents(root).values() for page in part]


def title(page, root=ROOT):
    """Return the title of a notebook."""
    return next(re.finditer(r"^# (.+)$", texts(page, root)[0], re.M))[1]


def sentence(page, root=ROOT):
    """Return the line that says what a chapter needs; other pages have none.

    A paragraph has one sentence a line.
    """
    lines = (line for text in texts(page, root) for line in text.split("\n"))
    return next((line for line in lines if line.startswith(SAID)), "")


@cache
def homes(root=ROOT):
    """Return the page of each label of a section or a result."""
    return {
        label or section: page
        for page in pages(root)
        for text in texts(page, root)
        for label, section in LABEL.findall(text)
    }


@cache
def titles(root=ROOT):
    """Return the title of each definition and theorem that has one."""
    return {
        label: title
        for page in pages(root)
        for text in texts(page, root)
        for title, label in TITLED.findall(text)
    }


def needed(line, page, where):
    """Return the pages that a sentence links to, and of each the parts.

    Parameters
    ----------
    line : str
        The sentence.
    page : str
        The page on which it stands, from which its links lead.
    where : mapping
        The page of each label.

    Returns
    -------
    dict of str to tuple of str
        No label means the whole page.
    """
    parts = defaultdict(tuple)
    for label in PLACE.findall(line):
        parts[where[label]] += (label,)
    folder = PurePosixPath("/", page).parent
    whole = {str(folder / link).lstrip("/"): () for link in PAGE.findall(line)}
    return {**parts, **whole}


@cache
def prerequisites(root=ROOT):
    """Return the graph of the chapters: an arrow is "you need".

    An arrow has the labels of the `parts` that are enough, or none.
    """
    said = {page: sentence(page, root) for page in pages(root)}
    graph = nx.DiGraph()
    graph.add_nodes_from(page for page in said if said[page])
    for page in graph:
        links = needed(said[page], page, homes(root))
        for source, parts in links.items():
            if source in graph:  # the refresher is before all of them
                graph.add_edge(source, page, parts=parts)
    return graph


def whole(graph):
    """Return the graph with the arrows from chapters needed as wholes."""
    arrows = [edge for edge in graph.edges if not graph.edges[edge]["parts"]]
    found = nx.DiGraph(arrows)
    found.add_nodes_from(graph)
    return found


def shown(graph):
    """Return the arrows that no path of other arrows says already."""
    arrows = nx.transitive_reduction(whole(graph))
    implied = nx.transitive_closure(arrows)
    arrows.add_edges_from(graph.edges - implied.edges)
    return arrows


def in_order(graph):
    """Return chapters in the order of the contents, what is needed first."""
    return [*nx.lexicographical_topological_sort(graph, key=pages().index)]


def road(goals, graph):
    """Return the chapters on the way to some, and the parts of others."""
    known = whole(graph)
    on_the_way = set(goals).union(*(nx.ancestors(known, g) for g in goals))
    chapters = in_order(known.subgraph(on_the_way))
    parts = {
        label: None
        for chapter in chapters
        for source in graph.predecessors(chapter)
        if source not in on_the_way
        for label in graph.edges[source, chapter]["parts"]
    }
    return chapters, [*parts]


def note_sources(env):
    """Have a page read anew when a chapter says something else."""
    env.note_dependency(str(ROOT / "_toc.yml"))
    for page in prerequisites():
        env.note_dependency(str(ROOT / f"{page}.ipynb"))


def mathematics(page, root=ROOT):
    """Return the sections of the refresher that a chapter links to."""
    paragraph = next(t for t in texts(page, root) if SAID in t)
    paragraph = paragraph[paragraph.index(SAID) :].split("\n\n")[0]
    where = homes(root)
    return [
        label
        for label in PLACE.findall(paragraph)
        if where[label] == REFRESHER
    ]


if __name__ == "__main__":
    the_graph = prerequisites()
    for chapter in the_graph:
        print(chapter)
        for before, _, said in the_graph.in_edges(chapter, data="parts"):
            print("   ", before, *said)
