"""Stories for drills on networks: meanings of the nodes, and fresh tenths.

The numbers of each table fit the story: a cause makes its effect more
probable, or less where the story says so.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.networks.small import Network
from bayesbook.study.drills.writing import lines_of

_YES_NO = ("yes", "no")


@dataclass(frozen=True, eq=False)
class Story:
    """A graph and what its nodes stand for."""

    title: str  # the beginning of a sentence that the nodes complete
    nodes: Mapping[str, str]  # by letter, parents before their children
    # The parents of each node that has any, in lower case if a parent makes
    # the first state of the child less probable.
    edges: Mapping[str, str]
    # From much to little, where they are not yes and no.
    states: Mapping[str, tuple[str, ...]]

    @property
    def text(self) -> str:
        """The story, as Markdown."""
        told = [f"${node}$: {what}" for node, what in self.nodes.items()]
        told = [
            f"{line} ({', '.join(self.states[node])})"
            if node in self.states
            else line
            for node, line in zip(self.nodes, told, strict=True)
        ]
        return f"{self.title}. {'; '.join(told)}."

    def draw(self, rng: np.random.Generator) -> Network:
        """Draw probabilities from 0.1 to 0.9; to 0.8 for three states."""
        states = {n: self.states.get(n, _YES_NO) for n in self.nodes}
        tenths = {}
        for node in self.nodes:
            parents = self.edges.get(node, "")
            shape = [len(states[p.upper()]) for p in parents]
            levels = {
                place: _level(place, shape, parents)
                for place in product(*map(range, shape))
            }
            distributions: Distributions
            if not parents:
                distributions = {(): _root(len(states[node]), rng)}
            elif len(states[node]) == 2:
                distributions = _pairs(levels, rng)
            else:
                distributions = _triples(levels, rng)
            table = [distributions[place] for place in levels]
            tenths[node] = np.array(table).reshape(*shape, -1)
        return Network(
            states, {n: self.edges.get(n, "").upper() for n in states}, tenths
        )


def _level(place: tuple[int, ...], shape: list[int], parents: str) -> int:
    """Return how strongly the parents favour the first state of a child."""
    return sum(
        at if parent.islower() else size - 1 - at
        for at, size, parent in zip(place, shape, parents, strict=True)
    )


Distributions = dict[tuple[int, ...], tuple[int, ...]]

_ROOTS = (1, 2, 2, 3, 3, 4, 5, 6, 7)
# Of three states: much, some and little of the first.
_HIGH = ((8, 1, 1), (7, 2, 1), (6, 3, 1), (5, 4, 1))
_MIDDLE = ((3, 4, 3), (2, 6, 2), (2, 5, 3), (3, 5, 2), (4, 3, 3))
_LOW = ((1, 1, 8), (1, 2, 7), (1, 3, 6), (1, 4, 5))


def _root(size: int, rng: np.random.Generator) -> tuple[int, ...]:
    if size == 3:
        return pick(rng, (*_MIDDLE, *_LOW))
    first = pick(rng, _ROOTS)
    return first, 10 - first


def _pairs(levels: dict, rng: np.random.Generator) -> Distributions:
    """Draw different tenths, the larger ones for the higher levels."""
    rising = sorted(levels, key=lambda place: (levels[place], rng.random()))
    first = sorted(int(n) + 1 for n in rng.choice(9, len(rising), False))
    return {
        place: (tenths, 10 - tenths)
        for place, tenths in zip(rising, first, strict=True)
    }


def _triples(levels: dict, rng: np.random.Generator) -> Distributions:
    least, most = min(levels.values()), max(levels.values())
    return {
        place: pick(
            rng,
            _LOW if level == least else _HIGH if level == most else _MIDDLE,
        )
        for place, level in levels.items()
    }


# A node, its parents in brackets, what it is about, and its states.
_NODE = re.compile(r"(\w)(?:\((\w+)\))?: (.*?)(?: \((.*)\))?$")


def _stories(block: str) -> Iterator[Story]:
    for title, *nodes in (line.split(" | ") for line in lines_of(block)):
        found = [_NODE.findall(node)[0] for node in nodes]
        yield Story(
            title,
            {node: about for node, _, about, _ in found},
            {node: parents for node, parents, *_ in found if parents},
            {n: tuple(own.split(", ")) for n, *_, own in found if own},
        )


STORIES = tuple(
    _stories("""
    A bus on a winter morning
        | R: it rains in the night
        | I(R): the road is icy
        | D(I): the bus is delayed
    A house has an alarm
        | B: somebody breaks in
        | E: the earth trembles
        | A(BE): the alarm rings
    A patient with an infection or without
        | I: there is an infection
        | F(I): there is fever
        | C(I): there is a cough
        | T(I): the test is positive
    A lawn in the morning
        | C: the sky was cloudy
        | S(c): the sprinkler was on
        | R(C): it has rained
        | W(SR): the lawn is wet
    A message passes two relays, each of which may turn it round
        | S: the message that is sent (one, zero)
        | F(S): what the first relay passes on (one, zero)
        | L(F): what the last relay passes on (one, zero)
    A house whose alarm two neighbours may hear
        | B: somebody breaks in
        | E: the earth trembles
        | A(BE): the alarm rings
        | J(A): the first neighbour calls
        | M(A): the second neighbour calls
    A mountain race
        | H: the track is hard
        | F: the runner is fit
        | P(hF): the pace (high, middle, low)
        | Z(P): there is a prize
    Monday and Tuesday by the sea, watched by a lodger
        | M: there is wind on Monday
        | N(M): there is wind on Tuesday
        | U(M): a kite is up on Monday
        | V(N): a kite is up on Tuesday
    A garden in a year
        | D: the year is dry
        | S(D): the sprinkler is used
        | R(d): it rains today
        | W(SR): the grass is wet
        | L(R): the path is slippery
    An inherited trait and a test for it
        | F: the father carries it
        | M: the mother carries it
        | C(FM): the child carries it
        | T(C): the test of the child is positive
    A winter in the mountains
        | S: how much snow has fallen (much, some, little)
        | A(S): there is the danger of avalanches
        | G(sA): guests stay away
    A shop before a holiday
        | W: the weather is fine
        | O: there is an offer
        | V(WO): how many visitors come (many, some, few)
        | Q(V): there is a queue
        | E(V): the shelves are empty at night
    """)
)
