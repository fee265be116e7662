"""Give the drills of a page their other questions.

A drill on a page is one question; the others are in banks, scripts beside the
pages that are fetched, one at a time, when a reader asks for another question.
Banks lie outside `_static`, because Jupyter Book links every script there into
every page. The formulas of a bank are TeX, for which KaTeX is fetched with it.
"""

import json
import re
from concurrent.futures import ProcessPoolExecutor
from html import escape
from pathlib import Path

from formulas import KATEX

import bayesbook
from bayesbook.study import drills

FOLDER = "drills"
DRILL = re.compile(r'data-drill="([\w-]+)"(?: data-families="([\w -]+)")?')


def with_banks(body, root):
    """Name the banks of each drill in the body of a page, and KaTeX's folder.

    The root is the way from the page to that of the book, such as `../../`.
    """

    def named(drill):
        kind, families = drill.groups()
        banks = " ".join(drills.bank_names(kind, (families or "").split()))
        return (
            f'{drill[0]} data-banks="{banks}" data-folder="{root}{FOLDER}" '
            f'data-katex="{root}_static/{KATEX.name}"'
        )

    return DRILL.sub(named, body)


def with_sections(body, find):
    """Name the addresses and titles of the sections that explain the drills.

    `find` gives both, for a label.
    """

    def named(drill):
        kind, families = drill.groups()
        labels = drills.section_labels(kind, (families or "").split())
        found = json.dumps({label: find(label) for label in labels})
        return f'{drill[0]} data-sections="{escape(found)}"'

    return DRILL.sub(named, body)


def section_finder(app, page):
    """Return what finds the address of a label from a page, and its title."""
    labels = app.env.get_domain("std").labels

    def find(label):
        document, anchor, title = labels[label]
        way = app.builder.get_relative_uri(page, document)
        return f"{way}#{anchor}", title

    return find


def name_banks(app, pagename, templatename, context, doctree):
    """Complete a page between writing its body and filling its template."""
    if DRILL.search(context.get("body", "")):
        find = section_finder(app, pagename)
        body = with_sections(context["body"], find)
        root = context["content_root"].removeprefix("./")
        context["body"] = with_banks(body, root)


def last_change():
    """Return when the library was last changed."""
    library = Path(bayesbook.__file__).parent.rglob("*.*")
    return max(
        path.stat().st_mtime for path in library if path.suffix != ".pyc"
    )


def write_banks(folder):
    """Generate the banks that are missing, or older than the library."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = last_change()
    files = {
        kind: [folder / f"{name}.js" for name in drills.bank_names(kind)]
        for kind in drills.KINDS
    }
    for old in {*folder.iterdir()}.difference(*files.values()):
        old.unlink()
    for kind, banks in files.items():
        if any(
            not bank.exists() or bank.stat().st_mtime <= changed
            for bank in banks
        ):
            for name, script in drills.bank_scripts(kind).items():
                (folder / f"{name}.js").write_text(script, encoding="utf-8")


def begin_banks(app):
    """Generate the banks in another process, while the pages are built.

    They take a third of the time of the pages, and need nothing of them.
    """
    if app.builder.format == "html":
        app.banks = ProcessPoolExecutor(max_workers=1)
        app.written = app.banks.submit(write_banks, Path(app.outdir, FOLDER))


def end_banks(app, exception):
    """Wait for the banks, and say what went wrong with them."""
    if app.builder.format == "html":
        with app.banks:
            app.written.result()


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", name_banks)
    app.connect("builder-inited", begin_banks)
    app.connect("build-finished", end_banks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
