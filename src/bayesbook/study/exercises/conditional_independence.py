"""The coding exercises of the chapter *Conditional independence*."""

import math
from fractions import Fraction as F
from itertools import product

from bayesbook.probability import (
    ProbabilitySpace,
    bayes_rule,
    total_probability,
)
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- independent_given(probability, a, b, given) ---------------------------

_DICE = {f"{i}{j}": F(1, 16) for i, j in product(range(1, 5), repeat=2)}
_LOADED = {1: F(1, 12), 2: F(1, 6), 3: F(1, 4), 4: F(1, 4), 5: F(1, 4)}
# Two tosses of a hidden coin, the low or the high one.
_TOSSES = {
    f"{coin}{first}{second}": F(1, 2) * p[first] * p[second]
    for coin, p in {
        "l": {"H": F(1, 4), "T": F(3, 4)},
        "h": {"H": F(3, 4), "T": F(1, 4)},
    }.items()
    for first, second in product("HT", repeat=2)
}
# One coin is tossed twice, the other once, its result reported twice.
_REPORTS = {
    **{f"2{a}{b}": F(1, 8) for a, b in product("HT", repeat=2)},
    **{f"1{a}{a}": F(1, 4) for a in "HT"},
}


def _where(space, *places):
    """Return the outcomes that have certain letters at certain places."""
    return {w for w in space if all(w[i] == letter for i, letter in places)}


def _independent_given(probability, a, b, given):
    return ProbabilitySpace(probability).independent(a, b, given=given)


def _total(probability, event):
    return sum((probability[w] for w in event), F(0))


def _marginally(p, a, b, c):
    return _total(p, a & b) == _total(p, a) * _total(p, b)


def _given_the_complement_too(p, a, b, c):
    rest = p.keys() - c
    return _independent_given(p, a, b, c) and (
        _total(p, rest) == 0 or _independent_given(p, a, b, rest)
    )


def _undivided(p, a, b, c):
    return _total(p, a & b & c) == _total(p, a & c) * _total(p, b & c)


def _unconditioned_right_side(p, a, b, c):
    both = _total(p, a & b & c) / _total(p, c)
    return both == _total(p, a) * _total(p, b)


def _by_the_lemma(p, a, b, c):
    if _total(p, b & c) == 0:
        return False
    return _independent_given(p, a, b, c)


def _compared_with_no_condition(p, a, b, c):
    both = _total(p, b & c)
    return both > 0 and _total(p, a & b & c) / both == _total(p, a)


independent_given = Exercise(
    reference=_independent_given,
    cases=(
        (
            _TOSSES,
            _where(_TOSSES, (1, "H")),
            _where(_TOSSES, (2, "H")),
            _where(_TOSSES, (0, "h")),
        ),
        (
            _TOSSES,
            _where(_TOSSES, (1, "H")),
            _where(_TOSSES, (2, "T")),
            set(_TOSSES),
        ),
        (
            _REPORTS,
            _where(_REPORTS, (1, "H")),
            _where(_REPORTS, (2, "H")),
            _where(_REPORTS, (0, "2")),
        ),
        (
            _REPORTS,
            _where(_REPORTS, (1, "H")),
            _where(_REPORTS, (2, "H")),
            _where(_REPORTS, (0, "1")),
        ),
        # Independent, but not given an even sum; still so in a square.
        (
            _DICE,
            _where(_DICE, (0, "1")),
            _where(_DICE, (1, "2")),
            {w for w in _DICE if (int(w[0]) + int(w[1])) % 2 == 0},
        ),
        (
            _DICE,
            _where(_DICE, (0, "3")),
            _where(_DICE, (1, "4")),
            {w for w in _DICE if w[0] > "2" and w[1] > "2"},
        ),
        (_DICE, _where(_DICE, (0, "1")), _where(_DICE, (1, "1")), set(_DICE)),
        # An event that is impossible behind the bar.
        (_LOADED, {1, 2}, {4, 5}, {1, 2, 3}),
        (_LOADED, {4, 5}, {1, 2}, {1, 2, 3}),
        # Not equally likely: counting outcomes says otherwise.
        (_LOADED, {1, 4}, {1, 3}, {1, 2, 3, 4}),
        # An equation of counts, and one of probabilities.
        ({1: F(1, 2), 2: F(1, 2), 3: F(0)}, {1}, {2}, {3}),
        (_LOADED, {1}, {2}, set()),
    ),
    mistakes={
        "This ignores what is known: the equation has to hold behind the "
        "bar.": _marginally,
        "This requires independence given the complement as well; that is "
        "another statement.": _given_the_complement_too,
        "These are joint probabilities with C, not conditional ones: divide "
        "each of the three by P[C].": _undivided,
        "Only the left side is conditioned: P[A] and P[B] have to stand "
        "behind the bar too.": _unconditioned_right_side,
        "Where P[B ∩ C] is zero, P[A | B ∩ C] has no value, but the product "
        "rule still answers.": _by_the_lemma,
        "This compares P[A | B ∩ C] with P[A], not with P[A | C].": (
            _compared_with_no_condition
        ),
        "This checks whether the events are disjoint given C, which is "
        "something else.": lambda p, a, b, c: not a & b & c,
        "This checks the mutual independence of all three events.": (
            lambda p, a, b, c: ProbabilitySpace(p).independent(a, b, c)
        ),
        "This counts outcomes. They are not equally likely here: add up "
        "their probabilities.": lambda p, a, b, c: (
            len(a & b & c) * len(c) == len(a & c) * len(b & c)
        ),
    },
)

# -- largest_gap(joint) ----------------------------------------------------

_BITS = list(product((0, 1), repeat=3))


def _scaled_to_one(weights):
    total = sum(weights.values())
    return {key: F(weight, total) for key, weight in weights.items()}


_RANDOM = _scaled_to_one(
    dict(zip(_BITS, (1, 5, 3, 2, 4, 1, 2, 7), strict=True))
)
_FREE = _scaled_to_one(
    {(x, y, w): (1 + x + w) * (2 - y + 3 * w) for x, y, w in _BITS}
)
_SAME = _scaled_to_one({(0, 0, "a"): 1, (1, 1, "a"): 2, (0, 0, "b"): 3})
# The largest gap is where the dictionary has nothing.
_ABSENT = _scaled_to_one(
    {(0, 1, 0): 1, (0, 2, 0): 1, (1, 0, 0): 1, (2, 0, 0): 1, (0, 0, 1): 3}
)
_DEAD = _scaled_to_one(
    {(0, 0, "on"): 2, (0, 1, "on"): 1, (1, 0, "on"): 1, (1, 1, "off"): 0}
)
# The two sides differ most where the joint is the smaller one.
_THREE = _scaled_to_one(
    dict(
        zip(
            product(range(3), range(3), "uv"),
            (1, 4, 5, 1, 2, 1, 6, 2, 1, 3, 1, 1, 9, 1, 2, 2, 3, 1),
            strict=True,
        )
    )
)


def _gaps(joint, keys=None):
    """Yield every signed gap with its state w and P(w)."""
    columns = [list(dict.fromkeys(c)) for c in zip(*joint, strict=True)]
    p = {key: joint.get(key, F(0)) for key in product(*columns)}
    xs, ys, ws = columns
    for w in ws:
        p_w = sum(p[x, y, w] for x in xs for y in ys)
        if p_w == 0:
            continue
        for x, y in product(xs, ys):
            if keys is not None and (x, y, w) not in keys:
                continue
            p_x = sum(p[x, other, w] for other in ys) / p_w
            p_y = sum(p[other, y, w] for other in xs) / p_w
            yield p[x, y, w] / p_w - p_x * p_y, w, p_w


def _largest_gap(joint):
    return max(abs(gap) for gap, _, _ in _gaps(joint))


def _summed_out(joint):
    summed = {}
    for (x, y, _), p in joint.items():
        summed[x, y, 0] = summed.get((x, y, 0), F(0)) + p
    return summed


def _unconditioned_gap(joint):
    """Compare P(x, y | w) with P(x) P(y)."""
    xs, ys, ws = ({key[i] for key in joint} for i in range(3))

    def total(**known):
        return sum(
            p
            for key, p in joint.items()
            if all(key["xyw".index(n)] == s for n, s in known.items())
        )

    return max(
        abs(total(x=x, y=y, w=w) / total(w=w) - total(x=x) * total(y=y))
        for x, y, w in product(xs, ys, ws)
        if total(w=w) > 0
    )


def _of_state(position):
    def largest(joint):
        states = [w for _, w, _ in _gaps(joint)]
        return max(
            abs(gap) for gap, w, _ in _gaps(joint) if w == states[position]
        )

    return largest


largest_gap = Exercise(
    reference=_largest_gap,
    cases=(
        (_RANDOM,),
        (_FREE,),
        (_SAME,),
        (_ABSENT,),
        (_DEAD,),
        (_THREE,),
    ),
    mistakes={
        "This is the gap of X and Y without W: add over nothing, condition "
        "on each w.": lambda joint: _largest_gap(_summed_out(joint)),
        "This forgets to divide by P(w): the gap is one of conditional "
        "probabilities.": lambda joint: max(
            abs(gap) * p_w for gap, _, p_w in _gaps(joint)
        ),
        "This takes no absolute value: the joint probability may also be the "
        "smaller side.": lambda joint: max(g for g, _, _ in _gaps(joint)),
        "This adds the gaps up; the largest one is asked for.": (
            lambda joint: sum(abs(gap) for gap, _, _ in _gaps(joint))
        ),
        "This averages the gaps; the largest one is asked for.": (
            lambda joint: F(
                sum(abs(gap) for gap, _, _ in _gaps(joint)),
                len(list(_gaps(joint))),
            )
        ),
        "This looks at the triples in the dictionary only; a missing triple "
        "has probability zero, and a gap all the same.": lambda joint: max(
            abs(gap) for gap, _, _ in _gaps(joint, keys=joint)
        ),
        "This compares with P(x) P(y); both have to be conditioned on w.": (
            _unconditioned_gap
        ),
        "This looks at the first state of W only.": _of_state(0),
        "This looks at the last state of W only: is the maximum reset in the "
        "loop?": _of_state(-1),
        "This is the smallest gap; the largest one is asked for.": (
            lambda joint: min(abs(gap) for gap, _, _ in _gaps(joint))
        ),
    },
)

# -- mixture(weight, first, second) ----------------------------------------

_HALVES = {"odd": F(1, 2), "even": F(1, 2)}
_FACES = {
    "odd": {1: F(1, 2), 2: F(0), 3: F(1, 2)},
    "even": {1: F(1, 4), 2: F(3, 4), 3: F(0)},
}


def _mixture(weight, first, second):
    joint = {}
    for w in weight:
        for x, y in product(first[w], second[w]):
            part = weight[w] * first[w][x] * second[w][y]
            joint[x, y] = joint.get((x, y), 0) + part
    return joint


def _mixed(weight, distributions):
    mixed = {}
    for w, given_w in distributions.items():
        for x, p in given_w.items():
            mixed[x] = mixed.get(x, 0) + weight[w] * p
    return mixed


def _product_of_mixtures(weight, first, second):
    p, q = _mixed(weight, first), _mixed(weight, second)
    return {(x, y): p[x] * q[y] for x, y in product(p, q)}


def _likeliest_only(weight, first, second):
    w = max(weight, key=weight.get)
    return _mixture({w: 1}, first, second)


def _every_pair_of_states(weight, first, second):
    """Sum over another w for the second variable, but weigh only once."""
    joint = {}
    for w, v in product(weight, repeat=2):
        for x, y in product(first[w], second[v]):
            part = weight[w] * first[w][x] * second[v][y]
            joint[x, y] = joint.get((x, y), 0) + part
    return joint


mixture = Exercise(
    reference=_mixture,
    cases=(
        (_HALVES, _FACES, _FACES),
        (
            {"low": F(1, 3), "high": F(2, 3)},
            {
                "low": {"H": F(1, 4), "T": F(3, 4)},
                "high": {"H": F(4, 5), "T": F(1, 5)},
            },
            {
                "low": {"+": F(1, 10), "-": F(9, 10)},
                "high": {"+": F(5, 8), "-": F(3, 8)},
            },
        ),
        (
            {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)},
            {w: {0: F(1, w + 2), 1: F(w + 1, w + 2)} for w in range(3)},
            {w: {0: F(w + 1, 4), 1: F(3 - w, 4)} for w in range(3)},
        ),
        (
            {0: 0.25, 1: 0.75},
            {0: {"a": 0.5, "b": 0.5}, 1: {"a": 0.125, "b": 0.875}},
            {0: {"c": 1.0, "d": 0.0}, 1: {"c": 0.25, "d": 0.75}},
        ),
    ),
    mistakes={
        "This multiplies the marginal distributions, as if X and Y were "
        "independent "
        "without W: multiply within each w first.": _product_of_mixtures,
        "This gives every w the same weight.": lambda p, q, r: _mixture(
            {w: F(1, len(p)) for w in p}, q, r
        ),
        "The weights are missing: what do your probabilities sum to?": (
            lambda p, q, r: _mixture(dict.fromkeys(p, 1), q, r)
        ),
        "Each w is weighed twice: it is drawn once for both variables.": (
            lambda p, q, r: _mixture({w: p[w] ** 2 for w in p}, q, r)
        ),
        "This keeps only the last w: add its part to what is there already.": (
            lambda p, q, r: _mixture({w: p[w] for w in [*p][-1:]}, q, r)
        ),
        "This uses the likeliest w only.": _likeliest_only,
        "This combines the X of one w with the Y of another: both come from "
        "the same w.": _every_pair_of_states,
        "The pairs are the wrong way round: x comes first.": (
            lambda p, q, r: {
                (y, x): v for (x, y), v in _mixture(p, q, r).items()
            }
        ),
    },
)

# -- next_heads(prior, heads, seen) ----------------------------------------


def _posterior(prior, heads, seen):
    for toss in seen:
        likelihood = {
            coin: p if toss == "H" else 1 - p for coin, p in heads.items()
        }
        prior = bayes_rule(prior, likelihood)
    return prior


def _next_heads(prior, heads, seen):
    return total_probability(_posterior(prior, heads, seen), heads)


def _plug_in(prior, heads, seen):
    posterior = _posterior(prior, heads, seen)
    return heads[max(posterior, key=posterior.get)]


def _joint_with_next(prior, heads, seen):
    return sum(
        p
        * heads[coin] ** (seen.count("H") + 1)
        * (1 - heads[coin]) ** seen.count("T")
        for coin, p in prior.items()
    )


def _weighted_by_likelihood(prior, heads, seen):
    even = {coin: F(1, len(prior)) for coin in prior}
    return _next_heads(even, heads, seen)


def _evidence(prior, heads, seen):
    return _joint_with_next(prior, heads, seen) / _next_heads(
        prior, heads, seen
    )


_COINS = {"low": F(1, 4), "high": F(3, 4)}
_EVEN = {"low": F(1, 2), "high": F(1, 2)}
_THREE_COINS = {"a": F(1, 5), "b": F(1, 2), "c": F(9, 10)}
_THREE_PRIOR = {"a": F(1, 6), "b": F(1, 2), "c": F(1, 3)}

next_heads = Exercise(
    reference=_next_heads,
    cases=(
        (_EVEN, _COINS, "H"),
        (_EVEN, _COINS, "HHHT"),
        ({"low": F(4, 5), "high": F(1, 5)}, _COINS, "HTH"),
        (_THREE_PRIOR, _THREE_COINS, "HHTHHTH"),
        (_THREE_PRIOR, _THREE_COINS, "TTH"),
        (_THREE_PRIOR, _THREE_COINS, ""),
        (
            {"fair": 0.75, "two heads": 0.25},
            {"fair": 0.5, "two heads": 1.0},
            "HHH",
        ),
        (
            {"heads": F(1, 3), "tails": F(2, 3)},
            {"heads": F(1), "tails": F(0)},
            "HT",
        ),
    ),
    mistakes={
        "This ignores the tosses: they have changed the weights of the "
        "coins.": lambda prior, heads, seen: total_probability(prior, heads),
        "This bets on the likeliest coin; every coin counts, with its "
        "posterior probability.": _plug_in,
        "This is P[seen and then heads]: divide by the probability of what "
        "was seen.": _joint_with_next,
        "This is the share of heads among the tosses; the coins that can "
        "have been drawn say more.": lambda prior, heads, seen: (
            F(seen.count("H"), len(seen)) if seen else F(1, 2)
        ),
        "This starts from equally likely coins: where is the prior?": (
            _weighted_by_likelihood
        ),
        "This uses the last toss only: every toss updates the weights.": (
            lambda prior, heads, seen: _next_heads(prior, heads, seen[-1:])
        ),
        "This uses the first toss only: is there a `return` inside the "
        "loop?": lambda prior, heads, seen: _next_heads(
            prior, heads, seen[:1]
        ),
        "This counts the heads and ignores the tails; a tail is evidence "
        "too.": lambda prior, heads, seen: _next_heads(
            prior, heads, seen.replace("T", "")
        ),
        "This is the probability of tails.": lambda prior, heads, seen: (
            1 - _next_heads(prior, heads, seen)
        ),
        "This is the probability of what was seen; the next toss is asked "
        "for.": _evidence,
    },
)

# -- free_parameters(k, sizes) ---------------------------------------------


def _free_parameters(k, sizes):
    return k - 1 + k * sum(size - 1 for size in sizes)


free_parameters = Exercise(
    reference=_free_parameters,
    cases=(
        (2, [2] * 10),
        (3, [2] * 7),
        (2, [3, 4, 5, 6]),
        (5, [4, 2, 7]),
        (4, [10]),
        (20, []),
        (1, [9, 8]),
    ),
    mistakes={
        "These are the parameters of a joint table without any "
        "independence.": lambda k, sizes: k * math.prod(sizes) - 1,
        "This counts entries. Every distribution sums to one, so one number "
        "of each is "
        "not free.": lambda k, sizes: k + k * sum(sizes),
        "The distribution of W is missing.": lambda k, sizes: (
            k * sum(size - 1 for size in sizes)
        ),
        "This gives each variable one distribution; it has one for every "
        "state of "
        "W.": lambda k, sizes: k - 1 + sum(size - 1 for size in sizes),
        "This is right for variables with two states; look at `sizes`.": (
            lambda k, sizes: k - 1 + k * len(sizes)
        ),
        "This is right if W and all variables have two states.": (
            lambda k, sizes: 2 * len(sizes) + 1
        ),
        "W has k states that sum to one: one of its numbers is not free.": (
            lambda k, sizes: k + k * sum(size - 1 for size in sizes)
        ),
        "This takes one from the total of each state of W, as if the "
        "variables together were one distribution.": lambda k, sizes: (
            k - 1 + k * (sum(sizes) - 1)
        ),
        "This multiplies the sizes of the tables; different tables add up.": (
            lambda k, sizes: k - 1 + k * math.prod(s - 1 for s in sizes)
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "independent_given": independent_given,
    "largest_gap": largest_gap,
    "mixture": mixture,
    "next_heads": next_heads,
    "free_parameters": free_parameters,
}
