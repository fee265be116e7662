r"""The engine of the junction tree: messages as operations on arrays.

Each clique :math:`C` has a table :math:`\beta_C`, at first the product of the
factors that were assigned to it. Towards the root a clique sends the marginal
of its table on the separator, and the receiver multiplies by it; on the way
back the receiver multiplies by the ratio of the sender's new marginal to the
message that it had sent (Jensen, Lauritzen and Olesen 1990; Koller and
Friedman 2009, section 10.3):

.. math:: \mu_C(s) = \sum_r \beta_C(s, r), \qquad
    \beta_C(s, r) \leftarrow \beta_C(s, r) \,
    \frac{\sum \beta_{\mathrm{parent}}(s)}{\mu_C(s)}

:mod:`~bayesbook.network.inference.message_passing` does the same with
factors, for readers. Here all that does not depend on *which* states are
observed is done once: where each factor and each message meets the axes of a
clique, and which sums are wanted. With a last axis of rows, each operation
serves many rows of evidence at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import inf, prod

import numpy as np

from bayesbook.base.numbers import SMALLEST, logs_of
from bayesbook.network.factor import Factor, unchecked_factor
from bayesbook.network.inference.triangulation import Cliques
from bayesbook.probability.axes import broadcast_over

# A clique's sums are one product with a 0/1 matrix that has at most this many
# entries. In a tree of small cliques that takes a third of the time.
_MATRIX = 16_384
# A smaller sum may have lost digits: it is computed again, with scaling.
_SAFE_SUM = 1e-250

Scope = tuple[str, ...]


class CompiledTree:
    """A junction tree for a set of observed nodes, ready for their states.

    Parameters
    ----------
    factors : sequence of Factor
        With the observed nodes; of floats.
    cliques : Cliques
        Of the nodes that are not observed.
    hard, soft : collection of str
        The nodes with an observed state, and with weights of their states.
    scopes : iterable of tuple of str, optional
        The joint distributions that are computed, each within a clique; by
        default those of single nodes.
    """

    def __init__(
        self,
        factors: Sequence[Factor],
        cliques: Cliques,
        hard: Iterable[str] = (),
        soft: Iterable[str] = (),
        scopes: Iterable[Scope] | None = None,
    ):
        self.n_cells = cliques.n_cells
        states = {n: s for factor in factors for n, s in factor.states.items()}
        self._states = states
        self._cliques: list[_Clique] = []
        for number, parent in enumerate(cliques.parents):
            above = self._cliques[parent] if parent >= 0 else None
            clique = _Clique(cliques.members[number], above, states)
            if above is not None:
                shape = above.spread(clique.separator)
                above.children.append((number, shape))
                above.sums.append(clique.separator)
            self._cliques.append(clique)
        #: The factors that are in no clique: logarithms by observed states.
        self._constants = []
        hard = {*hard}
        for factor in factors:
            free = [node for node in factor.scope if node not in hard]
            if free:
                self._cliques[cliques.holder(free)].add(factor, hard)
            else:
                logs = unchecked_factor(
                    self._logs(factor.values), factor.states
                )
                self._constants.append(_Lookup(logs, hard, ()))
        for node in soft:
            clique = self._cliques[cliques.home[node]]
            clique.soft.append((node, clique.spread((node,))))
        self._ask(
            ((node,) for node in cliques.home) if scopes is None else scopes
        )

    _logs = staticmethod(logs_of)

    def _ask(self, scopes):
        """Read each distribution from the smallest clique that has it."""
        self._asked = {}
        about: dict[str, list[_Clique]] = {}
        for clique in self._cliques:
            for node in clique.scope:
                about.setdefault(node, []).append(clique)
        for scope in scopes:
            rarest = min(scope, key=lambda node: len(about[node]))
            home = min(
                (c for c in about[rarest] if {*scope} <= {*c.scope}),
                key=lambda c: c.size,
            )
            home.asked.append(scope)
            home.sums.append(scope)
            self._asked[scope] = {node: self._states[node] for node in scope}
        for clique in self._cliques:
            clique.prepare_sums()

    def run(
        self,
        codes: Mapping[str, int],
        weights: Mapping[str, np.ndarray],
    ) -> tuple[float, dict[Scope, Factor]]:
        """Propagate one row of evidence.

        Parameters
        ----------
        codes : mapping of node to number of state
        weights : mapping of node to array of shape (n_states,)

        Returns
        -------
        log_evidence : float
            Minus infinity if the evidence is impossible; NaN if numbers were
            too small to be sure.
        distributions : dict of scope to Factor
            Empty if there is none.
        """
        total, found = self._propagate(codes, weights, ())
        return float(total), {
            scope: unchecked_factor(values, self._asked[scope])
            for scope, values in found.items()
        }

    def run_rows(
        self,
        codes: Mapping[str, np.ndarray],
        weights: Mapping[str, np.ndarray],
        n_rows: int,
    ) -> tuple[np.ndarray, dict[Scope, np.ndarray]]:
        """Propagate many rows of evidence.

        Parameters
        ----------
        codes : mapping of node to array of shape (n_rows,)
        weights : mapping of node to array of shape (n_states, n_rows)
        n_rows : int

        Returns
        -------
        log_evidence : array of shape (n_rows,)
            As in :meth:`run`.
        distributions : dict of scope to array
            With a last axis of rows; meaningless where the logarithm is NaN
            or infinite, and empty if all are NaN.
        """
        total, found = self._propagate(codes, weights, (n_rows,))
        return np.array(np.broadcast_to(total, n_rows)), found

    def _propagate(self, codes, weights, rows):
        with np.errstate(all="ignore"):
            collected = self._collect(codes, weights, rows)
            if np.isnan(collected[0]).any():
                collected = self._collect(codes, weights, rows, scaled=True)
            total, tables, messages = collected
            if not np.any(total > -inf):
                return total, {}
            return total, self._distribute(tables, messages, rows)

    def _collect(self, codes, weights, rows, scaled=False):
        """Send messages to the roots.

        Most evidence needs no scaling. With it a message is divided by its
        largest number; what underflows in spite of that might have counted
        in the next clique.

        Returns
        -------
        log_evidence : float or array
            NaN where digits, or all of them, may be lost.
        tables : list of arrays
        messages : list of pairs of arrays
            The message of each clique as it is sent, and as it was.
        """
        total = self._constant(codes)
        tables = [None] * len(self._cliques)
        messages = [None] * len(self._cliques)
        try:
            with np.errstate(under="raise" if scaled else "ignore"):
                for i in reversed(range(len(tables))):
                    clique = self._cliques[i]
                    table = clique.table(codes, weights, messages, rows)
                    sent = sums = clique.message(table, rows)
                    if scaled or clique.is_root:
                        scale = sums.max(axis=0)
                        lost = scale < _SAFE_SUM
                        total = total + np.log(np.where(lost, np.nan, scale))
                    if scaled:
                        sent = sums / scale
                    tables[i], messages[i] = table, (sent, sums)
        except FloatingPointError:
            return np.full(rows, np.nan), [], []
        return total, tables, messages

    def _distribute(self, tables, messages, rows):
        """Send messages away from the roots; return the distributions."""
        found, from_parent = {}, {}
        for i, clique in enumerate(self._cliques):
            _, old = messages[i]
            new = 1.0 if clique.is_root else from_parent.pop(i)
            # Where the old one is zero the new one is, too.
            ratio = new / np.maximum(old, SMALLEST)
            table = tables[i].reshape(clique.n_separator, -1, *rows)
            table *= ratio[:, None]
            tables[i] = None
            marginals = clique.marginals(table, rows)
            for child, _ in clique.children:
                size = self._cliques[child].n_separator
                from_parent[child] = next(marginals).reshape(size, *rows)
            found |= zip(clique.asked, marginals, strict=True)
        return found

    def _constant(self, codes):
        """Return the logarithm of the factors that are in no clique."""
        return sum((logs.at(codes) for logs in self._constants), 0.0)


class LogTree(CompiledTree):
    """A junction tree that works on logarithms, in which nothing underflows.

    It takes several times as long, so it is used for evidence whose numbers
    are too small for floats, and for maxima. Its factors, and its weights, are
    logarithms; and there is one row of evidence.
    """

    @staticmethod
    def _logs(values):
        return values

    def maximise(
        self, codes: Mapping[str, int], weights: Mapping[str, np.ndarray]
    ) -> tuple[float, dict[str, int]]:
        """Return the greatest log-probability, and states that have it."""
        total, tables, _ = self._collect(codes, weights, (), np.maximum.reduce)
        states: dict[str, int] = {}
        if total == -inf:
            return total, states
        for clique, table in zip(self._cliques, tables, strict=True):
            place = tuple(states.get(n, slice(None)) for n in clique.scope)
            part = table[place]
            free = [node for node in clique.scope if node not in states]
            best = np.unravel_index(np.argmax(part), part.shape)
            states |= zip(free, map(int, best), strict=True)
        return float(total), states

    def _collect(
        self, codes, weights, rows, reduce_=np.logaddexp.reduce, scaled=False
    ):
        total = self._constant(codes)
        tables = [None] * len(self._cliques)
        messages = [None] * len(self._cliques)
        for i in reversed(range(len(tables))):
            clique = self._cliques[i]
            table = clique.table(codes, weights, messages, rows, np.add)
            sums = reduce_(table.reshape(clique.n_separator, -1), axis=1)
            tables[i], messages[i] = table, (sums,)
            if clique.is_root:
                total = total + sums[0]
        return total, tables, messages

    def _distribute(self, tables, messages, rows):
        found, from_parent = {}, {}
        for i, clique in enumerate(self._cliques):
            (sums,) = messages[i]
            new = from_parent.pop(i, np.zeros(1))
            change = new.ravel() - np.where(sums > -inf, sums, 0.0)
            table = tables[i] + change.reshape(clique.spread(clique.separator))
            tables[i] = None
            for (child, _), separator in zip(  # noqa: B905
                clique.children, clique.sums
            ):
                from_parent[child] = clique.log_marginal(table, separator)
            for scope in clique.asked:
                logs = clique.log_marginal(table, scope)
                found[scope] = np.minimum(np.exp(logs), 1.0)
        return found


class _Clique:
    """What a clique needs that does not depend on which states are observed.

    Its axes are those of the separator, in the order that they have in the
    parent, and then the others: so a message needs no other order of axes.
    """

    def __init__(self, members, parent, states):
        self.is_root = parent is None
        above = () if parent is None else parent.scope
        self.separator = tuple(node for node in above if node in members)
        rest = (node for node in members if node not in self.separator)
        self.scope = (*self.separator, *rest)
        self.shape = tuple(len(states[node]) for node in self.scope)
        self.size = prod(self.shape)
        self.n_separator = prod(self.shape[: len(self.separator)])
        #: The number of each child, and the shape of its message here.
        self.children = []
        #: Factors without observed nodes, and factors with some.
        self.factors, self.lookups = [], []
        #: Nodes with weights of their states, and the shape of these.
        self.soft = []
        #: The distributions that are read here; and before them in `sums`
        #: the separators of the children.
        self.asked, self.sums = [], []
        self.matrix = None

    def add(self, factor, hard):
        """Add a factor."""
        if hard.isdisjoint(factor.scope):
            values = np.ascontiguousarray(factor.aligned(self.scope))
            self.factors.append(values)
        else:
            self.lookups.append(_Lookup(factor, hard, self.scope))

    def spread(self, nodes):
        """Return the shape of the table, with length 1 for other nodes."""
        return tuple(
            size if node in nodes else 1
            for node, size in zip(self.scope, self.shape, strict=True)
        )

    def table(self, codes, weights, messages, rows, combine=np.multiply):
        """Return the product of the factors, the weights and the messages."""
        arrays = list(self.factors)
        if rows:
            arrays = [array[..., None] for array in arrays]
        arrays += [lookup.at(codes) for lookup in self.lookups]
        arrays += [
            weights[node].reshape(shape + rows) for node, shape in self.soft
        ]
        arrays += [
            messages[child][0].reshape(shape + rows)
            for child, shape in self.children
        ]
        if not arrays:
            neutral = 1.0 if combine is np.multiply else 0.0
            arrays = [np.full([1] * (len(self.shape) + len(rows)), neutral)]
        # Small ones first: few products have all axes.
        arrays.sort(key=lambda array: array.size)
        shape = self.shape + rows
        table, is_whole = arrays[0], False
        for array in arrays[1:]:
            table = combine(table, array, out=table if is_whole else None)
            is_whole = table.shape == shape
        return table if is_whole else np.array(np.broadcast_to(table, shape))

    def message(self, table, rows):
        """Return the sum of a table over all nodes but the separator."""
        table = table.reshape(self.n_separator, -1, *rows)
        return np.einsum("sr...->s...", table)

    def prepare_sums(self):
        """Decide how messages to children and distributions are summed."""
        self.shapes = [
            tuple(self.shape[self.scope.index(node)] for node in scope)
            for scope in self.sums
        ]
        ends = list(accumulate(map(prod, self.shapes), initial=0))
        self.places = list(map(slice, ends, ends[1:]))
        if self.sums and ends[-1] * self.size <= _MATRIX:
            kept = tuple(
                tuple(self.scope.index(node) for node in scope)
                for scope in self.sums
            )
            self.matrix = _matrix_of_sums(self.shape, kept)

    def marginals(self, table, rows):
        """Yield the messages to the children, then the distributions.

        Rounding may lead beyond one, which is cut off.
        """
        if self.matrix is not None:
            sums = self.matrix @ table.reshape(self.size, *rows)
            sums = np.minimum(sums, 1.0)
            for place, shape in zip(self.places, self.shapes, strict=True):
                yield sums[place].reshape(shape + rows)
            return
        table = table.reshape(self.shape + rows)
        axes = range(table.ndim)
        for scope in self.sums:
            keep = [*map(self.scope.index, scope), *axes[len(self.scope) :]]
            yield np.minimum(np.einsum(table, axes, keep), 1.0)

    def log_marginal(self, table, scope):
        """Return the logarithm of one sum of a table of logarithms."""
        drop = tuple(i for i, n in enumerate(self.scope) if n not in scope)
        left = [node for node in self.scope if node in scope]
        sums = np.logaddexp.reduce(table, axis=drop)
        return broadcast_over(sums, left, scope)


class _Lookup:
    """A factor with observed nodes: their states select a part of it."""

    def __init__(self, factor, hard, scope):
        observed = [node for node in factor.scope if node in hard]
        values = factor.aligned((*observed, *scope))
        sizes = values.shape[: len(observed)]
        self._steps = [
            (node, prod(sizes[i + 1 :])) for i, node in enumerate(observed)
        ]
        values = np.ascontiguousarray(values)
        self._values = values.reshape(prod(sizes), *values.shape[len(sizes) :])

    def at(self, codes):
        """Return the part, with a last axis of rows if the codes have one."""
        place = sum(codes[node] * step for node, step in self._steps)
        part = self._values[place]
        return np.moveaxis(part, 0, -1) if np.ndim(place) else part


@lru_cache(512)
def _matrix_of_sums(shape, kept):
    """Return a 0/1 matrix that sums a flat table over all axes but some.

    The rows of several such sums follow each other.
    """
    cells = np.arange(prod(shape)).reshape(shape)
    rows = []
    for keep in kept:
        rest = [axis for axis in range(len(shape)) if axis not in keep]
        n = prod(shape[axis] for axis in keep)
        rows += [*cells.transpose((*keep, *rest)).reshape(n, -1)]
    matrix = np.zeros((len(rows), cells.size))
    for row, summed in zip(matrix, rows, strict=True):
        row[summed] = 1.0
    matrix.setflags(write=False)
    return matrix
