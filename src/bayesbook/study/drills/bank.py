"""From a kind and a seed to a question, and to many different ones."""

from collections.abc import Callable
from itertools import count
from numbers import Integral

import numpy as np

from bayesbook.study.drills import conjugate, graphs, networks, probability
from bayesbook.study.drills.drill import Drill
from bayesbook.study.quiz.errors import nearest

_MAKERS: dict[str, Callable[[int, np.random.Generator], Drill]] = {
    "bayes": probability.bayes,
    "total-probability": probability.total,
    "separation": graphs.separation,
    "equivalence": graphs.equivalence,
    "update": conjugate.update,
    "posterior": conjugate.posterior,
    "predict": conjugate.predict,
    "parameters": networks.parameters,
    "blanket": networks.blanket,
    "query": networks.query,
    "smoothing": networks.smoothing,
    "score-delta": networks.score_delta,
    "compelled": networks.compelled,
    "chow-liu": networks.chow_liu,
    "em-step": networks.em_step,
}
#: What can be drilled.
KINDS = tuple(_MAKERS)


def question(kind: str, seed: int) -> Drill:
    """Generate a question.

    Parameters
    ----------
    kind : str
        One of ``KINDS``: ``"bayes"`` asks for a posterior probability,
        ``"total-probability"`` for that of an event with several causes,
        ``"separation"`` whether two nodes of a graph are d-separated, and
        why, ``"equivalence"`` which graphs are Markov equivalent to one,
        ``"update"`` for a number of a posterior distribution, ``"posterior"``
        which distribution it is, ``"predict"`` for a number of what is
        observed next, ``"parameters"`` how many free ones a network has,
        ``"blanket"`` for the Markov blanket of a node, ``"query"`` for the
        probability of a state in a network, given others, ``"smoothing"`` for
        an entry of a table, from counts, ``"score-delta"`` for what an edge
        adds to a score, ``"compelled"`` which arrows all equivalent graphs
        share, ``"chow-liu"`` for the edges of the best tree, ``"em-step"`` for
        a number of an E step or an M step.
    seed : int
        At least 0.

    Returns
    -------
    Drill
        The same for the same kind and seed.

    Raises
    ------
    ValueError
        If there is no such kind, or the seed is not such a number.

    Examples
    --------
    >>> question("total-probability", seed=1).answer
    '19/45'
    >>> question("baies", seed=1)
    Traceback (most recent call last):
        ...
    ValueError: There is no drill 'baies'. Did you mean `bayes`? There are: \
bayes, total-probability, separation, equivalence, update, posterior, \
predict, parameters, blanket, query, smoothing, score-delta, compelled, \
chow-liu, em-step.
    """
    if kind not in KINDS:
        close = nearest(str(kind), KINDS)
        listed = f"There are: {', '.join(KINDS)}."
        raise ValueError(
            " ".join(
                filter(None, [f"There is no drill {kind!r}.", close, listed])
            )
        )
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise ValueError(
            f"seed={seed!r} is not a whole number from 0 on: write one such "
            "as 17."
        )
    # With the kind in the seed, since kinds would share their stories' luck.
    rng = np.random.default_rng([int(seed), *kind.encode()])
    return _MAKERS[kind](int(seed), rng)


def bank(kind: str, size: int = 200) -> list[Drill]:
    """Generate many questions, no two of which ask the same.

    Parameters
    ----------
    kind : str
        As in :func:`question`.
    size : int
        How many, at least 1.

    Returns
    -------
    list of Drill
        From the seeds 1, 2, … but for those that repeat a prompt.

    Raises
    ------
    ValueError
        If there is no such kind, or the size is not such a number.

    Examples
    --------
    >>> [drill.seed for drill in bank("bayes", size=3)]
    [1, 2, 3]
    """
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 1:
        raise ValueError(
            f"size={size!r} is not a number of questions: write 1 or more."
        )
    found: dict[str, Drill] = {}
    for seed in count(1):
        drill = question(kind, seed)
        found.setdefault(drill.prompt, drill)
        if len(found) == size:
            return list(found.values())
