"""Take out of the theme's scripts what costs a phone long turns.

The theme's script measures and marks the blocks that the keyboard can scroll
in turns, and every turn lays out the page anew: half a second of a phone. It
would lay out, too, what `bayesbook.css` leaves for later. `bayesbook.js` marks
those blocks.

At each click, its Bootstrap collects all elements of the page that a listener
is for, once for each of its dozen listeners, only to see whether the clicked
one is among them: up to 80 milliseconds of a phone. The clicked element says
so by itself.
"""

from pathlib import Path

from sphinx.errors import ExtensionError

SCRIPTS = "_static/scripts"
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
# How a listener for the elements `e` within `t` finds those that were clicked.
COLLECTING = (
    "const o=t.querySelectorAll(e);"
    "for(let{target:r}=s;r&&r!==this;r=r.parentNode)for(const a of o)if(a===r)"
)
MATCHING = "for(let{target:r}=s;r&&r!==this;r=r.parentNode)if(r.matches(e))"
# For each script what is written in it, and what is written instead.
CHANGES = {
    "pydata-sphinx-theme.js": (BLOCKS, NOTHING),
    "bootstrap.js": (COLLECTING, MATCHING),
}


def changed(name, script):
    """Return a script of the theme with its change."""
    old, new = CHANGES[name]
    if old not in script:
        raise ExtensionError(
            f"The theme's {name} is not written as it was. Change CHANGES in "
            f"book/_ext/theme_script.py to what it has in place of {old}"
        )
    return script.replace(old, new)


def change_scripts(app, exception):
    """Change the scripts of the theme among the files of the pages."""
    if exception or app.builder.name != "html":
        return
    for name, (_, new) in CHANGES.items():
        path = Path(app.outdir, SCRIPTS, name)
        text = path.read_text("utf-8")
        if new not in text:  # it is copied only when a page is written
            path.write_text(changed(name, text), "utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", change_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
