"""What follows from the parameters of a hidden Markov model."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import label_array
from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table
from bayesbook.sequences._baum_welch import Parameters
from bayesbook.sequences._chain_counts import ChainCounts
from bayesbook.sequences._components import indicators
from bayesbook.sequences._reading import (
    codes_among,
    join_labels,
    join_numbers,
    lengths_of,
    own_labels,
    read_labels,
    split_sequences,
)
from bayesbook.sequences._recursions import (
    Chain,
    count_pairs,
    filter_states,
    inner_rows,
    log_likelihoods,
    pair_states,
    smooth_states,
)
from bayesbook.sequences._viterbi import best_paths


class ChainInference:
    """The questions that :class:`HiddenMarkov` answers."""

    emissions: str
    _parameters: Parameters
    states_: tuple
    symbols_: tuple
    emission_: np.ndarray
    means_: np.ndarray

    # -- reading ------------------------------------------------------------

    def _read_data(self, sequences, sizes, symbols, n_columns=None):
        """Return the observations as the components read them."""
        if self.emissions == "gaussian":
            return join_numbers(sequences, n_columns), ()
        labels = join_labels(sequences, "symbol")
        if symbols is None:
            symbols = own_labels(labels)
        else:
            symbols = read_labels(symbols, len(symbols), "symbol")
        codes = codes_among(labels, symbols, sizes, "symbol")
        return indicators(codes[:, None], (len(symbols),)), symbols

    def _known(self):
        """Return the symbols and the number of columns that are known."""
        check_is_fitted(self, "start_")
        if self.emissions == "gaussian":
            return None, self.means_.shape[1]
        return self.symbols_, None

    def _chain(self, X) -> tuple[Chain, bool]:
        """Return what the recursions need, and whether X is one sequence."""
        symbols, n_columns = self._known()
        sequences, is_one = split_sequences(X)
        sizes = lengths_of(sequences)
        data, _ = self._read_data(sequences, sizes, symbols, n_columns)
        return self._parameters.chain(data, sizes), is_one

    # -- likelihood ---------------------------------------------------------

    def log_prob(self, X: Any) -> np.ndarray:
        """Return log P(x) of each sequence; may be a density.

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        array
            A number for each sequence.

        Raises
        ------
        ZeroProbabilityError
            If a sequence is impossible; the message names the position.
        """
        chain, _ = self._chain(X)
        return log_likelihoods(chain, filter_states(chain))

    def log_likelihood(self, X: Any) -> float:
        """Return the log-likelihood of all sequences together.

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        float

        Raises
        ------
        ZeroProbabilityError
            If a sequence is impossible; the message names the position.
        """
        return float(self.log_prob(X).sum())

    def score(self, X: Any, y: object = None) -> float:
        """Return the log-likelihood per step; `y` is ignored.

        Parameters
        ----------
        X : a sequence, or a list of sequences
        y : object

        Returns
        -------
        float
        """
        chain, _ = self._chain(X)
        return float(filter_states(chain).log_scale.mean())

    def joint_log_prob(self, X: Any, states: Any) -> float:
        """Return log P(x, z) of observations together with their states.

        Parameters
        ----------
        X : a sequence, or a list of sequences
        states : the same, with a state for each observation

        Returns
        -------
        float
            -inf if they are impossible.
        """
        chain, _ = self._chain(X)
        given, _ = split_sequences(states)
        if not np.array_equal(lengths_of(given), chain.sizes):
            raise ProbabilityError(
                "The sequences of states are not as long as those of "
                f"observations: {[len(each) for each in given]} and "
                f"{chain.sizes.tolist()}."
            )
        labels = join_labels(given, "state")
        codes = codes_among(labels, self.states_, chain.sizes, "state")
        rows = inner_rows(chain.sizes)
        with np.errstate(divide="ignore"):
            value = np.log(chain.start)[codes[chain.firsts()]].sum()
            steps = np.log(chain.transition)[codes[rows], codes[rows + 1]]
        seen = chain.logs[np.arange(len(codes)), codes]
        return float(value + steps.sum() + seen.sum())

    # -- states -------------------------------------------------------------

    def filter(self, X: Any) -> Any:
        """Return P(state | observations until now) of each step.

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        array of shape (T, K), or a list of them
            Columns in the order of `states_`.

        Raises
        ------
        ZeroProbabilityError
            If a sequence is impossible; the message names the position.
        """
        chain, is_one = self._chain(X)
        return _apart(filter_states(chain).alpha, chain, is_one)

    def posteriors(self, X: Any) -> Any:
        """Return P(state | all observations) of each step (smoothing).

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        array of shape (T, K), or a list of them
            Columns in the order of `states_`.

        Raises
        ------
        ZeroProbabilityError
            If a sequence is impossible; the message names the position.
        """
        chain, is_one = self._chain(X)
        gamma = smooth_states(chain, filter_states(chain))
        return _apart(gamma, chain, is_one)

    def pair_posteriors(self, X: Any) -> Any:
        """Return P(state, next state | all observations) of each step.

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        array of shape (T - 1, K, K), or a list of them

        Raises
        ------
        ZeroProbabilityError
            If a sequence is impossible; the message names the position.
        """
        chain, is_one = self._chain(X)
        filtered = filter_states(chain)
        gamma = smooth_states(chain, filtered)
        pairs = pair_states(chain, filtered, gamma, inner_rows(chain.sizes))
        if is_one:
            return pairs
        return np.split(pairs, np.cumsum(chain.sizes - 1)[:-1])

    def expected_counts(self, X: Any) -> ChainCounts:
        """Return the counts that the next M step would divide.

        Parameters
        ----------
        X : a sequence of symbols, or a list of them

        Returns
        -------
        ChainCounts
            Without pseudo-counts.

        Raises
        ------
        ProbabilityError
            If the observations are measurements.
        """
        if self.emissions == "gaussian":
            raise ProbabilityError(
                "Measurements are not counted: weigh them with posteriors(X)."
            )
        chain, _ = self._chain(X)
        filtered = filter_states(chain)
        gamma = smooth_states(chain, filtered)
        sequences, _ = split_sequences(X)
        data, _ = self._read_data(sequences, chain.sizes, self.symbols_)
        return ChainCounts(
            gamma[chain.firsts()].sum(axis=0),
            count_pairs(chain, filtered, gamma),
            np.ascontiguousarray((data.T @ gamma).T),
        )

    def most_probable_path(self, X: Any) -> Any:
        """Return the most probable path of states (Viterbi).

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        array of shape (T,), or a list of them
            Names of states; where several paths are equally probable, those
            of one of them.

        Raises
        ------
        ZeroProbabilityError
            If a sequence is impossible; the message names the position.
        """
        chain, is_one = self._chain(X)
        path = label_array(self.states_)[best_paths(chain)[0]]
        return _apart(path, chain, is_one)

    def predict(self, X: Any) -> Any:
        """Return the most probable path: see `most_probable_path`.

        Parameters
        ----------
        X : a sequence, or a list of sequences

        Returns
        -------
        array of shape (T,), or a list of them
        """
        return self.most_probable_path(X)

    # -- the model as others see it -----------------------------------------

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw one sequence and its states.

        Parameters
        ----------
        size : int
            Its length.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one.

        Returns
        -------
        X : array of shape (size,), or (size, D) for measurements
        states : array of shape (size,)

        Examples
        --------
        >>> from bayesbook.sequences import HiddenMarkov
        >>> model = HiddenMarkov.from_parameters(
        ...     [1, 0], [[0, 1], [1, 0]], [[1, 0], [0, 1]], symbols="ab")
        >>> model.sample(5, rng=0)[0].tolist()
        ['a', 'b', 'a', 'b', 'a']
        """
        rng = as_rng(rng)
        check_is_fitted(self, "start_")
        size = as_int(size, "The number of steps", 1)
        start, transition, components = self._parameters
        ends = np.cumsum(transition, axis=1)
        ends /= ends[:, -1:]
        state = int(rng.choice(len(start), p=start / start.sum()))
        codes = [state]
        for u in rng.random(size - 1):
            state = int(ends[state].searchsorted(u, side="right"))
            codes.append(state)
        X = components.sample(np.array(codes), rng)
        if self.emissions == "categorical":
            X = label_array(self.symbols_)[X[:, 0]]
        return X, label_array(self.states_)[codes]

    def to_network(self, length: int) -> BayesianNetwork:
        """Return the model of a sequence as a Bayesian network.

        Parameters
        ----------
        length : int
            T, the number of steps.

        Returns
        -------
        BayesianNetwork
            With the states Z1, ..., ZT and the observations X1, ..., XT.

        Raises
        ------
        ProbabilityError
            If the observations are measurements.

        Examples
        --------
        >>> from bayesbook.sequences import HiddenMarkov
        >>> model = HiddenMarkov.from_parameters(
        ...     [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]])
        >>> model.to_network(2)
        BayesianNetwork 'HiddenMarkov': 4 nodes, 3 edges, 7 free parameters
        P(Z1)
        P(X1 | Z1)
        P(Z2 | Z1)
        P(X2 | Z2)
        """
        check_is_fitted(self, "start_")
        if self.emissions == "gaussian":
            raise ProbabilityError(
                "A network has tables, and measurements have none."
            )
        length = as_int(length, "The length", 1)
        start, transition, _ = self._parameters
        z, tables = self.states_, []
        for t in range(1, length + 1):
            now, before = f"Z{t}", f"Z{t - 1}"
            if t == 1:
                tables.append(Table(start, {now: z}))
            else:
                both = {before: z, now: z}
                tables.append(Table(transition, both, given=before))
            seen = {now: z, f"X{t}": self.symbols_}
            tables.append(Table(self.emission_, seen, given=now))
        return BayesianNetwork(tables, name="HiddenMarkov")


def _apart(values, chain, is_one):
    """Return the rows of each sequence."""
    if is_one:
        return values
    return np.split(values, np.cumsum(chain.sizes)[:-1])
