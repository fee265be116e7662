"""The network that answers at once, against enumeration and junction trees."""

import re
from contextlib import ExitStack
from itertools import pairwise

import numpy as np
import pytest
from browsing import WIDE
from playwright.sync_api import expect
from study.explore.test_page import PHONE, see
from study.quiz.test_page import tab_to, write

from bayesbook import graphs
from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    enumerate_posterior,
    load_network,
)
from bayesbook.study import explore
from bayesbook.study.explore.explorable import html

RATIOS = [1 / n for n in (100, 50, 20, 10, 5, 2)] + [1, 2, 5, 10, 20, 50, 100]
ASIA = load_network("asia")


def random_network(seed, n_nodes, most_states):
    """Draw a network, some numbers of whose tables are zero."""
    rng = np.random.default_rng(seed)
    dag = graphs.random_dag(n_nodes, 2.5 / n_nodes, rng=rng)
    states = {
        node: tuple("abcd"[: rng.integers(2, most_states + 1)]) for node in dag
    }
    cpts = {}
    for node in dag:
        parents = sorted(dag.predecessors(node))
        shape = [len(states[name]) for name in (*parents, node)]
        table = rng.random(shape) * (rng.random(shape) < 0.7)
        # No row is without a possible state.
        table[..., 0] += table.sum(axis=-1) == 0
        table /= table.sum(axis=-1, keepdims=True)
        cpts[(node, *parents) if parents else node] = table
    return BayesianNetwork.from_cpts(states, cpts, name=f"random {seed}")


COINS = BayesianNetwork.from_cpts(
    {"X": "HT", "Y": "HT", "same": ("yes", "no")},
    {
        "X": ["1/2", "1/2"],
        "Y": ["1/2", "1/2"],
        ("same", "X", "Y"): [[[1, 0], [0, 1]], [[0, 1], [1, 0]]],
    },
)
ALARM = BayesianNetwork.from_cpts(
    dict.fromkeys(["burglary", "earthquake", "alarm", "call"], ("yes", "no")),
    {
        "burglary": ["1/100", "99/100"],
        "earthquake": ["1/50", "49/50"],
        ("alarm", "burglary", "earthquake"): [
            [["19/20", "1/20"], ["9/10", "1/10"]],
            [["1/2", "1/2"], ["1/100", "99/100"]],
        ],
        ("call", "alarm"): [["4/5", "1/5"], ["1/50", "49/50"]],
    },
)
NETWORKS = {
    "asia": (ASIA, 320),
    "coins": (COINS, 40),
    "alarm": (ALARM, 300),
    "five": (load_network("five"), 300),
    "chain of eight": (random_network(1, 8, 4), 60),
    "ten nodes": (random_network(2, 10, 3), 60),
    "twelve nodes": (random_network(3, 12, 2), 60),
}


@pytest.fixture
def visit(tab, tmp_path):
    """Open a page with a network; no fault may come of it."""
    with ExitStack() as visits:

        def visit(shown, viewport=WIDE):
            path = tmp_path / "page.html"
            write(path, f'<article class="bd-article">{html(shown)}</article>')
            return visits.enter_context(tab.visit(path, viewport))

        yield visit
        assert tab.faults == []


def random_states(shown, network, how_many):
    """Draw states of few and of many observations, half with soft evidence."""
    rng = np.random.default_rng(7)
    places = sum(map(len, network.states.values()))
    nodes = dict(zip(network.order, shown.controls, strict=False))
    for _ in range(how_many):
        is_seen = rng.random(len(nodes)) < rng.choice([0.1, 0.25, 0.5])
        yield {
            control.name: int(seen * rng.integers(1, control.most + 1))
            for seen, control in zip(is_seen, nodes.values(), strict=True)
        } | {
            "report": int(rng.integers(places + 1) * (rng.random() < 0.5)),
            "ratio": int(rng.integers(-6, 7)),
            "explained": int(rng.random() < 0.6),
        }


def evidence_of(network, state):
    """Return what a state says is observed, and what is heard."""
    codes = list(state.values())[: len(network)]
    hard = {
        node: network.states[node][code - 1]
        for node, code in zip(network.order, codes, strict=True)
        if code
    }
    if not state["report"]:
        return hard, {}
    places = [(n, s) for n in network.order for s in network.states[n]]
    node, heard = places[state["report"] - 1]
    ratio = RATIOS[state["ratio"] + 6]
    return hard, {
        node: {s: ratio if s == heard else 1 for s in network.states[node]}
    }


def joint_of(network, hard, soft):
    """Multiply all tables and weights, for each combination of states."""
    order = network.order
    shape = [len(network.states[node]) for node in order]
    joint = np.zeros(shape)
    for cell in np.ndindex(*shape):
        row = {
            n: network.states[n][c] for n, c in zip(order, cell, strict=True)
        }
        if all(row[node] == seen for node, seen in hard.items()):
            weight = np.prod([w[row[n]] for n, w in soft.items()])
            joint[cell] = float(network.P(row)) * weight
    return joint


def distributions(network, hard, soft):
    """Return the posterior of each node, by enumerating once for all."""
    laws = {
        node: [float(s == seen) for s in network.states[node]]
        for node, seen in hard.items()
    }
    free = [node for node in network.order if node not in hard]
    if free:
        joint = enumerate_posterior(network, free, soft | hard)
        for node in free:
            law = joint.marginal(node)
            law = law.with_states({node: network.states[node]})
            laws[node] = law.values.astype(float)
    return laws


@pytest.mark.parametrize("name", NETWORKS)
def test_all_numbers_and_bars_are_those_of_the_library(visit, name):
    network, how_many = NETWORKS[name]
    shown = explore.network(network)
    names = dict(zip(network.order, shown.controls, strict=False))
    tree = JunctionTree(network)
    asked = list(random_states(shown, network, how_many))
    impossible = explained = 0
    page = visit(shown)
    for state, seen in zip(
        asked, see(page, asked, measured=True), strict=True
    ):
        hard, soft = evidence_of(network, state)
        written, boxes = seen["written"], seen["boxes"]
        try:
            found = tree.posteriors(soft | hard)
        except ZeroProbabilityError:
            impossible += 1
            assert "cannot happen" in written["likely"]
            assert {written[n] for n in written if n[:2] == "p_"} == {"–"}
            assert not any(seen["drawn"][n]["width"] != "0" for n in boxes)
            continue
        assert "cannot happen" not in seen["spoken"]
        laws = distributions(network, hard, soft)
        for node, control in names.items():
            law = laws[node]
            if node not in hard:
                assert np.allclose(found.array(node), law)
            for code, p in enumerate(law):
                own = f"{control.name}_{code}"
                assert abs(float(written[f"p_{own}"]) - p) <= 0.0005 + 1e-9
                left, _, right, _ = boxes[f"bar_{own}"]
                # An empty bar has no place on the screen.
                assert p < 0.001 or abs(left) < 0.5
                assert abs(right - left - 1000 * p) < 1
        truth = shown.view(**state)
        for place, text in written.items():
            assert text == truth.written[place], (state, place)
        assert tuple(seen["solves"]) == truth.solves
        explained += state["explained"]
        stars = {
            (node, code)
            for node, control in names.items()
            for code in range(len(network.states[node]))
            if written[f"star_{control.name}_{code}"]
        }
        assert len(stars) == len(network) * state["explained"]
        if state["explained"]:
            best = tree.most_probable(soft | hard)
            row = {node: network.states[node][code] for node, code in stars}
            log_p = network.log_prob(row) + sum(
                np.log(w[row[node]])
                for node, w in soft.items()
                if node not in hard
            )
            assert log_p == pytest.approx(best.log_prob)
            if "equally" not in written["explanation"]:
                assert row == best.states
    assert explained > 5
    # Some have no zeros, or they are rare; asia has some.
    assert impossible > 5 or name in {"coins", "alarm", "five"}


@pytest.mark.parametrize("name", ["asia", "coins"])
def test_equally_probable_explanations_are_counted(name):
    network, how_many = NETWORKS[name]
    shown = explore.network(network)
    counts = set()
    for state in random_states(shown, network, how_many // 4):
        hard, soft = evidence_of(network, state)
        joint = joint_of(network, hard, soft)
        said = shown.view(**state | {"explained": 1}).written["explanation"]
        if not joint.any():
            assert said == ""
            continue
        best = np.argwhere(joint > joint.max() * (1 - 1e-12))
        counts.add(len(best))
        assert (f"{len(best)} are equally" in said) == (len(best) > 1)
        share = f"{joint.max() / joint.sum():.3f}"
        assert f"with probability {share}" in said
        first = [
            f"{node} = {network.states[node][code]}"
            for node, code in zip(network.order, best[0], strict=True)
        ]
        assert ", ".join(first) in said
    assert max(counts) > 1 or name == "asia"


START = {control.name: control.value for control in explore.network().controls}


@pytest.mark.parametrize(
    ("changes", "solved"),
    [
        ({}, ()),
        ({"xray": 1, "lung": 1}, ("away",)),
        ({"dysp": 1, "lung": 1}, ()),  # breathlessness raises it too little
        ({"xray": 1, "smoke": 1}, ()),
        ({"xray": 1, "lung": 1, "smoke": 1}, ()),
        ({"either": 1, "lung": 1}, ("away",)),
        ({"xray": 1, "lung": 1, "report": 3}, ()),
        ({"lung": 1, "either": 2}, ("impossible",)),
        ({"tub": 1, "either": 2}, ("impossible",)),
        ({"lung": 1, "either": 2, "asia": 1}, ()),
        ({"xray": 1}, ()),
        ({"xray": 1, "explained": 1}, ("differs",)),
        ({"dysp": 1, "explained": 1}, ()),
        ({"explained": 1}, ()),
    ],
)
def test_tasks_are_solved_by_their_solutions_only(changes, solved):
    assert explore.network().view(**START | changes).solves == solved


def test_only_tasks_that_can_be_solved_are_asked():
    assert set(explore.network().tasks) == {"away", "impossible", "differs"}
    assert set(explore.network(COINS).tasks) == {"opens"}
    copy = BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": (0, 1)},
        {"X": ["1/3", "2/3"], ("Y", "X"): [[1, 0], [0, 1]]},
    )
    assert set(explore.network(copy).tasks) == {"impossible"}


# A chain with a second cause of its middle.
CROSS = BayesianNetwork.from_cpts(
    {"X": (0, 1), "Y": (0, 1), "Z": (0, 1), "tasks": (0, 1)},
    {
        "X": ["1/10", "9/10"],
        "tasks": ["1/2", "1/2"],
        ("Y", "X", "tasks"): [
            [["3/4", "1/4"], ["1/2", "1/2"]],
            [["1/5", "4/5"], ["1/3", "2/3"]],
        ],
        ("Z", "Y"): [["9/10", "1/10"], ["1/5", "4/5"]],
    },
)


@pytest.mark.parametrize(
    ("changes", "solved"),
    [
        ({}, set()),
        ({"Y": 1}, set()),
        ({"Y": 1, "X": 1}, {"opens", "closes"}),  # of the other cause, of Z
        ({"Y": 1, "Z": 2}, {"closes"}),
        ({"X": 1, "Z": 2}, {"opens"}),
        ({"X": 1, "tasks": 1}, set()),
        ({"Y": 1, "Z": 2, "X": 1}, set()),
        ({"Y": 1, "Z": 2, "report": 1}, set()),
    ],
)
def test_what_an_observation_says_may_begin_and_end(visit, changes, solved):
    shown = explore.network(CROSS, tasks=["closes", "opens"])
    assert list(shown.tasks) == ["closes", "opens"]
    start = {control.name: control.value for control in shown.controls}
    names = dict(zip(CROSS.order, shown.controls, strict=False))
    state = start | {
        names[name].name if name in names else name: value
        for name, value in changes.items()
    }
    assert {*shown.view(**state).solves} == solved
    [seen] = see(visit(shown), [state])
    assert {*seen["solves"]} == solved


def test_a_task_that_cannot_be_solved_is_refused():
    with pytest.raises(ValueError, match="'away' is no task"):
        explore.network(CROSS, tasks=["away"])
    with pytest.raises(ValueError, match="choose from 'opens'"):
        explore.network(COINS, tasks=["opens", "closes"])


def test_two_networks_on_a_page_have_nothing_in_common(tab, tmp_path):
    """Also where all is there before any script runs, as in JupyterLab."""
    both = [explore.network(), explore.network(ALARM, key="alarm")]
    path = tmp_path / "page.html"
    write(path, '<article class="bd-article"></article>')
    with tab.visit(path) as page:
        repeated = page.evaluate(
            """html => {
              const article = document.querySelector("article");
              article.innerHTML = html;
              for (const old of article.querySelectorAll("script")) {
                const script = document.createElement("script");
                script.textContent = old.textContent;
                old.replaceWith(script);
              }
              const ids = [...document.querySelectorAll("[id]")].map(
                ({id}) => id);
              return ids.filter((id, at) => ids.indexOf(id) !== at);
            }""",
            "".join(map(html, both)),
        )
        assert repeated == []
        asia, alarm = page.locator(".bayesbook-explore").all()
        alarm.get_by_role("checkbox", name="alarm: yes").click()
        expect(
            alarm.get_by_role("checkbox", name="burglary: yes")
        ).to_have_js_property("checked", False)
        expect(
            alarm.get_by_role("checkbox", name="burglary: yes 0.315")
        ).to_be_visible()
        expect(asia.get_by_text("Nothing is observed.")).to_be_visible()
        asia.get_by_role("checkbox", name="xray: yes").click()
        expect(
            asia.get_by_role("checkbox", name="lung: yes 0.489")
        ).to_be_visible()
        expect(page).to_have_url(re.compile("#explore-network[?].*xray=1"))
        # Each lies as its graph, in the width of its own.
        assert [
            root.locator(".explore-arrows").evaluate(
                "arrows => getComputedStyle(arrows).display"
            )
            for root in (asia, alarm)
        ] == ["block", "block"]
        assert tab.faults == []


def test_a_finger_observes(chromium, visit):
    address = visit(explore.network()).url
    context = chromium.new_context(viewport=PHONE, has_touch=True)
    try:
        page = context.new_page()
        page.goto(address)
        box = page.get_by_role("checkbox", name="xray: yes")
        box.locator("xpath=..").tap()
        expect(
            page.get_by_role("checkbox", name="lung: yes 0.489")
        ).to_be_visible()
        box.tap()
        expect(
            page.get_by_role("checkbox", name="lung: yes 0.055")
        ).to_be_visible()
    finally:
        context.close()


@pytest.mark.parametrize("seed", [4, 5])
def test_a_task_of_any_network_has_a_solution(seed):
    network = random_network(seed, 6, 3)
    shown = explore.network(network)
    start = {control.name: control.value for control in shown.controls}
    names = [control.name for control in shown.controls if not control.label]
    most = {control.name: control.most for control in shown.controls}
    one = [
        {a: i}
        for a in names
        if a != "explained"
        for i in range(1, most[a] + 1)
    ]
    solved = set()
    for first in one:
        for second in one:
            state = start | {"explained": 1} | first | second
            solved |= {*shown.view(**state).solves}
    assert solved == set(shown.tasks)


def test_keys_observe_and_forget(visit):
    page = visit(explore.network())
    box = page.get_by_role("checkbox", name="xray: yes 0.110")
    tab_to(page, box)
    page.keyboard.press("Space")
    box = page.get_by_role("checkbox", name="xray: yes 1.000")
    expect(box).to_be_checked()
    expect(
        page.get_by_role("checkbox", name="lung: yes 0.489")
    ).to_be_visible()
    said = page.locator("[aria-live=polite]")
    expect(said).to_contain_text("Observed: xray = yes.")
    expect(said).to_contain_text("lung = no (0.511)")
    page.get_by_role("checkbox", name="xray: no").click()
    expect(box).to_have_count(0)
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(0)
    group = page.get_by_role("group", name="either given lung, tub")
    expect(group.get_by_role("checkbox")).to_have_count(2)


def test_soft_evidence_and_the_impossible_are_said_in_words(visit):
    page = visit(explore.network())
    page.get_by_label("soft evidence for").select_option("lung = yes")
    words = page.locator(".explore-words")
    expect(words).to_contain_text("10 times as probable")
    # 0.055 times 10 against 0.945
    expect(
        page.get_by_role("checkbox", name="lung: yes 0.368")
    ).to_be_visible()
    page.get_by_role("slider").fill("0")
    expect(
        page.get_by_role("checkbox", name="lung: yes 0.055")
    ).to_be_visible()
    page.get_by_role("checkbox", name="lung: yes").click()
    page.get_by_role("checkbox", name="either: no").click()
    expect(words).to_contain_text("This cannot happen")
    expect(page).to_have_url(re.compile(".*lung=1.*either=2"))
    page.reload()
    expect(words).to_contain_text("This cannot happen")
    page.get_by_role("button", name="Back to the start").click()
    expect(words).to_contain_text("Nothing is observed.")


def rectangles(page):
    return page.locator(".explore-card").evaluate_all(
        """cards => Object.fromEntries(cards.map(card => {
          const {left, top, right, bottom} = card.getBoundingClientRect();
          return [card.querySelector("b").textContent,
                  [left, top, right, bottom]];
        }))"""
    )


def test_cards_lie_as_the_graph_where_there_is_room(visit):
    page = visit(explore.network())
    expect(page.locator(".explore-arrows")).to_be_visible()
    cards = rectangles(page)
    for parent, child in ASIA.graph.edges:
        assert cards[parent][3] < cards[child][1]
    boxes = list(cards.values())
    for i, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:i]:
            assert (
                right < other[0]
                or other[2] < left
                or bottom < other[1]
                or other[3] < top
            )
    # Each arrow points to the rim of its child.
    heads = page.locator(".explore-arrows path:not([class])").evaluate_all(
        """heads => heads.map(head => {
          const point = head.getPointAtLength(0);
          const {x, y} = point.matrixTransform(head.getScreenCTM());
          return [x, y];
        })"""
    )
    assert len(heads) == len(ASIA.graph.edges)
    for (x, y), (_, child) in zip(heads, ASIA.graph.edges, strict=True):
        left, top, right, bottom = cards[child]
        outside = max(left - x, x - right, top - y, y - bottom)
        assert abs(outside) < 2


@pytest.mark.parametrize("forced", ["none", "active"])
def test_arrows_are_thin_in_all_colours(visit, forced):
    page = visit(explore.network())
    page.emulate_media(forced_colors=forced)
    looks = page.locator(".explore-arrows path").evaluate_all(
        """paths => paths.map(path => {
          const {fill, stroke, strokeWidth} = getComputedStyle(path);
          const isLine = path.matches(".explore-arrow");
          return [isLine, fill === "none", stroke === "none",
                  parseFloat(strokeWidth) < 0.1];
        })"""
    )
    lines = [look for is_line, *look in looks if is_line]
    heads = [look for is_line, *look in looks if not is_line]
    assert lines == [[True, False, True]] * len(ASIA.graph.edges)
    assert [look[:2] for look in heads] == [[False, True]] * len(lines)
    page.emulate_media(forced_colors="none")


def test_cards_are_in_order_on_a_phone(visit):
    page = visit(explore.network(), PHONE)
    expect(page.locator(".explore-arrows")).to_be_hidden()
    cards = rectangles(page)
    assert tuple(cards) == ASIA.order
    for one, other in pairwise(cards.values()):
        assert other[1] > one[1] or other[0] > one[2]
    expect(page.get_by_text("given lung, tub")).to_be_visible()


def test_names_may_have_any_letters(visit):
    odd = BayesianNetwork.from_cpts(
        {
            "report": ("{x}", "</script>"),
            "a b": (0, 1.5),
            "a.b": (True, False),
        },
        {
            "report": ["1/4", "3/4"],
            ("a b", "report"): [["1/2", "1/2"], ["1/8", "7/8"]],
            "a.b": ["1/2", "1/2"],
        },
    )
    shown = explore.network(odd, labels={"a b": "it's <b>a & {b}</b>"})
    page = visit(shown)
    box = page.get_by_role("checkbox", name="report: </script> 0.750")
    box.click()
    words = page.locator(".explore-words")
    expect(words).to_contain_text("Observed: report = </script>.")
    expect(words).to_contain_text("it's <b>a & {b}</b> = 1.5 (0.875)")
    state = {control.name: control.value for control in shown.controls}
    name = shown.controls[odd.order.index("report")].name
    truth = shown.view(**state | {name: 2}).written
    assert truth["evidence"] in words.text_content()


def test_a_card_is_as_high_as_its_name_and_states():
    network = NETWORKS["chain of eight"][0]
    shown = html(explore.network(network))
    [row] = re.findall(r"explore-tick\s*{\s*height:\s*([\d.]+)rem", shown)
    cards = re.findall(r";top:[\d.]+rem;--tall:([\d.]+)rem", shown)
    rows = [1 + len(network.states[node]) for node in network.order]
    assert len(set(rows)) > 1
    assert [*map(float, cards)] == pytest.approx(
        [n * float(row) for n in rows], abs=0.01
    )


def test_what_a_page_cannot_show_is_refused():
    with pytest.raises(TypeError, match="load_network"):
        explore.network("asia")
    with pytest.raises(ProbabilityError, match=r"37 nodes.*smaller"):
        explore.network(load_network("alarm"))
    with pytest.raises(ProbabilityError, match=r"177,147 combinations"):
        explore.network(load_network("sachs"))
    with pytest.raises(ProbabilityError, match="'lungs'"):
        explore.network(ASIA, labels={"lungs": "lung cancer"})
    with pytest.raises(ProbabilityError, match="'maybe' is not a state"):
        explore.network(ASIA, cause=("tub", "maybe"))
    tiny = BayesianNetwork.from_cpts(
        {"X": "ab", "Y": "ab"},
        {"X": [1e-200, 1], ("Y", "X"): [[1e-200, 1], [0.5, 0.5]]},
    )
    with pytest.raises(ProbabilityError, match="so small"):
        explore.network(tiny)
