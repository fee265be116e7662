"""The coding exercises of the chapter *Decisions*."""

from fractions import Fraction as F

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

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

# -- conditional_risk(loss, posterior) ------------------------------------


def _conditional_risk(loss, posterior):
    return {
        decision: sum(row[state] * posterior[state] for state in row)
        for decision, row in loss.items()
    }


def _unweighted(loss, _posterior):
    return {
        decision: F(sum(row.values()), len(row))
        for decision, row in loss.items()
    }


def _by_position(loss, posterior):
    shares = list(posterior.values())
    return {
        decision: sum(
            cost * share
            for cost, share in zip(row.values(), shares, strict=True)
        )
        for decision, row in loss.items()
    }


def _at_the_most_probable(loss, posterior):
    top = max(posterior, key=posterior.get)
    return {decision: row[top] for decision, row in loss.items()}


conditional_risk = Exercise(
    reference=_conditional_risk,
    cases=(
        (_LUMPS, {"benign": F(6, 7), "malignant": F(1, 7)}),
        (_LUMPS, {"malignant": F(2, 9), "benign": F(7, 9)}),
        (_LOAN, {"pays": F(8, 11), "fails": F(3, 11)}),
        (_LOAN, {"fails": F(5, 13), "pays": F(8, 13)}),
        (_DIGITS, {"a": F(1, 6), "b": F(1, 2), "c": F(1, 3)}),
        (_LUMPS, {"benign": 0.65, "malignant": 0.35}),
    ),
    mistakes={
        "This gives every state the same weight; weigh by the posterior.": (
            _unweighted
        ),
        "States are paired by their position; pair them by name.": (
            _by_position
        ),
        "This takes the loss in the most probable state only; the others "
        "count too.": _at_the_most_probable,
        "This gives the largest product in each row; the risk is the sum of "
        "all.": lambda loss, posterior: {
            decision: max(row[state] * posterior[state] for state in row)
            for decision, row in loss.items()
        },
    },
)

# -- best_decisions(loss, posterior) --------------------------------------


def _extreme(risk, best=min):
    found = best(risk.values())
    return {decision for decision in risk if risk[decision] == found}


def _best_decisions(loss, posterior):
    return _extreme(_conditional_risk(loss, posterior))


def _first_only(loss, posterior):
    risk = _conditional_risk(loss, posterior)
    return {min(risk, key=risk.get)}


def _cheapest_at_the_top(loss, posterior):
    top = max(posterior, key=posterior.get)
    return _extreme({decision: row[top] for decision, row in loss.items()})


def _safest(loss, _posterior):
    return _extreme({d: max(row.values()) for d, row in loss.items()})


best_decisions = Exercise(
    reference=_best_decisions,
    cases=(
        (_LUMPS, {"benign": F(6, 7), "malignant": F(1, 7)}),
        (_LUMPS, {"benign": F(19, 20), "malignant": F(1, 20)}),
        (_LUMPS, {"malignant": F(1, 30), "benign": F(29, 30)}),
        (_LOAN, {"pays": F(9, 11), "fails": F(2, 11)}),
        (_LOAN, {"pays": F(10, 11), "fails": F(1, 11)}),
        (_LOAN, {"pays": F(1, 3), "fails": F(2, 3)}),
        (_DIGITS, {"a": F(2, 5), "b": F(2, 5), "c": F(1, 5)}),
        (_DIGITS, {"a": F(1, 3), "b": F(1, 3), "c": F(1, 3)}),
        (_DIGITS, {"a": F(1, 6), "b": F(1, 2), "c": F(1, 3)}),
    ),
    mistakes={
        "Some other decision may be just as good: return all of them.": (
            _first_only
        ),
        "These are the decisions of the largest risk.": (
            lambda loss, posterior: _extreme(
                _conditional_risk(loss, posterior), max
            )
        ),
        "This takes the most probable state for certain, and what is best "
        "there.": _cheapest_at_the_top,
        "This guards against the worst case and ignores the posterior.": (
            _safest
        ),
    },
)

# -- ratio_threshold(loss, prior) -----------------------------------------


def _excess(loss):
    """Return the extra costs of a false alarm and of a miss."""
    (right_0, miss), (false_alarm, right_1) = loss
    return F(false_alarm - right_0), F(miss - right_1)


def _ratio_threshold(loss, prior):
    false_alarm, miss = _excess(loss)
    return (1 - prior) / prior * false_alarm / miss


def _of_the_posterior(loss, _prior):
    false_alarm, miss = _excess(loss)
    return false_alarm / (false_alarm + miss)


def _without_the_prior(loss, _prior):
    false_alarm, miss = _excess(loss)
    return false_alarm / miss


def _odds_upside_down(loss, prior):
    false_alarm, miss = _excess(loss)
    return prior / (1 - prior) * false_alarm / miss


def _costs_upside_down(loss, prior):
    false_alarm, miss = _excess(loss)
    return (1 - prior) / prior * miss / false_alarm


def _costs_of_being_right_ignored(loss, prior):
    (_, miss), (false_alarm, _) = loss
    return (1 - prior) / prior * F(false_alarm) / miss


def _transposed(loss, prior):
    (right_0, false_alarm), (miss, right_1) = loss
    return _ratio_threshold(((right_0, miss), (false_alarm, right_1)), prior)


ratio_threshold = Exercise(
    reference=_ratio_threshold,
    cases=(
        (((0, 20), (1, 1)), F(3, 8)),
        (((0, 1), (1, 0)), F(1, 10)),
        (((0, 9), (1, 0)), F(1, 11)),
        (((2, 7), (5, 3)), F(2, 7)),
        (((-1, 4), (3, -2)), F(5, 9)),
    ),
    mistakes={
        "This is the threshold for the posterior; the likelihood ratio needs "
        "one with the prior in it.": _of_the_posterior,
        "This forgets the prior.": _without_the_prior,
        "The prior odds are upside down: the rarer class 1 is, the more the "
        "measurement has to say for it.": _odds_upside_down,
        "The ratio of the costs is upside down: the dearer a miss, the less "
        "evidence is needed for class 1.": _costs_upside_down,
        "Subtract the costs of the right decisions first.": (
            _costs_of_being_right_ignored
        ),
        "Rows are decisions, columns are truths; here they are exchanged.": (
            _transposed
        ),
    },
)

# -- least_risk(joint, loss) ----------------------------------------------

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


def _seen(joint):
    return {x for x, _ in joint}


def _sums(joint, loss, x):
    """Return p(x) R(i | x) for every decision."""
    return [
        sum(row[s] * joint.get((x, s), 0) for s in row)
        for row in loss.values()
    ]


def _least_risk(joint, loss):
    return sum(min(_sums(joint, loss, x)) for x in _seen(joint))


def _one_for_all(joint, loss):
    return min(
        sum(column)
        for column in zip(
            *(_sums(joint, loss, x) for x in _seen(joint)), strict=True
        )
    )


def _not_weighted(joint, loss):
    return sum(
        min(_sums(joint, loss, x))
        / sum(p for (other, _), p in joint.items() if other == x)
        for x in _seen(joint)
    )


def _most_probable_first(joint, loss):
    """Decide as if the most probable state were certain."""
    total = 0
    for x in _seen(joint):
        row = {s: p for (other, s), p in joint.items() if other == x}
        top = max(row, key=row.get)
        choice = min(loss, key=lambda d, top=top: loss[d][top])
        total += sum(loss[choice][s] * p for s, p in row.items())
    return total


def _knows_the_state(joint, loss):
    return sum(
        p * min(row[s] for row in loss.values()) for (_, s), p in joint.items()
    )


least_risk = Exercise(
    reference=_least_risk,
    cases=(
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
    ),
    mistakes={
        "This takes the same decision for every x.": _one_for_all,
        "The conditional risks have to be weighted by the probability of x.": (
            _not_weighted
        ),
        "This decides for the most probable state and what is best there; "
        "minimise the expected loss instead.": _most_probable_first,
        "This is the expected loss of somebody who knows the state; the rule "
        "sees x only.": _knows_the_state,
        "This is the largest expected loss.": lambda joint, loss: sum(
            max(_sums(joint, loss, x)) for x in _seen(joint)
        ),
    },
)

# -- error_and_reject(joint, cost) ----------------------------------------


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


def _error_and_reject(joint, cost):
    return _chow(joint, lambda top, total: top < (1 - cost) * total)


def _shares_of_the_decided(joint, cost):
    error, reject = _error_and_reject(joint, cost)
    return (error / (1 - reject) if reject < 1 else F(0)), reject


def _with_the_price(joint, cost):
    error, reject = _error_and_reject(joint, cost)
    return error + cost * reject, reject


_BLURRED = {
    (1, "a"): F(9, 40),
    (1, "b"): F(1, 40),
    (2, "a"): F(3, 16),
    (2, "b"): F(1, 16),
    (3, "a"): F(2, 20),
    (3, "b"): F(3, 20),
    (4, "b"): F(1, 4),
}

error_and_reject = Exercise(
    reference=_error_and_reject,
    cases=(
        (_BLURRED, F(1, 20)),
        (_BLURRED, F(1, 10)),
        (_BLURRED, F(1, 4)),
        (_BLURRED, F(3, 10)),
        (_BLURRED, F(9, 20)),
        (_LETTERS, F(1, 3)),
        (_LETTERS, F(9, 20)),
        (_LETTERS, F(3, 5)),
    ),
    mistakes={
        "At equality both are equally good, but reject only if that is "
        "strictly better.": lambda joint, cost: _chow(
            joint, lambda top, total: top <= (1 - cost) * total
        ),
        "This compares a joint probability with 1 - cost; the rule is about "
        "the posterior.": lambda joint, cost: _chow(
            joint, lambda top, _total: top < 1 - cost
        ),
        "This rejects if the largest posterior is below the price itself, "
        "not below one minus it.": lambda joint, cost: _chow(
            joint, lambda top, total: top < cost * total
        ),
        "The first number is the share of errors among the decided cases; "
        "asked is the probability of an error "
        "among all.": _shares_of_the_decided,
        "The first number is the whole risk, with the price of rejecting in "
        "it.": _with_the_price,
        "The two numbers are exchanged.": lambda joint, cost: (
            _error_and_reject(joint, cost)[::-1]
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "conditional_risk": conditional_risk,
    "best_decisions": best_decisions,
    "ratio_threshold": ratio_threshold,
    "least_risk": least_risk,
    "error_and_reject": error_and_reject,
}
