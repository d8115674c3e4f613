"""Decision trees: smoothed proportions, pruning, and what is wrong with a table."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.tree import DecisionTreeClassifier as Theirs

from assay import DecisionTreeClassifier, KFold, evaluate
from tests.raised import raises

X, Y = load_iris(return_X_y=True)


def test_posteriors_are_counts_of_the_leaf_and_what_is_added_to_each() -> None:
    rows, labels = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], list("aabccc")
    plain = DecisionTreeClassifier(max_depth=1).fit(rows, labels)
    assert plain.nodes_.threshold[0] == 5.0
    np.testing.assert_allclose(plain.predict_proba([[0.0], [9.0]]), [[2 / 3, 1 / 3, 0], [0, 0, 1]])
    smooth = DecisionTreeClassifier(max_depth=1, smoothing=0.5).fit(rows, labels)
    expected = [[2.5 / 4.5, 1.5 / 4.5, 0.5 / 4.5], [0.5 / 4.5, 0.5 / 4.5, 3.5 / 4.5]]
    np.testing.assert_allclose(smooth.predict_proba([[0.0], [9.0]]), expected)
    assert smooth.predict([[0.0], [9.0]]).tolist() == ["a", "c"]


def test_a_class_without_rows_keeps_a_posterior_of_0() -> None:
    weight = np.where(Y < 2, 1.0, 0.0)
    model = DecisionTreeClassifier(smoothing=1.0).fit(X, Y, sample_weight=weight)
    posterior = model.predict_proba(X)
    assert (posterior[:, 2] == 0).all() and (posterior[:, :2] > 0).all()


@pytest.mark.parametrize("alpha", [0.0, 0.01, 0.05])
def test_posteriors_are_those_of_scikit_learns_tree(alpha: float) -> None:
    # No two divisions of so many rows are equally good.
    rows, labels = make_classification(500, 5, n_informative=4, n_redundant=0, flip_y=0.3, random_state=2)
    theirs = Theirs(ccp_alpha=alpha, max_depth=2, random_state=0).fit(rows, labels)
    ours = DecisionTreeClassifier(ccp_alpha=alpha, max_depth=2).fit(rows, labels)
    assert ours.n_leaves_ == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-12)


def test_log_loss_is_readable_with_smoothing() -> None:
    rows, labels = load_wine(return_X_y=True)
    bare, smooth = (evaluate(DecisionTreeClassifier(smoothing=a), rows, labels, KFold(5)) for a in (0.0, 1.0))
    assert bare.error == smooth.error
    assert smooth.log_loss < np.log(3) < bare.log_loss


def test_the_scale_of_columns_plays_no_part() -> None:
    plain = DecisionTreeClassifier().fit(X, Y)
    for factor in (1e-200, 1e200):
        scaled = DecisionTreeClassifier().fit(X * factor, Y)
        np.testing.assert_array_equal(scaled.predict_proba(X * factor), plain.predict_proba(X))


def test_missing_values_are_divided_with_the_others() -> None:
    rows = np.array([[0.0], [1.0], [np.nan], [np.nan], [5.0], [6.0]])
    model = DecisionTreeClassifier().fit(rows, list("aabbaa"))
    assert model.n_leaves_ == 2
    assert model.predict([[np.nan], [0.5], [99.0]]).tolist() == ["b", "a", "a"]


def test_infinite_values_are_refused_in_words() -> None:
    with raises("N026", where="row 1, column 0"):
        DecisionTreeClassifier().fit([[0.0], [np.inf]], [0, 1])
    with raises("N026", where="row 0, column 0"):
        DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).predict([[-np.inf]])
