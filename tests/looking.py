"""What tests of the pages ask a page in a browser."""

import pytest
from browsing import accessibility_problems, bring_axe

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
# A page shows thousands of texts in some hundreds of looks. So many of a look
# are judged: what lies under another element is not judged at all.
OF_A_LOOK = 3


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


def judge_looks(page):
    """Have axe compare the colours of a few elements of each look.

    An element looks like another where both, and what they lie in, agree in
    all that the two rules ask for: kind, colours, size, weight, lines, and
    whether there is a word to be read.
    """
    bring_axe(page)
    page.evaluate(
        """most => {
            const known = new Map([[null, ""]]);
            const look = node => {
                if (!known.has(node)) {
                    const css = getComputedStyle(node);
                    const words = [...node.childNodes].filter(child =>
                        child.nodeType == Node.TEXT_NODE &&
                        /\\w\\w|[^\\x00-\\x7f]{2}/.test(child.data));
                    known.set(node, [
                        node.localName, node.className, words.length > 0,
                        css.color, css.backgroundColor, css.backgroundImage,
                        css.opacity, css.filter, css.textShadow, css.display,
                        css.visibility, css.position, css.fontSize,
                        css.fontWeight, css.fontStyle, css.borderBottom,
                        css.textDecoration, look(node.parentElement),
                    ].join("|"));
                }
                return known.get(node);
            };
            const count = new Map();
            for (const node of document.querySelectorAll("*")) {
                const seen = count.get(look(node)) ?? 0;
                count.set(look(node), seen + 1);
                node.toggleAttribute("data-judged", seen < most);
            }
            axe.configure({rules: [
                {id: "color-contrast", selector: "[data-judged]"},
                {id: "link-in-text-block",
                 selector: ":is(a[href], [role=link])[data-judged]"},
            ]});
        }""",
        OF_A_LOOK,
    )


def scrolls_sideways(page):
    return page.evaluate(
        "document.documentElement.scrollWidth > window.innerWidth"
    )


def problems_when_light(page):
    judge_looks(page)
    return accessibility_problems(page)


def problems_when_dark(page):
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    # The theme fades some colours; what counts is what they end at.
    page.evaluate(
        "Promise.allSettled(document.getAnimations().map(a => a.finished))"
        ".then(() => true)"
    )
    judge_looks(page)
    return accessibility_problems(page, COLOURS_ONLY)


def problems_when_narrow(page):
    found = []
    for viewport in NARROW:
        page.set_viewport_size(viewport)
        if scrolls_sideways(page):
            found.append(f"scrolls sideways at {viewport['width']} px")
    # A moment after the size has changed, the theme and the book's own script
    # let the keyboard reach what has to be scrolled now: code, outputs,
    # tables. A busy machine takes its time for it.
    page.wait_for_function(
        """[...document.querySelectorAll(
            "pre, .cell_output > .output, .pst-scrollable-table-container, "
            + "mjx-container[display], div.math, span.book-wide, figure > a"
        )].every(region => region.scrollWidth <= region.clientWidth + 1
            || region.tabIndex == 0)"""
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
