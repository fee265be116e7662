"""Link every definition, theorem, exercise and question to itself.

Headings, figures and equations get such a link from Sphinx.
"""

import re

# The head of a box up to the end of its title, its id and its number.
BOX = re.compile(
    r'(<div class="(?:proof|exercise) [^"]*admonition" id="([\w-]+)">\s*'
    r'<p class="admonition-title">'
    r'<span class="caption-number">([^<]+?) ?</span>.*?)(?=</p>)',
    re.DOTALL,
)
# The head of a question of a quiz. A drill has an id that says less: it brings
# other questions under the same.
QUESTION = re.compile(
    r'(<form [^>]*class="quiz-question"[^>]* id="(quiz-[\w-]+)"[^>]*>\s*'
    r"<fieldset[^>]*>\s*<legend[^>]*><span>(Question \d+) of.*?</legend>)",
    re.DOTALL,
)
LINK = (
    r'\1<a class="headerlink" href="#\2" aria-label="Link to \3" '
    r'title="Link to \3">#</a>'
)


def with_permalinks(body):
    """Return the body of a page with a link in each box and question."""
    return QUESTION.sub(LINK, BOX.sub(LINK, body))


def add_permalinks(app, pagename, templatename, context, doctree):
    """Add the links between writing a body and filling its template."""
    if "body" in context:
        context["body"] = with_permalinks(context["body"])


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", add_permalinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
