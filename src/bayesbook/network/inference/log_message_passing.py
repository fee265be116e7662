"""Messages in a junction tree as logarithms, and the most probable states."""

from __future__ import annotations

from math import inf

import numpy as np

from bayesbook.network.inference._cliques import place_of
from bayesbook.network.inference._sums import marginal
from bayesbook.network.inference.message_passing import Plan


class LogPlan(Plan):
    """A plan that works on logarithms, in which no product is too small.

    It takes several times as long and makes the tables of all cliques, so it
    is used for evidence whose numbers are too small for floats, and for
    maxima. The numbers of the tables and the weights are given as logarithms.
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
                table += logs[place_of(steps, codes)]
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
