"""The ground floor: errors, and how arguments are read and named in messages.

Only the errors are public; the other modules are there for the rooms above.
"""

from bayesbook.base.errors import (
    BIFError,
    ConvergenceError,
    ConvergenceWarning,
    GraphError,
    ProbabilityError,
    ReducibleChainWarning,
    TableTooLargeError,
    ZeroProbabilityError,
)

__all__ = [
    "BIFError",
    "ConvergenceError",
    "ConvergenceWarning",
    "GraphError",
    "ProbabilityError",
    "ReducibleChainWarning",
    "TableTooLargeError",
    "ZeroProbabilityError",
]
