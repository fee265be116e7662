"""A real browser for the tests that look at pages.

``python tests/browsing.py`` says where it is, or how to install it.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as NotInTime

# Under these names Chromium, or a browser that is built on it, is installed.
# First Debian's build without windows: it needs a quarter less time.
PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# How long a page may take to look as expected, in milliseconds: a busy machine
# needs more than the usual five seconds.
PATIENCE = 60_000
WIDE = {"width": 1280, "height": 900}
REMEMBER = """
if (window === top && location.protocol !== "about:") {
    localStorage.clear();
    Object.assign(localStorage, %s);
}
"""
LOCAL = re.compile(r"(file|data|blob|about):")
# Rules of axe that a page may break, with the reason: faults of the theme
# that the book cannot mend. There is none.
ACCEPTED_VIOLATIONS: dict[str, str] = {}
# Most of axe's time would go into colours: it keeps each of their parts in a
# WeakMap, and reads the same few texts of colours again for every element.
# Here a part is kept on its colour, and a text is read once.
QUICK_AXE = """
((WeakMap, WeakSet) => {
    %s
})(...Array(2).fill(class {
    key = Symbol();
    has(object) { return this.key in object; }
    get(object) { return object[this.key]; }
    set(object, value) { object[this.key] = value; return this; }
    add(object) { return this.set(object, true); }
}));
(() => {
    const {prototype} = axe.commons.color.Color;
    const read = prototype.parseString;
    const known = new Map();
    prototype.parseString = function (text) {
        if (!known.has(text)) {
            read.call(this, text);
            known.set(text, [this.r, this.g, this.b, this.alpha]);
        }
        [this.r, this.g, this.b, this.alpha] = known.get(text);
        return this;
    };
})();
"""
AXE = Axe(QUICK_AXE % Axe().axe_script)


def chromium_path() -> str:
    """Find Chromium: where CHROMIUM points to, else on the search path.

    Raises
    ------
    RuntimeError
        If there is none; the message says how to install it.
    """
    named = os.environ.get("CHROMIUM")
    if named and not Path(named).is_file():
        raise RuntimeError(
            f"CHROMIUM is set to {named!r}, which is not a file. Point it to "
            "the program, or unset it to search for one."
        )
    found = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if not found:
        raise RuntimeError(
            "The browser tests need Chromium, and none was found. Install it "
            "(Debian: `sudo apt-get install chromium`; Ubuntu: `sudo snap "
            "install chromium`; macOS: `brew install --cask chromium`), or "
            "set the variable CHROMIUM to the path of one, or of Chrome."
        )
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium without a window, and end it at the end of the block."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(FLAGS)
        )
        try:
            yield chromium
        finally:
            chromium.close()


# --- Looking at pages -------------------------------------------------------


@contextmanager
def carried(
    page: Page, stored: dict[str, str] | None = None
) -> Iterator[None]:
    """Give the pages that are opened in the block what this one has stored.

    On a busy machine Chromium now and then gives a page an empty memory
    instead. What a browser loses is not what is tested here.
    """
    if stored is None:
        stored = page.evaluate("() => ({...localStorage})")
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": REMEMBER % json.dumps(stored)},
    )
    try:
        yield
    finally:
        session.detach()


@dataclass
class Tab:
    """One tab for many visits, as to start one takes longer than most tests.

    It notes errors of scripts, missing files and every request that would
    leave the disk, which has no network to go to.
    """

    page: Page
    faults: list[str] = field(default_factory=list)

    def __post_init__(self):
        page, note = self.page, self.faults.append

        def console(message):
            if message.type == "error":
                note(f"console: {message.text}")

        def refuse(route):
            note(f"request: {route.request.url}")
            route.abort()

        def missing(request):
            # Whoever leaves a page stops what it was still loading.
            if request.failure != "net::ERR_ABORTED":
                note(f"missing: {request.url}")

        page.on("console", console)
        page.on("pageerror", lambda error: note(f"script: {error}"))
        page.on("requestfailed", missing)
        page.route(re.compile(rf"^(?!{LOCAL.pattern})"), refuse)

    @contextmanager
    def visit(self, path: Path, viewport=WIDE) -> Iterator[Page]:
        """Open a page from the disk that knows of no visit before."""
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(media="screen", color_scheme="light")
        with carried(self.page, {}):
            self.page.goto(path.as_uri())
        try:
            yield self.page
        finally:
            self.page.evaluate("sessionStorage.clear()")
            self.page.goto("about:blank")
            self.faults.clear()


def reload(page: Page) -> None:
    """Load a page again, with all that it has stored."""
    with carried(page):
        page.reload()


def with_formulas_of_the_book(html: str) -> str:
    """Typeset the TeX of a bare page, as the book does when it is built."""
    # Only here: outside of the tests nothing says where this module is.
    from formulas import KATEX, STYLE, typeset, with_formulas

    style = (KATEX / STYLE).as_uri()
    link = f'<link rel="stylesheet" href="{style}">'
    return link + with_formulas(html, typeset)


@contextmanager
def open_tab(chromium: Browser) -> Iterator[Tab]:
    """Open a tab without a network, and close it at the end of the block."""
    context = chromium.new_context(offline=True)
    try:
        yield Tab(context.new_page())
    finally:
        context.close()


def bring_axe(page: Page) -> None:
    """Load axe into a page, once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)


def wait_until_reachable(page: Page) -> None:
    """Wait until the keyboard reaches what has to be scrolled.

    A moment after a page has come, or has another size, the theme and the
    book's own script let it: code, outputs, tables, formulas.  A busy machine
    takes its time for it.

    Raises
    ------
    playwright.sync_api.TimeoutError
        If there still is such a region after a minute.
    """
    page.wait_for_function(
        """document.fonts.status === "loaded" && [...document.querySelectorAll(
            "pre, .cell_output > .output, .pst-scrollable-table-container, "
            + ".katex-display, span.book-wide"
        )].every(region => region.scrollWidth <= region.clientWidth + 1
            || region.tabIndex == 0
            || !region.checkVisibility()
            || !/auto|scroll/.test(getComputedStyle(region).overflowX))""",
        # Not at each frame: a page that is asked so often is never idle.
        polling=100,
        timeout=PATIENCE,
    )


def accessibility_problems(page: Page, rules=None) -> list[str]:
    """Run axe, all its rules or some; leave out what is accepted above.

    It waits for what scripts do a moment later; if they do not, axe says so.

    Its preloading of style sheets is for other origins, and a page on the
    disk may not read any. What passes, and where, is not asked for: that
    would take it as long again.
    """
    options = {
        "preload": False,
        "resultTypes": ["violations"],
        "selectors": False,
        **(rules or {}),
    }
    with suppress(NotInTime):
        wait_until_reachable(page)
    bring_axe(page)
    found = page.evaluate(
        "options => axe.run(options).then(found => found.violations)", options
    )
    return [
        f"{violation['id']}: {node['html']}"
        for violation in found
        if violation["id"] not in ACCEPTED_VIOLATIONS
        for node in violation["nodes"]
    ]


if __name__ == "__main__":
    try:
        print(chromium_path())
    except RuntimeError as error:
        sys.exit(str(error))
