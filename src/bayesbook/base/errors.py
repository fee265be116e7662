"""The errors and warnings of the library."""


class ProbabilityError(ValueError):
    """A number or a table that is wrong as a probability.

    Raised for probabilities that are negative, not finite or do not sum to
    one, for outcomes and events that are not in the space, and for other
    values that make no sense where they are given.

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> Table([0.5, 0.6], {"coin": ("heads", "tails")})
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.ProbabilityError: The probabilities of P(coin) sum \
to 1.1, not to 1. Divide weights or counts with Table.from_counts.
    """


class ZeroProbabilityError(ProbabilityError):
    """Conditioning on an event of probability zero.

    P[A | B] = P[A ∩ B] / P[B] has no value when P[B] = 0.

    Examples
    --------
    >>> from bayesbook.probability import ProbabilitySpace
    >>> ProbabilitySpace({"sun": 1, "frogs": 0}).given({"frogs"})
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.ZeroProbabilityError: Cannot condition on the event \
{'frogs'}: its probability is zero.
    """


class BIFError(ValueError):
    """A text that is not a Bayesian network in the format BIF.

    Also raised for a network that the format cannot hold.

    Attributes
    ----------
    message : str
        What is wrong, and what to do about it.
    line, column : int or None
        Where the text is wrong; both begin at 1.
    file : str or None
        The name of the file, if the text is one.

    Examples
    --------
    >>> from bayesbook.network import parse_bif
    >>> try:
    ...     parse_bif("network rain { }  variabel rain { }")
    ... except BIFError as error:
    ...     print(error.line, error.column)
    1 19
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
        """Return the same error, with the name of the file.

        Examples
        --------
        >>> print(BIFError("A brace is missing.", 2, 7).in_file("asia.bif"))
        asia.bif, line 2, column 7: A brace is missing.
        """
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

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> coin = Table([0.5, 0.5], {"first": "HT"})
    >>> coin.multiply(coin.rename({"first": "second"}), max_bytes=16)
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.TableTooLargeError: The product of P(first) and \
P(second) would have 4 entries and need 32 bytes of memory; the limit is 16 \
bytes. Leave variables out, or merge states.
    """


class ConvergenceError(RuntimeError):
    """A search or an integral whose result could not be trusted.

    Raised when an optimiser has not found a maximum, when the function still
    rises far away, or when it is flat; when quadrature gives a warning; and
    when no draw, or too few, agree with the evidence. The message says which,
    and where.

    Examples
    --------
    >>> from bayesbook.estimation import maximise
    >>> maximise(lambda x: x, 1.0)
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.ConvergenceError: The log-density is ∞ at inf: it \
has no maximum.
    """


class GraphError(ValueError):
    """A graph, or a question about one, that makes no sense.

    Raised for graphs that have a cycle, for nodes that are not in the graph,
    and for sets of nodes that must not overlap but do.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> parse("A -> B -> A")
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.GraphError: The graph has the cycle A → B → A; a \
DAG has none.
    """


class ReducibleChainWarning(UserWarning):
    """A Gibbs chain that does not, or may not, reach all possible states.

    Its draws are not from the wanted distribution. The message says which
    nodes block each other; see :func:`bayesbook.network.irreducible`.

    Examples
    --------
    >>> import warnings
    >>> from bayesbook.network import BayesianNetwork, gibbs
    >>> from bayesbook.probability import Table
    >>> copy = BayesianNetwork([
    ...     Table([0.5, 0.5], {"X": (0, 1)}),
    ...     Table([[1, 0], [0, 1]], {"X": (0, 1), "Y": (0, 1)}, given="X"),
    ... ])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = gibbs(copy, {}, 1000, start={"X": 0}, rng=0)
    >>> caught[0].category.__name__
    'ReducibleChainWarning'
    """


class ConvergenceWarning(UserWarning):
    """A result of iterations that have not converged, or to no maximum.

    The message says which: the last allowed iteration still improved the
    result, or the iterations stand still where there is no maximum.

    Examples
    --------
    >>> import warnings
    >>> import pandas as pd
    >>> from bayesbook.network import fit_em
    >>> rows = pd.DataFrame({"A": ["a", "b", None], "B": ["x", "y", "x"]})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     run = fit_em("A -> B", rows, max_iterations=1, rng=0)
    >>> caught[0].category.__name__
    'ConvergenceWarning'
    """
