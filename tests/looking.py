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
# Of all others, two ask how large something is: this one, and that of targets,
# which are measured without axe.  What a narrow page shows and a wide one does
# not is the theme's, and the same on many pages.
SCROLLING_ONLY = {"runOnly": ["scrollable-region-focusable"]}
SMALLEST_TARGET = 24  # pixels, WCAG 2.2, 2.5.8
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


def mark_looks(page, seen):
    """Mark a few elements of each look, to have their colours judged.

    An element looks like another where both, and what they lie in, agree in
    all that the two rules ask for: kind, colours, size, weight, lines, and
    whether there is a word to be read.  Pages of one book look alike: what
    was marked on those before is counted in ``seen``.
    """
    count = page.evaluate(
        """([most, seen]) => {
            const number = text => {  // of 53 bits, by two products
                let [high, low] = [1, 2166136261];
                for (let at = 0; at < text.length; at++) {
                    low = Math.imul(low ^ text.charCodeAt(at), 16777619);
                    high = Math.imul(high ^ text.charCodeAt(at), 2246822519);
                }
                return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
            };
            const controls = "a, button, input, select, textarea";
            const says = node => [...node.childNodes].some(child =>
                child.nodeType == Node.TEXT_NODE &&
                /\\w\\w|[^\\x00-\\x7f]{2}/.test(child.data));
            const known = new Map([[null, ""]]);
            const look = node => {
                if (!known.has(node)) {
                    const css = getComputedStyle(node);
                    known.set(node, number([
                        node.localName, node.className,
                        css.color, css.backgroundColor, css.backgroundImage,
                        css.opacity, css.filter, css.textShadow, css.display,
                        css.visibility, css.position, css.fontSize,
                        css.fontWeight, css.fontStyle, css.borderBottom,
                        css.textDecoration, look(node.parentElement),
                    ].join("|")));
                }
                return known.get(node);
            };
            const count = new Map(Object.entries(seen));
            for (const node of document.querySelectorAll("body *")) {
                if (!says(node) && !node.matches(controls)) continue;
                const name = String(look(node));
                const times = count.get(name) ?? 0;
                count.set(name, times + 1);
                if (times < most) node.toggleAttribute("data-judged", true);
            }
            return Object.fromEntries(count);
        }""",
        [OF_A_LOOK, seen],
    )
    seen.update(count)


def keep_marked(page):
    """Take from a page what axe would go through, and judge nothing in it."""
    bring_axe(page)
    page.evaluate(
        """() => {
            const empty = node => {
                if (node.querySelector("[data-judged]")) {
                    [...node.children].forEach(empty);
                } else if (!node.matches("[data-judged]")) {
                    node.replaceChildren();
                }
            };
            empty(document.body);
            axe.configure({rules: [
                {id: "color-contrast", selector: "[data-judged]"},
                {id: "link-in-text-block",
                 selector: ":is(a[href], [role=link])[data-judged]"},
            ]});
        }"""
    )


def scrolls_sideways(page):
    return page.evaluate(
        "document.documentElement.scrollWidth > window.innerWidth"
    )


def switch_theme(page, theme):
    """Let the page follow the machine's theme, and wait until it does."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        "theme => document.documentElement.dataset.theme == theme", arg=theme
    )


def problems_of_colour(page, seen=None):
    """Compare colours in both themes; the page is not whole afterwards.

    What it looked like before is counted in ``seen``, over many pages.
    """
    # The theme fades some colours; what counts is what they end at.
    page.add_style_tag(content="* { transition: none !important }")
    seen = {} if seen is None else seen
    found = []
    for theme in ("light", "dark"):
        switch_theme(page, theme)
        mark_looks(page, seen)
    keep_marked(page)
    for theme in ("dark", "light"):
        switch_theme(page, theme)
        problems = accessibility_problems(page, COLOURS_ONLY)
        found += [f"{theme}: {problem}" for problem in problems]
    return found


def problems_when_wide(page):
    return accessibility_problems(page, NO_COLOURS)


def visible_in_text(page):
    """Mark what the text shows, and count what was not marked before."""
    return page.evaluate(
        """() => {
            const all = document.querySelectorAll("article :not([data-seen])");
            const shown = [...all].filter(node => node.checkVisibility());
            shown.forEach(node => node.toggleAttribute("data-seen", true));
            return shown.length;
        }"""
    )


def small_targets(page):
    """List what is hard to hit: the label of a control is hit as well."""
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
            return [...document.querySelectorAll(controls)].filter(small)
                .map(node => `small target: ${node.outerHTML}`);
        }""",
        SMALLEST_TARGET,
    )


def problems_when_narrow(page, rules=NO_COLOURS):
    found = []
    visible_in_text(page)
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
    if visible_in_text(page):
        found.append("shows what it does not when it is wide")
    return found + small_targets(page) + accessibility_problems(page, rules)


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
