"""Rows, graphs, searches and scores for tests of learning."""

from functools import cache
from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from graph_truth import all_dags
from hypothesis import settings
from hypothesis import strategies as st

from bayesbook.network import (
    AIC,
    BIC,
    K2,
    BDeu,
    LogLikelihood,
    equivalence_search,
    exact_search,
    hill_climb,
    load_network,
    tabu_search,
    tree_search,
)

SCORES = {
    "log-likelihood": LogLikelihood,
    "aic": AIC,
    "bic": BIC,
    "bdeu": BDeu,
    "k2": K2,
}
GREEDY = {
    "hill_climb": hill_climb,
    "tabu_search": tabu_search,
    "equivalence_search": equivalence_search,
}
SEARCHES = GREEDY | {"exact_search": exact_search, "tree_search": tree_search}
ASIA = load_network("asia")
every_score = pytest.mark.parametrize("name", SCORES)
every_search = pytest.mark.parametrize("search", SEARCHES)
every_greedy = pytest.mark.parametrize("search", GREEDY)


def with_every_score(searches):
    """Pair searches with scores; classes of graphs have no score by K2."""
    pairs = [
        (search, name)
        for search in searches
        for name in SCORES
        if (search, name) != ("equivalence_search", "k2")
    ]
    return pytest.mark.parametrize(("search", "name"), pairs)


few = settings(max_examples=25, deadline=None)


@st.composite
def frames(draw, columns=(2, 4), rows=(1, 40), sizes=(1, 3)):
    """Frames of texts, some columns of which copy others in part."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(*columns))
    n = draw(st.integers(*rows))
    made = {}
    for name in "ABCDE"[:m]:
        own = rng.integers(rng.integers(sizes[0], sizes[1] + 1), size=n)
        if made and rng.random() < 0.7:
            other = made[sorted(made)[rng.integers(len(made))]]
            own = np.where(rng.random(n) < 0.7, other % 3, own)
        made[name] = own
    return pd.DataFrame({k: np.array(list("stu"))[v] for k, v in made.items()})


@st.composite
def frames_and_graphs(draw, **limits):
    rows = draw(frames(**limits))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rows, a_graph(list(rows), rng)


def a_graph(names, rng, share=0.5):
    order = rng.permutation(names).tolist()
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(
        pair for pair in combinations(order, 2) if rng.random() < share
    )
    return graph


@cache
def dags_of(names):
    """Return all graphs of some nodes, made once; not to be changed."""
    return tuple(all_dags(names))


def other_orders(rows):
    """The same rows with columns and rows in other orders."""
    yield rows[rows.columns[::-1]]
    yield rows[sorted(rows, key=lambda name: (ord(name[0]) * 7) % 5)]
    yield rows.sample(frac=1, random_state=3)
    yield rows[::-1].reset_index(drop=True)[rows.columns[::-1]]


def with_missing(network, n, share, seed):
    rows = network.sample(n, rng=seed).astype(object)
    rng = np.random.default_rng(seed)
    return rows.mask(rng.random(rows.shape) < share, None)


ROWS = ASIA.sample(60, rng=1).astype(str)
