"""The coding exercises of the chapter *Random variables*."""

from fractions import Fraction as F
from itertools import product

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import exercise

# -- distributions that the cases share -----------------------------------

# {(x, y): probability}: the larger of two dice and the first one.
_DICE = {
    (x, y): F(y if x == y else 1, 36)
    for x, y in product(range(1, 7), repeat=2)
    if x >= y
}
_WAITING = {
    (0, "bus"): F(1, 10),
    (10, "bus"): F(2, 5),
    (5, "tram"): F(1, 5),
    (10, "tram"): F(1, 10),
    (20, "tram"): F(1, 5),
}
_IMPOSSIBLE = {(1, 1): F(1, 3), (2, 1): F(2, 3), (2, 2): F(0), (3, 2): F(0)}
_FLOATS = {(1, 1): 0.1, (1, 2): 0.2, (3, 1): 0.3, (3, 2): 0.4}
_LOPSIDED = {
    (2, 2): F(1, 2),
    (4, 2): F(1, 8),
    (4, 6): F(1, 8),
    (9, 6): F(1, 4),
}


def _slices(joint):
    """Return {y: {x: joint probability}}."""
    slices = {}
    for (x, y), p in joint.items():
        slices.setdefault(y, {})[x] = p
    return slices


def _possible_slices(joint):
    return {
        y: part for y, part in _slices(joint).items() if any(part.values())
    }


def _swapped(joint):
    return {(y, x): p for (x, y), p in joint.items()}


def _mean(distribution):
    return sum(x * p for x, p in distribution.items())


def _variance(distribution):
    mean = _mean(distribution)
    return sum((x - mean) ** 2 * p for x, p in distribution.items())


def _rescaled(part):
    whole = sum(part.values())
    if whole == 0:
        raise ZeroProbabilityError("what is known has probability zero")
    return {x: p / whole for x, p in part.items()}


def _marginal_y(joint):
    return {y: sum(part.values()) for y, part in _slices(joint).items()}


def _marginal_x(joint):
    return _marginal_y(_swapped(joint))


_TWO_SLICES = {
    (2, 1): F(1, 12),
    (4, 1): F(1, 4),
    (4, 3): F(1, 6),
    (10, 3): F(1, 2),
}


# -- conditional_variance -------------------------------------------------


def _of_slices(joint, moment):
    slices = _possible_slices(joint)
    return {y: moment(_rescaled(part)) for y, part in slices.items()}


@exercise(
    (_DICE,),
    (_WAITING,),
    (_LOPSIDED,),
    (_FLOATS,),
    (_IMPOSSIBLE,),
)
def conditional_variance(joint):
    """Return {y: Var[X | Y = y]} from {(x, y): P[X = x, Y = y]}."""
    return _of_slices(joint, _variance)


@conditional_variance.mistake(
    "These are the means of the slices: `regression` has not been changed.",
    example=((_TWO_SLICES,), {1: F(7, 2), 3: F(17, 2)}),
)
def _means_of_slices(joint):
    return _of_slices(joint, _mean)


@conditional_variance.mistake(
    "These are the mean squares; subtract the square of the mean.",
    example=((_TWO_SLICES,), {1: 13, 3: 79}),
)
def _mean_squares(joint):
    return _of_slices(joint, lambda pmf: _mean(_squared(pmf)))


def _squared(pmf):
    return {x * x: p for x, p in pmf.items()}


@conditional_variance.mistake(
    "This subtracts the mean; what has to be subtracted from the mean of the "
    "squares is the *square* of the mean.",
    example=((_TWO_SLICES,), {1: F(19, 2), 3: F(141, 2)}),
)
def _mean_subtracted(joint):
    return _of_slices(joint, lambda pmf: _mean(_squared(pmf)) - _mean(pmf))


@conditional_variance.mistake(
    "The sums have to be divided by the probability of the slice, each of "
    "them, before one is squared.",
    example=((_TWO_SLICES,), {1: F(107, 36), 3: F(185, 9)}),
)
def _not_divided_sums(joint):
    slices = _possible_slices(joint)
    return {
        y: _mean(_squared(part)) - _mean(part) ** 2
        for y, part in slices.items()
    }


@conditional_variance.mistake(
    "This is Var[X] for every y: distances are taken from the mean of the "
    "slice, within the slice.",
    example=((_TWO_SLICES,), {1: F(371, 36), 3: F(371, 36)}),
)
def _same_for_all(joint):
    return dict.fromkeys(
        _possible_slices(joint), _variance(_marginal_x(joint))
    )


@conditional_variance.mistake(
    "This gives the values in a slice equal weights; they are not equally "
    "probable.",
    example=((_TWO_SLICES,), {1: 1, 3: 9}),
)
def _equal_weights(joint):
    return _of_slices(
        joint, lambda pmf: _variance(dict.fromkeys(pmf, F(1, len(pmf))))
    )


@conditional_variance.mistake(
    "These are the standard deviations, the roots of the variances.",
    example=((_TWO_SLICES,), {1: 0.8660254037844386, 3: 2.598076211353316}),
)
def _deviations(joint):
    variances = conditional_variance(joint)
    return {y: float(v) ** 0.5 for y, v in variances.items()}


# -- conditional_distribution ---------------------------------------------


@exercise(
    (_DICE, 3),
    (_DICE, 1),
    (_WAITING, "bus"),
    (_WAITING, "tram"),
    (_LOPSIDED, 2),
    (_FLOATS, 1),
    (_IMPOSSIBLE, 1),
    (_IMPOSSIBLE, 2),
    (_DICE, 7),
)
def conditional_distribution(joint, y):
    """Return {x: P[X = x | Y = y]} from {(x, y): P[X = x, Y = y]}."""
    return _rescaled(_slices(joint).get(y, {}))


@conditional_distribution.mistake(
    "These are the joint probabilities of the slice. What do they sum to, and "
    "what should a distribution sum to?",
    example=((_TWO_SLICES, 3), {4: F(1, 6), 10: F(1, 2)}),
)
def _not_divided(joint, y):
    return _slices(joint)[y]


@conditional_distribution.mistake(
    "This divides by P[X = x]: what is known is Y, and its probability is the "
    "sum of the slice.",
    example=((_TWO_SLICES, 3), {4: F(2, 5), 10: F(1)}),
)
def _by_p_x(joint, y):
    p_x = _marginal_x(joint)
    return {x: p / p_x[x] for x, p in _slices(joint)[y].items()}


@conditional_distribution.mistake(
    "This gives the values in the slice equal probabilities; they keep the "
    "proportions that they have in the joint distribution.",
    example=((_TWO_SLICES, 3), {4: F(1, 2), 10: F(1, 2)}),
)
def _equally_probable(joint, y):
    part = _slices(joint)[y]
    return dict.fromkeys(part, F(1, len(part)))


@conditional_distribution.mistake(
    "This is the marginal distribution of X on the values of the slice: it "
    "ignores what Y is.",
    example=((_TWO_SLICES, 3), {4: F(5, 12), 10: F(1, 2)}),
)
def _marginal(joint, y):
    p_x = _marginal_x(joint)
    return {x: p_x[x] for x in _slices(joint)[y]}


@conditional_distribution.mistake(
    "This multiplies by P[Y = y] where it should divide.",
    example=((_TWO_SLICES, 3), {4: F(1, 9), 10: F(1, 3)}),
)
def _multiplied(joint, y):
    p_y = _marginal_y(joint)[y]
    return {x: p * p_y for x, p in _slices(joint)[y].items()}


# -- variance_parts -------------------------------------------------------


def _conditional(joint, moment):
    return {y: moment(_rescaled(part)) for y, part in _slices(joint).items()}


def _parts(joint, weights):
    """Return within and between, with P[Y = y] or other weights."""
    means = _conditional(joint, _mean)
    variances = _conditional(joint, _variance)
    centre = sum(weights[y] * means[y] for y in means)
    return (
        sum(weights[y] * variances[y] for y in variances),
        sum(weights[y] * (means[y] - centre) ** 2 for y in means),
    )


@exercise(
    (_DICE,),
    ({(5, 1): F(1, 3), (9, 2): F(2, 3)},),
    (_LOPSIDED,),
    (_FLOATS,),
    ({(x, y): F(1, 6) for x in (0, 6) for y in (1, 2, 3)},),
)
def variance_parts(joint):
    """Return (E[Var[X | Y]], Var[E[X | Y]]) from {(x, y): probability}."""
    return _parts(joint, _marginal_y(joint))


@variance_parts.mistake(
    "The two parts are right, in the wrong order: within first.",
    example=((_TWO_SLICES,), (F(50, 9), F(19, 4))),
)
def _order_of_parts(joint):
    return variance_parts(joint)[::-1]


@variance_parts.mistake(
    "The slices are not equally probable: weigh each by P[Y = y].",
    example=((_TWO_SLICES,), (F(15, 4), F(25, 4))),
)
def _equal_slices(joint):
    slices = _slices(joint)
    return _parts(joint, dict.fromkeys(slices, F(1, len(slices))))


@variance_parts.mistake(
    "These are the parts of Var[Y] given X; those of Var[X] given Y are asked "
    "for.",
    example=((_TWO_SLICES,), (F(2, 5), F(22, 45))),
)
def _parts_of_y(joint):
    return variance_parts(_swapped(joint))


@variance_parts.mistake(
    "The first is the whole variance of X: inside a slice, distances are "
    "taken from the mean of the slice.",
    example=((_TWO_SLICES,), (F(371, 36), F(50, 9))),
)
def _whole_variance(joint):
    _, between = variance_parts(joint)
    return _variance(_marginal_x(joint)), between


@variance_parts.mistake(
    "The second is the mean square of the conditional means; subtract the "
    "squared mean.",
    example=((_TWO_SLICES,), (F(19, 4), F(209, 4))),
)
def _mean_square(joint):
    within, _ = variance_parts(joint)
    p_y, means = _marginal_y(joint), _conditional(joint, _mean)
    return within, sum(p_y[y] * mean**2 for y, mean in means.items())


@variance_parts.mistake(
    "The first is the sum of the conditional variances; it should be their "
    "mean, with the weights P[Y = y].",
    example=((_TWO_SLICES,), (F(15, 2), F(50, 9))),
)
def _sum_of_variances(joint):
    _, between = variance_parts(joint)
    return sum(_conditional(joint, _variance).values()), between


@variance_parts.mistake(
    "The first is the square of a mean standard deviation; average the "
    "variances.",
    example=((_TWO_SLICES,), (F(49, 12), F(50, 9))),
)
def _roots(joint):
    p_y, variances = _marginal_y(joint), _conditional(joint, _variance)
    mean = sum(float(p_y[y]) * float(v) ** 0.5 for y, v in variances.items())
    _, between = variance_parts(joint)
    return mean**2, between


# -- size_biased ----------------------------------------------------------


def _with_members(distribution):
    return {n: p for n, p in distribution.items() if n * p > 0}


@exercise(
    ({10: F(3, 5), 20: F(1, 5), 50: F(1, 5)},),
    ({1: F(1, 2), 2: F(1, 4), 3: F(1, 4)},),
    ({0: F(1, 3), 1: F(1, 3), 4: F(1, 3)},),
    ({1: F(1, 6), 5: F(0), 7: F(5, 6)},),
    ({2: 0.9, 30: 0.1},),
    ({6: F(1)},),
    ({0: F(1)},),
)
def size_biased(distribution):
    """Return how probable each group size is for a member."""
    groups = _with_members(distribution)
    return _rescaled({n: n * p for n, p in groups.items()})


_MEAN_THREE = {0: F(1, 10), 2: F(1, 2), 5: F(2, 5)}


@size_biased.mistake(
    "These are n P[N = n], which sum to the mean size: divide by it.",
    example=((_MEAN_THREE,), {2: 1, 5: 2}),
)
def _without_mean_size(distribution):
    groups = _with_members(distribution)
    return {n: n * p for n, p in groups.items()}


@size_biased.mistake(
    "This is the distribution that was given: a large group has more members "
    "to be drawn.",
    example=((_MEAN_THREE,), {0: F(1, 10), 2: F(1, 2), 5: F(2, 5)}),
)
def _as_given(distribution):
    return distribution


@size_biased.mistake(
    "This draws the groups with members, all equally often whatever their "
    "size.",
    example=((_MEAN_THREE,), {2: F(5, 9), 5: F(4, 9)}),
)
def _groups_with_members(distribution):
    return _rescaled(_with_members(distribution))


@size_biased.mistake(
    "This weighs by one over the size, which favours the small groups.",
    example=((_MEAN_THREE,), {2: F(25, 33), 5: F(8, 33)}),
)
def _small_groups(distribution):
    groups = _with_members(distribution)
    return _rescaled({n: p / n for n, p in groups.items()})


@size_biased.mistake(
    "This weighs by the square of the size: each member counts once.",
    example=((_MEAN_THREE,), {2: F(1, 6), 5: F(5, 6)}),
)
def _squared_size(distribution):
    groups = _with_members(distribution)
    return _rescaled({n: n * n * p for n, p in groups.items()})


@size_biased.mistake(
    "This weighs by the size alone: where is how common it is?",
    example=((_MEAN_THREE,), {2: F(2, 7), 5: F(5, 7)}),
)
def _size_alone(distribution):
    return _rescaled({n: F(n) for n in _with_members(distribution)})


# -- random_sum -----------------------------------------------------------


def _moments(number, value):
    return _mean(number), _variance(number), _mean(value), _variance(value)


_DIE = {face: F(1, 6) for face in range(1, 7)}


@exercise(
    (_DIE, _DIE),
    ({0: F(1, 4), 3: F(3, 4)}, {2: F(1, 2), 10: F(1, 2)}),
    ({5: F(1)}, {1: F(1, 3), 4: F(2, 3)}),
    ({1: F(2, 5), 2: F(3, 5)}, {7: F(1)}),
    ({2: 0.25, 4: 0.75}, {0.5: 0.5, 1.5: 0.5}),
)
def random_sum(number, value):
    """Return (E[S], Var[S]) for S = X_1 + ... + X_N."""
    n, n_var, x, x_var = _moments(number, value)
    return n * x, n * x_var + n_var * x**2


_ONE_OR_FIVE = {1: F(1, 4), 5: F(3, 4)}
_ONE_OR_SEVEN = {1: F(1, 3), 7: F(2, 3)}


@random_sum.mistake(
    "The number of terms varies too: the variance between is missing.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 32)),
)
def _within_only(number, value):
    n, _, x, x_var = _moments(number, value)
    return n * x, n * x_var


@random_sum.mistake(
    "This is the variance between only: within each number of terms, the sum "
    "varies too.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 75)),
)
def _between_only(number, value):
    n, n_var, x, _ = _moments(number, value)
    return n * x, n_var * x**2


@random_sum.mistake(
    "A factor leaves a variance squared: Var[aN] = a² Var[N], and a is E[X] "
    "here.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 47)),
)
def _not_squared(number, value):
    n, n_var, x, x_var = _moments(number, value)
    return n * x, n * x_var + n_var * x


@random_sum.mistake(
    "This multiplies one term by a fixed number; independent terms vary less "
    "than one term multiplied.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 128)),
)
def _one_term(number, value):
    n, _, x, x_var = _moments(number, value)
    return n * x, n**2 * x_var


@random_sum.mistake(
    "This is the variance of N times one single X. The terms are different "
    "ones, so within N = n their variances add up to n Var[X], not n² Var[X].",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 227)),
)
def _one_single_x(number, value):
    n, n_var, x, x_var = _moments(number, value)
    return n * x, (n_var + n**2) * x_var + n_var * x**2


@random_sum.mistake(
    "This multiplies the two variances.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 24)),
)
def _variances_multiplied(number, value):
    n, n_var, x, x_var = _moments(number, value)
    return n * x, n_var * x_var


@random_sum.mistake(
    "This adds the two variances.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 11)),
)
def _variances_added(number, value):
    n, n_var, x, x_var = _moments(number, value)
    return n * x, n_var + x_var


@random_sum.mistake(
    "The roles are exchanged: it is the mean of N that multiplies the "
    "variance of X.",
    example=((_ONE_OR_FIVE, _ONE_OR_SEVEN), (20, 143)),
)
def _roles_exchanged(number, value):
    n, n_var, x, x_var = _moments(number, value)
    return n * x, x * n_var + x_var * n**2
