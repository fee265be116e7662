"""Documents joined into one tagged PDF, with links among them.

`finish` prepares the PDF of one document; `separate` makes of it the PDF that
is offered on its page, and `join` the book.
"""

import os
import warnings
from datetime import UTC, datetime
from pathlib import PurePosixPath
from urllib.parse import unquote

import pikepdf
from pikepdf import (
    Array,
    Dictionary,
    Name,
    NameTree,
    NumberTree,
    OutlineItem,
    Pdf,
    String,
)

from paper.pages import FORMULA, SCHEME


def place(name, part):
    """Name a place of a document within the book."""
    return f"{name}#{part}"


def structure(pdf):
    """List the elements of the structure."""
    return [
        element
        for element in pdf.objects
        if isinstance(element, Dictionary)
        and element.get("/Type") == Name.StructElem
    ]


def links(pdf):
    """List the links of all pages."""
    return [
        link
        for page in pdf.pages
        for link in page.get("/Annots", [])
        if link.get("/Subtype") == Name.Link
    ]


def address(link):
    """Return the address that a link opens, if it opens one."""
    action = link.get("/A", {})
    return str(action.get("/URI", ""))


def to_other_document(link):
    """Return the place in another document to which a link leads, or None."""
    opened = address(link)
    return (
        unquote(opened.removeprefix(SCHEME))
        if (opened.startswith(SCHEME))
        else None
    )


def page_of(pdf):
    """Return the index of the page of each place."""
    at = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
    places = pdf.Root.get("/Dests", {})
    return {key[1:]: at[place[0].objgen] for key, place in places.items()}


def finish(pdf, name, headings):
    """Give names that are unique in the book; tag formulas as such.

    The outline is written anew: Chromium has some titles in it twice.
    """
    set_outline(pdf, headings)
    own = f"{name}/"
    for element in structure(pdf):
        if "/ID" in element:
            element.ID = String(own + str(element.ID))
        given = element.get("/A", Array())
        for attributes in given if isinstance(given, Array) else [given]:
            if "/Headers" in attributes:
                attributes.Headers = Array(
                    String(own + str(header)) for header in attributes.Headers
                )
        described = str(element.get("/Alt", ""))
        if described.startswith(FORMULA):
            element.S = Name.Formula
            element.Alt = String(described.removeprefix(FORMULA))
    tree = pdf.Root.StructTreeRoot
    known = NameTree(tree.IDTree).items() if "/IDTree" in tree else []
    renamed = NameTree.new(pdf)
    for key, element in list(known):
        renamed[own + key] = element
    tree.IDTree = renamed.obj
    places = NameTree.new(pdf)
    for key, target in pdf.Root.get("/Dests", {}).items():
        places[place(name, key[1:])] = target
    if "/Dests" in pdf.Root:
        del pdf.Root["/Dests"]
    pdf.Root.Names = Dictionary(Dests=places.obj)
    for link in links(pdf):
        if "/Dest" in link:
            link.Dest = String(place(name, str(link.Dest)[1:]))


def describe(pdf, title, author):
    """Write title, author, language and date, as readers of PDFs show them.

    The date is that of SOURCE_DATE_EPOCH, where it is set.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    made = (
        datetime.fromtimestamp(int(seconds), UTC)
        if seconds
        else (datetime.now(UTC))
    )
    pdf.docinfo = pdf.make_indirect(Dictionary())
    with pdf.open_metadata() as data:
        data["dc:title"] = title
        data["dc:creator"] = [author]
        data["dc:language"] = {"en"}
        data["xmp:CreateDate"] = made.isoformat(timespec="seconds")
    pdf.Root.Lang = String("en")
    pdf.Root.MarkInfo = Dictionary(Marked=True)
    pdf.Root.PageMode = Name.UseOutlines
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)


def number(pdf, starts):
    """Number the pages: from an index on, in a style, from a first number."""
    labels = Array()
    for index, style, first in starts:
        labels.extend([index, Dictionary(S=Name(style), St=first)])
    pdf.Root.PageLabels = Dictionary(Nums=labels)


def save(pdf, path):
    """Write a PDF, the same each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pdf.save(
        path,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        deterministic_id=True,
    )


def separate(pdf, name, title, author, first):
    """Make the PDF of one document: others are files beside it."""
    folder = PurePosixPath(name).parent
    for link in links(pdf):
        target = to_other_document(link)
        if target:
            file = target.split("#")[0] + ".pdf"
            link.A = Dictionary(
                S=Name.GoToR,
                F=String(os.path.relpath(file, folder)),
                D=String(target),
                NewWindow=True,
            )
    describe(pdf, title, author)
    number(pdf, [(0, "/D", first)])


def set_outline(pdf, headings):
    """Write the outline of a document with places that have no names yet."""
    at = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
    titles = []
    for heading in headings:
        target = pdf.Root.Dests[f"/{heading.address}"]
        left, top = (float(x) for x in list(target)[2:4])
        index = at[target[0].objgen]
        titles.append((heading.level, heading.words, index, (left, top)))
    with pdf.open_outline() as outline:
        outline.root.clear()
        add_outline(outline.root, titles, 0)


def outline_of(pdf):
    """List the titles of a document: level, title, page and place there."""
    at = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
    found = []

    def read(items, level):
        for item in items:
            target = item.destination
            where = [float(x) for x in list(target)[2:4]]
            found.append((level, item.title, at[target[0].objgen], where))
            read(item.children, level + 1)

    with pdf.open_outline() as outline:
        read(outline.root, 1)
    return found


def add_outline(items, titles, before):
    """Add the titles of a document to an outline."""
    last = {0: items}
    for level, title, index, (left, top) in titles:
        item = OutlineItem(title, before + index, "XYZ", left=left, top=top)
        above = max(known for known in last if known < level)
        last[above].append(item)
        last = {key: last[key] for key in last if key <= above}
        last[level] = item.children


class Book:
    """A book that documents are added to.

    Parameters
    ----------
    title, author : str
    """

    def __init__(self, title, author):
        self.pdf = Pdf.new()
        self.whole = self.pdf.make_indirect(
            Dictionary(Type=Name.StructElem, S=Name.Document, K=Array())
        )
        self.parents = Array()
        self.identifiers = {}
        self.places = {}
        self.outline = []
        self.next_key = 0
        describe(self.pdf, title, author)

    def add(self, document, part=""):
        """Add a finished document; below the title of a part, if it has one.

        Parameters
        ----------
        document : Pdf
        part : str, optional
        """
        before = len(self.pdf.pages)
        titles = outline_of(document)
        with warnings.catch_warnings():
            # Named places are added below.
            warnings.simplefilter("ignore", pikepdf.PageCopyWarning)
            self.pdf.pages.extend(document.pages)
        pages = self.pdf.pages[before:]
        root = self.pdf.copy_foreign(document.Root)
        self._add_structure(root.StructTreeRoot, pages)
        self.places.update(NameTree(root.Names.Dests).items())
        if not part:
            add_outline(self.outline, titles, before)
            return
        if not self.outline or self.outline[-1].title != part:
            self.outline.append(
                OutlineItem(part, before, "XYZ", left=0, top=842)
            )
        add_outline(self.outline[-1].children, titles, before)

    def _add_structure(self, tree, pages):
        """Add a structure; keys of pages and links go on from the last."""
        first = self.next_key
        holders = [page.obj for page in pages] + [
            link for page in pages for link in page.get("/Annots", [])
        ]
        for holder in holders:
            for key in ("/StructParents", "/StructParent"):
                if key in holder:
                    holder[key] = holder[key] + first
        for key, element in NumberTree(tree.ParentTree).items():
            self.parents.extend([key + first, element])
            self.next_key = max(self.next_key, key + first + 1)
        self.identifiers.update(NameTree(tree.IDTree).items())
        top = tree.K[0] if isinstance(tree.K, Array) else tree.K
        top.S = Name.Part
        top.P = self.whole
        self.whole.K.append(top)

    def close(self, starts):
        """Write what all documents share; links among them lead to places.

        Parameters
        ----------
        starts : list of tuple
            How pages are numbered; see `number`.
        """
        pdf = self.pdf
        for link in links(pdf):
            target = to_other_document(link)
            if target:
                del link["/A"]
                link.Dest = String(target)
        names, places = NameTree.new(pdf), NameTree.new(pdf)
        for key, element in self.identifiers.items():
            names[key] = element
        for key, target in self.places.items():
            places[key] = target
        root = pdf.make_indirect(
            Dictionary(
                Type=Name.StructTreeRoot,
                K=self.whole,
                ParentTree=pdf.make_indirect(Dictionary(Nums=self.parents)),
                ParentTreeNextKey=self.next_key,
                IDTree=names.obj,
            )
        )
        self.whole.P = root
        pdf.Root.StructTreeRoot = root
        pdf.Root.Names = Dictionary(Dests=places.obj)
        number(pdf, starts)
        with pdf.open_outline() as outline:
            outline.root.extend(self.outline)
