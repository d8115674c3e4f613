"""Random forests: votes, smoothing, and errors like those of scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.ensemble import RandomForestClassifier as Theirs

from assay import DecisionTreeClassifier, KFold, RandomForestClassifier, evaluate

X, Y = load_wine(return_X_y=True)


def test_posteriors_are_the_mean_of_the_leaves_and_smoothing_adds_votes() -> None:
    forest = RandomForestClassifier(8, max_depth=2).fit(X, Y)
    mean = forest.predict_proba(X)
    np.testing.assert_allclose(mean.sum(axis=1), 1.0)
    smooth = RandomForestClassifier(8, max_depth=2, smoothing=0.5).fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(smooth, (8 * mean + 0.5) / (8 + 1.5))
    np.testing.assert_array_equal(smooth.argmax(axis=1), mean.argmax(axis=1))


@pytest.mark.parametrize("load", ["wine", "breast", "made"])
def test_errors_are_those_of_scikit_learns_forest(load: str) -> None:
    made = make_classification(400, 12, n_informative=5, n_redundant=4, n_classes=3, random_state=1)
    rows, labels = {"wine": (X, Y), "breast": load_breast_cancer(return_X_y=True), "made": made}[load]
    plan = KFold(5)
    wrong = [
        evaluate(model, rows, labels, plan).predicted_codes != labels
        for model in (RandomForestClassifier(60), Theirs(60, random_state=0))
    ]
    ours, theirs = (int((wrong[a] & ~wrong[1 - a]).sum()) for a in (0, 1))
    # McNemar: rows that one of two equally good forests alone gets wrong are as good as drawn by a coin.
    assert abs(ours - theirs) < 4 * np.sqrt(ours + theirs + 1)


def test_all_columns_and_whole_rows_make_alike_trees() -> None:
    forest = RandomForestClassifier(3, max_features=X.shape[1], max_depth=1).fit(X, Y)
    tree = DecisionTreeClassifier(max_depth=1).fit(X, Y)
    roots = forest.nodes_.feature[forest.nodes_.begin[:-1]]
    assert tree.nodes_.feature[0] in roots


def test_seeds_change_the_forest_and_copies_do_not() -> None:
    one, two, other = (
        RandomForestClassifier(5, random_state=seed).fit(X, Y).predict_proba(X) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


def test_importances_are_proportions_that_noise_has_little_of() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 4))
    model = RandomForestClassifier(40).fit(rows, rows[:, 2] > 0)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.feature_importances_.argmax() == 2 and model.feature_importances_[2] > 0.5
