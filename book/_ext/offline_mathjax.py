"""Serve MathJax from the book itself, so that pages work without a network."""

from importlib.metadata import distribution

PACKAGE = "sphinx-mathjax-offline"
# SVG output carries its glyphs as paths: no font files to fetch.
SCRIPT = "sphinx-mathjax-offline/static/mathjax/tex-svg-full.js"


def add_mathjax(app, config):
    """Have Sphinx copy the script to `_static/`, where `mathjax_path` looks.

    It stays outside the book's own `_static` folder because it belongs to an
    installed package.
    """
    script = distribution(PACKAGE).locate_file(SCRIPT)
    config.html_static_path.append(str(script))


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", add_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
