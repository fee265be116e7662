"""Markdown of questions: maths as TeX, tables, signs and spaces."""

from bayesbook.study.quiz.markdown import block, inline


def test_maths_has_the_delimiters_of_tex():
    assert inline("If $a < b$, then") == r"If \(a &lt; b\), then"
    assert block("$$\nx = 1\n$$") == r"<p>\[x = 1\]</p>"
    assert r"\[x\]" in inline("so $$x$$ holds")


def test_a_no_break_space_stays():
    assert inline("A\u00a0→\u00a0B,\n  C") == "A\u00a0→\u00a0B, C"


def test_a_table_can_scroll_on_a_page():
    assert block("| a |\n| - |\n| b |").startswith(
        '<div class="pst-scrollable-table-container" tabindex="0"><table>'
    )


def test_an_image_is_drawn_only_if_it_is_a_graph():
    assert inline("![a](a.svg)") == '<img src="a.svg" alt="a" />'
    assert inline("![a](graph:A->B)").startswith("<svg")


def test_what_only_looks_like_maths_is_marked():
    hidden = '<span class="tex2jax_ignore mathjax_ignore">{}</span>'
    assert inline(r"costs \$5") == f"costs {hidden.format('$')}5"
    assert inline(r"a \\(b\\)") == "a {0}(b{0})".format(hidden.format("\\"))
    assert inline("`$x$`") == "<code>$x$</code>"


def test_quotes_and_apostrophes_are_those_of_the_page():
    assert inline('the word "ill"') == "the word “ill”"
    assert inline("Bayes' rule, `d['a']`") == (
        "Bayes’ rule, <code>d['a']</code>"
    )
