"""Make the page Practice, and the scripts with the questions it draws from.

The scripts lie outside `_static`, because Jupyter Book links every script
there into every page; a reader's browser fetches those that it needs.
"""

from pathlib import Path

import yaml
from docutils import nodes
from drill_banks import section_finder
from formulas import KATEX
from sphinx.util.docutils import SphinxDirective

import bayesbook
from bayesbook.study import quiz
from bayesbook.study.practice import bank, page

FOLDER = "practice"
PLACE = '<div class="practice-place"></div>'


class Practice(SphinxDirective):
    """The place of the page where a reader chooses and answers."""

    def run(self):
        """Leave a place: titles of chapters are known when all are read."""
        for path in sources(Path(self.env.srcdir)):
            self.env.note_dependency(str(path))
        return [nodes.raw("", PLACE, format="html")]


def sources(root):
    """Return what the page is made of besides its text."""
    study = Path(bayesbook.__file__).parent / "study"
    library = [*study.glob("practice/*.*"), *study.glob("quiz/*.*")]
    banks = root.glob("book/quizzes/*.yml")
    pages = root.glob("book/*/*.ipynb")
    return [*library, root / "_toc.yml", *banks, *pages]


def parts_of(toc):
    """Yield the titles of the parts of a table of contents, and their files.

    Only chapters have a quiz.
    """
    quizzes = quiz.names()
    for part in toc["parts"]:
        files = [chapter["file"] for chapter in part["chapters"]]
        chapters = [file for file in files if Path(file).name in quizzes]
        if chapters:
            yield part["caption"], chapters


def chapter_of(env, file, address):
    """Return what the page has to know of a chapter."""
    number = env.toc_secnumbers.get(file, {}).get("", ())
    return page.Chapter(
        name=Path(file).name,
        title=env.titles[file].astext(),
        number="".join(f"{each}." for each in number),
        address=address,
    )


def sections_of(app, pagename):
    """Return address and title of each section that teaches a question."""
    find = section_finder(app, pagename)
    return {
        question.section: find(question.section)
        for name in quiz.names()
        for question in quiz.load(name).questions
        if question.section
    }


def fill_place(app, pagename, templatename, context, doctree):
    """Write the choice, the run and the result into their place."""
    if PLACE not in context.get("body", ""):
        return
    toc = yaml.safe_load(Path(app.srcdir, "_toc.yml").read_text("utf-8"))
    parts = [
        (title, [chapter_of(app.env, f, context["pathto"](f)) for f in files])
        for title, files in parts_of(toc)
    ]
    root = "../" * pagename.count("/")
    katex = f"{root}_static/{KATEX.name}"
    sections = sections_of(app, pagename)
    content = page.html(parts, root + FOLDER, katex, sections)
    context["body"] = context["body"].replace(PLACE, content)


def is_current(script, banks):
    """Tell whether a script is newer than all that it is made of."""
    library = Path(bayesbook.__file__).parent / "study"
    sources = [*library.glob("quiz/*.py"), *library.glob("practice/*.py")]
    newest = max(path.stat().st_mtime for path in [*sources, *banks])
    return script.exists() and script.stat().st_mtime > newest


def write_scripts(app, exception):
    """Write the questions as scripts once the pages are written."""
    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    banks = sorted(Path(app.srcdir, "book", "quizzes").glob("*.yml"))
    index = folder / "index.js"
    if is_current(index, banks):
        return
    quizzes = [quiz.load(path) for path in banks]
    for each in quizzes:
        script = folder / f"{each.chapter}.js"
        script.write_text(bank.bank_script(each), encoding="utf-8")
    index.write_text(bank.index_script(quizzes), encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.add_directive("practice", Practice)
    app.connect("html-page-context", fill_place)
    app.connect("build-finished", write_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
