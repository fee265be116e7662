import gzip
import hashlib
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from bayesbook.base import ProbabilityError
from bayesbook.network import load_network, network_catalogue, parse_bif
from bayesbook.network.examples import _load

ROOT = Path(__file__).parents[2]
DATA = files("bayesbook") / "data" / "networks"
TYPED_IN = ["five", "asia"]
CATALOGUE = network_catalogue()

# Nodes, edges and free parameters, as published with the repository,
# https://www.bnlearn.com/bnrepository. Some lists give insurance 984
# parameters; the file has 1008.
PUBLISHED = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "survey": (6, 6, 21),
    "sachs": (11, 17, 178),
    "child": (20, 25, 230),
    "insurance": (27, 52, 1008),
    "water": (32, 66, 10083),
    "mildew": (35, 46, 540150),
    "alarm": (37, 46, 509),
    "barley": (48, 84, 114005),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "win95pts": (76, 112, 574),
    "pathfinder": (109, 195, 72079),
    "munin1": (186, 273, 15622),
    "andes": (223, 338, 1157),
    "diabetes": (413, 602, 429409),
    "pigs": (441, 592, 5618),
    "link": (724, 1125, 14211),
    "munin": (1041, 1397, 80592),
}

# The file of the repository, word for word.
ASIA = """network unknown {
}
variable asia {
  type discrete [ 2 ] { yes, no };
}
variable tub {
  type discrete [ 2 ] { yes, no };
}
variable smoke {
  type discrete [ 2 ] { yes, no };
}
variable lung {
  type discrete [ 2 ] { yes, no };
}
variable bronc {
  type discrete [ 2 ] { yes, no };
}
variable either {
  type discrete [ 2 ] { yes, no };
}
variable xray {
  type discrete [ 2 ] { yes, no };
}
variable dysp {
  type discrete [ 2 ] { yes, no };
}
probability ( asia ) {
  table 0.01, 0.99;
}
probability ( tub | asia ) {
  (yes) 0.05, 0.95;
  (no) 0.01, 0.99;
}
probability ( smoke ) {
  table 0.5, 0.5;
}
probability ( lung | smoke ) {
  (yes) 0.1, 0.9;
  (no) 0.01, 0.99;
}
probability ( bronc | smoke ) {
  (yes) 0.6, 0.4;
  (no) 0.3, 0.7;
}
probability ( either | lung, tub ) {
  (yes, yes) 1.0, 0.0;
  (no, yes) 1.0, 0.0;
  (yes, no) 1.0, 0.0;
  (no, no) 0.0, 1.0;
}
probability ( xray | either ) {
  (yes) 0.98, 0.02;
  (no) 0.05, 0.95;
}
probability ( dysp | bronc, either ) {
  (yes, yes) 0.9, 0.1;
  (no, yes) 0.7, 0.3;
  (yes, no) 0.8, 0.2;
  (no, no) 0.1, 0.9;
}
"""


@pytest.mark.parametrize("name", CATALOGUE.index)
def test_every_network_is_what_the_catalogue_says(name):
    network = load_network(name)
    row = CATALOGUE.loc[name]
    assert network.name == name
    assert len(network) == row["nodes"]
    assert network.graph.number_of_edges() == row["edges"]
    assert network.n_parameters == row["parameters"]
    largest = 1 + max(len(network.parents(node)) for node in network)
    assert largest == row["largest_family"]


def test_sizes_are_the_published_ones():
    sizes = {
        name: (row.nodes, row.edges, row.parameters)
        for name, row in zip(
            CATALOGUE.index, CATALOGUE.itertuples(), strict=True
        )
    }
    assert sizes == {"five": (5, 4, 10), **PUBLISHED}


def test_the_catalogue_lists_what_there_is_by_size():
    shipped = {
        entry.name.removesuffix(".bif.gz")
        for entry in DATA.iterdir()
        if entry.name.endswith(".gz")
    }
    assert set(CATALOGUE.index) == shipped | set(TYPED_IN)
    assert CATALOGUE["nodes"].is_monotonic_increasing
    assert not CATALOGUE.isna().any().any()
    assert set(CATALOGUE["licence"]) == {
        "part of this library",
        "CC BY-SA 3.0",
    }
    # A caller may change the frame.
    del network_catalogue()["nodes"]
    assert "nodes" in network_catalogue()


def test_the_files_are_the_repository_s_and_hold_no_time():
    sums = (DATA / "SHA256SUMS").read_text().splitlines()
    for line in sums:
        expected, name = line.split("  ")
        data = (DATA / f"{name}.gz").read_bytes()
        # No flags (such as a name), and no time of modification.
        assert data[3:8] == bytes(5)
        assert hashlib.sha256(gzip.decompress(data)).hexdigest() == expected
    assert len(sums) == len(CATALOGUE) - len(TYPED_IN)


def test_origin_and_licence_are_stated():
    readme = (DATA / "README.md").read_text()
    for name, row in CATALOGUE.drop(index=TYPED_IN).iterrows():
        assert f"| {name} | {row['about']} | {row['reference']} |" in readme
    licence = (ROOT / "LICENSE").read_text()
    for text in (readme, licence):
        assert "https://creativecommons.org/licenses/by-sa/3.0" in text
    assert "Share Alike" in (ROOT / "README.md").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "CC-BY-SA-3.0" in project["license"]


def test_asia_is_the_file_of_the_repository():
    typed, read = load_network("asia"), parse_bif(ASIA, exact=True)
    assert typed == read
    assert typed.is_exact
    assert typed.nodes == read.nodes
    assert [typed.parents(n) for n in typed] == [
        read.parents(n) for n in typed
    ]


def test_asia_is_that_of_the_paper():
    # Lauritzen and Spiegelhalter (1988) compute these without evidence.
    joint = load_network("asia").to_table()
    assert float(joint.marginal("tub").values[0]) == 0.0104
    assert float(joint.marginal("lung").values[0]) == 0.055
    assert float(joint.marginal("bronc").values[0]) == 0.45


def test_five_has_the_independences_of_its_graph_and_no_others():
    five = load_network("five")
    joint = five.to_table()
    assert joint.independent("x3", "x4", given="x1").holds
    assert joint.independent("x4", "x5", given="x2").holds
    assert joint.independent("x1", "x2").holds
    for x, y, given in [
        ("x3", "x4", ()),
        ("x4", "x5", ()),
        ("x1", "x2", "x4"),
        ("x1", "x3", ()),
        ("x3", "x5", "x4"),
    ]:
        assert not joint.independent(x, y, given=given).holds
    assert five.is_exact


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("alarms", "Did you mean 'alarm'?"),
        ("Asia", "Did you mean 'asia'?"),
        ("../networks/alarm", "There is no network"),
        (None, "There is no network None; there are 'five', .* 'munin'"),
        (["alarm"], "There is no network"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(ProbabilityError, match=re.escape(message[:20])):
        load_network(name)
    with pytest.raises(ProbabilityError, match=message.replace("?", r"\?")):
        load_network(name)


def test_a_second_call_reads_nothing():
    assert load_network("alarm") is load_network("alarm")
    _load.cache_clear()
