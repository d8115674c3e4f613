"""What projections share: rows onto directions, in blocks; signs that do not depend on the solver."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import ClassNamePrefixFeaturesOutMixin, Transformer, check_is_fitted
from assay.models.base.validation import check_rows, explain_rows, feature_names
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.types import Array, MatrixLike

BLOCK = 1 << 20  # numbers in a block of centred rows


class Projection(ClassNamePrefixFeaturesOutMixin, Transformer):
    """A transformer x ↦ (x - center) A whose A is learned; each fold learns its own."""

    n_features_in_: int
    mixes_features: ClassVar[bool] = True  # the map of a fold is a dense matrix
    needs_extremes: ClassVar[bool] = False

    def _projection(self) -> tuple[Array, Array]:
        """Center (D,) and matrix A (D, E)."""
        raise NotImplementedError

    @property
    def _n_features_out(self) -> int:
        return int(self._projection()[1].shape[1])

    def transform(self, X: MatrixLike) -> Array:
        """Coordinates of the rows along the directions, (N, E)."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        out = _project(rows, *self._projection())
        if not np.isfinite(out).all():
            raise explain_rows(feature_names(self), rows) or ValueError(Note("M179"))
        return out


def _project(rows: NDArray[np.floating], center: Array, matrix: Array) -> Array:
    """(rows - center) matrix without a centred copy of the whole table."""
    out = np.empty((rows.shape[0], matrix.shape[1]))
    step = max(1, BLOCK // max(1, rows.shape[1]))
    with single_threaded(), np.errstate(invalid="ignore", over="ignore"):
        for start in range(0, len(out), step):
            part = slice(start, start + step)
            np.matmul(rows[part] - center, matrix, out=out[part])
    return out


def fix_signs(vectors: Array, scale: Array | None = None) -> Array:
    """The columns of `vectors`, each turned so that its largest loading (in units of `scale`) is positive.

    Among loadings that are equal up to rounding the first decides: a tie must not flip with the last bit.
    """
    size = np.abs(vectors) if scale is None else np.abs(vectors) * scale[:, None]
    first = np.argmax(size >= (1.0 - 1e-8) * size.max(axis=0), axis=0)
    picked = np.take_along_axis(vectors, first[None, :], axis=0)[0]
    return np.asarray(vectors * np.where(picked < 0, -1.0, 1.0))


def widened(columns: Array, width: int) -> Array:
    """The first `width` columns; zeros where there are fewer, which every model leaves out as constant."""
    out = np.zeros((columns.shape[0], width))
    n_filled = min(width, columns.shape[1])
    out[:, :n_filled] = columns[:, :n_filled]
    return out
