"""The book in Firefox and WebKit: `make test-browsers`.

`make test` looks at everything in Chromium. What may differ elsewhere is
tried here: every page opens, and what a reader does on one works.
"""

import os
import shutil
from pathlib import Path

import pytest
from driving import BROWSERS, SIZE
from looking import SHORT
from phone import Pages, served

CHAPTER = "book/conjugate/beta_binomial.html"
# The first thing on every page: it notes what goes wrong after it.
RECORDER = """<script>
window.faults = [];
addEventListener("error", event => faults.push(event.message
    ?? `missing: ${event.target.src ?? event.target.href}`), true);
addEventListener("unhandledrejection",
    event => faults.push(`promise: ${event.reason}`));
console.error = (...words) => faults.push(`console: ${words.join(" ")}`);
</script>"""
FAULTS = "() => faults"
# Formulas that are still TeX; formulas and figures that take no place.
NOT_DRAWN = r"""async () => {
    // A picture that is far below would wait until the reader comes near.
    const images = [...document.images];
    images.forEach(image => image.loading = "eager");
    await Promise.allSettled(images.map(image => image.decode()));
    const shown = css => [...document.querySelectorAll(`article ${css}`)]
        .filter(node => node.checkVisibility({visibilityProperty: true}));
    const flat = node => ![...node.getClientRects()].some(
        box => box.width * box.height);
    const raw = node => /^\s*\\[([]/.test(node.textContent);
    return [
        ...shown(":is(.math, .katex-html)").filter(
            node => raw(node) || flat(node)),
        ...shown("figure :is(img, svg)").filter(flat),
        ...shown("img").filter(image => !image.naturalWidth),
    ].map(node => node.outerHTML.slice(0, 200));
}"""
# The places of a right and of a wrong option, from the key of the question.
OPTIONS = """selector => {
    const {key} = document.querySelector(selector).dataset;
    const {right} = JSON.parse(atob(key));
    return [right.indexOf(true), right.indexOf(false)];
}"""
ANSWER = """selector => {
    const {key} = document.querySelector(selector).dataset;
    return String(JSON.parse(atob(key)).answer);
}"""
IS = "(selector, test) => !!document.querySelector(selector)?.matches(test)"
HAS_FOCUS = "selector => document.activeElement.matches(selector)"
IS_SHOWN = """selector => document.querySelector(selector)
    .checkVisibility({visibilityProperty: true})"""
TEXT = "selector => document.querySelector(selector).textContent"
FOUND = """() => {
    const links = [...document.querySelectorAll("#pst-search-dialog li a")];
    return links.length && links.map(link => link.href);
}"""
CARD = ".book-card"
GONE = "selector => !document.querySelector(selector)"
ESCAPE = "\ue00c"
PHONE = (375, 812)
# The last section, far below all that a phone lays out at first.
LAST = """() => {
    const sections = document.querySelectorAll("article section:has(> h2)");
    return [...sections].at(-1).id;
}"""
# Whether the heading of a section stands in the upper half of the screen.
ARRIVED = """id => {
    const heading = document.querySelector(`#${id} > h2`);
    const {top} = heading.getBoundingClientRect();
    return 0 <= top && top < innerHeight / 2;
}"""
# What is dragged in an explorable, to the right and down; what gets a key, and
# what a click. Sliders are dragged; they and boxes to type in get keys.
ARROW_RIGHT = "\ue014"
ENTER, SPACE = "\ue007", " "
BAYES = (
    ("[data-drawn=grip_sensitivity] circle:last-child", 0, 40),
    ("[name=prevalence]", ARROW_RIGHT),
    "[data-steps='prevalence 1']",
)
BETA = (
    ("[name=a]", 40, 0),
    ("[name=successes]", ARROW_RIGHT),
    "[data-steps='failures 1']",
)
LIKELIHOOD = (
    ("[data-drawn=point_2] circle:last-child", 40, 0),
    ("[name=theta]", ARROW_RIGHT),
    "[data-steps='sd 1']",
)
SIMPSON = (
    ("[data-drawn=women_grip] circle:last-child", 40, 0),
    ("[name=men]", ARROW_RIGHT),
    "[data-steps='women 1']",
)
RIDGE = (
    ("[data-drawn=lasso_grip] circle:last-child", 40, 0),
    ("[name=correlation]", ARROW_RIGHT),
    "[data-steps='second 1']",
)
THRESHOLD = (
    ("[data-drawn=grip] circle:last-child", 40, 0),
    ("[name=prevalence]", ARROW_RIGHT),
    "[data-ticks='reject 1']",
)
NUMBERS = (None, ("[name=x2]", f"8{ENTER}"), "[data-drawn=n2]")
TRIANGLE = (
    ("[name=a1]", 40, 0),
    ("[name=n3]", ARROW_RIGHT),
    "[data-steps='draws 1']",
)
CLIMB = (
    ("[data-drawn=start] circle:last-child", -40, 40),
    ("[name=b]", ARROW_RIGHT),
    "[data-drawn=m_step]",
)
CHAINS = (
    ("[data-drawn=start_b] circle:last-child", 0, 40),
    ("[name=scale]", ARROW_RIGHT),
    "[data-steps='steps -1']",
)
VOTES = (
    ("[name=beta]", 40, 0),
    ("[name=beta]", ARROW_RIGHT),
    "[data-steps='v4 1']",
)
GRAPH = (None, None, "[data-turns=C]")
LIDS = (
    ("[name=stickiness]", 40, 0),
    ("[name=until]", ARROW_RIGHT),
    "[data-drawn=button_2]",
)
ORDER = (None, None, "button[data-sets='clinic 2']")
EXPLORABLES = {
    "explore-bayes-rule": ("book/conditioning/events", *BAYES),
    "front page": ("index", *BAYES),
    "explore-simpson": ("book/conditioning/events", *SIMPSON),
    "explore-d-separation": ("book/configurations/d_separation", *GRAPH),
    "explore-beta-binomial": ("book/conjugate/beta_binomial", *BETA),
    "explore-dirichlet-multinomial": (
        "book/conjugate/dirichlet_multinomial",
        *TRIANGLE,
    ),
    "explore-em": ("book/networks/em", *CLIMB),
    "explore-metropolis": ("book/appendix/mcmc", *CHAINS),
    "explore-number-game": ("book/conjugate/number_game", *NUMBERS),
    "explore-naive-bayes": ("book/naive_bayes/naive_bayes", *VOTES),
    "explore-likelihood": ("book/estimation/likelihood", *LIKELIHOOD),
    "explore-ridge-and-lasso": ("book/estimation/map_and_bayes", *RIDGE),
    "explore-threshold": ("book/estimation/decisions", *THRESHOLD),
    "explore-network-alarm": (
        "book/configurations/three_variables",
        None,
        None,
        "[data-ticks='earthquake 1']",
    ),
    "explore-network-five": (
        "book/networks/representation",
        None,
        None,
        "[data-ticks='x1 2']",
    ),
    "explore-elimination": ("book/networks/inference", *ORDER),
    "explore-hidden-markov": ("book/networks/sequences", *LIDS),
    "explore-network": (
        "book/networks/inference",
        ("[name=ratio]", 40, 0),
        ("[name=ratio]", ARROW_RIGHT),
        "[data-ticks='lung 1']",
    ),
}
# What a key presses in an explorable, as a mouse would.
PRESSED = {
    "button[data-steps$=' 1']": ENTER,
    "button[data-sets$=' 1']:not([aria-disabled=true])": SPACE,
    "[data-ticks]": SPACE,
    "input[type=number]": f"8{ENTER}",
    "button.explore-reset": ENTER,
}
# The state and the pictures of an explorable, once they are others.
MOVED = """(root, before) => {
    const parts = [...document.querySelectorAll(`${root} [data-drawn]`)];
    const now = [location.hash, parts.map(
        part => part.cloneNode().outerHTML).join("")];
    return now.every((each, at) => each !== before?.[at]) && now;
}"""
FOCUS = "selector => void document.querySelector(selector).focus()"
THERE = "selector => document.querySelector(selector) !== null"
UNFOLD = """root => document.querySelectorAll(`${root} details`)
    .forEach(group => group.open = true)"""
CHOOSE = """(selector, value) => {
    const list = document.querySelector(selector);
    list.value = value;
    for (const kind of ["input", "change"]) {
        list.dispatchEvent(new Event(kind));
    }
}"""
LATER = "() => new Promise(done => setTimeout(done, 1000, true))"
THEME = "() => document.documentElement.dataset.theme"
GROUND = "() => getComputedStyle(document.body).backgroundColor"


MISSING = []


class Recording(Pages):
    """Serve the book, and note what it does not have."""

    def log_error(self, *args):
        MISSING.append(f"missing: {self.path}")


@pytest.fixture(scope="session")
def recorded(site, tmp_path_factory):
    """Give a copy of the book whose pages note their faults."""

    def copy(source, target):
        if source.endswith(".html"):
            page = Path(source).read_text("utf-8")
            Path(target).write_text(
                page.replace("<head>", f"<head>{RECORDER}", 1), "utf-8"
            )
        else:
            os.symlink(source, target)

    folder = tmp_path_factory.mktemp("recorded") / "book"
    return shutil.copytree(site, folder, copy_function=copy)


@pytest.fixture(scope="session")
def address(recorded):
    with served(recorded, Recording) as address:
        yield address


@pytest.fixture(scope="module", params=BROWSERS)
def window(request):
    with BROWSERS[request.param]() as opened:
        yield opened


@pytest.fixture
def chapter(window, address):
    """Open a chapter as one who has never read it, and will forget it."""
    window.open(f"{address}/{CHAPTER}")
    yield window
    window.run("() => localStorage.clear()")
    assert faults(window) == []


def faults(window):
    """Return what went wrong since the page was opened, and forget it."""
    missing = MISSING.copy()
    MISSING.clear()
    return window.run(FAULTS) + missing


def test_every_page_opens(window, recorded, address):
    problems = {}
    for path in sorted(recorded.rglob("*.html")):
        name = path.relative_to(recorded).as_posix()
        if name.startswith("_static/"):
            continue
        window.open(f"{address}/{name}")
        if found := window.run(NOT_DRAWN) + faults(window):
            problems[name] = found
    assert problems == {}


def test_a_quiz_answers_and_remembers(chapter, address):
    form = ".quiz-question[data-kind=single][id^=quiz]"
    form = f"#{chapter.run('css => document.querySelector(css).id', form)}"
    right, wrong = chapter.run(OPTIONS, form)
    for option, state in ((wrong, "wrong"), (right, "right")):
        chapter.click(f"{form} .quiz-option:has([value='{option}'])")
        chapter.click(f"{form} .quiz-check")
        assert chapter.run(IS, form, f"[data-state={state}]")
        if state == "wrong":
            chapter.click(f"{form} .quiz-again")
    score = chapter.run(TEXT, ".quiz-score")
    assert score.startswith("1 of ")
    chapter.open(f"{address}/{CHAPTER}")
    assert chapter.run(IS, form, "[data-state=right]")
    assert chapter.run(TEXT, ".quiz-score") == score
    chapter.click(".book-to-progress a")
    text = "selector => document.querySelector(selector)?.textContent"
    counts = chapter.wait(text, ".progress-chapter:has(button) ul")
    assert "1 right, 1 tried" in counts
    marks = chapter.wait(text, "nav.bd-links a:has(.book-mark)")
    assert marks.endswith("begun")


def test_a_drill_brings_another_question(chapter):
    form = ".bayesbook-drill form"
    before = chapter.run(ANSWER, form)
    chapter.click(".bayesbook-drill .drill-next")
    chapter.wait(HAS_FOCUS, f"{form} fieldset")
    assert chapter.run(ANSWER, form) != before
    chapter.click(f"{form} input")
    chapter.type(chapter.run(ANSWER, form))
    chapter.click(f"{form} .quiz-check")
    assert chapter.run(IS, form, "[data-state=right]")
    assert chapter.run(NOT_DRAWN) == []


def test_a_step_through_goes_on(chapter):
    said = ".stepper-said"
    chapter.click(".stepper-next")
    first = chapter.run(TEXT, said)
    chapter.click(".stepper-next")
    assert chapter.run(TEXT, said) != first
    chapter.click(".stepper-previous")
    assert chapter.run(TEXT, said) == first
    assert chapter.run(NOT_DRAWN) == []


@pytest.mark.parametrize("name", EXPLORABLES)
def test_an_explorable_answers(window, address, name):
    page, drag, typed, clicked = EXPLORABLES[name]
    window.open(f"{address}/{page}.html")
    root = "#explore-bayes-rule" if page == "index" else f"#{name}"
    seen = window.run(MOVED, root, None)
    if drag:
        dragged, *by = drag
        if name == "explore-network":  # a ratio of nothing moves no bar
            window.run(CHOOSE, f"{root} [name=report]", 3)
            seen = window.wait(MOVED, root, seen)
        window.drag(f"{root} {dragged}", *by)
        seen = window.wait(MOVED, root, seen)
    if typed:
        focused, key = typed
        window.run(FOCUS, f"{root} {focused}")
        window.type(key)
        seen = window.wait(MOVED, root, seen)
    window.click(f"{root} {clicked}")
    assert window.wait(MOVED, root, seen)
    assert faults(window) == []


@pytest.mark.parametrize("name", EXPLORABLES)
def test_keys_press_what_is_in_an_explorable(window, address, name):
    page = EXPLORABLES[name][0]
    window.open(f"{address}/{page}.html")
    root = "#explore-bayes-rule" if page == "index" else f"#{name}"
    window.run(UNFOLD, root)
    seen = window.run(MOVED, root, None)
    if window.run(THERE, f"{root} [name=report]"):  # else its ratio is none's
        window.run(CHOOSE, f"{root} [name=report]", 3)
        seen = window.wait(MOVED, root, seen)
    there = [css for css in PRESSED if window.run(THERE, f"{root} {css}")]
    assert len(there) > 1
    for css in there:
        window.run(FOCUS, f"{root} {css}")
        window.type(PRESSED[css])
        seen = window.wait(MOVED, root, seen)
    assert faults(window) == []


@pytest.mark.parametrize(
    ("page", "button", "folded"),
    [
        (
            "book/conditioning/events.html",
            "details.sd-dropdown > summary",
            "details.sd-dropdown .sd-card-body",
        ),
        (CHAPTER, "details.hide > summary", "details.hide pre"),
        (CHAPTER, ".solution .toggle-button", ".solution section"),
    ],
    ids=["box", "code", "solution"],
)
def test_what_is_folded_unfolds(window, address, page, button, folded):
    window.open(f"{address}/{page}")
    assert not window.run(IS_SHOWN, folded)
    window.click(button)
    window.wait(IS_SHOWN, folded)
    assert window.run(NOT_DRAWN) == []
    assert faults(window) == []


def test_the_dark_mode_stays(chapter, address):
    grounds = {}
    for _ in range(3):  # automatic, light, dark: in a circle
        chapter.click("button.theme-switch-button")
        grounds[chapter.run(THEME)] = chapter.run(GROUND)
    assert grounds["light"] != grounds["dark"]
    while chapter.run(THEME) != "dark":
        chapter.click("button.theme-switch-button")
    chapter.open(f"{address}/{CHAPTER}")
    assert chapter.run(THEME) == "dark"
    assert chapter.run(GROUND) == grounds["dark"]


@pytest.mark.parametrize("source", ["='']", "$='.js']"])
def test_a_card_opens_and_closes(chapter, source):
    """What it shows is copied from the page, or fetched."""
    link = f"article a[data-card{source}"
    chapter.point(link)
    chapter.wait(IS, CARD, ":popover-open:has(.book-card-text > *)")
    assert chapter.run(IS_SHOWN, CARD)
    assert chapter.run(NOT_DRAWN) == []
    chapter.point("h1")
    chapter.wait(GONE, CARD)
    chapter.point(link)
    chapter.wait(IS, CARD, ":popover-open")
    chapter.type(ESCAPE)
    chapter.wait(GONE, CARD)


@pytest.mark.parametrize("comes", ["from elsewhere", "from above"])
def test_a_link_arrives_far_below_on_a_phone(chapter, address, comes):
    chapter.resize(*PHONE)
    try:
        place = chapter.run(LAST)
        if comes == "from elsewhere":
            chapter.open(f"{address}/index.html")
            chapter.open(f"{address}/{CHAPTER}#{place}")
        else:
            chapter.run("id => (location.hash = id)", place)
        chapter.wait(ARRIVED, place)
        chapter.run(LATER)
        assert chapter.run(ARRIVED, place)
        assert chapter.run(NOT_DRAWN) == []
    finally:
        chapter.resize(*SIZE)


@pytest.mark.parametrize("place", ["served", "disk"])
def test_the_search_finds_a_chapter(window, recorded, address, place):
    root = address if place == "served" else recorded.as_uri()
    window.open(f"{root}/index.html")
    window.click("button.search-button-field")
    window.wait(HAS_FOCUS, "[type=search]")
    window.type("beta-binomial")
    [target, *_] = window.wait(FOUND)
    assert target.startswith(f"{root}/{CHAPTER}")
    window.type("\ue007")
    window.wait(THERE, "article mark")
    assert window.run("() => location.href").startswith(f"{root}/{CHAPTER}")
    assert faults(window) == []


# --- A fault is seen --------------------------------------------------------


@pytest.mark.parametrize(
    ("added", "fault"),
    [
        ("<script>undefinedFunction()</script>", "undefinedFunction"),
        ("<script>console.error('x')</script>", "console: x"),
        ("<script>Promise.reject('x')</script>", "promise: x"),
        ("<img src='lost.png' alt='x'>", "lost.png"),
        (
            "<style>@font-face { font-family: x; src: url(lost.woff2) }"
            "</style><p style='font-family: x'>text</p>",
            "lost.woff2",
        ),
        (r"<p class='math'>\(x</p>", 'class="math"'),
        ("<p class='math' style='height: 0'></p>", "height: 0"),
    ],
)
def test_a_fault_is_seen(window, recorded, address, added, fault):
    page = (recorded / SHORT).read_text("utf-8")
    broken = recorded / Path(SHORT).with_name("broken.html")
    broken.write_text(page.replace("</article>", f"{added}</article>"))
    window.open(f"{address}/{broken.relative_to(recorded)}")
    broken.unlink()
    assert fault in str(window.run(NOT_DRAWN) + faults(window))
