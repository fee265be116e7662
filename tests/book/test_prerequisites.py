"""What a chapter says it needs is what its core uses."""

import re

import networkx as nx
import pytest
import roads
from chapter_pieces import CITED, labels, markdown, matches, read
from prerequisites import (
    PAGE,
    REFRESHER,
    ROOT,
    SAID,
    contents,
    homes,
    mathematics,
    needed,
    pages,
    prerequisites,
    road,
    sentence,
    shown,
    texts,
    whole,
)
from reading import CHAPTER, pieces

GRAPH = prerequisites()
ORDER = pages()
# Earlier chapters that a core names without needing them: the sentence says by
# itself all that is used, and the link shows where the same has been met.
ASIDES = {
    ("map_and_bayes", "def-d-separation"),  # another proof, by a graph
    ("beta_binomial", "sec-concepts-averaging"),
    ("dirichlet_multinomial", "sec-concepts-averaging"),
    ("gaussian_gamma", "dirichlet_multinomial"),
    ("gaussian_gamma", "thm-concepts-weight"),
    ("gaussian_gamma", "thm-dirichlet-posterior"),
    # A table of models that are Bayesian networks, too.
    ("representation", "likelihood"),
    ("representation", "sec-features-gaussian"),
    ("representation", "sec-map-conditional"),
    ("learning", "def-bb-bayes-factor"),
    ("inference", "decisions"),
    ("limit_theorems", "prop-risk-fixed"),
    ("limit_theorems", "risk"),
    ("limit_theorems", "thm-risk-optimism"),
    ("limit_theorems", "three_variables"),
    ("mcmc", "thm-three-chain"),
    ("large_data", "em"),
}


def name(page):
    return page.rpartition("/")[2]


def core(page):
    """Return the texts of the core of a chapter, captions included."""
    return [
        markdown(piece)
        for part, piece in pieces(read(name(page)))
        if part == "core"
    ]


def labelled():
    """Return the page of all that has a label, figures included."""
    return {
        label: page
        for page in [*GRAPH, REFRESHER]
        for _, piece in pieces(read(name(page)))
        for label in labels(piece)
    }


LABELLED = labelled()


def known_before(page):
    """Return the pages that a reader of a chapter knows, or parts of them."""
    known = {page} | nx.ancestors(whole(GRAPH), page)
    parts = {before for each in known for before in GRAPH.predecessors(each)}
    # Below the sentence it is said what single steps use.
    opening = next(text for text in texts(page) if SAID in text)
    opening = opening[opening.index(SAID) :].split("\n\n")[0]
    return known | parts | {REFRESHER, *needed(opening, page, LABELLED)}


def surprises(page, texts):
    """Return what texts take from earlier chapters that are not needed."""
    known = known_before(page)
    found = set()
    for text in texts:
        links = " ".join(link[0] for link in PAGE.finditer(text))
        cited = {name(other): other for other in needed(links, page, {})}
        for label in matches(CITED, text) & LABELLED.keys():
            cited[label] = LABELLED[label]
        found |= {
            (name(page), what)
            for what, home in cited.items()
            if home in GRAPH
            and home not in known
            and ORDER.index(home) < ORDER.index(page)
            and not nx.has_path(GRAPH, page, home)  # it looks ahead
        }
    return found


# --- The sentences ----------------------------------------------------------


def test_every_chapter_says_what_it_needs():
    chapters = {
        page
        for page in ORDER
        if any(f"## {CHAPTER}\n" in f"{text}\n" for text in texts(page))
    }
    assert chapters - {REFRESHER} == {*GRAPH}


def test_no_core_takes_from_earlier_chapters_what_it_does_not_need():
    found = set().union(*(surprises(page, core(page)) for page in GRAPH))
    assert found == ASIDES


@pytest.mark.parametrize(
    "text",
    [
        "By {prf:ref}`thm-dirichlet-posterior` it holds.",
        "As in {doc}`/book/conjugate/dirichlet_multinomial`.",
        "See {numref}`fig-dirichlet-posteriors`.",
    ],
)
def test_a_link_to_a_chapter_that_is_not_needed_is_seen(text):
    page = "book/configurations/d_separation"
    later = "book/networks/learning"
    figures = [k for k in LABELLED if k.startswith("fig-dirichlet")]
    text = text.replace("fig-dirichlet-posteriors", figures[0])
    assert surprises("book/networks/representation", [text])
    assert surprises(page, [text]) == set()  # it looks ahead
    assert surprises(later, [text]) == set()  # which needs a part of it


def test_nothing_needs_itself_and_only_appendices_come_later():
    assert nx.is_directed_acyclic_graph(GRAPH)
    late = {
        before
        for before, after in GRAPH.edges
        if ORDER.index(before) > ORDER.index(after)
    }
    assert {page.split("/")[1] for page in late} == {"appendix"}


WHERE = {"thm-a": "book/one/a", "sec-a": "book/one/a", "sec-b": "book/two/b"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("{doc}`a`", {"book/one/a": ()}),
        ("{doc}`the first </book/two/b>`", {"book/two/b": ()}),
        (
            "{prf:ref}`thm-a`, {ref}`words <sec-a>`, {ref}`sec-b`",
            {"book/one/a": ("thm-a", "sec-a"), "book/two/b": ("sec-b",)},
        ),
        ("{doc}`/book/one/a`, above all {ref}`sec-a`", {"book/one/a": ()}),
    ],
)
def test_a_link_to_a_page_needs_all_of_it_and_one_to_a_label_a_part(
    line, found
):
    assert needed(line, "book/one/c", WHERE) == found


def test_only_the_first_line_says_what_the_core_needs():
    page = "book/naive_bayes/features"
    assert "gaussian_gamma" not in sentence(page)
    assert any("uses {doc}`/book/conjugate/gaussian" in t for t in texts(page))


# --- Arrows and ways --------------------------------------------------------


def test_the_map_leaves_out_only_what_other_arrows_say():
    arrows = shown(GRAPH)
    assert {*arrows.edges} < {*GRAPH.edges}
    before = nx.transitive_closure(whole(GRAPH))
    assert (
        nx.transitive_closure(whole(GRAPH.edge_subgraph(arrows.edges))).edges
        == before.edges
    )
    parts = {edge for edge in GRAPH.edges if GRAPH.edges[edge]["parts"]}
    assert parts - before.edges <= {*arrows.edges}


@pytest.mark.parametrize("goal", GRAPH)
def test_a_way_has_first_what_comes_later_needs(goal):
    chapters, parts = road([goal], GRAPH)
    assert chapters[-1] == goal
    for at, page in enumerate(chapters):
        for before in GRAPH.predecessors(page):
            told = GRAPH.edges[before, page]["parts"]
            assert before in chapters[:at] or (
                told and (before in chapters or {*told} <= {*parts})
            )


def test_the_ways_of_the_front_page():
    """The short course is short, and the last way is the whole book."""
    front = (ROOT / "index.md").read_text("utf-8")
    known = {name(page): page for page in GRAPH}
    goals = [
        [known[each] for each in line.split()]
        for line in re.findall(r"```\{road\} (.*)", front)
    ]
    ways = [road(each, GRAPH)[0] for each in goals]
    assert len(ways) == 4
    assert len(ways[0]) <= 8
    assert "book/networks/learning" in ways[1]
    assert {*ways[-1]} == {*GRAPH}


def test_a_way_says_its_time_and_the_parts_of_others():
    goal = "book/naive_bayes/naive_bayes"
    told = roads.way([goal], GRAPH)
    chapters, parts = road([goal], GRAPH)
    hours = sum(roads.length(roads.notebook(c)).minutes for c in chapters) / 60
    assert told.startswith(f"About {hours:.0f} hours: ")
    assert all(f"`/{page}`" in told for page in chapters)
    assert parts
    assert all(f"`{label}`" in told for label in parts)


@pytest.mark.parametrize(
    "part", [part for part in contents() if part.startswith("Part ")]
)
def test_what_a_part_needs_is_all_that_it_does_not_bring(part):
    chapters = contents()[part]
    before, parts = roads.before(chapters, GRAPH)
    known = {*chapters, *before}
    known |= {a for page in before for a in nx.ancestors(whole(GRAPH), page)}
    for page in chapters:
        for source, _, told in GRAPH.in_edges(page, data="parts"):
            assert source in known or (told and {*told} <= {*parts})
    assert not {*before} & {*chapters}


def test_the_mathematics_of_a_chapter_is_in_the_refresher():
    found = mathematics("book/estimation/likelihood")
    assert {"sec-refresher-derivatives", "sec-refresher-logarithms"} <= {
        *found
    }
    assert {homes()[label] for label in found} == {REFRESHER}
    assert mathematics("book/configurations/d_separation") == []


@pytest.mark.parametrize(
    ("total", "said"),
    [(45, "45 minutes"), (85, "1 hour 25 minutes"), (625, "10 hours")],
)
def test_long_times_are_in_whole_hours(total, said):
    assert roads.in_hours(total) == said
