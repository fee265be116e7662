"""Messages of one run: the arrays of small and of large cliques.

The table of a small clique is made, and summed. That of a large clique is
never made: its factors are multiplied two by two, and the axes that no other
factor has are summed out on the way.
"""

from __future__ import annotations

from math import log, prod

import numpy as np

from bayesbook.base.numbers import SMALLEST
from bayesbook.network.inference import _limits as limits
from bayesbook.network.inference._cliques import place_of
from bayesbook.network.inference._contraction import Contraction
from bayesbook.network.inference._sums import marginal, summed


class Run:
    """The arrays of one propagation, or of one of many rows at once."""

    def __init__(self, plan, rows):
        self.rows = rows
        self._tail = tail = () if rows is None else (rows,)
        self.outputs = np.zeros((plan.n_places, *tail))
        steps = [
            arrays_of(plan, clique, rows, self.outputs)
            for clique in plan.cliques
            if clique.up is None or clique.is_asked
        ]
        self.steps = [step for step in steps if step.is_asked]
        self._upwards = [s for s in reversed(steps) if s.clique.up is None]
        messages = {id(step.clique): step.up for step in self._upwards}
        for step in steps:
            if step.clique.kept is None:
                step.messages = [
                    step.message_of(child, messages.get(id(child), child.up))
                    for child in step.clique.children
                ]

    @property
    def arrays(self):
        """The arrays that it holds."""
        held = [self.outputs]
        for step in {*self.steps, *self._upwards}:
            values = [*vars(step).values(), *(v for _, v in step.lookups)]
            held += [
                array for array in values if isinstance(array, np.ndarray)
            ]
            for contraction in step.contractions:
                held += contraction.arrays
        return held

    def collect(self, codes, weights, constant):
        """Send messages to the roots.

        `constant` is the logarithm of the factors that are in no clique.

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
            # With scaled messages, a number that underflows in one clique
            # might have counted in the next: then an error is raised.
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
                if scale < limits.SAFE_SUM:
                    return np.nan
                total += log(scale)
            else:
                lost = scale < limits.SAFE_SUM
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


def arrays_of(plan, clique, rows, outputs):
    kind = LargeClique if clique.is_large else SmallClique
    return kind(plan, clique, rows, outputs)


class CliqueArrays:
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
                    # A large parent leaves this clique's message out already.
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
        """Yield the parts of the tables at the observed states."""
        for steps, values in self.lookups:
            place = place_of(steps, codes)
            if self.rows is None:
                yield values[place]
            else:
                yield np.take(values, place, axis=-1)

    def find_ratio(self):
        """Compute the ratio of the separator's new to its old marginal."""
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


class SmallClique(CliqueArrays):
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


class LargeClique(CliqueArrays):
    """A clique of which only factors and marginals are made.

    Axes of length one are left out: they need no sum.
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
        # No factor may contain nodes that a query has put into the clique.
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
        if plan.n_cells <= limits.MOST_CELLS:
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
        """The contractions towards the root and away from it."""
        ups = [self.contract_up] if self.clique.up is None else []
        downs = self.reductions if self.is_asked else []
        return [*ups, *(contraction for contraction, _ in downs)]

    def _groups(self, outputs):
        """Group marginals whose joint distribution has few cells."""
        groups = []
        for output in outputs:
            for group in groups:
                nodes = {*output[0]}.union(*(axes for axes, _ in group))
                if prod(self.sizes[node] for node in nodes) <= limits.GROUP:
                    group.append(output)
                    break
            else:
                groups.append([output])
        return groups

    def _reduction(self, group, outputs, left_out=None):
        """Plan some marginals; `left_out` is the message that is answered."""
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
                found_marginal = summed(found, drop)
                out[...] = found_marginal.reshape(out.shape)

    def marginal(self, names):
        found = self._contraction(self.all_axes, names)(self.arrays)
        return found.reshape([self.sizes[node] for node in names])
