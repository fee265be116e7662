"""Frames of Dask: what is counted by partitions is what the frame gives."""

import multiprocessing
import os
import signal
import subprocess
import sys

import dask
import dask.array
import dask.dataframe as dd
import networkx as nx
import numpy as np
import pytest
from cases_truth import assert_same_cases, chunk, frames, partitions
from distributed import Client, KilledWorker, LocalCluster
from distributed.utils import get_mp_context
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from bayesbook.base import ProbabilityError
from bayesbook.data import Cases, read_cases
from bayesbook.data import chunks as chunk_module
from bayesbook.naive_bayes import KDB, SPODE, TAN
from bayesbook.network import (
    BIC,
    equivalence_search,
    fit_parameters,
    hill_climb,
    load_network,
    tree_search,
)


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    """What would fit into memory stays in the file."""
    monkeypatch.setattr(chunk_module, "_IN_MEMORY", 0)


@pytest.mark.heavy
@settings(max_examples=12)
@given(st.data())
def test_partitions_are_the_frame(data):
    frame = data.draw(
        frames(["text", "number", "truth", "category", "missing"])
    )
    n_parts = data.draw(st.integers(1, 12))
    weights = "weight" if frame["weight"].any() else None
    with dask.config.set(scheduler="sync"):
        parts = dd.from_pandas(frame, npartitions=n_parts, sort=False)
        # Some partitions are empty after that.
        parts = parts[parts["number"] < 3]
        whole = frame[frame["number"] < 3]
        if not len(whole) or whole.isna().all().any():
            return
        if weights and not whole["weight"].any():
            return
        wanted = Cases(whole, weights=weights, missing="keep")
        cases = read_cases(parts, weights=weights, missing="keep")
        assert_same_cases(cases, wanted)
        # Its counts alone: to gather the rows again would prove no more.
        some = wanted.names[::-2]
        own, other = cases.select(some), wanted.select(some)
        assert own.states == other.states
        np.testing.assert_array_equal(own.count_pairs(), other.count_pairs())


@pytest.mark.parametrize(
    ("data", "given", "message"),
    [
        (
            lambda: partitions(chunk("x"), chunk("x", "z"), chunk("Y")),
            {"states": {"a": ["x", "y"]}},
            "Partition 1: Column 'a' in row 1 is 'z', which is none",
        ),
        (
            lambda: partitions(chunk("x"), chunk("x", None)),
            {},
            "Partition 1: Column 'a' has no value in row 1",
        ),
        (
            lambda: partitions(chunk("x")[:0], chunk("x")[:0]),
            {},
            "There is no row in 2 partitions",
        ),
        (
            lambda: partitions(chunk(1).assign(w=0.0)),
            {"weights": "w"},
            "weights of all rows are zero",
        ),
        (
            lambda: partitions(chunk(1).assign(w=1)),
            {"weights": [1]},
            "weights of a dask DataFrame must be one of its columns",
        ),
    ],
)
def test_errors_say_which_partition(data, given, message):
    with (
        dask.config.set(scheduler="sync"),
        pytest.raises(ProbabilityError, match=message),
    ):
        read_cases(data(), **given)


def test_an_array_of_dask_is_not_a_frame():
    with pytest.raises(TypeError, match=r"Give a data frame .* not Array"):
        read_cases(dask.array.ones(3))


def test_the_first_missing_value_in_partitions_is_reported_later():
    some, none = chunk("x", None), chunk("x")
    with dask.config.set(scheduler="sync"):
        data = partitions(none, some, some, *[none] * 8, some)
        cases = read_cases(data, missing="keep")
    with pytest.raises(ProbabilityError, match="Partition 1: Column 'a' has"):
        read_cases(cases)


def test_the_empty_family_of_partitions_is_the_number_of_rows():
    with dask.config.set(scheduler="sync"):
        cases = read_cases(partitions(chunk("x"), chunk("x", "y")))
        (table,) = cases.count([()])
        assert cases.count([]) == []
    np.testing.assert_array_equal(table, np.array(3.0), strict=True)


def test_rows_and_weights_are_gathered_in_their_order():
    frame = chunk("y", "x", "y").assign(w=[3, 0, 2])
    with dask.config.set(scheduler="sync"):
        cases = read_cases(dd.from_pandas(frame, npartitions=2), weights="w")
        np.testing.assert_array_equal(cases.weights, [3, 0, 2])
        [codes] = cases.columns
        assert [cases.states["a"][code] for code in codes] == ["y", "x", "y"]


@pytest.mark.parametrize("last", [2, 0])
def test_data_that_change_are_refused(last):
    lengths = iter([3, 3, last])
    data = dd.from_map(
        lambda _: chunk(*"x" * next(lengths)), [0], meta=chunk("x")
    )
    with dask.config.set(scheduler="sync"):
        cases = read_cases(data)
        cases.count_pairs()
        with pytest.raises(ProbabilityError, match=f"now have {last}"):
            cases.count([("a",)])


@pytest.fixture(scope="module")
def asia():
    frame = load_network("asia").sample(5_000, rng=1)
    return frame.sample(frac=1, random_state=2).reset_index(drop=True)


def in_chunks(frame, size=700):
    for start in range(0, len(frame), size):
        yield frame[start : start + size]


def test_parameters_and_scores_of_chunks(asia):
    network = load_network("asia")
    wanted = fit_parameters(network, asia, pseudo_count=1)
    found = fit_parameters(network, in_chunks(asia), pseudo_count=1)
    for node in network:
        np.testing.assert_array_equal(
            found.tables[node].values, wanted.tables[node].values
        )
    score = BIC(asia).total(network)
    assert BIC(in_chunks(asia)).total(network) == score
    with dask.config.set(scheduler="sync"):
        parts = dd.from_pandas(asia, npartitions=5)
        assert BIC(parts).total(network) == score


def test_searches_of_chunks(asia):
    some = asia.iloc[:1500, :6]
    with dask.config.set(scheduler="sync"):
        data = [list(in_chunks(some)), dd.from_pandas(some, npartitions=2)]
        for search in (hill_climb, tree_search, equivalence_search):
            wanted = search(some)
            for own in data:
                found = search(own)
                assert found.score == wanted.score
                assert nx.utils.graphs_equal(found.graph, wanted.graph)


# -- a cluster of processes ------------------------------------------------


@pytest.fixture(scope="module")
def quick_starts():
    """Let workers be copies of a process that has imported all they need.

    Otherwise, as where a system cannot copy a process, each imports it anew.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        yield
        return
    method = "distributed.worker.multiprocessing-method"
    with dask.config.set({method: "forkserver"}):
        needed = [
            "distributed",
            "bayesbook.data.dask_cases",
            "bayesbook.naive_bayes",
        ]
        get_mp_context().set_forkserver_preload(needed)
        yield


@pytest.fixture(scope="module")
def client(quick_starts):
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_a_cluster_counts_as_one_machine(client, asia):
    parts = dd.from_pandas(asia, npartitions=7)
    cases = read_cases(parts)
    assert "at the workers" in repr(cases)
    assert_same_cases(cases, Cases(asia))
    some = ["xray", "asia"]
    assert_same_cases(cases.select(some), Cases(asia[some]))
    network = load_network("asia")
    assert BIC(cases).total(network) == BIC(asia).total(network)


def test_a_cluster_reads_the_data_once(client, asia, tmp_path):
    def read(number):
        with (tmp_path / "log").open("a") as file:
            file.write("*")
        return asia[number::5]

    cases = read_cases(dd.from_map(read, range(5), meta=asia[:0]))
    for _ in range(3):
        cases.count([("asia", "tub"), ("xray",)])
    assert (tmp_path / "log").read_text() == "*****"


def test_errors_of_a_cluster_say_which_partition(client):
    with pytest.raises(ProbabilityError, match=r"Partition 1: .* 'z', wh"):
        read_cases(
            partitions(chunk("x"), chunk("x", "z"), chunk("Y")),
            states={"a": ["x"]},
        )


@pytest.mark.heavy
def test_a_cluster_trains_as_one_machine(client, asia):
    X, y = asia.drop(columns="lung"), asia["lung"]
    data = dd.from_pandas(asia, npartitions=5)
    for model in (TAN(), KDB(k=2), SPODE()):
        wanted = clone(model).fit(X, y)
        model.fit(data.drop(columns="lung"), data["lung"])
        np.testing.assert_array_equal(
            model.predict_joint_log_proba(X), wanted.predict_joint_log_proba(X)
        )


def deadly(asia, flag):
    """Read a part in a worker that dies of it, the first time."""

    def read(number):
        if number == 3 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return asia[number::5]

    return dd.from_map(read, range(5), meta=asia[:0])


@pytest.mark.heavy
def test_a_worker_that_dies_is_replaced(client, asia, tmp_path):
    data = deadly(asia, tmp_path / "flag")
    cases = read_cases(data)
    assert (tmp_path / "flag").exists()
    network = load_network("asia")
    score = BIC(asia).total(network)
    assert BIC(cases).total(network) == score
    # And now one that holds codes, after they have been counted.
    pid = next(iter(client.run(os.getpid).values()))
    os.kill(pid, signal.SIGKILL)
    assert BIC(cases).total(network) == score


def test_a_worker_that_dies_and_may_not_is_an_error(
    client, asia, tmp_path, monkeypatch
):
    monkeypatch.setattr(client.cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(KilledWorker):
        read_cases(deadly(asia, tmp_path / "flag"))


def test_nobody_needs_dask_who_has_no_data_of_it():
    code = (
        "import sys, bayesbook.network, bayesbook.naive_bayes.semi_naive\n"
        "from bayesbook.data.reading import read_cases\n"
        "import pandas as pd\n"
        "read_cases([pd.DataFrame({'a': [1, 2]})])\n"
        "print({'dask', 'distributed'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert run.stdout == "set()\n", run.stderr
