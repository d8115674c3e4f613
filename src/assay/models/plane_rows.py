"""A grid on a plane through the space of the columns, and a model asked about its rows.

Rows are put in the form the model was fitted to: frames get frames, arrays arrays.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.models.base import Model
from assay.models.validation import check_rows, explain_rows

Array = NDArray[np.float64]
AIR = 0.08  # beyond the rows on each side, as a share of their range


class PlaneRows(Model):
    """What remembers the width and the names of the columns while they are checked."""


class Grid(NamedTuple):
    """Points origin + a e₁ + b e₂ for all a in x, b in y."""

    x: Array
    y: Array
    names: tuple[str, str]
    origin: Array
    directions: Array  # (2, D)

    def rows(self) -> Array:
        """All points, (R * R, D), x running fastest."""
        a, b = np.meshgrid(self.x, self.y)
        return np.asarray(self.origin + np.stack([a.ravel(), b.ravel()], axis=1) @ self.directions)


def grid_of(model: Any, X: Any, features: Any, at: Any, resolution: int) -> Grid:
    """The grid over two columns or two directions, as far as the rows reach."""
    names = getattr(X, "columns", getattr(model, "feature_names_in_", None))
    names = None if names is None else [str(name) for name in names]
    center, low, high = _extent(model, X)
    origin = _origin(center, at, names)
    directions, titles, columns = _directions(features, names, len(center))
    if columns is None:
        x, y = _along(X, directions, origin, (low, high), resolution)
        return Grid(x, y, titles, origin, directions)
    origin = np.where(directions.any(axis=0), 0.0, origin)
    x, y = (_axis(low[j], high[j], resolution) for j in columns)
    return Grid(x, y, titles, origin, directions)


def _extent(model: Any, X: Any) -> tuple[Array, Array, Array]:
    """Mean, least and largest value of each column; three deviations from the mean where only moments are known."""
    if X is not None:
        keeper = PlaneRows()
        rows = np.asarray(check_rows(keeper, X, reset=True), dtype=np.float64)
        error = explain_rows(getattr(keeper, "feature_names_in_", None), rows)
        if error is not None:
            raise error
        width = getattr(model, "n_features_in_", rows.shape[1])
        if rows.shape[1] != width:
            raise ValueError(
                f"X has {rows.shape[1]} columns and the model was fitted to {width}; give the same columns."
            )
        return rows.mean(axis=0), rows.min(axis=0), rows.max(axis=0)
    m = getattr(model, "statistics_", None)
    if m is None:
        raise ValueError(f"{type(model).__name__} does not keep the range of its columns; give the rows X.")
    center, offset, away = m.overall()
    mean, n = center + offset, m.weight.sum()
    inside = m.within_diagonal() if m.form == "pooled" else m.class_diagonal().sum(axis=0)
    deviation = np.sqrt((inside + (m.weight[:, None] * away**2).sum(axis=0)) / n)
    return mean, mean - 3.0 * deviation, mean + 3.0 * deviation


def _origin(center: Array, at: Any, names: Sequence[str] | None) -> Array:
    """Values of all columns where the map does not vary them."""
    if at is None:
        return center
    if isinstance(at, Mapping):
        origin = center.copy()
        for key, value in at.items():
            origin[_position(key, names, len(center))] = value
    else:
        origin = np.asarray(at, dtype=np.float64)
    if origin.shape != center.shape or not np.isfinite(origin).all():
        raise ValueError(
            f"at={at!r} is not a row of {len(center)} finite numbers; give a value for each column."
        )
    return origin


def _position(key: Any, names: Sequence[str] | None, width: int) -> int:
    if isinstance(key, str):
        if names is None or key not in names:
            raise ValueError(f"There is no column {key!r}; the columns are {names or f'0 to {width - 1}'}.")
        return names.index(key)
    if isinstance(key, bool) or not isinstance(key, int | np.integer) or not 0 <= key < width:
        raise ValueError(f"{key!r} is not a column; give a position from 0 to {width - 1}, or a name.")
    return int(key)


def _directions(
    features: Any, names: Sequence[str] | None, width: int
) -> tuple[Array, tuple[str, str], tuple[int, int] | None]:
    """The two directions (2, D), titles of the axes, and the two columns if that is what they are."""
    if len(features) != 2:
        raise ValueError(f"features={features!r} is not allowed; give two columns, or two directions.")
    if all(isinstance(one, str) or np.ndim(one) == 0 for one in features):
        first, second = (_position(one, names, width) for one in features)
        if first == second:
            raise ValueError(f"features={features!r} names the same column twice; give two columns.")
        titles = tuple(f"column {j}" if names is None else names[j] for j in (first, second))
        return np.eye(width)[[first, second]], (titles[0], titles[1]), (first, second)
    found = np.asarray(features, dtype=np.float64)
    if found.shape != (2, width) or np.linalg.matrix_rank(found) < 2:
        raise ValueError(
            f"features has shape {found.shape}; give two different directions of {width} numbers, or two columns."
        )
    return found, ("direction 1", "direction 2"), None


def _axis(low: float, high: float, resolution: int) -> Array:
    air = AIR * (high - low) if high > low else max(abs(low), 1.0) * AIR
    return np.linspace(low - air, high + air, resolution)


def _along(
    X: Any, directions: Array, origin: Array, ends: tuple[Array, Array], resolution: int
) -> tuple[Array, Array]:
    """How far the rows reach along two directions, as steps from the origin (least squares)."""
    rows = np.asarray(X, dtype=np.float64) if X is not None else np.stack(ends)
    steps = np.linalg.lstsq(directions.T, (rows - origin).T, rcond=None)[0]
    return tuple(_axis(float(one.min()), float(one.max()), resolution) for one in steps)  # type: ignore[return-value]


def asked(model: Any, X: Any, rows: Array) -> Callable[[str], Any]:
    """A function that calls a method of the model on the rows; None where the model has no such method."""
    given = _as_given(X, rows) if hasattr(model, "feature_names_in_") else rows

    def say(method: str) -> Any:
        if not hasattr(model, method):
            return None
        with warnings.catch_warnings():
            # An array for a model that was fitted to a frame: the columns are those of the model, in order.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            return np.asarray(getattr(model, method)(given))

    return say


def _as_given(X: Any, rows: Array) -> Any:
    package = type(X).__module__.partition(".")[0]
    if package == "pandas":
        return type(X)(rows, columns=X.columns)
    if package == "polars":
        return type(X)(rows, schema=X.columns)
    return rows
