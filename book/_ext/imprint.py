"""Say on each page of which edition it is, and let readers report a mistake.

A report opens with the version, the page and, as `book/_static/reports.js`
adds, the section on the screen and the words that are selected.
"""

import re
import subprocess
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import bayesbook

ROOT = Path(__file__).resolve().parents[2]
BUTTON = "source-issues-button"
WORDS = "Report a mistake"
# After the theme has listed its buttons.
LATE = 900
BODY = """\
Page: {page}
Section: {section}
Version: {edition}

What is written there:

What is wrong with it, or hard to understand:
"""


def last_commit(root=ROOT):
    """Return the day of the last commit, or None outside a repository."""
    command = ["git", "log", "-1", "--format=%cs"]
    try:
        run = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return date.fromisoformat(run.stdout.strip())


def released(version, changelog):
    """Return the day on which a version was released, or None before.

    Examples
    --------
    >>> released("1.1.0", "## 1.1.0 (2026-01-31)")
    datetime.date(2026, 1, 31)
    """
    heading = rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$"
    found = re.search(heading, changelog, re.MULTILINE)
    return date.fromisoformat(found[1]) if found else None


def edition(root=ROOT):
    """Return the version with its day; before its release, say so.

    The day of a version that is not released is that of the last change.
    """
    version = bayesbook.__version__
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    day, state = released(version, changelog), ""
    if day is None:
        day, state = last_commit(root), " (not yet released)"
    written = f", {day.day} {day:%B %Y}" if day else ""
    return f"{version}{state}{written}"


def report(repository, page, title, edition, section=""):
    """Return the address at which a report of a mistake begins."""
    said = BODY.format(page=page, section=section, edition=edition)
    query = urlencode({"title": f"Mistake in: {title}", "body": said})
    return f"{repository}/issues/new?{query}"


def change_button(buttons, address):
    """Give the theme's button the words and the address of the report."""
    for button in buttons:
        if button.get("label") == BUTTON:
            button.update(url=address, text=WORDS, tooltip=WORDS)
        change_button(button.get("buttons", ()), address)


def complete(app, pagename, templatename, context, doctree):
    """Tell the template of a page what it shows at its end."""
    said = app.env.config.imprint
    title = re.sub(r"<[^>]*>", "", context.get("title", pagename))
    repository = context["theme_repository_url"]
    address = report(repository, pagename, title, said)
    context["edition"], context["report"] = said, address
    change_button(context["header_buttons"], address)


def setup(app):
    """Register with Sphinx."""
    # A page is written anew when the edition is another one.
    app.add_config_value("imprint", edition(), "html")
    app.connect("html-page-context", complete, priority=LATE)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
