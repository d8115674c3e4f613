"""What classifiers made of trees share: how rows are read, and posteriors that are proportions of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.class_weight import absent_classes
from assay.models.base.estimators import Classifier, Tags, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, NOTES, SHARES, Field
from assay.models.base.validation import (
    TrainingData,
    check_rows,
    check_training,
    check_two_classes,
    explain_rows,
    feature_names,
)
from assay.models.trees.nodes import TreeNodes
from assay.types import Array, Floats, Mask, MatrixLike, RowWeights

DEPTH = Param("max_depth", "int", None, "Levels of a tree; None grows it out.", low=1, optional=True)
LEAF = Param("min_samples_leaf", "int", 1, "Fewest rows in a leaf.", low=1)
LEAVES = Param(
    "max_leaf_nodes", "int", None, "Most leaves of a tree; None sets no limit.", low=2, optional=True
)


class StagedClassifier(Classifier):
    """A classifier of rows that may have missing values, one fit of which answers several settings.

    They may differ in the parameters `stages_apart`.
    """

    stored: ClassVar[tuple[Field, ...]] = (*INPUT, Field("classes_", "labels", ("K",)), SHARES, NOTES)
    probabilistic: ClassVar[bool] = True
    decides_by_shares: ClassVar[bool] = True  # `decision_function` is the difference of two shares

    class_prior_: Array

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _training(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights) -> TrainingData:
        """Checked rows; the classes and their proportions are kept."""
        self._check_params()
        data = check_training(self, X, y, sample_weight)
        check_two_classes(data)
        self._check_values(data.X)
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.classes_, self.class_prior_ = data.classes, counts / counts.sum()
        self.diagnostics_ = absent_classes(self.classes_, self.class_prior_, "M301")
        return data

    def _read(self, X: MatrixLike) -> Floats:
        rows = check_rows(self, X, reset=False)
        self._check_values(rows)
        return rows

    def _check_values(self, rows: Floats) -> None:
        """Values may be missing, but not infinite; how large they are plays no part."""
        if np.isinf(rows).any():
            raise explain_rows(feature_names(self), rows, missing_allowed=True) or AssertionError

    @property
    def _present(self) -> Mask:
        """Classes that had training rows."""
        return np.asarray(self.class_prior_ > 0)

    def stage_posteriors(self, X: MatrixLike, models: Sequence[Self]) -> list[Array]:
        """Posteriors (N, K) of models that differ in `stages_apart`, each as if it had been fitted to the same rows."""
        check_is_fitted(self)
        return self._stages(self._read(X), models)

    def _stages(self, rows: Floats, models: Sequence[Self]) -> list[Array]:
        """The same for rows that were read."""
        raise NotImplementedError

    def _class_scores(self, X: Floats) -> Array:
        return self._stages(X, [self])[0]

    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        return self._checked_scores(X)

    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class; -inf where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


class TreeClassifier(StagedClassifier):
    """A classifier made of trees that it grew, `nodes_`."""

    stored: ClassVar[tuple[Field, ...]] = (*StagedClassifier.stored, Field("nodes_", "tree_nodes"))

    nodes_: TreeNodes

    @property
    def feature_importances_(self) -> Array:
        """By how much divisions by each column reduce the Gini impurity, as proportions (D,)."""
        check_is_fitted(self)
        return self.nodes_.importances(self.n_features_in_)
