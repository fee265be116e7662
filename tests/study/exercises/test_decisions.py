"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F

from scipy.stats import rankdata
from study.exercises.solving import solved_by

from bayesbook import decision
from bayesbook.decision import LossMatrix
from bayesbook.probability import Table

# --- Solutions through matrices and tables of the library -----------------


def matrix(loss):
    states = list(next(iter(loss.values())))
    rows = [[row[state] for state in states] for row in loss.values()]
    return LossMatrix(rows, states, list(loss))


def distribution(joint, states=None):
    """Make a table; a state without probability is still a state."""
    seen = list(dict.fromkeys(x for x, _ in joint))
    states = list(states or dict.fromkeys(s for _, s in joint))
    rows = [[joint.get((x, s), 0) for s in states] for x in seen]
    return Table(rows, {"x": seen, "state": states})


def best_with_priors(table, losses, priors):
    """Draw the classes anew, and let the library decide for a table."""
    states = range(len(priors))
    loss = LossMatrix(losses, states, range(len(losses)))
    classes = Table(priors, {"state": states})
    columns = [
        [F(n) / sum(map(F, column)) for n in column]
        for column in zip(*table, strict=True)
    ]
    table = classes * Table(
        columns, {"state": states, "x": range(len(table))}, given="state"
    )
    best = decision.bayes_decision_rule(table, "state", loss)
    risk = decision.bayes_risk(table, "state", loss)
    return [one for (one,) in best.values()], risk


def conditional_risk(loss, posterior):
    loss = matrix(loss)
    risks = loss.conditional_risk(posterior).tolist()
    return dict(zip(loss.decisions, risks, strict=True))


def best_decisions(loss, posterior):
    return set(matrix(loss).all_best(posterior))


def ratio_threshold(loss, prior):
    """Search the posterior at which both conditional risks are equal.

    The difference of the risks is linear in it, so two of its values tell.
    """
    loss = LossMatrix(loss, (0, 1))

    def lead(q):
        risk_0, risk_1 = loss.conditional_risk([1 - q, q])
        return risk_0 - risk_1

    at_0, at_1 = lead(F(0)), lead(F(1))
    q = at_0 / (at_0 - at_1)
    return q / (1 - q) * (1 - prior) / prior


def pairwise_auc(ill, well):
    """Rank all scores together; ties have the mean of their ranks."""
    ranks = rankdata([*ill, *well])[: len(ill)]
    above = ranks.sum() - len(ill) * (len(ill) + 1) / 2
    return above / (len(ill) * len(well))


def least_risk(joint, loss):
    loss = matrix(loss)
    return decision.bayes_risk(distribution(joint, loss.states), "state", loss)


def error_and_reject(joint, cost):
    joint = distribution(joint)
    zero_one = LossMatrix.zero_one(joint.states["state"])
    best = decision.bayes_decision_rule(
        joint, "state", zero_one.with_reject(cost)
    )
    rule = {x: decisions[0] for x, decisions in best.items()}

    def risk(error, reject):
        counted = LossMatrix.from_function(
            lambda state, name: (
                reject if name == "reject" else error * (state != name)
            ),
            zero_one.states,
            [*zero_one.decisions, "reject"],
        )
        return decision.expected_risk(joint, "state", rule, counted)

    return risk(1, 0), risk(0, 1)


test_another_solution_passes = solved_by("decisions", globals())
