"""What is wrong with a printed PDF: ``make pdf`` reads each before it ends."""

import pikepdf
import pypdfium2
from pikepdf import Name, NameTree

from paper.joining import SCHEME, address, links, outline_of

# A sign that no font has comes out of the PDF as one of these.
MISSING = ("\x00", "\ufffd")
# The text may come as near to the sides as this, in points; the margins of
# `paper.css` are 22 mm, and a mark may hang a little into them.
NEAREST = 55


def untagged(pdf):
    """Say whether pages are without tags, or the whole without a language."""
    root = pdf.Root
    if not root.get("/MarkInfo", {}).get("/Marked") or (
        "/StructTreeRoot" not in root
    ):
        yield "The PDF is not tagged."
        return
    if "/Lang" not in root:
        yield "The PDF does not say in which language it is."
    for number, page in enumerate(pdf.pages, start=1):
        if "/StructParents" not in page:
            yield f"Page {number} is not tagged."


def undescribed(pdf):
    """Name figures and formulas that have no description."""
    for element in pdf.objects:
        if (
            isinstance(element, pikepdf.Dictionary)
            and element.get("/Type") == Name.StructElem
            and element.get("/S") == Name.Formula
            and not str(element.get("/Alt", "")).strip()
        ):
            yield "A formula has no description."


def dead_links(pdf):
    """Name links that lead nowhere, or to a file of this machine."""
    names = pdf.Root.get("/Names", {})
    places = set()
    if "/Dests" in names:
        places = {str(key) for key, _ in NameTree(names.Dests).items()}
    for link in links(pdf):
        opened = address(link)
        if "/Dest" in link and str(link.Dest) not in places:
            yield f"A link leads to {link.Dest}, which is no place."
        elif opened.startswith(("file:", SCHEME)):
            yield f"A link leads to {opened}, which no reader has."


def fonts(pdf):
    """List all fonts."""
    found = {}
    for page in pdf.pages:
        for font in page.resources.get("/Font", {}).values():
            found[font.objgen] = font
    return list(found.values())


def unembedded(pdf):
    """Name fonts that are not within the PDF; drawn ones always are."""
    for font in fonts(pdf):
        if font.Subtype == Name.Type3:
            continue
        [drawn] = font.get("/DescendantFonts", [font])
        inside = drawn.get("/FontDescriptor", {})
        if not any(f"/FontFile{kind}" in inside for kind in ("", "2", "3")):
            yield f"The font {font.get('/BaseFont')} is not embedded."


def badly_set(path):
    """Name pages with text in the margins or signs without a font."""
    with pypdfium2.PdfDocument(path) as pdf:
        for number, page in enumerate(pdf, start=1):
            width, height = page.get_size()
            text = page.get_textpage()
            if any(sign in text.get_text_range() for sign in MISSING):
                yield f"Page {number} has a sign that no font has."
            for index in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(index)
                if left < NEAREST or right > width - NEAREST:
                    words = text.get_text_bounded(left, bottom, right, top)
                    yield f"Page {number}: {words!r} is in the margin."
                if bottom < 0 or top > height:
                    yield f"Page {number} is cut."
            text.close()
            page.close()


def not_in_outline(pdf, titles):
    """Name titles that the outline does not have, in their order."""
    has = iter([" ".join(title.split()) for _, title, _, _ in outline_of(pdf)])
    for title in titles:
        if not any(title == known for known in has):
            yield f"The outline does not have {title!r} in its place."
            return


def faults(path, titles=(), set_well=False):
    """List what is wrong with a PDF.

    Parameters
    ----------
    path : Path
    titles : iterable of str, optional
        Those that its outline has to have, in their order.
    set_well : bool, optional
        Also read where all of its text stands, which takes longest.

    Returns
    -------
    list of str
        A sentence for each fault.
    """
    with pikepdf.open(path) as pdf:
        return [
            *untagged(pdf),
            *undescribed(pdf),
            *dead_links(pdf),
            *unembedded(pdf),
            *not_in_outline(pdf, titles),
            *(badly_set(path) if set_well else ()),
        ]
