"""Bayesian networks beside their peers: prints a table in Markdown.

Every engine gets the tables of `load_network`, in double precision, and must
give the same answers before it is timed. `--only marginals` runs one section,
`--rounds 3` is quicker than 7; `--cost FILE` instead writes how the seconds
of exact inference grow with the treewidth. Linux only, because of the memory.

It is one file because what is timed, how each peer is called and how answers
are compared are read together.
"""

import argparse
import gzip
import itertools
import json
import logging
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import redirect_stderr
from functools import cache, partial
from importlib.resources import files
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
from _side_by_side import (
    OURS,
    Report,
    describe_machine,
    measure,
    optional,
    options,
)

from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    enumerate_posterior,
    gibbs,
    load_network,
    read_bif,
)

gum = optional("pyagrum")
pgmpy = optional("pgmpy")

LAZY, SHAFER = "pyAgrum, LazyPropagation", "pyAgrum, ShaferShenoy"
PGMPY = "pgmpy, VariableElimination"
# To how many rows of evidence a run replies.
MARGINALS = {
    "asia": 200,
    "alarm": 50,
    "insurance": 30,
    "hailfinder": 30,
    "win95pts": 30,
    "hepar2": 30,
    "andes": 10,
    "water": 2,
    "pigs": 10,
    "mildew": 20,
    "barley": 2,
    "diabetes": 5,
    "pathfinder": 20,
    "munin": 2,
    "munin1": 1,
}
# How many times as fast ours should be as the faster engine of pyAgrum, in the
# median of the networks; and as any peer on each, when asked for the first
# time, too.
MEDIAN, NONE_SLOWER = 3, 1
# At most so many first queries are timed together.
FIRST_CALLS = 20
# Here pgmpy needs more memory than there is, and pyAgrum half a minute for a
# row, ShaferShenoy a whole one.
SLOW = {"munin1"}
N_BATCH, N_SAMPLES = 1000, 100_000
CHAINS, SWEEPS, SINGLE_CHAIN = 1000, 100, 3000
# What ours may take for link, and what its peers get for what they cannot do.
LINK_SECONDS, LINK_BYTES = 5, 1e9
PATIENCE, ROOM = 60, 8 * 2**30
ATTEMPTS = (("pyAgrum", "link"), ("pgmpy", "link"), ("pgmpy", "munin1"))
# The curves of cost: (rows, columns) of grids that grow longer, and wider; up
# to how many nodes enumeration can be waited for. A point is the median
# of so many runs, or fewer: a task that has taken so many seconds is not run
# again.
LONGER = [(3, columns) for columns in (3, 4, 5, 6, 10, 20, 40, 80, 160)]
WIDER = [(side, side) for side in range(2, 16)]
MOST_ENUMERATED = 18
COST_ROUNDS, COST_BUDGET = 7, 3


def in_pyagrum(net):
    """Hand a network over; pyAgrum's reader of BIF would round to float32."""
    theirs = gum.BayesNet()
    for node in net.nodes:
        states = list(map(str, net.states[node]))
        theirs.add(gum.LabelizedVariable(node, node, states))
    for node in net.nodes:
        for parent in net.parents(node):
            theirs.addArc(parent, node)
    for node, table in net.tables.items():
        # In its memory: the last parent, ..., the first parent, the node.
        *parents, own = range(len(table.shape))
        values = table.values.astype(float).transpose(*parents[::-1], own)
        theirs.cpt(node).fillWith(values.ravel().tolist())
    return theirs


def in_pgmpy(net):
    """Hand a network over to pgmpy."""
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    states = {node: list(map(str, net.states[node])) for node in net.nodes}
    theirs = DiscreteBayesianNetwork()
    theirs.add_nodes_from(net.nodes)
    theirs.add_edges_from(net.graph.edges)
    for node, table in net.tables.items():
        family = [node, *net.parents(node)]
        sizes = [len(states[member]) for member in family]
        values = table.values.astype(float).reshape(-1, sizes[0]).T
        names = {member: states[member] for member in family}
        theirs.add_cpds(
            TabularCPD(node, sizes[0], values, family[1:], sizes[1:], names)
        )
    return theirs


@cache
def observed(name):
    """Choose a tenth of the nodes, at least 2 and at most 20; leaves first."""
    net, rng = load_network(name), random.Random(7)
    leaves = sorted(node for node in net.nodes if not net.children(node))
    others = sorted(set(net.nodes) - set(leaves))
    rng.shuffle(leaves)
    rng.shuffle(others)
    return (leaves + others)[: min(20, max(2, round(len(net) / 10)))]


def hidden(name):
    """Give the nodes that are not observed."""
    return [n for n in load_network(name).nodes if n not in observed(name)]


@cache
def questions(name, n_rows=10):
    """Draw rows of evidence from the network, one after another different.

    Engines that see that nothing has changed would not compute anything.
    """
    rows = load_network(name).sample(100 * n_rows, rng=11)[observed(name)]
    rows = rows.astype(str).to_dict("records")
    chosen = [row for row, _ in itertools.groupby(rows)][:n_rows]
    if chosen[0] == chosen[-1]:
        chosen.pop()
    return chosen


class Ours:
    """A compiled network."""

    def __init__(self, net, nodes, rows=({},)):
        self.nodes = nodes
        self.tree = JunctionTree(net, max_bytes=ROOM)

    def ask(self, known):
        """Give an array for each node."""
        posteriors = self.tree.posteriors(known)
        return [posteriors.array(node) for node in self.nodes]

    def read(self, answer):
        """Give all numbers of an answer."""
        return np.concatenate(answer)


class Agrum:
    """An engine of pyAgrum, which compiles the network when first asked."""

    def __init__(self, engine, net, nodes, rows=({},)):
        self.nodes = nodes
        # The engine only points to its network.
        self.net = net if isinstance(net, gum.BayesNet) else in_pyagrum(net)
        self.engine = getattr(gum, engine)(self.net)
        self.engine.setNumberOfThreads(0)  # all
        self.engine.setEvidence(rows[-1])

    def ask(self, known):
        """Give a tensor for each node."""
        for node, state in known.items():
            self.engine.chgEvidence(node, state)
        self.engine.makeInference()
        return [self.engine.posterior(node) for node in self.nodes]

    def read(self, answer):
        """Give all numbers of an answer."""
        return np.concatenate([tensor.toarray() for tensor in answer])


class Pgmpy:
    """Variable elimination of pgmpy, a query for each node.

    Its belief propagation runs out of memory on all networks but asia.
    """

    def __init__(self, net, nodes, rows=({},)):
        from pgmpy.inference import VariableElimination

        self.nodes, self.states = nodes, net.states
        self.engine = VariableElimination(in_pgmpy(net))

    def ask(self, known):
        """Give a factor for each node."""
        return [
            self.engine.query([node], known, show_progress=False)
            for node in self.nodes
        ]

    def read(self, answer):
        """Give all numbers of an answer."""
        pairs = zip(self.nodes, answer, strict=True)
        return np.array(
            [
                factor.get_value(**{node: str(state)})
                for node, factor in pairs
                for state in self.states[node]
            ]
        )


AGRUM = {
    LAZY: partial(Agrum, "LazyPropagation"),
    SHAFER: partial(Agrum, "ShaferShenoyInference"),
}


def in_turn(engine, rows, calls=1):
    """Make what is timed, and what reads the first of its answers."""
    turn = itertools.cycle(rows)
    return (
        lambda: [engine.ask(next(turn)) for _ in range(calls)],
        lambda answers: engine.read(answers[0]),
    )


def difference(ours, theirs, rows):
    """Give the largest difference of any answers to some rows."""
    return max(
        np.abs(ours.read(ours.ask(row)) - theirs.read(theirs.ask(row))).max()
        for row in rows
    )


def agreement(report):
    """Compare answers in all rows, and without evidence."""
    if not gum:
        return
    lines = [
        "All marginals beside those of pyAgrum's ShaferShenoy:\n",
        "| Network | Nodes | Largest clique, cells | All cliques, cells "
        "| Largest difference | Without evidence |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for name in [name for name in MARGINALS if name not in SLOW]:
        net, nodes, rows = load_network(name), hidden(name), questions(name)
        print(f"agreement: {name}", file=sys.stderr)
        found = []
        for asked_for, given in ((nodes, rows), (net.nodes, [{}])):
            ours = Ours(net, asked_for)
            theirs = AGRUM[SHAFER](net, asked_for, given)
            found.append(difference(ours, theirs, given))
        if max(found) > 1e-9:
            report.missed.append(f"{name}: the answers differ: {found}")
        tree = ours.tree
        largest = np.prod([len(net.states[n]) for n in tree.largest_clique])
        lines.append(
            f"| {name} | {len(net)} | {largest:,} | {tree.n_cells:,} "
            f"| {found[0]:.0e} | {found[1]:.0e} |"
        )
    report.notes.append("\n".join(lines))


def marginals(report):
    """Compare all marginals, the evidence changed between calls."""
    ratios = {}
    for name, calls in MARGINALS.items():
        task = load_network(name), hidden(name), questions(name)
        engines = {OURS: in_turn(Ours(*task), task[-1], calls)}
        targets, times = {}, {OURS: calls}
        for title, make in AGRUM.items() if gum else ():
            if title == LAZY or name not in SLOW:
                engines[title] = in_turn(make(*task), task[-1], calls)
                targets[title], times[title] = NONE_SLOWER, calls
        if pgmpy and name not in SLOW:
            engines[PGMPY] = in_turn(Pgmpy(*task), task[-1])
            targets[PGMPY] = NONE_SLOWER
        title = f"{name}: all marginals given {len(observed(name))} nodes"
        costs = report.task(title, engines, targets=targets, calls=times)
        theirs = [costs[key].seconds for key in AGRUM if key in costs]
        if theirs:
            ratios[name] = min(theirs) / costs[OURS].seconds
    if ratios:
        median = statistics.median(ratios.values())
        report.notes.append(
            "All marginals, asked again: in the median of "
            f"{len(ratios)} networks {median:.1f} times as fast as the faster "
            f"engine of pyAgrum (wanted: {MEDIAN})."
        )
        if median < MEDIAN:
            report.missed.append(f"median of all marginals: {median:.1f}")


def first_query(report):
    """Compare the first answers, from a network that is not compiled."""
    for name, n_calls in MARGINALS.items() if gum else ():
        net, nodes = load_network(name), hidden(name)
        known = questions(name)[:1]
        theirs = in_pyagrum(net)
        n_calls = min(n_calls, FIRST_CALLS)
        make = partial(Ours, net, nodes)
        engines = {OURS: afresh(make, *known, n_calls)}
        for title, make in AGRUM.items():
            if title == LAZY or name not in SLOW:
                make = partial(make, theirs, nodes, known)
                engines[title] = afresh(make, *known, n_calls)
        report.task(
            f"{name}: first query, compiled for it",
            engines,
            targets=dict.fromkeys(AGRUM, NONE_SLOWER),
            calls=dict.fromkeys(engines, n_calls),
        )


def afresh(make, known, n_calls):
    """Make what is timed, with an engine of its own, and what reads it."""

    def run():
        for _ in range(n_calls):
            engine = make()
            answer = engine.ask(known)
        return engine.read(answer)

    return run, np.asarray


def batch(report):
    """Compare 1,000 rows of evidence on alarm, of which many are equal."""
    net = load_network("alarm")
    sets = {"4 nodes": observed("alarm"), "19 nodes": net.nodes[::2]}
    for words, given in sets.items():
        nodes = [node for node in net.nodes if node not in given]
        rows = net.sample(N_BATCH, rng=12)[list(given)]
        records = rows.astype(str).to_dict("records")
        tree = JunctionTree(net)
        engines = {
            OURS: (
                lambda tree=tree, rows=rows: tree.batch(rows),
                lambda found, nodes=nodes: np.hstack(
                    [found[node] for node in nodes]
                ),
            )
        }
        for title, make in AGRUM.items() if gum else ():
            theirs = make(net, nodes, records)
            engines[title] = (
                lambda theirs=theirs, records=records: list(
                    map(theirs.ask, records)
                ),
                lambda found, theirs=theirs: np.array(
                    list(map(theirs.read, found))
                ),
            )
        n_different = len(rows.drop_duplicates())
        report.task(
            f"alarm: {N_BATCH:,} rows of {words}, {n_different} different",
            engines,
            targets=dict.fromkeys(AGRUM, 30) if gum else None,
        )


def sampling(report):
    """Compare ancestral samples of alarm in a data frame."""
    net = load_network("alarm")
    rng = np.random.default_rng(1)

    def frequencies(frame):
        found = [
            frame[node]
            .astype(str)
            .value_counts(normalize=True)
            .reindex(list(map(str, states)), fill_value=0)
            for node, states in net.states.items()
        ]
        return np.concatenate(found)

    engines = {OURS: (lambda: net.sample(N_SAMPLES, rng=rng), frequencies)}
    targets = {}
    if gum:
        source = in_pyagrum(net)

        def draw_agrum():
            generator = gum.BNDatabaseGenerator(source)
            generator.drawSamples(N_SAMPLES)
            return generator.to_pandas()

        engines["pyAgrum"] = draw_agrum, frequencies
        targets["pyAgrum"] = 20
    if pgmpy:
        from pgmpy.sampling import BayesianModelSampling

        model = in_pgmpy(net)
        sampler = BayesianModelSampling(model)
        quiet = {"show_progress": False}
        engines["pgmpy, forward_sample"] = (
            lambda: sampler.forward_sample(N_SAMPLES, **quiet),
            frequencies,
        )
        engines["pgmpy, simulate"] = (
            lambda: model.simulate(N_SAMPLES, **quiet),
            frequencies,
        )
        targets |= {"pgmpy, forward_sample": 20, "pgmpy, simulate": 20}
    title = f"alarm: {N_SAMPLES:,} samples in a frame"
    report.task(title, engines, targets=targets, tolerance=0.015)


def gibbs_updates(report):
    """Compare Gibbs samplers by how fast they draw a variable anew."""
    net, nodes = load_network("alarm"), hidden("alarm")
    known = questions("alarm")[0]
    exact = np.concatenate(Ours(net, nodes).ask(known))
    errors = {}

    def check(engine, answer):
        errors[engine] = np.abs(np.concatenate(answer) - exact).max()
        return 0

    engines = {
        OURS: (
            lambda: run_gibbs(net, known, nodes),
            partial(check, OURS),
        )
    }
    millions = {OURS: CHAINS * SWEEPS * len(nodes) / 1e6}
    if gum:
        theirs = in_pyagrum(net)
        engines["pyAgrum"] = (
            lambda: agrum_gibbs(theirs, known, nodes),
            partial(check, "pyAgrum"),
        )
        millions["pyAgrum"] = SINGLE_CHAIN * len(nodes) / 1e6
    report.task(
        "alarm: Gibbs, 4 observed, 1,000,000 updates of a variable",
        engines,
        targets={"pyAgrum": 30},
        calls=millions,
    )
    told = ", ".join(
        f"{engine} {error:.3f} after {millions[engine]:.2g} million updates"
        for engine, error in errors.items()
    )
    report.notes.append(
        f"Gibbs on alarm without burn-in, largest error of a marginal: {told}."
    )


def run_gibbs(net, known, nodes):
    """Draw 100 sweeps of 1,000 chains, and estimate the marginals."""
    run = gibbs(net, known, size=SWEEPS, n_chains=CHAINS, burn_in=0, rng=1)
    return [run.array(node) for node in nodes]


def agrum_gibbs(net, known, nodes):
    """Draw 3,000 sweeps of a single chain, and estimate the marginals."""
    sampler = gum.GibbsSampling(net)
    sampler.setEvidence(known)
    # An iteration is to be a sweep: each variable once, one after another.
    sampler.setNbrDrawnVar(len(nodes))
    sampler.setDrawnAtRandom(False)
    sampler.setBurnIn(0)
    sampler.setMaxIter(SINGLE_CHAIN)
    # The other rules for stopping are not to apply.
    sampler.setEpsilon(1e-30)
    sampler.setMinEpsilonRate(1e-30)
    sampler.setMaxTime(1000)
    sampler.makeInference()
    return [sampler.posterior(node).toarray() for node in nodes]


def gibbs_of_pgmpy(report):
    """Compare Gibbs samplers on asia, the only network that pgmpy's can do.

    It knows no evidence, and lists all states of all other variables for
    each variable before it begins, which is not timed.
    """
    if not pgmpy:
        return
    from pgmpy.factors.discrete import State
    from pgmpy.sampling import GibbsSampling

    net = load_network("asia")
    sampler = GibbsSampling(in_pgmpy(net))
    # A start of its own may be impossible, and end in NaN.
    last = [State(node, 1) for node in sampler.variables]

    def run_pgmpy():
        with redirect_stderr(StringIO()):  # a progress bar
            return sampler.sample(last, size=SINGLE_CHAIN)

    report.task(
        "asia: Gibbs, none observed, 1,000,000 updates of a variable",
        {
            OURS: (lambda: run_gibbs(net, {}, net.nodes), lambda _: 0),
            "pgmpy": (run_pgmpy, lambda _: 0),
        },
        targets={"pgmpy": 30},
        calls={
            OURS: CHAINS * SWEEPS * len(net) / 1e6,
            "pgmpy": SINGLE_CHAIN * len(net) / 1e6,
        },
    )


def reading(report):
    """Compare readers of BIF, from plain text, which all of them know."""
    with tempfile.TemporaryDirectory() as folder:
        for name, limit in (("alarm", 0.1), ("munin", 1)):
            shipped = files("bayesbook") / "data/networks" / f"{name}.bif.gz"
            path = Path(folder) / f"{name}.bif"
            path.write_bytes(gzip.decompress(shipped.read_bytes()))
            report.task(
                f"{name}: reading BIF",
                readers(path),
                targets={"pgmpy": 20} if pgmpy else None,
                limit=limit,
            )


def readers(path):
    """Give all that read a network from a file."""
    found = {
        OURS: (
            lambda: read_bif(path),
            lambda net: (len(net), net.graph.number_of_edges()),
        )
    }
    if gum:
        found["pyAgrum"] = (
            lambda: gum.loadBN(str(path)),
            lambda net: (net.size(), net.sizeArcs()),
        )
    if pgmpy:
        from pgmpy.readwrite import BIFReader

        found["pgmpy"] = (
            lambda: BIFReader(str(path)).get_model(),
            lambda net: (len(net.nodes), len(net.edges)),
        )
    return found


def importing(report):
    """Compare whole processes that only import."""
    modules = {OURS: "bayesbook.network"}
    if gum:
        modules["pyAgrum"] = "pyagrum"
    if pgmpy:
        modules["pgmpy"] = "pgmpy.models, pgmpy.inference"
    engines = {
        engine: (partial(run_python, f"import {names}"), lambda _: 0)
        for engine, names in modules.items()
    }
    report.task("import, in a process of its own", engines, limit=0.5)


def run_python(code, *arguments, **options):
    """Run a program in a process of its own, and give what it prints."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
        **options,
    ).stdout


LINK = """
import json, resource, sys, time
from bayesbook.network import JunctionTree, load_network
name, *rows = sys.argv[1], *json.loads(sys.argv[2])
times = [time.perf_counter()]
net = load_network(name)
times.append(time.perf_counter())
tree = JunctionTree(net)
for known in rows:
    found = tree.posteriors(known)
    arrays = [found.array(node) for node in found]
    times.append(time.perf_counter())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
steps = [after - before for before, after in zip(times, times[1:])]
print(json.dumps([*steps, peak]))
"""


def link(report):
    """Answer a query on link, and let peers try what they cannot."""
    name = "link"
    print("link", file=sys.stderr)
    known = json.dumps(questions(name)[:2])
    runs = [json.loads(run_python(LINK, name, known)) for _ in range(3)]
    read, first, second, peak = np.median(runs, axis=0)
    report.notes.append(
        f"link, {len(hidden(name))} marginals given {len(observed(name))} "
        f"nodes, in a process of its own: read in {read:.2f} s, compiled and "
        f"answered in {first:.2f} s, answered again in {second:.2f} s; the "
        f"process took {peak / 1e6:,.0f} MB at most (wanted: "
        f"{LINK_SECONDS} s, {LINK_BYTES / 1e6:,.0f} MB)."
    )
    if read + first > LINK_SECONDS or peak > LINK_BYTES:
        report.missed.append(
            f"link: {read + first:.1f} s, {peak / 1e6:,.0f} MB"
        )
    peers = {"pyAgrum": gum, "pgmpy": pgmpy}
    told = [
        f"{peer} on {name}: {attempt(peer, name)}"
        for peer, name in ATTEMPTS
        if peers[peer]
    ]
    if told:
        report.notes.append(
            f"Peers with {ROOM / 2**30:.0f} GiB of address space and "
            f"{PATIENCE} s: {'; '.join(told)}."
        )


def attempt(peer, name):
    """Say how a peer does in a process of its own."""
    print(f"attempt: {peer}, {name}", file=sys.stderr)
    command = [sys.executable, __file__, "--attempt", peer, name]
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return "not finished"
    words = run.stdout + run.stderr
    if run.returncode and ("alloc" in words or "Memory" in words):
        return "out of memory"
    if run.returncode:
        return f"failed: {words.strip().splitlines()[-1]}"
    return f"{float(run.stdout):.1f} s"


def attempt_here(peer, name):
    """Answer one query with little room, and print the seconds."""
    net, nodes, rows = load_network(name), hidden(name), questions(name)[:1]
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    make = AGRUM[LAZY] if peer == "pyAgrum" else Pgmpy
    start = time.perf_counter()
    make(net, nodes, rows).ask(rows[0])
    print(time.perf_counter() - start)


def grid(n_rows, n_columns):
    """Make a grid of binary nodes whose parents are above and left."""
    rng = np.random.default_rng([n_rows, n_columns])
    states, cpts = {}, {}
    for i, j in itertools.product(range(n_rows), range(n_columns)):
        node, above, left = f"x{i},{j}", f"x{i - 1},{j}", f"x{i},{j - 1}"
        parents = [above] * (i > 0) + [left] * (j > 0)
        chances = rng.uniform(0.1, 0.9, (2,) * len(parents))
        cpts[node, *parents] = np.stack(
            [1 - chances, chances], axis=-1
        ).tolist()
        states[node] = ("no", "yes")
    return BayesianNetwork.from_cpts(states, cpts, name="grid")


def measure_costs(path):
    """Write how the seconds grow with the length and the width of a grid."""
    found = [
        (varied, *size, *cost)
        for varied, sizes in (("length", LONGER), ("width", WIDER))
        for size in sizes
        for cost in grid_costs(*size)
    ]
    names = ["varied", "rows", "columns", "width", "method", "cells"]
    frame = pd.DataFrame(found, columns=[*names, "seconds"])
    frame["seconds"] = frame["seconds"].map("{:.3g}".format)
    frame.to_csv(path, index=False)


def grid_costs(n_rows, n_columns):
    """Give width, method, cells and seconds of each method on one grid.

    The last node is asked for, the junction tree for all nodes, given the
    first, so that no node is left out.
    """
    print(f"cost: {n_rows} x {n_columns}", file=sys.stderr)
    net = grid(n_rows, n_columns)
    query, known = net.nodes[-1], {net.nodes[0]: "yes"}
    tree = JunctionTree(net)
    trees = ("junction tree", "same nodes observed", "other nodes observed")
    cells = dict.fromkeys(trees, tree.n_cells)
    # Each time others, for which no tree has been made: one as long as there
    # is a new one.
    others = itertools.chain.from_iterable(
        itertools.combinations(net.nodes[1:], n) for n in (1, 2, 3)
    )
    tasks = {
        "junction tree": lambda: JunctionTree(net).posteriors(known),
        "same nodes observed": lambda: tree.posteriors(known),
        "other nodes observed": lambda: tree.posteriors(
            dict.fromkeys(next(others), "yes")
        ),
    }
    steps = eliminate(net, query, known).steps
    cells["elimination"] = sum(step.n_cells for step in steps)
    tasks["elimination"] = lambda: eliminate(net, query, known)
    if len(net) <= MOST_ENUMERATED:
        cells["enumeration"] = 2 ** (len(net) - 1)
        tasks["enumeration"] = lambda: enumerate_posterior(net, query, known)
    tree.posteriors(known)
    # Of the processor, so that other programs do not count.
    costs = measure(tasks, COST_ROUNDS, COST_BUDGET, time.process_time)
    return [
        (tree.width, method, cells[method], costs[method].seconds)
        for method in tasks
    ]


SECTIONS = (
    agreement,
    marginals,
    first_query,
    batch,
    sampling,
    gibbs_updates,
    gibbs_of_pgmpy,
    reading,
    importing,
    link,
)

if __name__ == "__main__":
    parser = options(__doc__, SECTIONS)
    parser.add_argument("--cost", metavar="FILE")
    parser.add_argument("--attempt", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    if arguments.cost:
        measure_costs(arguments.cost)
    elif arguments.attempt:
        attempt_here(*arguments.attempt)
    else:
        describe_machine(
            "Bayesian networks beside their peers",
            {"pgmpy": pgmpy, "pyAgrum": gum},
        )
        report = Report(arguments.rounds)
        report.run(SECTIONS, arguments.only)
