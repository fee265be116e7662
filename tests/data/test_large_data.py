"""Data larger than memory: whatever comes in parts gives what is whole."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from itertools import pairwise
from unittest.mock import patch

import dask
import dask.array
import dask.dataframe as dd
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from distributed import Client, KilledWorker, LocalCluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from bayesbook.base import ProbabilityError
from bayesbook.data import (
    Cases,
    chunks,
    count_classes,
    count_families,
    count_joint,
    count_pairs,
    count_states,
    read_cases,
    sum_by_class,
)
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
    monkeypatch.setattr(chunks, "_IN_MEMORY", 0)


# Columns of every kind that states can be of.
KINDS = {
    "text": (st.sampled_from(["c", "a", "b"]), None),
    "number": (st.integers(0, 3), None),
    "float": (st.sampled_from([0.0, 2.0, 1.0]), None),
    "truth": (st.booleans(), None),
    "mixed": (st.sampled_from([3, "x", 1, None]), object),
    "category": (
        st.sampled_from(["low", "high"]),
        pd.CategoricalDtype(["none", "low", "high"], ordered=True),
    ),
    "gap": (st.sampled_from(["a", "b", None]), None),
}


WEIGHTS = st.integers(0, 3)


@st.composite
def frames(draw, kinds=tuple(KINDS), weights=WEIGHTS):
    """Draw a frame with a column `weight`."""
    n = draw(st.integers(1, 30))

    def column(values, dtype=None):
        rows = draw(st.lists(values, min_size=n, max_size=n))
        return pd.Series(rows, dtype=dtype)

    frame = pd.DataFrame({name: column(*KINDS[name]) for name in kinds})
    # A column without any value is an error, which is tested elsewhere.
    frame = frame.loc[:, frame.notna().any()]
    return frame.assign(weight=column(weights))


@st.composite
def cut(draw, frame):
    """Cut a frame into chunks, with columns in any order."""
    places = draw(st.lists(st.integers(0, len(frame)), max_size=8))
    bounds = [0, *sorted(places), len(frame)]
    chunks = []
    for start, stop in pairwise(bounds):
        order = draw(st.permutations(list(frame)))
        chunks.append(frame.iloc[start:stop][list(order)])
    return chunks


def in_order_of_the_first(chunks):
    return pd.concat([own for own in chunks if len(own)])[list(chunks[0])]


def assert_same_cases(cases, wanted, *, exact=True):
    assert cases.names == wanted.names
    assert list(map(repr, cases.states.items())) == list(
        map(repr, wanted.states.items())
    )
    assert cases.n_rows == len(cases) == wanted.n_rows
    assert cases.has_missing == wanted.has_missing
    for own, other in zip(cases.columns, wanted.columns, strict=True):
        np.testing.assert_array_equal(own, other, strict=True)
    assert (cases.weights is None) == (wanted.weights is None)
    if wanted.weights is not None:
        np.testing.assert_array_equal(cases.weights, wanted.weights)
    first, last = wanted.names[0], wanted.names[-1]
    families = {(), (first,), (last, first), wanted.names[::-1][:3]}
    families = [own for own in families if len(set(own)) == len(own)]
    tables = zip(cases.count(families), wanted.count(families), strict=True)
    distinct, all_distinct = cases.distinct(), wanted.distinct()
    for own, other in zip(distinct.columns, all_distinct.columns, strict=True):
        np.testing.assert_array_equal(own, other)
    numbers = [
        *tables,
        (cases.count_pairs(), wanted.count_pairs()),
        (distinct.weights, all_distinct.weights),
        (cases.total, wanted.total),
    ]
    for own, other in numbers:
        if exact:
            np.testing.assert_array_equal(own, other)
        else:
            np.testing.assert_allclose(own, other, rtol=1e-13)


@given(st.data(), st.sampled_from(["list", "function", "iterator"]))
def test_chunks_are_the_frame(data, how):
    frame = data.draw(frames())
    chunks = data.draw(cut(frame))
    weights = data.draw(st.sampled_from([None, "weight", "others"]))
    if weights is None:
        chunks = [chunk.drop(columns="weight") for chunk in chunks]
    whole = in_order_of_the_first(chunks)
    if weights == "others":
        weights = np.arange(len(frame)) + 1
    elif weights is not None and not whole[weights].any():
        weights = None
    wanted = Cases(whole, weights=weights, missing="keep")
    given = {
        "list": chunks, "function": lambda: iter(chunks),
        "iterator": iter(chunks),
    }[how]  # fmt: skip
    with patch.object(chunks, "_BLOCK", data.draw(st.integers(1, 20))):
        cases = read_cases(given, weights=weights, missing="keep")
        assert_same_cases(cases, wanted)
        some = wanted.names[::-2]
        assert_same_cases(cases.select(some), wanted.select(some))
        pd.testing.assert_frame_equal(cases.to_frame(), wanted.to_frame())
    declared = dict(wanted.states)
    again = read_cases(
        chunks, states=declared, weights=weights, missing="keep"
    )
    assert_same_cases(
        again,
        Cases(whole, states=declared, weights=weights, missing="keep"),
    )


def test_few_rows_are_cases_in_memory(monkeypatch):
    monkeypatch.undo()
    frame = pd.DataFrame({"a": ["x", None, "y"], "w": [1, 2, 3]})
    cases = read_cases([frame[:1], frame[1:]], weights="w", missing="keep")
    assert type(cases) is Cases
    assert_same_cases(cases, Cases(frame, weights="w", missing="keep"))


@given(st.data())
def test_weights_that_are_not_whole_are_added_to_rounding(data):
    frame = data.draw(frames(["text", "number"], st.floats(0.125, 8)))
    chunks = data.draw(cut(frame))
    whole = in_order_of_the_first(chunks)
    wanted = Cases(whole, weights="weight")
    with patch.object(chunks, "_BLOCK", 4):
        cases = read_cases(chunks, weights="weight")
        assert_same_cases(cases, wanted, exact=False)


@given(st.data())
def test_chunks_may_hold_other_types_and_other_states(data):
    """As a frame they would be of the type that holds all of them."""
    kinds = st.sampled_from(
        [
            pd.Series([2, 0]),
            pd.Series([1.0, 0.0, np.nan]),
            pd.Series([True]),
            pd.Series([False, True]),
            pd.Series(["b", "a"]),
            pd.Series(["z"], dtype="string"),
            pd.Series([3, 1], dtype="Int64"),
            pd.Series(["b", 7], dtype=object),
            pd.Series(pd.Categorical(["y", "x"], categories=["y", "x"])),
            pd.Series(pd.to_datetime(["2001-02-03"])),
        ]
    )
    chunks = [
        own.to_frame("a") for own in data.draw(st.lists(kinds, min_size=1))
    ]
    wanted = Cases(pd.concat(chunks), missing="keep")
    cases = read_cases(chunks, missing="keep")
    # True and 1 are equal: which of them it is shows only so.
    assert repr(cases.states) == repr(wanted.states)
    np.testing.assert_array_equal(cases.columns, wanted.columns)


def test_categories_that_differ_are_joined():
    chunks = [
        pd.DataFrame({"a": pd.Categorical(["m"], categories=own)})
        for own in (["m", "z"], ["m", "b"])
    ]
    assert read_cases(chunks).states["a"] == ("b", "m", "z")


def test_a_late_state_that_needs_a_wider_code():
    """The first chunks are written with one byte for each value."""
    frame = pd.DataFrame({"a": [*range(300, 0, -1)] * 3, "b": 0})
    chunks = [frame[start : start + 50] for start in range(0, 900, 50)]
    with patch.object(chunks, "_BLOCK", 64):
        cases = read_cases(chunks)
        assert_same_cases(cases, Cases(frame))
    kinds = {block.kinds[0] for block in cases._columns[0]._spool.blocks}
    assert kinds == {np.dtype("int8"), np.dtype("int16")}
    assert cases.columns[0].dtype == np.int16


def chunk(*rows, name="a"):
    return pd.DataFrame({name: rows})


MEASURED = np.linspace(0, 1, 7)


@pytest.mark.parametrize(
    ("chunks", "given", "message"),
    [
        ([chunk(1), chunk(1, name="b")], {}, "Chunk 1: It has no column 'a'"),
        (
            [chunk(1), chunk(1).assign(b=1)],
            {},
            "Chunk 1: It has a column 'b', which the chunks before",
        ),
        ([chunk(1)[:0], chunk(1)[:0]], {}, "No row is in 2 chunks"),
        ([], {}, "No row is in 0 chunks"),
        (
            [chunk(1), None],
            {},
            "Chunk 1 is of the type NoneType",
        ),
        (
            [*[chunk("x", "y")] * 7, chunk("x", "Y")],
            {"states": {"a": ["x", "y"]}},
            "Chunk 7: Column 'a' in row 1 is 'Y', which is none of 'x', 'y'",
        ),
        (
            [chunk("x"), chunk("x", None, None)],
            {},
            r"Chunk 1: Column 'a' has no value in row 1 \(2 gaps in it\)",
        ),
        ([chunk(1), chunk(*MEASURED)], {}, "Chunk 1: .* holds measurements"),
        (
            [chunk(*range(20)), chunk(*range(20, 30))],
            {},
            "'a' has 30 different values in 30 rows",
        ),
        (
            [chunk(None, None), chunk(None)],
            {"missing": "keep"},
            "Column 'a' has no value in any row",
        ),
        ([chunk(1)], {"weights": "w"}, "Chunk 0: There is no column 'w'"),
        (
            [chunk(1).assign(w=1), chunk(1).assign(w=-1)],
            {"weights": "w"},
            "Chunk 1: The weight in row 0 of column 'w' is -1: negative",
        ),
        (
            [chunk(1).assign(w=0), chunk(1).assign(w=0)],
            {"weights": "w"},
            "weights of all rows are zero",
        ),
        ([chunk(1), chunk(2)], {"weights": [1]}, "There are 1 rows, but 0 w"),
        ([chunk(1), chunk(2)], {"weights": [1, 2, 3]}, "2 rows, but 3 weig"),
        ([chunk(1)], {"weights": 3}, r"The weights have the shape \(\);"),
        ([chunk(1)], {"weights": [[3]]}, r"weights have the shape \(1, 1\)"),
        ([chunk(1)], {"states": {"b": [1]}}, "Chunk 0: States are given of"),
        ([chunk(1)], {"missing": "drop"}, '"error" or "keep", not \'drop\''),
        (
            [chunk(1), pd.concat([chunk(1)] * 2, axis=1)],
            {},
            "Chunk 1: Two columns are called 'a'",
        ),
        ([chunk(1, name=0)], {}, "Chunk 0: The column 0 has no name that is"),
    ],
)
def test_errors_say_which_chunk(chunks, given, message):
    with pytest.raises(ProbabilityError, match=message):
        read_cases(iter(chunks), **given)


def test_too_many_states_are_noticed_before_they_fill_the_memory():
    chunks = (
        chunk(*range(start, start + 100)) for start in range(0, 800, 100)
    )
    with (
        patch.object(chunks, "_MANY_STATES", 250),
        pytest.raises(ProbabilityError, match=r"Chunk 2: .* 300 different"),
    ):
        read_cases(chunks)
    assert len(list(chunks)) == 5


def test_cases_in_a_file_travel_as_cases_in_memory():
    frame = pd.DataFrame({"a": ["x", "z", "y"], "w": [1, 2, 3]})
    cases = read_cases([frame[:1], frame[1:]], weights="w")
    assert type(cases) is not Cases
    there = pickle.loads(pickle.dumps(cases))
    assert type(there) is Cases
    assert_same_cases(there, Cases(frame, weights="w"))


def test_an_iterator_is_empty_the_second_time():
    chunks = iter([chunk(1, 2)])
    assert len(read_cases(chunks)) == 2
    with pytest.raises(ProbabilityError, match="only once"):
        read_cases(chunks)


def test_what_a_function_opens_is_closed():
    log = []

    def read():
        try:
            yield chunk(1)
            yield chunk(None)
        finally:
            log.append("closed")

    with pytest.raises(ProbabilityError, match="Chunk 1"):
        read_cases(read)
    assert log == ["closed"]


def test_the_file_goes_away(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken():
        yield chunk(1, 2)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        read_cases(broken())
    cases = read_cases([chunk(1, 2, 2)])
    assert cases.count([("a",)])[0].tolist() == [1, 2]
    file = cases._columns[0]._spool._file
    assert not list(tmp_path.iterdir())
    assert not file.closed
    del cases
    assert file.closed


def test_cases_of_chunks_are_read_again_as_cases_are():
    cases = read_cases([chunk(1), chunk(None)], missing="keep")
    assert read_cases(cases, missing="keep") is cases
    with pytest.raises(ProbabilityError, match="Chunk 1: Column 'a' has no"):
        read_cases(cases)
    with pytest.raises(ProbabilityError, match="have their weights already"):
        read_cases(cases, weights="a")


@settings(max_examples=12)
@given(st.data())
def test_partitions_are_the_frame(data):
    frame = data.draw(frames(["text", "number", "truth", "category", "gap"]))
    n_parts = data.draw(st.integers(1, 12))
    weights = "weight" if frame["weight"].any() else None
    wanted = Cases(frame, weights=weights, missing="keep")
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
        some = wanted.names[::-2]
        assert_same_cases(cases.select(some), wanted.select(some))


def partitions(*chunks):
    return dd.from_delayed([dask.delayed(own) for own in chunks])


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
            "No row is in 2 partitions",
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
        (
            lambda: dask.array.ones(3),
            {},
            "a data frame is wanted, .* not Array",
        ),
    ],
)
def test_errors_say_which_partition(data, given, message):
    with (
        dask.config.set(scheduler="sync"),
        pytest.raises(ProbabilityError, match=message),
    ):
        read_cases(data(), **given)


def test_the_first_gap_in_partitions_is_reported_later():
    gap, none = chunk("x", None), chunk("x")
    with dask.config.set(scheduler="sync"):
        data = partitions(none, gap, gap, *[none] * 8, gap)
        cases = read_cases(data, missing="keep")
    with pytest.raises(ProbabilityError, match="Partition 1: Column 'a' has"):
        read_cases(cases)


def test_the_empty_family_of_partitions_is_the_number_of_rows():
    with dask.config.set(scheduler="sync"):
        cases = read_cases(partitions(chunk("x"), chunk("x", "y")))
        (table,) = cases.count([()])
        assert cases.count([]) == []
    np.testing.assert_array_equal(table, np.array(3.0), strict=True)


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


# -- the functions of `counts` ----------------------------------------------

N_STATES = [2, 3, 5]


@given(st.data(), st.booleans())
def test_dask_arrays_are_counted_block_by_block(data, weighted):
    n = data.draw(st.integers(0, 40))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    codes = rng.integers(-1, N_STATES, (n, 3)).astype(np.int8)
    y, weights = rng.integers(0, 2, n), None
    blocks = data.draw(st.integers(1, n + 1)), data.draw(st.integers(1, 3))
    rows = dask.array.from_array(codes, chunks=blocks)
    labels = dask.array.from_array(y, chunks=data.draw(st.integers(1, n + 1)))
    own = None
    if weighted:
        # What is not Dask's is cut as the rest is.
        weights = own = rng.integers(0, 4, n).astype(float)
    families = [(0, 1), (2,), (2, 0), ()]
    pairs = [
        (count_classes(labels, 2, own), count_classes(y, 2, weights)),
        (
            count_joint(rows, N_STATES, own),
            count_joint(codes, N_STATES, weights),
        ),
        (
            sum_by_class(rows, labels, 2, own),
            sum_by_class(codes, y, 2, weights),
        ),
        *(
            (
                count(rows, labels, N_STATES, 2, weights=own),
                count(codes, y, N_STATES, 2, weights=weights),
            )
            for count in (count_states, count_pairs)
        ),
        *zip(
            count_families(list(rows.T), N_STATES, families, own),
            count_families(list(codes.T), N_STATES, families, weights),
            strict=True,
        ),
    ]
    for found, wanted in pairs:
        np.testing.assert_array_equal(found, wanted, strict=True)


def test_sparse_blocks_are_added_up():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, (20, 4)), rng.integers(0, 2, 20)
    rows = dask.array.from_array(X, chunks=(6, 4))
    rows = rows.map_blocks(sparse.csr_matrix)
    labels = dask.array.from_array(y, chunks=6)
    np.testing.assert_array_equal(
        sum_by_class(rows, labels, 2), sum_by_class(X, y, 2)
    )


def test_labels_may_be_of_a_series():
    y = pd.Series([0, 1, 1, 0, 1])
    labels = dd.from_pandas(y, npartitions=2)
    assert count_classes(labels, 2).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("rows", "y", "message"),
    [
        ([3, 2], [3, 2], "Partition 1: The class in row 1 is 2"),
        ([3, 2], [2, 2, 2], "There are 5 rows in one collection, and 6"),
        ([3, 2], np.zeros(4, int), "There are 5 rows in one collection, and"),
    ],
)
def test_errors_say_which_block(rows, y, message):
    X = dask.array.zeros((sum(rows), 1), chunks=(rows, 1), dtype=int)
    if isinstance(y, list):
        y = dask.array.arange(sum(y), chunks=(y,)) // 4 * 2
    with pytest.raises(ProbabilityError, match=message):
        count_states(X, y, [1], 2)


def test_blocks_of_unknown_lengths():
    X = dask.array.zeros((5, 1), chunks=(2, 1), dtype=int)
    y = dask.array.zeros(5, chunks=2, dtype=int)
    some, own = X[X[:, 0] == 0], y[y == 0]
    assert count_states(some, own, [1], 1).tolist() == [[5]]
    with pytest.raises(ProbabilityError, match="into 1 and into 3 parts"):
        count_states(some, y.rechunk(5), [1], 1)
    with pytest.raises(ProbabilityError, match="together with ndarray"):
        count_states(some, np.zeros(5, int), [1], 1)


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


def workers(n):
    return LocalCluster(
        n_workers=n,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
    )


@pytest.fixture(scope="module")
def client():
    with workers(2) as cluster, Client(cluster) as client:
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


def test_a_worker_that_dies_and_may_not_is_an_error(asia, tmp_path):
    once = {"distributed.scheduler.allowed-failures": 0}
    with (
        dask.config.set(once),
        workers(1) as cluster,
        Client(cluster),
        pytest.raises(KilledWorker),
    ):
        read_cases(deadly(asia, tmp_path / "flag"))


def test_nobody_needs_dask_who_has_no_data_of_it():
    code = (
        "import sys, bayesbook.network, bayesbook.naive_bayes.semi_naive\n"
        "from bayesbook.data.cases import read_cases\n"
        "import pandas as pd\n"
        "read_cases([pd.DataFrame({'a': [1, 2]})])\n"
        "print({'dask', 'distributed'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert run.stdout == "set()\n", run.stderr
