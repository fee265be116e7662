"""What tests of the built pages share."""

import shutil

import pytest
from looking import SHORT


@pytest.fixture
def broken(site, tmp_path):
    """Give a function that writes a page with something added to its text."""
    (tmp_path / "_static").symlink_to(site / "_static")
    shutil.copy(site / "searchindex.js", tmp_path)
    page = (site / SHORT).read_text()
    page = page.replace("../../", "")

    def write(addition):
        path = tmp_path / "broken.html"
        path.write_text(page.replace("</article>", addition + "</article>"))
        return path

    return write
