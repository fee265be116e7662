"""What the book adds to Sphinx."""

import json
import os
import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from accessible_html import repair
from author_year import AuthorYearLabels
from bs4 import BeautifulSoup
from chinese import mark_chinese
from docutils import nodes
from drill_banks import begin_banks, end_banks, name_banks, write_banks
from explorables import ExplorableDirective
from no_stale_pages import forget_pages, outdated_pages, remove_pages
from page_heads import LONGEST, description
from pybtex.database import Entry, Person
from quiz_sections import with_sections
from read_once import KeepingPages, navigate_by_titles
from room_references import in_its_room
from sphinx import addnodes
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from theme_script import CHANGES, changed
from unique_ids import drop_repeated_ids

from bayesbook.study import drills, quiz


def entry(year, *authors):
    persons = {"author": [Person(author) for author in authors]}
    return Entry("book", fields={"year": year}, persons=persons)


@pytest.mark.parametrize(
    ("authors", "label"),
    [
        (["Pearl, Judea"], "Pearl, 1988"),
        (["Li, A", "Wu, B"], "Li and Wu, 1988"),
        (["Li, A", "Wu, B", "O'Dea, C"], "Li et al., 1988"),
        (["von Mises, Richard"], "von Mises, 1988"),
        (
            [r"Gr\"unwald, Peter", "{van der Vaart}, Aad"],
            "Grünwald and van der Vaart, 1988",
        ),
    ],
)
def test_labels_are_author_and_year(authors, label):
    labels = AuthorYearLabels().format_labels([entry("1988", *authors)])
    assert list(labels) == [label]


def test_two_entries_with_one_label_are_an_error():
    twice = [entry("1988", "Pearl, Judea"), entry("1988", "Pearl, Judea")]
    with pytest.raises(ValueError, match="Pearl, 1988"):
        list(AuthorYearLabels().format_labels(twice))


def test_an_empty_corner_is_no_header():
    assert repair("<tr><th></th><th>A</th>") == "<tr><td></td><th>A</th>"


def test_words_are_not_hidden_by_a_name():
    summary = '<summary aria-label="Toggle hidden content"><p>Show</p>'
    assert repair(summary) == "<summary><p>Show</p>"


def test_a_folded_proof_has_a_title_for_its_button():
    folded = '<div class="proof dropdown admonition">\n<p>Proof. Add.</p>'
    title = '<p class="admonition-title">Proof</p>\n<p>Add.</p>'
    assert repair(folded).partition("\n")[2] == title


@pytest.mark.parametrize("kind", [nodes.term, nodes.emphasis])
def test_only_chinese_is_marked(kind):
    english, chinese = kind("", "event"), kind("", "事件")
    doctree = nodes.container("", english, chinese)
    mark_chinese(None, doctree, "page")
    assert english["classes"] == []
    assert chinese["classes"] == ["language-zh"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("One paragraph\nof two lines.", "One paragraph of two lines."),
        ("word " * 60, "word " * (LONGEST // 5) + "…"),
    ],
)
def test_a_description_is_one_short_line(text, said):
    first = nodes.paragraph("", text)
    doctree = nodes.section("", first, nodes.paragraph("", "The second."))
    assert description(doctree) == said


def test_a_page_is_read_once_for_all_its_numbers():
    read = []
    env = SimpleNamespace(get_doctree=read.append, toc_fignumbers={"a": 1})
    keeping = KeepingPages(env)
    for page in ["a", "a", "b", "a"]:
        keeping.get_doctree(page)
    assert read == ["a", "b"]
    assert keeping.toc_fignumbers == {"a": 1}


def table_of_contents():
    def item(text, *below):
        return nodes.list_item("", nodes.paragraph("", text), *below)

    inner = addnodes.toctree(entries=[(None, "inner")])
    below = nodes.bullet_list("", item("A heading", inner), item("Another"))
    return nodes.bullet_list("", item("The title", below), item("Alone"))


@pytest.mark.parametrize(
    ("asked", "seen"),
    [
        ({"titles_only": True}, "The titleAlone"),
        ({"titles_only": False}, "The titleA headingAnotherAlone"),
        ({}, "The titleA headingAnotherAlone"),
    ],
)
def test_navigation_without_headings_is_made_without(asked, seen):
    toc = table_of_contents()
    env = BuildEnvironment.__new__(BuildEnvironment)
    env.tocs = {"page": toc}

    def navigation(titles_only, **options):
        found = env.tocs["page"]
        assert len(list(found.findall(addnodes.toctree))) == 1
        return found.astext().replace("\n", ""), options

    context = {"toctree": navigation}
    navigate_by_titles(SimpleNamespace(env=env), "page", "", context, None)
    assert context["toctree"](**asked, depth=2) == (seen, {"depth": 2})
    # The page's own contents are still whole.
    assert env.tocs["page"] is toc
    assert len(list(toc.findall(nodes.list_item))) == 4


def test_labels_outlive_repeated_ids():
    box = nodes.section(ids=["thm-bayes", "proof-content"])
    drop_repeated_ids(None, nodes.container("", box), "page")
    assert box["ids"] == ["thm-bayes"]


@pytest.mark.parametrize(
    ("page", "root"), [("index", ""), ("book/conditioning/events", "../../")]
)
def test_a_drill_finds_its_banks(page, root):
    context = {
        "body": '<section data-drill="bayes"><section data-drill="update" '
        'data-families="gaussian beta-binomial">',
        "content_root": root or "./",
    }
    labels = dict.fromkeys(
        ["sec-bayes", "sec-gg-precision", "sec-bb-conjugate"],
        ("book/there", "place", 'A "title"'),
    )
    app = SimpleNamespace(
        env=SimpleNamespace(
            get_domain=lambda name: SimpleNamespace(labels=labels)
        ),
        builder=SimpleNamespace(
            get_relative_uri=lambda page, document: f"{root}{document}.html"
        ),
    )
    name_banks(app, page, "page.html", context, None)
    sections = [
        json.loads(unescape(written))
        for written in re.findall('data-sections="([^"]*)"', context["body"])
    ]
    there = [f"{root}book/there.html#place", 'A "title"']
    assert sections == [
        {"sec-bayes": there},
        {"sec-gg-precision": there, "sec-bb-conjugate": there},
    ]
    bayes, update = re.findall(
        r'data-banks="([^"]*)" data-folder="([^"]*)" data-katex="([^"]*)"',
        context["body"],
    )
    ways = (f"{root}drills", f"{root}_static/katex")
    assert bayes == (" ".join(f"bayes-{n}" for n in range(1, 11)), *ways)
    assert update[1:] == ways
    assert {bank.rpartition("-")[0] for bank in update[0].split()} == {
        "update-gaussian",
        "update-beta-binomial",
    }


def test_banks_are_written_once(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesbook.study.drills.KINDS", ("bayes",))
    (tmp_path / "bayes.js").write_text("of an older edition")
    bank = tmp_path / "bayes-2.js"
    write_banks(tmp_path)
    assert bank.read_text().startswith("(window.bayesbookDrills ")
    assert {path.stem for path in bank.parent.iterdir()} == {
        f"bayes-{number}" for number in range(1, 11)
    }
    bank.write_text("as it was")
    write_banks(tmp_path)
    assert bank.read_text() == "as it was"
    os.utime(bank, (0, 0))
    write_banks(tmp_path)
    assert bank.read_text() != "as it was"


def built(folder, form="html"):
    app = SimpleNamespace(
        outdir=str(folder), builder=SimpleNamespace(format=form)
    )
    begin_banks(app)
    end_banks(app, None)


def test_banks_are_written_beside_the_pages(tmp_path):
    folder = tmp_path / "drills"
    folder.mkdir()
    for kind in drills.KINDS:
        for name in drills.bank_names(kind):
            (folder / f"{name}.js").touch()
    old = folder / "of-an-older-edition.js"
    old.touch()
    built(tmp_path)
    assert not old.exists()


def test_what_goes_wrong_with_banks_is_said(tmp_path):
    (tmp_path / "drills").touch()
    with pytest.raises(FileExistsError):
        built(tmp_path)


def test_no_banks_without_pages(tmp_path):
    built(tmp_path, "latex")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("warnings", "kept"), [(0, True), (1, False)])
def test_a_build_with_warnings_starts_again(tmp_path, warnings, kept):
    pages = tmp_path / "environment.pickle"
    pages.touch()
    app = SimpleNamespace(_warncount=warnings, doctreedir=str(tmp_path))
    forget_pages(app, None)
    assert pages.exists() == kept


@pytest.mark.parametrize(("age", "outdated"), [(60, []), (-60, ["a", "b"])])
def test_a_new_style_sheet_outdates_every_page(tmp_path, age, outdated):
    pages = tmp_path / "environment.pickle"
    pages.touch()
    sheet = tmp_path / "book" / "_static" / "book.css"
    sheet.parent.mkdir(parents=True)
    sheet.touch()
    built = pages.stat().st_mtime
    os.utime(sheet, (built - age, built - age))
    app = SimpleNamespace(doctreedir=str(tmp_path), srcdir=str(tmp_path))
    env = SimpleNamespace(found_docs={"b", "a"})
    assert outdated_pages(app, env, set(), set(), set()) == outdated


def directive(name):
    read = []
    document = SimpleNamespace(
        settings=SimpleNamespace(
            env=SimpleNamespace(note_dependency=read.append)
        )
    )
    machine = SimpleNamespace(
        document=document,
        reporter=None,
        get_source_and_line=lambda line: (0, 0),
    )
    state = SimpleNamespace(document=document)
    return read, ExplorableDirective(
        "explorable", [name], {}, [], 1, 0, "", state, machine
    )


def test_a_page_in_markdown_has_an_explorable():
    read, placed = directive("bayes_rule")
    [node] = placed.run()
    assert node["format"] == "html"
    assert 'id="explore-bayes-rule"' in node.astext()
    assert {"explore.js", "bayes_rule.py"} <= {Path(p).name for p in read}


@pytest.mark.parametrize("name", ["bayes", "Control", "__doc__"])
def test_what_is_no_explorable_stops_the_build(name):
    _, placed = directive(name)
    with pytest.raises(ExtensionError, match=f"no explorable '{name}'"):
        placed.run()


@pytest.mark.parametrize("name", CHANGES)
def test_scripts_of_the_theme_are_changed(name):
    old, new = CHANGES[name]
    assert changed(name, f"before;{old};after") == f"before;{new};after"
    with pytest.raises(ExtensionError, match=f"{name} is not written as"):
        changed(name, "before;after")


@pytest.mark.parametrize(
    ("builder", "exception", "removed"),
    [
        ("html", None, True),
        ("html", ValueError("the build failed"), False),
        ("linkcheck", None, False),
    ],
)
def test_a_page_goes_with_its_source(tmp_path, builder, exception, removed):
    old = tmp_path / "book" / "old" / "chapter.html"
    new = tmp_path / "book" / "new" / "chapter.html"
    other = tmp_path / "genindex.html"
    for page in (old, new, other):
        page.parent.mkdir(parents=True, exist_ok=True)
        page.touch()
    app = SimpleNamespace(
        builder=SimpleNamespace(name=builder),
        outdir=str(tmp_path),
        env=SimpleNamespace(found_docs={"index", "book/new/chapter"}),
    )
    remove_pages(app, exception)
    assert old.exists() == (not removed)
    assert new.exists()
    assert other.exists()


def resolved(target, module):
    """Return what a reference in a docstring of a module is resolved to."""
    domain = SimpleNamespace(resolve_xref=lambda *arguments: arguments[4])
    env = SimpleNamespace(get_domain={"py": domain}.get)
    node = {"refdomain": "py", "refdoc": "page", "reftype": "obj"}
    node |= {"reftarget": target, "py:module": module}
    return in_its_room(SimpleNamespace(builder=None), env, node, None)


@pytest.mark.parametrize(
    ("target", "public"),
    [
        ("parse", "parse"),
        ("Trail.nodes", "Trail.nodes"),
        ("bayesbook.graphs.parsing.parse", "parse"),
        ("bayesbook.graphs.explanation.Trail.nodes", "Trail.nodes"),
        ("parsing.parse", "parse"),
        ("graphs.parse", "parse"),
    ],
)
def test_a_docstring_names_what_its_room_makes_public(target, public):
    found = resolved(target, "bayesbook.graphs.separation")
    assert found == f"bayesbook.graphs.{public}"


@pytest.mark.parametrize(
    "target",
    [
        "bayesbook.graphs.nonsense.parse",
        "bayesbook.graphs.separation.nonsense",
        "bayesbook.network.oldname.fit_em",
        "bayesbook.nosuchroom.parse",
        "nosuchmodule.parse",
        "separation.nonsense",
        "parsing.nosuchmodule.parse",
        "numpy.ndarray",
    ],
)
def test_a_docstring_cannot_name_what_is_not_there(target):
    assert resolved(target, "bayesbook.graphs.separation") is None


def test_other_modules_are_left_to_sphinx():
    assert resolved("parse", "numpy.linalg") is None
    assert resolved("parse", "") is None


# --- The section to read after a wrong answer -------------------------------


@pytest.mark.parametrize("as_written", [True, False])
def test_each_question_of_a_quiz_links_to_its_section(as_written):
    bank = quiz.load("refresher")
    body = quiz.show(bank)._repr_mimebundle_()["text/html"]
    if not as_written:  # by a parser, which sorts the attributes
        body = repair(str(BeautifulSoup(body, "html.parser")))
    sections = {question.id: question.section for question in bank.questions}
    titles = {
        label: (f"page.html#{label}", label) for label in sections.values()
    }
    page = with_sections(body, sections, titles.get)
    for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
        name = re.search('data-id="([^"]*)"', form)[1]
        [hint] = re.findall('<p class="quiz-hint quiz-read".*?</p>', form)
        label = sections[name]
        assert f'<a href="page.html#{label}">{label}</a>.</p>' in hint
        assert 'data-tries="1" hidden="hidden"' in hint
    assert page.count("quiz-hint quiz-read") == len(bank.questions)


def test_the_title_of_a_section_is_written_as_text():
    body = quiz.show("refresher")._repr_mimebundle_()["text/html"]
    sections = {"slope": "sec-here"}
    page = with_sections(body, sections, lambda _: ("a.html", "Is 1 < 2?"))
    assert page.count('<a href="a.html">Is 1 &lt; 2?</a></p>') == 1
    assert page.count("quiz-hint quiz-read") == 1


def test_quick_checks_and_drills_stay_as_they_are():
    for shown in (
        quiz.quick_check("events", "two-bars"),
        drills.show("bayes", seed=1),
    ):
        body = shown._repr_mimebundle_()["text/html"]
        sections = dict.fromkeys(re.findall('data-id="([^"]*)"', body), "sec")
        assert with_sections(body, sections, lambda _: ("a", "b")) == body
