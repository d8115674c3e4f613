"""Parameters of the scikit-learn models in the catalog, as far as Assay tunes them or a user would set them."""

from assay.models.base.params import Param

DEPTH = Param("max_depth", "int", None, "levels of a tree; None grows it out", low=1, optional=True)
LEAF = Param("min_samples_leaf", "int", 1, "fewest rows in a leaf", low=1)
LEAVES = Param(
    "max_leaf_nodes", "int", None, "most leaves of a tree; None sets no limit", low=2, optional=True
)
SEED = Param("random_state", "int", 0, "seed", low=0)

TREE = (DEPTH, LEAF, LEAVES, SEED)
FOREST = (Param("n_estimators", "int", 100, "number of trees", low=1), DEPTH, LEAF, LEAVES, SEED)
BOOSTING = (
    Param("learning_rate", "float", 0.1, "share of each tree that is added", low=1e-4, high=1.0),
    Param("max_iter", "int", 100, "number of rounds", low=1),
    Param("max_leaf_nodes", "int", 31, "most leaves of a tree; None sets no limit", low=2, optional=True),
    Param("min_samples_leaf", "int", 20, "fewest rows in a leaf", low=1),
    Param("l2_regularization", "float", 0.0, "penalty on the leaf values", low=0.0),
    SEED,
)
