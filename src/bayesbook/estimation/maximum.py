"""Maximising any log-density, and checking that the result is a maximum.

`scipy.optimize` searches; its result is accepted only after a check with steps
of another kind. The natural step in a parameter is the one over which the
log-density falls a little: it does not depend on the parameter's unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize

from bayesbook.base import ConvergenceError, ProbabilityError
from bayesbook.base.arrays import floats

# A natural step lowers the log-density by about this much: a tenth of a
# standard error. This is far more than rounding, and far less than the width
# of the parabola.
FALL = 0.005
# A place is not a maximum if another is higher by more than this.
SLACK = 1e-7
# At half the way a parabola has fallen by a quarter, a flat top not at all.
HALFWAY = 1 / 8
# A hill that is not round after this many turns of its axes has a flat ridge.
TURNS = 10


# Without ==, which is not a single truth value for arrays.
@dataclass(frozen=True, eq=False)
class Maximum:
    """A maximum that `maximise` has found and checked.

    Attributes
    ----------
    at : float or array, shape (d,)
        The maximiser: a number if the start was one.
    value : float
        The log-density there.
    information : array, shape (d, d)
        Minus the second derivatives there, by differences: the observed
        information, if the log-density is a log-likelihood. It is zero for
        parameters that lie on a bound.
    on_bound : tuple of int
        The parameters that lie on a bound.
    evaluations : int
        The number of evaluations of the log-density.

    Examples
    --------
    >>> top = maximise(lambda x: -((x[0] - 1) ** 2) - 2 * x[1] ** 2, [0, 5])
    >>> top.at.round(6) + 0.0
    array([1., 0.])
    >>> top.information.round(4) + 0.0
    array([[2., 0.],
           [0., 4.]])
    >>> top.standard_errors().round(4)
    array([0.7071, 0.5   ])
    """

    at: float | np.ndarray
    value: float
    information: np.ndarray = field(repr=False)
    on_bound: tuple[int, ...]
    evaluations: int

    def standard_errors(self) -> float | np.ndarray:
        """Return the roots of the diagonal of the inverse information.

        Returns
        -------
        float or array, as `at`

        Raises
        ------
        ProbabilityError
            If a parameter lies on a bound, where the curvature gives no
            standard error.
        """
        if self.on_bound:
            raise ProbabilityError(
                f"Parameter {self.on_bound[0]} lies on its bound: the "
                "curvature there gives no standard error."
            )
        errors = np.sqrt(np.diag(np.linalg.inv(self.information)))
        return float(errors[0]) if np.ndim(self.at) == 0 else errors

    def __str__(self) -> str:
        at = np.atleast_1d(self.at)
        if not self.on_bound:
            # Digits far below the standard error are rounding.
            errors = np.atleast_1d(self.standard_errors())
            unit = 10.0 ** (np.floor(np.log10(errors)) - 4)
            at = np.round(at / unit) * unit + 0.0
        shown = ", ".join(f"{x:.6g}" for x in at)
        where = shown if np.ndim(self.at) == 0 else f"[{shown}]"
        edge = "".join(f", on bound {i}" for i in self.on_bound)
        return f"maximum {self.value:.6g} at {where}{edge}: checked"


def maximise_posterior(
    log_likelihood: Callable,
    log_prior: Callable,
    start: float | Sequence[float],
    bounds: Sequence | None = None,
) -> Maximum:
    """Return the maximum of likelihood times prior (MAP, a posteriori).

    The evidence does not depend on the parameter, so it is not needed.

    Parameters
    ----------
    log_likelihood, log_prior : functions of the parameter
        For the prior, for example, ``scipy.stats.beta(2, 2).logpdf``.
    start, bounds
        As in `maximise`.

    Returns
    -------
    Maximum

    Raises
    ------
    ConvergenceError, ProbabilityError, TypeError
        As in `maximise`.

    Examples
    --------
    >>> from scipy.stats import beta
    >>> found = maximise_posterior(
    ...     lambda p: 7 * np.log(p) + 3 * np.log(1 - p),
    ...     beta(2, 2).logpdf,
    ...     start=0.5,
    ...     bounds=(0, 1),
    ... )
    >>> round(found.at, 6)
    0.666667
    """
    return maximise(
        lambda parameter: log_likelihood(parameter) + log_prior(parameter),
        start,
        bounds,
    )


def maximise(
    log_density: Callable,
    start: float | Sequence[float],
    bounds: Sequence | None = None,
) -> Maximum:
    """Find a maximum from a start, and check that it is one.

    The search is L-BFGS-B, or Nelder-Mead where the slope has jumps, both from
    `scipy.optimize`; Newton steps make its result more accurate. The check
    goes from there in all directions until the log-density is lower, and
    computes the curvature. The maximum is a *local* one: try several starts
    if there may be others.

    Parameters
    ----------
    log_density : function
        A function of a number, if `start` is one, or of an array of shape
        (d,), such as a log-likelihood. It returns a number, −inf outside the
        support.
    start : float or sequence of d floats
        A place where the log-density is finite.
    bounds : pair, or sequence of d pairs, optional
        The range of each parameter, None for no bound. Bounds keep the search
        in the region where the log-density has a value.

    Returns
    -------
    Maximum

    Raises
    ------
    ConvergenceError
        If the result is not a maximum, if the log-density still rises far
        away, or if the curvature is zero in some direction: then there is no
        standard error, even if there is a maximum.
    ProbabilityError
        If the log-density is NaN or not a number, or not finite at the start,
        or if start and bounds do not fit.
    TypeError
        If the log-density is not a function.

    Examples
    --------
    Ten lamps, of which three still worked when the test ended after 8 years;
    the lifetimes of the others sum to 25 years:

    >>> def log_likelihood(rate):
    ...     return 7 * np.log(rate) - rate * (25 + 3 * 8)
    >>> found = maximise(log_likelihood, start=1, bounds=(0, None))
    >>> round(found.at, 6), round(found.standard_errors(), 4)
    (0.142857, 0.054)
    """
    hill = _Hill(log_density, start, bounds)
    top, problem = hill.start, None
    for method in ("L-BFGS-B", "Nelder-Mead"):
        top = hill.sharpen(hill.climb(method, top))
        problem = hill.doubt(top)
        if problem is None:
            return hill.report(top)
    raise ConvergenceError(
        f"{problem} (Searched from {hill.show(hill.start)}.)"
    )


class _Hill:
    """A log-density on its range, in natural steps of the parameters."""

    def __init__(self, log_density, start, bounds):
        if not callable(log_density):
            raise TypeError(
                f"The log-density is {log_density!r}: give a function of the "
                "parameters."
            )
        self.log_density = log_density
        self.scalar = np.ndim(start) == 0
        self.start = floats(np.atleast_1d(start), "The values of the start")
        self.low, self.high = self._read_bounds(bounds)
        outside = (self.start < self.low) | (self.start > self.high)
        if outside.any():
            i = int(np.argmax(outside))
            raise ProbabilityError(
                f"The start {self.start[i]:g} of parameter {i} is not between "
                f"its bounds {self.low[i]:g} and {self.high[i]:g}."
            )
        self.evaluations = 0
        if self.value(self.start) == -np.inf:
            raise ProbabilityError(
                f"The log-density is −inf at the start {self.show(self.start)}"
                ": start where the data are possible."
            )

    def _read_bounds(self, bounds):
        """Return the lower and the upper bounds."""
        d = len(self.start)
        if bounds is None:
            bounds = [(None, None)] * d
        elif self.scalar:
            bounds = [bounds]
        try:
            pairs = [
                (-np.inf if a is None else a, np.inf if b is None else b)
                for a, b in bounds
            ]
            low, high = np.array(pairs, dtype=float).T
        except (TypeError, ValueError):
            low = high = np.full(d, np.nan)
        if len(low) != d or not (low < high).all():
            raise ProbabilityError(
                f"The bounds are {bounds!r}: give a pair (low, high) with low "
                f"below high for each of the {d} parameters; None means no "
                "bound."
            )
        return low, high

    def show(self, place):
        """Return a place as text, a number if the start was one."""
        shown = [f"{x:.6g}" for x in place]
        return shown[0] if self.scalar else f"[{', '.join(shown)}]"

    def value(self, place, probing=False):
        """Return the log-density; when probing, NaN counts as outside."""
        self.evaluations += 1
        # The logarithm of zero is −inf, as it should be here.
        with np.errstate(all="ignore"):
            try:
                value = self.log_density(
                    place[0] if self.scalar else place.copy()
                )
            except ProbabilityError:
                # A model refuses a width of zero.
                if not self.on_bound(place).any():
                    raise
                value = np.nan
        if np.size(value) != 1 or np.asarray(value).dtype.kind not in "biuf":
            raise ProbabilityError(
                f"The log-density of {self.show(place)} is {value!r}, not a "
                "number: return the sum over the data."
            )
        value = float(np.reshape(value, ()))
        if value == np.inf:
            raise ConvergenceError(
                f"The log-density is ∞ at {self.show(place)}: it has no "
                "maximum."
            )
        if np.isnan(value):
            # On a bound the log-density may have no value.
            if probing or self.on_bound(place).any():
                return -np.inf
            raise ProbabilityError(
                f"The log-density is NaN at {self.show(place)}: exclude the "
                "place with `bounds`, or return −inf there."
            )
        return value

    def climb(self, method, place):
        """Return the best place of a search by scipy."""
        best = [place, self.value(place)]

        def depth(place):
            place = np.clip(place, self.low, self.high)
            value = self.value(place)
            if value > best[1]:
                best[:] = place.copy(), value
            return -value

        precise = {
            "L-BFGS-B": {"ftol": 1e-15, "gtol": 1e-9},
            "Nelder-Mead": {"xatol": 1e-10, "fatol": 1e-12, "adaptive": True},
        }
        # Outside the support scipy computes differences of infinities.
        with np.errstate(all="ignore"):
            minimize(
                depth,
                place,
                method=method,
                jac="3-point" if method == "L-BFGS-B" else None,
                bounds=list(zip(self.low, self.high, strict=True)),
                options={"maxiter": 10_000, **precise[method]},
            )
        return best[0]

    def sharpen(self, place):
        """Move to the top of the parabola as long as that is higher."""
        for _ in range(50):
            step = self.newton(place)
            if step is None:
                break
            for shorter in (1, 1 / 4, 1 / 64):
                moved = self.within(place + shorter * step)
                if self.value(moved, probing=True) > self.value(place):
                    break
            else:
                break
            place = moved
        return self.snapped(place)

    def snapped(self, place):
        """Move a parameter onto its nearer bound if the value is not lower."""
        for i in range(len(place)):
            onto = place.copy()
            below = place[i] - self.low[i] < self.high[i] - place[i]
            onto[i] = self.low[i] if below else self.high[i]
            if np.isfinite(onto[i]) and self.value(
                onto, probing=True
            ) >= self.value(place):
                place = onto
        return place

    def within(self, place):
        """Return the nearest place within the bounds."""
        return np.clip(place, self.low, self.high)

    def on_bound(self, place):
        """Return which parameters lie on a bound."""
        return (place == self.low) | (place == self.high)

    def axes(self, place):
        """Return the parameters off the bounds, and a natural step in each."""
        free = np.flatnonzero(~self.on_bound(place))
        size = np.maximum(np.abs(place), np.abs(place - self.start))
        size[size == 0] = 1e-8
        return free, [
            self.natural(place, 1e-3 * size[i] * _axis(i, place)) for i in free
        ]

    def natural(self, place, way):
        """Return a way so long that it lowers the value a little, or zero."""
        here, step = self.value(place), 1.0
        room = self.room(place, way) / 2
        for _ in range(100):
            step = min(step, room)
            fall = max(
                abs(here - self.value(place + side * way, probing=True))
                for side in (step, -step)
            )
            if FALL / 4 < fall < FALL * 4 or (
                step == room and 0 < fall < FALL
            ):
                return step * way
            step *= np.clip(np.sqrt(FALL / max(fall, 1e-300)), 1 / 16, 16)
        return np.zeros_like(way)

    def room(self, place, way):
        """Return how often a way fits between the bounds, on both sides."""
        moving = way != 0
        distance = np.minimum(place - self.low, self.high - place)[moving]
        return (distance / np.abs(way[moving])).min(initial=np.inf)

    def curvature(self, place, ways):
        """Return the second differences along ways."""
        here = self.value(place)

        def at(way):
            return self.value(self.within(place + way), probing=True)

        curvature = np.diag([at(way) + at(-way) - 2 * here for way in ways])
        for i, first in enumerate(ways):
            for j, second in enumerate(ways[:i]):
                curvature[i, j] = curvature[j, i] = (
                    at(first + second)
                    + at(-first - second)
                    - at(first - second)
                    - at(second - first)
                ) / 4
        return curvature

    def slope(self, place, ways):
        """Return the first differences along ways."""
        # Steps are far shorter than natural ones, whose error would move the
        # maximum.
        return (
            np.array(
                [
                    self.value(self.within(place + way / 256), probing=True)
                    - self.value(self.within(place - way / 256), probing=True)
                    for way in ways
                ]
            )
            * 128
        )

    def newton(self, place):
        """Return the way to the top of the parabola, or None."""
        _, ways = self.axes(place)
        ways = [way for way in ways if way.any()]
        curvature = self.curvature(place, ways)
        if not ways or not np.isfinite(curvature).all():
            return None
        slope = self.slope(place, ways)
        falls, directions = np.linalg.eigh(-curvature)
        # The way goes uphill even along axes where the parabola opens upwards.
        falls = np.maximum(np.abs(falls), 1e-6 * FALL)
        move = directions @ (directions.T @ slope / falls)
        if slope @ move < 1e-14 * max(1, abs(self.value(place))):
            return None
        return move @ ways

    def doubt(self, place):
        """Return why a place may not be a maximum, or None."""
        free, ways = self.axes(place)
        for i, way in zip(free, ways, strict=True):
            if not way.any():
                return self._no_step(place, _axis(i, place))
        axes, problem = self.rounded(place, ways)
        if problem is not None:
            return problem
        ways += axes
        ways += [-way for way in ways]
        ways += self.inward(place)
        ways += [place - self.start, self.newton(place)]
        for way in ways:
            if way is not None and way.any():
                problem = self.walk(place, way)
                if problem is not None:
                    return problem
        return None

    def rounded(self, place, ways):
        """Turn ways until the log-density falls along each of them.

        Otherwise a flat ridge would look a little steep, because it runs
        across the ways, and the error grows with the natural steps. Returns
        the ways, and the problem or None.
        """
        for _ in range(TURNS):
            curvature = self.curvature(place, ways)
            if not np.isfinite(curvature).all():
                return ways, self._edge(place)
            scale = np.sqrt(np.maximum(np.abs(np.diag(curvature)), 1e-300))
            falls, directions = np.linalg.eigh(
                -curvature / np.outer(scale, scale)
            )
            if falls.min(initial=1) > 0.1:
                return ways, None
            turned = directions.T @ ways
            ways = [self.natural(place, way) for way in turned]
            for way, before in zip(ways, turned, strict=True):
                if not way.any():
                    return ways, self._flat(place, before)
        return ways, self._flat(place, ways[0])

    def inward(self, place):
        """Return a short way from each bound on which a parameter lies."""
        size = np.maximum(np.abs(place), np.abs(place - self.start))
        size[size == 0] = 1e-8
        side = np.where(place == self.low, 1, -1)
        return [
            side[i] * 1e-3 * size[i] * _axis(i, place)
            for i in np.flatnonzero(self.on_bound(place))
        ]

    def walk(self, place, way):
        """Follow a way until the value is lower; return a problem."""
        here, before, half = self.value(place), place, None
        tiny = 1e-12 * max(1, abs(here))
        for stretch in 0.01 * 2.0 ** np.arange(80):
            there = self.within(place + stretch * way)
            value = self.value(there, probing=True)
            fall = here - value
            if -fall > max(SLACK, tiny):
                return (
                    f"{self.show(place)} is not a maximum: the log-density is "
                    f"{here:.6g} there and {value:.6g} at {self.show(there)}. "
                    "Start from there, or give bounds."
                )
            if fall > FALL / 2:
                # First flat, then steep: a plateau or a bent ridge.
                is_level = half is not None and half < HALFWAY * fall < np.inf
                return self._level(place, way) if is_level else None
            if np.array_equal(there, before):
                blocked = np.array_equal(there, place)
                if blocked or fall > tiny:
                    return None
                break
            before, half = there, fall
        return self._flat(place, way)

    def _no_step(self, place, axis):
        """Return why there is no natural step along an axis."""
        size = 1e-9 * np.maximum(np.abs(place), np.abs(place - self.start))
        beside = [
            self.value(self.within(place + sign * size * axis), probing=True)
            for sign in (1, -1)
        ]
        if -np.inf in beside:
            return self._edge(place)
        return self._flat(place, axis)

    def _edge(self, place):
        return (
            f"Beside {self.show(place)} the log-density is −inf: give the "
            "edge of its support as a bound."
        )

    def _flat(self, place, way):
        return (
            f"From {self.show(place)} the log-density does not fall in the "
            f"direction {self.direction(way)}: the data do not determine the "
            "parameters, or there is no maximum at a finite distance."
        )

    def _level(self, place, way):
        return (
            f"From {self.show(place)} the log-density falls at first less "
            f"than a parabola in the direction {self.direction(way)}: there "
            "is a plateau or a bent ridge, or the curvature is zero, and no "
            "standard error can be given."
        )

    def direction(self, way):
        """Return a direction as text."""
        return self.show(way / np.abs(way).max())

    def report(self, place):
        """Return the maximum that was found."""
        free, ways = self.axes(place)
        steps = np.array([way[i] for i, way in zip(free, ways, strict=True)])
        information = np.zeros((len(place), len(place)))
        information[np.ix_(free, free)] = -self.curvature(
            place, ways
        ) / np.outer(steps, steps)
        return Maximum(
            at=float(place[0]) if self.scalar else place,
            value=self.value(place),
            information=information,
            on_bound=tuple(np.flatnonzero(self.on_bound(place)).tolist()),
            evaluations=self.evaluations,
        )


def _axis(i, place):
    """Return the unit vector of one parameter."""
    return np.eye(len(place))[i]
