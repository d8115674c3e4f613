"""Rows by their filled entries: what they stand for, and networks trained on them beside whole rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.numerics.blas import single_threaded
from assay.solvers.backprop import NetworkLayout, matrix_product
from assay.solvers.standard_rows import draw_in
from tests.core.structs import network_epoch

ROWS, WIDTH, CLASSES = 300, 12, 3
COLUMNS = np.array([0, 1, 3, 4, 5, 6, 8, 9, 10, 11])  # in three runs


def table(order: str = "C", dtype: Any = np.float64) -> np.ndarray:
    """A number far from 0, another that is 0 in half of the rows, and levels as columns of 0 and 1."""
    rng = np.random.default_rng(3)
    X = np.zeros((ROWS, WIDTH))
    X[:, 0] = rng.normal(1000.0, 1.0, ROWS)
    X[:, 1] = rng.normal(5.0, 3.0, ROWS) * rng.integers(0, 2, ROWS)
    levels = rng.choice(10, ROWS, p=[0.005, 0.095, *[0.1] * 7, 0.2])
    X[np.arange(ROWS), 2 + levels] = 1.0
    X[0] = [1000.0, 0.0, 1.0, *[0.0] * 9]
    return np.asarray(X, dtype=dtype, order=order)  # type: ignore[call-overload]


def standard() -> dict[str, np.ndarray]:
    X = table()[:, COLUMNS]
    return {"columns": COLUMNS, "center": X.mean(axis=0), "unit": 1.0 / X.std(axis=0)}


def by_hand(X: np.ndarray, limit: float = np.inf) -> np.ndarray:
    given = standard()
    Z = (X.astype(float)[:, COLUMNS] - given["center"]) * given["unit"]
    draw_in(Z, limit)
    return Z


def filled(X: np.ndarray, limit: float = np.inf, most: int = 10**9, **changed: Any) -> Any:
    which = changed.pop("which", None)
    make = changed.pop("make", _core.base.fill_rows)
    given = {**standard(), **changed}
    return make(X, which, None, None, given["columns"], given["center"], given["unit"], limit, most)


def in_full(rows: Any, which: np.ndarray | None = None) -> np.ndarray:
    which = np.arange(rows.shape[0]) if which is None else which
    out = np.empty((len(which), rows.shape[1] + 1))
    rows.dense(which, out)
    return out


@pytest.mark.parametrize("limit", [np.inf, 3.0])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_entries_stand_for_the_rows(limit: float, order: str, dtype: Any) -> None:
    X = table(order, dtype)
    found = filled(X, limit)
    assert found.shape == (ROWS, len(COLUMNS))
    # The first column is never 0 in deviations; one of the others in half of the rows; one level or none.
    assert ROWS < found.entries < 3 * ROWS
    np.testing.assert_allclose(in_full(found)[:, :-1], by_hand(X, limit), rtol=1e-14, atol=1e-14)
    assert (in_full(found)[:, -1] == 1.0).all()
    which = np.array([7, 3, 3, 250])
    assert np.array_equal(in_full(filled(X, limit, which=which)), in_full(found, which))


def test_digits_far_from_zero_are_not_lost() -> None:
    """A mean of a thousand deviations: the column keeps its own numbers."""
    found = in_full(filled(table()))
    assert np.array_equal(found[:, 0], by_hand(table())[:, 0])


def test_gaps_are_filled_and_flagged() -> None:
    X = table()
    X[::3, 1] = np.nan
    value, flag = np.full(WIDTH, 2.5), np.array([1], dtype=np.int32)
    every = np.arange(WIDTH + 1)
    found = _core.base.fill_rows(X, None, value, flag, every, np.zeros(13), np.ones(13), np.inf, 10**9)
    assert found is not None
    expected = np.column_stack([np.where(np.isnan(X), 2.5, X), np.isnan(X[:, 1]), np.ones(ROWS)])
    np.testing.assert_array_equal(in_full(found), expected)


def test_too_many_entries() -> None:
    found = filled(table())
    assert filled(table(), most=found.entries) is not None
    assert filled(table(), most=found.entries - 1) is None
    assert filled(table(), make=_core.base.fill_narrow_rows, most=ROWS) is None


def test_products_are_those_of_whole_rows() -> None:
    rng = np.random.default_rng(1)
    rows, which = filled(table(), 3.0), rng.permutation(ROWS)[:280]
    Z = np.column_stack([by_hand(table(), 3.0), np.ones(ROWS)])[which]
    b, r = rng.normal(size=len(COLUMNS) + 1), rng.normal(size=(2, 280))
    r[0, :40] = 0.0
    scores, sums = np.empty(280), np.empty((2, len(b)))
    rows.scores(which, b, scores)
    rows.sums(which, r, sums)
    np.testing.assert_allclose(scores, Z @ b, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(sums, r @ Z, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("hidden", [(), (5,), (37, 4), (80,)], ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_networks_learn_from_entries_what_they_learn_from_rows(hidden: tuple[int, ...], dtype: Any) -> None:
    rng = np.random.default_rng(5)
    layout = NetworkLayout((len(COLUMNS), *hidden, CLASSES))
    start = layout.drawn(rng, "tanh", dtype)
    limit = 3.0 if hidden else np.inf
    common = {
        "gemm": matrix_product(dtype), "codes": rng.integers(0, CLASSES, ROWS).astype(np.int32),
        "weight": rng.uniform(0.5, 1.5, ROWS), "order": rng.permutation(ROWS)[:290],
        "ends": np.array([0, 140, 290]), "widths": np.array(layout.widths), "activation": "tanh",
        "surrogate": "cross_entropy", "solver": "momentum", "rate": 0.1, "momentum": 0.9, "l2": 0.01, "steps": 0,
    }  # fmt: skip
    rows = filled(
        table(), limit, make=_core.base.fill_rows if dtype is np.float64 else _core.base.fill_narrow_rows
    )
    found = []
    for threads, source in (
        (1, {"x": table(), "limit": limit, **standard()}), (1, {"filled": rows}), (2, {"filled": rows})
    ):  # fmt: skip
        own = {"parameters": start.copy(), "state": np.zeros((1, layout.size), dtype=dtype)}
        with single_threaded():
            lost = sum(network_epoch(**common, **source, **own, threads=threads) for _ in range(3))
        found.append((lost, own["parameters"]))
    tolerance = 1e-12 if dtype is np.float64 else 1e-5
    assert found[1][0] == pytest.approx(found[0][0], rel=tolerance)
    np.testing.assert_allclose(found[1][1], found[0][1], rtol=tolerance, atol=tolerance)
    assert found[1][0] == found[2][0] and np.array_equal(found[1][1], found[2][1])
    which = rng.permutation(ROWS)[:270]
    whole, few = np.empty((2, 270, CLASSES), dtype=dtype)
    Z, layers = (
        np.ascontiguousarray(by_hand(table(), limit)[which], dtype=dtype),
        layout.compiled("tanh", dtype),
    )
    _core.network.network_scores(layers, Z, start, 1, whole)
    _core.network.filled_network_scores(layers, rows, which, start, 2, few)
    np.testing.assert_allclose(few, whole, rtol=10 * tolerance, atol=10 * tolerance)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"columns": np.array([0, 12, *range(1, 9)])}, "no such column"),
        ({"center": np.zeros(9)}, "do not fit"),
        ({"unit": np.zeros(11)}, "do not fit"),
        ({"which": np.array([0, ROWS])}, "no such row"),
        ({"which": np.array([-1])}, "no such row"),
    ],
)
def test_arrays_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        filled(table(), **change)


def test_products_refuse_what_does_not_fit() -> None:
    rows, two = filled(table()), np.array([0, 1])
    good = np.zeros(len(COLUMNS) + 1)
    for which, b, out in ((np.array([ROWS]), good, 1), (two, good[1:], 2), (two, good, 3)):
        with pytest.raises(ValueError, match="no such row|do not fit"):
            rows.scores(which, b, np.zeros(out))
    for which, r, out in ((np.array([-1]), 1, 11), (two, 3, 11), (two, 2, 10)):
        with pytest.raises(ValueError, match="no such row|do not fit"):
            rows.sums(which, np.zeros((1, r)), np.zeros((1, out)))
    for which, shape in ((np.array([ROWS]), (1, 11)), (two, (2, 10))):
        with pytest.raises(ValueError, match="no such row|do not fit"):
            rows.dense(which, np.zeros(shape))
    layout = NetworkLayout((9, 3))
    with pytest.raises(ValueError, match="for each input"):
        layers, parameters = layout.compiled("relu", float), np.zeros(layout.size)
        _core.network.filled_network_scores(layers, rows, two, parameters, 1, np.zeros((2, 3)))


def test_some_rows_in_other_coordinates() -> None:
    rng = np.random.default_rng(5)
    rows, which, columns = filled(table()), np.array([7, 3, 3, 250, 0]), np.array([8, 1, 0, 5])
    factor, shift = rng.uniform(0.5, 2.0, 4), rng.normal(size=4)
    mapped = _core.base.map_filled(rows, which, columns, factor, shift)
    assert mapped.shape == (5, 4) and mapped.entries < rows.entries
    expected = in_full(rows, which)[:, columns] * factor + shift
    np.testing.assert_allclose(in_full(mapped)[:, :-1], expected, rtol=1e-13, atol=1e-13)
    out = np.empty(5)
    mapped.scores(np.arange(5), np.arange(5.0), out)
    np.testing.assert_allclose(out, in_full(mapped) @ np.arange(5.0), rtol=1e-13)
