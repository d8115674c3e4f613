"""Trees of groups, ratings and searches for features that cannot be are told in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.storage.damage import STATE, Change, array, damaged, header

RATINGS = (*STATE, "ratings_", "record", "Ratings")
STEP = (*STATE, "path_", 0, "record", "Step")
RECORD = "ratings_.record.Ratings."


@pytest.mark.parametrize(
    ("model", "change", "says"),
    [
        ("hierarchy", array("tree_", lambda a: a[:, :3]), "its tree is not that of a hierarchy"),
        ("hierarchy", array("tree_", lambda a: a[:-1]), "tree of 59 leaves is not that of 60 rows"),
        (
            "hierarchy",
            array("tree_", lambda a: np.where(a == a[3, 0], a[0, 0], a)),
            "clusters that are not there",
        ),
        ("hierarchy", array("labels_", lambda a: a[::-1].copy()), "labels are not those of its tree"),
        ("hierarchy_down", array("_leaf", lambda a: a + 9), "is not that of 60 rows"),
        (
            "recommender",
            header(*RATINGS, "users", {"tuple": ["Ann", "Ann", "Bob", "Cid"]}),
            "different names",
        ),
        ("recommender", header(*RATINGS, "items", {"tuple": ["A"]}), "ratings of its users and items"),
        ("recommender", header(*RATINGS, "notes", "none"), "ratings with its notes"),
        ("recommender", header(*STATE, "ratings_", [1, 2]), "is not a set of ratings"),
        ("recommender", array(RECORD + "first", lambda a: a[:-1]), "ratings of its users and items"),
        ("recommender", array(RECORD + "first", lambda a: a[::-1].copy()), "ratings of its users and items"),
        ("recommender", array(RECORD + "item", lambda a: 0 * a), "one of a user and an item"),
        ("recommender", array(RECORD + "item", lambda a: a - 1), "ratings of its users and items"),
        ("recommender", array(RECORD + "item", lambda a: a.astype(np.int64)), "arrays of numbers"),
        ("recommender", array(RECORD + "value", lambda a: a * np.inf), "a set of finite ratings"),
        ("feature_search", header(*STATE, "features_", []), "a list of features"),
        ("feature_search", header(*STATE, "path_", [1]), "a list of sets of features"),
        ("feature_search", header(*STEP, "error", "none"), "sets of features and their errors"),
        ("feature_search", array("columns_", lambda a: a + 3), "points beyond the 4 columns"),
        ("feature_search", array("columns_", lambda a: 0 * a), "its model takes 2 columns"),
        ("feature_search", array("columns_", lambda a: a[:1]), "axis of length"),
        (
            "feature_search",
            header(*STATE, "classes_", "labels", "values", ["ash", "beech", "oak"]),
            "its classes are not those of its model",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(
    model: str, change: Change, says: str, tmp_path: Path
) -> None:
    assert says in damaged(model, change, tmp_path)
