"""Which tests leave out pairs of folds: found where inner folds are the other folds, and nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import HoldOut, KFold, TrainValidationTest
from assay.sharing.splits import FoldPairs, Splits, deeper_of, splits_of
from assay.sharing.splits.restriction import trained_on

CODES = (np.arange(60) % 3).astype(np.int32)


def deep(plan: Any, **more: Any) -> Splits:
    return deeper_of(splits_of(plan, CODES, nested=True, **more))


@pytest.mark.parametrize("folds", [3, 5, 10])
def test_each_test_is_of_its_fold_by_a_model_without_both(folds: int) -> None:
    plan = KFold(folds)
    splits, fold = deep(plan), plan.partitions(CODES)[0].fold
    pairs = FoldPairs.of(splits)
    assert pairs is not None and pairs.n_folds == folds
    for a in range(folds):
        for b in range(folds):
            if a == b:
                assert pairs.test[a, b] == -1
                continue
            test = int(pairs.test[a, b])
            assert np.array_equal(np.sort(splits.test_rows(test)), np.flatnonzero(fold == a))
            trained = np.sort(splits.train_rows(int(splits.model[test])))
            assert np.array_equal(trained, np.flatnonzero((fold != a) & (fold != b)))
            assert int(splits.parent[test]) == int(splits.model[splits.outer[b]])
            assert pairs.slot[test] == b - (b > a)


def test_a_choice_without_two_folds_rests_on_tests_of_the_others() -> None:
    pairs = FoldPairs.of(deep(KFold(5)))
    assert pairs is not None
    (place,) = np.flatnonzero((pairs.pairs[0] == 1) & (pairs.pairs[1] == 3))
    wanted = {int(pairs.test[fold, behalf]) for fold in (0, 2, 4) for behalf in (1, 3)}
    assert set(np.flatnonzero(pairs.choosing[place]).tolist()) == wanted


def test_models_that_are_trained_on_a_sample_test_all_rows_by_pairs() -> None:
    half = (np.arange(60) % 2).astype(np.int32)
    splits = trained_on(splits_of(KFold(5), CODES, nested=True), half, np.array([False, True]))
    pairs, whole = FoldPairs.of(deeper_of(splits)), FoldPairs.of(deep(KFold(5)))
    assert pairs is not None and whole is not None and np.array_equal(pairs.test, whole.test)


@pytest.mark.parametrize(
    "plan", [KFold(2), KFold(12), KFold(5, repeats=2), HoldOut(0.3), TrainValidationTest((0.5, 0.25, 0.25))]
)
def test_other_inner_folds_have_no_pairs(plan: Any) -> None:
    assert FoldPairs.of(deep(plan)) is None
    assert FoldPairs.of(deep(KFold(5), inner=4)) is None
