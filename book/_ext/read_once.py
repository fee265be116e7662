"""Read once what Sphinx would read again for every page or reference.

The pages are the same as without, to the byte; on a chapter with fifty
numbered references the whole chapter was read fifty times, and the navigation
of each page was cut out of a copy of the headings and functions of all pages.
"""

from functools import cache, cached_property, lru_cache

from sphinx import addnodes
from sphinx.domains.std import StandardDomain


class KeepingPages:
    """An environment that keeps the last pages that it was asked for.

    Only for those who change nothing in a page.
    """

    def __init__(self, env):
        self._env = env
        self.get_doctree = lru_cache(maxsize=4)(env.get_doctree)

    def __getattr__(self, name):
        return getattr(self._env, name)


class NumbersFromKeptPages(StandardDomain):
    """The domain that writes "Figure 1.2", which reads where the figure is."""

    @cached_property
    def _keeping(self):
        return KeepingPages(self.env)

    def _resolve_numref_xref(self, env, *reference):
        return super()._resolve_numref_xref(self._keeping, *reference)


def only_titles(toc):
    """Return a page's table of contents without its headings and functions.

    What remains are its title and the tables of the pages below it: the part
    that Sphinx keeps, of a copy of the whole, where it shows titles only.
    """
    toc = toc.deepcopy()
    for item in toc.children:
        if len(item) > 1:
            item[1][:] = list(item.findall(addnodes.toctree))
            if not item[1].children:
                item.pop(1)
    return toc


@cache
def titles_alone(env):
    """Return the titles of all pages; they are known once these are read."""
    return {page: only_titles(toc) for page, toc in env.tocs.items()}


def navigate_by_titles(app, pagename, templatename, context, doctree):
    """Let the navigation of a page begin with titles, if it shows no more."""
    env, navigation = app.env, context["toctree"]

    def lighter(*, titles_only=False, **options):
        tocs = env.tocs
        if titles_only:
            env.tocs = titles_alone(env)
        try:
            return navigation(titles_only=titles_only, **options)
        finally:
            env.tocs = tocs

    context["toctree"] = lighter


def setup(app):
    """Register with Sphinx."""
    app.add_domain(NumbersFromKeptPages, override=True)
    app.connect("html-page-context", navigate_by_titles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
