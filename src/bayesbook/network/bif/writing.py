"""Writing networks as BIF: from a network to a text, and into a file.

The grammar is that of :mod:`bayesbook.network.bif`.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
from fractions import Fraction
from itertools import product
from pathlib import Path
from secrets import token_hex

from bayesbook.base import BIFError
from bayesbook.base.names import quoted_list
from bayesbook.network.bif._syntax import NAMELESS, is_bare
from bayesbook.network.bif.reading import is_packed
from bayesbook.network.model import BayesianNetwork

__all__ = ["format_bif", "write_bif"]

# Fractions of more digits are not read.
_LARGEST_WHOLE = 10**1999


def write_bif(
    network: BayesianNetwork,
    path: str | os.PathLike,
    *,
    exact: bool = False,
    as_text: bool = False,
    quotes: bool = False,
) -> None:
    """Write a network into a BIF file.

    The file is replaced when the new one is complete: if writing fails, the
    old one is kept.

    Parameters
    ----------
    network : BayesianNetwork
    path : str or path
        If the name ends in ``.gz``, the file is compressed by gzip. The same
        network gives the same bytes.
    exact, as_text, quotes
        As for :func:`format_bif`.

    Raises
    ------
    TypeError, BIFError
        As :func:`format_bif`.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from bayesbook.network import load_network
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bif(load_network("asia"), f"{folder}/asia.bif")
    ...     lines = Path(f"{folder}/asia.bif").read_text().splitlines()
    >>> lines[0]
    'network asia {'
    """
    path = Path(path).resolve()
    text = format_bif(network, exact=exact, as_text=as_text, quotes=quotes)
    data = text.encode()
    if is_packed(path):
        packed = io.BytesIO()
        # Without the time and the name of the file.
        with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
            file.write(data)
        data = packed.getvalue()
    new = path.with_name(f".{path.name}.{token_hex(4)}.tmp")
    try:
        with open(new, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, new)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def format_bif(
    network: BayesianNetwork,
    *,
    exact: bool = False,
    as_text: bool = False,
    quotes: bool = False,
) -> str:
    """Write a network as a text in BIF.

    Floats are written so that :func:`parse_bif` reads the same floats.

    Parameters
    ----------
    network : BayesianNetwork
    exact : bool
        The format has decimals only, so fractions are written as the nearest
        floats. If `exact`, fractions that are not short decimals are written
        as ``1/3``: ``parse_bif(text, exact=True)`` reads them, but other
        programs do not understand them.
    as_text : bool
        In the format all states are texts, so others are refused. If
        `as_text`, they are written as ``str`` shows them: the state 1 comes
        back as ``"1"``.
    quotes : bool
        Other programs do not read names in quotes, so nodes and states that
        need them are refused: those with white space, one of ``{}()[];,|``,
        or the beginning of a comment. If `quotes`, they are written so, for
        this library alone.

    Returns
    -------
    str

    Raises
    ------
    TypeError
        If `network` is not a network.
    BIFError
        If the format cannot hold a name or a state: those with a double
        quote or a line break in them, and states that are not texts; or if
        it holds them in quotes only.

    Notes
    -----
    All other names are written as they are, as in the files of the Bayesian
    Network Repository: pgmpy reads ``Asy/Patch`` and ``>=7.5``, too.
    pyAgrum reads names of ASCII letters, digits and ``_.?%-`` that begin with
    a letter or an underscore, and whole numbers as states; others have to be
    renamed for it, and so have words of the format, such as ``type``.

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> coin = Table(["1/3", "2/3"], {"side": ("heads", "tails")})
    >>> print(format_bif(BayesianNetwork([coin]), exact=True))
    network unknown {
    }
    variable side {
      type discrete [ 2 ] { heads, tails };
    }
    probability ( side ) {
      table 1/3, 2/3;
    }
    <BLANKLINE>
    """
    if not isinstance(network, BayesianNetwork):
        raise TypeError(
            f"Only a BayesianNetwork can be written, not {network!r}."
        )
    states = {
        node: _written_states(node, given, as_text, quotes)
        for node, given in network.states.items()
    }
    names = {
        node: _written(node, f"The name of {node!r}", quotes)
        for node in network
    }
    lines = [f"network {_written_title(network.name)} {{", "}"]
    for node, written in states.items():
        lines += [
            f"variable {names[node]} {{",
            f"  type discrete [ {len(written)} ] {{ {', '.join(written)} }};",
            "}",
        ]
    for node, table in network.tables.items():
        parents = network.parents(node)
        given = ", ".join(names[parent] for parent in parents)
        bar = f" | {given}" if parents else ""
        lines.append(f"probability ( {names[node]}{bar} ) {{")
        # Other programs write the first parent's state as the fastest one,
        # and some do not read the states of a row at all.
        n = len(parents)
        values = table.values.transpose(*reversed(range(n)), n)
        distributions = values.reshape(-1, len(states[node])).tolist()
        heads = (
            f"({', '.join(reversed(row))})"
            for row in product(*(states[name] for name in reversed(parents)))
        )
        for head, distribution in zip(heads, distributions, strict=True):
            numbers = ", ".join(
                _written_number(p, exact) for p in distribution
            )
            lines.append(f"  {head if parents else 'table'} {numbers};")
        lines.append("}")
    return "\n".join([*lines, ""])


def _written(name, what, quotes):
    """Return a name as it is written, in quotes if needed and allowed."""
    if not isinstance(name, str):
        raise BIFError(
            f"{what} is {name!r}, of type {type(name).__name__}; BIF holds "
            "texts only: make it one, or write texts with as_text=True."
        )
    if any(mark in name for mark in '"\r\n'):
        raise BIFError(
            f"{what} is {name!r}; a name in BIF has no double quote and no "
            "line break in it: choose another one."
        )
    try:
        name.encode()
    except UnicodeEncodeError:
        raise BIFError(
            f"{what} is {name!r}, which cannot be written in UTF-8: choose "
            "another name."
        ) from None
    if is_bare(name):
        return name
    # pyAgrum 3.3.1 has texts in quotes in its grammar for the name of the
    # network only; pgmpy 1.1.2 reads quotes as white space, and so the root
    # "my node" as two nodes.
    if not quotes:
        raise BIFError(
            f"{what} is {name!r}, which BIF holds in quotes only, and other "
            "programs do not read them: choose a name without white space "
            "and {}()[];,|, or, for this library alone, write quotes=True."
        )
    return f'"{name}"'


def _written_title(name):
    if not name:
        return NAMELESS
    _written(name, "The name of the network", quotes=True)
    # Other programs read this name in quotes, and bare if it is a word.
    is_word = name.isascii() and name.isidentifier() and name != NAMELESS
    return name if is_word else f'"{name}"'


def _written_states(node, states, as_text, quotes):
    if as_text:
        states = [str(state) for state in states]
        if len(set(states)) < len(states):
            raise BIFError(
                f"Two states of {node!r} are the same text, among "
                f"{quoted_list(states)}: rename them first."
            )
    what = f"A state of {node!r}"
    return [_written(state, what, quotes) for state in states]


def _written_number(number, exact):
    short = repr(float(number))
    if not exact or not isinstance(number, Fraction):
        return short
    if Fraction(short) == number:
        return short
    if max(number.numerator, number.denominator) > _LARGEST_WHOLE:
        raise BIFError(
            f"A probability is {short}, exactly a fraction of more than 4000 "
            "digits, which cannot be read again: write it with exact=False."
        )
    return str(number)
