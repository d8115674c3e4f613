"""Decision tree: scikit-learn's, as a candidate of comparisons."""

from __future__ import annotations

from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.params import Param

DEPTH = Param("max_depth", "int", None, "Levels of a tree; None grows it out.", low=1, optional=True)
LEAF = Param("min_samples_leaf", "int", 1, "Fewest rows in a leaf.", low=1)
LEAVES = Param(
    "max_leaf_nodes", "int", None, "Most leaves of a tree; None sets no limit.", low=2, optional=True
)
SEED = Param("random_state", "int", 0, "Seed.", low=0)

CARDS = (
    ModelCard(
        name="decision_tree",
        title="Decision tree",
        estimator="sklearn.tree:DecisionTreeClassifier",
        family="trees",
        parameters=(DEPTH, LEAF, LEAVES, SEED),
        encoding="levels",
        capabilities=POSTERIOR | {"missing"},
        reading="decision rules",
        interpretability="A list of yes/no questions; readable while it is small.",
        complexity=2,
        tuning=(Range("max_depth", (2, 4, 8, None)), Range("min_samples_leaf", (20, 1))),
    ),
)
