"""The built pages: figures, links, languages, nothing from elsewhere."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())
NOTEBOOKS = sorted((ROOT / "book").rglob("*.ipynb"))
SHORTEST_ALT = 25  # characters: type, axes and finding take more
PICTURES = {"image/png", "image/svg+xml", "image/jpeg"}
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


# --- Checks: HTML in, problems out ----------------------------------------


@cache
def parse(html):
    """Parse a page without its colours; several checks look at the same."""
    return BeautifulSoup(COLOURED.sub(r"\1", html), "html.parser")


def executed_figures(page):
    """Return the images that code cells have put into a page."""
    return page.select(".cell_output img")


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
        problems += alt_problems(image.get("alt"))
        where = image.get("src", "an image")
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


def shown_sources(html):
    """List what a page shows of its source instead of what is meant."""
    page = parse(html)
    code = {
        id(string)
        for element in page(["code", "pre", "script", "style"])
        for string in element.strings
    }
    shown = page.body or page
    text = "".join(
        string for string in shown.strings if id(string) not in code
    )
    return re.findall(r"`{3,}|:{3,}|\{[\w:-]+\}`|^ *:[\w-]+: ", text, re.M)


def metadata_problems(html):
    """Say what a page lacks in its head."""
    page = parse(html)
    problems = []
    if page.html.get("lang") != CONFIG["sphinx"]["config"]["language"]:
        problems.append("no language, or not the book's")
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
            elif target in known and (
                unquote(parts.fragment) not in known[target]
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


# --- What the notebooks say -----------------------------------------------


def written_figures(notebook):
    """Return alternative text, caption and name of each picture's cell."""
    cells = [
        cell["metadata"].get("mystnb", {})
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
        and any(PICTURES & set(out.get("data", {})) for out in cell["outputs"])
    ]
    return [
        (
            cell.get("image", {}).get("alt"),
            letters(cell.get("figure", {}).get("caption")),
            cell.get("figure", {}).get("name"),
        )
        for cell in cells
    ]


def shown_figures(html):
    """Return the same of each executed figure on a page."""
    found = []
    for image in executed_figures(parse(html)):
        figure = image.find_parent("figure")
        caption = figure and figure.select_one(".caption-text")
        found.append(
            (
                image.get("alt"),
                letters(caption and caption.get_text()),
                figure and figure.get("id"),
            )
        )
    return found


def letters(text):
    """Return what Markdown and typographic quotes leave as it is."""
    return re.sub(r"\W", "", text or "")


def page_of(site, notebook):
    return site / notebook.relative_to(ROOT).with_suffix(".html")


@pytest.fixture(scope="module")
def pages(site):
    """Give the HTML of every page of the book, by path."""
    found = {
        path.resolve(): path.read_text()
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }
    assert site.resolve() / "index.html" in found
    return found


def problems_by_page(pages, check):
    found = {path.name: check(html) for path, html in pages.items()}
    return {name: problems for name, problems in found.items() if problems}


# --- The book -------------------------------------------------------------


def test_there_is_a_notebook():
    assert NOTEBOOKS


def test_figures_have_text_caption_and_name(pages):
    assert problems_by_page(pages, figure_problems) == {}


def test_no_two_figures_have_the_same_text(pages):
    texts = [
        image.get("alt")
        for html in pages.values()
        for image in executed_figures(parse(html))
    ]
    assert duplicates(texts) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_page_shows_the_texts_of_the_notebook(site, path):
    html = page_of(site, path).read_text()
    assert shown_figures(html) == written_figures(json.loads(path.read_text()))


def test_nothing_is_fetched_from_elsewhere(pages):
    assert problems_by_page(pages, external_resources) == {}


def test_no_style_sheet_fetches_from_elsewhere(site):
    sheets = sorted(site.rglob("*.css"))
    assert sheets
    found = {
        sheet.name: external_in_css(sheet.read_text()) for sheet in sheets
    }
    assert {name: urls for name, urls in found.items() if urls} == {}


def test_heads_are_complete(pages):
    assert problems_by_page(pages, metadata_problems) == {}


def test_no_page_shows_its_source(pages):
    assert problems_by_page(pages, shown_sources) == {}


def test_pages_of_text_are_described(site):
    texts = []
    for path in [site / "index.html", *sorted(site.glob("book/**/*.html"))]:
        head = parse(path.read_text()).head
        [described] = head.select("meta[name=description]")
        texts.append(described["content"])
    assert all(texts)
    assert duplicates(texts) == []


def test_the_front_page_has_the_title_of_the_book(site):
    page = parse((site / "index.html").read_text())
    assert page.title.get_text() == CONFIG["title"]


def test_without_scripts_the_pages_are_light(pages):
    themes = {parse(html).html["data-theme"] for html in pages.values()}
    assert themes == {"light"}


def test_no_page_shows_what_only_programs_call_things(pages):
    assert not [path for path in pages if path.name == "prf-prf.html"]
    shown = "\n".join(parse(html).get_text() for html in pages.values())
    for foreign in ("<function", "figsize", "code cell"):
        assert foreign not in shown


def test_chinese_titles_are_marked(site):
    page = parse((site / "book/appendix/bibliography.html").read_text())
    titles = [title.get_text() for title in page.select('em[lang="zh"]')]
    assert titles
    assert all(re.search(r"[\u4e00-\u9fff]", title) for title in titles)


def test_titles_differ(pages):
    titles = [parse(html).title.get_text() for html in pages.values()]
    assert duplicates(titles) == []


def test_ids_are_unique(pages):
    def repeated(html):
        ids = [element["id"] for element in parse(html).find_all(id=True)]
        return duplicates(ids)

    assert problems_by_page(pages, repeated) == {}


def test_links_lead_somewhere(pages):
    assert link_problems(pages, Path.is_file) == []


def test_index_has_terms_and_functions(site):
    text = parse((site / "genindex.html").read_text()).get_text()
    for entry in ("sample space", "样本空间", "ProbabilitySpace"):
        assert entry in text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_launch_buttons_use_the_one_repository(site, path):
    repository = CONFIG["repository"]
    owner_and_name = urlsplit(repository["url"]).path.strip("/")
    source = path.relative_to(ROOT).as_posix()
    binder, colab = launch_addresses(page_of(site, path).read_text())
    branch = repository["branch"]
    assert f"/gh/{owner_and_name}/{branch}?urlpath=lab/tree/{source}" in binder
    assert f"/github/{owner_and_name}/blob/{branch}/{source}" in colab


def test_the_repository_is_named_once():
    text = (ROOT / "_config.yml").read_text()
    assert text.count(CONFIG["repository"]["url"]) == 1


# --- The checks turn red --------------------------------------------------

GOOD_FIGURE = """
<div class="cell_output"><figure id="fig-rates">
<img alt="Bar chart of admission rates by department; A is highest."
 src="_images/1f.png">
<figcaption><span class="caption-text">Rates.</span></figcaption>
</figure></div>
"""
GOOD_NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "metadata": {
                "mystnb": {
                    "figure": {"caption": "*Rates*.", "name": "fig-rates"},
                    "image": {
                        "alt": "Bar chart of admission rates by department; "
                        "A is highest."
                    },
                }
            },
            "outputs": [{"data": {"image/png": "", "text/plain": ""}}],
        }
    ]
}
GOOD_HEAD = """
<html lang="en"><head><title>Events</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="favicon.svg"></head></html>
"""


def test_a_good_figure_has_no_problem():
    assert figure_problems(GOOD_FIGURE) == []


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (
            "Bar chart of admission rates by department; A is highest.",
            "",
            "no alternative text",
        ),
        (
            "Bar chart of admission rates by department; A is highest.",
            "Bar chart.",
            "too short",
        ),
        (
            "Bar chart of admission rates by department; A is highest.",
            "_images/0123456789abcdef0123456789abcdef.png",
            "a name or a path",
        ),
        ("Rates.", " ", "no caption"),
        ('id="fig-rates"', 'id="id3"', "no name"),
        ('id="fig-rates"', "", "no name"),
        ("figure", "div", "not in a figure"),
    ],
)
def test_a_bad_figure_is_seen(before, after, problem):
    assert before in GOOD_FIGURE
    problems = figure_problems(GOOD_FIGURE.replace(before, after))
    assert any(problem in found for found in problems)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A is highest", "B is highest"),
        ("Rates.", "Ratios."),
        ("caption-text", "text"),
        ("fig-rates", "fig-ratios"),
        ("figure", "div"),
        ("img", "span"),
    ],
)
def test_a_page_unlike_its_notebook_is_seen(before, after):
    written = written_figures(GOOD_NOTEBOOK)
    assert shown_figures(GOOD_FIGURE) == written
    assert before in GOOD_FIGURE
    assert shown_figures(GOOD_FIGURE.replace(before, after)) != written


def test_a_notebook_without_texts_is_unlike_its_page():
    [cell] = GOOD_NOTEBOOK["cells"]
    bare = {"cells": [{**cell, "metadata": {}}]}
    assert shown_figures(GOOD_FIGURE) != written_figures(bare)


def test_a_repeated_text_is_seen():
    assert duplicates(["one", "two", "one"]) == ["one"]


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<script src="//cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="https://cdn.example/x.css">',
        '<img src="https://example.org/x.png">',
        '<img srcset="a.png 1x, https://example.org/x.png 2x">',
        "<style>@import 'https://example.org/x.css';</style>",
        '<p style="background: url(https://example.org/x.png)">x</p>',
        '<iframe src="https://example.org"></iframe>',
    ],
)
def test_an_external_resource_is_seen(html):
    assert len(external_resources(html)) == 1


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://example.org">a link is followed by the reader</a>',
        '<img src="_images/a.png">',
        '<img src="data:image/png;base64,AA==">',
        "<style>p { background: url(x.png) }</style>",
    ],
)
def test_a_local_resource_is_none_of_them(html):
    assert external_resources(html) == []


@pytest.mark.parametrize(
    "source",
    [
        "```{list-table} Symbols",
        "::::",
        "{doc}`notation`",
        ":header-rows: 1",
    ],
)
def test_a_shown_source_is_seen(source):
    assert shown_sources(f"<p>Symbols:\n{source}</p>")
    assert shown_sources(f"<p>Type</p><pre>{source}</pre>") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (' lang="en"', ""),
        ("Events", " "),
        ("viewport", "view"),
        ('rel="icon"', 'rel="next"'),
    ],
)
def test_an_incomplete_head_is_seen(before, after):
    assert metadata_problems(GOOD_HEAD) == []
    assert len(metadata_problems(GOOD_HEAD.replace(before, after))) == 1


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("other.html#here", ""),
        ("other.html?x=1#here", ""),
        ("#me", ""),
        ("https://example.org/#nowhere", ""),
        ("missing.html", "does not exist"),
        ("other.html#nowhere", "no such anchor"),
        ("#nowhere", "no such anchor"),
    ],
)
def test_a_dead_link_is_seen(link, problem):
    pages = {
        Path("/site/one.html"): f'<p id="me"><a href="{link}">x</a></p>',
        Path("/site/other.html"): '<p id="here">y</p>',
    }
    problems = link_problems(pages, pages.__contains__)
    assert bool(problems) == bool(problem)
    assert all(problem in found for found in problems)
