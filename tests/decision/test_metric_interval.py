"""Intervals of metrics: Wilson's where a metric is a proportion, and coverage by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from assay.decision import delong, wilson
from assay.decision.metric_interval import metric_estimate
from assay.decision.metric_names import class_metric, metric_named
from assay.decision.metrics import LabelledScores
from assay.types import Array, Codes

TWO = np.array([0, 1])


def labelled_scores(n: int, seed: int, weight: Array | None = None) -> LabelledScores:
    """Two normal classes, one of four rows positive."""
    generator = np.random.default_rng(seed)
    truth = (generator.random(n) < 0.25).astype(np.int32)
    score = generator.normal(size=n) + 1.5 * truth
    scores = np.stack([np.zeros(n), score - 1.0], axis=1)
    return LabelledScores(truth, scores.argmax(axis=1).astype(np.int32), scores, False, weight, TWO)


def test_proportions_have_wilsons_interval() -> None:
    rows = labelled_scores(200, 0)
    hits = int(((rows.codes == 1) & (rows.predicted == 1)).sum())
    for kind, of in (("recall", rows.codes), ("precision", rows.predicted)):
        expected = wilson(hits, int((of == 1).sum()))
        assert metric_estimate(class_metric(kind, 1), rows).interval == pytest.approx(expected)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["recall", "specificity"])
def test_without_an_error_it_is_wilsons_too(kind: str) -> None:
    truth = np.repeat([0, 1], [40, 9]).astype(np.int32)
    rows = LabelledScores(truth, truth, np.eye(2)[truth], False, None, TWO)
    expected = wilson(n := 9 if kind == "recall" else 40, n)
    assert metric_estimate(class_metric(kind, 1), rows).interval == pytest.approx(expected, abs=1e-6)  # type: ignore[arg-type]


def test_auc_has_delongs_standard_error() -> None:
    rows = labelled_scores(300, 1)
    ours = metric_estimate(metric_named("auc", None), rows)
    theirs = delong(rows.codes, rows.scores[:, 1])
    assert ours.value == pytest.approx(theirs.value)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.02)


NAMES = ("precision", "recall", "f1", "balanced_accuracy", "mcc", "kappa", "f1_weighted", "average_precision")


@pytest.mark.parametrize("name", NAMES)
def test_repeats_of_a_row_are_one_row(name: str) -> None:
    rows, metric = labelled_scores(150, 2), metric_named(name, 1)
    place = np.repeat(np.arange(150), 3)
    once, thrice = metric_estimate(metric, rows), metric_estimate(metric, rows.take(place), place)
    assert thrice.value == pytest.approx(once.value)
    assert thrice.standard_error == pytest.approx(once.standard_error, rel=0.01)
    assert thrice.interval == pytest.approx(once.interval, abs=0.004)


def test_the_variance_factor_widens() -> None:
    rows, metric = labelled_scores(150, 2), metric_named("f1", 1)
    one, two = (metric_estimate(metric, rows, variance_factor=factor) for factor in (1.0, 2.0))
    assert two.standard_error == pytest.approx(np.sqrt(2.0) * one.standard_error)
    assert two.interval.low < one.interval.low and one.interval.high < two.interval.high


def test_what_is_not_defined_has_the_whole_range() -> None:
    codes: Codes = np.array([0, 0, 1], dtype=np.int32)
    rows = LabelledScores(codes, np.zeros(3, dtype=np.int32), np.zeros((3, 2)), False, None, TWO)
    estimate = metric_estimate(class_metric("precision", 1), rows)
    assert np.isnan(estimate.value) and estimate.interval == (0.0, 1.0)


@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_cover(weighted: bool) -> None:
    """600 samples of 150 rows: between 92 and 98 of 100 hold the truth of 200 000 rows."""
    truth = labelled_scores(200_000, 99)
    metrics = [metric_named(name, 1) for name in NAMES]
    values = [metric.value(truth) for metric in metrics]
    covered = np.zeros(len(metrics))
    for seed in range(600):
        weight = np.random.default_rng(10_000 + seed).uniform(0.5, 1.5, 150) if weighted else None
        rows = labelled_scores(150, seed, weight)
        for m, metric in enumerate(metrics):
            low, high = metric_estimate(metric, rows).interval
            covered[m] += low <= values[m] <= high
    rates = dict(zip(NAMES, covered / 600, strict=True))
    assert all(0.92 <= rate <= 0.98 for rate in rates.values()), rates
