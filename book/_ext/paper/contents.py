"""What is printed, in which order, and under which part."""

from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
# Pages that only work on a screen: a list of links says nothing without them,
# and the index has numbers of pages on paper.
ON_SCREEN_ONLY = {
    "book/appendix/library/names",
    "book/appendix/progress",
    "book/appendix/practice",
    "genindex",
}


@dataclass(frozen=True)
class Document:
    """A page of the book that is printed.

    Attributes
    ----------
    name : str
        Its name without an ending, from the root of the book.
    part : str
        The title of its part.
    """

    name: str
    part: str

    @property
    def path(self):
        """The file of its PDF, from the folder of the pages."""
        return f"{self.name}.pdf"


def names(entries):
    """List the files of a part of `_toc.yml`, sections after their page."""
    for entry in entries:
        yield entry["file"]
        yield from names(entry.get("sections", []))


def documents(toc=ROOT / "_toc.yml"):
    """List what is printed, in the order of the contents."""
    parts = yaml.safe_load(Path(toc).read_text())["parts"]
    return [
        Document(name, part["caption"])
        for part in parts
        for name in names(part["chapters"])
        if name not in ON_SCREEN_ONLY
    ]
