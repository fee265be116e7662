"""Stories for drills: hypotheses, evidence, and fresh numbers for both.

Each story is a function that draws a :class:`Situation`. Its text states
rates of one outcome; the question is about that outcome or its opposite.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.drill import pick

Rates = dict[str, Fraction]


@dataclass(frozen=True)
class Situation:
    """The story of a question on Bayes' rule or on total probability."""

    text: str  # the facts
    prior: Rates  # of each hypothesis, by its name in formulas
    stated: Rates  # of the outcome whose rates the text states
    outcomes: tuple[str, str]  # names of that outcome and of its opposite
    claims: tuple[str, str]  # clauses that say that the one or other occurs
    asked: dict[str, str]  # for each hypothesis, a clause that it is true
    crowd: str  # what is counted, plural
    opposite: bool  # whether the opposite of the stated outcome is seen
    derivation: str = ""  # how the rates follow from the text
    # Python that makes `prior` and `stated` from the numbers of a text that
    # states neither.
    facts: str = ""

    @property
    def evidence(self) -> str:
        """Name of the outcome that is seen, or asked for."""
        return self.outcomes[self.opposite]

    @property
    def claim(self) -> str:
        """Clause that says that the evidence occurs."""
        return self.claims[self.opposite]

    @property
    def likelihood(self) -> Rates:
        """Probability of the evidence under each hypothesis."""
        if not self.opposite:
            return self.stated
        return {h: 1 - rate for h, rate in self.stated.items()}


Story = Callable[[np.random.Generator], Situation]


def _percent(*numbers: int) -> list[Fraction]:
    return [Fraction(number, 100) for number in numbers]


def _as_percent(rate: Fraction) -> str:
    return f"{rate * 100}%"


def _coin(rng: np.random.Generator) -> bool:
    return pick(rng, [False, True])


_RARE = _percent(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40)
_COMMON = _percent(20, 25, 30, 40, 50, 60, 70, 75, 80, 85, 90)
_HIGH = _percent(50, 55, 60, 65, 70, 75, 80, 85, 90, 92, 95, 96, 98, 99)
_LOW = _percent(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40)


def _two(share: Fraction, first: str, second: str) -> Rates:
    return {first: share, second: 1 - share}


def screening(rng: np.random.Generator) -> Situation:
    """Draw the numbers of a medical test."""
    ill, hit, alarm = pick(rng, _RARE), pick(rng, _HIGH), pick(rng, _LOW)
    who, somebody = pick(
        rng,
        [
            ("people of a town", "somebody from this town"),
            ("patients of a clinic", "a patient of this clinic"),
        ],
    )
    return Situation(
        f"Of the {who} {_as_percent(ill)} have a disease. A test for it is "
        f"positive for {_as_percent(hit)} of the ill and for "
        f"{_as_percent(alarm)} of the well.",
        prior=_two(ill, "ill", "well"),
        stated={"ill": hit, "well": alarm},
        outcomes=("positive", "negative"),
        claims=(
            f"{somebody}, picked at random, tests positive",
            f"{somebody}, picked at random, tests negative",
        ),
        asked={"ill": "this person is ill", "well": "this person is well"},
        crowd="people",
        opposite=_coin(rng),
    )


def spam(rng: np.random.Generator) -> Situation:
    """Draw how often a word is in messages, and in spam."""
    share, (often, seldom) = pick(rng, _COMMON), _two_rates(rng)
    word = pick(rng, ["prize", "offer", "urgent", "winner", "account"])
    return Situation(
        f"Of the messages to an address {_as_percent(share)} are spam. The "
        f'word "{word}" is in {_as_percent(often)} of the spam, and in '
        f"{_as_percent(seldom)} of the other messages.",
        prior=_two(share, "spam", "no spam"),
        stated={"spam": often, "no spam": seldom},
        outcomes=("word", "no word"),
        claims=(
            f'a message picked at random contains the word "{word}"',
            f'a message picked at random does not contain the word "{word}"',
        ),
        asked={"spam": "it is spam", "no spam": "it is not spam"},
        crowd="messages",
        opposite=_coin(rng),
    )


def _two_rates(rng: np.random.Generator) -> tuple[Fraction, Fraction]:
    """Draw two different rates, the larger one first."""
    rates = _percent(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60)
    low, high = sorted(int(at) for at in rng.choice(len(rates), 2, False))
    return rates[high], rates[low]


def frost(rng: np.random.Generator) -> Situation:
    """Draw the errors of a sensor, which may err both ways."""
    share, hit, alarm = pick(rng, _COMMON), pick(rng, _HIGH), pick(rng, _LOW)
    return Situation(
        f"In a valley there is frost in {_as_percent(share)} of the winter "
        f"nights. A sensor gives the alarm in {_as_percent(hit)} of the "
        f"nights with frost, and in {_as_percent(alarm)} of those without.",
        prior=_two(share, "frost", "no frost"),
        stated={"frost": hit, "no frost": alarm},
        outcomes=("alarm", "silence"),
        claims=(
            "in a winter night picked at random the sensor gives the alarm",
            "in a winter night picked at random the sensor stays silent",
        ),
        asked={
            "frost": "there is frost in this night",
            "no frost": "there is no frost in this night",
        },
        crowd="nights",
        opposite=_coin(rng),
    )


def taxi(rng: np.random.Generator) -> Situation:
    """Draw the errors of a witness, who mistakes colours."""
    share, hit, mistake = pick(rng, _RARE), pick(rng, _HIGH), pick(rng, _LOW)
    first, second = pick(rng, [("green", "blue"), ("yellow", "white")])
    return Situation(
        f"In a town {_as_percent(share)} of the taxis are {first}, the "
        f"others are {second}. In the dusk a witness calls "
        f"{_as_percent(hit)} of the {first} taxis {first}, and "
        f"{_as_percent(mistake)} of the {second} ones too.",
        prior=_two(share, first, second),
        stated={first: hit, second: mistake},
        outcomes=(f"called {first}", f"called {second}"),
        claims=(
            f"the witness calls a taxi picked at random {first}",
            f"the witness calls a taxi picked at random {second}",
        ),
        asked={
            first: f"this taxi is {first}",
            second: f"this taxi is {second}",
        },
        crowd="taxis",
        opposite=_coin(rng),
    )


def exam(rng: np.random.Generator) -> Situation:
    """Draw how many candidates know an answer; the others guess."""
    share = Fraction(pick(rng, range(4, 97, 2)), 100)
    options = pick(rng, [2, 3, 4, 5, 6, 8, 10])
    place = pick(
        rng, ["an exam", "a driving test", "a quiz show", "a contest"]
    )
    guessed = Fraction(1, options)
    return Situation(
        f"A question of {place} has {options} options, of which one is "
        f"right. Of the candidates {_as_percent(share)} know the answer and "
        "choose it; the others choose one of the options at random.",
        prior=_two(share, "knows", "guesses"),
        stated={"knows": Fraction(1), "guesses": guessed},
        outcomes=("right", "wrong"),
        claims=(
            "a candidate picked at random chooses the right option",
            "a candidate picked at random chooses a wrong option",
        ),
        asked={
            "knows": "this candidate knew the answer",
            "guesses": "this candidate has guessed",
        },
        crowd="candidates",
        opposite=False,
        derivation=(
            "Whoever knows is right for certain; whoever guesses, with the "
            f"probability {guessed}."
        ),
    )


def machines(rng: np.random.Generator) -> Situation:
    """Draw the output of three machines, and its faults."""
    shares = _three_shares(rng)
    rates = [pick(rng, _percent(1, 2, 3, 4, 5, 6, 8, 10)) for _ in range(3)]
    what = pick(rng, ["screws", "lamps", "bottles", "bearings"])
    names = ("A", "B", "C")
    return Situation(
        f"Three machines, A, B and C, make {_listed(shares)} of the {what} "
        f"of a factory. Of what they make, {_listed(rates)} are faulty, in "
        "the same order.",
        prior=dict(zip(names, shares, strict=True)),
        stated=dict(zip(names, rates, strict=True)),
        outcomes=("faulty", "sound"),
        claims=(
            f"one of all these {what}, picked at random, is faulty",
            f"one of all these {what}, picked at random, is sound",
        ),
        asked={name: f"machine {name} has made it" for name in names},
        crowd=what,
        opposite=_coin(rng),
    )


def library(rng: np.random.Generator) -> Situation:
    """Draw how many books of three kinds there are, and are lent."""
    shares = _three_shares(rng)
    lent = _percent(5, 10, 15, 20, 25, 30, 40, 50, 60, 80)
    rates = [pick(rng, lent) for _ in range(3)]
    names = ("novels", "textbooks", "guides")
    return Situation(
        f"Of the books of a library {_listed(shares)} are novels, textbooks "
        f"and travel guides. On loan are {_listed(rates)} of these, in the "
        "same order.",
        prior=dict(zip(names, shares, strict=True)),
        stated=dict(zip(names, rates, strict=True)),
        outcomes=("on loan", "on its shelf"),
        claims=(
            "a book picked at random from the catalogue is on loan",
            "a book picked at random from the catalogue is on its shelf",
        ),
        asked={
            "novels": "it is a novel",
            "textbooks": "it is a textbook",
            "guides": "it is a travel guide",
        },
        crowd="books",
        opposite=_coin(rng),
    )


def _three_shares(rng: np.random.Generator) -> list[Fraction]:
    """Draw three shares of a whole, in steps of five or ten per cent."""
    cuts = sorted(int(cut) for cut in rng.choice(range(2, 19), 2, False))
    return _percent(
        *(5 * n for n in (cuts[0], cuts[1] - cuts[0], 20 - cuts[1]))
    )


def _listed(rates: list[Fraction]) -> str:
    return and_list(map(_as_percent, rates))


def urns(rng: np.random.Generator) -> Situation:
    """Draw the balls of three urns, between which a die decides."""
    shares = pick(
        rng, [(1, 2, 3), (2, 1, 3), (3, 2, 1), (1, 1, 4), (4, 1, 1), (1, 4, 1)]
    )
    balls = [(pick(rng, range(1, 8)), pick(rng, range(1, 8))) for _ in "123"]
    names = ("urn 1", "urn 2", "urn 3")
    stated = [Fraction(red, red + blue) for red, blue in balls]
    held = "; ".join(
        f"{name} holds {red} red and {blue} blue"
        for name, (red, blue) in zip(names, balls, strict=True)
    )
    return Situation(
        f"There are three urns with balls: {held}. A fair die is rolled: "
        f"urn 1 is taken {_faces(1, shares[0])}, urn 2 "
        f"{_faces(1 + shares[0], shares[1])}, and urn 3 "
        f"{_faces(1 + shares[0] + shares[1], shares[2])}. From the urn that "
        "is taken one ball is drawn at random.",
        prior={
            name: Fraction(faces, 6)
            for name, faces in zip(names, shares, strict=True)
        },
        stated=dict(zip(names, stated, strict=True)),
        outcomes=("red", "blue"),
        claims=("the ball is red", "the ball is blue"),
        asked={name: f"it comes from {name}" for name in names},
        crowd="games",
        opposite=_coin(rng),
        derivation=(
            "The die takes the urns with the probabilities "
            + ", ".join(f"{faces}/6" for faces in shares)
            + "."
        ),
    )


def _faces(first: int, count: int) -> str:
    last = first + count - 1
    if count == 1:
        return f"if it shows {first}"
    if count == 2:
        return f"if it shows {first} or {last}"
    return f"if it shows {first} to {last}"


def coins(rng: np.random.Generator) -> Situation:
    """Draw a bag of coins, one of which is tossed some times."""
    tosses = pick(rng, [1, 2, 3])
    counts = [pick(rng, range(1, 10)) for _ in range(3)]
    biased = pick(rng, [Fraction(1, 3), Fraction(2, 3), Fraction(1, 4)])
    heads = {
        "fair": Fraction(1, 2),
        "biased": biased,
        "two heads": Fraction(1),
    }
    stated = {name: p**tosses for name, p in heads.items()}
    facts = f"""\
counts = {dict(zip(heads, counts, strict=True))!r}
coins = sum(counts.values())
prior = {{name: Fraction(count, coins) for name, count in counts.items()}}
heads = {heads!r}
stated = {{name: p**{tosses} for name, p in heads.items()}}
"""
    once = {1: "once", 2: "twice", 3: "three times"}[tosses]
    outcomes, derivation = ("heads", "tails"), ""
    claims = ("it shows heads", "it shows tails")
    if tosses > 1:
        outcomes = ("all heads", "some tails")
        claims = ("it shows heads every time", "it shows tails at least once")
        derivation = (
            f"A coin that shows heads with probability $p$ shows it {once} "
            f"with probability $p^{tosses}$."
        )
    fair, bent, double = counts
    return Situation(
        f"In a bag are {fair + bent + double} coins. {fair} of them "
        f"{_is_are(fair)} fair, {bent} {_is_are(bent)} biased and "
        f"{'shows' if bent == 1 else 'show'} heads with probability "
        f"{biased}, and {double} {'has' if double == 1 else 'have'} heads on "
        f"both sides. One coin is taken at random and tossed {once}.",
        prior={
            name: Fraction(count, sum(counts))
            for name, count in zip(heads, counts, strict=True)
        },
        stated=stated,
        outcomes=outcomes,
        claims=claims,
        asked={
            "fair": "the coin is fair",
            "biased": "the coin is biased",
            "two heads": "the coin has heads on both sides",
        },
        crowd="trials",
        opposite=_coin(rng),
        derivation=derivation,
        facts=facts,
    )


def _is_are(count: int) -> str:
    return "is" if count == 1 else "are"


def second_ball(rng: np.random.Generator) -> Situation:
    """Draw an urn, from which two balls are taken."""
    red, blue = pick(rng, range(2, 20)), pick(rng, range(2, 20))
    rest = red + blue - 1
    colours = [("red", "blue"), ("black", "white"), ("green", "yellow")]
    first, second = pick(rng, colours)
    facts = f"""\
one, other = {f"first {first}"!r}, {f"first {second}"!r}
first, second = {red}, {blue}
balls = first + second
prior = {{one: Fraction(first, balls), other: Fraction(second, balls)}}
left = balls - 1
stated = {{one: Fraction(first - 1, left), other: Fraction(first, left)}}
"""
    return Situation(
        f"An urn holds {red} {first} and {blue} {second} balls. Two are "
        "drawn at random, one after the other, and the first is not put "
        "back.",
        prior=_two(
            Fraction(red, red + blue), f"first {first}", f"first {second}"
        ),
        stated={
            f"first {first}": Fraction(red - 1, rest),
            f"first {second}": Fraction(red, rest),
        },
        outcomes=(f"second {first}", f"second {second}"),
        claims=(
            f"the second ball is {first}",
            f"the second ball is {second}",
        ),
        asked={
            f"first {first}": f"the first ball was {first}",
            f"first {second}": f"the first ball was {second}",
        },
        crowd="draws",
        opposite=_coin(rng),
        derivation=(
            f"After the first ball {rest} are left, and one fewer of its "
            "colour."
        ),
        facts=facts,
    )


STORIES: tuple[Story, ...] = (
    screening,
    urns,
    spam,
    machines,
    taxi,
    coins,
    frost,
    library,
    exam,
    second_ball,
)
