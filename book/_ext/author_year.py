"""Citations by author and year, `Pearl (1988)`, and a list labelled alike."""

from collections import Counter
from dataclasses import dataclass, field

from pybtex.plugin import find_plugin, register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import (
    AuthorYearReferenceStyle,
)


def family_name(person):
    """Return a person's family name as printed, with "von" and "Jr"."""
    parts = person.prelast_names + person.last_names + person.lineage_names
    return str(Text.from_latex(" ".join(parts)))


def label(entry):
    """Return `Author, year` for one, two or more authors."""
    names = [family_name(person) for person in entry.persons["author"]]
    match names:
        case [one]:
            authors = one
        case [one, two]:
            authors = f"{one} and {two}"
        case [first, *_]:
            authors = f"{first} et al."
    return f"{authors}, {entry.fields['year']}"


class AuthorYearLabels(BaseLabelStyle):
    """Labels by author and year."""

    def format_labels(self, sorted_entries):
        """Yield the labels; one label for two entries is an error."""
        labels = [label(entry) for entry in sorted_entries]
        for text, times in Counter(labels).items():
            if times > 1:
                raise ValueError(f"two entries are labelled {text!r}")
        yield from labels


class AuthorYearStyle(PlainStyle):
    """The plain style, labelled by author and year."""

    default_label_style = AuthorYearLabels


def round_brackets():
    """Return the brackets of a citation; square ones mean probability."""
    return BracketStyle(left="(", right=")", sep="; ")


@dataclass
class RoundAuthorYear(AuthorYearReferenceStyle):
    """Author and year in round brackets."""

    bracket_textual: BracketStyle = field(default_factory=round_brackets)
    bracket_parenthetical: BracketStyle = field(default_factory=round_brackets)


def setup(app):
    """Register both styles, and what they write plain text with."""
    register_plugin("pybtex.style.formatting", "author_year", AuthorYearStyle)
    # What is registered is found at once, and not searched for again, at every
    # citation, among all packages that are installed.
    plain = find_plugin("pybtex.backends", "plaintext")
    register_plugin("pybtex.backends", "plaintext", plain, force=True)
    register_reference(
        "sphinxcontrib.bibtex.style.referencing",
        "author_year_round",
        RoundAuthorYear,
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
