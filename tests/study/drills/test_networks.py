"""Every network read again, as a reader does, and asked by enumeration."""

import re
from fractions import Fraction as F
from itertools import combinations, product
from math import prod
from urllib.parse import unquote

import networkx as nx
import pytest
from study.drills.banks import bank

from bayesbook.study import quiz
from bayesbook.study.drills.networks.stories import STORIES
from bayesbook.study.drills.writing import TOLERANCE

KINDS = ("query", "blanket", "parameters")


# --- From the words of a prompt to a network --------------------------------


def graph_of(prompt):
    """Read the graph twice, from its picture and from the title of that."""
    [source] = re.findall(r"\(graph:([^ )]+)", prompt)
    graph = nx.DiGraph()
    for part in unquote(source).split(","):
        graph.add_edges_from([part.split("->")])
    [title] = re.findall(r"!\[Graph: ([^.\]]*)\.", prompt)
    told = {tuple(arrow.split(" → ")) for arrow in title.split(", ")}
    assert told == set(graph.edges)
    assert nx.is_directed_acyclic_graph(graph)
    return graph


def tables_of(text):
    """Read the tables of a text as lists of rows of cells."""
    return [
        [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in lines.splitlines()
        ]
        for lines in re.findall(r"(?m)^(?:\|.*\n?)+", text)
    ]


def events(tex):
    r"""Read "A = \text{yes}, B = \text{no}"."""
    return dict(re.findall(r"(\w) = \\text\{([^}]*)\}", tex))


class Read:
    """What a reader finds in a prompt, and what follows from it."""

    def __init__(self, drill):
        prompt = drill.prompt
        self.graph = graph_of(prompt)
        # Of each node: from configurations of its parents to distributions.
        self.distributions = {}
        self.states = {}
        self.parents = {}
        for title, rows in zip(
            re.findall(
                r"(?m)^\$\\mathbb\{P\}\[(\w \\mid [^]]*)\]\$:$", prompt
            ),
            tables_of(prompt),
            strict=True,
        ):
            node, parents = title.split(r" \mid ")
            self._read_table(node, parents.split(", "), rows)
        [line] = re.findall(r"(?m)^\$\\mathbb.* = 0\.\d\$\.$", prompt)
        for node, state, p in re.findall(
            r"P\}\[(\w) = \\text\{([^}]*)\}\] = ([\d.]+)", line
        ):
            self.parents[node] = ()
            self.distributions.setdefault(node, {(): {}})[()][state] = F(p)
        for node, own in self.distributions.items():
            for distribution in own.values():
                missing = [
                    s for s in self.states_of(node) if s not in distribution
                ]
                if missing:
                    [last] = missing
                    distribution[last] = 1 - sum(distribution.values())
                assert sum(distribution.values()) == 1
            assert set(self.parents[node]) == set(self.graph.pred[node])
        observed = re.search(r"(?m)^Observed (?:is|are) (.*?)\. What", prompt)
        [asked] = re.findall(r"What is \$\\mathbb\{P\}\[(.*)\]\$\?$", prompt)
        claim, given = asked.split(r" \mid ")
        self.asked, self.evidence = events(claim), events(given)
        assert self.evidence == events(observed[1])
        [shaded] = re.findall(r'"given ([^"]*)"', prompt)
        assert self.evidence.keys() == set(shaded.split(", "))
        [self.node] = self.asked

    def _read_table(self, node, parents, rows):
        head, _, *body = rows
        width = len(parents)
        assert head[:width] == [f"*{parent}*" for parent in parents]
        named = [cell.split("* = ") for cell in head[width:]]
        assert {name for name, _ in named} == {f"*{node}"}
        states = [state for _, state in named]
        self.parents[node], self.states[node] = tuple(parents), states
        self.distributions[node] = {
            tuple(row[:width]): dict(
                zip(states, map(F, row[width:]), strict=True)
            )
            for row in body
        }

    def states_of(self, node):
        """Find the states where they stand: in a table, as those of a parent.

        They are written down in one order everywhere.
        """
        if node in self.states:
            return self.states[node]
        found = {
            key[self.parents[child].index(node)]: None
            for child in self.graph[node]
            for key in self.distributions[child]
        }
        return list(found)

    def worlds(self):
        """Yield every complete assignment with its probability."""
        nodes = list(self.distributions)
        for states in product(*map(self.states_of, nodes)):
            world = dict(zip(nodes, states, strict=True))
            yield (
                world,
                prod(
                    self.distributions[n][
                        tuple(world[p] for p in self.parents[n])
                    ][s]
                    for n, s in world.items()
                ),
            )

    def P(self, event, given=()):  # noqa: N802
        given = dict(given)
        top = bottom = F(0)
        for world, p in self.worlds():
            if all(world[n] == s for n, s in given.items()):
                bottom += p
                top += p * all(world[n] == s for n, s in event.items())
        return top / bottom

    def levelled(self, root):
        """Return the same with equal probabilities of a root."""
        other = object.__new__(Read)
        vars(other).update(vars(self))
        own = self.states_of(root)
        distribution = {state: F(1, len(own)) for state in own}
        other.distributions = self.distributions | {root: {(): distribution}}
        other.states = self.states | {root: own}
        return other

    def separated(self, a, b, given):
        return nx.is_d_separator(self.graph, {a}, {b}, set(given))


# --- Query this network -----------------------------------------------------


def first_sum(drill):
    return re.search(r"\*\*Sum out \$(\w)\$", drill.explanation)[1]


def mistakes(read, hidden):
    """Return what each mistake leads to, with words of its diagnosis."""
    asked, evidence, P = read.asked, read.evidence, read.P
    answer = P(asked, evidence)
    yield "This is the joint probability", P(asked | evidence)
    yield "This is the prior", P(asked)
    yield "the other direction", P(evidence, asked)
    yield "This is the probability of the evidence", P(evidence)
    yield "as if they were independent", P(asked) * P(evidence)
    yield f"${read.node}$ is not ", 1 - answer
    if len(evidence) == 2:
        for left_out in evidence:
            kept = {n: s for n, s in evidence.items() if n != left_out}
            yield f"This leaves out that ${left_out} = ", P(asked, kept)
        if not read.separated(*evidence, {read.node}):
            weights = {
                state: P({read.node: state})
                * prod(
                    P({n: s}, {read.node: state}) for n, s in evidence.items()
                )
                for state in read.states_of(read.node)
            }
            naive = weights[asked[read.node]] / sum(weights.values())
            yield "as naive Bayes does", naive
    if not read.separated(read.node, hidden, evidence):
        chances = {s: P({hidden: s}) for s in read.states_of(hidden)}
        likely = max(chances, key=chances.get)
        yield (
            rf"This takes ${hidden} = \text{{{likely}}}$ for certain",
            P(asked, evidence | {hidden: likely}),
        )
    for root, words in (
        (hidden, "without weighting them"),
        (read.node, "were equally probable beforehand"),
    ):
        if not read.parents[root]:
            yield words, read.levelled(root).P(asked, evidence)


def test_answers_and_mistakes_are_those_of_enumeration():
    assert len(bank("query")) == 200
    for drill in bank("query"):
        read = Read(drill)
        assert F(drill.answer) == read.P(read.asked, read.evidence), drill
        wrong = {F(w.value): w.why for w in drill.question.wrong}
        found = list(mistakes(read, first_sum(drill)))
        for words, value in found:
            [why] = [
                w for v, w in wrong.items() if abs(v - value) < F(1, 10**5)
            ]
            assert words in why
        assert len({value for _, value in found}) == len(wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_the_checks_of_the_questions_agree(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", ["query", "parameters"])
def test_no_typed_number_is_right_and_wrong(kind):
    for drill in bank(kind):
        values = [F(wrong.value) for wrong in drill.question.wrong]
        for one, two in combinations([F(drill.answer), *values], 2):
            assert abs(one - two) > 2 * TOLERANCE, drill


def test_three_decimals_are_enough():
    for drill in bank("query"):
        typed = f"{float(F(drill.answer)):.3f}"
        tolerance = drill.question.tolerance
        assert quiz.agrees(float(typed), float(F(drill.answer)), tolerance)


def test_a_query_can_be_done_by_hand():
    for drill in bank("query"):
        answer = F(drill.answer)
        assert F(1, 25) <= answer <= F(24, 25)
        assert answer.denominator <= 500
        read = Read(drill)
        assert 3 <= len(read.graph) <= 5
        products = re.findall(r"(?:0\.\d+ · )+0\.\d+", drill.explanation)
        assert len(products) <= 24
        assert set(map(len, map(read.states_of, read.graph))) <= {2, 3}


def test_every_observation_matters():
    for drill in bank("query"):
        read = Read(drill)
        answer = read.P(read.asked, read.evidence)
        for left_out in read.evidence:
            kept = {n: s for n, s in read.evidence.items() if n != left_out}
            assert read.P(read.asked, kept) != answer


def test_a_product_is_added_over_what_is_summed_out():
    """Every factor of an explanation is the sum that it stands for."""
    for drill in bank("query"):
        sums = re.split(r"\*\*Sum out ", drill.explanation)[1:]
        for text in sums:
            [head, _, *rows] = tables_of(text)[0]
            hidden = text[1]
            terms = [
                i for i, cell in enumerate(head) if f"*{hidden}* =" in cell
            ]
            assert terms
            for row in rows:
                total = sum(prod(map(F, row[i].split(" · "))) for i in terms)
                assert total == F(row[-1])


def test_the_factors_are_those_of_the_tables():
    """The last product is the joint probability of query and evidence."""
    for drill in bank("query"):
        read = Read(drill)
        *_, last = tables_of(drill.explanation)
        _, _, *rows, total = last
        assert [row[0] for row in rows] == read.states_of(read.node)
        for state, shown, posterior in rows:
            claim = {read.node: state}
            joint = read.P(claim | read.evidence)
            products, _, value = shown.rpartition(" = ")
            assert F(value) == joint
            if products:
                assert prod(map(F, products.split(" · "))) == joint
            assert F(posterior) == read.P(claim, read.evidence)
        assert total[0] == "*sum*"
        assert F(total[1]) == read.P(read.evidence)


def test_the_explanation_names_the_tables_that_it_uses():
    for drill in bank("query"):
        read = Read(drill)
        kept = {read.node, *read.evidence}
        kept |= {a for node in kept for a in nx.ancestors(read.graph, node)}
        left_out = re.search(
            r"\*\*Leave out\*\* (.*?), which", drill.explanation
        )
        named = set(re.findall(r"\$(\w)\$", left_out[1] if left_out else ""))
        assert named == set(read.graph) - kept
        [factors] = re.findall(r"The factors are (.*)\.", drill.explanation)
        titles = re.findall(r"P\}\[(.*?)\]", factors)
        assert {title[0] for title in titles} == kept
        for title in titles:
            own, _, given = title.partition(r" \mid ")
            parents = {each[0] for each in given.split(", ") if each}
            assert parents == set(read.graph.pred[own[0]])
            put_in = events(title)
            assert put_in == {
                n: s
                for n, s in read.evidence.items()
                if n in parents | {own[0]}
            }
        summed = re.findall(r"\*\*Sum out \$(\w)\$", drill.explanation)
        assert set(summed) == kept - {read.node, *read.evidence}
        assert len(summed) == len(set(summed))


def test_the_evidence_moves_the_probability_as_it_is_said():
    for drill in bank("query"):
        read = Read(drill)
        prior = read.P(read.asked)
        moved = "rises" if F(drill.answer) > prior else "falls"
        assert f"so the probability {moved} from " in drill.explanation
        likelihood, general = (
            read.P(read.evidence, read.asked),
            read.P(read.evidence),
        )
        more = "more" if likelihood > general else "less"
        assert f"What is observed is {more} probable if" in drill.explanation
        for value in (prior, F(drill.answer), likelihood, general):
            assert f"{float(value):.3g}" in drill.explanation


def test_the_explanation_ends_in_the_answer():
    for drill in bank("query"):
        answer = F(drill.answer)
        tex = rf"\frac{{{answer.numerator}}}{{{answer.denominator}}}"
        for text in (drill.question.why, drill.explanation):
            assert tex in text
            assert f"{float(answer):.3g}" in text


def test_stories_take_turns_and_directions_vary():
    stories = {d.prompt.split("\n\n")[1] for d in bank("query")[:12]}
    assert stories == {story.text for story in STORIES}
    sums = [d.explanation.count("**Sum out") for d in bank("query")]
    assert sums.count(1) > 50
    assert sums.count(2) > 30
    assert sums.count(3) > 5
    against, two = 0, 0
    for drill in bank("query"):
        read = Read(drill)
        two += len(read.evidence) == 2
        below = nx.descendants(read.graph, read.node)
        against += bool(below & read.evidence.keys())
    assert 50 < two < 150
    assert 50 < against < 150


def test_every_number_of_a_story_is_from_one_to_nine_tenths():
    for drill in bank("query"):
        for own in Read(drill).distributions.values():
            for distribution in own.values():
                for p in distribution.values():
                    assert p in {F(n, 10) for n in range(1, 10)}


# --- Markov blankets --------------------------------------------------------


def test_a_blanket_is_what_separates():
    """The smallest set given which all other nodes are d-separated."""
    assert len(bank("blanket")) == 200
    with_spouse = 0
    for drill in bank("blanket"):
        graph = graph_of(drill.prompt)
        [node] = re.findall(r"blanket of \$(\w)\$\?", drill.prompt)
        others = sorted(set(graph) - {node})
        sets = [
            set(some)
            for size in range(len(others) + 1)
            for some in combinations(others, size)
        ]
        smallest = next(
            some
            for some in sets
            if all(
                nx.is_d_separator(graph, {node}, {other}, some)
                for other in others
                if other not in some
            )
        )
        assert set(drill.options) == {f"${other}$" for other in others}
        assert set(drill.answer) == {f"${other}$" for other in smallest}
        assert smallest != set(others)
        neighbours = {*graph.pred[node], *graph.succ[node]}
        with_spouse += smallest != neighbours
    assert 120 < with_spouse < 180


def test_the_reasons_of_a_blanket_are_true():
    for drill in bank("blanket"):
        graph = graph_of(drill.prompt)
        [node] = re.findall(r"blanket of \$(\w)\$\?", drill.prompt)
        for option in drill.question.options:
            other, why = option.text.strip("$"), option.why
            named = set(re.findall(r"\$(\w)\$", why)) - {node, other}
            if "is a parent" in why:
                assert graph.has_edge(other, node)
            elif "is a child" in why:
                assert graph.has_edge(node, other)
            elif "another parent of" in why:
                assert named == set(graph[node]) & set(graph[other]) != set()
            elif "is an ancestor" in why:
                assert other in nx.ancestors(graph, node)
            elif "is a descendant" in why:
                assert other in nx.descendants(graph, node)
            elif "Both are children of" in why:
                both = set(graph.pred[node]) & set(graph.pred[other])
                assert named == both != set()
            else:
                assert "no parent and no child" in why
                assert not set(graph[node]) & set(graph[other])
            assert option.right == (
                "is a parent" in why
                or "is a child" in why
                or "another parent" in why
            )


def test_the_explanation_of_a_blanket_lists_it():
    for drill in bank("blanket"):
        graph = graph_of(drill.prompt)
        [node] = re.findall(r"blanket of \$(\w)\$\?", drill.prompt)
        lines = re.findall(r"(?m)^- .*: (.*)\.$", drill.explanation)
        parents, children, spouses = (
            set(re.findall(r"\$(\w)\$", line)) for line in lines
        )
        assert parents == set(graph.pred[node])
        assert children == set(graph.succ[node])
        every = {p for child in children for p in graph.pred[child]}
        assert spouses == every - parents - children - {node}


# --- Free parameters --------------------------------------------------------


def sizes_of(drill):
    """Read how many states each node has."""
    sizes = {}
    facts = drill.prompt.split("\n\n")[1].split(". How many")[0]
    for nodes, size in re.findall(
        r"((?:\$\w\$(?:, | and )?)+) ha(?:s|ve) (\d)", facts
    ):
        own = re.findall(r"\$(\w)\$", nodes)
        sizes |= dict.fromkeys(own, int(size))
    return sizes


def test_free_parameters_are_counted_one_by_one():
    """Every number of every distribution but the last one of it."""
    assert len(bank("parameters")) == 200
    for drill in bank("parameters"):
        graph, sizes = graph_of(drill.prompt), sizes_of(drill)
        assert sizes.keys() == set(graph)
        free = [
            (node, given, state)
            for node in graph
            for given in product(*(range(sizes[p]) for p in graph.pred[node]))
            for state in range(sizes[node] - 1)
        ]
        assert int(drill.answer) == len(free)
        assert rf"= {len(free)}$$" in drill.question.why
        joint = prod(sizes.values()) - 1
        assert f"The joint table has {joint} free" in drill.explanation
        assert f"save {joint - len(free)}." in drill.explanation
        [[_, _, *rows, total]] = tables_of(drill.explanation)
        assert [row[0].strip("$") for row in rows] == sorted(graph)
        for node, parents, distributions, own, both in rows:
            assert set(re.findall(r"\$(\w)\$", parents)) == set(
                graph.pred[node.strip("$")]
            )
            assert int(distributions) * int(own) == int(both)
        assert sum(int(row[-1]) for row in rows) == int(total[-1])


def test_a_count_of_parameters_tells_parents_from_children():
    for drill in bank("parameters"):
        graph, sizes = graph_of(drill.prompt), sizes_of(drill)
        wrong = {int(w.value): w.why for w in drill.question.wrong}
        found = {
            "without any independence": prod(sizes.values()) - 1,
            "cells of the joint table": prod(sizes.values()),
            "all numbers in the tables": sum(
                prod(sizes[p] for p in graph.pred[n]) * sizes[n] for n in graph
            ),
            "without edges": sum(sizes.values()) - len(sizes),
            "This adds": sum(
                (sum(sizes[p] for p in graph.pred[n]) or 1) * (sizes[n] - 1)
                for n in graph
            ),
            "the wrong way": sum(
                prod(sizes[c] for c in graph[n]) * (sizes[n] - 1)
                for n in graph
            ),
        }
        assert set(found.values()) == set(wrong)
        for words, value in found.items():
            assert words in wrong[value]
