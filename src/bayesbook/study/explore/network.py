"""A Bayesian network that answers at once: observe a state, and all bars move.

The posteriors are those of the junction tree. The page adds up the joint
distribution instead, as the definition says, and therefore takes small
networks only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from math import prod

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_floats
from bayesbook.network import BayesianNetwork, load_network
from bayesbook.network.evidence import require_node
from bayesbook.network.tabular import require_network
from bayesbook.probability.table import State
from bayesbook.study.explore.explorable import Explorable
from bayesbook.study.explore.network_cards import cards
from bayesbook.study.explore.network_view import LiveNetwork

# More nodes are no longer one picture; with more combinations a phone would
# stumble while a slider is dragged.
_MOST_NODES = 12
_MOST_COMBINATIONS = 2**16
# More tasks are a list that nobody reads.
_FEW = 3
# A product of all tables must not vanish among the floats of the page.
_SMALLEST = 1e-290


def network(
    net: BayesianNetwork | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    cause: tuple[str, State] | None = None,
    tasks: Collection[str] = (),
    key: str = "",
) -> Explorable:
    """Show a network whose states a reader observes.

    Parameters
    ----------
    net : BayesianNetwork, optional
        Of at most 12 nodes and 65,536 combinations of states; *asia* if it
        is left out.
    labels : mapping of node to str, optional
        What to call a node instead of its name.
    cause : (node, state), optional
        What is to be explained away in one of the tasks; tuberculosis, if it
        is *asia* by default.
    tasks : collection of str, optional
        Which tasks, of ``'away'`` (needs a `cause`), ``'impossible'``,
        ``'differs'``, ``'opens'`` and ``'closes'``; the first three of these
        that the network can solve, if none is named.
    key : str, optional
        Sets it apart from other networks of a page: a word that ends its id,
        and stands in addresses that lead to it.

    Returns
    -------
    Explorable
        A card for each node with a bar for each state. A state is observed by
        a tick, and one may get soft evidence.

    Raises
    ------
    TypeError
        If `net` is not a network.
    ProbabilityError
        If it has too many nodes or combinations of states, or probabilities
        too small for the page; if a name is not one of a node.
    ValueError
        If a task is none of these, or has no solution in this network.

    Examples
    --------
    >>> network()
    asia: what do you observe?
      soft evidence for: no state
      its likelihood ratio: 10
      Nothing is observed.
      Most probable, each by itself: asia = no (0.990), smoke = yes \
(0.500), tub = no (0.990), lung = no (0.945), bronc = no (0.550), either = no \
(0.935), xray = no (0.890), dysp = no (0.564).
    """
    if net is None:
        net = load_network("asia")
        cause = ("tub", "yes") if cause is None else cause
    require_network(net)
    _require_small(net)
    for node in (*(labels or {}), *((cause or ())[:1])):
        require_node(net, node)
    live = LiveNetwork(net, labels or {}, cause, key)
    shown = live.solvable if tasks else dict([*live.solvable.items()][:_FEW])
    for name in tasks:
        if name not in shown:
            raise ValueError(
                f"{name!r} is no task that this network can solve: choose "
                f"from {', '.join(map(repr, shown))}."
            )
    shown = {name: shown[name] for name in tasks or shown}
    title = "What do you observe?"
    if net.name:
        title = f"{net.name}: what do you observe?"
    return Explorable(
        "network",
        title,
        live.controls(),
        panels=(),
        words="{evidence}\n{likely}\n{explanation}",
        tasks=shown,
        view=partial(live.view, tasks=tuple(shown)),
        above=cards(live),
        data=live.data(),
        key=key,
    )


def _require_small(net):
    size = prod(map(len, net.states.values()))
    if len(net) > _MOST_NODES:
        raise ProbabilityError(
            f"The network has {len(net)} nodes, and a page shows at most "
            f"{_MOST_NODES}: make a smaller one of the nodes that matter, or "
            "use drawing.draw_network, which shows up to 30."
        )
    if size > _MOST_COMBINATIONS:
        raise ProbabilityError(
            f"The states have {size:,} combinations, and a page adds "
            f"up at most {_MOST_COMBINATIONS:,}: leave out nodes, or use "
            "drawing.draw_network."
        )
    tables = (as_floats(table.values) for table in net.tables.values())
    least = [np.log(table[table > 0].min()) for table in tables]
    if sum(least) < np.log(_SMALLEST):
        raise ProbabilityError(
            "Some probabilities are so small that their product would be zero "
            "in a page: use drawing.draw_network."
        )
