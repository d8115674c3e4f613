"""Keys of values: equal for equal values, different for any difference."""

from __future__ import annotations

import collections
import enum
import functools
import random
from copy import deepcopy
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import PredefinedSplit
from sklearn.pipeline import make_pipeline

from assay import GaussianNB, KFold, KNeighborsClassifier, LossMatrix, SelectColumns, Standardize
from assay.numerics.value_key import value_key


class Shade(enum.Enum):
    DARK = 1
    LIGHT = 2


def reach(X: Any, width: float = 1.0) -> Any:
    return X * width


def table(last: int) -> pd.DataFrame:
    return pd.DataFrame({"a": [*range(2000), last], "b": "x"})


DIFFERENT: dict[str, tuple[Any, Any]] = {
    "a count and a share": (1, 1.0),
    "a count and a truth value": (1, True),
    "zeros": (0.0, -0.0),
    "precisions": (0.5, np.float32(0.5)),
    "a number and its text": (1, "1"),
    "long lists": ([*range(2000), 0], [*range(2000), 1]),
    "a list and a tuple": ([1, 2], (1, 2)),
    "long arrays": (np.arange(3000), np.where(np.arange(3000) == 1500, 0, np.arange(3000))),
    "types of arrays": (np.arange(3), np.arange(3.0)),
    "shapes": (np.zeros((2, 3)), np.zeros((3, 2))),
    "masks": (np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1, 2], mask=[0, 0])),
    "arrays of objects": (np.array([1, "a"], dtype=object), np.array([1.0, "a"], dtype=object)),
    "dicts": ({"a": [1]}, {"a": [2]}),
    "orders": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "sets": ({1, 2}, {1, 3}),
    "counters": (collections.Counter("aab"), collections.Counter("abb")),
    "queues": (collections.deque([1, 2]), collections.deque([1, 3])),
    "members": (Shade.DARK, Shade.LIGHT),
    "frames": (table(1), table(2)),
    "series": (pd.Series(["a", "b"], dtype="category"), pd.Series(["a", "a"], dtype="category")),
    "Arrow": (pa.table({"a": [*range(2000), 1]}), pa.table({"a": [*range(2000), 2]})),
    "sparse": (csr_array(np.eye(40)), csr_array(2 * np.eye(40))),
    "splitters": (PredefinedSplit(np.arange(2000) % 5), PredefinedSplit(np.arange(2000) % 4)),
    "plans": (KFold(5), KFold(5, random_state=1)),
    "losses": (LossMatrix.of([[0, 1], [2, 0]], ["a", "b"]), LossMatrix.of([[0, 1], [3, 0]], ["a", "b"])),
    "arguments of functions": (functools.partial(reach, width=1.0), functools.partial(reach, width=2.0)),
    "estimators": (KNeighborsClassifier(5), KNeighborsClassifier(6)),
    "steps": (
        make_pipeline(SelectColumns([*range(40), 1]), GaussianNB()),
        make_pipeline(SelectColumns([*range(40), 2]), GaussianNB()),
    ),
    "outputs": (Standardize(), Standardize().set_output(transform="pandas")),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_keys_tell_values_apart_and_nothing_else(what: str) -> None:
    one, two = DIFFERENT[what]
    assert value_key(one) != value_key(two)
    for value in (one, two):
        assert value_key(value) == value_key(deepcopy(value))
        assert hash(value_key(value)) == hash(value_key(deepcopy(value)))


@pytest.mark.parametrize("value", [float("nan"), np.array([1.0, np.nan]), {"weight": np.float64("nan")}])
def test_nan_equals_itself(value: Any) -> None:
    assert value_key(value) == value_key(deepcopy(value))


@pytest.mark.parametrize(
    "make",
    [
        lambda: lambda X: X,
        lambda: random.Random(1),
        lambda: np.random.default_rng(1),
        lambda: np.random.RandomState(1),
        lambda: FrozenEstimator(GaussianNB().fit([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1])),
        lambda: type("Local", (), {}),
        lambda: open(__file__),  # noqa: SIM115 - it cannot be copied
    ],
)
def test_what_cannot_be_read_off_is_the_same_as_an_object_only(make: Any) -> None:
    one, two = make(), make()
    assert value_key(one) == value_key(one) and value_key([one]) != value_key([two])
    for each in (one, two):
        getattr(each, "close", lambda: None)()


def test_functions_and_generators_inside_an_estimator_are_its_own() -> None:
    generator = np.random.RandomState(0)
    assert value_key(SelectColumns(generator)) == value_key(SelectColumns(generator))
    assert value_key(SelectColumns(generator)) != value_key(SelectColumns(np.random.RandomState(0)))


def test_what_was_fitted_does_not_count() -> None:
    fitted = GaussianNB().fit([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1])
    assert value_key(fitted) == value_key(GaussianNB())


def test_a_list_that_holds_itself_has_a_key() -> None:
    knot: list[Any] = [1]
    knot.append(knot)
    assert value_key(knot) == value_key(deepcopy(knot)) != value_key([1, [1]])
