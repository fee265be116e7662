"""The coding exercises of the chapter *Conditional independence*.

It is one file because a chapter's exercises are one module, and each of
their many hints has its example beside it.
"""

import math
from fractions import Fraction as F
from functools import partial
from itertools import product

from bayesbook.probability import (
    ProbabilitySpace,
    bayes_rule,
    total_probability,
)
from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import normalised, total

# -- largest_gap ----------------------------------------------------------

_BITS = list(product((0, 1), repeat=3))


def _scaled_to_one(weights):
    return normalised({key: F(weight) for key, weight in weights.items()})


_RANDOM = _scaled_to_one(
    dict(zip(_BITS, (1, 5, 3, 2, 4, 1, 2, 7), strict=True))
)
_FREE = _scaled_to_one(
    {(x, y, z): (1 + x + z) * (2 - y + 3 * z) for x, y, z in _BITS}
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
    """Yield every signed gap with its state z."""
    columns = [
        list(dict.fromkeys(states)) for states in zip(*joint, strict=True)
    ]
    p = {key: joint.get(key, F(0)) for key in product(*columns)}
    xs, ys, zs = columns
    for z in zs:
        p_z = sum(p[x, y, z] for x in xs for y in ys)
        if p_z == 0:
            continue
        for x, y in product(xs, ys):
            if keys is not None and (x, y, z) not in keys:
                continue
            p_x = sum(p[x, other, z] for other in ys) / p_z
            p_y = sum(p[other, y, z] for other in xs) / p_z
            yield p[x, y, z] / p_z - p_x * p_y, z


def _summed_to(joint, *places):
    """Sum over all variables but those at certain places."""
    summed = {}
    for key, p in joint.items():
        kept = tuple(key[place] for place in places)
        summed[kept] = summed.get(kept, F(0)) + p
    return summed


_SPARSE = _scaled_to_one(
    {
        (0, 0, "a"): 3,
        (0, 1, "a"): 2,
        (2, 0, "a"): 1,
        (1, 1, "b"): 2,
        (2, 0, "b"): 2,
        (0, 1, "c"): 2,
        (1, 0, "c"): 2,
        (1, 1, "c"): 2,
    }
)
_THREE_BY_THREE = _scaled_to_one(
    {
        (0, 0, "a"): 2,
        (0, 1, "a"): 2,
        (1, 1, "a"): 1,
        (1, 2, "a"): 1,
        (2, 0, "a"): 3,
        (2, 1, "a"): 1,
        (2, 2, "a"): 1,
    }
)


@exercise(
    (_RANDOM,),
    (_FREE,),
    (_SAME,),
    (_ABSENT,),
    (_DEAD,),
    (_THREE,),
)
def largest_gap(joint):
    """Return the largest |p(x, y | z) - p(x | z) p(y | z)|."""
    return max(abs(gap) for gap, _ in _gaps(joint))


@largest_gap.mistake(
    "This is the gap of X and Y without Z: add over nothing, condition on "
    "each z.",
    example=((_SPARSE,), F(3, 32)),
)
def _without_z(joint):
    alone = _summed_to(joint, 0, 1)
    return largest_gap({(x, y, 0): p for (x, y), p in alone.items()})


@largest_gap.mistake(
    "This forgets to divide by P(z): the gap is one of conditional "
    "probabilities.",
    example=(
        (
            {
                (1, 0, "a"): F(1, 3),
                (0, 1, "b"): F(1, 6),
                (1, 0, "b"): F(1, 6),
                (1, 1, "b"): F(1, 3),
            },
        ),
        F(2, 9),
    ),
)
def _joint_gap(joint):
    p_xz, p_yz = _summed_to(joint, 0, 2), _summed_to(joint, 1, 2)
    return max(
        abs(joint.get((x, y, z), 0) - p_xz[x, z] * p_yz[y, z])
        for (x, z), (y, same) in product(p_xz, p_yz)
        if z == same
    )


@largest_gap.mistake(
    "This takes no absolute value: the joint probability may also be the "
    "smaller side.",
    example=((_THREE_BY_THREE,), F(8, 121)),
)
def _signed(joint):
    return max(gap for gap, _ in _gaps(joint))


@largest_gap.mistake(
    "This adds the gaps up; the largest one is asked for.",
    example=((_SPARSE,), F(5, 3)),
)
def _summed(joint):
    return sum(abs(gap) for gap, _ in _gaps(joint))


@largest_gap.mistake(
    "This averages the gaps; the largest one is asked for.",
    example=((_SPARSE,), F(5, 54)),
)
def _averaged(joint):
    gaps = [abs(gap) for gap, _ in _gaps(joint)]
    return F(sum(gaps), len(gaps))


@largest_gap.mistake(
    "This looks at the triples in the dictionary only; a missing triple has "
    "probability zero, and a gap all the same.",
    example=((_THREE_BY_THREE,), F(9, 121)),
)
def _mentioned_only(joint):
    return max(abs(gap) for gap, _ in _gaps(joint, keys=joint))


@largest_gap.mistake(
    "This compares with P(x) P(y); both have to be conditioned on z.",
    example=(
        (
            {
                (0, 0, "a"): F(1, 5),
                (1, 1, "a"): F(2, 5),
                (0, 1, "b"): F(2, 5),
                (1, 0, "c"): F(0),
            },
        ),
        F(13, 25),
    ),
)
def _unconditioned_gap(joint):
    columns = [{key[place] for key in joint} for place in range(3)]

    def alone(place, state):
        return sum(p for key, p in joint.items() if key[place] == state)

    return max(
        abs(joint.get((x, y, z), 0) / alone(2, z) - alone(0, x) * alone(1, y))
        for x, y, z in product(*columns)
        if alone(2, z) > 0
    )


@largest_gap.mistake(
    "This looks at the first state of Z only.",
    example=((_SPARSE,), F(1, 18)),
)
def _first_state(joint):
    states = [z for _, z in _gaps(joint)]
    return max(abs(gap) for gap, z in _gaps(joint) if z == states[0])


@largest_gap.mistake(
    "This looks at the last state of Z only: is the maximum reset in the "
    "loop?",
    example=((_SPARSE,), F(1, 9)),
)
def _last_state(joint):
    states = [z for _, z in _gaps(joint)]
    return max(abs(gap) for gap, z in _gaps(joint) if z == states[-1])


@largest_gap.mistake(
    "This is the smallest gap; the largest one is asked for.",
    example=((_THREE_BY_THREE,), F(1, 121)),
)
def _smallest(joint):
    return min(abs(gap) for gap, _ in _gaps(joint))


# -- independent_given ----------------------------------------------------

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
    return {
        outcome
        for outcome in space
        if all(outcome[place] == letter for place, letter in places)
    }


@exercise(
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
)
def independent_given(probability, a, b, given):
    """Return whether two sets of outcomes are independent given a third."""
    return ProbabilitySpace(probability).independent(a, b, given=given)


@independent_given.mistake(
    "This ignores what is known: the equation has to hold behind the bar.",
    example=((_LOADED, {1, 2}, {1, 3}, {1, 4}), True),
)
def _marginally(probability, a, b, given):
    P = partial(total, probability)
    return P(a & b) == P(a) * P(b)


@independent_given.mistake(
    "This requires independence given the complement as well; that is another "
    "statement.",
    example=((_LOADED, {1, 2}, {1, 3}, {3}), False),
)
def _given_the_complement_too(probability, a, b, given):
    rest = probability.keys() - given
    return independent_given(probability, a, b, given) and (
        total(probability, rest) == 0
        or independent_given(probability, a, b, rest)
    )


@independent_given.mistake(
    "These are joint probabilities with C, not conditional ones: divide each "
    "of the three by P[C].",
    example=((_LOADED, {1, 3, 4}, {1, 2}, {1, 2, 3}), True),
)
def _undivided(probability, a, b, given):
    P = partial(total, probability)
    return P(a & b & given) == P(a & given) * P(b & given)


@independent_given.mistake(
    "Only the left side is conditioned: P[A] and P[B] have to stand behind "
    "the bar too.",
    example=((_LOADED, {1, 3}, {1, 4}, {1, 2, 3, 5}), True),
)
def _unconditioned_right_side(probability, a, b, given):
    P = partial(total, probability)
    return P(a & b & given) / P(given) == P(a) * P(b)


@independent_given.mistake(
    "Where P[B ∩ C] is zero, P[A | B ∩ C] has no value, but the product rule "
    "still answers.",
    example=((_LOADED, {1, 2}, {1, 3}, {2, 4, 5}), False),
)
def _by_the_lemma(probability, a, b, given):
    if total(probability, b & given) == 0:
        return False
    return independent_given(probability, a, b, given)


@independent_given.mistake(
    "This compares P[A | B ∩ C] with P[A], not with P[A | C].",
    example=((_LOADED, {1, 2}, {1, 2, 3}, {1, 3, 4}), True),
)
def _compared_with_no_condition(probability, a, b, given):
    P = partial(total, probability)
    known = P(b & given)
    return known > 0 and P(a & b & given) / known == P(a)


@independent_given.mistake(
    "This checks whether the events are disjoint given C, which is something "
    "else.",
    example=((_LOADED, {1}, {2}, {1, 2}), True),
)
def _disjoint(probability, a, b, given):
    return not a & b & given


@independent_given.mistake(
    "This checks the mutual independence of all three events.",
    example=((_LOADED, {1, 2}, {1, 3}, {3, 4, 5}), False),
)
def _all_three_independent(probability, a, b, given):
    return ProbabilitySpace(probability).independent(a, b, given)


@independent_given.mistake(
    "This counts outcomes. They are not equally likely here: add up their "
    "probabilities.",
    example=((_LOADED, {1, 2}, {2, 3}, {1, 2, 3, 4}), True),
)
def _outcomes_counted(probability, a, b, given):
    return len(a & b & given) * len(given) == len(a & given) * len(b & given)


# -- mixture --------------------------------------------------------------

_HALVES = {"odd": F(1, 2), "even": F(1, 2)}
_FACES = {
    "odd": {1: F(1, 2), 2: F(0), 3: F(1, 2)},
    "even": {1: F(1, 4), 2: F(3, 4), 3: F(0)},
}
_COIN = {"u": F(3, 5), "v": F(2, 5)}
_FIRST = {
    "u": {"H": F(1, 3), "T": F(2, 3)},
    "v": {"H": F(3, 4), "T": F(1, 4)},
}
_SECOND = {
    "u": {"+": F(1, 2), "-": F(1, 2)},
    "v": {"+": F(1, 4), "-": F(3, 4)},
}


def _mixed(weight, distributions):
    mixed = {}
    for z, given_z in distributions.items():
        for x, p in given_z.items():
            mixed[x] = mixed.get(x, 0) + weight[z] * p
    return mixed


@exercise(
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
        {z: {0: F(1, z + 2), 1: F(z + 1, z + 2)} for z in range(3)},
        {z: {0: F(z + 1, 4), 1: F(3 - z, 4)} for z in range(3)},
    ),
    (
        {0: 0.25, 1: 0.75},
        {0: {"a": 0.5, "b": 0.5}, 1: {"a": 0.125, "b": 0.875}},
        {0: {"c": 1.0, "d": 0.0}, 1: {"c": 0.25, "d": 0.75}},
    ),
)
def mixture(weight, first, second):
    """Return {(x, y): p} of X and Y, independent given a hidden Z."""
    joint = {}
    for z in weight:
        for x, y in product(first[z], second[z]):
            part = weight[z] * first[z][x] * second[z][y]
            joint[x, y] = joint.get((x, y), 0) + part
    return joint


@mixture.mistake(
    "This multiplies the marginal distributions, as if X and Y were "
    "independent without Z: multiply within each z first.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(1, 5),
            ("H", "-"): F(3, 10),
            ("T", "+"): F(1, 5),
            ("T", "-"): F(3, 10),
        },
    ),
)
def _product_of_mixtures(weight, first, second):
    p, q = _mixed(weight, first), _mixed(weight, second)
    return {(x, y): p[x] * q[y] for x, y in product(p, q)}


@mixture.mistake(
    "This gives every z the same weight.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(17, 96),
            ("H", "-"): F(35, 96),
            ("T", "+"): F(19, 96),
            ("T", "-"): F(25, 96),
        },
    ),
)
def _equal_weights(weight, first, second):
    return mixture({z: F(1, len(weight)) for z in weight}, first, second)


@mixture.mistake(
    "The weights are missing: what do your probabilities sum to?",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(17, 48),
            ("H", "-"): F(35, 48),
            ("T", "+"): F(19, 48),
            ("T", "-"): F(25, 48),
        },
    ),
)
def _unweighted(weight, first, second):
    return mixture(dict.fromkeys(weight, 1), first, second)


@mixture.mistake(
    "Each z is weighed twice: it is drawn once for both variables.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(9, 100),
            ("H", "-"): F(3, 20),
            ("T", "+"): F(13, 100),
            ("T", "-"): F(3, 20),
        },
    ),
)
def _weighed_twice(weight, first, second):
    return mixture({z: weight[z] ** 2 for z in weight}, first, second)


@mixture.mistake(
    "This keeps only the last z: add its part to what is there already.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(3, 40),
            ("H", "-"): F(9, 40),
            ("T", "+"): F(1, 40),
            ("T", "-"): F(3, 40),
        },
    ),
)
def _last_only(weight, first, second):
    last = list(weight)[-1]
    return mixture({last: weight[last]}, first, second)


@mixture.mistake(
    "This uses the likeliest z only.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(1, 6),
            ("H", "-"): F(1, 6),
            ("T", "+"): F(1, 3),
            ("T", "-"): F(1, 3),
        },
    ),
)
def _likeliest_only(weight, first, second):
    z = max(weight, key=weight.get)
    return mixture({z: 1}, first, second)


@mixture.mistake(
    "This combines the X of each z with the Y of every z, and weighs by the "
    "first: both come from the same z.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("H", "+"): F(3, 8),
            ("H", "-"): F(5, 8),
            ("T", "+"): F(3, 8),
            ("T", "-"): F(5, 8),
        },
    ),
)
def _every_pair_of_states(weight, first, second):
    joint = {}
    for z, v in product(weight, repeat=2):
        for x, y in product(first[z], second[v]):
            part = weight[z] * first[z][x] * second[v][y]
            joint[x, y] = joint.get((x, y), 0) + part
    return joint


@mixture.mistake(
    "The pairs are the wrong way round: x comes first.",
    example=(
        (_COIN, _FIRST, _SECOND),
        {
            ("+", "H"): F(7, 40),
            ("-", "H"): F(13, 40),
            ("+", "T"): F(9, 40),
            ("-", "T"): F(11, 40),
        },
    ),
)
def _exchanged(weight, first, second):
    right = mixture(weight, first, second)
    return {(y, x): p for (x, y), p in right.items()}


# -- next_heads -----------------------------------------------------------


def _posterior(prior, heads, seen):
    for toss in seen:
        likelihood = {
            coin: p if toss == "H" else 1 - p for coin, p in heads.items()
        }
        prior = bayes_rule(prior, likelihood)
    return prior


_COINS = {"low": F(1, 4), "high": F(3, 4)}
_EVEN = {"low": F(1, 2), "high": F(1, 2)}
_OTHER_COINS = {"low": F(1, 4), "high": F(2, 3)}
_MORE_LOW = {"low": F(3, 5), "high": F(2, 5)}
_THREE_COINS = {"a": F(1, 5), "b": F(1, 2), "c": F(9, 10)}
_THREE_PRIOR = {"a": F(1, 6), "b": F(1, 2), "c": F(1, 3)}


@exercise(
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
)
def next_heads(prior, heads, seen):
    """Return P[next is H | seen], for a string of H and T (perhaps empty)."""
    return total_probability(_posterior(prior, heads, seen), heads)


@next_heads.mistake(
    "This ignores the tosses: they have changed the weights of the coins.",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(5, 12)),
)
def _prior_alone(prior, heads, seen):
    return total_probability(prior, heads)


@next_heads.mistake(
    "This bets on the likeliest coin; every coin counts, with its posterior "
    "probability.",
    example=((_MORE_LOW, _OTHER_COINS, "HHTH"), F(2, 3)),
)
def _plug_in(prior, heads, seen):
    posterior = _posterior(prior, heads, seen)
    return heads[max(posterior, key=posterior.get)]


@next_heads.mistake(
    "This is P[seen and then heads]: divide by the probability of what was "
    "seen.",
    example=((_MORE_LOW, _OTHER_COINS, "HHTT"), F(4589, 248832)),
)
def _joint_with_next(prior, heads, seen):
    return sum(
        p
        * heads[coin] ** (seen.count("H") + 1)
        * (1 - heads[coin]) ** seen.count("T")
        for coin, p in prior.items()
    )


@next_heads.mistake(
    "This is the share of heads among the tosses; the coins that can have "
    "been drawn say more.",
    example=((_MORE_LOW, _OTHER_COINS, "HHTH"), F(3, 4)),
)
def _share_of_heads(prior, heads, seen):
    return F(seen.count("H"), len(seen)) if seen else F(1, 2)


@next_heads.mistake(
    "This starts from equally likely coins: where is the prior?",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(2291, 4044)),
)
def _weighted_by_likelihood(prior, heads, seen):
    even = {coin: F(1, len(prior)) for coin in prior}
    return next_heads(even, heads, seen)


@next_heads.mistake(
    "This uses the last toss only: every toss updates the weights.",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(29, 84)),
)
def _last_toss(prior, heads, seen):
    return next_heads(prior, heads, seen[-1:])


@next_heads.mistake(
    "This uses the first toss only: is there a `return` inside the loop?",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(31, 60)),
)
def _first_toss(prior, heads, seen):
    return next_heads(prior, heads, seen[:1])


@next_heads.mistake(
    "This counts the heads and ignores the tails; a tail is evidence too.",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(221, 372)),
)
def _heads_only(prior, heads, seen):
    return next_heads(prior, heads, seen.replace("T", ""))


@next_heads.mistake(
    "This is the probability of tails.",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(847, 1812)),
)
def _tails(prior, heads, seen):
    return 1 - next_heads(prior, heads, seen)


@next_heads.mistake(
    "This is the probability of what was seen; the next toss is asked for.",
    example=((_MORE_LOW, _OTHER_COINS, "HHT"), F(151, 1728)),
)
def _evidence(prior, heads, seen):
    both = _joint_with_next(prior, heads, seen)
    return both / next_heads(prior, heads, seen)


# -- free_parameters ------------------------------------------------------


@exercise(
    (2, [2] * 10),
    (3, [2] * 7),
    (2, [3, 4, 5, 6]),
    (5, [4, 2, 7]),
    (4, [10]),
    (20, []),
    (1, [9, 8]),
)
def free_parameters(k, sizes):
    """Return the free parameters of Z and the X_i, independent given Z."""
    return k - 1 + k * sum(size - 1 for size in sizes)


@free_parameters.mistake(
    "These are the parameters of a joint table without any independence.",
    example=((3, [2, 4, 5]), 119),
)
def _joint_table(k, sizes):
    return k * math.prod(sizes) - 1


@free_parameters.mistake(
    "This counts entries. Every distribution sums to one, so one number of "
    "each is not free.",
    example=((3, [2, 4, 5]), 36),
)
def _entries(k, sizes):
    return k + k * sum(sizes)


@free_parameters.mistake(
    "The distribution of Z is missing.", example=((3, [2, 4, 5]), 24)
)
def _without_z_itself(k, sizes):
    return k * sum(size - 1 for size in sizes)


@free_parameters.mistake(
    "This gives each variable one distribution; it has one for every state of "
    "Z.",
    example=((3, [2, 4, 5]), 10),
)
def _one_table_each(k, sizes):
    return k - 1 + sum(size - 1 for size in sizes)


@free_parameters.mistake(
    "This is right for variables with two states; look at `sizes`.",
    example=((3, [2, 4, 5]), 11),
)
def _two_states(k, sizes):
    return k - 1 + k * len(sizes)


@free_parameters.mistake(
    "This is right if Z and all variables have two states.",
    example=((3, [2, 4, 5]), 7),
)
def _all_with_two_states(k, sizes):
    return 2 * len(sizes) + 1


@free_parameters.mistake(
    "Z has k states that sum to one: one of its numbers is not free.",
    example=((3, [2, 4, 5]), 27),
)
def _k_for_z(k, sizes):
    return k + k * sum(size - 1 for size in sizes)


@free_parameters.mistake(
    "This takes one from the total of each state of Z, as if the variables "
    "together were one distribution.",
    example=((3, [2, 4, 5]), 32),
)
def _minus_one_in_all(k, sizes):
    return k - 1 + k * (sum(sizes) - 1)


@free_parameters.mistake(
    "This multiplies the sizes of the tables; different tables add up.",
    example=((3, [2, 4, 5]), 38),
)
def _multiplied(k, sizes):
    return k - 1 + k * math.prod(size - 1 for size in sizes)
