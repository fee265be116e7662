"""The errors that every module of the library raises."""


class ProbabilityError(ValueError):
    """A number or a table that cannot be what it is used as.

    Raised for probabilities that are negative, not finite or do not sum to
    one, and for outcomes or events that are not in the space.
    """


class ZeroProbabilityError(ProbabilityError):
    """Conditioning on an event of probability zero.

    P[A | B] = P[A ∩ B] / P[B] has no value when P[B] = 0.
    """


class TableTooLargeError(ProbabilityError, MemoryError):
    """A table that would need more memory than the stated limit.

    The message says how many entries it would have, and how many bytes.
    """


class ConvergenceError(RuntimeError):
    """A search or an integral whose result could not be trusted.

    Raised when what an optimiser found is no maximum, when the function still
    rises far away, or when it is flat; and when quadrature gives a warning.
    The message says which, and where.
    """


class GraphError(ValueError):
    """A graph, or a question about one, that makes no sense.

    Raised for graphs that have a cycle or are not directed, for nodes that
    are not in the graph, and for sets of nodes that must not overlap but do.
    """
