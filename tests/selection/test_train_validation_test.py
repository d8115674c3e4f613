"""Tuning on a training, a validation and a test part, against the same by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier as SklearnNeighbors
from sklearn.tree import DecisionTreeClassifier

from assay import (
    GaussianClassifier,
    KNeighborsClassifier,
    LinearSVM,
    LogisticRegression,
    TrainValidationTest,
    evaluate,
    nested,
    tune,
)
from assay.decision import wilson
from assay.selection.train_validation_test import FEW
from tests.raised import codes, raises

CASES: list[tuple[Any, str, list[Any]]] = [
    (KNeighborsClassifier(), "n_neighbors", [1, 5, 25]),
    (GaussianClassifier(), "blend", [0.0, 0.3, 1.0]),
    (LogisticRegression(), "l2", [1.0, 0.1, 1e-3]),
    (LinearSVM(), "l2", [1.0, 0.01]),
    (DecisionTreeClassifier(random_state=0), "max_depth", [1, 2, 6]),
]


@pytest.mark.parametrize("refit", [False, True])
@pytest.mark.parametrize(("model", "name", "values"), CASES, ids=lambda case: type(case).__name__)
def test_equals_the_parts_by_hand(model: Any, name: str, values: list[Any], refit: bool) -> None:
    X, y = load_wine(return_X_y=True)
    plan = TrainValidationTest((0.5, 0.25, 0.25), refit=refit, random_state=4)
    part = plan.parts(y)
    errors = []
    for value in values:
        fitted = type(model)(**model.get_params() | {name: value}).fit(X[part == 0], y[part == 0])
        errors.append(np.mean(fitted.predict(X[part == 1]) != y[part == 1]))
    best = values[int(np.argmin(errors))]
    rows = part < 2 if refit else part == 0
    final = type(model)(**model.get_params() | {name: best}).fit(X[rows], y[rows])
    wrong = final.predict(X[part == 2]) != y[part == 2]
    found = tune(model, X, y, plan=plan, **{name: values})
    assert found.setting == {name: best}
    np.testing.assert_allclose(found.errors, errors, rtol=0, atol=1e-15)
    assert found.test is not None
    assert found.test.error == pytest.approx(wrong.mean(), abs=1e-15)
    np.testing.assert_allclose(found.test.error_interval, wilson(wrong.sum(), len(wrong)))
    assert found.test.rows.tolist() == np.flatnonzero(part == 2).tolist()


def test_agrees_with_scikit_learn_on_the_same_rows() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    plan = TrainValidationTest()
    part = plan.parts(y)
    found = tune(KNeighborsClassifier(), X, y, plan=plan, n_neighbors=[1, 7, 31])
    theirs = [SklearnNeighbors(k).fit(X[part == 0], y[part == 0]) for k in (1, 7, 31)]
    assert found.errors.tolist() == pytest.approx(
        [1 - each.score(X[part == 1], y[part == 1]) for each in theirs]
    )
    assert found.test is not None
    assert found.test.error == pytest.approx(1 - theirs[found.chosen].score(X[part == 2], y[part == 2]))


def test_nested_tells_the_same_and_never_tests_the_losers() -> None:
    X, y = load_wine(return_X_y=True)
    plan = TrainValidationTest((0.4, 0.3, 0.3))
    one, other = (f(GaussianClassifier(), X, y, plan=plan, blend=[0.0, 0.5, 1.0]) for f in (tune, nested))
    assert one.chosen == other.final and one.setting == other.setting
    np.testing.assert_array_equal(one.losses, other.losses)
    assert other.error == one.test.error and other.wins[other.final] == 1
    assert other.optimism == pytest.approx(one.test.error - one.losses[one.chosen])


def test_the_rule_is_followed_on_the_validation_part() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    options: dict[str, Any] = {"plan": TrainValidationTest(), "l2": [10.0, 1.0, 0.1, 0.01]}
    least, simple = (tune(LogisticRegression(), X, y, rule=rule, **options) for rule in ("min", "one_se"))
    assert least.losses[least.chosen] == least.losses.min()
    limit = least.losses[least.chosen] + least.standard_errors[least.chosen]
    assert simple.chosen == int(np.flatnonzero(simple.losses <= limit)[0])


def test_labels_and_test_rows_have_no_say_in_the_choice() -> None:
    X, y = load_wine(return_X_y=True)
    plan = TrainValidationTest()
    part = plan.parts(y)
    spoilt = X.copy()
    spoilt[part == 2] = 1e6 * np.random.default_rng(0).normal(size=spoilt[part == 2].shape)
    clean, other = (
        tune(GaussianClassifier(), rows, y, plan=plan, blend=[0.0, 0.5, 1.0]) for rows in (X, spoilt)
    )
    np.testing.assert_array_equal(clean.losses, other.losses)
    assert clean.chosen == other.chosen and clean.test.error < other.test.error


def test_small_parts_say_how_much_a_row_counts() -> None:
    X, y = load_wine(return_X_y=True)
    found = tune(GaussianClassifier(), X, y, plan=TrainValidationTest(), blend=[0.0, 1.0])
    assert found.test is not None and codes(found.test.notes)[-1] == "P703"
    assert found.test.notes[-1].values["step"] == 1 / found.test.notes[-1].values["test"] == 1 / 36
    many = 6 * FEW
    X, y = np.random.default_rng(0).normal(size=(many, 2)), np.arange(many) % 2
    found = tune(GaussianClassifier(), X, y, plan=TrainValidationTest(), blend=[0.0, 1.0])
    assert found.test is not None and not found.test.notes


def test_weights_priors_losses_and_groups_reach_both_parts() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(1)
    weight, groups, plan = rng.uniform(0.5, 2.0, len(y)), np.arange(len(y)) // 3, TrainValidationTest()
    options: dict[str, Any] = {
        "sample_weight": weight,
        "groups": groups,
        "loss": [[0, 1], [5, 0]],
        "priors": [0.5, 0.5],
    }
    found = tune(GaussianClassifier(), X, y, plan=plan, blend=[0.0, 1.0], **options)
    alone = evaluate(GaussianClassifier(**found.setting), X, y, plan, **options)
    assert found.test is not None and found.test.mean_loss() == alone.mean_loss()
    part = plan.parts(y, groups)
    assert all(len(set(part[groups == group].tolist())) == 1 for group in groups)


def test_it_is_a_splitter_for_scikit_learn() -> None:
    from sklearn.model_selection import cross_val_score

    X, y = load_wine(return_X_y=True)
    (score,) = cross_val_score(RidgeClassifier(), X, y, cv=TrainValidationTest())
    part = TrainValidationTest().parts(y)
    assert score == RidgeClassifier().fit(X[part == 0], y[part == 0]).score(X[part == 2], y[part == 2])


def test_a_class_too_small_is_one_sentence() -> None:
    X, y = np.random.default_rng(0).normal(size=(22, 2)), np.array(["a"] * 20 + ["b"] * 2)
    with raises("S067", row=20, size=2):
        tune(GaussianClassifier(), X, y, plan=TrainValidationTest(), blend=[0.0, 1.0])
