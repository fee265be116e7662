"""Read the written pages as what a reader can look for.

A *place* is a section, a box such as a theorem or an exercise, an entry of the
glossary, a source, or a name of the library: what has an address of its own.
`finding.py` makes the search and the index of them.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

FOR_THE_EYE = '<span class="katex-html"'
SPAN = re.compile(r"<(/?)span\b")
ARTICLE = re.compile(r'<article class="bd-article">(.*?)</article>', re.S)
# Nobody reads these as text, and they are most of a page.
UNREAD = re.compile(
    r"<(script|style|svg|annotation|pre|form)\b[^>]*>.*?</\1>", re.S
)
UNREAD_CLASSES = {
    "bayesbook-drill",
    "bayesbook-explore",
    "bayesbook-quiz",
    "bayesbook-stepper",
    "headerlink",
    "output",
    "reading-time",
    "solution",
    "toctree-wrapper",
}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS = {"dd", "div", "figcaption", "li", "p", "section", "td", "th", "tr"}
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
# What stands between the parts of a formula that is read as a text.
BETWEEN = {"mfrac": "/", "msub": "_", "msup": "^"}
TERM = re.compile(r"(?:glossary\.html|^)#(term-[^\"]+)$")


@dataclass(eq=False)
class Place:
    """What has an address: its kind, its titles and its text."""

    page: str
    anchor: str
    kind: str
    above: list = field(default_factory=list)  # the places that hold it
    title: str = ""
    names: list = field(default_factory=list)  # of a term, in two languages
    text: str = ""
    terms: list = field(default_factory=list)  # linked: id and words

    @property
    def address(self):
        """Return the address, from the root of the book."""
        return f"{self.page}.html#{self.anchor}"


def kind_of(tag, classes):
    """Return the kind of place that a tag begins, if it begins one."""
    if tag == "section":
        return "section"
    if tag == "div" and "proof" in classes:
        # A proof has no number, and is part of its section.
        return next(iter(classes - {"proof", "admonition", "dropdown"}), None)
    kinds = classes & {"exercise", "citation"}
    return next(iter(kinds), None) if tag == "div" else None


def is_title(tag, classes):
    """Tell whether a tag begins the title of a place."""
    return tag in HEADINGS or bool(classes & {"admonition-title", "label"})


class Reader(HTMLParser):
    """Read the article of one page into places."""

    def __init__(self, page):
        super().__init__()
        self.page = page
        self.places = []
        self.open = []  # the places that are open
        self.stack = []  # of open tags, each with what its end does
        self.unread = 0  # how many open tags are not read
        self.titled = None  # where text goes that is a title
        self.linking = None  # the link to a term that is open

    def begin(self, kind, anchor):
        """Open a place."""
        self.open.append(Place(self.page, anchor, kind, [*self.open]))
        self.places.append(self.open[-1])
        return self.end_place

    def end_place(self):
        """Close a place."""
        self.open.pop()

    def begin_title(self):
        """Let text be the title."""
        self.titled = "title"
        return self.end_title

    def begin_name(self):
        """Let text be one of the names of a term."""
        self.open[-1].names.append("")
        self.titled = "name"
        return self.end_title

    def end_title(self):
        """Let text be text again."""
        self.titled = None

    def end_unread(self):
        """Read again."""
        self.unread -= 1

    def opened(self, tag, anchor, classes):
        """Open what a tag begins; return what its end does, if anything."""
        if classes & UNREAD_CLASSES:
            self.unread += 1
            return self.end_unread
        if self.unread:
            return None
        kind = kind_of(tag, classes)
        if kind and anchor:
            return self.begin(kind, anchor)
        last = self.open[-1] if self.open else None
        in_entry = last and last.kind == "term"
        if tag == "dt" and (anchor or "").startswith("term-"):
            if not in_entry:
                self.begin("term", anchor)
            return self.begin_name()
        if tag == "dd" and in_entry:
            return self.end_place
        if tag == "dl" and "py" in classes:
            return self.end_names_of_library(len(self.open))
        if tag == "dt" and "sig-object" in classes and anchor:
            self.begin("name", anchor)
            self.titled = "signature"
            return self.end_title
        if last and not last.title and is_title(tag, classes):
            return self.begin_title()
        return None

    def end_names_of_library(self, depth):
        """Return what closes the names that a list has opened."""

        def end():
            del self.open[depth:]

        return end

    def handle_starttag(self, tag, attrs):
        """Note what begins."""
        if tag in VOID:
            return
        attrs = dict(attrs)
        if self.stack and self.stack[-1][0] in BETWEEN:
            self.stack[-1][2] += 1
            if self.stack[-1][2] == 2:
                self.handle_data(BETWEEN[self.stack[-1][0]])
        classes = {*(attrs.get("class") or "").split()}
        end = self.opened(tag, attrs.get("id"), classes)
        self.stack.append([tag, end, 0])
        if tag in BLOCKS:
            self.handle_data(" ")
        term = tag == "a" and TERM.search(attrs.get("href") or "")
        if term and self.open and not self.unread:
            self.linking = [term[1], ""]
            self.open[-1].terms.append(self.linking)

    def handle_endtag(self, tag):
        """Do what the end of a tag does."""
        if tag in VOID or tag not in [name for name, *_ in self.stack]:
            return
        while True:
            name, end, _ = self.stack.pop()
            if name == "a":
                self.linking = None
            if end:
                end()
            if name == tag:
                return

    def handle_data(self, data):
        """Keep text where it belongs."""
        if self.unread or not self.open:
            return
        place = self.open[-1]
        if self.titled == "title":
            place.title += data
        elif self.titled == "name":
            place.names[-1] += data
        elif self.titled == "signature":
            place.title = place.anchor
        else:
            place.text += data
        if self.linking:
            self.linking[1] += data


def without_drawings(html):
    """Return HTML without what formulas have for the eye."""
    first, *parts = html.split(FOR_THE_EYE)
    read = [first]
    for part in parts:
        depth = 1
        for tag in SPAN.finditer(part):
            depth += -1 if tag[1] else 1
            if not depth:
                read.append(part[tag.end() + 1 :])
                break
    return "".join(read)


def plain(text):
    """Return a text with single spaces."""
    return " ".join(text.split())


def places_of(page, html):
    """Return the places of a page, in their order."""
    article = ARTICLE.search(html)
    reader = Reader(page)
    reader.feed(UNREAD.sub("", without_drawings(article[1])))
    for place in reader.places:
        place.title = plain(place.title)
        place.names = [plain(name) for name in place.names]
        place.text = plain(place.text)
    return reader.places


def all_places(root, pages):
    """Return the places of the pages below a folder."""
    return [
        place
        for page in pages
        for place in places_of(
            page, Path(root, f"{page}.html").read_text("utf-8")
        )
    ]
