"""Messages on chains of two days, found again in a network."""

import re
from collections import Counter
from fractions import Fraction as F

from study.drills.banks import bank

from bayesbook.network import BayesianNetwork, JunctionTree
from bayesbook.study import quiz

KIND = "chain-messages"


def test_every_key_is_recomputed():
    questions = tuple(drill.question for drill in bank(KIND))
    quiz.verify(quiz.Quiz(KIND, KIND, questions))


def read(prompt):
    """Return the network, what is observed, and the name of the state."""
    steps, signs = (
        [[F(n) for n in row] for row in rows]
        for rows in (
            re.findall(r"^\| [a-z]+ \| (0\.\d) \| (0\.\d) \|$", part, re.M)
            for part in prompt.split("What is observed on a day")
        )
    )
    [start] = re.findall(r"it is [a-z]+ with probability (0\.\d)", prompt)
    [of_signs] = re.findall(r"^\| state \| (.+) \| (.+) \|$", prompt, re.M)
    [(one, two)] = re.findall(
        r"Observed are (.+) on the first day and (.+) on the second\.", prompt
    )
    start = F(start)
    cpts = {"x1": [1 - start, start], ("x2", "x1"): steps}
    cpts |= {(f"y{t}", f"x{t}"): signs for t in (1, 2)}
    states = {"x1": (0, 1), "x2": (0, 1), "y1": of_signs, "y2": of_signs}
    return BayesianNetwork.from_cpts(states, cpts), {"y1": one, "y2": two}


def test_a_network_gives_the_same_answers():
    kinds = Counter()
    for drill in bank(KIND):
        net, seen = read(drill.prompt)
        tree = JunctionTree(net)
        question = drill.prompt.split("What is the")[-1]
        if "sequence" in question:
            kind, found = "best", tree.most_probable(seen).probability
        else:
            kind = "x1" if "first" in question else "x2"
            found = tree.posteriors(seen)[kind].P({kind: 1})
        kinds[kind] += 1
        assert abs(float(F(drill.answer)) - float(found)) < 1e-5
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50
