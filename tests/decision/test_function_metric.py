"""Functions of the user's own as metrics."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from assay.decision.function_metric import FunctionMetric, jackknife_groups
from assay.decision.metric_interval import metric_estimate
from assay.decision.metric_names import metric_named
from assay.decision.metrics import LabelledScores
from tests.raised import raises

theirs: Any = import_module("sklearn.metrics")
TWO = np.array(["no", "yes"])


def labelled_scores(weight: Any = None) -> LabelledScores:
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 2, 400).astype(np.int32)
    p = np.clip(0.5 + 0.3 * (truth - 0.5) + generator.normal(0, 0.2, 400), 0.01, 0.99)
    scores = np.log(np.stack([1 - p, p], axis=1))
    return LabelledScores(truth, scores.argmax(axis=1).astype(np.int32), scores, True, weight, TWO)


def test_it_is_called_with_labels_or_posteriors() -> None:
    rows = labelled_scores()
    own = FunctionMetric(lambda y, p: theirs.f1_score(y, p, pos_label="yes"), name="F1 of yes")
    assert own.title == "F1 of yes"
    assert own.value(rows) == pytest.approx(metric_named("f1", 1).value(rows))
    loss = FunctionMetric(theirs.log_loss, of="posterior", larger_is_better=False)
    assert loss.name == "log_loss" and not loss.larger_is_better
    assert loss.value(rows) == pytest.approx(metric_named("log_loss", None).value(rows))


def test_weights_are_given_where_rows_have_some() -> None:
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 400)
    rows = labelled_scores(weight)
    own = FunctionMetric(theirs.matthews_corrcoef)
    assert own.value(rows) == pytest.approx(metric_named("mcc", None).value(rows))
    with raises("L104", kind="TypeError"):
        FunctionMetric(lambda y, p: 1.0).value(rows)


def test_the_jackknife_agrees_with_the_delta_method() -> None:
    rows = labelled_scores()
    groups = jackknife_groups(np.arange(400))
    own = metric_estimate(FunctionMetric(theirs.matthews_corrcoef), rows, groups)
    exact = metric_estimate(metric_named("mcc", None), rows)
    assert own.standard_error == pytest.approx(exact.standard_error, rel=0.25)


def test_units_stay_together_in_the_order_of_the_rows() -> None:
    units = np.arange(300, dtype=np.int32) // 3
    groups = jackknife_groups(np.arange(300), units)
    assert len(np.unique(groups)) == 100
    assert all(len(set(groups[units == unit])) == 1 for unit in range(100))
    assert (np.diff(groups) >= 0).all()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "high", None])
def test_what_is_not_a_finite_number(value: Any) -> None:
    with raises("L105", name="<lambda>", rows=400):
        FunctionMetric(lambda y, p: value).value(labelled_scores())


def test_what_it_raises_is_told() -> None:
    def broken(y: Any, p: Any) -> float:
        raise RuntimeError("no  luck")

    with raises("L104", name="broken", kind="RuntimeError", reason="no luck"):
        FunctionMetric(broken).value(labelled_scores())
    with raises("L106", of="scores"):
        FunctionMetric(broken, of="scores")  # type: ignore[arg-type]
