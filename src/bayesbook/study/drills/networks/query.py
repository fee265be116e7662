"""Drills of inference: query a small network, by elimination."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import chain, combinations
from math import prod

import networkx as nx
import numpy as np

from bayesbook.base.names import and_list
from bayesbook.graphs import d_separated
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.networks.small import (
    Network,
    States,
    Step,
    configurations,
    eliminate,
    said,
    written,
)
from bayesbook.study.drills.networks.stories import STORIES, Story
from bayesbook.study.drills.pictures import arrows_of, picture_of
from bayesbook.study.drills.writing import (
    Mistake,
    about,
    by_hand,
    equals,
    hints,
    mistakes_of,
    paragraphs,
    rounded,
    table,
    told_apart,
)

# Nearer to 0 or 1 an answer could be guessed.
_LEAST = Fraction(1, 25)
# What can still be done by hand.
_LARGEST_DENOMINATOR = 500
_MOST_PRODUCTS = 24
# With a larger denominator a wrong value is written as a rounded decimal.
_written = partial(rounded, longest=2000, places=5)


def query(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the probability of a state, given that others are observed."""
    story = STORIES[seed % len(STORIES)]
    story.draw(rng)  # unused: without it each seed had another question
    groups = _queries(story)
    queries = groups[pick(rng, sorted(groups))]

    def draw() -> Drill | None:
        network = story.draw(rng)
        node, *observed = list(pick(rng, queries))
        asked = {node: pick(rng, network.states[node])}
        evidence = {n: pick(rng, network.states[n]) for n in observed}
        answer = network.P(asked, given=evidence)
        if not by_hand(answer, _LEAST, _LARGEST_DENOMINATOR):
            return None
        relevant = _relevant(network.graph, {node, *observed})
        steps = eliminate(network, relevant, node, evidence)
        mistakes = list(_mistakes(network, asked, evidence, steps[0].node))
        if not told_apart(answer, mistakes):
            return None
        return number_drill(
            "query",
            seed,
            answer,
            mistakes,
            _written,
            _worked(network, asked, evidence, relevant, steps),
            prompt=_prompt(story, network, asked, evidence),
            setup=_setup(network, asked, evidence),
            check="joint.P(asked, given=evidence)",
            why_check=(
                "[table.values for table in network.tables.values()]",
                "joint.P(asked | evidence), joint.P(evidence)",
            ),
            why=_reason(network, asked, evidence),
            hints=_hints(network, asked, evidence, relevant),
        )

    return until(draw)


@cache
def _queries(story: Story) -> dict[tuple[int, int], list[str]]:
    """List queries by the numbers of nodes summed out and observed."""
    # Each is the letter of the node that is asked for, and those of one or two
    # observed nodes, all of which matter.
    found: dict[tuple[int, int], list[str]] = {}
    network = story.draw(np.random.default_rng(0))
    graph = network.graph
    for node in graph:
        others = sorted(set(graph) - {node})
        for seen in chain(combinations(others, 1), combinations(others, 2)):
            if any(
                d_separated(graph, node, one, set(seen) - {one})
                for one in seen
            ):
                continue
            # Any states: how many products there are does not depend on them.
            evidence = {one: network.states[one][0] for one in seen}
            relevant = _relevant(graph, {node, *seen})
            *sums, last = eliminate(network, relevant, node, evidence)
            products = sum(step.size for step in (*sums, last))
            if sums and products <= _MOST_PRODUCTS:
                key = len(sums), len(seen)
                found.setdefault(key, []).append("".join([node, *seen]))
    return found


def _relevant(graph: nx.DiGraph, nodes: set[str]) -> str:
    """List nodes and their ancestors; all others sum to one."""
    above = {a for node in nodes for a in nx.ancestors(graph, node)}
    return "".join(sorted(nodes | above))


# --- common mistakes --------------------------------------------------------


def _mistakes(
    network: Network, asked: States, evidence: States, hidden: str
) -> Iterator[Mistake]:
    (node,) = asked
    names = {
        "joint": network,
        "states": network.states,
        "node": node,
        "asked": asked,
        "evidence": evidence,
        "levelled": network.levelled,
        "naive": lambda claim: (
            network.P(claim)
            * prod(network.P({n: s}, claim) for n, s in evidence.items())
        ),
    }
    blocks = [_of_any(network, asked, evidence)]
    if len(evidence) > 1:
        blocks += _of_two(network, asked, evidence)
    blocks += _of_hidden(network, asked, evidence, hidden)
    if not network.parents[node]:
        blocks.append(
            f"levelled({node!r}).P(asked, given=evidence) | This would be "
            f"right if all states of ${node}$ were equally probable "
            f"beforehand. But {_p(asked)} is {_written(network.P(asked))}."
        )
    for block in blocks:
        yield from mistakes_of(block, names)


def _of_any(network: Network, asked: States, evidence: States) -> str:
    (node,) = asked
    both = {**asked, **evidence}
    return rf"""
        joint.P(asked | evidence) | This is the joint probability {_p(both)}.
            Divide it by the probability of the evidence, {_p(evidence)}:
            normalise.
        joint.P(asked) | This is the prior {_p(asked)}, before anything was
            observed.
        joint.P(evidence, given=asked) | This is the other direction,
            {_p(evidence, asked)}. Asked is {_p(asked, evidence)}.
        joint.P(evidence) | This is the probability of the evidence,
            {_p(evidence)}, by which the joint probability has to be divided.
        joint.P(asked) * joint.P(evidence) | This multiplies {_p(asked)} and
            {_p(evidence)}, as if they were independent. It is not even their
            joint probability.
        1 - joint.P(asked, given=evidence) | This is the probability that
            ${node}$ is not $\text{{{asked[node]}}}$, given the evidence.
    """


def _of_two(
    network: Network, asked: States, evidence: States
) -> Iterator[str]:
    """Yield mistakes that are possible with two observations."""
    (node,) = asked
    for left_out in evidence:
        kept = {n: s for n, s in evidence.items() if n != left_out}
        yield f"""
            joint.P(asked, given={kept!r}) | This leaves out that
                ${said(left_out, evidence)}$. Put every observation into all
                factors with that node.
        """
    first, second = evidence
    if not d_separated(network.graph, first, second, {node}):
        yield f"""
            naive(asked) / sum(naive({{node: s}}) for s in states[node])
                | This takes ${first}$ and ${second}$ for independent given
                ${node}$, as naive Bayes does. In this graph they are not.
        """


def _of_hidden(
    network: Network, asked: States, evidence: States, hidden: str
) -> Iterator[str]:
    """Yield mistakes about a node that has to be summed out."""
    (node,) = asked
    if not d_separated(network.graph, node, hidden, evidence.keys()):
        chances = {s: network.P({hidden: s}) for s in network.states[hidden]}
        fixed = {hidden: max(chances, key=lambda state: chances[state])}
        yield f"""
            joint.P(asked, given=evidence | {fixed!r}) | This takes
                ${said(hidden, fixed)}$ for certain, the state that is most
                probable beforehand. But ${hidden}$ was not observed: sum it
                out.
        """
    if not network.parents[hidden]:
        yield rf"""
            levelled({hidden!r}).P(asked, given=evidence) | This adds over the
                states of ${hidden}$ without weighting them with
                $\mathbb{{P}}[{hidden}]$.
        """


# --- checks -----------------------------------------------------------------


def _setup(network: Network, asked: States, evidence: States) -> str:
    """Write the Python with which the quiz recomputes the key: enumeration."""
    cpts = ",\n    ".join(
        f"{(node, *network.parents[node])!r}: {_nested(tenths.tolist())}"
        for node, tenths in network.tenths.items()
    )
    return f"""\
from math import prod
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table
states = {dict(network.states)!r}
network = BayesianNetwork.from_cpts(states, {{
    {cpts},
}})
joint = network.to_table()
asked, evidence = {dict(asked)!r}, {dict(evidence)!r}
[node] = asked
def levelled(root):
    own = states[root]
    level = Table.from_counts(dict.fromkeys(own, 1), [root], exact=True)
    return network.replace(level).to_table()
def naive(claim):
    return joint.P(claim) * prod(
        joint.P({{n: s}}, given=claim) for n, s in evidence.items()
    )
"""


def _nested(tenths: list | int) -> str:
    """Write nested lists of tenths as strings of fractions."""
    if isinstance(tenths, int):
        return repr(str(Fraction(tenths, 10)))
    return f"[{', '.join(map(_nested, tenths))}]"


# --- words ------------------------------------------------------------------


def _all_said(states: States) -> str:
    return ", ".join(said(node, states) for node in states)


def _p(event: States, given: States | None = None) -> str:
    bar = rf" \mid {_all_said(given)}" if given else ""
    return rf"$\mathbb{{P}}[{_all_said(event)}{bar}]$"


def _prompt(
    story: Story, network: Network, asked: States, evidence: States
) -> str:
    graph = network.graph
    title = f"Graph: {arrows_of(graph)}. Observed: {and_list(evidence)}."
    return paragraphs(
        picture_of(graph, title, given=evidence),
        story.text,
        *_distributions(network),
        f"Observed {'is' if len(evidence) == 1 else 'are'} "
        f"{and_list(f'${said(n, evidence)}$' for n in evidence)}. What is "
        f"{_p(asked, evidence)}?",
    )


def _distributions(network: Network) -> Iterator[str]:
    """Write the priors of roots as a sentence, the other nodes as tables."""
    priors = []
    for node, states in network.states.items():
        if not network.parents[node]:
            factor = network.factor(node, {})
            # Of two states the other one has the rest.
            shown = states[:-1] if len(states) == 2 else states
            priors += [
                f"{_p({node: state})[:-1]} = {written(factor, {node: state})}$"
                for state in shown
            ]
    yield f"{', '.join(priors)}."
    for node, states in network.states.items():
        if parents := network.parents[node]:
            factor = network.factor(node, {})
            # Words, because screen readers find none in a formula.
            head = [f"*{p}*" for p in parents]
            head += [f"*{node}* = {state}" for state in states]
            rows = [
                [
                    *at.values(),
                    *(written(factor, {**at, node: s}) for s in states),
                ]
                for at in configurations(network, parents)
            ]
            title = rf"$\mathbb{{P}}[{node} \mid {', '.join(parents)}]$"
            yield f"{title}:\n\n{table(head, rows)}"


def _reason(network: Network, asked: States, evidence: States) -> str:
    both = {**asked, **evidence}
    top, bottom = network.P(both), network.P(evidence)
    formula = [_p(each)[1:-1] for each in (asked, both, evidence)]
    quotient = _p(asked, evidence)[1:-1]
    return (
        rf"$${quotient} = \frac{{{formula[1]}}}{{{formula[2]}}}$$"
        "\n\n"
        rf"$$= \frac{{{_written(top)}}}{{{_written(bottom)}}} = "
        rf"{equals(top / bottom, 3)}$$"
    )


def _hints(
    network: Network, asked: States, evidence: States, relevant: str
) -> tuple[str, ...]:
    hidden = [f"${n}$" for n in relevant if n not in {*asked, *evidence}]
    both = {**asked, **evidence}
    return hints(
        f"Which nodes are neither asked for nor observed, and matter all the "
        f"same? Sum out {and_list(hidden)}.",
        f"The joint probability is {_p(both)[:-1]} = "
        f"{_written(network.P(both))}$. By what has it to be divided?",
    )


def _worked(
    network: Network,
    asked: States,
    evidence: States,
    relevant: str,
    steps: list[Step],
) -> str:
    (node,) = asked
    barren = [n for n in network.nodes if n not in relevant]
    *sums, last = steps
    cells = network.joint.size
    largest = max(step.size for step in steps)
    prior, answer = network.P(asked), network.P(asked, given=evidence)
    moved = "rises" if answer > prior else "falls"
    likelihood = network.P(evidence, given=asked)
    total = network.P(evidence)
    more = "more" if likelihood > total else "less"
    return paragraphs(
        _barren(barren),
        _put_in(network, relevant, evidence),
        *(_summed(network, step) for step in sums),
        _normalised(network, asked, evidence, last),
        f"The joint distribution has {cells} cells; here no product had more "
        f"than {largest}.",
        f"**Does it make sense?** What is observed is {more} probable if "
        f"${said(node, asked)}$ than in general, {about(likelihood)} against "
        f"{about(total)}; so the probability {moved} from "
        f"{about(prior)} to {about(answer)}.",
    )


def _barren(nodes: list[str]) -> str:
    if not nodes:
        return ""
    names = and_list(f"${n}$" for n in nodes)
    if len(nodes) == 1:
        return (
            f"**Leave out** {names}, which is neither asked for nor observed "
            "and has no descendant that is: its distribution sums to one."
        )
    return (
        f"**Leave out** {names}, which are neither asked for nor observed "
        "and have no descendant that is: their distributions sum to one."
    )


def _put_in(network: Network, relevant: str, evidence: States) -> str:
    titles = and_list(
        f"${network.factor(n, evidence).title}$" for n in relevant
    )
    return f"**Put in** what is observed. The factors are {titles}."


def _summed(network: Network, step: Step) -> str:
    titles = and_list(f"${factor.title}$" for factor in step.factors)
    node, result = step.node, step.result
    several = len(step.factors) > 1
    states = network.states[node]
    head = [
        *(f"*{n}*" for n in result.scope),
        *(f"*{node}* = {state}" for state in states),
        f"sum, ${result.title}$",
    ]
    rows = [
        [
            *at.values(),
            *(step.products({**at, node: state}) for state in states),
            written(result, at),
        ]
        for at in configurations(network, result.scope)
    ]
    do = "multiply them, and add" if several else "add"
    return (
        f"**Sum out ${node}$.** It is in {titles}: {do} over ${node}$.\n\n"
        f"{table(head, rows)}"
    )


def _normalised(
    network: Network, asked: States, evidence: States, last: Step
) -> str:
    (node,) = asked
    states, result = network.states[node], last.result
    titles = r" \cdot ".join(factor.title for factor in last.factors)
    total = network.P(evidence)
    rows = [
        [
            state,
            _shown_product(last.products(at), written(result, at)),
            str(network.P(at, given=evidence)),
        ]
        for state, at in ((state, {node: state}) for state in states)
    ]
    posterior = rf"$\mathbb{{P}}[{node} \mid {_all_said(evidence)}]$"
    head = [f"*{node}*", f"product, ${titles}$", f"posterior, {posterior}"]
    return paragraphs(
        "**Multiply and normalise.** The product is the joint probability of "
        f"${node}$ and the evidence; its sum is {_p(evidence)}.",
        table(head, [*rows, ["*sum*", _written(total), "1"]]),
        f"So {_p(asked, evidence)[:-1]} = "
        f"{equals(network.P(asked, given=evidence), 3)}$.",
    )


def _shown_product(products: str, result: str) -> str:
    return f"{products} = {result}" if "·" in products else result
