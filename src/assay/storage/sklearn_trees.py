"""Trees from a file, examined before scikit-learn follows them: its compiled code takes every index on trust."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.storage.damaged_file import DamagedFileError
from assay.types import Integers

MOST_CATEGORIES = 256  # boosting keeps the categories of a column as that many bits


def check_estimator(model: Any) -> None:
    """Raise unless every tree of the estimator can be followed, and a row can be classified."""
    width = model.n_features_in_
    if type(width) is not int or width < 1 or np.ndim(model.classes_) != 1 or len(model.classes_) < 1:
        raise DamagedFileError("its estimator has no columns or no classes")
    name = type(model).__name__
    if name == "HistGradientBoostingClassifier":
        _check_boosting(model)
    else:
        trees = model.estimators_ if name == "RandomForestClassifier" else [model]
        if not isinstance(trees, list) or not trees:
            raise DamagedFileError("its forest has no trees")
        for tree in trees:
            if type(tree).__name__ != "DecisionTreeClassifier":
                raise DamagedFileError("its forest is not one of decision trees")
            _check_tree(tree, width, len(model.classes_))
    posterior = np.asarray(model.predict_proba(np.zeros((1, width))))
    if posterior.shape != (1, len(model.classes_)) or not np.isfinite(posterior).all():
        raise DamagedFileError("its estimator gives no posteriors")


def _check_tree(model: Any, width: int, n_classes: int) -> None:
    tree = model.tree_
    if type(tree).__name__ != "Tree" or not 1 <= tree.node_count <= tree.capacity:
        raise DamagedFileError("a tree of its estimator has more nodes than it holds")
    if tree.n_features != width or tree.n_outputs != 1 or tree.max_n_classes != n_classes:
        raise DamagedFileError("a tree of its estimator is for other columns or classes")
    if model.n_features_in_ != width or len(model.classes_) != n_classes or model.n_classes_ != n_classes:
        raise DamagedFileError("a tree of its estimator is for other columns or classes")
    inner = np.flatnonzero((tree.children_left != -1) | (tree.children_right != -1))
    children = np.stack([tree.children_left[inner], tree.children_right[inner]])
    _check_order(inner, children, tree.node_count)
    _check_features(tree.feature[inner], width)
    if not np.isfinite(tree.value).all():
        raise DamagedFileError("a tree of its estimator has leaves without proportions")


def _check_boosting(model: Any) -> None:
    width, mapper = model.n_features_in_, model._bin_mapper
    categorical = np.asarray(mapper.is_categorical_)
    thresholds = mapper.bin_thresholds_
    if categorical.shape != (width,) or len(thresholds) != width:
        raise DamagedFileError("the bins of its estimator are for other columns")
    for column in np.flatnonzero(categorical):
        codes = np.asarray(thresholds[column], dtype=np.float64)
        if codes.ndim != 1 or not ((codes >= 0) & (codes < MOST_CATEGORIES)).all():
            raise DamagedFileError("its estimator has categories beyond the 256 there can be")
    per_round = 1 if len(model.classes_) == 2 else len(model.classes_)
    if np.size(model._baseline_prediction) != per_round or not np.isfinite(model._baseline_prediction).all():
        raise DamagedFileError("its estimator does not start from one score per class")
    for trees in model._predictors:
        if len(trees) != per_round:
            raise DamagedFileError("a round of its estimator does not have one tree per class")
        for tree in trees:
            _check_predictor(tree, width, categorical)


def _check_predictor(tree: Any, width: int, categorical: Integers) -> None:
    if type(tree).__name__ != "TreePredictor":
        raise DamagedFileError("a round of its estimator does not consist of trees")
    nodes, bitsets = tree.nodes, tree.raw_left_cat_bitsets
    if nodes.ndim != 1 or len(nodes) == 0 or not np.isfinite(nodes["value"]).all():
        raise DamagedFileError("a tree of its estimator has no nodes, or leaves without values")
    inner = np.flatnonzero(nodes["is_leaf"] == 0)
    split = nodes[inner]
    _check_order(inner, np.stack([split["left"], split["right"]]).astype(np.int64), len(nodes))
    _check_features(split["feature_idx"], width)
    by_level = split[split["is_categorical"] != 0]
    known = categorical[by_level["feature_idx"]].astype(bool)
    if not known.all() or (by_level["bitset_idx"] >= len(bitsets)).any():
        raise DamagedFileError("a tree of its estimator splits between categories that it does not have")
    if np.shape(bitsets)[1:] != (8,) or bitsets.dtype != np.uint32:
        raise DamagedFileError("a tree of its estimator has no sets of categories")


def _check_order(parents: Integers, children: Integers, count: int) -> None:
    """Children come after their parents, so that every path ends."""
    if ((children <= parents) | (children >= count)).any():
        raise DamagedFileError("a tree of its estimator leads to nodes that are not there")


def _check_features(features: Integers, width: int) -> None:
    if ((features < 0) | (features >= width)).any():
        raise DamagedFileError("a tree of its estimator asks for columns that are not there")
