"""The built pages: figures, links, languages, nothing from elsewhere."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from formulas import typeset
from page_checks import (
    CONFIG,
    ROOT,
    duplicates,
    executed_figures,
    external_in_css,
    external_resources,
    figure_problems,
    formula_problems,
    launch_addresses,
    link_problems,
    metadata_problems,
    parse,
    shown_sources,
    text_of,
)

NOTEBOOKS = sorted((ROOT / "book").rglob("*.ipynb"))
PICTURES = {"image/png", "image/svg+xml", "image/jpeg"}


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
                text_of(image),
                letters(caption and written_text(caption)),
                figure and figure.get("id"),
            )
        )
    return found


def written_text(element):
    """Return the text of an element, its formulas in TeX."""
    return "".join(
        string
        for string in element.strings
        if string.find_parent("annotation") or not string.find_parent("math")
    )


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
        text_of(image)
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


def test_formulas_are_typeset_in_the_pages(pages):
    assert problems_by_page(pages, formula_problems) == {}
    for place in ("p", "div", "figcaption", "label", ".quiz-reason", "table"):
        formula = f"{place} .katex"
        assert any(parse(html).select_one(formula) for html in pages.values())


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


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_launch_buttons_open_the_notebook_of_the_edition(site, path):
    owner_and_name = urlsplit(CONFIG["repository"]["url"]).path.strip("/")
    branch = CONFIG["sphinx"]["config"]["launch_branch"]
    binder, colab = launch_addresses(page_of(site, path).read_text())
    way = f"/gh/{owner_and_name}/{branch}?urlpath=lab/tree/{path.name}"
    assert binder.endswith(way)
    assert colab.endswith(
        f"/github/{owner_and_name}/blob/{branch}/{path.name}"
    )


def test_the_repository_is_named_once():
    text = (ROOT / "_config.yml").read_text()
    assert text.count(CONFIG["repository"]["url"]) == 1


# --- The checks turn red --------------------------------------------------

GOOD_IMAGE = """
<div class="cell_output"><figure id="fig-rates">
<img alt="Bar chart of admission rates by department; A is highest."
 src="_images/1f.png" width="672" height="346" loading="lazy">
<figcaption><span class="caption-text">Rates.</span></figcaption>
</figure></div>
"""
GOOD_DRAWING = """
<div class="cell_output"><figure id="fig-rates">
<div class="book-picture" role="img"
 aria-label="Bar chart of admission rates by department; A is highest.">
<div><svg aria-hidden="true" viewBox="0 0 9 9"></svg></div></div>
<figcaption><span class="caption-text">Rates.</span></figcaption>
</figure></div>
"""
GOOD_FIGURES = (GOOD_IMAGE, GOOD_DRAWING)
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


@pytest.mark.parametrize("figure", GOOD_FIGURES)
def test_a_good_figure_has_no_problem(figure):
    assert figure_problems(figure) == []


@pytest.mark.parametrize("figure", GOOD_FIGURES)
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
def test_a_bad_figure_is_seen(figure, before, after, problem):
    assert before in figure
    problems = figure_problems(figure.replace(before, after))
    assert any(problem in found for found in problems)


@pytest.mark.parametrize(
    ("figure", "before", "after", "problem"),
    [
        (GOOD_IMAGE, "1f.png", "1f.svg", "not drawn in the page"),
        (GOOD_IMAGE, ' height="346"', "", "no size"),
        (GOOD_IMAGE, "lazy", "eager", "before it is seen"),
        (GOOD_DRAWING, 'role="img"', "", "no picture"),
        (GOOD_DRAWING, "svg", "p", "empty"),
        (GOOD_DRAWING, 'aria-hidden="true"', "", "read out"),
        (GOOD_DRAWING, "viewBox", "view", "no size"),
    ],
)
def test_a_bad_picture_is_seen(figure, before, after, problem):
    assert before in figure
    [found] = figure_problems(figure.replace(before, after))
    assert problem in found


@pytest.mark.parametrize("figure", GOOD_FIGURES)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A is highest", "B is highest"),
        ("Rates.", "Ratios."),
        ("caption-text", "text"),
        ("fig-rates", "fig-ratios"),
        ("figure", "div"),
        ("cell_output", "cell"),
    ],
)
def test_a_page_unlike_its_notebook_is_seen(figure, before, after):
    written = written_figures(GOOD_NOTEBOOK)
    assert shown_figures(figure) == written
    assert before in figure
    assert shown_figures(figure.replace(before, after)) != written


def test_a_notebook_without_texts_is_unlike_its_page():
    [cell] = GOOD_NOTEBOOK["cells"]
    bare = {"cells": [{**cell, "metadata": {}}]}
    assert shown_figures(GOOD_IMAGE) != written_figures(bare)


def test_a_repeated_text_is_seen():
    assert duplicates(["one", "two", "one"]) == ["one"]


@pytest.mark.parametrize(
    "html",
    [
        '<link rel="alternate stylesheet" href="https://example.org/a.css">',
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
        '<link rel="canonical" href="https://example.org/a.html">',
        '<link rel="alternate" hreflang="zh" href="https://example.org/b">',
        '<img src="_images/a.png">',
        '<img src="data:image/png;base64,AA==">',
        "<style>p { background: url(x.png) }</style>",
    ],
)
def test_a_local_resource_is_none_of_them(html):
    assert external_resources(html) == []


GOOD_FORMULA = f"""
<link rel="stylesheet" href="_static/katex/katex-swap.min.css">
<p>By <span class="math">{typeset(r"P[A] = x^2")}</span>: <code>\\(x\\)</code>
</p>
"""


def test_a_good_formula_has_no_problem():
    assert formula_problems(GOOD_FORMULA) == []
    assert parse(GOOD_FORMULA).get_text(strip=True) == (
        r"ByP[A]=x2P[A] = x^2:\(x\)"
    )


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("<code>", "<em>", "TeX: "),
        ("By", "By $$x$$", "TeX: "),
        ("By", r"By \mathbb", "TeX: "),
        ('"katex"', '"other"', "not typeset: "),
        ("annotation", "mtext", "no TeX, or no MathML: "),
        ("katex-html", "html", "not drawn"),
        ("katex/katex-swap.min.css", "other.css", "style sheet"),
        ("By", "<script>MathJax = {}</script>", "a script of MathJax"),
        ("By", "<script src='mathjax.js'></script>", "a script of MathJax"),
    ],
)
def test_a_bad_formula_is_seen(before, after, problem):
    assert before in GOOD_FORMULA
    problems = formula_problems(GOOD_FORMULA.replace(before, after))
    assert any(problem in found for found in problems)


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
        ("other.html#here?state=1", ""),
        ("other.html#nowhere?state=1", "no such anchor"),
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
