"""What other libraries of Bayesian networks get wrong, each a test.

Found in pgmpy 1.1 and pyAgrum 3.3 when this library was written.
"""

import os
import subprocess
import sys
from fractions import Fraction

import network_truth as truth
import numpy as np
import pandas as pd
import pytest

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    enumerate_posterior,
    gibbs,
    load_network,
    parse_bif,
)

ASIA = BayesianNetwork.from_cpts(*truth.ASIA.as_given(float))
TREE = JunctionTree(ASIA)


def rows(evidence):
    return pd.DataFrame([evidence])


#: Every way to ask for a posterior.
WAYS = {
    "enumerate": lambda known: enumerate_posterior(ASIA, "bronc", known),
    "eliminate": lambda known: eliminate(ASIA, "bronc", known),
    "posteriors": TREE.posteriors,
    "joint": lambda known: TREE.joint(["bronc", "asia"], known),
    "most probable": TREE.most_probable,
    "most probable of some": lambda known: ASIA.most_probable("bronc", known),
    "batch": lambda known: TREE.batch(rows(known)),
}
every_way = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)


@every_way
def test_impossible_evidence_is_not_answered_with_nan(ask):
    with pytest.raises(ZeroProbabilityError) as raised:
        ask({"lung": "yes", "either": "no"})
    assert "lung=yes" in str(raised.value)
    assert "either=no" in str(raised.value)


@every_way
def test_an_unseen_state_is_not_a_bare_index_error(ask):
    with pytest.raises(ProbabilityError, match=r"'maybe'") as raised:
        ask({"lung": "maybe"})
    assert "lung" in str(raised.value)
    assert "'yes', 'no'" in str(raised.value)


@pytest.mark.parametrize("ask", [ASIA.P, ASIA.log_prob])
def test_an_unseen_state_in_a_row_is_no_index_error_either(ask):
    row = dict.fromkeys(truth.ASIA.nodes, "no") | {"lung": "maybe"}
    with pytest.raises(
        ProbabilityError, match=r"(?s)'maybe'.*lung|lung.*'may"
    ):
        ask(row)
    with pytest.raises(
        ProbabilityError, match=r"(?s)'maybe'.*lung|lung.*'may"
    ):
        ASIA.log_prob(rows(row))


def test_numbers_of_a_file_are_not_rounded_to_single_precision():
    """0.99 is not read as 0.99000001."""
    network = parse_bif(
        """
        network one { }
        variable X { type discrete [ 2 ] { a, b }; }
        variable Y { type discrete [ 3 ] { a, b, c }; }
        probability ( X ) { table 0.99, 0.01; }
        probability ( Y | X ) {
          (a) 0.1, 0.2, 0.7;
          (b) 0.123456789012, 0.0, 0.876543210988;
        }
        """
    )
    assert network.tables["X"].P({"X": "a"}) in (0.99, Fraction("0.99"))
    distribution = network.tables["Y"].values
    assert [float(p) for p in distribution[0]] == [0.1, 0.2, 0.7]
    assert float(distribution[1, 0]) == 0.123456789012


def test_gibbs_does_not_enumerate_all_other_variables():
    """Of 2^299 rows of the others none is needed but the Markov blanket."""
    stay = Fraction("0.6")
    net = truth.chain(
        300, {("a",): (stay, 1 - stay), ("b",): (1 - stay, stay)}
    )
    network = BayesianNetwork.from_cpts(*net.as_given(float))
    run = gibbs(network, {"C0": "a"}, size=400, n_chains=8, burn_in=20, rng=0)
    p = run["C1"].P({"C1": "a"})
    assert p == pytest.approx(0.6, abs=0.06)


LINK = """
import re, sys, time
from pathlib import Path
import numpy as np
from bayesbook.network import JunctionTree, load_network
link = load_network("link")
begin = time.process_time()
found = JunctionTree(link).posteriors()
seconds = time.process_time() - begin
# Not ru_maxrss, which begins with the peak of the process that started this.
status = Path("/proc/self/status").read_text()
kilobytes = int(re.search(r"VmHWM:\\s*(\\d+) kB", status)[1])
np.savez(sys.stdout.buffer, seconds=seconds, kilobytes=kilobytes,
         **{node: found.array(node) for node in found})
"""


@pytest.mark.heavy
def test_link_needs_less_than_a_gigabyte(tmp_path):
    """All marginals of 724 nodes, where others run out of memory."""
    path = tmp_path / "link.npz"
    with path.open("wb") as file:
        subprocess.run(
            [sys.executable, "-c", LINK],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, sys.path)),
                "OPENBLAS_NUM_THREADS": "1",
            },
            stdout=file,
            check=True,
        )
    with np.load(path) as answer:
        # In units of 1024 bytes, of the whole process.
        assert answer["kilobytes"] < 2**20
        found = {n: answer[n] for n in answer.files}
    link = load_network("link")
    assert len(found) == len(link) + 2 == 726
    # Not only little, but right: 20,000 samples say the same.
    drawn = link.sample(20_000, rng=0)
    for node in link.nodes:
        distribution = found[node]
        assert distribution.sum() == pytest.approx(1)
        shares = drawn[node].value_counts(sort=False, normalize=True)
        spread = np.sqrt(distribution * abs(1 - distribution) / 20_000)
        assert (abs(shares - distribution) < 5.5 * spread + 1e-9).all()
