"""Drills of scores: what an edge gains, and which edges make the best tree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import log

import networkx as nx
import numpy as np

from bayesbook.base.names import and_list, pluralise
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    Mistake,
    hints,
    mistakes_of,
    paragraphs,
    table,
)
from bayesbook.study.quiz import Choice, Option

# Logarithms to two decimals are not wrong.
_TOLERANCE = 0.05
_APART = 0.25


@dataclass(frozen=True)
class _Counts:
    """Counts of the states of two variables, and the score."""

    states: Mapping[str, tuple[str, ...]]
    counts: np.ndarray
    criterion: str  # "BIC" or "AIC"

    @property
    def names(self) -> tuple[str, str]:
        """The tail and the head of the edge."""
        tail, head = self.states
        return tail, head

    @cached_property
    def total(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    @property
    def expected(self) -> np.ndarray:
        """The counts to be expected of independent variables."""
        rows, columns = self.counts.sum(axis=1), self.counts.sum(axis=0)
        return np.outer(rows, columns) / self.total

    @cached_property
    def terms(self) -> np.ndarray:
        """The contribution of each cell to the gain of log-likelihood."""
        ratio = np.where(self.counts > 0, self.counts, 1) / self.expected
        return np.where(self.counts > 0, self.counts * np.log(ratio), 0.0)

    @property
    def parameters(self) -> int:
        """The number of free parameters that the edge adds."""
        rows, columns = self.counts.shape
        return (rows - 1) * (columns - 1)

    @property
    def price(self) -> float:
        """The penalty for each of them."""
        return log(self.total) / 2 if self.criterion == "BIC" else 1.0

    @cached_property
    def gain(self) -> float:
        """The change of the score that the question is about."""
        return float(self.terms.sum()) - self.price * self.parameters


_NAMES = (
    {"S": ("yes", "no"), "C": ("yes", "no")},
    {"W": ("rain", "dry"), "T": ("jam", "free")},
    {"D": ("new", "old"), "R": ("better", "same", "worse")},
    {"H": ("pond", "wood", "field"), "K": ("alpine", "smooth")},
)


def score_delta(seed: int, rng: np.random.Generator) -> Drill:
    """Ask by how much an edge changes a score."""
    states = _NAMES[seed % len(_NAMES)]
    criterion = "AIC" if seed % 5 == 3 else "BIC"
    wins = pick(rng, [True, False])

    def draw() -> Drill | None:
        shape = tuple(map(len, states.values()))
        counts = rng.integers(1, pick(rng, [12, 25, 40]), shape)
        if pick(rng, [False, False, False, True]):
            counts.flat[rng.integers(counts.size)] = 0
        case = _Counts(states, counts, criterion)
        if (case.gain > 0) != wins or not 0.5 <= abs(case.gain) <= 20:
            return None
        mistakes = list(_mistakes(case))
        if not _suits(case, mistakes):
            return None
        return number_drill(
            "score-delta",
            seed,
            Fraction(case.gain),
            mistakes,
            _decimal,
            _worked(case),
            tolerance=_TOLERANCE,
            prompt=_prompt(case),
            setup=_setup(case),
            check="gain",
            why_check=("price * more",),
            why=_reason(case),
            hints=_hints(case),
        )

    return until(draw)


def _suits(case: _Counts, mistakes: list[Mistake]) -> bool:
    """Return whether no rounding changes the verdict or a diagnosis."""
    wrong = {float(value) for value, *_ in mistakes}
    near = case.counts.sum(axis=0).all() and case.counts.sum(axis=1).all()
    return bool(
        near
        and all(
            abs(a - b) >= _APART
            for a, b in combinations([case.gain, *wrong], 2)
        )
    )


def _decimal(value: float | Fraction) -> str:
    return f"{float(value) + 0.0:.2f}"


def _mistakes(case: _Counts) -> Iterator[Mistake]:
    more, other = case.parameters, "AIC" if case.criterion == "BIC" else "BIC"
    rows, columns = case.counts.shape
    whole, are = rows * (columns - 1), "is" if more == 1 else "are"
    names = {
        "log": log,
        "rows": range(case.total),
        "likely": float(case.terms.sum()),
        "gain": case.gain,
        "price": case.price,
        "others_price": {"AIC": 1.0, "BIC": log(case.total) / 2}[other],
        "more": more,
    }
    block = rf"""
        likely
            | This is the gain of the log-likelihood alone, which is never
            negative. Take off what {pluralise(more, "new parameter")}
            {"costs" if more == 1 else "cost"}.
        likely - others_price * more =
            {other}(rows, states=states).delta(graph, edge)
            | This is the gain of {other}. In {case.criterion} a parameter
            costs {_price_in_words(case.criterion)}.
        likely - price * {whole}
            | With the edge ${case.names[1]}$ has {whole} free parameters, but
            {columns - 1} of them it had before: only {more} {are} new.
        gain / log(2)
            | These are bits. Take natural logarithms everywhere.
        likely / len(rows) - price * more
            | This takes the mean over the rows, the mutual information. The
            log-likelihood is a sum over all rows.
        -gain
            | The sign is turned: this is by how much the cost grows. A score
            is to be maximised.
        likely - 2 * price * more
            | if {case.criterion == "BIC"}
            | This takes off log *n* for each parameter. It is half of it.
    """
    for value, check, why in mistakes_of(block, names):
        yield Fraction(_decimal(value)), check, why


def _price_in_words(criterion: str) -> str:
    return "1" if criterion == "AIC" else r"$\tfrac12 \log n$"


# --- checks ------------------------------------------------------------------


def _setup(case: _Counts) -> str:
    """Write the Python with which the quiz computes the key, from rows."""
    a, b = case.names
    return f"""\
from math import log
import pandas as pd
from bayesbook.network import AIC, BIC, LogLikelihood, Move
states = {dict(case.states)!r}
counts = {case.counts.tolist()!r}
rows = pd.DataFrame(
    [
        (one, other)
        for one, own in zip(states[{a!r}], counts)
        for other, n in zip(states[{b!r}], own)
        for _ in range(n)
    ],
    columns=list(states),
)
graph, edge = {f"{a}, {b}"!r}, Move("add", {a!r}, {b!r})
gain = {case.criterion}(rows, states=states).delta(graph, edge)
likely = LogLikelihood(rows, states=states).delta(graph, edge)
more, n = {case.parameters}, len(rows)
price = {"0.5 * log(n)" if case.criterion == "BIC" else "1 + 0 * more"}
"""


# --- words -------------------------------------------------------------------


def _prompt(case: _Counts) -> str:
    a, b = case.names
    head = [f"*{a}*", *(f"*{b}* = {state}" for state in case.states[b])]
    rows = [
        [state, *map(str, counts)]
        for state, counts in zip(case.states[a], case.counts, strict=True)
    ]
    return paragraphs(
        f"Two variables, ${a}$ and ${b}$, were observed in {case.total} rows:",
        table(head, rows),
        f"By how much does {case.criterion} (in nats, to be maximised) grow "
        rf"if the graph without edges gets the edge ${a} \to {b}$? Two "
        "decimals are enough.",
    )


def _penalty(case: _Counts) -> str:
    price = rf"\tfrac12 \log {case.total}" if case.criterion == "BIC" else "1"
    return rf"{case.parameters} \cdot {price}"


def _reason(case: _Counts) -> str:
    # With two decimals of each, the difference would sometimes be another.
    likely, costs = (
        f"{each:.3f}"
        for each in (case.terms.sum(), case.price * case.parameters)
    )
    return (
        rf"$${likely} - {_penalty(case)} \approx {likely} - {costs} "
        rf"\approx {_decimal(case.gain)}$$"
    )


def _hints(case: _Counts) -> tuple[str, ...]:
    more, n = case.parameters, case.total
    each = "" if more == 1 else " each"
    price = "1" if case.criterion == "AIC" else rf"\tfrac12 \log {n}"
    return hints(
        "The edge raises the log-likelihood, and it costs parameters. "
        "Compare each count with the one to be expected without the edge.",
        f"The edge adds {pluralise(more, 'free parameter')}, at a price of "
        f"${price}${each}. The first cell has the count "
        f"{case.counts[0, 0]}, and without the edge "
        f"{float(case.expected[0, 0]):.2f} would be expected.",
    )


def _worked(case: _Counts) -> str:
    a, b = case.names
    rows = []
    for i, k in np.ndindex(*case.counts.shape):
        n = case.counts[i, k]
        rows.append(
            [
                f"{case.states[a][i]}, {case.states[b][k]}",
                str(n),
                _decimal(float(case.expected[i, k])),
                _decimal(float(case.terms[i, k])).replace("-", "−"),
            ]
        )
    head = [f"*{a}*, *{b}*", "count", "expected", "term"]
    total = ["*sum*", str(case.total), str(case.total)]
    rows.append([*total, _decimal(case.terms.sum())])
    empty = "An empty cell adds 0." if (case.counts == 0).any() else ""
    r, c = case.counts.shape
    alone = case.parameters == 1
    cost = "1"
    if case.criterion == "BIC":
        log_n = rf"\tfrac12 \log {case.total}"
        cost = rf"${log_n} \approx {_decimal(case.price)}$"
    verdict = (
        f"The gain is positive, so {case.criterion} prefers the graph with "
        "the edge, and a greedy search may add it."
        if case.gain > 0
        else f"The gain is negative, so {case.criterion} prefers the graph "
        "without the edge: the data fit better with it, but not by enough."
    )
    return paragraphs(
        "The log-likelihood grows by the sum of *count* log (*count* / "
        "*expected*) over the cells, where *expected* is what independence "
        "would predict, the product of the sums of row and column over "
        f"{case.total}. {empty}".strip(),
        table(head, rows),
        f"The edge adds $({r} - 1)({c} - 1) = {case.parameters}$ free "
        f"{'parameter, which' if alone else 'parameters, each of which'} "
        f"costs {cost}.",
        verdict,
        rf"The edge ${b} \to {a}$ would gain as much, because the sum and the "
        "number of parameters do not change with its direction.",
    )


# --- the tree of Chow and Liu ------------------------------------------------


def chow_liu(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the edges of the tree that fits best."""
    nodes = "VWXYZ"[-pick(rng, [4, 4, 5]) :]
    pairs = ["".join(pair) for pair in combinations(nodes, 2)]

    def draw() -> Drill | None:
        # Hundredths of nats, all different: the tree is the only one.
        drawn = rng.choice(np.arange(2, 40), len(pairs), replace=False)
        weights = dict(zip(pairs, drawn.tolist(), strict=True))
        steps = list(_kruskal(weights))
        taken = [pair for pair, cycle in steps if not cycle]
        falling = _heaviest_first(weights)
        if set(taken) == set(falling[: len(taken)]):
            return None
        question = Choice(
            id=f"chow-liu-{seed}",
            kind="multiple",
            level="apply",
            prompt=_tree_prompt(nodes, weights),
            setup=_tree_setup(weights),
            options=tuple(
                Option(
                    f"${pair[0]}$ – ${pair[1]}$",
                    f"tree.has_edge({pair[0]!r}, {pair[1]!r})",
                    _tree_why(pair, cycle, weights),
                    right=not cycle,
                )
                for pair, cycle in sorted(steps)
            ),
        )
        worked, tips = _tree_worked(steps, weights), _tree_hints(weights)
        return Drill("chow-liu", seed, question, worked, hints=tips)

    return until(draw)


def _heaviest_first(weights: Mapping[str, int]) -> list[str]:
    return sorted(weights, key=lambda pair: weights[pair], reverse=True)


def _kruskal(weights: Mapping[str, int]) -> Iterator[tuple[str, list[str]]]:
    """Yield the pairs, the heaviest first, and the path that joins each."""
    tree = nx.Graph()
    tree.add_nodes_from("".join(weights))
    for pair in _heaviest_first(weights):
        if nx.has_path(tree, *pair):
            yield pair, nx.shortest_path(tree, *pair)
        else:
            tree.add_edge(*pair)
            yield pair, []


def _tree_prompt(nodes: str, weights: Mapping[str, int]) -> str:
    rows = [
        [
            f"*{one}*",
            *(
                _hundredths(weights[one + other]) if one < other else ""
                for other in nodes[1:]
            ),
        ]
        for one in nodes[:-1]
    ]
    return paragraphs(
        "The mutual informations of pairs of variables:",
        table(["nats", *(f"*{node}*" for node in nodes[1:])], rows),
        "Which edges does the tree of Chow and Liu have, the one with the "
        "largest likelihood?",
    )


def _hundredths(weight: int) -> str:
    return f"{weight / 100:.2f}"


def _tree_setup(weights: Mapping[str, int]) -> str:
    nats = {pair: weight / 100 for pair, weight in weights.items()}
    return f"""\
import networkx as nx
weights = {nats!r}
graph = nx.Graph()
graph.add_weighted_edges_from(
    (*pair, weight) for pair, weight in weights.items()
)
tree = nx.maximum_spanning_tree(graph)
"""


def _tree_why(pair: str, cycle: list[str], weights: Mapping[str, int]) -> str:
    weight = _hundredths(weights[pair])
    if not cycle:
        return (
            f"When it is its turn, with {weight}, nothing joins ${pair[0]}$ "
            f"and ${pair[1]}$ yet."
        )
    path = " – ".join(f"${node}$" for node in cycle)
    return (
        f"It would close a cycle with {path}, all of whose edges are heavier "
        f"than {weight}."
    )


def _tree_hints(weights: Mapping[str, int]) -> tuple[str, ...]:
    first, *_ = _heaviest_first(weights)
    return hints(
        "Sort the pairs by their weight, the heaviest first, and watch for "
        "cycles.",
        f"The heaviest pair, ${first[0]}$ and ${first[1]}$ with "
        f"{_hundredths(weights[first])}, is an edge of the tree. Take the "
        "next one that closes no cycle.",
    )


def _tree_worked(
    steps: list[tuple[str, list[str]]], weights: Mapping[str, int]
) -> str:
    rows = [
        [
            f"*{pair[0]}* – *{pair[1]}*",
            _hundredths(weights[pair]),
            "joined already" if cycle else "taken",
        ]
        for pair, cycle in steps
    ]
    taken = [pair for pair, cycle in steps if not cycle]
    total = sum(weights[pair] for pair in taken)
    sums = " + ".join(_hundredths(weights[pair]) for pair in taken)
    edges = and_list(f"${pair[0]}$ – ${pair[1]}$" for pair in taken)
    return paragraphs(
        "Among all trees the likelihood is largest for that with the largest "
        "sum of mutual informations. Go through the edges, the heaviest "
        "first, and take each that joins two parts that are not joined yet "
        "(Kruskal).",
        table(["edge", "information", "verdict"], rows),
        f"The tree has {edges}, with the sum {sums} = {_hundredths(total)}. "
        "Whichever node is the root, arrows away from it make a graph with "
        "the same likelihood.",
    )
