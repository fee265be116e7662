"""The coding exercises of the chapter *Naive Bayes*."""

from math import exp, inf, log

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import log_or_minus_inf

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
    "far from zero. Take out the largest score first."
)
def _underflow(scores):
    return log_or_minus_inf(sum(map(exp, scores)))


@log_sum_exp.mistake(
    "The largest score that was taken out has to be added again."
)
def _constant_forgotten(scores):
    largest = max(scores)
    return log_or_minus_inf(sum(exp(s - largest) for s in scores if s > -inf))


@log_sum_exp.mistake(
    "This is the largest score alone. The others count as well, although "
    "little if they are far below."
)
def _largest_alone(scores):
    return max(scores)


@log_sum_exp.mistake(
    "This is the sum of the exponentials, without the logarithm."
)
def _without_logarithm(scores):
    return sum(map(exp, scores))


@log_sum_exp.mistake(
    "The logarithm of a sum is not the sum of the logarithms."
)
def _logarithms_summed(scores):
    return sum(scores)


@log_sum_exp.mistake(
    "This is the logarithm of the mean of the exponentials, not of their sum."
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


@fit_table.mistake(
    "These are the maximum likelihood estimates: the pseudo-counts are "
    "missing."
)
def _no_pseudo_counts(N_km, N_k, alpha, beta):
    rates = tuple(
        tuple(hits / n if n else 0.0 for hits in row)
        for row, n in zip(N_km, N_k, strict=True)
    )
    return _priors(N_k, 0), rates


@fit_table.mistake(
    "The priors count occurrences of features. A row counts once, however "
    "many features it has."
)
def _occurrences(N_km, N_k, alpha, beta):
    sums = [sum(row) for row in N_km]
    return _priors(sums, alpha), _rates(N_km, N_k, beta)


@fit_table.mistake(
    "Every class gets alpha, so the denominator of the priors gets alpha for "
    "each class; the priors should sum to one."
)
def _one_alpha(N_km, N_k, alpha, beta):
    whole = sum(N_k) + alpha
    priors = tuple((n + alpha) / whole for n in N_k)
    return priors, _rates(N_km, N_k, beta)


@fit_table.mistake(
    "A feature is present or absent: beta goes twice into the denominator."
)
def _one_beta(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, N_k, beta, states=1)


@fit_table.mistake(
    "The denominator of a feature has beta once for each of its two states, "
    "not once for each class or feature."
)
def _beta_for_each_feature(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, N_k, beta, states=len(N_km[0]))


@fit_table.mistake("alpha and beta have changed places.")
def _swapped(N_km, N_k, alpha, beta):
    return fit_table(N_km, N_k, beta, alpha)


@fit_table.mistake(
    "The priors are right. The features were divided by the number of all "
    "rows; divide by that of the rows of the class."
)
def _all_rows_below(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, [sum(N_k)] * len(N_k), beta)


# -- predict --------------------------------------------------------------

_FRUIT = ("Banana", "Orange", "Other")
_SHARES = (0.5, 0.3, 0.2)
_RATES = ((0.8, 0.7, 0.9), (0.05, 0.5, 0.95), (0.5, 0.75, 0.25))
_EVEN = (0.5, 0.5)
_LONG = (tuple([0.2, 0.4] * 1500), tuple([0.3, 0.6] * 1500))
_LONG_X = tuple([1, 1, 0, 1] * 750)
_CLOSE = ((0.55, 0.6), (0.65, 0.7))


def _factors(p, x):
    return [q if on else 1 - q for q, on in zip(p, x, strict=True)]


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
)
def predict(pi_k, p_km, x, label_set):
    """Return the label of the class with the largest posterior."""
    return _label_of_largest(_scores(pi_k, p_km, x), label_set)


@predict.mistake(
    "The products underflow: with thousands of features all of them are zero. "
    "Add logarithms."
)
def _by_products(pi_k, p_km, x, label_set):
    joint = list(pi_k)
    for k, p in enumerate(p_km):
        for factor in _factors(p, x):
            joint[k] *= factor
    return _label_of_largest(joint, label_set)


@predict.mistake(
    "This multiplies only the features that are present. An absent one is "
    "evidence too."
)
def _present_only(pi_k, p_km, x, label_set):
    scores = [
        log(pi) + sum(log(q) for q, on in zip(p, x, strict=True) if on)
        for pi, p in zip(pi_k, p_km, strict=True)
    ]
    return _label_of_largest(scores, label_set)


@predict.mistake(
    "This takes the class with the largest likelihood; the priors are missing."
)
def _priors_missing(pi_k, p_km, x, label_set):
    return predict([1] * len(pi_k), p_km, x, label_set)


@predict.mistake(
    "This takes the smallest posterior. It is the risk that is to be small."
)
def _smallest(pi_k, p_km, x, label_set):
    scores = _scores(pi_k, p_km, x)
    return label_set[scores.index(min(scores))]


@predict.mistake("This is the class with the largest prior, whatever x is.")
def _largest_prior(pi_k, p_km, x, label_set):
    return label_set[list(pi_k).index(max(pi_k))]


@predict.mistake("Present and absent have changed places.")
def _turned(pi_k, p_km, x, label_set):
    return predict(pi_k, p_km, [not on for on in x], label_set)


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


@nll_terms.mistake(
    "The sign is missing: these are the terms of the log-likelihood, not of "
    "the negative one."
)
def _likelihood_terms(X, y, pi_k, p_km):
    return _times(nll_terms(X, y, pi_k, p_km), -1)


@nll_terms.mistake("The rows in which the feature is absent are missing.")
def _hits_only(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    return _class_term(N_k, pi_k), tuple(
        tuple(-hits * log(p) for hits, p in zip(row, rates, strict=True))
        for row, rates in zip(N_km, p_km, strict=True)
    )


@nll_terms.mistake(
    "Only the rows of the class belong to its terms; here the absent features "
    "of all rows are counted."
)
def _all_rows(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    sizes = [len(y)] * len(N_k)
    return _class_term(N_k, pi_k), _feature_terms(sizes, N_km, p_km)


@nll_terms.mistake("These are the means over the rows; the terms are sums.")
def _means(X, y, pi_k, p_km):
    return _times(nll_terms(X, y, pi_k, p_km), 1 / len(y))


@nll_terms.mistake(
    "The first term is not weighted by the numbers of rows: every row "
    "contributes the prior of its class."
)
def _unweighted_priors(X, y, pi_k, p_km):
    return -sum(map(log, pi_k)), nll_terms(X, y, pi_k, p_km)[1]


@nll_terms.mistake("Present and absent have changed places.")
def _turned_features(X, y, pi_k, p_km):
    turned = [[1 - on for on in x] for x in X]
    return nll_terms(turned, y, pi_k, p_km)


@nll_terms.mistake(
    "These are logarithms to the base 2; natural ones are asked for."
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


@contributions.mistake(
    "This is how the log-odds of class 1 against class 0 add up."
)
def _other_class(pi_k, p_km, x):
    return tuple(-c for c in contributions(pi_k, p_km, x))


@contributions.mistake(
    "An absent feature contributes too: the ratio of the probabilities that "
    "it is absent."
)
def _prior_alone_if_absent(pi_k, p_km, x):
    ratios = zip(_ratios(p_km, x), x, strict=True)
    return (log(pi_k[0] / pi_k[1]), *(ratio * on for ratio, on in ratios))


@contributions.mistake(
    "These are the constant and the weights of the linear form. The absences "
    "are to be accounted to their own features."
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
    "The contribution of the prior is missing at the beginning."
)
def _prior_missing(pi_k, p_km, x):
    return _ratios(p_km, x)


@contributions.mistake("These are likelihood ratios. Their logarithms add up.")
def _ratios_without_logarithm(pi_k, p_km, x):
    return tuple(map(exp, contributions(pi_k, p_km, x)))


@contributions.mistake("Each feature is taken as present, whatever x says.")
def _all_present(pi_k, p_km, x):
    return contributions(pi_k, p_km, [1] * len(x))
