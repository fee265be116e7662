"""Drills of learning read again, as a reader does, and computed anew."""

import re
from fractions import Fraction as F
from itertools import combinations, pairwise, product
from math import comb, log

import networkx as nx
import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import beta as beta_distribution
from scipy.stats import binom
from study.drills.banks import bank
from study.drills.test_networks import events, graph_of, tables_of

from bayesbook.study import quiz
from bayesbook.study.drills.writing import TOLERANCE

KINDS = (
    "smoothing",
    "score-delta",
    "compelled",
    "chow-liu",
    "em-step",
    "map-em",
)
FRACTIONS = ("smoothing", "em-step", "map-em")


@pytest.mark.parametrize("kind", KINDS)
def test_the_checks_of_the_questions_agree(kind):
    assert len(bank(kind)) == 200
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", FRACTIONS)
def test_no_typed_number_is_right_and_wrong(kind):
    for drill in bank(kind):
        values = [F(wrong.value) for wrong in drill.question.wrong]
        for one, two in combinations([F(drill.answer), *values], 2):
            assert abs(one - two) > 2 * TOLERANCE, drill


@pytest.mark.parametrize("kind", FRACTIONS)
def test_three_decimals_are_enough(kind):
    for drill in bank(kind):
        typed = f"{float(F(drill.answer)):.3f}"
        tolerance = drill.question.tolerance
        assert quiz.agrees(float(typed), float(F(drill.answer)), tolerance)


def diagnosed(drill, found):
    """Every mistake has its words, and every wrong value is a mistake."""
    wrong = {F(w.value): w.why for w in drill.question.wrong}
    values = set()
    for words, value in found:
        near = [v for v in wrong if abs(v - value) < drill.question.tolerance]
        assert len(near) == 1, (drill, words, value)
        assert words in wrong[near[0]]
        values |= set(near)
    assert values == wrong.keys()


# --- A probability from counts ----------------------------------------------


class Counted:
    """What a reader finds in a prompt: counts, the question, the prior."""

    def __init__(self, drill):
        [[head, _, *rows]] = tables_of(drill.prompt)
        named = [cell for cell in head if "=" in cell]
        width = len(head) - len(named)
        self.child = named[0].split("*")[1]
        self.states = [cell.split(" = ")[1] for cell in named]
        self.parents = [cell.strip("*") for cell in head[:width]]
        self.counts = {
            tuple(row[:width]): dict(
                zip(self.states, map(int, row[width:]), strict=True)
            )
            for row in rows
        }
        [asked] = re.findall(
            r"estimate of \$\\mathbb\{P\}\[(.*)\]\$", drill.prompt
        )
        claim, given = asked.split(r" \mid ")
        [(child, self.state)] = events(claim).items()
        assert child == self.child
        given = events(given)
        self.given = tuple(given[parent] for parent in self.parents)
        self.row = self.counts[self.given]
        self.added = F(0)
        if found := re.search(r"pseudo-count (\S+)\. What", drill.prompt):
            self.added = F(found[1])
        self.size = None
        if found := re.search(r"sample size of (\S+)\. What", drill.prompt):
            self.size = F(found[1])
            self.added = self.size / len(self.counts) / len(self.states)

    def estimate(self, added):
        top = self.row[self.state] + added
        return top / sum(n + added for n in self.row.values())


def smoothing_mistakes(read):
    n, added = read.row[read.state], read.added
    own, width = sum(read.row.values()), len(read.states)
    column = sum(counts[read.state] for counts in read.counts.values())
    total = sum(sum(counts.values()) for counts in read.counts.values())
    yield "the share of all rows that have both", F(n, total)
    yield "This is the other direction", F(n, column)
    yield "whatever the parents", F(column, total)
    if not added:
        yield "This adds one to each count", read.estimate(1)
        yield "is not $", 1 - F(n, own)
        return
    yield "without the pseudo-counts", F(n, own)
    yield "is added to all", (n + added) / (own + added)
    yield "in the numerator only", (n + added) / own
    cells = len(read.counts) * width
    yield "joint probability", (n + added) / (total + cells * added)
    if read.size:
        yield "is the sum of all", read.estimate(read.size)
        yield "over one row of the table", read.estimate(read.size / width)


def test_estimates_are_those_of_the_counts():
    kinds = {"likelihood": 0, "pseudo": 0, "size": 0}
    unseen = 0
    for drill in bank("smoothing"):
        read = Counted(drill)
        assert F(drill.answer) == read.estimate(read.added)
        assert F(1, 40) <= F(drill.answer) <= F(39, 40)
        diagnosed(drill, smoothing_mistakes(read))
        kind = (
            "size" if read.size else "pseudo" if read.added else "likelihood"
        )
        kinds[kind] += 1
        unseen += read.row[read.state] == 0
    assert min(kinds.values()) >= 40
    # What was never seen is asked for, too.
    assert unseen >= 10


def test_a_smoothed_distribution_is_explained_state_by_state():
    for drill in bank("smoothing"):
        read = Counted(drill)
        [[_, _, *rows, total]] = tables_of(drill.explanation)
        assert [row[0] for row in rows] == read.states
        assert total[-1] == "1"
        for state, count, *_, shown in rows:
            assert int(count) == read.row[state]
            value = (int(count) + read.added) / (
                sum(read.row.values()) + len(rows) * read.added
            )
            decimal = re.search(r"([\d.]+)\$$", shown)[1]
            assert float(decimal) == pytest.approx(
                float(value), rel=6e-3, abs=1e-3
            )
        if read.added:
            weight = len(rows) * read.added
            weight /= weight + sum(read.row.values())
            assert f"weight is {float(weight):.3g}." in drill.explanation


# --- What an edge gains ------------------------------------------------------


def gain_of(drill):
    """Compute the gain of log-likelihood by its definition, row by row."""
    [[head, _, *rows]] = tables_of(drill.prompt)
    counts = np.array([[int(cell) for cell in row[1:]] for row in rows])
    assert len(head) == counts.shape[1] + 1
    [n] = re.findall(r"in (\d+) rows", drill.prompt)
    assert counts.sum() == int(n)
    before = after = 0.0
    for i, k in product(*map(range, counts.shape)):
        for _ in range(counts[i, k]):
            before += log(counts[:, k].sum() / counts.sum())
            after += log(counts[i, k] / counts[i].sum())
    return counts, after - before


def test_gains_are_those_of_the_definition():
    signs = []
    for drill in bank("score-delta"):
        counts, likely = gain_of(drill)
        rows, columns = counts.shape
        [criterion] = re.findall("does (BIC|AIC) ", drill.prompt)
        price = {"AIC": 1, "BIC": log(counts.sum()) / 2}
        more = rows * (columns - 1) - (columns - 1)
        gain = likely - price[criterion] * more
        assert float(drill.answer) == pytest.approx(gain, abs=0.0051)
        assert abs(gain) >= 0.5
        other = {"AIC": "BIC", "BIC": "AIC"}[criterion]
        found = [
            ("log-likelihood alone", likely),
            (f"This is the gain of {other}", likely - price[other] * more),
            (
                "of them it had before",
                likely - price[criterion] * rows * (columns - 1),
            ),
            ("These are bits", gain / log(2)),
            (
                "the mutual information",
                likely / counts.sum() - price[criterion] * more,
            ),
            ("The sign is turned", -gain),
        ]
        if criterion == "BIC":
            found.append(("half of it", likely - 2 * price["BIC"] * more))
        diagnosed(drill, found)
        prefers = "with" if gain > 0 else "without"
        assert f"prefers the graph {prefers} the edge" in drill.explanation
        signs.append(gain > 0)
    assert 70 < sum(signs) < 130


def test_roundings_of_a_reader_do_not_matter():
    for drill in bank("score-delta"):
        tolerance = drill.question.tolerance
        assert tolerance == 0.05
        values = [float(w.value) for w in drill.question.wrong]
        for one, two in combinations([float(drill.answer), *values], 2):
            assert abs(one - two) > 2 * tolerance


def test_the_terms_of_a_gain_add_up():
    for drill in bank("score-delta"):
        counts, likely = gain_of(drill)
        [[_, _, *rows, total]] = tables_of(drill.explanation)
        assert len(rows) == counts.size
        assert int(total[1]) == counts.sum()
        assert float(total[3]) == pytest.approx(likely, abs=0.0051)
        terms = [float(row[3].replace("−", "-")) for row in rows]
        assert sum(terms) == pytest.approx(likely, abs=0.0051 * len(rows))
        assert [int(row[1]) for row in rows] == counts.ravel().tolist()


def test_an_explanation_of_a_gain_counts_cells_and_parameters():
    numbers, empty = set(), set()
    for drill in bank("score-delta"):
        counts, _ = gain_of(drill)
        new = (counts.shape[0] - 1) * (counts.shape[1] - 1)
        words = "parameter, which" if new == 1 else "parameters, each of which"
        assert f"= {new}$ free {words} costs " in drill.explanation
        said = "An empty cell adds 0." in drill.explanation
        assert said == (counts.min() == 0)
        numbers.add(new)
        empty.add(said)
    assert numbers >= {1, 2}
    assert empty == {True, False}


# --- Which arrows are certain -----------------------------------------------


def v_structures(graph):
    return {
        (frozenset((a, b)), c)
        for c in graph
        for a, b in combinations(graph.pred[c], 2)
        if not (graph.has_edge(a, b) or graph.has_edge(b, a))
    }


def class_of(graph):
    """Yield all DAGs with the same skeleton and v-structures, by trying."""
    edges = sorted(graph.edges)
    for turns in product([False, True], repeat=len(edges)):
        other = nx.DiGraph()
        other.add_nodes_from(graph)
        other.add_edges_from(
            e[::-1] if t else e for e, t in zip(edges, turns, strict=True)
        )
        if nx.is_directed_acyclic_graph(other) and (
            v_structures(other) == v_structures(graph)
        ):
            yield set(other.edges)


def test_certain_arrows_are_in_every_graph_of_the_class():
    by_rules = 0
    for drill in bank("compelled"):
        graph = graph_of(drill.prompt)
        graphs = list(class_of(graph))
        shared = set.intersection(*graphs)
        as_arrows = {tuple(text.split(" → ")) for text in drill.options}
        assert as_arrows == set(graph.edges)
        right = {tuple(text.split(" → ")) for text in drill.answer}
        assert right == shared != set(graph.edges)
        assert f"class has {len(graphs)} graphs" in drill.explanation
        in_vees = {(a, c) for pair, c in v_structures(graph) for a in pair}
        by_rules += shared != in_vees
        for option in drill.question.options:
            edge = tuple(option.text.split(" → "))
            why = option.why
            if edge in in_vees:
                a, c, b = re.search(
                    r"v-structure (\w) → (\w) ← (\w)\.", why
                ).groups()
                assert (frozenset((a, b)), c) in v_structures(graph)
                assert edge in {(a, c), (b, c)}
            elif edge in shared:
                assert why.startswith("It is in no v-structure. But ")
                for arrow in re.findall(r"(\w) → (\w) keeps", why):
                    assert arrow in shared
                for a, c, b in re.findall(r"(\w) → (\w) → (\w) keep", why):
                    assert {(a, c), (c, b)} <= shared
                    assert edge == (a, b)
            else:
                turned = set(re.findall(r"(\w) → (\w)", why))
                back = {edge[::-1] for edge in turned}
                assert edge in back <= set(graph.edges)
                assert set(graph.edges) - back | turned in graphs
    assert 100 < by_rules < 170


# --- The best tree ----------------------------------------------------------


def test_trees_are_the_best_of_all():
    """All sets of edges that are trees are tried."""
    sizes = []
    for drill in bank("chow-liu"):
        [[head, _, *rows]] = tables_of(drill.prompt)
        weights = {
            frozenset((row[0].strip("*"), other.strip("*"))): F(cell)
            for row in rows
            for other, cell in zip(head[1:], row[1:], strict=True)
            if cell
        }
        nodes = set().union(*weights)
        assert len(weights) == len(nodes) * (len(nodes) - 1) / 2
        trees = [
            some
            for some in combinations(weights, len(nodes) - 1)
            if nx.is_tree(nx.Graph(map(tuple, some)))
            and set().union(*some) == nodes
        ]
        total = {tree: sum(weights[e] for e in tree) for tree in trees}
        best = max(trees, key=total.get)
        assert list(total.values()).count(total[best]) == 1
        assert {
            frozenset(re.findall(r"\$(\w)\$", text)) for text in drill.answer
        } == set(best)
        assert len(drill.options) == len(weights)
        assert f"= {float(total[best]):.2f}." in drill.explanation
        # Not only the heaviest edges: a cycle must be seen.
        heaviest = sorted(weights, key=weights.get)[-len(best) :]
        assert set(heaviest) != set(best)
        for option in drill.question.options:
            pair = frozenset(re.findall(r"\$(\w)\$", option.text))
            if not option.right:
                [path] = re.findall(r"cycle with (.*), all", option.why)
                way = re.findall(r"\$(\w)\$", path)
                assert {way[0], way[-1]} == pair
                steps = {frozenset(s) for s in pairwise(way)}
                assert steps <= set(best)
                assert all(weights[s] > weights[pair] for s in steps)
        sizes.append(len(nodes))
    # Of five nodes there are 125 trees: fewer questions, but not a few.
    assert set(sizes) == {4, 5}
    assert 40 < sizes.count(5) < 90


# --- A step of EM -----------------------------------------------------------


def e_step(drill):
    """Read coins and a session; give the responsibilities of both coins."""
    coins = re.findall(
        r"coin \$(\w)\$ is drawn with probability (0\.\d) and shows heads "
        r"with probability (0\.\d)",
        drill.prompt,
    )
    [(tosses, heads)] = re.findall(
        r"had (\d+) tosses, (\w+) of them heads", drill.prompt
    )
    tosses, heads = int(tosses), 0 if heads == "none" else int(heads)
    share = {coin: float(p) for coin, p, _ in coins}
    # In one order of the tosses.
    orders = comb(tosses, heads)
    likely = {
        c: binom.pmf(heads, tosses, float(p)) / orders for c, _, p in coins
    }
    joint = {c: share[c] * likely[c] for c in share}
    return (
        share,
        likely,
        {c: j / sum(joint.values()) for c, j in joint.items()},
    )


def test_e_steps_are_bayes_rule_for_a_binomial_distribution():
    seen = 0
    for drill in bank("em-step"):
        if "responsibility of" not in drill.prompt:
            continue
        seen += 1
        share, likely, found = e_step(drill)
        [own] = re.findall(r"responsibility of \$(\w)\$", drill.prompt)
        [other] = set("AB") - {own}
        assert float(F(drill.answer)) == pytest.approx(found[own], abs=1e-5)
        diagnosed(
            drill,
            [
                ("drawn equally often", likely[own] / sum(likely.values())),
                ("*and* the tosses", share[own] * likely[own]),
                ("probability of the tosses if", likely[own]),
                ("before the tosses were seen", share[own]),
                ("of the other coin", found[other]),
                ("as hard EM does", round(found[own])),
            ],
        )
        moved = "rises" if found[own] > share[own] else "falls"
        assert (
            f"its probability {moved} from {share[own]:g}" in drill.explanation
        )
    assert seen == 100


def test_m_steps_are_weighted_shares():
    """By repeating each session as often as its tenths say."""
    seen = {"bias": 0, "share": 0}
    for drill in bank("em-step"):
        if "responsibility of" in drill.prompt:
            continue
        [[_, _, *rows]] = tables_of(drill.prompt)
        h, t = (np.array([int(row[i]) for row in rows]) for i in (1, 2))
        tenths = {
            coin: np.array([round(10 * float(row[i])) for row in rows])
            for coin, i in (("A", 3), ("B", 4))
        }
        assert (tenths["A"] + tenths["B"] == 10).all()
        [own] = re.findall(r"coin \$(\w)\$", drill.prompt)
        [other] = set("AB") - {own}

        def bias(weights, h=h, t=t):
            heads, tails = np.repeat(h, weights), np.repeat(t, weights)
            return F(int(heads.sum()), int((heads + tails).sum()))

        w = tenths[own]
        hard = (w > 5).astype(int)
        if "shows heads" in drill.prompt:
            seen["bias"] += 1
            assert F(drill.answer) == bias(w)
            k = h + t
            found = [
                ("in all tosses", bias(np.ones_like(w))),
                (
                    "mean of the sessions' shares",
                    F(float((w * h / k).sum() / w.sum())).limit_denominator(
                        10**9
                    ),
                ),
                ("but the tosses are all", F(int(w @ h), int(10 * k.sum()))),
                ("part of all heads", F(int(w @ h), int(10 * h.sum()))),
                ("of the other coin", bias(tenths[other])),
            ]
            if hard.any():
                found.append(("as hard EM does", bias(hard)))
            diagnosed(drill, found)
        else:
            seen["share"] += 1
            n = len(w)
            assert F(drill.answer) == F(int(w.sum()), 10 * n)
            k = h + t
            diagnosed(
                drill,
                [
                    ("as hard EM does", F(int(hard.sum()), n)),
                    ("of the other coin", F(int(tenths[other].sum()), 10 * n)),
                    ("with their tosses", F(int(w @ k), int(10 * k.sum()))),
                    ("shows heads", bias(w)),
                    ("expected number of sessions", F(int(w.sum()), 10)),
                ],
            )
    assert seen["bias"] + seen["share"] == 100
    assert min(seen.values()) > 25


def test_the_parts_of_the_coins_add_up():
    for drill in bank("em-step"):
        [[_, _, *rows, total]] = tables_of(drill.explanation)
        assert [row[0] for row in rows] == ["*A*", "*B*"]
        if "responsibility of" in drill.prompt:
            assert sum(float(row[3]) for row in rows) == pytest.approx(
                1, abs=1e-3
            )
        else:
            for place in (1, 2, 3):
                parts = sum(F(row[place]) for row in rows)
                assert parts == F(total[place])


def test_m_steps_with_a_prior_are_the_largest_values_of_a_beta_density():
    """By a Beta density with the tenths of heads and tails in it."""
    for drill in bank("map-em"):
        [[_, _, *rows]] = tables_of(drill.prompt)
        h, t = (np.array([int(row[i]) for row in rows]) for i in (1, 2))
        alpha, beta = map(
            int, re.findall(r"Beta}\((\d), (\d)\)", drill.prompt)[0]
        )
        [own] = re.findall(r"coin \$(\w)\$ shows", drill.prompt)
        w = np.array([float(row[3 if own == "A" else 4]) for row in rows])

        def largest(weights, a=alpha, b=beta, h=h, t=t):
            density = beta_distribution(a + weights @ h, b + weights @ t)
            return minimize_scalar(
                lambda p: -density.logpdf(p),
                bounds=(1e-9, 1 - 1e-9),
                method="bounded",
                options={"xatol": 1e-10},
            ).x

        assert float(F(drill.answer)) == pytest.approx(largest(w), abs=1e-6)
        mean = beta_distribution(alpha + w @ h, beta + w @ t).mean()
        found = [
            ("leaves the prior out", w @ h / (w @ (h + t))),
            ("all tosses", largest(np.ones(len(w)))),
            ("of the other coin", largest(1 - w)),
            ("mode of the prior", (alpha - 1) / (alpha + beta - 2)),
            ("mean of a Beta posterior", mean),
            ("not only to the heads", (w @ h + alpha - 1) / (w @ (h + t))),
        ]
        diagnosed(drill, found)
