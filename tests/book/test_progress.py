"""My progress: over chapters, days, editions and browsers; its marks."""

import json
from collections import Counter

import my_progress
import pytest
import yaml
from book.test_browser_quiz import (
    Mouse,
    give,
    right_answer,
    wrong_answer,
)
from browsing import accessibility_problems, carried, open_tab, reload
from looking import (
    COLOURS_ONLY,
    NARROW,
    NO_COLOURS,
    SHORT,
    TODAY,
    scrolls_sideways,
    switch_theme,
)
from notebooks import ROOT
from playwright.sync_api import expect

from bayesbook.study import drills, quiz
from bayesbook.study.exercises import Passes, passing
from bayesbook.study.exercises.checker import exercises_of

PAGE = f"{my_progress.PAGE}.html"
THREE = ["conditioning/random_variables", "estimation/risk", "appendix/mcmc"]
PHONE = NARROW[1] | {"width": 360}

# --- What the pages ask -----------------------------------------------------


def test_a_page_lists_what_it_asks():
    shown = quiz.show("mcmc")._repr_mimebundle_()["text/html"]
    drill = drills.show("bayes", 4)._repr_mimebundle_()["text/html"]
    check = shown.replace(
        '"bayesbook-quiz ', '"bayesbook-quiz bayesbook-check '
    )
    asked = my_progress.asked_in(check + drill + "<p>" + drill + shown)
    bank = quiz.load("mcmc").questions
    for kind in ("quiz", "checks"):
        assert [each[:2] for each in asked[kind]] == [
            [question.id, question.version] for question in bank
        ]
    assert asked["drills"] == [["bayes", "drill-bayes-4", "Bayes’ rule"]]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("<p>What\nis  <em>this</em>?</p>", "What is this?"),
        (
            "<math><mfrac><mn>1</mn><mn>4</mn></mfrac><annotation>x"
            "</annotation></math><span class='katex-html'>1 4</span>",
            "1/4",
        ),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"),
        ("word, " * 20, "word, " * 7 + "word …"),
    ],
)
def test_a_prompt_in_short(prompt, text):
    assert my_progress.in_short(prompt) == text


def read(site, name):
    """Return what a script of the site assigns."""
    script = (site / "progress" / f"{name}.js").read_text("utf-8")
    return json.loads(script.split(" = ", 1)[1].rstrip(";\n"))


@pytest.fixture(scope="module")
def chapters(site):
    return [
        chapter
        for part in read(site, "catalogue")
        for chapter in part["chapters"]
    ]


def test_the_list_is_that_of_the_banks(site, chapters):
    assert (site / "progress" / "catalogue.js").stat().st_size < 60_000
    assert sorted(each["name"] for each in chapters) == quiz.names()
    for chapter in chapters:
        bank = quiz.load(chapter["name"])
        assert [each[:2] for each in chapter["quiz"]] == [
            [question.id, question.version] for question in bank.questions
        ]
        checks = []
        if chapter["name"] in quiz.names(checks=True):
            checks = quiz.load(chapter["name"], checks=True).questions
        assert sorted(each[:2] for each in chapter["checks"]) == sorted(
            [question.id, question.version] for question in checks
        )
        html = (site / f"{chapter['page']}.html").read_text("utf-8")
        name = chapter["name"].replace("_", "-")
        places = [address for _, address, _ in chapter["drills"]]
        places += [f"quiz-{name}-{each[0]}" for each in chapter["quiz"]]
        places += [f"check-{name}-{each[0]}" for each in chapter["checks"]]
        assert [at for at in places if f'id="{at}"' not in html] == []
    versions = [
        [
            chapter["page"],
            chapter["name"],
            "".join(q[1][:6] for q in chapter["quiz"] + chapter["checks"]),
        ]
        for chapter in chapters
    ]
    assert read(site, "versions") == versions
    for _, _, joined in versions:  # the beginnings tell them apart
        short = [joined[at : at + 6] for at in range(0, len(joined), 6)]
        assert max(Counter(short).values()) == 1


def test_parts_are_those_of_the_contents():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    (title, pages), (next_title, next_pages), *_ = my_progress.parts_of(toc)
    assert title == "Before you begin"
    assert pages == ["book/preparation/refresher"]
    assert next_title == "Part I: Conditioning"
    assert next_pages[0] == "book/conditioning/events"


# --- Three chapters, a reload, another browser ------------------------------


def shown(page):
    """Return what the page says of each chapter that was begun."""
    expect(page.locator(".progress-chapter").first).to_be_visible()
    return page.evaluate(
        """() => [...document.querySelectorAll(".progress-chapter")]
            .filter(chapter => chapter.querySelector("button"))
            .map(chapter => [
                chapter.querySelector("a").textContent,
                chapter.querySelector(".progress-counts li").textContent])"""
    )


TITLES = {
    "random_variables": "2. Random variables",
    "risk": "8. Risk",
    "mcmc": "Markov chain Monte Carlo",
}


def begun(name, right, tried):
    """Return what the page says of a chapter that was begun."""
    total = len(quiz.load(name).questions)
    return [TITLES[name], f"Quiz: {right} right, {tried} tried, of {total}"]


def marked(page):
    """Return the chapters of the contents that bear a mark, and its words."""
    return page.locator("nav.bd-links a:has(.book-mark)").evaluate_all(
        "links => links.map(link => link.textContent.trim())"
    )


def choose(page, text, name="answers.json"):
    """Import a file with a text; return what the page says to it."""
    content = text if isinstance(text, bytes) else text.encode()
    file = {"name": name, "mimeType": "application/json", "buffer": content}
    page.evaluate("document.querySelector('.progress-said').textContent = ''")
    page.get_by_label("Import").set_input_files(file)
    said = page.locator(".progress-said")
    expect(said).not_to_be_empty()
    return said.inner_text()


def test_three_chapters_a_reload_and_another_browser(
    tab, chromium, site, tmp_path
):
    right, wrong = ([right_answer], [wrong_answer])
    expected = [
        begun("random_variables", 2, 2),
        begun("risk", 1, 2),
        begun("mcmc", 0, 1),
    ]
    with tab.visit(site / "book" / f"{THREE[0]}.html") as page:
        for path, answers in zip(
            THREE, (right * 2, right + wrong, wrong), strict=True
        ):
            with carried(page):
                page.goto((site / "book" / f"{path}.html").as_uri())
            name = path.split("/")[1]
            questions = quiz.load(name).questions
            for question, answer in zip(questions, answers, strict=False):
                form = f"#quiz-{name.replace('_', '-')}-{question.id}"
                give(Mouse(page), page.locator(form), answer(question))
        # What a click stores is carried, too: so it is stopped, and followed.
        address = page.locator(".book-to-progress a").evaluate(
            """link => new Promise(done => {
                addEventListener("click", click => {
                    click.preventDefault();
                    done(link.href);
                }, { once: true });
                link.click();
            })"""
        )
        with carried(page):
            page.goto(address)
        assert shown(page) == expected
        assert page.url == (site / PAGE).as_uri()
        expect(page.locator(".progress-notices")).to_be_empty()
        assert tab.faults == []
        reload(page)
        assert shown(page) == expected
        expect(page.locator(".book-mark")).to_have_count(3)
        assert marked(page)[:2] == [
            "2. Random variables, begun",
            "8. Risk, begun",
        ]
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        file = tmp_path / download.value.suggested_filename
        assert file.name.startswith("bayesbook-progress-2")
        download.value.save_as(file)
        # A question that was wrong, and the way to it.
        lists = page.locator(".progress-overview > section")
        link = lists.get_by_role("link", name="8. Risk, question 2")
        address = link.get_attribute("href")
        second = quiz.load("risk").questions[1]
        assert address.endswith(f"estimation/risk.html#quiz-risk-{second.id}")
    with open_tab(chromium) as fresh, fresh.visit(site / PAGE) as page:
        expect(page.get_by_text("is answered yet")).to_be_visible()
        expect(page.locator(".book-mark")).to_have_count(0)
        said = choose(page, file.read_bytes())
        assert said.startswith("5 answers in the file: 5 new or newer, 0 as")
        assert shown(page) == expected
        expect(page.locator(".book-mark")).to_have_count(3)
        assert choose(page, file.read_bytes()).endswith(
            "0 new or newer, 5 as they were."
        )
        assert fresh.faults == []


# --- States, in one visit ---------------------------------------------------

STORE = """stored => {
    localStorage.clear();
    for (const [name, records] of Object.entries(stored)) {
        localStorage[`bayesbook:${name}`] = JSON.stringify(records);
    }
    dispatchEvent(new Event("storage"));
}"""
STORED = """() => Object.fromEntries(Object.entries(localStorage)
    .filter(([name]) => /^bayesbook:(quiz|check|drill|exercise):/.test(name))
    .map(([name, text]) => [name.slice(10), JSON.parse(text)]))"""


def record(version, solved=True, box=2, due=0, **more):
    return {
        **{"version": version, "tries": 1, "solved": solved, "given": 0},
        **{"box": box, "due": due, "at": 1},
        **more,
    }


def titles(page):
    """Return the lists above the chapters: their title and their links."""
    return page.evaluate(
        """() => Object.fromEntries(
            [...document.querySelectorAll(".progress-overview > section")]
            .map(list => [list.querySelector("h2").textContent,
                [...list.querySelectorAll("li")].map(item => [
                    item.querySelector("a").textContent,
                    item.querySelector(".progress-aside").textContent])]))"""
    )


def file_of(records, **more):
    content = {"format": "bayesbook-progress", "version": 1}
    return json.dumps(content | {"records": records} | more)


def hostile_files(version):
    """Return files that must change nothing, and a word that answers each."""
    good = record(version)
    deep = "[" * 5000 + "]" * 5000
    return {
        "not JSON": ("{", "“Export”"),
        "nothing": ("", "“Export”"),
        "null": ("null", "“Export”"),
        "a list": ("[1]", "“Export”"),
        "deep": (deep, "“Export”"),
        "bytes": (b"\xff\xfe\x00PNG", "“Export”"),
        "foreign": (json.dumps({"records": {}}), "“Export”"),
        "later": (file_of({}, version=2), "another edition"),
        "records": (file_of([1]), "“Export”"),
        "theme": (file_of({"theme": {"x": good}}), "damaged"),
        "escape": (file_of({"quiz:a:b": {"x": good}}), "damaged"),
        "text": (file_of({"quiz:risk": "x"}), "damaged"),
        "a number": (file_of({"quiz:risk": {"x": 7}}), "damaged"),
        "tries": (file_of({"quiz:risk": {"x": good | {"tries": "9"}}}), "dam"),
        "box": (file_of({"quiz:risk": {"x": good | {"box": 6}}}), "damaged"),
        "given": (
            file_of({"quiz:risk": {"x": good | {"given": {"a": 1}}}}),
            "damaged",
        ),
        "after a good one": (
            file_of({"quiz:em": {"y": good}, "quiz:risk": {"x": {}}}),
            "quiz:risk, x",
        ),
        "markup": (
            file_of({"quiz:risk": {"<img src=x onerror=alert(1)>": 7}}),
            "<img",
        ),
    }


def test_what_is_due_wrong_changed_or_gone(tab, site, chapters):
    by_name = {chapter["name"]: chapter for chapter in chapters}
    ids = [each[:2] for each in by_name["risk"]["quiz"]]
    with tab.visit(site / PAGE) as page:
        today = page.evaluate(TODAY)
        risk = {
            ids[0][0]: record(ids[0][1], due=today),
            ids[1][0]: record(ids[1][1], solved=False, box=1, due=today - 9),
            ids[2][0]: record(ids[2][1], solved=False, box=1, due=today + 1),
            ids[3][0]: record(ids[3][1], box=1, due=today + 1),
            ids[4][0]: record("of-another", due=today),
            ids[5][0]: record(ids[5][1], box=3, due=today + 4),
            ids[6][0]: {"version": ids[6][1], "tries": 2, "solved": True},
            ids[7][0]: "junk",
            "gone": record("x", solved=False, due=today),
        }
        drill = record("1", solved=8, tries=10, box=3, due=today)
        kind = by_name["events"]["drills"][0][0]
        both = {"quiz:risk": risk, f"drill:{kind}": {"all": drill}}
        page.evaluate(STORE, both)
        assert titles(page) == {
            "Due today (4)": [
                ["8. Risk, question 1", "(right last time)"],
                ["8. Risk, question 2", "(not right last time)"],
                ["8. Risk, question 7", "(right last time)"],
                ["1. Events, drill", "(right last time)"],
            ],
            "To be tried again (2)": [
                [
                    "8. Risk, question 3",
                    "(not right yet, again from tomorrow)",
                ],
                ["8. Risk, question 4", "(corrected, again from tomorrow)"],
            ],
            "Changed since you answered (1)": [
                ["8. Risk, question 5", "(changed, not answered yet)"],
            ],
        }
        assert begun("risk", 4, 6) in shown(page)
        overview = page.locator(".progress-overview")
        expect(overview).to_contain_text("tried 6 and answered 4 right")
        expect(overview).to_contain_text("tried 10 more, 8 of them right")
        expect(overview).not_to_contain_text("gone")

        # Its looks, as everywhere.
        assert accessibility_problems(page) == []
        switch_theme(page, "dark")
        assert accessibility_problems(page, COLOURS_ONLY) == []
        switch_theme(page, "light")
        page.set_viewport_size(PHONE)
        assert not scrolls_sideways(page)
        assert accessibility_problems(page, NO_COLOURS) == []
        page.emulate_media(media="print")
        expect(page.get_by_role("button", name="Export")).to_be_hidden()
        expect(overview).to_be_visible()
        bar = overview.locator(".progress-share > .right").first
        expect(bar).to_have_css("print-color-adjust", "exact")
        page.emulate_media(media="screen")

        # Files that must change nothing.
        before = page.evaluate(STORED)
        for name, (text, word) in hostile_files(ids[0][1]).items():
            said = choose(page, text)
            assert said.endswith("Nothing has changed."), name
            assert word in said, name
            assert page.evaluate(STORED) == before, name
        assert page.evaluate("({}).tries ?? null") is None
        # The newer record wins; others stay as they are.
        newer = {
            ids[0][0]: record(ids[0][1], solved=False, box=1, at=0),
            ids[1][0]: record(ids[1][1], box=3, due=today + 4, at=2, x=1),
            "other": record("y", at=10**15),
        }
        said = choose(page, file_of({"quiz:risk": newer}))
        assert "3 answers in the file: 2 new or newer, 1 as they were" in said
        after = page.evaluate(STORED)["quiz:risk"]
        assert after[ids[0][0]] == risk[ids[0][0]]
        assert after[ids[1][0]] == record(
            ids[1][1], box=3, due=today + 4, at=2
        )
        assert after["other"]["at"] < 10**14
        assert begun("risk", 5, 6) in shown(page)
        # A storage that is full in the middle keeps what was there.
        full = page.evaluate(
            """() => {
                const {setItem} = Storage.prototype;
                Storage.prototype.setItem = function (name, text) {
                    if (name.endsWith("quiz:text")) {
                        throw new DOMException("", "QuotaExceededError");
                    }
                    setItem.call(this, name, text);
                };
            }"""
        )
        before = page.evaluate(STORED)
        two = {"quiz:risk": {"z": record("z")}, "quiz:text": {}}
        said = choose(page, file_of(two))
        assert full is None
        assert said.startswith("This browser has no room")
        assert page.evaluate(STORED) == before
        assert tab.faults == []


def test_a_chapter_or_all_is_reset_by_keyboard_after_a_question(
    tab, site, chapters
):
    by_name = {chapter["name"]: chapter for chapter in chapters}
    first = by_name["beta_binomial"]["quiz"][0]
    other = by_name["risk"]["quiz"][0]
    with tab.visit(site / PAGE) as page:
        shared = by_name["beta_binomial"]["drills"][0][0]
        drill = {"all": record("1", solved=2, tries=3)}
        stored = {
            "quiz:beta_binomial": {first[0]: record(first[1])},
            f"drill:{shared}": drill,
            "drill:bayes": drill,
            "quiz:risk": {other[0]: record(other[1])},
        }
        page.evaluate(STORE, stored)
        page.evaluate("localStorage.theme = 'light'")
        button = page.get_by_role("button", name="Reset 11.")
        dialog = page.get_by_role("dialog")
        button.focus()
        page.keyboard.press("Enter")
        expect(dialog).to_have_accessible_name(
            "Forget your answers in “11. The beta-binomial model”?"
        )
        expect(dialog).to_contain_text(
            "This goes: 1 answer to quizzes, 3 answers in drills."
        )
        expect(dialog).to_contain_text(
            "Other chapters have these drills, too: "
        )
        assert accessibility_problems(page) == []
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(button).to_be_focused()
        assert page.evaluate(STORED) == stored
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # the first button keeps them
        assert page.evaluate(STORED) == stored
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        said = page.locator(".progress-said")
        expect(said).to_have_text("Forgotten: 11. The beta-binomial model.")
        expect(said).to_be_focused()
        assert set(page.evaluate(STORED)) == {"quiz:risk", "drill:bayes"}
        page.get_by_role("button", name="Reset everything").click()
        expect(dialog).to_contain_text("1 answer to quizzes, 3 answers in dr")
        dialog.get_by_role("button", name="Forget them").click()
        expect(said).to_have_text("Forgotten: all answers.")
        assert page.evaluate("Object.keys(localStorage)") == ["theme"]
        expect(page.get_by_text("is answered yet")).to_be_visible()
        assert tab.faults == []


def test_what_was_passed_in_a_notebook_is_imported(tab, site, chapters):
    by_name = {chapter["name"]: chapter for chapter in chapters}
    counts = {name: chapter["exercises"] for name, chapter in by_name.items()}
    assert counts["refresher"] == 0
    assert counts["events"] == len(exercises_of("events"))
    [of_risk, *_] = exercises_of("risk")
    passed = {"events/posterior": 5, "events/conditional": 6}
    passed[f"risk/{of_risk}"] = 7
    line = "Coding exercises: {} of {} passed"
    with tab.visit(site / PAGE) as page:
        overview = page.locator(".progress-overview")
        expect(overview).not_to_contain_text("Coding exercises")
        said = choose(page, Passes(passed).text(), passing.FILE)
        assert "3 answers in the file: 3 new or newer" in said
        expect(overview).to_contain_text(line.format(2, counts["events"]))
        expect(overview).to_contain_text(line.format(1, counts["risk"]))
        assert accessibility_problems(page) == []
        # What is exported brings them elsewhere; a reset forgets them.
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        kept = json.loads(download.value.path().read_text("utf-8"))
        assert kept["records"]["exercise:events"].keys() == {
            "posterior",
            "conditional",
        }
        reload(page)
        expect(overview).to_contain_text(line.format(2, counts["events"]))
        page.get_by_role("button", name="Reset 1. Events").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("2 answers to coding exercises")
        dialog.get_by_role("button", name="Forget them").click()
        expect(overview).not_to_contain_text(line.format(2, counts["events"]))
        assert set(page.evaluate(STORED)) == {"exercise:risk"}
        assert tab.faults == []


def test_a_page_without_script_or_storage_says_so(chromium, site):
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((site / PAGE).as_uri())
    expect(page.locator("article")).to_contain_text("needs JavaScript")
    expect(page.locator("article button")).to_have_count(0)
    context.close()
    with open_tab(chromium) as tab:
        tab.page.add_init_script(
            """for (const name of ["getItem", "setItem", "removeItem"]) {
                Storage.prototype[name] = () => {
                    throw new DOMException("", "SecurityError");
                };
            }"""
        )
        tab.page.goto((site / PAGE).as_uri())
        expect(tab.page.locator(".progress-notices")).to_contain_text(
            "does not let the book store anything"
        )
        expect(tab.page.locator(".progress-chapter")).to_have_count(26)


def test_from_the_disk_the_link_brings_the_answers_of_its_page(
    chromium, site, chapters
):
    """Some browsers give each file a storage of its own."""
    first = next(each for each in chapters if each["name"] == "risk")["quiz"][
        0
    ]
    script = """for (const name of ["getItem", "setItem", "removeItem"]) {
        const original = Storage.prototype[name];
        Storage.prototype[name] = function (key, ...rest) {
            return original.call(this, location.pathname + key, ...rest);
        };
    }
    const keys = Object.keys;
    Object.keys = object => object !== localStorage ? keys(object)
        : keys(object).filter(key => key.startsWith(location.pathname))
            .map(key => key.slice(location.pathname.length));"""
    with open_tab(chromium) as apart:
        page = apart.page
        page.add_init_script(script)
        page.goto((site / PAGE).as_uri())
        notices = page.locator(".progress-notices")
        expect(page.locator(".progress-chapter")).to_have_count(26)
        expect(notices).to_be_empty()
        page.goto((site / SHORT).as_uri())
        stored = json.dumps({first[0]: record(first[1], at=10)})
        page.evaluate(
            "text => localStorage.setItem('bayesbook:quiz:risk', text)", stored
        )
        link = page.locator("nav.bd-links").get_by_role(
            "link", name="My progress"
        )
        link.click()
        expected = [begun("risk", 1, 1)]
        assert shown(page) == expected
        expect(page.locator(".progress-said")).to_have_text(
            "1 new answer from the page that you came from."
        )
        expect(notices).to_contain_text("a memory of its own")
        assert "#" not in page.url
        reload(page)
        assert shown(page) == expected
        expect(notices).to_contain_text("a memory of its own")
        # An address that nobody has made does nothing.
        for junk in ("%", "{}", "%7B%22records%22%3A%201%7D"):
            with carried(page):
                page.goto("about:blank")
                page.goto(f"{(site / PAGE).as_uri()}#answers={junk}")
            assert shown(page) == expected
        assert apart.faults == []


# --- Marks in the contents --------------------------------------------------


def test_marks_in_the_contents_move_nothing(tab, site, chapters):
    by_name = {chapter["name"]: chapter for chapter in chapters}
    versions = (site / "progress" / "versions.js").as_uri()
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    boxes = """links => links.map(link => {
        const {x, y, width, height} = link.getBoundingClientRect();
        return [x, y, width, height];
    })"""

    def solved(name, **more):
        chapter = by_name[name]
        return {
            each[0]: record(each[1], **more)
            for each in chapter["quiz"] + chapter["checks"]
        }

    half = {**solved("risk"), "x": 7}
    half[by_name["risk"]["quiz"][0][0]] = record("changed")
    check = {each[0]: record(each[1]) for each in by_name["em"]["checks"]}
    with tab.visit(site / SHORT) as page:
        links = page.locator("nav.bd-links li > a")
        before = links.evaluate_all(boxes)
        expect(page.locator(".book-mark")).to_have_count(0)
        assert versions not in asked
        stored = {
            "quiz:events": solved("events"),
            "check:events": solved("events"),
            "quiz:risk": half,
            "quiz:text": solved("text", solved=False),
            "quiz:mcmc": {"gone": record("x")},
            "check:em": check,
            "quiz:em": ["junk"],
        }
        page.evaluate(STORE, stored)
        page.evaluate("localStorage['bayesbook:quiz:learning'] = '{'")
        expect(page.locator(".book-mark")).to_have_count(3 + bool(check))
        assert [
            text for text in marked(page) if not text.startswith("21")
        ] == [
            "1. Events, all answered right",
            "8. Risk, begun",
            "16. Models of text, begun",
        ]
        assert links.evaluate_all(boxes) == before
        mark = page.locator(".book-mark").first.bounding_box()
        assert mark["x"] > 0
        page.evaluate(STORE, {"quiz:risk": {}})
        expect(page.locator(".book-mark")).to_have_count(0)
        assert asked.count(versions) == 1
        assert tab.faults == []
