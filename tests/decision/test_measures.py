"""Measures against hand-worked values, brute force, scikit-learn, and weight = repetition."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assay.decision import (
    LossMatrix,
    auc,
    brier,
    confusion,
    error_by_cell,
    error_rate,
    log_loss,
    mean_loss,
    row_briers,
    row_log_losses,
)
from tests.raised import Expected, raises

# scikit-learn ships no types: what it returns is taken as it comes.
metrics: Any = import_module("sklearn.metrics")
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def mann_whitney(positive: npt.NDArray[np.bool_], score: FloatArray) -> float:
    """Share of (positive, negative) pairs in the right order, by looking at every pair."""
    above = score[positive][:, None] - score[~positive][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


@st.composite
def cases(draw: st.DrawFn, n_classes: int = 3) -> tuple[IntArray, FloatArray, IntArray]:
    """True codes with every class present, posteriors with ties, and whole weights above 0."""
    n = draw(st.integers(n_classes, 25))
    codes = draw(hnp.arrays(np.int64, n, elements=st.integers(0, n_classes - 1)))
    codes[:n_classes] = np.arange(n_classes)
    raw = draw(hnp.arrays(np.float64, (n, n_classes), elements=st.integers(1, 6).map(float)))
    weight = draw(hnp.arrays(np.int64, n, elements=st.integers(1, 3)))
    return codes, raw / raw.sum(axis=1, keepdims=True), weight


MEASURES: dict[str, Any] = {
    "error": lambda y, p, w: error_rate(y, p.argmax(axis=1), w),
    "confusion": lambda y, p, w: confusion(y, p.argmax(axis=1), p.shape[1], w),
    "cells": lambda y, p, w: error_by_cell(y, p.argmax(axis=1), p.shape[1], w),
    "loss": lambda y, p, w: mean_loss(y, p.argmax(axis=1), [[0, 1, 4], [2, 0, 1], [7, 1, 0]], w),
    "log loss": lambda y, p, w: log_loss(y, np.log(p), w).value,
    "brier": lambda y, p, w: brier(y, p, w),
    "auc": lambda y, p, w: auc(y, p, w),
    "auc of pairs": lambda y, p, w: auc(y, p, w, average="one_vs_one"),
}


@pytest.mark.parametrize("name", MEASURES)
@settings(deadline=None, max_examples=40)
@given(case=cases())
def test_weight_is_repetition_and_order_does_not_matter(
    name: str, case: tuple[IntArray, FloatArray, IntArray]
) -> None:
    codes, posterior, weight = case
    measure = MEASURES[name]
    value = measure(codes, posterior, weight)
    repeated = measure(np.repeat(codes, weight), np.repeat(posterior, weight, axis=0), None)
    np.testing.assert_allclose(value, repeated, rtol=1e-12, atol=1e-14)
    reverse = measure(codes[::-1], posterior[::-1], weight[::-1])
    np.testing.assert_allclose(value, reverse, rtol=1e-12, atol=1e-14)
    unit = measure(codes, posterior, None)
    scaled = measure(codes, posterior, np.full(len(codes), 0.3))
    np.testing.assert_allclose(scaled, 0.3 * unit if name == "confusion" else unit, rtol=1e-12, atol=1e-14)


@settings(deadline=None)
@given(cases(n_classes=2))
def test_auc_of_two_classes_is_mann_whitney(case: tuple[IntArray, FloatArray, IntArray]) -> None:
    codes, posterior, _ = case
    expected = mann_whitney(codes == 1, posterior[:, 1])
    assert auc(codes, posterior) == pytest.approx(expected, abs=1e-12)
    assert auc(codes, posterior[:, 1]) == pytest.approx(expected, abs=1e-12)
    assert auc(codes, np.log(posterior)) == pytest.approx(expected, abs=1e-12)
    assert auc(1 - codes, -posterior[:, 1]) == pytest.approx(expected, abs=1e-12)
    assert auc(codes, posterior, average="one_vs_one") == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(cases(n_classes=4))
def test_auc_of_many_classes_is_the_mean_of_mann_whitneys(
    case: tuple[IntArray, FloatArray, IntArray],
) -> None:
    codes, posterior, _ = case
    rest = [mann_whitney(codes == k, posterior[:, k]) for k in range(4)]
    assert auc(codes, posterior) == pytest.approx(np.mean(rest), abs=1e-12)
    pairs = []
    for i, j in combinations(range(4), 2):
        rows = (codes == i) | (codes == j)
        pairs += [mann_whitney(codes[rows] == k, posterior[rows, k]) for k in (i, j)]
    assert auc(codes, posterior, average="one_vs_one") == pytest.approx(np.mean(pairs), abs=1e-12)


def test_auc_leaves_out_classes_without_rows() -> None:
    codes = np.array([0, 0, 2, 2])
    scores = np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.4, 0.1, 0.5], [0.1, 0.1, 0.8]])
    expected = (mann_whitney(codes == 0, scores[:, 0]) + mann_whitney(codes == 2, scores[:, 2])) / 2
    assert auc(codes, scores) == pytest.approx(expected)
    assert auc([0, 1, 2, 2], scores, [1, 0, 1, 1]) == pytest.approx(auc([0, 2, 2], scores[[0, 2, 3]]))


def test_against_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 5, 3000)
    posterior = rng.dirichlet(np.ones(5), size=3000)
    posterior[np.arange(3000), codes] += 0.3
    posterior /= posterior.sum(axis=1, keepdims=True)
    weight = rng.random(3000)
    predicted = posterior.argmax(axis=1)
    table = metrics.confusion_matrix(codes, predicted, sample_weight=weight)
    np.testing.assert_allclose(confusion(codes, predicted, 5, weight), table)
    assert error_rate(codes, predicted, weight) == pytest.approx(
        metrics.zero_one_loss(codes, predicted, sample_weight=weight)
    )
    assert log_loss(codes, np.log(posterior), weight).value == pytest.approx(
        metrics.log_loss(codes, posterior, sample_weight=weight), rel=1e-12
    )
    truth = np.eye(5)[codes]
    assert brier(codes, posterior, weight) == pytest.approx(
        np.average(((posterior - truth) ** 2).sum(axis=1), weights=weight), rel=1e-12
    )
    assert auc(codes, posterior, weight) == pytest.approx(
        metrics.roc_auc_score(codes, posterior, multi_class="ovr", sample_weight=weight), rel=1e-10
    )
    assert auc(codes, posterior, average="one_vs_one") == pytest.approx(
        metrics.roc_auc_score(codes, posterior, multi_class="ovo"), rel=1e-10
    )


@settings(deadline=None)
@given(cases())
def test_figures_agree_with_each_other(case: tuple[IntArray, FloatArray, IntArray]) -> None:
    codes, posterior, weight = case
    predicted = posterior.argmax(axis=1)
    error = error_rate(codes, predicted, weight)
    assert mean_loss(codes, predicted, LossMatrix.zero_one([0, 1, 2]), weight) == pytest.approx(error)
    table = confusion(codes, predicted, 3, weight)
    assert table.sum() == weight.sum()
    assert 1 - np.trace(table) / table.sum() == pytest.approx(error)
    np.testing.assert_array_equal(table.sum(axis=1), np.bincount(codes, weights=weight))
    cells = error_by_cell(codes, predicted, 3, weight)
    assert cells.sum() == pytest.approx(error)
    assert (np.diag(cells) == 0).all()
    np.testing.assert_allclose(row_briers(codes, posterior).mean(), brier(codes, posterior))


def test_rejected_rows_are_neither_right_nor_wrong() -> None:
    codes, predicted = [0, 0, 1, 1], [0, 1, -1, 1]
    assert error_rate(codes, predicted) == pytest.approx(1 / 3)
    np.testing.assert_array_equal(confusion(codes, predicted, 2), [[1, 1], [0, 1]])
    assert error_by_cell(codes, predicted, 2).sum() == pytest.approx(1 / 3)
    with raises("L047"):
        error_rate([0, 1], [-1, -1])


def test_log_loss_clips_and_counts_impossible_classes() -> None:
    logs = np.array([[-np.inf, 0.0], [np.log(0.5), np.log(0.5)], [0.0, -np.inf], [-1000.0, 0.0]])
    value, n_clipped = log_loss([0, 0, 0, 0], logs)
    floor = -np.log(np.finfo(np.float64).tiny)
    assert n_clipped == 1
    assert value == pytest.approx((floor + np.log(2) + 0 + 1000) / 4)
    rows, _ = row_log_losses([0, 0, 0, 0], logs)
    np.testing.assert_allclose(rows, [floor, np.log(2), 0, 1000], atol=1e-15)
    assert np.isneginf(logs[0, 0])


def test_brier_by_hand() -> None:
    assert brier([0], [[0.5, 0.3, 0.2]]) == pytest.approx(0.25 + 0.09 + 0.04)
    assert brier([0], [[1.0, 0.0]]) == 0
    assert brier([1], [[1.0, 0.0]]) == 2


def test_auc_of_infinite_scores() -> None:
    assert auc([0, 0, 1, 1], [-np.inf, 0.0, -np.inf, np.inf]) == pytest.approx((0.5 + 0 + 1 + 1) / 4)


BAD: dict[str, tuple[Any, Expected]] = {
    "code too large": (
        lambda: brier([0, 2], [[0.5, 0.5]] * 2),
        Expected("L037", row=1, class_code=2, lowest=0, last=1),
    ),
    "negative code": (lambda: brier([0, -1], [[0.5, 0.5]] * 2), Expected("L037", row=1, class_code=-1)),
    "float codes": (
        lambda: brier([0.0, 1.0], [[0.5, 0.5]] * 2),
        Expected("L035", dtype=np.dtype("float64"), last=1),
    ),
    "too few codes": (lambda: brier([0], [[0.5, 0.5]] * 2), Expected("L036", shape=(1,), n_rows=2)),
    "prediction": (lambda: confusion([0, 1], [0, 2], 2), Expected("L037", row=1, class_code=2)),
    "no rows": (lambda: error_rate(np.empty(0, int), np.empty(0, int)), Expected("L047")),
    "weight length": (lambda: error_rate([0, 1], [0, 1], [1.0]), Expected("L038", shape=(1,), n_rows=2)),
    "negative weight": (
        lambda: error_rate([0, 1], [0, 1], [1.0, -1.0]),
        Expected("L039", row=1, weight=-1.0),
    ),
    "nan weight": (lambda: error_rate([0, 1], [0, 1], [np.nan, 1.0]), Expected("L039", row=0)),
    "zero weights": (lambda: error_rate([0, 1], [0, 1], [0, 0]), Expected("L040", total=0.0)),
    "action": (
        lambda: mean_loss([0, 1], [0, 3], [[0, 1, 1], [1, 0, 1]]),
        Expected("L042", row=1, action=3, last=2),
    ),
    "rejected action": (
        lambda: mean_loss([0, 1], [0, -1], [[0, 1], [1, 0]]),
        Expected("L042", row=1, action=-1, last=1),
    ),
    "action shape": (lambda: mean_loss([0, 1], [0], [[0, 1], [1, 0]]), Expected("L041", n_rows=2)),
    "flat loss": (lambda: mean_loss([0, 1], [0, 1], [0, 1]), Expected("L015", n_axes=1)),
    "one class": (lambda: auc([1, 1], [0.1, 0.2]), Expected("L046", label=1)),
    "nan score": (lambda: auc([0, 1], [0.1, np.nan]), Expected("L045", row=1)),
    "score shape": (lambda: auc([0, 1], np.zeros((2, 2, 2))), Expected("L044", shape=(2, 2, 2))),
    "average": (lambda: auc([0, 1], [0.1, 0.2], average="mean"), Expected("L043", average="mean")),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(case: str) -> None:
    call, expected = BAD[case]
    with raises(expected) as raised:
        call()
    assert "\n" not in str(raised.value) and str(raised.value).endswith(".")
