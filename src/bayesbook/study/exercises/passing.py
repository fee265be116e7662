"""Note which exercises a learner has passed, and write them to a file.

The page "My progress" reads the file. What was passed is forgotten with the
kernel; the cells that solve the exercises are in the notebook, and run again.
"""

from __future__ import annotations

import json
import sys
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

__all__ = ["Passes", "note_pass", "passes"]

FILE = "bayesbook-passes.json"
_passed: dict[str, int] = {}


@dataclass(frozen=True)
class Passes:
    """The exercises that a learner has passed: shown as a file to be saved.

    Parameters
    ----------
    moments : mapping of str to int
        For each exercise when it was passed, in milliseconds since 1970.

    Examples
    --------
    >>> Passes({"events/posterior": 1_767_225_600_000})
    1 exercise passed: events/posterior.
    >>> Passes({})
    No exercise has been passed since the kernel started. Run the cells with
    your solutions, and then this one again.
    """

    moments: Mapping[str, int]

    def __repr__(self) -> str:
        if not self.moments:
            return (
                "No exercise has been passed since the kernel started. Run "
                "the cells with\nyour solutions, and then this one again."
            )
        count = len(self.moments)
        exercises = "exercise" if count == 1 else "exercises"
        return f"{count} {exercises} passed: {', '.join(self.moments)}."

    def _repr_html_(self) -> str | None:
        if not self.moments:
            return None
        content = b64encode(self.text().encode()).decode()
        return (
            f"<p>{self!r}</p>\n"
            f'<p><a href="data:application/json;base64,{content}" '
            f'download="{FILE}">Save them as a file</a>, and choose it on '
            "the page “My progress”, with Import.</p>"
        )

    def text(self) -> str:
        """Return the text of the file that "My progress" imports.

        Examples
        --------
        >>> content = Passes({"events/posterior": 7}).text()
        >>> json.loads(content)["records"]["exercise:events"]["posterior"]
        {'version': '1', 'tries': 1, 'solved': True, 'at': 7}
        """
        records: dict[str, dict] = {}
        for name, moment in self.moments.items():
            chapter, _, short = name.partition("/")
            records.setdefault(f"exercise:{chapter}", {})[short] = {
                "version": "1",
                "tries": 1,
                "solved": True,
                "at": moment,
            }
        content = {"format": "bayesbook-progress", "version": 1}
        return json.dumps(content | {"records": records}, indent=1)

    def save(self, path: str | Path = FILE) -> None:
        """Write the file, for a program that does not offer it.

        Parameters
        ----------
        path : str or Path
            Where; a file of this name is replaced.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "passes.json"
        ...     Passes({"events/posterior": 7}).save(path)
        ...     path.stat().st_size > 100
        True
        """
        Path(path).write_text(self.text(), "utf-8")


def passes() -> Passes:
    """Return the exercises that have been passed since the kernel started.

    The solutions of the book do not count. They are known by the ids of their
    cells, which JupyterLab tells the kernel; where another program does not,
    as in Colab, run only your own cells.

    Returns
    -------
    Passes
        Shown with a file to be saved, which "My progress" imports.

    Examples
    --------
    >>> from bayesbook.probability import bayes_rule
    >>> from bayesbook.study.exercises import check
    >>> check("events/posterior", bayes_rule).passed
    True
    >>> "events/posterior" in passes().moments
    True
    """
    return Passes(MappingProxyType(dict(_passed)))


def note_pass(name: str) -> None:
    """Note that an exercise was passed, unless it is by the book's solution.

    Parameters
    ----------
    name : str
        Chapter and exercise, such as ``"events/posterior"``.
    """
    if not _running_cell().startswith("solution-"):
        _passed[name] = time.time_ns() // 1_000_000


def _running_cell() -> str:
    """Return the id of the cell that runs, or "" where nobody tells it."""
    if "IPython" not in sys.modules:
        return ""
    shell = sys.modules["IPython"].get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return str((parent.get("metadata") or {}).get("cellId", ""))
