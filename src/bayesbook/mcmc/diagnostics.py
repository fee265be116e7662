"""What the draws of chains are worth: R-hat, effective sample size."""

from __future__ import annotations

import numpy as np
from scipy import fft, special

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import plain
from bayesbook.base.numbers import as_int


def split_r_hat(
    draws: np.ndarray, *, method: str = "rank"
) -> float | np.ndarray:
    r"""Compare chains with each other, and their first halves with the last.

    Each chain is cut in two. With the mean variance W within the halves, and
    the variance V of all draws as the halves' means suggest it,

    .. math:: \hat{R} = \sqrt{V / W}, \quad
        V = \frac{n - 1}{n} W + \operatorname{var}(\bar{x}_1, \bar{x}_2, …)

    is near 1 if all halves have seen the same distribution. Above 1.01 is
    suspect.

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)
        At least 4 draws of each chain; one chain may come as (n,).
    method : {"rank", "split"}
        "split" is the formula above. "rank", the default, applies it to the
        normal scores of the draws' ranks and of the ranks of their distances
        from the median, and gives the larger: this sees chains that differ in
        spread, and works where the distribution has no variance.

    Returns
    -------
    float, or array of the shape of one state
        inf if chains stand still at different values; nan if all draws are
        equal, which says nothing.

    Raises
    ------
    ProbabilityError
        If there are too few draws, or one is not a finite number.

    References
    ----------
    Gelman and Rubin (1992), "Inference from iterative simulation using
    multiple sequences"; Vehtari et al. (2021), "Rank-normalization, folding,
    and localization".

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = rng.normal(size=(4, 500))
    >>> print(f"{split_r_hat(draws):.3f}")
    1.001
    >>> draws[3] += 2  # one chain found another place
    >>> print(f"{split_r_hat(draws):.3f}")
    1.306
    """
    draws = _split(_draws(draws))
    if method == "split":
        found = _r_hat(draws)
    elif method == "rank":
        median = np.median(draws, axis=(0, 1))
        found = np.fmax(
            _r_hat(_normal_scores(draws)),
            _r_hat(_normal_scores(np.abs(draws - median))),
        )
    else:
        raise ProbabilityError(
            f"method={method!r} is not known: use 'rank' or 'split'."
        )
    return _plain(found)


def effective_sample_size(
    draws: np.ndarray, *, method: str = "mean"
) -> float | np.ndarray:
    r"""Count how many independent draws would be worth as much.

    .. math:: \text{ESS} = \frac{N}{1 + 2 \sum_{t \ge 1} \rho_t}

    with N draws in all, whose autocorrelation at lag t is ρ_t: the mean of
    the draws has the variance of a mean of ESS independent ones. The sum ends
    where pairs of neighbouring ρ_t become negative, and the pairs before are
    made to fall (Geyer's initial monotone sequence). Chains are cut in two,
    and chains that disagree count as strongly dependent draws.

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)
        At least 4 draws of each chain; one chain may come as (n,).
    method : {"mean", "bulk"}
        "mean" is for the mean of the draws; "bulk" for the normal scores of
        their ranks, which also works where the distribution has no variance.

    Returns
    -------
    float, or array of the shape of one state
        More than N if neighbours are negatively correlated, at most
        N log₁₀ N; nan if all draws are equal, which says nothing.

    Raises
    ------
    ProbabilityError
        If there are too few draws, or one is not a finite number.

    References
    ----------
    Geyer (1992), "Practical Markov chain Monte Carlo"; Vehtari et al. (2021).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> independent = rng.normal(size=(4, 1000))
    >>> print(f"{effective_sample_size(independent):.0f}")
    3932
    >>> print(f"{effective_sample_size(independent.cumsum(axis=1)):.1f}")
    5.1
    """
    draws = _split(_draws(draws))
    if method == "bulk":
        draws = _normal_scores(draws)
    elif method != "mean":
        raise ProbabilityError(
            f"method={method!r} is not known: use 'mean' or 'bulk'."
        )
    return _plain(_ess(draws))


def monte_carlo_error(draws: np.ndarray) -> float | np.ndarray:
    r"""Return the standard error of the mean of dependent draws.

    .. math:: \text{sd} / \sqrt{\text{ESS}}

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)

    Returns
    -------
    float, or array of the shape of one state
        nan if all draws are equal.

    Raises
    ------
    ProbabilityError
        As in `effective_sample_size`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> print(f"{monte_carlo_error(rng.normal(size=(4, 2500))):.4f}")
    0.0102
    """
    draws = _draws(draws)
    return _plain(
        draws.std(axis=(0, 1), ddof=1) / np.sqrt(_ess(_split(draws)))
    )


def autocorrelation(
    draws: np.ndarray, max_lag: int | None = None
) -> np.ndarray:
    """Return the correlation of the draws with those some steps later.

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)
        At least 4 draws of each chain; one chain may come as (n,).
    max_lag : int, optional
        n − 1 by default.

    Returns
    -------
    array, shape (max_lag + 1,) or (max_lag + 1, ...)
        From lag 0, where it is 1; nan if every chain stands still.

    Raises
    ------
    ProbabilityError
        If there are too few draws, one is not a finite number, or the lag is
        too long.

    Examples
    --------
    >>> autocorrelation([1, 2, 1, 2, 1, 2, 1, 2], 3)
    array([ 1.   , -0.875,  0.75 , -0.625])
    """
    draws = _draws(draws)
    n = draws.shape[1]
    lag = n - 1 if max_lag is None else as_int(max_lag, "max_lag", 0)
    if lag >= n:
        raise ProbabilityError(
            f"max_lag={lag} is too long for chains of {n} draws."
        )
    covariance = _autocovariance(draws).mean(axis=0)
    with np.errstate(invalid="ignore"):
        return covariance[: lag + 1] / covariance[0]


def _draws(draws):
    """Read draws of numbers into an array (chains, n, ...)."""
    try:
        array = np.asarray(draws)
    except ValueError:
        raise ProbabilityError(
            "The chains have different lengths: cut them to the same."
        ) from None
    if array.dtype.kind not in "biuf":
        try:
            # Text and complex numbers would be read as numbers too.
            if array.dtype.kind != "O":
                raise TypeError
            array = array.astype(float)
        except (TypeError, ValueError):
            raise ProbabilityError(
                f"The draws are no numbers, but {plain(array.flat[0])!r} and "
                "the like: give an indicator, such as draws == 'rain'."
            ) from None
    if np.ma.is_masked(draws):
        raise ProbabilityError("Some draws are masked: leave none out.")
    if array.ndim == 1:
        array = array[None]
    if array.ndim < 2 or array.shape[1] < 4 or not array.size:
        raise ProbabilityError(
            f"Draws of the shape {array.shape} are too few: at least 4 of "
            "each chain are needed, in the shape (chains, draws, ...)."
        )
    array = array.astype(float)
    wrong = ~np.isfinite(array)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        at = f", position {place[2:]}" if place[2:] else ""
        raise ProbabilityError(
            f"Draw {place[1]} of chain {place[0]}{at} is {array[place]}: not "
            "a finite number."
        )
    return array


def _split(draws):
    """Cut each chain in two, leaving out the middle of an odd number."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws):
    # The module is large, and most of those who import this one do not rank.
    from scipy.stats import rankdata

    flat = draws.reshape(-1, *draws.shape[2:])
    ranks = rankdata(flat, axis=0).reshape(draws.shape)
    return special.ndtri((ranks - 3 / 8) / (len(flat) + 1 / 4))


def _moments(chains):
    """Return the mean of each chain, and the draws from there.

    Where a chain stands still the latter are zero, and not only nearly.
    """
    first = chains[:, :1]
    away = chains - first
    shift = away.mean(axis=1, keepdims=True)
    return (first + shift)[:, 0], away - shift


def _r_hat(chains):
    n = chains.shape[1]
    means, away = _moments(chains)
    within = (away**2).sum(axis=1).mean(axis=0) / (n - 1)
    between = _moments(means[None])[1].var(axis=(0, 1), ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt((n - 1) / n + between / within)


def _autocovariance(chains):
    """Return the autocovariance of each chain at all lags, divided by n."""
    n = chains.shape[1]
    _, away = _moments(chains)
    size = fft.next_fast_len(2 * n)
    spectrum = np.abs(fft.rfft(away, size, axis=1)) ** 2
    return fft.irfft(spectrum, size, axis=1)[:, :n] / n


def _ess(chains):
    m, n = chains.shape[:2]
    means, _ = _moments(chains)
    covariance = _autocovariance(chains).mean(axis=0)
    within = covariance[0] * n / (n - 1)
    total = covariance[0] + _moments(means[None])[1].var(axis=(0, 1), ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = 1 - (within - covariance) / total
    rho[0] = 1
    even = rho[0 : max(n - 2, 1) : 2]
    pairs = even + rho[1 : max(n - 1, 2) : 2]
    # The sum goes on as long as the pairs are positive.
    end = np.argmax(pairs <= 0, axis=0)
    end = np.where((pairs <= 0).any(axis=0), end, len(pairs) - 1)
    k = np.arange(len(pairs)).reshape(-1, *[1] * end.ndim)
    falling = np.minimum.accumulate(pairs)
    tau = (
        -1
        + 2 * np.where(k < end, falling, 0).sum(axis=0)
        + np.where(k == end, even.clip(0), 0).sum(axis=0)
    )
    # Geyer's sum may cancel; nobody is a hundred times better than chance.
    ess = m * n / np.maximum(tau, 1 / np.log10(m * n))
    return np.where(np.ptp(chains, axis=(0, 1)) > 0, ess, np.nan)


def _plain(found):
    found = np.asarray(found)
    return float(found) if found.ndim == 0 else found
