"""Reading the tables that a network is made of."""

from collections.abc import Iterable, Mapping

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import say
from bayesbook.base.names import quoted_list
from bayesbook.probability import Table


def read_tables(tables):
    """Read the tables of a network: one variable each, nothing observed."""
    if isinstance(tables, Table):
        tables = [tables]
    if isinstance(tables, Mapping):
        tables = tables.values()
    if not isinstance(tables, Iterable) or isinstance(tables, str):
        raise TypeError(
            f"A network is made of tables, not of {tables!r}; see "
            "BayesianNetwork.from_cpts."
        )
    tables = list(tables)
    if not tables:
        raise ProbabilityError(
            "There is no table: a network needs at least one node."
        )
    for table in tables:
        if not isinstance(table, Table):
            raise TypeError(
                f"A network is made of tables, and {table!r} is of type "
                f"{type(table).__name__}; see BayesianNetwork.from_cpts."
            )
        if len(table.targets) > 1:
            raise ProbabilityError(
                f"{table.title} has several variables in front of its bar: "
                "give P(node | parents) for each of them."
            )
        if table.evidence:
            raise ProbabilityError(
                f"{table.title} is a distribution given "
                f"{say(table.evidence)}; a network needs one for every state "
                "of the parents."
            )
    return tables


def canonical(table, states):
    """Return a table with its axes and the states of the parents in order."""
    for name in table.conditions:
        if set(table.states[name]) != set(states[name]):
            raise ProbabilityError(
                f"{table.title} has the states "
                f"{quoted_list(table.states[name])} of {name!r}, whose own "
                f"table has {quoted_list(states[name])}."
            )
    axes = (*table.conditions, *table.targets)
    if axes != table.variables:
        table = table.transpose(*axes)
    if any(table.states[name] != states[name] for name in table.conditions):
        table = table.with_states(states)
    return table
