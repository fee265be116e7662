"""SPODEs and trees, found again by the library and by networkx."""

import re
from collections import Counter
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from study.drills.banks import bank

from bayesbook.naive_bayes import SPODE
from bayesbook.study import quiz

KINDS = ("super-parent", "tree-gain")


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def rows_of(prompt):
    """Return the rows that a table counts, and their classes."""
    found = re.findall(r"^\| [a-z]+ \| ([\d| ]+) \|$", prompt, re.M)
    counts = [[int(n) for n in line.split(" | ")] for line in found]
    assert len(counts) == 2
    cells = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    X = np.vstack([np.repeat(cells, own, axis=0) for own in counts])
    return X, np.repeat([0, 1], [sum(own) for own in counts])


def test_the_library_finds_the_same_posterior_or_factor():
    kinds = Counter()
    for drill in bank("super-parent"):
        X, y = rows_of(drill.prompt)
        smoothed = "smoothed" in drill.prompt
        model = SPODE(
            parent=0,
            estimate="bayes" if smoothed else "mle",
            class_prior=np.bincount(y) / len(y),
        ).fit(X, y)
        joint = np.exp(model.predict_joint_log_proba([[1, 1], [1, 0]]))
        if "By which factor" in drill.prompt:
            odds = joint[0, 0] / joint[0, 1]
            found = odds / (joint[:, 0].sum() / joint[:, 1].sum())
        else:
            found = joint[0, 0] / joint[0].sum()
        assert float(Fraction(drill.answer)) == pytest.approx(found, abs=6e-6)
        kinds[smoothed, "By which factor" in drill.prompt] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50


def test_networkx_finds_the_same_gain():
    kinds = Counter()
    for drill in bank("tree-gain"):
        pairs = re.findall(r"\$([a-d]{2})\$", drill.prompt)
        [numbers] = re.findall(r"^\| nats/100 \| (.*) \|$", drill.prompt, re.M)
        weights = dict(zip(pairs, map(int, numbers.split(" | ")), strict=True))
        [rows] = re.findall(r"in (\d+) rows", drill.prompt)
        graph = nx.Graph()
        graph.add_weighted_edges_from((*e, w) for e, w in weights.items())
        assert len(weights) == 6
        trees = nx.SpanningTreeIterator(graph, minimum=False)
        sums = [int(tree.size(weight="weight")) for tree in trees]
        assert len(sums) == 16
        star = re.search(r"super-parent \$([a-d])\$", drill.prompt)
        if star:
            other = graph.degree(star[1], weight="weight")
        else:
            other = sums[1] if "second best" in drill.prompt else 0
        gain = Fraction(int(rows) * (max(sums) - other), 100)
        assert Fraction(drill.answer) == gain
        kinds[bool(star), other == 0] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) >= 50
