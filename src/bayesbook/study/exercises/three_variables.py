"""The coding exercises of the chapter *Three variables*."""

from fractions import Fraction as F
from itertools import pairwise, permutations, product
from math import prod

from bayesbook.study.exercises.checker import exercise

# -- joint ----------------------------------------------------------------

_FORK = {"X": ("Z",), "Z": (), "Y": ("Z",)}
_FORK_ONE = {
    "X": {(0,): F(1, 5), (1,): F(3, 4)},
    "Z": {(): F(1, 3)},
    "Y": {(0,): F(2, 7), (1,): F(1, 2)},
}
_COLLIDER = {"Z": ("Y", "X"), "X": (), "Y": ()}
_COLLIDER_ONE = {
    "X": {(): F(1, 4)},
    "Z": {
        (0, 0): F(1, 10),
        (0, 1): F(1, 2),
        (1, 0): F(2, 3),
        (1, 1): F(9, 10),
    },
    "Y": {(): F(2, 5)},
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


@exercise(
    (_FORK, _FORK_ONE, {"X": 1, "Z": 1, "Y": 1}),
    (_FORK, _FORK_ONE, {"X": 0, "Z": 1, "Y": 1}),
    (_FORK, _FORK_ONE, {"X": 1, "Z": 0, "Y": 0}),
    (_COLLIDER, _COLLIDER_ONE, {"X": 1, "Z": 1, "Y": 0}),
    (_COLLIDER, _COLLIDER_ONE, {"X": 0, "Z": 0, "Y": 1}),
    (_COLLIDER, _COLLIDER_ONE, {"X": 1, "Z": 0, "Y": 1}),
    (_ALONE, _ALONE_ONE, {"A": 1, "B": 0, "C": 1}),
    ({"A": ()}, {"A": {(): F(1, 6)}}, {"A": 0}),
)
def joint(parents, p_one, row):
    """Return P[row], for the tables P[node = 1 | parents]."""
    return prod(_factors(parents, p_one, row))


_ONE_EFFECT = (
    {"C": ("A", "B"), "A": (), "B": ()},
    {
        "A": {(): F(1, 5)},
        "B": {(): F(1, 4)},
        "C": {
            (0, 0): F(1, 10),
            (0, 1): F(1, 2),
            (1, 0): F(3, 5),
            (1, 1): F(9, 10),
        },
    },
    {"A": 1, "B": 0, "C": 0},
)


@joint.mistake(
    "The tables give the probability of 1; a node that is 0 in the row has "
    "what is left.",
    example=(_ONE_EFFECT, F(3, 100)),
)
def _ones_only(parents, p_one, row):
    return prod(
        p_one[node][tuple(row[parent] for parent in above)]
        for node, above in parents.items()
    )


@joint.mistake(
    "This takes 0 for 1: the tables give the probability of 1.",
    example=(_ONE_EFFECT, F(3, 25)),
)
def _zeros_for_ones(parents, p_one, row):
    return prod(1 - factor for factor in _factors(parents, p_one, row))


@joint.mistake(
    "The states of the parents are in another order here than in "
    "`parents[node]`.",
    example=(_ONE_EFFECT, F(3, 40)),
)
def _parents_backwards(parents, p_one, row):
    return prod(
        _factor(p_one[node][tuple(row[x] for x in above[::-1])], row[node])
        for node, above in parents.items()
    )


@joint.mistake(
    "This looks up the configuration in which all parents are 0, whatever "
    "their states in the row.",
    example=(_ONE_EFFECT, F(27, 200)),
)
def _parents_at_zero(parents, p_one, row):
    return prod(
        _factor(p_one[node][(0,) * len(above)], row[node])
        for node, above in parents.items()
    )


@joint.mistake(
    "This adds the factors; the chain rule multiplies them.",
    example=(_ONE_EFFECT, F(27, 20)),
)
def _factors_added(parents, p_one, row):
    return sum(_factors(parents, p_one, row))


@joint.mistake(
    "Nodes without parents have a factor too.",
    example=(
        (
            {"A": (), "B": ("A",), "C": ("B",)},
            {
                "A": {(): F(1, 5)},
                "B": {(0,): F(1, 4), (1,): F(3, 4)},
                "C": {(0,): F(3, 5), (1,): F(1, 10)},
            },
            {"A": 1, "B": 0, "C": 1},
        ),
        F(3, 20),
    ),
)
def _without_roots(parents, p_one, row):
    factors = zip(_factors(parents, p_one, row), parents.values(), strict=True)
    return prod(factor for factor, above in factors if above)


# -- topological_orders ---------------------------------------------------


def _parents_first(order, parents):
    return all(
        order.index(parent) < order.index(node)
        for node, above in parents.items()
        for parent in above
    )


@exercise(
    (_FORK,),
    ({"Y": ("X", "Z"), "X": (), "Z": ("X",)},),
    (_COLLIDER,),
    (_ALONE,),
    ({"A": (), "B": (), "C": ()},),
    ({"D": ("B", "C"), "C": ("A",), "B": ("A",), "A": ()},),
    ({"A": ("C",), "B": ("A",), "C": ("B",), "D": ()},),
)
def topological_orders(parents):
    """Return all orders of the nodes in which parents come first."""
    return {
        order
        for order in permutations(parents)
        if _parents_first(order, parents)
    }


_ONE_ARROW = ({"C": ("A",), "B": (), "A": ()},)
_TWO_PARENTS = ({"C": ("A", "B"), "B": (), "A": ()},)


@topological_orders.mistake(
    "These are all permutations, whatever the arrows.",
    example=(
        _ONE_ARROW,
        {*map(tuple, ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"])},
    ),
)
def _all_permutations(parents):
    return set(permutations(parents))


@topological_orders.mistake(
    "Here children come before their parents.",
    example=(_ONE_ARROW, {*map(tuple, ["CBA", "BCA", "CAB"])}),
)
def _children_first(parents):
    return {order[::-1] for order in topological_orders(parents)}


@topological_orders.mistake(
    "This is one order only; there may be several.",
    example=(_ONE_ARROW, {("A", "B", "C")}),
)
def _one_order(parents):
    return set(sorted(topological_orders(parents))[:1])


@topological_orders.mistake(
    "This compares neighbours in the order only; a parent must not come "
    "anywhere later.",
    example=(_ONE_ARROW, {*map(tuple, ["ABC", "ACB", "BAC", "CBA"])}),
)
def _neighbours_only(parents):
    return {
        order
        for order in permutations(parents)
        if all(later not in parents[node] for node, later in pairwise(order))
    }


@topological_orders.mistake(
    "One parent before the node is not enough: all of them must be.",
    example=(_TWO_PARENTS, {*map(tuple, ["ABC", "BAC", "ACB", "BCA"])}),
)
def _some_parent_first(parents):
    def some_first(order, node):
        earlier = order[: order.index(node)]
        return not parents[node] or any(x in earlier for x in parents[node])

    return {
        order
        for order in permutations(parents)
        if all(some_first(order, node) for node in parents)
    }


# -- reverse --------------------------------------------------------------


def _states(table):
    return tuple(next(iter(table.values())))


@exercise(
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
)
def reverse(p_x, p_y_given_x):
    """Return the tables p_y and p_x_given_y of the same joint."""
    p_y = {
        y: sum(p_x[x] * p_y_given_x[x][y] for x in p_x)
        for y in _states(p_y_given_x)
    }
    p_x_given_y = {
        y: {x: p_x[x] * p_y_given_x[x][y] / p_y[y] for x in p_x} for y in p_y
    }
    return p_y, p_x_given_y


_QUARTER = (
    {"a": F(1, 4), "b": F(3, 4)},
    {
        "a": {"u": F(4, 5), "v": F(1, 5)},
        "b": {"u": F(1, 3), "v": F(2, 3)},
    },
)


@reverse.mistake(
    "The first table is right; the second holds joint probabilities: divide "
    "by P[y].",
    example=(
        _QUARTER,
        (
            {"u": F(9, 20), "v": F(11, 20)},
            {
                "u": {"a": F(1, 5), "b": F(1, 4)},
                "v": {"a": F(1, 20), "b": F(1, 2)},
            },
        ),
    ),
)
def _joint_for_conditional(p_x, p_y_given_x):
    p_y, conditional = reverse(p_x, p_y_given_x)
    return p_y, {
        y: {x: p * p_y[y] for x, p in row.items()}
        for y, row in conditional.items()
    }


@reverse.mistake(
    "This writes P[y | x] into the other table without Bayes' rule; its rows "
    "need not sum to one.",
    example=(
        _QUARTER,
        (
            {"u": F(9, 20), "v": F(11, 20)},
            {
                "u": {"a": F(4, 5), "b": F(1, 3)},
                "v": {"a": F(1, 5), "b": F(2, 3)},
            },
        ),
    ),
)
def _transposed(p_x, p_y_given_x):
    p_y, _ = reverse(p_x, p_y_given_x)
    return p_y, {y: {x: p_y_given_x[x][y] for x in p_x} for y in p_y}


@reverse.mistake(
    "The second table ignores P[x]: it is the likelihood made to sum to one.",
    example=(
        _QUARTER,
        (
            {"u": F(9, 20), "v": F(11, 20)},
            {
                "u": {"a": F(12, 17), "b": F(5, 17)},
                "v": {"a": F(3, 13), "b": F(10, 13)},
            },
        ),
    ),
)
def _uniform_prior(p_x, p_y_given_x):
    uniform = dict.fromkeys(p_x, F(1, len(p_x)))
    p_y, _ = reverse(p_x, p_y_given_x)
    return p_y, reverse(uniform, p_y_given_x)[1]


@reverse.mistake(
    "P[y] is a mean of the P[y | x], but a weighted one.",
    example=(
        _QUARTER,
        (
            {"u": F(17, 30), "v": F(13, 30)},
            {
                "u": {"a": F(6, 17), "b": F(15, 34)},
                "v": {"a": F(3, 26), "b": F(15, 13)},
            },
        ),
    ),
)
def _plain_mean(p_x, p_y_given_x):
    uniform = dict.fromkeys(p_x, F(1, len(p_x)))
    p_y, _ = reverse(uniform, p_y_given_x)
    return p_y, {
        y: {x: p_x[x] * p_y_given_x[x][y] / p_y[y] for x in p_x} for y in p_y
    }


@reverse.mistake(
    "The second table is the wrong way round: its first key is the state of "
    "Y.",
    example=(
        _QUARTER,
        (
            {"u": F(9, 20), "v": F(11, 20)},
            {
                "a": {"u": F(4, 9), "v": F(1, 11)},
                "b": {"u": F(5, 9), "v": F(10, 11)},
            },
        ),
    ),
)
def _swapped(p_x, p_y_given_x):
    p_y, conditional = reverse(p_x, p_y_given_x)
    return p_y, {x: {y: conditional[y][x] for y in p_y} for x in p_x}


# -- explained_away -------------------------------------------------------


def _seen(p_x, p_y, p_z):
    return {
        (x, y): _factor(p_x, x) * _factor(p_y, y) * p_z[x, y]
        for x, y in product((0, 1), repeat=2)
    }


def _cause_given(seen, y=(0, 1)):
    whole = sum(p for (_, other), p in seen.items() if other in y)
    return sum(seen[1, other] for other in y) / whole


@exercise(
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
)
def explained_away(p_x, p_y, p_z):
    """Return by how much Y = 1 lowers P[X = 1] once Z = 1 is known."""
    seen = _seen(p_x, p_y, p_z)
    return _cause_given(seen) - _cause_given(seen, y=(1,))


_TWO_CAUSES = (
    F(1, 4),
    F(1, 3),
    {
        (0, 0): F(1, 6),
        (0, 1): F(1, 2),
        (1, 0): F(2, 3),
        (1, 1): F(3, 4),
    },
)


@explained_away.mistake(
    "The two probabilities are subtracted the wrong way round.",
    example=(_TWO_CAUSES, F(-4, 33)),
)
def _subtracted_backwards(p_x, p_y, p_z):
    return -explained_away(p_x, p_y, p_z)


@explained_away.mistake(
    "This starts from P[X = 1] before anything is known; start from P[X = 1 | "
    "Z = 1].",
    example=(_TWO_CAUSES, F(-1, 12)),
)
def _before_anything(p_x, p_y, p_z):
    return p_x - _cause_given(_seen(p_x, p_y, p_z), y=(1,))


@explained_away.mistake(
    "This compares Y = 0 with Y = 1. Before Y is known it may be either, and "
    "both count by their probabilities.",
    example=(_TWO_CAUSES, F(5, 21)),
)
def _zero_with_one(p_x, p_y, p_z):
    seen = _seen(p_x, p_y, p_z)
    return _cause_given(seen, y=(0,)) - _cause_given(seen, y=(1,))


@explained_away.mistake(
    "This ignores how probable X = 1 is before anything is known.",
    example=(_TWO_CAUSES, F(4, 35)),
)
def _even_cause(p_x, p_y, p_z):
    return explained_away(F(1, 2), p_y, p_z)


@explained_away.mistake(
    "This ignores how probable Y = 1 is before anything is known.",
    example=(_TWO_CAUSES, F(10, 123)),
)
def _even_other(p_x, p_y, p_z):
    return explained_away(p_x, F(1, 2), p_z)


@explained_away.mistake(
    "These are probabilities of the effect given the cause; the question is "
    "about the cause given the effect.",
    example=(_TWO_CAUSES, F(-1, 18)),
)
def _forward(p_x, p_y, p_z):
    before = _factor(p_y, 0) * p_z[1, 0] + p_y * p_z[1, 1]
    return before - p_z[1, 1]


@explained_away.mistake(
    "This explains Y away by X; the question is how Y explains X away.",
    example=(_TWO_CAUSES, F(36, 275)),
)
def _other_cause(p_x, p_y, p_z):
    swapped = {(y, x): p for (x, y), p in p_z.items()}
    return explained_away(p_y, p_x, swapped)


# -- is_open --------------------------------------------------------------


def _collider(arrows, triple):
    x, z, y = triple
    return (x, z) in arrows and (y, z) in arrows


def _reached(arrows, node):
    """Return the node and its descendants."""
    found, new = set(), {node}
    while new:
        found |= new
        new = {child for parent, child in arrows if parent in found} - found
    return found


_LONG = {("X", "Z"), ("Y", "Z"), ("Z", "V"), ("V", "W"), ("Q", "X")}


@exercise(
    ({("Z", "X"), ("Z", "Y")}, ("X", "Z", "Y"), set()),
    ({("Z", "X"), ("Z", "Y")}, ("X", "Z", "Y"), {"Z"}),
    ({("X", "Z"), ("Z", "Y")}, ("X", "Z", "Y"), set()),
    ({("X", "Z"), ("Z", "Y")}, ("X", "Z", "Y"), {"Z"}),
    ({("X", "Z"), ("Z", "Y")}, ("Y", "Z", "X"), {"Z"}),
    ({("X", "Z"), ("Y", "Z")}, ("X", "Z", "Y"), set()),
    ({("X", "Z"), ("Y", "Z")}, ("X", "Z", "Y"), {"Z"}),
    (_LONG, ("X", "Z", "Y"), {"Q"}),
    (_LONG, ("X", "Z", "Y"), {"V"}),
    (_LONG, ("X", "Z", "Y"), {"W"}),
    (_LONG, ("Q", "X", "Z"), {"W"}),
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
)
def is_open(arrows, triple, observed):
    """Return whether the triple is open, given what is observed."""
    if _collider(arrows, triple):
        return bool(_reached(arrows, triple[1]) & observed)
    return triple[1] not in observed


_XZY = ("X", "Z", "Y")
_COLLISION = {("Q", "X"), ("X", "Z"), ("Y", "Z"), ("Z", "V"), ("V", "W")}


@is_open.mistake(
    "This treats a collider like the other two.",
    example=((_COLLISION, _XZY, {"Z"}), False),
)
def _like_a_chain(arrows, triple, observed):
    return triple[1] not in observed


@is_open.mistake(
    "This treats all three like a collider.",
    example=(({("Y", "Z"), ("Z", "X"), ("Y", "U")}, _XZY, {"U"}), False),
)
def _like_a_collider(arrows, triple, observed):
    return bool(_reached(arrows, triple[1]) & observed)


@is_open.mistake(
    "This is the wrong way round: it says open where the path is blocked, for "
    "every kind of triple.",
    example=(({("Z", "X"), ("Z", "Y"), ("Y", "W")}, _XZY, {"W"}), False),
)
def _turned(arrows, triple, observed):
    return not is_open(arrows, triple, observed)


@is_open.mistake(
    "A collider is opened by an observed descendant, too.",
    example=((_COLLISION, _XZY, {"V"}), False),
)
def _collider_alone(arrows, triple, observed):
    if not _collider(arrows, triple):
        return is_open(arrows, triple, observed)
    return triple[1] in observed


@is_open.mistake(
    "This looks at the children of a collider, but not at their children.",
    example=((_COLLISION, _XZY, {"W"}), False),
)
def _children_only(arrows, triple, observed):
    if not _collider(arrows, triple):
        return is_open(arrows, triple, observed)
    return any(
        node == triple[1] or (triple[1], node) in arrows for node in observed
    )


@is_open.mistake(
    "This never opens a collider.", example=((_COLLISION, _XZY, {"Z"}), False)
)
def _never_opened(arrows, triple, observed):
    if not _collider(arrows, triple):
        return is_open(arrows, triple, observed)
    return False


@is_open.mistake(
    "This opens a collider whatever is observed.",
    example=((_COLLISION, _XZY, set()), True),
)
def _always_opened(arrows, triple, observed):
    if not _collider(arrows, triple):
        return is_open(arrows, triple, observed)
    return True


@is_open.mistake(
    "A collider is opened by a descendant, not by an ancestor.",
    example=((_COLLISION, _XZY, {"Q"}), True),
)
def _by_ancestor(arrows, triple, observed):
    if not _collider(arrows, triple):
        return is_open(arrows, triple, observed)
    backwards = {(child, parent) for parent, child in arrows}
    return bool(_reached(backwards, triple[1]) & observed)


@is_open.mistake(
    "An observed node opens a collider only if it is the collider or descends "
    "from it.",
    example=(({*_COLLISION, ("Y", "U")}, _XZY, {"U"}), True),
)
def _by_anything(arrows, triple, observed):
    if not _collider(arrows, triple):
        return is_open(arrows, triple, observed)
    return bool(observed)
