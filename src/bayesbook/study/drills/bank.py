"""From a kind and a seed to a question, and to many different ones."""

from collections.abc import Callable, Sequence
from itertools import count
from numbers import Integral

import numpy as np

from bayesbook.study.drills import (
    chains,
    classes,
    concepts,
    conjugate,
    decisions,
    documents,
    estimation,
    graphs,
    limits,
    measured,
    merging,
    networks,
    noise,
    parents,
    probability,
    risk,
    shrinkage,
    spreads,
    variables,
)
from bayesbook.study.drills.drill import Drill
from bayesbook.study.quiz.errors import nearest

# Those of kinds with several families are also given the family.
_MAKERS: dict[str, Callable[..., Drill]] = {
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
    "map-em": networks.map_em,
    "maximum-likelihood": estimation.maximum_likelihood,
    "standard-error": estimation.standard_error,
    "naive-bayes": classes.naive_bayes,
    "odds": classes.odds,
    "conditional-mean": variables.conditional_mean,
    "total-variance": variables.total_variance,
    "deviation-bound": limits.deviation_bound,
    "sampling-error": spreads.sampling_error,
    "threshold": decisions.threshold,
    "bayes-risk": decisions.bayes_risk,
    "least-risk": risk.least_risk,
    "squared-risk": risk.squared_risk,
    "beta-estimate": shrinkage.beta_estimate,
    "shrinkage": shrinkage.shrinkage,
    "concept-posterior": concepts.concept_posterior,
    "concept-prediction": concepts.concept_prediction,
    "super-parent": parents.super_parent,
    "tree-gain": parents.tree_gain,
    "pooled-counts": measured.pooled_counts,
    "measured-odds": measured.measured_odds,
    "document-odds": documents.document_odds,
    "fixed-point": documents.fixed_point,
    "merged-moments": merging.merged_moments,
    "reduction-tree": merging.reduction_tree,
    "chain-messages": networks.chain_messages,
    "elimination-cost": networks.elimination_cost,
    "metropolis-step": chains.metropolis_step,
    "dependent-draws": chains.dependent_draws,
    "kalman-step": networks.kalman_step,
    "baum-welch": networks.baum_welch,
    "unknown-noise": noise.unknown_noise,
}
#: What can be drilled.
KINDS = tuple(_MAKERS)
#: The models that a kind mixes, for each kind that mixes some.
FAMILIES = dict.fromkeys(
    ("update", "posterior", "predict"), tuple(conjugate.FAMILIES)
)


def question(
    kind: str, seed: int, family: str | Sequence[str] | None = None
) -> Drill:
    """Generate a question.

    Parameters
    ----------
    kind : str
        One of ``KINDS``. The question is, for ``"bayes"``: a posterior
        probability; ``"total-probability"``: the probability of an event
        with several causes; ``"separation"``: whether two nodes of a graph
        are d-separated, and why; ``"equivalence"``: which graphs are Markov
        equivalent to a given one; ``"update"``: a number of a posterior;
        ``"posterior"``: which distribution the posterior is; ``"predict"``:
        a number of what is observed next; ``"parameters"``: how many free
        parameters a network has; ``"blanket"``: the Markov blanket of a
        node; ``"query"``: the probability of a state in a network, given
        others; ``"smoothing"``: an entry of a table, from counts;
        ``"score-delta"``: what an edge adds to a score; ``"compelled"``:
        which arrows all equivalent graphs share; ``"chow-liu"``: the edges
        of the best tree; ``"em-step"``: a number of an E step or an M step;
        ``"map-em"``: a number of an M step with a prior;
        ``"maximum-likelihood"``: the most likely parameter;
        ``"standard-error"``: how far such an estimate can be trusted;
        ``"naive-bayes"``: the posterior of a class; ``"odds"``: its odds,
        or the factor of a column in them; ``"conditional-mean"``: a
        conditional expectation, from a table of counts;
        ``"total-variance"``: the variance of two groups together;
        ``"deviation-bound"``: what Markov's or Chebyshev's inequality
        guarantees; ``"sampling-error"``: how much a sum, a mean or a share
        varies; ``"threshold"``: the probability at which two decisions have
        the same conditional risk; ``"bayes-risk"``: the least mean cost of a
        rule, from a table of counts; ``"least-risk"``: the smallest expected
        loss of one number; ``"squared-risk"``: noise, squared bias and
        variance of a prediction; ``"beta-estimate"``: an estimate under a Beta
        prior, or the prior; ``"shrinkage"``: an estimate under a Gaussian or
        Laplace prior, or the penalty that belongs to the prior;
        ``"concept-posterior"``: the posterior of a set of numbers, or after
        how many examples it leads; ``"concept-prediction"``: a prediction
        that is averaged over several sets of numbers;
        ``"super-parent"``: a posterior or a factor in a SPODE with two
        features; ``"tree-gain"``: how much larger the log-likelihood of the
        best tree is than that of another structure; ``"pooled-counts"``: an
        estimate from the counts of two lists; ``"measured-odds"``: the
        log-odds of Gaussian features, or how they change;
        ``"document-odds"``: the odds or the posterior of the class of a
        document, or the factor of its next word; ``"fixed-point"``: a step
        that fits a Dirichlet compound multinomial; ``"merged-moments"``: a
        mean, a sum of squared deviations or a variance of two parts;
        ``"reduction-tree"``: how large the tree is that adds the counts of
        parts; ``"chain-messages"``: a posterior in a hidden Markov model,
        or that of its best sequence; ``"elimination-cost"``: the largest
        product of an elimination, or the number of its fill-in edges;
        ``"metropolis-step"``: a probability of the Metropolis-Hastings
        algorithm; ``"dependent-draws"``: the stationary distribution of two
        states, or how precise an average of dependent or weighted draws is;
        ``"kalman-step"``: a mean, a variance or a gain of the Kalman filter;
        ``"baum-welch"``: a probability from expected counts of a hidden
        Markov model; ``"unknown-noise"``: a number of the posterior, or of
        the prediction, of readings whose variance is unknown.
    seed : int
        At least 0.
    family : str, sequence of str or None
        For a kind that mixes several models, the one that the question is
        to be about, one of ``FAMILIES[kind]``; or several, which take turns
        with the seed; by default all of them.

    Returns
    -------
    Drill
        The same for the same kind, seed and family.

    Raises
    ------
    ValueError
        If there is no such kind or family, or the seed is negative.
    TypeError
        If the seed is not an integer.

    Examples
    --------
    >>> question("total-probability", seed=1).answer
    '19/45'
    >>> question("update", seed=1, family="beta-binomial").family
    'beta-binomial'
    >>> question("baies", seed=1)
    Traceback (most recent call last):
        ...
    ValueError: There is no drill 'baies'. Did you mean `bayes`? There are: \
bayes, total-probability, separation, equivalence, update, posterior, \
predict, parameters, blanket, query, smoothing, score-delta, compelled, \
chow-liu, em-step, map-em, maximum-likelihood, standard-error, \
naive-bayes, odds, conditional-mean, total-variance, deviation-bound, \
sampling-error, threshold, bayes-risk, least-risk, squared-risk, \
beta-estimate, shrinkage, concept-posterior, concept-prediction, \
super-parent, tree-gain, pooled-counts, measured-odds, document-odds, \
fixed-point, merged-moments, reduction-tree, chain-messages, \
elimination-cost, metropolis-step, dependent-draws, kalman-step, baum-welch, \
unknown-noise.
    """
    families = families_of(kind, family)
    _require_integer(
        "seed", seed, 0, "a whole number from 0 on: write one such as 17."
    )
    # The kind is part of the seed: otherwise kinds would share random numbers.
    rng = np.random.default_rng([int(seed), *kind.encode()])
    own = [families[seed % len(families)]] if families else []
    return _MAKERS[kind](int(seed), rng, *own)


def families_of(
    kind: str, family: str | Sequence[str] | None = None
) -> tuple[str, ...]:
    """List the families that are meant, if a kind has any.

    Parameters
    ----------
    kind, family
        As in :func:`question`.

    Returns
    -------
    tuple of str
        Empty for a kind without families.

    Raises
    ------
    ValueError
        If there is no such kind or family.

    Examples
    --------
    >>> families_of("bayes")
    ()
    >>> families_of("update", "gaussian")
    ('gaussian',)
    """
    if kind not in KINDS:
        raise _unknown(f"There is no drill {kind!r}.", str(kind), KINDS)
    known = FAMILIES.get(kind, ())
    if family is None:
        return known
    asked = (family,) if isinstance(family, str) else tuple(family)
    if not known:
        raise ValueError(f"The drill {kind!r} has no families: leave it out.")
    for one in asked:
        if one not in known:
            problem = f"The drill {kind!r} has no family {one!r}."
            raise _unknown(problem, str(one), known)
    return asked or known


def _unknown(problem: str, written: str, known: tuple[str, ...]) -> ValueError:
    """Return an error that names the nearest of the known words, and all."""
    listed = f"There are: {', '.join(known)}."
    parts = [problem, nearest(written, known), listed]
    return ValueError(" ".join(filter(None, parts)))


def _require_integer(name: str, value: int, least: int, wanted: str) -> None:
    """Raise an error if a value is not an integer, or is too small."""
    message = f"{name}={value!r} is not {wanted}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(message)
    if value < least:
        raise ValueError(message)


def bank(
    kind: str, size: int = 200, family: str | Sequence[str] | None = None
) -> list[Drill]:
    """Generate many different questions.

    Parameters
    ----------
    kind : str
        As in :func:`question`.
    size : int
        How many, at least 1.
    family : str, sequence of str or None
        As in :func:`question`.

    Returns
    -------
    list of Drill
        From the seeds 1, 2, …, without those that repeat a prompt.

    Raises
    ------
    ValueError
        If there is no such kind or family, or the size is below 1.
    TypeError
        If the size is not an integer.

    Examples
    --------
    >>> [drill.seed for drill in bank("bayes", size=3)]
    [1, 2, 3]
    """
    _require_integer(
        "size", size, 1, "a number of questions: write 1 or more."
    )
    found: dict[str, Drill] = {}
    seeds = count(1)
    while len(found) < size:
        drill = question(kind, next(seeds), family)
        found.setdefault(drill.prompt, drill)
    return list(found.values())
