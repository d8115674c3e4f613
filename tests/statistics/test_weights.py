"""Weights as numbers of rows: what they decide, and what statistics make of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from assay.statistics import Counts, Moments, collect, count_levels, count_words
from assay.statistics.weights import in_rows, is_importance, scaled_to_rows, subset_weight
from tests.statistics.cases import assert_same, table

IMPORTANCE = np.array([0.5, 0.5, 1.0, 2.0, 0.0, 4.0])


def test_whole_numbers_count_rows() -> None:
    for weight in (np.ones(3), np.array([0.0, 2.0, 1e6])):
        assert not is_importance(weight)
        assert in_rows(weight) is weight
    assert not is_importance(None) and in_rows(None) is None
    assert np.array_equal(subset_weight(np.array([0.0, 2.0, 3.0]), np.array([1, 2])), [2.0, 3.0])


def test_importance_weights_add_up_to_the_rows_that_count() -> None:
    assert is_importance(IMPORTANCE)
    for factor in (1e-300, 1e-6, 1.0 / 3, 1e6 / 1.1, 1e300):
        scaled = scaled_to_rows(factor * IMPORTANCE)
        assert scaled.sum() == pytest.approx(5.0, rel=1e-15)
        np.testing.assert_allclose(scaled / scaled[0], IMPORTANCE / IMPORTANCE[0], rtol=1e-14)


@pytest.mark.parametrize("value", [1.0 / 150, 0.1, 3.7, 1e-200])
def test_equal_weights_are_no_weights(value: float) -> None:
    assert np.array_equal(in_rows(np.full(7, value)), np.ones(7))


def test_all_weights_of_a_call_decide_for_its_training_sets() -> None:
    np.testing.assert_allclose(subset_weight(IMPORTANCE, np.array([2, 3])), [2.0 / 3, 4.0 / 3])
    assert np.array_equal(subset_weight(IMPORTANCE, np.array([3, 4])), [1.0, 0.0])
    assert np.array_equal(subset_weight(IMPORTANCE, np.array([4])), [0.0])


def test_scaled_weights_that_are_whole_are_all_one() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        scaled = scaled_to_rows(rng.integers(0, 4, 5) / 4 + (np.arange(5) == 0))
        if not is_importance(scaled):  # so that a fit which decides again cannot take them for counts
            assert set(scaled.tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize("form", ["diagonal", "pooled", "full"])
def test_moments_are_those_of_scaled_weights_in_every_group(form: Any) -> None:
    t = table(300, weighted=True)
    group = (np.arange(300) % 4).astype(np.int32)
    found = collect(t.X, t.codes, 3, form=form, group=group, n_groups=4, weight=t.weight)
    assert found.importance and not found.in_rows().importance
    for g in range(4):
        mine = np.flatnonzero(group == g)
        expected = collect(t.X[mine], t.codes[mine], 3, form=form, weight=subset_weight(t.weight, mine))
        assert_same(found.in_rows()[g], expected, 1e-11)
    again = Moments.from_arrays(found.to_arrays())
    assert again.importance and again.merge(again).importance and again.complement().importance


def test_counts_are_those_of_scaled_weights_in_every_group() -> None:
    rng = np.random.default_rng(1)
    X, classes, group = rng.poisson(1.0, (60, 5)), rng.integers(0, 2, 60), np.arange(60) % 3
    weight = rng.choice([0.0, 0.5, 1.0, 2.0], 60)
    dense = count_words(X, classes, 2, group=group, n_groups=3, weight=weight)
    sparse = Counts(dense.weight, dense.rows, csr_array(dense.counts.reshape(6, 5)), dense.importance)
    for found in (dense.in_rows(), sparse.in_rows().dense()):
        for g in range(3):
            mine = np.flatnonzero(group == g)
            expected = count_words(X[mine], classes[mine], 2, weight=subset_weight(weight, mine))
            np.testing.assert_allclose(found[g].counts, expected.counts)
            np.testing.assert_allclose(found[g].weight, expected.weight)
    assert Counts.from_arrays(dense.to_arrays()).importance
    assert not count_levels(X, classes, 2, [9] * 5, weight=np.ceil(weight)).importance
