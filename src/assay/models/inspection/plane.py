"""A grid on a plane through the space of the columns, and a model asked about its rows.

Rows are put in the form the model was fitted to: frames get frames, arrays arrays. A model that cannot read every row
of numbers (counts are not negative, levels are those it knows) is asked about the nearest row that it can read.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.estimators import Model, parts_of, tags_of
from assay.models.base.sparse import is_sparse
from assay.models.base.validation import check_rows, check_sparse, explain_rows, feature_names
from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.statistics import Moments
from assay.types import Array, CompressedRows, Estimator, Floats, MatrixLike

AIR = 0.08  # beyond the rows on each side, as a share of their range
BLOCK = 1 << 22  # numbers in the rows that a model is asked about at a time

# Two columns, by name or number, or two directions, and the values of all other columns: of some by name, or all.
Axes: TypeAlias = Sequence[ArrayLike] | Array
FixedAt: TypeAlias = Mapping[Any, float] | ArrayLike | None


class PlaneRows(Model):
    """What remembers the width and the names of the columns while they are checked."""

    sparse_ok = True


class Grid(NamedTuple):
    """Points origin + a e₁ + b e₂ for all a in x, b in y."""

    x: Array
    y: Array
    names: tuple[str, str]
    origin: Array
    directions: Array  # (2, D)

    def points(self) -> Array:
        """All steps (a, b), (R * R, 2), a running fastest."""
        a, b = np.meshgrid(self.x, self.y)
        return np.stack([a.ravel(), b.ravel()], axis=1)

    def rows(self) -> Array:
        """The rows at all points, (R * R, D)."""
        return self.rows_at(self.points())

    def rows_at(self, points: Array) -> Array:
        """The rows at some points (N, 2), (N, D)."""
        return np.asarray(self.origin + points @ self.directions)


def grid_of(model: Estimator, X: MatrixLike | None, features: Axes, at: FixedAt, resolution: int) -> Grid:
    """The grid over two columns or two directions, as far as the rows reach."""
    names = getattr(X, "columns", feature_names(model))
    names = None if names is None else [str(name) for name in names]
    center, low, high = _extent(model, X)
    origin = _origin(center, at, names)
    directions, titles, columns = _directions(features, names, len(center))
    if columns is None:
        x, y = _along(X, directions, origin, (low, high), resolution)
        return Grid(x, y, titles, origin, directions)
    origin = np.where(directions.any(axis=0), 0.0, origin)
    least = 0.0 if counts_only(model) else -np.inf
    x, y = (_axis(low[j], high[j], resolution, least) for j in columns)
    return Grid(x, y, titles, origin, directions)


def _extent(model: Estimator, X: MatrixLike | None) -> tuple[Array, Array, Array]:
    """Mean, least and largest value of each column; three deviations from the mean where only moments are known."""
    if X is not None:
        keeper = PlaneRows()
        rows, names = check_rows(keeper, X, reset=True), feature_names(keeper)
        if is_sparse(rows):
            check_sparse(rows, names)
        elif (error := explain_rows(names, rows)) is not None:
            raise error
        width = getattr(model, "n_features_in_", rows.shape[1])
        if rows.shape[1] != width:
            raise ValueError(Note("M120", shape=rows.shape[1], width=width))
        return _dense(rows.mean(axis=0)), _dense(rows.min(axis=0)), _dense(rows.max(axis=0))
    m = getattr(model, "statistics_", None)
    if not isinstance(m, Moments):
        raise ValueError(Note("M115", kind=type(model).__name__))
    center, offset, away = m.overall()
    mean, n = center + offset, m.weight.sum()
    inside = m.within_diagonal() if m.form == "pooled" else m.class_diagonal().sum(axis=0)
    deviation = np.sqrt((inside + (m.weight[:, None] * away**2).sum(axis=0)) / n)
    return mean, mean - 3.0 * deviation, mean + 3.0 * deviation


def _dense(values: Floats | CompressedRows) -> Array:
    """One number per column; sparse rows give theirs as a sparse row or a matrix."""
    full = values.toarray() if is_sparse(values) or hasattr(values, "toarray") else values
    return np.asarray(full, dtype=np.float64).ravel()


def _origin(center: Array, at: FixedAt, names: Sequence[str] | None) -> Array:
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
        raise ValueError(Note("M116", at=at, n_center=len(center)))
    return origin


def _position(key: object, names: Sequence[str] | None, width: int) -> int:
    if isinstance(key, str):
        if names is None:
            raise ValueError(Note("M704", key=key, last=width - 1))
        if key not in names:
            raise ValueError(Note("M121", key=key, columns=list(names)))
        return names.index(key)
    if not is_whole(key, 0) or key >= width:
        raise ValueError(Note("M117", key=key, last=width - 1))
    return int(key)


def _directions(
    features: Axes, names: Sequence[str] | None, width: int
) -> tuple[Array, tuple[str, str], tuple[int, int] | None]:
    """The two directions (2, D), titles of the axes, and the two columns if that is what they are."""
    if len(features) != 2:
        raise ValueError(Note("M118", features=features))
    if all(isinstance(one, str) or np.ndim(one) == 0 for one in features):
        first, second = (_position(one, names, width) for one in features)
        if first == second:
            raise ValueError(Note("M122", features=features))
        titles = tuple(f"column {j}" if names is None else names[j] for j in (first, second))
        return np.eye(width)[[first, second]], (titles[0], titles[1]), (first, second)
    directions = np.asarray(features, dtype=np.float64)
    if directions.shape != (2, width) or np.linalg.matrix_rank(directions) < 2:
        raise ValueError(Note("M119", shape=directions.shape, width=width))
    return directions, ("direction 1", "direction 2"), None


def _axis(low: float, high: float, resolution: int, least: float = -np.inf) -> Array:
    air = AIR * (high - low) if high > low else max(abs(low), 1.0) * AIR
    return np.linspace(max(low - air, least), high + air, resolution)


def _along(
    X: MatrixLike | None, directions: Array, origin: Array, ends: tuple[Array, Array], resolution: int
) -> tuple[Array, Array]:
    """How far the rows reach along two directions, as steps from the origin (least squares)."""
    rows = np.stack(ends) if X is None else X if is_sparse(X) else np.asarray(X, dtype=np.float64)
    back = np.linalg.pinv(directions)
    a, b = np.asarray(rows @ back - origin @ back).T
    return tuple(_axis(float(one.min()), float(one.max()), resolution) for one in (a, b))  # type: ignore[return-value]


def counts_only(model: object) -> bool:
    """Whether a model, or a step before it, takes no value below 0."""
    parts = [model, *(part for _, part in parts_of(model))]
    return any(tags.input_tags.positive_only for tags in map(tags_of, parts) if tags is not None)


def readable(model: object, rows: Array) -> Array:
    """The nearest rows of numbers that the model can read."""
    if hasattr(model, "_nearest_rows"):
        return np.asarray(model._nearest_rows(rows))
    return np.maximum(rows, 0.0) if counts_only(model) else rows


def asked(model: object, X: MatrixLike | None, grid: Grid) -> Callable[[str], Any]:
    """A function that calls a method of the model on the grid's rows; None where the model has no such method."""
    points, framed = grid.points(), feature_names(model) is not None
    block = max(1, BLOCK // grid.directions.shape[1])

    def say(method: str) -> Any:
        if not hasattr(model, method):
            return None
        answers = []
        with warnings.catch_warnings():
            # An array for a model that was fitted to a frame: the columns are those of the model, in order.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            for start in range(0, len(points), block):
                rows = readable(model, grid.rows_at(points[start : start + block]))
                answers.append(np.asarray(getattr(model, method)(_as_given(X, rows) if framed else rows)))
        return np.concatenate(answers)

    return say


def _as_given(X: Any, rows: Array) -> Any:
    package = type(X).__module__.partition(".")[0]
    if package == "pandas":
        return type(X)(rows, columns=X.columns)
    if package == "polars":
        return type(X)(rows, schema=X.columns)
    return rows
