"""Hidden Markov models: a chain of states that are seen through a veil.

The states form a Markov chain; at each step an observation is drawn, given
the state alone. :mod:`~bayesbook.sequences.messages` has the definitions; here
they are computed for sequences of any length, and the parameters are learned.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_int
from bayesbook.network.progress import progress_bar
from bayesbook.sequences._baum_welch import (
    Parameters,
    Problem,
    blank_components,
    draw_start,
    require_enough,
    require_number,
)
from bayesbook.sequences._components import (
    Categories,
    Components,
    Gaussians,
    Prior,
    frozen,
)
from bayesbook.sequences._em import run_em, warn_if_unfinished
from bayesbook.sequences._inference import ChainInference
from bayesbook.sequences._reading import (
    codes_among,
    distributions,
    join_labels,
    lengths_of,
    one_of,
    own_labels,
    read_gaussians,
    read_labels,
    read_settings,
    split_sequences,
)

__all__ = ["HiddenMarkov"]


class HiddenMarkov(ChainInference, BaseEstimator):
    r"""A hidden Markov model, of symbols or of measurements.

    .. math:: P(x, z) = P(z_1) \prod_{t = 2}^T P(z_t \mid z_{t - 1})
        \prod_{t = 1}^T P(x_t \mid z_t)

    One sequence is a list or array of symbols, or a text, whose letters are
    its symbols; with ``emissions="gaussian"`` a list or array of numbers, or
    an array of shape (T, D). Several sequences are a list of these, of any
    sizes; then results are lists, too. Within a list a text is a symbol.

    Parameters
    ----------
    n_states : int, default 2
        K, the number of states.
    emissions : {"categorical", "gaussian"}
        Whether observations are symbols, or measurements that are normal in
        each state.
    covariance : {"full", "diagonal"}
        Whether measurements of one step may depend on each other, given the
        state.
    alpha : float, default 0
        The pseudo-count of each probability: start, transition and symbol.
    var_smoothing : float, default 1e-3
        This part of the variance of each column is added to the sums of
        squares of each state, so that no covariance becomes singular; with 0
        and ``alpha=0`` training maximises the likelihood.
    tol : float, default 1e-3
        Training ends when, by estimate, less than this is left to be gained
        of the objective, in nats.
    max_iter : int, default 1000
        The most steps of training.
    n_init : int, default 1
        From how many starts; the best result is kept.
    symbols : sequence, optional
        All symbols; by default those that occur in training, sorted.
    random_state : int, RandomState or None
        The source of randomness for the starts, or a seed for it.
    progress : bool, default False
        Whether to show how many steps training has made.

    Attributes
    ----------
    start_ : array of shape (K,)
        P(first state)
    transition_ : array of shape (K, K)
        P(next state | state), a row for each state.
    emission_ : array of shape (K, S)
        P(symbol | state)
    symbols_ : tuple of S symbols
    means_, covariances_ : arrays of shape (K, D), and (K, D, D) or (K, D)
        With ``emissions="gaussian"``.
    states_ : tuple
        The names of the states: 0, 1, 2, ..., unless training gets others.
        What training finds by itself is in the order of the time that is
        expected in them, the longest first.
    objective_history_ : array
        The log-likelihood plus the logarithm of the prior, up to a constant,
        at the best start and after each step. It never decreases. With
        ``alpha=0``, and symbols or ``var_smoothing=0``, it is the
        log-likelihood.
    n_iter_ : int
        The number of steps.
    converged_ : bool

    Raises
    ------
    ProbabilityError
        By the methods: if an observation or a parameter is wrong; the message
        names its position, counted from 0.
    ZeroProbabilityError
        By the methods: if a sequence is impossible, likewise.

    References
    ----------
    Baum, Petrie, Soules and Weiss (1970), Annals of Mathematical Statistics
    41, 164-171. Rabiner (1989), Proceedings of the IEEE 77, 257-286.

    Examples
    --------
    >>> model = HiddenMarkov.from_parameters(
    ...     [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]],
    ...     states=["sun", "rain"], symbols=["walk", "shop"])
    >>> days = ["walk", "shop", "shop"]
    >>> model.posteriors(days).round(4)
    array([[0.6677, 0.3323],
           [0.4   , 0.6   ],
           [0.3462, 0.6538]])
    >>> model.most_probable_path(days).tolist()
    ['rain', 'rain', 'rain']
    >>> X, states = model.sample(2000, rng=0)
    >>> learned = HiddenMarkov(random_state=0).fit(X)
    >>> learned.transition_.round(2)
    array([[0.92, 0.08],
           [0.25, 0.75]])
    """

    def __init__(
        self,
        n_states: int = 2,
        emissions: str = "categorical",
        *,
        covariance: str = "full",
        alpha: float = 0.0,
        var_smoothing: float = 1e-3,
        tol: float = 1e-3,
        max_iter: int = 1000,
        n_init: int = 1,
        symbols: Sequence[Hashable] | None = None,
        random_state: int | np.random.RandomState | None = None,
        progress: bool = False,
    ):
        self.n_states = n_states
        self.emissions = emissions
        self.covariance = covariance
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.symbols = symbols
        self.random_state = random_state
        self.progress = progress

    @classmethod
    def from_parameters(
        cls,
        start: ArrayLike,
        transition: ArrayLike,
        emission: ArrayLike | None = None,
        *,
        means: ArrayLike | None = None,
        covariances: ArrayLike | None = None,
        states: Sequence[Hashable] | None = None,
        symbols: Sequence[Hashable] | None = None,
    ) -> Self:
        """Return the model with given parameters.

        Parameters
        ----------
        start : array_like of shape (K,)
        transition : array_like of shape (K, K)
        emission : array_like of shape (K, S), optional
            For symbols.
        means, covariances : array_like, optional
            For measurements: (K, D) and (K, D, D), or (K, D) for columns that
            are independent given the state. For one column, (K,) and (K,).
        states, symbols : sequence, optional
            Their names: 0, 1, 2, ... by default.

        Returns
        -------
        HiddenMarkov

        Examples
        --------
        >>> model = HiddenMarkov.from_parameters(
        ...     [1, 0], [[0.5, 0.5], [0, 1]], means=[0, 4], covariances=[1, 1])
        >>> model.filter([0.1, 0.2, 3.9]).round(3)
        array([[1.   , 0.   ],
               [0.999, 0.001],
               [0.   , 1.   ]])
        """
        start = distributions(start, "The start probabilities", 1)
        K = len(start)
        transition = distributions(transition, "The transition matrix")
        if transition.shape != (K, K):
            raise ProbabilityError(
                f"The transition matrix has the shape {transition.shape}; "
                f"{K} start probabilities need {(K, K)}."
            )
        if (emission is None) == (means is None) or (means is None) != (
            covariances is None
        ):
            raise ProbabilityError(
                "Give either emission, for symbols, or means and "
                "covariances, for measurements."
            )
        components: Components
        if emission is not None:
            table = distributions(emission, "The emission matrix")
            if len(table) != K:
                raise ProbabilityError(
                    f"The emission matrix has {len(table)} rows for {K} "
                    "states."
                )
            names = read_labels(symbols, table.shape[1], "symbol")
            model = cls(K)
            components = Categories.of([table])
        else:
            means, covariances = read_gaussians(means, covariances, K, "state")
            components = Gaussians(frozen(means), frozen(covariances))
            components.require_definite("state")
            is_full = components.is_full
            names = ()
            model = cls(
                K, "gaussian", covariance="full" if is_full else "diagonal"
            )
        parameters = Parameters(frozen(start), frozen(transition), components)
        return model._set(parameters, read_labels(states, K, "state"), names)

    def _set(self, parameters, states, symbols):
        """Keep parameters as what was learned."""
        self._parameters = parameters
        self.start_, self.transition_, components = parameters
        self.states_ = tuple(states)
        for name in ("emission_", "symbols_", "means_", "covariances_"):
            vars(self).pop(name, None)
        if isinstance(components, Categories):
            self.emission_, self.symbols_ = components.table, tuple(symbols)
        else:
            self.means_ = components.means
            self.covariances_ = components.covariances
        return self

    # -- training -----------------------------------------------------------

    def fit(
        self,
        X: Any,
        states: Any = None,
        start: HiddenMarkov | None = None,
    ) -> Self:
        """Learn the parameters from one sequence, or from several.

        Parameters
        ----------
        X : a sequence, or a list of sequences
        states : the same with a state for each observation, optional
            With the states training counts them; without, EM expects them
            (Baum-Welch).
        start : HiddenMarkov, optional
            A model to begin from; its states keep their names and order.

        Returns
        -------
        HiddenMarkov
            The same object.

        Warns
        -----
        ConvergenceWarning
            If the best run has not converged within `max_iter` steps.

        Examples
        --------
        >>> model = HiddenMarkov(alpha=1).fit("aabbb", states="sstts")
        >>> model.states_, model.symbols_, model.transition_.round(3)
        (('s', 't'), ('a', 'b'), array([[0.5, 0.5],
                                        [0.5, 0.5]]))
        """
        read_settings(self)
        one_of(self.emissions, "emissions", ("categorical", "gaussian"))
        K = as_int(self.n_states, "n_states", 1)
        sequences, _ = split_sequences(X)
        sizes = lengths_of(sequences)
        symbols = self.symbols if start is None else self._symbols_of(start)
        data, symbols = self._read_data(sequences, sizes, symbols)
        require_enough(int(sizes.sum()), K)
        squares = np.zeros(1)
        if self.emissions == "gaussian":
            squares = self.var_smoothing * data.var(axis=0)
        problem = Problem(data, sizes, Prior(float(self.alpha), squares))
        if states is not None:
            self._count(problem, states, symbols)
        else:
            self._baum_welch(problem, start, symbols)
        return self

    def _symbols_of(self, start):
        """Return the symbols of a model to begin from."""
        check_is_fitted(start, "start_")
        if start.emissions != self.emissions or len(start.states_) != (
            self.n_states
        ):
            raise ProbabilityError(
                f"`start` has {len(start.states_)} states and the emissions "
                f"{start.emissions!r}; this model has {self.n_states} and "
                f"{self.emissions!r}."
            )
        return getattr(start, "symbols_", None)

    def _count(self, problem, states, symbols):
        given, _ = split_sequences(states)
        if not np.array_equal(lengths_of(given), problem.sizes):
            raise ProbabilityError(
                f"The sequences of states have the lengths "
                f"{[len(each) for each in given]}, those of observations "
                f"{problem.sizes.tolist()}."
            )
        labels = join_labels(given, "state")
        names = own_labels(labels)
        require_number(names, self.n_states)
        codes = codes_among(labels, names, problem.sizes, "state")
        K = len(names)
        components = blank_components(
            problem.X, K, len(symbols), is_full=self.covariance == "full"
        )
        blank = Parameters(np.ones(K) / K, np.ones((K, K)) / K, components)
        self._set(problem.counted(codes, names, blank), names, symbols)
        for name in ("objective_history_", "n_iter_", "converged_"):
            vars(self).pop(name, None)

    def _baum_welch(self, problem, start, symbols):
        random = check_random_state(self.random_state)
        K, is_full = int(self.n_states), self.covariance == "full"
        runs = []
        with progress_bar(None, self.progress, "steps") as on_step:
            for _ in range(1 if start is not None else self.n_init):
                begin = (
                    start._parameters
                    if start is not None
                    else draw_start(
                        problem, K, len(symbols), random, is_full=is_full
                    )
                )
                runs.append(
                    run_em(
                        problem.step,
                        begin,
                        tol=self.tol,
                        max_iter=self.max_iter,
                        on_step=on_step,
                    )
                )
        best = max(runs, key=lambda run: run.history[-1])
        parameters, names = best.parameters, tuple(range(K))
        if start is not None:
            names = start.states_
        else:
            time = problem.occupancy(parameters).round(6)
            parameters = parameters.reordered(np.argsort(-time, kind="stable"))
        self._set(parameters, names, symbols)
        self.objective_history_ = frozen(best.history)
        self.n_iter_ = len(best.history) - 1
        self.converged_ = best.converged
        warn_if_unfinished(self, best)
