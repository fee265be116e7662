"""What pages have to keep to: HTML goes in, problems come out."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[1]
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())
# Of the pages, and of those that are translated.
LANGUAGES = {CONFIG["sphinx"]["config"]["language"]} | {
    path.parent.name.replace("_", "-")
    for path in ROOT.glob("locale/*/words.yml")
}
SHORTEST_ALT = 25  # characters: type, axes and finding take more
# Elements that a browser fetches by itself, and the attribute it follows.
FETCHED = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
# A word of code, in a colour. More than half of all elements are such, and
# nothing is checked of them but what is written in them.
COLOURED = re.compile(r'<span class="\w{1,3}">([^<]*)</span>')
# A formula as the eye sees it, as many elements again: it begins so, and holds
# no text of the page.
DRAWN = re.compile('<span [^>]*class="katex-html"')
RAW_TEX = re.compile(r"\\[a-zA-Z()[\]]|\$\$")


def without_drawn_formulas(html):
    """Cut out the elements that begin with DRAWN, each with what it holds."""
    before, *formulas = DRAWN.split(html)
    return before + "".join(map(after_first_span, formulas))


def after_first_span(html):
    """Return what follows the end of a span that has begun."""
    depth = 1
    for tag in re.finditer("<(/?)span", html):
        depth += -1 if tag[1] else 1
        if not depth:
            return html[tag.end() + 1 :]
    raise AssertionError(f"A span has no end: {html}")


@cache
def parse(html):
    """Parse a page without its colours; several checks look at the same."""
    html = COLOURED.sub(r"\1", without_drawn_formulas(html))
    return BeautifulSoup(html, "html.parser")


def executed_figures(page):
    """Return the images and drawings that code cells have put into a page."""
    return page.select(".cell_output img, .cell_output .book-picture")


def text_of(picture):
    """Return what is read out instead of an image or a drawing."""
    return picture.get("alt" if picture.name == "img" else "aria-label")


def drawing_problems(picture):
    """Say what keeps a drawing from being one picture to everyone."""
    problems = []
    if picture.name == "img":
        # Behind an image a drawing has neither the page's colours nor letters.
        if picture.get("src", "").endswith(".svg"):
            problems.append(f"{picture['src']} is not drawn in the page")
        if not (picture.get("width") and picture.get("height")):
            problems.append(f"{picture.get('src')} has no size beforehand")
        if picture.get("loading") != "lazy":
            problems.append(
                f"{picture.get('src')} is loaded before it is seen"
            )
        return problems
    panels = picture.find_all("svg")
    if picture.get("role") != "img":
        problems.append("a drawing is no picture to a screen reader")
    if not panels:
        problems.append("a drawing is empty")
    if not all(panel.get("aria-hidden") == "true" for panel in panels):
        problems.append("a part of a drawing is read out, too")
    if not all(panel.get("viewbox") for panel in panels):
        problems.append("a part of a drawing has no size beforehand")
    return problems


def alt_problems(alt):
    """Say what is wrong with one alternative text."""
    if not alt or not alt.strip():
        return ["no alternative text"]
    problems = []
    if re.search(r"\.(png|svg|jpe?g)\b", alt) or re.fullmatch(r"\S+", alt):
        problems.append(f"alternative text is a name or a path: {alt!r}")
    if len(alt) < SHORTEST_ALT:
        problems.append(f"alternative text is too short: {alt!r}")
    return problems


def figure_problems(html):
    """Say what the executed figures of a page lack."""
    problems = []
    for image in executed_figures(parse(html)):
        problems += alt_problems(text_of(image))
        problems += drawing_problems(image)
        where = image.get("src", "a drawing")
        figure = image.find_parent("figure")
        if figure is None:
            problems.append(f"{where} is not in a figure")
            continue
        caption = figure.select_one("figcaption .caption-text")
        if caption is None or not caption.get_text(strip=True):
            problems.append(f"{where} has no caption")
        # docutils numbers the figures that have no name: id1, id2 ...
        if re.fullmatch(r"(id\d+)?", figure.get("id", "")):
            problems.append(f"{where} has no name for cross-references")
    return problems


def duplicates(items):
    return [item for item, times in Counter(items).items() if times > 1]


def is_external(address):
    return bool(urlsplit(address).netloc)


def external_resources(html):
    """List what a browser would fetch from elsewhere to show a page."""
    page = parse(html)
    addresses = [
        element[FETCHED[element.name]]
        for element in page.find_all(list(FETCHED))
        if element.get(FETCHED[element.name])
        # What is told of a page, its one address and those in other
        # languages, is not fetched.
        and element.get("rel") not in (["canonical"], ["alternate"])
    ]
    for element in page.find_all(srcset=True):
        candidates = element["srcset"].split(",")
        addresses += [candidate.split()[0] for candidate in candidates]
    found = [address for address in addresses if is_external(address)]
    styles = [style.get_text() for style in page.find_all("style")]
    styles += [element["style"] for element in page.find_all(style=True)]
    return found + [at for css in styles for at in external_in_css(css)]


def external_in_css(css):
    """List the addresses that a style sheet would fetch from elsewhere."""
    addresses = re.findall(
        r"""(?:url\(\s*|@import\s+)["']?([^"')\s;]+)""", css
    )
    return [address for address in addresses if is_external(address)]


def shown_texts(page):
    """Return the texts of a page that are no code, nor the TeX for a copy."""
    hidden = {
        id(string)
        for element in page(["annotation", "code", "pre", "script", "style"])
        for string in element.strings
    }
    shown = page.body or page
    return [string for string in shown.strings if id(string) not in hidden]


def shown_sources(html):
    """List what a page shows of its source instead of what is meant."""
    text = "".join(shown_texts(parse(html)))
    return re.findall(r"`{3,}|:{3,}|\{[\w:-]+\}`|^ *:[\w-]+: ", text, re.M)


def is_of_mathml(annotation):
    """Say whether it is in its place; a selector would take much longer."""
    semantics = annotation.parent
    return [semantics.name, semantics.parent.name] == ["semantics", "math"]


def formula_problems(html):
    """Say which formulas of a page need a script, or lack a part."""
    page = parse(html)
    formulas = page.select(".katex")
    problems = [
        *(
            f"TeX: {text}"
            for text in shown_texts(page)
            if RAW_TEX.search(text)
        ),
        *(
            f"not typeset: {node.get_text()}"
            for node in page.select(".math")
            if not node.select(".katex")
        ),
        *(
            f"no TeX, or no MathML: {formula}"
            for formula in formulas
            if not any(map(is_of_mathml, formula.find_all("annotation")))
        ),
    ]
    if len(DRAWN.findall(html)) != len(formulas):
        problems.append("a formula is not drawn")
    sheets = [link["href"] for link in page.select("link[rel=stylesheet]")]
    if any("katex" in sheet for sheet in sheets) != bool(formulas):
        problems.append("KaTeX's style sheet is missing, or not needed")
    if any("mathjax" in str(script).lower() for script in page("script")):
        problems.append("a script of MathJax, or for it")
    return problems


def metadata_problems(html):
    """Say what a page lacks in its head."""
    page = parse(html)
    problems = []
    if page.html.get("lang") not in LANGUAGES:
        problems.append("no language, or not one of the book's")
    if page.title is None or not page.title.get_text(strip=True):
        problems.append("no title")
    if not page.head.select('meta[name="viewport"]'):
        problems.append("no viewport for narrow screens")
    if not page.head.select('link[rel="icon"]'):
        problems.append("no icon: browsers would ask for /favicon.ico")
    return problems


def anchors(page):
    """Return every id of a page; an old `name` of a link counts too."""
    # Not by the keyword `name`, which is that of the element.
    named = page.find_all("a", attrs={"name": True})
    return [element["id"] for element in page.find_all(id=True)] + [
        element["name"] for element in named if not element.get("id")
    ]


def link_problems(pages, files):
    """Say which links of a site lead nowhere.

    Parameters
    ----------
    pages : dict of Path to str
        The HTML of each page, by its absolute path.
    files : callable
        Says whether a path is a file of the site.
    """
    files = cache(files)  # every page leads to every other
    parsed = {path: parse(html) for path, html in pages.items()}
    known = {
        path: {*anchors(page), "", "top"} for path, page in parsed.items()
    }
    problems = []
    for path, page in parsed.items():
        for element in page.find_all(["a", "img", "script", "link"]):
            address = element.get("href") or element.get("src")
            if not address or urlsplit(address).scheme or is_external(address):
                continue
            parts = urlsplit(address)
            target = path
            if parts.path:
                target = (path.parent / unquote(parts.path)).resolve()
            if not files(target):
                problems.append(f"{path.name}: {address} does not exist")
            # What follows a question mark there is the state of a part.
            elif target in known and (
                unquote(parts.fragment).partition("?")[0] not in known[target]
            ):
                problems.append(f"{path.name}: {address} has no such anchor")
    return problems


def launch_addresses(html):
    """Return the addresses of a page's Binder and Colab buttons."""
    links = [link["href"] for link in parse(html).find_all("a", href=True)]
    services = (
        CONFIG["launch_buttons"]["binderhub_url"],
        CONFIG["launch_buttons"]["colab_url"],
    )
    return [link for link in links if link.startswith(services)]
