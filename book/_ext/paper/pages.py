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


@dataclass
class Sheet:
    """A document of paper, before it is printed.

    Attributes
    ----------
    title : str
        The words of its title.
    headings : list of tuple
        Of the title and of each section: address, number and title in HTML.
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


def describe_formulas(soup):
    """Let each formula be one object, described by its TeX.

    A reader of PDFs knows no MathML: it would read the signs of a fraction
    one after the other.
    """
    for formula in soup.select(".katex"):
        spoken = formula.select_one(".katex-mathml")
        if spoken is None:
            continue
        tex = spoken.find("annotation").get_text().strip()
        spoken.decompose()
        formula["role"] = "img"
        formula["aria-label"] = FORMULA + tex
        for part in formula.select("[aria-hidden]"):
            del part["aria-hidden"]


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


def heading(tag, address):
    """Return the address of a heading, its number and its title."""
    title = copy(tag)
    number = title.select_one(".section-number")
    written = number.extract().get_text().strip() if number else ""
    for inner in title.select("[id]"):
        del inner["id"]
    for inner in title.select("a"):
        inner.unwrap()
    return address, written, title.decode_contents().strip()


def headings(soup):
    """List the title and the sections of a document."""
    found = [heading(soup.select_one("h1"), TOP)]
    for tag in soup.select("section > h2"):
        found.append(heading(tag, tag.parent["id"]))
    return found


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
    soup = BeautifulSoup(html[start:end], "html.parser").article
    soup["id"] = TOP
    # A stepper's marks of plots are hidden, and used by all of its pictures.
    for kept in soup.select("[hidden]:has(defs), [hidden]:has(symbol)"):
        del kept["hidden"]
        kept["class"] = "paper-shapes"
    for tag in soup.select(FURNITURE):
        tag.decompose()
    describe_formulas(soup)
    draw_hatchings(soup)
    leave_blanks(soup)
    unfold(soup)
    move_answers(soup)
    links = link(soup, name, printed)
    terms = mark_terms(soup)
    for image in soup.select("img[src]"):
        image["src"] = urljoin(f"{name}.html", image["src"])
    found = headings(soup)
    title = BeautifulSoup(" ".join(found[0][1:]), "html.parser").get_text()
    return Sheet(
        title=title.strip(),
        headings=found,
        body=str(soup),
        styles=[urljoin(f"{name}.html", style) for style in styles],
        links=links,
        terms=terms,
    )
