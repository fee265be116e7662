"""Print the built pages: ``python -m paper``, or ``make pdf``.

Writes a PDF beside each page, and all of them as one beside the front page;
the pages then offer them. Names of documents print those alone.
"""

import re
import sys
import time

import pikepdf
import yaml
from browsing import browser

from bayesbook import __version__
from paper.contents import ROOT, Document, documents
from paper.front import GLOSSARY, front_sheet, index_sheet, terms
from paper.joining import Book, finish, page_of, save, separate
from paper.pages import TOP, sheet
from paper.printing import document as as_html
from paper.printing import print_file
from paper.proof import faults

SITE = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "paper"
BOOK = "bayesbook.pdf"
# The theme's button opens the browser's own dialog.
OFFER = "btn-download-pdf-button"
BUTTON = re.compile(
    rf'<button\b[^>]*class="([^"]*{OFFER}[^"]*)"[^>]*>(.*?)</button>',
    re.DOTALL,
)
INDEX = Document("book/appendix/index_of_terms", "Appendices")
STARTED = time.perf_counter()


def offer(page, file, title):
    """Let a built page offer a PDF; a page that does already stays."""
    html = page.read_text()
    if OFFER not in html:
        raise LookupError(
            f"{page.name} has no element of the class {OFFER}, whose place a "
            "link to its PDF could take."
        )
    link = (
        rf'<a class="\1" href="{file}" title="{title}" '
        r'data-bs-placement="left" data-bs-toggle="tooltip">\2</a>'
    )
    page.write_text(BUTTON.sub(link, html))


class Press:
    """What prints documents, one after the other.

    Parameters
    ----------
    browser : Browser
    site, work : Path
        Where the pages are, and where to keep what is between them and PDFs.
    """

    def __init__(self, browser, site, work):
        self.browser, self.site, self.work = browser, site, work
        self.next_page = 1

    def print(self, document, sheet, targets, style=""):
        """Print a document; return its PDF and the page of each place."""
        before = 0 if style else self.next_page - 1
        source = self.work / f"{document.name}.html"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(
            as_html(
                self.site, sheet, document.part, before, sorted(targets), style
            )
        )
        file = source.with_suffix(".pdf")
        print_file(self.browser, source, file)
        pdf = pikepdf.open(file)
        pages = {
            part: index + before + 1 for part, index in page_of(pdf).items()
        }
        lost = set(targets) - set(pages)
        if lost:
            raise LookupError(
                f"{document.name} has no place for links to {sorted(lost)}. "
                "Each needs an element with that id that is shown on paper."
            )
        finish(pdf, document.name, sheet.headings)
        if not style:
            self.next_page += len(pdf.pages)
        return pdf, pages


def targets(chosen, sheets):
    """Return, by document, the addresses that anything links to."""
    found = {document.name: {TOP} for document in chosen}
    for document, paper in zip(chosen, sheets, strict=True):
        own = found[document.name]
        own.update(heading.address for heading in paper.headings)
        own.update(use for uses in paper.terms.values() for use in uses)
        if document.name == GLOSSARY:
            own.update(terms(paper.body))
        for name, part in paper.links:
            found[name].add(part)
    return found


def publish(chosen, site=SITE, work=WORK):
    """Print documents: each, and all as a book.

    Parameters
    ----------
    chosen : list of Document
        In their order. An index follows if the glossary is among them.
    site, work : Path
        The built pages, and a folder for what is in between.

    Returns
    -------
    list of str
        What is wrong with the PDFs; see `paper.proof`.
    """
    about = yaml.safe_load((ROOT / "_config.yml").read_text())
    title, author = about["title"], about["author"]
    names = {document.name for document in chosen}
    sheets = [
        sheet(
            (site / f"{document.name}.html").read_text(), document.name, names
        )
        for document in chosen
    ]
    wanted = targets(chosen, sheets)
    printed, pdfs = [], []
    with browser() as chromium:
        press = Press(chromium, site, work)

        def take(document, paper, places, style=""):
            first = press.next_page
            pdf, pages = press.print(document, paper, places, style)
            say(f"{document.name}: {len(pdf.pages)} pages")
            if not style:
                printed.append((document, paper, pages))
                pdfs.append((document, paper, pdf, first))
            return pdf

        for document, paper in zip(chosen, sheets, strict=True):
            take(document, paper, wanted[document.name])
        if GLOSSARY in names:
            take(INDEX, index_sheet(printed), {TOP})
        paper = front_sheet(title, author, __version__, printed)
        opening = take(Document("front", ""), paper, {TOP}, "lower-roman")
    book = Book(title, author)
    book.add(opening)
    for document, _, pdf, _ in pdfs:
        book.add(pdf, document.part)
    book.close([(0, "/r", 1), (len(opening.pages), "/D", 1)])
    save(book.pdf, site / BOOK)
    offer(site / "index.html", BOOK, "The book as a PDF")
    found = [
        f"{BOOK}: {fault}"
        for fault in faults(
            site / BOOK, [text for paper in sheets for text in titles(paper)]
        )
    ]
    for document, paper, pdf, first in pdfs:
        whole = f"{paper.title} – {title}"
        separate(pdf, document.name, whole, author, first)
        file = site / document.path
        save(pdf, file)
        page = file.with_suffix(".html")
        if page.exists():
            offer(page, file.name, "This page as a PDF")
        found += [
            f"{document.path}: {fault}"
            for fault in faults(file, titles(paper), set_well=True)
        ]
    return found


def titles(paper):
    """List the words of the titles of a document."""
    return [heading.words for heading in paper.headings]


def say(text):
    """Show how far it is."""
    print(f"{time.perf_counter() - STARTED:6.0f} s  {text}", flush=True)


def main(wanted):
    """Print all documents, or those with the names given."""
    chosen = [
        document
        for document in documents()
        if not wanted or document.name in wanted
    ]
    unknown = set(wanted) - {document.name for document in chosen}
    if unknown:
        sys.exit(
            f"No document is called {', '.join(sorted(unknown))}. Write the "
            "names as in _toc.yml, such as book/conditioning/events."
        )
    found = publish(chosen)
    if found:
        sys.exit("\n".join(found))
    print(f"The book: file://{SITE / BOOK}")


if __name__ == "__main__":
    main(sys.argv[1:])
