"""Training, validation and test part: sizes, classes, groups, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import TrainValidationTest
from tests.raised import Expected, raises


@given(st.lists(st.integers(10, 40), min_size=1, max_size=5), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_sizes_and_class_shares(counts: list[int], seed: int) -> None:
    codes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    part = TrainValidationTest((0.5, 0.3, 0.2), random_state=seed).parts(codes)
    found = np.array([np.bincount(codes[part == p], minlength=len(counts)) for p in range(3)])
    assert found.sum() == codes.size
    assert np.abs(found.sum(axis=1) - codes.size * np.array([0.5, 0.3, 0.2])).max() <= 1.0
    assert np.abs(found - np.outer([0.5, 0.3, 0.2], counts)).max() < 2.0  # one row a draw


def test_the_three_splits_are_disjoint_and_seeded() -> None:
    codes = np.arange(100) % 2
    plan = TrainValidationTest()
    (choosing,), (testing,) = plan.choosing(codes).partitions(codes), plan.partitions(codes)
    parts = [choosing.train_rows(0), choosing.test_rows(0), testing.test_rows(0)]
    assert [rows.size for rows in parts] == [60, 20, 20]
    assert np.sort(np.concatenate(parts)).tolist() == list(range(100))
    np.testing.assert_array_equal(testing.train_rows(0), parts[0])
    np.testing.assert_array_equal(plan.parts(codes), TrainValidationTest().parts(codes))
    assert (plan.parts(codes) != TrainValidationTest(random_state=1).parts(codes)).any()


def test_a_refit_trains_on_the_validation_part_too() -> None:
    codes = np.arange(50) % 2
    plan = TrainValidationTest(refit=True)
    (testing,) = plan.partitions(codes)
    np.testing.assert_array_equal(testing.train_rows(0), np.flatnonzero(plan.parts(codes) < 2))


def test_groups_stay_together() -> None:
    codes, groups = np.arange(60) % 2, np.arange(60) // 4
    part = TrainValidationTest((0.4, 0.3, 0.3)).parts(codes, groups)
    assert all(len(set(part[groups == group].tolist())) == 1 for group in range(15))
    assert set(part.tolist()) == {0, 1, 2}


def test_golden_rows() -> None:
    part = TrainValidationTest((0.4, 0.3, 0.3), random_state=11).parts(np.arange(12) % 2)
    assert part.tolist() == [1, 1, 0, 2, 2, 2, 0, 0, 2, 1, 1, 0]


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ((0.5, 0.2, 0.2), Expected("S066")),
        ((0.5, 0.5), Expected("S065")),
        ((0.5, 0.5, 0.0), Expected("S065")),
        ((1.2, -0.1, -0.1), Expected("S065")),
        ((float("nan"), 0.5, 0.5), Expected("S065")),
        (0.2, Expected("S065")),
        ("abc", Expected("S065")),
    ],
)
def test_wrong_shares_are_one_sentence(shares: Any, expected: Expected) -> None:
    with raises(expected) as caught:
        TrainValidationTest(shares)
    assert str(caught.value).count(". ") == 0


def test_a_class_with_too_few_rows_is_named_by_a_row() -> None:
    codes = np.array([0] * 20 + [1, 1])
    with raises("S067", row=20, size=2):
        TrainValidationTest().parts(codes)
    assert np.bincount(TrainValidationTest(stratified=False).parts(codes)).tolist() == [14, 4, 4]


def test_too_few_rows() -> None:
    with raises("S068", n_rows=2):
        TrainValidationTest().parts([0, 1])
