"""Write plans for teachers, from what their chapters hold.

`{plan}` names a plan of `book/appendix/plans.yml`. For each session it links
to the chapters, with their reading times, to the explorables and quick checks
for the classroom, to the drills, and to a worksheet of the page Practice.
"""

import re
from html import escape
from pathlib import PurePosixPath
from urllib.parse import urlencode

import yaml
from prerequisites import ROOT, notebook, prerequisites, title
from reading import duration
from roads import Written, link, listed, minutes
from sphinx.errors import ExtensionError

from bayesbook.study import explore, quiz
from bayesbook.study.quiz.checks import anchor

PLANS = ROOT / "book" / "appendix" / "plans.yml"
EXPLORED = re.compile(r"^explore\.(\w+)\(\)", re.MULTILINE)
QUESTIONS = 6  # on a worksheet


def plans():
    """Return the plans by name, with the pages of the chapters."""
    pages = {PurePosixPath(page).name: page for page in prerequisites()}
    read = yaml.safe_load(PLANS.read_text("utf-8"))
    return {
        name: [
            session | {"pages": [pages[c] for c in session["chapters"]]}
            for session in sessions
        ]
        for name, sessions in read.items()
    }


def explorables(page):
    """Return the names of the explorables of a chapter that need no word."""
    cells = notebook(page)["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    found = [name for source in code for name in EXPLORED.findall(source)]
    return [*dict.fromkeys(found)]


def anchored(page, fragment, words):
    """Return a link to a place that only a page has."""
    address = f"../{page.removeprefix('book/')}.html#{fragment}"
    return f'<a href="{escape(address)}">{escape(words)}</a>'


def moved(page, name, state):
    """Return a link to an explorable, in a state of a teacher's choice."""
    shown = getattr(explore, name)()
    start = {control.name: control.value for control in shown.controls}
    fragment = f"explore-{shown.name}"
    if state:
        fragment = f"{fragment}?{urlencode(start | state)}"
    return anchored(page, fragment, shown.title)


def asked(page, name, several):
    """Return a link to a quick check, by its number on the page."""
    chapter = PurePosixPath(page).name
    ids = [q.id for q in quiz.load(chapter, checks=True).questions]
    words = f"quick check {ids.index(name) + 1}"
    if several:
        words += f" of {title(page)}"
    return anchored(page, anchor(chapter, name), words)


def worksheet(chapters, seed):
    """Return a link to a worksheet of these chapters."""
    state = urlencode(
        {"chapters": ".".join(chapters), "size": QUESTIONS, "seed": seed}
    )
    return anchored("book/appendix/practice", f"practice?{state}", "worksheet")


def classroom(session):
    """Return what a session shows and asks, as links."""
    states = session.get("explore", {})
    shown, votes = [], []
    for page in session["pages"]:
        shown += [
            moved(page, name, states.get(name)) for name in explorables(page)
        ]
        checks = quiz.load(PurePosixPath(page).name, checks=True).questions
        known = {question.id for question in checks}
        several = len(session["pages"]) > 1
        votes += [
            asked(page, name, several)
            for name in session["ask"]
            if name in known
        ]
    return shown, votes


def told(number, session, graph, read):
    """Write one session."""
    pages = session["pages"]
    reading = listed([f"{{doc}}`/{page}`" for page in pages])
    lines = [f"{reading}, {duration(minutes(pages))} to read."]
    parts = [
        label
        for page in pages
        for before in graph.predecessors(page)
        if before not in read
        for label in graph.edges[before, page]["parts"]
    ]
    if parts:
        lines.append(f"Explain also {listed([*map(link, parts)])}.")
    shown, votes = classroom(session)
    if shown:
        lines.append(f"Move: {', '.join(shown)}.")
    lines.append(f"Ask: {', '.join(votes)}.")
    drills = [anchored(p, "drills", f"drills of {title(p)}") for p in pages]
    paper = worksheet(session["chapters"], seed=number)
    lines.append(f"Afterwards: {', '.join([*drills, paper])}.")
    # In a list a line that goes on is indented; a stroke ends the line.
    return f"{number}. " + "\\\n   ".join(lines)


class Plan(Written):
    """A plan, which is named as in its file."""

    required_arguments = 1

    def markdown(self):
        """Return its sessions as a numbered list."""
        known = plans()
        [name] = self.arguments
        if name not in known:
            raise ExtensionError(
                f"{{plan}}: there is no plan {name!r}; there are "
                f"{', '.join(known)}."
            )
        self.env.note_dependency(str(PLANS))
        graph, read, items = prerequisites(), set(), []
        for number, session in enumerate(known[name], 1):
            read |= {*session["pages"]}
            items.append(told(number, session, graph, read))
        return "\n".join(items)


def setup(app):
    """Register with Sphinx."""
    app.add_directive("plan", Plan)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
