"""Learning curves: nested subsets, every class at once, and an end that is the nested estimate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    BasisExpansion,
    CategoricalNB,
    GaussianClassifier,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LeastSquaresClassifier,
    LogisticRegression,
    Standardize,
)
from assay.engines.local import LocalEngine
from assay.models.base.validation import Encoded, encode
from assay.selection.evaluate import dataset_of
from assay.selection.learning_curve import piece_of, proportional_order
from assay.sharing.settings import Settings
from assay.sharing.splits import splits_of
from assay.sharing.study import Study
from assay.workbench.experiment.learning_curve import learning_curve
from tests.contract.registry import blobs
from tests.nesting import nest

SETTINGS: dict[str, list[Any]] = {
    "moments": [GaussianClassifier("full", blend=b) for b in (0.1, 1.0)],
    "path": [make_pipeline(Standardize(), LogisticRegression(l2=l2)) for l2 in (1e-6, 0.1)],
    "products": [
        make_pipeline(BasisExpansion("polynomial", degree=2), Standardize(), LeastSquaresClassifier(l2=l2))
        for l2 in (0.01, 10.0)
    ],
    "levels": [CategoricalNB(smoothing=a) for a in (0.1, 10.0)],
    "machine": [make_pipeline(Standardize(), KernelSVM(l2=l2, tol=1e-6)) for l2 in (1e-3, 1e-1)],
    "near": [make_pipeline(Standardize(), KNeighborsClassifier(k)) for k in (1, 9)],
    "bare": [KNeighborsClassifier(k) for k in (1, 9)],
    "tree": [DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 5)],
}


@pytest.mark.parametrize("name", SETTINGS)
def test_curve_equals_plain_fits_to_the_first_rows(name: str) -> None:
    X, y = blobs(rows=200)
    X = np.round(X) if name == "levels" else X
    models = SETTINGS[name]
    plan = KFold(4)
    partition, labels = plan.partitions(y)[0], Encoded(*encode(y))
    found = nest("model", models, X, labels, plan, progress=False)
    rows = dataset_of(X, labels, None, None, LocalEngine())
    curve = learning_curve(Settings.of(models), found, Study(rows, splits_of(plan, rows.codes)), partition, 0)
    assert [point.rows for point in curve] == [19, 38, 75, 150]
    order = proportional_order(np.arange(200), labels.codes, 0, partition.fold)
    for point, share in zip(curve, (1 / 8, 1 / 4, 1 / 2, 1.0), strict=True):
        wrong = 0
        for f in range(4):
            first = np.sort(order[: int(200 * share)])
            train, test = first[partition.fold[first] != f], partition.test_rows(f)
            model = clone(models[found.chosen[f]]).fit(X[train], y[train])
            wrong += int((model.predict(X[test]) != y[test]).sum())
        assert point.error == pytest.approx(wrong / 200)
        assert point.low < point.error < point.high
    assert curve[-1].error == found.evaluation.error


def test_every_beginning_holds_the_classes_in_proportion() -> None:
    codes = np.repeat([0, 1, 2], [60, 30, 10]).astype(np.int32)
    order = proportional_order(np.arange(100), codes, seed=3)
    assert sorted(order.tolist()) == list(range(100))
    assert set(codes[order[:3]].tolist()) == {0, 1, 2}
    for size in (10, 20, 50):
        assert np.abs(np.bincount(codes[order[:size]]) / size - [0.6, 0.3, 0.1]).max() <= 0.11


def test_tiny_tables_have_a_single_point() -> None:
    X, y = blobs(rows=20, classes=3)
    plan, labels = KFold(2), Encoded(*encode(y))
    found = nest("model", [GaussianClassifier("shared")], X, labels, plan, progress=False)
    rows = dataset_of(X, labels, None, None, LocalEngine())
    study = Study(rows, splits_of(plan, rows.codes))
    settings = Settings.of([GaussianClassifier("shared")])
    curve = learning_curve(settings, found, study, plan.partitions(y)[0], 0)
    assert [point.rows for point in curve] == [10]


def test_groups_are_added_whole_and_sizes_of_one_class_are_left_out() -> None:
    X, y = blobs(rows=240, classes=2)
    groups = np.repeat(np.arange(12), 20).astype(np.int32)
    labels = Encoded((groups % 2).astype(np.int32), np.array(["a", "b"]))
    plan = KFold(3)
    partition = plan.partitions(labels.codes, groups)[0]
    models = [GaussianClassifier("shared")]
    found = nest("model", models, X, labels, plan, groups=groups, progress=False)
    rows = dataset_of(X, labels, None, groups, LocalEngine())
    study = Study(rows, splits_of(plan, rows.codes, rows.groups))
    curve = learning_curve(Settings.of(models), found, study, partition, 0)
    piece = piece_of(partition, labels.codes, np.array([0.25, 0.5]), 0, groups)
    assert all(len(np.unique(piece[groups == g])) == 1 for g in range(12))
    assert [point.rows for point in curve] == sorted({point.rows for point in curve})
    assert all(point.rows >= 40 for point in curve)  # one group of each class at least
