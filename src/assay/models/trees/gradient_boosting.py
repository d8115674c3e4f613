"""Gradient boosting: scikit-learn's, as a candidate of comparisons."""

from __future__ import annotations

from assay.models.base.card import POSTERIOR, ModelCard
from assay.models.base.params import Param
from assay.models.trees.decision_tree import SEED

BOOSTING = (
    Param("learning_rate", "float", 0.1, "Fraction of each tree that is added.", low=1e-4, high=1.0),
    Param("max_iter", "int", 100, "Number of rounds.", low=1),
    Param("max_leaf_nodes", "int", 31, "Most leaves of a tree; None sets no limit.", low=2, optional=True),
    Param("min_samples_leaf", "int", 20, "Fewest rows in a leaf.", low=1),
    Param("l2_regularization", "float", 0.0, "Penalty on the leaf values.", low=0.0),
    SEED,
)

CARDS = (
    ModelCard(
        name="gradient_boosting",
        title="Gradient boosting",
        estimator="sklearn.ensemble:HistGradientBoostingClassifier",
        family="trees",
        parameters=BOOSTING,
        encoding="levels",
        capabilities=POSTERIOR | {"missing"},
        reading="importances only",
        interpretability="A sum of hundreds of small trees; interpretable by importances only.",
        complexity=3,
        needs_values=True,
        all_rounder=True,
    ),
)
