"""Documents of paper printed by Chromium, each a tagged PDF of its own."""

import html
from importlib.util import find_spec
from pathlib import Path

import matplotlib as mpl

STYLE = Path(__file__).with_name("paper.css")
# The package of each font, and how its files begin.
SOURCE = {
    "Paper Serif": ("font_source_serif_pro", "SourceSerifPro"),
    "Paper Sans": ("font_source_sans_pro", "SourceSansPro"),
}
FACES = [
    ("-Regular", 400, "normal"),
    ("-It", 400, "italic"),
    ("-Semibold", 600, "normal"),
    ("-SemiboldIt", 600, "italic"),
]
# Code, and signs that the fonts of the text do not have.
DEJAVU = [
    ("Paper Mono", "DejaVuSansMono", 400, "normal"),
    ("Paper Mono", "DejaVuSansMono-Bold", 600, "normal"),
    ("Paper Mono", "DejaVuSansMono-Oblique", 400, "italic"),
    ("Paper Signs", "DejaVuSans", 400, "normal"),
    ("Paper Signs", "DejaVuSans-Bold", 600, "normal"),
]
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light">
<head>
<meta charset="utf-8">
<title>{title}</title>
{styles}
<style>
{fonts}
{margins}
:root {{ counter-reset: page {before}; }}
</style>
</head>
<body>
<div class="bd-content"><div class="bd-article-container">
{body}
</div></div>
<div class="paper-targets">{targets}</div>
</body>
</html>
"""
MARGINS = """@page {{
  @top-left {{ content: {left}; }}
  @top-right {{ content: {right}; }}
  @bottom-center {{ content: counter(page{style}); }}
}}
@page :first {{
  @top-left {{ content: none; }}
  @top-right {{ content: none; }}
}}"""


def faces():
    """List the fonts: family, file, weight and style."""
    for family, (package, name) in SOURCE.items():
        folder = Path(find_spec(package).submodule_search_locations[0])
        for ending, weight, style in FACES:
            file = folder / "files" / f"{name}{ending}.ttf"
            yield family, file, weight, style
    folder = Path(mpl.get_data_path(), "fonts", "ttf")
    for family, name, weight, style in DEJAVU:
        yield family, folder / f"{name}.ttf", weight, style


def font_rules():
    """Return the rules that name the fonts."""
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; '
        f'font-style: {style}; src: url("{file.as_uri()}"); }}'
        for family, file, weight, style in faces()
    )


def quoted(text):
    """Return a text as CSS writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def document(site, sheet, part, before, targets=(), style=""):
    """Return the HTML that is printed.

    Parameters
    ----------
    site : Path
        The folder of the built pages.
    sheet : Sheet
        The document.
    part : str
        The title of its part, which stands above it on each page.
    before : int
        The number of the page before it.
    targets : iterable of str
        Addresses in it that other documents link to: a PDF has only those
        that a link of its own leads to.
    style : str, optional
        How pages are numbered, such as "lower-roman".
    """
    files = [site / style for style in sheet.styles] + [STYLE]
    links = "\n".join(
        f'<link rel="stylesheet" href="{file.as_uri()}">' for file in files
    )
    margins = MARGINS.format(
        left=quoted(part),
        right=quoted(sheet.title),
        style=f", {style}" if style else "",
    )
    return PAGE.format(
        title=html.escape(sheet.title),
        styles=links,
        fonts=font_rules(),
        margins=margins,
        before=before,
        body=sheet.body.replace(
            "<h1", f'<p class="paper-part">{html.escape(part)}</p><h1', 1
        ),
        targets="".join(f'<a href="#{name}"></a>' for name in targets),
    )


def print_file(browser, source, target):
    """Print a file of HTML as a PDF."""
    context = browser.new_context(java_script_enabled=False)
    try:
        tab = context.new_page()
        tab.set_default_timeout(600_000)
        tab.emulate_media(media="print")
        tab.goto(source.as_uri())
        tab.pdf(
            path=target,
            tagged=True,
            outline=True,
            prefer_css_page_size=True,
            print_background=True,
        )
    finally:
        context.close()
