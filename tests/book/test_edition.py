"""The runner's edition: plain Markdown, with the numbers and links of pages.

What the pages say is read from their HTML, and what is left of MyST is found
by MyST's own parser.
"""

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from urllib.parse import unquote, urldefrag

import nbformat
import notebooks
import pytest
import yaml
from bs4 import BeautifulSoup
from claims import is_check
from edition import ABOUT, Page, Writer, edition, published
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from mdit_py_plugins.dollarmath import dollarmath_plugin
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from page_checks import CONFIG, ROOT, parse

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
SOURCES = notebooks.toc_notebooks(TOC)
NAMES = [path.stem for path in SOURCES]
PAGES = published(CONFIG["repository"]["url"])
BIBLIOGRAPHY = "book/appendix/bibliography.html"


# --- Writing ----------------------------------------------------------------


@pytest.fixture
def page():
    """Give what Sphinx would say of a page."""
    return Page(
        address="https://x.org/a.html",
        headings=["3.", "3.1."],
        numbers={
            "thm-a": "Theorem 3.1",
            "exr-b": "Exercise 3.1",
            "fig-c": "Figure 3.1",
            "equation-eq-d": "3.4",
        },
        references={":term:`odds`": "[odds](https://x.org/g.html#term-odds)"},
        sources={"id7": "**Bayes, 1763.** An essay.", "id8": "Not cited."},
    )


@pytest.fixture
def write(page):
    return Writer(page).text


def test_a_theorem_is_a_box_with_its_number_and_its_name(write):
    myst = ":::{prf:theorem} On $A$\n:label: thm-a\n\nLet {term}`odds`.\n:::"
    assert write(myst).split("\n>\n") == [
        '> <a id="thm-a"></a>**Theorem 3.1** (On $A$)',
        "> Let [odds](https://x.org/g.html#term-odds).",
    ]


def test_a_formula_of_a_box_stands_in_one_line(write):
    """Else JupyterLab would typeset the marks of the quotation."""
    formula = "- that\n\n  $$\n  a \\\\\n  b\n  $$ (eq-d)\n"
    myst = f":::{{prf:theorem}}\n:label: thm-a\n\n{formula}:::"
    assert write(myst).split("\n>\n")[1:] == [
        "> - that",
        '>   <a id="equation-eq-d"></a>',
        r">   $$ a \\ b \tag{3.4} $$",
    ]


@pytest.mark.parametrize(
    ("options", "tag"),
    [("", "<details open>"), (":class: dropdown\n", "<details>")],
)
def test_a_proof_is_open_where_the_page_has_it_open(write, options, tag):
    myst = f":::{{prf:proof}}\n{options}\nTrue.\n:::"
    assert write(myst) == (
        f"{tag}\n<summary>Proof</summary>\n\nTrue. ∎\n\n</details>"
    )


def test_the_end_of_a_proof_is_no_part_of_its_formula(write):
    myst = ":::{prf:proof}\nSo\n\n$$\na\n$$\n:::"
    assert write(myst).endswith("So\n\n$$\na\n$$\n\n∎\n\n</details>")


def test_what_stands_in_a_box_may_be_a_box(write):
    myst = (
        "::::{solution} exr-b\n:class: dropdown\n\nFirst.\n\n"
        ":::{prf:theorem}\n:label: thm-a\n\nSecond.\n:::\n\nThird.\n::::"
    )
    assert write(myst).split("\n\n") == [
        "<details>\n<summary>Solution to Exercise 3.1</summary>",
        "First.",
        '> <a id="thm-a"></a>**Theorem 3.1**\n>\n> Second.',
        "Third.",
        "</details>",
    ]


def test_a_solution_in_several_cells_is_folded_up_to_its_code(write):
    start = "```{exercise-start} Odds\n:label: exr-b\n```\n\nReturn them."
    assert write(start).split("\n\n") == [
        '<a id="exr-b"></a>',
        "### Exercise 3.1 (Odds)",
        "Return them.",
    ]
    between = (
        "```{exercise-end}\n```\n\n"
        "```{solution-start} exr-b\n:label: sol-b\n:class: dropdown\n```\n\n"
        "Divide."
    )
    assert write(between) == (
        "<details>\n<summary>Solution to Exercise 3.1</summary>\n\n"
        "Divide.\n\n</details>"
    )
    assert write("```{solution-end}\n```\n\nGo on.") == "Go on."


def test_headings_have_their_numbers_and_an_address(write):
    assert write("# Odds") == "# 3. Odds"
    assert write("(sec-a)=\n## Ends\n\nText.") == (
        '<a id="sec-a"></a>\n\n## 3.1. Ends\n\nText.'
    )
    assert write("## Beyond") == "## Beyond", "some pages have no numbers"


def test_an_equation_has_its_number_and_others_have_none(write):
    plain = "Text\n\n$$\na\n$$\n\nand"
    assert write(plain) == plain
    assert write("- item\n\n  $$\n  a .\n  $$ (eq-d)\n") == (
        '- item\n\n  <a id="equation-eq-d"></a>\n\n'
        "  $$\n  a .\n  \\tag{3.4}\n  $$"
    )


def test_what_is_not_known_is_an_error(write):
    with pytest.raises(ValueError, match="`odd` refers to nothing"):
        write("{term}`odd`")
    with pytest.raises(ValueError, match="prf:remark"):
        write(":::{prf:remark}\nText.\n:::")


def test_a_notebook_is_stripped_folded_and_completed(page):
    page.references[":cite:t:`bayes`"] = "Bayes ([1763](#id7))"
    figure = {"figure": {"name": "fig-c", "caption": "By {term}`odds`."}}
    figure["image"] = {"alt": "A line of E[X]."}
    tags = ["hide-input"]
    drawn = nbformat.v4.new_code_cell("draw()", id="draw")
    drawn.metadata |= {"mystnb": figure, "tags": tags}
    check = nbformat.v4.new_code_cell("print(1)", id="check-a")
    check.metadata["tags"] = ["remove-cell"]
    title = nbformat.v4.new_markdown_cell("# Odds", id="title")
    end = "```{solution-end}\n```"
    cells = [
        *(title, check, drawn, nbformat.v4.new_markdown_cell(end, id="end")),
        nbformat.v4.new_markdown_cell("By {cite:t}`bayes`.", id="last"),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    written = edition(notebook, page, {})
    assert {cell.id: cell.source for cell in written.cells} == {
        "title": "# 3. Odds",
        "about": ABOUT.format(address=page.address),
        "draw": "draw()",
        "draw-caption": (
            '<a id="fig-c"></a>**Figure 3.1** '
            "By [odds](https://x.org/g.html#term-odds).\n\n"
            "<details>\n<summary>The figure in words</summary>\n\n"
            "A line of E\\[X\\].\n\n</details>"
        ),
        "last": "By Bayes ([1763](#id7)).",
        "bibliography": (
            '## Bibliography\n\n- <a id="id7"></a>**Bayes, 1763.** An essay.'
        ),
    }
    assert written.cells[2].metadata == {
        "cellView": "form",
        "jupyter": {"source_hidden": True},
        "tags": tags,
    }
    assert notebook.cells[0].source == "# Odds", "the source stays as it is"


# --- The chapters -----------------------------------------------------------


@pytest.fixture(params=SOURCES, ids=NAMES)
def chapter(request, notebooks_to_run):
    """Give a notebook's source, and itself."""
    texts = (
        path.read_text("utf-8")
        for path in (request.param, notebooks_to_run / request.param.name)
    )
    return Chapter(request.param, *map(notebooks.parse, texts))


class Chapter:
    """A notebook as it is committed, and as it is written."""

    def __init__(self, path, source, written):
        self.path, self.source, self.written = path, source, written

    @property
    def page(self):
        """Return where its page is, from the folder of the pages."""
        inside = self.path.relative_to(ROOT).with_suffix(".html")
        return inside.as_posix()

    @property
    def text(self):
        return "\n\n".join(texts(self.written))


def texts(notebook):
    return [c.source for c in notebook.cells if c.cell_type == "markdown"]


def test_there_is_a_notebook_for_each_chapter(notebooks_to_run):
    assert len({*NAMES}) == len(NAMES)
    files = {path.name for path in notebooks_to_run.iterdir()}
    assert files == {f"{name}.ipynb" for name in NAMES}


# --- Plain Markdown ---------------------------------------------------------


@cache
def myst():
    """Return the parser of the pages."""
    extensions = {*CONFIG["parse"]["myst_enable_extensions"]}
    config = MdParserConfig(enable_extensions=extensions)
    return create_md_parser(config, RendererHTML)


def kinds(tokens):
    """Yield of what kind the tokens of a text are, and what directives."""
    for token in tokens:
        directive = token.type == "fence" and token.info.startswith("{")
        yield "directive" if directive else token.type
        yield from kinds(token.children or [])


# Of CommonMark, with tables and formulas.
PLAIN = re.compile(
    r"(paragraph|heading|blockquote|bullet_list|ordered_list|list_item|link"
    r"|strong|em|table|thead|tbody|tr|th|td)_(open|close)"
    r"|text|inline|softbreak|hardbreak|code_inline|html_block|html_inline"
    r"|math_inline|math_block|fence"
)


def test_no_myst_is_left(chapter):
    read = myst().parse
    found = {k for text in texts(chapter.source) for k in kinds(read(text))}
    assert not all(map(PLAIN.fullmatch, found)), "the source has some"
    for text in texts(chapter.written):
        left = {k for k in kinds(read(text)) if not PLAIN.fullmatch(k)}
        assert left == set(), text


def rendered(text):
    """Return Markdown as HTML by CommonMark's rules, and GitHub's tables.

    A dollar beside a space is none of a formula, as GitHub has it.
    """
    reader = MarkdownIt("commonmark").enable("table")
    reader.use(dollarmath_plugin, allow_space=False)
    return BeautifulSoup(reader.render(text), "html.parser")


def test_commonmark_leaves_no_marks_and_closes_what_is_opened(chapter):
    for text in texts(chapter.written):
        page = rendered(text)
        for tag in ("details", "summary", "blockquote", "a"):
            opened = len(re.findall(rf"<{tag}\b", str(page)))
            assert opened == len(page.find_all(tag)), text
        for details in page.find_all("details"):
            first, *rest = details.find_all(True, recursive=False)
            assert first.name == "summary"
            assert rest, "something is folded"
        for formula in page.select(".math, code"):
            formula.decompose()
        left = re.findall(r"\*\*|\]\(|\$|`|:::|\)=$|<\w", page.get_text())
        assert left == [], text


def test_a_formula_touches_no_word(chapter):
    """Else VS Code and GitHub would show its dollars."""
    for text in texts(chapter.written):
        for formula in rendered(text).select(".math.inline"):
            before, after = formula.previous_sibling, formula.next_sibling
            touched = str(before or " ")[-1] + str(after or " ")[0]
            assert not re.search(r"\w", touched), formula


# --- Code -------------------------------------------------------------------


def said(cell):
    """Return the outputs of a cell without the number of its run."""
    return [
        {k: v for k, v in output.items() if k != "execution_count"}
        for output in cell.outputs
    ]


def code_of(notebook):
    """Return what the cells of code are called, do and have said."""
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [(cell.id, cell.source, said(cell)) for cell in code]


def test_code_and_outputs_are_those_of_the_source(chapter):
    after = code_of(chapter.written)
    assert after == code_of(notebooks.without_checks(chapter.source))
    assert not any(map(is_check, chapter.written.cells))


def solution_cells(notebook):
    """Yield the cells of code of solutions, and the cell before each."""
    inside = False
    for before, cell in pairwise(notebook.cells):
        if cell.cell_type == "markdown":
            gates = re.findall(r"\{solution-(start|end)\}", cell.source)
            inside = gates[-1] == "start" if gates else inside
        elif inside:
            yield before.id, cell.id


def test_a_solution_comes_after_its_exercise_and_is_folded(chapter):
    cells = {cell.id: cell for cell in chapter.written.cells}
    code = [name for name in cells if cells[name].cell_type == "code"]
    after = dict(pairwise(code))
    solved = dict(solution_cells(notebooks.without_checks(chapter.source)))
    for before, name in solved.items():
        told = "<details>\n<summary>Solution to Exercise"
        assert cells[before].source.startswith(told) or before in code
        assert cells[name].metadata["jupyter"]["source_hidden"], name
        assert cells[name].metadata["cellView"] == "form", name
    stubs = [name for name in code if name.startswith("stub-")]
    assert {after[name] for name in stubs} <= {*solved.values()}
    assert len(stubs) >= 4 or not solved


# --- Numbers ----------------------------------------------------------------


def words(element):
    """Return the text of a part of a page, its formulas in TeX."""
    element = BeautifulSoup(str(element), "html.parser")
    for formula in element.select(".math"):
        formula.replace_with(f"${formula.annotation.get_text()}$")
    text = " ".join(element.get_text().split())
    return text.translate(str.maketrans("‘’“”", "''\"\""))


def article(site, page):
    """Return the text of a page, without what cells print."""
    found = parse((site / page).read_text("utf-8")).select_one("article")
    for other in found.select(".cell_output form, .headerlink"):
        other.decompose()
    return found


def numbers_of_page(site, page):
    """Return the numbers of a page by the ids of what has them."""
    found = {}
    for number in article(site, page).select(".caption-number, .eqno"):
        owner = number.find_parent(id=True)
        found[owner["id"]] = words(number)
    return found


NUMBERED = re.compile(
    r'<a id="([^"]+)"></a>[\s>]*'
    r"(?:\*\*(?P<box>[A-Z]\w+ [\d.]+)\*\*|### (?P<exercise>Exercise [\d.]+)"
    r"|\$\$[^$]*\\tag\{(?P<equation>[\d.]+)\}\s*\$\$)"
)


def numbers_of_notebook(text):
    """Return the numbers of a notebook by the ids of what has them."""
    found = {}
    for numbered in NUMBERED.finditer(text):
        equation = numbered["equation"]
        name = f"({equation})" if equation else numbered[numbered.lastgroup]
        found[numbered[1]] = name
    return found


def test_the_numbers_are_those_of_the_page(site, chapter):
    shown = numbers_of_page(site, chapter.page)
    assert numbers_of_notebook(chapter.text) == shown


def test_the_headings_are_those_of_the_page(site, chapter):
    page = article(site, chapter.page).select("h1, h2, h3, h4")
    shown = [(int(heading.name[1]), words(heading)) for heading in page]
    headings = re.findall(r"^(#+) (.*)$", chapter.text, re.MULTILINE)
    said = [
        (len(marks), title.replace("\\", ""))
        for marks, title in headings
        if not re.match(r"Exercise \d|Bibliography$", title)
    ]
    assert [(level, title.replace("\\", "")) for level, title in shown] == said


# --- Links ------------------------------------------------------------------

ADDED = {"about", "bibliography"}
MARKS = re.compile(r"\\(?=\W)|\*")  # of escapes and of emphasis
LINK = re.compile(r"\[((?:[^\[\]]|\\[\[\]]|\[[^\]]*\])+)\]\(([^()\s]+)\)")


def links_of_page(site, page):
    """Count where the links of a page lead, and the words they have."""
    found = Counter()
    for link in article(site, page).select("a.reference.internal"):
        address, place = urldefrag(link["href"])
        target = (site / page).parent.joinpath(address).resolve()
        inside = target.relative_to(site).as_posix() if address else page
        found[inside, unquote(place), words(link)] += 1
    return found


def links_of_notebook(chapter):
    """Count the same of a notebook, whose sources are those of the book."""
    found = Counter()
    for cell in chapter.written.cells:
        if cell.cell_type == "markdown" and cell.id not in ADDED:
            for text, address in LINK.findall(cell.source):
                page, place = urldefrag(address)
                inside = page.removeprefix(PAGES) or chapter.page
                if re.fullmatch(r"id\d+", place):
                    inside = BIBLIOGRAPHY
                said_by_it = " ".join(MARKS.sub("", text).split())
                found[inside, place, said_by_it] += 1
    return found


def test_the_links_are_those_of_the_page(site, chapter):
    shown = links_of_page(site, chapter.page)
    found = links_of_notebook(chapter)
    assert found - shown == Counter()
    assert shown - found == Counter()


@cache
def places(path):
    """Return the ids of a page."""
    return {*re.findall(r'\bid="([^"]+)"', path.read_text("utf-8"))}


def test_each_link_leads_somewhere(site, chapter):
    own = re.findall(r'<a id="([^"]+)"></a>', chapter.text)
    assert len({*own}) == len(own), "each place is there once"
    for _, address in LINK.findall(chapter.text):
        page, place = urldefrag(address)
        if not page:
            assert place in own, address
        elif page.startswith(PAGES):
            target = site / page.removeprefix(PAGES)
            assert target.exists(), address
            assert place in {"", *places(target)}, address
        else:
            assert address.startswith("https://doi.org/"), address
