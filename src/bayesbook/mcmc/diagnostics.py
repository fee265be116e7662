"""Diagnostics of the draws of chains: R-hat, effective sample size."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import fft, special

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import plain
from bayesbook.base.numbers import as_int


def split_r_hat(
    draws: ArrayLike, *, method: str = "rank"
) -> float | np.ndarray:
    r"""Return R-hat, which compares chains and the halves of chains.

    Each chain is cut in two. With the mean variance W within the halves, and
    an estimate V of the variance of all draws from the halves' means,

    .. math:: \hat{R} = \sqrt{V / W}, \quad
        V = \frac{n - 1}{n} W + \operatorname{var}(\bar{x}_1, \bar{x}_2, …)

    is near 1 if all halves are draws from the same distribution. A value
    above 1.01 is suspect.

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)
        At least 4 draws of each chain; one chain may have the shape (n,).
    method : {"rank", "split"}
        "split" is the formula above. "rank", the default, applies it to the
        normal scores of the draws' ranks and of the ranks of their distances
        from the median, and returns the larger: this detects chains that
        differ in spread, and works if the distribution has no variance.

    Returns
    -------
    float, or array of the shape of one state
        inf if chains are constant at different values; nan if all draws are
        equal, from which nothing can be concluded.

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
    >>> draws[3] += 2  # one chain is elsewhere
    >>> print(f"{split_r_hat(draws):.3f}")
    1.306
    """
    halves = _split(_draws(draws))
    if method == "split":
        result = _r_hat(halves)
    elif method == "rank":
        median = np.median(halves, axis=(0, 1))
        result = np.fmax(
            _r_hat(_normal_scores(halves)),
            _r_hat(_normal_scores(np.abs(halves - median))),
        )
    else:
        raise ProbabilityError(
            f"method={method!r} is not known: use 'rank' or 'split'."
        )
    return _plain(result)


def effective_sample_size(
    draws: ArrayLike, *, method: str = "mean"
) -> float | np.ndarray:
    r"""Return the number of independent draws with an equally accurate mean.

    .. math:: \text{ESS} = \frac{N}{1 + 2 \sum_{t \ge 1} \rho_t}

    with N draws in all, whose autocorrelation at lag t is ρ_t: the mean of
    the draws has the variance of a mean of ESS independent ones. The sum ends
    where sums of two neighbouring ρ_t become negative, and the sums before
    are made decreasing (Geyer's initial monotone sequence). Chains are cut
    in two, and chains that disagree count as strongly dependent draws.

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)
        At least 4 draws of each chain; one chain may have the shape (n,).
    method : {"mean", "bulk"}
        "mean" is for the mean of the draws; "bulk" for the normal scores of
        their ranks, which also works if the distribution has no variance.

    Returns
    -------
    float, or array of the shape of one state
        More than N if neighbours are negatively correlated, at most
        N log₁₀ N; nan if all draws are equal, from which nothing can be
        concluded.

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
    halves = _split(_draws(draws))
    if method == "bulk":
        halves = _normal_scores(halves)
    elif method != "mean":
        raise ProbabilityError(
            f"method={method!r} is not known: use 'mean' or 'bulk'."
        )
    return _plain(_ess(halves))


def monte_carlo_error(draws: ArrayLike) -> float | np.ndarray:
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
    array = _draws(draws)
    deviation = array.std(axis=(0, 1), ddof=1)
    return _plain(deviation / np.sqrt(_ess(_split(array))))


def autocorrelation(
    draws: ArrayLike, max_lag: int | None = None
) -> np.ndarray:
    """Return the correlation of the draws with those some steps later.

    Parameters
    ----------
    draws : array, shape (chains, n) or (chains, n, ...)
        At least 4 draws of each chain; one chain may have the shape (n,).
    max_lag : int, optional
        n − 1 by default.

    Returns
    -------
    array, shape (max_lag + 1,) or (max_lag + 1, ...)
        From lag 0, where it is 1; nan if every chain is constant.

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
    array = _draws(draws)
    n = array.shape[1]
    lag = n - 1 if max_lag is None else as_int(max_lag, "max_lag", 0)
    if lag >= n:
        raise ProbabilityError(
            f"max_lag={lag} is too long for chains of {n} draws."
        )
    covariance = _autocovariance(array).mean(axis=0)
    with np.errstate(invalid="ignore"):
        return covariance[: lag + 1] / covariance[0]


def _draws(draws: ArrayLike) -> np.ndarray:
    """Read draws of numbers into an array (chains, n, ...)."""
    try:
        array = np.asarray(draws)
    except ValueError:
        raise ProbabilityError(
            "The chains have different lengths: cut them to the same length."
        ) from None
    if array.dtype.kind not in "biuf":
        try:
            # Texts and complex numbers could be read as numbers, too.
            if array.dtype.kind != "O":
                raise TypeError
            array = array.astype(float)
        except (TypeError, ValueError):
            raise ProbabilityError(
                f"The draws are not numbers; one is {plain(array.flat[0])!r}: "
                "give an indicator, such as draws == 'rain'."
            ) from None
    if np.ma.is_masked(draws):
        raise ProbabilityError("Some draws are masked: give all draws.")
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


def _split(draws: np.ndarray) -> np.ndarray:
    """Cut each chain in two, without the middle draw of an odd number."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws):
    """Return the normal scores of the ranks of all draws."""
    # The module is large; it is imported only if ranks are needed.
    from scipy.stats import rankdata

    flat = draws.reshape(-1, *draws.shape[2:])
    ranks = rankdata(flat, axis=0).reshape(draws.shape)
    return special.ndtri((ranks - 3 / 8) / (len(flat) + 1 / 4))


def _moments(chains):
    """Return the mean of each chain, and the deviations of its draws.

    The deviations of a constant chain are exactly zero.
    """
    first = chains[:, :1]
    away = chains - first
    shift = away.mean(axis=1, keepdims=True)
    return (first + shift)[:, 0], away - shift


def _r_hat(chains):
    """Compute the square root of V / W."""
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
    """Compute the effective sample size of chains that are cut in two."""
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
    # The sum ends before the first pair that is not positive.
    end = np.argmax(pairs <= 0, axis=0)
    end = np.where((pairs <= 0).any(axis=0), end, len(pairs) - 1)
    k = np.arange(len(pairs)).reshape(-1, *[1] * end.ndim)
    falling = np.minimum.accumulate(pairs)
    tau = (
        -1
        + 2 * np.where(k < end, falling, 0).sum(axis=0)
        + np.where(k == end, even.clip(0), 0).sum(axis=0)
    )
    # Geyer's sum may cancel, and make the quotient arbitrarily large.
    ess = m * n / np.maximum(tau, 1 / np.log10(m * n))
    return np.where(np.ptp(chains, axis=(0, 1)) > 0, ess, np.nan)


def _plain(numbers):
    """Return an array without axes as a float."""
    numbers = np.asarray(numbers)
    return float(numbers) if numbers.ndim == 0 else numbers
