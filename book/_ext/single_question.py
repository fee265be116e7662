"""Place one question of a quiz in a page that is no notebook.

`{question}` has the name of the quiz and the id of the question. An answer
counts for the quiz of its chapter.
"""

from dataclasses import replace

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from bayesbook.study import quiz
from bayesbook.study.quiz.pages import html


class QuestionDirective(SphinxDirective):
    """Write a question with its style and its script."""

    required_arguments = 2

    def run(self):
        """Return its HTML; the page is read anew when the quiz changes."""
        chapter, name = self.arguments
        bank = quiz.load(chapter)
        found = tuple(q for q in bank.questions if q.id == name)
        if not found:
            raise ExtensionError(
                f"The quiz {chapter!r} has no question {name!r}; it has "
                f"{', '.join(q.id for q in bank.questions)}."
            )
        path = f"{self.env.srcdir}/book/quizzes/{chapter}.yml"
        self.env.note_dependency(path)
        one = html(replace(bank, questions=found))
        return [nodes.raw("", one, format="html")]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("question", QuestionDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
