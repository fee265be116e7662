"""A temporary file of objects."""

from __future__ import annotations

import pickle
import tempfile
import threading
import weakref
from typing import Any


class Spool:
    """Objects in a temporary file, of which each can be read alone.

    The file has no name, so that the system removes it in any case.

    Examples
    --------
    >>> spool = Spool()
    >>> spool.append("first"), spool.append("second")
    (0, 1)
    >>> spool[0]
    'first'
    """

    def __init__(self) -> None:
        # The file is closed when nothing refers to the spool any more.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        self._places: list[int] = []

    def append(self, thing: object) -> int:
        """Write an object, and return its number."""
        with self._lock:
            self._places.append(self._file.seek(0, 2))
            pickle.dump(thing, self._file, pickle.HIGHEST_PROTOCOL)
        return len(self._places) - 1

    def __getitem__(self, number: int) -> Any:
        with self._lock:
            self._file.seek(self._places[number])
            return pickle.load(self._file)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def size(self) -> int:
        """The number of bytes."""
        with self._lock:
            return self._file.seek(0, 2)
