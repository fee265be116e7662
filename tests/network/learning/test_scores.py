"""Scores against their definitions, row by row and cell by cell."""

from itertools import combinations, permutations, product
from math import exp, factorial, inf, lgamma, log

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from graph_truth import all_dags
from hash_seeds import printed_by
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesbook import graphs
from bayesbook.base import GraphError, ProbabilityError, TableTooLargeError
from bayesbook.data import Cases
from bayesbook.network import (
    AIC,
    BIC,
    K2,
    BDeu,
    LogLikelihood,
    Move,
    fit_parameters,
    hill_climb,
    load_network,
)
from bayesbook.network.learning import decomposable
from bayesbook.network.learning.scores import read_score

ALL = (LogLikelihood, AIC, BIC, BDeu, K2)
EQUIVALENT = (LogLikelihood, AIC, BIC, BDeu)


def rows_of(seed=1, n=60, sizes=(2, 3, 2, 4)):
    """Rows of dependent columns A, B, C, ..., with all their states."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(sizes[0], size=n)]
    for size in sizes[1:]:
        copied = rng.random(n) < 0.5
        codes.append(
            np.where(copied, codes[-1] % size, rng.integers(size, size=n))
        )
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(own, list("stuvw"[:size]))
            for name, own, size in zip("ABCDE", codes, sizes, strict=False)
        }
    )


# -- truths: loops over the rows, in the words of the definitions ----------


def counts_of(rows, node, parents):
    """Count, as a dictionary for each configuration of the parents."""
    states = {name: rows[name].cat.categories for name in rows}
    table = {
        j: dict.fromkeys(states[node], 0)
        for j in product(*(states[name] for name in parents))
    }
    for row in rows.to_dict("records"):
        table[tuple(row[name] for name in parents)][row[node]] += 1
    return table


def true_log_likelihood(rows, node, parents):
    total = 0.0
    for cells in counts_of(rows, node, parents).values():
        for count in cells.values():
            if count:
                total += count * log(count / sum(cells.values()))
    return total


def true_size(rows, node, parents):
    table = counts_of(rows, node, parents)
    return len(table) * (len(rows[node].cat.categories) - 1)


def true_aic(rows, node, parents):
    likelihood = true_log_likelihood(rows, node, parents)
    return likelihood - 1.0 * true_size(rows, node, parents)


def true_bic(rows, node, parents):
    price = 0.5 * log(len(rows))
    likelihood = true_log_likelihood(rows, node, parents)
    return likelihood - price * true_size(rows, node, parents)


def true_bdeu(rows, node, parents, size=1.0):
    table = counts_of(rows, node, parents)
    total = 0.0
    for cells in table.values():
        a_j = size / len(table)
        a_jk = a_j / len(cells)
        total += lgamma(a_j) - lgamma(a_j + sum(cells.values()))
        total += sum(
            lgamma(a_jk + count) - lgamma(a_jk) for count in cells.values()
        )
    return total


def true_k2(rows, node, parents):
    total = 0.0
    for cells in counts_of(rows, node, parents).values():
        r, n = len(cells), sum(cells.values())
        total += log(factorial(r - 1)) - log(factorial(n + r - 1))
        total += sum(log(factorial(count)) for count in cells.values())
    return total


TRUTHS = {
    LogLikelihood: true_log_likelihood,
    AIC: true_aic,
    BIC: true_bic,
    BDeu: true_bdeu,
    K2: true_k2,
}


# -- the definitions -------------------------------------------------------


@pytest.mark.parametrize("kind", ALL)
def test_every_family_is_scored_as_defined(kind):
    rows = rows_of()
    score = kind(rows)
    for node in rows:
        others = [name for name in rows if name != node]
        for k in range(len(others) + 1):
            for parents in combinations(others, k):
                assert score.local(node, parents) == pytest.approx(
                    TRUTHS[kind](rows, node, parents), rel=1e-12, abs=1e-9
                )


@settings(max_examples=40, deadline=None)
@given(
    data=st.data(),
    kind=st.sampled_from(ALL),
    sizes=st.lists(st.integers(1, 4), min_size=2, max_size=4),
    n=st.integers(1, 30),
    seed=st.integers(0, 2**32 - 1),
)
def test_small_data_are_scored_as_defined(data, kind, sizes, n, seed):
    rows = rows_of(seed, n, sizes)
    node = data.draw(st.sampled_from(list(rows)))
    others = [name for name in rows if name != node]
    parents = data.draw(st.lists(st.sampled_from(others), unique=True))
    assert kind(rows).local(node, parents) == pytest.approx(
        TRUTHS[kind](rows, node, parents), rel=1e-11, abs=1e-9
    )


@pytest.mark.parametrize("size", [0.01, 1, 10, 1000])
def test_the_equivalent_sample_size_is_that_of_the_definition(size):
    rows = rows_of()
    score = BDeu(rows, equivalent_sample_size=size)
    assert score.local("D", ["B", "A"]) == pytest.approx(
        true_bdeu(rows, "D", ["B", "A"], size), rel=1e-12
    )


def test_the_likelihood_is_that_of_the_fitted_network():
    rows = rows_of()
    network = fit_parameters("A -> B -> D <- A, C", rows, unseen="uniform")
    assert LogLikelihood(rows).total(network) == pytest.approx(
        network.log_prob(rows).sum(), rel=1e-12
    )


@pytest.mark.parametrize("kind", [BDeu, K2])
def test_a_bayesian_score_is_the_product_of_the_predictions(kind):
    # The probability of the first row, of the second given the first, ...
    rows = rows_of(n=12)
    graph = graphs.parse("A -> B -> D <- A, B -> C")
    prior = (
        {"equivalent_sample_size": 1} if kind is BDeu else {"pseudo_count": 1}
    )
    states = {name: tuple(rows[name].cat.categories) for name in rows}
    total = fit_no_rows(graph, states).log_prob(rows.iloc[:1]).sum()
    for n in range(1, len(rows)):
        network = fit_parameters(graph, rows.iloc[:n], states=states, **prior)
        total += network.log_prob(rows.iloc[n : n + 1]).sum()
    assert kind(rows).total(graph) == pytest.approx(total, rel=1e-10)


def fit_no_rows(graph, states):
    """Both priors are symmetric: before the first row all is uniform."""
    row = pd.DataFrame({name: own[:1] for name, own in states.items()})
    return fit_parameters(graph, row, states=states, pseudo_count=1e12)


def test_cooper_and_herskovits_example():
    # Cooper and Herskovits (1992), table 1, and the probabilities below it.
    x1 = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0]
    x2 = [0, 1, 0, 1, 0, 1, 1, 0, 1, 0]
    x3 = [0, 1, 1, 1, 0, 1, 1, 0, 1, 0]
    score = K2(pd.DataFrame({"x1": x1, "x2": x2, "x3": x3}))
    assert exp(score.total("x1 -> x2 -> x3")) == pytest.approx(
        2.23e-9, rel=2e-3
    )
    assert exp(score.total("x2 <- x1 -> x3")) == pytest.approx(
        2.23e-10, rel=2e-3
    )


def test_the_generating_network_of_alarm_has_its_number_of_parameters():
    alarm = load_network("alarm")
    score = BIC(alarm.sample(50, rng=1))
    n_parameters = sum(
        score.n_parameters(node, alarm.parents(node)) for node in alarm
    )
    assert n_parameters == alarm.n_parameters == 509
    penalty = sum(score.penalty(node, alarm.parents(node)) for node in alarm)
    assert penalty == pytest.approx(509 * log(50) / 2)


@pytest.mark.parametrize("kind", ALL)
def test_the_penalty_is_what_is_taken_off_the_likelihood(kind):
    rows = rows_of()
    likelihood, score = LogLikelihood(rows), kind(rows)
    for node, parents in [("A", []), ("D", ["B", "A"]), ("B", "D")]:
        assert likelihood.local(node, parents) - score.penalty(
            node, parents
        ) == pytest.approx(score.local(node, parents), rel=1e-12)


def test_the_signs_are_the_negatives_of_the_sources():
    rows = rows_of()
    graph = graphs.parse("A -> B -> C, A -> D")
    likelihood = LogLikelihood(rows).total(graph)
    size = 1 + 2 * 2 + 3 * 1 + 2 * 3
    for kind, f in [(AIC, 1), (BIC, 0.5 * log(60)), (LogLikelihood, 0)]:
        minimised = f * size - likelihood
        assert kind(rows).total(graph) == pytest.approx(-minimised)


# -- what they mean --------------------------------------------------------


def test_likelihood_alone_prefers_a_complete_graph():
    score = LogLikelihood(rows_of())
    totals = {
        frozenset(graph.edges): score.total(graph)
        for graph in all_dags("ABCD")
    }
    best = max(totals.values())
    for edges, total in totals.items():
        if len(edges) == 6:
            assert total == pytest.approx(best, rel=1e-12)
        else:
            assert total < best - 1e-6


@pytest.mark.parametrize("kind", ALL)
def test_equivalent_graphs_have_equal_scores_if_the_score_says_so(kind):
    score = kind(rows_of())
    spread = 0.0
    for graph in all_dags("ABCD"):
        one, *others = graphs.equivalence_class(graph)
        for other in others[:3]:
            spread = max(spread, abs(score.total(one) - score.total(other)))
    assert (spread < 1e-9) == score.is_score_equivalent
    assert score.is_score_equivalent == (kind in EQUIVALENT)


def test_from_many_rows_the_truth_is_better_than_with_fewer_edges():
    asia = load_network("asia")
    rows = asia.sample(50_000, rng=2)
    for kind in (BIC, BDeu):
        score = kind(rows)
        truth = score.total(asia)
        for tail, head in [("lung", "either"), ("smoke", "bronc")]:
            move = Move("delete", tail, head)
            assert score.delta(asia, move) < 0
        assert score.total(graphs.parse(", ".join(asia.nodes))) < truth


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), kind=st.sampled_from(ALL))
def test_deltas_are_differences_of_totals(seed, kind):
    score = kind(rows_of())
    graph = graphs.random_dag(4, 0.5, rng=seed)
    total = score.total(graph)
    for tail, head in permutations("ABCD", 2):
        for kind_of_move in ("add", "delete", "reverse"):
            move = Move(kind_of_move, tail, head)
            changed = graph.copy()
            try:
                move.apply(changed)
                graphs.check_dag(changed)
            except GraphError:
                with pytest.raises(GraphError):
                    score.delta(graph, move)
                continue
            assert score.delta(graph, move) == pytest.approx(
                score.total(changed) - total, rel=1e-9, abs=1e-9
            )


# -- remembering -----------------------------------------------------------


def test_families_are_counted_once_whatever_the_order_of_the_parents():
    score = BIC(rows_of())
    first = score.local("A", ["B", "C"])
    assert score.n_counted == 1
    assert score.local("A", ("C", "B")) == first
    assert score.local("A", {"C", "B"}) == first
    assert score.n_counted == 1
    score.locals("A", [["B"], ["C", "B"], ["D"], ["B"]])
    assert score.n_counted == 3


def test_a_search_needs_one_pass_for_many_families(monkeypatch):
    passes = []
    count = Cases.count
    monkeypatch.setattr(
        Cases,
        "count",
        lambda cases, families: passes.append(1) or count(cases, families),
    )
    score = BIC(rows_of())
    score.locals("A", [[], ["B"], ["C"], ["B", "D"]])
    assert len(passes) == 1
    score.prepare([("B", []), ("C", ["A"]), ("D", ["A", "B", "C"])])
    assert len(passes) == 2
    score.total("D <- A -> C, B")
    assert len(passes) == 3
    score.total("D <- A -> C, B")
    assert len(passes) == 3


def test_families_that_do_not_fit_together_are_counted_in_parts(monkeypatch):
    rows = rows_of()
    sets = [[], ["B"], ["C"], ["B", "C"], ["B", "C", "D"]]
    whole = BIC(rows).locals("A", sets)
    monkeypatch.setattr(decomposable, "_CELLS", 10)
    assert (BIC(rows).locals("A", sets) == whole).all()


def test_no_sets_of_parents_have_no_scores():
    assert BIC(rows_of()).locals("A", []).shape == (0,)


# -- the data --------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL)
def test_the_order_of_columns_and_rows_changes_no_digit(kind):
    rows = rows_of()
    shuffled = rows.sample(frac=1, random_state=3)[["C", "A", "D", "B"]]
    for graph in ["A -> B <- D, C", "A -> B -> C -> D <- A"]:
        assert kind(rows).total(graph) == kind(shuffled).total(graph)


@pytest.mark.parametrize("kind", ALL)
def test_weights_count_as_that_many_rows(kind):
    rows = rows_of(n=30)
    weights = np.arange(30) % 4
    repeated = rows.iloc[np.repeat(np.arange(30), weights)]
    graph = "A -> B <- D, C"
    assert kind(rows, weights=weights).total(graph) == pytest.approx(
        kind(repeated).total(graph), rel=1e-12
    )
    assert kind(Cases(repeated).distinct()).total(graph) == pytest.approx(
        kind(repeated).total(graph), rel=1e-12
    )


def test_states_that_no_row_has_count_as_parameters():
    rows = pd.DataFrame({"A": [0, 0, 1], "B": [0, 1, 1]})
    wide = BIC(rows, states={"A": (0, 1, 2)})
    assert wide.n_parameters("B", "A") == 3
    assert BIC(rows).n_parameters("B", "A") == 2


@pytest.mark.parametrize("kind", ALL)
def test_a_column_that_never_changes_tells_nothing(kind):
    rows = rows_of(sizes=(2, 3)).assign(Z="same")
    score = kind(rows)
    assert score.local("Z") == pytest.approx(0, abs=1e-12)
    for one, other in [("A", "Z"), ("Z", "A")]:
        delta = score.delta("A, B, Z", Move("add", one, other))
        assert delta == pytest.approx(0, abs=1e-9)


def test_a_single_row_decides_nothing():
    rows = pd.DataFrame({"A": ["x"], "B": ["y"]})
    assert BIC(rows).total("A -> B") == 0


# -- names and errors ------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("log-likelihood", LogLikelihood),
        ("aic", AIC),
        ("bic", BIC),
        ("mdl", BIC),
        ("MDL", BIC),
        ("bdeu", BDeu),
        ("k2", K2),
    ],
)
def test_scores_have_names(name, kind):
    assert type(read_score(rows_of(), name)) is kind


@pytest.mark.parametrize("kind", [BIC, K2], ids=lambda kind: kind.name)
def test_a_graph_is_no_data(kind):
    asia = load_network("asia")
    for graph in (asia, asia.graph, "asia -> tub"):
        with pytest.raises(
            TypeError, match=r"the data first.*\(data\)\.total"
        ):
            kind(graph)
    with pytest.raises(TypeError, match="give the data first"):
        hill_climb(asia.graph, kind.name.lower())


def test_a_score_is_taken_with_its_data():
    rows = rows_of()
    score = BDeu(rows, 10)
    assert read_score(rows, score) is score
    assert read_score(None, score) is score
    assert read_score(score.cases, score) is score
    with pytest.raises(ProbabilityError, match="made of other data"):
        read_score(rows_of(), score)


def test_unknown_scores_are_refused():
    with pytest.raises(ProbabilityError, match="Did you mean 'bdeu'"):
        read_score(rows_of(), "bde")
    with pytest.raises(TypeError, match="There is no score 3"):
        read_score(rows_of(), 3)


def test_unknown_names_are_refused():
    score = BIC(rows_of().rename(columns={"A": "rain"}))
    with pytest.raises(ProbabilityError, match="Did you mean 'rain'"):
        score.local("rian")
    with pytest.raises(ProbabilityError, match="'X' is not a column"):
        score.locals("B", [["rain"], ["X"]])
    with pytest.raises(ProbabilityError, match="'X' is not a column"):
        score.penalty("B", ["X"])
    with pytest.raises(ProbabilityError, match="'X' is not a column"):
        score.n_parameters("X")
    with pytest.raises(ProbabilityError, match="parent of itself"):
        score.local("B", ["rain", "B"])


def test_graphs_over_other_nodes_are_refused():
    score = BIC(rows_of())
    with pytest.raises(GraphError, match="'E' is not a column"):
        score.total("A -> B -> E, C, D")
    with pytest.raises(GraphError, match="lacks the columns 'C', 'D'"):
        score.total("A -> B")
    cycle = nx.DiGraph([("A", "B"), ("B", "A"), ("C", "D")])
    with pytest.raises(GraphError, match="cycle"):
        score.total(cycle)
    with pytest.raises(TypeError, match="Give a directed graph"):
        score.total(3)


def test_impossible_moves_are_refused():
    score = BIC(rows_of())
    graph = "A -> B -> C, D"
    with pytest.raises(GraphError, match="have an edge already"):
        score.delta(graph, ("add", "A", "B"))
    with pytest.raises(GraphError, match="have an edge already"):
        score.delta(graph, ("add", "B", "A"))
    with pytest.raises(GraphError, match="no edge A → C to delete"):
        score.delta(graph, ("delete", "A", "C"))
    with pytest.raises(GraphError, match="no edge B → A to reverse"):
        score.delta(graph, ("reverse", "B", "A"))
    with pytest.raises(GraphError, match="cycle"):
        score.delta(graph, ("add", "C", "A"))
    with pytest.raises(GraphError, match="kind is 'add'"):
        score.delta(graph, ("move", "A", "B"))
    with pytest.raises(GraphError, match="'E' is not a column"):
        score.delta(graph, ("add", "E", "B"))


@pytest.mark.parametrize("size", [0, -1, inf, "many", None, True])
def test_sizes_that_are_not_positive_are_refused(size):
    with pytest.raises(ProbabilityError, match="equivalent sample size"):
        BDeu(rows_of(), equivalent_sample_size=size)


def test_missing_values_are_refused():
    rows = pd.DataFrame({"A": ["x", None], "B": ["y", "z"]})
    with pytest.raises(ProbabilityError, match="missing"):
        BIC(rows)
    with pytest.raises(ProbabilityError, match="missing"):
        BIC(Cases(rows, missing="keep"))


def test_weights_of_less_than_a_row_are_refused_by_bic():
    rows = pd.DataFrame({"A": ["x", "y"]})
    with pytest.raises(ProbabilityError, match=r"sum to 0\.5"):
        BIC(rows, weights=[0.25, 0.25])


def test_a_table_that_is_too_large_is_refused():
    rows = pd.DataFrame({f"X{i}": [0, 1] for i in range(40)})
    with pytest.raises(TableTooLargeError):
        BIC(rows).local("X0", [f"X{i}" for i in range(1, 40)])


def test_a_score_says_of_what_it_is():
    assert repr(BIC(rows_of())) == "BIC of 60 rows and 4 columns"


PROGRAM = """
from bayesbook.network import BDeu, BIC, load_network
child = load_network("child")
rows = child.sample(700, rng=1)
for make in (BIC, BDeu):
    score = make(rows)
    print([repr(score.local(x, child.nodes[:i][-4:]))
           for i, x in enumerate(child.nodes)])
"""


@pytest.mark.heavy
def test_scores_are_rounded_alike_whatever_the_hash_seed():
    assert len(printed_by(PROGRAM, seeds=("0", "1", "2"))) == 1
