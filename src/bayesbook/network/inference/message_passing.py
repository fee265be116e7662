r"""Messages in a junction tree, as operations on arrays.

Each clique :math:`C` has a table :math:`\beta_C`, at first the product of the
network's tables that were put there. Towards the root a clique sends what it
sums to on its separator, and the receiver multiplies; on the way back the
receiver multiplies by what the sender's marginal has changed by (Jensen,
Lauritzen and Olesen 1990; Koller and Friedman 2009, section 10.3):

.. math:: \mu_C(s) = \sum_r \beta_C(s, r), \qquad
    \beta_C(s, r) \leftarrow \beta_C(s, r) \,
    \frac{\sum \beta_{\mathrm{parent}}(s)}{\mu_C(s)}

All that does not depend on *which* states are observed is done once, in a
plan for a set of observed nodes:

* observed nodes are in no clique: their state picks a part of a table;
* below a clique without evidence the messages towards the root are always
  the same; what is kept there is :math:`\beta_C(r \mid s)`, so that the way
  back is a single product;
* in a small clique one product with a matrix of 0 and 1 gives all marginals;
* the table of a large clique is never made: its factors are multiplied two by
  two, and what no other factor has is summed out on the way, so that most of
  the work is products of matrices;
* where no marginal is asked for, nothing is sent back.

With a last axis of rows, each operation serves many rows of evidence at once.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf, log, prod
from threading import Lock

import numpy as np

from bayesbook.base.numbers import SMALLEST
from bayesbook.network.inference._contraction import (
    Contraction,
    marginal,
    summed,
)
from bayesbook.network.inference.triangulation import bits

# A 0/1 matrix for the marginals of a clique has at most so many entries.
_MATRIX = 16_384
# Tables with more cells are not made, but for a maximum.
_TABLE = 30_000
# Factors of a clique are multiplied beforehand if no more cells come of it.
_GROUP = 4_096
# A smaller sum may have lost digits: it is computed again, with scaling.
_SMALL = 1e-250
# In larger trees arrays are brought into order each time: copies would take
# memory.
_MOST_CELLS = 20_000_000


class _Factor:
    """A table whose observed axes come first: (e1, ..., clique axes ...).

    A clique axis that the table does not have has length 1.
    """

    __slots__ = ("observed", "values")

    def __init__(self, observed, values):
        self.observed = observed
        self.values = values

    @classmethod
    def of(cls, axes, values, clique, hard):
        """Bring a table of a network into the order of a clique."""
        observed = tuple(sorted(node for node in axes if hard >> node & 1))
        own = [node for node in clique if node in axes]
        order = [axes.index(node) for node in (*observed, *own)]
        sizes = dict(zip(axes, values.shape, strict=True))
        shape = [sizes[node] for node in observed]
        shape += [sizes.get(node, 1) for node in clique]
        values = np.ascontiguousarray(values.transpose(order))
        return cls(observed, values.reshape(shape))

    def times(self, other):
        """Multiply two tables of the same clique."""
        if self.observed == other.observed:
            return _Factor(self.observed, self.values * other.values)
        union = tuple(sorted({*self.observed, *other.observed}))
        return _Factor(union, self._spread(union) * other._spread(union))

    def _spread(self, union):
        if self.observed == union:
            return self.values
        shape = iter(self.values.shape[: len(self.observed)])
        front = [next(shape) if n in self.observed else 1 for n in union]
        return self.values.reshape(
            *front, *self.values.shape[len(self.observed) :]
        )

    def size_with(self, other):
        """Return how many cells the product would have."""
        sizes = dict(zip(self.observed, self.values.shape, strict=False))
        sizes |= dict(zip(other.observed, other.values.shape, strict=False))
        one = self.values.shape[len(self.observed) :]
        two = other.values.shape[len(other.observed) :]
        return prod(sizes.values()) * prod(map(max, one, two))

    def lookup(self):
        """Return the steps of the observed states, and the flattened array."""
        n = len(self.observed)
        front, back = self.values.shape[:n], self.values.shape[n:]
        steps = [prod(front[i + 1 :]) for i in range(n)]
        values = np.ascontiguousarray(self.values)
        return (
            tuple(zip(self.observed, steps, strict=True)),
            values.reshape(prod(front), *back),
        )


class _Clique:
    """What is known of a clique before the states observed are.

    The axes of its table are those of the separator, in the order that they
    have in the parent, and then the others.
    """

    def __init__(self, parent, separator, rest, sizes):
        # Not the parent itself: what points to each other is freed late.
        self.is_root = parent is None
        self.is_below_large = not self.is_root and parent.is_large
        self.separator = tuple(separator)
        self.axes = (*separator, *rest)
        self.shape = tuple(sizes[node] for node in self.axes)
        self.size = prod(self.shape)
        self.is_large = self.size > _TABLE
        self.n_separator = prod(self.shape[: len(separator)])
        self.children = []
        #: Arrays that are the same for all evidence, beside the table.
        self.factors = []
        #: Steps from observed states to the first axis of arrays.
        self.lookups = []
        #: Nodes with soft evidence.
        self.soft = []
        #: The axes of each marginal, and where it is written.
        self.outputs = []
        #: Whether there are marginals here or below, and children with some.
        self.is_asked, self.asked = True, []
        #: The message to the parent, if it is the same for all evidence,
        self.up = None
        #: what it was divided by,
        self.scale = None
        #: and the table, divided by both.
        self.kept = None
        #: The order of axes in which a large parent sends to a large clique.
        self.received = None
        #: From the flat table to all marginals, if the clique is small.
        self.matrix = None

    @property
    def arrays(self):
        """The arrays that it holds."""
        own = [*self.factors, *(values for _, values in self.lookups)]
        own += [self.up, self.kept, self.matrix]
        return [array for array in own if array is not None]

    def spread(self, nodes):
        """Return the shape of an array of some of the axes beside the table."""
        return tuple(
            size if node in nodes else 1
            for node, size in zip(self.axes, self.shape, strict=True)
        )


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
        Whether there are numbers that are too small for it; then nothing is
        sure.
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
                _Factor.of(family, values, clique.axes, hard)
                for family, values in put[i]
            ]
            if not tables:
                factors = _grouped(factors, clique.size)
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

        A root has evidence if any clique has; but if only some nodes are
        asked for, it is where most of them are, so that no message has to be
        sent back.
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
                clique = _Clique(parent, separator, rest, self.sizes)
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
            # If only some are asked for, as near to the root as can be.
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
                (own for own in members if scope & ~own[0] == 0),
                key=lambda own: own[1],
            )[2]
            axes = tuple(n for n in clique.axes if scope >> n & 1)
            clique.outputs.append(axes)

    def _place_outputs(self):
        """Decide where each marginal is written."""
        for clique in reversed(self.cliques):
            clique.asked = [c for c in clique.children if c.is_asked]
            clique.is_asked = bool(clique.outputs or clique.asked)
        #: Where the distribution of a node is; and that of several nodes, by the tuple
        #: of its axes.
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
                own = slice(start, start + child.n_separator)
                self.separators[id(child)] = own
            clique.stop = stop
            if (stop - clique.start) * clique.size <= _MATRIX:
                clique.matrix = _matrix(clique)
        self.n_outputs = stop
        # Behind what is given back: a large clique sends to each child what
        # the others know.
        for clique in self.cliques:
            if clique.is_large:
                for child in clique.asked:
                    clique.outputs.append((child.separator, stop))
                    own = slice(stop, stop + child.n_separator)
                    self.separators[id(child)] = own
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
            step = _step(self, clique, None, None)
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
            The marginals, at `slices`; of no meaning where there is no
            logarithm.
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
            # Roundings may lead beyond one.
            outputs = run.outputs[: self.n_outputs]
            return total, np.minimum(outputs[: self.n_outputs], 1.0)

    @property
    def n_rows(self):
        """How many rows of evidence it has arrays for."""
        return sum(rows or 1 for rows in [*self._runs]) or 1

    @property
    def n_bytes(self):
        """How many bytes it has taken, beside the tables it was given."""
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
        """Return the logarithm of the factors in which all is observed."""
        total = self.log_constant
        for steps, logs in self._constants:
            total = total + logs[_place(steps, codes)]
        return total


class LogPlan(Plan):
    """A plan for logarithms, in which no product is too small.

    It takes several times as long and makes the tables of all cliques, so it
    is for evidence whose numbers are too small otherwise, and for maxima. All
    that it is given are logarithms: the numbers of the tables, and weights.
    """

    def __init__(self, *args, scopes=None):
        super().__init__(*args, tables=True, scopes=scopes)

    @staticmethod
    def _logs(values):
        return values

    def run(self, codes, weights):
        """Return the logarithm of the evidence, and the marginals."""
        total, tables = self._calibrate(codes, weights)
        outputs = np.zeros(self.n_places)
        for clique, table in zip(self.cliques, tables, strict=False):
            for axes, start in clique.outputs:
                distribution = np.exp(self._sum(clique, table, axes))
                outputs[start : start + distribution.size] = distribution
        return total, np.minimum(outputs[: self.n_outputs], 1.0)

    def joint(self, names, codes, weights):
        """Return the joint distribution of nodes that are in one clique."""
        total, tables = self._calibrate(codes, weights)
        if total == -inf:
            return total, None
        clique = self._smallest(names)
        table = np.exp(tables[self.cliques.index(clique)])
        return total, marginal(table, clique.axes, names)

    def _calibrate(self, codes, weights):
        """Return the logarithm of each clique's distribution."""
        total, tables, ups = self._collect(codes, weights, np.logaddexp.reduce)
        if total == -inf:
            return total, []
        downs, found = {}, []
        for clique in self.cliques:
            up = ups[id(clique)]
            change = downs.get(id(clique), 0.0) - np.where(up > -inf, up, 0.0)
            shape = clique.spread(clique.separator)
            table = tables[id(clique)] + change.reshape(shape)
            for child in clique.children:
                downs[id(child)] = self._sum(clique, table, child.separator)
            found.append(table)
        return total, found

    def maximise(self, codes, weights):
        """Return the greatest log-probability, and states that have it."""
        total, tables, _ = self._collect(codes, weights, np.maximum.reduce)
        states = {}
        if total == -inf:
            return total, states
        for clique in self.cliques:
            place = tuple(
                states.get(node, slice(None)) for node in clique.axes
            )
            part = tables[id(clique)][place]
            free = [node for node in clique.axes if node not in states]
            best = np.unravel_index(np.argmax(part), part.shape)
            states |= zip(free, map(int, best), strict=True)
        return total, states

    def _collect(self, codes, weights, reduce_):
        """Return the sum of the roots, and each clique's table and message."""
        total = self.constants(codes)
        tables, ups = {}, {}
        for clique in reversed(self.cliques):
            table = np.zeros(clique.shape)
            for logs in clique.factors:
                table += logs
            for steps, logs in clique.lookups:
                table += logs[_place(steps, codes)]
            for node in clique.soft:
                table += weights[node].reshape(clique.spread((node,)))
            for child in clique.children:
                shape = clique.spread(child.separator)
                table += ups[id(child)].reshape(shape)
            tables[id(clique)] = table
            up = reduce_(table.reshape(clique.n_separator, -1), axis=1)
            ups[id(clique)] = up
            if clique.is_root:
                total = total + float(up[0])
        return total, tables, ups

    @staticmethod
    def _sum(clique, table, keep):
        axes = tuple(i for i, n in enumerate(clique.axes) if n not in keep)
        return np.logaddexp.reduce(table, axis=axes).reshape(-1)


def _owner(array):
    """Return the array whose memory it is, if this is a view of it."""
    return array if array.base is None else array.base


def _place(steps, codes):
    """Return the place of observed states along the first axis of an array."""
    place = 0
    for node, step in steps:
        place = place + codes[node] * step
    return place


class Run:
    """The arrays of one propagation, or of one of many rows at once."""

    def __init__(self, plan, rows):
        self.rows = rows
        self._tail = tail = () if rows is None else (rows,)
        self.outputs = np.zeros((plan.n_places, *tail))
        steps = [
            _step(plan, clique, rows, self.outputs)
            for clique in plan.cliques
            if clique.up is None or clique.is_asked
        ]
        self.steps = [step for step in steps if step.is_asked]
        self._upwards = [s for s in reversed(steps) if s.clique.up is None]
        own = {id(step.clique): step.up for step in self._upwards}
        for step in steps:
            if step.clique.kept is None:
                step.messages = [
                    step.message_of(child, own.get(id(child), child.up))
                    for child in step.clique.children
                ]

    @property
    def arrays(self):
        """The arrays that it holds."""
        held = [self.outputs]
        for step in {*self.steps, *self._upwards}:
            own = [*vars(step).values(), *(v for _, v in step.lookups)]
            held += [array for array in own if isinstance(array, np.ndarray)]
            for contraction in step.contractions:
                held += contraction.arrays
        return held

    def collect(self, codes, weights, constant):
        """Send messages to the roots.

        `constant` is the logarithm of what is in no clique.

        Returns
        -------
        float or array
            The logarithm of the sum; NaN where numbers were so small that
            digits, or all of them, may be lost.
        """
        total = np.nan
        if self.rows is None:
            total = self._collect(codes, weights, self._scale_roots)
            total += constant
        if np.isscalar(total) and np.isnan(total):
            # What is lost in one clique might have counted in the next, when
            # messages are scaled in between.
            try:
                with np.errstate(under="raise"):
                    total = self._collect(codes, weights, self._scale)
                    total = total + constant
            except FloatingPointError:
                total = np.full(self._tail, np.nan)[()]
        return total

    def _collect(self, codes, weights, scale_of):
        total = 0.0
        for step in self._upwards:
            step.collect(codes, weights)
            step.scale = scale = scale_of(step)
            if scale is None:
                continue
            if self.rows is None:
                if scale < _SMALL:
                    return np.nan
                total += log(scale)
            else:
                lost = scale < _SMALL
                step.scale = scale = np.where(lost, 1.0, scale)
                total = total + np.where(lost, np.nan, np.log(scale))
            step.up /= scale
        return total

    @staticmethod
    def _scale(step):
        return step.up.max(axis=0)

    @staticmethod
    def _scale_roots(step):
        return step.up[0] if step.clique.is_root else None

    def distribute(self):
        """Send messages away from the roots; fill in the marginals."""
        for step in self.steps:
            step.distribute()


def _step(plan, clique, rows, outputs):
    kind = _Large if clique.is_large else _Small
    return kind(plan, clique, rows, outputs)


class _Step:
    """The arrays of a clique in a run."""

    table = None
    contractions = ()

    def __init__(self, plan, clique, rows, outputs):
        self.clique = clique
        self.rows = rows
        self.tail = () if rows is None else (rows,)
        self.one = (1,) * len(self.tail)
        n = clique.n_separator
        self.scale = clique.scale
        if clique.up is None:
            self.up = np.empty((n, *self.tail))
        else:
            self.up = clique.up.reshape(n, *self.one)
        if clique.kept is None:
            self.safe = np.empty((n, *self.tail))
            self.ratio = np.ones((n, *self.tail))
        self.is_root = clique.is_root
        self.is_asked = outputs is not None and clique.is_asked
        if self.is_asked:
            if not clique.is_large:
                self.out = outputs[clique.start : clique.stop]
            if not self.is_root:
                self.down = outputs[plan.separators[id(clique)]]
                if clique.is_below_large:
                    # What it sends leaves the own message out already.
                    self.ratio = self.down
        self.lookups = [
            (
                steps,
                values
                if rows is None
                else np.ascontiguousarray(np.moveaxis(values, 0, -1)),
            )
            for steps, values in clique.lookups
        ]

    def picked(self, codes):
        """Return the parts of tables that the observed states pick."""
        for steps, values in self.lookups:
            place = _place(steps, codes)
            if self.rows is None:
                yield values[place]
            else:
                yield np.take(values, place, axis=-1)

    def find_ratio(self):
        """Compute what the separator's marginal has changed by."""
        if self.is_root:
            # The marginals of the root are to sum to one.
            if self.scale is not None:
                np.divide(1.0, self.scale, out=self.ratio)
            return
        if not self.clique.is_below_large:
            np.maximum(self.up, SMALLEST, out=self.safe)
            np.divide(self.down, self.safe, out=self.ratio)
        if self.scale is not None and np.any(self.scale != 1.0):
            self.ratio /= self.scale


class _Small(_Step):
    """A clique whose table is made."""

    def __init__(self, plan, clique, rows, outputs):
        super().__init__(plan, clique, rows, outputs)
        n, tail = clique.n_separator, self.tail
        self.table = np.empty(clique.shape + tail)
        self.flat = self.table.reshape(clique.size, *tail)
        self.split = self.table.reshape(n, clique.size // n, *tail)
        self.messages = []
        if self.is_asked and not self.is_root:
            self.down_column = self.down[:, None]
        if self.is_asked and clique.matrix is None:
            self.sums = [
                self._sum(axes, outputs[start:])
                for axes, start in clique.outputs
            ]
        if clique.kept is not None:
            self.kept = clique.kept.reshape(*clique.kept.shape, *self.one)
            return
        self.ones = np.ones(clique.size // n)
        self.ratio_column = self.ratio[:, None]
        self.constant = [
            values.reshape(*values.shape, *self.one)
            for values in clique.factors
        ]
        self.soft = [
            (node, clique.spread((node,)) + tail) for node in clique.soft
        ]

    def _sum(self, keep, out):
        axes, shape = self.clique.axes, self.clique.shape
        drop = tuple(i for i, node in enumerate(axes) if node not in keep)
        return drop, out[: prod(shape) // prod(shape[i] for i in drop)]

    def message_of(self, child, up):
        """Return the message of a child in the shape of the table."""
        # A message that is the same for all rows has an axis of length 1.
        tail = self.one if child.up is not None else up.shape[1:]
        return up.reshape(self.clique.spread(child.separator) + tail)

    def multiply(self, codes, weights):
        table = self.table
        factors = [*self.constant, *self.messages, *self.picked(codes)]
        for node, shape in self.soft:
            factors.append(weights[node].reshape(shape))
        if len(factors) == 1:
            np.copyto(table, factors[0])
            return
        np.multiply(factors[0], factors[1], out=table)
        for factor in factors[2:]:
            np.multiply(table, factor, out=table)

    def collect(self, codes, weights):
        self.multiply(codes, weights)
        if self.rows is None:
            np.dot(self.split, self.ones, out=self.up)
        else:
            np.add.reduce(self.split, axis=1, out=self.up)

    def distribute(self):
        if self.clique.kept is None:
            self.find_ratio()
            np.multiply(self.split, self.ratio_column, out=self.split)
        elif self.is_root:
            np.copyto(self.split, self.kept)
        else:
            if self.clique.is_below_large:
                self.down *= self.up
            np.multiply(self.kept, self.down_column, out=self.split)
        if self.clique.matrix is not None:
            np.dot(self.clique.matrix, self.flat, out=self.out)
        else:
            for drop, out in self.sums:
                out[...] = summed(self.table, drop).reshape(out.shape)

    def marginal(self, names):
        return marginal(self.table, self.clique.axes, names)


class _Large(_Step):
    """A clique of which only factors and marginals are made.

    An axis of length one has nothing to be summed: it is left out.
    """

    def __init__(self, plan, clique, rows, outputs):
        super().__init__(plan, clique, rows, outputs)
        self.arrays = []
        # The rows are one more axis, which all results have.
        self.sizes = [*plan.sizes, rows or 1]
        self.row_axis = () if rows is None else (len(plan.sizes),)
        fixed = [self._axes(values) for values in clique.factors]
        messages = [self._wide(c.separator) for c in clique.children]
        dynamic = [self._axes(values[0]) for _, values in clique.lookups]
        dynamic += [self._wide((node,)) for node in clique.soft]
        self.constant = [values.squeeze() for values in clique.factors]
        # Nothing may be known of nodes that are together by wish only.
        known = {*()}.union(*fixed, *messages, *dynamic)
        if alone := self._wide(n for n in clique.axes if n not in known):
            fixed.append(alone)
            self.constant.append(np.ones(self._shape(alone)))
        dynamic = [axes + self.row_axis for axes in dynamic]
        self.axes = [*fixed, *messages, *dynamic]
        for i, child in enumerate(clique.children, len(self.constant)):
            if child.up is None:
                self.axes[i] += self.row_axis
        self.fixed = {}
        if plan.n_cells <= _MOST_CELLS:
            self.fixed |= enumerate(self.constant)
            for i, child in enumerate(clique.children, len(self.constant)):
                if child.up is not None:
                    self.fixed[i] = self.message_of(child, child.up)
        self.separator = self._wide(clique.separator) + self.row_axis
        if self.is_asked and rows is None and clique.received:
            self.separator = clique.received
        if clique.up is None:
            self.contract_up = self._contraction(self.axes, clique.separator)
        self.all_axes = [*self.axes, self.separator]
        if self.is_asked:
            children = {
                plan.separators[id(child)].start: i
                for i, child in enumerate(clique.children, len(fixed))
                if child.is_asked
            }
            single = [o for o in clique.outputs if o[1] not in children]
            self.reductions = [
                self._reduction(group, outputs)
                for group in self._groups(single)
            ]
            for output in clique.outputs:
                if output[1] in children:
                    left_out = children[output[1]]
                    reduction = self._reduction([output], outputs, left_out)
                    self.reductions.append(reduction)
                    child = clique.children[left_out - len(fixed)]
                    if child.is_large:
                        child.received = reduction[0].axes

    @property
    def contractions(self):
        """What it computes, towards the root and away from it."""
        ups = [self.contract_up] if self.clique.up is None else []
        downs = self.reductions if self.is_asked else []
        return [*ups, *(contraction for contraction, _ in downs)]

    def _groups(self, outputs):
        """Put marginals together whose joint distribution has few cells."""
        groups = []
        for output in outputs:
            for group in groups:
                nodes = {*output[0]}.union(*(axes for axes, _ in group))
                if prod(self.sizes[node] for node in nodes) <= _GROUP:
                    group.append(output)
                    break
            else:
                groups.append([output])
        return groups

    def _reduction(self, group, outputs, left_out=None):
        """Plan some marginals; without one array, if it is to answer it."""
        places = [i for i in range(len(self.all_axes)) if i != left_out]
        operands = [self.all_axes[i] for i in places]
        if len(group) == 1:
            ((keep, start),) = group
        else:
            nodes = {*()}.union(*(axes for axes, _ in group))
            keep = tuple(n for n in self.clique.axes if n in nodes)
        to_large = (
            left_out is not None
            and self.rows is None
            and self.clique.children[left_out - len(self.constant)].is_large
        )
        contraction = self._contraction(operands, keep, places, to_large)
        wide = self._wide(keep)
        sums = []
        for axes, start in group:
            drop = tuple(i for i, n in enumerate(wide) if n not in axes)
            out = outputs[start : start + prod(self.sizes[n] for n in axes)]
            sums.append((drop, out))
        return contraction, sums

    def _wide(self, axes):
        return tuple(node for node in axes if self.sizes[node] > 1)

    def _axes(self, values):
        shape = zip(self.clique.axes, values.shape, strict=True)
        return tuple(node for node, size in shape if size > 1)

    def _shape(self, axes):
        return tuple(self.sizes[node] for node in axes)

    def _contraction(self, operands, keep, places=None, as_made=False):
        return Contraction(
            operands,
            self._wide(keep) + self.row_axis,
            self.sizes,
            places,
            self.fixed,
            as_made,
        )

    def message_of(self, child, up):
        """Return the message of a child with an axis for each node."""
        shape = self._shape(self._wide(child.separator))
        # A message that is the same for all rows has no axis of rows.
        return up.reshape(shape + up.shape[1:] * (child.up is None))

    def gather(self, codes, weights):
        n = len(self.constant) + len(self.messages)
        arrays = [*self.constant, *self.messages, *self.picked(codes)]
        arrays += (weights[node] for node in self.clique.soft)
        self.arrays = [
            *arrays[:n],
            *(
                array.reshape(self._shape(axes))
                for array, axes in zip(arrays[n:], self.axes[n:], strict=True)
            ),
        ]

    def collect(self, codes, weights):
        self.gather(codes, weights)
        self.up[...] = self.contract_up(self.arrays).reshape(self.up.shape)

    def distribute(self):
        if self.clique.up is not None:
            self.gather({}, {})
        self.find_ratio()
        self.arrays.append(self.ratio.reshape(self._shape(self.separator)))
        known = {}
        for contraction, sums in self.reductions:
            found = contraction(self.arrays, known)
            for drop, out in sums:
                own = summed(found, drop)
                out[...] = own.reshape(out.shape)

    def marginal(self, names):
        found = self._contraction(self.all_axes, names)(self.arrays)
        return found.reshape([self.sizes[node] for node in names])


def _grouped(factors, most):
    """Multiply factors as long as their products stay small."""
    groups = []
    for factor in sorted(factors, key=lambda f: len(f.observed)):
        # Without observed nodes it is no larger than the clique.
        fits = most <= _GROUP and not factor.observed
        limit = _GROUP if factor.observed else max(most, _GROUP)
        # Not all groups are tried, since there may be thousands.
        for i in range(max(len(groups) - 4, 0), len(groups)):
            if fits or groups[i].size_with(factor) <= limit:
                groups[i] = groups[i].times(factor)
                break
        else:
            groups.append(factor)
    return groups


def _matrix(clique):
    """Return the matrix that sums the table of a clique to all its outputs."""
    places = {node: i for i, node in enumerate(clique.axes)}
    keeps = (tuple(places[n] for n in axes) for axes, _ in clique.outputs)
    return _sums_of(clique.shape, tuple(keeps))


@lru_cache(512)
def _sums_of(shape, keeps):
    """Return a matrix of 0 and 1: the sums of a table over all axes but some."""
    cells = np.arange(prod(shape)).reshape(shape)
    parts = []
    for keep in keeps:
        rest = [axis for axis in range(len(shape)) if axis not in keep]
        n = prod(shape[axis] for axis in keep)
        parts += [*cells.transpose((*keep, *rest)).reshape(n, -1)]
    matrix = np.zeros((len(parts), cells.size))
    for row, part in zip(matrix, parts, strict=True):
        row[part] = 1.0
    matrix.setflags(write=False)
    return matrix
