"""How outputs and pictures are compared, at the edge of what is allowed."""

import base64
import io
import re
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
import strict_nbval
from PIL import Image


def encoded(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.fixture
def pictures(tmp_path):
    return strict_nbval.PictureFolder(tmp_path, "chapter-cell-3")


@pytest.mark.parametrize(
    ("pixels", "by", "same"),
    [
        (0, 0, True),
        (64, 24, True),
        (65, 24, False),
        (64, 25, False),
        (1, 25, False),
        (65, 1, False),
    ],
)
def test_the_tolerance_of_pictures(pixels, by, same, pictures):
    old = np.full((20, 20, 3), 100)
    new = old.copy()
    new.reshape(-1, 3)[:pixels, 1] -= by
    found = strict_nbval.png_difference(encoded(old), encoded(new), pictures)
    assert (found == "") is same
    if not same:
        assert (
            f"largest change of a channel: {by} of 255 (at most 24)" in found
        )
        assert f"pixels changed: {pixels} of 400 (at most 64)" in found


def test_transparency_counts_as_a_channel(pictures):
    old = np.full((20, 20, 4), 255)
    new = old.copy()
    new[:10, :, 3] = 0
    found = strict_nbval.png_difference(encoded(old), encoded(new), pictures)
    assert "pixels changed: 200 of 400" in found


def test_the_difference_shows_the_changed_pixels_in_red():
    old = Image.new("RGBA", (4, 4), "white")
    new = old.copy()
    new.putpixel((1, 2), (0, 0, 0, 255))
    changes = strict_nbval.changed_channels(old, new)
    picture = strict_nbval.difference_picture(old, changes)
    assert picture.getpixel((1, 2)) == (214, 39, 40)
    assert picture.getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(
    "mime",
    ["text/html", "text/latex", "image/jpeg", "text/x-new"],
)
def test_every_text_type_is_compared(mime, pictures):
    old, new = (
        nbformat.v4.new_output("display_data", data={mime: text})
        for text in ("one", "two")
    )
    (found,) = strict_nbval.differences([old], [new], pictures)
    assert found.startswith(f"output 1 of 1, {mime}: the text changed")
    assert "-one\n+two" in found
    assert strict_nbval.differences([old], [old], pictures) == []


def test_drawings_are_compared_by_their_elements(pictures):
    same, moved, other = (
        nbformat.v4.new_output(
            "display_data",
            data={"image/svg+xml": f'<svg><path d="M{x} 2h9"/></svg>'},
        )
        for x in ("10", "10.02", "10.5")
    )
    assert strict_nbval.differences([same], [moved], pictures) == []
    (found,) = strict_nbval.differences([same], [other], pictures)
    assert "output 1 of 1, image/svg+xml: the drawing changed" in found
    assert "d, number 1 of 3: 10 became 10.5 (at most 0.02 pt off)" in found
    for role, x in (("expected", "10"), ("actual", "10.5")):
        name = re.search(rf"{role}: +(\S+\.svg)", found)[1]
        assert f"M{x} 2h9" in (pictures.root / name).read_text()


def test_pictures_within_drawings_are_compared_by_their_pixels(pictures):
    grey = np.full((20, 20, 3), 100)
    same, near, other = (
        nbformat.v4.new_output(
            "display_data",
            data={
                "image/svg+xml": "<svg><image "
                f'href="data:image/png;base64,{encoded(grey + by)}"/></svg>'
            },
        )
        for by in (0, np.eye(20)[..., None], 25)
    )
    assert strict_nbval.differences([same], [near], pictures) == []
    (found,) = strict_nbval.differences([same], [other], pictures)
    assert "largest change of a channel: 25 of 255 (at most 24)" in found


def test_json_is_compared_by_value_and_not_by_order(pictures):
    one, same, other = (
        nbformat.v4.new_output("display_data", data={"application/json": data})
        for data in (
            {"a": 1, "b": [2]},
            {"b": [2], "a": 1},
            {"a": 1, "b": [3]},
        )
    )
    assert strict_nbval.differences([one], [same], pictures) == []
    assert strict_nbval.differences([one], [other], pictures) != []


def test_shown_and_returned_are_different_kinds(pictures):
    shown, returned = (
        nbformat.v4.new_output(kind, data={"text/plain": "x"})
        for kind in ("display_data", "execute_result")
    )
    (found,) = strict_nbval.differences([shown], [returned], pictures)
    assert "-display_data text/plain: x\n+execute_result" in found


def test_a_missing_final_newline_is_a_difference(pictures):
    old, new = (
        nbformat.v4.new_output("stream", name="stdout", text=text)
        for text in ("x\n", "x")
    )
    assert strict_nbval.differences([old], [new], pictures) != []


@pytest.mark.parametrize("option", strict_nbval.REFUSED_OPTIONS)
def test_an_option_that_compares_less_is_refused(option):
    class Config:
        def getoption(self, name, default):
            return name == option or default

    flag = "--" + option.replace("_", "-")
    with pytest.raises(pytest.UsageError, match=f"{flag} is refused here"):
        strict_nbval.pytest_configure(Config())


# --- The order of the tests -------------------------------------------------


def test_what_takes_long_is_there():
    root = Path(__file__).parents[2]
    for end in strict_nbval.LONG:
        pattern = f"book/**/*{end}" if end.startswith(".") else end
        assert any(root.glob(pattern)), end


def test_what_takes_long_comes_first_and_files_stay_together():
    first, last = strict_nbval.LONG[0], strict_nbval.LONG[-1]
    names = ["few.py", "many.py", "few.py", "many.py", last, "many.py", first]
    items = [
        SimpleNamespace(path=Path("/x", name), number=number)
        for number, name in enumerate(names)
    ]
    strict_nbval.pytest_collection_modifyitems(items)
    assert [item.number for item in items] == [6, 4, 1, 3, 5, 0, 2]


def test_files_that_share_their_banks_have_one_worker():
    root = Path(__file__).parents[2]
    drills = f"{strict_nbval.TOGETHER}test_bank.py"
    assert "import bank" in (root / drills).read_text(encoding="utf-8")
    others = f"{strict_nbval.TOGETHER}test_equations.py"
    assert strict_nbval.shared(drills) == strict_nbval.shared(others)
    for alone in (
        "tests/test_words.py",
        f"{strict_nbval.TOGETHER}test_page.py",
    ):
        assert strict_nbval.shared(alone) == alone
