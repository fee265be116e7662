"""Writing BIF: texts, files, and networks of the field."""

import gzip
import os
import re
import stat
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from bif_texts import COIN, ONE, exactly_equal
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesbook.base import BIFError
from bayesbook.network import (
    BayesianNetwork,
    format_bif,
    load_network,
    network_catalogue,
    parse_bif,
    read_bif,
    write_bif,
)
from bayesbook.probability import Table

# -- writing -----------------------------------------------------------


def test_what_is_written():
    assert format_bif(parse_bif(COIN)).replace("0.0;", "0;") == COIN
    both = """probability ( x | a, b ) {
  (h, x) 1.0;
  (t, x) 1.0;
  (h, y) 1.0;
  (t, y) 1.0;
  (h, z) 1.0;
  (t, z) 1.0;
}
"""
    network = parse_bif(f"{COIN}{ONE}probability ( x | a b ) {{default 1;}}")
    assert both in format_bif(network)


names = st.one_of(
    st.text(min_size=1, max_size=6),
    st.text('{}()[];|, /*-+.<>="\n\r\t0unknow', min_size=1, max_size=6),
    st.sampled_from(
        ["network", "table", "default", "0.5", "a b", "Größe", "甜度", "//",
         "/*", "unknown", ";", "\x85", "\u2028", "\ufeff", "'", "\\", "1/3"]
    ),
)  # fmt: skip
holdable = names.filter(
    lambda name: not set(name) & set('"\r\n') and name.isprintable()
) | st.sampled_from(["\x85", "\u2028", "\ufeff", "\0", "\x1c", "a\tb"])


@st.composite
def networks(draw):
    nodes = draw(st.lists(holdable, min_size=1, max_size=6, unique=True))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    states = {
        node: draw(
            st.lists(
                holdable | st.just(""), min_size=1, max_size=4, unique=True
            )
        )
        for node in nodes
    }
    tables = []
    for i, node in enumerate(nodes):
        parents = draw(
            st.lists(st.sampled_from(nodes[:i]), unique=True, max_size=3)
            if i
            else st.just([])
        )
        axes = {name: states[name] for name in (*parents, node)}
        sizes = [len(own) for own in axes.values()]
        distributions = rng.dirichlet(np.full(sizes[-1], 0.2), size=sizes[:-1])
        tables.append(Table(distributions.reshape(sizes), axes, given=parents))
    rng.shuffle(tables)
    return BayesianNetwork(tables, name=draw(holdable | st.just("")))


@settings(deadline=None)
@given(networks())
def test_the_round_trip_is_exact_to_the_last_bit(network):
    text = format_bif(network, quotes=True)
    assert exactly_equal(parse_bif(text), network)
    assert format_bif(parse_bif(text), quotes=True) == text
    # Other line breaks, and a text that begins with a byte order mark.
    assert exactly_equal(parse_bif(text.replace("\n", "\r\n")), network)
    assert exactly_equal(parse_bif(f"\ufeff{text}"), network)


@settings(deadline=None)
@given(names, st.booleans())
def test_every_name_is_written_or_refused(name, is_state):
    node, state = ("x", name) if is_state else (name, "s")
    network = BayesianNetwork([Table([1.0], {node: [state]})])
    if set(name) & set('"\r\n'):
        with pytest.raises(BIFError, match="double quote"):
            format_bif(network)
        return
    quoted = format_bif(network, quotes=True)
    assert exactly_equal(parse_bif(quoted), network)
    if '"' in quoted.partition("\n")[2]:
        with pytest.raises(BIFError, match="write quotes=True"):
            format_bif(network)
    else:
        assert format_bif(network) == quoted


def read_by_pgmpy(text):
    """Return the states of each node, as pgmpy 1.1.2 reads them.

    These are the expressions of its BIFReader: quotes are white space, and a
    lone variable is a word.
    """
    text = text.replace('"', " ")
    states = {
        name.strip(): [state.strip() for state in listed.split(",")]
        for name, listed in re.findall(
            r"variable([^{]+)\{\s*type discrete \[ \d+ \] \{([^}]+)\};", text
        )
    }
    for node, parents in re.findall(
        r"probability\s*\(\s*(.+?)(?:\s*\|\s*(.+?))?\s*\)", text
    ):
        nodes = [node, *parents.split(",")] if parents else node.split()
        assert {name.strip() for name in nodes if name} <= states.keys()
    return states


# An identifier, and a whole number, in the grammar of pyAgrum 3.3.1,
# SyntaxBIF.atg; it reads identifiers as nodes, and either as a state.
IDENTIFIER = r"[A-Za-z_][\w.?%-]*|\d+[A-DF-Za-df-z_][\w.?%-]*"
WHOLE = r"[+-]?\d+"


@pytest.mark.parametrize(
    ("name", "written"),
    [("", "unknown"), ("lawn_2", "lawn_2"), ("unknown", '"unknown"'),
     ("my lawn", '"my lawn"'), ("größe", '"größe"'), ("a/b", '"a/b"')],
)  # fmt: skip
def test_the_name_of_a_network_may_be_in_quotes(name, written):
    """pyAgrum 3.3.1 and pgmpy 1.1.2 read all of these."""
    asia = BayesianNetwork(load_network("asia").tables.values(), name=name)
    text = format_bif(asia)
    assert text.startswith(f"network {written} {{")
    assert exactly_equal(parse_bif(text, exact=True), asia)


@settings(deadline=None)
@given(st.text('ab1_.?%-/<>= (){}[];,|"é', min_size=1, max_size=5))
def test_names_that_others_do_not_read_are_not_written(name):
    network = BayesianNetwork(
        [
            Table([0.5, 0.5], {name: ["s", name]}),
            Table(np.full((2, 2), 0.5), {name: ["s", name], "X": "ab"}, name),
        ]
    )
    try:
        text = format_bif(network)
    except BIFError:
        assert not re.fullmatch(f"{IDENTIFIER}|{WHOLE}", name, re.ASCII)
        return
    assert '"' not in text
    assert read_by_pgmpy(text) == {name: ["s", name], "X": ["a", "b"]}


def test_fractions():
    five = load_network("five")
    assert parse_bif(format_bif(five), exact=True) == five
    assert parse_bif(format_bif(five)).tables["x1"].values.tolist() == [
        0.6,
        0.4,
    ]
    thirds = five.replace(Table(["1/3", "2/3"], {"x1": ("low", "high")}))
    text = format_bif(thirds, exact=True)
    assert "table 1/3, 2/3;" in text
    assert exactly_equal(parse_bif(text, exact=True), thirds)
    floats = format_bif(thirds)
    assert "table 0.3333333333333333, 0.6666666666666666;" in floats
    assert parse_bif(text).tables["x1"] == parse_bif(floats).tables["x1"]
    half = Fraction(10**2500 // 2 + 1, 10**2500)
    long = five.replace(Table([half, 1 - half], {"x1": ("low", "high")}))
    assert "table 0.5, 0.5;" in format_bif(long)
    with pytest.raises(BIFError, match="exact=False"):
        format_bif(long, exact=True)


def test_states_that_are_no_texts_are_refused_or_made_texts_if_asked():
    numbers = BayesianNetwork([Table([0.5, 0.5], {"X": (0, 1)})])
    with pytest.raises(BIFError, match="0, of type int; BIF holds texts only"):
        format_bif(numbers)
    text = format_bif(numbers, as_text=True)
    assert parse_bif(text).states["X"] == ("0", "1")
    twice = BayesianNetwork([Table([0.5, 0.5], {"X": (1, "1")})])
    with pytest.raises(BIFError, match="the same text"):
        format_bif(twice, as_text=True)


@pytest.mark.parametrize("name", ['a"b', "a\nb", "a\rb", "\ud800"])
def test_names_that_the_format_cannot_hold(name):
    for network in (
        BayesianNetwork([Table([1.0], {name: ("s",)})]),
        BayesianNetwork([Table([1.0], {"X": (name,)})]),
        BayesianNetwork([Table([1.0], {"X": ("s",)})], name=name),
    ):
        with pytest.raises(BIFError, match="choose another"):
            format_bif(network)


# -- files -------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["bif", "bif.gz", "BIF.GZ"])
def test_files(tmp_path, suffix):
    alarm = load_network("alarm")
    path = tmp_path / f"alarm.{suffix}"
    write_bif(alarm, path)
    assert exactly_equal(read_bif(str(path)), alarm)
    assert read_bif(path, name="mine").name == "mine"
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == suffix.endswith(
        ("z", "Z")
    )
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    write_bif(load_network("five"), path, exact=True)
    assert exactly_equal(read_bif(path, exact=True), load_network("five"))


def test_compressed_files_hold_no_time_and_no_name(tmp_path):
    for name in ("a.bif.gz", "b.bif.gz"):
        write_bif(load_network("asia"), tmp_path / name)
    data = (tmp_path / "a.bif.gz").read_bytes()
    assert data == (tmp_path / "b.bif.gz").read_bytes()
    assert data[3:8] == bytes(5)


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "broken.bif"
    path.write_text(COIN[:-30])
    with pytest.raises(BIFError, match=r"^broken.bif, line 13, column"):
        read_bif(path)
    path.write_bytes(COIN.replace("coin", "mün").encode("latin-1"))
    with pytest.raises(BIFError, match="line 1, column 10: The byte 0xfc is"):
        read_bif(path)
    path.write_bytes(gzip.compress(COIN.encode()))
    with pytest.raises(BIFError, match=r"^broken.bif: .* ends in '.gz'"):
        read_bif(path)
    with pytest.raises(FileNotFoundError):
        read_bif(tmp_path / "none.bif")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:100], "cut off"),
        (lambda data: b"", "cut off|begins with"),
        (lambda data: COIN.encode(), "drop the '.gz'"),
        (lambda data: data[:60] + b"\0" * 20 + data[80:], "damaged"),
        (lambda data: data[:-8] + bytes(8), "damaged"),
    ],
)
def test_damaged_compressed_files(tmp_path, change, message):
    path = tmp_path / "asia.bif.gz"
    write_bif(load_network("asia"), path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(BIFError, match=message):
        read_bif(path)


def test_a_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.bif.gz"
    with gzip.open(path, "wb", 1) as file:
        for _ in range(64):
            file.write(b" " * 2**20)
    start = time.process_time()
    with pytest.raises(BIFError, match="more than 16,777,216 characters"):
        read_bif(path)
    assert time.process_time() - start < 5


def test_a_write_that_fails_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "asia.bif"
    write_bif(load_network("asia"), path)
    before = path.read_bytes()
    numbers = BayesianNetwork([Table([0.5, 0.5], {"X": (0, 1)})])
    with pytest.raises(BIFError):
        write_bif(numbers, path)

    def fail(*_):
        raise OSError("No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="No space left"):
                write_bif(load_network("five"), path)
        assert path.read_bytes() == before
        assert [file.name for file in tmp_path.iterdir()] == ["asia.bif"]
    with pytest.raises(FileNotFoundError):
        write_bif(load_network("five"), tmp_path / "none" / "a.bif")


@pytest.mark.skipif(
    os.name != "posix", reason="permissions and links of POSIX"
)
def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "a.bif", tmp_path / "link.bif"
    write_bif(load_network("asia"), path)
    plain = tmp_path / "plain"
    plain.write_text("")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    link.symlink_to(path)
    write_bif(load_network("five"), link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert read_bif(path).name == "five"


# -- networks of the field ---------------------------------------------


@pytest.mark.parametrize("name", network_catalogue().index)
def test_the_networks_that_travel_come_back_to_the_last_bit(name):
    network = load_network(name)
    text = format_bif(network, exact=network.is_exact)
    copy = parse_bif(text, exact=network.is_exact)
    assert exactly_equal(copy, network)
    assert '"' not in text


def test_a_node_of_many_parents():
    rng = np.random.default_rng(6)
    coins = [Table([0.5, 0.5], {f"v{i}": ("a", "b")}) for i in range(12)]
    axes = dict.fromkeys([*(f"v{i}" for i in range(12)), "x"], ("a", "b"))
    distributions = rng.dirichlet([1, 1], size=(2,) * 12)
    table = Table(distributions, axes, given=list(axes)[:-1])
    network = BayesianNetwork([*coins, table])
    assert exactly_equal(parse_bif(format_bif(network)), network)


def test_paths_may_be_objects_or_texts(tmp_path):
    write_bif(load_network("asia"), os.fspath(tmp_path / "a.bif"))
    assert Path(tmp_path / "a.bif").exists()
