"""The table of metrics of an evaluation."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from assay import Bootstrap, GaussianNB, KFold, LinearSVM, evaluate
from assay.decision.metric_names import metric_named

theirs: Any = import_module("sklearn.metrics")


def test_the_table_of_two_classes_is_about_the_rarer() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    result = evaluate(GaussianNB(), X, y, KFold(5))
    table = result.metrics()
    assert table["precision"].of == 0 and len([row for row in table if row.metric == "f1"]) == 1
    assert table["precision"].value == pytest.approx(theirs.precision_score(y, result.predicted, pos_label=0))
    assert table["f1_weighted"].value == pytest.approx(
        theirs.f1_score(y, result.predicted, average="weighted")
    )
    assert table["error"].value == pytest.approx(result.error) and table["auc"].value == pytest.approx(
        result.auc
    )
    odds = result.log_posterior[:, 0] - result.log_posterior[:, 1]
    assert table["average_precision"].value == pytest.approx(theirs.average_precision_score(y == 0, odds))
    assert (table["error"].low, table["error"].high) == result.error_interval
    assert (table["log_loss"].low, table["log_loss"].high) == result.interval("log_loss")
    assert result.metrics(positive=1)["recall"].value == pytest.approx(table["specificity"].value)


def test_each_of_three_classes_has_its_own() -> None:
    X, y = load_iris(return_X_y=True)
    result = evaluate(LinearSVM(), X, y, KFold(5))
    table = result.metrics()
    each = theirs.f1_score(y, result.predicted, average=None)
    assert [table["f1", k].value for k in range(3)] == pytest.approx(list(each))
    assert "brier" not in [row.metric for row in table]  # margins have no posterior


def test_tests_of_a_row_count_as_one_row() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    once, often = (evaluate(GaussianNB(), X, y, KFold(5, repeats=repeats)).metrics() for repeats in (1, 4))
    for name in ("recall", "f1", "mcc", "average_precision"):
        widths = [table[name].high - table[name].low for table in (once, often)]
        assert widths[1] == pytest.approx(widths[0], rel=0.25)
    assert np.isfinite(evaluate(GaussianNB(), X, y, Bootstrap(10)).metrics()["f1"].high)


@pytest.mark.parametrize("name", ["f1", "mcc", "auc", "log_loss"])
@pytest.mark.parametrize("plan", [KFold(5), KFold(5, repeats=2)])
def test_losses_of_a_metric_have_its_mean(name: str, plan: KFold) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    metric = metric_named(name, 0)
    result = replace(evaluate(GaussianNB(), X, y, plan, sample_weight=weight), metric=metric)
    assert metric.loss(result.mean_loss()) == pytest.approx(result.metrics(positive=0)[name].value)
    standard_error = result.metrics(positive=0)[name].standard_error
    assert result.loss_standard_error == pytest.approx(standard_error, rel=0.02)
