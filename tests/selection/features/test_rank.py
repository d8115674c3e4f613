"""Features ranked one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from assay import mutual_information, rank_features, read
from tests.raised import Expected, raises
from tests.selection.features.data import planted


def by_hand(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The largest |r| with the indicator of a class."""
    return np.array(
        [
            max(abs(np.corrcoef(x, y == k)[0, 1]) for k in np.unique(y))
            for x in np.asarray(X, dtype=np.float64).T
        ]
    )


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_two_classes_equal_corrcoef(shift: float) -> None:
    X, y = planted(0)
    expected = [abs(np.corrcoef(x, y)[0, 1]) for x in X.T]
    np.testing.assert_allclose(rank_features(X + shift, y).scores, expected, rtol=1e-8, atol=1e-12)


def test_many_classes_are_taken_one_against_the_rest() -> None:
    X, y = load_iris(return_X_y=True)
    found = rank_features(X, y)
    np.testing.assert_allclose(found.scores, by_hand(X, y), rtol=1e-12)
    assert found.features == list(np.argsort(-found.scores)) and found.by == "correlation"


def test_the_ratio_is_between_over_total_variance() -> None:
    X, y = load_iris(return_X_y=True)
    between = sum((y == k).sum() * (X[y == k].mean(axis=0) - X.mean(axis=0)) ** 2 for k in range(3))
    expected = between / ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    np.testing.assert_allclose(rank_features(X, y, by="correlation_ratio").scores, expected, rtol=1e-12)


def test_of_two_classes_the_ratio_is_the_square_of_the_correlation() -> None:
    X, y = planted(1)
    ratio, r = rank_features(X, y, by="correlation_ratio").scores, rank_features(X, y).scores
    np.testing.assert_allclose(ratio, r**2, rtol=1e-10)


def test_information_is_that_of_the_function() -> None:
    X, y = planted(2)
    assert np.array_equal(rank_features(X, y, by="information").scores, mutual_information(X, y))


@pytest.mark.parametrize("by", ["correlation", "correlation_ratio", "information"])
def test_planted_features_come_first(by: str) -> None:
    X, y = planted(3)
    assert set(rank_features(X, y, by=by).features[:2]) == {3, 7}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_scores_lie_between_0_and_1_and_ignore_unit_origin_and_names_of_classes(
    seed: int, classes: int
) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 4)), np.arange(40) % classes
    X[:, 3] = 5.0  # constant
    for by in ("correlation", "correlation_ratio"):
        scores = rank_features(X, y, by=by).scores
        assert ((scores >= 0) & (scores <= 1)).all() and scores[3] == 0
        other = rank_features(-3.0 * X + 7.0, np.array(["d", "c", "b", "a"])[y], by=by).scores
        np.testing.assert_allclose(other, scores, rtol=1e-9, atol=1e-12)


def test_weights_count_as_rows() -> None:
    X, y = planted(4, n=60)
    times = np.arange(60) % 3
    repeated = rank_features(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(rank_features(X, y, sample_weight=times).scores, repeated.scores, rtol=1e-12)


def test_missing_values_are_left_out_column_by_column() -> None:
    X, y = planted(5)
    X[::3, 3] = np.nan
    there = ~np.isnan(X[:, 3])
    for by in ("correlation", "correlation_ratio", "information"):
        alone = rank_features(X[there, 3:4], y[there], by=by).scores[0]
        assert rank_features(X, y, by=by).scores[3] == pytest.approx(alone, rel=1e-12)


def test_frames_and_typed_tables_have_names() -> None:
    X, y = planted(6, width=3, told=(2,))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    assert rank_features(frame, y).features[0] == "c"
    frame["colour"] = np.where(y == 1, "red", np.where(np.arange(len(y)) % 4 == 0, "blue", "green"))
    table = read(frame)
    for by in ("correlation", "correlation_ratio", "information"):
        found = rank_features(table, y, by=by)
        assert found.features[0] == "colour" and set(found.features) == {"a", "b", "c", "colour"}
    assert rank_features(table, y).scores[3] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"by": "luck"}, Expected("S099", by="luck")),
        ({"y": np.zeros(400)}, Expected("S103", n_classes=1)),
        ({"y": None}, Expected("M031")),
        ({"y": np.arange(399) % 2}, Expected("M032", n_rows=400, n_labels=399)),
        ({"by": "information", "sample_weight": np.ones(400)}, Expected("S100")),
        ({"X": np.full((400, 2), np.inf)}, Expected("N026", where="row 0, column 0")),
    ],
)
def test_bad_input_is_one_sentence(change: dict[str, object], expected: Expected) -> None:
    X, y = planted(7)
    with raises(expected):
        rank_features(**{"X": X, "y": y, **change})


def test_a_table_without_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="0 feature"):  # scikit-learn's sentence
        rank_features(np.empty((400, 0)), np.arange(400) % 2)
