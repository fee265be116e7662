"""Formulas are typeset when the pages are built, or the build fails."""

import hashlib
import os
import re
import subprocess
import sys
from html import unescape

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from formulas import (
    KATEX,
    RENDER,
    STYLE,
    join,
    only_woff2,
    typeset,
    with_formulas,
)
from formulas import (
    TEX as TEX_OF_OUTPUTS,
)
from looking import SHORT

EXTENSIONS = KATEX.parent / "_ext"
README = (KATEX / "README.md").read_text()


# --- One formula ------------------------------------------------------------


@pytest.mark.parametrize(
    ("tex", "element"),
    [
        (r"\frac{1}{52}", "mfrac"),
        (r"\sqrt{x}", "msqrt"),
        (r"\begin{cases} a & b \\ c & d \end{cases}", "mtable"),
        (r"x < y", "mo"),
    ],
)
@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_shown_spoken_and_copied(tex, element, display):
    formula = BeautifulSoup(typeset(tex, display), "html.parser")
    assert formula.select_one(".katex-mathml math").find(element)
    assert formula.find("annotation").get_text() == tex
    assert formula.select_one(".katex-html")["aria-hidden"] == "true"
    assert bool(formula.select(".katex-display")) == display


@pytest.mark.parametrize(
    "tex",
    [
        r"\undefinedmacro",
        r"\frac{1}",
        "x_1_2",
        "a–b",  # a sign that only text has
        "中",
        r"\href{https://example.org}{x}",
    ],
)
def test_what_is_no_formula_is_refused(tex):
    with pytest.raises(ValueError, match=re.escape(f"formula {tex} is ")):
        typeset(tex)


@pytest.mark.parametrize(
    ("tex", "lines"),
    [
        ("x", ["x"]),
        ("a = b + c", ["a=", "b+", "c"]),
        (r"P(a \mid b) = (c)", ["P(a∣b)=", "(c)"]),
        (
            r"\left( a + b \right) c = \frac{d + e}{2}",
            ["(a+b)c=", "2d+e\u200b"],
        ),
        (r"\left. a \right| \le b", ["a∣≤", "b"]),
        (r"X \perp\!\!\!\perp Y", ["X⊥⊥", "Y"]),
    ],
)
@pytest.mark.parametrize("display", [False, True])
def test_a_line_breaks_at_signs_outside_of_brackets(tex, lines, display):
    marked = typeset(tex, display).replace("<wbr>", "\n")
    drawn = BeautifulSoup(marked, "html.parser").select_one(".katex-html")
    assert drawn.get_text().split("\n") == lines


# --- A page -----------------------------------------------------------------

CONF = f"""
import sys
sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ["myst_parser", "formulas"]
myst_enable_extensions = ["amsmath", "dollarmath"]
numfig = math_numfig = True
html_theme = "basic"
"""


@pytest.fixture
def build(tmp_path):
    """Give a function that builds a page of Markdown: status, words, pages."""

    def build(text, **others):
        for name, page in {"index": text, **others}.items():
            (tmp_path / f"{name}.md").write_text(page)
        (tmp_path / "conf.py").write_text(CONF)
        run = subprocess.run(
            [
                *(sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"),
                *(str(tmp_path), str(tmp_path / "html")),
            ],
            env=os.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        return run.returncode, run.stderr, tmp_path / "html"

    return build


# Pages with a formula that is refused, and its line.
UNKNOWN_MACRO = {
    "in-text": ("# A\n\nText.\n\nThe $\\nothing{x}$.", 5),
    "displayed": ("# A\n\n$$\n\\nothing{x}\n$$", 3),
    "role": ("# A\n\n{math}`\\nothing{x}`", 3),
    "html": ('# A\n\n<p class="a">\\(\\nothing{x}\\)</p>', 3),
}


def test_the_build_refuses_an_unknown_macro(build):
    pages = {name: text for name, (text, _) in UNKNOWN_MACRO.items()}
    contents = "\n".join(["# All", "", "```{toctree}", *pages, "```"])
    status, said, _ = build(contents, **pages)
    assert status == 1
    warnings = [line for line in said.splitlines() if "WARNING" in line]
    assert len(warnings) == len(pages)
    for name, (_, line) in UNKNOWN_MACRO.items():
        place = f"{name}.md:{line}: WARNING: "
        [warning] = [each for each in warnings if place in each]
        assert r"The formula \nothing{x} is refused: " in warning
        assert r"Undefined control sequence: \nothing" in warning


PAGE = r"""
# Of $n$ numbers

```{toctree}
plain
```

See {eq}`first`: ($p$), of {math}`k`-th order.

$$
a = b
$$ (first)

\begin{align*} f &= g \end{align*}

<p class="output">Then \(x &lt; y\): <code>\(z\)</code></p>
"""
TEX = ["n", "p", "k", "a = b", r"\begin{align*} f &= g \end{align*}", "x < y"]


def test_a_page_has_its_formulas_with_numbers_and_punctuation(build):
    status, said, html = build(PAGE, plain="# No formula")
    assert (status, said) == (0, "")
    page, plain = (
        BeautifulSoup((html / f"{name}.html").read_text(), "html.parser")
        for name in ("index", "plain")
    )
    body = page.select_one("[role=main]")
    assert [tex.get_text() for tex in body.select("annotation")] == TEX
    assert body.select_one("#equation-first .eqno").contents[0] == "(1)"
    assert body.select_one("a[href='#equation-first']").get_text() == "(1)"
    for drawn in page.select(".katex-html, annotation"):
        drawn.decompose()
    joined = [span.get_text() for span in body.select(".book-joined")]
    assert joined == ["n", "(p),", "k-", "x<y:"]
    assert body.h1.find(string=True).strip() == "Of"
    sheet = "link[href*='katex/katex-swap.min.css']"
    assert (len(page.select(sheet)), len(plain.select(sheet))) == (1, 0)


# --- Formulas in the outputs of cells ---------------------------------------


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (r"<p>a \(x\) b</p>", "<p>a [x] b</p>"),
        (r"<p>(\(x\)), b</p>", "<p>[(x),] b</p>"),
        (r"<p>\(a &lt; b\) &amp; c</p>", "<p>[a < b] &amp; c</p>"),
        (r"<p>\[x\]</p>", "<p>[[x]]</p>"),
        ("<p>\\(x\n+ y\\)</p>", "<p>[x\n+ y]</p>"),
        *(
            (html, html)
            for html in (
                r"<code>\(x\)</code>",
                r"<pre><b>\(x\)</b></pre>",
                r"<style>\(x\)</style>",
                r"<script>f(a && '\(x\)')</script>",
                r'<b class="a tex2jax_ignore"><i>\(x\)</i></b>',
                r'<p title="\(x\)">a &lt; b</p>',
                '<p>\\<b class="tex2jax_ignore">(</b>x\\)</p>',
            )
        ),
    ],
)
def test_outputs_have_formulas_where_jupyterlab_has_them(html, written):
    def write(tex, display=False):
        return f"[{tex}]" if display else tex

    found = with_formulas(html, write)
    found = found.replace('<span class="book-joined">', "[")
    assert found.replace("</span>", "]") == written.replace("[[x]]", "[x]")


# The formulas that KaTeX refuses, each with its reason.
REFUSED = f"""
formulas => {{
    const render = {RENDER};
    return formulas.flatMap(formula => {{
        try {{
            render(...formula);
            return [];
        }} catch (error) {{
            return [`${{formula[0]}}: ${{error.message}}`];
        }}
    }});
}}
"""


def formulas_of_banks(page, site):
    """Return each formula of the drills' banks, and whether it is displayed.

    The drills about graphs write without formulas.
    """
    for script in sorted(site.glob("drills/*.js")):
        page.add_script_tag(path=script)
    parts = page.evaluate(
        "Object.values(bayesbookDrills).flatMap(bank => bank.parts)"
    )
    texts = [part for part in {*parts} if part[0] != "<"]
    found = [
        (unescape(inline or display), bool(display))
        for text in texts
        for _, inline, _, display in TEX_OF_OUTPUTS.findall(text)
    ]
    begun = sum(len(re.findall(r"\\[(\[]", text)) for text in texts)
    assert len(found) == begun > 1000
    return sorted(set(found))


def test_the_formulas_of_the_banks_are_formulas_of_katex(tab, site):
    """A page typesets them when a reader asks; then nobody can mend them.

    A browser runs KaTeX many times as fast as what builds the pages does.
    """
    with tab.visit(site / SHORT) as page:
        page.add_script_tag(path=KATEX / "katex.min.js")
        assert len(page.evaluate(REFUSED, [("x_1_2", False)])) == 1
        formulas = formulas_of_banks(page, site)
        assert page.evaluate(REFUSED, formulas) == []


# --- Punctuation ------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("if (", ") and", "(x)"),
        ("the “", "”, of", "“x”,"),
        ("the ", "-th", "x-"),
        ("the ", " of", "x"),
        ("", "", "x"),
    ],
)
def test_punctuation_is_joined_to_its_formula(before, after, joined):
    formula = nodes.math("", "x")
    texts = [nodes.Text(before), formula, nodes.Text(after)]
    sentence = nodes.paragraph("", "", *texts)
    join(formula)
    assert sentence.astext() == f"{before}x{after}"
    assert formula.parent.astext() == joined
    assert formula.parent.parent is sentence


def test_what_is_no_text_is_left_beside_a_formula():
    formulas = [nodes.math("", "x"), nodes.math("", "y")]
    sentence = nodes.paragraph("", "", *formulas, nodes.emphasis("", ", z"))
    for formula in formulas:
        join(formula)
    assert [part.astext() for part in sentence] == ["x", "y", ", z"]


# --- The files of KaTeX -----------------------------------------------------


def test_katex_is_as_it_was_published():
    sums = dict(re.findall(r"(?m)^([0-9a-f]{64})  (\S+)$", README))
    files = {
        hashlib.sha256(path.read_bytes()).hexdigest(): name
        for path in KATEX.rglob("*")
        if path.is_file()
        and (name := path.relative_to(KATEX).as_posix()) != "README.md"
    }
    assert files == sums
    [version] = set(re.findall(r"katex@([\d.]+[\d])", README))
    assert f'"{version}"' in (KATEX / "katex.min.js").read_text()


def test_the_style_sheet_names_the_fonts_that_are_there():
    css = only_woff2((KATEX / STYLE).read_text())
    named = re.findall(r"url\((.+?)\)", css)
    assert sorted(named) == sorted(
        path.relative_to(KATEX).as_posix() for path in KATEX.glob("fonts/*")
    )
