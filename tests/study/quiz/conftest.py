"""What tests of a quiz in a browser share."""

from contextlib import ExitStack

import pytest
from study.quiz.sample import TEXT
from study.quiz.shown import write

from bayesbook.study import quiz
from bayesbook.study.quiz.pages import html


@pytest.fixture
def show(tab, tmp_path):
    """Open a page that shows a bank; no console error may come of it."""
    from browsing import WIDE  # which most tests do without

    with ExitStack() as visits:

        def show(text=TEXT, *, root="", body="", more="", viewport=WIDE):
            path = tmp_path / "page.html"
            write(
                path, html(quiz.parse(text, "sample.yml")) + more, root, body
            )
            return visits.enter_context(tab.visit(path, viewport))

        yield show
        assert tab.faults == []
