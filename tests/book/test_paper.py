"""The book on paper: every page whole, every link alive, answers at the end.

`make pdf` reads all of the book in the same way; here a few pages of it are
printed, and each way of reading is shown to see what it should.
"""

import re
import shutil
from types import SimpleNamespace

import pikepdf
import pypdfium2
import pytest
from bs4 import BeautifulSoup
from paper.__main__ import BOOK, publish
from paper.answers import move_answers
from paper.contents import ROOT, documents
from paper.front import entry, grouped
from paper.hatchings import dots, draw_hatchings, lines, read
from paper.joining import SCHEME, links, outline_of, structure
from paper.pages import (
    FORMULA,
    Heading,
    link,
    set_formulas_aside,
    sheet,
    with_formulas,
)
from paper.proof import faults
from pikepdf import Name

# A chapter with figures and a quiz, the glossary, and a page of the guide.
SOME = (
    "book/preparation/refresher",
    "book/appendix/glossary",
    "book/appendix/library/guide_ask",
)


def parsed(html):
    return BeautifulSoup(html, "html.parser")


# --- From a page to paper ---------------------------------------------------


def test_all_of_the_contents_is_printed_but_what_needs_a_screen():
    listed = re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text())
    printed = [document.name for document in documents()]
    assert set(listed) - set(printed) == {
        "book/appendix/library/names",
        "book/appendix/progress",
        "book/appendix/practice",
        "genindex",
    }
    assert printed == [name for name in listed if name in printed]


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("#sec", "#sec"),
        ("here.html", "#top"),
        ("../b/other.html#sec", "book:book/b/other#sec"),
        ("../b/other.html", "book:book/b/other#top"),
        ("../b/other.html#explore-x?n=8&k=1", "book:book/b/other#explore-x"),
        ("https://example.org/a.html", "https://example.org/a.html"),
    ],
)
def test_links_lead_to_paper(href, expected):
    soup = parsed(f'<a href="{href}">there</a>')
    link(soup, "book/a/here", {"book/a/here", "book/b/other"})
    assert soup.a["href"] == expected


@pytest.mark.parametrize("href", ["../practice.html#x", "here.ipynb"])
def test_a_link_to_what_is_not_printed_is_text(href):
    soup = parsed(f'<p>Go <a href="{href}">there</a>.</p>')
    assert link(soup, "book/a/here", {"book/a/here"}) == set()
    assert str(soup) == "<p>Go there.</p>"


MATHS = (
    '<span class="katex"><span class="katex-mathml"><math><mi>a</mi>'
    '<annotation encoding="application/x-tex">\\text{"}\\frac{a}{b}'
    '</annotation></math></span><span class="katex-html" aria-hidden="true">'
    "<span>a</span>/b</span></span>"
)


def test_a_formula_is_described_by_its_tex():
    html = f"<p>Let {MATHS} and {MATHS}.</p>"
    text, formulas = set_formulas_aside(html)
    assert "katex" not in text
    soup = parsed(with_formulas(text, formulas))
    assert soup.get_text() == "Let a/b and a/b."
    first, _ = soup.select('[role="img"]')
    assert first["aria-label"] == FORMULA + r'\text{"}\frac{a}{b}'
    assert not soup.select("[aria-hidden]")


def test_a_formula_that_does_not_end_is_an_error():
    with pytest.raises(ValueError, match="not closed"):
        set_formulas_aside('<span class="katex"><span>')


QUESTION = """<section><h1>A</h1>
<div class="exercise admonition" id="exr-a"><p class="admonition-title">
Exercise 1</p></div>
<div class="solution dropdown admonition" id="sol-a">
<p class="admonition-title">Solution</p><p>It is two.</p></div>
<section class="bayesbook-quiz bayesbook-check"><form id="check-a"><fieldset>
<legend><span>Quick check<span class="quiz-aside"> 1</span></span></legend>
<p>Which?</p><details class="quiz-answer"><summary>Answer</summary>
<ul><li>It is B.</li></ul></details></fieldset></form></section>
<p>The last words.</p></section>"""


def test_answers_stand_at_the_end_and_each_leads_back():
    soup = parsed(QUESTION)
    move_answers(soup)
    before, after = soup.get_text().split("The last words.")
    for words in ("It is two.", "It is B."):
        assert words not in before
        assert words in after
    for asked, name in (("exr-a", "Exercise 1"), ("check-a", "Quick check 1")):
        [back] = soup.select(f'.paper-answers a[href="#{asked}"]')
        assert back.get_text() == name
        answer = back.find_parent(class_="paper-answer")["id"]
        assert len(soup.select(f'.paper-see a[href="#{answer}"]')) == 1
    assert soup.select_one("#sol-a").find_parent(class_="paper-answers")


def test_a_page_without_questions_has_no_answers():
    soup = parsed("<section><h1>A</h1></section>")
    move_answers(soup)
    assert str(soup) == "<section><h1>A</h1></section>"


def page(body):
    return (
        '<link rel="stylesheet" href="../../_static/book.css?v=1" />'
        f'<article class="bd-article"><section id="a">{body}</section>'
        "</article>"
    )


def test_a_sheet_knows_its_titles_links_and_terms():
    body = (
        '<h1><span class="section-number">1. </span>Events'
        '<a class="headerlink" href="#a">#</a></h1>'
        '<button>Copy</button><a href="../b/glossary.html#term-odds">odds</a>'
        '<section id="b"><h2>Odds</h2></section>'
    )
    made = sheet(page(body), "book/a/here", {"book/a/here", "book/b/glossary"})
    assert made.title == "1. Events"
    assert made.headings == [
        Heading(1, "top", "1.", "Events"),
        Heading(2, "b", "", "Odds"),
    ]
    assert [heading.words for heading in made.headings] == [
        "1. Events",
        "Odds",
    ]
    assert made.styles == ["_static/book.css"]
    assert made.links == {("book/b/glossary", "term-odds")}
    [[term, [use]]] = made.terms.items()
    assert term == "term-odds"
    assert parsed(made.body).find(id=use).get_text() == "odds"
    assert "Copy" not in made.body


# --- Hatchings --------------------------------------------------------------


def test_diagonals_are_those_that_cross_the_box():
    """Upside down, `M0 0l72 72` goes up through the origin."""
    parts, radius = read("M-8 8l72 72M0 0l72 72")
    assert radius == 0
    ends = [
        tuple(map(float, numbers))
        for numbers in re.findall(
            r"M(\S+) (\S+)L(\S+) (-?[0-9.]+)",
            lines(parts, 8, (10, 20, 30, 25)),
        )
    ]
    for left, top, right, bottom in ends:
        assert (left, right) == (10, 30)
        assert top + left == bottom + right
        assert (top + left) % 8 == 0
    # x + y goes from 30 to 55 in the box.
    assert {32, 40, 48} <= {top + left for left, top, _, _ in ends}


def test_dots_are_repeated_in_every_tile():
    halves = "c.1 0 .2 .1 .2 .2c0 .1-.1 .2-.2 .2", "c-.1 0-.2-.1-.2-.2"
    circle = "".join(halves) + "c0-.1 .1-.2 .2-.2Z"
    parts, radius = read(f"M1 1.8{circle}")
    assert radius == pytest.approx(0.2)
    assert parts == [pytest.approx((1, 2, False))]
    drawn = dots([(1, 2, False)], 8, (0, 0, 16, 8))
    # Upside down: two below the top of a tile is six below its foot.
    for start in ("M1 6h0", "M9 6h0"):
        assert drawn.count(start) == 1


def test_a_hatched_area_needs_no_pattern():
    soup = parsed(
        '<svg><pattern id="p" width="8" patterntransform="scale(1 -1)">'
        '<path d="M0 0l72 72" stroke="red"/></pattern>'
        '<path d="M0 0h20v10h-20Z" fill="url(#p)" clip-path="url(#c)"/></svg>'
    )
    draw_hatchings(soup)
    assert not soup.select('[fill="url(#p)"]')
    [clip] = soup.select("clippath path")
    assert clip["d"] == "M0 0h20v10h-20Z"
    [drawn] = soup.select('g[clip-path="url(#c)"] path')
    assert drawn["stroke"] == "red"


# --- The index --------------------------------------------------------------


def test_terms_stand_by_their_letters():
    known = {"a": "prior", "b": "<em>K</em>-means", "c": "先验", "d": "Odds"}
    assert grouped(known) == [
        ("K", ["b"]),
        ("O", ["d"]),
        ("P", ["a"]),
        ("中文", ["c"]),
    ]


def test_an_entry_names_each_page_once():
    uses = [(12, "book/a/b", "x"), (3, "book/a/b", "y"), (12, "book/a/b", "z")]
    text = parsed(entry("odds", uses))
    assert text.get_text() == "odds, 3, 12"
    assert [a["href"] for a in text.select("a")] == [
        f"{SCHEME}book/a/b#y",
        f"{SCHEME}book/a/b#x",
    ]


# --- What is printed --------------------------------------------------------


@pytest.fixture(scope="module")
def printed(site, tmp_path_factory):
    """Print some pages; give the folder and what was found wrong."""
    folder = tmp_path_factory.mktemp("paper")
    (folder / "_static").symlink_to(site / "_static")
    shutil.copy(site / "index.html", folder)
    for name in SOME:
        file = folder / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(site / f"{name}.html", file)
    chosen = [document for document in documents() if document.name in SOME]
    found = publish(chosen, folder, folder / "work")
    return SimpleNamespace(site=folder, faults=found)


@pytest.fixture
def book(printed):
    with pikepdf.open(printed.site / BOOK) as pdf:
        yield pdf


@pytest.fixture
def texts(printed):
    """Give the text of each page of the book."""
    with pypdfium2.PdfDocument(printed.site / BOOK) as pdf:
        yield [page.get_textpage().get_text_range() for page in pdf]


def test_nothing_is_wrong_with_what_is_printed(printed):
    assert printed.faults == []


def test_the_book_has_tags_for_all_that_it_holds(book):
    kinds = {str(element.S) for element in structure(book)}
    wanted = "Document Part H1 H2 H3 P L LI Link Table TH TD Figure Formula"
    assert {f"/{kind}" for kind in wanted.split()} <= kinds


def pages_of(element):
    """List the pages on which an element of the structure is."""
    inside = element.get("/K", [])
    marks = inside if isinstance(inside, pikepdf.Array) else [inside]
    holders = [mark for mark in marks if isinstance(mark, pikepdf.Dictionary)]
    return {
        holder.Pg.objgen for holder in [element, *holders] if "/Pg" in holder
    }


def test_every_mark_of_a_page_has_its_element(book):
    """The tree of parents names, for each page, elements of this page."""
    parents = pikepdf.NumberTree(book.Root.StructTreeRoot.ParentTree)
    for page in book.pages:
        elements = parents[int(page.StructParents)]
        assert len(elements) > 0
        for element in elements:
            assert page.obj.objgen in pages_of(element)


def test_the_contents_name_the_right_pages(book, texts):
    """As numbers printed on the pages, and as labels of the PDF."""
    labels = [page.label for page in book.pages]
    number = {
        " ".join(title.split()): labels[index]
        for _, title, index, _ in outline_of(book)
    }
    contents = next(text for text in texts if text.startswith("Contents"))
    for title in ("Refresher", "Matrices", "Glossary", "Ask a network"):
        assert re.search(
            rf"(?m)^{re.escape(title)}\s+{number[title]}\s*$", contents
        )
    # Of the index, which is Chinese in columns, PDFium reads each sign alone.
    last = next(
        index
        for _, title, index, _ in outline_of(book)
        if title == "Index of terms"
    )
    for label, text in list(zip(labels, texts, strict=True))[:last]:
        assert re.search(rf"(?m)^{label}\s*$", text)
    assert labels[:3] == ["i", "ii", "1"]


def test_a_document_alone_has_the_numbers_of_the_book(printed, book):
    with pikepdf.open(printed.site / f"{SOME[1]}.pdf") as alone:
        first = next(
            book.pages[index].label
            for _, title, index, _ in outline_of(book)
            if title == "Glossary"
        )
        assert alone.pages[0].label == first
        assert str(alone.open_metadata()["dc:title"]).startswith("Glossary")


def test_documents_alone_link_to_each_other(printed):
    with pikepdf.open(printed.site / f"{SOME[2]}.pdf") as alone:
        actions = [found.A for found in links(alone) if "/A" in found]
        files = {str(action.F) for action in actions if "/F" in action}
    assert "../glossary.pdf" in files


def test_answers_follow_all_questions(texts):
    asked = [k for k, text in enumerate(texts) if "Question 1 of" in text]
    answers = [
        k for k, text in enumerate(texts) if "Solutions and answers" in text
    ]
    [told] = [k for k in answers if k > asked[0]]
    right = [k for k, text in enumerate(texts) if "Right" in text]
    assert min(right) == told


def test_the_book_has_as_many_pages_as_it_should(book, printed):
    assert 40 < len(book.pages) < 75


def test_pages_offer_their_pdf(printed):
    for name, file in ((SOME[0], "refresher.pdf"), ("index", BOOK)):
        soup = parsed((printed.site / f"{name}.html").read_text())
        [offered] = soup.select("a.btn-download-pdf-button")
        assert offered["href"] == file
        assert not soup.select("button.btn-download-pdf-button")


# --- What would be found ----------------------------------------------------


def untag(pdf):
    del pdf.Root["/StructTreeRoot"]


def forget_language(pdf):
    del pdf.Root["/Lang"]


def forget_a_page(pdf):
    del pdf.pages[2].obj["/StructParents"]


def silence_a_formula(pdf):
    formula = next(e for e in structure(pdf) if str(e.S) == "/Formula")
    del formula["/Alt"]


def lose_places(pdf):
    del pdf.Root["/Names"]


def keep_a_path(pdf):
    links(pdf)[0].A = pikepdf.Dictionary(
        S=Name.URI, URI=pikepdf.String("file:///a.html")
    )


def drop_a_font(pdf):
    fonts = pdf.pages[0].resources.Font
    font = next(font for font in fonts.values() if font.Subtype == Name.Type0)
    del font.DescendantFonts[0].FontDescriptor["/FontFile2"]


def narrow_a_page(pdf):
    pdf.pages[3].mediabox = [0, 0, 400, 842]


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (untag, "is not tagged"),
        (forget_language, "language"),
        (forget_a_page, "Page 3 is not tagged"),
        (silence_a_formula, "formula has no description"),
        (lose_places, "which is no place"),
        (keep_a_path, "file:///a.html"),
        (drop_a_font, "is not embedded"),
        (narrow_a_page, "is in the margin"),
    ],
)
def test_what_is_wrong_is_found(printed, tmp_path, spoil, found):
    with pikepdf.open(printed.site / f"{SOME[0]}.pdf") as pdf:
        spoil(pdf)
        pdf.save(tmp_path / "spoilt.pdf")
    assert any(
        found in fault
        for fault in faults(tmp_path / "spoilt.pdf", set_well=True)
    )


def test_a_title_that_the_outline_lacks_is_found(printed):
    file = printed.site / f"{SOME[0]}.pdf"
    assert faults(file, ["Refresher", "Matrices"]) == []
    for titles in (["No such title"], ["Matrices", "Refresher"]):
        assert faults(file, titles)
