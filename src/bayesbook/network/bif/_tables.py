"""From probability blocks to tables, with errors that say where and what."""

from __future__ import annotations

import re
import reprlib
from itertools import chain
from math import ceil, floor, inf, log10, prod

import numpy as np

from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, read, show
from bayesbook.network.bif._syntax import unquoted
from bayesbook.probability.table import unchecked_table

_NUMBER = re.compile(
    r"[+-]? (?: \d+ \.? \d* | \. \d+ ) (?: [eE] [+-]? \d+ )? | \d+ / \d+",
    re.VERBOSE | re.ASCII,
)
# Python's float() understands more than numbers of this format: nan, 1_000.
_NO_DECIMAL = re.compile(r"[^0-9.eE+-]")
# The bytes of a float, or of a fraction, with intermediate results.
_BYTES_A_NUMBER = {False: 32, True: 160}


class Tables:
    """Make tables from probability blocks, up to a number of bytes."""

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
        shape = [len(some) for some in states.values()]
        self.require_room(family, prod(shape))
        if family.table is not None:
            distributions = self.of_table(family, shape)
        else:
            distributions = self.of_rows(family, parents, shape)
        self.require_one(family, parents, distributions)
        return unchecked_table(distributions.reshape(shape), states, parents)

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
        """Read distributions from a table; the variable changes slowest."""
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
        """Return the index of each row in the table, and where it stands."""
        # The index of a row is a sum of a term for each parent's state.
        terms: list[dict] = []
        step = 1
        for name in reversed(parents):
            states = self.states[name]
            term = {state: i * step for i, state in enumerate(states)}
            term |= {f'"{state}"': place for state, place in term.items()}
            terms.insert(0, term)
            step *= len(states)
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
                of = (
                    _row_in_words(parents, row)
                    if parents
                    else repr(family.names[0])
                )
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
            f"are {quoted_list(known)}.{did_they_mean(state, known)}",
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
            f"{node!r} has no distribution for {_row_in_words(parents, row)}: "
            f"add the row '({', '.join(row)}) ...;', or a 'default' for all "
            "that are missing.",
            family.at,
        )

    def row_at(self, parents, place):
        row: list = []
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
        # Slower: fractions, or a word that is refused with its place.
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
        # Larger numbers have no place in a sum that is compared with one.
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
        """Divide distributions by their sums if these are within tolerance."""
        totals = distributions.sum(axis=-1)
        differences = np.abs(totals - 1)
        off = np.flatnonzero(
            differences > (0 if self.exact else FLOAT_TOLERANCE)
        )
        wrong = off[differences[off] > self.tolerance]
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
        difference = float(abs(total - 1))
        explained = sum(_half_a_digit(self.tokens[at]) for at in places)
        row = self.row_at(parents, place)
        given = f" for {_row_in_words(parents, row)}" if parents else ""
        if not self.exact and difference > FLOAT_TOLERANCE:
            total = f"{total:.10g}"
        else:
            total = show(total)
        message = (
            f"The probabilities of {family.names[0]!r}{given} sum to {total}, "
            "not to 1"
        )
        if difference > explained * (1 + FLOAT_TOLERANCE):
            message += (
                "; rounding of their digits explains a difference of "
                f"{explained:.2g} at most. Correct them."
            )
        else:
            message += (
                ", which rounding of their digits explains: write more of "
                "them, or fractions such as 1/3, or have them divided by "
                f"their sum with tolerance={_rounded_up(difference)}."
            )
        return self.source.error(message, places[0])


def did_they_mean(word, known):
    """Suggest a name, unless a search would take long."""
    if len(known) > 10_000 or max(len(word), *map(len, known)) > 100:
        return ""
    return did_you_mean(word, known)


def _row_in_words(names, states):
    pairs = zip(names, map(unquoted, states), strict=True)
    return ", ".join(f"{name}={state}" for name, state in pairs)


def _half_a_digit(word):
    """Return the largest error that rounding to its digits can make."""
    if "/" in word:
        return 0.0
    digits, e, power = word.lower().partition("e")
    head, _, tail = re.sub(r"\d", "0", digits).rpartition("0")
    return float(f"{head}1{tail}{e}{power}") / 2


def _rounded_up(number):
    """Return a number rounded up to one digit, as text."""
    unit = 10.0 ** floor(log10(max(number, 1e-300)))
    return f"{ceil(number / unit * (1 - 1e-9)) * unit:.1g}"
