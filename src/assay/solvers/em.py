r"""Mixtures of normal densities by expectation and maximisation (EM), in the logarithm.

    p(x | c) = Σ_b P(b | c) N(x; μ_b, Σ_b)

    E    r_nb = P(b | c_n) N(x_n; μ_b, Σ_b) / p(x_n | c_n)
    M    P(b | c) = Σ_{n in c} r_nb / n_c,  μ_b = Σ_n r_nb x_n / n_b,  Σ_b from Σ_n r_nb (x_n - μ_b)(x_n - μ_b)ᵀ / n_b

with rows of weight w counted w times. Every class may have components of its own (then each is solved by itself, as one
class), or all classes share them. The log likelihood Σ_n ln p(x_n | c_n) rises with every step (Dempster, Laird and
Rubin, 1977), also where the floor of `component_shapes` holds. Steps of small tables are compiled
(core/cluster/em.cpp).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.interrupt import check_interrupt
from assay.solvers.component_shapes import CROSSED, SHAPES, Spread
from assay.types import Array

LOG_2PI = float(np.log(2.0 * np.pi))
ARRIVED, COLLAPSING = 0, 2  # how compiled steps end (core/cluster/em.hpp)
SMALL = 1 << 17  # products of a step up to which calls of NumPy take longer than compiled sums
BLOCK = 1 << 16  # numbers of a block of weighted rows: two such stay in the second-level cache
ROUNDING = 1e-11  # relative; a step that seems to lose less has arrived
LEAST = 1e-12  # share of the rows below which a component stays where it is: its mean would be noise


@dataclass(frozen=True)
class WeightedRows:
    """What is fitted: rows (N, D), weights (N,), and the class of each row (None: one class), of `n_classes`."""

    values: Array
    weight: Array
    codes: NDArray[np.int32] | None = None
    n_classes: int = 1


@dataclass(frozen=True)
class Components:
    """B normal densities, and the share of each in each class.

    Attributes
    ----------
    shares : (K, B)
        P(b | c); rows sum to 1.
    means : (B, D)
    spread : Spread
        The covariances, factorised.
    """

    shares: Array
    means: Array
    spread: Spread

    def log_densities(self, X: Array, threads: int = 1) -> Array:
        """ln N(x; μ_b, Σ_b) of every row and component, (N, B)."""
        out = np.empty((len(X), len(self.means)))
        bias = -0.5 * (self.spread.log_determinants + X.shape[1] * LOG_2PI)
        crossed = self.spread.whiteners.ndim == 3
        score = _core.scores.quadratic_scores if crossed else _core.scores.diagonal_scores
        everyone = (X, None, None, None, None)
        score(
            *everyone,
            self.means[None],
            np.ascontiguousarray(self.spread.whiteners)[None],
            bias[None],
            crossed,
            threads,
            out,
        )
        return out


@dataclass(frozen=True)
class MixtureSums:
    """Weighted sums over the rows: weights of each class (K, B), rows (B, D), squares (B, D) or products (B, D, D)."""

    weight: Array
    first: Array
    second: Array


@dataclass(frozen=True)
class Mixture:
    """What EM came to.

    Attributes
    ----------
    components : Components
    history : (T,)
        Log likelihood after each step; it never falls.
    converged : bool
        Whether the last step gained no more than the tolerance.
    """

    components: Components
    history: Array
    converged: bool


def begin(rows: WeightedRows, labels: NDArray[np.integer], shape: str, floor: float) -> Components:
    """The components of rows that are each put into one of them; labels without rows are left out."""
    _, places = np.unique(labels, return_inverse=True)
    taken = np.zeros((len(labels), int(places.max()) + 1))
    taken[np.arange(len(labels)), places] = rows.weight
    return _maximise(_sums(rows, taken, shape), shape, floor, None)


def em(
    rows: WeightedRows,
    start: Components,
    shape: str,
    floor: float,
    max_iter: int,
    tolerance: float,
    threads: int = 1,
) -> Mixture:
    """Climb from the start until a step gains no more than `tolerance` a row, or for `max_iter` steps."""
    if len(start.means) == 1 or not rows.values.shape[1]:
        return Mixture(start, np.array([_expect(rows, start, threads)[1]]), True)
    gain = tolerance * float(rows.weight.sum())
    work = len(rows.values) * start.spread.covariances.size
    if work <= SMALL:
        return _climb_small(rows, start, shape, floor, max_iter, gain)
    return _climb(rows, start, shape, floor, max_iter, gain, threads)


def _climb(
    rows: WeightedRows, start: Components, shape: str, floor: float, steps: int, gain: float, threads: int
) -> Mixture:
    """By products of whole tables."""
    components, total = start, float(rows.weight.sum())
    taken, value = _expect(rows, components, threads)
    history = [value]
    for _ in range(steps):
        check_interrupt()
        further = _maximise(_sums(rows, taken, shape), shape, floor, components)
        taken, value = _expect(rows, further, threads)
        if value < history[-1] - ROUNDING * (abs(value) + total):
            return Mixture(components, np.array(history), True)
        components = further
        history.append(max(value, history[-1]))
        if value - history[-2] <= gain:
            return Mixture(components, np.array(history), True)
    return Mixture(components, np.array(history), False)


def _climb_small(
    rows: WeightedRows, start: Components, shape: str, floor: float, steps: int, gain: float
) -> Mixture:
    """By compiled steps; the few that those leave to their caller by `_climb`."""
    components, history = start, np.empty(0)
    while True:
        components, values, end = _compiled(
            rows, components, shape, floor, steps - max(0, len(history) - 1), gain
        )
        history = _joined(history, values)
        left = steps - (len(history) - 1)
        if end != COLLAPSING or not left:
            return Mixture(components, history, end == ARRIVED)
        one = _climb(rows, components, shape, floor, 1, gain, 1)
        components, history = one.components, _joined(history, one.history)
        if one.converged or left == 1:
            return Mixture(components, history, one.converged)


def _compiled(
    rows: WeightedRows, start: Components, shape: str, floor: float, steps: int, gain: float
) -> tuple[Components, Array, int]:
    """Components, log likelihoods of the start and after each step, and why they end."""
    shares, means = start.shares.copy(), np.array(start.means, order="C")
    spread = Spread(
        np.array(start.spread.covariances, order="C"),
        np.array(start.spread.whiteners, order="C"),
        start.spread.log_determinants.copy(),
        start.spread.floored.astype(np.int64),
    )
    values, end = _core.cluster.em_steps(
        rows.values,
        rows.weight,
        rows.codes,
        list(SHAPES).index(shape),
        floor,
        steps,
        gain,
        ROUNDING,
        LEAST,
        shares,
        means,
        spread.covariances,
        spread.whiteners,
        spread.log_determinants,
        spread.floored,
    )
    return Components(shares, means, spread), np.array(values), end


def _joined(history: Array, further: Array) -> Array:
    """Log likelihoods that go on where the first ended."""
    return np.maximum.accumulate(np.append(history, further[1:] if len(history) else further))


def _expect(rows: WeightedRows, components: Components, threads: int) -> tuple[Array, float]:
    """Weighted responsibilities (N, B), and the log likelihood."""
    scores = components.log_densities(rows.values, threads)
    with np.errstate(divide="ignore"):
        logs = np.log(components.shares)
    scores += logs[0] if rows.codes is None else logs[rows.codes]
    best = np.empty(len(scores), dtype=np.int32)
    before = scores[:, 0].copy()
    for column in scores.T[1:]:
        np.maximum(before, column, out=before)
    _core.scores.normalize_scores(scores, threads, best)
    value = before - scores[np.arange(len(scores)), best]
    taken = np.empty(scores.shape)
    _core.scores.posteriors(scores, threads, taken)
    taken *= rows.weight[:, None]
    return taken, float(rows.weight @ value)


def _sums(rows: WeightedRows, taken: Array, shape: str) -> MixtureSums:
    """Sums of rows of which each component has taken its part, block by block in order."""
    X, (n_components, width) = rows.values, (taken.shape[1], rows.values.shape[1])
    first = np.zeros((n_components, width))
    second = np.zeros((n_components * width, width) if shape in CROSSED else (n_components, width))
    step = max(256, BLOCK // max(1, n_components * width))
    for at in range(0, len(X), step):
        x = X[at : at + step]
        r = np.ascontiguousarray(taken[at : at + step].T)
        first += r @ x
        if shape in CROSSED:
            columns = np.ascontiguousarray(x.T)
            second += (r[:, None, :] * columns).reshape(-1, len(x)) @ x
        else:
            second += r @ x**2
    if shape in CROSSED:
        second = second.reshape(n_components, width, width)
    return MixtureSums(_by_class(rows, taken), first, second)


def _by_class(rows: WeightedRows, taken: Array) -> Array:
    if rows.codes is None:
        return np.ones((1, len(taken))) @ taken
    codes, count = rows.codes, rows.n_classes
    return np.stack([np.bincount(codes, part, count) for part in taken.T], axis=1)


def _maximise(sums: MixtureSums, shape: str, floor: float, before: Components | None) -> Components:
    """The likeliest components; one that has lost all its rows stays where it was."""
    weight = sums.weight.sum(axis=0)
    of_class = sums.weight.sum(axis=1, keepdims=True)
    shares = np.divide(sums.weight, of_class, out=np.zeros(sums.weight.shape), where=of_class > 0)
    alive = weight > (0.0 if before is None else LEAST * weight.sum())
    divisor = np.where(alive, weight, 1.0)[:, None]
    means = sums.first / divisor
    if sums.second.ndim == 3:
        second = sums.second / divisor[..., None] - means[:, :, None] * means[:, None, :]
    else:
        second = sums.second / divisor - means**2
    if before is not None and not alive.all():
        means = np.where(alive[:, None], means, before.means)
        second[~alive] = before.spread.covariances[~alive]
        weight = np.where(alive, weight, 0.0)
    return Components(shares, means, SHAPES[shape](second, weight, floor))
