"""Name, below a wrong answer in a quiz, the section that teaches it.

A question of a bank says which section that is. The notebook cannot link to
it, because only the pages have addresses; so the link is written into the
page, as a hint that the quiz shows after the first wrong answer.
"""

import re
from html import escape
from pathlib import Path

from drill_banks import section_finder

from bayesbook.study import quiz

# Of a quiz at the end of a chapter, and the place below the feedback. What
# has completed the page before may have put the attributes in another order.
QUESTION = re.compile(
    r'(<form\b(?=[^>]*\bclass="quiz-question")(?=[^>]* id="quiz-)'
    r'(?=[^>]*\bdata-id="([\w-]+)").*?)'
    r'(<details class="quiz-answer">)',
    re.DOTALL,
)


def with_sections(body, sections, find):
    """Write the links into the questions of a page.

    `sections` has the label of the section of a question by its id, and
    `find` gives the address and the title for a label.
    """

    def linked(question):
        before, name, after = question.groups()
        if not sections.get(name):
            return question[0]
        address, title = find(sections[name])
        end = "" if title.endswith("?") else "."
        return (
            f'{before}<div class="quiz-hints" aria-live="polite">'
            '<p class="quiz-hint quiz-read" data-tries="1" hidden="hidden">'
            f'Read again: <a href="{escape(address)}">{escape(title)}</a>{end}'
            f"</p></div>\n{after}"
        )

    return QUESTION.sub(linked, body)


def name_sections(app, pagename, templatename, context, doctree):
    """Complete a page between writing its body and filling its template."""
    body, chapter = context.get("body", ""), Path(pagename).name
    if QUESTION.search(body) and chapter in quiz.names():
        sections = {q.id: q.section for q in quiz.load(chapter).questions}
        find = section_finder(app, pagename)
        context["body"] = with_sections(body, sections, find)


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", name_sections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
