"""Print the changes of a release, if everything says the same version.

python tests/release.py v0.3.0
"""

import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]


class ReleaseError(Exception):
    """Files that do not agree about a release."""


def version_of(face):
    """Return the version that the library shows.

    Examples
    --------
    >>> version_of('__version__ = "0.3.0"')
    '0.3.0'
    """
    return re.search(r'(?m)^__version__ = "([^"]+)"$', face)[1]


def changes_of(version, changelog):
    r"""Return the date of a version, and the section under its heading.

    Examples
    --------
    >>> changes_of("1.1.0", "## 1.1.0 (2026-01-31)\n\nNew.\n")
    ('2026-01-31', 'New.')
    """
    found = re.search(
        rf"(?ms)^## {re.escape(version)}(| [^\n]*)\n(.*?)(?=^## |\Z)",
        changelog,
    )
    if found is None or not found[2].strip():
        raise ReleaseError(f"CHANGELOG.md says nothing of {version}.")
    dated = re.fullmatch(r" \((\d{4}-\d\d-\d\d)\)", found[1])
    if dated is None:
        raise ReleaseError(
            f"CHANGELOG.md gives {version} no date: write "
            f"## {version} (YYYY-MM-DD)."
        )
    return dated[1], found[2].strip()


def notes(tag, root=ROOT):
    """Return the notes of the release that a tag names."""
    version = version_of(
        (root / "src" / "bayesbook" / "__init__.py").read_text("utf-8")
    )
    cited = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    said = {"the tag": tag.removeprefix("v"), "CITATION.cff": cited["version"]}
    for where, other in said.items():
        if other != version:
            raise ReleaseError(
                f"The library is {version}, but {where} says {other}."
            )
    day, changes = changes_of(
        version, (root / "CHANGELOG.md").read_text("utf-8")
    )
    # An archive takes the day from there.
    if str(cited.get("date-released")) != day:
        raise ReleaseError(
            f"CHANGELOG.md says {day}, but CITATION.cff does not: write "
            f"date-released: {day}"
        )
    return changes


if __name__ == "__main__":
    try:
        print(notes(*sys.argv[1:]))
    except ReleaseError as error:
        sys.exit(str(error))
