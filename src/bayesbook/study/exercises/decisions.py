"""The coding exercises of the chapter *Decisions*."""

from fractions import Fraction as F
from itertools import product
from math import prod

from bayesbook.study.exercises.checker import exercise

_LUMPS = {
    "wait": {"benign": 0, "malignant": 20},
    "biopsy": {"benign": 1, "malignant": 1},
}
_LOAN = {
    "lend": {"pays": -2, "fails": 9},
    "ask": {"pays": 1, "fails": 2},
    "refuse": {"pays": 0, "fails": 0},
}
_DIGITS = {
    "a": {"a": 0, "b": 1, "c": 1},
    "b": {"a": 1, "b": 0, "c": 1},
    "c": {"a": 1, "b": 1, "c": 0},
}

_WAYS = {
    "ride": {"dry": 1, "wet": 5},
    "walk": {"dry": 0, "wet": 8},
    "bus": {"dry": 2, "wet": 2},
    "stay": {"dry": 4, "wet": 1},
}

# -- best_with_priors -----------------------------------------------------

_SIZES = [[140, 1], [142, 6], [65, 31], [10, 174]]
_PRICES = [[0, 20], [1, 1]]
_SOME = ([[6, 1], [2, 3]], [[0, 4], [1, 0]], [F(1, 2), F(1, 2)])


def _decided(rows, losses, best=min):
    """Return the best decision for each row of p(x, c), and the risk."""
    products = [
        [sum(map(prod, zip(r, p, strict=True))) for r in losses] for p in rows
    ]
    found = [best(row) for row in products]
    chosen = [row.index(b) for row, b in zip(products, found, strict=True)]
    return chosen, sum(found)


def _by_column(rows, factors):
    """Multiply each column by its factor."""
    return [
        [F(p) * f for p, f in zip(row, factors, strict=True)] for row in rows
    ]


def _within_classes(table):
    return _by_column(table, [1 / F(sum(c)) for c in zip(*table, strict=True)])


def _as_probabilities(table):
    return _by_column(table, [1 / F(sum(map(sum, table)))] * len(table[0]))


@exercise(
    (_SIZES, _PRICES, [F(99, 100), F(1, 100)]),
    (_SIZES, _PRICES, [F(1, 2), F(1, 2)]),
    ([[6, 2], [1, 4], [3, 3]], [[0, 5], [2, 0]], [F(1, 4), F(3, 4)]),
    (
        [[F(1, 2), F(1, 20)], [F(1, 4), F(1, 5)]],
        [[0, 3], [2, 0]],
        [F(9, 10), F(1, 10)],
    ),
    (
        [[5, 1, 2], [1, 4, 1], [2, 2, 7]],
        [[0, 1, 2], [3, 0, 1], [4, 2, 0]],
        [F(1, 5), F(1, 2), F(3, 10)],
    ),
)
def best_with_priors(table, losses, priors):
    """Return the best decision for each row, and the Bayes risk."""
    return _decided(_by_column(_within_classes(table), priors), losses)


@best_with_priors.mistake(
    "This takes the probabilities of the classes in the sample.",
    example=(_SOME, ([0, 1], F(1, 2))),
)
def _with_those_of_the_sample(table, losses, priors):
    return _decided(_as_probabilities(table), losses)


@best_with_priors.mistake(
    "The columns still have the probabilities of the classes in the sample "
    "in them: divide by these before you multiply by the new ones.",
    example=(_SOME, ([0, 1], F(1, 4))),
)
def _both_priors(table, losses, priors):
    return _decided(_by_column(_as_probabilities(table), priors), losses)


@best_with_priors.mistake(
    "This divides each row by its sum, which gives posteriors of the sample. "
    "What stays the same at the other hospital is the distribution within "
    "each column.",
    example=(_SOME, ([0, 1], F(17, 35))),
)
def _by_rows(table, losses, priors):
    posteriors = [[F(p) / sum(row) for p in row] for row in table]
    return _decided(_by_column(posteriors, priors), losses)


@best_with_priors.mistake(
    "This decides as if all classes had the weight 1: multiply each column "
    "by its new probability.",
    example=(_SOME, ([1, 1], 1)),
)
def _without_priors(table, losses, priors):
    return _decided(_within_classes(table), losses)


@best_with_priors.mistake(
    "These are the decisions with the largest risks.",
    example=(_SOME, ([0, 0], 2)),
)
def _dearest(table, losses, priors):
    rows = _by_column(_within_classes(table), priors)
    return _decided(rows, losses, max)


@best_with_priors.mistake(
    "Rows of the losses are decisions, columns are classes; here they are "
    "exchanged.",
    example=(_SOME, ([0, 0], F(1, 2))),
)
def _losses_transposed(table, losses, priors):
    return best_with_priors(table, [*zip(*losses, strict=True)], priors)


# -- conditional_risk -----------------------------------------------------


@exercise(
    (_LUMPS, {"benign": F(6, 7), "malignant": F(1, 7)}),
    (_LUMPS, {"malignant": F(2, 9), "benign": F(7, 9)}),
    (_LOAN, {"pays": F(8, 11), "fails": F(3, 11)}),
    (_LOAN, {"fails": F(5, 13), "pays": F(8, 13)}),
    (_DIGITS, {"a": F(1, 6), "b": F(1, 2), "c": F(1, 3)}),
    (_LUMPS, {"benign": 0.65, "malignant": 0.35}),
)
def conditional_risk(loss, posterior):
    """Return R(i | x) for every decision i."""
    return {
        decision: sum(row[state] * posterior[state] for state in row)
        for decision, row in loss.items()
    }


@conditional_risk.mistake(
    "This gives every state the same weight; weigh by the posterior.",
    example=(
        (_WAYS, {"wet": F(1, 3), "dry": F(2, 3)}),
        {"ride": 3, "walk": 4, "bus": 2, "stay": F(5, 2)},
    ),
)
def _unweighted(loss, posterior):
    return {
        decision: F(sum(row.values()), len(row))
        for decision, row in loss.items()
    }


@conditional_risk.mistake(
    "States are paired by their position; pair them by name.",
    example=(
        (_WAYS, {"wet": F(1, 3), "dry": F(2, 3)}),
        {"ride": F(11, 3), "walk": F(16, 3), "bus": 2, "stay": 2},
    ),
)
def _by_position(loss, posterior):
    shares = list(posterior.values())
    return {
        decision: sum(map(prod, zip(row.values(), shares, strict=True)))
        for decision, row in loss.items()
    }


@conditional_risk.mistake(
    "This takes the loss in the most probable state only; the others count "
    "too.",
    example=(
        (_WAYS, {"wet": F(1, 3), "dry": F(2, 3)}),
        {"ride": 1, "walk": 0, "bus": 2, "stay": 4},
    ),
)
def _at_the_most_probable(loss, posterior):
    top = max(posterior, key=posterior.get)
    return {decision: row[top] for decision, row in loss.items()}


@conditional_risk.mistake(
    "This gives the largest product in each row; the risk is the sum of all.",
    example=(
        (_WAYS, {"wet": F(1, 3), "dry": F(2, 3)}),
        {"ride": F(5, 3), "walk": F(8, 3), "bus": F(4, 3), "stay": F(8, 3)},
    ),
)
def _largest_product(loss, posterior):
    return {
        decision: max(row[state] * posterior[state] for state in row)
        for decision, row in loss.items()
    }


# -- best_decisions -------------------------------------------------------


def _extreme(risk, best=min):
    found = best(risk.values())
    return {decision for decision in risk if risk[decision] == found}


@exercise(
    (_LUMPS, {"benign": F(6, 7), "malignant": F(1, 7)}),
    (_LUMPS, {"benign": F(19, 20), "malignant": F(1, 20)}),
    (_LUMPS, {"malignant": F(1, 30), "benign": F(29, 30)}),
    (_LOAN, {"pays": F(9, 11), "fails": F(2, 11)}),
    (_LOAN, {"pays": F(10, 11), "fails": F(1, 11)}),
    (_LOAN, {"pays": F(1, 3), "fails": F(2, 3)}),
    (_DIGITS, {"a": F(2, 5), "b": F(2, 5), "c": F(1, 5)}),
    (_DIGITS, {"a": F(1, 3), "b": F(1, 3), "c": F(1, 3)}),
    (_DIGITS, {"a": F(1, 6), "b": F(1, 2), "c": F(1, 3)}),
)
def best_decisions(loss, posterior):
    """Return the set of all decisions of least conditional risk."""
    return _extreme(conditional_risk(loss, posterior))


@best_decisions.mistake(
    "Some other decision may be just as good: return all of them.",
    example=((_WAYS, {"wet": F(1, 4), "dry": F(3, 4)}), {"ride"}),
)
def _first_only(loss, posterior):
    risk = conditional_risk(loss, posterior)
    return {min(risk, key=risk.get)}


@best_decisions.mistake(
    "These are the decisions of the largest risk.",
    example=((_WAYS, {"wet": F(1, 4), "dry": F(3, 4)}), {"stay"}),
)
def _worst(loss, posterior):
    return _extreme(conditional_risk(loss, posterior), max)


@best_decisions.mistake(
    "This takes the most probable state for certain, and what is best there.",
    example=((_WAYS, {"wet": F(1, 4), "dry": F(3, 4)}), {"walk"}),
)
def _cheapest_at_the_top(loss, posterior):
    top = max(posterior, key=posterior.get)
    return _extreme({decision: row[top] for decision, row in loss.items()})


@best_decisions.mistake(
    "This guards against the worst case and ignores the posterior.",
    example=((_WAYS, {"wet": F(1, 4), "dry": F(3, 4)}), {"bus"}),
)
def _safest(loss, posterior):
    return _extreme(
        {decision: max(row.values()) for decision, row in loss.items()}
    )


# -- ratio_threshold ------------------------------------------------------


def _excess(loss):
    """Return the extra costs of a false alarm and of a miss."""
    (right_0, miss), (false_alarm, right_1) = loss
    return F(false_alarm - right_0), F(miss - right_1)


@exercise(
    (((0, 20), (1, 1)), F(3, 8)),
    (((0, 1), (1, 0)), F(1, 10)),
    (((0, 9), (1, 0)), F(1, 11)),
    (((2, 7), (5, 3)), F(2, 7)),
    (((-1, 4), (3, -2)), F(5, 9)),
)
def ratio_threshold(loss, prior):
    """Return the likelihood ratio at which both decisions are equally good."""
    false_alarm, miss = _excess(loss)
    return (1 - prior) / prior * false_alarm / miss


@ratio_threshold.mistake(
    "This is the threshold for the posterior; the likelihood ratio needs one "
    "with the prior in it.",
    example=((((1, 9), (4, 3)), F(1, 4)), F(1, 3)),
)
def _of_the_posterior(loss, prior):
    false_alarm, miss = _excess(loss)
    return false_alarm / (false_alarm + miss)


@ratio_threshold.mistake(
    "This forgets the prior.", example=((((1, 9), (4, 3)), F(1, 4)), F(1, 2))
)
def _without_the_prior(loss, prior):
    false_alarm, miss = _excess(loss)
    return false_alarm / miss


@ratio_threshold.mistake(
    "The prior odds are upside down: the rarer class 1 is, the more the "
    "measurement has to say for it.",
    example=((((1, 9), (4, 3)), F(1, 4)), F(1, 6)),
)
def _odds_upside_down(loss, prior):
    false_alarm, miss = _excess(loss)
    return prior / (1 - prior) * false_alarm / miss


@ratio_threshold.mistake(
    "The ratio of the costs is upside down: the dearer a miss, the less "
    "evidence is needed for class 1.",
    example=((((1, 9), (4, 3)), F(1, 4)), 6),
)
def _costs_upside_down(loss, prior):
    false_alarm, miss = _excess(loss)
    return (1 - prior) / prior * miss / false_alarm


@ratio_threshold.mistake(
    "Subtract the costs of the right decisions first.",
    example=((((1, 9), (4, 3)), F(1, 4)), F(4, 3)),
)
def _costs_of_being_right_ignored(loss, prior):
    (_, miss), (false_alarm, _) = loss
    return (1 - prior) / prior * F(false_alarm) / miss


@ratio_threshold.mistake(
    "Rows are decisions, columns are truths; here they are exchanged.",
    example=((((1, 9), (4, 3)), F(1, 4)), 24),
)
def _transposed(loss, prior):
    (right_0, false_alarm), (miss, right_1) = loss
    return ratio_threshold(((right_0, miss), (false_alarm, right_1)), prior)


# -- pairwise_auc ---------------------------------------------------------


def _share(ill, well, points):
    """Return the mean of the points of all pairs."""
    pairs = list(product(ill, well))
    return F(sum(points(a, b) for a, b in pairs)) / len(pairs)


@exercise(
    ([3, 5, 5], [1, 2, 3, 4]),
    ([2, 7], [1, 3, 5]),
    ([1, 2, 2], [2, 4]),
    ([6, 9], [1, 4]),
    ([5, 5], [5, 5, 5]),
    ([4, 1, 8, 8], [3, 8, 0]),
)
def pairwise_auc(ill, well):
    """Return the probability of ranking a random pair rightly."""
    return _share(ill, well, lambda a, b: (a > b) + F(a == b, 2))


@pairwise_auc.mistake(
    "Equal scores count by half.",
    example=(([2, 4], [2, 3, 1]), F(4, 6)),
)
def _ties_for_nothing(ill, well):
    return _share(ill, well, lambda a, b: a > b)


@pairwise_auc.mistake(
    "Equal scores count by half, not fully.",
    example=(([2, 4], [2, 3, 1]), F(5, 6)),
)
def _ties_in_full(ill, well):
    return _share(ill, well, lambda a, b: a >= b)


@pairwise_auc.mistake(
    "A pair is ranked rightly if the ill one has the larger score.",
    example=(([2, 4], [2, 3, 1]), F(1, 4)),
)
def _negatives_above(ill, well):
    return pairwise_auc(well, ill)


@pairwise_auc.mistake(
    "Compare each of the ill with each of the well, not the two lists in "
    "their order.",
    example=(([2, 4], [3, 1, 2]), F(1, 2)),
)
def _in_their_order(ill, well):
    pairs = list(zip(ill, well, strict=False))
    return F(sum((a > b) + F(a == b, 2) for a, b in pairs)) / len(pairs)


# -- least_risk -----------------------------------------------------------

_CLINIC = {
    ("small", "benign"): F(3, 10),
    ("small", "malignant"): F(1, 100),
    ("middle", "benign"): F(8, 25),
    ("middle", "malignant"): F(2, 25),
    ("large", "malignant"): F(29, 100),
}
_BANK = {
    ("yes", "pays"): F(1, 2),
    ("yes", "fails"): F(1, 20),
    ("no", "pays"): F(1, 4),
    ("no", "fails"): F(1, 5),
}
_LETTERS = {
    (0, "a"): F(1, 6),
    (0, "b"): F(1, 12),
    (0, "c"): F(1, 12),
    (1, "b"): F(1, 4),
    (1, "c"): F(1, 6),
    (2, "a"): F(1, 4),
}
_FORECAST = {
    ("grey", "wet"): F(3, 10),
    ("grey", "dry"): F(1, 10),
    ("blue", "wet"): F(1, 10),
    ("blue", "dry"): F(1, 5),
    ("red", "dry"): F(3, 10),
}


def _seen(joint):
    return {x for x, _ in joint}


def _sums(joint, loss, x):
    """Return p(x) R(i | x) for every decision."""
    return [
        sum(row[state] * joint.get((x, state), 0) for state in row)
        for row in loss.values()
    ]


@exercise(
    (_CLINIC, _LUMPS),
    (_BANK, _LOAN),
    (_LETTERS, _DIGITS),
    (
        {("u", "benign"): F(2, 3), ("v", "malignant"): F(1, 3)},
        _LUMPS,
    ),
    (
        {
            (1, "pays"): 0.4,
            (1, "fails"): 0.1,
            (2, "pays"): 0.2,
            (2, "fails"): 0.3,
        },
        _LOAN,
    ),
)
def least_risk(joint, loss):
    """Return the expected loss of the best rule that sees x."""
    return sum(min(_sums(joint, loss, x)) for x in _seen(joint))


@least_risk.mistake(
    "This takes the same decision for every x.",
    example=((_FORECAST, _WAYS), 2),
)
def _one_for_all(joint, loss):
    risks = [_sums(joint, loss, x) for x in _seen(joint)]
    return min(map(sum, zip(*risks, strict=True)))


@least_risk.mistake(
    "The conditional risks have to be weighted by the probability of x.",
    example=((_FORECAST, _WAYS), F(15, 4)),
)
def _not_weighted(joint, loss):
    total = 0
    for x in _seen(joint):
        p_x = sum(p for (other, _), p in joint.items() if other == x)
        total += min(_sums(joint, loss, x)) / p_x
    return total


@least_risk.mistake(
    "This decides for the most probable state and what is best there; "
    "minimise the expected loss instead.",
    example=((_FORECAST, _WAYS), F(3, 2)),
)
def _most_probable_first(joint, loss):
    total = 0
    for x in _seen(joint):
        here = {state: p for (other, state), p in joint.items() if other == x}
        top = max(here, key=here.get)
        chosen = min(loss.values(), key=lambda row, top=top: row[top])
        total += sum(chosen[state] * p for state, p in here.items())
    return total


@least_risk.mistake(
    "This is the expected loss of somebody who knows the state; the rule sees "
    "x only.",
    example=((_FORECAST, _WAYS), F(2, 5)),
)
def _knows_the_state(joint, loss):
    return sum(
        p * min(row[state] for row in loss.values())
        for (_, state), p in joint.items()
    )


@least_risk.mistake(
    "This is the largest expected loss.",
    example=((_FORECAST, _WAYS), F(9, 2)),
)
def _largest_expected_loss(joint, loss):
    return sum(max(_sums(joint, loss, x)) for x in _seen(joint))


# -- error_and_reject -----------------------------------------------------


def _rows(joint):
    for x in _seen(joint):
        yield [p for (other, _), p in joint.items() if other == x]


def _chow(joint, rejects):
    """Add up errors and rejections; rejects(top, total) of each row."""
    error = reject = F(0)
    for row in _rows(joint):
        top, total = max(row), sum(row)
        if rejects(top, total):
            reject += total
        else:
            error += total - top
    return error, reject


_BLURRED = {
    (1, "a"): F(9, 40),
    (1, "b"): F(1, 40),
    (2, "a"): F(3, 16),
    (2, "b"): F(1, 16),
    (3, "a"): F(2, 20),
    (3, "b"): F(3, 20),
    (4, "b"): F(1, 4),
}
_SOUNDS = {
    (1, "a"): F(2, 5),
    (1, "b"): F(1, 20),
    (2, "a"): F(1, 10),
    (2, "b"): F(3, 20),
    (3, "a"): F(1, 10),
    (3, "b"): F(1, 5),
}


@exercise(
    (_BLURRED, F(1, 20)),
    (_BLURRED, F(1, 10)),
    (_BLURRED, F(1, 4)),
    (_BLURRED, F(3, 10)),
    (_BLURRED, F(9, 20)),
    (_LETTERS, F(1, 3)),
    (_LETTERS, F(9, 20)),
    (_LETTERS, F(3, 5)),
)
def error_and_reject(joint, cost):
    """Return P[error] and P[reject] under Chow's rule."""
    return _chow(joint, lambda top, total: top < (1 - cost) * total)


@error_and_reject.mistake(
    "At equality both are equally good, but reject only if that is strictly "
    "better.",
    example=((_SOUNDS, F(1, 3)), (F(1, 20), F(11, 20))),
)
def _ties_rejected(joint, cost):
    return _chow(joint, lambda top, total: top <= (1 - cost) * total)


@error_and_reject.mistake(
    "This compares a joint probability with 1 - cost; the rule is about the "
    "posterior.",
    example=((_SOUNDS, F(3, 5)), (F(1, 20), F(11, 20))),
)
def _joint_compared(joint, cost):
    return _chow(joint, lambda top, _total: top < 1 - cost)


@error_and_reject.mistake(
    "This rejects if the largest posterior is below the price itself, not "
    "below one minus it.",
    example=((_SOUNDS, F(2, 3)), (F(3, 20), F(1, 4))),
)
def _price_compared(joint, cost):
    return _chow(joint, lambda top, total: top < cost * total)


@error_and_reject.mistake(
    "The first number is the share of errors among the decided cases; asked "
    "is the probability of an error among all.",
    example=((_SOUNDS, F(1, 3)), (F(1, 5), F(1, 4))),
)
def _shares_of_the_decided(joint, cost):
    error, reject = error_and_reject(joint, cost)
    return (error / (1 - reject) if reject < 1 else F(0)), reject


@error_and_reject.mistake(
    "The first number is the whole risk, with the price of rejecting in it.",
    example=((_SOUNDS, F(1, 3)), (F(7, 30), F(1, 4))),
)
def _with_the_price(joint, cost):
    error, reject = error_and_reject(joint, cost)
    return error + cost * reject, reject


@error_and_reject.mistake(
    "The two numbers are exchanged.",
    example=((_SOUNDS, F(1, 3)), (F(1, 4), F(3, 20))),
)
def _exchanged(joint, cost):
    return error_and_reject(joint, cost)[::-1]
