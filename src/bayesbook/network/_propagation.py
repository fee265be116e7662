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
* in a small clique one product with a matrix of 0 and 1 gives all marginals.

With a last axis of rows, each operation serves many rows of evidence at once.
"""

from __future__ import annotations

from math import inf, log, prod
from threading import Lock

import numpy as np

from bayesbook.network._triangulation import bits

# A 0/1 matrix for the marginals of a clique has at most so many entries.
_MATRIX = 16_384
# Larger cliques without evidence are not kept, because that takes a copy.
_KEPT = 1_000_000
# Factors of a clique are multiplied beforehand if no more cells come of it.
_GROUP = 4_096
# A smaller sum may have lost digits: it is computed again, with scaling.
_SMALL = 1e-250
# Instead of zero in a denominator whose numerator is zero too.
_TINY = 1e-300


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
        return cls(observed, values.transpose(order).reshape(shape))

    def times(self, other):
        """Multiply, in cells without doubt about the order of the axes."""
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
        """Give how many cells the product would have."""
        sizes = dict(zip(self.observed, self.values.shape, strict=False))
        sizes |= dict(zip(other.observed, other.values.shape, strict=False))
        one = self.values.shape[len(self.observed) :]
        two = other.values.shape[len(other.observed) :]
        return prod(sizes.values()) * prod(map(max, one, two))

    def lookup(self):
        """Give the steps of the observed states, and the flattened array."""
        n = len(self.observed)
        front, back = self.values.shape[:n], self.values.shape[n:]
        steps = [prod(front[i + 1 :]) for i in range(n)]
        values = np.ascontiguousarray(self.values)
        return (
            tuple(zip(self.observed, steps, strict=True)),
            values.reshape(prod(front), *back),
        )


class _Clique:
    """What is known of a clique before the states observed are."""

    __slots__ = (
        "axes",
        "children",
        "factors",
        "in_parent",
        "kept",
        "lookups",
        "matrix",
        "n_separator",
        "outputs",
        "parent",
        "shape",
        "soft",
        "start",
        "stop",
        "up",
    )

    def __init__(self, parent, axes, n_separator, sizes):
        self.parent = parent
        self.axes = axes
        self.shape = tuple(sizes[node] for node in axes)
        #: How many cells the separator has, whose axes are the first ones.
        self.n_separator = prod(self.shape[:n_separator])
        self.in_parent = ()
        self.children = []
        self.factors = []
        self.soft = []
        self.outputs = []
        self.kept = self.up = self.matrix = None

    @property
    def size(self):
        return prod(self.shape)

    def spread(self, nodes):
        """Give the shape of an array of some of the axes beside the table."""
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
    keep : bool
        Whether messages of parts without evidence are computed beforehand;
        only sums are.
    """

    def __init__(self, axes, arrays, sizes, tree, hard, soft, keep=True):
        self.sizes = sizes
        self.n_cells = tree.n_cells
        self._lock = Lock()
        self._runs = {}
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
        self.cliques = self._rooted(tree, put, weighted, hard)
        for clique, i in zip(self.cliques, self._numbers, strict=True):
            clique.factors = _grouped(
                [
                    _Factor.of(family, values, clique.axes, hard)
                    for family, values in put[i]
                ]
            )
            clique.lookups = [f.lookup() for f in clique.factors if f.observed]
            clique.factors = [
                f.values for f in clique.factors if not f.observed
            ]
            clique.soft = weighted[i]
        self._place_outputs(tree)
        self.log_constant = 0.0
        if keep:
            self._keep()

    def _add_constant(self, family, values):
        steps = np.cumprod([1, *values.shape[:0:-1]])[::-1].tolist()
        with np.errstate(divide="ignore"):
            logs = np.log(values.ravel())
        self._constants.append((tuple(zip(family, steps)), logs))  # noqa: B905

    def _rooted(self, tree, put, weighted, hard):
        """Order the cliques, roots first; a root has evidence if any has."""
        around = [[] for _ in tree.members]
        for child, parent in enumerate(tree.parents):
            if parent >= 0:
                around[child].append(parent)
                around[parent].append(child)

        def has_evidence(i):
            return bool(weighted[i]) or any(
                hard >> node & 1 for family, _ in put[i] for node in family
            )

        cliques, self._numbers = [], []
        found = {}
        starts = sorted(
            range(len(around)),
            key=lambda i: (not has_evidence(i), tree.parents[i] >= 0, i),
        )
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
                clique = _Clique(
                    parent, (*separator, *rest), len(separator), self.sizes
                )
                found[i] = clique
                cliques.append(clique)
                self._numbers.append(i)
                if parent is not None:
                    clique.in_parent = parent.spread(separator)
                    parent.children.append(clique)
                stack += [
                    (j, clique, members & tree.members[j])
                    for j in around[i]
                    if j not in found
                ]
        return cliques

    def _place_outputs(self, tree):
        """Decide where each marginal is read, and where it is written."""
        home, smallest = {}, {}
        for clique in self.cliques:
            size = clique.size
            for node in clique.axes:
                if size < smallest.get(node, inf):
                    smallest[node], home[node] = size, clique
        for node, clique in home.items():
            clique.outputs.append((node,))
        self.slices, self.separators, stop = {}, {}, 0
        for clique in self.cliques:
            clique.start = stop
            outputs = []
            for axes in clique.outputs:
                (node,) = axes
                outputs.append((axes, stop))
                self.slices[node] = slice(stop, stop + self.sizes[node])
                stop += self.sizes[node]
            for child in clique.children:
                axes = tuple(
                    node
                    for node, size in zip(
                        clique.axes, child.in_parent, strict=True
                    )
                    if node in child.axes
                )
                outputs.append((axes, stop))
                self.separators[id(child)] = slice(
                    stop, stop + child.n_separator
                )
                stop += child.n_separator
            clique.stop = stop
            clique.outputs = outputs
            rows = stop - clique.start
            if 0 < rows * clique.size <= _MATRIX:
                clique.matrix = _matrix(clique, rows)
        self.n_outputs = stop

    def _keep(self):
        """Send the messages of the parts of the tree without evidence."""
        for clique in reversed(self.cliques):
            if (
                clique.lookups
                or clique.soft
                or clique.size > _KEPT
                or any(child.kept is None for child in clique.children)
            ):
                continue
            table = np.ones(clique.shape)
            for values in clique.factors:
                table *= values
            for child in clique.children:
                table *= child.up.reshape(child.in_parent)
            table = table.reshape(clique.n_separator, -1)
            up = table.sum(axis=1)
            clique.kept = table / np.maximum(up, _TINY)[:, None]
            if scale := up.max():
                self.log_constant += log(scale)
                up /= scale
            clique.up = up

    # -- one row of evidence ----------------------------------------------

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
            Minus infinity if the evidence is impossible.
        outputs : array of shape (n_outputs,) or (n_outputs, rows)
            The marginals, at `slices`; of no meaning for impossible rows.
        """
        with self._lock:
            run = self._runs.get(rows)
            if run is None:
                # For few numbers of rows only: buffers take memory.
                if len(self._runs) > 2:
                    self._runs.clear()
                run = self._runs[rows] = Run(self, rows)
            total = run.collect(codes, weights)
            if distribute and np.max(total, initial=-inf) > -inf:
                run.distribute()
                return total, run.outputs.copy()
            return total, None

    def table_of(self, names, codes, weights):
        """Give the joint law of nodes that are in one clique."""
        wanted = {*names}
        clique = min(
            (c for c in self.cliques if wanted <= {*c.axes}),
            key=lambda c: c.size,
        )
        with self._lock:
            run = Run(self, None)
            total = run.collect(codes, weights)
            if total == -inf:
                return total, None
            run.distribute()
            table = run.tables[self.cliques.index(clique)]
        drop = tuple(
            i for i, node in enumerate(clique.axes) if node not in wanted
        )
        left = [node for node in clique.axes if node in wanted]
        table = table.sum(axis=drop)
        return total, table.transpose([left.index(node) for node in names])

    def maximise(self, codes, weights):
        """Give the most probable states of all free nodes, by max-product."""
        run = Run(self, None)
        total = run.collect(codes, weights, maximum=True)
        states = {}
        if total == -inf:
            return total, states
        for clique, table in zip(self.cliques, run.tables, strict=True):
            place = tuple(
                states.get(node, slice(None)) for node in clique.axes
            )
            free = [node for node in clique.axes if node not in states]
            if not free:
                continue
            part = table[place]
            best = np.unravel_index(np.argmax(part), part.shape)
            states |= zip(free, map(int, best), strict=True)
        return total, states

    def constants(self, codes):
        """Give the logarithm of the factors in which all is observed."""
        total = self.log_constant
        for steps, logs in self._constants:
            total = (
                total + logs[sum(codes[node] * step for node, step in steps)]
            )
        return total


class Run:
    """The arrays that one propagation, or one of many rows, works in."""

    def __init__(self, plan, rows):
        self.plan = plan
        self.rows = rows
        tail = () if rows is None else (rows,)
        self._tail = tail
        self.outputs = np.zeros((plan.n_outputs, *tail))
        self.tables, self._steps = [], []
        ups = {}
        one = (1,) * len(tail)
        for clique in plan.cliques:
            table = np.empty(clique.shape + tail)
            self.tables.append(table)
            n = clique.n_separator
            up = np.empty((n, *tail)) if clique.up is None else None
            if clique.up is not None:
                up = clique.up.reshape(n, *one)
            if clique.parent is not None:
                ups[id(clique)] = up.reshape(clique.in_parent + up.shape[1:])
            step = _Step()
            step.clique = clique
            step.table = table
            step.matrix = clique.matrix
            step.flat = table.reshape(clique.size, *tail)
            step.split = table.reshape(n, clique.size // n, *tail)
            step.up = up
            step.up_column = up[:, None]
            step.safe = np.empty_like(up)
            step.ratio = np.empty((n, *tail))
            step.ratio_column = step.ratio[:, None]
            step.ones = np.ones(clique.size // n)
            step.out = self.outputs[clique.start : clique.stop]
            if clique.kept is not None:
                kept = clique.kept
                step.kept = kept.reshape(*kept.shape, *one)
            else:
                step.kept = None
            where = plan.separators.get(id(clique))
            if where is not None:
                step.down = self.outputs[where]
                step.down_column = step.down[:, None]
            step.constant = [
                values.reshape(*values.shape, *one)
                for values in clique.factors
            ]
            step.lookups = [
                (
                    steps,
                    values
                    if rows is None
                    else np.ascontiguousarray(np.moveaxis(values, 0, -1)),
                )
                for steps, values in clique.lookups
            ]
            step.soft = [
                (node, clique.spread((node,))) for node in clique.soft
            ]
            if clique.matrix is None:
                step.reductions = [
                    (
                        _Reduction(clique, axes),
                        _part(self.outputs, clique, axes, start),
                    )
                    for axes, start in clique.outputs
                ]
            self._steps.append(step)
        for step in self._steps:
            step.messages = [ups[id(child)] for child in step.clique.children]

    def collect(self, codes, weights, *, maximum=False):
        """Send messages towards the roots; give the log of their sum."""
        scaled = maximum or self.rows is not None
        total = self._collect(codes, weights, scaled, maximum)
        if not scaled and total is None:
            total = self._collect(codes, weights, True, False)
        return total

    def _collect(self, codes, weights, scaled, maximum):
        logs = self.plan.constants(codes)
        for step in reversed(self._steps):
            if step.kept is not None:
                continue
            table = step.table
            factors = step.constant + step.messages
            for steps, values in step.lookups:
                place = 0
                for node, factor in steps:
                    place = place + codes[node] * factor
                factors.append(
                    values[place]
                    if self.rows is None
                    else np.take(values, place, axis=-1)
                )
            for node, shape in step.soft:
                factors.append(weights[node].reshape(shape + self._tail))
            if len(factors) > 1:
                np.multiply(factors[0], factors[1], out=table)
                for factor in factors[2:]:
                    np.multiply(table, factor, out=table)
            else:
                np.copyto(table, factors[0] if factors else 1.0)
            if maximum:
                np.maximum.reduce(step.split, axis=1, out=step.up)
            elif self.rows is None:
                np.dot(step.split, step.ones, out=step.up)
            else:
                np.add.reduce(step.split, axis=1, out=step.up)
            is_root = step.clique.parent is None
            if is_root or scaled:
                scale = step.up.max(axis=0) if scaled else step.up[0]
                if self.rows is None:
                    if not scaled and scale < _SMALL:
                        return None
                    if not scale > 0:
                        return -inf
                    logs += log(scale)
                else:
                    with np.errstate(divide="ignore"):
                        logs = logs + np.log(scale)
                    scale = np.where(scale > 0, scale, 1.0)
                if is_root:
                    table /= scale
                else:
                    step.up /= scale
                    step.scale = scale
            else:
                step.scale = None
        return logs

    def distribute(self):
        """Send messages away from the roots; fill in the marginals."""
        for step in self._steps:
            if step.clique.parent is None:
                if step.kept is not None:
                    step.split[...] = step.kept
            elif step.kept is not None:
                np.multiply(step.kept, step.down_column, out=step.split)
            else:
                np.maximum(step.up, _TINY, out=step.safe)
                np.divide(step.down, step.safe, out=step.ratio)
                if step.scale is not None:
                    step.ratio /= step.scale
                np.multiply(step.split, step.ratio_column, out=step.split)
            if step.matrix is not None:
                np.dot(step.matrix, step.flat, out=step.out)
            else:
                for reduction, out in step.reductions:
                    reduction(step.table, self._tail, out)


class _Step:
    """The arrays of a clique in a run."""


class _Reduction:
    """The sum of a table over all axes but some."""

    def __init__(self, clique, keep):
        blocks = []
        for node, size in zip(clique.axes, clique.shape, strict=True):
            if blocks and blocks[-1][0] == (node in keep):
                blocks[-1][1] *= size
            else:
                blocks.append([node in keep, size])
        self.first = self.last = None
        self.shape = [size for _, size in blocks]
        self.drop = tuple(i for i, (kept, _) in enumerate(blocks) if not kept)
        # Products with a vector of ones are several times as fast as sums.
        self.last = blocks.pop()[1] if len(blocks) and not blocks[-1][0] else 1
        self.first = blocks.pop(0)[1] if blocks and not blocks[0][0] else 1
        self.middle = [size for _, size in blocks]
        self.drop_middle = tuple(
            i for i, (kept, _) in enumerate(blocks) if not kept
        )

    def __call__(self, table, tail, out):
        if tail:
            table = table.reshape(*self.shape, *tail)
            out[...] = table.sum(axis=self.drop).reshape(out.shape)
            return
        part = table.reshape(-1)
        if self.last > 1:
            part = part.reshape(-1, self.last) @ np.ones(self.last)
        if self.first > 1:
            part = np.ones(self.first) @ part.reshape(self.first, -1)
        if self.drop_middle:
            part = part.reshape(self.middle).sum(axis=self.drop_middle)
        out[...] = part.reshape(out.shape)


def _part(outputs, clique, axes, start):
    size = prod(
        size
        for node, size in zip(clique.axes, clique.shape, strict=True)
        if node in axes
    )
    return outputs[start : start + size]


def _grouped(factors):
    """Multiply factors as long as their products stay small."""
    plain = [factor for factor in factors if not factor.observed]
    groups = []
    for factor in plain[1:]:
        plain[0] = plain[0].times(factor)
    groups = plain[:1]
    for factor in factors:
        if not factor.observed:
            continue
        if groups and groups[-1].size_with(factor) <= _GROUP:
            groups[-1] = groups[-1].times(factor)
        else:
            groups.append(factor)
    return groups


def _matrix(clique, rows):
    """Give the matrix that sums the table of a clique to all its outputs."""
    matrix = np.zeros((rows, *clique.shape))
    cells = np.indices(clique.shape, sparse=True)
    for axes, start in clique.outputs:
        row = start - clique.start
        step = 1
        for node, cell, size in zip(
            clique.axes[::-1], cells[::-1], clique.shape[::-1], strict=True
        ):
            if node in axes:
                row = row + cell * step
                step *= size
        matrix[(row, *cells)] = 1.0
    return matrix.reshape(rows, -1)
