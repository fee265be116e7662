"""A page of the screen made a document of paper, still HTML."""

import re
from copy import copy
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import urldefrag, urljoin

from bs4 import BeautifulSoup

from paper.answers import move_answers
from paper.hatchings import draw_hatchings

# What only a screen needs, or what is folded: the code of figures, and cells
# that a page shows when asked. The notebooks hold all of it.
FURNITURE = ", ".join(
    [
        "script",
        "button",
        "input",
        "template",
        "[hidden]",
        ".headerlink",
        ".cell > details.hide",
        ".quiz-actions",
        ".quiz-feedback",
        ".quiz-form",
        ".quiz-hints",
        ".quiz-idle",
        ".quiz-mark",
        ".quiz-progress",
        ".drill-hint",
        ".drill-more",
        ".explore-idle",
        ".explore-live",
        ".explore-said",
        ".stepper-idle",
    ]
)
# A link to another document: `joining` gives it its place in the book.
SCHEME = "book:"
# The whole of a document, for links that name no part of it.
TOP = "top"
# The start of the description of a formula: `tags` makes it the formula's.
FORMULA = "formula: "
KATEX = '<span class="katex">'
MATHML = re.compile(r'<span class="katex-mathml">.*?</math></span>', re.DOTALL)
ANNOTATION = re.compile(r"<annotation[^>]*>(.*?)</annotation>", re.DOTALL)
SPAN = re.compile(r"<(/?)span\b[^>]*>")
MARK = re.compile("\ue000(\\d+)\ue001")


@dataclass(frozen=True)
class Heading:
    """A title within a document.

    Attributes
    ----------
    level : int
        One for the title of the document, two for a section, and so on.
    address : str
        The address of what it stands above.
    number : str
        As in "4.2."; empty where nothing is numbered.
    title : str
        Its words, in HTML.
    """

    level: int
    address: str
    number: str
    title: str

    @property
    def words(self):
        """The number and the title, without marks of HTML."""
        markup = BeautifulSoup(f"{self.number} {self.title}", "html.parser")
        return " ".join(markup.get_text().split())


@dataclass
class Sheet:
    """A document of paper, before it is printed.

    Attributes
    ----------
    title : str
        The words of its title.
    headings : list of Heading
        The title and the titles of sections, in their order.
    body : str
        Its HTML.
    styles : list of str
        The style sheets that its page links to.
    links : set of tuple
        Other documents that it links to, each with an address there.
    terms : dict
        Of each term of the glossary the addresses where it is used.
    """

    title: str
    body: str
    headings: list = field(default_factory=list)
    styles: list = field(default_factory=list)
    links: set = field(default_factory=set)
    terms: dict = field(default_factory=dict)


def described(formula):
    """Make a formula one object, described by its TeX.

    A reader of PDFs knows no MathML: it would read the signs of a fraction
    one after the other.
    """
    tex = ANNOTATION.search(formula)[1].strip().replace('"', "&quot;")
    return (
        MATHML.sub("", formula)
        .replace(' aria-hidden="true"', "")
        .replace(
            KATEX, f'{KATEX[:-1]} role="img" aria-label="{FORMULA}{tex}">'
        )
    )


def end_of_span(html, start):
    """Return where a span ends, with all that is in it."""
    depth = 0
    for tag in SPAN.finditer(html, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    raise ValueError(f"A span is not closed: {html[start : start + 60]!r}.")


def set_formulas_aside(html):
    """Put a mark in the place of each formula; return them, too.

    They are most of a page, and nothing in them is read.
    """
    formulas, parts, at = [], [], 0
    while (start := html.find(KATEX, at)) >= 0:
        end = end_of_span(html, start)
        parts += [html[at:start], f"\ue000{len(formulas)}\ue001"]
        formulas.append(described(html[start:end]))
        at = end
    return "".join([*parts, html[at:]]), formulas


def with_formulas(html, formulas):
    """Put formulas back into the places of their marks."""
    return MARK.sub(lambda mark: formulas[int(mark[1])], html)


def leave_blanks(soup):
    """Leave room to write the answers that a page asks to type."""
    for box in soup.select(".quiz-boxed"):
        box["class"] = "paper-blank"


def unfold(soup):
    """Open what is folded on the page, and say what it is."""
    for fold in soup.select("details"):
        fold["open"] = ""


def link(soup, name, printed):
    """Send links to documents of the book; return those outside this one.

    A link to a page that is not printed becomes plain text.
    """
    outside = set()
    for tag in soup.select("a[href]"):
        address, part = urldefrag(urljoin(f"/{name}.html", tag["href"]))
        # An explorable is printed in one state, whatever a link asks for.
        part = part.partition("?")[0]
        if not address.startswith("/"):
            continue
        page = PurePosixPath(address.lstrip("/"))
        target = page.with_suffix("").as_posix()
        if page.suffix != ".html" or target not in printed:
            tag.unwrap()
        elif target == name:
            tag["href"] = f"#{part or TOP}"
        else:
            tag["href"] = f"{SCHEME}{target}#{part or TOP}"
            outside.add((target, part or TOP))
    return outside


def mark_terms(soup):
    """Give each link to a term of the glossary an address of its own."""
    terms = {}
    for number, tag in enumerate(soup.select("a[href*='#term-']")):
        term = urldefrag(tag["href"])[1]
        tag["id"] = tag.get("id") or f"use-{number}"
        terms.setdefault(term, []).append(tag["id"])
    return terms


def heading(tag, address, formulas):
    """Read a title."""
    title = copy(tag)
    number = title.select_one(".section-number")
    written = number.extract().get_text().strip() if number else ""
    for inner in title.select("[id]"):
        del inner["id"]
    for inner in title.select("a"):
        inner.unwrap()
    words = with_formulas(title.decode_contents().strip(), formulas)
    return Heading(int(tag.name[1]), address, written, words)


def headings(soup, formulas):
    """List the title, the sections, and their sections."""
    return [heading(soup.select_one("h1"), TOP, formulas)] + [
        heading(tag, tag.parent["id"], formulas)
        for tag in soup.select("section[id] > :is(h2, h3)")
    ]


def sheet(html, name, printed):
    """Make a document of paper from a page.

    Parameters
    ----------
    html : str
        The page.
    name : str
        Its name, from the root of the book, without an ending.
    printed : set of str
        The names of all documents.

    Returns
    -------
    Sheet
    """
    styles = re.findall(r'<link rel="stylesheet"[^>]*?href="([^"?]*)', html)
    start = html.index("<article")
    end = html.rindex("</article>")
    text, formulas = set_formulas_aside(html[start:end])
    soup = BeautifulSoup(text, "html.parser").article
    soup["id"] = TOP
    # The shapes that all pictures of a stepper use.
    for kept in soup.select(".bayesbook-stepper > [hidden]:has(> svg)"):
        del kept["hidden"]
        kept["class"] = "paper-shapes"
    for tag in soup.select(FURNITURE):
        tag.decompose()
    draw_hatchings(soup)
    leave_blanks(soup)
    unfold(soup)
    move_answers(soup)
    links = link(soup, name, printed)
    terms = mark_terms(soup)
    for image in soup.select("img[src]"):
        image["src"] = urljoin(f"{name}.html", image["src"])
    found = headings(soup, formulas)
    return Sheet(
        title=found[0].words,
        headings=found,
        body=with_formulas(str(soup), formulas),
        styles=[urljoin(f"{name}.html", style) for style in styles],
        links=links,
        terms=terms,
    )
