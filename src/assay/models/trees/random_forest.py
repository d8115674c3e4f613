r"""Random forest: trees that are grown to drawn rows and look at drawn columns, and vote.

    P(C_k | x) = (Σ_b p_b(C_k | x) + a) / (B + K a),    p_b the proportions in the leaf of x in tree b

Every tree has as many rows as there are, drawn with replacement; at each of its divisions `max_features` columns are
drawn and the best of them is taken. Smoothing adds to the votes of the B trees and not to the counts of their leaves:
grown to be pure, a leaf of one row says little with one more of every class (Boström 2007).

Breiman: Random forests, Machine Learning 45 (2001). Boström: Estimating class probabilities in random forests, ICMLA
2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.estimators import clone
from assay.models.base.params import SMOOTHING, Param
from assay.models.trees.base import DEPTH, LEAF, LEAVES, TreeClassifier
from assay.models.trees.nodes import Growth, TreeNodes
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.smoothing import smoothed
from assay.types import Array, Floats, MatrixLike, RowWeights

RANDOM_FOREST = (
    Param("n_estimators", "int", 100, "Number of trees.", low=1),
    DEPTH,
    LEAF,
    LEAVES,
    Param(
        "max_features",
        "int",
        None,
        "Columns that are drawn for each division; None: the square root of their number.",
        low=1,
        optional=True,
    ),
    SMOOTHING.described(
        "What is added to the votes of the trees for every class. 0 leaves one voice certain."
    ),
    Param("random_state", "seed", 0, "Seed of the rows and columns that are drawn."),
)


class RandomForestClassifier(TreeClassifier):
    """Classify by the mean of many trees, each grown to rows and columns drawn at random.

    The first trees are the same for every `n_estimators`, and all of them for any number of threads. Columns may have
    missing values.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    nodes_ : the trees as arrays
    feature_importances_ : (D,)
        Proportion of the reduction of impurity by each column, the mean over the trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RandomForestClassifier(50, min_samples_leaf=3).fit(X[::2], y[::2])
    >>> int((model.predict(X[1::2]) != y[1::2]).sum())
    2
    """

    params: ClassVar[tuple[Param, ...]] = RANDOM_FOREST
    stages_apart: ClassVar[tuple[str, ...]] = ("n_estimators", "smoothing")

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        max_features: int | None = None,
        smoothing: float = 0.0,
        random_state: RandomState = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.smoothing = smoothing
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array (N, D)
            float64 or float32; NaN is a missing value.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            How many rows each one counts for, once it is drawn.
        """
        data = self._training(X, y, sample_weight)
        width = data.X.shape[1]
        growth = Growth(
            max_features=min(isqrt(width) if self.max_features is None else self.max_features, width),
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            bootstrap=True,
            seed=as_seed(self.random_state),
        )
        self.nodes_ = TreeNodes.grow(
            data.X, data.codes, data.n_classes, data.weight, growth, int(self.n_estimators)
        )
        return self

    def for_stages(self, models: Sequence[Self]) -> Self:
        """The forest that holds those of all models: the largest."""
        return clone(self).set_params(n_estimators=max(model.n_estimators for model in models))

    def _stages(self, rows: Floats, models: Sequence[Self]) -> list[Array]:
        shares = self.nodes_.counts / self.nodes_.counts.sum(axis=1, keepdims=True)
        sums, done = np.zeros((len(rows), len(self.classes_))), 0
        posteriors: dict[int, Array] = {}
        for place in sorted(range(len(models)), key=lambda place: models[place].n_estimators):
            model = models[place]
            count = int(model.n_estimators)
            self.nodes_.add_leaf_values(sums, rows, shares, slice(done, count))
            posteriors[place], done = smoothed(sums, self._present, model.smoothing), count
        return [posteriors[place] for place in range(len(models))]


CARDS = (
    ModelCard(
        name="random_forest",
        title="Random forest",
        estimator=RandomForestClassifier,
        family="trees",
        parameters=RANDOM_FOREST,
        encoding="levels-statistics",
        capabilities=POSTERIOR | {"missing", "stages"},
        reading="importances only",
        interpretability="A hundred trees vote; interpretable by importances only.",
        complexity=3,
        defaults={"smoothing": 1.0},
        tuning=(Range("n_estimators", (100, 50, 25)),),  # more trees are smoother, as more neighbours are
        all_rounder=True,
    ),
)
