"""Keep a second build from showing or passing what a first one would not.

Sphinx re-reads only the pages whose sources changed. The warnings of a failed
build would then not come again, and the second run of the same command would
succeed; after a change of a style sheet, a script or an extension the pages
would stay as they were; and pages would stay whose chapters are gone.
"""

from pathlib import Path

from sphinx.application import ENV_PICKLE_FILENAME

# What every page is made with, from the root of the book.
SHARED = (
    "book/_ext/*.*",
    "book/_ext/finding/*",
    "book/_static/*",
    "book/katex/*",
    "book/minisearch/*",
    "book/appendix/synonyms.yml",
    "book/_templates/**/*.*",
    "requirements.txt",
)


def forget_pages(app, exception):
    """After a warning, have the next build read every page again."""
    if app._warncount:
        pages = Path(app.doctreedir, ENV_PICKLE_FILENAME)
        pages.unlink(missing_ok=True)


def outdated_pages(app, env, added, changed, removed):
    """Name all pages if something that they share is newer than they are."""
    pages = Path(app.doctreedir, ENV_PICKLE_FILENAME)
    if not pages.exists():
        return []
    built = pages.stat().st_mtime
    shared = (path for glob in SHARED for path in Path(app.srcdir).glob(glob))
    if any(path.stat().st_mtime > built for path in shared):
        return sorted(env.found_docs)
    return []


def remove_pages(app, exception):
    """Remove pages whose sources are gone or have another name."""
    if app.builder.name != "html" or exception:
        return
    root = Path(app.outdir)
    for page in (root / "book").rglob("*.html"):
        name = page.relative_to(root).with_suffix("").as_posix()
        if name not in app.env.found_docs:
            page.unlink()


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", forget_pages)
    app.connect("build-finished", remove_pages)
    app.connect("env-get-outdated", outdated_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
