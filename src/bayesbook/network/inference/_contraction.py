"""Sums of products of arrays.

An array has an axis for each of some nodes, which are numbers. A sum over some
axes of a product of arrays is done two arrays at a time, as products of
matrices.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import prod

import numpy as np

from bayesbook.network.inference._sums import summed

# Many products of matrices with fewer terms than this are done at once.
_TINY_PRODUCT = 100
# Of this many arrays all orders of multiplication are compared; of up to six
# if the sum has many terms, so that the search pays.
_ORDERED, _MORE_ORDERED, _MANY_TERMS = 4, 6, 200_000
# Larger arrays are brought into order each time: copies would take memory.
_LARGEST_COPY = 1_000_000


class Contraction:
    """The sum of a product of arrays over all axes but some.

    The whole product is never made: two arrays at a time are replaced by their
    product, summed over the axes that no other array has, which is a product
    of matrices.

    Parameters
    ----------
    operands : list of tuple
        The axes of each array.
    keep : iterable
        The axes of the result.
    sizes : sequence of int
    places : sequence of int, optional
        The indices of the arrays to multiply; by default all.
    fixed : dict, optional
        The arrays that are the same in every call, by their index.
    as_made : bool
        Whether the result may have its axes in another order, which saves a
        copy: that of `axes`.
    """

    def __init__(
        self, operands, keep, sizes, places=None, fixed=None, as_made=False
    ):
        self.steps = []
        self.places = [*(places or range(len(operands)))]
        # The result is constant along axes that no array has.
        known = frozenset().union(*operands)
        rest = tuple(node for node in keep if node not in known)
        self.more = [np.ones([sizes[node] for node in rest])] if rest else []
        operands = [*operands, rest] if rest else operands
        live = dict(enumerate(operands))
        names = [*self.places, -1] if rest else self.places
        parts = {i: frozenset([name]) for i, name in enumerate(names)}
        for one, other in _pairs(operands, keep, sizes):
            mine = live.pop(one), live.pop(other)
            needed = {*keep}.union(*live.values())
            union = dict.fromkeys((*mine[0], *mine[1]))
            axes = tuple(node for node in union if node in needed)
            new = len(operands) + len(self.steps)
            parts[new] = parts[one] | parts[other]
            name = parts[new], axes
            pair = _Pair(*mine, axes, sizes)
            ready = [
                self._ready(pair, side, names[i], fixed or {})
                if i < len(operands)
                else None
                for side, i in enumerate((one, other))
            ]
            self.steps.append((one, other, pair, name, ready))
            live[new] = axes
        ((_, axes),) = live.items()
        self.drop = tuple(i for i, node in enumerate(axes) if node not in keep)
        left = [node for node in axes if node in keep]
        self.order = [left.index(node) for node in keep]
        #: The axes of the result.
        self.axes = tuple(keep)
        if as_made and self.steps and not self.drop:
            *step, last, (multiplied, _), ready = self.steps[-1]
            self.axes = tuple(last.axes)
            self.order = last.order = range(len(self.axes))
            # Another sum that needs this product has to know its order.
            self.steps[-1] = (*step, last, (multiplied, self.axes), ready)

    @property
    def arrays(self):
        """The arrays that it has made for all calls."""
        ready = [array for *_, pair in self.steps for array in pair]
        return [array for array in ready if array is not None]

    @staticmethod
    def _ready(pair, side, place, fixed):
        """Bring a fixed array into the order of axes in which it is used."""
        if place not in fixed or fixed[place].size > _LARGEST_COPY:
            return None
        return np.ascontiguousarray(pair.arrange(side, fixed[place]))

    def __call__(self, arrays, known=None):
        """Compute the sum; products that are in `known` are not made again."""
        known = {} if known is None else known
        arrays = [*(arrays[i] for i in self.places), *self.more]
        for one, other, pair, name, ready in self.steps:
            if name not in known:
                known[name] = pair(
                    *(
                        pair.arrange(side, arrays[i])
                        if prepared is None
                        else prepared
                        for side, i, prepared in zip(
                            (0, 1), (one, other), ready, strict=True
                        )
                    )
                )
            arrays.append(known[name])
        result = arrays[-1]
        return summed(result, self.drop).transpose(self.order)


def _pairs(operands, keep, sizes):
    """Choose which two arrays to multiply, again and again.

    As long as there are many arrays, the two whose product adds the fewest
    cells; then the order that takes the least time, found by trying all. The
    cost of a product is about its time in nanoseconds: for the numbers that
    are read and written, the terms that are added, and each call in a row of
    products.
    """
    live = {i: frozenset(axes) for i, axes in enumerate(operands)}
    keep = frozenset(keep)

    @cache
    def cells(nodes):
        return prod(sizes[node] for node in nodes)

    def product(mine, others):
        """Return the axes that are left of a product, and its cost."""
        one, other = mine
        needed = keep.union(*others)
        left = (one | other) & needed
        total = cells((one & other) - needed)
        batch = cells(one & other & needed)
        terms = cells(left) * total
        moved = cells(one) + cells(other) + 2 * cells(left)
        if total == 1:
            return left, moved
        if batch == 1:
            return left, moved + terms / 10
        if terms < _TINY_PRODUCT * batch:
            return left, moved + 2 * terms
        return left, moved + terms / 10 + 200 * batch

    pairs = []
    is_long = cells(frozenset().union(*operands)) > _MANY_TERMS
    ordered = _MORE_ORDERED if is_long else _ORDERED
    while len(live) > ordered:

        def added(pair):
            others = [axes for i, axes in live.items() if i not in pair]
            mine = [live[i] for i in pair]
            left, cost = product(mine, others)
            return cells(left) - sum(map(cells, mine)), cost

        one, other = min(combinations(live, 2), key=added)
        mine = live.pop(one), live.pop(other)
        live[len(operands) + len(pairs)] = product(mine, live.values())[0]
        pairs.append((one, other))

    @cache
    def best(group):
        """Return the cost of the product of a group, its pairs, its axes."""
        if len(group) == 1:
            return 0.0, (), live[group[0]]
        others = [axes for i, axes in live.items() if i not in group]
        found = None
        first, *rest = group
        for n in range(len(rest)):
            for part in combinations(rest, n):
                one = best((first, *part))
                other = best(tuple(i for i in rest if i not in part))
                left, cost = product((one[2], other[2]), others)
                cost += one[0] + other[0]
                if found is None or cost < found[0]:
                    found = cost, (one, other), left
        return found

    def put(group):
        # Return the number of a group's product, after adding its pairs.
        if not group[1]:
            return next(i for i, axes in live.items() if group is best((i,)))
        one, other = map(put, group[1])
        pairs.append((one, other))
        return len(operands) + len(pairs) - 1

    put(best(tuple(live)))
    return pairs


class _Pair:
    """The product of two arrays, summed over the axes that are not kept."""

    def __init__(self, one, other, keep, sizes):
        # Axes that only one of them has are summed out first.
        self.alone = [
            tuple(i for i, n in enumerate(axes) if n not in (*others, *keep))
            for axes, others in ((one, other), (other, one))
        ]
        one, other = (
            [node for i, node in enumerate(axes) if i not in alone]
            for axes, alone in zip((one, other), self.alone, strict=True)
        )
        both = [node for node in one if node in other]
        batch = [node for node in both if node in keep]
        total = [node for node in both if node not in keep]
        left = [node for node in one if node not in both]
        right = [node for node in other if node not in both]
        self.orders = (
            [one.index(node) for node in (*batch, *left, *total)],
            [other.index(node) for node in (*batch, *total, *right)],
        )
        b, m, k, n = (
            prod(sizes[node] for node in nodes)
            for nodes in (batch, left, total, right)
        )
        self.shapes = (b, m, k), (b, k, n)
        # Many products of tiny matrices one by one would take long.
        self.is_tiny = b > 1 and m * k * n < _TINY_PRODUCT
        axes = [*batch, *left, *right]
        self.spread = None
        if not total:
            # The order of the larger one, so that most is read in a row.
            larger = max(one, other, key=lambda a: prod(sizes[n] for n in a))
            axes = [*larger, *(n for n in (*one, *other) if n not in larger)]
            self.orders = tuple(
                [
                    nodes_of_one.index(node)
                    for node in axes
                    if node in nodes_of_one
                ]
                for nodes_of_one in (one, other)
            )
            self.spread = tuple(
                tuple(slice(None) if n in nodes_of_one else None for n in axes)
                for nodes_of_one in (one, other)
            )
        self.axes = axes
        self.shape = [sizes[node] for node in axes]
        self.order = [axes.index(node) for node in keep]

    def arrange(self, side, array):
        """Bring the first array (0) or the other (1) into the right order."""
        array = summed(array, self.alone[side]).transpose(self.orders[side])
        if self.spread is not None:
            return array[self.spread[side]]
        return array.reshape(self.shapes[side])

    def __call__(self, one, other):
        if self.spread is not None:
            result = one * other
        elif self.is_tiny:
            # Not by einsum, which does not report underflow.
            terms = one[:, :, :, None] * other[:, None]
            result = summed(terms, (2,))
        else:
            result = np.matmul(one, other)
        return result.reshape(self.shape).transpose(self.order)
