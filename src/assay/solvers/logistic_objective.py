r"""The objective of logistic regression for a stack of training parts, with its derivatives.

    (1/N_g) Σ_{n ∈ g} w_n loss(y_n, θ z_n) + (l2 / 2) Σ_j ρ_gj |θ_j|²

Sums over rows come from passes; here they become values, gradients and second derivatives by θ.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf

from assay.notes import Note
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.types import Array

LEAST_SCALE = 1e-8  # gradient of a model without features that later ones are measured by, at least
ABSENT = -1e4  # score of a class without rows: its posterior is 0


class LogisticObjective:
    """The problem that rows, classes and parts pose.

    Attributes
    ----------
    classes : int
        Scores a model has: one for two classes, else one a class.
    """

    def __init__(self, passes: Passes, n_classes: int) -> None:
        self.passes = passes
        self.classes = 1 if n_classes == 2 else n_classes
        self.pairs = list(combinations(range(self.classes), 2)) or [(0, 0)]
        self.class_weight = passes.class_weights(n_classes)
        self.fold_weight = self.class_weight.sum(axis=1)

    def weight(self, parts: Parts) -> Array:
        return np.asarray(parts.share @ self.fold_weight)

    def present(self, parts: Parts) -> NDArray[np.bool_]:
        """Classes with rows, (G, K)."""
        return np.asarray(parts.share @ self.class_weight > 0)

    def start(self, parts: Parts) -> Array:
        """The model without features: its posteriors are the class shares."""
        width = parts.penalty.shape[1] + 1
        theta = np.zeros((len(parts), self.classes, width))
        counts = parts.share @ self.class_weight
        with np.errstate(divide="ignore"):
            logs = np.log(counts / counts.sum(axis=1, keepdims=True))
        if self.classes == 1:
            theta[:, 0, -1] = logs[:, 1] - logs[:, 0]
        else:
            logs = np.where(counts > 0, logs, 0.0)
            mean = logs.sum(axis=1, keepdims=True) / (counts > 0).sum(axis=1, keepdims=True)
            theta[:, :, -1] = np.where(counts > 0, logs - mean, ABSENT)
        return theta

    def begun(self, parts: Parts, start: Array) -> Array:
        """Weights to begin with, (G, C, E+1), where they may move; elsewhere the model without features."""
        return self.balanced(parts, np.where(self.mask(parts), start, self.start(parts)))

    def mask(self, parts: Parts) -> NDArray[np.bool_]:
        """Entries of θ that may move, (G, C, E+1)."""
        active = np.append(parts.active, np.ones((len(parts.active), 1), dtype=bool), axis=1)
        present = self.present(parts) if self.classes > 1 else np.ones((len(active), 1), dtype=bool)
        return np.asarray(active[:, None, :] & present[:, :, None])

    def balanced(self, parts: Parts, theta: Array) -> Array:
        """The same posteriors by weights that sum to 0 over the classes that are there."""
        if self.classes == 1:
            return theta
        mask = self.mask(parts)
        mean = np.where(mask, theta, 0.0).sum(axis=1, keepdims=True)
        return np.asarray(theta - np.where(mask, mean / np.maximum(mask.sum(axis=1, keepdims=True), 1), 0.0))

    def gradient(self, parts: Parts, theta: Array, summed: Array, l2: float) -> Array:
        """Gradient of the objective by θ from sums over rows by B."""
        gradient = parts.from_columns(summed / self.weight(parts)[:, None, None])
        gradient[..., :-1] += l2 * parts.penalty[:, None, :] * theta[..., :-1]
        return np.where(self.mask(parts), gradient, 0.0)

    def value(self, parts: Parts, theta: Array, loss: Array, l2: float) -> Array:
        """The objective of each part; infinite where a step that is only tried overflows, so that it is not taken."""
        if l2 == 0.0:
            return np.asarray(loss / self.weight(parts))
        with np.errstate(over="ignore"):
            squares = (parts.penalty[:, None, :] * theta[..., :-1] ** 2).sum(axis=(1, 2))
        return np.asarray(loss / self.weight(parts) + 0.5 * l2 * squares)

    def curvature(self, part: Parts, grams: Array) -> Array:
        """Second derivatives of a single part's mean loss, (C, E+1, C, E+1), from sums (pairs, P+1, P+1)."""
        gram = grams / float(self.weight(part)[0])
        if part.maps is not None:
            gram = part.maps[0].T @ gram @ part.maps[0]
        width, classes = gram.shape[-1], self.classes
        hessian = np.zeros((classes, width, classes, width))
        for at, (k, other) in enumerate(self.pairs):
            hessian[k, :, k, :] += gram[at]
            if classes > 1:
                hessian[other, :, other, :] += gram[at]
                hessian[k, :, other, :] -= gram[at]
                hessian[other, :, k, :] -= gram[at]
        return hessian

    def hessian(self, part: Parts, grams: Array) -> Array:
        """Second derivatives of a single part as a matrix that can be inverted once it is penalised."""
        hessian = self.curvature(part, grams)
        classes, width = hessian.shape[:2]
        matrix = hessian.reshape(classes * width, classes * width)
        diagonal = np.einsum("ii->i", matrix)
        if classes > 1:
            # Adding the same to all classes changes nothing: pin that direction, at the size of the others.
            pin = diagonal.reshape(classes, width).mean(axis=0)
            columns = np.arange(width)
            hessian[:, columns, :, columns] += pin[:, None, None]
        fixed = ~self.mask(part)[0].ravel()
        matrix[fixed] = 0.0
        matrix[:, fixed] = 0.0
        diagonal[fixed] = 1.0
        return matrix

    def factor(self, part: Parts, grams: Array) -> Array:
        """Cholesky factor of the second derivatives of a single part without a penalty."""
        return cholesky(self.hessian(part, grams))

    def scale(self, parts: Parts) -> Array:
        """Largest gradient entry of each part without features: what later ones are measured by."""
        theta = self.start(parts)
        summed, _ = self.passes.gradients(parts.to_columns(theta), parts.share, exact=False)
        largest = np.abs(self.gradient(parts, theta, summed, 0.0)).max(axis=(1, 2))
        return np.asarray(np.maximum(largest, LEAST_SCALE))


def cholesky(matrix: Array) -> Array:
    """Lower factor; a matrix that is singular to rounding is lifted a little, which only shortens the step."""
    lift = 0.0
    diagonal = np.diag(matrix).copy()
    for _ in range(20):
        factor, info = dpotrf(matrix, lower=1)
        if info == 0:
            return np.asarray(factor)
        lift = max(1e-14, lift * 10)
        matrix = matrix.copy()
        np.einsum("ii->i", matrix)[:] = diagonal + lift * max(float(diagonal.max()), 1e-300)
    raise ValueError(Note("N042"))
