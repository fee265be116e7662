r"""Irreducibility: whether a chain of single changes can go everywhere.

Gibbs sampling draws from P(x | e) only if its chain is irreducible on the
support S of this distribution, the configurations with P(x, e) > 0. Where
tables have zeros S may fall apart. If Y is a copy of X, then X=0, Y=0 and X=1,
Y=1 are possible, and no change of X alone or of Y alone leads from one to the
other:

>>> from bayesbook.network import BayesianNetwork
>>> copy = BayesianNetwork.from_cpts(
...     {"X": (0, 1), "Y": (0, 1)},
...     {"X": [0.5, 0.5], ("Y", "X"): [[1, 0], [0, 1]]},
... )
>>> print(irreducible(copy))
The Gibbs chain is reducible: it cannot get to all that is possible.
X and Y: 2 possible configurations in 2 parts that no step connects.
From X=0, Y=0 to X=1, Y=1 at least X and Y would have to change at once.
X and Y never change.
The reason: the zeros of P(Y | X).
Use likelihood_weighting, or JunctionTree(network).posteriors(evidence).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from math import prod
from textwrap import fill
from typing import NamedTuple

import networkx as nx
import numpy as np

from bayesbook.base.labels import say
from bayesbook.base.names import and_list, pluralise
from bayesbook.base.numbers import as_int
from bayesbook.network.evidence import (
    EvidenceLike,
    impossible,
    read_evidence,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.sampling.feasible_states import (
    float_factors,
    possible_states,
)
from bayesbook.network.tabular import require_network
from bayesbook.probability.axes import broadcast_over

__all__ = ["BlockedGroup", "Irreducibility", "irreducible"]

# A node is left out only if the product of its factors has at most this many
# cells.
_MAX_BUCKET = 2**14
# At most this many pairs of configurations are compared to find an example.
_MAX_PAIRS = 2**20
# The number of nodes named in a sentence, and of groups in a message.
_SHOWN, _SHOWN_GROUPS = 6, 3
_REMEDY = (
    "Use likelihood_weighting, or JunctionTree(network).posteriors(evidence)."
)


@dataclass(frozen=True)
class BlockedGroup:
    """Nodes whose possible configurations fall into several parts.

    Attributes
    ----------
    nodes : tuple of str
    n_configurations : int
        The number of possible configurations of these nodes.
    n_parts : int
        The number of parts that no step of the chain connects.
    fixed : tuple of str
        Nodes that keep one state within each part: they never change.
    example : tuple of two dicts of node to state
        Possible configurations of two parts that differ in the fewest nodes.
    tables : tuple of str
        The titles of the tables whose zeros are the reason.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> (group,) = irreducible(load_network("asia")).blocked
    >>> group.nodes, group.n_configurations, group.n_parts
    (('tub', 'lung', 'either'), 4, 2)
    >>> group.fixed
    ('either',)
    """

    nodes: tuple[str, ...]
    n_configurations: int
    n_parts: int
    fixed: tuple[str, ...]
    example: tuple[Mapping, Mapping]
    tables: tuple[str, ...]

    def __str__(self) -> str:
        one, two = self.example
        changed = [node for node in self.nodes if one[node] != two[node]]
        lines = [
            f"{_some(self.nodes)}: {self.n_configurations:,} possible "
            f"configurations in {self.n_parts:,} parts that no step connects.",
            f"From {_configuration(one, changed)} to "
            f"{_configuration(two, changed)} at least {_some(changed)} would "
            "have to change at once.",
        ]
        if self.fixed:
            verb = "changes" if len(self.fixed) == 1 else "change"
            lines.append(f"{_some(self.fixed)} never {verb}.")
        lines.append(f"The reason: the zeros of {_some(self.tables)}.")
        return "\n".join(_wrapped(line) for line in lines)


@dataclass(frozen=True)
class Irreducibility:
    """Whether the Gibbs chain is irreducible, and if not, why.

    Its truth value is true if the chain is known to be irreducible; its text
    gives the reason. Made by :func:`irreducible`.

    Attributes
    ----------
    holds : bool or None
        None if it could not be decided.
    blocked : tuple of BlockedGroup
        Groups of nodes that make the chain reducible.
    undecided : tuple of tuples of str
        Groups of nodes with too many configurations to list.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> found = irreducible(load_network("asia"))
    >>> found.holds, found.is_decided
    (False, True)
    >>> bool(irreducible(load_network("five")))
    True
    """

    holds: bool | None
    blocked: tuple[BlockedGroup, ...]
    undecided: tuple[tuple[str, ...], ...]

    @property
    def is_decided(self) -> bool:
        """Whether the question could be decided."""
        return self.holds is not None

    def __bool__(self) -> bool:
        return self.holds is True

    def __str__(self) -> str:
        if self.holds:
            return (
                "The Gibbs chain is irreducible:\nsingle changes lead from "
                "every possible configuration to every other."
            )
        if self.blocked:
            lines = [
                "The Gibbs chain is reducible: it cannot get to all that is "
                "possible.",
                *map(str, self.blocked[:_SHOWN_GROUPS]),
                _REMEDY,
            ]
            more = len(self.blocked) - _SHOWN_GROUPS
            if more > 0:
                lines.insert(
                    -1,
                    f"It is the same with {pluralise(more, 'more group')} of "
                    "nodes.",
                )
            return "\n".join(lines)
        nodes = [node for group in self.undecided for node in group]
        return "\n".join(
            [
                _wrapped(
                    "The Gibbs chain may be reducible: tables with zeros join "
                    f"{_some(nodes)}, and their possible configurations are "
                    "too many to list."
                ),
                _REMEDY,
            ]
        )


def irreducible(
    network: BayesianNetwork,
    evidence: EvidenceLike | None = None,
    *,
    max_configurations: int = 2**17,
) -> Irreducibility:
    """Decide whether Gibbs sampling can reach every possible configuration.

    Parameters
    ----------
    network : BayesianNetwork
    evidence : mapping of node to state, or to the likelihoods of its states
    max_configurations : int
        Leave the question undecided if more have to be listed.

    Returns
    -------
    Irreducibility
        True, false, or undecided, with the reason. True and false are exact.

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node or a state is unknown, or `max_configurations` is not a whole
        number, at least 1.
    ZeroProbabilityError
        If the evidence is found to be impossible.

    Notes
    -----
    The answer depends only on which probabilities are zero. An irreducible
    chain can still take very long if a transition between two regions is
    unlikely.

    Let S be the set of configurations x with P(x, e) > 0. A step of the chain
    draws one node from its distribution given all others. It leads from x to y
    exactly if both are in S and differ in this node only, so the steps are an
    undirected graph on S. If the graph is connected, sweeps lead from every
    configuration to every other, since nodes keep their states with positive
    probability; the chain is irreducible, and aperiodic. If it is not
    connected, the chain cannot leave a component. Three facts make the graph
    small.

    1. Only factors with zeros restrict S. If their nodes fall into groups such
       that no factor contains nodes of two groups, S is the product of the
       supports of the groups and of all states of the other nodes; the graph
       is the Cartesian product of the graphs of the groups, which is connected
       exactly if each of them is.
    2. A node v can be left out if it cannot block: if for any two possible
       configurations of the others that differ in one node there is a state of
       v that is possible with both. A path of the others is then a path of
       all nodes: v moves to such a state before each step, and at the end to
       any possible state. Conversely a path of all nodes is a path of the
       others if the steps of v are skipped. So the graph on S is connected
       exactly if the graph on the possible configurations of the others is.
    3. The remaining configurations are listed, and their connected components
       are found. If there are too many to list, the question is undecided.

    Examples
    --------
    In the network asia (Lauritzen and Spiegelhalter, 1988) a patient has
    `either` tuberculosis or lung cancer, or both, or neither. Between neither
    and one of them there is no single step.

    >>> from bayesbook.network import BayesianNetwork
    >>> states = dict.fromkeys(("tub", "lung", "either"), ("no", "yes"))
    >>> clinic = BayesianNetwork.from_cpts(
    ...     states,
    ...     {"tub": [0.99, 0.01], "lung": [0.945, 0.055],
    ...      ("either", "tub", "lung"): [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]},
    ... )
    >>> print(irreducible(clinic))
    The Gibbs chain is reducible: it cannot get to all that is possible.
    tub, lung and either: 4 possible configurations in 2 parts that no step
        connects.
    From tub=no, lung=no, either=no to tub=no, lung=yes, either=yes at least
        lung and either would have to change at once.
    either never changes.
    The reason: the zeros of P(either | tub, lung).
    Use likelihood_weighting, or JunctionTree(network).posteriors(evidence).
    >>> bool(irreducible(clinic, {"either": "yes"}))
    True
    """
    require_network(network)
    known = read_evidence(network, evidence)
    most = as_int(max_configurations, "The number of configurations", 1)
    constraints, kept = _constraints(network, known)
    sizes = {node: len(codes) for node, codes in kept.items()}
    core, harmless = _without_harmless(constraints, sizes)
    if any(not constraint.support.any() for constraint in core):
        raise impossible(network, known)
    blocked, undecided = [], []
    for group in _connected_groups(core):
        nodes = tuple(
            node
            for node in network.nodes
            if any(node in constraint.scope for constraint in group)
        )
        found = _configurations(group, nodes, sizes, most)
        if found is None:
            undecided.append(nodes)
            continue
        if not len(found):
            raise impossible(network, known)
        parts = _parts(found, [sizes[node] for node in nodes])
        if parts.any():
            columns = dict(zip(nodes, found.T, strict=True))
            columns = _with_determined(columns, harmless)
            tables = frozenset().union(*(c.origin for c in group))
            blocked.append(_blocked(network, kept, tables, columns, parts))
    holds = False if blocked else None if undecided else True
    return Irreducibility(holds, tuple(blocked), tuple(undecided))


class _Constraint(NamedTuple):
    """Which configurations of some nodes are possible."""

    scope: tuple[str, ...]
    support: np.ndarray
    #: The nodes whose tables say so.
    origin: frozenset[str]


def _constraints(network, known):
    """Return the factors with zeros, over the states that may be possible.

    Nodes with one such state are left out, as if they were observed.
    """
    factors = float_factors(network, known)
    left = possible_states(network, known, factors)
    kept = {node: np.flatnonzero(mask) for node, mask in left.items()}
    constraints = []
    for factor, origin in zip_longest(factors, network.nodes):
        if factor.values.all():
            continue
        places = np.ix_(*(kept[node] for node in factor.scope))
        support = (factor.values != 0)[places]
        scope = tuple(node for node in factor.scope if len(kept[node]) > 1)
        support = support.reshape([len(kept[node]) for node in scope])
        if not support.all():
            constraints.append(
                _Constraint(scope, support, frozenset({origin} - {None}))
            )
    return constraints, kept


def _without_harmless(constraints, sizes):
    """Leave out nodes that cannot block, one after the other: fact 2.

    Returned are the constraints on the other nodes; and for each node left
    out, the nodes around it and the configurations that are possible.
    """
    about, harmless = {}, []
    for constraint in constraints:
        for node in constraint.scope:
            about.setdefault(node, []).append(constraint)

    def around(node):
        scopes = (constraint.scope for constraint in about[node])
        return tuple(dict.fromkeys(n for s in scopes for n in s if n != node))

    def n_cells(node):
        return prod(sizes[other] for other in (node, *around(node)))

    waiting = dict.fromkeys(sorted(about, key=n_cells))
    while waiting:
        node = next(iter(waiting))
        del waiting[node]
        others = around(node)
        if n_cells(node) > _MAX_BUCKET:
            continue
        support = np.ones([sizes[n] for n in (*others, node)], dtype=bool)
        for constraint in about[node]:
            support &= broadcast_over(
                constraint.support, constraint.scope, (*others, node)
            )
        if _blocks(support):
            continue
        bucket = about.pop(node)
        for other in others:
            about[other] = [c for c in about[other] if node not in c.scope]
        harmless.append((node, others, support))
        origin = frozenset().union(*(c.origin for c in bucket))
        rest = _Constraint(others, support.any(axis=-1), origin)
        if not rest.support.any():
            return [rest], harmless
        if not rest.support.all():
            for other in others:
                about[other].append(rest)
        waiting |= dict.fromkeys(n for n in others if about[n])
    # Each constraint once, though it stands with several nodes.
    core = {id(c): c for some in about.values() for c in some}
    return list(core.values()), harmless


def _blocks(support):
    """Return whether the last node can block a step of the others."""
    possible = support.any(axis=-1)
    for axis in range(support.ndim - 1):
        n, n_states = support.shape[axis], support.shape[-1]
        rows = np.moveaxis(support, axis, -2).reshape(-1, n, n_states)
        ends = np.moveaxis(possible, axis, -1).reshape(-1, n)
        rows = rows.astype(np.float32)
        common = rows @ rows.transpose(0, 2, 1) > 0
        if (ends[:, :, None] & ends[:, None, :] & ~common).any():
            return True
    return False


def _connected_groups(constraints):
    """Split constraints into groups that share no node: fact 1."""
    graph = nx.Graph()
    for number, constraint in enumerate(constraints):
        graph.add_node(number)
        for node in constraint.scope:
            graph.add_edge(number, node)
    return [
        [constraints[n] for n in sorted(part & set(range(len(constraints))))]
        for part in nx.connected_components(graph)
    ]


def _configurations(constraints, nodes, sizes, most):
    """List the configurations that constraints allow, or None if too many.

    The constraints are joined one by one, always the one that adds fewest
    configurations.
    """
    columns, n_rows = {}, 1
    waiting = list(constraints)

    def growth(constraint):
        new = (node for node in constraint.scope if node not in columns)
        return prod(sizes[node] for node in new)

    while waiting:
        nearest = min(waiting, key=growth)
        waiting = [c for c in waiting if c is not nearest]
        for node in nearest.scope:
            if node in columns:
                continue
            n_rows *= sizes[node]
            if n_rows > most:
                return None
            columns = {
                n: np.repeat(codes, sizes[node])
                for n, codes in columns.items()
            }
            columns[node] = np.tile(
                np.arange(sizes[node]), n_rows // sizes[node]
            )
        is_allowed = nearest.support[tuple(columns[n] for n in nearest.scope)]
        columns = {n: codes[is_allowed] for n, codes in columns.items()}
        n_rows = int(is_allowed.sum())
    return np.column_stack([columns[node] for node in nodes])


def _parts(rows, sizes):
    """Return the number of the connected component of each row.

    Two rows that differ in one column are connected.
    """
    from scipy.sparse import coo_array  # take time to import
    from scipy.sparse.csgraph import connected_components

    # Integers of Python, since there may be more than 2**63 cells.
    strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    kind = np.int64 if prod(sizes) < 2**63 else object
    keys = rows.astype(kind) @ np.array(strides, dtype=kind)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    ends = []
    for column, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        for step in range(1, size):
            start = np.flatnonzero(rows[order, column] + step < size)
            wanted = keys[start] + step * stride
            place = np.searchsorted(keys, wanted) % len(keys)
            found = keys[place] == wanted
            ends.append((start[found], place[found]))
    one, two = (
        order[np.concatenate(part)] for part in zip(*ends, strict=True)
    )
    graph = coo_array(
        (np.ones(len(one), dtype=bool), (one, two)),
        shape=(len(rows), len(rows)),
    )
    return connected_components(graph, directed=False)[1]


def _with_determined(columns, harmless):
    """Add the nodes left out whose state follows from the configuration.

    They change only together with the others.
    """
    for node, others, support in reversed(harmless):
        if others and all(other in columns for other in others):
            choices = support[tuple(columns[other] for other in others)]
            if (choices.sum(axis=1) == 1).all():
                columns = columns | {node: choices.argmax(axis=1)}
    return columns


def _blocked(network, kept, origin, columns, parts):
    """Return a group of nodes as blocked, with an example and the reason."""
    nodes = tuple(node for node in network.nodes if node in columns)
    rows = np.column_stack([columns[node] for node in nodes])
    order = np.argsort(parts, kind="stable")
    first = np.flatnonzero(np.diff(parts[order], prepend=-1))
    is_fixed = (
        np.minimum.reduceat(rows[order], first)
        == np.maximum.reduceat(rows[order], first)
    ).all(axis=0) & (rows != rows[0]).any(axis=0)

    def named(row):
        return {
            node: network.states[node][kept[node][code]]
            for node, code in zip(nodes, row, strict=True)
        }

    return BlockedGroup(
        nodes=nodes,
        n_configurations=len(rows),
        n_parts=len(first),
        fixed=tuple(
            node for node, fixed in zip(nodes, is_fixed, strict=True) if fixed
        ),
        example=tuple(map(named, _nearest_parts(rows, parts))),
        tables=tuple(
            network.tables[node].title
            for node in network.nodes
            if node in origin
        ),
    )


def _nearest_parts(rows, parts):
    """Return configurations of two parts that differ in few nodes."""
    smallest = np.bincount(parts).argmin()
    some = rows[parts == smallest][: max(1, _MAX_PAIRS // rows.size)]
    others = rows[parts != smallest]
    distance = (some[:, None, :] != others[None, :, :]).sum(axis=-1)
    i, j = np.unravel_index(distance.argmin(), distance.shape)
    return sorted([tuple(some[i]), tuple(others[j])])


def _configuration(states, changed):
    """Return a configuration in words; of a large one some that change."""
    if len(states) <= _SHOWN:
        return say(states)
    shown = say({node: states[node] for node in changed[:_SHOWN]})
    return f"{shown}, …" if len(changed) > _SHOWN else shown


def _some(words):
    words = list(words)
    if len(words) <= _SHOWN:
        return and_list(words)
    return f"{', '.join(words[:_SHOWN])} and {len(words) - _SHOWN} more"


def _wrapped(line):
    return fill(line, 79, subsequent_indent="    ", break_long_words=False)
