"""The grammar of BIF: from a text to its tokens, and from these to blocks.

The grammar is that of :mod:`bayesbook.network.bif`.
"""

from __future__ import annotations

import re
import reprlib
from itertools import islice
from typing import NamedTuple

from bayesbook.base import BIFError
from bayesbook.base.names import quoted_list

#: The name that files of the field give to a network without a name.
NAMELESS = "unknown"

# Every character but white space and commas is part of a token, so that
# nothing is overlooked: a quote or comment that is never closed is a token,
# too, up to the end of its line or of the text.
_TOKEN = re.compile(
    r"""
      (?: [^\s{}()\[\];,|"/]+ | /(?![/*]) )+   # a name, keyword or number
    | [{}()\[\];|]                             # punctuation
    | "[^"\n]*"?                               # a name in quotes
    | //[^\n]*                                 # comments
    | /\* (?s: .*? ) (?: \*/ | \Z )
    """,
    re.VERBOSE,
)
_PUNCTUATION = frozenset("{}()[];|")


class Source:
    """A text as tokens, and their positions in the text.

    The positions are not stored: if one is needed for an error, the text is
    cut into tokens again.
    """

    def __init__(self, text):
        # As in files that Python opens: any kind of line break is one.
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text.removeprefix("\ufeff")
        tokens = _TOKEN.findall(self.text)
        self._has_comments = "//" in self.text or "/*" in self.text
        if self._has_comments:
            if tokens and _is_open_comment(tokens[-1]):
                start = len(self.text) - len(tokens[-1])
                raise self._error("This comment is never closed.", start)
            tokens = [token for token in tokens if not _is_comment(token)]
        #: The end of the text is a token, too.
        self.tokens = [*tokens, ""]
        if '"' in self.text:
            for at, token in enumerate(tokens):
                if token[0] == '"' and (token == '"' or token[-1] != '"'):
                    raise self.error(
                        "This quote is not closed in its line.", at
                    )

    def error(self, message, at):
        """Return the error about a token, with its place in the text."""
        found = _TOKEN.finditer(self.text)
        if self._has_comments:
            found = (match for match in found if not _is_comment(match[0]))
        match = next(islice(found, at, None), None)
        start = len(self.text) if match is None else match.start()
        return self._error(message, start)

    def _error(self, message, start):
        line = self.text.count("\n", 0, start) + 1
        column = start - self.text.rfind("\n", 0, start)
        return BIFError(message, line, column)

    def show(self, at):
        left = len(self.tokens) - 1 - at
        end = "the end of the text (is it cut off?)"
        if left <= 0:
            return end
        shown = reprlib.repr(self.tokens[at])
        return f"{shown} at {end}" if left == 1 else shown

    def name(self, at, of):
        """Return the name at a place, without its quotes."""
        token = self.tokens[at]
        if token in _PUNCTUATION or not token:
            raise self.error(f"Expected {of}, found {self.show(at)}.", at)
        return unquoted(token)


def is_bare(name):
    """Return whether a name is one token as it is, and needs no quotes."""
    return (
        _TOKEN.fullmatch(name) is not None
        and name not in _PUNCTUATION
        and name[0] != '"'
        and not _is_comment(name)
    )


def _is_comment(token):
    return token.startswith(("//", "/*"))


def _is_open_comment(token):
    return token.startswith("/*") and (len(token) < 4 or token[-2:] != "*/")


def unquoted(token):
    return token[1:-1] if token[0] == '"' else token


# -- from tokens to blocks ------------------------------------------------


class Variable(NamedTuple):
    name: str
    states: list[str]
    at: int


class Family(NamedTuple):
    """A probability block; its parts are places in the list of tokens."""

    at: int
    names: list[str]
    places: list[int]
    #: Of each row: its "(", its ")" and its ";".
    rows: list[tuple[int, int, int]]
    #: Of the default and the table: the keyword and the ";".
    default: tuple[int, int] | None
    table: tuple[int, int] | None


class Parser:
    """Recursive descent: a method for each rule of the grammar.

    Each begins at `self.at` and moves it behind the tokens that it reads.
    """

    def __init__(self, source):
        self.source = source
        self.tokens = source.tokens
        self.at = 0

    def file(self):
        tokens = self.tokens
        if tokens[0] != "network":
            raise self.source.error(
                "A network in BIF begins with 'network NAME {', not with "
                f"{self.source.show(0)}. (A file is read by read_bif.)",
                0,
            )
        name = self.network()
        variables, families = [], []
        while self.at < len(tokens) - 1:
            if tokens[self.at] == "variable":
                variables.append(self.variable())
            elif tokens[self.at] == "probability":
                families.append(self.probability())
            else:
                raise self.expected("'variable' or 'probability'")
        return name, variables, families

    def network(self):
        self.at += 1
        name = ""
        if self.tokens[self.at] != "{":
            name = self.source.name(self.at, "the name of the network or '{'")
            if self.tokens[self.at] == NAMELESS:
                name = ""
            self.at += 1
        self.take("{")
        while self.tokens[self.at] == "property":
            self.property()
        self.take("}", "'property' or '}'")
        return name

    def variable(self):
        at = self.at
        name = self.source.name(at + 1, "the name of a variable")
        self.at += 2
        self.take("{")
        states = None
        while self.tokens[self.at] != "}":
            if self.tokens[self.at] == "property":
                self.property()
            elif self.tokens[self.at] == "type":
                if states is not None:
                    raise self.source.error(
                        f"The variable {name!r} has two types.", self.at
                    )
                states = self.type(name)
            else:
                raise self.expected("'type', 'property' or '}'")
        if states is None:
            raise self.source.error(
                f"The variable {name!r} has no states: add 'type discrete "
                "[ 2 ] { yes, no };', with its own.",
                self.at,
            )
        self.at += 1
        return Variable(name, states, at)

    def type(self, variable):
        self.take("type")
        if self.tokens[self.at] != "discrete":
            raise self.expected(
                "'discrete' (no other type of variable has tables)"
            )
        self.at += 1
        self.take("[")
        # As text: a count of a million digits must not become a number.
        count = self.at
        declared = self.tokens[count]
        if not (declared.isascii() and declared.isdigit()):
            raise self.expected("the number of states")
        self.at += 1
        self.take("]")
        self.take("{")
        first = self.at
        end = self.end("}", "the states")
        states = list(map(unquoted, self.tokens[first:end]))
        if declared.lstrip("0") != str(len(states)):
            raise self.source.error(
                f"{variable!r} is said to have {reprlib.repr(declared)[1:-1]} "
                f"states, but {len(states)} are listed: "
                f"{quoted_list(states)}.",
                count,
            )
        seen = set()
        for at, state in enumerate(states, first):
            if state in seen:
                raise self.source.error(
                    f"The state {reprlib.repr(state)} of {variable!r} appears "
                    "twice.",
                    at,
                )
            seen.add(state)
        if self.tokens[self.at] == ";":
            self.at += 1
        return states

    def probability(self):
        at = self.at
        self.at += 1
        self.take("(")
        names, places = self.family()
        self.take("{")
        rows, default, table = [], None, None
        tokens = self.tokens
        while (word := tokens[self.at]) != "}":
            start = self.at
            self.at += 1
            if word == "(":
                close = self.end(")", "the states of a row")
                rows.append((start, close, self.end(";", "the numbers")))
            elif word == "default" and default is None:
                default = (start, self.end(";", "the numbers"))
            elif word == "table" and table is None:
                table = (start, self.end(";", "the numbers"))
            elif word == "property":
                self.at = start
                self.property()
            elif word in ("default", "table"):
                raise self.source.error(
                    f"P({names[0]}) has a second {word!r}.", start
                )
            else:
                raise self.expected(
                    "'(', 'table', 'default', 'property' or '}'", start
                )
        self.at += 1
        return Family(at, names, places, rows, default, table)

    def family(self):
        first = self.at
        names = [self.source.name(first, "the name of a variable")]
        self.at += 2 if self.tokens[first + 1] == "|" else 1
        places = [first, *range(self.at, self.end(")", "the names"))]
        names += (unquoted(self.tokens[at]) for at in places[1:])
        return names, places

    def property(self):
        start = self.at
        try:
            self.at = self.tokens.index(";", start) + 1
        except ValueError:
            raise self.source.error(
                "This property has no end: ';' is missing.", start
            ) from None

    def take(self, word, expected=None):
        if self.tokens[self.at] != word:
            raise self.expected(expected or repr(word))
        self.at += 1

    def end(self, mark, of):
        """Move behind the next `mark`; only words may stand before it."""
        try:
            end = self.tokens.index(mark, self.at)
        except ValueError:
            end = len(self.tokens) - 1
        if end == len(self.tokens) - 1 or not _PUNCTUATION.isdisjoint(
            self.tokens[self.at : end]
        ):
            while self.tokens[self.at] not in _PUNCTUATION and self.at < end:
                self.at += 1
            raise self.expected(f"{mark!r} after {of}")
        self.at = end + 1
        return end

    def expected(self, what, at=None):
        at = self.at if at is None else at
        return self.source.error(
            f"Expected {what}, found {self.source.show(at)}.", at
        )
