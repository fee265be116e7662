"""Explorables on the built pages."""

import gzip
import re

import pytest
from browsing import accessibility_problems
from looking import CHAPTER, NARROW
from playwright.sync_api import expect

PHONE = NARROW[1]
# Kilobytes, compressed, of all explorables of a page.
MOST = 60
SECTION = re.compile(r'<section class="bayesbook-explore.*?</section>', re.S)
# How often scripts collect elements of the whole page while somebody clicks.
COLLECTED = """() => {
  let count = 0;
  const collect = Document.prototype.querySelectorAll;
  Document.prototype.querySelectorAll = function (...selectors) {
    count += 1;
    return collect.apply(this, selectors);
  };
  document.querySelector("article p").click();
  Document.prototype.querySelectorAll = collect;
  return count;
}"""


def test_they_cost_a_page_little(site):
    weights = {
        path.stem: len(gzip.compress("".join(found).encode()))
        for path in site.glob("**/*.html")
        if (found := SECTION.findall(path.read_text("utf-8")))
    }
    assert {"index", "events", "d_separation", "inference"} <= weights.keys()
    assert max(weights.values()) < 1000 * MOST, weights


@pytest.mark.parametrize("scripts", [True, False])
def test_the_front_page_has_one(chromium, site, scripts):
    page = chromium.new_page(java_script_enabled=scripts, viewport=PHONE)
    faults = []
    page.on("pageerror", lambda error: faults.append(error))
    page.goto((site / "index.html").as_uri())
    words = page.locator("#explore-bayes-rule .explore-words")
    expect(words).to_contain_text("P[ill | +] = 0.083")
    assert page.get_by_role("slider").count() == 3 * scripts
    if scripts:
        page.get_by_role("slider", name="prevalence").fill("100")
        expect(words).to_contain_text("P[ill | +] = 0.500")
        expect(page.locator(".explore-solved:visible")).to_have_count(1)
        expect(page).to_have_url(
            re.compile("#explore-bayes-rule.prevalence=100")
        )
        assert accessibility_problems(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"]
    assert faults == []
    page.close()


@pytest.mark.parametrize(
    ("page", "name"),
    [("networks/em", "em"), ("appendix/mcmc", "metropolis")],
)
def test_buttons_stay_in_sight_beside_the_pictures(tab, site, page, name):
    with tab.visit(site / f"book/{page}.html", PHONE) as opened:
        root = opened.locator(f"#explore-{name}")
        for panel in root.locator(".explore-panel svg").all():
            panel.evaluate("node => node.scrollIntoView({block: 'center'})")
            bar = root.locator(".explore-buttons")
            expect(bar).to_be_in_viewport(ratio=0.9)
            box, seen = bar.bounding_box(), panel.bounding_box()
            # They leave most of a picture in sight.
            assert box["y"] > seen["y"] + 0.8 * seen["height"]


def test_a_click_does_not_search_the_whole_page(tab, site):
    """Bootstrap did, for each of its listeners; its menus still open."""
    with tab.visit(site / CHAPTER) as page:
        assert page.evaluate(COLLECTED) == 0
        button = page.locator("[data-bs-toggle=dropdown]:visible").first
        menu = page.locator(".dropdown-menu.show")
        button.click()
        expect(menu).to_be_visible()
        page.mouse.click(5, 500)
        expect(menu).to_have_count(0)
        assert tab.faults == []
