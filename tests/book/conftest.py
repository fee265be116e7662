"""What tests of the built pages share."""

import pytest
from looking import SHORT


@pytest.fixture
def broken(site, tmp_path):
    """Give a function that writes a page with something added to its text."""
    (tmp_path / "_static").symlink_to(site / "_static")
    page = (site / SHORT).read_text()
    page = page.replace("../../", "")

    def write(addition):
        path = tmp_path / "broken.html"
        path.write_text(page.replace("</article>", addition + "</article>"))
        return path

    return write
