r"""Reading and writing BIF, the file format in which networks are exchanged.

>>> network = parse_bif('''
... network lawn { }
... variable rain { type discrete [ 2 ] { no, yes }; }
... variable grass { type discrete [ 2 ] { dry, wet }; }
... probability ( rain ) { table 0.8, 0.2; }
... probability ( grass | rain ) {
...   (no) 0.9, 0.1;
...   (yes) 0.05, 0.95;
... }
... ''')
>>> network
BayesianNetwork 'lawn': 2 nodes, 1 edge, 3 free parameters
P(rain)
P(grass | rain)
>>> parse_bif(format_bif(network)) == network
True

The grammar, in which braces in quotes stand for themselves, ``[ ]`` for what
may be missing, and ``{ }`` for any number of repetitions::

    file        = network { variable | probability }
    network     = "network" [ name ] "{" { property } "}"
    variable    = "variable" name "{" { type | property } "}"
    type        = "type" "discrete" "[" count "]"
                  "{" name { name } "}" [ ";" ]
    probability = "probability" "(" name [ "|" ] { name } ")"
                  "{" { row | default | table | property } "}"
    row         = "(" { name } ")" number { number } ";"
    default     = "default" number { number } ";"
    table       = "table" number { number } ";"
    property    = "property" { any token but ";" } ";"

A *name*, of a variable or a state, is any run of characters other than white
space and ``{}()[];,|"``, or any text of one line between double quotes. A
*number* is a decimal, with or without an exponent, or, which is our
extension, a fraction such as ``1/3``. Commas are white space; so are comments,
``//`` to the end of the line and ``/* ... */``. Blocks may come in any order
after the first. Properties are notes of other programs: they are read over.

In a `probability` block the first name is the variable, the others are its
parents. A *row* gives the distribution of the variable for one state of each
parent, in their order; the *default* distribution is that of all states
without a row. A *table* gives all distributions at once: the state of the
variable changes slowest, and that of the last parent fastest, so for binary
variables P(x1 | a1, b1), P(x1 | a1, b2), P(x1 | a2, b1), P(x1 | a2, b2), P(x2
| a1, b1) and so on.

The format is the Interchange Format, version 0.15, which Cozman proposed with
his program JavaBayes, with the freedoms that the files of Scutari's Bayesian
Network Repository take: names such as ``>=7.5``. What stands between blocks
there is refused here, unless it is a comment.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import reprlib
import shutil
import zlib
from fractions import Fraction
from itertools import chain, product
from math import ceil, floor, inf, log10, prod
from pathlib import Path
from secrets import token_hex

import networkx as nx
import numpy as np

from bayesbook.base import BIFError, GraphError
from bayesbook.base.labels import read_limit
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, as_float, read, show
from bayesbook.network.bif._syntax import (
    NAMELESS,
    Parser,
    Source,
    is_bare,
    unquoted,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.probability import MAX_BYTES, Table

__all__ = ["format_bif", "parse_bif", "read_bif", "write_bif"]

_NUMBER = re.compile(
    r"[+-]? (?: \d+ \.? \d* | \. \d+ ) (?: [eE] [+-]? \d+ )? | \d+ / \d+",
    re.VERBOSE | re.ASCII,
)
# Python's float() understands more than numbers of this format: nan, 1_000.
_NO_DECIMAL = re.compile(r"[^0-9.eE+-]")

# What a character may cost while it is read: a token of one character, a
# space after it, and both in the largest encoding.
_BYTES_A_CHARACTER = 64
# A float, or a fraction, and what is computed beside it.
_BYTES_A_NUMBER = {False: 32, True: 160}
# Fractions of more digits are not read.
_LARGEST_WHOLE = 10**1999
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
        If the file is not right; it says in which line and column.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> from bayesbook.network import load_network
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
        Of the network; the one in the text by default, where ``network
        unknown``, without quotes, stands for none.

    Returns
    -------
    BayesianNetwork
        Its nodes are in the order of the `variable` blocks.

    Raises
    ------
    BIFError
        If the text is not in the grammar (it may be cut off); if a variable,
        a state or a row stands twice; if a name or a state is unknown; if a
        row, a probability block or numbers are missing; if a number is
        negative, or a distribution does not sum to one; if the edges form a
        cycle; or if the network would be too large. The message says where.

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


def write_bif(
    network: BayesianNetwork,
    path: str | os.PathLike,
    *,
    exact: bool = False,
    as_text: bool = False,
) -> None:
    """Write a network into a BIF file.

    The file is replaced when the new one is complete: whatever fails, the
    old one is still there.

    Parameters
    ----------
    network : BayesianNetwork
    path : str or path
        If the name ends in ``.gz``, the file is compressed by gzip. The same
        network gives the same bytes.
    exact, as_text
        As for :func:`format_bif`.

    Raises
    ------
    BIFError
        If the format cannot hold a name or a state.
    OSError
        If the file cannot be written.
    """
    path = Path(path).resolve()
    data = format_bif(network, exact=exact, as_text=as_text).encode()
    if _is_packed(path):
        packed = io.BytesIO()
        # Neither the time nor the name of the file goes into it.
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
    network: BayesianNetwork, *, exact: bool = False, as_text: bool = False
) -> str:
    """Write a network as a text in BIF.

    Floats are written so that :func:`parse_bif` reads the same floats.

    Parameters
    ----------
    network : BayesianNetwork
    exact : bool
        The format knows decimals only, so fractions are written as the
        nearest floats. If `exact`, those that are no short decimals are
        written as ``1/3``: ``parse_bif(text, exact=True)`` gives them back,
        but other programs do not understand them.
    as_text : bool
        The format knows states that are texts only, so others are refused.
        If `as_text`, they are written as ``str`` shows them: the state 1
        comes back as ``"1"``.

    Returns
    -------
    str

    Raises
    ------
    BIFError
        If the format cannot hold a name or a state: those with a double
        quote or a line break in them, and states that are no texts.

    Examples
    --------
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
        node: _written_states(node, own, as_text)
        for node, own in network.states.items()
    }
    names = {node: _written(node, f"The name of {node!r}") for node in network}
    lines = [f"network {_written_title(network.name)} {{", "}"]
    for node, own in states.items():
        lines += [
            f"variable {names[node]} {{",
            f"  type discrete [ {len(own)} ] {{ {', '.join(own)} }};",
            "}",
        ]
    for node, table in network.tables.items():
        parents = network.parents(node)
        bar = f" | {', '.join(map(names.get, parents))}" if parents else ""
        lines.append(f"probability ( {names[node]}{bar} ) {{")
        # Other programs write the first parent's state as the fastest one,
        # and some do not read the states of a row at all.
        n = len(parents)
        distributions = table.values.transpose(*reversed(range(n)), n)
        distributions = distributions.reshape(-1, len(states[node])).tolist()
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


# -- from bytes to tokens -------------------------------------------------


def _bytes_of(path, max_bytes):
    """Read what a file holds, but no more of it than can be the text."""
    limit = max_bytes // _BYTES_A_CHARACTER
    with open(path, "rb") as file:
        data = _unpacked(file, limit + 1, is_packed=_is_packed(path))
    if len(data) > limit:
        raise _too_long(max_bytes)
    return data


def _is_packed(path):
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
            f"The file's name says gzip, but it is damaged or is none "
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
            f"The byte {data[error.start]:#04x} is no character of UTF-8: "
            "save the file as UTF-8, or read it with its own encoding, as in "
            "parse_bif(path.read_text(encoding='latin-1')).",
            line,
            column,
        ) from None


# -- from blocks to tables ------------------------------------------------


def _parse(text, exact, tolerance, max_bytes, name):
    if not isinstance(text, str):
        raise TypeError(
            f"Give the text itself, not {reprlib.repr(text)}; a file is read "
            "by read_bif."
        )
    # From a half, a distribution could be divided by nothing.
    tolerance = as_float(tolerance, "The tolerance", 0, 0.5)
    max_bytes = read_limit(max_bytes)
    if len(text) > max_bytes // _BYTES_A_CHARACTER:
        raise _too_long(max_bytes)
    source = Source(text)
    own_name, variables, families = Parser(source).file()
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
    reader = _Tables(source, states, exact, tolerance, max_bytes)
    tables = [reader.table(blocks[node]) for node in states]
    try:
        return BayesianNetwork(tables, name=own_name if name is None else name)
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
                    f"{quoted_list(states)}.{_meant(name, states)}",
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


class _Tables:
    """Makes tables of probability blocks, up to a number of bytes."""

    def __init__(self, source, states, exact, tolerance, max_bytes):
        self.source = source
        self.tokens = source.tokens
        self.states = states
        self.exact = exact
        self.tolerance = tolerance
        self.max_bytes = self.bytes_left = max_bytes

    def table(self, family):
        node, *parents = family.names
        states = {name: self.states[name] for name in (*parents, node)}
        shape = [len(own) for own in states.values()]
        self.require_room(family, prod(shape))
        if family.table is not None:
            distributions = self.of_table(family, shape)
        else:
            distributions = self.of_rows(family, parents, shape)
        self.require_one(family, parents, distributions)
        return Table._of(distributions.reshape(shape), states, parents)

    def require_room(self, family, cells):
        self.bytes_left -= cells * _BYTES_A_NUMBER[self.exact]
        if self.bytes_left < 0:
            raise self.source.error(
                f"The table of {family.names[0]!r} has {cells:.3g} numbers, "
                f"and all tables together need more than {self.max_bytes} "
                "bytes; raise max_bytes if they are meant to.",
                family.at,
            )

    def of_table(self, family, shape):
        """Read the distributions from a table, in which the variable is slowest."""
        start, end = family.table
        if family.rows or family.default:
            raise self.source.error(
                f"P({family.names[0]}) has a table, and rows or a default "
                "besides: keep one of them.",
                start,
            )
        *_, n_states = shape
        numbers = self.numbers([(start, end)], prod(shape))
        return np.ascontiguousarray(numbers.reshape(n_states, -1).T)

    def of_rows(self, family, parents, shape):
        *sizes, n_states = shape
        n_distributions = prod(sizes)
        places = self.places(family, parents)
        given = self.numbers(places.values(), n_states).reshape(-1, n_states)
        distributions = np.empty(
            (n_distributions, n_states), dtype=given.dtype
        )
        if family.default is not None:
            distributions[:] = self.numbers([family.default], n_states)
        elif len(places) < n_distributions:
            raise self.missing_row(family, parents, places)
        distributions[list(places)] = given
        return distributions

    def places(self, family, parents):
        """Return the number of each row in the table, and where it stands."""
        # The number of a row is a sum, a term for each parent's state.
        terms, step = [], 1
        for name in reversed(parents):
            own = self.states[name]
            term = {state: i * step for i, state in enumerate(own)}
            term |= {f'"{state}"': place for state, place in term.items()}
            terms.insert(0, term)
            step *= len(own)
        places = {}
        for start, close, end in family.rows:
            place = 0
            row = self.tokens[start + 1 : close]
            try:
                for term, state in zip(terms, row, strict=True):
                    place += term[state]
            except (KeyError, ValueError):
                raise self.wrong_row(family, parents, start, close) from None
            if place in places:
                of = _say(parents, row) if parents else repr(family.names[0])
                raise self.source.error(f"There are two rows for {of}.", start)
            places[place] = (close, end)
        return places

    def wrong_row(self, family, parents, start, close):
        node = family.names[0]
        states = list(map(unquoted, self.tokens[start + 1 : close]))
        if not parents:
            return self.source.error(
                f"{node!r} has no parents, so its distribution has no row for "
                "their states: write 'table' and the numbers.",
                start,
            )
        if len(states) != len(parents):
            return self.source.error(
                f"The row has {pluralise(len(states), 'state')}, but {node!r} "
                f"has {pluralise(len(parents), 'parent')}: "
                f"{quoted_list(parents)}.",
                start,
            )
        at, name, state = next(
            (at, name, state)
            for at, (name, state) in enumerate(
                zip(parents, states, strict=True), start + 1
            )
            if state not in self.states[name]
        )
        known = self.states[name]
        return self.source.error(
            f"{reprlib.repr(state)} is not a state of {name!r}; its states "
            f"are {quoted_list(known)}.{_meant(state, known)}",
            at,
        )

    def missing_row(self, family, parents, places):
        node = family.names[0]
        if not parents:
            return self.source.error(
                f"There are no numbers for {node!r}: add 'table ...;'.",
                family.at,
            )
        first = next(i for i in range(len(places) + 1) if i not in places)
        row = self.row_at(parents, first)
        return self.source.error(
            f"{node!r} has no distribution for {_say(parents, row)}: add the "
            f"row '({', '.join(row)}) ...;', or a 'default' for all that are "
            "missing.",
            family.at,
        )

    def row_at(self, parents, place):
        row = []
        for name in reversed(parents):
            place, i = divmod(place, len(self.states[name]))
            row.insert(0, self.states[name][i])
        return row

    def numbers(self, spans, count):
        """Read some runs of `count` numbers, each after one word."""
        for start, end in spans:
            if end - start - 1 != count:
                raise self.source.error(
                    f"Expected {pluralise(count, 'number')} here, found "
                    f"{end - start - 1}. (Decimals have a point, not a "
                    "comma.)",
                    start + 1,
                )
        words = list(
            chain.from_iterable(self.tokens[a + 1 : b] for a, b in spans)
        )
        if not self.exact and not _NO_DECIMAL.search("".join(words)):
            try:
                numbers = np.array(list(map(float, words)), dtype=float)
            except ValueError:
                numbers = np.array([-1.0])
            if np.all((numbers >= 0) & (numbers < inf)):
                return numbers
        # Slower: fractions, or something is wrong, and it is said what.
        places = chain.from_iterable(range(a + 1, b) for a, b in spans)
        return np.array(
            [self.number(at) for at in places],
            dtype=object if self.exact else float,
        )

    def number(self, at):
        word = self.tokens[at]
        try:
            if not _NUMBER.fullmatch(word):
                raise ValueError
            number = self.fraction(word) if self.exact or "/" in word else word
            number = number if self.exact else float(number)
        except (ValueError, ZeroDivisionError, OverflowError):
            raise self.source.error(
                f"{reprlib.repr(word)} is not a number that can be read.", at
            ) from None
        # Sums are compared with one; these have none that could be shown.
        if not 0 <= number <= 2:
            raise self.source.error(
                f"{reprlib.repr(word)} is not a probability.", at
            )
        return number

    def fraction(self, word):
        # Such numbers would be fractions of thousands of digits.
        if len(word.lower().partition("e")[2]) > 4:
            raise OverflowError
        return read(word)

    def require_one(self, family, parents, distributions):
        """Divide distributions by their sum if they are off by no more than allowed."""
        totals = distributions.sum(axis=-1)
        gaps = np.abs(totals - 1)
        off = np.flatnonzero(gaps > (0 if self.exact else FLOAT_TOLERANCE))
        wrong = off[gaps[off] > self.tolerance]
        if wrong.size:
            place = int(wrong[0])
            raise self.wrong_sum(family, parents, place, len(distributions))
        distributions[off] /= totals[off, None]

    def wrong_sum(self, family, parents, place, n_distributions):
        if family.table is not None:
            start, end = family.table
            places = range(start + 1 + place, end, n_distributions)
        else:
            start, end = self.places(family, parents).get(
                place, family.default or family.table
            )
            places = range(start + 1, end)
        total = sum(self.number(at) for at in places)
        gap = float(abs(total - 1))
        explained = sum(_half_a_digit(self.tokens[at]) for at in places)
        row = self.row_at(parents, place)
        given = f" for {_say(parents, row)}" if parents else ""
        if not self.exact and gap > FLOAT_TOLERANCE:
            total = f"{total:.10g}"
        else:
            total = show(total)
        message = (
            f"The probabilities of {family.names[0]!r}{given} sum to {total}, "
            "not to 1"
        )
        if gap > explained * (1 + FLOAT_TOLERANCE):
            message += (
                "; rounding of their digits explains a difference of "
                f"{explained:.2g} at most. Correct them."
            )
        else:
            message += (
                ", which rounding of their digits explains: write more of "
                "them, or fractions such as 1/3, or have them divided by "
                f"their sum with tolerance={_rounded_up(gap)}."
            )
        return self.source.error(message, places[0])


def _meant(word, known):
    """Suggest a name, unless a search would take long."""
    if len(known) > 10_000 or max(len(word), *map(len, known)) > 100:
        return ""
    return did_you_mean(word, known)


def _say(names, states):
    pairs = zip(names, map(unquoted, states), strict=True)
    return ", ".join(f"{name}={state}" for name, state in pairs)


def _half_a_digit(word):
    """Return by how much rounding can have changed a number."""
    if "/" in word:
        return 0.0
    digits, e, power = word.lower().partition("e")
    head, _, tail = re.sub(r"\d", "0", digits).rpartition("0")
    return float(f"{head}1{tail}{e}{power}") / 2


def _rounded_up(gap):
    """Write a number of one digit that is not smaller."""
    unit = 10.0 ** floor(log10(max(gap, 1e-300)))
    return f"{ceil(gap / unit * (1 - 1e-9)) * unit:.1g}"


def _cycle(source, blocks):
    graph = nx.DiGraph(
        (parent, node)
        for node, family in blocks.items()
        for parent in family.names[1:]
    )
    circle = [node for node, _ in nx.find_cycle(graph)]
    return source.error(
        f"The edges form a cycle, {' → '.join([*circle, circle[0]])}: drop a "
        "parent from one of these blocks.",
        min(blocks[node].at for node in circle),
    )


# -- from a network to text -----------------------------------------------


def _written(name, what):
    """Write a name, in quotes if they are needed."""
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
            f"{what} is {name!r}, which is no text in UTF-8: choose another "
            "name."
        ) from None
    return name if is_bare(name) else f'"{name}"'


def _written_title(name):
    if name == NAMELESS:
        return f'"{name}"'
    return _written(name, "The name of the network") if name else NAMELESS


def _written_states(node, states, as_text):
    if as_text:
        states = [str(state) for state in states]
        if len(set(states)) < len(states):
            raise BIFError(
                f"Two states of {node!r} are the same text, among "
                f"{quoted_list(states)}: rename them first."
            )
    return [_written(state, f"A state of {node!r}") for state in states]


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
