"""Markdown of questions as HTML: maths as TeX, graphs as drawings."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from bayesbook.study.quiz.plain_text import one_line

if TYPE_CHECKING:
    import networkx as nx

    from bayesbook.study.quiz.graphs import Places


@cache
def _markdown() -> MarkdownIt:
    options = {"html": False, "typographer": True}
    markdown = MarkdownIt("commonmark", options)
    markdown.enable(["table", "smartquotes"])
    markdown.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    renderer = cast(RendererHTML, markdown.renderer)
    rules: dict[str, Any] = renderer.rules
    # The delimiters that JupyterLab, Colab and the pages' build know.
    rules["math_inline"] = lambda tokens, at, *_: (
        f"\\({_maths(tokens[at].content)}\\)"
    )
    rules["math_inline_double"] = lambda tokens, at, *_: (
        f"\\[{_maths(tokens[at].content)}\\]"
    )
    rules["math_block"] = lambda tokens, at, *_: (
        f"<p>\\[{_maths(tokens[at].content)}\\]</p>\n"
    )
    rules["text"] = lambda tokens, at, *_: _text(tokens[at].content)
    # A table that scrolls must be reachable by keyboard. If it does not, the
    # script of the book's pages, which knows this class, removes the stop.
    rules["table_open"] = lambda *_: (
        '<div class="pst-scrollable-table-container" tabindex="0"><table>'
    )
    rules["table_close"] = lambda *_: "</table></div>"
    image = renderer.image
    rules["image"] = lambda tokens, at, *rest: (
        _graph(tokens[at]) or image(tokens, at, *rest)
    )
    return markdown


_LAYOUTS = ("graph", "ring")


def _graph(token: Token) -> str | None:
    """Draw ``![title](graph:A->B<-C "given B")``; None for other images."""
    layout, _, arrows = unquote(str(token.attrs["src"])).partition(":")
    if layout not in _LAYOUTS:
        return None
    # Only here: the drawing of graphs takes long to import.
    from bayesbook.study.quiz.graphs import svg

    graph, places = _placed(arrows, layout)
    given = str(token.attrs.get("title", "")).removeprefix("given")
    observed = [node.strip() for node in given.split(",") if node.strip()]
    return svg(graph, places, observed, title=token.content)


@lru_cache(maxsize=256)  # the drills of a story share its graph
def _placed(arrows: str, layout: str) -> tuple[nx.DiGraph, Places]:
    """Read a graph and place its nodes."""
    from bayesbook.drawing import layered_layout
    from bayesbook.graphs import parse
    from bayesbook.study.quiz.graphs import ring

    graph = parse(arrows)
    return graph, ring(graph) if layout == "ring" else layered_layout(graph)


def _maths(source: str) -> str:
    return escape(source.strip(), quote=False)


def _text(content: str) -> str:
    """Escape prose, and hide signs that would be taken for maths."""
    ignored = r'<span class="tex2jax_ignore mathjax_ignore">\g<0></span>'
    return re.sub(r"[$\\]", ignored, escape(content))


@lru_cache(maxsize=1024)  # reasons are written twice, and shared by drills
def block(text: str) -> str:
    r"""Write Markdown of one or more paragraphs as HTML.

    Parameters
    ----------
    text : str
        Markdown; maths stands between dollars.

    Returns
    -------
    str
        HTML, with the delimiters of maths that the pages and JupyterLab know.

    Examples
    --------
    >>> block("If $a < b$, *then*")
    '<p>If \\(a &lt; b\\), <em>then</em></p>'
    """
    return _markdown().render(text).strip()


def inline(text: str) -> str:
    r"""Write Markdown within one paragraph as HTML, without the paragraph.

    Parameters
    ----------
    text : str
        As in :func:`block`.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> inline("If $a < b$, *then*")
    'If \\(a &lt; b\\), <em>then</em>'
    """
    return _markdown().renderInline(one_line(text))
