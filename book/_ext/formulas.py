"""Typeset the formulas while the pages are built.

KaTeX, in ``book/katex``, writes each formula as HTML for the eye, with MathML
inside for speech and its TeX for copies: a page shows its formulas at once,
and without scripts. A formula that KaTeX refuses is a warning of the build.
"""

import json
import re
import shutil
from functools import cache, partial
from html import escape, unescape
from pathlib import Path

import quickjs
from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from docutils import nodes
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.util.nodes import traverse_parent

KATEX = Path(__file__).parents[1] / "katex"
STYLE = "katex-swap.min.css"
# What KaTeX would only warn of or show in red is an error, too. QuickJS keeps
# a long string in pieces, which only `join` makes one that Python can have.
RENDER = """
(tex, displayMode) => [
    katex.renderToString(tex, {
        displayMode,
        strict: "error",
        trust: ({command}) => { throw Error(`${command} is not allowed`); },
    }),
].join("");
"""

# The fonts of nearly all formulas. A page that is served asks for them before
# it knows its style sheet, so that no line moves when they come; a browser
# refuses that to a page from a disk, where they are there anyway.
FONTS = ("KaTeX_Main-Regular", "KaTeX_Math-Italic")
PRELOAD = """<script>
  if (location.protocol !== "file:") {{
    for (const href of {}) {{
      const [rel, as, type] = ["preload", "font", "font/woff2"];
      const link = document.createElement("link");
      Object.assign(link, {{ rel, as, type, href, crossOrigin: "" }});
      document.head.append(link);
    }}
  }}
</script>
"""

PART = '<span class="katex-base">'
# The end of a part that the next one is drawn nearer to: both are one sign, as
# that of independence.
NEARER = re.compile(r"margin-right:-[\d.]+em;\"></span></span>\Z")

# What touches a formula of a sentence and belongs to it.
OPENING = r"[(\[“‘]*"
CLOSING = r"[-–.,:;!?)\]”’]*"
# As Sphinx has them: a formula is neither translated nor searched.
CLASSES = "math notranslate nohighlight"
JOINED = '<span class="book-joined">{}</span>'
# TeX in the outputs of cells, as JupyterLab and Colab look for it.
TEX = re.compile(
    rf"({OPENING})\\\((.+?)\\\)({CLOSING})|\\\[(.+?)\\\]", re.DOTALL
)

logger = logging.getLogger(__name__)


# --- One formula ------------------------------------------------------------


@cache
def katex():
    """Start KaTeX, once for all pages."""
    context = quickjs.Context()
    context.eval((KATEX / "katex.min.js").read_text("utf-8"))
    return context.eval(RENDER)


@cache
def typeset(tex, display=False):
    """Return a formula as HTML; raise an error if KaTeX refuses it."""
    try:
        html = katex()(tex, display)
    except quickjs.JSException as error:
        reason, *_where_in_katex = str(error).splitlines()
        raise ValueError(f"The formula {tex} is refused: {reason}") from None
    return breakable(html)


def breakable(html):
    """Mark where a formula may go on in a new line, outside of brackets.

    One of a sentence does, another only on paper, which cannot scroll. KaTeX's
    parts end after signs such as = and +, and the line could end after any
    part, the last one included, which a comma may follow.
    """
    written, *parts = html.split(PART)
    for at, part in enumerate(parts):
        opened = written.count('"mopen') - written.count('"mclose')
        whole = opened or NEARER.search(written, len(written) - 60)
        written += ("<wbr>" if at and not whole else "") + PART + part
    return written


def typeset_at(writer, node, tex, display=False):
    """Return a formula of a page as HTML; warn where it is if that fails."""
    try:
        return typeset(tex, display)
    except ValueError as error:
        lines = (place.line for place in traverse_parent(node))
        line = next(filter(None, lines), None)
        page = writer.builder.current_docname
        logger.warning("%s", error, location=(page, line))
        return f"<code>{escape(tex)}</code>"


# --- Formulas of the text ---------------------------------------------------


def join(formula):
    """Wrap a formula of a sentence together with what touches it.

    A line may break before and after any formula; a comma or a bracket must
    not begin or end a line because of that.
    """
    parent, at = formula.parent, formula.parent.index(formula)
    joined = nodes.inline(classes=["book-joined"])
    parent[at] = joined
    joined += formula
    if at + 1 < len(parent) and isinstance(parent[at + 1], nodes.Text):
        after = parent[at + 1]
        end = re.match(CLOSING, after).end()
        parent[at + 1] = nodes.Text(after[end:])
        joined += nodes.Text(after[:end])
    if at and isinstance(parent[at - 1], nodes.Text):
        before = parent[at - 1]
        start = re.search(f"{OPENING}$", before).start()
        parent[at - 1] = nodes.Text(before[:start])
        joined.insert(0, nodes.Text(before[start:]))


class JoinPunctuation(SphinxPostTransform):
    """Keep the formulas of sentences together with what touches them."""

    default_priority = 900
    formats = ("html",)

    def run(self):
        for formula in list(self.document.findall(nodes.math)):
            join(formula)


def visit_math(writer, node):
    """Write a formula of a sentence."""
    writer.body.append(writer.starttag(node, "span", "", CLASS=CLASSES))
    writer.body.append(f"{typeset_at(writer, node, node.astext())}</span>")
    raise nodes.SkipNode


def visit_displaymath(writer, node):
    """Write a formula on lines of its own, with its number if it has one."""
    writer.body.append(writer.starttag(node, "div", "", CLASS=CLASSES))
    if node["number"]:
        number = get_node_equation_number(writer, node)
        writer.body.append(f'<span class="eqno">({number})')
        writer.add_permalink_ref(node, _("Link to this equation"))
        writer.body.append("</span>")
    formula = typeset_at(writer, node, node.astext().strip(), display=True)
    writer.body.append(f"{formula}</div>\n")
    raise nodes.SkipNode


# --- Formulas in the outputs of cells ---------------------------------------


class Written(PreformattedString):
    """HTML that takes the place of a text in a parsed page."""


def is_tex(text):
    """Tell whether a text may hold TeX: not code, nor what forbids it."""
    code = text.find_parent(["code", "pre", "script", "style"])
    return not code and not text.find_parent(class_="tex2jax_ignore")


def with_formulas(html, write):
    """Write HTML with the TeX of its texts as formulas."""

    def written(found):
        before, inline, after, display = found.groups()
        if display:
            return write(unescape(display), display=True)
        return JOINED.format(before + write(unescape(inline)) + after)

    page = BeautifulSoup(html, "html.parser")
    for text in filter(is_tex, page.find_all(string=TEX)):
        # In HTML again, as only the formulas are to be other than they were.
        escaped = escape(text, quote=False)
        text.replace_with(Written(TEX.sub(written, escaped)))
    return str(page)


def visit_raw(writer, node):
    """Write HTML that a cell has made, with formulas where it has TeX."""
    html = node.astext()
    if "html" in node["format"].split() and TEX.search(html):
        write = partial(typeset_at, writer, node)
        # Another node: that of the page is read for the search, too.
        written = node.deepcopy()
        written.parent = node.parent
        written[:] = [nodes.Text(with_formulas(html, write))]
        node = written
    type(writer).visit_raw(writer, node)


# --- What formulas need -----------------------------------------------------


def only_woff2(css):
    """Return a style sheet without the fonts for browsers of another age."""
    return re.sub(r",url\(fonts/\S+?\.(woff|ttf)\) format\(.+?\)", "", css)


def bring_katex(app):
    """Put KaTeX's style sheet, its fonts and its scripts beside the pages."""
    if app.builder.format != "html":
        return
    place = Path(app.outdir, "_static", KATEX.name)
    own = shutil.ignore_patterns("README.md")
    shutil.copytree(KATEX, place, ignore=own, dirs_exist_ok=True)
    sheet = place / STYLE
    sheet.write_text(only_woff2(sheet.read_text("utf-8")), "utf-8")


def link_style(app, pagename, templatename, context, doctree):
    """Link style sheet and fonts from a page that has formulas."""
    if 'class="katex' in context.get("body", ""):
        app.add_css_file(f"{KATEX.name}/{STYLE}")
        fonts = [f"_static/{KATEX.name}/fonts/{name}.woff2" for name in FONTS]
        places = [context["pathto"](font, resource=True) for font in fonts]
        context["metatags"] += PRELOAD.format(json.dumps(places))


def setup(app):
    """Register with Sphinx."""
    app.add_html_math_renderer(
        "katex", (visit_math, None), (visit_displaymath, None)
    )
    app.add_node(nodes.raw, override=True, html=(visit_raw, None))
    app.add_post_transform(JoinPunctuation)
    app.connect("builder-inited", bring_katex)
    app.connect("html-page-context", link_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
