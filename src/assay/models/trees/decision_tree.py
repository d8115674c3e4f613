r"""Decision tree: yes/no questions, each of which makes the classes as pure as one question can (CART).

    P(C_k | x) = (n_k + a) / (n + K a),    n_k the training rows of class k in the leaf of x, n all of them

A node is divided at the threshold that reduces the Gini impurity n (1 - Σ_k (n_k / n)²) most, of equal ones the first;
missing values go to the side that is purer with them. The tree is then pruned: its subtrees of least impurity plus
`ccp_alpha` per leaf are nested, so that a tree grown once holds those of all `ccp_alpha`.

Breiman, Friedman, Olshen, Stone: Classification and Regression Trees (1984), chapters 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.estimators import check_is_fitted, clone
from assay.models.base.params import SMOOTHING, Param
from assay.models.trees.base import DEPTH, LEAF, LEAVES, TreeClassifier
from assay.models.trees.nodes import Growth, TreeNodes
from assay.numerics.smoothing import smoothed
from assay.types import Array, Floats, MatrixLike, RowWeights

DECISION_TREE = (
    DEPTH,
    LEAF,
    LEAVES,
    Param(
        "ccp_alpha",
        "float",
        0.0,
        "Impurity that a further leaf has to save. More of it prunes more; 0 prunes nothing.",
        low=0.0,
    ),
    SMOOTHING.described("What is added to the count of every class in a leaf. 0 leaves pure leaves certain."),
)


class DecisionTreeClassifier(TreeClassifier):
    """Classify by a tree of yes/no questions.

    Columns may have missing values. Nothing is drawn at random.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    nodes_ : the tree after pruning, as arrays
    feature_importances_ : (D,)
        Proportion of the reduction of impurity by each column.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(ccp_alpha=0.02, smoothing=1.0).fit(X, y)
    >>> model.n_leaves_, int((model.predict(X) != y).sum()), model.predict_proba(X[:1]).round(3).tolist()
    (4, 4, [[0.962, 0.019, 0.019]])
    """

    params: ClassVar[tuple[Param, ...]] = DECISION_TREE
    stages_apart: ClassVar[tuple[str, ...]] = ("ccp_alpha", "smoothing")

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        smoothing: float = 0.0,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.smoothing = smoothing

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Grow the tree, and prune it.

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
        growth = Growth(data.X.shape[1], self.max_depth, self.max_leaf_nodes, self.min_samples_leaf)
        nodes = TreeNodes.grow(data.X, data.codes, data.n_classes, data.weight, growth)
        self.nodes_ = nodes.pruned(nodes.pruning_costs() <= self.ccp_alpha) if self.ccp_alpha > 0.0 else nodes
        return self

    @property
    def n_leaves_(self) -> int:
        """Leaves of the pruned tree."""
        check_is_fitted(self)
        return int(self.nodes_.leaf.sum())

    def for_stages(self, models: Sequence[Self]) -> Self:
        """The tree that holds those of all models: the least pruned."""
        return clone(self).set_params(ccp_alpha=min(model.ccp_alpha for model in models))

    def _stages(self, rows: Floats, models: Sequence[Self]) -> list[Array]:
        own = float(self.ccp_alpha)  # what it saves is cut off already
        cost = self.nodes_.pruning_costs() if any(model.ccp_alpha > own for model in models) else None
        posteriors = []
        for model in models:
            values = smoothed(self.nodes_.counts, self._present, model.smoothing)
            sums = np.zeros((len(rows), len(self.classes_)))
            prune = float(model.ccp_alpha)
            self.nodes_.add_leaf_values(sums, rows, values, cost=cost if prune > own else None, prune=prune)
            posteriors.append(sums)
        return posteriors


CARDS = (
    ModelCard(
        name="decision_tree",
        title="Decision tree",
        estimator=DecisionTreeClassifier,
        family="trees",
        parameters=DECISION_TREE,
        encoding="levels-statistics",
        capabilities=POSTERIOR | {"missing", "stages"},
        reading="decision rules",
        interpretability="A list of yes/no questions; readable while it is small.",
        complexity=2,
        defaults={"smoothing": 1.0},
        tuning=(Range("ccp_alpha", (0.1, 0.03, 0.01, 0.005, 0.002, 0.001, 0.0)),),
    ),
)
