"""The coding exercises of the chapter *Three variables*."""

from fractions import Fraction as F
from itertools import pairwise, permutations, product
from math import prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- joint(parents, p_one, row) -------------------------------------------

_FORK = {"X": ("Y",), "Y": (), "Z": ("Y",)}
_FORK_ONE = {
    "X": {(0,): F(1, 5), (1,): F(3, 4)},
    "Y": {(): F(1, 3)},
    "Z": {(0,): F(2, 7), (1,): F(1, 2)},
}
_COLLIDER = {"Y": ("Z", "X"), "X": (), "Z": ()}
_COLLIDER_ONE = {
    "X": {(): F(1, 4)},
    "Y": {
        (0, 0): F(1, 10),
        (0, 1): F(1, 2),
        (1, 0): F(2, 3),
        (1, 1): F(9, 10),
    },
    "Z": {(): F(2, 5)},
}
_ALONE = {"B": ("A",), "A": (), "C": ()}
_ALONE_ONE = {
    "A": {(): 0.25},
    "B": {(0,): 0.5, (1,): 0.125},
    "C": {(): 0.75},
}


def _factor(p, state):
    return p if state == 1 else 1 - p


def _factors(parents, p_one, row):
    for node, above in parents.items():
        p = p_one[node][tuple(row[parent] for parent in above)]
        yield _factor(p, row[node])


def _joint(parents, p_one, row):
    return prod(_factors(parents, p_one, row))


def _ones_only(parents, p_one, row):
    return prod(
        p_one[node][tuple(row[parent] for parent in above)]
        for node, above in parents.items()
    )


def _parents_backwards(parents, p_one, row):
    return prod(
        _factor(p_one[node][tuple(row[a] for a in above[::-1])], row[node])
        for node, above in parents.items()
    )


def _parents_at_zero(parents, p_one, row):
    return prod(
        _factor(p_one[node][(0,) * len(above)], row[node])
        for node, above in parents.items()
    )


def _without_roots(parents, p_one, row):
    return prod(
        factor
        for factor, above in zip(
            _factors(parents, p_one, row), parents.values(), strict=True
        )
        if above
    )


joint = Exercise(
    reference=_joint,
    cases=(
        (_FORK, _FORK_ONE, {"X": 1, "Y": 1, "Z": 1}),
        (_FORK, _FORK_ONE, {"X": 0, "Y": 1, "Z": 1}),
        (_FORK, _FORK_ONE, {"X": 1, "Y": 0, "Z": 0}),
        (_COLLIDER, _COLLIDER_ONE, {"X": 1, "Y": 1, "Z": 0}),
        (_COLLIDER, _COLLIDER_ONE, {"X": 0, "Y": 0, "Z": 1}),
        (_COLLIDER, _COLLIDER_ONE, {"X": 1, "Y": 0, "Z": 1}),
        (_ALONE, _ALONE_ONE, {"A": 1, "B": 0, "C": 1}),
        ({"A": ()}, {"A": {(): F(1, 6)}}, {"A": 0}),
    ),
    mistakes={
        "The tables give the probability of 1; a node that is 0 in the row "
        "has what is left.": _ones_only,
        "This takes 0 for 1: the tables give the probability of 1.": (
            lambda parents, p_one, row: prod(
                1 - factor for factor in _factors(parents, p_one, row)
            )
        ),
        "The states of the parents are in another order here than in "
        "`parents[node]`.": _parents_backwards,
        "This looks up one configuration of the parents, whatever their "
        "states in the row.": _parents_at_zero,
        "This adds the factors; the chain rule multiplies them.": (
            lambda parents, p_one, row: sum(_factors(parents, p_one, row))
        ),
        "Nodes without parents have a factor too.": _without_roots,
    },
)

# -- topological_orders(parents) ------------------------------------------


def _parents_first(order, parents):
    return all(
        order.index(parent) < order.index(node)
        for node, above in parents.items()
        for parent in above
    )


def _orders(parents):
    return {
        order
        for order in permutations(parents)
        if _parents_first(order, parents)
    }


def _neighbours_only(parents):
    return {
        order
        for order in permutations(parents)
        if all(b not in parents[a] for a, b in pairwise(order))
    }


def _some_parent_first(parents):
    return {
        order
        for order in permutations(parents)
        if all(
            not above or any(order.index(a) < order.index(node) for a in above)
            for node, above in parents.items()
        )
    }


topological_orders = Exercise(
    reference=_orders,
    cases=(
        (_FORK,),
        ({"Z": ("X", "Y"), "X": (), "Y": ("X",)},),
        (_COLLIDER,),
        (_ALONE,),
        ({"A": (), "B": (), "C": ()},),
        ({"D": ("B", "C"), "C": ("A",), "B": ("A",), "A": ()},),
        ({"A": ("C",), "B": ("A",), "C": ("B",), "D": ()},),
    ),
    mistakes={
        "These are all permutations, whatever the arrows.": (
            lambda parents: set(permutations(parents))
        ),
        "Here children come before their parents.": lambda parents: {
            order[::-1] for order in _orders(parents)
        },
        "This is one order only; there may be several.": lambda parents: set(
            sorted(_orders(parents))[:1]
        ),
        "This compares neighbours in the order only; a parent must not come "
        "anywhere later.": _neighbours_only,
        "One parent before the node is not enough: all of them must be.": (
            _some_parent_first
        ),
    },
)

# -- reverse(p_x, p_y_given_x) --------------------------------------------


def _states(table):
    return tuple(next(iter(table.values())))


def _reverse(p_x, p_y_given_x):
    p_y = {
        y: sum(p_x[x] * p_y_given_x[x][y] for x in p_x)
        for y in _states(p_y_given_x)
    }
    return p_y, {
        y: {x: p_x[x] * p_y_given_x[x][y] / p_y[y] for x in p_x} for y in p_y
    }


def _joint_for_conditional(p_x, p_y_given_x):
    p_y, conditional = _reverse(p_x, p_y_given_x)
    return p_y, {
        y: {x: p * p_y[y] for x, p in row.items()}
        for y, row in conditional.items()
    }


def _transposed(p_x, p_y_given_x):
    p_y, _ = _reverse(p_x, p_y_given_x)
    return p_y, {y: {x: p_y_given_x[x][y] for x in p_x} for y in p_y}


def _uniform_prior(p_x, p_y_given_x):
    uniform = dict.fromkeys(p_x, F(1, len(p_x)))
    p_y, _ = _reverse(p_x, p_y_given_x)
    return p_y, _reverse(uniform, p_y_given_x)[1]


def _plain_mean(p_x, p_y_given_x):
    uniform = dict.fromkeys(p_x, F(1, len(p_x)))
    return _reverse(uniform, p_y_given_x)[0], _reverse(p_x, p_y_given_x)[1]


def _swapped(p_x, p_y_given_x):
    p_y, conditional = _reverse(p_x, p_y_given_x)
    return p_y, {x: {y: conditional[y][x] for y in p_y} for x in p_x}


reverse = Exercise(
    reference=_reverse,
    cases=(
        (
            {0: F(2, 3), 1: F(1, 3)},
            {0: {0: F(9, 10), 1: F(1, 10)}, 1: {0: F(1, 5), 1: F(4, 5)}},
        ),
        (
            {"old": F(1, 2), "middle": F(1, 3), "new": F(1, 6)},
            {
                "old": {"fine": F(9, 10), "faulty": F(1, 10)},
                "middle": {"fine": F(4, 5), "faulty": F(1, 5)},
                "new": {"fine": F(1, 2), "faulty": F(1, 2)},
            },
        ),
        (
            {"a": F(1, 4), "b": F(3, 4)},
            {
                "a": {"u": F(1), "v": F(0), "w": F(0)},
                "b": {"u": F(1, 6), "v": F(1, 3), "w": F(1, 2)},
            },
        ),
        ({0: 0.3, 1: 0.7}, {0: {0: 0.6, 1: 0.4}, 1: {0: 0.25, 1: 0.75}}),
    ),
    mistakes={
        "The first table is right; the second holds joint probabilities: "
        "divide by P[y].": _joint_for_conditional,
        "This writes P[y | x] into the other table without Bayes' rule; its "
        "rows need not sum to one.": _transposed,
        "The second table ignores P[x]: it is the likelihood made to sum to "
        "one.": _uniform_prior,
        "P[y] is a mean of the P[y | x], but a weighted one.": _plain_mean,
        "The second table is the wrong way round: its first key is the state "
        "of Y.": _swapped,
    },
)

# -- explained_away(p_x, p_z, p_y) ----------------------------------------


def _seen(p_x, p_z, p_y):
    return {
        (x, z): _factor(p_x, x) * _factor(p_z, z) * p_y[x, z]
        for x, z in product((0, 1), repeat=2)
    }


def _cause_given(seen, z=(0, 1)):
    whole = sum(p for (_, other), p in seen.items() if other in z)
    return sum(seen[1, other] for other in z) / whole


def _explained_away(p_x, p_z, p_y):
    seen = _seen(p_x, p_z, p_y)
    return _cause_given(seen) - _cause_given(seen, z=(1,))


def _forward(p_x, p_z, p_y):
    """Confuse the cause given the effect with the effect given the cause."""
    return _factor(p_z, 0) * p_y[1, 0] + p_z * p_y[1, 1] - p_y[1, 1]


def _other_cause(p_x, p_z, p_y):
    swapped = {(z, x): p for (x, z), p in p_y.items()}
    return _explained_away(p_z, p_x, swapped)


explained_away = Exercise(
    reference=_explained_away,
    cases=(
        (
            F(1, 100),
            F(1, 50),
            {
                (0, 0): F(1, 1000),
                (0, 1): F(1, 3),
                (1, 0): F(9, 10),
                (1, 1): F(19, 20),
            },
        ),
        (
            F(1, 3),
            F(1, 4),
            {
                (1, 1): F(9, 10),
                (1, 0): F(1, 10),
                (0, 1): F(1, 5),
                (0, 0): F(7, 10),
            },
        ),
        (
            F(1, 5),
            F(2, 5),
            {
                (0, 0): F(1, 10),
                (0, 1): F(3, 4),
                (1, 0): F(3, 4),
                (1, 1): F(4, 5),
            },
        ),
        (
            0.3,
            0.6,
            {(0, 0): 0.05, (0, 1): 0.5, (1, 0): 0.7, (1, 1): 0.8},
        ),
    ),
    mistakes={
        "The two probabilities are subtracted the wrong way round.": (
            lambda *given: -_explained_away(*given)
        ),
        "This starts from P[X = 1] before anything is known; start from "
        "P[X = 1 | Y = 1].": lambda p_x, p_z, p_y: (
            p_x - _cause_given(_seen(p_x, p_z, p_y), z=(1,))
        ),
        "This compares Z = 0 with Z = 1. Before Z is known it may be either, "
        "and both count by their probabilities.": lambda p_x, p_z, p_y: (
            _cause_given(_seen(p_x, p_z, p_y), z=(0,))
            - _cause_given(_seen(p_x, p_z, p_y), z=(1,))
        ),
        "This ignores how probable X = 1 is before anything is known.": (
            lambda p_x, p_z, p_y: _explained_away(F(1, 2), p_z, p_y)
        ),
        "This ignores how probable Z = 1 is before anything is known.": (
            lambda p_x, p_z, p_y: _explained_away(p_x, F(1, 2), p_y)
        ),
        "These are probabilities of the effect given the cause; asked is the "
        "cause given the effect.": _forward,
        "This explains Z away by X; asked is X by Z.": _other_cause,
    },
)

# -- is_open(arrows, triple, observed) ------------------------------------


def _collider(arrows, triple):
    x, y, z = triple
    return (x, y) in arrows and (z, y) in arrows


def _reached(arrows, node):
    """Return the node and its descendants."""
    found = {node}
    while more := {b for a, b in arrows if a in found} - found:
        found |= more
    return found


def _is_open(arrows, triple, observed):
    if _collider(arrows, triple):
        return bool(_reached(arrows, triple[1]) & observed)
    return triple[1] not in observed


def _if_collider(verdict):
    """Return the mistake that errs about colliders only."""

    def mistaken(arrows, triple, observed):
        if _collider(arrows, triple):
            return verdict(arrows, triple, observed)
        return _is_open(arrows, triple, observed)

    return mistaken


def _backwards(arrows):
    return {(b, a) for a, b in arrows}


_LONG = {("X", "Y"), ("Z", "Y"), ("Y", "V"), ("V", "W"), ("Q", "X")}

is_open = Exercise(
    reference=_is_open,
    cases=(
        ({("Y", "X"), ("Y", "Z")}, ("X", "Y", "Z"), set()),
        ({("Y", "X"), ("Y", "Z")}, ("X", "Y", "Z"), {"Y"}),
        ({("X", "Y"), ("Y", "Z")}, ("X", "Y", "Z"), set()),
        ({("X", "Y"), ("Y", "Z")}, ("X", "Y", "Z"), {"Y"}),
        ({("X", "Y"), ("Y", "Z")}, ("Z", "Y", "X"), {"Y"}),
        ({("X", "Y"), ("Z", "Y")}, ("X", "Y", "Z"), set()),
        ({("X", "Y"), ("Z", "Y")}, ("X", "Y", "Z"), {"Y"}),
        (_LONG, ("X", "Y", "Z"), {"Q"}),
        (_LONG, ("X", "Y", "Z"), {"V"}),
        (_LONG, ("X", "Y", "Z"), {"W"}),
        (_LONG, ("Q", "X", "Y"), {"W"}),
        (
            {("B", "A"), ("B", "C"), ("A", "D"), ("C", "D")},
            ("A", "B", "C"),
            {"D"},
        ),
        (
            {("B", "A"), ("B", "C"), ("A", "D"), ("C", "D")},
            ("A", "D", "C"),
            {"B"},
        ),
    ),
    mistakes={
        "This treats a collider like the other two.": (
            lambda arrows, triple, observed: triple[1] not in observed
        ),
        "This treats all three like a collider.": (
            lambda arrows, triple, observed: bool(
                _reached(arrows, triple[1]) & observed
            )
        ),
        "This is the wrong way round: it says open where the way is blocked, "
        "for every kind of triple.": lambda *given: not _is_open(*given),
        "A collider is opened by an observed descendant, too.": _if_collider(
            lambda arrows, triple, observed: triple[1] in observed
        ),
        "This looks at the children of a collider, but not at their "
        "children.": _if_collider(
            lambda arrows, triple, observed: any(
                (triple[1], node) in arrows or node == triple[1]
                for node in observed
            )
        ),
        "This never opens a collider.": _if_collider(lambda *given: False),
        "This opens a collider whatever is observed.": _if_collider(
            lambda *given: True
        ),
        "A collider is opened by a descendant, not by an ancestor.": (
            _if_collider(
                lambda arrows, triple, observed: bool(
                    _reached(_backwards(arrows), triple[1]) & observed
                )
            )
        ),
        "An observed node opens a collider only if it is the collider or "
        "descends from it.": _if_collider(
            lambda arrows, triple, observed: bool(observed)
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "joint": joint,
    "topological_orders": topological_orders,
    "reverse": reverse,
    "explained_away": explained_away,
    "is_open": is_open,
}
