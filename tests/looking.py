"""What tests of the pages ask a page in a browser."""

from contextlib import contextmanager, suppress

import pytest
from browsing import (
    WIDE,
    NotInTime,
    accessibility_problems,
    wait_until_reachable,
)

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
# The book says the same in many places.  A part of a page is known where so
# many like it have been looked at: one may lie under another element, and then
# axe does not judge its colours.
OFTEN = 3
SMALLEST_TARGET = 24  # pixels, WCAG 2.2, 2.5.8
# Days since 1970 that begin at midnight where the browser is.
TODAY = """Math.floor(
    Date.now() / 86.4e6 - new Date().getTimezoneOffset() / 1440)"""


def maths_problems(page):
    """Say which formulas are not typeset, and which KaTeX has refused."""
    return page.evaluate(
        r"""() => {
            const all = css => [...document.querySelectorAll(css)];
            const missing = node => !node.querySelector(".katex");
            const texts = document.createTreeWalker(
                document.querySelector("article, main"), NodeFilter.SHOW_TEXT);
            const raw = [];
            while (texts.nextNode()) {
                const {data, parentElement} = texts.currentNode;
                const hidden = "code, pre, script, style, annotation, "
                    + ".tex2jax_ignore";
                if (/\\[a-zA-Z()[\]]|\$\$/.test(data)
                    && !parentElement.closest(hidden)) raw.push(data);
            }
            return [
                ...raw.map(text => `maths: TeX is shown: ${text}`),
                ...all(".math").filter(missing).map(
                    node => `maths: not typeset: ${node.textContent}`),
                ...all(".katex-error").map(node => `maths: ${node.title}`),
            ];
        }"""
    )


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


def leave_out_known(page, seen):
    """Take away the blocks of a page all of whose parts are known.

    What the rules ask of an element is a matter of its kind, of what it lies
    in and of its own children: kind, class, role and state, colours in its
    style, whether there is a text.  Names, addresses and the words themselves
    are none.  A block, and a question of a quiz is one, stays whole or goes;
    ``seen`` counts parts over pages.
    Code and drawings, which have thousands of parts, lose the known ones.
    """
    count = page.evaluate(
        """([often, seen]) => {
            const blocks = "article section:not(.bayesbook-quiz) > "
                + ":not(section, h1, h2, h3, h4, h5, h6), dl.py dl.py, "
                + "li:not(:has(li), .bayesbook-quiz li), .quiz-question";
            const leaves = "pre span:not(:has(*)), "
                + "svg :not(:has(*), title, desc)";
            const ordered = "ul, ol, dl, table, thead, tbody, tr, details, "
                + "fieldset, figure";
            const values = new RegExp("^(class|tabindex|lang|role|type|scope" +
                "|aria-(?!label|describedby|controls|owns).*)$");
            const named = new RegExp("^(id|name|for|href|title|aria-label" +
                "|data-(card|id|task|written))$");
            const unlike = (x, i, all) => x !== all[i - 1];
            const look = node => [...node.style ?? []].map(property =>
                /color|background|opacity|font|display|visib/.test(property)
                ? property + node.style[property] : property);
            const kind = node => [
                node.localName,
                ...[...node.attributes].filter(a => a.name != "style").map(a =>
                    values.test(a.name)
                    || a.value == ""
                    || /^[a-z]*$/.test(a.value) && !named.test(a.name)
                    ? `${a.name}=${a.value}` : a.name).sort(),
                ...look(node),
                /\\S/.test(node.textContent), node.labels?.length > 0,
                ...node.matches(ordered) ? [...node.children].map(
                    child => child.localName).filter(unlike) : [],
            ].join(" ");
            const places = new Map([[document.body, []]]);
            const place = node => {
                if (!places.has(node)) {
                    const own = node.localName + node.getAttribute("class");
                    const above = place(node.parentElement);
                    places.set(node, [...above, own].filter(unlike));
                }
                return places.get(node);
            };
            const numbers = new Map();
            const number = text => {  // of 53 bits, by two products
                if (numbers.has(text)) return numbers.get(text);
                let [high, low] = [1, 2166136261];
                for (let at = 0; at < text.length; at++) {
                    low = Math.imul(low ^ text.charCodeAt(at), 16777619);
                    high = Math.imul(high ^ text.charCodeAt(at), 2246822519);
                }
                numbers.set(text, (high & 0x1fffff) * 2 ** 32 + (low >>> 0));
                return numbers.get(text);
            };
            const part = node => number(
                [...place(node.parentElement), kind(node)].join(">"));
            const parts = block => new Set(
                [block, ...block.querySelectorAll("*")].map(part));
            // What a formula shows is hidden from every rule, and read as the
            // text of its MathML, which the screen hides.
            const all = css => [...document.querySelectorAll(css)];
            const shown = ".katex-html:not(:has(a))";
            all(shown).forEach(formula => formula.replaceChildren());
            const telling = new RegExp("^(id|class|style|title|lang|xml:lang" +
                "|href|tabindex|accesskey|role|aria-.*)$");
            for (const formula of all(".katex math")) {
                const names = [...formula.querySelectorAll("*")].flatMap(
                    part => part.getAttributeNames());
                if (!names.some(name => telling.test(name))) {
                    formula.textContent = formula.textContent;
                }
            }
            // What gives other blocks their look stays when its block goes.
            document.head.append(...all("article style"));
            const count = new Map(Object.entries(seen));
            // The inner ones come first: a block with one that stays, stays.
            for (const block of all(blocks).reverse()) {
                if (!block.querySelector("[data-stays]")) {
                    const own = [...parts(block)].map(String);
                    const times = own.map(name => count.get(name) ?? 0);
                    if (Math.min(...times) >= often) {
                        block.remove();
                        continue;
                    }
                    own.forEach((name, i) => count.set(name, times[i] + 1));
                }
                block.dataset.stays = "";
            }
            for (const leaf of all(leaves)) {
                if ((count.get(`${part(leaf)}`) ?? 0) > often) leaf.remove();
            }
            return Object.fromEntries(count);
        }""",
        [OFTEN, seen],
    )
    seen.update(count)


def keep_only(page, part):
    """Take away what a page has beside a part, which is worked faster alone.

    At each click a browser goes through all that is on the page.
    """
    page.locator(part).evaluate(
        """part => document.querySelectorAll("article *").forEach(node => {
            if (!node.contains(part) && !part.contains(node)) node.remove();
        })"""
    )


def scrolls_sideways(page):
    return page.evaluate(
        "document.documentElement.scrollWidth > window.innerWidth"
    )


def stand_still(page):
    """Let nothing move or fade, and nothing wait until it is seen.

    What counts is what it ends at.
    """
    if not page.locator("style.still").count():
        style = page.add_style_tag(
            content="* { transition: none !important; "
            "content-visibility: visible !important }"
        )
        style.evaluate("node => node.classList.add('still')")


def switch_theme(page, theme):
    """Let the page follow the machine's theme, and wait until it does."""
    stand_still(page)
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        "theme => document.documentElement.dataset.theme == theme", arg=theme
    )


def problems_when_light(page):
    resize(page, WIDE)
    return accessibility_problems(page)


def problems_when_dark(page):
    switch_theme(page, "dark")
    return accessibility_problems(page, COLOURS_ONLY)


def faint_letters(page, least=4.5):
    """List the letters of drawings that hardly stand out from what is below.

    That is what lies under their middle: the paper, and on it every area that
    was drawn before them.  WCAG 2.2 asks for 4.5 (1.4.3).
    """
    return page.evaluate(
        """least => {
            const parts = text => text.match(/[\\d.]+/g).map(Number);
            const laid = (colour, opacity, below) => below.map(
                (part, i) => opacity * colour[i] + (1 - opacity) * part);
            const luminance = colour => colour
                .map(part => part / 255)
                .map(part => part <= 0.04045
                    ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
                .reduce((sum, part, i) =>
                    sum + part * [0.2126, 0.7152, 0.0722][i], 0);
            const contrast = colours => {
                const [dark, light] =
                    colours.map(luminance).sort((a, b) => a - b);
                return (light + 0.05) / (dark + 0.05);
            };
            const paper =
                parts(getComputedStyle(document.body).backgroundColor);
            const filled = shape => {
                const look = getComputedStyle(shape);
                return {shape, box: shape.getBBox(), fill: parts(look.fill),
                    opacity: look.fillOpacity * look.opacity};
            };
            const covers = ({shape, box}, {x, y}) =>
                box.x <= x && x <= box.x + box.width
                && box.y <= y && y <= box.y + box.height
                && shape.isPointInFill(new DOMPoint(x, y));
            const found = [];
            for (const svg of document.querySelectorAll(".book-picture svg")) {
                const areas = [];
                for (const node of svg.querySelectorAll(
                        ":not(defs *):is(path, rect, circle, text)")) {
                    const {fill} = getComputedStyle(node);
                    if (!fill.startsWith("rgb")) continue;
                    if (!node.getClientRects().length) continue;
                    if (node.localName !== "text") {
                        areas.push(filled(node));
                        continue;
                    }
                    const {x, y, width, height} = node.getBBox();
                    const middle = new DOMPoint(x + width / 2, y + height / 2)
                        .matrixTransform(node.getCTM())
                        .matrixTransform(svg.getCTM().inverse());
                    const below = areas
                        .filter(area => covers(area, middle))
                        .reduce((ground, {fill, opacity}) =>
                            laid(fill, opacity, ground), paper.slice(0, 3));
                    const {opacity} = filled(node);
                    const letters = laid(parts(fill), opacity, below);
                    const value = contrast([letters, below]);
                    if (value < least) {
                        const {id} = svg.closest("figure");
                        found.push(`${id}: ${node.textContent}: ${value}`);
                    }
                }
            }
            return found;
        }""",
        least,
    )


def tiny_letters(page, least=9):
    """List the drawings with letters of fewer pixels that nothing enlarges."""
    return page.evaluate(
        """async least => {
            const frame = () => new Promise(requestAnimationFrame);
            await frame();
            await frame();  // what follows a new size has followed
            const size = text => {
                const {a, b} = text.getScreenCTM();
                return Math.hypot(a, b)
                    * parseFloat(getComputedStyle(text).fontSize);
            };
            return [...document.querySelectorAll("article .book-picture")]
                .filter(picture => picture.checkVisibility())
                .filter(picture =>
                    [...picture.querySelectorAll("text")].some(text =>
                        text.getClientRects().length
                        && size(text) < least - 0.01))
                .filter(picture => !picture.closest("figure")
                    ?.querySelector(".book-enlarge")?.checkVisibility())
                .map(picture => `tiny letters: ${picture.ariaLabel}`);
        }""",
        least,
    )


def lost_names(page):
    """List the elements that name another one, which is not there."""
    return page.evaluate(
        """() => ["aria-labelledby", "aria-describedby", "aria-controls",
                 "aria-owns", "for", "headers"].flatMap(name =>
            [...document.querySelectorAll(`[${name}]`)].filter(node =>
                node.getAttribute(name).split(/\\s+/).filter(Boolean).some(
                    id => !document.getElementById(id)))
            .map(node => `${name} names nothing: ${node.outerHTML}`))"""
    )


def hard_to_use(page):
    """List what is hard to hit, and what no keyboard can scroll.

    The label of a control is hit as well; a link in a sentence is exempt.
    """
    return page.evaluate(
        """smallest => {
            const controls = "article :is(a, button, input:not(label input), "
                + "label:has(input), select, summary, textarea)";
            const small = node => {
                const {width, height} = node.getBoundingClientRect();
                return Math.min(width, height) < smallest
                    && node.checkVisibility()
                    && getComputedStyle(node).display !== "inline";
            };
            const stuck = node => node.scrollWidth > node.clientWidth + 1
                && node.tabIndex < 0 && node.checkVisibility()
                && /auto|scroll/.test(getComputedStyle(node).overflowX)
                && !node.querySelector("a, button, input, [tabindex='0']");
            const all = css => [...document.querySelectorAll(css)];
            const found = (what, nodes) => nodes.map(
                node => `${what}: ${node.outerHTML.slice(0, 200)}`);
            return [...found("small", all(controls).filter(small)),
                    ...found("stuck", all("article *").filter(stuck))];
        }""",
        SMALLEST_TARGET,
    )


@contextmanager
def never_idle(page):
    """Open pages in the block that find no time for what is not near.

    Given time, a phone lays out all parts of a page, to know their heights.
    """
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "window.requestIdleCallback = () => {};"},
    )
    try:
        yield
    finally:
        session.detach()


def resize(page, viewport):
    """Make a page as wide as a screen, and wait for what follows."""
    stand_still(page)
    page.set_viewport_size(viewport)
    wait_until_reachable(page)
    # The same script gives a wide formula of a sentence a line that scrolls.
    with suppress(NotInTime):
        page.wait_for_function(
            "document.documentElement.scrollWidth <= innerWidth", timeout=1000
        )


def problems_on_a_phone(page):
    """Say what a whole page lacks on narrow screens, of known parts, too."""
    found = []
    for viewport in NARROW:
        resize(page, viewport)
        if scrolls_sideways(page):
            found.append(f"scrolls sideways at {viewport['width']} px")
        found += tiny_letters(page)
    return found + hard_to_use(page)


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
