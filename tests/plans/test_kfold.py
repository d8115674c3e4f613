"""K-fold: even folds, even classes, whole groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.plans import KFold
from tests.raised import raises


def codes_of(counts: list[int], seed: int) -> np.ndarray:
    codes = np.repeat(np.arange(len(counts)), counts)
    return np.random.default_rng(seed).permutation(codes)


def spread(counts: np.ndarray) -> int:
    return int(counts.max() - counts.min())


@given(st.lists(st.integers(0, 40), min_size=1, max_size=7), st.integers(2, 12), st.integers(0, 2**32))
@settings(max_examples=200)
def test_folds_and_class_counts_within_one_row_of_equal(counts: list[int], n_splits: int, seed: int) -> None:
    codes = codes_of(counts, seed)
    if codes.size < n_splits:
        return
    for part in KFold(n_splits, repeats=2, random_state=seed).partitions(codes):
        assert part.fold.min() >= 0
        assert spread(np.bincount(part.fold, minlength=n_splits)) <= 1
        for k in range(len(counts)):
            assert spread(np.bincount(part.fold[codes == k], minlength=n_splits)) <= 1


@given(st.integers(2, 300), st.integers(2, 12), st.integers(0, 2**32))
def test_without_strata_sizes_are_still_even(n: int, n_splits: int, seed: int) -> None:
    if n < n_splits:
        return
    plan = KFold(n_splits, stratified=False, random_state=seed)
    (part,) = plan.partitions(np.arange(n) % 3)
    assert spread(np.bincount(part.fold, minlength=n_splits)) <= 1
    assert plan.partitions(np.zeros(n, dtype=np.int32)) == [part]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=7), st.integers(2, 12), st.integers(0, 2**32))
@settings(max_examples=200)
def test_rare_classes_are_spread_and_the_others_are_not_looked_at(
    counts: list[int], n_splits: int, seed: int
) -> None:
    codes = codes_of(counts, seed)
    if codes.size < n_splits:
        return
    (part,) = KFold(n_splits, stratified="rare", random_state=seed).partitions(codes)
    assert spread(np.bincount(part.fold, minlength=n_splits)) <= 1
    rare = np.bincount(codes) < n_splits
    for k in np.flatnonzero(rare):
        assert np.bincount(part.fold[codes == k], minlength=n_splits).max() <= 1
    common = np.flatnonzero(~rare[codes])
    assert spread(np.bincount(part.fold[common], minlength=n_splits)) <= 1
    shuffled = codes.copy()
    shuffled[common] = np.random.default_rng(seed).permutation(codes[common])
    assert KFold(n_splits, stratified="rare", random_state=seed).partitions(shuffled) == [part]


def test_without_rare_classes_folds_are_random() -> None:
    codes = np.arange(100) % 3
    assert KFold(10, stratified="rare").partitions(codes) == KFold(10, stratified=False).partitions(codes)


def test_whole_groups_go_to_random_folds() -> None:
    codes, groups = np.arange(60) % 2, np.arange(60) // 3
    (part,) = KFold(5, stratified="rare").partitions(codes, groups)
    assert all(len(set(part.fold[groups == g])) == 1 for g in range(20))
    assert np.bincount(part.fold).tolist() == [12] * 5


@pytest.mark.parametrize("value", ["yes", "RARE", 1, None])
def test_other_strata_are_rejected(value: object) -> None:
    with raises("S151", value=value):
        KFold(5, stratified=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (KFold(10, stratified="rare"), "kfold:10"),
        (KFold(5, repeats=3, stratified="rare"), "kfold:5x3"),
        (KFold(5, repeats=3), "kfold:5x3:stratified"),
        (KFold(10, stratified=False), ""),
    ],
)
def test_the_text_of_folds(plan: KFold, text: str) -> None:
    assert plan.option == text


def test_every_row_is_tested_once_a_repeat() -> None:
    codes = codes_of([31, 7, 1], 0)
    pairs = list(KFold(5, repeats=3).split(np.zeros((39, 1)), codes))
    for repeat in range(3):
        tested = np.concatenate([test for _, test in pairs[5 * repeat : 5 * repeat + 5]])
        assert np.sort(tested).tolist() == list(range(39))
    for train, test in pairs:
        assert np.sort(np.concatenate([train, test])).tolist() == list(range(39))


def test_golden_folds() -> None:
    codes = np.array([0, 1, 0, 2, 1, 0, 0, 1, 2, 0, 1, 0])
    assert KFold(3, random_state=42).partitions(codes)[0].fold.tolist() == [
        1,
        0,
        1,
        1,
        2,
        0,
        2,
        0,
        2,
        0,
        1,
        2,
    ]
    groups = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    (part,) = KFold(3, random_state=42).partitions(codes, groups)
    assert part.fold.tolist() == [1, 1, 0, 0, 2, 2, 2, 2, 1, 1, 0, 0]


def test_rows_alone_in_their_class_are_dealt_at_random() -> None:
    fold = KFold(10).partitions(np.arange(1000))[0].fold
    assert spread(np.bincount(fold)) == 0
    assert np.count_nonzero(fold == np.arange(1000) % 10) < 200  # not dealt in row order


def test_a_row_meets_every_fold_over_the_seeds() -> None:
    codes = codes_of([50, 50], 3)
    folds = np.array([KFold(5, random_state=seed).partitions(codes)[0].fold for seed in range(400)])
    for row in range(0, 100, 9):
        # 400 draws of a fold with probability 1/5: five deviations of 8 around 80.
        assert np.abs(np.bincount(folds[:, row], minlength=5) - 80).max() < 40


@given(
    st.lists(st.integers(1, 15), min_size=2, max_size=25),
    st.integers(2, 6),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_groups_stay_whole_and_every_fold_has_one(
    sizes: list[int], n_splits: int, stratified: bool, seed: int
) -> None:
    if len(sizes) < n_splits:
        return
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat(np.arange(len(sizes)) * 7 - 3, sizes))
    codes = rng.integers(0, 3, groups.size)
    plan = KFold(n_splits, stratified=stratified, random_state=seed)
    (part,) = plan.partitions(codes, groups)
    for group in np.unique(groups):
        assert np.unique(part.fold[groups == group]).size == 1
    counts = np.bincount(part.fold, minlength=n_splits)
    assert counts.min() > 0
    if not stratified:
        assert spread(counts) <= max(sizes)
    assert plan.partitions(codes, groups) == [part]


def test_many_small_groups_give_even_folds_and_classes() -> None:
    rng = np.random.default_rng(8)
    groups = rng.integers(0, 500, 3000)
    codes = (rng.random(500) < 0.2)[groups].astype(
        np.int32
    )  # a group has one class, as a patient has one diagnosis
    (part,) = KFold(5).partitions(codes, groups)
    assert spread(np.bincount(part.fold)) <= 15
    shares = [codes[part.test_rows(f)].mean() for f in range(5)]
    assert max(shares) - min(shares) < 0.01


def test_groups_may_be_names() -> None:
    groups = np.array(["ann", "bob", "ann", "cy", "bob", "cy"])
    numbers = np.array([5, 9, 5, 1, 9, 1])
    codes = np.array([0, 1, 1, 0, 1, 0])
    assert KFold(3).partitions(codes, groups) == KFold(3).partitions(codes, numbers)


def test_a_class_rarer_than_the_folds_is_allowed() -> None:
    codes = np.array([0] * 20 + [1] * 2)
    fold = KFold(5).partitions(codes)[0].fold
    assert fold[20] != fold[21]


def test_fewer_rows_or_groups_than_folds() -> None:
    with raises("S062", n_splits=10, n_rows=9):
        KFold().partitions(np.zeros(9, dtype=np.int32))
    with raises("S063", n_splits=3, n_groups=2):
        KFold(3).partitions(np.zeros(9, dtype=np.int32), [0, 1] * 4 + [0])
    with raises("S062", n_splits=2, n_rows=0):
        KFold(2).partitions([])


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_splits": 1}, "n_splits must be an integer of at least 2, not 1."),
        ({"n_splits": 2.0}, "n_splits must be an integer of at least 2, not 2.0."),
        ({"n_splits": True}, "n_splits must be an integer of at least 2, not True."),
        ({"repeats": 0}, "repeats must be an integer of at least 1, not 0."),
        ({"stratified": "yes"}, "stratified must be True, False or 'rare', not 'yes'."),
        ({"random_state": -1}, "random_state=-1 is not allowed; give a whole number"),
    ],
)
def test_bad_parameters(parameters: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        KFold(**parameters)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


def test_parameters_other_than_the_folds_are_named() -> None:
    with pytest.raises(TypeError):
        KFold(5, 2)  # type: ignore[misc]
    assert repr(KFold(np.int64(5))) == "KFold(n_splits=5, repeats=1, stratified=True, random_state=0)"
