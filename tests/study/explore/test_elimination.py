"""The explorable of variable elimination: the library, and brute force.

Steps are compared with those of `network.eliminate`, greedy orders with
`network.elimination_order`, best orders with a search through all orders.
"""

import re
from functools import cache
from itertools import combinations, pairwise
from math import hypot, log, prod

import networkx as nx
import numpy as np
import pytest

from bayesbook import graphs, network
from bayesbook.network import BayesianNetwork
from bayesbook.study import explore
from bayesbook.study.explore.elimination import _line, view
from bayesbook.study.explore.elimination_orders import PUZZLES

KEYS = ["clinic", "chain", "star", "grid", "ring"]
PUZZLE = dict(zip(KEYS, PUZZLES, strict=True))
NONE = dict.fromkeys(KEYS, 0)
SUMS = ("fills", "width", "largest", "total")
NUMBER = re.compile(r"-?[\d.]+")


def state_of(key, order=()):
    """Write an order of a graph as a state."""
    nodes = PUZZLE[key].nodes
    digits = "".join(str(nodes.index(node) + 1) for node in order)
    return {"graph": KEYS.index(key), **NONE, key: int(digits or 0)}


def order_of(state):
    """Return the graph of a state, and its order as names."""
    puzzle = PUZZLES[state["graph"]]
    number = state[puzzle.key]
    digits = str(number) if number else ""
    return puzzle, [puzzle.nodes[int(digit) - 1] for digit in digits]


def random_states(how_many, seed=1):
    """Draw states: any graph, and the beginning of an order of each."""
    rng = np.random.default_rng(seed)
    for at in range(how_many):
        puzzle = PUZZLES[at % len(PUZZLES)]
        n = len(puzzle.nodes)
        order = rng.permutation(puzzle.nodes).tolist()
        if at % 3 == 1:  # a good beginning, and then any node
            way = ("min-fill", "min-weight")[at % 2]
            good = puzzle.greedy(way) if at % 4 else puzzle.finish()
            how_far = int(rng.integers(n + 1))
            rest = [node for node in order if node not in good[:how_far]]
            order = [*good[:how_far], *rest]
        length = n if at % 4 == 2 else int(rng.integers(n + 1))
        state = state_of(puzzle.key, order[:length])
        if at % 5 == 3:  # another graph has an order, too
            other = PUZZLES[(at + 1) % len(PUZZLES)]
            some = rng.permutation(other.nodes)[: rng.integers(6)].tolist()
            state[other.key] = state_of(other.key, some)[other.key]
        yield state


STATES = [
    *(state_of(key) for key in KEYS),
    *(state_of(key, PUZZLE[key].nodes) for key in KEYS),
    *random_states(300),
]


def seen(state):
    """Return the view of a state, computed once."""
    return seen_of(tuple(state.items()))


@cache
def seen_of(items):
    return view(**dict(items))


def net_of(puzzle, seed=0):
    """Return a network with random tables, and its graph."""
    graph = graphs.parse(puzzle.arrows)
    states = {node: tuple(range(size(puzzle, node))) for node in graph}
    tables = {
        table.variables[-1]: table
        for table in graphs.random_tables(graph, states, rng=seed)
    }
    return BayesianNetwork([tables[node] for node in puzzle.nodes]), graph


def size(puzzle, node):
    """Return the number of states, as the page says it."""
    unequal = dict(zip("ABCDEFGH", (2, 3, 4, 5, 5, 4, 3, 2), strict=True))
    return unequal[node] if puzzle.key == "ring" else 2


def moral_of(puzzle):
    """Return the moral graph by its definition."""
    graph = graphs.parse(puzzle.arrows)
    moral = nx.Graph(graph.edges)
    for node in graph:
        moral.add_edges_from(combinations(graph.pred[node], 2))
    return moral


def neighbours_of(moral, gone, node):
    """Return the neighbours once others are gone, by the paths to them.

    Two nodes are joined then if some path leads from one to the other whose
    inner nodes are all gone (Rose, Tarjan and Lueker 1976, lemma 4).
    """
    part = moral.subgraph({*gone, node})
    reached = nx.node_connected_component(part, node)
    found = set().union(*(moral[each] for each in reached))
    return found - {*gone, node}


def truth_of(puzzle, order):
    """Return of each step its neighbours, fill-in edges and cells."""
    return truth_once(puzzle, tuple(order))


@cache
def truth_once(puzzle, order):
    moral = moral_of(puzzle)
    steps = []
    for at, node in enumerate(order):
        gone = order[:at]
        near = neighbours_of(moral, gone, node)
        fills = {
            frozenset(pair)
            for pair in combinations(near, 2)
            if pair[1] not in neighbours_of(moral, gone, pair[0])
        }
        cells = prod(size(puzzle, each) for each in (node, *near))
        steps.append((near, fills, cells))
    return steps


def least_of(puzzle, order):
    """Return the fewest cells of any order that begins so, by branching."""
    moral = moral_of(puzzle)
    every = frozenset(moral)
    known = {}

    def cells(gone, node):
        if (gone, node) not in known:
            near = neighbours_of(moral, gone, node)
            known[gone, node] = prod(size(puzzle, x) for x in (node, *near))
        return known[gone, node]

    def search(gone, spent, best):
        if gone == every:
            return min(spent, best)
        # Each further product has at least the cells of its own node.
        if spent + sum(size(puzzle, x) for x in every - gone) >= best:
            return best
        for node in sorted(every - gone, key=lambda x: cells(gone, x)):
            best = search(gone | {node}, spent + cells(gone, node), best)
        return best

    spent = sum(cells(frozenset(order[:at]), x) for at, x in enumerate(order))
    return search(frozenset(order), spent, np.inf)


def sums_of(steps):
    """Return what steps cost together."""
    return (
        sum(len(fills) for _, fills, _ in steps),
        max((len(near) for near, _, _ in steps), default=0),
        max((cells for _, _, cells in steps), default=0),
        sum(cells for _, _, cells in steps),
    )


def written_sums(written, name):
    """Return what a page says of an order."""
    return tuple(int(written[f"{name}_{each}"]) for each in SUMS)


@pytest.mark.parametrize("key", KEYS)
def test_steps_are_those_of_the_library(key):
    """Each leaf has soft evidence, so that no node is barren."""
    puzzle = PUZZLE[key]
    net, graph = net_of(puzzle)
    soft = {
        leaf: {state: 0.5 + state for state in range(puzzle.states(leaf))}
        for leaf in graph
        if not graph.succ[leaf]
    }
    rng = np.random.default_rng(3)
    for _ in range(20):
        order = rng.permutation(puzzle.nodes).tolist()
        *hidden, query = order
        run = network.eliminate(net, query, soft, order=hidden)
        steps, _ = puzzle.steps(hidden)
        assert run.order == tuple(hidden)
        for ours, step in zip(steps, run.steps, strict=True):
            assert {ours.node, *ours.near} == {*step.scope}
            assert ours.cells == step.n_cells
        written = view(**state_of(key, hidden)).written
        rows = [written[f"amount_{k}"] for k in range(1, len(order) + 1)]
        assert rows == [*(str(step.n_cells) for step in run.steps), ""]
        assert written["own_largest"] == str(run.largest)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("heuristic", ["min-fill", "min-weight"])
def test_greedy_orders_are_those_of_the_library(key, heuristic):
    puzzle = PUZZLE[key]
    net, _ = net_of(puzzle)
    # Of equal nodes the library takes the first.
    assert tuple(net.nodes) == puzzle.nodes
    order = network.elimination_order(net, heuristic=heuristic)
    assert tuple(puzzle.greedy(heuristic)) == order
    name = {"min-fill": "fill", "min-weight": "weight"}[heuristic]
    written = view(**state_of(key)).written
    assert written_sums(written, name) == sums_of(truth_of(puzzle, order))


def follow(puzzle, gone, heuristic):
    """Check each step of a greedy order against its definition."""
    order = puzzle.greedy(heuristic, gone)
    moral, gone = moral_of(puzzle), [*gone]
    assert {*order} == {*puzzle.nodes} - {*gone}
    for chosen in order:
        ranks = {}
        for node in puzzle.nodes:
            if node not in gone:
                _, fills, cells = truth_of(puzzle, [*gone, node])[-1]
                rank = (len(fills), cells)
                if heuristic == "min-weight":
                    rank = rank[::-1]
                ranks[node] = rank
        assert chosen == min(ranks, key=ranks.__getitem__)
        gone.append(chosen)
    assert {*gone} == {*moral}


@pytest.mark.parametrize("heuristic", ["min-fill", "min-weight"])
def test_greedy_orders_go_on_from_any_beginning(heuristic):
    for state in STATES[::5]:
        puzzle, order = order_of(state)
        follow(puzzle, order, heuristic)
        name = {"min-fill": "next_fill", "min-weight": "next_weight"}
        sets = seen(state).drawn[name[heuristic]]
        after = [*order, *puzzle.greedy(heuristic, order)[:1]]
        number = state_of(puzzle.key, after)[puzzle.key]
        assert sets["data-sets"] == f"{puzzle.key} {number}"
        assert (sets["aria-disabled"] == "true") == (after == order)


@pytest.mark.parametrize("key", KEYS)
def test_no_order_is_cheaper_than_the_best_one(key):
    puzzle = PUZZLE[key]
    least = least_of(puzzle, [])
    truth = sums_of(truth_of(puzzle, puzzle.finish()))
    assert truth[-1] == least
    written = view(**state_of(key)).written
    assert written_sums(written, "best") == truth
    assert written_sums(written, "reach") == truth
    assert f"A best order needs {least} cells" in written["sentence"]


def test_nor_is_one_from_any_beginning():
    for state in STATES[10:110]:
        puzzle, order = order_of(state)
        if len(order) > 1:
            written = seen(state).written
            found = written_sums(written, "reach")
            assert found[-1] == least_of(puzzle, order)
            whole = [*order, *puzzle.finish(order)]
            assert sorted(whole) == sorted(puzzle.nodes)
            assert found == sums_of(truth_of(puzzle, whole))


def test_what_is_written_is_what_follows_from_the_order():
    for state in STATES:
        puzzle, order = order_of(state)
        written = seen(state).written
        steps = truth_of(puzzle, order)
        if order:
            assert written_sums(written, "own") == sums_of(steps)
        else:
            assert {written[f"own_{each}"] for each in SUMS} == {"–"}
        joint = prod(size(puzzle, node) for node in puzzle.nodes)
        assert written["joint"] == str(joint)
        for k in range(1, 10):
            node = puzzle.nodes[k - 1] if k <= len(puzzle.nodes) else ""
            assert written[f"name_{k}"] == node
            row = f"{k} {order[k - 1]}" if k <= len(order) else ""
            assert written[f"row_{k}"] == row
            if not node:
                assert written[f"cells_{k}"] == written[f"note_{k}"] == ""
                continue
            upto = order[: order.index(node)] if node in order else order
            _, fills, cells = truth_of(puzzle, [*upto, node])[-1]
            assert written[f"states_{k}"] == str(size(puzzle, node))
            assert written[f"fills_{k}"] == str(len(fills))
            assert written[f"cells_{k}"] == str(cells)
            step = str(len(upto) + 1) if node in order else ""
            assert written[f"step_{k}"] == step


def test_the_sentence_says_the_last_step():
    risen = 0
    for state in STATES:
        puzzle, order = order_of(state)
        said = seen(state).written["sentence"]
        if not order:
            assert said.startswith("Nothing is eliminated yet.")
            continue
        near, fills, cells = truth_of(puzzle, order)[-1]
        start = f"Step {len(order)} eliminates {order[-1]}: the product with "
        assert said.startswith(start)
        scope = re.split(r", | and ", said[len(start) : said.index(" has ")])
        assert scope[0] == order[-1]
        assert sorted(scope[1:]) == sorted(near)
        assert f"has {cells} cells" in said
        pairs = {frozenset(p.split("–")) for p in re.findall(r"\w+–\w+", said)}
        if 0 < len(fills) <= 3:
            assert pairs == fills
        else:
            assert pairs == set()
            count = f"{len(fills)} fill-in edges are added" if fills else "no "
            assert count in said
        before, after = (
            sums_of(truth_of(puzzle, [*some, *puzzle.finish(some)]))[-1]
            for some in (order[:-1], order)
        )
        assert before <= after
        rises = f"rises from {before} to {after} cells" in said
        assert rises == ("rises" in said) == (before < after)
        risen += rises
        total = sums_of(truth_of(puzzle, order))[-1]
        if len(order) < len(puzzle.nodes):
            assert said.endswith(f"So far: {total} cells.")
        else:
            least = sums_of(truth_of(puzzle, puzzle.finish()))[-1]
            end = (
                "no order needs fewer"
                if total == least
                else f"a best order needs {least}"
            )
            assert said.endswith(f"with {total} cells in all; {end}.")
    assert risen > 20


def test_buttons_lead_one_step_on_or_back():
    for state in STATES:
        puzzle, order = order_of(state)
        drawn = seen(state).drawn

        def sets(some, key=puzzle.key):
            return f"{key} {state_of(key, some)[key]}"

        assert drawn["undo"]["data-sets"] == sets(order[:-1])
        assert drawn["undo_all"]["data-sets"] == sets([])
        for name in ("undo", "undo_all"):
            at_start = drawn[name]["aria-disabled"] == "true"
            assert at_start == (not order)
        for k, node in enumerate(puzzle.nodes, 1):
            leads = [*order, node]
            label = f"Eliminate {node}"
            if node in order:
                leads = order[: order.index(node)]
                label = f"Go back to before {node} was eliminated"
            for part in ("node", "button"):
                assert drawn[f"{part}_{k}"]["data-sets"] == sets(leads)
            assert drawn[f"button_{k}"]["aria-label"] == label
        for k in range(len(puzzle.nodes) + 1, 10):
            assert drawn[f"node_{k}"]["class"] == "unused"
            assert drawn[f"line_{k}"]["class"] == "unused"


def ends_of(path):
    """Return the points between which the lines of a path lead."""
    found = []
    for line in filter(None, path.split("M")):
        numbers = [float(x) for x in NUMBER.findall(line)]
        found.append(((*numbers[:2],), (*numbers[-2:],)))
    return found


def pairs_of(puzzle, path):
    """Return the pairs of nodes between which the lines of a path lead."""
    named = {place: node for node, place in puzzle.places.items()}
    return [
        frozenset(named[tuple(map(int, end))] for end in ends)
        for ends in ends_of(path)
    ]


def kinds_of(puzzle, order):
    """Return the pairs of nodes of which each path consists."""
    moral = {frozenset(pair) for pair in moral_of(puzzle).edges}
    steps = truth_of(puzzle, order)
    last = steps[-1][1] if steps else set()
    fills = set().union(*(fills for _, fills, _ in steps))
    gone = {*order}
    return {
        "edges": {pair for pair in moral if not pair & gone},
        "lost": {pair for pair in moral if pair & gone},
        "added": last,
        "fills": {pair for pair in fills - last if not pair & gone},
        "lost_fills": {pair for pair in fills - last if pair & gone},
    }


def test_lines_join_the_right_nodes():
    for state in STATES:
        puzzle, order = order_of(state)
        drawn = seen(state).drawn
        for name, pairs in kinds_of(puzzle, order).items():
            found = pairs_of(puzzle, drawn[name]["d"])
            assert {*found} == pairs, (state, name)
            assert len(found) == len(pairs)
        near = truth_of(puzzle, order)[-1][0] if order else set()
        for k, node in enumerate(puzzle.nodes, 1):
            looks = drawn[f"node_{k}"]["class"].split()
            assert ("near" in looks) == (node in near)
            assert ("gone" in looks) == (node in order)


def test_at_the_end_the_graph_is_triangulated():
    for state in STATES:
        puzzle, order = order_of(state)
        if len(order) == len(puzzle.nodes):
            drawn = seen(state).drawn
            pairs = pairs_of(
                puzzle, drawn["lost"]["d"] + drawn["lost_fills"]["d"]
            )
            whole = nx.Graph([*map(tuple, pairs)])
            assert nx.is_chordal(whole)
            for name in ("edges", "fills", "added"):
                assert drawn[name]["d"] == ""


def points_of(path):
    """Return points of a line, straight or with one bend."""
    numbers = np.array([float(x) for x in NUMBER.findall(path)])
    points = numbers.reshape(-1, 2)
    t = np.linspace(0, 1, 101)[:, None]
    if len(points) == 2:
        return (1 - t) * points[0] + t * points[1]
    return (
        (1 - t) ** 2 * points[0]
        + 2 * t * (1 - t) * points[1]
        + t**2 * points[2]
    )


@pytest.mark.parametrize("key", KEYS)
def test_no_line_passes_a_third_node(key):
    puzzle = PUZZLE[key]
    for pair in combinations(puzzle.nodes, 2):
        points = points_of(_line(puzzle, *pair))
        assert points.min() > -120
        assert points.max() < 1120
        for node, place in puzzle.places.items():
            if node not in pair:
                away = np.hypot(*(points - place).T).min()
                assert away > 90, (pair, node)
    for a, b in combinations(puzzle.places.values(), 2):
        assert hypot(a[0] - b[0], a[1] - b[1]) > 240


def test_bars_are_as_long_as_logarithms_say():
    for state in STATES:
        puzzle, order = order_of(state)
        drawn = seen(state).drawn
        joint = prod(size(puzzle, node) for node in puzzle.nodes)
        for name, some in (("own", order), ("best", puzzle.finish())):
            bars = [*filter(None, drawn[f"{name}_bars"]["d"].split("M"))]
            steps = truth_of(puzzle, some)
            for at, (bar, step) in enumerate(zip(bars, steps, strict=True)):
                x, y, long, high, back = map(float, NUMBER.findall(bar))
                assert x == back == 300
                wanted = 540 * log(step[-1]) / log(joint)
                assert long == pytest.approx(wanted, abs=0.06)
                middle = 10 + 110 * at + 55
                assert y + high / 2 == pytest.approx(middle, abs=0.1)


def every_order(puzzle):
    """Yield all orders, with their cells in all and their fill-in edges.

    In one search: orders that begin alike share what they begin with.
    """

    def search(left, order, total, fills):
        if not left:
            yield order, total, fills
        for node in [*left]:
            near = left[node]
            cells = prod(size(puzzle, each) for each in (node, *near))
            added = {
                frozenset(pair)
                for pair in combinations(near, 2)
                if pair[1] not in left[pair[0]]
            }
            rest = {x: left[x] - {node} for x in left if x != node}
            for x in near:
                rest[x] = rest[x] | (near - {x})
            yield from search(
                rest, (*order, node), total + cells, fills | added
            )

    moral = moral_of(puzzle)
    yield from search({x: {*moral[x]} for x in moral}, (), 0, frozenset())


def solutions(task):
    """Return the orders that solve a task, and the others."""
    key = {"chord": "clinic", "worst": "chain", "ring": "ring"}[task]
    puzzle = PUZZLE[key]
    orders = [*every_order(puzzle)]
    if task == "chord":
        min_fill = {frozenset(("lung", "bronc"))}
        of_library = sums_of(truth_of(puzzle, puzzle.greedy("min-fill")))
        assert of_library[0] == 1
        fits = [len(f) == 1 and f != min_fill for _, _, f in orders]
    else:
        totals = [total for _, total, _ in orders]
        wanted = max(totals) if task == "worst" else min(totals)
        fits = [total == wanted for total in totals]
    solving = [o for (o, _, _), fit in zip(orders, fits, strict=True) if fit]
    others = [
        o for (o, _, _), fit in zip(orders, fits, strict=True) if not fit
    ]
    return key, solving, others


@pytest.mark.parametrize(
    ("task", "how_many", "all_orders"),
    [("chord", 610, 40320), ("worst", 240, 5040), ("ring", 6, 40320)],
)
def test_each_task_is_solved_by_few_orders_and_known_to_be(
    task, how_many, all_orders
):
    key, solving, others = solutions(task)
    assert (len(solving), len(solving) + len(others)) == (how_many, all_orders)
    rng = np.random.default_rng(5)
    for which, some in ((True, solving), (False, others)):
        for at in rng.permutation(len(some))[:100]:
            solves = view(**state_of(key, some[at])).solves
            assert solves == ((task,) if which else ()), some[at]
    # Not before the last step.
    assert view(**state_of(key, solving[0][:-1])).solves == ()


def test_greedy_steps_alone_solve_no_task():
    for puzzle in PUZZLES:
        for heuristic in ("min-fill", "min-weight"):
            state = state_of(puzzle.key, puzzle.greedy(heuristic))
            assert seen(state).solves == ()


def test_the_ring_misleads_both_heuristics():
    """Both begin with A but for H, which costs nothing more."""
    puzzle = PUZZLE["ring"]
    for heuristic in ("min-fill", "min-weight"):
        order = puzzle.greedy(heuristic)
        assert next(x for x in order if x != "H") == "A"
        found = sums_of(truth_of(puzzle, order))
        best = sums_of(truth_of(puzzle, puzzle.finish()))
        assert found == (4, 2, 100, 356)
        assert best == (4, 2, 50, 236)
        after = [*order[: order.index("H") + 1]]
        if "A" not in after:
            assert least_of(puzzle, after) == best[-1]
    assert puzzle.finish()[-1] == "A"


@pytest.mark.parametrize(
    "number", [66, 9, 10, 101, 123456789, 111111111, 987654321]
)
def test_what_is_no_order_is_refused(number):
    found = view(0, **NONE | {"clinic": number})
    assert found.refused.startswith("Refused: an order has each node")


def test_an_order_at_the_start():
    shown = explore.elimination("grid", ["E", "A"])
    assert "graph: grid of three by three" in repr(shown)
    assert "Step 2 eliminates A" in repr(shown)
    start = {each.name: each.value for each in shown.controls}
    assert start == {"graph": 3, **NONE, "grid": 51}


@pytest.mark.parametrize(
    ("graph", "order", "message"),
    [
        ("circle", (), "no graph 'circle'; there are clinic, chain, star"),
        ("ring", "AJ", "'J' cannot be eliminated"),
        ("ring", "AA", "'A' cannot be eliminated: give each node at most"),
    ],
)
def test_what_is_no_start_is_refused(graph, order, message):
    with pytest.raises(ValueError, match=message):
        explore.elimination(graph, order)


def test_moral_graphs_are_those_of_the_library():
    for puzzle in PUZZLES:
        truth = {frozenset(pair) for pair in moral_of(puzzle).edges}
        assert {frozenset(pair) for pair in puzzle.moral.edges} == truth
        assert {*puzzle.nodes} == {*puzzle.moral}
    clinic = network.load_network("asia")
    assert {*graphs.parse(PUZZLE["clinic"].arrows).edges} == {
        *clinic.graph.edges
    }
    assert PUZZLE["clinic"].nodes == tuple(clinic.nodes)
    chain, star = (moral_of(PUZZLE[key]) for key in ("chain", "star"))
    assert {frozenset(p) for p in pairwise("ABCDEFG")} == {
        frozenset(p) for p in chain.edges
    }
    assert star.degree["cause"] == 6 == star.number_of_edges()
