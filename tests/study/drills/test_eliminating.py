"""Drills of elimination, by factors of the library and by paths."""

import re
from fractions import Fraction as F
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from study.drills.banks import bank

from bayesbook.network import Factor
from bayesbook.study import quiz

KIND = "elimination-cost"
LARGEST = "How many cells has the largest product"


def test_every_key_is_recomputed():
    questions = tuple(drill.question for drill in bank(KIND))
    quiz.verify(quiz.Quiz(KIND, KIND, questions))


def read(prompt):
    """Return edges, numbers of states, the order, and the node that stays."""
    edges = re.findall(r"(\w) → (\w)", prompt)
    sizes = {
        node: int(size)
        for group, size in re.findall(
            r"((?:\$\w\$(?:, | and )?)+) ha(?:ve|s) (\d) states", prompt
        )
        for node in re.findall(r"\$(\w)\$", group)
    }
    [(query, order)] = re.findall(
        r"For the distribution of \$(\w)\$ .* in the order (.*); none", prompt
    )
    return edges, sizes, re.findall(r"\$(\w)\$", order), query


def largest_product(edges, sizes, order):
    """Sum out one node after the other, by factors of the library."""
    factors = []
    for node in sizes:
        scope = [a for a, b in edges if b == node] + [node]
        shape = [sizes[n] for n in scope]
        states = {n: range(sizes[n]) for n in scope}
        factors.append(Factor(np.ones(shape), states))
    most = 0
    for node in order:
        product, *others = [f for f in factors if node in f.scope]
        for other in others:
            product = product * other
        most = max(most, product.values.size)
        factors = [f for f in factors if node not in f.scope]
        factors.append(product.sum_out(node))
    return most


def fill_ins(edges, order):
    """Return the pairs with a path via nodes that are eliminated before."""
    moral = nx.Graph(edges)
    for child in [*moral]:
        parents = [a for a, b in edges if b == child]
        moral.add_edges_from(combinations(parents, 2))
    rank = {node: at for at, node in enumerate(order)}
    found = set()
    for pair in combinations(sorted(moral), 2):
        first = min(rank.get(node, len(order)) for node in pair)
        early = [n for n in moral if rank.get(n, len(order)) < first]
        inside = moral.subgraph([*early, *pair])
        if not moral.has_edge(*pair) and nx.has_path(inside, *pair):
            found.add(pair)
    return found


def test_factors_and_paths_give_the_same_answers():
    kinds = {True: 0, False: 0}
    for drill in bank(KIND):
        edges, sizes, order, query = read(drill.prompt)
        assert {*order, query} == {*sizes} == {n for e in edges for n in e}
        asks_cells = LARGEST in drill.prompt
        kinds[asks_cells] += 1
        expected = (
            largest_product(edges, sizes, order)
            if asks_cells
            else len(fill_ins(edges, order))
        )
        assert F(drill.answer) == expected
        # It does not suffice to look at the tables of the network.
        if asks_cells:
            tables = [
                np.prod([sizes[a] for a, b in edges if b == n] + [sizes[n]])
                for n in sizes
            ]
            assert expected > max(tables)
    assert min(kinds.values()) >= 80


def test_the_table_of_steps_is_that_of_the_order():
    for drill in bank(KIND):
        edges, sizes, order, _ = read(drill.prompt)
        rows = re.findall(
            r"^\| \$(\w)\$ \| (.*) \| \$(.*) = (\d+)\$ \| (.*) \|$",
            drill.explanation,
            re.M,
        )
        assert [node for node, *_ in rows] == order
        new = set()
        for node, near, product, cells, added in rows:
            together = [node, *re.findall(r"\$(\w)\$", near)]
            factors = [int(n) for n in product.split(r" \cdot ")]
            assert factors == [sizes[n] for n in together]
            assert int(cells) == np.prod(factors)
            pairs = re.findall(r"\$(\w) - (\w)\$", added)
            assert {n for pair in pairs for n in pair} <= {*together}
            assert not new & {*pairs}
            new |= {*pairs}
        assert new == fill_ins(edges, order)
        assert max(int(row[3]) for row in rows) == largest_product(
            edges, sizes, order
        )


@pytest.mark.parametrize(
    ("start", "count"),
    [("This forgets that the parents", 60), ("This is the joint table", 60)],
)
def test_common_mistakes_are_met(start, count):
    found = [
        wrong
        for drill in bank(KIND)
        for wrong in drill.question.wrong
        if start in wrong.why
    ]
    assert len(found) >= count
