r"""Blends and shrinkages of full covariances from few bases.

With A = (1 - s) Σ̂ + s t I the shared covariance after shrinking and A_k that of class k, the covariance of blend b
is b A_k + (1 - b) A, since the level t of the sphere, a mean variance, is linear too. In the coordinates in which A
is the identity, W Wᵀ = A⁻¹, let Wᵀ A_k W = Q diag(m) Qᵀ; then one basis serves every blend:

    T = W Q,    share_j = 1 / (b m_j + 1 - b),    ln det = ln det A + Σ_j ln (b m_j + 1 - b).

For a single blend, the eigenvectors V of Σ_k serve every shrinkage: T = V, share_j = 1 / ((1 - s) λ_j + s t).

Where a covariance is nearly singular (the floor would be needed, or digits would be lost) the setting has whiteners of
its own, as a fit has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.models.gaussian.covariance import Rule, linear_form, solve_quadratic
from assay.numerics.linalg import whiten_all
from assay.sharing.forms import Linear
from assay.sharing.moments.bases import Bases
from assay.statistics import Moments
from assay.statistics.variances import LOG_2PI, degenerate_classes, deviations
from assay.types import Array

WORTH = 8  # rows for each feature that pay for eigenvectors, where two settings share them
LEAST = 1e-6  # spread of the shares that loses at most ten digits
TINY = float(np.finfo(np.float64).tiny)
SURE = 1.01  # a bound of the least variance this far above the floor is above it whatever the rounding


@dataclass(frozen=True)
class Setting:
    """One model of the grid: its rule, and the logarithm of its class probabilities (G, K)."""

    rule: Rule
    log_prior: Array


@dataclass(frozen=True)
class _Basis:
    served: tuple[int, ...]
    turn: Array  # (G, K, D, D)
    share: Array  # (G, K, D, M)
    bias: Array  # (G, M, K)


def solve_grid(settings: Sequence[Setting], m: Moments) -> Bases:
    """Bases of all settings, from moments of G groups: full ones, or pooled ones where all settings are linear."""
    shared = _SharedCovariance(m)
    lines = [s for s, setting in enumerate(settings) if setting.rule.blend == 0.0]
    batch_bases: list[_Basis] = []
    for numbers in _batches(settings, [s for s in range(len(settings)) if s not in lines]):
        batch_bases += _solve_batch([settings[s] for s in numbers], numbers, m, shared)
    return _together(batch_bases, lines, _lines([settings[s] for s in lines], m, shared), m)


def _batches(settings: Sequence[Setting], numbers: list[int]) -> list[list[int]]:
    """Settings that one basis may serve: those of one shrinkage, or of one blend where blends are fewer."""
    families: dict[tuple[str, float], list[int]] = {}
    for s in numbers:
        rule = settings[s].rule
        families.setdefault((rule.variance, rule.floor), []).append(s)
    out: list[list[int]] = []
    for family in families.values():
        rules = [settings[s].rule for s in family]
        by_blend = len({rule.blend for rule in rules}) < len({rule.shrinkage for rule in rules})
        parts: dict[float, list[int]] = {}
        for s, rule in zip(family, rules, strict=True):
            parts.setdefault(rule.blend if by_blend else rule.shrinkage, []).append(s)
        out += parts.values()
    return out


class _SharedCovariance:
    """Covariances of every group before shrinking, and the shared one shrunk and whitened, each made once."""

    def __init__(self, m: Moments) -> None:
        self.m, self.scale = m, deviations(m)
        self._kept: dict[tuple[str, float, float], tuple[Array, Array, NDArray[np.intp]]] = {}
        self._pooled: dict[str, Array] = {}
        self._own: dict[str, Array] = {}

    def pooled(self, rule: Rule) -> Array:
        """(G, D, D)."""
        if rule.variance not in self._pooled:
            self._pooled[rule.variance] = rule.shared(self.m)
        return self._pooled[rule.variance]

    def classes(self, rule: Rule) -> Array:
        """(G, K, D, D), without a blend; classes that have no covariance of their own borrow the shared one."""
        if rule.variance not in self._own:
            lost = 1.0 if rule.variance == "unbiased" else 0.0
            divisor = (self.m.weight - lost)[..., None, None]
            borrow = degenerate_classes(self.m, rule.variance)[..., None, None] | (divisor <= 0)
            covariance = self.m.scatter / np.where(borrow, 1.0, divisor)
            self._own[rule.variance] = np.where(borrow, self.pooled(rule)[:, None], covariance)
        return self._own[rule.variance]

    def whitened(self, rule: Rule) -> tuple[Array, Array, NDArray[np.intp]]:
        """What `whiten_all` gives of every group."""
        key = (rule.variance, rule.shrinkage, rule.floor)
        if key not in self._kept:
            shrunk = rule.shrink(self.pooled(rule), self.scale)
            self._kept[key] = whiten_all(shrunk, self.scale, rule.floor)
        return self._kept[key]

    def level(self, covariance: Array) -> Array:
        """Mean variance of the features that vary, (G, K)."""
        varies = (self.scale > 0)[:, None, :]
        total = np.where(varies, np.diagonal(covariance, axis1=-2, axis2=-1), 0.0).sum(axis=-1)
        return np.asarray(total / np.maximum(varies.sum(axis=-1), 1))


def _lines(settings: Sequence[Setting], m: Moments, shared: _SharedCovariance) -> Linear | None:
    """The linear settings side by side."""
    if not settings:
        return None
    forms = [linear_form(m, setting.log_prior, shared.whitened(setting.rule)[0]) for setting in settings]
    weights = np.concatenate([form.weights for form in forms], axis=1)
    return Linear(forms[0].center, weights, np.concatenate([form.bias for form in forms], axis=1))


def _solve_batch(
    settings: list[Setting], numbers: list[int], m: Moments, shared: _SharedCovariance
) -> list[_Basis]:
    """One basis for the settings that it suits, and one for each of the others."""
    apart = settings, numbers
    basis: list[_Basis] = []
    # Eigenvectors cost as much as some products of rows for every feature: with few rows each setting is as cheap.
    if (len(settings) - 1) * m.rows.sum(axis=-1).max() > WORTH * m.n_features:
        one_blend = len({setting.rule.blend for setting in settings}) == 1
        turn, spread, log_det, sure = (_by_shrinkage if one_blend else _by_blend)(settings, shared)
        seen = m.weight > 0
        good = np.array([bool((ok | ~seen).all()) for ok in np.moveaxis(sure, -1, 0)])
        if good.sum() > 1:
            basis = [
                _basis(settings, numbers, np.flatnonzero(good).tolist(), turn, spread, log_det, m, shared)
            ]
            left = np.flatnonzero(~good).tolist()
            apart = [settings[i] for i in left], [numbers[i] for i in left]
    return basis + [_alone(setting, number, m) for setting, number in zip(*apart, strict=True)]


def _basis(
    settings: list[Setting],
    numbers: list[int],
    places: list[int],
    turn: Array,
    spread: Array,
    log_det: Array,
    m: Moments,
    shared: _SharedCovariance,
) -> _Basis:
    """What the kernel needs, from variances (G, K, D, M) along the turned directions."""
    seen = m.weight > 0
    spread = spread[..., places]
    share = np.divide(1.0, spread, out=np.zeros(spread.shape), where=seen[..., None, None] & (spread > 0))
    constant = LOG_2PI * (shared.scale > 0).sum(axis=-1)[:, None]
    bias = np.stack(
        [np.where(seen, settings[i].log_prior - 0.5 * (log_det[..., i] + constant), -np.inf) for i in places],
        axis=1,
    )
    turn = np.where(seen[..., None, None], turn, 0.0)
    return _Basis(tuple(numbers[i] for i in places), turn, share, bias)


def _by_blend(
    settings: list[Setting], shared: _SharedCovariance
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Settings of one shrinkage: T, variances (G, K, D, M), ln det (G, K, M) and which are surely sound."""
    rule = replace(settings[0].rule, blend=1.0)
    white, log_determinant, floored = shared.whitened(rule)
    white = white[:, None]
    covariance = shared.classes(rule)
    sphere = shared.level(covariance)[..., None, None] * np.eye(covariance.shape[-1])
    shrunk = (1.0 - rule.shrinkage) * covariance + rule.shrinkage * sphere
    # A feature that does not vary has no direction: variance 1, and a turn of 0.
    constant = (shared.scale == 0)[:, None, None, :] * np.eye(white.shape[-1])
    values, vectors = np.linalg.eigh(np.swapaxes(white, -1, -2) @ shrunk @ white + constant)
    blend = np.array([setting.rule.blend for setting in settings])
    spread = blend * values[..., None] + (1.0 - blend)
    log_det = _log(spread) + log_determinant[:, None, None]
    # Least variance in units of the features' deviations: at least that of A, 1 / |W|², times the least spread.
    natural = (shared.scale[:, None, :, None] * white) ** 2
    least = spread.min(axis=-2)
    bound = least / np.maximum(natural.sum(axis=(-2, -1)), TINY)[..., None]
    sound = (floored == 0)[:, None, None]
    sure = sound & (bound > SURE * rule.floor) & (least >= LEAST * spread.max(axis=-2))
    return white @ vectors, spread, log_det, sure


def _by_shrinkage(
    settings: list[Setting], shared: _SharedCovariance
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Settings of one blend, in the same terms."""
    rule = settings[0].rule
    covariance = rule.blend * shared.classes(rule) + (1.0 - rule.blend) * shared.pooled(rule)[:, None]
    varies, level = (shared.scale > 0)[:, None, :], shared.level(covariance)
    # A feature that does not vary stands apart with the level as its variance, and a turn of 0.
    apart = level[..., None, None] * (~varies)[..., None, :] * np.eye(covariance.shape[-1])
    both = varies[..., :, None] & varies[..., None, :]
    values, vectors = np.linalg.eigh(np.where(both, covariance, 0.0) + apart)
    shrink = np.array([setting.rule.shrinkage for setting in settings])
    spread = (1.0 - shrink) * values[..., None] + shrink * level[..., None, None]
    left_out = (~varies).sum(axis=-1) * np.log(np.maximum(level, TINY))
    log_det = _log(spread) - left_out[..., None]
    least = spread.min(axis=-2)
    widest = shared.scale.max(axis=-1)[:, None, None]
    sure = (least > SURE * rule.floor * widest**2) & (least >= LEAST * spread.max(axis=-2))
    return np.where(varies[..., None], vectors, 0.0), spread, log_det, sure


def _log(spread: Array) -> Array:
    """Logarithm of the product over the directions; settings with one that is not positive are not sure."""
    return np.asarray(np.log(np.maximum(spread, TINY)).sum(axis=-2))


def _alone(setting: Setting, number: int, m: Moments) -> _Basis:
    """A setting with whiteners of its own."""
    form = solve_quadratic(m, setting.log_prior, setting.rule)
    share = np.ones((*form.whitener.shape[:2], form.whitener.shape[-1], 1))
    return _Basis((number,), form.whitener, share, form.bias[:, None, :])


def _together(bases: list[_Basis], lines: list[int], line: Linear | None, m: Moments) -> Bases:
    """All bases in one array."""
    groups, classes, width = m.center.shape
    most = max((len(basis.served) for basis in bases), default=0)
    share = np.zeros((groups, len(bases), classes, width, most))
    bias = np.zeros((groups, len(bases), most, classes))
    for b, basis in enumerate(bases):
        share[:, b, :, :, : len(basis.served)] = basis.share
        bias[:, b, : len(basis.served)] = basis.bias
    empty = np.zeros((groups, 0, classes, width, width))
    turn = np.stack([basis.turn for basis in bases], axis=1) if bases else empty
    served = tuple(basis.served for basis in bases)
    return Bases(served, m.mean, turn, share, bias, tuple(lines), line)
