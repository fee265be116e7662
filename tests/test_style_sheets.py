"""A browser understands each rule of our style sheets.

It drops a rule silently, with all selectors of its list, for one that it does
not know: such as `:has` within `:has`.
"""

import re

import pytest
from check import ROOT

SHEETS = sorted(
    path
    for folder in ("book/_static", "book/_ext", "src")
    for path in (ROOT / folder).rglob("*.css")
)
KEPT = """text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const count = rules => [...rules].reduce(
        (n, rule) => n + 1 + count(rule.cssRules ?? []), 0);
    return count(sheet.cssRules);
}"""


def written(text):
    """Return how many rules a sheet has, also those within others."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).count("{")


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_no_rule_is_dropped(tab, path):
    text = path.read_text("utf-8")
    assert tab.page.evaluate(KEPT, text) == written(text)


def test_a_dropped_rule_is_seen(tab):
    text = "a, p:has(+ div:not(:has(b))) { color: red } p { color: red }"
    assert tab.page.evaluate(KEPT, text) == written(text) - 1
