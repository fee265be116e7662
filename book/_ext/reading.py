"""Measure how long a chapter is, and set its deeper sections apart.

The core of a chapter is its text up to the exercises, without the sections
whose titles end with a star. Under the title a page says how many words the
core has and how long it takes to read, from the words, formulas and lines of
code that are in view.

    python book/_ext/reading.py book/conditioning/events.ipynb
"""

import json
import re
import sys
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from folded_imports import only_imports
from sphinx.transforms import SphinxTransform

STAR = "★"
CHAPTER = "Summary"  # the section that chapters have, and no other page
AFTER_THE_CORE = {
    "Coding exercises",
    "Problems",
    "Drills",
    "Quiz",
    "Where other books say it",
    "Sources and further reading",
}
OUT_OF_VIEW = {"remove-cell", "remove-input", "hide-cell", "hide-input"}

# Slower than a novel is read: who studies goes back, and works along.
WORDS_A_MINUTE = 150
SECONDS_A_FORMULA = 10
SECONDS_A_LINE = 5
ROUNDED_TO = 5  # minutes

# With its labels, which stand above it.
HEADING = re.compile(r"^((?:\([\w-]+\)=\n)*)(#{1,6}) (.+)$", re.MULTILINE)
FENCED = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$.+?\$\$(?: \([\w-]+\))?|\$.+?\$", re.DOTALL)
SOLUTION = re.compile(
    r"^(:{3,})\{(?:solution|exercise)\}.*?^\1$", re.MULTILINE | re.DOTALL
)
MARKS = re.compile(
    r"^:{3,}(?:\{[\w:-]+\})?"  # of a directive
    r"|^:[\w-]+:[^\n]*$"  # an option
    r"|^\([\w-]+\)=$"  # a label
    r"|\{[\w:-]+\}(?=`)"  # of a role
    r"|(?<=\])\([^)\s]*\)",  # an address
    re.MULTILINE,
)
SHOWN_AS = re.compile(r"`([^`<]+?)\s*<[^`>]+>`")  # `parents <parent>`
WORD = re.compile(r"\S*\w\S*")


class Length(NamedTuple):
    """How much there is to read."""

    words: int = 0
    formulas: int = 0
    lines: int = 0

    def __add__(self, other):
        """Return the length of both."""
        return Length(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def minutes(self):
        """Return how long it takes, in steps of five minutes."""
        seconds = (
            60 * self.words / WORDS_A_MINUTE
            + SECONDS_A_FORMULA * self.formulas
            + SECONDS_A_LINE * self.lines
        )
        return max(1, round(seconds / 60 / ROUNDED_TO)) * ROUNDED_TO


def of_text(markdown):
    """Return the length of Markdown: no code, no exercises."""
    text = SOLUTION.sub("", FENCED.sub("", markdown))
    prose = FORMULA.sub(" ", text)
    prose = SHOWN_AS.sub(r"\1", MARKS.sub("", prose))
    return Length(len(WORD.findall(prose)), len(FORMULA.findall(text)))


def of_cell(cell):
    """Return the length of a code cell: its lines in view, its caption."""
    metadata = cell["metadata"]
    figure = metadata.get("mystnb", {}).get("figure", {})
    caption = of_text(figure.get("caption", ""))
    code = "".join(cell["source"])
    if OUT_OF_VIEW & {*metadata.get("tags", [])} or only_imports(code):
        return caption
    return caption + Length(lines=sum(map(bool, code.split("\n"))))


def part_of(titles):
    """Return in which part of a chapter the section of these titles is."""
    if AFTER_THE_CORE & {*titles}:
        return "after"
    starred = any(title.endswith(STAR) for title in titles)
    return "deeper" if starred else "core"


def pieces(notebook):
    """Yield the part, and a code cell or the Markdown under one heading."""
    titles = {}  # by their levels
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield part_of(titles.values()), cell
            continue
        text = FENCED.sub("", "".join(cell["source"]))
        before, *headed = HEADING.split(text)
        yield part_of(titles.values()), before
        four = zip(*4 * [iter(headed)], strict=True)
        for labels, marks, title, below in four:
            level = len(marks)
            titles = {n: t for n, t in titles.items() if n < level}
            titles[level] = title
            yield part_of(titles.values()), f"{labels}{title}\n{below}"


def length(notebook, part="core"):
    """Return the length of the core, or of another part, of a chapter."""
    lengths = (
        of_text(piece) if isinstance(piece, str) else of_cell(piece)
        for its_part, piece in pieces(notebook)
        if its_part == part
    )
    return reduce(Length.__add__, lengths, Length())


def duration(minutes):
    """Return a time in words: 1 hour 5 minutes."""
    hours, rest = divmod(minutes, 60)
    told = [f"{hours} hour{'s' * (hours > 1)}"] * bool(hours)
    return " ".join([*told, *[f"{rest} minutes"] * bool(rest)])


def told(notebook):
    """Return the sentences that say how long a chapter is."""
    core, deeper = (length(notebook, part) for part in ("core", "deeper"))
    text = f"{core.words:,} words, about {duration(core.minutes)} to read"
    if not deeper.words:
        return text + "."
    return (
        f"{text}; the sections with a star, which no later chapter needs, "
        f"another {duration(deeper.minutes)}."
    )


class SayLength(SphinxTransform):
    """Say the length of a chapter under its title; mark deeper sections."""

    default_priority = 400

    def apply(self):
        """Change one page."""
        sections = [*self.document.findall(nodes.section)]
        titles = [section[0].astext() for section in sections]
        for section, title in zip(sections, titles, strict=True):
            if title.endswith(STAR):
                section["classes"].append("deeper")
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix == ".ipynb" and CHAPTER in titles:
            text = told(json.loads(path.read_text("utf-8")))
            line = nodes.container(classes=["reading-time"])
            line += nodes.paragraph("", text)
            sections[0].insert(1, line)


def setup(app):
    """Register with Sphinx."""
    app.add_transform(SayLength)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, told(json.loads(Path(name).read_text("utf-8"))))
