"""Random forest: scikit-learn's, as a candidate of comparisons."""

from __future__ import annotations

from assay.models.base.card import POSTERIOR, ModelCard
from assay.models.base.params import Param
from assay.models.trees.decision_tree import DEPTH, LEAF, LEAVES, SEED

CARDS = (
    ModelCard(
        name="random_forest",
        title="Random forest",
        estimator="sklearn.ensemble:RandomForestClassifier",
        family="trees",
        parameters=(Param("n_estimators", "int", 100, "Number of trees.", low=1), DEPTH, LEAF, LEAVES, SEED),
        encoding="levels",
        capabilities=POSTERIOR | {"missing"},
        reading="importances only",
        interpretability="A hundred trees vote; interpretable by importances only.",
        complexity=3,
        all_rounder=True,
    ),
)
