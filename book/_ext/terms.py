"""Find out, for each term of the glossary, what defines it and what uses it.

Of several places that could define a term it is the one that says so best: a
definition or theorem of its name, a section of its name, or the first link to
it, in the order of the book.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import yaml
from sphinx.errors import ExtensionError

# Pages that name terms without explaining or using them.
APART = re.compile(
    r"index$|appendix/(library|errata|glossary|notation|progress|practice)"
)
THEOREMS = {"theorem", "proposition", "lemma", "corollary"}
# Sections that name what the chapter has explained before.
REPEATING = re.compile(
    r"Summary|Coding exercises|Problems|Drills|Quiz|Where other books|Sources"
)
ALSO = re.compile(r"[Aa]lso called (?:an? |the )?([^.;:]+)")
OR = re.compile(r" or (?:an? |the )?")
IN_BRACKETS = re.compile(r"[（(]([^()（）]+)[)）]")
NUMBER = re.compile(r"^(?:\w+ )?[\d.]+ ?")
ARTICLE = re.compile(r"^(An?|The) ")
# "Bayes' rule" is another term than "Bayes rule".
WORD = re.compile(r"[^\W_]+(?:(?<=s)')?")
LONGEST = 6  # words of a name
# Of a section that only mentions a term, so often it uses it.
USED = 3
MOST_USES = 8


@dataclass
class Term:
    """A term: its names, its entry, and the places of the book about it."""

    entry: object
    names: list  # the first is the English one, the second the Chinese one
    also: list = field(default_factory=list)
    forms: list = field(default_factory=list)  # as sentences have it
    definer: object = None
    users: list = field(default_factory=list)

    @property
    def name(self):
        """Return the name by which the term is listed."""
        return self.names[0]


# --- Words ------------------------------------------------------------------


def singular(word):
    """Return a word without the ending of a plural or a possessive."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def words_of(text):
    """Return the words of a text as they are compared."""
    text = re.sub(r"'s\b", "", text.lower().replace("’", "'"))
    return tuple(map(singular, WORD.findall(text)))


def bare_title(place):
    """Return a title without its number: of a box what is in brackets."""
    return ARTICLE.sub("", NUMBER.sub("", place.title).strip("()★ "))


def whole_title(place):
    """Return the words of a title up to a colon."""
    return words_of(bare_title(place).partition(": ")[0])


def title_parts(place):
    """Return the words of each part of a title, and of all of it."""
    title = bare_title(place)
    parts = re.split(r": |, and |, | and ", title)
    return {words_of(part) for part in [title, *parts]}


# --- Reading ----------------------------------------------------------------


def other_names(entry):
    """Return what an entry of the glossary calls its term, too."""
    said = [
        name
        for also in ALSO.findall(entry.text)
        for name in OR.split(also.partition(",")[0])
    ]
    inner = [
        within
        for name in [*said, *entry.names[1:]]
        for within in IN_BRACKETS.findall(name)
    ]
    outer = [IN_BRACKETS.sub("", name) for name in said]
    return [name.strip() for name in [*outer, *inner]]


def read_terms(places, synonyms):
    """Return the terms of the glossary, with all their names.

    And the ideas that have synonyms but no entry: with the place that explains
    them.
    """
    by_page = {f"{place.page}#{place.anchor}": place for place in places}
    ideas = {name: names for name, names in synonyms.items() if "#" in name}
    if unknown := [*ideas.keys() - by_page]:
        raise ExtensionError(
            f"The book has no place {unknown[0]}. Change it in the file of "
            "synonyms to the page and the id of a section"
        )
    terms = {
        place.anchor: Term(
            place,
            [IN_BRACKETS.sub("", name).strip() for name in place.names],
            [
                *other_names(place),
                *synonyms.get(place.names[0].replace("’", "'"), []),
            ],
        )
        for place in places
        if place.kind == "term"
    }
    for name, (first, *others) in ideas.items():
        place = by_page[name]
        terms[name] = Term(place, [first], others, definer=place)
    return terms


def read_synonyms(path):
    """Return the names that the file of synonyms gives each term."""
    return yaml.safe_load(path.read_text("utf-8"))


def is_text(place):
    """Tell whether a place can explain or use a term."""
    kinds = {"section", "definition", *THEOREMS}
    return place.kind in kinds and not (
        APART.search(place.page)
        or any(REPEATING.search(p.title) for p in [*place.above, place])
    )


def section_of(place):
    """Return the section that holds a place, or the place if it is one."""
    if place.kind == "section":
        return place
    return [above for above in place.above if above.kind == "section"][-1]


# --- What defines a term ----------------------------------------------------


def definer(term, linking, titled):
    """Return the place that defines a term, or None.

    Parameters
    ----------
    term : Term
        The term.
    linking : list of Place
        Those that link it, in the order of the book.
    titled : list of Place
        Those that have its name as their title, or as a part of it.
    """
    sections = [section_of(place) for place in linking]
    named = [place for place in titled if section_of(place) in sections]
    chapter = [place for place in linking if place.page == linking[0].page]
    name = words_of(term.name)
    whole = [place for place in titled if whole_title(place) == name]
    best = [
        *of_kind(named, {"definition"}),
        *of_kind(whole, {"definition"}),
        *of_kind(whole, THEOREMS),
        *of_kind(named, THEOREMS),
        *of_kind(chapter, {"definition"}),
        *[place for place in of_kind(whole, {"section"}) if place in named],
        *linking,
        *of_kind(titled, {"definition"}),
        *of_kind(titled, THEOREMS),
        *of_kind(titled, {"section"}),
    ]
    return next(iter(best), None)


def of_kind(places, kinds):
    """Return the places of some kinds that are no whole pages."""
    return [place for place in places if place.kind in kinds and place.above]


# --- What uses it -----------------------------------------------------------


def mentioned(text, names):
    """Count the terms that a text names, each by its longest name.

    Parameters
    ----------
    text : str
        Any text.
    names : dict
        The key of a term by the words of a name.
    """
    words = words_of(text)
    found, at = Counter(), 0
    while at < len(words):
        for length in range(LONGEST, 0, -1):
            if key := names.get(words[at : at + length]):
                found[key] += 1
                at += length - 1
                break
        at += 1
    return found


def users(term, counts, linked):
    """Return the sections that use a term, in the order of the book.

    Those that link it or mention it often; of many, those of different
    chapters that mention it most.
    """
    using = [
        section
        for section, count in counts.items()
        if section is not term.definer
        and (count >= USED or section.address in linked)
    ]
    if len(using) <= MOST_USES:
        return using
    best = {}
    for section in using:
        known = best.setdefault(section.page, section)
        if counts[section] > counts[known]:
            best[section.page] = section
    most = sorted(best.values(), key=counts.get, reverse=True)[:MOST_USES]
    return [section for section in using if section in most]


def uses_of(places, names):
    """Return, for each term, how often each section names it."""
    sections = {}
    found = defaultdict(Counter)
    for place in places:
        section = section_of(place)
        sections.setdefault(section.address, section)
        for key, count in mentioned(
            f"{place.title} {place.text}", names
        ).items():
            found[key][section.address] += count
    return {
        key: {sections[address]: n for address, n in counts.items()}
        for key, counts in found.items()
    }


def with_places(terms, places):
    """Add to each term the place that defines it and those that use it."""
    texts = [*filter(is_text, places)]
    linking, titled = defaultdict(list), defaultdict(list)
    for place in texts:
        for key, words in place.terms:
            linking[key].append(place)
            if words not in terms[key].forms:
                terms[key].forms.append(words)
        for part in title_parts(place):
            titled[part].append(place)
    names = {
        words_of(name): key
        for key, term in terms.items()
        for name in [*term.forms, *term.also, *term.names]
        if words_of(name)
    }
    counts = uses_of(texts, names)
    for key, term in terms.items():
        if not term.definer:
            same_title = titled[words_of(term.name)]
            term.definer = definer(term, linking[key], same_title)
        linked = {section_of(place).address for place in linking[key]}
        term.users = users(term, counts.get(key, {}), linked)
    return terms
