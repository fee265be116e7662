"""What readers look for, and where they arrive."""

import hashlib
import re

import finding
import pytest
import sections
import terms
from browsing import PATIENCE, WIDE, accessibility_problems
from bs4 import BeautifulSoup
from looking import CHAPTER, COLOURS_ONLY, NARROW, SHORT
from playwright.sync_api import expect
from sphinx.errors import ExtensionError

MINISEARCH = finding.MINISEARCH
# What is looked for, and the first hit: the beginning of its title, and the
# page.
QUERIES = {
    "explaining away": ("4.7.1.", "three_variables"),
    "TAN": ("17.3. The best tree", "semi_naive"),
    "d-separation": ("Definition 5.2", "d_separation"),
    "KL divergence": ("Definition 6.5", "likelihood"),
    "MLE": ("Definition 6.2", "likelihood"),
    "naive bayes zero frequency": ("14.5. Zero counts", "naive_bayes"),
    "Laplace smoothing": ("11.7. The next trial", "beta_binomial"),
    "Bayes theorem": ("Theorem 1.7", "events"),
    "贝叶斯": ("Theorem 1.7", "events"),
    "conditional independance": ("Definition 3.1", "conditional_independence"),
    # Others, as readers write them: by another name, unfinished, mistyped.
    "conditonal independance": ("Definition 3.1", "conditional_independence"),
    "explaning away": ("4.7.1.", "three_variables"),
    "Byaes theorem": ("Theorem 1.7", "events"),
    "d-separated": ("Definition 5.2", "d_separation"),
    "naivebayes": ("Definition 14.1", "naive_bayes"),
    "NB": ("Definition 14.1", "naive_bayes"),
    "BN": ("Definition 18.1", "representation"),
    "EM": ("Definition 21.3", "em"),
    "expectation maximization": ("Definition 21.3", "em"),
    "HMM": ("Definition 22.2", "sequences"),
    "Viterbi": ("Theorem 22.3", "sequences"),
    "MAP estimate": ("Definition 7.2", "map_and_bayes"),
    "Simpsons paradox": ("1.7. Simpson’s paradox", "events"),
    "junction tree": ("Definition 20.3", "inference"),
    "log sum exp": ("Proposition 14.4", "naive_bayes"),
    "ELBO": ("Proposition 20.9", "inference"),
    "Berkson": ("4.7.3.", "three_variables"),
    "markov blan": ("Definition 5.5", "d_separation"),
    "variational inference": ("20.12.", "inference"),
    "朴素贝叶斯": ("Definition 14.1", "naive_bayes"),
    "条件独立": ("Definition 3.1", "conditional_independence"),
    "马尔可夫毯": ("Definition 5.5", "d_separation"),
    "cross validation": ("Definition 8.6", "risk"),
    "conjugate priors": ("Definition 11.2", "beta_binomial"),
    "add-one": ("11.7. The next trial", "beta_binomial"),
    "missing data": ("21.2.", "em"),
    "chain rule": ("Theorem 1.5", "events"),
    "Chow-Liu": ("Theorem 19.9", "learning"),
    "bias variance tradeoff": ("8.5.7.", "risk"),
    "mcmc": ("Markov chain Monte Carlo", "mcmc"),
    "central limit theorem": ("Theorem 9", "limit_theorems"),
    "confounder": ("Theorem 4.6", "three_variables"),
    "number game": ("10. The number game", "number_game"),
    "hill_climb": ("network.hill_climb", "network"),
    "Pearl 1988": ("[Pearl, 1988]", "bibliography"),
}
FIRST_HITS = """queries => queries.map(query => {
    const [{ place }] = find(query);
    return [query, place.title, place.address];
})"""
ENTRY = re.compile(r"^(?=\S)(?!:)(.+)\n.+ : 中文", re.M)


@pytest.fixture(scope="module", params=[True, False], ids=["all", "at once"])
def find(chromium, site, request):
    """Give a function that runs a script with `find`, on an empty page.

    It searches the titles and terms, which come at once, or the texts, too.
    """
    parts = [
        MINISEARCH / "minisearch.js",
        finding.SCRIPTS / "finder.js",
        finding.SCRIPTS / "page.js",
        site / "search/places.js",
        *([site / "search/texts.js"] * request.param),
    ]
    page = chromium.new_page()
    for part in parts:
        page.add_script_tag(path=part)
    page.add_script_tag(
        content="""
        const places = unpacked(bayesbookPlaces);
        const texts = Object.entries(window.bayesbookTexts ?? {});
        for (const [at, text] of texts) places[at].text = text;
        const index = makeIndex(MiniSearch);
        index.addAll(places);
        const find = makeFinder(index, places);
        """
    )
    yield page.evaluate
    page.close()


def test_minisearch_is_that_of_its_package():
    noted = dict(
        line.split("  ")[::-1]
        for line in (MINISEARCH / "README.md").read_text().splitlines()
        if re.match(r"[0-9a-f]{64}  ", line)
    )
    assert set(noted) == {"LICENSE", "minisearch.js"}
    for name, known in noted.items():
        content = (MINISEARCH / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == known


# --- What comes first -------------------------------------------------------


def test_the_first_hit_is_what_was_looked_for(find):
    found = {query: hit for query, *hit in find(FIRST_HITS, [*QUERIES])}
    wrong = {
        query: found[query]
        for query, (title, page) in QUERIES.items()
        if not found[query][0].startswith(title)
        or not found[query][1].endswith(f"/{page}.html")
    }
    assert wrong == {}


def test_each_term_is_found_by_each_of_its_names(find):
    script = """() => bayesbookPlaces.terms.flatMap(names =>
        names.filter(name => !find(name).slice(0, 4).some(({ place }) =>
            place.defines.some(([own]) => own === names[0]))))"""
    assert find(script) == []


def test_a_wrong_letter_is_forgiven(find):
    """Any letter may be missing, or be another."""
    name = "mutual information"
    slips = [
        f"{name[:at]}{other}{name[at + 1 :]}"
        for at, letter in enumerate(name)
        for other in ("", "q")
        if letter != " "
    ]
    found = find(FIRST_HITS, slips)
    assert [slip for slip, title, _ in found if "15.3" not in title] == []


def test_nothing_is_found_where_nothing_is(find):
    assert find("find('').length + find('  ').length") == 0
    assert find("find('qqqqqqqqqqqq xxxxxxxxxxxx').length") == 0


def test_what_is_searched_stays_small(site):
    sizes = {
        path.stem: path.stat().st_size / 1000
        for path in (site / finding.FOLDER).glob("*.js")
    }
    assert set(sizes) == {"marks", "places", "search", "texts"}
    assert sizes["search"] + sizes["places"] < 900  # kB, a quarter when packed
    assert sizes["texts"] < 1600


# --- The reader of pages ----------------------------------------------------

PAGE = """
<article class="bd-article"><section id="a">
<h1><span class="section-number">1. </span>Title<a class="headerlink"
href="#a">#</a></h1>
<p>Of <span class="katex"><span class="katex-mathml"><math><mfrac><mi>a</mi>
<mi>b</mi></mfrac><annotation>TeX</annotation></math></span>
<span class="katex-html"><span>drawn</span></span></span> and
<a href="../appendix/glossary.html#term-x">some <em>words</em></a>.</p>
<div class="proof definition admonition" id="def-x">
<p class="admonition-title">Definition 1.1 (X)</p><section><p>Let it.</p>
</section></div><pre>code</pre><p>After it.</p>
<div class="solution admonition" id="sol"><p>Secret</p></div>
<section id="b"><h2>Below</h2><p>Deep.</p></section>
</section></article>
"""


def test_a_page_is_read_as_its_places():
    top, box, below = sections.places_of("book/page", PAGE)
    assert (top.title, top.kind) == ("1. Title", "section")
    assert top.text == "Of a /b and some words. After it."
    assert top.terms == [["term-x", "some words"]]
    assert (box.title, box.text) == ("Definition 1.1 (X)", "Let it.")
    assert (box.kind, box.above) == ("definition", [top])
    assert (below.title, below.text, below.above) == ("Below", "Deep.", [top])
    assert below.address == "book/page.html#b"


def test_an_entry_of_the_glossary_has_all_its_names():
    entry = sections.Place("g", "term-x", "term", names=["x (X)", "爱 (Y)"])
    entry.text = "Also called a *z* or the w, as in V. Also called u (乌)."
    found = terms.read_terms([entry], {"x (X)": ["s"]})["term-x"]
    assert found.names == ["x", "爱"]
    assert found.also == ["*z*", "w", "u", "乌", "Y", "s"]


def test_an_idea_without_an_entry_has_a_place():
    place = sections.Place("p", "s", "section", title="1. Title")
    found = terms.read_terms([place], {"p#s": ["idea", "thought"]})
    [term] = terms.with_places(found, [place]).values()
    assert (term.name, term.also, term.definer) == ("idea", ["thought"], place)
    with pytest.raises(ExtensionError, match="no place p#gone"):
        terms.read_terms([place], {"p#gone": ["idea"]})


def test_synonyms_are_of_terms_and_are_no_terms():
    root = finding.MINISEARCH.parents[1]
    synonyms = terms.read_synonyms(root / finding.SYNONYMS)
    glossary = (root / "book/appendix/glossary.md").read_text("utf-8")
    listed = {name.replace("’", "'") for name in ENTRY.findall(glossary)}
    assert len(listed) > 300
    assert {name for name in synonyms if "#" not in name} <= listed
    given = [name for names in synonyms.values() for name in names]
    assert not listed.intersection(given)
    # "CI" is two things.
    assert {name for name in given if given.count(name) > 1} == {"CI"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Bayes’ rule", ("bayes'", "rule")),
        ("the Bayes rule", ("the", "baye", "rule")),
        ("Simpson’s paradoxes", ("simpson", "paradoxe")),
        ("d-separated classes", ("d", "separated", "classe")),
    ],
)
def test_words_are_compared_without_plurals(text, said):
    assert terms.words_of(text) == said


# --- The index --------------------------------------------------------------


@pytest.fixture(scope="module")
def entries(site):
    """Return the entries of the index of terms, by their names."""
    html = (site / "genindex.html").read_text("utf-8")
    page = BeautifulSoup(html, "html.parser")
    lines = page.select(".book-index li")
    return {line.get_text().split(" – ")[0].strip(): line for line in lines}


def links_of(line):
    return [a["href"].partition("book/")[2] for a in line.select("a")]


def test_the_index_leads_to_what_defines_a_term_and_what_uses_it(entries):
    entry, definition, *uses = links_of(entries["d-separation d-分离"])
    assert entry == "appendix/glossary.html#term-d-separation"
    assert definition == "configurations/d_separation.html#def-d-separation"
    places = [use.partition("#")[2] for use in uses]
    assert "why-the-numbers-obey-the-graph" in places
    assert all(address.count("#") == 1 for address in uses)


def test_the_index_has_all_terms_and_their_other_names(site, entries):
    html = (site / "book/appendix/glossary.html").read_text("utf-8")
    listed = set(re.findall(r'<dt id="(term-[^"]+)">', html))
    linked = {
        href.partition("#")[2]
        for line in entries.values()
        for href in links_of(line)[:1]
    }
    assert len(listed) > 300
    assert listed <= linked
    assert "MLE: see maximum likelihood estimate" in entries
    assert links_of(entries["贝叶斯公式 Bayes’ rule"]) == [
        "conditioning/events.html#thm-bayes"
    ]


def test_most_terms_are_defined_in_a_chapter(entries):
    defined = [line for line in entries.values() if len(line.select("b")) == 2]
    assert len(defined) > 340


def test_names_of_the_library_have_an_index_of_their_own(site, entries):
    page = (site / f"{finding.NAMES}.html").read_text("utf-8")
    assert 'href="graphs.html#bayesbook.graphs.d_separated"' in page
    in_terms = [href for line in entries.values() for href in links_of(line)]
    assert not any("library" in href for href in in_terms)


# --- A reader ---------------------------------------------------------------


def opened(page, query):
    """Open the search with the keyboard, and type; return the hits."""
    page.keyboard.press("Control+k")
    page.keyboard.type(query)
    hits = page.locator("#pst-search-dialog li a")
    hits.first.wait_for()
    return hits


def test_hits_come_while_a_reader_types_and_enter_opens_the_first(tab, site):
    with tab.visit(site / SHORT) as page:
        hits = opened(page, "explaining awa")
        expect(hits.first).to_have_text("4.7.1. Explaining away")
        expect(page.locator("dialog [role=status]")).to_contain_text("place")
        page.keyboard.type("y")
        page.keyboard.press("Enter")
        page.wait_for_url("**/three_variables.html#explaining-away")
        marks = page.locator("article mark")
        expect(marks.first).to_have_text("Explaining")
        expect(marks.first).to_be_in_viewport()
        assert "highlight" not in page.url
        page.keyboard.press("Escape")
        expect(marks).to_have_count(0)
        assert tab.faults == []


def test_arrows_go_through_the_hits_and_escape_leaves(tab, site):
    with tab.visit(site / SHORT) as page:
        hits = opened(page, "entropy")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(hits.nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(page.locator("dialog input")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#pst-search-dialog")).not_to_be_visible()
        assert tab.faults == []


def test_the_texts_are_searched_too_with_their_words_shown(tab, site):
    with tab.visit(site / SHORT) as page:
        hits = opened(page, "chest clinic asia")
        page.wait_for_function("window.bayesbookTexts", timeout=PATIENCE)
        marks = page.locator("#pst-search-dialog li p mark")
        marks.first.wait_for()
        assert hits.count() > 3
        assert tab.faults == []


def test_a_found_word_that_is_folded_is_unfolded(tab, site):
    address = (site / CHAPTER).as_uri()
    with tab.visit(site / SHORT) as page:
        page.goto(f"{address}?highlight=permutations#counting")
        mark = page.locator("article mark").first
        expect(mark).to_be_in_viewport()
        assert mark.is_visible()
        page.locator(".book-marks").click()
        expect(page.locator("article mark, .book-marks")).to_have_count(0)


def test_a_reader_who_has_not_searched_loads_nothing_of_it(tab, site):
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    with tab.visit(site / CHAPTER) as page:
        # What scripts do at once, and what they leave for a quiet moment.
        page.wait_for_load_state("load")
        page.evaluate("() => new Promise(done => requestIdleCallback(done))")
        assert any("finding.js" in url for url in asked)
        assert not [url for url in asked if "/search/" in url]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW[0]], ids=["wide", "narrow"])
def test_everybody_can_use_the_search(tab, site, theme, viewport):
    with tab.visit(site / SHORT, viewport) as page:
        page.evaluate("t => document.documentElement.dataset.theme = t", theme)
        opened(page, "贝叶斯 posterior")
        rules = COLOURS_ONLY if theme == "dark" else None
        assert accessibility_problems(page, rules) == []
        box = page.locator("#pst-search-dialog").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= viewport["width"]
        wide = page.evaluate(
            "[...document.querySelectorAll('dialog :not(input)')].filter("
            "node => node.scrollWidth > node.clientWidth + 1"
            " && getComputedStyle(node).display === 'block').length"
        )
        assert wide == 0
        page.locator("dialog button").click()
        expect(page.locator("#pst-search-dialog")).not_to_be_visible()


def test_without_scripts_the_field_leads_to_the_index(chromium, site):
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.set_viewport_size(WIDE)
    page.goto((site / SHORT).as_uri())
    page.locator("noscript a.search-button-field").click()
    page.wait_for_url("**/genindex.html")
    page.locator(".book-index a", has_text="d-separation").first.click()
    page.wait_for_url("**/glossary.html#term-d-separation")
    context.close()
