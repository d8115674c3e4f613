"""Metrics of the confusion matrix against scikit-learn, and their derivatives against differences."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from assay.decision.confusion_metrics import (
    Accuracy,
    ClassAverage,
    ClassRatio,
    CohenKappa,
    ConfusionMetric,
    Kind,
    MatthewsCorrelation,
    smoothed,
)

theirs: Any = import_module("sklearn.metrics")
FloatArray = npt.NDArray[np.float64]
KINDS: tuple[Kind, ...] = ("precision", "recall", "specificity", "f1")
METRICS: dict[str, tuple[ConfusionMetric, Any]] = {
    "accuracy": (Accuracy(), theirs.accuracy_score),
    "MCC": (MatthewsCorrelation(), theirs.matthews_corrcoef),
    "kappa": (CohenKappa(), theirs.cohen_kappa_score),
    "balanced accuracy": (ClassAverage("recall"), theirs.balanced_accuracy_score),
    **{
        f"{average} {kind}": (
            ClassAverage(kind, average == "weighted"),
            lambda y, p, sample_weight, kind=kind, average=average: getattr(theirs, f"{kind}_score")(
                y, p, average=average, sample_weight=sample_weight, zero_division=0
            ),
        )
        for kind in ("precision", "recall", "f1")
        for average in ("macro", "weighted")
    },
}


def rows(n_classes: int, weighted: bool) -> tuple[Any, Any, Any, FloatArray]:
    """True and predicted classes, weights, and the confusion matrix."""
    generator = np.random.default_rng(n_classes)
    truth = generator.integers(0, n_classes, 150)
    predicted = np.where(generator.random(150) < 0.6, truth, generator.integers(0, n_classes, 150))
    weight = generator.uniform(0.2, 2.0, 150) if weighted else None
    return (
        truth,
        predicted,
        weight,
        theirs.confusion_matrix(truth, predicted, sample_weight=weight).astype(float),
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("name", METRICS)
def test_values_are_scikit_learns(name: str, n_classes: int, weighted: bool) -> None:
    truth, predicted, weight, counts = rows(n_classes, weighted)
    ours, other = METRICS[name]
    assert ours.value(counts) == pytest.approx(other(truth, predicted, sample_weight=weight), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_against_the_rest_is_scikit_learns(kind: Kind) -> None:
    truth, predicted, weight, counts = rows(3, True)
    for k in range(3):
        true, said = (truth != k, predicted != k) if kind == "specificity" else (truth == k, predicted == k)
        name = "recall" if kind == "specificity" else kind
        expected = getattr(theirs, f"{name}_score")(true, said, sample_weight=weight)
        assert ClassRatio(kind, k).value(counts) == pytest.approx(expected)


@pytest.mark.parametrize(
    "metric",
    [m for m, _ in METRICS.values()]
    + [ClassRatio(kind, 1) for kind in KINDS]
    + [ClassAverage("specificity", True)],
    ids=[*METRICS, *KINDS, "weighted specificity"],
)
def test_gradients_are_differences(metric: ConfusionMetric) -> None:
    shares = rows(3, True)[3]
    shares = shares / shares.sum()
    step, slope = 1e-6, np.zeros(shares.shape)
    for cell in np.ndindex(3, 3):
        change = np.zeros(shares.shape)
        change[cell] = step
        up, down = (shares + sign * change for sign in (1, -1))
        slope[cell] = (metric.value(up / up.sum()) - metric.value(down / down.sum())) / (2 * step)
    ours = metric.gradient(17.0 * shares)
    np.testing.assert_allclose(ours - (shares * ours).sum(), slope, atol=1e-8)


def test_many_matrices_at_once() -> None:
    both = np.stack([rows(3, False)[3], rows(3, True)[3]])
    for metric, _ in METRICS.values():
        np.testing.assert_allclose(metric.values(both), [metric.value(counts) for counts in both])


def test_what_is_not_defined() -> None:
    never = np.array([[8.0, 0.0], [2.0, 0.0]])
    assert np.isnan(ClassRatio("precision", 1).value(never))
    assert ClassRatio("f1", 1).value(never) == ClassRatio("recall", 1).value(never) == 0.0
    assert MatthewsCorrelation().value(never) == CohenKappa().value(never) == 0.0
    assert ClassAverage("precision").value(never) == pytest.approx(0.4)
    for metric in (
        MatthewsCorrelation(),
        CohenKappa(),
        ClassAverage("precision"),
        ClassRatio("precision", 1),
    ):
        assert np.isfinite(metric.gradient(never)).all()


def test_a_matrix_without_errors_is_smoothed_at_the_sums_of_the_classes() -> None:
    counts = smoothed(np.diag([10.0, 30.0]))
    np.testing.assert_allclose(counts.sum(axis=1), [10.0, 30.0])
    assert (counts > 0).all()
