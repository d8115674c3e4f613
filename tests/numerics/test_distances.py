"""Distances against SciPy and by hand, and the rows that have none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from assay.numerics.distances import cosine, hamming, pairwise, pairwise_blocks, pearson, similarity
from tests.raised import Expected, raises

Array = np.ndarray[Any, Any]
NAMES = {"euclidean": "euclidean", "manhattan": "cityblock", "cosine": "cosine", "correlation": "correlation"}


def two(seed: int = 0, dtype: Any = np.float64) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(37, 11)).astype(dtype), rng.normal(size=(300, 11)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("metric", NAMES)
def test_equal_to_scipy(metric: str, dtype: Any) -> None:
    X, Y = two(dtype=dtype)
    expected = cdist(X.astype(float), Y.astype(float), NAMES[metric])
    np.testing.assert_allclose(pairwise(X, Y, metric), expected, rtol=1e-12, atol=1e-13)


def test_mahalanobis_by_the_inverse_covariance() -> None:
    X, Y = two()
    S = np.cov(Y, rowvar=False)
    expected = cdist(X, Y, "mahalanobis", VI=np.linalg.inv(S))
    np.testing.assert_allclose(pairwise(X, Y, "mahalanobis", covariance=S), expected, rtol=1e-9)
    own = cdist(X, X, "mahalanobis", VI=np.linalg.inv(np.cov(X, rowvar=False)))
    np.testing.assert_allclose(pairwise(X, metric="mahalanobis"), own, rtol=1e-8, atol=1e-10)


def test_hamming_counts_places_that_differ() -> None:
    assert hamming("01101001", "10101010") == 4
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (20, 13)).astype(float)
    assert np.array_equal(pairwise(X, metric="hamming"), (13 * cdist(X, X, "hamming")).round(9))
    assert hamming("", "") == 0 and hamming([1, 2], [1, 3]) == 1


def test_small_cosine_distances_keep_their_digits() -> None:
    X = np.array([[1.0, 0.0], [1.0, 1e-9]])
    assert pairwise(X, metric="cosine")[0, 1] == pytest.approx(0.5e-18, rel=1e-6)


def gower(a: Array, b: Array, width: Array, levels: Array) -> float:
    seen = ~np.isnan(a) & ~np.isnan(b)
    parts = np.where(levels, (a != b) * 1.0, np.abs(a - b) / width)[seen]
    return float(parts.sum() * len(a) / seen.sum()) if seen.any() else float(len(a))


def test_mixed_distances_by_hand() -> None:
    rng = np.random.default_rng(2)
    X = np.column_stack(
        [rng.normal(size=(30, 2)), rng.integers(0, 4, 30), 7 * rng.normal(size=30), np.ones(30)]
    )
    X[rng.random(X.shape) < 0.3] = np.nan
    X[4] = np.nan
    levels = np.array([False, False, True, False, True])
    width = np.where(levels, 1.0, np.nanmax(X, axis=0) - np.nanmin(X, axis=0))
    expected = [[gower(a, b, width, levels) for b in X] for a in X]
    found = pairwise(X, metric="mixed", categorical=levels)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    assert (found[4] == 5.0).all()  # shares no column with anyone: as far as rows can be


def test_mixed_distance_of_a_worked_example() -> None:
    """Ages 20 and 60 of a range of 40, another job: 1 + 1; without the job, 1 times 2/1."""
    X = np.array([[20.0, 0.0], [60.0, 1.0], [60.0, np.nan]])
    found = pairwise(X, metric="mixed", categorical=[False, True])
    assert found.tolist() == [[0.0, 2.0, 2.0], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]


def test_blocks_are_the_whole_and_threads_change_no_bit() -> None:
    X, Y = two(3)
    whole = pairwise(X, Y)
    for threads in (1, 2, 5):
        blocks = list(pairwise_blocks(X, Y, threads=threads, block_bytes=8 * 300 * 10))
        assert [start for start, _ in blocks] == [0, 10, 20, 30]
        assert np.array_equal(np.concatenate([block for _, block in blocks]), whole)


def test_similarity_falls_from_one() -> None:
    assert similarity(0.0) == 1.0
    assert similarity(pairwise([[1.0, 2.0]])).tolist() == [[1.0]]
    assert similarity([1.0, 3.0]).tolist() == [0.5, 0.25]


def test_three_ways_to_correlation_agree() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=50), rng.normal(size=50) + 1e3
    zx, zy = ((v - v.mean()) / v.std(ddof=1) for v in (x, y))
    by_scores = (zx * zy).sum() / 49
    by_covariance = np.cov(x, y)[0, 1] / (x.std(ddof=1) * y.std(ddof=1))
    assert pearson(x, y) == pytest.approx(by_scores, abs=1e-12) == pytest.approx(by_covariance, abs=1e-12)
    assert pearson([1, 2, 3], [61, 62, 63]) == 1.0 and pearson([1, 2, 3], [3, 2, 1]) == -1.0
    assert 1.0 - pairwise([x], [y], "correlation")[0, 0] == pytest.approx(pearson(x, y))


def test_cosine_by_hand() -> None:
    x, y = np.random.default_rng(5).normal(size=(2, 30))
    assert cosine(x, y) == pytest.approx(x @ y / np.sqrt((x @ x) * (y @ y)), abs=1e-14)
    assert cosine([1e200, 0.0], [1e200, 1e200]) == pytest.approx(np.sqrt(0.5), rel=1e-14)
    assert cosine([2.0, 1.0], [-4.0, -2.0]) == -1.0


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: pairwise([[1.0, 0.0], [0.0, 0.0]], metric="cosine"), Expected("N002", row=1, name="X")),
        (lambda: pairwise([[1.0, 2.0]], [[3.0, 3.0]], "correlation"), Expected("N001", row=0, name="Y")),
        (lambda: hamming("011", "01"), Expected("N006", n_one=3, kind="characters", n_two=2)),
        (lambda: hamming([1], []), Expected("N006", n_one=1, kind="entries", n_two=0)),
        (lambda: pearson([1.0, 1.0], [1.0, 2.0]), Expected("N009", name="x")),
        (lambda: pearson([1.0, 2.0], [1.0, 2.0, 3.0]), Expected("N007")),
        (lambda: cosine([0.0, 0.0], [1.0, 2.0]), Expected("N742", name="x")),
        (lambda: cosine([1.0, 2.0], [1.0]), Expected("N007")),
        (lambda: pearson([1.0, 2.0], [1.0, np.nan]), Expected("N743", name="y", place=1)),
        (lambda: pairwise([[1.0]], metric="chebyshev"), Expected("N008", metric="chebyshev")),
        (lambda: pairwise([[1.0]], [[1.0, 2.0]]), Expected("N003", n_columns=1, other_columns=2)),
        (lambda: pairwise([1.0]), Expected("N004", name="X", ndim=1)),
        (lambda: pairwise([[1.0], [np.nan]]), Expected("N005", name="X", row=1, column=0)),
        (lambda: pairwise([[np.inf]], metric="mixed"), Expected("N005", name="X", row=0, column=0)),
        (lambda: pairwise([[1.0, 2.0]], metric="mahalanobis"), Expected("N010")),
        (lambda: pairwise([[1.0, 2.0]], metric="mahalanobis", covariance=[[1.0, 2.0]]), Expected("N011")),
    ],
)
def test_what_has_no_distance_is_told_in_a_sentence(call: Any, expected: Expected) -> None:
    with raises(expected) as caught:
        call()
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
