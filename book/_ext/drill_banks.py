"""Give the drills of a page their other questions.

A drill on a page is one question; the others are in a bank, a script beside
the pages that is fetched when a reader asks for another question. Banks lie
outside `_static`, because Jupyter Book links every script there into every
page. The formulas of a bank are TeX, for which KaTeX is fetched with it.
"""

from pathlib import Path

from formulas import KATEX

import bayesbook
from bayesbook.study import drills

FOLDER = "drills"


def with_banks(body, root):
    """Name the bank of each drill in the body of a page, and KaTeX's folder.

    The root is the way from the page to that of the book, such as `../../`.
    """
    for kind in drills.KINDS:
        drill = f'data-drill="{kind}"'
        bank = f'data-bank="{root}{FOLDER}/{kind}.js"'
        katex = f'data-katex="{root}_static/{KATEX.name}"'
        body = body.replace(drill, f"{drill} {bank} {katex}")
    return body


def name_banks(app, pagename, templatename, context, doctree):
    """Complete a page between writing its body and filling its template."""
    if "body" in context:
        context["body"] = with_banks(
            context["body"], "../" * pagename.count("/")
        )


def is_current(bank):
    """Tell whether a bank is newer than all of the library."""
    library = Path(bayesbook.__file__).parent.rglob("*.*")
    return bank.exists() and bank.stat().st_mtime > max(
        path.stat().st_mtime for path in library if path.suffix != ".pyc"
    )


def write_banks(app, exception):
    """Generate the banks once the pages are written."""
    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    for kind in drills.KINDS:
        bank = folder / f"{kind}.js"
        if not is_current(bank):
            bank.write_text(drills.bank_script(kind), encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", name_banks)
    app.connect("build-finished", write_banks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
