"""Keep a build with warnings from passing the next time it is run.

Sphinx re-reads only the pages that changed, so the warnings of a failed build
would not come again, and the second run of the same command would succeed.
"""

from pathlib import Path

from sphinx.application import ENV_PICKLE_FILENAME


def forget_pages(app, exception):
    """After a warning, have the next build read every page again."""
    if app._warncount:
        pages = Path(app.doctreedir, ENV_PICKLE_FILENAME)
        pages.unlink(missing_ok=True)


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", forget_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
