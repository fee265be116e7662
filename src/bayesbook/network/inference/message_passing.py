r"""Messages in a junction tree, as operations on arrays.

Each clique :math:`C` has a table :math:`\beta_C`, at first the product of the
network's tables that were assigned to it. Towards the root a clique sends the
marginal of its table on the separator, and the receiver multiplies by it; on
the way back the receiver multiplies by the ratio of the sender's new marginal
to the message that it had sent (Jensen, Lauritzen and Olesen 1990; Koller and
Friedman 2009, section 10.3):

.. math:: \mu_C(s) = \sum_r \beta_C(s, r), \qquad
    \beta_C(s, r) \leftarrow \beta_C(s, r) \,
    \frac{\sum \beta_{\mathrm{parent}}(s)}{\mu_C(s)}

All work that does not depend on *which* states are observed is done once, in a
plan for a set of observed nodes:

* observed nodes are in no clique: their states select a part of a table;
* if no clique of a subtree has evidence, its messages towards the root are
  always the same; :math:`\beta_C(r \mid s)` is stored there, so that the way
  back is a single product;
* in a small clique one product with a 0/1 matrix gives all marginals;
* the table of a large clique is never made: its factors are multiplied two by
  two, and axes that no other factor has are summed out on the way, so that
  most of the work is products of matrices;
* no message is sent back to a subtree whose marginals are not wanted.

With a last axis of rows, each operation serves many rows of evidence at once.
"""

from __future__ import annotations

from math import inf, log, prod
from threading import Lock

import numpy as np

from bayesbook.base.numbers import SMALLEST
from bayesbook.network.inference import _limits as limits
from bayesbook.network.inference._clique_arrays import Run, arrays_of
from bayesbook.network.inference._cliques import (
    Clique,
    CliqueTable,
    matrix_of_sums,
    multiply_small,
    place_of,
)
from bayesbook.network.inference.triangulation import bits


class Plan:
    """A junction tree for a set of observed nodes, ready for their states.

    Parameters
    ----------
    axes, arrays : sequences
        The nodes (parents, then the node) and the numbers of each table.
    sizes : sequence of int
        The number of states of each node.
    tree : Cliques
        Of the nodes that are not observed.
    hard, soft : int
        The sets of nodes with an observed state, and with weights of states.
    tables : bool
        Whether the table of every clique is needed, as it is for a maximum.
    asked : int
        The set of nodes whose marginals are computed; by default all.
    delicate : bool
        Whether the tables have numbers that are too small for floats; then
        the results are NaN.
    scopes : iterable of int, optional
        Sets of nodes, each within a clique, whose joint distributions are
        computed instead of the distributions of single nodes.
    """

    def __init__(
        self,
        axes,
        arrays,
        sizes,
        tree,
        hard,
        soft,
        tables=False,
        asked=-1,
        delicate=False,
        scopes=None,
    ):
        self.sizes = sizes
        self.n_cells = tree.n_cells
        self._lock = Lock()
        self._runs = {}
        self._given = arrays
        self._constants = []
        places = {node: i for i, node in enumerate(tree.order)}
        put = [[] for _ in tree.members]
        for family, values in zip(axes, arrays, strict=True):
            free = [node for node in family if not hard >> node & 1]
            if free:
                first = min(free, key=places.__getitem__)
                put[tree.home[first]].append((family, values))
            else:
                self._add_constant(family, values)
        weighted = [[] for _ in tree.members]
        for node in bits(soft & ~hard):
            weighted[tree.home[node]].append(node)
        self.cliques = self._rooted(tree, put, weighted, hard, asked)
        for clique, i in zip(self.cliques, self._numbers, strict=True):
            clique.soft = weighted[i]
            factors = [
                CliqueTable.of(family, values, clique.axes, hard)
                for family, values in put[i]
            ]
            if not tables:
                factors = multiply_small(factors, clique.size)
            for factor in factors:
                if factor.observed:
                    clique.lookups.append(factor.lookup())
                else:
                    clique.factors.append(factor.values)
        self.log_constant = 0.0
        if scopes is None:
            self._ask_nodes(asked)
        else:
            self._ask_scopes(scopes)
        self._place_outputs()
        self._is_delicate = delicate
        if not (tables or delicate):
            try:
                with np.errstate(under="raise"):
                    self._keep()
            except FloatingPointError:
                self._is_delicate = True

    def _add_constant(self, family, values):
        steps = np.cumprod([1, *values.shape[:0:-1]])[::-1].tolist()
        logs = self._logs(values).ravel()
        self._constants.append((tuple(zip(family, steps)), logs))  # noqa: B905

    @staticmethod
    def _logs(values):
        with np.errstate(divide="ignore"):
            return np.log(values)

    def _rooted(self, tree, put, weighted, hard, asked):
        """Order the cliques, roots first.

        A root has evidence if any clique has. But if the marginals of only
        some nodes are wanted, the root is the clique with most of them, so
        that few messages are sent back.
        """
        around = [[] for _ in tree.members]
        for child, parent in enumerate(tree.parents):
            if parent >= 0:
                around[child].append(parent)
                around[parent].append(child)

        def has_evidence(i):
            return bool(weighted[i]) or any(
                hard >> node & 1 for family, _ in put[i] for node in family
            )

        def rank(i):
            if asked < 0:
                return not has_evidence(i), tree.parents[i] >= 0, i
            size = prod(self.sizes[node] for node in bits(tree.members[i]))
            return -(tree.members[i] & asked).bit_count(), size, i

        cliques, self._numbers = [], []
        found = {}
        starts = sorted(range(len(around)), key=rank)
        for start in starts:
            if start in found:
                continue
            stack = [(start, None, 0)]
            while stack:
                i, parent, shared = stack.pop()
                members = tree.members[i]
                before = () if parent is None else parent.axes
                separator = [n for n in before if shared >> n & 1]
                rest = bits(members & ~shared)
                clique = Clique(parent, separator, rest, self.sizes)
                found[i] = clique
                cliques.append(clique)
                self._numbers.append(i)
                if parent is not None:
                    parent.children.append(clique)
                stack += [
                    (j, clique, members & tree.members[j])
                    for j in around[i]
                    if j not in found
                ]
        return cliques

    def _ask_nodes(self, asked):
        """Decide where the distribution of each node is read."""
        home, smallest = {}, {}
        for clique in self.cliques:
            # If only some are wanted, as near to the root as possible.
            size = clique.size if asked < 0 else 0
            for node in clique.axes:
                if asked >> node & 1 and size < smallest.get(node, inf):
                    smallest[node], home[node] = size, clique
        for node, clique in home.items():
            clique.outputs.append((node,))

    def _ask_scopes(self, scopes):
        """Decide where the joint distribution of each set of nodes is read."""
        members = [
            (sum(1 << n for n in c.axes), c.size, c) for c in self.cliques
        ]
        for scope in scopes:
            clique = min(
                (entry for entry in members if scope & ~entry[0] == 0),
                key=lambda entry: entry[1],
            )[2]
            axes = tuple(n for n in clique.axes if scope >> n & 1)
            clique.outputs.append(axes)

    def _place_outputs(self):
        """Decide where each marginal is written."""
        for clique in reversed(self.cliques):
            clique.asked = [c for c in clique.children if c.is_asked]
            clique.is_asked = bool(clique.outputs or clique.asked)
        #: The place of the distribution of a node; of several nodes, by the
        #: tuple of its axes.
        self.slices, self.separators, stop = {}, {}, 0
        for clique in self.cliques:
            clique.start = stop
            outputs = clique.outputs
            clique.outputs = []
            for axes in outputs:
                clique.outputs.append((axes, stop))
                size = prod(self.sizes[node] for node in axes)
                key = axes[0] if len(axes) == 1 else axes
                self.slices[key] = slice(stop, stop + size)
                stop += size
            if clique.is_large or not clique.is_asked:
                continue
            places = dict(clique.outputs)
            for child in clique.asked:
                if child.separator not in places:
                    places[child.separator] = stop
                    clique.outputs.append((child.separator, stop))
                    stop += child.n_separator
                start = places[child.separator]
                place = slice(start, start + child.n_separator)
                self.separators[id(child)] = place
            clique.stop = stop
            if (stop - clique.start) * clique.size <= limits.MATRIX:
                clique.matrix = matrix_of_sums(clique)
        self.n_outputs = stop
        # Behind the outputs: the messages of a large clique to its children,
        # each without the child's own message.
        for clique in self.cliques:
            if clique.is_large:
                for child in clique.asked:
                    clique.outputs.append((child.separator, stop))
                    place = slice(stop, stop + child.n_separator)
                    self.separators[id(child)] = place
                    stop += child.n_separator
        self.n_places = stop

    def _keep(self):
        """Send the messages of the parts of the tree without evidence."""
        for clique in reversed(self.cliques):
            if (
                clique.lookups
                or clique.soft
                or any(child.up is None for child in clique.children)
            ):
                continue
            step = arrays_of(self, clique, None, None)
            step.messages = [
                step.message_of(child, child.up) for child in clique.children
            ]
            step.collect({}, {})
            up = step.up
            if step.table is not None and clique.is_asked:
                table = step.table.reshape(clique.n_separator, -1)
                clique.kept = table / np.maximum(up, SMALLEST)[:, None]
            scale = up.max()
            if scale > 0:
                self.log_constant += log(scale)
                clique.scale = scale
                up = up / scale
            clique.up = up

    def run(self, codes, weights, rows=None, *, distribute=True):
        """Propagate evidence.

        Parameters
        ----------
        codes : mapping of node to number of state, or to an array of them
        weights : mapping of node to array
            Of shape (n_states,), or (n_states, rows).
        rows : int, optional
            How many rows of evidence there are, if they are many.
        distribute : bool
            Without it only the probability of the evidence is computed.

        Returns
        -------
        log_evidence : float or array
            Minus infinity, or NaN if numbers were too small to be sure.
        outputs : array of shape (n_outputs,) or (n_outputs, rows), or None
            The marginals, at `slices`; meaningless where the logarithm is
            NaN.
        """
        if self._is_delicate:
            return np.full(() if rows is None else rows, np.nan)[()], None
        with self._lock:
            run = self._runs.get(rows)
            if run is None:
                # Arrays are kept for few numbers of rows.
                if len(self._runs) > 2:
                    self._runs.clear()
                run = self._runs[rows] = Run(self, rows)
            total = run.collect(codes, weights, self.constants(codes))
            if not distribute or np.isnan(total).all():
                return total, None
            run.distribute()
            # Rounding may lead beyond one.
            outputs = run.outputs[: self.n_outputs]
            return total, np.minimum(outputs, 1.0)

    @property
    def n_rows(self):
        """The number of rows of evidence that it has arrays for."""
        return sum(rows or 1 for rows in [*self._runs]) or 1

    @property
    def n_bytes(self):
        """The number of bytes that it holds, without the tables given."""
        arrays = []
        for thing in [*self.cliques, *self._runs.values()]:
            arrays += thing.arrays
        owners = {id(a): a for a in map(_owner, arrays)}
        for array in self._given:
            owners.pop(id(_owner(array)), None)
        return sum(array.nbytes for array in owners.values())

    def joint(self, names, codes, weights):
        """Return the joint distribution of nodes that are in one clique."""
        if self._is_delicate:
            return np.nan, None
        clique = self._smallest(names)
        with self._lock:
            run = Run(self, None)
            total = run.collect(codes, weights, self.constants(codes))
            if not total > -inf:
                return total, None
            run.distribute()
            (step,) = (s for s in run.steps if s.clique is clique)
            return total, step.marginal(names)

    def _smallest(self, names):
        return min(
            (c for c in self.cliques if {*names} <= {*c.axes}),
            key=lambda c: c.size,
        )

    def constants(self, codes):
        """Return the logarithm of the factors whose nodes are all observed."""
        total = self.log_constant
        for steps, logs in self._constants:
            total = total + logs[place_of(steps, codes)]
        return total


def _owner(array):
    """Return the array that owns the memory of an array."""
    return array if array.base is None else array.base
