"""Every form a loss matrix comes in gives the same matrix, and every fault one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from assay.decision import LossMatrix
from tests.raised import Expected, raises

CLASSES = ["cat", "dog"]
NESTED = {"dog": {"reject": 0.3, "dog": 0, "cat": 5}, "cat": {"cat": 0, "dog": 1, "reject": 0.3}}
VALUES = [[0.0, 1.0, 0.3], [5.0, 0.0, 0.3]]


class ArrowLike:
    """What the reader needs of an Arrow table, without the package."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.column_names = list(columns)
        self.columns = list(columns.values())
        self._columns = columns

    def to_pydict(self) -> dict[str, list[Any]]:
        return self._columns


FORMS = {
    "dict": NESTED,
    "pandas": pd.DataFrame(NESTED).T,
    "polars": pl.DataFrame(
        {"true": ["dog", "cat"], "dog": [0.0, 1.0], "reject": [0.3, 0.3], "cat": [5.0, 0.0]}
    ),
    "arrow": ArrowLike({"true": ["dog", "cat"], "cat": [5, 0], "reject": [0.3, 0.3], "dog": [0, 1]}),
    "matrix": LossMatrix(np.array(VALUES), np.array(CLASSES), ("cat", "dog", "reject")),
    "matrix of other row order": LossMatrix(
        np.array(VALUES[::-1]), np.array(CLASSES[::-1]), ("cat", "dog", "reject")
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_named_forms_agree(form: str) -> None:
    loss = LossMatrix.of(FORMS[form], CLASSES)
    np.testing.assert_array_equal(loss.values, VALUES)
    assert loss.actions == ("cat", "dog", "reject")
    np.testing.assert_array_equal(loss.class_of_action, [0, 1, -1])
    assert loss.values.dtype == np.float64


def test_array_forms() -> None:
    np.testing.assert_array_equal(LossMatrix.of([[0, 2], [1, 0]], CLASSES).values, [[0, 2], [1, 0]])
    named = LossMatrix.of(VALUES, CLASSES, actions=["cat", "dog", "ask"])
    assert named.actions == ("cat", "dog", "ask")
    fewer = LossMatrix.of([[1], [2]], CLASSES, actions=["dog"])
    np.testing.assert_array_equal(fewer.class_of_action, [1])


def test_zero_one_is_the_default() -> None:
    loss = LossMatrix.of(None, [3, 5, 9])
    np.testing.assert_array_equal(loss.values, 1 - np.eye(3))
    assert loss.actions == (3, 5, 9)
    with_reject = LossMatrix.zero_one([3, 5, 9], reject=0.25)
    np.testing.assert_array_equal(with_reject.values[:, 3], 0.25)
    np.testing.assert_array_equal(with_reject.class_of_action, [0, 1, 2, -1])


def test_text_names_match_numbers_by_spelling() -> None:
    loss = LossMatrix.of({"1": {"2": 4, "1": 0}, "2": {"1": 7, "2": 0}}, np.array([1, 2]))
    np.testing.assert_array_equal(loss.values, [[0, 4], [7, 0]])
    assert loss.actions == (1, 2)
    # Text labels are matched as they are: the number 1 is not the class "1".
    with raises("L023", label=1):
        LossMatrix.of({1: {"1": 0}}, ["1", "2"])


def test_matrix_is_a_frozen_copy() -> None:
    source = np.array([[0.0, 1.0], [1.0, 0.0]])
    loss = LossMatrix.of(source, CLASSES)
    source[0, 1] = 99
    assert loss.values[0, 1] == 1
    with pytest.raises(ValueError, match="read-only"):
        loss.values[0, 0] = 5


def test_labels_of_any_type() -> None:
    for classes in ([True, False], [1.5, 2.5], np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]")):
        loss = LossMatrix.of([[0, 1], [1, 0]], classes)
        np.testing.assert_array_equal(loss.class_of_action, [0, 1])
    mixed = LossMatrix.of(None, np.array(["a", 1], dtype=object))
    assert mixed.actions == ("a", 1)


BAD: dict[str, tuple[Any, Expected]] = {
    "nan": ([[0, np.nan], [1, 0]], Expected("L019", action="dog", label="cat")),
    "inf": (
        {"cat": {"cat": 0, "dog": 1}, "dog": {"cat": np.inf, "dog": 0}},
        Expected("L019", action="cat", label="dog", cost=np.inf),
    ),
    "not square": ([[0, 1, 2], [1, 0, 2]], Expected("L030", shape=(2, 3), n_labels=2)),
    "too small": ([[0]], Expected("L030", shape=(1, 1), n_labels=2)),
    "one dimension": ([0, 1], Expected("L015", n_axes=1)),
    "ragged": ([[0, 1], [1]], Expected("L021")),
    "text": ([["a", "b"], ["c", "d"]], Expected("L021")),
    "unknown class": (
        {"cat": {"cat": 0}, "cow": {"cat": 0}},
        Expected("L023", label="cow", classes=["cat", "dog"]),
    ),
    "missing class": ({"cat": {"cat": 0, "dog": 1}}, Expected("L026", label="dog")),
    "missing action": (
        {"cat": {"cat": 0, "dog": 1}, "dog": {"dog": 0}},
        Expected("L033", name="cat", label="dog"),
    ),
    "flat dict": ({"cat": 1, "dog": 2}, Expected("L024", label="cat", row=1)),
    "no actions": ({"cat": {}, "dog": {}}, Expected("L017")),
    "text cell": ({"cat": {"cat": "x"}, "dog": {"cat": 0}}, Expected("L021")),
    "pandas without index": (
        pd.DataFrame([[0, 1], [1, 0]], columns=CLASSES),
        Expected("L023", label=0, classes=["cat", "dog"]),
    ),
    "pandas hole": (
        pd.DataFrame({"cat": [0, None], "dog": [1, 0]}, index=CLASSES),
        Expected("L019", action="cat", label="dog"),
    ),
    "table rows twice": (
        pd.DataFrame({"cat": [0, 1]}, index=["cat", "cat"]),
        Expected("L027", repeats=2, label="cat"),
    ),
    "table columns twice": (
        pd.DataFrame([[0, 1], [1, 0]], index=CLASSES, columns=["cat", "cat"]),
        Expected("L028", action="cat"),
    ),
    "another matrix": (LossMatrix.zero_one(["cat", "cow"]), Expected("L031", name="dog")),
    "larger matrix": (LossMatrix.zero_one(["cat", "cow", "dog"]), Expected("L032", name="cow")),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_loss_is_one_sentence(case: str) -> None:
    loss, expected = BAD[case]
    with raises(expected) as raised:
        LossMatrix.of(loss, CLASSES)
    text = str(raised.value)
    assert text.endswith(".") and "\n" not in text and ". " not in text


def test_two_spellings_of_one_class_are_refused() -> None:
    with raises("L025", label=1):
        LossMatrix.of({1: {1: 0, 2: 1}, "1": {1: 0, 2: 1}, 2: {1: 1, 2: 0}}, [1, 2])
    with raises("L022", label=1):
        LossMatrix.of({1: {1: 0, "1": 1}, 2: {1: 1, 2: 0}}, [1, 2])


def test_bad_names() -> None:
    with raises("L020", name="a"):
        LossMatrix.zero_one(["a", "a"])
    with raises("L014"):
        LossMatrix.zero_one([])
    with raises("L029"):
        LossMatrix.zero_one(["ok", "reject"], reject=0.1)
    with raises("L019", action="reject", label="a", cost=float("inf")):
        LossMatrix.zero_one(["a", "b"], reject=float("inf"))
    with raises("L018", n_classes=2, n_names=3):
        LossMatrix.of([[0, 1], [1, 0]], CLASSES, actions=["cat", "dog", "ask"])


@pytest.mark.parametrize("form", ["dict", "pandas", "polars", "matrix"])
def test_names_beside_a_named_form_are_refused(form: str) -> None:
    with raises("L016"):
        LossMatrix.of(FORMS[form], CLASSES, actions=["cat", "dog", "reject"])
    with raises("L016", what="zero-one loss"):
        LossMatrix.of(None, CLASSES, actions=["cat", "dog"])
