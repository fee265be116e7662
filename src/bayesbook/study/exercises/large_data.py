"""The coding exercises of the chapter *Data larger than memory*.

Numbers are fractions, so that no rounding hides a mistake; a chunk is a list
of values.
"""

from fractions import Fraction as F
from itertools import chain
from math import ceil, log

from bayesbook.study.exercises.checker import exercise

# -- merge ----------------------------------------------------------------


_NOTHING = (0, F(0), F(0))
_FIVE = (5, F(2), F(10))
_THREE = (3, F(7, 3), F(14, 3))


@exercise(
    ((2, F(1), F(2)), (3, F(6), F(4))),
    (_FIVE, _THREE),
    (_THREE, (6, F(-5, 2), F(5))),
    ((1, F(9), F(0)), (1, F(4), F(0))),
    (_FIVE, _NOTHING),
    (_NOTHING, _THREE),
    (_NOTHING, _NOTHING),
)
def merge(a, b):
    """Return number, mean and squared deviations of two parts together."""
    (n, mean, square), (m, other, others) = a, b
    if not n + m:
        return a
    between = F(n * m, n + m) * (mean - other) ** 2
    mean = F(n * mean + m * other, n + m)
    return n + m, mean, square + others + between


@merge.mistake(
    "The squares of the parts are about their own means, which may be far "
    "apart: something is missing between the parts.",
    example=(((2, F(1), F(2)), (4, F(4), F(10))), (6, 3, 12)),
)
def _without_between(a, b):
    return (*merge(a, b)[:2], a[2] + b[2])


@merge.mistake(
    "The parts have different sizes: the mean of the means is not the mean of "
    "the whole.",
    example=(((2, F(1), F(2)), (4, F(4), F(10))), (6, F(5, 2), 24)),
)
def _mean_of_means(a, b):
    n, _, square = merge(a, b)
    return n, (a[1] + b[1]) / F(2), square


@merge.mistake(
    "Each row moves only to the common mean, which lies between the two: what "
    "you add for the distance is too much.",
    example=(((2, F(1), F(2)), (4, F(4), F(10))), (6, 3, 66)),
)
def _whole_between(a, b):
    """Add the squared distance of the means once for each row."""
    n, mean, _ = merge(a, b)
    return n, mean, a[2] + b[2] + n * (a[1] - b[1]) ** 2


@merge.mistake(
    "The sum is one of squares: the distance of the means is squared, too.",
    example=(((2, F(1), F(2)), (4, F(4), F(10))), (6, 3, 16)),
)
def _not_squared(a, b):
    n, mean, _ = merge(a, b)
    between = F(a[0] * b[0], max(n, 1)) * abs(a[1] - b[1])
    return n, mean, a[2] + b[2] + between


@merge.mistake(
    "Return the sum of squares, not the variance: sums add, variances do not.",
    example=(((2, F(1), F(2)), (4, F(4), F(10))), (6, 3, 4)),
)
def _as_variance(a, b):
    n, mean, square = merge(a, b)
    return n, mean, square / F(max(n, 1))


# -- count_chunks ---------------------------------------------------------


def _sorted_counts(counts):
    states = sorted(counts)
    return states, [counts[state] for state in states]


def _tally(values):
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts


@exercise(
    ([["rain", "dry", "rain"], ["dry", "dry"], ["fog", "rain"]],),
    ([["b", "c"], [], ["a", "b", "b"], ["d"]],),
    ([[], ["x"], ["x", "x"]],),
    ([["north"], ["south"], ["north", "east", "east"]],),
    ([["no", "yes", "no", "no"]],),
)
def count_chunks(chunks):
    """Return the states of all chunks, sorted, and how often each occurs."""
    return _sorted_counts(_tally(chain.from_iterable(chunks)))


@count_chunks.mistake(
    "The order of the states is the one in which they came. With other chunks "
    "first it would be another: sort them.",
    example=(
        ([["d", "a", "d"], ["b", "a", "a"]],),
        (["d", "a", "b"], [2, 3, 1]),
    ),
)
def _as_discovered(chunks):
    counts = _tally(chain.from_iterable(chunks))
    return list(counts), list(counts.values())


@count_chunks.mistake(
    "A later chunk has replaced the counts of an earlier one: add to them.",
    example=(
        ([["d", "a", "d"], ["b", "a", "a"]],),
        (["a", "b", "d"], [2, 1, 2]),
    ),
)
def _overwritten(chunks):
    counts = {}
    for chunk in chunks:
        counts.update(_tally(chunk))
    return _sorted_counts(counts)


@count_chunks.mistake(
    "A state may come in a later chunk for the first time.",
    example=(([["d", "a", "d"], ["b", "a", "a"]],), (["a", "d"], [3, 2])),
)
def _of_the_first(chunks):
    first = next((chunk for chunk in chunks if chunk), [])
    counts = _tally(chain.from_iterable(chunks))
    return _sorted_counts({state: counts[state] for state in set(first)})


@count_chunks.mistake(
    "A state need not occur in every chunk: where it does not, its count is "
    "zero.",
    example=(([["d", "a", "d"], ["b", "a", "a"]],), (["a"], [3])),
)
def _in_all(chunks):
    counts = _tally(chain.from_iterable(chunks))
    states = set(counts)
    for chunk in chunks:
        states &= set(chunk)
    return _sorted_counts({state: counts[state] for state in states})


@count_chunks.mistake(
    "Count the rows with the state, not the chunks in which it occurs.",
    example=(
        ([["d", "a", "d"], ["b", "a", "a"]],),
        (["a", "b", "d"], [2, 1, 1]),
    ),
)
def _chunks_with(chunks):
    return _sorted_counts(_tally(chain.from_iterable(map(set, chunks))))


# -- recode ---------------------------------------------------------------


_LETTERS = list("abcdefghijklmnopqrstuvwxyz")


@exercise(
    ([0, 0, 1, 2, 1], ["n", "s", "e"], list("bdehklnpqrstuw")),
    ([2, -1, 0, 1], ["x", "m", "p"], _LETTERS),
    ([0, 1, 2, 3, -1, 3], ["w", "f", "s", "r"], _LETTERS),
    ([-1, -1, 0], ["k"], _LETTERS),
    ([1, 0, 3, 2, 4], ["m", "z", "j", "q", "o"], _LETTERS[5:]),
)
def recode(codes, found, known):
    """Return the codes among all states."""
    places = [known.index(state) for state in found]
    return [places[code] if code >= 0 else -1 for code in codes]


@recode.mistake(
    "The codes are places in the list of what this chunk found, in the order "
    "in which it was found; that list is not sorted.",
    example=(
        ([1, -1, 0, 1, 2], ["s", "a", "m"], list("abmst")),
        [2, -1, 0, 2, 3],
    ),
)
def _as_if_sorted(codes, found, known):
    return recode(codes, sorted(found), known)


@recode.mistake(
    "A missing value has the code -1, a place that counts from the end of a "
    "list. It has to stay missing.",
    example=(
        ([1, -1, 0, 1, 2], ["s", "a", "m"], list("abmst")),
        [0, 2, 3, 0, 2],
    ),
)
def _missing_is_last(codes, found, known):
    places = [known.index(state) for state in found]
    return [places[code] for code in codes]


@recode.mistake(
    "A missing value is a row, too: the new list is as long as the old one.",
    example=(([1, -1, 0, 1, 2], ["s", "a", "m"], list("abmst")), [0, 3, 0, 2]),
)
def _without_missing(codes, found, known):
    return recode([code for code in codes if code >= 0], found, known)


@recode.mistake(
    "Places are counted from zero.",
    example=(
        ([1, -1, 0, 1, 2], ["s", "a", "m"], list("abmst")),
        [1, -1, 4, 1, 3],
    ),
)
def _from_one(codes, found, known):
    right = recode(codes, found, known)
    return [code + 1 if code >= 0 else -1 for code in right]


# -- reduce_in_tree -------------------------------------------------------


def _groups(parts, together):
    return [
        parts[start : start + together]
        for start in range(0, len(parts), together)
    ]


@exercise(
    (list("abcdefghi"), 3),
    (list("abcdefg"), 3),
    (["to", "ge", "ther"], 2),
    (["alone"], 4),
    (list("abcdefghijklmnopq"), 4),
    (list("abcde"), 8),
)
def reduce_in_tree(parts, together):
    """Return all parts joined, and how many levels the tree has."""
    levels = 0
    while len(parts) > 1:
        parts = ["".join(group) for group in _groups(parts, together)]
        levels += 1
    return parts[0], levels


@reduce_in_tree.mistake(
    "These are joined one after the other: as many rounds as parts, less one. "
    "Join groups, then groups of the results.",
    example=((list("abcdefgh"), 3), ("abcdefgh", 7)),
)
def _one_by_one(parts, together):
    return "".join(parts), len(parts) - 1


@reduce_in_tree.mistake(
    "The last group may be smaller than the others, and must not be lost.",
    example=((list("abcdefghij"), 3), ("abcdefghi", 2)),
)
def _full_groups_only(parts, together):
    levels = 0
    while len(parts) >= together:
        parts = [
            "".join(group)
            for group in _groups(parts, together)
            if len(group) == together
        ]
        levels += 1
    return "".join(parts), levels


@reduce_in_tree.mistake(
    "Texts do not commute: only neighbours may be joined, in their order.",
    example=((list("abcde"), 2), ("adcbe", 3)),
)
def _ends_first(parts, together):
    """Distribute the parts over the groups like cards."""
    levels = 0
    while len(parts) > 1:
        n = ceil(len(parts) / together)
        parts = ["".join(parts[start::n]) for start in range(n)]
        levels += 1
    return parts[0], levels


@reduce_in_tree.mistake(
    "Join as many parts at a time as you are told, not pairs.",
    example=((list("abcdefghij"), 3), ("abcdefghij", 4)),
)
def _in_pairs(parts, together):
    return reduce_in_tree(parts, 2)


@reduce_in_tree.mistake(
    "An incomplete round is a round, too: the logarithm is rounded up.",
    example=((list("abcdefghij"), 3), ("abcdefghij", 2)),
)
def _rounded_down(parts, together):
    levels = int(log(len(parts), together) + 1e-9)
    return "".join(parts), levels


@reduce_in_tree.mistake(
    "Count the rounds. All groups of a round are joined at the same time.",
    example=((list("abcdefghijkl"), 6), ("abcdefghijkl", 3)),
)
def _number_of_joins(parts, together):
    whole, joins = "".join(parts), 0
    while len(parts) > 1:
        parts = _groups(parts, together)
        joins += len(parts)
    return whole, joins
