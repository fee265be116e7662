"""What tests read off the parts of drawings, and examples to draw."""

import io
from xml.etree import ElementTree

import numpy as np
from matplotlib.colors import to_rgb
from PIL import Image

from bayesbook.drawing import describe, subplots
from bayesbook.graphs import random_dag
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table

YES_NO = ("yes", "no")
LAWN = BayesianNetwork.from_cpts(
    {"rain": YES_NO, "sprinkler": ("on", "off"), "grass": ("wet", "dry")},
    {
        "rain": ["1/5", "4/5"],
        ("sprinkler", "rain"): [["1/10", "9/10"], ["2/5", "3/5"]],
        ("grass", "rain", "sprinkler"): [
            [[1, 0], ["4/5", "1/5"]],
            [["9/10", "1/10"], [0, 1]],
        ],
    },
)
# Three letters, many states, long words, and some that look like TeX.
STATES = [
    YES_NO,
    ("low", "normal", "high"),
    tuple(range(5)),
    ("more than one hundred thousand", "from $100 to $200", "less"),
]


def network_of(graph, rng, states=STATES):
    own = {node: states[rng.integers(len(states))] for node in sorted(graph)}
    tables = []
    for node in sorted(graph):
        parents = sorted(graph.pred[node])
        shape = [len(own[one]) for one in (*parents, node)]
        values = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        axes = {one: own[one] for one in (*parents, node)}
        tables.append(Table(values.reshape(shape), axes, given=parents))
    return BayesianNetwork(tables)


def random_network(rng, n=None, states=STATES):
    n = rng.integers(5, 13) if n is None else n
    return network_of(random_dag(n, 2 / (n - 1), rng=rng), rng, states)


def parts(drawing, kind):
    """Return the parts of a kind by what they belong to."""
    return {
        part.get_gid().removeprefix(f"{kind} "): part
        for part in drawing.get_children()
        if part.get_gid().startswith(f"{kind} ")
    }


def outline(part):
    return part.get_path().vertices


def width(part):
    return np.ptp(outline(part)[:, 0])


def lightness(colour):
    return np.dot(to_rgb(colour), [0.2126, 0.7152, 0.0722])


def box(part):
    return np.array([outline(part).min(axis=0), outline(part).max(axis=0)])


def overlap(a, b):
    low, high = np.maximum(a[0], b[0]), np.minimum(a[1], b[1])
    return (high > low).all()


def described(draw, *arguments):
    """Describe new axes into which something was drawn."""
    fig, ax = subplots(height=2)
    draw(ax, *arguments)
    return describe(fig)


def picture(fig):
    """Return the pixels of a figure."""
    file = io.BytesIO()
    fig.savefig(file, format="png")
    return Image.open(file)


def svg(fig):
    """Return what a notebook shows of a figure."""
    data, _size = fig._repr_mimebundle_()
    return data["image/svg+xml"]


def drawn(fig):
    """Return the elements that a notebook shows, without namespaces."""
    return ElementTree.fromstring(svg(fig).replace(" xmlns=", " data-ns="))
