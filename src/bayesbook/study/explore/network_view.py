"""A network that answers at once: what is written and drawn for evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from functools import cached_property
from itertools import combinations, permutations

import numpy as np

from bayesbook.base import ZeroProbabilityError
from bayesbook.base.numbers import as_floats
from bayesbook.network import BayesianNetwork, Factor, JunctionTree, product
from bayesbook.network.evidence import code_of
from bayesbook.probability.table import State
from bayesbook.study.explore.explorable import Control, View, decimal, id_of

# The controls besides those of the nodes, and what else `view` is given.
_OWN = ("report", "ratio", "explained", "tasks", "self")
_RATIOS = (
    *(F(1, n) for n in (100, 50, 20, 10, 5, 2)),
    *(F(n) for n in (1, 2, 5, 10, 20, 50, 100)),
)
# Sums in another order differ by less.
_EQUAL = 1e-9
# A bar that moves by this is seen to move.
_SEEN = 0.01 - _EQUAL
_SHIFTS = {
    "opens": (
        "Find two observations, the second of which says nothing about some "
        "other node by itself, but does say something once the first is made."
    ),
    "closes": (
        "Find two observations, the second of which says something about some "
        "other node by itself, but nothing any more once the first is made."
    ),
}


@dataclass(frozen=True)
class LiveNetwork:
    """A network with all that its page needs.

    Parameters
    ----------
    net : BayesianNetwork
    labels : mapping of node to str
    cause : (node, state) or None
    key : str
        What sets it apart from other networks of a page.
    """

    net: BayesianNetwork
    labels: Mapping[str, str]
    cause: tuple[str, State] | None
    key: str = ""

    @property
    def id(self) -> str:
        """The id of its part of the page."""
        return id_of("network", self.key)

    # -- names -----------------------------------------------------------

    @cached_property
    def names(self) -> dict[str, str]:
        """The name of the control of each node, parents first."""
        order = self.net.order
        names = [re.sub(r"\W", "_", str(node)) for node in order]
        if len({*names, *_OWN}) < len(names) + len(_OWN):
            names = [f"node_{i}" for i in range(len(order))]
        return dict(zip(order, names, strict=True))

    def label(self, node: str) -> str:
        """Return what a node is called."""
        return str(self.labels.get(node, node))

    def says(self, node: str, state: State) -> str:
        """Return what it is called that a node has a state."""
        return f"{self.label(node)} = {state}"

    @cached_property
    def places(self) -> list[tuple[str, int]]:
        """Every node with the codes of its states."""
        return [
            (node, code)
            for node in self.net.order
            for code in range(len(self.net.states[node]))
        ]

    # -- mathematics -----------------------------------------------------

    @cached_property
    def tree(self) -> JunctionTree:
        """What the posteriors are asked of."""
        return JunctionTree(self.net)

    @cached_property
    def joint(self) -> np.ndarray:
        """The joint distribution, an axis for each node, parents first."""
        tables = self.net.tables.values()
        joint = product(Factor(as_floats(t.values), t.states) for t in tables)
        axes = [joint.scope.index(node) for node in self.net.order]
        return joint.values.transpose(axes)

    def posteriors(self, evidence: Mapping) -> dict[str, np.ndarray] | None:
        """Return the distribution of each node; None for impossible evidence.

        Parameters
        ----------
        evidence : mapping of node to state or to likelihoods
        """
        try:
            found = self.tree.posteriors(evidence)
        except ZeroProbabilityError:
            return None
        known = {}
        for node, states in self.net.states.items():
            seen = evidence.get(node)
            known[node] = (
                found.array(node)
                if seen is None or isinstance(seen, Mapping)
                else np.eye(len(states))[code_of(self.net, node, seen)]
            )
        return known

    @cached_property
    def before(self) -> dict[str, np.ndarray]:
        """The distribution of each node without evidence."""
        return self.posteriors({}) or {}

    def explain(self, evidence: Mapping) -> tuple[dict[str, int], float, int]:
        """Return the most probable states together.

        Parameters
        ----------
        evidence : mapping of node to state or to likelihoods

        Returns
        -------
        (dict, float, int)
            A code for each node, the first ones if several are equally
            probable; their probability; and how many there are.
        """
        joint = self.joint.copy()
        for axis, node in enumerate(self.net.order):
            if node in evidence:
                states, seen = self.net.states[node], evidence[node]
                weights = [
                    seen[s] if isinstance(seen, Mapping) else s == seen
                    for s in states
                ]
                shape = [1] * joint.ndim
                shape[axis] = -1
                joint *= np.reshape(np.array(weights, float), shape)
        best = np.argwhere(joint >= joint.max() * (1 - _EQUAL))
        first = dict(zip(self.net.order, best[0].tolist(), strict=True))
        return first, float(joint.max() / joint.sum()), len(best)

    # -- what is seen ----------------------------------------------------

    def view(self, tasks: tuple[str, ...] = (), **state: int) -> View:
        """Return what is written and drawn for some evidence.

        Parameters
        ----------
        tasks : tuple of str
            Which of them the page has.
        **state : int
            For each control its value: 0 for a node that is not observed, and
            1 for its first state.

        Returns
        -------
        View
        """
        hard, soft = self._read(state)
        evidence = soft | hard
        found = self.posteriors(evidence)
        explains = bool(state["explained"]) and found is not None
        best = self.explain(evidence) if explains else None
        written = {
            "ratio": str(_RATIOS[state["ratio"] + 6]),
            "evidence": self._evidence(state, hard),
            "likely": self._likely(hard, found),
            "explanation": self._explanation(best) if best else "",
        }
        drawn = {}
        for node, code in self.places:
            own = f"{self.names[node]}_{code}"
            p = 0.0 if found is None else float(found[node][code])
            written[f"p_{own}"] = "–" if found is None else _decimal(p)
            is_best = best is not None and best[0][node] == code
            written[f"star_{own}"] = "★" if is_best else ""
            drawn[f"bar_{own}"] = {"width": round(1000 * p, 1)}
        solved = {*self._solved(hard, found, best)}
        solves = () if state["report"] else (t for t in tasks if t in solved)
        return View(written, drawn, tuple(solves))

    def _read(self, state):
        """Return the states that are observed, and the soft evidence."""
        values = {node: state[name] for node, name in self.names.items()}
        hard = {
            node: self.net.states[node][value - 1]
            for node, value in values.items()
            if value
        }
        if not state["report"]:
            return hard, {}
        node, code = self.places[state["report"] - 1]
        ratio = _RATIOS[state["ratio"] + 6]
        states = enumerate(self.net.states[node])
        return hard, {node: {s: ratio if i == code else 1 for i, s in states}}

    def _evidence(self, state, hard):
        said = "Nothing is observed."
        if hard:
            observed = ", ".join(self.says(*seen) for seen in hard.items())
            said = f"Observed: {observed}."
        if state["report"]:
            about = self._options()[state["report"]]
            ratio = _RATIOS[state["ratio"] + 6]
            said += (
                f" Soft evidence for {about}: what was heard is {ratio} times "
                "as probable if this is true as if it is false."
            )
        return said

    def _likely(self, hard, found):
        if found is None:
            return (
                "This cannot happen: the evidence has probability 0. Take an "
                "observation back."
            )
        free = [node for node in self.net.order if node not in hard]
        if not free:
            return "Every node is observed."
        first = {node: _first_of_most(found[node]) for node in free}
        said = ", ".join(
            f"{self.says(node, self.net.states[node][code])} "
            f"({_decimal(found[node][code])})"
            for node, code in first.items()
        )
        return f"Most probable, each by itself: {said}."

    def _explanation(self, best):
        codes, probability, ties = best
        said = ", ".join(
            self.says(node, self.net.states[node][code])
            for node, code in codes.items()
        )
        said = (
            f"Most probable, all together (★): {said}; with probability "
            f"{_decimal(probability)}."
        )
        return said + (f" {ties} are equally probable." if ties > 1 else "")

    # -- tasks -----------------------------------------------------------

    @cached_property
    def solvable(self) -> dict[str, str]:
        """The tasks that this network can solve."""
        found = {}
        if self.cause is not None:
            about = self.says(*self.cause)
            found["away"] = (
                f"Make two observations. The first makes {about} at least "
                "five times as probable; the second is of another cause, and "
                "at least halves the raised probability."
            )
        if self._excluding():
            found["impossible"] = (
                "Find two observations that are possible one by one, but "
                "not together."
            )
        if self._has_surprise():
            found["differs"] = (
                "Find a single observation after which the most probable "
                "explanation has, for some node, a state that by itself is "
                "not the most probable one."
            )
        shifts = self._possible_shifts()
        return found | {n: _SHIFTS[n] for n in _SHIFTS if n in shifts}

    def _solved(self, hard, found, best):
        if self.cause and len(hard) == 2 and self._is_away(hard):
            yield "away"
        if found is not None and len(hard) == 2:
            yield from self._shifts(hard)
        can_be = all(
            self.before[node][code_of(self.net, node, seen)] > 0
            for node, seen in hard.items()
        )
        if found is None and len(hard) == 2 and can_be:
            yield "impossible"
        if best and len(hard) == 1 and _is_surprise(best, found):
            yield "differs"

    def _is_away(self, hard):
        """Return whether one observation halves what the other has raised."""
        cause, state = self.cause
        code = code_of(self.net, cause, state)
        both = self.posteriors(hard)
        if cause in hard or both is None:
            return False
        for raising, other in (list(hard), list(hard)[::-1]):
            raised = self.posteriors({raising: hard[raising]})[cause][code]
            if (
                other in self._others
                and raised >= 5 * self.before[cause][code]
                and both[cause][code] <= raised / 2
            ):
                return True
        return False

    def _shifts(self, hard):
        """Yield what becomes of the second of two observations.

        It may say nothing of another node by itself, and something after the
        first; or the other way round.
        """
        both = self.posteriors(hard)
        for pair in permutations(hard.items()):
            first, second = (self._after[seen] for seen in pair)
            if both is None or first is None or second is None:
                continue
            for node in self.net.order:
                alone = np.abs(second[node] - self.before[node]).max()
                then = np.abs(both[node] - first[node]).max()
                if node not in hard and alone < _EQUAL and then > _SEEN:
                    yield "opens"
                if node not in hard and then < _EQUAL and alone > _SEEN:
                    yield "closes"

    @cached_property
    def _after(self):
        """The posteriors after each single observation."""
        states = self.net.states
        seen = ((node, states[node][code]) for node, code in self.places)
        return {each: self.posteriors(dict([each])) for each in seen}

    def _possible_shifts(self):
        """Return which shifts some two observations of the network show."""
        found = set()
        for one, other in combinations(self._after, 2):
            if one[0] != other[0]:
                found.update(self._shifts(dict([one, other])))
            if found == {*_SHIFTS}:
                break
        return found

    @cached_property
    def _others(self):
        """The nodes that do not descend from the cause."""
        if self.cause is None:
            return []
        below, order = {self.cause[0]}, self.net.order
        for node in order:
            if below & {*self.net.parents(node)}:
                below.add(node)
        return [node for node in order if node not in below]

    def _excluding(self):
        """Return whether two states are possible, but not together."""
        axes = range(self.joint.ndim)
        for pair in combinations(axes, 2):
            rest = tuple(axis for axis in axes if axis not in pair)
            both = self.joint.sum(axis=rest)
            alone = both.sum(axis=1)[:, None] * both.sum(axis=0)
            if ((both == 0) & (alone > 0)).any():
                return True
        return False

    def _has_surprise(self):
        """Return whether the bars may differ from the explanation."""
        for node, code in self.places:
            evidence = {node: self.net.states[node][code]}
            found = self.posteriors(evidence)
            if found and _is_surprise(self.explain(evidence), found):
                return True
        return False

    # -- the page --------------------------------------------------------

    def _options(self):
        states = self.net.states
        told = (self.says(n, states[n][code]) for n, code in self.places)
        return ("no state", *told)

    def controls(self) -> tuple[Control, ...]:
        """Return a control for each node, and three others."""
        options = self._options()
        return (
            *(
                Control(name, "", 0, len(self.net.states[node]))
                for node, name in self.names.items()
            ),
            Control(
                "report",
                "soft evidence for",
                0,
                len(options) - 1,
                options=options,
            ),
            Control("ratio", "its likelihood ratio", 3, 6, -6),
            Control("explained", "", 0, 1),
        )

    def data(self) -> dict:
        """Return what the script has to know of the network."""
        order = self.net.order
        cause = None
        if self.cause is not None:
            node, state = self.cause
            cause = {
                "node": order.index(node),
                "state": code_of(self.net, node, state),
                "others": [order.index(other) for other in self._others],
            }
        return {
            "nodes": [
                {
                    "name": self.names[node],
                    "label": self.label(node),
                    "states": [str(state) for state in self.net.states[node]],
                    "parents": [order.index(p) for p in table.conditions],
                    "table": as_floats(table.values).ravel().tolist(),
                }
                for node in order
                for table in [self.net.tables[node]]
            ],
            "ratios": [str(ratio) for ratio in _RATIOS],
            "cause": cause,
        }


def _decimal(p):
    """Write a probability; half way between two decimals, the larger one."""
    return decimal(float(p) + _EQUAL)


def _first_of_most(values):
    """Return the place of the largest value, the first of equal ones."""
    return int(np.argmax(values >= values.max() - _EQUAL))


def _is_surprise(best, found):
    """Return whether the one explanation has a state that is not its best."""
    codes, _, ties = best
    return ties == 1 and any(
        found[node][code] < found[node].max() - _EQUAL
        for node, code in codes.items()
    )
