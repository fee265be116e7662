"""Write one style sheet for all pages, of the rules that they can use.

The theme and the extensions bring a dozen sheets of 570 KB, of which a page
uses a sixth. When the pages are written, a rule stays if they, or the scripts,
name all that its selector names: so the rules of every state stay which a
script can make, and those of pointing, focus, paper and colours anyway.
"""

import posixpath
import re
from pathlib import Path

import tinycss2
from icons import icon_rules

SHEET = "_static/book.css"
# The theme links these itself, before those of Sphinx's list.
THEME = ("_static/basic.css", "_static/styles/pydata-sphinx-theme.css")
FONT_AWESOME = "_static/scripts/fontawesome.js"
# What draws an icon with the fonts of Font Awesome, which do not come along.
ICON_FONT = re.compile(r"Font\\? Awesome|--fa\b")
TAG = re.compile(r"<[a-z][^>]*>")
SCRIPT = re.compile(r"<script[^>]*>(.+?)</script>", re.DOTALL)
ONCE = re.compile(
    r"<style\b[^>]*>.*?</style>|<script data-once\b[^>]*>.*?</script>",
    re.DOTALL,
)
WORD = re.compile(r"[\w-]+")
ADDRESS = re.compile(r"""url\((?!['"]?(?:data:|#))(['"]?)([^'")]+)\1\)""")
GROUPS = {"container", "layer", "media", "supports"}


# --- What a selector names --------------------------------------------------


def alternatives(selectors):
    """Return the selectors of a list, which commas part."""
    found = [[]]
    for token in selectors:
        if token == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def can_match(selector, words):
    """Return whether words hold all names that a selector asks for.

    Those are of elements, classes, ids and attributes. What comes after a
    colon is a state, and none; `:is()` and `:where()` hold selectors.
    """
    before = None
    for token in selector:
        named = ""
        if token.type == "hash" or (token.type == "ident" and before != ":"):
            named = token.value
        elif token.type == "[] block":
            named = token.content[0].value
        if not words.issuperset(WORD.findall(named)):
            return False
        if token.type == "function" and token.lower_name in {"is", "where"}:
            inner = alternatives(token.arguments)
            if not any(can_match(option, words) for option in inner):
                return False
        before = token
    return True


# --- The sheet --------------------------------------------------------------


def usable(rules, words):
    """Yield the text of the rules that words leave a use for."""
    for rule in rules:
        match rule.type:
            case "comment" if rule.value.startswith("!"):
                yield rule.serialize()  # a notice, which has to stay
            case "qualified-rule":
                selectors = [
                    tinycss2.serialize(selector).strip()
                    for selector in alternatives(rule.prelude)
                    if can_match(selector, words)
                ]
                text = tinycss2.serialize(rule.content)
                if selectors and not ICON_FONT.search(text):
                    yield f"{','.join(selectors)}{{{text}}}"
            case "at-rule" if rule.lower_at_keyword in GROUPS:
                inner = tinycss2.parse_rule_list(rule.content)
                if kept := "\n".join(usable(inner, words)):
                    condition = tinycss2.serialize(rule.prelude)
                    yield f"@{rule.at_keyword}{condition}{{\n{kept}\n}}"
            case "at-rule" if rule.lower_at_keyword != "charset":
                if not ICON_FONT.search(text := rule.serialize()):
                    yield text


def moved(css, folder):
    """Return a sheet of a folder with its addresses as from above it."""

    def from_above(found):
        return f'url("{posixpath.normpath(posixpath.join(folder, found[2]))}")'

    return ADDRESS.sub(from_above, css)


def pruned(css, words):
    """Return what words leave a use for of a style sheet."""
    rules = tinycss2.parse_stylesheet(css, skip_whitespace=True)
    return "\n".join(usable(rules, words))


def said_once(body):
    """Return the body of a page without what it has already.

    Each quiz, drill and step-through brings its own style, as notebooks need
    it; each quick check its own script.
    """
    seen = set()

    def first(element):
        if element[0] in seen:
            return ""
        seen.add(element[0])
        return element[0]

    return ONCE.sub(first, body)


# --- The pages --------------------------------------------------------------


def words_of(site):
    """Return all words in the tags and scripts of the pages of a site."""
    tags, scripts = set(), []
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        tags.update(TAG.findall(html))
        scripts += SCRIPT.findall(html)
    own = ("progress/page.js", "search/search.js", "search/marks.js")
    found = [path for name in own for path in site.glob(name)]
    for path in [*site.glob("_static/**/*.js"), *found]:
        if path != site / FONT_AWESOME:
            scripts.append(path.read_text(encoding="utf-8"))
    return set(WORD.findall(" ".join([*tags, *scripts])))


def shared_sheets(app):
    """Return the sheets that every page would link, in their order.

    Sphinx has no public name for them; a page may add others to its own.
    """
    listed = sorted(app.builder._orig_css_files, key=lambda css: css.priority)
    return [*THEME, *(css.filename for css in listed)]


def link_one_sheet(app, pagename, templatename, context, doctree):
    """Link the one sheet, and what a page has for itself; that once."""
    shared = set(shared_sheets(app))
    own = [css for css in context["css_files"] if css.filename not in shared]
    context["css_files"] = [SHEET, *own]
    if "body" in context:
        context["body"] = said_once(context["body"])


def write_sheet(app, exception):
    """Write the sheet that the pages link, once all are written.

    Where no page had to be written, that of the last time is good.
    """
    written = hasattr(app.builder, "_orig_css_files")
    if exception or app.builder.name != "html" or not written:
        return
    site = Path(app.outdir)
    words = words_of(site)
    parts = [icon_rules(words, (site / FONT_AWESOME).read_text("utf-8"))]
    for name in shared_sheets(app):
        folder = posixpath.relpath(posixpath.dirname(name), "_static")
        css = pruned((site / name).read_text("utf-8"), words)
        parts.append(f"/* {name} */\n{moved(css, folder)}")
    (site / SHEET).write_text("\n".join(parts), "utf-8")


def setup(app):
    """Register with Sphinx.

    Other extensions list their sheets before, and the theme rewrites that of
    the colours of code when all pages are written.
    """
    app.connect("html-page-context", link_one_sheet, priority=900)
    app.connect("build-finished", write_sheet, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
