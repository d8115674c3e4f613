"""Leave-one-out."""

from __future__ import annotations

import numpy as np

from assay.plans import LeaveOneOut
from tests.raised import raises


def test_every_row_is_its_own_fold() -> None:
    (part,) = LeaveOneOut().partitions([0, 1, 0, 1])
    assert part.n_folds == 4 and part.fold.tolist() == [0, 1, 2, 3]
    assert part.train_rows(2).tolist() == [0, 1, 3]


def test_as_many_splits_as_rows() -> None:
    assert LeaveOneOut().get_n_splits(np.zeros((7, 2))) == 7
    assert LeaveOneOut().get_n_splits(y=[0, 1, 1]) == 3


def test_groups_are_left_out_as_a_whole() -> None:
    groups = ["b", "a", "b", "c", "a"]
    splits = [
        (train.tolist(), test.tolist())
        for train, test in LeaveOneOut().split(np.zeros((5, 1)), groups=groups)
    ]
    assert splits == [([0, 2, 3], [1, 4]), ([1, 3, 4], [0, 2]), ([0, 1, 2, 4], [3])]
    assert LeaveOneOut().get_n_splits(groups=groups) == 3


def test_one_row_or_group_is_refused() -> None:
    with raises("S064"):
        LeaveOneOut().partitions([0])
    with raises("S064"):
        LeaveOneOut().partitions([0, 1], [5, 5])
