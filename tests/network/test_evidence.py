"""Evidence in every form it is given in, at every door of the package."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from bayesbook.base import ProbabilityError
from bayesbook.drawing import draw_network
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    elimination_order,
    enumerate_posterior,
    gibbs,
    irreducible,
    likelihood_weighting,
    load_network,
    rejection_sampling,
)

ASIA = load_network("asia")
CANCER = load_network("cancer")
TREE = JunctionTree(ASIA)
KNOWN = {"xray": "yes", "smoke": "no"}


def drawn_words(evidence):
    try:
        return draw_network(plt.gca(), ASIA, evidence=evidence).describe()
    finally:
        plt.close("all")


def distribution_of(posteriors):
    return repr(posteriors), repr(posteriors["lung"]), posteriors.evidence


#: Every door that evidence goes in by, and what comes out as text.
DOORS = {
    "enumerate": lambda known: repr(enumerate_posterior(ASIA, "tub", known)),
    "eliminate": lambda known: repr(eliminate(ASIA, "tub", known)),
    "posteriors": lambda known: distribution_of(TREE.posteriors(known)),
    "joint": lambda known: repr(TREE.joint(["tub", "lung"], known)),
    "log_evidence": TREE.log_evidence,
    "evidence_probability": TREE.evidence_probability,
    "most_probable": TREE.most_probable,
    "weighting": lambda known: distribution_of(
        likelihood_weighting(ASIA, known, 50, rng=0)
    ),
    "rejection": lambda known: distribution_of(
        rejection_sampling(ASIA, known, 50, rng=0)
    ),
    "gibbs": lambda known: distribution_of(
        gibbs(ASIA, known, size=5, burn_in=5, rng=0)
    ),
    "irreducible": lambda known: str(irreducible(ASIA, known)),
    "drawing": drawn_words,
}
every_door = pytest.mark.parametrize("ask", DOORS.values(), ids=DOORS)


@pytest.mark.filterwarnings("ignore::bayesbook.base.ReducibleChainWarning")
@every_door
@pytest.mark.parametrize("known", [KNOWN, {}], ids=["full", "empty"])
def test_a_row_of_a_frame_is_evidence_like_a_dictionary(ask, known):
    assert ask(pd.Series(known, dtype=object)) == ask(known)


def test_a_row_of_a_frame_is_a_configuration():
    rows = ASIA.sample(1, rng=0)
    row = rows.iloc[0]
    assert ASIA.P(row) == ASIA.P(row.to_dict())
    assert ASIA.log_prob(row) == ASIA.log_prob(rows)[0]


def test_a_row_of_a_frame_is_a_start():
    start = pd.Series({"Cancer": "False", "Smoker": "True"})
    runs = [
        gibbs(CANCER, {}, size=20, start=begin, rng=0)
        for begin in (start, start.to_dict())
    ]
    assert runs[0].draws.equals(runs[1].draws)


@every_door
def test_a_series_that_names_a_node_twice_is_refused(ask):
    with pytest.raises(ProbabilityError, match="names 'xray' twice"):
        ask(pd.Series(["yes", "no"], index=["xray", "xray"]))


def test_a_drawing_takes_the_evidence_of_its_posteriors_in_any_form():
    posteriors = TREE.posteriors(KNOWN)
    given = pd.Series(KNOWN)
    drawing = draw_network(plt.gca(), ASIA, posteriors, evidence=given)
    assert drawing.describe() == drawn_words(KNOWN)
    with pytest.raises(ProbabilityError, match="leave `evidence` out"):
        draw_network(plt.gca(), ASIA, posteriors, evidence={"xray": "no"})
    plt.close("all")


@pytest.mark.filterwarnings("ignore::bayesbook.base.ReducibleChainWarning")
@pytest.mark.parametrize(
    "ask",
    [
        TREE.posteriors,
        lambda known: likelihood_weighting(ASIA, known, 50, rng=0),
        lambda known: rejection_sampling(ASIA, known, 50, rng=0),
        lambda known: gibbs(ASIA, known, size=5, rng=0),
    ],
)
def test_what_was_known_does_not_change_with_what_was_given(ask):
    known = {"smoke": {"yes": 1, "no": 2.5}, "xray": "yes"}
    found = ask(known)
    known["smoke"]["yes"] = 100
    known["xray"] = "no"
    assert found.evidence == {"smoke": {"yes": 1, "no": 2.5}, "xray": "yes"}
    assert [*found.evidence] == ["smoke", "xray"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ASIA.P(3),
        lambda: gibbs(CANCER, {}, 1000, start=3, rng=0),
        lambda: TREE.posteriors(3),
    ],
)
def test_what_is_no_dictionary_is_called_what_it_is_meant_as(ask):
    with pytest.raises(TypeError) as raised:
        ask()
    assert "is 3; give a dictionary" in str(raised.value)


@pytest.mark.parametrize(
    "ask",
    [
        JunctionTree,
        elimination_order,
        irreducible,
        lambda network: eliminate(network, "tub"),
        lambda network: enumerate_posterior(network, "tub"),
        lambda network: likelihood_weighting(network, KNOWN, 5, rng=0),
        lambda network: rejection_sampling(network, KNOWN, 5, rng=0),
        lambda network: gibbs(network, KNOWN, 1000, rng=0),
    ],
)
@pytest.mark.parametrize("wrong", [None, "asia", ASIA.graph])
def test_what_is_no_network_is_refused(ask, wrong):
    with pytest.raises(TypeError, match=r"load_network\(name\) loads"):
        ask(wrong)


@every_door
@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA])
def test_a_node_that_is_not_observed_is_left_out(ask, nothing):
    for known in ({"xray": nothing}, pd.Series({"xray": nothing})):
        with pytest.raises(ProbabilityError) as raised:
            ask(known)
        assert "not a state of 'xray': leave a node out" in str(raised.value)
        assert "Did you mean" not in str(raised.value)


TRUTHS = [False, True], [0, 1], [0.0, 1.0]


def coin_with(states):
    return BayesianNetwork.from_cpts(
        {"coin": states, "toss": "HT"},
        {
            "coin": [0.25, 0.75],
            ("toss", "coin"): [[0.5, 0.5], [0.1, 0.9]],
        },
    )


@pytest.mark.parametrize("kind", [None, object, "category"])
@pytest.mark.parametrize("given", TRUTHS)
@pytest.mark.parametrize("states", TRUTHS)
def test_states_that_python_calls_equal_are_the_same(states, given, kind):
    network = coin_with(states)
    tree = JunctionTree(network)
    column = pd.Series([*given, given[1]], dtype=kind)
    codes = tree.batch(pd.DataFrame({"coin": column}))["coin"][:, 1]
    assert codes.tolist() == [0, 1, 1]
    gaps = pd.Series([given[1], None], dtype=object)
    codes = tree.batch(pd.DataFrame({"coin": gaps}))["coin"][:, 1]
    assert codes.tolist() == [1, 0.75]
    for known in ({"coin": given[1]}, {"coin": {given[0]: 0, given[1]: 1}}):
        assert tree.log_evidence(known) == pytest.approx(np.log(0.75))


@pytest.mark.parametrize("given", TRUTHS)
def test_a_title_shows_the_state_of_the_node(given):
    network = coin_with([False, True])
    found = JunctionTree(network).posteriors({"coin": given[1]})
    assert found["toss"].title == "P(toss | coin=True)"
    assert repr(found).startswith("Posteriors given coin=True")
    found = JunctionTree(network).posteriors({"coin": {given[1]: 1, 0: 2}})
    assert found["toss"].title == "P(toss | coin=(True: 1, False: 2))"
    found = eliminate(network, "toss", {"coin": given[1]}).posterior
    assert found.title == "P(toss | coin=True)"


def test_a_joint_probability_needs_a_state_of_every_node():
    states = dict.fromkeys(ASIA.nodes, "no")
    assert ASIA.P(states) > 0
    del states["tub"], states["xray"]
    for asks in (ASIA.P, ASIA.log_prob):
        with pytest.raises(ProbabilityError, match="state for 'tub', 'xray'"):
            asks(states)
