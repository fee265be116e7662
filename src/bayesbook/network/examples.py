"""Networks that come with the library: two small ones, and twenty real ones.

>>> asia = load_network("asia")
>>> asia.tables["lung"]
P(lung | smoke)
smoke  lung=yes  lung=no
yes        1/10     9/10
no        1/100   99/100
>>> load_network("alarm").n_parameters
509

The real ones are the files of the Bayesian Network Repository of M. Scutari
(https://www.bnlearn.com/bnrepository), unchanged. What they are about, who
published them and their licence, CC BY-SA 3.0, are in
:func:`network_catalogue`, and more in ``data/networks/README.md`` of the
library.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.network.bif import read_bif
from bayesbook.network.model import BayesianNetwork

__all__ = ["load_network", "network_catalogue"]

_DATA = files("bayesbook") / "data" / "networks"


def load_network(name: str) -> BayesianNetwork:
    """Load one of the networks that come with the library.

    Parameters
    ----------
    name : str
        One of :func:`network_catalogue`, such as "asia" or "alarm".

    Returns
    -------
    BayesianNetwork
        "five" and "asia" are exact, the others have floats. The largest take
        up to half a second; a second call gives the same object.

    Raises
    ------
    ProbabilityError
        If there is no such network.

    Notes
    -----
    The numbers of the files are rounded; distributions that therefore miss one
    by more than 1e-9 (and less than 1e-6) are divided by their sum. See
    :func:`bayesbook.network.parse_bif`.

    "asia" is the example of Lauritzen and Spiegelhalter (1988), section 2,
    with the names of the repository. "five" has the graph with which Zhou
    (2016), section 7.5, introduces Bayesian networks, ::

        P(x1) P(x2) P(x3 | x1) P(x4 | x1, x2) P(x5 | x2)

    so that x3 and x4 are independent given x1, and x4 and x5 given x2. The
    numbers are ours, and mean nothing.

    Examples
    --------
    >>> load_network("five")
    BayesianNetwork 'five': 5 nodes, 4 edges, 10 free parameters
    P(x1)
    P(x2)
    P(x3 | x1)
    P(x4 | x1, x2)
    P(x5 | x2)
    """
    names = network_catalogue().index
    if name not in names.tolist():
        raise ProbabilityError(
            f"There is no network {name!r}; there are "
            f"{quoted_list(names, most=len(names))}."
            f"{did_you_mean(name, names)}"
        )
    return _load(str(name))


def network_catalogue() -> pd.DataFrame:
    """List the networks that :func:`load_network` can load.

    Returns
    -------
    DataFrame, 22 rows, the smallest network first
        The index is ``name``. The columns: ``nodes`` and ``edges``;
        ``parameters``, how many numbers are free; ``largest_family``, how
        many nodes the largest table is about; ``about``, what the network
        models; ``reference``, who published it; ``licence``, of our file.

    Examples
    --------
    >>> catalogue = network_catalogue()
    >>> catalogue[["nodes", "edges", "parameters"]].loc["alarm"].tolist()
    [37, 46, 509]
    >>> catalogue.index[catalogue["nodes"] > 1000].tolist()
    ['munin']
    """
    return pd.read_csv(_DATA / "catalogue.csv", index_col="name")


@cache
def _load(name):
    if name in _TYPED_IN:
        states, cpts = _TYPED_IN[name]
        return BayesianNetwork.from_cpts(states, cpts, name=name)
    with as_file(_DATA / f"{name}.bif.gz") as path:
        return read_bif(path, name=name)


_FIVE = (
    dict.fromkeys(("x1", "x2", "x3", "x4", "x5"), ("low", "high")),
    {
        "x1": ["3/5", "2/5"],
        "x2": ["7/10", "3/10"],
        ("x3", "x1"): [["4/5", "1/5"], ["3/10", "7/10"]],
        ("x4", "x1", "x2"): [
            [["9/10", "1/10"], ["1/2", "1/2"]],
            [["2/5", "3/5"], ["1/10", "9/10"]],
        ],
        ("x5", "x2"): [["3/4", "1/4"], ["1/5", "4/5"]],
    },
)

_ASIA = (
    dict.fromkeys(
        ("asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"),
        ("yes", "no"),
    ),
    {
        "asia": ["1/100", "99/100"],
        ("tub", "asia"): [["5/100", "95/100"], ["1/100", "99/100"]],
        "smoke": ["1/2", "1/2"],
        ("lung", "smoke"): [["10/100", "90/100"], ["1/100", "99/100"]],
        ("bronc", "smoke"): [["6/10", "4/10"], ["3/10", "7/10"]],
        # Tuberculosis or lung cancer.
        ("either", "lung", "tub"): [[[1, 0], [1, 0]], [[1, 0], [0, 1]]],
        ("xray", "either"): [["98/100", "2/100"], ["5/100", "95/100"]],
        ("dysp", "bronc", "either"): [
            [["9/10", "1/10"], ["8/10", "2/10"]],
            [["7/10", "3/10"], ["1/10", "9/10"]],
        ],
    },
)

_TYPED_IN = {"five": _FIVE, "asia": _ASIA}
