"""Hold-out: the test part has its size, its classes and its groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.plans import HoldOut
from assay.plans.holdout import count_test
from tests.raised import raises


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=6),
    st.floats(0.001, 0.999),
    st.booleans(),
    st.integers(0, 2**32),
)
@settings(max_examples=200)
def test_sizes_and_class_shares(counts: list[int], share: float, stratified: bool, seed: int) -> None:
    codes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    if codes.size < 2:
        return
    (part,) = HoldOut(share, stratified=stratified, random_state=seed).partitions(codes)
    assert part.n_folds == 1 and set(part.fold.tolist()) == {0, -1}
    tested = part.fold == 0
    assert tested.sum() == count_test(share, codes.size)
    assert abs(tested.sum() - share * codes.size) <= 1.0
    if stratified:
        wanted = np.array(counts) * tested.sum() / codes.size
        assert np.abs(np.bincount(codes[tested], minlength=len(counts)) - wanted).max() < 1.0


@pytest.mark.parametrize(
    ("test_size", "n", "expected"),
    [(0.2, 10, 2), (0.25, 10, 3), (0.01, 10, 1), (0.99, 10, 9), (4, 10, 4), (1, 2, 1)],
)
def test_number_of_tested_rows(test_size: float | int, n: int, expected: int) -> None:
    assert count_test(test_size, n) == expected
    assert HoldOut(test_size).partitions(np.zeros(n, dtype=np.int32))[0].test_rows(0).size == expected


def test_training_and_test_rows_make_up_all_rows() -> None:
    ((train, test),) = HoldOut(0.3).split(np.zeros((50, 2)), np.arange(50) % 2)
    assert np.sort(np.concatenate([train, test])).tolist() == list(range(50))
    assert (train.size, test.size) == (35, 15)


def test_golden_rows() -> None:
    codes = np.arange(30) % 3
    assert HoldOut(0.2, random_state=11).partitions(codes)[0].test_rows(0).tolist() == [3, 4, 5, 13, 18, 29]


@given(
    st.lists(st.integers(1, 12), min_size=2, max_size=15),
    st.floats(0.01, 0.99),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_groups_stay_whole_and_both_parts_have_one(
    sizes: list[int], share: float, stratified: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    codes = rng.integers(0, 2, groups.size)
    (part,) = HoldOut(share, stratified=stratified, random_state=seed).partitions(codes, groups)
    tested = set(groups[part.fold == 0].tolist())
    trained = set(groups[part.fold == -1].tolist())
    assert tested and trained and not tested & trained
    assert tested | trained == set(range(len(sizes)))


def test_many_small_groups_come_near_the_wanted_size() -> None:
    groups = np.random.default_rng(4).integers(0, 300, 2000)
    codes = groups % 2
    (part,) = HoldOut(0.25).partitions(codes, groups)
    assert abs(part.test_rows(0).size - 500) <= 10
    assert abs(codes[part.test_rows(0)].mean() - codes.mean()) < 0.02


def test_too_few_rows_or_groups() -> None:
    with raises("S059"):
        HoldOut().partitions([0])
    with raises("S060", test_size=5, n_rows=5):
        HoldOut(5).partitions([0, 0, 0, 1, 1])
    with raises("S061"):
        HoldOut(0.5).partitions([0, 0, 1, 1], ["a"] * 4)


@pytest.mark.parametrize("test_size", [0, -1, 0.0, 1.0, 1.5, -0.1, float("nan"), True, "0.2", None])
def test_a_test_size_out_of_range(test_size: object) -> None:
    with raises("S058"):
        HoldOut(test_size)  # type: ignore[arg-type]


def test_other_bad_parameters() -> None:
    with raises("S040", name="stratified"):
        HoldOut(stratified=1)  # type: ignore[arg-type]
    with raises("N016", random_state=0.5):
        HoldOut(random_state=0.5)  # type: ignore[arg-type]
