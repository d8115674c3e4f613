"""Partitions, label encoding, and what all plans have in common."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.plans import (
    ALWAYS_TRAIN,
    UNUSED,
    Bootstrap,
    HoldOut,
    KFold,
    LeaveOneOut,
    Partition,
    Plan,
    RandomSubsampling,
    TrainValidationTest,
)
from assay.plans.base import check_codes, encode
from tests.raised import raises

DRAWN = [KFold(4, repeats=2), HoldOut(0.3), RandomSubsampling(0.3, repeats=3), TrainValidationTest()]
PLANS: list[Plan] = [*DRAWN, LeaveOneOut(), Bootstrap(5)]


def labels(n: int = 60) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 3, n).astype(np.int32)


class TestPartition:
    def test_rows_of_a_fold(self) -> None:
        part = Partition(np.array([0, 1, ALWAYS_TRAIN, UNUSED, 1]), 2)
        assert part.test_rows(1).tolist() == [1, 4]
        assert part.train_rows(1).tolist() == [0, 2]
        assert part.train_rows(0).tolist() == [1, 2, 4]

    def test_rows_may_be_tested_and_never_trained_on(self) -> None:
        fold, idle = np.array([0, 1, ALWAYS_TRAIN, UNUSED, 1]), np.array([True, False, False, False, True])
        part = Partition(fold, 2, idle)
        assert part.test_rows(1).tolist() == [1, 4] and part.test_rows(0).tolist() == [0]
        assert part.train_rows(1).tolist() == [2] and part.train_rows(0).tolist() == [1, 2]
        assert part.trained.tolist() == [UNUSED, 1, ALWAYS_TRAIN, UNUSED, UNUSED]
        assert part != Partition(fold, 2) and part == Partition(fold, 2, idle.copy())
        with raises("S042", size=5):
            Partition(fold, 2, idle[:4])

    def test_is_int32_and_cannot_be_changed(self) -> None:
        source = np.array([0, 1])
        part = Partition(source, 2)
        assert part.fold.dtype == np.int32 and part.fold.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            part.fold[0] = 1
        source[0] = 1  # the caller's own array stays writeable

    def test_equality_is_by_value(self) -> None:
        assert Partition(np.array([0, 1]), 2) == Partition(np.array([0, 1]), 2)
        assert Partition(np.array([0, 1]), 2) != Partition(np.array([0, 1]), 3)
        assert Partition(np.array([0, 1]), 2) != Partition(np.array([1, 0]), 2)
        assert Partition(np.array([0, 1]), 2) != "a partition"

    @pytest.mark.parametrize("bad", [2, -3])
    def test_a_fold_out_of_range_names_the_row(self, bad: int) -> None:
        with raises("S041", row=1, fold=bad, last=1):
            Partition(np.array([0, bad]), 2)

    @pytest.mark.parametrize("f", [-1, 2])
    def test_an_absent_fold_is_an_error(self, f: int) -> None:
        with raises("S043", fold=f, last=1):
            Partition(np.array([0, 1]), 2).test_rows(f)
        with raises("S043", fold=f, last=1):
            Partition(np.array([0, 1]), 2).train_rows(f)


class TestEveryPlan:
    @pytest.mark.parametrize("plan", PLANS, ids=repr)
    def test_repr_rebuilds_it_and_copies_are_equal(self, plan: Plan) -> None:
        assert eval(repr(plan)) == plan
        assert copy.deepcopy(plan) == plan
        assert pickle.loads(pickle.dumps(plan)) == plan
        assert hash(copy.deepcopy(plan)) == hash(plan)

    def test_equality_is_by_parameters(self) -> None:
        assert KFold(5) == KFold(5, random_state=0) != KFold(5, random_state=1)
        assert HoldOut(0.1) != HoldOut(0.2)
        assert HoldOut(0.1) != RandomSubsampling(0.1, repeats=1)

    @pytest.mark.parametrize("plan", PLANS, ids=repr)
    def test_split_yields_as_many_pairs_as_announced(self, plan: Plan) -> None:
        y = labels(20)
        pairs = list(plan.split(np.zeros((20, 2)), y))
        assert len(pairs) == plan.get_n_splits(np.zeros((20, 2)), y)
        for train, test in pairs:
            assert not set(train.tolist()) & set(test.tolist())

    @pytest.mark.parametrize("plan", [*DRAWN, LeaveOneOut()], ids=repr)
    def test_split_is_partitions_with_labels_of_any_kind(self, plan: Plan) -> None:
        y = labels()
        expected = [
            (part.train_rows(f).tolist(), part.test_rows(f).tolist())
            for part in plan.partitions(y)
            for f in range(part.n_folds)
        ]
        named = np.array(["spam", "eggs", "ham"])[y]
        mixed = np.array([None, 7, "x", (1, 2)], dtype=object)[y + 1]
        for target in (
            y,
            named,
            named.tolist(),
            mixed,
            y[:, None],
            y * np.int64(10**12),
            y.astype(np.int8) - 5,
        ):
            assert [(a.tolist(), b.tolist()) for a, b in plan.split(np.zeros((60, 1)), target)] == expected

    @pytest.mark.parametrize("plan", DRAWN, ids=repr)
    def test_same_seed_same_folds_other_seed_other_folds(self, plan: Plan) -> None:
        other = type(plan)(**{**vars(plan), "random_state": 1})
        assert plan.partitions(labels()) == plan.partitions(labels())
        assert plan.partitions(labels()) != other.partitions(labels())

    @pytest.mark.parametrize("plan", [KFold(4, repeats=3), RandomSubsampling(0.3, repeats=3)], ids=repr)
    @pytest.mark.parametrize("groups", [None, np.arange(60) // 4], ids=["rows", "groups"])
    def test_repeats_differ(self, plan: Plan, groups: np.ndarray | None) -> None:
        first, second, third = plan.partitions(labels(), groups)
        assert first != second and second != third and first != third

    @given(st.permutations(range(3)), st.booleans())
    def test_renaming_classes_or_groups_changes_no_fold(self, names: list[int], grouped: bool) -> None:
        renamed = np.array(names)[labels()]
        groups = np.random.default_rng(2).integers(0, 12, 60) if grouped else None
        other_groups = None if groups is None else 1000 - groups
        for plan in DRAWN:
            assert plan.partitions(renamed, other_groups) == plan.partitions(labels(), groups)

    def test_without_y_all_rows_are_of_one_class(self) -> None:
        plan, X = KFold(4), np.zeros((60, 1))
        loose = KFold(4, stratified=False)
        for (a, b), (c, d) in zip(plan.split(X), loose.split(X, labels()), strict=True):
            assert np.array_equal(a, c) and np.array_equal(b, d)

    def test_the_number_of_rows_must_be_known(self) -> None:
        with raises("S034"):
            next(KFold(2).split(None))
        with raises("S034"):
            LeaveOneOut().get_n_splits()


class TestInput:
    @pytest.mark.parametrize("codes", [[0.0, 1.0], ["a", "b"], [[0, 1]]])
    def test_codes_must_be_a_vector_of_integers(self, codes: list[object]) -> None:
        with raises("S035", TypeError):
            check_codes(codes)

    def test_negative_codes_name_the_row(self) -> None:
        with raises("S036", row=2, class_code=-4):
            check_codes([0, 1, -4])

    def test_sparse_codes_need_no_long_table(self) -> None:
        assert check_codes(np.array([2_000_000_000, 3, 2_000_000_000])).tolist() == [1, 0, 1]

    @pytest.mark.parametrize("plan", DRAWN, ids=repr)
    def test_wrong_length_of_groups_or_labels(self, plan: Plan) -> None:
        with raises("S037", name="groups", n_rows=60):
            plan.partitions(labels(), np.zeros(59))
        with raises("S037", name="y", n_rows=61):
            list(plan.split(np.zeros((61, 1)), labels()))

    @pytest.mark.parametrize(
        "values", [[0.0, np.nan, 1.0], ["a", None, "b"], np.array(["a", float("nan"), "b"], dtype=object)]
    )
    def test_a_missing_label_names_the_row(self, values: object) -> None:
        with raises("S038", name="y", row=1):
            encode(values, "y", 3)

    @given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3), min_size=1, max_size=30))
    def test_encoding_numbers_distinct_values(self, values: list[int]) -> None:
        codes = encode(np.array(values, dtype=np.int64), "y", len(values))
        assert set(codes.tolist()) == set(range(len(set(values))))
        assert len(set(zip(values, codes.tolist(), strict=True))) == len(set(values))

    def test_unsigned_values_beyond_int64(self) -> None:
        values = np.array([2**64 - 1, 2**63, 0, 2**63 - 1, 2**63], dtype=np.uint64)
        codes = encode(values, "y", 5)
        assert codes[1] == codes[4] and np.unique(codes).size == 4
