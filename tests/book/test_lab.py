"""The first chapter in JupyterLab, which Binder and `make lab` open."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsing import WIDE
from playwright.sync_api import expect

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).parents[2]
CHAPTER = ROOT / "book" / "conditioning" / "events.ipynb"
# What JupyterLab remembers, each in a folder of the test's own.
KEPT = (
    *("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"),
    *("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR"),
)
# All cells at once, not only those on the screen.
SETTINGS = {"windowingMode": "none"}
SECONDS = 120


def address(process, runtime, name):
    """Wait for the server, and give the address of a notebook in it."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and process.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            if text := file.read_text():
                server = json.loads(text)
                token = server["token"]
                return f"{server['url']}lab/tree/{name}?token={token}"
        time.sleep(0.1)
    pytest.fail("JupyterLab does not start.")


@contextmanager
def lab(home, chapter, without=()):
    """Start JupyterLab, without some extensions, and give an address."""
    places = {name: str(home / name) for name in KEPT}
    settings = Path(places["JUPYTERLAB_SETTINGS_DIR"])
    tracker = settings / "@jupyterlab" / "notebook-extension"
    tracker.mkdir(parents=True)
    (tracker / "tracker.jupyterlab-settings").write_text(json.dumps(SETTINGS))
    config = Path(places["JUPYTER_CONFIG_DIR"]) / "labconfig"
    config.mkdir(parents=True)
    disabled = {"disabledExtensions": dict.fromkeys(without, True)}
    (config / "page_config.json").write_text(json.dumps(disabled))
    (home / "book").mkdir()
    shutil.copy(chapter, home / "book")
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser"),
                *("--allow-root", "--ServerApp.port=0"),
                f"--ServerApp.root_dir={home / 'book'}",
            ],
            env=os.environ | places,
            stdout=log,
            stderr=log,
        )
        try:
            runtime = Path(places["JUPYTER_RUNTIME_DIR"])
            yield address(process, runtime, chapter.name)
        finally:
            process.terminate()
            process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab"), CHAPTER) as opened:
        yield opened


@pytest.fixture(scope="module")
def notebook(chromium, server):
    """Open the chapter; to load it takes long, so it is there for all."""
    page = chromium.new_page(viewport=WIDE)
    page.set_default_timeout(SECONDS * 1000)
    page.goto(server)
    page.locator(".bayesbook-quiz").last.wait_for()
    return page


@pytest.fixture(scope="module")
def run_notebook(notebook):
    """Run all cells; what is seen before is for the tests above."""
    notebook.get_by_role("menuitem", name="Run", exact=True).click()
    notebook.get_by_text("Run All Cells", exact=True).click()
    return notebook


def test_maths_is_read_and_nothing_is_given_away(notebook):
    # Formulas are typeset one after the other.
    notebook.wait_for_function(
        "!document.querySelector('.jp-Notebook').innerText.includes('mathbb')"
    )
    expect(notebook.locator(".katex")).not_to_have_count(0)
    expect(notebook.locator(".katex-error")).to_have_count(0)
    text = notebook.locator(".jp-Notebook").inner_text()
    assert "return part / whole" not in text, "solutions are folded"
    # The output is from the file, and not trusted: its script has not run.
    for idle in notebook.locator(".quiz-idle").all():
        expect(idle).to_be_visible()
    expect(notebook.locator(".quiz-reason:visible")).to_have_count(0)
    expect(notebook.locator(".quiz-check:visible")).to_have_count(0)


def test_the_quiz_answers_once_it_is_run(run_notebook):
    quiz = "[data-chapter][data-live]:not(.bayesbook-check)"
    run_notebook.locator(quiz).wait_for()
    expect(run_notebook.locator(".quiz-idle:visible")).to_have_count(0)
    form = run_notebook.locator(f"{quiz} .quiz-question").first
    form.locator("mjx-container").first.wait_for(state="attached")
    expect(form.locator("[data-mjx-error], mjx-merror")).to_have_count(0)
    form.locator(".quiz-option input").first.click()
    form.locator(".quiz-check").click()
    expect(form.locator(".quiz-reason:visible")).to_have_count(1)


def test_a_quick_check_answers_once_it_is_run(run_notebook):
    check = run_notebook.locator(".bayesbook-check[data-live]").first
    check.wait_for()
    expect(check.locator("details")).to_be_hidden()
    check.get_by_label("Your answer").fill("1/3")
    check.locator(".quiz-check").click()
    expect(check.locator(".quiz-reason:visible")).to_have_count(1)
    expect(check.locator("details")).to_be_visible()


def test_a_drill_answers_once_it_is_run(run_notebook):
    drill = run_notebook.locator(".bayesbook-drill[data-live]").first
    drill.wait_for()
    expect(drill.locator(".drill-hint")).to_contain_text("seed=")
    expect(drill.locator(".drill-next:visible")).to_have_count(0)
    drill.get_by_label("Your answer").fill("7")
    drill.locator(".quiz-check").click()
    expect(drill.locator(".quiz-verdict")).to_contain_text("Not this value")
    drill.locator("summary").click()
    formula = drill.locator(".quiz-explanation mjx-container").first
    formula.wait_for(state="attached")


def test_figures_are_as_wide_as_they_were_drawn(run_notebook):
    drawn = re.findall(r'width=\\"([\d.]+)pt\\" height', CHAPTER.read_text())
    figures = run_notebook.locator(".jp-RenderedSVG > *")
    expect(figures).to_have_count(len(drawn))
    for figure, points in zip(figures.all(), drawn, strict=True):
        width = figure.evaluate("one => one.getBoundingClientRect().width")
        height = figure.evaluate("one => one.getBoundingClientRect().height")
        assert width == pytest.approx(float(points) * 4 / 3, abs=1)
        assert 100 < height < 500
    assert run_notebook.locator(".jp-RenderedSVG img").evaluate_all(
        "all => all.every(one => one.complete && one.naturalWidth > 400)"
    )


@pytest.fixture(scope="module")
def plain_notebook(chromium, notebooks_to_run, tmp_path_factory):
    """Open the chapter as it is to be run, in a JupyterLab without MyST."""
    home, chapter = tmp_path_factory.mktemp("plain"), CHAPTER.name
    with lab(home, notebooks_to_run / chapter, ["jupyterlab-myst"]) as opened:
        page = chromium.new_page(viewport=WIDE)
        page.set_default_timeout(SECONDS * 1000)
        page.goto(opened)
        page.locator(
            ".jp-RenderedMarkdown h2", has_text="Bibliography"
        ).wait_for()
        yield page


def test_the_edition_is_read_without_myst(plain_notebook):
    text = ".jp-RenderedMarkdown"
    plain_notebook.wait_for_function(
        "!document.querySelector('.jp-Notebook').innerText.includes('$$')"
    )
    expect(plain_notebook.locator(f"{text} mjx-container")).not_to_have_count(
        0
    )
    expect(plain_notebook.locator(f"{text} mjx-merror")).to_have_count(0)
    expect(plain_notebook.locator(f"{text} details[open]")).not_to_have_count(
        0
    )
    read = "\n".join(plain_notebook.locator(text).all_inner_texts())
    assert re.findall(r"\{[\w:]+\}`|:::|\]\(|\*\*|\\tag|^>", read) == []
    box = plain_notebook.locator(f"{text} blockquote").first
    expect(box).to_contain_text("Definition 1.1 (Finite probability space)")


def test_a_link_of_the_edition_leads_within_the_notebook(plain_notebook):
    link = plain_notebook.get_by_role("link", name="Exercise 1.10")
    link.first.click()
    heading = plain_notebook.locator("h3", has_text="Exercise 1.10 (")
    expect(heading).to_be_in_viewport()
