"""Explorables on pages of their own, for the tests in a browser."""

from contextlib import ExitStack

import pytest

from bayesbook.study import explore
from bayesbook.study.explore.explorable import html

ALL = {
    "bayes-rule": explore.bayes_rule(),
    "beta-binomial": explore.beta_binomial(),
    "d-separation": explore.d_separation(),
    "dirichlet-multinomial": explore.dirichlet_multinomial(),
    "elimination": explore.elimination(),
    "em": explore.em(),
    "hidden-markov": explore.hidden_markov(),
    "likelihood": explore.likelihood(),
    "metropolis": explore.metropolis(),
    "naive-bayes": explore.naive_bayes(),
    "network": explore.network(),
    "number-game": explore.number_game(),
    "ridge-and-lasso": explore.ridge_and_lasso(),
    "simpson": explore.simpson(),
    "threshold": explore.threshold(),
}


@pytest.fixture
def visit(tab, tmp_path):
    """Open a page with an explorable; no fault may come of it."""
    # Which only tests in a browser have.
    from browsing import WIDE, with_formulas_of_the_book
    from study.quiz.test_page import write

    with ExitStack() as visits:

        def visit(name, *, root="", body="", viewport=WIDE, address=""):
            path = tmp_path / "page.html"
            content = with_formulas_of_the_book(html(ALL[name]))
            article = f'<article class="bd-article">{content}</article>'
            write(path, article, root, body)
            page = visits.enter_context(tab.visit(path, viewport))
            if address:
                page.goto(f"{path.as_uri()}#{address}")
                page.reload()
            return page

        yield visit
        assert tab.faults == []
