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
# The head of a question of a quiz, or of a quick check. A drill has an id
# that says less: it brings other questions under the same.
QUESTION = re.compile(
    r'(<form [^>]*class="quiz-question"[^>]* id="((?:quiz|check)-[\w-]+)"'
    r"[^>]*>\s*<fieldset[^>]*>\s*<legend[^>]*>"
    r"<span>(Question \d+|Quick check<[^>]+> \d+).*?</legend>)",
    re.DOTALL,
)
TAG = re.compile(r"<[^>]+>")


def linked(found):
    """Return a head with a link, which has the name without its tags."""
    head, place, name = found.groups()
    title = f"Link to {TAG.sub('', name)}"
    return (
        f'{head}<a class="headerlink" href="#{place}" aria-label="{title}" '
        f'title="{title}">#</a>'
    )


def with_permalinks(body):
    """Return the body of a page with a link in each box and question."""
    return QUESTION.sub(linked, BOX.sub(linked, body))


def add_permalinks(app, pagename, templatename, context, doctree):
    """Add the links between writing a body and filling its template."""
    if "body" in context:
        context["body"] = with_permalinks(context["body"])


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", add_permalinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
