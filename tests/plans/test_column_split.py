"""A split by a train/test column."""

from __future__ import annotations

import numpy as np
import pytest

from assay.plans.column_split import ColumnSplit
from assay.sharing.splits import splits_of
from tests.raised import raises

CODES = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])


@pytest.mark.parametrize("values", [["train", "test"], ["train", "valid"], ["train", "Test"]])
def test_the_tested_rows_are_found_by_their_name(values: list[str]) -> None:
    (partition,) = ColumnSplit("split").of_rows(values, CODES).partitions(CODES)
    assert partition.test_rows(0).tolist() == [6, 7, 8, 9] and partition.train_rows(0).tolist() == [
        0,
        1,
        2,
        3,
        4,
        5,
    ]


def test_or_they_are_named() -> None:
    plan = ColumnSplit("year", "2023").of_rows([2023, 2024], CODES)
    assert plan.partitions(CODES)[0].test_rows(0).tolist() == [0, 1, 2, 3, 4, 5]
    assert plan.option == "column:year=2023" and plan == ColumnSplit("year", "2023")
    assert repr(plan) == "ColumnSplit(column='year', test='2023')"


def test_training_rows_that_come_first_are_no_time_series() -> None:
    plan, labels = ColumnSplit("split").of_rows(["train", "test"], CODES), np.arange(10) % 2
    assert "drawn folds" in splits_of(plan, labels.astype(np.int32), nested=True).rule


def test_bad_input() -> None:
    with raises("S305", column="split", row=2, rows=1):
        ColumnSplit("split").of_rows(["train", "test"], [0, -1, 1])
    with raises("S306", column="split", value="train"):
        ColumnSplit("split").of_rows(["train", "test"], [0, 0, 0])
    with raises("S307", values_found=["a", "b"]):
        ColumnSplit("split").of_rows(["a", "b"], CODES)
    with raises("S307", values_found=["train", "dev", "test"]):
        ColumnSplit("split").of_rows(["train", "dev", "test"], [0, 1, 2])
    with raises("S307"):
        ColumnSplit("split", "tests").of_rows(["train", "test"], CODES)
    with raises("S308", column="split"):
        ColumnSplit("split").partitions(CODES)
