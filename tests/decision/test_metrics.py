"""Metrics of posteriors and scores against scikit-learn, and influences whose mean is 0."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from assay.decision.metric_names import NAMES, metric_named
from assay.decision.metrics import LabelledScores

theirs: Any = import_module("sklearn.metrics")


def labelled_scores(n_classes: int, weighted: bool) -> LabelledScores:
    generator = np.random.default_rng(n_classes)
    truth = generator.integers(0, n_classes, 160).astype(np.int32)
    scores = generator.normal(size=(160, n_classes))
    scores[np.arange(160), truth] += 1.0
    scores -= np.logaddexp.reduce(scores, axis=1, keepdims=True)
    weight = generator.uniform(0.3, 2.0, 160) if weighted else None
    return LabelledScores(
        truth, scores.argmax(axis=1).astype(np.int32), scores, True, weight, np.arange(n_classes)
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_and_posteriors(n_classes: int, weighted: bool) -> None:
    rows = labelled_scores(n_classes, weighted)
    p, w = np.exp(rows.scores), rows.weight
    each = range(n_classes)
    areas = [theirs.roc_auc_score(rows.codes == k, p[:, k], sample_weight=w) for k in each]
    precisions = [theirs.average_precision_score(rows.codes == k, p[:, k], sample_weight=w) for k in each]
    assert metric_named("auc", None).value(rows) == pytest.approx(np.mean(areas))
    assert metric_named("average_precision", None).value(rows) == pytest.approx(np.mean(precisions))
    assert metric_named("average_precision", 1).value(rows) == pytest.approx(precisions[1])
    assert metric_named("log_loss", None).value(rows) == pytest.approx(
        theirs.log_loss(rows.codes, p, sample_weight=w)
    )
    brier = theirs.brier_score_loss(rows.codes, p if n_classes > 2 else p[:, 1], sample_weight=w)
    assert metric_named("brier", None).value(rows) == pytest.approx(brier * (2 if n_classes == 2 else 1))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", NAMES[1:])
def test_influences_have_mean_zero_and_are_derivatives(name: str, weighted: bool) -> None:
    rows, metric = labelled_scores(3, weighted), metric_named(name, 1)
    shares = np.full(160, 1 / 160) if rows.weight is None else rows.weight / rows.weight.sum()
    influence = metric.influence(rows)
    assert shares @ influence == pytest.approx(0.0, abs=1e-12)
    for row in (0, 50, 100):
        change = 1e-6 * (np.arange(160) == row)
        up, down = (metric.value(rows._replace(weight=shares + sign * change)) for sign in (1, -1))
        assert influence[row] == pytest.approx((up - down) / 2e-6, abs=1e-5)


def test_what_is_minimised() -> None:
    assert metric_named("f1", 1).loss(0.75) == 0.25
    assert metric_named("log_loss", None).loss(0.75) == 0.75
