"""Tables of counts by word and class, against plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import random_array

from assay import _core

ROWS, WORDS = 700, 9000


def documents(index: type = np.int32) -> tuple[Any, Any]:
    X = random_array((ROWS, WORDS), density=0.01, rng=np.random.default_rng(1), format="csr")
    X.data = np.random.default_rng(2).integers(1, 5, X.nnz).astype(float)
    return X, _core.counts.WordRows(X.indptr.astype(index), X.indices.astype(index), X.data, WORDS)


def padded(width: int) -> int:
    return -(-width // 8) * 8


@pytest.mark.parametrize("classes", [1, 2, 8, 20, 33, 70])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_scores_of_some_rows_and_words(classes: int, index: type) -> None:
    X, rows = documents(index)
    rng = np.random.default_rng(3)
    which, place = rng.integers(0, ROWS, 400), np.full(WORDS, -1, dtype=np.int32)
    words = np.sort(rng.choice(WORDS, 500, replace=False))
    place[words] = np.arange(500)
    weights = rng.normal(size=(500, padded(classes)))
    bias = rng.normal(size=classes)
    found = [np.full((400, classes), np.nan) for _ in range(2)]
    for threads, out in zip((1, 3), found, strict=True):
        rows.scores(which, place, weights, bias, threads, out)
    expected = bias + X[which][:, words].toarray() @ weights[:, :classes]
    np.testing.assert_allclose(found[0], expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_are_added_to_the_counts_of_their_class_and_leave_them(index: type) -> None:
    X, rows = documents(index)
    rng = np.random.default_rng(4)
    code = rng.integers(-1, 3, ROWS).astype(np.int32)
    weight = rng.integers(0, 4, ROWS).astype(float)
    which = np.arange(0, ROWS, 3)
    counted = np.zeros((WORDS, 3))
    rows.add(which, code, weight, 1.0, counted)
    dense = X.toarray()
    for k in range(3):
        own = which[code[which] == k]
        np.testing.assert_array_equal(counted[:, k], weight[own] @ dense[own])
    rows.add(which[:50], code, weight, -1.0, counted)
    rows.add(which[50:], code, weight, -1.0, counted)
    assert not counted.any()
    rows.add(which, code, None, 2.0, counted)
    own = which[code[which] == 0]
    np.testing.assert_array_equal(counted[:, 0], 2 * dense[own].sum(axis=0))


@pytest.mark.parametrize("classes", [1, 5, 20])
def test_sums_over_a_vocabulary(classes: int) -> None:
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 50, (WORDS, classes)).astype(float)
    chosen = (rng.random(WORDS) < 0.7).astype(np.uint8)
    base = 50.0 + rng.random(classes)
    found = [(np.full(classes, np.nan), np.full(classes, np.nan)) for _ in range(2)]
    for threads, (totals, logs) in zip((1, 3), found, strict=True):
        _core.counts.vocabulary_sums(counts, chosen, base, threads, totals, logs)
    kept = counts[chosen > 0]
    np.testing.assert_array_equal(found[0][0], kept.sum(axis=0))
    np.testing.assert_allclose(found[0][1], np.log(base - kept).sum(axis=0), rtol=1e-13)
    np.testing.assert_array_equal(found[0], found[1])
    _core.counts.vocabulary_sums(counts, chosen, None, 1, *found[1])
    assert not found[1][1].any()


@pytest.mark.parametrize("edge", [1e-15, 1e15])
def test_products_at_the_edges_stay_finite(edge: float) -> None:
    totals, logs = np.empty(1), np.empty(1)
    _core.counts.vocabulary_sums(
        np.zeros((100, 1)), np.ones(100, dtype=np.uint8), np.array([edge]), 1, totals, logs
    )
    np.testing.assert_allclose(logs, 100 * np.log(edge), rtol=1e-13)


@pytest.mark.parametrize("classes", [1, 3, 8, 21])
@pytest.mark.parametrize("others", [False, True])
def test_logarithms_of_some_words(classes: int, others: bool) -> None:
    rng = np.random.default_rng(6)
    counts = rng.integers(0, 50, (WORDS, classes)).astype(float)
    words = np.sort(rng.choice(WORDS, 5000, replace=False)).astype(np.int64)
    base = (100.0 + classes * 50) + rng.random(classes)
    for sign in (1.0, -1.0):
        out = np.full((5000, padded(classes)), np.nan)
        _core.counts.word_logs(counts, words, base, sign, others, 2, out)
        taken = counts[words]
        taken = taken.sum(axis=1, keepdims=True) - taken if others else taken
        np.testing.assert_allclose(out[:, :classes], np.log(base + sign * taken), rtol=1e-14)
        assert not out[:, classes:].any()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda r: r.add(np.array([ROWS]), np.zeros(ROWS, np.int32), None, 1.0, np.zeros((WORDS, 2))), "no such row"),
        (lambda r: r.add(np.array([0]), np.full(ROWS, 2, np.int32), None, 1.0, np.zeros((WORDS, 2))), "name a class"),
        (lambda r: r.add(np.array([0]), np.zeros(5, np.int32), None, 1.0, np.zeros((WORDS, 2))), "fit together"),
        (
            lambda r: r.scores(
                np.array([0]), np.full(WORDS, 3, np.int32), np.ones((3, 8)), np.ones(2), 1, np.ones((1, 2))
            ),
            "has no line",
        ),
        (
            lambda r: r.scores(
                np.array([0]), np.full(WORDS, -1, np.int32), np.ones((3, 9)), np.ones(2), 1, np.ones((1, 2))
            ),
            "whole lanes",
        ),
        (
            lambda r: _core.counts.word_logs(
                np.ones((4, 2)), np.array([4]), np.ones(2), 1.0, False, 1, np.ones((1, 8))
            ),
            "no such word",
        ),
        (
            lambda r: _core.counts.vocabulary_sums(
                np.ones((4, 2)), np.ones(3, np.uint8), None, 1, np.ones(2), np.ones(2)
            ),
            "fit together",
        ),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(call: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call(documents()[1])
