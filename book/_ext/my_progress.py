"""List what a reader can answer, for "My progress" and for the contents.

When the pages are written, their quizzes, quick checks and drills are read
from them: so ids and versions are those that the pages store answers with.
The page "My progress" fetches the whole list, `catalogue.js`; any other page
fetches `versions.js`, if something has been answered, to mark the chapters in
its contents. Both are scripts, because a page on a disk may not read any other
file. They lie outside `_static`, because Jupyter Book links every script there
into every page.
"""

import json
import re
from html import unescape
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from bayesbook.study.exercises.checker import exercises_of
from bayesbook.study.quiz.pages import asset

PAGE = "book/appendix/progress"
FOLDER = "progress"
SCRIPTS = Path(__file__).with_name("progress")
LONGEST = 48  # characters of a question
SHORT = 6  # characters of a version, to tell those of one chapter apart

SECTION = re.compile(
    r'<section\b([^>]*\bclass="bayesbook-quiz\b[^>]*)>(.*?)</section>',
    re.DOTALL,
)
QUESTION = re.compile(
    r'<form\b([^>]*\bclass="quiz-question"[^>]*)>.*?'
    r'<div class="quiz-prompt"[^>]*>(.*?)</div>',
    re.DOTALL,
)
TITLE = re.compile(r"<title>(?:([\d.]+)\. )?(.*?) &#8212; .*?</title>")
DRILL_TITLE = re.compile(r'<div[^>]*class="drill-title"[^>]*>(.*?)</div>')
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


# --- What a page asks -------------------------------------------------------


def attributes(tag):
    """Return the attributes of a tag by name."""
    return {name: unescape(text) for name, text in ATTRIBUTE.findall(tag)}


def in_short(prompt):
    """Return the beginning of a prompt as plain text, formulas as spoken."""
    soup = BeautifulSoup(prompt, "html.parser")
    for unread in soup.select(".katex-html, annotation, svg, pre"):
        unread.decompose()
    for css, sign in (("mfrac", "/"), ("msup", "^")):
        for pair in soup.select(css):
            pair.contents[0].insert_after(sign)
    text = " ".join(soup.get_text().split())
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:.") + " …"


def asked_in(html):
    """Return what a page asks, by kind.

    Of a quiz and of quick checks these are `[id, version, text]`; their
    addresses follow from the ids. Of drills they are `[kind, address, title]`;
    a kind that is there twice counts once.
    """
    quizzes, checks, drills = {}, {}, {}
    for tag, content in SECTION.findall(html):
        about = attributes(tag)
        forms = QUESTION.findall(content)
        if kind := about.get("data-drill"):
            [title] = DRILL_TITLE.findall(content)
            name = unescape(title).removeprefix("Drill: ")
            address = attributes(forms[0][0])["id"]
            drills.setdefault(kind, [kind, address, name])
            continue
        is_check = "bayesbook-check" in about["class"].split()
        found = checks if is_check else quizzes
        for form, prompt in forms:
            form = attributes(form)
            found[form["data-id"]] = [
                form["data-id"],
                form["data-version"],
                in_short(prompt),
            ]
    return {
        "quiz": [*quizzes.values()],
        "checks": [*checks.values()],
        "drills": [*drills.values()],
    }


def count_exercises(chapter):
    """Return how many coding exercises a chapter has."""
    try:
        return len(exercises_of(chapter))
    except ValueError:  # it has none
        return 0


def chapter_of(page, html):
    """Return the entry of a page, or None if it asks nothing."""
    asked = asked_in(html)
    if not any(asked.values()):
        return None
    number, title = TITLE.search(html).groups()
    return {
        "name": Path(page).name,
        "page": page,
        "number": number or "",
        "title": unescape(title),
        **asked,
        "exercises": count_exercises(Path(page).name),
    }


def catalogue(parts, site):
    """Return the parts of the book with the chapters that ask something."""
    found = []
    for title, pages in parts:
        entries = [
            chapter_of(page, Path(site, f"{page}.html").read_text("utf-8"))
            for page in pages
        ]
        if chapters := [entry for entry in entries if entry]:
            found.append({"title": title, "chapters": chapters})
    return found


def parts_of(toc):
    """Return the title and the chapters of each part of a `_toc.yml`."""
    return [
        (part["caption"], [entry["file"] for entry in part["chapters"]])
        for part in toc["parts"]
    ]


# --- The scripts ------------------------------------------------------------


def catalogue_script(parts):
    """Write the list as a script."""
    written = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return f"window.bayesbookCatalogue = {written};\n"


def versions_script(parts):
    """Write of each chapter its page, its name and the versions, as a script.

    The beginnings of all its versions stand in one text.
    """
    chapters = [
        [
            chapter["page"],
            chapter["name"],
            "".join(
                version[:SHORT]
                for _, version, *_ in chapter["quiz"] + chapter["checks"]
            ),
        ]
        for part in parts
        for chapter in part["chapters"]
    ]
    written = json.dumps(chapters, separators=(",", ":"))
    return f"window.bayesbookVersions = {written};\n"


def page_script():
    """Write the script of the page: its parts, in one function."""
    parts = ["records", "page"]
    sources = [SCRIPTS.joinpath(f"{part}.js").read_text() for part in parts]
    sources = "\n".join([asset("memory.js"), *sources])
    return f'(() => {{\n"use strict";\n{sources}}})();\n'


def is_current(script, sources, app):
    """Tell whether a script is newer than the pages and other sources."""
    read = [*sources, *Path(app.outdir, "book").rglob("*.html")]
    return script.exists() and script.stat().st_mtime > max(
        path.stat().st_mtime for path in read
    )


def write_scripts(app, exception):
    """Write the scripts once the pages are written."""
    if exception or app.builder.name != "html":
        return
    folder = Path(app.outdir, FOLDER)
    folder.mkdir(exist_ok=True)
    (folder / "page.js").write_text(page_script(), "utf-8")
    toc_file = Path(app.srcdir, "_toc.yml")
    parts = parts_of(yaml.safe_load(toc_file.read_text("utf-8")))
    if is_current(folder / "catalogue.js", [toc_file, Path(__file__)], app):
        return
    listed = catalogue(parts, app.outdir)
    (folder / "versions.js").write_text(versions_script(listed), "utf-8")
    (folder / "catalogue.js").write_text(catalogue_script(listed), "utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", write_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
