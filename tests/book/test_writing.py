"""How a revised chapter is built: its core, its deeper sections, its end."""

import ast
import re

import notebooks
import pytest
import yaml
from book_texts import pages, texts
from chapter_pieces import CITED, labels, markdown, matches, read
from reading import AFTER_THE_CORE, Length, duration, length, of_text, pieces

# Chapters join when they are rewritten.
REVISED = (
    "events",
    "random_variables",
    "conditional_independence",
    "three_variables",
    "d_separation",
    "likelihood",
    "limit_theorems",
    "decisions",
    "dirichlet_multinomial",
    "risk",
    "map_and_bayes",
    "naive_bayes",
    "number_game",
    "beta_binomial",
    "semi_naive",
    "features",
    "text",
    "gaussian_gamma",
    "large_data",
    "representation",
    "learning",
    "inference",
    "mcmc",
    "em",
    "sequences",
)
LONGEST_CORE = 4500  # words
SCREENS = 1.5  # to the first picture

TOC = yaml.safe_load((notebooks.ROOT / "_toc.yml").read_text("utf-8"))
ORDER = [path.stem for path in notebooks.toc_notebooks(TOC)]
TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`")
# What another book has is cited with its name.
TYPED_NUMBER = re.compile(r"\b[Cc]hapters? \d+")
DRILL = re.compile(r'drills\.show\("([\w-]+)"')


def code(piece):
    """Return the parsed code of a piece; a command of IPython is none."""
    try:
        return ast.parse("" if isinstance(piece, str) else piece.source)
    except SyntaxError:
        return ast.parse("")


def names(piece, context):
    """Return the names of Python that a piece stores or loads."""
    nodes = ast.walk(code(piece))
    return {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, context)
    }


class Deeper:
    """What the starred sections of the chapters so far defined first."""

    def __init__(self):
        self.labels, self.terms, self.core_terms = set(), set(), set()

    def needed(self, notebook):
        """Read the next chapter; return what its core has from below."""
        found, stored, of_core = set(), set(), set()
        parts = [*pieces(notebook)]
        for part, piece in parts:
            if part == "deeper":
                self.labels |= labels(piece)
        for part, piece in parts:
            text = markdown(piece)
            terms = matches(TERM, text)
            if part == "deeper":
                self.terms |= terms - self.core_terms
                stored |= names(piece, ast.Store) - of_core
            if part == "core":
                found |= self.labels & matches(CITED, text)
                found |= self.terms & terms
                self.core_terms |= terms
                # A name that the core binds itself is its own.
                of_core |= names(piece, ast.Store)
                stored -= of_core
                found |= stored & names(piece, ast.Load)
        return found


def needed_by_cores(chapters):
    """Return what the core of each chapter has from a starred section."""
    deeper = Deeper()
    return {chapter: deeper.needed(read(chapter)) for chapter in chapters}


def notebook_of(*cells):
    """Return a notebook: Markdown, and code in a tuple."""
    v4 = notebooks.nbformat.v4
    return v4.new_notebook(
        cells=[
            v4.new_code_cell(cell[0])
            if isinstance(cell, tuple)
            else v4.new_markdown_cell(cell)
            for cell in cells
        ]
    )


# --- Length -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "formulas"),
    [
        ("Two words.", 2, 0),
        ("So $x = 1$ and $$ y = 2 $$ (eq-y) hold.", 3, 2),
        ("A {term}`parent <node>` of [a page](/book/x.md), *or* – two.", 7, 0),
        (":::{prf:theorem} Bayes\n:label: thm-b\n\nIt holds.\n:::", 3, 0),
        ("(sec-a)=\n```python\nno = words\n```\nBut these.", 2, 0),
        ("Do it.\n::::{solution} exr-a\nDone so.\n::::\nWell done.", 4, 0),
    ],
)
def test_words_are_counted_without_tex_code_and_solutions(
    text, words, formulas
):
    assert of_text(text) == Length(words, formulas)


def test_a_chapter_is_its_core_its_deeper_sections_and_its_end():
    notebook = notebook_of(
        "# Events\nOne.",
        ("import numpy",),
        ("x = 1\n\nx + 1",),
        "## Plates ★\nOne two.\n### More\nThree.",
        "## Summary\nOne two three.",
        "## Problems\nFour.",
    )
    assert length(notebook) == Length(words=6, lines=2)
    assert length(notebook, "deeper") == Length(words=5)
    assert length(notebook, "after") == Length(words=2)


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(5, "5 minutes"), (60, "1 hour"), (125, "2 hours 5 minutes")],
)
def test_a_duration_in_words(minutes, said):
    assert duration(minutes) == said


def test_the_time_is_that_of_words_formulas_and_lines():
    # 20 minutes of words, 10 of formulas, 5 of code.
    assert Length(words=3000, formulas=60, lines=60).minutes == 35
    assert Length().minutes == 5


@pytest.mark.parametrize("chapter", REVISED)
def test_a_core_is_read_in_one_sitting(chapter):
    assert length(read(chapter)).words <= LONGEST_CORE


@pytest.mark.parametrize("chapter", ORDER)
def test_no_reading_time_is_typed(chapter):
    assert "Reading takes" not in "".join(texts(chapter).values())


# --- Deeper sections --------------------------------------------------------


@pytest.mark.parametrize(
    "core",
    [
        "See {prf:ref}`thm-deep`.",
        "See {numref}`Figure %s <fig-deep>`.",
        "By {eq}`eq-deep`.",
        "A {term}`plates <plate>`.",
        ("print(depth)",),
    ],
)
def test_a_core_that_needs_a_starred_section_is_seen(core):
    figure = notebook_of(("depth = 1\ndepth",)).cells[0]
    figure.metadata["mystnb"] = {"figure": {"name": "fig-deep"}}
    star = "## Plates ★\n:label: thm-deep\n$$ x $$ (eq-deep)\n{term}`plate`"
    notebook = notebook_of("# A\n", star, "## Core\n", core)
    notebook.cells.insert(2, figure)
    [found] = Deeper().needed(notebook)
    assert found.removeprefix("thm-").removeprefix("fig-")


def test_a_core_may_define_by_itself_what_a_starred_section_has():
    own = ("depth = 2\nprint(depth)",)
    deep = "## Plates ★\n{term}`plate`"
    notebook = notebook_of("A {term}`plate`.", deep, ("depth = 1",))
    notebook.cells += notebook_of("## Core\n{term}`plate`", own).cells
    assert Deeper().needed(notebook) == set()


def test_a_label_belongs_to_the_section_below_it():
    deep = "(sec-deep)=\n(sec-old)=\n## Plates ★\n"
    notebook = notebook_of(deep, "(sec-next)=\n## Core\nSee {ref}`sec-next`.")
    assert Deeper().needed(notebook) == set()
    notebook.cells += notebook_of("{ref}`sec-deep`, {ref}`sec-old`").cells
    assert Deeper().needed(notebook) == {"sec-deep", "sec-old"}


def test_no_core_needs_a_starred_section():
    assert not any(needed_by_cores(ORDER).values()), needed_by_cores(ORDER)


# --- The rest ---------------------------------------------------------------


def typed_numbers(chapter):
    """Return the sentences that call a chapter of this book by a number."""
    lines = "\n".join(texts(chapter).values()).split("\n")
    return [
        line
        for line in lines
        if TYPED_NUMBER.search(line) and "{cite" not in line
    ]


@pytest.mark.parametrize("chapter", REVISED)
def test_chapters_are_cited_by_reference(chapter):
    assert typed_numbers(chapter) == []


@pytest.mark.parametrize("chapter", REVISED)
def test_a_chapter_says_where_other_books_have_it(chapter):
    titles = re.findall(r"^## (.+)$", "\n".join(texts(chapter).values()), re.M)
    end = [title for title in titles if title in AFTER_THE_CORE]
    assert end[-2:] == [
        "Where other books say it",
        "Sources and further reading",
    ]


@pytest.mark.parametrize("chapter", REVISED)
def test_a_chapter_has_two_kinds_of_drills(chapter):
    source = "\n".join(cell.source for cell in read(chapter).cells)
    assert len({*DRILL.findall(source)}) >= 2


@pytest.mark.parametrize("chapter", REVISED)
def test_the_first_picture_is_near_the_top(tab, site, chapter):
    path = pages()[chapter].relative_to(notebooks.ROOT)
    with tab.visit(site / path.with_suffix(".html")) as page:
        picture = page.locator("article figure, article .explore").first
        top = picture.bounding_box()["y"]
        assert top <= SCREENS * page.viewport_size["height"]
