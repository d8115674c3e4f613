"""Tables for the tests of moments, and how two moments are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.statistics import Moments, collect

FORMS = ("diagonal", "pooled", "full")


@dataclass(frozen=True)
class Table:
    X: np.ndarray
    codes: np.ndarray
    weight: np.ndarray | None
    n_classes: int

    def collect(self, form: str, keep: np.ndarray | None = None, **options: object) -> Moments:
        """Moments of the rows to keep."""
        keep = np.ones(len(self.X), dtype=bool) if keep is None else keep
        weight = None if self.weight is None else self.weight[keep]
        return collect(self.X[keep], self.codes[keep], self.n_classes, form=form, weight=weight, **options)


def table(n: int = 300, width: int = 4, n_classes: int = 3, weighted: bool = False, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, n).astype(np.int32)
    X = rng.normal(size=(n, width)) * 10.0 ** rng.integers(-2, 3, width) + 5.0 * codes[:, None]
    return Table(X, codes, rng.uniform(0.1, 3.0, n) if weighted else None, n_classes)


def assert_same(found: Moments, expected: Moments, tolerance: float = 1e-12, rows: bool = True) -> None:
    """Weights, means in units of a deviation or of their own size, scatter in units of its diagonal."""
    assert found.form == expected.form
    assert (found.present is None) == (expected.present is None)
    np.testing.assert_allclose(found.weight, expected.weight, rtol=tolerance, atol=0)
    np.testing.assert_allclose(found.feature_weight(), expected.feature_weight(), rtol=tolerance, atol=0)
    if rows:
        assert np.array_equal(found.rows, expected.rows)
    there = expected.feature_weight() > 0
    deviation = np.sqrt(expected.total_variance())[..., None, :]
    unit = np.maximum(deviation, 64 * np.finfo(float).eps / tolerance * np.abs(expected.mean))
    unit = np.where(there & (unit > 0), unit, 1.0)
    np.testing.assert_allclose(
        np.where(there, found.mean / unit, 0.0),
        np.where(there, expected.mean / unit, 0.0),
        rtol=0,
        atol=tolerance,
    )
    assert found.scatter.shape == expected.scatter.shape
    # What the rounding of a value does to a sum of squares: all of it where a feature hardly varies, else as much as it
    # is large beside the deviation.
    total = expected.weight.sum(axis=-1)[..., None]
    rounding = 8 * np.finfo(float).eps * np.abs(expected.mean).max(axis=-2)
    within = expected.within_diagonal()
    noise = (total * rounding**2 + np.sqrt(total * within) * rounding) / tolerance
    size = np.sqrt(np.maximum(np.maximum(within, noise), np.finfo(float).tiny))
    if expected.form == "diagonal":
        units = (size**2)[..., None, :]
    else:
        units = size[..., :, None] * size[..., None, :]
        units = units[..., None, :, :] if expected.form == "full" else units
    np.testing.assert_allclose(found.scatter / units, expected.scatter / units, rtol=0, atol=tolerance)
