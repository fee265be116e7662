"""Reading networks from BIF: from a file or a text to tables.

The grammar is that of :mod:`bayesbook.network.bif`.
"""

from __future__ import annotations

import gzip
import os
import reprlib
import zlib
from pathlib import Path

import networkx as nx

from bayesbook.base import BIFError, GraphError
from bayesbook.base.labels import read_limit
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import as_float
from bayesbook.network.bif._syntax import Parser, Source
from bayesbook.network.bif._tables import Tables, did_they_mean
from bayesbook.network.model import BayesianNetwork
from bayesbook.probability import MAX_BYTES

__all__ = ["parse_bif", "read_bif"]

# The bytes that a character may need while it is read: a token of one
# character, a space after it, and both in the largest encoding.
_BYTES_A_CHARACTER = 64
# numpy has no more axes.
_MOST_PARENTS = 63


def read_bif(
    path: str | os.PathLike,
    *,
    exact: bool = False,
    tolerance: float = 1e-6,
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
) -> BayesianNetwork:
    """Read a network from a BIF file.

    Parameters
    ----------
    path : str or path
        A file in UTF-8; if its name ends in ``.gz``, compressed by gzip.
    exact, tolerance, max_bytes, name
        As for :func:`parse_bif`.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    BIFError
        If the text is wrong; the message gives the line and column.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> from bayesbook.network import load_network, write_bif
    >>> asia = load_network("asia")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bif(asia, f"{folder}/asia.bif.gz")
    ...     read_bif(f"{folder}/asia.bif.gz", exact=True) == asia
    True
    """
    path, max_bytes = Path(path), read_limit(max_bytes)
    try:
        text = _decoded(_bytes_of(path, max_bytes))
        return _parse(text, exact, tolerance, max_bytes, name)
    except BIFError as error:
        raise error.in_file(path.name) from None


def parse_bif(
    text: str,
    *,
    exact: bool = False,
    tolerance: float = 1e-6,
    max_bytes: int = MAX_BYTES,
    name: str | None = None,
) -> BayesianNetwork:
    """Read a network from a text in BIF.

    Numbers are read as the nearest floats: 0.99 is Python's 0.99.

    Parameters
    ----------
    text : str
        What a file holds.
    exact : bool
        Read each number as the fraction that its digits stand for.
    tolerance : float
        The numbers of published files are rounded: 0.3333333 three times for
        the distribution of three equal states. A distribution whose sum
        differs from one by no more than this is divided by its sum, if it
        differs at all (from floats: by more than the 1e-9 that tables allow);
        one that differs by more is refused. No network of the Bayesian Network
        Repository needs more than 3.1e-7.
    max_bytes : int
        A text, or a network, that would need more memory is refused: 64
        bytes are counted for a character, 32 for a float, 160 for a fraction.
    name : str, optional
        The name of the network; by default the one in the text, where
        ``network unknown``, without quotes, stands for none.

    Returns
    -------
    BayesianNetwork
        Its nodes are in the order of the `variable` blocks.

    Raises
    ------
    BIFError
        If the text is not in the grammar (it may be cut off); if a variable,
        a state or a row appears twice; if a name or a state is unknown; if a
        row, a probability block or numbers are missing; if a number is
        negative, or a distribution does not sum to one; if the edges form a
        cycle; or if the network would be too large. The message says where.
    TypeError
        If `text` is not a string.

    Examples
    --------
    >>> coin = '''network coin { }
    ... variable side { type discrete [ 2 ] { heads, tails }; }
    ... probability ( side ) { table 0.3, 0.6; }'''
    >>> parse_bif(coin)
    Traceback (most recent call last):
    bayesbook.base.errors.BIFError: line 3, column 30: The probabilities of
    'side' sum to 0.9, not to 1, which rounding of their digits explains:
    write more of them, or fractions such as 1/3, or have them divided by their
    sum with tolerance=0.1.
    >>> parse_bif(coin, exact=True, tolerance=0.1).tables["side"]
    P(side)
    side=heads  side=tails
           1/3         2/3
    """
    return _parse(text, exact, tolerance, max_bytes, name)


# -- from bytes to text ---------------------------------------------------


def _bytes_of(path, max_bytes):
    """Read a file, but no more of it than a text may have."""
    limit = max_bytes // _BYTES_A_CHARACTER
    with open(path, "rb") as file:
        data = _unpacked(file, limit + 1, is_packed=is_packed(path))
    if len(data) > limit:
        raise _too_long(max_bytes)
    return data


def is_packed(path):
    """Return whether the name of a file says that it is compressed."""
    return path.suffix.lower() == ".gz"


def _unpacked(file, limit, *, is_packed):
    if not is_packed:
        return file.read(limit)
    try:
        with gzip.open(file) as unpacked:
            return unpacked.read(limit)
    except EOFError:
        raise BIFError(
            "The compressed file is cut off; get or write it again."
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BIFError(
            "The file's name says gzip, but it is damaged or not compressed "
            f"({error}); if it is plain text, drop the '.gz'."
        ) from None


def _too_long(max_bytes):
    return BIFError(
        f"The text has more than {max_bytes // _BYTES_A_CHARACTER:,} "
        "characters; if that is right, raise max_bytes, to "
        f"{_BYTES_A_CHARACTER} for each of them."
    )


def _decoded(data):
    if data.startswith(b"\x1f\x8b"):
        raise BIFError(
            "The file is compressed by gzip: give it a name that ends in "
            "'.gz'."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        raise BIFError(
            f"The byte {data[error.start]:#04x} is not UTF-8: "
            "save the file as UTF-8, or read it with its own encoding, as in "
            "parse_bif(path.read_text(encoding='latin-1')).",
            line,
            column,
        ) from None


# -- from text to a network -----------------------------------------------


def _parse(text, exact, tolerance, max_bytes, name):
    if not isinstance(text, str):
        raise TypeError(
            f"Give the text itself, not {reprlib.repr(text)}; a file is read "
            "by read_bif."
        )
    # With a larger one a distribution could be divided by zero.
    tolerance = as_float(tolerance, "The tolerance", 0, 0.5)
    max_bytes = read_limit(max_bytes)
    if len(text) > max_bytes // _BYTES_A_CHARACTER:
        raise _too_long(max_bytes)
    source = Source(text)
    name_in_text, variables, families = Parser(source).file()
    states = _states_by_name(source, variables)
    blocks = _blocks_by_name(source, families, states)
    for variable in variables:
        if variable.name not in blocks:
            raise source.error(
                f"There is no probability block for {variable.name!r}: add "
                f"'probability ( {variable.name} ... ) {{ ... }}'. (Is the "
                "text cut off?)",
                variable.at,
            )
    reader = Tables(source, states, exact, tolerance, max_bytes)
    tables = [reader.table(blocks[node]) for node in states]
    try:
        return BayesianNetwork(
            tables, name=name_in_text if name is None else name
        )
    except GraphError:
        raise _cycle(source, blocks) from None


def _states_by_name(source, variables):
    states = {}
    for variable in variables:
        if not variable.name:
            raise source.error("The name is empty.", variable.at + 1)
        if variable.name in states:
            raise source.error(
                f"There are two blocks for the variable {variable.name!r}.",
                variable.at,
            )
        states[variable.name] = tuple(variable.states)
    if not states:
        raise source.error(
            "There is no variable. (Is the text cut off?)",
            len(source.tokens) - 1,
        )
    return states


def _blocks_by_name(source, families, states):
    blocks = {}
    for family in families:
        for name, at in zip(family.names, family.places, strict=True):
            if name not in states:
                raise source.error(
                    f"{reprlib.repr(name)} is not among the variables, "
                    f"{quoted_list(states)}.{did_they_mean(name, states)}",
                    at,
                )
        node, *parents = family.names
        if node in parents:
            raise source.error(f"{node!r} is its own parent.", family.at)
        if len(set(parents)) < len(parents):
            twice = max(parents, key=parents.count)
            raise source.error(
                f"{twice!r} is a parent of {node!r} twice.", family.at
            )
        if node in blocks:
            raise source.error(
                f"There are two probability blocks for {node!r}.", family.at
            )
        if len(parents) > _MOST_PARENTS:
            raise source.error(
                f"{node!r} has {len(parents)} parents; a table can have "
                f"{_MOST_PARENTS}.",
                family.at,
            )
        blocks[node] = family
    return blocks


def _cycle(source, blocks):
    """Return the error for edges that form a cycle."""
    graph = nx.DiGraph(
        (parent, node)
        for node, family in blocks.items()
        for parent in family.names[1:]
    )
    cycle = [node for node, _ in nx.find_cycle(graph)]
    return source.error(
        f"The edges form a cycle, {' → '.join([*cycle, cycle[0]])}: drop a "
        "parent from one of these blocks.",
        min(blocks[node].at for node in cycle),
    )
