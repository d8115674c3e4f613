r"""Principal components: orthogonal directions of largest variance.

    T v = λ v,    T = Σ w (x - mean)(x - mean)ᵀ,    variance along v = λ / (N - 1)

All of it follows from moments; with fewer rows than features from the inner products of the rows instead, whose
eigenvectors u give v = Xᵀu/√λ. Directions depend on units: standardise columns of different kinds first (Jolliffe,
*Principal Component Analysis*).
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh

from assay.models.base.estimators import check_is_fitted
from assay.models.base.from_moments import UnlabelledModel, check_weight_above
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import (
    check_rows,
    check_squares,
    check_weight,
    explain_rows,
    feature_names,
    unequal_deviations,
    unequal_scales,
)
from assay.models.projection.base import Projection, fix_signs, widened
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.statistics import AffineMap, Moments
from assay.statistics.variances import deviations, total_scatter
from assay.statistics.weights import in_rows
from assay.types import Array, MatrixLike, RowWeights

LEADING = "M308"  # the note about columns that lead the components


class PCA(Projection, UnlabelledModel):
    """Principal component analysis.

    Attributes
    ----------
    components_ : (E, D)
        Directions of unit length, the largest absolute loading of each positive; zero where the rows span fewer.
    explained_variance_, explained_variance_ratio_, singular_values_ : (E,)
        Variance along each direction (divisor N - 1), its proportion of the total, and √((N - 1) variance).
    mean_ : (D,)
    n_components_, n_samples_, diagnostics_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> pca = PCA(n_components=2).fit(X)
    >>> pca.explained_variance_ratio_.round(4).tolist()
    [0.9246, 0.0531]
    >>> pca.transform(X).shape
    (150, 2)
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "n_components",
            "int",
            None,
            "Number of directions to keep; None keeps every direction along which the rows vary.",
            low=1,
            optional=True,
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (  # of a fit to fewer rows than columns, which has no moments
        *INPUT,
        Field("mean_", "numbers", ("D",)),
        Field("components_", "numbers", ("E", "D")),
        Field("explained_variance_", "amounts", ("E",)),
        Field("explained_variance_ratio_", "amounts", ("E",)),
        Field("singular_values_", "amounts", ("E",)),
        Field("n_components_", "count"),
        Field("n_samples_", "number"),
        NOTES,
    )

    solves_among_rows: ClassVar[bool] = True  # with fewer rows than features a fit needs no moments

    def __init__(self, n_components: int | None = None) -> None:
        self.n_components = n_components

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Fit from one pass over the rows; y is ignored.

        Parameters
        ----------
        X : array (N, D)
        sample_weight : array (N,), optional
        """
        self._check_params()
        rows = check_rows(self, X, reset=True)
        weight = check_weight(sample_weight, rows.shape[0])
        if 2 <= rows.shape[0] < rows.shape[1]:
            return self._fit_dual(rows, in_rows(weight))
        return self._take(self._collect(rows, weight))

    def _learn(self, m: Moments) -> None:
        total = total_scatter(m)
        values, directions = principal(total)
        self._keep(m.mean[0], values, directions, float(m.weight[0]), float(np.trace(total)))
        self.diagnostics_ += unequal_deviations(deviations(m[None])[0], feature_names(self), LEADING)

    def _fit_dual(self, rows: NDArray[np.floating], weight: Array | None) -> Self:
        """Fewer rows than features: the Gram matrix of the rows is the smaller one."""
        w = np.ones(rows.shape[0]) if weight is None else weight
        count = float(w.sum())
        check_weight_above(self._lost_freedom(), self, rows.shape[0], count)
        with single_threaded(), np.errstate(invalid="ignore", over="ignore"):
            pilot = rows[int(np.argmax(w))].astype(np.float64)
            mean = pilot + (w / count) @ (rows - pilot)
            centered = np.sqrt(w)[:, None] * (rows - mean)
            gram = centered @ centered.T
            if not np.isfinite(gram).all():
                raise explain_rows(feature_names(self), rows) or ValueError(Note("M183"))
            squares = np.einsum("nd,nd->d", centered, centered)
            check_squares(np.full(len(mean), count), squares, rows, feature_names(self))
            values, directions = principal_dual(centered, gram)
        self.__dict__.pop("statistics_", None)
        self._keep(mean, values, directions, count, float(np.trace(gram)))
        self.diagnostics_ += unequal_scales(rows, feature_names(self), LEADING)
        return self

    def _keep(self, mean: Array, values: Array, directions: Array, count: float, total: float) -> None:
        """Fitted attributes from eigenvalues of the scatter, largest first, and unit directions (D, rank)."""
        rank, width = len(values), len(mean)
        n_components = self._width(max(rank, 1), width)
        self.mean_, self.n_samples_, self.n_components_ = mean, count, n_components
        self.components_ = widened(directions, n_components).T.copy()
        squares = widened(values[None, :], n_components)[0]
        self.singular_values_ = np.sqrt(squares)
        self.explained_variance_ = squares / (count - 1.0)
        self.explained_variance_ratio_ = squares / total if total > 0 else squares
        self.diagnostics_ = ()
        if rank < (width if self.n_components is None else n_components):
            code = "M317" if self.n_components is None and rank else "M318"
            self.diagnostics_ = (Note(code, rank=rank, n_columns=width),)

    def _width(self, rank: int, width: int) -> int:
        if self.n_components is None:
            return rank
        if self.n_components > width:
            raise ValueError(Note("M181", n_components=self.n_components, width=width))
        return int(self.n_components)

    def _projection(self) -> tuple[Array, Array]:
        return self.mean_, self.components_.T

    def inverse_transform(self, X: MatrixLike) -> Array:
        """Rows of the original space nearest to the data with these coordinates."""
        check_is_fitted(self)
        coordinates = np.asarray(X, dtype=np.float64)
        if coordinates.ndim != 2 or coordinates.shape[1] != self.n_components_:
            raise ValueError(Note("M182", shape=coordinates.shape, n_components=self.n_components_))
        return np.asarray(coordinates @ self.components_ + self.mean_)

    def fold_map(self, m: Moments) -> AffineMap:
        """The projection that each group's training moments give, labels disregarded."""
        center, offset, _ = m.overall()
        directions = [principal(total)[1] for total in total_scatter(m)]
        width = self._width(max(1, *(one.shape[1] for one in directions)), m.n_features)
        matrix = np.stack([widened(one, width) for one in directions])
        return AffineMap(center + offset, np.zeros((len(directions), width)), matrix=matrix)


def _is_variation(values: Array, width: int) -> NDArray[np.bool_]:
    """Eigenvalues (largest first) that are more than rounding of the largest."""
    least = max(width, 64) * np.finfo(np.float64).eps * values[0]
    return np.asarray((values > least) & (values > 0))


def principal(total: Array) -> tuple[Array, Array]:
    """Eigenvalues of a scatter matrix, largest first, and their directions (D, rank)."""
    values, vectors = eigh(total)
    values, vectors = values[::-1], vectors[:, ::-1]
    varying = _is_variation(values, len(total))
    return values[varying], fix_signs(vectors[:, varying])


def principal_dual(centered: Array, gram: Array) -> tuple[Array, Array]:
    """The same from centred rows (N, D), N < D, and their inner products."""
    values, vectors = eigh(gram)
    values, vectors = values[::-1], vectors[:, ::-1]
    varying = _is_variation(values, centered.shape[1])
    directions = centered.T @ (vectors[:, varying] / np.sqrt(values[varying]))
    # Small eigenvalues leave their directions a little oblique; QR straightens them, the largest first.
    straight, triangle = np.linalg.qr(directions)
    return values[varying], fix_signs(straight * np.where(np.diag(triangle) < 0, -1.0, 1.0))
