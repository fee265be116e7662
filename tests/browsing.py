"""A real browser for the tests that look at pages.

``python tests/browsing.py`` says where it is, or how to install it.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

# Under these names Chromium, or a browser that is built on it, is installed.
PROGRAMS = (
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
            "(Debian, Ubuntu: `sudo apt-get install chromium`; macOS: "
            "`brew install --cask chromium`), or set the variable CHROMIUM "
            "to the path of one."
        )
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium without a window, and end it at the end of the block."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(FLAGS)
        )
        try:
            yield chromium
        finally:
            chromium.close()


if __name__ == "__main__":
    try:
        print(chromium_path())
    except RuntimeError as error:
        sys.exit(str(error))
