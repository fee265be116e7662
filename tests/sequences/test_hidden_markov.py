"""Hidden Markov models, against sums over all paths and junction trees."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from bayesbook.base import (
    ConvergenceWarning,
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.network import JunctionTree
from bayesbook.sequences import HiddenMarkov, backward, forward, viterbi

WEATHER = HiddenMarkov.from_parameters(
    [0.5, 0.5],
    [[0.9, 0.1], [0.2, 0.8]],
    [[0.7, 0.3], [0.1, 0.9]],
    states=["sun", "rain"],
    symbols=["walk", "shop"],
)
DAYS = ["walk", "shop", "shop", "walk"]


def random_model(rng, K, S, zeros=0.0):
    """Draw a model; some transitions and emissions may be impossible."""

    def rows(*shape):
        p = rng.dirichlet(np.ones(shape[-1]), shape[:-1] or None)
        p = np.where(rng.random(p.shape) < zeros, 0, p) + 1e-9 * (zeros == 0)
        dead = p.sum(axis=-1, keepdims=True) == 0
        p = np.where(dead, 1.0, p)
        return p / p.sum(axis=-1, keepdims=True)

    return HiddenMarkov.from_parameters(rows(K), rows(K, K), rows(K, S))


def all_paths(model, x):
    """Return P(path, x) of every path."""
    start, A, E = model.start_, model.transition_, model.emission_
    joint = {}
    for path in product(range(len(start)), repeat=len(x)):
        p = start[path[0]] * E[path[0], x[0]]
        for t in range(1, len(x)):
            p *= A[path[t - 1], path[t]] * E[path[t], x[t]]
        joint[path] = p
    return joint


@pytest.mark.parametrize("seed", range(30))
def test_everything_is_a_sum_over_paths(seed):
    rng = np.random.default_rng(seed)
    K, S, T = rng.integers(1, 4), rng.integers(2, 4), int(rng.integers(1, 6))
    model = random_model(rng, K, S, zeros=0.3 * (seed % 3))
    x = model.sample(T, rng=rng)[0]
    joint = all_paths(model, x)
    total = sum(joint.values())
    assert model.log_likelihood(x) == pytest.approx(np.log(total))
    posterior, pairs = np.zeros((T, K)), np.zeros((max(T - 1, 0), K, K))
    for path, p in joint.items():
        for t in range(T):
            posterior[t, path[t]] += p / total
        for t in range(T - 1):
            pairs[t, path[t], path[t + 1]] += p / total
    np.testing.assert_allclose(model.posteriors(x), posterior, atol=1e-12)
    np.testing.assert_allclose(model.pair_posteriors(x), pairs, atol=1e-12)
    for t in range(T):
        so_far = all_paths(model, x[: t + 1])
        filtered = np.zeros(K)
        for path, p in so_far.items():
            filtered[path[-1]] += p
        np.testing.assert_allclose(
            model.filter(x)[t], filtered / filtered.sum(), atol=1e-12
        )
    best = model.most_probable_path(x)
    assert joint[tuple(best)] == pytest.approx(max(joint.values()))
    assert model.joint_log_prob(x, best) == pytest.approx(
        np.log(max(joint.values()))
    )
    counts = model.expected_counts(x)
    np.testing.assert_allclose(counts.start, posterior[0], atol=1e-12)
    np.testing.assert_allclose(
        counts.transition, pairs.sum(axis=0), atol=1e-12
    )
    for s in range(S):
        np.testing.assert_allclose(
            counts.emission[:, s], posterior[x == s].sum(axis=0), atol=1e-12
        )


@pytest.mark.parametrize("seed", range(10))
def test_the_fast_way_is_the_definition(seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, 3, 4)
    x = model.sample(60, rng=rng)[0]
    likelihood = model.emission_[:, x].T
    ahead = forward(model.start_, model.transition_, likelihood)
    behind = backward(model.transition_, likelihood)
    np.testing.assert_allclose(
        model.filter(x), ahead / ahead.sum(axis=1, keepdims=True)
    )
    np.testing.assert_allclose(
        model.posteriors(x), ahead * behind / ahead[-1].sum()
    )
    path, log_prob = viterbi(model.start_, model.transition_, likelihood)
    assert model.most_probable_path(x).tolist() == path.tolist()
    assert model.joint_log_prob(x, path) == pytest.approx(log_prob)
    # At each step the messages from both sides give the same P(x).
    np.testing.assert_allclose((ahead * behind).sum(axis=1), ahead[-1].sum())


@pytest.mark.parametrize("seed", range(5))
def test_the_junction_tree_of_the_network_agrees(seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, 3, 2)
    x = model.sample(6, rng=rng)[0]
    network = model.to_network(6)
    evidence = {f"X{t + 1}": int(symbol) for t, symbol in enumerate(x)}
    found = JunctionTree(network).posteriors(evidence)
    for t, row in enumerate(model.posteriors(x), 1):
        np.testing.assert_allclose(row, found[f"Z{t}"].values, atol=1e-12)
    best = network.most_probable(given=evidence)
    path = [best.states[f"Z{t}"] for t in range(1, 7)]
    assert model.most_probable_path(x).tolist() == path


@pytest.mark.parametrize("n", [1000, 8000])
@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_pieces_of_long_sequences_fit_together(n, zeros):
    """Long sequences are cut into pieces; step by step is the same."""
    rng = np.random.default_rng(n)
    model = random_model(rng, 3, 4, zeros)
    x = model.sample(n, rng=1)[0]
    state, total, filtered = None, 0.0, []
    for symbol in x:
        state = (
            model.start_ if state is None else state @ model.transition_
        ) * model.emission_[:, symbol]
        total += np.log(state.sum())
        state = state / state.sum()
        filtered.append(state)
    np.testing.assert_allclose(model.filter(x), filtered, atol=1e-10)
    assert model.log_likelihood(x) == pytest.approx(total)
    gamma, smoothed = filtered[-1], [filtered[-1]]
    for now in filtered[-2::-1]:
        both = now[:, None] * model.transition_
        before = both.sum(axis=0)
        ratio = np.divide(gamma, before, out=np.zeros(3), where=before > 0)
        gamma = both @ ratio
        smoothed.append(gamma)
    np.testing.assert_allclose(model.posteriors(x), smoothed[::-1], atol=1e-9)
    path, log_prob = viterbi(
        model.start_, model.transition_, model.emission_[:, x].T
    )
    found = model.most_probable_path(x)
    # Other paths may be as probable.
    assert model.joint_log_prob(x, found) == pytest.approx(log_prob, rel=1e-11)
    assert model.joint_log_prob(x, path) == pytest.approx(log_prob)


def test_a_hundred_thousand_steps_do_not_underflow():
    x = WEATHER.sample(100_000, rng=0)[0]
    value = WEATHER.log_likelihood(x)
    assert -70_000 < value < -50_000
    posteriors = WEATHER.posteriors(x)
    np.testing.assert_allclose(posteriors.sum(axis=1), 1)
    states = WEATHER.most_probable_path(x)
    assert WEATHER.joint_log_prob(x, states) < value


def test_a_state_that_seems_lost_comes_back():
    """No float holds its filtered probability, and later it is certain."""
    model = HiddenMarkov.from_parameters(
        [0.5, 0.5], np.eye(2), means=[0, 1], covariances=[1e-3, 1e-3]
    )
    # The first observation is for state 0, by e^-1000; then for 1, by more.
    x = np.array([-0.5, 2.0])
    logs = norm.logpdf(x[:, None], [0, 1], np.sqrt(1e-3))
    difference = (logs[:, 0] - logs[:, 1]).sum()
    assert difference < -500
    np.testing.assert_allclose(model.posteriors(x), [[0, 1]] * 2, atol=1e-12)
    assert model.filter(x)[0, 0] == pytest.approx(1)
    assert model.most_probable_path(x).tolist() == [1, 1]
    assert model.log_likelihood(x) == pytest.approx(
        np.log(0.5) + logs[:, 1].sum()
    )
    pairs = model.pair_posteriors(x)
    np.testing.assert_allclose(pairs, [[[0, 0], [0, 1]]], atol=1e-12)
    # The same at the ends of pieces of a long sequence.
    long = np.concatenate([np.full(5000, -0.5), np.full(5001, 2.0)])
    np.testing.assert_allclose(model.posteriors(long)[:, 1], 1, atol=1e-9)


def test_a_faint_state_of_a_chain_that_never_goes_back():
    """A left-to-right chain: the first state fades, and is never lost."""
    model = HiddenMarkov.from_parameters(
        [1, 0], [[0.9, 0.1], [0, 1]], [[0.5, 0.5], [0.4, 0.6]]
    )
    x = np.ones(5000, dtype=int)
    posteriors = model.posteriors(x)
    assert np.all(np.diff(posteriors[:, 1]) >= -1e-12)
    assert posteriors[-1, 0] == pytest.approx(0, abs=1e-12)


# -- properties ---------------------------------------------------------------

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 4), st.integers(1, 40))
def test_posteriors_and_pairs_agree(seed, K, T):
    rng = np.random.default_rng(seed)
    model = random_model(rng, K, 3)
    x = model.sample(T, rng=rng)[0]
    posteriors, pairs = model.posteriors(x), model.pair_posteriors(x)
    np.testing.assert_allclose(posteriors.sum(axis=1), 1)
    np.testing.assert_allclose(pairs.sum(axis=2), posteriors[:-1], atol=1e-9)
    np.testing.assert_allclose(pairs.sum(axis=1), posteriors[1:], atol=1e-9)
    np.testing.assert_allclose(model.filter(x)[-1], posteriors[-1])


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(2, 4))
def test_other_names_and_orders_are_the_same_model(seed, K):
    rng = np.random.default_rng(seed)
    model = random_model(rng, K, 3)
    x = model.sample(20, rng=rng)[0]
    order = rng.permutation(K)
    other = HiddenMarkov.from_parameters(
        model.start_[order],
        model.transition_[np.ix_(order, order)],
        model.emission_[order],
        states=[f"s{k}" for k in order],
        symbols=["a", "b", "c"],
    )
    letters = ["abc"[symbol] for symbol in x]
    assert other.log_likelihood(letters) == pytest.approx(
        model.log_likelihood(x)
    )
    np.testing.assert_allclose(
        other.posteriors(letters), model.posteriors(x)[:, order], atol=1e-9
    )


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_several_sequences_are_each_by_itself(seed, lengths):
    rng = np.random.default_rng(seed)
    model = random_model(rng, 3, 3, zeros=0.2)
    sequences = [model.sample(n, rng=rng)[0] for n in lengths]
    for name in ("filter", "posteriors", "pair_posteriors", "predict"):
        method = getattr(model, name)
        for several, one in zip(
            method(sequences), map(method, sequences), strict=True
        ):
            np.testing.assert_allclose(several, one, atol=1e-12)
    np.testing.assert_allclose(
        model.log_prob(sequences), [model.log_likelihood(x) for x in sequences]
    )
    assert model.log_likelihood(sequences) == pytest.approx(
        model.log_prob(sequences).sum()
    )


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.5]), st.integers(2, 3))
def test_training_never_lowers_the_objective(seed, alpha, K):
    rng = np.random.default_rng(seed)
    x = random_model(rng, 2, 3).sample(60, rng=rng)[0]
    model = HiddenMarkov(K, alpha=alpha, random_state=seed % 1000).fit([x, x])
    history = model.objective_history_
    assert np.all(np.diff(history) >= -1e-9 * abs(history[0]))
    if not alpha:
        assert history[-1] == pytest.approx(2 * model.log_likelihood(x))


# -- training -----------------------------------------------------------------


def test_one_step_divides_the_expected_counts():
    x = ["walk", "shop", "shop", "walk", "shop"]
    counts = WEATHER.expected_counts([x, DAYS])
    with pytest.warns(ConvergenceWarning, match="1 step"):
        model = HiddenMarkov(2, max_iter=1).fit([x, DAYS], start=WEATHER)
    for name, expected in [
        ("start_", counts.start),
        ("transition_", counts.transition),
        ("emission_", counts.emission),
    ]:
        np.testing.assert_allclose(
            getattr(model, name),
            expected / expected.sum(axis=-1, keepdims=True),
        )
    assert model.states_ == ("sun", "rain")
    assert model.n_iter_ == 1


@pytest.mark.parametrize("kind", ["symbols", "measurements"])
def test_hmmlearn_agrees(kind):
    """Where it is installed; it is no part of the environment."""
    hmm = pytest.importorskip("hmmlearn.hmm")
    start, moves = [0.7, 0.3], [[0.9, 0.1], [0.2, 0.8]]
    same = {"n_iter": 5, "tol": -np.inf, "init_params": ""}
    if kind == "symbols":
        model = HiddenMarkov.from_parameters(
            start, moves, [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]
        )
        theirs = hmm.CategoricalHMM(2, **same)
        theirs.emissionprob_ = model.emission_
    else:
        model = HiddenMarkov.from_parameters(
            start,
            moves,
            means=[[0, 0], [2, 1]],
            covariances=[np.eye(2), [[2, 1], [1, 1]]],
        )
        theirs = hmm.GaussianHMM(2, "full", covars_prior=0, **same)
        theirs.means_, theirs.covars_ = model.means_, model.covariances_
    theirs.startprob_, theirs.transmat_ = model.start_, model.transition_
    x = model.sample(600, rng=0)[0]
    rows, lengths = x.reshape(600, -1), [200, 300, 100]
    parts = np.split(x, [200, 500])
    assert model.log_likelihood(parts) == pytest.approx(
        theirs.score(rows, lengths)
    )
    np.testing.assert_allclose(
        np.concatenate(model.posteriors(parts)),
        theirs.predict_proba(rows, lengths),
        atol=1e-9,
    )
    path = np.concatenate(model.predict(parts))
    assert path.tolist() == theirs.predict(rows, lengths).tolist()
    ours = HiddenMarkov(2, model.emissions, var_smoothing=0, max_iter=5)
    with pytest.warns(ConvergenceWarning):
        ours.fit(parts, start=model)
    theirs.fit(rows, lengths)
    np.testing.assert_allclose(ours.start_, theirs.startprob_)
    np.testing.assert_allclose(ours.transition_, theirs.transmat_)
    if kind == "symbols":
        np.testing.assert_allclose(ours.emission_, theirs.emissionprob_)
    else:
        np.testing.assert_allclose(ours.means_, theirs.means_)
        np.testing.assert_allclose(ours.covariances_, theirs.covars_)


def test_training_finds_the_model_of_many_draws():
    X, _ = WEATHER.sample(20_000, rng=0)
    model = HiddenMarkov(random_state=0).fit(X)
    np.testing.assert_allclose(
        model.transition_, WEATHER.transition_, atol=0.03
    )
    np.testing.assert_allclose(
        model.emission_[:, ::-1], WEATHER.emission_, atol=0.03
    )
    assert model.log_likelihood(X) >= WEATHER.log_likelihood(X)
    assert model.converged_


def test_states_that_are_seen_are_counted():
    X, states = WEATHER.sample(5000, rng=0)
    model = HiddenMarkov(2, alpha=1).fit(X, states)
    assert model.states_ == ("rain", "sun")
    code = (states == "sun").astype(int)
    for i, j in product(range(2), repeat=2):
        n = ((code[:-1] == i) & (code[1:] == j)).sum() + 1
        d = (code[:-1] == i).sum() + 2
        assert model.transition_[i, j] == pytest.approx(n / d)
    walks = ((code == 1) & (X == "walk")).sum() + 1
    assert model.emission_[1, 1] == pytest.approx(walks / (code.sum() + 2))


def test_measurements_of_states_that_are_seen():
    X = np.array([[0.0, 1], [1, 0], [5, 5], [7, 4]])
    model = HiddenMarkov(
        2, "gaussian", covariance="diagonal", var_smoothing=0, alpha=1
    ).fit(X, ["a", "a", "b", "b"])
    np.testing.assert_allclose(model.means_, [[0.5, 0.5], [6, 4.5]])
    np.testing.assert_allclose(model.covariances_, [[0.25] * 2, [1, 0.25]])


def test_measurements_are_learned():
    truth = HiddenMarkov.from_parameters(
        [1, 0],
        [[0.95, 0.05], [0.1, 0.9]],
        means=[[0, 0], [3, 1]],
        covariances=[np.eye(2), [[2, 1], [1, 1]]],
        states=["low", "high"],
    )
    X, states = truth.sample(8000, rng=0)
    model = HiddenMarkov(2, "gaussian", random_state=0).fit(X)
    np.testing.assert_allclose(model.means_, truth.means_, atol=0.1)
    np.testing.assert_allclose(
        model.covariances_, truth.covariances_, atol=0.1
    )
    agreement = np.array(truth.states_)[model.predict(X)] == states
    assert agreement.mean() > 0.95
    assert np.all(np.diff(model.objective_history_) >= -1e-6)


def test_one_number_a_step_is_a_column():
    x = np.r_[np.zeros(20), np.full(20, 9.0)] + np.tile([0.1, -0.1], 20)
    one = HiddenMarkov(2, "gaussian", random_state=0).fit(x)
    same = HiddenMarkov(2, "gaussian", random_state=0).fit(x[:, None])
    np.testing.assert_array_equal(one.means_, same.means_)
    np.testing.assert_allclose(sorted(one.means_[:, 0]), [0, 9], atol=0.01)


def test_training_begins_with_distributions():
    """With a single symbol the sequence has the probability one."""
    model = HiddenMarkov(3, random_state=0).fit("aaaaaa")
    np.testing.assert_allclose(model.objective_history_, 0, atol=1e-12)


def test_more_starts_are_better():
    """Here they are better: the first ends in a lower local maximum."""
    x = random_model(np.random.default_rng(3), 3, 4).sample(60, rng=3)[0]
    one, many = (
        HiddenMarkov(3, n_init=n, random_state=5).fit(x) for n in (1, 6)
    )
    assert many.objective_history_[-1] > one.objective_history_[-1] + 0.1


def test_a_progress_bar_is_shown(capsys):
    HiddenMarkov(random_state=0, progress=True).fit("aabbaabab")
    assert "steps" in capsys.readouterr().err


def test_parameters_cannot_be_written():
    for name in ("start_", "transition_", "emission_"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(WEATHER, name)[0] = 1


# -- what is refused -------------------------------------------------------


def coin(**changes):
    given = {
        "start": [0.5, 0.5],
        "transition": [[0.5, 0.5], [0.5, 0.5]],
        "emission": [[0.5, 0.5], [0.5, 0.5]],
    } | changes
    return HiddenMarkov.from_parameters(**given)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": [0.5, 0.6]}, r"start probabilities sums to 1\.1"),
        ({"start": [0.5, np.nan]}, "not a finite number"),
        ({"transition": [[0.5, 0.5], [0.5, 0.6]]}, "Row 1 of the transition"),
        ({"transition": [[0.5, 0.5]]}, r"shape \(1, 2\)"),
        ({"emission": [[1.5, -0.5], [0, 1]]}, "negative"),
        ({"emission": [[0.5, 0.5]]}, "1 rows for 2 states"),
        ({"means": [0, 1], "covariances": [1, 1]}, "either emission"),
        ({"emission": None}, "either emission"),
        (
            {"emission": None, "means": [0, 1], "covariances": [1, 0]},
            "not positive",
        ),
        ({"states": ["a"]}, "1 names of states"),
        ({"symbols": ["a", "a"]}, "'a' is named twice"),
    ],
)
def test_wrong_parameters_are_refused(changes, message):
    with pytest.raises(ProbabilityError, match=message):
        coin(**changes)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "empty"),
        ([["walk"], []], "Sequence 1 is empty"),
        (["walk", "swim"], "symbol at position 1 is 'swim'.*'walk'"),
        ([["walk"], ["shop", "swim"]], "position 1 of sequence 1 is 'swim'"),
        (["walk", None], "position 1 is missing"),
        (["walk", float("nan")], "position 1 is missing"),
        (["walk", ["shop"]], r"Item 1 is \['shop'\]"),
        ({"walk"}, "set"),
        (3, "give a list"),
        (np.array([["walk", "shop"]]), r"shape \(1, 2\)"),
    ],
)
def test_wrong_sequences_are_refused(X, message):
    with pytest.raises(ProbabilityError, match=message):
        WEATHER.posteriors(X)


@pytest.mark.parametrize(
    "name", ["filter", "posteriors", "predict", "log_prob"]
)
def test_an_impossible_sequence_is_named_with_its_position(name):
    model = coin(transition=np.eye(2), emission=np.eye(2))
    with pytest.raises(ZeroProbabilityError, match=r"position 3 .*reached"):
        getattr(model, name)([0, 0, 0, 1, 1])
    with pytest.raises(ZeroProbabilityError, match="position 1 of sequence 1"):
        getattr(model, name)([[0, 0], [1, 0]])
    silent = coin(emission=[[1, 0], [1, 0]])
    with pytest.raises(ZeroProbabilityError, match=r"position 2 .*no state"):
        getattr(silent, name)([0, 0, 1])
    # In a long sequence, too.
    long = np.zeros(9000, dtype=int)
    long[7321:] = 1
    with pytest.raises(ZeroProbabilityError, match="position 7321 "):
        getattr(model, name)(long)


@pytest.mark.parametrize(
    ("model", "X", "message"),
    [
        (HiddenMarkov(0), "ab", "n_states is 0"),
        (HiddenMarkov(4), "ab", "n_states=4, but there are only 2"),
        (HiddenMarkov(2, "gauss"), "ab", "'gauss' is none of"),
        (HiddenMarkov(2, alpha=-1), "ab", "alpha is -1"),
        (HiddenMarkov(2, tol=0), "ab", "tol is 0"),
        (HiddenMarkov(2, symbols="a"), "ab", "'b'"),
        (HiddenMarkov(2, "gaussian"), ["a", "b"], "not numbers"),
        (HiddenMarkov(2, "gaussian"), [1.0, np.nan], "not a finite"),
        (HiddenMarkov(2, "gaussian"), [1.0] * 3, "does not vary"),
        (HiddenMarkov(2, progress=1), "ab", "progress"),
    ],
)
def test_wrong_training_is_refused(model, X, message):
    with pytest.raises(ProbabilityError, match=message):
        model.fit(X)


def test_states_must_match_the_observations():
    with pytest.raises(ProbabilityError, match="lengths"):
        HiddenMarkov(2).fit("aab", states="st")
    with pytest.raises(ProbabilityError, match="has 3 different"):
        HiddenMarkov(2, alpha=1).fit("aab", states="stu")
    with pytest.raises(ProbabilityError, match="'t' is never followed"):
        HiddenMarkov(2).fit("aab", states="sst")
    with pytest.raises(ProbabilityError, match="is 'u'"):
        WEATHER.joint_log_prob(DAYS, ["sun", "u", "sun", "sun"])
    with pytest.raises(ProbabilityError, match="`start` has 2 states"):
        HiddenMarkov(3).fit(DAYS, start=WEATHER)


def test_measurements_have_no_network_and_no_counts():
    model = HiddenMarkov.from_parameters(
        [1], [[1]], means=[0], covariances=[1]
    )
    with pytest.raises(ProbabilityError, match="tables"):
        model.to_network(2)
    with pytest.raises(ProbabilityError, match="not counted"):
        model.expected_counts([0.0])
    with pytest.raises(ProbabilityError, match="2 numbers a step, not 1"):
        model.filter(np.zeros((3, 2)))


def test_training_changes_neither_data_nor_parameters():
    x = np.random.default_rng(0).normal(size=(30, 2))
    before = x.copy()
    x.flags.writeable = False
    model = HiddenMarkov(2, "gaussian", random_state=0)
    parameters = model.get_params()
    assert model.fit(x) is model
    assert model.get_params() == parameters
    assert np.array_equal(x, before)
    by_columns = HiddenMarkov(2, "gaussian", random_state=0)
    by_columns.fit(np.asfortranarray(x))
    assert by_columns.means_ == pytest.approx(model.means_)
