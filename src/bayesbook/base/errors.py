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


class BIFError(ValueError):
    """A text that is no network in the format BIF, or cannot become one.

    Also raised for a network that the format cannot hold.

    Attributes
    ----------
    message : str
        What is wrong, and what to do about it.
    line, column : int or None
        Where the text is wrong; both begin at 1.
    file : str or None
        The name of the file, if the text is one.
    """

    def __init__(
        self,
        message: str,
        line: int | None = None,
        column: int | None = None,
        file: str | None = None,
    ):
        super().__init__(message, line, column, file)
        self.message = message
        self.line = line
        self.column = column
        self.file = file

    def in_file(self, name: str) -> "BIFError":
        """Return the same error, with the name of the file."""
        return type(self)(self.message, self.line, self.column, name)

    def __str__(self) -> str:
        place = [self.file] if self.file is not None else []
        if self.line is not None:
            place.append(f"line {self.line}, column {self.column}")
        return ": ".join(
            [*([", ".join(place)] if place else []), self.message]
        )


class TableTooLargeError(ProbabilityError, MemoryError):
    """A table that would need more memory than the stated limit.

    The message says how many entries it would have, and how many bytes.
    """


class ConvergenceError(RuntimeError):
    """A search or an integral whose result could not be trusted.

    Raised when what an optimiser found is no maximum, when the function still
    rises far away, or when it is flat; when quadrature gives a warning; and
    when no draw, or too few, agree with the evidence. The message says which,
    and where.
    """


class GraphError(ValueError):
    """A graph, or a question about one, that makes no sense.

    Raised for graphs that have a cycle or are not directed, for nodes that
    are not in the graph, and for sets of nodes that must not overlap but do.
    """


class ReducibleChainWarning(UserWarning):
    """A Gibbs chain that cannot, or may not, get to all that is possible.

    What it draws is not from the distribution that was asked for. The message
    says which nodes block each other; see
    :func:`bayesbook.network.irreducible`.
    """


class ConvergenceWarning(UserWarning):
    """A result of steps that had not come to their end, or to a good one.

    The message says which: the steps that were allowed have been taken and
    more is to be gained, or they stand still where there is no maximum.
    """
