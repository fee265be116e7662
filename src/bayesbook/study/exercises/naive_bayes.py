"""The coding exercises of the chapter *Naive Bayes*."""

from math import exp, inf, log, log2

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import log_or_minus_inf

# -- predict --------------------------------------------------------------

_FRUIT = ("Banana", "Orange", "Other")
_SHARES = (0.5, 0.3, 0.2)
_RATES = ((0.8, 0.7, 0.9), (0.05, 0.5, 0.95), (0.5, 0.75, 0.25))
_EVEN = (0.5, 0.5)
_LONG = (tuple([0.2, 0.4] * 1500), tuple([0.3, 0.6] * 1500))
_LONG_X = tuple([1, 1, 0, 1] * 750)
_CLOSE = ((0.55, 0.6), (0.65, 0.7))


def _factors(p, x):
    """Return the factors of the features that were observed."""
    pairs = zip(p, x, strict=True)
    return [q if on else 1 - q for q, on in pairs if on is not None]


def _scores(pi_k, p_km, x):
    return [
        log(pi) + sum(map(log, _factors(p, x)))
        for pi, p in zip(pi_k, p_km, strict=True)
    ]


def _label_of_largest(scores, label_set):
    return label_set[scores.index(max(scores))]


@exercise(
    (_SHARES, _RATES, (1, 1, 1), _FRUIT),
    (_SHARES, _RATES, (0, 1, 0), _FRUIT),
    (_SHARES, _RATES, (0, 0, 1), _FRUIT),
    (_SHARES, _RATES, (1, 0, 0), _FRUIT),
    (_EVEN, _LONG, _LONG_X, ("ham", "spam")),
    ((0.9, 0.1), _CLOSE, (1, 1), ("often", "rarely")),
    ((0.2, 0.8), _CLOSE, (0, 0), ("often", "rarely")),
    (_SHARES, _RATES, (None, 1, 0), _FRUIT),
    (_SHARES, _RATES, (None, None, 1), _FRUIT),
    (_EVEN, ((0.6, 0.9), (0.7, 0.2)), (0, None), ("first", "second")),
    (_EVEN, ((0.6, 0.2), (0.5, 0.9)), (1, None), ("first", "second")),
    ((0.3, 0.7), ((0.6, 0.2), (0.5, 0.9)), (None, None), ("first", "second")),
)
def predict(pi_k, p_km, x, label_set):
    """Return the label of the most probable class; None is not observed."""
    return _label_of_largest(_scores(pi_k, p_km, x), label_set)


# The largest posterior is that of "e"; each mistake answers another class.
_SIX_CLASSES = (
    (0.25, 0.1, 0.3, 0.15, 0.15, 0.05),
    ((0.2, 0.4), (0.7, 0.8), (0.2, 0.3), (0.7, 0.7), (0.6, 0.5), (0.9, 0.3)),
    (1, 0),
    tuple("abcdef"),
)


@predict.mistake(
    "The products underflow: with thousands of features all of them are zero. "
    "Add logarithms.",
    example=(
        (
            (0.4, 0.5, 0.1),
            ((0.3,) * 900, (0.4,) * 900, (0.2,) * 900),
            (1,) * 900,
            ("first", "second", "third"),
        ),
        "first",
    ),
)
def _by_products(pi_k, p_km, x, label_set):
    joint = list(pi_k)
    for k, p in enumerate(p_km):
        for factor in _factors(p, x):
            joint[k] *= factor
    return _label_of_largest(joint, label_set)


@predict.mistake(
    "This multiplies only the features that are present. An absent one is "
    "evidence too.",
    example=(
        (
            (0.5, 0.3, 0.2),
            ((0.4, 0.5, 0.1), (0.6, 0.7, 0.7), (0.5, 0.3, 0.4)),
            (1, 1, 0),
            ("first", "second", "third"),
        ),
        "second",
    ),
)
def _present_only(pi_k, p_km, x, label_set):
    scores = [
        log(pi) + sum(log(q) for q, on in zip(p, x, strict=True) if on)
        for pi, p in zip(pi_k, p_km, strict=True)
    ]
    return _label_of_largest(scores, label_set)


@predict.mistake(
    "This takes the class with the largest likelihood; the priors are "
    "missing.",
    example=(_SIX_CLASSES, "f"),
)
def _priors_missing(pi_k, p_km, x, label_set):
    return predict([1] * len(pi_k), p_km, x, label_set)


@predict.mistake(
    "This takes the smallest posterior. It is the risk that is to be small.",
    example=(_SIX_CLASSES, "b"),
)
def _smallest(pi_k, p_km, x, label_set):
    scores = _scores(pi_k, p_km, x)
    return label_set[scores.index(min(scores))]


@predict.mistake(
    "This is the class with the largest prior, whatever x is.",
    example=(_SIX_CLASSES, "c"),
)
def _largest_prior(pi_k, p_km, x, label_set):
    return label_set[list(pi_k).index(max(pi_k))]


@predict.mistake(
    "Present and absent have changed places.", example=(_SIX_CLASSES, "a")
)
def _turned(pi_k, p_km, x, label_set):
    turned = [on if on is None else not on for on in x]
    return predict(pi_k, p_km, turned, label_set)


@predict.mistake(
    "A feature that was not observed is not an absent one: leave its factor "
    "out. (In Python both None and 0 count as false.)",
    example=(
        (_EVEN, ((0.7, 0.9), (0.6, 0.3)), (1, None), ("first", "second")),
        "second",
    ),
)
def _missing_is_absent(pi_k, p_km, x, label_set):
    return predict(pi_k, p_km, [on or 0 for on in x], label_set)


@predict.mistake(
    "A feature that was not observed is not a present one: leave its factor "
    "out.",
    example=(
        (_EVEN, ((0.7, 0.2), (0.6, 0.9)), (1, None), ("first", "second")),
        "second",
    ),
)
def _missing_is_present(pi_k, p_km, x, label_set):
    filled = [1 if on is None else on for on in x]
    return predict(pi_k, p_km, filled, label_set)


# -- log_sum_exp ----------------------------------------------------------


@exercise(
    ((-3.0, -4.0),),
    ((-120.0, -121.0),),
    ((-1200.0, -1201.0, -1203.5),),
    ((800.0, 801.5),),
    ((0.3, -0.7, 1.1, 0.2),),
    ((-5.5,),),
    ((-2.5, -inf, -4.5),),
    ((-inf, -inf),),
)
def log_sum_exp(scores):
    """Return log(sum(exp(s))) for a list of scores, some perhaps -inf."""
    largest = max(scores)
    if largest == -inf:
        return largest
    return largest + log(sum(exp(s - largest) for s in scores))


@log_sum_exp.mistake(
    "The exponentials underflow to zero, or overflow, where the scores are "
    "far from zero. Take out the largest score first.",
    # Both exponentials are rounded to the smallest float, 2**-1074.
    example=(((-745.0, -745.1),), -1073 * log(2)),
)
def _underflow(scores):
    return log(sum(map(exp, scores)))


@log_sum_exp.mistake(
    "The largest score that was taken out has to be added again.",
    example=(((2.0, 0.5, 1.0),), log(1 + exp(-1.5) + exp(-1))),
)
def _constant_forgotten(scores):
    largest = max(scores)
    return log_or_minus_inf(sum(exp(s - largest) for s in scores if s > -inf))


@log_sum_exp.mistake(
    "This is the largest score alone. The others count as well, although "
    "little if they are far below.",
    example=(((2.0, 0.5, 1.0),), 2),
)
def _largest_alone(scores):
    return max(scores)


@log_sum_exp.mistake(
    "This is the sum of the exponentials, without the logarithm.",
    example=(((2.0, 0.5, 1.0),), exp(2) + exp(0.5) + exp(1)),
)
def _without_logarithm(scores):
    return sum(map(exp, scores))


@log_sum_exp.mistake(
    "The logarithm of a sum is not the sum of the logarithms.",
    example=(((2.0, 0.5, 1.0),), 3.5),
)
def _logarithms_summed(scores):
    return sum(scores)


@log_sum_exp.mistake(
    "This is the logarithm of the mean of the exponentials, not of their sum.",
    example=(((2.0, 0.5, 1.0),), log((exp(2) + exp(0.5) + exp(1)) / 3)),
)
def _logarithm_of_mean(scores):
    return log_sum_exp(scores) - log(len(scores))


# -- fit_table ------------------------------------------------------------


def _priors(N_k, alpha):
    whole = sum(N_k) + len(N_k) * alpha
    return tuple((n + alpha) / whole for n in N_k)


def _rates(N_km, N_k, beta, states=2):
    return tuple(
        tuple((hits + beta) / (n + states * beta) for hits in row)
        for row, n in zip(N_km, N_k, strict=True)
    )


@exercise(
    (((3, 7, 0), (5, 5, 2)), (9, 6), 1, 1),
    (((0, 4), (11, 2), (6, 6)), (4, 13, 9), 1, 1),
    (((2, 1, 1, 5), (0, 0, 3, 1)), (7, 4), 0.5, 2),
    (((8,), (1,), (0,), (3,)), (17, 5, 0, 3), 2, 0.5),
    (((40, 35, 45), (0, 15, 30), (10, 15, 5)), (50, 30, 20), 3, 1),
)
def fit_table(N_km, N_k, alpha, beta):
    """Return smoothed (pi_k, p_km), as lists."""
    return _priors(N_k, alpha), _rates(N_km, N_k, beta)


_THREE_FEATURES = (((2, 4, 1), (0, 3, 5)), (4, 6), 2, 3)


@fit_table.mistake(
    "These are the maximum likelihood estimates: the pseudo-counts are "
    "missing.",
    example=(
        _THREE_FEATURES,
        ((2 / 5, 3 / 5), ((1 / 2, 1, 1 / 4), (0, 1 / 2, 5 / 6))),
    ),
)
def _no_pseudo_counts(N_km, N_k, alpha, beta):
    return fit_table(N_km, N_k, 0, 0)


@fit_table.mistake(
    "The priors count occurrences of features. A row counts once, however "
    "many features it has.",
    example=(
        _THREE_FEATURES,
        ((9 / 19, 10 / 19), ((1 / 2, 7 / 10, 2 / 5), (1 / 4, 1 / 2, 2 / 3))),
    ),
)
def _occurrences(N_km, N_k, alpha, beta):
    sums = [sum(row) for row in N_km]
    return _priors(sums, alpha), _rates(N_km, N_k, beta)


@fit_table.mistake(
    "Every class gets alpha, so the denominator of the priors gets alpha for "
    "each class; the priors should sum to one.",
    example=(
        _THREE_FEATURES,
        ((1 / 2, 2 / 3), ((1 / 2, 7 / 10, 2 / 5), (1 / 4, 1 / 2, 2 / 3))),
    ),
)
def _one_alpha(N_km, N_k, alpha, beta):
    whole = sum(N_k) + alpha
    priors = tuple((n + alpha) / whole for n in N_k)
    return priors, _rates(N_km, N_k, beta)


@fit_table.mistake(
    "A feature is present or absent: beta goes twice into the denominator.",
    example=(
        _THREE_FEATURES,
        ((3 / 7, 4 / 7), ((5 / 7, 1, 4 / 7), (1 / 3, 2 / 3, 8 / 9))),
    ),
)
def _one_beta(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, N_k, beta, states=1)


@fit_table.mistake(
    "The denominator of a feature has beta once for each of its two states, "
    "not once for each feature.",
    example=(
        _THREE_FEATURES,
        ((3 / 7, 4 / 7), ((5 / 13, 7 / 13, 4 / 13), (1 / 5, 2 / 5, 8 / 15))),
    ),
)
def _beta_for_each_feature(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, N_k, beta, states=len(N_km[0]))


@fit_table.mistake(
    "alpha and beta have changed places.",
    example=(
        _THREE_FEATURES,
        ((7 / 16, 9 / 16), ((1 / 2, 3 / 4, 3 / 8), (1 / 5, 1 / 2, 7 / 10))),
    ),
)
def _swapped(N_km, N_k, alpha, beta):
    return fit_table(N_km, N_k, beta, alpha)


@fit_table.mistake(
    "The priors are right. The features were divided by the number of all "
    "rows; divide by that of the rows of the class.",
    example=(
        _THREE_FEATURES,
        ((3 / 7, 4 / 7), ((5 / 16, 7 / 16, 1 / 4), (3 / 16, 3 / 8, 1 / 2))),
    ),
)
def _all_rows_below(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, [sum(N_k)] * len(N_k), beta)


# -- nll_terms ------------------------------------------------------------

_X = ((1, 0, 1), (1, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 1))
_P = ((0.7, 0.2, 0.6), (0.35, 0.9, 0.45))


def _term(N_k, hits, p):
    return -hits * log(p) - (N_k - hits) * log(1 - p)


def _ones(rows, columns):
    return [sum(row[m] for row in rows) for m in range(columns)]


def _counts(X, y, K):
    """Return the rows of each class, and its ones in each column."""
    pairs = list(zip(X, y, strict=True))
    members = [[x for x, label in pairs if label == k] for k in range(K)]
    N_km = [_ones(rows, len(X[0])) for rows in members]
    return [len(rows) for rows in members], N_km


def _class_term(N_k, pi_k):
    return -sum(n * log(pi) for n, pi in zip(N_k, pi_k, strict=True))


def _feature_terms(N_k, N_km, p_km):
    return tuple(
        tuple(_term(n, hits, p) for hits, p in zip(row, rates, strict=True))
        for n, row, rates in zip(N_k, N_km, p_km, strict=True)
    )


def _times(terms, factor):
    J_0, J_km = terms
    return J_0 * factor, tuple(
        tuple(term * factor for term in row) for row in J_km
    )


@exercise(
    (_X, (0, 1, 0, 0, 1), (0.55, 0.45), _P),
    (_X, (1, 1, 1, 0, 1), (0.3, 0.7), _P),
    (_X[:2], (0, 0), (0.8, 0.2), _P),
    (_X, (2, 0, 2, 1, 0), (0.25, 0.35, 0.4), (*_P, (0.15, 0.5, 0.85))),
    (((1,), (0,), (0,)), (0, 0, 1), (0.6, 0.4), ((0.3,), (0.1,))),
)
def nll_terms(X, y, pi_k, p_km):
    """Return J_0 and the J_km (a list for each class) of rows X, y."""
    N_k, N_km = _counts(X, y, len(pi_k))
    return _class_term(N_k, pi_k), _feature_terms(N_k, N_km, p_km)


_SEVEN_ROWS = (
    ((1, 0), (1, 1), (0, 1), (1, 0), (1, 0), (0, 1), (0, 0)),
    (0, 1, 1, 0, 0, 0, 1),
    (0.6, 0.4),
    ((0.7, 0.2), (0.4, 0.9)),
)


@nll_terms.mistake(
    "The sign is missing: these are the terms of the log-likelihood, not of "
    "the negative one.",
    example=(
        _SEVEN_ROWS,
        (
            4 * log(0.6) + 3 * log(0.4),
            (
                (3 * log(0.7) + log(0.3), log(0.2) + 3 * log(0.8)),
                (log(0.4) + 2 * log(0.6), 2 * log(0.9) + log(0.1)),
            ),
        ),
    ),
)
def _likelihood_terms(X, y, pi_k, p_km):
    return _times(nll_terms(X, y, pi_k, p_km), -1)


@nll_terms.mistake(
    "The rows in which the feature is absent are missing.",
    example=(
        _SEVEN_ROWS,
        (
            -4 * log(0.6) - 3 * log(0.4),
            ((-3 * log(0.7), -log(0.2)), (-log(0.4), -2 * log(0.9))),
        ),
    ),
)
def _hits_only(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    return _class_term(N_k, pi_k), tuple(
        tuple(-hits * log(p) for hits, p in zip(row, rates, strict=True))
        for row, rates in zip(N_km, p_km, strict=True)
    )


@nll_terms.mistake(
    "Only the rows of the class belong to its terms; here those of the other "
    "classes count as absences.",
    example=(
        _SEVEN_ROWS,
        (
            -4 * log(0.6) - 3 * log(0.4),
            (
                (-3 * log(0.7) - 4 * log(0.3), -log(0.2) - 6 * log(0.8)),
                (-log(0.4) - 6 * log(0.6), -2 * log(0.9) - 5 * log(0.1)),
            ),
        ),
    ),
)
def _all_rows(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    sizes = [len(y)] * len(N_k)
    return _class_term(N_k, pi_k), _feature_terms(sizes, N_km, p_km)


@nll_terms.mistake(
    "These are the means over the rows; the terms are sums.",
    example=(
        _SEVEN_ROWS,
        (
            -4 / 7 * log(0.6) - 3 / 7 * log(0.4),
            (
                (
                    -3 / 7 * log(0.7) - log(0.3) / 7,
                    -log(0.2) / 7 - 3 / 7 * log(0.8),
                ),
                (
                    -log(0.4) / 7 - 2 / 7 * log(0.6),
                    -2 / 7 * log(0.9) - log(0.1) / 7,
                ),
            ),
        ),
    ),
)
def _means(X, y, pi_k, p_km):
    return _times(nll_terms(X, y, pi_k, p_km), 1 / len(y))


@nll_terms.mistake(
    "The first term is not weighted by the numbers of rows: every row "
    "contributes the prior of its class.",
    example=(
        _SEVEN_ROWS,
        (
            -log(0.6) - log(0.4),
            (
                (-3 * log(0.7) - log(0.3), -log(0.2) - 3 * log(0.8)),
                (-log(0.4) - 2 * log(0.6), -2 * log(0.9) - log(0.1)),
            ),
        ),
    ),
)
def _unweighted_priors(X, y, pi_k, p_km):
    return -sum(map(log, pi_k)), nll_terms(X, y, pi_k, p_km)[1]


@nll_terms.mistake(
    "Present and absent have changed places.",
    example=(
        _SEVEN_ROWS,
        (
            -4 * log(0.6) - 3 * log(0.4),
            (
                (-log(0.7) - 3 * log(0.3), -3 * log(0.2) - log(0.8)),
                (-2 * log(0.4) - log(0.6), -log(0.9) - 2 * log(0.1)),
            ),
        ),
    ),
)
def _turned_features(X, y, pi_k, p_km):
    turned = [[1 - on for on in x] for x in X]
    return nll_terms(turned, y, pi_k, p_km)


@nll_terms.mistake(
    "These are logarithms to the base 2; natural ones are asked for.",
    example=(
        _SEVEN_ROWS,
        (
            -4 * log2(0.6) - 3 * log2(0.4),
            (
                (-3 * log2(0.7) - log2(0.3), -log2(0.2) - 3 * log2(0.8)),
                (-log2(0.4) - 2 * log2(0.6), -2 * log2(0.9) - log2(0.1)),
            ),
        ),
    ),
)
def _bits(X, y, pi_k, p_km):
    return _times(nll_terms(X, y, pi_k, p_km), 1 / log(2))


# -- contributions --------------------------------------------------------


def _ratios(p_km, x):
    first, second = (_factors(p, x) for p in p_km)
    return tuple(log(a / b) for a, b in zip(first, second, strict=True))


@exercise(
    ((0.55, 0.45), _P, (1, 1, 0)),
    ((0.15, 0.85), _P, (0, 0, 1)),
    ((0.6, 0.4), ((0.9, 0.3), (0.25, 0.65)), (1, 0)),
    ((0.7, 0.3), ((0.05,), (0.35,)), (0,)),
    ((0.35, 0.65), (_P[1], _P[0]), (1, 1, 1)),
)
def contributions(pi_k, p_km, x):
    """Return the log-odds as a sum: the prior, then each feature."""
    return (log(pi_k[0] / pi_k[1]), *_ratios(p_km, x))


_TWO_FEATURES = ((0.6, 0.4), ((0.9, 0.3), (0.2, 0.6)), (1, 0))


@contributions.mistake(
    "This is how the log-odds of class 1 against class 0 add up.",
    example=(_TWO_FEATURES, (log(2 / 3), log(2 / 9), log(4 / 7))),
)
def _other_class(pi_k, p_km, x):
    return tuple(-c for c in contributions(pi_k, p_km, x))


@contributions.mistake(
    "An absent feature contributes too: the ratio of the probabilities that "
    "it is absent.",
    example=(_TWO_FEATURES, (log(3 / 2), log(9 / 2), 0)),
)
def _prior_alone_if_absent(pi_k, p_km, x):
    ratios = zip(_ratios(p_km, x), x, strict=True)
    return (log(pi_k[0] / pi_k[1]), *(ratio * on for ratio, on in ratios))


@contributions.mistake(
    "These are the constant of the linear form and its weights times x. The "
    "absences are to be accounted to their own features.",
    example=(_TWO_FEATURES, (log(3 / 2 * 1 / 8 * 7 / 4), log(9 / 2 * 8), 0)),
)
def _weights(pi_k, p_km, x):
    present, absent = ([on] * len(x) for on in (1, 0))
    pairs = zip(_ratios(p_km, present), _ratios(p_km, absent), strict=True)
    weights = [a - b for a, b in pairs]
    return (
        log(pi_k[0] / pi_k[1]) + sum(_ratios(p_km, absent)),
        *(w * on for w, on in zip(weights, x, strict=True)),
    )


@contributions.mistake(
    "The contribution of the prior is missing at the beginning.",
    example=(_TWO_FEATURES, (log(9 / 2), log(7 / 4))),
)
def _prior_missing(pi_k, p_km, x):
    return _ratios(p_km, x)


@contributions.mistake(
    "These are likelihood ratios. Their logarithms add up.",
    example=(_TWO_FEATURES, (3 / 2, 9 / 2, 7 / 4)),
)
def _ratios_without_logarithm(pi_k, p_km, x):
    return tuple(map(exp, contributions(pi_k, p_km, x)))


@contributions.mistake(
    "Each feature is taken as present, whatever x says.",
    example=(_TWO_FEATURES, (log(3 / 2), log(9 / 2), log(1 / 2))),
)
def _all_present(pi_k, p_km, x):
    return contributions(pi_k, p_km, [1] * len(x))
