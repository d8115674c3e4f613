"""Gradient boosting: scikit-learn's, with classes of any kind and a number of rounds."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_wine
from sklearn.ensemble import HistGradientBoostingClassifier as Theirs

from assay import HistGradientBoostingClassifier

X, Y = load_wine(return_X_y=True)
SETTING = {"max_iter": 12, "min_samples_leaf": 5, "max_leaf_nodes": 4, "l2_regularization": 0.5}


def test_posteriors_are_those_of_scikit_learn() -> None:
    theirs = Theirs(random_state=0, **SETTING).fit(X, Y)
    ours = HistGradientBoostingClassifier(**SETTING).fit(X, np.array(["x", "y", "z"])[Y])
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert ours.predict(X[:1]).tolist() == ["x"]


def test_rows_of_weight_0_do_not_count() -> None:
    weight = (Y > 0) * 1.0
    model = HistGradientBoostingClassifier(**SETTING).fit(X, Y, sample_weight=weight)
    alone = HistGradientBoostingClassifier(**SETTING).fit(X[Y > 0], Y[Y > 0])
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1:], alone.predict_proba(X))
    assert (model.predict_proba(X)[:, 0] == 0).all()
    assert [note.code for note in model.diagnostics_] == ["M301"]


def test_rounds_that_were_stopped_early_are_all_there_are() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(10_500, 2))
    labels = (rows[:, 0] + rng.normal(size=len(rows)) > 0).astype(int)
    model = HistGradientBoostingClassifier(max_iter=400, max_leaf_nodes=8, learning_rate=0.5).fit(
        rows, labels
    )
    more = HistGradientBoostingClassifier(max_iter=300, max_leaf_nodes=8, learning_rate=0.5)
    assert model.estimator_.n_iter_ < 300
    np.testing.assert_array_equal(model.stage_posteriors(rows[:5], [more])[0], model.predict_proba(rows[:5]))
