"""Geometry of linear boundaries: the normal w, the signed distance f(x)/|w|, the distance of the origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.engines.local import thread_count
from assay.models.base.estimators import Classifier, check_is_fitted
from assay.models.base.sparse import is_sparse
from assay.models.base.validation import check_rows
from assay.notes import Note
from assay.sharing.forms import Linear
from assay.types import Array, Floats, Label, MatrixLike


class LinearBoundaries(Classifier):
    """Mixin of classifiers whose scores are linear in x."""

    _score_form: Any

    def _boundary(self, positive: Label | None, negative: Label | None) -> tuple[Array, Array, float]:
        """Center c, normal w and constant b of f(x) = w·(x - c) + b, positive on the side of `positive`."""
        check_is_fitted(self)
        form = self._score_form
        if not isinstance(form, Linear):
            raise ValueError(Note("M020", name=self))
        if positive is None and negative is None and len(self.classes_) == 2:
            negative, positive = self.classes_
        if positive is None or negative is None:
            raise ValueError(Note("M021"))
        plus, minus = self._code(positive), self._code(negative)
        weights, bias = form.weights[0], form.bias[0]
        return form.center[0], weights[plus] - weights[minus], float(bias[plus] - bias[minus])

    def _code(self, label: Label) -> int:
        positions = np.flatnonzero(self.classes_ == label)
        if len(positions) == 0:
            raise ValueError(Note("M022", label=label, classes=self.classes_.tolist()))
        return int(positions[0])

    def signed_distance(
        self, X: MatrixLike, positive: Label | None = None, negative: Label | None = None
    ) -> Array:
        """Distance of each row from the boundary between two classes, positive on the side of `positive`."""
        center, normal, constant = self._boundary(positive, negative)
        rows = check_rows(self, X, reset=False)
        return np.asarray(((rows - center) @ normal + constant) / np.linalg.norm(normal))

    def origin_distance(self, positive: Label | None = None, negative: Label | None = None) -> float:
        """Signed distance of the origin, w0/|w|."""
        center, normal, constant = self._boundary(positive, negative)
        return float((constant - center @ normal) / np.linalg.norm(normal))

    def _keep_linear(self) -> None:
        """coef_ and intercept_ in the units of the features; one row for two classes, as scikit-learn has it."""
        form = self._score_form
        coef = form.weights[0]
        self.coef_, self.intercept_ = one_row_of_two(coef, form.bias[0] - coef @ form.center[0])


def one_row_of_two(coef: Array, intercept: Array) -> tuple[Array, Array]:
    """Weights (K, D) and constants (K,) of linear scores; of two classes those of the second against the first.

    >>> one_row_of_two(np.array([[1.0, 2.0], [4.0, 1.0]]), np.array([0.5, 0.0]))
    (array([[ 3., -1.]]), array([-0.5]))
    """
    return (coef[1:] - coef[:1], intercept[1:] - intercept[:1]) if len(coef) == 2 else (coef, intercept)


class LinearScores(LinearBoundaries):
    """A linear classifier whose scores about a centre are all there is of it: they are what a model file keeps."""

    _center: Array
    _weights: Array
    _bias: Array

    @property
    def _score_form(self) -> Linear:
        return Linear(self._center[None], self._weights[None], self._bias[None])

    def _keep_form(self, form: Linear) -> None:
        """Take over the first model of a form."""
        self._center, self._weights, self._bias = form.center[0], form.weights[0], form.bias[0]
        self._keep_linear()

    def _restored(self) -> None:
        """What follows from the attributes that a file keeps."""
        self._keep_linear()

    def _class_scores(self, X: Floats) -> Array:
        if is_sparse(X):
            return np.asarray(X @ self._weights.T + (self._bias - self._weights @ self._center))
        return self._score_form.scores(X, threads=thread_count())
