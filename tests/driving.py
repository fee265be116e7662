"""Firefox and WebKit, driven by what they bring themselves.

Firefox speaks WebDriver BiDi, WebKit WebDriver: standards of the W3C, of which
the tests need four commands.

``python tests/driving.py`` says what is missing, and how to install it.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websocket import WebSocket, create_connection

# How long a busy machine may take for one command, in seconds.
PATIENCE = 300
FIREFOX = ("firefox-esr", "firefox")
WEBKIT = ("WebKitWebDriver",)
# WebKit needs a screen; this one is in memory.
SCREEN = ("Xvfb",)
SIZE = (1280, 900)
# Where the first shown element is, in the middle of the window.
MIDDLE = """selector => {
    const node = [...document.querySelectorAll(selector)]
        .find(node => node.checkVisibility({visibilityProperty: true}));
    if (!node) throw new Error(`${selector} is not shown.`);
    node.scrollIntoView({block: "center", behavior: "instant"});
    const box = node.getBoundingClientRect();
    const at = [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
    const top = document.elementFromPoint(...at);
    if (!node.contains(top)) {
        throw new Error(`${selector} lies under ${top?.outerHTML}.`);
    }
    return at;
}"""


class BrowserError(Exception):
    """A browser has answered a command with an error."""


class Window:
    """What the tests do in a window; a browser adds how it is told to."""

    def open(self, address: str) -> None:
        """Open an address, and wait until the page is loaded."""
        raise NotImplementedError

    def evaluate(self, expression: str) -> str:
        """Return the text that a promise of the page gives."""
        raise NotImplementedError

    def perform(self, actions: dict) -> None:
        """Press keys or the mouse."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        """Give the window, or with it its page, this size."""
        raise NotImplementedError

    def run(self, function: str, *arguments):
        """Call a function of JavaScript; return what it gives, as JSON."""
        call = f"({function})(...{json.dumps(arguments)})"
        return json.loads(
            self.evaluate(
                f"(async () => JSON.stringify(await {call} ?? null))()"
            )
        )

    def wait(self, function: str, *arguments):
        """Call a function until it gives something; return that."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.run(function, *arguments):
                return found
            time.sleep(0.1)
        raise BrowserError(f"It stays false: {function}{arguments}")

    def point(self, selector: str, *presses: dict) -> None:
        """Move the mouse to the first shown element, if nothing covers it."""
        x, y = self.run(MIDDLE, selector)
        move = {"type": "pointerMove", "x": x, "y": y}
        self.perform(
            {"type": "pointer", "id": "mouse", "actions": [move, *presses]}
        )

    def click(self, selector: str) -> None:
        """Click on the first shown element, if nothing covers it."""
        press, let_go = (
            {"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")
        )
        self.point(selector, press, let_go)

    def drag(self, selector: str, right: int, down: int) -> None:
        """Drag the middle of the first shown element, by so many pixels."""
        x, y = self.run(MIDDLE, selector)
        press, let_go = (
            {"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")
        )
        move, half, end = (
            {
                "type": "pointerMove",
                "x": x + round(share * right),
                "y": y + round(share * down),
            }
            for share in (0, 0.5, 1)
        )
        actions = [move, press, half, end, let_go]
        self.perform({"type": "pointer", "id": "mouse", "actions": actions})

    def type(self, text: str) -> None:
        """Press keys."""
        keys = [
            {"type": f"key{way}", "value": letter}
            for letter in text
            for way in ("Down", "Up")
        ]
        self.perform({"type": "key", "id": "keys", "actions": keys})


class Firefox(Window):
    """A window of Firefox, which is told by messages over a socket."""

    def __init__(self, socket: WebSocket):
        self.socket = socket
        self.sent = 0
        self.tell("session.new", capabilities={})
        # The tab that is there at the start never gets the focus, without
        # which Enter and Space press no button; a new one has it.
        tab = self.tell("browsingContext.create", type="tab")
        self.context = tab["context"]
        self.resize(*SIZE)

    def tell(self, method: str, **params):
        """Send a command; return its result."""
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": params}
        self.socket.send(json.dumps(message))
        answer: dict = {}
        while answer.get("id") != self.sent:
            answer = json.loads(self.socket.recv())
        if answer["type"] == "error":
            raise BrowserError(answer["message"])
        return answer["result"]

    def open(self, address):
        self.tell(
            "browsingContext.navigate",
            context=self.context,
            url=address,
            wait="complete",
        )

    def evaluate(self, expression):
        answer = self.tell(
            "script.evaluate",
            expression=expression,
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise BrowserError(answer["exceptionDetails"]["text"])
        return answer["result"]["value"]

    def perform(self, actions):
        self.tell(
            "input.performActions", context=self.context, actions=[actions]
        )

    def resize(self, width, height):
        self.tell(
            "browsingContext.setViewport",
            context=self.context,
            viewport={"width": width, "height": height},
        )


class WebKit(Window):
    """A window of WebKit, whose driver is told by requests."""

    def __init__(self, address: str):
        self.address = f"{address}/session"
        session = self.tell("", capabilities={})
        self.address += f"/{session['sessionId']}"
        self.resize(*SIZE)

    def tell(self, command: str, **parameters):
        """Send a command; return its value."""
        request = Request(
            self.address + command, json.dumps(parameters).encode()
        )
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"]) from None

    def open(self, address):
        self.tell("/url", url=address)

    def evaluate(self, expression):
        return self.tell(
            "/execute/sync", script=f"return {expression}", args=[]
        )

    def perform(self, actions):
        self.tell("/actions", actions=[actions])

    def resize(self, width, height):
        self.tell("/window/rect", width=width, height=height)


# --- To start and to end them -----------------------------------------------


def program(names: tuple[str, ...]) -> str:
    """Find a program, under the first of its names that there is.

    Raises
    ------
    RuntimeError
        If there is none; the message says how to install it.
    """
    found = next(filter(None, map(shutil.which, names)), None)
    if not found:
        raise RuntimeError(
            f"The tests in other browsers need {' or '.join(names)}, and none "
            "was found. Install what is missing (Debian: `sudo apt-get "
            "install firefox-esr webkit2gtk-driver xvfb`)."
        )
    return found


@contextmanager
def running(*command: str, **options) -> Iterator[subprocess.Popen]:
    """Run a program for the time of the block."""
    nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with subprocess.Popen(command, **(nowhere | options)) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def firefox() -> Iterator[Window]:
    """Start Firefox with an empty profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ("--headless", "--remote-debugging-port=0", "--profile")
        with running(program(FIREFOX), *command, profile):
            record = Path(profile, "WebDriverBiDiServer.json")
            at = json.loads(until(record.read_text))
            address = f"ws://{at['ws_host']}:{at['ws_port']}/session"
            with closing(
                create_connection(
                    address, timeout=PATIENCE, suppress_origin=True
                )
            ) as connection:
                yield Firefox(connection)


@contextmanager
def webkit() -> Iterator[Window]:
    """Start WebKit on a screen of its own."""
    screen = (program(SCREEN), "-displayfd", "1", "-screen", "0")
    with running(
        *screen, "1400x1000x24", stdout=subprocess.PIPE, text=True
    ) as server:
        display = f":{server.stdout.readline().strip()}"
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        on_screen = {"env": os.environ | {"DISPLAY": display}}
        with running(program(WEBKIT), f"--port={port}", **on_screen):
            until(socket.create_connection, ("127.0.0.1", port)).close()
            yield WebKit(f"http://127.0.0.1:{port}")


def until(attempt, *arguments):
    """Try until it succeeds; return what that gives."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if found := attempt(*arguments):
                return found
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(0.1)


BROWSERS = {"firefox": firefox, "webkit": webkit}


if __name__ == "__main__":
    try:
        print(*map(program, (FIREFOX, WEBKIT, SCREEN)), sep="\n")
    except RuntimeError as error:
        sys.exit(str(error))
