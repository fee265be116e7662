"""Write the runner's edition: chapters as notebooks that any program shows.

    jupyter-book build . --builder custom --custom-builder notebooks

The chapters are written in MyST, which the pages need. JupyterLab shows it in
part, and Colab, GitHub and VS Code show its source. This builder writes the
chapters once more, to `_build/notebooks`, in what all of them read:
CommonMark, TeX, and simple HTML where Markdown has nothing. A link leads to a
place in the same notebook or to the published page.

The numbers, and the words and addresses of links, are those of the pages:
they are read from Sphinx's environment, which both builders share. Only what
is MyST is rewritten; prose, tables and formulas are plain already. sphinx-
tojupyter and sphinx-markdown-builder write everything anew from Sphinx's
tree, without what they do not know: proofs, exercises, folded texts.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml
from docutils import nodes
from notebooks import canonical, parse, serialise, without_checks
from sphinx.addnodes import pending_xref
from sphinx.builders import Builder

SOURCES = "book/appendix/bibliography"

# --- What the pages say -----------------------------------------------------


@dataclass
class Page:
    """What Sphinx has found for one page."""

    address: str
    headings: list[str]  # their numbers, in their order, if they have any
    numbers: dict[str, str]  # `Theorem 1.2`, and of an equation `1.2`
    references: dict[str, str]  # the Markdown for each role, by its source
    sources: dict[str, str]  # what the bibliography says, by id


# Sphinx sets typographic quotation marks; the prose around has plain ones.
STRAIGHT = str.maketrans("‘’“”", "''\"\"")
SPECIAL = re.compile(r"([\\`*_\[\]<>$|])")


def escaped(text):
    """Return a text in which no sign has a meaning for Markdown.

    Examples
    --------
    >>> print(escaped("E[X | Y]"))
    E\\[X \\| Y\\]
    """
    return SPECIAL.sub(r"\\\1", text)


def markdown(node):
    """Write what stands within a line as Markdown.

    Examples
    --------
    >>> words = nodes.inline("", "2*3 is ", nodes.math("", "6"))
    >>> markdown(nodes.reference("", "", words, refid="eq-six"))
    '[2\\\\*3 is $6$](#eq-six)'
    """
    inside = "".join(map(markdown, node.children))
    match node:
        case nodes.Text():
            return escaped(node.astext().translate(STRAIGHT))
        case nodes.math():
            return f"${node.astext()}$"
        case nodes.literal():
            return f"`{node.astext()}`"
        case nodes.emphasis():
            return f"*{inside}*"
        case nodes.reference():
            address = node.get("refuri") or f"#{node['refid']}"
            return f"[{inside}]({address})"
        case _:
            return inside


def resolved_references(builder, name, doctree):
    """Return the Markdown of each reference of a page, by its source.

    They are resolved apart from the page, whose figures and outputs would
    take most of the time.
    """
    document = doctree.copy()
    found = {node.rawsource: node for node in doctree.findall(pending_xref)}
    for node in found.values():
        document += nodes.paragraph("", "", node.deepcopy())
    builder.env.resolve_references(document, name, builder)
    return dict(zip(found, map(markdown, document.children), strict=True))


def kind(env, label, default):
    """Return what a numbered thing is called: a theorem, a figure."""
    return env.proof_list.get(label, {"realtype": default})["realtype"]


def numbers(env, name):
    """Return the numbers that a page has, by the ids of what they name."""
    found = {}
    for counter, labels in env.toc_fignumbers.get(name, {}).items():
        for label, parts in labels.items():
            number = ".".join(map(str, parts))
            title = kind(env, label, counter).title()
            equation = counter == "displaymath"
            found[label] = number if equation else f"{title} {number}"
    return found


def headings(env, name):
    """Return the number of each heading of a page, as the page writes it."""
    numbers = env.toc_secnumbers.get(name, {}).values()
    return ["".join(f"{part}." for part in number) for number in numbers]


# --- From MyST to Markdown --------------------------------------------------

OPTIONS = r"(?P<options>(?:^:[\w-]+:.*\n)*)"
BLOCK = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<name>[\w:-]+)\} *(?P<title>.*)\n"
    + OPTIONS
    + r"(?P<body>(?s:.*?))^(?P=fence)$",
    re.MULTILINE,
)
# A solution that goes on in cells of code.
OPENED = re.compile(
    r"^```\{solution-start\} *(\S+)\n(?::.*\n)*```\n((?s:.*?))(?=^```\{|\Z)",
    re.MULTILINE,
)
HEADING = re.compile(r"^(#{1,6}) (?=.)", re.MULTILINE)
TARGET = re.compile(r"^\(([\w-]+)\)=\n", re.MULTILINE)
ROLE = re.compile(r"\{([\w:-]+)\}`([^`]+)`")
DISPLAY = re.compile(
    r"^(?P<indent> *)\$\$\n(?P<tex>(?s:.*?))^ *\$\$(?: \((?P<label>.+)\))?$",
    re.MULTILINE,
)


def anchor(place):
    """Return a place that a link can lead to."""
    return f'<a id="{place}"></a>'


def folded(summary, text, opened=False):
    """Return a text that opens when its summary is clicked."""
    tag = "<details open>" if opened else "<details>"
    return f"{tag}\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


def ended(proof):
    """Return a proof with a sign where it ends: an open one has no frame.

    Examples
    --------
    >>> ended("It holds.")
    'It holds. ∎'
    """
    between = " " if proof.endswith(".") else "\n\n"
    return f"{proof}{between}∎"


def quoted(text):
    """Return a text as a quotation, which has a line beside it.

    Its formulas stand in one line each: JupyterLab would take the marks of a
    quotation for signs of TeX.
    """
    text = DISPLAY.sub(
        lambda one: f"{one['indent']}$$ {' '.join(one['tex'].split())} $$",
        text,
    )
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def titled(number, title):
    """Return the number and the title of a box as the page has them."""
    return f"{number} ({title})" if title else number


class Writer:
    """Write the Markdown of one notebook.

    It is to be called with the cells in their order, because headings have
    no other name than their place.
    """

    def __init__(self, page):
        self.page = page
        self.headings = iter(page.headings)

    def text(self, myst):
        """Return MyST as Markdown."""
        myst = OPENED.sub(r"::::{solution} \1\n\2\n::::\n", myst)
        written, at = [], 0
        for block in BLOCK.finditer(myst):
            written += [self.prose(myst[at : block.start()])]
            written += [self.block(**block.groupdict())]
            at = block.end()
        written += [self.prose(myst[at:])]
        return "\n\n".join(filter(None, written))

    def prose(self, myst):
        """Return MyST without directives as Markdown."""
        text = DISPLAY.sub(self.display, myst.strip("\n"))
        text = HEADING.sub(self.heading, text)
        text = TARGET.sub(lambda found: f"{anchor(found[1])}\n\n", text)
        return self.line(text)

    def line(self, myst):
        """Return MyST that stands within a line as Markdown."""
        return ROLE.sub(self.reference, myst)

    def reference(self, role):
        """Return a reference as a link."""
        source = f":{role[1]}:`{role[2]}`"
        if source not in self.page.references:
            raise ValueError(f"{role[0]} refers to nothing that a page has.")
        return self.page.references[source]

    def heading(self, found):
        """Return the marks of a heading with its number."""
        number = next(self.headings, "")
        return f"{found[0]}{number} " if number else found[0]

    def display(self, found):
        """Return a formula on lines of its own with its number."""
        if found["label"] is None:
            return found[0]
        label, indent = f"equation-{found['label']}", found["indent"]
        tag = rf"\tag{{{self.page.numbers[label]}}}"
        return (
            f"{indent}{anchor(label)}\n\n{indent}$$\n{found['tex']}"
            f"{indent}{tag}\n{indent}$$"
        )

    def block(self, fence, name, title, options, body):
        """Return a directive as Markdown."""
        options = dict(re.findall(r"^:([\w-]+): *(.*)$", options, re.M))
        label, text = options.get("label"), self.text(body)
        match name:
            case "prf:proof":
                return folded("Proof", ended(text), "class" not in options)
            case "solution":
                number = self.page.numbers[title]
                return folded(f"Solution to {number}", text)
            case "dropdown":
                return folded(self.line(title), text)
            case "exercise" | "exercise-start":
                head = titled(self.page.numbers[label], self.line(title))
                return f"{anchor(label)}\n\n### {head}\n\n{text}".rstrip()
            case "exercise-end" | "solution-end":
                return ""
            case _ if label in self.page.numbers:
                number = f"**{self.page.numbers[label]}**"
                head = anchor(label) + titled(number, self.line(title))
                return quoted(f"{head}\n\n{text}")
        raise ValueError(
            f"There is no plain Markdown yet for {fence}{{{name}}}: "
            "give it a case here."
        )

    def caption(self, figure):
        """Return what stands below a figure: its number and what it shows."""
        place = figure["figure"]["name"]
        number, caption = self.page.numbers[place], figure["figure"]["caption"]
        return (
            f"{anchor(place)}**{number}** {self.line(caption)}\n\n"
            + folded("The figure in words", escaped(figure["image"]["alt"]))
        )


# --- The notebook -----------------------------------------------------------

ABOUT = (
    "*This is [a page of Bayesbook]({address}) to be run and changed, with "
    "the same numbers. Shift+Enter runs a cell, which needs those above it.*"
)
CITED = re.compile(r"\]\(#([^)]+)\)")


def text_cell(name, text):
    """Return a cell of Markdown."""
    return nbformat.v4.new_markdown_cell(text, id=name)


def plain_cells(notebook, page):
    """Yield the cells of a notebook in plain Markdown, and new ones."""
    write = Writer(page)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = write.text(cell.source)
        figure = cell.metadata.pop("mystnb", None)
        if cell.source:
            yield cell
        if figure:
            yield text_cell(f"{cell.id}-caption", write.caption(figure))


def with_fold(cell):
    """Fold a cell in Colab as well, which has its own word for it."""
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        cell.metadata["cellView"] = "form"
    return cell


def edition(notebook, page, config):
    """Return a notebook as it is to be run.

    Parameters
    ----------
    notebook : NotebookNode
        As it is committed; not changed.
    page : Page
    config : dict
        The parsed ``_config.yml``.
    """
    notebook = canonical(without_checks(notebook), config)
    first, *rest = plain_cells(notebook, page)
    about = text_cell("about", ABOUT.format(address=page.address))
    notebook.cells = [first, about, *map(with_fold, rest)]
    written = "".join(cell.source for cell in notebook.cells)
    cited = [
        f"- {anchor(place)}{text}"
        for place, text in page.sources.items()
        if place in CITED.findall(written)
    ]
    if cited:
        listed = "\n".join(["## Bibliography", "", *cited])
        notebook.cells.append(text_cell("bibliography", listed))
    return notebook


# --- The builder ------------------------------------------------------------


def published(repository):
    """Return where GitHub shows the pages of a repository.

    Examples
    --------
    >>> published("https://github.com/someone/book")
    'https://someone.github.io/book/'
    """
    *_, owner, name = repository.rstrip("/").split("/")
    return f"https://{owner}.github.io/{name}/"


class NotebookBuilder(Builder):
    """Write each chapter as a notebook in plain Markdown."""

    name = "notebooks"
    format = "notebooks"
    epilog = "The notebooks are in %(outdir)s."

    def init(self):
        """Learn where the pages are published."""
        config = Path(self.confdir, "_config.yml")
        self.book = yaml.safe_load(config.read_text("utf-8"))
        self.pages = published(self.book["repository"]["url"])

    def get_outdated_docs(self):
        """Name the pages to be written: all, as that takes seconds."""
        return self.env.found_docs

    def get_target_uri(self, docname, typ=None):
        """Return the address of a published page."""
        return f"{self.pages}{docname}.html"

    def get_relative_uri(self, from_, to, typ=None):
        """Return what a link leads to: its sources a notebook has itself."""
        return "" if to == SOURCES else self.get_target_uri(to)

    def sources(self):
        """Return the Markdown of each entry of the bibliography, by its id."""
        doctree = self.env.get_and_resolve_doctree(SOURCES, self)
        found = {}
        for entry in doctree.findall(nodes.citation):
            label, *text = map(markdown, entry.children)
            found[entry["ids"][0]] = f"**{label}.** {''.join(text)}"
        return found

    def page(self, name):
        """Return what is known of a page."""
        doctree = self.env.get_doctree(name)
        return Page(
            address=self.get_target_uri(name),
            headings=headings(self.env, name),
            numbers=numbers(self.env, name),
            references=resolved_references(self, name, doctree),
            sources=self.listed,
        )

    def write(self, *_):
        """Write the notebooks, and remove those of chapters that are gone."""
        self.listed = self.sources()
        written = set()
        for name in sorted(self.env.found_docs):
            source = Path(self.env.doc2path(name))
            if source.suffix != ".ipynb":
                continue
            notebook = parse(source.read_text("utf-8"))
            plain = edition(notebook, self.page(name), self.book)
            path = Path(self.outdir, source.name)
            path.write_text(serialise(plain), "utf-8")
            written.add(path)
        for path in {*Path(self.outdir).glob("*.ipynb")} - written:
            path.unlink()


def remove_styles(app, exception):
    """Remove the style sheets that extensions leave beside the notebooks."""
    if app.builder.name == NotebookBuilder.name:
        shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)


def setup(app):
    """Register with Sphinx."""
    app.add_builder(NotebookBuilder)
    app.connect("build-finished", remove_styles, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
