"""Leave it to the book's own script to say what the keyboard can scroll.

The theme's script measures and marks the blocks of a page in turns, and every
turn lays out the page anew: half a second of a phone. It would lay out, too,
what `bayesbook.css` leaves for later. `bayesbook.js` marks those blocks.
"""

from pathlib import Path

from sphinx.errors import ExtensionError

SCRIPT = "_static/scripts/pydata-sphinx-theme.js"
# What the theme looks for, as its script writes it.
BLOCKS = ",".join(
    f'"{selector}"'
    for selector in (
        "pre",
        ".nboutput > .output_area",
        ".cell_output > .output",
        ".jp-RenderedHTMLCommon",
        ".pst-scrollable-table-container",
    )
)
NOTHING = '":not(*)"'


def without_marking(script):
    """Return the theme's script as one that finds no blocks to mark."""
    if BLOCKS not in script:
        raise ExtensionError(
            "The theme's script does not look for scrolling blocks as it did. "
            "Change BLOCKS in book/_ext/theme_script.py to what it looks for."
        )
    return script.replace(BLOCKS, NOTHING)


def change_script(app, exception):
    """Change the script of the theme among the files of the pages."""
    script = Path(app.outdir) / SCRIPT
    if exception or app.builder.name != "html":
        return
    text = script.read_text("utf-8")
    if NOTHING not in text:  # it is copied only when a page is written
        script.write_text(without_marking(text), "utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", change_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
