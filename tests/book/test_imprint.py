"""What a page says of its edition, and a report of a mistake in it."""

import json
import re
from datetime import date
from urllib.parse import parse_qs, urlsplit

import imprint
import pytest
from imprint import change_button, edition, last_commit, released, report
from looking import CHAPTER
from page_heads import shared, site_address

import bayesbook

FRONT = "index.html"


@pytest.fixture
def root(tmp_path):
    """A root of a book that is in no repository, with a day of a release."""
    version = bayesbook.__version__
    changelog = f"## {version} (2026-01-03)\n\n## 0.0.1 (2025-01-31)\n"
    (tmp_path / "CHANGELOG.md").write_text(changelog, "utf-8")
    return tmp_path


def test_a_released_version_has_its_day(root):
    assert edition(root) == f"{bayesbook.__version__}, 3 January 2026"


def test_before_its_release_a_version_says_so(root):
    version = bayesbook.__version__
    heading = f"## {version} (unreleased)\n"
    (root / "CHANGELOG.md").write_text(heading, "utf-8")
    assert edition(root) == f"{version} (not yet released)"


def test_the_last_commit_has_a_day(root):
    assert last_commit(root) is None
    assert last_commit() is None or last_commit() > date(2026, 1, 1)


@pytest.mark.parametrize(
    ("version", "day"),
    [("0.0.1", date(2025, 1, 31)), ("0.0", None), ("9.9.9", None)],
)
def test_the_day_is_that_of_the_version(root, version, day):
    assert released(version, (root / "CHANGELOG.md").read_text()) == day


def test_a_report_begins_with_page_section_and_version():
    address = report("https://x.org/a/b", "book/c", "4. C", "1.2.3", "Why?")
    assert address.startswith("https://x.org/a/b/issues/new?")
    asked = parse_qs(urlsplit(address).query)
    assert asked["title"] == ["Mistake in: 4. C"]
    body = asked["body"][0]
    for line in ("Page: book/c", "Section: Why?", "Version: 1.2.3"):
        assert line in body.split("\n")


def test_the_button_of_the_theme_is_found_in_its_group():
    button = {"label": imprint.BUTTON, "text": "Open issue"}
    other = {"label": "else", "text": "Open issue"}
    change_button([other, {"label": "group", "buttons": [button]}], "there")
    assert button == {
        "label": imprint.BUTTON,
        "text": imprint.WORDS,
        "tooltip": imprint.WORDS,
        "url": "there",
    }
    assert other["text"] == "Open issue"


# --- Heads ------------------------------------------------------------------


def test_a_shared_link_has_title_picture_and_one_address():
    site = site_address("https://github.com/a/b/")
    assert site == "https://a.github.io/b/"
    tags = shared('Say "A & B"', "About.", f"{site}c.html", site)
    assert 'content="Say &quot;A &amp; B&quot;"' in tags
    assert f'<link rel="canonical" href="{site}c.html">' in tags
    assert f'property="og:image" content="{site}_static/card.png"' in tags


def test_every_page_has_one_address_and_the_picture_is_there(site):
    assert (site / "_static" / "card.png").read_bytes()[1:4] == b"PNG"
    for path in (FRONT, CHAPTER):
        head = (site / path).read_text("utf-8").split("</head>")[0]
        address = "" if path == FRONT else path
        assert head.count('rel="canonical"') == 1
        assert f'.github.io/bayesbook/{address}">' in head


# --- Reports in a browser ---------------------------------------------------


def asked(link):
    return parse_qs(urlsplit(link.get_attribute("href")).query)["body"][0]


def without_leaving(page):
    page.evaluate(
        """() => addEventListener("click", (event) => {
            if (event.target.closest("a")) event.preventDefault();
        })"""
    )


def test_a_report_names_the_section_on_the_screen(tab, site):
    with tab.visit(site / f"{CHAPTER}") as page:
        without_leaving(page)
        page.locator("#conditional-probability > h2").evaluate(
            "heading => heading.scrollIntoView()"
        )
        button = page.locator(".btn-source-issues-button")
        button.evaluate("link => link.click()")
        body = asked(button)
        assert "Section: 1.3. Conditional probability (#cond" in body or (
            "Conditional probability (#conditional-probability)" in body
        )
        assert f"Page: {CHAPTER.removesuffix('.html')}" in body
        assert bayesbook.__version__ in body
        assert ">" not in body
        assert tab.faults == []


def test_a_report_quotes_what_is_selected(tab, site):
    with tab.visit(site / CHAPTER) as page:
        without_leaving(page)
        first = page.locator("article p:visible").first
        words = first.inner_text()
        first.evaluate("p => getSelection().selectAllChildren(p)")
        link = page.locator(".book-report")
        for _ in range(2):  # again, with the same
            link.evaluate("link => link.click()")
        body = asked(link)
        assert body.count(f"> {words[:40]}") == 1
        assert body.index("> ") < body.index("What is wrong")


def offered(path):
    """Return the addresses that the end of a page offers to be downloaded."""
    text = path.read_text("utf-8").split('class="book-edition"')[1]
    return re.findall(r'href="([^"]+)" download', text)


def test_a_chapter_offers_its_notebook(site):
    [address] = offered(site / CHAPTER)
    notebook = (site / CHAPTER).parent / address
    assert "cells" in json.loads(notebook.read_text("utf-8"))
    assert offered(site / FRONT) == []
