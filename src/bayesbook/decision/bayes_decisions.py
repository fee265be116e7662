"""Best decisions and their risk, from a table of probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import plain, require_name, say, unknown
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.decision._reading import read_number
from bayesbook.decision.loss_matrix import Decision, LossMatrix, read_loss
from bayesbook.probability import Table
from bayesbook.probability.functions import parameter_names

#: A function of the observed states, or a mapping from them, to a decision.
Predictor = Callable[..., Decision] | Mapping[Hashable, Decision]


def expected_risk(
    joint: Table, target: str, predictor: Predictor, loss: Callable
) -> Fraction | float:
    r"""Return the expected loss of a predictor under a known distribution.

    .. math:: R_\text{exp}(f) = \sum_{x, y} L(y, f(x)) \, P(x, y)

    Parameters
    ----------
    joint : Table
        The joint distribution of the target and the observed variables.
    target : str
        The variable y that is predicted.
    predictor : function or mapping
        The arguments of a function are the variables that it uses, by name,
        ``lambda X: ...``. A mapping has a decision for each state of the
        observed variable, or for each tuple of states, if there are several.
        Only states of positive probability need one.
    loss : function or LossMatrix
        A function of one truth and one prediction, such as
        :func:`squared_loss`; or the matrix of the losses of each decision in
        each state.

    Returns
    -------
    Fraction or float
        Exact if the table and the losses are. Infinite if a loss of positive
        probability is.

    Raises
    ------
    ProbabilityError
        If the table is conditional, the target is not one of its variables,
        the predictor uses the target or an unknown variable or has no
        decision for a state of positive probability, or a loss is not a
        number.
    TypeError
        If the joint distribution is not a table, the target not a name, or
        the predictor or the loss is neither of the two kinds.

    See Also
    --------
    bayes_decision_rule : the predictors that have the least expected risk.
    empirical_risk : the mean loss over data.

    Examples
    --------
    >>> from bayesbook.decision import absolute_loss, squared_loss
    >>> joint = Table([["3/8", "1/8"], ["1/8", "3/8"]],
    ...               {"X": (0, 1), "Y": (0, 1)})
    >>> print(expected_risk(joint, "Y", lambda X: X, squared_loss))
    1/4
    >>> always = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    >>> print(expected_risk(joint, "Y", always, absolute_loss))
    1/2
    """
    others, keys, weights = _read_joint(joint, target)
    decide = _read_predictor(predictor, target, others, keys)
    cost = _read_cost(loss, joint.states[target])
    risk = 0
    for key, row in zip(keys, weights.tolist(), strict=True):
        if not any(row):
            continue
        decision = decide(key)
        for state, p in zip(joint.states[target], row, strict=True):
            # An impossible state costs nothing, even if its loss is infinite.
            if p:
                risk += p * cost(state, decision)
    return risk


def bayes_decision_rule(
    joint: Table, target: str, loss: LossMatrix | None = None
) -> dict[Hashable, tuple[Decision, ...]]:
    r"""Return the best decisions for each state of the observed variables.

    .. math:: \alpha(x) = \arg\min_i \sum_j \lambda_{ij} \, P(j \mid x)

    A predictor has the least expected risk exactly if it takes one of these
    decisions for every x of positive probability.

    Parameters
    ----------
    joint : Table
        The joint distribution of the target and the observed variables.
    target : str
        The variable whose states are the columns of the loss matrix.
    loss : LossMatrix, optional
        By default zero-one loss: the decisions are the states, and the best
        are the most probable ones. The columns and rows of a matrix without
        names are the states, in their order.

    Returns
    -------
    dict of state(s) to tuple of decisions
        The keys are the states of the observed variable, or tuples of states
        if there are several, or only ``()`` if there is none. The values are
        all best decisions, in the order of the matrix. States of probability
        zero are left out, because they have no posterior.

    Raises
    ------
    ProbabilityError
        If the table is conditional, the target is not one of its variables,
        or its states are not those of the loss.
    TypeError
        If the joint distribution is not a table, or the target not a name.

    See Also
    --------
    bayesbook.probability.bayes_rule : the posterior probabilities themselves.
    LossMatrix.best : the decision for one posterior.

    References
    ----------
    Duda, Hart and Stork (2001), *Pattern Classification*, section 2.2.

    Examples
    --------
    >>> joint = Table([["1/8", "1/8"], ["1/4", "1/2"]],
    ...               {"test": "-+", "state": ("ill", "well")})
    >>> bayes_decision_rule(joint, "state")
    {'-': ('ill', 'well'), '+': ('well',)}
    >>> from bayesbook.decision import zero_one_loss
    >>> best = bayes_decision_rule(joint, "state")
    >>> rule = {x: decisions[0] for x, decisions in best.items()}
    >>> print(expected_risk(joint, "state", rule, zero_one_loss))
    3/8
    """
    _, keys, weights = _read_joint(joint, target)
    loss = read_loss(loss, joint.states[target])
    totals = weights.sum(axis=1)
    possible = totals > 0
    posterior = weights[possible] / totals[possible, None]
    seen = [key for key, p in zip(keys, possible, strict=True) if p]
    return dict(zip(seen, loss.all_best(posterior), strict=True))


def bayes_risk(
    joint: Table, target: str, loss: LossMatrix | None = None
) -> Fraction | float:
    r"""Return the least expected risk of all predictors.

    .. math:: R^* = \sum_x \min_i \sum_j \lambda_{ij} \, P(x, j)

    With zero-one loss it is the probability of a mistake, and one minus it
    is the highest possible accuracy.

    Parameters
    ----------
    joint, target, loss
        As for :func:`bayes_decision_rule`, with the same errors.

    Returns
    -------
    Fraction or float
        Exact if the table and the losses are.

    References
    ----------
    Duda, Hart and Stork (2001), *Pattern Classification*, section 2.2.

    Examples
    --------
    >>> joint = Table([["1/8", "1/8"], ["1/4", "1/2"]],
    ...               {"test": "-+", "state": ("ill", "well")})
    >>> print(bayes_risk(joint, "state"))
    3/8
    >>> loss = LossMatrix([[0, 1], [10, 0]], ("ill", "well"),
    ...                   ("treat", "wait"))
    >>> print(bayes_risk(joint, "state", loss))
    5/8
    """
    _, _, weights = _read_joint(joint, target)
    loss = read_loss(loss, joint.states[target])
    losses = loss.values
    if not (joint.is_exact and loss.is_exact):
        weights, losses = weights.astype(float), losses.astype(float)
    return plain((weights @ losses.T).min(axis=1).sum())


def _read_joint(joint, target):
    """Return the other variables, their states, and a row of P for each."""
    if not isinstance(joint, Table):
        raise TypeError(
            "Give the joint distribution as a Table, not "
            f"{type(joint).__name__}."
        )
    if joint.conditions:
        raise ProbabilityError(
            f"{joint.title} is not a joint distribution: multiply it by "
            f"P({', '.join(joint.conditions)}) first."
        )
    if not isinstance(target, str):
        raise TypeError(
            f"The target is {target!r}; give the name of one variable."
        )
    require_name(target, joint.states, of=joint.title)
    others = tuple(name for name in joint.variables if name != target)
    states = [joint.states[name] for name in others]
    keys = [key[0] if len(others) == 1 else key for key in product(*states)]
    weights = joint.transpose(*others, target).values
    return others, keys, weights.reshape(prod(map(len, states)), -1)


def _read_predictor(predictor, target, others, keys):
    """Return the decision as a function of a key."""
    if isinstance(predictor, Mapping):
        for key in predictor:
            if key not in keys:
                raise ProbabilityError(
                    f"The predictor has a decision for {key!r}, but "
                    f"{_together(others)} can only be {quoted_list(keys)}."
                    f"{did_you_mean(key, keys)}"
                )

        def decide(key):
            if key not in predictor:
                raise ProbabilityError(
                    "The predictor has no decision for "
                    f"{say(_states(key, others))}."
                )
            return predictor[key]

        return decide
    if not callable(predictor):
        raise TypeError(
            f"The predictor is {predictor!r}, neither a function, such as "
            f"lambda {', '.join(others)}: ..., nor a mapping from states."
        )
    names = _arguments(predictor, target, others)

    def call(key):
        states = _states(key, others)
        return predictor(**{name: states[name] for name in names})

    return call


def _arguments(predictor, target, others):
    """Return the variables that a function uses."""
    names = parameter_names(predictor, ", ".join(others))
    if target in names:
        raise ProbabilityError(
            f"The predictor uses {target!r}, which it has to predict."
        )
    for name in names:
        require_name(name, others, of="the observed variables")
    return names


def _read_cost(loss, states):
    """Return the loss as a function of a state and a decision."""
    if isinstance(loss, LossMatrix):
        loss = loss.with_states(states)

        def of_matrix(state, decision):
            if decision not in loss.decisions:
                raise unknown(decision, loss.decisions, "The decision")
            row = loss.decisions.index(decision)
            return plain(loss.values[row, states.index(state)])

        return of_matrix
    if not callable(loss):
        raise TypeError(
            f"The loss is {loss!r}, neither a function of truth and "
            "prediction, such as squared_loss, nor a LossMatrix."
        )

    def of_function(state, decision):
        value = loss(state, decision)
        return read_number(
            value, f"The loss of {decision!r} when the truth is {state!r}"
        )

    return of_function


def _states(key, others):
    """Return the state of each observed variable."""
    return dict(zip(others, key if len(others) != 1 else (key,), strict=True))


def _together(names):
    """Return the names of the observed variables as text."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"
