r"""Least squares on 1-of-K targets: the class whose indicator is predicted highest.

    minimise  (1/N) Σ_n ½ |W x_n + w₀ - t_n|² + (l2 / 2) |W|²,    t_n the indicator of the class of row n

    W_k = (n_k/N) (μ_k - μ) (T/N + l2 I)⁻¹,    w₀_k = n_k/N - W_k μ

with T the total scatter: the solution for every penalty follows from moments. Simple and fast, but outliers
pull it and a class between two others is masked (Bishop, *Pattern Recognition and Machine Learning*, 4.1.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.card import ModelCard, Range
from assay.models.base.estimators import check_is_fitted
from assay.models.base.from_moments import LabelledRows, StatisticsClassifier
from assay.models.base.linear_boundary import LinearBoundaries
from assay.models.base.params import Param
from assay.models.base.validation import explain_rows, read_numbers
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.linalg import whiten
from assay.sharing.forms import Linear, ScoreForm
from assay.sharing.protocols import GramProblem
from assay.solvers.dual import LEAST_PENALTY, dual_scores, inner_products
from assay.solvers.ridge import rank_tolerance, ridge_path, solve_ridge
from assay.statistics import Form, Moments
from assay.statistics.solve_diagnostics import SolveDiagnostics, no_difficulties
from assay.statistics.variances import deviations, total_scatter
from assay.types import Array, Index

BLOCK = 1 << 21  # numbers in a block of intermediate arrays
# A row that decides its own prediction is refitted instead: the closed form has no digits left.
LEVERAGE = 1e-6
WIDER = 2  # features for each row from which on equations among the rows are cheaper, with all that surrounds them
ROOM = 4  # matrices of all rows that they need
LEAST_SQUARES = (
    Param(
        "l2",
        "float",
        0.0,
        "Penalty on the squared weights, l2/2 |W|^2, added to the mean squared error. The intercept is "
        "not penalised.",
        low=0.0,
    ),
)


class RidgePath(NamedTuple):
    """Solutions for L penalties, shaped as `coef_` and `intercept_` behind a first axis of length L."""

    l2: Array
    coef: Array
    intercept: Array


class LeastSquaresClassifier(StatisticsClassifier, LinearBoundaries):
    """Linear least squares on 1-of-K targets, with an optional ridge penalty.

    Attributes
    ----------
    classes_, class_count_, diagnostics_, statistics_
    coef_, intercept_
        (K, D) and (K,); with two classes one row, the second class less the first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LeastSquaresClassifier().fit(X, y)
    >>> int((model.predict(X) != y).sum())
    23
    >>> model.ridge_path([0.0, 0.1, 1.0]).coef.shape
    (3, 3, 4)
    """

    params: ClassVar[tuple[Param, ...]] = LEAST_SQUARES
    fills_sparse: ClassVar[bool] = True

    def __init__(self, l2: float = 0.0) -> None:
        self.l2 = l2

    @property
    def moments_form(self) -> Form:
        return "pooled"

    def _ridge_penalty(self) -> float | None:
        return self.l2 if self.l2 > 0 else None

    gram_parameters: ClassVar[tuple[str, ...]] = ("l2",)

    def gram_note(self, rows: int, width: int, memory: int) -> Note | None:
        """Equations among the rows are for penalties, and for tables wider than long."""
        self._check_params()
        if self.l2 == 0 or width < WIDER * rows:
            return Note("S000", type(self).__name__)
        size = ROOM * 8 * rows**2
        return None if size <= memory else Note("S010", values={"rows": rows, "gibibytes": size / 2**30})

    def keeps_digits(self, variance: float) -> bool:
        """Whether equations among rows of this total variance keep their digits."""
        return self.l2 > LEAST_PENALTY * variance

    def learns_kernel(self) -> bool:
        """Inner products are those of the rows, whichever are trained on."""
        return False

    def gram(self, X: Any, train: Index, weight: Array | None, some: Index | None, threads: int) -> Array:
        """Inner products of all rows, or of some."""
        read, names = read_numbers(X)
        rows = np.asarray(read)
        error = explain_rows(names, rows)
        if error is not None:
            raise error
        return inner_products(np.asarray(rows if some is None else rows[some], dtype=np.float64))

    def solve_gram(self, problem: GramProblem, models: Sequence[Any]) -> tuple[Array, NDArray[np.bool_]]:
        """Scores of the tested rows with every penalty, (L, P, K)."""
        penalties = np.array([model.l2 for model in models])
        targets = np.eye(problem.n_classes)[problem.codes]
        train = np.flatnonzero(problem.weight)
        scores = dual_scores(problem.gram, targets, problem.weight, train, problem.test, penalties)
        return scores, np.ones(len(penalties), dtype=bool)

    def solve_moments(self, m: Moments) -> Linear:
        problem = _equations(m)
        solved = [
            solve_ridge(total, target, scale, self.l2)
            for total, target, scale in zip(problem.total, problem.target, problem.scale, strict=True)
        ]
        weights = np.stack([part.weights for part in solved])
        rank = np.array([part.rank for part in solved])
        bias = np.where(m.weight > 0, problem.share, -np.inf)
        return Linear(problem.mean, weights, bias, trouble=_trouble(m, problem.scale, rank))

    def _keep(self, m: Moments, form: ScoreForm) -> None:
        self._keep_linear()

    def ridge_path(self, l2_values: ArrayLike) -> RidgePath:
        """Coefficients and intercepts for many penalties, from one eigendecomposition of the moments."""
        check_is_fitted(self)
        l2 = np.asarray(l2_values, dtype=np.float64)
        if l2.ndim != 1 or not (np.isfinite(l2) & (l2 >= 0)).all():
            raise ValueError(Note("M126", l2_values=l2_values))
        problem = _equations(self.statistics_.in_rows()[None])
        with single_threaded():
            coef = ridge_path(problem.total[0], problem.target[0], problem.scale[0], l2)
            intercept = np.where(self.class_count_ > 0, problem.share[0], -np.inf) - coef @ problem.mean[0]
        if len(self.classes_) == 2:
            coef, intercept = coef[:, 1:] - coef[:, :1], intercept[:, 1:] - intercept[:, :1]
        return RidgePath(l2, coef, intercept)

    def loo_moments(self, m: Moments, rows: LabelledRows) -> Array | None:
        r"""Scores of each row by the fit to the others: (ŷ - h t)/(1 - h).

        The others number N-1, so their penalty in sums is l2 (N-1); ŷ and the leverage
        h = 1/N + x̃ᵀ (T + l2 (N-1) I)⁻¹ x̃ belong to the fit of all rows under that penalty.
        """
        count = float(m.weight.sum())
        if rows.weight is not None or count < 3:
            return None
        problem = _equations(m[None])
        penalty = self.l2 * (count - 1.0) / count  # of the covariance, whose sums have N rows
        system = problem.total[0] + penalty * np.eye(m.n_features)
        scale = np.where(problem.scale[0] > 0, np.sqrt(problem.scale[0] ** 2 + penalty), 0.0)
        white = whiten(system, scale, rank_tolerance(m.n_features))
        if white.floored:
            return None
        slopes = problem.target[0] @ white.whitener
        block = max(1, BLOCK // max(1, m.n_features))
        out = np.empty((len(rows.codes), m.n_classes))
        for start in range(0, len(out), block):
            part = slice(start, start + block)
            z = (rows.X[part] - problem.mean[0]) @ white.whitener
            left_out = 1.0 - 1.0 / count - (z**2).sum(axis=1) / count
            fitted = problem.share[0] + z @ slopes.T
            fitted[np.arange(len(z)), rows.codes[part]] -= 1.0 - left_out
            out[part] = fitted / np.where(left_out > LEVERAGE, left_out, np.nan)[:, None]
        out[:, m.weight == 0] = -np.inf
        out[m.rows[rows.codes] < 2] = np.nan
        return out


class _Equations(NamedTuple):
    """Normal equations of G groups: W (total + l2 I) = target about the mean."""

    mean: Array  # (G, D)
    total: Array  # (G, D, D) covariance, divisor N
    target: Array  # (G, K, D) covariance of the features with each indicator
    share: Array  # (G, K) mean of each indicator
    scale: Array  # (G, D) deviations, 0 for constant features


def _equations(m: Moments) -> _Equations:
    count = m.weight.sum(axis=-1)
    center, offset, away = m.overall()
    share = m.weight / count[:, None]
    total = total_scatter(m) / count[:, None, None]
    return _Equations(center + offset, total, share[..., None] * away, share, deviations(m))


def _trouble(m: Moments, scale: Array, rank: NDArray[np.intp]) -> SolveDiagnostics:
    clean = no_difficulties(*m.center.shape)
    constant = scale == 0
    short = bool((rank < (~constant).sum(axis=-1)).any())
    return SolveDiagnostics(m.weight == 0, clean.borrowed, clean.floored, constant, rank if short else None)


CARDS = (
    ModelCard(
        name="least_squares",
        title="Least squares (ridge)",
        estimator=LeastSquaresClassifier,
        family="linear",
        parameters=LEAST_SQUARES,
        encoding="onehot-reference",
        capabilities=frozenset({"statistics", "contributions"}),
        reading="sum over columns",
        interpretability="A weighted sum of the columns per class; no probabilities.",
        tuning=(Range("l2", (1.0, 0.1, 0.01, 1e-3, 0.0)),),
        scaled=True,
    ),
)
