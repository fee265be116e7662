"""What a page of the book costs a phone, and when it can be read there.

Chromium plays the phone: its developer tools slow down network and processor.
The pages come from a server on this machine that compresses them.
"""

import gzip
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browsing import PATIENCE
from playwright.sync_api import Browser, Page, Request, Route

# "Fast 3G": bits a second, and seconds until an answer begins.
DOWN = 1_600_000
UP = 750_000
LATENCY = 0.15
SLOWDOWN = 4
SCREEN = {"width": 390, "height": 844}
# A browser asks one server for so many files at a time (HTTP/1.1).
CONNECTIONS = 6
TEXTS = (".css", ".html", ".js", ".json", ".svg", ".txt", ".xml")
# What a page says of itself while it loads.  A formula is readable from when
# it has the size that it keeps: before it is typeset it has that of its TeX,
# and without its fonts that of others.
WATCH = """
(() => {
    const seen = window.seen =
        {painted: 0, readable: 0, sizes: [], tasks: [0], shifts: []};
    const watch = (type, note) => new PerformanceObserver(
        list => list.getEntries().forEach(note)
    ).observe({type, buffered: true});
    watch("longtask", task => seen.tasks.push(task.duration));
    watch("layout-shift", shift => shift.hadRecentInput ||
        seen.shifts.push([shift.startTime / 1000, shift.value]));
    watch("paint", paint => paint.name == "first-contentful-paint" &&
        (seen.painted = paint.startTime));
    let known = "0 0";
    requestAnimationFrame(function look() {
        const box = document.querySelector("article :is(.math, .katex)")
            ?.getBoundingClientRect();
        // One of which the browser has read the beginning alone is not seen.
        const size = box?.width ? `${box.width} ${box.height}` : "0 0";
        if (size != known) {
            known = size;
            seen.sizes.push(size);
            seen.readable = performance.now();
        }
        requestAnimationFrame(look);
    });
})();
"""
# What the first picture of a page waits for, the fonts that it announces among
# it: others are asked for when all else is on its way.
NEEDED = r"""() => {
    const needed = performance.getEntriesByType("resource").filter(file =>
        file.renderBlockingStatus == "blocking" ||
        file.initiatorType == "link" && /\.woff2$/.test(file.name));
    const [page] = performance.getEntriesByType("navigation");
    return [page, ...needed].map(file => file.encodedBodySize);
}"""


# --- A server as the book has on the web ------------------------------------


compress = cache(gzip.compress)


class Pages(SimpleHTTPRequestHandler):
    """Answer with compressed files, all over the same few connections."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix in TEXTS:
            content = compress(content)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        """Say nothing of each file."""


@contextmanager
def served(folder: Path, pages: type[Pages] = Pages) -> Iterator[str]:
    """Serve a folder for the time of the block; give its address."""
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(pages, directory=str(folder))
    )
    server.daemon_threads = False  # they end with the browser's visits
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


# --- One visit --------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """What a page has cost; times in seconds.

    There is no time of formulas on a page without one. ``sizes`` are those
    that its first formula has had. ``wait`` is what the network alone takes
    until the page can be drawn.
    """

    requests: int
    size: int
    painted: float
    readable: float | None
    sizes: list[str]
    loaded: float
    longest_task: float
    shift: float
    wait: float


def layout_shift(shifts: list[tuple[float, float]]) -> float:
    """Return the shift of the worst window, as browsers sum it up.

    A window ends after a second without a shift, or after five.

    Examples
    --------
    >>> layout_shift([(0, 0.1), (0.9, 0.1), (2, 0.15)])
    0.2
    >>> layout_shift([])
    0
    """
    worst = window = 0
    first = last = float("-inf")
    for time, value in shifts:
        if time - last >= 1 or time - first >= 5:
            first, window = time, 0
        last, window = time, window + value
        worst = max(worst, window)
    return worst


@contextmanager
def phone(chromium: Browser) -> Iterator[Page]:
    """Give a page of a phone that has never seen the book."""
    context = chromium.new_context(
        viewport=SCREEN, device_scale_factor=3, is_mobile=True, has_touch=True
    )
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page
    finally:
        context.close()


def visit(
    chromium: Browser,
    address: str,
    slowdown: float = SLOWDOWN,
    fonts_first: int = 0,
) -> Visit:
    """Open a page on a slow phone, and note what it costs.

    If so many fonts are to come first, the style sheets wait for them.
    """
    with phone(chromium) as page:
        if fonts_first:
            hold_styles(page, fonts_first)
        sizes = slow_down(page, slowdown)
        page.add_init_script(WATCH)
        page.goto(address)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1000)  # what is late shifts, too
        seen = page.evaluate("seen")
        return Visit(
            requests=len(sizes),
            size=sum(sizes),
            painted=seen["painted"] / 1000,
            readable=max(seen["readable"], seen["painted"]) / 1000
            if seen["readable"]
            else None,
            sizes=seen["sizes"],
            loaded=page.evaluate(
                "performance.getEntriesByType('navigation')[0].loadEventEnd"
            )
            / 1000,
            longest_task=max(seen["tasks"]) / 1000,
            shift=layout_shift(seen["shifts"]),
            wait=wait(page.evaluate(NEEDED)),
        )


def wait(sizes: list[int]) -> float:
    """Return how long the network takes for files, the first before others.

    Examples
    --------
    >>> wait([200_000, 100_000, 100_000])
    2.45
    """
    # To connect, for the first, and for the others, so many at a time.
    answers = 2 + math.ceil((len(sizes) - 1) / CONNECTIONS)
    return answers * LATENCY + 8 * sum(sizes) / DOWN


def hold_styles(page: Page, fonts: int) -> None:
    """Let the style sheets of a page wait until so many fonts are there.

    Each of the two that a page announces is smaller than its style sheet and
    comes before it, except on a machine that is too busy to take turns.
    """
    held: list[Route] = []
    come: list[Request] = []

    def note(request: Request) -> None:
        if request.resource_type == "font":
            come.append(request)
            if len(come) == fonts:
                while held:
                    held.pop().continue_()

    def hold(route: Route) -> None:
        if len(come) < fonts:
            held.append(route)
        else:
            route.continue_()

    page.on("requestfinished", note)
    page.route("**/*.css*", hold)


def slow_down(page: Page, slowdown: float) -> list[int]:
    """Slow down a page; give a list that the bytes of its files join."""
    tools = page.context.new_cdp_session(page)
    sizes: list[int] = []
    tools.on(
        "Network.loadingFinished",
        lambda file: sizes.append(int(file["encodedDataLength"])),
    )
    tools.send("Network.enable")
    tools.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 1000 * LATENCY,
            "downloadThroughput": DOWN / 8,
            "uploadThroughput": UP / 8,
        },
    )
    tools.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    return sizes
