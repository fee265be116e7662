"""Show what a link leads to, without leaving the place.

A card shows a term, a theorem, an equation, a figure or a source beside the
link that leads to it. What stands on the page itself `cards.js` copies. What
stands elsewhere is written here, once the pages are, into one script for each
page that has such links, which is fetched when a reader comes upon the first
of them: browsers refuse to fetch pages from the disk, but not scripts. The
scripts lie outside `_static`, because Jupyter Book links every script there
into every page.

sphinx-hoverxref asks a server. sphinx-tippy loads two libraries and the cards
of a page with the page, writes other files at every build, and its cards are
tooltips, which cannot hold the links that a definition has.
"""

import json
import posixpath
import re
import shutil
from pathlib import Path

FOLDER = "cards"
MARK = re.compile(r' data-card="[^"]*"')
# A link whose title, if any, only repeats what its card shows.
LINK = re.compile(
    r'(?P<tag><a class="reference internal")'
    r' href="(?P<page>[^"#]*)#(?P<id>[^"]+)"(?: title="[^"]*")?>'
)
BLOCK = re.compile(
    r'<(?:div class="(?:proof|exercise|math|citation)\b[^"]*"'
    r'|figure\b[^>]*) id="([^"]+)"'
)
ITEM = ' role="listitem"'
TERM = re.compile(r'(?:<dt id="term-[^"]+".*?</dt>\s*)+<dd>.*?</dd>', re.S)
TERM_ID = re.compile(r'<dt id="([^"]+)"')


def element(html, start):
    """Return the whole of the element that begins at a place of a page."""
    name = re.compile(r"<(\w+)").match(html, start)[1]
    depth = 0
    for tag in re.compile(rf"<(/?){name}\b[^>]*>").finditer(html, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return html[start : tag.end()]
    raise ValueError(f"A page ends within its element {html[start:][:60]}")


def shown_blocks(html):
    """Return what a card can show of a page, by its id."""
    blocks = {
        # Out of its list the item of a list is none.
        block[1]: element(html, block.start()).replace(ITEM, "", 1)
        for block in BLOCK.finditer(html)
    }
    for term in TERM.finditer(html):
        entry = f'<dl class="glossary">{term[0]}</dl>'
        blocks |= dict.fromkeys(TERM_ID.findall(term[0]), entry)
    return blocks


def with_cards(name, html, blocks):
    """Mark the links of a page that have a card.

    Parameters
    ----------
    name : str
        The page, without its ending.
    html : str
        What is written in it.
    blocks : dict
        What a card can show, of every page.

    Returns
    -------
    tuple of str and dict
        The page, and what its script brings, by the address of the link.
    """
    script = "../" * name.count("/") + f"{FOLDER}/{name}.js"
    brought = {}

    def mark(link):
        page = posixpath.join(posixpath.dirname(name), link["page"])
        target = posixpath.normpath(page) if link["page"] else f"{name}.html"
        block = blocks.get(target, {}).get(link["id"])
        if block is None:
            return link[0]
        address = f"{link['page']}#{link['id']}"
        # A term is a name and what follows it: no element could be copied.
        if link["page"] or block.startswith("<dl"):
            brought[address] = block
        source = script if address in brought else ""
        return f'{link["tag"]} data-card="{source}" href="{address}">'

    return LINK.sub(mark, html), brought


def write_cards(app, exception):
    """Mark the links of all pages, and write what their cards show."""
    if exception or app.builder.name != "html":
        return
    root = Path(app.outdir)
    written = {
        name: (root / f"{name}.html").read_text("utf-8")
        for name in sorted(app.env.found_docs)
    }
    # A page that was not written anew has its marks already.
    plain = {name: MARK.sub("", html) for name, html in written.items()}
    blocks = {
        f"{name}.html": shown_blocks(html) for name, html in plain.items()
    }
    shutil.rmtree(root / FOLDER, ignore_errors=True)
    for name, html in plain.items():
        marked, brought = with_cards(name, html, blocks)
        if marked != written[name]:
            (root / f"{name}.html").write_text(marked, "utf-8")
        if brought:
            script = root / FOLDER / f"{name}.js"
            script.parent.mkdir(parents=True, exist_ok=True)
            said = json.dumps(brought, ensure_ascii=False, sort_keys=True)
            script.write_text(f"window.bayesbookCards = {said};\n", "utf-8")


def setup(app):
    """Register with Sphinx."""
    # After the pages of chapters that are gone have gone.
    app.connect("build-finished", write_cards, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
