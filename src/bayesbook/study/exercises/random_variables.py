"""The coding exercises of the chapter *Random variables*."""

from fractions import Fraction as F
from itertools import product

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

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


# -- conditional_distribution(joint, y) -----------------------------------


def _conditional_distribution(joint, y):
    return _rescaled(_slices(joint).get(y, {}))


conditional_distribution = Exercise(
    reference=_conditional_distribution,
    cases=(
        (_DICE, 3),
        (_DICE, 1),
        (_WAITING, "bus"),
        (_WAITING, "tram"),
        (_LOPSIDED, 2),
        (_FLOATS, 1),
        (_IMPOSSIBLE, 1),
        (_IMPOSSIBLE, 2),
        (_DICE, 7),
    ),
    mistakes={
        "These are the joint probabilities of the slice. What do they sum to, "
        "and what should a distribution sum to?": lambda joint, y: _slices(
            joint
        )[y],
        "This divides by P[X = x]: what is known is Y, and its probability is "
        "the sum of the slice.": lambda joint, y: {
            x: p / _marginal_x(joint)[x] for x, p in _slices(joint)[y].items()
        },
        "This gives the values in the slice equal probabilities; they keep "
        "the proportions that they have in the "
        "joint distribution.": lambda joint, y: {
            x: F(1, len(_slices(joint)[y])) for x in _slices(joint)[y]
        },
        "This is the marginal distribution of X on the values of the slice: "
        "it "
        "ignores what Y is.": lambda joint, y: {
            x: _marginal_x(joint)[x] for x in _slices(joint)[y]
        },
        "This multiplies by P[Y = y] where it should divide.": (
            lambda joint, y: {
                x: p * _marginal_y(joint)[y]
                for x, p in _slices(joint)[y].items()
            }
        ),
    },
)

# -- regression(joint) ----------------------------------------------------


def _regression(joint):
    return {
        y: _mean(_rescaled(part))
        for y, part in _slices(joint).items()
        if sum(part.values()) > 0
    }


regression = Exercise(
    reference=_regression,
    cases=((_DICE,), (_WAITING,), (_LOPSIDED,), (_FLOATS,), (_IMPOSSIBLE,)),
    mistakes={
        "These are the sums of x P[X = x, Y = y]: each has to be divided by "
        "the probability of its slice.": lambda joint: {
            y: _mean(part)
            for y, part in _slices(joint).items()
            if sum(part.values()) > 0
        },
        "This is the mean of the values in each slice without weights; they "
        "are not equally probable.": lambda joint: {
            y: F(sum(part), len(part))
            for y, part in _slices(joint).items()
            if sum(part.values()) > 0
        },
        "This is E[X] for every y: it ignores what is known.": (
            lambda joint: {
                y: _mean(_marginal_x(joint))
                for y, p in _marginal_y(joint).items()
                if p > 0
            }
        ),
        "This is the likeliest value of each slice, not its mean.": (
            lambda joint: {
                y: max(part, key=part.get)
                for y, part in _slices(joint).items()
                if sum(part.values()) > 0
            }
        ),
        "This multiplies by P[Y = y] where it should divide.": (
            lambda joint: {
                y: _mean(part) * sum(part.values())
                for y, part in _slices(joint).items()
                if sum(part.values()) > 0
            }
        ),
    },
)

# -- variance_parts(joint) ------------------------------------------------


def _conditional(joint, moment):
    return {y: moment(_rescaled(p)) for y, p in _slices(joint).items()}


def _parts(joint, weights=None):
    """Return within and between, with P[Y = y] or other weights."""
    weights = weights or _marginal_y(joint)
    means = _conditional(joint, _mean)
    variances = _conditional(joint, _variance)
    centre = sum(weights[y] * means[y] for y in means)
    return (
        sum(weights[y] * variances[y] for y in variances),
        sum(weights[y] * (means[y] - centre) ** 2 for y in means),
    )


def _equal_weights(joint):
    return dict.fromkeys(_slices(joint), F(1, len(_slices(joint))))


def _roots(joint):
    """Average standard deviations and square the mean."""
    weights, deviations = (
        _marginal_y(joint),
        _conditional(joint, _variance),
    )
    mean = sum(
        float(weights[y]) * float(v) ** 0.5 for y, v in deviations.items()
    )
    return mean**2, _parts(joint)[1]


variance_parts = Exercise(
    reference=_parts,
    cases=(
        (_DICE,),
        ({(5, 1): F(1, 3), (9, 2): F(2, 3)},),
        (_LOPSIDED,),
        (_FLOATS,),
        ({(x, y): F(1, 6) for x in (0, 6) for y in (1, 2, 3)},),
    ),
    mistakes={
        "The two parts are right, in the wrong order: within first.": (
            lambda joint: _parts(joint)[::-1]
        ),
        "The slices are not equally probable: weigh each by P[Y = y].": (
            lambda joint: _parts(joint, _equal_weights(joint))
        ),
        "These are the parts of Var[Y] given X; those of Var[X] given Y are "
        "asked for.": lambda joint: _parts(_swapped(joint)),
        "The first is the whole variance of X: inside a slice, distances are "
        "taken from the mean of the slice.": lambda joint: (
            _variance(_marginal_x(joint)),
            _parts(joint)[1],
        ),
        "The second is the mean square of the conditional means; subtract "
        "the squared mean.": lambda joint: (
            _parts(joint)[0],
            sum(
                _marginal_y(joint)[y] * mean**2
                for y, mean in _conditional(joint, _mean).items()
            ),
        ),
        "The first is the sum of the conditional variances; it should be "
        "their mean, with the weights P[Y = y].": lambda joint: (
            sum(_conditional(joint, _variance).values()),
            _parts(joint)[1],
        ),
        "The first averages standard deviations; average the variances.": (
            _roots
        ),
    },
)

# -- size_biased(distribution) --------------------------------------------


def _size_biased(distribution):
    return _rescaled({n: n * p for n, p in distribution.items() if n * p > 0})


def _with_members(distribution):
    return {n: p for n, p in distribution.items() if n * p > 0}


size_biased = Exercise(
    reference=_size_biased,
    cases=(
        ({10: F(3, 5), 20: F(1, 5), 50: F(1, 5)},),
        ({1: F(1, 2), 2: F(1, 4), 3: F(1, 4)},),
        ({0: F(1, 3), 1: F(1, 3), 4: F(1, 3)},),
        ({1: F(1, 6), 5: F(0), 7: F(5, 6)},),
        ({2: 0.9, 30: 0.1},),
        ({6: F(1)},),
        ({0: F(1)},),
    ),
    mistakes={
        "These are n P[N = n], which sum to the mean size: divide by it.": (
            lambda distribution: {
                n: n * p for n, p in _with_members(distribution).items()
            }
        ),
        "This is the distribution that was given: a large group has more "
        "members to be drawn.": _with_members,
        "This draws the groups with members, all equally often whatever "
        "their size.": lambda distribution: _rescaled(
            _with_members(distribution)
        ),
        "This weighs by one over the size, which favours the small groups.": (
            lambda distribution: _rescaled(
                {n: p / n for n, p in _with_members(distribution).items()}
            )
        ),
        "This weighs by the square of the size: each member counts once.": (
            lambda distribution: _rescaled(
                {n: n * n * p for n, p in _with_members(distribution).items()}
            )
        ),
        "This weighs by the size alone: where is how common it is?": (
            lambda distribution: _rescaled(
                {n: F(n) for n in _with_members(distribution)}
            )
        ),
    },
)

# -- random_sum(number, value) --------------------------------------------


def _moments(number, value):
    return _mean(number), _variance(number), _mean(value), _variance(value)


def _of_moments(variance):
    """Return the mistake with the right mean and this variance."""

    def answer(number, value):
        n, n_variance, x, x_variance = _moments(number, value)
        return n * x, variance(n, n_variance, x, x_variance)

    return answer


_random_sum = _of_moments(
    lambda n, n_variance, x, x_variance: n * x_variance + n_variance * x**2
)
_DIE = {face: F(1, 6) for face in range(1, 7)}

random_sum = Exercise(
    reference=_random_sum,
    cases=(
        (_DIE, _DIE),
        ({0: F(1, 4), 3: F(3, 4)}, {2: F(1, 2), 10: F(1, 2)}),
        ({5: F(1)}, {1: F(1, 3), 4: F(2, 3)}),
        ({1: F(2, 5), 2: F(3, 5)}, {7: F(1)}),
        ({2: 0.25, 4: 0.75}, {0.5: 0.5, 1.5: 0.5}),
    ),
    mistakes={
        "The number of terms varies too: the variance between is missing.": (
            _of_moments(lambda n, nv, x, xv: n * xv)
        ),
        "This is the variance between only: within each number of terms, the "
        "sum varies too.": _of_moments(lambda n, nv, x, xv: nv * x**2),
        "A factor leaves a variance squared: Var[aN] = a² Var[N], and a is "
        "E[X] here.": _of_moments(lambda n, nv, x, xv: n * xv + nv * x),
        "This multiplies one term by a fixed number; independent terms vary "
        "less than one term multiplied.": _of_moments(
            lambda n, nv, x, xv: n**2 * xv
        ),
        "This is the variance of N times one single X. The terms are "
        "different ones, so within N = n their variances add up to n Var[X], "
        "not n² Var[X].": _of_moments(
            lambda n, nv, x, xv: (nv + n**2) * xv + nv * x**2
        ),
        "This multiplies the two variances.": _of_moments(
            lambda n, nv, x, xv: nv * xv
        ),
        "This adds the two variances.": _of_moments(
            lambda n, nv, x, xv: nv + xv
        ),
        "The roles are exchanged: it is the mean of N that multiplies the "
        "variance of X.": _of_moments(lambda n, nv, x, xv: x * nv + xv * n**2),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "conditional_distribution": conditional_distribution,
    "regression": regression,
    "variance_parts": variance_parts,
    "size_biased": size_biased,
    "random_sum": random_sum,
}
