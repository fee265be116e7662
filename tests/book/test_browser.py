"""The built pages in a real browser, from the disk, without a network."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import AXE, WIDE, accessibility_problems, open_tab, settle
from playwright.sync_api import expect

from bayesbook.study import quiz, stepper

ROOT = Path(__file__).parents[2]
CHAPTER = "book/conditioning/events.html"
# What is the theme's and not the chapter's is quicker to see on a short page.
SHORT = "book/appendix/library.html"
NARROW = ({"width": 320, "height": 640}, {"width": 375, "height": 812})
# Dark differs from light in its colours alone, and narrow from wide in
# everything but its colours, which take axe longest: two of its rules compare
# them, that of text and background, and that of a link and its sentence.
COLOURS = ["color-contrast", "link-in-text-block"]
COLOURS_ONLY = {"runOnly": COLOURS}
NO_COLOURS = {"rules": {rule: {"enabled": False} for rule in COLOURS}}


@pytest.fixture(scope="module")
def chapter_tab(chromium, site):
    """Open a chapter once, as its formulas take seconds."""
    with open_tab(chromium) as tab, tab.visit(site / CHAPTER):
        yield tab


@pytest.fixture
def chapter(chapter_tab):
    """Give the open chapter to a test that leaves its text as it was."""
    page = chapter_tab.page
    before = text_and_memory(page)
    yield page
    page.set_viewport_size(WIDE)
    page.emulate_media(media="screen", color_scheme="light")
    page.evaluate(
        """() => {
            location.hash = "";
            getSelection().removeAllRanges();
            document.activeElement.blur();
        }"""
    )
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert text_and_memory(page) == before
    assert chapter_tab.faults == []


def text_and_memory(page):
    """Return what a test could leave to the next: all but its buttons' words.

    A button says for a while that it has copied, and what a click would do.
    """
    return page.evaluate(
        """() => {
            const text = document.querySelector("article").cloneNode(true);
            text.querySelectorAll("button").forEach(node => node.remove());
            return [
                text.textContent,
                text.querySelectorAll("*").length,
                {...localStorage},
                {...sessionStorage},
            ];
        }"""
    )


@pytest.fixture(scope="module")
def phone(chromium, site):
    with (
        open_tab(chromium) as tab,
        tab.visit(site / CHAPTER, NARROW[0]) as page,
    ):
        yield page


# Looking at all pages takes minutes: the workers take a share each.
SHARES = 6


def every_page(site):
    """Return the pages, the largest first: then no share has them all."""
    return sorted(
        (p for p in site.rglob("*.html") if "_static" not in p.parts),
        key=lambda path: (-path.stat().st_size, path),
    )


def name(site, path):
    return path.relative_to(site).as_posix()


# --- Looking at a page ------------------------------------------------------


def maths_problems(page):
    """Say what MathJax has not understood, and what it has not seen."""
    errors = page.locator("[data-mjx-error]").evaluate_all(
        "nodes => nodes.map(n => n.getAttribute('data-mjx-error'))"
    )
    problems = [f"maths: {error}" for error in errors]
    written = page.locator(".math").count()
    typeset = page.locator(".math mjx-container").count()
    if typeset < written:
        problems.append(f"maths: {typeset} of {written} formulas typeset")
    return problems


def unfold(page):
    """Show what waits for a click: solutions, and feedback of quizzes.

    The first question of a quiz is left as it is before an answer.
    """
    page.evaluate(
        """() => {
            const all = (css, act) =>
                document.querySelectorAll(css).forEach(act);
            const unanswered = ":is(" +
                ".quiz-question ~ .quiz-question, .bayesbook-drill form)";
            all(`${unanswered} [type=text]`, box => box.value = "1");
            all(`${unanswered} li:first-child input`, input => input.click());
            all(`${unanswered} .quiz-check`, button => button.click());
            all("button.toggle-button", button => button.click());
            all(".quiz-answer", details => details.open = true);
        }"""
    )


def thin_out(page):
    """Take away what axe would look at for long, and see nothing new.

    Formulas keep their size and the words of their MathML, but lose their
    glyphs, which are hidden from every rule, and the elements of the MathML,
    which the screen does not show; what could have the focus stays, and so
    does MathML with an attribute that has a meaning for axe. A block of code
    keeps its text, and a kind of block the colour of the first word of each
    kind.
    """
    page.evaluate(
        """() => {
            const drawings = "mjx-container > svg:not(:has(a))";
            for (const drawing of document.querySelectorAll(drawings)) {
                drawing.replaceChildren();
            }
            const telling = new RegExp("^(id|class|style|title|lang|xml:lang" +
                "|href|tabindex|accesskey|role|aria-.*)$");
            const formulas = "mjx-assistive-mml > math";
            for (const formula of document.querySelectorAll(formulas)) {
                const names = [...formula.querySelectorAll("*")].flatMap(
                    part => part.getAttributeNames());
                if (!names.some(name => telling.test(name))) {
                    formula.textContent = formula.textContent;
                }
            }
            const kind = node => node &&
                `${kind(node.parentElement)} ${node.localName}#${node.id}` +
                `.${node.className}{${node.style.cssText}}`;
            const seen = new Set();
            for (const code of document.querySelectorAll(".highlight pre")) {
                const block = kind(code.parentElement);
                for (const word of code.querySelectorAll("span[class]")) {
                    const look = word.className + word.style.cssText;
                    if (seen.has(block + look)) word.className = "";
                    seen.add(block + look);
                }
                code.querySelectorAll("span[class='']").forEach(
                    word => word.replaceWith(...word.childNodes));
                code.normalize();
            }
        }"""
    )


def scrolls_sideways(page):
    return page.evaluate(
        "document.documentElement.scrollWidth > window.innerWidth"
    )


def problems_when_light(page):
    return accessibility_problems(page)


def problems_when_dark(page):
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    # The theme fades some colours; what counts is what they end at.
    page.evaluate(
        "Promise.allSettled(document.getAnimations().map(a => a.finished))"
        ".then(() => true)"
    )
    return accessibility_problems(page, COLOURS_ONLY)


def problems_when_narrow(page):
    found = []
    for viewport in NARROW:
        page.set_viewport_size(viewport)
        if scrolls_sideways(page):
            found.append(f"scrolls sideways at {viewport['width']} px")
    # A moment after the size has changed, the theme lets the keyboard reach
    # code that has to be scrolled now.
    page.wait_for_function(
        "[...document.querySelectorAll('pre')].every(code => "
        "code.scrollWidth <= code.clientWidth || code.tabIndex == 0)"
    )
    return found + accessibility_problems(page, NO_COLOURS)


def shown_theme(page):
    return page.evaluate("document.documentElement.dataset.theme")


def focused(page):
    """Describe the element that the keyboard is on."""
    return page.evaluate(
        """() => {
            const at = document.activeElement;
            if (at.matches("#pst-skip-link, #pst-skip-link *")) return "skip";
            if (at.matches("label, button.primary-toggle")) return "menu";
            if (at.matches(".search-button-field, .search-button"))
                return "search";
            if (at.matches("nav.bd-links a")) return "chapters";
            if (at.matches("article *")) return "text";
            return at.tagName;
        }"""
    )


def tab_stops(page, most=120):
    """Press Tab until the text is reached; return the stops on the way."""
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stops.append(focused(page))
        if stops[-1] == "text":
            break
    return stops


def focus_problems(page, most=200):
    """Press Tab through a page; describe the stops that nothing marks."""
    found = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop, marked = page.evaluate(
            """() => {
                const at = document.activeElement;
                // The theme marks the arrow of a chapter, and the whole field
                // of a search.
                const marks = [at, at.closest("form"),
                    ...at.querySelectorAll(".toctree-toggle")];
                const look = marks.filter(Boolean).map(getComputedStyle);
                const marked = look.some(css =>
                    (css.outlineStyle !== "none" && css.outlineWidth !== "0px")
                    || css.boxShadow !== "none");
                return [at.outerHTML.split(">")[0], marked];
            }"""
        )
        if stop.startswith("<body"):
            return found
        if not marked:
            found.append(stop)
    pytest.fail(f"There are more than {most} stops.")


def pasted(page):
    """Return the text that has been copied."""
    page.evaluate("document.body.prepend(document.createElement('textarea'))")
    box = page.locator("textarea")
    box.press("Control+v")
    text = box.input_value()
    box.evaluate("node => node.remove()")
    return text


def style(page, selector, *names):
    """Return properties of the first element that a selector finds."""
    return page.locator(selector).first.evaluate(
        "(node, names) => names.map(name => getComputedStyle(node)[name])",
        names,
    )


# --- Every page -------------------------------------------------------------


@pytest.mark.parametrize(
    "share", range(SHARES), ids=lambda i: f"share {i + 1} of {SHARES}"
)
def test_pages_work_offline_for_everyone(tab, site, share):
    problems = {}
    for path in every_page(site)[share::SHARES]:
        with tab.visit(path) as page:
            found = maths_problems(page)
            unfold(page)
            thin_out(page)
            for view in (
                problems_when_light,
                problems_when_dark,
                problems_when_narrow,
            ):
                found += [f"{view.__name__}: {x}" for x in view(page)]
            found += tab.faults
        if found:
            problems[name(site, path)] = found
    assert problems == {}


# --- What a reader does -----------------------------------------------------


def test_the_dark_mode_stays(tab, site):
    with tab.visit(site / SHORT) as page:
        assert shown_theme(page) == "light"
        switch = page.locator("button.theme-switch-button:visible").first
        for _ in range(3):  # automatic, light, dark: in a circle
            if shown_theme(page) == "dark":
                break
            switch.click()
        assert shown_theme(page) == "dark"
        page.reload()
        assert shown_theme(page) == "dark"
        assert tab.faults == []


def test_the_keyboard_reaches_everything(tab, site):
    with tab.visit(site / SHORT) as page:
        stops = tab_stops(page)
    assert stops[0] == "skip"
    assert {"search", "chapters", "text"} <= set(stops)


def test_the_skip_link_goes_to_the_text(tab, site):
    with tab.visit(site / SHORT) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        stops = tab_stops(page)
    assert "chapters" not in stops
    assert stops[-1] == "text"


def test_the_keyboard_opens_the_menu_on_a_phone(tab, site):
    with tab.visit(site / SHORT, NARROW[0]) as page:
        chapters = page.locator("nav.bd-links:visible")
        assert chapters.count() == 0
        page.locator("button.primary-toggle:visible").focus()
        page.keyboard.press("Enter")
        chapters.first.wait_for()
        assert tab.faults == []


def test_every_stop_of_the_keyboard_is_marked(tab, site):
    with tab.visit(site / SHORT) as page:
        assert focus_problems(page) == []


def test_a_link_marks_where_it_leads(chapter):
    for name in ("fig-dice", "equation-eq-total", "thm-bayes"):
        chapter.evaluate("name => location.hash = name", name)
        assert style(chapter, f"#{name}", "outlineStyle") == ["solid"]


def test_the_search_finds_bayes(tab, site):
    with tab.visit(site / "index.html") as page:
        page.keyboard.press("Control+k")
        page.keyboard.type("Bayes")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=Bayes*")
        results = page.locator("#search-results li a")
        results.first.wait_for()
        targets = results.evaluate_all("links => links.map(a => a.href)")
        assert CHAPTER in targets[0]
        reference = ["appendix/library" in target for target in targets]
        assert reference == sorted(reference)  # after all the others
        assert tab.faults == []


def test_a_chapter_has_maths_and_code_that_can_be_copied(chapter):
    notebook = json.loads((ROOT / CHAPTER).with_suffix(".ipynb").read_text())
    sources = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert chapter.locator("mjx-container").count() > 0
    cells = chapter.locator(".cell_input div.highlight")
    buttons = cells.locator("button.copybtn")
    assert cells.count() == buttons.count() > 0
    cells.first.hover()
    buttons.first.click()
    assert pasted(chapter) in sources
    assert chapter.locator(".cell_output button.copybtn").count() == 0


def test_a_copied_sentence_has_its_formulas(chapter):
    chapter.evaluate(
        """getSelection().setBaseAndExtent(
            document.querySelector("#def-space"), 0,
            document.querySelector("#prop-rules"), 1)"""
    )
    chapter.keyboard.press("Control+c")
    text = pasted(chapter)
    assert r"with a number $p(\omega) \ge 0$ for every outcome" in text
    assert r"\mathbb{P}[A] = \sum_{\omega \in A} p(\omega)" in text
    expect(chapter.locator(".book-tex")).to_have_count(0)


def test_the_keyboard_unfolds_every_solution(chapter):
    solutions = chapter.locator("div.solution.dropdown")
    assert solutions.count() > 0
    for solution in solutions.all():
        text = solution.locator("section").first
        button = solution.locator("button.toggle-button")
        assert not text.is_visible()
        button.focus()
        chapter.keyboard.press("Shift+Tab")
        expect(button).not_to_be_focused()
        chapter.keyboard.press("Tab")
        expect(button).to_be_focused()
        chapter.keyboard.press("Enter")
        assert text.is_visible()
        chapter.keyboard.press("Enter")
        assert not text.is_visible()


# --- How it looks -----------------------------------------------------------


def test_what_folds_looks_alike(chapter):
    selectors = (
        "details.sd-dropdown > summary",
        "details.hide > summary",
        "div.solution > p.admonition-title",
    )
    names = ("height", "fontSize", "fontWeight", "display", "paddingLeft")
    looks = [style(chapter, selector, *names) for selector in selectors]
    button = chapter.locator("button.toggle-button").first.bounding_box()
    assert looks[0] == looks[1] == looks[2]
    assert min(button["width"], button["height"]) >= 24


def test_links_have_one_colour(chapter):
    [in_text] = style(chapter, "article > section p a", "color")
    [in_table] = style(chapter, "article .table a", "color")
    assert in_table == in_text


def test_theorems_cast_no_shadow(chapter):
    assert style(chapter, "div.theorem", "boxShadow") == ["none"]


@pytest.mark.parametrize("width", [1280, 375])
def test_punctuation_stays_with_its_formula(chapter, width):
    chapter.set_viewport_size({"width": width, "height": 800})
    joined, parted = chapter.evaluate(
        """() => {
            const left = node => {
                const range = document.createRange();
                range.setStart(node, 0);
                range.setEnd(node, 1);
                return range.getBoundingClientRect().left;
            };
            const formulas = [...document.querySelectorAll("span.math")]
                .filter(formula => formula.checkVisibility())
                .filter(({nextSibling: next}) =>
                    next instanceof Text && /^[.,;:!?)”]/.test(next.data));
            const parted = formulas.filter(formula =>
                left(formula.nextSibling) <
                formula.getBoundingClientRect().left);
            return [formulas.length, parted.length];
        }"""
    )
    assert joined > 0
    assert parted == 0


def test_a_phone_shows_figures_whole_and_large(phone):
    figures = phone.locator("figure img").evaluate_all(
        """images => images.map(image => [
            image.naturalWidth / image.naturalHeight,
            image.width / image.height,
            image.width,
            image.closest("a").scrollWidth,
        ])"""
    )
    for natural, shown, width, reachable in figures:
        assert shown == pytest.approx(natural, rel=0.01)
        assert 480 <= width <= reachable
    assert not scrolls_sideways(phone)


def test_a_phone_shows_where_formulas_begin(phone):
    starts = phone.locator("div.math").evaluate_all(
        """boxes => boxes.filter(box => box.checkVisibility()).map(box =>
            box.querySelector("svg").getBoundingClientRect().left -
            box.getBoundingClientRect().left)"""
    )
    assert min(starts) >= 0


@pytest.mark.parametrize(
    "selector",
    [
        ".pst-scrollable-table-container",
        "span.book-wide",
        "div.cell_input pre",
    ],
)
def test_what_goes_on_beyond_the_edge_fades_there(phone, selector):
    regions = phone.locator(f"{selector}[data-more]:visible")
    region = regions.first.element_handle()
    mask = "node => getComputedStyle(node).maskImage"
    assert region.evaluate(mask) != "none"
    region.evaluate("node => node.scrollLeft = node.scrollWidth")
    phone.wait_for_function("node => !node.matches('[data-more]')", arg=region)
    assert region.evaluate(mask) == "none"
    region.evaluate("node => node.scrollLeft = 0")  # as others find it


def test_a_phone_shows_the_index_in_full_width(tab, site):
    with tab.visit(site / "genindex.html", NARROW[0]) as page:
        [table] = style(page, "table.genindextable", "width")
        assert style(page, "table.genindextable td", "width") == [table]


def test_a_phone_shows_the_neighbours_names(tab, site):
    page_of_library = site / "book/appendix/library/datasets.html"
    with tab.visit(page_of_library, NARROW[0]) as page:
        cut = page.locator(".prev-next-area a").evaluate_all(
            "links => links.filter(a => a.scrollWidth > a.clientWidth).length"
        )
    assert cut == 0


def test_paper_is_white_and_unfolded(chapter):
    chapter.emulate_media(color_scheme="dark")
    expect(chapter.locator("html")).to_have_attribute("data-theme", "dark")
    chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
    chapter.emulate_media(media="print")
    assert shown_theme(chapter) == "light"
    assert chapter.locator(".sd-summary-content:visible").count() > 0
    assert chapter.locator("details.hide:visible").count() == 0
    assert chapter.locator("summary svg:visible").count() == 0
    chapter.emulate_media(media="screen")
    chapter.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown_theme(chapter) == "dark"
    assert chapter.locator(".sd-summary-content:visible").count() == 0
    assert chapter.evaluate("localStorage.getItem('theme')") == "light"


# --- The quiz ---------------------------------------------------------------


@dataclass
class Answer:
    """What is given to a question, and what the bank has to say on it."""

    state: str
    given: list[str]
    reasons: list[str]


def right_answer(question):
    match question:
        case quiz.Choice():
            options = [option for option in question.options if option.right]
            return Answer(
                "right",
                [option.text for option in options],
                [option.why for option in options],
            )
        case quiz.Numeric():
            return Answer("right", [question.answer], [question.why])
        case quiz.Order():
            steps = [step.text for step in question.steps]
            return Answer("right", steps, [question.why])


def wrong_answer(question):
    match question:
        case quiz.Choice():
            option = next(o for o in question.options if not o.right)
            return Answer("wrong", [option.text], [option.why])
        case quiz.Numeric():
            value = question.wrong[-1]
            return Answer("wrong", [value.value], [value.why])
        case quiz.Order():
            steps = [step.text for step in question.steps]
            return Answer("wrong", steps[::-1], [])


def bare(text):
    """Return a text without white space, quotes, signs of Markdown and TeX."""
    return re.sub(r"""[\s*`$\\"'“”‘’]""", "", text)


def said(places):
    """Return what elements say, formulas as they were written."""
    texts = places.evaluate_all(
        """nodes => {
            const formulas = [...MathJax.startup.document.math];
            const tex = new Map(formulas.map(f => [f.typesetRoot, f.math]));
            const text = node => tex.get(node) ??
                (node.firstChild ? [...node.childNodes].map(text).join("")
                                 : node.textContent);
            return nodes.map(text);
        }"""
    )
    return [bare(text) for text in texts]


class Mouse:
    def __init__(self, page):
        self.page = page

    def press(self, button):
        button.click()

    def choose(self, option):
        option.click()

    def type(self, box, text):
        box.click()
        self.page.keyboard.type(text)


class Keyboard:
    def __init__(self, page):
        self.page = page
        page.locator(".quiz-title").focus()

    def reach(self, control):
        """Go on with Tab, and with an arrow from one radio to the next."""
        for _ in range(60):
            where = control.evaluate(
                """node => {
                    const at = document.activeElement;
                    if (at === node) return "there";
                    const radio = at.type === "radio" && at.name === node.name;
                    return radio ? "ArrowDown" : "Tab";
                }"""
            )
            if where == "there":
                return
            self.page.keyboard.press(where)
        pytest.fail(f"The keyboard does not reach {control}.")

    def press(self, button):
        self.reach(button)
        self.page.keyboard.press("Enter")

    def choose(self, option):
        self.reach(option.locator("input"))
        if not option.locator("input").is_checked():  # an arrow checks
            self.page.keyboard.press("Space")

    def type(self, box, text):
        self.reach(box)
        self.page.keyboard.type(text)


def give(hand, form, answer):
    """Answer a question; which control is meant, the bank's texts say."""
    given = [bare(text) for text in answer.given]
    match form.get_attribute("data-kind"):
        case "single" | "multiple":
            texts = said(form.locator(".quiz-option .quiz-text"))
            for text in given:
                option = form.locator(".quiz-option").nth(texts.index(text))
                hand.choose(option)
        case "number":
            hand.type(form.locator("input"), answer.given[0])
        case "order":
            for place, text in enumerate(given):
                texts = said(form.locator(".quiz-step > .quiz-text"))
                for at in range(texts.index(text), place, -1):
                    step = form.locator(".quiz-step").nth(at)
                    hand.press(step.locator("[data-move='-1']"))
    hand.press(form.locator(".quiz-check"))


def shown_answers(page):
    """Return the score, and of each question its state and its reasons."""
    return page.locator(".quiz-score").inner_text(), [
        (
            form.get_attribute("data-state"),
            sorted(said(form.locator(".quiz-reason:visible > div"))),
        )
        for form in page.locator(".quiz-question").all()
    ]


@pytest.mark.parametrize(
    ("hand", "answers", "first"),
    [
        (Mouse, [wrong_answer, right_answer], ""),
        (Keyboard, [right_answer, wrong_answer], ", 4 at the first try"),
    ],
)
def test_the_quiz_answers_as_the_bank_says(tab, site, hand, answers, first):
    bank = quiz.load("events")
    of_each_kind = {question.kind: question for question in bank.questions}
    asked = sorted(of_each_kind.values(), key=bank.questions.index)
    assert len(asked) == 4
    with tab.visit(site / CHAPTER) as page:
        hand = hand(page)
        for question in asked:
            form = page.locator(f"#quiz-events-{question.id}")
            for answer in [make(question) for make in answers]:
                if form.get_attribute("data-state"):
                    hand.press(form.locator(".quiz-again"))
                give(hand, form, answer)
                reasons = said(form.locator(".quiz-reason:visible > div"))
                assert form.get_attribute("data-state") == answer.state
                assert sorted(reasons) == sorted(map(bare, answer.reasons))
        before = shown_answers(page)
        total = len(bank.questions)
        assert before[0] == f"4 of {total} answered correctly{first}"
        page.reload()
        settle(page)
        assert shown_answers(page) == before
        assert tab.faults == []


def test_a_drill_brings_another_question_from_its_bank(tab, site):
    with tab.visit(site / CHAPTER) as page:
        drill = page.locator(".bayesbook-drill").first
        button = drill.get_by_role("button", name="Another question")
        button.focus()
        page.keyboard.press("Enter")
        group = drill.locator("fieldset:focus")
        expect(group).to_contain_text(re.compile(r"Question \d+ of 200"))
        drill.locator("summary").click()
        formula = drill.locator(".quiz-explanation mjx-container").first
        expect(formula).to_be_visible()
        assert maths_problems(page) == []
        assert tab.faults == []


def test_a_quiz_fits_a_phone(tab, broken):
    shown = broken(quiz.render.html(quiz.load("events")))
    with tab.visit(shown, NARROW[0]) as page:
        up, down = page.locator(".quiz-moves").first.locator("button").all()
        assert up.bounding_box()["y"] < down.bounding_box()["y"]
        assert not scrolls_sideways(page)


def test_code_in_a_quiz_has_the_colour_of_its_text(tab, broken):
    html = quiz.render.html(quiz.load("events"))
    shown = broken(html.replace("</header>", "<code>x</code></header>"))
    with tab.visit(shown) as page:
        [text] = style(page, ".quiz-head", "color")
        assert style(page, ".quiz-head code", "color") == [text]


def test_progress_does_not_need_the_colours_of_the_page(tab, broken):
    shown = broken(quiz.render.html(quiz.load("events")))
    with tab.visit(shown) as page:
        page.emulate_media(forced_colors="active")
        [line] = style(page, ".quiz-pips i", "borderTopStyle")
        page.emulate_media(forced_colors="none")
    assert line == "solid"


# --- A step-through ---------------------------------------------------------


def test_a_step_through_has_the_look_of_its_page(tab, broken):
    line = {"line": ([0, 1], [0, 1])}
    frames = [
        stepper.Frame(title, line, text=r"Of slope $\frac{2}{2}$.")
        for title in ("One", "Two")
    ]
    shown = stepper.show("lines", frames, x_label="x", y_label="y")
    html = shown._repr_mimebundle_()["text/html"]
    output = (
        '<div class="cell_output"><div class="output text_html">'
        f"{html}</div></div>"
    )
    with tab.visit(broken(output)) as page:
        root = page.locator(".bayesbook-stepper")
        root.get_by_role("button", name="Next").click()
        said = root.locator(".stepper-said")
        expect(said).to_contain_text("Two")
        expect(said.locator("mjx-container")).to_be_visible()
        assert problems_when_light(page) == []
        assert problems_when_dark(page) == []
        grounds = {
            style(page, part, "backgroundColor")[0]
            for part in ("body", ".bayesbook-stepper")
        }
        assert len(grounds) == 1
        page.set_viewport_size(NARROW[0])
        assert not scrolls_sideways(page)
        assert tab.faults == []


# --- The checks turn red ----------------------------------------------------


@pytest.fixture
def broken(site, tmp_path):
    """Give a function that writes a page with something added to its text."""
    (tmp_path / "_static").symlink_to(site / "_static")
    shutil.copy(site / "searchindex.js", tmp_path)
    page = (site / SHORT).read_text()
    page = page.replace("../../", "")

    def write(addition):
        path = tmp_path / "broken.html"
        path.write_text(page.replace("</article>", addition + "</article>"))
        return path

    return write


def test_an_unbroken_page_is_fine(tab, broken):
    with tab.visit(broken("")) as page:
        assert maths_problems(page) == []
        assert accessibility_problems(page) == []
        assert tab.faults == []


def test_an_undefined_macro_is_seen(tab, broken):
    added = r'<span class="math">\(\undefinedmacro\)</span>'
    with tab.visit(broken(added)) as page:
        problems = maths_problems(page)
    assert any("undefinedmacro" in problem for problem in problems)


def test_maths_that_is_not_typeset_is_seen(tab, broken):
    added = '<span class="math">\\(x</span>'
    with tab.visit(broken(added)) as page:
        [problem] = maths_problems(page)
    assert "formulas typeset" in problem


@pytest.mark.parametrize(
    ("added", "fault"),
    [
        ('<img src="https://example.org/x.png" alt="x">', "request: https:"),
        ('<img src="missing.png" alt="x">', "missing: file:"),
        ("<script>undefinedFunction()</script>", "script: "),
        ("<script>console.error('x')</script>", "console: x"),
    ],
)
def test_a_fault_is_seen(tab, broken, added, fault):
    with tab.visit(broken(added)):
        assert any(found.startswith(fault) for found in tab.faults)


@pytest.mark.parametrize(
    ("added", "rule"),
    [
        ("<p><button></button></p>", "button-name"),
        (
            '<div class="highlight"><pre><span class="k">def</span>'
            '<span class="n" style="color: #ddd">name</span></pre></div>',
            "color-contrast",
        ),
        (
            "<style>.other .n { color: #ddd !important }</style>"
            '<div class="highlight"><pre><span class="n">name</span></pre>'
            '</div><div class="other highlight"><pre><span class="n">name'
            "</span></pre></div>",
            "color-contrast",
        ),
        (
            '<div class="highlight"><pre><span class="n">name</span> '
            '<span class="n" style="color: #ddd">name</span></pre></div>',
            "color-contrast",
        ),
        (
            "<mjx-assistive-mml><math><mi>x</mi><mi role='no'>y</mi></math>"
            "</mjx-assistive-mml>",
            "aria-roles",
        ),
    ],
)
def test_an_inaccessible_element_is_seen(tab, broken, added, rule):
    with tab.visit(broken(added)) as page:
        thin_out(page)
        [problem] = accessibility_problems(page)
    assert problem.startswith(rule)


@pytest.mark.parametrize(
    ("added", "rule"),
    [
        (
            "<style>[data-theme=dark] kbd { color: #444 !important; "
            "background: #222 !important }</style><p><kbd>x</kbd></p>",
            "color-contrast",
        ),
        (
            "<style>[data-theme=dark] .x { color: #bbb; "
            "text-decoration: none }</style>"
            "<p>text of <a class='x' href='#'>a link</a> and more text</p>",
            "link-in-text-block",
        ),
    ],
)
def test_a_colour_that_is_wrong_in_the_dark_is_seen(tab, broken, added, rule):
    with tab.visit(broken(added)) as page:
        assert problems_when_light(page) == []
        [problem, *_] = problems_when_dark(page)
    assert problem.startswith(rule)


def test_the_quick_axe_finds_what_axe_finds(tab, broken):
    colours = ("#777", "navy", "rgb(200 90 0 / 60%)", "oklch(70% 0.1 200)")
    added = "".join(
        f'<p style="background: {back}; color: {front}">text of '
        '<a href="#" style="color: #666; text-decoration: none">a link</a> '
        '<em style="opacity: 0.7">and</em> more text</p>'
        for back in colours
        for front in colours
    )
    with tab.visit(broken(added)) as page:
        plain, quick = (axe.run(page).response for axe in (Axe(), AXE))
    for kind in ("passes", "violations", "incomplete"):
        assert quick[kind] == plain[kind]
    failed = {violation["id"] for violation in plain["violations"]}
    assert failed == set(COLOURS)


def test_a_stop_without_a_mark_is_seen(tab, broken):
    with tab.visit(broken("<button id='x' style='outline: 0'>x")) as page:
        [problem] = focus_problems(page)
    assert 'id="x"' in problem


def test_a_page_that_is_too_wide_is_seen(tab, broken):
    wide = '<div style="width: 2000px">wide</div>'
    with tab.visit(broken(wide)) as page:
        found = problems_when_narrow(page)
    assert sum("sideways" in problem for problem in found) == len(NARROW)
