r"""Gradient boosting: small trees, each fitted to what those before it got wrong; scikit-learn's, by histograms.

    F_m(x) = F_{m-1}(x) + η t_m(x),    P(C_k | x) ∝ exp F_k(x)

The tree t_m takes a Newton step on the log loss, a tree per class where there are more than two. The first m rounds do
not depend on how many follow, so that one fit holds the models of all numbers of rounds.

Friedman: Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.ensemble import HistGradientBoostingClassifier as Histograms

from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.estimators import clone
from assay.models.base.params import Param
from assay.models.base.stored import Field
from assay.models.trees.base import LEAVES, StagedClassifier
from assay.numerics.random_state import RandomState, as_seed
from assay.types import Array, Floats, MatrixLike, RowWeights

GRADIENT_BOOSTING = (
    Param("learning_rate", "float", 0.1, "Fraction of each tree that is added.", low=1e-4, high=1.0),
    Param("max_iter", "int", 100, "Number of rounds.", low=1),
    replace(LEAVES, default=31),
    Param("min_samples_leaf", "int", 20, "Fewest rows in a leaf.", low=1),
    Param("l2_regularization", "float", 0.0, "Penalty on the leaf values.", low=0.0),
    Param("random_state", "seed", 0, "Seed of the rows by which boosting of a large table is stopped early."),
)


class HistGradientBoostingClassifier(StagedClassifier):
    """Classify by a sum of many small trees, fitted one after the other.

    Columns may have missing values. Of more than 10 000 rows a tenth is set aside, and boosting stops where these no
    longer gain.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    estimator_ : scikit-learn's estimator, fitted to the codes of the classes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = HistGradientBoostingClassifier(max_iter=20, min_samples_leaf=5).fit(X[::2], y[::2])
    >>> int((model.predict(X[1::2]) != y[1::2]).sum())
    2
    """

    params: ClassVar[tuple[Param, ...]] = GRADIENT_BOOSTING
    stored: ClassVar[tuple[Field, ...]] = (*StagedClassifier.stored, Field("estimator_", "model"))
    stages_apart: ClassVar[tuple[str, ...]] = ("max_iter",)

    def __init__(
        self,
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        min_samples_leaf: int = 20,
        l2_regularization: float = 0.0,
        random_state: RandomState = 0,
    ) -> None:
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Fit the trees.

        Parameters
        ----------
        X : array (N, D)
            float64 or float32; NaN is a missing value.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            How many rows each one counts for.
        """
        data = self._training(X, y, sample_weight)
        rows, codes, weight = data.X, data.codes, data.weight
        if weight is not None:
            counted = np.flatnonzero(weight > 0)
            rows, codes, weight = rows[counted], codes[counted], weight[counted]
        settings = {**self.get_params(deep=False), "random_state": as_seed(self.random_state)}
        self.estimator_ = Histograms(**settings).fit(rows, codes, sample_weight=weight)
        return self

    def for_stages(self, models: Sequence[Self]) -> Self:
        """The model that holds those of all: of most rounds."""
        return clone(self).set_params(max_iter=max(model.max_iter for model in models))

    def _stages(self, rows: Floats, models: Sequence[Self]) -> list[Array]:
        rounds = [min(int(model.max_iter), self.estimator_.n_iter_) for model in models]
        if set(rounds) == {self.estimator_.n_iter_}:
            posteriors = {self.estimator_.n_iter_: self.estimator_.predict_proba(rows)}
        else:
            staged = enumerate(self.estimator_.staged_predict_proba(rows), 1)
            posteriors = {count: posterior for count, posterior in staged if count in rounds}
        return [self._spread(posteriors[count]) for count in rounds]

    def _spread(self, posterior: Array) -> Array:
        """Posteriors of the classes that had rows, over all classes."""
        out = np.zeros((len(posterior), len(self.classes_)))
        out[:, self.estimator_.classes_] = posterior
        return out


CARDS = (
    ModelCard(
        name="gradient_boosting",
        title="Gradient boosting",
        estimator=HistGradientBoostingClassifier,
        family="trees",
        parameters=GRADIENT_BOOSTING,
        encoding="levels-statistics",
        capabilities=POSTERIOR | {"missing", "stages"},
        reading="importances only",
        interpretability="A sum of hundreds of small trees; interpretable by importances only.",
        complexity=3,
        needs_values=True,
        tuning=(Range("max_iter", (12, 25, 50, 100)),),
        all_rounder=True,
    ),
)
