"""What a book of paper has before and after its chapters, with page numbers.

A title page and the contents; an index of terms.
"""

import html

from bs4 import BeautifulSoup

from paper.pages import SCHEME, TOP, Heading, Sheet

GLOSSARY = "book/appendix/glossary"
TITLE = """<article class="bd-article" id="top">
<section class="paper-title">
<h1>{title}</h1>
<p class="paper-authors">{author}</p>
<p>Version {version}</p>
<p class="paper-about">This is the book as it stands on its pages, printed.
What is folded there, such as the code of figures, is left out: the notebooks
have all of it. What can be moved there stands here as it is at the start.
Solutions and answers are at the end of each chapter. The numbers of pages are
the same in the PDF of a single chapter.</p>
<p class="paper-about">The text and the figures are under CC BY 4.0, the code
is under the MIT licence.</p>
</section>
<section class="paper-contents" id="contents">
<h2>Contents</h2>
{lines}
</section>
</article>"""
LINE = (
    '<p class="paper-{kind}"><a href="{scheme}{name}#{part}">'
    '<span class="paper-number">{number}</span>'
    '<span class="paper-entry">{title}</span>'
    '<span class="paper-page">{page}</span></a></p>'
)


def lines(printed):
    """Write the lines of the contents.

    Parameters
    ----------
    printed : list of tuple
        Of each document: itself, its sheet, and the number of the page of
        each of its places.
    """
    part = None
    for document, sheet, pages in printed:
        if document.part != part:
            part = document.part
            yield f'<h3 class="paper-of-part">{html.escape(part)}</h3>'
        for heading in shown(sheet):
            yield LINE.format(
                kind="chapter" if heading.level == 1 else "section",
                scheme=SCHEME,
                name=document.name,
                part=heading.address,
                number=heading.number,
                title=heading.title,
                page=pages[heading.address],
            )


def shown(sheet):
    """List the titles of a document that the contents have."""
    return [heading for heading in sheet.headings if heading.level <= 2]


def front_sheet(title, author, version, printed):
    """Return the title page and the contents."""
    body = TITLE.format(
        title=html.escape(title),
        author=html.escape(author),
        version=html.escape(version),
        lines="\n".join(lines(printed)),
    )
    return Sheet(
        title="Contents",
        body=body,
        headings=[Heading(1, TOP, "", "Title and contents")],
        styles=printed[0][1].styles,
        links={
            (document.name, heading.address)
            for document, sheet, _ in printed
            for heading in shown(sheet)
        },
    )


def terms(glossary):
    """Return the words of each term of the glossary, by its address."""
    soup = BeautifulSoup(glossary, "html.parser")
    found = {}
    for tag in soup.select("dt[id^='term-']"):
        for link in tag.select(".headerlink"):
            link.decompose()
        found[tag["id"]] = tag.decode_contents().strip()
    return found


def entry(words, uses):
    """Write an entry of the index: the first place on each page."""
    first = {}
    for page, name, address in sorted(uses):
        first.setdefault(page, (name, address))
    numbers = ", ".join(
        f'<a href="{SCHEME}{name}#{address}">{page}</a>'
        for page, (name, address) in first.items()
    )
    return f"<p>{words}, {numbers}</p>"


def grouped(known):
    """Group terms by their first letters, Chinese ones last, in their order.

    Parameters
    ----------
    known : dict
        The words of each term, with marks of HTML.

    Returns
    -------
    list of tuple
        A letter, or "中文", and the terms.
    """
    plain = {
        term: BeautifulSoup(words, "html.parser").get_text().strip()
        for term, words in known.items()
    }
    latin = [term for term, words in plain.items() if words[:1].isascii()]
    latin.sort(key=lambda term: plain[term].casefold())
    groups = {}
    for term in latin:
        first = plain[term][0].upper()
        groups.setdefault(first if first.isalpha() else "0–9", []).append(term)
    others = [term for term in known if not plain[term][:1].isascii()]
    return [*groups.items(), ("中文", others)]


def index_sheet(printed):
    """Return the index: where the text uses, and defines, each term.

    Parameters
    ----------
    printed : list of tuple
        As for `lines`; the glossary is among the documents.
    """
    uses = {}
    for document, sheet, pages in printed:
        for term, addresses in sheet.terms.items():
            uses.setdefault(term, []).extend(
                (pages[address], document.name, address)
                for address in addresses
            )
    glossary, number = next(
        (sheet.body, pages)
        for document, sheet, pages in printed
        if document.name == GLOSSARY
    )
    known = terms(glossary)
    for term in known:
        uses.setdefault(term, []).append((number[term], GLOSSARY, term))
    entries = "\n".join(
        f"<h2>{group}</h2>"
        + "\n".join(entry(known[term], uses[term]) for term in members)
        for group, members in grouped(known)
    )
    styles = printed[0][1].styles
    body = (
        f'<article class="bd-article" id="{TOP}"><section>'
        "<h1>Index of terms</h1>"
        "<p>The pages on which a term is marked, that of the glossary "
        f'included.</p><div class="paper-index">{entries}</div>'
        "</section></article>"
    )
    return Sheet(
        title="Index of terms",
        body=body,
        headings=[Heading(1, TOP, "", "Index of terms")],
        styles=styles,
        links={
            (name, address)
            for term in known
            for _, name, address in uses[term]
        },
    )
