r"""Where a classifier decides what: a map of classes and posteriors over a plane through the space of the columns.

    x(a, b) = origin + a e₁ + b e₂,    two columns, or two directions; the other columns stay at their means

For a linear model the boundary between classes k and j is the line (w_k - w_j)ᵀx(a, b) + (w_k0 - w_j0) = 0; of it
the part counts where no third class scores higher.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import check_is_fitted
from assay.models.inspection.plane import Axes, FixedAt, Grid, asked, grid_of
from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.types import Array, Label, Labels, MatrixLike, RowClassifier


@dataclass(frozen=True, eq=False)
class Line:
    """The boundary between two classes: normal · (a, b) + constant = 0, positive on the side of the second.

    ends : (2, 2)
        Where it enters and leaves the part of the map that it bounds.
    """

    classes: tuple[Label, Label]
    normal: Array
    constant: float
    ends: Array


@dataclass(frozen=True, eq=False)
class RegionMap:
    """A map of decisions.

    Attributes
    ----------
    x, y : (R,)
        Coordinates of the grid: values of two columns, or steps along two directions.
    codes : (R, R)
        Position in `classes` of what is predicted; ``codes[i, j]`` belongs to ``x[j], y[i]``.
    classes : array (K,)
    posterior : (R, R, K) or None
        Of a model that has one.
    scores : (R, R) or (R, R, K) or None
        The decision function of a model that has one.
    lines : tuple of Line
        Boundaries of a linear model that are seen on the map; empty for any other model.
    names : pair of str
        What the axes are.
    origin : (D,), directions : (2, D)
        The plane: the row at (a, b) is ``origin + a * directions[0] + b * directions[1]``.
    """

    x: Array
    y: Array
    codes: NDArray[np.intp]
    classes: Labels
    posterior: Array | None
    scores: Array | None
    lines: tuple[Line, ...]
    names: tuple[str, str]
    origin: Array
    directions: Array

    def rows(self) -> Array:
        """The rows of the grid, (R * R, D)."""
        return Grid(self.x, self.y, self.names, self.origin, self.directions).rows()


def region_map(
    model: RowClassifier,
    X: MatrixLike | None = None,
    features: Axes = (0, 1),
    at: FixedAt = None,
    resolution: int = 200,
) -> RegionMap:
    """Classes, posteriors and boundaries of a fitted classifier over a plane.

    Models of counts and categories are evaluated at the nearest valid row: counts are not negative, categories known.

    Parameters
    ----------
    model : fitted classifier
        Model of Assay or scikit-learn, or a pipeline, that takes rows of numbers.
    X : array, frame or sparse matrix (N, D), optional
        Rows that determine the range of the map and the values of the other columns. Not needed for a model that
        keeps the moments of its rows (`statistics_`).
    features : pair
        Two columns, by position or name; or two directions, each (D,).
    at : array (D,) or mapping, optional
        Values of the other columns instead of their means; a mapping gives only some of them.
    resolution : int
        Number of points along each axis.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> drawn = region_map(GaussianClassifier("shared").fit(X, y), X, features=(2, 3), resolution=50)
    >>> drawn.codes.shape, drawn.posterior.shape
    ((50, 50), (50, 50, 3))
    >>> [line.classes for line in drawn.lines]
    [(0, 1), (1, 2)]
    """
    check_is_fitted(model)
    if not is_whole(resolution, 2):
        raise ValueError(Note("M123", resolution=resolution))
    grid = grid_of(model, X, features, at, int(resolution))
    return _filled(model, X, grid)


def _filled(model: RowClassifier, X: MatrixLike | None, grid: Grid) -> RegionMap:
    """Everything the model says of the grid."""
    shape = (len(grid.y), len(grid.x))
    say = asked(model, X, grid)
    classes = np.asarray(model.classes_)
    codes = np.searchsorted(classes, np.asarray(say("predict")))
    posterior, scores = say("predict_proba"), say("decision_function")
    return RegionMap(
        grid.x,
        grid.y,
        codes.reshape(shape),
        classes,
        None if posterior is None else posterior.reshape(*shape, -1),
        None if scores is None else scores.reshape(shape if scores.ndim == 1 else (*shape, -1)),
        _lines(model, grid, classes, codes),
        grid.names,
        grid.origin,
        grid.directions,
    )


def _lines(model: RowClassifier, grid: Grid, classes: Labels, codes: NDArray[np.intp]) -> tuple[Line, ...]:
    """Boundaries of a model whose `coef_` and `intercept_` say what it predicts."""
    labels = classes.tolist()
    coef, constant = getattr(model, "coef_", None), getattr(model, "intercept_", None)
    if coef is None or np.ndim(coef) != 2 or np.shape(coef)[1] != len(grid.origin):
        return ()
    W, w0 = np.asarray(coef, dtype=np.float64), np.broadcast_to(np.asarray(constant, np.float64), len(coef))
    if len(W) == 1:
        W, w0 = np.concatenate([-0.5 * W, 0.5 * W]), np.concatenate([-0.5 * w0, 0.5 * w0])
    if len(W) != len(classes):
        return ()
    flat, level = W @ grid.directions.T, W @ grid.origin + w0
    decided = (grid.points() @ flat.T + level).argmax(axis=1)
    if (decided != codes).mean() > 1e-3:  # rows of coef_ that mean something else, as of pairs of classes
        return ()
    seen = ((k, j, _ends(grid, flat, level, k, j)) for k, j in combinations(range(len(W)), 2))
    return tuple(
        Line((labels[k], labels[j]), flat[j] - flat[k], float(level[j] - level[k]), ends)
        for k, j, ends in seen
        if ends is not None
    )


def _ends(grid: Grid, flat: Array, level: Array, k: int, j: int) -> Array | None:
    """The part of the line between two classes that is on the map and where no other class scores higher."""
    normal, constant = flat[j] - flat[k], float(level[j] - level[k])
    length = float(np.linalg.norm(normal))
    if not np.isfinite(constant) or length == 0:
        return None
    foot, along = -constant * normal / length**2, np.array([-normal[1], normal[0]]) / length
    limits = [
        (1.0, 0.0, -grid.x[0]),
        (-1.0, 0.0, grid.x[-1]),
        (0.0, 1.0, -grid.y[0]),
        (0.0, -1.0, grid.y[-1]),
    ]
    third = [m for m in range(len(level)) if m not in (k, j) and np.isfinite(level[m])]
    limits += [(*(flat[k] - flat[m]), level[k] - level[m]) for m in third]
    low, high = -np.inf, np.inf
    for p, q, r in limits:  # p a + q b + r ≥ 0 along foot + t along
        slope, value = p * along[0] + q * along[1], p * foot[0] + q * foot[1] + r
        if slope == 0:
            if value < 0:
                return None
            continue
        low, high = (max(low, -value / slope), high) if slope > 0 else (low, min(high, -value / slope))
    if low >= high:
        return None
    return np.stack([foot + low * along, foot + high * along])
