"""Drills of semi-naive Bayes: a super-parent, and the gain of a tree.

Rows are counted by class and two features, informations are hundredths of a
nat; so each answer is an exact fraction.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    by_hand,
    equals,
    fraction,
    hints,
    mistakes_to_tell,
    paragraphs,
    rounded,
    table,
)

_LEAST = Fraction(1, 25)
_LONGEST = 300  # denominators of probabilities
_LONGEST_FACTOR = 40
_written = partial(rounded, longest=500)


# --- a super-parent ---------------------------------------------------------


class _Story(NamedTuple):
    """Rows of two classes, and two features that a row has."""

    one: str
    many: str
    classes: tuple[str, str]
    features: tuple[str, str]
    has: tuple[str, str]


_STORIES = (
    _Story(
        "e-mail",
        "e-mails",
        ("spam", "wanted"),
        ("web address", "attachment"),
        ("contains a web address", "has an attachment"),
    ),
    _Story(
        "mushroom",
        "mushrooms",
        ("poisonous", "edible"),
        ("ring", "smell"),
        ("has a ring", "smells"),
    ),
    _Story(
        "machine",
        "machines",
        ("faulty", "sound"),
        ("loud", "hot"),
        ("is loud", "is hot"),
    ),
    _Story(
        "match",
        "matches",
        ("won", "lost"),
        ("at home", "first goal"),
        ("is at home", "brings the first goal"),
    ),
    _Story(
        "parcel",
        "parcels",
        ("late", "punctual"),
        ("heavy", "abroad"),
        ("is heavy", "goes abroad"),
    ),
)


_HELPERS = """
n = [sum(of_class) for of_class in counts]
pi = [F(size, sum(n)) for size in n]
first = [both + one for both, one, other, none in counts]
second = [both + other for both, one, other, none in counts]
pair = [of_class[0] for of_class in counts]
def of(x, y):
    return x / (x + y)
def share(part, whole, b=b):
    return F(part + b, whole + 2 * b)
def joint(c, b=b):
    given = share(pair[c], first[c], b)
    return pi[c] * share(first[c], n[c], b) * given
def naive(c):
    return pi[c] * share(first[c], n[c]) * share(second[c], n[c])
def enumerated():
    cells = {}
    for c, (both, one, other, none) in enumerate(counts):
        split = {1: (both, one), 0: (other, none)}
        for u, own in split.items():
            for v, part in zip((1, 0), own):
                p = pi[c] * F(sum(own) + b, n[c] + 2 * b)
                cells[c, u, v] = p * F(part + b, sum(own) + 2 * b)
    assert sum(cells.values()) == 1
    return cells
"""
_IMPORTS = "from fractions import Fraction as F\n"
_HELP = compile(_IMPORTS + _HELPERS, "helpers", "exec")


def super_parent(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a posterior or a factor of a SPODE with two features."""
    story, variant = _STORIES[seed // 3 % len(_STORIES)], seed % 3
    ask = _factor if variant == 2 else _posterior
    return until(lambda: ask(seed, story, _counts(rng), variant == 1))


def _counts(rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """Draw, by class, rows with both, the first, the second, neither."""
    return tuple(
        tuple(int(n) for n in rng.multinomial(size, shares))
        for size, shares in (
            (int(rng.choice([20, 30, 40, 50])), (0.4, 0.15, 0.15, 0.3)),
            (int(rng.choice([20, 30, 40, 50])), (0.2, 0.2, 0.2, 0.4)),
        )
    )


def _names(counts: tuple[tuple[int, ...], ...], b: int) -> dict[str, Any]:
    names: dict[str, Any] = {"counts": counts, "b": b}
    exec(_HELP, names)
    return names


def _setup(counts: tuple[tuple[int, ...], ...], b: int) -> str:
    return f"{_IMPORTS}counts = {counts}\nb = {b}{_HELPERS}"


def _counted(story: _Story, counts: tuple[tuple[int, ...], ...]) -> str:
    head = [
        "class",
        "both",
        f"{story.features[0]} only",
        f"{story.features[1]} only",
        "neither",
    ]
    rows = [
        [name, *map(str, own)]
        for name, own in zip(story.classes, counts, strict=True)
    ]
    total = sum(map(sum, counts))
    return paragraphs(
        f"These {total} {story.many} are counted by class and two features:",
        table(head, rows),
    )


_POSTERIOR_MISTAKES = """
    of(naive(0), naive(1)) | This is naive Bayes: the second feature has to
        be estimated from the rows of the class that have the first.
    of(joint(0) / pi[0], joint(1) / pi[1]) | if n[0] != n[1] | This forgets
        the prior: the classes are not equally frequent.
    of(joint(1), joint(0)) | This is the probability of the other class.
    joint(0) | This is the joint probability of the class and the row. Divide
        it by the sum over both classes.
    of(pi[0] * share(pair[0], first[0]), pi[1] * share(pair[1], first[1]))
        | This leaves out the factor of the super-parent itself.
    of(joint(0, 0), joint(1, 0)) | if b | This forgets the smoothing. A 1 is
        added to the count of each value of a feature.
"""


def _posterior(
    seed: int,
    story: _Story,
    counts: tuple[tuple[int, ...], ...],
    smoothed: bool,
) -> Drill | None:
    b = int(smoothed)
    if min(map(min, counts)) < 1:
        return None
    names = _names(counts, b)
    joint = [names["joint"](c) for c in (0, 1)]
    answer = joint[0] / sum(joint)
    if not by_hand(answer, _LEAST, _LONGEST):
        return None
    mistakes = mistakes_to_tell(_POSTERIOR_MISTAKES, names, answer)
    if mistakes is None:
        return None
    lines = [
        f"$p(\\text{{{name}}}, x) = {_product(names, c)} = "
        f"{fraction(joint[c])}$"
        for c, name in enumerate(story.classes)
    ]
    reason = (
        rf"\frac{{{fraction(joint[0])}}}"
        rf"{{{fraction(joint[0])} + {fraction(joint[1])}}} = {equals(answer)}"
    )
    estimates = (
        "The classes are estimated by relative frequencies. The features are "
        "smoothed: 1 is added to the count of each of the two values, yes "
        "and no."
        if smoothed
        else "All probabilities are estimated by relative frequencies."
    )
    naive = names["naive"](0) / sum(names["naive"](c) for c in (0, 1))
    return number_drill(
        "super-parent",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**The joint probabilities.** In each class, the prior, the "
            f"factor of “{story.features[0]}”, and the factor of "
            f"“{story.features[1]}” among the rows that have the first:",
            "\n".join(f"- {line}" for line in lines),
            f"**Bayes' rule.** Divide by the sum:\n\n$${reason}$$",
            "**Does it make sense?** Naive Bayes, which estimates the second "
            f"factor from all rows of a class, would give ${equals(naive)}$.",
        ),
        prompt=paragraphs(
            _counted(story, counts),
            f"Another {story.one} {story.has[0]} and {story.has[1]}. "
            f"{estimates} What is the probability that it is "
            f"{story.classes[0]}, in a SPODE with the super-parent "
            f"“{story.features[0]}”?",
        ),
        setup=_setup(counts, b),
        check="of(enumerated()[0, 1, 1], enumerated()[1, 1, 1])",
        why=f"$${reason}$$",
        why_check=(
            "[joint(c) for c in range(2)]",
            "sum(n), pi, first, n, pair, of(naive(0), naive(1))",
        ),
        hints=hints(
            "Which rows of a class tell how probable the second feature is, "
            "if the first is known?",
            f"For “{story.classes[0]}” it is {lines[0]}. Do the same for "
            f"“{story.classes[1]}”.",
        ),
    )


def _product(names: Mapping[str, Any], c: int) -> str:
    """Write prior, first factor and second factor of a class."""
    n, first, pair, b = (names[k] for k in ("n", "first", "pair", "b"))
    factors = [
        (n[c], sum(n)),
        (first[c] + b, n[c] + 2 * b),
        (pair[c] + b, first[c] + 2 * b),
    ]
    return r" \cdot ".join(rf"\frac{{{t}}}{{{u}}}" for t, u in factors)


_FACTOR_MISTAKES = """
    share(second[0], n[0]) / share(second[1], n[1]) | This is the factor in
        naive Bayes: it is estimated from all rows of a class.
    share(pair[1], first[1]) / share(pair[0], first[0]) | This is turned
        upside down: it multiplies the odds of the other class.
    share(pair[0], n[0]) / share(pair[1], n[1]) | This is the factor of both
        features together.
    share(first[0], n[0]) / share(first[1], n[1]) | This is the factor of the
        super-parent.
    F(pair[0], pair[1]) | These are the odds after both features, the prior
        included.
    share(pair[0], first[0]) | This is the probability of the feature in the
        first class. Divide it by the one in the other class.
"""


def _factor(
    seed: int,
    story: _Story,
    counts: tuple[tuple[int, ...], ...],
    smoothed: bool,
) -> Drill | None:
    if min(map(min, counts)) < 1:
        return None
    names = _names(counts, 0)
    first, pair = names["first"], names["pair"]
    answer = Fraction(pair[0], first[0]) / Fraction(pair[1], first[1])
    if answer.denominator > _LONGEST_FACTOR:
        return None
    mistakes = mistakes_to_tell(_FACTOR_MISTAKES, names, answer)
    if mistakes is None:
        return None
    reason = (
        rf"\frac{{{pair[0]}}}{{{first[0]}}} \Big/ "
        rf"\frac{{{pair[1]}}}{{{first[1]}}} = {equals(answer)}"
    )
    share = names["share"]
    alone = share(names["second"][0], names["n"][0]) / share(
        names["second"][1], names["n"][1]
    )
    return number_drill(
        "super-parent",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            f"**The rows with “{story.features[0]}”.** Of the "
            f"{first[0]} in class “{story.classes[0]}” {pair[0]} have "
            f"“{story.features[1]}” too, and of the {first[1]} in class "
            f"“{story.classes[1]}” {pair[1]}.",
            f"**The factor.**\n\n$${reason}$$",
            "**Does it make sense?** Naive Bayes multiplies by "
            f"${equals(alone)}$, whether the first feature is known or not.",
        ),
        prompt=paragraphs(
            _counted(story, counts),
            f"Another {story.one} {story.has[0]}. Then it turns out that it "
            f"also {story.has[1]}. All probabilities are estimated by "
            "relative frequencies. By which factor does this multiply the "
            f"odds of {story.classes[0]}, in a SPODE with the super-parent "
            f"“{story.features[0]}”?",
        ),
        setup=_setup(counts, 0),
        check=(
            "enumerated()[0, 1, 1] / enumerated()[1, 1, 1] * "
            "(enumerated()[1, 1, 1] + enumerated()[1, 1, 0]) / "
            "(enumerated()[0, 1, 1] + enumerated()[0, 1, 0])"
        ),
        why=f"$${reason}$$",
        why_check=(
            "sum(n), pair, first, [share(*p) for p in zip(pair, first)]",
            "share(second[0], n[0]) / share(second[1], n[1])",
        ),
        hints=hints(
            "Only rows that have the first feature say how much the second "
            "tells beyond it.",
            f"In class “{story.classes[0]}” it is "
            rf"$\frac{{{pair[0]}}}{{{first[0]}}}$. What is it in the other?",
        ),
    )


# --- the gain of a tree -----------------------------------------------------

_TREE_SETUP = """
columns = sorted({name for edge in bits for name in edge})
def weight(edges):
    return sum(bits[edge] for edge in edges)
def is_tree(edges):
    graph = nx.Graph(list(edges))
    return len(graph) == len(columns) and nx.is_tree(graph)
trees = sorted(
    (t for t in combinations(bits, len(columns) - 1) if is_tree(t)),
    key=weight, reverse=True)
heaviest = sorted(bits, key=bits.get, reverse=True)
top = heaviest[:len(columns) - 1]
def star(name):
    return [edge for edge in bits if name in edge]
def gain(a, b=()):
    return F(N * (weight(a) - weight(b)), 100)
rest = [edge for edge in heaviest if edge not in trees[0]]
lightest = min(trees[0], key=bits.get)
careless = [e for e in trees[0] if e != lightest] + rest[:1]
"""
_TREE_IMPORTS = (
    "from fractions import Fraction as F\n"
    "from itertools import combinations\n"
    "import networkx as nx\n"
)

_GAIN_MISTAKES = """
    gain(top, other) | if not is_tree(top) | The heaviest edges close a
        cycle, so they are no tree.
    gain(trees[0], other) / N | This is the difference for a single row: the
        log-likelihood is a sum over all rows.
    gain(trees[0]) | if weight(other) | This is the difference to naive
        Bayes, which has no edge at all.
    gain(careless, other) | if is_tree(careless) | In this tree one edge is
        not the best one.
    gain(trees[0], careless) | if weight(other) and not is_tree(careless) |
        The lightest edge of the tree has been replaced by the heaviest of
        the others, but that does not give a tree.
    gain(trees[0], trees[1]) | if other != trees[1] | This is the difference
        to the second tree.
    gain(trees[0], trees[2]) | if other == trees[1] | This is the difference
        to the third tree.
    gain(trees[0], trees[-1]) | This is the difference to the worst tree.
    gain(bits) | if not weight(other) | This is the sum of all pairs; the
        tree has one edge less than it has columns.
    gain(star(best_star)) | if not weight(other) | This is the best SPODE.
        A tree need not have all edges at one column.
"""


def tree_gain(seed: int, rng: np.random.Generator) -> Drill:
    """Ask how much larger the log-likelihood of the best tree is."""
    variant = seed % 3

    def draw() -> Drill | None:
        N = pick(rng, [100, 200, 300, 400, 500, 800])
        pairs = ["".join(pair) for pair in combinations("abcd", 2)]
        drawn = rng.choice(np.arange(2, 40), len(pairs), replace=False)
        bits = dict(zip(pairs, drawn.tolist(), strict=True))
        names: dict[str, Any] = {"bits": bits, "N": N}
        exec(_TREE_IMPORTS + _TREE_SETUP, names)
        trees, weight = names["trees"], names["weight"]
        names["best_star"] = max(
            "abcd", key=lambda c: weight(names["star"](c))
        )
        parent = pick(rng, "abcd")
        other, than, line = (
            (
                names["star"](parent),
                f"that of the SPODE with the super-parent ${parent}$",
                f"other = star({parent!r})",
            ),
            (
                trees[1],
                "that of the second best tree",
                "other = trees[1]",
            ),
            ((), "that of naive Bayes", "other = ()"),
        )[variant]
        names["other"] = other
        answer = names["gain"](trees[0], other)
        weights = [weight(tree) for tree in trees]
        if len({*weights[:3]}) < 3 or answer <= 0:
            return None
        mistakes = mistakes_to_tell(_GAIN_MISTAKES, names, answer)
        if mistakes is None:
            return None
        sums = [weight(trees[0]), weight(other)]
        reason = (
            rf"{N} \cdot \frac{{{sums[0]} - {sums[1]}}}{{100}} = "
            f"{equals(answer)}"
        )
        return number_drill(
            "tree-gain",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                "**The best tree.** Take the heaviest edge, and again the "
                "heaviest that closes no cycle: "
                f"{_edges(trees[0])}. The sum is {sums[0]} hundredths.",
                _the_other(variant, other, sums[1]),
                f"**The difference.**\n\n$${reason}$$",
                "**Does it make sense?** The class and the columns by "
                "themselves contribute the same to both.",
            ),
            prompt=paragraphs(
                "Four columns have these conditional mutual informations "
                "given the class, in hundredths of a nat:",
                table(
                    ["pair", *[f"${edge}$" for edge in bits]],
                    [["nats/100", *map(str, bits.values())]],
                ),
                f"They come from the relative frequencies in {N} rows. By "
                "how many nats is the largest log-likelihood of the best tree "
                f"larger than {than}?",
            ),
            setup=(
                f"{_TREE_IMPORTS}bits = {bits}\nN = {N}{_TREE_SETUP}"
                f"best_star = {names['best_star']!r}\n{line}\n"
            ),
            check=(
                "F(N, 100) * (max(weight(t) for t in trees) - weight(other))"
            ),
            why=f"$${reason}$$",
            why_check=("N, weight(trees[0]), weight(other), gain(trees[0])",),
            hints=hints(
                "The log-likelihood of a tree is a sum over its edges, and a "
                "part that is the same for all trees. Which edges does the "
                "best tree have?",
                f"The best tree has {_edges(trees[0])}, together {sums[0]} "
                "hundredths of a nat for each row.",
            ),
        )

    return until(draw)


def _edges(tree: Any) -> str:
    return ", ".join(f"${edge}$" for edge in tree)


def _the_other(variant: int, other: Any, total: int) -> str:
    """Write what the best tree is compared with."""
    if variant == 2:
        return "**Naive Bayes** has no edges, so its sum is 0."
    name = ("The SPODE", "The second tree")[variant]
    why = (
        "All its edges have the super-parent as one end"
        if variant == 0
        else "It differs from the best by one exchange of an edge"
    )
    return (
        f"**{name}.** {why}: {_edges(other)}. The sum is {total} hundredths."
    )
