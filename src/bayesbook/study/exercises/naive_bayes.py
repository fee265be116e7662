"""The coding exercises of the chapter *Naive Bayes*."""

from math import exp, inf, log

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- log_sum_exp(scores) --------------------------------------------------


def _log(number):
    return log(number) if number > 0 else -inf


def _log_sum_exp(scores):
    largest = max(scores)
    if largest == -inf:
        return largest
    return largest + log(sum(exp(s - largest) for s in scores))


def _constant_forgotten(scores):
    largest = max(scores)
    return _log(sum(exp(s - largest) for s in scores if s > -inf))


log_sum_exp = Exercise(
    reference=_log_sum_exp,
    cases=(
        ((-3.0, -4.0),),
        ((-120.0, -121.0),),
        ((-1200.0, -1201.0, -1203.5),),
        ((800.0, 801.5),),
        ((0.3, -0.7, 1.1, 0.2),),
        ((-5.5,),),
        ((-2.5, -inf, -4.5),),
        ((-inf, -inf),),
    ),
    mistakes={
        "The exponentials underflow to zero, or overflow, where the scores "
        "are far from zero. Take out the largest score first.": (
            lambda scores: _log(sum(map(exp, scores)))
        ),
        "The largest score that was taken out has to be added again.": (
            _constant_forgotten
        ),
        "This is the largest score alone. The others count as well, although "
        "little if they are far below.": lambda scores: max(scores),
        "This is the sum of the exponentials, without the logarithm.": (
            lambda scores: sum(map(exp, scores))
        ),
        "The logarithm of a sum is not the sum of the logarithms.": (
            lambda scores: sum(scores)
        ),
        "This is the logarithm of the mean of the exponentials, not of their "
        "sum.": lambda scores: _log_sum_exp(scores) - log(len(scores)),
    },
)

# -- fit_table(N_km, N_k, alpha, beta) ------------------------------------


def _priors(N_k, alpha):
    whole = sum(N_k) + len(N_k) * alpha
    return tuple((n + alpha) / whole for n in N_k)


def _rates(N_km, N_k, beta, states=2):
    return tuple(
        tuple((hits + beta) / (n + states * beta) for hits in row)
        for row, n in zip(N_km, N_k, strict=True)
    )


def _fit_table(N_km, N_k, alpha, beta):
    return _priors(N_k, alpha), _rates(N_km, N_k, beta)


def _occurrences(N_km, N_k, alpha, beta):
    sums = [sum(row) for row in N_km]
    return _priors(sums, alpha), _rates(N_km, N_k, beta)


def _one_alpha(N_km, N_k, alpha, beta):
    whole = sum(N_k) + alpha
    priors = tuple((n + alpha) / whole for n in N_k)
    return priors, _rates(N_km, N_k, beta)


fit_table = Exercise(
    reference=_fit_table,
    cases=(
        (((3, 7, 0), (5, 5, 2)), (9, 6), 1, 1),
        (((0, 4), (11, 2), (6, 6)), (4, 13, 9), 1, 1),
        (((2, 1, 1, 5), (0, 0, 3, 1)), (7, 4), 0.5, 2),
        (((8,), (1,), (0,), (3,)), (17, 5, 0, 3), 2, 0.5),
        (((40, 35, 45), (0, 15, 30), (10, 15, 5)), (50, 30, 20), 3, 1),
    ),
    mistakes={
        "These are the maximum likelihood estimates: the pseudo-counts are "
        "missing.": lambda N_km, N_k, alpha, beta: (
            _priors(N_k, 0),
            tuple(
                tuple(hits / n if n else 0.0 for hits in row)
                for row, n in zip(N_km, N_k, strict=True)
            ),
        ),
        "The priors count occurrences of features. A row counts once, "
        "however many features it has.": _occurrences,
        "Every class gets alpha, so the denominator of the priors gets alpha "
        "for each class; the priors should sum to one.": _one_alpha,
        "A feature is present or absent: beta goes twice into the "
        "denominator.": lambda N_km, N_k, alpha, beta: (
            _priors(N_k, alpha),
            _rates(N_km, N_k, beta, states=1),
        ),
        "The denominator of a feature has beta once for each of its two "
        "states, not once for each class or feature.": (
            lambda N_km, N_k, alpha, beta: (
                _priors(N_k, alpha),
                _rates(N_km, N_k, beta, states=len(N_km[0])),
            )
        ),
        "alpha and beta have changed places.": (
            lambda N_km, N_k, alpha, beta: _fit_table(N_km, N_k, beta, alpha)
        ),
        "The priors are right. The features were divided by the number of "
        "all rows; divide by that of the rows of the class.": (
            lambda N_km, N_k, alpha, beta: (
                _priors(N_k, alpha),
                _rates(N_km, [sum(N_k)] * len(N_k), beta),
            )
        ),
    },
)

# -- predict(pi_k, p_km, x, label_set) ------------------------------------

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


def _predict(pi_k, p_km, x, label_set):
    return _label_of_largest(_scores(pi_k, p_km, x), label_set)


def _by_products(pi_k, p_km, x, label_set):
    joint = list(pi_k)
    for k, p in enumerate(p_km):
        for factor in _factors(p, x):
            joint[k] *= factor
    return _label_of_largest(joint, label_set)


def _present_only(pi_k, p_km, x, label_set):
    scores = [
        log(pi) + sum(log(q) for q, on in zip(p, x, strict=True) if on)
        for pi, p in zip(pi_k, p_km, strict=True)
    ]
    return _label_of_largest(scores, label_set)


def _smallest(pi_k, p_km, x, label_set):
    scores = _scores(pi_k, p_km, x)
    return label_set[scores.index(min(scores))]


predict = Exercise(
    reference=_predict,
    cases=(
        (_SHARES, _RATES, (1, 1, 1), _FRUIT),
        (_SHARES, _RATES, (0, 1, 0), _FRUIT),
        (_SHARES, _RATES, (0, 0, 1), _FRUIT),
        (_SHARES, _RATES, (1, 0, 0), _FRUIT),
        (_EVEN, _LONG, _LONG_X, ("ham", "spam")),
        ((0.9, 0.1), _CLOSE, (1, 1), ("often", "rarely")),
        ((0.2, 0.8), _CLOSE, (0, 0), ("often", "rarely")),
    ),
    mistakes={
        "The products underflow: with thousands of features all of them are "
        "zero. Add logarithms.": _by_products,
        "This multiplies only the features that are present. An absent one "
        "is evidence too.": _present_only,
        "This takes the class with the largest likelihood; the priors are "
        "missing.": lambda pi_k, p_km, x, label_set: _predict(
            [1] * len(pi_k), p_km, x, label_set
        ),
        "This takes the smallest posterior. It is the risk that is to be "
        "small.": _smallest,
        "This is the class with the largest prior, whatever x is.": (
            lambda pi_k, p_km, x, label_set: label_set[
                list(pi_k).index(max(pi_k))
            ]
        ),
        "Present and absent have changed places.": (
            lambda pi_k, p_km, x, label_set: _predict(
                pi_k, p_km, [not on for on in x], label_set
            )
        ),
    },
)

# -- nll_terms(X, y, pi_k, p_km) ------------------------------------------

_X = ((1, 0, 1), (1, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 1))
_P = ((0.7, 0.2, 0.6), (0.35, 0.9, 0.45))


def _term(N_k, hits, p):
    return -hits * log(p) - (N_k - hits) * log(1 - p)


def _counts(X, y, K):
    N_k = [sum(c == k for c in y) for k in range(K)]
    N_km = [
        [
            sum(x[m] for x, c in zip(X, y, strict=True) if c == k)
            for m in range(len(X[0]))
        ]
        for k in range(K)
    ]
    return N_k, N_km


def _nll_terms(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    return _class_term(N_k, pi_k), tuple(
        tuple(_term(n, hits, q) for hits, q in zip(row, p, strict=True))
        for n, row, p in zip(N_k, N_km, p_km, strict=True)
    )


def _class_term(N_k, pi_k):
    return -sum(n * log(pi) for n, pi in zip(N_k, pi_k, strict=True))


def _times(terms, factor):
    J_0, J_km = terms
    return J_0 * factor, tuple(
        tuple(term * factor for term in row) for row in J_km
    )


def _hits_only(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    return _class_term(N_k, pi_k), tuple(
        tuple(-hits * log(q) for hits, q in zip(row, p, strict=True))
        for row, p in zip(N_km, p_km, strict=True)
    )


def _all_rows(X, y, pi_k, p_km):
    N_k, N_km = _counts(X, y, len(pi_k))
    return _class_term(N_k, pi_k), tuple(
        tuple(_term(len(y), hits, q) for hits, q in zip(row, p, strict=True))
        for row, p in zip(N_km, p_km, strict=True)
    )


nll_terms = Exercise(
    reference=_nll_terms,
    cases=(
        (_X, (0, 1, 0, 0, 1), (0.55, 0.45), _P),
        (_X, (1, 1, 1, 0, 1), (0.3, 0.7), _P),
        (_X[:2], (0, 0), (0.8, 0.2), _P),
        (_X, (2, 0, 2, 1, 0), (0.25, 0.35, 0.4), (*_P, (0.15, 0.5, 0.85))),
        (((1,), (0,), (0,)), (0, 0, 1), (0.6, 0.4), ((0.3,), (0.1,))),
    ),
    mistakes={
        "The sign is missing: these are the terms of the log-likelihood, "
        "not of the negative one.": lambda *case: _times(
            _nll_terms(*case), -1
        ),
        "The rows in which the feature is absent are missing.": _hits_only,
        "Only the rows of the class belong to its terms; here the absent "
        "features of all rows are counted.": _all_rows,
        "These are the means over the rows; the terms are sums.": (
            lambda X, y, pi_k, p_km: _times(
                _nll_terms(X, y, pi_k, p_km), 1 / len(y)
            )
        ),
        "The first term is not weighted by the numbers of rows: every row "
        "contributes the prior of its class.": (
            lambda X, y, pi_k, p_km: (
                -sum(map(log, pi_k)),
                _nll_terms(X, y, pi_k, p_km)[1],
            )
        ),
        "Present and absent have changed places.": (
            lambda X, y, pi_k, p_km: _nll_terms(
                tuple(tuple(1 - on for on in x) for x in X), y, pi_k, p_km
            )
        ),
        "These are logarithms to the base 2; natural ones are asked for.": (
            lambda *case: _times(_nll_terms(*case), 1 / log(2))
        ),
    },
)

# -- contributions(pi_k, p_km, x) -----------------------------------------


def _ratios(p_km, x):
    first, second = (_factors(p, x) for p in p_km)
    return tuple(log(a / b) for a, b in zip(first, second, strict=True))


def _contributions(pi_k, p_km, x):
    return (log(pi_k[0] / pi_k[1]), *_ratios(p_km, x))


def _weights(pi_k, p_km, x):
    present, absent = ([on] * len(x) for on in (1, 0))
    pairs = zip(_ratios(p_km, present), _ratios(p_km, absent), strict=True)
    weights = [a - b for a, b in pairs]
    return (
        log(pi_k[0] / pi_k[1]) + sum(_ratios(p_km, absent)),
        *(w * on for w, on in zip(weights, x, strict=True)),
    )


contributions = Exercise(
    reference=_contributions,
    cases=(
        ((0.55, 0.45), _P, (1, 1, 0)),
        ((0.15, 0.85), _P, (0, 0, 1)),
        ((0.6, 0.4), ((0.9, 0.3), (0.25, 0.65)), (1, 0)),
        ((0.7, 0.3), ((0.05,), (0.35,)), (0,)),
        ((0.35, 0.65), (_P[1], _P[0]), (1, 1, 1)),
    ),
    mistakes={
        "This is how the log-odds of class 1 against class 0 add up.": (
            lambda *case: tuple(-c for c in _contributions(*case))
        ),
        "An absent feature contributes too: the ratio of the probabilities "
        "that it is absent.": lambda pi_k, p_km, x: (
            log(pi_k[0] / pi_k[1]),
            *(r * on for r, on in zip(_ratios(p_km, x), x, strict=True)),
        ),
        "These are the constant and the weights of the linear form. The "
        "absences are to be accounted to their own features.": _weights,
        "The contribution of the prior is missing at the beginning.": (
            lambda pi_k, p_km, x: _ratios(p_km, x)
        ),
        "These are likelihood ratios. Their logarithms add up.": (
            lambda *case: tuple(map(exp, _contributions(*case)))
        ),
        "Each feature is taken as present, whatever x says.": (
            lambda pi_k, p_km, x: _contributions(pi_k, p_km, [1] * len(x))
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "log_sum_exp": log_sum_exp,
    "fit_table": fit_table,
    "predict": predict,
    "nll_terms": nll_terms,
    "contributions": contributions,
}
