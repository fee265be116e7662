"""What a runner meets in JupyterLab, on the branch as Binder sets it up."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import launch_branch
import nbformat
import pytest
from book.test_lab import SECONDS, address
from browsing import WIDE
from notebooks import ROOT, parse, toc_notebooks
from playwright.sync_api import expect

from bayesbook.study.exercises import passing

pytestmark = [pytest.mark.heavy, pytest.mark.repository]

CHAPTER = ROOT / "book" / "conditioning" / "events.ipynb"
BEGINS = 'prior = {"ill": F(1, 100)'
EXERCISE = "events/conditional"
ANSWER = """\
def conditional(probability, event, given):
    whole = sum(probability[each] for each in given)
    if not whole: raise ZeroProbabilityError("never")
    return sum(probability[each] for each in given & event) / whole
check("events/conditional", conditional)"""
PASSES = "from bayesbook.study.exercises import passes\npasses()"


def short_chapter():
    """Return the first chapter with few cells, so that it opens at once."""
    notebook = parse(CHAPTER.read_text("utf-8"))
    wanted = {"stub-conditional", "solution-conditional"}
    notebook.cells = [
        cell
        for cell in notebook.cells
        if cell.id in wanted
        or cell.source.startswith(("# ", "from fractions", BEGINS))
        or "quiz.show(" in cell.source
    ]
    notebook.cells.append(nbformat.v4.new_code_cell("1 + 1", id="last"))
    return notebook


@pytest.fixture(scope="module")
def branch(tmp_path_factory):
    """Give the branch, published and set up."""
    folder = tmp_path_factory.mktemp("branch")
    for path in toc_notebooks(launch_branch.read_book()[1]):
        title = launch_branch.title_of(parse(path.read_text("utf-8")))
        cell = nbformat.v4.new_markdown_cell(f"# {title}", id="title")
        nbformat.write(
            nbformat.v4.new_notebook(cells=[cell]), folder / path.name
        )
    nbformat.write(short_chapter(), folder / CHAPTER.name)
    launch_branch.write_branch(folder, *launch_branch.read_book())
    git = ["git", "-c", "user.name=book", "-c", "user.email=book@example.org"]
    for command in ("init", "add --all", "commit --message=branch"):
        subprocess.run([*git, *command.split()], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def server(branch, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    programs = Path(sys.executable).parent
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    own = os.environ | {"HOME": str(home), "PATH": path}
    subprocess.run(["./postBuild"], cwd=branch, env=own, check=True)
    options = ["--no-browser", "--allow-root", "--ServerApp.port=0"]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            ["jupyter", "lab", *options],
            cwd=branch,
            env=own,
            stdout=log,
            stderr=log,
        )
        try:
            runtime = home / ".local/share/jupyter/runtime"
            yield address(process, runtime, CHAPTER.name)
        finally:
            process.terminate()
            process.wait()


@pytest.fixture(scope="module")
def lab(chromium, server):
    """Open JupyterLab, without the name of a notebook."""
    page = chromium.new_page(viewport=WIDE)
    page.set_default_timeout(SECONDS * 1000)
    page.goto(server.replace("lab/tree/events.ipynb", ""))
    page.locator(".bayesbook-quiz").last.wait_for(state="attached")
    return page


def menu(lab, name, item):
    lab.get_by_role("menuitem", name=name, exact=True).click()
    lab.get_by_role("menuitem", name=item).click()


def cell_of(lab, wanted):
    """Return the code cell that has an id, or begins with a text."""
    code = [it for it in short_chapter().cells if it.cell_type == "code"]
    [place] = [
        place
        for place, cell in enumerate(code)
        if cell.id == wanted or cell.source.startswith(wanted)
    ]
    return lab.locator(".jp-NotebookPanel:visible .jp-CodeCell").nth(place)


def run(lab, cell, code=None):
    """Run a cell, with other code if there is some; return its output."""
    editor = cell.locator(".cm-content")
    editor.click()
    expect(cell).to_have_class(re.compile("jp-mod-active"))
    expect(lab.locator(".jp-Notebook.jp-mod-editMode")).to_be_visible()
    if code is not None:
        editor.fill(code)
    editor.press("Shift+Enter")
    output = cell.locator(".jp-OutputArea-output")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\d"))
    return output


def test_start_page_and_first_chapter_are_open_and_nothing_is_asked(lab):
    tabs = lab.locator("#jp-main-dock-panel .lm-TabBar-tabLabel")
    expect(tabs).to_have_text(["README.md", "events.ipynb"])
    files = lab.get_by_role("listitem", name=re.compile("Name: mcmc.ipynb"))
    expect(files).to_be_visible()
    expect(lab.locator(".Toastify__toast")).to_have_count(0)


def test_the_quiz_answers_before_any_cell_has_run(lab):
    quiz = lab.locator(".bayesbook-quiz[data-live]")
    expect(lab.locator(".quiz-idle:visible")).to_have_count(0)
    form = quiz.locator(".quiz-question").first
    form.locator(".quiz-option input").first.click()
    form.locator(".quiz-check").click()
    expect(form.locator(".quiz-reason:visible")).to_have_count(1)


def test_a_number_that_is_changed_changes_the_result(lab):
    run(lab, cell_of(lab, "from fractions"))
    cell = cell_of(lab, BEGINS)
    expect(run(lab, cell)).to_contain_text("P[ill | +] = 1/12")
    [code] = [
        each.source
        for each in short_chapter().cells
        if each.source.startswith(BEGINS)
    ]
    code = code.replace("F(1, 100)", "F(10, 100)")
    code = code.replace("F(99, 100)", "F(90, 100)")
    expect(run(lab, cell, code)).to_contain_text("P[ill | +] = 1/2")


def test_what_a_learner_passes_is_saved_and_a_solution_is_not(lab, tmp_path):
    stub, last = cell_of(lab, "stub-conditional"), cell_of(lab, "last")
    menu(lab, "Run", re.compile("^Run All Cells"))
    expect(last.locator(".jp-OutputArea-output")).to_contain_text("2")
    solution = cell_of(lab, "solution-conditional")
    expect(solution.locator(".jp-OutputArea-output")).to_contain_text("✓")
    expect(solution.locator(".cm-content")).to_be_hidden()
    expect(run(lab, last, PASSES)).to_contain_text("No exercise has been")
    expect(run(lab, stub, ANSWER)).to_contain_text("✓ conditional: correct")
    expect(run(lab, last)).to_contain_text(f"passed: {EXERCISE}.")
    with lab.expect_download() as download:
        last.get_by_role("link", name="Save them as a file").click()
    assert download.value.suggested_filename == passing.FILE
    file = tmp_path / passing.FILE
    download.value.save_as(file)
    records = json.loads(file.read_text())["records"]
    assert records["exercise:events"]["conditional"]["solved"] is True


def test_a_chapter_is_restored_by_one_line(lab, branch):
    file = branch / "events.ipynb"
    lab.keyboard.press("Control+s")
    lab.wait_for_function("!document.querySelector('.jp-mod-dirty')")
    assert "F(10, 100)" in file.read_text()
    run(lab, cell_of(lab, "last"), "!git restore events.ipynb")
    menu(lab, "File", re.compile("^Reload Notebook from Disk"))
    lab.get_by_role("button", name="Reload").click()
    expect(cell_of(lab, BEGINS)).to_contain_text("F(1, 100)")
    expect(cell_of(lab, "last")).to_contain_text("1 + 1")
    assert parse(file.read_text()) == short_chapter()


def test_the_start_page_opens_chapters(lab):
    lab.get_by_role("tab", name="README.md").click()
    page = lab.locator(".jp-MarkdownViewer")
    expect(page.locator("h1")).to_have_text("Run the book")
    page.get_by_role("link", name="Risk", exact=True).click()
    expect(lab.locator(".jp-NotebookPanel:visible h1")).to_have_text("Risk")
