"""Learning by its definitions: loops over rows, graphs and completions.

Nothing here is fast, and nothing is taken from the library. The formulas are
those of Koller and Friedman (2009): section 17.3 for parameters, 18.3 for
scores, 18.3.6 for equivalence, 19.2 for EM. Rows are data frames of texts;
`states` says which values a column can have.
"""

from collections import Counter
from itertools import combinations, product
from math import log

import pandas as pd

# --- Counting ---------------------------------------------------------------


def states_of(rows):
    """Return the values of each column, sorted."""
    return {name: sorted(rows[name].unique()) for name in rows}


def records(rows, columns):
    """Return the rows as tuples of the values of some columns."""
    if not columns:
        return [()] * len(rows)
    return list(zip(*(rows[name].tolist() for name in columns), strict=True))


def counted(rows, columns, weights=None):
    """Sum the weights of the rows by the values of some columns."""
    found = Counter()
    for row, weight in zip(
        records(rows, columns), weights_of(rows, weights), strict=True
    ):
        found[row] += weight
    return found


def weights_of(rows, weights):
    return [1.0] * len(rows) if weights is None else list(weights)


def estimate(rows, node, parents, given, states, added=0.0, weights=None):
    """Return the distribution of a node, given the states of its parents."""
    joint = counted(rows, [*parents, node], weights)
    each = {
        state: joint.get((*given, state), 0.0) + added
        for state in states[node]
    }
    total = sum(each.values())
    return {state: n / total for state, n in each.items()} if total else None


# --- Scores -----------------------------------------------------------------


def log_likelihood(rows, node, parents, states, weights=None):
    """Add the log of each row's best probability."""
    joint = counted(rows, [*parents, node], weights)
    whole = counted(rows, list(parents), weights)
    total = 0.0
    for weight, row in zip(
        weights_of(rows, weights),
        records(rows, [*parents, node]),
        strict=True,
    ):
        if weight:
            total += weight * log(joint[row] / whole[row[:-1]])
    return total


def n_parameters(node, parents, states):
    distributions = 1
    for parent in parents:
        distributions *= len(states[parent])
    return distributions * (len(states[node]) - 1)


def aic(rows, node, parents, states):
    fit = log_likelihood(rows, node, parents, states)
    return fit - n_parameters(node, parents, states)


def bic(rows, node, parents, states):
    fit = log_likelihood(rows, node, parents, states)
    return fit - log(len(rows)) / 2 * n_parameters(node, parents, states)


def predictive(rows, node, parents, states, added):
    """Predict row after row from those before, and add the logs.

    That is the marginal likelihood, by the chain rule of probability.
    """
    seen, total = Counter(), 0.0
    for *given, state in records(rows, [*parents, node]):
        given = tuple(given)
        before = sum(seen[given, other] for other in states[node])
        total += log(
            (seen[given, state] + added) / (before + added * len(states[node]))
        )
        seen[given, state] += 1
    return total


def k2(rows, node, parents, states):
    return predictive(rows, node, parents, states, 1.0)


def bdeu(rows, node, parents, states, size=1.0):
    cells = len(states[node])
    for parent in parents:
        cells *= len(states[parent])
    return predictive(rows, node, parents, states, size / cells)


LOCAL = {
    "log-likelihood": log_likelihood,
    "aic": aic,
    "bic": bic,
    "bdeu": bdeu,
    "k2": k2,
}


class Scored:
    """The score of any graph for some rows, each family computed once."""

    def __init__(self, rows, name, states=None):
        self.rows, self.local = rows, LOCAL[name]
        self.states = states or states_of(rows)
        self.known = {}

    def family(self, node, parents):
        key = node, frozenset(parents)
        if key not in self.known:
            self.known[key] = self.local(
                self.rows, node, sorted(parents), self.states
            )
        return self.known[key]

    def total(self, graph):
        return sum(self.family(node, graph.pred[node]) for node in graph)


# --- Graphs -----------------------------------------------------------------


def pattern(graph):
    """Return skeleton and v-structures: the same for equivalent graphs."""
    skeleton = frozenset(map(frozenset, graph.edges))
    vees = frozenset(
        (frozenset(pair), child)
        for child in graph
        for pair in combinations(graph.pred[child], 2)
        if frozenset(pair) not in skeleton
    )
    return skeleton, vees


def allowed(graph, required=(), forbidden=(), most=None):
    return (
        all(graph.has_edge(*edge) for edge in required)
        and not any(graph.has_edge(*edge) for edge in forbidden)
        and (most is None or max(dict(graph.in_degree).values()) <= most)
    )


def neighbours(graph):
    """Yield the graphs that one edge more, less or reversed makes."""
    for pair in combinations(graph, 2):
        for edge, turned in (pair, pair[::-1]), (pair[::-1], pair):
            other = graph.copy()
            if graph.has_edge(*edge):
                other.remove_edge(*edge)
                yield other
                other = other.copy()
                other.add_edge(*turned)
                yield other
            elif not graph.has_edge(*turned):
                other.add_edge(*edge)
                yield other


# --- EM ---------------------------------------------------------------------


def completions(tables, states, row):
    """Yield each completion of a row, with its joint probability.

    `tables` maps a node to (parents, {(parents' states..., state): p}).
    """
    choices = [
        states[node] if pd.isna(row.get(node)) else [row[node]]
        for node in tables
    ]
    for values in product(*choices):
        world = dict(zip(tables, values, strict=True))
        weight = 1.0
        for node, (parents, numbers) in tables.items():
            weight *= numbers[(*(world[p] for p in parents), world[node])]
        yield world, weight


def observed_log_likelihood(tables, states, rows):
    """Add the log of each row's probability, whatever it misses."""
    return sum(
        log(sum(p for _, p in completions(tables, states, row)))
        for row in rows.to_dict("records")
    )


def em_step(tables, states, rows, hard=False):
    """Complete each row in all ways, weighted, and count."""
    counts = Counter()
    for row in rows.to_dict("records"):
        found = list(completions(tables, states, row))
        total = sum(p for _, p in found)
        if hard:
            best = max(p for _, p in found)
            found = [next((w, p) for w, p in found if p == best)]
            total = best
        for world, p in found:
            for node, (parents, _) in tables.items():
                key = node, tuple(world[q] for q in parents), world[node]
                counts[key] += p / total
    stepped = {}
    for node, (parents, _) in tables.items():
        numbers = {}
        for given in product(*(states[parent] for parent in parents)):
            own = {s: counts[node, given, s] for s in states[node]}
            total = sum(own.values())
            for state, n in own.items():
                numbers[(*given, state)] = n / total if total else None
        stepped[node] = parents, numbers
    return stepped


def tables_of(network):
    """Copy the numbers of a network."""
    tables = {}
    for node in network.nodes:
        table = network.tables[node]
        parents = tuple(v for v in table.variables if v != node)
        numbers = {}
        for states in product(*(table.states[v] for v in table.variables)):
            world = dict(zip(table.variables, states, strict=True))
            at = tuple(
                table.states[v].index(world[v]) for v in table.variables
            )
            key = (*(world[q] for q in parents), world[node])
            numbers[key] = float(table.values[at])
        tables[node] = parents, numbers
    return tables
