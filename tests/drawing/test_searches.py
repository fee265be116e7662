"""Searches as figures: the score of every step, and its kind."""

import networkx as nx
import numpy as np
import pytest
from search_runs import asia_run, empty, random_run, run_of

from bayesbook.drawing import describe, draw_search, subplots
from bayesbook.network import equivalence_search, load_network

pytestmark = pytest.mark.usefixtures("own_style")


def lines_of(ax):
    return {
        line.get_label(): line
        for line in ax.lines
        if not line.get_label().startswith("_")
    }


def test_a_figure_has_every_step_at_its_score():
    rng = np.random.default_rng(4)
    for _ in range(10):
        run = random_run(rng, steps=20)
        ax = subplots(height=3)[1]
        draw_search(ax, run)
        scores = [run.path[0].score - run.path[0].delta]
        scores += [step.score for step in run.path]
        shown = {}
        for label, line in lines_of(ax).items():
            if label.startswith("best"):
                assert set(line.get_ydata()) == {run.score}
                continue
            for x, y in zip(*line.get_data(), strict=True):
                assert x not in shown
                shown[x] = label
                assert y == scores[x]
        assert shown == {
            at: step.move.kind if step and step.move else "start"
            for at, step in enumerate([None, *run.path])
        }
        # The line is broken where the search begins anew.
        joined = [
            line.get_xdata()
            for line in ax.lines
            if line.get_label().startswith("_")
        ]
        starts = [at for at, kind in shown.items() if kind == "start"]
        assert [line[0] for line in joined] == sorted(starts)
        assert sum(map(len, joined)) == len(scores)


def test_kinds_of_moves_have_markers_and_colours_of_their_own():
    ax = subplots(height=3)[1]
    draw_search(ax, random_run(np.random.default_rng(5), steps=40))
    marks = lines_of(ax)
    kinds = ["start", "add", "delete", "reverse"]
    assert list(marks)[:4] == kinds
    for what in ("get_marker", "get_color"):
        assert len({getattr(marks[kind], what)() for kind in kinds}) == 4


def test_insertions_have_a_marker():
    run = equivalence_search(load_network("asia").sample(1500, rng=5))
    ax = subplots()[1]
    draw_search(ax, run)
    assert "insert" in lines_of(ax)


def test_a_figure_is_described():
    fig, ax = subplots(height=2)
    draw_search(ax, asia_run())
    text = describe(fig)
    assert 'y "BIC (nats)"' in text
    assert '"reverse", #b8568f marker D 7: x 3; y -183.1' in text
    assert '"start", #222222 marker o 7: x 0 4; y -200 -186.1' in text


def test_a_search_without_steps_is_a_point():
    fig, ax = subplots(height=2)
    draw_search(ax, run_of([], empty("AB")))
    assert lines_of(ax)["start"].get_xydata().tolist() == [[0, -7.5]]
    fig.draw_without_rendering()


@pytest.mark.parametrize("run", [None, nx.DiGraph([("A", "B")]), "run"])
def test_only_a_run_is_drawn(run):
    with pytest.raises(TypeError, match="is not a SearchRun"):
        draw_search(subplots()[1], run)
