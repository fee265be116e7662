"""The pieces of a chapter, what they link to, and what has a label there."""

import re

import notebooks
from book_texts import pages

LABEL = re.compile(r"^:label: ([\w-]+)|^\(([\w-]+)\)=|\$\$ \(([\w-]+)\)", re.M)
CITED = re.compile(
    r"\{(?:prf:ref|numref|ref|eq|hoverxref)\}`(?:[^`<]*<)?([\w-]+)>?`"
    r"|\]\(#?([\w-]+)\)"
)


def read(chapter):
    """Return a chapter as plain data."""
    return notebooks.parse(pages()[chapter].read_text("utf-8"))


def markdown(piece):
    """Return the text of a piece, or the caption of a figure."""
    if isinstance(piece, str):
        return piece
    figure = piece.metadata.get("mystnb", {}).get("figure", {})
    return figure.get("caption", "")


def matches(pattern, text):
    return {next(filter(None, m.groups())) for m in pattern.finditer(text)}


def labels(piece):
    """Return the labels that a piece gives."""
    metadata = {} if isinstance(piece, str) else piece.metadata
    figure = metadata.get("mystnb", {}).get("figure", {})
    return matches(LABEL, markdown(piece)) | {figure.get("name")} - {None}
