r"""Leave-one-out of logistic regression, approximately: one fit, then one Newton step for each row that is left out.

Without row i the sum of the losses lacks its term, and the penalty in sums is l2 (N - s_i). At weights fitted to all
rows under the penalty l2 (N - s̄), s̄ the mean weight of a row, the step has a closed form. With A the second
derivatives in sums, R_i = p_i - t_i the residual, V_i = diag(p_i) - p_i p_iᵀ and G_i = z_iᵀ A⁻¹ z_i (K by K),

    scores without i  =  scores + (I - s_i G_i V_i)⁻¹ s_i G_i R_i;    two classes: f + s h r / (1 - s p (1 - p) h)

Exact for squared error; here it leaves out what one step leaves out, least where single rows matter little. Under l1
the weights that are 0 stay 0. Balanced class weights and the scaling of columns stay those of all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg.lapack import dpotri

from assay.engines.local import thread_count
from assay.models.base.class_weight import weighted
from assay.models.base.path_classifier import PathClassifier, passes_of, standardised
from assay.models.base.validation import TrainingData, check_training, check_two_classes
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.forms import posteriors
from assay.sharing.path.standard import ColumnScaling
from assay.solvers.divergence import SEPARATED
from assay.solvers.logistic_objective import LogisticObjective, cholesky
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.types import Array, MatrixLike, RowWeights

MOST_UNKNOWNS = 1000
ROWS = 1024
LEVERAGE = 1e-9  # share that is left of a row's own curvature without it


def approximate_leave_one_out(
    model: Any, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None
) -> Array:
    """Posteriors (N, K) of each row by the model of the other rows, approximately; NaN for the only row of a class.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression(0.001)
    >>> left_out = model.approximate_leave_one_out(X, y)
    >>> int((left_out.argmax(axis=1) != y).sum()), int((model.fit(X, y).predict(X) != y).sum())
    (4, 2)
    """
    data = weighted(check_training(model, X, y, sample_weight), model.class_weight)
    check_two_classes(data)
    unknowns = (1 if data.n_classes == 2 else data.n_classes) * (data.X.shape[1] + 1)
    if unknowns > MOST_UNKNOWNS:
        raise ValueError(Note("M124", unknowns=unknowns, most_unknowns=MOST_UNKNOWNS))
    with single_threaded():
        standard = standardised(data)
        with passes_of(standard, data) as passes:
            step = _step(model, data, standard, passes)
            starts = range(0, len(data.codes), ROWS)
            scores: Array = np.vstack(passes.map(lambda first: step.scores(passes, data, first), starts))
    alone = np.bincount(data.codes[_counted(data)], minlength=data.n_classes)[data.codes] < 2
    scores[alone & _counted(data)] = 0.0
    out = _posteriors(scores)
    out[alone & _counted(data)] = np.nan
    return out


@dataclass(frozen=True)
class _NewtonStep:
    """What the step of every row needs."""

    B: Array  # (C, P+1)
    inverse: Array  # A⁻¹, (C, P+1, C, P+1)
    pull: Array  # A⁻¹ times the gradient of the penalty for one unit of weight, (C, P+1)
    mean: float  # s̄

    def scores(self, passes: Passes, data: TrainingData, first: int) -> Array:
        """Scores without themselves of some rows, (rows, C)."""
        which = np.arange(first, min(first + ROWS, len(data.codes)), dtype=np.int64)
        Z = passes.rows.block(which).dense()
        weight = np.ones(len(Z)) if data.weight is None else data.weight[which]
        scores = Z @ self.B.T
        classes = len(self.B)
        p = _posteriors(scores)[:, -classes:]
        target = np.arange(2 - classes if classes == 1 else 0, max(classes, 2)) == data.codes[which][:, None]
        V = p[:, :, None] * (np.eye(classes) - p[:, None, :])
        G = np.empty((len(Z), classes, classes))
        for k in range(classes):
            for j in range(k, classes):
                G[:, k, j] = G[:, j, k] = ((Z @ self.inverse[k, :, j, :]) * Z).sum(axis=1)
        G *= weight[:, None, None]
        moved = (G @ (p - target)[:, :, None])[..., 0] + (weight - self.mean)[:, None] * (Z @ self.pull.T)
        left = np.eye(classes) - G @ V
        bad = np.abs(np.linalg.det(left)) < LEVERAGE
        left[bad] = np.eye(classes)
        return np.asarray(scores + np.linalg.solve(left, moved[..., None])[..., 0])


def _step(model: PathClassifier, data: TrainingData, standard: ColumnScaling, passes: Passes) -> _NewtonStep:
    part = standard.one_part()
    weight = np.ones(len(data.codes)) if data.weight is None else data.weight
    total, mean = float(weight.sum()), float(weight[weight > 0].mean())
    less = (total - mean) / total
    penalties = [np.array([value * less]) for value in model._penalties()]
    solution = model.solve_parts(passes, part, data.n_classes, *penalties)
    l2, B = float(penalties[0][0]), solution.B[0, 0]
    if solution.separated is not None and solution.separated[0, 0]:
        part, l2 = Parts(part.copies, np.ones(part.penalty.shape), part.active), SEPARATED
    sharp = any(value[0] > 0 for value in penalties[1:])
    inverse = _inverse(LogisticObjective(passes, data.n_classes), part, B, l2, sharp) / total
    # The gradient of the penalty is -(that of the loss) at the solution, less l1's part at the weights that are 0.
    slope = np.zeros(B.shape)
    slope[:, :-1] = l2 / less * part.penalty[0] * B[:, :-1]
    if sharp:
        slope[:, :-1] += float(penalties[1][0]) / less * np.sqrt(part.penalty[0]) * np.sign(B[:, :-1])
    pull = np.tensordot(inverse, slope, axes=2)
    return _NewtonStep(B, inverse, pull, mean)


def _inverse(problem: LogisticObjective, part: Parts, B: Array, l2: float, sharp: bool) -> Array:
    """Inverse of the second derivatives of the mean; weights that l1 holds at 0 do not move."""
    hessian = problem.curvature(part, problem.passes.fold_grams(B).sum(axis=0))
    classes, width = B.shape
    if classes > 1:
        # The same for all classes changes no score difference; under l1 that holds for the intercepts alone.
        pinned = np.array([width - 1]) if sharp else np.arange(width)
        pin = np.einsum("kjkj->j", hessian)[pinned] / classes
        hessian[:, pinned, :, pinned] += pin[:, None, None]
    matrix = hessian.reshape(classes * width, -1)
    diagonal = np.einsum("ii->i", matrix)
    diagonal += np.tile(np.append(l2 * part.penalty[0], 0.0), classes)
    moves = problem.mask(part)[0]
    if sharp:
        moves = moves & ((B != 0) | (np.arange(width) == width - 1))
    fixed = ~moves.ravel()
    matrix[fixed], matrix[:, fixed] = 0.0, 0.0
    diagonal[fixed] = 1.0
    lower, _ = dpotri(cholesky(matrix), lower=1)
    inverse = np.tril(lower) + np.tril(lower, -1).T
    np.einsum("ii->i", inverse)[fixed] = 0.0
    return np.asarray(inverse.reshape(classes, width, classes, width))


def _counted(data: TrainingData) -> NDArray[np.bool_]:
    return np.ones(len(data.codes), dtype=bool) if data.weight is None else data.weight > 0


def _posteriors(scores: Array) -> Array:
    """(N, K) from scores of every class, or of the second against the first."""
    full = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
    shifted = full - full.max(axis=1, keepdims=True)
    return posteriors(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), threads=thread_count())
