"""The errata: each entry is derived again, and its numbers are computed.

The function of an entry yields the numbers of its text, in their order, from
the case that the text states: by enumeration, in fractions, or by quadrature,
and without the library. Words are free, digits are bound. What has no number,
such as a decision that changes, is asserted there. One file because the page
is one, and its entries are read beside their functions.
"""

import math
import re
from collections import Counter
from fractions import Fraction as F
from functools import cache
from itertools import chain, combinations, product

import networkx as nx
import numpy as np
import pytest
from graph_truth import all_trails, is_active
from scipy import integrate, stats
from sklearn.datasets import load_breast_cancer
from solved_problems import BOOK
from tex_values import equations, value

from bayesbook.study.quiz.numerals import numbers_told, without_labels

PAGE = (BOOK / "appendix" / "errata.md").read_text("utf-8")
_, *_PIECES = re.split(r"^\((erratum-[\w-]+)\)=$", PAGE, flags=re.MULTILINE)
# An entry ends where the next one, or the next chapter begins.
ENTRIES = {
    label: text.partition("\n## ")[0]
    for label, text in zip(_PIECES[::2], _PIECES[1::2], strict=True)
}
SEEN = re.compile(r"^\*\*Seen in\.\*\* (.*)\.$", re.MULTILINE)
COMMON = "A common slip; none of the five texts has it"
SLIPS = "erratum-slips"
NUMBERS = {}
HALF = F(1, 2)
BITS = (0, 1)
FIRST = 1  # of a list of classes or attributes


def of(label):
    """Enter the function that computes the numbers of an entry."""
    return lambda function: NUMBERS.setdefault(label, function)


def normalised(weights):
    whole = sum(weights.values())
    return {key: weight / whole for key, weight in weights.items()}


def marginal(joint, *places):
    """Sum a joint distribution, of tuples, to some of its places."""
    found = Counter()
    for outcome, p in joint.items():
        found[tuple(outcome[place] for place in places)] += p
    return found


def given(joint, place, value):
    return normalised({k: p for k, p in joint.items() if k[place] == value})


def independent(joint, a, b):
    """Tell whether two places of a joint distribution are independent."""
    first, second = marginal(joint, a), marginal(joint, b)
    both = marginal(joint, a, b)
    return all(
        both[x + y] == first[x] * second[y] for x, y in product(first, second)
    )


def independent_given(joint, a, b, c):
    return all(
        independent(given(joint, c, value), a, b)
        for (value,) in marginal(joint, c)
    )


# --- The form of the page ---------------------------------------------------

PARTS = [
    "Seen in",
    "It says",
    "Correct",
    "Why",
    "What stands",
    "In the book",
]


@pytest.mark.parametrize("label", sorted(ENTRIES.keys() - {SLIPS}))
def test_an_entry_has_its_parts(label):
    found = re.findall(r"^\*\*([\w ]+)\.\*\*", ENTRIES[label], re.MULTILINE)
    assert found == PARTS


def test_a_title_is_words():
    titles = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    assert len(titles) > len(ENTRIES)
    assert [title for title in titles if not title[0].isalnum()] == [
        '"The expectation of $Z$" is EM already;'
        " what differs is the most probable state"
    ]


def rows(text):
    """Return the cells of the rows of the table in a text."""
    body = re.split(r"^\|[:|-]+\|$", text, flags=re.MULTILINE)[1]
    return [
        line.split(" | ")
        for line in re.findall(r"^\| (.*) \|$", body, re.MULTILINE)
    ]


def section(label):
    """Return the text of a section that has a label and no entry."""
    return PAGE.partition(f"({label})=\n")[2].partition("\n## ")[0]


def seen():
    """Yield text, place and label of each entry, as the entries say it."""
    for label, entry in ENTRIES.items():
        if label == SLIPS:
            for text, place, *_ in rows(entry):
                yield text, place, label
        elif SEEN.search(entry)[1] != COMMON:
            for where in SEEN.search(entry)[1].split("; "):
                yield *where.split(", ", 1), label


def test_entries_are_found_by_text_and_place():
    found = [
        (text, place, link.removeprefix("{ref}`").removesuffix("`"))
        for text, places, link in rows(section("errata-by-source"))
        for place in places.split("; ")
    ]
    assert sorted(found) == sorted({*seen()})


def test_the_texts_are_introduced():
    known = {name for name, _ in rows(section("errata-texts"))}
    assert {text for text, *_ in seen()} == known
    assert len(known - {"Roch's code"}) == 5


LINK = re.compile(r"(?:`|<)(erratum-[\w-]+)[`>]")


def test_each_entry_is_named_by_a_chapter():
    texts = [path.read_text("utf-8") for path in BOOK.rglob("*.ipynb")]
    named = {label for text in texts for label in LINK.findall(text)}
    assert named == ENTRIES.keys()


# --- The numbers of the page ------------------------------------------------


def told(label):
    return numbers_told(SEEN.sub("", ENTRIES[label]))


@pytest.mark.parametrize("label", ENTRIES)
def test_an_entry_tells_what_is_computed(label):
    numbers, values = told(label), [*NUMBERS.get(label, tuple)()]
    assert len(numbers) == len(values), [each.written for each in numbers]
    wrong = [
        f"{number.written}, but computed is {value}"
        for number, value in zip(numbers, values, strict=True)
        if not number.tells([value])
    ]
    assert wrong == []


def stands(label, formula):
    assert formula in ENTRIES[label]
    return True


# --- Conditioning -----------------------------------------------------------


@of("erratum-pairwise")
def pairwise():
    tosses = [*product("HT", repeat=2)]
    events = [
        {x for x in tosses if x[0] == "H"},
        {x for x in tosses if x[1] == "H"},
        {x for x in tosses if x[0] == x[1]},
    ]

    def probability(event):
        return F(len(event), len(tosses))

    (one,) = {probability(event) for event in events}
    (two,) = {probability(a & b) for a, b in combinations(events, 2)}
    three = probability(set.intersection(*events))
    yield from (probability({("H", "H")}), one, two, one, one, three, one**3)
    assert two == one * one
    assert three != one**3


@of("erratum-role")
def role():
    # X, Y and W are one toss.
    joint = {(x, x, x): HALF for x in BITS}
    assert independent_given(joint, 0, 1, 2)
    p_y, p_w = marginal(joint, 1)[0,], marginal(joint, 2)[1,]
    assert p_y == p_w
    yield from (*BITS, *BITS, p_y, *BITS, marginal(joint, 1, 2)[0, 1])


@of("erratum-two-answers")
def two_answers():
    yield from (0, 0)
    # All weights 0, 1, 2 of the eight cells of three events A, B, C.
    cells = [*product(BITS, repeat=3)]
    answers = set()
    for weights in product(range(3), repeat=8):
        w = dict(zip(cells, weights, strict=True))
        ab, b, a, c = (
            sum(w[x, y, 1] for x, y in product(*which))
            for which in (
                ((1,), (1,)),
                (BITS, (1,)),
                ((1,), BITS),
                (BITS,) * 2,
            )
        )
        if b:
            answers.add((ab * c == a * b, F(ab, b) == F(a, c)))
    assert answers == {(True, True), (False, False)}


# --- Configurations ---------------------------------------------------------


def slips():
    """Give the distribution of two coins and of a slip that notes both."""
    wrong = F(1, 10)

    def note(true, noted):
        return 1 - wrong if true == noted else wrong

    return wrong, {
        (x, (a, b), z): HALF * HALF * note(x, a) * note(z, b)
        for x, z, a, b in product(BITS, repeat=4)
    }


@of("erratum-necessarily")
def necessarily():
    wrong, joint = slips()
    assert min(joint.values()) > 0
    assert independent_given(joint, 0, 2, 1)
    assert independent(joint, 0, 2)
    assert not independent(joint, 0, 1)
    assert not independent(joint, 1, 2)
    after = given(joint, 1, (1, 1))
    both, (one,) = (
        marginal(after, 0, 2)[1, 1],
        {marginal(after, place)[1,] for place in (0, 2)},
    )
    yield from (wrong, one, both, one, one)
    assert both == one * one


QUARTERS = [F(n, 4) for n in range(5)]


def test_with_two_states_the_way_is_open():
    """The case in which the notes are right, for tables in quarters."""
    for p, *rest in product(QUARTERS[1:4], *[QUARTERS] * 4):
        x_on, z_on = rest[:2], rest[2:]
        fork = {
            (x, y, z): (p if y else 1 - p)
            * (x_on[y] if x else 1 - x_on[y])
            * (z_on[y] if z else 1 - z_on[y])
            for x, y, z in product(BITS, repeat=3)
        }
        both_depend = x_on[0] != x_on[1] and z_on[0] != z_on[1]
        assert independent(fork, 0, 2) != both_depend
    open_ways = set()
    for rates in product(QUARTERS, repeat=4):
        on = dict(zip(product(BITS, repeat=2), rates, strict=True))
        if all(on[0, z] == on[1, z] for z in BITS):
            continue
        if all(on[x, 0] == on[x, 1] for x in BITS):
            continue
        collider = {
            (x, y, z): HALF * HALF * (on[x, z] if y else 1 - on[x, z])
            for x, y, z in product(BITS, repeat=3)
        }
        open_ways.add(
            sum(not independent(given(collider, 1, y), 0, 2) for y in BITS)
        )
    assert open_ways == {1, 2}


@of("erratum-stronger")
def stronger():
    agree = {(x, int(x == z), z): F(1, 4) for x, z in product(BITS, BITS)}
    assert independent(agree, 0, 2)
    assert not independent_given(agree, 0, 2, 1)
    copies = {(x, x, x): HALF for x in BITS}
    assert independent_given(copies, 0, 2, 1)
    assert not independent(copies, 0, 2)

    # One free probability for each state of the parents.
    def free(*parents):
        counts = [2**number for number in parents]
        return [*counts, sum(counts)]

    collider, fork = free(0, 0, 2), free(0, 1, 1)
    yield from (*collider, *fork)
    assert collider[-1] > fork[-1]


@of("erratum-moral")
def moral():
    edges = {(1, 3), (1, 4), (2, 4), (2, 5)}
    nodes = range(1, 6)
    married = nx.Graph([*edges, (1, 2)])
    true, found = set(), set()
    for x, y in combinations(nodes, 2):
        others = [node for node in nodes if node not in (x, y)]
        for known in chain(*(combinations(others, k) for k in range(4))):
            trails = all_trails(edges, nodes, x, y)
            if not any(is_active(edges, trail, known) for trail in trails):
                true.add((x, y, known))
            rest = married.subgraph({*nodes} - {*known})
            if not nx.has_path(rest, x, y):
                found.add((x, y, known))
    assert found < true

    def shown(x, y, known=()):
        bar = "".join(rf" \mid x_{node}" for node in known)
        return rf"$x_{x} \perp x_{y}{bar}$"

    missed, *named = (1, 2, ()), (3, 4, (1,)), (4, 5, (2,))
    assert missed in true - found
    assert {*named} <= found
    for triple in (missed, *named):
        assert stands("erratum-moral", shown(*triple))
    graph = r"$x_3 \gets x_1 \to x_4 \gets x_2 \to x_5$"
    assert stands("erratum-moral", graph)
    yield from (len(found), len(true))


# --- Estimation -------------------------------------------------------------


def mode(a, b):
    return F(a - 1, a + b - 2)


def mean(a, b):
    return F(a, a + b)


def powers(exponent, other):
    return rf"$\theta^{{{exponent}}} (1 - \theta)^{{{other}}}$"


@of("erratum-nearer")
def nearer():
    (k, n), prior = (7, 10), (2, 8)
    posterior = (prior[0] + k, prior[1] + n - k)
    m, top, middle = mean(*prior), mode(*posterior), mean(*posterior)
    yield from (k, n, *prior, m, *posterior, top, middle)
    yield from (top - m, middle - m)
    assert 0 < top - m < middle - m
    first = mode(*prior)
    yield from (first, top - first, middle - first)
    assert 0 < top - first < middle - first


@of("erratum-product")
def product_of_posteriors():
    (k, n), (a, b) = (7, 10), (2, 2)
    once = (k + a, n - k + b)
    often = (k + n * (a - 1) + 1, n - k + n * (b - 1) + 1)
    for curve in (once, often):
        shown = powers(curve[0] - 1, curve[1] - 1)
        assert stands("erratum-product", shown)
    # The product of the single posteriors, on a grid of sixtieths.
    grid = [F(i, 60) for i in range(1, 60)]

    def single(t, x):
        return (t if x else 1 - t) * t ** (a - 1) * (1 - t) ** (b - 1)

    data = [1] * k + [0] * (n - k)
    best = max(grid, key=lambda t: math.prod(single(t, x) for x in data))
    assert best == mode(*often)
    yield from (a, b, k, n, mode(*once))
    yield from (often[0] - 1, often[1] - 1, mode(*often))


@of("erratum-small-variance")
def small_variance():
    k, n = 70, 100
    yield from (k, n)
    before = None
    for s in (2, 200, 20_000):
        # Only the part in which anything is left matters to the quadrature.
        peak = (k + s / 2) / (n + s)
        width = 12 * math.sqrt(peak * (1 - peak) / (n + s))
        ends = max(0, peak - width), min(1, peak + width)

        def log_joint(t, s=s):
            prior = stats.beta.logpdf(t, s / 2, s / 2)
            return prior + k * math.log(t) + (n - k) * math.log(1 - t)

        top = log_joint(peak)

        def moment(power, ends=ends, log_joint=log_joint, top=top):
            return integrate.quad(
                lambda t: t**power * math.exp(log_joint(t) - top),
                *ends,
                epsabs=0,
                epsrel=1e-10,
            )[0]

        whole = moment(0)
        middle = moment(1) / whole
        deviation = math.sqrt(moment(2) / whole - middle**2)
        evidence = top + math.log(whole)
        yield from (s, deviation, middle, evidence)
        if before:
            assert deviation < before[0]
            assert evidence < before[1]
        before = deviation, evidence
    yield k / n


@pytest.mark.parametrize("seed", range(20))
def test_cross_entropy_has_a_part_without_theta(seed):
    rng = np.random.default_rng(seed)
    x = rng.choice(3, size=40, p=[0.7, 0.2, 0.1])
    y = rng.integers(2, size=40)
    p_x = rng.dirichlet(np.ones(3))
    theta = rng.random(3)
    p_y = np.stack([1 - theta, theta], axis=1)
    share = np.zeros((3, 2))
    np.add.at(share, (x, y), 1 / 40)
    whole = -(share * np.log(p_x[:, None] * p_y)).sum()
    conditional = -np.log(p_y[x, y]).mean()
    of_x = -np.log(p_x[x]).mean()
    assert whole == pytest.approx(of_x + conditional)
    # The mean of the cross-entropies for each x that occurs.
    weights = share.sum(axis=1)
    parts = [
        -(share[v] / weights[v] * np.log(p_y[v])).sum() for v in np.unique(x)
    ]
    assert conditional == pytest.approx(weights[weights > 0] @ parts)


@of("erratum-argmax")
def argmax():
    lumps = load_breast_cancer()
    [radius] = lumps.data.T[lumps.feature_names == "worst radius"]
    size = np.digitize(radius, [13, 15, 17], right=True)
    pairs = Counter(zip(size, lumps.target, strict=True))
    sizes = [[pairs[i, target] for target in BITS] for i in range(4)]
    patients = sum(map(sum, sizes))
    right = sum(map(max, sizes))
    losses = (0, 1)
    yield from (*losses, *losses, patients, right, sum(map(min, sizes)))
    decisions = [*product(BITS, repeat=4)]
    hits = [
        sum(counts[d] for counts, d in zip(sizes, rule, strict=True))
        for rule in decisions
    ]
    assert right == max(hits)
    assert patients - right == min(hits)


@of("erratum-ceiling")
def ceiling():
    posterior, loss = (HALF, HALF), 10
    risk = min(loss * (1 - p) for p in posterior)
    yield from (0, 1, 1, HALF, loss, risk, 1, risk, 1 - risk, max(posterior))
    yield from (0, 1)
    assert f"$1 - {risk} = {1 - risk}$" in ENTRIES["erratum-ceiling"]
    assert 1 - risk < max(posterior)


# --- Conjugate priors: concepts ---------------------------------------------

UP_TO = range(1, 101)


def powers_of(base, first=1):
    return {base**k for k in range(first, 8) if base**k in UP_TO}


@cache
def rules():
    """Return the rules of the chapter, and their weights in the prior."""
    two = powers_of(2)
    sets = {"even": {*UP_TO[1::2]}, "odd": {*UP_TO[::2]}}
    sets["squares"] = {x * x for x in range(1, 11)}
    sets |= {f"multiples of {k}": {*UP_TO[k - 1 :: k]} for k in range(3, 11)}
    sets |= {f"ends in {d}": {*UP_TO[d - 1 :: 10]} for d in range(1, 10)}
    sets |= {f"powers of {b}": powers_of(b) for b in range(2, 11)}
    sets["all"] = {*UP_TO}
    strange = {"powers of 2 plus 37": two | {37}, "but 32": two - {32}}
    weights = dict.fromkeys(sets, 1.0) | {"even": 5.0, "odd": 5.0}
    weights |= dict.fromkeys(strange, 0.01)
    return sets | strange, normalised(weights)


@cache
def intervals():
    sets = {(a, b): range(a, b + 1) for a in UP_TO for b in UP_TO if a <= b}
    weights = {h: len(s) * math.exp(-len(s) / 10) for h, s in sets.items()}
    return sets, normalised(weights)


def after(family, data):
    """Return prior times likelihood of the sets that hold the examples."""
    sets, prior = family
    return {
        h: prior[h] / len(s) ** len(data)
        for h, s in sets.items()
        if all(x in s for x in data)
    }


@of("erratum-power-of-one")
def power_of_one():
    two, four = powers_of(2), powers_of(4)
    with_two, with_four = powers_of(2, 0), powers_of(4, 0)
    even = len(rules()[0]["even"])
    yield from (1, 16, F(1, len(two)), 2, 16, 4, *sorted(four), 1, 2, 4)
    yield from (100, *sorted(two), *sorted(four))
    yield from (2, 4, F(1, len(with_two)))
    yield from (16, F(1, len(with_two)), F(1, len(two)), 2)
    yield from (F(1, len(with_four)), F(1, len(four)), 4)
    data = [16, 8, 2, 64]
    yield from (*data, 2)
    for concept in (with_two, two):
        ratio = F(even, len(concept))
        yield from (ratio, ratio ** len(data))
    yield from (1, 32, 2, 32, 2)
    slower = F(len(with_two), len(with_two) - 1)
    faster = F(len(two), len(two) - 1)
    yield from (slower, faster)
    assert slower < faster
    for base in range(2, 11):
        assert 1 in powers_of(base, 0) - powers_of(base)
    # Where the exponents of a convention begin, in the order of the text.
    begins = {len(powers_of(2, least)): least for least in (1, 0)}
    six, seven = begins[len(two)], begins[len(with_two)]
    exponents = re.findall(r"\$k \\ge (\d)\$", ENTRIES["erratum-power-of-one"])
    assert [*map(int, exponents)] == [six, seven, seven, seven, six]


def test_some_estimates_change_if_one_is_a_power():
    """Under the chapter's prior; those of the two data sets do not."""
    sets, prior = rules()
    two = powers_of(2, 0)
    other = sets | {f"powers of {b}": powers_of(b, 0) for b in range(2, 11)}
    other |= {"powers of 2 plus 37": two | {37}, "but 32": two - {32}}

    def best(sets, data):
        joint = after((sets, prior), data)
        return max(joint, key=joint.get)

    for data in ([16], [16, 8, 2, 64]):
        assert best(sets, data) == best(other, data)
    changed = [x for x in UP_TO if best(sets, [x]) != best(other, [x])]
    assert changed == [1]


@of("erratum-overwhelm")
def overwhelm():
    sets, prior = rules()
    child = {
        h: 0 if "power" in h or h == "but 32" else w for h, w in prior.items()
    }
    data = [16, 8, 2, 64]
    for more in ([], [4], [4, 32], [4, 32] * 10):
        joint = after((sets, child), data + more)
        assert max(joint, key=joint.get) == "even"
        equal = after((sets, dict.fromkeys(sets, 1)), data + more)
        if 32 in more:
            assert max(equal, key=equal.get) == "powers of 2"
    ratio = F(len(sets["even"]), len(sets["powers of 2"])) ** len(data)
    yield from (0, 0, 0, 2, *data, 2, ratio, 2, 0)


def belongs(joint, family, x):
    return sum(w for h, w in joint.items() if x in family[0][h])


def mixture(weight, data, x):
    """Return the posterior of a rule, and that a number belongs."""
    families = rules(), intervals()
    shares = [weight, 1 - weight]
    joints = [after(family, data) for family in families]
    each = [
        share * sum(joint.values())
        for share, joint in zip(shares, joints, strict=True)
    ]
    holding = [
        share * belongs(joint, family, x)
        for share, joint, family in zip(shares, joints, families, strict=True)
    ]
    return each[0] / sum(each), sum(holding) / sum(each)


@of("erratum-weight")
def weight_of_a_family():
    low, high = 0.6, 0.99
    yield from (0.5, low / (1 - low), low, high / (1 - high), high, low, high)
    for data, x in (([60], 59), ([16], 17)):
        before, then = mixture(low, data, x), mixture(high, data, x)
        yield from (*data, before[0], then[0])
        yield from (*data, x, before[1], then[1])
    four = [16, 8, 2, 64], [16, 23, 19, 20]
    yield from chain(*four)
    yield max(
        abs(mixture(low, data, x)[1] - mixture(high, data, x)[1])
        for data in four
        for x in UP_TO
    )


# --- Conjugate priors: counts -----------------------------------------------


@of("erratum-fair")
def fair():
    def share(start, end):
        # With t = sin², so that nothing is infinite.
        start, end = (math.asin(math.sqrt(t)) for t in (start, end))
        whole = integrate.quad(lambda _: 2, 0, math.pi / 2)[0]
        return integrate.quad(lambda _: 2, start, end)[0] / whole

    middle, ends = share(0.4, 0.6), share(0, 0.1) + share(0.9, 1)
    density = stats.beta(0.5, 0.5)
    assert middle == pytest.approx(density.cdf(0.6) - density.cdf(0.4))
    assert ends == pytest.approx(density.cdf(0.1) + density.sf(0.9))
    assert density.cdf(0.3) == pytest.approx(
        2 / math.pi * math.asin(math.sqrt(0.3))
    )
    square = density.expect(lambda t: t**2 + (1 - t) ** 2)
    fair_coin = HALF**2 + HALF**2
    squares = r"$\mathbb{E}[\theta^2] + \mathbb{E}[(1 - \theta)^2] = \frac34$"
    assert stands("erratum-fair", squares)
    yield from (HALF, HALF, 0.5, 0.5, HALF, HALF)
    yield from (0.4, 0.6, middle, 0.1, 0.9, ends, square, fair_coin)


@of("erratum-beta-order")
def beta_order():
    hits, documents, pseudo = 3, 20, 2

    def joint(t):
        likelihood = t**hits * (1 - t) ** (documents - hits)
        return likelihood * (t * (1 - t)) ** (pseudo - 1)

    whole = integrate.quad(joint, 0, 1)[0]
    middle = integrate.quad(lambda t: t * joint(t), 0, 1)[0] / whole
    printed = mean(documents - hits + pseudo, hits + pseudo)
    assert middle == pytest.approx(float(mean(hits + pseudo, 19)))
    assert printed == pytest.approx(1 - middle)
    assert stands("erratum-beta-order", rf"\beta_0 = \beta_1 = {pseudo}$")
    yield from (pseudo, hits, documents, middle, printed)


RHYME = (
    "mary had a little lamb little lamb little lamb",
    "mary had a little lamb its fleece as white as snow",
)
VOCABULARY = [
    "mary",
    "lamb",
    "little",
    "big",
    "fleece",
    "white",
    "black",
    "snow",
    "rain",
    "unk",
]


@of("erratum-rhyme")
def rhyme():
    lines = [line.split() for line in RHYME]
    words = [*chain(*lines)]

    def counts(stop):
        kept = [
            w if w in VOCABULARY else "unk" for w in words if w not in stop
        ]
        found = Counter(kept)
        return [found[word] for word in VOCABULARY]

    right = counts({"a", "as"})
    tokens, kinds = sum(right), len(VOCABULARY)
    both = [sum(counts(stop)) for stop in ({"a", "as"}, {"a"})]
    false = tokens + 1
    printed = [*right[:-1], right[-1] + 1]
    assert sum(printed) == false
    yield from (1, 1)
    yield from (*(n + 1 for n in printed), false + kinds)
    yield from (*(n + 1 for n in right), tokens + kinds)
    yield from (*map(len, lines), len(words), tokens)
    yield from (
        *(right[VOCABULARY.index(w)] for w in ("mary", "lamb", "little")),
    )
    yield from (*right, tokens)
    assert (
        rf"$\frac{{N_k + 1}}{{{tokens} + {kinds}}}$"
        in ENTRIES["erratum-rhyme"]
    )
    assert [words.count(w) for w in ("a", "as")] == [2, 2]
    yield from (n + kinds for n in both)
    # Neither word kept, or one, or both: never the printed number.
    choices = [{"a", "as"}, {"a"}, {"as"}, set()]
    assert false not in [sum(counts(stop)) for stop in choices]
    yield false + kinds
    yield from (tokens, right[-1], printed[-1], 1, false)
    # The list of the notes keeps the first "as" and drops the second.
    after_fleece = words.index("as")
    assert words[after_fleece - 1] == "fleece"
    listed = [
        w
        for i, w in enumerate(words)
        if i == after_fleece or w not in ("a", "as")
    ]
    assert words[words.index("as", after_fleece + 1) - 1] == "white"
    in_list = Counter(w if w in VOCABULARY else "unk" for w in listed)
    assert [in_list[w] for w in VOCABULARY] == printed
    yield from (len(listed), in_list["unk"])
    assert printed[VOCABULARY.index("lamb")] == printed[2] == printed[-1]
    assert max(printed) == printed[-1]


# --- Naive Bayes ------------------------------------------------------------

FRUITS = {"banana": 500, "orange": 300, "other": 200}
FEATURES = {
    "long": (400, 0, 100),
    "sweet": (350, 150, 150),
    "yellow": (450, 300, 50),
}


def xlog(n, p):
    return n * math.log(p) if n else 0


def fruit_nll(priors, rates):
    """Return the two parts of minus the log-likelihood of the fruits."""
    totals = [*FRUITS.values()]
    classes = -sum(xlog(n, p) for n, p in zip(totals, priors, strict=True))
    return classes, -sum(
        xlog(n, rates[m][k]) + xlog(total - n, 1 - rates[m][k])
        for m, column in FEATURES.items()
        for k, (n, total) in enumerate(zip(column, totals, strict=True))
    )


def fitted(totals, pseudo=0):
    """Return class priors and rates of the features, from given totals."""
    whole = sum(totals) + 3 * pseudo
    return [F(n + pseudo, whole) for n in totals], {
        m: [
            F(n + pseudo, total + 2 * pseudo)
            for n, total in zip(column, totals, strict=True)
        ]
        for m, column in FEATURES.items()
    }


def classified(priors, rates, x):
    scores = [
        prior
        * math.prod(
            rates[m][k] if on else 1 - rates[m][k]
            for m, on in zip(FEATURES, x, strict=True)
        )
        for k, prior in enumerate(priors)
    ]
    assert scores.count(max(scores)) == 1
    return scores.index(max(scores))


@of("erratum-occurrences")
def occurrences():
    right = [*FRUITS.values()]
    false = [sum(column[k] for column in FEATURES.values()) for k in range(3)]
    yield from (*false, *right)
    (priors, rates), (wrong, other) = fitted(right), fitted(false)
    yield from (*priors, *wrong)
    for m in FEATURES:
        yield from (*rates[m], *other[m])
    (J_0, J), (K_0, K) = fruit_nll(priors, rates), fruit_nll(wrong, other)
    yield from (K_0 - J_0, K, J, K - J)
    vectors = [*product(BITS, repeat=3)]
    decisions = [
        [classified(*fitted(totals, 1), x) for x in vectors]
        for totals in (right, false)
    ]
    changed = [b for a, b in zip(*decisions, strict=True) if a != b]
    assert {*changed} == {0}
    yield from (len(changed), len(vectors), 0)


@of("erratum-denominator")
def denominator():
    fruits = sum(FRUITS.values())
    for pseudo in (HALF, 1, 7):
        for B in (999, 1000, 1001, 3):
            shares = [
                (n + pseudo) / F(B + 3 * pseudo) for n in FRUITS.values()
            ]
            assert (sum(shares) == 1) == (fruits == B)
    yield FIRST
    yield 1


# Two attributes and the class.
ROWS = [(1, 0, 0), (0, 0, 0), (1, 1, 0), *[(1, 1, 1)] * 3]


def super_parent(query, c, i):
    """Return the estimates of p(c, x_i), and of p(x_j | c, x_i) by j."""
    pairs = [row for row in ROWS if row[2] == c and row[i] == query[i]]
    own = F(len(pairs) + 1, len(ROWS) + 2 * 2)
    return own, [
        F(sum(row[j] == query[j] for row in pairs) + 1, len(pairs) + 2)
        for j in BITS
    ]


@of("erratum-aode")
def aode_denominator():
    # The sum of the printed estimates over all pairs of class and value.
    for i in range(2):
        values, classes = 2, 2
        printed = sum(
            F(sum(row[2] == c and row[i] == x for row in ROWS) + 1, 6 + values)
            for c, x in product(range(classes), range(values))
        )
        assert printed == F(6 + classes * values, 6 + values) > 1
    return ()


@of("erratum-aode-product")
def aode_product():
    yield FIRST
    # A probability of what is known is one; so is what bounds its estimate.
    yield from (1, 1)
    first, second = ([row for row in ROWS if row[2] == c] for c in BITS)
    yield from (*chain(*(row[:2] for row in first)), first[0][2])
    yield from second[0]
    assert len({*second}) == 1
    query = (0, 1)
    yield from query
    yield from (len(ROWS), 2, 2, len(ROWS) + 2 * 2)
    once, twice, shown = {}, {}, {}
    for c in BITS:
        terms = []
        for i in BITS:
            pair, factors = super_parent(query, c, i)
            terms.append((pair * factors[1 - i], factors[i]))
            yield from (pair, factors[1 - i])
        once[c] = sum(term for term, _ in terms)
        twice[c] = sum(term * own for term, own in terms)
        yield once[c]
        shown[c] = chain(*terms)
    assert once[0] > once[1]
    yield from (0, normalised(once)[0])
    for c in BITS:
        yield from (*shown[c], twice[c])
    assert twice[0] < twice[1]
    yield 1


# --- Networks ---------------------------------------------------------------


@of("erratum-nats")
def nats():
    bit, nat, byte = math.log(2), 1, 8 * math.log(2)
    small, large = 0.8, 2
    assert bit < small < nat < large < byte
    yield from (nat, HALF, nat, nat / bit, HALF, small, large)
    assert stands("erratum-nats", r"one byte is $8 \log 2 \, |B|")
    assert stands("erratum-nats", r"the score $\log 2 \, |B| - \mathrm{LL}$")


@of("erratum-entropy")
def entropy():
    coins = [F(1, 4)] * 4
    yield -sum(p * math.log(p) for p in coins)
    rows = 100
    # One free probability for each state of the parents.
    without, with_arrow = 1 + 1, 1 + 2
    price = math.log(rows) / 2
    yield from (without, with_arrow, HALF)
    yield from (without * price, with_arrow * price, rows)


@of("erratum-gibbs")
def gibbs():
    yield from (0, 1, 0, 1)
    # Each variable drawn anew, with zeros: the distribution remains, and so
    # does each of the two parts of its support.
    posterior = {(0, 0): F(1, 3), (1, 1): F(2, 3), (0, 1): F(0), (1, 0): F(0)}
    parts = [{s: F(s == end) for s in posterior} for end in ((0, 0), (1, 1))]
    for start, i in product([posterior, *parts], BITS):
        after = dict.fromkeys(posterior, F(0))
        for state, p in start.items():
            alike = {
                s: q for s, q in posterior.items() if s[1 - i] == state[1 - i]
            }
            for s, q in normalised(alike).items():
                after[s] += p * q
        assert after == start


@of("erratum-em-prototype")
def hard_em():
    a, b = F(3, 5), F(2, 5)
    share = {
        tosses: HALF * a ** sum(tosses) * (1 - a) ** (3 - sum(tosses))
        + HALF * b ** sum(tosses) * (1 - b) ** (3 - sum(tosses))
        for tosses in product(BITS, repeat=3)
    }
    # The coin with more heads gets the sessions with more heads than tails.
    mine = {t: p for t, p in share.items() if sum(t) > 1}
    limit = sum(p * sum(t) for t, p in mine.items()) / (3 * sum(mine.values()))
    for t, p in share.items():
        first = limit ** sum(t) * (1 - limit) ** (3 - sum(t))
        second = (1 - limit) ** sum(t) * limit ** (3 - sum(t))
        assert (first > second) == (t in mine), p
    yield from (a, b, limit, a)


# --- Limits and slips -------------------------------------------------------


@of("erratum-variances")
def variances():
    for n in (1, 2, 10, 1000):
        assert F(sum(range(1, n + 1)), n**2) == F(n + 1, 2 * n) > HALF
    yield from (0, HALF, 1, 0)
    normal = stats.norm(scale=math.sqrt(HALF))
    yield integrate.quad(normal.pdf, 1, 20)[0] * 2


@of(SLIPS)
def slips_of_the_pen():
    counts = [*FRUITS.values(), 0]
    yield from (0, FIRST, FIRST)
    yield from (0, sum(F(n + 1, sum(counts) + 3) for n in counts))


# --- Formulas with letters --------------------------------------------------

WORD = {
    r"\theta_{jc}": 0.3,
    "N_{jc}": 3,
    "N_c": 20,
    r"\beta_0": 2.5,
    r"\beta_1": 4,
}
LIKELIHOOD = 0.3**3 * 0.7**17
PRIOR = 0.3**3 * 0.7**1.5
HALVES = stats.beta(0.5, 0.5)
# Pairs of x and y, and what a model says of y given x.
PAIRS = [(0, 0), (0, 1), (0, 1), (1, 0), (1, 1)]
GUESS = {(0, 0): 0.3, (0, 1): 0.7, (1, 0): 0.9, (1, 1): 0.1}
# Entry, formula, how often it stands there, the values of its letters, and
# its own value by another route.
FORMULAS = [
    ("small-variance", r"\frac{s}{2}", 2, {"s": 7}, 3.5),
    (
        "conditional",
        r"-\frac1N \sum_i \log p_\theta(y_i \mid x_i)",
        1,
        {
            "N": len(PAIRS),
            r"\sum_i": [{"i": place} for place in range(len(PAIRS))],
            r"p_\theta(y_i \mid x_i)": lambda i: GUESS[PAIRS[i]],
        },
        # The mean of the cross-entropies, over the x of the data.
        -sum(
            F(sum(x == own for x, _ in PAIRS), len(PAIRS))
            * sum(
                F(PAIRS.count((own, y)), sum(x == own for x, _ in PAIRS))
                * math.log(GUESS[own, y])
                for y in BITS
            )
            for own in BITS
        ),
    ),
    (
        "argmax",
        r"1 - \mathbb{P}[c_i \mid x]",
        1,
        {r"\mathbb{P}[c_i \mid x]": F(5, 8)},
        F(1, 8) + F(2, 8),
    ),
    ("ceiling", "1 - R(h^*)", 1, {"R(h^*)": 10 * HALF}, -4),
    ("power-of-one", r"(\frac{50}{7})^4", 1, {}, (50 / 7) ** 4),
    ("power-of-one", r"(\frac{50}{6})^4", 1, {}, (50 / 6) ** 4),
    ("weight", r"\frac{\pi_0}{1 - \pi_0}", 1, {r"\pi_0": 0.75}, 3),
    (
        "fair",
        r"\theta^{-1/2} (1 - \theta)^{-1/2}",
        1,
        {r"\theta": 0.2},
        math.pi * HALVES.pdf(0.2),
    ),
    (
        "fair",
        r"\frac{2}{\pi} \arcsin \sqrt{\theta}",
        1,
        {r"\theta": 0.2, r"\pi": math.pi},
        HALVES.cdf(0.2),
    ),
    (
        "beta-order",
        r"\theta^{a-1} (1 - \theta)^{b-1}",
        1,
        {r"\theta": 0.2, "a": 3, "b": 5},
        stats.beta(3, 5).pdf(0.2) / 105,
    ),
    (
        "beta-order",
        r"\theta_{jc}^{\,N_{jc}} (1 - \theta_{jc})^{N_c - N_{jc}}",
        1,
        WORD,
        LIKELIHOOD,
    ),
    (
        "beta-order",
        r"\theta_{jc}^{\,\beta_1 - 1} (1 - \theta_{jc})^{\beta_0 - 1}",
        1,
        WORD,
        PRIOR,
    ),
    (
        "beta-order",
        r"\theta_{jc}^{\,N_{jc} + \beta_1 - 1}"
        r" \, (1 - \theta_{jc})^{N_c - N_{jc} + \beta_0 - 1}",
        1,
        WORD,
        LIKELIHOOD * PRIOR,
    ),
    (
        "beta-order",
        r"\frac{N_{jc} + \beta_1}{N_c + \beta_0 + \beta_1}",
        1,
        WORD,
        stats.beta(3 + 4, 17 + 2.5).mean(),
    ),
    (
        "occurrences",
        r"- \sum_k N_k \log \pi_k",
        1,
        {
            r"\sum_k": [{"k": place} for place in range(3)],
            "N_k": lambda k: [*FRUITS.values()][k],
            r"\pi_k": lambda k: fitted([*FRUITS.values()])[0][k],
        },
        fruit_nll(*fitted([*FRUITS.values()]))[0],
    ),
    (
        "occurrences",
        r"- N_{km} \log p_{km} - (N_k - N_{km}) \log(1 - p_{km})",
        1,
        {"N_{km}": 7, "N_k": 10, "p_{km}": 0.4},
        math.log(math.comb(10, 7)) - stats.binom(10, 0.4).logpmf(7),
    ),
    (
        "aode",
        r"\frac{|D_{c, x_i}| + 1}{|D| + N_i}",
        1,
        {"|D_{c, x_i}|": 3, "|D|": len(ROWS), "N_i": 2},
        super_parent((1, 1), 1, 0)[0] * (len(ROWS) + 4) / F(len(ROWS) + 2),
    ),
    (
        "aode",
        r"\frac{|D| + N \times N_i}{|D| + N_i}",
        1,
        {"|D|": len(ROWS), "N": 2, "N_i": 2},
        sum(
            super_parent((x, x), c, 0)[0] * (len(ROWS) + 4) / F(len(ROWS) + 2)
            for c, x in product(BITS, repeat=2)
        ),
    ),
    (
        "aode-product",
        r"\frac{|D_{c, x_i, x_j}| + 1}{|D_{c, x_i}| + N_j}",
        1,
        {"|D_{c, x_i, x_j}|": 3, "|D_{c, x_i}|": 3, "N_j": 2},
        super_parent((1, 1), 1, 1)[1][0],
    ),
    ("nats", r"L / \log 2", 1, {"L": 3 * math.log(2)}, 3),
    (
        "nats",
        r"\frac12 \log_2 m \, |B| - \mathrm{LL} / \log 2",
        1,
        {r"\log_2 m": 5, "|B|": 3, r"\mathrm{LL}": -7},
        (math.log(32) / 2 * 3 + 7) / math.log(2),
    ),
    (
        "denominator",
        r"\sum_{k=1}^K (N_k + \lambda)",
        1,
        {"K": 3, "N_k": lambda k: [500, 300, 200][int(k) - 1], r"\lambda": 2},
        sum(FRUITS.values()) + 3 * 2,
    ),
    (
        "aode-product",
        r"\frac{n + 1}{n + N_i}",
        1,
        {"n": 3, "N_i": 2},
        super_parent((0, 1), 1, 1)[1][1],
    ),
    (
        "denominator",
        r"\frac{N + K \lambda}{B + K \lambda}",
        1,
        {"N": 1000, "K": 3, r"\lambda": 2, "B": 3},
        sum((n + 2) / 9 for n in FRUITS.values()),
    ),
]


@pytest.mark.parametrize(
    ("label", "formula", "times", "names", "expected"), FORMULAS
)
def test_a_formula_has_its_value(label, formula, times, names, expected):
    assert ENTRIES[f"erratum-{label}"].count(formula) == times
    assert float(value(formula, names)) == pytest.approx(float(expected))


# The names of an entry that have a number for an index.
INDEXED = {
    "moral": {"x_1", "x_2", "x_3", "x_4", "x_5"},
    "weight": {r"\pi_0"},
    "beta-order": {r"\beta_0", r"\beta_1"},
    "occurrences": {"J_0"},
    "variances": {"X_1", "X_2"},
}


@pytest.mark.parametrize("label", ENTRIES)
def test_a_name_keeps_its_index(label):
    named = r"\\?(?<![A-Za-z])[A-Za-z]+_\d"
    found = {*re.findall(named, without_labels(ENTRIES[label]))}
    found -= {r"\log_2"}
    assert found == INDEXED.get(label.removeprefix("erratum-"), set())


def test_the_order_of_the_arguments():
    present, absent = WORD[r"\beta_1"], WORD[r"\beta_0"]
    hits, documents = WORD["N_{jc}"], WORD["N_c"]
    right = stats.beta(hits + present, documents - hits + absent)
    printed = stats.beta(documents - hits + absent, hits + present)
    for t in (0.2, 0.6):
        joint = t ** (hits + present - 1)
        joint *= (1 - t) ** (documents - hits + absent - 1)
        assert right.pdf(t) / right.pdf(0.5) == pytest.approx(
            joint / 0.5 ** (documents + present + absent - 2)
        )
        assert printed.pdf(t) == pytest.approx(right.pdf(1 - t))
    assert stands("erratum-beta-order", r"that of $1 - \theta_{jc}$")
    assert stands("erratum-beta-order", r"where $\beta_1$ and $\beta_0$ are")
    for arguments in (
        r"\beta_0, \beta_1",
        r"(N_c - N_{jc}) + \beta_0, \; N_{jc} + \beta_1",
        r"N_{jc} + \beta_1, \; N_c - N_{jc} + \beta_0",
    ):
        assert stands("erratum-beta-order", rf"$\text{{Beta}}({arguments})$")


def test_the_variance_of_a_mean_stays_above_one_half():
    entry = ENTRIES["erratum-variances"]
    for n in (1, 2, 17):
        found = [*equations(entry, {"N": n})]
        assert len(found) == 2
        assert all(each.holds for each in found)
