"""What is no Bayesian network, and how it is refused."""

from fractions import Fraction as F

import pandas as pd
import pytest
from lawn_network import COIN, LAWN_CPTS, LAWN_STATES, lawn

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table


def refuse(states=LAWN_STATES, cpts=LAWN_CPTS, **changed):
    return BayesianNetwork.from_cpts({**states, **changed}, cpts)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        # columns that do not sum to one: the node and the configuration
        (
            {("sprinkler", "rain"): [["3/5", "2/5"], ["9/10", "2/10"]]},
            r"sprinkler.*rain=yes.*11/10",
        ),
        (
            {("sprinkler", "rain"): [[0.6, 0.4], [0.9, 0.05]]},
            r"sprinkler.*rain=yes.*0\.95",
        ),
        ({"rain": [0.8, 0.1]}, r"rain.*0\.9"),
        (
            {
                ("grass", "rain", "sprinkler"): [
                    [[1, 0, 0], ["1/10", "1/10", "8/10"]],
                    [["1/5", 0, "4/5"], [0, 0, 0]],
                ]
            },
            r"grass.*rain=yes, sprinkler=on.*sum to 0",
        ),
        # the wrong shape
        ({"rain": [1, 0, 0]}, r"rain"),
        ({"rain": [[1, 0]]}, r"rain"),
        ({("sprinkler", "rain"): [1, 0]}, r"rain \(2\), sprinkler \(2\)"),
        ({("sprinkler", "rain"): [[1, 0], [1]]}, r"sprinkler"),
        # no probabilities
        ({"rain": [float("nan"), 1]}, r"rain=no"),
        ({"rain": [-0.5, 1.5]}, r"rain=no.*-0\.5"),
        ({"rain": [float("inf"), 0]}, r"rain=no"),
        ({"rain": ["half", "half"]}, r"rain=no.*half"),
        ({"rain": [None, 1]}, r"rain=no"),
        ({"rain": [True, False]}, r"rain=no"),
    ],
)
def test_numbers_that_are_no_cpt(changed, message):
    with pytest.raises(ProbabilityError, match=message):
        refuse(cpts={**LAWN_CPTS, **changed})


def test_a_word_is_not_split_into_states():
    with pytest.raises(
        ProbabilityError,
        match=r"^The states of 'a' are 'yes', and.* as \('yes',\) for one",
    ):
        BayesianNetwork.from_cpts({"a": "yes"}, {"a": [1]})
    for letters in ("HT", "no", "ACGT", "abc", "0123"):
        p = [F(1, len(letters))] * len(letters)
        network = BayesianNetwork.from_cpts({"a": letters}, {"a": p})
        assert network.states["a"] == tuple(letters)


def test_messages_about_numbers_name_the_node():
    """Also where the message is about one entry."""
    cpts = {**LAWN_CPTS, ("sprinkler", "rain"): [[1, 0], [-1, 2]]}
    with pytest.raises(ProbabilityError) as raised:
        refuse(cpts=cpts)
    assert "rain=yes" in str(raised.value)
    assert "sprinkler=off" in str(raised.value)


def test_a_missing_cpt():
    cpts = dict(LAWN_CPTS)
    del cpts["sprinkler", "rain"]
    with pytest.raises(ProbabilityError, match="'sprinkler'"):
        refuse(cpts=cpts)
    with pytest.raises(ProbabilityError, match="'wind'"):
        refuse(wind=("no", "yes"))
    x = Table([[1, 0], [0, 1]], {"A": (0, 1), "B": (0, 1)}, given="A")
    with pytest.raises(ProbabilityError, match="'A'"):
        BayesianNetwork([x])


def test_numbers_of_a_node_without_states():
    with pytest.raises(ProbabilityError, match="'snow'"):
        refuse(cpts={**LAWN_CPTS, "snow": [0.5, 0.5]})
    cpts = {**LAWN_CPTS, ("grass", "rian"): [[1, 0, 0], [0, 1, 0]]}
    del cpts["grass", "rain", "sprinkler"]
    with pytest.raises(ProbabilityError, match=r"'rian'.*'rain'"):
        refuse(cpts=cpts)


def test_two_cpts_of_one_node():
    with pytest.raises(ProbabilityError, match="'sprinkler'"):
        refuse(cpts={**LAWN_CPTS, "sprinkler": ["1/2", "1/2"]})
    coin = Table([0.5, 0.5], COIN)
    with pytest.raises(ProbabilityError, match="'coin'"):
        BayesianNetwork([coin, coin])


def test_a_cycle():
    with pytest.raises(GraphError, match=r"(?s)X.*Y|Y.*X"):
        BayesianNetwork.from_cpts(
            {"X": (0, 1), "Y": (0, 1)},
            {("X", "Y"): [[1, 0], [0, 1]], ("Y", "X"): [[1, 0], [0, 1]]},
        )
    with pytest.raises(GraphError, match="'X' is a parent of itself"):
        BayesianNetwork.from_cpts(
            {"X": (0, 1)}, {("X", "X"): [[1, 0], [0, 1]]}
        )
    with pytest.raises(ProbabilityError, match="parent twice"):
        BayesianNetwork.from_cpts(
            {"X": (0, 1), "Y": (0, 1)},
            {"X": [1, 0], ("Y", "X", "X"): [[[1, 0]] * 2] * 2},
        )
    n = 3000
    ring = [
        Table(
            [[1, 0], [0, 1]],
            {f"X{i}": (0, 1), f"X{(i + 1) % n}": (0, 1)},
            given=f"X{i}",
        )
        for i in range(n)
    ]
    with pytest.raises(GraphError, match="X") as raised:
        BayesianNetwork(ring)
    # Three thousand names help nobody.
    assert len(str(raised.value)) < 2000


def test_states_of_a_parent_that_do_not_agree():
    x = Table([0.5, 0.5], {"X": ("a", "b")})
    for states in (("a", "c"), ("a", "b", "c"), ("a",)):
        rows = [[1, 0]] * len(states)
        y = Table(rows, {"X": states, "Y": (0, 1)}, given="X")
        with pytest.raises(ProbabilityError, match=r"'?X'?.*"):
            BayesianNetwork([x, y])


def test_tables_that_are_no_cpts():
    joint = Table([[0.25] * 2] * 2, {"X": (0, 1), "Y": (0, 1)})
    with pytest.raises(ProbabilityError, match=r"P\(X, Y\) has several"):
        BayesianNetwork([joint])
    known = joint.given(X=1)
    with pytest.raises(ProbabilityError, match=r"X=1"):
        BayesianNetwork([known])
    with pytest.raises(ProbabilityError):
        BayesianNetwork([])
    with pytest.raises(ProbabilityError):
        BayesianNetwork.from_cpts({}, {})
    for wrong in ([[0.5, 0.5]], ["P(X)"], [None], "coin", 5, {"X": 1}):
        with pytest.raises(TypeError, match="made of tables"):
            BayesianNetwork(wrong)


@pytest.mark.parametrize(
    ("states", "cpts", "message"),
    [
        ({"X": (0, 0)}, {"X": [0.5, 0.5]}, "0.*'X'.*twice"),
        ({"X": ()}, {"X": []}, "'X'"),
        ({"X": (0, None)}, {"X": [0.5, 0.5]}, "'X'.*missing"),
        ({"X": (0, float("nan"))}, {"X": [0.5, 0.5]}, "'X'.*missing"),
        ({"X": ([], 1)}, {"X": [0.5, 0.5]}, "'X'"),
        ({"X": 2}, {"X": [0.5, 0.5]}, "'X'"),
        ({"": (0, 1)}, {"": [0.5, 0.5]}, "name"),
        ({3: (0, 1)}, {3: [0.5, 0.5]}, "3"),
        ({"X": (0, 1)}, {(): [0.5, 0.5]}, r"\(\)|name"),
        ({"X": (0, 1)}, {("X", 3): [0.5, 0.5]}, "3"),
        ({"X": (0, 1)}, {"X": None}, "X"),
        ({"X": (0, 1)}, {"X": "0.5"}, "X"),
        ({"X": (0, 1)}, {"X": 0.5}, "X"),
    ],
)
def test_states_and_keys_that_are_none(states, cpts, message):
    with pytest.raises(ProbabilityError, match=message):
        BayesianNetwork.from_cpts(states, cpts)


@pytest.mark.parametrize(
    ("states", "cpts"),
    [
        ({"X": (0, 1)}, [[0.5, 0.5]]),
        ([("X", (0, 1))], {"X": [0.5, 0.5]}),
    ],
)
def test_states_and_numbers_that_are_no_dictionary(states, cpts):
    with pytest.raises(TypeError, match="as a dictionary"):
        BayesianNetwork.from_cpts(states, cpts)


def test_a_cpt_of_too_many_parents_is_refused_at_once():
    """What 2^40 numbers would be needed for is not allocated."""
    names = [f"X{i}" for i in range(41)]
    cpts = {name: [0.5, 0.5] for name in names[:-1]}
    cpts[names[-1], *names[:-1]] = [0.5, 0.5]
    with pytest.raises(ProbabilityError, match="X40"):
        BayesianNetwork.from_cpts(dict.fromkeys(names, (0, 1)), cpts)


def test_unknown_nodes_and_states():
    network = lawn()
    row = {"rain": "no", "sprinkler": "on", "grass": "wet"}
    with pytest.raises(ProbabilityError, match=r"(?s)'gras'.*'grass'\?"):
        network.P({**row, "gras": "wet"})
    with pytest.raises(ProbabilityError, match=r"'damb'.*'grass'.*'damp'\?"):
        network.P({**row, "grass": "damb"})
    with pytest.raises(ProbabilityError, match="'grass'"):
        network.P({"rain": "no", "sprinkler": "on"})
    for unhashable in ([], {}, {"wet": 1}):
        with pytest.raises(ProbabilityError, match="grass"):
            network.P({**row, "grass": unhashable})
    for missing in (None, float("nan"), pd.NA):
        with pytest.raises(ProbabilityError, match="grass"):
            network.P({**row, "grass": missing})
    for wrong in ([("rain", "no")], 3, "rain"):
        with pytest.raises(TypeError, match="dictionary"):
            network.P(wrong)
    with pytest.raises(ProbabilityError, match="no state"):
        network.P(None)
    for ask in (network.parents, network.children, network.markov_blanket):
        with pytest.raises(ProbabilityError, match=r"'gras'.*'grass'\?"):
            ask("gras")
        with pytest.raises(ProbabilityError):
            ask([])


def test_rows_that_are_none():
    network = lawn()
    rows = pd.DataFrame(
        [("no", "on", "wet"), ("yes", "off", "dry")],
        columns=["rain", "sprinkler", "grass"],
    )
    with pytest.raises(ProbabilityError, match="'grass'"):
        network.log_prob(rows.drop(columns="grass"))
    with pytest.raises(ProbabilityError, match=r"'gras'.*'grass'\?"):
        network.log_prob(rows.assign(gras="wet"))
    with pytest.raises(ProbabilityError, match="'grass'"):
        network.log_prob(pd.concat([rows, rows[["grass"]]], axis=1))
    bad = rows.copy()
    bad.loc[1, "sprinkler"] = "of"
    for column in (bad, bad.astype("category"), bad.astype("string")):
        with pytest.raises(
            ProbabilityError, match=r"(?s)sprinkler.*'of'.*'off'\?"
        ) as raised:
            network.log_prob(column)
        assert "ow 1" in str(raised.value)
    for missing in (None, float("nan"), pd.NA):
        bad = rows.astype(object)
        bad.loc[1, "sprinkler"] = missing
        for column in (bad, bad.astype("category")):
            with pytest.raises(
                ProbabilityError, match=r"(?s)ow 1.*sprinkler|sprinkler.*ow 1"
            ):
                network.log_prob(column)
    for wrong in (None, 3, "rain", [["no", "on", "wet"]]):
        with pytest.raises(TypeError, match="Give a data frame"):
            network.log_prob(wrong)
    with pytest.raises(ProbabilityError):
        network.log_prob(rows["rain"])
    bad = rows.astype(object)
    bad.at[0, "grass"] = ["wet"]
    with pytest.raises(ProbabilityError, match="grass"):
        network.log_prob(bad)
