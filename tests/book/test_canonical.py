"""Notebooks are run and put in canonical form, and nothing is lost."""

import base64
import io
import re
import subprocess

import nbformat
import notebooks
import pytest
from PIL import Image, PngImagePlugin

CONFIG = {"repository": {"url": "https://example.org/book"}}
markdown = nbformat.v4.new_markdown_cell
code = nbformat.v4.new_code_cell


def stream(text, name="stdout"):
    return nbformat.v4.new_output("stream", name=name, text=text)


def notebook_of(*cells, **metadata):
    return nbformat.v4.new_notebook(cells=list(cells), metadata=metadata)


def signed_png():
    file, words = io.BytesIO(), PngImagePlugin.PngInfo()
    words.add_text("Software", "a plotting library, version 1")
    picture = Image.new("RGB", (3, 2), "red")
    picture.save(file, "PNG", pnginfo=words, dpi=(144, 144))
    return file.getvalue()


def test_canonical_form_is_reached_once_and_for_all():
    data = {
        "image/png": base64.encodebytes(signed_png()).decode(),
        "text/plain": "Figure",
    }
    notebook = notebook_of(
        markdown("# Title", id="title"),
        code("1\n", execution_count=7, outputs=[stream("a"), stream("b")]),
        code(
            "2",
            execution_count=9,
            outputs=[
                nbformat.v4.new_output(
                    "execute_result", data=data, execution_count=9
                )
            ],
            metadata={
                "executionInfo": {"user": {"displayName": "Somebody"}},
                "jupyter": {"outputs_hidden": False},
                "mystnb": {"a": 1},
                "tags": [],
            },
        ),
        user="Somebody",
        language_info={"name": "python", "version": "3.11.7"},
    )
    before = nbformat.writes(notebook)
    once = notebooks.canonical(notebook, CONFIG)
    assert nbformat.writes(notebook) == before, "the argument is not changed"
    assert notebooks.canonical(once, CONFIG) == once
    text = notebooks.serialise(once)
    assert notebooks.parse(text) == once
    ids = [cell.id for cell in once.cells]
    assert ids[:2] == ["title", "colab-setup"]
    setup, first, second = once.cells[1:]
    assert setup.execution_count is None, "it has not run yet"
    assert (first.execution_count, second.execution_count) == (2, 3)
    assert [output.text for output in first.outputs] == ["ab"]
    assert second.metadata == {"mystnb": {"a": 1}}
    assert second.outputs[0].execution_count == 3
    png = base64.b64decode(second.outputs[0].data["image/png"])
    assert b"Software" not in png
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.size == (3, 2)
        assert picture.info["dpi"] == pytest.approx((144, 144), abs=0.01)
    assert once.metadata == {
        "kernelspec": notebooks.KERNELSPEC,
        "language_info": {"name": "python"},
    }


@pytest.mark.parametrize(
    ("tag", "folded"),
    [
        ("hide-input", ["source_hidden"]),
        ("remove-input", ["source_hidden"]),
        ("hide-cell", ["outputs_hidden", "source_hidden"]),
        ("hide-output", ["outputs_hidden"]),
        ("another", None),
    ],
)
def test_what_a_page_folds_jupyterlab_folds(tag, folded):
    cell = code("1", metadata={"tags": [tag], "jupyter": {"x": True}})
    metadata = notebooks.canonical_metadata(cell)
    assert metadata.pop("tags") == [tag]
    wanted = {"jupyter": dict.fromkeys(folded, True)} if folded else {}
    assert metadata == wanted


def test_a_picture_that_is_cut_off_is_refused():
    for length in (12, 40, len(signed_png()) - 5):
        with pytest.raises(notebooks.NotebookError, match="cut off"):
            notebooks.without_text_chunks(signed_png()[:length])


def test_ids_are_kept_and_missing_or_repeated_ones_come_from_the_content():
    cells = [markdown(text, id="same") for text in ("a", "b", "b")]
    cells.append(markdown("c", id="kept"))
    cells[2].pop("id")
    notebook = nbformat.from_dict({"cells": cells})
    first = notebooks.with_unique_ids(notebook)
    again = notebooks.with_unique_ids(notebook)
    ids = [cell.id for cell in first.cells]
    assert ids == [cell.id for cell in again.cells]
    assert (ids[0], ids[3]) == ("same", "kept")
    assert ids[2] == f"{ids[1]}-2"


def test_a_stale_generated_cell_is_refreshed_and_stands_in_its_place():
    old = notebooks.canonical(notebook_of(markdown("x"), code("1")), CONFIG)
    moved = {"repository": {"url": "https://example.org/new"}}
    new = notebooks.canonical(old, CONFIG | moved)
    sources = {cell.id: cell.source for cell in new.cells}
    assert "git+https://example.org/new" in sources["colab-setup"]
    assert len(new.cells) == len(old.cells)
    (stale,) = (
        deviation
        for deviation in notebooks.deviations(
            notebooks.serialise(old), CONFIG | moved
        )
        if "generated" in deviation
    )
    assert stale == "the generated cell `colab-setup` is out of date"


@pytest.mark.parametrize(
    ("change", "deviation"),
    [
        (lambda text: text + "\n", "does not end in exactly one newline"),
        (lambda text: text.replace("\n ", "\n  "), "canonical is"),
        (
            lambda text: text.replace('"execution_count": 2', '"x": 2'),
            "not a valid notebook",
        ),
        (lambda text: text.replace(": 2,", ": null,"), "cell 2 .*: never ran"),
        (lambda text: text.replace(": 2,", ": 5,"), "line .*canonical is"),
        (lambda text: text.replace("stdout", "stderr"), "wrote to stderr: hi"),
        (lambda text: text.replace("print", "# NBVAL_SKIP"), "NBVAL_SKIP"),
        (lambda text: text.replace("colab-setup", "other"), "is missing"),
        (lambda text: text.replace('"tags"', '"x": 1, "tags"'), '"x": 1'),
        (lambda text: "{", "not a notebook"),
        (lambda text: '{"nbformat": 3}', "not a notebook of format 4"),
        (lambda text: '{"nbformat": 4}', "not a notebook: no cells"),
    ],
)
def test_a_deviation_is_named(change, deviation):
    ran = code("print('hi')", execution_count=2, outputs=[stream("hi\n")])
    notebook = notebooks.canonical(notebook_of(ran), CONFIG)
    notebook.cells[0].execution_count = 1
    text = notebooks.serialise(notebook)
    assert notebooks.deviations(text, CONFIG) == []
    found = notebooks.deviations(change(text), CONFIG)
    assert any(re.search(deviation, line) for line in found), found


@pytest.fixture
def written(tmp_path):
    def write(*cells):
        path = tmp_path / "chapter.ipynb"
        path.write_text(nbformat.writes(notebook_of(*cells)))
        return path

    return write


def test_a_run_fills_the_file_in_its_own_folder_and_is_stable(written):
    path = written(
        code("from pathlib import Path\nprint(Path('data.txt').read_text())")
    )
    (path.parent / "data.txt").write_text("beside the notebook")
    assert notebooks.run(path, CONFIG)
    first = path.read_text()
    assert "beside the notebook" in first
    assert notebooks.deviations(first, CONFIG) == []
    assert not notebooks.run(path, CONFIG)
    assert path.read_text() == first
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "chapter.ipynb",
        "data.txt",
    ]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", r"cell 3 \(id last\) raised ZeroDivisionError: "),
        ("import warnings; warnings.warn('x')", r"cell 3 .* wrote to stderr"),
        ("# NBVAL_IGNORE_OUTPUT", r"cell 3 .*: the comment `# NBVAL_IGNORE_"),
        ("  ", r"cell 3 .*: the code cell is blank"),
        ("import os; os._exit(1)", r"cell 3 .*: the kernel died"),
    ],
)
def test_a_cell_that_fails_is_named_and_the_file_is_untouched(
    source, message, written
):
    path = written(code("print(1)", id="first"), code(source, id="last"))
    before = path.read_bytes()
    with pytest.raises(notebooks.NotebookError, match=message):
        notebooks.run(path, CONFIG)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_what_an_editor_saves_during_the_run_is_not_overwritten(written):
    path = written(code("from pathlib import Path"), code("1"))
    with pytest.raises(notebooks.NotebookError, match="saved by someone"):
        notebooks.run(path, CONFIG, on_cell=lambda: path.write_text("mine"))
    assert path.read_text() == "mine"


def test_a_failed_write_leaves_nothing_behind(tmp_path):
    path = tmp_path / "chapter.ipynb"
    path.write_text("before")
    with pytest.raises(UnicodeEncodeError):
        notebooks.write_atomically(path, "\ud800")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_differs_from_the_last_commit_is_found(tmp_path):
    def git(*arguments):
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True)

    git("init", "--quiet")
    book = tmp_path / "book"
    book.mkdir()
    for name in ("same", "changed", "removed"):
        (book / f"{name}.ipynb").write_text(name)
    assert len(notebooks.changed_notebooks(tmp_path)) == 3, "before a commit"
    git("add", ".")
    git("commit", "--quiet", "--message=x")
    assert notebooks.changed_notebooks(tmp_path) == []
    (book / "changed.ipynb").write_text("x")
    (book / "new one.ipynb").write_text("x")
    (book / "new.md").write_text("x")
    (book / "removed.ipynb").unlink()
    found = [path.name for path in notebooks.changed_notebooks(tmp_path)]
    assert found == ["changed.ipynb", "new one.ipynb"]


def test_without_git_the_names_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(notebooks.NotebookError, match="name the notebooks"):
        notebooks.changed_notebooks(tmp_path)


def test_the_check_names_the_file_and_changes_nothing(written, capsys):
    path = written(code("1", id="one"))
    before = path.read_bytes()
    assert notebooks.main(["--check", str(path)]) == 1
    complaints = capsys.readouterr().err
    assert f"{path}: cell 1 (id one): never ran" in complaints
    assert "`make execute` puts notebooks in order" in complaints
    assert path.read_bytes() == before


def test_a_name_that_is_no_notebook_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        notebooks.main([str(tmp_path / "missing.ipynb")])
    assert "no such notebook" in capsys.readouterr().err
