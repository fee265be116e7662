"""Every question read again, as a reader does, and counted by brute force."""

import re
from fractions import Fraction as F
from itertools import combinations, permutations, product

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz
from bayesbook.study.drills.stories import STORIES
from bayesbook.study.drills.writing import TOLERANCE

KINDS = ("bayes", "total-probability")


# --- From the words of a prompt to equally likely outcomes ------------------
#
# Each reader gives all outcomes as pairs (hypothesis, whether the outcome
# occurs whose rates the text states). No fraction is multiplied anywhere.


def whole_numbers(count):
    """Let a reader be called with what stands in the text."""
    return lambda *groups: count(*map(int, groups))


def in_percent(shares, rates):
    """Count a crowd of ten thousand."""
    for hypothesis, (share, rate) in enumerate(
        zip(shares, rates, strict=True)
    ):
        yield from [(hypothesis, True)] * (share * rate)
        yield from [(hypothesis, False)] * (share * (100 - rate))


@whole_numbers
def two_groups(share, first, second):
    return in_percent([share, 100 - share], [first, second])


@whole_numbers
def three_groups(*numbers):
    return in_percent(numbers[:3], numbers[3:])


@whole_numbers
def exam(options, share):
    """Return every candidate and every option that a guess may hit."""
    for candidate in range(100):
        knows = candidate < share
        for hit in range(options):
            yield (0 if knows else 1), knows or hit == 0


def urns(*groups):
    """Roll each face, and draw each ball as often as any other."""
    numbers = [int(group) for group in groups[:6]]
    balls = [numbers[0:2], numbers[2:4], numbers[4:6]]
    faces = [faces_of(group) for group in groups[6:]]
    sizes = [sum(urn) for urn in balls]
    for urn, ((red, _), chosen) in enumerate(zip(balls, faces, strict=True)):
        others = [size for at, size in enumerate(sizes) if at != urn]
        for ball in range(sizes[urn]):
            times = chosen * others[0] * others[1]
            yield from [(urn, ball < red)] * times


def coins(*groups):
    """Toss each coin of the bag in each of its equally likely ways."""
    *numbers, tosses = groups
    fair, biased, top, bottom, double = map(int, numbers)
    sides = 2 * bottom
    heads = {0: bottom, 1: 2 * top, 2: sides}
    for coin, count in enumerate([fair, biased, double]):
        for fallen in product(range(sides), repeat=TIMES[tosses]):
            all_heads = all(side < heads[coin] for side in fallen)
            yield from [(coin, all_heads)] * count


@whole_numbers
def second_ball(first, second):
    balls = [0] * first + [1] * second
    for one, two in permutations(balls, 2):
        yield one, two == 0


TIMES = {"once": 1, "twice": 2, "three times": 3}


def faces_of(text):
    """Count the faces in "1", "2 or 3" and "4 to 6"."""
    first, last = int(text[0]), int(text[-1])
    return last - first + 1


FACES = r"if it shows (\d(?: (?:or|to) \d)?)"
NUMBERS = r"(\d+)%, (\d+)% and (\d+)%"
# The text, how to count, the words of the opposite, and of the hypotheses.
READERS = [
    (
        r"(\d+)% have a disease.*for (\d+)% of the ill and for (\d+)% of the",
        two_groups,
        r"tests negative",
        ["is ill", "is well"],
    ),
    (
        r"(\d+)% are spam.* in (\d+)% of the spam, and in (\d+)% of the other",
        two_groups,
        r"does not contain",
        ["it is spam", "it is not spam"],
    ),
    (
        r"frost in (\d+)% of .* (\d+)% of the nights with .* (\d+)% of those",
        two_groups,
        r"stays silent",
        ["is frost", "is no frost"],
    ),
    (
        r"(\d+)% of the taxis are \w+, .* calls (\d+)% of .* (\d+)% of the",
        two_groups,
        r"picked at random (?:blue|white)",
        ["taxi is (?:green|yellow)", "taxi is (?:blue|white)"],
    ),
    (
        r"has (\d+) options.* (\d+)% know",
        exam,
        r"chooses a wrong",
        ["knew", "has guessed"],
    ),
    (
        rf"make {NUMBERS} .* they make, {NUMBERS} are faulty",
        three_groups,
        r"is sound",
        ["machine A", "machine B", "machine C"],
    ),
    (
        rf"library {NUMBERS} are .* On loan are {NUMBERS} of",
        three_groups,
        r"is on its shelf",
        ["is a novel", "is a textbook", "is a travel guide"],
    ),
    (
        r"1 holds (\d+) red and (\d+) blue; urn 2 holds (\d+) red and (\d+) "
        r"blue; urn 3 holds (\d+) red and (\d+) blue.* urn 1 is taken "
        rf"{FACES}, urn 2 {FACES}, and urn 3 {FACES}\.",
        urns,
        r"ball is blue",
        ["from urn 1", "from urn 2", "from urn 3"],
    ),
    (
        r"(\d+) of them (?:is|are) fair, (\d+) (?:is|are) biased and shows? "
        r"heads with probability (\d+)/(\d+), and (\d+) ha(?:s|ve) heads on "
        r"both sides.* tossed (once|twice|three times)",
        coins,
        r"shows tails",
        ["is fair", "is biased", "has heads on both"],
    ),
    (
        r"holds (\d+) \w+ and (\d+) \w+ balls",
        second_ball,
        r"second ball is (?:blue|white|yellow)",
        ["first ball was (?:red|black|green)", "first ball was \\w+"],
    ),
]


def read(drill):
    """Return the outcomes, whether the evidence is stated, and what is asked.

    As a reader: the facts are the first paragraph, the question the second.
    """
    facts, question = drill.prompt.split("\n\n")
    [(found, count, opposite, asked)] = [
        (match, count, opposite, asked)
        for pattern, count, opposite, asked in READERS
        if (match := re.search(pattern, facts))
    ]
    outcomes = list(count(*found.groups()))
    evidence = not re.search(opposite, question)
    last = question.split("What is")[1]
    hypotheses = [h for h, words in enumerate(asked) if re.search(words, last)]
    return outcomes, evidence, hypotheses


def share(outcomes, of, among=lambda outcome: True):
    """Count what part of some outcomes has a property."""
    whole = [outcome for outcome in outcomes if among(outcome)]
    return F(sum(map(of, whole)), len(whole))


def counted(drill):
    """Return the answer, and what each mistake gives, by counting."""
    outcomes, evidence, hypotheses = read(drill)

    def seen(outcome):
        return outcome[1] == evidence

    def case(at):
        return lambda outcome: outcome[0] == at

    known = sorted({at for at, _ in outcomes})
    rates = [share(outcomes, seen, case(at)) for at in known]
    weights = [share(outcomes, case(at)) for at in known]
    if drill.kind == "total-probability":
        answer = share(outcomes, seen)
        return answer, [
            ("This is the plain mean", sum(rates) / len(rates)),
            ("This is the sum of the rates", sum(rates)),
            ("alone. The whole is", rates[weights.index(max(weights))]),
            ("opposite of", 1 - answer),
            *(
                ("This is only the branch", weight * rate)
                for weight, rate in zip(weights, rates, strict=True)
                if rate
            ),
        ]
    # Where one name contains another, the first that fits is meant.
    asked = hypotheses[0]
    answer = share(outcomes, case(asked), seen)
    mistakes = [
        ("This is the likelihood", rates[asked]),
        (
            "This is the joint probability",
            share(outcomes, lambda o: seen(o) and o[0] == asked),
        ),
        ("equally probable beforehand", rates[asked] / sum(rates)),
        ("This is the prior", weights[asked]),
        ("the denominator of Bayes' rule", share(outcomes, seen)),
        ("everything but", 1 - answer),
    ]
    if not evidence:
        other = share(outcomes, case(asked), lambda o: not seen(o))
        mistakes.append(("take each rate from 1 first", other))
    return answer, mistakes


# --- The tests --------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_answers_and_mistakes_are_those_of_counting(kind):
    assert len(bank(kind)) == 200
    for drill in bank(kind):
        answer, mistakes = counted(drill)
        assert F(drill.answer) == answer, drill
        wrong = {F(wrong.value): wrong.why for wrong in drill.question.wrong}
        assert set(wrong) == {value for _, value in mistakes}, drill
        for diagnosis, value in mistakes:
            assert diagnosis in wrong[value]


@pytest.mark.parametrize("kind", KINDS)
def test_the_checks_of_the_questions_agree(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", KINDS)
def test_no_typed_number_is_right_and_wrong(kind):
    for drill in bank(kind):
        values = [F(wrong.value) for wrong in drill.question.wrong]
        for one, two in combinations([F(drill.answer), *values], 2):
            assert abs(one - two) > 2 * TOLERANCE, drill


@pytest.mark.parametrize("kind", KINDS)
def test_three_decimals_are_enough(kind):
    for drill in bank(kind):
        typed = f"{float(F(drill.answer)):.3f}"
        tolerance = drill.question.tolerance
        assert quiz.agrees(float(typed), float(F(drill.answer)), tolerance)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_can_be_done_by_hand(kind):
    for drill in bank(kind):
        answer = F(drill.answer)
        assert F(1, 50) <= answer <= F(49, 50)
        assert answer.denominator <= 200


@pytest.mark.parametrize("kind", KINDS)
def test_explanations_end_in_the_answer(kind):
    for drill in bank(kind):
        answer = F(drill.answer)
        tex = rf"\frac{{{answer.numerator}}}{{{answer.denominator}}}"
        for text in (drill.question.why, drill.explanation):
            assert tex in text
            assert f"{float(answer):.3g}" in text
        if drill.kind == "bayes":
            assert f" {drill.answer} |" in drill.explanation


@pytest.mark.parametrize("kind", KINDS)
def test_the_imagined_crowd_is_counted_right(kind):
    for drill in bank(kind):
        [text] = re.findall(r"Imagine .*", drill.explanation)
        crowd = int(re.search(r"Imagine (\d+) ", text)[1])
        groups = re.findall(r"(\d+) \*[^*]+\*, of these (\d+)", text)
        assert sum(int(group) for group, _ in groups) == crowd
        hits = sum(int(hit) for _, hit in groups)
        assert re.search(rf"= {hits} (cases|of {crowd})", text)


def test_the_evidence_moves_the_probability_as_it_is_said():
    for drill in bank("bayes"):
        _, mistakes = counted(drill)
        prior = dict(mistakes)["This is the prior"]
        moved = "rises" if F(drill.answer) > prior else "falls"
        assert f"so the probability {moved} from " in drill.explanation


def test_stories_take_turns():
    for kind in KINDS:
        found = {
            next(
                at
                for at, (pattern, *_) in enumerate(READERS)
                if re.search(pattern, drill.prompt.split("\n\n")[0])
            )
            for drill in bank(kind)[:10]
        }
        assert len(found) == len(READERS) == len(STORIES)


def test_both_outcomes_and_every_hypothesis_are_asked_about():
    opposite = sum(not read(drill)[1] for drill in bank("bayes"))
    assert 50 <= opposite <= 120
    asked = [read(drill)[2][0] for drill in bank("bayes")]
    assert min(asked.count(at) for at in (0, 1)) > 50
    assert asked.count(2) > 15
