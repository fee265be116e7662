"""Shuffles: fixed by their seed, and as good as random."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from bayesbook.study.quiz.shuffling import shuffle


@given(st.integers(0, 30), st.text())
def test_a_shuffle_loses_nothing(length, seed):
    assert sorted(shuffle(length, seed)) == list(range(length))


def test_shuffles_differ_and_reach_every_order():
    orders = {tuple(shuffle(3, f"question-{n}")) for n in range(100)}
    assert orders == set(itertools.permutations(range(3)))
