"""Metrics by name, and the positive class."""

from __future__ import annotations

import numpy as np
import pytest

from assay.decision.function_metric import FunctionMetric
from assay.decision.metric_names import NAMES, metric_named, metric_of, positive_class
from tests.raised import raises

TWO, THREE = np.array(["fair", "fraud"]), np.array(["a", "b", "c"])


@pytest.mark.parametrize("name", NAMES[1:])
def test_every_name_has_a_metric(name: str) -> None:
    assert metric_named(name, 1).name == name
    of_class = name in ("precision", "recall", "specificity", "f1", "average_precision")
    assert metric_named(name, 1).positive == (1 if of_class else None)


def test_the_error_is_what_is_minimised_without_a_metric() -> None:
    assert metric_of(None, TWO, 1) is metric_of("error", TWO, 1) is None


def test_a_function_is_a_metric() -> None:
    def accuracy(y_true: object, predicted: object) -> float:
        return 0.5

    metric = metric_of(accuracy, TWO, 1)
    assert isinstance(metric, FunctionMetric) and metric.name == "accuracy"
    assert metric_of(metric, TWO, 1) is metric


def test_unknown_metrics_and_metrics_of_one_class_of_several() -> None:
    with raises("L100", name="f2") as caught:
        metric_of("f2", TWO, 1)
    assert caught.value.args[0].values["hint"].values["near"][0] == "f1"
    with raises("L101", TypeError, metric=3):
        metric_of(3, TWO, 1)  # type: ignore[arg-type]
    with raises("L102", name="f1", n_classes=3, instead="f1_macro"):
        metric_of("f1", THREE, None)
    with raises("L102", instead="balanced_accuracy"):
        metric_of("specificity", THREE, None)
    assert metric_of("f1", THREE, 2) == metric_named("f1", 2)


def test_the_positive_class() -> None:
    codes = np.array([0, 0, 0, 1], dtype=np.int32)
    assert positive_class(None, codes, TWO) == 1
    assert positive_class(None, 1 - codes, TWO) == 0
    assert positive_class(None, codes[2:], TWO) == 1  # of equal ones the second
    assert positive_class("fair", codes, TWO) == 0
    assert positive_class(None, codes, THREE) is None
    assert positive_class("1", codes, np.array([0, 1])) == 1
    with raises("L103", label="frauds"):
        positive_class("frauds", codes, TWO)
