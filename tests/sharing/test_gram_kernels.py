"""Folds and prices of kernel machines from one Gram matrix, against refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from assay import Bootstrap, HoldOut, Impute, KernelSVM, KFold, LeaveOneOut, Standardize, evaluate, tune
from assay.plans import GivenPartitions, Partition
from tests.contract.registry import blobs
from tests.nesting import nest
from tests.noted import noted
from tests.raised import raises
from tests.sharing.refits import refit_scores

TIGHT = 1e-6


def margins(found: Any) -> Any:
    scores = found.tested.scores
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def refitted(model: Any, X: Any, y: Any, plan: Any, weight: Any = None) -> Any:
    codes = np.searchsorted(np.unique(y), y).astype(np.int32)
    splits = list(plan.split(X, y))
    tested, _ = refit_scores(model, X, codes, np.unique(y), splits, weight)
    return tested.scores[np.argsort(tested.rows, kind="stable")]


MODELS = [
    KernelSVM(gamma=0.1, tol=TIGHT),
    KernelSVM(tol=TIGHT),
    KernelSVM("linear", l2=0.01, tol=TIGHT),
    KernelSVM("polynomial", C=1.0, coef0=1.0, degree=2, tol=TIGHT, class_weight="balanced"),
    KernelSVM(gamma=0.1, tol=TIGHT, gram_dtype="float32"),
    make_pipeline(Standardize(), KernelSVM(gamma=0.2, tol=TIGHT)),
    make_pipeline(Standardize(), KernelSVM(tol=TIGHT, class_weight="balanced")),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weights", [False, True])
def test_folds_are_refits(model: Any, classes: int, weights: bool) -> None:
    X, y = blobs(100, classes=classes)
    weight = np.random.default_rng(0).integers(0, 3, 100).astype(float) if weights else None
    plan = KFold(5, random_state=3)
    found = evaluate(model, X, y, plan, sample_weight=weight)
    assert found.strategy == "gram" and not found.probabilistic
    expected = refitted(model, X, y, plan, weight)
    near = 1e-3 if "float32" in repr(model) else 1e-4
    np.testing.assert_allclose(found.tested.scores, expected, atol=near)
    clear = np.ptp(expected, axis=1) > 10 * near
    assert (found.predicted_codes[clear] == expected.argmax(axis=1)[clear]).all()


def test_the_default_tolerance_is_kept_by_every_fold() -> None:
    X, y = blobs(300, classes=2)
    plan, model = KFold(5), KernelSVM(C=10.0, gamma=0.1)
    found = margins(evaluate(model, X, y, plan))
    expected = cross_val_predict(model, X, y, cv=plan, method="decision_function")
    assert np.abs(found - expected).max() < 5e-3


def test_all_prices_share_the_matrix_and_each_is_its_own_refit() -> None:
    X, y = blobs(120)
    plan = KFold(4)
    found = tune(KernelSVM(tol=TIGHT), X, y, plan=plan, C=[10.0, 0.1, 1000.0, 1.0], gamma=[0.05, 0.5])
    assert len(found.settings) == 8 and {each.strategy for each in found.evaluations} == {"gram"}
    for setting, evaluation in zip(found.settings, found.evaluations, strict=True):
        expected = refitted(KernelSVM(tol=TIGHT, **setting), X, y, plan)
        np.testing.assert_allclose(evaluation.tested.scores, expected, atol=2e-4)
    assert found.model.get_params()["C"] == found.setting["C"]


def test_given_matrices_are_sliced_by_fold() -> None:
    X, y = blobs(90)
    plan = KFold(5)
    given = evaluate(KernelSVM("precomputed", C=1.0, tol=TIGHT), X @ X.T, y, plan)
    linear = evaluate(KernelSVM("linear", C=1.0, tol=TIGHT), X, y, plan)
    assert given.strategy == "gram"
    np.testing.assert_allclose(given.tested.scores, linear.tested.scores, atol=1e-4)
    user = evaluate(KernelSVM(lambda a, b: a @ b.T, C=1.0, tol=TIGHT), X, y, plan)
    np.testing.assert_allclose(user.tested.scores, linear.tested.scores, atol=1e-4)


def test_a_step_learns_inside_the_fold_whatever_table_it_gets() -> None:
    X, y = blobs(100)
    X[3, 1] = X[40, 2] = np.nan
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = make_pipeline(Impute(), Standardize(), KernelSVM(tol=TIGHT))
    plan = KFold(5)
    expected = refitted(model, X, y, plan)
    for table in (X, frame):
        found = evaluate(model, table, y, plan)
        assert found.strategy == "gram"
        np.testing.assert_allclose(found.tested.scores, expected, atol=1e-4)


def test_repeats_unused_rows_and_rows_that_are_always_trained_on() -> None:
    X, y = blobs(90)
    model = KernelSVM(gamma=0.2, tol=TIGHT)
    twice = evaluate(model, X, y, KFold(3, repeats=2))
    assert len(twice.tested.scores) == 180 and twice.strategy == "gram"
    fold = np.random.default_rng(0).integers(-2, 3, 90).astype(np.int32)
    partition = Partition(fold, 3)
    found = evaluate(model, X, y, GivenPartitions([partition]))
    assert found.rows.tolist() == np.flatnonzero(fold >= 0).tolist()
    for f in range(3):
        own = KernelSVM(gamma=0.2, tol=TIGHT).fit(X[partition.train_rows(f)], y[partition.train_rows(f)])
        np.testing.assert_allclose(
            found.tested.scores[found.split == f], own.decision_function(X[partition.test_rows(f)]), atol=1e-4
        )
    assert evaluate(model, X, y, HoldOut(0.3)).strategy == "gram"


def test_a_class_that_a_training_part_lacks_is_told() -> None:
    X, y = blobs(60)
    fold = np.where(y == 2, 0, np.arange(60) % 3)
    found = evaluate(KernelSVM(), X, y, PredefinedSplit(fold))
    assert noted(found.notes, "S208", label="2", count=1, total=3)
    assert (found.predicted_codes[fold == 0] != 2).all()


def test_choices_are_nested_from_shared_matrices() -> None:
    X, y = blobs(90, classes=2)
    models = [make_pipeline(Standardize(), KernelSVM(l2=l2)) for l2 in (0.1, 1e-3)]
    found = nest("svm", models, X, y, KFold(4))
    assert found.inner.shape == (4, 2) and found.evaluation.strategy == "gram"


def test_leaving_one_out_is_a_fold_for_every_row() -> None:
    X, y = blobs(40, classes=2)
    found = evaluate(KernelSVM(gamma=0.2, tol=TIGHT), X, y, LeaveOneOut())
    assert found.strategy == "gram"
    expected = refitted(KernelSVM(gamma=0.2, tol=TIGHT), X, y, LeaveOneOut())
    np.testing.assert_allclose(found.tested.scores, expected, atol=1e-4)


def test_bits_do_not_depend_on_threads() -> None:
    X, y = blobs(150)
    models = [KernelSVM(gamma=g, C=C) for g in (0.1, 0.4) for C in (1.0, 50.0)]
    one, two, five = (evaluate(models, X, y, KFold(5), n_jobs=n) for n in (1, 2, 5))
    for name in one:
        np.testing.assert_array_equal(one[name].tested.scores, two[name].tested.scores)
        np.testing.assert_array_equal(one[name].tested.scores, five[name].tested.scores)


def test_what_cannot_be_shared_is_refitted(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = blobs(60)
    for plan in (KFold(3), Bootstrap(5)):
        assert evaluate(make_pipeline(StandardScaler(), KernelSVM()), X, y, plan).strategy == "gram"
    some = evaluate(KernelSVM(most_rows=50, landmarks=20), X, y, KFold(3))
    assert some.strategy == "refit" and any("more than most_rows=50" in note for note in some.notes)
    monkeypatch.setenv("ASSAY_MEMORY", "10K")
    large = evaluate(KernelSVM(), X, y, KFold(3))
    assert large.strategy == "refit" and any("Gram matrix of 60 rows" in note for note in large.notes)


def test_bad_rows_are_one_sentence() -> None:
    X, y = blobs(60)
    X[7, 2] = np.nan
    with raises("N028", where="row 7, column 2"):
        evaluate(KernelSVM(), X, y, KFold(3))
    K = np.eye(60)
    K[1, 2] = K[2, 1] = np.inf
    with raises("M195", what="Gram matrix", value="infinity", row=1, column=2):
        evaluate(KernelSVM("precomputed"), K, y, KFold(3))
